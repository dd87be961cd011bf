// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Whether a kernel was executed as its launch had asked.

#ifndef HANABI_PROFILE_MISMATCH_HPP
#define HANABI_PROFILE_MISMATCH_HPP

#include <hanabi/activity/record.hpp>
#include <hanabi/profile/launch_entry.hpp>

#include <cstdint>

namespace hanabi::profile {

/// What was executed otherwise than requested, one bit each.
namespace mismatch {
inline constexpr unsigned grid = 1u << 0;
inline constexpr unsigned block = 1u << 1;
inline constexpr unsigned shared_memory = 1u << 2;
inline constexpr unsigned registers = 1u << 3;
} // namespace mismatch

/// Compares a launch with the record of its kernel: bits of mismatch. What either does not say is taken to agree: blocks that
/// the driver chose (occupancy), zeros in the record. `registers` is how many a thread should use; 0 where that is not known.
inline unsigned compare(const launch_entry& e, const activity_record& r, unsigned registers) noexcept {
    unsigned wrong = 0;
    for (unsigned axis = 0; axis < 3; ++axis) {
        const std::uint64_t grid = e.grid(axis), block = e.block(axis);
        // A kernel compiled for a grid of clusters executes more blocks than it was asked for.
        const std::uint64_t of_clusters = grid * (r.cluster[axis] == 0 ? 1 : r.cluster[axis]);
        if (grid != 0 && r.grid[axis] != 0 && r.grid[axis] != grid && r.grid[axis] != of_clusters) wrong |= mismatch::grid;
        if ((e.terms & term::occupancy) == 0 && block != 0 && r.block[axis] != 0 && r.block[axis] != block) wrong |= mismatch::block;
    }
    if (r.registers != 0) { // a device's record, not one made from the launch
        if (r.dynamic_shared != e.shape.shared) wrong |= mismatch::shared_memory;
        // Devices give a thread 16 registers at least, and CUPTI's record says what was given (seen on an H200).
        if (registers != 0 && registers != r.registers && !(registers < 16 && r.registers == 16)) wrong |= mismatch::registers;
    }
    return wrong;
}

} // namespace hanabi::profile

#endif
