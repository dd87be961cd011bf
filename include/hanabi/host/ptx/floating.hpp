// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Arithmetic of f32 and f64, lane by lane: PTX manual, "Floating Point Instructions". Directed rounding is the business of
/// the loop that steps through a program: it sets the mode around the handler (step::rounded). Approximate instructions are
/// computed as exactly as the host can. A NaN of f32 is the canonical one, as devices make it.

#ifndef HANABI_HOST_PTX_FLOATING_HPP
#define HANABI_HOST_PTX_FLOATING_HPP

#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/lanewise.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hanabi::host::ptx {

namespace floating_detail {

/// A subnormal becomes a zero of its sign.
template <bool Ftz>
HANABI_PTX_FORCE float flushed(float v) {
    if constexpr (!Ftz) return v;
    const auto bits = std::bit_cast<std::uint32_t>(v);
    return std::bit_cast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
template <bool Ftz>
HANABI_PTX_FORCE double flushed(double v) {
    return v;
}
HANABI_PTX_FORCE float canonical(float v) { return v != v ? std::bit_cast<float>(0x7fffffffu) : v; }
HANABI_PTX_FORCE double canonical(double v) { return v; }

template <bool Ftz, bool Sat, class T>
HANABI_PTX_FORCE T finished(T v) {
    v = flushed<Ftz>(v);
    if constexpr (Sat) {
        v = v > T{0} ? v : T{0}; // NaN too
        return v < T{1} ? v : T{1};
    }
    return canonical(v);
}

struct add_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        return a + b;
    }
};
struct sub_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        return a - b;
    }
};
struct mul_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        return a * b;
    }
};
struct div_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        return a / b;
    }
};
/// div.approx.f32 multiplies by a reciprocal, which is zero once it is subnormal.
struct rough_div_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        const bool vanishes = std::fabs(b) > static_cast<T>(0x1p126f);
        return vanishes ? a * std::copysign(T{0}, b) : a / b;
    }
};
/// Not a NaN where one operand is none; -0 is below +0.
struct min_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        if (a == b) return std::signbit(a) ? a : b;
        return a < b ? a : b;
    }
};
struct max_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        if (a == b) return std::signbit(a) ? b : a;
        return a > b ? a : b;
    }
};
template <class Op>
struct nan_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
        return Op::of(a, b);
    }
};
/// The smaller or larger magnitude.
template <class Op>
struct magnitude_op {
    template <class T>
    HANABI_PTX_FORCE static T of(T a, T b) {
        return Op::of(std::fabs(a), std::fabs(b));
    }
};
/// The smaller or larger magnitude with the product's sign.
template <class Op>
struct xorsign_op {
    HANABI_PTX_FORCE static float of(float a, float b) {
        const auto sign = (std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b)) & 0x80000000u;
        const float m = Op::of(std::fabs(a), std::fabs(b));
        return m != m ? m : std::bit_cast<float>(std::bit_cast<std::uint32_t>(m) | sign);
    }
    HANABI_PTX_FORCE static double of(double a, double) { return a; }
};

HANABI_PTX_FORCE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HANABI_PTX_FORCE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <class T, class Op>
chosen two(const form& f) {
    using lanewise::binary;
    const type t = sizeof(T) == 4 ? type::f32 : type::f64;
    if (f.ftz && f.sat)
        return same(binary<T>([](T a, T b) { return finished<true, true, T>(Op::of(flushed<true>(a), flushed<true>(b))); }), t, 2);
    if (f.ftz) return same(binary<T>([](T a, T b) { return finished<true, false, T>(Op::of(flushed<true>(a), flushed<true>(b))); }), t, 2);
    if (f.sat) return same(binary<T>([](T a, T b) { return finished<false, true, T>(Op::of(a, b)); }), t, 2);
    return same(binary<T>([](T a, T b) { return finished<false, false, T>(Op::of(a, b)); }), t, 2);
}
template <class T>
chosen fma_of(const form& f) {
    using lanewise::ternary;
    const type t = sizeof(T) == 4 ? type::f32 : type::f64;
    if (f.ftz && f.sat)
        return same(
            ternary<T>([](T a, T b, T c) { return finished<true, true, T>(fused(flushed<true>(a), flushed<true>(b), flushed<true>(c))); }),
            t, 3);
    if (f.ftz)
        return same(
            ternary<T>([](T a, T b, T c) { return finished<true, false, T>(fused(flushed<true>(a), flushed<true>(b), flushed<true>(c))); }),
            t, 3);
    if (f.sat) return same(ternary<T>([](T a, T b, T c) { return finished<false, true, T>(fused(a, b, c)); }), t, 3);
    return same(ternary<T>([](T a, T b, T c) { return finished<false, false, T>(fused(a, b, c)); }), t, 3);
}
template <class T, class Op>
chosen one(const form& f) {
    using lanewise::unary;
    const type t = sizeof(T) == 4 ? type::f32 : type::f64;
    if (f.ftz) return same(unary<T>([](T a) { return finished<true, false, T>(Op::of(flushed<true>(a))); }), t, 1);
    return same(unary<T>([](T a) { return finished<false, false, T>(Op::of(a)); }), t, 1);
}
template <class T, class Op>
chosen extremum(const form& f) {
    if (f.has("xorsign")) return f.has("NaN") ? two<T, xorsign_op<nan_op<Op>>>(f) : two<T, xorsign_op<Op>>(f);
    if (f.has("abs")) return f.has("NaN") ? two<T, magnitude_op<nan_op<Op>>>(f) : two<T, magnitude_op<Op>>(f);
    return f.has("NaN") ? two<T, nan_op<Op>>(f) : two<T, Op>(f);
}

struct reciprocal {
    template <class T>
    HANABI_PTX_FORCE static T of(T a) {
        return T{1} / a;
    }
};
struct root {
    HANABI_PTX_FORCE static float of(float a) { return __builtin_sqrtf(a); }
    HANABI_PTX_FORCE static double of(double a) { return __builtin_sqrt(a); }
};
struct reciprocal_root {
    HANABI_PTX_FORCE static float of(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
    HANABI_PTX_FORCE static double of(double a) { return 1.0 / std::sqrt(a); }
};
struct sine {
    static float of(float a) { return static_cast<float>(std::sin(static_cast<double>(a))); }
};
struct cosine {
    static float of(float a) { return static_cast<float>(std::cos(static_cast<double>(a))); }
};
struct logarithm {
    static float of(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
};
struct exponential {
    static float of(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
};
struct hyperbolic_tangent {
    static float of(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); }
};

/// The 64-bit approximations look at the upper 32 bits only, and answer with them.
struct rough_reciprocal {
    static double of(double a) {
        const double cut = std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0xffffffff00000000u);
        const double r = 1.0 / cut;
        if (r != r) return std::bit_cast<double>(std::uint64_t{0x7fffffff00000000u});
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(std::fpclassify(r) == FP_SUBNORMAL ? std::copysign(0.0, r) : r) &
                                     0xffffffff00000000u);
    }
};
struct rough_reciprocal_root {
    static double of(double a) {
        const double cut = std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0xffffffff00000000u);
        const double r = 1.0 / std::sqrt(std::fpclassify(cut) == FP_SUBNORMAL ? std::copysign(0.0, cut) : cut);
        if (r != r) return std::bit_cast<double>(std::uint64_t{0x7fffffff00000000u});
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(r) & 0xffffffff00000000u);
    }
};

template <class T>
chosen arithmetic(const form& f) {
    const auto is = [&](std::string_view name) { return f.op == name; };
    const type t = sizeof(T) == 4 ? type::f32 : type::f64;
    using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr U sign = U{1} << (8 * sizeof(T) - 1);
    if (is("add")) return two<T, add_op>(f);
    if (is("sub")) return two<T, sub_op>(f);
    if (is("mul")) return two<T, mul_op>(f);
    if (is("div")) return f.has("approx") ? two<T, rough_div_op>(f) : two<T, div_op>(f);
    if (is("fma") || is("mad")) return fma_of<T>(f);
    if (is("min")) return extremum<T, min_op>(f);
    if (is("max")) return extremum<T, max_op>(f);
    if (is("neg")) { // the sign alone: of NaNs too
        if (f.ftz) return same(lanewise::unary<T>([](T a) { return std::bit_cast<T>(std::bit_cast<U>(flushed<true>(a)) ^ sign); }), t, 1);
        return same(lanewise::unary<U>([](U a) { return a ^ sign; }), t, 1);
    }
    if (is("abs")) {
        if (f.ftz)
            return same(
                lanewise::unary<T>([](T a) { return std::bit_cast<T>(static_cast<U>(std::bit_cast<U>(flushed<true>(a)) & ~sign)); }), t, 1);
        return same(lanewise::unary<U>([](U a) { return a & ~sign; }), t, 1);
    }
    if (is("copysign")) return same(lanewise::binary<U>([](U a, U b) { return (b & ~sign) | (a & sign); }), t, 2);
    if (is("sqrt")) return one<T, root>(f);
    if (is("rcp")) {
        if constexpr (sizeof(T) == 8)
            if (f.has("approx")) return same(lanewise::unary<T>([](T a) { return rough_reciprocal::of(a); }), t, 1);
        return one<T, reciprocal>(f);
    }
    if (is("rsqrt")) {
        if constexpr (sizeof(T) == 8)
            if (f.ftz) return same(lanewise::unary<T>([](T a) { return rough_reciprocal_root::of(a); }), t, 1);
        return one<T, reciprocal_root>(f);
    }
    if constexpr (sizeof(T) == 4) {
        if (is("sin")) return one<T, sine>(f);
        if (is("cos")) return one<T, cosine>(f);
        if (is("lg2")) return one<T, logarithm>(f);
        if (is("ex2")) return one<T, exponential>(f);
        if (is("tanh")) return one<T, hyperbolic_tangent>(f);
    }
    return {};
}

/// Two f32 in one register.
template <class Op>
struct paired {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        const std::uint64_t* const a = c.at<std::uint64_t>(in.a);
        const std::uint64_t* const b = c.at<std::uint64_t>(in.b);
        const std::uint64_t* const third = in.c.given() ? c.at<std::uint64_t>(in.c) : a;
        fill(c.at<std::uint64_t>(in.d), mask, [&](unsigned i) {
            const float low = Op::of(part(a[i], 0), part(b[i], 0), part(third[i], 0));
            const float high = Op::of(part(a[i], 1), part(b[i], 1), part(third[i], 1));
            return static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(canonical(low))) |
                   static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(canonical(high))) << 32;
        });
    }
    HANABI_PTX_FORCE static float part(std::uint64_t v, unsigned i) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(v >> (32 * i)));
    }
};
template <bool Ftz>
struct pair_add {
    HANABI_PTX_FORCE static float of(float a, float b, float) { return flushed<Ftz>(flushed<Ftz>(a) + flushed<Ftz>(b)); }
};
template <bool Ftz>
struct pair_sub {
    HANABI_PTX_FORCE static float of(float a, float b, float) { return flushed<Ftz>(flushed<Ftz>(a) - flushed<Ftz>(b)); }
};
template <bool Ftz>
struct pair_mul {
    HANABI_PTX_FORCE static float of(float a, float b, float) { return flushed<Ftz>(flushed<Ftz>(a) * flushed<Ftz>(b)); }
};
template <bool Ftz>
struct pair_fma {
    HANABI_PTX_FORCE static float of(float a, float b, float c) {
        return flushed<Ftz>(fused(flushed<Ftz>(a), flushed<Ftz>(b), flushed<Ftz>(c)));
    }
};

inline chosen pairs(const form& f) {
    using lanewise::either;
    const type t = type::f32x2;
    if (f.op == "add") return same(f.ftz ? either<paired<pair_add<true>>>::pick() : either<paired<pair_add<false>>>::pick(), t, 2);
    if (f.op == "sub") return same(f.ftz ? either<paired<pair_sub<true>>>::pick() : either<paired<pair_sub<false>>>::pick(), t, 2);
    if (f.op == "mul") return same(f.ftz ? either<paired<pair_mul<true>>>::pick() : either<paired<pair_mul<false>>>::pick(), t, 2);
    if (f.op == "fma") return same(f.ftz ? either<paired<pair_fma<true>>>::pick() : either<paired<pair_fma<false>>>::pick(), t, 3);
    return {};
}

/// testp: what kind of number it is.
template <class T, int Kind>
struct test {
    static void run(context& c, const instruction& in, std::uint32_t mask) {
        const T* const a = c.at<T>(in.a);
        const std::uint32_t bits = gather_bits([&](unsigned i) {
            const int is = std::fpclassify(a[i]);
            switch (Kind) {
            case 0: return std::isfinite(a[i]);
            case 1: return is == FP_INFINITE;
            case 2: return is != FP_NAN;
            case 3: return is == FP_NAN;
            case 4: return is == FP_NORMAL || is == FP_ZERO; // zero too, as a GPU answers
            default: return is == FP_SUBNORMAL;
            }
        });
        std::uint32_t& d = c.predicate(in.d);
        d = (d & ~mask) | (bits & mask);
    }
};
template <class T>
chosen tests(const form& f) {
    const type t = sizeof(T) == 4 ? type::f32 : type::f64;
    const auto out = [&](handler h) { return typed(h, type::pred, {t}); };
    if (f.has("finite")) return out(&test<T, 0>::run);
    if (f.has("infinite")) return out(&test<T, 1>::run);
    if (f.has("number")) return out(&test<T, 2>::run);
    if (f.has("notanumber")) return out(&test<T, 3>::run);
    if (f.has("normal")) return out(&test<T, 4>::run);
    return out(&test<T, 5>::run);
}

} // namespace floating_detail

/// The handler of an instruction on f32, f64 or pairs of f32; none for others.
inline chosen pick_floating(const form& f) {
    const type t = f.of();
    if (f.types.size() > 1) return {};
    if (f.op == "testp") return t == type::f32 ? floating_detail::tests<float>(f) : floating_detail::tests<double>(f);
    if (t == type::f32) return floating_detail::arithmetic<float>(f);
    if (t == type::f64) return floating_detail::arithmetic<double>(f);
    if (t == type::f32x2) return floating_detail::pairs(f);
    return {};
}

} // namespace hanabi::host::ptx

#endif
