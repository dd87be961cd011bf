// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A module to load: its name and its bytes.

#ifndef HANABI_MODULE_SOURCE_HPP
#define HANABI_MODULE_SOURCE_HPP

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace hanabi {

namespace detail {

/// Elements that are bytes: char and its kin, std::byte.
template <class T>
concept byte_like = sizeof(T) == 1 &&
                    (std::is_integral_v<T> || std::is_same_v<std::remove_cv_t<T>, std::byte>)&&!std::is_same_v<std::remove_cv_t<T>, bool>;

/// Contiguous bytes with data() and size().
template <class R>
concept bytes_range = requires(const R& range) {
    { range.size() } -> std::convertible_to<std::size_t>;
    requires byte_like<std::remove_const_t<std::remove_pointer_t<decltype(range.data())>>>;
};

} // namespace detail

/// A module's name and its image: PTX text, a cubin or a fatbin, as anything contiguous of bytes (char arrays, std::string,
/// std::string_view, std::vector, std::span, what hanabi_add_module embeds). Owns nothing: the bytes must live until the
/// load returns, and no longer. A NUL at the end is no part of PTX; none is needed either.
struct module_source {
    std::string_view name;
    std::span<const std::byte> bytes;

    template <detail::bytes_range Image>
    module_source(std::string_view module_name, const Image& image)
        : name{module_name}, bytes{reinterpret_cast<const std::byte*>(image.data()), image.size()} {}

    template <detail::byte_like T, std::size_t N>
    module_source(std::string_view module_name, const T (&image)[N])
        : name{module_name}, bytes{reinterpret_cast<const std::byte*>(image), N} {}

    module_source(std::string_view module_name, const void* image, std::size_t size)
        : name{module_name}, bytes{static_cast<const std::byte*>(image), size} {}
};

} // namespace hanabi

#endif
