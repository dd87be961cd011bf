// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Kernel parameters whose C++ type the host program does not have: bytes of a known size, with the type's linker name.

#ifndef HANABI_OPAQUE_HPP
#define HANABI_OPAQUE_HPP

#include <hanabi/text.hpp>

#include <bit>
#include <cstddef>
#include <type_traits>

namespace hanabi {

/// A type by its encoding in the Itanium C++ ABI, written without substitutions, in Size bytes:
/// `opaque<"N3lib6ParamsE", 24, 8>` is a lib::Params of 24 bytes, aligned to 8, in the linker name of a kernel. With an empty
/// encoding it is of any type, for kernels with C linkage. With a size of 0 it is for pointers to it only. The headers that
/// hanabi-describe --cpp writes consist of them where no type is given.
template <text Encoding, std::size_t Size, std::size_t Alignment = 1>
struct opaque {
    alignas(Alignment) unsigned char bytes[Size];

    /// The bytes of a value of the real type, which must be of that size and trivially copyable.
    template <class T>
    static constexpr opaque of(const T& value) noexcept {
        static_assert(sizeof(T) == Size, "hanabi::opaque::of: the kernel takes a value of another size");
        static_assert(std::is_trivially_copyable_v<T>, "hanabi::opaque::of: a kernel parameter is copied byte by byte");
        return std::bit_cast<opaque>(value);
    }
    /// For the library.
    static constexpr auto hanabi_encoding() { return Encoding; }
};

template <text Encoding, std::size_t Alignment>
struct opaque<Encoding, 0, Alignment> {
    /// For the library.
    static constexpr auto hanabi_encoding() { return Encoding; }
};

} // namespace hanabi

#endif
