// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A cluster of more blocks than any device takes.

// expect-first: cluster_is_impossible
// expect-first: cluster_constants<8, 4, 1>
// expect-first: because::a_cluster_has_at_most_16_blocks
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
    run(scal[grid(8, 4) | block(64) | hanabi::cluster(8_c, 2_c)](2.0f, x, n));
#else
    run(scal[grid(8, 4) | block(64) | hanabi::cluster(8_c, 4_c)](2.0f, x, n));
#endif
}
