// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How many blocks fit on a multiprocessor: a model from the device's limits.

#ifndef HANABI_HOST_OCCUPANCY_HPP
#define HANABI_HOST_OCCUPANCY_HPP

#include <hanabi/host/config.hpp>
#include <hanabi/host/object.hpp>

#include <algorithm>
#include <cstddef>

namespace hanabi::host::detail {

/// Registers of a thread where they are not known: what many a kernel takes.
inline int registers_of(const kernel_facts& kernel) noexcept { return kernel.registers != 0 ? kernel.registers : 32; }

/// Blocks of `threads` threads that one multiprocessor holds at once; 0 when it holds none.
inline int resident_blocks(const device_config& d, const kernel_facts& kernel, int threads, std::size_t dynamic_shared) noexcept {
    if (threads <= 0 || threads > d.max_threads_per_block) return 0;
    if (kernel.max_threads != 0 && static_cast<std::uint64_t>(threads) > kernel.max_threads) return 0;
    const int whole_warps = (threads + d.warp_size - 1) / d.warp_size * d.warp_size;
    int blocks = std::min(d.max_blocks_per_multiprocessor, d.max_threads_per_multiprocessor / whole_warps);
    // Registers are given out by warps, in pieces of 256.
    const int of_warp = (registers_of(kernel) * d.warp_size + 255) / 256 * 256;
    if (of_warp > 0) blocks = std::min(blocks, d.registers_per_multiprocessor / of_warp / (whole_warps / d.warp_size));
    const std::size_t shared = kernel.static_shared + dynamic_shared;
    if (shared > static_cast<std::size_t>(d.shared_memory_per_block_optin)) return 0;
    const std::size_t of_block = shared + static_cast<std::size_t>(d.reserved_shared_memory_per_block);
    if (of_block != 0)
        blocks = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(blocks),
                                                        static_cast<std::size_t>(d.shared_memory_per_multiprocessor) / of_block));
    return blocks;
}

} // namespace hanabi::host::detail

#endif
