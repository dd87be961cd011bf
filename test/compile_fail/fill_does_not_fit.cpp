// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A fill with a value that the elements do not hold.

// expect-first: argument_does_not_fit
// expect-first: {"fill"}
// expect-first: {"value"}
// expect-first: float
// expect-first: double
// lines: gcc 30 clang 40

#include <hanabi/device_span.hpp>
#include <hanabi/expression/fill.hpp>
#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

// In the place of a dispatcher: a refused expression must be no second error there.
template <class Expression>
void run(const Expression&) {}

void compose(hanabi::device_span<float> x);
void compose(hanabi::device_span<float> x) {
#ifdef HANABI_REPAIRED
    run(hanabi::fill(x, 0.1f));
#else
    run(hanabi::fill(x, 0.1));
#endif
}
