// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The driver's entry points about graphs, capture and what lives in graphs: part of HANABI_DRIVER_ENTRIES, whose comment
/// says how to read a line. Where the library needs two ABIs of one entry point, because drivers before CUDA 12.3 have the
/// older one only, there is a line for each: member and member_vN.

#ifndef HANABI_DRIVER_GRAPH_ENTRIES_HPP
#define HANABI_DRIVER_GRAPH_ENTRIES_HPP

#include <hanabi/driver/graph_abi.hpp>

#define HANABI_DRIVER_GRAPH_ENTRIES(X)                                                                                                     \
    X(graph_create, "cuGraphCreate", 10000, required, (graph_handle * graph, unsigned flags))                                              \
    X(graph_destroy, "cuGraphDestroy", 10000, required, (graph_handle graph))                                                              \
    X(graph_destroy_node, "cuGraphDestroyNode", 10000, required, (graph_node_handle node))                                                 \
    X(graph_clone, "cuGraphClone", 10000, required, (graph_handle * clone, graph_handle original))                                         \
    X(graph_node_find_in_clone, "cuGraphNodeFindInClone", 10000, required,                                                                 \
      (graph_node_handle * node, graph_node_handle original, graph_handle clone))                                                          \
    X(graph_add_kernel_node, "cuGraphAddKernelNode", 12000, optional,                                                                      \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, std::size_t count,                             \
       const kernel_node_params* params))                                                                                                  \
    X(graph_add_memcpy_node, "cuGraphAddMemcpyNode", 10000, required,                                                                      \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, std::size_t count, const memcpy_3d* copy,      \
       context_handle context))                                                                                                            \
    X(graph_add_memset_node, "cuGraphAddMemsetNode", 10000, required,                                                                      \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, std::size_t count,                             \
       const memset_node_params* params, context_handle context))                                                                          \
    X(graph_add_host_node, "cuGraphAddHostNode", 10000, required,                                                                          \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, std::size_t count,                             \
       const host_node_params* params))                                                                                                    \
    X(graph_add_child_graph_node, "cuGraphAddChildGraphNode", 10000, required,                                                             \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, std::size_t count, graph_handle child))        \
    X(graph_add_empty_node, "cuGraphAddEmptyNode", 10000, required,                                                                        \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, std::size_t count))                            \
    X(graph_add_event_record_node, "cuGraphAddEventRecordNode", 11010, optional,                                                           \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, std::size_t count, event_handle event))        \
    X(graph_add_event_wait_node, "cuGraphAddEventWaitNode", 11010, optional,                                                               \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, std::size_t count, event_handle event))        \
    X(graph_add_node, "cuGraphAddNode", 12030, optional,                                                                                   \
      (graph_node_handle * node, graph_handle graph, const graph_node_handle* dependencies, const graph_edge_data* edges,                  \
       std::size_t count, graph_node_params* params))                                                                                      \
    X(graph_conditional_handle_create, "cuGraphConditionalHandleCreate", 12030, optional,                                                  \
      (graph_conditional_handle * handle, graph_handle graph, context_handle context, unsigned default_value, unsigned flags))             \
    X(graph_add_dependencies, "cuGraphAddDependencies", 10000, required,                                                                   \
      (graph_handle graph, const graph_node_handle* from, const graph_node_handle* to, std::size_t count))                                 \
    X(graph_add_dependencies_v2, "cuGraphAddDependencies", 12030, optional,                                                                \
      (graph_handle graph, const graph_node_handle* from, const graph_node_handle* to, const graph_edge_data* edges, std::size_t count))   \
    X(graph_get_nodes, "cuGraphGetNodes", 10000, required, (graph_handle graph, graph_node_handle * nodes, std::size_t * count))           \
    X(graph_get_root_nodes, "cuGraphGetRootNodes", 10000, required, (graph_handle graph, graph_node_handle * nodes, std::size_t * count))  \
    X(graph_get_edges, "cuGraphGetEdges", 10000, required,                                                                                 \
      (graph_handle graph, graph_node_handle * from, graph_node_handle * to, std::size_t * count))                                         \
    X(graph_get_edges_v2, "cuGraphGetEdges", 12030, optional,                                                                              \
      (graph_handle graph, graph_node_handle * from, graph_node_handle * to, graph_edge_data * edges, std::size_t * count))                \
    X(graph_node_get_type, "cuGraphNodeGetType", 10000, required, (graph_node_handle node, graph_node_type * type))                        \
    X(graph_node_get_dependencies, "cuGraphNodeGetDependencies", 10000, required,                                                          \
      (graph_node_handle node, graph_node_handle * dependencies, std::size_t * count))                                                     \
    X(graph_node_get_dependencies_v2, "cuGraphNodeGetDependencies", 12030, optional,                                                       \
      (graph_node_handle node, graph_node_handle * dependencies, graph_edge_data * edges, std::size_t * count))                            \
    X(graph_kernel_node_get_params, "cuGraphKernelNodeGetParams", 12000, optional, (graph_node_handle node, kernel_node_params * params))  \
    X(graph_kernel_node_set_params, "cuGraphKernelNodeSetParams", 12000, optional,                                                         \
      (graph_node_handle node, const kernel_node_params* params))                                                                          \
    X(graph_kernel_node_get_attribute, "cuGraphKernelNodeGetAttribute", 11000, required,                                                   \
      (graph_node_handle node, launch_attribute_id id, launch_attribute_value * value))                                                    \
    X(graph_kernel_node_set_attribute, "cuGraphKernelNodeSetAttribute", 11000, required,                                                   \
      (graph_node_handle node, launch_attribute_id id, const launch_attribute_value* value))                                               \
    X(graph_kernel_node_copy_attributes, "cuGraphKernelNodeCopyAttributes", 11000, required,                                               \
      (graph_node_handle destination, graph_node_handle source))                                                                           \
    X(graph_memcpy_node_get_params, "cuGraphMemcpyNodeGetParams", 10000, required, (graph_node_handle node, memcpy_3d * copy))             \
    X(graph_memcpy_node_set_params, "cuGraphMemcpyNodeSetParams", 10000, required, (graph_node_handle node, const memcpy_3d* copy))        \
    X(graph_memset_node_get_params, "cuGraphMemsetNodeGetParams", 10000, required, (graph_node_handle node, memset_node_params * params))  \
    X(graph_memset_node_set_params, "cuGraphMemsetNodeSetParams", 10000, required,                                                         \
      (graph_node_handle node, const memset_node_params* params))                                                                          \
    X(graph_host_node_get_params, "cuGraphHostNodeGetParams", 10000, required, (graph_node_handle node, host_node_params * params))        \
    X(graph_host_node_set_params, "cuGraphHostNodeSetParams", 10000, required, (graph_node_handle node, const host_node_params* params))   \
    X(graph_child_graph_node_get_graph, "cuGraphChildGraphNodeGetGraph", 10000, required, (graph_node_handle node, graph_handle * child))  \
    X(graph_event_record_node_get_event, "cuGraphEventRecordNodeGetEvent", 11010, optional,                                                \
      (graph_node_handle node, event_handle * event))                                                                                      \
    X(graph_event_record_node_set_event, "cuGraphEventRecordNodeSetEvent", 11010, optional, (graph_node_handle node, event_handle event))  \
    X(graph_event_wait_node_get_event, "cuGraphEventWaitNodeGetEvent", 11010, optional, (graph_node_handle node, event_handle * event))    \
    X(graph_event_wait_node_set_event, "cuGraphEventWaitNodeSetEvent", 11010, optional, (graph_node_handle node, event_handle event))      \
    X(graph_instantiate_with_flags, "cuGraphInstantiateWithFlags", 11040, optional,                                                        \
      (graph_exec_handle * exec, graph_handle graph, unsigned long long flags))                                                            \
    X(graph_instantiate_with_params, "cuGraphInstantiateWithParams", 12000, optional,                                                      \
      (graph_exec_handle * exec, graph_handle graph, graph_instantiate_params * params))                                                   \
    X(graph_upload, "cuGraphUpload", 11010, optional, (graph_exec_handle exec, stream_handle stream))                                      \
    X(graph_launch, "cuGraphLaunch", 10000, required, (graph_exec_handle exec, stream_handle stream))                                      \
    X(graph_exec_destroy, "cuGraphExecDestroy", 10000, required, (graph_exec_handle exec))                                                 \
    X(graph_exec_kernel_node_set_params, "cuGraphExecKernelNodeSetParams", 12000, optional,                                                \
      (graph_exec_handle exec, graph_node_handle node, const kernel_node_params* params))                                                  \
    X(graph_exec_memcpy_node_set_params, "cuGraphExecMemcpyNodeSetParams", 10020, required,                                                \
      (graph_exec_handle exec, graph_node_handle node, const memcpy_3d* copy, context_handle context))                                     \
    X(graph_exec_memset_node_set_params, "cuGraphExecMemsetNodeSetParams", 10020, required,                                                \
      (graph_exec_handle exec, graph_node_handle node, const memset_node_params* params, context_handle context))                          \
    X(graph_exec_host_node_set_params, "cuGraphExecHostNodeSetParams", 10020, required,                                                    \
      (graph_exec_handle exec, graph_node_handle node, const host_node_params* params))                                                    \
    X(graph_exec_child_graph_node_set_params, "cuGraphExecChildGraphNodeSetParams", 11010, optional,                                       \
      (graph_exec_handle exec, graph_node_handle node, graph_handle child))                                                                \
    X(graph_exec_event_record_node_set_event, "cuGraphExecEventRecordNodeSetEvent", 11010, optional,                                       \
      (graph_exec_handle exec, graph_node_handle node, event_handle event))                                                                \
    X(graph_exec_event_wait_node_set_event, "cuGraphExecEventWaitNodeSetEvent", 11010, optional,                                           \
      (graph_exec_handle exec, graph_node_handle node, event_handle event))                                                                \
    X(graph_exec_update, "cuGraphExecUpdate", 12000, optional,                                                                             \
      (graph_exec_handle exec, graph_handle graph, graph_exec_update_result_info * info))                                                  \
    X(graph_node_set_enabled, "cuGraphNodeSetEnabled", 11060, optional,                                                                    \
      (graph_exec_handle exec, graph_node_handle node, unsigned enabled))                                                                  \
    X(graph_node_get_enabled, "cuGraphNodeGetEnabled", 11060, optional,                                                                    \
      (graph_exec_handle exec, graph_node_handle node, unsigned* enabled))                                                                 \
    X(graph_node_get_tools_id, "cuGraphNodeGetToolsId", 13010, optional, (graph_node_handle node, unsigned long long* id))                 \
    X(graph_debug_dot_print, "cuGraphDebugDotPrint", 11030, optional, (graph_handle graph, const char* path, unsigned flags))              \
    X(user_object_create, "cuUserObjectCreate", 11030, optional,                                                                           \
      (user_object_handle * object, void* pointer, host_function destroy, unsigned references, unsigned flags))                            \
    X(user_object_retain, "cuUserObjectRetain", 11030, optional, (user_object_handle object, unsigned count))                              \
    X(user_object_release, "cuUserObjectRelease", 11030, optional, (user_object_handle object, unsigned count))                            \
    X(graph_retain_user_object, "cuGraphRetainUserObject", 11030, optional,                                                                \
      (graph_handle graph, user_object_handle object, unsigned count, unsigned flags))                                                     \
    X(graph_release_user_object, "cuGraphReleaseUserObject", 11030, optional,                                                              \
      (graph_handle graph, user_object_handle object, unsigned count))                                                                     \
    X(stream_begin_capture, "cuStreamBeginCapture", 10010, required, (stream_handle stream, capture_mode mode))                            \
    X(stream_begin_capture_to_graph, "cuStreamBeginCaptureToGraph", 12030, optional,                                                       \
      (stream_handle stream, graph_handle graph, const graph_node_handle* dependencies, const graph_edge_data* edges, std::size_t count,   \
       capture_mode mode))                                                                                                                 \
    X(stream_end_capture, "cuStreamEndCapture", 10000, required, (stream_handle stream, graph_handle * graph))                             \
    X(stream_get_capture_info, "cuStreamGetCaptureInfo", 11030, optional,                                                                  \
      (stream_handle stream, capture_status * state, std::uint64_t * id, graph_handle * graph, const graph_node_handle** dependencies,     \
       std::size_t* count))                                                                                                                \
    X(stream_get_capture_info_v3, "cuStreamGetCaptureInfo", 12030, optional,                                                               \
      (stream_handle stream, capture_status * state, std::uint64_t * id, graph_handle * graph, const graph_node_handle** dependencies,     \
       const graph_edge_data** edges, std::size_t* count))                                                                                 \
    X(stream_update_capture_dependencies, "cuStreamUpdateCaptureDependencies", 11030, optional,                                            \
      (stream_handle stream, graph_node_handle * dependencies, std::size_t count, unsigned flags))                                         \
    X(stream_update_capture_dependencies_v2, "cuStreamUpdateCaptureDependencies", 12030, optional,                                         \
      (stream_handle stream, graph_node_handle * dependencies, const graph_edge_data* edges, std::size_t count, unsigned flags))           \
    X(event_record_with_flags, "cuEventRecordWithFlags", 11010, optional, (event_handle event, stream_handle stream, unsigned flags))

#endif
