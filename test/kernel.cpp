// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Descriptors: what they say of a kernel, calls in order and by name, the geometry against the contracts, accepts_v.

#define BOOST_TEST_MODULE kernel
#include <boost/test/unit_test.hpp>

#include <hanabi/kernel.hpp>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

using namespace hanabi::literals;
namespace because = hanabi::because;
namespace term = hanabi::term;
using hanabi::block;
using hanabi::device_ptr;
using hanabi::grid;
using hanabi::over;

namespace {

constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
constexpr hanabi::kernel<"blas", hanabi::cxx("la::scal"), void(float, float*, int)> scal;
constexpr hanabi::kernel<"m", "nothing", void()> nothing;
constexpr hanabi::kernel<"m", "nothing", void(), hanabi::names<>> nothing_named;
constexpr hanabi::kernel<"m", "quiet", void(int) noexcept> quiet;
constexpr hanabi::kernel<"m", hanabi::matching("*hidden(int*)"), void(int*)> hidden;
constexpr hanabi::kernel<"blas", hanabi::cxx<"taxpy", float>(), void(hanabi::T_<0>, const hanabi::T_<0>*, hanabi::T_<0>*, int)> taxpy;

template <class... K>
constexpr bool are_descriptors = ((std::is_empty_v<std::remove_const_t<K>> && std::is_trivially_copyable_v<std::remove_const_t<K>> &&
                                   hanabi::kernel_descriptor<K>)&&...);
static_assert(are_descriptors<decltype(axpy), decltype(scal), decltype(nothing), decltype(nothing_named), decltype(quiet), decltype(hidden),
                              decltype(taxpy)>);
static_assert(!hanabi::kernel_descriptor<int> && !hanabi::kernel_descriptor<hanabi::descriptor>);

static_assert(axpy.module_name == "blas" && axpy.symbol == "axpy" && axpy.arity == 4 && nothing.arity == 0 && quiet.arity == 1);
static_assert(scal.symbol == "_ZN2la4scalEfPfi" && hidden.symbol == "*hidden(int*)" && hidden.info.by_pattern && !scal.info.by_pattern);
// A template's parameters are as the template spells them in the name, and the instance's in the call.
static_assert(taxpy.symbol == "_Z5taxpyIfEvT_PKS0_PS0_i");
static_assert(std::is_same_v<decltype(taxpy)::function_type, void(float, const float*, float*, int)>);
static_assert(hanabi::accepts_v<decltype(taxpy), float, device_ptr<float>, device_ptr<float>, int>);

// Two descriptors are one type, and share one description, when they say the same.
static_assert(
    std::is_same_v<decltype(axpy),
                   const hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">>>);
static_assert(!std::is_same_v<decltype(nothing), decltype(nothing_named)>);

// Top-level const is not part of a signature.
static_assert(std::is_same_v<hanabi::kernel<"m", "k", void(const int)>::function_type, void(int)>);

struct big {
    unsigned char v[32764];
};
static_assert(hanabi::kernel<"m", "k", void(big)>::layout.size == 32764); // the most there can be

} // namespace

BOOST_AUTO_TEST_CASE(descriptors_as_data) {
    const hanabi::descriptor& d = axpy.info;
    BOOST_TEST((d.module == "blas"));
    BOOST_TEST((d.symbol == "axpy"));
    BOOST_TEST(d.arity == 4u);
    BOOST_TEST(d.parameters[2].offset == 16u);
    BOOST_TEST((d.parameters[0].kind == hanabi::parameter_kind::floating_point));
    BOOST_TEST((d.parameter_name(0) == "alpha"));
    BOOST_TEST((d.parameter_name(3) == "n"));
    BOOST_TEST(d.parameter_name(4).empty());
    BOOST_TEST(scal.info.parameter_name(0).empty());
    BOOST_REQUIRE(d.slot != nullptr);
    BOOST_TEST(*d.slot == 0u); // no registry has met it
    BOOST_TEST(d.slot != scal.info.slot);
}

namespace {

template <std::size_t I, class P, class E>
P value(const E& e) {
    P p;
    std::memcpy(&p, e.arguments.bytes + E::kernel_type::layout.parameters[I].offset, sizeof p);
    return p;
}

template <class E>
std::string block_of(const E& e) {
    return std::to_string(e.geometry.block[0]) + " " + std::to_string(e.geometry.block[1]) + " " + std::to_string(e.geometry.block[2]);
}

} // namespace

BOOST_AUTO_TEST_CASE(by_name_in_any_order) {
    float memory[2] = {};
    const device_ptr<float> x{memory}, y{memory + 1};
    const auto check = [&](const auto& e) {
        BOOST_TEST((value<0, float>(e)) == 2.0f);
        BOOST_TEST((value<1, const float*>(e)) == memory);
        BOOST_TEST((value<2, float*>(e)) == memory + 1);
        BOOST_TEST((value<3, int>(e)) == 7);
    };
    const int n = 7;
    check(axpy[over(n)](2.0f, x, y, n));
    check(axpy[over(n)]("alpha"_arg = 2.0f, "x"_arg = x, "y"_arg = y, "n"_arg = n));
    check(axpy[over(n)]("n"_arg = n, "y"_arg = y, "x"_arg = x, "alpha"_arg = 2.0f));
    check(axpy[over(n)]("y"_arg = y, "n"_arg = 7_c, "alpha"_arg = 2_c, "x"_arg = x));
    const auto named = "n"_arg = n; // kept in a variable
    check(axpy[over(n)]("y"_arg = y, named, "alpha"_arg = 2.0f, "x"_arg = x));
}

BOOST_AUTO_TEST_CASE(no_parameters) {
    const auto e = nothing[grid(3) | block(32)]();
    static_assert(std::is_trivially_copyable_v<std::remove_const_t<decltype(e)>> && decltype(e)::closed);
    BOOST_TEST(e.kernel->arity == 0u);
    BOOST_TEST(e.geometry.extent[0] == 3u);
    (void)nothing_named[over(1)]();
}

namespace {

template <std::size_t... I>
auto call_with_a_hundred(std::index_sequence<I...>) {
    constexpr hanabi::kernel<"m", "hundred", void(std::conditional_t<I % 2 == 0, int, double>...)> hundred;
    return hundred[over(1)](static_cast<std::conditional_t<I % 2 == 0, int, double>>(I)...);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_hundred_parameters) {
    const auto e = call_with_a_hundred(std::make_index_sequence<100>{});
    BOOST_TEST(e.kernel->arity == 100u);
    BOOST_TEST((value<0, int>(e)) == 0);
    BOOST_TEST((value<51, double>(e)) == 51.0);
    BOOST_TEST((value<98, int>(e)) == 98);
    BOOST_TEST((value<99, double>(e)) == 99.0);
    BOOST_TEST(e.kernel->parameters[99].offset == 792u);
}

BOOST_AUTO_TEST_CASE(the_block_that_nobody_says) {
    constexpr hanabi::kernel<"m", "k", void()> plain;
    constexpr hanabi::kernel<"m", "k", void(), hanabi::max_threads<128>> few;
    constexpr hanabi::kernel<"m", "k", void(), hanabi::max_threads<512>> many;
    constexpr hanabi::kernel<"m", "k", void(), hanabi::required_threads<16, 8, 2>> required;
    const auto check = [&](const auto& e, const char* expected) { BOOST_TEST(block_of(e) == expected); };
    check(plain[over(1000)](), "256 1 1");
    check(plain[over(1000, 1000)](), "32 8 1");
    check(plain[over(1000, 1000, 1000)](), "8 8 4");
    check(few[over(1000)](), "128 1 1");
    check(few[over(1000, 1000)](), "128 1 1");
    check(many[over(1000)](), "256 1 1");
    check(required[over(1000)](), "16 8 2");
    check(required[grid(10)](), "16 8 2"); // a grid may leave a required block out
    check(required[grid(10) | block(16, 8, 2)](), "16 8 2");
    check(plain[over(1000) | block(64)](), "64 1 1");
    check(plain[hanabi::occupancy(1000)](), "0 1 1"); // asked for at the launch
}

// ---- Verdicts -------------------------------------------------------------------------------------------------------------

namespace {

template <class Kernel, class Geometry, class Because>
constexpr bool fits =
    std::is_same_v<hanabi::geometry_verdict<std::remove_cvref_t<Kernel>::contracts(), Geometry::terms, typename Geometry::block_type>,
                   Because>;
template <class... Contracts>
using with = hanabi::kernel<"m", "k", void(), Contracts...>;

static_assert(fits<with<>, decltype(over(1)), because::it_is_fine> && fits<with<>, decltype(grid(1) | block(1)), because::it_is_fine>);
static_assert(fits<with<>, decltype(block(1)), because::neither_over_nor_grid_nor_occupancy_says_how_many>);
static_assert(
    fits<with<>, decltype(hanabi::cooperative | hanabi::shared<int>(1)), because::neither_over_nor_grid_nor_occupancy_says_how_many>);
static_assert(fits<with<>, decltype(grid(1)), because::a_grid_needs_a_block> &&
              fits<with<hanabi::max_threads<64>>, decltype(grid(1)), because::a_grid_needs_a_block>);

using most_256 = with<hanabi::max_threads<256>>;
static_assert(fits<most_256, decltype(over(1) | block(256_c)), because::it_is_fine> &&
              fits<most_256, decltype(over(1) | block(16_c, 16_c)), because::it_is_fine>);
static_assert(fits<most_256, decltype(over(1) | block(257_c)), because::the_block_has_more_threads_than_max_threads>);
static_assert(fits<most_256, decltype(over(1) | block(16_c, 17_c)), because::the_block_has_more_threads_than_max_threads>);
static_assert(fits<most_256, decltype(over(1) | block(1, 257_c)), because::the_block_has_more_threads_than_max_threads>); // whatever x is
static_assert(fits<most_256, decltype(over(1) | block(512)), because::it_is_fine>); // found out at the launch

using exactly = with<hanabi::required_threads<16, 8>>;
static_assert(fits<exactly, decltype(over(1)), because::it_is_fine> && fits<exactly, decltype(grid(1)), because::it_is_fine>);
static_assert(fits<exactly, decltype(over(1) | block(16_c, 8_c)), because::it_is_fine> &&
              fits<exactly, decltype(over(1) | block(16, 8)), because::it_is_fine>);
static_assert(fits<exactly, decltype(over(1) | block(8_c, 16_c)), because::the_block_is_not_the_required_one>);
static_assert(fits<exactly, decltype(over(1) | block(16, 9_c)), because::the_block_is_not_the_required_one>); // y alone tells
static_assert(fits<exactly, decltype(over(1) | block(128)), because::the_block_is_not_the_required_one>);     // y is 1
static_assert(fits<exactly, decltype(over(1) | block(16, 8, 2_c)), because::the_block_is_not_the_required_one>);
static_assert(fits<exactly, decltype(hanabi::occupancy(1)), because::the_kernel_requires_a_block_that_occupancy_may_not_choose>);

using clustered = with<hanabi::cluster_size<2, 2>>;
static_assert(fits<clustered, decltype(grid(4, 4) | block(8)), because::it_is_fine> &&
              fits<clustered, decltype(grid(4, 4) | block(8) | hanabi::cluster(2_c, 2_c)), because::it_is_fine>);
static_assert(fits<clustered, decltype(grid(4, 4) | block(8) | hanabi::cluster(4_c)), because::the_cluster_is_not_the_one_of_the_contract>);
static_assert(fits<clustered, decltype(grid(4, 4) | block(8) | hanabi::cluster(2, 2)), because::it_is_fine>); // found out at the launch

static_assert(fits<with<>, decltype(over(1) | hanabi::pdl), because::the_kernel_is_not_declared_with_allows_pdl>);
static_assert(fits<with<hanabi::allows_pdl>, decltype(over(1) | hanabi::pdl), because::it_is_fine>);

// ---- accepts_v: what compiles -----------------------------------------------------------------------------------------------

template <class... A>
constexpr bool takes = hanabi::accepts_v<decltype(axpy), A...>;
using device = device_ptr<float>;
using read_only = device_ptr<const float>;
static_assert(takes<float, device, device, int> && takes<float&, read_only&, const device&, const int&> &&
              takes<const float, std::nullptr_t, device, short>);
static_assert(hanabi::accepts_v<decltype(axpy)&, float, device, device, int> &&
              hanabi::accepts_v<const decltype(axpy)&, float, device, device, int>);
static_assert(!takes<double, device, device, int> && !takes<float, device, read_only, int> && !takes<float, float*, device, int> &&
              !takes<float, device, device, long>);
static_assert(!takes<> && !takes<float> && !takes<float, device, device> && !takes<float, device, device, int, int>);
static_assert(hanabi::accepts_v<decltype(nothing)> && !hanabi::accepts_v<decltype(nothing), int>);
// Placeholders.
static_assert(takes<decltype("a"_arg), device, device, int> && takes<float, decltype("x"_arg), decltype("y"_arg), int> &&
              takes<const decltype("a"_arg)&, device, device, int>);
static_assert(!takes<decltype("a"_arg), device, device, decltype("a"_arg)>); // float and int
static_assert(!takes<decltype("a"_arg), device, device, long>);
// Names.
template <hanabi::text Name, class A>
using named = hanabi::named_argument<Name, A>;
static_assert(takes<named<"n", int>, named<"x", device&>, named<"alpha", float>, named<"y", device>> &&
              takes<named<"n", int>&, named<"x", device>, const named<"alpha", float>&, named<"y", device>>);
static_assert(!takes<named<"n", long>, named<"x", device>, named<"alpha", float>, named<"y", device>> &&
              !takes<named<"m", int>, named<"x", device>, named<"alpha", float>, named<"y", device>>);
static_assert(!takes<named<"n", int>, named<"x", device>, named<"alpha", float>> &&
              !takes<named<"n", int>, named<"x", device>, named<"x", device>, named<"alpha", float>, named<"y", device>>);
static_assert(!takes<float, device, device, named<"n", int>> &&
              !hanabi::accepts_v<decltype(scal), named<"a", float>, named<"x", device>, named<"n", int>>);
static_assert(takes<named<"n", int>, named<"x", device>, named<"alpha", decltype("a"_arg)>, named<"y", device>>);

} // namespace
