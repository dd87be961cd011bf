// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Tensor maps: what is encoded, and every documented rule refused by name before the driver is asked.

#define BOOST_TEST_MODULE tensor_map
#include <boost/test/unit_test.hpp>

#include <hanabi/buffer.hpp>
#include <hanabi/context.hpp>
#include <hanabi/host.hpp>
#include <hanabi/tensor_map.hpp>

#include "support/driver.hpp"
#include "support/faults.hpp"

#include <cstdint>
#include <type_traits>

using hanabi::buffer;
using hanabi::context;
using hanabi::device_ptr;
using hanabi::errc;
using hanabi::tensor_data_type;
using hanabi::tensor_extents;
using hanabi::tensor_fill;
using hanabi::tensor_interleave;
using hanabi::tensor_map;
using hanabi::tensor_swizzle;
using hanabi::tensor_tiling;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

static_assert(std::is_trivially_copyable_v<tensor_map> && sizeof(tensor_map) == 128 && alignof(tensor_map) == 64);
static_assert(hanabi::tensor_data_type_of<float> == tensor_data_type::float32);
static_assert(hanabi::tensor_data_type_of<std::int8_t> == tensor_data_type::uint8);
static_assert(hanabi::tensor_data_type_of<long> == (sizeof(long) == 8 ? tensor_data_type::int64 : tensor_data_type::int32));

namespace {

struct half {
    std::uint16_t bits;
};

/// Why a tiling is refused; empty if it is not.
std::string fault(tensor_data_type type, tensor_tiling tiling, std::uint64_t address = 0x10000) {
    std::uint64_t strides[4] = {};
    return hanabi::detail::fault_of_tiling(type, address, tiling, strides);
}
std::string fault(tensor_tiling tiling, std::uint64_t address = 0x10000) { return fault(tensor_data_type::float32, tiling, address); }

} // namespace

template <>
inline constexpr hanabi::tensor_data_type hanabi::tensor_data_type_of<half> = hanabi::tensor_data_type::float16;

BOOST_AUTO_TEST_CASE(extents_are_any_integers) {
    constexpr tensor_extents e{1, 2u, std::int64_t{3}, std::integral_constant<int, 4>{}, std::uint8_t{5}};
    static_assert(e.size() == 5 && e[0] == 1 && e[4] == 5 && !e.is_negative(0));
    static_assert(tensor_extents{-7}.is_negative(0) && tensor_extents{-7}[0] == 7);
    static_assert(tensor_extents{1, 2, 3, 4, 5, 6}.size() == 6);
    static constexpr std::uint64_t numbers[2] = {8, 9};
    static_assert(tensor_extents(numbers, 2)[1] == 9);
}

BOOST_AUTO_TEST_CASE(encoded) {
    const context c = test_context();
    if (!c.limits().tensor_maps) {
        BOOST_TEST_MESSAGE("skipped: the device has no tensor maps");
        return;
    }
    buffer<float> x{c, 1024 * 64};
    const tensor_map a = tensor_map::tiled(c, x, {.dimensions = {1024, 64}, .box = {32, 16}, .swizzle = tensor_swizzle::bytes_128});
    BOOST_TEST(!(a == tensor_map{}));
    // With the strides written out, it is the same map.
    BOOST_TEST((a == tensor_map::tiled(c, x.span(),
                                       {.dimensions = {1024, 64},
                                        .strides = {4096},
                                        .box = {32, 16},
                                        .element_strides = {1, 1},
                                        .swizzle = tensor_swizzle::bytes_128})));
    BOOST_TEST((a == tensor_map::tiled(c, tensor_data_type::float32, device_ptr<const void>{x.data()},
                                       {.dimensions = {1024, 64}, .box = {32, 16}, .swizzle = tensor_swizzle::bytes_128})));
    BOOST_TEST(!(a == tensor_map::tiled(c, x, {.dimensions = {1024, 64}, .box = {32, 8}, .swizzle = tensor_swizzle::bytes_128})));
    buffer<half> h{c, 4096};
    static_cast<void>(tensor_map::tiled(c, h, {.dimensions = {16, 16, 16}, .box = {8, 4, 2}, .fill = tensor_fill::nan}));
    static_cast<void>(tensor_map::tiled(c, h, {.dimensions = {4096}, .box = {256}}));
    static_cast<void>(tensor_map::tiled(c, std::as_const(h),
                                        {.dimensions = {8, 2, 2, 2, 2}, .box = {8, 1, 1, 1, 1}, .element_strides = {1, 1, 1, 1, 1}}));
}

BOOST_AUTO_TEST_CASE(beyond_the_memory) {
    const context c = test_context();
    if (!c.limits().tensor_maps) return;
    buffer<float> x{c, 1000};
    HANABI_CHECK_ERROR(tensor_map::tiled(c, x, {.dimensions = {100, 11}, .box = {4, 1}}), errc::size_mismatch, "hanabi::tensor_map::tiled",
                       "4400 bytes", "4000");
    HANABI_CHECK_ERROR(tensor_map::tiled(c, x,
                                         {.dimensions = {4, std::uint64_t{1} << 32, std::uint64_t{1} << 32},
                                          .strides = {std::uint64_t{1} << 39, std::uint64_t{1} << 39},
                                          .box = {4, 1, 1}}),
                       errc::size_mismatch, "18446744073709551615 bytes");
}

BOOST_AUTO_TEST_CASE(rules) {
    const auto says = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    BOOST_TEST(fault({.dimensions = {64, 64}, .box = {4, 4}}) == "");
    BOOST_TEST(says(fault({.dimensions = {}, .box = {}}), "0 dimensions; a tensor map has 1 to 5"));
    BOOST_TEST(says(fault({.dimensions = {4, 4, 4, 4, 4, 4}, .box = {4, 4, 4, 4, 4, 4}}), "6 dimensions; a tensor map has 1 to 5"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {4}}), "the box has 1 dimensions and the array 2"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .strides = {256, 256}, .box = {4, 4}}), "2 strides for 2 dimensions"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {4, 4}, .element_strides = {1}}), "1 element strides for 2 dimensions"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {4, 4}}, 0), "the address is null"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {4, 4}}, 0x10008), "modulo 16, is 8"));
    BOOST_TEST(says(fault({.dimensions = {64, 0}, .box = {4, 4}}), "dimension 1 is 0; it must be from 1 to 4294967296"));
    BOOST_TEST(says(fault({.dimensions = {64, -1}, .box = {4, 4}}), "dimension 1 is -1; it must be"));
    BOOST_TEST(says(fault({.dimensions = {64, (std::uint64_t{1} << 32) + 1}, .box = {4, 4}}), "dimension 1 is 4294967297"));
    BOOST_TEST(fault({.dimensions = {64, std::uint64_t{1} << 32}, .box = {4, 4}}) == "");
    BOOST_TEST(says(fault({.dimensions = {63, 64}, .box = {4, 4}}), "with no gaps, stride 0 is 252 bytes; it must be a multiple of 16"));
    BOOST_TEST(
        says(fault({.dimensions = {64, 64}, .strides = {264}, .box = {4, 4}}), "stride 0 is 264 bytes; it must be a multiple of 16"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .strides = {std::uint64_t{1} << 40}, .box = {4, 4}}), "below 2^40"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .strides = {-256}, .box = {4, 4}}), "stride 0 is -256 bytes"));
    BOOST_TEST(says(fault({.dimensions = {std::uint64_t{1} << 31, std::uint64_t{1} << 31, 2}, .box = {4, 4, 1}}),
                    "8589934592 * 2147483648 bytes; it must be below 2^40"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {4, 257}}), "box dimension 1 is 257; it must be from 1 to 256"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {4, 0}}), "box dimension 1 is 0"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {3, 4}}), "box dimension 0 is 3, 12 bytes; it must be a multiple of 16"));
    BOOST_TEST(
        says(fault({.dimensions = {64, 64}, .box = {4, 4}, .element_strides = {1, 9}}), "element stride 1 is 9; it must be from 1 to 8"));
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {16, 4}, .swizzle = tensor_swizzle::bytes_32}),
                    "64 bytes; a swizzle of 32 bytes takes at most that"));
    BOOST_TEST(fault({.dimensions = {64, 64}, .box = {32, 4}, .swizzle = tensor_swizzle::bytes_128}) == "");
    BOOST_TEST(says(fault({.dimensions = {64, 64}, .box = {4, 4}, .interleave = tensor_interleave::bytes_16}),
                    "interleaved layouts have at least 3"));
    BOOST_TEST(says(fault({.dimensions = {64, 64, 4}, .box = {4, 4, 1}, .interleave = tensor_interleave::bytes_32}),
                    "needs a swizzle of 32 bytes"));
    BOOST_TEST(fault({.dimensions = {64, 64, 4},
                      .box = {4, 4, 1},
                      .interleave = tensor_interleave::bytes_32,
                      .swizzle = tensor_swizzle::bytes_32}) == "");
    BOOST_TEST(says(
        fault({.dimensions = {64, 64, 4}, .box = {4, 4, 1}, .interleave = tensor_interleave::bytes_32, .swizzle = tensor_swizzle::bytes_32},
              0x10010),
        "modulo 32, is 16"));
    BOOST_TEST(says(fault(tensor_data_type::int32, {.dimensions = {64, 64}, .box = {4, 4}, .fill = tensor_fill::nan}), "floating-point"));
    BOOST_TEST(says(fault(static_cast<tensor_data_type>(77), {.dimensions = {64, 64}, .box = {4, 4}}), "data type 77"));
    BOOST_TEST(
        says(fault({.dimensions = {64, 64}, .box = {4, 4}, .swizzle = static_cast<tensor_swizzle>(9)}), "is not one of its enumerators"));
    BOOST_TEST(says(fault(tensor_data_type::packed_u4_align16, {.dimensions = {64, 64}, .box = {128, 4}}), "multiple of 128"));
    BOOST_TEST(says(fault(tensor_data_type::packed_u4_align16, {.dimensions = {128, 64}, .box = {64, 4}}), "it must be 128"));
    BOOST_TEST(
        says(fault(tensor_data_type::packed_u6_align16, {.dimensions = {128, 64}, .box = {128, 4}, .swizzle = tensor_swizzle::bytes_64}),
             "does not take this swizzle"));
    BOOST_TEST(says(fault(tensor_data_type::packed_u4_align8, {.dimensions = {33, 64}, .box = {32, 4}}), "multiple of 2"));
    BOOST_TEST(fault(tensor_data_type::packed_u4_align8, {.dimensions = {64, 64}, .box = {32, 4}}) == "");
}

BOOST_AUTO_TEST_CASE(refused_with_the_operation) {
    const context c = test_context();
    if (!c.limits().tensor_maps) return;
    buffer<float> x{c, 64 * 64};
    HANABI_CHECK_ERROR(tensor_map::tiled(c, x, {.dimensions = {64, 64}, .box = {4, 300}}), errc::invalid_argument,
                       "hanabi::tensor_map::tiled: box dimension 1 is 300; it must be from 1 to 256");
}

BOOST_AUTO_TEST_CASE(a_driver_or_device_without) {
    HANABI_SKIP_ON_CUDA("configures the device");
    context::release(0, test_driver());
    host::device_config device;
    device.tensor_maps = false;
    device.major = 8;
    host::reset({device});
    const context c = test_context();
    buffer<float> x{c, 64 * 64};
    HANABI_CHECK_ERROR(tensor_map::tiled(c, x, {.dimensions = {64, 64}, .box = {4, 4}}), errc::invalid_argument, "device 0",
                       "compute capability 8.0", "has no tensor maps");
    context::release(0, test_driver());
    host::reset({host::device_config{}});

    static hanabi::driver::table old; // a table lives as long as the process
    old = hanabi::driver::host();
    old.tensor_map_encode_tiled = nullptr;
    {
        const context older = context::primary(0, old);
        buffer<float> y{older, 64 * 64};
        HANABI_CHECK_ERROR(tensor_map::tiled(older, y, {.dimensions = {64, 64}, .box = {4, 4}}), errc::entry_missing,
                           "hanabi::tensor_map::tiled", "cuTensorMapEncodeTiled", "12.0");
    }
    context::release(0, old);
}

BOOST_AUTO_TEST_CASE(every_driver_call_can_fail) {
    HANABI_SKIP_ON_CUDA("fails calls on order");
    const context c = test_context();
    buffer<float> x{c, 64 * 64};
    x.fill(0);
    every_call_fails([&] { static_cast<void>(tensor_map::tiled(c, x, {.dimensions = {64, 64}, .box = {4, 4}})); });
}
