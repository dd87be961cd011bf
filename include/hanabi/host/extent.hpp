// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Extents and indices of three axes.

#ifndef HANABI_HOST_EXTENT_HPP
#define HANABI_HOST_EXTENT_HPP

#include <cstdint>
#include <string>

namespace hanabi::host {

/// Three extents or indices, as CUDA's dim3 and uint3.
struct extent {
    unsigned x = 1, y = 1, z = 1;

    /// All of it. Does not overflow for what a device takes as a grid or a block.
    constexpr std::uint64_t volume() const noexcept { return std::uint64_t{x} * y * z; }
    friend constexpr bool operator==(const extent&, const extent&) = default;
};

/// An index that may pass 32 bits: blocks times threads.
struct wide_index {
    std::uint64_t x = 0, y = 0, z = 0;
    friend constexpr bool operator==(const wide_index&, const wide_index&) = default;
};

/// "(8,1,1)".
inline std::string to_string(extent e) { return "(" + std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z) + ")"; }

} // namespace hanabi::host

#endif
