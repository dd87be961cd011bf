// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A test that expects an argument no launch could have had: the error is the launch's.

// expect-first: argument_does_not_fit
// expect-first: {"axpy"}, 1,
// expect-first: {"alpha"}
// expect-first: expected<float
// expect-first: given<double
// expect-first: because::it_would_lose_values
// lines: gcc 20 clang 30

#if !defined(HANABI_HOST_SEPARATE)
#define HANABI_HOST_SEPARATE // the driver itself is not looked at here
#endif
#include <hanabi/test/launch_pattern.hpp>

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

hanabi::test::launch_pattern expected(int n);
hanabi::test::launch_pattern expected(int n) {
    using hanabi::test::any;
#ifdef HANABI_REPAIRED
    return hanabi::test::a_launch_of(axpy, 2.0f, any, any, n);
#else
    return hanabi::test::a_launch_of(axpy, 2.0, any, any, n);
#endif
}
