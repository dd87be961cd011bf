// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host driver's own CUPTI: activity records of its work, for cupti::session and for tests.

#ifndef HANABI_HOST_CUPTI_HPP
#define HANABI_HOST_CUPTI_HPP

#include <hanabi/activity/record.hpp>
#include <hanabi/config.hpp>
#include <hanabi/cupti/status.hpp>
#include <hanabi/cupti/table.hpp>
#include <hanabi/host/linkage.hpp>

namespace hanabi::host {

/// CUPTI's entry points over the host driver: what a session records with, as it would with a device. Records are in CUDA
/// 13.0's layout and of the host's clock. It keeps CUPTI's rules: buffers come from the client and go back to it, a record
/// that finds none is dropped and counted, the count resets on reading, flush 0 and 1 differ, a kernel that runs while
/// everything is flushed is delivered without its end and never again, there is one subscriber. Kernels of a graph are
/// recorded one by one, with the graph's number and the node's. Lives as long as the process.
HANABI_SHARED HANABI_HOST_INLINE const cupti::table& cupti_table() noexcept;

/// Makes the nth call of an entry from now on (1: the next), and the `times - 1` after it (~0u: for ever), return `with`
/// and do nothing else: 39 for another client, 35 for no privileges, 15 for a library that is too new, 999 for no driver.
HANABI_SHARED HANABI_HOST_INLINE void cupti_fail(cupti::entry entry, cupti::status with, unsigned nth = 1, unsigned times = 1);

/// The next so many kernels, copies and fills are recorded without time, start and end 0, as when a device has no room for
/// times.
HANABI_SHARED HANABI_HOST_INLINE void cupti_without_time(unsigned records);

/// Puts a record into the stream of records, as if the driver's work had made it. False if its kind is not enabled, or there was no
/// buffer for it.
HANABI_SHARED HANABI_HOST_INLINE bool cupti_put(const activity_record& r);

/// As at the beginning: nothing enabled, nobody subscribed, no callbacks, no orders to fail, and the client has its buffers
/// back. No work may be under way. host::reset() leaves CUPTI alone.
HANABI_SHARED HANABI_HOST_INLINE void cupti_reset();

} // namespace hanabi::host

#if defined(HANABI_HOST_SEPARATE)
/// The hook by which the library finds it.
extern "C" HANABI_SHARED const hanabi::cupti::table* hanabi_host_cupti_table() noexcept;
/// Takes it out of the library that it was compiled into: the hook, a weak reference, would not.
[[maybe_unused]] __attribute__((used)) static const auto hanabi_host_cupti_wanted = &hanabi::host::cupti_table;
#else
#include <hanabi/host/src.hpp>
#endif

#endif
