// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What is behind the functions that programs control the host driver by: those of define, fault, launches, leaks and setup.

#ifndef HANABI_HOST_CONTROL_HPP
#define HANABI_HOST_CONTROL_HPP

#include <hanabi/host/conditional.hpp>
#include <hanabi/host/define.hpp>
#include <hanabi/host/fault.hpp>
#include <hanabi/host/launches.hpp>
#include <hanabi/host/leaks.hpp>
#include <hanabi/host/linkage.hpp>
#include <hanabi/host/races.hpp>
#include <hanabi/host/setup.hpp>
#include <hanabi/host/state.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host {

namespace detail {

HANABI_HOST_INLINE void define_body(std::shared_ptr<const typed_body> body) { state().define(std::move(body)); }
HANABI_HOST_INLINE bool undefine_body(const std::string& module, const std::string& symbol) { return state().undefine(module, symbol); }

} // namespace detail

HANABI_HOST_INLINE void clear_definitions() { detail::state().clear_definitions(); }

HANABI_HOST_INLINE void fail(driver::entry entry, driver::status with, unsigned nth, unsigned times, std::string text) {
    detail::state().faults.add(entry, with, nth, times, std::move(text));
}

HANABI_HOST_INLINE void fail_everything(driver::status with) noexcept { detail::state().faults.everything(with); }

HANABI_HOST_INLINE void clear_faults() { detail::state().faults.clear(); }

HANABI_HOST_INLINE std::uint64_t calls(driver::entry entry) noexcept { return detail::state().faults.calls(entry); }

HANABI_HOST_INLINE std::uint64_t calls() noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < driver::entry_count; ++i) sum += detail::state().faults.calls(static_cast<driver::entry>(i));
    return sum;
}

HANABI_HOST_INLINE void clear_calls() noexcept { detail::state().faults.clear_calls(); }

HANABI_HOST_INLINE void accept_unknown_functions(bool accept) {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    state.settings.accept_unknown_functions = accept;
}

HANABI_HOST_INLINE std::vector<launch_record> launches() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    return {state.launches.begin(), state.launches.end()};
}

HANABI_HOST_INLINE std::uint64_t launch_count() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    return state.launch_count;
}

HANABI_HOST_INLINE void clear_launches() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    state.launches.clear();
    state.launch_count = 0;
}

HANABI_HOST_INLINE std::vector<race> races() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    return state.races.found();
}

HANABI_HOST_INLINE void clear_races() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    state.races.forget_found();
}

HANABI_HOST_INLINE void set_conditional(driver::graph_conditional_handle handle, unsigned value) {
    if (!detail::state().set_condition(handle, value)) throw std::out_of_range{"set_conditional: no such conditional handle"};
}

HANABI_HOST_INLINE balance_sheet balance() {
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
    for (const auto& [handle, graph] : state.graphs)
        if (!graph->owned) ++sheet.graphs;
    sheet.executables = state.executables.size();
    sheet.user_objects = state.users.size();
    sheet.lost_with_context = state.lost_objects;
    return sheet;
}

HANABI_HOST_INLINE std::vector<leak> leaks() {
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
    for (const auto& [handle, graph] : state.graphs)
        if (!graph->owned)
            add("graph", handle,
                detail::say("a graph of ", graph->nodes.size(), " nodes was never destroyed",
                            graph->capturing ? ": its capture never ended" : ""));
    for (const auto& [handle, exec] : state.executables)
        add("executable graph", handle, detail::say("an executable graph of ", exec->top->nodes.size(), " nodes was never destroyed"));
    for (const auto& [handle, user] : state.users)
        add("user object", handle, detail::say("a user object has ", user->references, " references left"));
    for (const auto& [handle, context] : state.contexts)
        add("context", handle,
            detail::say(context->primary ? "the primary context of device " : "a context of device ", context->device, " is alive"));
    return all;
}

HANABI_HOST_INLINE void configure(std::vector<device_config> devices) { detail::state().restart(std::move(devices)); }

HANABI_HOST_INLINE bool device_reset(int ordinal) {
    auto& state = detail::state();
    std::unique_lock lock{state.mutex};
    if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= state.devices.size()) return false;
    const auto doomed = state.devices[static_cast<std::size_t>(ordinal)].primary;
    if (doomed == nullptr) return false;
    state.destroy_context(lock, doomed);
    return true;
}

HANABI_HOST_INLINE options current_options() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    return state.settings;
}

HANABI_HOST_INLINE void set_options(const options& wanted) {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    state.settings = wanted;
}

HANABI_HOST_INLINE bool break_context(driver::status with, std::string text) {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    const auto& me = detail::this_thread();
    if (me.epoch != state.epoch.load(std::memory_order_relaxed)) return false;
    const auto found = state.contexts.find(me.current);
    if (found == state.contexts.end()) return false;
    state.break_context(*found->second, with, std::move(text));
    return true;
}

} // namespace hanabi::host

#endif
