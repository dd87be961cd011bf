// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Pools of event pairs: a device's own times of launches, where there is no CUPTI.

#ifndef HANABI_PROFILE_EVENT_POOL_HPP
#define HANABI_PROFILE_EVENT_POOL_HPP

#include <hanabi/activity/drop_count.hpp>
#include <hanabi/context.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/steady_clock.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/profile/ledger.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <system_error>
#include <utility>

namespace hanabi::profile {

/// Pairs of events of one context, taken by the events policy and given back once their time is known. All are made at the
/// start. Neither copied nor moved; outlives the policies; must die before its ledger. Any thread.
class event_pool {
  public:
    /// Makes the events: `pairs` of them, rounded up to a power of two, at most 65536; that many launches can be on their way at once, further
    /// ones are without time. Does not throw for what the driver refuses: status() says.
    event_pool(const hanabi::context& in, profile::ledger& into, std::size_t pairs = 1024) : context_{in.state()}, ledger_{&into} {
        std::size_t size = 1;
        while (size < pairs && size < 65536) size *= 2;
        pairs_ = std::make_unique<pair[]>(size);
        mask_ = size - 1;
        const hanabi::detail::current_scope scope{*context_};
        driver::status s = scope.status();
        const driver::table& table = *context_->driver;
        for (std::size_t i = 0; i < size && s == driver::status::success; ++i) {
            s = table.event_create(&pairs_[i].start, driver::event_flags::automatic);
            if (s == driver::status::success) s = table.event_create(&pairs_[i].stop, driver::event_flags::automatic);
        }
        if (s == driver::status::success) s = table.event_create(&anchor_, driver::event_flags::automatic);
        if (s == driver::status::success) s = table.event_record(anchor_, context_->stream);
        if (s == driver::status::success) s = table.event_synchronize(anchor_);
        anchor_time_ = hanabi::detail::steady_now();
        if (s != driver::status::success) status_ = hanabi::detail::driver_error_code(context_.get(), s);
    }
    event_pool(const hanabi::context& in, profile::ledger&& into, std::size_t pairs = 1024) = delete;
    event_pool(const event_pool&) = delete;
    event_pool& operator=(const event_pool&) = delete;
    ~event_pool() {
        hanabi::detail::tear_down(*context_, "destroying a pool of events", [this] {
            driver::status worst = driver::status::success;
            const auto destroy = [&](driver::event_handle e) {
                if (e == nullptr) return;
                if (const driver::status s = context_->driver->event_destroy(e); s != driver::status::success) worst = s;
            };
            for (std::size_t i = 0; i <= mask_; ++i) {
                destroy(pairs_[i].start);
                destroy(pairs_[i].stop);
            }
            destroy(anchor_);
            return worst;
        });
    }

    // What a ledger asks of a session.

    /// Looks which launches are done and tells the ledger their times. Waits for nothing. How many there were.
    template <class Visitor>
    std::size_t drain(Visitor&&) {
        return resolve();
    }
    /// \overload
    std::size_t resolve() {
        const hanabi::detail::lock held{mutex_};
        const hanabi::detail::current_scope scope{*context_};
        std::size_t count = 0;
        for (std::size_t i = 0; i <= mask_; ++i) count += resolve(pairs_[i], scope.status());
        return count;
    }
    /// Waits until all launches are done.
    std::error_code flush_all() noexcept {
        const hanabi::detail::lock held{mutex_};
        const hanabi::detail::current_scope scope{*context_};
        driver::status s = scope.status();
        for (std::size_t i = 0; i <= mask_ && s == driver::status::success; ++i)
            if (pairs_[i].state.acquire() == pair_state::recorded) s = context_->driver->event_synchronize(pairs_[i].stop);
        return s == driver::status::success ? std::error_code{} : hanabi::detail::driver_error_code(context_.get(), s);
    }
    /// Events drop nothing: launches that found no pair are without time.
    drop_count drops() const noexcept { return {}; }
    /// Why there are no events; success where there are.
    std::error_code status() const noexcept { return status_; }
    const char* time_source() const noexcept { return "events"; }

    /// Launches that found no pair free.
    std::uint64_t starved() const noexcept { return starved_.relaxed(); }
    /// Launches that events can't time: into a capture, or in another context.
    std::uint64_t unsuited() const noexcept { return unsuited_.relaxed(); }

  private:
    friend class events;

    struct pair_state {
        static constexpr unsigned free = 0, taken = 1, recorded = 2;
    };
    struct pair {
        hanabi::detail::atomic<unsigned> state{pair_state::free};
        std::uint64_t id = 0;
        driver::event_handle start = nullptr, stop = nullptr;
    };

    /// Before the launch: a pair whose first event is recorded, or null.
    pair* begin(const launch_view& view) noexcept {
        if (status_) return nullptr;
        const driver::table& table = *context_->driver;
        driver::capture_status capturing{};
        if (view.context != context_->handle ||
            (table.stream_is_capturing != nullptr && table.stream_is_capturing(view.stream, &capturing) == driver::status::success &&
             capturing != driver::capture_status{})) {
            unsuited_.add(1);
            return nullptr;
        }
        pair& p = pairs_[next_.add(1) & mask_];
        unsigned expected = pair_state::free;
        if (!p.state.compare_exchange(expected, pair_state::taken)) {
            starved_.add(1);
            return nullptr;
        }
        if (record(p.start, view.stream)) return &p;
        p.state.release(pair_state::free);
        return nullptr;
    }
    /// After it. Whether its time will come.
    bool end(pair& p, const launch_view& view, std::uint64_t id, bool launched) noexcept {
        p.id = id;
        const bool good = launched && record(p.stop, view.stream);
        p.state.release(good ? pair_state::recorded : pair_state::free);
        return good;
    }
    bool record(driver::event_handle event, driver::stream_handle stream) const noexcept {
        const hanabi::detail::current_scope scope{*context_};
        return scope.status() == driver::status::success && context_->driver->event_record(event, stream) == driver::status::success;
    }

    std::size_t resolve(pair& p, driver::status s) {
        if (p.state.acquire() != pair_state::recorded) return 0;
        const driver::table& table = *context_->driver;
        if (s == driver::status::success) s = table.event_query(p.stop);
        if (s == driver::status::not_ready) return 0;
        float since = 0, took = 0;
        if (s == driver::status::success) s = table.event_elapsed_time(&since, anchor_, p.start);
        if (s == driver::status::success) s = table.event_elapsed_time(&took, p.start, p.stop);
        if (s != driver::status::success)
            ledger_->take_time(p.id, 0, 0);
        else {
            const std::uint64_t start = anchor_time_ + nanoseconds(since);
            ledger_->take_time(p.id, start, start + nanoseconds(took));
            if (since > 1000.0f) { // milliseconds in a float: it would get coarser than the events are
                std::swap(anchor_, p.start);
                anchor_time_ = start;
            }
        }
        p.state.release(pair_state::free);
        return 1;
    }
    static std::uint64_t nanoseconds(float milliseconds) noexcept {
        return milliseconds <= 0 ? 0 : static_cast<std::uint64_t>(static_cast<double>(milliseconds) * 1e6 + 0.5);
    }

    hanabi::detail::shared<hanabi::detail::context_state> context_;
    profile::ledger* ledger_;
    std::unique_ptr<pair[]> pairs_;
    std::size_t mask_ = 0;
    std::error_code status_;
    hanabi::detail::atomic<std::uint64_t> next_{0}, starved_{0}, unsuited_{0};
    hanabi::detail::mutex mutex_; ///< of resolving
    driver::event_handle anchor_ = nullptr;
    std::uint64_t anchor_time_ = 0; ///< when the anchor was reached, by the host's clock
};

} // namespace hanabi::profile

#endif
