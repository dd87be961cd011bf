// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Copies as expressions: copy(destination, source).

#ifndef HANABI_EXPRESSION_COPY_HPP
#define HANABI_EXPRESSION_COPY_HPP

#include <hanabi/argument.hpp>
#include <hanabi/config.hpp>
#include <hanabi/detail/host_range.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/refusal.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace hanabi {

namespace because {
struct the_destination_is_const;
struct the_elements_are_of_different_types;
struct the_elements_are_not_trivially_copyable;
struct both_sides_are_on_the_host;
struct both_sides_are_left_open;
struct neither_side_says_how_many_elements;
struct a_side_is_neither_device_memory_nor_a_contiguous_range_of_the_host;
struct a_temporary_would_be_gone; ///< name it first: the copy is made when the expression runs
} // namespace because

/// The error of a copy that can't be: destination, source, and why. Never defined: its name is the message.
template <class Destination, class Source, class Because>
struct copy_is_not_possible;

/// Which way a copy goes.
enum class direction : unsigned char { host_to_device, device_to_host, device_to_device };

/// A copy in plain numbers.
struct copy_data {
    /// In the place of a number of elements that is not known: of a device_ptr, or of a side left open.
    static constexpr std::size_t unknown = ~std::size_t{0};

    std::uintptr_t destination; ///< an address of the host or the device
    std::uintptr_t source;
    std::size_t destination_count; ///< elements
    std::size_t source_count;
    std::size_t element; ///< bytes
    direction way;
    std::source_location site;

    /// Whether both sides have as many elements, as far as is known. One of them is known.
    constexpr bool sizes_match() const noexcept {
        return destination_count == source_count || destination_count == unknown || source_count == unknown;
    }
    constexpr std::size_t count() const noexcept { return destination_count != unknown ? destination_count : source_count; }
    constexpr std::size_t bytes() const noexcept { return count() * element; }
};

/// A copy between device memory and a contiguous range of the host, or within the device. It holds addresses and numbers of
/// elements: both sides must stay alive until it has run, and the source unchanged. `Open` is a side left open: device memory.
template <class... Open>
struct [[nodiscard("nothing is copied until a dispatcher takes the expression; buffer::copy_from and hanabi::copy(to, from, stream) copy "
                   "at once")]] copy_of : copy_data {
    using part_type = copy_of;
    using open_arguments = detail::list<Open...>;
    static constexpr node_kind node = node_kind::copy;
    static constexpr bool closed = sizeof...(Open) == 0;
    static constexpr bool forks = false;

    /// The same with the open side given: device memory of as many elements, or a device_ptr.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<copy_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const noexcept {
        using remaining = typename detail::join<typename detail::unless_bound<Open, Bindings...>::type...>::type;
        auto bound = make(remaining{}, *this);
        (put<Open>(bound, bindings...), ...);
        return bound;
    }

  private:
    template <class... O>
    static constexpr copy_of<O...> make(detail::list<O...>, const copy_data& data) noexcept {
        return {{data}};
    }
    template <class O, class... Bindings>
    static constexpr void put([[maybe_unused]] copy_data & bound, const Bindings&... bindings) noexcept {
        (put_one<O>(bound, bindings), ...);
    }
    template <class O, class Binding>
    static constexpr auto put_one([[maybe_unused]] copy_data & bound, [[maybe_unused]] const Binding& binding) noexcept {
        if constexpr (O::name == Binding::name) {
            using A = typename Binding::argument_type;
            using D = std::remove_cvref_t<A>;
            using P = typename O::type;
            if constexpr (detail::is_argument_name<D>::value)
                (void)sizeof(a_placeholder_is_no_value<D::name>);
            else if constexpr (!detail::argument_fits<P, A>)
                (void)sizeof(argument_does_not_fit < "copy", O::offset == 0 ? 1 : 2, Binding::name, expected<P>, given<D>,
                             argument_verdict < P, A >>);
            else {
                std::uintptr_t address = 0;
                std::size_t count = copy_data::unknown;
                if constexpr (!std::is_null_pointer_v<D>) address = static_cast<std::uintptr_t>(device_pointer(binding.value).address());
                if constexpr (sized_device_container<D>) count = device_data<D>::size(binding.value);
                (O::offset == 0 ? bound.destination : bound.source) = address;
                (O::offset == 0 ? bound.destination_count : bound.source_count) = count;
            }
        }
    }
};

namespace detail {

/// The sides of a copy.
template <class Side>
inline constexpr bool is_open_side = is_argument_name<std::remove_cvref_t<Side>>::value;
template <class Side>
inline constexpr bool is_host_side = host_range<std::remove_reference_t<Side>>;
template <class Side>
inline constexpr bool is_side = is_open_side<Side> || device_container<Side> || is_host_side<Side>;
template <class Side>
inline constexpr bool is_sized_side = sized_device_container<Side> || is_host_side<Side>;

/// The elements of a side, const where they can't be written; void of an open one.
template <class Side>
constexpr auto side_element() noexcept {
    if constexpr (device_container<Side>)
        return static_cast<device_element_t<std::remove_reference_t<Side>>*>(nullptr);
    else if constexpr (is_host_side<Side>)
        return static_cast<host_element_t<std::remove_reference_t<Side>>*>(nullptr);
    else
        return static_cast<void*>(nullptr);
}
template <class Side>
using side_element_t = std::remove_pointer_t<decltype(side_element<Side>())>;

template <class D, class S>
constexpr auto judge_copy() noexcept {
    if constexpr (!is_side<D> || !is_side<S>)
        return static_cast<because::a_side_is_neither_device_memory_nor_a_contiguous_range_of_the_host*>(nullptr);
    else if constexpr (is_open_side<D> && is_open_side<S>)
        return static_cast<because::both_sides_are_left_open*>(nullptr);
    else if constexpr ((!is_open_side<D> && !outlives_the_call<D>) || (!is_open_side<S> && !outlives_the_call<S>))
        return static_cast<because::a_temporary_would_be_gone*>(nullptr);
    else if constexpr (is_host_side<D> && is_host_side<S>)
        return static_cast<because::both_sides_are_on_the_host*>(nullptr);
    else if constexpr (!is_sized_side<D> && !is_sized_side<S>)
        return static_cast<because::neither_side_says_how_many_elements*>(nullptr);
    else if constexpr (std::is_const_v<side_element_t<D>>)
        return static_cast<because::the_destination_is_const*>(nullptr);
    else if constexpr (!is_open_side<D> && !is_open_side<S> && !std::is_same_v<side_element_t<D>, std::remove_cv_t<side_element_t<S>>>)
        return static_cast<because::the_elements_are_of_different_types*>(nullptr);
    else {
        using element = std::conditional_t<is_open_side<D>, side_element_t<S>, side_element_t<D>>;
        if constexpr (!std::is_trivially_copyable_v<element>)
            return static_cast<because::the_elements_are_not_trivially_copyable*>(nullptr);
        else
            return static_cast<because::it_is_fine*>(nullptr);
    }
}

template <class Side>
constexpr std::uintptr_t side_address([[maybe_unused]] Side& side) noexcept {
    if constexpr (is_open_side<Side>)
        return 0;
    else if constexpr (device_container<Side>)
        return static_cast<std::uintptr_t>(device_pointer(side).address());
    else
        return reinterpret_cast<std::uintptr_t>(std::data(side));
}
template <class Side>
constexpr std::size_t side_count([[maybe_unused]] Side& side) noexcept {
    if constexpr (sized_device_container<Side>)
        return device_data<std::remove_cv_t<Side>>::size(side);
    else if constexpr (is_host_side<Side>)
        return std::size(side);
    else
        return copy_data::unknown;
}

template <class D, class S>
constexpr auto open_sides() noexcept {
    if constexpr (is_open_side<D>) {
        using P = std::remove_cv_t<side_element_t<S>>*;
        return list<open_argument<std::remove_cvref_t<D>::name, P, 0, open_place::copy_address, true>>{};
    } else if constexpr (is_open_side<S>)
        return list<open_argument<std::remove_cvref_t<S>::name, const side_element_t<D>*, sizeof(std::uintptr_t), open_place::copy_address,
                                  true>>{};
    else
        return list<>{};
}
template <class... Open>
constexpr hanabi::copy_of<Open...> copy_with(list<Open...>, const copy_data& data) noexcept {
    return {{data}};
}

} // namespace detail

/// The verdict on a copy between sides of these types (`T&` of an lvalue, `T` of a temporary): because::it_is_fine, or why
/// not.
template <class Destination, class Source>
using copy_verdict = std::remove_pointer_t<decltype(detail::judge_copy<Destination, Source>())>;

/// A copy, destination first, between any two of buffers, device spans, other device containers and contiguous ranges of the
/// host, one of which is on the device. Elements are of one type; both sides have as many, which is checked when it runs
/// (errc::size_mismatch). A side that is a placeholder is device memory, to be bound. The expression keeps addresses: owning temporaries are
/// refused. Pageable memory of the host is copied when the driver pleases: keep it until the stream is done.
template <class Destination, class Source>
constexpr auto copy(Destination&& destination, Source&& source, std::source_location site = std::source_location::current()) noexcept {
    if constexpr (!std::is_same_v<copy_verdict<Destination, Source>, because::it_is_fine>) {
        (void)sizeof(
            copy_is_not_possible<std::remove_cvref_t<Destination>, std::remove_cvref_t<Source>, copy_verdict<Destination, Source>>);
        return detail::refused<copy_of<>>();
    } else {
        constexpr bool to_host = detail::is_host_side<Destination>, from_host = detail::is_host_side<Source>;
        constexpr std::size_t element = sizeof(
            std::conditional_t<detail::is_open_side<Destination>, detail::side_element_t<Source>, detail::side_element_t<Destination>>);
        return detail::copy_with(detail::open_sides<Destination, Source>(),
                                 {detail::side_address(destination), detail::side_address(source), detail::side_count(destination),
                                  detail::side_count(source), element,
                                  to_host     ? direction::device_to_host
                                  : from_host ? direction::host_to_device
                                              : direction::device_to_device,
                                  site});
    }
}

} // namespace hanabi

#endif
