// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What becomes of failures in destructors, which never throw: the teardown handler.

#ifndef HANABI_TEARDOWN_HPP
#define HANABI_TEARDOWN_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/fork.hpp>
#include <hanabi/driver/status.hpp>

#include <cstdio>

namespace hanabi {

/// Called with what a destructor was doing ("destroying a stream") and the status that the driver gave. On the thread of
/// the destructor, perhaps at program exit; must not call the driver.
using teardown_handler = void (*)(const char* operation, driver::status status) noexcept;

/// The handler that is there at first: one line on stderr. Silent about sticky statuses (a kernel faulted earlier): the
/// call that met the fault reported it, and every object's destructor would repeat it.
HANABI_SHARED inline void default_teardown_handler(const char* operation, driver::status status) noexcept {
    if (driver::is_sticky(status)) return;
    std::fprintf(stderr, "hanabi: %s: %s (%u): %s\n", operation, driver::name_of(status), static_cast<unsigned>(status),
                 driver::description_of(status));
}

namespace detail {
HANABI_SHARED inline atomic<teardown_handler> current_teardown_handler{&default_teardown_handler};
} // namespace detail

/// Installs the process-wide handler of failures in destructors and returns the one before it. Null: failures are
/// dropped. Any thread.
inline teardown_handler set_teardown_handler(teardown_handler handler) noexcept {
    return detail::current_teardown_handler.exchange(handler);
}

namespace detail {

/// What a destructor does with a status. Nothing when all is well, when the driver or the context had gone before (4, 201,
/// 709: there was nothing left to free), or in a forked child.
inline void report_teardown(const char* operation, driver::status status) noexcept {
    if (status == driver::status::success || driver::is_teardown(status) || process_forked) return;
    if (const teardown_handler handler = current_teardown_handler.acquire()) handler(operation, status);
}

} // namespace detail
} // namespace hanabi

#endif
