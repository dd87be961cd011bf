// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Profiling policies and the ledger of launches, all of them. The sessions are hanabi/activity.hpp's and hanabi/cupti.hpp's,
/// the sinks hanabi/trace.hpp's.

#ifndef HANABI_PROFILE_HPP
#define HANABI_PROFILE_HPP

#include <hanabi/profile/activity.hpp>
#include <hanabi/profile/event_pool.hpp>
#include <hanabi/profile/events.hpp>
#include <hanabi/profile/fallback.hpp>
#include <hanabi/profile/host_clock.hpp>
#include <hanabi/profile/ledger.hpp>
#include <hanabi/profile/log.hpp>
#include <hanabi/profile/nvtx.hpp>
#include <hanabi/profile/record.hpp>
#include <hanabi/profile/row.hpp>

#endif
