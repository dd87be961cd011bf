// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What is alive, and what was forgotten: counts and a list of everything that nobody freed.

#ifndef HANABI_HOST_LEAKS_HPP
#define HANABI_HOST_LEAKS_HPP

#include <hanabi/host/state.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace hanabi::host {

/// Live objects, counted. Two are equal when every number is.
struct balance_sheet {
    std::size_t device_allocations = 0, device_bytes = 0; ///< cuMemAlloc and cuMemAllocAsync; not variables of modules
    std::size_t pinned_allocations = 0, pinned_bytes = 0;
    std::size_t contexts = 0, streams = 0, events = 0, modules = 0; ///< not the default streams
    /// Streams, events, modules and allocations that their context took with it when it was destroyed, since reset().
    std::size_t lost_with_context = 0;

    friend bool operator==(const balance_sheet&, const balance_sheet&) = default;
    /// Nothing is alive, and nothing had to be cleaned up.
    bool is_zero() const noexcept { return *this == balance_sheet{}; }
};

/// One thing that is alive.
struct leak {
    std::string kind;         ///< "device memory", "pinned memory", "stream", "event", "module" or "context"
    std::size_t size = 0;     ///< bytes; 0 for handles
    std::uintptr_t where = 0; ///< the address, or the handle's value
    std::string text;         ///< a sentence with what else is known
};

/// Counts everything alive. Work that is under way still counts: synchronise first. Any thread.
inline balance_sheet balance() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    balance_sheet sheet;
    state.memory.each_live([&](const detail::allocation& a) {
        if (a.leaving || a.kind == detail::memory_kind::variable) return;
        if (a.kind == detail::memory_kind::pinned) {
            ++sheet.pinned_allocations;
            sheet.pinned_bytes += a.size;
        } else {
            ++sheet.device_allocations;
            sheet.device_bytes += a.size;
        }
    });
    sheet.contexts = state.contexts.size();
    sheet.streams = state.streams.size();
    sheet.events = state.events.size();
    sheet.modules = state.modules.size();
    sheet.lost_with_context = state.lost_objects;
    return sheet;
}

/// Lists everything alive, memory first. Any thread.
inline std::vector<leak> leaks() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    std::vector<leak> all;
    state.memory.each_live([&](const detail::allocation& a) {
        if (a.leaving || a.kind == detail::memory_kind::variable) return;
        all.push_back(
            {a.kind == detail::memory_kind::pinned ? "pinned memory" : "device memory", a.size, a.base,
             detail::say(a.text(), a.kind == detail::memory_kind::pinned ? "" : detail::say(" on device ", a.device), " was never freed")});
    });
    const auto add = [&](const char* kind, std::uintptr_t handle, std::string text) { all.push_back({kind, 0, handle, std::move(text)}); };
    for (const auto& [handle, stream] : state.streams)
        add("stream", handle,
            detail::say("a ", stream->flags != 0 ? "non-blocking " : "", "stream of device ", stream->context->device,
                        " was never destroyed"));
    for (const auto& [handle, event] : state.events)
        add("event", handle, detail::say("an event of device ", event->context->device, " was never destroyed"));
    for (const auto& [handle, module] : state.modules)
        add("module", handle, detail::say("the module '", module->label, "' of device ", module->context->device, " was never unloaded"));
    for (const auto& [handle, context] : state.contexts)
        add("context", handle,
            detail::say(context->primary ? "the primary context of device " : "a context of device ", context->device, " is alive"));
    return all;
}

} // namespace hanabi::host

#endif
