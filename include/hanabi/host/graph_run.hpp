// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Running graphs: every node becomes an operation that waits for those its edges come from.

#ifndef HANABI_HOST_GRAPH_RUN_HPP
#define HANABI_HOST_GRAPH_RUN_HPP

#include <hanabi/host/graph_build.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hanabi::host::entries::graph_detail {

/// One launch of an executable graph. Shared by its operations.
struct graph_launch {
    detail::driver_state* state = nullptr;
    std::shared_ptr<detail::context_object> home; ///< the stream's
    std::shared_ptr<detail::lane> within;
    launch_detail::launch_origin origin;
    std::shared_ptr<void> users; ///< what the graph keeps alive
};
using graph_launch_ptr = std::shared_ptr<graph_launch>;
using operations = std::vector<detail::operation_ptr>;

/// What a node comes to: filled in for each kind.
struct node_work {
    std::shared_ptr<detail::context_object> context; ///< null: the stream's
    std::function<detail::outcome()> work;
    std::function<void()> finish;
    std::vector<detail::access> touched;
    std::string what;
    std::uint64_t launch = 0;
};

inline detail::operation_ptr put(const graph_launch& l, node_work&& w, const operations& before) {
    const auto op = std::make_shared<detail::operation>();
    if (w.work) op->within = l.within;
    op->work = std::move(w.work);
    op->finish = std::move(w.finish);
    op->context = w.context == nullptr ? l.home : std::move(w.context);
    ++op->context->pending;
    call::note(*l.state, *op, before, w.touched, w.what, w.launch);
    l.state->engine.submit(op, before);
    return op;
}

/// The context of a task, where it is alive still.
inline std::shared_ptr<detail::context_object> find_context(const graph_launch& l, detail::task_context where) {
    if (l.home->id == where.id) return l.home; // it may be on its way out: its work is waited for
    const auto found = l.state->contexts.find(where.handle);
    return found == l.state->contexts.end() || found->second->id != where.id ? nullptr : found->second;
}

inline node_work failing(driver::status with, std::string why) {
    node_work w;
    w.work = [with, why = std::move(why)] { return detail::outcome{with, why}; };
    return w;
}

inline node_work kernel_work(const graph_launch& l, const detail::kernel_task& task, const detail::exec_node& node) {
    node_work w;
    w.context = find_context(l, task.where);
    if (w.context == nullptr || !l.state->functions.contains(task.function->handle))
        return failing(status::invalid_handle, launch_detail::name_of(*task.function) + ": its module was unloaded before the graph ran");
    std::string reason;
    auto body = launch_detail::body_of(*l.state, *task.function, reason);
    if (body == nullptr && !reason.empty()) return failing(status::not_supported, std::move(reason));
    launch_detail::launch_origin origin = l.origin;
    origin.node = node.source;
    if (const auto found = l.state->nodes.find(node.source); found != l.state->nodes.end()) origin.tools_id = found->second->tools_id;
    const auto run = launch_detail::begin(*l.state, task, std::move(body), origin);
    w.touched = run->touched;
    w.what = run->name;
    w.launch = run->number;
    w.work = [run] { return run->run(); };
    w.finish = [run] { launch_detail::finish(*run); };
    return w;
}

/// Work on memory, which must be alive when its turn comes.
template <class Work>
node_work memory_work(const graph_launch& l, const char* what, std::vector<detail::access> touched, Work work) {
    node_work w;
    auto held = std::make_shared<std::vector<detail::allocation_ptr>>();
    for (const detail::access& a : touched)
        if (a.memory != nullptr) held->push_back(a.memory);
    std::erase_if(touched, [](const detail::access& a) { return a.memory == nullptr; });
    detail::driver_state& state = *l.state;
    for (const detail::allocation_ptr& a : *held) state.memory.use(*a);
    w.what = what;
    w.touched = std::move(touched);
    w.work = [&state, held, what, work = std::move(work)]() -> detail::outcome {
        {
            const std::lock_guard lock{state.mutex};
            for (const auto& a : *held)
                if (a->freed || !a->ready)
                    return {status::illegal_address, detail::say("a ", what, " node: ", a->text(),
                                                                 a->freed ? " was freed before the node ran" : " is not allocated yet")};
        }
        work();
        return {};
    };
    w.finish = [&state, held] { call::unuse(state, *held); };
    return w;
}

inline std::uintptr_t address_of(const std::byte* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// What CUPTI is to say of a copy or a fill.
inline void note_memory(node_work& w, const graph_launch& l, std::uint32_t copy_kind, std::size_t bytes, const detail::allocation_ptr& from,
                        const detail::allocation_ptr& to, unsigned value = 0) {
    const auto kind_of = [](const detail::allocation_ptr& a) {
        return a == nullptr ? 1u : a->kind == detail::memory_kind::pinned ? 2u : 3u;
    };
    detail::activity_note note = call::memory_note(w.context == nullptr ? *l.home : *w.context, copy_kind, bytes,
                                                   copy_kind == 0 ? 0 : kind_of(from), kind_of(to), value);
    note.record.correlation = l.origin.correlation;
    note.record.stream = detail::stream_number(detail::number_of(l.origin.stream));
    note.record.graph_id = l.origin.graph;
    w.work = call::noted(note, std::move(w.work));
}

inline node_work copy_work(const graph_launch& l, const detail::memcpy_task& task) {
    copy_plan plan = plan_copy(*l.state, task.copy);
    if (!plan.fault.empty()) return failing(status::illegal_address, "a memcpy node: " + plan.fault);
    std::vector<detail::access> touched;
    touched.push_back({plan.from.holder, address_of(plan.from.begin), address_of(plan.from.begin) + plan.from.bytes, false, 0});
    touched.push_back({plan.to.holder, address_of(plan.to.begin), address_of(plan.to.begin) + plan.to.bytes, true, 0});
    node_work w = memory_work(l, "memcpy", std::move(touched), [plan] { plan.run(); });
    w.context = find_context(l, task.where);
    note_memory(w, l, plan.from.holder == nullptr ? 1 : plan.to.holder == nullptr ? 2 : 8, plan.to.bytes, plan.from.holder, plan.to.holder);
    return w;
}

inline node_work fill_work(const graph_launch& l, const detail::memset_task& task) {
    const fill_plan plan = plan_fill(*l.state, task.fill);
    if (!plan.fault.empty()) return failing(status::illegal_address, "a memset node: " + plan.fault);
    std::vector<detail::access> touched;
    touched.push_back({plan.holder, address_of(plan.begin), address_of(plan.begin) + plan.bytes, true, 0});
    node_work w = memory_work(l, "memset", std::move(touched),
                              [fill = task.fill, begin = plan.begin, memory = plan.holder.get()] { run_fill(fill, begin, memory); });
    w.context = find_context(l, task.where);
    note_memory(w, l, 0, plan.bytes, nullptr, plan.holder, task.fill.value);
    return w;
}

inline node_work host_work(const detail::host_task& task) {
    node_work w;
    w.work = [call = task.call] {
        const detail::work_scope scope;
        try {
            call.function(call.user_data);
        } catch (...) {
            return detail::outcome{status::unknown, "a host function let an exception out"};
        }
        return detail::outcome{};
    };
    return w;
}

detail::operation_ptr run_graph(const graph_launch_ptr& l, const detail::exec_graph& graph, const detail::operation_ptr& start);

/// A deep copy: what a conditional node runs later is what it was when the launch was made.
inline std::shared_ptr<const detail::exec_graph> snapshot(const detail::exec_graph& graph) {
    auto copy = std::make_shared<detail::exec_graph>(graph);
    for (detail::exec_node& node : copy->nodes)
        for (auto& inner : node.inner) inner = std::const_pointer_cast<detail::exec_graph>(snapshot(*inner));
    return copy;
}

/// A conditional node under way.
struct conditional_run {
    graph_launch_ptr launch;
    driver::graph_conditional_type type;
    std::shared_ptr<detail::conditional_object> condition;
    std::vector<std::shared_ptr<const detail::exec_graph>> bodies;
    detail::operation_ptr end; ///< held until the last body is done
};

/// Under the lock, when `done` is: runs the body that the condition names, or ends.
inline void step(const std::shared_ptr<conditional_run>& run, const detail::operation_ptr& done) {
    const unsigned value = run->condition->value.load(std::memory_order_acquire);
    std::size_t chosen = ~std::size_t{0};
    switch (run->type) {
    case driver::graph_conditional_type::if_: chosen = value != 0 ? 0 : 1; break;
    case driver::graph_conditional_type::while_: chosen = value != 0 ? 0 : 1; break;
    case driver::graph_conditional_type::switch_: chosen = value; break;
    }
    detail::engine& engine = run->launch->state->engine;
    // A loop without end ends with its context.
    if (chosen >= run->bodies.size() || run->launch->home->broken != status::success || !run->launch->home->alive)
        return engine.release(run->end);
    const detail::operation_ptr join = run_graph(run->launch, *run->bodies[chosen], done);
    node_work next;
    next.work = [] { return detail::outcome{}; }; // on a thread of its own: a loop must not be a recursion
    next.finish = [run, join] {
        if (run->type == driver::graph_conditional_type::while_)
            step(run, join);
        else
            run->launch->state->engine.release(run->end);
    };
    put(*run->launch, std::move(next), {join});
}

/// For the race book: the nodes of a graph that is not launched yet, as if they ran once.
inline std::uint64_t note_graph(const graph_launch& l, const detail::exec_graph& graph, std::uint64_t start) {
    detail::driver_state& state = *l.state;
    std::vector<std::uint64_t> ends(graph.nodes.size()), all{start};
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const detail::exec_node& node = graph.nodes[i];
        std::vector<std::uint64_t> after;
        for (const auto& edge : node.before) after.push_back(ends[edge.first]);
        if (after.empty()) after.push_back(start);
        if (!node.inner.empty()) {
            const std::uint64_t inner = state.races.add(after, {}, {}, 0, state.log);
            std::vector<std::uint64_t> inners{inner};
            for (const auto& g : node.inner) inners.push_back(note_graph(l, *g, inner));
            ends[i] = state.races.add(inners, {}, {}, 0, state.log);
        } else {
            std::vector<detail::access> touched;
            std::string what;
            if (const auto* const kernel = std::get_if<detail::kernel_task>(node.task.get()); kernel != nullptr && node.enabled) {
                detail::kernel_run run;
                run.state = &state;
                std::string reason;
                run.body = launch_detail::body_of(state, *kernel->function, reason);
                run.arguments = kernel->arguments;
                run.note_accesses({});
                touched = std::move(run.touched);
                what = launch_detail::name_of(*kernel->function) + " (in a conditional body)";
            }
            ends[i] = state.races.add(after, touched, what, 0, state.log);
        }
        all.push_back(ends[i]);
    }
    return state.races.add(all, {}, {}, 0, state.log);
}

inline detail::operation_ptr run_conditional(const graph_launch_ptr& l, const detail::conditional_task& task, const detail::exec_node& node,
                                             const operations& before) {
    const auto run = std::make_shared<conditional_run>();
    run->launch = l;
    run->type = task.params.type;
    run->condition = task.condition;
    for (const auto& body : node.inner) run->bodies.push_back(snapshot(*body));
    run->end = std::make_shared<detail::operation>();
    run->end->context = l->home;
    ++l->home->pending;
    node_work begin;
    begin.work = [] { return detail::outcome{}; };
    const auto first = std::make_shared<detail::operation_ptr>();
    begin.finish = [run, first] { step(run, *first); };
    // The finish may run before put() returns, but never before this thread gives up the lock, where it has work.
    l->state->engine.hold(run->end);
    const detail::operation_ptr started = put(*l, std::move(begin), before);
    *first = started;
    if (l->state->settings.check_races) {
        std::vector<std::uint64_t> ends{started->race_number};
        for (const auto& body : run->bodies) ends.push_back(note_graph(*l, *body, started->race_number));
        run->end->race_number = l->state->races.add(ends, {}, {}, 0, l->state->log);
    }
    return run->end;
}

inline detail::operation_ptr run_node(const graph_launch_ptr& l, const detail::exec_node& node, operations before) {
    using namespace detail;
    const node_task& task = *node.task;
    if (!node.enabled) return put(*l, {}, before);
    if (const auto* const kernel = std::get_if<kernel_task>(&task)) return put(*l, kernel_work(*l, *kernel, node), before);
    if (const auto* const copy = std::get_if<memcpy_task>(&task)) return put(*l, copy_work(*l, *copy), before);
    if (const auto* const fill = std::get_if<memset_task>(&task)) return put(*l, fill_work(*l, *fill), before);
    if (const auto* const host = std::get_if<host_task>(&task)) return put(*l, host_work(*host), before);
    if (const auto* const event = std::get_if<event_task>(&task)) {
        if (node.type == driver::graph_node_type::wait_event) {
            before.push_back(event->event->record);
            return put(*l, {}, before);
        }
        event->event->capture = nullptr;
        event->event->capture_after.clear();
        return event->event->record = put(*l, {}, before);
    }
    if (const auto* const conditional = std::get_if<conditional_task>(&task)) return run_conditional(l, *conditional, node, before);
    if (!node.inner.empty()) return run_graph(l, *node.inner.front(), put(*l, {}, before));
    return put(*l, {}, before);
}

/// Submits every node, after `start`; returns what is done when all are.
inline detail::operation_ptr run_graph(const graph_launch_ptr& l, const detail::exec_graph& graph, const detail::operation_ptr& start) {
    operations ends(graph.nodes.size());
    std::vector<bool> inner(graph.nodes.size(), false);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        operations before;
        for (const auto& edge : graph.nodes[i].before) {
            before.push_back(ends[edge.first]);
            inner[edge.first] = true;
        }
        if (before.empty()) before.push_back(start);
        ends[i] = run_node(l, graph.nodes[i], std::move(before));
    }
    operations leaves;
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (!inner[i]) leaves.push_back(ends[i]);
    if (leaves.empty()) leaves.push_back(start);
    return put(*l, {}, leaves);
}

} // namespace hanabi::host::entries::graph_detail

#endif
