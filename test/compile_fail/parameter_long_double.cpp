// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A parameter that is shorter on the device.

// expect-first: parameter_cannot_be_passed
// expect-first: {"scale"}, 1, long double
// expect-first: because::long_double_is_shorter_on_the_device
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(double)> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(long double)> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
