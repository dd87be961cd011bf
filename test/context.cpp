// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The process context: made once and shared, made current and put back, and every way it can fail to be there.

#define BOOST_TEST_MODULE context
#include <boost/test/unit_test.hpp>

#include <hanabi/context.hpp>
#include <hanabi/current.hpp>
#include <hanabi/host.hpp>
#include <hanabi/stream.hpp>
#include <hanabi/teardown.hpp>

#include "support/driver.hpp"
#include "support/faults.hpp"

#include <atomic>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

using hanabi::context;
using hanabi::errc;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

hanabi::driver::context_handle current() {
    hanabi::driver::context_handle handle = nullptr;
    test_driver().ctx_get_current(&handle);
    return handle;
}

/// The host driver with n devices, and nothing of the tests before.
void start_host(std::size_t devices) {
    context::release(0, hanabi::driver::host());
    context::release(1, hanabi::driver::host());
    host::reset(std::vector<host::device_config>(devices));
}

std::atomic<int> teardown_calls;
status teardown_status;
void count_teardown(const char*, status with) noexcept {
    ++teardown_calls;
    teardown_status = with;
}

} // namespace

BOOST_AUTO_TEST_CASE(primary_is_made_once_and_shared) {
    const context a = test_context();
    const context b = test_context();
    BOOST_TEST(a.handle() == b.handle());
    BOOST_TEST(a.stream() == b.stream());
    BOOST_TEST((a == b));
    BOOST_TEST(a.handle() != nullptr);
    BOOST_TEST(a.stream() != nullptr);
    BOOST_TEST(a.ordinal() == 0);
    BOOST_TEST(&a.table() == &test_driver());
    BOOST_TEST(!a.device_name().empty());
    BOOST_TEST(a.driver_version() >= 11000);
    BOOST_TEST((a.compute_capability() >= hanabi::compute_capability{5, 0}));
    if (a.table().ctx_get_id != nullptr) BOOST_TEST(a.id() != 0u);
}

BOOST_AUTO_TEST_CASE(limits_are_the_devices_attributes) {
    const context c = test_context();
    using attribute = hanabi::driver::device_attribute;
    BOOST_TEST(c.limits().max_grid[0] == static_cast<unsigned>(c.attribute(attribute::max_grid_dim_x)));
    BOOST_TEST(c.limits().max_grid[1] == 65535u);
    BOOST_TEST(c.limits().max_grid[2] == 65535u);
    BOOST_TEST(c.limits().max_block[2] == 64u);
    BOOST_TEST(c.limits().max_threads_per_block == 1024u);
    BOOST_TEST(c.limits().warp_size == 32u);
    BOOST_TEST(c.limits().shared_per_block == 48u * 1024u);
    BOOST_TEST(c.limits().shared_per_block_optin >= c.limits().shared_per_block);
    BOOST_TEST(c.limits().multiprocessors == static_cast<unsigned>(c.attribute(attribute::multiprocessor_count)));
    HANABI_CHECK_ERROR(c.attribute(static_cast<attribute>(9999)), status::invalid_value, "attribute 9999 of device 0",
                       "CUDA_ERROR_INVALID_VALUE (1)");
}

BOOST_AUTO_TEST_CASE(its_stream_does_not_wait_for_the_legacy_one) {
    const context c = test_context();
    const auto own = hanabi::stream::own(c);
    BOOST_TEST(!own.blocking());
    BOOST_TEST(own.handle() == c.stream());
}

BOOST_AUTO_TEST_CASE(memory_and_priorities) {
    const context c = test_context();
    const auto memory = c.memory_info();
    BOOST_TEST(memory.total > 0u);
    BOOST_TEST(memory.free <= memory.total);
    const auto range = c.stream_priority_range();
    BOOST_TEST(range.greatest <= range.least);
    c.synchronize();
    std::error_code code = errc::no_driver;
    c.synchronize(code);
    BOOST_TEST(!code);
}

BOOST_AUTO_TEST_CASE(release_makes_room_for_a_new_one_and_keeps_what_is_used) {
    const context old = test_context();
    BOOST_TEST(context::release(0, test_driver()));
    BOOST_TEST(!context::release(0, test_driver()));
    const context fresh = test_context();
    BOOST_TEST(fresh.stream() != old.stream());
    old.synchronize();          // alive still
    BOOST_TEST((fresh == old)); // one driver context, retained twice
}

BOOST_AUTO_TEST_CASE(release_gives_the_last_one_back_to_the_driver) {
    HANABI_SKIP_ON_CUDA("other code may hold the primary context");
    start_host(1);
    const auto before = host_objects();
    { const context c = test_context(); }
    BOOST_TEST(context::release(0, test_driver()));
    BOOST_TEST(host_objects() == before);
}

BOOST_AUTO_TEST_CASE(ordinals_out_of_range) {
    const int count = test_devices();
    BOOST_TEST(count >= 1);
    const std::string of = "has " + std::to_string(count) + " device";
    HANABI_CHECK_ERROR(test_context(-1), errc::ordinal_out_of_range, "hanabi::context::primary", "there is no device -1", of);
    HANABI_CHECK_ERROR(test_context(count), errc::ordinal_out_of_range, "no device " + std::to_string(count), of);
    HANABI_CHECK_ERROR(context::create(count, 0, test_driver()), errc::ordinal_out_of_range, "hanabi::context::create");
}

BOOST_AUTO_TEST_CASE(no_device) {
    HANABI_SKIP_ON_CUDA("needs a driver without devices");
    start_host(0);
    HANABI_CHECK_ERROR(test_context(), errc::no_device, "has no CUDA device", "CUDA_VISIBLE_DEVICES", "hanabi::context::any()");
    BOOST_TEST(context::device_count(test_driver()) == 0);
    start_host(1);
    host::fail(entry::init, status::no_device);
    HANABI_CHECK_ERROR(test_context(), errc::no_device, "has no CUDA device");
    host::fail(entry::init, status::system_driver_mismatch);
    HANABI_CHECK_ERROR(test_context(), status::system_driver_mismatch, "initialising the driver",
                       "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)");
}

BOOST_AUTO_TEST_CASE(every_driver_call_of_making_one_can_fail) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    start_host(1);
    every_call_fails([] {
        { const context c = test_context(); }
        context::release(0, test_driver());
    });
    every_call_fails([] { const context c = context::create(0, 0, test_driver()); });
    const context c = test_context();
    every_call_fails([&] { const context adopted = context::adopt(c.handle(), test_driver()); });
    every_call_fails([&] {
        static_cast<void>(c.memory_info());
        static_cast<void>(c.stream_priority_range());
        static_cast<void>(c.attribute(hanabi::driver::device_attribute::warp_size));
        c.synchronize();
    });
    context::release(0, test_driver());
}

BOOST_AUTO_TEST_CASE(a_failing_creation_names_what_it_did) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    start_host(1);
    host::fail(entry::device_primary_ctx_retain, status::device_unavailable, 1, 1, "the device is in exclusive mode");
    HANABI_CHECK_ERROR(test_context(), status::device_unavailable, "hanabi::context::primary: device 0", "the device is in exclusive mode",
                       "CUDA_ERROR_DEVICE_UNAVAILABLE (46)");
    test_context(); // and nothing of it stays
}

BOOST_AUTO_TEST_CASE(a_context_of_ones_own) {
    const auto before = current();
    {
        const context c = context::create(0, 0, test_driver());
        BOOST_TEST(current() == before);
        BOOST_TEST(c.handle() != test_context().handle());
        BOOST_TEST(!(c == test_context()));
        c.synchronize();
        const context d = context::create(0, hanabi::driver::context_flags::blocking_sync, test_driver());
        BOOST_TEST(!(c == d));
        // Also when another one is current: it is afterwards.
        const hanabi::current_context here{c};
        const context e = context::create(0, 0, test_driver());
        BOOST_TEST(current() == c.handle());
    }
    BOOST_TEST(current() == before);
    HANABI_CHECK_ERROR(context::create(0, ~0u, test_driver()), status::invalid_value, "hanabi::context::create: device 0");
    BOOST_TEST(current() == before);
}

BOOST_AUTO_TEST_CASE(an_adopted_context_is_not_destroyed) {
    const context owner = context::create(0, 0, test_driver());
    {
        const context guest = context::adopt(owner.handle(), test_driver());
        BOOST_TEST((guest == owner));
        BOOST_TEST(guest.ordinal() == 0);
        BOOST_TEST(guest.stream() != owner.stream());
        guest.synchronize();
    }
    owner.synchronize();
    HANABI_CHECK_ERROR(context::adopt(nullptr, test_driver()), errc::invalid_argument, "hanabi::context::adopt: a null context");
}

BOOST_AUTO_TEST_CASE(current_for_a_scope) {
    const context a = test_context();
    const context b = context::create(0, 0, test_driver());
    const auto before = current();
    {
        const hanabi::current_context outer{a};
        BOOST_TEST(current() == a.handle());
        {
            const hanabi::current_context inner{b};
            BOOST_TEST(current() == b.handle());
            a.synchronize(); // makes its own current, and puts b's back
            BOOST_TEST(current() == b.handle());
        }
        BOOST_TEST(current() == a.handle());
        try {
            const hanabi::current_context inner{b};
            throw 1;
        } catch (int) {
        }
        BOOST_TEST(current() == a.handle());
    }
    BOOST_TEST(current() == before);
}

BOOST_AUTO_TEST_CASE(a_thread_without_a_context) {
    const context c = test_context();
    hanabi::driver::context_handle during = c.handle();
    bool synchronized = false;
    std::thread{[&] {
        c.synchronize();
        const hanabi::stream s{c};
        s.synchronize();
        synchronized = true;
        during = current();
    }}.join();
    BOOST_TEST(synchronized);
    BOOST_TEST(during == nullptr); // and has none afterwards
}

BOOST_AUTO_TEST_CASE(what_was_current_comes_back_on_failure) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    start_host(2);
    const context first = test_context(0);
    const context second = test_context(1);
    const hanabi::current_context here{second};
    host::fail(entry::ctx_synchronize, status::unknown);
    HANABI_CHECK_ERROR(first.synchronize(), status::unknown, "hanabi::context::synchronize", "CUDA_ERROR_UNKNOWN (999)");
    BOOST_TEST(current() == second.handle());
    host::fail(entry::ctx_set_current, status::unknown); // it can't be made current
    HANABI_CHECK_ERROR(first.synchronize(), status::unknown, "hanabi::context::synchronize");
    BOOST_TEST(current() == second.handle());
    host::fail(entry::ctx_get_current, status::unknown);
    HANABI_CHECK_ERROR(first.synchronize(), status::unknown);
    BOOST_TEST(current() == second.handle());
    host::fail(entry::ctx_set_current, status::unknown, 2); // it can't be put back: no failure of the operation
    first.synchronize();
    BOOST_TEST(host::calls(entry::ctx_set_current) != 0u);
}

BOOST_AUTO_TEST_CASE(one_call_when_it_is_current_already) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const context c = test_context();
    const hanabi::current_context here{c};
    host::clear_calls();
    hanabi::driver::context_handle previous = nullptr;
    BOOST_TEST((hanabi::detail::ensure_current(*c.state(), previous) == status::success));
    hanabi::detail::restore_current(*c.state(), previous);
    BOOST_TEST(host::calls() == 1u);
    BOOST_TEST(host::calls(entry::ctx_get_id) == 1u); // of the current context: it is ours, and the same still
}

BOOST_AUTO_TEST_CASE(a_thread_without_a_context_asks_once_for_an_id) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const context c = test_context();
    std::thread{[&] {
        c.synchronize();
        host::clear_calls();
        c.synchronize();
        BOOST_TEST(host::calls(entry::ctx_get_current) == 1u);
        BOOST_TEST(host::calls(entry::ctx_get_id) == 1u); // of the context itself, before it is made current
        BOOST_TEST(host::calls(entry::ctx_set_current) == 2u);
        BOOST_TEST(host::calls() == 5u);
        const hanabi::current_context here{c};
        host::clear_calls();
        c.synchronize();
        BOOST_TEST(host::calls() == 2u);
    }}.join();
}

BOOST_AUTO_TEST_CASE(an_old_driver_without_ids) {
    HANABI_SKIP_ON_CUDA("takes entries away");
    static hanabi::driver::table old; // a table lives as long as the process
    old = hanabi::driver::host();
    old.ctx_get_id = nullptr;
    old.stream_get_ctx = nullptr;
    old.mem_alloc_async = nullptr;
    {
        const context c = context::primary(0, old);
        BOOST_TEST(c.id() == 0u);
        c.synchronize();
        const hanabi::current_context here{c};
        host::clear_calls();
        c.synchronize();
        BOOST_TEST(host::calls() == 2u);
        const hanabi::stream s{c};
        hanabi::stream::adopt(c, s.handle()).synchronize();
        host::fail(entry::ctx_synchronize, status::context_is_destroyed);
        HANABI_CHECK_ERROR(c.synchronize(), errc::context_lost, "cudaDeviceReset");
    }
    BOOST_TEST(context::release(0, old));
}

BOOST_AUTO_TEST_CASE(reset_behind_the_library) {
    HANABI_SKIP_ON_CUDA("the reset is the host driver's");
    start_host(1);
    const context lost = test_context();
    hanabi::stream s{lost};
    host::device_reset(0); // as cudaDeviceReset does
    HANABI_CHECK_ERROR(lost.synchronize(), errc::context_lost, "hanabi::context::synchronize", "device 0", "cudaDeviceReset",
                       "hanabi::context::release(0)", "CUDA_ERROR_");
    std::error_code code;
    lost.synchronize(code);
    BOOST_TEST((code == errc::context_lost));
    HANABI_CHECK_ERROR(s.synchronize(), errc::context_lost, "hanabi::stream::synchronize");

    // Another primary context at the same address: still not ours.
    const context fresh = test_context();
    BOOST_TEST(fresh.handle() == lost.handle());
    BOOST_TEST(fresh.id() != lost.id());
    BOOST_TEST(!(fresh == lost));
    HANABI_CHECK_ERROR(s.synchronize(), errc::context_lost, "hanabi::stream::synchronize", "cudaDeviceReset");
    fresh.synchronize();
}

BOOST_AUTO_TEST_CASE(sticky_errors_are_blamed_on_earlier_launches) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    start_host(1);
    const context c = test_context();
    for (const status sticky : {status::illegal_address, status::illegal_instruction, status::misaligned_address,
                                status::invalid_address_space, status::launch_failed}) {
        host::fail(entry::ctx_synchronize, sticky, 1, 2);
        for (int again = 0; again < 2; ++again)
            HANABI_CHECK_ERROR(c.synchronize(), sticky, "hanabi::context::synchronize: met here, not caused here",
                               "an earlier launch failed", "restarted", hanabi::driver::name_of(sticky));
    }
    host::fail(entry::ctx_synchronize, status::assert_);
    HANABI_CHECK_ERROR(c.synchronize(), status::assert_, "destroy the context", "CUDA_ERROR_ASSERT (710)");
    for (const status other : {status::invalid_value, status::not_found, status::out_of_memory}) {
        host::fail(entry::ctx_synchronize, other);
        const caught error = catch_error([&] { c.synchronize(); });
        BOOST_TEST((error.code == other));
        BOOST_TEST(!error.says("earlier launch"));
        BOOST_TEST(!error.says("restart"));
    }
    BOOST_TEST(hanabi::detail::driver_failure(*c.state(), status::illegal_address, "loading", "blas::axpy, grid 4")
                   .message.find("last launches: blas::axpy, grid 4") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(teardown_is_quiet_when_the_driver_has_gone) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    const auto handler = hanabi::set_teardown_handler(&count_teardown);
    for (const status gone : {status::deinitialized, status::invalid_context, status::context_is_destroyed}) {
        start_host(1);
        teardown_calls = 0;
        {
            const context c = context::create(0, 0, test_driver());
            const hanabi::stream s{c};
            host::fail_everything(gone);
        }
        host::fail_everything(status::success);
        BOOST_TEST(teardown_calls == 0);
    }
    start_host(1);
    { // a status that tells of a failure goes to the handler, once an object
        teardown_calls = 0;
        const context c = test_context();
        {
            const hanabi::stream s{c};
            host::fail(entry::stream_destroy, status::unknown);
        }
        BOOST_TEST(teardown_calls == 1);
        BOOST_TEST((teardown_status == status::unknown));
        teardown_calls = 0;
        {
            const hanabi::stream s{c};
            host::fail(entry::stream_destroy, status::illegal_address);
        }
        BOOST_TEST(teardown_calls == 1); // the default handler says nothing of this one, others are told
    }
    BOOST_TEST((hanabi::set_teardown_handler(handler) == &count_teardown));
    start_host(1);
}

BOOST_AUTO_TEST_CASE(many_threads_get_one_context) {
    context::release(0, test_driver());
    std::vector<std::thread> threads;
    std::vector<hanabi::driver::stream_handle> streams(8);
    for (auto& stream : streams)
        threads.emplace_back([&stream] {
            const context c = test_context();
            c.synchronize();
            stream = c.stream();
        });
    for (auto& thread : threads) thread.join();
    for (const auto stream : streams) BOOST_TEST(stream == streams.front());
}

BOOST_AUTO_TEST_CASE(peers) {
    if (test_devices() < 2) {
        if (!on_host()) {
            BOOST_TEST_MESSAGE("skipped: one device");
            return;
        }
        start_host(2);
    }
    const context a = test_context(0);
    const context b = test_context(1);
    BOOST_TEST(!a.can_access_peer(a));
    static_cast<void>(a.can_access_peer(b));
    BOOST_TEST(!(a == b));
}

#if !defined(_WIN32)
BOOST_AUTO_TEST_CASE(in_a_forked_child_everything_is_a_typed_error) {
    const context c = test_context();
    hanabi::stream s{c};
    const pid_t child = fork();
    if (child == 0) {
        int wrong = 0;
        const auto expect = [&](auto action) {
            const caught error = catch_error(action);
            if (error.code != errc::forked_process || !error.says("forked") || !error.says("exec")) ++wrong;
        };
        expect([&] { c.synchronize(); });
        expect([&] { s.synchronize(); });
        expect([&] { test_context(); });
        expect([&] { context::create(0, 0, test_driver()); });
        expect([&] { context::device_count(test_driver()); });
        expect([&] { hanabi::stream t{c}; });
        expect([&] { hanabi::current_context here{c}; });
        expect([&] { static_cast<void>(c.attribute(hanabi::driver::device_attribute::warp_size)); });
        std::error_code code;
        s.synchronize(code);
        if (code != errc::forked_process) ++wrong;
        if (context::release(0, test_driver())) ++wrong;
        { const hanabi::stream dies = std::move(s); } // and destructors do nothing
        _exit(wrong);
    }
    int how = -1;
    BOOST_REQUIRE(waitpid(child, &how, 0) == child);
    BOOST_TEST(WIFEXITED(how));
    BOOST_TEST(WEXITSTATUS(how) == 0);
    s.synchronize(); // the parent goes on
}
#endif
