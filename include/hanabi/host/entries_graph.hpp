// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about graphs as a whole: making and ending them, their edges, what they consist of.

#ifndef HANABI_HOST_ENTRIES_GRAPH_HPP
#define HANABI_HOST_ENTRIES_GRAPH_HPP

#include <hanabi/host/graph_build.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace hanabi::host::entries {

namespace graph_detail {

/// Fills the caller's arrays as the driver does: with no array the count is asked for; with one, `count` is its length,
/// what is left over becomes null, and the number of elements comes back.
template <class Write>
void hand_out(std::size_t found, std::size_t* count, bool wanted, Write write) {
    if (count == nullptr) refuse(status::invalid_value, "the pointer for the count is null");
    if (wanted) {
        for (std::size_t i = 0; i < *count; ++i) write(i);
        if (*count > found) *count = found;
    } else
        *count = found;
}

inline void refuse_lossy() {
    refuse(status::lossy_query, "an edge has data, which this call can't give: ask with the entry of CUDA 12.3, and an array for it");
}

inline bool has_conditional(const detail::graph_object& graph) {
    for (const auto& node : graph.nodes) {
        if (node->type == driver::graph_node_type::conditional) return true;
        if (const auto* const child = std::get_if<detail::child_task>(node->task.get()))
            if (has_conditional(*child->graph)) return true;
    }
    return false;
}

/// A copy, children included. Knows what each node was.
inline std::shared_ptr<detail::graph_object> clone(call& c, const detail::graph_object& original) {
    auto made = make_graph(c.state);
    made->original = original.handle;
    std::unordered_map<const detail::graph_node_object*, detail::graph_node_object*> twins;
    for (const auto& node : original.nodes) {
        detail::node_task task = detail::empty_task{};
        if (const auto* const child = std::get_if<detail::child_task>(node->task.get())) {
            auto inner = clone(c, *child->graph);
            inner->owned = true;
            task = detail::child_task{std::move(inner)};
        }
        const auto twin = make_node(c, *made, node->type, std::move(task), {});
        if (node->type != driver::graph_node_type::graph) twin->task = node->task;
        twin->original = node->handle;
        twins[node.get()] = twin.get();
    }
    for (const auto& node : original.nodes)
        for (const detail::graph_edge& e : node->before) add_edge(*made, *twins.at(e.from), *twins.at(node.get()), e.data);
    for (const auto& [object, count] : original.users) {
        object->references += count;
        made->users.emplace_back(object, count);
    }
    return made;
}

inline status get_edges(call& c, driver::graph_handle handle, driver::graph_node_handle* from, driver::graph_node_handle* to,
                        driver::graph_edge_data* data, std::size_t* count) {
    const detail::graph_object& graph = c.graph(handle);
    if ((from == nullptr) != (to == nullptr)) refuse(status::invalid_value, "one of the arrays is null and the other is not");
    std::vector<std::pair<const detail::graph_edge*, const detail::graph_node_object*>> all;
    for (const auto& node : graph.nodes)
        for (const detail::graph_edge& e : node->before) {
            all.emplace_back(&e, node.get());
            if (from != nullptr && data == nullptr && !e.plain()) refuse_lossy();
        }
    hand_out(all.size(), count, from != nullptr, [&](std::size_t i) {
        const bool there = i < all.size();
        from[i] = there ? detail::handle_of<driver::graph_node_handle>(all[i].first->from->handle) : nullptr;
        to[i] = there ? detail::handle_of<driver::graph_node_handle>(all[i].second->handle) : nullptr;
        if (data != nullptr) data[i] = there ? all[i].first->data : driver::graph_edge_data{};
    });
    return status::success;
}

inline status get_dependencies(call& c, driver::graph_node_handle handle, driver::graph_node_handle* dependencies,
                               driver::graph_edge_data* data, std::size_t* count) {
    const auto node = c.node(handle);
    if (dependencies != nullptr && data == nullptr)
        for (const detail::graph_edge& e : node->before)
            if (!e.plain()) refuse_lossy();
    hand_out(node->before.size(), count, dependencies != nullptr, [&](std::size_t i) {
        const bool there = i < node->before.size();
        dependencies[i] = there ? detail::handle_of<driver::graph_node_handle>(node->before[i].from->handle) : nullptr;
        if (data != nullptr) data[i] = there ? node->before[i].data : driver::graph_edge_data{};
    });
    return status::success;
}

inline status add_dependencies(call& c, driver::graph_handle handle, const driver::graph_node_handle* from,
                               const driver::graph_node_handle* to, const driver::graph_edge_data* data, std::size_t count) {
    detail::graph_object& graph = c.graph(handle);
    if (count != 0 && (from == nullptr || to == nullptr)) refuse(status::invalid_value, "dependencies are announced and null");
    std::vector<std::pair<std::shared_ptr<detail::graph_node_object>, std::shared_ptr<detail::graph_node_object>>> added;
    try {
        for (std::size_t i = 0; i < count; ++i) {
            const auto a = c.node(from[i]);
            const auto b = c.node(to[i]);
            const driver::graph_edge_data d = data == nullptr ? driver::graph_edge_data{} : data[i];
            check_edge(graph, *a, *b, d);
            add_edge(graph, *a, *b, d);
            added.emplace_back(a, b);
        }
    } catch (const detail::refusal&) { // all or nothing
        for (; !added.empty(); added.pop_back()) {
            graph.edges.erase(detail::graph_object::key(*added.back().first, *added.back().second));
            added.back().second->before.pop_back();
        }
        throw;
    }
    return status::success;
}

} // namespace graph_detail

inline status HANABI_CUDAAPI graph_create(driver::graph_handle* graph, unsigned flags) {
    return enter(driver::entry::graph_create, needs::initialisation, [&](call& c) {
        if (graph == nullptr) refuse(status::invalid_value, "the pointer for the graph is null");
        if (flags != 0) refuse(status::invalid_value, "flags are ", flags, " and must be 0");
        *graph = detail::handle_of<driver::graph_handle>(graph_detail::make_graph(c.state)->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_destroy(driver::graph_handle graph) {
    return enter(driver::entry::graph_destroy, needs::initialisation, [&](call& c) {
        const auto doomed = c.graph_pointer(graph);
        if (doomed->owned) refuse(status::invalid_value, "the graph belongs to a node: it goes with it");
        if (doomed->capturing) refuse(status::invalid_value, "the graph is being captured");
        c.state.destroy_graph(doomed);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_destroy_node(driver::graph_node_handle node) {
    return enter(driver::entry::graph_destroy_node, needs::initialisation, [&](call& c) {
        const auto doomed = c.node(node);
        detail::graph_object& graph = *doomed->graph;
        for (const detail::graph_edge& e : doomed->before) graph.edges.erase(detail::graph_object::key(*e.from, *doomed));
        for (const auto& other : graph.nodes)
            std::erase_if(other->before, [&](const detail::graph_edge& e) {
                if (e.from != doomed.get()) return false;
                graph.edges.erase(detail::graph_object::key(*doomed, *other));
                return true;
            });
        std::erase(graph.nodes, doomed);
        c.state.forget_node(*doomed);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_clone(driver::graph_handle* clone, driver::graph_handle original) {
    return enter(driver::entry::graph_clone, needs::initialisation, [&](call& c) {
        const detail::graph_object& from = c.graph(original);
        if (clone == nullptr) refuse(status::invalid_value, "the pointer for the clone is null");
        if (graph_detail::has_conditional(from)) refuse(status::not_supported, "a graph with conditional nodes can't be cloned");
        *clone = detail::handle_of<driver::graph_handle>(graph_detail::clone(c, from)->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_node_find_in_clone(driver::graph_node_handle* node, driver::graph_node_handle original,
                                                      driver::graph_handle clone) {
    return enter(driver::entry::graph_node_find_in_clone, needs::initialisation, [&](call& c) {
        const detail::graph_object& graph = c.graph(clone);
        if (node == nullptr) refuse(status::invalid_value, "the pointer for the node is null");
        for (const auto& candidate : graph.nodes)
            if (candidate->original != 0 && candidate->original == detail::number_of(original)) {
                *node = detail::handle_of<driver::graph_node_handle>(candidate->handle);
                return status::success;
            }
        refuse(status::invalid_value, "the graph is no clone of that node's graph, or the node was destroyed in it");
    });
}

inline status HANABI_CUDAAPI graph_add_dependencies(driver::graph_handle graph, const driver::graph_node_handle* from,
                                                    const driver::graph_node_handle* to, std::size_t count) {
    return enter(driver::entry::graph_add_dependencies, needs::initialisation,
                 [&](call& c) { return graph_detail::add_dependencies(c, graph, from, to, nullptr, count); });
}

inline status HANABI_CUDAAPI graph_add_dependencies_v2(driver::graph_handle graph, const driver::graph_node_handle* from,
                                                       const driver::graph_node_handle* to, const driver::graph_edge_data* edges,
                                                       std::size_t count) {
    return enter(driver::entry::graph_add_dependencies_v2, needs::initialisation,
                 [&](call& c) { return graph_detail::add_dependencies(c, graph, from, to, edges, count); });
}

inline status HANABI_CUDAAPI graph_get_nodes(driver::graph_handle graph, driver::graph_node_handle* nodes, std::size_t* count) {
    return enter(driver::entry::graph_get_nodes, needs::initialisation, [&](call& c) {
        const detail::graph_object& g = c.graph(graph);
        graph_detail::hand_out(g.nodes.size(), count, nodes != nullptr, [&](std::size_t i) {
            nodes[i] = i < g.nodes.size() ? detail::handle_of<driver::graph_node_handle>(g.nodes[i]->handle) : nullptr;
        });
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_get_root_nodes(driver::graph_handle graph, driver::graph_node_handle* nodes, std::size_t* count) {
    return enter(driver::entry::graph_get_root_nodes, needs::initialisation, [&](call& c) {
        std::vector<std::uintptr_t> roots;
        for (const auto& node : c.graph(graph).nodes)
            if (node->before.empty()) roots.push_back(node->handle);
        graph_detail::hand_out(roots.size(), count, nodes != nullptr, [&](std::size_t i) {
            nodes[i] = i < roots.size() ? detail::handle_of<driver::graph_node_handle>(roots[i]) : nullptr;
        });
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_get_edges(driver::graph_handle graph, driver::graph_node_handle* from, driver::graph_node_handle* to,
                                             std::size_t* count) {
    return enter(driver::entry::graph_get_edges, needs::initialisation,
                 [&](call& c) { return graph_detail::get_edges(c, graph, from, to, nullptr, count); });
}

inline status HANABI_CUDAAPI graph_get_edges_v2(driver::graph_handle graph, driver::graph_node_handle* from, driver::graph_node_handle* to,
                                                driver::graph_edge_data* edges, std::size_t* count) {
    return enter(driver::entry::graph_get_edges_v2, needs::initialisation,
                 [&](call& c) { return graph_detail::get_edges(c, graph, from, to, edges, count); });
}

inline status HANABI_CUDAAPI graph_node_get_type(driver::graph_node_handle node, driver::graph_node_type* type) {
    return enter(driver::entry::graph_node_get_type, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        if (type == nullptr) refuse(status::invalid_value, "the pointer for the type is null");
        *type = found->type;
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_node_get_dependencies(driver::graph_node_handle node, driver::graph_node_handle* dependencies,
                                                         std::size_t* count) {
    return enter(driver::entry::graph_node_get_dependencies, needs::initialisation,
                 [&](call& c) { return graph_detail::get_dependencies(c, node, dependencies, nullptr, count); });
}

inline status HANABI_CUDAAPI graph_node_get_dependencies_v2(driver::graph_node_handle node, driver::graph_node_handle* dependencies,
                                                            driver::graph_edge_data* edges, std::size_t* count) {
    return enter(driver::entry::graph_node_get_dependencies_v2, needs::initialisation,
                 [&](call& c) { return graph_detail::get_dependencies(c, node, dependencies, edges, count); });
}

inline status HANABI_CUDAAPI graph_node_get_tools_id(driver::graph_node_handle node, unsigned long long* id) {
    return enter(driver::entry::graph_node_get_tools_id, needs::initialisation, [&](call& c) {
        const auto found = c.node(node);
        if (id == nullptr) refuse(status::invalid_value, "the pointer for the id is null");
        *id = found->tools_id;
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_debug_dot_print(driver::graph_handle graph, const char* path, unsigned flags) {
    return enter(driver::entry::graph_debug_dot_print, needs::initialisation, [&](call& c) {
        const detail::graph_object& g = c.graph(graph);
        static_cast<void>(flags); // whatever is asked for, names and edges are what there is to see
        if (path == nullptr) refuse(status::invalid_value, "the path is null");
        std::string text = "digraph dot {\n";
        for (const auto& node : g.nodes) {
            std::string label = graph_detail::name_of(node->type);
            if (const auto* const kernel = std::get_if<detail::kernel_task>(node->task.get()))
                label = launch_detail::name_of(*kernel->function) + "\\n" + to_string(kernel->grid) + " x " + to_string(kernel->block);
            text += detail::say("\"", node->number, "\" [label=\"", label, "\"];\n");
        }
        for (const auto& node : g.nodes)
            for (const detail::graph_edge& e : node->before)
                text += detail::say("\"", e.from->number, "\" -> \"", node->number, "\"", e.plain() ? "" : " [style=dashed]", ";\n");
        text += "}\n";
        std::FILE* const file = std::fopen(path, "w");
        if (file == nullptr) refuse(status::operating_system, "the file ", path, " can't be written");
        const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
        if (std::fclose(file) != 0 || !written) refuse(status::operating_system, "the file ", path, " can't be written");
        return status::success;
    });
}

inline status HANABI_CUDAAPI user_object_create(driver::user_object_handle* object, void* pointer, driver::host_function destroy,
                                                unsigned references, unsigned flags) {
    return enter(driver::entry::user_object_create, needs::initialisation, [&](call& c) {
        if (object == nullptr || destroy == nullptr) refuse(status::invalid_value, "the pointer for the object or its destructor is null");
        if (references == 0 || references > 0x7fffffffu) refuse(status::invalid_value, references, " references to begin with");
        if (flags != driver::user_object_no_destructor_sync) refuse(status::invalid_value, "flags are ", flags, " and must be 1");
        const auto made = std::make_shared<detail::user_object>();
        made->handle = c.state.handles.next(detail::handle_kind::user_object);
        made->references = references;
        made->destroy = destroy;
        made->pointer = pointer;
        c.state.users[made->handle] = made;
        *object = detail::handle_of<driver::user_object_handle>(made->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI user_object_retain(driver::user_object_handle object, unsigned count) {
    return enter(driver::entry::user_object_retain, needs::initialisation, [&](call& c) {
        const auto found = c.user(object);
        if (count == 0 || count > 0x7fffffffu) refuse(status::invalid_value, count, " references");
        found->references += count;
        return status::success;
    });
}

inline status HANABI_CUDAAPI user_object_release(driver::user_object_handle object, unsigned count) {
    return enter(driver::entry::user_object_release, needs::initialisation, [&](call& c) {
        const auto found = c.user(object);
        if (count == 0 || count > found->references) refuse(status::invalid_value, count, " references of ", found->references);
        c.state.drop(found, count);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_retain_user_object(driver::graph_handle graph, driver::user_object_handle object, unsigned count,
                                                      unsigned flags) {
    return enter(driver::entry::graph_retain_user_object, needs::initialisation, [&](call& c) {
        detail::graph_object& g = c.graph(graph);
        const auto found = c.user(object);
        if (count == 0 || count > 0x7fffffffu) refuse(status::invalid_value, count, " references");
        if (flags > driver::graph_user_object_move) refuse(status::invalid_value, "flags ", flags, " are not valid");
        if (flags == driver::graph_user_object_move) {
            if (count > found->references) refuse(status::invalid_value, count, " references of ", found->references);
        } else
            found->references += count;
        g.users.emplace_back(found, count);
        return status::success;
    });
}

inline status HANABI_CUDAAPI graph_release_user_object(driver::graph_handle graph, driver::user_object_handle object, unsigned count) {
    return enter(driver::entry::graph_release_user_object, needs::initialisation, [&](call& c) {
        detail::graph_object& g = c.graph(graph);
        const auto found = c.user(object);
        std::size_t held = 0;
        for (const auto& [other, n] : g.users)
            if (other == found) held += n;
        if (count == 0 || count > held) refuse(status::invalid_value, count, " references of ", held, " that the graph has");
        unsigned left = count;
        for (auto& [other, n] : g.users) {
            if (other != found || left == 0) continue;
            const unsigned part = n < left ? n : left;
            n -= part;
            left -= part;
        }
        std::erase_if(g.users, [](const auto& u) { return u.second == 0; });
        c.state.drop(found, count);
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
