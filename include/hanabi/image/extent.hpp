// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The size of an image that is known by its address only.

#ifndef HANABI_IMAGE_EXTENT_HPP
#define HANABI_IMAGE_EXTENT_HPP

#include <hanabi/image/bytes.hpp>
#include <hanabi/image/elf.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hanabi::image {

/// The size of an image that came as a bare pointer, as cuModuleLoadData takes one: from the headers of an ELF or a
/// fatbin (its first container), else up to and with the NUL. The pointer must be to a whole image: what the headers
/// say is believed.
inline std::size_t image_size(const void* image) noexcept {
    const auto* const p = static_cast<const unsigned char*>(image);
    if (p == nullptr) return 0;
    const auto matches = [&](const char* magic) {
        for (std::size_t i = 0; i < 4; ++i)
            if (p[i] != static_cast<unsigned char>(magic[i])) return false; // stops before it reads past a short text
        return true;
    };
    if (matches("\x7f"
                "ELF")) {
        // The tables first, by a view of what the header alone promises; then everything they speak of.
        const bytes header{p, 64};
        const std::uint64_t sections = header.u64(40) + std::uint64_t{header.u16(60)} * header.u16(58);
        const std::uint64_t segments = header.u64(32) + std::uint64_t{header.u16(54)} * header.u16(56);
        const std::size_t tables = static_cast<std::size_t>(std::max<std::uint64_t>({64, sections, segments}));
        return static_cast<std::size_t>(elf_view::extent_of(bytes{p, tables}));
    }
    if (matches("\x50\xed\x55\xba")) {
        const bytes header{p, 16};
        return static_cast<std::size_t>(header.u16(6) + header.u64(8));
    }
    return std::strlen(static_cast<const char*>(image)) + 1;
}

} // namespace hanabi::image

#endif
