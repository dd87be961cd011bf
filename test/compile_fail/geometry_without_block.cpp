// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A grid without a block.

// expect-first: geometry_does_not_fit
// expect-first: {"scal"}
// expect-first: because::a_grid_needs_a_block
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

using hanabi::block;
using hanabi::grid;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int)> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[grid(8) | block(128)](2.0f, x, n));
#else
    run(scal[grid(8)](2.0f, x, n));
#endif
}
