// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Which part of an image runs on which device, and the parts in words.

#ifndef HANABI_IMAGE_TARGET_HPP
#define HANABI_IMAGE_TARGET_HPP

#include <hanabi/image/summary.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hanabi::image {

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
template <class Summary>
const part* select_part(const Summary& s, std::uint32_t capability) noexcept {
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
template <class = void>
std::string to_string(const gpu_target& t, const char* prefix = "sm_") {
    if (t.sm == 0) return "unknown architecture";
    return prefix + std::to_string(t.sm) + (t.variant != 0 ? std::string(1, t.variant) : std::string{});
}

/// What the parts are, for messages: "sm_80 cubin, sm_90 cubin, compute_90 PTX (version 9.0, zstd)".
template <class Summary>
std::string contents(const Summary& s) {
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

/// The newest PTX version that a driver of a CUDA version (13000 for 13.0) reads, by the release history of the PTX manual: "9.0".
template <class = void>
std::string newest_ptx_text(int cuda_version) {
    const int major = cuda_version / 1000, minor = cuda_version % 1000 / 10;
    if (major >= 13) return std::to_string(major - 4) + "." + std::to_string(minor);
    if (major == 12) return "8." + std::to_string(minor <= 5 ? minor : minor - 1); // 12.5 and 12.6 read the same
    return "7." + std::to_string(minor);                                           // 11.0 to 11.8
}

/// What a relocatable image expects from elsewhere, for messages: " (undefined: a, b and 3 more)"; empty for none.
template <class Summary>
std::string undefined_text(const Summary& s) {
    constexpr std::size_t most = 8;
    std::string out;
    if (s.parts.empty()) return out;
    const auto& names = s.parts[0].undefined;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) out += (i == 0 ? " (undefined: " : ", ") + names[i];
    if (names.size() > most) out += " and " + std::to_string(names.size() - most) + " more";
    return out.empty() ? out : out + ")";
}

} // namespace hanabi::image

#endif
