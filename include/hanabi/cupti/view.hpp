// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Views of records in CUPTI's own bytes, and the way from bytes to values and back.

#ifndef HANABI_CUPTI_VIEW_HPP
#define HANABI_CUPTI_VIEW_HPP

#include <hanabi/activity/kind.hpp>
#include <hanabi/activity/record.hpp>
#include <hanabi/cupti/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hanabi::cupti {

/// Any record: its kind, and its bytes, which somebody else owns. Fields beyond the record's end read as zero, because the
/// library that wrote it may be older than they are.
class record_view {
  public:
    /// `size`: from the beginning of the record to that of the next.
    record_view(const std::byte* bytes, std::size_t size) noexcept : bytes_{bytes}, size_{size} {}

    activity_kind kind() const noexcept { return static_cast<activity_kind>(field<std::uint32_t>(0)); }
    const std::byte* bytes() const noexcept { return bytes_; }
    std::size_t size() const noexcept { return size_; }

    /// The field at an offset, unaligned.
    template <class T>
    T field(std::size_t offset) const noexcept {
        T value{};
        if (offset + sizeof(T) <= size_) std::memcpy(&value, bytes_ + offset, sizeof(T));
        return value;
    }

  private:
    const std::byte* bytes_;
    std::size_t size_;
};

/// Of kind kernel and concurrent_kernel.
struct kernel_view : record_view {
    explicit kernel_view(const record_view& r) noexcept : record_view{r} {}
    std::uint64_t start() const noexcept { return field<std::uint64_t>(layout::kernel::start); }
    std::uint64_t end() const noexcept { return field<std::uint64_t>(layout::kernel::end); }
    std::uint32_t correlation() const noexcept { return field<std::uint32_t>(layout::kernel::correlation); }
    std::uint32_t device() const noexcept { return field<std::uint32_t>(layout::kernel::device); }
    std::uint32_t context() const noexcept { return field<std::uint32_t>(layout::kernel::context); }
    std::uint32_t stream() const noexcept { return field<std::uint32_t>(layout::kernel::stream); }
    std::uint32_t grid(unsigned axis) const noexcept { return field<std::uint32_t>(layout::kernel::grid + 4 * axis); }
    std::uint32_t block(unsigned axis) const noexcept { return field<std::uint32_t>(layout::kernel::block + 4 * axis); }
    std::uint32_t cluster(unsigned axis) const noexcept { return field<std::uint32_t>(layout::kernel::cluster + 4 * axis); }
    std::uint32_t registers() const noexcept { return field<std::uint16_t>(layout::kernel::registers); }
    std::uint32_t static_shared() const noexcept { return field<std::uint32_t>(layout::kernel::static_shared); }
    std::uint32_t dynamic_shared() const noexcept { return field<std::uint32_t>(layout::kernel::dynamic_shared); }
    std::uint32_t shared_executed() const noexcept { return field<std::uint32_t>(layout::kernel::shared_executed); }
    std::uint32_t graph_id() const noexcept { return field<std::uint32_t>(layout::kernel::graph_id); }
    std::uint64_t graph_node_id() const noexcept { return field<std::uint64_t>(layout::kernel::graph_node_id); }
    std::uint64_t queued() const noexcept { return field<std::uint64_t>(layout::kernel::queued); }
    std::uint64_t submitted() const noexcept { return field<std::uint64_t>(layout::kernel::submitted); }
    std::int64_t grid_id() const noexcept { return field<std::int64_t>(layout::kernel::grid_id); }
    const char* name() const noexcept { return field<const char*>(layout::kernel::name); }
};

/// Of kind memcpy, and of memcpy2 (between devices): the fields that both have.
struct copy_view : record_view {
    explicit copy_view(const record_view& r) noexcept : record_view{r} {}
    bool between_devices() const noexcept { return kind() == activity_kind::memcpy2; }
    std::uint64_t start() const noexcept { return field<std::uint64_t>(layout::copy::start); }
    std::uint64_t end() const noexcept { return field<std::uint64_t>(layout::copy::end); }
    std::uint64_t bytes_copied() const noexcept { return field<std::uint64_t>(layout::copy::bytes); }
    std::uint32_t copy_kind() const noexcept { return field<std::uint8_t>(layout::copy::copy_kind); }
    std::uint32_t source_kind() const noexcept { return field<std::uint8_t>(layout::copy::source_kind); }
    std::uint32_t destination_kind() const noexcept { return field<std::uint8_t>(layout::copy::destination_kind); }
    std::uint32_t device() const noexcept { return field<std::uint32_t>(layout::copy::device); }
    std::uint32_t context() const noexcept { return field<std::uint32_t>(layout::copy::context); }
    std::uint32_t stream() const noexcept { return field<std::uint32_t>(layout::copy::stream); }
    std::uint32_t correlation() const noexcept {
        return field<std::uint32_t>(between_devices() ? layout::peer_copy::correlation : layout::copy::correlation);
    }
    std::uint64_t graph_node_id() const noexcept {
        return field<std::uint64_t>(between_devices() ? layout::peer_copy::graph_node_id : layout::copy::graph_node_id);
    }
    std::uint32_t graph_id() const noexcept {
        return field<std::uint32_t>(between_devices() ? layout::peer_copy::graph_id : layout::copy::graph_id);
    }
};

/// Of kind memset.
struct fill_view : record_view {
    explicit fill_view(const record_view& r) noexcept : record_view{r} {}
    std::uint64_t start() const noexcept { return field<std::uint64_t>(layout::fill::start); }
    std::uint64_t end() const noexcept { return field<std::uint64_t>(layout::fill::end); }
    std::uint64_t bytes_set() const noexcept { return field<std::uint64_t>(layout::fill::bytes); }
    std::uint32_t value() const noexcept { return field<std::uint32_t>(layout::fill::value); }
    std::uint32_t memory_kind() const noexcept { return field<std::uint16_t>(layout::fill::memory_kind); }
    std::uint32_t device() const noexcept { return field<std::uint32_t>(layout::fill::device); }
    std::uint32_t context() const noexcept { return field<std::uint32_t>(layout::fill::context); }
    std::uint32_t stream() const noexcept { return field<std::uint32_t>(layout::fill::stream); }
    std::uint32_t correlation() const noexcept { return field<std::uint32_t>(layout::fill::correlation); }
    std::uint64_t graph_node_id() const noexcept { return field<std::uint64_t>(layout::fill::graph_node_id); }
    std::uint32_t graph_id() const noexcept { return field<std::uint32_t>(layout::fill::graph_id); }
};

/// Of kind driver and runtime: one call.
struct api_view : record_view {
    explicit api_view(const record_view& r) noexcept : record_view{r} {}
    std::uint64_t start() const noexcept { return field<std::uint64_t>(layout::api::start); }
    std::uint64_t end() const noexcept { return field<std::uint64_t>(layout::api::end); }
    std::uint32_t cbid() const noexcept { return field<std::uint32_t>(layout::api::cbid); }
    std::uint32_t process() const noexcept { return field<std::uint32_t>(layout::api::process); }
    std::uint32_t thread() const noexcept { return field<std::uint32_t>(layout::api::thread); }
    std::uint32_t correlation() const noexcept { return field<std::uint32_t>(layout::api::correlation); }
    std::uint32_t result() const noexcept { return field<std::uint32_t>(layout::api::result); }
};

/// Of kind external_correlation: a number that was pushed, and the call that was made under it.
struct external_view : record_view {
    explicit external_view(const record_view& r) noexcept : record_view{r} {}
    std::uint32_t external_kind() const noexcept { return field<std::uint32_t>(layout::external::external_kind); }
    std::uint64_t external_id() const noexcept { return field<std::uint64_t>(layout::external::external_id); }
    std::uint32_t correlation() const noexcept { return field<std::uint32_t>(layout::external::correlation); }
};

/// Of kind overhead: time that profiling or the driver took for itself.
struct overhead_view : record_view {
    explicit overhead_view(const record_view& r) noexcept : record_view{r} {}
    std::uint32_t type() const noexcept { return field<std::uint32_t>(layout::overhead::type); }
    std::uint64_t start() const noexcept { return field<std::uint64_t>(layout::overhead::start); }
    std::uint64_t end() const noexcept { return field<std::uint64_t>(layout::overhead::end); }
    std::uint32_t correlation() const noexcept { return field<std::uint32_t>(layout::overhead::correlation); }
};

/// Of kind synchronization.
struct synchronization_view : record_view {
    explicit synchronization_view(const record_view& r) noexcept : record_view{r} {}
    /// 1 event, 2 stream waits for event, 3 stream, 4 context.
    std::uint32_t type() const noexcept { return field<std::uint32_t>(layout::synchronization::type); }
    std::uint64_t start() const noexcept { return field<std::uint64_t>(layout::synchronization::start); }
    std::uint64_t end() const noexcept { return field<std::uint64_t>(layout::synchronization::end); }
    std::uint32_t correlation() const noexcept { return field<std::uint32_t>(layout::synchronization::correlation); }
    std::uint32_t context() const noexcept { return field<std::uint32_t>(layout::synchronization::context); }
    std::uint32_t stream() const noexcept { return field<std::uint32_t>(layout::synchronization::stream); }
    std::uint32_t event() const noexcept { return field<std::uint32_t>(layout::synchronization::event); }
};

/// Of kind marker: one end of an NVTX range, or a mark.
struct marker_view : record_view {
    explicit marker_view(const record_view& r) noexcept : record_view{r} {}
    std::uint32_t flags() const noexcept { return field<std::uint32_t>(layout::marker::flags); }
    std::uint64_t time() const noexcept { return field<std::uint64_t>(layout::marker::time); }
    std::uint32_t id() const noexcept { return field<std::uint32_t>(layout::marker::id); }
    const char* name() const noexcept { return field<const char*>(layout::marker::name); }
    const char* domain() const noexcept { return field<const char*>(layout::marker::domain); }
};

/// Of kind memory (an allocation with its whole life) and memory2 (an allocation or a release).
struct memory_view : record_view {
    explicit memory_view(const record_view& r) noexcept : record_view{r} {}
    bool is_operation() const noexcept { return kind() == activity_kind::memory2; }
    /// 1 allocation, 2 release (memory2).
    std::uint32_t operation() const noexcept { return is_operation() ? field<std::uint32_t>(layout::memory_operation::operation) : 0; }
    std::uint32_t memory_kind() const noexcept {
        return field<std::uint32_t>(is_operation() ? layout::memory_operation::memory_kind : layout::memory::memory_kind);
    }
    std::uint64_t address() const noexcept {
        return field<std::uint64_t>(is_operation() ? layout::memory_operation::address : layout::memory::address);
    }
    std::uint64_t bytes_held() const noexcept {
        return field<std::uint64_t>(is_operation() ? layout::memory_operation::bytes : layout::memory::bytes);
    }
    std::uint64_t start() const noexcept {
        return field<std::uint64_t>(is_operation() ? layout::memory_operation::time : layout::memory::start);
    }
    std::uint64_t end() const noexcept {
        return field<std::uint64_t>(is_operation() ? layout::memory_operation::time : layout::memory::end);
    }
    std::uint32_t process() const noexcept {
        return field<std::uint32_t>(is_operation() ? layout::memory_operation::process : layout::memory::process);
    }
    std::uint32_t device() const noexcept {
        return field<std::uint32_t>(is_operation() ? layout::memory_operation::device : layout::memory::device);
    }
    std::uint32_t context() const noexcept {
        return field<std::uint32_t>(is_operation() ? layout::memory_operation::context : layout::memory::context);
    }
    std::uint32_t stream() const noexcept { return is_operation() ? field<std::uint32_t>(layout::memory_operation::stream) : 0; }
    std::uint32_t correlation() const noexcept { return is_operation() ? field<std::uint32_t>(layout::memory_operation::correlation) : 0; }
    const char* name() const noexcept { return field<const char*>(is_operation() ? layout::memory_operation::name : layout::memory::name); }
};

/// Of kind graph_trace: one launch of a graph, as a whole.
struct graph_trace_view : record_view {
    explicit graph_trace_view(const record_view& r) noexcept : record_view{r} {}
    std::uint64_t start() const noexcept { return field<std::uint64_t>(layout::graph_trace::start); }
    std::uint64_t end() const noexcept { return field<std::uint64_t>(layout::graph_trace::end); }
    std::uint32_t correlation() const noexcept { return field<std::uint32_t>(layout::graph_trace::correlation); }
    std::uint32_t device() const noexcept { return field<std::uint32_t>(layout::graph_trace::device); }
    std::uint32_t context() const noexcept { return field<std::uint32_t>(layout::graph_trace::context); }
    std::uint32_t stream() const noexcept { return field<std::uint32_t>(layout::graph_trace::stream); }
    std::uint32_t graph_id() const noexcept { return field<std::uint32_t>(layout::graph_trace::graph_id); }
};

} // namespace hanabi::cupti

#endif
