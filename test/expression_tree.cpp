// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Expressions as trees: their shape, what is open in them, and the same through Boost.Hana. No driver.

#define BOOST_TEST_MODULE expression_tree
#include <boost/test/unit_test.hpp>

#include <hanabi/device_span.hpp>
#include <hanabi/expression/barrier.hpp>
#include <hanabi/expression/call.hpp>
#include <hanabi/expression/copy.hpp>
#include <hanabi/expression/dataflow.hpp>
#include <hanabi/expression/events.hpp>
#include <hanabi/expression/fill.hpp>
#include <hanabi/expression/group.hpp>
#include <hanabi/expression/parallel.hpp>
#include <hanabi/expression/placeholders.hpp>
#include <hanabi/expression/range.hpp>
#include <hanabi/expression/repeat.hpp>
#include <hanabi/expression/repeat_while.hpp>
#include <hanabi/expression/touches.hpp>
#include <hanabi/expression/when.hpp>
#include <hanabi/interop/hana.hpp>
#include <hanabi/kernel.hpp>

#include <boost/hana/equal.hpp>
#include <boost/hana/fold_left.hpp>
#include <boost/hana/length.hpp>

#include <cstdint>
#include <cstring>
#include <list>
#include <type_traits>
#include <vector>

using namespace hanabi::literals;
using hanabi::arg;
using hanabi::block;
using hanabi::device_ptr;
using hanabi::grid;
using hanabi::over;
using hanabi::detail::list;
namespace hana = boost::hana;

namespace {

constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
constexpr hanabi::kernel<"blas", "scal", void(float, float*, int)> scal;
constexpr hanabi::kernel<"m", "wide", void(std::uint64_t, unsigned char)> wide;

template <class E>
using open_of = hanabi::sorted_open_arguments_t<E>;

} // namespace

BOOST_AUTO_TEST_CASE(parallel_expressions_are_flat_and_sequences_in_them_are_parts) {
    const auto a = scal[over(1)](1.0f, nullptr, 1), b = scal[over(2)](1.0f, nullptr, 1);
    const auto left = a & b & a & b;
    const auto right = a & (b & (a & b));
    static_assert(std::is_same_v<decltype(left), decltype(right)>);
    static_assert(std::is_same_v<decltype(left), const decltype(hanabi::parallel(a, b, a, b))>);
    static_assert(std::is_trivially_copyable_v<std::remove_const_t<decltype(left)>> && decltype(left)::forks && !decltype(a)::forks);
    std::vector<std::uint64_t> extents;
    right.for_each([&](const auto& part) { extents.push_back(part.geometry.extent[0]); });
    BOOST_TEST((extents == std::vector<std::uint64_t>{1, 2, 1, 2}));
    const auto nested = hanabi::group(a >> b) & hanabi::unordered(a, a >> b);
    static_assert(decltype(nested)::size == 2);
    static_assert(decltype(a >> (a & b) >> b)::size == 3);
    static_assert(decltype(hanabi::parallel(a >> b, a))::size == 2);
}

BOOST_AUTO_TEST_CASE(counts_of_the_geometry_are_left_open) {
    const auto e = scal[over("n"_arg, 7, "m"_arg) | block(4, "n"_arg) | hanabi::shared<double>("k"_arg)]("alpha"_arg, nullptr, "n"_arg);
    static_assert(
        std::is_same_v<open_of<decltype(e)>, list<arg<"alpha", float>, arg<"k", std::uint64_t>, arg<"m", std::uint64_t>, arg<"n", int>>>);
    const int n = 5;
    const auto bound = e.bind("n"_arg = n, "k"_arg = 3_c).bind("m"_arg = static_cast<short>(9), "alpha"_arg = 1.0f);
    static_assert(decltype(bound)::closed);
    BOOST_TEST(bound.geometry.extent[0] == 5u);
    BOOST_TEST(bound.geometry.extent[1] == 7u);
    BOOST_TEST(bound.geometry.extent[2] == 9u);
    BOOST_TEST(bound.geometry.block[0] == 4u);
    BOOST_TEST(bound.geometry.block[1] == 5u);
    BOOST_TEST(bound.geometry.shared == 24u);
    BOOST_TEST(bound.geometry.site.line() == e.geometry.site.line());
    int argument = 0;
    std::memcpy(&argument, bound.arguments.bytes + 16, sizeof argument);
    BOOST_TEST(argument == 5);
    // Alone it takes any integer; what does not fit is not cut off.
    const auto alone = scal[grid("n"_arg) | block(32_c) | hanabi::shared<double>("s"_arg)](1.0f, nullptr, 1);
    BOOST_TEST(alone.bind("n"_arg = 1ull << 40, "s"_arg = 1).geometry.extent[0] == 1ull << 40);
    BOOST_TEST(alone.bind("n"_arg = 1, "s"_arg = ~0ull).geometry.shared == ~0ull);
    BOOST_TEST((alone.bind("n"_arg = -1, "s"_arg = 1).geometry.extent[0] >> 63) == 1u); // refused at the launch
    // The block is chosen for as many axes as there are.
    BOOST_TEST((scal[over("n"_arg, "m"_arg)](1.0f, nullptr, 1).geometry.block[1]) == 8u);
    BOOST_TEST((scal[over("n"_arg)](1.0f, nullptr, 1).geometry.block[0]) == 256u);
    static_assert(decltype(scal[hanabi::occupancy("n"_arg)](1.0f, nullptr, 1))::closed == false);
    // By name, too.
    const auto named = axpy[over("n"_arg)]("n"_arg = "n"_arg, "y"_arg = nullptr, "x"_arg = "x"_arg, "alpha"_arg = 1.0f);
    static_assert(std::is_same_v<open_of<decltype(named)>, list<arg<"n", int>, arg<"x", const float*>>>);
}

BOOST_AUTO_TEST_CASE(one_name_has_one_type_in_all_of_an_expression) {
    // A count takes the type of a parameter, wherever that is: in both orders, any integer.
    const auto a = scal[over("n"_arg)](1.0f, nullptr, 1);
    const auto b = scal[over(1)](1.0f, nullptr, "n"_arg);
    const auto c = wide[over(1)]("w"_arg, 1_c);
    static_assert(std::is_same_v<open_of<decltype(a)>, list<arg<"n", std::uint64_t>>>);
    static_assert(std::is_same_v<open_of<decltype(a >> b)>, list<arg<"n", int>>>);
    static_assert(std::is_same_v<open_of<decltype(b & a)>, list<arg<"n", int>>>);
    static_assert(
        std::is_same_v<open_of<decltype(wide[over("k"_arg)](1_c, "k"_arg) >> c)>, list<arg<"k", unsigned char>, arg<"w", std::uint64_t>>>);
    // A side of a copy takes the type of the parameter: the pointer that writes, if one does.
    std::vector<float> v(3);
    const auto in = hanabi::copy("x"_arg, v);
    const auto out = hanabi::copy(v, "x"_arg);
    const auto use = axpy[over(1)](1.0f, "x"_arg, nullptr, 1);
    static_assert(std::is_same_v<open_of<decltype(in)>, list<arg<"x", float*>>>);
    static_assert(std::is_same_v<open_of<decltype(out)>, list<arg<"x", const float*>>>);
    static_assert(std::is_same_v<open_of<decltype(out >> use)>, list<arg<"x", const float*>>>);
    static_assert(std::is_same_v<open_of<decltype(use >> in >> out)>, list<arg<"x", float*>>>);
    float memory[3] = {};
    const auto bound = (in >> use).bind("x"_arg = device_ptr{memory});
    bound.for_each([&](const auto& part) {
        if constexpr (std::remove_cvref_t<decltype(part)>::node == hanabi::node_kind::copy) {
            BOOST_TEST(part.destination == reinterpret_cast<std::uintptr_t>(memory));
            BOOST_TEST(part.count() == 3u);
            BOOST_TEST(part.sizes_match());
        }
    });
    const hanabi::device_span<float> few{device_ptr{memory}, 2};
    BOOST_TEST(!in.bind("x"_arg = few).sizes_match());
    // Sorted by name, each once, however many there are.
    const auto many = hanabi::sequence(a, use, b, c, a, use, b, c, a, use, b, c, a, use, b, c, a, use, b, c, a, use, b, c);
    static_assert(std::is_same_v<open_of<decltype(many)>, list<arg<"n", int>, arg<"w", std::uint64_t>, arg<"x", const float*>>>);
    static_assert(decltype(many.bind("w"_arg = 1ull, "x"_arg = nullptr, "n"_arg = 1))::closed);
    static_assert(std::is_same_v<open_of<decltype(hanabi::sequence())>, list<>>);
}

BOOST_AUTO_TEST_CASE(every_node_is_bound_through) {
    const auto open = scal[over("n"_arg)]("a"_arg, nullptr, 1);
    float memory[4] = {};
    int flag = 0;
    const hanabi::device_span<float> span{device_ptr{memory}, 4};
    std::list<std::remove_const_t<decltype(open)>> some{open, open};
    const auto all = hanabi::sequence(hanabi::group(open), hanabi::repeat<2>(open), hanabi::when(true, open),
                                      hanabi::repeat_while(device_ptr{&flag}, open), hanabi::touches(open, hanabi::reads(span)),
                                      hanabi::unordered(open, open), hanabi::dataflow(open, hanabi::barrier()), hanabi::sequence(some),
                                      hanabi::fill(span, "a"_arg), hanabi::call([] {}));
    static_assert(std::is_same_v<open_of<decltype(all)>, list<arg<"a", float>, arg<"n", std::uint64_t>>>);
    const auto bound = all.bind("a"_arg = 2.0f, "n"_arg = 6);
    static_assert(decltype(bound)::closed && !decltype(all)::closed);
    unsigned seen = 0;
    const auto look = [&](auto& self, const auto& e) -> void {
        using E = std::remove_cvref_t<decltype(e)>;
        if constexpr (E::node == hanabi::node_kind::launch) {
            ++seen;
            BOOST_TEST(e.geometry.extent[0] == 6u);
            float a = 0;
            std::memcpy(&a, e.arguments.bytes, sizeof a);
            BOOST_TEST(a == 2.0f);
        } else if constexpr (E::node == hanabi::node_kind::fill) {
            ++seen;
            float a = 0;
            std::memcpy(&a, e.value, sizeof a);
            BOOST_TEST(a == 2.0f);
        } else if constexpr (requires { e.body; })
            self(self, e.body);
        else if constexpr (
            requires { e.size(); } || requires { e.parts; })
            e.for_each([&](const auto& part) { self(self, part); });
    };
    look(look, bound);
    BOOST_TEST(seen == 11u);
    // Some now, some later.
    static_assert(std::is_same_v<open_of<decltype(all.bind("n"_arg = 6))>, list<arg<"a", float>>>);
}

BOOST_AUTO_TEST_CASE(as_boost_hana_sees_it) {
    const auto a = axpy[over("n"_arg)]("alpha"_arg, "x"_arg, nullptr, "n"_arg);
    const auto b = scal[over("m"_arg)]("alpha"_arg, nullptr, 5);
    const auto e = a >> (hanabi::group(b >> b) & hanabi::repeat<2>(a)) >> hanabi::barrier() >> hanabi::sequence(std::vector{b, b});
    using axpy_type = std::remove_const_t<decltype(axpy)>;
    using scal_type = std::remove_const_t<decltype(scal)>;
    static_assert(std::is_same_v<decltype(hanabi::kernels_of(e)), hana::tuple<axpy_type, scal_type>>);
    static_assert(std::is_same_v<decltype(hanabi::kernels_of(hanabi::barrier())), hana::tuple<>>);
    static_assert(std::is_same_v<decltype(hanabi::placeholders_of(e)),
                                 hana::tuple<hana::type<arg<"alpha", float>>, hana::type<arg<"m", std::uint64_t>>,
                                             hana::type<arg<"n", int>>, hana::type<arg<"x", const float*>>>>);
    const auto leaves = hanabi::leaves_of(e);
    static_assert(decltype(hana::length(leaves))::value == 6);
    static_assert(hana::Foldable<decltype(e)>::value && decltype(hana::length(e))::value == 4);
    static_assert(hana::Foldable<decltype(a & b)>::value);
    const auto count = hana::fold_left(leaves, 0, [](int n, const auto& leaf) {
        return n + (std::remove_cvref_t<decltype(leaf)>::node == hanabi::node_kind::launch ? 1 : 0);
    });
    BOOST_TEST(count == 4);
    hana::unpack(e, [&](const auto& first, const auto&...) { BOOST_TEST(first.kernel == &axpy.info); });
}

BOOST_AUTO_TEST_CASE(verdicts) {
    using hanabi::because::it_is_fine;
    namespace because = hanabi::because;
    using span = hanabi::device_span<float>;
    using vector = std::vector<float>;
    static_assert(std::is_same_v<hanabi::copy_verdict<span, vector&>, it_is_fine>);
    static_assert(std::is_same_v<hanabi::copy_verdict<vector&, const span&>, it_is_fine>);
    static_assert(std::is_same_v<hanabi::copy_verdict<device_ptr<float>, const vector&>, it_is_fine>);
    static_assert(std::is_same_v<hanabi::copy_verdict<span, device_ptr<const float>>, it_is_fine>);
    static_assert(std::is_same_v<hanabi::copy_verdict<span, vector>, because::a_temporary_would_be_gone>);
    static_assert(std::is_same_v<hanabi::copy_verdict<vector&, const vector&>, because::both_sides_are_on_the_host>);
    static_assert(std::is_same_v<hanabi::copy_verdict<const vector&, span>, because::the_destination_is_const>);
    static_assert(std::is_same_v<hanabi::copy_verdict<hanabi::device_span<const float>, span>, because::the_destination_is_const>);
    static_assert(std::is_same_v<hanabi::copy_verdict<span, std::vector<int>&>, because::the_elements_are_of_different_types>);
    static_assert(std::is_same_v<hanabi::copy_verdict<device_ptr<float>, device_ptr<float>>, because::neither_side_says_how_many_elements>);
    static_assert(std::is_same_v<hanabi::copy_verdict<decltype("a"_arg), decltype("b"_arg)>, because::both_sides_are_left_open>);
    static_assert(std::is_same_v<hanabi::copy_verdict<decltype("a"_arg), device_ptr<float>>, because::neither_side_says_how_many_elements>);
    static_assert(
        std::is_same_v<hanabi::copy_verdict<span, float*>, because::a_side_is_neither_device_memory_nor_a_contiguous_range_of_the_host>);
    static_assert(std::is_same_v<hanabi::copy_verdict<span, std::list<float>&>,
                                 because::a_side_is_neither_device_memory_nor_a_contiguous_range_of_the_host>);
    BOOST_TEST(true);
}
