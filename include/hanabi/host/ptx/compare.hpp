// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// setp and set: PTX manual, "Comparison and Select Instructions".

#ifndef HANABI_HOST_PTX_COMPARE_HPP
#define HANABI_HOST_PTX_COMPARE_HPP

#include <hanabi/host/ptx/floating.hpp>
#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/lanewise.hpp>
#include <hanabi/host/ptx/small_float.hpp>

#include <bit>
#include <cstdint>

namespace hanabi::host::ptx {

namespace compare_detail {

/// instruction::option: how the result is combined with the predicate c; `inverted`: the comparison is the opposite of the
/// handler's; `brain`: pairs are bf16; `flush`: subnormals of pairs count as zeros.
enum : std::uint8_t { with_and = 1, with_or = 2, with_xor = 3, how = 3, inverted = 4, brain = 8, flush = 16 };

template <comparison C, class T>
HANABI_PTX_FORCE bool compared(T a, T b) {
    switch (C) {
    case comparison::eq: return a == b;
    case comparison::ne: return a < b || a > b; // ordered: false for NaN
    case comparison::lt:
    case comparison::lo: return a < b;
    case comparison::le:
    case comparison::ls: return a <= b;
    case comparison::gt:
    case comparison::hi: return a > b;
    case comparison::ge:
    case comparison::hs: return a >= b;
    case comparison::equ: return !(a < b || a > b);
    case comparison::neu: return !(a == b);
    case comparison::ltu: return !(a >= b);
    case comparison::leu: return !(a > b);
    case comparison::gtu: return !(a <= b);
    case comparison::geu: return !(a < b);
    case comparison::num: return a == a && b == b;
    default: return a != a || b != b;
    }
}

/// Reads operands of a type as values that C++ compares.
template <class T, bool Ftz>
struct as_is {
    using stored = T;
    HANABI_PTX_FORCE static T of(T v) {
        if constexpr (std::is_floating_point_v<T>)
            return floating_detail::flushed<Ftz>(v);
        else
            return v;
    }
};
template <bool Ftz>
struct as_half {
    using stored = std::uint16_t;
    HANABI_PTX_FORCE static float of(std::uint16_t v) {
        if constexpr (Ftz) return half_value(static_cast<std::uint16_t>((v & 0x7c00) == 0 ? v & 0x8000 : v));
        return half_value(v);
    }
};
struct as_bfloat {
    using stored = std::uint16_t;
    HANABI_PTX_FORCE static float of(std::uint16_t v) { return bfloat_value(v); }
};

HANABI_PTX_FORCE std::uint32_t combined(const context& c, const instruction& in, std::uint32_t bits) {
    if ((in.option & how) == 0) return bits;
    const std::uint32_t given = c.predicate(in.c);
    switch (in.option & how) {
    case with_and: return bits & given;
    case with_or: return bits | given;
    default: return bits ^ given;
    }
}

template <class Read, comparison C>
struct bits_of {
    HANABI_PTX_FORCE static std::uint32_t run(const context& c, const instruction& in) {
        const typename Read::stored* const a = c.at<typename Read::stored>(in.a);
        const typename Read::stored* const b = c.at<typename Read::stored>(in.b);
        return gather_bits([&](unsigned i) { return compared<C>(Read::of(a[i]), Read::of(b[i])); });
    }
};

template <class Read, comparison C>
struct setp_body {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        std::uint32_t bits = bits_of<Read, C>::run(c, in);
        if ((in.option & inverted) != 0) bits = ~bits;
        const std::uint32_t first = combined(c, in, bits), second = in.e.given() ? combined(c, in, ~bits) : 0;
        if (in.d.given()) {
            std::uint32_t& d = c.predicate(in.d);
            d = (d & ~mask) | (first & mask);
        }
        if (in.e.given()) {
            std::uint32_t& e = c.predicate(in.e);
            e = (e & ~mask) | (second & mask);
        }
    }
};

/// set: all ones, or 1.0, by a predicate.
inline void expand(context& c, const instruction& in, std::uint32_t mask) {
    const std::uint32_t bits = c.predicate(in.a);
    each_lane(mask, [&](unsigned i) {
        const bool yes = (bits >> i & 1) != 0;
        switch (in.kind_of) {
        case type::f32: c.at<float>(in.d)[i] = yes ? 1.0f : 0.0f; break;
        case type::f16: c.at<std::uint16_t>(in.d)[i] = yes ? 0x3c00 : 0; break;
        case type::bf16: c.at<std::uint16_t>(in.d)[i] = yes ? 0x3f80 : 0; break;
        case type::b16:
        case type::u16:
        case type::s16: c.at<std::uint16_t>(in.d)[i] = yes ? 0xffff : 0; break;
        default: c.at<std::uint32_t>(in.d)[i] = yes ? ~0u : 0; break;
        }
    });
}

template <class T>
bool compared_by(comparison how_to, T a, T b) noexcept {
    switch (how_to) {
    case comparison::eq: return compared<comparison::eq>(a, b);
    case comparison::ne: return compared<comparison::ne>(a, b);
    case comparison::lt: return compared<comparison::lt>(a, b);
    case comparison::le: return compared<comparison::le>(a, b);
    case comparison::gt: return compared<comparison::gt>(a, b);
    case comparison::ge: return compared<comparison::ge>(a, b);
    case comparison::equ: return compared<comparison::equ>(a, b);
    case comparison::neu: return compared<comparison::neu>(a, b);
    case comparison::ltu: return compared<comparison::ltu>(a, b);
    case comparison::leu: return compared<comparison::leu>(a, b);
    case comparison::gtu: return compared<comparison::gtu>(a, b);
    case comparison::geu: return compared<comparison::geu>(a, b);
    case comparison::num: return compared<comparison::num>(a, b);
    default: return compared<comparison::nan>(a, b);
    }
}
/// Both halves of a pair; setp writes a predicate for each. instruction::count: the comparison.
inline std::uint32_t pair_bits(const context& c, const instruction& in, unsigned half) {
    const std::uint32_t* const a = c.at<std::uint32_t>(in.a);
    const std::uint32_t* const b = c.at<std::uint32_t>(in.b);
    const auto which = static_cast<comparison>(in.count);
    return gather_bits([&](unsigned i) {
        const auto x = static_cast<std::uint16_t>(a[i] >> (16 * half)), y = static_cast<std::uint16_t>(b[i] >> (16 * half));
        if ((in.option & brain) != 0) return compared_by(which, bfloat_value(x), bfloat_value(y));
        return (in.option & flush) != 0 ? compared_by(which, as_half<true>::of(x), as_half<true>::of(y))
                                        : compared_by(which, half_value(x), half_value(y));
    });
}
inline void setp_pair(context& c, const instruction& in, std::uint32_t mask) {
    const std::uint32_t low = combined(c, in, pair_bits(c, in, 0)), high = combined(c, in, pair_bits(c, in, 1));
    if (in.d.given()) c.predicate(in.d) = (c.predicate(in.d) & ~mask) | (low & mask);
    if (in.e.given()) c.predicate(in.e) = (c.predicate(in.e) & ~mask) | (high & mask);
}
inline void set_pair(context& c, const instruction& in, std::uint32_t mask) {
    const std::uint32_t low = combined(c, in, pair_bits(c, in, 0)), high = combined(c, in, pair_bits(c, in, 1));
    const std::uint32_t one = in.kind_of == type::f16x2 ? 0x3c00 : in.kind_of == type::bf16x2 ? 0x3f80 : 0xffff;
    std::uint32_t* const d = c.at<std::uint32_t>(in.d);
    each_lane(mask, [&](unsigned i) { d[i] = ((low >> i & 1) != 0 ? one : 0) | ((high >> i & 1) != 0 ? one << 16 : 0); });
}

template <class Read, comparison C>
handler loop() noexcept {
    return lanewise::either<setp_body<Read, C>>::pick();
}

} // namespace compare_detail

/// A comparison as few loops as can be: with its operands exchanged, or its result inverted.
struct chosen_comparison {
    handler run = nullptr;
    type of = type::none;
    bool exchanged = false;
    bool opposite = false;
};

/// The handler of setp for a form's comparison and last type.
inline chosen_comparison pick_compare(const form& f) {
    using namespace compare_detail;
    chosen_comparison out;
    out.of = f.types.empty() ? type::none : f.types.back();
    type t = out.of;
    comparison how_to = f.compare;
    if (how_to == comparison::none) return out;
    if (t == type::f16x2 || t == type::bf16x2) {
        out.run = f.op == "setp" ? &setp_pair : &set_pair;
        return out;
    }
    if (how_to >= comparison::lo && how_to <= comparison::hs) { // without sign, whatever the type says
        if (is_float(t)) return out;
        t = t == type::s16 ? type::u16 : t == type::s32 ? type::u32 : t == type::s64 ? type::u64 : t;
        how_to = how_to == comparison::lo   ? comparison::lt
                 : how_to == comparison::ls ? comparison::le
                 : how_to == comparison::hi ? comparison::gt
                                            : comparison::ge;
    }
    const bool floats = is_float(t);
    if (!floats && how_to > comparison::ge) return out;
    comparison base = comparison::eq;
    switch (how_to) { // base, exchanged, opposite
    case comparison::eq: base = comparison::eq; break;
    case comparison::ne: base = floats ? comparison::ne : comparison::eq, out.opposite = !floats; break;
    case comparison::lt: base = comparison::lt; break;
    case comparison::gt: base = comparison::lt, out.exchanged = true; break;
    case comparison::le: base = floats ? comparison::le : comparison::lt, out.exchanged = out.opposite = !floats; break;
    case comparison::ge: base = floats ? comparison::le : comparison::lt, out.exchanged = floats, out.opposite = !floats; break;
    case comparison::equ: base = comparison::ne, out.opposite = true; break;
    case comparison::neu: base = comparison::eq, out.opposite = true; break;
    case comparison::ltu: base = comparison::le, out.exchanged = out.opposite = true; break;
    case comparison::leu: base = comparison::lt, out.exchanged = out.opposite = true; break;
    case comparison::gtu: base = comparison::le, out.opposite = true; break;
    case comparison::geu: base = comparison::lt, out.opposite = true; break;
    case comparison::num: base = comparison::num; break;
    default: base = comparison::num, out.opposite = true; break;
    }
    const auto whole = [&](auto zero) -> handler {
        using Read = as_is<decltype(zero), false>;
        return base == comparison::eq ? loop<Read, comparison::eq>() : loop<Read, comparison::lt>();
    };
    const auto real = [&](auto reading) -> handler {
        using Read = decltype(reading);
        switch (base) {
        case comparison::eq: return loop<Read, comparison::eq>();
        case comparison::ne: return loop<Read, comparison::ne>();
        case comparison::lt: return loop<Read, comparison::lt>();
        case comparison::le: return loop<Read, comparison::le>();
        default: return loop<Read, comparison::num>();
        }
    };
    switch (t) {
    case type::b16:
    case type::u16: out.run = whole(std::uint16_t{}); break;
    case type::s16: out.run = whole(std::int16_t{}); break;
    case type::b32:
    case type::u32: out.run = whole(std::uint32_t{}); break;
    case type::s32: out.run = whole(std::int32_t{}); break;
    case type::b64:
    case type::u64: out.run = whole(std::uint64_t{}); break;
    case type::s64: out.run = whole(std::int64_t{}); break;
    case type::f32: out.run = f.ftz ? real(as_is<float, true>{}) : real(as_is<float, false>{}); break;
    case type::f64: out.run = real(as_is<double, false>{}); break;
    case type::f16: out.run = f.ftz ? real(as_half<true>{}) : real(as_half<false>{}); break;
    case type::bf16: out.run = real(as_bfloat{}); break;
    default: break;
    }
    return out;
}

} // namespace hanabi::host::ptx

#endif
