// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What is behind the host driver's table: see <hanabi/host/table.hpp>, which includes this unless HANABI_HOST_SEPARATE is
/// defined.

#ifndef HANABI_HOST_SRC_HPP
#define HANABI_HOST_SRC_HPP

#include <hanabi/host/control.hpp>
#include <hanabi/host/cupti_entries.hpp>
#include <hanabi/host/entries_capture.hpp>
#include <hanabi/host/entries_context.hpp>
#include <hanabi/host/entries_copy.hpp>
#include <hanabi/host/entries_device.hpp>
#include <hanabi/host/entries_graph.hpp>
#include <hanabi/host/entries_graph_exec.hpp>
#include <hanabi/host/entries_graph_node.hpp>
#include <hanabi/host/entries_launch.hpp>
#include <hanabi/host/entries_memory.hpp>
#include <hanabi/host/entries_module.hpp>
#include <hanabi/host/entries_occupancy.hpp>
#include <hanabi/host/entries_stream.hpp>
#include <hanabi/host/entries_tensor_map.hpp>
#include <hanabi/host/table.hpp>

namespace hanabi::host {

namespace detail {

constexpr driver::table make_table() noexcept {
    driver::table t;
#define HANABI_ENTRY(member, name, version, need, parameters) t.member = &entries::member;
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    t.module_set_label = &entries::module_set_label;
    t.origin = "host driver";
    t.is_host = true;
    return t;
}

} // namespace detail

HANABI_HOST_INLINE const driver::table& table() noexcept {
    static constexpr driver::table only = detail::make_table();
    return only;
}

} // namespace hanabi::host

/// Found by the library through a weak reference: a program has the host driver when one of its source files includes
/// this header.
#if defined(_MSC_VER)
extern "C" inline const hanabi::driver::table* hanabi_host_driver_table() noexcept { return &hanabi::host::table(); }
#else
extern "C" __attribute__((used, weak, visibility("default"))) const hanabi::driver::table* hanabi_host_driver_table() noexcept {
    return &hanabi::host::table();
}
#endif

#endif
