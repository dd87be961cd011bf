// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Groups of a warp's lanes that are at the same place: which runs next, how they part and come together again.

#ifndef HANABI_HOST_PTX_LANE_GROUP_HPP
#define HANABI_HOST_PTX_LANE_GROUP_HPP

#include <hanabi/host/ptx/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hanabi::host::ptx {

namespace group_detail {

/// Which group runs next; null when none can.
inline group* choose(warp& w) {
    group* best = nullptr;
    for (group& g : w.groups) {
        if (g.state != doing::running && g.state != doing::released) continue;
        if (best == nullptr)
            best = &g;
        else if (w.rotate ? g.turn < best->turn : g.at->depth != best->at->depth ? g.at->depth > best->at->depth : g.pc < best->pc)
            best = &g;
    }
    return best;
}

/// Registers and parameters of the lanes of a mask.
inline void copy_lanes(frame& to, const frame& from, std::uint32_t mask) {
    for (const auto& r : to.of->cells) {
        if (r.width == 0) {
            auto& d = *reinterpret_cast<std::uint32_t*>(to.registers.data() + r.at);
            d = (d & ~mask) | (*reinterpret_cast<const std::uint32_t*>(from.registers.data() + r.at) & mask);
        } else
            each_lane(mask, [&](unsigned i) {
                std::memcpy(to.registers.data() + r.at + i * r.width, from.registers.data() + r.at + i * r.width, r.width);
            });
    }
    const std::size_t stride = to.of->param_bytes;
    each_lane(mask, [&](unsigned i) { std::memcpy(to.params.data() + i * stride, from.params.data() + i * stride, stride); });
}

/// Lanes that called the same function from the same place apart from each other come together in one frame.
inline bool join(warp& w, group& a, group& b) {
    frame &x = *a.at, &y = *b.at;
    if (x.of != y.of || x.parent != y.parent || x.return_to != y.return_to || x.local_base != y.local_base || x.local_top != y.local_top ||
        x.parent == nullptr)
        return false;
    if (a.state != doing::converging && b.state != doing::converging) return false;
    copy_lanes(x, y, b.mask);
    if (!x.tops.empty() || !y.tops.empty()) { // the lanes' stacks, too
        if (x.tops.empty()) x.tops.assign(lanes, x.local_top);
        each_lane(b.mask, [&](unsigned i) { x.tops[i] = y.tops.empty() ? y.local_top : y.tops[i]; });
    }
    for (observer* o : w.owner->observers) o->joined(w, x, y, b.mask);
    x.live |= b.mask;
    y.live &= ~b.mask;
    b.at = &x;
    if (y.live == 0) w.spare.push_back(&y);
    return true;
}
/// Groups at the same place become one.
inline void merge(warp& w) {
    for (std::size_t i = 0; i < w.groups.size(); ++i)
        for (std::size_t j = i + 1; j < w.groups.size();) {
            group &a = w.groups[i], &b = w.groups[j];
            if (a.pc != b.pc || a.state == doing::waiting || b.state == doing::waiting ||
                (a.state == doing::released) != (b.state == doing::released) || (a.state == doing::released && a.result != b.result) ||
                (a.at != b.at && !join(w, a, b))) {
                ++j;
                continue;
            }
            a.mask |= b.mask;
            if (a.state == doing::converging) a.state = doing::running; // looks again who is there
            w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(j));
        }
}
/// The lanes of `mask` part from the group, which goes on with the others at `pc`; the new group's place in the list.
inline group& split(warp& w, group& g, std::uint32_t mask, std::uint32_t pc) {
    group parted = g;
    parted.mask = mask;
    g.mask &= ~mask;
    g.pc = pc;
    w.groups.push_back(parted); // there is room: a group has a lane at least
    return w.groups.back();
}

/// Where the group must stop because others are there or before it.
inline std::uint32_t limit_of(const warp& w, const group& g) {
    std::uint32_t limit = ~0u;
    for (const group& other : w.groups)
        if (&other != &g && other.at == g.at &&
            (other.state == doing::running || other.state == doing::converging || other.state == doing::released) && other.pc >= g.pc)
            limit = std::min(limit, other.pc);
    return limit;
}

} // namespace group_detail

} // namespace hanabi::host::ptx

#endif
