// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A required block of more threads than the kernel allows.

// expect-first: contracts_are_wrong
// expect-first: {"scale"}
// expect-first: required_threads_are_more_than_max_threads
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(float), hanabi::max_threads<256>, hanabi::required_threads<16, 16>> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(float), hanabi::max_threads<128>, hanabi::required_threads<16, 16>> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
