// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Expressions: launches as values, the arguments left open in them, and sequences.

#define BOOST_TEST_MODULE expression
#include <boost/test/unit_test.hpp>

#include <hanabi/kernel.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

using namespace hanabi::literals;
using hanabi::arg;
using hanabi::block;
using hanabi::device_ptr;
using hanabi::over;
using hanabi::detail::list;

namespace {

constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
constexpr hanabi::kernel<"blas", "scal", void(float, float*, int)> scal;
constexpr hanabi::kernel<"memory", "barrier", void()> barrier;

/// The I-th argument of a launch, as its parameter's type.
template <std::size_t I, class E>
auto value(const E& e) {
    const auto from = []<class... P>(list<P...>) -> typename hanabi::detail::pick<I, P...>::type { return {}; };
    auto v = from(typename E::kernel_type::parameters{});
    std::memcpy(&v, e.arguments.bytes + E::kernel_type::layout.parameters[I].offset, sizeof v);
    return v;
}

/// The names left open, in order, and where their values go.
template <class... Open>
std::string open_names(list<Open...>) {
    std::string s;
    ((s += Open::name.data(), s += ' '), ...);
    return s;
}
template <class E>
std::string open_names(const E&) {
    return open_names(typename E::open_arguments{});
}

struct Owner {
    float memory[2] = {};
};

} // namespace

template <>
struct hanabi::device_data<Owner> {
    static hanabi::device_ptr<float> pointer(Owner& o) noexcept { return hanabi::device_ptr{o.memory}; }
    static hanabi::device_ptr<const float> pointer(const Owner& o) noexcept { return hanabi::device_ptr{o.memory}; }
};

BOOST_AUTO_TEST_CASE(a_launch_is_a_plain_value) {
    float memory[2] = {};
    const device_ptr<float> x{memory}, y{memory + 1};
    const auto line = std::source_location::current().line();
    const auto e = axpy[over(1000) | block(64)](2.0f, x, y, 1000);
    using type = std::remove_const_t<decltype(e)>;
    static_assert(std::is_trivially_copyable_v<type> && std::is_trivially_destructible_v<type> && hanabi::expression<type> && type::closed);
    static_assert(std::is_same_v<type::open_arguments, list<>> && std::is_same_v<type::kernel_type, std::remove_const_t<decltype(axpy)>>);
    BOOST_TEST(e.kernel == &axpy.info);
    BOOST_TEST(e.geometry.extent[0] == 1000u);
    BOOST_TEST(e.geometry.block[0] == 64u);
    BOOST_TEST(e.geometry.site.line() == line + 1);
    BOOST_TEST(value<0>(e) == 2.0f);
    BOOST_TEST(value<1>(e) == memory);
    BOOST_TEST(value<2>(e) == memory + 1);
    BOOST_TEST(value<3>(e) == 1000);

    type copy; // its bytes are all there is to it
    std::memcpy(static_cast<void*>(&copy), &e, sizeof e);
    BOOST_TEST(value<2>(copy) == memory + 1);
    BOOST_TEST(sizeof e.arguments == 32u);
}

BOOST_AUTO_TEST_CASE(what_a_dispatcher_works_on_does_not_depend_on_the_kernel) {
    constexpr hanabi::kernel<"blas", "axpy2", void(float, const float*, float*, unsigned)> other;
    const auto a = axpy[over(1)](1.0f, nullptr, nullptr, 1);
    const auto b = other[over(1)](1.0f, nullptr, nullptr, 1u);
    const auto base = []<class G, std::size_t S, std::size_t A, std::size_t N>(const hanabi::launch_data<G, S, A, N>& d) { return &d; };
    static_assert(std::is_same_v<decltype(base(a)), decltype(base(b))> && sizeof(a) == sizeof(*base(a)));
    BOOST_TEST(base(a)->kernel != base(b)->kernel);
}

BOOST_AUTO_TEST_CASE(arguments_are_left_open_and_bound) {
    float memory[2] = {};
    const device_ptr<float> y{memory};
    const auto open = axpy[over(5)]("a"_arg, "from"_arg, y, "count"_arg);
    using type = std::remove_const_t<decltype(open)>;
    static_assert(!type::closed && std::is_trivially_copyable_v<type>);
    // The type of a placeholder is that of the parameter that it fills.
    static_assert(std::is_base_of_v<arg<"a", float>, hanabi::detail::open_argument<"a", float, 0>>);
    static_assert(std::is_same_v<type::open_arguments,
                                 list<hanabi::detail::open_argument<"a", float, 0>, hanabi::detail::open_argument<"from", const float*, 8>,
                                      hanabi::detail::open_argument<"count", int, 24>>>);
    BOOST_TEST(open_names(open) == "a from count ");

    const auto some = open.bind("count"_arg = 5, "a"_arg = 2.0f);
    BOOST_TEST(open_names(some) == "from ");
    const auto all = some.bind("from"_arg = y + 1);
    static_assert(decltype(all)::closed);
    BOOST_TEST(all.kernel == &axpy.info);
    BOOST_TEST(all.geometry.site.line() == open.geometry.site.line());
    BOOST_TEST(value<0>(all) == 2.0f);
    BOOST_TEST(value<1>(all) == memory + 1);
    BOOST_TEST(value<2>(all) == memory);
    BOOST_TEST(value<3>(all) == 5);

    // Converted as any argument is; an expression is bound again and again.
    BOOST_TEST(value<3>(open.bind("count"_arg = static_cast<short>(7), "a"_arg = 1_c, "from"_arg = nullptr)) == 7);
    BOOST_TEST(value<0>(open.bind("count"_arg = 8_c, "a"_arg = 3_c, "from"_arg = nullptr)) == 3.0f);
    Owner owner;
    const Owner& read_only = owner;
    BOOST_TEST(value<1>(open.bind("from"_arg = owner, "a"_arg = 1.0f, "count"_arg = 1)) == owner.memory);
    BOOST_TEST(value<1>(open.bind("from"_arg = read_only, "a"_arg = 1.0f, "count"_arg = 1)) == owner.memory);
    BOOST_TEST(open_names(open.bind()) == "a from count ");
}

BOOST_AUTO_TEST_CASE(one_placeholder_fills_every_parameter_of_its_name) {
    float memory[1] = {};
    const auto e = axpy[over(5)](1.0f, nullptr, nullptr, 5) >> scal[over(5)]("a"_arg, "to"_arg, 5) >> scal[over(6)]("a"_arg, "to"_arg, 6);
    const auto bound = e.bind("a"_arg = 2.5f, "to"_arg = device_ptr{memory});
    static_assert(!decltype(e)::closed && decltype(bound)::closed && decltype(bound)::size == 3);
    unsigned seen = 0;
    bound.for_each([&](const auto& part) {
        if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(part)>::kernel_type, std::remove_const_t<decltype(scal)>>) {
            BOOST_TEST(value<0>(part) == 2.5f);
            BOOST_TEST(value<1>(part) == memory);
            ++seen;
        }
    });
    BOOST_TEST(seen == 2u);

    // In one launch, too.
    constexpr hanabi::kernel<"m", "sum", void(int, int, int)> sum;
    const auto twice = sum[over(1)]("n"_arg, 1, "n"_arg).bind("n"_arg = 9);
    BOOST_TEST(value<0>(twice) == 9);
    BOOST_TEST(value<2>(twice) == 9);
}

namespace {

template <class E>
std::vector<std::uint64_t> extents(const E& e) {
    std::vector<std::uint64_t> all;
    e.for_each([&](const auto& part) { all.push_back(part.geometry.extent[0]); });
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(sequences_are_flat_and_in_order) {
    const auto a = barrier[over(1)](), b = barrier[over(2)](), c = barrier[over(3)](), d = barrier[over(4)]();
    const std::vector<std::uint64_t> in_order{1, 2, 3, 4};
    const auto left = a >> b >> c >> d;
    const auto right = a >> (b >> (c >> d));
    const auto both = (a >> b) >> (c >> d);
    const auto listed = hanabi::sequence(a, b, c, d);
    static_assert(std::is_same_v<decltype(left), decltype(right)> && std::is_same_v<decltype(left), decltype(both)> &&
                  std::is_same_v<decltype(left), decltype(listed)>);
    static_assert(std::is_trivially_copyable_v<std::remove_const_t<decltype(left)>> && decltype(left)::closed && decltype(left)::size == 4);
    BOOST_TEST(extents(left) == in_order);
    BOOST_TEST(extents(right) == in_order);
    BOOST_TEST(extents(both) == in_order);
    BOOST_TEST(extents(listed) == in_order);
}

BOOST_AUTO_TEST_CASE(a_name_is_given_another_in_a_call_by_name) {
    const auto e = axpy[over(5)]("n"_arg = 5, "y"_arg = nullptr, "x"_arg = nullptr, "alpha"_arg = "scale"_arg);
    BOOST_TEST(open_names(e) == "scale ");
    BOOST_TEST(value<0>(e.bind("scale"_arg = 4.0f)) == 4.0f);
}
