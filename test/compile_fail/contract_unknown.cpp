// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Something behind the signature that is no contract.

// expect-first: what_follows_the_signature_is_no_contract
// expect-first: {"scale"}
// expect-first: given<int
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(float), hanabi::max_threads<128>> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(float), int> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
