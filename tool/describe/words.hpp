// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Words of C++ source: identifiers of any text, quotations, comments, the names of built-in types.

#ifndef HANABI_TOOL_WORDS_HPP
#define HANABI_TOOL_WORDS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// Whether a word is one of the language's own.
inline bool is_keyword(std::string_view word) {
    static constexpr std::string_view words[] = {
        "alignas",  "alignof",  "and",       "and_eq",       "asm",       "auto",       "bitand",        "bitor",       "bool",
        "break",    "case",     "catch",     "char",         "char8_t",   "char16_t",   "char32_t",      "class",       "compl",
        "concept",  "const",    "consteval", "constexpr",    "constinit", "const_cast", "continue",      "co_await",    "co_return",
        "co_yield", "decltype", "default",   "delete",       "do",        "double",     "dynamic_cast",  "else",        "enum",
        "explicit", "export",   "extern",    "false",        "float",     "for",        "friend",        "goto",        "if",
        "inline",   "int",      "long",      "mutable",      "namespace", "new",        "noexcept",      "not",         "not_eq",
        "nullptr",  "operator", "or",        "or_eq",        "private",   "protected",  "public",        "register",    "reinterpret_cast",
        "requires", "return",   "short",     "signed",       "sizeof",    "static",     "static_assert", "static_cast", "struct",
        "switch",   "template", "this",      "thread_local", "throw",     "true",       "try",           "typedef",     "typeid",
        "typename", "union",    "unsigned",  "using",        "virtual",   "void",       "volatile",      "wchar_t",     "while",
        "xor",      "xor_eq",   "linux",     "unix"}; // the last two are macros of g++
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// A name that C++ takes, of any text: letters, digits and single underscores.
inline std::string identifier_of(std::string_view text, const char* if_none) {
    std::string s;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter)
            s += c;
        else if (!s.empty() && s.back() != '_')
            s += '_';
    }
    while (!s.empty() && s.back() == '_') s.pop_back();
    if (s.size() > 80) s.resize(80);
    while (!s.empty() && s.back() == '_') s.pop_back();
    if (s.empty()) return if_none;
    if (s[0] >= '0' && s[0] <= '9') s.insert(0, std::string{if_none} + "_");
    if (is_keyword(s)) s += '_';
    return s;
}

/// Whether a text is an identifier, or several joined by `::`.
inline bool is_namespace(const std::string& text) {
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = std::min(text.find("::", begin), text.size());
        if (begin == end || is_keyword(text.substr(begin, end - begin))) return false;
        for (std::size_t i = begin; i < end; ++i) {
            const char c = text[i];
            const bool digit = c >= '0' && c <= '9';
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (digit && i != begin))) return false;
        }
        if (end == text.size()) return true;
        begin = end + 2;
    }
}

/// A text between quotes as C++ source.
inline std::string quoted(std::string_view text) {
    std::string s = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\' || code < 32 || code > 126) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\%03o", code);
            s += escaped;
        } else
            s += c;
    }
    return s + "\"";
}

/// A text inside of a // comment: no line end, no backslash that would join lines.
inline std::string commented(std::string_view text) {
    std::string s;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        s += code < 32 || code == 127 ? '?' : c == '\\' ? '/' : c;
    }
    return s;
}

inline const char* builtin_text(char code) {
    switch (code) {
    case 'v': return "void";
    case 'b': return "bool";
    case 'c': return "char";
    case 'a': return "signed char";
    case 'h': return "unsigned char";
    case 's': return "short";
    case 't': return "unsigned short";
    case 'i': return "int";
    case 'j': return "unsigned";
    case 'l': return "long";
    case 'm': return "unsigned long";
    case 'x': return "long long";
    case 'y': return "unsigned long long";
    case 'f': return "float";
    case 'd': return "double";
    case 'w': return "wchar_t";
    default: return nullptr;
    }
}
/// Bytes of a built-in type on the device; 0 for none, and where it differs between systems.
inline std::uint32_t builtin_size(char code) {
    switch (code) {
    case 'b':
    case 'c':
    case 'a':
    case 'h': return 1;
    case 's':
    case 't': return 2;
    case 'i':
    case 'j':
    case 'f': return 4;
    case 'l':
    case 'm':
    case 'x':
    case 'y':
    case 'd': return 8;
    default: return 0;
    }
}

/// Words joined by commas, in as many lines as it takes.
inline std::string wrapped(const std::string& head, const std::vector<std::string>& words, const std::string& tail) {
    std::string out, line = head;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i] + (i + 1 != words.size() ? ", " : "");
        if (line.size() + word.size() > 120 && line.size() > 8) {
            while (line.back() == ' ') line.pop_back();
            out += line + "\n";
            line = "        ";
        }
        line += word;
    }
    return out + line + tail;
}

} // namespace tool

#endif
