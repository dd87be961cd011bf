// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about the nodes of graphs: making them, and what they do.

#ifndef HANABI_HOST_ENTRIES_GRAPH_NODE_HPP
#define HANABI_HOST_ENTRIES_GRAPH_NODE_HPP

#include <hanabi/host/entries_graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace hanabi::host::entries {

namespace graph_detail {

/// What is common to all that add a node. `make` checks what the node is to do.
template <class Make>
status add(call& c, driver::graph_node_handle* node, driver::graph_handle handle, const driver::graph_node_handle* dependencies,
           const driver::graph_edge_data* data, std::size_t count, driver::graph_node_type type, Make make) {
    detail::graph_object& graph = c.graph(handle);
    if (node == nullptr) refuse(status::invalid_value, "the pointer for the node is null");
    const auto edges = read_edges(c, graph, dependencies, data, count);
    for (const detail::graph_edge& e : edges) { // before anything is made
        detail::graph_node_object wanted;
        wanted.graph = &graph;
        wanted.type = type;
        wanted.number = graph.last_number + 1;
        check_edge(graph, *e.from, wanted, e.data);
    }
    *node = detail::handle_of<driver::graph_node_handle>(make_node(c, graph, type, detail::node_task{make(graph)}, edges)->handle);
    return status::success;
}

inline detail::child_task make_child(call& c, const detail::graph_object& graph, driver::graph_handle child) {
    const auto original = c.graph_pointer(child);
    if (original.get() == &graph) refuse(status::invalid_value, "a graph can't be its own child");
    if (original->capturing) refuse(status::invalid_value, "the child graph is being captured");
    if (has_conditional(*original)) refuse(status::invalid_value, "a graph with conditional nodes can't be a child");
    auto copy = clone(c, *original);
    copy->owned = true;
    return {std::move(copy)};
}

inline detail::conditional_task make_conditional(call& c, const detail::graph_object& graph, driver::conditional_node_params& p) {
    const auto found = c.state.conditionals.find(static_cast<std::uintptr_t>(p.handle));
    if (found == c.state.conditionals.end()) refuse(status::invalid_value, "no such conditional handle");
    if (found->second->graph != graph.handle) refuse(status::invalid_value, "the conditional handle was made for another graph");
    if (found->second->used) refuse(status::invalid_value, "the conditional handle has a node already");
    const int version = c.state.settings.driver_version;
    switch (p.type) {
    case driver::graph_conditional_type::if_:
        if (p.size != 1 && (p.size != 2 || version < 12080)) refuse(status::invalid_value, "an if node with ", p.size, " bodies");
        break;
    case driver::graph_conditional_type::while_:
        if (p.size != 1) refuse(status::invalid_value, "a while node with ", p.size, " bodies");
        break;
    case driver::graph_conditional_type::switch_:
        if (p.size == 0 || version < 12080) refuse(status::invalid_value, "a switch node with ", p.size, " bodies");
        break;
    default: refuse(status::invalid_value, "no such type of conditional node");
    }
    detail::conditional_task task;
    task.where = context_of(c, p.context);
    task.condition = found->second;
    task.handles = std::make_shared<std::vector<driver::graph_handle>>();
    for (unsigned i = 0; i < p.size; ++i) {
        auto body = make_graph(c.state);
        body->owned = true;
        task.handles->push_back(detail::handle_of<driver::graph_handle>(body->handle));
        task.bodies.push_back(std::move(body));
    }
    found->second->used = true;
    p.bodies = task.handles->data();
    task.params = p;
    return task;
}

template <class Task>
const Task& task_of(const detail::graph_node_object& node, const char* what) {
    const Task* const found = std::get_if<Task>(node.task.get());
    if (found == nullptr) refuse(status::invalid_value, "the node is a ", name_of(node.type), " node, not a ", what, " one");
    return *found;
}

inline void replace(detail::graph_node_object& node, detail::node_task task) {
    node.task = std::make_shared<const detail::node_task>(std::move(task));
}

inline const detail::event_task& event_task_of(const detail::graph_node_object& node, driver::graph_node_type type) {
    if (node.type != type) refuse(status::invalid_value, "the node is a ", name_of(node.type), " node, not a ", name_of(type), " one");
    return std::get<detail::event_task>(*node.task);
}

} // namespace graph_detail

inline status HANABI_CUDAAPI graph_add_kernel_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                                   const driver::graph_node_handle* dependencies, std::size_t count,
                                                   const driver::kernel_node_params* params) {
    return enter(driver::entry::graph_add_kernel_node, needs::initialisation, [&](call& c) {
        return graph_detail::add(c, node, graph, dependencies, nullptr, count, driver::graph_node_type::kernel,
                                 [&](const detail::graph_object&) { return graph_detail::accept_kernel(c, params, {}); });
    });
}

inline status HANABI_CUDAAPI graph_add_memcpy_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                                   const driver::graph_node_handle* dependencies, std::size_t count,
                                                   const driver::memcpy_3d* copy, driver::context_handle context) {
    return enter(driver::entry::graph_add_memcpy_node, needs::initialisation, [&](call& c) {
        return graph_detail::add(c, node, graph, dependencies, nullptr, count, driver::graph_node_type::memcpy,
                                 [&](const detail::graph_object&) { return graph_detail::accept_copy(c, copy, context); });
    });
}

inline status HANABI_CUDAAPI graph_add_memset_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                                   const driver::graph_node_handle* dependencies, std::size_t count,
                                                   const driver::memset_node_params* params, driver::context_handle context) {
    return enter(driver::entry::graph_add_memset_node, needs::initialisation, [&](call& c) {
        return graph_detail::add(c, node, graph, dependencies, nullptr, count, driver::graph_node_type::memset,
                                 [&](const detail::graph_object&) { return graph_detail::accept_fill(c, params, context); });
    });
}

inline status HANABI_CUDAAPI graph_add_host_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                                 const driver::graph_node_handle* dependencies, std::size_t count,
                                                 const driver::host_node_params* params) {
    return enter(driver::entry::graph_add_host_node, needs::initialisation, [&](call& c) {
        return graph_detail::add(c, node, graph, dependencies, nullptr, count, driver::graph_node_type::host,
                                 [&](const detail::graph_object&) { return graph_detail::accept_host(params); });
    });
}

inline status HANABI_CUDAAPI graph_add_child_graph_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                                        const driver::graph_node_handle* dependencies, std::size_t count,
                                                        driver::graph_handle child) {
    return enter(driver::entry::graph_add_child_graph_node, needs::initialisation, [&](call& c) {
        return graph_detail::add(c, node, graph, dependencies, nullptr, count, driver::graph_node_type::graph,
                                 [&](const detail::graph_object& g) { return graph_detail::make_child(c, g, child); });
    });
}

inline status HANABI_CUDAAPI graph_add_empty_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                                  const driver::graph_node_handle* dependencies, std::size_t count) {
    return enter(driver::entry::graph_add_empty_node, needs::initialisation, [&](call& c) {
        return graph_detail::add(c, node, graph, dependencies, nullptr, count, driver::graph_node_type::empty,
                                 [](const detail::graph_object&) { return detail::empty_task{}; });
    });
}

inline status HANABI_CUDAAPI graph_add_event_record_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                                         const driver::graph_node_handle* dependencies, std::size_t count,
                                                         driver::event_handle event) {
    return enter(driver::entry::graph_add_event_record_node, needs::initialisation, [&](call& c) {
        return graph_detail::add(c, node, graph, dependencies, nullptr, count, driver::graph_node_type::event_record,
                                 [&](const detail::graph_object&) { return graph_detail::accept_event(c, event); });
    });
}

inline status HANABI_CUDAAPI graph_add_event_wait_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                                       const driver::graph_node_handle* dependencies, std::size_t count,
                                                       driver::event_handle event) {
    return enter(driver::entry::graph_add_event_wait_node, needs::initialisation, [&](call& c) {
        return graph_detail::add(c, node, graph, dependencies, nullptr, count, driver::graph_node_type::wait_event,
                                 [&](const detail::graph_object&) { return graph_detail::accept_event(c, event); });
    });
}

inline status HANABI_CUDAAPI graph_add_node(driver::graph_node_handle* node, driver::graph_handle graph,
                                            const driver::graph_node_handle* dependencies, const driver::graph_edge_data* edges,
                                            std::size_t count, driver::graph_node_params* params) {
    return enter(driver::entry::graph_add_node, needs::initialisation, [&](call& c) {
        if (params == nullptr) refuse(status::invalid_value, "the parameters of the node are null");
        if (params->reserved0[0] != 0 || params->reserved0[1] != 0 || params->reserved0[2] != 0 || params->reserved2 != 0)
            refuse(status::invalid_value, "the reserved members of the node's parameters must be zero");
        const auto make = [&](detail::graph_object& g) -> detail::node_task {
            switch (params->type) {
            case driver::graph_node_type::kernel: return graph_detail::accept_kernel(c, &params->kernel, {});
            case driver::graph_node_type::memcpy: return graph_detail::accept_copy(c, &params->copy.copy, params->copy.context);
            case driver::graph_node_type::memset: return graph_detail::accept_fill(c, &params->fill.fill, params->fill.context);
            case driver::graph_node_type::host: return graph_detail::accept_host(&params->host);
            case driver::graph_node_type::graph:
                if (params->child.ownership != 0) refuse(status::not_supported, "the host driver does not move child graphs");
                return graph_detail::make_child(c, g, params->child.graph);
            case driver::graph_node_type::empty: return detail::empty_task{};
            case driver::graph_node_type::wait_event:
            case driver::graph_node_type::event_record: return graph_detail::accept_event(c, params->event);
            case driver::graph_node_type::conditional:
                if (c.state.settings.driver_version < 12040) refuse(status::not_supported, "conditional nodes came with CUDA 12.4");
                return graph_detail::make_conditional(c, g, params->conditional);
            default: refuse(status::not_supported, "the host driver has no nodes of type ", static_cast<unsigned>(params->type));
            }
        };
        return graph_detail::add(c, node, graph, dependencies, edges, count, params->type, make);
    });
}

inline status HANABI_CUDAAPI graph_conditional_handle_create(driver::graph_conditional_handle* handle, driver::graph_handle graph,
                                                             driver::context_handle context, unsigned default_value, unsigned flags) {
    return enter(driver::entry::graph_conditional_handle_create, needs::initialisation, [&](call& c) {
        detail::graph_object& g = c.graph(graph);
        if (handle == nullptr) refuse(status::invalid_value, "the pointer for the handle is null");
        if (flags > driver::graph_conditional_assign_default) refuse(status::invalid_value, "flags ", flags, " are not valid");
        if (c.state.settings.driver_version < 12040) refuse(status::not_supported, "conditional nodes came with CUDA 12.4");
        graph_detail::context_of(c, context);
        const auto made = std::make_shared<detail::conditional_object>();
        made->graph = g.handle;
        made->default_value = default_value;
        made->assign_default = flags != 0;
        const std::uintptr_t number = c.state.handles.next(detail::handle_kind::conditional);
        c.state.conditionals[number] = made;
        g.conditionals.push_back(number);
        *handle = number;
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_kernel_node_get_params(driver::graph_node_handle node, driver::kernel_node_params* params) {
    return enter(driver::entry::graph_kernel_node_get_params, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::kernel_task>(*found, "kernel");
        if (params == nullptr) refuse(status::invalid_value, "the pointer for the parameters is null");
        *params = {};
        params->function = detail::handle_of<driver::function_handle>(task.function->handle);
        params->grid_x = task.grid.x, params->grid_y = task.grid.y, params->grid_z = task.grid.z;
        params->block_x = task.block.x, params->block_y = task.block.y, params->block_z = task.block.z;
        params->shared_bytes = task.shared_bytes;
        params->parameters = const_cast<void**>(task.pointers.data()); // the node's own, to be read
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_kernel_node_set_params(driver::graph_node_handle node, const driver::kernel_node_params* params) {
    return enter(driver::entry::graph_kernel_node_set_params, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::kernel_task>(*found, "kernel");
        graph_detail::replace(*found, graph_detail::accept_kernel(c, params, task.attributes));
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_kernel_node_get_attribute(driver::graph_node_handle node, driver::launch_attribute_id id,
                                                             driver::launch_attribute_value* value) {
    return enter(driver::entry::graph_kernel_node_get_attribute, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::kernel_task>(*found, "kernel");
        if (value == nullptr) refuse(status::invalid_value, "the pointer for the value is null");
        *value = {};
        for (const driver::launch_attribute& a : task.attributes)
            if (a.id == id) *value = a.value;
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_kernel_node_set_attribute(driver::graph_node_handle node, driver::launch_attribute_id id,
                                                             const driver::launch_attribute_value* value) {
    return enter(driver::entry::graph_kernel_node_set_attribute, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::kernel_task>(*found, "kernel");
        if (value == nullptr) refuse(status::invalid_value, "the value is null");
        detail::kernel_task changed = task;
        std::erase_if(changed.attributes, [&](const driver::launch_attribute& a) { return a.id == id; });
        driver::launch_attribute added{};
        added.id = id;
        added.value = *value;
        changed.attributes.push_back(added);
        graph_detail::replace(*found, graph_detail::check_again(c, std::move(changed)));
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_kernel_node_copy_attributes(driver::graph_node_handle destination, driver::graph_node_handle source) {
    return enter(driver::entry::graph_kernel_node_copy_attributes, needs::initialisation, [&](call& c) {
        const auto to = c.node(destination);
        const auto from = c.node(source);
        detail::kernel_task changed = graph_detail::task_of<detail::kernel_task>(*to, "kernel");
        changed.attributes = graph_detail::task_of<detail::kernel_task>(*from, "kernel").attributes;
        graph_detail::replace(*to, graph_detail::check_again(c, std::move(changed)));
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_memcpy_node_get_params(driver::graph_node_handle node, driver::memcpy_3d* copy) {
    return enter(driver::entry::graph_memcpy_node_get_params, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::memcpy_task>(*found, "memcpy");
        if (copy == nullptr) refuse(status::invalid_value, "the pointer for the parameters is null");
        *copy = task.copy;
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_memcpy_node_set_params(driver::graph_node_handle node, const driver::memcpy_3d* copy) {
    return enter(driver::entry::graph_memcpy_node_set_params, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::memcpy_task>(*found, "memcpy");
        graph_detail::replace(*found, graph_detail::accept_copy(c, copy, detail::handle_of<driver::context_handle>(task.where.handle)));
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_memset_node_get_params(driver::graph_node_handle node, driver::memset_node_params* params) {
    return enter(driver::entry::graph_memset_node_get_params, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::memset_task>(*found, "memset");
        if (params == nullptr) refuse(status::invalid_value, "the pointer for the parameters is null");
        *params = task.fill;
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_memset_node_set_params(driver::graph_node_handle node, const driver::memset_node_params* params) {
    return enter(driver::entry::graph_memset_node_set_params, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::memset_task>(*found, "memset");
        graph_detail::replace(*found, graph_detail::accept_fill(c, params, detail::handle_of<driver::context_handle>(task.where.handle)));
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_host_node_get_params(driver::graph_node_handle node, driver::host_node_params* params) {
    return enter(driver::entry::graph_host_node_get_params, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::host_task>(*found, "host");
        if (params == nullptr) refuse(status::invalid_value, "the pointer for the parameters is null");
        *params = task.call;
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_host_node_set_params(driver::graph_node_handle node, const driver::host_node_params* params) {
    return enter(driver::entry::graph_host_node_set_params, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        static_cast<void>(graph_detail::task_of<detail::host_task>(*found, "host"));
        graph_detail::replace(*found, graph_detail::accept_host(params));
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_child_graph_node_get_graph(driver::graph_node_handle node, driver::graph_handle* child) {
    return enter(driver::entry::graph_child_graph_node_get_graph, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::task_of<detail::child_task>(*found, "child graph");
        if (child == nullptr) refuse(status::invalid_value, "the pointer for the graph is null");
        *child = detail::handle_of<driver::graph_handle>(task.graph->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_event_record_node_get_event(driver::graph_node_handle node, driver::event_handle* event) {
    return enter(driver::entry::graph_event_record_node_get_event, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::event_task_of(*found, driver::graph_node_type::event_record);
        if (event == nullptr) refuse(status::invalid_value, "the pointer for the event is null");
        *event = detail::handle_of<driver::event_handle>(task.handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_event_record_node_set_event(driver::graph_node_handle node, driver::event_handle event) {
    return enter(driver::entry::graph_event_record_node_set_event, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        graph_detail::event_task_of(*found, driver::graph_node_type::event_record);
        graph_detail::replace(*found, graph_detail::accept_event(c, event));
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_event_wait_node_get_event(driver::graph_node_handle node, driver::event_handle* event) {
    return enter(driver::entry::graph_event_wait_node_get_event, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        const auto& task = graph_detail::event_task_of(*found, driver::graph_node_type::wait_event);
        if (event == nullptr) refuse(status::invalid_value, "the pointer for the event is null");
        *event = detail::handle_of<driver::event_handle>(task.handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_event_wait_node_set_event(driver::graph_node_handle node, driver::event_handle event) {
    return enter(driver::entry::graph_event_wait_node_set_event, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        graph_detail::event_task_of(*found, driver::graph_node_type::wait_event);
        graph_detail::replace(*found, graph_detail::accept_event(c, event));
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
