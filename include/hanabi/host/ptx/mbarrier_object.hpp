// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The 64-bit mbarrier object: PTX manual, "Parallel Synchronization and Communication Instructions: mbarrier". Its form is
/// the executor's own, as it is each device's.

#ifndef HANABI_HOST_PTX_MBARRIER_OBJECT_HPP
#define HANABI_HOST_PTX_MBARRIER_OBJECT_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hanabi::host::ptx {

namespace mbarrier_detail {

inline constexpr std::uint64_t most = (std::uint64_t{1} << 20) - 1;

/// The object taken apart: arrivals that are still to come, how many each phase takes, bytes that are still to come.
struct object {
    std::uint64_t pending = 0, expected = 0;
    std::int64_t bytes = 0;
    bool phase = false;

    static object of(std::uint64_t bits) noexcept {
        return {bits & most, bits >> 20 & most, static_cast<std::int64_t>(bits >> 40 & 0x3fffff) - (1 << 21), bits >> 63 != 0};
    }
    static object at(const std::byte* place) noexcept {
        std::uint64_t bits = 0;
        std::memcpy(&bits, place, 8);
        return of(bits);
    }
    std::uint64_t bits() const noexcept {
        return pending | expected << 20 | static_cast<std::uint64_t>(bytes + (1 << 21)) << 40 | static_cast<std::uint64_t>(phase) << 63;
    }
    void put(std::byte* place) const noexcept {
        const std::uint64_t v = bits();
        std::memcpy(place, &v, 8);
    }
    void settle() noexcept {
        if (pending != 0 || bytes != 0) return;
        phase = !phase;
        pending = expected;
    }
    void arrive(std::uint64_t n, unsigned lane) {
        if (n > pending)
            throw fault{driver::status::launch_failed,
                        detail::say("An mbarrier that waits for ", pending, " arrivals gets ", n, ": was it initialised?"), lane};
        pending -= n;
        settle();
    }
};

} // namespace mbarrier_detail

} // namespace hanabi::host::ptx

#endif
