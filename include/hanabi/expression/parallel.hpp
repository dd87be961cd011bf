// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Expressions beside each other: a & b, parallel(a, b, ...), and unordered(a, b, ...), where what looks like a race is
/// meant.

#ifndef HANABI_EXPRESSION_PARALLEL_HPP
#define HANABI_EXPRESSION_PARALLEL_HPP

#include <hanabi/expression.hpp>
#include <hanabi/refusal.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <utility>

namespace hanabi {

/// The error of `&` with a bare sequence on a side: `a >> b & c` means `(a >> b) & c`, which is seldom what was wanted, and
/// parentheses leave no trace to tell. Write one or the other. Never defined: its name is the message.
template <text Write, text Or>
struct ampersand_takes_no_bare_sequence;

/// Expressions of which none waits for another; flat. What they are to each other is the kind: of parallel ones it is
/// checked that none writes what another uses, unordered ones are taken at their word, and in a dataflow one waits for those
/// before it that it has to. Whatever follows waits for all.
template <node_kind Kind, class... E>
struct [[nodiscard("nothing runs until a dispatcher takes the expression: run(a & b)")]] combination {
    using part_type = combination;
    using open_arguments = typename detail::open_in<(E::closed && ...), typename E::open_arguments...>::type;
    static constexpr node_kind node = Kind;
    static constexpr bool closed = (E::closed && ...);
    static constexpr bool forks = true;
    static constexpr std::size_t size = sizeof...(E);

    detail::leaves<std::make_index_sequence<sizeof...(E)>, E...> parts;

    /// The same with open arguments given values, wherever their names occur.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    /// As bind, with names that no part may have.
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const {
        return bind_parts(std::make_index_sequence<sizeof...(E)>{}, bindings...);
    }
    /// Calls f with each part in order.
    template <class F>
    constexpr void for_each(F && f) const {
        each(std::make_index_sequence<sizeof...(E)>{}, f);
    }

    /// As sequence_of's.
    template <class F>
    constexpr void for_each_part(F && f) const {
        if constexpr (closed)
            each_part(std::make_index_sequence<sizeof...(E)>{}, f);
        else
            each(std::make_index_sequence<sizeof...(E)>{}, f);
    }

  private:
    template <std::size_t... I, class F>
    constexpr void each(std::index_sequence<I...>, F & f) const {
        (f(static_cast<const detail::leaf<I, E>&>(parts).value), ...);
    }
    template <std::size_t... I, class F>
    constexpr void each_part(std::index_sequence<I...>, F & f) const {
        (f(static_cast<const typename E::part_type&>(static_cast<const detail::leaf<I, E>&>(parts).value)), ...);
    }
    template <std::size_t... I, class... Bindings>
    constexpr auto bind_parts(std::index_sequence<I...>, const Bindings&... bindings) const {
        return make(detail::get_leaf<I>(parts).bind_known(bindings...)...);
    }
    template <class... F>
    static constexpr combination<Kind, F...> make(const F&... f) {
        return {{{f}...}};
    }
};

template <class... E>
using parallel_of = combination<node_kind::parallel, E...>;
template <class... E>
using unordered_of = combination<node_kind::unordered, E...>;
template <class... E>
using dataflow_of = combination<node_kind::dataflow, E...>;

namespace detail {

template <node_kind Kind, class... E>
constexpr auto combine(const E&... e) {
    check_consistent(list<>{}, typename combination<Kind, E...>::open_arguments{});
    return combination<Kind, E...>{{{e}...}};
}

template <class... A, std::size_t... I, class... B, std::size_t... J>
constexpr auto append(const parallel_of<A...>& a, std::index_sequence<I...>, const parallel_of<B...>& b, std::index_sequence<J...>) {
    return parallel_of<A..., B...>{{{get_leaf<I>(a.parts)}..., {get_leaf<J>(b.parts)}...}};
}
template <class E>
constexpr auto as_parallel(const E& e) {
    return parallel_of<E>{{{e}}};
}
template <class... E>
constexpr const parallel_of<E...>& as_parallel(const parallel_of<E...>& e) noexcept {
    return e;
}

/// A text that depends on a type, so that what is made of it does.
template <class, std::size_t N>
constexpr auto words(const char (&literal)[N]) noexcept {
    return text<N - 1>{literal};
}

template <class E>
inline constexpr bool is_bare_sequence = E::node == node_kind::sequence;

} // namespace detail

/// a and b, independent of each other. Neither side may be a bare sequence: write `a >> (b & c)`, or `group(a >> b) & c`.
/// Launches of which one writes what the other uses are a race, refused when it is run or its plan is built.
template <expression A, expression B>
constexpr auto operator&(const A& a, const B& b) {
    if constexpr (detail::is_bare_sequence<A> || detail::is_bare_sequence<B>) {
        (void)sizeof(ampersand_takes_no_bare_sequence<detail::words<A>("a >> (b & c)"), detail::words<A>("group(a >> b) & c")>);
        return detail::refused<sequence_of<>>();
    } else {
        detail::check_consistent(typename A::open_arguments{}, typename B::open_arguments{});
        decltype(auto) first = detail::as_parallel(a);
        decltype(auto) second = detail::as_parallel(b);
        return detail::append(first, std::make_index_sequence<std::remove_cvref_t<decltype(first)>::size>{}, second,
                              std::make_index_sequence<std::remove_cvref_t<decltype(second)>::size>{});
    }
}

/// Expressions beside each other, for many of them: linear to compile. A sequence may be one: it is said to be one part.
template <expression... E>
constexpr auto parallel(const E&... e) {
    return detail::combine<node_kind::parallel>(e...);
}

/// As parallel, where launches may write what others use, and that is meant: they use atomics, say, or different parts of
/// one buffer. Nothing is checked between the parts.
template <expression... E>
constexpr auto unordered(const E&... e) {
    return detail::combine<node_kind::unordered>(e...);
}

} // namespace hanabi

#endif
