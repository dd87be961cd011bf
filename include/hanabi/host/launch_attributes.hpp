// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The attributes of launches and of kernel nodes: their ranges, and what they ask for.

#ifndef HANABI_HOST_LAUNCH_ATTRIBUTES_HPP
#define HANABI_HOST_LAUNCH_ATTRIBUTES_HPP

#include <hanabi/host/call.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

namespace launch_detail {

/// An event that a launch attribute names.
struct launch_event {
    detail::event_object* event = nullptr;
    unsigned char port = 0; ///< graph_kernel_port
};

/// What the attributes of a launch come to.
struct wishes {
    bool cooperative = false;
    bool programmatic = false;
    extent cluster{0, 0, 0};
    bool more_to_come = false;        ///< of a node: its attributes are set after it is made
    std::vector<launch_event> events; ///< recorded when the kernel is done
};

inline std::string name_of(const detail::function_object& f) {
    return (f.module->label.empty() ? std::string{} : f.module->label + "::") + f.kernel.name;
}

inline void check_flag(int value, const char* what) {
    if (value != 0 && value != 1) refuse(status::invalid_value, "the launch attribute ", what, " is ", value, " and must be 0 or 1");
}

inline detail::event_object* check_event(call& c, driver::event_handle handle, const detail::stream_object* stream) {
    if (stream == nullptr) refuse(status::invalid_value, "a launch attribute that names an event is for streams, not for nodes");
    detail::event_object& e = c.event(handle);
    if (e.context != stream->context) refuse(status::invalid_handle, "the event and the stream belong to different contexts");
    if ((e.flags & driver::event_flags::disable_timing) == 0)
        refuse(status::invalid_value, "an event of a launch attribute must be made without timing");
    return &e;
}

/// Every attribute: its range, and what it asks for. The stream is null for a node of a graph.
inline wishes read_attributes(call& c, const driver::launch_config& config, const device_config& device,
                              const detail::stream_object* stream) {
    using driver::launch_attribute_id;
    wishes out;
    extent preferred{0, 0, 0};
    if (config.attribute_count != 0 && config.attributes == nullptr)
        refuse(status::invalid_value, "launch attributes are announced and null");
    for (unsigned i = 0; i < config.attribute_count; ++i) {
        const driver::launch_attribute_value& v = config.attributes[i].value;
        switch (config.attributes[i].id) {
        case launch_attribute_id::ignore: break;
        case launch_attribute_id::access_policy_window:
            if (v.window.num_bytes > static_cast<std::size_t>(device.max_access_policy_window_size))
                refuse(status::invalid_value, "an access policy window of ", v.window.num_bytes, " bytes exceeds ",
                       device.max_access_policy_window_size);
            if (!(v.window.hit_ratio >= 0.0f && v.window.hit_ratio <= 1.0f))
                refuse(status::invalid_value, "a hit ratio of ", v.window.hit_ratio);
            if (static_cast<unsigned>(v.window.hit_prop) > 2 || static_cast<unsigned>(v.window.miss_prop) > 1)
                refuse(status::invalid_value, "no such property of an access policy window (a miss can't persist)");
            break;
        case launch_attribute_id::cooperative:
            check_flag(v.cooperative, "cooperative");
            out.cooperative = v.cooperative != 0;
            break;
        case launch_attribute_id::synchronization_policy:
            if (v.synchronization_policy < 1 || v.synchronization_policy > 4)
                refuse(status::invalid_value, "no such synchronization policy");
            break;
        case launch_attribute_id::cluster_dimension:
            out.cluster = {v.cluster_dim.x, v.cluster_dim.y, v.cluster_dim.z};
            if (out.cluster.x == 0 || out.cluster.y == 0 || out.cluster.z == 0)
                refuse(status::invalid_value, "Cluster dimensions of ", to_string(out.cluster), " must not be zero");
            break;
        case launch_attribute_id::cluster_scheduling_policy_preference:
            if (v.cluster_scheduling_policy_preference > 2) refuse(status::invalid_value, "no such cluster scheduling policy");
            break;
        case launch_attribute_id::programmatic_stream_serialization:
            check_flag(v.programmatic_stream_serialization_allowed, "programmatic stream serialization");
            if (stream == nullptr)
                refuse(status::invalid_value, "programmatic stream serialization is for streams: a node has programmatic edges");
            out.programmatic = v.programmatic_stream_serialization_allowed != 0;
            break;
        case launch_attribute_id::programmatic_event:
            check_flag(v.programmatic_event.trigger_at_block_start, "programmatic event, trigger at block start");
            if ((v.programmatic_event.flags & ~1) != 0) refuse(status::invalid_value, "no such flags of a programmatic event");
            out.events.push_back({check_event(c, v.programmatic_event.event, stream), driver::graph_kernel_port::programmatic});
            break;
        case launch_attribute_id::priority:
            if (v.priority > device.least_priority || v.priority < device.greatest_priority)
                refuse(status::invalid_value, "a priority of ", v.priority, " is outside ", device.least_priority, " to ",
                       device.greatest_priority);
            break;
        case launch_attribute_id::mem_sync_domain_map:
            if (v.mem_sync_domain_map.default_ >= device.mem_sync_domains || v.mem_sync_domain_map.remote >= device.mem_sync_domains)
                refuse(status::invalid_value, "the device has ", device.mem_sync_domains, " memory synchronisation domains");
            break;
        case launch_attribute_id::mem_sync_domain:
            if (v.mem_sync_domain > 1) refuse(status::invalid_value, "no such memory synchronisation domain");
            break;
        case launch_attribute_id::preferred_cluster_dimension:
            preferred = {v.preferred_cluster_dim.x, v.preferred_cluster_dim.y, v.preferred_cluster_dim.z};
            if (preferred.x == 0 || preferred.y == 0 || preferred.z == 0)
                refuse(status::invalid_value, "Preferred cluster dimensions of ", to_string(preferred), " must not be zero");
            break;
        case launch_attribute_id::launch_completion_event:
            if ((v.launch_completion_event.flags & ~1) != 0) refuse(status::invalid_value, "no such flags of a launch completion event");
            out.events.push_back({check_event(c, v.launch_completion_event.event, stream), driver::graph_kernel_port::launch_order});
            break;
        case launch_attribute_id::preferred_shared_memory_carveout:
            if (v.shared_mem_carveout > 100 && v.shared_mem_carveout != ~0u)
                refuse(status::invalid_value, "a carveout of ", v.shared_mem_carveout, " per cent");
            break;
        case launch_attribute_id::nvlink_util_centric_scheduling:
            if (v.nvlink_util_centric_scheduling > 1) refuse(status::invalid_value, "the NVLink scheduling attribute must be 0 or 1");
            break;
        case launch_attribute_id::device_updatable_kernel_node:
            refuse(stream == nullptr ? status::not_supported : status::invalid_value,
                   stream == nullptr ? "the host driver has no device-updatable nodes" : "a device-updatable node is made in a graph only");
        default: refuse(status::invalid_value, "launch attribute ", static_cast<unsigned>(config.attributes[i].id), " is unknown");
        }
    }
    if (preferred.x != 0) {
        if (out.cluster.x == 0) refuse(status::invalid_value, "a preferred cluster size needs a cluster size");
        if (preferred.x % out.cluster.x != 0 || preferred.y % out.cluster.y != 0 || preferred.z % out.cluster.z != 0)
            refuse(status::invalid_cluster_size, "Preferred cluster dimensions of ", to_string(preferred),
                   " are no multiple of the cluster dimensions ", to_string(out.cluster));
    }
    return out;
}

} // namespace launch_detail

} // namespace hanabi::host::entries

#endif
