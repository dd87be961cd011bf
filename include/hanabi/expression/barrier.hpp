// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A point that everything before it has passed when anything behind it begins: barrier().

#ifndef HANABI_EXPRESSION_BARRIER_HPP
#define HANABI_EXPRESSION_BARRIER_HPP

#include <hanabi/expression.hpp>

namespace hanabi {

/// Nothing, that all waits for and that waits for all.
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] barrier_of {
    using part_type = barrier_of;
    using open_arguments = detail::list<>;
    static constexpr node_kind node = node_kind::barrier;
    static constexpr bool closed = true;
    static constexpr bool forks = false;

    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr barrier_of bind_known(const Bindings&...) const noexcept {
        return *this;
    }
};

/// In a dataflow: what stands before it is done when anything behind it begins. In a sequence that is so without.
constexpr barrier_of barrier() noexcept { return {}; }

} // namespace hanabi

#endif
