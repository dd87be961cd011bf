// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Which driver a program gets: the real one or the host driver, by call or by HANABI_DRIVER.

#ifndef HANABI_DRIVER_SELECT_HPP
#define HANABI_DRIVER_SELECT_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/environment.hpp>
#include <hanabi/detail/linked.hpp>
#include <hanabi/driver/loader.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/error.hpp>

#include <cstring>
#include <string>
#include <utility>

// The host driver's table; never null where it is defined, and that is in programs one of whose source files includes
// <hanabi/host.hpp>. Everywhere else the weak reference is null, so that programs for real devices carry none of it. A
// member of a static library that nothing else refers to does not count: weak references pull nothing out of archives.
#if defined(_MSC_VER)
extern "C" const hanabi::driver::table* hanabi_host_driver_table() noexcept;
extern "C" inline const hanabi::driver::table* hanabi_host_driver_absent() noexcept { return nullptr; }
#pragma comment(linker, "/alternatename:hanabi_host_driver_table=hanabi_host_driver_absent")
#else
extern "C" __attribute__((weak, visibility("default"))) const hanabi::driver::table* hanabi_host_driver_table() noexcept;
#endif

namespace hanabi::detail {

/// The default CUDA driver once it is loaded: saves the loader's lock.
HANABI_SHARED inline atomic<const driver::table*> loaded_cuda_table{nullptr};

/// The CUDA driver's table; null and a reason when there is none.
template <class = void>
const driver::table* find_cuda(failure& why) {
    if (const driver::table* const known = loaded_cuda_table.acquire()) return known;
    const driver::loaded* const library = load_driver({}, why);
    if (library == nullptr) return nullptr;
    // The first one stays, even if HANABI_LIBCUDA names another by now: one program, one default driver.
    const driver::table* first = nullptr;
    return loaded_cuda_table.compare_exchange(first, &library->functions) ? &library->functions : first;
}

/// The host driver's table; null if it is not part of this program.
template <class = void>
const driver::table* find_host() noexcept {
#if !defined(_MSC_VER)
    if (!is_linked(&hanabi_host_driver_table)) return nullptr;
#endif
    return hanabi_host_driver_table();
}

[[noreturn]] HANABI_COLD inline void raise_host_not_linked(const std::string& before) {
    raise(make_error_code(errc::host_driver_not_linked),
          before + "the host driver is not part of this program; include <hanabi/host.hpp> in one of its source files");
}

} // namespace hanabi::detail

namespace hanabi::driver {

/// How many devices the driver has: 0 with success when it has none, whatever it says about that. Initialises the driver
/// first, which costs nothing from the second time on. Any thread.
template <class = void>
status device_count(const table& driver, int& count) noexcept {
    count = 0;
    status s = driver.init(0);
    if (s == status::success) s = driver.device_get_count(&count);
    return s == status::no_device ? status::success : s;
}

/// The real driver: libcuda, loaded at the first call (driver/loader.hpp says from where, and what it throws). Always the
/// same table from then on. Any thread.
template <class = void>
const table& cuda() {
    hanabi::detail::failure why;
    const table* const found = hanabi::detail::find_cuda(why);
    if (found == nullptr) hanabi::detail::raise(std::move(why));
    return *found;
}

/// cuda(), with null in place of an error. A driver that sees no device is still a driver.
template <class = void>
const table* try_cuda() {
    hanabi::detail::failure why;
    return hanabi::detail::find_cuda(why);
}

/// The host driver. Throws errc::host_driver_not_linked where no source file of the program includes <hanabi/host.hpp>.
/// Any thread.
template <class = void>
const table& host() {
    const table* const found = hanabi::detail::find_host();
    if (found == nullptr) hanabi::detail::raise_host_not_linked("");
    return *found;
}

/// host(), with null in place of an error.
template <class = void>
const table* try_host() noexcept {
    return hanabi::detail::find_host();
}

/// What HANABI_DRIVER asks for.
enum class choice { unset, cuda, host };

/// Reads HANABI_DRIVER, afresh each time. Throws errc::invalid_argument if it is neither cuda nor host.
template <class = void>
choice environment_choice() {
    const char* const value = hanabi::detail::environment("HANABI_DRIVER");
    if (value == nullptr) return choice::unset;
    if (std::strcmp(value, "cuda") == 0) return choice::cuda;
    if (std::strcmp(value, "host") == 0) return choice::host;
    hanabi::detail::raise(make_error_code(errc::invalid_argument),
                          "choosing a driver: HANABI_DRIVER is '" + std::string{value} + "'; it can be 'cuda' or 'host'");
}

/// The driver of everything that is not told which one to use: HANABI_DRIVER's, and the real one where that is not set.
/// Throws what cuda(), host() and environment_choice() throw.
template <class = void>
const table& default_table() {
    return environment_choice() == choice::host ? host() : cuda();
}

/// A driver that has a device: HANABI_DRIVER's where that is set (and no other then), else the real one if it loads and
/// sees a device, else the host driver. Throws as default_table() does; if there is neither, the one message says why
/// the real one is not usable too.
template <class = void>
const table& any() {
    switch (environment_choice()) {
    case choice::cuda: return cuda();
    case choice::host: return host();
    case choice::unset: break;
    }
    hanabi::detail::failure why;
    if (const table* const real = hanabi::detail::find_cuda(why)) {
        int count = 0;
        const status s = device_count(*real, count);
        if (s == status::success && count > 0) return *real;
        why.message = std::string{"the CUDA driver ("} + real->origin + ") " +
                      (s == status::success ? std::string{"sees no device"} : "counts no devices: " + error_text(s));
    }
    const table* const fallback = hanabi::detail::find_host();
    if (fallback == nullptr) hanabi::detail::raise_host_not_linked("no driver to use: " + why.message + ". And ");
    return *fallback;
}

} // namespace hanabi::driver

#endif
