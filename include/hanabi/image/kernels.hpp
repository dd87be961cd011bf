// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What an image holds, whatever kind it is: its kernels and variables, in one call and in plain structures.

#ifndef HANABI_IMAGE_KERNELS_HPP
#define HANABI_IMAGE_KERNELS_HPP

#include <hanabi/config.hpp>
#include <hanabi/image/cubin.hpp>
#include <hanabi/image/fatbin.hpp>
#include <hanabi/image/kind.hpp>
#include <hanabi/image/parameter.hpp>
#include <hanabi/image/ptx.hpp>

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

/// A fact that may be beyond reach.
enum class answer : std::uint8_t { no, yes, unknown };

/// One parameter with its name; empty from a cubin.
struct parameter : parameter_layout {
    std::string name;
};

/// One kernel of an image.
struct kernel_summary {
    std::string symbol;
    linkage link = linkage::visible;
    bool parameters_known = false;                ///< false: the layout could not be read, and parameters says nothing
    std::vector<image::parameter> parameters;     ///< in order
    launch_bounds bounds;                         ///< what the kernel was compiled to be launched with
    std::uint64_t static_shared_bytes = 0;        ///< see static_shared_known
    bool static_shared_known = false;             ///< from cubins; PTX does not say before it is assembled
    std::uint32_t registers = 0;                  ///< of one thread; 0 where unknown
    answer griddepcontrol_wait = answer::unknown; ///< unknown from cubins, and where the body calls functions without waiting itself

    bool is_static() const noexcept { return link == linkage::internal; }
};

/// One variable of an image.
struct variable_summary {
    std::string symbol;
    std::uint64_t size = 0;  ///< bytes; 0 where unknown, and where the parts of a fatbin disagree
    std::uint32_t align = 0; ///< bytes; 0 where unknown (cubins)
    state_space space = state_space::global;
    bool managed = false;
    linkage link = linkage::internal;
};

/// One piece of code for one target: the whole of a PTX text or cubin, or an entry of a fatbin.
struct part {
    fatbin_form form = fatbin_form::ptx;
    gpu_target target;                  ///< for PTX, the first of .target
    std::uint32_t major = 0, minor = 0; ///< PTX version; 0 for cubins
    std::string targets;                ///< the .target list as written; empty for cubins
    std::uint32_t address_size = 64;    ///< bits
    bool relocatable = false;           ///< a cubin that has yet to be linked
    compression packing = compression::none;
    bool readable = true;   ///< false: compressed, or of a form or layout this reader does not know
    std::size_t offset = 0; ///< of the entry in the fatbin; 0 else
    fault error;            ///< what made it unreadable: at an entry's offset where that could not be unpacked, else counted in its code
    std::vector<kernel_summary> kernels; ///< in the order of the image
    std::vector<variable_summary> variables;
    std::vector<std::string> undefined; ///< symbols that a relocatable cubin expects from elsewhere
};

/// What an image holds.
struct summary {
    classification what;
    std::vector<part> parts;             ///< one, but for fatbins
    std::vector<kernel_summary> kernels; ///< of all parts, each symbol once; see merge rules at summarize
    std::vector<variable_summary> variables;
    bool complete = true;           ///< false where a part is unreadable: kernels may be missing from the lists
    fault error;                    ///< the first fault, counted from the beginning of the image or the part
    std::vector<std::string> notes; ///< sentences about what is remarkable

    const kernel_summary* find_kernel(std::string_view symbol) const noexcept {
        for (const kernel_summary& k : kernels)
            if (k.symbol == symbol) return &k;
        return nullptr;
    }
    const variable_summary* find_variable(std::string_view symbol) const noexcept {
        for (const variable_summary& v : variables)
            if (v.symbol == symbol) return &v;
        return nullptr;
    }
};

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

/// Whether a device of that compute capability (90 for 9.0) runs a part: a cubin on the same major and no lower minor, 'a'
/// exactly there, 'f' on the same major and no lower minor; PTX on the same or anything newer, 'a' and 'f' as cubins.
constexpr bool runs_on(fatbin_form form, const gpu_target& target, std::uint32_t capability) noexcept {
    if (form == fatbin_form::lto_ir || target.sm == 0) return false;
    const bool family = target.sm / 10 == capability / 10 && target.sm <= capability;
    if (target.variant == 'a') return target.sm == capability;
    if (target.variant == 'f' || form != fatbin_form::ptx) return family;
    return target.sm <= capability;
}

/// The part that the driver would take on a device of that compute capability: the best cubin, else the newest PTX; null
/// where none runs there. Relocatable parts are never taken.
inline const part* select_part(const summary& s, std::uint32_t capability) noexcept {
    const part* best = nullptr;
    const auto rank = [](const part& p) {
        return (p.form == fatbin_form::elf ? 100000u : 0u) + p.target.sm * 10 +
               (p.target.variant == 'a'   ? 2u
                : p.target.variant == 'f' ? 1u
                                          : 0u);
    };
    for (const part& p : s.parts)
        if (!p.relocatable && runs_on(p.form, p.target, capability) && (best == nullptr || rank(p) > rank(*best))) best = &p;
    return best;
}

/// A target as it is written: "sm_90a"; "unknown architecture" for none.
inline std::string to_string(const gpu_target& t, const char* prefix = "sm_") {
    if (t.sm == 0) return "unknown architecture";
    return prefix + std::to_string(t.sm) + (t.variant != 0 ? std::string(1, t.variant) : std::string{});
}

/// What the parts are, for messages: "sm_80 cubin, sm_90 cubin, compute_90 PTX (version 9.0, zstd)".
inline std::string contents(const summary& s) {
    std::string out;
    for (const part& p : s.parts) {
        if (!out.empty()) out += ", ";
        const bool ptx = p.form == fatbin_form::ptx;
        out += to_string(p.target, ptx ? "compute_" : "sm_");
        out += ptx                             ? " PTX"
               : p.form == fatbin_form::elf    ? (p.relocatable ? " relocatable cubin" : " cubin")
               : p.form == fatbin_form::lto_ir ? " LTO-IR"
                                               : " unknown code";
        std::string more;
        if (ptx && p.major != 0) more = "version " + std::to_string(p.major) + "." + std::to_string(p.minor);
        if (p.packing != compression::none) more += (more.empty() ? "" : ", ") + std::string{"compressed: "} + name_of(p.packing);
        if (!more.empty()) out += " (" + more + ")";
    }
    return out.empty() ? "no code" : out;
}

/// The size of an image that came as a bare pointer, as cuModuleLoadData takes one: from the headers of an ELF or a
/// fatbin (its first container), else up to and with the NUL. The pointer must be to a whole image: what the headers
/// say is believed.
inline std::size_t image_size(const void* image) noexcept {
    const auto* const p = static_cast<const unsigned char*>(image);
    if (p == nullptr) return 0;
    const auto matches = [&](const char* magic) {
        for (std::size_t i = 0; i < 4; ++i)
            if (p[i] != static_cast<unsigned char>(magic[i])) return false; // stops before it reads past a short text
        return true;
    };
    if (matches("\x7f"
                "ELF")) {
        // The tables first, by a view of what the header alone promises; then everything they speak of.
        const bytes header{p, 64};
        const std::uint64_t sections = header.u64(40) + std::uint64_t{header.u16(60)} * header.u16(58);
        const std::uint64_t segments = header.u64(32) + std::uint64_t{header.u16(54)} * header.u16(56);
        const std::size_t tables = static_cast<std::size_t>(std::max<std::uint64_t>({64, sections, segments}));
        return static_cast<std::size_t>(elf_view::extent_of(bytes{p, tables}));
    }
    if (matches("\x50\xed\x55\xba")) {
        const bytes header{p, 16};
        return static_cast<std::size_t>(header.u16(6) + header.u64(8));
    }
    return std::strlen(static_cast<const char*>(image)) + 1;
}

} // namespace hanabi::image

#endif
