// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the host's side of a copy may be: any contiguous range of the elements.

#ifndef HANABI_DETAIL_HOST_RANGE_HPP
#define HANABI_DETAIL_HOST_RANGE_HPP

#include <hanabi/config.hpp>
#include <hanabi/device_ptr.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace hanabi::detail {

/// Contiguous memory of the host: std::data and std::size work on it. std::vector, std::array, std::span, arrays,
/// pinned_buffer; not std::vector<bool>, nor device memory.
template <class R>
concept host_range = !device_container<R> && requires(R & range) {
    {*std::data(range)};
    { std::size(range) } -> std::convertible_to<std::size_t>;
    requires std::is_pointer_v<decltype(std::data(range))>;
};

/// The element of a host range, const where it can't be written.
template <host_range R>
using host_element_t = std::remove_pointer_t<decltype(std::data(*static_cast<std::remove_reference_t<R>*>(nullptr)))>;

/// True if the range's memory outlives the object given: an lvalue, or a view such as std::span.
template <class R>
inline constexpr bool outlives_the_call =
    std::is_lvalue_reference_v<R> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>> || is_device_view<R>;

} // namespace hanabi::detail

#endif
