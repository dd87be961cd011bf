// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A geometry without arguments.

// expect-first: geometry is followed by its arguments
// lines: gcc 15 clang 7

#include <hanabi/kernel.hpp>

using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

#pragma GCC diagnostic error "-Wunused-result"
#pragma GCC diagnostic error "-Wunused-value"

void launch([[maybe_unused]] hanabi::device_ptr<float> x, [[maybe_unused]] hanabi::device_ptr<float> y, int n);
void launch([[maybe_unused]] hanabi::device_ptr<float> x, [[maybe_unused]] hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(axpy[over(n)](2.0f, x, y, n));
#else
    axpy[over(n)];
#endif
}
