// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Buffers: sizes, ownership, order of allocation and freeing, copies to and from the host, fills.

#define BOOST_TEST_MODULE buffer
#include <boost/test/unit_test.hpp>

#include <hanabi/buffer.hpp>
#include <hanabi/context.hpp>
#include <hanabi/current.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/device_span.hpp>
#include <hanabi/host.hpp>
#include <hanabi/pinned_buffer.hpp>
#include <hanabi/stream.hpp>

#include "support/driver.hpp"
#include "support/faults.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using hanabi::buffer;
using hanabi::context;
using hanabi::device_ptr;
using hanabi::device_span;
using hanabi::errc;
using hanabi::pinned_buffer;
using hanabi::stream;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

struct pixel {
    float r, g, b;
    friend bool operator==(const pixel&, const pixel&) = default;
};
struct derived : pixel {};

template <class T, class Count>
concept counts = requires(const context& c, Count n) {
    buffer<T>(c, n);
};

} // namespace

// Device pointers.
static_assert(std::is_trivially_copyable_v<device_ptr<float>> && sizeof(device_ptr<float>) == sizeof(float*));
static_assert(std::is_convertible_v<device_ptr<float>, device_ptr<const float>>);
static_assert(!std::is_convertible_v<device_ptr<const float>, device_ptr<float>>);
static_assert(!std::is_convertible_v<device_ptr<derived>, device_ptr<pixel>>);
static_assert(std::is_convertible_v<device_ptr<float*>, device_ptr<const float* const>>);
static_assert(!std::is_convertible_v<device_ptr<float*>, device_ptr<const float*>>);
static_assert(!std::is_convertible_v<device_ptr<float>, device_ptr<void>> && std::is_constructible_v<device_ptr<void>, device_ptr<float>>);
static_assert(!std::is_constructible_v<device_ptr<void>, device_ptr<const float>>);
static_assert(!std::is_convertible_v<float*, device_ptr<float>> && std::is_constructible_v<device_ptr<float>, float*>);
static_assert(std::is_constructible_v<device_ptr<float>, unsigned long long> &&
              !std::is_convertible_v<unsigned long long, device_ptr<float>>);
static_assert(!std::is_constructible_v<device_ptr<float>, int> && !std::is_constructible_v<device_ptr<float>, bool>);
static_assert(std::is_convertible_v<std::nullptr_t, device_ptr<float>>);

// Containers of device memory.
static_assert(std::is_same_v<hanabi::device_element_t<buffer<int>&>, int> &&
              std::is_same_v<hanabi::device_element_t<const buffer<int>&>, const int>);
static_assert(hanabi::sized_device_container<buffer<int>> && !hanabi::device_container<std::vector<int>>);
static_assert(!hanabi::is_device_view<buffer<int>> && hanabi::is_device_view<device_span<int>>);
static_assert(std::is_convertible_v<buffer<int>&, device_span<const int>> && std::is_convertible_v<buffer<int>&, device_span<int>>);
static_assert(std::is_convertible_v<const buffer<int>&, device_span<const int>> &&
              !std::is_constructible_v<device_span<int>, const buffer<int>&>);
static_assert(!std::is_constructible_v<device_span<int>, buffer<int>>); // a temporary owner

static_assert(!std::is_copy_constructible_v<buffer<int>> && std::is_nothrow_move_constructible_v<buffer<int>>);
static_assert(counts<float, signed char> && counts<float, unsigned long long> && counts<float, std::integral_constant<int, 4>>);
static_assert(!counts<float, bool> && !counts<float, double>);

BOOST_AUTO_TEST_CASE(device_pointers_are_values) {
    static constexpr float numbers[4] = {};
    constexpr device_ptr<const float> p{numbers};
    static_assert(p != nullptr && device_ptr<float>{} == nullptr && p + 1 > p && 2 + p - p == 2 && (p + 2u) - 1 == p + 1);
    device_ptr<float> q{0x1000ull};
    BOOST_TEST(q.address() == 0x1000u);
    BOOST_TEST((++q).address() == 0x1004u);
    BOOST_TEST((q -= 1).address() == 0x1000u);
    BOOST_TEST(bool{q});
    BOOST_TEST((device_ptr{q.get()} == device_ptr<const float>{q}));
    BOOST_TEST(device_ptr<void>{q}.address() == 0x1000u);
}

BOOST_AUTO_TEST_CASE(there_and_back) {
    const context c = test_context();
    buffer<float> x{c, 1000};
    BOOST_TEST(x.size() == 1000u);
    BOOST_TEST(x.size_bytes() == 4000u);
    BOOST_TEST(!x.empty());
    BOOST_TEST((x.data() != nullptr));
    BOOST_TEST(x.get() == x.data().get());
    BOOST_TEST((x.context() == c));
    BOOST_TEST(x.stream() == c.stream());
    x.copy_from(std::vector<float>(1000, 1.0f)); // a temporary: read before it goes
    BOOST_TEST((x.to_vector() == std::vector<float>(1000, 1.0f)));

    std::vector<float> ramp(1000);
    std::iota(ramp.begin(), ramp.end(), 0.0f);
    x.copy_from(ramp);
    std::array<float, 1000> out{};
    x.copy_to(out);
    BOOST_TEST(out[999] == 999.0f);
    float raw[1000] = {};
    std::as_const(x).copy_to(raw);
    BOOST_TEST(raw[1] == 1.0f);
    x.copy_to(std::span<float>{ramp});
    buffer<float> y{c, 1000};
    y.copy_from(x);
    BOOST_TEST(y.to_vector() == ramp, boost::test_tools::per_element());
    y.copy_from(x.span());
    y.copy_from(y); // itself
    BOOST_TEST(y.to_vector()[500] == 500.0f);
    buffer<int> three{c, 3};
    three.copy_from({1, 2, 3});
    BOOST_TEST(three.to_vector()[2] == 3);
    BOOST_TEST((buffer<pixel>::of(c, std::vector<pixel>{{1, 2, 3}}).to_vector()[0] == pixel{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(counts_of_any_integer_type) {
    const context c = test_context();
    BOOST_TEST((buffer<char>{c, std::int8_t{5}}.size()) == 5u);
    BOOST_TEST((buffer<char>{c, 5ull}.size()) == 5u);
    BOOST_TEST((buffer<char>{c, std::integral_constant<int, 6>{}}.size()) == 6u);
    HANABI_CHECK_ERROR((buffer<float>{c, -3}), errc::value_out_of_range, "hanabi::buffer: -3 elements of 4 bytes", "can't be negative");
    HANABI_CHECK_ERROR((buffer<double>{c, std::numeric_limits<std::uint64_t>::max()}), errc::value_out_of_range,
                       "18446744073709551615 elements of 8 bytes", "more than can be addressed");
    HANABI_CHECK_ERROR((buffer<double>{c, std::size_t{1} << 61}), errc::value_out_of_range, "2305843009213693952 elements");
    std::error_code code;
    BOOST_TEST(buffer<float>::make(c, -1, code).empty());
    BOOST_TEST((code == errc::value_out_of_range));
    const auto made = buffer<float>::make(c, 7, code);
    BOOST_TEST(!code);
    BOOST_TEST(made.size() == 7u);
}

BOOST_AUTO_TEST_CASE(no_elements) {
    const context c = test_context();
    buffer<int> none{c, 0};
    BOOST_TEST(none.empty());
    BOOST_TEST((none.data() == nullptr));
    none.copy_from(std::vector<int>{});
    none.copy_to(std::span<int>{});
    none.fill(1);
    BOOST_TEST(none.to_vector().empty());
    BOOST_TEST(none.span().empty());
    BOOST_TEST((none.keep_alive() != nullptr));
}

BOOST_AUTO_TEST_CASE(nothing_is_called_for_no_elements) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const context c = test_context();
    host::clear_calls();
    {
        buffer<int> none{c, 0};
        none.copy_from(std::vector<int>{});
        BOOST_TEST(none.to_vector().empty());
        none.fill(1);
    }
    BOOST_TEST(host::calls() == 0u);
}

BOOST_AUTO_TEST_CASE(sizes_must_agree) {
    const context c = test_context();
    buffer<int> x{c, 10};
    buffer<int> y{c, 11};
    std::vector<int> nine(9);
    HANABI_CHECK_ERROR(x.copy_from(nine), errc::size_mismatch, "hanabi::buffer::copy_from", "the source has 9 elements", "destination 10",
                       "subspan");
    HANABI_CHECK_ERROR(x.copy_to(nine), errc::size_mismatch, "hanabi::buffer::copy_to", "the source has 10 elements", "destination 9");
    HANABI_CHECK_ERROR(x.copy_from(y), errc::size_mismatch, "the source has 11 elements", "destination 10");
    std::error_code code;
    x.copy_from(nine, code);
    BOOST_TEST((code == errc::size_mismatch));
    x.copy_to(nine, code);
    BOOST_TEST((code == errc::size_mismatch));
}

BOOST_AUTO_TEST_CASE(parts) {
    const context c = test_context();
    buffer<int> x{c, 10};
    BOOST_TEST(x.subspan(2, 3).size() == 3u);
    BOOST_TEST(x.subspan(2, 3).size_bytes() == 12u);
    BOOST_TEST((x.subspan(2, 3).data() == x.data() + 2));
    BOOST_TEST(x.span().subspan(4).size() == 6u);
    BOOST_TEST(x.span().subspan(10).empty());
    BOOST_TEST(x.span().first(4u).size() == 4u);
    HANABI_CHECK_ERROR(x.subspan(8, 3), errc::value_out_of_range, "hanabi::device_span::subspan: 3 elements from 8 on, of a span of 10");
    HANABI_CHECK_ERROR(x.subspan(-1, 3), errc::value_out_of_range, "3 elements from -1 on");
    HANABI_CHECK_ERROR(x.subspan(1, std::numeric_limits<std::uint64_t>::max()), errc::value_out_of_range, "of a span of 10");
    HANABI_CHECK_ERROR(x.span().subspan(11), errc::value_out_of_range, "the elements from 11 on, of a span of 10");
    const device_span<const int> all = x;
    BOOST_TEST(all.size() == 10u);
    BOOST_TEST((device_span{std::as_const(x)}.data() == x.data()));
}

BOOST_AUTO_TEST_CASE(fills) {
    const context c = test_context();
    const auto check = [&]<class T>(T value) {
        buffer<T> b{c, 5001}; // more than is filled before it is copied on
        b.fill(value);
        for (const T& each : b.to_vector())
            if (!(each == value)) return false;
        return true;
    };
    BOOST_TEST(check(static_cast<unsigned char>(0x5a)));
    BOOST_TEST(check(static_cast<std::int16_t>(-1234)));
    BOOST_TEST(check(3.5f));
    BOOST_TEST(check(0.0));
    BOOST_TEST(check(3.141592653589793));                 // two different words
    BOOST_TEST(check(std::uint64_t{0x0102030401020304})); // two equal ones
    BOOST_TEST(check(pixel{1, 2, 3}));
    stream s{c};
    buffer<double> b{c, 10, s};
    b.fill_async(2.5, s);
    std::error_code code = errc::no_driver;
    b.fill(2.5, code);
    BOOST_TEST(!code);
    BOOST_TEST(b.to_vector()[9] == 2.5);
}

BOOST_AUTO_TEST_CASE(on_a_stream) {
    const context c = test_context();
    pinned_buffer<int> in{c, 1000};
    pinned_buffer<int> out{c, 1000};
    std::iota(in.begin(), in.end(), 0);
    {
        stream s{c};
        buffer<int> x{c, 1000, s};
        BOOST_TEST(x.stream() == s.handle());
        x.copy_from_async(in, s);
        x.copy_to_async(out, s);
        s.synchronize();
        BOOST_TEST(out[999] == 999);
        std::error_code code = errc::no_driver;
        x.copy_from_async(std::span<const int>{in.data(), in.size()}, s, code);
        BOOST_TEST(!code);
        x.copy_to_async(out, s, code);
        BOOST_TEST(!code);
        s = stream{c}; // the buffer keeps the stream that it is freed on
        BOOST_TEST(x.to_vector()[5] == 5);
        // Another stream, ordered behind the copy that was waited for, and freed there.
        x.fill_async(7, s);
        x.last_used_on(s);
        BOOST_TEST(x.stream() == s.handle());
        BOOST_TEST(x.to_vector()[5] == 7);
    }
    c.synchronize();
}

BOOST_AUTO_TEST_CASE(a_buffer_and_a_stream_of_two_contexts) {
    const context c = test_context();
    const context other = context::create(0, 0, test_driver());
    stream elsewhere{other};
    buffer<int> x{c, 4};
    std::vector<int> four(4);
    HANABI_CHECK_ERROR((buffer<int>{c, 4, elsewhere}), errc::wrong_context, "hanabi::buffer: the stream belongs to a context of device 0",
                       "the buffer to another");
    HANABI_CHECK_ERROR(x.copy_from_async(four, elsewhere), errc::wrong_context, "hanabi::buffer::copy_from_async");
    HANABI_CHECK_ERROR(x.copy_to_async(four, elsewhere), errc::wrong_context, "hanabi::buffer::copy_to_async");
    HANABI_CHECK_ERROR(x.fill_async(1, elsewhere), errc::wrong_context, "hanabi::buffer::fill_async");
    HANABI_CHECK_ERROR(x.last_used_on(elsewhere), errc::wrong_context, "hanabi::buffer::last_used_on");
    // Copies between contexts work.
    x.copy_from({1, 2, 3, 4});
    buffer<int> y{other, 4};
    y.copy_from(x);
    BOOST_TEST(y.to_vector()[3] == 4);
}

BOOST_AUTO_TEST_CASE(moved_from) {
    const context c = test_context();
    buffer<int> a{c, 4};
    a.fill(9);
    const auto where = a.data();
    buffer<int> b{std::move(a)};
    BOOST_TEST((b.data() == where));
    BOOST_TEST(a.empty());
    BOOST_TEST((a.data() == nullptr));
    BOOST_TEST((a.keep_alive() == nullptr));
    HANABI_CHECK_ERROR(a.fill(1), errc::invalid_argument, "hanabi::buffer::fill: the buffer was moved from");
    HANABI_CHECK_ERROR(a.copy_from(b), errc::invalid_argument, "moved from");
    HANABI_CHECK_ERROR(a.context(), errc::invalid_argument, "moved from");
    HANABI_CHECK_ERROR(a.stream(), errc::invalid_argument, "moved from");
    BOOST_TEST(a.to_vector().empty());
    a = std::move(b);
    BOOST_TEST(a.to_vector()[3] == 9);
    a = buffer<int>{c, 2};
    BOOST_TEST(a.size() == 2u);
    stream s{c};
    stream t{std::move(s)};
    HANABI_CHECK_ERROR(a.fill_async(1, s), errc::invalid_argument, "the stream was moved from");
}

BOOST_AUTO_TEST_CASE(shared_by_address) {
    const context c = test_context();
    hanabi::memory_owner share;
    device_ptr<const int> middle;
    {
        buffer<int> x{c, 100};
        x.fill(3);
        middle = x.data() + 50;
        share = hanabi::keep_alive(c, device_ptr<const void>{middle});
        BOOST_TEST((share == x.keep_alive()));
        BOOST_TEST((hanabi::keep_alive(c, device_ptr<const void>{x.data() + 99}) != nullptr));
        BOOST_TEST((hanabi::keep_alive(c, device_ptr<const void>{x.data() + 100}) != x.keep_alive())); // one past the end
    }
    BOOST_TEST((share != nullptr));
    int value = 0;
    const context& raw = c; // still there, for as long as the share is
    {
        const hanabi::current_context here{raw};
        BOOST_TEST((raw.table().memcpy_dtoh_async(&value, middle.address(), sizeof value, raw.stream()) == status::success));
        BOOST_TEST((raw.table().stream_synchronize(raw.stream()) == status::success));
    }
    BOOST_TEST(value == 3);
    share.reset();
    BOOST_TEST((hanabi::keep_alive(c, device_ptr<const void>{middle}) == nullptr));
    BOOST_TEST((hanabi::keep_alive(c, nullptr) == nullptr));
}

BOOST_AUTO_TEST_CASE(pools_and_no_pools) {
    HANABI_SKIP_ON_CUDA("configures the device");
    for (const bool pools : {true, false}) {
        context::release(0, test_driver());
        host::device_config device;
        device.memory_pools = pools;
        host::reset({device});
        const context c = test_context();
        host::clear_calls();
        {
            buffer<int> x{c, 4};
            x.fill(1);
        }
        BOOST_TEST(host::calls(entry::mem_alloc_async) == (pools ? 1u : 0u));
        BOOST_TEST(host::calls(entry::mem_free_async) == (pools ? 1u : 0u));
        BOOST_TEST(host::calls(entry::mem_alloc) == (pools ? 0u : 1u));
        BOOST_TEST(host::calls(entry::mem_free) == (pools ? 0u : 1u));
        if (!pools) BOOST_TEST(host::calls(entry::stream_synchronize) == 2u); // the fill's, and the one before cuMemFree
        every_call_fails([&] {
            buffer<int> x{c, 4};
            x.fill(1);
            BOOST_TEST(x.to_vector().size() == 4u);
        });
    }
}

BOOST_AUTO_TEST_CASE(out_of_memory_says_how_much_there_is) {
    HANABI_SKIP_ON_CUDA("configures the device");
    context::release(0, test_driver());
    host::device_config device;
    device.total_memory = 1 << 20;
    host::reset({device});
    const context c = test_context();
    HANABI_CHECK_ERROR((buffer<float>{c, 1 << 20}), status::out_of_memory, "1048576 elements of 4 bytes",
                       "allocating 4194304 bytes on device 0", "where 1048576 of 1048576 are free", "CUDA_ERROR_OUT_OF_MEMORY (2)");
    std::error_code code;
    BOOST_TEST(buffer<float>::make(c, 1 << 20, code).empty());
    BOOST_TEST((code == status::out_of_memory));
}

BOOST_AUTO_TEST_CASE(every_driver_call_can_fail) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    context::release(0, test_driver());
    host::reset({host::device_config{}, host::device_config{}});
    const context c = test_context();
    const context other = test_context(1);
    stream s{c};
    std::vector<int> out(4);
    // What a copy reads outlives the action: when the wait for the copy fails, the copy is still on its way.
    buffer<int> x{c, 4};
    x.copy_from({1, 2, 3, 4});
    every_call_fails([&] {
        buffer<int> y{c, 4, s};
        s.wait(stream::own(c));
        y.copy_from(x);
        y.copy_from_async(out, s);
        y.copy_to_async(out, s);
        y.fill_async(3, s);
        y.copy_to(out);
        s.synchronize();
    });
    every_call_fails([&] {
        buffer<double> d{other, 4};
        d.fill(3.25);
        buffer<int> far{other, 4};
        far.copy_from(x);
        const auto v = far.to_vector();
        BOOST_TEST(v[3] == 4);
    });
    every_call_fails([&] {
        pinned_buffer<int> p{c, 4};
        BOOST_TEST(p[3] == 0);
    });
}

BOOST_AUTO_TEST_CASE(the_twins_give_the_code_alone) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    const context c = test_context();
    buffer<int> x{c, 4};
    x.fill(0);
    std::vector<int> four(4);
    std::error_code code;
    host::fail(entry::memcpy_htod_async, status::launch_failed);
    x.copy_from(four, code);
    BOOST_TEST((code == status::launch_failed));
    host::fail(entry::memcpy_dtoh_async, status::launch_failed);
    x.copy_to(four, code);
    BOOST_TEST((code == status::launch_failed));
    host::fail(entry::memset_d32_async, status::launch_failed);
    x.fill(1, code);
    BOOST_TEST((code == status::launch_failed));
    host::fail(entry::mem_alloc_async, status::out_of_memory);
    static_cast<void>(buffer<int>::make(c, 4, code));
    BOOST_TEST((code == status::out_of_memory));
}

BOOST_AUTO_TEST_CASE(outlives_its_context_handle_and_its_device) {
    HANABI_SKIP_ON_CUDA("the reset is the host driver's");
    context::release(0, test_driver());
    host::reset({host::device_config{}});
    {
        buffer<int> x{test_context(), 4};
        context::release(0, test_driver());
        x.fill(1);
        BOOST_TEST(x.to_vector()[0] == 1);
        host::device_reset(0);
        HANABI_CHECK_ERROR(x.fill(1), errc::context_lost, "hanabi::buffer::fill", "cudaDeviceReset");
        const context fresh = test_context();
        buffer<int> y{fresh, 4};
        y.fill(2);
        // x's destructor must not free y's memory, which may have its address.
        { const buffer<int> dies = std::move(x); }
        BOOST_TEST(y.to_vector()[3] == 2);
    }
}

BOOST_AUTO_TEST_CASE(pinned_memory_is_a_range) {
    const context c = test_context();
    pinned_buffer<float> p{c, 10};
    BOOST_TEST(p.size() == 10u);
    BOOST_TEST(p.size_bytes() == 40u);
    for (const float each : p) BOOST_TEST(each == 0.0f);
    p[3] = 4;
    buffer<float> x{c, 10};
    x.copy_from(p);
    BOOST_TEST(x.to_vector()[3] == 4.0f);
    x.copy_to(p);
    pinned_buffer<float> q{std::move(p)};
    BOOST_TEST(p.empty());
    BOOST_TEST((p.context() == c));
    BOOST_TEST(q[3] == 4.0f);
    p = std::move(q);
    BOOST_TEST(p.size() == 10u);
    pinned_buffer<float> combined{c, 3, {.portable = false, .write_combined = true}};
    BOOST_TEST(combined.size() == 3u);
    BOOST_TEST((pinned_buffer<float>{c, 0}.data()) == nullptr);
    HANABI_CHECK_ERROR((pinned_buffer<float>{c, -1}), errc::value_out_of_range, "hanabi::pinned_buffer: -1 elements of 4 bytes");
    std::error_code code;
    BOOST_TEST(pinned_buffer<float>::make(c, -1, code).empty());
    BOOST_TEST((code == errc::value_out_of_range));
    BOOST_TEST(pinned_buffer<float>::make(c, 2, code).size() == 2u);
    BOOST_TEST(!code);
}

BOOST_AUTO_TEST_CASE(from_many_threads) {
    const context c = test_context();
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&, i] {
            for (int n = 0; n < 20; ++n) {
                buffer<int> x{c, 64 + n};
                x.fill(i);
                for (const int each : x.to_vector())
                    if (each != i) ++wrong;
                if (hanabi::keep_alive(c, device_ptr<const void>{x.data() + 5}) == nullptr) ++wrong;
            }
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(wrong.load() == 0);
}
