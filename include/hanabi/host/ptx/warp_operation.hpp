// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Operations between the lanes of a warp: PTX manual, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "activemask",
/// "elect.sync". The loop that steps through a program brings the lanes together first: the mask here is all that take part.

#ifndef HANABI_HOST_PTX_WARP_OPERATION_HPP
#define HANABI_HOST_PTX_WARP_OPERATION_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/floating.hpp>
#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/lanewise.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace hanabi::host::ptx {

namespace warp_detail {

inline void set_predicate(context& c, operand p, std::uint32_t mask, std::uint32_t bits) {
    if (!p.given()) return;
    std::uint32_t& d = c.predicate(p);
    d = (d & ~mask) | (bits & mask);
}

/// shfl takes values of lanes: those that have ended have none. (Other operations go on without them: the manual has them
/// wait for the threads of the mask that have not exited.) What comes from a lane outside of the mask is no fault: the manual
/// leaves it open, devices give 0 (seen on sm_90), and published sums over part of a warp rely on it.
inline void need_values(const context& c, const instruction& in, std::uint32_t mask) {
    if (!in.e.given()) return;
    const std::uint32_t named = c.at<std::uint32_t>(in.e)[first_lane(mask)];
    if (const std::uint32_t ended = named & c.w->born & ~c.w->alive; ended != 0)
        throw fault{driver::status::launch_failed,
                    detail::say("A shuffle names lanes ", detail::address_text(named), " in its mask, and lanes ",
                                detail::address_text(ended), " have ended"),
                    first_lane(mask)};
}

[[noreturn]] HANABI_COLD inline void never_there(std::uint32_t named, unsigned from, unsigned lane) {
    throw fault{driver::status::launch_failed,
                detail::say("A shuffle takes the value of lane ", from, ", which its mask ", detail::address_text(named),
                            " names and the block does not have"),
                lane};
}

enum class shuffle : std::uint8_t { up, down, butterfly, index };

/// target: the predicate, as operand::where.
template <shuffle Mode>
void shuffled(context& c, const instruction& in, std::uint32_t mask) {
    const std::uint32_t* const a = c.at<std::uint32_t>(in.a);
    const std::uint32_t* const b = c.at<std::uint32_t>(in.b);
    const std::uint32_t* const clamp = c.at<std::uint32_t>(in.c);
    std::uint32_t out[lanes]{};
    std::uint32_t valid = 0;
    need_values(c, in, mask);
    const std::uint32_t named = in.e.given() ? c.at<std::uint32_t>(in.e)[first_lane(mask)] : 0;
    each_lane(mask, [&](unsigned i) {
        const std::uint32_t segment = clamp[i] >> 8 & 31, bound = clamp[i] & 31, by = b[i] & 31;
        const auto most = static_cast<int>((i & segment) | (bound & ~segment & 31));
        const auto least = static_cast<int>(i & segment);
        int j = 0;
        bool inside = false;
        switch (Mode) {
        case shuffle::up:
            j = static_cast<int>(i) - static_cast<int>(by);
            inside = j >= most;
            break;
        case shuffle::down:
            j = static_cast<int>(i + by);
            inside = j <= most;
            break;
        case shuffle::butterfly:
            j = static_cast<int>(i ^ by);
            inside = j <= most;
            break;
        case shuffle::index:
            j = least | static_cast<int>(by & ~segment & 31);
            inside = j <= most;
            break;
        }
        if (!inside) j = static_cast<int>(i);
        out[i] = (mask >> j & 1) != 0 ? a[j] : 0;
        if ((named & ~mask) >> j & 1) never_there(named, static_cast<unsigned>(j), i);
        valid |= static_cast<std::uint32_t>(inside) << i;
    });
    if (in.d.given()) {
        std::uint32_t* const d = c.at<std::uint32_t>(in.d);
        each_lane(mask, [&](unsigned i) { d[i] = out[i]; });
    }
    set_predicate(c, {in.target}, mask, valid);
}

enum class poll : std::uint8_t { all, any, uniform, ballot };

/// option: the source is negated.
template <poll Mode>
void voted(context& c, const instruction& in, std::uint32_t mask) {
    const std::uint32_t votes = (in.option != 0 ? ~c.predicate(in.a) : c.predicate(in.a)) & mask;
    switch (Mode) {
    case poll::all: set_predicate(c, in.d, mask, votes == mask ? ~0u : 0); break;
    case poll::any: set_predicate(c, in.d, mask, votes != 0 ? ~0u : 0); break;
    case poll::uniform: set_predicate(c, in.d, mask, votes == mask || votes == 0 ? ~0u : 0); break;
    case poll::ballot: {
        std::uint32_t* const d = c.at<std::uint32_t>(in.d);
        each_lane(mask, [&](unsigned i) { d[i] = votes; });
        break;
    }
    }
}

template <class T, bool All>
void matched(context& c, const instruction& in, std::uint32_t mask) {
    const T* const a = c.at<T>(in.a);
    std::uint32_t out[lanes]{};
    bool equal = true;
    const T first = a[first_lane(mask)];
    each_lane(mask, [&](unsigned i) {
        equal = equal && a[i] == first;
        each_lane(mask, [&](unsigned j) { out[i] |= static_cast<std::uint32_t>(a[i] == a[j]) << j; });
    });
    std::uint32_t* const d = c.at<std::uint32_t>(in.d);
    each_lane(mask, [&](unsigned i) { d[i] = All ? (equal ? mask : 0) : out[i]; });
    if (All) set_predicate(c, {in.target}, mask, equal ? ~0u : 0);
}

enum class fold : std::uint8_t { add, min, max, bit_and, bit_or, bit_xor };

template <class T, fold Mode>
void reduced(context& c, const instruction& in, std::uint32_t mask) {
    const T* const a = c.at<T>(in.a);
    T sum = a[first_lane(mask)];
    each_lane(mask & (mask - 1), [&](unsigned i) {
        const T v = a[i];
        switch (Mode) {
        case fold::add: sum = static_cast<T>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(v)); break;
        case fold::min: sum = std::min(sum, v); break;
        case fold::max: sum = std::max(sum, v); break;
        case fold::bit_and: sum = static_cast<T>(sum & v); break;
        case fold::bit_or: sum = static_cast<T>(sum | v); break;
        case fold::bit_xor: sum = static_cast<T>(sum ^ v); break;
        }
    });
    T* const d = c.at<T>(in.d);
    each_lane(mask, [&](unsigned i) { d[i] = sum; });
}
/// redux.f32; option: 1 maximum, 2 of magnitudes, 4 NaN wins.
inline void reduced_float(context& c, const instruction& in, std::uint32_t mask) {
    const float* const a = c.at<float>(in.a);
    const auto value = [&](unsigned i) { return (in.option & 2) != 0 ? std::fabs(a[i]) : a[i]; };
    float sum = value(first_lane(mask));
    each_lane(mask & (mask - 1), [&](unsigned i) {
        const float v = value(i);
        if ((in.option & 4) != 0 && (v != v || sum != sum))
            sum = std::bit_cast<float>(0x7fffffffu);
        else
            sum = (in.option & 1) != 0 ? floating_detail::max_op::of(sum, v) : floating_detail::min_op::of(sum, v);
    });
    float* const d = c.at<float>(in.d);
    each_lane(mask, [&](unsigned i) { d[i] = floating_detail::canonical(sum); });
}

inline void active(context& c, const instruction& in, std::uint32_t mask) {
    std::uint32_t* const d = c.at<std::uint32_t>(in.d);
    each_lane(mask, [&](unsigned i) { d[i] = mask; });
}
inline void elected(context& c, const instruction& in, std::uint32_t mask) {
    const unsigned leader = first_lane(mask);
    if (in.d.given()) {
        std::uint32_t* const d = c.at<std::uint32_t>(in.d);
        each_lane(mask, [&](unsigned i) { d[i] = leader; });
    }
    set_predicate(c, {in.target}, mask, 1u << leader);
}
inline void nothing(context&, const instruction&, std::uint32_t) {}

} // namespace warp_detail

/// The handler of an operation between lanes; null for others.
inline handler pick_warp_operation(const form& f) noexcept {
    using namespace warp_detail;
    const type t = f.of();
    if (f.op == "shfl") {
        if (f.has("up")) return &shuffled<shuffle::up>;
        if (f.has("down")) return &shuffled<shuffle::down>;
        return f.has("bfly") ? &shuffled<shuffle::butterfly> : &shuffled<shuffle::index>;
    }
    if (f.op == "vote") {
        if (f.has("all")) return &voted<poll::all>;
        if (f.has("any")) return &voted<poll::any>;
        return f.has("uni") ? &voted<poll::uniform> : &voted<poll::ballot>;
    }
    if (f.op == "match") {
        if (f.has("all")) return t == type::b64 ? &matched<std::uint64_t, true> : &matched<std::uint32_t, true>;
        return t == type::b64 ? &matched<std::uint64_t, false> : &matched<std::uint32_t, false>;
    }
    if (f.op == "redux") {
        if (t == type::f32) return &reduced_float;
        if (f.has("add")) return &reduced<std::uint32_t, fold::add>;
        if (f.has("and")) return &reduced<std::uint32_t, fold::bit_and>;
        if (f.has("or")) return &reduced<std::uint32_t, fold::bit_or>;
        if (f.has("xor")) return &reduced<std::uint32_t, fold::bit_xor>;
        if (f.has("min")) return t == type::s32 ? &reduced<std::int32_t, fold::min> : &reduced<std::uint32_t, fold::min>;
        return t == type::s32 ? &reduced<std::int32_t, fold::max> : &reduced<std::uint32_t, fold::max>;
    }
    if (f.op == "activemask") return &active;
    if (f.op == "elect") return &elected;
    return nullptr;
}

} // namespace hanabi::host::ptx

#endif
