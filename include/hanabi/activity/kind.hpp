// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Kinds of activity: what a record is of.

#ifndef HANABI_ACTIVITY_KIND_HPP
#define HANABI_ACTIVITY_KIND_HPP

#include <cstdint>

/// Every kind of CUPTI 13.0, one line each: X(enumerator, number, "name in <cupti_activity.h>"). A newer library may write
/// records of kinds that are not here: activity_kind holds them all the same, and they have no name.
#define HANABI_ACTIVITY_KINDS(X)                                                                                                           \
    X(invalid, 0, "CUPTI_ACTIVITY_KIND_INVALID")                                                                                           \
    X(memcpy, 1, "CUPTI_ACTIVITY_KIND_MEMCPY")                                                                                             \
    X(memset, 2, "CUPTI_ACTIVITY_KIND_MEMSET")                                                                                             \
    X(kernel, 3, "CUPTI_ACTIVITY_KIND_KERNEL")                                                                                             \
    X(driver, 4, "CUPTI_ACTIVITY_KIND_DRIVER")                                                                                             \
    X(runtime, 5, "CUPTI_ACTIVITY_KIND_RUNTIME")                                                                                           \
    X(event, 6, "CUPTI_ACTIVITY_KIND_EVENT")                                                                                               \
    X(metric, 7, "CUPTI_ACTIVITY_KIND_METRIC")                                                                                             \
    X(device, 8, "CUPTI_ACTIVITY_KIND_DEVICE")                                                                                             \
    X(context, 9, "CUPTI_ACTIVITY_KIND_CONTEXT")                                                                                           \
    X(concurrent_kernel, 10, "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL")                                                                      \
    X(name, 11, "CUPTI_ACTIVITY_KIND_NAME")                                                                                                \
    X(marker, 12, "CUPTI_ACTIVITY_KIND_MARKER")                                                                                            \
    X(marker_data, 13, "CUPTI_ACTIVITY_KIND_MARKER_DATA")                                                                                  \
    X(source_locator, 14, "CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR")                                                                            \
    X(global_access, 15, "CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS")                                                                              \
    X(branch, 16, "CUPTI_ACTIVITY_KIND_BRANCH")                                                                                            \
    X(overhead, 17, "CUPTI_ACTIVITY_KIND_OVERHEAD")                                                                                        \
    X(cdp_kernel, 18, "CUPTI_ACTIVITY_KIND_CDP_KERNEL")                                                                                    \
    X(preemption, 19, "CUPTI_ACTIVITY_KIND_PREEMPTION")                                                                                    \
    X(environment, 20, "CUPTI_ACTIVITY_KIND_ENVIRONMENT")                                                                                  \
    X(event_instance, 21, "CUPTI_ACTIVITY_KIND_EVENT_INSTANCE")                                                                            \
    X(memcpy2, 22, "CUPTI_ACTIVITY_KIND_MEMCPY2")                                                                                          \
    X(metric_instance, 23, "CUPTI_ACTIVITY_KIND_METRIC_INSTANCE")                                                                          \
    X(instruction_execution, 24, "CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION")                                                              \
    X(unified_memory_counter, 25, "CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER")                                                            \
    X(function, 26, "CUPTI_ACTIVITY_KIND_FUNCTION")                                                                                        \
    X(module, 27, "CUPTI_ACTIVITY_KIND_MODULE")                                                                                            \
    X(device_attribute, 28, "CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE")                                                                        \
    X(shared_access, 29, "CUPTI_ACTIVITY_KIND_SHARED_ACCESS")                                                                              \
    X(pc_sampling, 30, "CUPTI_ACTIVITY_KIND_PC_SAMPLING")                                                                                  \
    X(pc_sampling_record_info, 31, "CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO")                                                          \
    X(instruction_correlation, 32, "CUPTI_ACTIVITY_KIND_INSTRUCTION_CORRELATION")                                                          \
    X(openacc_data, 33, "CUPTI_ACTIVITY_KIND_OPENACC_DATA")                                                                                \
    X(openacc_launch, 34, "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH")                                                                            \
    X(openacc_other, 35, "CUPTI_ACTIVITY_KIND_OPENACC_OTHER")                                                                              \
    X(cuda_event, 36, "CUPTI_ACTIVITY_KIND_CUDA_EVENT")                                                                                    \
    X(stream, 37, "CUPTI_ACTIVITY_KIND_STREAM")                                                                                            \
    X(synchronization, 38, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION")                                                                          \
    X(external_correlation, 39, "CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION")                                                                \
    X(nvlink, 40, "CUPTI_ACTIVITY_KIND_NVLINK")                                                                                            \
    X(instantaneous_event, 41, "CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT")                                                                  \
    X(instantaneous_event_instance, 42, "CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT_INSTANCE")                                                \
    X(instantaneous_metric, 43, "CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC")                                                                \
    X(instantaneous_metric_instance, 44, "CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC_INSTANCE")                                              \
    X(memory, 45, "CUPTI_ACTIVITY_KIND_MEMORY")                                                                                            \
    X(pcie, 46, "CUPTI_ACTIVITY_KIND_PCIE")                                                                                                \
    X(openmp, 47, "CUPTI_ACTIVITY_KIND_OPENMP")                                                                                            \
    X(internal_launch_api, 48, "CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API")                                                                  \
    X(memory2, 49, "CUPTI_ACTIVITY_KIND_MEMORY2")                                                                                          \
    X(memory_pool, 50, "CUPTI_ACTIVITY_KIND_MEMORY_POOL")                                                                                  \
    X(graph_trace, 51, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE")                                                                                  \
    X(jit, 52, "CUPTI_ACTIVITY_KIND_JIT")                                                                                                  \
    X(device_graph_trace, 53, "CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE")                                                                    \
    X(mem_decompress, 54, "CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS")                                                                            \
    X(confidential_compute_rotation, 55, "CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION")

namespace hanabi {

/// CUpti_ActivityKind, with the header's values: they pass straight to CUPTI. kernel (3) makes kernels run one at a time;
/// concurrent_kernel (10) does not, and its records are of kind concurrent_kernel too. graph_trace (51) puts one record a
/// graph launch in the place of those of its nodes.
enum class activity_kind : std::uint32_t {
#define HANABI_ACTIVITY_KIND(enumerator, number, name) enumerator = number,
    HANABI_ACTIVITY_KINDS(HANABI_ACTIVITY_KIND)
#undef HANABI_ACTIVITY_KIND
};

/// How many kinds there are in CUPTI 13.0, invalid among them; their numbers are below it.
inline constexpr std::uint32_t activity_kind_count = 56;

/// The enumerator, as text; "unknown" for a number without one. Never null; static storage.
constexpr const char* name_of(activity_kind kind) noexcept {
    switch (kind) {
#define HANABI_ACTIVITY_KIND(enumerator, number, name)                                                                                     \
    case activity_kind::enumerator: return #enumerator;
        HANABI_ACTIVITY_KINDS(HANABI_ACTIVITY_KIND)
#undef HANABI_ACTIVITY_KIND
    }
    return "unknown";
}

} // namespace hanabi

#endif
