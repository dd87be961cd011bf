// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Integer arithmetic, lane by lane: PTX manual, "Integer Arithmetic Instructions" and "Extended-Precision Integer
/// Arithmetic Instructions".

#ifndef HANABI_HOST_PTX_INTEGER_HPP
#define HANABI_HOST_PTX_INTEGER_HPP

#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/lanewise.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hanabi::host::ptx {

namespace integer_detail {

__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;

template <class T>
struct wider;
template <>
struct wider<std::int16_t> {
    using type = std::int32_t;
};
template <>
struct wider<std::uint16_t> {
    using type = std::uint32_t;
};
template <>
struct wider<std::int32_t> {
    using type = std::int64_t;
};
template <>
struct wider<std::uint32_t> {
    using type = std::uint64_t;
};
template <>
struct wider<std::int64_t> {
    using type = s128;
};
template <>
struct wider<std::uint64_t> {
    using type = u128;
};
template <class T>
using wider_t = typename wider<T>::type;
template <class T>
struct same_width {
    using type = std::make_unsigned_t<T>;
};

/// Calls f with a value of the C++ type of an integer type of 16 to 64 bits.
template <class F>
chosen by_type(type t, F f) {
    switch (t) {
    case type::b16:
    case type::u16: return f(std::uint16_t{});
    case type::s16: return f(std::int16_t{});
    case type::b32:
    case type::u32: return f(std::uint32_t{});
    case type::s32: return f(std::int32_t{});
    case type::b64:
    case type::u64: return f(std::uint64_t{});
    case type::s64: return f(std::int64_t{});
    default: return {};
    }
}

template <class T>
HANABI_PTX_FORCE T wrap_add(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}
template <class T>
HANABI_PTX_FORCE T wrap_sub(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
}
template <class T>
HANABI_PTX_FORCE T wrap_mul(T a, T b) {
    if constexpr (sizeof(T) == 2)
        return static_cast<T>(static_cast<std::uint32_t>(static_cast<std::uint16_t>(a)) * static_cast<std::uint16_t>(b));
    else {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    }
}
template <class T>
HANABI_PTX_FORCE T high_mul(T a, T b) {
    return static_cast<T>((static_cast<wider_t<T>>(a) * static_cast<wider_t<T>>(b)) >> (8 * sizeof(T)));
}
HANABI_PTX_FORCE std::int32_t saturated(std::int64_t v) {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(v, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}
template <class T>
HANABI_PTX_FORCE T quotient(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0}); // what a device's own code leaves; PTX leaves it open
    if constexpr (std::is_signed_v<T>)
        if (b == -1) return wrap_sub<T>(0, a);
    return static_cast<T>(a / b);
}
template <class T>
HANABI_PTX_FORCE T remainder(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
        if (b == -1) return 0;
    return static_cast<T>(a % b);
}
template <class T>
HANABI_PTX_FORCE int zeros(T v) {
    if constexpr (sizeof(T) == 8)
        return v == 0 ? 64 : __builtin_clzll(v);
    else
        return v == 0 ? 32 : __builtin_clz(v);
}
template <class T>
HANABI_PTX_FORCE std::uint32_t find_bit(T value, bool shift) {
    using U = std::make_unsigned_t<T>;
    U v = static_cast<U>(value);
    if constexpr (std::is_signed_v<T>)
        if (value < 0) v = static_cast<U>(~v);
    if (v == 0) return 0xffffffffu;
    const int bit = static_cast<int>(8 * sizeof(T)) - 1 - zeros<U>(v);
    return static_cast<std::uint32_t>(shift ? static_cast<int>(8 * sizeof(T)) - 1 - bit : bit);
}
template <class U>
HANABI_PTX_FORCE U reversed(U v) {
    U out = 0;
    for (unsigned i = 0; i < 8 * sizeof(U); ++i) out = static_cast<U>(out << 1 | (v >> i & 1));
    return out;
}
/// A position or length of a bit field: 32-bit instructions look at its low 8 bits; 64-bit ones, seen on an H200, at all.
template <class T>
HANABI_PTX_FORCE unsigned field_number(std::uint32_t n) {
    return sizeof(T) == 4 ? n & 0xff : std::min(n, 255u);
}
template <class T>
HANABI_PTX_FORCE T extract(T value, std::uint32_t b, std::uint32_t c) {
    constexpr unsigned bits = 8 * sizeof(T);
    using U = std::make_unsigned_t<T>;
    const unsigned pos = field_number<T>(b), len = field_number<T>(c);
    const U v = static_cast<U>(value);
    U sign = 0;
    if constexpr (std::is_signed_v<T>) {
        const unsigned top = std::min(pos + len - 1, bits - 1);
        sign = len == 0 ? U{0} : static_cast<U>(v >> top & 1);
    }
    const U field = pos >= bits ? U{0} : static_cast<U>(v >> pos);
    const unsigned kept = pos >= bits ? 0 : std::min(len, bits - pos);
    const U mask = kept >= bits ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << kept) - 1);
    U out = static_cast<U>(field & mask);
    if (sign != 0) out = static_cast<U>(out | static_cast<U>(~mask)); // the sign fills what lies beyond the field
    if (len == 0) out = 0;
    return static_cast<T>(out);
}
template <class U>
HANABI_PTX_FORCE U inserted(U a, U b, std::uint32_t c, std::uint32_t d) {
    constexpr unsigned bits = 8 * sizeof(U);
    const unsigned pos = field_number<U>(c), len = field_number<U>(d);
    if (pos >= bits || len == 0) return b;
    const unsigned kept = std::min(len, bits - pos);
    const U mask = kept >= bits ? static_cast<U>(~U{0}) : static_cast<U>(((U{1} << kept) - 1) << pos);
    return static_cast<U>((b & ~mask) | ((a << pos) & mask));
}
HANABI_PTX_FORCE std::uint32_t find_nth(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
    if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xffffffffu;
    if (base > 31) return 0xffffffffu;
    int pos = static_cast<int>(base), inc = offset > 0 ? 1 : -1;
    std::int64_t left = offset > 0 ? offset : -static_cast<std::int64_t>(offset);
    while (pos >= 0 && pos < 32) {
        if ((mask >> pos & 1) != 0 && --left == 0) return static_cast<std::uint32_t>(pos);
        pos += inc;
    }
    return 0xffffffffu;
}
HANABI_PTX_FORCE std::int64_t byte_of(std::uint32_t v, unsigned i, bool sign) {
    const std::uint32_t byte = v >> (8 * i) & 0xff;
    return sign ? static_cast<std::int8_t>(byte) : static_cast<std::int64_t>(byte);
}
HANABI_PTX_FORCE std::int64_t half_of(std::uint32_t v, unsigned i, bool sign) {
    const std::uint32_t half = v >> (16 * i) & 0xffff;
    return sign ? static_cast<std::int16_t>(half) : static_cast<std::int64_t>(half);
}
template <bool SA, bool SB>
HANABI_PTX_FORCE std::uint32_t dot4(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::int64_t sum = 0;
    for (unsigned i = 0; i < 4; ++i) sum += byte_of(a, i, SA) * byte_of(b, i, SB);
    return c + static_cast<std::uint32_t>(sum);
}
template <bool SA, bool SB, bool Hi>
HANABI_PTX_FORCE std::uint32_t dot2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::int64_t sum = 0;
    for (unsigned i = 0; i < 2; ++i) sum += half_of(a, i, SA) * byte_of(b, i + (Hi ? 2 : 0), SB);
    return c + static_cast<std::uint32_t>(sum);
}
/// Both halves of a packed pair.
template <class T, class F>
HANABI_PTX_FORCE std::uint32_t pairwise(std::uint32_t a, std::uint32_t b, F f) {
    const auto low = static_cast<std::uint16_t>(f(static_cast<T>(a & 0xffff), static_cast<T>(b & 0xffff)));
    const auto high = static_cast<std::uint16_t>(f(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return low | static_cast<std::uint32_t>(high) << 16;
}

/// add, sub and mad with the carry flag. sub adds what is inverted, as devices do: its flag says that nothing was borrowed, which
/// shows where sub.cc and addc, or add.cc and subc, follow each other.
template <class U, bool Subtract, bool In, bool Out>
struct with_carry {
    static void run(context& c, const instruction& in, std::uint32_t mask) {
        const U* const a = c.at<U>(in.a);
        const U* const b = c.at<U>(in.b);
        U* const d = c.at<U>(in.d);
        std::uint32_t carry = c.w->carry;
        each_lane(mask, [&](unsigned i) {
            const U incoming = In ? static_cast<U>(carry >> i & 1) : U{0};
            bool out;
            U result;
            if constexpr (Subtract) {
                const bool borrow = In && incoming == 0;
                result = static_cast<U>(a[i] - b[i] - borrow);
                out = a[i] > b[i] || (a[i] == b[i] && !borrow);
            } else {
                result = static_cast<U>(a[i] + b[i] + incoming);
                out = result < a[i] || (result == a[i] && (b[i] != 0 && incoming != 0));
            }
            d[i] = result;
            if (Out) carry = (carry & ~(1u << i)) | static_cast<std::uint32_t>(out) << i;
        });
        c.w->carry = carry;
    }
};
template <class T, bool High, bool In, bool Out>
struct mad_with_carry {
    static void run(context& c, const instruction& in, std::uint32_t mask) {
        using U = std::make_unsigned_t<T>;
        const T* const a = c.at<T>(in.a);
        const T* const b = c.at<T>(in.b);
        const U* const third = c.at<U>(in.c);
        U* const d = c.at<U>(in.d);
        std::uint32_t carry = c.w->carry;
        each_lane(mask, [&](unsigned i) {
            const U product = static_cast<U>(High ? high_mul<T>(a[i], b[i]) : wrap_mul<T>(a[i], b[i]));
            const U incoming = In ? static_cast<U>(carry >> i & 1) : U{0};
            const U partial = static_cast<U>(product + third[i]);
            const U result = static_cast<U>(partial + incoming);
            const bool out = partial < product || result < partial;
            d[i] = result;
            if (Out) carry = (carry & ~(1u << i)) | static_cast<std::uint32_t>(out) << i;
        });
        c.w->carry = carry;
    }
};

inline chosen pick_carry(const form& f) {
    const bool in = f.op == "addc" || f.op == "subc" || f.op == "madc", out = f.has("cc");
    const type t = f.of();
    const bool wide = size_of(t) == 8;
    const auto two = [&](auto zero, auto subtract) -> handler {
        using U = decltype(zero);
        constexpr bool sub = decltype(subtract)::value;
        if (in) return out ? &with_carry<U, sub, true, true>::run : &with_carry<U, sub, true, false>::run;
        return &with_carry<U, sub, false, true>::run;
    };
    if (f.op == "add" || f.op == "addc")
        return same(wide ? two(std::uint64_t{}, std::false_type{}) : two(std::uint32_t{}, std::false_type{}), t, 2);
    if (f.op == "sub" || f.op == "subc")
        return same(wide ? two(std::uint64_t{}, std::true_type{}) : two(std::uint32_t{}, std::true_type{}), t, 2);
    const auto three = [&](auto zero) -> handler {
        using T = decltype(zero);
        if (f.has("hi")) {
            if (in) return out ? &mad_with_carry<T, true, true, true>::run : &mad_with_carry<T, true, true, false>::run;
            return &mad_with_carry<T, true, false, true>::run;
        }
        if (in) return out ? &mad_with_carry<T, false, true, true>::run : &mad_with_carry<T, false, true, false>::run;
        return &mad_with_carry<T, false, false, true>::run;
    };
    return by_type(t, [&](auto zero) -> chosen {
        using T = decltype(zero);
        if constexpr (sizeof(T) >= 4)
            return same(three(zero), t, 3);
        else
            return {};
    });
}

inline chosen pick_multiply(const form& f) {
    using lanewise::binary;
    using lanewise::ternary;
    const type t = f.of();
    const bool add = f.op == "mad";
    if (f.has("wide"))
        return by_type(t, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if constexpr (sizeof(T) == 8)
                return {};
            else {
                using W = wider_t<T>;
                const type w = sizeof(T) == 2 ? type::u32 : type::u64;
                if (!add) return typed(binary<W, T>([](T a, T b) { return static_cast<W>(a) * static_cast<W>(b); }), w, {t, t});
                return typed(ternary<W, T, T, W>([](T a, T b, W c) { return wrap_add<W>(static_cast<W>(a) * static_cast<W>(b), c); }), w,
                             {t, t, w});
            }
        });
    if (f.has("hi"))
        return by_type(t, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if (!add) return same(binary<T>([](T a, T b) { return high_mul<T>(a, b); }), t, 2);
            if constexpr (sizeof(T) == 4)
                if (f.sat)
                    return same(ternary<T>([](T a, T b, T c) {
                                    return static_cast<T>(
                                        saturated(static_cast<std::int64_t>(static_cast<std::int32_t>(high_mul<T>(a, b))) +
                                                  static_cast<std::int32_t>(c)));
                                }),
                                t, 3);
            return same(ternary<T>([](T a, T b, T c) { return wrap_add<T>(high_mul<T>(a, b), c); }), t, 3);
        });
    return by_type(t, [&](auto zero) -> chosen {
        using T = decltype(zero);
        if (!add) return same(binary<T>([](T a, T b) { return wrap_mul<T>(a, b); }), t, 2);
        return same(ternary<T>([](T a, T b, T c) { return wrap_add<T>(wrap_mul<T>(a, b), c); }), t, 3);
    });
}

template <bool High, bool Signed>
HANABI_PTX_FORCE std::uint32_t multiply24(std::uint32_t a, std::uint32_t b) {
    if constexpr (Signed) {
        const std::int64_t x = static_cast<std::int32_t>(a << 8) >> 8, y = static_cast<std::int32_t>(b << 8) >> 8;
        return static_cast<std::uint32_t>(High ? (x * y) >> 16 : x * y);
    } else {
        const std::uint64_t p = std::uint64_t{a & 0xffffff} * (b & 0xffffff);
        return static_cast<std::uint32_t>(High ? p >> 16 : p);
    }
}

} // namespace integer_detail

/// The handler of an integer instruction; none for others.
inline chosen pick_integer(const form& f) {
    using namespace integer_detail;
    using lanewise::binary;
    using lanewise::quaternary;
    using lanewise::ternary;
    using lanewise::unary;
    const type t = f.of();
    const auto is = [&](std::string_view name) { return f.op == name; };
    if (is_float(t)) return {};
    if (((is("add") || is("sub") || is("mad")) && f.has("cc")) || is("addc") || is("subc") || is("madc")) return pick_carry(f);
    if (t == type::u16x2 || t == type::s16x2) {
        const bool sign = t == type::s16x2;
        using u = std::uint32_t;
        if (is("add"))
            return same(
                binary<u>([](u a, u b) { return pairwise<std::uint16_t>(a, b, [](std::uint16_t x, std::uint16_t y) { return x + y; }); }),
                t, 2);
        if (is("min") || is("max")) {
            if (is("min") && sign)
                return f.has("relu")
                           ? same(binary<u>([](u a, u b) {
                                      return pairwise<std::int16_t>(
                                          a, b, [](std::int16_t x, std::int16_t y) { return std::max<std::int16_t>(0, std::min(x, y)); });
                                  }),
                                  t, 2)
                           : same(binary<u>([](u a, u b) {
                                      return pairwise<std::int16_t>(a, b, [](std::int16_t x, std::int16_t y) { return std::min(x, y); });
                                  }),
                                  t, 2);
            if (is("max") && sign)
                return f.has("relu")
                           ? same(binary<u>([](u a, u b) {
                                      return pairwise<std::int16_t>(
                                          a, b, [](std::int16_t x, std::int16_t y) { return std::max<std::int16_t>(0, std::max(x, y)); });
                                  }),
                                  t, 2)
                           : same(binary<u>([](u a, u b) {
                                      return pairwise<std::int16_t>(a, b, [](std::int16_t x, std::int16_t y) { return std::max(x, y); });
                                  }),
                                  t, 2);
            if (is("min"))
                return same(binary<u>([](u a, u b) {
                                return pairwise<std::uint16_t>(a, b, [](std::uint16_t x, std::uint16_t y) { return std::min(x, y); });
                            }),
                            t, 2);
            return same(binary<u>([](u a, u b) {
                            return pairwise<std::uint16_t>(a, b, [](std::uint16_t x, std::uint16_t y) { return std::max(x, y); });
                        }),
                        t, 2);
        }
        return {};
    }
    if (is("add") || is("sub")) {
        if (f.sat) {
            if (is("add"))
                return same(binary<std::int32_t>([](std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} + b); }), t, 2);
            return same(binary<std::int32_t>([](std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} - b); }), t, 2);
        }
        return by_type(t, [&](auto zero) -> chosen {
            using T = std::make_unsigned_t<decltype(zero)>;
            if (is("add")) return same(binary<T>([](T a, T b) { return wrap_add<T>(a, b); }), t, 2);
            return same(binary<T>([](T a, T b) { return wrap_sub<T>(a, b); }), t, 2);
        });
    }
    if (is("mul") || is("mad")) return pick_multiply(f);
    if (is("mul24") || is("mad24")) {
        using u = std::uint32_t;
        const bool high = f.has("hi"), sign = t == type::s32;
        if (is("mul24")) {
            if (high)
                return same(sign ? binary<u>([](u a, u b) { return multiply24<true, true>(a, b); })
                                 : binary<u>([](u a, u b) { return multiply24<true, false>(a, b); }),
                            t, 2);
            return same(sign ? binary<u>([](u a, u b) { return multiply24<false, true>(a, b); })
                             : binary<u>([](u a, u b) { return multiply24<false, false>(a, b); }),
                        t, 2);
        }
        if (high && f.sat)
            return same(ternary<u>([](u a, u b, u c) {
                            return static_cast<u>(
                                saturated(static_cast<std::int64_t>(static_cast<std::int32_t>(multiply24<true, true>(a, b))) +
                                          static_cast<std::int32_t>(c)));
                        }),
                        t, 3);
        if (high)
            return same(sign ? ternary<u>([](u a, u b, u c) { return multiply24<true, true>(a, b) + c; })
                             : ternary<u>([](u a, u b, u c) { return multiply24<true, false>(a, b) + c; }),
                        t, 3);
        return same(sign ? ternary<u>([](u a, u b, u c) { return multiply24<false, true>(a, b) + c; })
                         : ternary<u>([](u a, u b, u c) { return multiply24<false, false>(a, b) + c; }),
                    t, 3);
    }
    if (is("dp4a") || is("dp2a")) {
        using u = std::uint32_t;
        const bool sa = f.of(0) == type::s32, sb = f.of(1) == type::s32;
        const auto choose = [&](auto A, auto B) -> handler {
            constexpr bool a = decltype(A)::value, b = decltype(B)::value;
            if (is("dp4a")) return ternary<u>([](u x, u y, u z) { return dot4<a, b>(x, y, z); });
            if (f.has("hi")) return ternary<u>([](u x, u y, u z) { return dot2<a, b, true>(x, y, z); });
            return ternary<u>([](u x, u y, u z) { return dot2<a, b, false>(x, y, z); });
        };
        using std::false_type;
        using std::true_type;
        return same(sa ? (sb ? choose(true_type{}, true_type{}) : choose(true_type{}, false_type{}))
                       : (sb ? choose(false_type{}, true_type{}) : choose(false_type{}, false_type{})),
                    type::u32, 3);
    }
    if (is("sad"))
        return by_type(t, [&](auto zero) -> chosen {
            using T = decltype(zero);
            using U = std::make_unsigned_t<T>;
            return same(ternary<T>([](T a, T b, T c) {
                            const U difference = a < b ? static_cast<U>(static_cast<U>(b) - static_cast<U>(a))
                                                       : static_cast<U>(static_cast<U>(a) - static_cast<U>(b));
                            return wrap_add<T>(c, static_cast<T>(difference));
                        }),
                        t, 3);
        });
    if (is("div") || is("rem") || is("min") || is("max"))
        return by_type(t, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if (is("div")) return same(binary<T>([](T a, T b) { return quotient<T>(a, b); }), t, 2);
            if (is("rem")) return same(binary<T>([](T a, T b) { return remainder<T>(a, b); }), t, 2);
            if (f.has("relu")) {
                if (is("min")) return same(binary<T>([](T a, T b) { return std::max<T>(0, std::min(a, b)); }), t, 2);
                return same(binary<T>([](T a, T b) { return std::max<T>(0, std::max(a, b)); }), t, 2);
            }
            if (is("min")) return same(binary<T>([](T a, T b) { return a < b ? a : b; }), t, 2);
            return same(binary<T>([](T a, T b) { return a > b ? a : b; }), t, 2);
        });
    if (is("abs") || is("neg"))
        return by_type(t, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if (is("neg")) return same(unary<T>([](T a) { return wrap_sub<T>(0, a); }), t, 1);
            return same(unary<T>([](T a) { return a < 0 ? wrap_sub<T>(0, a) : a; }), t, 1);
        });
    const bool wide = size_of(t) == 8;
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;
    if (is("popc"))
        return typed(wide ? unary<u32, u64>([](u64 a) { return __builtin_popcountll(a); })
                          : unary<u32>([](u32 a) { return __builtin_popcount(a); }),
                     type::u32, {t});
    if (is("clz"))
        return typed(wide ? unary<u32, u64>([](u64 a) { return zeros<u64>(a); }) : unary<u32>([](u32 a) { return zeros<u32>(a); }),
                     type::u32, {t});
    if (is("bfind"))
        return by_type(t, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if constexpr (sizeof(T) == 2)
                return {};
            else {
                if (f.has("shiftamt")) return typed(unary<u32, T>([](T a) { return find_bit<T>(a, true); }), type::u32, {t});
                return typed(unary<u32, T>([](T a) { return find_bit<T>(a, false); }), type::u32, {t});
            }
        });
    if (is("fns"))
        return typed(ternary<u32, u32, u32, std::int32_t>([](u32 a, u32 b, std::int32_t c) { return find_nth(a, b, c); }), type::b32,
                     {type::b32, type::b32, type::s32});
    if (is("brev"))
        return same(wide ? unary<u64>([](u64 a) { return reversed<u64>(a); }) : unary<u32>([](u32 a) { return reversed<u32>(a); }), t, 1);
    if (is("bfe"))
        return by_type(t, [&](auto zero) -> chosen {
            using T = decltype(zero);
            if constexpr (sizeof(T) == 2)
                return {};
            else
                return typed(ternary<T, T, u32, u32>([](T a, u32 b, u32 c) { return extract<T>(a, b, c); }), t, {t, type::u32, type::u32});
        });
    if (is("bfi")) {
        if (wide)
            return typed(quaternary<u64, u64, u64, u32>([](u64 a, u64 b, u32 c, u32 d) { return inserted<u64>(a, b, c, d); }), t,
                         {t, t, type::u32, type::u32});
        return typed(quaternary<u32>([](u32 a, u32 b, u32 c, u32 d) { return inserted<u32>(a, b, c, d); }), t,
                     {t, t, type::u32, type::u32});
    }
    if (is("bmsk")) {
        if (f.has("wrap"))
            return same(binary<u32>([](u32 a, u32 b) {
                            a &= 31;
                            b &= 31;
                            return ((1u << b) - 1) << a;
                        }),
                        t, 2);
        return same(binary<u32>([](u32 a, u32 b) { return a >= 32 || b == 0 ? 0u : (b >= 32 ? ~0u : (1u << b) - 1) << a; }), t, 2);
    }
    if (is("szext")) {
        const bool sign = t == type::s32, wrapped = f.has("wrap");
        const auto choose = [&](auto S, auto W) -> handler {
            constexpr bool s = decltype(S)::value, w = decltype(W)::value;
            return binary<u32>([](u32 a, u32 b) -> u32 {
                if (w) b &= 31;
                if (b >= 32) return a;
                if (b == 0) return 0;
                return s ? static_cast<u32>(static_cast<std::int32_t>(a << (32 - b)) >> (32 - b)) : a & ((1u << b) - 1);
            });
        };
        using std::false_type;
        using std::true_type;
        return typed(sign ? (wrapped ? choose(true_type{}, true_type{}) : choose(true_type{}, false_type{}))
                          : (wrapped ? choose(false_type{}, true_type{}) : choose(false_type{}, false_type{})),
                     t, {t, type::u32});
    }
    return {};
}

} // namespace hanabi::host::ptx

#endif
