// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The encoding of classes, unions, enumerations and instances of class templates: their name from the type itself.

#ifndef HANABI_MANGLING_CLASS_ENCODING_HPP
#define HANABI_MANGLING_CLASS_ENCODING_HPP

#include <hanabi/mangling/encoding.hpp>
#include <hanabi/mangling/spelling.hpp>
#include <hanabi/mangling/template_argument.hpp>
#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi {

/// The qualified name of a class or enumeration, without its own template arguments, for types whose name the compiler
/// does not tell in full. A customisation point: specialise it, for all instances of a class template at once if need be,
/// `template <class T> inline constexpr auto hanabi::cxx_name<lib::Box<T>> = hanabi::text{"lib::v2::Box"};`.
/// Needed with clang for types of inline namespaces, which it leaves out (those of libcu++ are known to the library).
template <class T>
inline constexpr auto cxx_name = nullptr;

/// The same for a class template as such, where it is a template argument (class_template<C>):
/// `template <> inline constexpr auto hanabi::cxx_template_name<lib::Box> = hanabi::text{"lib::v2::Box"};`. A customisation
/// point.
template <template <class...> class Template>
inline constexpr auto cxx_template_name = nullptr;

/// The class that T is a member of, for members of class templates with arguments that are numbers, whose types g++ does
/// not tell: `template <> struct hanabi::enclosing_class<Arr<float, 4>::Inner> { using type = Arr<float, 4>; };`. A
/// customisation point.
template <class T>
struct enclosing_class {};

/// The template arguments of T as pack<...> of types, value<V>, class_template<C> and pack<...> (of a parameter pack),
/// for class templates whose parameters the library can't take apart: it knows types, then values; values, then types;
/// class templates, then types; each with a pack at the end. A customisation point.
template <class T>
struct template_arguments {};

/// No linker name can be made with T: it is local to a file (in an anonymous namespace, or in a function, or the type of
/// a lambda expression). Look the kernel up by its demangled name: hanabi::matching.
template <class T>
struct type_has_no_name_outside_its_file;
/// No linker name can be made with T: its compiler does not tell a part of its name. Specialise hanabi::cxx_name,
/// hanabi::enclosing_class or hanabi::template_arguments.
template <class T>
struct type_needs_a_cxx_name_trait;

namespace detail {

#if defined(__clang__) || defined(__GNUC__) || defined(__EDG__)
template <class T>
constexpr name_view function_name_with() {
    return __PRETTY_FUNCTION__;
}
template <template <class...> class T>
constexpr name_view function_name_with_template() {
    return __PRETTY_FUNCTION__;
}
#endif

/// Where the spelling of the argument begins in what the two functions above return: after "T = ".
constexpr unsigned spelling_begin(name_view function) {
    unsigned i = 0;
    while (function.characters[i] != '=' || function.characters[i - 2] != 'T') ++i;
    return i + 2;
}
constexpr name_view argument_spelling(name_view function) {
    const unsigned begin = spelling_begin(function);
    return {function.characters + begin, function.length - begin - 1};
}

/// Whether a signature, as a compiler spells it, has hanabi::spelled in it.
constexpr bool mentions_spelled(name_view function) {
    constexpr name_view word = "hanabi::spelled<";
    for (std::size_t i = 0; i + word.length <= function.length; ++i) {
        std::size_t n = 0;
        while (n < word.length && function.characters[i + n] == word.characters[n]) ++n;
        if (n == word.length) return true;
    }
    return false;
}

/// The compiler's spelling of a type.
template <class T>
inline constexpr name_view spelled_type = argument_spelling(function_name_with<T>());

template <class T>
struct argument_count;
template <template <class...> class C, class... T>
struct argument_count<C<T...>> {
    static constexpr std::size_t value = sizeof...(T);
};

/// A parameter pack's arguments stand between J and E. The pack begins after the fewest arguments that the template
/// takes, and after those that have a default.
template <template <class...> class C, class... Taken, class First, class... Rest>
constexpr std::size_t fixed_types(pack<Taken...>*, pack<First, Rest...>*) {
    if constexpr (requires { typename C<Taken...>; })
        return argument_count<C<Taken...>>::value;
    else
        return fixed_types<C>(static_cast<pack<Taken..., First>*>(nullptr), static_cast<pack<Rest...>*>(nullptr));
}
template <template <class...> class C, class... Taken>
constexpr std::size_t fixed_types(pack<Taken...>*, pack<>*) {
    return sizeof...(Taken);
}

/// I…E of encoded arguments, those from number Fixed on as a pack when there is one.
template <bool IsVariadic, std::size_t Fixed, class... A>
constexpr auto encode_arguments() {
    if constexpr (!IsVariadic) {
        return joined(text<1>{"I"}, encoded<A>..., text<1>{"E"});
    } else {
        text<(encoded<A>.size() + ... + 4)> result;
        unsigned at = 0;
        result.characters[at++] = 'I';
        std::size_t k = 0;
        const auto append = [&](const char* from, std::size_t n) {
            if (k++ == Fixed) result.characters[at++] = 'J';
            for (std::size_t i = 0; i < n; ++i) result.characters[at++] = from[i];
        };
        (append(encoded<A>.characters, encoded<A>.size()), ...);
        if (k <= Fixed) result.characters[at++] = 'J';
        result.characters[at++] = 'E';
        result.characters[at++] = 'E';
        return result;
    }
}

/// The template arguments of a class template's instance, for the kinds of template that C++20 can match; none for
/// anything else. A template's last parameter is a pack when it takes one more argument.
template <class T>
struct rare_arguments {
    static constexpr auto value = text<0>{};
};
template <template <auto...> class C>
struct rare_arguments<C<>> {
    static constexpr auto value = encode_arguments<true, 0>();
};
template <template <class, auto...> class C, class T>
struct rare_arguments<C<T>> { // the pack is empty
    static constexpr auto value = encode_arguments<true, 1, T>();
};
template <template <auto, class...> class C, auto V>
struct rare_arguments<C<V>> {
    static constexpr auto value = encode_arguments<true, 1, hanabi::value<V>>();
};

template <class T>
struct arguments_of : rare_arguments<T> {};

template <template <class...> class C, class... T>
struct arguments_of<C<T...>> {
    static constexpr bool variadic = requires { typename C<T..., int>; };
    static constexpr std::size_t fixed() {
        if constexpr (variadic)
            return fixed_types<C>(static_cast<pack<>*>(nullptr), static_cast<pack<T...>*>(nullptr));
        else
            return 0;
    }
    static constexpr auto value = encode_arguments<variadic, fixed(), T...>();
};

template <template <auto...> class C, auto V, auto... W>
struct arguments_of<C<V, W...>> {
    static constexpr bool variadic = requires { typename C<V, W..., V>; };
    static constexpr std::size_t fixed = requires { typename C<>; }
    ? 0 : 1;
    static constexpr auto value = encode_arguments<variadic, fixed, hanabi::value<V>, hanabi::value<W>...>();
};

template <template <class, auto...> class C, class T, auto V, auto... W>
struct arguments_of<C<T, V, W...>> {
    static constexpr bool variadic = requires { typename C<T, V, W..., V>; };
    static constexpr std::size_t fixed = requires { typename C<T>; }
    ? 1 : 2;
    static constexpr auto value = encode_arguments<variadic, fixed, T, hanabi::value<V>, hanabi::value<W>...>();
};

template <template <class, class, auto...> class C, class T, class U, auto V, auto... W>
struct arguments_of<C<T, U, V, W...>> {
    static constexpr bool variadic = requires { typename C<T, U, V, W..., V>; };
    static constexpr std::size_t fixed = requires { typename C<T, U>; }
    ? 2 : 3;
    static constexpr auto value = encode_arguments<variadic, fixed, T, U, hanabi::value<V>, hanabi::value<W>...>();
};

template <template <class, class, class, auto...> class C, class T, class U, class X, auto V, auto... W>
struct arguments_of<C<T, U, X, V, W...>> {
    static constexpr bool variadic = requires { typename C<T, U, X, V, W..., V>; };
    static constexpr std::size_t fixed = requires { typename C<T, U, X>; }
    ? 3 : 4;
    static constexpr auto value = encode_arguments<variadic, fixed, T, U, X, hanabi::value<V>, hanabi::value<W>...>();
};

template <template <auto, class...> class C, auto V, class T, class... U>
struct arguments_of<C<V, T, U...>> {
    static constexpr bool variadic = requires { typename C<V, T, U..., int>; };
    static constexpr std::size_t fixed = requires { typename C<V>; }
    ? 1 : 2;
    static constexpr auto value = encode_arguments<variadic, fixed, hanabi::value<V>, T, U...>();
};

template <template <auto, auto, class...> class C, auto V, auto W, class T, class... U>
struct arguments_of<C<V, W, T, U...>> {
    static constexpr bool variadic = requires { typename C<V, W, T, U..., int>; };
    static constexpr std::size_t fixed = requires { typename C<V, W>; }
    ? 2 : 3;
    static constexpr auto value = encode_arguments<variadic, fixed, hanabi::value<V>, hanabi::value<W>, T, U...>();
};

template <template <template <class...> class, class...> class C, template <class...> class D, class... T>
struct arguments_of<C<D, T...>> {
    static constexpr bool variadic = requires { typename C<D, T..., int>; };
    static constexpr std::size_t fixed = requires { typename C<D>; }
    ? 1 : 2;
    static constexpr auto value = encode_arguments<variadic, fixed, class_template<D>, T...>();
};

template <class... A>
constexpr auto encode_pack(pack<A...>*) {
    return joined(text<1>{"I"}, encoded<A>..., text<1>{"E"});
}

template <class T>
constexpr auto encode_arguments_of() {
    if constexpr (requires { typename template_arguments<T>::type; })
        return encode_pack(static_cast<typename template_arguments<T>::type*>(nullptr));
    else
        return arguments_of<T>::value;
}

/// An encoding in a buffer of the largest size it may have.
template <std::size_t Capacity>
struct spelled_encoding {
    char characters[Capacity + 1];
    unsigned length;
    legibility verdict;
};

/// What a spelling of n characters takes at most: components gain digits, values L and E.
constexpr std::size_t encoding_capacity(std::size_t n) { return 2 * n + 16; }

template <std::size_t Capacity>
constexpr spelled_encoding<Capacity> encode_spelling(name_view name, name_view arguments) {
    spelled_encoding<Capacity> result{};
    spelling s{name.characters, static_cast<unsigned>(name.length), result.characters};
    if (arguments.length != 0) {
        s.last_arguments = arguments.characters;
        s.last_size = static_cast<unsigned>(arguments.length);
    }
    s.type(true);
    result.length = s.length;
    result.verdict = s.position == s.size ? s.verdict : legibility::unclear;
    if (s.verdict != legibility::known) result.verdict = s.verdict;
    return result;
}

template <std::size_t N>
constexpr auto first_characters(const char* from) {
    text<N> result;
    for (std::size_t i = 0; i < N; ++i) result.characters[i] = from[i];
    return result;
}

/// The last component of a spelling: Inner<int> of Box<float>::Inner<int>.
constexpr name_view last_component(name_view spelling) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < spelling.length; ++i) {
        const char c = spelling.characters[i];
        if (c == '<') ++depth;
        if (c == '>') --depth;
        if (depth == 0 && c == ':') begin = i + 1;
    }
    return {spelling.characters + begin, spelling.length - begin};
}

template <class T>
constexpr name_view name_of() {
    if constexpr (requires { cxx_name<T>.size(); })
        return cxx_name<T>;
    else
        return spelled_type<T>;
}

/// The name with its arguments, or why there is none.
template <class T>
struct class_name {
    static constexpr auto arguments = encode_arguments_of<T>();
    static constexpr name_view spelled = name_of<T>();
    static constexpr auto value = encode_spelling<encoding_capacity(spelled.size()) + arguments.size()>(spelled, arguments);
};

/// std::string and the stream classes have abbreviations of their own.
constexpr name_view abbreviation(name_view encoding) {
    if (encoding == "SbIcSt11char_traitsIcESaIcEE") return "Ss";
    if (encoding == "St13basic_istreamIcSt11char_traitsIcEE") return "Si";
    if (encoding == "St13basic_ostreamIcSt11char_traitsIcEE") return "So";
    if (encoding == "St14basic_iostreamIcSt11char_traitsIcEE") return "Sd";
    return encoding;
}

/// Whether a type is encoding<...>, dependent<...> or opaque<...>. By name: looking into any other class would instantiate it.
constexpr bool has_own_encoding(name_view spelling) {
    const auto begins = [&](name_view name) {
        std::size_t i = 0;
        while (i < name.length && i < spelling.length && spelling.characters[i] == name.characters[i]) ++i;
        return i == name.length;
    };
    return begins("hanabi::") &&
           (begins("hanabi::encoding<") || begins("hanabi::dependent<") || begins("hanabi::member<") || begins("hanabi::opaque<"));
}

template <class T>
constexpr auto encode_class() {
    if constexpr (has_own_encoding(spelled_type<T>)) {
        return T::hanabi_encoding();
    } else if constexpr (requires { typename enclosing_class<T>::type; }) {
        constexpr name_view name = last_component(spelled_type<T>);
        constexpr auto arguments = encode_arguments_of<T>();
        constexpr auto inner = encode_spelling<encoding_capacity(name.size()) + arguments.size()>(name, arguments);
        constexpr auto& outer = encoded<typename enclosing_class<T>::type>;
        constexpr bool nested = outer.characters[0] == 'N';
        return joined(text<1>{"N"}, first_characters<outer.size() - (nested ? 2 : 0)>(outer.characters + (nested ? 1 : 0)),
                      first_characters<inner.length>(inner.characters), text<1>{"E"});
    } else {
        using name = class_name<T>;
        constexpr legibility verdict = name::value.verdict;
        if constexpr (verdict == legibility::file_local) {
            return text<sizeof(type_has_no_name_outside_its_file<T>)>{};
        } else if constexpr (verdict == legibility::unclear) {
            return text<sizeof(type_needs_a_cxx_name_trait<T>)>{};
        } else {
            constexpr name_view result = abbreviation({name::value.characters, name::value.length});
            return first_characters<result.length>(result.characters);
        }
    }
}

template <template <class...> class C>
constexpr name_view name_of_template() {
    if constexpr (requires { cxx_template_name<C>.size(); })
        return cxx_template_name<C>;
    else
        return argument_spelling(function_name_with_template<C>());
}

template <template <class...> class C>
constexpr auto encode_template() {
    constexpr name_view name = name_of_template<C>();
    constexpr auto result = encode_spelling<encoding_capacity(name.size())>(name, {});
    return first_characters<result.length>(result.characters);
}
template <template <class...> class C>
inline constexpr auto encoded<class_template<C>> = encode_template<C>();

template <class First, class... Rest>
constexpr auto encode_applied() {
    return joined(encoded<First>, text<1>{"I"}, encoded<Rest>..., text<1>{"E"});
}

template <text Name, class... Arguments>
constexpr auto encode_dependent() {
    if constexpr (Name.size() == 0) {
        return encode_applied<Arguments...>();
    } else {
        constexpr auto arguments = encode_arguments<false, 0, Arguments...>();
        constexpr auto result = encode_spelling<encoding_capacity(Name.size()) + arguments.size()>(
            Name.view(), sizeof...(Arguments) == 0 ? name_view{} : arguments.view());
        return first_characters<result.length>(result.characters);
    }
}

/// N, the outer type without its own N and E, the name, E.
template <class Outer, text Name>
constexpr auto encode_member() {
    constexpr auto& outer = encoded<Outer>;
    constexpr bool nested = outer.characters[0] == 'N';
    constexpr auto name = encode_spelling<encoding_capacity(Name.size())>(Name.view(), name_view{});
    return joined(text<1>{"N"}, first_characters<outer.size() - (nested ? 2 : 0)>(outer.characters + (nested ? 1 : 0)),
                  first_characters<name.length>(name.characters), text<1>{"E"});
}

} // namespace detail
} // namespace hanabi

#endif
