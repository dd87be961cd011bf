// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Whether this process came out of a fork() after CUDA was used: the driver works in no such child, and says so in a
/// way that helps nobody, so the library remembers.

#ifndef HANABI_DETAIL_FORK_HPP
#define HANABI_DETAIL_FORK_HPP

#include <hanabi/config.hpp>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace hanabi::detail {

/// True in the child of a process that had made a context. Written once, by the fork handler, while the child has one
/// thread: plain reads are no race. A flag, because asking getpid() is a system call each time.
HANABI_SHARED inline bool process_forked = false;

#if !defined(_WIN32)
extern "C" HANABI_SHARED inline void hanabi_detail_after_fork_in_child() { process_forked = true; }
#endif

/// From now on, children are told. Called before the first context is made; any thread, any number of times.
HANABI_SHARED inline void watch_forks() noexcept {
#if !defined(_WIN32)
    static const int registered = pthread_atfork(nullptr, nullptr, &hanabi_detail_after_fork_in_child);
    static_cast<void>(registered); // fails for lack of memory only; then the driver's own status has to do
#endif
}

} // namespace hanabi::detail

#endif
