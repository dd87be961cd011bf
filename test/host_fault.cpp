// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Faults on order: the nth call, everything, missing entries, and counts of calls.

#define BOOST_TEST_MODULE host_fault
#include <boost/test/unit_test.hpp>

#include "support/host_driver.hpp"

#include <atomic>
#include <thread>
#include <vector>

BOOST_FIXTURE_TEST_CASE(the_nth_call, fresh_driver) {
    device_address a = 0x77;
    host::fail(entry::mem_alloc, status::out_of_memory);
    CHECK_REFUSED(cu.mem_alloc(&a, 4), status::out_of_memory, "was ordered to fail");
    BOOST_TEST(a == 0x77u); // it did nothing
    CHECK_OK(cu.mem_alloc(&a, 4));
    host::fail(entry::mem_free, status::unknown, 3, 2, "as the test wants it");
    CHECK_REFUSED(cu.mem_free(0), status::invalid_value, "is no memory");   // 1
    CHECK_REFUSED(cu.mem_free(0), status::invalid_value, "is no memory");   // 2
    CHECK_REFUSED(cu.mem_free(a), status::unknown, "as the test wants it"); // 3
    CHECK_REFUSED(cu.mem_free(a), status::unknown, "as the test wants it"); // 4
    CHECK_OK(cu.mem_free(a));
    host::fail(entry::ctx_synchronize, status::not_permitted, 1, host::forever);
    for (int i = 0; i < 10; ++i) BOOST_TEST(cu.ctx_synchronize() == status::not_permitted);
    host::clear_faults();
    CHECK_OK(cu.ctx_synchronize());
    host::fail(entry::ctx_synchronize, status::timeout, 1, 0); // no times at all
    CHECK_OK(cu.ctx_synchronize());
    host::fail(entry::ctx_synchronize, status::timeout, 2);
    host::fail(entry::ctx_synchronize, status::unknown, 1);
    BOOST_TEST(cu.ctx_synchronize() == status::unknown);
    BOOST_TEST(cu.ctx_synchronize() == status::timeout);
    CHECK_OK(cu.ctx_synchronize());
    host::fail(entry::mem_alloc, status::success); // claims to have worked
    a = 0x77;
    CHECK_OK(cu.mem_alloc(&a, 4));
    BOOST_TEST(a == 0x77u);
}

BOOST_FIXTURE_TEST_CASE(every_entry_fails_on_order, fresh_driver) {
#define HANABI_ENTRY(member, name, version, need, parameters) host::fail(entry::member, status::system_not_ready);
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    const auto call = [](auto function) { return [=]<class... P>(status (*)(P...)) { return function(P{}...); }(function); };
    const char* failed = "";
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    failed = name;                                                                                                                         \
    BOOST_TEST(call(cu.member) == status::system_not_ready, failed);                                                                       \
    BOOST_TEST(host::calls(entry::member) >= 1u, failed);
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
}

BOOST_FIXTURE_TEST_CASE(null_and_zero_everywhere, fresh_driver) {
    // No argument of any entry crashes; most refuse.
    const auto call = [](auto function) { return [=]<class... P>(status (*)(P...)) { return function(P{}...); }(function); };
#define HANABI_ENTRY(member, name, version, need, parameters) call(cu.member);
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    CHECK_OK(cu.device_primary_ctx_retain(&context, 0)); // cuDevicePrimaryCtxRelease(0) was among them
    CHECK_OK(cu.ctx_set_current(context));
    CHECK_OK(cu.ctx_synchronize());
}

BOOST_FIXTURE_TEST_CASE(a_driver_that_has_gone, fresh_driver) {
    const stream_handle s = make_stream();
    for (const status gone : {status::deinitialized, status::context_is_destroyed, status::illegal_address}) {
        host::fail_everything(gone);
        int count = 0;
        BOOST_TEST(cu.stream_destroy(s) == gone);
        BOOST_TEST(cu.device_get_count(&count) == gone);
        BOOST_TEST(cu.init(0) == gone);
        BOOST_TEST(cu.module_unload(nullptr) == gone);
        const char* text = nullptr;
        CHECK_OK(cu.get_error_name(gone, &text)); // text is still there
        const log_watch watch;
        cu.ctx_synchronize();
        BOOST_TEST(watch.has("from cuCtxSynchronize"));
    }
    host::fail_everything(status::success);
    CHECK_OK(cu.stream_destroy(s));
    host::fail_everything(status::deinitialized);
    host::clear_faults();
    CHECK_OK(cu.ctx_synchronize());
}

BOOST_FIXTURE_TEST_CASE(calls_are_counted, fresh_driver) {
    host::clear_calls();
    BOOST_TEST(host::calls() == 0u);
    cu.ctx_synchronize();
    cu.ctx_synchronize();
    cu.mem_free(1);
    BOOST_TEST(host::calls(entry::ctx_synchronize) == 2u);
    BOOST_TEST(host::calls(entry::mem_free) == 1u);
    BOOST_TEST(host::calls(entry::mem_alloc) == 0u);
    BOOST_TEST(host::calls() == 3u);
}

BOOST_AUTO_TEST_CASE(tables_without_entries) {
    const auto& older = host::table_without({entry::launch_kernel_ex, entry::func_get_param_info});
    BOOST_TEST((older.launch_kernel_ex == nullptr));
    BOOST_TEST((older.func_get_param_info == nullptr));
    BOOST_TEST((older.launch_kernel == cu.launch_kernel));
    BOOST_TEST(older.is_host);
    BOOST_TEST((cu.launch_kernel_ex != nullptr));
    BOOST_TEST((&older != &host::table_without({})));
}

BOOST_AUTO_TEST_CASE(the_hook) { BOOST_TEST(hanabi_host_driver_table() == &host::table()); }

BOOST_FIXTURE_TEST_CASE(reset_forgets, fresh_driver) {
    host::fail(entry::ctx_synchronize, status::unknown);
    host::fail_everything(status::unknown);
    auto options = host::current_options();
    options.driver_version = 1;
    host::set_options(options);
    host::reset();
    BOOST_TEST(host::balance().is_zero());
    BOOST_TEST(host::leaks().empty());
    BOOST_TEST(host::current_options().driver_version == 13000);
    context_handle current = context;
    CHECK_OK(cu.ctx_get_current(&current)); // no fault is left, and cuInit stays called
    BOOST_TEST(current == nullptr);         // on no thread is anything current
    CHECK_REFUSED(cu.ctx_synchronize(), status::invalid_context, "no context is current");
    CHECK_REFUSED(cu.ctx_set_current(context), status::invalid_context, "is no context that is alive");
}

BOOST_FIXTURE_TEST_CASE(from_many_threads, fresh_driver) {
    // Orders are carried out once each, whoever calls.
    host::fail(entry::ctx_get_current, status::timeout, 1, 100);
    std::atomic<int> failed{0};
    std::vector<std::thread> workers;
    for (int w = 0; w < 4; ++w)
        workers.emplace_back([&] {
            for (int i = 0; i < 100; ++i) {
                context_handle c = nullptr;
                failed += cu.ctx_get_current(&c) == status::timeout;
            }
        });
    for (std::thread& w : workers) w.join();
    BOOST_TEST(failed == 100);
}
