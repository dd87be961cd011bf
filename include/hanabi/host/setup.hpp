// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Setting the host driver up and tearing it down, for programs and for tests.

#ifndef HANABI_HOST_SETUP_HPP
#define HANABI_HOST_SETUP_HPP

#include <hanabi/host/config.hpp>
#include <hanabi/host/linkage.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host {

/// Ends everything (waits for all work; every context, module, stream, event and allocation dies; faults, records, logs,
/// counts and options are as at the beginning) and goes on with these devices; with none, cuInit answers
/// CUDA_ERROR_NO_DEVICE. Bodies stay defined, and cuInit stays called. No other thread may be inside a call of the driver
/// that waits.
HANABI_SHARED HANABI_HOST_INLINE void configure(std::vector<device_config> devices);

/// The same; by default with one device, and everything about it the default.
inline void reset(std::vector<device_config> devices = {device_config{}}) { configure(std::move(devices)); }

/// What cudaDeviceReset does behind everybody's back: waits for the work in the device's primary context and destroys it
/// with all it holds, whoever retained it. It stays retained, and inactive: calls with it current answer
/// CUDA_ERROR_CONTEXT_IS_DESTROYED. The next cuDevicePrimaryCtxRetain makes it anew, under the same handle and another
/// id. False if there is no such device, or nothing to destroy.
HANABI_SHARED HANABI_HOST_INLINE bool device_reset(int ordinal);

/// The options in force.
HANABI_SHARED HANABI_HOST_INLINE options current_options();

/// Puts options into force for the calls from now on.
HANABI_SHARED HANABI_HOST_INLINE void set_options(const options& wanted);

/// Breaks the context that is current to the calling thread, as a kernel that faults: every call in it answers `with`
/// from now on. False if none is current.
HANABI_SHARED HANABI_HOST_INLINE bool break_context(driver::status with,
                                                    std::string text = "the context was broken by host::break_context");

} // namespace hanabi::host

#if !defined(HANABI_HOST_SEPARATE)
#include <hanabi/host/src.hpp>
#endif

#endif
