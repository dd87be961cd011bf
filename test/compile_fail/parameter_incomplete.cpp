// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A parameter of a type that is only declared.

// expect-first: parameter_cannot_be_passed
// expect-first: {"scale"}, 1, later
// expect-first: because::it_is_not_complete
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

struct later;

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(later*)> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(later)> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
