// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// narrow: the checked way down to a narrower number.

#ifndef HANABI_NARROW_HPP
#define HANABI_NARROW_HPP

#include <hanabi/error.hpp>

#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>

namespace hanabi {

namespace detail {

/// One past the largest value of an integer type: a power of two, so that every floating-point type has it.
template <class Integer, class Float>
constexpr Float one_past() noexcept {
    Float beyond{1};
    for (int i = 0; i < std::numeric_limits<Integer>::digits; ++i) beyond *= 2;
    return beyond;
}

/// Whether a floating-point number is in an integer type's range; no NaN is.
template <class Integer, class Float>
constexpr bool in_range_of(Float value) noexcept {
    constexpr Float beyond = one_past<Integer, Float>();
    return value < beyond && value >= (std::is_signed_v<Integer> ? -beyond : Float{0});
}

/// A number in as many digits as tell it from all others.
template <class T>
HANABI_COLD std::string number_text(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        char digits[64];
        std::snprintf(digits, sizeof digits, "%.*Lg", std::numeric_limits<T>::max_digits10, static_cast<long double>(value));
        return digits;
    } else
        return std::to_string(value);
}

template <class T>
[[noreturn]] HANABI_COLD void refuse_to_narrow(T value, const char* why) {
    raise(errc::value_out_of_range, "hanabi::narrow: " + number_text(value) + why);
}

} // namespace detail

/// The same number as a To, for parameters that an argument would otherwise lose values in: `narrow<int>(v.size())`.
/// Between integers, and from floating point to integer, the value must be the same; between floating-point types it is
/// rounded, and must not become infinite; from integer to floating point it must be the same. bool is no number.
/// Error: errc::value_out_of_range naming the value. Any thread.
template <class To, class From>
constexpr To narrow(From value) {
    static_assert(std::is_arithmetic_v<To> && std::is_arithmetic_v<From>, "hanabi::narrow converts between numbers");
    static_assert(!std::is_same_v<To, bool> && !std::is_same_v<From, bool>, "hanabi::narrow: bool is no number");
    if constexpr (std::is_floating_point_v<To> && std::is_floating_point_v<From>) {
        const To result = static_cast<To>(value);
        const bool was_finite = value - value == From{0}, is_finite = result - result == To{0};
        if (was_finite && !is_finite) detail::refuse_to_narrow(value, " is beyond the largest number of the floating-point type");
        return result;
    } else if constexpr (std::is_floating_point_v<From>) {
        if (!detail::in_range_of<To>(value)) detail::refuse_to_narrow(value, " is out of the integer type's range");
        const To result = static_cast<To>(value);
        if (static_cast<From>(result) != value) detail::refuse_to_narrow(value, " has a fraction, which no integer has");
        return result;
    } else if constexpr (std::is_floating_point_v<To>) {
        const To result = static_cast<To>(value);
        // The rounded result can be one past the largest integer, so the way back has to be looked at first.
        if (!detail::in_range_of<From>(result) || static_cast<From>(result) != value)
            detail::refuse_to_narrow(value, " has more digits than the floating-point type");
        return result;
    } else {
        const To result = static_cast<To>(value);
        if (static_cast<From>(result) != value || (result < To{}) != (value < From{}))
            detail::refuse_to_narrow(value, sizeof(To) == 1   ? " does not fit the integer type, of 1 byte"
                                            : sizeof(To) == 2 ? " does not fit the integer type, of 2 bytes"
                                            : sizeof(To) == 4 ? " does not fit the integer type, of 4 bytes"
                                                              : " does not fit the integer type, of 8 bytes");
        return result;
    }
}

} // namespace hanabi

#endif
