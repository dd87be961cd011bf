// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What an image holds, whatever kind it is: its kernels and variables, in one call and in plain structures.

#ifndef HANABI_IMAGE_KERNELS_HPP
#define HANABI_IMAGE_KERNELS_HPP

#include <hanabi/config.hpp>
#include <hanabi/image/cubin.hpp>
#include <hanabi/image/extent.hpp>
#include <hanabi/image/fatbin.hpp>
#include <hanabi/image/hook.hpp>
#include <hanabi/image/kind.hpp>
#include <hanabi/image/parameter.hpp>
#include <hanabi/image/ptx.hpp>
#include <hanabi/image/summary.hpp>
#include <hanabi/image/target.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hanabi::image {

/// Decompresses one entry of a fatbin: exactly size bytes to out; false where it can't. image/decompress.hpp has one.
using decompressor = bool(compression packing, std::span<const unsigned char> in, unsigned char* out, std::size_t size);

/// The decompressor that summarize uses where none is given; null until somebody sets one. Process-wide, any thread.
HANABI_SHARED inline std::atomic<decompressor*>& default_decompressor() noexcept {
    static constinit std::atomic<decompressor*> instance{nullptr};
    return instance;
}

namespace detail {

inline std::string to_string(slice s) { return s.empty() ? std::string{} : std::string{s.first, s.length}; }
inline std::string to_string(const bytes& b) { return to_string(b.text()); }

/// "sm_90a" as a target.
inline gpu_target parse_target(slice name) noexcept {
    gpu_target t;
    std::size_t i = 0;
    while (i < name.length && name.first[i] != '_') ++i;
    for (++i; i < name.length && name.first[i] >= '0' && name.first[i] <= '9' && t.sm < 100000; ++i)
        t.sm = t.sm * 10 + static_cast<std::uint32_t>(name.first[i] - '0');
    if (i < name.length && (name.first[i] == 'a' || name.first[i] == 'f')) t.variant = name.first[i];
    t.variant_known = t.sm != 0;
    return t;
}

inline bool summarize_entry(const ptx_entry& e, kernel_summary& k) {
    k = {};
    k.symbol = to_string(e.name);
    k.link = e.link;
    k.bounds = e.bounds;
    k.griddepcontrol_wait = e.waits ? answer::yes : e.calls || !e.defined ? answer::unknown : answer::no;
    ptx_parameters walk{e.parameters};
    ptx_parameter p;
    while (walk.next(p)) {
        image::parameter out;
        static_cast<parameter_layout&>(out) = p;
        out.name = to_string(p.name);
        k.parameters.push_back(std::move(out));
    }
    k.parameters_known = walk.known() && !walk.error();
    if (!k.parameters_known) k.parameters.clear();
    return k.parameters_known;
}

inline void summarize_ptx(slice text, part& out) {
    ptx_scanner scan{text};
    std::unordered_map<std::string_view, std::size_t> kernels;   // index, and whether defined: 2 * index + defined
    std::unordered_map<std::string_view, std::size_t> variables; // index
    out.form = fatbin_form::ptx;
    const auto fail = [&](fault f) {
        if (!out.error) out.error = f;
        out.readable = false;
    };
    for (ptx_item item = scan.next(); item != ptx_item::end; item = scan.next()) {
        if (item == ptx_item::entry) {
            const ptx_entry& e = scan.entry();
            const auto [at, fresh] =
                kernels.try_emplace(std::string_view{e.name.first, e.name.length}, out.kernels.size() * 2 + (e.defined ? 1 : 0));
            if (!fresh && at->second % 2 != 0) {
                if (e.defined) fail({"a kernel that is defined twice", e.offset});
                continue; // a declaration after its definition
            }
            kernel_summary k;
            if (!summarize_entry(e, k)) {
                ptx_parameters walk{e.parameters};
                ptx_parameter p;
                while (walk.next(p)) {
                }
                if (walk.error())
                    fail({walk.error().reason, static_cast<std::size_t>(e.parameters.first - text.first) + walk.error().offset});
            }
            if (fresh)
                out.kernels.push_back(std::move(k));
            else {
                out.kernels[at->second / 2] = std::move(k);
                if (e.defined) at->second |= 1;
            }
        } else if (item == ptx_item::variable) {
            const ptx_variable& v = scan.variable();
            if (v.space != state_space::global && v.space != state_space::constant && v.space != state_space::shared) continue;
            variable_summary s{to_string(v.name), v.size, v.align, v.space, v.managed, v.link};
            const auto [at, fresh] = variables.try_emplace(std::string_view{v.name.first, v.name.length}, out.variables.size());
            if (fresh)
                out.variables.push_back(std::move(s));
            else if (v.link != linkage::external)
                out.variables[at->second] = std::move(s);
        }
    }
    const ptx_header& h = scan.header();
    out.major = h.major;
    out.minor = h.minor;
    out.targets = to_string(h.targets);
    if (const gpu_target t = parse_target(h.target); t.sm != 0) out.target = t;
    out.address_size = h.address_size != 0 ? h.address_size : 64;
    if (scan.error()) fail(scan.error());
}

inline void summarize_cubin(bytes image, part& out) {
    const cubin_view cubin{image};
    out.form = fatbin_form::elf;
    if (cubin.error()) {
        out.error = cubin.error();
        out.readable = false;
        return;
    }
    if (const gpu_target t = cubin.target(); t.sm != 0 && (t.variant_known || !out.target.variant_known)) {
        const bool listed = out.target.variant != 0 && !t.variant_known;
        if (!listed) out.target = t;
    }
    out.relocatable = cubin.relocatable();
    const elf_view& elf = cubin.elf();
    std::vector<std::uint32_t> info(elf.sections()), shared(elf.sections());
    for (std::uint32_t i = 1; i < elf.sections(); ++i) {
        const elf_section s = elf.section(i);
        if (s.info >= elf.sections()) continue;
        if (cubin.is_info(s))
            info[s.info] = i;
        else if (cubin.is_shared(s))
            shared[s.info] = i;
    }
    std::unordered_map<std::uint32_t, std::uint32_t> registers;
    cubin.for_each_register_count([&](std::uint32_t symbol, std::uint32_t count) { registers[symbol] = count; });
    // Names and records take room in the file. More of them than fit are one and the same used over and over: refused,
    // so that time and memory stay in proportion.
    std::size_t name_room = image.size(), record_room = image.size() / 16;
    const auto spend = [&](std::size_t& room, std::size_t amount) {
        const bool enough = amount <= room;
        if (enough)
            room -= amount;
        else {
            out.error = {"symbols that share more than the file can hold", 0};
            out.readable = false;
        }
        return enough;
    };
    for (std::uint32_t i = 1; i < cubin.symbols(); ++i) {
        cubin_variable v;
        if (cubin.is_kernel(i)) {
            const std::uint32_t text = elf.symbol(i).section;
            const bool inside = text < elf.sections();
            const cubin_kernel c = cubin.kernel(i, inside ? info[text] : 0, inside ? shared[text] : 0, out.target.sm);
            if (!spend(name_room, c.name.size()) || !spend(record_room, c.parameter_count)) return;
            kernel_summary k;
            k.symbol = to_string(c.name);
            k.link = c.link;
            k.bounds = c.bounds;
            k.static_shared_bytes = c.static_shared;
            k.static_shared_known = c.info != 0;
            const auto count = registers.find(i);
            k.registers = count != registers.end() ? count->second : c.registers;
            k.parameters_known = c.parameters_known;
            if (c.parameters_known && c.parameter_count != 0) {
                std::vector<bool> seen(c.parameter_count);
                k.parameters.resize(c.parameter_count);
                cubin_attribute a;
                for (cubin_attributes walk{elf.content(elf.section(c.info))}; walk.next(a);) {
                    std::uint32_t ordinal = 0;
                    parameter_layout p;
                    if (!read_parameter_record(a, ordinal, p)) continue;
                    if (seen[ordinal]) k.parameters_known = false;
                    seen[ordinal] = true;
                    static_cast<parameter_layout&>(k.parameters[ordinal]) = p;
                }
                if (!k.parameters_known) k.parameters.clear();
            }
            out.kernels.push_back(std::move(k));
        } else if (cubin.variable(i, v)) {
            if (!spend(name_room, v.name.size())) return;
            out.variables.push_back({to_string(v.name), v.size, 0, v.space, v.managed, v.link});
        } else if (out.relocatable && cubin.undefined(i)) {
            const bytes name = elf.name(elf.symbol(i));
            if (!spend(name_room, name.size())) return;
            out.undefined.push_back(to_string(name));
        }
    }
}

/// Whether two lists could be of one kernel: count and sizes.
inline bool agree(const kernel_summary& a, const kernel_summary& b) noexcept {
    if (a.parameters.size() != b.parameters.size()) return false;
    for (std::size_t i = 0; i < a.parameters.size(); ++i)
        if (a.parameters[i].size != b.parameters[i].size) return false;
    return true;
}

inline void merge(summary& s, const part& p, std::unordered_map<std::string, std::size_t>& kernels,
                  std::unordered_map<std::string, std::size_t>& variables) {
    for (const kernel_summary& k : p.kernels) {
        const auto [at, fresh] = kernels.try_emplace(k.symbol, s.kernels.size());
        if (fresh) {
            s.kernels.push_back(k);
            continue;
        }
        kernel_summary& m = s.kernels[at->second];
        if (!m.parameters_known && m.parameters.empty() && k.parameters_known) {
            m.parameters = k.parameters;
            m.parameters_known = true;
        } else if (m.parameters_known && k.parameters_known) {
            if (!agree(m, k)) {
                s.notes.push_back("kernel " + k.symbol + " has other parameters in one part of the image than in another");
                m.parameters_known = false; // and stays so: its list is not empty
                m.parameters.resize(std::max<std::size_t>(m.parameters.size(), 1));
            } else if (p.form == fatbin_form::ptx)
                for (std::size_t i = 0; i < k.parameters.size(); ++i) {
                    const std::uint32_t offset = m.parameters[i].offset;
                    const bool known = m.parameters[i].offset_known;
                    m.parameters[i] = k.parameters[i];
                    m.parameters[i].offset = offset;
                    m.parameters[i].offset_known = known && offset == k.parameters[i].offset;
                }
        }
        // A claim about every part holds if none says no and none is silent.
        if (k.griddepcontrol_wait == answer::no || m.griddepcontrol_wait == answer::no)
            m.griddepcontrol_wait = answer::no;
        else if (k.griddepcontrol_wait != m.griddepcontrol_wait)
            m.griddepcontrol_wait = answer::unknown;
        if (!m.bounds.required_threads.given()) m.bounds.required_threads = k.bounds.required_threads;
        if (!m.bounds.max_threads.given()) m.bounds.max_threads = k.bounds.max_threads;
        if (!m.bounds.required_cluster.given()) m.bounds.required_cluster = k.bounds.required_cluster;
        m.bounds.explicit_cluster = m.bounds.explicit_cluster || k.bounds.explicit_cluster;
        m.bounds.blocks_are_clusters = m.bounds.blocks_are_clusters || k.bounds.blocks_are_clusters;
        if (!m.static_shared_known || (k.static_shared_known && k.static_shared_bytes > m.static_shared_bytes)) {
            m.static_shared_bytes = k.static_shared_bytes;
            m.static_shared_known = k.static_shared_known;
        }
        m.registers = std::max(m.registers, k.registers);
    }
    for (const variable_summary& v : p.variables) {
        const auto [at, fresh] = variables.try_emplace(v.symbol, s.variables.size());
        if (fresh) {
            s.variables.push_back(v);
            continue;
        }
        variable_summary& m = s.variables[at->second];
        if (m.align == 0) m.align = v.align;
        if (m.size != v.size) {
            // Compilers number nameless things: those names mean nothing across parts.
            if (m.size != 0 && v.size != 0 && !v.symbol.starts_with("__unnamed_") && !v.symbol.starts_with("$"))
                s.notes.push_back("variable " + v.symbol + " has another size in one part of the image than in another");
            m.size = 0;
        }
        m.managed = m.managed || v.managed;
    }
}

} // namespace detail

/// Reads everything that can be read of an image: PTX, cubin (linked or not) or fatbin; any other kind gives an empty
/// summary whose what says why. Never throws for what the bytes are, reads none outside of them, needs time linear in
/// them. Nothing in the result points into the image.
///
/// Merge rules where a fatbin has a kernel several times: parameters are known only if all parts agree in count and sizes;
/// types and names come from PTX; offset_known only if all agree; griddepcontrol_wait is no if one part says no, yes if all
/// say yes; static shared memory and registers are the largest. What one architecture gets is in its part.
inline summary summarize(std::span<const std::byte> image, decompressor* unpack = nullptr) {
    summary s;
    s.what = classify(image);
    const bytes all{image.data(), image.size()};
    if (unpack == nullptr) unpack = default_decompressor().load(std::memory_order_acquire);
    switch (s.what.kind) {
    case kind::ptx:
    case kind::ptx_without_version: detail::summarize_ptx(all.part(0, s.what.text_end).text(), s.parts.emplace_back()); break;
    case kind::cubin:
    case kind::relocatable_cubin: detail::summarize_cubin(all, s.parts.emplace_back()); break;
    case kind::fatbin: {
        fatbin_scanner walk{all};
        fatbin_entry e;
        std::vector<unsigned char> room;
        while (walk.next(e)) {
            part& p = s.parts.emplace_back();
            p.form = e.form;
            p.target = e.target;
            p.packing = e.packing;
            p.offset = e.offset;
            if (e.form == fatbin_form::ptx) {
                p.major = e.major;
                p.minor = e.minor;
            }
            bytes code = e.payload;
            if (e.form != fatbin_form::ptx && e.form != fatbin_form::elf) {
                p.readable = false;
                p.error = {e.form == fatbin_form::lto_ir ? "LTO-IR, which has no kernels before it is linked"
                                                         : "an entry of an unknown form",
                           e.offset};
                continue;
            }
            if (e.packing != compression::none) {
                p.readable = false;
                p.error = {"compressed code, and no decompressor for it", e.offset};
                // A length that no such compression reaches is a lie, and no reason to allocate.
                if (unpack == nullptr || e.unpacked == 0 || e.unpacked / 4096 > e.payload.size()) continue;
                room.resize(static_cast<std::size_t>(e.unpacked));
                if (!unpack(e.packing, {e.payload.data(), e.payload.size()}, room.data(), room.size())) {
                    p.error.reason = "compressed code that does not decompress";
                    continue;
                }
                p.readable = true;
                p.error = {};
                code = bytes{room.data(), room.size()};
            }
            if (e.form == fatbin_form::ptx)
                detail::summarize_ptx(code.text(), p);
            else
                detail::summarize_cubin(code, p);
        }
        if (walk.error()) {
            s.error = walk.error();
            s.complete = false;
        }
        break;
    }
    default: s.complete = false; return s;
    }
    for (const part& p : s.parts) {
        if (p.readable) continue;
        s.complete = false;
        if (!s.error) s.error = p.error;
    }
    if (s.parts.size() == 1) {
        s.kernels = s.parts[0].kernels;
        s.variables = s.parts[0].variables;
    } else {
        std::unordered_map<std::string, std::size_t> kernels, variables;
        for (const part& p : s.parts) detail::merge(s, p, kernels, variables);
        for (kernel_summary& k : s.kernels)
            if (!k.parameters_known) k.parameters.clear();
    }
    if (!s.complete)
        for (kernel_summary& k : s.kernels)
            if (k.griddepcontrol_wait == answer::yes) k.griddepcontrol_wait = answer::unknown;
    return s;
}

} // namespace hanabi::image

#if defined(__GNUC__) && !defined(_WIN32)
/// What image/hook.hpp looks for. Emitted in every source that includes this, and one of them is kept.
extern "C" __attribute__((used, weak, visibility("default"))) void hanabi_image_summarize(const std::byte* bytes, std::size_t size,
                                                                                          hanabi::image::summary* result) {
    *result = hanabi::image::summarize({bytes, size});
}
#endif

#endif
