// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The definitions of hanabi/host/ptx.hpp: to be compiled once in a program that is built with HANABI_HOST_SEPARATE.

#ifndef HANABI_HOST_PTX_SRC_HPP
#define HANABI_HOST_PTX_SRC_HPP

#include <hanabi/host/executor.hpp>
#include <hanabi/host/linkage.hpp>
#include <hanabi/host/ptx.hpp>
#include <hanabi/host/ptx/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace hanabi::host {

HANABI_HOST_INLINE ptx_options current_ptx_options() {
    ptx::settings& s = ptx::process_settings();
    const std::lock_guard lock{s.mutex};
    return s.options;
}
HANABI_HOST_INLINE void set_ptx_options(const ptx_options& wanted) {
    ptx::settings& s = ptx::process_settings();
    const std::lock_guard lock{s.mutex};
    s.options = wanted;
}
HANABI_HOST_INLINE std::string last_ptx_fault() {
    ptx::settings& s = ptx::process_settings();
    const std::lock_guard lock{s.mutex};
    return s.last_fault;
}
HANABI_HOST_INLINE void clear_ptx_fault() {
    ptx::settings& s = ptx::process_settings();
    const std::lock_guard lock{s.mutex};
    s.last_fault.clear();
}
HANABI_HOST_INLINE std::uint64_t ptx_instructions() noexcept {
    return ptx::process_settings().instructions.load(std::memory_order_relaxed);
}

} // namespace hanabi::host

#if defined(__GNUC__) && !defined(_WIN32)
extern "C" __attribute__((used, weak, visibility("default"))) hanabi::host::detail::executor* hanabi_host_ptx_executor(const char* text,
                                                                                                                       std::size_t length) {
    return new hanabi::host::ptx::module_executor{text, length};
}
#endif

#endif
