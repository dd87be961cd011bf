// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// device_span: a view of elements in device memory.

#ifndef HANABI_DEVICE_SPAN_HPP
#define HANABI_DEVICE_SPAN_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/count.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/error.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace hanabi {

/// An address in device memory and a number of elements there; owns nothing. A kernel takes it for its pointer. T may be
/// const. Trivially copyable; any thread.
template <class T>
class device_span {
    static_assert(std::is_object_v<T>, "hanabi::device_span<T>: T must be an object type");

  public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;

    /// No elements, the null address.
    constexpr device_span() noexcept = default;
    constexpr device_span(device_ptr<T> first, std::size_t count) noexcept : data_{first}, size_{count} {}
    /// The elements of a buffer, of another span, or of a container with a device_data that has a size.
    template <sized_device_container Container>
    requires(!std::is_same_v<std::remove_cvref_t<Container>, device_span> && detail::adds_only_qualifiers<device_element_t<Container>, T> &&
             (std::is_lvalue_reference_v<Container> || is_device_view<Container>)) constexpr device_span(Container&& container) noexcept
        : data_{device_pointer(container)}, size_{device_data<std::remove_cvref_t<Container>>::size(container)} {}

    constexpr device_ptr<T> data() const noexcept { return data_; }
    /// The address as a pointer; dereferencing it on the host is undefined.
    constexpr T* get() const noexcept { return data_.get(); }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
    constexpr bool empty() const noexcept { return size_ == 0; }

    /// `count` elements from `offset` on. Error: errc::value_out_of_range when they are not all in the span.
    template <detail::counting Offset, detail::counting Count>
    constexpr device_span subspan(Offset offset, Count count) const {
        std::size_t begin = 0;
        std::size_t length = 0;
        if (!detail::fits_in_memory(offset, sizeof(T), begin) || begin > size_ || !detail::fits_in_memory(count, sizeof(T), length) ||
            length > size_ - begin)
            detail::raise(errc::value_out_of_range, "hanabi::device_span::subspan: " + detail::count_text(count) + " elements from " +
                                                        detail::count_text(offset) + " on, of a span of " + std::to_string(size_));
        return {data_ + begin, length};
    }
    /// All elements from `offset` on.
    template <detail::counting Offset>
    constexpr device_span subspan(Offset offset) const {
        std::size_t begin = 0;
        if (!detail::fits_in_memory(offset, sizeof(T), begin) || begin > size_)
            detail::raise(errc::value_out_of_range, "hanabi::device_span::subspan: the elements from " + detail::count_text(offset) +
                                                        " on, of a span of " + std::to_string(size_));
        return {data_ + begin, size_ - begin};
    }
    /// The first `count` elements.
    template <detail::counting Count>
    constexpr device_span first(Count count) const {
        return subspan(0, count);
    }

  private:
    device_ptr<T> data_;
    std::size_t size_ = 0;
};

template <class T>
device_span(device_ptr<T>, std::size_t) -> device_span<T>;
template <sized_device_container Container>
device_span(Container&&) -> device_span<device_element_t<Container>>;

template <class T>
struct device_data<device_span<T>> {
    static constexpr bool is_view = true;
    static constexpr device_ptr<T> pointer(const device_span<T>& span) noexcept { return span.data(); }
    static constexpr std::size_t size(const device_span<T>& span) noexcept { return span.size(); }
};

} // namespace hanabi

#endif
