// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Descriptors that the build checks against modules, and one that is wrong.

#ifndef HANABI_TEST_VERIFIED_KERNELS_HPP
#define HANABI_TEST_VERIFIED_KERNELS_HPP

#include <hanabi/kernel.hpp>

inline constexpr hanabi::kernel<"fallback", "scale", void(float*)> scale;
namespace wrong {
inline constexpr hanabi::kernel<"fallback", "scale", void(float*, int)> scale;
inline constexpr hanabi::kernel<"fallback", hanabi::cxx("scale"), void(float*)> mangled;
} // namespace wrong
namespace own {
inline constexpr hanabi::kernel<"prebuilt", "nothing", void()> nothing;
}

#endif
