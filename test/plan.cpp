// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Plans: every operator gives the same as when it is run at once; streams, text, sizes, what a plan refuses to be made of.

#define BOOST_TEST_MODULE plan
#include <boost/test/unit_test.hpp>

#include "support/planning.hpp"

#include <hanabi/expression/barrier.hpp>
#include <hanabi/expression/call.hpp>
#include <hanabi/expression/copy.hpp>
#include <hanabi/expression/dataflow.hpp>
#include <hanabi/expression/events.hpp>
#include <hanabi/expression/fill.hpp>
#include <hanabi/expression/group.hpp>
#include <hanabi/expression/parallel.hpp>
#include <hanabi/expression/range.hpp>
#include <hanabi/expression/repeat.hpp>
#include <hanabi/expression/repeat_while.hpp>
#include <hanabi/expression/touches.hpp>
#include <hanabi/expression/when.hpp>

#include <atomic>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::errc;
using hanabi::group;
using hanabi::over;
using hanabi::parallel;
using hanabi::sequence;
using work::add;
using work::countdown;
using work::nop;
using work::scale;

namespace {

constexpr int n = 300;

/// Four buffers, filled the same each time.
struct four {
    hanabi::buffer<float> a, b, c, d;
    explicit four(const planning& p) : a{p.filled(n, 1.0f)}, b{p.filled(n, 2.0f)}, c{p.filled(n, 3.0f)}, d{p.filled(n, 4.0f)} {}
    std::vector<float> all() const {
        std::vector<float> v;
        for (const hanabi::buffer<float>* x : {&a, &b, &c, &d})
            for (const float f : x->to_vector()) v.push_back(f);
        return v;
    }
};

struct operators : planning {
    /// Runs what `make` makes of four buffers at once, three times; and its plan on others, three times.
    template <class Make>
    void same_both_ways(const char* what, Make make) {
        four eager{*this}, planned{*this};
        const hanabi::dispatcher r = run();
        for (int i = 0; i < 3; ++i) r(make(eager));
        r.synchronize();
        auto plan = r.plan(make(planned));
        for (int i = 0; i < 3; ++i) plan.replay();
        r.synchronize();
        BOOST_TEST_CONTEXT(what) {
            BOOST_TEST(eager.all() == planned.all(), boost::test_tools::per_element());
            BOOST_TEST(eager.all() != four{*this}.all());
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(same_results, operators)

BOOST_AUTO_TEST_CASE(one_after_the_other) {
    same_both_ways("launch", [](four& f) { return add[over(n)](2.0f, f.a, f.b, n); });
    same_both_ways(
        ">>", [](four& f) { return add[over(n)](2.0f, f.a, f.b, n) >> scale[over(n)](0.5f, f.b, n) >> add[over(n)](1.0f, f.b, f.c, n); });
    same_both_ways("sequence", [](four& f) {
        return sequence(scale[over(n)](3.0f, f.a, n), add[over(n)](1.0f, f.a, f.b, n), scale[over(n) | block(64)](0.5f, f.a, n));
    });
    same_both_ways("group", [](four& f) {
        return group(scale[over(n)](3.0f, f.a, n) >> add[over(n)](1.0f, f.a, f.b, n)) >> scale[over(n)](2.0f, f.b, n);
    });
    same_both_ways("repeat", [](four& f) { return hanabi::repeat(5, scale[over(n)](2.0f, f.a, n) >> add[over(n)](1.0f, f.a, f.b, n)); });
    same_both_ways("repeat<2>", [](four& f) {
        return hanabi::repeat<2>(add[over(n)](1.0f, f.a, f.b, n)) >> hanabi::repeat(0, scale[over(n)](0.0f, f.b, n));
    });
    same_both_ways("when", [](four& f) {
        return hanabi::when(true, scale[over(n)](2.0f, f.a, n)) >> hanabi::when(false, scale[over(n)](0.0f, f.a, n)) >>
               add[over(n)](1.0f, f.a, f.b, n);
    });
    same_both_ways("nothing to do", [](four& f) { return scale[over(0)](0.0f, f.a, n) >> add[over(n)](1.0f, f.a, f.b, n); });
}

BOOST_AUTO_TEST_CASE(beside_each_other) {
    same_both_ways("&", [](four& f) { return scale[over(n)](2.0f, f.a, n) & scale[over(n)](3.0f, f.b, n) & scale[over(n)](4.0f, f.c, n); });
    same_both_ways("diamond", [](four& f) {
        return scale[over(n)](2.0f, f.a, n) >> (add[over(n)](1.0f, f.a, f.b, n) & add[over(n)](2.0f, f.a, f.c, n)) >>
               (add[over(n)](1.0f, f.b, f.d, n) >> add[over(n)](1.0f, f.c, f.d, n));
    });
    same_both_ways("parallel of sequences", [](four& f) {
        return parallel(scale[over(n)](2.0f, f.a, n) >> add[over(n)](1.0f, f.a, f.b, n), scale[over(n)](5.0f, f.c, n),
                        hanabi::when(false, scale[over(n)](0.0f, f.d, n)), group(scale[over(n)](0.5f, f.d, n))) >>
               parallel(scale[over(n)](2.0f, f.a, n), scale[over(n)](2.0f, f.b, n), scale[over(n)](2.0f, f.c, n));
    });
    same_both_ways("unordered", [](four& f) { return hanabi::unordered(scale[over(n)](2.0f, f.a, n), scale[over(n)](2.0f, f.b, n)); });
    same_both_ways("dataflow", [](four& f) {
        return hanabi::dataflow(scale[over(n)](2.0f, f.a, n), scale[over(n)](3.0f, f.b, n), add[over(n)](1.0f, f.a, f.c, n),
                                add[over(n)](1.0f, f.b, f.c, n), hanabi::copy(f.d, f.c), scale[over(n)](2.0f, f.c, n));
    });
    same_both_ways("dataflow with nothing in it", [](four& f) {
        return hanabi::dataflow(scale[over(n)](2.0f, f.a, n), hanabi::when(false, add[over(n)](1.0f, f.a, f.b, n)), hanabi::barrier(),
                                add[over(n)](1.0f, f.a, f.b, n), hanabi::repeat(0, scale[over(n)](1.0f, f.b, n)), hanabi::barrier());
    });
    same_both_ways("dataflow with what is declared", [](four& f) {
        return hanabi::dataflow(hanabi::touches(nop[over(1)](), hanabi::writes(f.a)), scale[over(n)](2.0f, f.a, n), hanabi::barrier(),
                                add[over(n)](1.0f, f.a, f.b, n));
    });
}

BOOST_AUTO_TEST_CASE(lists_made_at_run_time) {
    const auto list = [](four& f) {
        using launch = decltype(scale[over(n)](2.0f, f.a, n));
        std::vector<launch> v;
        for (int i = 0; i < 20; ++i) v.push_back(scale[over(n)](1.0f + static_cast<float>(i % 3), i % 2 == 0 ? f.a : f.b, n));
        return v;
    };
    same_both_ways("sequence", [&](four& f) { return sequence(list(f)) >> add[over(n)](1.0f, f.a, f.c, n); });
    same_both_ways("dataflow", [&](four& f) { return hanabi::dataflow(list(f)); });
    same_both_ways("parallel", [](four& f) {
        using launch = decltype(scale[over(n)](2.0f, f.a, n));
        std::vector<launch> v;
        for (hanabi::buffer<float>* b : {&f.a, &f.b, &f.c, &f.d}) v.push_back(scale[over(n)](2.0f, *b, n));
        return parallel(v) >> hanabi::unordered(std::move(v));
    });
}

BOOST_AUTO_TEST_CASE(copies_fills_calls_events) {
    std::vector<float> in(n, 7.0f), out_eager(n), out_planned(n);
    same_both_ways("copies", [&](four& f) { return hanabi::copy(f.a, in) >> hanabi::copy(f.b, f.a) >> add[over(n)](1.0f, f.b, f.c, n); });
    same_both_ways("fill", [](four& f) { return hanabi::fill(f.a, 9.0f) >> add[over(n)](1.0f, f.a, f.b, n); });
    hanabi::event mark{*gpu};
    same_both_ways("events", [&](four& f) {
        return scale[over(n)](2.0f, f.a, n) >> hanabi::record(mark) >> hanabi::wait(mark) >> hanabi::barrier() >>
               add[over(n)](1.0f, f.a, f.b, n);
    });

    four f{*this};
    const hanabi::dispatcher r = run();
    hanabi::event first{*gpu}, last{*gpu};
    auto timed = r.plan(hanabi::record(first) >> scale[over(n)](1.0f, f.a, n) >> hanabi::record(last));
    timed.replay();
    r.synchronize();
    BOOST_TEST(elapsed(first, last).count() >= 0.0f);
    std::atomic<int> calls{0};
    auto plan = r.plan(scale[over(n)](2.0f, f.a, n) >> hanabi::copy(out_planned, f.a) >> hanabi::call([&calls] { ++calls; }));
    plan.replay();
    plan.replay();
    r.synchronize();
    BOOST_TEST(calls == 2);
    for (const float v : out_planned) BOOST_REQUIRE(v == 4.0f);
}

BOOST_AUTO_TEST_CASE(loops_that_the_device_ends) {
    hanabi::buffer<int> flag{*gpu, 1}, inner{*gpu, 1};
    same_both_ways("repeat_while", [&](four& f) {
        return hanabi::fill(flag, 5) >> scale[over(n)](2.0f, f.a, n) >>
               hanabi::repeat_while(flag,
                                    countdown[over(1)](flag, f.b) >> (scale[over(n)](2.0f, f.c, n) & add[over(n)](1.0f, f.a, f.d, n))) >>
               add[over(n)](1.0f, f.b, f.a, n);
    });
    same_both_ways("never", [&](four& f) {
        return hanabi::fill(flag, 0) >> hanabi::repeat_while(flag, countdown[over(1)](flag, f.b)) >> scale[over(n)](2.0f, f.a, n);
    });
    same_both_ways("loop in a loop", [&](four& f) {
        return hanabi::fill(flag, 3) >>
               hanabi::repeat_while(flag, hanabi::fill(inner, 2) >> hanabi::repeat_while(inner, countdown[over(1)](inner, f.a)) >>
                                              countdown[over(1)](flag, f.b));
    });
    // Arguments of the body change like others, whether or not the driver updates them in place.
    four f{*this};
    const hanabi::dispatcher r = run();
    auto plan = r.plan(hanabi::fill(flag, "rounds"_arg) >>
                       hanabi::repeat_while(flag, countdown[over(1)](flag, f.b) >> scale[over(n)]("alpha"_arg, f.a, n)));
    plan("rounds"_arg = 3, "alpha"_arg = 2.0f);
    r.synchronize();
    BOOST_TEST(f.a.to_vector()[n - 1] == 8.0f);
    plan("rounds"_arg = 2, "alpha"_arg = 10.0f);
    r.synchronize();
    BOOST_TEST(f.a.to_vector()[n - 1] == 800.0f);
    auto copy = plan.clone();
    copy.replay();
    r.synchronize();
    BOOST_TEST(f.a.to_vector()[n - 1] == 80000.0f);
    BOOST_TEST(plan.size() == 2u);
    BOOST_TEST(plan.text().find("in repeat_while 1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(fills_of_long_elements) {
    struct triple {
        int a, b, c;
    };
    const auto check = [&](auto first, auto second, std::size_t count) {
        using T = decltype(first);
        hanabi::buffer<T> x{*gpu, count}, y{*gpu, count};
        const hanabi::dispatcher r = run();
        auto plan = r.plan(hanabi::fill(x, "value"_arg) >> hanabi::fill(y, first));
        static_assert(std::is_same_v<decltype(plan), hanabi::plan<hanabi::arg<"value", T>>>);
        plan("value"_arg = second);
        r.synchronize();
        std::size_t good = 0;
        for (const T& v : x.to_vector()) good += std::memcmp(&v, &second, sizeof v) == 0;
        for (const T& v : y.to_vector()) good += std::memcmp(&v, &first, sizeof v) == 0;
        BOOST_TEST(good == 2 * count);
        plan("value"_arg = first);
        r.synchronize();
        good = 0;
        for (const T& v : x.to_vector()) good += std::memcmp(&v, &first, sizeof v) == 0;
        BOOST_TEST(good == count);
    };
    check(static_cast<unsigned char>(1), static_cast<unsigned char>(200), 100);
    check(static_cast<short>(-2), static_cast<short>(300), 100);
    check(1.5f, -2.5f, 100);
    check(1.25, -1e300, 3000);
    check(triple{1, 2, 3}, triple{7, 7, 7}, 5000);
}

BOOST_AUTO_TEST_CASE(copies_with_an_open_side) {
    four f{*this};
    std::vector<float> in(n, 7.0f);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(hanabi::copy("to"_arg, in) >> hanabi::copy(f.b, "from"_arg));
    static_assert(std::is_same_v<decltype(plan), hanabi::plan<hanabi::arg<"from", const float*>, hanabi::arg<"to", float*>>>);
    plan.rebind("to"_arg = f.a);
    HANABI_CHECK_ERROR(plan.replay(), errc::argument_not_bound, "\"from\"_arg");
    plan.rebind("from"_arg = f.a);
    plan.replay();
    r.synchronize();
    BOOST_TEST(f.a.to_vector()[0] == 7.0f);
    BOOST_TEST(f.b.to_vector()[n - 1] == 7.0f);
    const hanabi::buffer<float> small{*gpu, 10};
    HANABI_CHECK_ERROR(plan.rebind("from"_arg = small), errc::size_mismatch, "\"from\"_arg", "1200 bytes", "has 40");
    HANABI_CHECK_ERROR(plan.rebind("from"_arg = nullptr), errc::invalid_argument, "\"from\"_arg", "null");
    plan("to"_arg = f.c, "from"_arg = f.d);
    r.synchronize();
    BOOST_TEST(f.c.to_vector()[1] == 7.0f);
    BOOST_TEST(f.b.to_vector()[1] == 4.0f);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(objects, operators)

BOOST_AUTO_TEST_CASE(types) {
    four f{*this};
    const hanabi::dispatcher r = run();
    const auto open = add[over("n"_arg)]("alpha"_arg, "x"_arg, f.b, "n"_arg) >> scale[over("m"_arg)]("alpha"_arg, f.b, n);
    auto plan = r.plan(open);
    using expected =
        hanabi::plan<hanabi::arg<"alpha", float>, hanabi::arg<"m", std::uint64_t>, hanabi::arg<"n", int>, hanabi::arg<"x", const float*>>;
    static_assert(std::is_same_v<decltype(plan), expected>);
    static_assert(!std::is_copy_constructible_v<expected> && std::is_nothrow_move_constructible_v<expected>);
    auto same = r.plan(scale[over("m"_arg)]("alpha"_arg, f.b, n) >> add[over("n"_arg)]("alpha"_arg, "x"_arg, f.b, "n"_arg));
    static_assert(std::is_same_v<decltype(plan), decltype(same)>);
    same = std::move(plan);
    BOOST_TEST(same.size() == 2u);
    HANABI_CHECK_ERROR(plan.replay(), errc::invalid_argument, "hanabi::plan", "moved from");
    HANABI_CHECK_ERROR(static_cast<void>(plan.size()), errc::invalid_argument, "moved from");
    std::error_code ec;
    plan.replay(ec);
    BOOST_TEST((ec == errc::invalid_argument));
    same("alpha"_arg = 2.0f, "m"_arg = n, "n"_arg = n, "x"_arg = f.a);
    r.synchronize();
    BOOST_TEST(f.b.to_vector()[0] == 8.0f);
}

BOOST_AUTO_TEST_CASE(on_any_stream_of_the_context) {
    four f{*this};
    const hanabi::stream own{*gpu};
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over(n)]("alpha"_arg, f.a, n));
    plan.on(own)("alpha"_arg = 2.0f);
    own.synchronize();
    BOOST_TEST(f.a.to_vector()[0] == 2.0f);
    plan.replay(own);
    plan.on(own.handle()).replay();
    std::error_code ec;
    plan.replay(own, ec);
    BOOST_TEST(!ec);
    own.synchronize();
    BOOST_TEST(f.a.to_vector()[0] == 16.0f);
    plan.on(nullptr).replay();
    plan.replay(ec);
    BOOST_TEST(!ec);
    gpu->synchronize();
    BOOST_TEST(f.a.to_vector()[0] == 64.0f);
    auto elsewhere = hanabi::dispatcher{module()}.on(own).plan(scale[over(n)](0.5f, f.a, n));
    elsewhere.replay();
    own.synchronize();
    BOOST_TEST(f.a.to_vector()[0] == 32.0f);
}

BOOST_AUTO_TEST_CASE(clones) {
    four f{*this};
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over("n"_arg)]("alpha"_arg, f.a, n) >> add[over(n)]("alpha"_arg, f.a, f.b, n) >> hanabi::copy(f.c, f.b));
    plan.rebind("alpha"_arg = 2.0f);
    auto copy = plan.clone();
    static_assert(std::is_same_v<decltype(plan), decltype(copy)>);
    HANABI_CHECK_ERROR(copy.replay(), errc::argument_not_bound, "\"n\"_arg");
    copy.rebind("n"_arg = n);
    copy.replay(); // a = 2, b = 2 + 4
    r.synchronize();
    BOOST_TEST(f.c.to_vector()[0] == 6.0f);
    copy.rebind("alpha"_arg = 3.0f);
    plan("alpha"_arg = 1.0f, "n"_arg = 0); // a = 2, b = 8
    r.synchronize();
    BOOST_TEST(f.c.to_vector()[0] == 8.0f);
    copy.replay(); // a = 6, b = 26
    r.synchronize();
    BOOST_TEST(f.c.to_vector()[0] == 26.0f);
    BOOST_TEST(plan.exec() != copy.exec());
}

BOOST_AUTO_TEST_CASE(text_and_drawing) {
    four f{*this};
    const hanabi::dispatcher r = run();
    auto plan = r.plan((scale[over(n)](2.0f, f.a, n) & scale[over("m"_arg)]("alpha"_arg, f.b, n)) >>
                       add[over(n) | block(64)](1.0f, f.a, f.b, n) >> hanabi::fill(f.c, 1.0f) >> hanabi::copy(f.d, f.c));
    const std::string text = plan.text();
    for (const char* part : {"0: work::scal(alpha=2, x=0x", ", n=300), grid 2, block 256, at plan.cpp:",
                             "1: work::scal(alpha=\"alpha\"_arg, x=0x", "to be bound", "2: work::axpy(alpha=1", "grid 5, block 64",
                             ", after 0 1\n", "3: fill 300 words of 4 bytes", "after 2", "4: copy 1200 bytes", "after 3"})
        BOOST_TEST(text.find(part) != std::string::npos, part << " is not in\n" << text);
    plan.rebind("alpha"_arg = 0.5f, "m"_arg = 7);
    BOOST_TEST(plan.text().find("1: work::scal(alpha=0.5") != std::string::npos);
    plan.rebind("m"_arg = 0);
    BOOST_TEST(plan.text().find("nothing to do") != std::string::npos);
    auto open = r.plan(hanabi::fill(f.c, "v"_arg) >> hanabi::copy(f.d, "from"_arg));
    BOOST_TEST(open.text().find(" with \"v\"_arg (to be bound)") != std::string::npos);
    BOOST_TEST(open.text().find("copy 1200 bytes \"from\"_arg (to be bound) to 0x") != std::string::npos);
    open.rebind("v"_arg = 1.0f);
    BOOST_TEST(open.text().find(" with 0x3f800000") != std::string::npos);
    const std::string dot = plan.dot();
    for (const char* part : {"digraph plan {", "n0 [label=\"work::scal\\ngrid 2, block 256\\n(alpha=2", "plan.cpp:", "n0 -> n2;",
                             "n1 -> n2;", "n3 -> n4;", "color=grey"})
        BOOST_TEST(dot.find(part) != std::string::npos, part << " is not in\n" << dot);
}

BOOST_AUTO_TEST_CASE(empty) {
    const hanabi::dispatcher r = run();
    auto plan = r.plan(hanabi::when(false, nop[over(1)]()));
    BOOST_TEST(plan.size() == 0u);
    BOOST_TEST(plan.text() == "");
    plan.replay();
    r.synchronize();
}

BOOST_AUTO_TEST_CASE(what_no_plan_is_made_of) {
    four f{*this};
    const hanabi::dispatcher r = run();
    static constexpr hanabi::kernel<"work", "axpyy", void()> missing;
    static constexpr hanabi::kernel<"work", "scal", void(int)> wrong;
    HANABI_CHECK_ERROR(r.plan(scale[over(n) | block(4096)](2.0f, f.a, n)), errc::invalid_geometry, "launching work::scal at ", "4096",
                       "1024");
    HANABI_CHECK_ERROR(r.plan(missing[over(1)]()), errc::unknown_symbol, "axpyy", "'axpy'");
    HANABI_CHECK_ERROR(r.plan(wrong[over(1)](1)), errc::signature_mismatch, "scal");
    HANABI_CHECK_ERROR(r.plan(hanabi::repeat(-1, nop[over(1)]())), errc::value_out_of_range, "-1");
    HANABI_CHECK_ERROR(r.plan(nop[hanabi::grid(-1) | block(1)]()), errc::invalid_geometry, "-1");
    HANABI_CHECK_ERROR(r.plan(scale[over(n)](2.0f, f.a, n) & add[over(n)](2.0f, f.a, f.b, n)), errc::race, "work::scal", "work::axpy");
    std::vector<float> few(10);
    HANABI_CHECK_ERROR(r.plan(hanabi::copy(f.a, few)), errc::size_mismatch, "10", "300");
    hanabi::event mark{*gpu};
    const hanabi::event moved = std::move(mark);
    HANABI_CHECK_ERROR(r.plan(hanabi::record(mark)), errc::invalid_argument, "moved from");
    HANABI_CHECK_ERROR(r.plan(nop[over(1) | hanabi::programmatic_event(moved.handle())]()), errc::invalid_argument, "record(event)");
}

BOOST_AUTO_TEST_SUITE_END()
