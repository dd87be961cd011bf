// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Lanes: where launching threads write their launches down, each in a ring of its own, and one reader takes them out.

#ifndef HANABI_PROFILE_LANE_HPP
#define HANABI_PROFILE_LANE_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/profile/launch_entry.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace hanabi::detail {

/// Whose turn it is with a slot. The launching thread takes it from free over open to closed, the reader back to free.
struct slot_state {
    static constexpr unsigned free = 0, open = 1, closed = 2;
};

struct alignas(64) launch_slot {
    atomic<unsigned> state{slot_state::free};
    atomic<std::uint64_t> id{0}; ///< of the launch in it, or the last one
    profile::launch_entry entry;
};

/// A ring of launches. One thread launches (those of the last lane hold its mutex), one reads, under the ledger's mutex.
struct alignas(64) launch_lane {
    // The launching thread's.
    launch_slot* slots = nullptr;
    std::uint64_t mask = 0;
    const void* last = nullptr; ///< launch_view::identity of the launch opened last; null once that is closed
    std::uint64_t open = 0;     ///< launches between before and after: all of a plan's at once
    std::uint64_t first_id = 0; ///< the ledger's number in the upper 16 bits, the lane's in the lowest 6
    std::uint32_t thread = 0;   ///< the system's number
    bool common = false;        ///< of all threads that came too late for one of their own
    std::uint64_t owner = 0;    ///< which thread's, by thread_lanes::number
    detail::mutex common_mutex; ///< of the common lane
    // Read by the other side.
    alignas(64) atomic<std::uint64_t> launches{0}; ///< how many there were; the last one's number, from 1
    atomic<std::uint64_t> refused{0};              ///< of them, those whose slot was still taken
    // The reader's.
    alignas(64) std::uint64_t tail = 0;
};

/// Lanes that a ledger can have, the common one included. An id is the launch's number in its lane times this, plus the
/// lane's number, and the ledger's above: what another ledger's session delivers matches nothing here. The low 32 bits, which
/// some activity records carry, stay distinct for long.
inline constexpr unsigned lane_limit = 64;

/// What each thread knows of its lanes: those of the ledgers it used last, found by the ledger's number, which is never
/// used again. Constant-initialised and without a destructor, so that reaching it costs nothing.
struct thread_lanes {
    static constexpr unsigned size = 4;
    std::uint64_t ledger[size];
    launch_lane* lane[size];
    std::uint64_t number; ///< this thread's, from 1; 0 before it has launched
    std::uint32_t system_number;
    // Launches that are open in common lanes.
    struct {
        std::uint64_t ledger;
        const void* last; ///< launch_view::identity
        profile::launch_entry* entry;
        std::uint64_t id;
    } open[size];
};
HANABI_SHARED inline constinit thread_local thread_lanes this_thread_lanes{};

HANABI_SHARED inline atomic<std::uint64_t> thread_count{0};
HANABI_SHARED inline atomic<std::uint64_t> ledger_count{0};

HANABI_COLD inline std::uint32_t system_thread_number() noexcept {
#if defined(__linux__)
    return static_cast<std::uint32_t>(::syscall(SYS_gettid));
#else
    return static_cast<std::uint32_t>(this_thread_lanes.number);
#endif
}

inline void free_lane(launch_lane* lane) noexcept {
    if (lane == nullptr) return;
    delete[] lane->slots;
    delete lane;
}

/// A lane for the calling thread, with room for so many launches: a power of two, at most 4 million. Null without memory.
inline launch_lane* make_lane(unsigned number, std::uint64_t ledger, std::size_t launches, const thread_lanes& mine) noexcept {
    std::size_t size = 2;
    while (size < launches && size < (std::size_t{1} << 22)) size *= 2;
    auto* const lane = new (std::nothrow) launch_lane;
    if (lane == nullptr) return nullptr;
    lane->slots = new (std::nothrow) launch_slot[size];
    if (lane->slots == nullptr) {
        free_lane(lane);
        return nullptr;
    }
    lane->mask = size - 1;
    lane->first_id = (ledger << 48) + number;
    lane->common = number == lane_limit - 1;
    lane->tail = 1;
    lane->owner = mine.number;
    lane->thread = mine.system_number;
    return lane;
}

} // namespace hanabi::detail

namespace hanabi::profile {

/// A policy's hold on a launch between before and after: its id, and where it is written down.
struct ticket {
    std::uint64_t id = 0;                        ///< 0 where not even an id could be had (out of memory)
    launch_entry* entry = nullptr;               ///< null where there was no room for it
    hanabi::detail::launch_lane* lane = nullptr; ///< null for a policy that joined a launch which another one wrote down
};

} // namespace hanabi::profile

#endif
