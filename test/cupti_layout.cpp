// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Kinds, offsets, sizes, statuses and function numbers of activity records against <cupti.h>, where it is installed; and
/// records written and read back, with and without the library's own iterator.

#define BOOST_TEST_MODULE cupti_layout
#include <boost/test/unit_test.hpp>

#include <hanabi/cupti.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#if __has_include(<cupti.h>) && __has_include(<cuda.h>)
#include <cupti.h>
#define HANABI_TEST_HAS_CUPTI_H 1
#else
#define HANABI_TEST_HAS_CUPTI_H 0
#endif

namespace cupti = hanabi::cupti;
namespace layout = hanabi::cupti::layout;
using hanabi::activity_kind;
using hanabi::activity_record;

namespace {

/// A record with another number in every field that its kind has.
activity_record sample(activity_kind kind) {
    activity_record r;
    r.kind = kind;
    r.start = 1000;
    r.end = 2500;
    r.correlation = 77;
    switch (kind) {
    case activity_kind::kernel:
    case activity_kind::concurrent_kernel:
        r.name = "_Z4axpyfPKfPfi";
        r.device = 1;
        r.context = 2;
        r.stream = 13;
        for (unsigned i = 0; i < 3; ++i) {
            r.grid[i] = 10 + i;
            r.block[i] = 20 + i;
            r.cluster[i] = 30 + i;
        }
        r.registers = 40;
        r.static_shared = 512;
        r.dynamic_shared = 1024;
        r.shared_executed = 65536;
        r.graph_id = 3;
        r.graph_node_id = (std::uint64_t{3} << 32) | 9;
        r.queued = 900;
        r.submitted = 950;
        r.grid_id = -5;
        break;
    case activity_kind::memcpy:
    case activity_kind::memcpy2:
    case activity_kind::memset:
        r.device = 1;
        r.context = 2;
        r.stream = 13;
        r.bytes = 1u << 20;
        r.destination_kind = 3;
        r.graph_id = 3;
        r.graph_node_id = 4;
        if (kind == activity_kind::memset)
            r.value = 0xab;
        else {
            r.copy_kind = 8;
            r.source_kind = 2;
        }
        break;
    case activity_kind::driver:
    case activity_kind::runtime:
        r.cbid = 307;
        r.process = 4242;
        r.thread = 4243;
        r.result = 700;
        break;
    case activity_kind::external_correlation:
        r.start = r.end = 0;
        r.external_kind = 3;
        r.external_id = 0x123456789abcdefu;
        break;
    case activity_kind::overhead: r.type = 1u << 16; break;
    case activity_kind::synchronization:
        r.type = 3;
        r.context = 2;
        r.stream = 13;
        break;
    case activity_kind::marker:
        r.end = r.start;
        r.correlation = 0;
        r.type = 2;
        r.external_id = 99;
        r.name = "a range";
        break;
    case activity_kind::memory:
        r.correlation = 0;
        r.destination_kind = 3;
        r.address = 0x7f0000000000u;
        r.bytes = 4096;
        r.process = 4242;
        r.device = 1;
        r.context = 2;
        r.name = "table";
        break;
    case activity_kind::memory2:
        r.end = r.start;
        r.type = 2;
        r.destination_kind = 3;
        r.address = 0x7f0000000000u;
        r.bytes = 4096;
        r.process = 4242;
        r.device = 1;
        r.context = 2;
        r.stream = 13;
        r.name = "table";
        break;
    case activity_kind::graph_trace:
        r.device = 1;
        r.context = 2;
        r.stream = 13;
        r.graph_id = 3;
        break;
    default: break;
    }
    return r;
}

bool same(const activity_record& a, const activity_record& b) {
    const auto words = [](const activity_record& r) {
        return std::vector<std::uint64_t>{static_cast<std::uint64_t>(r.kind),
                                          r.correlation,
                                          r.start,
                                          r.end,
                                          r.external_id,
                                          r.external_kind,
                                          r.device,
                                          r.context,
                                          r.stream,
                                          reinterpret_cast<std::uintptr_t>(r.name),
                                          r.grid[0],
                                          r.grid[1],
                                          r.grid[2],
                                          r.block[0],
                                          r.block[1],
                                          r.block[2],
                                          r.cluster[0],
                                          r.cluster[1],
                                          r.cluster[2],
                                          r.registers,
                                          r.static_shared,
                                          r.dynamic_shared,
                                          r.shared_executed,
                                          r.graph_id,
                                          r.graph_node_id,
                                          r.queued,
                                          r.submitted,
                                          static_cast<std::uint64_t>(r.grid_id),
                                          r.bytes,
                                          r.address,
                                          r.copy_kind,
                                          r.source_kind,
                                          r.destination_kind,
                                          r.value,
                                          r.cbid,
                                          r.process,
                                          r.thread,
                                          r.result,
                                          r.type};
    };
    return words(a) == words(b);
}

std::vector<activity_kind> written_kinds() {
    std::vector<activity_kind> all;
    for (std::uint32_t n = 1; n < hanabi::activity_kind_count; ++n)
        if (layout::size_of(static_cast<activity_kind>(n)) != 0) all.push_back(static_cast<activity_kind>(n));
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_record_is_a_plain_value) {
    static_assert(std::is_trivially_copyable_v<activity_record>);
    activity_record r;
    r.start = 10;
    r.end = 25;
    BOOST_TEST(r.duration_ns() == 15u);
    r.end = 4; // clocks of two devices
    BOOST_TEST(r.duration_ns() == 0u);
    BOOST_TEST(r.timed());
    r.end = 0;
    BOOST_TEST(!r.timed());
    BOOST_TEST(r.unfinished());
    r.start = 0;
    r.end = 900;
    BOOST_TEST(!r.timed());
    BOOST_TEST(!r.unfinished());
    r.start = r.end = hanabi::no_timestamp;
    BOOST_TEST(!r.timed());
    r.start = r.end = 1500;
    BOOST_TEST(r.timed());
    BOOST_TEST(r.duration_ns() == 0u);
    BOOST_TEST(std::string{name_of(activity_kind::concurrent_kernel)} == "concurrent_kernel");
    BOOST_TEST(std::string{name_of(static_cast<activity_kind>(1234))} == "unknown");
}

BOOST_AUTO_TEST_CASE(every_kind_is_written_and_read_back) {
    for (const activity_kind kind : written_kinds()) {
        alignas(8) std::byte bytes[256];
        std::memset(bytes, 0x5a, sizeof bytes);
        const activity_record in = sample(kind);
        const std::size_t size = cupti::write_record(in, bytes);
        BOOST_TEST_CONTEXT(name_of(kind)) {
            BOOST_TEST(size == layout::size_of(kind));
            BOOST_TEST((bytes[size] == std::byte{0x5a}));
            BOOST_TEST(same(cupti::to_record({bytes, size}), in));
            BOOST_TEST(layout::required_of(kind) <= size);
            BOOST_TEST(size % 8 == 0u);
        }
    }
    alignas(8) std::byte none[8];
    BOOST_TEST(cupti::write_record(sample(activity_kind::nvlink), none) == 0u);
}

// An older library's records end sooner: fields that it does not have are zero, and nothing behind the record is read.
BOOST_AUTO_TEST_CASE(fields_beyond_the_end_are_zero) {
    alignas(8) std::byte bytes[layout::kernel::size];
    cupti::write_record(sample(activity_kind::concurrent_kernel), bytes);
    const activity_record r = cupti::to_record({bytes, layout::kernel::required});
    BOOST_TEST(r.correlation == 77u);
    BOOST_TEST(r.graph_id == 0u);
    BOOST_TEST(r.graph_node_id == 0u);
    BOOST_TEST(r.cluster[0] == 0u);
    const cupti::kernel_view v{{bytes, sizeof bytes}};
    BOOST_TEST(v.registers() == 40u);
    BOOST_TEST(v.cluster(2) == 32u);
    BOOST_TEST(std::string{v.name()} == "_Z4axpyfPKfPfi");
}

// Needs no GPU and no driver.
BOOST_AUTO_TEST_CASE(the_librarys_iterator_walks_what_is_written) {
    std::error_code code;
    const cupti::library library = cupti::library::load(code);
    if (!library) {
        BOOST_TEST_MESSAGE("there is no libcupti here: " << code.message());
        BOOST_TEST(true);
        return;
    }
    std::vector<std::uint64_t> storage(1024);
    auto* const buffer = reinterpret_cast<std::uint8_t*>(storage.data());
    std::size_t used = 0;
    for (const activity_kind kind : written_kinds()) used += cupti::write_record(sample(kind), reinterpret_cast<std::byte*>(buffer) + used);
    std::byte* record = nullptr;
    std::size_t at = 0;
    for (const activity_kind kind : written_kinds()) {
        BOOST_TEST_CONTEXT(name_of(kind)) {
            BOOST_TEST_REQUIRE((library.functions().activity_get_next_record(buffer, used, &record) == cupti::status::success));
            BOOST_TEST(static_cast<std::size_t>(record - reinterpret_cast<std::byte*>(buffer)) == at);
            if (library.version() >= 130000 && library.version() < 140000) BOOST_TEST(library.record_size(kind) == layout::size_of(kind));
            at += layout::size_of(kind);
        }
        if (library.record_size(kind) != layout::size_of(kind)) return; // another version's records: theirs are longer or shorter
    }
    BOOST_TEST((library.functions().activity_get_next_record(buffer, used, &record) == cupti::status::max_limit_reached));
}

#if HANABI_TEST_HAS_CUPTI_H

// What a header is too old to know is not compared: the newest structs are those of CUDA 13.0.
BOOST_AUTO_TEST_CASE(kinds_and_statuses_are_the_headers) {
#if CUPTI_API_VERSION >= 130000
    // The preprocessor can't make an identifier of a string: the names stand here once more.
#define HANABI_KIND(ours, theirs) static_assert(static_cast<int>(activity_kind::ours) == CUPTI_ACTIVITY_KIND_##theirs)
    HANABI_KIND(invalid, INVALID);
    HANABI_KIND(memcpy, MEMCPY);
    HANABI_KIND(memset, MEMSET);
    HANABI_KIND(kernel, KERNEL);
    HANABI_KIND(driver, DRIVER);
    HANABI_KIND(runtime, RUNTIME);
    HANABI_KIND(event, EVENT);
    HANABI_KIND(metric, METRIC);
    HANABI_KIND(device, DEVICE);
    HANABI_KIND(context, CONTEXT);
    HANABI_KIND(concurrent_kernel, CONCURRENT_KERNEL);
    HANABI_KIND(name, NAME);
    HANABI_KIND(marker, MARKER);
    HANABI_KIND(marker_data, MARKER_DATA);
    HANABI_KIND(source_locator, SOURCE_LOCATOR);
    HANABI_KIND(global_access, GLOBAL_ACCESS);
    HANABI_KIND(branch, BRANCH);
    HANABI_KIND(overhead, OVERHEAD);
    HANABI_KIND(cdp_kernel, CDP_KERNEL);
    HANABI_KIND(preemption, PREEMPTION);
    HANABI_KIND(environment, ENVIRONMENT);
    HANABI_KIND(event_instance, EVENT_INSTANCE);
    HANABI_KIND(memcpy2, MEMCPY2);
    HANABI_KIND(metric_instance, METRIC_INSTANCE);
    HANABI_KIND(instruction_execution, INSTRUCTION_EXECUTION);
    HANABI_KIND(unified_memory_counter, UNIFIED_MEMORY_COUNTER);
    HANABI_KIND(function, FUNCTION);
    HANABI_KIND(module, MODULE);
    HANABI_KIND(device_attribute, DEVICE_ATTRIBUTE);
    HANABI_KIND(shared_access, SHARED_ACCESS);
    HANABI_KIND(pc_sampling, PC_SAMPLING);
    HANABI_KIND(pc_sampling_record_info, PC_SAMPLING_RECORD_INFO);
    HANABI_KIND(instruction_correlation, INSTRUCTION_CORRELATION);
    HANABI_KIND(openacc_data, OPENACC_DATA);
    HANABI_KIND(openacc_launch, OPENACC_LAUNCH);
    HANABI_KIND(openacc_other, OPENACC_OTHER);
    HANABI_KIND(cuda_event, CUDA_EVENT);
    HANABI_KIND(stream, STREAM);
    HANABI_KIND(synchronization, SYNCHRONIZATION);
    HANABI_KIND(external_correlation, EXTERNAL_CORRELATION);
    HANABI_KIND(nvlink, NVLINK);
    HANABI_KIND(instantaneous_event, INSTANTANEOUS_EVENT);
    HANABI_KIND(instantaneous_event_instance, INSTANTANEOUS_EVENT_INSTANCE);
    HANABI_KIND(instantaneous_metric, INSTANTANEOUS_METRIC);
    HANABI_KIND(instantaneous_metric_instance, INSTANTANEOUS_METRIC_INSTANCE);
    HANABI_KIND(memory, MEMORY);
    HANABI_KIND(pcie, PCIE);
    HANABI_KIND(openmp, OPENMP);
    HANABI_KIND(internal_launch_api, INTERNAL_LAUNCH_API);
    HANABI_KIND(memory2, MEMORY2);
    HANABI_KIND(memory_pool, MEMORY_POOL);
    HANABI_KIND(graph_trace, GRAPH_TRACE);
    HANABI_KIND(jit, JIT);
    HANABI_KIND(device_graph_trace, DEVICE_GRAPH_TRACE);
    HANABI_KIND(mem_decompress, MEM_DECOMPRESS);
    HANABI_KIND(confidential_compute_rotation, CONFIDENTIAL_COMPUTE_ROTATION);
#undef HANABI_KIND
#define HANABI_RESULT(ours, theirs)                                                                                                        \
    static_assert(static_cast<int>(cupti::status::ours) == CUPTI_##theirs);                                                                \
    BOOST_TEST(std::string{name_of(cupti::status::ours)} == "CUPTI_" #theirs)
    HANABI_RESULT(success, SUCCESS);
    HANABI_RESULT(invalid_parameter, ERROR_INVALID_PARAMETER);
    HANABI_RESULT(invalid_device, ERROR_INVALID_DEVICE);
    HANABI_RESULT(invalid_context, ERROR_INVALID_CONTEXT);
    HANABI_RESULT(invalid_event_domain_id, ERROR_INVALID_EVENT_DOMAIN_ID);
    HANABI_RESULT(invalid_event_id, ERROR_INVALID_EVENT_ID);
    HANABI_RESULT(invalid_event_name, ERROR_INVALID_EVENT_NAME);
    HANABI_RESULT(invalid_operation, ERROR_INVALID_OPERATION);
    HANABI_RESULT(out_of_memory, ERROR_OUT_OF_MEMORY);
    HANABI_RESULT(hardware, ERROR_HARDWARE);
    HANABI_RESULT(parameter_size_not_sufficient, ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    HANABI_RESULT(api_not_implemented, ERROR_API_NOT_IMPLEMENTED);
    HANABI_RESULT(max_limit_reached, ERROR_MAX_LIMIT_REACHED);
    HANABI_RESULT(not_ready, ERROR_NOT_READY);
    HANABI_RESULT(not_compatible, ERROR_NOT_COMPATIBLE);
    HANABI_RESULT(not_initialized, ERROR_NOT_INITIALIZED);
    HANABI_RESULT(invalid_metric_id, ERROR_INVALID_METRIC_ID);
    HANABI_RESULT(invalid_metric_name, ERROR_INVALID_METRIC_NAME);
    HANABI_RESULT(queue_empty, ERROR_QUEUE_EMPTY);
    HANABI_RESULT(invalid_handle, ERROR_INVALID_HANDLE);
    HANABI_RESULT(invalid_stream, ERROR_INVALID_STREAM);
    HANABI_RESULT(invalid_kind, ERROR_INVALID_KIND);
    HANABI_RESULT(invalid_event_value, ERROR_INVALID_EVENT_VALUE);
    HANABI_RESULT(disabled, ERROR_DISABLED);
    HANABI_RESULT(invalid_module, ERROR_INVALID_MODULE);
    HANABI_RESULT(invalid_metric_value, ERROR_INVALID_METRIC_VALUE);
    HANABI_RESULT(hardware_busy, ERROR_HARDWARE_BUSY);
    HANABI_RESULT(not_supported, ERROR_NOT_SUPPORTED);
    HANABI_RESULT(um_profiling_not_supported, ERROR_UM_PROFILING_NOT_SUPPORTED);
    HANABI_RESULT(um_profiling_not_supported_on_device, ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE);
    HANABI_RESULT(um_profiling_not_supported_on_non_p2p_devices, ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES);
    HANABI_RESULT(um_profiling_not_supported_with_mps, ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS);
    HANABI_RESULT(cdp_tracing_not_supported, ERROR_CDP_TRACING_NOT_SUPPORTED);
    HANABI_RESULT(virtualized_device_not_supported, ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
    HANABI_RESULT(cuda_compiler_not_compatible, ERROR_CUDA_COMPILER_NOT_COMPATIBLE);
    HANABI_RESULT(insufficient_privileges, ERROR_INSUFFICIENT_PRIVILEGES);
    HANABI_RESULT(old_profiler_api_initialized, ERROR_OLD_PROFILER_API_INITIALIZED);
    HANABI_RESULT(openacc_undefined_routine, ERROR_OPENACC_UNDEFINED_ROUTINE);
    HANABI_RESULT(legacy_profiler_not_supported, ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
    HANABI_RESULT(multiple_subscribers_not_supported, ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    HANABI_RESULT(virtualized_device_insufficient_privileges, ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
    HANABI_RESULT(confidential_computing_not_supported, ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
    HANABI_RESULT(cmp_device_not_supported, ERROR_CMP_DEVICE_NOT_SUPPORTED);
    HANABI_RESULT(mig_device_not_supported, ERROR_MIG_DEVICE_NOT_SUPPORTED);
    HANABI_RESULT(sli_device_not_supported, ERROR_SLI_DEVICE_NOT_SUPPORTED);
    HANABI_RESULT(wsl_device_not_supported, ERROR_WSL_DEVICE_NOT_SUPPORTED);
    HANABI_RESULT(invalid_chip_name, ERROR_INVALID_CHIP_NAME);
    HANABI_RESULT(unknown, ERROR_UNKNOWN);
#undef HANABI_RESULT
    BOOST_TEST(static_cast<std::uint32_t>(CUPTI_ACTIVITY_KIND_COUNT) == hanabi::activity_kind_count);
#endif
}

#define HANABI_AT(where, Struct, field) static_assert(where == offsetof(Struct, field), #where)

#if CUPTI_API_VERSION >= 130000
HANABI_AT(layout::kernel::registers, CUpti_ActivityKernel10, registersPerThread);
HANABI_AT(layout::kernel::start, CUpti_ActivityKernel10, start);
HANABI_AT(layout::kernel::end, CUpti_ActivityKernel10, end);
HANABI_AT(layout::kernel::device, CUpti_ActivityKernel10, deviceId);
HANABI_AT(layout::kernel::context, CUpti_ActivityKernel10, contextId);
HANABI_AT(layout::kernel::stream, CUpti_ActivityKernel10, streamId);
HANABI_AT(layout::kernel::grid, CUpti_ActivityKernel10, gridX);
HANABI_AT(layout::kernel::block, CUpti_ActivityKernel10, blockX);
HANABI_AT(layout::kernel::static_shared, CUpti_ActivityKernel10, staticSharedMemory);
HANABI_AT(layout::kernel::dynamic_shared, CUpti_ActivityKernel10, dynamicSharedMemory);
HANABI_AT(layout::kernel::correlation, CUpti_ActivityKernel10, correlationId);
HANABI_AT(layout::kernel::grid_id, CUpti_ActivityKernel10, gridId);
HANABI_AT(layout::kernel::name, CUpti_ActivityKernel10, name);
HANABI_AT(layout::kernel::launch, CUpti_ActivityKernel10, reserved0);
HANABI_AT(layout::kernel::queued, CUpti_ActivityKernel10, queued);
HANABI_AT(layout::kernel::submitted, CUpti_ActivityKernel10, submitted);
HANABI_AT(layout::kernel::shared_executed, CUpti_ActivityKernel10, sharedMemoryExecuted);
HANABI_AT(layout::kernel::graph_node_id, CUpti_ActivityKernel10, graphNodeId);
HANABI_AT(layout::kernel::graph_id, CUpti_ActivityKernel10, graphId);
HANABI_AT(layout::kernel::cluster, CUpti_ActivityKernel10, clusterX);
static_assert(layout::kernel::size == sizeof(CUpti_ActivityKernel10));
static_assert(layout::kernel::required == offsetof(CUpti_ActivityKernel4, sharedMemoryExecuted) + 4);
#define HANABI_COPY(Place, Struct)                                                                                                         \
    HANABI_AT(layout::Place::copy_kind, Struct, copyKind);                                                                                 \
    HANABI_AT(layout::Place::source_kind, Struct, srcKind);                                                                                \
    HANABI_AT(layout::Place::destination_kind, Struct, dstKind);                                                                           \
    HANABI_AT(layout::Place::bytes, Struct, bytes);                                                                                        \
    HANABI_AT(layout::Place::start, Struct, start);                                                                                        \
    HANABI_AT(layout::Place::end, Struct, end);                                                                                            \
    HANABI_AT(layout::Place::device, Struct, deviceId);                                                                                    \
    HANABI_AT(layout::Place::context, Struct, contextId);                                                                                  \
    HANABI_AT(layout::Place::stream, Struct, streamId);                                                                                    \
    HANABI_AT(layout::Place::correlation, Struct, correlationId);                                                                          \
    HANABI_AT(layout::Place::graph_node_id, Struct, graphNodeId);                                                                          \
    HANABI_AT(layout::Place::graph_id, Struct, graphId);                                                                                   \
    static_assert(layout::Place::size == sizeof(Struct))
HANABI_COPY(copy, CUpti_ActivityMemcpy6);
HANABI_COPY(peer_copy, CUpti_ActivityMemcpyPtoP4);
HANABI_AT(layout::peer_copy::source_device, CUpti_ActivityMemcpyPtoP4, srcDeviceId);
HANABI_AT(layout::peer_copy::destination_device, CUpti_ActivityMemcpyPtoP4, dstDeviceId);
HANABI_AT(layout::fill::value, CUpti_ActivityMemset4, value);
HANABI_AT(layout::fill::bytes, CUpti_ActivityMemset4, bytes);
HANABI_AT(layout::fill::start, CUpti_ActivityMemset4, start);
HANABI_AT(layout::fill::end, CUpti_ActivityMemset4, end);
HANABI_AT(layout::fill::device, CUpti_ActivityMemset4, deviceId);
HANABI_AT(layout::fill::context, CUpti_ActivityMemset4, contextId);
HANABI_AT(layout::fill::stream, CUpti_ActivityMemset4, streamId);
HANABI_AT(layout::fill::correlation, CUpti_ActivityMemset4, correlationId);
HANABI_AT(layout::fill::memory_kind, CUpti_ActivityMemset4, memoryKind);
HANABI_AT(layout::fill::graph_node_id, CUpti_ActivityMemset4, graphNodeId);
HANABI_AT(layout::fill::graph_id, CUpti_ActivityMemset4, graphId);
static_assert(layout::fill::size == sizeof(CUpti_ActivityMemset4));
HANABI_AT(layout::api::cbid, CUpti_ActivityAPI, cbid);
HANABI_AT(layout::api::start, CUpti_ActivityAPI, start);
HANABI_AT(layout::api::end, CUpti_ActivityAPI, end);
HANABI_AT(layout::api::process, CUpti_ActivityAPI, processId);
HANABI_AT(layout::api::thread, CUpti_ActivityAPI, threadId);
HANABI_AT(layout::api::correlation, CUpti_ActivityAPI, correlationId);
HANABI_AT(layout::api::result, CUpti_ActivityAPI, returnValue);
static_assert(layout::api::size == sizeof(CUpti_ActivityAPI));
HANABI_AT(layout::external::external_kind, CUpti_ActivityExternalCorrelation, externalKind);
HANABI_AT(layout::external::external_id, CUpti_ActivityExternalCorrelation, externalId);
HANABI_AT(layout::external::correlation, CUpti_ActivityExternalCorrelation, correlationId);
static_assert(layout::external::size == sizeof(CUpti_ActivityExternalCorrelation));
HANABI_AT(layout::overhead::type, CUpti_ActivityOverhead3, overheadKind);
HANABI_AT(layout::overhead::start, CUpti_ActivityOverhead3, start);
HANABI_AT(layout::overhead::end, CUpti_ActivityOverhead3, end);
HANABI_AT(layout::overhead::correlation, CUpti_ActivityOverhead3, correlationId);
static_assert(layout::overhead::size == sizeof(CUpti_ActivityOverhead3));
HANABI_AT(layout::synchronization::type, CUpti_ActivitySynchronization2, type);
HANABI_AT(layout::synchronization::start, CUpti_ActivitySynchronization2, start);
HANABI_AT(layout::synchronization::end, CUpti_ActivitySynchronization2, end);
HANABI_AT(layout::synchronization::correlation, CUpti_ActivitySynchronization2, correlationId);
HANABI_AT(layout::synchronization::context, CUpti_ActivitySynchronization2, contextId);
HANABI_AT(layout::synchronization::stream, CUpti_ActivitySynchronization2, streamId);
HANABI_AT(layout::synchronization::event, CUpti_ActivitySynchronization2, cudaEventId);
HANABI_AT(layout::synchronization::result, CUpti_ActivitySynchronization2, returnValue);
static_assert(layout::synchronization::size == sizeof(CUpti_ActivitySynchronization2));
HANABI_AT(layout::marker::flags, CUpti_ActivityMarker2, flags);
HANABI_AT(layout::marker::time, CUpti_ActivityMarker2, timestamp);
HANABI_AT(layout::marker::id, CUpti_ActivityMarker2, id);
HANABI_AT(layout::marker::name, CUpti_ActivityMarker2, name);
HANABI_AT(layout::marker::domain, CUpti_ActivityMarker2, domain);
static_assert(layout::marker::size == sizeof(CUpti_ActivityMarker2));
HANABI_AT(layout::memory::memory_kind, CUpti_ActivityMemory, memoryKind);
HANABI_AT(layout::memory::address, CUpti_ActivityMemory, address);
HANABI_AT(layout::memory::bytes, CUpti_ActivityMemory, bytes);
HANABI_AT(layout::memory::start, CUpti_ActivityMemory, start);
HANABI_AT(layout::memory::end, CUpti_ActivityMemory, end);
HANABI_AT(layout::memory::process, CUpti_ActivityMemory, processId);
HANABI_AT(layout::memory::device, CUpti_ActivityMemory, deviceId);
HANABI_AT(layout::memory::context, CUpti_ActivityMemory, contextId);
HANABI_AT(layout::memory::name, CUpti_ActivityMemory, name);
static_assert(layout::memory::size == sizeof(CUpti_ActivityMemory));
HANABI_AT(layout::memory_operation::operation, CUpti_ActivityMemory4, memoryOperationType);
HANABI_AT(layout::memory_operation::memory_kind, CUpti_ActivityMemory4, memoryKind);
HANABI_AT(layout::memory_operation::correlation, CUpti_ActivityMemory4, correlationId);
HANABI_AT(layout::memory_operation::address, CUpti_ActivityMemory4, address);
HANABI_AT(layout::memory_operation::bytes, CUpti_ActivityMemory4, bytes);
HANABI_AT(layout::memory_operation::time, CUpti_ActivityMemory4, timestamp);
HANABI_AT(layout::memory_operation::process, CUpti_ActivityMemory4, processId);
HANABI_AT(layout::memory_operation::device, CUpti_ActivityMemory4, deviceId);
HANABI_AT(layout::memory_operation::context, CUpti_ActivityMemory4, contextId);
HANABI_AT(layout::memory_operation::stream, CUpti_ActivityMemory4, streamId);
HANABI_AT(layout::memory_operation::name, CUpti_ActivityMemory4, name);
static_assert(layout::memory_operation::size == sizeof(CUpti_ActivityMemory4));
HANABI_AT(layout::graph_trace::correlation, CUpti_ActivityGraphTrace2, correlationId);
HANABI_AT(layout::graph_trace::start, CUpti_ActivityGraphTrace2, start);
HANABI_AT(layout::graph_trace::end, CUpti_ActivityGraphTrace2, end);
HANABI_AT(layout::graph_trace::device, CUpti_ActivityGraphTrace2, deviceId);
HANABI_AT(layout::graph_trace::graph_id, CUpti_ActivityGraphTrace2, graphId);
HANABI_AT(layout::graph_trace::context, CUpti_ActivityGraphTrace2, contextId);
HANABI_AT(layout::graph_trace::stream, CUpti_ActivityGraphTrace2, streamId);
static_assert(layout::graph_trace::size == sizeof(CUpti_ActivityGraphTrace2));

BOOST_AUTO_TEST_CASE(function_numbers_and_types_are_the_headers) {
#define HANABI_CBID(ours, theirs)                                                                                                          \
    static_assert(cupti::cbid::ours == CUPTI_DRIVER_TRACE_CBID_##theirs);                                                                  \
    static_assert(cupti::cbid::ours##_ptsz == CUPTI_DRIVER_TRACE_CBID_##theirs##_ptsz)
    HANABI_CBID(launch_kernel, cuLaunchKernel);
    HANABI_CBID(launch_kernel_ex, cuLaunchKernelEx);
    HANABI_CBID(launch_cooperative_kernel, cuLaunchCooperativeKernel);
    HANABI_CBID(graph_launch, cuGraphLaunch);
    HANABI_CBID(memcpy_htod_async, cuMemcpyHtoDAsync_v2);
    HANABI_CBID(memcpy_dtoh_async, cuMemcpyDtoHAsync_v2);
    HANABI_CBID(memcpy_dtod_async, cuMemcpyDtoDAsync_v2);
    HANABI_CBID(memcpy_peer_async, cuMemcpyPeerAsync);
    HANABI_CBID(memset_d8_async, cuMemsetD8Async);
    HANABI_CBID(memset_d16_async, cuMemsetD16Async);
    HANABI_CBID(memset_d32_async, cuMemsetD32Async);
    HANABI_CBID(memset_d2d32_async, cuMemsetD2D32Async);
    static_assert(cupti::cbid::stream_synchronize == CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize);
    static_assert(cupti::cbid::event_synchronize == CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize);
    static_assert(cupti::cbid::ctx_synchronize == CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize);
    static_assert(cupti::cbid::stream_wait_event == CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent);
    static_assert(static_cast<int>(cupti::external_kind::custom0) == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0);
    static_assert(static_cast<int>(cupti::external_kind::custom2) == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2);
    static_assert(sizeof(cupti::subscriber_parameters) == sizeof(CUpti_SubscriberParams));
    static_assert(offsetof(cupti::subscriber_parameters, other_size) == offsetof(CUpti_SubscriberParams, oldSubscriberSize));
    static_assert(std::is_same_v<cupti::buffer_request, CUpti_BuffersCallbackRequestFunc>);
    static_assert(std::is_same_v<cupti::buffer_complete, CUpti_BuffersCallbackCompleteFunc>);
    static_assert(std::is_same_v<cupti::timestamp_function, CUpti_TimestampCallbackFunc>);
    static_assert(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED == static_cast<int>(cupti::flush_mode::everything));
    BOOST_TEST(true);
}
#endif

#endif
