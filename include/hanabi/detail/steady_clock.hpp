// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The clock of everything that is timed by the host.

#ifndef HANABI_DETAIL_STEADY_CLOCK_HPP
#define HANABI_DETAIL_STEADY_CLOCK_HPP

#include <hanabi/config.hpp>

#include <cstdint>

#if defined(_WIN32)
#include <chrono>
#else
#include <time.h>
#endif

namespace hanabi::detail {

/// Nanoseconds that never go back: CLOCK_MONOTONIC, or what the platform has like it. The epoch is the platform's. The
/// system's function and not <chrono>: that header costs more to compile than everything that uses this.
HANABI_INLINE std::uint64_t steady_now() noexcept {
#if defined(_WIN32)
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
#else
    ::timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

} // namespace hanabi::detail

#endif
