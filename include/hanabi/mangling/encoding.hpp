// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The encoding of a type in mangled names, before substitutions.

#ifndef HANABI_MANGLING_ENCODING_HPP
#define HANABI_MANGLING_ENCODING_HPP

#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi::detail {

/// Texts one after the other.
template <std::size_t... N>
constexpr auto joined(const text<N>&... parts) {
    text<(N + ... + 0)> result;
    char* out = result.characters;
    const auto append = [&out](const char* from, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) *out++ = from[i];
    };
    (append(parts.characters, N), ...);
    return result;
}

template <class T>
constexpr auto encode_class(); // hanabi/mangling/class_encoding.hpp

/// The encoding of T without substitutions: `PKN4math3VecE` for const math::Vec*. One object a type, shared by all the
/// kernels that have it.
template <class T>
inline constexpr auto encoded = encode_class<T>();

template <>
inline constexpr text<1> encoded<void>{"v"};
template <>
inline constexpr text<1> encoded<bool>{"b"};
template <>
inline constexpr text<1> encoded<char>{"c"};
template <>
inline constexpr text<1> encoded<signed char>{"a"};
template <>
inline constexpr text<1> encoded<unsigned char>{"h"};
template <>
inline constexpr text<1> encoded<short>{"s"};
template <>
inline constexpr text<1> encoded<unsigned short>{"t"};
template <>
inline constexpr text<1> encoded<int>{"i"};
template <>
inline constexpr text<1> encoded<unsigned>{"j"};
template <>
inline constexpr text<1> encoded<long>{"l"};
template <>
inline constexpr text<1> encoded<unsigned long>{"m"};
template <>
inline constexpr text<1> encoded<long long>{"x"};
template <>
inline constexpr text<1> encoded<unsigned long long>{"y"};
template <>
inline constexpr text<1> encoded<float>{"f"};
template <>
inline constexpr text<1> encoded<double>{"d"};
template <>
inline constexpr text<1> encoded<long double>{"e"};
template <>
inline constexpr text<1> encoded<wchar_t>{"w"};
template <>
inline constexpr text<2> encoded<char8_t>{"Du"};
template <>
inline constexpr text<2> encoded<char16_t>{"Ds"};
template <>
inline constexpr text<2> encoded<char32_t>{"Di"};
template <>
inline constexpr text<2> encoded<decltype(nullptr)>{"Dn"};
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 unsigned_int128;
template <>
inline constexpr text<1> encoded<int128>{"n"};
template <>
inline constexpr text<1> encoded<unsigned_int128>{"o"};
#endif

template <class T>
inline constexpr auto encoded<T*> = joined(text<1>{"P"}, encoded<T>);
template <class T>
inline constexpr auto encoded<T&> = joined(text<1>{"R"}, encoded<T>);
template <class T>
inline constexpr auto encoded<T&&> = joined(text<1>{"O"}, encoded<T>);
template <class T>
inline constexpr auto encoded<const T> = joined(text<1>{"K"}, encoded<T>);
template <class T>
inline constexpr auto encoded<volatile T> = joined(text<1>{"V"}, encoded<T>);
template <class T>
inline constexpr auto encoded<const volatile T> = joined(text<2>{"VK"}, encoded<T>);

// __restrict__ counts where it is not at the top of a parameter.
#if defined(__GNUC__)
template <class T>
inline constexpr auto encoded<T* __restrict__> = joined(text<2>{"rP"}, encoded<T>);
template <class T>
inline constexpr auto encoded<T* __restrict__ const> = joined(text<3>{"rKP"}, encoded<T>);
template <class T>
inline constexpr auto encoded<T* __restrict__ volatile> = joined(text<3>{"rVP"}, encoded<T>);
template <class T>
inline constexpr auto encoded<T* __restrict__ const volatile> = joined(text<4>{"rVKP"}, encoded<T>);
#endif

/// An unsigned number in decimal.
template <unsigned long long Value>
constexpr auto decimal() {
    constexpr auto digits = [] {
        std::size_t n = 1;
        for (auto v = Value; v >= 10; v /= 10) ++n;
        return n;
    }();
    text<digits> result;
    auto v = Value;
    for (std::size_t i = digits; i > 0; v /= 10) result.characters[--i] = static_cast<char>('0' + v % 10);
    return result;
}

// Arrays; the qualifiers of an array are those of its elements.
template <class T, std::size_t N>
inline constexpr auto encoded<T[N]> = joined(text<1>{"A"}, decimal<N>(), text<1>{"_"}, encoded<T>);
template <class T, std::size_t N>
inline constexpr auto encoded<const T[N]> = joined(text<1>{"A"}, decimal<N>(), text<1>{"_"}, encoded<const T>);
template <class T, std::size_t N>
inline constexpr auto encoded<volatile T[N]> = joined(text<1>{"A"}, decimal<N>(), text<1>{"_"}, encoded<volatile T>);
template <class T, std::size_t N>
inline constexpr auto encoded<const volatile T[N]> = joined(text<1>{"A"}, decimal<N>(), text<1>{"_"}, encoded<const volatile T>);
template <class T>
inline constexpr auto encoded<T[]> = joined(text<2>{"A_"}, encoded<T>);
template <class T>
inline constexpr auto encoded<const T[]> = joined(text<2>{"A_"}, encoded<const T>);
template <class T>
inline constexpr auto encoded<volatile T[]> = joined(text<2>{"A_"}, encoded<volatile T>);
template <class T>
inline constexpr auto encoded<const volatile T[]> = joined(text<2>{"A_"}, encoded<const volatile T>);

template <class C, class T>
inline constexpr auto encoded<T C::*> = joined(text<1>{"M"}, encoded<C>, encoded<T>);

/// F, result, parameters, what stands before the E.
template <std::size_t N, std::size_t M, class R, class... P>
constexpr auto encode_function(const text<N>& before, const text<M>& reference) {
    if constexpr (sizeof...(P) == 0)
        return joined(before, text<1>{"F"}, encoded<R>, text<1>{"v"}, reference, text<1>{"E"});
    else
        return joined(before, text<1>{"F"}, encoded<R>, encoded<P>..., reference, text<1>{"E"});
}
template <std::size_t N, std::size_t M, class R, class... P>
constexpr auto encode_variadic(const text<N>& before, const text<M>& reference) {
    return joined(before, text<1>{"F"}, encoded<R>, encoded<P>..., text<1>{"z"}, reference, text<1>{"E"});
}

// Function types with each qualification that one can have, as pointed to by pointers to members.
#define HANABI_ENCODED_FUNCTION(qualifiers, before, reference)                                                                             \
    template <class R, class... P>                                                                                                         \
    inline constexpr auto encoded<R(P...) qualifiers> =                                                                                    \
        encode_function<sizeof(before) - 1, sizeof(reference) - 1, R, P...>(before, reference);                                            \
    template <class R, class... P>                                                                                                         \
    inline constexpr auto encoded<R(P..., ...) qualifiers> =                                                                               \
        encode_variadic<sizeof(before) - 1, sizeof(reference) - 1, R, P...>(before, reference)
#define HANABI_ENCODED_FUNCTIONS(qualifiers, before)                                                                                       \
    HANABI_ENCODED_FUNCTION(qualifiers, before, "");                                                                                       \
    HANABI_ENCODED_FUNCTION(qualifiers noexcept, before "Do", "");                                                                         \
    HANABI_ENCODED_FUNCTION(qualifiers&, before, "R");                                                                                     \
    HANABI_ENCODED_FUNCTION(qualifiers& noexcept, before "Do", "R");                                                                       \
    HANABI_ENCODED_FUNCTION(qualifiers&&, before, "O");                                                                                    \
    HANABI_ENCODED_FUNCTION(qualifiers&& noexcept, before "Do", "O")
HANABI_ENCODED_FUNCTIONS(, "");
HANABI_ENCODED_FUNCTIONS(const, "K");
HANABI_ENCODED_FUNCTIONS(volatile, "V");
HANABI_ENCODED_FUNCTIONS(const volatile, "VK");
#undef HANABI_ENCODED_FUNCTIONS
#undef HANABI_ENCODED_FUNCTION

} // namespace hanabi::detail

#endif
