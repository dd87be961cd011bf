// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the handles stand for: contexts, streams, events, modules, functions.

#ifndef HANABI_HOST_OBJECT_HPP
#define HANABI_HOST_OBJECT_HPP

#include <hanabi/driver/abi.hpp>
#include <hanabi/driver/graph_abi.hpp>
#include <hanabi/host/executor.hpp>
#include <hanabi/host/extent.hpp>
#include <hanabi/host/memory.hpp>
#include <hanabi/host/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// One kernel as its image describes it.
struct kernel_facts {
    struct parameter {
        std::size_t offset = 0;
        std::size_t size = 0;
    };
    std::string name;
    std::vector<parameter> parameters;
    bool parameters_known = true;     ///< false: the image can't be read, or is in a layout unknown to its reader
    std::uint64_t max_threads = 0;    ///< .maxntid, as a volume; 0: not said
    extent required_threads{0, 0, 0}; ///< .reqntid; zero: not said
    extent required_cluster{0, 0, 0}; ///< .reqnctapercluster; zero: not said
    std::uint32_t max_cluster_rank = 0;
    bool explicit_cluster = false;
    bool blocks_are_clusters = false;
    std::size_t static_shared = 0; ///< bytes
    int registers = 0;             ///< of a thread; 0: not known, since only machine code says it
    int ptx_version = 0;           ///< 10 * major + minor of the target it was written for
    int binary_version = 0;        ///< 10 * major + minor of what runs it

    std::size_t parameter_bytes() const noexcept { return parameters.empty() ? 0 : parameters.back().offset + parameters.back().size; }
};

/// One variable of module scope.
struct variable_facts {
    std::string name;
    std::size_t size = 0;
    std::vector<std::byte> initial; ///< zeros are left out at the end
};

/// What is to be known of an image once it is loaded.
struct image_facts {
    bool readable = true;              ///< false: kernels and variables are not listed (compressed code)
    std::vector<kernel_facts> kernels; ///< sorted by name
    std::vector<variable_facts> variables;
    std::shared_ptr<executor> code; ///< executes its PTX; null where the program or the image has none
    std::string code_missing;       ///< why it is null, for the user
};

struct stream_object;
struct capture_object;
struct graph_node_object;

/// A node that what is captured next depends on, and how.
struct capture_edge {
    std::shared_ptr<graph_node_object> from;
    driver::graph_edge_data data{};
};

/// A context. Its handle is reused by later contexts, as addresses are; its id is not.
struct context_object {
    std::uintptr_t handle = 0;
    unsigned long long id = 0;
    int device = 0;
    unsigned flags = 0;
    bool primary = false;
    bool alive = true;
    std::size_t pending = 0;                         ///< operations submitted and not done
    driver::status broken = driver::status::success; ///< what every call answers
    std::string broken_text;
    std::shared_ptr<stream_object> legacy;
    std::map<std::uint64_t, std::shared_ptr<stream_object>> per_thread; ///< by thread number
    std::vector<stream_object*> blocking;                               ///< streams that the legacy one synchronises with, alive
    std::vector<operation_ptr> orphans;                                 ///< last operations of such streams that were destroyed
};

/// A stream: its last operation, and what its operations must wait for.
struct stream_object {
    std::uintptr_t handle = 0;
    context_object* context = nullptr; ///< alive as long as the stream is in the state's table
    unsigned flags = 0;
    int priority = 0;
    bool legacy = false;
    operation_ptr tail;
    std::shared_ptr<capture_object> capture;              ///< null: it does not capture
    std::vector<capture_edge> capture_after;              ///< what the next captured operation depends on
    std::vector<driver::graph_node_handle> capture_nodes; ///< the same, as cuStreamGetCaptureInfo hands it out
    std::vector<driver::graph_edge_data> capture_data;
};

/// An event: the operation that recorded it last.
struct event_object {
    std::uintptr_t handle = 0;
    context_object* context = nullptr;
    unsigned flags = 0;
    operation_ptr record;
    std::shared_ptr<capture_object> capture; ///< of the stream that recorded it last, where that captured
    std::vector<capture_edge> capture_after; ///< where that stream was
};

struct function_object;

/// A loaded module.
struct module_object {
    std::uintptr_t handle = 0;
    context_object* context = nullptr;
    unsigned long long context_id = 0;
    std::string label;
    image_facts image;
    std::map<std::string, std::shared_ptr<function_object>> functions; ///< those looked up so far
    std::map<std::string, allocation_ptr> variables;
    std::size_t running = 0; ///< launches submitted and not done
};

/// A kernel of a loaded module, and the attributes set on it.
struct function_object {
    std::uintptr_t handle = 0;
    module_object* module = nullptr; ///< alive as long as the function is in the state's table
    kernel_facts kernel;
    bool invented = false; ///< of a name that the module lacks: options::accept_unknown_functions
    int max_dynamic_shared = 0;
    int carveout = -1;
    bool non_portable_cluster = false;
    extent cluster{0, 0, 0}; ///< set by attribute; zero: not set
    int cluster_scheduling = 0;
};

} // namespace hanabi::host::detail

#endif
