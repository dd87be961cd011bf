// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What an expression reaches besides its arguments: touches(e, reads(x), writes(y)).

#ifndef HANABI_EXPRESSION_TOUCHES_HPP
#define HANABI_EXPRESSION_TOUCHES_HPP

#include <hanabi/detail/host_range.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/driver/abi.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/refusal.hpp>

#include <cstddef>
#include <type_traits>

namespace hanabi {

/// The error of declaring something that is no device memory, or a temporary owner of it. Never defined.
template <class Given>
struct touches_takes_device_memory;

namespace detail {

/// A range of addresses that is read, or written and read. Of a device_ptr, whose end is not known, end is 0: the whole buffer that it lies in.
struct touched {
    driver::device_address begin, end;
    bool writes;
};

/// Some of them.
template <std::size_t N>
struct touched_list {
    touched items[N == 0 ? 1 : N];
};

template <class M>
constexpr touched touched_by(M& memory, bool writes) noexcept {
    const driver::device_address begin = device_pointer(memory).address();
    if constexpr (sized_device_container<M>)
        return {begin, begin + device_data<std::remove_cv_t<M>>::size(memory) * sizeof(device_element_t<M>), writes};
    else
        return {begin, 0, writes};
}

template <class M>
constexpr auto check_touched() {
    if constexpr (!device_container<M> || !outlives_the_call<M>) (void)sizeof(touches_takes_device_memory<given<std::remove_cvref_t<M>>>);
    return 0;
}

template <class M>
inline constexpr bool can_be_touched = device_container<M>&& outlives_the_call<M>;

} // namespace detail

/// Memory that is read: buffers, device spans, device_ptr for the whole buffer in which it lies.
template <class... M>
constexpr detail::touched_list<sizeof...(M)> reads(M&&... memory) {
    (detail::check_touched<M>(), ...);
    if constexpr ((detail::can_be_touched<M> && ...))
        return {{detail::touched_by(memory, false)...}};
    else
        return {};
}
/// Memory that is written, or read and written.
template <class... M>
constexpr detail::touched_list<sizeof...(M)> writes(M&&... memory) {
    (detail::check_touched<M>(), ...);
    if constexpr ((detail::can_be_touched<M> && ...))
        return {{detail::touched_by(memory, true)...}};
    else
        return {};
}

/// An expression, and what it uses.
template <class E, std::size_t N>
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] touching {
    using part_type = touching;
    using open_arguments = typename E::open_arguments;
    static constexpr node_kind node = node_kind::touches;
    static constexpr bool closed = E::closed;
    static constexpr bool forks = E::forks;

    E body;
    detail::touched_list<N> declared;
    bool only; ///< what the arguments say does not count

    /// The same with open arguments given values.
    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr auto bind_known(const Bindings&... bindings) const {
        using bound = decltype(body.bind_known(bindings...));
        return touching<bound, N>{body.bind_known(bindings...), declared, only};
    }
};

namespace detail {

template <class E, std::size_t... N>
constexpr auto touch(bool only, const E& e, const touched_list<N>&... lists) {
    touching<E, (N + ... + 0)> t{e, {}, only};
    std::size_t i = 0;
    const auto add = [&](const touched* list, std::size_t n) {
        for (std::size_t j = 0; j < n; ++j) t.declared.items[i++] = list[j];
    };
    (add(lists.items, N), ...);
    return t;
}

} // namespace detail

/// Declares memory that an expression reaches through structs and tables in memory, besides what its arguments point to: for
/// dataflow and the check of races. `touches(gather[over(n)](table, n), reads(x, y), writes(z))`.
template <expression E, std::size_t... N>
constexpr auto touches(const E& e, const detail::touched_list<N>&... lists) {
    return detail::touch(false, e, lists...);
}

/// Declares all that an expression uses, in the place of what its arguments say: that a launch given a whole buffer keeps to
/// a part of it, say.
template <expression E, std::size_t... N>
constexpr auto touches_only(const E& e, const detail::touched_list<N>&... lists) {
    return detail::touch(true, e, lists...);
}

} // namespace hanabi

#endif
