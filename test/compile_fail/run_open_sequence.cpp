// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A sequence run with an argument still open.

// expect-first: argument_is_not_bound
// expect-first: {"expression"}
// expect-first: {"a"}
// lines: gcc 22 clang 39

#include <hanabi/dispatcher.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

void launch(const hanabi::dispatcher<>& run, hanabi::device_ptr<float> x, int n);
void launch(const hanabi::dispatcher<>& run, hanabi::device_ptr<float> x, int n) {
    const auto step = scal[over(n)]("a"_arg, x, n);
#ifdef HANABI_REPAIRED
    run((step >> step).bind("a"_arg = 2.0f));
#else
    run(step >> step);
#endif
}
