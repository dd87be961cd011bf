// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What a plan keeps alive and gives back: buffers, modules, callables, graphs; failures on the way; policies.

#define BOOST_TEST_MODULE plan_lifetime
#include <boost/test/unit_test.hpp>

#include "support/faults.hpp"
#include "support/planning.hpp"

#include <hanabi/expression/call.hpp>
#include <hanabi/expression/copy.hpp>
#include <hanabi/expression/fill.hpp>
#include <hanabi/expression/parallel.hpp>
#include <hanabi/format.hpp>

#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace hanabi::literals;
using hanabi::errc;
using hanabi::over;
using hanabi::driver::entry;
using hanabi::driver::status;
using work::add;
using work::nop;
using work::scale;
namespace host = hanabi::host;

namespace {
constexpr int n = 300;
}

BOOST_FIXTURE_TEST_SUITE(owned, planning)

BOOST_AUTO_TEST_CASE(buffers_outlive_their_objects) {
    const hanabi::dispatcher r = run();
    std::optional<hanabi::buffer<float>> a = filled(n, 1), b = filled(n, 2), c = filled(n, 3);
    auto plan = std::make_optional(r.plan(add[over(n)](1.0f, *a, *b, n) >> hanabi::copy(*c, *b) >> add[over(n)](1.0f, "x"_arg, *b, n)));
    plan->rebind("x"_arg = *c);
    a.reset();
    c.reset();
    plan->replay();
    r.synchronize();
    BOOST_TEST(b->to_vector()[0] == 6.0f);
    b.reset();
    plan->replay();
    r.synchronize();
    if (on_host()) BOOST_TEST(host::balance().device_allocations == 3u);
    auto copy = std::make_optional(plan->clone());
    plan.reset();
    copy->replay();
    r.synchronize();
    if (on_host()) BOOST_TEST(host::balance().device_allocations == 3u);
    copy.reset();
    r.synchronize();
    if (on_host()) BOOST_TEST(host::balance().device_allocations == 0u);
}

BOOST_AUTO_TEST_CASE(a_bound_buffer_is_let_go_when_another_is_bound) {
    HANABI_SKIP_ON_CUDA("counts allocations");
    const hanabi::dispatcher r = run();
    std::optional<hanabi::buffer<float>> a = filled(n, 1), b = filled(n, 2);
    auto plan = r.plan(scale[over(n)](2.0f, "x"_arg, n));
    plan("x"_arg = *a);
    a.reset();
    r.synchronize();
    BOOST_TEST(host::balance().device_allocations == 2u);
    plan("x"_arg = *b);
    r.synchronize();
    BOOST_TEST(host::balance().device_allocations == 1u);
}

BOOST_AUTO_TEST_CASE(memory_is_given_back_behind_the_last_replay_on_another_stream) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const hanabi::stream own{*gpu};
    const hanabi::dispatcher r = run();
    std::optional<hanabi::buffer<float>> a = filled(n, 1);
    {
        auto plan = r.plan(scale[over(n)](2.0f, *a, n));
        plan.replay(own);
        a.reset();
        host::clear_calls();
    }
    BOOST_TEST(host::calls(entry::event_record) == 1u);
    BOOST_TEST(host::calls(entry::stream_wait_event) == 1u);
    own.synchronize();
    gpu->synchronize();
}

BOOST_AUTO_TEST_CASE(callables_are_copied_and_kept) {
    const hanabi::dispatcher r = run();
    const auto counter = std::make_shared<int>(0);
    {
        auto plan = std::make_optional(r.plan(hanabi::call([counter] { ++*counter; })));
        auto copy = plan->clone();
        plan->replay();
        r.synchronize();
        plan.reset();
        copy.replay();
        r.synchronize();
        BOOST_TEST(counter.use_count() == 2);
    }
    BOOST_TEST(counter.use_count() == 1);
    BOOST_TEST(*counter == 2);
}

BOOST_AUTO_TEST_CASE(modules_stay_loaded_with_a_plan) {
    hanabi::buffer<float> a = filled(n, 1);
    auto plan = std::make_optional(run().plan(scale[over(n)](2.0f, a, n)));
    modules.reset();
    plan->replay();
    gpu->synchronize();
    BOOST_TEST(a.to_vector()[0] == 2.0f);
    if (on_host()) BOOST_TEST(host::balance().modules == 1u);
    plan.reset();
    if (on_host()) BOOST_TEST(host::balance().modules == 0u);
}

BOOST_AUTO_TEST_CASE(an_unloaded_registry_is_an_error) {
    hanabi::buffer<float> a = filled(n, 1);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over(n)]("alpha"_arg, a, n));
    plan("alpha"_arg = 2.0f);
    r.synchronize();
    module().unload();
    HANABI_CHECK_ERROR(plan.replay(), errc::module_unloaded, "hanabi::plan::replay", "make the plan anew");
    HANABI_CHECK_ERROR(plan.rebind("alpha"_arg = 3.0f), errc::module_unloaded, "hanabi::plan::rebind");
    HANABI_CHECK_ERROR(plan.node(0).set(scale, 1.0f, a, n), errc::module_unloaded, "hanabi::plan::node::set");
    HANABI_CHECK_ERROR(plan.clone(), errc::module_unloaded, "hanabi::plan::clone");
    HANABI_CHECK_ERROR(r.plan(nop[over(1)]()), errc::module_unloaded, "planning");
    std::error_code ec;
    plan.replay(ec);
    BOOST_TEST((ec == errc::module_unloaded));
    BOOST_TEST(plan.text().find("work::scal(alpha=2") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(threads_and_processes, planning)

BOOST_AUTO_TEST_CASE(made_and_destroyed_on_threads_without_a_context) {
    hanabi::buffer<float> a = filled(n, 1);
    std::optional<hanabi::plan<hanabi::arg<"alpha", float>>> plan;
    std::thread{[&] {
        plan.emplace(run().plan(scale[over(n)]("alpha"_arg, a, n)));
        (*plan)("alpha"_arg = 2.0f);
    }}.join();
    gpu->synchronize();
    std::thread{[&] { plan.reset(); }}.join();
    BOOST_TEST(a.to_vector()[0] == 2.0f);
}

BOOST_AUTO_TEST_CASE(clones_run_at_once) {
    hanabi::buffer<float> one = filled(n, 1), sums = filled(4 * n, 0);
    auto plan = run().plan(add[over(n)]("alpha"_arg, one, "y"_arg, n));
    std::vector<decltype(plan)> clones;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 4; ++i) clones.push_back(plan.clone());
    for (std::size_t i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            const hanabi::stream own{*gpu};
            const auto mine = sums.subspan(i * n, n);
            for (int k = 0; k < 50; ++k) clones[i].on(own)("alpha"_arg = static_cast<float>(k), "y"_arg = mine);
            own.synchronize();
        });
    for (std::thread& t : threads) t.join();
    for (const float f : sums.to_vector()) BOOST_REQUIRE(f == 1225.0f);
}

BOOST_AUTO_TEST_CASE(destroyed_and_changed_while_it_runs) {
    hanabi::buffer<float> a = filled(n, 1);
    const hanabi::stream own{*gpu};
    for (int i = 0; i < 20; ++i) {
        auto plan = run().plan(scale[over(n)]("alpha"_arg, a, n) >> hanabi::call([] {}) >> scale[over(n)]("alpha"_arg, a, n));
        plan.on(own)("alpha"_arg = 2.0f);
        plan.on(own)("alpha"_arg = 0.5f);
    }
    own.synchronize();
    BOOST_TEST(a.to_vector()[0] == 1.0f);
}

BOOST_AUTO_TEST_CASE(forked) {
    hanabi::buffer<float> a = filled(n, 1);
    auto plan = run().plan(scale[over(n)]("alpha"_arg, a, n));
    plan("alpha"_arg = 2.0f);
    gpu->synchronize();
    const pid_t child = fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        int wrong = 0;
        const auto check = [&](auto action) { wrong += !(catch_error(action).code == errc::forked_process); };
        check([&] { plan.replay(); });
        check([&] { plan.rebind("alpha"_arg = 3.0f); });
        check([&] { plan.clone(); });
        check([&] { run().plan(nop[over(1)]()); });
        const auto goes = std::move(plan);
        _exit(wrong);
    }
    int status = -1;
    waitpid(child, &status, 0);
    BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(failures, planning)

BOOST_AUTO_TEST_CASE(every_driver_call_may_fail) {
    HANABI_SKIP_ON_CUDA("fails on order");
    hanabi::set_teardown_handler(nullptr);
    hanabi::buffer<float> a = filled(n, 1), b = filled(n, 2);
    const hanabi::event mark{*gpu};
    const hanabi::dispatcher r = run();
    module().require(scale, add, nop);
    every_call_fails([&] {
        try {
            auto plan = r.plan((scale[over("n"_arg)]("alpha"_arg, a, n) & add[over(n) | hanabi::priority(0)](1.0f, "x"_arg, b, n)) >>
                               hanabi::fill(a, 1.0f) >> hanabi::copy(b, a) >> hanabi::call([] {}) >> nop[over(0)]());
            plan.rebind("alpha"_arg = 2.0f, "n"_arg = 0, "x"_arg = a);
            auto copy = plan.clone();
            plan("alpha"_arg = 2.0f, "n"_arg = n, "x"_arg = a);
            copy.replay();
        } catch (const hanabi::error& e) {
            hanabi::detail::raise(e.code(), std::string{"hanabi::, "} + e.what());
        }
        r.synchronize();
    });
    hanabi::set_teardown_handler(&hanabi::default_teardown_handler);
    host::reset(); // with what could not be given back
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Policies -----------------------------------------------------------------------------------------------------------

namespace {

std::string& diary() {
    static std::string text;
    return text;
}

struct timer {
    int number;
    int before(const hanabi::launch_view& view) const noexcept {
        diary() += "b" + std::to_string(number) + ":" + std::string{view.kernel.symbol.data(), view.kernel.symbol.size()} + " ";
        BOOST_TEST(view.node != nullptr);
        return number * 10;
    }
    void after(const hanabi::launch_view& view, int token, std::error_code status) const noexcept {
        diary() += "a" + std::to_string(number) + ":" + hanabi::arguments_text(view.kernel, view.arguments) + (status ? "!" : "") + " ";
        BOOST_TEST(token == number * 10);
    }
};
struct watcher {
    void before(const hanabi::launch_view& view) const noexcept { diary() += "w" + std::to_string(view.site().line() != 0) + " "; }
    void after(const hanabi::launch_view&, std::error_code) const noexcept { diary() += "x "; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(policies_see_every_launch_of_a_replay, planning) {
    hanabi::buffer<float> a = filled(n, 1);
    const hanabi::dispatcher r{module(), timer{1}, watcher{}, timer{2}};
    auto plan = r.plan(scale[over(n)]("alpha"_arg, nullptr, 0) >> hanabi::fill(a, 1.0f) >> nop[over("m"_arg)]());
    BOOST_TEST(diary() == "");
    plan("alpha"_arg = 2.0f, "m"_arg = 0);
    BOOST_TEST(diary() == "b1:scal w1 b2:scal b1:nop w1 b2:nop a2:() x a1:() a2:(alpha=2, x=null, n=0) x a1:(alpha=2, x=null, n=0) ");
    diary().clear();
    auto copy = plan.clone();
    copy.rebind("alpha"_arg = 3.0f);
    copy.replay();
    BOOST_TEST(diary().find("alpha=3") != std::string::npos);
    r.synchronize();
    if (!on_host()) return;
    diary().clear();
    host::fail(entry::graph_launch, status::launch_out_of_resources);
    std::error_code ec;
    plan.replay(ec);
    BOOST_TEST((ec == status::launch_out_of_resources));
    BOOST_TEST(diary().find("a1:()! ") != std::string::npos);
}
