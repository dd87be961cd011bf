// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The surface in a file that nvcc compiles, device code beside it: descriptors, geometry, named arguments, contracts,
/// functors, host bodies. Compiled, not run: nvcc's front end and the code that it generates are what is tested.

#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>

#include <cstddef>
#include <span>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::cluster;
using hanabi::grid;
using hanabi::over;
using hanabi::shared;

namespace la {
__global__ void scal(float alpha, float* x, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] *= alpha;
}
} // namespace la

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"blas", hanabi::cxx("la::scal"), void(float, float*, int), hanabi::max_threads<256>> scal;

static_assert(axpy.module_name == "blas" && axpy.symbol == "axpy" && axpy.arity == 4);
static_assert(scal.symbol == "_ZN2la4scalEfPfi");
static_assert(hanabi::accepts_v<decltype(axpy), float, hanabi::buffer<float>&, hanabi::buffer<float>&, int>);
static_assert(!hanabi::accepts_v<decltype(axpy), double, hanabi::buffer<float>&, hanabi::buffer<float>&, int>);

void launch(std::span<const std::byte> image);
void launch(std::span<const std::byte> image) {
    hanabi::host::define(axpy, [](hanabi::host::thread t, float alpha, const float* x, float* y, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] += alpha * x[i];
    });
    auto gpu = hanabi::context::any();
    auto blas = hanabi::registry::load(gpu, {{"blas", image}});
    blas.require(axpy, scal);

    constexpr int n = 1000;
    hanabi::buffer<float> x{gpu, n}, y{gpu, n};
    hanabi::dispatcher run{blas};
    run(axpy[over(n)](2.0f, x, y, n));
    run(axpy[over(n)]("n"_arg = n, "x"_arg = x, "y"_arg = y, "alpha"_arg = 2.0f));
    run(scal[grid(8) | block(128_c) | shared<float>(256)](0.5f, y, n));
    const auto step = scal[over(n)](0.5f, y, n) >> axpy[over(n)]("alpha"_arg, x, y, n);
    run(step.bind("alpha"_arg = 3.0f));
    auto bound = run[axpy];
    bound(over(n) | block(128), 2.0f, x, y, n);
    run.synchronize();
}
