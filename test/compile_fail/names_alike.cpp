// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A call by name of a kernel that has one name for two parameters.

// expect-first: contracts_are_wrong
// expect-first: {"copy"}
// expect-first: two_parameters_have_one_name
// lines: gcc 11 clang 20

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"memory", "copy", void(const float*, float*), hanabi::names<"x", "y">> copy;
#else
inline constexpr hanabi::kernel<"memory", "copy", void(const float*, float*), hanabi::names<"x", "x">> copy;
#endif

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(copy[over(n)]("x"_arg = x, "y"_arg = x));
#else
    run(copy[over(n)]("x"_arg = x, "y"_arg = x));
#endif
}
