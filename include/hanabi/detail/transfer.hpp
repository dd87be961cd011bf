// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Copies and fills in bytes: queued on a stream with the context current, waited for or not. The typed ones stand on it.

#ifndef HANABI_DETAIL_TRANSFER_HPP
#define HANABI_DETAIL_TRANSFER_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/transfer_size.hpp>
#include <hanabi/driver_error.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <system_error>

namespace hanabi::detail {

/// Whether a copy returns when it is queued or when it is done.
enum class completion { queued, done };

/// Where a copy is queued, and who is told what if it fails.
struct transfer {
    const context_state& context;
    driver::stream_handle stream;
    completion until;
    std::string* words;    ///< null: no message
    const char* operation; ///< the function's name
};

/// Queues work and waits where that is asked for.
template <class Work, class What>
std::error_code enqueue(const transfer& t, Work work, const What& what) {
    const current_scope scope{t.context};
    const driver::table& table = *t.context.driver;
    driver::status status = scope.status();
    if (status == driver::status::success) status = work(table);
    if (status == driver::status::success && t.until == completion::done) status = table.stream_synchronize(t.stream);
    if (status == driver::status::success) [[likely]]
        return {};
    return driver_failed(t.context, status, t.words, [&] { return std::string{t.operation} + ": " + what(); });
}

/// Blocks until a stream of the context is done.
template <class = void>
std::error_code wait_for_stream(const transfer& t, const context_state& context, driver::stream_handle stream) {
    const current_scope scope{context};
    driver::status status = scope.status();
    if (status == driver::status::success) status = context.driver->stream_synchronize(stream);
    if (status == driver::status::success) [[likely]]
        return {};
    return driver_failed(context, status, t.words, [&] { return std::string{t.operation} + ": waiting for the source's stream"; });
}

/// errc::invalid_argument for a null address of a copy that has bytes.
template <class = void>
std::error_code refuse_null(const transfer& t, const char* which, std::size_t bytes) {
    return refused(errc::invalid_argument, t.words,
                   [&] { return std::string{t.operation} + ": the " + which + " of " + std::to_string(bytes) + " bytes is null"; });
}

template <class = void>
std::error_code copy_h2d(const transfer& t, driver::device_address destination, const void* source, std::size_t bytes) {
    if (bytes == 0) return {};
    if (destination == 0) return refuse_null(t, "destination", bytes);
    if (source == nullptr) return refuse_null(t, "source", bytes);
    return enqueue(
        t, [&](const driver::table& table) { return table.memcpy_htod_async(destination, source, bytes, t.stream); },
        [&] { return "copying " + std::to_string(bytes) + " bytes from the host to device " + std::to_string(t.context.ordinal); });
}

template <class = void>
std::error_code copy_d2h(const transfer& t, void* destination, driver::device_address source, std::size_t bytes) {
    if (bytes == 0) return {};
    if (destination == nullptr) return refuse_null(t, "destination", bytes);
    if (source == 0) return refuse_null(t, "source", bytes);
    return enqueue(
        t, [&](const driver::table& table) { return table.memcpy_dtoh_async(destination, source, bytes, t.stream); },
        [&] { return "copying " + std::to_string(bytes) + " bytes from device " + std::to_string(t.context.ordinal) + " to the host"; });
}

template <class = void>
std::error_code copy_d2d(const transfer& t, driver::device_address destination, driver::device_address source, std::size_t bytes) {
    if (bytes == 0) return {};
    if (destination == 0) return refuse_null(t, "destination", bytes);
    if (source == 0) return refuse_null(t, "source", bytes);
    return enqueue(
        t, [&](const driver::table& table) { return table.memcpy_dtod_async(destination, source, bytes, t.stream); },
        [&] { return "copying " + std::to_string(bytes) + " bytes within device " + std::to_string(t.context.ordinal); });
}

/// Between contexts, of one device or of two; the driver goes through the host where the devices can't reach each other.
/// t.context is either side's.
template <class = void>
std::error_code copy_peer(const transfer& t, driver::device_address destination, const context_state& to, driver::device_address source,
                          const context_state& from, std::size_t bytes) {
    if (to.driver != from.driver)
        return refused(errc::wrong_context, t.words, [&] {
            return std::string{t.operation} + ": the source belongs to another driver (" + from.driver->origin +
                   ") than the destination (" + to.driver->origin + "); copy by way of the host";
        });
    if (bytes == 0) return {};
    if (destination == 0) return refuse_null(t, "destination", bytes);
    if (source == 0) return refuse_null(t, "source", bytes);
    return enqueue(
        t,
        [&](const driver::table& table) { return table.memcpy_peer_async(destination, to.handle, source, from.handle, bytes, t.stream); },
        [&] {
            return "copying " + std::to_string(bytes) + " bytes from device " + std::to_string(from.ordinal) + " to device " +
                   std::to_string(to.ordinal);
        });
}

inline bool same_context(const context_state& a, const context_state& b) noexcept {
    return &a == &b || (a.driver == b.driver && a.handle == b.handle && a.id == b.id);
}

/// The two sides of a copy differ in elements.
template <class = void>
std::error_code refuse_sizes(const transfer& t, std::size_t destination, std::size_t source) {
    return refused(errc::size_mismatch, t.words, [&] {
        return std::string{t.operation} + ": the source has " + std::to_string(source) + " elements and the destination " +
               std::to_string(destination) + "; copy a part with subspan()";
    });
}

/// Writes `count` copies of the element at `pattern`. There is no memset of more than 32 bits. Longer elements are filled
/// word by word, each word as a column one word wide: slow (6 GB/s on an H200), so only the first thousand, which are
/// then copied to what comes behind, and all of that again, doubling (2 TB/s).
template <class = void>
std::error_code fill(const transfer& t, driver::device_address destination, const void* pattern, std::size_t element, std::size_t count) {
    if (count == 0) return {};
    if (destination == 0) return refuse_null(t, "destination", element * count);
    const auto work = [&](const driver::table& table) {
        if (element == 1) {
            unsigned char value = 0;
            std::memcpy(&value, pattern, sizeof value);
            return table.memset_d8_async(destination, value, count, t.stream);
        }
        if (element == 2) {
            unsigned short value = 0;
            std::memcpy(&value, pattern, sizeof value);
            return table.memset_d16_async(destination, value, count, t.stream);
        }
        const std::size_t word_count = element / 4;
        unsigned words[16] = {};
        std::memcpy(words, pattern, element);
        bool same = true;
        for (std::size_t i = 1; i < word_count; ++i) same = same && words[i] == words[0];
        if (same) return table.memset_d32_async(destination, words[0], count * word_count, t.stream);
        std::size_t filled = count < 1024 ? count : 1024;
        driver::status status = driver::status::success;
        for (std::size_t i = 0; i < word_count && status == driver::status::success; ++i)
            status = table.memset_d2d32_async(destination + 4 * i, element, words[i], 1, filled, t.stream);
        while (filled < count && status == driver::status::success) {
            const std::size_t more = count - filled < filled ? count - filled : filled;
            status = table.memcpy_dtod_async(destination + filled * element, destination, more * element, t.stream);
            filled += more;
        }
        return status;
    };
    return enqueue(t, work, [&] {
        return "filling " + std::to_string(count) + " elements of " + std::to_string(element) + " bytes on device " +
               std::to_string(t.context.ordinal);
    });
}

} // namespace hanabi::detail

#endif
