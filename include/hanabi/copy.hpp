// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Copies as free functions: raw ones over addresses and bytes, typed ones over buffers, device spans and host ranges.

#ifndef HANABI_COPY_HPP
#define HANABI_COPY_HPP

#include <hanabi/buffer.hpp>
#include <hanabi/config.hpp>
#include <hanabi/context.hpp>
#include <hanabi/detail/host_range.hpp>
#include <hanabi/detail/transfer.hpp>
#include <hanabi/device_span.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/stream.hpp>

#include <cstddef>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi {

// Raw copies, queued on exactly the stream given (null: the legacy default stream of the context; it must be a stream of
// the context, which the driver checks or not). Zero bytes is a no-op, with any addresses. Both sides must stay alive
// until the stream has done the copy, and the source unchanged; from or to pageable host memory the driver may
// copy before it returns. Errors: errc::invalid_argument for a null side, the driver's. Any thread.

/// From the host to the device.
template <class = void>
void copy_h2d_async(const context& in, driver::device_address destination, const void* source, std::size_t bytes, driver::stream_handle on,
                    std::error_code& code) noexcept {
    code = detail::copy_h2d({*in.state(), on, detail::completion::queued, nullptr, ""}, destination, source, bytes);
}
template <class = void>
void copy_h2d_async(const context& in, driver::device_address destination, const void* source, std::size_t bytes,
                    driver::stream_handle on) {
    std::string words;
    detail::raise_if(
        detail::copy_h2d({*in.state(), on, detail::completion::queued, &words, "hanabi::copy_h2d_async"}, destination, source, bytes),
        words);
}

/// From the device to the host.
template <class = void>
void copy_d2h_async(const context& in, void* destination, driver::device_address source, std::size_t bytes, driver::stream_handle on,
                    std::error_code& code) noexcept {
    code = detail::copy_d2h({*in.state(), on, detail::completion::queued, nullptr, ""}, destination, source, bytes);
}
template <class = void>
void copy_d2h_async(const context& in, void* destination, driver::device_address source, std::size_t bytes, driver::stream_handle on) {
    std::string words;
    detail::raise_if(
        detail::copy_d2h({*in.state(), on, detail::completion::queued, &words, "hanabi::copy_d2h_async"}, destination, source, bytes),
        words);
}

/// Within the device.
template <class = void>
void copy_d2d_async(const context& in, driver::device_address destination, driver::device_address source, std::size_t bytes,
                    driver::stream_handle on, std::error_code& code) noexcept {
    code = detail::copy_d2d({*in.state(), on, detail::completion::queued, nullptr, ""}, destination, source, bytes);
}
template <class = void>
void copy_d2d_async(const context& in, driver::device_address destination, driver::device_address source, std::size_t bytes,
                    driver::stream_handle on) {
    std::string words;
    detail::raise_if(
        detail::copy_d2d({*in.state(), on, detail::completion::queued, &words, "hanabi::copy_d2d_async"}, destination, source, bytes),
        words);
}

/// Between two contexts of one driver, of two devices or of one (cuMemcpyPeerAsync). The stream is the destination's.
template <class = void>
void copy_peer_async(const context& to, driver::device_address destination, const context& from, driver::device_address source,
                     std::size_t bytes, driver::stream_handle on, std::error_code& code) noexcept {
    code = detail::copy_peer({*to.state(), on, detail::completion::queued, nullptr, ""}, destination, *to.state(), source, *from.state(),
                             bytes);
}
template <class = void>
void copy_peer_async(const context& to, driver::device_address destination, const context& from, driver::device_address source,
                     std::size_t bytes, driver::stream_handle on) {
    std::string words;
    detail::raise_if(detail::copy_peer({*to.state(), on, detail::completion::queued, &words, "hanabi::copy_peer_async"}, destination,
                                       *to.state(), source, *from.state(), bytes),
                     words);
}

namespace detail {

template <class T>
inline constexpr bool is_buffer = false;
template <class T>
inline constexpr bool is_buffer<buffer<T>> = true;

template <class Side>
constexpr auto element_of() {
    if constexpr (sized_device_container<Side>)
        return std::type_identity<device_element_t<Side>>{};
    else {
        static_assert(host_range<std::remove_reference_t<Side>>,
                      "hanabi::copy: each side must be a contiguous range of the host, or device memory of known size");
        return std::type_identity<host_element_t<std::remove_reference_t<Side>>>{};
    }
}

/// A copy between any two sides, in t's context. Sizes must be the same.
template <class Destination, class Source>
std::error_code copy_typed(const transfer& t, Destination& destination, const Source& source) {
    using to = typename decltype(element_of<Destination&>())::type;
    using from = typename decltype(element_of<const Source&>())::type;
    static_assert(!std::is_const_v<to>, "hanabi::copy: the destination's elements are const");
    static_assert(std::is_same_v<to, std::remove_cv_t<from>>, "hanabi::copy: copies are between elements of the same type");
    static_assert(std::is_trivially_copyable_v<to>, "hanabi::copy: the elements must be trivially copyable");
    constexpr bool to_device = sized_device_container<Destination>;
    constexpr bool from_device = sized_device_container<Source>;
    static_assert(to_device || from_device, "hanabi::copy: both sides are on the host; use std::copy");
    const auto size_of = []<class Side>(const Side& side) -> std::size_t {
        if constexpr (sized_device_container<Side>)
            return device_data<std::remove_cv_t<Side>>::size(side);
        else
            return std::size(side);
    };
    const std::size_t count = size_of(std::as_const(destination));
    if (size_of(source) != count) return refuse_sizes(t, count, size_of(source));
    const std::size_t bytes = count * sizeof(to);
    // Of memory that is no buffer nothing is known: it is taken to be of the stream's context.
    const context_state* to_context = &t.context;
    const context_state* from_context = &t.context;
    if constexpr (is_buffer<std::remove_const_t<Destination>>)
        if (destination.allocation() != nullptr) to_context = destination.allocation()->context.get();
    if constexpr (is_buffer<Source>)
        if (source.allocation() != nullptr) from_context = source.allocation()->context.get();
    const bool to_here = same_context(*to_context, t.context);
    const bool from_here = same_context(*from_context, t.context);
    if (to_device && from_device ? !to_here && !from_here : !to_here || !from_here)
        return refused(errc::wrong_context, t.words, [&] {
            return std::string{t.operation} + ": the stream belongs to a context of device " + std::to_string(t.context.ordinal) +
                   ", the buffer to another, of device " + std::to_string((to_here ? from_context : to_context)->ordinal);
        });
    if constexpr (to_device && from_device) {
        const auto at = device_pointer(destination).address();
        const auto of = device_pointer(source).address();
        if (!to_here || !from_here) return copy_peer(t, at, *to_context, of, *from_context, bytes);
        return copy_d2d(t, at, of, bytes);
    } else if constexpr (to_device) {
        return copy_h2d(t, device_pointer(destination).address(), std::data(source), bytes);
    } else {
        return copy_d2h(t, std::data(destination), device_pointer(source).address(), bytes);
    }
}

/// The stream of a typed copy, checked.
template <class = void>
std::error_code queue_of(const stream& on, const char* operation, std::string* words) {
    if (on.state() != nullptr) return {};
    return refused(errc::invalid_argument, words, [&] { return std::string{operation} + ": the stream was moved from"; });
}

} // namespace detail

/// Queues a copy between any two of buffers, device spans, other device containers and contiguous host ranges on a
/// stream. Device memory other than buffers is taken to be of the stream's context. Both sides must stay alive until the
/// stream has done it, and the source unchanged: owning temporaries are refused. Same sizes and element types. Errors:
/// errc::size_mismatch naming both sizes, the driver's.
template <class Destination, class Source>
void copy_async(Destination&& destination, Source&& source, const stream& on) {
    static_assert(detail::outlives_the_call<Destination> && detail::outlives_the_call<Source>,
                  "hanabi::copy_async: a side is a temporary, gone before the copy is done");
    constexpr const char* operation = "hanabi::copy_async";
    std::string words;
    detail::raise_if(detail::queue_of(on, operation, &words), words);
    detail::raise_if(
        detail::copy_typed({*on.state()->context, on.state()->handle, detail::completion::queued, &words, operation}, destination, source),
        words);
}
template <class Destination, class Source>
void copy_async(Destination&& destination, Source&& source, const stream& on, std::error_code& code) noexcept {
    static_assert(detail::outlives_the_call<Destination> && detail::outlives_the_call<Source>,
                  "hanabi::copy_async: a side is a temporary, gone before the copy is done");
    code = detail::queue_of(on, "", nullptr);
    if (!code)
        code = detail::copy_typed({*on.state()->context, on.state()->handle, detail::completion::queued, nullptr, ""}, destination, source);
}

/// The same, waited for: it comes after what is queued on the stream, and both sides may go afterwards.
template <class Destination, class Source>
void copy(Destination&& destination, const Source& source, const stream& on) {
    constexpr const char* operation = "hanabi::copy";
    std::string words;
    detail::raise_if(detail::queue_of(on, operation, &words), words);
    detail::raise_if(
        detail::copy_typed({*on.state()->context, on.state()->handle, detail::completion::done, &words, operation}, destination, source),
        words);
}
template <class Destination, class Source>
void copy(Destination&& destination, const Source& source, const stream& on, std::error_code& code) noexcept {
    code = detail::queue_of(on, "", nullptr);
    if (!code)
        code = detail::copy_typed({*on.state()->context, on.state()->handle, detail::completion::done, nullptr, ""}, destination, source);
}

/// Queues the setting of every element of device memory of the stream's context. T of 1, 2, or a multiple of 4 bytes up to
/// 64; the value is taken at once.
template <class Destination>
requires sized_device_container<Destination>
void fill_async(Destination&& destination, const std::remove_cv_t<device_element_t<Destination>>& value, const stream& on) {
    using element = device_element_t<Destination>;
    static_assert(!std::is_const_v<element>, "hanabi::fill_async: the elements are const");
    static_assert(std::is_trivially_copyable_v<element>, "hanabi::fill_async: the elements must be trivially copyable");
    static_assert(detail::is_fillable_size(sizeof(element)),
                  "hanabi::fill_async: elements must have 1, 2, or a multiple of 4 bytes, at most 64; copy a host range of them instead");
    constexpr const char* operation = "hanabi::fill_async";
    std::string words;
    detail::raise_if(detail::queue_of(on, operation, &words), words);
    detail::raise_if(detail::fill({*on.state()->context, on.state()->handle, detail::completion::queued, &words, operation},
                                  device_pointer(destination).address(), &value, sizeof(element),
                                  device_data<std::remove_cvref_t<Destination>>::size(destination)),
                     words);
}

} // namespace hanabi

#endif
