// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// An expression that is there or not: when(flag, e).

#ifndef HANABI_EXPRESSION_WHEN_HPP
#define HANABI_EXPRESSION_WHEN_HPP

#include <hanabi/expression.hpp>
#include <hanabi/refusal.hpp>

#include <type_traits>

namespace hanabi {

/// The error of a condition that is no bool. One that the device computes is for repeat_while. Never defined.
template <class Given>
struct when_takes_a_bool;

/// An expression, or nothing.
template <class E>
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] when_of {
    using part_type = when_of;
    using open_arguments = typename E::open_arguments;
    static constexpr node_kind node = node_kind::when;
    static constexpr bool closed = E::closed;
    static constexpr bool forks = E::forks;

    bool enabled;
    E body;

    /// The same with open arguments given values.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const {
        using bound = decltype(body.bind_known(bindings...));
        return when_of<bound>{enabled, body.bind_known(bindings...)};
    }
};

/// The expression if the flag is true; decided now, by the host.
template <class Flag, expression E>
constexpr when_of<E> when(const Flag& flag, const E& e) {
    if constexpr (std::is_same_v<Flag, bool>)
        return {flag, e};
    else {
        (void)sizeof(when_takes_a_bool<given<Flag>>);
        return {false, e};
    }
}

} // namespace hanabi

#endif
