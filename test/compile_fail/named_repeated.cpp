// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A name given twice.

// expect-first: argument_is_named_twice
// expect-first: {"axpy"}
// expect-first: {"x"}
// lines: gcc 11 clang 20

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n);
void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(axpy[over(n)]("n"_arg = n, "x"_arg = x, "y"_arg = y, "alpha"_arg = 2.0f));
#else
    run(axpy[over(n)]("n"_arg = n, "x"_arg = x, "x"_arg = y, "alpha"_arg = 2.0f));
#endif
}
