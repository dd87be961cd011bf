// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A kernel called like a function.

// expect-first: geometry_is_missing
// expect-first: {"axpy"}
// expect-first: because::it_comes_in_brackets_before_the_arguments
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int)> axpy;

void launch(hanabi::device_ptr<const float> x, hanabi::device_ptr<float> y, int n);
void launch(hanabi::device_ptr<const float> x, hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(axpy[over(n)](2.0f, x, y, n));
#else
    run(axpy(2.0f, x, y, n));
#endif
}
