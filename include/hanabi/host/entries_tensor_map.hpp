// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The entry that encodes tensor maps.

#ifndef HANABI_HOST_ENTRIES_TENSOR_MAP_HPP
#define HANABI_HOST_ENTRIES_TENSOR_MAP_HPP

#include <hanabi/host/call.hpp>
#include <hanabi/host/tensor_map.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::host {

namespace detail {

/// The host driver's own layout: a device would not understand it, nor does the host driver a device's.
inline void encode(const tensor_map_fields& f, driver::tensor_map_storage& out) noexcept {
    out = {};
    out.opaque[0] = tensor_map_mark | f.rank;
    out.opaque[1] = f.address;
    for (std::uint32_t i = 0; i < f.rank; ++i) {
        out.opaque[2 + i] = f.dimensions[i];
        out.opaque[12] |= std::uint64_t{f.box[i] - 1} << (8 * i);
        out.opaque[13] |= std::uint64_t{f.element_strides[i] & 0xff} << (8 * i);
    }
    for (std::uint32_t i = 0; i + 1 < f.rank; ++i) out.opaque[7 + i] = f.strides[i];
    out.opaque[11] = f.data_type | std::uint64_t{f.interleave} << 8 | std::uint64_t{f.swizzle} << 16 | std::uint64_t{f.l2_promotion} << 24 |
                     std::uint64_t{f.out_of_bounds_fill} << 32;
}

} // namespace detail

namespace entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

/// Checks what <cuda.h> says of each argument.
inline status HANABI_CUDAAPI tensor_map_encode_tiled(driver::tensor_map_storage* map, unsigned data_type, std::uint32_t rank, void* address,
                                                     const std::uint64_t* dimensions, const std::uint64_t* strides,
                                                     const std::uint32_t* box, const std::uint32_t* element_strides, unsigned interleave,
                                                     unsigned swizzle, unsigned l2_promotion, unsigned out_of_bounds_fill) {
    return enter(driver::entry::tensor_map_encode_tiled, needs::initialisation, [&](call& c) {
        (void)c;
        const auto invalid = [](const auto&... why) { refuse(status::invalid_value, why...); };
        // Bytes of an element; the packed types of 4 and 6 bits are 13 (8-byte groups), 14 and 15 (16-byte groups).
        constexpr unsigned sizes[16] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 0, 0, 0};
        if (map == nullptr || reinterpret_cast<std::uintptr_t>(map) % 64 != 0) invalid("the tensor map must be aligned to 64 bytes");
        if (data_type > 15) invalid("no such tensor data type: ", data_type);
        if (interleave > 2 || swizzle > 6 || l2_promotion > 3 || out_of_bounds_fill > 1)
            invalid("no such interleave, swizzle, L2 promotion or fill: ", interleave, ", ", swizzle, ", ", l2_promotion, ", ",
                    out_of_bounds_fill);
        if (rank == 0 || rank > 5) invalid("a tensor rank of ", rank, ": it must be 1 to 5");
        if (interleave != 0 && rank < 3) invalid("an interleaved tensor needs a rank of at least 3, and has ", rank);
        if (dimensions == nullptr || box == nullptr || element_strides == nullptr || (strides == nullptr && rank > 1))
            invalid("an array of extents or strides is null");
        const bool packed16 = data_type == 14 || data_type == 15;
        const bool packed = data_type >= 13;
        const std::uint64_t alignment = interleave == 2 || packed16 ? 32 : 16;
        const auto where = reinterpret_cast<std::uintptr_t>(address);
        if (where == 0 || where % alignment != 0) invalid("the tensor's address ", address, " must be aligned to ", alignment, " bytes");
        tensor_map_fields f;
        f.data_type = data_type;
        f.rank = rank;
        f.address = where;
        f.interleave = interleave;
        f.swizzle = swizzle;
        f.l2_promotion = l2_promotion;
        f.out_of_bounds_fill = out_of_bounds_fill;
        for (std::uint32_t i = 0; i < rank; ++i) {
            if (dimensions[i] == 0 || dimensions[i] > std::uint64_t{1} << 32)
                invalid("dimension ", i, " of ", dimensions[i], ": it must be 1 to 2^32");
            if (box[i] == 0 || box[i] > 256) invalid("box dimension ", i, " of ", box[i], ": it must be 1 to 256");
            const bool ignored = i == 0 && interleave == 0;
            if (!ignored && (element_strides[i] == 0 || element_strides[i] > 8))
                invalid("element stride ", i, " of ", element_strides[i], ": it must be 1 to 8");
            f.dimensions[i] = dimensions[i];
            f.box[i] = box[i];
            f.element_strides[i] = element_strides[i];
        }
        for (std::uint32_t i = 0; i + 1 < rank; ++i) {
            if (strides[i] % alignment != 0 || strides[i] >= std::uint64_t{1} << 40)
                invalid("stride ", i, " of ", strides[i], " bytes: it must be a multiple of ", alignment, " below 2^40");
            f.strides[i] = strides[i];
        }
        if (packed16 && dimensions[0] % 128 != 0) invalid("dimension 0 of ", dimensions[0], ": it must be a multiple of 128 for this type");
        if (data_type == 13 && dimensions[0] % 2 != 0)
            invalid("dimension 0 of ", dimensions[0], ": it must be a multiple of 2 for this type");
        if (packed16 && box[0] != 128) invalid("box dimension 0 of ", box[0], ": it must be 128 for this type");
        if (!packed && interleave == 0) {
            const std::uint64_t inner = std::uint64_t{box[0]} * sizes[data_type];
            if (inner % 16 != 0) invalid("box dimension 0 covers ", inner, " bytes: it must be a multiple of 16");
            const std::uint64_t span = swizzle == 0 ? ~std::uint64_t{0} : swizzle == 1 ? 32 : swizzle == 2 ? 64 : 128;
            if (inner > span) invalid("box dimension 0 covers ", inner, " bytes: the swizzle allows ", span);
        }
        if (interleave == 2 && swizzle != 1) invalid("a 32-byte interleave needs the 32-byte swizzle");
        if (data_type == 15 && interleave != 0) invalid("this type does not interleave");
        if (packed16 && (swizzle == 1 || swizzle == 2 || swizzle == 5 || (data_type == 14 && swizzle == 6)))
            invalid("this type does not have swizzle ", swizzle);
        const bool floating = data_type >= 6 && data_type <= 12;
        if (out_of_bounds_fill == 1 && !floating) invalid("the NaN fill needs a floating-point type");
        detail::encode(f, *map);
        return status::success;
    });
}

} // namespace entries

} // namespace hanabi::host

#endif
