// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A launch that no dispatcher takes.

// expect-first gcc: nothing runs until a dispatcher takes the launch
// expect-first clang: nothing runs until a dispatcher takes the launch
// lines: gcc 16 clang 7

#include <hanabi/kernel.hpp>

using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

#pragma GCC diagnostic error "-Wunused-result"
#pragma GCC diagnostic error "-Wunused-value"

void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n);
void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(axpy[over(n)](2.0f, x, y, n));
#else
    axpy[over(n)](2.0f, x, y, n);
#endif
}
