// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Dependencies found out: against a definition of them, and programs run by them against the same in sequence.

#define BOOST_TEST_MODULE dataflow
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <hanabi/detail/dataflow.hpp>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

using hanabi::buffer;
using hanabi::over;
using hanabi::detail::dataflow_graph;
using hanabi::detail::memory_access;
namespace host = hanabi::host;

namespace {

memory_access reading(std::uint32_t task, std::uint64_t begin, std::uint64_t end) { return {begin, end, task, task, 1, false}; }
memory_access writing(std::uint32_t task, std::uint64_t begin, std::uint64_t end) { return {begin, end, task, task, 1, true}; }

std::vector<std::vector<std::uint32_t>> edges(const dataflow_graph& g) {
    std::vector<std::vector<std::uint32_t>> all;
    for (std::size_t t = 0; t < g.size(); ++t) all.emplace_back(g.predecessors_of(t).begin(), g.predecessors_of(t).end());
    return all;
}
using lists = std::vector<std::vector<std::uint32_t>>;

bool conflict(const memory_access& a, const memory_access& b) {
    return a.task != b.task && (a.writes || b.writes) && a.begin < b.end && b.begin < a.end;
}

} // namespace

BOOST_AUTO_TEST_CASE(readers_wait_for_the_writer_and_writers_for_the_readers) {
    // 0 writes, 1 and 2 read, 3 writes, 4 reads and writes, 5 is elsewhere.
    const auto g = hanabi::detail::infer(6, std::vector{writing(0, 0, 8), reading(1, 0, 8), reading(2, 0, 8), writing(3, 0, 8),
                                                        reading(4, 0, 8), writing(4, 0, 8), reading(5, 8, 16)});
    BOOST_TEST((edges(g) == lists{{}, {0}, {0}, {2, 1}, {3}, {}}));
    BOOST_TEST((std::vector<std::uint32_t>(g.level.begin(), g.level.end()) == std::vector<std::uint32_t>{0, 1, 1, 2, 3, 0}));
    BOOST_TEST(g.depth == 4u);
    BOOST_TEST(g.width == 2u);
    const auto nothing = hanabi::detail::infer(0, {});
    BOOST_TEST(nothing.depth == 0u);
    BOOST_TEST(nothing.width == 0u);
    const auto untouched = hanabi::detail::infer(3, std::vector{reading(1, 5, 5), writing(2, 7, 6)}); // nothing, in both
    BOOST_TEST((edges(untouched) == lists{{}, {}, {}}));
    BOOST_TEST(untouched.width == 3u);
}

BOOST_AUTO_TEST_CASE(ranges_that_overlap) {
    const auto g = hanabi::detail::infer(
        5, std::vector{writing(0, 0, 10), writing(1, 10, 20), reading(2, 5, 15), writing(3, 0, 5), writing(4, 0, ~std::uint64_t{0})});
    BOOST_TEST((edges(g) == lists{{}, {}, {0, 1}, {0}, {3, 2, 1}}));
}

BOOST_AUTO_TEST_CASE(as_defined) {
    std::mt19937 random{7};
    const auto below = [&](unsigned k) { return static_cast<unsigned>(random() % k); };
    for (int round = 0; round < 300; ++round) {
        const unsigned tasks = 1 + below(25), places = 1 + below(12);
        std::vector<memory_access> all;
        for (std::uint32_t t = 0; t < tasks; ++t)
            for (unsigned i = below(4); i > 0; --i) {
                const std::uint64_t begin = below(places), end = begin + 1 + below(3);
                all.push_back(below(3) == 0 ? writing(t, begin, end) : reading(t, begin, end));
            }
        const auto g = hanabi::detail::infer(tasks, all);
        // What is before what, by edges.
        std::vector<std::vector<bool>> before(tasks, std::vector<bool>(tasks));
        for (std::uint32_t t = 0; t < tasks; ++t)
            for (const std::uint32_t p : g.predecessors_of(t)) {
                BOOST_REQUIRE(p < t);
                before[p][t] = true;
                for (std::uint32_t q = 0; q < tasks; ++q)
                    if (before[q][p]) before[q][t] = true;
                bool wanted = false;
                for (const memory_access& a : all)
                    for (const memory_access& b : all) wanted = wanted || (a.task == p && b.task == t && conflict(a, b));
                BOOST_REQUIRE(wanted);
            }
        bool any = false;
        for (const memory_access& a : all)
            for (const memory_access& b : all)
                if (a.task < b.task && conflict(a, b)) {
                    BOOST_REQUIRE(before[a.task][b.task]);
                    any = true;
                }
        const auto race = hanabi::detail::find_race(all);
        BOOST_REQUIRE((race.first != all.size()) == any);
        if (any) BOOST_REQUIRE(conflict(all[race.first], all[race.second]));
    }
}

namespace {

/// What is reached through a parameter that the signature does not open.
struct reach {
    const unsigned* from;
    unsigned* to;
};
constexpr hanabi::kernel<"m", "mix", void(unsigned, const unsigned*, unsigned*, reach, unsigned)> mix;
constexpr char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry mix(.param .u32 a, .param .u64 x, .param .u64 y, .param .align 8 .b8 r[16], .param .u32 n) { ret; }
)";

void mix_on_host(unsigned i, unsigned a, const unsigned* x, unsigned* y, reach r, unsigned n) {
    if (i >= n) return;
    y[i] = y[i] * 3 + x[i] + a;
    r.to[i] = r.to[i] * 5 + r.from[i] + a;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_thousand_programs, fresh) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    host::define(mix, [](host::thread t, unsigned a, const unsigned* x, unsigned* y, reach r, unsigned n) {
        mix_on_host(static_cast<unsigned>(t.global_index().x), a, x, y, r, n);
    });
    host::options looking = host::current_options();
    looking.check_races = true; // at the pointers among the parameters, besides
    host::set_options(looking);
    const hanabi::registry modules = load(ptx, "m");
    const hanabi::dispatcher run{modules};
    constexpr unsigned n = 4; // elements of half a buffer
    constexpr unsigned most = 8;
    std::vector<buffer<unsigned>> buffers;
    for (unsigned i = 0; i < most; ++i) buffers.emplace_back(*gpu, 2 * n);
    std::mt19937 random{42};
    const auto below = [&](unsigned k) { return static_cast<unsigned>(random() % k); };
    std::size_t wide = 0;
    for (int program = 0; program < 1000; ++program) {
        const unsigned used = 3 + below(most - 2), length = 1 + below(16);
        std::vector<std::vector<unsigned>> expected(used, std::vector<unsigned>(2 * n));
        for (unsigned b = 0; b < used; ++b) {
            for (unsigned& v : expected[b]) v = static_cast<unsigned>(random());
            buffers[b].copy_from(expected[b]);
        }
        struct operation {
            unsigned a, x, y, from, to, half;
        };
        // Drawn until it does not race with itself: threads of one launch are nobody's to order.
        const auto draw = [&] {
            for (;;) {
                const operation o{below(100), below(used), below(used), below(used), below(used), n * below(2)};
                if (o.y != o.to && o.x != o.to && o.from != o.y && o.from != o.to) return o;
            }
        };
        const auto expression_of = [&](const operation& d) {
            const unsigned* from = buffers[d.from].data().get() + d.half;
            unsigned* to = buffers[d.to].data().get() + d.half;
            return hanabi::touches(mix[over(n) | hanabi::block(n)](d.a, buffers[d.x], buffers[d.y], reach{from, to}, n),
                                   hanabi::reads(buffers[d.from].subspan(d.half, n)), hanabi::writes(buffers[d.to].subspan(d.half, n)));
        };
        std::vector<decltype(expression_of(draw()))> list;
        for (unsigned i = 0; i < length; ++i) {
            const operation d = draw();
            list.push_back(expression_of(d));
            for (unsigned j = 0; j < n; ++j)
                mix_on_host(j, d.a, expected[d.x].data(), expected[d.y].data(),
                            {expected[d.from].data() + d.half, expected[d.to].data() + d.half}, n);
        }
        const auto whole = hanabi::dataflow(list);
        wide += hanabi::detail::infer_dataflow(whole, *gpu->state(), list.size()).width > 1;
        run(whole);
        run.synchronize();
        for (unsigned b = 0; b < used; ++b) BOOST_REQUIRE_MESSAGE(buffers[b].to_vector() == expected[b], "program " << program);
    }
    for (const host::race& r : host::races()) BOOST_TEST(false, r.text);
    BOOST_TEST(wide > 300u); // else this would be no test
}
