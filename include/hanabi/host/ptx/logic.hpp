// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Logic, shifts, moves and permutations, lane by lane, and what works on predicates: PTX manual, "Logic and Shift
/// Instructions", "Data Movement and Conversion Instructions".

#ifndef HANABI_HOST_PTX_LOGIC_HPP
#define HANABI_HOST_PTX_LOGIC_HPP

#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/lanewise.hpp>

#include <cstdint>
#include <type_traits>

namespace hanabi::host::ptx {

namespace logic_detail {

/// Two words: registers of 16 bytes.
struct quad {
    std::uint64_t low, high;
};

template <class F>
chosen by_size(unsigned size, F f) {
    switch (size) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: return {};
    }
}

/// A handler over predicates: words with a bit a lane.
template <class F>
struct on_predicates {
    static void run(context& c, const instruction& in, std::uint32_t mask) {
        std::uint32_t& d = c.predicate(in.d);
        const std::uint32_t a = c.predicate(in.a), b = in.b.given() ? c.predicate(in.b) : 0;
        d = (d & ~mask) | (F{}(a, b) & mask);
    }
};
template <class F>
handler predicates(F) noexcept {
    return &on_predicates<F>::run;
}

template <class T>
struct select {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        const T* const a = c.at<T>(in.a);
        const T* const b = c.at<T>(in.b);
        std::uint32_t which = c.predicate(in.c);
        if (in.option != 0) which = ~which;
        fill(c.at<T>(in.d), mask, [&](unsigned i) { return (which >> i & 1) != 0 ? a[i] : b[i]; });
    }
};
struct select_predicate {
    static void run(context& c, const instruction& in, std::uint32_t mask) {
        std::uint32_t& d = c.predicate(in.d);
        const std::uint32_t which = in.option != 0 ? ~c.predicate(in.c) : c.predicate(in.c);
        d = (d & ~mask) | (((c.predicate(in.a) & which) | (c.predicate(in.b) & ~which)) & mask);
    }
};

struct lop3_body {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        const std::uint32_t* const a = c.at<std::uint32_t>(in.a);
        const std::uint32_t* const b = c.at<std::uint32_t>(in.b);
        const std::uint32_t* const third = c.at<std::uint32_t>(in.c);
        const auto table = static_cast<std::uint32_t>(in.immediate);
        std::uint32_t on[8];
        for (unsigned i = 0; i < 8; ++i) on[i] = (table >> i & 1) != 0 ? ~0u : 0u;
        fill(c.at<std::uint32_t>(in.d), mask, [&](unsigned i) {
            const std::uint32_t x = a[i], y = b[i], z = third[i];
            const std::uint32_t low = (on[0] & ~z) | (on[1] & z), second = (on[2] & ~z) | (on[3] & z);
            const std::uint32_t upper = (on[4] & ~z) | (on[5] & z), top = (on[6] & ~z) | (on[7] & z);
            return (((low & ~y) | (second & y)) & ~x) | (((upper & ~y) | (top & y)) & x);
        });
    }
};
/// lop3.BoolOp: the predicate too. option: 1 or, 2 and; +4: the operand is negated.
inline void lop3_with_predicate(context& c, const instruction& in, std::uint32_t mask) {
    lop3_body::run(c, in, mask);
    const operand q = {static_cast<std::uint32_t>(in.target)};
    std::uint32_t given = q.given() ? c.predicate(q) : 0;
    if ((in.option & 4) != 0) given = ~given;
    const std::uint32_t* const d = c.at<std::uint32_t>(in.d);
    const std::uint32_t nonzero = gather_bits([&](unsigned i) { return d[i] != 0; });
    std::uint32_t& p = c.predicate(in.e);
    p = (p & ~mask) | (((in.option & 3) == 1 ? (nonzero | given) : (nonzero & given)) & mask);
}

HANABI_PTX_FORCE std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t control) {
    const std::uint64_t all = static_cast<std::uint64_t>(b) << 32 | a;
    std::uint32_t out = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t pick = control >> (4 * i) & 0xf;
        std::uint32_t byte = static_cast<std::uint32_t>(all >> (8 * (pick & 7))) & 0xff;
        if ((pick & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
        out |= byte << (8 * i);
    }
    return out;
}
/// The modes of prmt by name: where each of the four bytes comes from, for the two low bits of the operand.
template <int Mode>
HANABI_PTX_FORCE std::uint32_t permuted_by_mode(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    constexpr std::uint32_t control[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543},  // f4e
                                             {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
                                             {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
                                             {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
                                             {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
                                             {0x1010, 0x3232, 0x1010, 0x3232}}; // rc16
    return permuted(a, b, control[Mode][c & 3]);
}

inline handler pick_permutation(const form& f) {
    using u = std::uint32_t;
    using lanewise::ternary;
    if (f.has("f4e")) return ternary<u>([](u a, u b, u c) { return permuted_by_mode<0>(a, b, c); });
    if (f.has("b4e")) return ternary<u>([](u a, u b, u c) { return permuted_by_mode<1>(a, b, c); });
    if (f.has("rc8")) return ternary<u>([](u a, u b, u c) { return permuted_by_mode<2>(a, b, c); });
    if (f.has("ecl")) return ternary<u>([](u a, u b, u c) { return permuted_by_mode<3>(a, b, c); });
    if (f.has("ecr")) return ternary<u>([](u a, u b, u c) { return permuted_by_mode<4>(a, b, c); });
    if (f.has("rc16")) return ternary<u>([](u a, u b, u c) { return permuted_by_mode<5>(a, b, c); });
    return ternary<u>([](u a, u b, u c) { return permuted(a, b, c); });
}

inline handler pick_funnel(const form& f) {
    using u = std::uint32_t;
    using lanewise::ternary;
    const bool clamp = f.has("clamp");
    if (f.has("l")) {
        if (clamp)
            return ternary<u>([](u a, u b, u c) {
                const u n = c > 32 ? 32 : c;
                return static_cast<u>(((static_cast<std::uint64_t>(b) << 32 | a) << n) >> 32);
            });
        return ternary<u>([](u a, u b, u c) { return static_cast<u>(((static_cast<std::uint64_t>(b) << 32 | a) << (c & 31)) >> 32); });
    }
    if (clamp)
        return ternary<u>([](u a, u b, u c) {
            const u n = c > 32 ? 32 : c;
            return static_cast<u>((static_cast<std::uint64_t>(b) << 32 | a) >> n);
        });
    return ternary<u>([](u a, u b, u c) { return static_cast<u>((static_cast<std::uint64_t>(b) << 32 | a) >> (c & 31)); });
}

inline void move_wide(context& c, const instruction& in, std::uint32_t mask) {
    const quad* const a = c.at<quad>(in.a);
    quad* const d = c.at<quad>(in.d);
    each_lane(mask, [&](unsigned i) { d[i] = a[i]; });
}

} // namespace logic_detail

/// The handler of a logic instruction, shift, move or permutation; none for others.
inline chosen pick_logic(const form& f) {
    using namespace logic_detail;
    using lanewise::binary;
    using lanewise::ternary;
    using lanewise::unary;
    const type t = f.of();
    const unsigned size = size_of(t);
    const auto is = [&](std::string_view name) { return f.op == name; };
    using u32 = std::uint32_t;
    if (t == type::pred) {
        if (is("and")) return same(predicates([](u32 a, u32 b) { return a & b; }), t, 2);
        if (is("or")) return same(predicates([](u32 a, u32 b) { return a | b; }), t, 2);
        if (is("xor")) return same(predicates([](u32 a, u32 b) { return a ^ b; }), t, 2);
        if (is("not")) return same(predicates([](u32 a, u32) { return ~a; }), t, 1);
        if (is("mov")) return same(predicates([](u32 a, u32) { return a; }), t, 1);
        if (is("selp")) return typed(&select_predicate::run, t, {t, t, t});
        return {};
    }
    if (is("and") || is("or") || is("xor"))
        return by_size(size, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if (is("and")) return same(binary<T>([](T a, T b) { return a & b; }), t, 2);
            if (is("or")) return same(binary<T>([](T a, T b) { return a | b; }), t, 2);
            return same(binary<T>([](T a, T b) { return a ^ b; }), t, 2);
        });
    if (is("not") || is("cnot"))
        return by_size(size, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if (is("not")) return same(unary<T>([](T a) { return ~a; }), t, 1);
            return same(unary<T>([](T a) { return a == 0 ? 1 : 0; }), t, 1);
        });
    if (is("shl") || is("shr"))
        return by_size(size, [&](auto zero) -> chosen {
            using T = decltype(zero);
            constexpr u32 bits = 8 * sizeof(T);
            if (is("shl"))
                return typed(
                    binary<T, T, u32>([](T a, u32 b) { return static_cast<T>(b >= bits ? T{0} : static_cast<T>(a << (b & (bits - 1)))); }),
                    t, {t, type::u32});
            if (is_signed(t)) {
                using S = std::make_signed_t<T>;
                return typed(binary<S, S, u32>([](S a, u32 b) { return static_cast<S>(a >> (b >= bits ? bits - 1 : b)); }), t,
                             {t, type::u32});
            }
            return typed(
                binary<T, T, u32>([](T a, u32 b) { return static_cast<T>(b >= bits ? T{0} : static_cast<T>(a >> (b & (bits - 1)))); }), t,
                {t, type::u32});
        });
    if (is("shf")) return same(pick_funnel(f), t, 3);
    if (is("lop3") && !f.has("or") && !f.has("and")) return same(lanewise::either<lop3_body>::pick(), t, 3);
    if (is("prmt")) return same(pick_permutation(f), t, 3);
    if (is("mov")) {
        if (size == 16) return same(&move_wide, t, 1);
        return by_size(size, [&](auto zero) -> chosen {
            using T = decltype(zero);
            return same(unary<T>([](T a) { return a; }), t, 1);
        });
    }
    if (is("selp"))
        return by_size(size, [&](auto zero) -> chosen {
            return typed(lanewise::either<select<decltype(zero)>>::pick(), t, {t, t, type::pred});
        });
    if (is("slct")) {
        const type by = f.of(1);
        return by_size(size, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if (by == type::s32)
                return typed(ternary<T, T, T, std::int32_t>([](T a, T b, std::int32_t c) { return c >= 0 ? a : b; }), t, {t, t, by});
            if (f.ftz) // a subnormal is zero, whatever its sign
                return typed(ternary<T, T, T, float>([](T a, T b, float c) { return c > -0x1p-126f ? a : b; }), t, {t, t, by});
            return typed(ternary<T, T, T, float>([](T a, T b, float c) { return c >= 0 ? a : b; }), t, {t, t, by});
        });
    }
    return {};
}

} // namespace hanabi::host::ptx

#endif
