// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One name for a number of threads and for a pointer.

// expect-first: placeholder_has_two_types
// expect-first: {"x"}
// expect-first: expected<float
// lines: gcc 30 clang 40

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

// In the place of a dispatcher: a refused expression must be no second error there.
template <class Expression>
void run(const Expression&) {}

void compose(int n);
void compose(int n) {
#ifdef HANABI_REPAIRED
    run(scal[over("n"_arg)](2.0f, "x"_arg, n));
#else
    run(scal[over("x"_arg)](2.0f, "x"_arg, n));
#endif
}
