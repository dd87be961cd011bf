// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The linker's name of a symbol, at compile time.

#ifndef HANABI_MANGLING_HPP
#define HANABI_MANGLING_HPP

#include <hanabi/mangling/class_encoding.hpp>
#include <hanabi/mangling/effective_signature.hpp>
#include <hanabi/mangling/encoding.hpp>
#include <hanabi/mangling/substitution.hpp>
#include <hanabi/mangling/template_argument.hpp>
#include <hanabi/symbol.hpp>
#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi {

/// A linker's name, made at compile time, in a buffer of the largest size that it may have.
/// NUL-terminated. Of static storage where it comes from linker_name.
template <std::size_t Capacity>
struct linker_text {
    char characters[Capacity + 1]{};
    unsigned length = 0;

    constexpr std::size_t size() const noexcept { return length; }
    constexpr const char* data() const noexcept { return characters; }
    constexpr name_view view() const noexcept { return {characters, length}; }
    constexpr operator name_view() const noexcept { return view(); }
    friend constexpr bool operator==(const linker_text& a, name_view b) noexcept { return a.view() == b; }
};

namespace detail {

/// What a name of n characters needs at most when its components are counted.
constexpr std::size_t name_capacity(std::size_t n) { return n + n / 64 + 8; }

/// Appends one component, `4scal`, of the text at `name` up to the next colon or NUL, and returns its length. One look
/// at each character: compilers pay for every one. The digits are guessed from what is left of the name; a short
/// component is moved when the guess was too high.
constexpr unsigned append_component(char* out, unsigned& at, const char* name, unsigned left) {
    const unsigned room = left < 10 ? 1 : left < 100 ? 2 : left < 1000 ? 3 : 4;
    unsigned n = 0;
    for (; n < left; ++n) {
        const char c = name[n];
        if (c == ':') break;
        out[at + room + n] = c;
    }
    const unsigned digits = n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : 4;
    if (digits != room)
        for (unsigned i = 0; i < n; ++i) out[at + digits + i] = out[at + room + i];
    for (unsigned i = digits, value = n; i > 0; value /= 10) out[at + --i] = static_cast<char>('0' + value % 10);
    at += digits + n;
    return n;
}

/// Makes `_ZN2la4scalEfPfi` of `la::scal` and the encodings of the template arguments and of the types. Not instantiated
/// for each kernel, only for each capacity.
template <std::size_t Capacity>
constexpr linker_text<Capacity> mangle(name_view name, bool is_function, unsigned argument_count, const char* const* encodings,
                                       unsigned count) {
    linker_text<Capacity> result;
    char* const out = result.characters;
    const char* begins[Capacity];
    unsigned sizes[Capacity];
    substitution pass{out, 2, begins, sizes};
    out[0] = '_';
    out[1] = 'Z';
    const unsigned size = static_cast<unsigned>(name.length);
    unsigned i = 0;
    unsigned begin = 2; // of the first component
    bool nested = false;
    if (size > 5 && name.characters[3] == ':' && name.characters[0] == 's' && name.characters[1] == 't' && name.characters[2] == 'd') {
        out[pass.length++] = 'S';
        out[pass.length++] = 't';
        i = 5;
    }
    for (;;) {
        i += append_component(out, pass.length, name.characters + i, size - i);
        if (i == size) break;
        if (!nested) { // there is more: a nested name after all
            for (unsigned k = pass.length; k > begin; --k) out[k] = out[k - 1];
            out[begin++] = 'N';
            ++pass.length;
            nested = true;
        }
        pass.begins[pass.count] = out + begin; // the name of the function itself is no component, its prefixes are
        pass.sizes[pass.count++] = pass.length - begin;
        i += 2;
    }
    unsigned k = 0;
    if (argument_count != 0) {
        pass.begins[pass.count] = out + begin;
        pass.sizes[pass.count++] = pass.length - begin;
        out[pass.length++] = 'I';
        for (; k < argument_count; ++k) pass.add(encodings[k]);
        out[pass.length++] = 'E';
    }
    if (nested) out[pass.length++] = 'E';
    if (is_function) {
        if (argument_count != 0) out[pass.length++] = 'v'; // templates name their result type
        if (k == count) out[pass.length++] = 'v';          // no parameters
        for (; k < count; ++k) pass.add(encodings[k]);
    }
    result.length = pass.length;
    return result;
}

/// Whether a name is at global scope, where variables are not mangled.
constexpr bool is_global(name_view name) {
    for (std::size_t i = 0; i < name.length; ++i)
        if (name.characters[i] == ':') return false;
    return true;
}

/// What the linker calls a symbol of each linkage. Functions of the symbol's value, instantiated for its length and the
/// types only.
template <class Linkage>
struct linker {
    template <class... P, std::size_t N>
    static consteval name_view name(const symbol<N, Linkage>& s) {
        return {s.characters, N};
    }
    template <std::size_t N>
    static consteval name_view variable(const symbol<N, Linkage>& s) {
        return {s.characters, N};
    }
};

template <class... A>
struct linker<cxx_linkage<A...>> {
    // Twice what the encodings have: the Pi of a second int* becomes S0_, and S10_ behind many others.
    static constexpr std::size_t capacity = ((2 * encoded<A>.size()) + ... + 4);
    template <class... P>
    static constexpr const char* encodings[] = {encoded<A>.characters..., encoded<P>.characters..., nullptr};

    template <class... P, std::size_t N>
    static constexpr auto name(const symbol<N, cxx_linkage<A...>>& s) {
        return mangle<name_capacity(N) + capacity + ((2 * encoded<P>.size()) + ... + 0)>(name_view{s.characters, N}, true, sizeof...(A),
                                                                                         encodings<P...>, sizeof...(A) + sizeof...(P));
    }
    template <std::size_t N>
    static constexpr auto variable(const symbol<N, cxx_linkage<A...>>& s) {
        if (sizeof...(A) == 0 && is_global({s.characters, N})) {
            linker_text<name_capacity(N) + capacity> result;
            for (std::size_t i = 0; i < N; ++i) result.characters[i] = s.characters[i];
            result.length = N;
            return result;
        }
        return mangle<name_capacity(N) + capacity>(name_view{s.characters, N}, false, sizeof...(A), encodings<>, sizeof...(A));
    }
};

} // namespace detail

/// What the linker calls the kernel of symbol S with the parameter types P, as nvcc spells it: the name itself for C
/// linkage (nothing is mangled or copied), `_ZN2la4scalEfPfi` for cxx("la::scal"). The types are those of the
/// descriptor's signature as written, with T_<I> where a kernel template has them; top-level const is dropped by the
/// function type they come from. Types are named by themselves: built-in ones, pointers, references, arrays, functions,
/// pointers to members, classes, unions, enumerations and class templates; cxx_name, enclosing_class and
/// template_arguments help where a compiler does not tell. Types local to a file end compilation with
/// type_has_no_name_outside_its_file. For matching("...") it is the pattern, which is no linker's name: whoever binds it
/// compares demangled names. A name_view or linker_text: NUL-terminated, of static storage, with data(), size(), view().
/// Itanium C++ ABI, section 5.1.
template <symbol S, class... P>
inline constexpr auto linker_name = detail::linker<decltype(S.kind())>::template name<P...>(S);

/// What the linker calls the device variable of symbol S: the name itself for C linkage and at global scope, mangled in
/// namespaces (`_ZN2ns4nameE`). `static` and const variables of namespaces have a name that is different in each file,
/// with a hash: give them external linkage, or use matching("ns::name").
template <symbol S>
inline constexpr auto variable_linker_name = detail::linker<decltype(S.kind())>::variable(S);

} // namespace hanabi

#endif
