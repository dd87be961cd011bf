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
    e5m2x2
};

/// Bytes of a value; 0 for none and predicates.
constexpr unsigned size_of(type t) noexcept {
    if (t <= type::pred) return 0;
    if (t <= type::s8) return 1;
    if (t <= type::bf16) return 2;
    if (t <= type::s16x2) return 4;
    if (t <= type::f32x2) return 8;
    if (t == type::b128) return 16;
    return t == type::e4m3 || t == type::e5m2 ? 1 : 2;
}
constexpr bool is_signed(type t) noexcept { return t == type::s8 || t == type::s16 || t == type::s32 || t == type::s64; }
constexpr bool is_float(type t) noexcept {
    return t == type::f16 || t == type::bf16 || t == type::f32 || t == type::tf32 || t == type::f64 || t == type::f16x2 ||
           t == type::bf16x2 || t == type::f32x2;
}
constexpr bool is_integer(type t) noexcept { return t != type::none && t != type::pred && !is_float(t) && t < type::b128; }

/// The type of a name without its dot; none for a word that is no type.
constexpr type type_of(std::string_view name) noexcept {
    constexpr struct {
        std::string_view name;
        type of;
    } all[] = {{"pred", type::pred},     {"b8", type::b8},         {"u8", type::u8},        {"s8", type::s8},     {"b16", type::b16},
               {"u16", type::u16},       {"s16", type::s16},       {"f16", type::f16},      {"bf16", type::bf16}, {"b32", type::b32},
               {"u32", type::u32},       {"s32", type::s32},       {"f32", type::f32},      {"tf32", type::tf32}, {"f16x2", type::f16x2},
               {"bf16x2", type::bf16x2}, {"u16x2", type::u16x2},   {"s16x2", type::s16x2},  {"b64", type::b64},   {"u64", type::u64},
               {"s64", type::s64},       {"f64", type::f64},       {"f32x2", type::f32x2},  {"b128", type::b128}, {"e4m3", type::e4m3},
               {"e5m2", type::e5m2},     {"e4m3x2", type::e4m3x2}, {"e5m2x2", type::e5m2x2}};
    if (name.size() < 2 || name.size() > 6) return type::none;
    for (const auto& known : all)
        if (known.name == name) return known.of;
    return type::none;
}

/// How a result is rounded: to a float's neighbours, or (the second four) to an integer.
enum class rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };

/// Comparisons: ordered or integer, unsigned (lo to hs), unordered, and whether there is a NaN.
enum class comparison : std::uint8_t { none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };

/// State spaces. `generic` is none given.
enum class space : std::uint8_t { generic, global, shared, shared_cluster, local, constant, param };

} // namespace hanabi::host::ptx

#endif
