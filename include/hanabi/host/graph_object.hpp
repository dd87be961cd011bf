// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What graph handles stand for: graphs, their nodes, executable graphs, user objects, captures. Guarded by the state's
/// lock.

#ifndef HANABI_HOST_GRAPH_OBJECT_HPP
#define HANABI_HOST_GRAPH_OBJECT_HPP

#include <hanabi/driver/graph_abi.hpp>
#include <hanabi/host/extent.hpp>
#include <hanabi/host/object.hpp>
#include <hanabi/host/operation.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace hanabi::host::detail {

struct graph_object;

/// Which context a task runs in: by handle and by id, since handles come back.
struct task_context {
    std::uintptr_t handle = 0;
    unsigned long long id = 0;
};

/// A launch that was checked, with its arguments copied: what a stream runs at once and a graph any number of times.
struct kernel_task {
    std::shared_ptr<function_object> function;
    std::shared_ptr<module_object> module;
    task_context where;
    extent grid, block;
    extent cluster{0, 0, 0}; ///< zeros without clusters
    unsigned shared_bytes = 0;
    bool cooperative = false;
    bool programmatic = false;
    std::vector<driver::launch_attribute> attributes;
    std::vector<std::vector<std::byte>> arguments;
    std::vector<void*> pointers; ///< to the arguments, for cuGraphKernelNodeGetParams
};

struct memcpy_task {
    driver::memcpy_3d copy{};
    task_context where;
};

struct memset_task {
    driver::memset_node_params fill{};
    task_context where;
};

struct host_task {
    driver::host_node_params call{};
};

struct child_task {
    std::shared_ptr<graph_object> graph;
};

struct empty_task {};

/// Of a node that records, or waits.
struct event_task {
    std::uintptr_t handle = 0;
    std::shared_ptr<event_object> event;
};

/// The value of a conditional handle.
struct conditional_object {
    std::uintptr_t graph = 0;
    unsigned default_value = 0;
    bool assign_default = false;
    std::atomic<unsigned> value{0}; ///< kernels set it, with no lock held
    bool used = false;              ///< by a node
};

struct conditional_task {
    driver::conditional_node_params params{};
    std::shared_ptr<conditional_object> condition;
    std::vector<std::shared_ptr<graph_object>> bodies;
    std::shared_ptr<std::vector<driver::graph_handle>> handles; ///< what conditional_node_params::bodies points to
    task_context where;
};

/// What a node does. Immutable: an update puts another in its place, so that launches under way keep theirs.
using node_task = std::variant<kernel_task, memcpy_task, memset_task, host_task, child_task, empty_task, event_task, conditional_task>;
using task_ptr = std::shared_ptr<const node_task>;

struct graph_edge {
    graph_node_object* from = nullptr;
    driver::graph_edge_data data{};

    bool plain() const noexcept { return data.from_port == 0 && data.to_port == 0 && data.type == 0; }
};

struct graph_node_object {
    std::uintptr_t handle = 0;
    graph_object* graph = nullptr; ///< null once it is destroyed
    driver::graph_node_type type = driver::graph_node_type::empty;
    task_ptr task;
    std::uint32_t number = 0; ///< in its graph, never reused
    unsigned long long tools_id = 0;
    std::uintptr_t original = 0; ///< of a clone's node
    std::vector<graph_edge> before;
};

/// A user's object that graphs keep alive: its destructor runs, on a thread of the driver's, when the last reference goes.
struct user_object {
    std::uintptr_t handle = 0;
    std::size_t references = 0; ///< the caller's, the graphs' and the executable graphs' together
    driver::host_function destroy = nullptr;
    void* pointer = nullptr;
};
using user_references = std::vector<std::pair<std::shared_ptr<user_object>, unsigned>>;

struct graph_object {
    std::uintptr_t handle = 0;
    std::vector<std::shared_ptr<graph_node_object>> nodes; ///< in the order in which they were made
    std::unordered_set<std::uint64_t> edges;               ///< node numbers, from << 32 | to
    std::uint32_t last_number = 0;
    std::uintptr_t original = 0; ///< of a clone
    bool owned = false;          ///< a child's or a conditional body's: destroyed with its node
    bool capturing = false;      ///< a capture adds to it
    unsigned executables = 0;    ///< alive
    std::vector<std::uintptr_t> conditionals;
    user_references users;

    static std::uint64_t key(const graph_node_object& from, const graph_node_object& to) noexcept {
        return std::uint64_t{from.number} << 32 | to.number;
    }
};

struct exec_graph;

/// A node as it was instantiated, and as it was updated since.
struct exec_node {
    task_ptr task;
    driver::graph_node_type type = driver::graph_node_type::empty;
    bool enabled = true;
    std::uintptr_t source = 0;                                             ///< the graph's node
    std::uint32_t position = 0;                                            ///< among the graph's nodes
    std::vector<std::pair<std::uint32_t, driver::graph_edge_data>> before; ///< earlier nodes of exec_graph::nodes
    std::vector<std::shared_ptr<exec_graph>> inner;                        ///< of a child graph or a conditional node
};

struct exec_graph {
    std::vector<exec_node> nodes; ///< each after all that it depends on
};

struct exec_object {
    std::uintptr_t handle = 0;
    std::shared_ptr<exec_graph> top;
    std::weak_ptr<graph_object> source;
    std::unordered_map<std::uintptr_t, exec_node*> nodes; ///< by the handle of the graph's node
    std::shared_ptr<void> users;                          ///< holds the references; launches under way hold it too
    bool conditional = false;
    operation_ptr last; ///< launches of one executable graph never overlap
};

/// One capture sequence: the streams that are in it.
struct capture_object {
    std::uint64_t id = 0;
    driver::capture_mode mode = driver::capture_mode::global;
    std::uint64_t thread = 0; ///< number of the thread that began it
    stream_object* origin = nullptr;
    context_object* context = nullptr;
    std::shared_ptr<graph_object> graph;
    bool to_graph = false; ///< the graph is the caller's
    bool invalid = false;
    bool ended = false;
    std::vector<stream_object*> streams; ///< those that capture, the origin among them; cleared when it ends
};

} // namespace hanabi::host::detail

#endif
