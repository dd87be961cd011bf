// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A number of threads bound to what counts nothing.

// expect-first: argument_does_not_fit
// expect-first: {"scal"}
// expect-first: {"n"}
// expect-first: double
// expect-first: it_would_lose_values
// lines: gcc 30 clang 40

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

// In the place of a dispatcher: a refused expression must be no second error there.
template <class Expression>
void run(const Expression&) {}

void compose(hanabi::device_ptr<float> x, int n);
void compose(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(scal[over("n"_arg)](2.0f, x, n).bind("n"_arg = n));
#else
    run(scal[over("n"_arg)](2.0f, x, n).bind("n"_arg = 2.5));
#endif
}
