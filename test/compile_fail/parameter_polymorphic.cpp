// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A parameter with virtual functions.

// expect-first: parameter_cannot_be_passed
// expect-first: {"scale"}, 2, shape
// expect-first: because::it_is_polymorphic
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

struct plain {
    int sides;
};
struct shape {
    virtual ~shape() = default;
    int sides;
};

#ifdef HANABI_REPAIRED
inline constexpr hanabi::kernel<"module", "scale", void(float*, plain)> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(float*, shape)> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
