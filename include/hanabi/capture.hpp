// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Any code that launches on a stream, as a plan.

#ifndef HANABI_CAPTURE_HPP
#define HANABI_CAPTURE_HPP

#include <hanabi/detail/graph_capture.hpp>
#include <hanabi/error.hpp>
#include <hanabi/plan.hpp>
#include <hanabi/stream.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace hanabi {

namespace detail {

template <class Graph>
struct kept_capture final : kept_object {
    Graph captured;
    explicit kept_capture(Graph&& c) noexcept : captured{std::move(c)} {}
};

/// Takes part in owning the modules of a captured graph's kernels, and the buffers that their arguments lie in, as far as
/// the library knows the kernels.
template <class Program>
void keep_captured(Program& p, driver::graph_handle graph) {
    const driver::table& table = *p.context->driver;
    std::size_t count = 0;
    if (table.graph_kernel_node_get_params == nullptr || table.graph_get_nodes(graph, nullptr, &count) != driver::status::success) return;
    pod_list<driver::graph_node_handle> nodes;
    nodes.assign_zeros(count);
    if (count == 0 || table.graph_get_nodes(graph, nodes.begin(), &count) != driver::status::success) return;
    for (const driver::graph_node_handle node : nodes) {
        driver::graph_node_type type{};
        driver::kernel_node_params params{};
        if (table.graph_node_get_type(node, &type) != driver::status::success || type != driver::graph_node_type::kernel ||
            table.graph_kernel_node_get_params(node, &params) != driver::status::success || params.function == nullptr)
            continue;
        const binding* bound = nullptr;
        const shared<registry_state> owner = find_registry(*p.context, params.function, &bound);
        if (owner == nullptr) continue;
        p.keep(owner);
        const descriptor* const kernel = bound->key.relaxed();
        if (kernel == nullptr || params.parameters == nullptr) continue;
        for (unsigned i = 0; i < kernel->arity; ++i) {
            const parameter& of = kernel->parameters[i];
            driver::device_address address = 0;
            if (of.kind != parameter_kind::pointer || of.size != sizeof address) continue;
            __builtin_memcpy(&address, params.parameters[i], sizeof address);
            p.allocations.keep(*p.context, address);
        }
    }
}

/// The plan of a captured graph: one node, which is that graph.
template <class State = plan_state>
shared<State> plan_captured(captured_graph&& captured, driver::stream_handle stream, const shared<stream_state>& owner) {
    shared<State> made = shared<State>::make(captured.context);
    const current_scope scope{*captured.context};
    check_current(*captured.context, scope.status());
    const driver::graph_handle graph = captured.graph;
    keep_captured(made->program(), graph);
    program_builder builder{made->program(), nullptr, nullptr, 0};
    const auto kept = shared<kept_capture<typename dependent<captured_graph, State>::type>>::make(std::move(captured));
    builder.graph(graph, kept);
    builder.finish();
    made->finish(stream, owner, nullptr);
    return made;
}

/// Calls, and drops a capture that an exception passes.
template <class F>
captured_graph capture_call(const shared<context_state>& in, driver::stream_handle stream, F& f) {
    failure what;
    typename dependent<graph_capture, F>::type capture{"hanabi::capture"};
    if (!capture.begin(in, stream, what)) raise(what);
    f();
    captured_graph graph;
    if (!capture.end(graph, what)) raise(what);
    return graph;
}

} // namespace detail

/// Calls f() and makes a plan of what it launches on the stream, and on streams that wait for it and that it waits for in the
/// end; nothing of that runs now. The plan replays on the stream, any number of times. Only this thread's calls are taken.
///
/// In f(): no waiting for the device by the host (synchronize, to_vector, blocking copies). Loading modules and allocating
/// buffers work, and take no part; unloading and freeing are put off until the plan has gone. Kernels are looked up at their
/// first launch as ever; `registry::require` does that before. An exception of f() ends the capture and passes on.
///
/// The plan takes part in owning the modules of kernels launched through a dispatcher and the buffers that their arguments
/// lie in; other memory must outlive it. Its nodes are reached by the driver's handles only, and by no policy.
/// Errors: errc::invalid_argument for the legacy default stream or one that captures already; the driver's, saying what broke
/// the capture (901) or was not joined (904).
template <class F>
plan<> capture(const hanabi::stream& stream, F&& f) {
    detail::captured_graph graph = detail::capture_call(stream.context().state(), stream.handle(), f);
    return detail::plan_access::make<plan<>>(detail::plan_captured(std::move(graph), stream.handle(), stream.state()));
}

} // namespace hanabi

#endif
