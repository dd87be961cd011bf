// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// A child forked after CUDA was used: every operation is errc::forked_process, nothing hangs, and the parent goes on.

#define BOOST_TEST_MODULE fork
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <sys/wait.h>
#include <unistd.h>

using hanabi::errc;
using hanabi::over;
using hanabi::registry;

namespace {

constexpr hanabi::global<"common", "counter", unsigned> counter;

/// In the child: what did not end in errc::forked_process is told on stderr, and counted.
struct child_checks {
    int failures = 0;
    template <class Action>
    void refused(const char* what, Action action) {
        const caught e = catch_error(action);
        if (e.code == errc::forked_process && e.says("forked")) return;
        std::fprintf(stderr, "in the child, %s: %s\n", what, e.code ? e.message.c_str() : "no error");
        ++failures;
    }
    void refused(const char* what, std::error_code code) {
        if (code == errc::forked_process) return;
        std::fprintf(stderr, "in the child, %s: %s\n", what, code.message().c_str());
        ++failures;
    }
};

/// Forks, runs the action in the child, which ends by its answer, and returns how it ended: 1000 and more by a signal.
template <class Action>
int in_child(Action action) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30); // a hang ends so
        _exit(action());
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(every_operation_is_refused_and_nothing_hangs, recording) {
    std::optional<registry> r = load();
    std::optional<hanabi::dispatcher<>> run{std::in_place, *r};
    std::optional launch_none{(*run)[none]};
    std::optional v{r->variable(counter)};
    std::optional<hanabi::stream> own{std::in_place, *gpu};
    r->require(axpy);
    (*run)(none[over(1)]());
    run->synchronize();
    const auto f = r->function("common", "none");

    int outcome;
    {
        // As if another thread had been at work in the registry while this one forked.
        const hanabi::detail::lock busy{r->state()->mutex}, busy_too{r->state()->context->registries_mutex};
        outcome = in_child([&] {
            child_checks c;
            std::error_code ec;
            c.refused("load", [&] { registry::load(*gpu, {{"m", common_ptx}}); });
            static_cast<void>(registry::load(*gpu, {{"m", common_ptx}}, ec));
            c.refused("load, twin", ec);
            c.refused("require of a known one", [&] { r->require(axpy); });
            c.refused("require", [&] { r->require(scal); });
            c.refused("check", [&] { r->check(scal); });
            c.refused("function", [&] { static_cast<void>(r->function("common", "none")); });
            c.refused("symbol", [&] { static_cast<void>(r->symbol("common", "counter")); });
            c.refused("variable", [&] { static_cast<void>(r->variable(counter)); });
            c.refused("read", [&] { static_cast<void>(v->read()); });
            c.refused("write", [&] { v->write(1); });
            c.refused("launch", [&] { (*run)(none[over(1)]()); });
            c.refused("launch of an unknown one", [&] { (*run)(scal[over(1)](1.0f, nullptr, 1)); });
            c.refused("launch with attributes", [&] { (*run)(none[over(1) | hanabi::priority(0)]()); });
            c.refused("launch with shared memory", [&] { (*run)(none[over(1) | hanabi::shared<char>(60000)]()); });
            c.refused("launch by occupancy", [&] { (*run)(none[hanabi::occupancy(1)]()); });
            c.refused("launch of too much", [&] { (*run)(none[hanabi::grid(0) | hanabi::block(1)]()); });
            (*run)(none[over(1)](), ec);
            c.refused("launch, twin", ec);
            c.refused("functor", [&] { (*launch_none)(over(1)); });
            (*launch_none)(over(1), ec);
            c.refused("functor, twin", ec);
            c.refused("binding", [&] { static_cast<void>((*run)[none]); });
            c.refused("other stream", [&] { static_cast<void>(run->on(*own)); });
            c.refused("synchronize", [&] { run->synchronize(); });
            run->synchronize(ec);
            c.refused("synchronize, twin", ec);
            c.refused("launch_on_stream", [&] { hanabi::launch_on_stream(*gpu, f, {1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr); });
            c.refused("context", [&] { static_cast<void>(test_context()); });
            // What gives back has nothing to give back: quiet, and at once.
            r->unload();
            r->unload(ec);
            c.failures += static_cast<bool>(ec);
            v.reset();
            launch_none.reset();
            run.reset();
            own.reset();
            r.reset();
            gpu.reset();
            return c.failures;
        });
    }
    BOOST_TEST(outcome == 0);

    (*run)(none[over(1)]()); // the parent goes on
    run->synchronize();
    v->write(4);
    BOOST_TEST(v->read() == 4u);
}

BOOST_FIXTURE_TEST_CASE(a_child_that_exits_in_the_ordinary_way, recording) {
    static std::optional<registry> kept; // destroyed at the child's exit
    kept = load();
    hanabi::dispatcher{*kept}(none[over(1)]());
    BOOST_TEST(in_child([]() -> int {
                   if (std::freopen("/dev/null", "w", stdout) == nullptr) return 99; // the test program's report, a second time
                   if (std::freopen("/dev/null", "w", stderr) == nullptr) return 99;
                   std::exit(0);
               }) == 0);
    kept.reset();
}
