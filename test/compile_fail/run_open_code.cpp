// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// An expression run with an argument still open, by the twin that does not throw.

// expect-first: argument_is_not_bound
// expect-first: {"scal"}
// expect-first: {"a"}
// lines: gcc 11 clang 20

#include <hanabi/dispatcher.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

void launch(const hanabi::dispatcher<>& run, hanabi::device_ptr<float> x, int n, std::error_code& code);
void launch(const hanabi::dispatcher<>& run, hanabi::device_ptr<float> x, int n, std::error_code& code) {
    const auto step = scal[over(n)]("a"_arg, x, n);
#ifdef HANABI_REPAIRED
    run(step.bind("a"_arg = 2.0f), code);
#else
    run(step, code);
#endif
}
