// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Plans: expressions lowered once to a CUDA graph, replayed many times, updated in place.

#ifndef HANABI_PLAN_HPP
#define HANABI_PLAN_HPP

#include <hanabi/context.hpp>
#include <hanabi/dispatcher.hpp>
#include <hanabi/error.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/expression/placeholders.hpp>
#include <hanabi/plan/bindings.hpp>
#include <hanabi/plan/lower.hpp>
#include <hanabi/plan/node.hpp>
#include <hanabi/plan/state.hpp>
#include <hanabi/plan/text.hpp>
#include <hanabi/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi {

namespace detail {
struct plan_access;
}

/// An expression as a CUDA graph, made by `run.plan(e)`. `Open` are its placeholders, arg<"name", type> sorted by name.
///
/// A plan owns its arguments' storage and takes part in owning the modules of its kernels and every buffer that one of its
/// addresses lies in, those bound later included; other memory is not owned and must outlive its use. Copies hold addresses
/// of host memory, which must outlive the plan.
///
/// Move-only. One thread at a time, and not beside a replay of the same plan on another thread; clone() for that. One plan
/// never overlaps itself: the driver orders its replays, whatever their streams. Its destructor waits for nothing: what runs
/// is finished first, and buffers that only the plan still owned are given back behind it (behind a raw stream, its owner sees to
/// that).
template <class... Open>
class plan {
  private:
    using open_list = detail::list<Open...>;
    using plan_state = typename detail::dependent<detail::plan_state, Open...>::type;

  public:
    /// What replays the plan on a stream of its context.
    class placed {
      public:
        /// As plan's.
        template <class... B>
        void operator()(B&&... bindings) const {
            on_.rebind_all(static_cast<B&&>(bindings)...);
            replay();
        }
        void replay() const { on_.replay_on(stream_, owner_); }
        void replay(std::error_code& code) const { on_.replay_on(stream_, owner_, code); }

      private:
        friend class plan;
        placed(plan& p, driver::stream_handle stream, detail::shared<detail::stream_state> owner) noexcept
            : on_{p}, stream_{stream}, owner_{std::move(owner)} {}
        plan& on_;
        driver::stream_handle stream_;
        detail::shared<detail::stream_state> owner_;
    };

    plan(plan&&) noexcept = default;
    plan& operator=(plan&&) noexcept = default;
    plan(const plan&) = delete;
    plan& operator=(const plan&) = delete;

    /// Gives every placeholder a value and replays: `plan("alpha"_arg = 3.0f)`. Values are checked and converted as arguments
    /// are; one that is unknown, missing, repeated or of another type does not compile. Errors: those of rebind and replay.
    template <class... B>
    void operator()(B&&... bindings) {
        rebind_all(static_cast<B&&>(bindings)...);
        replay();
    }

    /// Gives some placeholders values, which stay until they are given others. Only launches whose values change are told to
    /// the driver; none, if all bytes are what they were. A new count is checked as a plain launch would be, and where it is
    /// refused nothing changes; `over("n"_arg)` at 0 switches the launch off. A replay that runs is not affected. Nothing is
    /// allocated or locked, but for a pointer, whose owner is looked up.
    /// Errors: errc::invalid_geometry, contract_violated, shared_memory_exceeded; size_mismatch for a copy that leaves its buffer;
    /// value_out_of_range for a negative number in
    /// a parameter of 64 unsigned bits; module_unloaded; the driver's, if it refuses the update and a new graph as well.
    template <class... B>
    void rebind(B&&... bindings) {
        using named = detail::list<std::remove_cvref_t<B>...>;
        if constexpr (detail::bindings_are_good<false>(open_list{}, named{}))
            assign(named{}, bindings...);
        else
            detail::report_bindings(open_list{}, named{});
    }

    /// Launches the graph with the values it has, on the dispatcher's stream, and does not wait. Errors:
    /// errc::argument_not_bound naming the placeholders that never had a value; module_unloaded; forked_process; context_lost;
    /// the driver's.
    void replay() { replay_on(need().stream(), need().stream_owner()); }
    void replay(std::error_code& code) {
        if (state_ == nullptr)
            code = errc::invalid_argument;
        else
            replay_on(state_->stream(), state_->stream_owner(), code);
    }
    /// The same on another stream of the plan's context.
    void replay(const hanabi::stream& stream) { on(stream).replay(); }
    void replay(const hanabi::stream& stream, std::error_code& code) {
        if (state_ == nullptr || stream.state() == nullptr)
            code = errc::invalid_argument;
        else if (!detail::same_context(*stream.state()->context, *state_->program().context))
            code = errc::wrong_context;
        else
            replay_on(stream.state()->handle, stream.state(), code);
    }

    /// The plan on another stream: `plan.on(s).replay()`, `plan.on(s)("alpha"_arg = 3.0f)`. The plan keeps the stream it was
    /// last replayed on. Error: errc::wrong_context.
    placed on(const hanabi::stream& stream) {
        const driver::stream_handle raw = stream.handle();
        check_stream(raw);
        return {*this, raw, stream.state()};
    }
    /// On a raw stream, which must outlive the replays and the plan; null is the context's legacy default stream.
    placed on(driver::stream_handle raw) {
        check_stream(raw);
        return {*this, raw, nullptr};
    }

    /// How many launches it has, those that are switched off included.
    std::size_t size() const { return need().program().launches.size(); }
    /// A launch by its number in the order in which they were written; for those made at run time, which no placeholder
    /// reaches. Error: errc::value_out_of_range.
    plan_node node(std::size_t number) { return plan_node::of(need(), number); }

    /// The same plan with a graph of its own and the values of now, so that both may run at once.
    plan clone() const {
        plan copy;
        copy.state_ = need().clone();
        return copy;
    }

    /// The graph in words: a line for each node, with kernels, geometry, arguments, and what it comes after.
    std::string text() const { return detail::plan_text(need().program()); }
    /// text() on standard output.
    void print() const { detail::print_plan(need().program()); }
    /// The graph for Graphviz: `dot -Tsvg`. Programmatic edges are dashed, nodes switched off are grey.
    std::string dot() const { return detail::plan_dot(need().program()); }

    /// The driver's handles, for raw calls: changing the graph behind the plan is at one's own risk. Null before the first
    /// replay of a plan with a copy whose address is to be bound.
    driver::graph_handle graph() const { return need().graph().graph; }
    driver::graph_exec_handle exec() const { return need().graph().exec; }
    hanabi::context context() const { return hanabi::context{need().program().context}; }

    /// For the library's own use; null when moved from.
    plan_state* state() const noexcept { return state_.get(); }
    const detail::shared<plan_state>& share() const noexcept { return state_; }

  private:
    friend struct detail::plan_access;

    plan() noexcept = default;

    plan_state& need() const {
        if (state_ == nullptr) detail::raise(errc::invalid_argument, "hanabi::plan: the plan was moved from");
        return *state_;
    }
    void check_stream(driver::stream_handle raw) const {
        std::string words;
        detail::raise_if(detail::check_stream(*need().program().context, raw, &words, "hanabi::plan::on"), words);
    }
    void replay_on(driver::stream_handle stream, const detail::shared<detail::stream_state>& owner) {
        std::error_code code;
        std::string words;
        if (!need().replay(stream, owner, code, &words)) detail::raise(code, words);
    }
    void replay_on(driver::stream_handle stream, const detail::shared<detail::stream_state>& owner, std::error_code& code) {
        code.clear();
        state_->replay(stream, owner, code, nullptr);
    }

    template <class... B>
    void rebind_all(B&&... bindings) {
        using named = detail::list<std::remove_cvref_t<B>...>;
        if constexpr (detail::bindings_are_good<true>(open_list{}, named{}))
            assign(named{}, bindings...);
        else
            detail::report_bindings(open_list{}, named{});
    }
    template <class B>
    static constexpr std::size_t slot = detail::find_open(open_list{}, B::name.view());
    template <class... B>
    void assign(detail::list<B...>, const B&... bindings) {
        if constexpr (sizeof...(B) != 0)
            assign_bytes({{static_cast<std::uint32_t>(slot<B>)..., 0}},
                         detail::bound_bytes<typename detail::pick<slot<B>, Open...>::type::type>{bindings}...);
    }
    template <std::size_t N>
    struct numbers {
        std::uint32_t of[N];
    };
    template <class... Value>
    void assign_bytes(const numbers<sizeof...(Value) + 1>& slots, const Value&... values) {
        std::size_t i = 0;
        detail::new_value list[] = {{slots.of[i++], values.bytes, values.negative}...};
        detail::failure f;
        if (!need().rebind(list, sizeof...(Value), f)) detail::raise(f);
    }

    detail::shared<plan_state> state_;
};

namespace detail {

template <class List>
struct plan_with;
template <class... Open>
struct plan_with<list<Open...>> {
    using type = hanabi::plan<Open...>;
    static constexpr open_slot slots[]{{Open::name.view(), &parameter_of<typename Open::type>}..., {}};
};

struct plan_access {
    template <class Plan>
    static Plan make(shared<typename dependent<plan_state, Plan>::type> state) noexcept {
        Plan p;
        p.state_ = std::move(state);
        return p;
    }
};

/// What dispatcher::plan returns, and does.
template <class E>
struct plan_of {
    using with = plan_with<sorted_open_arguments_t<E>>;
    using type = typename with::type;

    template <class... Policies>
    static type make(const launcher<Policies...>& by, const E& e) {
        using state_type = typename dependent<plan_state, E>::type;
        shared<state_type> made;
        begin_plan(made, *by.registry);
        const current_scope scope{*by.registry->context};
        check_current(*by.registry->context, scope.status());
        if constexpr (E::forks) {
            std::string words;
            raise_if(check_races(e, *by.registry->context, &words, "planning a parallel expression"), words);
        }
        state_type& state = *made;
        typename dependent<program_builder, E>::type builder{state.program(), by.registry, with::slots,
                                                             sizeof(with::slots) / sizeof(open_slot) - 1};
        lower(builder, e);
        builder.finish();
        if constexpr (sizeof...(Policies) == 0)
            state.finish(by.stream, by.stream_owner, nullptr);
        else
            state.finish(by.stream, by.stream_owner, observe(by, state.program().launches.size(), std::index_sequence_for<Policies...>{}));
        return plan_access::make<type>(std::move(made));
    }

  private:
    template <class... Policies, std::size_t... I>
    static replay_observer* observe(const launcher<Policies...>& by, std::size_t launches, std::index_sequence<I...>) {
        return new observer_of<Policies...>(launches, get_policy<I>(by)...);
    }
};

} // namespace detail
} // namespace hanabi

#endif
