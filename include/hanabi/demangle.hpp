// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Linker names for people: demangled, compared, and searched for the one that was meant. Run time only.

#ifndef HANABI_DEMANGLE_HPP
#define HANABI_DEMANGLE_HPP

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__GNUC__)
#include <cxxabi.h>
#endif

namespace hanabi {

/// `la::scal(float, float*, int)` for `_ZN2la4scalEfPfi`; the name itself when it is no mangled one, or where the
/// platform has no demangler. Throws std::bad_alloc only. Any thread.
template <class = void>
std::string demangle(const char* name) {
#if defined(__GNUC__)
    if (name[0] == '_' && name[1] == 'Z') {
        int status = 0;
        if (char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status)) {
            struct holder {
                char* text;
                ~holder() { std::free(text); }
            } const owner{text};
            return owner.text;
        }
    }
#endif
    return name;
}

namespace detail {

/// ` (la::scal(float, float*, int))`, to stand behind `_ZN2la4scalEfPfi` in a message; "" where the name is no mangled one.
template <class = void>
std::string readable_name(const char* name) {
    const std::string readable = demangle(name);
    std::string text;
    if (std::strcmp(readable.c_str(), name) != 0) {
        text = " (";
        text += readable;
        text += ')';
    }
    return text;
}

/// Where the brackets that begin at `i` end, or `i` itself.
template <class = void>
std::size_t skip_brackets(std::string_view text, std::size_t i) {
    int depth = 0;
    const std::size_t begin = i;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
        if ((c == ')' || c == '}' || c == ']' || (c == '>' && (i == 0 || text[i - 1] != '-'))) && --depth == 0) return i + 1;
    }
    return begin;
}

/// The qualified name in a demangled function: `ns::run` of `void ns::run<float>(float*, int)`.
template <class = void>
std::string_view qualified_name(std::string_view demangled) {
    constexpr std::string_view anonymous = "(anonymous namespace)";
    std::size_t begin = 0;
    std::size_t end = demangled.size();
    for (std::size_t i = 0; i < demangled.size();) {
        const char c = demangled[i];
        if (c == '(' && demangled.substr(i, anonymous.size()) == anonymous) {
            i += anonymous.size();
        } else if (c == '(') {
            end = i;
            break;
        } else if (c == ' ') {
            begin = ++i; // what was before is the result type
        } else if (c == '<') {
            const std::size_t after = skip_brackets(demangled, i);
            if (after == i) break;
            if (after == demangled.size() || demangled[after] == '(') { // the function's own template arguments
                end = i;
                break;
            }
            i = after;
        } else {
            ++i;
        }
    }
    return demangled.substr(begin, end - begin);
}

/// `run` of `ns::run`.
template <class = void>
std::string_view last_name(std::string_view qualified) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i + 1 < qualified.size();) {
        const char c = qualified[i];
        if (c == '(' || c == '<' || c == '{' || c == '[') {
            const std::size_t after = skip_brackets(qualified, i);
            i = after == i ? i + 1 : after;
        } else if (c == ':' && qualified[i + 1] == ':') {
            begin = i += 2;
        } else {
            ++i;
        }
    }
    return qualified.substr(begin);
}

constexpr std::size_t lesser(std::size_t a, std::size_t b) noexcept { return a < b ? a : b; }

/// Insertions, deletions, replacements and swaps of neighbours that make one text of the other; limit + 1 when it takes
/// more than that.
template <class Size = std::size_t>
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > limit) return limit + 1;
    std::vector<Size> before(b.size() + 1);
    std::vector<Size> row(b.size() + 1);
    std::vector<Size> next(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            next[j] = lesser(lesser(row[j], next[j - 1]) + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) next[j] = lesser(next[j], before[j - 2] + 1);
            least = lesser(least, next[j]);
        }
        if (least > limit) return limit + 1;
        before.swap(row);
        row.swap(next);
    }
    return lesser(row[b.size()], limit + 1);
}

/// Whether the longer of two names is the shorter one with something put after it: matmul, matmul_0d1d2d3de4c.
template <class = void>
bool is_stem(std::string_view a, std::string_view b) {
    if (a.size() > b.size()) std::swap(a, b);
    if (a.size() < 3 || a.size() == b.size() || b.substr(0, a.size()) != a) return false;
    const char next = b[a.size()];
    return next == '_' || next == '$' || next == '.' || (next >= '0' && next <= '9') || a.back() == '_';
}

/// How far apart two linker names are: 0 the same function with other parameters or linkage, 1 the same name in another
/// namespace, 2 a stem, 3 and more by edit distance; -1 when they have nothing in common.
template <class = void>
int name_distance(std::string_view wanted, std::string_view candidate) {
    if (wanted == candidate) return 0;
    const std::string_view a = last_name(wanted);
    const std::string_view b = last_name(candidate);
    if (a.empty() || b.empty()) return -1;
    if (a == b) return 1;
    if (is_stem(a, b)) return 2;
    const std::size_t shorter = lesser(a.size(), b.size());
    const std::size_t limit = shorter < 3 ? 0 : shorter < 8 ? 1 : shorter / 4;
    const std::size_t distance = edit_distance(a, b, limit);
    return distance > limit ? -1 : static_cast<int>(2 + distance);
}

/// A demangled name with long in the place of long long.
template <class = void>
std::string without_long_long(std::string text) {
    for (std::size_t i = 0; (i = text.find("long long", i)) != std::string::npos;) text.erase(i, 5);
    return text;
}

} // namespace detail

/// At most `max` of the linker names `candidates` that may have been meant by the linker name `name`, the likeliest
/// first: the same function with other parameters or the other linkage (`blur_h`, `_Z6blur_hPKfPfii`), the same name in
/// another namespace, a name with a suffix (`matmul`, `matmul_0d1d2d3de4c`), spelling mistakes. Names that have nothing in
/// common with it are left out. In the order of `candidates` among equals; overloads all appear.
template <class Size = std::size_t>
std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& candidates, std::size_t max) {
    const std::string wanted = demangle(name.c_str());
    const std::string_view wanted_name = detail::qualified_name(wanted);
    std::vector<std::string> result;
    std::vector<Size> distances; // of the results, which are sorted by it
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i] == name) continue;
        const std::string other = demangle(candidates[i].c_str());
        const int distance = detail::name_distance(wanted_name, detail::qualified_name(other));
        if (distance < 0) continue;
        result.push_back(candidates[i]);
        distances.push_back(static_cast<std::size_t>(distance));
        for (std::size_t k = result.size() - 1; k > 0 && distances[k - 1] > distances[k]; --k) {
            result[k].swap(result[k - 1]);
            std::swap(distances[k], distances[k - 1]);
        }
        if (result.size() > max) {
            result.pop_back();
            distances.pop_back();
        }
    }
    return result;
}

/// Whether two linker names name the same function but for long in the place of long long somewhere (l for x, m for y).
template <class = void>
bool differs_in_long_only(const std::string& a, const std::string& b) {
    if (a == b) return false;
    const std::string x = demangle(a.c_str());
    const std::string y = demangle(b.c_str());
    return x != y && detail::without_long_long(x) == detail::without_long_long(y);
}

/// Why `wanted` was not found where a candidate differs from it in long against long long only, as a sentence that names
/// that candidate; empty when there is none.
template <class = void>
std::string long_hint(const std::string& wanted, const std::vector<std::string>& candidates) {
    for (const std::string& candidate : candidates) {
        if (!differs_in_long_only(wanted, candidate)) continue;
        return "the module has " + candidate + " = " + demangle(candidate.c_str()) + ", which differs from " + demangle(wanted.c_str()) +
               " in long against long long only: both have 64 bits and different names (std::int64_t and std::size_t are of long on "
               "Linux); "
               "write the type that the kernel's source has";
    }
    return {};
}

/// Whether a demangled name matches a pattern of hanabi::matching: `*` is any characters, `?` one. The result type `void `
/// that demangled template instances begin with need not be in the pattern. Linear but for the number of `*`.
template <class = void>
bool matches_pattern(std::string_view pattern, std::string_view demangled) {
    const auto whole = [](std::string_view p, std::string_view t) {
        std::size_t i = 0;
        std::size_t j = 0;
        std::size_t star = std::string_view::npos;
        std::size_t retry = 0;
        while (j < t.size()) {
            if (i < p.size() && p[i] == '*') {
                star = i++;
                retry = j;
            } else if (i < p.size() && (p[i] == '?' || p[i] == t[j])) {
                ++i;
                ++j;
            } else if (star != std::string_view::npos) {
                i = star + 1;
                j = ++retry;
            } else {
                return false;
            }
        }
        while (i < p.size() && p[i] == '*') ++i;
        return i == p.size();
    };
    constexpr std::string_view result_type = "void ";
    return whole(pattern, demangled) ||
           (demangled.substr(0, result_type.size()) == result_type && whole(pattern, demangled.substr(result_type.size())));
}

/// The linker names among `candidates` that a pattern stands for, in their order: those whose demangled form is the
/// pattern to the letter (`hidden(int*)`, where `*` may be meant as a pointer), or else those that match it. A binding by
/// pattern is good when there is exactly one.
template <class = void>
std::vector<std::string> matching_names(std::string_view pattern, const std::vector<std::string>& candidates) {
    std::vector<std::string> exact;
    std::vector<std::string> similar;
    for (const std::string& candidate : candidates) {
        const std::string name = demangle(candidate.c_str());
        if (name == pattern)
            exact.push_back(candidate);
        else if (matches_pattern(pattern, name))
            similar.push_back(candidate);
    }
    return exact.empty() ? similar : exact;
}

} // namespace hanabi

#endif
