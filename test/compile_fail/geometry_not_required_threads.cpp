// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A block that is not the required one.

// expect-first: geometry_does_not_fit
// expect-first: {"scal"}
// expect-first: because::the_block_is_not_the_required_one
// expect-first: required_threads<16, 8
// expect-first: block_constants<8, 16, 1>
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::required_threads<16, 8>> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[over(n, n) | block(16_c, 8_c)](2.0f, x, n));
#else
    run(scal[over(n, n) | block(8_c, 16_c)](2.0f, x, n));
#endif
}
