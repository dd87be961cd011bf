// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// CUPTI's entry points, as the host driver serves them.

#ifndef HANABI_HOST_CUPTI_ENTRIES_HPP
#define HANABI_HOST_CUPTI_ENTRIES_HPP

#include <hanabi/cupti/abi.hpp>
#include <hanabi/cupti/layout.hpp>
#include <hanabi/cupti/status.hpp>
#include <hanabi/cupti/table.hpp>
#include <hanabi/detail/activity_producer.hpp>
#include <hanabi/host/cupti.hpp>
#include <hanabi/host/cupti_feed.hpp>
#include <hanabi/host/state.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace hanabi::host {

namespace cupti_entries {

using cupti::entry;
using cupti::status;
using detail::the_cupti_feed;

/// Runs an entry: none works in a forked child or from a buffer callback, and each can be ordered to fail.
template <class F>
status enter(entry which, F body) noexcept {
    try {
        detail::cupti_feed& feed = the_cupti_feed();
        if (detail::state().forked.load(std::memory_order_relaxed)) return status::not_initialized;
        if (const status s = feed.ordered(which); s != status::success) return s;
        return body(feed);
    } catch (...) {
        return status::out_of_memory;
    }
}

inline bool is_kind(activity_kind kind) noexcept {
    const auto number = static_cast<std::uint32_t>(kind);
    return number != 0 && number < activity_kind_count;
}

inline status HANABI_CUDAAPI activity_enable(activity_kind kind) {
    return enter(entry::activity_enable, [&](detail::cupti_feed& feed) {
        if (!is_kind(kind)) return status::invalid_kind;
        if ((kind == activity_kind::kernel && feed.producer.is_enabled(activity_kind::concurrent_kernel)) ||
            (kind == activity_kind::concurrent_kernel && feed.producer.is_enabled(activity_kind::kernel)))
            return status::not_compatible;
        feed.enable(kind, true);
        return status::success;
    });
}
inline status HANABI_CUDAAPI activity_disable(activity_kind kind) {
    return enter(entry::activity_disable, [&](detail::cupti_feed& feed) {
        if (!is_kind(kind)) return status::invalid_kind;
        feed.enable(kind, false);
        return status::success;
    });
}
inline status HANABI_CUDAAPI activity_register_callbacks(cupti::buffer_request request, cupti::buffer_complete complete) {
    return enter(entry::activity_register_callbacks, [&](detail::cupti_feed& feed) {
        if (request == nullptr || complete == nullptr) return status::invalid_parameter;
        feed.request = request;
        feed.complete = complete;
        feed.connect();
        return status::success;
    });
}
inline status HANABI_CUDAAPI activity_flush_all(cupti::flush_mode mode) {
    return enter(entry::activity_flush_all, [&](detail::cupti_feed& feed) {
        // The real one is not to be called there, and may hang.
        if (hanabi::detail::inside_buffer_callback()) return status::invalid_operation;
        feed.flush(mode);
        return status::success;
    });
}
inline status HANABI_CUDAAPI activity_get_next_record(std::uint8_t* buffer, std::size_t valid, std::byte** record) {
    return enter(entry::activity_get_next_record, [&](detail::cupti_feed&) {
        if (buffer == nullptr || record == nullptr) return status::invalid_parameter;
        auto* const begin = reinterpret_cast<std::byte*>(buffer);
        std::size_t at = 0;
        const auto size_at = [&](std::size_t where) {
            std::uint32_t kind;
            std::memcpy(&kind, begin + where, sizeof kind);
            return cupti::layout::size_of(static_cast<activity_kind>(kind));
        };
        if (*record != nullptr) {
            at = static_cast<std::size_t>(*record - begin);
            const std::size_t size = size_at(at);
            if (size == 0) return status::invalid_kind;
            at += size;
        }
        if (at + 8 > valid) return status::max_limit_reached;
        const std::size_t size = size_at(at);
        if (size == 0) return status::invalid_kind;
        if (at + size > valid) return status::max_limit_reached;
        *record = begin + at;
        return status::success;
    });
}
inline status HANABI_CUDAAPI activity_get_num_dropped_records(driver::context_handle, std::uint32_t, std::size_t* dropped) {
    return enter(entry::activity_get_num_dropped_records, [&](detail::cupti_feed& feed) {
        if (dropped == nullptr) return status::invalid_parameter;
        *dropped = static_cast<std::size_t>(feed.producer.take_dropped());
        return status::success;
    });
}
inline status HANABI_CUDAAPI get_version(std::uint32_t* version) {
    return enter(entry::get_version, [&](detail::cupti_feed&) {
        if (version == nullptr) return status::invalid_parameter;
        *version = 130000;
        return status::success;
    });
}
inline status HANABI_CUDAAPI get_timestamp(std::uint64_t* timestamp) {
    return enter(entry::get_timestamp, [&](detail::cupti_feed& feed) {
        if (timestamp == nullptr) return status::invalid_parameter;
        *timestamp = feed.now();
        return status::success;
    });
}
inline status HANABI_CUDAAPI activity_push_external_correlation_id(cupti::external_kind kind, std::uint64_t id) {
    return enter(entry::activity_push_external_correlation_id, [&](detail::cupti_feed&) {
        const auto number = static_cast<std::uint32_t>(kind);
        if (number == 0 || number > 5) return status::invalid_parameter;
        detail::this_cupti_thread().external[number].push_back(id);
        return status::success;
    });
}
inline status HANABI_CUDAAPI activity_pop_external_correlation_id(cupti::external_kind kind, std::uint64_t* last) {
    return enter(entry::activity_pop_external_correlation_id, [&](detail::cupti_feed&) {
        const auto number = static_cast<std::uint32_t>(kind);
        if (number == 0 || number > 5) return status::invalid_parameter;
        auto& stack = detail::this_cupti_thread().external[number];
        if (stack.empty()) return status::queue_empty;
        if (last != nullptr) *last = stack.back();
        stack.pop_back();
        return status::success;
    });
}
inline status HANABI_CUDAAPI activity_enable_driver_api(std::uint32_t cbid, std::uint8_t enable) {
    return enter(entry::activity_enable_driver_api, [&](detail::cupti_feed& feed) {
        return feed.enable_call(cbid, enable != 0) ? status::success : status::invalid_parameter;
    });
}
inline status HANABI_CUDAAPI activity_enable_runtime_api(std::uint32_t, std::uint8_t) {
    return enter(entry::activity_enable_runtime_api, [&](detail::cupti_feed&) { return status::success; }); // there is no runtime
}
inline status HANABI_CUDAAPI activity_register_timestamp_callback(cupti::timestamp_function now) {
    return enter(entry::activity_register_timestamp_callback, [&](detail::cupti_feed& feed) {
        if (now == nullptr) return status::invalid_parameter;
        feed.clock = now;
        return status::success;
    });
}
inline status HANABI_CUDAAPI subscribe_v2(cupti::subscriber_handle* handle, cupti::callback_function function, void*,
                                          cupti::subscriber_parameters* parameters) {
    return enter(entry::subscribe_v2, [&](detail::cupti_feed& feed) {
        if (handle == nullptr || function == nullptr) return status::invalid_parameter;
        if (feed.subscribed.exchange(true)) {
            if (parameters != nullptr && parameters->other_name != nullptr && parameters->other_size != 0)
                std::snprintf(parameters->other_name, parameters->other_size, "CUPTI for another client");
            return status::multiple_subscribers_not_supported;
        }
        *handle = reinterpret_cast<cupti::subscriber_handle>(&feed); // opaque
        return status::success;
    });
}
inline status HANABI_CUDAAPI subscribe(cupti::subscriber_handle* handle, cupti::callback_function function, void* user_data) {
    return enter(entry::subscribe, [&](detail::cupti_feed&) { return subscribe_v2(handle, function, user_data, nullptr); });
}
inline status HANABI_CUDAAPI unsubscribe(cupti::subscriber_handle handle) {
    return enter(entry::unsubscribe, [&](detail::cupti_feed& feed) {
        if (handle != reinterpret_cast<cupti::subscriber_handle>(&feed) || !feed.subscribed.exchange(false))
            return status::invalid_parameter;
        return status::success;
    });
}

} // namespace cupti_entries

namespace detail {

constexpr cupti::table make_cupti_table() noexcept {
    cupti::table t;
#define HANABI_ENTRY(member, name, need, parameters) t.member = &cupti_entries::member;
    HANABI_CUPTI_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    t.origin = "host driver";
    t.is_host = true;
    return t;
}

} // namespace detail

HANABI_HOST_INLINE const cupti::table& cupti_table() noexcept {
    static constexpr cupti::table only = detail::make_cupti_table();
    return only;
}
HANABI_HOST_INLINE void cupti_fail(cupti::entry entry, cupti::status with, unsigned nth, unsigned times) {
    detail::the_cupti_feed().add_fault(entry, with, nth, times);
}
HANABI_HOST_INLINE void cupti_reset() { detail::the_cupti_feed().reset(); }
HANABI_HOST_INLINE void cupti_without_time(unsigned records) { detail::the_cupti_feed().without_time = records; }
HANABI_HOST_INLINE bool cupti_put(const activity_record& r) {
    detail::cupti_feed& feed = detail::the_cupti_feed();
    if (!feed.producer.is_enabled(r.kind)) return false;
    activity_record mine = r;
    if (mine.name != nullptr) mine.name = feed.keep(mine.name);
    return feed.producer.produce(mine);
}

} // namespace hanabi::host

/// Found by the library through a weak reference, as the driver's table is.
#if defined(_MSC_VER)
extern "C" inline const hanabi::cupti::table* hanabi_host_cupti_table() noexcept { return &hanabi::host::cupti_table(); }
#else
extern "C" __attribute__((used, weak, visibility("default"))) const hanabi::cupti::table* hanabi_host_cupti_table() noexcept {
    return &hanabi::host::cupti_table();
}
#endif

#endif
