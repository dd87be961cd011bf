// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What to say of a kernel that is not there: the names that may have been meant. Templates, so that sources which look
/// nothing up don't compile them.

#ifndef HANABI_DETAIL_MISSING_SYMBOL_HPP
#define HANABI_DETAIL_MISSING_SYMBOL_HPP

#include <hanabi/demangle.hpp>

#include <cstddef>
#include <string>

namespace hanabi::detail {

/// `where` in words has no kernel of that symbol: the nearest names it has, demangled, and the hint at long against
/// long long.
template <class Names>
std::string missing_text(const std::string& where, const std::string& symbol, const Names& names) {
    const std::string readable = demangle(symbol.c_str());
    std::string s = where + " has no kernel '" + symbol + "'";
    if (readable != symbol) s += ", " + readable;
    const Names near = nearest(symbol, names, 5);
    if (near.empty()) return s + "; no name in it is near";
    s += "; near are";
    const char* before = " ";
    for (const std::string& name : near) {
        const std::string other = demangle(name.c_str());
        s += before + ("'" + name + "'") + (other != name ? " which is " + other : "");
        before = ", ";
    }
    if (const std::string hint = long_hint(symbol, names); !hint.empty()) s += "; " + hint;
    return s;
}

/// `where` has none or several kernels that match a pattern: the first of those, or of all.
template <class Names>
std::string not_one_text(const std::string& where, const std::string& pattern, const Names& hits, const Names& names) {
    constexpr std::size_t most = 8;
    std::string text = where + " has " + std::to_string(hits.size()) + " kernels that match '" + pattern + "', and one is wanted";
    const Names& shown = hits.empty() ? names : hits;
    const char* before = hits.empty() ? "; it has " : ": ";
    for (std::size_t i = 0; i < shown.size() && i < most; ++i) {
        text += before + demangle(shown[i].c_str());
        before = ", ";
    }
    if (shown.size() > most) text += " and " + std::to_string(shown.size() - most) + " more";
    return text;
}

} // namespace hanabi::detail

#endif
