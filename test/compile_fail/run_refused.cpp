// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A refused launch given to a real dispatcher: one error.

// expect-first: argument_does_not_fit
// expect-first: {"scal"}, 3,
// expect-first: {"n"}
// lines: gcc 15 clang 20

#include <hanabi/dispatcher.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

void launch(const hanabi::dispatcher<>& run, hanabi::device_ptr<float> x, long n);
void launch(const hanabi::dispatcher<>& run, hanabi::device_ptr<float> x, long n) {
#ifdef HANABI_REPAIRED
    run(scal[over(n)](2.0f, x, static_cast<int>(n)));
#else
    run(scal[over(n)](2.0f, x, n));
#endif
}
