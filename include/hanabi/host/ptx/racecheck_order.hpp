// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Which threads of a kernel have been ordered after which: by warp operations within a warp, by barriers within a block or
/// cluster, by what one releases and another acquires anywhere. PTX manual, "Memory Consistency Model".

#ifndef HANABI_HOST_PTX_RACECHECK_ORDER_HPP
#define HANABI_HOST_PTX_RACECHECK_ORDER_HPP

#include <hanabi/host/ptx/machine.hpp>
#include <hanabi/host/ptx/racecheck_clock.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hanabi::host::ptx::racecheck_detail {

/// What the lanes of a warp know: of each other, and (outer) of everybody else.
class warp_order {
  public:
    using matrix = std::array<std::array<moment, lanes>, lanes>;

    moment together = 0;                ///< all lanes know of each other up to here
    std::array<moment, lanes> fenced{}; ///< the newest fence of each lane
    std::array<moment, lanes> told{};   ///< the newest cp.async.mbarrier.arrive of each lane
    std::unique_ptr<matrix> apart;      ///< what lane i knows of lane j beyond that; null: no more

    const clock_ref& outer(unsigned lane) const noexcept { return outer_[same_ ? 0 : lane]; }
    bool same() const noexcept { return same_; }
    void set_all(const clock_ref& what) {
        if (same_ && outer_[0] == what) return;
        for (unsigned i = 1; !same_ && i < lanes; ++i) outer_[i].reset();
        outer_[0] = what;
        same_ = true;
    }
    void set(unsigned lane, const clock_ref& what) {
        if (outer(lane) == what) return;
        if (same_) {
            for (unsigned i = 1; i < lanes; ++i) outer_[i] = outer_[0];
            same_ = false;
        }
        outer_[lane] = what;
    }

    /// The lanes of `mask` come together at a moment. `born`: all lanes of the warp.
    void meet(std::uint32_t mask, std::uint32_t born, moment now) {
        if (mask == born) {
            together = now;
            apart.reset();
        } else {
            if (apart == nullptr) apart = std::make_unique<matrix>();
            std::array<moment, lanes> all{};
            each_lane(mask, [&](unsigned i) {
                for (unsigned j = 0; j < lanes; ++j) all[j] = std::max(all[j], (*apart)[i][j]);
            });
            each_lane(mask, [&](unsigned j) { all[j] = now; });
            each_lane(mask, [&](unsigned i) { (*apart)[i] = all; });
        }
        if (same_) return;
        clock_ref everything;
        each_lane(mask, [&](unsigned i) { everything = joined(everything, outer_[i]); });
        if (mask == born)
            set_all(everything);
        else
            each_lane(mask, [&](unsigned i) { outer_[i] = everything; });
    }

  private:
    std::array<clock_ref, lanes> outer_; ///< the first one alone while they are the same
    bool same_ = true;
};

/// One block as the order sees it.
struct block_order {
    struct arrival {
        const block_order* of;
        unsigned warp;
        std::uint32_t mask;
        moment at;
    };
    /// What has arrived at a barrier.
    struct meeting {
        std::vector<arrival> arrivals;
        bool over = false;
        clock_ref learnt; ///< by those that pass; null when the block's own moment says all
    };

    std::uint32_t number = 0;
    moment together = 0; ///< all threads know of each other up to here
    std::vector<warp_order> warps;
    std::array<meeting, 16> meetings;
    std::vector<std::uint32_t> cells;                    ///< of shared memory: first accesses
    std::unordered_map<std::size_t, clock_ref> released; ///< at an offset of shared memory

    /// Copies that go on by themselves do so as a block of their own, of which nobody knows but through their mbarrier.
    std::uint32_t copier() const noexcept { return number | 0x80000000u; }
};

/// The order of one launch.
class order {
  public:
    moment now = 0;

    /// A block begins, maybe in the place of another that ended.
    block_order& begin(const block& b) {
        auto& place = blocks_[&b];
        if (place == nullptr) place = std::make_unique<block_order>();
        std::vector<std::uint32_t> cells = std::move(place->cells);
        *place = block_order{};
        place->cells = std::move(cells);
        place->number = static_cast<std::uint32_t>(b.number);
        place->warps.resize(b.warps.size());
        if (b.cluster_barrier != nullptr && b.rank == 0) clusters_.erase(b.cluster_barrier);
        last_ = nullptr;
        return *place;
    }
    block_order& of(const block& b) {
        if (last_ != &b) {
            last_order_ = blocks_.at(&b).get();
            last_ = &b;
        }
        return *last_order_;
    }

    /// Whether what the lanes of `them`, of one warp, did at a moment happened before what a lane does now.
    bool ordered(const block_order& b, unsigned warp, unsigned lane, std::uint32_t block, unsigned their_warp, std::uint32_t them,
                 moment at) const {
        const warp_order& w = b.warps[warp];
        if (block == b.number) {
            if (at <= b.together) return true;
            if (their_warp == warp) {
                if (at <= w.together) return true;
                them &= ~(1u << lane);
                if (w.apart != nullptr)
                    each_lane(them, [&](unsigned j) {
                        if ((*w.apart)[lane][j] >= at) them &= ~(1u << j);
                    });
                if (them == 0) return true;
            }
        }
        const clock* const outer = w.outer(lane).get();
        if (outer == nullptr) return false;
        if (outer->of(block, their_warp, clock::any) >= at) return true;
        bool all = true;
        each_lane(them, [&](unsigned j) { all = all && outer->of(block, their_warp, j) >= at; });
        return all;
    }

    void converged(const warp& w, std::uint32_t mask) { of(*w.owner).warps[w.index].meet(mask, w.born, now); }

    void arrived(const warp& w, std::uint32_t barrier, std::uint32_t mask) {
        block_order& b = of(*w.owner);
        if (barrier < b.meetings.size()) {
            block_order::meeting& m = b.meetings[barrier];
            if (m.over) {
                m.arrivals.clear();
                m.over = false;
            }
            m.arrivals.push_back({&b, w.index, mask, now});
            return;
        }
        cluster_meeting& m = clusters_[w.owner->cluster_barrier];
        close(m, w.owner->cluster_barrier->count);
        m.arrivals.push_back({&b, w.index, mask, now});
    }
    void passed(const warp& w, std::uint32_t barrier, std::uint32_t mask) {
        block_order& b = of(*w.owner);
        if (barrier < b.meetings.size()) {
            block_order::meeting& m = b.meetings[barrier];
            if (!m.over) close(*w.owner, b, barrier, m);
            if (m.learnt != nullptr) each_lane(mask, [&](unsigned i) { acquire(b.warps[w.index], i, m.learnt); });
            return;
        }
        cluster_meeting& m = clusters_[w.owner->cluster_barrier];
        close(m, w.owner->cluster_barrier->count);
        if (m.learnt != nullptr) each_lane(mask, [&](unsigned i) { acquire(b.warps[w.index], i, m.learnt); });
    }

    void fence(block_order& b, unsigned warp, std::uint32_t mask) {
        each_lane(mask, [&](unsigned i) { b.warps[warp].fenced[i] = now; });
    }
    /// A lane comes to know what was released.
    void acquire(warp_order& w, unsigned lane, const clock_ref& what) {
        if (what == nullptr) return;
        const clock_ref& mine = w.outer(lane);
        if (mine == what) return;
        if (mine != last_mine_ || what != last_what_) { // lanes do the same, mostly
            last_result_ = joined(mine, what);
            last_mine_ = mine;
            last_what_ = what;
        }
        w.set(lane, last_result_);
    }
    /// Lanes let others know what they know; of themselves: up to moments. `place` is where others will look.
    void release(const block_order& b, unsigned warp, std::uint32_t mask, const std::array<moment, lanes>& own, clock_ref& place) {
        const auto what = std::make_shared<clock>();
        bool same = true;
        each_lane(mask, [&](unsigned i) { same = same && own[i] == own[first_lane(mask)]; });
        if (same)
            tell(*what, b, warp, mask, own[first_lane(mask)]);
        else
            each_lane(mask, [&](unsigned i) { tell(*what, b, warp, 1u << i, own[i]); });
        what->tidy();
        if (!what->empty()) place = joined(place, clock_ref{what});
    }
    void release(const block_order& b, unsigned warp, std::uint32_t mask, clock_ref& place) {
        std::array<moment, lanes> own;
        own.fill(now);
        release(b, warp, mask, own, place);
    }

  private:
    struct cluster_meeting {
        std::vector<block_order::arrival> arrivals;
        std::uint32_t phase = 0;
        clock_ref learnt;
    };

    /// All that lanes know, and what they did up to a moment.
    static void tell(clock& to, const block_order& b, unsigned warp, std::uint32_t mask, moment own) {
        const warp_order& w = b.warps[warp];
        to.add(clock::key(b.number, clock::any, clock::any), b.together);
        if (w.together > b.together) to.add(clock::key(b.number, warp, clock::any), w.together);
        if (mask == ~0u)
            to.add(clock::key(b.number, warp, clock::any), own);
        else
            each_lane(mask, [&](unsigned i) { to.add(clock::key(b.number, warp, i), own); });
        if (w.apart != nullptr)
            each_lane(mask, [&](unsigned i) {
                for (unsigned j = 0; j < lanes; ++j)
                    if ((*w.apart)[i][j] > b.together) to.add(clock::key(b.number, warp, j), (*w.apart)[i][j]);
            });
        const clock* last = nullptr;
        each_lane(w.same() ? mask & (0u - mask) : mask, [&](unsigned i) {
            const clock* const outer = w.outer(i).get();
            if (outer != nullptr && outer != last) to.add(*outer);
            last = outer;
        });
    }
    static clock_ref told(const std::vector<block_order::arrival>& arrivals) {
        const auto all = std::make_shared<clock>();
        for (const block_order::arrival& a : arrivals) {
            tell(*all, *a.of, a.warp, a.mask, a.at);
            all->tidy();
        }
        return all;
    }
    static void close(cluster_meeting& m, std::uint32_t phase) {
        if (m.phase == phase) return;
        m.learnt = told(m.arrivals);
        m.arrivals.clear();
        m.phase = phase;
    }
    /// A barrier of the block is complete: the simple case is that all threads, none of which goes on before, are there.
    void close(const block& of, block_order& b, std::uint32_t barrier, block_order::meeting& m) {
        m.over = true;
        m.learnt = nullptr;
        std::vector<std::uint32_t> there(of.warps.size(), 0);
        for (const block_order::arrival& a : m.arrivals) there[a.warp] |= a.mask;
        bool all_there = true, all_wait = true;
        for (std::size_t i = 0; i < there.size(); ++i) {
            std::uint32_t waiting = 0;
            for (const group& g : of.warps[i].groups)
                if ((g.state == doing::waiting || g.state == doing::released) && g.barrier == barrier) waiting |= g.mask;
            all_there = all_there && (of.warps[i].alive & ~there[i]) == 0;
            all_wait = all_wait && (there[i] & ~waiting) == 0;
        }
        if (!all_there || !all_wait) {
            for (std::size_t i = 0; i < there.size() && all_there; ++i) // those that have ended count as there
                if (const std::uint32_t ended = of.warps[i].born & ~of.warps[i].alive & ~there[i]; ended != 0)
                    m.arrivals.push_back({&b, static_cast<unsigned>(i), ended, now});
            m.learnt = told(m.arrivals);
            return;
        }
        b.together = now;
        clock_ref all = b.warps[0].outer(0);
        bool same = true;
        for (const warp_order& w : b.warps) same = same && w.same() && w.outer(0) == all;
        if (!same)
            for (const warp_order& w : b.warps)
                for (unsigned i = 0; i < (w.same() ? 1 : lanes); ++i) all = joined(all, w.outer(i));
        for (warp_order& w : b.warps) {
            w.apart.reset();
            if (!same) w.set_all(all);
        }
    }

    std::unordered_map<const block*, std::unique_ptr<block_order>> blocks_;
    std::unordered_map<const barrier_state*, cluster_meeting> clusters_;
    const block* last_ = nullptr;
    block_order* last_order_ = nullptr;
    clock_ref last_mine_, last_what_, last_result_;
};

} // namespace hanabi::host::ptx::racecheck_detail

#endif
