// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A program as the driver's graph: nodes, edges and attributes, and the executable graph of it.

#ifndef HANABI_PLAN_GRAPH_HPP
#define HANABI_PLAN_GRAPH_HPP

#include <hanabi/config.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>
#include <hanabi/plan/program.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace hanabi::detail {

/// A graph and its executable form, destroyed in its context.
struct graph_pair {
    const context_state* context = nullptr;
    driver::graph_handle graph = nullptr;
    driver::graph_exec_handle exec = nullptr;

    graph_pair() noexcept = default;
    graph_pair(const graph_pair&) = delete;
    graph_pair& operator=(const graph_pair&) = delete;
    ~graph_pair() {
        if (graph == nullptr && exec == nullptr) return;
        tear_down(*context, "destroying a plan", [this] {
            const driver::table& table = *context->driver;
            driver::status s = driver::status::success;
            if (exec != nullptr) s = table.graph_exec_destroy(exec);
            const driver::status t = graph != nullptr ? table.graph_destroy(graph) : driver::status::success;
            return s != driver::status::success ? s : t;
        });
    }
    void swap(graph_pair& other) noexcept {
        std::swap(context, other.context);
        std::swap(graph, other.graph);
        std::swap(exec, other.exec);
    }
};

/// Whether a launch's geometry asks for programmatic dependent launch.
template <class = void>
bool asks_for_pdl(const launch_step& l) noexcept {
    for (unsigned i = 0; i < l.attribute_count; ++i)
        if (l.attributes[i].id == driver::launch_attribute_id::programmatic_stream_serialization)
            return l.attributes[i].value.programmatic_stream_serialization_allowed != 0;
    return false;
}

/// Whether the edge to a step is programmatic: from one launch to one launch, neither of which may come to nothing. A
/// disabled node passes its dependencies on, and would pass on the early trigger, behind which nobody waits.
template <class Program>
bool edge_is_programmatic(const Program& p, const step& to) noexcept {
    if (to.kind != step_kind::launch || to.before_count != 1) return false;
    const step& from = p.steps[p.before[to.first_before]];
    if (from.kind != step_kind::launch) return false;
    const launch_step &a = p.launches[from.index], &b = p.launches[to.index];
    return asks_for_pdl(b) && !a.variable && !b.variable && !a.idle && !b.idle;
}

/// Makes the driver's graph of a program. The context is current.
template <class Program>
class graph_maker {
  public:
    graph_maker(Program& p, const char* operation, failure& f) noexcept
        : program_{p}, table_{*p.context->driver}, operation_{operation}, failure_{f} {}

    /// False with the failure set; what was made is in `made` either way.
    bool make(graph_pair& made) {
        made.context = program_.context.get();
        for (loop_step& l : program_.loops) l.handle = 0;
        if (!has_entries()) return false;
        if (const driver::status s = table_.graph_create(&made.graph, 0); s != driver::status::success) {
            made.graph = nullptr;
            return fail(s, "making a graph");
        }
        for (step& s : program_.steps)
            if (!add(s, made.graph)) return false;
        return instantiate(made);
    }

  private:
    using entry = driver::entry;

    bool fail(driver::status s, const std::string& what) {
        failure_ = driver_failure(*program_.context, s, std::string{operation_} + ": " + what);
        return false;
    }
    bool missing(entry e) {
        failure_ = entry_missing(table_, e, std::string{operation_} + ": a plan");
        return false;
    }
    bool has_entries() {
        if (table_.graph_add_kernel_node == nullptr) return missing(entry::graph_add_kernel_node);
        if (table_.graph_exec_kernel_node_set_params == nullptr) return missing(entry::graph_exec_kernel_node_set_params);
        if (table_.graph_instantiate_with_flags == nullptr && table_.graph_instantiate_with_params == nullptr)
            return missing(entry::graph_instantiate_with_flags);
        if (table_.graph_node_set_enabled == nullptr)
            for (const launch_step& l : program_.launches)
                if (l.variable || l.idle) return missing(entry::graph_node_set_enabled);
        return true;
    }

    bool add(step& s, driver::graph_handle main) {
        const driver::graph_handle graph = s.graph == main_graph ? main : program_.loops[s.graph - 1].body;
        dependencies_.clear();
        for (std::uint32_t i = 0; i < s.before_count; ++i)
            dependencies_.push_back(program_.steps[program_.before[s.first_before + i]].node);
        const bool programmatic = table_.graph_add_dependencies_v2 != nullptr && edge_is_programmatic(program_, s);
        const std::size_t count = programmatic ? 0 : dependencies_.size();
        const driver::status status = add_node(s, graph, count == 0 ? nullptr : dependencies_.begin(), count);
        if (status != driver::status::success) return failure_.code ? false : fail(status, "adding a node: " + program_.step_name(s));
        if (programmatic) {
            driver::graph_edge_data data{};
            data.from_port = driver::graph_kernel_port::programmatic;
            data.type = static_cast<unsigned char>(driver::graph_dependency_type::programmatic);
            if (const driver::status e = table_.graph_add_dependencies_v2(graph, dependencies_.begin(), &s.node, &data, 1);
                e != driver::status::success)
                return fail(e, "adding a programmatic edge to " + program_.step_name(s));
        }
        return s.kind != step_kind::launch || set_attributes(s);
    }

    driver::status add_node(step& s, driver::graph_handle graph, const driver::graph_node_handle* before, std::size_t count) {
        s.node = nullptr;
        switch (s.kind) {
        case step_kind::launch: return table_.graph_add_kernel_node(&s.node, graph, before, count, &program_.launches[s.index].params);
        case step_kind::copy:
            return table_.graph_add_memcpy_node(&s.node, graph, before, count, &program_.copies[s.index].params, program_.context->handle);
        case step_kind::fill:
            return table_.graph_add_memset_node(&s.node, graph, before, count, &program_.fills[s.index].params, program_.context->handle);
        case step_kind::call: return table_.graph_add_host_node(&s.node, graph, before, count, &program_.calls[s.index]);
        case step_kind::record:
            if (table_.graph_add_event_record_node == nullptr) return lacks(entry::graph_add_event_record_node);
            return table_.graph_add_event_record_node(&s.node, graph, before, count, program_.events[s.index]);
        case step_kind::wait:
            if (table_.graph_add_event_wait_node == nullptr) return lacks(entry::graph_add_event_wait_node);
            return table_.graph_add_event_wait_node(&s.node, graph, before, count, program_.events[s.index]);
        case step_kind::graph: return table_.graph_add_child_graph_node(&s.node, graph, before, count, program_.graphs[s.index]);
        case step_kind::loop: return add_loop(s, graph, before, count);
        case step_kind::test: return add_test(s, graph, before, count);
        case step_kind::join: return table_.graph_add_empty_node(&s.node, graph, before, count);
        }
        return driver::status::invalid_value;
    }
    driver::status lacks(entry e) {
        missing(e);
        return driver::status::not_supported;
    }
    /// A loop's handle is made with its first test, which is in the graph that the loop is in.
    driver::status add_test(step& s, driver::graph_handle graph, const driver::graph_node_handle* before, std::size_t count) {
        test_step& test = program_.tests[s.index];
        loop_step& loop = program_.loops[test.loop];
        if (table_.graph_add_node == nullptr) return lacks(entry::graph_add_node);
        if (table_.graph_conditional_handle_create == nullptr) return lacks(entry::graph_conditional_handle_create);
        if (loop.handle == 0) {
            const driver::status status = table_.graph_conditional_handle_create(&loop.handle, graph, program_.context->handle, 0,
                                                                                 driver::graph_conditional_assign_default);
            if (status != driver::status::success) {
                loop.handle = 0;
                return status;
            }
        }
        test.pointers[0] = &loop.handle;
        test.pointers[1] = &loop.flag;
        test.params.parameters = test.pointers;
        return table_.graph_add_kernel_node(&s.node, graph, before, count, &test.params);
    }
    driver::status add_loop(step& s, driver::graph_handle graph, const driver::graph_node_handle* before, std::size_t count) {
        loop_step& loop = program_.loops[s.index];
        if (table_.graph_add_node == nullptr) return lacks(entry::graph_add_node);
        driver::graph_node_params params{};
        params.type = driver::graph_node_type::conditional;
        params.conditional.handle = loop.handle;
        params.conditional.type = driver::graph_conditional_type::while_;
        params.conditional.size = 1;
        params.conditional.context = program_.context->handle;
        const driver::status status = table_.graph_add_node(&s.node, graph, before, nullptr, count, &params);
        if (status == driver::status::success) loop.body = params.conditional.bodies[0];
        return status;
    }

    bool set_attributes(const step& s) {
        const launch_step& l = program_.launches[s.index];
        for (unsigned i = 0; i < l.attribute_count; ++i) {
            const driver::launch_attribute& a = l.attributes[i];
            if (a.id == driver::launch_attribute_id::programmatic_stream_serialization || a.id == driver::launch_attribute_id::ignore)
                continue;
            uses_priority_ = uses_priority_ || a.id == driver::launch_attribute_id::priority;
            if (const driver::status status = table_.graph_kernel_node_set_attribute(s.node, a.id, &a.value);
                status != driver::status::success)
                return fail(status,
                            "setting attribute " + std::to_string(static_cast<unsigned>(a.id)) + " of a node: " + program_.step_name(s));
        }
        return true;
    }

    bool instantiate(graph_pair& made) {
        const unsigned long long flags = uses_priority_ ? driver::graph_instantiate_flags::use_node_priority : 0;
        driver::status status;
        std::string where;
        if (table_.graph_instantiate_with_params != nullptr) {
            driver::graph_instantiate_params params{};
            params.flags = flags;
            status = table_.graph_instantiate_with_params(&made.exec, made.graph, &params);
            if (status != driver::status::success) where = explain(params);
        } else
            status = table_.graph_instantiate_with_flags(&made.exec, made.graph, flags);
        if (status != driver::status::success) {
            made.exec = nullptr;
            return fail(status, "instantiating a graph of " + std::to_string(program_.steps.size()) + " nodes" + where);
        }
        for (launch_step& l : program_.launches) {
            l.changed = l.disabled = false;
            if (!l.idle) continue;
            const step& s = program_.steps[l.step];
            if (const driver::status e = table_.graph_node_set_enabled(made.exec, s.node, 0); e != driver::status::success)
                return fail(e, "disabling a node: " + program_.step_name(s));
            l.disabled = true;
        }
        for (copy_step& c : program_.copies) c.changed = false;
        for (fill_step& fill : program_.fills) fill.changed = false;
        if (table_.graph_upload != nullptr)
            if (const driver::status e = table_.graph_upload(made.exec, program_.context->stream); e != driver::status::success)
                return fail(e, "uploading a graph of " + std::to_string(program_.steps.size()) + " nodes");
        return true;
    }
    std::string explain(const driver::graph_instantiate_params& params) const {
        for (const step& s : program_.steps)
            if (s.node == params.error_node && s.node != nullptr) return ", at " + program_.step_name(s);
        return {};
    }

    Program& program_;
    const driver::table& table_;
    const char* operation_;
    failure& failure_;
    pod_list<driver::graph_node_handle> dependencies_;
    bool uses_priority_ = false;
};

} // namespace hanabi::detail

#endif
