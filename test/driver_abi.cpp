// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Every declaration of driver/abi.hpp, driver/status.hpp and driver/table.hpp, and the numbers of tensor_map.hpp, against
/// <cuda.h> and <cudaTypedefs.h>, where those are installed: sizes, offsets, numbers, and each function's parameters at
/// the version that the table asks for. What a header is too old to know is not compared. Needs no macro; the compiler
/// finds the headers or it doesn't.

#define BOOST_TEST_MODULE driver_abi
#include <boost/test/unit_test.hpp>

#include <hanabi/driver/abi.hpp>
#include <hanabi/driver/graph_abi.hpp>
#include <hanabi/driver/loader.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/tensor_map.hpp>

#if __has_include(<cuda.h>) && __has_include(<cudaTypedefs.h>)

#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstddef>
#include <set>
#include <string>
#include <type_traits>

namespace driver = hanabi::driver;

namespace {

template <class A, class B>
struct equivalent;

/// As one is passed where the other is declared: same size, and same kind, enumerations being integers.
template <class A, class B>
constexpr bool value_equivalent() {
    if constexpr (std::is_same_v<A, B>)
        return true;
    else if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>)
        return false; // unequal pointers are left to equivalent
    else if constexpr (std::is_enum_v<A> || std::is_enum_v<B>)
        return sizeof(A) == sizeof(B) && (std::is_enum_v<A> || std::is_integral_v<A>)&&(std::is_enum_v<B> || std::is_integral_v<B>);
    else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>)
        return sizeof(A) == sizeof(B) && std::is_signed_v<A> == std::is_signed_v<B>;
    else if constexpr (!requires { sizeof(A) + sizeof(B); })
        return false; // incomplete, and not the same: two kinds of handle
    else if constexpr ((std::is_class_v<A> && std::is_class_v<B>) || (std::is_union_v<A> && std::is_union_v<B>))
        return sizeof(A) == sizeof(B); // members and alignment are compared one by one below
    else
        return false;
}

template <class A, class B>
struct equivalent : std::bool_constant<value_equivalent<A, B>()> {};
template <class A, class B>
requires(!std::is_same_v<A, B>) struct equivalent<A*, B*>
    : std::bool_constant<std::is_const_v<A> == std::is_const_v<B> && equivalent<std::remove_const_t<A>, std::remove_const_t<B>>::value> {
};
template <class RA, class... A, class RB, class... B>
requires(sizeof...(A) == sizeof...(B)) struct equivalent<RA(A...), RB(B...)>
    : std::bool_constant<equivalent<RA, RB>::value && (equivalent<A, B>::value && ...)> {
};
template <class RA, class... A, class RB, class... B>
requires(sizeof...(A) != sizeof...(B)) struct equivalent<RA(A...), RB(B...)> : std::false_type {
};

// The comparison itself: what it must not let through.
static_assert(equivalent<driver::status(int*, driver::device_attribute), CUresult(int*, CUdevice_attribute)>::value);
static_assert(!equivalent<driver::status(int*), CUresult(unsigned*)>::value);
static_assert(!equivalent<driver::status(const int*), CUresult(int*)>::value);
static_assert(!equivalent<driver::status(int), CUresult(long)>::value);
static_assert(!equivalent<driver::status(int), CUresult(int, int)>::value);
static_assert(!equivalent<driver::status(void*), CUresult(int*)>::value);
static_assert(!equivalent<driver::status(driver::stream_handle), CUresult(CUevent)>::value);
static_assert(!equivalent<driver::status(driver::stream_handle), CUresult(CUstream*)>::value);
static_assert(!equivalent<driver::status(float*), CUresult(int*)>::value);

std::set<driver::entry> compared;

void same_entry(driver::entry e, const char* name, int version) {
    BOOST_TEST(driver::describe(e).name == std::string{name});
    BOOST_TEST(driver::describe(e).version == version);
    compared.insert(e);
}

} // namespace

// Fails to compile if the table's function differs, or if the version is not one of that function's. The names are written
// out again because the preprocessor can't make them out of strings, and should not: <cuda.h> makes macros of some.
#define SAME(member, function, number)                                                                                                     \
    static_assert(equivalent<decltype(driver::table::member), PFN_##function##_v##number>::value, #function " differs from <cuda.h>");     \
    same_entry(driver::entry::member, #function, number)

BOOST_AUTO_TEST_CASE(functions) {
    SAME(init, cuInit, 2000);
    SAME(driver_get_version, cuDriverGetVersion, 2020);
    SAME(get_error_name, cuGetErrorName, 6000);
    SAME(get_error_string, cuGetErrorString, 6000);
    SAME(device_get_count, cuDeviceGetCount, 2000);
    SAME(device_get, cuDeviceGet, 2000);
    SAME(device_get_name, cuDeviceGetName, 2000);
    SAME(device_get_attribute, cuDeviceGetAttribute, 2000);
    SAME(device_total_mem, cuDeviceTotalMem, 3020);
    SAME(device_can_access_peer, cuDeviceCanAccessPeer, 4000);
    SAME(device_primary_ctx_retain, cuDevicePrimaryCtxRetain, 7000);
    SAME(device_primary_ctx_release, cuDevicePrimaryCtxRelease, 11000);
    SAME(ctx_create, cuCtxCreate, 3020);
    SAME(ctx_destroy, cuCtxDestroy, 4000);
    SAME(ctx_get_current, cuCtxGetCurrent, 4000);
    SAME(ctx_set_current, cuCtxSetCurrent, 4000);
    SAME(ctx_get_device, cuCtxGetDevice, 2000);
    SAME(ctx_synchronize, cuCtxSynchronize, 2000);
    SAME(ctx_get_stream_priority_range, cuCtxGetStreamPriorityRange, 5050);
    SAME(stream_create_with_priority, cuStreamCreateWithPriority, 5050);
    SAME(stream_destroy, cuStreamDestroy, 4000);
    SAME(stream_synchronize, cuStreamSynchronize, 2000);
    SAME(stream_query, cuStreamQuery, 2000);
    SAME(stream_wait_event, cuStreamWaitEvent, 3020);
    SAME(stream_get_priority, cuStreamGetPriority, 5050);
    SAME(stream_get_flags, cuStreamGetFlags, 5050);
    SAME(stream_get_ctx, cuStreamGetCtx, 9020);
    SAME(stream_is_capturing, cuStreamIsCapturing, 10000);
    SAME(thread_exchange_stream_capture_mode, cuThreadExchangeStreamCaptureMode, 10010);
    SAME(launch_host_func, cuLaunchHostFunc, 10000);
    SAME(event_create, cuEventCreate, 2000);
    SAME(event_destroy, cuEventDestroy, 4000);
    SAME(event_record, cuEventRecord, 2000);
    SAME(event_query, cuEventQuery, 2000);
    SAME(event_synchronize, cuEventSynchronize, 2000);
    SAME(event_elapsed_time, cuEventElapsedTime, 2000);
    SAME(mem_get_info, cuMemGetInfo, 3020);
    SAME(mem_alloc, cuMemAlloc, 3020);
    SAME(mem_free, cuMemFree, 3020);
    SAME(mem_alloc_async, cuMemAllocAsync, 11020);
    SAME(mem_free_async, cuMemFreeAsync, 11020);
    SAME(mem_host_alloc, cuMemHostAlloc, 2020);
    SAME(mem_free_host, cuMemFreeHost, 2000);
    SAME(memcpy_htod_async, cuMemcpyHtoDAsync, 3020);
    SAME(memcpy_dtoh_async, cuMemcpyDtoHAsync, 3020);
    SAME(memcpy_dtod_async, cuMemcpyDtoDAsync, 3020);
    SAME(memcpy_peer_async, cuMemcpyPeerAsync, 4000);
    SAME(memset_d8_async, cuMemsetD8Async, 3020);
    SAME(memset_d16_async, cuMemsetD16Async, 3020);
    SAME(memset_d32_async, cuMemsetD32Async, 3020);
    SAME(memset_d2d32_async, cuMemsetD2D32Async, 3020);
    SAME(pointer_get_attribute, cuPointerGetAttribute, 4000);
    SAME(module_load_data_ex, cuModuleLoadDataEx, 2010);
    SAME(module_unload, cuModuleUnload, 2000);
    SAME(module_get_function, cuModuleGetFunction, 2000);
    SAME(module_get_global, cuModuleGetGlobal, 3020);
    SAME(func_get_attribute, cuFuncGetAttribute, 2020);
    SAME(func_set_attribute, cuFuncSetAttribute, 9000);
    SAME(launch_kernel, cuLaunchKernel, 4000);
    SAME(occupancy_max_active_blocks_per_multiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050);
    SAME(occupancy_max_potential_block_size, cuOccupancyMaxPotentialBlockSize, 6050);
    SAME(graph_create, cuGraphCreate, 10000);
    SAME(graph_destroy, cuGraphDestroy, 10000);
    SAME(graph_destroy_node, cuGraphDestroyNode, 10000);
    SAME(graph_clone, cuGraphClone, 10000);
    SAME(graph_node_find_in_clone, cuGraphNodeFindInClone, 10000);
    SAME(graph_add_memcpy_node, cuGraphAddMemcpyNode, 10000);
    SAME(graph_add_memset_node, cuGraphAddMemsetNode, 10000);
    SAME(graph_add_host_node, cuGraphAddHostNode, 10000);
    SAME(graph_add_child_graph_node, cuGraphAddChildGraphNode, 10000);
    SAME(graph_add_empty_node, cuGraphAddEmptyNode, 10000);
    SAME(graph_add_dependencies, cuGraphAddDependencies, 10000);
    SAME(graph_get_nodes, cuGraphGetNodes, 10000);
    SAME(graph_get_root_nodes, cuGraphGetRootNodes, 10000);
    SAME(graph_get_edges, cuGraphGetEdges, 10000);
    SAME(graph_node_get_type, cuGraphNodeGetType, 10000);
    SAME(graph_node_get_dependencies, cuGraphNodeGetDependencies, 10000);
    SAME(graph_memcpy_node_get_params, cuGraphMemcpyNodeGetParams, 10000);
    SAME(graph_memcpy_node_set_params, cuGraphMemcpyNodeSetParams, 10000);
    SAME(graph_memset_node_get_params, cuGraphMemsetNodeGetParams, 10000);
    SAME(graph_memset_node_set_params, cuGraphMemsetNodeSetParams, 10000);
    SAME(graph_host_node_get_params, cuGraphHostNodeGetParams, 10000);
    SAME(graph_host_node_set_params, cuGraphHostNodeSetParams, 10000);
    SAME(graph_child_graph_node_get_graph, cuGraphChildGraphNodeGetGraph, 10000);
    SAME(graph_launch, cuGraphLaunch, 10000);
    SAME(graph_exec_destroy, cuGraphExecDestroy, 10000);
    SAME(stream_end_capture, cuStreamEndCapture, 10000);
    SAME(stream_begin_capture, cuStreamBeginCapture, 10010);
    SAME(graph_exec_memcpy_node_set_params, cuGraphExecMemcpyNodeSetParams, 10020);
    SAME(graph_exec_memset_node_set_params, cuGraphExecMemsetNodeSetParams, 10020);
    SAME(graph_exec_host_node_set_params, cuGraphExecHostNodeSetParams, 10020);
    SAME(graph_kernel_node_copy_attributes, cuGraphKernelNodeCopyAttributes, 11000);
    SAME(graph_add_event_record_node, cuGraphAddEventRecordNode, 11010);
    SAME(graph_add_event_wait_node, cuGraphAddEventWaitNode, 11010);
    SAME(graph_event_record_node_get_event, cuGraphEventRecordNodeGetEvent, 11010);
    SAME(graph_event_record_node_set_event, cuGraphEventRecordNodeSetEvent, 11010);
    SAME(graph_event_wait_node_get_event, cuGraphEventWaitNodeGetEvent, 11010);
    SAME(graph_event_wait_node_set_event, cuGraphEventWaitNodeSetEvent, 11010);
    SAME(graph_upload, cuGraphUpload, 11010);
    SAME(graph_exec_child_graph_node_set_params, cuGraphExecChildGraphNodeSetParams, 11010);
    SAME(graph_exec_event_record_node_set_event, cuGraphExecEventRecordNodeSetEvent, 11010);
    SAME(graph_exec_event_wait_node_set_event, cuGraphExecEventWaitNodeSetEvent, 11010);
    SAME(event_record_with_flags, cuEventRecordWithFlags, 11010);
    SAME(graph_debug_dot_print, cuGraphDebugDotPrint, 11030);
    SAME(user_object_create, cuUserObjectCreate, 11030);
    SAME(user_object_retain, cuUserObjectRetain, 11030);
    SAME(user_object_release, cuUserObjectRelease, 11030);
    SAME(graph_retain_user_object, cuGraphRetainUserObject, 11030);
    SAME(graph_release_user_object, cuGraphReleaseUserObject, 11030);
    SAME(stream_get_capture_info, cuStreamGetCaptureInfo, 11030);
    SAME(stream_update_capture_dependencies, cuStreamUpdateCaptureDependencies, 11030);
    SAME(graph_instantiate_with_flags, cuGraphInstantiateWithFlags, 11040);
    SAME(graph_node_set_enabled, cuGraphNodeSetEnabled, 11060);
    SAME(graph_node_get_enabled, cuGraphNodeGetEnabled, 11060);
#if CUDA_VERSION >= 11060
    SAME(launch_kernel_ex, cuLaunchKernelEx, 11060);
#endif
#if CUDA_VERSION >= 11070
    SAME(occupancy_max_active_clusters, cuOccupancyMaxActiveClusters, 11070);
#endif
#if CUDA_VERSION >= 11080
    SAME(graph_kernel_node_get_attribute, cuGraphKernelNodeGetAttribute, 11000);
    SAME(graph_kernel_node_set_attribute, cuGraphKernelNodeSetAttribute, 11000);
#endif
#if CUDA_VERSION >= 12000
    SAME(ctx_get_id, cuCtxGetId, 12000);
    SAME(tensor_map_encode_tiled, cuTensorMapEncodeTiled, 12000);
    SAME(graph_add_kernel_node, cuGraphAddKernelNode, 12000);
    SAME(graph_kernel_node_get_params, cuGraphKernelNodeGetParams, 12000);
    SAME(graph_kernel_node_set_params, cuGraphKernelNodeSetParams, 12000);
    SAME(graph_instantiate_with_params, cuGraphInstantiateWithParams, 12000);
    SAME(graph_exec_kernel_node_set_params, cuGraphExecKernelNodeSetParams, 12000);
    SAME(graph_exec_update, cuGraphExecUpdate, 12000);
#endif
#if CUDA_VERSION >= 12030
    SAME(func_get_name, cuFuncGetName, 12030);
    SAME(graph_add_node, cuGraphAddNode, 12030);
    SAME(graph_conditional_handle_create, cuGraphConditionalHandleCreate, 12030);
    SAME(graph_add_dependencies_v2, cuGraphAddDependencies, 12030);
    SAME(graph_get_edges_v2, cuGraphGetEdges, 12030);
    SAME(graph_node_get_dependencies_v2, cuGraphNodeGetDependencies, 12030);
    SAME(stream_begin_capture_to_graph, cuStreamBeginCaptureToGraph, 12030);
    SAME(stream_get_capture_info_v3, cuStreamGetCaptureInfo, 12030);
    SAME(stream_update_capture_dependencies_v2, cuStreamUpdateCaptureDependencies, 12030);
#endif
#if CUDA_VERSION >= 12040
    SAME(module_get_function_count, cuModuleGetFunctionCount, 12040);
    SAME(module_enumerate_functions, cuModuleEnumerateFunctions, 12040);
    SAME(func_get_param_info, cuFuncGetParamInfo, 12040);
    SAME(func_load, cuFuncLoad, 12040);
#endif
#if CUDA_VERSION >= 12090
    SAME(logs_current, cuLogsCurrent, 12090);
    SAME(logs_dump_to_memory, cuLogsDumpToMemory, 12090);
#endif
#if CUDA_VERSION >= 13010
    SAME(graph_node_get_tools_id, cuGraphNodeGetToolsId, 13010);
#endif
    // A new line of the table needs one here.
    for (std::size_t i = 0; i < driver::entry_count; ++i)
        if (driver::entry_descriptions[i].version <= CUDA_VERSION)
            BOOST_TEST(compared.contains(static_cast<driver::entry>(i)),
                       driver::entry_descriptions[i].name << " is not compared with <cuda.h>");

    static_assert(equivalent<hanabi::detail::get_proc_address_11030, PFN_cuGetProcAddress_v11030>::value);
#if CUDA_VERSION >= 12000
    static_assert(equivalent<hanabi::detail::get_proc_address_12000, PFN_cuGetProcAddress_v12000>::value);
#endif
    static_assert(hanabi::detail::legacy_stream == CU_GET_PROC_ADDRESS_LEGACY_STREAM);
}

// Drivers without cuGetProcAddress: an entry has the suffix if <cuda.h> gives it to the function's plain name, unless that
// came with a later ABI than the table's.
#define SPELLING(name) SPELLING_OF(name)
#define SPELLING_OF(name) #name
BOOST_AUTO_TEST_CASE(exported_names) {
    using hanabi::detail::exported_as_v2;
    const std::set<driver::entry> suffixed = [] {
        std::set<driver::entry> found;
        const auto see = [&found](driver::entry e, const char* spelling) {
            if (std::string{spelling}.ends_with("_v2")) found.insert(e);
        };
        see(driver::entry::device_total_mem, SPELLING(cuDeviceTotalMem));
        see(driver::entry::device_primary_ctx_release, SPELLING(cuDevicePrimaryCtxRelease));
        see(driver::entry::ctx_destroy, SPELLING(cuCtxDestroy));
        see(driver::entry::stream_destroy, SPELLING(cuStreamDestroy));
        see(driver::entry::stream_wait_event, SPELLING(cuStreamWaitEvent));
        see(driver::entry::event_destroy, SPELLING(cuEventDestroy));
        see(driver::entry::event_record, SPELLING(cuEventRecord));
        see(driver::entry::mem_get_info, SPELLING(cuMemGetInfo));
        see(driver::entry::mem_alloc, SPELLING(cuMemAlloc));
        see(driver::entry::mem_free, SPELLING(cuMemFree));
        see(driver::entry::mem_host_alloc, SPELLING(cuMemHostAlloc));
        see(driver::entry::memcpy_htod_async, SPELLING(cuMemcpyHtoDAsync));
        see(driver::entry::memcpy_dtoh_async, SPELLING(cuMemcpyDtoHAsync));
        see(driver::entry::memcpy_dtod_async, SPELLING(cuMemcpyDtoDAsync));
        see(driver::entry::memcpy_peer_async, SPELLING(cuMemcpyPeerAsync));
        see(driver::entry::memset_d8_async, SPELLING(cuMemsetD8Async));
        see(driver::entry::memset_d16_async, SPELLING(cuMemsetD16Async));
        see(driver::entry::memset_d32_async, SPELLING(cuMemsetD32Async));
        see(driver::entry::memset_d2d32_async, SPELLING(cuMemsetD2D32Async));
        see(driver::entry::module_get_global, SPELLING(cuModuleGetGlobal));
        see(driver::entry::launch_kernel, SPELLING(cuLaunchKernel));
        see(driver::entry::graph_create, SPELLING(cuGraphCreate));
        see(driver::entry::graph_launch, SPELLING(cuGraphLaunch));
        see(driver::entry::graph_clone, SPELLING(cuGraphClone));
        see(driver::entry::graph_add_memcpy_node, SPELLING(cuGraphAddMemcpyNode));
        see(driver::entry::graph_add_memset_node, SPELLING(cuGraphAddMemsetNode));
        see(driver::entry::stream_begin_capture, SPELLING(cuStreamBeginCapture));
        see(driver::entry::stream_end_capture, SPELLING(cuStreamEndCapture));
        found.insert(driver::entry::ctx_create); // _v2 from 3.2 to 11.3; <cuda.h> has gone on to _v3 and _v4
        return found;
    }();
    for (std::size_t i = 0; i < driver::entry_count; ++i)
        BOOST_TEST(exported_as_v2(static_cast<driver::entry>(i)) == suffixed.contains(static_cast<driver::entry>(i)),
                   driver::entry_descriptions[i].name);
}

#define SAME_NUMBER(ours, theirs) BOOST_TEST((long)(ours) == (long)(theirs), #ours " is not " #theirs) // handles that are numbers, too

BOOST_AUTO_TEST_CASE(device_attributes) {
    SAME_NUMBER(driver::device_attribute::max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    SAME_NUMBER(driver::device_attribute::max_block_dim_x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
    SAME_NUMBER(driver::device_attribute::max_block_dim_y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
    SAME_NUMBER(driver::device_attribute::max_block_dim_z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
    SAME_NUMBER(driver::device_attribute::max_grid_dim_x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
    SAME_NUMBER(driver::device_attribute::max_grid_dim_y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
    SAME_NUMBER(driver::device_attribute::max_grid_dim_z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
    SAME_NUMBER(driver::device_attribute::max_shared_memory_per_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    SAME_NUMBER(driver::device_attribute::total_constant_memory, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
    SAME_NUMBER(driver::device_attribute::warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    SAME_NUMBER(driver::device_attribute::max_registers_per_block, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    SAME_NUMBER(driver::device_attribute::clock_rate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    SAME_NUMBER(driver::device_attribute::multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    SAME_NUMBER(driver::device_attribute::concurrent_kernels, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
    SAME_NUMBER(driver::device_attribute::pci_bus_id, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
    SAME_NUMBER(driver::device_attribute::pci_device_id, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
    SAME_NUMBER(driver::device_attribute::memory_clock_rate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    SAME_NUMBER(driver::device_attribute::global_memory_bus_width, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    SAME_NUMBER(driver::device_attribute::l2_cache_size, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    SAME_NUMBER(driver::device_attribute::max_threads_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    SAME_NUMBER(driver::device_attribute::unified_addressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
    SAME_NUMBER(driver::device_attribute::compute_capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    SAME_NUMBER(driver::device_attribute::compute_capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    SAME_NUMBER(driver::device_attribute::stream_priorities_supported, CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED);
    SAME_NUMBER(driver::device_attribute::max_shared_memory_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    SAME_NUMBER(driver::device_attribute::max_registers_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    SAME_NUMBER(driver::device_attribute::cooperative_launch, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
    SAME_NUMBER(driver::device_attribute::max_shared_memory_per_block_optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    SAME_NUMBER(driver::device_attribute::max_blocks_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    SAME_NUMBER(driver::device_attribute::max_persisting_l2_cache_size, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
    SAME_NUMBER(driver::device_attribute::max_access_policy_window_size, CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE);
    SAME_NUMBER(driver::device_attribute::reserved_shared_memory_per_block, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    SAME_NUMBER(driver::device_attribute::memory_pools_supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
    SAME_NUMBER(driver::device_attribute::cluster_launch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
#if CUDA_VERSION >= 12000
    SAME_NUMBER(driver::device_attribute::mem_sync_domain_count, CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT);
    SAME_NUMBER(driver::device_attribute::tensor_map_access_supported, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED);
#endif
}

BOOST_AUTO_TEST_CASE(function_attributes) {
    SAME_NUMBER(driver::function_attribute::max_threads_per_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    SAME_NUMBER(driver::function_attribute::shared_size_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    SAME_NUMBER(driver::function_attribute::const_size_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
    SAME_NUMBER(driver::function_attribute::local_size_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    SAME_NUMBER(driver::function_attribute::num_regs, CU_FUNC_ATTRIBUTE_NUM_REGS);
    SAME_NUMBER(driver::function_attribute::ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION);
    SAME_NUMBER(driver::function_attribute::binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    SAME_NUMBER(driver::function_attribute::cache_mode_ca, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
    SAME_NUMBER(driver::function_attribute::max_dynamic_shared_size_bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    SAME_NUMBER(driver::function_attribute::preferred_shared_memory_carveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
    SAME_NUMBER(driver::function_attribute::cluster_size_must_be_set, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET);
    SAME_NUMBER(driver::function_attribute::required_cluster_width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
    SAME_NUMBER(driver::function_attribute::required_cluster_height, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
    SAME_NUMBER(driver::function_attribute::required_cluster_depth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
    SAME_NUMBER(driver::function_attribute::non_portable_cluster_size_allowed, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
    SAME_NUMBER(driver::function_attribute::cluster_scheduling_policy_preference, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
}

BOOST_AUTO_TEST_CASE(pointer_attributes) {
    SAME_NUMBER(driver::pointer_attribute::context, CU_POINTER_ATTRIBUTE_CONTEXT);
    SAME_NUMBER(driver::pointer_attribute::memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
    SAME_NUMBER(driver::pointer_attribute::device_pointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER);
    SAME_NUMBER(driver::pointer_attribute::host_pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER);
    SAME_NUMBER(driver::pointer_attribute::is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED);
    SAME_NUMBER(driver::pointer_attribute::device_ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
    SAME_NUMBER(driver::pointer_attribute::range_start_address, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
    SAME_NUMBER(driver::pointer_attribute::range_size, CU_POINTER_ATTRIBUTE_RANGE_SIZE);
    SAME_NUMBER(driver::pointer_attribute::mapped, CU_POINTER_ATTRIBUTE_MAPPED);
}

BOOST_AUTO_TEST_CASE(memory_types) {
    SAME_NUMBER(driver::memory_type::host, CU_MEMORYTYPE_HOST);
    SAME_NUMBER(driver::memory_type::device, CU_MEMORYTYPE_DEVICE);
    SAME_NUMBER(driver::memory_type::array, CU_MEMORYTYPE_ARRAY);
    SAME_NUMBER(driver::memory_type::unified, CU_MEMORYTYPE_UNIFIED);
}

BOOST_AUTO_TEST_CASE(jit_options) {
    SAME_NUMBER(driver::jit_option::max_registers, CU_JIT_MAX_REGISTERS);
    SAME_NUMBER(driver::jit_option::info_log_buffer, CU_JIT_INFO_LOG_BUFFER);
    SAME_NUMBER(driver::jit_option::info_log_buffer_size_bytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
    SAME_NUMBER(driver::jit_option::error_log_buffer, CU_JIT_ERROR_LOG_BUFFER);
    SAME_NUMBER(driver::jit_option::error_log_buffer_size_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
    SAME_NUMBER(driver::jit_option::optimization_level, CU_JIT_OPTIMIZATION_LEVEL);
    SAME_NUMBER(driver::jit_option::log_verbose, CU_JIT_LOG_VERBOSE);
    SAME_NUMBER(driver::jit_option::generate_line_info, CU_JIT_GENERATE_LINE_INFO);
}

BOOST_AUTO_TEST_CASE(capture_modes) {
    SAME_NUMBER(driver::capture_mode::global, CU_STREAM_CAPTURE_MODE_GLOBAL);
    SAME_NUMBER(driver::capture_mode::thread_local_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    SAME_NUMBER(driver::capture_mode::relaxed, CU_STREAM_CAPTURE_MODE_RELAXED);
}

BOOST_AUTO_TEST_CASE(capture_statuses) {
    SAME_NUMBER(driver::capture_status::none, CU_STREAM_CAPTURE_STATUS_NONE);
    SAME_NUMBER(driver::capture_status::active, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    SAME_NUMBER(driver::capture_status::invalidated, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
}

BOOST_AUTO_TEST_CASE(launch_attribute_ids) {
    SAME_NUMBER(driver::launch_attribute_id::ignore, CU_LAUNCH_ATTRIBUTE_IGNORE);
    SAME_NUMBER(driver::launch_attribute_id::access_policy_window, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
    SAME_NUMBER(driver::launch_attribute_id::cooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
    SAME_NUMBER(driver::launch_attribute_id::synchronization_policy, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY);
    SAME_NUMBER(driver::launch_attribute_id::cluster_dimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    SAME_NUMBER(driver::launch_attribute_id::cluster_scheduling_policy_preference,
                CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
    SAME_NUMBER(driver::launch_attribute_id::programmatic_stream_serialization, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
    SAME_NUMBER(driver::launch_attribute_id::programmatic_event, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT);
    SAME_NUMBER(driver::launch_attribute_id::priority, CU_LAUNCH_ATTRIBUTE_PRIORITY);
#if CUDA_VERSION >= 12000
    SAME_NUMBER(driver::launch_attribute_id::mem_sync_domain_map, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP);
    SAME_NUMBER(driver::launch_attribute_id::mem_sync_domain, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN);
#endif
#if CUDA_VERSION >= 12040
    SAME_NUMBER(driver::launch_attribute_id::launch_completion_event, CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT);
    SAME_NUMBER(driver::launch_attribute_id::device_updatable_kernel_node, CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE);
#endif
#if CUDA_VERSION >= 13000
    SAME_NUMBER(driver::launch_attribute_id::preferred_cluster_dimension, CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION);
    SAME_NUMBER(driver::launch_attribute_id::preferred_shared_memory_carveout, CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
    SAME_NUMBER(driver::launch_attribute_id::nvlink_util_centric_scheduling, CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING);
#endif
}

BOOST_AUTO_TEST_CASE(access_properties) {
    SAME_NUMBER(driver::access_property::normal, CU_ACCESS_PROPERTY_NORMAL);
    SAME_NUMBER(driver::access_property::streaming, CU_ACCESS_PROPERTY_STREAMING);
    SAME_NUMBER(driver::access_property::persisting, CU_ACCESS_PROPERTY_PERSISTING);
}

BOOST_AUTO_TEST_CASE(tensor_map_enumerations) {
#if CUDA_VERSION >= 12000
    SAME_NUMBER(hanabi::tensor_data_type::uint8, CU_TENSOR_MAP_DATA_TYPE_UINT8);
    SAME_NUMBER(hanabi::tensor_data_type::uint16, CU_TENSOR_MAP_DATA_TYPE_UINT16);
    SAME_NUMBER(hanabi::tensor_data_type::uint32, CU_TENSOR_MAP_DATA_TYPE_UINT32);
    SAME_NUMBER(hanabi::tensor_data_type::int32, CU_TENSOR_MAP_DATA_TYPE_INT32);
    SAME_NUMBER(hanabi::tensor_data_type::uint64, CU_TENSOR_MAP_DATA_TYPE_UINT64);
    SAME_NUMBER(hanabi::tensor_data_type::int64, CU_TENSOR_MAP_DATA_TYPE_INT64);
    SAME_NUMBER(hanabi::tensor_data_type::float16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
    SAME_NUMBER(hanabi::tensor_data_type::float32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
    SAME_NUMBER(hanabi::tensor_data_type::float64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
    SAME_NUMBER(hanabi::tensor_data_type::bfloat16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
    SAME_NUMBER(hanabi::tensor_data_type::float32_ftz, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ);
    SAME_NUMBER(hanabi::tensor_data_type::tfloat32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
    SAME_NUMBER(hanabi::tensor_data_type::tfloat32_ftz, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
    SAME_NUMBER(hanabi::tensor_interleave::none, CU_TENSOR_MAP_INTERLEAVE_NONE);
    SAME_NUMBER(hanabi::tensor_interleave::bytes_16, CU_TENSOR_MAP_INTERLEAVE_16B);
    SAME_NUMBER(hanabi::tensor_interleave::bytes_32, CU_TENSOR_MAP_INTERLEAVE_32B);
    SAME_NUMBER(hanabi::tensor_swizzle::none, CU_TENSOR_MAP_SWIZZLE_NONE);
    SAME_NUMBER(hanabi::tensor_swizzle::bytes_32, CU_TENSOR_MAP_SWIZZLE_32B);
    SAME_NUMBER(hanabi::tensor_swizzle::bytes_64, CU_TENSOR_MAP_SWIZZLE_64B);
    SAME_NUMBER(hanabi::tensor_swizzle::bytes_128, CU_TENSOR_MAP_SWIZZLE_128B);
    SAME_NUMBER(hanabi::tensor_l2_promotion::none, CU_TENSOR_MAP_L2_PROMOTION_NONE);
    SAME_NUMBER(hanabi::tensor_l2_promotion::bytes_64, CU_TENSOR_MAP_L2_PROMOTION_L2_64B);
    SAME_NUMBER(hanabi::tensor_l2_promotion::bytes_128, CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
    SAME_NUMBER(hanabi::tensor_l2_promotion::bytes_256, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
    SAME_NUMBER(hanabi::tensor_fill::zero, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    SAME_NUMBER(hanabi::tensor_fill::nan, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
#endif
#if CUDA_VERSION >= 13000
    SAME_NUMBER(hanabi::tensor_data_type::packed_u4_align8, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B);
    SAME_NUMBER(hanabi::tensor_data_type::packed_u4_align16, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B);
    SAME_NUMBER(hanabi::tensor_data_type::packed_u6_align16, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B);
    SAME_NUMBER(hanabi::tensor_swizzle::bytes_128_atom_32, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B);
    SAME_NUMBER(hanabi::tensor_swizzle::bytes_128_atom_32_flip_8, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B);
    SAME_NUMBER(hanabi::tensor_swizzle::bytes_128_atom_64, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B);
#endif
}

BOOST_AUTO_TEST_CASE(flags) {
    SAME_NUMBER(driver::stream_legacy, CU_STREAM_LEGACY);
    SAME_NUMBER(driver::stream_per_thread, CU_STREAM_PER_THREAD);
    SAME_NUMBER(driver::context_flags::automatic, CU_CTX_SCHED_AUTO);
    SAME_NUMBER(driver::context_flags::spin, CU_CTX_SCHED_SPIN);
    SAME_NUMBER(driver::context_flags::yield, CU_CTX_SCHED_YIELD);
    SAME_NUMBER(driver::context_flags::blocking_sync, CU_CTX_SCHED_BLOCKING_SYNC);
    SAME_NUMBER(driver::stream_flags::blocking, CU_STREAM_DEFAULT);
    SAME_NUMBER(driver::stream_flags::non_blocking, CU_STREAM_NON_BLOCKING);
    SAME_NUMBER(driver::event_flags::automatic, CU_EVENT_DEFAULT);
    SAME_NUMBER(driver::event_flags::blocking_sync, CU_EVENT_BLOCKING_SYNC);
    SAME_NUMBER(driver::event_flags::disable_timing, CU_EVENT_DISABLE_TIMING);
    SAME_NUMBER(driver::host_alloc_flags::portable, CU_MEMHOSTALLOC_PORTABLE);
    SAME_NUMBER(driver::host_alloc_flags::device_map, CU_MEMHOSTALLOC_DEVICEMAP);
    SAME_NUMBER(driver::host_alloc_flags::write_combined, CU_MEMHOSTALLOC_WRITECOMBINED);
}

// Names as well as numbers: the name is what messages say.
#define SAME_STATUS(ours, theirs)                                                                                                          \
    SAME_NUMBER(driver::status::ours, theirs);                                                                                             \
    BOOST_TEST(driver::name_of(driver::status::ours) == std::string{#theirs});                                                             \
    seen.insert(driver::status::ours)
BOOST_AUTO_TEST_CASE(statuses) {
    std::set<driver::status> seen;
    SAME_STATUS(success, CUDA_SUCCESS);
    SAME_STATUS(invalid_value, CUDA_ERROR_INVALID_VALUE);
    SAME_STATUS(out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
    SAME_STATUS(not_initialized, CUDA_ERROR_NOT_INITIALIZED);
    SAME_STATUS(deinitialized, CUDA_ERROR_DEINITIALIZED);
    SAME_STATUS(profiler_disabled, CUDA_ERROR_PROFILER_DISABLED);
    SAME_STATUS(profiler_not_initialized, CUDA_ERROR_PROFILER_NOT_INITIALIZED);
    SAME_STATUS(profiler_already_started, CUDA_ERROR_PROFILER_ALREADY_STARTED);
    SAME_STATUS(profiler_already_stopped, CUDA_ERROR_PROFILER_ALREADY_STOPPED);
    SAME_STATUS(stub_library, CUDA_ERROR_STUB_LIBRARY);
    SAME_STATUS(device_unavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
    SAME_STATUS(no_device, CUDA_ERROR_NO_DEVICE);
    SAME_STATUS(invalid_device, CUDA_ERROR_INVALID_DEVICE);
    SAME_STATUS(device_not_licensed, CUDA_ERROR_DEVICE_NOT_LICENSED);
    SAME_STATUS(invalid_image, CUDA_ERROR_INVALID_IMAGE);
    SAME_STATUS(invalid_context, CUDA_ERROR_INVALID_CONTEXT);
    SAME_STATUS(context_already_current, CUDA_ERROR_CONTEXT_ALREADY_CURRENT);
    SAME_STATUS(map_failed, CUDA_ERROR_MAP_FAILED);
    SAME_STATUS(unmap_failed, CUDA_ERROR_UNMAP_FAILED);
    SAME_STATUS(array_is_mapped, CUDA_ERROR_ARRAY_IS_MAPPED);
    SAME_STATUS(already_mapped, CUDA_ERROR_ALREADY_MAPPED);
    SAME_STATUS(no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
    SAME_STATUS(already_acquired, CUDA_ERROR_ALREADY_ACQUIRED);
    SAME_STATUS(not_mapped, CUDA_ERROR_NOT_MAPPED);
    SAME_STATUS(not_mapped_as_array, CUDA_ERROR_NOT_MAPPED_AS_ARRAY);
    SAME_STATUS(not_mapped_as_pointer, CUDA_ERROR_NOT_MAPPED_AS_POINTER);
    SAME_STATUS(ecc_uncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
    SAME_STATUS(unsupported_limit, CUDA_ERROR_UNSUPPORTED_LIMIT);
    SAME_STATUS(context_already_in_use, CUDA_ERROR_CONTEXT_ALREADY_IN_USE);
    SAME_STATUS(peer_access_unsupported, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    SAME_STATUS(invalid_ptx, CUDA_ERROR_INVALID_PTX);
    SAME_STATUS(invalid_graphics_context, CUDA_ERROR_INVALID_GRAPHICS_CONTEXT);
    SAME_STATUS(nvlink_uncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE);
    SAME_STATUS(jit_compiler_not_found, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
    SAME_STATUS(unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    SAME_STATUS(jit_compilation_disabled, CUDA_ERROR_JIT_COMPILATION_DISABLED);
    SAME_STATUS(unsupported_exec_affinity, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
    SAME_STATUS(invalid_source, CUDA_ERROR_INVALID_SOURCE);
    SAME_STATUS(file_not_found, CUDA_ERROR_FILE_NOT_FOUND);
    SAME_STATUS(shared_object_symbol_not_found, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
    SAME_STATUS(shared_object_init_failed, CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    SAME_STATUS(operating_system, CUDA_ERROR_OPERATING_SYSTEM);
    SAME_STATUS(invalid_handle, CUDA_ERROR_INVALID_HANDLE);
    SAME_STATUS(illegal_state, CUDA_ERROR_ILLEGAL_STATE);
    SAME_STATUS(not_found, CUDA_ERROR_NOT_FOUND);
    SAME_STATUS(not_ready, CUDA_ERROR_NOT_READY);
    SAME_STATUS(illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS);
    SAME_STATUS(launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    SAME_STATUS(launch_timeout, CUDA_ERROR_LAUNCH_TIMEOUT);
    SAME_STATUS(launch_incompatible_texturing, CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING);
    SAME_STATUS(peer_access_already_enabled, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    SAME_STATUS(peer_access_not_enabled, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    SAME_STATUS(primary_context_active, CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE);
    SAME_STATUS(context_is_destroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    SAME_STATUS(assert_, CUDA_ERROR_ASSERT);
    SAME_STATUS(too_many_peers, CUDA_ERROR_TOO_MANY_PEERS);
    SAME_STATUS(host_memory_already_registered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    SAME_STATUS(host_memory_not_registered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    SAME_STATUS(hardware_stack_error, CUDA_ERROR_HARDWARE_STACK_ERROR);
    SAME_STATUS(illegal_instruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
    SAME_STATUS(misaligned_address, CUDA_ERROR_MISALIGNED_ADDRESS);
    SAME_STATUS(invalid_address_space, CUDA_ERROR_INVALID_ADDRESS_SPACE);
    SAME_STATUS(invalid_pc, CUDA_ERROR_INVALID_PC);
    SAME_STATUS(launch_failed, CUDA_ERROR_LAUNCH_FAILED);
    SAME_STATUS(cooperative_launch_too_large, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    SAME_STATUS(not_permitted, CUDA_ERROR_NOT_PERMITTED);
    SAME_STATUS(not_supported, CUDA_ERROR_NOT_SUPPORTED);
    SAME_STATUS(system_not_ready, CUDA_ERROR_SYSTEM_NOT_READY);
    SAME_STATUS(system_driver_mismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
    SAME_STATUS(compat_not_supported_on_device, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE);
    SAME_STATUS(mps_connection_failed, CUDA_ERROR_MPS_CONNECTION_FAILED);
    SAME_STATUS(mps_rpc_failure, CUDA_ERROR_MPS_RPC_FAILURE);
    SAME_STATUS(mps_server_not_ready, CUDA_ERROR_MPS_SERVER_NOT_READY);
    SAME_STATUS(mps_max_clients_reached, CUDA_ERROR_MPS_MAX_CLIENTS_REACHED);
    SAME_STATUS(mps_max_connections_reached, CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED);
    SAME_STATUS(mps_client_terminated, CUDA_ERROR_MPS_CLIENT_TERMINATED);
    SAME_STATUS(stream_capture_unsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    SAME_STATUS(stream_capture_invalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    SAME_STATUS(stream_capture_merge, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    SAME_STATUS(stream_capture_unmatched, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    SAME_STATUS(stream_capture_unjoined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    SAME_STATUS(stream_capture_isolation, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    SAME_STATUS(stream_capture_implicit, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    SAME_STATUS(captured_event, CUDA_ERROR_CAPTURED_EVENT);
    SAME_STATUS(stream_capture_wrong_thread, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    SAME_STATUS(timeout, CUDA_ERROR_TIMEOUT);
    SAME_STATUS(graph_exec_update_failure, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    SAME_STATUS(external_device, CUDA_ERROR_EXTERNAL_DEVICE);
    SAME_STATUS(invalid_cluster_size, CUDA_ERROR_INVALID_CLUSTER_SIZE);
    SAME_STATUS(unknown, CUDA_ERROR_UNKNOWN);
#if CUDA_VERSION >= 12000
    SAME_STATUS(cdp_not_supported, CUDA_ERROR_CDP_NOT_SUPPORTED);
    SAME_STATUS(cdp_version_mismatch, CUDA_ERROR_CDP_VERSION_MISMATCH);
#endif
#if CUDA_VERSION >= 12040
    SAME_STATUS(unsupported_devside_sync, CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC);
    SAME_STATUS(lossy_query, CUDA_ERROR_LOSSY_QUERY);
    SAME_STATUS(function_not_loaded, CUDA_ERROR_FUNCTION_NOT_LOADED);
    SAME_STATUS(invalid_resource_type, CUDA_ERROR_INVALID_RESOURCE_TYPE);
    SAME_STATUS(invalid_resource_configuration, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
#endif
#if CUDA_VERSION >= 13000
    SAME_STATUS(call_requires_newer_driver, CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
    SAME_STATUS(contained, CUDA_ERROR_CONTAINED);
    SAME_STATUS(tensor_memory_leak, CUDA_ERROR_TENSOR_MEMORY_LEAK);
    SAME_STATUS(key_rotation, CUDA_ERROR_KEY_ROTATION);
#endif
#if CUDA_VERSION >= 13000
#define HANABI_STATUS(enumerator, number, name, description)                                                                               \
    BOOST_TEST(seen.contains(driver::status::enumerator), name << " is not compared with <cuda.h>");
    HANABI_DRIVER_STATUSES(HANABI_STATUS)
#undef HANABI_STATUS
#endif
}

BOOST_AUTO_TEST_CASE(types) {
    static_assert(std::is_same_v<driver::context_handle, CUcontext>);
    static_assert(std::is_same_v<driver::module_handle, CUmodule>);
    static_assert(std::is_same_v<driver::function_handle, CUfunction>);
    static_assert(std::is_same_v<driver::stream_handle, CUstream>);
    static_assert(std::is_same_v<driver::event_handle, CUevent>);
    static_assert(std::is_same_v<driver::memory_pool_handle, CUmemoryPool>);
    static_assert(std::is_same_v<driver::device_handle, CUdevice>);
    static_assert(std::is_same_v<driver::device_address, CUdeviceptr>);
    static_assert(std::is_same_v<driver::block_size_to_shared, CUoccupancyB2DSize>);
    static_assert(std::is_same_v<driver::host_function, CUhostFn>);
#if CUDA_VERSION >= 12090
    static_assert(std::is_same_v<driver::log_iterator, CUlogIterator>);
#endif
    static_assert(sizeof(driver::status) == sizeof(CUresult));
    BOOST_TEST(sizeof(driver::device_attribute) == sizeof(CUdevice_attribute));
    BOOST_TEST(sizeof(driver::jit_option) == sizeof(CUjit_option));
}

#define SAME_LAYOUT(ours, theirs)                                                                                                          \
    BOOST_TEST(sizeof(driver::ours) == sizeof(theirs));                                                                                    \
    BOOST_TEST(alignof(driver::ours) == alignof(theirs))
#define SAME_MEMBER(ours, member, theirs, their_member)                                                                                    \
    BOOST_TEST(offsetof(driver::ours, member) == offsetof(theirs, their_member), #member " is elsewhere");                                 \
    static_assert(sizeof(driver::ours::member) == sizeof(theirs::their_member))

BOOST_AUTO_TEST_CASE(access_policy_window) {
    SAME_LAYOUT(access_policy_window, CUaccessPolicyWindow);
    SAME_MEMBER(access_policy_window, base_ptr, CUaccessPolicyWindow, base_ptr);
    SAME_MEMBER(access_policy_window, num_bytes, CUaccessPolicyWindow, num_bytes);
    SAME_MEMBER(access_policy_window, hit_ratio, CUaccessPolicyWindow, hitRatio);
    SAME_MEMBER(access_policy_window, hit_prop, CUaccessPolicyWindow, hitProp);
    SAME_MEMBER(access_policy_window, miss_prop, CUaccessPolicyWindow, missProp);
}

#if CUDA_VERSION >= 11080
BOOST_AUTO_TEST_CASE(launch_config) {
    SAME_LAYOUT(launch_config, CUlaunchConfig);
    SAME_MEMBER(launch_config, grid_x, CUlaunchConfig, gridDimX);
    SAME_MEMBER(launch_config, grid_y, CUlaunchConfig, gridDimY);
    SAME_MEMBER(launch_config, grid_z, CUlaunchConfig, gridDimZ);
    SAME_MEMBER(launch_config, block_x, CUlaunchConfig, blockDimX);
    SAME_MEMBER(launch_config, block_y, CUlaunchConfig, blockDimY);
    SAME_MEMBER(launch_config, block_z, CUlaunchConfig, blockDimZ);
    SAME_MEMBER(launch_config, shared_bytes, CUlaunchConfig, sharedMemBytes);
    SAME_MEMBER(launch_config, stream, CUlaunchConfig, hStream);
    SAME_MEMBER(launch_config, attributes, CUlaunchConfig, attrs);
    SAME_MEMBER(launch_config, attribute_count, CUlaunchConfig, numAttrs);
}

BOOST_AUTO_TEST_CASE(launch_attributes) {
    SAME_LAYOUT(launch_attribute, CUlaunchAttribute);
    SAME_MEMBER(launch_attribute, id, CUlaunchAttribute, id);
    SAME_MEMBER(launch_attribute, value, CUlaunchAttribute, value);
    SAME_LAYOUT(launch_attribute_value, CUlaunchAttributeValue);
    SAME_MEMBER(launch_attribute_value, window, CUlaunchAttributeValue, accessPolicyWindow);
    SAME_MEMBER(launch_attribute_value, cooperative, CUlaunchAttributeValue, cooperative);
    SAME_MEMBER(launch_attribute_value, synchronization_policy, CUlaunchAttributeValue, syncPolicy);
    SAME_MEMBER(launch_attribute_value, cluster_dim, CUlaunchAttributeValue, clusterDim);
    SAME_MEMBER(launch_attribute_value, cluster_dim.z, CUlaunchAttributeValue, clusterDim.z);
    SAME_MEMBER(launch_attribute_value, cluster_scheduling_policy_preference, CUlaunchAttributeValue, clusterSchedulingPolicyPreference);
    SAME_MEMBER(launch_attribute_value, programmatic_stream_serialization_allowed, CUlaunchAttributeValue,
                programmaticStreamSerializationAllowed);
    SAME_MEMBER(launch_attribute_value, programmatic_event, CUlaunchAttributeValue, programmaticEvent);
    SAME_MEMBER(launch_attribute_value, programmatic_event.flags, CUlaunchAttributeValue, programmaticEvent.flags);
    SAME_MEMBER(launch_attribute_value, programmatic_event.trigger_at_block_start, CUlaunchAttributeValue,
                programmaticEvent.triggerAtBlockStart);
    SAME_MEMBER(launch_attribute_value, priority, CUlaunchAttributeValue, priority);
#if CUDA_VERSION >= 12000
    SAME_MEMBER(launch_attribute_value, mem_sync_domain_map, CUlaunchAttributeValue, memSyncDomainMap);
    SAME_MEMBER(launch_attribute_value, mem_sync_domain_map.default_, CUlaunchAttributeValue, memSyncDomainMap.default_);
    SAME_MEMBER(launch_attribute_value, mem_sync_domain_map.remote, CUlaunchAttributeValue, memSyncDomainMap.remote);
    SAME_MEMBER(launch_attribute_value, mem_sync_domain, CUlaunchAttributeValue, memSyncDomain);
#endif
#if CUDA_VERSION >= 12040
    SAME_MEMBER(launch_attribute_value, launch_completion_event, CUlaunchAttributeValue, launchCompletionEvent);
    SAME_MEMBER(launch_attribute_value, launch_completion_event.flags, CUlaunchAttributeValue, launchCompletionEvent.flags);
#endif
#if CUDA_VERSION >= 13000
    SAME_MEMBER(launch_attribute_value, preferred_cluster_dim, CUlaunchAttributeValue, preferredClusterDim);
    SAME_MEMBER(launch_attribute_value, preferred_cluster_dim.z, CUlaunchAttributeValue, preferredClusterDim.z);
    SAME_MEMBER(launch_attribute_value, shared_mem_carveout, CUlaunchAttributeValue, sharedMemCarveout);
    SAME_MEMBER(launch_attribute_value, nvlink_util_centric_scheduling, CUlaunchAttributeValue, nvlinkUtilCentricScheduling);
#endif
}
#endif

#if CUDA_VERSION >= 12000
BOOST_AUTO_TEST_CASE(graph_numbers) {
    using type = driver::graph_node_type;
    SAME_NUMBER(type::kernel, CU_GRAPH_NODE_TYPE_KERNEL);
    SAME_NUMBER(type::memcpy, CU_GRAPH_NODE_TYPE_MEMCPY);
    SAME_NUMBER(type::memset, CU_GRAPH_NODE_TYPE_MEMSET);
    SAME_NUMBER(type::host, CU_GRAPH_NODE_TYPE_HOST);
    SAME_NUMBER(type::graph, CU_GRAPH_NODE_TYPE_GRAPH);
    SAME_NUMBER(type::empty, CU_GRAPH_NODE_TYPE_EMPTY);
    SAME_NUMBER(type::wait_event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
    SAME_NUMBER(type::event_record, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
    SAME_NUMBER(type::external_semaphores_signal, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL);
    SAME_NUMBER(type::external_semaphores_wait, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT);
    SAME_NUMBER(type::mem_alloc, CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    SAME_NUMBER(type::mem_free, CU_GRAPH_NODE_TYPE_MEM_FREE);
    SAME_NUMBER(type::batch_mem_op, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    SAME_NUMBER(driver::event_record_external, CU_EVENT_RECORD_EXTERNAL);
    SAME_NUMBER(driver::event_wait_external, CU_EVENT_WAIT_EXTERNAL);
    SAME_NUMBER(driver::graph_instantiate_flags::auto_free_on_launch, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    SAME_NUMBER(driver::graph_instantiate_flags::upload, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD);
    SAME_NUMBER(driver::graph_instantiate_flags::device_launch, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
    SAME_NUMBER(driver::graph_instantiate_flags::use_node_priority, CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY);
    SAME_NUMBER(driver::graph_instantiate_result::success, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    SAME_NUMBER(driver::graph_instantiate_result::error, CUDA_GRAPH_INSTANTIATE_ERROR);
    SAME_NUMBER(driver::graph_instantiate_result::invalid_structure, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
    SAME_NUMBER(driver::graph_instantiate_result::node_operation_not_supported, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED);
    SAME_NUMBER(driver::graph_instantiate_result::multiple_contexts_not_supported, CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED);
    SAME_NUMBER(driver::graph_exec_update_result::success, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    SAME_NUMBER(driver::graph_exec_update_result::error, CU_GRAPH_EXEC_UPDATE_ERROR);
    SAME_NUMBER(driver::graph_exec_update_result::topology_changed, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    SAME_NUMBER(driver::graph_exec_update_result::node_type_changed, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    SAME_NUMBER(driver::graph_exec_update_result::function_changed, CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED);
    SAME_NUMBER(driver::graph_exec_update_result::parameters_changed, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
    SAME_NUMBER(driver::graph_exec_update_result::not_supported, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED);
    SAME_NUMBER(driver::graph_exec_update_result::unsupported_function_change, CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE);
    SAME_NUMBER(driver::graph_exec_update_result::attributes_changed, CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED);
    SAME_NUMBER(driver::graph_debug_dot_flags::verbose, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
    SAME_NUMBER(driver::graph_debug_dot_flags::kernel_node_params, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS);
    SAME_NUMBER(driver::graph_debug_dot_flags::handles, CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES);
    SAME_NUMBER(driver::capture_dependencies_flags::add, CU_STREAM_ADD_CAPTURE_DEPENDENCIES);
    SAME_NUMBER(driver::capture_dependencies_flags::set, CU_STREAM_SET_CAPTURE_DEPENDENCIES);
    SAME_NUMBER(driver::capture_status::none, CU_STREAM_CAPTURE_STATUS_NONE);
    SAME_NUMBER(driver::capture_status::active, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    SAME_NUMBER(driver::capture_status::invalidated, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    SAME_NUMBER(driver::user_object_no_destructor_sync, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    SAME_NUMBER(driver::graph_user_object_move, CU_GRAPH_USER_OBJECT_MOVE);
#if CUDA_VERSION >= 12030
    SAME_NUMBER(driver::graph_kernel_port::completion, CU_GRAPH_KERNEL_NODE_PORT_DEFAULT);
    SAME_NUMBER(driver::graph_kernel_port::programmatic, CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC);
    SAME_NUMBER(driver::graph_kernel_port::launch_order, CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER);
    SAME_NUMBER(driver::graph_dependency_type::full, CU_GRAPH_DEPENDENCY_TYPE_DEFAULT);
    SAME_NUMBER(driver::graph_dependency_type::programmatic, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC);
    SAME_NUMBER(type::conditional, CU_GRAPH_NODE_TYPE_CONDITIONAL);
    SAME_NUMBER(driver::graph_conditional_type::if_, CU_GRAPH_COND_TYPE_IF);
    SAME_NUMBER(driver::graph_conditional_type::while_, CU_GRAPH_COND_TYPE_WHILE);
    SAME_NUMBER(driver::graph_conditional_assign_default, CU_GRAPH_COND_ASSIGN_DEFAULT);
#endif
#if CUDA_VERSION >= 12080
    SAME_NUMBER(driver::graph_conditional_type::switch_, CU_GRAPH_COND_TYPE_SWITCH);
    SAME_NUMBER(driver::graph_instantiate_result::conditional_handle_unused, CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED);
#endif
}

BOOST_AUTO_TEST_CASE(graph_layouts) {
    static_assert(std::is_same_v<driver::graph_handle, CUgraph>);
    static_assert(std::is_same_v<driver::graph_node_handle, CUgraphNode>);
    static_assert(std::is_same_v<driver::graph_exec_handle, CUgraphExec>);
    static_assert(std::is_same_v<driver::user_object_handle, CUuserObject>);
    static_assert(std::is_same_v<driver::kernel_handle, CUkernel>);
    static_assert(std::is_same_v<driver::array_handle, CUarray>);

    SAME_LAYOUT(kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v2);
    SAME_MEMBER(kernel_node_params, function, CUDA_KERNEL_NODE_PARAMS_v2, func);
    SAME_MEMBER(kernel_node_params, grid_x, CUDA_KERNEL_NODE_PARAMS_v2, gridDimX);
    SAME_MEMBER(kernel_node_params, grid_y, CUDA_KERNEL_NODE_PARAMS_v2, gridDimY);
    SAME_MEMBER(kernel_node_params, grid_z, CUDA_KERNEL_NODE_PARAMS_v2, gridDimZ);
    SAME_MEMBER(kernel_node_params, block_x, CUDA_KERNEL_NODE_PARAMS_v2, blockDimX);
    SAME_MEMBER(kernel_node_params, block_y, CUDA_KERNEL_NODE_PARAMS_v2, blockDimY);
    SAME_MEMBER(kernel_node_params, block_z, CUDA_KERNEL_NODE_PARAMS_v2, blockDimZ);
    SAME_MEMBER(kernel_node_params, shared_bytes, CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes);
    SAME_MEMBER(kernel_node_params, parameters, CUDA_KERNEL_NODE_PARAMS_v2, kernelParams);
    SAME_MEMBER(kernel_node_params, extra, CUDA_KERNEL_NODE_PARAMS_v2, extra);
    SAME_MEMBER(kernel_node_params, kernel, CUDA_KERNEL_NODE_PARAMS_v2, kern);
    SAME_MEMBER(kernel_node_params, context, CUDA_KERNEL_NODE_PARAMS_v2, ctx);

    SAME_LAYOUT(memcpy_3d, CUDA_MEMCPY3D);
    SAME_MEMBER(memcpy_3d, source_x_bytes, CUDA_MEMCPY3D, srcXInBytes);
    SAME_MEMBER(memcpy_3d, source_y, CUDA_MEMCPY3D, srcY);
    SAME_MEMBER(memcpy_3d, source_z, CUDA_MEMCPY3D, srcZ);
    SAME_MEMBER(memcpy_3d, source_lod, CUDA_MEMCPY3D, srcLOD);
    SAME_MEMBER(memcpy_3d, source_type, CUDA_MEMCPY3D, srcMemoryType);
    SAME_MEMBER(memcpy_3d, source_host, CUDA_MEMCPY3D, srcHost);
    SAME_MEMBER(memcpy_3d, source_device, CUDA_MEMCPY3D, srcDevice);
    SAME_MEMBER(memcpy_3d, source_array, CUDA_MEMCPY3D, srcArray);
    SAME_MEMBER(memcpy_3d, reserved0, CUDA_MEMCPY3D, reserved0);
    SAME_MEMBER(memcpy_3d, source_pitch, CUDA_MEMCPY3D, srcPitch);
    SAME_MEMBER(memcpy_3d, source_height, CUDA_MEMCPY3D, srcHeight);
    SAME_MEMBER(memcpy_3d, destination_x_bytes, CUDA_MEMCPY3D, dstXInBytes);
    SAME_MEMBER(memcpy_3d, destination_y, CUDA_MEMCPY3D, dstY);
    SAME_MEMBER(memcpy_3d, destination_z, CUDA_MEMCPY3D, dstZ);
    SAME_MEMBER(memcpy_3d, destination_lod, CUDA_MEMCPY3D, dstLOD);
    SAME_MEMBER(memcpy_3d, destination_type, CUDA_MEMCPY3D, dstMemoryType);
    SAME_MEMBER(memcpy_3d, destination_host, CUDA_MEMCPY3D, dstHost);
    SAME_MEMBER(memcpy_3d, destination_device, CUDA_MEMCPY3D, dstDevice);
    SAME_MEMBER(memcpy_3d, destination_array, CUDA_MEMCPY3D, dstArray);
    SAME_MEMBER(memcpy_3d, reserved1, CUDA_MEMCPY3D, reserved1);
    SAME_MEMBER(memcpy_3d, destination_pitch, CUDA_MEMCPY3D, dstPitch);
    SAME_MEMBER(memcpy_3d, destination_height, CUDA_MEMCPY3D, dstHeight);
    SAME_MEMBER(memcpy_3d, width_bytes, CUDA_MEMCPY3D, WidthInBytes);
    SAME_MEMBER(memcpy_3d, height, CUDA_MEMCPY3D, Height);
    SAME_MEMBER(memcpy_3d, depth, CUDA_MEMCPY3D, Depth);

    SAME_LAYOUT(memset_node_params, CUDA_MEMSET_NODE_PARAMS);
    SAME_MEMBER(memset_node_params, destination, CUDA_MEMSET_NODE_PARAMS, dst);
    SAME_MEMBER(memset_node_params, pitch, CUDA_MEMSET_NODE_PARAMS, pitch);
    SAME_MEMBER(memset_node_params, value, CUDA_MEMSET_NODE_PARAMS, value);
    SAME_MEMBER(memset_node_params, element_size, CUDA_MEMSET_NODE_PARAMS, elementSize);
    SAME_MEMBER(memset_node_params, width, CUDA_MEMSET_NODE_PARAMS, width);
    SAME_MEMBER(memset_node_params, height, CUDA_MEMSET_NODE_PARAMS, height);

    SAME_LAYOUT(host_node_params, CUDA_HOST_NODE_PARAMS);
    SAME_MEMBER(host_node_params, function, CUDA_HOST_NODE_PARAMS, fn);
    SAME_MEMBER(host_node_params, user_data, CUDA_HOST_NODE_PARAMS, userData);

    SAME_LAYOUT(graph_instantiate_params, CUDA_GRAPH_INSTANTIATE_PARAMS);
    SAME_MEMBER(graph_instantiate_params, flags, CUDA_GRAPH_INSTANTIATE_PARAMS, flags);
    SAME_MEMBER(graph_instantiate_params, upload_stream, CUDA_GRAPH_INSTANTIATE_PARAMS, hUploadStream);
    SAME_MEMBER(graph_instantiate_params, error_node, CUDA_GRAPH_INSTANTIATE_PARAMS, hErrNode_out);
    SAME_MEMBER(graph_instantiate_params, result, CUDA_GRAPH_INSTANTIATE_PARAMS, result_out);

    SAME_LAYOUT(graph_exec_update_result_info, CUgraphExecUpdateResultInfo);
    SAME_MEMBER(graph_exec_update_result_info, result, CUgraphExecUpdateResultInfo, result);
    SAME_MEMBER(graph_exec_update_result_info, error_node, CUgraphExecUpdateResultInfo, errorNode);
    SAME_MEMBER(graph_exec_update_result_info, error_from_node, CUgraphExecUpdateResultInfo, errorFromNode);
#if CUDA_VERSION >= 12030
    static_assert(std::is_same_v<driver::graph_conditional_handle, CUgraphConditionalHandle> || sizeof(CUgraphConditionalHandle) == 8);
    SAME_LAYOUT(graph_edge_data, CUgraphEdgeData);
    SAME_MEMBER(graph_edge_data, from_port, CUgraphEdgeData, from_port);
    SAME_MEMBER(graph_edge_data, to_port, CUgraphEdgeData, to_port);
    SAME_MEMBER(graph_edge_data, type, CUgraphEdgeData, type);
    SAME_MEMBER(graph_edge_data, reserved, CUgraphEdgeData, reserved);

    SAME_LAYOUT(conditional_node_params, CUDA_CONDITIONAL_NODE_PARAMS);
    SAME_MEMBER(conditional_node_params, handle, CUDA_CONDITIONAL_NODE_PARAMS, handle);
    SAME_MEMBER(conditional_node_params, type, CUDA_CONDITIONAL_NODE_PARAMS, type);
    SAME_MEMBER(conditional_node_params, size, CUDA_CONDITIONAL_NODE_PARAMS, size);
    SAME_MEMBER(conditional_node_params, bodies, CUDA_CONDITIONAL_NODE_PARAMS, phGraph_out);
    SAME_MEMBER(conditional_node_params, context, CUDA_CONDITIONAL_NODE_PARAMS, ctx);

    SAME_LAYOUT(memcpy_node_params, CUDA_MEMCPY_NODE_PARAMS);
    SAME_MEMBER(memcpy_node_params, flags, CUDA_MEMCPY_NODE_PARAMS, flags);
    SAME_MEMBER(memcpy_node_params, context, CUDA_MEMCPY_NODE_PARAMS, copyCtx);
    SAME_MEMBER(memcpy_node_params, copy, CUDA_MEMCPY_NODE_PARAMS, copyParams);
    SAME_LAYOUT(memset_node_params_v2, CUDA_MEMSET_NODE_PARAMS_v2);
    SAME_MEMBER(memset_node_params_v2, context, CUDA_MEMSET_NODE_PARAMS_v2, ctx);

    SAME_LAYOUT(graph_node_params, CUgraphNodeParams);
    SAME_MEMBER(graph_node_params, type, CUgraphNodeParams, type);
    SAME_MEMBER(graph_node_params, reserved1, CUgraphNodeParams, reserved1);
    SAME_MEMBER(graph_node_params, kernel, CUgraphNodeParams, kernel);
    SAME_MEMBER(graph_node_params, copy, CUgraphNodeParams, memcpy);
    SAME_MEMBER(graph_node_params, fill, CUgraphNodeParams, memset);
    SAME_MEMBER(graph_node_params, host, CUgraphNodeParams, host);
    SAME_MEMBER(graph_node_params, event, CUgraphNodeParams, eventRecord.event);
    SAME_MEMBER(graph_node_params, conditional, CUgraphNodeParams, conditional);
    SAME_MEMBER(graph_node_params, reserved2, CUgraphNodeParams, reserved2);
#endif
#if CUDA_VERSION >= 12090
    SAME_LAYOUT(child_graph_node_params, CUDA_CHILD_GRAPH_NODE_PARAMS);
    SAME_MEMBER(child_graph_node_params, ownership, CUDA_CHILD_GRAPH_NODE_PARAMS, ownership);
    SAME_MEMBER(graph_node_params, child, CUgraphNodeParams, graph);
#endif
}
#endif

#if CUDA_VERSION >= 12000
BOOST_AUTO_TEST_CASE(tensor_map) {
    BOOST_TEST(sizeof(driver::tensor_map_storage) == sizeof(CUtensorMap));
    BOOST_TEST(alignof(driver::tensor_map_storage) == 64u); // as cuTensorMapEncodeTiled asks; the header has 64 or, from 13.0 on, 128
    BOOST_TEST(alignof(CUtensorMap) % alignof(driver::tensor_map_storage) == 0u);
}
#endif

#else

BOOST_AUTO_TEST_CASE(skipped_there_is_no_cuda_header) {
    BOOST_TEST_MESSAGE("<cuda.h> is not installed: nothing to compare with");
    BOOST_TEST(hanabi::driver::entry_count > 0u);
}

#endif
