// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Types and modifiers of PTX instructions, as numbers.

#ifndef HANABI_HOST_PTX_TYPE_HPP
#define HANABI_HOST_PTX_TYPE_HPP

#include <cstdint>
#include <string_view>

namespace hanabi::host::ptx {

/// The type of an instruction or of a register.
enum class type : std::uint8_t {
    none,
    pred,
    b8,
    u8,
    s8,
    b16,
    u16,
    s16,
    f16,
    bf16,
    b32,
    u32,
    s32,
    f32,
    tf32,
    f16x2,
    bf16x2,
    u16x2,
    s16x2,
    b64,
    u64,
    s64,
    f64,
    f32x2,
    b128,
    e4m3,
    e5m2,
    e4m3x2,
    e5m2x2,
    e2m3,
    e3m2,
    e2m1,
    ue8m0,
    ue4m3,
    e2m3x2,
    e3m2x2,
    e2m1x2,
    ue8m0x2,
    e4m3x4,
    e5m2x4,
    e2m3x4,
    e3m2x4,
    e2m1x4,
    b1,
    u2,
    s2,
    u4,
    s4
};

/// Bytes of a value; 0 for none and predicates, 1 for what is smaller than a byte.
constexpr unsigned size_of(type t) noexcept {
    if (t <= type::pred) return 0;
    if (t <= type::s8) return 1;
    if (t <= type::bf16) return 2;
    if (t <= type::s16x2) return 4;
    if (t <= type::f32x2) return 8;
    if (t == type::b128) return 16;
    switch (t) {
    case type::e4m3x2:
    case type::e5m2x2:
    case type::e2m3x2:
    case type::e3m2x2:
    case type::ue8m0x2:
    case type::e2m1x4: return 2;
    case type::e4m3x4:
    case type::e5m2x4:
    case type::e2m3x4:
    case type::e3m2x4: return 4;
    default: return 1;
    }
}
/// Bits of an element of a packed register.
constexpr unsigned bits_of(type t) noexcept {
    switch (t) {
    case type::b1: return 1;
    case type::u2:
    case type::s2: return 2;
    case type::u4:
    case type::s4: return 4;
    default: return 8 * size_of(t);
    }
}
constexpr bool is_signed(type t) noexcept {
    return t == type::s8 || t == type::s16 || t == type::s32 || t == type::s64 || t == type::s2 || t == type::s4;
}
constexpr bool is_float(type t) noexcept {
    return t == type::f16 || t == type::bf16 || t == type::f32 || t == type::tf32 || t == type::f64 || t == type::f16x2 ||
           t == type::bf16x2 || t == type::f32x2;
}
/// Floats of 8 bits and less.
constexpr bool is_small_float(type t) noexcept {
    return t == type::e4m3 || t == type::e5m2 || t == type::e2m3 || t == type::e3m2 || t == type::e2m1 || t == type::ue8m0 ||
           t == type::ue4m3;
}
/// What a register of several floats is made of; itself for others. `count` receives how many.
constexpr type element_of(type t, unsigned* count = nullptr) noexcept {
    const auto are = [&](unsigned n, type e) {
        if (count != nullptr) *count = n;
        return e;
    };
    switch (t) {
    case type::f16x2: return are(2, type::f16);
    case type::bf16x2: return are(2, type::bf16);
    case type::e4m3x2: return are(2, type::e4m3);
    case type::e5m2x2: return are(2, type::e5m2);
    case type::e2m3x2: return are(2, type::e2m3);
    case type::e3m2x2: return are(2, type::e3m2);
    case type::e2m1x2: return are(2, type::e2m1);
    case type::ue8m0x2: return are(2, type::ue8m0);
    case type::e4m3x4: return are(4, type::e4m3);
    case type::e5m2x4: return are(4, type::e5m2);
    case type::e2m3x4: return are(4, type::e2m3);
    case type::e3m2x4: return are(4, type::e3m2);
    case type::e2m1x4: return are(4, type::e2m1);
    default: return are(1, t);
    }
}
constexpr bool is_integer(type t) noexcept { return t != type::none && t != type::pred && !is_float(t) && t < type::b128; }

/// The type of a name without its dot; none for a word that is no type.
constexpr type type_of(std::string_view name) noexcept {
    constexpr struct {
        std::string_view name;
        type of;
    } all[] = {{"pred", type::pred},       {"b8", type::b8},         {"u8", type::u8},         {"s8", type::s8},
               {"b16", type::b16},         {"u16", type::u16},       {"s16", type::s16},       {"f16", type::f16},
               {"bf16", type::bf16},       {"b32", type::b32},       {"u32", type::u32},       {"s32", type::s32},
               {"f32", type::f32},         {"tf32", type::tf32},     {"f16x2", type::f16x2},   {"bf16x2", type::bf16x2},
               {"u16x2", type::u16x2},     {"s16x2", type::s16x2},   {"b64", type::b64},       {"u64", type::u64},
               {"s64", type::s64},         {"f64", type::f64},       {"f32x2", type::f32x2},   {"b128", type::b128},
               {"e4m3", type::e4m3},       {"e5m2", type::e5m2},     {"e4m3x2", type::e4m3x2}, {"e5m2x2", type::e5m2x2},
               {"e2m3", type::e2m3},       {"e3m2", type::e3m2},     {"e2m1", type::e2m1},     {"ue8m0", type::ue8m0},
               {"ue4m3", type::ue4m3},     {"e2m3x2", type::e2m3x2}, {"e3m2x2", type::e3m2x2}, {"e2m1x2", type::e2m1x2},
               {"ue8m0x2", type::ue8m0x2}, {"e4m3x4", type::e4m3x4}, {"e5m2x4", type::e5m2x4}, {"e2m3x4", type::e2m3x4},
               {"e3m2x4", type::e3m2x4},   {"e2m1x4", type::e2m1x4}, {"b1", type::b1},         {"u2", type::u2},
               {"s2", type::s2},           {"u4", type::u4},         {"s4", type::s4}};
    if (name.size() < 2 || name.size() > 7) return type::none;
    for (const auto& known : all)
        if (known.name == name) return known.of;
    return type::none;
}

/// How a result is rounded: to a float's neighbours (rs: by random bits that are given), or (the last four) to an integer.
enum class rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rs, rni, rzi, rmi, rpi };

/// Comparisons: ordered or integer, unsigned (lo to hs), unordered, and whether there is a NaN.
enum class comparison : std::uint8_t { none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };

/// State spaces. `generic` is none given.
enum class space : std::uint8_t { generic, global, shared, shared_cluster, local, constant, param };

} // namespace hanabi::host::ptx

#endif
