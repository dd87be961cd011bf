// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The descriptors of the kernels in example/kernels: one line each, shared by whoever launches them.

#ifndef HANABI_EXAMPLE_KERNELS_HPP
#define HANABI_EXAMPLE_KERNELS_HPP

#include <hanabi/hanabi.hpp>
#include <hanabi/interop/hana.hpp>

#include <boost/hana/define_struct.hpp>

// tag::descriptors[]
inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"blas", hanabi::cxx("la::scal"), void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;
inline constexpr hanabi::kernel<"blas", "sum_blocks", void(const float*, double*, unsigned), hanabi::names<"x", "partial", "n">,
                                hanabi::required_threads<256>>
    sum_blocks;
// end::descriptors[]

inline constexpr hanabi::kernel<"stencil", "blur_small", void(const float*, float*, int, int),
                                hanabi::names<"in", "out", "width", "height">, hanabi::required_threads<16, 16>>
    blur_small;
inline constexpr hanabi::kernel<"stencil", "blur_large", void(const float*, float*, int, int),
                                hanabi::names<"in", "out", "width", "height">>
    blur_large;

// tag::structs[]
struct particle {
    float x, y, vx, vy;
    int kind;
};

// A Boost.Hana Struct, so that messages and traces can show its fields.
struct step {
    BOOST_HANA_DEFINE_STRUCT(step, (float, dt), (float, gravity), (int, count));
};

inline constexpr hanabi::kernel<"particles", "advance", void(particle*, step), hanabi::names<"particles", "step">> advance;
inline constexpr hanabi::global<"particles", hanabi::cxx("physics::drag"), float[4]> drag;
// end::structs[]

// tag::solver[]
inline constexpr hanabi::kernel<"solver", "laplacian", void(const float*, float*, int, int), hanabi::names<"in", "out", "width", "height">>
    laplacian;
inline constexpr hanabi::kernel<"solver", "dot", void(const float*, const float*, double*, int), hanabi::names<"a", "b", "result", "n">,
                                hanabi::required_threads<256>>
    dot;
inline constexpr hanabi::kernel<"solver", "add_ratio", void(const double*, const double*, float, const float*, float*, int),
                                hanabi::names<"numerator", "denominator", "sign", "v", "y", "n">>
    add_ratio;
inline constexpr hanabi::kernel<"solver", "turn", void(const double*, const double*, const float*, float*, int),
                                hanabi::names<"numerator", "denominator", "r", "p", "n">>
    turn;
// end::solver[]

#endif
