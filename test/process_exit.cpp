// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Registries in static objects, destroyed when the driver has gone: case 26 of test/data/cases. This program runs itself.

#define BOOST_TEST_MODULE process_exit
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr hanabi::kernel<"m", "k", void(int*)> k;

struct holder {
    std::optional<registry> modules;
    std::optional<hanabi::dispatcher<>> run;
    std::optional<hanabi::stream> stream;
};
holder at_namespace_scope;

holder& in_a_function() {
    static holder one;
    return one;
}

/// What the child does before it exits: a registry at each place, and a driver that answers from then on as told.
void prepare(const char* how) {
    host::options o;
    o.run_bodies = false;
    host::set_options(o);
    const hanabi::context gpu = test_context();
    for (holder* const h : {&at_namespace_scope, &in_a_function()}) {
        h->modules = registry::load(gpu, {{"m", test::file("cases/26-deinitialized-at-exit/kernel.ptx")}});
        h->stream.emplace(gpu);
        h->run.emplace(*h->modules);
        (*h->run)(k[hanabi::over(1)](nullptr));
        h->run->synchronize();
    }
    const std::string way = how;
    if (way == "reset")
        host::device_reset(0);
    else if (way != "0")
        host::fail_everything(static_cast<status>(std::atoi(how)));
}

struct outcome {
    int code = -1; ///< 1000 and more: by a signal
    std::string output;
};

/// This program again, for one test case, in another role.
outcome run_child(const std::string& how, const std::string& exit_by) {
    int ends[2];
    BOOST_REQUIRE(pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        setenv("HANABI_TEST_CHILD", how.c_str(), 1);
        setenv("HANABI_TEST_EXIT", exit_by.c_str(), 1);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        alarm(60);
        execl("/proc/self/exe", "process_exit", "--run_test=role/child", "--report_level=no", "--log_level=error",
              static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    outcome o;
    char buffer[512];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) o.output.append(buffer, static_cast<std::size_t>(n));
    close(ends[0]);
    int ended = 0;
    BOOST_REQUIRE(waitpid(child, &ended, 0) == child);
    o.code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 1000 + WTERMSIG(ended);
    return o;
}

} // namespace

BOOST_AUTO_TEST_SUITE(role)

BOOST_AUTO_TEST_CASE(child) {
    const char* const how = std::getenv("HANABI_TEST_CHILD");
    if (how == nullptr) return; // this is the parent
    prepare(how);
    const std::string exit_by = std::getenv("HANABI_TEST_EXIT");
    if (exit_by == "exit") std::exit(0);
    if (exit_by == "quick_exit") std::quick_exit(0);
    if (exit_by == "_Exit") std::_Exit(0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(case_26_deinitialized_at_exit) {
    if (std::getenv("HANABI_TEST_CHILD") != nullptr) return;
    HANABI_SKIP_ON_CUDA("fails on order");
    for (const char* const how : {"0", "4", "201", "700", "709", "719", "reset"})
        for (const char* const exit_by : {"return", "exit", "quick_exit", "_Exit"}) {
            const outcome o = run_child(how, exit_by);
            BOOST_TEST_CONTEXT("driver answers " << how << ", " << exit_by) {
                BOOST_TEST(o.code == 0);
                BOOST_TEST(o.output.find("hanabi") == std::string::npos, o.output);
            }
        }
}

BOOST_AUTO_TEST_CASE(case_26_what_never_loaded_is_not_unloaded) {
    if (std::getenv("HANABI_TEST_CHILD") != nullptr) return;
    HANABI_SKIP_ON_CUDA("fails on order");
    const fresh f;
    host::clear_calls();
    host::fail(entry::module_load_data_ex, status::invalid_ptx);
    BOOST_CHECK_THROW(f.load(test::file("cases/26-deinitialized-at-exit/kernel.ptx"), "m"), hanabi::error);
    BOOST_TEST(host::calls(entry::module_unload) == 0u);
}
