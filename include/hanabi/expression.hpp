// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Expressions: launches as values, sequences of them, and the binding of arguments left open. Nothing runs until a
/// dispatcher or a plan takes the expression. What else expressions are made of is in hanabi/expression/.

#ifndef HANABI_EXPRESSION_HPP
#define HANABI_EXPRESSION_HPP

#include <hanabi/argument.hpp>
#include <hanabi/config.hpp>
#include <hanabi/count.hpp>
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

/// What an expression is, to whoever takes it apart: each has it as `node`.
enum class node_kind : unsigned char {
    launch,
    sequence,
    parallel,
    unordered,
    dataflow,
    group,
    repeat,
    when,
    repeat_while,
    sequence_range,
    parallel_range,
    unordered_range,
    dataflow_range,
    copy,
    fill,
    call,
    barrier,
    record,
    wait,
    touches,
    custom ///< what other headers add, nested plans for one: it says itself how it is executed
};

namespace detail {

/// Where the value of an open argument goes.
enum class open_place : unsigned char {
    arguments,    ///< into a launch's argument block
    shape,        ///< into a launch's geometry: open_count
    copy_address, ///< into a copy_data
    fill_value    ///< into the value of a fill
};

/// An open argument of one leaf: where in its block the value goes. A flexible one takes the type of another use of its
/// name: T* and const T*, and numbers of elements and any integer.
template <text Name, class P, std::size_t Offset, open_place Place = open_place::arguments, bool Flexible = false>
struct open_argument : arg<Name, P> {
    static constexpr std::size_t offset = Offset;
    static constexpr open_place place = Place;
    static constexpr bool flexible = Flexible;
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
/// Sixteen at a time, of long lists.
template <class... T, class... A, class... B, class... C, class... D, class... E, class... F, class... G, class... H, class... I,
          class... J, class... K, class... L, class... M, class... N, class... O, class... P, class... Rest>
struct join<list<T...>, list<A...>, list<B...>, list<C...>, list<D...>, list<E...>, list<F...>, list<G...>, list<H...>, list<I...>,
            list<J...>, list<K...>, list<L...>, list<M...>, list<N...>, list<O...>, list<P...>, Rest...>
    : join<list<T..., A..., B..., C..., D..., E..., F..., G..., H..., I..., J..., K..., L..., M..., N..., O..., P...>, Rest...> {};

/// What is open in parts: most often nothing.
template <bool None, class... L>
struct open_in {
    using type = list<>;
};
template <class... L>
struct open_in<false, L...> : join<L...> {};

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

/// What uses of one name have in common where one of them is flexible: to be an integer that counts, or a pointer to the
/// same type but for const.
struct any_integer;
template <class P>
constexpr auto loose_type() noexcept {
    if constexpr (counts<P>)
        return static_cast<any_integer*>(nullptr);
    else if constexpr (std::is_pointer_v<P>)
        return static_cast<std::remove_const_t<std::remove_pointer_t<P>>**>(nullptr);
    else
        return static_cast<P*>(nullptr);
}

/// The same, where some are flexible.
template <std::size_t N>
constexpr conflict find_conflict(const name_view (&names)[N], const char* const (&types)[N], const char* const (&loose)[N],
                                 const bool (&flexible)[N], std::size_t begin) noexcept {
    for (std::size_t j = begin; j < N; ++j)
        for (std::size_t i = 0; i < j; ++i)
            if (names[i].length == names[j].length && names[i] == names[j] && types[i] != types[j] &&
                !((flexible[i] || flexible[j]) && loose[i] == loose[j]))
                return {i, j};
    return {N, N};
}

/// The first conflict of those from `begin` on with all before them.
template <class... Open>
constexpr conflict conflict_of(list<Open...>, std::size_t begin) noexcept {
    constexpr name_view names[]{Open::name.view()...};
    constexpr const char* types[]{&type_tag<typename Open::type>...};
    if constexpr ((Open::flexible || ...)) {
        constexpr const char* loose[]{&type_tag<decltype(loose_type<typename Open::type>())>...};
        constexpr bool flexible[]{Open::flexible...};
        return find_conflict(names, types, loose, flexible, begin);
    } else
        return find_conflict(names, types, begin);
}

template <class... Open>
constexpr bool is_consistent(list<Open...> open) noexcept {
    if constexpr (sizeof...(Open) < 2)
        return true;
    else
        return conflict_of(open, 0).second == sizeof...(Open);
}

/// One name at two types is refused: New against themselves and Old.
template <class... Old, class... New>
constexpr auto check_consistent(list<Old...>, list<New...>) {
    constexpr std::size_t n = sizeof...(Old) + sizeof...(New);
    if constexpr (n > 1 && sizeof...(New) != 0) {
        constexpr conflict c = conflict_of(list<Old..., New...>{}, sizeof...(Old));
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

/// What bind does in every expression: checks the names, then binds; Refused is the type of a refused one's result.
template <class Refused, class E, class... Bindings>
constexpr auto bind_checked(const E& e, const Bindings&... bindings) {
    using named = list<Bindings...>;
    using open = typename E::open_arguments;
    constexpr std::size_t bad = first_bad_binding(open{}, named{});
    if constexpr (bad != sizeof...(Bindings)) {
        report_binding<bad, typename pick<bad, Bindings...>::type>(open{}, named{});
        return refused<Refused>();
    } else
        return e.bind_known(bindings...);
}

} // namespace detail

/// Satisfied by expressions: launches, copies and other leaves, and what is composed of them.
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
    using part_type = launch_data;

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
    static constexpr node_kind node = node_kind::launch;
    static constexpr bool closed = sizeof...(Open) == 0;
    static constexpr bool forks = false;

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
        (put<Open>(bound, bindings...), ...);
        return bound;
    }

  private:
    template <class O, class Bound, class... Bindings>
    static auto put([[maybe_unused]] Bound & bound, const Bindings&... bindings) noexcept {
        (put_one<O>(bound, bindings), ...);
    }
    template <class O, class Bound, class Binding>
    static auto put_one([[maybe_unused]] Bound & bound, [[maybe_unused]] const Binding& binding) noexcept {
        if constexpr (O::name == Binding::name) {
            using A = typename Binding::argument_type;
            using P = typename O::type;
            if constexpr (detail::is_argument_name<std::remove_cvref_t<A>>::value)
                (void)sizeof(a_placeholder_is_no_value<std::remove_cvref_t<A>::name>);
            else if constexpr (O::place == detail::open_place::shape) {
                if constexpr (detail::count_is_fine<0, std::remove_cvref_t<A>>)
                    O::put(bound.geometry, detail::to_count(binding.value));
                else
                    (void)sizeof(argument_does_not_fit<Kernel::label(), 0, Binding::name, expected<P>, given<std::remove_cvref_t<A>>,
                                                       argument_verdict<P, A>>);
            } else if constexpr (!detail::argument_fits<P, A>)
                (void)sizeof(argument_does_not_fit<Kernel::label(), detail::number_of_offset<Kernel>(O::offset), Binding::name, expected<P>,
                                                   given<std::remove_cvref_t<A>>, argument_verdict<P, A>>);
            else {
                detail::argument_writer{bound.arguments.bytes, O::offset}.template write<P>(static_cast<A&&>(binding.value));
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
struct leaves<std::index_sequence<I...>, E...> : leaf<I, E>... {
    // Members, so that no function more than needed has all the types in its name: such names cost the square of their number.
    template <class F>
    constexpr void each(F&& f) const {
        (f(static_cast<const leaf<I, E>&>(*this).value), ...);
    }
    template <class F>
    constexpr void each_part(F&& f) const {
        (f(static_cast<const typename E::part_type&>(static_cast<const leaf<I, E>&>(*this).value)), ...);
    }
    /// A sequence of all and one more.
    template <template <class...> class Result, class B>
    constexpr Result<E..., B> plus(const B& b) const {
        return {{}, {{static_cast<const leaf<I, E>&>(*this).value}..., {b}}};
    }
};

template <std::size_t I, class E>
constexpr const E& get_leaf(const leaf<I, E>& l) noexcept {
    return l.value;
}

/// What there is to know of a sequence, apart from it: names of static members with all its types in them are not free.
template <bool Closed, bool Forks, bool OnlyLaunches, std::size_t Size>
struct sequence_facts {
    static constexpr node_kind node = node_kind::sequence;
    static constexpr bool closed = Closed;
    static constexpr bool forks = Forks;
    static constexpr bool only_launches = OnlyLaunches;
    static constexpr std::size_t size = Size;
};

} // namespace detail

/// Expressions one after the other; flat, whatever way it was composed.
template <class... E>
struct [[nodiscard("nothing runs until a dispatcher takes the sequence: run(a >> b)")]] sequence_of
    : detail::sequence_facts<(E::closed && ...), (E::forks || ...), ((E::node == node_kind::launch) && ...), sizeof...(E)> {
    using part_type = sequence_of;
    using open_arguments = typename detail::open_in<(E::closed && ...), typename E::open_arguments...>::type;

    detail::leaves<std::make_index_sequence<sizeof...(E)>, E...> parts;

    /// The same sequence with open arguments given values, wherever their names occur.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }

    /// As bind, with names that this sequence may not have.
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const {
        return bind_parts(std::make_index_sequence<sizeof...(E)>{}, bindings...);
    }

    /// Calls f with each part in order.
    template <class F>
    constexpr void for_each(F && f) const {
        parts.each(f);
    }

    /// The same for a visitor that needs no more of closed launches than launch_data: so that there is little to instantiate for each of many.
    template <class F>
    constexpr void for_each_part(F && f) const {
        if constexpr (sequence_of::closed)
            parts.each_part(f);
        else
            parts.each(f);
    }

  private:
    template <std::size_t... I, class... Bindings>
    constexpr auto bind_parts(std::index_sequence<I...>, const Bindings&... bindings) const {
        return make(detail::get_leaf<I>(parts).bind_known(bindings...)...);
    }
    template <class... F>
    static constexpr sequence_of<F...> make(const F&... f) {
        return {{}, {{f}...}};
    }
};

namespace detail {

template <class... A, std::size_t... I, class... B, std::size_t... J>
constexpr auto append(const sequence_of<A...>& a, std::index_sequence<I...>, const sequence_of<B...>& b, std::index_sequence<J...>) {
    return sequence_of<A..., B...>{{}, {{get_leaf<I>(a.parts)}..., {get_leaf<J>(b.parts)}...}};
}
template <class E>
constexpr auto as_sequence(const E& e) {
    return sequence_of<E>{{}, {{e}}};
}
template <class... E>
constexpr const sequence_of<E...>& as_sequence(const sequence_of<E...>& e) noexcept {
    return e;
}

} // namespace detail

/// b after a: what a does is complete, and visible to b, when b begins.
template <expression A, expression B>
constexpr auto operator>>(const A& a, const B& b) {
    detail::check_consistent(typename A::open_arguments{}, typename B::open_arguments{});
    if constexpr (B::node != node_kind::sequence) {
        if constexpr (A::node != node_kind::sequence)
            return sequence_of<A, B>{{}, {{a}, {b}}};
        else
            return a.parts.template plus<sequence_of>(b);
    } else {
        decltype(auto) first = detail::as_sequence(a);
        decltype(auto) second = detail::as_sequence(b);
        return detail::append(first, std::make_index_sequence<std::remove_cvref_t<decltype(first)>::size>{}, second,
                              std::make_index_sequence<std::remove_cvref_t<decltype(second)>::size>{});
    }
}

/// Expressions one after the other, for long chains: linear to compile.
template <expression... E>
constexpr auto sequence(const E&... e) {
    detail::check_consistent(detail::list<>{}, typename sequence_of<E...>::open_arguments{});
    return sequence_of<E...>{{}, {{e}...}};
}

} // namespace hanabi

#endif
