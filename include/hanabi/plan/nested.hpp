// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A plan as a part of an expression.

#ifndef HANABI_PLAN_NESTED_HPP
#define HANABI_PLAN_NESTED_HPP

#include <hanabi/context.hpp>
#include <hanabi/detail/accesses.hpp>
#include <hanabi/error.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/plan.hpp>

#include <string>
#include <system_error>

namespace hanabi {

/// A plan in an expression: `run(a >> nested(p))` replays it; in another plan its nodes become that one's, with the values of
/// that moment.
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] nested_plan {
    using part_type = nested_plan;
    using open_arguments = detail::list<>;
    static constexpr node_kind node = node_kind::custom;
    static constexpr bool closed = true;
    static constexpr bool forks = false;

    detail::shared<detail::plan_state> plan;

    template <class... Bindings>
    auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    nested_plan bind_known(const Bindings&...) const noexcept {
        return *this;
    }

    template <class = void>
    void execute(const hanabi::context& in, driver::stream_handle stream, std::error_code* code) const {
        std::error_code local;
        std::string words;
        if (!detail::same_context(*in.state(), *plan->program().context)) {
            local = errc::wrong_context;
            words = "hanabi::nested: the plan is of another context than the dispatcher";
        } else
            plan->replay(stream, nullptr, local, code == nullptr ? &words : nullptr);
        if (code != nullptr)
            *code = local;
        else
            detail::raise_if(local, words);
    }
    template <class Builder>
    void lower(Builder & b) const {
        const auto& p = plan->program();
        if (!detail::same_context(b.context(), *p.context))
            detail::raise(errc::wrong_context, "planning: hanabi::nested: the plan is of another context");
        if (p.unbound != 0)
            detail::raise(errc::argument_not_bound, "planning: hanabi::nested: the plan has placeholders that were never bound");
        b.include(p);
    }
    /// What its launches, copies and fills use, as arguments of their own tell it.
    template <class Collector>
    void accesses(Collector & c) const {
        const auto& p = plan->program();
        c.begin("nested plan");
        for (const detail::launch_step& l : p.launches)
            for (unsigned i = 0; i < l.kernel->arity; ++i) {
                const parameter& parameter = l.kernel->parameters[i];
                driver::device_address address = 0;
                if (parameter.kind != parameter_kind::pointer || parameter.size != sizeof address) continue;
                __builtin_memcpy(&address, l.arguments + parameter.offset, sizeof address);
                c.add_whole(address, !parameter.reads_only, i + 1);
            }
        for (const detail::copy_step& copy : p.copies) {
            c.add(copy.params.destination_device, copy.params.destination_device + copy.params.width_bytes, true, 1);
            c.add(copy.params.source_device, copy.params.source_device + copy.params.width_bytes, false, 2);
        }
        for (const detail::fill_step& f : p.fills) c.add_whole(f.params.destination, true, 1);
        for (const detail::loop_step& l : p.loops) c.add(l.flag, l.flag + 4, false, 1);
    }
};

/// A plan as a part of an expression. Every placeholder has its value by then. The expression keeps the plan's graph alive, and
/// is one more user of it: not beside a replay on another thread. Errors, when it is run or planned: errc::wrong_context,
/// argument_not_bound, module_unloaded; invalid_argument for a plan that was moved from.
template <class... Open>
nested_plan nested(const plan<Open...>& p) {
    if (p.state() == nullptr) detail::raise(errc::invalid_argument, "hanabi::nested: the plan was moved from");
    return {p.share()};
}
template <class... Open>
nested_plan nested(const plan<Open...>&&) = delete;

} // namespace hanabi

#endif
