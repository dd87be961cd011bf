// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Places in kernels and in grids, as messages tell them.

#ifndef HANABI_HOST_PTX_PLACE_HPP
#define HANABI_HOST_PTX_PLACE_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/machine.hpp>
#include <hanabi/host/ptx/program.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

namespace hanabi::host::ptx {

/// The function that an instruction is in; null for none.
inline const function* function_at(const program& p, std::uint32_t at) noexcept {
    for (const function& f : p.functions)
        if (f.defined && at >= f.entry && at < f.end) return &f;
    return nullptr;
}

/// "line 12 of the PTX (kernel.cu:7)": the second half where the PTX says it; of functions that have become part of others,
/// with the places that they were called from: "(vector.hpp:90, inlined at kernel.cu:7)".
inline std::string line_text(const program& p, std::uint32_t at) {
    if (at >= p.code.size()) return "no line of the PTX";
    std::string out = detail::say("line ", p.code[at].line, " of the PTX");
    const function* const inside = function_at(p, at);
    auto line = std::upper_bound(p.lines.begin(), p.lines.end(), at, [](std::uint32_t a, const source_line& l) { return a < l.at; });
    if (line == p.lines.begin() || inside == nullptr || (--line)->at < inside->entry) return out;
    const auto text = [&p](const source_line::place& of) {
        return detail::say(of.file < p.files.size() && !p.files[of.file].empty() ? p.files[of.file] : std::string{"source"}, ":", of.line);
    };
    out += " (" + text(line->here);
    source_line::place up = line->inlined_at;
    for (int depth = 0; up.line != 0 && depth < 16; ++depth) { // a call's place has a .loc of its own, further up
        out += ", inlined at " + text(up);
        while (line->at >= inside->entry && line->here != up && line != p.lines.begin()) --line;
        up = line->here == up ? line->inlined_at : source_line::place{};
    }
    return out + ")";
}

/// "thread (1,0,0) of block (2,0,0)".
inline std::string thread_text(const launch& l, const extent& block, unsigned warp, unsigned lane) {
    const unsigned rank = warp * lanes + lane;
    return detail::say("thread ", to_string(extent{rank % l.block.x, rank / l.block.x % l.block.y, rank / l.block.x / l.block.y}),
                       " of block ", to_string(block));
}

/// What follows the kernel's name in messages: ", function f, line 12 of the PTX (kernel.cu:7), thread (1,0,0) of block (2,0,0)".
inline std::string place_text(const launch& l, std::uint32_t at, const extent& block, unsigned warp, unsigned lane) {
    std::string out;
    if (const function* const inside = function_at(*l.code, at); inside != nullptr && inside != l.kernel)
        out += detail::say(", function ", inside->name);
    return out + ", " + line_text(*l.code, at) + ", " + thread_text(l, block, warp, lane);
}

} // namespace hanabi::host::ptx

#endif
