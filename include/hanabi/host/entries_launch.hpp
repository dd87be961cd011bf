// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries that launch kernels into streams.

#ifndef HANABI_HOST_ENTRIES_LAUNCH_HPP
#define HANABI_HOST_ENTRIES_LAUNCH_HPP

#include <hanabi/host/graph_build.hpp>
#include <hanabi/host/launch_check.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace hanabi::host::entries {

namespace launch_detail {

/// Checks and submits, or captures; everything that refuses comes before anything changes.
inline void launch(call& c, const driver::launch_config& config, driver::function_handle function, void** parameters, void** extra) {
    // A stream of a context's own says where the launch goes, whatever is current to the thread (seen on a driver 13.0); the
    // default ones are the current context's.
    detail::stream_object& stream = c.stream(config.stream);
    detail::function_object& f = c.any_function(function);
    if (f.module->context != stream.context)
        refuse(status::invalid_handle, "the stream belongs to another context than the one that ", f.kernel.name, " was loaded into");
    const wishes w = read_attributes(c, config, c.config(*stream.context), &stream);
    auto task = accept(c, f, config, w, parameters, extra);
    if (c.captures(stream)) {
        std::erase_if(task->attributes, [](const driver::launch_attribute& a) { // the edges say it
            return a.id == driver::launch_attribute_id::programmatic_stream_serialization ||
                   a.id == driver::launch_attribute_id::programmatic_event || a.id == driver::launch_attribute_id::launch_completion_event;
        });
        task->programmatic = false;
        const auto node = graph_detail::capture_node(c, stream, driver::graph_node_type::kernel, std::move(*task), w.programmatic);
        for (const launch_event& e : w.events) {
            driver::graph_edge_data data{};
            data.from_port = e.port;
            data.type = static_cast<unsigned char>(driver::graph_dependency_type::programmatic);
            e.event->capture = stream.capture;
            e.event->capture_after.assign(1, {node, data});
        }
        return;
    }
    c.not_implicit(stream);
    auto body = body_for(c, f);
    launch_origin origin;
    origin.stream = config.stream;
    const auto run = begin(c.state, *task, std::move(body), origin);
    const auto op = c.submit(
        stream, [run] { return run->run(); }, [run] { finish(*run); }, nullptr, run->touched, run->name, run->number);
    for (const launch_event& e : w.events) {
        e.event->record = op;
        e.event->capture = nullptr;
        e.event->capture_after.clear();
    }
}

} // namespace launch_detail

inline status HANABI_CUDAAPI launch_kernel(driver::function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                           driver::stream_handle stream, void** parameters, void** extra) {
    return enter(driver::entry::launch_kernel, needs::initialisation, [&](call& c) {
        const driver::launch_config config{grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, nullptr, 0};
        launch_detail::launch(c, config, function, parameters, extra);
        return status::success;
    });
}

inline status HANABI_CUDAAPI launch_kernel_ex(const driver::launch_config* config, driver::function_handle function, void** parameters,
                                              void** extra) {
    return enter(driver::entry::launch_kernel_ex, needs::initialisation, [&](call& c) {
        c.context();
        if (config == nullptr) refuse(status::invalid_value, "the launch configuration is null");
        launch_detail::launch(c, *config, function, parameters, extra);
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
