// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the host driver tells of kernels that do something wrong (example/kernels/faults.cu), and how a test asks for it.

#define BOOST_TEST_MODULE kernel_faults
#include <boost/test/included/unit_test.hpp>

#include <hanabi_modules/faults_ptx.hpp>

#include <hanabi/hanabi.hpp>
#include <hanabi/test.hpp>
#include <hanabi/test/ptx_fixture.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using hanabi::block;
using hanabi::grid;
using hanabi::over;

inline constexpr hanabi::kernel<"faults", "ramp", void(int*, int), hanabi::names<"out", "n">> ramp;
inline constexpr hanabi::kernel<"faults", "wait_for", void(const int*), hanabi::names<"flag">> wait_for;
inline constexpr hanabi::kernel<"faults", "reverse", void(int*), hanabi::names<"data">> reverse;
inline constexpr hanabi::kernel<"faults", "part_ways", void(int*, int), hanabi::names<"out", "n">> part_ways;
inline constexpr hanabi::kernel<"faults", "tell_negative", void(const int*, int), hanabi::names<"values", "n">> tell_negative;
inline constexpr hanabi::kernel<"faults", "count_positive", void(const int*, int*, int), hanabi::names<"values", "count", "n">>
    count_positive;

/// Whether a text is what is expected, in which * stands for the digits of an address or of another number that differs from
/// run to run.
bool is_like(std::string_view text, std::string_view expected) {
    for (;;) {
        const std::size_t star = expected.find('*');
        if (star == std::string_view::npos) return text == expected;
        if (!text.starts_with(expected.substr(0, star))) return false;
        text.remove_prefix(star);
        text.remove_prefix(std::min(text.find_first_not_of("0123456789abcdef"), text.size()));
        expected.remove_prefix(star + 1);
    }
}

struct fixture : hanabi::test::ptx_fixture {
    hanabi::registry modules = hanabi::registry::load(device(), {{"faults", hanabi_modules::faults_ptx}});
    hanabi::dispatcher<> run{modules};
};

BOOST_FIXTURE_TEST_SUITE(kernel_faults, fixture)

// tag::out_of_bounds[]
BOOST_AUTO_TEST_CASE(a_write_past_the_end) {
    hanabi::buffer<int> out{device(), 100};
    run(ramp[over(100) | block(128)](out, 100));
    BOOST_CHECK_EXCEPTION(run.synchronize(), hanabi::error,
                          [](const hanabi::error& e) { return e.code() == hanabi::driver::status::illegal_address; });
    BOOST_TEST(is_like(take_fault(), "Illegal address: a write of 4 bytes: address 0x* is 0 bytes past the end of the 400-byte buffer at "
                                     "0x* (allocation *, cuMemAllocAsync); in faults::ramp, line 50 of the PTX (faults.cu:12), "
                                     "thread (100,0,0) of block (0,0,0)"));
}
// end::out_of_bounds[]

BOOST_AUTO_TEST_CASE(a_pointer_that_is_kept_too_long) {
    hanabi::device_ptr<int> kept;
    {
        hanabi::buffer<int> out{device(), 100};
        kept = out.data();
    }
    run(ramp[over(99) | block(128)](kept, 99));
    BOOST_CHECK_THROW(run.synchronize(), hanabi::error);
    const std::string fault = take_fault();
    BOOST_TEST(fault.find("points into freed memory: the 400-byte buffer") != std::string::npos, fault);
}

// tag::race[]
BOOST_AUTO_TEST_CASE(a_race_between_threads) {
    hanabi::host::ptx_options options = hanabi::host::current_ptx_options();
    options.racecheck = true;
    hanabi::host::set_ptx_options(options);

    auto data = hanabi::buffer<int>::of(device(), std::vector<int>(64));
    run(reverse[grid(1) | block(64)](data));
    BOOST_CHECK_THROW(run.synchronize(), hanabi::error);
    BOOST_TEST(take_fault() == "A race: a write of 4 bytes at offset 128 of shared memory and a read of 4 bytes in line 108 of the PTX "
                               "(faults.cu:28) by thread (31,0,0) of block (0,0,0) are in no order: no barrier, warp operation or atomic "
                               "operation is between them; in faults::reverse, line 102 of the PTX (faults.cu:26), thread (32,0,0) of "
                               "block (0,0,0)");
}
// end::race[]

// tag::unwritten[]
BOOST_AUTO_TEST_CASE(a_counter_that_nobody_cleared) {
    const auto values = hanabi::buffer<int>::of(device(), std::vector<int>{1, -2, 3});
    hanabi::buffer<int> count{device(), 1}; // count.fill(0) is missing here
    run(count_positive[over(3)](values, count, 3));
    BOOST_CHECK_THROW(run.synchronize(), hanabi::error);
    BOOST_TEST(is_like(take_fault(), "Uninitialised value: an atomic operation on offset 0 of the 4-byte buffer at 0x* (allocation *, "
                                     "cuMemAllocAsync), which nothing has written; in faults::count_positive, line 262 of the PTX "
                                     "(device_atomic_functions.hpp:107, inlined at faults.cu:53), thread (0,0,0) of block (0,0,0)"));
}
// end::unwritten[]

// tag::barrier[]
BOOST_AUTO_TEST_CASE(a_barrier_in_two_places) {
    hanabi::host::ptx_options options = hanabi::host::current_ptx_options();
    options.sticky = false; // a fault ends its launch, and no more
    hanabi::host::set_ptx_options(options);

    hanabi::buffer<int> out{device(), 64};
    run(part_ways[grid(1) | block(64)](out, 16));
    run.synchronize(); // does not throw
    BOOST_TEST(take_fault() == "A divergent barrier: lanes of one warp wait at barrier 0 in different places, lines 149 and 144; in "
                               "faults::part_ways, line 149 of the PTX (faults.cu:38), thread (0,0,0) of block (0,0,0)");

    run(part_ways[grid(1) | block(64)](out, 32)); // whole warps may take different ways
    BOOST_TEST(out.to_vector()[63] == 2);
}
// end::barrier[]

// tag::endless[]
BOOST_AUTO_TEST_CASE(a_loop_without_end) {
    hanabi::host::ptx_options options = hanabi::host::current_ptx_options();
    options.instruction_budget = 100'000; // of each warp; else some minutes' worth
    hanabi::host::set_ptx_options(options);

    hanabi::buffer<int> flag{device(), 1};
    flag.fill(0);
    run(wait_for[grid(1) | block(1)](flag));
    BOOST_CHECK_EXCEPTION(run.synchronize(), hanabi::error,
                          [](const hanabi::error& e) { return e.code() == hanabi::driver::status::launch_timeout; });
    BOOST_TEST(take_fault() == "The budget of 100000 instructions of a warp is used up: an endless loop?; in faults::wait_for, line 75 of "
                               "the PTX (faults.cu:18), thread (0,0,0) of block (0,0,0)");
}
// end::endless[]

// tag::print[]
std::string printed;

BOOST_AUTO_TEST_CASE(what_a_kernel_prints) {
    hanabi::host::ptx_options options = hanabi::host::current_ptx_options();
    options.print = [](const char* text, std::size_t length) { printed.append(text, length); }; // else the standard output
    hanabi::host::set_ptx_options(options);

    const auto values = hanabi::buffer<int>::of(device(), std::vector<int>{1, -2, 3});
    run(tell_negative[over(3)](values, 3));
    run.synchronize();
    BOOST_TEST(printed == "values[1] is -2\n");
}
// end::print[]

BOOST_AUTO_TEST_SUITE_END()
