// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What an expression becomes before it is a graph: steps, the edges between them, the arguments, the places that
/// placeholders fill, and shared ownership of all that the steps refer to. No type depends on the expression.

#ifndef HANABI_PLAN_PROGRAM_HPP
#define HANABI_PLAN_PROGRAM_HPP

#include <hanabi/detail/allocation.hpp>
#include <hanabi/detail/launch_check.hpp>
#include <hanabi/detail/pod_list.hpp>
#include <hanabi/detail/registry_state.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/plan/arena.hpp>
#include <hanabi/plan/step.hpp>
#include <hanabi/signature.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace hanabi::detail {

/// Anything that a plan keeps alive and that has a destructor: a callable, say.
struct kept_object : shared_object {
    kept_object() noexcept = default;
    kept_object(const kept_object&) = delete;
    kept_object& operator=(const kept_object&) = delete;
    virtual ~kept_object() = default;
};

/// A placeholder: its value and where that goes.
struct slot {
    name_view name;
    const parameter* type;
    std::byte* value; ///< type->size bytes
    std::uint32_t first_use, use_count;
    bool bound;
    bool counts; ///< fills a count somewhere
};

/// The allocations that a program's addresses lie in, each owned once.
class kept_allocations {
  public:
    /// Takes part in owning the memory at an address, if it is the library's.
    void keep(context_state& context, driver::device_address address) {
        if (address == 0) return;
        if (const allocation* known = index_.find(address); known != nullptr && address - known->address < known->bytes) return;
        if (const shared<allocation> found = find_allocation(context, address)) {
            index_.add(found->address, found.get());
            all_.push_back(found);
        }
    }
    const owner_list<allocation>& all() const noexcept { return all_; }

  private:
    owner_list<allocation> all_;
    allocation_table index_;
};

/// The pointers among a launch's arguments, those in described structs included: calls f(address).
template <class F>
void each_pointer(const descriptor& kernel, const std::byte* arguments, F f) {
    for (unsigned i = 0; i < kernel.arity; ++i) {
        const parameter& p = kernel.parameters[i];
        driver::device_address address = 0;
        if (p.kind == parameter_kind::pointer && p.size == sizeof address) {
            __builtin_memcpy(&address, arguments + p.offset, sizeof address);
            f(address);
        } else if (p.visit_fields != nullptr)
            p.visit_fields(
                arguments + p.offset,
                [](void* state, name_view, parameter_kind kind, std::size_t size, const void* field) {
                    driver::device_address inner = 0;
                    if (kind != parameter_kind::pointer || size != sizeof inner) return;
                    __builtin_memcpy(&inner, field, sizeof inner);
                    (*static_cast<F*>(state))(inner);
                },
                &f);
    }
}

template <class Void>
struct basic_program {
    /// Of elements that the compiler needn't look at before a source plans something.
    template <class T>
    using list_of = pod_list<typename dependent<T, Void>::type>;

    shared<context_state> context;
    arena storage;
    list_of<step> steps;
    list_of<std::uint32_t> before;
    list_of<launch_step> launches;
    list_of<copy_step> copies;
    list_of<fill_step> fills;
    list_of<driver::host_node_params> calls;
    list_of<driver::event_handle> events;
    list_of<driver::graph_handle> graphs;
    list_of<loop_step> loops;
    list_of<test_step> tests;
    list_of<slot> slots;           ///< sorted by name
    owner_list<allocation> owners; ///< of what each slot's value points to
    list_of<slot_use> uses;
    unsigned unbound = 0;      ///< slots that never had a value
    bool wants_values = false; ///< no graph can be made before all have: a copy's address is missing

    kept_allocations allocations;
    owner_list<registry_state> registries;
    owner_list<kept_object> objects;

    explicit basic_program(shared<context_state> in) : context{std::move(in)} {}

    /// The launch as the checks and the messages want it.
    static launch_request request(const launch_step& l) noexcept {
        return {*l.kernel, l.shape, l.terms, l.attributes, l.attribute_count, l.arguments, nullptr};
    }
    /// The step's own words, for messages.
    std::string step_name(const step& s) const {
        switch (s.kind) {
        case step_kind::launch: return launch_name(request(launches[s.index]));
        case step_kind::copy: return "copying " + std::to_string(copies[s.index].params.width_bytes) + " bytes";
        case step_kind::fill: {
            const driver::memset_node_params& p = fills[s.index].params;
            return "filling " + std::to_string(p.width * p.height) + " words of " + std::to_string(p.element_size) + " bytes";
        }
        case step_kind::call: return "a call";
        case step_kind::record: return "recording an event";
        case step_kind::wait: return "waiting for an event";
        case step_kind::graph: return "a captured graph";
        case step_kind::loop:
        case step_kind::test: return "repeat_while";
        case step_kind::join: return "a barrier";
        }
        return {};
    }
    /// Whether all modules are still loaded.
    bool loaded() const noexcept {
        for (const registry_state* const r : registries)
            if (r->unloaded.acquire()) return false;
        return true;
    }
    void keep(const shared<registry_state>& registry) {
        for (const registry_state* const r : registries)
            if (r == registry.get()) return;
        registries.push_back(registry);
    }
    void keep(const shared<kept_object>& object) { objects.push_back(object); }

    /// The array of pointers that the driver reads a launch's arguments through.
    static void set_parameters(arena& storage, launch_step& l) {
        const unsigned count = l.kernel->arity + l.bound->hidden;
        l.params.parameters = storage.take_array<void*>(count == 0 ? 1 : count);
        l.params.parameters[0] = nullptr;
        for (unsigned i = 0; i < count; ++i)
            l.params.parameters[i] =
                i < l.kernel->arity ? static_cast<void*>(l.arguments + l.kernel->parameters[i].offset) : static_cast<void*>(&hidden_value);
    }

    /// Becomes the same as another: steps, values and owners, but for the driver's nodes.
    void copy_from(const basic_program& other) {
        steps = other.steps;
        for (step& s : steps) s.node = nullptr;
        before = other.before;
        append_lists(other, 0, 0);
        slots = other.slots;
        for (slot& s : slots) {
            const std::byte* const value = s.value;
            s.value = storage.take(s.type->size, s.type->alignment);
            __builtin_memcpy(s.value, value, s.type->size);
        }
        uses = other.uses;
        owners = other.owners;
        unbound = other.unbound;
        wants_values = other.wants_values;
    }

    /// Takes over what the steps of another do, whose steps and loops have become these and those behind them; and takes part
    /// in owning what it owns.
    void append_lists(const basic_program& other, std::uint32_t first_step, std::uint32_t first_loop) {
        for (const launch_step& theirs : other.launches) {
            launch_step l = theirs;
            l.step += first_step;
            l.arguments = storage.take(l.argument_bytes == 0 ? 1 : l.argument_bytes, l.alignment);
            __builtin_memcpy(l.arguments, theirs.arguments, l.argument_bytes);
            set_parameters(storage, l);
            if (l.attribute_count != 0) {
                driver::launch_attribute* const all = storage.take_array<driver::launch_attribute>(l.attribute_count);
                for (unsigned i = 0; i < l.attribute_count; ++i) all[i] = theirs.attributes[i];
                l.attributes = all;
            }
            launches.push_back(l);
        }
        for (copy_step c : other.copies) {
            c.step += first_step;
            copies.push_back(c);
        }
        for (fill_step f : other.fills) {
            f.step += first_step;
            fills.push_back(f);
        }
        for (test_step t : other.tests) {
            t.loop += first_loop;
            tests.push_back(t);
        }
        calls.append(other.calls.begin(), other.calls.size());
        events.append(other.events.begin(), other.events.size());
        graphs.append(other.graphs.begin(), other.graphs.size());
        loops.append(other.loops.begin(), other.loops.size());
        for (allocation* const a : other.allocations.all()) allocations.keep(*context, a->address);
        for (allocation* const a : other.owners)
            if (a != nullptr) allocations.keep(*context, a->address);
        for (registry_state* const r : other.registries) keep(shared<registry_state>::find(r));
        for (kept_object* const o : other.objects) objects.push_back(shared<kept_object>::find(o));
    }

  private:
    static inline constinit void* hidden_value = nullptr;
};

using program = basic_program<void>;

/// A count from a bound value of any integer type; one that was negative has its high bits set, as written counts have.
template <class = void>
std::uint64_t count_of(const parameter& type, const std::byte* value) noexcept {
    const auto read = [&](auto number) {
        __builtin_memcpy(&number, value, sizeof number);
        return static_cast<std::uint64_t>(number);
    };
    const bool is_signed = type.kind == parameter_kind::signed_integer;
    switch (type.size) {
    case 1: return is_signed ? read(std::int8_t{}) : read(std::uint8_t{});
    case 2: return is_signed ? read(std::int16_t{}) : read(std::uint16_t{});
    case 4: return is_signed ? read(std::int32_t{}) : read(std::uint32_t{});
    default: return read(std::uint64_t{});
    }
}

/// The place of a count in a shape, by its number.
inline std::uint64_t& count_in(launch_shape& shape, std::uint32_t number) noexcept {
    return number < 3 ? shape.extent[number] : number < 6 ? shape.block[number - 3] : shape.shared;
}

/// A count times its factor; what does not fit is the largest number, which every check refuses. A negative count stays so.
template <class = void>
std::uint64_t scaled(std::uint64_t count, std::uint64_t scale) noexcept {
    if (scale <= 1 || count >> 63 != 0) return count;
    return count > ~std::uint64_t{0} / scale ? ~std::uint64_t{0} : count * scale;
}

} // namespace hanabi::detail

#endif
