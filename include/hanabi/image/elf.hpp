// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// ELF64 files, little-endian: sections and symbols, as the System V ABI lays them out. Reads, never writes, and trusts no
/// offset.

#ifndef HANABI_IMAGE_ELF_HPP
#define HANABI_IMAGE_ELF_HPP

#include <hanabi/image/bytes.hpp>
#include <hanabi/image/slice.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::image {

/// One section header.
struct elf_section {
    std::uint32_t name = 0; ///< offset into the section name table
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t link = 0;
    std::uint32_t info = 0;
    std::uint64_t stride = 0; ///< bytes of one entry, for tables

    static constexpr std::uint32_t symtab = 2; ///< type of a symbol table
    static constexpr std::uint32_t note = 7;   ///< type of a note
    static constexpr std::uint32_t nobits = 8; ///< type of a section that takes no room in the file

    /// Whether a section takes room in the file. Of the types that NVIDIA added, those of variables, local memory and
    /// shared memory do not (seen in relocatable code of nvcc 13.0).
    constexpr bool in_file() const noexcept {
        return type != 0 && type != nobits && type != 0x70000007u && type != 0x70000009u && type != 0x7000000au && type != 0x70000015u;
    }
    /// Whether the type is one of the processor's own, whose meaning only the vendor knows.
    constexpr bool foreign() const noexcept { return type >= 0x60000000u; }
};

/// One symbol.
struct elf_symbol {
    std::uint32_t name = 0; ///< offset into the string table of the symbol table
    std::uint8_t info = 0;
    std::uint8_t other = 0;
    std::uint16_t section = 0;
    std::uint64_t value = 0;
    std::uint64_t size = 0;

    constexpr unsigned type() const noexcept { return info & 15u; }
    constexpr unsigned binding() const noexcept { return info >> 4; }
    constexpr bool defined() const noexcept { return section != 0; }

    static constexpr unsigned object = 1, function = 2;             ///< types
    static constexpr unsigned local = 0, global = 1, weak_bind = 2; ///< bindings
};

/// The view of one ELF file. Opening checks the tables it needs; everything is bounds-checked besides. Any thread.
class elf_view {
  public:
    constexpr elf_view() = default;
    constexpr explicit elf_view(bytes image) noexcept : image_{image} { open(); }

    constexpr fault error() const noexcept { return fault_; }
    constexpr bytes image() const noexcept { return image_; }

    constexpr unsigned abi() const noexcept { return image_[7]; }
    constexpr unsigned abi_version() const noexcept { return image_[8]; }
    constexpr unsigned type() const noexcept { return image_.u16(16); } ///< 1 relocatable, 2 executable
    constexpr unsigned machine() const noexcept { return image_.u16(18); }
    constexpr std::uint32_t flags() const noexcept { return image_.u32(48); }

    constexpr std::uint32_t sections() const noexcept { return count_; }
    /// A section header; all zero where there is none.
    constexpr elf_section section(std::uint32_t index) const noexcept {
        if (index >= count_) return {};
        const std::uint64_t at = table_ + std::uint64_t{index} * 64;
        return {image_.u32(at),      image_.u32(at + 4),  image_.u64(at + 8),  image_.u64(at + 24),
                image_.u64(at + 32), image_.u32(at + 40), image_.u32(at + 44), image_.u64(at + 56)};
    }
    constexpr bytes name(const elf_section& s) const noexcept { return string(names_, s.name); }
    constexpr bytes content(const elf_section& s) const noexcept { return s.in_file() ? image_.part(s.offset, s.size) : bytes{}; }

    constexpr std::uint32_t symbols() const noexcept { return static_cast<std::uint32_t>(symbols_.size() / 24); }
    /// A symbol; all zero where there is none.
    constexpr elf_symbol symbol(std::uint32_t index) const noexcept {
        const std::uint64_t at = std::uint64_t{index} * 24;
        if (!symbols_.holds(at, 24)) return {};
        return {symbols_.u32(at), symbols_[at + 4], symbols_[at + 5], symbols_.u16(at + 6), symbols_.u64(at + 8), symbols_.u64(at + 16)};
    }
    constexpr bytes name(const elf_symbol& s) const noexcept { return string(strings_, s.name); }

    /// The bytes a file must have: the end of the furthest of its parts. Reads the header and the section table only, so
    /// the bytes may end behind those.
    static constexpr std::uint64_t extent_of(const bytes& image) noexcept {
        std::uint64_t end = 64;
        const auto reach = [&](std::uint64_t first, std::uint64_t size) {
            if (size != 0 && first <= ~std::uint64_t{0} - size && first + size > end) end = first + size;
        };
        const std::uint64_t table = image.u64(40);
        const std::uint32_t count = image.u16(60);
        reach(table, std::uint64_t{count} * 64);
        reach(image.u64(32), std::uint64_t{image.u16(54)} * image.u16(56));
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t at = table + std::uint64_t{i} * 64;
            elf_section s;
            s.type = image.u32(at + 4);
            if (s.in_file()) reach(image.u64(at + 24), image.u64(at + 32));
        }
        return end;
    }

  private:
    constexpr void open() noexcept {
        const bytes& image = image_;
        if (!image.holds(0, 64)) return fail("an ELF header that is cut short", image.size());
        if (image.u32(0) != 0x464c457fu) return fail("no ELF magic", 0);
        if (image[4] != 2 || image[5] != 1) return fail("an ELF that is not 64-bit little-endian", 4);
        const std::uint64_t table = image.u64(40);
        count_ = image.u16(60);
        if (table != 0 && count_ == 0) count_ = static_cast<std::uint32_t>(image.u64(table + 32)); // very many sections
        if (count_ != 0 && image.u16(58) != 64) return fail("section headers of an odd size", 58);
        if (count_ != 0 && !image.holds(table, std::uint64_t{count_} * 64)) return fail("a section table that is cut short", image.size());
        table_ = table;
        std::uint32_t names = image.u16(62);
        if (names == 0xffff) names = section(0).link;
        names_ = content(section(names));
        for (std::uint32_t i = 0; i < count_; ++i) {
            const elf_section s = section(i);
            if (s.in_file() && !s.foreign() && !image.holds(s.offset, s.size)) return fail("a section that is cut short", image.size());
            if (s.type == elf_section::symtab && symbols_.empty() && s.stride == 24) {
                symbols_ = content(s);
                strings_ = content(section(s.link));
            }
        }
    }

    constexpr void fail(const char* reason, std::size_t offset) noexcept {
        fault_ = {reason, offset};
        count_ = 0;
        symbols_ = {};
    }
    /// Up to its NUL; names beyond 32 KB are cut, so that a table without NULs costs little.
    static constexpr bytes string(const bytes& table, std::uint32_t offset) noexcept {
        const bytes rest = table.part(offset, 32768);
        std::size_t size = 0;
        while (size < rest.size() && rest[size] != 0) ++size;
        return rest.part(0, size);
    }

    bytes image_;
    bytes names_;
    bytes symbols_;
    bytes strings_;
    std::uint64_t table_ = 0;
    std::uint32_t count_ = 0;
    fault fault_{};
};

} // namespace hanabi::image

#endif
