// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The placeholders of an expression as a sorted list, each once, with the type that it has in the whole of it.

#ifndef HANABI_EXPRESSION_PLACEHOLDERS_HPP
#define HANABI_EXPRESSION_PLACEHOLDERS_HPP

#include <hanabi/expression.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hanabi {

namespace detail {

constexpr bool is_before(name_view a, name_view b) noexcept {
    for (std::size_t i = 0; i < a.length && i < b.length; ++i)
        if (a.characters[i] != b.characters[i])
            return static_cast<unsigned char>(a.characters[i]) < static_cast<unsigned char>(b.characters[i]);
    return a.length < b.length;
}

/// How much a use of a name says of its type: a pointer to what is written says more than one to what is read, and a
/// parameter more than what takes the type of another.
template <class Open>
constexpr unsigned char rank_of() noexcept {
    using P = typename Open::type;
    if constexpr (std::is_pointer_v<P>)
        return std::is_const_v<std::remove_pointer_t<P>> ? (Open::flexible ? 0 : 1) : 2;
    else
        return Open::flexible ? 0 : 1;
}

template <std::size_t N>
struct chosen_entries {
    std::size_t index[N == 0 ? 1 : N];
    std::size_t count;
};

/// Which entries stand for their names, in the order of the names.
template <std::size_t N>
constexpr chosen_entries<N> choose_entries(const name_view* names, const unsigned char* ranks) noexcept {
    chosen_entries<N> c{};
    for (std::size_t i = 0; i < N; ++i) {
        std::size_t low = 0;
        for (std::size_t high = c.count; low != high;) {
            const std::size_t middle = low + (high - low) / 2;
            if (is_before(names[c.index[middle]], names[i]))
                low = middle + 1;
            else
                high = middle;
        }
        if (low < c.count && names[c.index[low]] == names[i]) {
            if (ranks[i] > ranks[c.index[low]]) c.index[low] = i;
            continue;
        }
        for (std::size_t j = c.count++; j > low; --j) c.index[j] = c.index[j - 1];
        c.index[low] = i;
    }
    return c;
}

template <std::size_t I, class T>
struct at_index {
    using type = T;
};
template <class Indices, class... T>
struct by_index;
template <std::size_t... I, class... T>
struct by_index<std::index_sequence<I...>, T...> : at_index<I, T>... {};
template <std::size_t I, class T>
at_index<I, T> find_index(const at_index<I, T>&) noexcept;

template <class List>
struct sorted_open;
template <>
struct sorted_open<list<>> {
    using type = list<>;
};
template <class... Open>
struct sorted_open<list<Open...>> {
    static constexpr name_view names[]{Open::name.view()...};
    static constexpr unsigned char ranks[]{rank_of<Open>()...};
    static constexpr chosen_entries<sizeof...(Open)> chosen = choose_entries<sizeof...(Open)>(names, ranks);
    using all = by_index<std::index_sequence_for<Open...>, Open...>;
    template <std::size_t I>
    using entry = typename decltype(find_index<chosen.index[I]>(*static_cast<all*>(nullptr)))::type;
    template <class Indices>
    struct entries; // not a function's trailing type: nvcc's front end garbles it
    template <std::size_t... I>
    struct entries<std::index_sequence<I...>> {
        using type = list<arg<entry<I>::name, typename entry<I>::type>...>;
    };
    using type = typename entries<std::make_index_sequence<chosen.count>>::type;
};

} // namespace detail

/// `detail::list<arg<"alpha", float>, arg<"n", int>, ...>`: what is open in an expression, sorted by name.
template <expression E>
using sorted_open_arguments_t = typename detail::sorted_open<typename std::remove_cvref_t<E>::open_arguments>::type;

} // namespace hanabi

#endif
