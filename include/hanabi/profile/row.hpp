// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a ledger hands to sinks: one row a launch or other activity, and the account at the end.

#ifndef HANABI_PROFILE_ROW_HPP
#define HANABI_PROFILE_ROW_HPP

#include <hanabi/activity/record.hpp>
#include <hanabi/profile/launch_entry.hpp>
#include <hanabi/profile/mismatch.hpp>

#include <cstdint>
#include <string_view>
#include <system_error>

namespace hanabi::profile {

/// What became of a launch's time. Each launch has exactly one.
enum class outcome : unsigned char {
    matched,      ///< it has its time
    without_time, ///< it is accounted for, but its times were not collected (zero time stamps)
    failed,       ///< the launch was refused: nothing ran
    dropped,      ///< there was no room for it, in the ledger or in the session that says it dropped so many
    incomplete,   ///< its record came without an end: it was running when everything had to be delivered
    undelivered,  ///< nothing came, and nobody knows why
    empty         ///< over(0): there was nothing to launch, and nothing ran
};

/// The outcome's name as it is spelt.
constexpr const char* name_of(outcome o) noexcept {
    switch (o) {
    case outcome::matched: return "matched";
    case outcome::without_time: return "without_time";
    case outcome::failed: return "failed";
    case outcome::dropped: return "dropped";
    case outcome::incomplete: return "incomplete";
    case outcome::undelivered: return "undelivered";
    case outcome::empty: return "empty";
    }
    return "unknown";
}

/// One line of the result. Valid during the call that hands it over; copy what must stay.
struct row {
    activity_kind kind{};                    ///< concurrent_kernel for launches
    outcome result = outcome::matched;       ///< always matched or without_time for what is no launch
    const launch_entry* launch = nullptr;    ///< null for what was not launched through the ledger's policies
    std::uint64_t launch_id = 0;             ///< 0 likewise
    std::string_view name;                   ///< the kernel's symbol, or what the record says
    std::uint64_t start = 0, end = 0;        ///< ns; both 0 where there is no time
    const char* source = "none";             ///< where start and end come from: "host clock", "events", "CUPTI", ...
    unsigned mismatched = 0;                 ///< bits of mismatch
    const activity_record* record = nullptr; ///< the activity record; null where none came

    bool timed() const noexcept { return result == outcome::matched; }
    /// ns; 0 where there is no time.
    std::uint64_t duration_ns() const noexcept { return timed() && end > start ? end - start : 0; }
    /// A row of a record that is no launch's, or one more of a launch: refers to the record.
    static row of(const activity_record& r, std::uint64_t launch_id) noexcept {
        row line;
        line.kind = r.kind == activity_kind::kernel ? activity_kind::concurrent_kernel : r.kind;
        line.launch_id = launch_id;
        line.result = r.timed() ? outcome::matched : r.unfinished() ? outcome::incomplete : outcome::without_time;
        if (r.name != nullptr) line.name = r.name;
        if (r.timed()) {
            line.start = r.start;
            line.end = r.end;
            line.source = "activity";
        }
        line.record = &r;
        return line;
    }
    bool is_kernel() const noexcept { return kind == activity_kind::concurrent_kernel || kind == activity_kind::kernel; }
};

/// How many launches there were and what became of them.
struct account {
    std::uint64_t launches = 0;
    std::uint64_t matched = 0, without_time = 0, failed = 0, dropped = 0, incomplete = 0, undelivered = 0, empty = 0;
    std::uint64_t pending = 0;    ///< still to be decided; 0 once finished
    std::uint64_t mismatched = 0; ///< executed otherwise than requested
    std::uint64_t others = 0;     ///< kernels that were not launched through the policies, further kernels of graph launches
    std::uint64_t late = 0;       ///< records of launches that had been decided before
    bool drops_known = true;      ///< false when a session can't say how many records it dropped
    std::uint64_t drops = 0;      ///< records that sessions say they dropped
    std::error_code drops_why;    ///< why that is unknown
    std::error_code unavailable;  ///< why a session could not record at all; success where it could
    bool never_started = false;   ///< a session was never asked to: its launches are dropped or undelivered

    /// True when every launch has its time: totals of them are of all of them.
    bool complete() const noexcept { return launches == matched + failed + empty && drops_known && drops == 0; }
    /// True when the outcomes add up to the number of launches; anything else is a fault of the library.
    bool adds_up() const noexcept {
        return launches == matched + without_time + failed + dropped + incomplete + undelivered + empty + pending;
    }
};

} // namespace hanabi::profile

#endif
