// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The driver asked for a block where the contract has one.

// expect-first: geometry_does_not_fit
// expect-first: {"scal"}
// expect-first: because::the_kernel_requires_a_block_that_occupancy_may_not_choose
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::required_threads<128>> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[over(n)](2.0f, x, n));
#else
    run(scal[hanabi::occupancy(n)](2.0f, x, n));
#endif
}
