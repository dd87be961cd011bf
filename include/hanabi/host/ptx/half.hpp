// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Arithmetic of f16, bf16 and their pairs, lane by lane: PTX manual, "Half Precision Floating Point Instructions". Each
/// result is rounded once.

#ifndef HANABI_HOST_PTX_HALF_HPP
#define HANABI_HOST_PTX_HALF_HPP

#include <hanabi/host/ptx/floating.hpp>
#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/lanewise.hpp>
#include <hanabi/host/ptx/small_float.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hanabi::host::ptx {

namespace half_detail {

enum class act : std::uint8_t { add, sub, mul, fma, min, max, neg, abs, tanh, ex2 };

/// Modifiers, in instruction::option.
enum : std::uint8_t { flush = 1, saturate = 2, relu = 4, nan_wins = 8, xorsign = 16 };

template <bool Brain>
double value(std::uint16_t h, bool ftz) noexcept {
    if (ftz && (h & (Brain ? 0x7f80 : 0x7c00)) == 0) h &= 0x8000;
    return static_cast<double>(Brain ? bfloat_value(h) : half_value(h));
}
template <bool Brain>
std::uint16_t pattern(double v, std::uint8_t options) noexcept {
    if ((options & saturate) != 0) v = v > 0 ? std::fmin(v, 1.0) : 0.0;
    if ((options & relu) != 0 && v == v) v = v > 0 ? v : 0.0;
    std::uint16_t h = Brain ? to_bfloat(v) : to_half(v);
    if ((options & flush) != 0 && (h & (Brain ? 0x7f80 : 0x7c00)) == 0) h &= 0x8000;
    return h;
}

template <bool Brain, act What>
std::uint16_t apply(std::uint16_t x, std::uint16_t y, std::uint16_t z, std::uint8_t options) noexcept {
    const bool ftz = (options & flush) != 0;
    if constexpr (What == act::neg || What == act::abs) {
        if (ftz && (x & (Brain ? 0x7f80 : 0x7c00)) == 0) x &= 0x8000;
        if ((x & 0x7fff) > (Brain ? 0x7f80 : 0x7c00)) return 0x7fff; // a NaN is the one NaN, as a GPU has it
        return static_cast<std::uint16_t>(What == act::neg ? x ^ 0x8000 : x & 0x7fff);
    }
    const double a = value<Brain>(x, ftz), b = value<Brain>(y, ftz), c = value<Brain>(z, ftz);
    switch (What) {
    case act::add: return pattern<Brain>(add_odd(a, b), options);
    case act::sub: return pattern<Brain>(add_odd(a, -b), options);
    case act::mul: return pattern<Brain>(a * b, options);
    case act::fma: return pattern<Brain>(add_odd(a * b, c), options);
    case act::tanh: return pattern<Brain>(std::tanh(a), options);
    case act::ex2: return pattern<Brain>(std::exp2(a), options);
    default: {
        double r = 0, p = a, q = b;
        if ((options & xorsign) != 0) {
            p = std::fabs(a);
            q = std::fabs(b);
        }
        if ((options & nan_wins) != 0 && (a != a || b != b))
            r = std::numeric_limits<double>::quiet_NaN();
        else
            r = What == act::min ? floating_detail::min_op::of(p, q) : floating_detail::max_op::of(p, q);
        if ((options & xorsign) != 0 && r == r) r = std::copysign(r, std::signbit(a) != std::signbit(b) ? -1.0 : 1.0);
        return pattern<Brain>(r, options);
    }
    }
}

template <bool Brain, act What>
struct scalar_body {
    static void run(context& c, const instruction& in, std::uint32_t mask) {
        const std::uint16_t* const a = c.at<std::uint16_t>(in.a);
        const std::uint16_t* const b = in.b.given() ? c.at<std::uint16_t>(in.b) : a;
        const std::uint16_t* const third = in.c.given() ? c.at<std::uint16_t>(in.c) : a;
        std::uint16_t* const d = c.at<std::uint16_t>(in.d);
        each_lane(mask, [&](unsigned i) { d[i] = apply<Brain, What>(a[i], b[i], third[i], in.option); });
    }
};
template <bool Brain, act What>
struct packed_body {
    static void run(context& c, const instruction& in, std::uint32_t mask) {
        const std::uint32_t* const a = c.at<std::uint32_t>(in.a);
        const std::uint32_t* const b = in.b.given() ? c.at<std::uint32_t>(in.b) : a;
        const std::uint32_t* const third = in.c.given() ? c.at<std::uint32_t>(in.c) : a;
        std::uint32_t* const d = c.at<std::uint32_t>(in.d);
        each_lane(mask, [&](unsigned i) {
            const auto half = [](std::uint32_t v, unsigned which) { return static_cast<std::uint16_t>(v >> (16 * which)); };
            const std::uint32_t low = apply<Brain, What>(half(a[i], 0), half(b[i], 0), half(third[i], 0), in.option);
            const std::uint32_t high = apply<Brain, What>(half(a[i], 1), half(b[i], 1), half(third[i], 1), in.option);
            d[i] = low | high << 16;
        });
    }
};

template <act What>
handler pick(type t) noexcept {
    switch (t) {
    case type::f16: return &scalar_body<false, What>::run;
    case type::bf16: return &scalar_body<true, What>::run;
    case type::f16x2: return &packed_body<false, What>::run;
    default: return &packed_body<true, What>::run;
    }
}

} // namespace half_detail

/// What goes into instruction::option for an instruction on halves.
inline std::uint8_t half_options(const form& f) noexcept {
    using namespace half_detail;
    return static_cast<std::uint8_t>((f.ftz ? flush : 0) | (f.sat ? saturate : 0) | (f.has("relu") ? relu : 0) |
                                     (f.has("NaN") ? nan_wins : 0) | (f.has("xorsign") ? xorsign : 0));
}

/// The handler of an instruction on f16, bf16 or their pairs; none for others.
inline chosen pick_half(const form& f) {
    using half_detail::act;
    using half_detail::pick;
    const type t = f.of();
    if (f.types.size() != 1 || (t != type::f16 && t != type::bf16 && t != type::f16x2 && t != type::bf16x2)) return {};
    if (f.op == "add") return same(pick<act::add>(t), t, 2);
    if (f.op == "sub") return same(pick<act::sub>(t), t, 2);
    if (f.op == "mul") return same(pick<act::mul>(t), t, 2);
    if (f.op == "fma") return same(pick<act::fma>(t), t, 3);
    if (f.op == "min") return same(pick<act::min>(t), t, 2);
    if (f.op == "max") return same(pick<act::max>(t), t, 2);
    if (f.op == "neg") return same(pick<act::neg>(t), t, 1);
    if (f.op == "abs") return same(pick<act::abs>(t), t, 1);
    if (f.op == "tanh") return same(pick<act::tanh>(t), t, 1);
    if (f.op == "ex2") return same(pick<act::ex2>(t), t, 1);
    return {};
}

} // namespace hanabi::host::ptx

#endif
