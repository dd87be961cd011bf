// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Updates of executable graphs: what may take the place of what, and why not.

#ifndef HANABI_HOST_GRAPH_UPDATE_HPP
#define HANABI_HOST_GRAPH_UPDATE_HPP

#include <hanabi/host/graph_build.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace hanabi::host::entries::graph_detail {

inline bool one_dimensional(const driver::memcpy_3d& m) noexcept { return m.height <= 1 && m.depth <= 1; }

/// Why one task can't take the place of another in an executable graph; success: it can.
inline driver::graph_exec_update_result compare(const detail::node_task& old, const detail::node_task& wanted, std::string& why) {
    using result = driver::graph_exec_update_result;
    const auto no = [&](result r, const char* text) {
        why = text;
        return r;
    };
    if (const auto* const a = std::get_if<detail::kernel_task>(&old)) {
        const auto& b = std::get<detail::kernel_task>(wanted);
        if (a->where.id != b.where.id) return no(result::unsupported_function_change, "the function belongs to another context");
        if (a->cooperative != b.cooperative) return no(result::attributes_changed, "a node can't become cooperative, or cease to be");
    } else if (const auto* const copy = std::get_if<detail::memcpy_task>(&old)) {
        const auto& b = std::get<detail::memcpy_task>(wanted);
        if (!one_dimensional(copy->copy) || !one_dimensional(b.copy))
            return no(result::parameters_changed, "only one-dimensional copies can be updated");
        if (copy->copy.source_type != b.copy.source_type || copy->copy.destination_type != b.copy.destination_type)
            return no(result::parameters_changed, "a copy can't change the type of its memory");
        if (copy->where.id != b.where.id) return no(result::parameters_changed, "a copy can't change its context");
    } else if (const auto* const fill = std::get_if<detail::memset_task>(&old)) {
        const auto& b = std::get<detail::memset_task>(wanted);
        if (fill->fill.height != 1 || b.fill.height != 1)
            return no(result::parameters_changed, "only one-dimensional fills can be updated");
        if (fill->where.id != b.where.id) return no(result::parameters_changed, "a fill can't change its context");
    }
    return result::success;
}

/// Compares, then (with `apply`) takes over, everything of a graph.
inline bool update(detail::exec_graph& exec, const detail::graph_object& graph, bool apply, driver::graph_exec_update_result_info& info,
                   std::string& why) {
    using result = driver::graph_exec_update_result;
    const auto fail = [&](result r, const detail::graph_node_object* node, const detail::graph_node_object* from, std::string text) {
        info.result = r;
        info.error_node = node == nullptr ? nullptr : detail::handle_of<driver::graph_node_handle>(node->handle);
        info.error_from_node = from == nullptr ? nullptr : detail::handle_of<driver::graph_node_handle>(from->handle);
        why = std::move(text);
        return false;
    };
    if (exec.nodes.size() != graph.nodes.size())
        return fail(result::topology_changed, nullptr, nullptr,
                    detail::say("the graph has ", graph.nodes.size(), " nodes, the executable one ", exec.nodes.size()));
    std::unordered_map<const detail::graph_node_object*, std::uint32_t> positions;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) positions[graph.nodes[i].get()] = i;
    for (detail::exec_node& node : exec.nodes) {
        const detail::graph_node_object& wanted = *graph.nodes[node.position];
        if (wanted.type != node.type)
            return fail(result::node_type_changed, &wanted, nullptr,
                        detail::say("a ", name_of(node.type), " node has become a ", name_of(wanted.type), " one"));
        std::vector<std::pair<std::uint32_t, driver::graph_edge_data>> old;
        for (const auto& e : node.before) old.emplace_back(exec.nodes[e.first].position, e.second);
        const auto same = [&](const detail::graph_edge& e) {
            return std::any_of(old.begin(), old.end(), [&](const auto& o) {
                return o.first == positions.at(e.from) && o.second.from_port == e.data.from_port && o.second.type == e.data.type;
            });
        };
        for (const detail::graph_edge& e : wanted.before)
            if (!same(e)) return fail(result::topology_changed, &wanted, e.from, "an edge is new");
        if (old.size() != wanted.before.size()) return fail(result::topology_changed, &wanted, nullptr, "an edge is gone");
        std::string text;
        if (const result r = compare(*node.task, *wanted.task, text); r != result::success) return fail(r, &wanted, nullptr, text);
        if (const auto* const child = std::get_if<detail::child_task>(wanted.task.get())) {
            if (!update(*node.inner.front(), *child->graph, apply, info, why)) return false;
        } else if (const auto* const conditional = std::get_if<detail::conditional_task>(wanted.task.get())) {
            if (conditional->condition != std::get<detail::conditional_task>(*node.task).condition)
                return fail(result::not_supported, &wanted, nullptr, "a conditional node can't change its handle");
            for (std::size_t i = 0; i < node.inner.size(); ++i)
                if (!update(*node.inner[i], *conditional->bodies[i], apply, info, why)) return false;
        }
        if (apply) node.task = wanted.task;
    }
    return true;
}

} // namespace hanabi::host::entries::graph_detail

#endif
