// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Values for a plan's placeholders: checked by the compiler, as bytes for the plan.

#ifndef HANABI_PLAN_BINDINGS_HPP
#define HANABI_PLAN_BINDINGS_HPP

#include <hanabi/argument.hpp>
#include <hanabi/count.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/literals.hpp>
#include <hanabi/refusal.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hanabi {

/// The error of `plan(...)` that leaves a placeholder without a value: `plan.rebind(...)` takes some of them. Never defined.
template <text Placeholder, class Type>
struct plan_argument_is_missing;

namespace detail {

/// A placeholder of 64 unsigned bits may be a count alone, so it takes any integer; the plan refuses a negative one.
template <class P, class A>
constexpr bool plan_takes() noexcept {
    if constexpr (argument_fits<P, A>)
        return true;
    else if constexpr (std::is_same_v<P, std::uint64_t> && count<std::remove_cvref_t<A>>)
        return count_is_fine<0, std::remove_cvref_t<A>>;
    else
        return false;
}

/// A value converted to a placeholder's type.
template <class P>
struct bound_bytes {
    alignas(P) std::byte bytes[sizeof(P)];
    bool negative = false;

    template <class Named>
    HANABI_INLINE explicit bound_bytes(const Named& named) noexcept {
        using A = typename Named::argument_type;
        if constexpr (argument_fits<P, A>)
            argument_writer{bytes}.template write<P>(static_cast<A&&>(named.value));
        else {
            const std::uint64_t count = to_count(named.value);
            if constexpr (std::is_signed_v<std::remove_cvref_t<A>>) negative = 0 > named.value;
            __builtin_memcpy(bytes, &count, sizeof count);
        }
    }
};

/// The placeholder of a name among those open, or their number.
template <class... Open>
constexpr std::size_t find_open(list<Open...>, name_view name) noexcept {
    const name_view names[]{Open::name.view()..., {}};
    std::size_t i = 0;
    while (i < sizeof...(Open) && !(names[i] == name)) ++i;
    return i;
}

/// The first placeholder that no binding names, or their number.
template <class... Open, class... B>
constexpr std::size_t first_missing(list<Open...>, list<B...>) noexcept {
    const name_view open[]{Open::name.view()..., {}};
    const name_view bound[]{binding_name<B>()..., {}};
    for (std::size_t i = 0; i < sizeof...(Open); ++i) {
        std::size_t j = 0;
        while (j < sizeof...(B) && !(bound[j] == open[i])) ++j;
        if (j == sizeof...(B)) return i;
    }
    return sizeof...(Open);
}

/// Whether a binding's value fits its placeholder. The names are known to be good.
template <class B, class... Open>
constexpr bool binding_is_typed(list<Open...>) noexcept {
    using P = typename pick<find_open(list<Open...>{}, B::name.view()), Open...>::type::type;
    using A = typename B::argument_type;
    return !is_argument_name<std::remove_cvref_t<A>>::value && plan_takes<P, A>();
}

/// Whether bindings are known, each given once, and of values that fit; with `All`, whether none is missing.
template <bool All, class... Open, class... B>
constexpr bool bindings_are_good(list<Open...> open, list<B...> bindings) noexcept {
    if constexpr (first_bad_binding(list<Open...>{}, list<B...>{}) != sizeof...(B))
        return false;
    else
        return (binding_is_typed<B>(list<Open...>{}) && ...) && (!All || first_missing(open, bindings) == sizeof...(Open));
}

/// Instantiates the error for the first thing wrong with bindings.
template <class... Open, class... B>
constexpr auto report_bindings(list<Open...>, list<B...>) {
    constexpr std::size_t bad = first_bad_binding(list<Open...>{}, list<B...>{});
    if constexpr (bad != sizeof...(B)) {
        using worst = typename pick<bad, B...>::type;
        if constexpr (is_argument_name<worst>::value)
            (void)sizeof(a_placeholder_is_no_value<worst::name>);
        else if constexpr (!is_named_argument<worst>::value)
            (void)sizeof(bind_takes_named_arguments<given<worst>>);
        else if constexpr (((Open::name == worst::name) || ...))
            (void)sizeof(argument_is_named_twice<"plan", worst::name>);
        else
            (void)sizeof(no_parameter_of_that_name<"plan", worst::name>);
    } else {
        constexpr bool typed[]{binding_is_typed<B>(list<Open...>{})..., true};
        constexpr std::size_t wrong = first_false(typed), missing = first_missing(list<Open...>{}, list<B...>{});
        if constexpr (wrong < sizeof...(B)) {
            using worst = typename pick<wrong, B...>::type;
            using P = typename pick<find_open(list<Open...>{}, worst::name.view()), Open...>::type::type;
            using A = typename worst::argument_type;
            if constexpr (is_argument_name<std::remove_cvref_t<A>>::value)
                (void)sizeof(a_placeholder_is_no_value<worst::name>);
            else
                (void)sizeof(
                    argument_does_not_fit<"plan", 0, worst::name, expected<P>, given<std::remove_cvref_t<A>>, argument_verdict<P, A>>);
        } else {
            using first = typename pick<missing, Open...>::type;
            (void)sizeof(plan_argument_is_missing<first::name, expected<typename first::type>>);
        }
    }
    return 0;
}

} // namespace detail
} // namespace hanabi

#endif
