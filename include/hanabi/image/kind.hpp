// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a blob is, from its first bytes: which images the driver could load, and a name for everything else.

#ifndef HANABI_IMAGE_KIND_HPP
#define HANABI_IMAGE_KIND_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace hanabi::image {

/// Every blob is one of these.
enum class kind : std::uint8_t {
    ptx,                   ///< PTX text
    cubin,                 ///< linked device code, ELF for NVIDIA GPUs
    fatbin,                ///< a container of cubins and PTX
    empty,                 ///< no bytes, or NULs only
    blanks,                ///< white space and comments only
    ptx_without_version,   ///< PTX whose first directive is not .version
    truncated_elf,         ///< an ELF file that ends too early
    truncated_fatbin,      ///< a fatbin that ends too early
    relocatable_cubin,     ///< device code that has yet to be linked
    hip_bundle,            ///< Clang's offload bundle, AMD's container
    hip_bundle_compressed, ///< the same, compressed (CCOB)
    amdgpu_elf,            ///< a code object for AMD GPUs
    host_elf,              ///< a program, library or object for a CPU
    host_executable,       ///< the same in the formats of Windows and macOS
    lto_ir,                ///< NVIDIA's intermediate code for link-time optimisation
    llvm_bitcode,          ///< LLVM bitcode
    llvm_ir,               ///< LLVM assembly
    archive,               ///< a library of objects (.a, .lib)
    path,                  ///< the name of a file
    cuda_source,           ///< CUDA C++
    fatbin_wrapper,        ///< the host-side structure that points at a fatbin
    gzip,                  ///< a gzip stream
    zstd,                  ///< a zstd stream
    spirv,                 ///< SPIR-V
    unknown_text,          ///< text of no known sort
    unknown                ///< bytes of no known sort
};

/// What else is wrong, or at least remarkable, with a blob of a known kind.
enum class trouble : std::uint8_t {
    none,
    byte_order_mark, ///< the text begins with one: usable once it is cut off, see classification::text_begin
    non_ascii,       ///< valid UTF-8 beyond ASCII, at offset: ptxas refuses it even in comments
    invalid_utf8,    ///< not UTF-8, at offset
    inner_nul        ///< a NUL inside the text, at offset: the driver would ignore what follows
};

/// The answer of classify.
struct classification {
    image::kind kind = image::kind::empty;
    image::trouble trouble = image::trouble::none;
    bool usable = false;        ///< a driver could load it: ptx, cubin or fatbin without inner NUL or invalid UTF-8
    std::size_t offset = 0;     ///< of the trouble
    std::size_t text_begin = 0; ///< of the text without byte order mark (text kinds)
    std::size_t text_end = 0;   ///< of the text without the NULs at its end (text kinds)
    std::uint64_t needed = 0;   ///< bytes the headers speak of (ELF and fatbin kinds)
    std::uint32_t detail = 0;   ///< ELF: the machine; HIP bundles: number of entries, or the version of a compressed one
};

namespace detail {

/// Little-endian number at p.
template <class T>
inline T load(const unsigned char* p) noexcept {
    T value{};
    for (std::size_t i = 0; i < sizeof(T); ++i) value = static_cast<T>(value | static_cast<T>(static_cast<T>(p[i]) << (8 * i)));
    return value;
}

inline bool begins(const unsigned char* p, std::size_t n, const char* what, std::size_t length, std::size_t at = 0) noexcept {
    return n >= at && n - at >= length && std::memcmp(p + at, what, length) == 0;
}

/// Length of the UTF-8 sequence at p, 0 where it is none (overlong forms, surrogates and cut sequences included).
template <class = void>
std::size_t utf8_sequence(const unsigned char* p, std::size_t n) noexcept {
    const unsigned char c = p[0];
    if (c < 0x80) return 1;
    const std::size_t length = c >= 0xc2 && c < 0xe0 ? 2u : c >= 0xe0 && c < 0xf0 ? 3u : c >= 0xf0 && c < 0xf5 ? 4u : 0u;
    if (length == 0 || length > n) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((p[i] & 0xc0) != 0x80) return 0;
    if (c == 0xe0 && p[1] < 0xa0) return 0;
    if (c == 0xed && p[1] > 0x9f) return 0;
    if (c == 0xf0 && p[1] < 0x90) return 0;
    if (c == 0xf4 && p[1] > 0x8f) return 0;
    return length;
}

/// Length of the run of ASCII at p that holds no NUL.
template <class = void>
std::size_t ascii_run(const unsigned char* p, std::size_t n) noexcept {
    std::size_t i = 0;
    for (; n - i >= 8; i += 8) {
        std::uint64_t w = 0;
        std::memcpy(&w, p + i, 8);
        // High bit set: not ASCII. The other term has a high bit set only where some byte is zero.
        if (((w | ((w - 0x0101010101010101u) & ~w)) & 0x8080808080808080u) != 0) break;
    }
    while (i < n && p[i] != 0 && p[i] < 0x80) ++i;
    return i;
}

inline bool is_blank(unsigned char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Just after white space, // and /* */ comments.
template <class = void>
std::size_t skip_blanks(const unsigned char* p, std::size_t i, std::size_t n) noexcept {
    while (i < n) {
        if (is_blank(p[i]))
            ++i;
        else if (begins(p, n, "//", 2, i)) {
            while (i < n && p[i] != '\n') ++i;
        } else if (begins(p, n, "/*", 2, i)) {
            i += 2;
            while (i < n && !begins(p, n, "*/", 2, i)) ++i;
            i = i + 2 < n ? i + 2 : n;
        } else
            break;
    }
    return i;
}

template <class = void>
bool contains(const unsigned char* p, std::size_t n, const char* what) noexcept {
    const std::size_t length = std::strlen(what);
    for (std::size_t i = 0; i + length <= n; ++i) {
        const void* hit = std::memchr(p + i, what[0], n - length - i + 1);
        if (hit == nullptr) return false;
        i = static_cast<std::size_t>(static_cast<const unsigned char*>(hit) - p);
        if (std::memcmp(hit, what, length) == 0) return true;
    }
    return false;
}

/// One line without the marks of source code, and with those of a file name.
template <class = void>
bool looks_like_path(const unsigned char* p, std::size_t n) noexcept {
    while (n != 0 && is_blank(p[n - 1])) --n;
    if (n == 0 || n > 4096) return false;
    bool separator = false;
    for (std::size_t i = 0; i < n; ++i) {
        if (p[i] < 32 || std::memchr("{};\"<>|*?=", p[i], 10) != nullptr) return false;
        separator = separator || p[i] == '/' || p[i] == '\\';
    }
    if (separator) return true;
    for (const char* end : {".ptx", ".cubin", ".fatbin", ".bin", ".o", ".a", ".so", ".cu", ".hsaco", ".ltoir"}) {
        const std::size_t length = std::strlen(end);
        if (n > length && std::memcmp(p + n - length, end, length) == 0) return true;
    }
    return false;
}

template <class = void>
void classify_elf(const unsigned char* p, std::size_t n, classification& c) noexcept {
    c.kind = kind::truncated_elf;
    c.needed = 64;
    if (n >= 20) c.detail = load<std::uint16_t>(p + 18);
    if (n < 20) return;
    const bool wide = p[4] == 2 && p[5] == 1; // 64 bits, little-endian
    if (c.detail != 190) {
        c.kind = c.detail == 224 ? kind::amdgpu_elf : kind::host_elf;
        return;
    }
    if (n < 64 || !wide) {
        if (n >= 52 && !wide) c.kind = kind::unknown;
        return;
    }
    const auto table = [&](std::size_t at, std::size_t size_at) {
        const std::uint64_t first = load<std::uint64_t>(p + at);
        const std::uint64_t bytes = std::uint64_t{load<std::uint16_t>(p + size_at)} * load<std::uint16_t>(p + size_at + 2);
        const std::uint64_t end = first > ~std::uint64_t{0} - bytes ? ~std::uint64_t{0} : first + bytes;
        if (bytes != 0 && end > c.needed) c.needed = end;
        return bytes == 0 || end <= n;
    };
    const bool segments = table(32, 54);
    const bool sections = table(40, 58);
    if (!segments || !sections) return;
    c.kind = load<std::uint16_t>(p + 16) == 1 ? kind::relocatable_cubin : kind::cubin;
    c.usable = c.kind == kind::cubin;
}

template <class = void>
void classify_fatbin(const unsigned char* p, std::size_t n, classification& c) noexcept {
    c.kind = kind::truncated_fatbin;
    c.needed = 16;
    if (n < 16) return;
    const std::uint64_t header = load<std::uint16_t>(p + 6);
    const std::uint64_t payload = load<std::uint64_t>(p + 8);
    c.needed = payload > ~std::uint64_t{0} - header ? ~std::uint64_t{0} : header + payload;
    if (header < 16 || c.needed > n) return;
    c.kind = kind::fatbin;
    c.usable = true;
}

/// Sets kind for what is known by its first bytes; false for everything else.
template <class = void>
bool classify_magic(const unsigned char* p, std::size_t n, classification& c) noexcept {
    const auto starts = [&](const char* magic, std::size_t length) { return begins(p, n, magic, length); };
    if (starts("\x7f"
               "ELF",
               4)) {
        classify_elf(p, n, c);
    } else if (starts("\x50\xed\x55\xba", 4)) {
        classify_fatbin(p, n, c);
    } else if (starts("__CLANG_OFFLOAD_BUNDLE__", 24)) {
        c.kind = kind::hip_bundle;
        const std::uint64_t entries = n >= 32 ? load<std::uint64_t>(p + 24) : 0;
        c.detail = entries <= n / 24 ? static_cast<std::uint32_t>(entries) : 0;
    } else if (starts("CCOB", 4)) {
        c.kind = kind::hip_bundle_compressed;
        c.detail = n >= 6 ? load<std::uint16_t>(p + 4) : 0;
    } else if (starts("\xb1\x43\x62\x46", 4))
        c.kind = kind::fatbin_wrapper;
    else if (starts("\xed\x43\x4e\x7f", 4))
        c.kind = kind::lto_ir;
    else if (starts("BC\xc0\xde", 4) || starts("\xde\xc0\x17\x0b", 4))
        c.kind = kind::llvm_bitcode;
    else if (starts("!<arch>\n", 8) || starts("!<thin>\n", 8))
        c.kind = kind::archive;
    else if (starts("\x1f\x8b", 2))
        c.kind = kind::gzip;
    else if (starts("\x28\xb5\x2f\xfd", 4))
        c.kind = kind::zstd;
    else if (starts("\x03\x02\x23\x07", 4) || starts("\x07\x23\x02\x03", 4))
        c.kind = kind::spirv;
    else if ((starts("MZ", 2) && n >= 64 && std::memchr(p, 0, 64) != nullptr) || starts("\xcf\xfa\xed\xfe", 4) ||
             starts("\xca\xfe\xba\xbe", 4))
        c.kind = kind::host_executable;
    else
        return false;
    return true;
}

} // namespace detail

/// Says what a blob is. Binary kinds are known by their first bytes (a HIP bundle by its header: the same characters
/// deeper inside mean nothing); else the first 64 bytes must be UTF-8, a character cut by that window counting whole,
/// and the blob is text. PTX may begin with a byte order mark, white space and comments; NULs at its end are no part of
/// it. PTX is checked as UTF-8 and for NULs to its end: linear. Reads no byte outside of the span, allocates nothing; any
/// thread.
template <class = void>
classification classify(std::span<const std::byte> bytes) noexcept {
    classification c;
    const auto* const p = reinterpret_cast<const unsigned char*>(bytes.data());
    std::size_t n = bytes.size();
    if (n == 0 || detail::classify_magic(p, n, c)) return c;
    while (n != 0 && p[n - 1] == 0) --n;
    if (n == 0) return c;
    c.text_end = n;
    c.text_begin = detail::begins(p, n, "\xef\xbb\xbf", 3) ? 3 : 0;
    if (c.text_begin != 0) c.trouble = trouble::byte_order_mark;

    std::size_t i = 0;
    while (i < n && i < 64) {
        const std::size_t length = detail::utf8_sequence(p + i, n - i);
        if (length == 0) {
            c.kind = kind::unknown;
            c.trouble = trouble::invalid_utf8;
            c.offset = i;
            return c;
        }
        i += length;
    }

    const std::size_t first = detail::skip_blanks(p, c.text_begin, n);
    if (first == n) {
        c.kind = kind::blanks;
        return c;
    }
    c.kind = kind::unknown_text;
    if (detail::begins(p, n, ".version", 8, first)) {
        c.kind = kind::ptx;
        c.usable = true;
    } else if (p[first] == '.') {
        for (const char* directive :
             {".target", ".address_size", ".visible", ".entry", ".func", ".extern", ".weak", ".global", ".const", ".file"})
            if (detail::begins(p, n, directive, std::strlen(directive), first)) c.kind = kind::ptx_without_version;
    }
    if (c.kind == kind::unknown_text) {
        const std::size_t window = n < 65536 ? n : 65536;
        if (detail::looks_like_path(p + c.text_begin, n - c.text_begin))
            c.kind = kind::path;
        else if (detail::contains(p, window, "__global__") || detail::contains(p, window, "__device__") ||
                 detail::contains(p, window, "#include"))
            c.kind = kind::cuda_source;
        else if (detail::begins(p, n, "; ModuleID", 10, first) || detail::begins(p, n, "source_filename", 15, first) ||
                 detail::begins(p, n, "target triple", 13, first) || detail::begins(p, n, "target datalayout", 17, first))
            c.kind = kind::llvm_ir;
    }

    for (i = c.text_begin; i < n;) {
        i += detail::ascii_run(p + i, n - i);
        if (i == n) break;
        const std::size_t length = p[i] == 0 ? 0 : detail::utf8_sequence(p + i, n - i);
        if (length == 0) {
            c.trouble = p[i] == 0 ? trouble::inner_nul : trouble::invalid_utf8;
            c.offset = i;
            c.usable = false;
            break;
        }
        if (c.trouble == trouble::none) {
            c.trouble = trouble::non_ascii;
            c.offset = i;
        }
        i += length;
    }
    return c;
}

/// A kind in two or three words.
constexpr const char* name_of(kind k) noexcept {
    switch (k) {
    case kind::ptx: return "PTX";
    case kind::cubin: return "cubin";
    case kind::fatbin: return "fatbin";
    case kind::empty: return "empty";
    case kind::blanks: return "blanks only";
    case kind::ptx_without_version: return "PTX without .version";
    case kind::truncated_elf: return "truncated ELF";
    case kind::truncated_fatbin: return "truncated fatbin";
    case kind::relocatable_cubin: return "relocatable cubin";
    case kind::hip_bundle: return "HIP offload bundle";
    case kind::hip_bundle_compressed: return "compressed HIP offload bundle";
    case kind::amdgpu_elf: return "AMD GPU code object";
    case kind::host_elf: return "host ELF";
    case kind::host_executable: return "host executable";
    case kind::lto_ir: return "LTO-IR";
    case kind::llvm_bitcode: return "LLVM bitcode";
    case kind::llvm_ir: return "LLVM IR";
    case kind::archive: return "archive";
    case kind::path: return "path";
    case kind::cuda_source: return "CUDA C++ source";
    case kind::fatbin_wrapper: return "fatbin wrapper";
    case kind::gzip: return "gzip";
    case kind::zstd: return "zstd";
    case kind::spirv: return "SPIR-V";
    case kind::unknown_text: return "unknown text";
    case kind::unknown: return "unknown bytes";
    }
    return "unknown bytes";
}

/// One sentence: what the blob is, and what to do where it can't be loaded. image/explain.hpp says more, from the bytes.
template <class Classification>
std::string describe(const Classification& c) {
    const auto number = [](std::uint64_t n) { return std::to_string(n); };
    const auto text = [&](const char* what) {
        std::string s{what};
        if (c.trouble == trouble::inner_nul)
            s += " with a NUL at byte " + number(c.offset) + ": the driver would ignore what follows; pass one text, NULs at its end only";
        else if (c.trouble == trouble::invalid_utf8)
            s += " that is not UTF-8 at byte " + number(c.offset) + ": re-encode or repair it";
        else if (c.trouble == trouble::byte_order_mark)
            s += " with a byte order mark, which ptxas refuses: cut the first 3 bytes off";
        else if (c.trouble == trouble::non_ascii)
            s += " with a character beyond ASCII at byte " + number(c.offset) + ", which ptxas refuses even in comments: remove it";
        return s;
    };
    switch (c.kind) {
    case kind::ptx: return text("PTX text");
    case kind::cubin: return "a cubin";
    case kind::fatbin: return "a fatbin";
    case kind::empty: return "empty: no image was given";
    case kind::blanks: return "no image, only blanks: nothing but white space and comments was given";
    case kind::ptx_without_version: return text("PTX text whose first directive is not .version: put .version first");
    case kind::truncated_elf: return "a truncated ELF: its headers speak of at least " + number(c.needed) + " bytes; read the whole file";
    case kind::truncated_fatbin:
        return "a truncated fatbin: its header speaks of at least " + number(c.needed) + " bytes; read the whole file";
    case kind::relocatable_cubin: return "a relocatable cubin: it needs a device link (nvcc -dlink, or nvJitLink) before it can be loaded";
    case kind::hip_bundle:
        return "a HIP offload bundle" + (c.detail != 0 ? " of " + number(c.detail) + " entries" : std::string{}) +
               ": it holds code for AMD GPUs, which CUDA can't load; build the kernels with nvcc";
    case kind::hip_bundle_compressed:
        return "a compressed HIP offload bundle (CCOB version " + number(c.detail) +
               "): it holds code for AMD GPUs, which CUDA can't load; build the kernels with nvcc";
    case kind::amdgpu_elf: return "an AMD GPU code object (ELF machine 224): CUDA can't load it; build the kernels with nvcc";
    case kind::host_elf:
        return "an ELF for another machine (" + number(c.detail) +
               (c.detail == 62    ? ", x86-64"
                : c.detail == 183 ? ", AArch64"
                                  : "") +
               "), a program or library for a CPU: give the device image inside it";
    case kind::host_executable: return "a program or library for a CPU: give the device image inside it";
    case kind::lto_ir: return "LTO-IR: link it with nvJitLink first, and give the cubin that makes";
    case kind::llvm_bitcode: return "LLVM bitcode: compile it to PTX first (llc -march=nvptx64)";
    case kind::llvm_ir: return "LLVM IR: compile it to PTX first (llc -march=nvptx64)";
    case kind::archive: return "an archive of objects: link it first, and give the image that makes";
    case kind::path: return "text that looks like a path: give the bytes of the file, not its name";
    case kind::cuda_source: return "CUDA C++ source, not an image: compile it first (nvcc, or NVRTC)";
    case kind::fatbin_wrapper: return "the host-side wrapper struct of a fatbin (0x466243b1): pass what its third field points at";
    case kind::gzip: return "a gzip stream: decompress it first";
    case kind::zstd: return "a zstd stream: decompress it first";
    case kind::spirv: return "SPIR-V: CUDA can't load it; build the kernels as PTX";
    case kind::unknown_text: return text("an unknown image: text that is no PTX");
    case kind::unknown:
        return "an unknown image: bytes that are no cubin or fatbin, and no text either (not UTF-8 at byte " + number(c.offset) + ")";
    }
    return "an unknown image";
}

} // namespace hanabi::image

#endif
