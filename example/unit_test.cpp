// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Unit tests of code that launches kernels, for any machine: what it computes, by the very kernels that ship; what it launched,
/// with which arguments; and what happens when the driver fails. No GPU, no CUDA toolkit.

#define BOOST_TEST_MODULE unit_test
#include <boost/test/included/unit_test.hpp> // or <boost/test/unit_test.hpp>, and link boost_unit_test_framework

#include "kernels.hpp"

#include <hanabi_modules/blas_ptx.hpp>

#include <hanabi/test.hpp>
#include <hanabi/test/ptx_fixture.hpp>

#include <cstddef>
#include <stdexcept>
#include <system_error>
#include <vector>

using namespace hanabi::literals;
using namespace hanabi::test; // any, was_launched, ...
using hanabi::over;

// ---- What a program has: code that launches kernels; their descriptors are in kernels.hpp ---------------------------------

// tag::code[]
/// y = alpha * x + beta * y, in as few launches as it takes.
void axpby(const hanabi::dispatcher<>& run, float alpha, const hanabi::buffer<float>& x, float beta, hanabi::buffer<float>& y) {
    if (x.size() != y.size()) throw std::invalid_argument{"axpby: x and y differ in size"};
    const int n = hanabi::narrow<int>(y.size());
    if (beta != 1.0f) run(scal[over(n)](beta, y, n));
    if (alpha != 0.0f) run(axpy[over(n)](alpha, x, y, n));
}
// end::code[]

// ---- Its tests, with the kernels themselves ------------------------------------------------------------------------------

// tag::fixture[]
// Every test gets a host driver of its own, and ends with two checks: that no kernel did anything wrong, and that nothing was
// left behind on the device. The module is the one that ships; the host driver executes its PTX.
struct with_kernels : ptx_fixture {
    hanabi::registry modules = hanabi::registry::load(device(), {{"blas", hanabi_modules::blas_ptx}});
    hanabi::dispatcher<> run{modules};
    hanabi::buffer<float> x = hanabi::buffer<float>::of(device(), std::vector<float>{1, 2, 3});
    hanabi::buffer<float> y = hanabi::buffer<float>::of(device(), std::vector<float>{10, 20, 30});
};
// end::fixture[]

BOOST_FIXTURE_TEST_SUITE(with_the_kernels, with_kernels)

// tag::computes[]
BOOST_AUTO_TEST_CASE(computes) {
    modules.require(axpy, scal); // the descriptors fit the module
    axpby(run, 2.0f, x, 0.5f, y);
    BOOST_TEST(y.to_vector() == (std::vector<float>{7, 14, 21}), boost::test_tools::per_element());
    BOOST_TEST(was_launched(scal, 0.5f, y, 3)); // and how it came to that
    BOOST_TEST(was_launched(axpy[over(3)], 2.0f, x, y, 3));
}
// end::computes[]

// Sizes around those of a warp, a block and a grid.
BOOST_AUTO_TEST_CASE(computes_any_number_of_elements) {
    for (const std::size_t n : {1u, 31u, 32u, 33u, 255u, 256u, 257u, 1000u}) {
        auto a = hanabi::buffer<float>::of(device(), std::vector<float>(n, 1.0f));
        auto b = hanabi::buffer<float>::of(device(), std::vector<float>(n, 2.0f));
        axpby(run, 3.0f, a, -1.0f, b);
        BOOST_TEST(b.to_vector() == std::vector<float>(n, 1.0f), boost::test_tools::per_element());
    }
}

// A mistake in the program, not in the kernel: n is not the size of x.
// tag::wrong_size[]
BOOST_AUTO_TEST_CASE(a_wrong_size_does_not_go_unseen) {
    run(axpy[over(4)](2.0f, x, y, 4));
    BOOST_CHECK_THROW(run.synchronize(), hanabi::error); // as on a GPU, if that one notices
    BOOST_TEST(take_fault().starts_with("Illegal address: a read of 4 bytes"));
}
// end::wrong_size[]

BOOST_AUTO_TEST_SUITE_END()

// ---- Its tests, where the kernels don't matter ----------------------------------------------------------------------------

// A module made from the descriptors, whose kernels do nothing. Launches are checked and recorded all the same.
struct without_kernels : registry_fixture<axpy, scal> {
    hanabi::buffer<float> x = hanabi::buffer<float>::of(device(), std::vector<float>{1, 2, 3});
    hanabi::buffer<float> y = hanabi::buffer<float>::of(device(), std::vector<float>{10, 20, 30});
};

BOOST_FIXTURE_TEST_SUITE(without_the_kernels, without_kernels)

// tag::launched[]
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
// end::launched[]

BOOST_AUTO_TEST_CASE(refuses_other_sizes) {
    hanabi::buffer<float> longer{device(), 4};
    BOOST_CHECK_THROW(axpby(run, 1.0f, x, 2.0f, longer), std::invalid_argument);
    BOOST_TEST(launches().empty());
}

// tag::fails[]
BOOST_AUTO_TEST_CASE(passes_failures_on) {
    hanabi::host::fail(hanabi::driver::entry::launch_kernel, hanabi::driver::status::launch_out_of_resources, 2); // the second launch
    BOOST_CHECK_EXCEPTION(axpby(run, 1.0f, x, 2.0f, y), hanabi::error,
                          [](const hanabi::error& e) { return e.code() == hanabi::driver::status::launch_out_of_resources; });
    BOOST_TEST(was_launched(scal));
    BOOST_TEST(never_launched(axpy));
}
// end::fails[]

BOOST_AUTO_TEST_SUITE_END()

// What only a GPU can show is skipped where there is none, with the reason in the log (--log_level=test_suite).
BOOST_AUTO_TEST_CASE(on_a_gpu, *boost::unit_test::precondition(needs_gpu)) {
    const auto gpu = hanabi::context::primary(0, hanabi::driver::cuda());
    BOOST_TEST(gpu.limits().max_threads_per_block >= 1024u);
}
