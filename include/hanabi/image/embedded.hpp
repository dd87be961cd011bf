// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Device images inside other files: the fatbins and cubins that a program, a library, an object or an archive carries.

#ifndef HANABI_IMAGE_EMBEDDED_HPP
#define HANABI_IMAGE_EMBEDDED_HPP

#include <hanabi/image/bytes.hpp>
#include <hanabi/image/elf.hpp>
#include <hanabi/image/slice.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hanabi::image {

/// One device image found inside of something.
struct embedded_image {
    bytes image;            ///< one fatbin container, or one cubin
    std::size_t offset = 0; ///< from the beginning of the file
    bool fatbin = false;    ///< false: a cubin outside of any fatbin
};

/// Walks the device images in a file of any format, in the order of the file: each container of a fatbin by itself, as the
/// compiler laid it down for one source, and cubins outside of fatbins. Known by their headers alone, wherever they lie: so
/// it needs neither sections nor alignment, and code that merely mentions a magic number is not taken for an image. PTX that
/// is no entry of a fatbin is not looked for. One that is cut short ends the walk with a fault. Linear; allocates nothing;
/// one thread at a time.
class embedded_scanner {
  public:
    constexpr explicit embedded_scanner(bytes file) noexcept : file_{file} {}

    constexpr fault error() const noexcept { return error_; }

    constexpr bool next(embedded_image& out) noexcept {
        while (!error_) {
            // A window at a time, so that what is not reached yet is not touched either.
            if (at_ >= limit_) {
                if (at_ >= file_.size()) return false;
                limit_ = file_.size() - at_ < window ? file_.size() : at_ + window;
                fatbin_ = find(at_, limit_, 0x50, fatbin_magic);
            } else if (fatbin_ < at_)
                fatbin_ = find(at_, limit_, 0x50, fatbin_magic);
            const std::uint64_t found = find(at_, fatbin_, 0x7f, elf_magic);
            if (found == limit_) {
                at_ = limit_;
                continue;
            }
            at_ = found + 1;
            const bool is_fatbin = found == fatbin_;
            const bytes rest = file_.part(found);
            if (is_fatbin ? !is_container(rest) : !is_cubin(rest)) continue;
            const std::uint64_t size = is_fatbin ? rest.u16(6) + rest.u64(8) : cubin_size(rest);
            if (size > rest.size()) {
                error_ = {is_fatbin ? "a fatbin that is cut short" : "a cubin that is cut short", static_cast<std::size_t>(found)};
                return false;
            }
            out = {rest.part(0, size), static_cast<std::size_t>(found), is_fatbin};
            at_ = found + size;
            return true;
        }
        return false;
    }

  private:
    static constexpr std::uint32_t fatbin_magic = 0xba55ed50u, elf_magic = 0x464c457fu;
    static constexpr std::uint64_t none = ~std::uint64_t{0}, window = std::uint64_t{1} << 20;

    /// Where the four bytes begin, from there on and before `to`; else `to`.
    constexpr std::uint64_t find(std::uint64_t from, std::uint64_t to, unsigned char first, std::uint32_t magic) const noexcept {
        for (std::uint64_t i = from; i < to; ++i) {
            if (!std::is_constant_evaluated()) {
                const void* const hit = std::memchr(file_.data() + i, first, static_cast<std::size_t>(to - i));
                if (hit == nullptr) return to;
                i = static_cast<std::uint64_t>(static_cast<const unsigned char*>(hit) - file_.data());
            }
            if (file_.u32(i) == magic) return i;
        }
        return to;
    }

    /// A container of the version that compilers have written ever since, whose first entry has a header that can be. Empty
    /// containers hold nothing to find.
    static constexpr bool is_container(const bytes& b) noexcept {
        const std::uint64_t payload = b.u64(8);
        if (b.u16(4) != 1 || b.u16(6) != 16 || payload < 64 || payload > (std::uint64_t{1} << 48)) return false;
        const std::uint64_t form = b.u16(16), header = b.u32(20), padded = b.u64(24), sm = b.u32(44);
        return form != 0 && form <= 64 && header >= 64 && header <= 4096 && header <= payload && padded <= payload - header && sm != 0 &&
               sm < 1000;
    }
    static constexpr bool is_cubin(const bytes& b) noexcept {
        return b.holds(0, 64) && b[4] == 2 && b[5] == 1 && b[6] == 1 && b.u16(18) == 190 && b.u16(52) == 64;
    }
    /// As far as its section table says, which lies last.
    static constexpr std::uint64_t cubin_size(const bytes& b) noexcept {
        const std::uint64_t table = b.u64(40);
        if (table > b.size() || !b.holds(table, std::uint64_t{b.u16(60)} * 64)) return none;
        return elf_view::extent_of(b);
    }

    bytes file_;
    std::uint64_t at_ = 0, limit_ = 0; // where to look, and up to where fatbin_ is known
    std::uint64_t fatbin_ = 0;         // the next one, or limit_
    fault error_{};
};

} // namespace hanabi::image

#endif
