// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// narrow: the checked way down to a narrower number.

#ifndef HANABI_NARROW_HPP
#define HANABI_NARROW_HPP

#include <hanabi/error.hpp>

#include <string>
#include <type_traits>

namespace hanabi {

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
        if (was_finite && !is_finite) detail::raise(errc::value_out_of_range, "hanabi::narrow: " + std::to_string(value) + " is beyond the largest number of the type");
        return result;
    } else if constexpr (std::is_floating_point_v<From>) {
        // The bounds as From: one past the largest To is a power of two, so both are exact.
        constexpr int digits = static_cast<int>(sizeof(To) * 8) - (std::is_signed_v<To> ? 1 : 0);
        From beyond{1};
        for (int i = 0; i < digits; ++i) beyond *= 2;
        const From least = std::is_signed_v<To> ? -beyond : From{0};
        if (!(value >= least && value < beyond) || static_cast<From>(static_cast<To>(value)) != value)
            detail::raise(errc::value_out_of_range, "hanabi::narrow: " + std::to_string(value) + " is no value of the integer type");
        return static_cast<To>(value);
    } else if constexpr (std::is_floating_point_v<To>) {
        const To result = static_cast<To>(value);
        // Back by way of the widest integers would overflow at the top: compare as numbers of the wider kind instead.
        if (static_cast<long double>(result) != static_cast<long double>(value))
            detail::raise(errc::value_out_of_range, "hanabi::narrow: " + std::to_string(value) + " has more digits than the floating-point type");
        return result;
    } else {
        const To result = static_cast<To>(value);
        if (static_cast<From>(result) != value || (result < To{}) != (value < From{}))
            detail::raise(errc::value_out_of_range, "hanabi::narrow: " + std::to_string(value) + " does not fit the integer type, of " + std::to_string(sizeof(To)) + " bytes");
        return result;
    }
}

} // namespace hanabi

#endif
