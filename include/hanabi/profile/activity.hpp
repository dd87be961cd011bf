// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The activity policy: each launch under an id that a session's activity records carry.

#ifndef HANABI_PROFILE_ACTIVITY_HPP
#define HANABI_PROFILE_ACTIVITY_HPP

#include <hanabi/activity/launch_mark.hpp>
#include <hanabi/config.hpp>
#include <hanabi/profile/ledger.hpp>

#include <concepts>
#include <cstdint>
#include <system_error>

namespace hanabi::profile {

/// What the activity policy needs of a session: activity_session and cupti::session are such.
template <class S>
concept activity_source = requires(S& session, const launch_view& view, launch_mark mark, std::error_code status) {
    { session.begin_launch(std::uint64_t{}) }
    noexcept->std::same_as<launch_mark>;
    { session.end_launch(std::uint64_t{}, view, mark, status) }
    noexcept;
    { session.status() }
    noexcept->std::same_as<std::error_code>;
    { session.time_source() }
    noexcept->std::same_as<const char*>;
};

} // namespace hanabi::profile

namespace hanabi::detail {

/// Ids of launches that no ledger counts. Threads take them by the thousand: adding to a number that all share waits for every
/// store before it.
HANABI_SHARED inline atomic<std::uint64_t> unlisted_launches{0};
struct unlisted_ids {
    static constexpr std::uint64_t taken_at_once = 1024;
    std::uint64_t last; ///< given; a multiple of taken_at_once: all are
};
HANABI_SHARED inline constinit thread_local unlisted_ids this_thread_ids{};

HANABI_COLD inline void take_unlisted_ids(std::uint64_t& last) noexcept {
    last = unlisted_launches.add(unlisted_ids::taken_at_once) - unlisted_ids::taken_at_once;
}
HANABI_INLINE std::uint64_t unlisted_id() noexcept {
    std::uint64_t& last = this_thread_ids.last;
    if (last % unlisted_ids::taken_at_once == 0) [[unlikely]]
        take_unlisted_ids(last);
    return ++last;
}

} // namespace hanabi::detail

namespace hanabi::profile {

/// Gives every launch an id and tells the session before and after: the records that it makes, or gets from CUPTI, carry the
/// id. With a ledger the launch is written down there, and ledger::collect(session) joins records and launches; without one,
/// session.drain() gives the bare records. What the session can't store it counts. Session and ledger outlive the
/// dispatchers; use one session with one ledger, or with none.
template <activity_source Session>
class activity {
  public:
    /// What passes from before to after.
    struct token {
        ticket held;
        launch_mark mark;
    };

    explicit activity(Session& session) noexcept : session_{&session} {}
    activity(Session& session, profile::ledger& into) noexcept : session_{&session}, ledger_{&into} {}
    // What is temporary would be gone before the first launch.
    explicit activity(Session&&) = delete;
    activity(Session&, profile::ledger&&) = delete;
    activity(Session&&, profile::ledger&) = delete;
    activity(Session&&, profile::ledger&&) = delete;

    HANABI_INLINE token before(const launch_view& view) const noexcept {
        ticket t;
        if (ledger_ != nullptr)
            t = ledger_->open(view);
        else
            t.id = hanabi::detail::unlisted_id();
        return {t, t.id == 0 ? launch_mark{} : session_->begin_launch(t.id)};
    }
    HANABI_INLINE void after(const launch_view& view, const token& t, const std::error_code& status) const noexcept {
        if (t.held.id == 0) return;
        session_->end_launch(t.held.id, view, t.mark, status);
        if (ledger_ == nullptr) return;
        if (t.held.entry != nullptr) [[likely]] {
            t.held.entry->source = session_->time_source();
            t.held.entry->awaits_record = true;
        }
        ledger_->close(t.held, view, status);
    }

    /// Why it can't measure: the session's status.
    std::error_code unavailable() const noexcept { return session_->status(); }

  private:
    Session* session_;
    profile::ledger* ledger_ = nullptr;
};

template <class Session>
activity(Session&) -> activity<Session>;
template <class Session>
activity(Session&, profile::ledger&) -> activity<Session>;

} // namespace hanabi::profile

#endif
