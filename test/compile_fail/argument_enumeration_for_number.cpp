// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// An enumerator for a number.

// expect-first: argument_does_not_fit
// expect-first: {"axpy"}, 4,
// expect-first: {"n"}
// expect-first: expected<int
// expect-first: given<color
// expect-first: because::an_enumeration_is_not_a_number
// lines: gcc 12 clang 17

#include <hanabi/kernel.hpp>

using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

enum color { red, green };

void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n);
void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(axpy[over(n)](2.0f, x, y, static_cast<int>(red)));
#else
    run(axpy[over(n)](2.0f, x, y, red));
#endif
}
