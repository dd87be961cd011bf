// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A binding of a name that nothing in a sequence has left open.

// expect-first: no_parameter_of_that_name
// expect-first: {"bind"}
// expect-first: {"beta"}
// lines: gcc 11 clang 19

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n);
void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n) {
    const auto step = axpy[over(n)]("alpha"_arg, x, y, n);
#ifdef HANABI_REPAIRED
    run((step >> step).bind("alpha"_arg = 2.0f));
#else
    run((step >> step).bind("beta"_arg = 2.0f));
#endif
}
