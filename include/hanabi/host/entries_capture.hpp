// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about stream capture.

#ifndef HANABI_HOST_ENTRIES_CAPTURE_HPP
#define HANABI_HOST_ENTRIES_CAPTURE_HPP

#include <hanabi/host/graph_build.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hanabi::host::entries {

namespace capture_detail {

inline void check_mode(driver::capture_mode mode) {
    if (static_cast<unsigned>(mode) > static_cast<unsigned>(driver::capture_mode::relaxed))
        refuse(status::invalid_value, "no such capture mode");
}

inline void begin(call& c, detail::stream_object& stream, driver::capture_mode mode, std::shared_ptr<detail::graph_object> graph,
                  std::vector<detail::capture_edge> after, bool to_graph) {
    const auto made = std::make_shared<detail::capture_object>();
    made->id = ++c.state.last_capture;
    made->mode = mode;
    made->thread = c.thread_number();
    made->origin = &stream;
    made->graph = std::move(graph);
    made->graph->capturing = true;
    made->to_graph = to_graph;
    made->streams.push_back(&stream);
    c.state.captures[made->id] = made;
    stream.capture = made;
    stream.capture_after = std::move(after);
}

/// The stream to begin with.
inline detail::stream_object& beginner(call& c, driver::stream_handle handle, driver::capture_mode mode) {
    c.context();
    detail::stream_object& stream = c.stream(handle);
    check_mode(mode);
    if (stream.legacy) refuse(status::stream_capture_unsupported, "the legacy default stream can't capture");
    if (stream.capture != nullptr) refuse(status::illegal_state, "the stream is capturing already");
    return stream;
}

/// True if every node that another stream has come to is behind what the origin has come to.
inline bool joined(const detail::capture_object& capture) {
    std::unordered_set<const detail::graph_node_object*> behind;
    std::vector<const detail::graph_node_object*> left;
    for (const detail::capture_edge& e : capture.origin->capture_after) left.push_back(e.from.get());
    while (!left.empty()) {
        const detail::graph_node_object* const node = left.back();
        left.pop_back();
        if (!behind.insert(node).second) continue;
        for (const detail::graph_edge& e : node->before) left.push_back(e.from);
    }
    for (const detail::stream_object* const stream : capture.streams)
        for (const detail::capture_edge& e : stream->capture_after)
            if (!behind.contains(e.from.get())) return false;
    return true;
}

inline status info(call& c, driver::stream_handle handle, driver::capture_status* state, std::uint64_t* id, driver::graph_handle* graph,
                   const driver::graph_node_handle** dependencies, const driver::graph_edge_data** edges, std::size_t* count) {
    c.context();
    detail::stream_object& stream = c.stream(handle);
    if (state == nullptr) refuse(status::invalid_value, "the pointer for the state is null");
    if (stream.legacy)
        for (const auto& [number, capture] : c.state.captures)
            for (const detail::stream_object* const other : capture->streams)
                if (other->context == stream.context && !(other->flags & driver::stream_flags::non_blocking))
                    refuse(status::stream_capture_implicit, "a stream that the legacy default stream synchronises with is capturing");
    *state = stream.capture == nullptr ? driver::capture_status::none
             : stream.capture->invalid ? driver::capture_status::invalidated
                                       : driver::capture_status::active;
    if (*state != driver::capture_status::active) return status::success;
    if (id != nullptr) *id = stream.capture->id;
    if (graph != nullptr) *graph = detail::handle_of<driver::graph_handle>(stream.capture->graph->handle);
    stream.capture_nodes.clear();
    stream.capture_data.clear();
    for (const detail::capture_edge& e : stream.capture_after) {
        stream.capture_nodes.push_back(detail::handle_of<driver::graph_node_handle>(e.from->handle));
        stream.capture_data.push_back(e.data);
        if (dependencies != nullptr && edges == nullptr && (e.data.from_port != 0 || e.data.type != 0))
            refuse(status::lossy_query, "a dependency of the capture has data: ask with the entry of CUDA 12.3, and a pointer for it");
    }
    if (dependencies != nullptr) *dependencies = stream.capture_nodes.data();
    if (edges != nullptr) *edges = stream.capture_data.data();
    if (count != nullptr) *count = stream.capture_nodes.size();
    return status::success;
}

inline std::vector<detail::capture_edge> read_nodes(call& c, const detail::graph_object& graph, const driver::graph_node_handle* nodes,
                                                    const driver::graph_edge_data* data, std::size_t count) {
    if (count != 0 && nodes == nullptr) refuse(status::invalid_value, "dependencies are announced and null");
    std::vector<detail::capture_edge> all;
    for (std::size_t i = 0; i < count; ++i) {
        auto node = c.node(nodes[i]);
        if (node->graph != &graph) refuse(status::invalid_value, "a dependency is a node of another graph");
        all.push_back({std::move(node), data == nullptr ? driver::graph_edge_data{} : data[i]});
    }
    return all;
}

inline status update_dependencies(call& c, driver::stream_handle handle, const driver::graph_node_handle* nodes,
                                  const driver::graph_edge_data* data, std::size_t count, unsigned flags) {
    c.context();
    detail::stream_object& stream = c.stream(handle);
    if (!c.captures(stream)) refuse(status::illegal_state, "the stream is not capturing");
    if (flags > driver::capture_dependencies_flags::set) refuse(status::invalid_value, "flags ", flags, " are not valid");
    auto given = read_nodes(c, *stream.capture->graph, nodes, data, count);
    if (flags == driver::capture_dependencies_flags::set) stream.capture_after.clear();
    for (detail::capture_edge& e : given) stream.capture_after.push_back(std::move(e));
    return status::success;
}

} // namespace capture_detail

inline status HANABI_CUDAAPI stream_begin_capture(driver::stream_handle stream, driver::capture_mode mode) {
    return enter(driver::entry::stream_begin_capture, needs::initialisation, [&](call& c) {
        detail::stream_object& s = capture_detail::beginner(c, stream, mode);
        capture_detail::begin(c, s, mode, graph_detail::make_graph(c.state), {}, false);
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_begin_capture_to_graph(driver::stream_handle stream, driver::graph_handle graph,
                                                           const driver::graph_node_handle* dependencies,
                                                           const driver::graph_edge_data* edges, std::size_t count,
                                                           driver::capture_mode mode) {
    return enter(driver::entry::stream_begin_capture_to_graph, needs::initialisation, [&](call& c) {
        detail::stream_object& s = capture_detail::beginner(c, stream, mode);
        auto g = c.graph_pointer(graph);
        if (g->capturing) refuse(status::invalid_value, "the graph is being captured to already");
        auto after = capture_detail::read_nodes(c, *g, dependencies, edges, count);
        capture_detail::begin(c, s, mode, std::move(g), std::move(after), true);
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_end_capture(driver::stream_handle stream, driver::graph_handle* graph) {
    return enter(driver::entry::stream_end_capture, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        if (graph == nullptr) refuse(status::invalid_value, "the pointer for the graph is null");
        if (s.capture == nullptr) refuse(status::illegal_state, "the stream is not capturing");
        const auto capture = s.capture;
        if (capture->mode != driver::capture_mode::relaxed && capture->thread != c.thread_number()) {
            capture->invalid = true;
            refuse(status::stream_capture_wrong_thread, "the capture was begun by another thread, and not in relaxed mode");
        }
        if (capture->origin != &s) {
            capture->invalid = true;
            refuse(status::stream_capture_unmatched, "the capture was begun on another stream; it is invalidated");
        }
        *graph = nullptr;
        if (capture->invalid) {
            c.state.abandon_capture(capture);
            refuse(status::stream_capture_invalidated, "the capture was invalidated by an earlier error");
        }
        if (!capture_detail::joined(*capture)) {
            c.state.abandon_capture(capture);
            refuse(status::stream_capture_unjoined, "work of another stream was not joined to the stream that began the capture");
        }
        *graph = detail::handle_of<driver::graph_handle>(capture->graph->handle);
        c.state.end_capture(capture);
        return status::success;
    });
}

inline status HANABI_CUDAAPI stream_is_capturing(driver::stream_handle stream, driver::capture_status* state) {
    return enter(driver::entry::stream_is_capturing, needs::initialisation,
                 [&](call& c) { return capture_detail::info(c, stream, state, nullptr, nullptr, nullptr, nullptr, nullptr); });
}

inline status HANABI_CUDAAPI stream_get_capture_info(driver::stream_handle stream, driver::capture_status* state, std::uint64_t* id,
                                                     driver::graph_handle* graph, const driver::graph_node_handle** dependencies,
                                                     std::size_t* count) {
    return enter(driver::entry::stream_get_capture_info, needs::initialisation,
                 [&](call& c) { return capture_detail::info(c, stream, state, id, graph, dependencies, nullptr, count); });
}

inline status HANABI_CUDAAPI stream_get_capture_info_v3(driver::stream_handle stream, driver::capture_status* state, std::uint64_t* id,
                                                        driver::graph_handle* graph, const driver::graph_node_handle** dependencies,
                                                        const driver::graph_edge_data** edges, std::size_t* count) {
    return enter(driver::entry::stream_get_capture_info_v3, needs::initialisation,
                 [&](call& c) { return capture_detail::info(c, stream, state, id, graph, dependencies, edges, count); });
}

inline status HANABI_CUDAAPI stream_update_capture_dependencies(driver::stream_handle stream, driver::graph_node_handle* dependencies,
                                                                std::size_t count, unsigned flags) {
    return enter(driver::entry::stream_update_capture_dependencies, needs::initialisation,
                 [&](call& c) { return capture_detail::update_dependencies(c, stream, dependencies, nullptr, count, flags); });
}

inline status HANABI_CUDAAPI stream_update_capture_dependencies_v2(driver::stream_handle stream, driver::graph_node_handle* dependencies,
                                                                   const driver::graph_edge_data* edges, std::size_t count,
                                                                   unsigned flags) {
    return enter(driver::entry::stream_update_capture_dependencies_v2, needs::initialisation,
                 [&](call& c) { return capture_detail::update_dependencies(c, stream, dependencies, edges, count, flags); });
}

inline status HANABI_CUDAAPI thread_exchange_stream_capture_mode(driver::capture_mode* mode) {
    return enter(driver::entry::thread_exchange_stream_capture_mode, needs::initialisation, [&](call&) {
        if (mode == nullptr) refuse(status::invalid_value, "the pointer for the mode is null");
        capture_detail::check_mode(*mode);
        std::swap(*mode, detail::this_thread().capture);
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
