// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Many threads at once: launching, binding, growing shared memory, looking up, loading and unloading. To be run under the
// thread sanitizer too.

#define BOOST_TEST_MODULE concurrency
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <atomic>
#include <barrier>
#include <memory>
#include <thread>

using hanabi::errc;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr unsigned thread_count = 8;

/// Runs the action on several threads, which begin together. The action gets the thread's number.
template <class Action>
void together(Action action) {
    std::barrier begin{thread_count};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < thread_count; ++t)
        threads.emplace_back([&, t] {
            begin.arrive_and_wait();
            action(t);
        });
    for (std::thread& t : threads) t.join();
}

/// A descriptor made at run time: the kernels of a module by number.
struct numbered {
    std::string symbol;
    unsigned slot = 0;
    hanabi::descriptor info;
    explicit numbered(std::size_t i)
        : symbol{"k" + std::to_string(i)},
          info{{"many", 4}, {symbol.data(), symbol.size()}, one_int.parameters, &hanabi::detail::contracts_of<>, 1, false, &slot} {}
    static constexpr hanabi::detail::layout<1> one_int = hanabi::detail::layout_of<int>;
};
std::vector<std::unique_ptr<numbered>> make_numbered(std::size_t count) {
    std::vector<std::unique_ptr<numbered>> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(std::make_unique<numbered>(i));
    return all;
}
std::string numbered_ptx(std::size_t count) {
    std::string s = ".version 7.0\n.target sm_75\n.address_size 64\n";
    for (std::size_t i = 0; i < count; ++i) s += ".visible .entry k" + std::to_string(i) + "(.param .u32 n) { ret; }\n";
    return s;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(threads, recording)

BOOST_AUTO_TEST_CASE(launching_binding_and_growing_shared_memory) {
    const registry r = load();
    const hanabi::dispatcher run{r};
    std::atomic<int> failed{0};
    together([&](unsigned t) {
        for (int i = 0; i < 40; ++i) {
            std::error_code ec;
            run(none[over(1 + i)](), ec);
            failed += static_cast<bool>(ec);
            run(scal[over(1) | hanabi::shared<char>(1000 * (40 + i * static_cast<int>(t)))](1.0f, nullptr, 1), ec);
            if (ec && ec != errc::shared_memory_exceeded) ++failed;
            run[axpy](over(1), 1.0f, nullptr, nullptr, 1, ec);
            failed += static_cast<bool>(ec);
            run(none[hanabi::occupancy(1000) | hanabi::shared<char>(100 * i)](), ec);
            failed += static_cast<bool>(ec);
            if (r.function("common", "none") == nullptr || r.symbol("common", "table").bytes != 32 || !r.has_module("common")) ++failed;
            r.require(none, scal);
        }
    });
    BOOST_TEST(failed == 0);
    run.synchronize();
}

BOOST_AUTO_TEST_CASE(two_thousand_kernels_bound_by_all_at_once) {
    const std::size_t count = 2000;
    const auto all = make_numbered(count);
    const registry r = load(numbered_ptx(count), "many");
    std::atomic<int> failed{0};
    together([&](unsigned t) {
        for (std::size_t i = 0; i < count; ++i) {
            const hanabi::descriptor& d = all[(i + t * count / thread_count) % count]->info;
            const hanabi::descriptor* const list[] = {&d};
            r.require_all(list);
            const hanabi::detail::binding* const b = r.state()->slots.find(d);
            if (b == nullptr || b->key.relaxed() != &d || b->name != "many::" + std::string{d.symbol.data(), d.symbol.size()}) ++failed;
        }
    });
    BOOST_TEST(failed == 0);
    std::vector<bool> seen;
    for (const auto& one : all) { // each has a number of its own
        BOOST_REQUIRE(one->slot != 0u);
        if (one->slot >= seen.size()) seen.resize(one->slot + 1);
        BOOST_REQUIRE(!seen[one->slot]);
        seen[one->slot] = true;
    }
}

BOOST_AUTO_TEST_CASE(registries_of_the_same_descriptors_on_each_thread) {
    std::atomic<int> failed{0};
    together([&](unsigned) {
        for (int i = 0; i < 10; ++i) {
            const registry own = load();
            const hanabi::dispatcher run{own};
            std::error_code ec;
            run(none[over(1)](), ec);
            failed += static_cast<bool>(ec);
            own.unload();
            run(none[over(1)](), ec);
            failed += ec != errc::module_unloaded;
        }
    });
    BOOST_TEST(failed == 0);
}

BOOST_AUTO_TEST_CASE(unloading_under_all_of_it) {
    const registry r = load();
    const hanabi::dispatcher run{r};
    r.require(none);
    std::atomic<int> failed{0};
    together([&](unsigned t) {
        for (int i = 0; i < 50; ++i) {
            std::error_code ec;
            if (t == 0 && i == 25) r.unload(ec);
            run(none[over(1)](), ec);
            // Seen before the call, or by a driver that was given a handle that had just gone.
            if (ec && ec != errc::module_unloaded && ec != status::invalid_handle) ++failed;
            const caught e = catch_error([&] { static_cast<void>(r.function("common", "axpy")); });
            if (e.code && e.code != errc::module_unloaded) ++failed;
            run(scal[over(1) | hanabi::shared<char>(50000 + i)](1.0f, nullptr, 1), ec);
            if (ec && ec != errc::module_unloaded && ec != status::invalid_handle) ++failed;
        }
    });
    BOOST_TEST(failed == 0);
    BOOST_TEST(!r.loaded());
}

BOOST_AUTO_TEST_CASE(sticky_errors_told_while_others_bind) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const std::size_t count = 200;
    const auto all = make_numbered(count);
    const registry r = load(numbered_ptx(count), "many"), common = load();
    const hanabi::dispatcher run{common};
    host::fail(entry::stream_synchronize, status::launch_failed, 1, host::forever);
    std::atomic<int> failed{0};
    together([&](unsigned t) {
        for (std::size_t i = 0; i < count / 4; ++i) {
            if (t % 2 == 0) {
                const hanabi::descriptor* const list[] = {&all[(i * 4 + t / 2) % count]->info};
                r.require_all(list);
                continue;
            }
            run(none[over(1)]());
            const caught e = catch_error([&] { run.synchronize(); });
            if (e.code != status::launch_failed || !e.says("common::none with a grid of 1")) ++failed;
            const registry another = load(); // joins the list of suspects, and leaves it
        }
    });
    host::clear_faults();
    BOOST_TEST(failed == 0);
    run.synchronize();
}

BOOST_AUTO_TEST_SUITE_END()
