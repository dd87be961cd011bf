// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A plan is given a value for a placeholder that its expression does not have.

// expect-first: no_parameter_of_that_name
// expect-first: {"plan"}
// expect-first: {"beta"}
// lines: gcc 12 clang 20

#include <hanabi/plan.hpp>

using namespace hanabi::literals;

void replay(hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"n", int>>& plan);
void replay(hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"n", int>>& plan) {
#ifdef HANABI_REPAIRED
    plan("alpha"_arg = 2.0f, "n"_arg = 5);
#else
    plan("alpha"_arg = 2.0f, "n"_arg = 5, "beta"_arg = 1.0f);
#endif
}
