// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A plan is given a value that would lose something in its placeholder's type.

// expect-first: argument_does_not_fit
// expect-first: {"plan"}
// expect-first: {"alpha"}
// expect-first: expected<float>
// expect-first: given<double>
// expect-first: it_would_lose_values
// lines: gcc 12 clang 20

#include <hanabi/plan.hpp>

using namespace hanabi::literals;

void replay(hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"n", int>>& plan);
void replay(hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"n", int>>& plan) {
#ifdef HANABI_REPAIRED
    plan.rebind("alpha"_arg = 2.0f);
#else
    plan.rebind("alpha"_arg = 2.0);
#endif
}
