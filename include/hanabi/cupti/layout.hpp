// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Where the fields of CUPTI's records are. Versions of the library only ever append fields, so these offsets hold for all
/// that the library supports (CUDA 11 and later); how long a record is depends on the loaded library, and is asked of it.

#ifndef HANABI_CUPTI_LAYOUT_HPP
#define HANABI_CUPTI_LAYOUT_HPP

#include <hanabi/activity/kind.hpp>

#include <cstddef>

/// Offsets in bytes, one namespace a record; `required` is where the part ends that every version has, `size` is the
/// record's in CUDA 13.0. test/cupti_layout compares them with <cupti.h> where it is installed.
namespace hanabi::cupti::layout {

/// CUpti_ActivityKernel10; what `required` covers is in all from Kernel4 on.
namespace kernel {
inline constexpr std::size_t registers = 6; // u16
inline constexpr std::size_t start = 16, end = 24;
inline constexpr std::size_t device = 40, context = 44, stream = 48;
inline constexpr std::size_t grid = 52, block = 64; // three u32 each
inline constexpr std::size_t static_shared = 76, dynamic_shared = 80;
inline constexpr std::size_t correlation = 92;
inline constexpr std::size_t grid_id = 96; // i64
inline constexpr std::size_t name = 104;   // const char*
inline constexpr std::size_t launch = 112; // u64, CUPTI's reserved field: the launch's number in records of an activity_session
inline constexpr std::size_t queued = 120, submitted = 128;
inline constexpr std::size_t shared_executed = 140;
inline constexpr std::size_t required = 144;
inline constexpr std::size_t graph_node_id = 144, graph_id = 156; // Kernel5, Kernel6
inline constexpr std::size_t cluster = 176;                       // Kernel8, three u32
inline constexpr std::size_t size = 216;
} // namespace kernel

/// CUpti_ActivityMemcpy6.
namespace copy {
inline constexpr std::size_t copy_kind = 4, source_kind = 5, destination_kind = 6; // u8 each
inline constexpr std::size_t bytes = 8, start = 16, end = 24;
inline constexpr std::size_t device = 32, context = 36, stream = 40, correlation = 44;
inline constexpr std::size_t required = 64;
inline constexpr std::size_t graph_node_id = 64, graph_id = 72;
inline constexpr std::size_t size = 96;
} // namespace copy

/// CUpti_ActivityMemcpyPtoP4: copies between devices.
namespace peer_copy {
inline constexpr std::size_t copy_kind = 4, source_kind = 5, destination_kind = 6; // u8 each
inline constexpr std::size_t bytes = 8, start = 16, end = 24;
inline constexpr std::size_t device = 32, context = 36, stream = 40;
inline constexpr std::size_t source_device = 44, destination_device = 52;
inline constexpr std::size_t correlation = 60;
inline constexpr std::size_t required = 64;
inline constexpr std::size_t graph_node_id = 72, graph_id = 80;
inline constexpr std::size_t size = 96;
} // namespace peer_copy

/// CUpti_ActivityMemset4.
namespace fill {
inline constexpr std::size_t value = 4, bytes = 8, start = 16, end = 24;
inline constexpr std::size_t device = 32, context = 36, stream = 40, correlation = 44;
inline constexpr std::size_t memory_kind = 50; // u16
inline constexpr std::size_t required = 56;
inline constexpr std::size_t graph_node_id = 64, graph_id = 72;
inline constexpr std::size_t size = 88;
} // namespace fill

/// CUpti_ActivityAPI: calls of the driver and of the runtime.
namespace api {
inline constexpr std::size_t cbid = 4, start = 8, end = 16, process = 24, thread = 28, correlation = 32, result = 36;
inline constexpr std::size_t required = 40;
inline constexpr std::size_t size = 40;
} // namespace api

/// CUpti_ActivityExternalCorrelation.
namespace external {
inline constexpr std::size_t external_kind = 4, external_id = 8, correlation = 16;
inline constexpr std::size_t required = 20;
inline constexpr std::size_t size = 24;
} // namespace external

/// CUpti_ActivityOverhead3.
namespace overhead {
inline constexpr std::size_t type = 4, start = 24, end = 32;
inline constexpr std::size_t required = 40;
inline constexpr std::size_t correlation = 40; // Overhead3
inline constexpr std::size_t size = 56;
} // namespace overhead

/// CUpti_ActivitySynchronization2.
namespace synchronization {
inline constexpr std::size_t type = 4, start = 8, end = 16, correlation = 24, context = 28, stream = 32, event = 36;
inline constexpr std::size_t required = 40;
inline constexpr std::size_t result = 48;
inline constexpr std::size_t size = 56;
} // namespace synchronization

/// CUpti_ActivityMarker2.
namespace marker {
inline constexpr std::size_t flags = 4, time = 8, id = 16;
inline constexpr std::size_t name = 40, domain = 48; // const char*
inline constexpr std::size_t required = 48;
inline constexpr std::size_t size = 56;
} // namespace marker

/// CUpti_ActivityMemory: an allocation with its beginning and end, when it is freed.
namespace memory {
inline constexpr std::size_t memory_kind = 4, address = 8, bytes = 16, start = 24, end = 32, process = 56, device = 60, context = 64;
inline constexpr std::size_t name = 72; // const char*
inline constexpr std::size_t required = 80;
inline constexpr std::size_t size = 80;
} // namespace memory

/// CUpti_ActivityMemory4: an allocation or a release, when it happens.
namespace memory_operation {
inline constexpr std::size_t operation = 4, memory_kind = 8, correlation = 12, address = 16, bytes = 24, time = 32, process = 48,
                             device = 52, context = 56, stream = 60;
inline constexpr std::size_t name = 64; // const char*
inline constexpr std::size_t required = 72;
inline constexpr std::size_t size = 128;
} // namespace memory_operation

/// CUpti_ActivityGraphTrace2: one launch of a graph as a whole.
namespace graph_trace {
inline constexpr std::size_t correlation = 4, start = 8, end = 16, device = 24, graph_id = 28, context = 32, stream = 36;
inline constexpr std::size_t required = 40;
inline constexpr std::size_t size = 56;
} // namespace graph_trace

/// A kind's size in CUDA 13.0, for kinds whose fields the library reads; 0 for others.
constexpr std::size_t size_of(activity_kind kind) noexcept {
    switch (kind) {
    case activity_kind::kernel:
    case activity_kind::concurrent_kernel: return kernel::size;
    case activity_kind::memcpy: return copy::size;
    case activity_kind::memcpy2: return peer_copy::size;
    case activity_kind::memset: return fill::size;
    case activity_kind::driver:
    case activity_kind::runtime: return api::size;
    case activity_kind::external_correlation: return external::size;
    case activity_kind::overhead: return overhead::size;
    case activity_kind::synchronization: return synchronization::size;
    case activity_kind::marker: return marker::size;
    case activity_kind::memory: return memory::size;
    case activity_kind::memory2: return memory_operation::size;
    case activity_kind::graph_trace: return graph_trace::size;
    default: return 0;
    }
}

/// The least size of a kind's record that has what the library reads; 0 for kinds it reads nothing of.
constexpr std::size_t required_of(activity_kind kind) noexcept {
    switch (kind) {
    case activity_kind::kernel:
    case activity_kind::concurrent_kernel: return kernel::required;
    case activity_kind::memcpy: return copy::required;
    case activity_kind::memcpy2: return peer_copy::required;
    case activity_kind::memset: return fill::required;
    case activity_kind::driver:
    case activity_kind::runtime: return api::required;
    case activity_kind::external_correlation: return external::required;
    case activity_kind::overhead: return overhead::required;
    case activity_kind::synchronization: return synchronization::required;
    case activity_kind::marker: return marker::required;
    case activity_kind::memory: return memory::required;
    case activity_kind::memory2: return memory_operation::required;
    case activity_kind::graph_trace: return graph_trace::required;
    default: return 0;
    }
}

} // namespace hanabi::cupti::layout

#endif
