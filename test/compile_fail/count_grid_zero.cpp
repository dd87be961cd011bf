// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A grid of no blocks, known to the compiler.

// expect-first: count_does_not_fit
// expect-first: {"grid"}, 2,
// expect-first: given<std::integral_constant<int, 0>
// expect-first: because::there_is_at_least_one_along_each_axis
// lines: gcc 14 clang 23

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::grid;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int)> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[grid(8, 1_c) | block(1_c)](2.0f, x, n));
#else
    run(scal[grid(8, 0_c) | block(1_c)](2.0f, x, n));
#endif
}
