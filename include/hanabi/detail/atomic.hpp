// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// atomic: the operations of std::atomic that the library needs, at a twentieth of what <atomic> costs each source to
/// compile. Thread sanitizers know the builtins as they know std::atomic, which is made of them.

#ifndef HANABI_DETAIL_ATOMIC_HPP
#define HANABI_DETAIL_ATOMIC_HPP

#include <hanabi/config.hpp>

namespace hanabi::detail {

/// A word read and written by many threads. The order of each operation is in its name: what was written before a release
/// is seen after the acquire that reads it.
template <class T>
class atomic {
  public:
    constexpr atomic() noexcept = default;
    constexpr atomic(T value) noexcept : value_{value} {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    HANABI_INLINE T relaxed() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
    HANABI_INLINE T acquire() const noexcept { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
    HANABI_INLINE void relaxed(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }
    HANABI_INLINE void release(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }

    /// Puts a value in and gives the one before.
    T exchange(T value) noexcept { return __atomic_exchange_n(&value_, value, __ATOMIC_ACQ_REL); }
    /// Puts a value in if the one there is `expected`, which else becomes the one there.
    bool compare_exchange(T& expected, T value) noexcept {
        return __atomic_compare_exchange_n(&value_, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    }
    /// Adds, and gives the sum.
    T add(T value) noexcept { return __atomic_add_fetch(&value_, value, __ATOMIC_ACQ_REL); }

  private:
    T value_{};
};

} // namespace hanabi::detail

#endif
