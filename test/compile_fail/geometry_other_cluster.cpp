// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A cluster that is not the contract's.

// expect-first: geometry_does_not_fit
// expect-first: {"scal"}
// expect-first: because::the_cluster_is_not_the_one_of_the_contract
// expect-first: cluster_size<2
// expect-first: cluster_constants<4, 1, 1>
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::grid;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::cluster_size<2>> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[grid(8) | block(64) | hanabi::cluster(2_c)](2.0f, x, n));
#else
    run(scal[grid(8) | block(64) | hanabi::cluster(4_c)](2.0f, x, n));
#endif
}
