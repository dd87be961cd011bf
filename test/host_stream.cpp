// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The host driver's streams and events: what waits for what, and what a driver says of it.

#define BOOST_TEST_MODULE host_stream
#include <boost/test/unit_test.hpp>

#include "support/host_driver.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using hanabi::driver::stream_flags::blocking;
using hanabi::driver::stream_flags::non_blocking;

namespace {

stream_handle special(std::uintptr_t number) { return reinterpret_cast<stream_handle>(number); }

/// Notes down in which order host functions ran.
struct diary {
    struct entry {
        diary* owner;
        int number;
    };
    std::mutex mutex;
    std::vector<int> order;
    std::vector<std::unique_ptr<entry>> entries;

    void note(stream_handle stream, int number) {
        entries.push_back(std::make_unique<entry>(entry{this, number}));
        const auto write = [](void* data) {
            auto* const e = static_cast<entry*>(data);
            const std::lock_guard lock{e->owner->mutex};
            e->owner->order.push_back(e->number);
        };
        BOOST_REQUIRE(cu.launch_host_func(stream, write, entries.back().get()) == status::success);
    }
    std::vector<int> so_far() {
        const std::lock_guard lock{mutex};
        return order;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_stream_is_in_order, fresh_driver) {
    const stream_handle s = make_stream();
    diary d;
    std::vector<int> expected;
    for (int i = 0; i < 100; ++i) {
        d.note(s, i);
        expected.push_back(i);
    }
    CHECK_OK(cu.stream_synchronize(s));
    BOOST_TEST(d.so_far() == expected, boost::test_tools::per_element());
    CHECK_OK(cu.stream_destroy(s));
    CHECK_REFUSED(cu.stream_synchronize(s), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.stream_destroy(s), status::invalid_handle, "was destroyed already");
}

BOOST_FIXTURE_TEST_CASE(streams_are_asynchronous, fresh_driver) {
    const stream_handle s = make_stream(), t = make_stream();
    gate held{s};
    BOOST_TEST(cu.stream_query(s) == status::not_ready);
    CHECK_OK(cu.stream_query(t));
    diary d;
    d.note(t, 1); // goes ahead
    CHECK_OK(cu.stream_synchronize(t));
    BOOST_TEST(cu.stream_query(s) == status::not_ready);
    held.open();
    CHECK_OK(cu.stream_synchronize(s));
    CHECK_OK(cu.stream_query(s));
}

BOOST_FIXTURE_TEST_CASE(many_streams_that_all_wait, fresh_driver) {
    // Each holds a thread: none may starve the one that frees them.
    constexpr int count = 40;
    std::vector<stream_handle> streams;
    std::vector<std::unique_ptr<gate>> gates;
    for (int i = 0; i < count; ++i) {
        streams.push_back(make_stream());
        gates.push_back(std::make_unique<gate>(streams.back()));
    }
    diary d;
    const stream_handle last = make_stream();
    d.note(last, 1);
    CHECK_OK(cu.stream_synchronize(last));
    gates.clear();
    CHECK_OK(cu.ctx_synchronize());
    for (const stream_handle s : streams) CHECK_OK(cu.stream_destroy(s));
}

BOOST_FIXTURE_TEST_CASE(the_legacy_stream_waits_for_blocking_streams, fresh_driver) {
    const stream_handle b = make_stream(blocking), n = make_stream(non_blocking);
    diary d;
    {
        gate held{b};
        d.note(nullptr, 1); // waits for b
        d.note(n, 2);       // does not
        CHECK_OK(cu.stream_synchronize(n));
        BOOST_TEST(cu.stream_query(nullptr) == status::not_ready);
        BOOST_TEST(cu.stream_query(special(1)) == status::not_ready);
        BOOST_TEST((d.so_far() == std::vector<int>{2}));
    }
    CHECK_OK(cu.stream_synchronize(nullptr));
    BOOST_TEST((d.so_far() == std::vector<int>{2, 1}));
    {
        gate held{nullptr};
        d.note(b, 3); // waits for the legacy stream
        d.note(n, 4); // does not
        CHECK_OK(cu.stream_synchronize(n));
        BOOST_TEST(cu.stream_query(b) == status::not_ready);
    }
    CHECK_OK(cu.stream_synchronize(b));
    BOOST_TEST((d.so_far() == std::vector<int>{2, 1, 4, 3}));
    {
        gate held{b};
        CHECK_OK(cu.stream_destroy(b)); // its work goes on, and is waited for
        d.note(special(1), 5);
        BOOST_TEST(cu.stream_query(nullptr) == status::not_ready);
    }
    CHECK_OK(cu.stream_synchronize(special(1)));
    BOOST_TEST(d.so_far().back() == 5);
}

BOOST_FIXTURE_TEST_CASE(the_per_thread_stream, fresh_driver) {
    diary d;
    gate held{special(2)};
    BOOST_TEST(cu.stream_query(special(2)) == status::not_ready);
    std::thread other{[&] {
        BOOST_TEST((cu.ctx_set_current(context) == status::success));
        BOOST_TEST((cu.stream_query(special(2)) == status::success)); // its own one
        d.note(special(2), 1);
        BOOST_TEST((cu.stream_synchronize(special(2)) == status::success));
    }};
    other.join();
    d.note(nullptr, 2); // the legacy stream waits for it
    BOOST_TEST(cu.stream_query(nullptr) == status::not_ready);
    held.open();
    CHECK_OK(cu.stream_synchronize(nullptr));
    BOOST_TEST((d.so_far() == std::vector<int>{1, 2}));
}

BOOST_FIXTURE_TEST_CASE(what_streams_tell, fresh_driver) {
    stream_handle s = nullptr;
    CHECK_REFUSED(cu.stream_create_with_priority(&s, 2, 0), status::invalid_value, "stream flags 2");
    CHECK_REFUSED(cu.stream_create_with_priority(nullptr, 0, 0), status::invalid_value, "null");
    BOOST_TEST(s == nullptr);
    CHECK_OK(cu.stream_create_with_priority(&s, non_blocking, -100)); // clamped
    int priority = 1;
    CHECK_OK(cu.stream_get_priority(s, &priority));
    BOOST_TEST(priority == -5);
    unsigned flags = 7;
    CHECK_OK(cu.stream_get_flags(s, &flags));
    BOOST_TEST(flags == non_blocking);
    CHECK_OK(cu.stream_get_flags(nullptr, &flags));
    BOOST_TEST(flags == blocking);
    context_handle owner = nullptr;
    CHECK_OK(cu.stream_get_ctx(s, &owner));
    BOOST_TEST(owner == context);
    auto state = hanabi::driver::capture_status::active;
    CHECK_OK(cu.stream_is_capturing(s, &state));
    BOOST_TEST((state == hanabi::driver::capture_status::none));
    auto mode = hanabi::driver::capture_mode::relaxed;
    CHECK_OK(cu.thread_exchange_stream_capture_mode(&mode));
    BOOST_TEST((mode == hanabi::driver::capture_mode::global));
    CHECK_OK(cu.thread_exchange_stream_capture_mode(&mode));
    BOOST_TEST((mode == hanabi::driver::capture_mode::relaxed));
    mode = static_cast<hanabi::driver::capture_mode>(3);
    CHECK_REFUSED(cu.thread_exchange_stream_capture_mode(&mode), status::invalid_value, "no such capture mode");
    const stream_handle bad = reinterpret_cast<stream_handle>(std::uintptr_t{0x1000});
    CHECK_REFUSED(cu.stream_get_priority(bad, &priority), status::invalid_handle, "0x1000 is no stream");
    CHECK_REFUSED(cu.stream_get_flags(bad, &flags), status::invalid_handle, "is no stream");
    CHECK_REFUSED(cu.stream_get_ctx(bad, &owner), status::invalid_handle, "is no stream");
    CHECK_REFUSED(cu.stream_is_capturing(bad, &state), status::invalid_handle, "is no stream");
    CHECK_REFUSED(cu.stream_synchronize(bad), status::invalid_handle, "is no stream");
    CHECK_REFUSED(cu.stream_query(bad), status::invalid_handle, "is no stream");
    CHECK_REFUSED(cu.stream_query(reinterpret_cast<stream_handle>(context)), status::invalid_handle, "is no stream");
    CHECK_REFUSED(cu.stream_destroy(nullptr), status::invalid_handle, "default streams");
    CHECK_REFUSED(cu.stream_destroy(special(2)), status::invalid_handle, "default streams");
    CHECK_REFUSED(cu.stream_get_priority(s, nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.stream_get_flags(s, nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.stream_get_ctx(s, nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.stream_is_capturing(s, nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.launch_host_func(s, nullptr, nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.launch_host_func(
                      bad, [](void*) {}, nullptr),
                  status::invalid_handle, "is no stream");
    CHECK_OK(cu.stream_destroy(s));
}

BOOST_FIXTURE_TEST_CASE(host_functions_may_not_call_the_driver, fresh_driver) {
    static status seen;
    CHECK_OK(cu.launch_host_func(
        nullptr, [](void*) { seen = cu.ctx_synchronize(); }, nullptr));
    CHECK_OK(cu.stream_synchronize(nullptr));
    BOOST_TEST(seen == status::not_permitted);
}

BOOST_FIXTURE_TEST_CASE(events, fresh_driver) {
    const stream_handle s = make_stream(), t = make_stream();
    event_handle start = nullptr, end = nullptr, bare = nullptr;
    CHECK_OK(cu.event_create(&start, 0));
    CHECK_OK(cu.event_create(&end, hanabi::driver::event_flags::blocking_sync));
    CHECK_OK(cu.event_create(&bare, hanabi::driver::event_flags::disable_timing));
    CHECK_REFUSED(cu.event_create(&bare, 4), status::invalid_value, "event flags 4");
    CHECK_REFUSED(cu.event_create(nullptr, 0), status::invalid_value, "null");
    CHECK_OK(cu.event_query(start)); // never recorded: nothing to wait for
    CHECK_OK(cu.event_synchronize(start));
    CHECK_OK(cu.stream_wait_event(s, start, 0));
    float ms = -1;
    CHECK_REFUSED(cu.event_elapsed_time(&ms, start, end), status::invalid_handle, "never recorded");
    diary d;
    {
        gate held{s};
        CHECK_OK(cu.event_record(start, s));
        BOOST_TEST(cu.event_query(start) == status::not_ready);
        CHECK_OK(cu.stream_wait_event(t, start, 0));
        d.note(t, 1);
        CHECK_OK(cu.event_record(end, t));
        CHECK_OK(cu.event_record(bare, t));
        BOOST_TEST(cu.stream_query(t) == status::not_ready);
        BOOST_TEST(cu.event_elapsed_time(&ms, start, end) == status::not_ready);
        BOOST_TEST(ms == -1);
        BOOST_TEST(d.so_far().empty());
    }
    CHECK_OK(cu.event_synchronize(end));
    BOOST_TEST(d.so_far().size() == 1u);
    CHECK_OK(cu.event_elapsed_time(&ms, start, end));
    BOOST_TEST(ms >= 0);
    BOOST_TEST(ms < 10000);
    CHECK_REFUSED(cu.event_elapsed_time(&ms, start, bare), status::invalid_handle, "without timing");
    CHECK_REFUSED(cu.event_elapsed_time(nullptr, start, end), status::invalid_value, "null");
    CHECK_REFUSED(cu.stream_wait_event(s, nullptr, 0), status::invalid_handle, "event handle is null");
    CHECK_REFUSED(cu.stream_wait_event(s, start, 2), status::invalid_value, "flags 2");
    {
        gate held{s};
        CHECK_OK(cu.event_record(start, s));
        CHECK_OK(cu.stream_wait_event(t, start, 0));
        CHECK_OK(cu.event_destroy(start)); // what waits for it goes on waiting
        BOOST_TEST(cu.stream_query(t) == status::not_ready);
    }
    CHECK_OK(cu.stream_synchronize(t));
    CHECK_REFUSED(cu.event_query(start), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.event_record(start, s), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.event_synchronize(start), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.event_destroy(start), status::invalid_handle, "was destroyed already");
    CHECK_OK(cu.event_destroy(end));
    CHECK_OK(cu.event_destroy(bare));
}

BOOST_AUTO_TEST_CASE(across_contexts) {
    const fresh_driver driver{std::vector<host::device_config>(2)};
    context_handle other = nullptr;
    CHECK_OK(cu.device_primary_ctx_retain(&other, 1));
    const stream_handle s = make_stream();
    event_handle here = nullptr, there = nullptr;
    CHECK_OK(cu.event_create(&here, 0));
    CHECK_OK(cu.ctx_set_current(other));
    CHECK_OK(cu.event_create(&there, 0));
    const stream_handle t = make_stream();
    CHECK_OK(cu.event_record(there, t));
    CHECK_REFUSED(cu.event_record(here, t), status::invalid_handle, "belong to different contexts");
    CHECK_OK(cu.event_record(here, s)); // of one context, though not the current one
    CHECK_OK(cu.stream_wait_event(t, here, 0));
    CHECK_OK(cu.event_synchronize(here));
    CHECK_OK(cu.stream_synchronize(s));
    float ms = 0;
    CHECK_REFUSED(cu.event_elapsed_time(&ms, here, there), status::invalid_handle, "different contexts");
}

BOOST_FIXTURE_TEST_CASE(from_many_threads, fresh_driver) {
    constexpr int threads = 8, rounds = 50;
    const device_address total = allocate(threads * 4);
    std::vector<std::thread> workers;
    std::atomic<int> bad{0};
    for (int w = 0; w < threads; ++w)
        workers.emplace_back([&, w] {
            const auto ok = [&](status s) { bad += s != status::success; };
            ok(cu.ctx_set_current(context));
            for (int i = 0; i < rounds; ++i) {
                stream_handle s = nullptr;
                event_handle e = nullptr;
                ok(cu.stream_create_with_priority(&s, i % 2 == 0 ? blocking : non_blocking, 0));
                ok(cu.event_create(&e, 0));
                ok(cu.memset_d32_async(total + static_cast<unsigned>(w) * 4, static_cast<unsigned>(i), 1, s));
                ok(cu.event_record(e, s));
                ok(cu.stream_wait_event(nullptr, e, 0));
                ok(cu.event_synchronize(e));
                ok(cu.event_destroy(e));
                ok(cu.stream_destroy(s));
            }
        });
    for (std::thread& w : workers) w.join();
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(bad == 0);
    std::vector<unsigned> values(threads);
    CHECK_OK(cu.memcpy_dtoh_async(values.data(), total, threads * 4, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(values == std::vector<unsigned>(threads, rounds - 1), boost::test_tools::per_element());
    CHECK_OK(cu.mem_free(total));
}
