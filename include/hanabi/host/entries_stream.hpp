// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about streams, host functions and events.

#ifndef HANABI_HOST_ENTRIES_STREAM_HPP
#define HANABI_HOST_ENTRIES_STREAM_HPP

#include <hanabi/host/call.hpp>

#include <algorithm>
#include <chrono>
#include <memory>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

inline status HANABI_CUDAAPI stream_create_with_priority(driver::stream_handle* stream, unsigned flags, int priority) {
    return enter(driver::entry::stream_create_with_priority, needs::initialisation, [&](call& c) {
        detail::context_object& here = c.context();
        if (stream == nullptr) refuse(status::invalid_value, "the pointer for the stream is null");
        if (flags > driver::stream_flags::non_blocking) refuse(status::invalid_value, "stream flags ", flags, " are not valid");
        const device_config& config = c.config(here);
        const auto made = std::make_shared<detail::stream_object>();
        made->handle = c.state.handles.next(detail::handle_kind::stream);
        made->context = &here;
        made->flags = flags;
        made->priority = std::clamp(priority, config.greatest_priority, config.least_priority);
        c.state.streams[made->handle] = made;
        if (flags == driver::stream_flags::blocking) here.blocking.push_back(made.get());
        *stream = detail::handle_of<driver::stream_handle>(made->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_destroy(driver::stream_handle stream) {
    return enter(driver::entry::stream_destroy, needs::initialisation, [&](call& c) {
        c.context();
        if (detail::number_of(stream) <= driver::stream_per_thread)
            refuse(status::invalid_handle, "the default streams can't be destroyed");
        detail::stream_object& doomed = c.stream(stream);
        detail::context_object& owner = *doomed.context;
        owner.blocking.erase(std::remove(owner.blocking.begin(), owner.blocking.end(), &doomed), owner.blocking.end());
        // Its work goes on without it.
        std::erase_if(owner.orphans, [](const detail::operation_ptr& op) { return op->done; });
        if (doomed.tail != nullptr && !doomed.tail->done) owner.orphans.push_back(doomed.tail);
        c.state.streams.erase(doomed.handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_synchronize(driver::stream_handle stream) {
    return enter(driver::entry::stream_synchronize, needs::initialisation, [&](call& c) {
        c.context();
        c.wait(c.work_of(c.stream(stream)));
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_query(driver::stream_handle stream) {
    return enter(driver::entry::stream_query, needs::initialisation, [&](call& c) {
        c.context();
        return c.work_of(c.stream(stream)).empty() ? status::success : status::not_ready;
    });
}

inline status HANABI_CUDAAPI stream_wait_event(driver::stream_handle stream, driver::event_handle event, unsigned flags) {
    return enter(driver::entry::stream_wait_event, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        detail::event_object& e = c.event(event);
        if (flags > 1) refuse(status::invalid_value, "flags ", flags, " are not valid");
        if (e.record != nullptr && !e.record->done) c.submit(s, nullptr, nullptr, e.record);
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_get_priority(driver::stream_handle stream, int* priority) {
    return enter(driver::entry::stream_get_priority, needs::initialisation, [&](call& c) {
        c.context();
        const detail::stream_object& s = c.stream(stream);
        if (priority == nullptr) refuse(status::invalid_value, "the pointer for the priority is null");
        *priority = s.priority;
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_get_flags(driver::stream_handle stream, unsigned* flags) {
    return enter(driver::entry::stream_get_flags, needs::initialisation, [&](call& c) {
        c.context();
        const detail::stream_object& s = c.stream(stream);
        if (flags == nullptr) refuse(status::invalid_value, "the pointer for the flags is null");
        *flags = s.flags;
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_get_ctx(driver::stream_handle stream, driver::context_handle* context) {
    return enter(driver::entry::stream_get_ctx, needs::initialisation, [&](call& c) {
        const detail::stream_object& s = c.stream(stream); // a stream knows its context: none need be current
        if (context == nullptr) refuse(status::invalid_value, "the pointer for the context is null");
        *context = detail::handle_of<driver::context_handle>(s.context->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_is_capturing(driver::stream_handle stream, driver::capture_status* state) {
    return enter(driver::entry::stream_is_capturing, needs::initialisation, [&](call& c) {
        c.context();
        c.stream(stream);
        if (state == nullptr) refuse(status::invalid_value, "the pointer for the answer is null");
        *state = driver::capture_status::none;
        return status::success;
    });
}

inline status HANABI_CUDAAPI thread_exchange_stream_capture_mode(driver::capture_mode* mode) {
    return enter(driver::entry::thread_exchange_stream_capture_mode, needs::initialisation, [&](call&) {
        if (mode == nullptr || static_cast<unsigned>(*mode) > static_cast<unsigned>(driver::capture_mode::relaxed))
            refuse(status::invalid_value, "no such capture mode");
        std::swap(*mode, detail::this_thread().capture);
        return status::success;
    });
}

inline status HANABI_CUDAAPI launch_host_func(driver::stream_handle stream, driver::host_function function, void* user_data) {
    return enter(driver::entry::launch_host_func, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        if (function == nullptr) refuse(status::invalid_value, "the host function is null");
        c.submit(
            s,
            [function, user_data] {
                const detail::work_scope scope;
                try {
                    function(user_data);
                } catch (...) {
                    return detail::outcome{status::unknown, "a host function let an exception out"};
                }
                return detail::outcome{};
            },
            nullptr);
        return status::success;
    });
}

inline status HANABI_CUDAAPI event_create(driver::event_handle* event, unsigned flags) {
    return enter(driver::entry::event_create, needs::initialisation, [&](call& c) {
        detail::context_object& here = c.context();
        if (event == nullptr) refuse(status::invalid_value, "the pointer for the event is null");
        if (flags > (driver::event_flags::blocking_sync | driver::event_flags::disable_timing))
            refuse(status::invalid_value, "event flags ", flags, " are not valid here");
        const auto made = std::make_shared<detail::event_object>();
        made->handle = c.state.handles.next(detail::handle_kind::event);
        made->context = &here;
        made->flags = flags;
        c.state.events[made->handle] = made;
        *event = detail::handle_of<driver::event_handle>(made->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI event_destroy(driver::event_handle event) {
    return enter(driver::entry::event_destroy, needs::initialisation, [&](call& c) {
        c.context();
        c.state.events.erase(c.event(event).handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI event_record(driver::event_handle event, driver::stream_handle stream) {
    return enter(driver::entry::event_record, needs::initialisation, [&](call& c) {
        c.context();
        detail::event_object& e = c.event(event);
        detail::stream_object& s = c.stream(stream);
        if (e.context != s.context) refuse(status::invalid_handle, "the event and the stream belong to different contexts");
        e.record = c.submit(s, nullptr, nullptr);
        return status::success;
    });
}

inline status HANABI_CUDAAPI event_query(driver::event_handle event) {
    return enter(driver::entry::event_query, needs::initialisation, [&](call& c) {
        c.context();
        const detail::event_object& e = c.event(event);
        return e.record == nullptr || e.record->done ? status::success : status::not_ready;
    });
}

inline status HANABI_CUDAAPI event_synchronize(driver::event_handle event) {
    return enter(driver::entry::event_synchronize, needs::initialisation, [&](call& c) {
        c.context();
        const detail::event_object& e = c.event(event);
        if (e.record != nullptr) c.wait({e.record});
        return status::success;
    });
}

inline status HANABI_CUDAAPI event_elapsed_time(float* milliseconds, driver::event_handle start, driver::event_handle end) {
    return enter(driver::entry::event_elapsed_time, needs::initialisation, [&](call& c) {
        c.context();
        const detail::event_object& from = c.event(start);
        const detail::event_object& to = c.event(end);
        if (milliseconds == nullptr) refuse(status::invalid_value, "the pointer for the time is null");
        if (from.context != to.context) refuse(status::invalid_handle, "the events belong to different contexts");
        if (((from.flags | to.flags) & driver::event_flags::disable_timing) != 0)
            refuse(status::invalid_handle, "one of the events was made without timing");
        if (from.record == nullptr || to.record == nullptr) refuse(status::invalid_handle, "one of the events was never recorded");
        if (!from.record->done || !to.record->done) return status::not_ready;
        *milliseconds = std::chrono::duration<float, std::milli>(to.record->finished - from.record->finished).count();
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
