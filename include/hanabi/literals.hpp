// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The literals: "alpha"_arg names an argument, 256_c is an integer known to the compiler.

#ifndef HANABI_LITERALS_HPP
#define HANABI_LITERALS_HPP

#include <hanabi/text.hpp>

#include <type_traits>

namespace hanabi {

/// A name given to a value: `"n"_arg = n`. Holds a reference, so it lives no longer than the full expression.
template <text Name, class A>
struct named_argument {
    static constexpr bool is_named_argument = true;
    static constexpr auto name = Name;
    using argument_type = A; ///< T& of an lvalue, T of a temporary
    A&& value;
};

/// `"alpha"_arg`: alone, a placeholder for an argument to be bound later; with `=`, that argument by name.
template <text Name>
struct argument_name {
    static constexpr bool is_argument_name = true;
    static constexpr auto name = Name;

    argument_name() = default;
    argument_name(const argument_name&) = default;

    /// Leaves a parameter open under its own name, in a call by name: `"n"_arg = "n"_arg`.
    constexpr named_argument<Name, argument_name> operator=(argument_name&& value) noexcept {
        return {static_cast<argument_name&&>(value)};
    }

    /// Gives the name a value.
    template <class A>
    constexpr named_argument<Name, A> operator=(A&& value) const noexcept {
        return {static_cast<A&&>(value)};
    }
};

namespace detail {

// By a member, not by a partial specialisation: nvcc's front end matches none whose pattern holds a text.
template <class T>
    struct is_argument_name : std::bool_constant < requires {
    requires T::is_argument_name;
} > {};
template <class T>
    struct is_named_argument : std::bool_constant < requires {
    requires T::is_named_argument;
} > {};

struct parsed_integer {
    unsigned long long value;
    bool good;
};

/// Reads an integer literal as the language spells it: decimal, 0x, 0b or octal, with ' between digits.
template <std::size_t N>
constexpr parsed_integer parse_integer(const char (&digits)[N]) noexcept {
    unsigned base = 10;
    std::size_t i = 0;
    if (N > 1 && digits[0] == '0') {
        base = 8;
        i = 1;
        if (digits[1] == 'x' || digits[1] == 'X') {
            base = 16;
            i = 2;
        } else if (digits[1] == 'b' || digits[1] == 'B') {
            base = 2;
            i = 2;
        }
    }
    unsigned long long value = 0;
    for (; i < N; ++i) {
        const char c = digits[i];
        if (c == '\'') continue;
        unsigned digit = 99;
        if (c >= '0' && c <= '9')
            digit = static_cast<unsigned>(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = static_cast<unsigned>(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            digit = static_cast<unsigned>(c - 'A') + 10;
        if (digit >= base || value > (~0ull - digit) / base) return {0, false};
        value = value * base + digit;
    }
    return {value, true};
}

template <char... C>
constexpr auto make_constant() noexcept {
    constexpr char digits[]{C...};
    constexpr parsed_integer parsed = parse_integer(digits);
    static_assert(parsed.good, "_c: not an integer of at most 64 bits");
    if constexpr (parsed.value <= 0x7fffffffull)
        return std::integral_constant<int, static_cast<int>(parsed.value)>{};
    else if constexpr (parsed.value <= 0x7fffffffffffffffull)
        return std::integral_constant<long long, static_cast<long long>(parsed.value)>{};
    else
        return std::integral_constant<unsigned long long, parsed.value>{};
}

/// An object that is nothing but one integer known to the compiler: std::integral_constant, hana::integral_constant.
template <class T>
concept integral_constant_like = std::is_empty_v<T> && requires {
    typename T::value_type;
    requires std::is_integral_v<typename T::value_type>;
    typename std::integral_constant<typename T::value_type, T::value>;
};

/// Without the comparison that compilers find pointless where T is unsigned.
template <class T>
constexpr bool is_negative([[maybe_unused]] T value) noexcept {
    if constexpr (std::is_signed_v<T>)
        return value < 0;
    else
        return false;
}

} // namespace detail

/// The namespace to use: `using namespace hanabi::literals;`
namespace literals {

/// "alpha"_arg
template <text Name>
constexpr argument_name<Name> operator""_arg() noexcept {
    return {};
}

/// 256_c: a std::integral_constant of int, long long or unsigned long long, whichever is the first to hold it.
template <char... C>
constexpr auto operator""_c() noexcept {
    return detail::make_constant<C...>();
}

} // namespace literals

} // namespace hanabi

#endif
