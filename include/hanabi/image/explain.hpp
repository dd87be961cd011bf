// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a blob is in a sentence with particulars: entries, architectures, undefined symbols. For error messages.

#ifndef HANABI_IMAGE_EXPLAIN_HPP
#define HANABI_IMAGE_EXPLAIN_HPP

#include <hanabi/image/kernels.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hanabi::image {

namespace detail {

/// The targets of a HIP bundle, "host-x86_64-unknown-linux--, hipv4-amdgcn-amd-amdhsa--gfx90a"; what is cut short is left
/// out.
inline std::string bundle_entries(const bytes& bundle, std::uint32_t count) {
    std::string out;
    std::uint64_t at = 32;
    for (std::uint32_t i = 0; i < count && bundle.holds(at, 24); ++i) {
        const std::uint64_t length = bundle.u64(at + 16);
        if (!bundle.holds(at + 24, length) || length > 256) break;
        std::string name = to_string(bundle.part(at + 24, length));
        for (char& c : name)
            if (c < 32 || c > 126) c = '?';
        out += (out.empty() ? "" : ", ") + name;
        at += 24 + length;
    }
    return out;
}

inline std::string list(const std::vector<std::string>& names, std::size_t most) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) out += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > most) out += " and " + std::to_string(names.size() - most) + " more";
    return out;
}

} // namespace detail

/// describe(classify(image)) with what the bytes say besides: what a HIP bundle is for, what a relocatable cubin needs,
/// what a cubin or fatbin holds, where PTX is malformed. Reads no byte outside of the span; any thread.
inline std::string explain(std::span<const std::byte> image) {
    const classification c = classify(image);
    std::string out = describe(c);
    switch (c.kind) {
    case kind::hip_bundle: {
        const std::string entries = detail::bundle_entries({image.data(), image.size()}, c.detail);
        if (!entries.empty()) out += " (entries: " + entries + ")";
        break;
    }
    case kind::relocatable_cubin: {
        const summary s = summarize(image);
        out += " (" + contents(s);
        if (!s.parts.empty() && !s.parts[0].undefined.empty()) out += "; undefined: " + detail::list(s.parts[0].undefined, 8);
        out += ")";
        break;
    }
    case kind::ptx: {
        const summary s = summarize(image);
        out += " (" + contents(s) + ", " + std::to_string(s.kernels.size()) + (s.kernels.size() == 1 ? " kernel)" : " kernels)");
        if (s.error) {
            const slice text{reinterpret_cast<const char*>(image.data()), c.text_end};
            out += ", malformed at line " + std::to_string(line_of(text, s.error.offset)) + " (byte " + std::to_string(s.error.offset) +
                   "): " + s.error.reason;
        }
        break;
    }
    case kind::cubin:
    case kind::fatbin: {
        const summary s = summarize(image);
        out += " (" + contents(s) + ")";
        if (s.error) out += ", at byte " + std::to_string(s.error.offset) + ": " + s.error.reason;
        break;
    }
    default: break;
    }
    return out;
}

} // namespace hanabi::image

#endif
