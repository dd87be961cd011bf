// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The small floating-point formats as numbers: binary16, bfloat16, tf32, and the 8-bit ones. A value goes through double,
/// which holds all of them exactly, and is rounded once.

#ifndef HANABI_HOST_PTX_SMALL_FLOAT_HPP
#define HANABI_HOST_PTX_SMALL_FLOAT_HPP

#include <hanabi/host/ptx/lanewise.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hanabi::host::ptx {

/// The value that a binary16 pattern means. Without branches, so that loops over it are vectorised.
HANABI_PTX_FORCE float half_value(std::uint16_t h) noexcept {
    const std::uint32_t magnitude = static_cast<std::uint32_t>(h & 0x7fffu) << 13;
    const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
    const std::uint32_t bits = magnitude >= 0x0f800000u ? (magnitude | 0x7f800000u) : std::bit_cast<std::uint32_t>(scaled);
    return std::bit_cast<float>(bits | sign);
}

HANABI_PTX_FORCE float bfloat_value(std::uint16_t h) noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(h) << 16); }

/// What a format has beside numbers: infinities and NaNs as IEEE 754 has them, a single NaN at the top, or nothing.
enum class beyond : std::uint8_t { everything, one_nan, nothing };

/// A format of `exponent` and `fraction` bits.
template <int Exponent, int Fraction, beyond Beyond = beyond::everything>
struct float_format {
    static constexpr bool Finite = Beyond != beyond::everything;
    static constexpr int bias = (1 << (Exponent - 1)) - 1;
    static constexpr std::uint32_t sign_bit = 1u << (Exponent + Fraction);
    /// Where there is none: the largest number, which is what a conversion makes of a NaN.
    static constexpr std::uint32_t nan = Finite ? sign_bit - 1 : ((1u << Exponent) - 1) << Fraction | ((1u << Fraction) - 1);
    static constexpr std::uint32_t infinity = ((1u << Exponent) - 1) << Fraction;
    static constexpr std::uint32_t largest = Beyond == beyond::nothing   ? sign_bit - 1
                                             : Beyond == beyond::one_nan ? sign_bit - 2
                                                                         : infinity - 1;

    /// Rounds a double once; NaN becomes the one canonical pattern without sign. `random` of rounding::rs: what is added to
    /// the magnitude before it is cut, in units of the last bit.
    static std::uint32_t round(double value, rounding how, bool saturate = false, double random = 0) noexcept {
        if (value != value) return nan;
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const std::uint32_t sign = (bits >> 63) != 0 ? sign_bit : 0;
        const double magnitude = std::fabs(value);
        if (magnitude == 0) return sign;
        if (std::isinf(magnitude)) return sign | (saturate || Finite ? (Finite && !saturate ? nan : largest) : infinity);
        int exponent = 0;
        std::frexp(magnitude, &exponent);
        --exponent; // magnitude = 1.f * 2^exponent
        const int lowest = 1 - bias;
        const int scale = (exponent < lowest ? lowest : exponent) - Fraction; // value of the last bit
        const double units = std::ldexp(magnitude, -scale);                   // exact
        double whole = std::floor(units);
        const double rest = units - whole;
        bool up = false;
        switch (how) {
        case rounding::rz: break;
        case rounding::rm: up = sign != 0 && rest != 0; break;
        case rounding::rp: up = sign == 0 && rest != 0; break;
        case rounding::rna: up = rest >= 0.5; break;
        case rounding::rs: up = rest + random >= 1; break;
        default: up = rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0); break;
        }
        if (up) whole += 1;
        const auto count = static_cast<std::uint64_t>(whole);
        std::uint64_t pattern = 0;
        if (exponent < lowest)
            pattern = count; // a carry into the exponent is right as it stands
        else
            pattern = (static_cast<std::uint64_t>(exponent + bias) << Fraction) + (count - (std::uint64_t{1} << Fraction));
        if (pattern > largest) {
            const bool away = how == rounding::rn || how == rounding::rna || how == rounding::rs || how == rounding::none ||
                              (how == rounding::rm && sign != 0) || (how == rounding::rp && sign == 0);
            if (saturate || !away) return sign | largest;
            return Finite ? sign | nan : sign | infinity;
        }
        return sign | static_cast<std::uint32_t>(pattern);
    }

    static double value(std::uint32_t bits) noexcept {
        const std::uint32_t magnitude = bits & (sign_bit - 1);
        const double sign = (bits & sign_bit) != 0 ? -1.0 : 1.0;
        const auto exponent = static_cast<int>(magnitude >> Fraction);
        const std::uint32_t fraction = magnitude & ((1u << Fraction) - 1);
        if (Beyond == beyond::nothing) {
            // numbers only
        } else if (Finite ? magnitude == nan : magnitude > infinity)
            return std::numeric_limits<double>::quiet_NaN();
        if (!Finite && magnitude == infinity) return sign * std::numeric_limits<double>::infinity();
        if (exponent == 0) return sign * std::ldexp(static_cast<double>(fraction), 1 - bias - Fraction);
        return sign * std::ldexp(static_cast<double>(fraction | 1u << Fraction), exponent - bias - Fraction);
    }
};

using half_format = float_format<5, 10>;
using bfloat_format = float_format<8, 7>;
using tf32_format = float_format<8, 10>;
using e4m3_format = float_format<4, 3, beyond::one_nan>;
using e5m2_format = float_format<5, 2>;
using e2m3_format = float_format<2, 3, beyond::nothing>;
using e3m2_format = float_format<3, 2, beyond::nothing>;
using e2m1_format = float_format<2, 1, beyond::nothing>;

/// ue8m0: a power of two without sign, 2^(bits - 127); 255 is a NaN.
inline double power_value(std::uint32_t bits) noexcept {
    return bits == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(bits) - 127);
}
/// Rounds the magnitude to a power of two: up, or toward zero. What is too large becomes the NaN, or (`saturate`) 2^127.
inline std::uint32_t to_power(double value, rounding how, bool saturate) noexcept {
    if (value != value) return 0xff;
    const double magnitude = std::fabs(value);
    if (magnitude == 0) return 0;
    if (std::isinf(magnitude)) return saturate ? 0xfe : 0xff;
    int exponent = 0;
    const double part = std::frexp(magnitude, &exponent); // 0.5 <= part < 1
    --exponent;
    if (how == rounding::rp && part != 0.5) ++exponent;
    if (exponent > 127) return saturate ? 0xfe : 0xff;
    return exponent < -127 ? 0 : static_cast<std::uint32_t>(exponent + 127);
}

inline std::uint16_t to_half(double v, rounding how = rounding::rn, bool saturate = false) noexcept {
    return static_cast<std::uint16_t>(half_format::round(v, how, saturate));
}
inline std::uint16_t to_bfloat(double v, rounding how = rounding::rn, bool saturate = false) noexcept {
    return static_cast<std::uint16_t>(bfloat_format::round(v, how, saturate));
}
/// A float with the precision of tf32.
inline float to_tf32(float v, rounding how) noexcept {
    if (v != v) return std::bit_cast<float>(0x7fffffffu);
    return std::bit_cast<float>(tf32_format::round(static_cast<double>(v), how) << 13);
}

/// a + b rounded to odd: rounding the result again to fewer than 52 bits gives what rounding the exact sum would.
inline double add_odd(double a, double b) noexcept {
    const double sum = a + b;
    if (!std::isfinite(sum)) return sum;
    const double part = sum - a;
    const double error = (a - (sum - part)) + (b - part);
    if (error == 0) return sum;
    auto bits = std::bit_cast<std::uint64_t>(sum);
    if ((bits & 1) == 0) bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1; // next to it, on the side of the exact sum
    return std::bit_cast<double>(bits);
}

} // namespace hanabi::host::ptx

#endif
