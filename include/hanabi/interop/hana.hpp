// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Boost.Hana and Hanabi: Hana Structs as kernel parameters tell their fields; expressions are Foldables of their parts, and
/// their kernels, leaves and placeholders are tuples.

#ifndef HANABI_INTEROP_HANA_HPP
#define HANABI_INTEROP_HANA_HPP

#include <hanabi/expression.hpp>
#include <hanabi/expression/parallel.hpp>
#include <hanabi/expression/placeholders.hpp>
#include <hanabi/signature.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/flatten.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/fwd/unpack.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hanabi {

/// The fields of a Boost.Hana Struct (BOOST_HANA_DEFINE_STRUCT, BOOST_HANA_ADAPT_STRUCT and their like), in the order of
/// declaration. A member that is itself a class is visited as one field of kind object.
template <class T>
struct fields_of<T, std::enable_if_t<std::is_class_v<T> && boost::hana::Struct<T>::value>> {
    static void visit(const void* object, field_visitor visitor, void* state) {
        boost::hana::for_each(boost::hana::accessors<T>(), [&](auto accessor) {
            const auto& member = boost::hana::second(accessor)(*static_cast<const T*>(object));
            using member_type = std::remove_cvref_t<decltype(member)>;
            visitor(state, name_view{boost::hana::to<const char*>(boost::hana::first(accessor))}, detail::kind_of<member_type>(),
                    sizeof(member_type), &member);
        });
    }
};

namespace detail {

template <class E>
constexpr auto leaf_tuple(const E& e);

template <class Parts, std::size_t... I>
constexpr auto leaf_tuples(const Parts& parts, std::index_sequence<I...>) {
    return boost::hana::flatten(boost::hana::make_tuple(leaf_tuple(get_leaf<I>(parts))...));
}

template <class E>
constexpr auto leaf_tuple(const E& e) {
    if constexpr (E::node == node_kind::sequence || E::node == node_kind::parallel || E::node == node_kind::unordered ||
                  E::node == node_kind::dataflow)
        return leaf_tuples(e.parts, std::make_index_sequence<E::size>{});
    else if constexpr (requires { e.body; })
        return leaf_tuple(e.body);
    else
        return boost::hana::make_tuple(e);
}

/// The kernels in an expression, as a list of types: of a range, those of its elements.
template <class E>
struct kernels_in {
    static constexpr auto find() {
        if constexpr (E::node == node_kind::launch)
            return list<typename E::kernel_type>{};
        else if constexpr (requires { typename E::element_type; })
            return kernels_in<typename E::element_type>::find();
        else if constexpr (requires { &E::body; })
            return kernels_in<std::remove_cvref_t<decltype(E::body)>>::find();
        else
            return list<>{};
    }
};
template <class... E>
struct kernels_in<sequence_of<E...>> {
    static constexpr auto find() { return typename join<decltype(kernels_in<E>::find())...>::type{}; }
};
template <node_kind Kind, class... E>
struct kernels_in<combination<Kind, E...>> {
    static constexpr auto find() { return typename join<decltype(kernels_in<E>::find())...>::type{}; }
};

/// Each once, where it stands first.
template <class... K>
constexpr auto unique_kernels(list<K...>) {
    if constexpr (sizeof...(K) == 0)
        return boost::hana::tuple<>{};
    else {
        constexpr const char* tags[]{&type_tag<K>...};
        constexpr auto chosen = [&] {
            chosen_entries<sizeof...(K)> c{};
            for (std::size_t i = 0; i < sizeof...(K); ++i) {
                std::size_t j = 0;
                while (j < c.count && tags[c.index[j]] != tags[i]) ++j;
                if (j == c.count) c.index[c.count++] = i;
            }
            return c;
        }();
        using all = by_index<std::index_sequence_for<K...>, K...>;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return boost::hana::tuple<typename decltype(find_index<chosen.index[I]>(*static_cast<all*>(nullptr)))::type...>{};
        }
        (std::make_index_sequence<chosen.count>{});
    }
}

template <class... A>
constexpr auto placeholder_tuple(list<A...>) {
    return boost::hana::tuple<boost::hana::type<A>...>{};
}

} // namespace detail

/// The leaves of an expression (launches, copies, calls, ranges, ...) in order, as a Boost.Hana tuple of copies. What stands
/// in group, repeat, when, repeat_while and touches is looked into.
template <expression E>
constexpr auto leaves_of(const E& e) {
    return detail::leaf_tuple(e);
}

/// The descriptors of the kernels in an expression, each once, as a Boost.Hana tuple: what there is to require of a registry,
/// `boost::hana::unpack(kernels_of(e), [&](auto... k) { registry.require(k...); })`.
template <expression E>
constexpr auto kernels_of(const E&) {
    return detail::unique_kernels(detail::kernels_in<E>::find());
}

/// What is open in an expression, sorted by name, as a Boost.Hana tuple of boost::hana::type<arg<Name, P>>.
template <expression E>
constexpr auto placeholders_of(const E&) {
    return detail::placeholder_tuple(sorted_open_arguments_t<E>{});
}

} // namespace hanabi

namespace boost::hana {

/// Sequences and parallel expressions are Foldables of their parts.
template <class... E>
struct unpack_impl<hanabi::sequence_of<E...>> {
    template <class S, class F>
    static constexpr decltype(auto) apply(S&& s, F&& f) {
        return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
            return static_cast<F&&>(f)(hanabi::detail::get_leaf<I>(s.parts)...);
        }
        (std::make_index_sequence<sizeof...(E)>{});
    }
};
template <hanabi::node_kind Kind, class... E>
struct unpack_impl<hanabi::combination<Kind, E...>> {
    template <class S, class F>
    static constexpr decltype(auto) apply(S&& s, F&& f) {
        return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
            return static_cast<F&&>(f)(hanabi::detail::get_leaf<I>(s.parts)...);
        }
        (std::make_index_sequence<sizeof...(E)>{});
    }
};

} // namespace boost::hana

#endif
