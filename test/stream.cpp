// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Streams: made, adopted, ordered, and refused where they don't belong.

#define BOOST_TEST_MODULE stream
#include <boost/test/unit_test.hpp>

#include <hanabi/context.hpp>
#include <hanabi/current.hpp>
#include <hanabi/event.hpp>
#include <hanabi/host.hpp>
#include <hanabi/stream.hpp>

#include "support/driver.hpp"
#include "support/faults.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using hanabi::context;
using hanabi::errc;
using hanabi::event;
using hanabi::stream;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

/// Holds a stream up until it is opened.
struct gate {
    std::atomic<bool> open{false};
    static void HANABI_CUDAAPI wait(void* self) {
        while (!static_cast<gate*>(self)->open.load()) std::this_thread::sleep_for(std::chrono::microseconds{100});
    }
};
void HANABI_CUDAAPI set_true(void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }

} // namespace

static_assert(!std::is_copy_constructible_v<stream> && std::is_nothrow_move_constructible_v<stream>);
static_assert(!std::is_copy_constructible_v<event> && std::is_nothrow_move_assignable_v<event>);

BOOST_AUTO_TEST_CASE(made_with_options) {
    const context c = test_context();
    const stream plain{c};
    BOOST_TEST(plain.handle() != nullptr);
    BOOST_TEST(!plain.blocking());
    BOOST_TEST((plain.context() == c));
    BOOST_TEST(plain.done());
    const stream blocking{c, {.blocking = true}};
    BOOST_TEST(blocking.blocking());
    const auto range = c.stream_priority_range();
    BOOST_TEST((stream{c, {.priority = range.greatest}}).priority() == range.greatest);
    BOOST_TEST((stream{c, {.priority = range.greatest - 100}}).priority() == range.greatest); // the driver clamps
    BOOST_TEST((stream{c, {.priority = range.least + 100}}).priority() == range.least);
}

BOOST_AUTO_TEST_CASE(work_is_waited_for) {
    const context c = test_context();
    stream s{c};
    gate g;
    std::atomic<bool> ran{false};
    s.call(&gate::wait, &g);
    s.call(&set_true, &ran);
    BOOST_TEST(!s.done());
    std::error_code code = errc::no_driver;
    BOOST_TEST(!s.done(code));
    BOOST_TEST(!code);
    g.open = true;
    s.synchronize();
    BOOST_TEST(ran.load());
    BOOST_TEST(s.done());
    hanabi::stream_synchronize(s);
    hanabi::stream_synchronize(c, s.handle());
    hanabi::stream_synchronize(c, nullptr);
    hanabi::stream_synchronize(c, s.handle(), code);
    BOOST_TEST(!code);
    HANABI_CHECK_ERROR(s.call(nullptr, nullptr), errc::invalid_argument, "hanabi::stream::call: a null function");
}

BOOST_AUTO_TEST_CASE(one_stream_waits_for_another) {
    const context c = test_context();
    stream first{c};
    stream second{c};
    gate g;
    std::atomic<bool> ran{false};
    first.call(&gate::wait, &g);
    second.wait(first);
    second.call(&set_true, &ran);
    BOOST_TEST(!second.done());
    BOOST_TEST(!ran.load());
    g.open = true;
    second.synchronize();
    BOOST_TEST(ran.load());

    event mark{c, {.timing = false}};
    first.record(mark);
    second.wait(mark);
    std::error_code code = errc::no_driver;
    second.wait(mark, code);
    BOOST_TEST(!code);
    second.synchronize();
}

BOOST_AUTO_TEST_CASE(adopted_and_not_destroyed) {
    const context c = test_context();
    const stream owner{c};
    {
        const stream guest = stream::adopt(c, owner.handle());
        BOOST_TEST((guest == owner));
        guest.synchronize();
    }
    owner.synchronize();
    const stream legacy = stream::adopt(c, nullptr);
    BOOST_TEST(legacy.handle() == nullptr);
    legacy.synchronize();
    const stream named = stream::adopt(c, reinterpret_cast<hanabi::driver::stream_handle>(hanabi::driver::stream_legacy));
    named.synchronize();
    const stream own = stream::own(c);
    own.synchronize();
    BOOST_TEST(!(own == owner));
}

BOOST_AUTO_TEST_CASE(a_stream_of_another_context_is_refused) {
    const context c = test_context();
    const context other = context::create(0, 0, test_driver());
    const stream elsewhere{other};
    if (c.table().stream_get_ctx != nullptr)
        HANABI_CHECK_ERROR(stream::adopt(c, elsewhere.handle()), errc::wrong_context, "hanabi::stream::adopt",
                           "the stream belongs to a context of device 0", "not to this context of device 0");
    event mark{c};
    HANABI_CHECK_ERROR(mark.record(elsewhere), errc::wrong_context, "hanabi::event::record", "device 0");
    std::error_code code;
    mark.record(elsewhere, code);
    BOOST_TEST((code == errc::wrong_context));
}

BOOST_AUTO_TEST_CASE(a_stream_of_another_device_is_named) {
    HANABI_SKIP_ON_CUDA("needs two devices");
    context::release(0, test_driver());
    host::reset({host::device_config{}, host::device_config{}});
    const context zero = test_context(0);
    const context one = test_context(1);
    const stream s{one};
    HANABI_CHECK_ERROR(stream::adopt(zero, s.handle()), errc::wrong_context, "belongs to a context of device 1",
                       "this context of device 0");
    stream waiting{zero};
    waiting.wait(s); // across devices this is fine
    waiting.synchronize();
}

BOOST_AUTO_TEST_CASE(moved_from) {
    const context c = test_context();
    stream a{c};
    const auto raw = a.handle();
    stream b{std::move(a)};
    BOOST_TEST(b.handle() == raw);
    HANABI_CHECK_ERROR(a.handle(), errc::invalid_argument, "hanabi::stream::handle: the stream was moved from");
    HANABI_CHECK_ERROR(a.synchronize(), errc::invalid_argument, "moved from");
    HANABI_CHECK_ERROR(a.context(), errc::invalid_argument, "moved from");
    HANABI_CHECK_ERROR(static_cast<void>(a.done()), errc::invalid_argument, "moved from");
    std::error_code code;
    a.synchronize(code);
    BOOST_TEST((code == errc::invalid_argument));
    event mark{c};
    HANABI_CHECK_ERROR(mark.record(a), errc::invalid_argument, "moved from");
    a = stream{c};
    a.synchronize();
}

BOOST_AUTO_TEST_CASE(every_driver_call_can_fail) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    const context c = test_context();
    const context other = context::create(0, 0, test_driver());
    every_call_fails([&] {
        stream s{c};
        stream t = stream::adopt(c, s.handle());
        t.synchronize();
        static_cast<void>(t.done());
        static_cast<void>(t.priority());
        static_cast<void>(t.blocking());
        stream u{other};
        u.wait(s);
        static std::atomic<bool> ran{false}; // outlives the call, which runs late where the waiting fails
        std::atomic<bool>* const flag = &ran;
        stream_synchronize(c, s.handle());
        s.call(&set_true, flag);
        c.synchronize();
    });
}

BOOST_AUTO_TEST_CASE(the_twins_give_the_code_alone) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    const context c = test_context();
    const stream s{c};
    std::error_code code;
    host::fail(entry::stream_synchronize, status::launch_failed);
    s.synchronize(code);
    BOOST_TEST((code == status::launch_failed));
    host::fail(entry::stream_query, status::launch_failed);
    BOOST_TEST(!s.done(code));
    BOOST_TEST((code == status::launch_failed));
    host::fail(entry::stream_synchronize, status::launch_failed);
    hanabi::stream_synchronize(c, s.handle(), code);
    BOOST_TEST((code == status::launch_failed));
    host::fail(entry::stream_synchronize, status::launch_failed);
    HANABI_CHECK_ERROR(hanabi::stream_synchronize(c, s.handle()), status::launch_failed, "hanabi::stream_synchronize",
                       "CUDA_ERROR_LAUNCH_FAILED (719)", "earlier launch");
}

BOOST_AUTO_TEST_CASE(many_threads) {
    const context c = test_context();
    stream shared{c};
    std::vector<std::thread> threads;
    std::atomic<int> calls{0};
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            stream own{c};
            event mark{c};
            for (int n = 0; n < 20; ++n) {
                shared.call([](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &calls);
                mark.record(shared);
                own.wait(mark);
                own.synchronize();
            }
        });
    for (auto& thread : threads) thread.join();
    shared.synchronize();
    BOOST_TEST(calls.load() == 160);
}
