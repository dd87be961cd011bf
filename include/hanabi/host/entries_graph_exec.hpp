// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about executable graphs: instantiation, launches, updates.

#ifndef HANABI_HOST_ENTRIES_GRAPH_EXEC_HPP
#define HANABI_HOST_ENTRIES_GRAPH_EXEC_HPP

#include <hanabi/host/entries_graph.hpp>
#include <hanabi/host/graph_run.hpp>
#include <hanabi/host/graph_update.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace hanabi::host::entries {

namespace graph_detail {

/// What instantiation ends in beside a status.
struct instantiation {
    driver::graph_instantiate_result result = driver::graph_instantiate_result::error;
    std::uintptr_t node = 0; ///< to blame; 0: none
};

[[noreturn]] inline void refuse_graph(instantiation& out, driver::graph_instantiate_result result, std::uintptr_t node, driver::status with,
                                      std::string why) {
    out.result = result;
    out.node = node;
    refuse(with, why);
}

/// What of a conditional body's nodes is permitted there.
inline void check_body(const detail::graph_object& body, instantiation& out) {
    for (const auto& node : body.nodes) {
        switch (node->type) {
        case driver::graph_node_type::kernel:
        case driver::graph_node_type::memcpy:
        case driver::graph_node_type::memset:
        case driver::graph_node_type::empty:
        case driver::graph_node_type::conditional: break;
        case driver::graph_node_type::graph: check_body(*std::get<detail::child_task>(*node->task).graph, out); break;
        default:
            refuse_graph(out, driver::graph_instantiate_result::node_operation_not_supported, node->handle, status::not_supported,
                         detail::say("a ", name_of(node->type), " node in the body of a conditional node"));
        }
    }
}

/// A graph put into an order in which each node comes after what it depends on; its children too.
inline std::shared_ptr<detail::exec_graph> freeze(call& c, const detail::graph_object& graph, instantiation& out) {
    auto made = std::make_shared<detail::exec_graph>();
    const std::size_t count = graph.nodes.size();
    std::unordered_map<const detail::graph_node_object*, std::uint32_t> positions;
    for (std::uint32_t i = 0; i < count; ++i) positions[graph.nodes[i].get()] = i;
    std::vector<std::vector<std::uint32_t>> after(count);
    std::vector<std::size_t> waiting(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        waiting[i] = graph.nodes[i]->before.size();
        for (const detail::graph_edge& e : graph.nodes[i]->before) after[positions.at(e.from)].push_back(i);
    }
    std::vector<std::uint32_t> order, index(count);
    for (std::uint32_t i = 0; i < count; ++i)
        if (waiting[i] == 0) order.push_back(i);
    for (std::size_t at = 0; at < order.size(); ++at)
        for (const std::uint32_t next : after[order[at]])
            if (--waiting[next] == 0) order.push_back(next);
    if (order.size() != count) {
        std::uint32_t blamed = 0;
        while (waiting[blamed] == 0) ++blamed;
        refuse_graph(out, driver::graph_instantiate_result::invalid_structure, graph.nodes[blamed]->handle, status::invalid_value,
                     "the graph has a cycle");
    }
    for (std::uint32_t i = 0; i < count; ++i) index[order[i]] = i;
    made->nodes.reserve(count);
    for (const std::uint32_t position : order) {
        const detail::graph_node_object& node = *graph.nodes[position];
        detail::exec_node& n = made->nodes.emplace_back();
        n.task = node.task;
        n.type = node.type;
        n.source = node.handle;
        n.position = position;
        for (const detail::graph_edge& e : node.before) n.before.emplace_back(index[positions.at(e.from)], e.data);
        if (const auto* const kernel = std::get_if<detail::kernel_task>(node.task.get())) {
            if (!c.state.functions.contains(kernel->function->handle))
                refuse_graph(out, driver::graph_instantiate_result::error, node.handle, status::invalid_value,
                             launch_detail::name_of(*kernel->function) + ": its module was unloaded");
            const bool clustered = std::any_of(kernel->attributes.begin(), kernel->attributes.end(),
                                               [](const auto& a) { return a.id == driver::launch_attribute_id::cluster_dimension; });
            const detail::kernel_facts& facts = kernel->function->kernel;
            if (facts.explicit_cluster && facts.required_cluster.x == 0 && !clustered)
                refuse_graph(out, driver::graph_instantiate_result::error, node.handle, status::invalid_cluster_size,
                             facts.name + " was compiled with .explicitcluster: the node must have the cluster attribute");
        } else if (const auto* const child = std::get_if<detail::child_task>(node.task.get()))
            n.inner.push_back(freeze(c, *child->graph, out));
        else if (const auto* const conditional = std::get_if<detail::conditional_task>(node.task.get()))
            for (const auto& body : conditional->bodies) {
                check_body(*body, out);
                n.inner.push_back(freeze(c, *body, out));
            }
    }
    return made;
}

inline void index_nodes(detail::exec_object& exec, detail::exec_graph& graph) {
    for (detail::exec_node& n : graph.nodes) {
        exec.nodes[n.source] = &n;
        for (const auto& inner : n.inner) index_nodes(exec, *inner);
    }
}

/// A graph's references to user objects, taken once more, until the result goes.
inline std::shared_ptr<void> hold_users(detail::driver_state& state, const detail::graph_object& graph) {
    if (graph.users.empty()) return nullptr;
    for (const auto& [object, count] : graph.users) object->references += count;
    return std::shared_ptr<void>(new detail::user_references(graph.users), [&state](void* p) {
        const std::unique_ptr<detail::user_references> held{static_cast<detail::user_references*>(p)};
        for (const auto& [object, count] : *held) state.drop(object, count);
    });
}

inline void upload(call& c, driver::stream_handle handle) {
    detail::stream_object& s = c.stream(handle);
    c.not_captured(s);
    c.submit(s, nullptr, nullptr); // there is nothing to bring anywhere: only its place in the stream
}

inline status instantiate(call& c, driver::graph_exec_handle* exec, driver::graph_handle handle, unsigned long long flags,
                          driver::stream_handle upload_stream, instantiation& out) {
    namespace flag = driver::graph_instantiate_flags;
    const auto graph = c.graph_pointer(handle);
    if (exec == nullptr) refuse(status::invalid_value, "the pointer for the executable graph is null");
    if ((flags & ~(flag::auto_free_on_launch | flag::upload | flag::device_launch | flag::use_node_priority)) != 0)
        refuse(status::invalid_value, "flags ", flags, " are not valid");
    if ((flags & flag::device_launch) != 0) refuse(status::not_supported, "the host driver does not launch graphs from the device");
    if (graph->owned) refuse(status::invalid_value, "the graph belongs to a node, and can't be instantiated by itself");
    if (graph->capturing) refuse(status::invalid_value, "the graph is being captured");
    const bool conditional = has_conditional(*graph);
    if (conditional && graph->executables != 0)
        refuse(status::invalid_value, "a graph with conditional nodes has one executable graph at a time");
    for (const std::uintptr_t condition : graph->conditionals)
        if (!c.state.conditionals.at(condition)->used)
            refuse_graph(out, driver::graph_instantiate_result::conditional_handle_unused, 0, status::invalid_value,
                         "a conditional handle of the graph has no node");
    const auto made = std::make_shared<detail::exec_object>();
    made->top = freeze(c, *graph, out);
    index_nodes(*made, *made->top);
    if ((flags & flag::upload) != 0) upload(c, upload_stream);
    made->handle = c.state.handles.next(detail::handle_kind::graph_exec);
    made->source = graph;
    made->users = hold_users(c.state, *graph);
    made->conditional = conditional;
    ++graph->executables;
    c.state.executables[made->handle] = made;
    *exec = detail::handle_of<driver::graph_exec_handle>(made->handle);
    out.result = driver::graph_instantiate_result::success;
    return status::success;
}

/// Before a launch changes anything: whether every node can run.
inline void check_launch(call& c, const detail::exec_graph& graph) {
    for (const detail::exec_node& node : graph.nodes) {
        for (const auto& inner : node.inner) check_launch(c, *inner);
        const auto* const kernel = std::get_if<detail::kernel_task>(node.task.get());
        if (kernel == nullptr || !node.enabled) continue;
        const auto found = c.state.contexts.find(kernel->where.handle);
        if (found == c.state.contexts.end() || found->second->id != kernel->where.id)
            refuse(status::context_is_destroyed, "the context of ", kernel->function->kernel.name, " was destroyed");
        c.check(*found->second);
        if (!c.state.functions.contains(kernel->function->handle))
            refuse(status::invalid_handle, kernel->function->kernel.name, ": its module was unloaded");
        launch_detail::body_for(c, *kernel->function);
    }
}

inline void assign_defaults(const detail::exec_graph& graph) {
    for (const detail::exec_node& node : graph.nodes) {
        if (const auto* const task = std::get_if<detail::conditional_task>(node.task.get());
            task != nullptr && task->condition->assign_default)
            task->condition->value.store(task->condition->default_value, std::memory_order_release);
        for (const auto& inner : node.inner) assign_defaults(*inner);
    }
}

inline void launch(call& c, detail::exec_object& exec, driver::stream_handle handle) {
    detail::stream_object& stream = c.stream(handle);
    if (c.captures(stream)) {
        stream.capture->invalid = true;
        refuse(status::stream_capture_unsupported, "an executable graph can't be launched into a capture, which is invalidated");
    }
    c.not_implicit(stream);
    check_launch(c, *exec.top);
    const auto l = std::make_shared<graph_launch>();
    l->state = &c.state;
    l->home = c.state.contexts.at(stream.context->handle);
    l->within = std::make_shared<detail::lane>();
    l->within->limit = std::max<std::size_t>(1, c.state.settings.graph_concurrency);
    l->origin.stream = handle;
    l->origin.graph_launch = ++c.state.graph_launches;
    l->origin.graph = static_cast<std::uint32_t>(exec.handle >> 4); // the handle's serial
    l->origin.correlation = detail::this_cupti_thread().correlation;
    l->users = exec.users;
    operations before = c.predecessors(stream);
    before.push_back(exec.last);
    node_work begin;
    if (exec.conditional) begin.finish = [top = snapshot(*exec.top)] { assign_defaults(*top); };
    const detail::operation_ptr start = put(*l, std::move(begin), before);
    const detail::operation_ptr done = run_graph(l, *exec.top, start);
    node_work end;
    end.finish = [l] {}; // what the graph keeps alive stays until here
    exec.last = stream.tail = put(*l, std::move(end), {done});
}

/// The node of an executable graph that a node of its graph became.
inline detail::exec_node& exec_node_of(detail::exec_object& exec, driver::graph_node_handle node, driver::graph_node_type type) {
    const auto found = exec.nodes.find(detail::number_of(node));
    if (found == exec.nodes.end()) refuse(status::invalid_value, "the node is not one of the graph that was instantiated");
    if (found->second->type != type)
        refuse(status::invalid_value, "the node is a ", name_of(found->second->type), " node, not a ", name_of(type), " one");
    return *found->second;
}

/// The same, where it can be disabled.
inline detail::exec_node& switchable(detail::exec_object& exec, driver::graph_node_handle node) {
    const auto found = exec.nodes.find(detail::number_of(node));
    if (found == exec.nodes.end()) refuse(status::invalid_value, "the node is not one of the graph that was instantiated");
    const driver::graph_node_type type = found->second->type;
    if (type != driver::graph_node_type::kernel && type != driver::graph_node_type::memcpy && type != driver::graph_node_type::memset)
        refuse(status::invalid_value, "a ", name_of(type), " node can't be disabled");
    return *found->second;
}

inline void replace(detail::exec_node& node, detail::node_task task) {
    node.task = std::make_shared<const detail::node_task>(std::move(task));
}

inline void update_task(detail::exec_node& node, detail::node_task task) {
    std::string why;
    if (compare(*node.task, task, why) != driver::graph_exec_update_result::success) refuse(status::invalid_value, why);
    replace(node, std::move(task));
}

/// What all entries do that change a node of an executable graph: change(c, node), where it is one of the type.
template <class Change>
inline status change_node(driver::entry entry, driver::graph_exec_handle exec, driver::graph_node_handle node, driver::graph_node_type type,
                          Change change) {
    return enter(entry, needs::initialisation, [&](call& c) {
        const auto found = c.executable(exec);
        change(c, exec_node_of(*found, node, type));
        return status::success;
    });
}

} // namespace graph_detail

inline status HANABI_CUDAAPI graph_instantiate_with_flags(driver::graph_exec_handle* exec, driver::graph_handle graph,
                                                          unsigned long long flags) {
    return enter(driver::entry::graph_instantiate_with_flags, needs::initialisation, [&](call& c) {
        if ((flags & driver::graph_instantiate_flags::upload) != 0)
            refuse(status::invalid_value, "the flag to upload is for cuGraphInstantiateWithParams, which takes a stream");
        graph_detail::instantiation out;
        return graph_detail::instantiate(c, exec, graph, flags, nullptr, out);
    });
}

inline status HANABI_CUDAAPI graph_instantiate_with_params(driver::graph_exec_handle* exec, driver::graph_handle graph,
                                                           driver::graph_instantiate_params* params) {
    graph_detail::instantiation out;
    const status result = enter(driver::entry::graph_instantiate_with_params, needs::initialisation, [&](call& c) {
        if (params == nullptr) refuse(status::invalid_value, "the parameters are null");
        return graph_detail::instantiate(c, exec, graph, params->flags, params->upload_stream, out);
    });
    if (params != nullptr) {
        params->result = result == status::success ? driver::graph_instantiate_result::success : out.result;
        params->error_node = detail::handle_of<driver::graph_node_handle>(out.node);
    }
    return result;
}

inline status HANABI_CUDAAPI graph_upload(driver::graph_exec_handle exec, driver::stream_handle stream) {
    return enter(driver::entry::graph_upload, needs::initialisation, [&](call& c) {
        c.context();
        c.executable(exec);
        graph_detail::upload(c, stream);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_launch(driver::graph_exec_handle exec, driver::stream_handle stream) {
    return enter(driver::entry::graph_launch, needs::initialisation, [&](call& c) {
        c.context();
        graph_detail::launch(c, *c.executable(exec), stream);
        return status::success;
    });
}

/// A launch under way goes on.
inline status HANABI_CUDAAPI graph_exec_destroy(driver::graph_exec_handle exec) {
    return enter(driver::entry::graph_exec_destroy, needs::initialisation, [&](call& c) {
        const auto doomed = c.executable(exec);
        if (const auto source = doomed->source.lock()) --source->executables;
        c.state.executables.erase(doomed->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_exec_kernel_node_set_params(driver::graph_exec_handle exec, driver::graph_node_handle node,
                                                               const driver::kernel_node_params* params) {
    return graph_detail::change_node(driver::entry::graph_exec_kernel_node_set_params, exec, node, driver::graph_node_type::kernel,
                                     [&](call& c, detail::exec_node& n) {
                                         const auto& old = std::get<detail::kernel_task>(*n.task);
                                         graph_detail::update_task(n, graph_detail::accept_kernel(c, params, old.attributes));
                                     });
}

inline status HANABI_CUDAAPI graph_exec_memcpy_node_set_params(driver::graph_exec_handle exec, driver::graph_node_handle node,
                                                               const driver::memcpy_3d* copy, driver::context_handle context) {
    return graph_detail::change_node(
        driver::entry::graph_exec_memcpy_node_set_params, exec, node, driver::graph_node_type::memcpy,
        [&](call& c, detail::exec_node& n) { graph_detail::update_task(n, graph_detail::accept_copy(c, copy, context)); });
}

inline status HANABI_CUDAAPI graph_exec_memset_node_set_params(driver::graph_exec_handle exec, driver::graph_node_handle node,
                                                               const driver::memset_node_params* params, driver::context_handle context) {
    return graph_detail::change_node(
        driver::entry::graph_exec_memset_node_set_params, exec, node, driver::graph_node_type::memset,
        [&](call& c, detail::exec_node& n) { graph_detail::update_task(n, graph_detail::accept_fill(c, params, context)); });
}

inline status HANABI_CUDAAPI graph_exec_host_node_set_params(driver::graph_exec_handle exec, driver::graph_node_handle node,
                                                             const driver::host_node_params* params) {
    return graph_detail::change_node(driver::entry::graph_exec_host_node_set_params, exec, node, driver::graph_node_type::host,
                                     [&](call&, detail::exec_node& n) { graph_detail::replace(n, graph_detail::accept_host(params)); });
}

inline status HANABI_CUDAAPI graph_exec_child_graph_node_set_params(driver::graph_exec_handle exec, driver::graph_node_handle node,
                                                                    driver::graph_handle child) {
    return graph_detail::change_node(driver::entry::graph_exec_child_graph_node_set_params, exec, node, driver::graph_node_type::graph,
                                     [&](call& c, detail::exec_node& n) {
                                         const detail::graph_object& graph = c.graph(child);
                                         driver::graph_exec_update_result_info info{};
                                         std::string why;
                                         if (!graph_detail::update(*n.inner.front(), graph, false, info, why))
                                             refuse(status::invalid_value, why);
                                         graph_detail::update(*n.inner.front(), graph, true, info, why);
                                     });
}

inline status HANABI_CUDAAPI graph_exec_event_record_node_set_event(driver::graph_exec_handle exec, driver::graph_node_handle node,
                                                                    driver::event_handle event) {
    return graph_detail::change_node(
        driver::entry::graph_exec_event_record_node_set_event, exec, node, driver::graph_node_type::event_record,
        [&](call& c, detail::exec_node& n) { graph_detail::replace(n, graph_detail::accept_event(c, event)); });
}

inline status HANABI_CUDAAPI graph_exec_event_wait_node_set_event(driver::graph_exec_handle exec, driver::graph_node_handle node,
                                                                  driver::event_handle event) {
    return graph_detail::change_node(
        driver::entry::graph_exec_event_wait_node_set_event, exec, node, driver::graph_node_type::wait_event,
        [&](call& c, detail::exec_node& n) { graph_detail::replace(n, graph_detail::accept_event(c, event)); });
}

/// The nodes of the two are paired by the order in which they were made.
inline status HANABI_CUDAAPI graph_exec_update(driver::graph_exec_handle exec, driver::graph_handle graph,
                                               driver::graph_exec_update_result_info* info) {
    return enter(driver::entry::graph_exec_update, needs::initialisation, [&](call& c) {
        const auto found = c.executable(exec);
        const detail::graph_object& g = c.graph(graph);
        if (info == nullptr) refuse(status::invalid_value, "the pointer for the result is null");
        *info = {};
        std::string why;
        if (!graph_detail::update(*found->top, g, false, *info, why)) refuse(status::graph_exec_update_failure, why);
        graph_detail::update(*found->top, g, true, *info, why);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_node_set_enabled(driver::graph_exec_handle exec, driver::graph_node_handle node, unsigned enabled) {
    return enter(driver::entry::graph_node_set_enabled, needs::initialisation, [&](call& c) {
        const auto found = c.executable(exec);
        graph_detail::switchable(*found, node).enabled = enabled != 0;
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_node_get_enabled(driver::graph_exec_handle exec, driver::graph_node_handle node, unsigned* enabled) {
    return enter(driver::entry::graph_node_get_enabled, needs::initialisation, [&](call& c) {
        const auto found = c.executable(exec);
        const detail::exec_node& n = graph_detail::switchable(*found, node);
        if (enabled == nullptr) refuse(status::invalid_value, "the pointer for the answer is null");
        *enabled = n.enabled;
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
