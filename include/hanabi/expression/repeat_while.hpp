// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// An expression as long as the device says: repeat_while(flag, e).

#ifndef HANABI_EXPRESSION_REPEAT_WHILE_HPP
#define HANABI_EXPRESSION_REPEAT_WHILE_HPP

#include <hanabi/detail/host_range.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/driver/abi.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/refusal.hpp>

#include <type_traits>

namespace hanabi {

/// The error of a flag that is no 32-bit integer in device memory: a buffer<int>, device_ptr<unsigned> and the like, and no
/// temporary owner. Never defined.
template <class Given>
struct repeat_while_takes_a_32_bit_integer_in_device_memory;

/// An expression as long as a number in device memory is not zero.
template <class E>
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] repeat_while_of {
    using part_type = repeat_while_of;
    using open_arguments = typename E::open_arguments;
    static constexpr node_kind node = node_kind::repeat_while;
    static constexpr bool closed = E::closed;
    static constexpr bool forks = E::forks;

    driver::device_address flag;
    E body;

    /// The same with open arguments given values.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const {
        using bound = decltype(body.bind_known(bindings...));
        return repeat_while_of<bound>{flag, body.bind_known(bindings...)};
    }
};

namespace detail {

template <class Flag>
constexpr bool is_device_flag() noexcept {
    if constexpr (device_container<Flag> && outlives_the_call<Flag>) {
        using element = std::remove_cv_t<device_element_t<std::remove_reference_t<Flag>>>;
        return std::is_same_v<element, int> || std::is_same_v<element, unsigned>;
    } else
        return false;
}

} // namespace detail

/// while (*flag != 0) e: the flag is looked at before each round, the first one included, so set it to begin with. The body
/// is to clear it. In a plan the device decides by itself, where the driver has conditional nodes; a dispatcher reads the flag
/// back before each round, and the host waits.
template <class Flag, expression E>
constexpr repeat_while_of<E> repeat_while(Flag&& flag, const E& e) {
    if constexpr (detail::is_device_flag<Flag>())
        return {device_pointer(flag).address(), e};
    else {
        (void)sizeof(repeat_while_takes_a_32_bit_integer_in_device_memory<given<std::remove_cvref_t<Flag>>>);
        return {0, e};
    }
}

} // namespace hanabi

#endif
