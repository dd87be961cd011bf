// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The driver table: one function pointer for each driver entry point the library uses. Two things fill one: the loader
/// (hanabi/driver/loader.hpp, from libcuda) and the host driver (hanabi/host.hpp, in process). Everything above calls
/// through a table and can't tell which it has.

#ifndef HANABI_DRIVER_TABLE_HPP
#define HANABI_DRIVER_TABLE_HPP

#include <hanabi/driver/abi.hpp>
#include <hanabi/driver/graph_abi.hpp>
#include <hanabi/driver/graph_entries.hpp>

#include <cstddef>

/// Every entry point, one line each:
///     X(member, "name", version, need, (parameters))
/// - member: the name in driver::table (never the CUDA name: <cuda.h> turns some of those into macros);
/// - name, version: what cuGetProcAddress is asked for. The version picks the ABI, and is the least that has it: a
///   version above the driver's fails outright;
/// - need: required (a driver without it is refused) or optional (null when absent; each use has a fallback or an error
///   naming the entry and the version that brought it).
/// Every entry returns driver::status. The order is the order of driver::entry. Those about graphs and capture are in a header
/// of their own.
#define HANABI_DRIVER_ENTRIES(X)                                                                                                           \
    X(init, "cuInit", 2000, required, (unsigned flags))                                                                                    \
    X(driver_get_version, "cuDriverGetVersion", 2020, required, (int* version))                                                            \
    X(get_error_name, "cuGetErrorName", 6000, required, (status code, const char** text))                                                  \
    X(get_error_string, "cuGetErrorString", 6000, required, (status code, const char** text))                                              \
    X(device_get_count, "cuDeviceGetCount", 2000, required, (int* count))                                                                  \
    X(device_get, "cuDeviceGet", 2000, required, (device_handle * device, int ordinal))                                                    \
    X(device_get_name, "cuDeviceGetName", 2000, required, (char* name, int length, device_handle device))                                  \
    X(device_get_attribute, "cuDeviceGetAttribute", 2000, required, (int* value, device_attribute attribute, device_handle device))        \
    X(device_total_mem, "cuDeviceTotalMem", 3020, required, (std::size_t * bytes, device_handle device))                                   \
    X(device_can_access_peer, "cuDeviceCanAccessPeer", 4000, required, (int* can, device_handle device, device_handle peer))               \
    X(device_primary_ctx_retain, "cuDevicePrimaryCtxRetain", 7000, required, (context_handle * context, device_handle device))             \
    X(device_primary_ctx_release, "cuDevicePrimaryCtxRelease", 11000, required, (device_handle device))                                    \
    X(ctx_create, "cuCtxCreate", 3020, required, (context_handle * context, unsigned flags, device_handle device))                         \
    X(ctx_destroy, "cuCtxDestroy", 4000, required, (context_handle context))                                                               \
    X(ctx_get_current, "cuCtxGetCurrent", 4000, required, (context_handle * context))                                                      \
    X(ctx_set_current, "cuCtxSetCurrent", 4000, required, (context_handle context))                                                        \
    X(ctx_get_device, "cuCtxGetDevice", 2000, required, (device_handle * device))                                                          \
    X(ctx_synchronize, "cuCtxSynchronize", 2000, required, ())                                                                             \
    X(ctx_get_stream_priority_range, "cuCtxGetStreamPriorityRange", 5050, required, (int* least, int* greatest))                           \
    X(ctx_get_id, "cuCtxGetId", 12000, optional, (context_handle context, unsigned long long* id))                                         \
    X(stream_create_with_priority, "cuStreamCreateWithPriority", 5050, required, (stream_handle * stream, unsigned flags, int priority))   \
    X(stream_destroy, "cuStreamDestroy", 4000, required, (stream_handle stream))                                                           \
    X(stream_synchronize, "cuStreamSynchronize", 2000, required, (stream_handle stream))                                                   \
    X(stream_query, "cuStreamQuery", 2000, required, (stream_handle stream))                                                               \
    X(stream_wait_event, "cuStreamWaitEvent", 3020, required, (stream_handle stream, event_handle event, unsigned flags))                  \
    X(stream_get_priority, "cuStreamGetPriority", 5050, required, (stream_handle stream, int* priority))                                   \
    X(stream_get_flags, "cuStreamGetFlags", 5050, required, (stream_handle stream, unsigned* flags))                                       \
    X(stream_get_ctx, "cuStreamGetCtx", 9020, optional, (stream_handle stream, context_handle * context))                                  \
    X(stream_is_capturing, "cuStreamIsCapturing", 10000, optional, (stream_handle stream, capture_status * state))                         \
    X(thread_exchange_stream_capture_mode, "cuThreadExchangeStreamCaptureMode", 10010, optional, (capture_mode * mode))                    \
    X(launch_host_func, "cuLaunchHostFunc", 10000, required, (stream_handle stream, host_function function, void* user_data))              \
    X(event_create, "cuEventCreate", 2000, required, (event_handle * event, unsigned flags))                                               \
    X(event_destroy, "cuEventDestroy", 4000, required, (event_handle event))                                                               \
    X(event_record, "cuEventRecord", 2000, required, (event_handle event, stream_handle stream))                                           \
    X(event_query, "cuEventQuery", 2000, required, (event_handle event))                                                                   \
    X(event_synchronize, "cuEventSynchronize", 2000, required, (event_handle event))                                                       \
    X(event_elapsed_time, "cuEventElapsedTime", 2000, required, (float* milliseconds, event_handle start, event_handle end))               \
    X(mem_get_info, "cuMemGetInfo", 3020, required, (std::size_t * free, std::size_t * total))                                             \
    X(mem_alloc, "cuMemAlloc", 3020, required, (device_address * address, std::size_t bytes))                                              \
    X(mem_free, "cuMemFree", 3020, required, (device_address address))                                                                     \
    X(mem_alloc_async, "cuMemAllocAsync", 11020, optional, (device_address * address, std::size_t bytes, stream_handle stream))            \
    X(mem_free_async, "cuMemFreeAsync", 11020, optional, (device_address address, stream_handle stream))                                   \
    X(mem_host_alloc, "cuMemHostAlloc", 2020, required, (void** address, std::size_t bytes, unsigned flags))                               \
    X(mem_free_host, "cuMemFreeHost", 2000, required, (void* address))                                                                     \
    X(memcpy_htod_async, "cuMemcpyHtoDAsync", 3020, required,                                                                              \
      (device_address destination, const void* source, std::size_t bytes, stream_handle stream))                                           \
    X(memcpy_dtoh_async, "cuMemcpyDtoHAsync", 3020, required,                                                                              \
      (void* destination, device_address source, std::size_t bytes, stream_handle stream))                                                 \
    X(memcpy_dtod_async, "cuMemcpyDtoDAsync", 3020, required,                                                                              \
      (device_address destination, device_address source, std::size_t bytes, stream_handle stream))                                        \
    X(memcpy_peer_async, "cuMemcpyPeerAsync", 4000, required,                                                                              \
      (device_address destination, context_handle destination_context, device_address source, context_handle source_context,               \
       std::size_t bytes, stream_handle stream))                                                                                           \
    X(memset_d8_async, "cuMemsetD8Async", 3020, required,                                                                                  \
      (device_address destination, unsigned char value, std::size_t count, stream_handle stream))                                          \
    X(memset_d16_async, "cuMemsetD16Async", 3020, required,                                                                                \
      (device_address destination, unsigned short value, std::size_t count, stream_handle stream))                                         \
    X(memset_d32_async, "cuMemsetD32Async", 3020, required,                                                                                \
      (device_address destination, unsigned value, std::size_t count, stream_handle stream))                                               \
    X(memset_d2d32_async, "cuMemsetD2D32Async", 3020, required,                                                                            \
      (device_address destination, std::size_t pitch, unsigned value, std::size_t width, std::size_t height, stream_handle stream))        \
    X(pointer_get_attribute, "cuPointerGetAttribute", 4000, required, (void* data, pointer_attribute attribute, device_address address))   \
    X(module_load_data_ex, "cuModuleLoadDataEx", 2010, required,                                                                           \
      (module_handle * module, const void* image, unsigned option_count, jit_option* options, void** values))                              \
    X(module_unload, "cuModuleUnload", 2000, required, (module_handle module))                                                             \
    X(module_get_function, "cuModuleGetFunction", 2000, required, (function_handle * function, module_handle module, const char* name))    \
    X(module_get_global, "cuModuleGetGlobal", 3020, required,                                                                              \
      (device_address * address, std::size_t * bytes, module_handle module, const char* name))                                             \
    X(module_get_function_count, "cuModuleGetFunctionCount", 12040, optional, (unsigned* count, module_handle module))                     \
    X(module_enumerate_functions, "cuModuleEnumerateFunctions", 12040, optional,                                                           \
      (function_handle * functions, unsigned count, module_handle module))                                                                 \
    X(func_get_name, "cuFuncGetName", 12030, optional, (const char** name, function_handle function))                                      \
    X(func_get_param_info, "cuFuncGetParamInfo", 12040, optional,                                                                          \
      (function_handle function, std::size_t index, std::size_t * offset, std::size_t * size))                                             \
    X(func_load, "cuFuncLoad", 12040, optional, (function_handle function))                                                                \
    X(func_get_attribute, "cuFuncGetAttribute", 2020, required, (int* value, function_attribute attribute, function_handle function))      \
    X(func_set_attribute, "cuFuncSetAttribute", 9000, required, (function_handle function, function_attribute attribute, int value))       \
    X(launch_kernel, "cuLaunchKernel", 4000, required,                                                                                     \
      (function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,  \
       unsigned shared_bytes, stream_handle stream, void** parameters, void** extra))                                                      \
    X(launch_kernel_ex, "cuLaunchKernelEx", 11060, optional,                                                                               \
      (const launch_config* config, function_handle function, void** parameters, void** extra))                                            \
    X(occupancy_max_active_blocks_per_multiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050, required,                       \
      (int* blocks, function_handle function, int block_size, std::size_t shared_bytes))                                                   \
    X(occupancy_max_potential_block_size, "cuOccupancyMaxPotentialBlockSize", 6050, required,                                              \
      (int* min_grid_size, int* block_size, function_handle function, block_size_to_shared shared_of_block, std::size_t shared_bytes,      \
       int block_size_limit))                                                                                                              \
    X(occupancy_max_active_clusters, "cuOccupancyMaxActiveClusters", 11070, optional,                                                      \
      (int* clusters, function_handle function, const launch_config* config))                                                              \
    X(tensor_map_encode_tiled, "cuTensorMapEncodeTiled", 12000, optional,                                                                  \
      (tensor_map_storage * map, unsigned data_type, std::uint32_t rank, void* address, const std::uint64_t* dimensions,                   \
       const std::uint64_t* strides, const std::uint32_t* box, const std::uint32_t* element_strides, unsigned interleave,                  \
       unsigned swizzle, unsigned l2_promotion, unsigned out_of_bounds_fill))                                                              \
    X(logs_current, "cuLogsCurrent", 12090, optional, (log_iterator * iterator, unsigned flags))                                           \
    X(logs_dump_to_memory, "cuLogsDumpToMemory", 12090, optional,                                                                          \
      (log_iterator * iterator, char* buffer, std::size_t* size, unsigned flags))                                                          \
    HANABI_DRIVER_GRAPH_ENTRIES(X)

namespace hanabi::driver {

/// The entry points by number, to index per-entry data (fault injection, call counts, what the loader found).
enum class entry : unsigned {
#define HANABI_ENTRY(member, name, version, need, parameters) member,
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
        count_
};

/// How many entry points there are.
inline constexpr std::size_t entry_count = static_cast<std::size_t>(entry::count_);

/// What is known of an entry point without any driver.
struct entry_description {
    const char* name; ///< as cuGetProcAddress wants it, with no _v2
    int version;      ///< least CUDA version whose driver has this ABI, 1000 * major + 10 * minor
    bool optional;
};

/// One description for each entry, in the order of driver::entry.
inline constexpr entry_description entry_descriptions[entry_count] = {
#define HANABI_ENTRY_required false
#define HANABI_ENTRY_optional true
#define HANABI_ENTRY(member, name, version, need, parameters) {name, version, HANABI_ENTRY_##need},
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
#undef HANABI_ENTRY_required
#undef HANABI_ENTRY_optional
};

/// The description of one entry point.
constexpr const entry_description& describe(entry e) noexcept { return entry_descriptions[static_cast<std::size_t>(e)]; }

/// The function pointers, with the driver's C ABI. Objects of it live as long as the process: everything keeps plain
/// pointers to its table. Safe to call from any thread, as the driver is.
struct table {
#define HANABI_ENTRY(member, name, version, need, parameters) status(HANABI_CUDAAPI* member) parameters = nullptr;
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY

    /// Not part of CUDA: tells the driver under which name a module was loaded. Null in libcuda's table. The host driver
    /// picks typed bodies by it, since two modules may define one symbol.
    status(HANABI_CUDAAPI* module_set_label)(module_handle module, const char* label) = nullptr;

    /// Where the table came from, for messages: the library's path, or "host driver".
    const char* origin = "";
    /// True for the host driver's table. For reports and for choosing test data; the library's logic never asks.
    bool is_host = false;
};

} // namespace hanabi::driver

#endif
