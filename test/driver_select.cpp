// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The choice of a driver in a program that has a host driver: a table of this file's own, defined as <hanabi/host.hpp>
/// defines its. Needs HANABI_TEST_LIB_DIR. The program without one is driver_loader's.

#define BOOST_TEST_MODULE driver_select
#include <boost/test/unit_test.hpp>

#include "fake_libcuda/fake_libcuda.hpp"

#include <hanabi/driver/select.hpp>

#include <cstdlib>

namespace driver = hanabi::driver;
using driver::status;

namespace {

driver::table the_host() {
    driver::table table;
    table.init = [](unsigned) { return status::success; };
    table.device_get_count = [](int* count) {
        *count = 2;
        return status::success;
    };
    table.mem_alloc = [](driver::device_address* address, std::size_t) {
        *address = 0x1000;
        return status::success;
    };
    table.func_get_param_info = [](driver::function_handle, std::size_t, std::size_t*, std::size_t*) { return status::not_found; };
    table.origin = "host driver";
    table.is_host = true;
    return table;
}

} // namespace

extern "C" const driver::table* hanabi_host_driver_table() noexcept {
    static const driver::table table = the_host();
    return &table;
}

BOOST_AUTO_TEST_CASE(the_host_driver) {
    BOOST_TEST(&driver::host() == hanabi_host_driver_table());
    BOOST_TEST(driver::try_host() == &driver::host());
    int count = 0;
    BOOST_TEST((driver::device_count(driver::host(), count) == status::success));
    BOOST_TEST(count == 2);
}

BOOST_AUTO_TEST_CASE(chosen_by_the_environment) {
    ::setenv("HANABI_DRIVER", "host", 1);
    BOOST_TEST(&driver::default_table() == &driver::host());
    BOOST_TEST(&driver::any() == &driver::host());
    ::unsetenv("HANABI_DRIVER");
}

BOOST_AUTO_TEST_CASE(in_place_of_a_driver_that_is_not_there) {
    ::setenv("HANABI_LIBCUDA", "/nowhere/at/all.so", 1);
    BOOST_TEST(&driver::any() == &driver::host());
    BOOST_CHECK_THROW(driver::default_table(), hanabi::error); // never in silence
    ::setenv("HANABI_DRIVER", "cuda", 1);
    BOOST_CHECK_THROW(driver::any(), hanabi::error);
    ::unsetenv("HANABI_DRIVER");
    ::unsetenv("HANABI_LIBCUDA");
}

BOOST_AUTO_TEST_CASE(in_place_of_a_driver_without_devices) {
    const fake_libcuda fake{13000};
    ::setenv("HANABI_LIBCUDA", fake.path().c_str(), 1);
    fake.controls().init_status = status::no_device;
    BOOST_TEST(&driver::any() == &driver::host());
    BOOST_TEST(driver::default_table().origin == fake.path());
    fake.controls().init_status = status::success;
    BOOST_TEST(driver::any().origin == fake.path()); // a device came
    fake.controls().devices = 0;
    BOOST_TEST(&driver::any() == &driver::host());
    ::unsetenv("HANABI_LIBCUDA");
}

BOOST_AUTO_TEST_CASE(an_old_libcuda_before_the_host_driver) {
    const fake_libcuda fake{12030, &driver::host()};
    const driver::table& table = fake.load().functions;
    BOOST_TEST((table.mem_alloc == driver::host().mem_alloc));
    BOOST_TEST((table.func_get_param_info == nullptr)); // 12.4 brought it
    int count = 0;
    BOOST_TEST((driver::device_count(table, count) == status::success));
    BOOST_TEST(count == 2);
}
