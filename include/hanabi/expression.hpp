// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Expressions: launches as values, sequences of them, and the binding of arguments left open. Nothing runs until a
/// dispatcher takes the expression; nothing is owned.

#ifndef HANABI_EXPRESSION_HPP
#define HANABI_EXPRESSION_HPP

#include <hanabi/argument.hpp>
#include <hanabi/config.hpp>
#include <hanabi/geometry.hpp>
#include <hanabi/refusal.hpp>
#include <hanabi/signature.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hanabi {

/// An argument left open in an expression: its placeholder's name and the type of the parameter it fills.
template <text Name, class P>
struct arg {
    static constexpr auto name = Name;
    using type = P;
};

/// The error of running an expression with an argument still open. Never defined: its name is the message.
template <text Expression, text Placeholder>
struct argument_is_not_bound;

/// The error of one placeholder name used for parameters of two types.
template <text Name, class First, class Second>
struct placeholder_has_two_types;

/// The error of giving a placeholder where a value is wanted: `e.bind("a"_arg = "b"_arg)`.
template <text Name>
struct a_placeholder_is_no_value;

/// The error of giving bind something without a name: it takes `"name"_arg = value`.
template <class Given>
struct bind_takes_named_arguments;

namespace detail {

/// An open argument of one launch: where in its block the value goes.
template <text Name, class P, std::size_t Offset>
struct open_argument : arg<Name, P> {
    static constexpr std::size_t offset = Offset;
};

template <class... T>
struct list {};

template <class... L>
struct join;
template <>
struct join<> {
    using type = list<>;
};
template <class... T>
struct join<list<T...>> {
    using type = list<T...>;
};
template <class... T, class... U, class... L>
struct join<list<T...>, list<U...>, L...> : join<list<T..., U...>, L...> {};

/// Its address stands for a type.
template <class T>
inline constexpr char type_tag = 0;

/// Where two placeholders of one name have different types: second is the number of placeholders if they don't.
struct conflict {
    std::size_t first, second;
};

/// Looks at those from `begin` on, against all before them.
template <std::size_t N>
constexpr conflict find_conflict(const name_view (&names)[N], const char* const (&types)[N], std::size_t begin) noexcept {
    for (std::size_t j = begin; j < N; ++j)
        for (std::size_t i = 0; i < j; ++i)
            // The types last: under -fsanitize=undefined g++ can't compare the addresses of two tags in a constant.
            if (names[i].length == names[j].length && names[i] == names[j] && types[i] != types[j]) return {i, j};
    return {N, N};
}

template <class... Open>
constexpr bool is_consistent(list<Open...>) noexcept {
    constexpr std::size_t n = sizeof...(Open);
    const name_view names[]{Open::name.view()..., {}};
    const char* const types[]{&type_tag<typename Open::type>..., nullptr};
    return find_conflict(names, types, 0).second > n;
}

/// One name at two types is refused: New against themselves and Old.
template <class... Old, class... New>
constexpr auto check_consistent(list<Old...>, list<New...>) {
    constexpr std::size_t n = sizeof...(Old) + sizeof...(New);
    if constexpr (n > 1 && sizeof...(New) != 0) {
        constexpr name_view names[]{Old::name.view()..., New::name.view()...};
        constexpr const char* types[]{&type_tag<typename Old::type>..., &type_tag<typename New::type>...};
        constexpr conflict c = find_conflict(names, types, sizeof...(Old));
        if constexpr (c.second != n) {
            using first = typename pick<c.first, Old..., New...>::type;
            using second = typename pick<c.second, Old..., New...>::type;
            (void)sizeof(placeholder_has_two_types<first::name, expected<typename first::type>, given<typename second::type>>);
        }
    }
    return 0;
}

/// The 1-based number of the parameter at an offset, for messages.
template <class Kernel>
constexpr std::size_t number_of_offset(std::size_t offset) noexcept {
    std::size_t i = 0;
    while (i + 1 < Kernel::arity && Kernel::layout.parameters[i].offset != offset) ++i;
    return i + 1;
}

/// What remains open after the bindings.
template <class Open, class... Bindings>
struct unless_bound : std::conditional<((Open::name == Bindings::name) || ...), list<>, list<Open>> {};

/// The name of a binding; empty for what is none.
template <class B>
constexpr name_view binding_name() noexcept {
    if constexpr (is_named_argument<B>::value)
        return B::name.view();
    else
        return {};
}

/// The first binding that is no named argument, has a name that stood before, or one that no open argument has; or their
/// number.
template <class... Open, class... Bindings>
constexpr std::size_t first_bad_binding(list<Open...>, list<Bindings...>) noexcept {
    constexpr std::size_t n = sizeof...(Bindings);
    const name_view bound[]{binding_name<Bindings>()..., {}};
    const name_view open[]{Open::name.view()..., {}};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j)
            if (bound[i] == bound[j]) return i;
        std::size_t j = 0;
        while (j < sizeof...(Open) && !(bound[i] == open[j])) ++j;
        if (j == sizeof...(Open)) return i;
    }
    return n;
}

/// Instantiates the error for the binding B, the I-th.
template <std::size_t I, class B, class... Open, class... Bindings>
constexpr auto report_binding(list<Open...>, list<Bindings...>) {
    if constexpr (is_argument_name<B>::value)
        (void)sizeof(a_placeholder_is_no_value<B::name>);
    else if constexpr (!is_named_argument<B>::value)
        (void)sizeof(bind_takes_named_arguments<given<B>>);
    else if constexpr (((Open::name == B::name) || ...))
        (void)sizeof(argument_is_named_twice<"bind", B::name>);
    else
        (void)sizeof(no_parameter_of_that_name<"bind", B::name>);
    return 0;
}

} // namespace detail

/// Satisfied by expressions: launches and what is composed of them.
template <class E>
concept expression = requires {
    typename std::remove_cvref_t<E>::open_arguments;
};

template <class Kernel, class Geometry, class... Open>
struct launch;
struct descriptor;

namespace detail {
template <class K, class G, class L>
struct launch_with;
template <class K, class G, class... Open>
struct launch_with<K, G, list<Open...>> {
    using type = launch<K, G, Open...>;
};
} // namespace detail

/// What a launch is made of, whatever its kernel: dispatchers work on this, so that their code depends on the geometry's
/// terms and the size of the arguments alone.
template <class Geometry, std::size_t Size, std::size_t Alignment, std::size_t Arity>
struct launch_data {
    const descriptor* kernel;
    Geometry geometry;
    detail::argument_block<Size, Alignment> arguments;
};

/// One launch: kernel, geometry, converted arguments, and the site its geometry was written at. A trivially copyable
/// value that owns nothing: what its pointers point to must outlive the launch's execution on the device. `Open` are
/// the arguments still to be bound; with none, a dispatcher runs it.
template <class Kernel, class Geometry, class... Open>
struct [[nodiscard("nothing runs until a dispatcher takes the launch: run(kernel[geometry](arguments...))")]] launch
    : launch_data<Geometry, Kernel::layout.size, Kernel::layout.alignment, Kernel::arity> {
    using kernel_type = Kernel;
    using geometry_type = Geometry;
    using open_arguments = detail::list<Open...>;
    static constexpr bool closed = sizeof...(Open) == 0;

    /// The same launch with some or all open arguments given values: `e.bind("alpha"_arg = 3.0f)`. Values are checked
    /// and converted as any argument is.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const noexcept {
        using named = detail::list<std::remove_cvref_t<Bindings>...>;
        constexpr std::size_t bad = detail::first_bad_binding(open_arguments{}, named{});
        if constexpr (bad != sizeof...(Bindings)) {
            detail::report_binding<bad, typename detail::pick<bad, std::remove_cvref_t<Bindings>...>::type>(open_arguments{}, named{});
            return detail::refused<launch<Kernel, Geometry>>();
        } else
            return bind_known(bindings...);
    }

    /// As bind, with names that this launch may not have.
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const noexcept {
        using remaining = typename detail::join<typename detail::unless_bound<Open, Bindings...>::type...>::type;
        typename detail::launch_with<Kernel, Geometry, remaining>::type bound;
        bound.kernel = this->kernel;
        bound.geometry = this->geometry;
        bound.arguments = this->arguments;
        (put<Open>(bound.arguments.bytes, bindings...), ...);
        return bound;
    }

  private:
    template <class O, class... Bindings>
    static auto put([[maybe_unused]] std::byte * bytes, const Bindings&... bindings) noexcept {
        (put_one<O>(bytes, bindings), ...);
    }
    template <class O, class Binding>
    static auto put_one([[maybe_unused]] std::byte * bytes, [[maybe_unused]] const Binding& binding) noexcept {
        if constexpr (O::name == Binding::name) {
            using A = typename Binding::argument_type;
            using P = typename O::type;
            if constexpr (detail::is_argument_name<std::remove_cvref_t<A>>::value)
                (void)sizeof(a_placeholder_is_no_value<std::remove_cvref_t<A>::name>);
            else if constexpr (!detail::argument_fits<P, A>)
                (void)sizeof(argument_does_not_fit<Kernel::label(), detail::number_of_offset<Kernel>(O::offset), Binding::name, expected<P>,
                                                   given<std::remove_cvref_t<A>>, argument_verdict<P, A>>);
            else {
                detail::argument_writer{bytes, O::offset}.template write<P>(static_cast<A&&>(binding.value));
            }
        }
    }
};

namespace detail {

template <class T>
struct is_launch : std::false_type {};
template <class K, class G, class... Open>
struct is_launch<launch<K, G, Open...>> : std::true_type {};

template <std::size_t I, class E>
struct leaf {
    E value;
};

template <class Indices, class... E>
struct leaves;
template <std::size_t... I, class... E>
struct leaves<std::index_sequence<I...>, E...> : leaf<I, E>... {};

template <std::size_t I, class E>
constexpr const E& get_leaf(const leaf<I, E>& l) noexcept {
    return l.value;
}

} // namespace detail

/// Expressions one after the other; flat, whatever way it was composed.
template <class... E>
struct [[nodiscard("nothing runs until a dispatcher takes the sequence: run(a >> b)")]] sequence_of {
    using open_arguments = typename detail::join<typename E::open_arguments...>::type;
    static constexpr bool closed = (E::closed && ...);
    static constexpr std::size_t size = sizeof...(E);

    detail::leaves<std::make_index_sequence<sizeof...(E)>, E...> parts;

    /// The same sequence with open arguments given values, wherever their names occur.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const noexcept {
        using named = detail::list<std::remove_cvref_t<Bindings>...>;
        constexpr std::size_t bad = detail::first_bad_binding(open_arguments{}, named{});
        if constexpr (bad != sizeof...(Bindings)) {
            detail::report_binding<bad, typename detail::pick<bad, std::remove_cvref_t<Bindings>...>::type>(open_arguments{}, named{});
            return detail::refused<sequence_of<>>();
        } else
            return bind_known(bindings...);
    }

    /// As bind, with names that this sequence may not have.
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const noexcept {
        return bind_parts(std::make_index_sequence<sizeof...(E)>{}, bindings...);
    }

    /// Calls f with each part in order.
    template <class F>
    constexpr void for_each(F && f) const {
        each(std::make_index_sequence<sizeof...(E)>{}, f);
    }

  private:
    template <std::size_t... I, class F>
    constexpr void each(std::index_sequence<I...>, F & f) const {
        (f(detail::get_leaf<I>(parts)), ...);
    }
    template <std::size_t... I, class... Bindings>
    constexpr auto bind_parts(std::index_sequence<I...>, const Bindings&... bindings) const noexcept {
        return make(detail::get_leaf<I>(parts).bind_known(bindings...)...);
    }
    template <class... F>
    static constexpr sequence_of<F...> make(const F&... f) noexcept {
        return {{{f}...}};
    }
};

namespace detail {

template <class... A, std::size_t... I, class... B, std::size_t... J>
constexpr auto append(const sequence_of<A...>& a, std::index_sequence<I...>, const sequence_of<B...>& b,
                      std::index_sequence<J...>) noexcept {
    return sequence_of<A..., B...>{{{get_leaf<I>(a.parts)}..., {get_leaf<J>(b.parts)}...}};
}
template <class E>
constexpr auto as_sequence(const E& e) noexcept {
    return sequence_of<E>{{{e}}};
}
template <class... E>
constexpr const sequence_of<E...>& as_sequence(const sequence_of<E...>& e) noexcept {
    return e;
}

} // namespace detail

/// b after a: what a does is complete, and visible to b, when b begins.
template <expression A, expression B>
constexpr auto operator>>(const A& a, const B& b) noexcept {
    detail::check_consistent(typename A::open_arguments{}, typename B::open_arguments{});
    decltype(auto) first = detail::as_sequence(a);
    decltype(auto) second = detail::as_sequence(b);
    return detail::append(first, std::make_index_sequence<std::remove_cvref_t<decltype(first)>::size>{}, second,
                          std::make_index_sequence<std::remove_cvref_t<decltype(second)>::size>{});
}

/// Expressions one after the other, for long chains: linear to compile.
template <expression... E>
constexpr auto sequence(const E&... e) noexcept {
    detail::check_consistent(detail::list<>{}, typename sequence_of<E...>::open_arguments{});
    return sequence_of<E...>{{{e}...}};
}

} // namespace hanabi

#endif
