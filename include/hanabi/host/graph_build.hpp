// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Making graphs: nodes and edges, by the graph entries and by captures; and checking what a node is to do.

#ifndef HANABI_HOST_GRAPH_BUILD_HPP
#define HANABI_HOST_GRAPH_BUILD_HPP

#include <hanabi/host/call.hpp>
#include <hanabi/host/graph_object.hpp>
#include <hanabi/host/launch_check.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hanabi::host::entries::graph_detail {

using detail::call;
using detail::refuse;
using driver::status;

inline const char* name_of(driver::graph_node_type type) noexcept {
    switch (type) {
    case driver::graph_node_type::kernel: return "kernel";
    case driver::graph_node_type::memcpy: return "memcpy";
    case driver::graph_node_type::memset: return "memset";
    case driver::graph_node_type::host: return "host";
    case driver::graph_node_type::graph: return "child graph";
    case driver::graph_node_type::empty: return "empty";
    case driver::graph_node_type::wait_event: return "event wait";
    case driver::graph_node_type::event_record: return "event record";
    case driver::graph_node_type::conditional: return "conditional";
    default: return "other";
    }
}

inline std::shared_ptr<detail::graph_object> make_graph(detail::driver_state& state) {
    const auto made = std::make_shared<detail::graph_object>();
    made->handle = state.handles.next(detail::handle_kind::graph);
    state.graphs[made->handle] = made;
    return made;
}

/// Checks the data of an edge, and that it is a new one between two nodes of the graph.
inline void check_edge(const detail::graph_object& graph, const detail::graph_node_object& from, const detail::graph_node_object& to,
                       const driver::graph_edge_data& data) {
    using driver::graph_dependency_type;
    if (from.graph != &graph || to.graph != &graph) refuse(status::invalid_value, "an edge between nodes of another graph");
    if (&from == &to) refuse(status::invalid_value, "an edge from a node to itself");
    if (data.to_port != 0) refuse(status::invalid_value, "'to_port' field is invalid: no node has such a port");
    for (const unsigned char byte : data.reserved)
        if (byte != 0) refuse(status::invalid_value, "the reserved bytes of an edge must be zero");
    if (data.type > static_cast<unsigned char>(graph_dependency_type::programmatic))
        refuse(status::invalid_value, "'type' field is invalid: an edge of type ", static_cast<unsigned>(data.type));
    if (data.from_port > driver::graph_kernel_port::launch_order || (data.from_port != 0 && from.type != driver::graph_node_type::kernel))
        refuse(status::invalid_value, "'from_port' field is invalid: a ", name_of(from.type), " node has no port ",
               static_cast<unsigned>(data.from_port));
    const bool programmatic = data.type == static_cast<unsigned char>(graph_dependency_type::programmatic);
    if (programmatic && to.type != driver::graph_node_type::kernel)
        refuse(status::invalid_value, "'type' field is invalid: a programmatic edge to a ", name_of(to.type), " node");
    if (programmatic && data.from_port == driver::graph_kernel_port::completion)
        refuse(status::invalid_value, "'from_port' field is invalid: a programmatic edge leaves by the programmatic port");
    if (!programmatic && data.from_port == driver::graph_kernel_port::programmatic)
        refuse(status::invalid_value, "'type' field is invalid: the programmatic port is for programmatic edges");
    if (graph.edges.contains(detail::graph_object::key(from, to))) refuse(status::invalid_value, "the edge exists already");
}

inline void add_edge(detail::graph_object& graph, detail::graph_node_object& from, detail::graph_node_object& to,
                     const driver::graph_edge_data& data) {
    graph.edges.insert(detail::graph_object::key(from, to));
    to.before.push_back({&from, data});
}

/// The edges that a call gives a new node.
inline std::vector<detail::graph_edge> read_edges(call& c, const detail::graph_object& graph, const driver::graph_node_handle* from,
                                                  const driver::graph_edge_data* data, std::size_t count) {
    if (count != 0 && from == nullptr) refuse(status::invalid_value, "dependencies are announced and null");
    std::vector<detail::graph_edge> edges;
    for (std::size_t i = 0; i < count; ++i) {
        const auto node = c.node(from[i]);
        if (node->graph != &graph) refuse(status::invalid_value, "a dependency is a node of another graph");
        edges.push_back({node.get(), data == nullptr ? driver::graph_edge_data{} : data[i]});
    }
    return edges;
}

/// A new node. Checks the edges, and changes nothing if one is refused.
inline std::shared_ptr<detail::graph_node_object> make_node(call& c, detail::graph_object& graph, driver::graph_node_type type,
                                                            detail::node_task task, const std::vector<detail::graph_edge>& edges) {
    const auto made = std::make_shared<detail::graph_node_object>();
    made->graph = &graph;
    made->type = type;
    made->task = std::make_shared<const detail::node_task>(std::move(task));
    made->number = graph.last_number + 1;
    try {
        for (const detail::graph_edge& e : edges) {
            check_edge(graph, *e.from, *made, e.data);
            add_edge(graph, *e.from, *made, e.data);
        }
    } catch (const detail::refusal&) {
        for (const detail::graph_edge& e : made->before) graph.edges.erase(detail::graph_object::key(*e.from, *made));
        throw;
    }
    ++graph.last_number;
    made->handle = c.state.handles.next(detail::handle_kind::graph_node);
    made->tools_id = ++c.state.last_tools_id;
    graph.nodes.push_back(made);
    c.state.nodes[made->handle] = made;
    return made;
}

/// The next node of a stream that captures: after everything that the stream has come to.
inline std::shared_ptr<detail::graph_node_object> capture_node(call& c, detail::stream_object& stream, driver::graph_node_type type,
                                                               detail::node_task task, bool programmatic = false) {
    detail::graph_object& graph = *stream.capture->graph;
    std::vector<detail::graph_edge> edges;
    for (const detail::capture_edge& e : stream.capture_after) {
        if (e.from->graph != &graph) continue; // destroyed meanwhile
        driver::graph_edge_data data = e.data;
        if (type != driver::graph_node_type::kernel) data = {}; // the other kinds lead to kernels only
        if (programmatic && type == driver::graph_node_type::kernel && e.from->type == driver::graph_node_type::kernel &&
            data.from_port == 0) {
            data.from_port = driver::graph_kernel_port::programmatic;
            data.type = static_cast<unsigned char>(driver::graph_dependency_type::programmatic);
        }
        bool twice = false;
        for (detail::graph_edge& other : edges)
            if (other.from == e.from.get()) {
                twice = true;
                if (data.from_port == 0) other.data = data; // the stronger of the two
            }
        if (!twice) edges.push_back({e.from.get(), data});
    }
    auto made = make_node(c, graph, type, std::move(task), edges);
    stream.capture_after.assign(1, {made, {}});
    return made;
}

/// A context given for a node; null is the current one.
inline detail::task_context context_of(call& c, driver::context_handle handle) {
    if (handle == nullptr) {
        const detail::context_object& here = c.context();
        return {here.handle, here.id};
    }
    const auto found = c.context(handle);
    c.check(*found);
    return {found->handle, found->id};
}

/// One side of a copy: where it begins, and how it goes on.
struct copy_side {
    std::byte* begin = nullptr;
    std::size_t pitch = 0, slice = 0; ///< bytes from row to row, from plane to plane
    std::size_t bytes = 0;            ///< from the first to the last
    detail::allocation_ptr holder;    ///< null: host memory that is not the driver's
};

/// A copy, looked at. A fault is told in `fault`.
struct copy_plan {
    copy_side from, to;
    std::size_t width = 0, height = 0, depth = 0;
    std::string fault;

    void run() const {
        for (std::size_t z = 0; z < depth; ++z)
            for (std::size_t y = 0; y < height; ++y) {
                std::byte* const row = to.begin + z * to.slice + y * to.pitch;
                const std::byte* const source = from.begin + z * from.slice + y * from.pitch;
                note_copied(to.holder.get(), row, from.holder.get(), source, width);
                std::memmove(row, source, width);
            }
    }
};

inline copy_plan plan_copy(const detail::driver_state& state, const driver::memcpy_3d& m) {
    copy_plan plan;
    plan.width = m.width_bytes;
    plan.height = m.height;
    plan.depth = m.depth;
    const auto fail = [&](std::string why) {
        if (plan.fault.empty()) plan.fault = std::move(why);
    };
    if (m.width_bytes == 0 || m.height == 0 || m.depth == 0) fail("a copy of zero length");
    if (m.source_lod != 0 || m.destination_lod != 0 || m.reserved0 != nullptr || m.reserved1 != nullptr)
        fail("the reserved members and the levels of detail of a copy must be zero");
    if (!plan.fault.empty()) return plan;
    const auto side = [&](driver::memory_type type, const void* host, driver::device_address device, std::size_t x, std::size_t y,
                          std::size_t z, std::size_t pitch, std::size_t rows, const char* role) {
        copy_side s;
        if (pitch == 0) pitch = x + m.width_bytes;
        if (rows == 0) rows = y + m.height;
        if ((m.height > 1 || m.depth > 1) && (pitch < x + m.width_bytes || rows < y + m.height))
            fail(detail::say(role, ": a pitch of ", pitch, " bytes and ", rows, " rows are less than what is copied"));
        constexpr std::size_t most = std::size_t{1} << 60; // far more than there is; no sum of two overflows
        const auto times = [](std::size_t p, std::size_t q) { return p != 0 && q > most / p ? most : p * q; };
        s.pitch = pitch;
        s.slice = times(pitch, rows);
        const std::size_t parts[] = {
            x, times(y, s.pitch), times(z, s.slice), times(m.depth - 1, s.slice), times(m.height - 1, s.pitch), m.width_bytes};
        std::size_t end = 0;
        for (const std::size_t part : parts)
            if (part >= most || (end += part) >= most) {
                fail(detail::say(role, ": more than there is memory"));
                return s;
            }
        const std::size_t offset = parts[0] + parts[1] + parts[2];
        s.bytes = end - offset;
        const auto address =
            (type == driver::memory_type::host ? reinterpret_cast<std::uintptr_t>(host) : static_cast<std::uintptr_t>(device)) + offset;
        s.begin = reinterpret_cast<std::byte*>(address);
        if (type == driver::memory_type::array || static_cast<unsigned>(type) == 0 || static_cast<unsigned>(type) > 4) {
            fail(detail::say(role, ": memory of type ", static_cast<unsigned>(type), " is not supported"));
            return s;
        }
        const bool driver_memory =
            type == driver::memory_type::device || (type == driver::memory_type::unified && state.memory.find(address) != nullptr);
        auto verdict = driver_memory ? state.memory.hold(address, s.bytes, role)
                                     : state.memory.host_range(reinterpret_cast<const void*>(address), s.bytes, role);
        if (!verdict.fault.empty()) fail(std::move(verdict.fault));
        s.holder = std::move(verdict.holder);
        return s;
    };
    plan.from = side(m.source_type, m.source_host, m.source_device, m.source_x_bytes, m.source_y, m.source_z, m.source_pitch,
                     m.source_height, "the source");
    plan.to = side(m.destination_type, m.destination_host, m.destination_device, m.destination_x_bytes, m.destination_y, m.destination_z,
                   m.destination_pitch, m.destination_height, "the destination");
    return plan;
}

/// A fill, looked at.
struct fill_plan {
    std::byte* begin = nullptr;
    std::size_t bytes = 0;
    detail::allocation_ptr holder;
    std::string fault;
};

inline fill_plan plan_fill(const detail::driver_state& state, const driver::memset_node_params& p) {
    fill_plan plan;
    if (p.element_size != 1 && p.element_size != 2 && p.element_size != 4)
        plan.fault = detail::say("elements of ", p.element_size, " bytes: it can be 1, 2 or 4");
    else if (p.width == 0 || p.height == 0)
        plan.fault = "a fill of zero length";
    else if (p.destination % p.element_size != 0 || (p.height > 1 && p.pitch % p.element_size != 0))
        plan.fault = detail::say("the destination ", detail::address_text(p.destination), " or the pitch is not aligned to ",
                                 p.element_size, " bytes");
    else if (p.width > (~std::size_t{0} >> 3) / p.element_size ||
             (p.height > 1 && (p.pitch < p.width * p.element_size || p.height > (~std::size_t{0} >> 3) / p.pitch)))
        plan.fault = detail::say("a pitch of ", p.pitch, " bytes for ", p.height, " rows of ", p.width, " elements");
    if (!plan.fault.empty()) return plan;
    plan.begin = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(p.destination));
    plan.bytes = (p.height - 1) * p.pitch + p.width * p.element_size;
    auto verdict = state.memory.hold(static_cast<std::uintptr_t>(p.destination), plan.bytes, "the destination");
    plan.holder = std::move(verdict.holder);
    plan.fault = std::move(verdict.fault);
    return plan;
}

inline void run_fill(const driver::memset_node_params& p, std::byte* begin, const detail::allocation* memory) {
    for (std::size_t row = 0; row < p.height; ++row) {
        std::byte* const at = begin + row * p.pitch;
        note_written(memory, at, p.width * p.element_size);
        for (std::size_t i = 0; i < p.width; ++i) std::memcpy(at + i * p.element_size, &p.value, p.element_size); // little endian
    }
}

// What each kind of node checks when it is made or updated.

inline detail::memcpy_task accept_copy(call& c, const driver::memcpy_3d* copy, driver::context_handle context) {
    if (copy == nullptr) refuse(status::invalid_value, "the parameters of the copy are null");
    const detail::task_context where = context_of(c, context);
    const copy_plan plan = plan_copy(c.state, *copy);
    if (!plan.fault.empty()) refuse(status::invalid_value, plan.fault);
    return {*copy, where};
}

inline detail::memset_task accept_fill(call& c, const driver::memset_node_params* params, driver::context_handle context) {
    if (params == nullptr) refuse(status::invalid_value, "the parameters of the fill are null");
    const detail::task_context where = context_of(c, context);
    const fill_plan plan = plan_fill(c.state, *params);
    if (!plan.fault.empty()) refuse(status::invalid_value, plan.fault);
    return {*params, where};
}

inline detail::host_task accept_host(const driver::host_node_params* params) {
    if (params == nullptr || params->function == nullptr) refuse(status::invalid_value, "the host function is null");
    return {*params};
}

inline detail::event_task accept_event(call& c, driver::event_handle handle) {
    detail::event_object& e = c.event(handle);
    return {e.handle, c.state.events.at(e.handle)};
}

/// A kernel, with the attributes of a node.
inline detail::kernel_task accept_kernel(call& c, const driver::kernel_node_params* params,
                                         const std::vector<driver::launch_attribute>& attributes) {
    if (params == nullptr) refuse(status::invalid_value, "the parameters of the kernel are null");
    if (params->function == nullptr)
        refuse(params->kernel == nullptr ? status::invalid_value : status::not_supported,
               params->kernel == nullptr ? "the function is null" : "the host driver has no CUkernel");
    detail::function_object& f = c.any_function(params->function);
    auto listed = attributes;
    const driver::launch_config config{
        params->grid_x,  params->grid_y,       params->grid_z, params->block_x, params->block_y,
        params->block_z, params->shared_bytes, nullptr,        listed.data(),   static_cast<unsigned>(listed.size())};
    launch_detail::wishes w = launch_detail::read_attributes(c, config, c.config(*f.module->context), nullptr);
    w.more_to_come = true; // looked at when the graph is instantiated
    return std::move(*launch_detail::accept(c, f, config, w, params->parameters, params->extra));
}

/// A kernel whose attributes have changed: checked as when it was made. A cluster set before the grid, or the other way round,
/// is looked at with all of it.
inline detail::kernel_task check_again(call& c, detail::kernel_task&& changed) {
    driver::kernel_node_params params{};
    params.function = detail::handle_of<driver::function_handle>(changed.function->handle);
    params.grid_x = changed.grid.x, params.grid_y = changed.grid.y, params.grid_z = changed.grid.z;
    params.block_x = changed.block.x, params.block_y = changed.block.y, params.block_z = changed.block.z;
    params.shared_bytes = changed.shared_bytes;
    std::vector<void*> pointers;
    for (auto& bytes : changed.arguments) pointers.push_back(bytes.data());
    params.parameters = pointers.data();
    return accept_kernel(c, &params, changed.attributes);
}

} // namespace hanabi::host::entries::graph_detail

#endif
