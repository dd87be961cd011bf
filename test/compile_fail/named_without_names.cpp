// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A call by name of a kernel without the names contract.

// expect-first: parameters_have_no_names
// expect-first: {"copy"}
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"memory", "copy", void(const float*, float*, int)> copy;

void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n);
void launch(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(copy[over(n)](x, y, n));
#else
    run(copy[over(n)]("x"_arg = x, "y"_arg = y, "n"_arg = n));
#endif
}
