// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A descriptor that the PTX beside it contradicts.

// expect-first: descriptor_does_not_match_the_image
// expect-first: {"axpy"}, hanabi::mismatch::the_parameter_is_of_another_class
// expect-first: parameter_number<3,
// expect-first: {"y"}
// expect-first: declared_bytes<8>
// expect-first: image_has<
// expect-first: {".u64"}, 8>
// lines: gcc 12 clang 14

#include <hanabi/matches.hpp>

constexpr char ptx[] = ".version 8.0\n.target sm_80\n"
                       ".visible .entry axpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }\n";

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
#else
inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, double, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
#endif

static_assert(hanabi::require_match<axpy, ptx>);
