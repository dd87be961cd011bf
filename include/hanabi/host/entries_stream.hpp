// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about streams, host functions and events.

#ifndef HANABI_HOST_ENTRIES_STREAM_HPP
#define HANABI_HOST_ENTRIES_STREAM_HPP

#include <hanabi/host/graph_build.hpp>

#include <algorithm>
#include <chrono>
#include <memory>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

namespace stream_detail {

/// An event that the host may look at: 907 when a stream that captures recorded it last, whose capture is then invalid; 1 when
/// that capture has ended or was invalid before. So a driver of CUDA 13.0 answers.
inline detail::event_object& recorded_outside(call& c, driver::event_handle handle) {
    detail::event_object& e = c.event(handle);
    if (e.capture == nullptr) return e;
    if (e.capture->ended || e.capture->invalid)
        refuse(status::invalid_value, "the event was last recorded in a capture that is over: it stands for no work");
    e.capture->invalid = true;
    refuse(status::captured_event, "the event was last recorded in a stream that is capturing; the capture is invalidated");
}

/// Outside captures an operation; in one a node where the flags say so, else a mark of where the stream is.
inline status record(call& c, driver::event_handle event, driver::stream_handle stream, unsigned flags) {
    c.context();
    detail::event_object& e = c.event(event);
    detail::stream_object& s = c.stream(stream);
    if (e.context != s.context) refuse(status::invalid_handle, "the event and the stream belong to different contexts");
    if (!c.captures(s)) {
        if (flags != 0) refuse(status::illegal_state, "an external record is for streams that capture");
        e.record = c.submit(s, nullptr, nullptr);
        e.capture = nullptr;
        e.capture_after.clear();
    } else if (flags != 0) {
        graph_detail::capture_node(c, s, driver::graph_node_type::event_record, detail::event_task{e.handle, c.state.events.at(e.handle)});
    } else {
        e.capture = s.capture;
        e.capture_after = s.capture_after;
    }
    return status::success;
}

/// A stream that waits for an event of a capture joins that capture; one that captures waits for nothing else.
inline void wait(call& c, detail::stream_object& s, detail::event_object& e, unsigned flags) {
    const bool capturing = c.captures(s);
    if (flags != 0) {
        if (!capturing) refuse(status::illegal_state, "an external wait is for streams that capture");
        graph_detail::capture_node(c, s, driver::graph_node_type::wait_event, detail::event_task{e.handle, c.state.events.at(e.handle)});
        return;
    }
    if (e.capture == nullptr) {
        if (capturing && e.record != nullptr) {
            s.capture->invalid = true;
            refuse(status::stream_capture_isolation,
                   "a stream that captures can't wait for work outside of the capture; the capture is invalidated");
        }
        if (e.record != nullptr && (c.state.settings.check_races || !e.record->done)) c.submit(s, nullptr, nullptr, e.record);
        return;
    }
    if (e.capture->ended) refuse(status::captured_event, "the event was last recorded in a capture that has ended: it stands for no work");
    if (e.capture->invalid) refuse(status::stream_capture_invalidated, "the event was recorded in a capture that was invalidated");
    if (capturing && s.capture != e.capture) {
        s.capture->invalid = e.capture->invalid = true;
        refuse(status::stream_capture_merge, "the event belongs to another capture than the stream; both are invalidated");
    }
    if (!capturing) {
        if (s.legacy) {
            e.capture->invalid = true;
            refuse(status::stream_capture_implicit, "the legacy default stream can't join a capture; the capture is invalidated");
        }
        s.capture = e.capture;
        s.capture_after.clear();
        e.capture->streams.push_back(&s);
    }
    for (const detail::capture_edge& edge : e.capture_after) {
        const bool known = std::any_of(s.capture_after.begin(), s.capture_after.end(), [&](const detail::capture_edge& other) {
            return other.from == edge.from && other.data.from_port == edge.data.from_port;
        });
        if (!known) s.capture_after.push_back(edge);
    }
}

} // namespace stream_detail

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
        c.not_captured(doomed);
        detail::context_object& owner = *doomed.context;
        owner.blocking.erase(std::remove(owner.blocking.begin(), owner.blocking.end(), &doomed), owner.blocking.end());
        // Its work goes on without it.
        const bool races = c.state.settings.check_races;
        if (!races) std::erase_if(owner.orphans, [](const detail::operation_ptr& op) { return op->done; });
        if (doomed.tail != nullptr && (races || !doomed.tail->done)) owner.orphans.push_back(doomed.tail);
        c.state.streams.erase(doomed.handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_synchronize(driver::stream_handle stream) {
    return enter(driver::entry::stream_synchronize, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        c.not_captured(s);
        c.not_implicit(s);
        c.unsafe();
        c.wait(c.work_of(s));
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_query(driver::stream_handle stream) {
    return enter(driver::entry::stream_query, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        c.not_captured(s);
        c.not_implicit(s);
        c.unsafe();
        return c.work_of(s).empty() ? status::success : status::not_ready;
    });
}

inline status HANABI_CUDAAPI stream_wait_event(driver::stream_handle stream, driver::event_handle event, unsigned flags) {
    return enter(driver::entry::stream_wait_event, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        detail::event_object& e = c.event(event);
        if (flags > driver::event_wait_external) refuse(status::invalid_value, "flags ", flags, " are not valid");
        stream_detail::wait(c, s, e, flags);
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

inline status HANABI_CUDAAPI launch_host_func(driver::stream_handle stream, driver::host_function function, void* user_data) {
    return enter(driver::entry::launch_host_func, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        if (function == nullptr) refuse(status::invalid_value, "the host function is null");
        if (c.captures(s)) {
            graph_detail::capture_node(c, s, driver::graph_node_type::host, detail::host_task{{function, user_data}});
            return status::success;
        }
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
    return enter(driver::entry::event_record, needs::initialisation, [&](call& c) { return stream_detail::record(c, event, stream, 0); });
}

inline status HANABI_CUDAAPI event_record_with_flags(driver::event_handle event, driver::stream_handle stream, unsigned flags) {
    return enter(driver::entry::event_record_with_flags, needs::initialisation, [&](call& c) {
        if (flags > driver::event_record_external) refuse(status::invalid_value, "flags ", flags, " are not valid");
        return stream_detail::record(c, event, stream, flags);
    });
}

inline status HANABI_CUDAAPI event_query(driver::event_handle event) {
    return enter(driver::entry::event_query, needs::initialisation, [&](call& c) {
        c.context();
        const detail::event_object& e = stream_detail::recorded_outside(c, event);
        c.unsafe();
        if (e.record != nullptr && !e.record->done) return status::not_ready;
        if (e.record != nullptr) c.waited_for(*e.record);
        return status::success;
    });
}

inline status HANABI_CUDAAPI event_synchronize(driver::event_handle event) {
    return enter(driver::entry::event_synchronize, needs::initialisation, [&](call& c) {
        c.context();
        const detail::event_object& e = stream_detail::recorded_outside(c, event);
        c.unsafe();
        if (e.record != nullptr) c.wait({e.record});
        return status::success;
    });
}

inline status HANABI_CUDAAPI event_elapsed_time(float* milliseconds, driver::event_handle start, driver::event_handle end) {
    return enter(driver::entry::event_elapsed_time, needs::initialisation, [&](call& c) {
        c.context();
        const detail::event_object& from = stream_detail::recorded_outside(c, start);
        const detail::event_object& to = stream_detail::recorded_outside(c, end);
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
