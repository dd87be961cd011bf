// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A record of activity, as a value to keep.

#ifndef HANABI_ACTIVITY_RECORD_HPP
#define HANABI_ACTIVITY_RECORD_HPP

#include <hanabi/activity/kind.hpp>

#include <cstdint>

namespace hanabi {

/// The time that CUPTI documents as "no timestamp": the highest bit alone.
inline constexpr std::uint64_t no_timestamp = 0x8000000000000000u;

/// One activity: what, when, where. A plain value of one type for every kind; what a kind does not have is zero. Times are
/// nanoseconds of the clock of the session that the record is from. `name` points to a string that lives as long as that
/// session (or for ever).
struct activity_record {
    activity_kind kind = activity_kind::invalid;
    std::uint32_t correlation = 0; ///< the same in all records of one driver call; 0: none
    std::uint64_t start = 0;       ///< ns; markers, memory operations and events have this one time
    std::uint64_t end = 0;         ///< ns
    /// external_correlation: the number that was pushed. Kernel records of an activity_session: the launch's own.
    std::uint64_t external_id = 0;
    std::uint32_t external_kind = 0; ///< CUpti_ExternalCorrelationKind: custom0 is 3

    std::uint32_t device = 0;  ///< ordinal
    std::uint32_t context = 0; ///< CUPTI's number of the context
    std::uint32_t stream = 0;  ///< CUPTI's number of the stream

    const char* name = nullptr; ///< kernel: the linker's name; marker: its text; memory: the variable's. Null: none

    // Kernels.
    std::uint32_t grid[3]{};           ///< blocks
    std::uint32_t block[3]{};          ///< threads
    std::uint32_t cluster[3]{};        ///< blocks; zeros without clusters
    std::uint32_t registers = 0;       ///< of a thread
    std::uint32_t static_shared = 0;   ///< bytes a block
    std::uint32_t dynamic_shared = 0;  ///< bytes a block
    std::uint32_t shared_executed = 0; ///< bytes a multiprocessor was configured with
    std::uint32_t graph_id = 0;        ///< of the executable graph it ran in; 0: none
    std::uint64_t graph_node_id = 0;   ///< 0: none
    std::uint64_t queued = 0;          ///< ns; 0 unless asked for
    std::uint64_t submitted = 0;       ///< ns; 0 unless asked for
    std::int64_t grid_id = 0;

    // Copies, fills, memory.
    std::uint64_t bytes = 0;
    std::uint64_t address = 0;
    std::uint32_t copy_kind = 0;        ///< CUpti_ActivityMemcpyKind: 1 host to device, 2 device to host, 8 within, 10 peers
    std::uint32_t source_kind = 0;      ///< CUpti_ActivityMemoryKind: 1 pageable, 2 pinned, 3 device...
    std::uint32_t destination_kind = 0; ///< the same; of fills and memory operations too
    std::uint32_t value = 0;            ///< of a fill

    // Calls of the driver or the runtime.
    std::uint32_t cbid = 0;    ///< which function: numbers of <cupti_driver_cbid.h> and <cupti_runtime_cbid.h>
    std::uint32_t process = 0; ///< the system's number of it
    std::uint32_t thread = 0;
    std::uint32_t result = 0; ///< what the call returned

    std::uint32_t type = 0; ///< synchronization: of what; overhead: of what; memory: which operation; marker: flags

    /// How long, in ns; 0 where end is before start.
    constexpr std::uint64_t duration_ns() const noexcept { return end < start ? 0 : end - start; }
    /// True if the record says when. False for kernels that were unfinished when they were delivered (end is 0) and for
    /// those whose times the device had no room for (start 0, or the mark for it).
    constexpr bool timed() const noexcept { return start != 0 && end != 0 && start != no_timestamp && end != no_timestamp; }
    /// True for work that had begun and not ended when its record was delivered. No other record of it comes.
    constexpr bool unfinished() const noexcept { return start != 0 && start != no_timestamp && end == 0; }
    constexpr bool is_kernel() const noexcept { return kind == activity_kind::kernel || kind == activity_kind::concurrent_kernel; }
};

} // namespace hanabi

#endif
