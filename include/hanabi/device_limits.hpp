// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a device can do: its compute capability and the limits that launches, buffers and tensor maps are checked
/// against.

#ifndef HANABI_DEVICE_LIMITS_HPP
#define HANABI_DEVICE_LIMITS_HPP

#include <hanabi/config.hpp>

namespace hanabi {

/// A device's compute capability: 9.0 is {9, 0}.
struct compute_capability {
    int major = 0;
    int minor = 0;

    friend constexpr bool operator==(compute_capability, compute_capability) = default;
    friend constexpr bool operator<(compute_capability a, compute_capability b) noexcept {
        return a.major != b.major ? a.major < b.major : a.minor < b.minor;
    }
    friend constexpr bool operator>(compute_capability a, compute_capability b) noexcept { return b < a; }
    friend constexpr bool operator<=(compute_capability a, compute_capability b) noexcept { return !(b < a); }
    friend constexpr bool operator>=(compute_capability a, compute_capability b) noexcept { return !(a < b); }
};

/// Limits of one device, from cuDeviceGetAttribute, read once when its context is made. What a driver is too old to know
/// of is 0 or false. Sizes are in bytes.
struct device_limits {
    unsigned max_grid[3] = {};          ///< blocks along x, y, z
    unsigned max_block[3] = {};         ///< threads of a block along x, y, z
    unsigned max_threads_per_block = 0; ///< x * y * z
    unsigned warp_size = 0;
    unsigned shared_per_block = 0;          ///< static and dynamic together, with no opt-in: 48 KiB everywhere so far
    unsigned shared_per_block_optin = 0;    ///< the same, by opt-in; shared_per_block where there is none
    unsigned reserved_shared_per_block = 0; ///< of each block's shared memory, for the driver's use; not part of the two above
    unsigned shared_per_multiprocessor = 0;
    unsigned max_registers_per_block = 0;
    unsigned max_registers_per_multiprocessor = 0;
    unsigned max_threads_per_multiprocessor = 0;
    unsigned max_blocks_per_multiprocessor = 0;
    unsigned multiprocessors = 0;
    unsigned l2_cache_size = 0;
    unsigned max_persisting_l2_cache_size = 0;  ///< that an access-policy window may set aside
    unsigned max_access_policy_window_size = 0; ///< bytes of one access-policy window
    unsigned mem_sync_domains = 0;
    bool cooperative_launch = false;
    bool cluster_launch = false;
    bool memory_pools = false; ///< stream-ordered allocation
    bool tensor_maps = false;
    bool unified_addressing = false;
    bool stream_priorities = false;
};

} // namespace hanabi

#endif
