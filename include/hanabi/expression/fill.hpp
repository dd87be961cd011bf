// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Fills as expressions: fill(buffer, value).

#ifndef HANABI_EXPRESSION_FILL_HPP
#define HANABI_EXPRESSION_FILL_HPP

#include <hanabi/argument.hpp>
#include <hanabi/config.hpp>
#include <hanabi/detail/host_range.hpp>
#include <hanabi/detail/transfer_size.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/driver/abi.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/refusal.hpp>

#include <cstddef>
#include <source_location>
#include <type_traits>

namespace hanabi {

namespace because {
struct it_is_not_device_memory_of_known_size;
struct the_elements_are_const;
struct elements_have_1_or_2_or_a_multiple_of_4_bytes_up_to_64;
} // namespace because

/// The error of a fill that can't be. Never defined: its name is the message.
template <class Destination, class Because>
struct fill_is_not_possible;

/// A fill in plain numbers, with room for the value.
template <std::size_t Size>
struct fill_data {
    driver::device_address destination;
    std::size_t count; ///< elements
    std::source_location site;
    static constexpr std::size_t element = Size; ///< bytes
    std::byte value[Size];
};

/// The setting of every element of device memory to one value. `Open` is the value, left open.
template <class T, class... Open>
struct [[nodiscard("nothing is filled until a dispatcher takes the expression; buffer::fill fills at once")]] fill_of
    : fill_data<sizeof(T)> {
    using part_type = fill_of;
    using open_arguments = detail::list<Open...>;
    static constexpr node_kind node = node_kind::fill;
    static constexpr bool closed = sizeof...(Open) == 0;
    static constexpr bool forks = false;
    using value_type = T;

    /// The same with the value given.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<fill_of<T>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const noexcept {
        using remaining = typename detail::join<typename detail::unless_bound<Open, Bindings...>::type...>::type;
        auto bound = make(remaining{}, *this);
        (put<Open>(bound.value, bindings...), ...);
        return bound;
    }

  private:
    template <class... O>
    static constexpr fill_of<T, O...> make(detail::list<O...>, const fill_data<sizeof(T)>& data) noexcept {
        return {{data}};
    }
    template <class O, class... Bindings>
    static void put([[maybe_unused]] std::byte * bytes, const Bindings&... bindings) noexcept {
        (put_one<O>(bytes, bindings), ...);
    }
    template <class O, class Binding>
    static auto put_one([[maybe_unused]] std::byte * bytes, [[maybe_unused]] const Binding& binding) noexcept {
        if constexpr (O::name == Binding::name) {
            using A = typename Binding::argument_type;
            using D = std::remove_cvref_t<A>;
            if constexpr (detail::is_argument_name<D>::value)
                (void)sizeof(a_placeholder_is_no_value<D::name>);
            else if constexpr (!detail::argument_fits<T, A>)
                (void)sizeof(argument_does_not_fit<"fill", 2, Binding::name, expected<T>, given<D>, argument_verdict<T, A>>);
            else
                detail::argument_writer{bytes}.template write<T>(static_cast<A&&>(binding.value));
        }
    }
};

namespace detail {

template <class D>
constexpr auto judge_fill() noexcept {
    if constexpr (!sized_device_container<D>)
        return static_cast<because::it_is_not_device_memory_of_known_size*>(nullptr);
    else if constexpr (!outlives_the_call<D>)
        return static_cast<because::a_temporary_owner_would_be_gone*>(nullptr);
    else {
        using element = device_element_t<std::remove_reference_t<D>>;
        if constexpr (std::is_const_v<element>)
            return static_cast<because::the_elements_are_const*>(nullptr);
        else if constexpr (!std::is_trivially_copyable_v<element> || !is_fillable_size(sizeof(element)))
            return static_cast<because::elements_have_1_or_2_or_a_multiple_of_4_bytes_up_to_64*>(nullptr);
        else
            return static_cast<because::it_is_fine*>(nullptr);
    }
}

} // namespace detail

/// Sets every element of device memory of known size. The value is taken now, and converted as an argument of the elements'
/// type is; or it is a placeholder, to be bound.
template <class Destination, class Value>
constexpr auto fill(Destination&& destination, Value&& value, std::source_location site = std::source_location::current()) noexcept {
    using judgement = std::remove_pointer_t<decltype(detail::judge_fill<Destination>())>;
    using V = std::remove_cvref_t<Value>;
    if constexpr (!std::is_same_v<judgement, because::it_is_fine>) {
        (void)sizeof(fill_is_not_possible<std::remove_cvref_t<Destination>, judgement>);
        return detail::refused<sequence_of<>>();
    } else {
        using element = device_element_t<std::remove_reference_t<Destination>>;
        const auto prepare = [&](auto filling) {
            filling.destination = device_pointer(destination).address();
            filling.count = device_data<std::remove_cvref_t<Destination>>::size(destination);
            filling.site = site;
            return filling;
        };
        if constexpr (detail::is_argument_name<V>::value)
            return prepare(fill_of<element, detail::open_argument<V::name, element, 0, detail::open_place::fill_value>>{});
        else {
            auto filling = prepare(fill_of<element>{});
            if constexpr (detail::argument_fits<element, Value>)
                detail::argument_writer{filling.value}.template write<element>(static_cast<Value&&>(value));
            else
                (void)sizeof(
                    argument_does_not_fit<"fill", 2, text<5>{"value"}, expected<element>, given<V>, argument_verdict<element, Value>>);
            return filling;
        }
    }
}

} // namespace hanabi

#endif
