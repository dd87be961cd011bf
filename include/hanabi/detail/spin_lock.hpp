// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A lock for a few instructions, cheaper than a mutex where nobody else wants it.

#ifndef HANABI_DETAIL_SPIN_LOCK_HPP
#define HANABI_DETAIL_SPIN_LOCK_HPP

#include <hanabi/config.hpp>

#if !defined(_WIN32)
#include <sched.h>
#else
#include <thread>
#endif

namespace hanabi::detail {

/// Held for the writing of one record, never over a call of anybody else's. Taking it costs one atomic exchange; who does
/// not get it soon gives its processor away, so that a holder that lost its own can go on.
class spin_lock {
  public:
    HANABI_INLINE void lock() noexcept {
        if (__atomic_test_and_set(&held_, __ATOMIC_ACQUIRE)) [[unlikely]]
            wait();
    }
    HANABI_INLINE void unlock() noexcept { __atomic_clear(&held_, __ATOMIC_RELEASE); }

  private:
    HANABI_COLD void wait() noexcept {
        unsigned tries = 0;
        do {
            while (__atomic_load_n(&held_, __ATOMIC_RELAXED))
                if (++tries > 64) {
#if !defined(_WIN32)
                    ::sched_yield();
#else
                    std::this_thread::yield();
#endif
                }
        } while (__atomic_test_and_set(&held_, __ATOMIC_ACQUIRE));
    }

    bool held_ = false;
};

class spin_guard {
  public:
    HANABI_INLINE explicit spin_guard(spin_lock& held) noexcept : held_{held} { held_.lock(); }
    HANABI_INLINE ~spin_guard() { held_.unlock(); }
    spin_guard(const spin_guard&) = delete;
    spin_guard& operator=(const spin_guard&) = delete;

  private:
    spin_lock& held_;
};

} // namespace hanabi::detail

#endif
