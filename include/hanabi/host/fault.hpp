// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Faults on order: which calls fail without doing anything, and how often each entry was called.

#ifndef HANABI_HOST_FAULT_HPP
#define HANABI_HOST_FAULT_HPP

#include <hanabi/config.hpp>
#include <hanabi/driver/status.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/host/linkage.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace hanabi::host {

/// For `times` of fail(): from then on, always.
inline constexpr unsigned forever = ~0u;

/// Makes the nth call of an entry from now on (1: the next), and the `times - 1` after it, return `with` and do nothing
/// else. `text`, where given, is the explanation in the log, and for cuModuleLoadDataEx the content of the error log
/// buffer too. Several orders for one entry count independently. status::success is an order too: the call does nothing
/// and claims to have worked. Any thread.
HANABI_SHARED HANABI_HOST_INLINE void fail(driver::entry entry, driver::status with, unsigned nth = 1, unsigned times = 1,
                                           std::string text = {});

/// From now on every entry returns `with` and does nothing (but those that turn statuses into text and the logs): a
/// driver that has shut down (4), a context that has gone (709), a process beyond repair (700). status::success ends it.
HANABI_SHARED HANABI_HOST_INLINE void fail_everything(driver::status with) noexcept;

/// Forgets every order of fail() and fail_everything().
HANABI_SHARED HANABI_HOST_INLINE void clear_faults();

/// How often an entry was called since the last clear_calls() or reset(), failed calls included.
HANABI_SHARED HANABI_HOST_INLINE std::uint64_t calls(driver::entry entry) noexcept;

/// The calls of every entry together.
HANABI_SHARED HANABI_HOST_INLINE std::uint64_t calls() noexcept;

/// Sets every count to zero.
HANABI_SHARED HANABI_HOST_INLINE void clear_calls() noexcept;

/// Look-ups of unknown names succeed from now on, with a handle that can't be launched (options::accept_unknown_functions).
HANABI_SHARED HANABI_HOST_INLINE void accept_unknown_functions(bool accept);

} // namespace hanabi::host

#if !defined(HANABI_HOST_SEPARATE)
#include <hanabi/host/src.hpp>
#endif

#endif
