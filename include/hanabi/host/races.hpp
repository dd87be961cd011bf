// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Data races between operations: two that touch the same memory, one of them writing, with nothing that orders them. Looked
/// for with options::check_races, when the operations are submitted: a race is found whether or not it happened this time.

#ifndef HANABI_HOST_RACES_HPP
#define HANABI_HOST_RACES_HPP

#include <hanabi/host/linkage.hpp>
#include <hanabi/host/race.hpp>

#include <vector>

namespace hanabi::host {

/// The races found since reset() or clear_races(), the first 1000 of them. A kernel touches, for each of its pointer
/// parameters, all of the allocation that it points into (options::race_extent can say less), writing unless the pointee is
/// const; variables of modules and pinned memory touched from the host are not looked at. Any thread.
HANABI_SHARED HANABI_HOST_INLINE std::vector<race> races();

/// Forgets them.
HANABI_SHARED HANABI_HOST_INLINE void clear_races();

} // namespace hanabi::host

#if !defined(HANABI_HOST_SEPARATE)
#include <hanabi/host/src.hpp>
#endif

#endif
