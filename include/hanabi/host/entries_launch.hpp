// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Launches: everything a driver looks at before it accepts one.

#ifndef HANABI_HOST_ENTRIES_LAUNCH_HPP
#define HANABI_HOST_ENTRIES_LAUNCH_HPP

#include <hanabi/host/kernel_run.hpp>
#include <hanabi/host/occupancy.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

namespace launch_detail {

/// What the attributes of a launch come to.
struct wishes {
    bool cooperative = false;
    bool programmatic = false;
    extent cluster{0, 0, 0};
    std::vector<detail::event_object*> events; ///< recorded when the kernel is done
};

inline std::string name_of(const detail::function_object& f) {
    return (f.module->label.empty() ? std::string{} : f.module->label + "::") + f.kernel.name;
}

inline void check_flag(int value, const char* what) {
    if (value != 0 && value != 1) refuse(status::invalid_value, "the launch attribute ", what, " is ", value, " and must be 0 or 1");
}

inline detail::event_object* check_event(call& c, driver::event_handle handle, const detail::stream_object& stream) {
    detail::event_object& e = c.event(handle);
    if (e.context != stream.context) refuse(status::invalid_handle, "the event and the stream belong to different contexts");
    if ((e.flags & driver::event_flags::disable_timing) == 0)
        refuse(status::invalid_value, "an event of a launch attribute must be made without timing");
    return &e;
}

/// Every attribute: its range, and what it asks for.
inline wishes read_attributes(call& c, const driver::launch_config& config, const device_config& device,
                              const detail::stream_object& stream) {
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
            out.programmatic = v.programmatic_stream_serialization_allowed != 0;
            break;
        case launch_attribute_id::programmatic_event:
            check_flag(v.programmatic_event.trigger_at_block_start, "programmatic event, trigger at block start");
            if ((v.programmatic_event.flags & ~1) != 0) refuse(status::invalid_value, "no such flags of a programmatic event");
            out.events.push_back(check_event(c, v.programmatic_event.event, stream));
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
            out.events.push_back(check_event(c, v.launch_completion_event.event, stream));
            break;
        case launch_attribute_id::preferred_shared_memory_carveout:
            if (v.shared_mem_carveout > 100 && v.shared_mem_carveout != ~0u)
                refuse(status::invalid_value, "a carveout of ", v.shared_mem_carveout, " per cent");
            break;
        case launch_attribute_id::nvlink_util_centric_scheduling:
            if (v.nvlink_util_centric_scheduling > 1) refuse(status::invalid_value, "the NVLink scheduling attribute must be 0 or 1");
            break;
        case launch_attribute_id::device_updatable_kernel_node:
            refuse(status::invalid_value, "a device-updatable node is made in a graph only");
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

inline void check_axis(const char* what, char axis, unsigned value, int limit) {
    if (value == 0) refuse(status::invalid_value, what, " Dimension ", std::string(1, axis), " of 0 is not valid");
    if (value > static_cast<unsigned>(limit))
        refuse(status::invalid_value, what, " Dimension ", std::string(1, axis), " of ", value, " exceeds maximum value of ", limit);
}

inline void check_extents(const device_config& device, const detail::kernel_facts& kernel, extent grid, extent block) {
    check_axis("Grid", 'X', grid.x, device.max_grid_x);
    check_axis("Grid", 'Y', grid.y, device.max_grid_y);
    check_axis("Grid", 'Z', grid.z, device.max_grid_z);
    check_axis("Block", 'X', block.x, device.max_block_x);
    check_axis("Block", 'Y', block.y, device.max_block_y);
    check_axis("Block", 'Z', block.z, device.max_block_z);
    if (block.volume() > static_cast<std::uint64_t>(device.max_threads_per_block))
        refuse(status::invalid_value, "Block dimensions of ", to_string(block), " are ", block.volume(),
               " threads, which exceeds maximum value of ", device.max_threads_per_block);
    if (kernel.required_threads.x != 0 && !(kernel.required_threads == block))
        refuse(status::invalid_value, "Block dimensions of ", to_string(block), " differ from ", to_string(kernel.required_threads),
               ", which ", kernel.name, " was compiled for");
    if (kernel.max_threads != 0 && block.volume() > kernel.max_threads)
        refuse(status::invalid_value, "Block dimensions of ", to_string(block), " are ", block.volume(), " threads, which exceeds the ",
               kernel.max_threads, " that ", kernel.name, " was compiled for");
}

inline void check_shared(const device_config& device, const detail::function_object& f, std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(f.max_dynamic_shared))
        refuse(status::invalid_value, "Requested dynamic shared memory size of ", bytes, " bytes exceeds maximum value of ",
               f.max_dynamic_shared, " set for ", f.kernel.name, ", which has ", f.kernel.static_shared,
               " bytes of static shared memory (device limits: ", device.shared_memory_per_block, ", with opt-in ",
               device.shared_memory_per_block_optin, ")");
}

/// The cluster of a launch: zeros for none.
inline extent check_cluster(const device_config& device, const detail::function_object& f, const wishes& w, extent grid) {
    const detail::kernel_facts& kernel = f.kernel;
    extent cluster = w.cluster;
    const bool by_attribute = cluster.x != 0;
    const extent required = kernel.required_cluster;
    if (required.x != 0) {
        if (by_attribute && !(cluster == required))
            refuse(status::invalid_cluster_size, "Cluster dimensions of ", to_string(cluster), " differ from ", to_string(required),
                   ", which ", kernel.name, " was compiled for");
        cluster = required;
    } else if (!by_attribute && f.cluster.x != 0)
        cluster = {f.cluster.x, f.cluster.y == 0 ? 1 : f.cluster.y, f.cluster.z == 0 ? 1 : f.cluster.z};
    if (kernel.explicit_cluster && !by_attribute)
        refuse(status::invalid_cluster_size, kernel.name,
               " was compiled with .explicitcluster: the launch must carry the cluster attribute");
    if (cluster.x == 0) return cluster;
    if (!device.cluster_launch) refuse(status::not_supported, "the device has no clusters");
    const int most = f.non_portable_cluster ? device.max_non_portable_cluster_size : device.max_cluster_size;
    if (cluster.volume() > static_cast<std::uint64_t>(most))
        refuse(status::invalid_cluster_size, "Cluster dimensions of ", to_string(cluster), " are ", cluster.volume(),
               " blocks, which exceeds maximum value of ", most);
    if (kernel.max_cluster_rank != 0 && cluster.volume() > kernel.max_cluster_rank)
        refuse(status::invalid_cluster_size, "Cluster dimensions of ", to_string(cluster), " are ", cluster.volume(),
               " blocks, which exceeds the ", kernel.max_cluster_rank, " that ", kernel.name, " was compiled for");
    if (!kernel.blocks_are_clusters && (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0))
        refuse(status::invalid_cluster_size, "Cluster dimensions of ", to_string(cluster),
               " blocks does not evenly divide Grid dimensions of ", to_string(grid));
    return cluster;
}

/// The bytes of each parameter, copied; from pointers or from one packed buffer.
inline std::vector<std::vector<std::byte>> read_arguments(const detail::kernel_facts& kernel, void** parameters, void** extra,
                                                          bool cooperative) {
    std::vector<std::vector<std::byte>> out;
    const auto count = kernel.parameters.size();
    if (parameters != nullptr && extra != nullptr) refuse(status::invalid_value, "parameters are given in two ways at once");
    if (extra == nullptr) {
        if (parameters == nullptr && count != 0)
            refuse(status::invalid_value, kernel.name, " takes ", count, " parameters and none are given");
        for (std::size_t i = 0; i < count; ++i) {
            if (parameters[i] == nullptr)
                refuse(status::invalid_value, "the pointer to parameter ", i + 1, " of ", kernel.name, " is null");
            const auto* const bytes = static_cast<const std::byte*>(parameters[i]);
            out.emplace_back(bytes, bytes + kernel.parameters[i].size);
        }
        return out;
    }
    if (cooperative) refuse(status::invalid_value, "a cooperative launch does not take its parameters as a packed buffer");
    const std::byte* buffer = nullptr;
    const std::size_t* given = nullptr;
    for (std::size_t i = 0; extra[i] != nullptr; i += 2) {
        const auto tag = reinterpret_cast<std::uintptr_t>(extra[i]);
        if (tag == 1)
            buffer = static_cast<const std::byte*>(extra[i + 1]);
        else if (tag == 2)
            given = static_cast<const std::size_t*>(extra[i + 1]);
        else
            refuse(status::invalid_value, "no such tag in the extra parameters");
    }
    const std::size_t size = given == nullptr ? 0 : *given;
    const std::size_t wanted = kernel.parameter_bytes();
    if (size > wanted)
        refuse(status::launch_out_of_resources, "a packed parameter buffer of ", size, " bytes; the parameters of ", kernel.name,
               " end at ", wanted);
    if (size < wanted)
        refuse(status::invalid_value, "a packed parameter buffer of ", size, " bytes; the parameters of ", kernel.name, " end at ", wanted);
    if (buffer == nullptr && count != 0) refuse(status::invalid_value, "the packed parameter buffer is null");
    for (const auto& p : kernel.parameters) out.emplace_back(buffer + p.offset, buffer + p.offset + p.size);
    return out;
}

/// The body that runs, checked against the kernel's parameters; null when none is to run.
inline std::shared_ptr<const detail::typed_body> body_for(call& c, const detail::function_object& f) {
    if (!c.state.settings.run_bodies) return nullptr;
    std::string reason;
    auto body = c.state.body_of(f.module->label, f.kernel.name, reason);
    if (body == nullptr) refuse(status::not_supported, reason);
    if (!f.kernel.parameters_known) return body;
    const auto differ = [&](const std::string& how) {
        refuse(status::not_supported, "the body defined for ", name_of(f), " does not fit the loaded kernel: ", how);
    };
    const std::size_t hidden = f.kernel.parameters.size() - std::min(f.kernel.parameters.size(), body->parameters.size());
    if (body->parameters.size() > f.kernel.parameters.size() || hidden > body->hidden)
        differ(detail::say("it takes ", body->parameters.size(), " parameters, the kernel ", f.kernel.parameters.size()));
    for (std::size_t i = 0; i < body->parameters.size(); ++i)
        if (body->parameters[i].size != f.kernel.parameters[i].size)
            differ(
                detail::say("parameter ", i + 1, " has ", body->parameters[i].size, " bytes, the kernel's ", f.kernel.parameters[i].size));
    return body;
}

/// Checks and submits; everything that refuses comes before anything changes.
inline void launch(call& c, const driver::launch_config& config, driver::function_handle function, void** parameters, void** extra,
                   bool with_attributes) {
    // A stream of a context's own says where the launch goes, whatever is current to the thread (seen on a driver 13.0); the
    // default ones are the current context's.
    detail::stream_object& stream = c.stream(config.stream);
    detail::context_object& here = *stream.context;
    detail::function_object& f = c.any_function(function);
    if (f.module->context != &here)
        refuse(status::invalid_handle, "the stream belongs to another context than the one that ", f.kernel.name, " was loaded into");
    const device_config& device = c.config(here);
    const wishes w = with_attributes ? read_attributes(c, config, device, stream) : wishes{};
    const extent grid{config.grid_x, config.grid_y, config.grid_z};
    const extent block{config.block_x, config.block_y, config.block_z};
    if (f.invented)
        refuse(status::not_found, "the module", call::quoted(f.module->label), " has no kernel ", f.kernel.name,
               ": the handle came from a look-up that was told to succeed");
    check_extents(device, f.kernel, grid, block);
    check_shared(device, f, config.shared_bytes);
    const extent cluster = check_cluster(device, f, w, grid);
    if (w.cooperative) {
        if (!device.cooperative_launch) refuse(status::not_supported, "the device has no cooperative launches");
        const int blocks = detail::resident_blocks(device, f.kernel, static_cast<int>(block.volume()), config.shared_bytes);
        const std::uint64_t most = static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(device.multiprocessors);
        if (grid.volume() > most)
            refuse(status::cooperative_launch_too_large, "a cooperative grid of ", grid.volume(), " blocks; ", most,
                   " of them can be on the device at once");
    }
    const auto body = body_for(c, f);
    detail::kernel_facts by_body;
    const detail::kernel_facts* layout = &f.kernel;
    if (!f.kernel.parameters_known && body != nullptr) {
        by_body.name = f.kernel.name;
        for (const detail::parameter_type& p : body->parameters) by_body.parameters.push_back({p.offset, p.size});
        layout = &by_body;
    }

    const auto run = std::make_shared<detail::kernel_run>();
    run->state = &c.state;
    run->module = c.state.modules.at(f.module->handle);
    run->body = body;
    run->name = name_of(f);
    // Blocks that are clusters: the grid counts those, and the kernel sees blocks.
    run->grid = f.kernel.blocks_are_clusters && cluster.x != 0 ? extent{grid.x * cluster.x, grid.y * cluster.y, grid.z * cluster.z} : grid;
    run->block = block;
    run->cluster = cluster.x == 0 ? extent{1, 1, 1} : cluster;
    run->shared_bytes = config.shared_bytes;
    run->static_limit = static_cast<std::size_t>(device.shared_memory_per_block);
    run->arguments = read_arguments(*layout, parameters, extra, w.cooperative);
    if (body != nullptr && c.state.settings.check_pointers) run->check_pointers(here.id);

    launch_record record;
    record.number = ++c.state.launch_count;
    record.module = f.module->label;
    record.symbol = f.kernel.name;
    record.grid = grid;
    record.block = block;
    record.cluster = cluster;
    record.shared_bytes = config.shared_bytes;
    record.stream = config.stream;
    record.context = detail::handle_of<driver::context_handle>(here.handle);
    record.context_id = here.id;
    record.cooperative = w.cooperative;
    record.programmatic = w.programmatic;
    if (with_attributes && config.attribute_count != 0)
        record.attributes.assign(config.attributes, config.attributes + config.attribute_count);
    record.arguments = run->arguments;
    c.state.launches.push_back(std::move(record));
    while (c.state.launches.size() > c.state.settings.kept_launches) c.state.launches.pop_front();

    c.use(run->memory);
    ++run->module->running;
    const auto op = c.submit(
        stream, [run] { return run->run(); },
        [run] {
            call::unuse(*run->state, run->memory);
            --run->module->running;
        });
    for (detail::event_object* e : w.events) e->record = op;
}

} // namespace launch_detail

inline status HANABI_CUDAAPI launch_kernel(driver::function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                           driver::stream_handle stream, void** parameters, void** extra) {
    return enter(driver::entry::launch_kernel, needs::initialisation, [&](call& c) {
        const driver::launch_config config{grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, nullptr, 0};
        launch_detail::launch(c, config, function, parameters, extra, false);
        return status::success;
    });
}

inline status HANABI_CUDAAPI launch_kernel_ex(const driver::launch_config* config, driver::function_handle function, void** parameters,
                                              void** extra) {
    return enter(driver::entry::launch_kernel_ex, needs::initialisation, [&](call& c) {
        c.context();
        if (config == nullptr) refuse(status::invalid_value, "the launch configuration is null");
        launch_detail::launch(c, *config, function, parameters, extra, true);
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
