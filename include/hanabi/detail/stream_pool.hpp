// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a context keeps for expressions that run at once: streams to fork to, events to join with, and the functions of the
/// host that are to be called.

#ifndef HANABI_DETAIL_STREAM_POOL_HPP
#define HANABI_DETAIL_STREAM_POOL_HPP

#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/driver/table.hpp>

namespace hanabi::detail {

/// A non-blocking stream with an event, in the pool or lent out.
struct pooled_stream {
    driver::stream_handle stream = nullptr;
    driver::event_handle event = nullptr;
    pooled_stream* next = nullptr;
};

/// An event in the pool or lent out.
struct pooled_event {
    driver::event_handle event = nullptr;
    pooled_event* next = nullptr;
};

/// A function of the host that was given to a stream. The driver may never call it, if work before it failed: it is the
/// pool that frees it, once it was called or the context is done.
struct pending_call {
    atomic<bool> done{false};
    bool captured = false; ///< in a graph, to be called again and again: kept as long as the context
    pending_call* next = nullptr;

    virtual void call() noexcept = 0;
    virtual ~pending_call() = default;

    /// What the driver calls.
    static void HANABI_CUDAAPI run(void* at) noexcept {
        auto* const self = static_cast<pending_call*>(at);
        self->call();
        self->done.release(true); // its memory may go from here on
    }
};

struct stream_pool {
    mutex guard;
    pooled_stream* streams = nullptr;
    pooled_event* events = nullptr;
    pending_call* calls = nullptr;

    stream_pool() noexcept = default;
    stream_pool(const stream_pool&) = delete;
    stream_pool& operator=(const stream_pool&) = delete;

    bool empty() const noexcept { return streams == nullptr && events == nullptr && calls == nullptr; }

    /// Takes out what was called, and is to be freed; under the guard.
    pending_call* take_called() noexcept {
        pending_call* called = nullptr;
        for (pending_call** at = &calls; *at != nullptr;) {
            pending_call* const one = *at;
            if (one->captured || !one->done.acquire()) {
                at = &one->next;
                continue;
            }
            *at = one->next;
            one->next = called;
            called = one;
        }
        return called;
    }
    /// Not under the guard: what the functions hold may do anything when it is destroyed.
    static void free(pending_call* list) noexcept {
        while (list != nullptr) {
            pending_call* const one = list;
            list = one->next;
            delete one;
        }
    }
    /// When the context dies, current or gone: a status of what failed.
    driver::status clear(const driver::table& driver, bool gone) noexcept {
        driver::status worst = driver::status::success;
        const auto note = [&](driver::status s) {
            if (s != driver::status::success && !driver::is_sticky(s)) worst = s;
        };
        bool waiting = false;
        for (const pending_call* c = calls; c != nullptr; c = c->next) waiting = waiting || !c->done.acquire();
        if (waiting && !gone) note(driver.ctx_synchronize()); // then each was called, or never will be
        while (streams != nullptr) {
            pooled_stream* const one = streams;
            streams = one->next;
            if (!gone) {
                note(driver.event_destroy(one->event));
                note(driver.stream_destroy(one->stream));
            }
            delete one;
        }
        while (events != nullptr) {
            pooled_event* const one = events;
            events = one->next;
            if (!gone) note(driver.event_destroy(one->event));
            delete one;
        }
        free(calls);
        calls = nullptr;
        return worst;
    }
};

} // namespace hanabi::detail

#endif
