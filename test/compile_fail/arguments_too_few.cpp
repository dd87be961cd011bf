// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Four arguments for five parameters.

// expect-first: wrong_number_of_arguments
// expect-first: {"transpose"}
// expect-first: expected_count<5
// expect-first: given_count<4
// lines: gcc 9 clang 14

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"matrices", "transpose", void(float*, const float*, int, int, int)> transpose;

void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n);
void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(transpose[over(n)](x, y, n, n, n));
#else
    run(transpose[over(n)](x, y, n, n));
#endif
}
