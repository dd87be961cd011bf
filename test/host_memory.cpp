// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The host driver's memory: every byte accounted for, every wrong address told.

#define BOOST_TEST_MODULE host_memory
#include <boost/test/unit_test.hpp>

#include "support/host_driver.hpp"

#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

BOOST_FIXTURE_TEST_CASE(copies_go_there_and_back, fresh_driver) {
    std::vector<int> in(1000), out(1000);
    std::iota(in.begin(), in.end(), 7);
    const device_address a = allocate(4000), b = allocate(4000);
    BOOST_TEST(a % 256 == 0u);
    CHECK_OK(cu.memcpy_htod_async(a, in.data(), 4000, nullptr));
    CHECK_OK(cu.memcpy_dtod_async(b, a, 4000, nullptr));
    CHECK_OK(cu.memcpy_dtoh_async(out.data(), b, 4000, nullptr));
    CHECK_OK(cu.stream_synchronize(nullptr));
    BOOST_TEST(in == out, boost::test_tools::per_element());
    CHECK_OK(cu.mem_free(a));
    CHECK_OK(cu.mem_free(b));
    BOOST_TEST(host::balance().device_allocations == 0u);
}

BOOST_FIXTURE_TEST_CASE(fresh_memory_is_not_zero, fresh_driver) {
    const device_address a = allocate(4);
    unsigned value = 0;
    CHECK_OK(cu.memcpy_dtoh_async(&value, a, 4, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(value == 0xffffffffu);
    CHECK_OK(cu.mem_free(a));
}

BOOST_FIXTURE_TEST_CASE(fills, fresh_driver) {
    const device_address a = allocate(64);
    std::vector<unsigned char> bytes(64);
    const auto read = [&] {
        BOOST_TEST((cu.memcpy_dtoh_async(bytes.data(), a, 64, nullptr) == status::success));
        BOOST_TEST((cu.ctx_synchronize() == status::success));
    };
    CHECK_OK(cu.memset_d8_async(a, 0, 64, nullptr));
    CHECK_OK(cu.memset_d8_async(a + 1, 0xab, 3, nullptr));
    CHECK_OK(cu.memset_d16_async(a + 4, 0x1234, 2, nullptr));
    CHECK_OK(cu.memset_d32_async(a + 8, 0xdeadbeef, 1, nullptr));
    read();
    const unsigned char expected[] = {0, 0xab, 0xab, 0xab, 0x34, 0x12, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde, 0, 0, 0, 0};
    BOOST_TEST(std::memcmp(bytes.data(), expected, sizeof expected) == 0);
    CHECK_OK(cu.memset_d2d32_async(a, 16, 1, 2, 4, nullptr)); // 2 of 4 columns, 4 rows
    read();
    for (std::size_t i = 0; i < 64; i += 4) BOOST_TEST(bytes[i] == (i % 16 < 8 ? 1 : i == 8 ? 0xef : 0));
    CHECK_OK(cu.memset_d2d32_async(a, 0, 5, 16, 1, nullptr)); // the pitch of one row says nothing
    CHECK_REFUSED(cu.memset_d2d32_async(a, 16, 1, 2, 5, nullptr), status::invalid_value, "runs 8 bytes past the end of the 64-byte buffer");
    CHECK_REFUSED(cu.memset_d2d32_async(a, 4, 1, 2, 2, nullptr), status::invalid_value, "a pitch of 4 bytes");
    CHECK_REFUSED(cu.memset_d2d32_async(a, 6, 1, 1, 2, nullptr), status::invalid_value, "multiples of 4");
    CHECK_REFUSED(cu.memset_d2d32_async(a, std::size_t{1} << 62, 1, 1, 100, nullptr), status::invalid_value, "too many");
    CHECK_REFUSED(cu.memset_d16_async(a + 1, 0, 1, nullptr), status::invalid_value, "not aligned to 2");
    CHECK_REFUSED(cu.memset_d32_async(a + 2, 0, 1, nullptr), status::invalid_value, "not aligned to 4");
    CHECK_REFUSED(cu.memset_d32_async(a, 0, ~std::size_t{0}, nullptr), status::invalid_value, "too many");
    CHECK_REFUSED(cu.memset_d8_async(a, 0, 65, nullptr), status::invalid_value, "runs 1 bytes past the end");
    CHECK_OK(cu.memset_d8_async(a, 0, 0, nullptr));
    CHECK_OK(cu.mem_free(a));
}

BOOST_FIXTURE_TEST_CASE(bounds_say_by_how_much, fresh_driver) {
    const device_address a = allocate(100);
    std::vector<char> bytes(200);
    CHECK_REFUSED(cu.memcpy_htod_async(a, bytes.data(), 101, nullptr), status::invalid_value,
                  "runs 1 bytes past the end of the 100-byte buffer");
    CHECK_REFUSED(cu.memcpy_dtoh_async(bytes.data(), a + 60, 50, nullptr), status::invalid_value,
                  "runs 10 bytes past the end of the 100-byte buffer");
    CHECK_REFUSED(cu.memcpy_htod_async(a + 100, bytes.data(), 1, nullptr), status::invalid_value, "is 0 bytes past the end");
    CHECK_REFUSED(cu.memcpy_htod_async(a - 4, bytes.data(), 4, nullptr), status::invalid_value, "is 4 bytes before the start");
    CHECK_REFUSED(cu.memcpy_htod_async(a, bytes.data(), ~std::size_t{0}, nullptr), status::invalid_value, "past the end");
    CHECK_OK(cu.memcpy_htod_async(a + 100, bytes.data(), 0, nullptr)); // nothing is copied
    CHECK_OK(cu.memcpy_dtoh_async(nullptr, 0, 0, nullptr));
    CHECK_OK(cu.memcpy_dtod_async(0, 0, 0, nullptr));
    CHECK_OK(cu.mem_free(a));
}

BOOST_FIXTURE_TEST_CASE(host_and_device_pointers_are_told_apart, fresh_driver) {
    const device_address a = allocate(16);
    int local[4] = {};
    const auto as_device = reinterpret_cast<device_address>(&local);
    CHECK_REFUSED(cu.memcpy_htod_async(as_device, local, 16, nullptr), status::invalid_value, "is not device memory: a host pointer");
    CHECK_REFUSED(cu.memset_d8_async(as_device, 0, 16, nullptr), status::invalid_value, "is not device memory");
    CHECK_REFUSED(cu.memcpy_htod_async(a, reinterpret_cast<void*>(a), 16, nullptr), status::invalid_value, "a host pointer is expected");
    CHECK_REFUSED(cu.memcpy_dtoh_async(reinterpret_cast<void*>(a), a, 16, nullptr), status::invalid_value, "a host pointer is expected");
    CHECK_REFUSED(cu.memcpy_htod_async(a, nullptr, 16, nullptr), status::invalid_value, "the source is null");
    CHECK_REFUSED(cu.memcpy_htod_async(0, local, 16, nullptr), status::invalid_value, "the destination 0x0 is a null pointer");
    CHECK_REFUSED(cu.mem_free(as_device), status::invalid_value, "is no memory that cuMemAlloc made");
    CHECK_REFUSED(cu.mem_free_host(local), status::invalid_value, "is no memory that cuMemHostAlloc made");
    CHECK_REFUSED(cu.mem_free_host(reinterpret_cast<void*>(a)), status::invalid_value, "is not freed by cuMemFreeHost");
    CHECK_OK(cu.mem_free(a));
}

BOOST_FIXTURE_TEST_CASE(freed_memory_is_remembered, fresh_driver) {
    const device_address a = allocate(32);
    CHECK_REFUSED(cu.mem_free(a + 8), status::invalid_value, "8 bytes into the 32-byte buffer");
    CHECK_OK(cu.mem_free(a));
    char bytes[32] = {};
    CHECK_REFUSED(cu.memcpy_htod_async(a, bytes, 32, nullptr), status::invalid_value, "points into freed memory: the 32-byte buffer");
    CHECK_REFUSED(cu.memset_d8_async(a + 31, 0, 1, nullptr), status::invalid_value, "freed memory");
    CHECK_REFUSED(cu.mem_free(a), status::invalid_value, "freed twice");
    CHECK_REFUSED(cu.mem_free(0), status::invalid_value, "is no memory");
    unsigned type = 0;
    CHECK_REFUSED(cu.pointer_get_attribute(&type, hanabi::driver::pointer_attribute::memory_type, a), status::invalid_value,
                  "is freed memory");
    // The memory of it is bounded.
    auto options = host::current_options();
    options.quarantine_bytes = 0;
    host::set_options(options);
    const device_address b = allocate(32);
    CHECK_OK(cu.mem_free(b));
    CHECK_REFUSED(cu.mem_free(b), status::invalid_value, "is no memory that cuMemAlloc made");
}

BOOST_AUTO_TEST_CASE(memory_ends_somewhere) {
    host::device_config small;
    small.total_memory = 1000;
    const fresh_driver driver{{small}};
    std::size_t free = 0, total = 0, all = 0;
    CHECK_OK(cu.mem_get_info(&free, &total));
    BOOST_TEST(free == 1000u);
    BOOST_TEST(total == 1000u);
    CHECK_OK(cu.device_total_mem(&all, 0));
    BOOST_TEST(all == 1000u);
    device_address address = 0x1234;
    CHECK_REFUSED(cu.mem_alloc(&address, 0), status::invalid_value, "0 bytes");
    CHECK_REFUSED(cu.mem_alloc(&address, 1001), status::out_of_memory, "1001 bytes asked for; the device has 1000, of which 0 are in use");
    CHECK_REFUSED(cu.mem_alloc(&address, ~std::size_t{0}), status::out_of_memory, "the device has 1000");
    CHECK_REFUSED(cu.mem_alloc(nullptr, 1), status::invalid_value, "null");
    BOOST_TEST(address == 0x1234u); // untouched
    const device_address a = allocate(600);
    CHECK_REFUSED(cu.mem_alloc(&address, 401), status::out_of_memory, "of which 600 are in use");
    CHECK_REFUSED(cu.mem_alloc_async(&address, 401, nullptr), status::out_of_memory, "of which 600 are in use");
    const device_address b = allocate(400);
    CHECK_OK(cu.mem_get_info(&free, &total));
    BOOST_TEST(free == 0u);
    CHECK_OK(cu.mem_free(a));
    CHECK_OK(cu.mem_free(b));
    CHECK_REFUSED(cu.mem_get_info(nullptr, &total), status::invalid_value, "null");
}

BOOST_FIXTURE_TEST_CASE(stream_ordered_memory, fresh_driver) {
    const stream_handle s = make_stream(), t = make_stream();
    device_address a = 0;
    {
        gate held{s};
        CHECK_OK(cu.mem_alloc_async(&a, 16, s));
        CHECK_OK(cu.memset_d8_async(a, 1, 16, s)); // after the allocation
        CHECK_OK(cu.mem_free_async(a, s));
        CHECK_REFUSED(cu.memset_d8_async(a, 1, 16, s), status::invalid_value, "is being freed in stream order");
        CHECK_REFUSED(cu.mem_free_async(a, s), status::invalid_value, "freed twice");
        std::size_t free = 0, total = 0;
        CHECK_OK(cu.mem_get_info(&free, &total));
        BOOST_TEST(free == total); // what is freed in stream order can be allocated again in stream order
    }
    CHECK_OK(cu.stream_synchronize(s));
    CHECK_OK(cu.mem_alloc_async(&a, 16, s));
    CHECK_OK(cu.stream_synchronize(s));
    CHECK_OK(cu.mem_free(a)); // allowed too
    CHECK_REFUSED(cu.mem_alloc_async(&a, 0, s), status::invalid_value, "0 bytes");
    {
        gate held{s};
        CHECK_OK(cu.mem_alloc_async(&a, 16, s));
        CHECK_OK(cu.memset_d8_async(a, 1, 16, t)); // another stream: before the allocation
        BOOST_TEST(cu.stream_synchronize(t) == status::illegal_address);
    }
    CHECK_REFUSED(cu.stream_synchronize(t), status::illegal_address, "is not allocated yet where the copy ran");
}

BOOST_AUTO_TEST_CASE(no_pools) {
    host::device_config old;
    old.memory_pools = false;
    const fresh_driver driver{{old}};
    device_address a = 0;
    CHECK_REFUSED(cu.mem_alloc_async(&a, 1, nullptr), status::not_supported, "no memory pools");
    CHECK_REFUSED(cu.mem_free_async(a, nullptr), status::not_supported, "no memory pools");
}

BOOST_FIXTURE_TEST_CASE(freeing_waits_for_work, fresh_driver) {
    const stream_handle s = make_stream();
    const device_address a = allocate(4);
    int value = 5;
    gate held{s};
    CHECK_OK(cu.memcpy_htod_async(a, &value, 4, s));
    std::thread opener{[&] {
        std::this_thread::yield();
        held.open();
    }};
    CHECK_OK(cu.mem_free(a));
    CHECK_OK(cu.stream_query(s));
    opener.join();
}

BOOST_FIXTURE_TEST_CASE(pageable_memory_is_read_late, fresh_driver) {
    const stream_handle s = make_stream();
    const device_address a = allocate(4);
    int value = 1, result = 0;
    const auto copy = [&] {
        gate held{s};
        CHECK_OK(cu.memcpy_htod_async(a, &value, 4, s));
        value = 2;
        held.open();
        CHECK_OK(cu.stream_synchronize(s));
        CHECK_OK(cu.memcpy_dtoh_async(&result, a, 4, s));
        CHECK_OK(cu.stream_synchronize(s));
    };
    copy();
    BOOST_TEST(result == 2);
    auto options = host::current_options();
    options.stage_pageable_copies = true;
    host::set_options(options);
    value = 1;
    copy();
    BOOST_TEST(result == 1);
    CHECK_OK(cu.mem_free(a));
}

BOOST_FIXTURE_TEST_CASE(pinned_memory, fresh_driver) {
    using hanabi::driver::pointer_attribute;
    void* p = nullptr;
    CHECK_REFUSED(cu.mem_host_alloc(&p, 0, 0), status::invalid_value, "0 bytes");
    CHECK_REFUSED(cu.mem_host_alloc(&p, 16, 8), status::invalid_value, "flags 8");
    CHECK_OK(cu.mem_host_alloc(&p, 16, 7));
    std::memset(p, 3, 16);
    const device_address a = allocate(16);
    CHECK_OK(cu.memcpy_htod_async(a, p, 16, nullptr));
    CHECK_OK(cu.memcpy_dtod_async(reinterpret_cast<device_address>(p), a, 16, nullptr)); // one address space
    CHECK_REFUSED(cu.memcpy_htod_async(a, static_cast<char*>(p) + 8, 9, nullptr), status::invalid_value, "runs 1 bytes past the end");
    unsigned type = 0;
    CHECK_OK(cu.pointer_get_attribute(&type, pointer_attribute::memory_type, reinterpret_cast<device_address>(p)));
    BOOST_TEST(type == 1u);
    CHECK_OK(cu.pointer_get_attribute(&type, pointer_attribute::memory_type, a + 3));
    BOOST_TEST(type == 2u);
    device_address base = 0;
    std::size_t size = 0;
    CHECK_OK(cu.pointer_get_attribute(&base, pointer_attribute::range_start_address, a + 3));
    CHECK_OK(cu.pointer_get_attribute(&size, pointer_attribute::range_size, a + 3));
    BOOST_TEST(base == a);
    BOOST_TEST(size == 16u);
    context_handle owner = nullptr;
    CHECK_OK(cu.pointer_get_attribute(&owner, pointer_attribute::context, a));
    BOOST_TEST(owner == context);
    int ordinal = -1;
    CHECK_OK(cu.pointer_get_attribute(&ordinal, pointer_attribute::device_ordinal, a));
    BOOST_TEST(ordinal == 0);
    void* host_side = nullptr;
    CHECK_OK(cu.pointer_get_attribute(&host_side, pointer_attribute::host_pointer, reinterpret_cast<device_address>(p)));
    BOOST_TEST(host_side == p);
    CHECK_REFUSED(cu.pointer_get_attribute(&host_side, pointer_attribute::host_pointer, a), status::invalid_value, "no host pointer");
    CHECK_REFUSED(cu.pointer_get_attribute(&type, pointer_attribute::memory_type, 64), status::invalid_value, "is no memory of the driver");
    CHECK_REFUSED(cu.pointer_get_attribute(&type, static_cast<pointer_attribute>(99), a), status::invalid_value, "attribute 99");
    CHECK_REFUSED(cu.pointer_get_attribute(nullptr, pointer_attribute::mapped, a), status::invalid_value, "null");
    CHECK_REFUSED(cu.mem_free(reinterpret_cast<device_address>(p)), status::invalid_value, "is not freed by cuMemFree");
    CHECK_OK(cu.mem_free_host(p));
    CHECK_REFUSED(cu.mem_free_host(p), status::invalid_value, "freed twice");
    CHECK_REFUSED(cu.memcpy_htod_async(a, p, 16, nullptr), status::invalid_value, "freed memory");
    CHECK_OK(cu.mem_free(a));
}

BOOST_AUTO_TEST_CASE(peers) {
    const fresh_driver driver{std::vector<host::device_config>(2)};
    context_handle other = nullptr;
    CHECK_OK(cu.device_primary_ctx_retain(&other, 1));
    int can = 1;
    CHECK_OK(cu.device_can_access_peer(&can, 0, 1));
    BOOST_TEST(can == 0);
    CHECK_REFUSED(cu.device_can_access_peer(&can, 0, 2), status::invalid_device, "no device 2");
    CHECK_REFUSED(cu.device_can_access_peer(nullptr, 0, 1), status::invalid_value, "null");
    const device_address a = allocate(4);
    CHECK_OK(cu.ctx_set_current(other));
    const device_address b = allocate(4);
    CHECK_OK(cu.ctx_set_current(driver.context));
    int in = 77, out = 0;
    CHECK_OK(cu.memcpy_htod_async(a, &in, 4, nullptr));
    CHECK_OK(cu.memcpy_peer_async(b, other, a, driver.context, 4, nullptr));
    CHECK_OK(cu.memcpy_dtoh_async(&out, b, 4, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(out == 77);
    CHECK_REFUSED(cu.memcpy_peer_async(b, driver.context, a, driver.context, 4, nullptr), status::invalid_value,
                  "is not memory of the context given with it");
    CHECK_REFUSED(cu.memcpy_peer_async(b, nullptr, a, driver.context, 4, nullptr), status::invalid_context, "is no context");
    CHECK_OK(cu.memcpy_peer_async(b, other, a, driver.context, 0, nullptr));
}

BOOST_FIXTURE_TEST_CASE(leaks_are_listed, fresh_driver) {
    const host::balance_sheet before = host::balance();
    BOOST_TEST(before.contexts == 1u);
    const device_address a = allocate(123);
    void* p = nullptr;
    event_handle e = nullptr;
    CHECK_OK(cu.mem_host_alloc(&p, 45, 0));
    CHECK_OK(cu.event_create(&e, 0));
    const stream_handle s = make_stream();
    const module_handle m = load(".version 8.0\n.target sm_80\n.address_size 64\n", "leaky");
    const host::balance_sheet during = host::balance();
    BOOST_TEST(during.device_allocations == 1u);
    BOOST_TEST(during.device_bytes == 123u);
    BOOST_TEST(during.pinned_bytes == 45u);
    BOOST_TEST(during.streams == 1u);
    BOOST_TEST(during.events == 1u);
    BOOST_TEST(during.modules == 1u);
    const auto leaks = host::leaks();
    BOOST_TEST(leaks.size() == 6u);
    const auto listed = [&](const char* kind, const char* part) {
        for (const host::leak& l : leaks)
            if (l.kind == kind && l.text.find(part) != std::string::npos) return true;
        return false;
    };
    BOOST_TEST(listed("device memory", "the 123-byte buffer"));
    BOOST_TEST(listed("pinned memory", "the 45-byte buffer"));
    BOOST_TEST(listed("stream", "a non-blocking stream of device 0"));
    BOOST_TEST(listed("event", "an event of device 0"));
    BOOST_TEST(listed("module", "'leaky'"));
    BOOST_TEST(listed("context", "the primary context of device 0"));
    CHECK_OK(cu.mem_free(a));
    CHECK_OK(cu.mem_free_host(p));
    CHECK_OK(cu.event_destroy(e));
    CHECK_OK(cu.stream_destroy(s));
    CHECK_OK(cu.module_unload(m));
    BOOST_TEST((host::balance() == before));
    const device_address lost = allocate(1);
    (void)lost;
    CHECK_OK(cu.device_primary_ctx_release(0));
    BOOST_TEST(host::balance().device_allocations == 0u);
    BOOST_TEST(host::balance().lost_with_context == 1u);
}
