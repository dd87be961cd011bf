// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries that copy and fill.

#ifndef HANABI_HOST_ENTRIES_COPY_HPP
#define HANABI_HOST_ENTRIES_COPY_HPP

#include <hanabi/host/graph_build.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

namespace copy_detail {

/// The allocation that holds a range, or gives up with 1.
inline detail::allocation_ptr hold(call& c, driver::device_address address, std::size_t bytes, const char* role) {
    auto [holder, fault] = c.state.memory.hold(static_cast<std::uintptr_t>(address), bytes, role);
    if (holder == nullptr) refuse(status::invalid_value, fault);
    return std::move(holder);
}

/// The pinned allocation that holds a host range, null for pageable memory, or gives up with 1.
inline detail::allocation_ptr hold_host(call& c, const void* pointer, std::size_t bytes, const char* role) {
    auto [holder, fault] = c.state.memory.host_range(pointer, bytes, role);
    if (holder == nullptr && !fault.empty()) refuse(status::invalid_value, fault);
    return std::move(holder);
}

/// Bytes that a copy or a fill touches; the memory is null where it is not the driver's.
inline detail::access touch(detail::allocation_ptr memory, std::uintptr_t address, std::size_t bytes, bool writes) {
    return {std::move(memory), address, address + bytes, writes, 0};
}

/// Submits work on memory. When the stream gets there the memory must still be usable: memory that another stream freed
/// meanwhile, or that cuMemAllocAsync has not given yet, is what unordered streams lead to.
template <class Work>
void submit(call& c, detail::stream_object& stream, std::vector<detail::access> touched, Work work) {
    c.not_implicit(stream);
    std::erase_if(touched, [](const detail::access& a) { return a.memory == nullptr; });
    std::vector<detail::allocation_ptr> memory;
    for (const detail::access& a : touched) memory.push_back(a.memory);
    c.use(memory);
    const auto held = std::make_shared<std::vector<detail::allocation_ptr>>(std::move(memory));
    detail::driver_state& state = c.state;
    const char* const name = c.name();
    c.submit(
        stream,
        [&state, held, name, work = std::move(work)]() mutable -> detail::outcome {
            {
                const std::lock_guard lock{state.mutex};
                for (const auto& a : *held)
                    if (a->freed || !a->ready)
                        return {status::illegal_address,
                                detail::say(name, ": ", a->text(),
                                            a->freed ? " was freed by another stream before the copy ran"
                                                     : " is not allocated yet where the copy ran: another stream allocates it")};
            }
            work();
            return {};
        },
        [&state, held] { call::unuse(state, *held); }, nullptr, touched, name);
}

inline std::byte* bytes_at(driver::device_address address) { return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address)); }

inline void capture_fill(call& c, detail::stream_object& s, const driver::memset_node_params& fill) {
    graph_detail::capture_node(c, s, driver::graph_node_type::memset, detail::memset_task{fill, {s.context->handle, s.context->id}});
}

/// A 1-D copy as a node.
inline void capture_copy(call& c, detail::stream_object& s, driver::memory_type to_type, void* to_host, driver::device_address to,
                         driver::memory_type from_type, const void* from_host, driver::device_address from, std::size_t bytes) {
    driver::memcpy_3d copy{};
    copy.source_type = from_type;
    copy.source_host = from_host;
    copy.source_device = from;
    copy.destination_type = to_type;
    copy.destination_host = to_host;
    copy.destination_device = to;
    copy.source_pitch = copy.destination_pitch = copy.width_bytes = bytes;
    copy.source_height = copy.destination_height = copy.height = copy.depth = 1;
    graph_detail::capture_node(c, s, driver::graph_node_type::memcpy, detail::memcpy_task{copy, {s.context->handle, s.context->id}});
}

/// Fills `count` elements of type T, 1-D.
template <class T>
void fill(call& c, driver::device_address destination, T value, std::size_t count, driver::stream_handle stream) {
    c.context();
    detail::stream_object& s = c.stream(stream);
    if (destination % sizeof(T) != 0)
        refuse(status::invalid_value, "the destination ", detail::address_text(destination), " is not aligned to ", sizeof(T), " bytes");
    if (count == 0) return;
    if (count > ~std::size_t{0} / sizeof(T)) refuse(status::invalid_value, count, " elements are too many");
    auto holder = hold(c, destination, count * sizeof(T), "the destination");
    if (c.captures(s)) return capture_fill(c, s, {destination, 0, static_cast<unsigned>(value), sizeof(T), count, 1});
    c.note_memory(s, 0, count * sizeof(T), 0, 3, static_cast<std::uint32_t>(value));
    const detail::allocation* const to_memory = holder.get();
    submit(c, s, {touch(std::move(holder), destination, count * sizeof(T), true)}, [to_memory, to = bytes_at(destination), value, count] {
        note_written(to_memory, to, count * sizeof(T));
        if constexpr (sizeof(T) == 1)
            std::memset(to, value, count);
        else
            for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * sizeof(T), &value, sizeof(T));
    });
}

/// Device to device, within one device or between two.
inline void copy_device(call& c, driver::device_address destination, driver::device_address source, std::size_t bytes,
                        driver::stream_handle stream) {
    detail::stream_object& s = c.stream(stream);
    if (bytes == 0) return;
    auto to = hold(c, destination, bytes, "the destination");
    auto from = hold(c, source, bytes, "the source");
    if (c.captures(s))
        return capture_copy(c, s, driver::memory_type::device, nullptr, destination, driver::memory_type::device, nullptr, source, bytes);
    c.note_memory(s, 8, bytes, 3, 3);
    const detail::allocation *const to_memory = to.get(), *const from_memory = from.get();
    submit(c, s, {touch(std::move(from), source, bytes, false), touch(std::move(to), destination, bytes, true)},
           [to_memory, from_memory, to_bytes = bytes_at(destination), from_bytes = bytes_at(source), bytes] {
               note_copied(to_memory, to_bytes, from_memory, from_bytes, bytes);
               std::memmove(to_bytes, from_bytes, bytes);
           });
}

} // namespace copy_detail

inline status HANABI_CUDAAPI memcpy_htod_async(driver::device_address destination, const void* source, std::size_t bytes,
                                               driver::stream_handle stream) {
    return enter(driver::entry::memcpy_htod_async, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        if (bytes == 0) return status::success;
        auto to = copy_detail::hold(c, destination, bytes, "the destination");
        auto from = copy_detail::hold_host(c, source, bytes, "the source");
        if (c.captures(s)) {
            copy_detail::capture_copy(c, s, driver::memory_type::device, nullptr, destination, driver::memory_type::host, source, 0, bytes);
            return status::success;
        }
        c.note_memory(s, 1, bytes, from == nullptr ? 1 : 2, 3);
        auto read = copy_detail::touch(std::move(from), reinterpret_cast<std::uintptr_t>(source), bytes, false);
        const detail::allocation* const to_memory = to.get();
        auto written = copy_detail::touch(std::move(to), destination, bytes, true);
        if (read.memory == nullptr && c.state.settings.stage_pageable_copies) {
            auto staged = std::make_shared<std::vector<std::byte>>(static_cast<const std::byte*>(source),
                                                                   static_cast<const std::byte*>(source) + bytes);
            copy_detail::submit(c, s, {std::move(written)},
                                [to_memory, to_bytes = copy_detail::bytes_at(destination), staged = std::move(staged)] {
                                    note_written(to_memory, to_bytes, staged->size());
                                    std::memcpy(to_bytes, staged->data(), staged->size());
                                });
        } else
            copy_detail::submit(c, s, {std::move(read), std::move(written)},
                                [to_memory, to_bytes = copy_detail::bytes_at(destination), source, bytes] {
                                    note_written(to_memory, to_bytes, bytes);
                                    std::memcpy(to_bytes, source, bytes);
                                });
        return status::success;
    });
}

inline status HANABI_CUDAAPI memcpy_dtoh_async(void* destination, driver::device_address source, std::size_t bytes,
                                               driver::stream_handle stream) {
    return enter(driver::entry::memcpy_dtoh_async, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        if (bytes == 0) return status::success;
        auto from = copy_detail::hold(c, source, bytes, "the source");
        auto to = copy_detail::hold_host(c, destination, bytes, "the destination");
        if (c.captures(s)) {
            copy_detail::capture_copy(c, s, driver::memory_type::host, destination, 0, driver::memory_type::device, nullptr, source, bytes);
            return status::success;
        }
        const bool pageable = to == nullptr;
        c.note_memory(s, 2, bytes, 3, pageable ? 1 : 2);
        auto read = copy_detail::touch(std::move(from), source, bytes, false);
        auto written = copy_detail::touch(std::move(to), reinterpret_cast<std::uintptr_t>(destination), bytes, true);
        copy_detail::submit(c, s, {std::move(read), std::move(written)}, [destination, from_bytes = copy_detail::bytes_at(source), bytes] {
            std::memcpy(destination, from_bytes, bytes);
        });
        if (pageable && c.state.settings.stage_pageable_copies) c.wait(c.work_of(s));
        return status::success;
    });
}

inline status HANABI_CUDAAPI memcpy_dtod_async(driver::device_address destination, driver::device_address source, std::size_t bytes,
                                               driver::stream_handle stream) {
    return enter(driver::entry::memcpy_dtod_async, needs::initialisation, [&](call& c) {
        c.context();
        copy_detail::copy_device(c, destination, source, bytes, stream);
        return status::success;
    });
}

inline status HANABI_CUDAAPI memcpy_peer_async(driver::device_address destination, driver::context_handle destination_context,
                                               driver::device_address source, driver::context_handle source_context, std::size_t bytes,
                                               driver::stream_handle stream) {
    return enter(driver::entry::memcpy_peer_async, needs::initialisation, [&](call& c) {
        c.context();
        const auto to = c.context(destination_context);
        const auto from = c.context(source_context);
        c.check(*to);
        c.check(*from);
        c.stream(stream);
        if (bytes == 0) return status::success;
        const auto belongs = [&](driver::device_address address, const detail::context_object& owner, const char* role) {
            const auto holder = copy_detail::hold(c, address, bytes, role);
            if (holder->context_id != owner.id)
                refuse(status::invalid_value, role, " ", detail::address_text(address), " is not memory of the context given with it");
        };
        belongs(destination, *to, "the destination");
        belongs(source, *from, "the source");
        copy_detail::copy_device(c, destination, source, bytes, stream);
        return status::success;
    });
}

inline status HANABI_CUDAAPI memset_d8_async(driver::device_address destination, unsigned char value, std::size_t count,
                                             driver::stream_handle stream) {
    return enter(driver::entry::memset_d8_async, needs::initialisation, [&](call& c) {
        copy_detail::fill(c, destination, value, count, stream);
        return status::success;
    });
}

inline status HANABI_CUDAAPI memset_d16_async(driver::device_address destination, unsigned short value, std::size_t count,
                                              driver::stream_handle stream) {
    return enter(driver::entry::memset_d16_async, needs::initialisation, [&](call& c) {
        copy_detail::fill(c, destination, value, count, stream);
        return status::success;
    });
}

inline status HANABI_CUDAAPI memset_d32_async(driver::device_address destination, unsigned value, std::size_t count,
                                              driver::stream_handle stream) {
    return enter(driver::entry::memset_d32_async, needs::initialisation, [&](call& c) {
        copy_detail::fill(c, destination, value, count, stream);
        return status::success;
    });
}

inline status HANABI_CUDAAPI memset_d2d32_async(driver::device_address destination, std::size_t pitch, unsigned value, std::size_t width,
                                                std::size_t height, driver::stream_handle stream) {
    return enter(driver::entry::memset_d2d32_async, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        if (destination % 4 != 0 || pitch % 4 != 0)
            refuse(status::invalid_value, "the destination and the pitch must be multiples of 4 bytes");
        if (width == 0 || height == 0) return status::success;
        if (width > ~std::size_t{0} / 4 || (height > 1 && pitch < width * 4))
            refuse(status::invalid_value, "a pitch of ", pitch, " bytes is less than a row of ", width, " elements");
        if (height > 1 && pitch > (~std::size_t{0} - width * 4) / (height - 1)) refuse(status::invalid_value, height, " rows are too many");
        const std::size_t bytes = pitch * (height - 1) + width * 4;
        auto holder = copy_detail::hold(c, destination, bytes, "the destination");
        if (c.captures(s)) {
            copy_detail::capture_fill(c, s, {destination, pitch, value, 4, width, height});
            return status::success;
        }
        c.note_memory(s, 0, width * 4 * height, 0, 3, value);
        const detail::allocation* const to_memory = holder.get();
        copy_detail::submit(c, s, {copy_detail::touch(std::move(holder), destination, bytes, true)},
                            [to_memory, to = copy_detail::bytes_at(destination), pitch, value, width, height] {
                                for (std::size_t row = 0; row < height; ++row) note_written(to_memory, to + row * pitch, width * 4);
                                for (std::size_t row = 0; row < height; ++row)
                                    for (std::size_t i = 0; i < width; ++i) std::memcpy(to + row * pitch + i * 4, &value, 4);
                            });
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
