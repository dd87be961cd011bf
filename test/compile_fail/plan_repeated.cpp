// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A plan is given two values for one placeholder.

// expect-first: argument_is_named_twice
// expect-first: {"plan"}
// expect-first: {"alpha"}
// lines: gcc 12 clang 20

#include <hanabi/plan.hpp>

using namespace hanabi::literals;

void replay(hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"n", int>>& plan);
void replay(hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"n", int>>& plan) {
#ifdef HANABI_REPAIRED
    plan.rebind("alpha"_arg = 2.0f);
#else
    plan.rebind("alpha"_arg = 2.0f, "alpha"_arg = 3.0f);
#endif
}
