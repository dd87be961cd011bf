// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The words in which kernel templates are described: template arguments of a symbol, and placeholders for template
/// parameters in its signature.

#ifndef HANABI_MANGLING_TEMPLATE_ARGUMENT_HPP
#define HANABI_MANGLING_TEMPLATE_ARGUMENT_HPP

#include <hanabi/mangling/encoding.hpp>
#include <hanabi/mangling/substitution.hpp>
#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi {
namespace detail {
template <text Name, class... Arguments>
constexpr auto encode_dependent(); // hanabi/mangling/class_encoding.hpp
template <class Outer, text Name>
constexpr auto encode_member(); // there, too
} // namespace detail

/// A template argument that is a value: `cxx<"unrolled", float, value<8>>()`. Its type counts: value<8> is an int,
/// value<8ul> an unsigned long. Integers, bool, enumerators, floating-point numbers and nullptr.
template <auto V>
struct value {};

/// The arguments of a template parameter pack: `cxx<"apply", F, pack<int, const int*>>()`.
template <class... Arguments>
struct pack {};

/// A template argument that is a class template whose own parameters are types: `cxx<"fill", class_template<Box>,
/// int>()`. For others see dependent.
template <template <class...> class Template>
struct class_template {};

/// A template argument or type by its encoding in the Itanium C++ ABI, for what the library can't see:
/// `encoding<"XadL_Z6dev_fnfEE">` for `&dev_fn`, `encoding<"XmlT_Li2EE">` for `N * 2`. Copied as it stands.
template <text Encoding>
struct encoding {
    /// For the library.
    static constexpr auto hanabi_encoding() { return detail::joined(text<1>{"\1"}, Encoding, text<1>{"\2"}); }
};

/// In the signature of a kernel template: the I-th parameter of the template, where that is a type. An empty complete
/// type, so that templates over it can be named and looked into: `typename Box<T_<0>>::Inner`.
template <std::size_t I>
struct T_ {};

/// In the signature of a kernel template: a function parameter pack with this pattern, `each<const T_<1>*>` for
/// `const A*...` where A is the template's second parameter and a pack.
template <class Pattern>
struct each {};

/// In the signature of a kernel template, inside spelled: the class template of this qualified name with arguments
/// that a C++ type can't have outside of the template: `dependent<"Off", T_<0>>` for `Off<N>`,
/// `dependent<"Arr", float, encoding<"XmlT_Li2EE">>` for `Arr<float, N * 2>`,
/// `dependent<"Shape", pack<encoding<"XT_E">>>` for `Shape<N...>` (nvcc's own way: the ABI would have XspT_E); an empty name stands for the first
/// argument, a template parameter: `dependent<"", T_<0>, T_<1>>` for `C<T>`. With no arguments it is a class template
/// as an argument: `dependent<"lib::Arr">`.
template <text Name, class... Arguments>
struct dependent {
    /// For the library.
    static constexpr auto hanabi_encoding() { return detail::encode_dependent<Name, Arguments...>(); }
};

/// In the signature of a kernel template, inside spelled: a member type of something that depends on a template parameter,
/// `spelled<member<T_<0>, "Params">, Gemm::Params>` for `typename T::Params` where T is Gemm.
template <class Outer, text Name>
struct member {
    /// For the library.
    static constexpr auto hanabi_encoding() { return detail::encode_member<Outer, Name>(); }
};

/// In the signature of a kernel template, inside spelled: an array whose bound is the I-th template parameter.
template <class T, std::size_t I>
struct dependent_array {};

/// In the signature of a kernel template: a parameter that the template spells `Pattern` and that has the type `Actual`
/// in this instance, for types from which the library can't compute the one by the other:
/// `spelled<typename Box<T_<0>>::Inner, Box<int>::Inner>`, `spelled<dependent<"Off", T_<0>>, Off<4>>`.
template <class Pattern, class Actual>
struct spelled {};

namespace detail {

template <std::size_t I>
constexpr auto encode_parameter() {
    if constexpr (I == 0)
        return text<2>{"T_"};
    else
        return joined(text<1>{"T"}, decimal<I - 1>(), text<1>{"_"});
}

/// L, type, number, E. Negative numbers have an n; floating-point ones are the hexadecimal digits of their bits.
template <auto V>
constexpr auto encode_value() {
    using type = decltype(V);
    if constexpr (__is_same(type, const bool) || __is_same(type, bool)) {
        return text<4>{V ? "Lb1E" : "Lb0E"};
    } else if constexpr (__is_same(decltype(V), decltype(nullptr)) || __is_same(const decltype(nullptr), type)) {
        return text<4>{"LDnE"};
    } else if constexpr (
        requires { static_cast<double>(V) + 0.5; } && !requires { V % 2; } && !__is_enum(type)) {
        constexpr auto digits = sizeof(type) * 2;
        text<digits> hexadecimal;
        unsigned long long bits = 0;
        if constexpr (sizeof(type) == 8)
            bits = __builtin_bit_cast(unsigned long long, V);
        else
            bits = __builtin_bit_cast(unsigned, V);
        for (std::size_t i = digits; i > 0; bits >>= 4) hexadecimal.characters[--i] = "0123456789abcdef"[bits & 15];
        return joined(text<1>{"L"}, encoded<type>, hexadecimal, text<1>{"E"});
    } else if constexpr (__is_enum(type)) {
        constexpr auto number = static_cast<__underlying_type(type)>(V);
        if constexpr (number < 0)
            return joined(text<1>{"L"}, encoded<type>, text<1>{"n"}, decimal<0 - static_cast<unsigned long long>(number)>(), text<1>{"E"});
        else
            return joined(text<1>{"L"}, encoded<type>, decimal<static_cast<unsigned long long>(number)>(), text<1>{"E"});
    } else if constexpr (requires { V % 2; }) {
        if constexpr (V < 0)
            return joined(text<1>{"L"}, encoded<type>, text<1>{"n"}, decimal<0 - static_cast<unsigned long long>(V)>(), text<1>{"E"});
        else
            return joined(text<1>{"L"}, encoded<type>, decimal<static_cast<unsigned long long>(V)>(), text<1>{"E"});
    } else {
        static_assert(
            requires { V % 2; }, "this value's name is not known to the library: write it as hanabi::encoding<\"...\">");
    }
}

template <auto V>
inline constexpr auto encoded<value<V>> = encode_value<V>();
template <class... A>
inline constexpr auto encoded<pack<A...>> = joined(text<1>{"J"}, encoded<A>..., text<1>{"E"});
template <std::size_t I>
inline constexpr auto encoded<T_<I>> = encode_parameter<I>();
template <class P>
inline constexpr auto encoded<each<P>> = joined(text<2>{"Dp"}, encoded<P>);
template <class T, std::size_t I>
inline constexpr auto encoded<dependent_array<T, I>> = joined(text<2>{"A\1"}, encode_parameter<I>(), text<2>{"\2_"}, encoded<T>);
template <class Pattern, class Actual>
inline constexpr auto encoded<spelled<Pattern, Actual>> = encoded<Pattern>;

} // namespace detail
} // namespace hanabi

#endif
