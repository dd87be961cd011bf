// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Special registers: PTX manual, "Special Registers". Reading one is an instruction of its own.

#ifndef HANABI_HOST_PTX_SPECIAL_REGISTER_HPP
#define HANABI_HOST_PTX_SPECIAL_REGISTER_HPP

#include <hanabi/host/ptx/machine.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace hanabi::host::ptx {

namespace special_detail {

struct known {
    std::string_view name;
    special which;
    unsigned width; ///< 0: a predicate
};
inline constexpr known all[] = {{"%tid.x", special::tid_x, 4},
                                {"%tid.y", special::tid_y, 4},
                                {"%tid.z", special::tid_z, 4},
                                {"%ntid.x", special::ntid_x, 4},
                                {"%ntid.y", special::ntid_y, 4},
                                {"%ntid.z", special::ntid_z, 4},
                                {"%ctaid.x", special::ctaid_x, 4},
                                {"%ctaid.y", special::ctaid_y, 4},
                                {"%ctaid.z", special::ctaid_z, 4},
                                {"%nctaid.x", special::nctaid_x, 4},
                                {"%nctaid.y", special::nctaid_y, 4},
                                {"%nctaid.z", special::nctaid_z, 4},
                                {"%laneid", special::laneid, 4},
                                {"%warpid", special::warpid, 4},
                                {"%nwarpid", special::nwarpid, 4},
                                {"%smid", special::smid, 4},
                                {"%nsmid", special::nsmid, 4},
                                {"%gridid", special::gridid, 8},
                                {"%clock", special::clock, 4},
                                {"%clock_hi", special::clock_hi, 4},
                                {"%clock64", special::clock64, 8},
                                {"%globaltimer", special::globaltimer, 8},
                                {"%globaltimer_lo", special::globaltimer_lo, 4},
                                {"%globaltimer_hi", special::globaltimer_hi, 4},
                                {"%lanemask_eq", special::lanemask_eq, 4},
                                {"%lanemask_le", special::lanemask_le, 4},
                                {"%lanemask_lt", special::lanemask_lt, 4},
                                {"%lanemask_ge", special::lanemask_ge, 4},
                                {"%lanemask_gt", special::lanemask_gt, 4},
                                {"%dynamic_smem_size", special::dynamic_smem_size, 4},
                                {"%total_smem_size", special::total_smem_size, 4},
                                {"%aggr_smem_size", special::aggr_smem_size, 4},
                                {"%clusterid.x", special::clusterid_x, 4},
                                {"%clusterid.y", special::clusterid_y, 4},
                                {"%clusterid.z", special::clusterid_z, 4},
                                {"%nclusterid.x", special::nclusterid_x, 4},
                                {"%nclusterid.y", special::nclusterid_y, 4},
                                {"%nclusterid.z", special::nclusterid_z, 4},
                                {"%cluster_ctaid.x", special::cluster_ctaid_x, 4},
                                {"%cluster_ctaid.y", special::cluster_ctaid_y, 4},
                                {"%cluster_ctaid.z", special::cluster_ctaid_z, 4},
                                {"%cluster_nctaid.x", special::cluster_nctaid_x, 4},
                                {"%cluster_nctaid.y", special::cluster_nctaid_y, 4},
                                {"%cluster_nctaid.z", special::cluster_nctaid_z, 4},
                                {"%cluster_ctarank", special::cluster_ctarank, 4},
                                {"%cluster_nctarank", special::cluster_nctarank, 4},
                                {"%is_explicit_cluster", special::is_explicit_cluster, 0},
                                {"%envreg1", special::envreg1, 4},
                                {"%envreg2", special::envreg2, 4},
                                {"%current_graph_exec", special::current_graph_exec, 8}};

/// The system's own shared memory, as devices from sm_80 on have it at the start of each block's: cooperative groups keep
/// their barriers and what warps hand each other in it. Zeros when a block begins.
inline constexpr std::uint32_t reserved_shared_bytes = 1024;
struct reserved_offset {
    std::string_view name;
    std::uint32_t value;
};
inline constexpr reserved_offset reserved_offsets[] = {{"%reserved_smem_offset_begin", 0},
                                                       {"%reserved_smem_offset_end", reserved_shared_bytes},
                                                       {"%reserved_smem_offset_cap", reserved_shared_bytes},
                                                       {"%reserved_smem_offset_0", 0},
                                                       {"%reserved_smem_offset_1", reserved_shared_bytes / 2}};

/// Those of names that are made up: elements of vectors under their other letters, and numbered registers.
inline const known* find_rare(std::string_view name) noexcept {
    static constexpr known zero{"", special::always_zero, 4}, wide_zero{"", special::always_zero, 8};
    if (name.size() < 4 || name[0] != '%') return nullptr;
    const std::string_view vector = name.substr(0, name.size() - 1);
    if (vector.back() == '.') {
        const std::size_t element = std::string_view{"xyzwrgba"}.find(name.back());
        if (element == std::string_view::npos) return nullptr;
        for (const auto& k : all)
            if (k.name.size() == name.size() && k.name.substr(0, vector.size()) == vector)
                return element % 4 == 3 ? &zero : &k + element % 4;
        return nullptr;
    }
    const auto numbered = [&](std::string_view prefix, std::string_view suffix, unsigned count) {
        if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size()) return false;
        unsigned number = 0;
        for (const char c : name.substr(prefix.size(), name.size() - prefix.size() - suffix.size())) {
            if (c < '0' || c > '9' || number >= count) return false;
            number = 10 * number + static_cast<unsigned>(c - '0');
        }
        return number < count;
    };
    if (numbered("%pm", "_64", 8)) return &wide_zero;
    return numbered("%envreg", "", 32) || numbered("%pm", "", 8) ? &zero : nullptr;
}

inline std::uint64_t nanoseconds() noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

inline std::uint64_t value(const context& c, special which, unsigned lane) noexcept {
    const launch& l = *c.l;
    const block& b = *c.b;
    const unsigned rank = c.w->index * lanes + lane;
    switch (which) {
    case special::tid_x: return rank % l.block.x;
    case special::tid_y: return rank / l.block.x % l.block.y;
    case special::tid_z: return rank / l.block.x / l.block.y;
    case special::ntid_x: return l.block.x;
    case special::ntid_y: return l.block.y;
    case special::ntid_z: return l.block.z;
    case special::ctaid_x: return b.index.x;
    case special::ctaid_y: return b.index.y;
    case special::ctaid_z: return b.index.z;
    case special::nctaid_x: return l.grid.x;
    case special::nctaid_y: return l.grid.y;
    case special::nctaid_z: return l.grid.z;
    case special::laneid: return lane;
    case special::warpid: return c.w->index;
    case special::nwarpid: return b.warps.size();
    case special::smid: return b.number % l.multiprocessors;
    case special::nsmid: return l.multiprocessors;
    case special::gridid: return l.number;
    case special::clock: return static_cast<std::uint32_t>(c.w->executed);
    case special::clock_hi: return c.w->executed >> 32;
    case special::clock64: return c.w->executed;
    case special::globaltimer: return nanoseconds();
    case special::globaltimer_lo: return static_cast<std::uint32_t>(nanoseconds());
    case special::globaltimer_hi: return nanoseconds() >> 32;
    case special::lanemask_eq: return 1u << lane;
    case special::lanemask_le: return (2u << lane) - 1u;
    case special::lanemask_lt: return (1u << lane) - 1u;
    case special::lanemask_ge: return static_cast<std::uint32_t>(~((1u << lane) - 1u));
    case special::lanemask_gt: return static_cast<std::uint32_t>(~((2u << lane) - 1u));
    case special::dynamic_smem_size: return l.dynamic_shared;
    case special::total_smem_size: return b.shared_size - l.reserved_shared;
    case special::aggr_smem_size: return b.shared_size;
    case special::clusterid_x: return b.index.x / l.cluster.x;
    case special::clusterid_y: return b.index.y / l.cluster.y;
    case special::clusterid_z: return b.index.z / l.cluster.z;
    case special::nclusterid_x: return l.grid.x / l.cluster.x;
    case special::nclusterid_y: return l.grid.y / l.cluster.y;
    case special::nclusterid_z: return l.grid.z / l.cluster.z;
    case special::cluster_ctaid_x: return b.index.x % l.cluster.x;
    case special::cluster_ctaid_y: return b.index.y % l.cluster.y;
    case special::cluster_ctaid_z: return b.index.z % l.cluster.z;
    case special::cluster_nctaid_x: return l.cluster.x;
    case special::cluster_nctaid_y: return l.cluster.y;
    case special::cluster_nctaid_z: return l.cluster.z;
    case special::cluster_ctarank: return b.rank;
    case special::cluster_nctarank: return b.cluster_size;
    case special::is_explicit_cluster: return l.explicit_cluster ? 1 : 0;
    case special::envreg1: return static_cast<std::uint32_t>(l.grid_workspace >> 32); // grid.sync puts the two together
    case special::envreg2: return static_cast<std::uint32_t>(l.grid_workspace);
    default: return 0;
    }
}

inline void read(context& c, const instruction& in, std::uint32_t mask) {
    const auto which = static_cast<special>(in.option);
    if (in.size == 0) {
        std::uint32_t& d = c.predicate(in.d);
        d = (d & ~mask) | (value(c, which, 0) != 0 ? mask : 0);
        return;
    }
    each_lane(mask, [&](unsigned i) { set_value(c, in.d, in.size, i, value(c, which, i)); });
}

} // namespace special_detail

/// The special register of a name; null when there is none.
inline const special_detail::known* find_special(std::string_view name) noexcept {
    for (const auto& k : special_detail::all)
        if (k.name == name) return &k;
    return special_detail::find_rare(name);
}

} // namespace hanabi::host::ptx

#endif
