// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A unit test of code that launches kernels, for machines without a GPU, a CUDA toolkit or a PTX file: what was launched,
/// with which arguments; what comes out; and what happens when the driver fails.

#define BOOST_TEST_MODULE unit_test
#include <boost/test/included/unit_test.hpp> // or <boost/test/unit_test.hpp>, and link boost_unit_test_framework

#include <hanabi/hanabi.hpp>
#include <hanabi/test.hpp>

#include <stdexcept>
#include <system_error>
#include <vector>

using namespace hanabi::literals;
using namespace hanabi::test; // any, was_launched, ...
using hanabi::over;

// ---- What a program has: descriptors of its kernels, and code that launches them ------------------------------------------

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

/// y = alpha * x + beta * y, in as few launches as it takes.
void axpby(const hanabi::dispatcher<>& run, float alpha, const hanabi::buffer<float>& x, float beta, hanabi::buffer<float>& y) {
    if (x.size() != y.size()) throw std::invalid_argument{"axpby: x and y differ in size"};
    const int n = hanabi::narrow<int>(y.size());
    if (beta != 1.0f) run(scal[over(n)](beta, y, n));
    if (alpha != 0.0f) run(axpy[over(n)](alpha, x, y, n));
}

// ---- Its tests -------------------------------------------------------------------------------------------------------------

// Every test gets a host driver of its own with a module made from the descriptors, and ends with a check that nothing was
// left behind on the device. The fixture's `run` is a dispatcher; the kernels do nothing until they are given a body.
struct fixture : registry_fixture<axpy, scal> {
    hanabi::buffer<float> x = hanabi::buffer<float>::of(device(), std::vector<float>{1, 2, 3});
    hanabi::buffer<float> y = hanabi::buffer<float>::of(device(), std::vector<float>{10, 20, 30});
};

BOOST_FIXTURE_TEST_SUITE(axpby_suite, fixture)

BOOST_AUTO_TEST_CASE(scales_first_and_adds_then) {
    axpby(run, 2.0f, x, 0.5f, y);
    BOOST_TEST(was_launched_in_order(scal, axpy));
    BOOST_TEST(was_launched(scal, 0.5f, y, 3));
    BOOST_TEST(was_launched(axpy, "alpha"_arg = approximately(2.0, 1e-6), "x"_arg = x, "n"_arg = 3));
    BOOST_TEST(was_launched(axpy[over(3)], any, x, y, any)); // and with this geometry
}

BOOST_AUTO_TEST_CASE(launches_nothing_in_vain) {
    axpby(run, 2.0f, x, 1.0f, y);
    BOOST_TEST(never_launched(scal));
    axpby(run, 0.0f, x, 3.0f, y);
    BOOST_TEST(launched_times(axpy, 1));
    axpby(run, 0.0f, x, 1.0f, y);
    BOOST_TEST(launches().size() == 2u);
    for (const auto& launch : launches(axpy)) BOOST_TEST(launch["n"_arg] == 3);
}

BOOST_AUTO_TEST_CASE(computes) {
    hanabi::host::define(axpy, [](hanabi::host::thread t, float alpha, const float* in, float* out, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) out[i] += alpha * in[i];
    });
    hanabi::host::define(scal, [](hanabi::host::thread t, float alpha, float* values, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) values[i] *= alpha;
    });
    axpby(run, 2.0f, x, 0.5f, y);
    BOOST_TEST(y.to_vector() == (std::vector<float>{7, 14, 21}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(refuses_other_sizes) {
    hanabi::buffer<float> longer{device(), 4};
    BOOST_CHECK_THROW(axpby(run, 1.0f, x, 2.0f, longer), std::invalid_argument);
    BOOST_TEST(launches().empty());
}

BOOST_AUTO_TEST_CASE(passes_failures_on) {
    hanabi::host::fail(hanabi::driver::entry::launch_kernel, hanabi::driver::status::launch_out_of_resources, 2); // the second launch
    BOOST_CHECK_EXCEPTION(axpby(run, 1.0f, x, 2.0f, y), hanabi::error,
                          [](const hanabi::error& e) { return e.code() == hanabi::driver::status::launch_out_of_resources; });
    BOOST_TEST(was_launched(scal));
    BOOST_TEST(never_launched(axpy));
}

BOOST_AUTO_TEST_SUITE_END()

// What only a GPU can show is skipped where there is none, with the reason in the log (--log_level=test_suite).
BOOST_AUTO_TEST_CASE(on_a_gpu, *boost::unit_test::precondition(needs_gpu)) {
    const auto gpu = hanabi::context::primary(0, hanabi::driver::cuda());
    BOOST_TEST(gpu.limits().max_threads_per_block >= 1024u);
}
