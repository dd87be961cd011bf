// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A number of elements with a fraction.

// expect-first: count_does_not_fit
// expect-first: {"over"}, 1,
// expect-first: given<double>
// expect-first: because::a_count_is_an_integer
// lines: gcc 13 clang 20

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int)> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[over(n / 2)](2.0f, x, n));
#else
    run(scal[over(n / 2.0)](2.0f, x, n));
#endif
}
