// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Cubins: the kernels, parameters and variables of linked or relocatable device code. The metadata is not documented by
/// NVIDIA; what is read here was compared with what nvcc 13.0 was given, for sm_75 to sm_120. Unknown attributes are
/// skipped; what does not look as expected makes parameters unknown, never wrong.

#ifndef HANABI_IMAGE_CUBIN_HPP
#define HANABI_IMAGE_CUBIN_HPP

#include <hanabi/image/bytes.hpp>
#include <hanabi/image/elf.hpp>
#include <hanabi/image/parameter.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::image {

/// What a piece of code was compiled for: sm is 86 for compute capability 8.6; variant is 'a' (that architecture only), 'f'
/// (its family) or 0.
struct gpu_target {
    std::uint32_t sm = 0; ///< 0 where unknown
    char variant = 0;
    bool variant_known = false; ///< false: the bytes don't tell plain from 'a' and 'f'

    friend constexpr bool operator==(const gpu_target&, const gpu_target&) = default;
};

/// One kernel of a cubin. Names point into the image.
struct cubin_kernel {
    bytes name;
    linkage link = linkage::visible;   ///< internal for a static kernel
    std::uint32_t symbol = 0;          ///< index in the symbol table
    std::uint32_t text = 0;            ///< section of its code
    std::uint32_t info = 0;            ///< section of its attributes, 0 for none
    bool parameters_known = false;     ///< every record was found and they fit together
    std::uint32_t parameter_count = 0; ///< where known
    std::uint32_t parameter_bytes = 0; ///< size of the parameter bank in use, 0 for none
    std::uint32_t registers = 0;       ///< of one thread; 0 where unknown
    std::uint64_t static_shared = 0;   ///< bytes of a block, without what the system keeps for itself
    launch_bounds bounds;
};

/// One variable of a cubin that the driver finds by name.
struct cubin_variable {
    bytes name;
    linkage link = linkage::visible;
    state_space space = state_space::global;
    std::uint64_t size = 0; ///< bytes
    bool managed = false;
    bool initialised = false;
};

/// One attribute of an .nv.info section: a format, a code, and a value in the word or behind it.
struct cubin_attribute {
    std::uint8_t format = 0; ///< 1 nothing, 2 a byte, 3 a half word, 4 as many bytes as the half word says
    std::uint8_t code = 0;
    std::uint16_t half = 0;
    bytes value; ///< format 4
};

/// Walks attributes. Stops at the end, and at what is no attribute: see sound().
class cubin_attributes {
  public:
    constexpr explicit cubin_attributes(bytes content) noexcept : rest_{content} {}

    constexpr bool next(cubin_attribute& out) noexcept {
        if (rest_.empty()) return false;
        out = {rest_[0], rest_[1], rest_.u16(2), {}};
        if (!rest_.holds(0, 4) || out.format == 0 || out.format > 4 || (out.format == 4 && !rest_.holds(4, out.half))) {
            sound_ = false;
            return false;
        }
        if (out.format == 4) out.value = rest_.part(4, out.half);
        rest_ = rest_.part(4u + (out.format == 4 ? out.half : 0u));
        return true;
    }
    constexpr bool sound() const noexcept { return sound_; }

  private:
    bytes rest_;
    bool sound_ = true;
};

namespace detail {

namespace attribute {
inline constexpr std::uint8_t max_threads = 0x05, cluster_rank = 0x3f, required_threads = 0x10, parameter = 0x17, parameter_bytes = 0x19,
                              max_registers = 0x1b, registers = 0x2f, cluster = 0x3d, explicit_cluster = 0x3e, wide_parameter = 0x45,
                              blocks_are_clusters = 0x5b;
} // namespace attribute

inline constexpr std::uint32_t cubin_info = 0x70000000u;
inline constexpr unsigned relocatable_object = 13;    // type of a variable's symbol before linking; st_other then says where it lives
inline constexpr std::uint8_t lives_in_shared = 0x40; // in it

/// The parameter records of both kinds. 0x17 packs the size into bits 18 to 31 of a word; 0x45 has it in the lower half of one.
/// Both say besides what PTX says behind .ptr: the space of the pointee and the logarithm of its alignment, in bits 8 to 11
/// and 0 to 7 of the one, 24 to 31 and 16 to 23 of the other. The space is 1 for .local, 2 for .shared, 3 for .const (up to sm_80), 4
/// for .global (and .const from sm_90 on), 5 for a pointer of any space, 0 where the text does not say that it is a pointer (as
/// nvcc's up to sm_90).
constexpr bool read_parameter_record(const cubin_attribute& a, std::uint32_t& ordinal, parameter_layout& out) noexcept {
    if ((a.code != attribute::parameter && a.code != attribute::wide_parameter) || a.format != 4 || a.value.size() != 12) return false;
    const std::uint32_t word = a.value.u32(8);
    const bool packed = a.code == attribute::parameter;
    const std::uint32_t space = packed ? (word >> 8) & 15 : word >> 24, logarithm = packed ? word & 255 : (word >> 16) & 255;
    out = {};
    ordinal = a.value.u16(4);
    out.offset = a.value.u16(6);
    out.size = packed ? word >> 18 : word & 0xffff;
    if (space >= 1 && space <= 5 && logarithm < 31 && (out.size == 8 || out.size == 4)) {
        out.pointer = true;
        out.category = value_class::pointer;
        out.pointee_space = space == 1   ? state_space::local
                            : space == 2 ? state_space::shared
                            : space == 3 ? state_space::constant
                                         : state_space::generic;
        out.pointee_align = std::uint32_t{1} << logarithm;
    }
    return true;
}

constexpr extent3 read_extent3(const bytes& b) noexcept { return {b.u32(0), b.u32(4), b.u32(8)}; }

} // namespace detail

/// The view of one cubin. Any thread.
class cubin_view {
  public:
    constexpr cubin_view() = default;
    constexpr explicit cubin_view(bytes image) noexcept : elf_{image} {
        error_ = elf_.error();
        if (!error_ && elf_.machine() != 190) error_ = {"an ELF that is not for NVIDIA GPUs", 18};
    }

    constexpr fault error() const noexcept { return error_; }
    constexpr const elf_view& elf() const noexcept { return elf_; }
    constexpr bool relocatable() const noexcept { return elf_.type() == 1; }

    /// The architecture, from e_flags in the layout that EI_OSABI stands for; the variant from the compiler's note, the
    /// compatibility section, or the accelerator bit of the older layout.
    constexpr gpu_target target() const noexcept {
        gpu_target t;
        if (error_) return t;
        const bool wide = elf_.abi() == 0x41;
        if (wide)
            t.sm = (elf_.flags() >> 8) & 0xff;
        else if (elf_.abi() == 0x33)
            t.sm = elf_.flags() & 0xff;
        if (!wide && t.sm != 0) {
            t.variant_known = true;
            if ((elf_.flags() & 0x800) != 0) t.variant = 'a';
        }
        for (std::uint32_t i = 0; i < elf_.sections(); ++i) {
            const elf_section s = elf_.section(i);
            if (s.type == elf_section::note && elf_.name(s) == ".note.nv.tkinfo")
                read_note(elf_.content(s), t);
            else if (!t.variant_known && elf_.name(s) == ".nv.compat") {
                cubin_attribute a;
                for (cubin_attributes walk{elf_.content(s)}; walk.next(a);)
                    if (a.code == 9 && a.format == 2 && (a.half & 0xff) == 1) t = {t.sm, 'a', true};
            }
        }
        return t;
    }

    constexpr std::uint32_t symbols() const noexcept { return error_ ? 0 : elf_.symbols(); }

    /// Whether that symbol is a kernel: a function with the entry bit, defined here. Device functions lack the bit.
    constexpr bool is_kernel(std::uint32_t symbol) const noexcept {
        const elf_symbol s = elf_.symbol(symbol);
        return s.type() == elf_symbol::function && (s.other & 0x10) != 0 && s.defined();
    }

    /// The section of a kind that belongs to a section of code; 0 for none. Linear in the number of sections.
    constexpr std::uint32_t info_of(std::uint32_t text) const noexcept {
        for (std::uint32_t i = 1; i < elf_.sections(); ++i)
            if (is_info(elf_.section(i)) && elf_.section(i).info == text) return i;
        return 0;
    }
    constexpr std::uint32_t shared_of(std::uint32_t text) const noexcept {
        for (std::uint32_t i = 1; i < elf_.sections(); ++i)
            if (is_shared(elf_.section(i)) && elf_.section(i).info == text) return i;
        return 0;
    }
    /// Whether a section holds the attributes of one function; its info is the section of the code.
    constexpr bool is_info(const elf_section& s) const noexcept {
        return s.type == detail::cubin_info && s.info != 0 && elf_.name(s).starts_with(".nv.info.");
    }
    /// Whether a section is the static shared memory of one kernel; its info is the section of the code.
    constexpr bool is_shared(const elf_section& s) const noexcept {
        return !s.in_file() && s.info != 0 && elf_.name(s).starts_with(".nv.shared.");
    }

    /// What there is to know of a kernel, its attribute and shared memory sections being known (0 for none). Registers
    /// come from the code section's header where that has them; see registers_of. sm: of target().
    constexpr cubin_kernel kernel(std::uint32_t symbol, std::uint32_t info, std::uint32_t shared, std::uint32_t sm) const noexcept {
        const elf_symbol s = elf_.symbol(symbol);
        cubin_kernel k;
        k.name = elf_.name(s);
        k.link = binding(s);
        k.symbol = symbol;
        k.text = s.section;
        k.info = info;
        const std::uint64_t reserved = sm >= 90 ? 1024 : 0; // the system's own part comes first in the section
        const std::uint64_t bytes_shared = shared != 0 ? elf_.section(shared).size : 0;
        k.static_shared = bytes_shared >= reserved ? bytes_shared - reserved : bytes_shared;
        if (elf_.abi() == 0x33 || sm < 90) k.registers = elf_.section(k.text).info >> 24;
        const elf_section attributes = elf_.section(info);
        if (info != 0 && elf_.image().holds(attributes.offset, attributes.size)) read_info(elf_.content(attributes), k);
        return k;
    }

    /// The parameter of that ordinal; false where the image has no record of it. Linear in the attributes.
    constexpr bool parameter(const cubin_kernel& k, std::uint32_t ordinal, parameter_layout& out) const noexcept {
        if (k.info == 0) return false;
        cubin_attribute a;
        std::uint32_t found = 0;
        for (cubin_attributes walk{elf_.content(elf_.section(k.info))}; walk.next(a);)
            if (detail::read_parameter_record(a, found, out) && found == ordinal) return true;
        return false;
    }

    /// Calls what(symbol, registers) for every register count that the file's global attributes hold.
    template <class Function>
    constexpr void for_each_register_count(Function&& what) const noexcept {
        for (std::uint32_t i = 1; i < elf_.sections(); ++i) {
            const elf_section s = elf_.section(i);
            if (s.type != detail::cubin_info || !(elf_.name(s) == ".nv.info")) continue;
            cubin_attribute a;
            for (cubin_attributes walk{elf_.content(s)}; walk.next(a);)
                if (a.code == detail::attribute::registers && a.value.size() == 8) what(a.value.u32(0), a.value.u32(4));
        }
    }

    /// Whether that symbol is a variable the driver knows by name, and what it is.
    constexpr bool variable(std::uint32_t symbol, cubin_variable& out) const noexcept {
        const elf_symbol s = elf_.symbol(symbol);
        if ((s.type() != elf_symbol::object && !(relocatable() && s.type() == detail::relocatable_object)) || !s.defined()) return false;
        const bytes section = elf_.name(elf_.section(s.section));
        out = {};
        if (section == ".nv.global" || section.starts_with(".nv.global.")) {
            out.space = state_space::global;
            out.initialised = !(section == ".nv.global");
        } else if (section == ".nv.constant3" || section.starts_with(".nv.constant3.")) {
            out.space = state_space::constant;
            out.initialised = true;
        } else
            return false;
        out.name = elf_.name(s);
        out.link = binding(s);
        out.size = s.size;
        out.managed = (s.other & 0x04) != 0;
        return !out.name.empty();
    }

    /// Whether a relocatable image leaves that symbol to another one. Weak symbols may stay without a definition.
    constexpr bool undefined(std::uint32_t symbol) const noexcept {
        const elf_symbol s = elf_.symbol(symbol);
        const bytes name = elf_.name(s);
        if (symbol == 0 || s.defined() || name.empty() || name[0] == '.' || s.binding() == elf_symbol::weak_bind) return false;
        return s.type() != detail::relocatable_object || (s.other & detail::lives_in_shared) == 0; // dynamic shared memory: the launch's
    }

    /// Finds one kernel by its symbol. Allocates nothing; linear in the tables.
    constexpr bool find(slice symbol, cubin_kernel& out) const noexcept {
        for (std::uint32_t i = 1; i < symbols(); ++i) {
            if (!is_kernel(i) || !(elf_.name(elf_.symbol(i)) == symbol)) continue;
            const std::uint32_t text = elf_.symbol(i).section;
            out = kernel(i, info_of(text), shared_of(text), target().sm);
            for_each_register_count([&](std::uint32_t of, std::uint32_t count) {
                if (of == i) out.registers = count;
            });
            return true;
        }
        return false;
    }

  private:
    static constexpr linkage binding(const elf_symbol& s) noexcept {
        return !s.defined()                           ? linkage::external
               : s.binding() == elf_symbol::local     ? linkage::internal
               : s.binding() == elf_symbol::weak_bind ? linkage::weak
                                                      : linkage::visible;
    }

    /// The compiler's command line, as ptxas 12.8 and newer leave it: "-arch sm_90a ".
    static constexpr void read_note(const bytes& note, gpu_target& t) noexcept {
        for (std::size_t i = 0; i + 9 < note.size(); ++i) {
            if (note[i] != '-' || !note.part(i).starts_with({"-arch sm_", 9})) continue;
            std::uint32_t sm = 0;
            std::size_t at = i + 9;
            for (; at < note.size() && at < i + 14 && note[at] >= '0' && note[at] <= '9'; ++at)
                sm = sm * 10 + (note[at] - std::uint32_t{'0'});
            if (t.sm != 0 && sm != t.sm) continue; // a note about something else
            const unsigned char c = note[at];
            t = {sm, c == 'a' || c == 'f' ? static_cast<char>(c) : char{0}, true};
            return;
        }
    }

    constexpr void read_info(const bytes& content, cubin_kernel& k) const noexcept {
        cubin_attributes walk{content};
        cubin_attribute a;
        std::uint32_t records = 0, largest = 0, end = 0;
        std::uint64_t sum = 0, squares = 0;
        bool fits = true;
        while (walk.next(a)) {
            switch (a.code) {
            case detail::attribute::parameter:
            case detail::attribute::wide_parameter: {
                std::uint32_t ordinal = 0;
                parameter_layout p;
                if (!detail::read_parameter_record(a, ordinal, p)) {
                    fits = false;
                    break;
                }
                ++records;
                if (ordinal > largest) largest = ordinal;
                sum += ordinal;
                squares += std::uint64_t{ordinal} * ordinal;
                if (p.size > 65536)
                    fits = false;
                else if (p.offset + p.size > end)
                    end = p.offset + p.size;
                break;
            }
            case detail::attribute::parameter_bytes:
                if (a.format == 3) k.parameter_bytes = a.half;
                break;
            case detail::attribute::max_registers:
                if (a.format == 3 && a.half != 0xff) k.bounds.max_registers = a.half;
                break;
            case detail::attribute::max_threads:
                if (a.value.size() == 12) k.bounds.max_threads = detail::read_extent3(a.value);
                break;
            case detail::attribute::required_threads:
                if (a.value.size() == 12) k.bounds.required_threads = detail::read_extent3(a.value);
                break;
            case detail::attribute::cluster:
                if (a.value.size() == 12) k.bounds.required_cluster = detail::read_extent3(a.value);
                break;
            case detail::attribute::cluster_rank:
                if (a.value.size() == 4) k.bounds.max_cluster_rank = a.value.u32(0);
                break;
            case detail::attribute::explicit_cluster:
                if (a.format == 1) k.bounds.explicit_cluster = true;
                break;
            case detail::attribute::blocks_are_clusters:
                if (a.format == 1) k.bounds.blocks_are_clusters = true;
                break;
            default: break;
            }
        }
        // Each of 0 to n-1 once, as far as sums can tell, and all of them inside the bank.
        const std::uint64_t n = records;
        k.parameters_known = walk.sound() && fits && end == k.parameter_bytes && (n == 0 || largest == n - 1) &&
                             sum == (n == 0 ? 0 : n * (n - 1) / 2) && squares == (n == 0 ? 0 : (n - 1) * n * (2 * n - 1) / 6);
        if (k.parameters_known) k.parameter_count = records;
    }

    elf_view elf_;
    fault error_{};
};

} // namespace hanabi::image

#endif
