// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A symbol without a name.

// expect-first: module_or_symbol_has_no_usable_name
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(float)> kernel;
#else
inline constexpr hanabi::kernel<"module", "", void(float)> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
