// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Everything a driver looks at before it accepts a launch, into a stream or into a graph.

#ifndef HANABI_HOST_LAUNCH_CHECK_HPP
#define HANABI_HOST_LAUNCH_CHECK_HPP

#include <hanabi/host/graph_object.hpp>
#include <hanabi/host/kernel_run.hpp>
#include <hanabi/host/launch_attributes.hpp>
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
    if (kernel.explicit_cluster && required.x == 0 && !by_attribute && !w.more_to_come) // else its own size serves
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

/// The body that runs, checked against the kernel's parameters; null when none is to run, or when there is none that fits,
/// which `reason` tells.
inline std::shared_ptr<const detail::typed_body> body_of(const detail::driver_state& state, const detail::function_object& f,
                                                         std::string& reason) {
    if (!state.settings.run_bodies) return nullptr;
    auto body = state.body_of(f.module->label, f.kernel.name, reason);
    if (body == nullptr) {
        if (f.module->image.code == nullptr)
            reason += f.module->image.code_missing;
        else if (const std::string refusal = f.module->image.code->refusal(f.kernel.name); !refusal.empty())
            reason += "; its PTX can't be executed: " + refusal;
        else
            reason.clear(); // the PTX runs
        return nullptr;
    }
    if (!f.kernel.parameters_known) return body;
    const auto differ = [&](const std::string& how) {
        reason = detail::say("the body defined for ", name_of(f), " does not fit the loaded kernel: ", how);
        return nullptr;
    };
    const std::size_t hidden = f.kernel.parameters.size() - std::min(f.kernel.parameters.size(), body->parameters.size());
    if (body->parameters.size() > f.kernel.parameters.size() || hidden > body->hidden)
        return differ(detail::say("it takes ", body->parameters.size(), " parameters, the kernel ", f.kernel.parameters.size()));
    for (std::size_t i = 0; i < body->parameters.size(); ++i)
        if (body->parameters[i].size != f.kernel.parameters[i].size)
            return differ(
                detail::say("parameter ", i + 1, " has ", body->parameters[i].size, " bytes, the kernel's ", f.kernel.parameters[i].size));
    return body;
}

inline std::shared_ptr<const detail::typed_body> body_for(call& c, const detail::function_object& f) {
    std::string reason;
    auto body = body_of(c.state, f, reason);
    if (body == nullptr && !reason.empty()) refuse(status::not_supported, reason);
    return body;
}

/// Checks a launch, and copies its arguments. Throws what refuses it; nothing has changed then.
inline std::shared_ptr<detail::kernel_task> accept(call& c, detail::function_object& f, const driver::launch_config& config,
                                                   const wishes& w, void** parameters, void** extra) {
    const detail::context_object& here = *f.module->context;
    const device_config& device = c.config(here);
    const auto made = std::make_shared<detail::kernel_task>();
    made->grid = {config.grid_x, config.grid_y, config.grid_z};
    made->block = {config.block_x, config.block_y, config.block_z};
    made->shared_bytes = config.shared_bytes;
    made->where = {here.handle, here.id};
    made->cooperative = w.cooperative;
    made->programmatic = w.programmatic;
    if (f.invented)
        refuse(status::not_found, "the module", call::quoted(f.module->label), " has no kernel ", f.kernel.name,
               ": the handle came from a look-up that was told to succeed");
    check_extents(device, f.kernel, made->grid, made->block);
    check_shared(device, f, config.shared_bytes);
    made->cluster = check_cluster(device, f, w, made->grid);
    if (w.cooperative) {
        if (!device.cooperative_launch) refuse(status::not_supported, "the device has no cooperative launches");
        const int blocks = detail::resident_blocks(device, f.kernel, static_cast<int>(made->block.volume()), config.shared_bytes);
        const std::uint64_t most = static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(device.multiprocessors);
        if (made->grid.volume() > most)
            refuse(status::cooperative_launch_too_large, "a cooperative grid of ", made->grid.volume(), " blocks; ", most,
                   " of them can be on the device at once");
    }
    detail::kernel_facts by_body;
    const detail::kernel_facts* layout = &f.kernel;
    if (!f.kernel.parameters_known)
        if (const auto body = body_for(c, f)) {
            by_body.name = f.kernel.name;
            for (const detail::parameter_type& p : body->parameters) by_body.parameters.push_back({p.offset, p.size});
            layout = &by_body;
        }
    made->arguments = read_arguments(*layout, parameters, extra, w.cooperative);
    for (auto& bytes : made->arguments) made->pointers.push_back(bytes.data());
    if (config.attribute_count != 0) made->attributes.assign(config.attributes, config.attributes + config.attribute_count);
    made->function = c.state.functions.at(f.handle);
    made->module = c.state.modules.at(f.module->handle);
    return made;
}

/// Where a launch comes from, for its record.
struct launch_origin {
    driver::stream_handle stream = nullptr;
    std::uintptr_t node = 0;
    std::uint64_t graph_launch = 0;
    std::uint32_t graph = 0;       ///< CUPTI's number of the executable graph; 0: none
    std::uint64_t tools_id = 0;    ///< CUPTI's number of the node
    std::uint32_t correlation = 0; ///< of the call that launched the graph
};

/// What CUPTI is to say of it, where that is wanted.
inline void note_kernel(detail::kernel_run& run, const detail::kernel_task& task, const launch_origin& origin) {
    detail::cupti_feed& feed = detail::the_cupti_feed();
    if (!feed.active()) return;
    activity_record& r = run.note.record;
    r.kind = feed.kernel_kind();
    if (r.kind == activity_kind::invalid) return;
    const detail::kernel_facts& kernel = task.function->kernel;
    r.name = feed.keep(kernel.name);
    r.correlation = origin.correlation != 0 ? origin.correlation : detail::this_cupti_thread().correlation;
    r.device = static_cast<std::uint32_t>(task.module->context->device);
    r.context = static_cast<std::uint32_t>(task.where.id);
    r.stream = detail::stream_number(detail::number_of(origin.stream));
    const auto put = [](std::uint32_t(&to)[3], const extent& from) {
        to[0] = from.x;
        to[1] = from.y;
        to[2] = from.z;
    };
    put(r.grid, run.grid);
    put(r.block, task.block);
    put(r.cluster, task.cluster);
    r.registers = static_cast<std::uint32_t>(registers_of(kernel));
    r.static_shared = static_cast<std::uint32_t>(kernel.static_shared);
    r.dynamic_shared = task.shared_bytes;
    r.graph_id = origin.graph;
    r.graph_node_id = origin.tools_id;
    r.grid_id = static_cast<std::int64_t>(run.number);
}

/// A launch that was accepted, on its way: records it, and takes what it needs.
inline std::shared_ptr<detail::kernel_run> begin(detail::driver_state& state, const detail::kernel_task& task,
                                                 std::shared_ptr<const detail::typed_body> body, const launch_origin& origin) {
    const detail::function_object& f = *task.function;
    const auto run = std::make_shared<detail::kernel_run>();
    run->state = &state;
    run->module = task.module;
    run->body = std::move(body);
    run->name = name_of(f);
    // Blocks that are clusters: the grid counts those, and the kernel sees blocks.
    run->grid = task.grid;
    if (f.kernel.blocks_are_clusters && task.cluster.x != 0)
        run->grid = {task.grid.x * task.cluster.x, task.grid.y * task.cluster.y, task.grid.z * task.cluster.z};
    run->block = task.block;
    run->cluster = task.cluster.x == 0 ? extent{1, 1, 1} : task.cluster;
    run->shared_bytes = task.shared_bytes;
    const auto& devices = state.devices;
    run->static_limit =
        static_cast<std::size_t>(devices[static_cast<std::size_t>(task.module->context->device)].config.shared_memory_per_block);
    run->arguments = task.arguments;
    if (run->body == nullptr && state.settings.run_bodies && task.module->image.code != nullptr) {
        const device_config& device = devices[static_cast<std::size_t>(task.module->context->device)].config;
        run->code = task.module->image.code;
        run->kernel = f.kernel.name;
        run->code_context = task.where.id;
        run->cooperative = task.cooperative;
        run->explicit_cluster = task.cluster.x != 0;
        run->multiprocessors = static_cast<unsigned>(std::max(1, device.multiprocessors));
        run->resident_blocks = run->multiprocessors *
                               static_cast<std::size_t>(std::max(
                                   1, detail::resident_blocks(device, f.kernel, static_cast<int>(task.block.volume()), task.shared_bytes)));
    }
    if (run->body != nullptr && state.settings.check_pointers) run->check_pointers(task.where.id);

    launch_record record;
    record.number = ++state.launch_count;
    run->number = record.number;
    record.module = f.module->label;
    record.symbol = f.kernel.name;
    record.grid = task.grid;
    record.block = task.block;
    record.cluster = task.cluster;
    record.shared_bytes = task.shared_bytes;
    record.stream = origin.stream;
    record.context = detail::handle_of<driver::context_handle>(task.where.handle);
    record.context_id = task.where.id;
    record.cooperative = task.cooperative;
    record.programmatic = task.programmatic;
    record.attributes = task.attributes;
    record.arguments = task.arguments;
    record.graph_node = detail::handle_of<driver::graph_node_handle>(origin.node);
    record.graph_launch = origin.graph_launch;
    if (state.settings.check_races) run->note_accesses(record);
    state.launches.push_back(std::move(record));
    while (state.launches.size() > state.settings.kept_launches) state.launches.pop_front();

    note_kernel(*run, task, origin);
    for (const detail::allocation_ptr& a : run->memory) state.memory.use(*a);
    ++run->module->running;
    return run;
}

/// What ends it: under the lock.
inline void finish(const detail::kernel_run& run) {
    call::unuse(*run.state, run.memory);
    --run.module->running;
}

} // namespace launch_detail

} // namespace hanabi::host::entries

#endif
