// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One name for two parameters.

// expect-first: contracts_are_wrong
// expect-first: {"scale"}
// expect-first: two_parameters_have_one_name
// lines: gcc 40 clang 40

#include <hanabi/kernel.hpp>

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(float, float*), hanabi::names<"a", "x">> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(float, float*), hanabi::names<"a", "a">> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
