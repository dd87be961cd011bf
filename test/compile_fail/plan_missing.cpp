// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A plan is called without a value for one of its placeholders.

// expect-first: plan_argument_is_missing
// expect-first: {"n"}
// expect-first: expected<int>
// lines: gcc 12 clang 20

#include <hanabi/plan.hpp>

using namespace hanabi::literals;

void replay(hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"n", int>>& plan);
void replay(hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"n", int>>& plan) {
#ifdef HANABI_REPAIRED
    plan.rebind("alpha"_arg = 2.0f);
#else
    plan("alpha"_arg = 2.0f);
#endif
}
