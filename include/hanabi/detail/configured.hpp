// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A kernel with its geometry, waiting for its arguments: what kernel[geometry] is.

#ifndef HANABI_DETAIL_CONFIGURED_HPP
#define HANABI_DETAIL_CONFIGURED_HPP

#include <hanabi/argument.hpp>
#include <hanabi/config.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/literals.hpp>
#include <hanabi/refusal.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hanabi::detail {

template <class A>
inline constexpr bool is_open = is_argument_name<std::remove_cvref_t<A>>::value;

/// Whether an argument is taken, a placeholder included.
template <class P, class A>
constexpr bool takes() noexcept {
    if constexpr (is_open<A>)
        return true;
    else
        return argument_fits<P, A>;
}

/// Whether an argument is a value that fits: no placeholder, no name.
template <class P, class A>
constexpr bool fits_now() noexcept {
    if constexpr (is_open<A> || is_named_argument<std::remove_cvref_t<A>>::value)
        return false;
    else
        return argument_fits<P, A>;
}

template <class A>
inline constexpr bool is_named = is_named_argument<std::remove_cvref_t<A>>::value;

/// Writes one argument, or leaves room for one to come; returns its type list entry.
template <class P, std::size_t Offset, class A, bool Open = is_argument_name<A>::value>
struct open_entry {
    using type = list<>;
};
template <class P, std::size_t Offset, class A>
struct open_entry<P, Offset, A, true> {
    using type = list<open_argument<A::name, P, Offset>>;
};

template <class Kernel, class Indices, class Parameters, class... A>
struct open_list;
template <class Kernel, std::size_t... I, class... P, class... A>
struct open_list<Kernel, std::index_sequence<I...>, list<P...>, A...> {
    using type = typename join<typename open_entry<P, Kernel::layout.parameters[I].offset, std::remove_cvref_t<A>>::type...>::type;
};

template <class P, class A>
HANABI_INLINE void write_or_skip(argument_writer& writer, A&& argument) noexcept {
    if constexpr (is_open<A>)
        (void)writer.template place<P>();
    else
        writer.template write<P>(static_cast<A&&>(argument));
}

/// Instantiates the error for the first argument that does not fit.
template <class Kernel, class... P, class... A>
constexpr auto report_arguments(list<P...>, list<A...>) {
    constexpr bool fits[]{takes<P, A>()...};
    constexpr std::size_t i = first_false(fits);
    using parameter_type = typename pick<i, P...>::type;
    using argument_type = typename pick<i, A...>::type;
    (void)sizeof(argument_does_not_fit<Kernel::label(), i + 1, Kernel::template parameter_label<i>(), expected<parameter_type>,
                                       given<std::remove_cvref_t<argument_type>>, argument_verdict<parameter_type, argument_type>>);
    return 0;
}

template <std::size_t I, class A, class... Rest>
HANABI_INLINE constexpr decltype(auto) select(A&& first, Rest&&... rest) noexcept {
    if constexpr (I == 0)
        return static_cast<A&&>(first);
    else
        return select<I - 1>(static_cast<Rest&&>(rest)...);
}

/// How the names of a call fall on the parameters' names.
template <class Kernel, class... A>
struct named_call {
    static constexpr std::size_t given = sizeof...(A);
    static constexpr name_view names[given]{A::name.view()...};

    static constexpr bool names_parameter(std::size_t i, std::size_t p) noexcept { return names[i] == Kernel::contracts().names[p]; }

    /// The first name that no parameter has, or given.
    static constexpr std::size_t unknown() noexcept {
        for (std::size_t i = 0; i < given; ++i) {
            std::size_t p = 0;
            while (p < Kernel::arity && !names_parameter(i, p)) ++p;
            if (p == Kernel::arity) return i;
        }
        return given;
    }
    /// The first name that stood before, or given.
    static constexpr std::size_t repeated() noexcept {
        for (std::size_t i = 0; i < given; ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (names[i] == names[j]) return i;
        return given;
    }
    /// The argument for a parameter, or given.
    static constexpr std::size_t position(std::size_t p) noexcept {
        std::size_t i = 0;
        while (i < given && !names_parameter(i, p)) ++i;
        return i;
    }
    /// The first parameter without an argument, or the kernel's arity.
    static constexpr std::size_t missing() noexcept {
        for (std::size_t p = 0; p < Kernel::arity; ++p)
            if (position(p) == given) return p;
        return Kernel::arity;
    }
    /// Whether the parameters can be told apart.
    static constexpr bool distinct() noexcept {
        for (std::size_t p = 0; p < Kernel::arity; ++p)
            for (std::size_t q = 0; q < p; ++q)
                if (Kernel::contracts().names[p] == Kernel::contracts().names[q]) return false;
        return true;
    }
    /// Whether every parameter has its argument.
    static constexpr bool is_fine() noexcept {
        return distinct() && unknown() == given && repeated() == given && missing() == Kernel::arity;
    }
};

/// Instantiates the error for names that do not fall on the parameters' names.
template <class Kernel, class... A>
constexpr auto report_names() {
    using call = named_call<Kernel, A...>;
    constexpr std::size_t unknown = call::unknown(), repeated = call::repeated(), missing = call::missing();
    if constexpr (!call::distinct())
        (void)sizeof(contracts_are_wrong<Kernel::label(), contract_fault::two_parameters_have_one_name>);
    else if constexpr (unknown != sizeof...(A))
        (void)sizeof(no_parameter_of_that_name<Kernel::label(), pick<unknown, A...>::type::name>);
    else if constexpr (repeated != sizeof...(A))
        (void)sizeof(argument_is_named_twice<Kernel::label(), pick<repeated, A...>::type::name>);
    else
        (void)sizeof(argument_is_missing<Kernel::label(), missing + 1, Kernel::template parameter_label<missing>()>);
    return 0;
}

/// A kernel with its geometry, waiting for its arguments.
template <class Kernel, class Geometry, class... P>
struct [[nodiscard("a kernel's geometry is followed by its arguments: kernel[geometry](arguments...)")]] configured {
    Geometry shape;

    /// Makes a launch from arguments in order, or all by name in any order; a "name"_arg alone is left open.
    template <class... A>
    HANABI_INLINE auto operator()(A&&... arguments) const noexcept {
        if constexpr ((is_named<A> || ...)) {
            return by_name(std::make_index_sequence<sizeof...(P)>{}, static_cast<A&&>(arguments)...);
        } else if constexpr (sizeof...(A) != sizeof...(P)) {
            (void)sizeof(wrong_number_of_arguments<Kernel::label(), expected_count<sizeof...(P)>, given_count<sizeof...(A)>>);
            return refused<launch<Kernel, Geometry>>();
        } else if constexpr (!(takes<P, A>() && ...)) {
            report_arguments<Kernel>(list<P...>{}, list<A...>{});
            return refused<launch<Kernel, Geometry>>();
        } else if constexpr ((is_open<A> || ...)) {
            using open = typename open_list<Kernel, std::make_index_sequence<sizeof...(P)>, list<P...>, A...>::type;
            check_consistent(list<>{}, open{});
            typename launch_with<Kernel, Geometry, open>::type expression;
            expression.kernel = &Kernel::info;
            expression.geometry = shape;
            argument_writer writer{expression.arguments.bytes};
            (write_or_skip<P>(writer, static_cast<A&&>(arguments)), ...);
            return expression;
        } else {
            launch<Kernel, Geometry> expression;
            expression.kernel = &Kernel::info;
            expression.geometry = shape;
            argument_writer writer{expression.arguments.bytes};
            (writer.template write<P>(static_cast<A&&>(arguments)), ...);
            return expression;
        }
    }

    /// Whether arguments are in order, fit, and are all there: then pack writes them, with no expression made.
    template <class... A>
    static constexpr bool packs() noexcept {
        if constexpr (sizeof...(A) != sizeof...(P))
            return false;
        else
            return (fits_now<P, A>() && ...);
    }
    template <class Block, class... A>
    static HANABI_INLINE void pack(Block & block, A && ... arguments) noexcept {
        [[maybe_unused]] argument_writer writer{block.bytes};
        (writer.template write<P>(static_cast<A&&>(arguments)), ...);
    }

  private:
    template <std::size_t... I, class... A>
    auto by_name(std::index_sequence<I...>, A && ... arguments) const noexcept {
        if constexpr (!(is_named<A> && ...)) {
            (void)sizeof(arguments_are_either_all_named_or_none<Kernel::label()>);
            return refused<launch<Kernel, Geometry>>();
        } else if constexpr (Kernel::contracts().name_count == 0 && sizeof...(P) != 0) {
            (void)sizeof(parameters_have_no_names<Kernel::label()>);
            return refused<launch<Kernel, Geometry>>();
        } else {
            using call = named_call<Kernel, std::remove_cvref_t<A>...>;
            if constexpr (!call::is_fine()) {
                report_names<Kernel, std::remove_cvref_t<A>...>();
                return refused<launch<Kernel, Geometry>>();
            } else
                return (*this)(value_of(select<call::position(I)>(static_cast<A&&>(arguments)...))...);
        }
    }

    template <class Named>
    static constexpr typename Named::argument_type&& value_of(const Named& named) noexcept {
        return static_cast<typename Named::argument_type&&>(named.value);
    }
};

} // namespace hanabi::detail

#endif
