// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What hanabi-describe prints for people, and for other programs.

#ifndef HANABI_TOOL_LISTING_HPP
#define HANABI_TOOL_LISTING_HPP

#include <hanabi/demangle.hpp>
#include <hanabi/image/kernels.hpp>

#include "images.hpp"

#include <cstddef>
#include <cstdio>
#include <string>

namespace tool {

/// ".b8[24]", ".u64"; "-" where the image does not say.
inline std::string type_text(const image::parameter_layout& p) {
    if (p.type == image::scalar::unknown) return "-";
    std::string s = p.type == image::scalar::opaque ? std::string{".texref"} : std::string{"."} + image::name_of(p.type);
    if (p.array) s += "[" + std::to_string(p.bound) + "]";
    return s;
}

/// "generic", "global:16": the space of what a pointer points at, and the alignment promised; "-" where the image says nothing
/// of a pointer.
inline std::string pointer_text(const image::parameter_layout& p) {
    if (!p.pointer) return "-";
    std::string s = image::name_of(p.pointee_space);
    if (p.pointee_align != 0) s += ":" + std::to_string(p.pointee_align);
    return s;
}

inline std::string number_text(std::uint64_t n, bool known = true) { return known ? std::to_string(n) : "-"; }

/// A field of a tab-separated line: what would break the line is written \t, \n, \\ or \xNN.
inline std::string field(const std::string& s) {
    std::string out;
    for (const char c : s) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '\t')
            out += "\\t";
        else if (c == '\n')
            out += "\\n";
        else if (c == '\\')
            out += "\\\\";
        else if (code < 32 || code == 127) {
            char text[8];
            std::snprintf(text, sizeof text, "\\x%02x", code);
            out += text;
        } else
            out += c;
    }
    return out;
}

inline void print_tsv_heading() { std::puts("file\tentry\tindex\ttype\tsize\talign\toffset\tptr"); }

/// One line a parameter. A kernel without parameters has one line with the index "-", one whose parameters are unknown one
/// with "?".
inline void print_tsv(const found_image& found) {
    for (const image::kernel_summary& k : found.content.kernels) {
        const std::string head = field(found.label) + "\t" + field(k.symbol) + "\t";
        if (!k.parameters_known || k.parameters.empty()) std::printf("%s%s\t-\t-\t-\t-\t-\n", head.c_str(), k.parameters_known ? "-" : "?");
        for (std::size_t i = 0; i < k.parameters.size(); ++i) {
            const image::parameter& p = k.parameters[i];
            std::printf("%s%zu\t%s\t%s\t%s\t%s\t%s\n", head.c_str(), i, type_text(p).c_str(), number_text(p.size).c_str(),
                        number_text(p.align, p.align != 0).c_str(), number_text(p.offset, p.offset_known).c_str(), pointer_text(p).c_str());
        }
    }
}

inline std::string extent_text(const image::extent3& e) {
    return std::to_string(e.x) + "x" + std::to_string(e.y) + "x" + std::to_string(e.z);
}

/// How a kernel must or may be launched, and what it takes: ", blocks of 128x1x1, 40 registers".
inline std::string launch_text(const image::kernel_summary& k) {
    std::string s;
    const image::launch_bounds& b = k.bounds;
    if (k.is_static()) s += ", static";
    if (k.link == image::linkage::external) s += ", declared only";
    if (k.link == image::linkage::weak) s += ", weak";
    if (b.required_threads.given()) s += ", blocks of " + extent_text(b.required_threads);
    if (b.max_threads.given()) s += ", at most " + std::to_string(b.max_threads.volume()) + " threads a block";
    if (b.required_cluster.given()) s += ", clusters of " + extent_text(b.required_cluster);
    if (b.max_cluster_rank != 0) s += ", at most " + std::to_string(b.max_cluster_rank) + " blocks a cluster";
    if (b.min_blocks_per_sm != 0) s += ", at least " + std::to_string(b.min_blocks_per_sm) + " blocks a multiprocessor";
    if (b.max_registers != 0) s += ", at most " + std::to_string(b.max_registers) + " registers a thread";
    if (b.explicit_cluster && !b.required_cluster.given()) s += ", needs the cluster attribute";
    if (b.blocks_are_clusters) s += ", the grid counts clusters";
    if (k.registers != 0) s += ", " + std::to_string(k.registers) + " registers";
    if (k.static_shared_known && k.static_shared_bytes != 0) s += ", " + std::to_string(k.static_shared_bytes) + " bytes of shared memory";
    if (k.griddepcontrol_wait == image::answer::yes) s += ", waits for the kernel before it";
    return s;
}

/// The table for people: kernels with their parameters, then variables.
inline void print_table(const found_image& found) {
    const image::summary& s = found.content;
    std::printf("%s: %s (%s), %zu %s\n", found.label.c_str(), image::name_of(s.what.kind), image::contents(s).c_str(), s.kernels.size(),
                s.kernels.size() == 1 ? "kernel" : "kernels");
    for (const image::kernel_summary& k : s.kernels) {
        const std::string name = hanabi::demangle(k.symbol.c_str());
        std::printf("\n  %s%s\n", name.c_str(), launch_text(k).c_str());
        if (name != k.symbol) std::printf("    %s\n", k.symbol.c_str());
        if (!k.parameters_known) {
            std::puts("    parameters unknown");
            continue;
        }
        if (k.parameters.empty()) {
            std::puts("    no parameters");
            continue;
        }
        std::puts("    index  type       size  align  offset  ptr       name");
        for (std::size_t i = 0; i < k.parameters.size(); ++i) {
            const image::parameter& p = k.parameters[i];
            std::printf("    %5zu  %-9s %5s  %5s  %6s  %s", i, type_text(p).c_str(), number_text(p.size).c_str(),
                        number_text(p.align, p.align != 0).c_str(), number_text(p.offset, p.offset_known).c_str(), pointer_text(p).c_str());
            if (!p.name.empty())
                std::printf("%*s%s", static_cast<int>(10 - std::min<std::size_t>(pointer_text(p).size(), 9)), "", p.name.c_str());
            std::puts("");
        }
    }
    bool heading = false;
    for (const image::variable_summary& v : s.variables) {
        if (v.space == image::state_space::shared) continue;
        if (!heading) std::puts("\n  variables");
        heading = true;
        std::printf("    %s: %s%s, %s bytes\n", hanabi::demangle(v.symbol.c_str()).c_str(),
                    v.space == image::state_space::constant ? "constant"
                    : v.managed                             ? "managed"
                                                            : "global",
                    v.link == image::linkage::external ? ", declared only" : "", v.size != 0 ? std::to_string(v.size).c_str() : "unknown");
    }
    std::puts("");
}

} // namespace tool

#endif
