// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host driver's table, and the hook by which the library finds it.

#ifndef HANABI_HOST_TABLE_HPP
#define HANABI_HOST_TABLE_HPP

#include <hanabi/driver/table.hpp>
#include <hanabi/host/entries_context.hpp>
#include <hanabi/host/entries_copy.hpp>
#include <hanabi/host/entries_device.hpp>
#include <hanabi/host/entries_launch.hpp>
#include <hanabi/host/entries_memory.hpp>
#include <hanabi/host/entries_module.hpp>
#include <hanabi/host/entries_occupancy.hpp>
#include <hanabi/host/entries_stream.hpp>
#include <hanabi/host/tensor_map.hpp>

#include <initializer_list>
#include <mutex>
#include <vector>

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

/// The table; every entry is there. Lives as long as the process.
HANABI_SHARED inline const driver::table& table() noexcept {
    static constexpr driver::table only = detail::make_table();
    return only;
}

/// A copy of the table in which some entries are null, as in a driver that is older. Lives as long as the process: it is
/// never freed.
inline const driver::table& table_without(std::initializer_list<driver::entry> missing) {
    auto* const copy = new driver::table{table()};
    for (const driver::entry entry : missing) {
        switch (entry) {
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                                \
    case driver::entry::member: copy->member = nullptr; break;
            HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
        case driver::entry::count_: break;
        }
    }
    static std::mutex mutex;
    static auto* const kept = new std::vector<const driver::table*>; // reachable: for leak checkers it is no leak
    const std::lock_guard lock{mutex};
    kept->push_back(copy);
    return *copy;
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
