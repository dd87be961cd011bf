// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Atomic operations: PTX manual, "atom", "red". Done one lane after the other, by the host's own atomic operations, so that
/// blocks on other threads and the host see each of them whole.

#ifndef HANABI_HOST_PTX_ATOMIC_HPP
#define HANABI_HOST_PTX_ATOMIC_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/floating.hpp>
#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/half.hpp>
#include <hanabi/host/ptx/memory_access.hpp>

#include <bit>
#include <cstdint>
#include <mutex>
#include <type_traits>

namespace hanabi::host::ptx {

namespace atomic_detail {

enum class act : std::uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor, exchange, compare };

template <class T>
T combined(act what, T old, T b, T third) noexcept {
    using U = std::make_unsigned_t<T>;
    switch (what) {
    case act::add: return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
    case act::min: return b < old ? b : old;
    case act::max: return b > old ? b : old;
    case act::inc: return old >= b ? T{0} : static_cast<T>(static_cast<U>(old) + 1u);
    case act::dec: return old == 0 || old > b ? b : static_cast<T>(static_cast<U>(old) - 1u);
    case act::bit_and: return static_cast<T>(old & b);
    case act::bit_or: return static_cast<T>(old | b);
    case act::bit_xor: return static_cast<T>(old ^ b);
    case act::exchange: return b;
    default: return old == b ? third : old;
    }
}

/// Changes the value at a place by f, atomically; what was there.
template <class T, class F>
T change(std::byte* at, F f) noexcept {
    T* const p = reinterpret_cast<T*>(at);
    T old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(p, &old, f(old), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return old;
}

template <class T>
T apply_integer(act what, std::byte* at, T b, T third) noexcept {
    T* const p = reinterpret_cast<T*>(at);
    if (what == act::add) return __atomic_fetch_add(p, b, __ATOMIC_SEQ_CST);
    if (what == act::exchange) return __atomic_exchange_n(p, b, __ATOMIC_SEQ_CST);
    if (what == act::compare) {
        T expected = b;
        __atomic_compare_exchange_n(p, &expected, third, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return expected;
    }
    return change<T>(at, [&](T old) { return combined<T>(what, old, b, third); });
}

template <class T>
struct integer_body {
    static void run(context& c, const instruction& in, std::uint32_t mask) {
        places p;
        resolve(c, in, mask, sizeof(T), access::atomic, p);
        c.w->effects |= mask;
        const auto what = static_cast<act>(in.count);
        const T* const b = c.at<T>(in.b);
        const T* const third = in.c.given() ? c.at<T>(in.c) : b;
        T* const d = in.d.given() ? c.at<T>(in.d) : nullptr;
        each_lane(mask, [&](unsigned i) {
            const T old = apply_integer<T>(what, p.at[i], b[i], third[i]);
            if (d != nullptr) d[i] = old;
        });
    }
};

/// Additions (and, of halves, minima and maxima) of floats: bits in, bits out.
inline std::uint64_t apply_float(type t, act what, std::byte* at, std::uint64_t b, bool global) noexcept {
    using half_detail::apply;
    switch (t) {
    case type::f32:
        return change<std::uint32_t>(at, [&](std::uint32_t old) {
            float x = std::bit_cast<float>(old), y = std::bit_cast<float>(static_cast<std::uint32_t>(b));
            if (global) { // there it flushes, in shared memory it does not: PTX manual, atom
                x = floating_detail::flushed<true>(x);
                y = floating_detail::flushed<true>(y);
                return std::bit_cast<std::uint32_t>(floating_detail::canonical(floating_detail::flushed<true>(x + y)));
            }
            return std::bit_cast<std::uint32_t>(floating_detail::canonical(x + y));
        });
    case type::f64:
        return change<std::uint64_t>(
            at, [&](std::uint64_t old) { return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b)); });
    case type::f16:
    case type::bf16:
        return change<std::uint16_t>(at, [&](std::uint16_t old) {
            const auto y = static_cast<std::uint16_t>(b);
            if (t == type::f16)
                return what == act::add   ? apply<false, half_detail::act::add>(old, y, 0, 0)
                       : what == act::min ? apply<false, half_detail::act::min>(old, y, 0, 0)
                                          : apply<false, half_detail::act::max>(old, y, 0, 0);
            return what == act::add   ? apply<true, half_detail::act::add>(old, y, 0, 0)
                   : what == act::min ? apply<true, half_detail::act::min>(old, y, 0, 0)
                                      : apply<true, half_detail::act::max>(old, y, 0, 0);
        });
    default: { // each half by itself is atomic
        const type element = t == type::f16x2 ? type::f16 : type::bf16;
        const std::uint64_t low = apply_float(element, what, at, b & 0xffff, global);
        return low | apply_float(element, what, at + 2, b >> 16, global) << 16;
    }
    }
}
/// Floats, alone or as the elements of a vector.
inline void float_body(context& c, const instruction& in, std::uint32_t mask) {
    places p;
    const unsigned elements = in.width;
    resolve(c, in, mask, static_cast<unsigned>(in.size) * elements, access::atomic, p);
    c.w->effects |= mask;
    const bool global = in.in != space::shared && in.in != space::shared_cluster;
    each_lane(mask, [&](unsigned i) {
        for (unsigned k = 0; k < elements; ++k) {
            const operand b = elements == 1 ? in.b : c.l->code->extra[in.target + elements + k];
            const operand d = elements == 1 ? in.d : c.l->code->extra[in.target + k];
            const bool outside = global && !(p.at[i] >= c.b->shared.data() && p.at[i] < c.b->shared.data() + c.b->shared_size);
            const std::uint64_t old = apply_float(in.kind_of, static_cast<act>(in.count), p.at[i] + static_cast<std::size_t>(in.size) * k,
                                                  wide_value(c, b, in.size, i), outside);
            if (d.given()) set_value(c, d, in.size, i, old);
        }
    });
}

/// 16 bytes: exchange and compare-and-swap, under one lock.
inline void wide_body(context& c, const instruction& in, std::uint32_t mask) {
    static std::mutex lock;
    places p;
    resolve(c, in, mask, 16, access::atomic, p);
    c.w->effects |= mask;
    using logic_detail::quad;
    const std::lock_guard hold{lock};
    each_lane(mask, [&](unsigned i) {
        const quad old = memory_detail::fetch<quad>(p.at[i]), b = c.at<quad>(in.b)[i];
        if (static_cast<act>(in.count) == act::exchange)
            memory_detail::put<quad>(p.at[i], b);
        else if (old.low == b.low && old.high == b.high)
            memory_detail::put<quad>(p.at[i], c.at<quad>(in.c)[i]);
        if (in.d.given()) c.at<quad>(in.d)[i] = old;
    });
}

inline bool find_act(const form& f, act& out) noexcept {
    constexpr struct {
        std::string_view name;
        act what;
    } all[] = {{"add", act::add},     {"min", act::min},   {"max", act::max},     {"inc", act::inc},       {"dec", act::dec},
               {"and", act::bit_and}, {"or", act::bit_or}, {"xor", act::bit_xor}, {"exch", act::exchange}, {"cas", act::compare}};
    for (const auto& known : all)
        if (f.has(known.name)) {
            out = known.what;
            return true;
        }
    return false;
}

inline handler pick(type t) noexcept {
    switch (t) {
    case type::b16:
    case type::u16: return &integer_body<std::uint16_t>::run;
    case type::b32:
    case type::u32: return &integer_body<std::uint32_t>::run;
    case type::s32: return &integer_body<std::int32_t>::run;
    case type::b64:
    case type::u64: return &integer_body<std::uint64_t>::run;
    case type::s64: return &integer_body<std::int64_t>::run;
    case type::b128: return &wide_body;
    default: return is_float(t) ? &float_body : nullptr;
    }
}

} // namespace atomic_detail

} // namespace hanabi::host::ptx

#endif
