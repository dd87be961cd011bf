// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// As many expressions of one type as there are at run time: sequence(list), parallel(list), unordered(list), dataflow(list).

#ifndef HANABI_EXPRESSION_RANGE_HPP
#define HANABI_EXPRESSION_RANGE_HPP

#include <hanabi/detail/shared.hpp>
#include <hanabi/expression.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace hanabi {

namespace detail {

template <class E>
struct range_items : shared_object {
    std::vector<E> list;
    explicit range_items(std::vector<E>&& l) noexcept : list{static_cast<std::vector<E>&&>(l)} {}
};

template <class R>
using range_element_t = std::remove_cvref_t<decltype(*std::begin(*static_cast<std::remove_reference_t<R>*>(nullptr)))>;

/// A range of expressions that is none itself.
template <class R>
concept expression_range = !expression<R> && requires {
    typename range_element_t<R>::open_arguments;
};

} // namespace detail

/// A list of expressions of one type, made at run time. Copies share the list, which is never changed.
template <node_kind Kind, class E>
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] range_of {
    using part_type = range_of;
    using open_arguments = typename E::open_arguments;
    static constexpr node_kind node = Kind;
    static constexpr bool closed = E::closed;
    static constexpr bool forks = E::forks || Kind != node_kind::sequence_range;
    using element_type = E;

    detail::shared<const detail::range_items<E>> items;

    std::size_t size() const noexcept { return items->list.size(); }
    const E& operator[](std::size_t i) const noexcept { return items->list[i]; }
    auto begin() const noexcept { return items->list.begin(); }
    auto end() const noexcept { return items->list.end(); }
    /// Calls f with each part in order.
    template <class F>
    void for_each(F && f) const {
        for (const E& e : items->list) f(e);
    }

    template <class F>
    void for_each_part(F && f) const {
        for_each(static_cast<F&&>(f));
    }

    /// The same with open arguments given values, in every part.
    template <class... Bindings>
    auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    auto bind_known(const Bindings&... bindings) const {
        using bound = decltype(items->list[0].bind_known(bindings...));
        std::vector<bound> list;
        list.reserve(size());
        for (const E& e : items->list) list.push_back(e.bind_known(bindings...));
        return range_of<Kind, bound>::of(std::move(list));
    }

    static range_of of(std::vector<E> && list) { return {detail::shared<detail::range_items<E>>::make(std::move(list))}; }
};

namespace detail {

template <node_kind Kind, class R>
auto range_from(R&& range) {
    using E = range_element_t<R>;
    // A name that is at two types in one element was refused there; all elements have the same.
    if constexpr (std::is_same_v<R, std::vector<E>>)
        return range_of<Kind, E>::of(std::move(range));
    else
        return range_of<Kind, E>::of(std::vector<E>(std::begin(range), std::end(range)));
}

} // namespace detail

/// The expressions of a range, one after the other. They are copied, or taken over from a temporary std::vector.
template <detail::expression_range R>
auto sequence(R&& range) {
    return detail::range_from<node_kind::sequence_range>(static_cast<R&&>(range));
}
/// The expressions of a range beside each other; checked for races as parallel(a, b) is.
template <detail::expression_range R>
auto parallel(R&& range) {
    return detail::range_from<node_kind::parallel_range>(static_cast<R&&>(range));
}
/// The same, and nothing is checked.
template <detail::expression_range R>
auto unordered(R&& range) {
    return detail::range_from<node_kind::unordered_range>(static_cast<R&&>(range));
}
/// The expressions of a range, each behind those before it that it depends on: see dataflow(a, b, ...).
template <detail::expression_range R>
auto dataflow(R&& range) {
    return detail::range_from<node_kind::dataflow_range>(static_cast<R&&>(range));
}

} // namespace hanabi

#endif
