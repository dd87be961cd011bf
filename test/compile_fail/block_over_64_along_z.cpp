// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A block of more threads along z than any device takes.

// expect-first: block_is_impossible
// expect-first: block_constants<1, 1, 65>
// expect-first: because::a_block_has_at_most_64_threads_along_z
// lines: gcc 11 clang 16

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
    run(scal[grid(1) | block(1_c, 1_c, 64_c)](2.0f, x, n));
#else
    run(scal[grid(1) | block(1_c, 1_c, 65_c)](2.0f, x, n));
#endif
}
