// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Numbers of elements as the caller gives them: any integer type, checked before it becomes a size in bytes.

#ifndef HANABI_DETAIL_COUNT_HPP
#define HANABI_DETAIL_COUNT_HPP

#include <hanabi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace hanabi::detail {

template <class T>
inline constexpr bool is_counting_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
constexpr bool is_counting_type() {
    if constexpr (
        requires { typename T::value_type; } && requires { T::value; })
        return is_counting_integer<typename T::value_type>;
    else
        return is_counting_integer<T>;
}

/// Any integer type but bool, or a constant of one (256_c, std::integral_constant).
template <class T>
concept counting = is_counting_type<std::remove_cv_t<T>>();

/// The integer of a count or a constant.
template <counting T>
constexpr auto count_value(T n) noexcept {
    if constexpr (std::is_integral_v<T>)
        return n;
    else
        return T::value;
}

/// True if n elements of that size can be counted in bytes; then `count` is n. No negative number can.
template <counting T>
constexpr bool fits_in_memory(T n, std::size_t element, std::size_t& count) noexcept {
    const auto value = count_value(n);
    if constexpr (std::is_signed_v<decltype(value)>)
        if (value < 0) return false;
    if (static_cast<std::uintmax_t>(value) > static_cast<std::uintmax_t>(PTRDIFF_MAX) / element) return false;
    count = static_cast<std::size_t>(value);
    return true;
}

/// A count in digits, whatever its type.
template <counting T>
std::string count_text(T n) {
    return std::to_string(+count_value(n));
}

} // namespace hanabi::detail

#endif
