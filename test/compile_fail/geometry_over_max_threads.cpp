// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// More threads than the contract allows.

// expect-first: geometry_does_not_fit
// expect-first: {"scal"}
// expect-first: because::the_block_has_more_threads_than_max_threads
// expect-first: max_threads<256
// expect-first: block_constants<512, 1, 1>
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::max_threads<256>> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[over(n) | block(256_c)](2.0f, x, n));
#else
    run(scal[over(n) | block(512_c)](2.0f, x, n));
#endif
}
