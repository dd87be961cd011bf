// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Signature tables: what a build step writes down of an image's kernels, for compile-time checks of images of any size.

#ifndef HANABI_IMAGE_SIGNATURE_TABLE_HPP
#define HANABI_IMAGE_SIGNATURE_TABLE_HPP

#include <hanabi/image/parameter.hpp>
#include <hanabi/image/ptx_parameter.hpp>
#include <hanabi/image/ptx_token.hpp>
#include <hanabi/image/slice.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::image {

/// One parameter of one kernel, as a line of `hanabi-describe --tsv` has it; the kernel's rows follow one another. An image
/// that has a kernel several times (a fatbin) has as many groups of rows, each beginning at index 0.
struct signature_row {
    const char* entry;  ///< the linker's name
    int index;          ///< from 0; none for a kernel without parameters, unknown where the layout could not be read
    const char* type;   ///< ".f32", ".b8[24]"; "-" from cubins, which don't say
    std::uint32_t size; ///< bytes
    bool pointer;       ///< the image says that it is one (.ptr)

    static constexpr int none = -1;
    static constexpr int unknown = -2;

    /// The row as the readers give parameters. Offsets and alignment stay unknown.
    constexpr parameter_layout layout() const noexcept {
        parameter_layout p;
        p.size = size;
        p.pointer = pointer;
        p.offset_known = false;
        std::size_t n = 0;
        if (type[0] == '.')
            while (type[n + 1] != '\0' && type[n + 1] != '[') ++n;
        if (n == 0) return p;
        p.type = detail::scalar_named({type + 1, n});
        p.array = type[n + 1] == '[';
        const std::uint32_t element = size_of(p.type);
        if (p.array && element != 0) p.bound = size / element;
        p.category = p.type == scalar::unknown ? value_class::unknown : detail::class_of(p.type, p.array || size != element, pointer);
        return p;
    }
};

/// The rows of an image's kernels. What hanabi_add_module(... VERIFY ...) generates.
struct signature_table {
    const signature_row* rows;
    std::size_t size;
    bool complete = true; ///< false where a part of the image could not be read: a kernel that is missing is unproved then
};

} // namespace hanabi::image

#endif
