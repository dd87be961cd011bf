// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A fork: streams out of a context's pool that begin where a stream is, and are waited for by it at the end.

#ifndef HANABI_DETAIL_FORK_STREAMS_HPP
#define HANABI_DETAIL_FORK_STREAMS_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/capture_scope.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/stream_pool.hpp>
#include <hanabi/driver_error.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <system_error>

namespace hanabi::detail {

/// Whether a stream is being captured into a graph.
template <class = void>
driver::status ask_capturing(const driver::table& driver, driver::stream_handle stream, bool& capturing) noexcept {
    driver::capture_status state = driver::capture_status::none;
    driver::status status = driver::status::success;
    if (driver.stream_is_capturing != nullptr) status = driver.stream_is_capturing(stream, &state);
    capturing = state != driver::capture_status::none;
    return status;
}

/// Lanes to run side by side: lane 0 is the stream that forks, the others are streams of the pool, lent until the join. Used
/// by one thread. The destructor joins, where join() has not: also when an exception passes.
template <class Void>
class basic_fork_streams {
  public:
    /// More would not run side by side: a device has 8 to 32 hardware queues, and each lane costs the host 3 driver calls.
    static constexpr std::size_t most = 16;

    basic_fork_streams(context_state& in, driver::stream_handle stream) noexcept : context_{in}, parent_{stream} {}
    basic_fork_streams(const basic_fork_streams&) = delete;
    basic_fork_streams& operator=(const basic_fork_streams&) = delete;
    ~basic_fork_streams() {
        static_cast<void>(finish());
        give_back();
    }

    /// Forks to `lanes` lanes in all. An error leaves nothing forked that is not joined at the end.
    HANABI_COLD std::error_code start(std::size_t lanes, std::string* words) {
        const current_scope scope{context_};
        driver::status status = scope.status();
        if (status == driver::status::success) status = fork_to(lanes < most ? lanes : most);
        if (status == driver::status::success) return {};
        return driver_failed(context_, status, words,
                             "hanabi::dispatcher: forking a stream to run parts of an expression beside each other");
    }
    std::size_t lanes() const noexcept { return count_ + 1; }
    driver::stream_handle lane(std::size_t i) const noexcept { return i == 0 ? parent_ : lanes_[i - 1]->stream; }

    /// Lets the forked stream wait for all lanes.
    HANABI_COLD std::error_code join(std::string* words) {
        const driver::status status = finish();
        if (status == driver::status::success) return {};
        return driver_failed(context_, status, words, "hanabi::dispatcher: joining the streams of an expression's parts");
    }

    /// A mark in a lane's work, kept until the end.
    std::error_code mark(std::size_t lane_number, pooled_event*& event, std::string* words) {
        const current_scope scope{context_};
        driver::status status = scope.status();
        if (status == driver::status::success) status = borrow(event);
        if (status == driver::status::success) status = context_.driver->event_record(event->event, lane(lane_number));
        if (status == driver::status::success) return {};
        return driver_failed(context_, status, words, "hanabi::dispatcher: marking what a part of an expression waits for");
    }
    /// The last wait for a mark is queued: its event may mark something else.
    void reuse(pooled_event& event) noexcept {
        for (pooled_event** at = &events_; *at != nullptr; at = &(*at)->next)
            if (*at == &event) {
                *at = event.next;
                break;
            }
        event.next = spare_;
        spare_ = &event;
    }
    std::error_code wait(std::size_t lane_number, const pooled_event& event, std::string* words) {
        const current_scope scope{context_};
        driver::status status = scope.status();
        if (status == driver::status::success) status = context_.driver->stream_wait_event(lane(lane_number), event.event, 0);
        if (status == driver::status::success) return {};
        return driver_failed(context_, status, words, "hanabi::dispatcher: letting a part of an expression wait for another");
    }

  private:
    driver::status fork_to(std::size_t lanes) {
        const driver::table& driver = *context_.driver;
        driver::status status = driver::status::success;
        while (lanes > count_ + 1 && status == driver::status::success) {
            pooled_stream* lent = nullptr;
            status = borrow(lent);
            if (status != driver::status::success) break;
            lanes_[count_++] = lent;
            // What the first event marks here it marks for all lanes: a wait is for the mark as it is at the call.
            if (count_ == 1) status = driver.event_record(lent->event, parent_);
            if (status == driver::status::success) status = driver.stream_wait_event(lent->stream, lanes_[0]->event, 0);
            if (status == driver::status::success) ++forked_;
        }
        return status;
    }
    driver::status finish() noexcept {
        if (forked_ == 0) return driver::status::success;
        const current_scope scope{context_};
        driver::status worst = scope.status();
        if (worst != driver::status::success) {
            forked_ = 0;
            return worst;
        }
        const driver::table& driver = *context_.driver;
        for (; forked_ != 0; --forked_) {
            pooled_stream& lane = *lanes_[forked_ - 1];
            driver::status status = driver.event_record(lane.event, lane.stream);
            if (status == driver::status::success) status = driver.stream_wait_event(parent_, lane.event, 0);
            if (status != driver::status::success) worst = status;
        }
        return worst;
    }
    void give_back() noexcept {
        if (count_ == 0 && events_ == nullptr && spare_ == nullptr) return;
        const detail::lock held{context_.pool.guard};
        for (; count_ != 0; --count_) {
            pooled_stream* const lane = lanes_[count_ - 1];
            lane->next = context_.pool.streams;
            context_.pool.streams = lane;
        }
        for (pooled_event** list : {&events_, &spare_})
            while (*list != nullptr) {
                pooled_event* const event = *list;
                *list = event->next;
                event->next = context_.pool.events;
                context_.pool.events = event;
            }
    }

    /// A stream of the pool, or a new one. Those that are part of somebody's capture are left alone until it has ended.
    driver::status borrow(pooled_stream*& lent) {
        const driver::table& driver = *context_.driver;
        {
            const detail::lock held{context_.pool.guard};
            for (pooled_stream** at = &context_.pool.streams; *at != nullptr; at = &(*at)->next) {
                bool capturing = false;
                if (const driver::status status = ask_capturing(driver, (*at)->stream, capturing); status != driver::status::success)
                    return status;
                if (capturing) continue;
                lent = *at;
                *at = lent->next;
                return driver::status::success;
            }
        }
        const relaxed_capture relaxed{driver};
        pooled_stream* const made = new pooled_stream;
        driver::status status = driver.stream_create_with_priority(&made->stream, driver::stream_flags::non_blocking, 0);
        if (status == driver::status::success) {
            status = driver.event_create(&made->event, driver::event_flags::disable_timing);
            if (status != driver::status::success) static_cast<void>(driver.stream_destroy(made->stream));
        }
        if (status == driver::status::success)
            lent = made;
        else
            delete made;
        return status;
    }
    /// An event, given back with the streams or reused before.
    driver::status borrow(pooled_event*& lent) {
        pooled_event* found = spare_;
        if (found != nullptr)
            spare_ = found->next;
        else {
            const detail::lock held{context_.pool.guard};
            found = context_.pool.events;
            if (found != nullptr) context_.pool.events = found->next;
        }
        if (found == nullptr) {
            found = new pooled_event;
            const driver::status status = context_.driver->event_create(&found->event, driver::event_flags::disable_timing);
            if (status != driver::status::success) {
                delete found;
                return status;
            }
        }
        found->next = events_;
        events_ = found;
        lent = found;
        return driver::status::success;
    }

    context_state& context_;
    driver::stream_handle parent_;
    pooled_stream* lanes_[most - 1] = {};
    std::size_t count_ = 0;          ///< of lanes lent
    std::size_t forked_ = 0;         ///< of those that began and are to be waited for
    pooled_event* events_ = nullptr; ///< that are waited for, or will be
    pooled_event* spare_ = nullptr;
};

using fork_streams = basic_fork_streams<void>;

} // namespace hanabi::detail

#endif
