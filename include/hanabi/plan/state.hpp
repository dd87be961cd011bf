// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What stands behind a plan object: its program, the driver's graph, and how bindings reach it.

#ifndef HANABI_PLAN_STATE_HPP
#define HANABI_PLAN_STATE_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/stream_state.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>
#include <hanabi/plan/builder.hpp>
#include <hanabi/plan/graph.hpp>
#include <hanabi/plan/observer.hpp>
#include <hanabi/plan/program.hpp>
#include <hanabi/plan/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace hanabi::detail {

/// A value for a placeholder: as many bytes as its type has.
struct new_value {
    std::uint32_t slot;
    const std::byte* bytes;
    bool negative; ///< what was given for a type of 64 unsigned bits
    bool changed = true;
};

/// Throws where a context could not be made current for a plan.
template <class = void>
void check_current(const context_state& context, driver::status s) {
    if (s != driver::status::success) raise(driver_failure(context, s, "planning: making the context current"));
}

/// One thread at a time.
template <class Void>
class basic_plan_state : public shared_object {
  public:
    explicit basic_plan_state(shared<context_state> context) : program_{std::move(context)} {}
    basic_plan_state(const basic_plan_state&) = delete;
    basic_plan_state& operator=(const basic_plan_state&) = delete;
    ~basic_plan_state() {
        order_frees();
        delete observer_;
    }

    basic_program<Void>& program() noexcept { return program_; }
    const basic_program<Void>& program() const noexcept { return program_; }
    const graph_pair& graph() const noexcept { return graph_; }

    /// Makes the graph of the finished program. Throws.
    void finish(driver::stream_handle stream, const shared<stream_state>& owner, replay_observer* observer) {
        observer_ = observer;
        stream_ = stream;
        stream_owner_ = owner;
        changed_launches_.reserve(program_.launches.size());
        changed_copies_.reserve(program_.copies.size());
        changed_fills_.reserve(program_.fills.size());
        if (program_.wants_values && program_.unbound != 0) {
            stale_ = true;
            return;
        }
        failure f;
        if (!graph_maker{program_, "planning", f}.make(graph_)) raise(f);
    }

    /// Gives placeholders values and tells the executable graph. On a refusal (of a count, by the launch's checks) everything
    /// stays as it was; on a failure of the driver the values stay, and the next replay tries again.
    bool rebind(new_value* values, std::size_t count, failure& f) {
        if (!usable("hanabi::plan::rebind", f)) return false;
        const current_scope scope{*program_.context};
        if (scope.status() != driver::status::success) return fail(scope.status(), "hanabi::plan::rebind", f);
        bool any = false;
        for (std::size_t i = 0; i < count; ++i) {
            const slot& s = program_.slots[values[i].slot];
            if (values[i].negative && !s.counts) return refuse_negative(s, f);
            values[i].changed = !s.bound || overridden_ || std::memcmp(s.value, values[i].bytes, s.type->size) != 0;
            any = any || values[i].changed;
        }
        if (!any && !stale_) return true;
        for (std::size_t i = 0; i < count; ++i)
            if (values[i].changed && program_.wants_values && !check_copies(program_.slots[values[i].slot], values[i].bytes, f))
                return false;
        if (!rebind_counts(values, count, f)) return false;
        for (std::size_t i = 0; i < count; ++i)
            if (values[i].changed) assign(program_.slots[values[i].slot], values[i].bytes);
        return update("hanabi::plan::rebind", f);
    }

    /// Gives a launch other arguments, and with `shape` another geometry of the same terms.
    bool set(std::size_t number, const descriptor& kernel, const std::byte* arguments, const launch_request* shape, failure& f) {
        constexpr const char* operation = "hanabi::plan::node::set";
        if (!usable(operation, f)) return false;
        launch_step& l = program_.launches[number];
        if (l.kernel != &kernel && !same_kernel(*l.kernel, kernel))
            return refuse(f, errc::invalid_argument,
                          std::string{operation} + ": node " + std::to_string(number) + " launches " +
                              registry_state::descriptor_name(*l.kernel) + ", not " + registry_state::descriptor_name(kernel));
        const current_scope scope{*program_.context};
        if (scope.status() != driver::status::success) return fail(scope.status(), operation, f);
        if (shape != nullptr && !reshape(l, number, *shape, operation, f)) return false;
        overridden_ = true;
        if (shape == nullptr && std::memcmp(l.arguments, arguments, l.argument_bytes) == 0) return true;
        std::memcpy(l.arguments, arguments, l.argument_bytes);
        each_pointer(kernel, arguments, [this](driver::device_address a) { program_.allocations.keep(*program_.context, a); });
        mark(l, number);
        return update(operation, f);
    }

    /// Launches the graph. False with the code set, and the words if there is room for them.
    bool replay(driver::stream_handle stream, const shared<stream_state>& owner, std::error_code& code, std::string* words) {
        if (program_.unbound != 0 || stale_ || !program_.loaded()) [[unlikely]]
            if (!ready(code, words)) return false;
        driver::status s;
        {
            const current_scope scope{*program_.context};
            s = scope.status();
            if (observer_ == nullptr) {
                if (s == driver::status::success) [[likely]]
                    s = program_.context->driver->graph_launch(graph_.exec, stream);
            } else {
                observer_->before(program_, stream);
                if (s == driver::status::success) s = program_.context->driver->graph_launch(graph_.exec, stream);
                observer_->after(program_, stream,
                                 s == driver::status::success ? std::error_code{} : driver_error_code(program_.context.get(), s));
            }
            if (s != driver::status::success) [[unlikely]]
                return launch_failed(s, stream, code, words);
        }
        if (stream != last_stream_ || !(owner == last_owner_)) {
            last_stream_ = stream;
            last_owner_ = owner;
        }
        replayed_ = true;
        return true;
    }
    bool replay(std::error_code& code, std::string* words) { return replay(stream_, stream_owner_, code, words); }

    /// The same plan again, with a graph of its own. Throws.
    shared<basic_plan_state> clone() const {
        failure f;
        if (!usable("hanabi::plan::clone", f)) raise(f);
        shared<basic_plan_state> copy = shared<basic_plan_state>::make(program_.context);
        const current_scope scope{*program_.context};
        check_current(*program_.context, scope.status());
        copy->program_.copy_from(program_);
        copy->overridden_ = overridden_;
        copy->finish(stream_, stream_owner_, observer_ == nullptr ? nullptr : observer_->copy());
        return copy;
    }

    /// The dispatcher's.
    driver::stream_handle stream() const noexcept { return stream_; }
    const shared<stream_state>& stream_owner() const noexcept { return stream_owner_; }

  private:
    static bool same_kernel(const descriptor& a, const descriptor& b) noexcept {
        return a.module == b.module && a.symbol == b.symbol && a.arity == b.arity;
    }
    bool fail(driver::status s, const std::string& operation, failure& f) const {
        f = driver_failure(*program_.context, s, operation);
        return false;
    }
    bool usable(const char* operation, failure& f) const {
        if (process_forked) {
            f = forked_failure(operation);
            return false;
        }
        if (program_.loaded()) [[likely]]
            return true;
        f = unloaded(operation);
        return false;
    }
    HANABI_COLD static bool refuse_negative(const slot& s, failure& f) {
        return refuse(f, errc::value_out_of_range,
                      "hanabi::plan::rebind: \"" + std::string{s.name.data(), s.name.size()} +
                          "\"_arg is a parameter of 64 unsigned bits, and was given a negative number");
    }
    static failure unloaded(std::string operation) {
        return {errc::module_unloaded, std::move(operation) + ": modules of the plan were unloaded (registry::unload); load them again, "
                                                              "and make the plan anew from a dispatcher of the new registry"};
    }

    /// What keeps a replay from being tried at once: nothing that can be mended is left, or it is told.
    HANABI_COLD bool ready(std::error_code& code, std::string* words) {
        failure f;
        if (!usable("hanabi::plan::replay", f)) {
        } else if (program_.unbound != 0) {
            std::string names;
            for (const slot& s : program_.slots)
                if (!s.bound) names.append(names.empty() ? "\"" : ", \"").append(s.name.data(), s.name.size()).append("\"_arg");
            f = {errc::argument_not_bound, "hanabi::plan::replay: never bound: " + names +
                                               "; give values: plan(\"name\"_arg = value, ...), or "
                                               "plan.rebind(...) and then plan.replay()"};
        } else {
            const current_scope scope{*program_.context};
            if (scope.status() != driver::status::success)
                fail(scope.status(), "hanabi::plan::replay", f);
            else if (rebuild("hanabi::plan::replay", f))
                return true;
        }
        code = f.code;
        if (words != nullptr) *words = std::move(f.message);
        return false;
    }
    HANABI_COLD bool launch_failed(driver::status s, driver::stream_handle stream, std::error_code& code, std::string* words) const {
        if (words == nullptr) {
            code = driver_error_code(program_.context.get(), s);
            return false;
        }
        char text[24];
        std::snprintf(text, sizeof text, "%p", static_cast<void*>(stream));
        failure f =
            driver_failure(*program_.context, s,
                           "hanabi::plan::replay: launching a graph of " + std::to_string(program_.steps.size()) + " nodes, stream " + text,
                           program_.registries.empty() ? std::string{} : program_.registries[0]->suspects());
        code = f.code;
        *words = std::move(f.message);
        return false;
    }

    void mark(launch_step& l, std::size_t number) {
        if (l.changed) return;
        l.changed = true;
        changed_launches_.push_back(static_cast<std::uint32_t>(number));
    }

    /// Puts new counts into the launches' shapes and checks those; puts the old ones back if one is refused.
    bool rebind_counts(const new_value* values, std::size_t count, failure& f) {
        bool counts = false;
        for (std::size_t i = 0; i < count; ++i) counts = counts || (values[i].changed && program_.slots[values[i].slot].counts);
        if (!counts) return true;
        const std::size_t begin = changed_launches_.size();
        each_count(values, count, [&](const slot& s, const slot_use& u, const std::byte* bytes) {
            launch_step& l = program_.launches[u.index];
            const std::uint64_t now = scaled(count_of(*s.type, bytes), u.scale);
            std::uint64_t& place = count_in(l.shape, u.offset);
            if (s.bound && place == now) return;
            if (!s.bound) --l.open_counts;
            place = now;
            l.reshaped = true;
            mark(l, u.index);
        });
        bool good = true;
        for (const std::uint32_t number : changed_launches_) {
            launch_step& l = program_.launches[number];
            if (!l.reshaped) continue;
            l.reshaped = false;
            good = good && (shape_plainly(l) || shape_launch(l, f));
        }
        if (good) return true;
        each_count(values, count, [&](const slot& s, const slot_use& u, const std::byte*) {
            launch_step& l = program_.launches[u.index];
            if (!s.bound) ++l.open_counts;
            count_in(l.shape, u.offset) = s.bound ? scaled(count_of(*s.type, s.value), u.scale) : 1;
        });
        failure none;
        each_count(values, count,
                   [&](const slot&, const slot_use& u, const std::byte*) { shape_launch(program_.launches[u.index], none); });
        for (std::size_t i = begin; i < changed_launches_.size(); ++i) program_.launches[changed_launches_[i]].changed = false;
        changed_launches_.shorten(begin);
        return false;
    }
    template <class F>
    void each_count(const new_value* values, std::size_t count, F f) {
        for (std::size_t i = 0; i < count; ++i) {
            const slot& s = program_.slots[values[i].slot];
            if (!values[i].changed || !s.counts) continue;
            for (std::uint32_t u = s.first_use; u < s.first_use + s.use_count; ++u)
                if (program_.uses[u].kind == use_kind::shape) f(s, program_.uses[u], values[i].bytes);
        }
    }

    /// A copy's open side must be somewhere, and not end behind the buffer that it begins in.
    bool check_copies(const slot& s, const std::byte* bytes, failure& f) const {
        for (std::uint32_t u = s.first_use; u < s.first_use + s.use_count; ++u) {
            const slot_use& use = program_.uses[u];
            if (use.kind != use_kind::copy_source && use.kind != use_kind::copy_destination) continue;
            const std::size_t wanted = program_.copies[use.index].params.width_bytes;
            driver::device_address address = 0;
            std::memcpy(&address, bytes, sizeof address);
            const std::string name = "hanabi::plan::rebind: \"" + std::string{s.name.data(), s.name.size()} + "\"_arg";
            if (address == 0)
                return refuse(f, errc::invalid_argument, name + " is null, and " + std::to_string(wanted) + " bytes are to be copied");
            const shared<allocation> owner = find_allocation(*program_.context, address);
            if (owner != nullptr && wanted > owner->bytes - (address - owner->address))
                return refuse(f, errc::size_mismatch,
                              name + ": " + std::to_string(wanted) + " bytes are to be copied, and the buffer has " +
                                  std::to_string(owner->bytes - (address - owner->address)) + " there");
        }
        return true;
    }

    void assign(slot& s, const std::byte* bytes) {
        const parameter& type = *s.type;
        std::memcpy(s.value, bytes, type.size);
        if (!s.bound) --program_.unbound;
        s.bound = true;
        if (type.kind == parameter_kind::pointer)
            take_owner(s);
        else if (type.visit_fields != nullptr)
            keep_fields(s);
        for (std::uint32_t i = s.first_use; i < s.first_use + s.use_count; ++i) {
            const slot_use& u = program_.uses[i];
            switch (u.kind) {
            case use_kind::argument: {
                launch_step& l = program_.launches[u.index];
                std::byte* const place = l.arguments + u.offset;
                if (std::memcmp(place, bytes, type.size) == 0) break;
                std::memcpy(place, bytes, type.size);
                mark(l, u.index);
                break;
            }
            case use_kind::shape: break;
            case use_kind::copy_destination:
            case use_kind::copy_source: {
                copy_step& c = program_.copies[u.index];
                driver::device_address& place = u.kind == use_kind::copy_source ? c.params.source_device : c.params.destination_device;
                std::memcpy(&place, bytes, sizeof place);
                if (!c.changed) changed_copies_.push_back(u.index);
                c.changed = true;
                break;
            }
            case use_kind::fill_word: {
                fill_step& fill = program_.fills[u.index];
                fill.params.value = 0;
                std::memcpy(&fill.params.value, bytes + u.offset, u.scale);
                if (!fill.changed) changed_fills_.push_back(u.index);
                fill.changed = true;
                break;
            }
            }
        }
    }
    void take_owner(const slot& s) {
        driver::device_address address = 0;
        std::memcpy(&address, s.value, sizeof address);
        const auto number = static_cast<std::size_t>(&s - program_.slots.begin());
        const allocation* const before = program_.owners[number];
        if (before != nullptr && address - before->address < before->bytes) return;
        const shared<allocation> owner = find_allocation(*program_.context, address);
        if (before != nullptr && replayed_) order_free(*before);
        program_.owners.set(number, owner);
    }
    void keep_fields(const slot& s) {
        s.type->visit_fields(
            s.value,
            [](void* state, name_view, parameter_kind kind, std::size_t size, const void* field) {
                driver::device_address address = 0;
                if (kind != parameter_kind::pointer || size != sizeof address) return;
                std::memcpy(&address, field, sizeof address);
                basic_program<Void>& p = *static_cast<basic_program<Void>*>(state);
                p.allocations.keep(*p.context, address);
            },
            &program_);
    }

    bool reshape(launch_step& l, std::size_t number, const launch_request& r, const char* operation, failure& f) {
        if (r.terms != l.terms || !same_attributes(l, r))
            return refuse(f, errc::invalid_argument,
                          std::string{operation} + ": node " + std::to_string(number) +
                              " was planned with other terms or attributes in its geometry; those of a node can't change");
        const launch_step before = l;
        l.shape = r.shape;
        if (!(shape_plainly(l) || shape_launch(l, f))) {
            l = before;
            return false;
        }
        if (l.idle && !l.variable) {
            l.variable = true; // from now on: edges that trigger early are no good for what may be disabled
            stale_ = true;
        }
        return true;
    }
    static bool same_attributes(const launch_step& l, const launch_request& r) noexcept {
        unsigned i = 0;
        for (; i < r.attribute_count; ++i)
            if (i == l.attribute_count || std::memcmp(&l.attributes[i], &r.attributes[i], sizeof r.attributes[i]) != 0) return false;
        return l.attribute_count - i <= (r.kernel.contracts->cluster[0] != 0 ? 1u : 0u);
    }

    /// Tells the executable graph what has changed; makes it anew where the driver won't have it.
    bool update(const char* operation, failure& f) {
        if (stale_) return program_.unbound != 0 || rebuild(operation, f); // without all values a replay is refused anyway
        const driver::table& table = *program_.context->driver;
        const driver::graph_exec_handle exec = graph_.exec;
        driver::status refused = driver::status::success;
        const auto note = [&refused](driver::status s) {
            if (s != driver::status::success && refused == driver::status::success) refused = s;
        };
        for (const std::uint32_t number : changed_launches_) {
            launch_step& l = program_.launches[number];
            l.changed = false;
            const driver::graph_node_handle node = program_.steps[l.step].node;
            if (!l.idle) note(table.graph_exec_kernel_node_set_params(exec, node, &l.params));
            if (l.idle != l.disabled) {
                note(table.graph_node_set_enabled(exec, node, l.idle ? 0 : 1));
                l.disabled = l.idle;
            }
        }
        changed_launches_.clear();
        for (const std::uint32_t number : changed_copies_) {
            copy_step& c = program_.copies[number];
            c.changed = false;
            note(table.graph_exec_memcpy_node_set_params(exec, program_.steps[c.step].node, &c.params, program_.context->handle));
        }
        changed_copies_.clear();
        for (const std::uint32_t number : changed_fills_) {
            fill_step& fill = program_.fills[number];
            fill.changed = false;
            note(table.graph_exec_memset_node_set_params(exec, program_.steps[fill.step].node, &fill.params, program_.context->handle));
        }
        changed_fills_.clear();
        if (refused == driver::status::success) [[likely]]
            return true;
        stale_ = true;
        if (driver::is_sticky(refused)) return fail(refused, std::string{operation} + ": updating a graph", f);
        return rebuild(operation, f);
    }

    /// A graph from the program as it is now, in the place of the one there was. The driver lets a graph that runs finish.
    HANABI_COLD bool rebuild(const char* operation, failure& f) {
        graph_pair made;
        if (!graph_maker{program_, operation, f}.make(made)) {
            stale_ = true; // the steps' nodes are of the graph that failed
            return false;
        }
        changed_launches_.clear();
        changed_copies_.clear();
        changed_fills_.clear();
        graph_.swap(made);
        stale_ = false;
        return true;
    }

    /// Lets memory be given back, in the order of its own stream, only behind the last replay on another stream: where that
    /// is one of the library's, or a stream object that is kept.
    void order_frees() noexcept {
        if (!replayed_ || process_forked) return;
        driver::stream_handle done = last_stream_;
        const auto each = [&](const allocation& a) {
            if (a.raw_stream() == done) return;
            order_free(a);
            done = a.raw_stream();
        };
        for (const allocation* const a : program_.allocations.all()) each(*a);
        for (const allocation* const a : program_.owners)
            if (a != nullptr) each(*a);
    }
    void order_free(const allocation& a) noexcept {
        const context_state& context = *program_.context;
        if (a.raw_stream() == last_stream_ || (last_owner_ == nullptr && last_stream_ != context.stream)) return;
        tear_down(context, "ordering a plan's buffers behind its last replay", [&] {
            const driver::table& table = *context.driver;
            driver::event_handle event = nullptr;
            driver::status s = table.event_create(&event, driver::event_flags::disable_timing);
            if (s != driver::status::success) return s;
            s = table.event_record(event, last_stream_);
            if (s == driver::status::success) s = table.stream_wait_event(a.raw_stream(), event, 0);
            const driver::status t = table.event_destroy(event);
            return s != driver::status::success ? s : t;
        });
    }

    basic_program<Void> program_;
    graph_pair graph_; // goes before the program, whose memory and modules it uses
    replay_observer* observer_ = nullptr;
    driver::stream_handle stream_ = nullptr;
    shared<stream_state> stream_owner_;
    driver::stream_handle last_stream_ = nullptr;
    shared<stream_state> last_owner_;
    pod_list<std::uint32_t> changed_launches_, changed_copies_, changed_fills_;
    bool stale_ = false;      ///< the executable graph is not the program's: make it anew
    bool overridden_ = false; ///< a node was set: values may differ from their slots'
    bool replayed_ = false;
};

using plan_state = basic_plan_state<void>;

/// The first step of dispatcher::plan.
template <class = void>
void begin_plan(shared<plan_state>& state, const registry_state& registry) {
    if (process_forked) raise(forked_failure("planning"));
    if (registry.unloaded.acquire()) raise(registry.unloaded_failure("planning"));
    state = shared<plan_state>::make(registry.context);
}

} // namespace hanabi::detail

#endif
