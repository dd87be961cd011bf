// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One placeholder for parameters of two types.

// expect-first: placeholder_has_two_types
// expect-first: {"a"}
// expect-first: expected<float
// expect-first: given<int
// lines: gcc 11 clang 18

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

void launch(hanabi::device_ptr<float> x);
void launch(hanabi::device_ptr<float> x) {
#ifdef HANABI_REPAIRED
    run(axpy[over(1)]("a"_arg, x, x, "n"_arg));
#else
    run(axpy[over(1)]("a"_arg, x, x, "a"_arg));
#endif
}
