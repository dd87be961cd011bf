// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Scalar video instructions: an operation on bytes, halves or words that are picked from registers, then saturation, then a
/// second operation or a merge with a third operand. PTX manual, "Scalar Video Instructions".

#ifndef HANABI_HOST_PTX_VIDEO_SCALAR_HPP
#define HANABI_HOST_PTX_VIDEO_SCALAR_HPP

#include <hanabi/host/ptx/compare.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/integer.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace hanabi::host::ptx {

namespace scalar_video_detail {

enum class act : std::uint8_t { add, sub, difference, min, max, left, right, set, multiply };
enum class second : std::uint8_t { none, add, min, max };
/// Which part of a register: the word, a byte (.b0 to .b3) or a half (.h0, .h1).
enum class part : std::uint8_t { word, b0, b1, b2, b3, h0, h1 };
enum : std::uint8_t {
    signed_a = 1,
    signed_b = 2,
    signed_d = 4,
    saturate = 8,
    wraps = 16,
    plus_one = 32,
    minus_product = 64,
    minus_third = 128
};

/// What an instruction does: instruction::immediate holds it.
struct plan {
    act what = act::add;
    std::uint8_t flags = 0;
    part a = part::word, b = part::word, d = part::word;
    second then = second::none;
    comparison compare = comparison::none;
    std::uint8_t scale = 0; ///< bits that vmad shifts its result to the right
};
static_assert(sizeof(plan) == sizeof(std::int64_t));

inline unsigned bits_of(part p) noexcept { return p == part::word ? 32 : p >= part::h0 ? 16 : 8; }
inline unsigned first_bit(part p) noexcept {
    if (p == part::word) return 0;
    return p >= part::h0 ? 16u * (static_cast<unsigned>(p) - static_cast<unsigned>(part::h0))
                         : 8u * (static_cast<unsigned>(p) - static_cast<unsigned>(part::b0));
}
inline std::int64_t pick(std::uint32_t v, part p, bool sign) noexcept {
    const unsigned bits = bits_of(p);
    const std::uint32_t raw = v >> first_bit(p) & (~0u >> (32 - bits));
    return sign ? static_cast<std::int64_t>(static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits)) : static_cast<std::int64_t>(raw);
}
/// The range of a destination.
inline std::int64_t lowest(part p, bool sign) noexcept { return sign ? -(std::int64_t{1} << (bits_of(p) - 1)) : 0; }
inline std::int64_t highest(part p, bool sign) noexcept { return (std::int64_t{1} << (bits_of(p) - (sign ? 1 : 0))) - 1; }

/// vmad, with all bits of product and sum. Of negated operands the product comes first, as the manual has it.
inline integer_detail::s128 multiplied(const plan& how, std::int64_t a, std::int64_t b, std::uint32_t c) noexcept {
    const bool third_sign = (how.flags & (signed_a | signed_b | minus_product)) != 0;
    integer_detail::s128 product = static_cast<integer_detail::s128>(a) * b;
    integer_detail::s128 third = third_sign ? static_cast<std::int64_t>(static_cast<std::int32_t>(c)) : static_cast<std::int64_t>(c);
    if ((how.flags & minus_product) != 0)
        product = -product;
    else if ((how.flags & minus_third) != 0)
        third = -third;
    return (product + third + ((how.flags & plus_one) != 0 ? 1 : 0)) >> how.scale;
}

inline void run(context& c, const instruction& in, std::uint32_t mask) {
    const plan how = std::bit_cast<plan>(in.immediate);
    const auto is = [&](std::uint8_t flag) { return (how.flags & flag) != 0; };
    // vmad's result has a sign when anything in it has, vset's has none, others' by their type.
    const bool sign = how.what == act::multiply ? is(signed_a) || is(signed_b) || is(minus_product) || is(minus_third) : is(signed_d);
    each_lane(mask, [&](unsigned i) {
        const std::uint32_t third = in.c.given() ? c.at<std::uint32_t>(in.c)[i] : 0;
        const std::int64_t a = pick(c.at<std::uint32_t>(in.a)[i], how.a, is(signed_a));
        const std::int64_t b = pick(c.at<std::uint32_t>(in.b)[i], how.b, is(signed_b));
        const auto by = static_cast<unsigned>(is(wraps) ? b & 31 : std::min<std::int64_t>(b, 32));
        integer_detail::s128 v = 0;
        switch (how.what) {
        case act::add: v = a + b; break;
        case act::sub: v = a - b; break;
        case act::difference: v = std::abs(a - b); break;
        case act::min: v = std::min(a, b); break;
        case act::max: v = std::max(a, b); break;
        case act::left: v = static_cast<integer_detail::s128>(a) * (std::int64_t{1} << by); break;
        case act::right: v = a >> by; break;
        case act::set: v = compare_detail::compared_by(how.compare, a, b) ? 1 : 0; break;
        case act::multiply: v = multiplied(how, a, b, third); break;
        }
        if (is(saturate)) v = std::clamp<integer_detail::s128>(v, lowest(how.d, sign), highest(how.d, sign));
        auto out = static_cast<std::uint32_t>(v);
        const auto ordered = [&](std::uint32_t x) {
            return sign ? static_cast<std::int64_t>(static_cast<std::int32_t>(x)) : static_cast<std::int64_t>(x);
        };
        switch (how.then) {
        case second::none: break;
        case second::add: out += third; break;
        case second::min: out = ordered(out) < ordered(third) ? out : third; break;
        case second::max: out = ordered(out) > ordered(third) ? out : third; break;
        }
        if (how.d != part::word) {
            const std::uint32_t place = ~0u >> (32 - bits_of(how.d)) << first_bit(how.d);
            out = (out << first_bit(how.d) & place) | (third & ~place);
        }
        c.at<std::uint32_t>(in.d)[i] = out;
    });
}

/// Takes the part off the end of a register's name: `r2.h1`.
inline part take_part(argument& a) noexcept {
    const std::size_t dot = a.name.rfind('.');
    if (a.kind != argument_kind::name || dot == std::string_view::npos) return part::word;
    constexpr std::string_view names[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    for (std::size_t k = 0; k < 6; ++k)
        if (a.name.substr(dot + 1) == names[k]) {
            a.name = a.name.substr(0, dot);
            return static_cast<part>(k + 1);
        }
    return part::word;
}

} // namespace scalar_video_detail

/// Decodes a scalar video instruction; false for others.
inline bool decode_scalar_video(decoder& d, const form& f, const statement& s) {
    using namespace scalar_video_detail;
    constexpr struct {
        std::string_view name;
        act what;
    } all[] = {{"vadd", act::add},   {"vsub", act::sub}, {"vabsdiff", act::difference},
               {"vmin", act::min},   {"vmax", act::max}, {"vshl", act::left},
               {"vshr", act::right}, {"vset", act::set}, {"vmad", act::multiply}};
    for (const auto& known : all) {
        if (f.op != known.name) continue;
        const std::size_t first = known.what == act::set ? 0 : 1; // vset has no type of its destination
        decoder::need(s.arguments.size() >= 3 && s.arguments.size() <= 4 && f.types.size() == first + 2,
                      "a video instruction takes three or four operands, and two or three types");
        plan how;
        how.what = known.what;
        argument to = s.arguments[0], a = s.arguments[1], b = s.arguments[2];
        how.d = take_part(to);
        how.a = take_part(a);
        how.b = take_part(b);
        std::uint8_t flags = 0;
        const auto add_if = [&](bool condition, std::uint8_t flag) { flags = static_cast<std::uint8_t>(flags | (condition ? flag : 0)); };
        add_if(f.of(first) == type::s32, signed_a);
        add_if(f.of(first + 1) == type::s32, signed_b);
        add_if(first == 1 && f.of(0) == type::s32, signed_d);
        add_if(f.sat, saturate);
        add_if(f.has("wrap"), wraps);
        add_if(f.has("po"), plus_one);
        const auto minus = [](argument& x) {
            const bool yes = x.kind == argument_kind::name && x.negated;
            x.negated = false;
            return yes;
        };
        const bool minus_a = minus(a), minus_b = minus(b);
        if (known.what == act::multiply) {
            decoder::need(s.arguments.size() == 4, "vmad takes four operands");
            how.scale = f.has("shr7") ? 7 : f.has("shr15") ? 15 : 0;
            add_if(minus_a != minus_b, minus_product);
        } else {
            decoder::need(!minus_a && !minus_b, "a minus before an operand");
            how.then = f.has("add") ? second::add : f.has("min") ? second::min : f.has("max") ? second::max : second::none;
            decoder::need((how.then != second::none || how.d != part::word) == (s.arguments.size() == 4),
                          "a third operand is for a second operation or a merge");
        }
        if (known.what == act::set) {
            constexpr std::string_view comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};
            for (std::size_t k = 0; k < 6; ++k)
                if (f.has(comparisons[k])) how.compare = static_cast<comparison>(k + 1);
            decoder::need(how.compare != comparison::none, "vset takes a comparison");
        }
        instruction i = d.make(&scalar_video_detail::run);
        i.a = d.source(a, type::u32);
        i.b = d.source(b, type::u32);
        if (s.arguments.size() == 4) {
            argument c = s.arguments[3];
            const bool minus_c = minus(c);
            decoder::need(!minus_c || (known.what == act::multiply && !f.has("po")), "a minus before the third operand");
            add_if(minus_c, minus_third);
            i.c = d.source(c, type::u32);
        }
        how.flags = flags;
        i.immediate = std::bit_cast<std::int64_t>(how);
        unsigned width = 4;
        i.d = d.destination(to, &width);
        if (!i.d.given()) i.d = d.temporary(4);
        decoder::need(width == 4, "the destination has another size than the result");
        d.emit(i);
        return true;
    }
    return false;
}

} // namespace hanabi::host::ptx

#endif
