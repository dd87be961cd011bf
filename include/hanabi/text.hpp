// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Text in types: the class-type template parameter that names modules, symbols and parameters.

#ifndef HANABI_TEXT_HPP
#define HANABI_TEXT_HPP

#include <cstddef>

namespace hanabi {

/// A reference to NUL-terminated characters with static storage: what descriptors hand out for their names. Never owns;
/// constexpr throughout; any thread.
struct name_view {
    const char* characters = "";
    std::size_t length = 0;

    constexpr name_view() = default;
    constexpr name_view(const char* text) noexcept : characters{text} {
        while (text[length] != '\0') ++length;
    }
    constexpr name_view(const char* text, std::size_t size) noexcept : characters{text}, length{size} {}

    /// The characters, NUL-terminated.
    constexpr const char* data() const noexcept { return characters; }
    constexpr const char* c_str() const noexcept { return characters; }
    constexpr std::size_t size() const noexcept { return length; }
    constexpr bool empty() const noexcept { return length == 0; }
    /// Itself, as other names have it.
    constexpr name_view view() const noexcept { return *this; }
    constexpr const char* begin() const noexcept { return characters; }
    constexpr const char* end() const noexcept { return characters + length; }

    friend constexpr bool operator==(name_view a, name_view b) noexcept {
        if (a.length != b.length) return false;
        for (std::size_t i = 0; i < a.length; ++i)
            if (a.characters[i] != b.characters[i]) return false;
        return true;
    }
};

/// A string of N characters as a template parameter: text<4>{"axpy"}. Structural, so two are one type when they spell
/// the same.
template <std::size_t N>
struct text {
    char characters[N + 1]{};

    constexpr text() = default;
    constexpr text(const char (&literal)[N + 1]) noexcept {
        for (std::size_t i = 0; i <= N; ++i) characters[i] = literal[i]; // the NUL as well: clang prints as text what ends in one
    }

    static constexpr std::size_t size() noexcept { return N; }
    constexpr const char* data() const noexcept { return characters; }
    constexpr name_view view() const noexcept { return {characters, N}; }
    constexpr operator name_view() const noexcept { return view(); }

    template <std::size_t M>
    friend constexpr bool operator==(const text& a, const text<M>& b) noexcept {
        return a.view() == b.view();
    }
};

template <std::size_t N, std::size_t Length = N - 1> // a number by itself, since clang prints a sum as it was written
text(const char (&)[N])->text<Length>;

} // namespace hanabi

#endif
