// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A fourth axis.

// expect-first: count_does_not_fit
// expect-first: {"grid"}, 4,
// expect-first: given<int>
// expect-first: because::the_number_of_counts_is_wrong
// lines: gcc 15 clang 25

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
    run(scal[grid(n, 1, 1) | block(8)](2.0f, x, n));
#else
    run(scal[grid(n, 1, 1, 1) | block(8)](2.0f, x, n));
#endif
}
