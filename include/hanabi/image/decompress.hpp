// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Compressed fatbin entries, by way of the zstd and lz4 libraries: an optional header for programs that link them (define
/// HANABI_NO_ZSTD or HANABI_NO_LZ4 to do without one of the two). Without it such entries are listed, and unread.

#ifndef HANABI_IMAGE_DECOMPRESS_HPP
#define HANABI_IMAGE_DECOMPRESS_HPP

#include <hanabi/image/kernels.hpp>

#if !defined(HANABI_NO_ZSTD)
#include <zstd.h>
#endif
#if !defined(HANABI_NO_LZ4)
#include <lz4.h>
#endif

#include <climits>
#include <cstddef>
#include <span>

namespace hanabi::image {

/// A decompressor for summarize: one zstd frame, or one raw LZ4 block, that yields exactly size bytes. Any thread.
inline bool decompress(compression packing, std::span<const unsigned char> in, unsigned char* out, std::size_t size) {
    switch (packing) {
#if !defined(HANABI_NO_ZSTD)
    case compression::zstd: return ZSTD_decompress(out, size, in.data(), in.size()) == size;
#endif
#if !defined(HANABI_NO_LZ4)
    case compression::lz4: {
        if (in.size() > INT_MAX || size > INT_MAX) return false;
        const int written = LZ4_decompress_safe(reinterpret_cast<const char*>(in.data()), reinterpret_cast<char*>(out),
                                                static_cast<int>(in.size()), static_cast<int>(size));
        return written >= 0 && static_cast<std::size_t>(written) == size;
    }
#endif
    default: return false;
    }
}

/// Makes decompress what summarize uses by itself, for the whole process; so does a registry then, for the images it
/// loads. Call it once, before images are read. Any thread.
inline void use_decompression() noexcept { default_decompressor().store(&decompress, std::memory_order_release); }

} // namespace hanabi::image

#endif
