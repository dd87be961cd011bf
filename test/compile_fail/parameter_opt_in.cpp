// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A copy constructor of one's own, without the opt-in.

// expect-first: parameter_cannot_be_passed
// expect-first: {"scale"}, 1, iterator
// expect-first: because::it_is_not_trivially_copyable
// lines: gcc 10 clang 17

#include <hanabi/kernel.hpp>

struct iterator {
    const float* p;
    iterator(const float* q) : p(q) {}
    iterator(const iterator& other) : p(other.p) {}
};

#ifdef HANABI_REPAIRED
template <>
inline constexpr bool hanabi::passes_bytewise<iterator> = true;
inline constexpr hanabi::kernel<"module", "scale", void(iterator, float*)> kernel;
#else
inline constexpr hanabi::kernel<"module", "scale", void(iterator, float*)> kernel;
#endif

static_assert(kernel.module_name == "module"); // its use is no second error
