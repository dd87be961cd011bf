// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Reports of kernels in the wrong context, as tests: cases 24, 25 and 27 of test/data/cases.

#define BOOST_TEST_MODULE cases_context
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <atomic>
#include <thread>

using hanabi::errc;
using hanabi::kernel;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::context_handle;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {
constexpr kernel<"m", "add_one", void(const float*, float*, int)> add_one;
constexpr kernel<"m", "tick", void(int*)> tick;
constexpr kernel<"m", "oob", void(int*)> oob;

struct two_devices : fresh {
    two_devices() : fresh{{host::device_config{}, host::device_config{}}} {
        host::define(add_one, [](host::thread t, const float* x, float* y, int n) {
            if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] = x[i] + 1.0f;
        });
        host::define(tick, [](host::thread, int* p) { ++*p; });
    }
};

context_handle current() {
    context_handle handle = nullptr;
    BOOST_TEST((test_driver().ctx_get_current(&handle) == status::success));
    return handle;
}
} // namespace

BOOST_FIXTURE_TEST_CASE(case_24_kernel_on_other_device, two_devices) {
    HANABI_SKIP_ON_CUDA("needs two devices");
    const std::string ptx = test::file("cases/24-kernel-on-other-device/kernel.ptx");
    const hanabi::context first = *gpu, second = test_context(1), third = hanabi::context::create(0, 0, test_driver());
    const registry of_first = registry::load(first, {{"m", ptx}}), of_second = registry::load(second, {{"m", ptx}}),
                   of_third = registry::load(third, {{"m", ptx}});
    for (const registry& r : {of_first, of_second, of_third}) {
        hanabi::buffer<float> x{r.context(), 4}, y{r.context(), 4};
        x.copy_from(std::vector<float>(4, 1.0f));
        hanabi::dispatcher{r}(add_one[over(4)](x, y, 4)); // the one descriptor, a handle for each
        BOOST_TEST(y.to_vector()[3] == 2.0f);
        BOOST_TEST(last_launch().context == r.context().handle());
    }
    BOOST_TEST(of_first.function("m", "add_one") != of_third.function("m", "add_one")); // two contexts of one device
    // A stream of another context is refused, by name.
    const hanabi::stream elsewhere{second};
    const hanabi::dispatcher run{of_first};
    HANABI_CHECK_ERROR(run.on(elsewhere), errc::wrong_context, "hanabi::dispatcher::on", "device 1", "device 0");
    HANABI_CHECK_ERROR(run.on(second.stream()), errc::wrong_context, "device 1");
    HANABI_CHECK_ERROR(run.on(third.stream()), errc::wrong_context, "device 0");
    // The opt-in of shared memory is each context's own.
    host::clear_calls();
    for (const registry& r : {of_first, of_second})
        hanabi::dispatcher{r}(add_one[over(4) | hanabi::shared<char>(100000)](nullptr, nullptr, 0));
    BOOST_TEST(host::calls(entry::func_set_attribute) == 2u);
    of_first.stream().synchronize();
    of_second.stream().synchronize();
}

BOOST_FIXTURE_TEST_CASE(case_25_thread_without_context, two_devices) {
    HANABI_SKIP_ON_CUDA("needs two devices");
    const std::string ptx = test::file("cases/25-thread-without-context/kernel.ptx");
    std::optional<registry> r = registry::load(*gpu, {{"m", ptx}});
    const hanabi::dispatcher run{*r};
    const hanabi::context second = test_context(1);
    hanabi::buffer<int> value{*gpu, 1};
    value.copy_from(std::vector<int>{0});
    const auto one = hanabi::grid(1) | hanabi::block(1);

    // On a thread with no context, and on one where another's is current: on the context's own stream, on a default
    // stream, and through the long path.
    const auto launches = [&] {
        const context_handle before = current();
        run(tick[one](value));
        run.on(nullptr)(tick[one](value));
        run(tick[one | hanabi::priority(0)](value));
        run[tick](one, value);
        r->require(tick);
        static_cast<void>(r->function("m", "tick"));
        run.synchronize();
        run.on(nullptr).synchronize();
        BOOST_TEST(current() == before);
        // The former one comes back though the driver fails in the middle.
        for (const entry e : {entry::launch_kernel, entry::stream_synchronize, entry::module_get_function}) {
            host::fail(e, status::unknown);
            BOOST_CHECK_THROW((run.on(nullptr)(tick[one](value)), run.synchronize(), static_cast<void>(r->function("m", "tick"))),
                              hanabi::error);
            host::clear_faults();
            BOOST_TEST(current() == before);
        }
        run.on(nullptr).synchronize();
        run.synchronize();
    };
    std::thread{launches}.join();
    std::thread{[&] {
        const hanabi::current_context other{second};
        launches();
    }}.join();
    launches();
    for (const auto& record : host::launches()) BOOST_TEST(record.context == gpu->handle());
    BOOST_TEST(value.to_vector()[0] == static_cast<int>(host::launch_count()));
    BOOST_TEST(host::launch_count() == 3u * 6u);

    // A driver that wants the context current at every launch: the long path makes it so.
    host::fail(entry::launch_kernel, status::invalid_context);
    run(tick[one](value));
    host::fail(entry::launch_kernel, status::invalid_handle);
    run(tick[one](value));
    BOOST_TEST(host::launch_count() == 3u * 6u + 2u);

    // The last handle goes on a thread without a context.
    std::thread{[own = std::optional{registry::load(*gpu, {{"m", ptx}})}]() mutable {
        BOOST_CHECK_NO_THROW(own.reset());
        BOOST_TEST(current() == nullptr);
    }}.join();
    std::thread{[&] {
        const hanabi::current_context other{second};
        r->unload();
        BOOST_TEST(current() == second.handle());
    }}.join();
    BOOST_TEST(host::balance().modules == 0u);
}

BOOST_FIXTURE_TEST_CASE(case_27_sticky_error_blamed_on_load, recording) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const std::string ptx = test::file("cases/27-sticky-error-blamed-on-load/kernel.ptx");
    {
        const registry r = load(ptx, "m");
        hanabi::dispatcher{r}(oob[hanabi::grid(17) | hanabi::block(32)](nullptr));
        for (const status sticky : {status::illegal_address, status::hardware_stack_error, status::illegal_instruction,
                                    status::misaligned_address, status::invalid_address_space, status::launch_failed}) {
            host::fail_everything(sticky);
            HANABI_CHECK_ERROR(load(ptx, "next"), sticky, "hanabi::registry::load", "met here, not caused here",
                               "perhaps by one of the last launches: m::oob with a grid of 17");
            HANABI_CHECK_ERROR(r.function("m", "oob"), sticky, "hanabi::registry::function", "m::oob", "met here, not caused here",
                               "m::oob with a grid of 17");
            HANABI_CHECK_ERROR(r.symbol("m", "x"), sticky, "met here, not caused here");
            host::fail_everything(status::success);
        }
        host::fail(entry::module_load_data_ex, status::illegal_address);
        HANABI_CHECK_ERROR(load(ptx, "next"), status::illegal_address, "module 'next'", "met here, not caused here",
                           "m::oob with a grid of 17", "CUDA_ERROR_ILLEGAL_ADDRESS (700): ");
        // Nothing is remembered of the failure.
        load(ptx, "next").function("next", "oob");
        // Other errors are not described so.
        for (const status plain : {status::invalid_value, status::not_found}) {
            host::fail(entry::module_load_data_ex, plain);
            const caught e = catch_error([&] { load(ptx, "next"); });
            BOOST_TEST((e.code == plain));
            BOOST_TEST(!e.says("not caused here"), e.message);
            BOOST_TEST(!e.says("m::oob"), e.message);
        }
        // A context really broken: unloading is silent about it, a new context is as good as new.
        {
            const hanabi::current_context here{*gpu};
            host::break_context(status::illegal_address);
        }
        HANABI_CHECK_ERROR(hanabi::dispatcher{r}(oob[over(1)](nullptr)), status::illegal_address, "launching m::oob",
                           "met here, not caused here");
    }
    const hanabi::context other = hanabi::context::create(0, 0, test_driver());
    registry::load(other, {{"m", ptx}}).require(oob);
    gpu.reset();
    hanabi::context::release(0, test_driver());
    host::reset();
}
