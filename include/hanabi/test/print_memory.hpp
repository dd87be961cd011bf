// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Printing of memory: addresses, spans, buffers, variables of modules, tensor maps. Elements on a device are not printed:
/// that would take a copy.

#ifndef HANABI_TEST_PRINT_MEMORY_HPP
#define HANABI_TEST_PRINT_MEMORY_HPP

#include <hanabi/buffer.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/device_span.hpp>
#include <hanabi/format.hpp>
#include <hanabi/global.hpp>
#include <hanabi/pinned_buffer.hpp>
#include <hanabi/registry.hpp>
#include <hanabi/tensor_map.hpp>
#include <hanabi/test/print_name.hpp>

#include <boost/core/demangle.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <type_traits>
#include <typeinfo>

namespace hanabi {

namespace test::detail {

/// `100 const float at device 0x7f0010`.
template <class T>
std::string elements_text(std::size_t count, const char* where, const volatile void* address) {
    return std::to_string(count) + (std::is_const_v<T> ? " const " : " ") + boost::core::demangle(typeid(T).name()) + " at " + where +
           address_text(address);
}

} // namespace test::detail

/// `device 0x7f0010`, `device null`.
template <class T>
std::ostream& operator<<(std::ostream& out, device_ptr<T> p) {
    return out << "device " << test::detail::address_text(static_cast<std::uintptr_t>(p.address()));
}

/// `span of 100 const float at device 0x7f0010`.
template <class T>
std::ostream& operator<<(std::ostream& out, const device_span<T>& s) {
    return out << "span of " << test::detail::elements_text<T>(s.size(), "device ", s.get());
}

/// `buffer of 100 float at device 0x7f0010`.
template <class T>
std::ostream& operator<<(std::ostream& out, const buffer<T>& b) {
    return out << "buffer of " << test::detail::elements_text<T>(b.size(), "device ", b.get());
}

/// `pinned buffer of 100 float at 0x7f0010`.
template <class T>
std::ostream& operator<<(std::ostream& out, const pinned_buffer<T>& b) {
    return out << "pinned buffer of " << test::detail::elements_text<T>(b.size(), "", b.data());
}

/// `variable of 32 float at device 0x7f0010`.
template <class T>
std::ostream& operator<<(std::ostream& out, const device_variable<T>& v) {
    using element = typename device_variable<T>::element_type;
    return out << "variable of " << test::detail::elements_text<element>(v.size(), "device ", v.data().get());
}

/// `128 bytes at device 0x7f0010`.
inline std::ostream& operator<<(std::ostream& out, const device_symbol& s) {
    return out << test::detail::counted(s.bytes, "byte") << " at device "
               << test::detail::address_text(static_cast<std::uintptr_t>(s.address));
}

/// `1024 of 4096 bytes free`.
inline std::ostream& operator<<(std::ostream& out, const memory_info& m) {
    return out << std::to_string(m.free) << " of " << test::detail::counted(m.total, "byte") << " free";
}

/// The first bytes of what the driver made: its layout is the driver's secret.
inline std::ostream& operator<<(std::ostream& out, const tensor_map& m) {
    return out << "tensor map " << hanabi::detail::hex_text(&m.storage(), sizeof m.storage());
}

/// `{64, 32}`.
inline std::ostream& operator<<(std::ostream& out, const tensor_extents& e) {
    out << "{";
    for (std::size_t i = 0; i < e.size() && i < tensor_extents::max_rank; ++i)
        out << (i == 0 ? "" : ", ") << (e.is_negative(i) ? "-" : "") << std::to_string(e[i]);
    return out << (e.size() > tensor_extents::max_rank ? ", ...}" : "}");
}

inline std::ostream& operator<<(std::ostream& out, tensor_data_type t) {
    constexpr const char* names[] = {"uint8",
                                     "uint16",
                                     "uint32",
                                     "int32",
                                     "uint64",
                                     "int64",
                                     "float16",
                                     "float32",
                                     "float64",
                                     "bfloat16",
                                     "float32_ftz",
                                     "tfloat32",
                                     "tfloat32_ftz",
                                     "packed_u4_align8",
                                     "packed_u4_align16",
                                     "packed_u6_align16"};
    const auto i = static_cast<std::size_t>(t);
    return i < sizeof names / sizeof *names ? out << names[i] : out << "tensor_data_type " << std::to_string(i);
}

inline std::ostream& operator<<(std::ostream& out, tensor_interleave i) {
    return i == tensor_interleave::none ? out << "none" : out << "bytes_" << std::to_string(8u << static_cast<unsigned>(i));
}

inline std::ostream& operator<<(std::ostream& out, tensor_swizzle s) {
    constexpr const char* names[] = {
        "none", "bytes_32", "bytes_64", "bytes_128", "bytes_128_atom_32", "bytes_128_atom_32_flip_8", "bytes_128_atom_64"};
    const auto i = static_cast<std::size_t>(s);
    return i < sizeof names / sizeof *names ? out << names[i] : out << "tensor_swizzle " << std::to_string(i);
}

inline std::ostream& operator<<(std::ostream& out, tensor_l2_promotion p) {
    return p == tensor_l2_promotion::none ? out << "none" : out << "bytes_" << std::to_string(32u << static_cast<unsigned>(p));
}

inline std::ostream& operator<<(std::ostream& out, tensor_fill f) { return out << (f == tensor_fill::nan ? "nan" : "zero"); }

/// What was given, member by member.
inline std::ostream& operator<<(std::ostream& out, const tensor_tiling& t) {
    out << "dimensions " << t.dimensions << ", box " << t.box;
    if (!t.strides.empty()) out << ", strides " << t.strides;
    if (!t.element_strides.empty()) out << ", element strides " << t.element_strides;
    if (t.interleave != tensor_interleave::none) out << ", interleave " << t.interleave;
    if (t.swizzle != tensor_swizzle::none) out << ", swizzle " << t.swizzle;
    if (t.l2_promotion != tensor_l2_promotion::none) out << ", L2 promotion " << t.l2_promotion;
    if (t.fill != tensor_fill::zero) out << ", fill " << t.fill;
    return out;
}

} // namespace hanabi

#endif
