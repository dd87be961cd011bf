// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The symbol of a descriptor: the name of a kernel or device variable as its author wrote it, and how the linker's name
/// follows from it.

#ifndef HANABI_SYMBOL_HPP
#define HANABI_SYMBOL_HPP

#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi {

/// The linkage of a symbol that is `extern "C"` in the kernel's source: the linker's name is the name as it stands.
struct c_linkage {};

/// The linkage of a symbol without `extern "C"`: the linker's name is made from name, template arguments and parameter
/// types by the rules of the Itanium C++ ABI, which nvcc follows on every platform for device code. Arguments are those
/// of a function template, each a type, value<V>, class_template<C> or pack<...>; none for a plain function.
template <class... Arguments>
struct cxx_linkage {};

/// The linkage of a symbol whose linker name can't be known at compile time (a kernel in an anonymous namespace or made
/// from a lambda): the text is a pattern, matched against the demangled names of the module's kernels when it is bound.
struct pattern_linkage {};

/// A name of N characters in a type, with its linkage. Structural, so it serves as a template parameter whose length is
/// deduced: `template <text Module, symbol Symbol, class Signature> struct kernel;` takes `"axpy"` (C linkage),
/// `cxx("la::scal")`, `cxx<"taxpy", float>()` and `matching("*::hidden(*)")`. Two symbols are one when name and linkage
/// are the same.
template <std::size_t N, class Linkage = c_linkage>
struct symbol {
    using linkage = Linkage;

    char characters[N + 1]{};

    constexpr symbol() = default;
    constexpr symbol(const char (&literal)[N + 1]) noexcept {
        for (std::size_t i = 0; i <= N; ++i) characters[i] = literal[i];
    }

    /// A value of the linkage's type: `decltype(S.kind())` in templates over symbols, with no reference to strip.
    static constexpr Linkage kind() noexcept { return {}; }
    /// Characters without the terminating NUL.
    static constexpr std::size_t size() noexcept { return N; }
    /// The name as it was written, NUL-terminated; of static storage when the symbol is a template argument.
    constexpr const char* data() const noexcept { return characters; }
    constexpr name_view view() const noexcept { return {characters, N}; }

    template <std::size_t M, class Other>
    friend constexpr bool operator==(const symbol& a, const symbol<M, Other>& b) noexcept {
        return same_linkage(static_cast<Linkage*>(nullptr), static_cast<Other*>(nullptr)) && a.view() == b.view();
    }

  private:
    static constexpr bool same_linkage(Linkage*, Linkage*) noexcept { return true; }
    static constexpr bool same_linkage(const void*, const void*) noexcept { return false; }
};

template <std::size_t N, std::size_t Length = N - 1>
symbol(const char (&)[N]) -> symbol<Length>;

/// The reasons to refuse a name. Never defined and not constexpr: a call ends constant evaluation, and the compiler's
/// message repeats the function's name.
namespace refused {
void the_name_is_empty();
void the_name_contains_a_NUL_character();
void the_name_contains_a_space();
void write_template_arguments_as_types_like_cxx_name_float_and_not_inside_the_name();
void write_the_parameters_as_the_signature_and_not_inside_the_name();
void an_identifier_starts_with_a_digit();
void a_double_colon_is_at_the_beginning_or_end_or_next_to_another_one();
void a_name_holds_letters_digits_underscores_and_double_colons_only();
} // namespace refused

namespace detail {

/// Whether a character can stand in an identifier; bytes above 127 are part of UTF-8 identifiers.
constexpr bool is_identifier_character(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) > 127;
}

/// Ends constant evaluation where text is no `name` or `ns::name`.
constexpr void check_qualified_name(const char* text, std::size_t size) {
    if (size == 0) refused::the_name_is_empty();
    bool inside = false; // of an identifier
    for (std::size_t i = 0; i < size; ++i) {
        const char c = text[i];
        if (is_identifier_character(c)) {
            if (!inside && c >= '0' && c <= '9') refused::an_identifier_starts_with_a_digit();
            inside = true;
        } else if (c == ':') {
            if (!inside || i + 2 >= size || text[i + 1] != ':') refused::a_double_colon_is_at_the_beginning_or_end_or_next_to_another_one();
            inside = false;
            ++i;
        } else if (c == '\0') {
            refused::the_name_contains_a_NUL_character();
        } else if (c == ' ' || c == '\t' || c == '\n') {
            refused::the_name_contains_a_space();
        } else if (c == '<' || c == '>') {
            refused::write_template_arguments_as_types_like_cxx_name_float_and_not_inside_the_name();
        } else if (c == '(' || c == ')') {
            refused::write_the_parameters_as_the_signature_and_not_inside_the_name();
        } else {
            refused::a_name_holds_letters_digits_underscores_and_double_colons_only();
        }
    }
}

} // namespace detail

/// The symbol of a kernel or variable with C++ linkage, by its qualified name: `cxx("la::scal")`. Inline namespaces are
/// written out. Anything but identifiers joined by `::` does not compile.
template <std::size_t N>
consteval symbol<N - 1, cxx_linkage<>> cxx(const char (&name)[N]) {
    detail::check_qualified_name(name, N - 1);
    return {name};
}

/// The symbol of one instance of a kernel template: `cxx<"taxpy", float>()`. Such a kernel's linker name spells its
/// parameters as the template does, so the descriptor's signature is written with T_<i> for the i-th template
/// parameter (hanabi/mangling.hpp):
/// `kernel<"blas", cxx<"taxpy", float>(), void(T_<0>, const T_<0>*, T_<0>*, int)>` has the linker name
/// `_Z5taxpyIfEvT_PKS0_PS0_i` and takes (float, const float*, float*, int).
template <text Name, class... Arguments>
consteval symbol<Name.size(), cxx_linkage<Arguments...>> cxx() {
    static_assert(sizeof...(Arguments) != 0, "cxx<\"name\">() is for kernel templates: write cxx(\"name\") for a function");
    detail::check_qualified_name(Name.characters, Name.size());
    return {Name.characters};
}

/// A symbol that is looked up by demangled name when it is bound, for kernels whose linker name no compiler but nvcc can
/// know: `matching("(anonymous namespace)::hidden(int*)")`. `*` stands for any characters, also none, `?` for one;
/// everything else for itself. Exactly one kernel of the module must match.
template <std::size_t N>
consteval symbol<N - 1, pattern_linkage> matching(const char (&pattern)[N]) {
    if (N == 1) refused::the_name_is_empty();
    for (std::size_t i = 0; i + 1 < N; ++i)
        if (pattern[i] == '\0') refused::the_name_contains_a_NUL_character();
    return {pattern};
}

} // namespace hanabi

#endif
