// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Assertions on launches: what they accept, what they refuse, and what they say then.

#define BOOST_TEST_MODULE test_matchers
#include <boost/test/unit_test.hpp>

#include <hanabi/hanabi.hpp>
#include <hanabi/test.hpp>

#include <boost/hana/define_struct.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using namespace hanabi::literals;
using namespace hanabi::test;
using hanabi::block;
using hanabi::device_ptr;
using hanabi::grid;
using hanabi::over;
namespace host = hanabi::host;

namespace {

struct point { // equal by ==, which looks at one member
    int x, ignored;
    friend bool operator==(const point& a, const point& b) { return a.x == b.x; }
};
struct padded { // no ==; described, with a hole after `tag`
    BOOST_HANA_DEFINE_STRUCT(padded, (char, tag), (double, value));
};
struct opaque {
    int a[3];
};
enum class mode : int { fast, slow };

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"blas", hanabi::cxx("la::scal"), void(float, float*, int)> scal;
inline constexpr hanabi::kernel<"misc", "types", void(point, padded, opaque, mode, bool, std::uint64_t, double)> types;
inline constexpr hanabi::kernel<"misc", "nothing", void()> nothing;
inline constexpr hanabi::kernel<"misc", "bounded", void(int), hanabi::required_threads<64>, hanabi::cluster_size<2>> bounded;

struct fixture : registry_fixture<axpy, scal, types, nothing, bounded> {
    hanabi::buffer<float> x{device(), 1000}, y{device(), 1000};
    static constexpr int n = 1000;
};

std::string message_of(const boost::test_tools::assertion_result& r) {
    const boost::unit_test::const_string text = r.message();
    return {text.begin(), text.end()};
}

/// Asserts that an assertion fails, and that its message has every part in this order.
void check_fails(const boost::test_tools::assertion_result& r, std::initializer_list<const char*> parts) {
    const std::string message = message_of(r);
    BOOST_TEST(!r);
    std::size_t at = 0;
    for (const char* part : parts) {
        const std::size_t found = message.find(part, at);
        BOOST_TEST(found != std::string::npos, "\"" << part << "\" is not in, or not in its place: " << message);
        if (found != std::string::npos) at = found;
    }
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(matchers, fixture)

BOOST_AUTO_TEST_CASE(arguments_in_order) {
    BOOST_TEST(never_launched(axpy));
    run(axpy[over(n)](2.0f, x, y, 1024));
    BOOST_TEST(was_launched(axpy));
    BOOST_CHECK(was_launched(axpy, 2.0f, any, any, 1024));
    BOOST_REQUIRE(was_launched(axpy, 2.0f, x, y, 1024));
    BOOST_TEST(was_launched(axpy, 2.0f, x.data(), y.span(), 1024_c));
    BOOST_TEST(was_launched(axpy, 2_c, device_ptr<const float>{x.data()}, any, static_cast<short>(1024)));
    BOOST_TEST(!was_launched(axpy, 2.5f, any, any, 1024));
    BOOST_TEST(!was_launched(axpy, 2.0f, y, any, 1024));
    BOOST_TEST(!was_launched(axpy, any, nullptr, any, any));
    BOOST_TEST(!was_launched(scal));
    BOOST_TEST(never_launched(axpy, 3.0f, any, any, any));
}

BOOST_AUTO_TEST_CASE(arguments_by_name) {
    run(axpy[over(n)](2.0f, x, y, 1024));
    BOOST_TEST(was_launched(axpy, "n"_arg = 1024));
    BOOST_TEST(was_launched(axpy, "y"_arg = y, "alpha"_arg = 2.0f));
    BOOST_TEST(was_launched(axpy, "n"_arg = any, "x"_arg = x, "y"_arg = y, "alpha"_arg = approximately(1.9, 0.2)));
    BOOST_TEST(!was_launched(axpy, "n"_arg = 1025));
    BOOST_TEST(!was_launched(axpy, "y"_arg = x));
}

BOOST_AUTO_TEST_CASE(approximations) {
    run(axpy[over(n)](0.1f, x, y, -7));
    BOOST_TEST(was_launched(axpy, approximately(0.1, 1e-6), any, any, any));
    BOOST_TEST(!was_launched(axpy, approximately(0.1, 1e-12), any, any, any)); // 0.1f is not 0.1
    BOOST_TEST(was_launched(axpy, any, any, any, approximately(-5, 2)));
    BOOST_TEST(was_launched(axpy, any, any, any, approximately(-6.5, 0.5)));
    BOOST_TEST(!was_launched(axpy, any, any, any, approximately(-5, 1)));
    BOOST_TEST(!was_launched(axpy, any, any, any, approximately(7u, 1u))); // no wrapping
    run(axpy[over(n)](std::numeric_limits<float>::quiet_NaN(), x, y, 1));
    BOOST_TEST(!was_launched(axpy, approximately(1e30, 1e38), any, any, 1));
    BOOST_TEST(was_launched(axpy, std::nanf(""), any, any, 1));
    BOOST_TEST(!was_launched(axpy, 0.1f, any, any, 1));
}

BOOST_AUTO_TEST_CASE(predicates) {
    run(axpy[over(n)](2.0f, x, y, 1024));
    BOOST_TEST(was_launched(
        axpy, [](float a) { return a > 1; }, any, any, [](int i) { return i % 2 == 0; }));
    BOOST_TEST(!was_launched(
        axpy, [](float a) { return a > 2; }, any, any, any));
    const float* const first = x.get();
    BOOST_TEST(was_launched(
        axpy, any, [&](device_ptr<const float> p) { return p.get() == first; }, [](auto p) { return p != nullptr; }, any));
    BOOST_TEST(was_launched(
        axpy, "y"_arg = [&](device_ptr<float> p) { return p == y.data(); }));
    check_fails(was_launched(axpy, any, any, any, [](int i) { return i == 3; }),
                {"n=what the predicate accepts", "n is 1024, not what the predicate accepts"});
}

BOOST_AUTO_TEST_CASE(other_types) {
    padded p{}, q{};
    std::memset(static_cast<void*>(&p), 0xff, sizeof p); // the holes differ
    std::memset(static_cast<void*>(&q), 0, sizeof q);
    p.tag = q.tag = 'a';
    p.value = q.value = 1.5;
    run(types[over(n)](point{1, 2}, p, opaque{{1, 2, 3}}, mode::slow, true, std::uint64_t{1} << 63, -0.0));
    BOOST_TEST(was_launched(types, point{1, 77}, q, opaque{{1, 2, 3}}, mode::slow, true, std::uint64_t{1} << 63, 0.0));
    BOOST_TEST(!was_launched(types, point{2, 2}, any, any, any, any, any, any));
    q.value = 2.5;
    BOOST_TEST(!was_launched(types, any, q, any, any, any, any, any));
    BOOST_TEST(!was_launched(types, any, any, opaque{{1, 2, 4}}, any, any, any, any));
    BOOST_TEST(!was_launched(types, any, any, any, mode::fast, any, any, any));
    BOOST_TEST(!was_launched(types, any, any, any, any, false, any, any));
    BOOST_TEST(was_launched(
        types, any, [](const padded& v) { return v.tag == 'a'; }, any, [](mode m) { return m == mode::slow; }, [](bool b) { return b; },
        any, any));
    run(nothing[over(1)]());
    BOOST_TEST(was_launched(nothing));
}

BOOST_AUTO_TEST_CASE(geometries) {
    run(axpy[over(n) | block(128)](2.0f, x, y, n));
    BOOST_TEST(was_launched(axpy[over(n) | block(128)]));
    BOOST_TEST(was_launched(axpy[over(1001) | block(128)])); // the same grid
    BOOST_TEST(was_launched(axpy[grid(8) | block(128)], 2.0f, x, y, n));
    BOOST_TEST(was_launched(axpy[hanabi::occupancy(8 * 128)]));
    BOOST_TEST(!was_launched(axpy[over(n)]));
    BOOST_TEST(!was_launched(axpy[grid(8) | block(128)], 3.0f, x, y, n));
    check_fails(was_launched(axpy[grid(4) | block(256) | hanabi::shared<float>(8)]),
                {"no launch of blas::axpy[grid(4) | block(256) | shared(32 bytes)];",
                 "the grid is (8), not (4); the block is (128), not (256); ", "dynamic shared memory is 0 bytes, not 32 bytes"});
    run(scal[grid(4, 2) | block(8, 4) | hanabi::shared<float>(8) | hanabi::cluster(2) | hanabi::priority(-1) | hanabi::cooperative](1.0f, x,
                                                                                                                                    n));
    BOOST_TEST(was_launched(scal[grid(4, 2) | block(8, 4) | hanabi::shared<float>(8)])); // what was not said is not looked at
    BOOST_TEST(was_launched(
        scal[grid(4, 2) | block(8, 4) | hanabi::shared<float>(8) | hanabi::cluster(2) | hanabi::priority(-1) | hanabi::cooperative]));
    BOOST_TEST(!was_launched(scal[grid(4, 2) | block(8, 4)]));
    check_fails(
        was_launched(
            scal[grid(4, 2) | block(8, 4) | hanabi::shared<float>(8) | hanabi::cluster(4) | hanabi::priority(-2) | hanabi::carveout(50)]),
        {"the cluster is (2), not (4)", "an attribute is priority(-1), not priority(-2)", "the launch is not carveout(50)"});
    run(bounded[grid(2)](1)); // block and cluster from the contracts
    BOOST_TEST(was_launched(bounded[grid(2)], 1));
    BOOST_TEST(was_launched(bounded[grid(2) | hanabi::cluster(2)], 1));
    run(nothing[over(0)]()); // a launch of nothing is none
    BOOST_TEST(never_launched(nothing));
    BOOST_TEST(!was_launched(nothing[over(0)]));
}

BOOST_AUTO_TEST_CASE(expressions) {
    const auto step = axpy[over(n)](2.0f, x, y, n);
    run(step);
    BOOST_TEST(was_launched(step));
    BOOST_TEST(was_launched(axpy[over(n)]("alpha"_arg, x, "y"_arg, n)));
    BOOST_TEST(!was_launched(axpy[over(n)]("alpha"_arg, y, "y"_arg, n)));
    BOOST_TEST(!was_launched(axpy[over(n + 100)](2.0f, x, y, n)));
    check_fails(was_launched(axpy[over(n)]("alpha"_arg, nullptr, y, 3)), {"[over(1000)](alpha=any, x=null,", "; n is 1000, not 3"});
}

BOOST_AUTO_TEST_CASE(counts_and_order) {
    BOOST_TEST(launched_times(axpy, 0));
    BOOST_TEST(was_launched_in_order());
    run(axpy[over(n)](1.0f, x, y, n));
    run(scal[over(n)](2.0f, y, n));
    run(axpy[over(n)](3.0f, x, y, n));
    BOOST_TEST(launched_times(axpy, 2));
    BOOST_TEST(launched_times(a_launch_of(axpy, 3.0f, any, any, any), 1u));
    BOOST_TEST(launched_times(axpy[over(n)], 2L));
    BOOST_TEST(!launched_times(axpy, 1));
    check_fails(launched_times(axpy, -1), {"-1 times"});
    check_fails(launched_times(scal, 3),
                {"1 launch of blas::_ZN2la4scalEfPfi, not 3; there were 3 launches, the nearest first:", "#2", "#1", "#3"});
    check_fails(never_launched(scal), {"1 launch of", "not 0"});

    BOOST_TEST(was_launched_in_order(axpy, scal));
    BOOST_TEST(was_launched_in_order(scal, axpy));
    BOOST_TEST(was_launched_in_order(axpy, axpy));
    BOOST_TEST(was_launched_in_order(a_launch_of(axpy, 1.0f, any, any, any), scal[over(n)], axpy[over(n)](3.0f, x, y, n)));
    BOOST_TEST(!was_launched_in_order(axpy, axpy, axpy));
    BOOST_TEST(!was_launched_in_order(a_launch_of(axpy, 3.0f, any, any, any), scal));
    check_fails(was_launched_in_order(axpy, scal, scal),
                {"no launch of blas::_ZN2la4scalEfPfi after that of blas::_ZN2la4scalEfPfi; there were 3 launches, in this order:", "#1",
                 ": as expected", "#2", ": as expected", "#3"});
    check_fails(was_launched_in_order(nothing, scal), {"no launch of misc::nothing; there were 3"});
}

BOOST_AUTO_TEST_CASE(what_a_failure_says) {
    check_fails(was_launched(axpy, 2.0f, any, any, 1024), {"no launch of blas::axpy(alpha=2, x=any, y=any, n=1024); nothing was launched"});
    run(scal[over(n)](2.0f, y, n));
    run(axpy[over(n)](1.0f, x, y, 7));
    run(axpy[over(n)](1.0f, x, y, 1024));
    check_fails(was_launched(axpy, 2.0f, any, any, 1024),
                {"; there were 3 launches, the nearest first:\n  #3 blas::axpy(alpha=1, x=0x",
                 ", n=1024), grid (4, 1, 1), block (256, 1, 1): alpha is 1, not 2\n", "  #2 blas::axpy(",
                 "): alpha is 1, not 2; n is 7, not 1024\n", "  #1 blas::_ZN2la4scalEfPfi(2, 0x",
                 ", 1000), grid (4, 1, 1), block (256, 1, 1)"});
    check_fails(was_launched(scal, 3.0f, any, any), {"argument 1 is 2, not 3"}); // no names
    for (int i = 0; i < 20; ++i) run(nothing[over(1)]());
    check_fails(was_launched(axpy, 2.0f, any, any, any), {"there were 23 launches", "#13", "\n  and 7 more"});
    check_fails(was_launched_in_order(axpy, nothing, scal),
                {"there were 23 launches, in this order:\n  3 others\n  #4", ": as expected", "#19", "\n  and 4 more"});
}

BOOST_AUTO_TEST_CASE(launches_that_were_not_kept) {
    host::options few;
    few.kept_launches = 2;
    host::set_options(few);
    for (int i = 0; i < 5; ++i) run(axpy[over(n)](1.0f, x, y, i));
    check_fails(was_launched(axpy, any, any, any, 1), {"there were 5 launches, and the newest 2 are kept (host::options::kept_launches)"});
}

// The same names with other parameters: a raw call, or a second descriptor that was wrong.
BOOST_AUTO_TEST_CASE(other_parameters) {
    constexpr hanabi::kernel<"blas", "axpy", void(float, const float*)> shorter;
    run(axpy[over(n)](1.0f, x, y, n));
    check_fails(was_launched(shorter, 1.0f, any), {"its parameters are of other sizes than the descriptor's (4, 8, 8, 4)"});
    BOOST_TEST(launches(shorter).empty());
    BOOST_TEST(!launches()[0].is(shorter));
}

BOOST_AUTO_TEST_CASE(views) {
    run(scal[over(n)](0.5f, y, n));
    run(axpy[grid(8) | block(128) | hanabi::shared<char>(5)](2.0f, x, y, n));
    BOOST_TEST(launches().size() == 2u);
    const launched l = launches()[1];
    BOOST_TEST(l.number() == 2u);
    BOOST_TEST(l.module() == "blas");
    BOOST_TEST(l.symbol() == "axpy");
    BOOST_TEST(l.grid() == (host::extent{8, 1, 1}));
    BOOST_TEST(l.block() == (host::extent{128, 1, 1}));
    BOOST_TEST(l.cluster() == (host::extent{0, 0, 0}));
    BOOST_TEST(l.shared_bytes() == 5u);
    BOOST_TEST(l.stream() == run.stream());
    BOOST_TEST(l.is(axpy));
    BOOST_TEST(!l.is(scal));
    BOOST_CHECK_EXCEPTION(l.as(scal), hanabi::error, [](const hanabi::error& e) {
        return e.code() == hanabi::errc::invalid_argument && std::string{e.what()}.find("#2 blas::axpy(alpha=2") != std::string::npos;
    });
    const auto typed = l.as(axpy);
    static_assert(std::is_same_v<decltype(typed.get<0>()), float>);
    static_assert(std::is_same_v<decltype(typed["x"_arg]), device_ptr<const float>>);
    BOOST_TEST(typed.get<0>() == 2.0f);
    BOOST_TEST(typed["x"_arg] == x.data());
    BOOST_TEST(typed["n"_arg] == n);
    BOOST_TEST(launches(scal).size() == 1u);
    BOOST_TEST(launches(scal)[0].get<1>() == y.data());
    BOOST_TEST(launches(scal)[0].number() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

// A kernel known by a pattern is found by its demangled name.
BOOST_FIXTURE_TEST_CASE(patterns, host_fixture) {
    constexpr hanabi::kernel<"m", hanabi::matching("*::hidden(*)"), void(int)> hidden;
    constexpr hanabi::kernel<"m", hanabi::cxx("ns::hidden"), void(int)> same;
    const auto modules = load_for(device(), same);
    define_stubs(same);
    hanabi::dispatcher run{modules};
    run(hidden[over(1)](5));
    BOOST_TEST(was_launched(hidden, 5));
    BOOST_TEST(was_launched(same, 5));
    BOOST_TEST(!was_launched(hidden, 6));
}
