// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Errors about driver calls: one way to word them, from the operation to the driver's name, number and description.

#ifndef HANABI_DRIVER_FAILURE_HPP
#define HANABI_DRIVER_FAILURE_HPP

#include <hanabi/config.hpp>
#include <hanabi/driver/error_text.hpp>
#include <hanabi/driver/log.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/error.hpp>

#include <string>
#include <utility>

namespace hanabi::driver {

/// `NAME (number): description` in the driver's words (cuGetErrorName, cuGetErrorString), and in the library's own where
/// the driver has none. Any thread.
template <class = void>
std::string error_text(const table& driver, status s) {
    const char* name = nullptr;
    const char* description = nullptr;
    if (driver.get_error_name == nullptr || driver.get_error_name(s, &name) != status::success || name == nullptr) name = name_of(s);
    if (driver.get_error_string == nullptr || driver.get_error_string(s, &description) != status::success || description == nullptr)
        description = description_of(s);
    return error_text(s, name, description);
}

} // namespace hanabi::driver

namespace hanabi::detail {

/// The failure of a driver call: `operation[: the driver's own explanation][; advice]: NAME (number): description`, with
/// the status as its code.
template <class = void>
HANABI_COLD failure driver_failure(const driver::table& driver, driver::status s, std::string operation, const std::string& explanation) {
    if (!explanation.empty()) operation.append(": ").append(explanation);
    if (const char* const advice = driver::advice_for(s); *advice != '\0') operation.append("; ").append(advice);
    operation.append(": ").append(driver::error_text(driver, s));
    return {make_error_code(s), std::move(operation)};
}

/// The same with what the driver's log says; to be called right after the failing call, on its thread.
template <class = void>
HANABI_COLD failure driver_failure(const driver::table& driver, driver::status s, std::string operation) {
    return driver_failure(driver, s, std::move(operation), driver::explanation(driver, s));
}

/// The failure of asking a driver for what it is too old for: names the entry, the CUDA version that brought it, and the
/// driver's own version. Code errc::entry_missing.
template <class = void>
HANABI_COLD failure entry_missing(const driver::table& driver, driver::entry e, std::string operation) {
    const driver::entry_description& wanted = driver::describe(e);
    operation.append(": needs ")
        .append(wanted.name)
        .append(", which drivers have since CUDA ")
        .append(driver::version_text(wanted.version));
    int version = 0;
    if (driver.driver_get_version != nullptr && driver.driver_get_version(&version) == driver::status::success)
        operation.append("; this one (").append(driver.origin).append(") is for CUDA ").append(driver::version_text(version));
    return {make_error_code(errc::entry_missing), std::move(operation)};
}

} // namespace hanabi::detail

#endif
