// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Shared memory given twice.

// expect-first: geometry_contradicts_itself
// expect-first: because::shared_is_given_twice
// lines: gcc 11 clang 16

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int)> scal;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[over(n) | hanabi::shared<float>(n)](2.0f, x, n));
#else
    run(scal[over(n) | hanabi::shared<float>(n) | hanabi::shared<int>(n)](2.0f, x, n));
#endif
}
