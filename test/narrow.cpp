// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// narrow: the numbers that pass, and what is said of the others.

#define BOOST_TEST_MODULE narrow
#include <boost/test/unit_test.hpp>

#include <hanabi/narrow.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

using hanabi::narrow;

namespace {

/// The message, and a check of the code.
template <class To, class From>
std::string refusal(From value) {
    try {
        (void)narrow<To>(value);
    } catch (const hanabi::error& e) {
        BOOST_TEST((e.code() == hanabi::errc::value_out_of_range));
        return e.what();
    }
    return "";
}
template <class To, class From>
bool refuses(From value) {
    return !refusal<To>(value).empty();
}

static_assert(narrow<int>(5l) == 5 && narrow<unsigned char>(255) == 255 && narrow<float>(0.5) == 0.5f &&
              narrow<int>(3.0) == 3); // constexpr where it passes

} // namespace

BOOST_AUTO_TEST_CASE(integers) {
    BOOST_TEST(narrow<int>(std::size_t{2147483647}) == 2147483647);
    BOOST_TEST(refuses<int>(std::size_t{2147483648}));
    BOOST_TEST(refuses<int>(~std::size_t{0}));
    BOOST_TEST(narrow<int>(-2147483648ll) == std::numeric_limits<int>::min());
    BOOST_TEST(refuses<int>(-2147483649ll));
    BOOST_TEST(refuses<unsigned>(-1));
    BOOST_TEST(refuses<std::size_t>(-1));
    BOOST_TEST(refuses<long long>(~0ull));
    BOOST_TEST(narrow<unsigned>(4294967295ll) == 4294967295u);
    BOOST_TEST(refuses<unsigned>(4294967296ll));
    BOOST_TEST(static_cast<int>(narrow<std::int8_t>(-128)) == -128);
    BOOST_TEST(refuses<std::int8_t>(-129));
    BOOST_TEST(refuses<std::uint8_t>(256));
    BOOST_TEST(narrow<char>(65) == 'A');
    BOOST_TEST(narrow<int>(7) == 7);
}

BOOST_AUTO_TEST_CASE(floating_point_to_integer) {
    BOOST_TEST(narrow<int>(-3.0) == -3);
    BOOST_TEST(narrow<int>(-0.0) == 0);
    BOOST_TEST(refuses<int>(3.5));
    BOOST_TEST(refuses<int>(2147483648.0));
    BOOST_TEST(narrow<int>(-2147483648.0) == std::numeric_limits<int>::min());
    BOOST_TEST(refuses<int>(-2147483649.0));
    BOOST_TEST(refuses<unsigned>(-1.0));
    BOOST_TEST(narrow<std::uint64_t>(9223372036854775808.0) == 9223372036854775808u);
    BOOST_TEST(refuses<std::uint64_t>(18446744073709551616.0));
    BOOST_TEST(refuses<std::int64_t>(9223372036854775808.0f));
    BOOST_TEST(refuses<int>(std::nan("")));
    BOOST_TEST(refuses<int>(HUGE_VAL));
    BOOST_TEST(refuses<std::int64_t>(-HUGE_VAL));
}

BOOST_AUTO_TEST_CASE(integer_to_floating_point) {
    BOOST_TEST(narrow<float>(16777216) == 16777216.0f);
    BOOST_TEST(refuses<float>(16777217));
    BOOST_TEST(narrow<double>(std::int64_t{1} << 60) == std::ldexp(1.0, 60));
    BOOST_TEST(refuses<double>((std::int64_t{1} << 60) + 1));
    BOOST_TEST(refuses<double>(~std::uint64_t{0}));
    BOOST_TEST(refuses<float>(std::numeric_limits<std::int64_t>::max()));
    BOOST_TEST(narrow<float>(std::numeric_limits<std::int64_t>::min()) == -std::ldexp(1.0f, 63));
}

BOOST_AUTO_TEST_CASE(floating_point_is_rounded_and_stays_finite) {
    BOOST_TEST(narrow<float>(0.1) == 0.1f);
    BOOST_TEST(narrow<double>(0.1f) == static_cast<double>(0.1f));
    BOOST_TEST(refuses<float>(1e300)); // no silent infinity
    BOOST_TEST(refuses<float>(-1e300));
    BOOST_TEST(narrow<float>(1e-300) == 0.0f);
    BOOST_TEST(narrow<float>(HUGE_VAL) == std::numeric_limits<float>::infinity()); // it was one
    BOOST_TEST(std::isnan(narrow<float>(std::nan(""))));
    BOOST_TEST(narrow<float>(static_cast<double>(std::numeric_limits<float>::max())) == std::numeric_limits<float>::max());
}

BOOST_AUTO_TEST_CASE(messages_say_the_value_shortly) {
    const std::string integer = refusal<int>(std::size_t{3000000000}), large = refusal<float>(1e300), fraction = refusal<int>(2.5),
                      digits = refusal<float>(16777217);
    BOOST_TEST(integer.find("narrow") != std::string::npos);
    BOOST_TEST(integer.find("3000000000") != std::string::npos);
    BOOST_TEST(large.find("e+300") != std::string::npos);
    BOOST_TEST(large.size() < 100u);
    BOOST_TEST(fraction.find("2.5") != std::string::npos);
    BOOST_TEST(digits.find("16777217") != std::string::npos);
    BOOST_TEST(refusal<int>(std::nan("")).find("nan") != std::string::npos);
    BOOST_TEST(refusal<std::uint8_t>(-1).find("-1") != std::string::npos);
}
