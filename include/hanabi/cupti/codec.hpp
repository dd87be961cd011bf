// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// From CUPTI's bytes to values, and back.

#ifndef HANABI_CUPTI_CODEC_HPP
#define HANABI_CUPTI_CODEC_HPP

#include <hanabi/activity/record.hpp>
#include <hanabi/config.hpp>
#include <hanabi/cupti/layout.hpp>
#include <hanabi/cupti/view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hanabi::cupti {

namespace detail {

/// A kernel's record. Every field is named: of a record that is zeroed first g++ makes a string instruction, which takes
/// longer to begin than all of this.
HANABI_INLINE activity_record kernel_record(const kernel_view& v) noexcept {
    return {.kind = v.kind(),
            .correlation = v.correlation(),
            .start = v.start(),
            .end = v.end(),
            .external_id = 0,
            .external_kind = 0,
            .device = v.device(),
            .context = v.context(),
            .stream = v.stream(),
            .name = v.name(),
            .grid = {v.grid(0), v.grid(1), v.grid(2)},
            .block = {v.block(0), v.block(1), v.block(2)},
            .cluster = {v.cluster(0), v.cluster(1), v.cluster(2)},
            .registers = v.registers(),
            .static_shared = v.static_shared(),
            .dynamic_shared = v.dynamic_shared(),
            .shared_executed = v.shared_executed(),
            .graph_id = v.graph_id(),
            .graph_node_id = v.graph_node_id(),
            .queued = v.queued(),
            .submitted = v.submitted(),
            .grid_id = v.grid_id()};
}

} // namespace detail

/// A record as a value. Of kinds whose fields the library does not read, the kind alone. Names point where the bytes say.
inline activity_record to_record(const record_view& r) noexcept {
    if (r.kind() == activity_kind::concurrent_kernel || r.kind() == activity_kind::kernel) return detail::kernel_record(kernel_view{r});
    activity_record out;
    out.kind = r.kind();
    switch (out.kind) {
    case activity_kind::memcpy:
    case activity_kind::memcpy2: {
        const copy_view v{r};
        out.start = v.start();
        out.end = v.end();
        out.correlation = v.correlation();
        out.device = v.device();
        out.context = v.context();
        out.stream = v.stream();
        out.bytes = v.bytes_copied();
        out.copy_kind = v.copy_kind();
        out.source_kind = v.source_kind();
        out.destination_kind = v.destination_kind();
        out.graph_id = v.graph_id();
        out.graph_node_id = v.graph_node_id();
        break;
    }
    case activity_kind::memset: {
        const fill_view v{r};
        out.start = v.start();
        out.end = v.end();
        out.correlation = v.correlation();
        out.device = v.device();
        out.context = v.context();
        out.stream = v.stream();
        out.bytes = v.bytes_set();
        out.value = v.value();
        out.destination_kind = v.memory_kind();
        out.graph_id = v.graph_id();
        out.graph_node_id = v.graph_node_id();
        break;
    }
    case activity_kind::driver:
    case activity_kind::runtime: {
        const api_view v{r};
        out.start = v.start();
        out.end = v.end();
        out.correlation = v.correlation();
        out.cbid = v.cbid();
        out.process = v.process();
        out.thread = v.thread();
        out.result = v.result();
        break;
    }
    case activity_kind::external_correlation: {
        const external_view v{r};
        out.external_kind = v.external_kind();
        out.external_id = v.external_id();
        out.correlation = v.correlation();
        break;
    }
    case activity_kind::overhead: {
        const overhead_view v{r};
        out.start = v.start();
        out.end = v.end();
        out.type = v.type();
        out.correlation = v.correlation();
        break;
    }
    case activity_kind::synchronization: {
        const synchronization_view v{r};
        out.start = v.start();
        out.end = v.end();
        out.type = v.type();
        out.correlation = v.correlation();
        out.context = v.context();
        out.stream = v.stream();
        break;
    }
    case activity_kind::marker: {
        const marker_view v{r};
        out.start = out.end = v.time();
        out.type = v.flags();
        out.external_id = v.id();
        out.name = v.name();
        break;
    }
    case activity_kind::memory:
    case activity_kind::memory2: {
        const memory_view v{r};
        out.start = v.start();
        out.end = v.end();
        out.type = v.operation();
        out.destination_kind = v.memory_kind();
        out.address = v.address();
        out.bytes = v.bytes_held();
        out.process = v.process();
        out.device = v.device();
        out.context = v.context();
        out.stream = v.stream();
        out.correlation = v.correlation();
        out.name = v.name();
        break;
    }
    case activity_kind::graph_trace: {
        const graph_trace_view v{r};
        out.start = v.start();
        out.end = v.end();
        out.correlation = v.correlation();
        out.device = v.device();
        out.context = v.context();
        out.stream = v.stream();
        out.graph_id = v.graph_id();
        break;
    }
    default: break;
    }
    return out;
}

namespace detail {

/// Zeros a record. In pieces, because g++ makes one string instruction of the whole, which takes longer to begin than all
/// the rest of writing a record.
template <std::size_t Size>
HANABI_INLINE void clear(std::byte* to) noexcept {
    constexpr std::size_t piece = 32;
    if constexpr (Size > piece) {
        std::memset(to, 0, piece);
        clear<Size - piece>(to + piece);
    } else
        std::memset(to, 0, Size);
}

template <class T>
void put(std::byte* at, const T& value) noexcept {
    std::memcpy(at, &value, sizeof value);
}
inline void put_byte(std::byte* at, std::uint32_t value) noexcept { *at = static_cast<std::byte>(value & 0xffu); }

} // namespace detail

/// Writes a value as CUDA 13.0's library does: layout::size_of(r.kind) bytes, which must be there, 8-aligned. Returns that
/// size; 0, and nothing is written, for kinds that the library does not write.
inline std::size_t write_record(const activity_record& r, std::byte* to) noexcept {
    using detail::put;
    using detail::put_byte;
    const std::size_t size = layout::size_of(r.kind);
    if (size == 0) return 0;
    const auto common = [&](std::size_t start, std::size_t end, std::size_t device, std::size_t correlation) {
        put(to + start, r.start);
        put(to + end, r.end);
        put(to + device, r.device);
        put(to + device + 4, r.context);
        put(to + device + 8, r.stream);
        put(to + correlation, r.correlation);
    };
    switch (r.kind) {
    case activity_kind::kernel:
    case activity_kind::concurrent_kernel:
        detail::clear<layout::kernel::size>(to);
        common(layout::kernel::start, layout::kernel::end, layout::kernel::device, layout::kernel::correlation);
        put(to + 32, r.end); // completed: the end of the kernel and of those it launched, which are none
        put(to + layout::kernel::registers, static_cast<std::uint16_t>(r.registers > 0xffffu ? 0xffffu : r.registers));
        put(to + layout::kernel::grid, r.grid);
        put(to + layout::kernel::block, r.block);
        put(to + layout::kernel::cluster, r.cluster);
        put(to + layout::kernel::static_shared, r.static_shared);
        put(to + layout::kernel::dynamic_shared, r.dynamic_shared);
        put(to + layout::kernel::shared_executed, r.shared_executed);
        put(to + layout::kernel::grid_id, r.grid_id);
        put(to + layout::kernel::name, r.name);
        put(to + layout::kernel::launch, r.external_id);
        put(to + layout::kernel::queued, r.queued);
        put(to + layout::kernel::submitted, r.submitted);
        put(to + layout::kernel::graph_node_id, r.graph_node_id);
        put(to + layout::kernel::graph_id, r.graph_id);
        break;
    case activity_kind::memcpy:
        detail::clear<layout::copy::size>(to);
        common(layout::copy::start, layout::copy::end, layout::copy::device, layout::copy::correlation);
        put_byte(to + layout::copy::copy_kind, r.copy_kind);
        put_byte(to + layout::copy::source_kind, r.source_kind);
        put_byte(to + layout::copy::destination_kind, r.destination_kind);
        put(to + layout::copy::bytes, r.bytes);
        put(to + layout::copy::graph_node_id, r.graph_node_id);
        put(to + layout::copy::graph_id, r.graph_id);
        break;
    case activity_kind::memcpy2:
        detail::clear<layout::peer_copy::size>(to);
        common(layout::peer_copy::start, layout::peer_copy::end, layout::peer_copy::device, layout::peer_copy::correlation);
        put_byte(to + layout::peer_copy::copy_kind, r.copy_kind);
        put_byte(to + layout::peer_copy::source_kind, r.source_kind);
        put_byte(to + layout::peer_copy::destination_kind, r.destination_kind);
        put(to + layout::peer_copy::bytes, r.bytes);
        put(to + layout::peer_copy::graph_node_id, r.graph_node_id);
        put(to + layout::peer_copy::graph_id, r.graph_id);
        break;
    case activity_kind::memset:
        detail::clear<layout::fill::size>(to);
        common(layout::fill::start, layout::fill::end, layout::fill::device, layout::fill::correlation);
        put(to + layout::fill::value, r.value);
        put(to + layout::fill::bytes, r.bytes);
        put(to + layout::fill::memory_kind, static_cast<std::uint16_t>(r.destination_kind));
        put(to + layout::fill::graph_node_id, r.graph_node_id);
        put(to + layout::fill::graph_id, r.graph_id);
        break;
    case activity_kind::driver:
    case activity_kind::runtime:
        put(to + layout::api::cbid, r.cbid);
        put(to + layout::api::start, r.start);
        put(to + layout::api::end, r.end);
        put(to + layout::api::process, r.process);
        put(to + layout::api::thread, r.thread);
        put(to + layout::api::correlation, r.correlation);
        put(to + layout::api::result, r.result);
        break;
    case activity_kind::external_correlation:
        put(to + layout::external::external_kind, r.external_kind);
        put(to + layout::external::external_id, r.external_id);
        put(to + layout::external::correlation, r.correlation);
        put(to + layout::external::correlation + 4, std::uint32_t{0});
        break;
    case activity_kind::overhead:
        detail::clear<layout::overhead::size>(to);
        put(to + layout::overhead::type, r.type);
        put(to + layout::overhead::start, r.start);
        put(to + layout::overhead::end, r.end);
        put(to + layout::overhead::correlation, r.correlation);
        break;
    case activity_kind::synchronization:
        detail::clear<layout::synchronization::size>(to);
        put(to + layout::synchronization::type, r.type);
        put(to + layout::synchronization::start, r.start);
        put(to + layout::synchronization::end, r.end);
        put(to + layout::synchronization::correlation, r.correlation);
        put(to + layout::synchronization::context, r.context);
        put(to + layout::synchronization::stream, r.stream);
        put(to + layout::synchronization::result, r.result);
        break;
    case activity_kind::marker:
        detail::clear<layout::marker::size>(to);
        put(to + layout::marker::flags, r.type);
        put(to + layout::marker::time, r.start);
        put(to + layout::marker::id, static_cast<std::uint32_t>(r.external_id));
        put(to + layout::marker::name, r.name);
        break;
    case activity_kind::memory:
        detail::clear<layout::memory::size>(to);
        put(to + layout::memory::memory_kind, r.destination_kind);
        put(to + layout::memory::address, r.address);
        put(to + layout::memory::bytes, r.bytes);
        put(to + layout::memory::start, r.start);
        put(to + layout::memory::end, r.end);
        put(to + layout::memory::process, r.process);
        put(to + layout::memory::device, r.device);
        put(to + layout::memory::context, r.context);
        put(to + layout::memory::name, r.name);
        break;
    case activity_kind::memory2:
        detail::clear<layout::memory_operation::size>(to);
        put(to + layout::memory_operation::operation, r.type);
        put(to + layout::memory_operation::memory_kind, r.destination_kind);
        put(to + layout::memory_operation::correlation, r.correlation);
        put(to + layout::memory_operation::address, r.address);
        put(to + layout::memory_operation::bytes, r.bytes);
        put(to + layout::memory_operation::time, r.start);
        put(to + layout::memory_operation::process, r.process);
        put(to + layout::memory_operation::device, r.device);
        put(to + layout::memory_operation::context, r.context);
        put(to + layout::memory_operation::stream, r.stream);
        put(to + layout::memory_operation::name, r.name);
        break;
    case activity_kind::graph_trace:
        detail::clear<layout::graph_trace::size>(to);
        common(layout::graph_trace::start, layout::graph_trace::end, layout::graph_trace::device, layout::graph_trace::correlation);
        put(to + layout::graph_trace::device, r.device); // here the graph's number stands between device and context
        put(to + layout::graph_trace::graph_id, r.graph_id);
        put(to + layout::graph_trace::context, r.context);
        put(to + layout::graph_trace::stream, r.stream);
        break;
    default: return 0;
    }
    put(to, r.kind);
    return size;
}

/// Writes the record of a launch that the host timed, without a value on the way: reading back what was just stored in other
/// pieces costs more than the stores.
struct launch_record_writer {
    std::uint64_t launch, start, end;
    const char* name;
    std::uint32_t stream, dynamic_shared;
    std::uint32_t grid[3], block[3];

    HANABI_INLINE void operator()(std::byte* to) const noexcept {
        using detail::put;
        detail::clear<layout::kernel::size>(to);
        put(to, activity_kind::concurrent_kernel);
        put(to + layout::kernel::start, start);
        put(to + layout::kernel::end, end);
        put(to + 32, end);
        put(to + layout::kernel::stream, stream);
        put(to + layout::kernel::grid, grid[0]); // no loop: what is read by a variable index is in memory
        put(to + layout::kernel::grid + 4, grid[1]);
        put(to + layout::kernel::grid + 8, grid[2]);
        put(to + layout::kernel::block, block[0]);
        put(to + layout::kernel::block + 4, block[1]);
        put(to + layout::kernel::block + 8, block[2]);
        put(to + layout::kernel::dynamic_shared, dynamic_shared);
        put(to + layout::kernel::correlation, static_cast<std::uint32_t>(launch));
        put(to + layout::kernel::name, name);
        put(to + layout::kernel::launch, launch);
    }
    /// The same as a value, where one is already. Cleared in pieces: g++ makes a loop of microcode of an initialisation.
    HANABI_INLINE void operator()(activity_record* to) const noexcept {
        static_assert(std::is_trivially_copyable_v<activity_record>);
        detail::clear<sizeof(activity_record)>(reinterpret_cast<std::byte*>(to));
        to->kind = activity_kind::concurrent_kernel;
        to->correlation = static_cast<std::uint32_t>(launch);
        to->start = start;
        to->end = end;
        to->external_id = launch;
        to->stream = stream;
        to->name = name;
        to->grid[0] = grid[0];
        to->grid[1] = grid[1];
        to->grid[2] = grid[2];
        to->block[0] = block[0];
        to->block[1] = block[1];
        to->block[2] = block[2];
        to->dynamic_shared = dynamic_shared;
    }
};

} // namespace hanabi::cupti

#endif
