// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Text in types and views of names.

#define BOOST_TEST_MODULE text
#include <boost/test/unit_test.hpp>

#include <hanabi/text.hpp>

#include <cstring>
#include <type_traits>

using hanabi::name_view;
using hanabi::text;

namespace {

template <text T>
struct named {
    static constexpr name_view name = T.view();
};

// One type when they spell the same, whatever array they came from.
constexpr char spelled_elsewhere[] = "axpy";
static_assert(std::is_same_v<named<"axpy">, named<spelled_elsewhere>>);
static_assert(!std::is_same_v<named<"axpy">, named<"axpz">>);
static_assert(!std::is_same_v<named<"axpy">, named<"axp">>);

static_assert(text{"axpy"}.size() == 4 && text<0>{}.size() == 0 && text{""}.size() == 0);
static_assert(text{"axpy"} == text{"axpy"} && !(text{"axpy"} == text{"axp"}) && !(text{"axpy"} == text{"axpx"}));
static_assert(text{"axpy"} == name_view{"axpy"});

static_assert(name_view{}.empty() && name_view{}.size() == 0 && *name_view{}.data() == '\0');
static_assert(name_view{"axpy"} == "axpy" && !(name_view{"axpy"} == "axpyz") && !(name_view{"axpy"} == name_view{}));
static_assert(name_view{"axpy", 2} == "ax");

static_assert(std::is_trivially_copyable_v<name_view> && std::is_trivially_copyable_v<text<9>>);

} // namespace

BOOST_AUTO_TEST_CASE(characters_end_in_a_nul) {
    BOOST_TEST(std::strcmp(named<"la::scal">::name.c_str(), "la::scal") == 0);
    BOOST_TEST(std::strlen(text{"n"}.data()) == 1u);
    BOOST_TEST(std::strlen(text{""}.data()) == 0u);
}

BOOST_AUTO_TEST_CASE(an_inner_nul_counts) {
    constexpr text with_nul{"a\0b"};
    BOOST_TEST(with_nul.size() == 3u);
    BOOST_TEST(!(with_nul == text{"a"}));
    BOOST_TEST(with_nul.view().data()[2] == 'b');
}

BOOST_AUTO_TEST_CASE(a_view_is_a_range) {
    unsigned sum = 0;
    for (const char c : name_view{"abc"}) sum += static_cast<unsigned char>(c);
    BOOST_TEST(sum == static_cast<unsigned>('a' + 'b' + 'c'));
}
