// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Events: marks that are waited for, and times between them.

#define BOOST_TEST_MODULE event
#include <boost/test/unit_test.hpp>

#include <hanabi/context.hpp>
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

using hanabi::context;
using hanabi::errc;
using hanabi::event;
using hanabi::stream;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {
struct gate {
    std::atomic<bool> open{false};
    static void HANABI_CUDAAPI wait(void* self) {
        while (!static_cast<gate*>(self)->open.load()) std::this_thread::sleep_for(std::chrono::microseconds{100});
    }
};
void HANABI_CUDAAPI sleep_five_milliseconds(void*) { std::this_thread::sleep_for(std::chrono::milliseconds{5}); }
} // namespace

static_assert(std::is_same_v<decltype(elapsed(std::declval<const event&>(), std::declval<const event&>())), hanabi::event_duration>);

BOOST_AUTO_TEST_CASE(a_mark_is_reached_after_the_work_before_it) {
    const context c = test_context();
    stream s{c};
    event mark{c};
    BOOST_TEST(mark.handle() != nullptr);
    BOOST_TEST((mark.context() == c));
    BOOST_TEST(mark.done()); // never recorded
    mark.synchronize();
    gate g;
    s.call(&gate::wait, &g);
    mark.record(s);
    BOOST_TEST(!mark.done());
    std::error_code code = errc::no_driver;
    BOOST_TEST(!mark.done(code));
    BOOST_TEST(!code);
    g.open = true;
    mark.synchronize();
    BOOST_TEST(mark.done());
    mark.synchronize(code);
    BOOST_TEST(!code);
    event blocking{c, {.timing = false, .blocking_sync = true}};
    blocking.record(s.handle());
    blocking.synchronize();
}

BOOST_AUTO_TEST_CASE(time_between_two) {
    const context c = test_context();
    stream s{c};
    event start{c};
    event stop{c};
    start.record(s);
    s.call(&sleep_five_milliseconds, nullptr);
    stop.record(s);
    stop.synchronize();
    const hanabi::event_duration time = elapsed(start, stop);
    BOOST_TEST(time.count() >= 4.0f);
    BOOST_TEST(time.count() < 5000.0f);
    std::error_code code = errc::no_driver;
    BOOST_TEST(elapsed(start, stop, code).count() == time.count());
    BOOST_TEST(!code);
    const std::chrono::duration<double> seconds = time;
    const std::chrono::nanoseconds whole = std::chrono::duration_cast<std::chrono::nanoseconds>(seconds);
    BOOST_TEST(whole.count() >= 4000000);
}

BOOST_AUTO_TEST_CASE(times_that_there_are_not) {
    const context c = test_context();
    stream s{c};
    event timed{c};
    event plain{c, {.timing = false}};
    event never{c};
    BOOST_TEST(timed.has_timing());
    BOOST_TEST(!plain.has_timing());
    timed.record(s);
    plain.record(s);
    s.synchronize();
    HANABI_CHECK_ERROR(elapsed(plain, timed), errc::invalid_argument, "hanabi::elapsed: the first event was made without timing");
    HANABI_CHECK_ERROR(elapsed(timed, plain), errc::invalid_argument, "the second event was made without timing", ".timing = true");
    HANABI_CHECK_ERROR(elapsed(timed, never), errc::invalid_argument, "the second event was never recorded");
    HANABI_CHECK_ERROR(elapsed(never, timed), errc::invalid_argument, "the first event was never recorded");
    std::error_code code;
    BOOST_TEST(elapsed(timed, plain, code).count() == 0.0f);
    BOOST_TEST((code == errc::invalid_argument));

    gate g;
    event late{c};
    s.call(&gate::wait, &g);
    late.record(s);
    HANABI_CHECK_ERROR(elapsed(timed, late), status::not_ready, "not reached yet", "synchronize()", "CUDA_ERROR_NOT_READY (600)");
    g.open = true;
    s.synchronize();

    const context other = context::create(0, 0, test_driver());
    stream there{other};
    event elsewhere{other};
    elsewhere.record(there);
    elsewhere.synchronize();
    HANABI_CHECK_ERROR(elapsed(timed, elsewhere), errc::wrong_context, "hanabi::elapsed", "device 0");
    HANABI_CHECK_ERROR(elsewhere.record(s), errc::wrong_context, "hanabi::event::record");
    HANABI_CHECK_ERROR(elsewhere.record(s.handle()), status::invalid_handle, "hanabi::event::record", "CUDA_ERROR_INVALID_HANDLE (400)");
}

BOOST_AUTO_TEST_CASE(moved_from) {
    const context c = test_context();
    stream s{c};
    event a{c};
    a.record(s);
    event b{std::move(a)};
    b.synchronize();
    BOOST_TEST(a.handle() == nullptr);
    HANABI_CHECK_ERROR(a.record(s), errc::invalid_argument, "hanabi::event::record: the event was moved from");
    HANABI_CHECK_ERROR(a.synchronize(), errc::invalid_argument, "moved from");
    HANABI_CHECK_ERROR(static_cast<void>(a.done()), errc::invalid_argument, "moved from");
    HANABI_CHECK_ERROR(a.context(), errc::invalid_argument, "moved from");
    HANABI_CHECK_ERROR(s.wait(a), errc::invalid_argument, "hanabi::stream::wait: the event was moved from");
    HANABI_CHECK_ERROR(elapsed(a, b), errc::invalid_argument, "moved from");
    std::error_code code;
    a.synchronize(code);
    BOOST_TEST((code == errc::invalid_argument));
    a = std::move(b);
    a.synchronize();
    a = event{c};
    BOOST_TEST(a.done());
}

BOOST_AUTO_TEST_CASE(every_driver_call_can_fail) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    const context c = test_context();
    stream s{c};
    every_call_fails([&] {
        event start{c};
        event stop{c, {.blocking_sync = true}};
        start.record(s);
        stop.record(s.handle());
        stop.synchronize();
        static_cast<void>(stop.done());
        static_cast<void>(elapsed(start, stop));
    });
    std::error_code code;
    event mark{c};
    host::fail(entry::event_record, status::out_of_memory);
    mark.record(s, code);
    BOOST_TEST((code == status::out_of_memory));
    host::fail(entry::event_synchronize, status::launch_failed);
    mark.synchronize(code);
    BOOST_TEST((code == status::launch_failed));
    host::fail(entry::event_query, status::launch_failed);
    BOOST_TEST(!mark.done(code));
    BOOST_TEST((code == status::launch_failed));
}
