// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The plain structures that describe an image: parts, kernels, parameters, variables.

#ifndef HANABI_IMAGE_SUMMARY_HPP
#define HANABI_IMAGE_SUMMARY_HPP

#include <hanabi/image/cubin.hpp>
#include <hanabi/image/fatbin.hpp>
#include <hanabi/image/kind.hpp>
#include <hanabi/image/parameter.hpp>
#include <hanabi/image/slice.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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

} // namespace hanabi::image

#endif
