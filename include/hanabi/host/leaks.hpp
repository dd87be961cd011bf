// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What is alive, and what was forgotten: counts and a list of everything that nobody freed.

#ifndef HANABI_HOST_LEAKS_HPP
#define HANABI_HOST_LEAKS_HPP

#include <hanabi/host/linkage.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hanabi::host {

/// Live objects, counted. Two are equal when every number is.
struct balance_sheet {
    std::size_t device_allocations = 0, device_bytes = 0; ///< cuMemAlloc and cuMemAllocAsync; not variables of modules
    std::size_t pinned_allocations = 0, pinned_bytes = 0;
    std::size_t contexts = 0, streams = 0, events = 0, modules = 0; ///< not the default streams
    std::size_t graphs = 0;                                         ///< those being captured with them, not those inside of nodes
    std::size_t executables = 0;                                    ///< executable graphs
    std::size_t user_objects = 0;                                   ///< with references left
    /// Streams, events, modules and allocations that their context took with it when it was destroyed, and graphs with work
    /// in it, since reset().
    std::size_t lost_with_context = 0;

    friend bool operator==(const balance_sheet&, const balance_sheet&) = default;
    /// Nothing is alive, and nothing had to be cleaned up.
    bool is_zero() const noexcept { return *this == balance_sheet{}; }
};

/// One thing that is alive.
struct leak {
    /// "device memory", "pinned memory", "stream", "event", "module", "graph", "executable graph", "user object" or "context"
    std::string kind;
    std::size_t size = 0;     ///< bytes; 0 for handles
    std::uintptr_t where = 0; ///< the address, or the handle's value
    std::string text;         ///< a sentence with what else is known
};

/// Counts everything alive. Work that is under way still counts: synchronise first. Any thread.
HANABI_SHARED HANABI_HOST_INLINE balance_sheet balance();

/// Lists everything alive, memory first. Any thread.
HANABI_SHARED HANABI_HOST_INLINE std::vector<leak> leaks();

} // namespace hanabi::host

#if !defined(HANABI_HOST_SEPARATE)
#include <hanabi/host/src.hpp>
#endif

#endif
