// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What an image knows about one kernel parameter, and about the shapes a kernel may be launched in.

#ifndef HANABI_IMAGE_PARAMETER_HPP
#define HANABI_IMAGE_PARAMETER_HPP

#include <cstddef>
#include <cstdint>

namespace hanabi::image {

/// The fundamental types of PTX ("Fundamental Types" and the packed and alternate formats). unknown: the image doesn't
/// say (a cubin), or has a type that this reader has not met.
enum class scalar : std::uint8_t {
    unknown,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f32,
    f64,
    f16x2,
    bf16,
    bf16x2,
    tf32,
    opaque
};

/// Where a variable or a pointee lives. generic: not said.
enum class state_space : std::uint8_t { generic, global, constant, shared, local, param };

/// What can be said about a parameter's value. PTX of the older dialect writes integers and pointers alike as .u64, and
/// untyped .b32 may hold a float: those are not proof of either.
enum class value_class : std::uint8_t { unknown, integer, floating, pointer, integer_or_pointer, bytes };

/// Bytes of one element; 0 for unknown. References to textures, samplers and surfaces are handles of 8 bytes.
constexpr std::uint32_t size_of(scalar t) noexcept {
    switch (t) {
    case scalar::unknown: return 0;
    case scalar::b8:
    case scalar::u8:
    case scalar::s8: return 1;
    case scalar::b16:
    case scalar::u16:
    case scalar::s16:
    case scalar::f16:
    case scalar::bf16: return 2;
    case scalar::b32:
    case scalar::u32:
    case scalar::s32:
    case scalar::f32:
    case scalar::f16x2:
    case scalar::bf16x2:
    case scalar::tf32: return 4;
    case scalar::b64:
    case scalar::u64:
    case scalar::s64:
    case scalar::f64:
    case scalar::opaque: return 8;
    case scalar::b128: return 16;
    }
    return 0;
}

/// The name PTX gives a type, without the dot ("opaque" and "unknown" are ours).
constexpr const char* name_of(scalar t) noexcept {
    constexpr const char* names[] = {"unknown", "b8",  "b16", "b32", "b64", "b128", "u8",    "u16",  "u32",    "u64",  "s8",
                                     "s16",     "s32", "s64", "f16", "f32", "f64",  "f16x2", "bf16", "bf16x2", "tf32", "opaque"};
    return names[static_cast<std::size_t>(t)];
}

/// The name PTX gives a state space, without the dot; "generic" where none is said.
constexpr const char* name_of(state_space s) noexcept {
    constexpr const char* names[] = {"generic", "global", "const", "shared", "local", "param"};
    return names[static_cast<std::size_t>(s)];
}

/// A value_class in words.
constexpr const char* name_of(value_class c) noexcept {
    constexpr const char* names[] = {"unknown", "integer", "floating point", "pointer", "integer or pointer", "bytes"};
    return names[static_cast<std::size_t>(c)];
}

/// One kernel parameter as the image lays it out; sizes, alignments and offsets in bytes.
struct parameter_layout {
    scalar type = scalar::unknown;                    ///< the element's type; unknown from a cubin
    value_class category = value_class::unknown;      ///< what the value may be; from a cubin, pointer or unknown
    bool array = false;                               ///< declared with a bound: a structure or array by value
    bool pointer = false;                             ///< carries .ptr, or did so when the cubin was assembled
    state_space pointee_space = state_space::generic; ///< of a .ptr, where it says; a cubin does not tell .global and .const
    std::uint32_t bound = 0;                          ///< number of elements where array
    std::uint32_t size = 0;                           ///< all of the parameter; 0 where unknown
    std::uint32_t align = 0;                          ///< 0 where unknown (a cubin does not say)
    std::uint32_t offset = 0;                         ///< from the start of the parameters; see offset_known
    std::uint32_t pointee_align = 0;                  ///< of a .ptr, where it says; else 0
    bool offset_known = true;                         ///< false above 16-byte alignment in PTX: ptxas decides then
};

/// Three extents; all zero where the image says nothing.
struct extent3 {
    std::uint32_t x = 0, y = 0, z = 0;

    constexpr bool given() const noexcept { return x != 0 || y != 0 || z != 0; }
    constexpr std::uint64_t volume() const noexcept { return std::uint64_t{x} * y * z; }
    friend constexpr bool operator==(const extent3&, const extent3&) = default;
};

/// How a kernel was compiled to be launched: PTX "Performance-Tuning Directives" and "Cluster Dimension Directives", and
/// what of them a cubin keeps. Zero: not said.
struct launch_bounds {
    extent3 required_threads;            ///< .reqntid
    extent3 max_threads;                 ///< .maxntid; only the volume binds
    extent3 required_cluster;            ///< .reqnctapercluster
    std::uint32_t max_cluster_rank = 0;  ///< .maxclusterrank
    std::uint32_t min_blocks_per_sm = 0; ///< .minnctapersm
    std::uint32_t max_blocks_per_sm = 0; ///< .maxnctapersm
    std::uint32_t max_registers = 0;     ///< .maxnreg
    bool explicit_cluster = false;       ///< .explicitcluster: the launch must carry the cluster attribute
    bool blocks_are_clusters = false;    ///< .blocksareclusters: the grid counts clusters
    bool no_return = false;              ///< .noreturn
};

/// The binding of a name: PTX "Linking Directives", or an ELF symbol's binding.
enum class linkage : std::uint8_t {
    internal, ///< no directive, or a local symbol
    visible,  ///< .visible, or a global symbol
    external, ///< .extern, or an undefined symbol
    weak,     ///< .weak
    common    ///< .common
};

/// The PTX directive of a linkage, "(none)" for internal.
constexpr const char* name_of(linkage l) noexcept {
    constexpr const char* names[] = {"(none)", ".visible", ".extern", ".weak", ".common"};
    return names[static_cast<std::size_t>(l)];
}

} // namespace hanabi::image

#endif
