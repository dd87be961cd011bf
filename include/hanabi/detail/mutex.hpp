// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// mutex and lock: of the platform, without <mutex>, which brings <chrono> with it.

#ifndef HANABI_DETAIL_MUTEX_HPP
#define HANABI_DETAIL_MUTEX_HPP

#if defined(_WIN32)
#include <mutex>
#else
#include <pthread.h>
#endif

namespace hanabi::detail {

#if defined(_WIN32)
using mutex = std::mutex;
#else

/// A mutex.
class mutex {
  public:
    mutex() noexcept = default;
    ~mutex() { pthread_mutex_destroy(&native_); }
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;

    void lock() noexcept { pthread_mutex_lock(&native_); }
    void unlock() noexcept { pthread_mutex_unlock(&native_); }

  private:
    pthread_mutex_t native_ = PTHREAD_MUTEX_INITIALIZER;
};

#endif

/// Holds a mutex for the length of a scope.
class lock {
  public:
    explicit lock(mutex& held) : held_{held} { held_.lock(); }
    ~lock() { held_.unlock(); }
    lock(const lock&) = delete;
    lock& operator=(const lock&) = delete;

  private:
    mutex& held_;
};

} // namespace hanabi::detail

#endif
