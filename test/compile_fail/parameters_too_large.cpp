// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// More bytes of parameters than any kernel takes.

// expect-first: parameter_cannot_be_passed
// expect-first: {"scale"}, 2, table
// expect-first: because::the_parameters_are_larger_than_32764_bytes
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

struct table {
    float values[8191];
};

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(int, const table*)> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(int, table)> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
