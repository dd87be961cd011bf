// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A pointer to a function where the signature belongs.

// expect-first: a_kernel_has_a_signature_returning_void
// expect-first: {"scale"}
// expect-first: given<void (*)(float)
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(float)> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void (*)(float)> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
