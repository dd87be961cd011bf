// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host driver's table, and the hook by which the library finds it. A program with many source files can compile what is
/// behind the table once: define HANABI_HOST_SEPARATE in all of them, and include <hanabi/host/src.hpp> in one, which may be
/// in a library.

#ifndef HANABI_HOST_TABLE_HPP
#define HANABI_HOST_TABLE_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/host/linkage.hpp>

#include <initializer_list>
#include <vector>

namespace hanabi::host {

/// The table; every entry is there. Lives as long as the process.
HANABI_SHARED HANABI_HOST_INLINE const driver::table& table() noexcept;

/// A copy of the table in which some entries are null, as in a driver that is older. Lives as long as the process: it is
/// never freed.
inline const driver::table& table_without(std::initializer_list<driver::entry> missing) {
    auto* const copy = new driver::table{table()};
    for (const driver::entry entry : missing) {
        switch (entry) {
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    case driver::entry::member: copy->member = nullptr; break;
            HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
        case driver::entry::count_: break;
        }
    }
    static auto& mutex = *new hanabi::detail::mutex;                 // never destroyed, as what it guards
    static auto* const kept = new std::vector<const driver::table*>; // reachable: for leak checkers it is no leak
    const hanabi::detail::lock held{mutex};
    kept->push_back(copy);
    return *copy;
}

/// A copy of the table as a driver for that CUDA version (1000 * major + 10 * minor) has it: the entries that came later are
/// null. options::driver_version says the rest. Lives as long as the process: it is never freed.
inline const driver::table& table_of_version(int version) {
    driver::table& copy = const_cast<driver::table&>(table_without({})); // made just now, and known to nobody
#define HANABI_ENTRY(member, name, since, need, parameters)                                                                                \
    if (driver::describe(driver::entry::member).version > version) copy.member = nullptr;
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    return copy;
}

} // namespace hanabi::host

#if defined(HANABI_HOST_SEPARATE)
/// The hook by which the library finds the host driver.
extern "C" HANABI_SHARED const hanabi::driver::table* hanabi_host_driver_table() noexcept;
/// Takes the driver out of the library that it was compiled into: the hook, a weak reference, would not.
[[maybe_unused]] __attribute__((used)) static const auto hanabi_host_driver_wanted = &hanabi::host::table;
#else
#include <hanabi/host/src.hpp>
#endif

#endif
