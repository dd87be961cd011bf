// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// From a file to the images in it, one summary at a time; and what is wrong with them, in words with positions.

#ifndef HANABI_TOOL_IMAGES_HPP
#define HANABI_TOOL_IMAGES_HPP

#include <hanabi/image/embedded.hpp>
#include <hanabi/image/kernels.hpp>

#include "mapped_file.hpp"

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

namespace tool {

namespace image = hanabi::image;

/// How a run ends; documented in doc/reference.adoc. The largest counts.
enum exit_code : int { all_fine = 0, differs = 1, wrong_usage = 2, incomplete = 3, unreadable = 4 };

inline void raise(exit_code& code, exit_code to) noexcept {
    if (to > code) code = to;
}

/// "0x2a40" for positions in binary files.
inline std::string hexadecimal(std::size_t n) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%zx", n);
    return text;
}

/// One line on standard error.
inline void complain(const std::string& where, const std::string& what) {
    std::fflush(stdout); // so that complaints stand where they belong when both are shown together
    std::fprintf(stderr, "hanabi-describe: %s: %s\n", where.c_str(), what.c_str());
}

/// One image of a file.
struct found_image {
    const std::string& file;
    std::string label;                ///< the file's name, and @0x2a40 for an image inside of something
    std::size_t offset = 0;           ///< of the image in the file
    bool inside = false;              ///< of a program, library, object or archive
    std::span<const std::byte> bytes; ///< of the image
    const image::summary& content;
};

/// Says what could not be read of an image. LTO-IR has no kernels before it is linked: counted, and no fault.
inline void complain_about(const found_image& found, exit_code& code, std::size_t& intermediate) {
    const image::summary& s = found.content;
    for (const image::part& p : s.parts) {
        if (p.readable) continue;
        if (p.form == image::fatbin_form::lto_ir) {
            ++intermediate;
            continue;
        }
        raise(code, incomplete);
        if (p.form == image::fatbin_form::ptx && p.packing == image::compression::none && s.parts.size() == 1 && !found.inside &&
            s.what.kind != image::kind::fatbin) {
            const image::slice text{reinterpret_cast<const char*>(found.bytes.data()), s.what.text_end};
            complain(found.file + ":" + std::to_string(image::line_of(text, p.error.offset)),
                     std::string{"malformed PTX: "} + p.error.reason + " (byte " + std::to_string(p.error.offset) + ")");
            continue;
        }
        const bool packed = p.packing != image::compression::none;
        std::string what = image::to_string(p.target, p.form == image::fatbin_form::ptx ? "compute_" : "sm_");
        what += std::string{packed ? ", packed by " : ""} + (packed ? image::name_of(p.packing) : "") + ": " + p.error.reason;
        if (p.error.offset != p.offset) what += " (byte " + std::to_string(p.error.offset) + " of its code)";
        complain(found.file + ":" + hexadecimal(found.offset + p.offset), what);
    }
    if (s.error && (s.parts.empty() || s.parts.back().readable) && !s.complete) {
        bool said = false;
        for (const image::part& p : s.parts) said = said || !p.readable;
        if (!said) {
            raise(code, incomplete);
            complain(found.file + ":" + hexadecimal(found.offset + s.error.offset), s.error.reason);
        }
    }
    for (const std::string& note : s.notes) complain(found.label, "note: " + note);
}

/// Calls use(found_image) for every device image of a file: the file itself, or each one inside of a program, library,
/// object or archive. Needs memory for one image's summary at a time.
template <class Use>
void for_each_image(const std::string& file, mapped_file& mapped, exit_code& code, Use&& use) {
    const std::span<const std::byte> bytes = mapped.bytes();
    const image::classification c = image::classify(bytes);
    std::size_t intermediate = 0;
    struct last_words {
        const std::string& file;
        const std::size_t& intermediate;
        ~last_words() {
            if (intermediate != 0)
                complain(file, "note: " + std::to_string(intermediate) + (intermediate == 1 ? " entry" : " entries") +
                                   " of LTO-IR, which has no kernels before it is linked");
        }
    } const at_the_end{file, intermediate};
    const auto whole = [&] {
        const image::summary s = image::summarize(bytes);
        const found_image found{file, file, 0, false, bytes, s};
        use(found);
        complain_about(found, code, intermediate);
    };
    switch (c.kind) {
    case image::kind::ptx:
    case image::kind::ptx_without_version:
        if (c.trouble == image::trouble::inner_nul || c.trouble == image::trouble::invalid_utf8) {
            complain(file + ":" + hexadecimal(c.offset), image::describe(c));
            raise(code, incomplete);
        }
        return whole();
    case image::kind::cubin:
    case image::kind::relocatable_cubin:
    case image::kind::fatbin: return whole();
    case image::kind::host_elf:
    case image::kind::host_executable:
    case image::kind::archive:
    case image::kind::unknown: {
        image::embedded_scanner scan{image::bytes{bytes.data(), bytes.size()}};
        image::embedded_image e;
        std::size_t count = 0;
        while (scan.next(e)) {
            ++count;
            const std::span<const std::byte> part = bytes.subspan(e.offset, e.image.size());
            const image::summary s = image::summarize(part);
            const found_image found{file, file + "@" + hexadecimal(e.offset), e.offset, true, part, s};
            use(found);
            complain_about(found, code, intermediate);
            mapped.done_with(e.offset + e.image.size());
        }
        if (scan.error()) {
            complain(file + ":" + hexadecimal(scan.error().offset), scan.error().reason);
            raise(code, unreadable);
        } else if (count == 0) {
            complain(file, c.kind == image::kind::unknown ? image::describe(c)
                                                          : std::string{image::name_of(c.kind)} + " without any fatbin or cubin inside");
            raise(code, unreadable);
        }
        return;
    }
    default: complain(file + (c.offset != 0 ? ":" + hexadecimal(c.offset) : std::string{}), image::describe(c)); raise(code, unreadable);
    }
}

} // namespace tool

#endif
