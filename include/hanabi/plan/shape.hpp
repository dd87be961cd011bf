// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// From the counts of a planned launch to what the driver is told: checked as a launch of its own is.

#ifndef HANABI_PLAN_SHAPE_HPP
#define HANABI_PLAN_SHAPE_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/launch_check.hpp>
#include <hanabi/error.hpp>
#include <hanabi/plan/program.hpp>

#include <cstdint>

namespace hanabi::detail {

/// Checks a launch with the counts it has, and sets what the driver is to be told: extents, and whether the node is idle. A
/// launch of nothing keeps a small grid that the driver takes, for its node is only disabled.
template <class = void>
HANABI_COLD bool shape_launch(launch_step& l, failure& f) {
    const launch_request r = program::request(l);
    bool nothing = l.open_counts != 0;
    if (!nothing && !check_elements(r, nothing, f)) return false;
    launch_extents e{{1, 1, 1}, {1, 1, 1}};
    if (nothing) {
        const unsigned(&contract)[3] = l.kernel->contracts->cluster;
        const bool given = (l.terms & term::cluster) != 0;
        for (int i = 0; i < 3; ++i) {
            const std::uint64_t cluster = given ? l.shape.cluster[i] : contract[0] != 0 ? contract[i] : l.bound->required_cluster[i];
            if (cluster != 0 && !l.bound->blocks_are_clusters) e.grid[i] = cluster;
            if (l.kernel->contracts->has_required_threads()) e.block[i] = l.kernel->contracts->required[i];
            if (l.bound->required_block[0] != 0) e.block[i] = l.bound->required_block[i];
        }
    } else if (!l.bound->owner->check(*l.bound, r, e, f))
        return false;
    driver::kernel_node_params& p = l.params;
    p.grid_x = static_cast<unsigned>(e.grid[0]);
    p.grid_y = static_cast<unsigned>(e.grid[1]);
    p.grid_z = static_cast<unsigned>(e.grid[2]);
    p.block_x = static_cast<unsigned>(e.block[0]);
    p.block_y = static_cast<unsigned>(e.block[1]);
    p.block_z = static_cast<unsigned>(e.block[2]);
    p.shared_bytes = nothing ? 0 : static_cast<unsigned>(l.shape.shared);
    l.idle = nothing;
    if (!nothing) l.bound->last_grid.relaxed(e.grid[0]);
    return true;
}

/// Sets what shape_launch would, for launches as most are, by comparisons alone.
template <class = void>
bool shape_plainly(launch_step& l) noexcept {
    const binding& b = *l.bound;
    if (l.open_counts != 0 || l.attribute_count != 0 || (l.terms & term::over) == 0 || b.plain_function.acquire() == nullptr ||
        l.shape.shared > b.shared_ready.relaxed())
        return false;
    const std::uint64_t(&block)[3] = l.shape.block;
    std::uint64_t grid[3];
    for (int i = 0; i < 3; ++i) {
        if (block[i] - 1 >= b.max_block[i] || l.shape.extent[i] - 1 >= std::uint64_t{1} << 62) return false;
        grid[i] = (l.shape.extent[i] - 1) / block[i] + 1;
        if (grid[i] > b.max_grid[i]) return false;
    }
    const std::uint64_t threads = block[0] * block[1] * block[2];
    const contract_set& c = *l.kernel->contracts;
    if (threads > b.max_threads || c.has_required_threads() || (c.max_threads != 0 && threads > c.max_threads) || b.required_block[0] != 0)
        return false;
    driver::kernel_node_params& p = l.params;
    p.grid_x = static_cast<unsigned>(grid[0]);
    p.grid_y = static_cast<unsigned>(grid[1]);
    p.grid_z = static_cast<unsigned>(grid[2]);
    p.block_x = static_cast<unsigned>(block[0]);
    p.block_y = static_cast<unsigned>(block[1]);
    p.block_z = static_cast<unsigned>(block[2]);
    p.shared_bytes = static_cast<unsigned>(l.shape.shared);
    l.idle = false;
    return true;
}

} // namespace hanabi::detail

#endif
