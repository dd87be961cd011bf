// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Launch functors: bound once, calls by position and by name, twins that don't throw, lifetimes.

#define BOOST_TEST_MODULE functor
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <thread>
#include <type_traits>
#include <utility>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::errc;
using hanabi::grid;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

BOOST_FIXTURE_TEST_SUITE(functors, recording)

BOOST_AUTO_TEST_CASE(by_position_and_by_name) {
    const registry r = load();
    const hanabi::dispatcher run{r};
    const auto launch_axpy = run[axpy];
    launch_axpy(over(1000), 2.0f, nullptr, nullptr, 7);
    launch_axpy(over(1000) | block(128), "n"_arg = 8, "y"_arg = nullptr, "x"_arg = nullptr, "alpha"_arg = 3.0f);
    launch_axpy(grid(2_c) | block(64_c) | hanabi::shared<double>(4), 2.0f, nullptr, nullptr, 9);
    run.synchronize();
    if (!on_host()) return;
    const auto all = host::launches();
    BOOST_REQUIRE(all.size() == 3u);
    BOOST_TEST((all[0].grid == host::extent{4, 1, 1}));
    BOOST_TEST(all[0].argument<float>(0).value() == 2.0f);
    BOOST_TEST(all[0].argument<int>(3).value() == 7);
    BOOST_TEST((all[1].grid == host::extent{8, 1, 1}));
    BOOST_TEST(all[1].argument<float>(0).value() == 3.0f);
    BOOST_TEST(all[1].argument<int>(3).value() == 8);
    BOOST_TEST((all[2].block == host::extent{64, 1, 1}));
    BOOST_TEST(all[2].shared_bytes == 32u);
}

BOOST_AUTO_TEST_CASE(twins_that_do_not_throw) {
    const registry r = load();
    const auto launch_axpy = hanabi::dispatcher{r}[axpy];
    std::error_code ec = errc::no_device;
    launch_axpy(over(1), 2.0f, nullptr, nullptr, 7, ec);
    BOOST_TEST(!ec);
    launch_axpy(grid(1) | block(5000), 2.0f, nullptr, nullptr, 7, ec);
    BOOST_TEST((ec == errc::invalid_geometry));
    launch_axpy(over(1), "n"_arg = 8, "y"_arg = nullptr, "x"_arg = nullptr, "alpha"_arg = 3.0f, ec);
    BOOST_TEST(!ec);
    const auto launch_none = hanabi::dispatcher{r}[none];
    launch_none(over(1));
    launch_none(over(1), ec);
    BOOST_TEST(!ec);
    HANABI_CHECK_ERROR(launch_none(grid(1) | block(5000)), errc::invalid_geometry, "launching common::none at ", "functor.cpp:", "5000",
                       "1024");
    r.stream().synchronize();
    if (!on_host()) return;
    host::fail(entry::launch_kernel, status::unknown);
    launch_none(over(1), ec);
    BOOST_TEST((ec == status::unknown));
}

BOOST_AUTO_TEST_CASE(the_look_up_is_done_at_the_binding) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const registry r = load();
    const hanabi::dispatcher run{r};
    const auto one = run[axpy];
    host::clear_calls();
    const auto two = run[axpy];
    one(over(1), 2.0f, nullptr, nullptr, 7);
    two(over(1), 2.0f, nullptr, nullptr, 7);
    BOOST_TEST(host::calls() == 2u);
}

BOOST_AUTO_TEST_CASE(keeps_modules_and_stream_alive) {
    HANABI_SKIP_ON_CUDA("counts modules");
    auto* const r = new registry{load()};
    auto* const run = new hanabi::dispatcher<>{hanabi::dispatcher{*r}.on(hanabi::stream{*gpu})};
    auto* const first = new auto{(*run)[none]};
    delete r;
    delete run;
    BOOST_TEST(host::balance().modules == 1u);
    auto copy = *first;
    auto moved = std::move(*first);
    delete first;
    copy(over(1));
    moved(over(1));
    std::thread{[f = copy] { f(over(1)); }}.join();
    BOOST_TEST(host::launch_count() == 3u);
    copy = moved;
    BOOST_TEST(host::balance().streams == 2u);
}

BOOST_AUTO_TEST_CASE(is_gone_after_its_last_copy) {
    HANABI_SKIP_ON_CUDA("counts modules");
    { const auto launch_none = hanabi::dispatcher{load()}[none]; }
    BOOST_TEST(host::balance().modules == 0u);
}

BOOST_AUTO_TEST_CASE(two_registries_from_the_same_bytes) {
    HANABI_SKIP_ON_CUDA("looks at the launches");
    const registry a = load(), b = load();
    const auto from_a = hanabi::dispatcher{a}[none];
    const auto from_b = hanabi::dispatcher{b}[none];
    from_a(over(1));
    a.unload();
    HANABI_CHECK_ERROR(from_a(over(1)), errc::module_unloaded, "common::none");
    from_b(over(1));
    // A new one in place of the old: nothing of the old handle is found again.
    const registry c = load();
    const auto from_c = hanabi::dispatcher{c}[none];
    from_c(over(1));
    hanabi::dispatcher{c}(none[over(1)]());
    HANABI_CHECK_ERROR(from_a(over(1)), errc::module_unloaded);
    BOOST_TEST(host::launch_count() == 4u);
}

BOOST_AUTO_TEST_CASE(unloading_while_threads_launch) {
    HANABI_SKIP_ON_CUDA("the driver (580) does not always survive a launch whose function goes meanwhile");
    const registry r = load();
    const auto launch_none = hanabi::dispatcher{r}[none];
    std::vector<std::thread> threads;
    std::atomic<int> started{0}, ended{0};
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            for (++started;;) {
                std::error_code ec;
                launch_none(over(1), ec);
                if (!ec) continue;
                // Either it was seen before the call, or the driver saw a handle that had just gone.
                ended += ec == errc::module_unloaded || ec == status::invalid_handle;
                return;
            }
        });
    while (started != 3) std::this_thread::yield();
    r.unload();
    for (std::thread& t : threads) t.join();
    BOOST_TEST(ended == 3);
    HANABI_CHECK_ERROR(launch_none(over(1)), errc::module_unloaded);
}

BOOST_AUTO_TEST_SUITE_END()
