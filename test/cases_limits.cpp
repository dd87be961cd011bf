// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Reports of limits that nobody named, as tests: cases 21 to 23 of test/data/cases. More of each in launch_geometry.cpp and
// shared_memory.cpp.

#define BOOST_TEST_MODULE cases_limits
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

using hanabi::block;
using hanabi::errc;
using hanabi::grid;
using hanabi::kernel;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {
constexpr kernel<"m", "wide", void(int*)> wide;
constexpr kernel<"m", "touch", void(int*, int)> touch;
constexpr kernel<"m", "with_static", void(int*)> with_static;
constexpr kernel<"m", "no_static", void(int*)> no_static;

host::device_config narrow_device() {
    host::device_config d;
    d.max_grid_y = 100;
    d.max_block_z = 2;
    return d;
}
} // namespace

BOOST_FIXTURE_TEST_CASE(case_21_grid_yz_over_65535, recording) {
    const registry r = load(test::file("cases/21-grid-yz-over-65535/kernel.ptx"), "m");
    const hanabi::dispatcher run{r};
    hanabi::buffer<int> flag{*gpu, 1};
    run(wide[grid(1, 65535) | block(1)](flag));
    run(wide[grid(1, 1, 65535) | block(1)](flag));
    HANABI_CHECK_ERROR(run(wide[grid(1, 65536) | block(1)](flag)), errc::invalid_geometry, "m::wide", "grid y is 65536", "65535");
    HANABI_CHECK_ERROR(run(wide[grid(1, 1, 65536) | block(1)](flag)), errc::invalid_geometry, "m::wide", "grid z is 65536", "65535");
    run(wide[grid(2147483647) | block(1)](flag));
    HANABI_CHECK_ERROR(run(wide[grid(2147483648) | block(1)](flag)), errc::invalid_geometry, "grid x is 2147483648", "2147483647");
    HANABI_CHECK_ERROR(run(wide[grid(4294967296) | block(1)](flag)), errc::invalid_geometry, "grid x is 4294967296");
    HANABI_CHECK_ERROR(run(wide[grid(4294967297) | block(1)](flag)), errc::invalid_geometry, "grid x is 4294967297");
    HANABI_CHECK_ERROR(run(wide[grid(-1) | block(1)](flag)), errc::invalid_geometry, "grid x is -1");
    HANABI_CHECK_ERROR(run(wide[grid(1) | block(1025)](flag)), errc::invalid_geometry, "block x is 1025");
    HANABI_CHECK_ERROR(run(wide[grid(1) | block(1, 1025)](flag)), errc::invalid_geometry, "block y is 1025");
    HANABI_CHECK_ERROR(run(wide[grid(1) | block(1, 1, 65)](flag)), errc::invalid_geometry, "block z is 65");
    HANABI_CHECK_ERROR(run(wide[grid(1) | block(32, 33, 1)](flag)), errc::invalid_geometry, "1056");
    HANABI_CHECK_ERROR(run(wide[grid(1) | block(65536, 65536)](flag)), errc::invalid_geometry, "65536");
    if (on_host()) BOOST_TEST(host::launch_count() == 3u);
    run.synchronize();
}

BOOST_AUTO_TEST_CASE(case_21_the_limits_are_the_devices) {
    HANABI_SKIP_ON_CUDA("configures the device");
    const recording f{{narrow_device()}};
    const registry r = f.load(test::file("cases/21-grid-yz-over-65535/kernel.ptx"), "m");
    const hanabi::dispatcher run{r};
    run(wide[grid(1, 100) | block(1)](nullptr));
    HANABI_CHECK_ERROR(run(wide[grid(1, 101) | block(1)](nullptr)), errc::invalid_geometry, "grid y is 101", "limit is 100");
    HANABI_CHECK_ERROR(run(wide[grid(1) | block(1, 1, 3)](nullptr)), errc::invalid_geometry, "block z is 3", "limit is 2");
}

BOOST_FIXTURE_TEST_CASE(case_22_zero_grid, recording) {
    const registry r = load(test::file("cases/22-zero-grid/kernel.ptx"), "m");
    const hanabi::dispatcher run{r};
    hanabi::buffer<int> value{*gpu, 1};
    HANABI_CHECK_ERROR(run(touch[grid(0, 1, 1) | block(1)](value, 1)), errc::invalid_geometry, "m::touch", "grid x is 0");
    HANABI_CHECK_ERROR(run(touch[grid(1, 0, 1) | block(1)](value, 1)), errc::invalid_geometry, "m::touch", "grid y is 0");
    HANABI_CHECK_ERROR(run(touch[grid(1, 1, 0) | block(1)](value, 1)), errc::invalid_geometry, "m::touch", "grid z is 0");
    run(touch[over(0) | block(256)](value, 0)); // an empty input is no mistake
    HANABI_CHECK_ERROR(run(touch[over(std::uint64_t{1} << 32) | block(1)](value, 0)), errc::invalid_geometry, "grid x is 4294967296");
    HANABI_CHECK_ERROR(run(touch[grid(1) | block(0, 1, 1)](value, 1)), errc::invalid_geometry, "m::touch", "block x is 0");
    run(touch[grid(1) | block(1)](value, 1));
    run.synchronize();
    if (on_host()) BOOST_TEST(host::launch_count() == 1u);
}

BOOST_FIXTURE_TEST_CASE(case_23_shared_memory_48k_boundary, recording) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const registry r = load(test::file("cases/23-shared-memory-48k-boundary/kernel.ptx"), "m");
    const hanabi::dispatcher run{r};
    r.require(with_static, no_static);
    const auto launch = [&](const auto& k, int bytes) {
        host::clear_calls();
        run(k[over(1) | hanabi::shared<char>(bytes)](nullptr));
        BOOST_TEST(last_launch().shared_bytes == static_cast<unsigned>(bytes));
        return host::calls(entry::func_set_attribute);
    };
    BOOST_TEST(launch(with_static, 48640) == 0u);
    BOOST_TEST(launch(with_static, 48641) == 1u);
    BOOST_TEST(launch(with_static, 49152) == 1u);
    BOOST_TEST(launch(with_static, 232448 - 512) == 1u);
    HANABI_CHECK_ERROR(launch(with_static, 232448 - 511), errc::shared_memory_exceeded, "m::with_static", "231937", "512", "232449",
                       "232448");
    BOOST_TEST(launch(no_static, 49152) == 0u);
    host::fail(entry::func_set_attribute, status::invalid_value);
    HANABI_CHECK_ERROR(launch(no_static, 49153), status::invalid_value, "raising the limit of dynamic shared memory to 49153 bytes", "(1)");
}
