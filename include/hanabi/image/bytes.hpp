// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The bytes of a binary image, readable in constant expressions too.

#ifndef HANABI_IMAGE_BYTES_HPP
#define HANABI_IMAGE_BYTES_HPP

#include <hanabi/image/slice.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hanabi::image {

/// What a view of bytes is made from: contiguous char, unsigned char or std::byte, with data() and size().
template <class Range>
concept byte_range = requires(const Range& r) {
    { r.data() } -> std::convertible_to<const void*>;
    { r.size() } -> std::convertible_to<std::size_t>;
    requires sizeof(*r.data()) == 1;
};

/// A view of bytes that does its own bounds checks: what lies outside reads as zero, and parts are cut to what is there.
/// Arrays of char, unsigned char (#embed) and std::byte all serve, in constant expressions as well. Never owns; any
/// thread.
class bytes {
  public:
    constexpr bytes() = default;
    constexpr bytes(const unsigned char* data, std::size_t size) noexcept : raw_{data}, size_{size} {}
    constexpr bytes(const char* data, std::size_t size) noexcept : size_{size} {
        if (std::is_constant_evaluated())
            text_ = data;
        else
            raw_ = reinterpret_cast<const unsigned char*>(data);
    }
    constexpr bytes(const std::byte* data, std::size_t size) noexcept : size_{size} {
        if (std::is_constant_evaluated())
            byte_ = data;
        else
            raw_ = reinterpret_cast<const unsigned char*>(data);
    }
    /// An array, or any container of such elements with data() and size().
    template <byte_range Range>
    constexpr bytes(const Range& range) noexcept : bytes{range.data(), range.size()} {}
    template <class Byte, std::size_t N>
    requires std::is_same_v<Byte, unsigned char> || std::is_same_v<Byte, std::byte>
    constexpr bytes(const Byte (&array)[N]) noexcept : bytes{+array, N} {}

    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }

    constexpr unsigned char operator[](std::size_t i) const noexcept {
        if (i >= size_) return 0;
        if (std::is_constant_evaluated()) {
            if (text_ != nullptr) return static_cast<unsigned char>(text_[i]);
            if (byte_ != nullptr) return static_cast<unsigned char>(byte_[i]);
        }
        return raw_[i];
    }

    /// Whether that many bytes exist from there.
    constexpr bool holds(std::uint64_t offset, std::uint64_t count) const noexcept { return offset <= size_ && count <= size_ - offset; }

    /// The bytes from offset on, at most count.
    constexpr bytes part(std::uint64_t offset, std::uint64_t count = ~std::uint64_t{0}) const noexcept {
        if (offset > size_) offset = size_;
        bytes b = *this;
        if (b.raw_ != nullptr) b.raw_ += offset;
        if (b.text_ != nullptr) b.text_ += offset;
        if (b.byte_ != nullptr) b.byte_ += offset;
        b.size_ -= static_cast<std::size_t>(offset);
        if (count < b.size_) b.size_ = static_cast<std::size_t>(count);
        return b;
    }

    /// Little-endian number; zero where it is not wholly inside.
    template <class T>
    constexpr T read(std::uint64_t offset) const noexcept {
        T value{};
        if (!holds(offset, sizeof(T))) return value;
        if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
            std::memcpy(&value, raw_ + offset, sizeof(T));
            return value;
        }
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            const T byte = (*this)[static_cast<std::size_t>(offset) + i];
            value = static_cast<T>(value | static_cast<T>(byte << (8 * i)));
        }
        return value;
    }
    constexpr std::uint16_t u16(std::uint64_t offset) const noexcept { return read<std::uint16_t>(offset); }
    constexpr std::uint32_t u32(std::uint64_t offset) const noexcept { return read<std::uint32_t>(offset); }
    constexpr std::uint64_t u64(std::uint64_t offset) const noexcept { return read<std::uint64_t>(offset); }

    friend constexpr bool operator==(const bytes& b, slice text) noexcept {
        if (b.size_ != text.length) return false;
        for (std::size_t i = 0; i < b.size_; ++i)
            if (b[i] != static_cast<unsigned char>(text.first[i])) return false;
        return true;
    }
    constexpr bool starts_with(slice text) const noexcept { return size_ >= text.length && part(0, text.length) == text; }

    /// The same bytes as characters; not in constant expressions.
    slice text() const noexcept { return {reinterpret_cast<const char*>(raw_), size_}; }
    /// The first of them; not in constant expressions.
    const unsigned char* data() const noexcept { return raw_; }

  private:
    const unsigned char* raw_ = nullptr;
    const char* text_ = nullptr;      // in constant expressions only
    const std::byte* byte_ = nullptr; // in constant expressions only
    std::size_t size_ = 0;
};

} // namespace hanabi::image

#endif
