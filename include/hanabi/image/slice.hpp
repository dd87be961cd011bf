// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A piece of an image's text: what the readers hand out for names, without copying and without allocating.

#ifndef HANABI_IMAGE_SLICE_HPP
#define HANABI_IMAGE_SLICE_HPP

#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi::image {

/// Characters inside somebody else's text. Never owns, is not NUL-terminated, lives as long as the text it points into;
/// constexpr throughout; any thread.
struct slice {
    const char* first = nullptr;
    std::size_t length = 0;

    constexpr slice() = default;
    constexpr slice(const char* begin, std::size_t size) noexcept : first{begin}, length{size} {}
    constexpr slice(name_view name) noexcept : first{name.data()}, length{name.size()} {}
    constexpr slice(const char* text) noexcept : slice{name_view{text}} {}

    constexpr const char* data() const noexcept { return first; }
    constexpr std::size_t size() const noexcept { return length; }
    constexpr bool empty() const noexcept { return length == 0; }
    constexpr const char* begin() const noexcept { return first; }
    constexpr const char* end() const noexcept { return first + length; }
    constexpr char operator[](std::size_t i) const noexcept { return first[i]; }

    friend constexpr bool operator==(slice a, slice b) noexcept {
        if (a.length != b.length) return false;
        for (std::size_t i = 0; i < a.length; ++i)
            if (a.first[i] != b.first[i]) return false;
        return true;
    }
};

/// A fault in an image: where, counted in bytes from its beginning, and a reason with static storage. No fault: reason is
/// null.
struct fault {
    const char* reason = nullptr;
    std::size_t offset = 0;

    constexpr explicit operator bool() const noexcept { return reason != nullptr; }
};

/// The 1-based line of a byte offset in a text; offsets past the end count as the end.
constexpr std::size_t line_of(slice text, std::size_t offset) noexcept {
    std::size_t line = 1;
    for (std::size_t i = 0; i < text.length && i < offset; ++i)
        if (text.first[i] == '\n') ++line;
    return line;
}

} // namespace hanabi::image

#endif
