// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Makes a program step by step. An expression tells it one thing after the other; what comes after what is kept here.

#ifndef HANABI_PLAN_BUILDER_HPP
#define HANABI_PLAN_BUILDER_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/launch_check.hpp>
#include <hanabi/detail/transfer.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>
#include <hanabi/plan/program.hpp>
#include <hanabi/plan/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace hanabi::detail {

/// A placeholder in one leaf of an expression: where in the leaf its value goes.
struct open_use {
    name_view name;
    std::uint32_t offset; ///< see slot_use
    std::uint64_t scale;
    bool shape;
};

/// A placeholder of the whole expression.
struct open_slot {
    name_view name;
    const parameter* type;
};

/// See the file's comment. Throws what is wrong. The context is current meanwhile.
template <class Void>
class basic_program_builder {
  public:
    using program = basic_program<Void>;
    /// What the next step comes after: all of these.
    using frontier = pod_list<std::uint32_t>;

    basic_program_builder(program& made, const shared<registry_state>& registry, const open_slot* slots, std::size_t slot_count)
        : program_{made}, registry_{registry} {
        if (registry != nullptr) program_.keep(registry);
        program_.slots.reserve(slot_count);
        for (std::size_t i = 0; i < slot_count; ++i) {
            std::byte* const value = program_.storage.take(slots[i].type->size, slots[i].type->alignment);
            std::memset(value, 0, slots[i].type->size);
            program_.slots.push_back({slots[i].name, slots[i].type, value, 0, 0, false, false});
            program_.owners.push_back(nullptr);
        }
        program_.unbound = static_cast<unsigned>(slot_count);
    }
    basic_program_builder(const basic_program_builder&) = delete;
    basic_program_builder& operator=(const basic_program_builder&) = delete;

    program& made() noexcept { return program_; }
    context_state& context() const noexcept { return *program_.context; }
    const shared<registry_state>& registry() const noexcept { return registry_; }

    /// A launch, its arguments `bytes` of them at an alignment.
    void launch(const launch_request& r, std::size_t bytes, std::size_t alignment, const open_use* open, std::size_t open_count) {
        failure f;
        binding* b = registry_->slots.find(r.kernel);
        if (b == nullptr) b = registry_->bind(r.kernel, "planning: " + launch_name(r), f);
        if (b == nullptr) raise(f);
        const driver::function_handle function = b->function.acquire();
        if (function == nullptr) raise(registry_->unloaded_failure("planning: " + launch_name(r)));

        launch_step l{};
        l.bound = b;
        l.kernel = &r.kernel;
        l.shape = r.shape;
        l.terms = r.terms;
        l.argument_bytes = static_cast<std::uint32_t>(bytes);
        l.alignment = static_cast<std::uint32_t>(alignment);
        l.arguments = program_.storage.take(bytes == 0 ? 1 : bytes, alignment);
        std::memcpy(l.arguments, r.arguments, bytes);
        program::set_parameters(program_.storage, l);
        l.params.function = function;
        copy_attributes(l, r);
        for (std::size_t i = 0; i < open_count; ++i) {
            if (open[i].shape) {
                l.variable = true;
                ++l.open_counts;
                count_in(l.shape, open[i].offset) = 1;
            } else // no stale bytes of the expression's
                std::memset(l.arguments + open[i].offset, 0, size_of(open[i]));
            use(open[i], {open[i].shape ? use_kind::shape : use_kind::argument, program_.launches.count(), open[i].offset, open[i].scale});
        }
        if (!shape_launch(l, f)) raise(f);
        each_pointer(r.kernel, l.arguments, [this](driver::device_address a) { program_.allocations.keep(context(), a); });
        l.step = add(step_kind::launch, program_.launches.count());
        program_.launches.push_back(l);
    }

    /// A copy whose addresses are known, or will be bound at `open`: offset 0 is the destination's, 8 the source's.
    void copy(const driver::memcpy_3d& params, const open_use* open, std::size_t open_count) {
        if (params.width_bytes == 0) return;
        if (open_count != 0) program_.wants_values = true;
        for (std::size_t i = 0; i < open_count; ++i)
            use(open[i], {open[i].offset == 0 ? use_kind::copy_destination : use_kind::copy_source, program_.copies.count(), 0, 0});
        if (params.source_type == driver::memory_type::device) program_.allocations.keep(context(), params.source_device);
        if (params.destination_type == driver::memory_type::device) program_.allocations.keep(context(), params.destination_device);
        const std::uint32_t at = add(step_kind::copy, program_.copies.count());
        program_.copies.push_back({params, at, false});
    }

    /// A fill with words; `open` when the word will be bound: `offset` bytes into the value.
    void fill(const driver::memset_node_params& params, const open_use* open, std::uint32_t offset) {
        if (open != nullptr) use(*open, {use_kind::fill_word, program_.fills.count(), offset, params.element_size});
        program_.allocations.keep(context(), params.destination);
        const std::uint32_t at = add(step_kind::fill, program_.fills.count());
        program_.fills.push_back({params, at, false});
    }

    void call(driver::host_function function, void* user_data, const shared<kept_object>& owner) {
        if (owner != nullptr) program_.keep(owner);
        add(step_kind::call, program_.calls.count());
        program_.calls.push_back({function, user_data});
    }
    void record(driver::event_handle event) { add_event(step_kind::record, event); }
    void wait(driver::event_handle event) { add_event(step_kind::wait, event); }
    /// A graph, which `owner` keeps.
    void graph(driver::graph_handle graph, const shared<kept_object>& owner) {
        if (owner != nullptr) program_.keep(owner);
        add(step_kind::graph, program_.graphs.count());
        program_.graphs.push_back(graph);
    }

    /// All steps of another program, with the values that it has. What begins there comes after what was before.
    void include(const program& other) {
        const std::uint32_t steps = program_.steps.count(), loops = program_.loops.count(), tests = program_.tests.count();
        const std::uint32_t bases[]{program_.launches.count(),
                                    program_.copies.count(),
                                    program_.fills.count(),
                                    program_.calls.count(),
                                    program_.events.count(),
                                    program_.events.count(),
                                    program_.graphs.count(),
                                    loops,
                                    tests,
                                    0};
        pod_list<unsigned char> followed;
        followed.assign_zeros(other.steps.size());
        const frontier before = frontier_;
        frontier ends;
        for (const step& s : other.steps) {
            step mine = s;
            mine.node = nullptr;
            mine.index += bases[static_cast<unsigned>(s.kind)];
            mine.graph = s.graph == main_graph ? graph_ : s.graph + loops;
            mine.first_before = program_.before.count();
            for (std::uint32_t i = 0; i < s.before_count; ++i) {
                followed[other.before[s.first_before + i]] = 1;
                program_.before.push_back(other.before[s.first_before + i] + steps);
            }
            if (s.before_count == 0 && s.graph == main_graph) {
                program_.before.append(before.begin(), before.size());
                mine.before_count = before.count();
            }
            program_.steps.push_back(mine);
        }
        program_.append_lists(other, steps, loops);
        for (std::uint32_t i = 0; i < other.steps.count(); ++i)
            if (followed[i] == 0 && other.steps[i].graph == main_graph) ends.push_back(i + steps);
        if (!ends.empty()) frontier_ = std::move(ends);
    }

    /// Nothing: everything after comes after everything before.
    void join() {
        if (frontier_.size() > 1) add(step_kind::join, 0);
    }

    /// A loop around what is told until end_loop, tested by a launch of `test`.
    struct loop_mark {
        std::uint32_t loop;
        std::uint32_t graph;
        driver::function_handle test;
        frontier after;
    };
    loop_mark begin_loop(driver::device_address flag, driver::function_handle test) {
        program_.allocations.keep(context(), flag);
        const std::uint32_t loop = program_.loops.count();
        program_.loops.push_back({flag, 0, nullptr});
        add_test(loop, test);
        add(step_kind::loop, loop);
        loop_mark mark{loop, graph_, test, std::move(frontier_)};
        graph_ = loop + 1;
        frontier_.clear();
        return mark;
    }
    void end_loop(loop_mark&& mark) {
        add_test(mark.loop, mark.test);
        graph_ = mark.graph;
        frontier_ = std::move(mark.after);
    }

    /// Branches: each comes after what was before the first of them. A parallel's next step comes after all of them.
    const frontier& last() const noexcept { return frontier_; }
    void come_after(frontier those) noexcept { frontier_ = std::move(those); }
    /// Puts one step in place of many, so that branches behind them do not multiply their edges.
    void narrow() {
        if (frontier_.size() > 2) join();
    }

    /// What the rest needs when all steps are told: the placeholders' places, in order.
    void finish() {
        for (const pending_use& u : pending_) ++program_.slots[u.slot].use_count;
        std::uint32_t first = 0;
        for (slot& s : program_.slots) {
            s.first_use = first;
            first += s.use_count;
            s.use_count = 0;
        }
        program_.uses.assign_zeros(pending_.size());
        for (const pending_use& u : pending_) {
            slot& s = program_.slots[u.slot];
            program_.uses[s.first_use + s.use_count++] = u.use;
            if (u.use.kind == use_kind::shape) s.counts = true;
        }
    }

  private:
    struct pending_use {
        std::uint32_t slot;
        slot_use use;
    };

    std::uint32_t add(step_kind kind, std::uint32_t index) {
        const auto made = program_.steps.count();
        program_.steps.push_back({kind, index, program_.before.count(), frontier_.count(), graph_, nullptr});
        program_.before.append(frontier_.begin(), frontier_.size());
        frontier_.clear();
        frontier_.push_back(made);
        return made;
    }
    void add_test(std::uint32_t loop, driver::function_handle function) {
        test_step t{};
        t.params.function = function;
        t.params.grid_x = t.params.grid_y = t.params.grid_z = t.params.block_x = t.params.block_y = t.params.block_z = 1;
        t.loop = loop;
        add(step_kind::test, program_.tests.count());
        program_.tests.push_back(t);
    }
    void add_event(step_kind kind, driver::event_handle event) {
        add(kind, program_.events.count());
        program_.events.push_back(event);
    }

    std::uint32_t slot_of(name_view name) const noexcept {
        std::uint32_t i = 0;
        while (!(program_.slots[i].name == name)) ++i;
        return i;
    }
    std::size_t size_of(const open_use& open) const noexcept { return program_.slots[slot_of(open.name)].type->size; }
    void use(const open_use& open, const slot_use& where) { pending_.push_back({slot_of(open.name), where}); }

    /// The attributes that a node takes. What is none of a node's: programmatic serialization, which is an edge.
    void copy_attributes(launch_step& l, const launch_request& r) {
        const bool adds = adds_cluster(*l.bound, r);
        if (r.attribute_count == 0 && !adds) return;
        driver::launch_attribute* const all = program_.storage.template take_array<driver::launch_attribute>(r.attribute_count + 1);
        for (unsigned i = 0; i < r.attribute_count; ++i) {
            if (r.attributes[i].id == driver::launch_attribute_id::programmatic_event ||
                r.attributes[i].id == driver::launch_attribute_id::launch_completion_event)
                raise(errc::invalid_argument, "planning: " + launch_name(r) +
                                                  ": an event in the geometry can't be in a plan; write record(event) behind the launch");
            all[l.attribute_count++] = r.attributes[i];
        }
        if (adds) {
            const unsigned(&contract)[3] = r.kernel.contracts->cluster;
            driver::launch_attribute& a = all[l.attribute_count++];
            a = {};
            a.id = driver::launch_attribute_id::cluster_dimension;
            a.value.cluster_dim = {contract[0], contract[1], contract[2]};
        }
        l.attributes = all;
    }

    program& program_;
    shared<registry_state> registry_;
    frontier frontier_;
    std::uint32_t graph_ = main_graph;
    pod_list<pending_use> pending_;
};

using program_builder = basic_program_builder<void>;

} // namespace hanabi::detail

#endif
