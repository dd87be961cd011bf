// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host_clock policy: how long the call of the driver takes on the host.

#ifndef HANABI_PROFILE_HOST_CLOCK_HPP
#define HANABI_PROFILE_HOST_CLOCK_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/steady_clock.hpp>
#include <hanabi/profile/ledger.hpp>

#include <system_error>

namespace hanabi::profile {

/// Writes each launch down in a ledger with the host's time before and after the driver's call. That is what the launch
/// costs the host, not how long the kernel runs. Two reads of the clock and a few ns a launch.
class host_clock {
  public:
    explicit host_clock(profile::ledger& into) noexcept : ledger_{&into} {}
    explicit host_clock(profile::ledger&&) = delete; // it would be gone before the first launch

    HANABI_INLINE ticket before(const launch_view& view) const noexcept {
        const ticket t = ledger_->open(view);
        if (t.entry != nullptr) [[likely]]
            t.entry->host_start = hanabi::detail::steady_now();
        return t;
    }
    HANABI_INLINE void after(const launch_view& view, const ticket& t, const std::error_code& status) const noexcept {
        if (t.entry != nullptr) [[likely]] {
            t.entry->host_end = hanabi::detail::steady_now();
            if (t.entry->source == nullptr) t.entry->source = "host clock";
        }
        ledger_->close(t, view, status);
    }

    /// Why it can't measure: it always can.
    std::error_code unavailable() const noexcept { return {}; }

  private:
    profile::ledger* ledger_;
};

} // namespace hanabi::profile

#endif
