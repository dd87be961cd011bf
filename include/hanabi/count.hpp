// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Counts: the integers that a geometry's terms take, and why not others.

#ifndef HANABI_COUNT_HPP
#define HANABI_COUNT_HPP

#include <hanabi/config.hpp>
#include <hanabi/literals.hpp>
#include <hanabi/refusal.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hanabi {

namespace detail {

/// The integer types that count: of at most 64 bits, neither bool nor a character type. (signed char and unsigned char,
/// which std::int8_t and std::uint8_t are, count.)
template <class T, bool = std::is_integral_v<T>>
inline constexpr bool counts = false;
template <class T>
inline constexpr bool counts<T, true> = sizeof(T) <= 8;
template <>
inline constexpr bool counts<bool, true> = false;
template <>
inline constexpr bool counts<char, true> = false;
template <>
inline constexpr bool counts<wchar_t, true> = false;
template <>
inline constexpr bool counts<char8_t, true> = false;
template <>
inline constexpr bool counts<char16_t, true> = false;
template <>
inline constexpr bool counts<char32_t, true> = false;

/// What stands where a count is missing.
struct no_argument {};

/// A count that is left open: "n"_arg.
template <class T>
inline constexpr bool is_open_count = is_argument_name<T>::value;

template <class T>
constexpr bool is_count() noexcept {
    if constexpr (integral_constant_like<T>)
        return counts<std::remove_cv_t<typename T::value_type>>;
    else
        return counts<T>;
}

} // namespace detail

/// An integer to count by: any integer type of at most 64 bits, or a constant of one. Never bool, a character type or floating point.
template <class T>
concept count = detail::is_count<T>();

namespace detail {
/// Arguments that are not all counts, and none is left open.
template <class... T>
inline constexpr bool no_counts = !(count<T> && ...) && !(is_open_count<T> || ...);
} // namespace detail

namespace because {
struct a_count_is_an_integer;
struct a_bool_is_not_a_count;
struct a_character_is_not_a_count;
struct a_count_is_not_negative;
struct there_is_at_least_one_along_each_axis;
struct the_number_of_counts_is_wrong;
} // namespace because

/// The error of a count that is none, or of a constant that can't be one: the term, the count's 1-based number in it, its
/// type and the reason. Never defined: its name is the message.
template <text Term, std::size_t Number, class Given, class Because>
struct count_does_not_fit;

namespace detail {

template <class T>
HANABI_INLINE constexpr std::uint64_t to_count(T value) noexcept {
    if constexpr (integral_constant_like<T>)
        return static_cast<std::uint64_t>(T::value);
    else
        return static_cast<std::uint64_t>(value);
}

template <class T>
constexpr std::uint64_t known_count() noexcept {
    if constexpr (integral_constant_like<T>)
        return static_cast<std::uint64_t>(T::value);
    else
        return 0;
}

template <class T>
inline constexpr bool is_character = std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
                                     std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

/// Whether a count, as far as the compiler knows it, is Least or more.
template <int Least, class T>
constexpr bool is_at_least() noexcept {
    static_assert(Least == 0 || Least == 1);
    if constexpr (integral_constant_like<T>)
        return !is_negative(T::value) && (Least == 0 || T::value != 0);
    else
        return true;
}

/// The verdict on a count of a term whose counts are Least or more.
template <int Least, class T>
constexpr auto judge_count() noexcept {
    if constexpr (!count<T>) {
        if constexpr (integral_constant_like<T>)
            return judge_count<Least, typename T::value_type>();
        else if constexpr (std::is_same_v<T, bool>)
            return static_cast<because::a_bool_is_not_a_count*>(nullptr);
        else if constexpr (std::is_same_v<T, no_argument>)
            return static_cast<because::the_number_of_counts_is_wrong*>(nullptr);
        else if constexpr (is_character<T>)
            return static_cast<because::a_character_is_not_a_count*>(nullptr);
        else
            return static_cast<because::a_count_is_an_integer*>(nullptr);
    } else if constexpr (!is_at_least<0, T>())
        return static_cast<because::a_count_is_not_negative*>(nullptr);
    else if constexpr (!is_at_least<Least, T>())
        return static_cast<because::there_is_at_least_one_along_each_axis*>(nullptr);
    else
        return static_cast<because::it_is_fine*>(nullptr);
}

template <int Least, class T>
inline constexpr bool count_is_fine = std::is_same_v<decltype(judge_count<Least, T>()), because::it_is_fine*>;

/// Instantiates the error for the first count that does not fit.
template <text Term, int Least, std::size_t Number, class First, class... Rest>
constexpr auto report_counts() {
    if constexpr (Number > 3)
        (void)sizeof(count_does_not_fit<Term, Number, given<First>, because::the_number_of_counts_is_wrong>);
    else if constexpr (count_is_fine<Least, First>)
        report_counts<Term, Least, Number + 1, Rest...>();
    else
        (void)sizeof(count_does_not_fit<Term, Number, given<First>, std::remove_pointer_t<decltype(judge_count<Least, First>())>>);
    return 0;
}

} // namespace detail

} // namespace hanabi

#endif
