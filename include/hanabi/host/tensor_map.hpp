// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Tensor maps: cuTensorMapEncodeTiled, and its fields read back.

#ifndef HANABI_HOST_TENSOR_MAP_HPP
#define HANABI_HOST_TENSOR_MAP_HPP

#include <hanabi/driver/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hanabi::host {

/// What a tensor map was encoded from; numbers as cuTensorMapEncodeTiled takes them.
struct tensor_map_fields {
    unsigned data_type = 0;
    std::uint32_t rank = 0;
    std::uint64_t address = 0;
    std::uint64_t dimensions[5]{};
    std::uint64_t strides[4]{}; ///< bytes, of the dimensions from the second on
    std::uint32_t box[5]{};
    std::uint32_t element_strides[5]{};
    unsigned interleave = 0, swizzle = 0, l2_promotion = 0, out_of_bounds_fill = 0;
};

namespace detail {

inline constexpr std::uint64_t tensor_map_mark = 0x68616e6162690000; // "hanabi", in the first word

} // namespace detail

/// The fields of a map that the host driver's cuTensorMapEncodeTiled made; nothing for any other bytes. For tests, and for
/// bodies that take a map.
inline std::optional<tensor_map_fields> decode_tensor_map(const driver::tensor_map_storage& map) noexcept {
    const std::uint64_t rank = map.opaque[0] & 0xffff;
    if ((map.opaque[0] & ~std::uint64_t{0xffff}) != detail::tensor_map_mark || rank == 0 || rank > 5) return std::nullopt;
    tensor_map_fields f;
    f.rank = static_cast<std::uint32_t>(rank);
    f.address = map.opaque[1];
    for (std::uint32_t i = 0; i < f.rank; ++i) {
        f.dimensions[i] = map.opaque[2 + i];
        f.box[i] = static_cast<std::uint32_t>(map.opaque[12] >> (8 * i) & 0xff) + 1;
        f.element_strides[i] = static_cast<std::uint32_t>(map.opaque[13] >> (8 * i) & 0xff);
    }
    for (std::uint32_t i = 0; i + 1 < f.rank; ++i) f.strides[i] = map.opaque[7 + i];
    f.data_type = static_cast<unsigned>(map.opaque[11] & 0xff);
    f.interleave = static_cast<unsigned>(map.opaque[11] >> 8 & 0xff);
    f.swizzle = static_cast<unsigned>(map.opaque[11] >> 16 & 0xff);
    f.l2_promotion = static_cast<unsigned>(map.opaque[11] >> 24 & 0xff);
    f.out_of_bounds_fill = static_cast<unsigned>(map.opaque[11] >> 32 & 0xff);
    return f;
}

} // namespace hanabi::host

#endif
