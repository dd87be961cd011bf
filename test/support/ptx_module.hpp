// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the tests of the PTX executor share: a module of a text on a fresh driver, its kernels, arrays on the device. On the
/// real driver with HANABI_TEST_DRIVER=cuda.

#ifndef HANABI_TEST_SUPPORT_PTX_MODULE_HPP
#define HANABI_TEST_SUPPORT_PTX_MODULE_HPP

#include "support/host_driver.hpp"

#include <hanabi/host/ptx.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

/// Memory of the device as numbers; gone with the driver's state.
template <class T>
class device_array {
  public:
    explicit device_array(std::size_t count) : address_{allocate(count * sizeof(T))}, count_{count} {}
    device_array(std::size_t count, T value) : device_array{std::vector<T>(count, value)} {}
    explicit device_array(const std::vector<T>& values) : device_array{values.size()} {
        BOOST_REQUIRE(cu.memcpy_htod_async(address_, values.data(), count_ * sizeof(T), nullptr) == status::success);
        BOOST_REQUIRE(cu.ctx_synchronize() == status::success);
    }
    device_address address() const noexcept { return address_; }
    std::vector<T> values() const {
        std::vector<T> out(count_);
        BOOST_TEST(cu.memcpy_dtoh_async(out.data(), address_, count_ * sizeof(T), nullptr) == status::success);
        BOOST_TEST(cu.ctx_synchronize() == status::success);
        return out;
    }

  private:
    device_address address_;
    std::size_t count_;
};

/// A module on a fresh driver, labelled "m".
struct ptx_module : fresh_driver {
    explicit ptx_module(const std::string& text, int major = 9) : fresh_driver{{device(major)}}, handle{load(text.c_str())} {
        host::ptx_options options;
        options.racecheck = std::getenv("HANABI_TEST_RACECHECK") != nullptr; // the second run of tests labelled `races`
        host::set_ptx_options(options);
        host::clear_ptx_fault();
    }
    static host::device_config device(int major) {
        host::device_config d;
        d.major = major;
        return d;
    }

    /// Launches and waits.
    template <class... P>
    status run(const char* name, host::extent grid, host::extent block, unsigned shared, P... arguments) {
        void* pointers[sizeof...(P) + 1] = {&arguments..., nullptr};
        hanabi::driver::function_handle kernel = nullptr;
        BOOST_REQUIRE(cu.module_get_function(&kernel, handle, name) == status::success);
        const status launched =
            cu.launch_kernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr, pointers, nullptr);
        return launched != status::success ? launched : cu.ctx_synchronize();
    }
    template <class... P>
    status run_with(hanabi::driver::launch_attribute attribute, const char* name, host::extent grid, host::extent block, P... arguments) {
        void* pointers[sizeof...(P) + 1] = {&arguments..., nullptr};
        hanabi::driver::function_handle kernel = nullptr;
        BOOST_REQUIRE(cu.module_get_function(&kernel, handle, name) == status::success);
        const hanabi::driver::launch_config config{grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, nullptr, &attribute, 1};
        const status launched = cu.launch_kernel_ex(&config, kernel, pointers, nullptr);
        return launched != status::success ? launched : cu.ctx_synchronize();
    }
    template <class... P>
    status run_cooperatively(const char* name, host::extent grid, host::extent block, P... arguments) {
        hanabi::driver::launch_attribute a;
        std::memset(&a, 0, sizeof a);
        a.id = hanabi::driver::launch_attribute_id::cooperative;
        a.value.cooperative = 1;
        return run_with(a, name, grid, block, arguments...);
    }
    template <class... P>
    status run_in_clusters(unsigned size, const char* name, host::extent grid, host::extent block, P... arguments) {
        hanabi::driver::launch_attribute a;
        std::memset(&a, 0, sizeof a);
        a.id = hanabi::driver::launch_attribute_id::cluster_dimension;
        a.value.cluster_dim = {size, 1, 1};
        return run_with(a, name, grid, block, arguments...);
    }
    status allow_shared(const char* name, int bytes) {
        hanabi::driver::function_handle kernel = nullptr;
        BOOST_REQUIRE(cu.module_get_function(&kernel, handle, name) == status::success);
        return cu.func_set_attribute(kernel, hanabi::driver::function_attribute::max_dynamic_shared_size_bytes, bytes);
    }

    module_handle handle;
};

#endif
