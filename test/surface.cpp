// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The surface as a user writes it, in one program: descriptors, buffers, launches by position and by name, functors,
// sequences, a plan, and a refusal. Runs on the host driver; a plain program, with Boost.Test around it.

#define BOOST_TEST_MODULE surface
#include <boost/test/unit_test.hpp>

#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>

#include <cstdio>
#include <system_error>
#include <type_traits>
#include <vector>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::grid;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"blas", hanabi::cxx("la::scal"), void(float, float*, int)> scal;

static_assert(std::is_empty_v<std::remove_const_t<decltype(axpy)>>);
static_assert(axpy.module_name == "blas" && axpy.symbol == "axpy" && axpy.arity == 4);
static_assert(scal.symbol == "_ZN2la4scalEfPfi");
static_assert(hanabi::accepts_v<decltype(axpy), float, hanabi::buffer<float>&, hanabi::buffer<float>&, int>);
static_assert(!hanabi::accepts_v<decltype(axpy), double, hanabi::buffer<float>&, hanabi::buffer<float>&, int>);
static_assert(!hanabi::accepts_v<decltype(axpy), float, const float*, float*, int>);

constexpr char ptx[] = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry axpy(.param .f32 axpy_param_0, .param .u64 axpy_param_1, .param .u64 axpy_param_2, .param .u32 axpy_param_3) { ret; }
.visible .entry _ZN2la4scalEfPfi(.param .f32 a, .param .u64 x, .param .u32 n) { ret; }
)";

int surface() {
    hanabi::host::define(axpy, [](hanabi::host::thread t, float alpha, const float* x, float* y, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] += alpha * x[i];
    });
    hanabi::host::define(scal, [](hanabi::host::thread t, float alpha, float* x, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) x[i] *= alpha;
    });

    auto device = hanabi::context::host();
    auto blas = hanabi::registry::load(device, {{"blas", ptx}});
    blas.require(axpy, scal);

    const int n = 1000;
    hanabi::buffer<float> x{device, n}, y{device, n};
    x.copy_from(std::vector<float>(n, 1.0f));
    y.copy_from(std::vector<float>(n, 2.0f));

    hanabi::dispatcher run{blas};
    run(axpy[over(n)](2.0f, x, y, n));                                             // y = 4
    run(scal[grid(4) | block(256_c)](0.5f, y, n));                                 // y = 2
    run(axpy[over(n)]("n"_arg = n, "x"_arg = x, "y"_arg = y, "alpha"_arg = 1.0f)); // y = 3
    auto launch_axpy = run[axpy];                                                  // a functor, bound once
    launch_axpy(over(n) | block(128), 2.0f, x, y, n);                              // y = 5

    auto step = scal[over(n)](2.0f, y, n) >> axpy[over(n)]("alpha"_arg, x, y, n);
    run(step.bind("alpha"_arg = 1.0f)); // y = 11
    auto plan = run.plan(step);
    plan("alpha"_arg = -1.0f); // y = 21
    plan.rebind("alpha"_arg = -2.0f);
    plan.replay(); // y = 40
    run.synchronize();

    for (float v : y.to_vector())
        if (v != 40.0f) return std::printf("wrong: %g\n", static_cast<double>(v)), 1;

    std::error_code ec; // the non-throwing twin
    run(axpy[grid(1) | block(2048)](1.0f, x, y, n), ec);
    if (!ec) return std::puts("a block of 2048 was accepted"), 1;
    try {
        run(axpy[grid(1) | block(2048)](1.0f, x, y, n));
        return 1;
    } catch (const hanabi::error& e) {
        std::printf("%s\n", e.what()); // names axpy, the axis, 2048 and 1024
    }
    std::puts("surface: ok");
    return 0;
}

BOOST_AUTO_TEST_CASE(the_program_ends_well) {
    BOOST_TEST(surface() == 0);
    BOOST_TEST(hanabi::context::release(0, hanabi::driver::host()));
    BOOST_TEST(hanabi::host::balance().is_zero());
}
