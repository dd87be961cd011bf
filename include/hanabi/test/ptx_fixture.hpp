// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The fixture of tests that run a module's own PTX on the host driver. No part of <hanabi/test.hpp>: it brings the executor
/// into the program (hanabi/host/ptx.hpp).

#ifndef HANABI_TEST_PTX_FIXTURE_HPP
#define HANABI_TEST_PTX_FIXTURE_HPP

#include <hanabi/host/ptx.hpp>
#include <hanabi/test/host_fixture.hpp>

#include <boost/test/test_tools.hpp>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::test {

/// A host_fixture for kernels that execute: options of the executor (host::set_ptx_options) last until the end of the test,
/// and a fault of a kernel that the test did not take is a failure of the test, with the fault's text. So nothing that a
/// kernel does wrong goes unseen, also where faults leave the context usable (ptx_options::sticky), or nobody waited.
///
///     struct fixture : hanabi::test::ptx_fixture {
///         hanabi::registry modules = hanabi::registry::load(device(), {{"blas", hanabi_modules::blas}});
///         hanabi::dispatcher<> run{modules};
///     };
///     BOOST_FIXTURE_TEST_CASE(adds, fixture) { ... }
class ptx_fixture : public host_fixture {
  public:
    explicit ptx_fixture(std::vector<host::device_config> devices = {host::device_config{}})
        : host_fixture{std::move(devices)}, options_{host::current_ptx_options()}, unwinding_{std::uncaught_exceptions()} {
        host::clear_ptx_fault();
    }
    ptx_fixture(const ptx_fixture&) = delete;
    ptx_fixture& operator=(const ptx_fixture&) = delete;

    ~ptx_fixture() {
        const std::string fault = take_fault();
        host::set_ptx_options(options_);
        // A test that is left by an exception fails by that, which has the text.
        if (std::uncaught_exceptions() == unwinding_) BOOST_CHECK_MESSAGE(fault.empty(), "a kernel failed: " << fault);
    }

    /// The text of the newest fault of a kernel, which the test expected; "" if there was none. Wait for the launch before.
    static std::string take_fault() {
        std::string fault = host::last_ptx_fault();
        host::clear_ptx_fault();
        return fault;
    }

  private:
    host::ptx_options options_;
    int unwinding_;
};

} // namespace hanabi::test

#endif
