// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Printing of what lives at run time: devices, contexts, streams, events, modules and registries.

#ifndef HANABI_TEST_PRINT_CONTEXT_HPP
#define HANABI_TEST_PRINT_CONTEXT_HPP

#include <hanabi/context.hpp>
#include <hanabi/device_limits.hpp>
#include <hanabi/event.hpp>
#include <hanabi/module_source.hpp>
#include <hanabi/registry.hpp>
#include <hanabi/stream.hpp>
#include <hanabi/test/print_name.hpp>

#include <ostream>
#include <string>

namespace hanabi {

/// `9.0`.
inline std::ostream& operator<<(std::ostream& out, compute_capability c) {
    return out << std::to_string(c.major) + "." + std::to_string(c.minor);
}

/// Every limit.
inline std::ostream& operator<<(std::ostream& out, const device_limits& l) {
    const auto axes = [](const unsigned(&e)[3]) {
        return "(" + std::to_string(e[0]) + ", " + std::to_string(e[1]) + ", " + std::to_string(e[2]) + ")";
    };
    const auto number = [](unsigned n) { return std::to_string(n); };
    out << "grid " << axes(l.max_grid) << ", block " << axes(l.max_block) << " of " << number(l.max_threads_per_block)
        << " threads in warps of " << number(l.warp_size) << ", shared memory of a block " << number(l.shared_per_block) << " ("
        << number(l.shared_per_block_optin) << " by opt-in, " << number(l.reserved_shared_per_block) << " reserved), registers of a block "
        << number(l.max_registers_per_block) << ", " << number(l.multiprocessors) << " multiprocessors of "
        << number(l.max_threads_per_multiprocessor) << " threads, " << number(l.max_blocks_per_multiprocessor) << " blocks, "
        << number(l.shared_per_multiprocessor) << " bytes shared and " << number(l.max_registers_per_multiprocessor)
        << " registers, L2 cache " << number(l.l2_cache_size) << " (" << number(l.max_persisting_l2_cache_size)
        << " persisting, windows of " << number(l.max_access_policy_window_size) << "), " << number(l.mem_sync_domains)
        << " memory synchronisation domains";
    const auto flag = [&](bool has, const char* what) { out << (has ? ", " : ", no ") << what; };
    flag(l.cooperative_launch, "cooperative launch");
    flag(l.cluster_launch, "clusters");
    flag(l.memory_pools, "memory pools");
    flag(l.tensor_maps, "tensor maps");
    flag(l.unified_addressing, "unified addressing");
    flag(l.stream_priorities, "stream priorities");
    return out;
}

/// `priorities 0 to -5`, from the least urgent.
inline std::ostream& operator<<(std::ostream& out, stream_priority_range r) {
    return out << "priorities " << std::to_string(r.least) << " to " << std::to_string(r.greatest);
}

/// `context of device 0 (NVIDIA H200)`.
inline std::ostream& operator<<(std::ostream& out, const context& c) {
    return out << "context of device " << std::to_string(c.ordinal()) << " (" << c.device_name() << ")";
}

/// `stream 0x7f0010 of device 0`, `legacy default stream of device 0`, `stream (moved from)`.
inline std::ostream& operator<<(std::ostream& out, const stream& s) {
    if (s.state() == nullptr) return out << "stream (moved from)";
    const auto raw = reinterpret_cast<std::uintptr_t>(s.state()->handle);
    if (raw == 0 || raw == driver::stream_legacy)
        out << "legacy default stream";
    else if (raw == driver::stream_per_thread)
        out << "default stream of each thread";
    else
        out << "stream " << test::detail::address_text(raw);
    return out << " of device " << std::to_string(s.state()->context->ordinal);
}

/// `priority 0, blocking`.
inline std::ostream& operator<<(std::ostream& out, stream_options o) {
    return out << "priority " << std::to_string(o.priority) << (o.blocking ? ", blocking" : ", non-blocking");
}

/// `event 0x7f0010 of device 0, without timing`, `event (moved from)`.
inline std::ostream& operator<<(std::ostream& out, const event& e) {
    if (e.handle() == nullptr) return out << "event (moved from)";
    return out << "event " << test::detail::address_text(e.handle()) << " of device " << std::to_string(e.context().ordinal())
               << (e.has_timing() ? "" : ", without timing");
}

/// `module 'blas', 345 bytes`.
inline std::ostream& operator<<(std::ostream& out, const module_source& m) {
    return out << "module '" << m.name << "', " << test::detail::counted(m.bytes.size(), "byte");
}

/// `registry of 'blas', 'fft' on device 0 (NVIDIA H200)`; after unload, `unloaded registry ...`.
inline std::ostream& operator<<(std::ostream& out, const registry& r) {
    out << (r.loaded() ? "registry" : "unloaded registry");
    const char* before = " of '";
    for (const std::string& name : r.names()) {
        out << before << name << "'";
        before = ", '";
    }
    const context c = r.context();
    return out << " on device " << std::to_string(c.ordinal()) << " (" << c.device_name() << ")";
}

} // namespace hanabi

#endif
