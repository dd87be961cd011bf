// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The host driver's devices and contexts: initialisation, currency, destruction, reset, fork, and the texts of statuses.

#define BOOST_TEST_MODULE host_context
#include <boost/test/unit_test.hpp>

#include "support/host_driver.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using hanabi::driver::device_attribute;

BOOST_AUTO_TEST_CASE(nothing_works_before_init) { // the first case: cuInit is called once a process
    int count = 0, version = 0;
    CHECK_REFUSED(cu.device_get_count(&count), status::not_initialized, "cuInit was not called");
    context_handle c = nullptr;
    CHECK_REFUSED(cu.device_primary_ctx_retain(&c, 0), status::not_initialized, "cuInit was not called");
    device_address a = 0;
    CHECK_REFUSED(cu.mem_alloc(&a, 4), status::not_initialized, "cuInit was not called");
    CHECK_OK(cu.driver_get_version(&version));
    BOOST_TEST(version == 13000);
    host::reset({});
    CHECK_REFUSED(cu.init(0), status::no_device, "without a device");
    host::reset();
    CHECK_REFUSED(cu.init(1), status::invalid_value, "flags are 1");
    CHECK_OK(cu.init(0));
    CHECK_OK(cu.device_get_count(&count));
    BOOST_TEST(count == 1);
    CHECK_REFUSED(cu.device_get_count(nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.driver_get_version(nullptr), status::invalid_value, "null");
}

BOOST_AUTO_TEST_CASE(every_entry_is_there) {
#define HANABI_ENTRY(member, name, version, need, parameters) BOOST_TEST(cu.member != nullptr, name);
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    BOOST_TEST(cu.module_set_label != nullptr);
    BOOST_TEST(cu.is_host);
    BOOST_TEST(cu.origin == std::string{"host driver"});
}

BOOST_AUTO_TEST_CASE(devices) {
    host::device_config second;
    second.name = "second";
    second.major = 7;
    second.minor = 5;
    second.total_memory = 12345;
    second.attributes[device_attribute::warp_size] = 64;
    const fresh_driver driver{{host::device_config{}, second}};
    int count = 0, device = -1, value = 0;
    CHECK_OK(cu.device_get_count(&count));
    BOOST_TEST(count == 2);
    CHECK_OK(cu.device_get(&device, 1));
    BOOST_TEST(device == 1);
    CHECK_REFUSED(cu.device_get(&device, 2), status::invalid_device, "no device 2: there are 2");
    CHECK_REFUSED(cu.device_get(&device, -1), status::invalid_device, "no device -1");
    CHECK_REFUSED(cu.device_get(nullptr, 0), status::invalid_value, "null");
    char name[64];
    CHECK_OK(cu.device_get_name(name, sizeof name, 1));
    BOOST_TEST(name == std::string{"second"});
    CHECK_OK(cu.device_get_name(name, 4, 1)); // cut, and terminated
    BOOST_TEST(name == std::string{"sec"});
    CHECK_REFUSED(cu.device_get_name(name, 0, 1), status::invalid_value, "no room");
    CHECK_REFUSED(cu.device_get_name(name, 64, 5), status::invalid_device, "no device 5");
    const auto attribute = [&](device_attribute which, int of) {
        BOOST_TEST((cu.device_get_attribute(&value, which, of) == status::success));
        return value;
    };
    BOOST_TEST(attribute(device_attribute::max_threads_per_block, 0) == 1024);
    BOOST_TEST(attribute(device_attribute::max_grid_dim_x, 0) == 2147483647);
    BOOST_TEST(attribute(device_attribute::max_grid_dim_y, 0) == 65535);
    BOOST_TEST(attribute(device_attribute::max_block_dim_z, 0) == 64);
    BOOST_TEST(attribute(device_attribute::max_shared_memory_per_block, 0) == 49152);
    BOOST_TEST(attribute(device_attribute::max_shared_memory_per_block_optin, 0) == 232448);
    BOOST_TEST(attribute(device_attribute::compute_capability_major, 0) == 9);
    BOOST_TEST(attribute(device_attribute::compute_capability_major, 1) == 7);
    BOOST_TEST(attribute(device_attribute::compute_capability_minor, 1) == 5);
    BOOST_TEST(attribute(device_attribute::warp_size, 1) == 64);
    BOOST_TEST(attribute(device_attribute::memory_pools_supported, 0) == 1);
    CHECK_REFUSED(cu.device_get_attribute(&value, static_cast<device_attribute>(9999), 0), status::invalid_value, "attribute 9999");
    CHECK_REFUSED(cu.device_get_attribute(&value, device_attribute::warp_size, 2), status::invalid_device, "no device 2");
    CHECK_REFUSED(cu.device_get_attribute(nullptr, device_attribute::warp_size, 0), status::invalid_value, "null");
    std::size_t bytes = 0;
    CHECK_OK(cu.device_total_mem(&bytes, 1));
    BOOST_TEST(bytes == 12345u);
    CHECK_REFUSED(cu.device_total_mem(&bytes, 2), status::invalid_device, "no device 2");
    CHECK_REFUSED(cu.device_total_mem(nullptr, 0), status::invalid_value, "null");
}

BOOST_AUTO_TEST_CASE(texts_of_statuses) {
    const char* text = nullptr;
    CHECK_OK(cu.get_error_name(status::illegal_address, &text));
    BOOST_TEST(text == std::string{"CUDA_ERROR_ILLEGAL_ADDRESS"});
    CHECK_OK(cu.get_error_string(status::illegal_address, &text));
    BOOST_TEST(text == std::string{"a kernel read or wrote an address that is not valid"}); // a process is not lost here
    CHECK_OK(cu.get_error_string(status::invalid_value, &text));
    BOOST_TEST(text == std::string{hanabi::driver::description_of(status::invalid_value)});
    CHECK_OK(cu.get_error_name(status::unknown, &text));
    BOOST_TEST(cu.get_error_name(static_cast<status>(12345), &text) == status::invalid_value);
    BOOST_TEST(text == nullptr);
    BOOST_TEST(cu.get_error_string(static_cast<status>(12345), &text) == status::invalid_value);
    BOOST_TEST(text == nullptr);
    CHECK_REFUSED(cu.get_error_name(status::success, nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.get_error_string(status::success, nullptr), status::invalid_value, "null");
}

BOOST_FIXTURE_TEST_CASE(the_primary_context, fresh_driver) {
    context_handle again = nullptr;
    CHECK_OK(cu.device_primary_ctx_retain(&again, 0));
    BOOST_TEST(again == context);
    unsigned long long id = 0, current_id = 0;
    CHECK_OK(cu.ctx_get_id(context, &id));
    CHECK_OK(cu.ctx_get_id(nullptr, &current_id));
    BOOST_TEST(id == current_id);
    const stream_handle s = make_stream();
    const device_address a = allocate(4);
    CHECK_OK(cu.device_primary_ctx_release(0));
    CHECK_OK(cu.stream_query(s)); // still retained once
    CHECK_OK(cu.device_primary_ctx_release(0));
    CHECK_REFUSED(cu.device_primary_ctx_release(0), status::invalid_context, "is not retained");
    CHECK_REFUSED(cu.ctx_synchronize(), status::context_is_destroyed, "was destroyed");
    CHECK_REFUSED(cu.ctx_set_current(context), status::invalid_context, "is no context that is alive");
    CHECK_REFUSED(cu.ctx_get_id(context, &id), status::invalid_context, "no such context");
    CHECK_REFUSED(cu.ctx_get_id(nullptr, &id), status::context_is_destroyed, "no such context");
    // Made again: the same handle, another context.
    CHECK_OK(cu.device_primary_ctx_retain(&again, 0));
    BOOST_TEST(again == context);
    CHECK_OK(cu.ctx_get_id(again, &id));
    BOOST_TEST(id != current_id);
    CHECK_REFUSED(cu.stream_query(s), status::context_is_destroyed, "went with its context");
    CHECK_REFUSED(cu.memset_d8_async(a, 0, 4, nullptr), status::invalid_value, "freed memory");
    CHECK_REFUSED(cu.device_primary_ctx_retain(&again, 1), status::invalid_device, "no device 1");
    CHECK_REFUSED(cu.device_primary_ctx_retain(nullptr, 0), status::invalid_value, "null");
    CHECK_REFUSED(cu.device_primary_ctx_release(1), status::invalid_device, "no device 1");
}

BOOST_FIXTURE_TEST_CASE(contexts_of_ones_own, fresh_driver) {
    context_handle mine = nullptr, current = nullptr;
    CHECK_OK(cu.ctx_create(&mine, 0, 0));
    CHECK_OK(cu.ctx_get_current(&current));
    BOOST_TEST(current == mine); // made current
    BOOST_TEST(mine != context);
    int device = -1;
    CHECK_OK(cu.ctx_get_device(&device));
    BOOST_TEST(device == 0);
    unsigned long long id = 0, next_id = 0;
    CHECK_OK(cu.ctx_get_id(mine, &id));
    const stream_handle s = make_stream();
    event_handle e = nullptr;
    CHECK_OK(cu.event_create(&e, 0));
    CHECK_OK(cu.ctx_destroy(mine));
    CHECK_OK(cu.ctx_get_current(&current));
    BOOST_TEST(current == nullptr); // it was popped
    CHECK_REFUSED(cu.ctx_destroy(mine), status::invalid_context, "is no context that is alive");
    CHECK_REFUSED(cu.ctx_destroy(nullptr), status::invalid_context, "is no context that is alive");
    CHECK_REFUSED(cu.ctx_destroy(context), status::invalid_context, "the primary context is released, not destroyed");
    // The next one may have its handle, and has not its id.
    context_handle next = nullptr;
    CHECK_OK(cu.ctx_create(&next, hanabi::driver::context_flags::blocking_sync, 0));
    BOOST_TEST(next == mine);
    CHECK_OK(cu.ctx_get_id(next, &next_id));
    BOOST_TEST(next_id > id);
    CHECK_REFUSED(cu.stream_query(s), status::context_is_destroyed, "went with its context");
    CHECK_REFUSED(cu.event_query(e), status::context_is_destroyed, "went with its context");
    int least = 1, greatest = 1;
    CHECK_OK(cu.ctx_get_stream_priority_range(&least, &greatest));
    BOOST_TEST(least == 0);
    BOOST_TEST(greatest == -5);
    CHECK_OK(cu.ctx_destroy(next));
    CHECK_REFUSED(cu.ctx_create(&next, 0x1000, 0), status::invalid_value, "context flags");
    CHECK_REFUSED(cu.ctx_create(&next, 3, 0), status::invalid_value, "context flags");
    CHECK_REFUSED(cu.ctx_create(&next, 0, 7), status::invalid_device, "no device 7");
    CHECK_REFUSED(cu.ctx_create(nullptr, 0, 0), status::invalid_value, "null");
}

BOOST_FIXTURE_TEST_CASE(a_thread_without_a_context, fresh_driver) {
    const stream_handle s = make_stream();
    const device_address a = allocate(4);
    std::thread{[&] {
        context_handle current = context;
        BOOST_TEST((cu.ctx_get_current(&current) == status::success));
        BOOST_TEST(current == nullptr);
        int number = 0;
        std::size_t size = 0;
        device_address b = 0;
        void* p = nullptr;
        event_handle e = nullptr;
        module_handle m = nullptr;
        stream_handle t = nullptr;
        const char* const reason = "no context is current";
        CHECK_REFUSED(cu.ctx_synchronize(), status::invalid_context, reason);
        CHECK_REFUSED(cu.ctx_get_device(&number), status::invalid_context, reason);
        CHECK_REFUSED(cu.ctx_get_stream_priority_range(&number, &number), status::invalid_context, reason);
        CHECK_REFUSED(cu.stream_create_with_priority(&t, 0, 0), status::invalid_context, reason);
        CHECK_REFUSED(cu.stream_synchronize(s), status::invalid_context, reason);
        CHECK_REFUSED(cu.stream_query(nullptr), status::invalid_context, reason);
        CHECK_REFUSED(cu.stream_destroy(s), status::invalid_context, reason);
        CHECK_REFUSED(cu.event_create(&e, 0), status::invalid_context, reason);
        CHECK_REFUSED(cu.mem_get_info(&size, &size), status::invalid_context, reason);
        CHECK_REFUSED(cu.mem_alloc(&b, 4), status::invalid_context, reason);
        CHECK_REFUSED(cu.mem_free(a), status::invalid_context, reason);
        CHECK_REFUSED(cu.mem_host_alloc(&p, 4, 0), status::invalid_context, reason);
        CHECK_REFUSED(cu.memset_d8_async(a, 0, 4, s), status::invalid_context, reason);
        CHECK_REFUSED(cu.memcpy_htod_async(a, &number, 4, s), status::invalid_context, reason);
        CHECK_REFUSED(cu.module_load_data_ex(&m, "", 0, nullptr, nullptr), status::invalid_context, reason);
        CHECK_REFUSED(cu.module_unload(nullptr), status::invalid_context, reason);
        CHECK_REFUSED(cu.launch_kernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::invalid_context, reason);
        context_handle owner = nullptr;
        BOOST_TEST((cu.stream_get_ctx(s, &owner) == status::success)); // a stream knows
        BOOST_TEST(owner == context);
    }}.join();
    CHECK_OK(cu.mem_free(a));
}

BOOST_FIXTURE_TEST_CASE(reset_of_the_device, fresh_driver) {
    const stream_handle s = make_stream();
    unsigned long long before = 0, after = 0;
    CHECK_OK(cu.ctx_get_id(context, &before));
    BOOST_TEST(host::device_reset(0));
    BOOST_TEST(!host::device_reset(0)); // nothing left
    BOOST_TEST(!host::device_reset(1));
    CHECK_REFUSED(cu.stream_synchronize(s), status::context_is_destroyed, "was destroyed");
    CHECK_REFUSED(cu.ctx_synchronize(), status::context_is_destroyed, "was destroyed");
    std::thread{[&] { CHECK_REFUSED(cu.ctx_set_current(context), status::invalid_context, "is no context that is alive"); }}.join();
    context_handle again = nullptr;
    CHECK_OK(cu.device_primary_ctx_retain(&again, 0));
    BOOST_TEST(again == context);
    CHECK_OK(cu.ctx_get_id(context, &after));
    BOOST_TEST(after != before);
    CHECK_OK(cu.ctx_synchronize());             // the handle that is current names the new one
    CHECK_OK(cu.device_primary_ctx_release(0)); // the retain of before the reset still counts
    CHECK_OK(cu.ctx_synchronize());
    CHECK_OK(cu.device_primary_ctx_release(0));
    BOOST_TEST(host::balance().contexts == 0u);
}

BOOST_FIXTURE_TEST_CASE(destruction_waits_for_work, fresh_driver) {
    const stream_handle s = make_stream();
    std::atomic<bool> done{false};
    gate held{s};
    CHECK_OK(cu.launch_host_func(
        s, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &done));
    std::thread opener{[&] { held.open(); }};
    CHECK_OK(cu.device_primary_ctx_release(0));
    BOOST_TEST(done);
    opener.join();
}

BOOST_FIXTURE_TEST_CASE(a_broken_context_says_so_everywhere, fresh_driver) {
    const stream_handle s = make_stream();
    const device_address a = allocate(4);
    event_handle e = nullptr;
    CHECK_OK(cu.event_create(&e, 0));
    BOOST_TEST(host::break_context(status::illegal_address, "a test broke it"));
    const char* const reason = "a test broke it: met here, not caused here; an earlier operation in this context failed, and what is in it "
                               "is lost; no restart is needed, but another context (end what was made in it, then "
                               "hanabi::context::release(0, hanabi::driver::host()) and context::host(0))";
    CHECK_REFUSED(cu.ctx_synchronize(), status::illegal_address, reason);
    CHECK_REFUSED(cu.stream_synchronize(s), status::illegal_address, reason);
    CHECK_REFUSED(cu.stream_query(s), status::illegal_address, reason);
    CHECK_REFUSED(cu.stream_destroy(s), status::illegal_address, reason);
    CHECK_REFUSED(cu.event_query(e), status::illegal_address, reason);
    CHECK_REFUSED(cu.event_record(e, s), status::illegal_address, reason);
    CHECK_REFUSED(cu.mem_free(a), status::illegal_address, reason);
    CHECK_REFUSED(cu.memset_d8_async(a, 0, 4, s), status::illegal_address, reason);
    module_handle m = nullptr;
    CHECK_REFUSED(cu.module_load_data_ex(&m, "garbage", 0, nullptr, nullptr), status::illegal_address, reason);
    int count = 0;
    CHECK_OK(cu.device_get_count(&count)); // the driver is not broken
    CHECK_OK(cu.ctx_set_current(context));
    context_handle other = nullptr;
    CHECK_OK(cu.ctx_create(&other, 0, 0)); // another context works
    CHECK_OK(cu.ctx_synchronize());
    CHECK_OK(cu.ctx_destroy(other));
    CHECK_OK(cu.device_primary_ctx_release(0));
    BOOST_TEST(host::balance().contexts == 0u);
    BOOST_TEST(!host::break_context(status::unknown));
}

BOOST_FIXTURE_TEST_CASE(the_log, fresh_driver) {
    hanabi::driver::log_iterator from = 0, all = 0;
    CHECK_OK(cu.logs_current(&from, 0));
    all = from;
    cu.mem_free(1);
    cu.mem_free(2);
    std::string buffer(10000, 'x');
    std::size_t size = buffer.size();
    CHECK_OK(cu.logs_dump_to_memory(&from, buffer.data(), &size, 0));
    BOOST_TEST(buffer[size] == '\0');
    const std::string text = buffer.substr(0, size);
    BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 4);
    // [HH:MM:SS.mmm][thread][CUDA][E] text
    BOOST_TEST(text[0] == '[');
    BOOST_TEST(text[13] == ']');
    BOOST_TEST(text.find("][CUDA][E] 0x1 is no memory that cuMemAlloc made\n") != std::string::npos);
    BOOST_TEST(text.find("][CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemFree\n") != std::string::npos);
    size = buffer.size();
    CHECK_OK(cu.logs_dump_to_memory(&from, buffer.data(), &size, 0)); // nothing new
    BOOST_TEST(size == 0u);
    size = 200; // the newest only, and a line that says so
    from = all;
    CHECK_OK(cu.logs_dump_to_memory(&from, buffer.data(), &size, 0));
    BOOST_TEST(size <= 199u);
    BOOST_TEST(buffer.substr(0, size).find("Older log entries are missing here\n") == 0u);
    BOOST_TEST(buffer.substr(0, size).find("from cuMemFree\n") != std::string::npos);
    size = 10;
    from = all;
    BOOST_TEST(cu.logs_dump_to_memory(&from, buffer.data(), &size, 0) == status::invalid_value);
    BOOST_TEST(size == 0u);
    for (int i = 0; i < 200; ++i) cu.mem_free(3);
    size = buffer.size();
    CHECK_OK(cu.logs_dump_to_memory(&all, buffer.data(), &size, 0));
    BOOST_TEST(std::count(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size), '\n') ==
               101); // 100, and that some are missing
    size = buffer.size();
    CHECK_OK(cu.logs_dump_to_memory(nullptr, buffer.data(), &size, 0));
    BOOST_TEST(std::count(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size), '\n') == 100);
    CHECK_REFUSED(cu.logs_current(nullptr, 0), status::invalid_value, "null");
    CHECK_REFUSED(cu.logs_current(&from, 1), status::invalid_value, "flags");
    CHECK_REFUSED(cu.logs_dump_to_memory(&from, nullptr, &size, 0), status::invalid_value, "null");
}

BOOST_FIXTURE_TEST_CASE(a_forked_child_has_no_driver, fresh_driver) {
    const stream_handle s = make_stream();
    const gate held{s}; // a thread of the driver is at work
    const pid_t child = fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        int value = 0;
        const char* text = nullptr;
        device_address a = 0;
        const bool right = cu.init(0) == status::not_initialized && cu.device_get_count(&value) == status::not_initialized &&
                           cu.mem_alloc(&a, 4) == status::not_initialized && cu.ctx_synchronize() == status::not_initialized &&
                           cu.stream_synchronize(s) == status::not_initialized &&
                           cu.get_error_name(status::success, &text) == status::not_initialized &&
                           cu.module_set_label(nullptr, "") == status::not_initialized && host::balance().streams == 1;
        _exit(right ? 0 : 1);
    }
    int how = -1;
    BOOST_REQUIRE(waitpid(child, &how, 0) == child);
    BOOST_TEST(how == 0);
    std::size_t bytes = 0;
    CHECK_OK(cu.mem_get_info(&bytes, &bytes)); // the parent goes on
}
