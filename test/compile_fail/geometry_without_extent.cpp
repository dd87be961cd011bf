// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A block without a grid or a number of elements.

// expect-first: geometry_does_not_fit
// expect-first: {"scal"}
// expect-first: because::neither_over_nor_grid_nor_occupancy_says_how_many
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

using hanabi::block;
using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int)> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[over(n) | block(128)](2.0f, x, n));
#else
    run(scal[block(128)](2.0f, x, n));
#endif
}
