// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One launch of a plan, by number: to look at, and to give other arguments.

#ifndef HANABI_PLAN_NODE_HPP
#define HANABI_PLAN_NODE_HPP

#include <hanabi/dispatcher.hpp>
#include <hanabi/error.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/launch_view.hpp>
#include <hanabi/plan/state.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace hanabi {

/// A launch of a plan: `plan.node(i)`. Refers to the plan, which must outlive it. One thread at a time, with the plan.
class plan_node {
  public:
    /// For hanabi::plan.
    template <class State>
    static plan_node of(State& plan, std::size_t number) {
        if (number >= plan.program().launches.size())
            detail::raise(errc::value_out_of_range, "hanabi::plan::node: number " + std::to_string(number) + " of a plan of " +
                                                        std::to_string(plan.program().launches.size()) + " launches");
        return {plan, number};
    }

    /// Gives the launch other arguments, in order or all by name; its geometry stays. They are in force from the next replay
    /// on, until set again, or until a placeholder that fills one of them is given another value. Buffers among them are
    /// owned by the plan as long as it lives.
    /// Errors: errc::invalid_argument if the node launches another kernel; those of plan::rebind.
    template <kernel_descriptor K, class... A>
    void set(const K&, A&&... arguments) {
        set_launch(K{}[any_geometry<K>()](static_cast<A&&>(arguments)...), false);
    }

    /// Gives it other arguments and another geometry of the same terms and attributes: `node.set(axpy[over(n)](a, x, y, n))`.
    /// Errors: errc::invalid_argument if those differ; the plain launch's.
    template <class K, class G, class... Open>
    void set(const launch<K, G, Open...>& e) {
        set_launch(e, true);
    }

    /// The launch as policies see it, with the node of the driver's graph. Valid until the plan is changed.
    template <class State = detail::plan_state>
    launch_view view() const noexcept {
        const State& plan = plan_;
        const auto& p = plan.program();
        const detail::launch_step& l = p.launches[number_];
        return {*l.kernel, l.shape, l.terms, plan.stream(), p.context->handle, l.arguments, p.steps[l.step].node};
    }
    /// False while it is a launch of nothing, or waits for a count.
    template <class State = detail::plan_state>
    bool enabled() const noexcept {
        const State& plan = plan_;
        return !plan.program().launches[number_].idle;
    }

  private:
    plan_node(detail::plan_state& plan, std::size_t number) noexcept : plan_{plan}, number_{number} {}

    template <class K>
    static constexpr auto any_geometry() noexcept {
        return over(1, std::source_location{});
    }
    template <class K, class G, class... Open>
    void set_launch(const launch<K, G, Open...>& e, bool shape) {
        detail::check_closed<launch<K, G, Open...>>();
        if constexpr (sizeof...(Open) == 0) {
            const detail::launch_request r{*e.kernel,          e.geometry,        G::terms, e.geometry.attributes.data(),
                                           G::attribute_count, e.arguments.bytes, nullptr};
            detail::failure f;
            if (!plan_.set(number_, K::info, e.arguments.bytes, shape ? &r : nullptr, f)) detail::raise(f);
        }
    }

    detail::plan_state& plan_;
    std::size_t number_;
};

} // namespace hanabi

#endif
