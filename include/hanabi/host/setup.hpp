// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Setting the host driver up and tearing it down, for programs and for tests.

#ifndef HANABI_HOST_SETUP_HPP
#define HANABI_HOST_SETUP_HPP

#include <hanabi/host/config.hpp>
#include <hanabi/host/state.hpp>

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host {

/// Ends everything (waits for all work; every context, module, stream, event and allocation dies; faults, records, logs,
/// counts and options are as at the beginning) and goes on with these devices; with none, cuInit answers
/// CUDA_ERROR_NO_DEVICE. Bodies stay defined, and cuInit stays called. No other thread may be inside a call of the driver
/// that waits.
inline void configure(std::vector<device_config> devices) { detail::state().restart(std::move(devices)); }

/// The same; by default with one device, and everything about it the default.
inline void reset(std::vector<device_config> devices = {device_config{}}) { configure(std::move(devices)); }

/// What cudaDeviceReset does behind everybody's back: waits for the work in the device's primary context and destroys it
/// with all it holds, whoever retained it. It stays retained, and inactive: calls with it current answer
/// CUDA_ERROR_CONTEXT_IS_DESTROYED. The next cuDevicePrimaryCtxRetain makes it anew, under the same handle and another
/// id. False if there is no such device, or nothing to destroy.
inline bool device_reset(int ordinal) {
    auto& state = detail::state();
    std::unique_lock lock{state.mutex};
    if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= state.devices.size()) return false;
    const auto doomed = state.devices[static_cast<std::size_t>(ordinal)].primary;
    if (doomed == nullptr) return false;
    state.destroy_context(lock, doomed);
    return true;
}

/// The options in force.
inline options current_options() {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    return state.settings;
}

/// Puts options into force for the calls from now on.
inline void set_options(const options& wanted) {
    auto& state = detail::state();
    const std::lock_guard lock{state.mutex};
    state.settings = wanted;
}

/// Breaks the context that is current to the calling thread, as a kernel that faults: every call in it answers `with`
/// from now on. False if none is current.
inline bool break_context(driver::status with, std::string text = "the context was broken by host::break_context") {
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
