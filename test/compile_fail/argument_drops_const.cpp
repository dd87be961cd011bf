// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Read-only memory for a pointer that is written through.

// expect-first: argument_does_not_fit
// expect-first: {"axpy"}, 3,
// expect-first: {"y"}
// expect-first: expected<float
// expect-first: given<hanabi::device_ptr<const float>
// expect-first: because::it_drops_const
// lines: gcc 12 clang 17

#include <hanabi/kernel.hpp>

using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

void launch(hanabi::device_ptr<const float> x, hanabi::device_ptr<float> y, int n);
void launch(hanabi::device_ptr<const float> x, hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(axpy[over(n)](2.0f, x, y, n));
#else
    run(axpy[over(n)](2.0f, y, x, n));
#endif
}
