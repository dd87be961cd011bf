// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// cvt: PTX manual, "Data Movement and Conversion Instructions: cvt". One handler knows all pairs of types; the frequent
/// ones have loops of their own.

#ifndef HANABI_HOST_PTX_CONVERT_HPP
#define HANABI_HOST_PTX_CONVERT_HPP

#include <hanabi/host/ptx/floating.hpp>
#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/lanewise.hpp>
#include <hanabi/host/ptx/small_float.hpp>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hanabi::host::ptx {

namespace convert_detail {

/// What instruction::count holds for a cvt; `option` is the type of the source, `kind_of` that of the result, `size` and
/// `width` are the registers' bytes.
enum : std::uint8_t { flush = 1, saturate = 2, relu = 4, finite = 8 };

/// The integer that a register's bits mean under a type.
inline std::int64_t integer_of(std::uint64_t bits, type t) noexcept {
    switch (t) {
    case type::u8:
    case type::b8: return static_cast<std::uint8_t>(bits);
    case type::s8: return static_cast<std::int8_t>(bits);
    case type::u16:
    case type::b16: return static_cast<std::uint16_t>(bits);
    case type::s16: return static_cast<std::int16_t>(bits);
    case type::u32:
    case type::b32: return static_cast<std::uint32_t>(bits);
    case type::s32: return static_cast<std::int32_t>(bits);
    default: return static_cast<std::int64_t>(bits);
    }
}
inline double float_of(std::uint64_t bits, type t, bool ftz) noexcept {
    switch (t) {
    case type::f16: return static_cast<double>(half_value(static_cast<std::uint16_t>(bits)));
    case type::bf16: return static_cast<double>(bfloat_value(static_cast<std::uint16_t>(bits)));
    case type::f64: return std::bit_cast<double>(bits);
    case type::e4m3: return e4m3_format::value(static_cast<std::uint32_t>(bits & 0xff));
    case type::e5m2: return e5m2_format::value(static_cast<std::uint32_t>(bits & 0xff));
    case type::e2m3: return e2m3_format::value(static_cast<std::uint32_t>(bits & 0x3f));
    case type::e3m2: return e3m2_format::value(static_cast<std::uint32_t>(bits & 0x3f));
    case type::e2m1: return e2m1_format::value(static_cast<std::uint32_t>(bits & 0xf));
    case type::ue8m0: return power_value(static_cast<std::uint32_t>(bits & 0xff));
    default: {
        const float v = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        return static_cast<double>(ftz ? floating_detail::flushed<true>(v) : v);
    }
    }
}
/// A double that rounds to a narrow format as the integer does.
inline double sticky(std::int64_t v, bool is_unsigned) noexcept {
    const bool negative = !is_unsigned && v < 0;
    std::uint64_t m = negative ? ~static_cast<std::uint64_t>(v) + 1 : static_cast<std::uint64_t>(v);
    if (m >> 52 != 0) m = (m >> 12 << 12) | ((m & 0xfff) != 0 ? 0x800 : 0);
    const double d = static_cast<double>(m);
    return negative ? -d : d;
}
inline double to_whole(double v, rounding how) noexcept {
    switch (how) {
    case rounding::rni: return std::nearbyint(v);
    case rounding::rzi: return std::trunc(v);
    case rounding::rmi: return std::floor(v);
    case rounding::rpi: return std::ceil(v);
    default: return v;
    }
}
struct limits_of {
    std::int64_t lowest;
    std::uint64_t highest;
};
inline limits_of bounds(type t) noexcept {
    const unsigned bits = 8 * size_of(t);
    if (is_signed(t)) return {std::numeric_limits<std::int64_t>::min() >> (64 - bits), ~std::uint64_t{0} >> (65 - bits)};
    return {0, ~std::uint64_t{0} >> (64 - bits)};
}
inline std::uint64_t whole_of(double v, type from, type to) noexcept {
    const limits_of b = bounds(to);
    if (v != v) { // the highest bit alone; of narrower numbers zero
        if (size_of(to) < 8 && from != type::f64) return 0;
        return is_signed(to) ? static_cast<std::uint64_t>(b.lowest) : std::uint64_t{1} << (8 * size_of(to) - 1);
    }
    if (v <= static_cast<double>(b.lowest)) return static_cast<std::uint64_t>(b.lowest);
    if (v >= static_cast<double>(b.highest)) return b.highest;
    return v < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(v)) : static_cast<std::uint64_t>(v);
}
inline std::uint64_t pattern_of(double v, type to, const instruction& in, double random = 0) noexcept {
    const rounding how = in.round == rounding::none || in.round > rounding::rs ? rounding::rn : in.round;
    const bool sat = (in.count & saturate) != 0, bounded = (in.count & finite) != 0;
    if ((in.count & relu) != 0 && v < 0) v = 0.0;
    if ((in.count & relu) != 0 && v == 0) v = 0.0;
    const auto unit = [&](double x) { return x > 0 ? std::fmin(x, 1.0) : 0.0; };
    switch (to) {
    case type::f16: return half_format::round(sat ? unit(v) : v, how, bounded, random);
    case type::bf16: return bfloat_format::round(sat ? unit(v) : v, how, bounded, random);
    case type::tf32: {
        if (v != v) return 0x7fffffffu;
        return static_cast<std::uint64_t>(tf32_format::round(v, how, bounded)) << 13;
    }
    case type::f64: return std::bit_cast<std::uint64_t>(sat ? unit(v) : v);
    case type::e4m3: return e4m3_format::round(v, how, true, random);
    case type::e5m2: return e5m2_format::round(v, how, true, random);
    case type::e2m3: return e2m3_format::round(v, how, true, random);
    case type::e3m2: return e3m2_format::round(v, how, true, random);
    case type::e2m1: return e2m1_format::round(v, how, true, random);
    case type::ue8m0: return to_power(v, how, bounded);
    default: {
        const float narrow = floating_detail::canonical(static_cast<float>(sat ? unit(v) : v)); // in the mode that is set
        return std::bit_cast<std::uint32_t>((in.count & flush) != 0 ? floating_detail::flushed<true>(narrow) : narrow);
    }
    }
}

/// A NaN goes through the rounding as any number does, as on a GPU: one with a small payload becomes infinity.
inline std::uint64_t nan_as_tf32(std::uint64_t bits) noexcept {
    const std::uint64_t rounded = (bits + 0x1000) & 0xffffe000u;
    return (rounded & 0x80000000u) == (bits & 0x80000000u) ? rounded : 0x7fffffffu;
}

inline void any(context& c, const instruction& in, std::uint32_t mask) {
    const type from = static_cast<type>(in.option), to = in.kind_of;
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t bits = wide_value(c, in.a, in.size, i);
        std::uint64_t out = 0;
        if (is_float(from)) {
            double v = float_of(bits, from, (in.count & flush) != 0);
            if (is_integer(to))
                out = whole_of(to_whole(v, in.round), from, to);
            else {
                v = to_whole(v, in.round);
                out = v == v || (in.count & saturate) != 0    ? pattern_of(v, to, in)
                      : from == type::f64 && to == type::f16  ? 0x7e00
                      : from == type::f64 && to == type::bf16 ? 0x7fc0
                      : from == type::f32 && to == type::tf32 ? nan_as_tf32(bits)
                                                              : pattern_of(v, to, in);
            }
        } else {
            const std::int64_t v = integer_of(bits, from);
            if (is_float(to)) {
                if (v == 0)
                    out = 0; // rounding down, what clang makes of the conversions below gives -0
                else if (to == type::f32)
                    out = std::bit_cast<std::uint32_t>(from == type::u64 ? static_cast<float>(static_cast<std::uint64_t>(v))
                                                                         : static_cast<float>(v));
                else if (to == type::f64)
                    out = std::bit_cast<std::uint64_t>(from == type::u64 ? static_cast<double>(static_cast<std::uint64_t>(v))
                                                                         : static_cast<double>(v));
                else
                    out = pattern_of(sticky(v, from == type::u64), to, in);
                if ((in.count & saturate) != 0 && (to == type::f32 || to == type::f64)) {
                    const bool positive = v > 0 || (from == type::u64 && v != 0);
                    out = !positive ? 0 : to == type::f32 ? 0x3f800000u : std::bit_cast<std::uint64_t>(1.0);
                }
            } else {
                out = static_cast<std::uint64_t>(v);
                if ((in.count & saturate) != 0) {
                    const limits_of b = bounds(to);
                    if (from != type::u64 && v < b.lowest)
                        out = static_cast<std::uint64_t>(b.lowest);
                    else if ((from == type::u64 || v > 0) && static_cast<std::uint64_t>(v) > b.highest)
                        out = b.highest;
                }
            }
        }
        if (is_integer(to)) out = static_cast<std::uint64_t>(integer_of(out, to)); // extended to the register as the type says
        set_value(c, in.d, in.width, i, out);
    });
}

/// Bits from one element of a packed register to the next.
inline unsigned distance_of(type element) noexcept { return element == type::e2m1 ? 4 : bits_of(element); }

/// Two operands into a pair: the first is the upper half.
inline void pack_pair(context& c, const instruction& in, std::uint32_t mask) {
    const type from = static_cast<type>(in.option), to = element_of(in.kind_of);
    const unsigned shift = distance_of(to);
    each_lane(mask, [&](unsigned i) {
        const double high = float_of(wide_value(c, in.a, in.size, i), from, (in.count & flush) != 0);
        const double low = float_of(wide_value(c, in.b, in.size, i), from, (in.count & flush) != 0);
        double random_high = 0, random_low = 0;
        if (in.round == rounding::rs) { // f16 takes the 13 bits that an f32 loses, bf16 all 16
            const std::uint32_t bits = c.at<std::uint32_t>(in.c)[i];
            const std::uint32_t used = to == type::f16 ? 0x1fff : 0xffff;
            random_high = (bits >> 16 & used) / static_cast<double>(used + 1);
            random_low = (bits & used) / static_cast<double>(used + 1);
        }
        set_value(c, in.d, in.width, i, pattern_of(low, to, in, random_low) | pattern_of(high, to, in, random_high) << shift);
    });
}
/// Four f32, in the side table, into the parts of a register; the first is the uppermost. Each two share 16 random bits.
inline void pack_four(context& c, const instruction& in, std::uint32_t mask) {
    const type to = element_of(in.kind_of);
    const unsigned shift = distance_of(to);
    each_lane(mask, [&](unsigned i) {
        const std::uint32_t bits = c.at<std::uint32_t>(in.c)[i];
        const bool bytes = to == type::e2m1; // the halves' upper bytes go together, and the lower ones
        const std::uint32_t first = bytes ? (bits >> 16 & 0xff00) | (bits >> 8 & 0xff) : bits >> 16;
        const std::uint32_t second = bytes ? (bits >> 8 & 0xff00) | (bits & 0xff) : bits & 0xffff;
        std::uint64_t out = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const float v = c.at<float>(c.l->code->extra[in.target + k])[i];
            out |= pattern_of(static_cast<double>(v), to, in, (k < 2 ? first : second) / 65536.0) << (shift * (3 - k));
        }
        set_value(c, in.d, in.width, i, out);
    });
}
/// A pair into a pair.
inline void pair_to_pair(context& c, const instruction& in, std::uint32_t mask) {
    const type from = element_of(static_cast<type>(in.option)), to = element_of(in.kind_of);
    const unsigned in_shift = distance_of(from), out_shift = distance_of(to);
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t bits = wide_value(c, in.a, in.size, i);
        const std::uint64_t low = pattern_of(float_of(bits & ((1u << in_shift) - 1), from, false), to, in);
        const std::uint64_t high = pattern_of(float_of(bits >> in_shift, from, false), to, in);
        set_value(c, in.d, in.width, i, low | high << out_shift);
    });
}
/// cvt.pack: two integers saturated, in front of the third operand's bits.
inline void pack_integers(context& c, const instruction& in, std::uint32_t mask) {
    const type to = in.kind_of;
    const unsigned bits = bits_of(to);
    each_lane(mask, [&](unsigned i) {
        const auto clamp = [&](std::uint32_t v) {
            std::int64_t lowest = 0, highest = (std::int64_t{1} << bits) - 1;
            if (is_signed(to)) {
                lowest = -(std::int64_t{1} << (bits - 1));
                highest = (std::int64_t{1} << (bits - 1)) - 1;
            }
            return static_cast<std::uint32_t>(std::clamp<std::int64_t>(static_cast<std::int32_t>(v), lowest, highest)) &
                   static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
        };
        const std::uint32_t a = clamp(c.at<std::uint32_t>(in.a)[i]), b = clamp(c.at<std::uint32_t>(in.b)[i]);
        const std::uint32_t rest = in.c.given() ? c.at<std::uint32_t>(in.c)[i] : 0;
        const std::uint64_t packed = static_cast<std::uint64_t>(rest) << (2 * bits) | static_cast<std::uint64_t>(a) << bits | b;
        c.at<std::uint32_t>(in.d)[i] = static_cast<std::uint32_t>(packed);
    });
}

template <class F>
handler by_integer(type t, F f) {
    switch (t) {
    case type::u16: return f(std::uint16_t{});
    case type::s16: return f(std::int16_t{});
    case type::u32: return f(std::uint32_t{});
    case type::s32: return f(std::int32_t{});
    case type::u64: return f(std::uint64_t{});
    case type::s64: return f(std::int64_t{});
    default: return nullptr;
    }
}

/// float to 32-bit integer, rounding toward zero: what C++ casts become.
template <class F, class I>
HANABI_PTX_FORCE I truncated(F v) {
    constexpr F lowest = static_cast<F>(std::numeric_limits<I>::min()), highest = static_cast<F>(std::numeric_limits<I>::max());
    if (v != v) return sizeof(F) == 8 ? static_cast<I>(0x80000000u) : I{0};
    if (v <= lowest) return std::numeric_limits<I>::min();
    if (v >= highest) return std::numeric_limits<I>::max();
    return static_cast<I>(v);
}

/// A loop of its own for the pair, if there is one.
inline handler fast(const form& f) {
    const type to = f.of(0), from = f.of(1);
    using lanewise::unary;
    if (f.sat || f.has("relu")) return nullptr;
    if (is_integer(to) && is_integer(from)) { // the sign counts only where it is extended
        const unsigned n = size_of(from), m = size_of(to);
        if (n < 2 || m < 2) return nullptr;
        const bool sign = is_signed(from) && m > n;
        if (m == 2) {
            if (n == 2) return unary<std::uint16_t>([](std::uint16_t v) { return v; });
            if (n == 4) return unary<std::uint16_t, std::uint32_t>([](std::uint32_t v) { return v; });
            return unary<std::uint16_t, std::uint64_t>([](std::uint64_t v) { return v; });
        }
        if (m == 4) {
            if (n == 2)
                return sign ? unary<std::int32_t, std::int16_t>([](std::int16_t v) { return v; })
                            : unary<std::uint32_t, std::uint16_t>([](std::uint16_t v) { return v; });
            if (n == 4) return unary<std::uint32_t>([](std::uint32_t v) { return v; });
            return unary<std::uint32_t, std::uint64_t>([](std::uint64_t v) { return v; });
        }
        if (n == 2)
            return sign ? unary<std::int64_t, std::int16_t>([](std::int16_t v) { return v; })
                        : unary<std::uint64_t, std::uint16_t>([](std::uint16_t v) { return v; });
        if (n == 4)
            return sign ? unary<std::int64_t, std::int32_t>([](std::int32_t v) { return v; })
                        : unary<std::uint64_t, std::uint32_t>([](std::uint32_t v) { return v; });
        return unary<std::uint64_t>([](std::uint64_t v) { return v; });
    }
    if (f.ftz) return nullptr;
    if (is_integer(from) && (to == type::f32 || to == type::f64) && f.round <= rounding::rn)
        return by_integer(from, [&](auto a) -> handler {
            using A = decltype(a);
            if (to == type::f32) return unary<float, A>([](A v) { return static_cast<float>(v); });
            return unary<double, A>([](A v) { return static_cast<double>(v); });
        });
    if (f.round == rounding::rzi && (from == type::f32 || from == type::f64) && (to == type::s32 || to == type::u32)) {
        if (from == type::f32)
            return to == type::s32 ? unary<std::int32_t, float>([](float v) { return truncated<float, std::int32_t>(v); })
                                   : unary<std::uint32_t, float>([](float v) { return truncated<float, std::uint32_t>(v); });
        return to == type::s32 ? unary<std::int32_t, double>([](double v) { return truncated<double, std::int32_t>(v); })
                               : unary<std::uint32_t, double>([](double v) { return truncated<double, std::uint32_t>(v); });
    }
    if (from == type::f32 && to == type::f64) return unary<double, float>([](float v) { return static_cast<double>(v); });
    if (from == type::f64 && to == type::f32 && f.round <= rounding::rn)
        return unary<float, double>([](double v) { return floating_detail::canonical(static_cast<float>(v)); });
    if (from == type::f16 && to == type::f32)
        return unary<float, std::uint16_t>([](std::uint16_t v) { return floating_detail::canonical(half_value(v)); });
    return nullptr;
}

} // namespace convert_detail

/// What goes into instruction::count for a cvt.
inline std::uint8_t convert_options(const form& f) noexcept {
    using namespace convert_detail;
    return static_cast<std::uint8_t>((f.ftz ? flush : 0) | (f.sat ? saturate : 0) | (f.has("relu") ? relu : 0) |
                                     (f.has("satfinite") ? finite : 0));
}

} // namespace hanabi::host::ptx

#endif
