// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about contexts.

#ifndef HANABI_HOST_ENTRIES_CONTEXT_HPP
#define HANABI_HOST_ENTRIES_CONTEXT_HPP

#include <hanabi/host/call.hpp>

#include <memory>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

inline status HANABI_CUDAAPI device_primary_ctx_retain(driver::context_handle* context, driver::device_handle device) {
    return enter(driver::entry::device_primary_ctx_retain, needs::initialisation, [&](call& c) {
        detail::device_object& d = c.device(device);
        if (context == nullptr) refuse(status::invalid_value, "the pointer for the context is null");
        if (d.primary == nullptr) d.primary = c.state.make_context(device, d.primary_handle, 0, true);
        ++d.primary_references;
        *context = detail::handle_of<driver::context_handle>(d.primary_handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI device_primary_ctx_release(driver::device_handle device) {
    return enter(driver::entry::device_primary_ctx_release, needs::initialisation, [&](call& c) {
        detail::device_object& d = c.device(device);
        if (d.primary_references == 0) refuse(status::invalid_context, "the primary context of device ", device, " is not retained");
        if (--d.primary_references == 0)
            if (const auto last = d.primary) c.state.destroy_context(c.lock, last);
        return status::success;
    });
}

inline status HANABI_CUDAAPI ctx_create(driver::context_handle* context, unsigned flags, driver::device_handle device) {
    return enter(driver::entry::ctx_create, needs::initialisation, [&](call& c) {
        c.device(device);
        if (context == nullptr) refuse(status::invalid_value, "the pointer for the context is null");
        const unsigned schedule = flags & 0x7u;
        if ((flags & ~0xffu) != 0 || (schedule & (schedule - 1)) != 0)
            refuse(status::invalid_value, "context flags ", flags, " are not valid");
        std::uintptr_t handle = 0;
        if (!c.state.spare_contexts.empty()) {
            handle = c.state.spare_contexts.back(); // as addresses are: only ids tell the two contexts apart
            c.state.spare_contexts.pop_back();
        } else
            handle = c.state.handles.next(detail::handle_kind::context);
        c.state.make_context(device, handle, flags, false);
        c.set_current(handle);
        *context = detail::handle_of<driver::context_handle>(handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI ctx_destroy(driver::context_handle context) {
    return enter(driver::entry::ctx_destroy, needs::initialisation, [&](call& c) {
        const auto doomed = c.context(context);
        if (doomed->primary) refuse(status::invalid_context, "the primary context is released, not destroyed");
        if (c.current_handle() == doomed->handle) c.set_current(0);
        c.state.destroy_context(c.lock, doomed);
        return status::success;
    });
}

inline status HANABI_CUDAAPI ctx_get_current(driver::context_handle* context) {
    return enter(driver::entry::ctx_get_current, needs::initialisation, [&](call& c) {
        if (context == nullptr) refuse(status::invalid_value, "the pointer for the context is null");
        *context = detail::handle_of<driver::context_handle>(c.current_handle());
        return status::success;
    });
}

inline status HANABI_CUDAAPI ctx_set_current(driver::context_handle context) {
    return enter(driver::entry::ctx_set_current, needs::initialisation, [&](call& c) {
        if (context != nullptr) c.context(context);
        c.set_current(detail::number_of(context));
        return status::success;
    });
}

inline status HANABI_CUDAAPI ctx_get_device(driver::device_handle* device) {
    return enter(driver::entry::ctx_get_device, needs::initialisation, [&](call& c) {
        const detail::context_object& here = c.context();
        if (device == nullptr) refuse(status::invalid_value, "the pointer for the device is null");
        *device = here.device;
        return status::success;
    });
}

inline status HANABI_CUDAAPI ctx_synchronize() {
    return enter(driver::entry::ctx_synchronize, needs::initialisation, [&](call& c) {
        const auto here = c.context(detail::handle_of<driver::context_handle>(c.context().handle));
        c.unsafe();
        for (const auto& [id, capture] : c.state.captures)
            for (const detail::stream_object* const stream : capture->streams)
                if (stream->context == here.get()) {
                    capture->invalid = true;
                    refuse(status::stream_capture_unsupported, "a stream of the context is capturing; the capture is invalidated");
                }
        // Work that is there now: what others submit meanwhile is not waited for, so that this ends.
        std::vector<detail::operation_ptr> all;
        const auto add = [&](const detail::operation_ptr& op) {
            if (op == nullptr) return;
            if (op->done)
                c.waited_for(*op);
            else
                all.push_back(op);
        };
        add(here->legacy->tail);
        for (const auto& [number, stream] : here->per_thread) add(stream->tail);
        for (const auto& [handle, stream] : c.state.streams)
            if (stream->context == here.get()) add(stream->tail);
        for (const auto& op : here->orphans) add(op);
        c.wait(all);
        c.check(*here);
        return status::success;
    });
}

inline status HANABI_CUDAAPI ctx_get_stream_priority_range(int* least, int* greatest) {
    return enter(driver::entry::ctx_get_stream_priority_range, needs::initialisation, [&](call& c) {
        const device_config& config = c.config(c.context());
        if (least != nullptr) *least = config.least_priority;
        if (greatest != nullptr) *greatest = config.greatest_priority;
        return status::success;
    });
}

inline status HANABI_CUDAAPI ctx_get_id(driver::context_handle context, unsigned long long* id) {
    return enter(driver::entry::ctx_get_id, needs::initialisation, [&](call& c) {
        if (id == nullptr) refuse(status::invalid_value, "the pointer for the id is null");
        const std::uintptr_t handle = context != nullptr ? detail::number_of(context) : c.current_handle();
        const auto found = c.state.contexts.find(handle);
        if (found == c.state.contexts.end())
            refuse(context != nullptr || handle == 0 ? status::invalid_context : status::context_is_destroyed, "no such context is alive");
        *id = found->second->id;
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
