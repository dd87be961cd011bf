// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Two names for three parameters.

// expect-first: wrong_number_of_names
// expect-first: {"scale"}
// expect-first: expected_count<3
// expect-first: given_count<2
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(float, float*, int), hanabi::names<"a", "x", "n">> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(float, float*, int), hanabi::names<"a", "x">> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
