// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// CUPTI's entry points as a table: filled from the loaded library, or by the host driver.

#ifndef HANABI_CUPTI_TABLE_HPP
#define HANABI_CUPTI_TABLE_HPP

#include <hanabi/activity/kind.hpp>
#include <hanabi/cupti/abi.hpp>
#include <hanabi/cupti/status.hpp>

#include <cstddef>
#include <cstdint>

/// Every entry, one line each: X(member, "name", need, (parameters)). Records are bytes: cupti/layout.hpp.
#define HANABI_CUPTI_ENTRIES(X)                                                                                                            \
    X(activity_enable, "cuptiActivityEnable", required, (activity_kind kind))                                                              \
    X(activity_disable, "cuptiActivityDisable", required, (activity_kind kind))                                                            \
    X(activity_register_callbacks, "cuptiActivityRegisterCallbacks", required, (buffer_request request, buffer_complete complete))         \
    X(activity_flush_all, "cuptiActivityFlushAll", required, (flush_mode mode))                                                            \
    X(activity_get_next_record, "cuptiActivityGetNextRecord", required, (std::uint8_t * buffer, std::size_t valid, std::byte * *record))   \
    X(activity_get_num_dropped_records, "cuptiActivityGetNumDroppedRecords", optional,                                                     \
      (driver::context_handle context, std::uint32_t stream, std::size_t * dropped))                                                       \
    X(get_version, "cuptiGetVersion", optional, (std::uint32_t * version))                                                                 \
    X(get_timestamp, "cuptiGetTimestamp", optional, (std::uint64_t * timestamp))                                                           \
    X(activity_push_external_correlation_id, "cuptiActivityPushExternalCorrelationId", optional, (external_kind kind, std::uint64_t id))   \
    X(activity_pop_external_correlation_id, "cuptiActivityPopExternalCorrelationId", optional, (external_kind kind, std::uint64_t * last)) \
    X(activity_enable_driver_api, "cuptiActivityEnableDriverApi", optional, (std::uint32_t cbid, std::uint8_t enable))                     \
    X(activity_enable_runtime_api, "cuptiActivityEnableRuntimeApi", optional, (std::uint32_t cbid, std::uint8_t enable))                   \
    X(activity_register_timestamp_callback, "cuptiActivityRegisterTimestampCallback", optional, (timestamp_function now))                  \
    X(subscribe, "cuptiSubscribe", optional, (subscriber_handle * handle, callback_function function, void* user_data))                    \
    X(subscribe_v2, "cuptiSubscribe_v2", optional,                                                                                         \
      (subscriber_handle * handle, callback_function function, void* user_data, subscriber_parameters* parameters))                        \
    X(unsubscribe, "cuptiUnsubscribe", optional, (subscriber_handle handle))

namespace hanabi::cupti {

/// The entries' numbers.
enum class entry : unsigned {
#define HANABI_ENTRY(member, name, need, parameters) member,
    HANABI_CUPTI_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
        count_
};

/// Every entry point the library uses; optional ones are null where the library has none. cuptiFinalize is not among them:
/// it races the delivery of buffers.
struct table {
#define HANABI_ENTRY(member, name, need, parameters) status(HANABI_CUDAAPI* member) parameters = nullptr;
    HANABI_CUPTI_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    const char* origin = ""; ///< the library's path, or "host driver"
    bool is_host = false;    ///< served by the host driver
};

/// The entry's name in <cupti.h>.
constexpr const char* name_of(entry e) noexcept {
    switch (e) {
#define HANABI_ENTRY(member, name, need, parameters)                                                                                       \
    case entry::member: return name;
        HANABI_CUPTI_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    case entry::count_: break;
    }
    return "";
}

} // namespace hanabi::cupti

#endif
