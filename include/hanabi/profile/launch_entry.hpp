// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What is kept of a launch: a flat copy, made without building a string, from which everything can be told later.

#ifndef HANABI_PROFILE_LAUNCH_ENTRY_HPP
#define HANABI_PROFILE_LAUNCH_ENTRY_HPP

#include <hanabi/config.hpp>
#include <hanabi/launch_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <system_error>

namespace hanabi::profile {

/// Bytes of arguments that are kept of one launch; parameters that end beyond are told as `...`.
inline constexpr std::size_t kept_argument_bytes = 64;

/// A launch as the policies saw it. Refers to the descriptor and to the site's file name, which have static storage: a
/// plug-in that declares kernels must stay loaded until its launches have been handed to the sinks.
struct launch_entry {
    std::uint64_t id = 0; ///< unique in its ledger, never 0
    const descriptor* kernel = nullptr;
    driver::stream_handle stream = nullptr;
    driver::context_handle context = nullptr;
    launch_shape shape;                            ///< geometry and site as written
    std::uint32_t terms = 0;                       ///< bits of hanabi::term
    std::uint32_t thread = 0;                      ///< the operating system's number of the launching thread
    std::uint64_t host_start = 0;                  ///< ns; 0 where no policy looked at a host clock
    std::uint64_t host_end = 0;                    ///< ns
    const char* source = nullptr;                  ///< where its times come from: "host clock", "events", "CUPTI"; null for nowhere
    const std::error_category* category = nullptr; ///< of the status, where that is not 0
    std::int32_t status = 0;                       ///< the error code's value; 0 for a launch that succeeded
    bool awaits_record = false;                    ///< an activity record is to come
    bool awaits_events = false;                    ///< a pair of events is to be resolved
    bool in_graph = false;                         ///< a node of a plan's graph, not a launch of its own
    bool is_first = true;                          ///< of the launches that one call of the driver makes: a plan's replay makes many
    std::uint8_t argument_bytes = 0;               ///< of `arguments` in use
    alignas(16) std::byte arguments[kept_argument_bytes];

    const std::source_location& site() const noexcept { return shape.site; }
    bool failed() const noexcept { return status != 0; }
    /// A launch of nothing: over(...) or occupancy(...) of no elements. Policies see it, the driver does not.
    bool empty() const noexcept {
        return (terms & (term::over | term::occupancy)) != 0 && (shape.extent[0] == 0 || shape.extent[1] == 0 || shape.extent[2] == 0);
    }
    /// The launch's status as it was.
    std::error_code error() const noexcept { return status == 0 ? std::error_code{} : std::error_code{status, *category}; }
    /// The launch as its policies saw it. Arguments beyond argument_bytes must not be read.
    launch_view view() const noexcept { return {*kernel, shape, terms, stream, context, arguments}; }
    /// Blocks along an axis (0 is x); 0 where the driver chose them.
    std::uint64_t grid(unsigned axis) const noexcept { return view().grid(axis); }
    std::uint64_t block(unsigned axis) const noexcept { return shape.block[axis]; }
    /// Whether parameter number `i` was kept whole.
    bool has_argument(std::size_t i) const noexcept {
        return i < kernel->arity && kernel->parameters[i].offset + kernel->parameters[i].size <= argument_bytes;
    }
    /// Parameter number `i`, from 0, as a T; a T{} when there is none of that size, or it was not kept.
    template <class T>
    T argument(std::size_t i) const noexcept {
        T value{};
        if (has_argument(i) && kernel->parameters[i].size == sizeof value)
            std::memcpy(&value, arguments + kernel->parameters[i].offset, sizeof value);
        return value;
    }
};

} // namespace hanabi::profile

namespace hanabi::detail {

/// Readies an entry for the policies, ahead of a launch.
HANABI_INLINE void begin_entry(profile::launch_entry& e) noexcept {
    e.host_start = 0;
    e.host_end = 0;
    e.source = nullptr;
    e.awaits_record = false;
    e.awaits_events = false;
}

/// No loop: what is read by a variable index is in memory.
HANABI_INLINE void copy_axes(std::uint64_t (&to)[3], const std::uint64_t (&from)[3]) noexcept {
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
}

/// Copies what is to be kept of a launch, and what it came to, behind it: nothing of this delays the driver's call. Allocates
/// nothing.
HANABI_INLINE void end_entry(profile::launch_entry& e, const launch_view& view, const std::error_code& status) noexcept {
    e.kernel = &view.kernel;
    e.stream = view.stream;
    e.context = view.context;
    e.terms = view.terms;
    e.in_graph = view.node != nullptr;
    copy_axes(e.shape.extent, view.shape.extent);
    copy_axes(e.shape.block, view.shape.block);
    if ((view.terms & term::cluster) != 0)
        copy_axes(e.shape.cluster, view.shape.cluster);
    else
        e.shape.cluster[0] = 0;
    e.shape.shared = view.shape.shared;
    e.shape.site = view.shape.site;
    std::size_t size = 0;
    if (const unsigned arity = view.kernel.arity; arity != 0) {
        const parameter& last = view.kernel.parameters[arity - 1];
        size = last.offset + last.size;
        if (size > profile::kept_argument_bytes) size = profile::kept_argument_bytes;
        // Word by word: for the few words of most kernels this is over before a call of memcpy would be.
        std::size_t i = 0;
        for (; i + 8 <= size; i += 8) __builtin_memcpy(e.arguments + i, view.arguments + i, 8);
        if (i + 4 <= size) {
            __builtin_memcpy(e.arguments + i, view.arguments + i, 4);
            i += 4;
        }
        for (; i < size; ++i) e.arguments[i] = view.arguments[i];
    }
    e.argument_bytes = static_cast<std::uint8_t>(size);
    e.status = status.value();
    if (e.status != 0) [[unlikely]] // the category of success is a call away
        e.category = &status.category();
}

} // namespace hanabi::detail

#endif
