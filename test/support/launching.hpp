// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the tests of registries and launches share: a fresh driver for each case that must hold nothing at its end, and a
/// module of kernels that do nothing. Part of the test support, not of the library.

#ifndef HANABI_TEST_SUPPORT_LAUNCHING_HPP
#define HANABI_TEST_SUPPORT_LAUNCHING_HPP

#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>

#include "support/driver.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace hanabi {
inline std::ostream& boost_test_print_type(std::ostream& out, verdict v) {
    return out << (v == verdict::proved ? "proved" : v == verdict::contradicted ? "contradicted" : "unproved");
}
inline std::ostream& boost_test_print_type(std::ostream& out, proof p) {
    return out << (p == proof::none ? "none" : p == proof::driver ? "driver" : p == proof::image ? "image" : "symbol");
}
namespace driver {
inline std::ostream& boost_test_print_type(std::ostream& out, status s) { return out << name_of(s); }
} // namespace driver
} // namespace hanabi

/// Kernels of many shapes, for every driver: they do nothing.
inline constexpr char common_ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .const .align 4 .b8 table[32];
.visible .global .align 4 .u32 counter;
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
.visible .entry scal(.param .f32 alpha, .param .u64 x, .param .u32 n) { ret; }
.visible .entry none() { ret; }
.visible .entry _ZN2la4scalEfPfi(.param .f32 alpha, .param .u64 x, .param .u32 n) { ret; }
)";

inline constexpr hanabi::kernel<"common", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"common", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;
inline constexpr hanabi::kernel<"common", "none", void()> none;

/// A driver as new, a context in it, and at the end of the test case nothing left: on the host driver every handle and
/// byte must have been given back, and no thread may be left with a context.
struct fresh {
    explicit fresh(std::vector<hanabi::host::device_config> devices = {hanabi::host::device_config{}}) {
        if (on_host()) {
            hanabi::host::reset(std::move(devices));
            hanabi::host::clear_definitions();
        }
        gpu.emplace(test_context());
    }
    ~fresh() {
        gpu.reset();
        if (!on_host()) return;
        hanabi::host::clear_faults();
        for (int ordinal = 0; ordinal < 2; ++ordinal) hanabi::context::release(ordinal, test_driver());
        for (const hanabi::host::leak& l : hanabi::host::leaks()) BOOST_TEST(false, l.text);
        hanabi::driver::context_handle current = nullptr;
        BOOST_TEST((test_driver().ctx_get_current(&current) == hanabi::driver::status::success));
        BOOST_TEST(current == nullptr, "a context was left current");
    }
    fresh(const fresh&) = delete;

    /// Loads a module under a name.
    hanabi::registry load(const std::string& ptx, const char* name = "common") const { return hanabi::registry::load(*gpu, {{name, ptx}}); }
    /// The common module.
    hanabi::registry load() const { return hanabi::registry::load(*gpu, {{"common", common_ptx}}); }

    std::optional<hanabi::context> gpu;
};

/// The same where no kernel needs a body: launches are checked and recorded. For the host driver.
struct recording : fresh {
    explicit recording(std::vector<hanabi::host::device_config> devices = {hanabi::host::device_config{}}) : fresh{std::move(devices)} {
        hanabi::host::options o = hanabi::host::current_options();
        o.run_bodies = false;
        if (on_host()) hanabi::host::set_options(o);
    }
};

/// The bytes of a value, in hexadecimal.
inline std::string hex(const std::vector<std::byte>& bytes) {
    std::string s;
    char two[4];
    for (const std::byte b : bytes) {
        std::snprintf(two, sizeof two, s.empty() ? "%02x" : " %02x", std::to_integer<unsigned>(b));
        s += two;
    }
    return s;
}

/// The last launch that the host driver accepted.
inline hanabi::host::launch_record last_launch() {
    const auto all = hanabi::host::launches();
    return all.empty() ? hanabi::host::launch_record{} : all.back();
}

/// Asserts that the error_code twin of an action fails with a code.
#define HANABI_CHECK_CODE(call, expected)                                                                                                  \
    do {                                                                                                                                   \
        std::error_code code_;                                                                                                             \
        call(code_);                                                                                                                       \
        BOOST_TEST(code_ == (expected), "code of `" #call "`: " << code_.message());                                                       \
    } while (false)

#endif
