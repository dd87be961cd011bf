// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A test that names a parameter which the kernel does not have.

// expect-first: no_parameter_of_that_name
// expect-first: {"axpy"}
// expect-first: {"beta"}
// lines: gcc 20 clang 30

#if !defined(HANABI_HOST_SEPARATE)
#define HANABI_HOST_SEPARATE // the driver itself is not looked at here
#endif
#include <hanabi/test/launch_pattern.hpp>

using namespace hanabi::literals;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

hanabi::test::launch_pattern expected(int n);
hanabi::test::launch_pattern expected(int n) {
    using hanabi::test::any;
#ifdef HANABI_REPAIRED
    return hanabi::test::a_launch_of(axpy, "n"_arg = n, "alpha"_arg = any);
#else
    return hanabi::test::a_launch_of(axpy, "n"_arg = n, "beta"_arg = any);
#endif
}
