// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A tolerance for a parameter that is no number.

// expect-first: argument_does_not_fit
// expect-first: {"axpy"}, 2,
// expect-first: {"x"}
// expect-first: given<hanabi::test::approximation<double
// lines: gcc 20 clang 30

#if !defined(HANABI_HOST_SEPARATE)
#define HANABI_HOST_SEPARATE // the driver itself is not looked at here
#endif
#include <hanabi/test/launch_pattern.hpp>

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

hanabi::test::launch_pattern expected(int n);
hanabi::test::launch_pattern expected(int n) {
    using hanabi::test::any;
    using hanabi::test::approximately;
#ifdef HANABI_REPAIRED
    return hanabi::test::a_launch_of(axpy, approximately(2.0, 0.1), any, any, n);
#else
    return hanabi::test::a_launch_of(axpy, any, approximately(2.0, 0.1), any, n);
#endif
}
