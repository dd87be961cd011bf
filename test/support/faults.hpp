// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Every driver call of an action made to fail in turn, and what the host driver still holds afterwards. Part of the test
/// support, not of the library. Include it after support/driver.hpp.

#ifndef HANABI_TEST_SUPPORT_FAULTS_HPP
#define HANABI_TEST_SUPPORT_FAULTS_HPP

#include <hanabi/host.hpp>
#include <hanabi/teardown.hpp>

#include "support/driver.hpp"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// What the host driver holds, in words.
inline std::string host_objects() {
    const hanabi::host::balance_sheet b = hanabi::host::balance();
    return std::to_string(b.contexts) + " contexts, " + std::to_string(b.streams) + " streams, " + std::to_string(b.events) + " events, " +
           std::to_string(b.modules) + " modules, " + std::to_string(b.device_bytes) + " bytes on devices in " +
           std::to_string(b.device_allocations) + ", " + std::to_string(b.pinned_bytes) + " bytes pinned in " +
           std::to_string(b.pinned_allocations);
}

/// True for calls that give something back: when they do nothing, something stays, and no error comes of it.
inline bool gives_back(hanabi::driver::entry e) {
    using hanabi::driver::entry;
    switch (e) {
    case entry::stream_destroy:
    case entry::event_destroy:
    case entry::module_unload:
    case entry::mem_free:
    case entry::mem_free_async:
    case entry::mem_free_host:
    case entry::ctx_destroy:
    case entry::graph_destroy:
    case entry::graph_exec_destroy:
    case entry::device_primary_ctx_release: return true;
    default: return false;
    }
}

inline int& teardowns_seen() {
    static int count = 0;
    return count;
}

/// Runs an action that works, then again and again with each of its driver calls failing once. The action must end in an
/// error with that status and its text, leave nothing behind, and leave what was current. Calls that give back may fail
/// only into the teardown handler. Context ids (asked for before giving back) and the restoring of what was current are
/// answered without an error, and a graph that refuses an update is made anew.
template <class Action>
void every_call_fails(Action action) {
    using namespace hanabi;
    using driver::entry;
    // When the wait for a copy fails, the copy may still be on its way to memory that goes with the action: copies of
    // pageable memory are done in the call, as a real driver does them.
    struct staged {
        host::options before = host::current_options();
        staged() {
            host::options o = before;
            o.stage_pageable_copies = true;
            host::set_options(o);
        }
        ~staged() { host::set_options(before); }
    } const staging;
    host::clear_faults();
    host::clear_calls();
    action();
    std::vector<std::uint64_t> counts(driver::entry_count);
    for (std::size_t e = 0; e < counts.size(); ++e) counts[e] = host::calls(static_cast<entry>(e));
    const teardown_handler handler = set_teardown_handler([](const char*, driver::status) noexcept { ++teardowns_seen(); });
    driver::context_handle before = nullptr;
    test_driver().ctx_get_current(&before);
    for (std::size_t e = 0; e < counts.size(); ++e)
        for (std::uint64_t nth = 1; nth <= counts[e]; ++nth) {
            const entry failing = static_cast<entry>(e);
            const char* const name = driver::describe(failing).name;
            const std::string held = host_objects();
            teardowns_seen() = 0;
            host::fail(failing, driver::status::unknown, static_cast<unsigned>(nth));
            const caught error = catch_error(action);
            host::clear_faults();
            BOOST_TEST_CONTEXT(name << ", call " << nth << " of " << counts[e]) {
                if (gives_back(failing)) {
                    BOOST_TEST(!error.code, error.message);
                    BOOST_TEST(teardowns_seen() == 1);
                } else {
                    const bool may_be_dropped = failing == entry::ctx_get_id || failing == entry::ctx_get_current ||
                                                failing == entry::ctx_set_current || failing == entry::graph_exec_kernel_node_set_params ||
                                                failing == entry::graph_node_set_enabled; // then a new graph
                    if (error.code) {
                        BOOST_TEST((error.code == driver::status::unknown), error.message);
                        BOOST_TEST(error.says("hanabi::"), error.message);
                        BOOST_TEST(error.says("CUDA_ERROR_UNKNOWN (999)"), error.message);
                    } else
                        BOOST_TEST((may_be_dropped || teardowns_seen() == 1), "no error"); // or it was a destructor's
                    if (failing != entry::ctx_get_current && failing != entry::ctx_set_current) BOOST_TEST(host_objects() == held);
                }
                driver::context_handle after = nullptr;
                test_driver().ctx_get_current(&after);
                if (failing != entry::ctx_set_current) BOOST_TEST(after == before);
                test_driver().ctx_set_current(before);
            }
        }
    set_teardown_handler(handler);
}

#endif
