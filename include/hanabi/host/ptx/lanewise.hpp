// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Loops over the 32 lanes of a warp, compiled twice where the processor may have AVX2 and FMA: which one runs is chosen
/// when a module is decoded.

#ifndef HANABI_HOST_PTX_LANEWISE_HPP
#define HANABI_HOST_PTX_LANEWISE_HPP

#include <hanabi/host/ptx/machine.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__GNUC__)
#define HANABI_PTX_FORCE inline __attribute__((always_inline))
#else
#define HANABI_PTX_FORCE inline
#endif
#if defined(__GNUC__) && defined(__x86_64__)
#define HANABI_PTX_WIDE __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt,f16c")))
#else
#define HANABI_PTX_WIDE
#endif
#if defined(__clang__)
#define HANABI_PTX_LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define HANABI_PTX_LOOP _Pragma("GCC ivdep")
#else
#define HANABI_PTX_LOOP
#endif

#if defined(__clang__) // of some functions there are no vectors to be had, which it would complain of at -O2
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace hanabi::host::ptx {

/// Whether the processor has what the second set of loops needs.
inline bool has_wide_lanes() noexcept {
#if defined(__GNUC__) && defined(__x86_64__)
    static const bool has =
        __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("bmi2") != 0;
    return has;
#else
    return false;
#endif
}

/// d[i] = f(i) for the lanes of the mask. f must be harmless for the others.
template <class D, class F>
HANABI_PTX_FORCE void fill(D* d, std::uint32_t mask, F f) {
    D kept[lanes];
    HANABI_PTX_LOOP
    for (unsigned i = 0; i < lanes; ++i) kept[i] = f(i);
    if (mask == ~0u)
        __builtin_memcpy(static_cast<void*>(d), kept, sizeof kept);
    else {
        HANABI_PTX_LOOP
        for (unsigned i = 0; i < lanes; ++i) d[i] = (mask >> i & 1) != 0 ? kept[i] : d[i];
    }
}

/// The lanes for which f(i) is true.
template <class F>
HANABI_PTX_FORCE std::uint32_t gather_bits(F f) {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < lanes; ++i) bits |= static_cast<std::uint32_t>(f(i) ? 1 : 0) << i;
    return bits;
}

namespace lanewise {

/// One handler for each of the two sets of loops, around the same body. Without optimisation there are no vectors to gain,
/// and one set is enough.
template <class Body>
struct either {
    static void plain(context& c, const instruction& i, std::uint32_t mask) { Body::run(c, i, mask); }
#if defined(__OPTIMIZE__)
    HANABI_PTX_WIDE static void wide(context& c, const instruction& i, std::uint32_t mask) { Body::run(c, i, mask); }
    static handler pick() noexcept { return has_wide_lanes() ? &wide : &plain; }
#else
    static handler pick() noexcept { return &plain; }
#endif
};

template <class D, class A, class F>
struct body1 {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        const A* const a = c.at<A>(in.a);
        fill(c.at<D>(in.d), mask, [&](unsigned i) { return static_cast<D>(F{}(a[i])); });
    }
};
template <class D, class A, class B, class F>
struct body2 {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        const A* const a = c.at<A>(in.a);
        const B* const b = c.at<B>(in.b);
        fill(c.at<D>(in.d), mask, [&](unsigned i) { return static_cast<D>(F{}(a[i], b[i])); });
    }
};
template <class D, class A, class B, class C, class F>
struct body3 {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        const A* const a = c.at<A>(in.a);
        const B* const b = c.at<B>(in.b);
        const C* const third = c.at<C>(in.c);
        fill(c.at<D>(in.d), mask, [&](unsigned i) { return static_cast<D>(F{}(a[i], b[i], third[i])); });
    }
};
template <class D, class A, class B, class C, class E, class F>
struct body4 {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        const A* const a = c.at<A>(in.a);
        const B* const b = c.at<B>(in.b);
        const C* const third = c.at<C>(in.c);
        const E* const fourth = c.at<E>(in.e);
        fill(c.at<D>(in.d), mask, [&](unsigned i) { return static_cast<D>(F{}(a[i], b[i], third[i], fourth[i])); });
    }
};

/// Handlers of a function without state, by the types of the result and of the operands.
template <class D, class A = D, class F>
handler unary(F) noexcept {
    return either<body1<D, A, F>>::pick();
}
template <class D, class A = D, class B = A, class F>
handler binary(F) noexcept {
    return either<body2<D, A, B, F>>::pick();
}
template <class D, class A = D, class B = A, class C = A, class F>
handler ternary(F) noexcept {
    return either<body3<D, A, B, C, F>>::pick();
}
template <class D, class A = D, class B = A, class C = A, class E = C, class F>
handler quaternary(F) noexcept {
    return either<body4<D, A, B, C, E, F>>::pick();
}

} // namespace lanewise

} // namespace hanabi::host::ptx

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
