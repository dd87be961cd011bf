// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Barriers of blocks and clusters: who waits, who is let go. PTX manual, "bar, barrier", "barrier.cluster".

#ifndef HANABI_HOST_PTX_BARRIER_HPP
#define HANABI_HOST_PTX_BARRIER_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <bit>
#include <cstdint>

namespace hanabi::host::ptx {

/// What a barrier instruction does: instruction::option. instruction::count is 1 for aligned ones.
enum class barrier_act : std::uint8_t { sync, arrive, count, all, any, cluster_arrive, cluster_wait };

/// group::barrier of those that wait for the cluster.
inline constexpr std::uint32_t cluster_barrier_number = 16;

namespace barrier_detail {

/// Lets everybody go who waits at a barrier of the block.
inline void release(block& b, std::uint32_t number, std::uint32_t result, std::uint32_t threads) {
    const auto& code = b.of->code->code;
    for (warp& w : b.warps) {
        std::uint32_t seen = ~0u;
        for (group& g : w.groups) {
            if (g.state != doing::waiting || g.barrier != number) continue;
            if (code[g.pc].count == 1 && seen != ~0u && seen != g.pc)
                throw fault{driver::status::launch_failed,
                            detail::say("A divergent barrier: lanes of one warp wait at barrier ", number, " in different places, lines ",
                                        code[seen].line, " and ", code[g.pc].line),
                            static_cast<unsigned>(std::countr_zero(g.mask)), static_cast<int>(w.index)};
            if (code[g.pc].count == 1) seen = g.pc;
            g.state = doing::released;
            for (observer* o : b.observers) o->passed(w, number, g.mask);
            const auto act = static_cast<barrier_act>(code[g.pc].option);
            g.result = act == barrier_act::count ? result
                       : act == barrier_act::all ? (result == threads ? 1 : 0)
                       : act == barrier_act::any ? (result != 0 ? 1 : 0)
                                                 : 0;
        }
    }
}

/// Whether the barrier is complete; if so, everybody is let go.
inline void settle(block& b, std::uint32_t number) {
    barrier_state& s = b.barriers[number];
    if (s.arrived == 0 || s.arrived < (s.expected != 0 ? s.expected : b.alive)) return;
    const barrier_state done = s;
    s = {};
    release(b, number, done.count, done.arrived);
}
inline void settle_cluster(block& b) {
    if (b.cluster == nullptr) return;
    std::uint32_t alive = 0;
    for (unsigned i = 0; i < b.cluster_size; ++i) alive += b.cluster[i]->alive;
    barrier_state& s = *b.cluster_barrier;
    if (s.arrived < alive || s.arrived == 0) return;
    s.arrived = 0;
    ++s.count;
    for (unsigned i = 0; i < b.cluster_size; ++i) release(*b.cluster[i], cluster_barrier_number, 0, 0);
}

} // namespace barrier_detail

/// The lanes of `mask`, a group of its own, reach a barrier. True when they wait.
inline bool reach_barrier(context& c, const instruction& in, group& g) {
    using namespace barrier_detail;
    block& b = *c.b;
    warp& w = *c.w;
    const auto act = static_cast<barrier_act>(in.option);
    const auto threads = static_cast<std::uint32_t>(std::popcount(g.mask));
    if (act == barrier_act::cluster_arrive) {
        if (b.cluster_barrier == nullptr) return false; // a cluster of one block
        for (observer* o : b.observers) o->arrived(w, cluster_barrier_number, g.mask);
        w.cluster_phase = b.cluster_barrier->count + 1;
        b.cluster_barrier->arrived += threads;
        settle_cluster(b);
        return false;
    }
    if (act == barrier_act::cluster_wait) {
        if (b.cluster_barrier == nullptr) return false;
        if (b.cluster_barrier->count >= w.cluster_phase) { // complete already
            for (observer* o : b.observers) o->passed(w, cluster_barrier_number, g.mask);
            return false;
        }
        g.state = doing::waiting;
        g.barrier = cluster_barrier_number;
        return true;
    }
    const std::uint32_t number = c.at<std::uint32_t>(in.a)[first_lane(g.mask)];
    if (number > 15)
        throw fault{driver::status::illegal_instruction, detail::say("Barrier ", number, ": there are 16, from 0 to 15"),
                    first_lane(g.mask)};
    for (observer* o : b.observers) o->arrived(w, number, g.mask);
    barrier_state& s = b.barriers[number];
    s.arrived += threads;
    if (in.b.given()) {
        const std::uint32_t expected = c.at<std::uint32_t>(in.b)[first_lane(g.mask)];
        if (expected == 0 || expected % lanes != 0)
            throw fault{driver::status::illegal_instruction,
                        detail::say("Barrier ", number, " with ", expected, " threads: the number must be a multiple of the warp's size"),
                        first_lane(g.mask)};
        s.expected = expected;
        if (g.mask == w.alive) s.arrived += lanes - threads; // warps count whole
    }
    if (act == barrier_act::count || act == barrier_act::all || act == barrier_act::any)
        s.count += static_cast<std::uint32_t>(std::popcount(c.predicate(in.c) & g.mask));
    if (act == barrier_act::arrive) {
        settle(b, number);
        return false;
    }
    g.state = doing::waiting;
    g.barrier = number;
    w.effects = 0;
    settle(b, number);
    return true;
}

/// The lanes of a warp end: barriers may be complete without them.
inline void leave_block(block& b) {
    for (std::uint32_t i = 0; i < 16; ++i)
        if (b.barriers[i].arrived != 0) barrier_detail::settle(b, i);
    if (b.cluster_barrier != nullptr) barrier_detail::settle_cluster(b);
}

} // namespace hanabi::host::ptx

#endif
