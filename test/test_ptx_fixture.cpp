// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The fixture of tests that execute PTX: what kernels do wrong is told, and what a test sets is gone with it.

#define BOOST_TEST_MODULE test_ptx_fixture
#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>

#include <hanabi/hanabi.hpp>
#include <hanabi/test.hpp>
#include <hanabi/test/ptx_fixture.hpp>

#include <string>
#include <string_view>
#include <system_error>

using hanabi::over;
using hanabi::test::ptx_fixture;
namespace host = hanabi::host;

namespace {

inline constexpr hanabi::kernel<"m", "trap", void()> trap;
inline constexpr hanabi::kernel<"m", "nothing", void()> nothing;
inline constexpr hanabi::kernel<"m", hanabi::cxx("la::scal"), void(float)> scal;
inline constexpr hanabi::kernel<"m", hanabi::cxx("la::scal"), void(float), hanabi::required_threads<128>> scal_otherwise;

constexpr std::string_view code = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry trap() { trap; }
.visible .entry nothing() { ret; }
.visible .entry _ZN2la4scalEf(.param .f32 alpha) .maxntid 64, 1, 1 { trap; }
)";

struct fixture : ptx_fixture {
    hanabi::registry modules = hanabi::registry::load(device(), {{"m", code}});
    hanabi::dispatcher<> run{modules};
};

void keep_contexts() {
    host::ptx_options options = host::current_ptx_options();
    options.sticky = false;
    host::set_ptx_options(options);
}

boost::unit_test::test_unit_id this_test() { return boost::unit_test::framework::current_test_case().p_id; }
unsigned long failures_of(boost::unit_test::test_unit_id id) { return boost::unit_test::results_collector.results(id).p_assertions_failed; }
boost::unit_test::test_unit_id untaken = 0, lost = 0;

} // namespace

BOOST_FIXTURE_TEST_CASE(a_fault_that_is_taken, fixture) {
    keep_contexts();
    run(trap[over(1)]());
    run.synchronize();
    BOOST_TEST(take_fault() == "The kernel executed trap; in m::trap, line 4 of the PTX, thread (0,0,0) of block (0,0,0)");
    BOOST_TEST(take_fault() == "");
    run(nothing[over(1)]());
    run.synchronize();
}

BOOST_AUTO_TEST_CASE(options_end_with_the_test) {
    BOOST_TEST(host::current_ptx_options().sticky);
    host::ptx_options mine = host::current_ptx_options();
    mine.instruction_budget = 77;
    host::set_ptx_options(mine);
    {
        const fixture f;
        keep_contexts();
        BOOST_TEST(host::current_ptx_options().instruction_budget == 77u); // those before are where a test begins
    }
    BOOST_TEST(host::current_ptx_options().sticky);
    BOOST_TEST(host::current_ptx_options().instruction_budget == 77u);
    host::set_ptx_options({});
}

// Nobody asks, and nobody waits: the test fails all the same, whether the fault broke the context or not.
BOOST_FIXTURE_TEST_CASE(a_fault_that_is_not_taken, fixture, *boost::unit_test::expected_failures(1)) {
    untaken = this_test();
    keep_contexts();
    run(trap[over(1)]());
}
BOOST_FIXTURE_TEST_CASE(a_fault_that_breaks_the_context, fixture, *boost::unit_test::expected_failures(1)) {
    lost = this_test();
    run(trap[over(1)]());
}
BOOST_FIXTURE_TEST_CASE(both_were_told, fixture) {
    BOOST_TEST(take_fault() == ""); // a test starts clean
    BOOST_TEST(failures_of(untaken) == 1u);
    BOOST_TEST(failures_of(lost) == 1u);
}

// A test that an exception ends has one failure, not two.
BOOST_AUTO_TEST_CASE(a_fault_that_ends_the_test) {
    const auto ends = [] {
        fixture f;
        f.run(trap[over(1)]());
        f.run.synchronize();
    };
    BOOST_CHECK_EXCEPTION(ends(), hanabi::error, [](const hanabi::error& e) {
        return std::string_view{e.what()}.find("The kernel executed trap; in m::trap") != std::string_view::npos;
    });
}

// A C++ kernel's name is the linker's, and in words.
BOOST_FIXTURE_TEST_CASE(names_in_messages, fixture) {
    keep_contexts();
    run(scal[over(1) | hanabi::block(64)](2.0f));
    run.synchronize();
    BOOST_TEST(take_fault() ==
               "The kernel executed trap; in m::_ZN2la4scalEf (la::scal(float)), line 6 of the PTX, thread (0,0,0) of block (0,0,0)");
    const auto says = [](const char* what) {
        return [what](const hanabi::error& e) { return std::string_view{e.what()}.find(what) != std::string_view::npos; };
    };
    BOOST_CHECK_EXCEPTION(run(scal[over(1) | hanabi::block(4096)](2.0f)), hanabi::error,
                          says("launching m::_ZN2la4scalEf (la::scal(float)) at "));
    BOOST_CHECK_EXCEPTION(modules.require(scal_otherwise), hanabi::error, says("\n  m::_ZN2la4scalEf (la::scal(float)): "));
}

// The cause comes first, nobody is suspected who did nothing, and a new context is all it takes.
BOOST_AUTO_TEST_CASE(what_a_broken_context_says) {
    ptx_fixture driver;
    driver.allow_leaks(); // nothing can be freed in a broken context
    const std::string expected = "hanabi::dispatcher::synchronize: The kernel executed trap; in m::trap, line 4 of the PTX, thread (0,0,0) "
                                 "of block (0,0,0): met here, "
                                 "not caused here; an earlier operation in this context failed, and what is in it is lost; no restart is "
                                 "needed, but another context "
                                 "(end what was made in it, then hanabi::context::release(0, hanabi::driver::host()) and "
                                 "context::host(0)): CUDA_ERROR_LAUNCH_FAILED (719): a kernel faulted, "
                                 "often by a wild pointer or "
                                 "beyond its shared memory";
    for (int again = 0; again < 2; ++again) {
        {
            const hanabi::context device = hanabi::context::host(0);
            const hanabi::registry modules = hanabi::registry::load(device, {{"m", code}});
            const hanabi::dispatcher run{modules};
            run(nothing[over(1)]());
            run.synchronize();
            run(trap[over(1)]());
            BOOST_CHECK_EXCEPTION(run.synchronize(), hanabi::error, [&](const hanabi::error& e) {
                BOOST_TEST(e.what() == expected);
                return e.code() == hanabi::driver::status::launch_failed;
            });
            BOOST_CHECK_THROW(run(nothing[over(1)]()), hanabi::error); // the context is lost
        }
        BOOST_TEST(hanabi::context::release(0));
    }
    ptx_fixture::take_fault();
}
