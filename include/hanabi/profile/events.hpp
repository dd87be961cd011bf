// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The events policy: a pair of events around each launch.

#ifndef HANABI_PROFILE_EVENTS_HPP
#define HANABI_PROFILE_EVENTS_HPP

#include <hanabi/config.hpp>
#include <hanabi/profile/event_pool.hpp>

#include <system_error>

namespace hanabi::profile {

/// Writes each launch down in the pool's ledger, and puts one event of a pair ahead of it on its stream and one behind. Two
/// driver calls a launch, about 2.4 us; nothing is waited for: ledger::collect(pool) reads what is done. Between the events
/// is more than the kernel, by some microseconds where the stream was idle. Launches into a capture are without time.
class events {
  public:
    /// What passes from before to after.
    struct token {
        ticket held;
        event_pool::pair* pair = nullptr;
    };

    explicit events(event_pool& pool) noexcept : pool_{&pool} {}
    explicit events(event_pool&&) = delete; // it would be gone before the first launch

    token before(const launch_view& view) const noexcept {
        const ticket t = pool_->ledger_->open(view);
        return {t, t.entry == nullptr ? nullptr : pool_->begin(view)};
    }
    void after(const launch_view& view, const token& t, const std::error_code& status) const noexcept {
        if (t.pair != nullptr && pool_->end(*t.pair, view, t.held.id, !status)) {
            t.held.entry->awaits_events = true;
            if (t.held.entry->source == nullptr || !t.held.entry->awaits_record) t.held.entry->source = "events";
        }
        pool_->ledger_->close(t.held, view, status);
    }

    /// Why it can't measure: the pool's status.
    std::error_code unavailable() const noexcept { return pool_->status(); }

  private:
    event_pool* pool_;
};

} // namespace hanabi::profile

#endif
