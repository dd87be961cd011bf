// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The end of a program: static objects destroyed after the driver has gone, quick exits, and what the teardown handler
// prints. Each scene in a process of its own, since only that has an end.

#define BOOST_TEST_MODULE teardown
#include <boost/test/unit_test.hpp>

#include <hanabi/buffer.hpp>
#include <hanabi/context.hpp>
#include <hanabi/event.hpp>
#include <hanabi/host.hpp>
#include <hanabi/pinned_buffer.hpp>
#include <hanabi/stream.hpp>
#include <hanabi/teardown.hpp>

#include "support/driver.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#if defined(__linux__)
#include <sys/wait.h>
#include <unistd.h>

using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

/// One of each, to be destroyed at exit.
struct holdings {
    hanabi::context own = hanabi::context::create(0, 0, hanabi::driver::host());
    hanabi::stream stream{own};
    hanabi::event event{own};
    hanabi::buffer<int> buffer{own, 4};
    hanabi::buffer<int> on_stream{own, 4, stream};
    hanabi::pinned_buffer<int> pinned{own, 4};
    hanabi::stream of_primary{hanabi::context::primary(0, hanabi::driver::host())};
};
std::unique_ptr<holdings> at_namespace_scope;
void in_a_function() {
    static holdings instance;
    static_cast<void>(instance);
}

struct ended {
    int code;
    std::string output;
};

/// This program again, playing one scene; what it printed, both streams together.
ended play(const std::string& name) {
    char self[4096] = {};
    BOOST_REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    const std::string command =
        "HANABI_TEST_SCENE='" + name + "' timeout 20 '" + self + "' --run_test=scene --log_level=error --report_level=no 2>&1";
    std::FILE* const pipe = popen(command.c_str(), "r");
    BOOST_REQUIRE(pipe != nullptr);
    ended result{};
    std::array<char, 4096> piece{};
    while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), pipe)) result.output.append(piece.data(), n);
    const int how = pclose(pipe);
    result.code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    return result;
}

void check_quiet(const std::string& name) {
    const ended end = play(name);
    BOOST_TEST(end.code == 0, name << " ended with " << end.code << ": " << end.output);
    BOOST_TEST(end.output.find("hanabi") == std::string::npos, name << " printed: " << end.output);
}

} // namespace

// What the other processes do; nothing when it is not asked for.
BOOST_AUTO_TEST_CASE(scene) {
    const char* const asked = std::getenv("HANABI_TEST_SCENE");
    if (asked == nullptr) return;
    const std::string name = asked;
    at_namespace_scope = std::make_unique<holdings>();
    in_a_function();
    if (name == "alive") return;
    if (name == "quick_exit") std::quick_exit(0);
    if (name == "_Exit") std::_Exit(0);
    if (name == "one failure") {
        host::fail(entry::event_destroy, status::unknown);
        return;
    }
    if (name == "deaf") {
        hanabi::set_teardown_handler(nullptr);
        host::fail_everything(status::unknown);
        return;
    }
    host::fail_everything(static_cast<status>(std::atoi(asked)));
}

BOOST_AUTO_TEST_CASE(static_objects_and_a_driver_that_works) { check_quiet("alive"); }
BOOST_AUTO_TEST_CASE(static_objects_and_a_driver_that_has_gone) { check_quiet("4"); }
BOOST_AUTO_TEST_CASE(static_objects_and_no_context) {
    check_quiet("709");
    check_quiet("201");
}
BOOST_AUTO_TEST_CASE(static_objects_after_a_sticky_error) {
    check_quiet("700");
    check_quiet("719");
}
BOOST_AUTO_TEST_CASE(quick_exits) {
    check_quiet("quick_exit");
    check_quiet("_Exit");
}
BOOST_AUTO_TEST_CASE(without_a_handler) { check_quiet("deaf"); }

BOOST_AUTO_TEST_CASE(the_default_handler_prints_a_line) {
    const ended end = play("one failure");
    BOOST_TEST(end.code == 0);
    const std::string line = "hanabi: destroying an event: CUDA_ERROR_UNKNOWN (999): ";
    BOOST_TEST(end.output.find(line) != std::string::npos, end.output);
    BOOST_TEST(end.output.find("hanabi:", end.output.find(line) + 1) == std::string::npos, end.output);
}
#endif
