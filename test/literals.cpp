// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The literals: names of arguments, and integers known to the compiler.

#define BOOST_TEST_MODULE literals
#include <boost/test/unit_test.hpp>

#include <hanabi/literals.hpp>

#include <boost/hana/integral_constant.hpp>

#include <cstdint>
#include <type_traits>

using namespace hanabi::literals;

namespace {

template <class T, T Value, class Constant>
constexpr bool is(Constant) {
    return std::is_same_v<Constant, std::integral_constant<T, Value>>;
}

// As the language spells integers; of the first of int, long long, unsigned long long that holds them.
static_assert(is<int, 0>(0_c) && is<int, 7>(7_c) && is<int, 256>(256_c) && is<int, 1000000>(1'000'000_c));
static_assert(is<int, 8>(010_c) && is<int, 0>(00_c) && is<int, 5>(0b101_c) && is<int, 5>(0B1'01_c) && is<int, 255>(0xff_c) &&
              is<int, 255>(0XFF_c));
static_assert(is<int, 2147483647>(2147483647_c) && is<long long, 2147483648ll>(2147483648_c) && is<long long, 0xffffffffll>(0xffffffff_c));
static_assert(is<long long, INT64_MAX>(9223372036854775807_c) && is<unsigned long long, 9223372036854775808ull>(9223372036854775808_c));
static_assert(is<unsigned long long, UINT64_MAX>(18446744073709551615_c) && is<unsigned long long, UINT64_MAX>(0xffffffffffffffff_c));

// What the parser refuses: digits that the base has not, beyond 64 bits, fractions.
static_assert(hanabi::detail::parse_integer({'0', '8'}).good == false && hanabi::detail::parse_integer({'0', 'b', '2'}).good == false);
static_assert(hanabi::detail::parse_integer({'1', '.', '5'}).good == false && hanabi::detail::parse_integer({'1', 'e', '3'}).good == false);
static_assert(hanabi::detail::parse_integer({'1', '8', '4', '4', '6', '7', '4', '4', '0', '7',
                                             '3', '7', '0', '9', '5', '5', '1', '6', '1', '6'})
                  .good == false);
static_assert(hanabi::detail::parse_integer({'0', 'x', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0'})
                  .good == false);

// A name alone is an empty object; with a value it refers to that value, lvalue or temporary.
static_assert(std::is_empty_v<decltype("alpha"_arg)> && std::is_same_v<decltype("alpha"_arg), hanabi::argument_name<"alpha">>);
int n = 3;
const int c = 4;
static_assert(std::is_same_v<decltype("n"_arg = n), hanabi::named_argument<"n", int&>>);
static_assert(std::is_same_v<decltype("n"_arg = c), hanabi::named_argument<"n", const int&>>);
static_assert(std::is_same_v<decltype("n"_arg = 5), hanabi::named_argument<"n", int>>);
static_assert(std::is_same_v<decltype("n"_arg = "text"), hanabi::named_argument<"n", const char (&)[5]>>);

// Integers known to the compiler: empty objects with an integral value_type and value.
using hanabi::detail::integral_constant_like;
enum class color { red };
struct counted {
    using value_type = int;
    [[maybe_unused]] static constexpr int value = 3;
    int state;
};
static_assert(integral_constant_like<decltype(5_c)> && integral_constant_like<std::true_type> &&
              integral_constant_like<boost::hana::integral_constant<int, 5>>);
static_assert(!integral_constant_like<int> && !integral_constant_like<std::integral_constant<color, color::red>> &&
              !integral_constant_like<counted> && !integral_constant_like<void>);

} // namespace

BOOST_AUTO_TEST_CASE(a_named_argument_refers_to_its_value) {
    const auto named = "n"_arg = n;
    n = 8;
    BOOST_TEST(named.value == 8);
    BOOST_TEST(&named.value == &n);
    BOOST_TEST((named.name == hanabi::text{"n"}));
}
