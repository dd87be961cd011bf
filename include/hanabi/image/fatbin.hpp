// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Fatbins: containers of code for several architectures, as nvcc and fatbinary write them. The layout is not documented by
/// NVIDIA; it was compared with what fatbinary 13.0 was given.

#ifndef HANABI_IMAGE_FATBIN_HPP
#define HANABI_IMAGE_FATBIN_HPP

#include <hanabi/image/bytes.hpp>
#include <hanabi/image/cubin.hpp>
#include <hanabi/image/slice.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::image {

/// What an entry of a fatbin holds.
enum class fatbin_form : std::uint16_t { ptx = 1, elf = 2, lto_ir = 8 };

/// How an entry is packed. other: packed in a way that this reader does not know.
enum class compression : std::uint8_t { none, zstd, lz4, other };

/// A compression's name.
constexpr const char* name_of(compression c) noexcept {
    constexpr const char* names[] = {"none", "zstd", "lz4", "unknown"};
    return names[static_cast<std::size_t>(c)];
}

/// One entry.
struct fatbin_entry {
    fatbin_form form = fatbin_form::ptx; ///< any number, those of the enumeration are known
    gpu_target target;
    std::uint32_t major = 0, minor = 0; ///< PTX version of a PTX entry; a format version else
    std::uint64_t flags = 0;            ///< as stored
    compression packing = compression::none;
    std::size_t container = 0;  ///< number of its container, from 0
    std::size_t offset = 0;     ///< of its header, from the beginning of the image
    std::size_t padded = 0;     ///< bytes of the payload as the walk goes
    std::uint64_t unpacked = 0; ///< bytes once decompressed; 0 where not compressed
    bytes payload;              ///< as stored: PTX without its padding, or the compressed bytes
};

/// Walks all entries of all containers that follow one another. A length that does not fit ends the walk with a fault.
class fatbin_scanner {
  public:
    constexpr explicit fatbin_scanner(bytes image) noexcept : image_{image} { open(0); }

    constexpr fault error() const noexcept { return error_; }
    /// Containers seen so far.
    constexpr std::size_t containers() const noexcept { return containers_; }

    constexpr bool next(fatbin_entry& out) noexcept {
        while (!error_ && at_ == end_) {
            // Containers stand on multiples of eight; anything else behind one is padding, and none of ours.
            std::uint64_t after = end_;
            while (after % 8 != 0 && after < image_.size() && image_[static_cast<std::size_t>(after)] == 0) ++after;
            if (image_.u32(after) != magic) return false;
            open(after);
        }
        if (error_) return false;
        if (end_ - at_ < 64) return fail("an entry header that is cut short");
        const std::uint32_t header = image_.u32(at_ + 4);
        const std::uint64_t padded = image_.u64(at_ + 8);
        if (header < 64 || header > end_ - at_) return fail("an entry header of an impossible length");
        if (padded > end_ - at_ - header) return fail("an entry that is longer than its container");
        out = {};
        out.form = static_cast<fatbin_form>(image_.u16(at_));
        out.container = containers_ - 1;
        out.offset = static_cast<std::size_t>(at_);
        out.padded = static_cast<std::size_t>(padded);
        out.minor = image_.u16(at_ + 0x18);
        out.major = image_.u16(at_ + 0x1a);
        out.flags = image_.u64(at_ + 0x28);
        out.target.sm = image_.u32(at_ + 0x1c);
        out.target.variant = (out.flags & 0x100000) != 0 ? 'a' : (out.flags & 0x200000) != 0 ? 'f' : char{0};
        out.target.variant_known = out.target.sm < 90 || out.target.variant != 0; // compilers before 12.9 may not set them
        const std::uint32_t stored = image_.u32(at_ + 0x10);
        const std::uint64_t unpacked = image_.u64(at_ + 0x38);
        std::uint64_t size = padded;
        if ((out.flags & 0x8000) != 0)
            out.packing = compression::zstd;
        else if ((out.flags & 0x2000) != 0)
            out.packing = compression::lz4;
        else if (unpacked != 0)
            out.packing = compression::other;
        if (out.packing != compression::none) {
            out.unpacked = unpacked;
            if (stored > padded) return fail("compressed bytes that are longer than their entry");
            if (stored != 0) size = stored;
        }
        if (out.packing == compression::none && out.form == fatbin_form::ptx)
            while (size != 0 && image_[static_cast<std::size_t>(at_ + header + size - 1)] == 0) --size;
        out.payload = image_.part(at_ + header, size);
        at_ += header + padded;
        return true;
    }

    static constexpr std::uint32_t magic = 0xba55ed50u;

  private:
    constexpr bool fail(const char* reason) noexcept {
        error_ = {reason, static_cast<std::size_t>(at_)};
        return false;
    }
    constexpr void open(std::uint64_t at) noexcept {
        at_ = at;
        end_ = at;
        if (image_.u32(at) != magic || !image_.holds(at, 16)) {
            fail("no fatbin header");
            return;
        }
        const std::uint32_t header = image_.u16(at + 6);
        const std::uint64_t payload = image_.u64(at + 8);
        if (header < 16 || !image_.holds(at, header) || !image_.holds(at + header, payload)) {
            fail("a container that is cut short");
            return;
        }
        at_ = at + header;
        end_ = at_ + payload;
        ++containers_;
    }

    bytes image_;
    std::uint64_t at_ = 0;
    std::uint64_t end_ = 0;
    std::size_t containers_ = 0;
    fault error_{};
};

} // namespace hanabi::image

#endif
