// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// An expression as one: group(a >> b) & c.

#ifndef HANABI_EXPRESSION_GROUP_HPP
#define HANABI_EXPRESSION_GROUP_HPP

#include <hanabi/expression.hpp>

namespace hanabi {

/// An expression in parentheses.
template <class E>
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] group_of {
    using part_type = group_of;
    using open_arguments = typename E::open_arguments;
    static constexpr node_kind node = node_kind::group;
    static constexpr bool closed = E::closed;
    static constexpr bool forks = E::forks;

    E body;

    /// The same with open arguments given values.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const {
        using bound = decltype(body.bind_known(bindings...));
        return group_of<bound>{body.bind_known(bindings...)};
    }
};

/// Says that a sequence is meant to be one side of `&`.
template <expression E>
constexpr group_of<E> group(const E& e) {
    return {e};
}

} // namespace hanabi

#endif
