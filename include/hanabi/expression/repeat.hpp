// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// An expression several times: repeat<3>(e), repeat(n, e).

#ifndef HANABI_EXPRESSION_REPEAT_HPP
#define HANABI_EXPRESSION_REPEAT_HPP

#include <hanabi/count.hpp>
#include <hanabi/expression.hpp>

#include <cstdint>

namespace hanabi {

/// An expression so many times, one after the other.
template <class E>
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] repeat_of {
    using part_type = repeat_of;
    using open_arguments = typename E::open_arguments;
    static constexpr node_kind node = node_kind::repeat;
    static constexpr bool closed = E::closed;
    static constexpr bool forks = E::forks;

    std::uint64_t times; ///< of a negative number the bits, refused when it is run
    E body;

    /// The same with open arguments given values.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const {
        using bound = decltype(body.bind_known(bindings...));
        return repeat_of<bound>{times, body.bind_known(bindings...)};
    }
};

/// The expression n times; none for 0. A negative number is errc::value_out_of_range when it is run or its plan is built.
template <count N, expression E>
constexpr repeat_of<E> repeat(N n, const E& e) {
    if constexpr (!detail::count_is_fine<0, N>) detail::report_counts<"repeat", 0, 1, N>();
    return {detail::to_count(n), e};
}
template <class N, expression E>
requires(!count<N>) constexpr repeat_of<E> repeat(const N&, const E& e) {
    detail::report_counts<"repeat", 0, 1, N>();
    return {0, e};
}
/// The same with a number that is known to the compiler.
template <std::uint64_t N, expression E>
constexpr repeat_of<E> repeat(const E& e) {
    return {N, e};
}

} // namespace hanabi

#endif
