// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Kernels that the host driver can't execute, since their module holds machine code alone, get bodies in C++: checked against
/// the same descriptors, launched by the same calls.

#define BOOST_TEST_MODULE bodies
#include <boost/test/included/unit_test.hpp>

#include "kernels.hpp"

#include <hanabi_modules/blas_cubin.hpp>

#include <hanabi/test.hpp>
#include <hanabi/test/ptx_fixture.hpp>

#include <string>
#include <vector>

using hanabi::grid;
using hanabi::over;

struct fixture : hanabi::test::ptx_fixture {
    hanabi::registry modules = hanabi::registry::load(device(), {{"blas", hanabi_modules::blas_cubin}});
    hanabi::dispatcher<> run{modules};
};

BOOST_FIXTURE_TEST_SUITE(machine_code, fixture)

// What there is to know about a kernel is known from machine code, too.
BOOST_AUTO_TEST_CASE(is_verified) {
    BOOST_CHECK_NO_THROW(modules.require(axpy, scal, sum_blocks));
    static constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, long)> with_a_long;
    BOOST_CHECK_THROW(modules.require(with_a_long), hanabi::error);
}

BOOST_AUTO_TEST_CASE(is_not_executed) {
    hanabi::buffer<float> x{device(), 3};
    const auto says_why = [](const hanabi::error& e) {
        return e.code() == hanabi::driver::status::not_supported &&
               std::string{e.what()}.find("host::define one; the image holds sm_90 cubin, of which nothing can be executed without a GPU: "
                                          "embed readable PTX for a target up to compute_90 too") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(run(scal[over(3)](2.0f, x, 3)), hanabi::error, says_why);
}

// tag::define[]
BOOST_AUTO_TEST_CASE(a_body_for_each_thread) {
    hanabi::host::define(axpy, [](hanabi::host::thread t, float alpha, const float* x, float* y, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] += alpha * x[i];
    });
    auto x = hanabi::buffer<float>::of(device(), std::vector<float>{1, 2, 3});
    auto y = hanabi::buffer<float>::of(device(), std::vector<float>{10, 20, 30});
    run(axpy[over(3)](2.0f, x, y, 3));
    BOOST_TEST(y.to_vector() == (std::vector<float>{12, 24, 36}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_body_for_each_block) { // in phases that a barrier parts
    hanabi::host::define(sum_blocks, [](hanabi::host::block& b, const float* x, double* partial, unsigned n) {
        const auto part = b.static_shared<double, 256>();
        b.for_each_thread(
            [&](hanabi::host::thread t) { part[t.rank()] = t.global_index().x < n ? static_cast<double>(x[t.global_index().x]) : 0.0; });
        for (unsigned s = 128; s != 0; s /= 2)
            b.for_each_thread([&](hanabi::host::thread t) {
                if (t.rank() < s) part[t.rank()] += part[t.rank() + s];
            });
        partial[b.index().x] = part[0];
    });
    auto x = hanabi::buffer<float>::of(device(), std::vector<float>(300, 0.5f));
    hanabi::buffer<double> partial{device(), 2};
    run(sum_blocks[grid(2)](x, partial, 300u));
    BOOST_TEST(partial.to_vector() == (std::vector<double>{128, 22}), boost::test_tools::per_element());
}
// end::define[]

BOOST_AUTO_TEST_SUITE_END()
