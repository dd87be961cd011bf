// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a trace says of a device, for the tools that read it.

#ifndef HANABI_TRACE_DEVICE_PROPERTIES_HPP
#define HANABI_TRACE_DEVICE_PROPERTIES_HPP

#include <hanabi/context.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hanabi::trace {

struct device_properties {
    int ordinal = 0;
    std::string name;
    std::size_t memory = 0; ///< bytes
    compute_capability capability;
    device_limits limits;

    static device_properties of(const context& in) {
        device_properties p;
        p.ordinal = in.ordinal();
        p.name = in.device_name();
        p.capability = in.compute_capability();
        p.limits = in.limits();
        static_cast<void>(in.table().device_total_mem(&p.memory, in.state()->device));
        return p;
    }

    /// Warps of such blocks that a multiprocessor can hold at once, in percent of all it can hold, when the grid gives it so
    /// many; 0 where the limits are not known.
    double occupancy(std::uint64_t blocks, std::uint64_t threads, std::uint64_t registers, std::uint64_t shared) const noexcept {
        if (limits.warp_size == 0 || limits.multiprocessors == 0 || limits.max_threads_per_multiprocessor == 0 || threads == 0) return 0;
        const std::uint64_t warps = (threads + limits.warp_size - 1) / limits.warp_size;
        const std::uint64_t most = limits.max_threads_per_multiprocessor / limits.warp_size;
        std::uint64_t resident = most / warps;
        const auto limit = [&](std::uint64_t by) { resident = by < resident ? by : resident; };
        if (limits.max_blocks_per_multiprocessor != 0) limit(limits.max_blocks_per_multiprocessor);
        if (registers != 0 && limits.max_registers_per_multiprocessor != 0) {
            const std::uint64_t of_warp = (registers * limits.warp_size + 255) / 256 * 256; // given out by 256
            limit(limits.max_registers_per_multiprocessor / (of_warp * warps));
        }
        if (shared != 0 && limits.shared_per_multiprocessor != 0)
            limit(limits.shared_per_multiprocessor / (shared + limits.reserved_shared_per_block));
        limit((blocks + limits.multiprocessors - 1) / limits.multiprocessors);
        return 100.0 * static_cast<double>(resident * warps) / static_cast<double>(most);
    }
};

} // namespace hanabi::trace

#endif
