// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The substitutions of a mangled name: repeated components become S_, S0_, S1_ and so on.

#ifndef HANABI_MANGLING_SUBSTITUTION_HPP
#define HANABI_MANGLING_SUBSTITUTION_HPP

namespace hanabi::detail {

/// Brackets around characters of an encoding that are copied as they stand (expressions).
inline constexpr char verbatim_begin = '\1';
inline constexpr char verbatim_end = '\2';

/// Writes an encoding without substitutions (`P3PodPK3Pod`) as the ABI wants it (`P3PodPKS_`). One pass over the text:
/// each component that may be replaced is written out; when it is complete and its unabbreviated text was there before,
/// the output is taken back and its number written instead. Comparing unabbreviated text compares the entities
/// themselves. Not a template: all names of a program share it. Itanium C++ ABI, "Compression".
struct substitution {
    char* out;                // room for twice the unabbreviated name: Pi may become S10_
    unsigned length;          // of the output
    const char** begins;      // of each component; room for one a character
    unsigned* sizes;          // of each component
    unsigned count = 0;       // of components
    const char* in = nullptr; // one encoding, unabbreviated; stays where it is, for the components are compared
    unsigned position = 0;

    /// The number of the component with this text; `count`, and remembered, when it is new.
    constexpr unsigned find(const char* text, unsigned size) {
        for (unsigned k = 0; k < count; ++k) {
            if (sizes[k] != size) continue;
            const char* const other = begins[k];
            unsigned i = size; // from the end: that is where names of one namespace differ
            while (i > 0 && other[i - 1] == text[i - 1]) --i;
            if (i == 0) return k;
        }
        begins[count] = text;
        sizes[count] = size;
        return count++;
    }
    constexpr unsigned find(unsigned start) { return find(in + start, position - start); }

    /// The encoding of one type or template argument.
    constexpr void add(const char* encoding) {
        in = encoding;
        position = 0;
        argument();
    }

    constexpr void copy(unsigned n) {
        char* const to = out + length;
        const char* const from = in + position;
        for (unsigned i = 0; i < n; ++i) to[i] = from[i];
        length += n;
        position += n;
    }
    constexpr void copy_one() { out[length++] = in[position++]; }

    /// S_, S0_ … SZ_, S10_ …
    constexpr void write_number(unsigned k) {
        constexpr auto& digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        out[length++] = 'S';
        if (k > 36) out[length++] = digits[(k - 1) / 36];
        if (k > 0) out[length++] = digits[(k - 1) % 36];
        out[length++] = '_';
    }

    /// Ends a component that began at `start`, where the output was `mark` long.
    constexpr void component(unsigned start, unsigned mark) {
        const unsigned known = count;
        const unsigned k = find(start);
        if (k == known) return;
        length = mark;
        write_number(k);
    }

    /// 3Pod
    constexpr void source_name() {
        unsigned n = 0;
        unsigned digits = 0;
        for (char c = in[position]; c >= '0' && c <= '9'; c = in[position + digits]) {
            n = n * 10 + static_cast<unsigned>(c - '0');
            ++digits;
        }
        copy(n + digits);
    }

    constexpr void verbatim() {
        for (++position; in[position] != verbatim_end;) copy_one();
        ++position;
    }

    /// T_, T0_ …
    constexpr void template_parameter() {
        while (in[position] != '_') copy_one();
        copy_one();
    }

    /// A type, literal (L…E), pack (J…E) or expression.
    constexpr void argument() {
        if (in[position] == 'J') {
            template_arguments();
        } else if (in[position] == verbatim_begin) {
            verbatim();
        } else if (in[position] == 'L') {
            copy_one();
            type();
            while (in[position] != 'E') copy_one();
            copy_one();
        } else {
            type();
        }
    }

    /// I…E and J…E.
    constexpr void template_arguments() {
        copy_one();
        while (in[position] != 'E') argument();
        copy_one();
    }

    /// N…E.
    constexpr void nested_name() {
        const unsigned mark = length;
        out[length++] = 'N';
        const unsigned start = ++position;
        for (;;) {
            const char c = in[position];
            if (c == 'E') return copy_one();
            if (c == 'S') { // std, or an abbreviation: not a component by itself
                copy(2);
                continue;
            }
            if (c == 'I')
                template_arguments();
            else if (c == 'T')
                template_parameter();
            else
                source_name();
            const bool last = in[position] == 'E';
            const unsigned known = count;
            const unsigned k = find(start);
            if (k == known) continue;
            length = mark;
            if (!last) out[length++] = 'N';
            write_number(k);
            if (last) {
                ++position;
                return;
            }
        }
    }

    /// A built-in type behind pointers and qualifiers (`PKf`), which is what most parameters are, without recursion.
    constexpr bool pointers() {
        unsigned base = position;
        char c = 'P';
        while (c == 'P' || c == 'K') c = in[++base];
        if (c < 'a' || c == 'r') return false;
        unsigned written = base; // the components from here on are written as what follows
        unsigned number = count; // no number: the built-in type itself
        bool known = true;
        for (unsigned start = base; start-- > position;) { // innermost first
            const unsigned before = count;
            const unsigned k = find(in + start, base + 1 - start);
            known = known && k != before; // what holds something new is new
            if (known) {
                written = start;
                number = k;
            }
        }
        while (position < written) out[length++] = in[position++];
        if (written == base)
            out[length++] = c;
        else
            write_number(number);
        position = base + 1;
        return true;
    }

    constexpr void type() {
        const unsigned start = position;
        const unsigned mark = length;
        const char c = in[position];
        if (c >= 'a' && c != 'r') { // built-in types are never replaced
            out[length++] = c;
            ++position;
            return;
        }
        if (c == 'P' && pointers()) return;
        if (c >= '0' && c <= '9') {
            source_name();
            component(start, mark);
            if (in[position] != 'I') return;
            template_arguments();
            return component(start, mark);
        }
        switch (c) {
        case 'P':
        case 'R':
        case 'O': // &&
            copy_one();
            type();
            return component(start, mark);
        case 'r':
        case 'V':
        case 'K': // all qualifiers together make one component
            while (in[position] == 'r' || in[position] == 'V' || in[position] == 'K') copy_one();
            if (in[position] == 'F' || (in[position] == 'D' && in[position + 1] == 'o'))
                function();
            else
                type();
            return component(start, mark);
        case 'N': return nested_name();
        case 'S': // St4pair; Sa, Ss and the like
            copy(2);
            if (in[position - 1] == 't') {
                source_name();
                component(start, mark);
            }
            if (in[position] != 'I') return;
            template_arguments();
            return component(start, mark);
        case 'T':
            template_parameter();
            component(start, mark);
            if (in[position] != 'I') return;
            template_arguments();
            return component(start, mark);
        case 'A':
            copy_one();
            while (in[position] != '_') {
                if (in[position] == verbatim_begin)
                    verbatim();
                else
                    copy_one();
            }
            copy_one();
            type();
            return component(start, mark);
        case 'M':
            copy_one();
            type();
            type();
            return component(start, mark);
        case 'F': function(); return component(start, mark);
        case 'D':
            if (in[position + 1] == 'o') {
                function();
                return component(start, mark);
            }
            if (in[position + 1] == 'p') {
                copy(2);
                type();
                return component(start, mark);
            }
            if (in[position + 1] == 'F') return copy(5); // DF16_ and DF16b
            return copy(2);
        default: return verbatim();
        }
    }

    /// F…E and DoF…E; a reference qualifier stands before the E.
    constexpr void function() {
        copy(in[position] == 'D' ? 3 : 1);
        while (in[position] != 'E') {
            if ((in[position] == 'R' || in[position] == 'O') && in[position + 1] == 'E')
                copy_one();
            else
                type();
        }
        copy_one();
    }
};

} // namespace hanabi::detail

#endif
