// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Events in expressions: record(event), wait(event).

#ifndef HANABI_EXPRESSION_EVENTS_HPP
#define HANABI_EXPRESSION_EVENTS_HPP

#include <hanabi/expression.hpp>

namespace hanabi {

class event;

/// Marks an event when what stands before is done.
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] record_of {
    using part_type = record_of;
    using open_arguments = detail::list<>;
    static constexpr node_kind node = node_kind::record;
    static constexpr bool closed = true;
    static constexpr bool forks = false;

    event* mark;

    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr record_of bind_known(const Bindings&...) const noexcept {
        return *this;
    }
};

/// Lets what follows wait for an event's mark.
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] wait_of {
    using part_type = wait_of;
    using open_arguments = detail::list<>;
    static constexpr node_kind node = node_kind::wait;
    static constexpr bool closed = true;
    static constexpr bool forks = false;

    const event* mark;

    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr wait_of bind_known(const Bindings&...) const noexcept {
        return *this;
    }
};

/// The event, which must be alive until this has run (with a plan: as long as the plan is), is marked here. Of the
/// dispatcher's context.
constexpr record_of record(event& mark) noexcept { return {&mark}; }
record_of record(event&&) = delete;

/// What follows waits for the event's mark as it is when this is reached by the host; the event may be of another context.
constexpr wait_of wait(const event& mark) noexcept { return {&mark}; }
wait_of wait(const event&&) = delete;

} // namespace hanabi

#endif
