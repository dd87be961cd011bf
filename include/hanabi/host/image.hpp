// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Loading an image: from bytes to the kernels and variables that a device gets, or the status that a driver answers.

#ifndef HANABI_HOST_IMAGE_HPP
#define HANABI_HOST_IMAGE_HPP

#include <hanabi/driver/status.hpp>
#include <hanabi/host/config.hpp>
#include <hanabi/host/executor.hpp>
#include <hanabi/host/log.hpp>
#include <hanabi/host/object.hpp>
#include <hanabi/host/ptx_detail.hpp>
#include <hanabi/image/kernels.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// An image as a device takes it, or why it does not.
struct loaded_image {
    driver::status status = driver::status::success;
    std::string text;    ///< why not, for the driver's log
    std::string jit_log; ///< what the PTX compiler says, for the caller's buffer
    image_facts facts;
};

/// The newest PTX version of a driver, as 10 * major + minor: PTX manual, release history.
constexpr int newest_ptx(int driver_version) noexcept {
    const int major = driver_version / 1000, minor = driver_version % 1000 / 10;
    if (major < 11) return 65;
    if (major == 11) return 70 + minor;
    if (major == 12) return minor <= 5 ? 80 + minor : 80 + minor - 1;
    return 90 + 10 * (major - 13) + minor;
}

/// How many bytes of an image that came as a bare pointer may be looked at: binary that no header measures is cut at the
/// first byte that no text has.
inline std::size_t measured(const void* image) noexcept {
    const auto* const p = static_cast<const unsigned char*>(image);
    const bool elf = p[0] == 0x7f && p[1] == 'E' && p[2] == 'L' && p[3] == 'F';
    const bool fatbin = p[0] == 0x50 && p[1] == 0xed && p[2] == 0x55 && p[3] == 0xba;
    if (!elf && !fatbin)
        for (std::size_t i = 0; i < 64 && p[i] != 0; ++i)
            if (p[i] < 0x09 || (p[i] > 0x0d && p[i] < 0x20) || p[i] == 0x7f) return i + 1;
    return image::image_size(image);
}

inline extent extent_of(const image::extent3& e) noexcept { return {e.x, e.y, e.z}; }

/// The beginning of the parameter bank, by architecture: above 16-byte alignment the offsets depend on it.
constexpr std::size_t parameter_bank(std::uint32_t sm) noexcept { return sm >= 100 ? 896 : sm >= 90 ? 528 : 352; }

inline kernel_facts facts_of(const image::kernel_summary& k, const image::part& part, const device_config& device) {
    kernel_facts out;
    out.name = k.symbol;
    out.parameters_known = k.parameters_known;
    const std::size_t bank = parameter_bank(static_cast<std::uint32_t>(device.major * 10 + device.minor));
    std::size_t end = bank;
    for (const image::parameter& p : k.parameters) {
        std::size_t offset = p.offset;
        if (part.form == image::fatbin_form::ptx) {
            const std::size_t align = p.align == 0 ? 1 : p.align;
            offset = (end + align - 1) / align * align - bank;
        }
        out.parameters.push_back({offset, p.size});
        end = bank + offset + p.size;
    }
    out.max_threads = k.bounds.max_threads.given() ? k.bounds.max_threads.volume() : 0;
    out.required_threads = extent_of(k.bounds.required_threads);
    out.required_cluster = extent_of(k.bounds.required_cluster);
    out.max_cluster_rank = k.bounds.max_cluster_rank;
    out.explicit_cluster = k.bounds.explicit_cluster;
    out.blocks_are_clusters = k.bounds.blocks_are_clusters;
    if (k.static_shared_known) out.static_shared = static_cast<std::size_t>(k.static_shared_bytes);
    out.registers = static_cast<int>(k.registers);
    out.ptx_version = static_cast<int>(part.target.sm);
    out.binary_version = part.form == image::fatbin_form::ptx ? device.major * 10 + device.minor : static_cast<int>(part.target.sm);
    return out;
}

/// The initial values of a cubin's variables.
inline void read_cubin_values(const image::bytes& code, image_facts& facts) {
    const image::cubin_view cubin{code};
    for (std::uint32_t i = 1; i < cubin.symbols(); ++i) {
        image::cubin_variable v;
        if (!cubin.variable(i, v) || !v.initialised) continue;
        const image::elf_symbol symbol = cubin.elf().symbol(i);
        const image::bytes content = cubin.elf().content(cubin.elf().section(symbol.section)).part(symbol.value, symbol.size);
        const image::slice name = v.name.text();
        for (variable_facts& known : facts.variables) {
            if (known.name != std::string_view{name.first, name.length}) continue;
            for (std::size_t b = 0; b < content.size(); ++b) known.initial.push_back(static_cast<std::byte>(content[b]));
        }
    }
}

/// The code of a part: all of the image, or the entry of a fatbin, decompressed into `room` if need be.
inline image::bytes code_of(const image::bytes& whole, bool fatbin, const image::part& part, std::vector<unsigned char>& room) {
    if (!fatbin) return whole;
    image::fatbin_scanner walk{whole};
    for (image::fatbin_entry e; walk.next(e);) {
        if (e.offset != part.offset) continue;
        if (e.packing == image::compression::none) return e.payload;
        image::decompressor* const unpack = image::default_decompressor().load(std::memory_order_acquire);
        room.resize(static_cast<std::size_t>(e.unpacked));
        if (unpack == nullptr || !unpack(e.packing, {e.payload.data(), e.payload.size()}, room.data(), room.size())) return {};
        return {room.data(), room.size()};
    }
    return {};
}

/// Reads what cuModuleLoadDataEx is given, on a device and under a driver version.
inline loaded_image load_image(const void* image_pointer, const device_config& device, int driver_version) {
    loaded_image out;
    const auto fail = [&](driver::status with, std::string text, std::string log = {}) {
        out.status = with;
        out.text = std::move(text);
        out.jit_log = std::move(log);
    };
    const std::span<const std::byte> bytes{static_cast<const std::byte*>(image_pointer), measured(image_pointer)};
    const image::summary s = image::summarize(bytes);
    const image::bytes whole{bytes.data(), bytes.size()};
    const bool ptx = s.what.kind == image::kind::ptx;
    const auto line = [&](const image::bytes& code, std::size_t offset) { return image::line_of(code.text(), offset); };
    const auto compiler = [](std::size_t at, const char* level, const std::string& what) {
        return say("ptxas application ptx input, line ", at, "; ", level, what, "\nptxas fatal   : Ptx assembly aborted due to errors");
    };
    if (s.what.kind == image::kind::relocatable_cubin)
        return fail(driver::status::no_binary_for_gpu, "the image is a relocatable cubin: it needs a device link"), out;
    if ((!ptx && s.what.kind != image::kind::cubin && s.what.kind != image::kind::fatbin) ||
        s.what.trouble == image::trouble::byte_order_mark)
        return fail(driver::status::invalid_image,
                    say("Binary format for image at ", image_pointer,
                        " not recognized: ", ptx ? std::string{"PTX that begins with a byte order mark"} : image::describe(s.what))),
               out;
    if (ptx && s.what.trouble != image::trouble::none)
        return fail(driver::status::invalid_ptx, "the PTX holds bytes that are not ASCII",
                    compiler(line(whole, s.what.offset), "fatal   : ", "Unexpected non-ASCII character encountered")),
               out;
    const int newest = newest_ptx(driver_version);
    const auto too_new = [&](const image::part& p) { // numbers, not decimals: 8.10 comes after 8.9
        const unsigned major = static_cast<unsigned>(newest / 10), minor = static_cast<unsigned>(newest % 10);
        return p.form == image::fatbin_form::ptx && (p.major > major || (p.major == major && p.minor > minor));
    };
    if (ptx && !s.parts.empty() && too_new(s.parts[0])) {
        const std::string what = say("Unsupported .version ", s.parts[0].major, ".", s.parts[0].minor, "; current version is '",
                                     newest / 10, ".", newest % 10, "'");
        const std::size_t at =
            whole.text().length < 4096 ? line(whole, std::string_view{whole.text().first, whole.text().length}.find(".version")) : 1;
        return fail(driver::status::unsupported_ptx_version, what, say("ptxas application ptx input, line ", at, "; fatal   : ", what)),
               out;
    }
    if (ptx && !s.parts.empty() && s.parts[0].error)
        return fail(driver::status::invalid_ptx, say("the PTX does not compile: ", s.parts[0].error.reason),
                    compiler(line(whole, s.parts[0].error.offset), "error   : ", s.parts[0].error.reason)),
               out;
    const auto capability = static_cast<std::uint32_t>(device.major * 10 + device.minor);
    const image::part* part = image::select_part(s, capability);
    if (has_executor() && part != nullptr && part->form != image::fatbin_form::ptx) { // machine code can't be executed here, PTX can
        image::summary others = s;
        std::erase_if(others.parts, [](const image::part& p) { return p.form != image::fatbin_form::ptx || !p.readable; });
        if (const image::part* const text = image::select_part(others, capability))
            for (const image::part& p : s.parts)
                if (p.form == text->form && p.offset == text->offset) part = &p;
    }
    if (part == nullptr) {
        if (s.what.kind == image::kind::cubin && !s.parts.empty() && s.parts[0].error)
            return fail(driver::status::invalid_image, say("a damaged cubin: ", s.parts[0].error.reason)), out;
        return fail(driver::status::no_binary_for_gpu,
                    say("the image holds ", image::contents(s), "; the device has compute capability ", device.major, ".", device.minor)),
               out;
    }
    if (too_new(*part))
        return fail(driver::status::unsupported_ptx_version,
                    say("Unsupported .version ", part->major, ".", part->minor, "; current version is '", newest / 10, ".", newest % 10,
                        "'"),
                    say("ptxas application ptx input, line 1; fatal   : Unsupported .version ", part->major, ".", part->minor,
                        "; current version is '", newest / 10, ".", newest % 10, "'")),
               out;
    out.facts.readable = part->readable;
    if (!has_executor())
        out.facts.code_missing = ", or include <hanabi/host/ptx.hpp>, which executes a module's PTX";
    else if (part->form != image::fatbin_form::ptx && std::any_of(s.parts.begin(), s.parts.end(), [](const image::part& p) {
                 return p.form == image::fatbin_form::ptx && p.packing != image::compression::none;
             }))
        out.facts.code_missing = say("; the image holds ", image::contents(s),
                                     ", and its PTX is compressed: compile with nvcc --no-compress, or include "
                                     "<hanabi/image/decompress.hpp> and call hanabi::image::use_decompression()");
    else if (part->form != image::fatbin_form::ptx)
        out.facts.code_missing =
            say("; the image holds ", image::contents(s),
                ", of which nothing can be executed without a GPU: embed readable PTX for a target up to compute_", capability, " too");
    else if (!part->readable)
        out.facts.code_missing = "; the image's PTX is compressed: compile with nvcc --no-compress, or include "
                                 "<hanabi/image/decompress.hpp> and call hanabi::image::use_decompression()";
    if (!part->readable) {
        if (part->packing != image::compression::none) return out; // its kernels are those that bodies are defined for
        const bool text = part->form == image::fatbin_form::ptx;
        return fail(text ? driver::status::invalid_ptx : driver::status::invalid_image,
                    say("the image's code can't be read: ", part->error.reason),
                    text ? compiler(1, "error   : ", part->error.reason) : std::string{}),
               out;
    }
    for (const image::kernel_summary& k : part->kernels)
        if (k.link != image::linkage::external) out.facts.kernels.push_back(facts_of(k, *part, device));
    std::sort(out.facts.kernels.begin(), out.facts.kernels.end(),
              [](const kernel_facts& a, const kernel_facts& b) { return a.name < b.name; });
    for (const image::variable_summary& v : part->variables)
        if (v.link != image::linkage::external && v.size != 0 && v.space != image::state_space::shared)
            out.facts.variables.push_back({v.symbol, static_cast<std::size_t>(v.size), {}});
    std::vector<unsigned char> room;
    const image::bytes code = code_of(whole, s.what.kind == image::kind::fatbin, *part, room);
    if (part->form == image::fatbin_form::ptx) {
        image::slice text = code.text();
        while (text.length != 0 && text.first[text.length - 1] == '\0') --text.length;
        ptx_details details = read_ptx_details(text);
        for (kernel_facts& k : out.facts.kernels) k.static_shared = details.static_shared[k.name];
        for (variable_facts& v : out.facts.variables) v.initial = std::move(details.initial[v.name]);
        out.facts.code = make_executor(text.first, text.length);
    } else
        read_cubin_values(code, out.facts);
    return out;
}

} // namespace hanabi::host::detail

#endif
