// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// SIMD video instructions on the bytes or halves of a register: PTX manual, "Video Instructions". Without selectors and
/// masks, which compilers do not write.

#ifndef HANABI_HOST_PTX_VIDEO_HPP
#define HANABI_HOST_PTX_VIDEO_HPP

#include <hanabi/host/ptx/compare.hpp>
#include <hanabi/host/ptx/decoder.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace hanabi::host::ptx {

namespace video_detail {

enum class act : std::uint8_t { add, sub, average, difference, min, max, set };
enum : std::uint8_t { signed_a = 1, signed_b = 2, signed_d = 4, saturate = 8, accumulate = 16 };

/// option: the modifiers; size: bytes of a part; width: what to do; count: a comparison.
inline void run(context& c, const instruction& in, std::uint32_t mask) {
    const unsigned bits = 8u * in.size, parts = 4u / in.size;
    const std::uint32_t all = in.size == 1 ? 0xff : 0xffff;
    const auto part = [&](std::uint32_t v, unsigned k, bool sign) {
        const std::uint32_t raw = v >> (bits * k) & all;
        return sign && (raw >> (bits - 1)) != 0 ? static_cast<std::int64_t>(raw) - (std::int64_t{1} << bits)
                                                : static_cast<std::int64_t>(raw);
    };
    each_lane(mask, [&](unsigned i) {
        const std::uint32_t a = c.at<std::uint32_t>(in.a)[i], b = c.at<std::uint32_t>(in.b)[i], third = c.at<std::uint32_t>(in.c)[i];
        std::uint32_t out = 0;
        std::int64_t sum = 0;
        for (unsigned k = 0; k < parts; ++k) {
            const std::int64_t x = part(a, k, (in.option & signed_a) != 0), y = part(b, k, (in.option & signed_b) != 0);
            std::int64_t v = 0;
            switch (static_cast<act>(in.width)) {
            case act::add: v = x + y; break;
            case act::sub: v = x - y; break;
            case act::average: v = (x + y + ((x + y) >= 0 ? 1 : 0)) >> 1; break;
            case act::difference: v = std::abs(x - y); break;
            case act::min: v = std::min(x, y); break;
            case act::max: v = std::max(x, y); break;
            case act::set: v = compare_detail::compared_by(static_cast<comparison>(in.count), x, y) ? 1 : 0; break;
            }
            if ((in.option & saturate) != 0) {
                const bool sign = (in.option & signed_d) != 0;
                v = std::clamp<std::int64_t>(v, sign ? -(std::int64_t{1} << (bits - 1)) : 0,
                                             sign ? (std::int64_t{1} << (bits - 1)) - 1 : all);
            }
            sum += v;
            out |= (static_cast<std::uint32_t>(v) & all) << (bits * k);
        }
        c.at<std::uint32_t>(in.d)[i] = (in.option & accumulate) != 0 ? third + static_cast<std::uint32_t>(sum) : out;
    });
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
        instruction i = d.make(&video_detail::run);
        i.width = static_cast<std::uint8_t>(known.what);
        i.size = f.op.back() == '4' ? 1 : 2;
        const bool set = known.what == act::set;
        const std::size_t first = set ? 0 : 1;
        decoder::need(s.arguments.size() >= 3 && f.types.size() >= first + 2, "too few operands");
        i.option = static_cast<std::uint8_t>((f.of(first) == type::s32 ? signed_a : 0) | (f.of(first + 1) == type::s32 ? signed_b : 0) |
                                             (!set && f.of(0) == type::s32 ? signed_d : 0) | (f.sat ? saturate : 0) |
                                             (f.has("add") ? accumulate : 0));
        constexpr std::string_view comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};
        for (std::size_t k = 0; set && k < 6; ++k)
            if (f.has(comparisons[k])) i.count = static_cast<std::uint8_t>(k + 1);
        i.a = d.source(s.arguments[1], type::u32);
        i.b = d.source(s.arguments[2], type::u32);
        i.c = s.arguments.size() > 3 ? d.source(s.arguments[3], type::u32) : d.immediate(0, 4);
        i.d = d.destination(s.arguments[0]);
        d.emit(i);
        return true;
    }
    return false;
}

} // namespace hanabi::host::ptx

#endif
