// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A parameter that owns memory.

// expect-first: parameter_cannot_be_passed
// expect-first: {"scale"}, 1, std::
// expect-first: because::it_is_not_trivially_copyable
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

#include <string>

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(const char*, int)> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(std::string, int)> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
