// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The types that cross the driver's C interface: handles, enumerations and structs, laid out as <cuda.h> lays them
/// out, so that no CUDA header is needed. test/driver_abi compares every one with <cuda.h> wherever that is installed.

#ifndef HANABI_DRIVER_ABI_HPP
#define HANABI_DRIVER_ABI_HPP

#include <hanabi/driver/status.hpp>

#include <cstddef>
#include <cstdint>

// The driver's own incomplete types, at global scope as <cuda.h> declares them: a user's CUstream is our stream handle,
// whether or not <cuda.h> is included.
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUmemPoolHandle_st;

/// How the driver's functions are called; the name's only use is on Windows, where CUDAAPI is __stdcall.
#if defined(_WIN32)
#define HANABI_CUDAAPI __stdcall
#else
#define HANABI_CUDAAPI
#endif

namespace hanabi::driver {

/// CUcontext.
using context_handle = CUctx_st*;
/// CUmodule.
using module_handle = CUmod_st*;
/// CUfunction. Never a CUkernel: cuFuncGetAttribute rejects those.
using function_handle = CUfunc_st*;
/// CUstream. Null is the legacy default stream of the current context.
using stream_handle = CUstream_st*;
/// CUevent.
using event_handle = CUevent_st*;
/// CUmemoryPool.
using memory_pool_handle = CUmemPoolHandle_st*;
/// CUdevice: an ordinal.
using device_handle = int;
/// CUdeviceptr: an address in the unified address space.
using device_address = unsigned long long;

/// CU_STREAM_LEGACY and CU_STREAM_PER_THREAD: handles that name a stream instead of pointing at one.
inline constexpr std::uintptr_t stream_legacy = 0x1;
inline constexpr std::uintptr_t stream_per_thread = 0x2;

/// CUctx_flags, those the library passes.
namespace context_flags {
inline constexpr unsigned automatic = 0x00;
inline constexpr unsigned spin = 0x01;
inline constexpr unsigned yield = 0x02;
inline constexpr unsigned blocking_sync = 0x04;
} // namespace context_flags

/// CUstream_flags.
namespace stream_flags {
inline constexpr unsigned blocking = 0x0;
inline constexpr unsigned non_blocking = 0x1;
} // namespace stream_flags

/// CUevent_flags.
namespace event_flags {
inline constexpr unsigned automatic = 0x0;
inline constexpr unsigned blocking_sync = 0x1;
inline constexpr unsigned disable_timing = 0x2;
} // namespace event_flags

/// CUmemhostalloc flags.
namespace host_alloc_flags {
inline constexpr unsigned portable = 0x01;
inline constexpr unsigned device_map = 0x02;
inline constexpr unsigned write_combined = 0x04;
} // namespace host_alloc_flags

/// CUdevice_attribute, those the library reads.
enum class device_attribute : int {
    max_threads_per_block = 1,
    max_block_dim_x = 2,
    max_block_dim_y = 3,
    max_block_dim_z = 4,
    max_grid_dim_x = 5,
    max_grid_dim_y = 6,
    max_grid_dim_z = 7,
    max_shared_memory_per_block = 8,
    total_constant_memory = 9,
    warp_size = 10,
    max_registers_per_block = 12,
    clock_rate = 13,
    multiprocessor_count = 16,
    concurrent_kernels = 31,
    pci_bus_id = 33,
    pci_device_id = 34,
    memory_clock_rate = 36,
    global_memory_bus_width = 37,
    l2_cache_size = 38,
    max_threads_per_multiprocessor = 39,
    unified_addressing = 41,
    compute_capability_major = 75,
    compute_capability_minor = 76,
    stream_priorities_supported = 78,
    max_shared_memory_per_multiprocessor = 81,
    max_registers_per_multiprocessor = 82,
    cooperative_launch = 95,
    max_shared_memory_per_block_optin = 97,
    max_blocks_per_multiprocessor = 106,
    max_persisting_l2_cache_size = 108,
    max_access_policy_window_size = 109,
    reserved_shared_memory_per_block = 111,
    memory_pools_supported = 115,
    cluster_launch = 120,
    mem_sync_domain_count = 126,
    tensor_map_access_supported = 127
};

/// CUfunction_attribute.
enum class function_attribute : int {
    max_threads_per_block = 0,
    shared_size_bytes = 1,
    const_size_bytes = 2,
    local_size_bytes = 3,
    num_regs = 4,
    ptx_version = 5,
    binary_version = 6,
    cache_mode_ca = 7,
    max_dynamic_shared_size_bytes = 8,
    preferred_shared_memory_carveout = 9,
    cluster_size_must_be_set = 10,
    required_cluster_width = 11,
    required_cluster_height = 12,
    required_cluster_depth = 13,
    non_portable_cluster_size_allowed = 14,
    cluster_scheduling_policy_preference = 15
};

/// CUpointer_attribute, those the library reads.
enum class pointer_attribute : int {
    context = 1,
    memory_type = 2,
    device_pointer = 3,
    host_pointer = 4,
    is_managed = 8,
    device_ordinal = 9,
    range_start_address = 11,
    range_size = 12,
    mapped = 13
};

/// CUmemorytype.
enum class memory_type : unsigned { host = 1, device = 2, array = 3, unified = 4 };

/// CUjit_option, those the library passes.
enum class jit_option : unsigned {
    max_registers = 0,
    info_log_buffer = 3,
    info_log_buffer_size_bytes = 4,
    error_log_buffer = 5,
    error_log_buffer_size_bytes = 6,
    optimization_level = 7,
    log_verbose = 12,
    generate_line_info = 13
};

/// CUstreamCaptureMode.
enum class capture_mode : unsigned { global = 0, thread_local_ = 1, relaxed = 2 };

/// CUstreamCaptureStatus.
enum class capture_status : unsigned { none = 0, active = 1, invalidated = 2 };

/// CUlaunchAttributeID.
enum class launch_attribute_id : unsigned {
    ignore = 0,
    access_policy_window = 1,
    cooperative = 2,
    synchronization_policy = 3,
    cluster_dimension = 4,
    cluster_scheduling_policy_preference = 5,
    programmatic_stream_serialization = 6,
    programmatic_event = 7,
    priority = 8,
    mem_sync_domain_map = 9,
    mem_sync_domain = 10,
    preferred_cluster_dimension = 11,
    launch_completion_event = 12,
    device_updatable_kernel_node = 13,
    preferred_shared_memory_carveout = 14,
    nvlink_util_centric_scheduling = 16
};

/// CUaccessProperty.
enum class access_property : unsigned { normal = 0, streaming = 1, persisting = 2 };

/// CUaccessPolicyWindow.
struct access_policy_window {
    void* base_ptr;
    std::size_t num_bytes;
    float hit_ratio;
    access_property hit_prop;
    access_property miss_prop;
};

/// CUlaunchAttributeValue: 64 bytes, whatever the attribute.
union launch_attribute_value {
    char pad[64];
    access_policy_window window;
    int cooperative;
    unsigned synchronization_policy;
    struct {
        unsigned x, y, z;
    } cluster_dim;
    unsigned cluster_scheduling_policy_preference;
    int programmatic_stream_serialization_allowed;
    struct {
        event_handle event;
        int flags;
        int trigger_at_block_start;
    } programmatic_event;
    struct {
        event_handle event;
        int flags;
    } launch_completion_event;
    int priority;
    struct {
        unsigned char default_, remote;
    } mem_sync_domain_map;
    unsigned mem_sync_domain;
    struct {
        unsigned x, y, z;
    } preferred_cluster_dim;
    unsigned shared_mem_carveout;
    unsigned nvlink_util_centric_scheduling;
};

/// CUlaunchAttribute.
struct launch_attribute {
    launch_attribute_id id;
    char pad[8 - sizeof(launch_attribute_id)];
    launch_attribute_value value;
};

/// CUlaunchConfig.
struct launch_config {
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    unsigned shared_bytes;
    stream_handle stream;
    launch_attribute* attributes;
    unsigned attribute_count;
};

/// CUtensorMap: an opaque 128-byte value, passed by value as a __grid_constant__ parameter. 64 is the alignment that
/// cuTensorMapEncodeTiled asks for and that CUDA 12's header gives it; CUDA 13's gives it 128.
struct alignas(64) tensor_map_storage {
    std::uint64_t opaque[16];
};

/// CUlogIterator.
using log_iterator = unsigned;
/// CUoccupancyB2DSize.
using block_size_to_shared = std::size_t(HANABI_CUDAAPI*)(int block_size);
/// CUhostFn.
using host_function = void(HANABI_CUDAAPI*)(void* user_data);

} // namespace hanabi::driver

#endif
