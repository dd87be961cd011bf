// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The types of the driver's graph and capture entries, laid out as <cuda.h> lays them out. test/driver_abi compares every
/// one with <cuda.h> wherever that is installed.

#ifndef HANABI_DRIVER_GRAPH_ABI_HPP
#define HANABI_DRIVER_GRAPH_ABI_HPP

#include <hanabi/driver/abi.hpp>

#include <cstddef>
#include <cstdint>

struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;
struct CUuserObject_st;
struct CUkern_st;
struct CUarray_st;

namespace hanabi::driver {

/// CUgraph. No graph object is thread-safe.
using graph_handle = CUgraph_st*;
/// CUgraphNode.
using graph_node_handle = CUgraphNode_st*;
/// CUgraphExec.
using graph_exec_handle = CUgraphExec_st*;
/// CUuserObject.
using user_object_handle = CUuserObject_st*;
/// CUkernel: the library never has one; it is a member of the parameters below.
using kernel_handle = CUkern_st*;
/// CUarray: the same.
using array_handle = CUarray_st*;
/// CUgraphConditionalHandle.
using graph_conditional_handle = std::uint64_t;

/// CUevent_record_flags and CUevent_wait_flags: in a capture, make a node of the record or wait, in place of a dependency.
/// Invalid outside a capture.
inline constexpr unsigned event_record_external = 0x1;
inline constexpr unsigned event_wait_external = 0x1;

/// CUgraphNodeType.
enum class graph_node_type : unsigned {
    kernel = 0,
    memcpy = 1,
    memset = 2,
    host = 3,
    graph = 4,
    empty = 5,
    wait_event = 6,
    event_record = 7,
    external_semaphores_signal = 8,
    external_semaphores_wait = 9,
    mem_alloc = 10,
    mem_free = 11,
    batch_mem_op = 12,
    conditional = 13
};

/// CUgraphDependencyType.
enum class graph_dependency_type : unsigned { full = 0, programmatic = 1 };

/// CU_GRAPH_KERNEL_NODE_PORT_...: when an edge that leaves a kernel is satisfied.
namespace graph_kernel_port {
inline constexpr unsigned char completion = 0;   ///< the kernel is done
inline constexpr unsigned char programmatic = 1; ///< every block has triggered or exited
inline constexpr unsigned char launch_order = 2; ///< every block has begun
} // namespace graph_kernel_port

/// CUgraphEdgeData. All zero is an ordinary dependency. The other kinds lead from a kernel to a kernel only.
struct graph_edge_data {
    unsigned char from_port;   ///< graph_kernel_port
    unsigned char to_port;     ///< 0
    unsigned char type;        ///< graph_dependency_type
    unsigned char reserved[5]; ///< 0
};

/// CUDA_KERNEL_NODE_PARAMS_v2, and _v3, which is the same. The cluster size is an attribute of the node, as is everything
/// else that a launch attribute says.
struct kernel_node_params {
    function_handle function;
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    unsigned shared_bytes;
    void** parameters; ///< read when the node is made or set: the driver keeps the values
    void** extra;
    kernel_handle kernel;   ///< read only where function is null
    context_handle context; ///< the same
};

/// CUDA_MEMCPY3D_v2.
struct memcpy_3d {
    std::size_t source_x_bytes, source_y, source_z, source_lod;
    memory_type source_type;
    const void* source_host;
    device_address source_device;
    array_handle source_array;
    void* reserved0;
    std::size_t source_pitch, source_height;
    std::size_t destination_x_bytes, destination_y, destination_z, destination_lod;
    memory_type destination_type;
    void* destination_host;
    device_address destination_device;
    array_handle destination_array;
    void* reserved1;
    std::size_t destination_pitch, destination_height;
    std::size_t width_bytes, height, depth; ///< 0 of any is refused in a node
};

/// CUDA_MEMSET_NODE_PARAMS_v1.
struct memset_node_params {
    device_address destination;
    std::size_t pitch; ///< bytes; no matter where height is 1
    unsigned value;
    unsigned element_size; ///< 1, 2 or 4
    std::size_t width;     ///< elements
    std::size_t height;    ///< rows
};

/// CUDA_HOST_NODE_PARAMS_v1, and _v2, which is the same.
struct host_node_params {
    host_function function;
    void* user_data;
};

/// CUgraphConditionalNodeType.
enum class graph_conditional_type : unsigned { if_ = 0, while_ = 1, switch_ = 2 };

/// CU_GRAPH_COND_ASSIGN_DEFAULT: the handle has its default value at the start of each launch.
inline constexpr unsigned graph_conditional_assign_default = 0x1;

/// CUDA_CONDITIONAL_NODE_PARAMS.
struct conditional_node_params {
    graph_conditional_handle handle;
    graph_conditional_type type;
    unsigned size;        ///< bodies: 1 for while, 1 or (since 12.8) 2 for if
    graph_handle* bodies; ///< out: the driver's array of graphs to fill, which lives as long as the node
    context_handle context;
};

/// CUDA_MEMCPY_NODE_PARAMS.
struct memcpy_node_params {
    int flags;
    int reserved;
    context_handle context;
    memcpy_3d copy;
};

/// CUDA_MEMSET_NODE_PARAMS_v2.
struct memset_node_params_v2 {
    memset_node_params fill;
    context_handle context;
};

/// CUDA_CHILD_GRAPH_NODE_PARAMS. The second member came with 12.9; before, it was padding that had to be zero.
struct child_graph_node_params {
    graph_handle graph;
    unsigned ownership; ///< 0: the child is cloned
};

/// CUgraphNodeParams: value-initialise it, set the type and the member for that type.
struct graph_node_params {
    graph_node_type type;
    int reserved0[3];
    union {
        long long reserved1[29]; ///< the first member: {} makes all of them zero
        kernel_node_params kernel;
        memcpy_node_params copy;
        memset_node_params_v2 fill;
        host_node_params host;
        child_graph_node_params child;
        event_handle event; ///< of a record or a wait
        conditional_node_params conditional;
    };
    long long reserved2;
};

/// CUgraphInstantiate_flags.
namespace graph_instantiate_flags {
inline constexpr unsigned long long auto_free_on_launch = 1;
inline constexpr unsigned long long upload = 2; ///< with cuGraphInstantiateWithParams only
inline constexpr unsigned long long device_launch = 4;
inline constexpr unsigned long long use_node_priority = 8;
} // namespace graph_instantiate_flags

/// CUgraphInstantiateResult.
enum class graph_instantiate_result : unsigned {
    success = 0,
    error = 1,
    invalid_structure = 2,
    node_operation_not_supported = 3,
    multiple_contexts_not_supported = 4,
    conditional_handle_unused = 5
};

/// CUDA_GRAPH_INSTANTIATE_PARAMS.
struct graph_instantiate_params {
    std::uint64_t flags;
    stream_handle upload_stream;
    graph_node_handle error_node;    ///< out
    graph_instantiate_result result; ///< out
};

/// CUgraphExecUpdateResult.
enum class graph_exec_update_result : unsigned {
    success = 0,
    error = 1,
    topology_changed = 2,
    node_type_changed = 3,
    function_changed = 4,
    parameters_changed = 5,
    not_supported = 6,
    unsupported_function_change = 7,
    attributes_changed = 8
};

/// CUgraphExecUpdateResultInfo.
struct graph_exec_update_result_info {
    graph_exec_update_result result;
    graph_node_handle error_node;      ///< of the new graph; null when no one node is to blame
    graph_node_handle error_from_node; ///< where an edge is: its other end
};

/// CUgraphDebugDot_flags, those the library passes.
namespace graph_debug_dot_flags {
inline constexpr unsigned verbose = 1u << 0;
inline constexpr unsigned kernel_node_params = 1u << 2;
inline constexpr unsigned handles = 1u << 10;
} // namespace graph_debug_dot_flags

/// CUstreamUpdateCaptureDependencies_flags.
namespace capture_dependencies_flags {
inline constexpr unsigned add = 0x0;
inline constexpr unsigned set = 0x1;
} // namespace capture_dependencies_flags

/// CU_USER_OBJECT_NO_DESTRUCTOR_SYNC: the one flag, and one that must be given. The destructor runs on a thread of the
/// driver's and may make no CUDA call.
inline constexpr unsigned user_object_no_destructor_sync = 1;
/// CU_GRAPH_USER_OBJECT_MOVE: the graph takes the caller's references over.
inline constexpr unsigned graph_user_object_move = 1;

} // namespace hanabi::driver

#endif
