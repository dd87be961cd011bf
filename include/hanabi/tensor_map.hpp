// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// tensor_map: how a kernel's tensor memory accelerator sees an array, as a value to pass to it.

#ifndef HANABI_TENSOR_MAP_HPP
#define HANABI_TENSOR_MAP_HPP

#include <hanabi/config.hpp>
#include <hanabi/context.hpp>
#include <hanabi/detail/count.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi {

/// What the elements are (CUtensorMapDataType).
enum class tensor_data_type : unsigned {
    uint8 = 0,
    uint16 = 1,
    uint32 = 2,
    int32 = 3,
    uint64 = 4,
    int64 = 5,
    float16 = 6,
    float32 = 7,
    float64 = 8,
    bfloat16 = 9,
    float32_ftz = 10,       ///< float32, denormals flushed to zero
    tfloat32 = 11,          ///< float32, rounded to tf32 on the way
    tfloat32_ftz = 12,      ///< the same, denormals flushed to zero
    packed_u4_align8 = 13,  ///< 16 values of 4 bits in 8 bytes of shared memory
    packed_u4_align16 = 14, ///< 16 values of 4 bits in 8 of 16 bytes of shared memory
    packed_u6_align16 = 15  ///< 16 values of 6 bits in 12 of 16 bytes of shared memory
};

/// CUtensorMapInterleave.
enum class tensor_interleave : unsigned { none = 0, bytes_16 = 1, bytes_32 = 2 };

/// CUtensorMapSwizzle: how rows are shuffled over the banks of shared memory, in a span of that many bytes.
enum class tensor_swizzle : unsigned {
    none = 0,
    bytes_32 = 1,
    bytes_64 = 2,
    bytes_128 = 3,
    bytes_128_atom_32 = 4,
    bytes_128_atom_32_flip_8 = 5,
    bytes_128_atom_64 = 6
};

/// CUtensorMapL2promotion: how much is fetched into the L2 cache at a time.
enum class tensor_l2_promotion : unsigned { none = 0, bytes_64 = 1, bytes_128 = 2, bytes_256 = 3 };

/// CUtensorMapFloatOOBfill: what elements outside the array read as.
enum class tensor_fill : unsigned { zero = 0, nan = 1 };

/// The data type that elements of T have; to be specialised for half types:
///     template <> inline constexpr hanabi::tensor_data_type hanabi::tensor_data_type_of<__half> = hanabi::tensor_data_type::float16;
template <class T>
inline constexpr tensor_data_type tensor_data_type_of = [] {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || (std::is_integral_v<T> && !std::is_same_v<T, bool>),
                  "hanabi::tensor_map: no data type is known for these elements; specialise hanabi::tensor_data_type_of, or name one");
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (std::is_same_v<T, float>)
        return tensor_data_type::float32;
    else if constexpr (std::is_same_v<T, double>)
        return tensor_data_type::float64;
    else if constexpr (sizeof(T) == 1)
        return tensor_data_type::uint8; // the copy moves bits: 8 and 16 bits have no signed form of their own
    else if constexpr (sizeof(T) == 2)
        return tensor_data_type::uint16;
    else if constexpr (sizeof(T) == 4)
        return is_signed ? tensor_data_type::int32 : tensor_data_type::uint32;
    else
        return is_signed ? tensor_data_type::int64 : tensor_data_type::uint64;
}();

/// Up to five numbers, one a dimension, the innermost (contiguous) dimension first. From any integer types: {width, height}.
class tensor_extents {
    // Before its uses: some compilers want it defined by then when they evaluate a constant.
    template <class Number>
    constexpr void put(std::size_t i, Number number) noexcept {
        if (i >= max_rank) return;
        if constexpr (std::is_signed_v<Number>) {
            negative_[i] = number < 0;
            values_[i] = number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
        } else
            values_[i] = number;
    }

  public:
    static constexpr std::size_t max_rank = 5;

    constexpr tensor_extents() noexcept = default;
    template <detail::counting... Numbers>
    requires(sizeof...(Numbers) > 0) constexpr tensor_extents(Numbers... numbers) noexcept : size_{sizeof...(Numbers)} {
        std::size_t i = 0;
        (put(i++, detail::count_value(numbers)), ...);
    }
    /// For ranks known at run time only.
    constexpr tensor_extents(const std::uint64_t* numbers, std::size_t size) noexcept : size_{size} {
        for (std::size_t i = 0; i < size && i < max_rank; ++i) put(i, numbers[i]);
    }

    /// How many were given, also when they are more than five.
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr std::uint64_t operator[](std::size_t i) const noexcept { return values_[i]; }
    constexpr bool is_negative(std::size_t i) const noexcept { return negative_[i]; }
    constexpr const std::uint64_t* data() const noexcept { return values_; }

  private:
    std::uint64_t values_[max_rank] = {};
    bool negative_[max_rank] = {};
    std::size_t size_ = 0;
};

/// An array in device memory and the box of it that one copy moves.
struct tensor_tiling {
    tensor_extents dimensions = {};      ///< elements along each of 1 to 5 dimensions, innermost first; at most 2^32
    tensor_extents strides = {};         ///< bytes from one row, plane, ... to the next: one fewer than dimensions; none given: no gaps
    tensor_extents box = {};             ///< elements that one copy spans along each dimension, at most 256
    tensor_extents element_strides = {}; ///< take every nth element along each dimension, at most 8; none given: all
    tensor_interleave interleave = tensor_interleave::none;
    tensor_swizzle swizzle = tensor_swizzle::none;
    tensor_l2_promotion l2_promotion = tensor_l2_promotion::none;
    tensor_fill fill = tensor_fill::zero;
};

namespace detail {

constexpr unsigned bits_of(tensor_data_type type) noexcept {
    switch (type) {
    case tensor_data_type::uint8: return 8;
    case tensor_data_type::uint16:
    case tensor_data_type::float16:
    case tensor_data_type::bfloat16: return 16;
    case tensor_data_type::uint64:
    case tensor_data_type::int64:
    case tensor_data_type::float64: return 64;
    case tensor_data_type::packed_u4_align8:
    case tensor_data_type::packed_u4_align16: return 4;
    case tensor_data_type::packed_u6_align16: return 6;
    default: return 32;
    }
}
constexpr bool is_floating(tensor_data_type type) noexcept {
    switch (type) {
    case tensor_data_type::float16:
    case tensor_data_type::float32:
    case tensor_data_type::float64:
    case tensor_data_type::bfloat16:
    case tensor_data_type::float32_ftz:
    case tensor_data_type::tfloat32:
    case tensor_data_type::tfloat32_ftz: return true;
    default: return false;
    }
}

/// The rules of cuTensorMapEncodeTiled's documentation, checked one by one: the driver says INVALID_VALUE to all of them.
/// Fills in what was left out. Empty if they hold, else which one does not, with dimension, value and limit.
template <class Tiling>
HANABI_COLD std::string fault_of_tiling(tensor_data_type type, std::uint64_t address, Tiling& tiling, std::uint64_t (&strides)[4]) {
    const std::size_t rank = tiling.dimensions.size();
    const auto number = [](const tensor_extents& of, std::size_t i) { return (of.is_negative(i) ? "-" : "") + std::to_string(of[i]); };
    const auto at = [&](const char* what, std::size_t i, const tensor_extents& of) {
        return std::string{what} + " " + std::to_string(i) + " is " + number(of, i);
    };
    const bool wide = type == tensor_data_type::packed_u4_align16 || type == tensor_data_type::packed_u6_align16;
    if (static_cast<unsigned>(type) > 15) return "data type " + std::to_string(static_cast<unsigned>(type)) + " does not exist";
    if (rank < 1 || rank > tensor_extents::max_rank) return std::to_string(rank) + " dimensions; a tensor map has 1 to 5";
    if (tiling.interleave != tensor_interleave::none && rank < 3)
        return std::to_string(rank) + " dimensions; interleaved layouts have at least 3";
    if (tiling.box.size() != rank)
        return "the box has " + std::to_string(tiling.box.size()) + " dimensions and the array " + std::to_string(rank);
    if (!tiling.element_strides.empty() && tiling.element_strides.size() != rank)
        return std::to_string(tiling.element_strides.size()) + " element strides for " + std::to_string(rank) + " dimensions";
    if (!tiling.strides.empty() && tiling.strides.size() != rank - 1)
        return std::to_string(tiling.strides.size()) + " strides for " + std::to_string(rank) +
               " dimensions; the innermost has none, so there must be " + std::to_string(rank - 1);

    const std::uint64_t alignment = tiling.interleave == tensor_interleave::bytes_32 || wide ? 32 : 16;
    if (address == 0) return "the address is null";
    if (address % alignment != 0)
        return "the address, modulo " + std::to_string(alignment) + ", is " + std::to_string(address % alignment) +
               "; it must be a multiple of " + std::to_string(alignment);

    const std::uint64_t inner_multiple = wide ? 128 : type == tensor_data_type::packed_u4_align8 ? 2 : 1;
    for (std::size_t i = 0; i < rank; ++i)
        if (tiling.dimensions.is_negative(i) || tiling.dimensions[i] < 1 || tiling.dimensions[i] > std::uint64_t{1} << 32)
            return at("dimension", i, tiling.dimensions) + "; it must be from 1 to 4294967296";
    if (tiling.dimensions[0] % inner_multiple != 0)
        return at("dimension", 0, tiling.dimensions) + "; for this data type it must be a multiple of " + std::to_string(inner_multiple);

    // Gapless strides: each dimension steps over all of the one inside it. Given ones may overlap: rows that share elements.
    constexpr std::uint64_t stride_limit = std::uint64_t{1} << 40;
    const std::uint64_t row = tiling.dimensions[0] * bits_of(type) / 8;
    for (std::size_t i = 0; i + 1 < rank; ++i) {
        const bool given = !tiling.strides.empty();
        if (given)
            strides[i] = tiling.strides[i];
        else
            strides[i] = i == 0 ? row : strides[i - 1] * tiling.dimensions[i];                          // may wrap: told by `overflow`
        const bool overflow = !given && i != 0 && tiling.dimensions[i] > stride_limit / strides[i - 1]; // gapless ones are not 0
        const std::string stride = std::string{given ? "stride " : "with no gaps, stride "} + std::to_string(i) + " is " +
                                   (overflow ? std::to_string(strides[i - 1]) + " * " + std::to_string(tiling.dimensions[i])
                                    : given  ? number(tiling.strides, i)
                                             : std::to_string(strides[i])) +
                                   " bytes";
        if ((given && tiling.strides.is_negative(i)) || overflow || strides[i] >= stride_limit) return stride + "; it must be below 2^40";
        if (strides[i] % alignment != 0) return stride + "; it must be a multiple of " + std::to_string(alignment);
    }

    for (std::size_t i = 0; i < rank; ++i)
        if (tiling.box.is_negative(i) || tiling.box[i] < 1 || tiling.box[i] > 256)
            return at("box dimension", i, tiling.box) + "; it must be from 1 to 256";
    const std::uint64_t inner = tiling.box[0] * bits_of(type) / 8;
    if (wide && tiling.box[0] != 128) return at("box dimension", 0, tiling.box) + "; for this data type it must be 128";
    if (tiling.interleave == tensor_interleave::none && !wide && (tiling.box[0] * bits_of(type)) % 128 != 0)
        return at("box dimension", 0, tiling.box) + ", " + std::to_string(inner) + " bytes; it must be a multiple of 16 bytes";
    for (std::size_t i = 0; i < tiling.element_strides.size(); ++i)
        if (tiling.element_strides.is_negative(i) || tiling.element_strides[i] < 1 || tiling.element_strides[i] > 8)
            return at("element stride", i, tiling.element_strides) + "; it must be from 1 to 8";

    if (static_cast<unsigned>(tiling.interleave) > 2 || static_cast<unsigned>(tiling.swizzle) > 6 ||
        static_cast<unsigned>(tiling.l2_promotion) > 3 || static_cast<unsigned>(tiling.fill) > 1)
        return "interleave, swizzle, l2_promotion or fill is not one of its enumerators";
    if (tiling.interleave == tensor_interleave::bytes_32 && tiling.swizzle != tensor_swizzle::bytes_32)
        return "interleave of 32 bytes needs a swizzle of 32 bytes";
    if (wide && (tiling.swizzle == tensor_swizzle::bytes_32 || tiling.swizzle == tensor_swizzle::bytes_64 ||
                 tiling.swizzle == tensor_swizzle::bytes_128_atom_32_flip_8 ||
                 (type == tensor_data_type::packed_u4_align16 && tiling.swizzle == tensor_swizzle::bytes_128_atom_64)))
        return "this data type does not take this swizzle";
    const std::uint64_t span = tiling.swizzle == tensor_swizzle::bytes_32 ? 32 : tiling.swizzle == tensor_swizzle::bytes_64 ? 64 : 128;
    if (tiling.interleave == tensor_interleave::none && tiling.swizzle != tensor_swizzle::none && inner > span)
        return at("box dimension", 0, tiling.box) + ", " + std::to_string(inner) + " bytes; a swizzle of " + std::to_string(span) +
               " bytes takes at most that";
    if (type == tensor_data_type::packed_u6_align16 && tiling.interleave != tensor_interleave::none)
        return "this data type does not take an interleave";
    if (tiling.fill == tensor_fill::nan && !is_floating(type)) return "only floating-point elements can be filled with NaN";
    return {};
}

} // namespace detail

/// A description of an array for the tensor memory accelerator (CUtensorMap): passed by value to a kernel whose parameter
/// is `const __grid_constant__ CUtensorMap`. Holds the array's address and does not own it. Trivially copyable; any
/// thread.
class alignas(64) tensor_map {
  public:
    /// No map: all zero.
    constexpr tensor_map() noexcept = default;

    /// A tiled map (cuTensorMapEncodeTiled) of an array at `address`. Errors: errc::entry_missing before CUDA 12.0,
    /// errc::invalid_argument for a device without tensor maps (before compute capability 9.0) and for whatever breaks the
    /// documented rules, saying dimension, value and limit; the driver's.
    template <class = void>
    static tensor_map tiled(const context& in, tensor_data_type type, device_ptr<const void> address, tensor_tiling tiling) {
        tensor_map made;
        if (detail::failure f = made.encode(in, type, address.address(), std::move(tiling), nullptr); f.code) detail::raise(std::move(f));
        return made;
    }
    /// The same of a buffer, span or device_ptr, whose elements say the data type. Where the number of elements is known,
    /// the array must lie in them: else errc::size_mismatch.
    template <class Array>
    requires device_container<Array>
    static tensor_map tiled(const context& in, Array&& array, tensor_tiling tiling) {
        using element = std::remove_cv_t<device_element_t<Array>>;
        tensor_map made;
        std::uint64_t bytes = 0;
        const std::uint64_t* known = nullptr;
        if constexpr (sized_device_container<Array>) {
            bytes = static_cast<std::uint64_t>(device_data<std::remove_cvref_t<Array>>::size(array)) * sizeof(element);
            known = &bytes;
        }
        if (detail::failure f = made.encode(in, tensor_data_type_of<element>, device_pointer(array).address(), std::move(tiling), known);
            f.code)
            detail::raise(std::move(f));
        return made;
    }

    /// The driver's 128 bytes.
    const driver::tensor_map_storage& storage() const noexcept { return storage_; }

    friend constexpr bool operator==(const tensor_map& a, const tensor_map& b) noexcept {
        for (std::size_t i = 0; i < 16; ++i)
            if (a.storage_.opaque[i] != b.storage_.opaque[i]) return false;
        return true;
    }

  private:
    template <class = void>
    detail::failure encode(const context& in, tensor_data_type type, std::uint64_t address, tensor_tiling tiling,
                           const std::uint64_t* bytes) {
        constexpr const char* operation = "hanabi::tensor_map::tiled";
        const driver::table& table = in.table();
        if (table.tensor_map_encode_tiled == nullptr)
            return detail::entry_missing(table, driver::entry::tensor_map_encode_tiled, operation);
        if (!in.limits().tensor_maps)
            return {errc::invalid_argument, std::string{operation} + ": device " + std::to_string(in.ordinal()) + " (" + in.device_name() +
                                                ", compute capability " + std::to_string(in.compute_capability().major) + "." +
                                                std::to_string(in.compute_capability().minor) +
                                                ") has no tensor maps; compute capability 9.0 and above have"};
        std::uint64_t strides[4] = {};
        if (std::string fault = detail::fault_of_tiling(type, address, tiling, strides); !fault.empty())
            return {errc::invalid_argument, std::string{operation} + ": " + fault};
        const std::size_t rank = tiling.dimensions.size();
        if (bytes != nullptr) {
            constexpr std::uint64_t most = ~std::uint64_t{0}; // 2^32 steps of 2^40 bytes are beyond 64 bits
            std::uint64_t end = tiling.dimensions[0] * detail::bits_of(type) / 8;
            for (std::size_t i = 1; i < rank; ++i) {
                const std::uint64_t steps = tiling.dimensions[i] - 1;
                end = steps != 0 && strides[i - 1] > (most - end) / steps ? most : end + steps * strides[i - 1];
            }
            if (end > *bytes)
                return {errc::size_mismatch, std::string{operation} + ": the array reaches over " + std::to_string(end) +
                                                 " bytes, and the memory given has " + std::to_string(*bytes)};
        }
        std::uint32_t box[5] = {};
        std::uint32_t steps[5] = {};
        for (std::size_t i = 0; i < rank; ++i) {
            box[i] = static_cast<std::uint32_t>(tiling.box[i]);
            steps[i] = tiling.element_strides.empty() ? 1 : static_cast<std::uint32_t>(tiling.element_strides[i]);
        }
        const detail::current_scope scope{*in.state()};
        driver::status status = scope.status();
        driver::tensor_map_storage made{};
        if (status == driver::status::success)
            status = table.tensor_map_encode_tiled(&made, static_cast<unsigned>(type), static_cast<std::uint32_t>(rank),
                                                   reinterpret_cast<void*>(address), tiling.dimensions.data(), strides, box, steps,
                                                   static_cast<unsigned>(tiling.interleave), static_cast<unsigned>(tiling.swizzle),
                                                   static_cast<unsigned>(tiling.l2_promotion), static_cast<unsigned>(tiling.fill));
        if (status != driver::status::success) return detail::driver_failure(*in.state(), status, operation);
        storage_ = made;
        return {};
    }

    driver::tensor_map_storage storage_{};
};

static_assert(sizeof(tensor_map) == 128 && alignof(tensor_map) == 64 && std::is_trivially_copyable_v<tensor_map>);

} // namespace hanabi

#endif
