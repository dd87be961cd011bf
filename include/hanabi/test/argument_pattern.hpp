// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What an argument of a launch is expected to be: a value, anything, about a number, or what a predicate accepts.

#ifndef HANABI_TEST_ARGUMENT_PATTERN_HPP
#define HANABI_TEST_ARGUMENT_PATTERN_HPP

#include <hanabi/argument.hpp>
#include <hanabi/format.hpp>
#include <hanabi/signature.hpp>
#include <hanabi/test/launched.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hanabi::test {

/// The type of `any`.
struct any_argument {};

/// An argument that may be anything.
inline constexpr any_argument any{};

/// A number and how far from it an argument may be.
template <class T>
struct approximation {
    T value;
    T tolerance;
};

/// An argument within `tolerance` of `value`, both ends included: for parameters that are numbers.
template <class T, class U>
requires(std::is_arithmetic_v<T>&& std::is_arithmetic_v<U> && !std::is_same_v<T, bool> &&
         !std::is_same_v<U, bool>) constexpr approximation<std::common_type_t<T, U>> approximately(T value, U tolerance) noexcept {
    return {static_cast<std::common_type_t<T, U>>(value), static_cast<std::common_type_t<T, U>>(tolerance)};
}

namespace detail {

template <class T>
inline constexpr bool is_approximation = false;
template <class T>
inline constexpr bool is_approximation<approximation<T>> = true;

/// A class object that takes what tests see of a P, and answers true or false.
template <class P, class A>
concept predicate_on = std::is_class_v<std::remove_cvref_t<A>> && std::predicate < const std::remove_cvref_t<A>
&, const typename seen<P>::type& > ;

/// The ways an argument is looked at.
enum class manner { none, anything, approximate, exact, predicate };

template <class P, class A>
constexpr manner manner_of() noexcept {
    using D = std::remove_cvref_t<A>;
    if constexpr (std::is_same_v<D, any_argument>)
        return manner::anything;
    else if constexpr (is_approximation<D>)
        return std::is_arithmetic_v<P> && !std::is_same_v<P, bool> ? manner::approximate : manner::none;
    else if constexpr (hanabi::detail::argument_fits<P, A>)
        return manner::exact;
    else if constexpr (predicate_on<P, A>)
        return manner::predicate;
    else
        return manner::none;
}

/// One argument's pattern, its type forgotten.
struct argument_pattern {
    std::function<bool(const std::byte*)> accepts; ///< empty: anything
    std::string expected;                          ///< in words, to follow "not"; "any" for anything
};

/// Whether two values are equal as a test means it: NaN is NaN; objects by their ==, by their fields where those are
/// described (padding has no value), else by their bytes.
template <class P>
bool is_same_value(const std::byte* a, const std::byte* b) {
    if constexpr (std::is_floating_point_v<P>) {
        const P x = read<P>(a), y = read<P>(b);
        return !(x < y || y < x) && (x == x) == (y == y);
    } else if constexpr (std::is_class_v<P> && requires(const P& x) { static_cast<bool>(x == x); }) {
        host::detail::argument_cell<P> x, y;
        x.load(a);
        y.load(b);
        return static_cast<bool>(x.get() == y.get());
    } else if constexpr (requires { &fields_of<P>::visit; }) {
        struct fields {
            std::vector<std::byte> bytes;
            static void add(void* all, name_view, parameter_kind, std::size_t size, const void* field) {
                const auto* const first = static_cast<const std::byte*>(field);
                static_cast<fields*>(all)->bytes.insert(static_cast<fields*>(all)->bytes.end(), first, first + size);
            }
        } x, y;
        host::detail::argument_cell<P> cell;
        cell.load(a);
        fields_of<P>::visit(&cell.get(), &fields::add, &x);
        cell.load(b);
        fields_of<P>::visit(&cell.get(), &fields::add, &y);
        return x.bytes == y.bytes;
    } else
        return std::memcmp(a, b, sizeof(P)) == 0;
}

template <class P>
std::string value_of(const std::byte* bytes) {
    const parameter& p = hanabi::detail::parameter_of<P>;
    return value_text(p.kind, p.size, bytes, p.visit_fields);
}

/// The pattern of a value: converted to the parameter's type, as a launch converts it.
template <class P>
argument_pattern exactly(std::vector<std::byte> bytes) {
    argument_pattern pattern{{}, value_of<P>(bytes.data())};
    pattern.accepts = [expected = std::move(bytes)](const std::byte* found) { return is_same_value<P>(found, expected.data()); };
    return pattern;
}

template <class P, class A>
argument_pattern make_argument_pattern(A&& argument) {
    constexpr manner how = manner_of<P, A>();
    if constexpr (how == manner::exact) {
        std::vector<std::byte> bytes(sizeof(P));
        hanabi::detail::argument_writer{bytes.data()}.template write<P>(static_cast<A&&>(argument));
        return exactly<P>(std::move(bytes));
    } else if constexpr (how == manner::approximate) {
        // In the widest type: an integer parameter may be compared with a fraction, and differences do not wrap.
        const long double value = static_cast<long double>(argument.value), tolerance = static_cast<long double>(argument.tolerance);
        using T = decltype(argument.value);
        const auto text = [](std::remove_cvref_t<T> number) {
            return value_of<std::remove_cvref_t<T>>(reinterpret_cast<const std::byte*>(&number));
        };
        return {[=](const std::byte* found) {
                    const long double difference = static_cast<long double>(read<P>(found)) - value;
                    return difference <= tolerance && -difference <= tolerance;
                },
                text(argument.value) + " within " + text(argument.tolerance)};
    } else if constexpr (how == manner::predicate)
        return {[accept = std::remove_cvref_t<A>(argument)](const std::byte* found) { return static_cast<bool>(accept(read<P>(found))); },
                "what the predicate accepts"};
    else
        return {{}, "any"};
}

} // namespace detail

} // namespace hanabi::test

#endif
