// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Which driver a test runs on: the host driver, or the real one with HANABI_TEST_DRIVER=cuda. Part of the test support,
/// not of the library. Include it in a test that includes <boost/test/unit_test.hpp> before.

#ifndef HANABI_TEST_SUPPORT_DRIVER_HPP
#define HANABI_TEST_SUPPORT_DRIVER_HPP

#include <hanabi/context.hpp>
#include <hanabi/host.hpp>

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

/// False with HANABI_TEST_DRIVER=cuda.
inline bool on_host() {
    const char* const wanted = std::getenv("HANABI_TEST_DRIVER");
    return wanted == nullptr || std::strcmp(wanted, "cuda") != 0;
}

/// The driver of this run.
inline const hanabi::driver::table& test_driver() { return on_host() ? hanabi::driver::host() : hanabi::driver::cuda(); }

/// The process-scoped context of one of its devices.
inline hanabi::context test_context(int ordinal = 0) { return hanabi::context::primary(ordinal, test_driver()); }

/// How many devices it has.
inline int test_devices() { return hanabi::context::device_count(test_driver()); }

/// True if the driver is the real one, having said why the test can't run there.
#define HANABI_SKIP_ON_CUDA(reason)                                                                                                        \
    do {                                                                                                                                   \
        if (!on_host()) {                                                                                                                  \
            BOOST_TEST_MESSAGE("skipped on the real driver: " reason);                                                                     \
            return;                                                                                                                        \
        }                                                                                                                                  \
    } while (false)

/// The code and the message of the error that an action ends in; no code if it ends in none.
struct caught {
    std::error_code code;
    std::string message;

    bool says(const std::string& part) const { return message.find(part) != std::string::npos; }
};
template <class Action>
caught catch_error(Action action) {
    try {
        action();
    } catch (const hanabi::error& e) {
        return {e.code(), e.what()};
    }
    return {};
}

/// Asserts that an action fails with a code, and that the message has every part.
#define HANABI_CHECK_ERROR(action, expected, ...)                                                                                          \
    do {                                                                                                                                   \
        const caught error_ = catch_error([&] { action; });                                                                                \
        BOOST_TEST(error_.code == (expected), "code of `" #action "`: " << error_.code << " " << error_.message);                          \
        for (const std::string& part_ : std::initializer_list<std::string>{__VA_ARGS__})                                                   \
            BOOST_TEST(error_.says(part_), "the message of `" #action "` lacks \"" << part_ << "\": " << error_.message);                  \
    } while (false)

#endif
