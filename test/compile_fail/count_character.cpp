// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A character for a number of threads.

// expect-first: count_does_not_fit
// expect-first: {"block"}, 2,
// expect-first: given<char>
// expect-first: because::a_character_is_not_a_count
// lines: gcc 14 clang 23

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
    run(scal[grid(n) | block(8, 8)](2.0f, x, n));
#else
    run(scal[grid(n) | block(8, '8')](2.0f, x, n));
#endif
}
