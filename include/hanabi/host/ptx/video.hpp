// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// SIMD video instructions on the bytes or halves of a register: PTX manual, "SIMD Video Instructions". Selectors (r.h20)
/// pick parts of the first two operands together, a mask (r.b310) says which parts of the result are written.

#ifndef HANABI_HOST_PTX_VIDEO_HPP
#define HANABI_HOST_PTX_VIDEO_HPP

#include <hanabi/host/ptx/compare.hpp>
#include <hanabi/host/ptx/decoder.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace hanabi::host::ptx {

namespace video_detail {

enum class act : std::uint8_t { add, sub, average, difference, min, max, set };

/// What a video instruction is, in instruction::immediate. Selectors have 4 bits a part, the lowest part first: a part of a,
/// or after those one of b.
struct operation {
    act what;
    std::uint8_t compare; ///< of vset
    std::uint8_t mask;    ///< parts of the result that are written
    bool signed_a : 1, signed_b : 1, signed_d : 1, saturate : 1, accumulate : 1;
    std::uint16_t a, b;
};
static_assert(sizeof(operation) == 8);

inline std::int64_t part(std::uint32_t v, unsigned bits, unsigned k, bool sign) noexcept {
    const auto raw = static_cast<std::uint32_t>(std::uint64_t{v} >> (bits * k) & ((std::uint64_t{1} << bits) - 1));
    return sign && raw >> (bits - 1) != 0 ? static_cast<std::int64_t>(raw) - (std::int64_t{1} << bits) : static_cast<std::int64_t>(raw);
}
inline std::int64_t clamped(std::int64_t v, unsigned bits, bool sign) noexcept {
    const std::int64_t most = (std::int64_t{1} << (sign ? bits - 1 : bits)) - 1;
    return std::clamp<std::int64_t>(v, sign ? -(std::int64_t{1} << (bits - 1)) : 0, most);
}
inline std::int64_t combined(act what, std::int64_t x, std::int64_t y, std::uint8_t compare) noexcept {
    switch (what) {
    case act::add: return x + y;
    case act::sub: return x - y;
    case act::average: return (x + y + ((x + y) >= 0 ? 1 : 0)) >> 1;
    case act::difference: return std::abs(x - y);
    case act::min: return std::min(x, y);
    case act::max: return std::max(x, y);
    default: return compare_detail::compared_by(static_cast<comparison>(compare), x, y) ? 1 : 0;
    }
}
inline operation of(const instruction& in) noexcept {
    operation o;
    std::memcpy(&o, &in.immediate, sizeof o);
    return o;
}

/// size: bytes of a part.
inline void run(context& c, const instruction& in, std::uint32_t mask) {
    const operation o = of(in);
    const unsigned bits = 8u * in.size, parts = 4u / in.size;
    const std::uint32_t all = (1u << bits) - 1;
    each_lane(mask, [&](unsigned i) {
        const std::uint32_t a = c.at<std::uint32_t>(in.a)[i], b = c.at<std::uint32_t>(in.b)[i], third = c.at<std::uint32_t>(in.c)[i];
        std::uint32_t out = third;
        const auto pick = [&](std::uint16_t selectors, unsigned k, bool sign) {
            const unsigned at = selectors >> (4 * k) & 0xf;
            return part(at < parts ? a : b, bits, at % parts, sign);
        };
        for (unsigned k = 0; k < parts; ++k) {
            if ((o.mask >> k & 1) == 0) continue;
            std::int64_t v = combined(o.what, pick(o.a, k, o.signed_a), pick(o.b, k, o.signed_b), o.compare);
            if (o.saturate) v = clamped(v, bits, o.signed_d);
            if (o.accumulate)
                out += static_cast<std::uint32_t>(v);
            else
                out = (out & ~(all << (bits * k))) | (static_cast<std::uint32_t>(v) & all) << (bits * k);
        }
        c.at<std::uint32_t>(in.d)[i] = out;
    });
}

/// Takes a selector off a register's name: the digits after the letter, the last one first, 4 bits each; `kind` receives the
/// letter, or NUL when there is none.
inline std::uint32_t take_selector(std::string_view& name, char& kind, unsigned& digits) {
    kind = '\0';
    digits = 0;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot + 2 >= name.size() || (name[dot + 1] != 'b' && name[dot + 1] != 'h')) return 0;
    std::uint32_t out = 0;
    for (const char digit : name.substr(dot + 2)) {
        decoder::need(digit >= '0' && digit <= '7' && digits < 4, "a selector that is not known");
        out = out << 4 | static_cast<std::uint32_t>(digit - '0');
        ++digits;
    }
    kind = name[dot + 1];
    name = name.substr(0, dot);
    return out;
}
inline std::uint16_t part_selectors(argument& a, unsigned parts, std::uint16_t usual) {
    char kind = '\0';
    unsigned digits = 0;
    const std::uint32_t at = a.kind == argument_kind::name ? take_selector(a.name, kind, digits) : 0;
    if (kind == '\0') return usual;
    decoder::need(digits == parts && kind == (parts == 2 ? 'h' : 'b'), "a selector that is not known");
    for (unsigned k = 0; k < parts; ++k) decoder::need((at >> (4 * k) & 0xf) < 2 * parts, "a selector that is not known");
    return static_cast<std::uint16_t>(at);
}
inline std::uint8_t part_mask(argument& a, unsigned parts) {
    char kind = '\0';
    unsigned digits = 0;
    const std::uint32_t at = take_selector(a.name, kind, digits);
    if (kind == '\0') return static_cast<std::uint8_t>((1u << parts) - 1);
    std::uint32_t bits = 0;
    for (unsigned k = 0; k < digits; ++k) bits |= 1u << (at >> (4 * k) & 0xf);
    decoder::need(kind == (parts == 2 ? 'h' : 'b') && bits < 1u << parts, "a mask that is not known");
    return static_cast<std::uint8_t>(bits);
}

} // namespace video_detail

/// Decodes a SIMD video instruction; false for others.
inline bool decode_video(decoder& d, const form& f, const statement& s) {
    using namespace video_detail;
    if (f.op.size() < 5 || f.op[0] != 'v' || (f.op.back() != '2' && f.op.back() != '4')) return false;
    constexpr struct {
        std::string_view name;
        act what;
    } all[] = {{"vadd", act::add}, {"vsub", act::sub}, {"vavrg", act::average}, {"vabsdiff", act::difference},
               {"vmin", act::min}, {"vmax", act::max}, {"vset", act::set}};
    for (const auto& known : all) {
        if (f.op.substr(0, f.op.size() - 1) != known.name) continue;
        const unsigned parts = f.op.back() == '2' ? 2 : 4;
        const bool set = known.what == act::set;
        const std::size_t first = set ? 0 : 1;
        decoder::need(s.arguments.size() >= 3 && f.types.size() >= first + 2, "too few operands");
        operation o{};
        o.what = known.what;
        o.signed_a = f.of(first) == type::s32;
        o.signed_b = f.of(first + 1) == type::s32;
        o.signed_d = !set && f.of(0) == type::s32;
        o.saturate = f.sat;
        o.accumulate = f.has("add");
        constexpr std::string_view comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};
        for (std::size_t k = 0; set && k < 6; ++k)
            if (f.has(comparisons[k])) o.compare = static_cast<std::uint8_t>(k + 1);
        argument to = s.arguments[0], a = s.arguments[1], b = s.arguments[2];
        o.mask = part_mask(to, parts);
        o.a = part_selectors(a, parts, parts == 2 ? 0x10 : 0x3210);
        o.b = part_selectors(b, parts, parts == 2 ? 0x32 : 0x7654);
        instruction i = d.make(&video_detail::run);
        i.size = static_cast<std::uint8_t>(4 / parts);
        i.a = d.source(a, type::u32);
        i.b = d.source(b, type::u32);
        i.c = s.arguments.size() > 3 ? d.source(s.arguments[3], type::u32) : d.immediate(0, 4);
        i.d = d.destination(to);
        static_assert(sizeof o <= sizeof i.immediate);
        std::memcpy(&i.immediate, &o, sizeof o);
        d.emit(i);
        return true;
    }
    return false;
}

} // namespace hanabi::host::ptx

#endif
