// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// From a type as compilers spell it (`const lib::Box<float>::Inner*`) to its encoding.

#ifndef HANABI_MANGLING_SPELLING_HPP
#define HANABI_MANGLING_SPELLING_HPP

#include <hanabi/symbol.hpp>
#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi::detail {

/// How a type's spelling could be read.
enum class legibility {
    known,
    file_local, ///< in an anonymous namespace or a function, or a closure: no name that another compiler could know
    unclear     ///< something that the spelling does not tell, such as the type of a number
};

/// Reads the spelling of one type and writes its encoding, without substitutions. Three compilers' habits: g++ writes
/// `long unsigned int`, clang `unsigned long`, and EDG numbers with suffixes.
struct spelling {
    const char* in;
    unsigned size;
    char* out;
    const char* last_arguments = nullptr; ///< encoded template arguments of the outermost last component, where known
    unsigned last_size = 0;
    unsigned position = 0;
    unsigned length = 0;
    legibility verdict = legibility::known;

    constexpr char peek(unsigned ahead = 0) const { return position + ahead < size ? in[position + ahead] : '\0'; }
    constexpr void skip_spaces() {
        while (peek() == ' ') ++position;
    }
    constexpr void put(char c) { out[length++] = c; }
    constexpr void put(const char* text) {
        while (*text != '\0') out[length++] = *text++;
    }
    constexpr void put_number(unsigned n) {
        if (n >= 10) put_number(n / 10);
        put(static_cast<char>('0' + n % 10));
    }
    constexpr void insert(unsigned at, char c) {
        for (unsigned k = length; k > at; --k) out[k] = out[k - 1];
        out[at] = c;
        ++length;
    }
    constexpr void fail(legibility why) {
        if (verdict == legibility::known) verdict = why;
        position = size;
    }

    /// Whether `word` is next, as a whole word; passes it and the spaces after it.
    constexpr bool accept(const char* word) {
        unsigned n = 0;
        while (word[n] != '\0' && peek(n) == word[n]) ++n;
        if (word[n] != '\0' || (is_identifier_character(word[n - 1]) && is_identifier_character(peek(n)))) return false;
        position += n;
        skip_spaces();
        return true;
    }

    /// One type with its qualifiers and declarator.
    constexpr void type(bool outermost = false) {
        skip_spaces();
        const unsigned start = length;
        bool is_const = false;
        bool is_volatile = false;
        bool is_unsigned = false;
        bool is_signed = false;
        unsigned longs = 0;
        char base = '\0';
        for (bool more = true; more;) {
            if (accept("const"))
                is_const = true;
            else if (accept("volatile"))
                is_volatile = true;
            else if (accept("unsigned"))
                is_unsigned = true;
            else if (accept("signed"))
                is_signed = true;
            else if (accept("long"))
                ++longs;
            else if (accept("short"))
                base = 's';
            else if (accept("int"))
                base = base == 's' ? 's' : 'i';
            else if (accept("char"))
                base = 'c';
            else if (accept("double"))
                base = 'd';
            else if (accept("__int128"))
                base = 'n';
            else
                more = false;
        }
        if (base != '\0' || longs != 0 || is_unsigned || is_signed) {
            if (base == 'd')
                put(longs != 0 ? 'e' : 'd');
            else if (base == 'c')
                put(is_unsigned ? 'h' : is_signed ? 'a' : 'c');
            else if (base == 's')
                put(is_unsigned ? 't' : 's');
            else if (base == 'n')
                put(is_unsigned ? 'o' : 'n');
            else
                put("ijlmxy"[longs * 2 + (is_unsigned ? 1 : 0)]);
        } else if (accept("float")) {
            put('f');
        } else if (accept("void")) {
            put('v');
        } else if (accept("bool")) {
            put('b');
        } else if (accept("wchar_t")) {
            put('w');
        } else if (accept("char8_t")) {
            put("Du");
        } else if (accept("char16_t")) {
            put("Ds");
        } else if (accept("char32_t")) {
            put("Di");
        } else if (accept("std::nullptr_t") || accept("nullptr_t")) {
            put("Dn");
        } else if (!template_parameter()) {
            class_name(outermost);
        }
        skip_spaces();
        if (accept("const")) is_const = true;
        if (accept("volatile")) is_volatile = true;
        qualify(start, is_const, is_volatile, false);
        declarator(start);
    }

    /// hanabi::T_<0>, the library's own placeholder.
    constexpr bool template_parameter() {
        if (!accept("hanabi::T_<")) return false;
        unsigned n = 0;
        for (; peek() >= '0' && peek() <= '9'; ++position) n = n * 10 + static_cast<unsigned>(peek() - '0');
        while (peek() == 'U' || peek() == 'L') ++position; // EDG
        put('T');
        if (n > 0) put_number(n - 1);
        put('_');
        skip_spaces();
        ++position; // >
        return true;
    }

    constexpr void qualify(unsigned start, bool is_const, bool is_volatile, bool is_restrict) {
        if (is_const) insert(start, 'K');
        if (is_volatile) insert(start, 'V');
        if (is_restrict) insert(start, 'r');
    }

    /// `*`, `const`, `&`, `(*)[4]`, `(int, float)`: what follows a type, each put before it.
    constexpr void declarator(unsigned start) {
        for (;;) {
            skip_spaces();
            const char c = peek();
            if (c == '*') {
                ++position;
                insert(start, 'P');
                bool is_const = false;
                bool is_volatile = false;
                bool is_restrict = false;
                for (;;) {
                    skip_spaces();
                    if (accept("const"))
                        is_const = true;
                    else if (accept("volatile"))
                        is_volatile = true;
                    else if (accept("__restrict__") || accept("__restrict"))
                        is_restrict = true;
                    else
                        break;
                }
                qualify(start, is_const, is_volatile, is_restrict);
            } else if (c == '&') {
                const bool rvalue = peek(1) == '&';
                position += rvalue ? 2 : 1;
                insert(start, rvalue ? 'O' : 'R');
            } else if (c == '(' || c == '[') { // arrays and functions, with pointers to them
                return fail(legibility::unclear);
            } else {
                return;
            }
        }
    }

    /// lib::Box<float>::Inner
    constexpr void class_name(bool outermost) {
        unsigned components = 0;
        const unsigned start = length;
        bool in_std = false;
        if (accept("std::")) {
            in_std = true;
            put("St");
        }
        for (;;) {
            const unsigned begin = position;
            while (is_identifier_character(peek())) ++position;
            const unsigned n = position - begin;
            // "(anonymous namespace)", "{anonymous}", "<unnamed>", "main()::Local", "(lambda at", "<lambda()>", "lambda []()->void"
            if (n == 0 || peek() == '(' || (peek() == ' ' && peek(1) == '[' && n == 6 && in[begin] == 'l' && in[begin + 5] == 'a')) {
                const char c = n == 0 ? peek() : '(';
                return fail(c == '(' || c == '{' || c == '<' ? legibility::file_local : legibility::unclear);
            }
            if (in[begin] >= '0' && in[begin] <= '9') return fail(legibility::unclear);
            const bool anonymous =
                n > 11 && in[begin] == '_' && in[begin + 1] == 'G' && in[begin + 7] == '_' && in[begin + 9] == 'N' && in[begin + 10] == '_';
            if (anonymous) return fail(legibility::file_local); // _GLOBAL__N_…: nvcc's own
            put_number(n);
            for (unsigned k = 0; k < n; ++k) put(in[begin + k]);
            ++components;
            if (in_std && components == 1) abbreviate(start);
            if (peek() == '<') {
                const bool last = outermost && last_arguments != nullptr && ends_with_arguments();
                if (last) {
                    put_last_arguments();
                    position = size;
                } else {
                    template_arguments();
                }
            }
            if (peek() != ':' || peek(1) != ':') break;
            position += 2;
            unnamed_namespace(components, start);
        }
        if (outermost && last_arguments != nullptr && in[size - 1] != '>') put_last_arguments(); // a name without them
        if (components < 2) return;
        insert(start, 'N');
        put('E');
    }

    constexpr void put_last_arguments() {
        for (unsigned k = 0; k < last_size; ++k) put(last_arguments[k]);
    }

    /// clang leaves inline namespaces out. Those of libcu++ are known: cuda::std::__4, cuda::__4.
    constexpr void unnamed_namespace([[maybe_unused]] unsigned& components, [[maybe_unused]] unsigned start) {
#if defined(__clang__)
        const bool in_cuda = length - start == 5 && out[start] == '4' && out[start + 1] == 'c' && out[start + 4] == 'a';
        const bool in_cuda_std =
            length - start == 9 && out[start + 1] == 'c' && out[start + 2] == 'u' && out[start + 5] == '3' && out[start + 8] == 'd';
        const bool is_std = peek() == 's' && peek(1) == 't' && peek(2) == 'd' && peek(3) == ':';
        const bool is_byte =
            peek() == 'b' && peek(1) == 'y' && peek(2) == 't' && peek(3) == 'e' && !is_identifier_character(peek(4)); // outside of it
        const bool is_written = peek() == '_' && peek(1) == '_' && peek(2) >= '0' && peek(2) <= '9';
        if (is_written || is_byte || !(in_cuda_std || (in_cuda && !is_std))) return;
        put("3__4");
        ++components;
#endif
    }

    /// Whether the argument list that begins here ends the text.
    constexpr bool ends_with_arguments() const {
        int depth = 0;
        for (unsigned k = position; k < size; ++k) {
            if (in[k] == '<') ++depth;
            if (in[k] == '>' && in[k - 1] != '-' && --depth == 0) return k + 1 == size;
        }
        return false;
    }

    /// std::allocator is Sa, std::basic_string Sb.
    constexpr void abbreviate(unsigned start) {
        const auto is = [&](const char* name) {
            unsigned k = 0;
            while (name[k] != '\0' && start + k < length && out[start + k] == name[k]) ++k;
            return name[k] == '\0' && start + k == length;
        };
        const char letter = is("St9allocator") ? 'a' : is("St12basic_string") ? 'b' : '\0';
        if (letter == '\0') return;
        length = start;
        put('S');
        put(letter);
    }

    /// Types and what numbers tell of their types.
    constexpr void template_arguments() {
        ++position;
        put('I');
        for (;;) {
            skip_spaces();
            const char c = peek();
            if (c == '>') break;
            if (c == '-' || (c >= '0' && c <= '9'))
                number();
            else if (accept("true"))
                put("Lb1E");
            else if (accept("false"))
                put("Lb0E");
            else
                type();
            skip_spaces();
            if (peek() == ',')
                ++position;
            else if (peek() != '>')
                return fail(legibility::unclear);
        }
        ++position;
        put('E');
    }

    constexpr void number() {
        const bool negative = peek() == '-';
        if (negative) ++position;
        const unsigned begin = position;
        while (peek() >= '0' && peek() <= '9') ++position;
        const unsigned end = position;
        bool is_unsigned = false;
        unsigned longs = 0;
        for (;; ++position) {
            const char c = peek();
            if (c == 'U' || c == 'u')
                is_unsigned = true;
            else if (c == 'L' || c == 'l')
                ++longs;
            else
                break;
        }
        if (longs == 0 && !is_unsigned) return fail(legibility::unclear); // g++ writes every integer without suffix
        put('L');
        put("ijlmxy"[longs * 2 + (is_unsigned ? 1 : 0)]);
        if (negative) put('n');
        for (unsigned k = begin; k < end; ++k) put(in[k]);
        put('E');
    }
};

} // namespace hanabi::detail

#endif
