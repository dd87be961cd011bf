// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Copies as free functions: raw, typed, between devices.

#define BOOST_TEST_MODULE copy
#include <boost/test/unit_test.hpp>

#include <hanabi/buffer.hpp>
#include <hanabi/context.hpp>
#include <hanabi/copy.hpp>
#include <hanabi/device_span.hpp>
#include <hanabi/host.hpp>
#include <hanabi/pinned_buffer.hpp>
#include <hanabi/stream.hpp>

#include "support/driver.hpp"
#include "support/faults.hpp"

#include <array>
#include <span>
#include <utility>
#include <vector>

using hanabi::buffer;
using hanabi::context;
using hanabi::device_span;
using hanabi::errc;
using hanabi::stream;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

/// Two contexts, of two devices where there are two.
std::pair<context, context> two_contexts() {
    if (test_devices() > 1) return {test_context(0), test_context(1)};
    return {test_context(0), context::create(0, 0, test_driver())};
}

} // namespace

// A container of somebody else's: a base address and a length.
namespace theirs {
struct array {
    unsigned long long base;
    unsigned long long length;
};
} // namespace theirs
template <>
struct hanabi::device_data<theirs::array> {
    static device_ptr<float> pointer(const theirs::array& a) noexcept { return device_ptr<float>{a.base}; }
    static std::size_t size(const theirs::array& a) noexcept { return a.length; }
};

BOOST_AUTO_TEST_CASE(raw) {
    const context c = test_context();
    buffer<int> x{c, 4};
    buffer<int> y{c, 4};
    const int in[4] = {1, 2, 3, 4};
    int out[4] = {};
    hanabi::copy_h2d_async(c, x.data().address(), in, sizeof in, c.stream());
    hanabi::copy_d2d_async(c, y.data().address(), x.data().address(), sizeof in, c.stream());
    hanabi::copy_d2h_async(c, out, y.data().address(), sizeof out, c.stream());
    hanabi::stream_synchronize(c, c.stream());
    BOOST_TEST(out[3] == 4);
    std::error_code code = errc::no_driver;
    hanabi::copy_h2d_async(c, x.data().address(), in, sizeof in, c.stream(), code);
    BOOST_TEST(!code);
    hanabi::copy_d2d_async(c, y.data().address(), x.data().address(), sizeof in, c.stream(), code);
    BOOST_TEST(!code);
    hanabi::copy_d2h_async(c, out, y.data().address(), sizeof out, c.stream(), code);
    BOOST_TEST(!code);
    hanabi::stream_synchronize(c, c.stream());
    // The legacy default stream is used when it is given.
    hanabi::copy_d2h_async(c, out, y.data().address(), sizeof out, nullptr);
    hanabi::stream_synchronize(c, nullptr);
}

BOOST_AUTO_TEST_CASE(zero_bytes_is_nothing) {
    const context c = test_context();
    if (on_host()) host::clear_calls();
    hanabi::copy_h2d_async(c, 0, nullptr, 0, c.stream());
    hanabi::copy_d2h_async(c, nullptr, 0, 0, c.stream());
    hanabi::copy_d2d_async(c, 0, 0, 0, c.stream());
    hanabi::copy_peer_async(c, 0, c, 0, 0, c.stream());
    if (on_host()) BOOST_TEST(host::calls() == 0u);
}

BOOST_AUTO_TEST_CASE(null_sides) {
    const context c = test_context();
    buffer<int> x{c, 4};
    int out[4] = {};
    HANABI_CHECK_ERROR(hanabi::copy_h2d_async(c, 0, out, 16, c.stream()), errc::invalid_argument,
                       "hanabi::copy_h2d_async: the destination of 16 bytes is null");
    HANABI_CHECK_ERROR(hanabi::copy_h2d_async(c, x.data().address(), nullptr, 16, c.stream()), errc::invalid_argument,
                       "the source of 16 bytes is null");
    HANABI_CHECK_ERROR(hanabi::copy_d2h_async(c, nullptr, x.data().address(), 16, c.stream()), errc::invalid_argument,
                       "hanabi::copy_d2h_async: the destination");
    HANABI_CHECK_ERROR(hanabi::copy_d2h_async(c, out, 0, 16, c.stream()), errc::invalid_argument, "the source");
    HANABI_CHECK_ERROR(hanabi::copy_d2d_async(c, 0, x.data().address(), 16, c.stream()), errc::invalid_argument,
                       "hanabi::copy_d2d_async: the destination");
    HANABI_CHECK_ERROR(hanabi::copy_d2d_async(c, x.data().address(), 0, 16, c.stream()), errc::invalid_argument, "the source");
    HANABI_CHECK_ERROR(hanabi::copy_peer_async(c, 0, c, x.data().address(), 16, c.stream()), errc::invalid_argument,
                       "hanabi::copy_peer_async: the destination");
}

BOOST_AUTO_TEST_CASE(out_of_bounds_is_the_drivers_to_tell) {
    HANABI_SKIP_ON_CUDA("a device need not notice");
    const context c = test_context();
    buffer<int> x{c, 4};
    int out[8] = {};
    HANABI_CHECK_ERROR(hanabi::copy_d2h_async(c, out, x.data().address(), sizeof out, c.stream()), status::invalid_value,
                       "hanabi::copy_d2h_async", "copying 32 bytes from device 0 to the host", "CUDA_ERROR_INVALID_VALUE (1)");
}

BOOST_AUTO_TEST_CASE(typed) {
    const context c = test_context();
    stream s{c};
    buffer<int> x{c, 4};
    buffer<int> y{c, 4};
    std::vector<int> v{1, 2, 3, 4};
    std::array<int, 4> a{};
    x.copy_from(v);
    y.copy_from(x);
    y.copy_to(a);
    BOOST_TEST(a[3] == 4);
    std::error_code code = errc::no_driver;
    x.copy_from(v, code);
    BOOST_TEST(!code);
    x.copy_to(a, code);
    BOOST_TEST(!code);

    // Parts, on a stream.
    hanabi::copy(x.subspan(2, 2), std::span<const int>{v}.first(2), s);
    hanabi::copy(std::span<int>{a}.first(2), x.subspan(2, 2), s);
    BOOST_TEST(a[0] == 1);
    BOOST_TEST(a[1] == 2);
    hanabi::copy(y.span(), x, s);
    hanabi::copy(v, std::as_const(y), s);
    BOOST_TEST((v == std::vector<int>{1, 2, 1, 2}));
    hanabi::copy(v, y, s, code);
    BOOST_TEST(!code);

    hanabi::pinned_buffer<int> p{c, 4};
    hanabi::fill_async(x.span(), 9, s);
    hanabi::fill_async(x.subspan(0, 1), 8, s);
    hanabi::copy_async(y, x, s);
    hanabi::copy_async(p, y.span(), s);
    s.synchronize();
    BOOST_TEST(p[0] == 8);
    BOOST_TEST(p[3] == 9);
    hanabi::copy_async(y.span(), p, s, code);
    BOOST_TEST(!code);
    s.synchronize();
}

BOOST_AUTO_TEST_CASE(containers_that_are_not_ours) {
    const context c = test_context();
    stream s = stream::own(c);
    buffer<float> memory{c, 3};
    const theirs::array a{memory.data().address(), 3};
    hanabi::fill_async(a, 1.5f, s);
    std::vector<float> out(3);
    hanabi::copy(out, a, s);
    BOOST_TEST(out[2] == 1.5f);
    const device_span<float> view = a;
    BOOST_TEST(view.size() == 3u);
    memory.copy_from(a);
}

BOOST_AUTO_TEST_CASE(sizes_must_agree) {
    const context c = test_context();
    stream s{c};
    buffer<int> x{c, 4};
    std::vector<int> v(5);
    HANABI_CHECK_ERROR(x.copy_from(v), errc::size_mismatch, "the source has 5 elements", "destination 4");
    HANABI_CHECK_ERROR(x.copy_to(v), errc::size_mismatch, "the source has 4 elements", "destination 5");
    HANABI_CHECK_ERROR(hanabi::copy(x, v, s), errc::size_mismatch, "hanabi::copy: the source has 5 elements");
    HANABI_CHECK_ERROR(hanabi::copy_async(v, x, s), errc::size_mismatch, "hanabi::copy_async: the source has 4 elements");
    std::error_code code;
    hanabi::copy_async(v, x, s, code);
    BOOST_TEST((code == errc::size_mismatch));
    stream t{std::move(s)};
    HANABI_CHECK_ERROR(hanabi::copy_async(x, x.span(), s), errc::invalid_argument, "hanabi::copy_async: the stream was moved from");
}

BOOST_AUTO_TEST_CASE(between_contexts) {
    const auto [zero, one] = two_contexts();
    buffer<int> here{zero, 1000};
    buffer<int> there{one, 1000};
    here.fill(5);
    there.copy_from(here);
    BOOST_TEST(there.to_vector()[999] == 5);
    there.fill(6);
    stream s{zero};
    hanabi::copy(here, there, s);
    BOOST_TEST(here.to_vector()[999] == 6);
    stream t{one};
    here.fill(7);
    hanabi::copy_async(there, here, t);
    t.synchronize();
    BOOST_TEST(there.to_vector()[0] == 7);
    hanabi::copy_peer_async(one, there.data().address(), zero, here.data().address(), 4, one.stream());
    std::error_code code = errc::no_driver;
    hanabi::copy_peer_async(one, there.data().address(), zero, here.data().address(), 4, one.stream(), code);
    BOOST_TEST(!code);
    one.synchronize();

    std::vector<int> v(1000);
    HANABI_CHECK_ERROR(hanabi::copy_async(v, there, s), errc::wrong_context,
                       "hanabi::copy_async: the stream belongs to a context of device 0", "the buffer to another");
    HANABI_CHECK_ERROR(hanabi::copy_async(there, v, s), errc::wrong_context, "hanabi::copy_async");
    HANABI_CHECK_ERROR(hanabi::copy_async(there, there, s), errc::wrong_context, "hanabi::copy_async");
}

BOOST_AUTO_TEST_CASE(every_driver_call_can_fail) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    const auto [zero, one] = two_contexts();
    const context& c = zero;
    buffer<int> x{c, 4};
    buffer<int> y{c, 4};
    buffer<int> far{one, 4};
    x.fill(1);
    far.fill(1);
    y.fill(2);
    std::vector<int> v(4);
    stream s{c};
    every_call_fails([&] {
        hanabi::copy_h2d_async(c, x.data().address(), v.data(), 16, s.handle());
        hanabi::copy_d2d_async(c, y.data().address(), x.data().address(), 16, s.handle());
        hanabi::copy_d2h_async(c, v.data(), x.data().address(), 16, s.handle());
        hanabi::copy_async(v, x, s);
        hanabi::copy_async(x, v, s);
        hanabi::copy_async(x, y.span(), s);
        hanabi::fill_async(x, 1, s);
        hanabi::copy(v, x.span(), s);
        hanabi::copy(x, far, s);
    });
    s.synchronize();
}
