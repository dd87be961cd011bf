// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Geometry with counts left open: over("n"_arg), grid("rows"_arg, 4), block("threads"_arg), shared<float>("m"_arg). The
/// launch that is made with it takes the numbers when it is bound, or its plan when it is replayed.

#ifndef HANABI_OPEN_GEOMETRY_HPP
#define HANABI_OPEN_GEOMETRY_HPP

#include <hanabi/config.hpp>
#include <hanabi/count.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/geometry.hpp>
#include <hanabi/literals.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace hanabi {

namespace detail {

/// A count left open: which of a launch_shape's numbers it is. Slots 0 to 2 are the extent, 3 to 5 the block, 6 is the
/// shared memory, in units of Scale bytes. Its type is std::uint64_t, or that of a parameter of the same name.
template <text Name, unsigned Slot, std::uint64_t Scale>
struct open_count : open_argument<Name, std::uint64_t, Slot, open_place::shape, true> {
    static constexpr unsigned slot = Slot;
    static constexpr std::uint64_t scale = Scale;

    static constexpr void put(launch_shape& shape, std::uint64_t value) noexcept {
        if constexpr (Slot < 3)
            shape.extent[Slot] = value;
        else if constexpr (Slot < 6)
            shape.block[Slot - 3] = value;
        else
            shape.shared = value > ~std::uint64_t{0} / Scale ? ~std::uint64_t{0} : value * Scale;
    }
};

} // namespace detail

/// A geometry some of whose counts are left open. Joined to others by `|`, and given to a kernel as any geometry is.
template <class Geometry, class... Open>
struct open_geometry {
    Geometry shape;
};

namespace detail {

/// The list entry of one count of a term.
template <class N, unsigned Slot, std::uint64_t Scale, bool = is_open_count<N>>
struct open_count_entry {
    using type = list<>;
};
template <class N, unsigned Slot, std::uint64_t Scale>
struct open_count_entry<N, Slot, Scale, true> {
    using type = list<open_count<N::name, Slot, Scale>>;
};

template <class Geometry, class List>
struct open_geometry_with;
template <class Geometry, class... Open>
struct open_geometry_with<Geometry, list<Open...>> {
    using type = open_geometry<Geometry, Open...>;
};

template <text Term, int Least, std::size_t Number, class N>
constexpr auto check_open_count() {
    if constexpr (!is_open_count<N> && !count_is_fine<Least, N>)
        (void)sizeof(count_does_not_fit<Term, Number, given<N>, std::remove_pointer_t<decltype(judge_count<Least, N>())>>);
    return 0;
}

/// What a count is until it is bound: 2 makes the choice of a block see every open axis.
template <class N>
constexpr std::uint64_t count_for_now(const N& n) noexcept {
    if constexpr (is_open_count<N>)
        return 2;
    else if constexpr (count<N>)
        return to_count(n);
    else
        return 0; // refused
}

template <text Term, class Geometry, unsigned First, int Least, class X, class... N>
constexpr auto make_open(const std::source_location& site, const X& x, const N&... n) noexcept {
    static_assert(sizeof...(N) < 3, "a geometry has at most three axes");
    check_open_count<Term, Least, 1, X>();
    [&]<std::size_t... I>(std::index_sequence<I...>) { (check_open_count<Term, Least, I + 2, N>(), ...); }
    (std::index_sequence_for<N...>{});
    Geometry g{};
    const std::uint64_t counts[]{count_for_now(x), count_for_now(n)...};
    for (unsigned i = 0; i <= sizeof...(N); ++i) (First < 3 ? g.extent : g.block)[i] = counts[i];
    g.site = site;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        using list = typename join<typename open_count_entry<X, First, 1>::type,
                                   typename open_count_entry<N, First + 1 + static_cast<unsigned>(I), 1>::type...>::type;
        return typename open_geometry_with<Geometry, list>::type{g};
    }
    (std::index_sequence_for<N...>{});
}

/// Counts of which one is left open.
template <class... N>
concept some_open = (is_open_count<N> || ...);

} // namespace detail

/// As over(n), with counts left open; a number bound to none launches nothing.
template <class X>
requires detail::some_open<X>
constexpr auto over(X x, std::source_location site = std::source_location::current()) noexcept {
    return detail::make_open<"over", geometry<term::over>, 0, 0>(site, x);
}
/// \overload
template <class X, class Y>
requires detail::some_open<X, Y>
constexpr auto over(X x, Y y, std::source_location site = std::source_location::current()) noexcept {
    return detail::make_open<"over", geometry<term::over>, 0, 0>(site, x, y);
}
/// \overload
template <class X, class Y, class Z>
requires detail::some_open<X, Y, Z>
constexpr auto over(X x, Y y, Z z, std::source_location site = std::source_location::current()) noexcept {
    return detail::make_open<"over", geometry<term::over>, 0, 0>(site, x, y, z);
}

/// As grid(n), with counts left open.
template <class X>
requires detail::some_open<X>
constexpr auto grid(X x, std::source_location site = std::source_location::current()) noexcept {
    return detail::make_open<"grid", geometry<term::grid>, 0, 1>(site, x);
}
/// \overload
template <class X, class Y>
requires detail::some_open<X, Y>
constexpr auto grid(X x, Y y, std::source_location site = std::source_location::current()) noexcept {
    return detail::make_open<"grid", geometry<term::grid>, 0, 1>(site, x, y);
}
/// \overload
template <class X, class Y, class Z>
requires detail::some_open<X, Y, Z>
constexpr auto grid(X x, Y y, Z z, std::source_location site = std::source_location::current()) noexcept {
    return detail::make_open<"grid", geometry<term::grid>, 0, 1>(site, x, y, z);
}

/// As occupancy(n), with the count left open.
template <class X>
requires detail::some_open<X>
constexpr auto occupancy(X x, std::source_location site = std::source_location::current()) noexcept {
    return detail::make_open<"occupancy", geometry<term::occupancy>, 0, 0>(site, x);
}

/// As block(n...), with counts left open; constants among them are known to the compiler still.
template <class... N>
requires(detail::some_open<N...> && sizeof...(N) <= 3) constexpr auto block(N... n) noexcept {
    return detail::make_open<"block", geometry<term::block, typename detail::known_block<N...>::type>, 3, 1>(std::source_location{}, n...);
}

/// As shared<T>(n), with the count left open.
template <class T, class N>
requires detail::some_open<N>
constexpr auto shared(N) noexcept { return open_geometry<geometry<term::shared>, detail::open_count<N::name, 6, sizeof(T)>>{}; }

/// Joins geometries of which one has open counts.
template <class G1, class... Open1, unsigned T2, class B2, unsigned N2>
constexpr auto operator|(const open_geometry<G1, Open1...>& a, const geometry<T2, B2, N2>& b) noexcept {
    return open_geometry<decltype(a.shape | b), Open1...>{a.shape | b};
}
template <unsigned T1, class B1, unsigned N1, class G2, class... Open2>
constexpr auto operator|(const geometry<T1, B1, N1>& a, const open_geometry<G2, Open2...>& b) noexcept {
    return open_geometry<decltype(a | b.shape), Open2...>{a | b.shape};
}
template <class G1, class... Open1, class G2, class... Open2>
constexpr auto operator|(const open_geometry<G1, Open1...>& a, const open_geometry<G2, Open2...>& b) noexcept {
    return open_geometry<decltype(a.shape | b.shape), Open1..., Open2...>{a.shape | b.shape};
}

/// As for closed ones: join terms with `|`.
template <class G1, class... Open1, class join_terms_with_a_vertical_bar>
void operator,(const open_geometry<G1, Open1...>&, const join_terms_with_a_vertical_bar&) = delete;

namespace detail {

template <class Configured, class... Open>
struct open_configured;

/// A kernel with a geometry some of whose counts are open, waiting for its arguments.
template <class Configured, class... Open>
struct [[nodiscard("a kernel's geometry is followed by its arguments: kernel[geometry](arguments...)")]] open_configured {
    Configured configured;

    /// As configured's: the launch is open in the geometry's counts too.
    template <class... A>
    constexpr auto operator()(A&&... arguments) const noexcept {
        return with_counts(configured(static_cast<A&&>(arguments)...));
    }

  private:
    template <class K, class G, class... Arguments>
    static constexpr auto with_counts(const launch<K, G, Arguments...>& closed) noexcept {
        check_consistent(list<Arguments...>{}, list<Open...>{});
        launch<K, G, Arguments..., Open...> open;
        open.kernel = closed.kernel;
        open.geometry = closed.geometry;
        open.arguments = closed.arguments;
        return open;
    }
};

} // namespace detail

} // namespace hanabi

#endif
