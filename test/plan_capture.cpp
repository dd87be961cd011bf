// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Plans of captured code, and plans within expressions.

#define BOOST_TEST_MODULE plan_capture
#include <boost/test/unit_test.hpp>

#include "support/planning.hpp"

#include <hanabi/capture.hpp>
#include <hanabi/plan/nested.hpp>

#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

using namespace hanabi::literals;
using hanabi::errc;
using hanabi::over;
using work::add;
using work::countdown;
using work::nop;
using work::scale;
namespace host = hanabi::host;

namespace {
constexpr int n = 300;
}

BOOST_FIXTURE_TEST_SUITE(captured, planning)

BOOST_AUTO_TEST_CASE(code_becomes_a_plan) {
    hanabi::buffer<float> a = filled(n, 1), b = filled(n, 2);
    const hanabi::stream own{*gpu};
    const hanabi::dispatcher r = run().on(own);
    auto plan = hanabi::capture(own, [&] {
        for (int i = 0; i < 3; ++i) r(scale[over(n)](2.0f, a, n));
        r(add[over(n)](1.0f, a, b, n));
    });
    static_assert(std::is_same_v<decltype(plan), hanabi::plan<>>);
    own.synchronize();
    BOOST_TEST(a.to_vector()[0] == 1.0f); // nothing ran
    plan.replay();
    plan();
    own.synchronize();
    BOOST_TEST(a.to_vector()[0] == 64.0f);
    BOOST_TEST(b.to_vector()[n - 1] == 2.0f + 8.0f + 64.0f);
    plan.replay(hanabi::stream::own(*gpu));
    gpu->synchronize();
    BOOST_TEST(a.to_vector()[0] == 512.0f);
    BOOST_TEST(plan.text().find("captured graph") != std::string::npos);
    // The clone has the graph as well, and it goes with the last of them.
    auto copy = std::make_optional(plan.clone());
    plan = hanabi::capture(own, [] {});
    copy->replay();
    plan.replay();
    gpu->synchronize();
    BOOST_TEST(a.to_vector()[0] == 4096.0f);
}

BOOST_AUTO_TEST_CASE(it_keeps_what_it_uses) {
    std::optional<hanabi::buffer<float>> a = filled(n, 1);
    hanabi::buffer<float> b = filled(n, 0);
    const hanabi::stream own{*gpu};
    auto plan = hanabi::capture(own, [&] { run().on(own)(add[over(n)](1.0f, *a, b, n)); });
    a.reset();
    modules.reset();
    plan.replay();
    own.synchronize();
    BOOST_TEST(b.to_vector()[0] == 1.0f);
}

BOOST_AUTO_TEST_CASE(unloading_is_noticed) {
    const hanabi::stream own{*gpu};
    auto plan = hanabi::capture(own, [&] { run().on(own)(nop[over(1)]()); });
    module().unload();
    HANABI_CHECK_ERROR(plan.replay(), errc::module_unloaded, "hanabi::plan::replay");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_captured) {
    const hanabi::stream own{*gpu};
    const hanabi::stream legacy = hanabi::stream::adopt(*gpu, nullptr);
    HANABI_CHECK_ERROR(hanabi::capture(legacy, [] {}), errc::invalid_argument, "hanabi::capture", "legacy default stream");
    HANABI_CHECK_ERROR(hanabi::capture(own, [&] { hanabi::capture(own, [] {}).replay(); }), errc::invalid_argument,
                       "being captured already");
    BOOST_CHECK_THROW(hanabi::capture(own, [] { throw std::runtime_error{"mine"}; }), std::runtime_error);
    auto plan = hanabi::capture(own, [&] { run().on(own)(nop[over(1)]()); }); // the stream is free again
    plan.replay();
    own.synchronize();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(nested, planning)

BOOST_AUTO_TEST_CASE(the_same_at_once_and_in_a_plan) {
    hanabi::buffer<float> a = filled(n, 1), b = filled(n, 2);
    hanabi::buffer<int> flag{*gpu, 1};
    const hanabi::dispatcher r = run();
    auto inner = r.plan(hanabi::fill(flag, 3) >> hanabi::repeat_while(flag, countdown[over(1)](flag, a)) >>
                        (scale[over(n)]("alpha"_arg, a, n) & scale[over("n"_arg)](3.0f, b, n)));
    HANABI_CHECK_ERROR(r(hanabi::nested(inner)), errc::argument_not_bound, "\"alpha\"_arg");
    HANABI_CHECK_ERROR(r.plan(hanabi::nested(inner)), errc::argument_not_bound, "hanabi::nested");
    inner.rebind("alpha"_arg = 2.0f, "n"_arg = 0);
    r(add[over(n)](1.0f, b, a, n) >> hanabi::nested(inner)); // a = (1 + 2 + 3) * 2 at 0
    r.synchronize();
    BOOST_TEST(a.to_vector()[0] == 12.0f);
    auto outer = r.plan(hanabi::repeat(2, add[over(n)](1.0f, b, a, n) >> hanabi::nested(inner)) >> scale[over(n)](0.5f, b, n));
    inner.rebind("alpha"_arg = 100.0f); // the outer one has the values of before
    outer.replay();                     // 12 -> 34 -> 78
    r.synchronize();
    BOOST_TEST(a.to_vector()[0] == 78.0f);
    BOOST_TEST(a.to_vector()[1] == ((6.0f + 2.0f) * 2.0f + 2.0f) * 2.0f);
    BOOST_TEST(b.to_vector()[0] == 1.0f);
    BOOST_TEST(outer.size() == 9u);
    std::error_code ec;
    r(hanabi::nested(inner), ec);
    BOOST_TEST(!ec);
    r.synchronize();
    HANABI_CHECK_ERROR(r(hanabi::nested(inner) & scale[over(n)](2.0f, a, n)), errc::race, "nested plan", "work::scal");
}

BOOST_AUTO_TEST_SUITE_END()
