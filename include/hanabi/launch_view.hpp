// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What profiling policies see of a launch: one type for every kernel.

#ifndef HANABI_LAUNCH_VIEW_HPP
#define HANABI_LAUNCH_VIEW_HPP

#include <hanabi/driver/table.hpp>
#include <hanabi/geometry.hpp>
#include <hanabi/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace hanabi {

/// A launch about to be made, or just made. Refers to the expression that it is of: copy out what must stay.
struct launch_view {
    const descriptor& kernel;
    const launch_shape& shape; ///< as written; over(...) is in elements
    unsigned terms;            ///< bits of hanabi::term
    driver::stream_handle stream;
    driver::context_handle context; ///< null before the kernel's first launch has bound it
    const std::byte* arguments;     ///< laid out as kernel.parameters says
    /// The node of a plan's graph that the launch is; null for a launch of its own (CUPTI's records tell graph nodes apart).
    driver::graph_node_handle node = nullptr;
    /// What tells the launch from others that are open on its thread: an address of its own. Null: that of the shape. Launches
    /// name another one, since what nobody has the address of can stay in registers, as the shape does then.
    const void* mark = nullptr;

    /// The i-th argument's bytes: kernel.parameters[i].size of them.
    const std::byte* argument(std::size_t i) const noexcept { return arguments + kernel.parameters[i].offset; }
    /// The same for all policies of one launch, and no other launch's while it lasts.
    const void* identity() const noexcept { return mark != nullptr ? mark : &shape; }
    /// Where the geometry was written.
    const std::source_location& site() const noexcept { return shape.site; }
    /// Blocks along an axis (0 is x); 0 where the driver's occupancy query has yet to choose the block.
    std::uint64_t grid(unsigned axis) const noexcept {
        if ((terms & term::occupancy) != 0) return 0;
        if ((terms & term::over) == 0) return shape.extent[axis];
        const std::uint64_t extent = shape.extent[axis], threads = shape.block[axis];
        if (threads == 0 || extent == 0) return 0;
        if (extent <= threads) return 1;
        // Nearly all blocks are powers of two, which is a shift.
        if ((threads & (threads - 1)) == 0) return ((extent - 1) >> __builtin_ctzll(threads)) + 1;
        // A division of 32 bits takes a fraction of the time of one of 64, which hardly any launch needs.
        if ((extent | threads) >> 32 == 0) return (static_cast<std::uint32_t>(extent) - 1) / static_cast<std::uint32_t>(threads) + 1;
        return (extent - 1) / threads + 1;
    }
    /// Threads of a block along an axis.
    std::uint64_t block(unsigned axis) const noexcept { return shape.block[axis]; }
};

} // namespace hanabi

#endif
