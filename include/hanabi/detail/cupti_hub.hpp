// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What CUPTI's callbacks work on. They carry no state of their own, so that there is one of these in a process.

#ifndef HANABI_DETAIL_CUPTI_HUB_HPP
#define HANABI_DETAIL_CUPTI_HUB_HPP

#include <hanabi/activity/kind.hpp>
#include <hanabi/config.hpp>
#include <hanabi/cupti/abi.hpp>
#include <hanabi/detail/activity_producer.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/buffer_pool.hpp>
#include <hanabi/detail/steady_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hanabi::detail {

/// Outlives every session, as CUPTI's hold on buffers does: a buffer that is still out when its session ends comes back
/// here, later or never, and is not freed before it does.
struct cupti_hub {
    buffer_pool pool;
    atomic<const void*> owner{nullptr};            ///< the session that records
    atomic<unsigned> owner_forks{0};               ///< detail::count_forks() of its process
    atomic<const void*> last_owner{nullptr};       ///< the one that recorded last: what is completed is its
    atomic<bool> recording{false};                 ///< buffers that come back are kept for it
    atomic<const std::uint32_t*> strides{nullptr}; ///< of the library that writes the records
    atomic<std::uint64_t> overwritten{0};          ///< records that nobody drained in time: their buffers were used again
    atomic<std::uint64_t> late{0};                 ///< buffers that came back while no session recorded
    atomic<std::uint64_t> foreign{0};              ///< buffers that came back and are none of ours
    atomic<void (*)(void*)> notify{nullptr};
    atomic<void*> notify_argument{nullptr};
};

/// Never destroyed: CUPTI may call back at exit.
HANABI_SHARED inline cupti_hub& the_cupti_hub() noexcept {
    static cupti_hub& hub = *new cupti_hub;
    return hub;
}

/// The records in a buffer, as far as they can be told.
inline std::uint64_t count_records(const pooled_buffer& b, const std::uint32_t* strides) noexcept {
    std::uint64_t records = 0;
    for (std::size_t at = 0; strides != nullptr && at + 8 <= b.valid; ++records) {
        std::uint32_t kind;
        std::memcpy(&kind, b.data() + at, sizeof kind);
        if (kind >= activity_kind_count || strides[kind] == 0) break;
        at += strides[kind];
    }
    return records;
}

/// Never answers null while there is memory: libraries before CUDA 12.9 crash on it. At the bound the oldest records that
/// nobody has drained make room; when every buffer is CUPTI's, one more is made.
inline void HANABI_CUDAAPI cupti_request(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
    const callback_scope scope;
    cupti_hub& hub = the_cupti_hub();
    pooled_buffer* b = hub.pool.take();
    if (b == nullptr) {
        b = hub.pool.recycle();
        if (b != nullptr) {
            hub.overwritten.add(count_records(*b, hub.strides.acquire()));
        }
    }
    if (b == nullptr) b = hub.pool.take_beyond();
    *buffer = b == nullptr ? nullptr : b->data();
    *size = b == nullptr ? 0 : b->size;
    *max_records = 0;
}

inline void HANABI_CUDAAPI cupti_complete(driver::context_handle, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    const callback_scope scope;
    cupti_hub& hub = the_cupti_hub();
    const bool keep = hub.recording.acquire();
    if (hub.pool.complete(buffer, valid, 0, keep) == nullptr) {
        hub.foreign.add(1);
        return;
    }
    if (!keep) {
        if (valid != 0) hub.late.add(1);
        return;
    }
    if (const auto notify = hub.notify.acquire()) notify(hub.notify_argument.acquire());
}

/// CUPTI's clock while a session records: one that can't step, as its own does on Linux when the system's time is set.
inline std::uint64_t HANABI_CUDAAPI cupti_timestamp() { return steady_now(); }

/// A subscription that asks for no callbacks: it keeps other clients out, and finds out that there is one.
inline void HANABI_CUDAAPI cupti_callback(void*, unsigned, std::uint32_t, const void*) {}

} // namespace hanabi::detail

#endif
