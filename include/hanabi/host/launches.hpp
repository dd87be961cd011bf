// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The launches that the host driver accepted.

#ifndef HANABI_HOST_LAUNCHES_HPP
#define HANABI_HOST_LAUNCHES_HPP

#include <hanabi/host/launch_record.hpp>
#include <hanabi/host/linkage.hpp>

#include <cstdint>
#include <vector>

namespace hanabi::host {

/// Every launch since reset() or clear_launches(), oldest first; the newest options::kept_launches of them. A launch is
/// recorded when it is accepted, before it runs. Any thread.
HANABI_SHARED HANABI_HOST_INLINE std::vector<launch_record> launches();

/// How many launches there were, kept or not.
HANABI_SHARED HANABI_HOST_INLINE std::uint64_t launch_count();

/// Forgets them.
HANABI_SHARED HANABI_HOST_INLINE void clear_launches();

} // namespace hanabi::host

#if !defined(HANABI_HOST_SEPARATE)
#include <hanabi/host/src.hpp>
#endif

#endif
