// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How often the process has been forked off: what was made before a fork is of no use behind it.

#ifndef HANABI_DETAIL_FORK_COUNT_HPP
#define HANABI_DETAIL_FORK_COUNT_HPP

#include <hanabi/config.hpp>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace hanabi::detail {

/// One more in every child. Not detail/fork.hpp's flag, which stands for CUDA having been used before.
HANABI_SHARED inline unsigned process_fork_count = 0;

#if !defined(_WIN32)
extern "C" HANABI_SHARED inline void hanabi_detail_count_fork_in_child() { ++process_fork_count; }
#endif

/// The count, which is kept from the first call on.
HANABI_SHARED inline unsigned count_forks() noexcept {
#if !defined(_WIN32)
    static const int registered = pthread_atfork(nullptr, nullptr, &hanabi_detail_count_fork_in_child);
    static_cast<void>(registered);
#endif
    return process_fork_count;
}

} // namespace hanabi::detail

#endif
