// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The launches that the host driver accepted.

#ifndef HANABI_HOST_LAUNCHES_HPP
#define HANABI_HOST_LAUNCHES_HPP

#include <hanabi/host/launch_record.hpp>
#include <hanabi/host/state.hpp>

#include <cstdint>
#include <mutex>
#include <vector>

namespace hanabi::host {

/// Every launch since reset() or clear_launches(), oldest first; the newest options::kept_launches of them. A launch is
/// recorded when it is accepted, before it runs. Any thread.
inline std::vector<launch_record> launches() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    return {state.launches.begin(), state.launches.end()};
}

/// How many launches there were, kept or not.
inline std::uint64_t launch_count() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    return state.launch_count;
}

/// Forgets them.
inline void clear_launches() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    state.launches.clear();
    state.launch_count = 0;
}

} // namespace hanabi::host

#endif
