// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The launch ledger: records joined to launches in any order, what becomes of those that get none, and the account.

#define BOOST_TEST_MODULE profile_ledger
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <hanabi/activity_session.hpp>
#include <hanabi/profile.hpp>

#include <atomic>
#include <map>
#include <random>
#include <thread>

using namespace hanabi::literals;
using hanabi::activity_kind;
using hanabi::activity_record;
using hanabi::over;
using hanabi::registry;
namespace profile = hanabi::profile;
using profile::outcome;

namespace {

/// A session as CUPTI's is: launches get correlations, and what is delivered is up to the test.
struct feed {
    std::vector<activity_record> delivered;
    std::vector<std::uint64_t> launches; ///< ids, in order; correlation i + 1
    hanabi::drop_count dropped;
    std::error_code state;

    hanabi::launch_mark begin_launch(std::uint64_t id) noexcept {
        launches.push_back(id);
        return {};
    }
    void end_launch(std::uint64_t, const hanabi::launch_view&, hanabi::launch_mark, std::error_code) noexcept {}
    template <class Visitor>
    std::size_t drain(Visitor&& visit) {
        const auto all = std::move(delivered);
        delivered.clear();
        for (const auto& r : all) visit(r);
        return all.size();
    }
    std::error_code flush_all() noexcept { return {}; }
    hanabi::drop_count drops() noexcept { return dropped; }
    std::error_code status() const noexcept { return state; }
    const char* time_source() const noexcept { return "feed"; }

    static activity_record external(std::uint32_t correlation, std::uint64_t id) {
        activity_record r;
        r.kind = activity_kind::external_correlation;
        r.correlation = correlation;
        r.external_kind = 3;
        r.external_id = id;
        return r;
    }
    static activity_record kernel(std::uint32_t correlation, std::uint64_t start, std::uint64_t end) {
        activity_record r;
        r.kind = activity_kind::concurrent_kernel;
        r.correlation = correlation;
        r.start = start;
        r.end = end;
        r.name = "none";
        r.registers = 8;
        for (auto& n : r.grid) n = 1;
        r.block[0] = 256;
        r.block[1] = r.block[2] = 1;
        return r;
    }
    static activity_record call(std::uint32_t correlation, std::uint64_t start, std::uint64_t end) {
        activity_record r;
        r.kind = activity_kind::driver;
        r.cbid = 307;
        r.correlation = correlation;
        r.start = start;
        r.end = end;
        return r;
    }
};

struct tally {
    std::map<outcome, unsigned> launches;
    unsigned others = 0, wrong = 0;
    std::uint64_t host = 0;
    std::string names;
    void take(const profile::row& r) {
        if (r.launch == nullptr) {
            ++others;
            return;
        }
        ++launches[r.result];
        if (r.mismatched != 0) ++wrong;
        if (r.launch->host_start != 0) ++host;
        names += std::string{r.name} + " ";
        if (r.timed()) BOOST_TEST(std::string{r.source} == "feed");
    }
};

struct fed : recording {
    registry modules = load();
    profile::ledger ledger;
    feed source;
    tally sink;
    fed() { ledger.attach(sink); }
    void launch(int n) {
        const hanabi::dispatcher run{modules, profile::activity{source, ledger}};
        for (int i = 0; i < n; ++i) run(none[over(1)]());
    }
    void deliver(const activity_record& r) { source.delivered.push_back(r); }
    std::uint64_t id(std::size_t i) const { return source.launches[i]; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(matching, fed)

BOOST_AUTO_TEST_CASE(records_in_any_order_and_over_several_rounds) {
    const std::uint32_t n = 200;
    launch(static_cast<int>(n));
    std::vector<activity_record> all;
    for (std::uint32_t i = 0; i < n; ++i) {
        all.push_back(feed::external(i + 1, id(i)));
        all.push_back(feed::kernel(i + 1, 1000 + i, 2000 + i));
        all.push_back(feed::call(i + 1, 500 + i, 600 + i));
    }
    std::shuffle(all.begin(), all.end(), std::mt19937{1});
    for (std::size_t i = 0; i < all.size(); ++i) {
        deliver(all[i]);
        if (i % 200 == 199) ledger.collect(source); // a record waits for at most two rounds more
    }
    const auto account = ledger.finish(source);
    BOOST_TEST(account.launches == n);
    BOOST_TEST(account.matched == n);
    BOOST_TEST(account.mismatched == 0u);
    BOOST_TEST(account.others == 0u);
    BOOST_TEST((account.adds_up() && account.complete()));
    BOOST_TEST(sink.launches[outcome::matched] == n);
    BOOST_TEST(sink.host > 0u); // the calls' times, where they came in time
}

BOOST_AUTO_TEST_CASE(launches_of_nothing_wait_for_no_record) {
    launch(1);
    hanabi::dispatcher{modules, profile::activity{source, ledger}}(none[over(0)]());
    deliver(feed::external(1, id(0)));
    deliver(feed::kernel(1, 1000, 1500));
    const auto account = ledger.finish(source);
    BOOST_TEST(account.launches == 2u);
    BOOST_TEST(account.matched == 1u);
    BOOST_TEST(account.empty == 1u);
    BOOST_TEST((account.adds_up() && account.complete()));
    BOOST_TEST(sink.launches[outcome::empty] == 1u);
}

BOOST_AUTO_TEST_CASE(every_outcome_and_the_sum_of_them) {
    launch(9);
    for (std::uint32_t i = 0; i < 7; ++i) deliver(feed::external(i + 1, id(i)));
    deliver(feed::kernel(1, 1000, 1500));
    deliver(feed::kernel(2, 1500, 1500));                                 // of length 0: timed
    deliver(feed::kernel(3, 0, 0));                                       // no time
    deliver(feed::kernel(4, 0, 900));                                     // no time
    deliver(feed::kernel(5, 9223372036854775808u, 9223372036854775808u)); // no time
    deliver(feed::kernel(6, 2000, 0));                                    // unfinished
    source.dropped = {1, true, {}};
    const auto account = ledger.finish(source); // 7, 8 and 9 got nothing; one was dropped
    BOOST_TEST(account.launches == 9u);
    BOOST_TEST(account.matched == 2u);
    BOOST_TEST(account.without_time == 3u);
    BOOST_TEST(account.incomplete == 1u);
    BOOST_TEST(account.dropped == 1u);
    BOOST_TEST(account.undelivered == 2u);
    BOOST_TEST(account.failed == 0u);
    BOOST_TEST((account.adds_up() && !account.complete()));
    BOOST_TEST(sink.launches[outcome::dropped] == 1u);
    BOOST_TEST(sink.launches[outcome::undelivered] == 2u);

    // Late ones are no launch's any more, and nothing is counted twice.
    deliver(feed::external(8, id(7)));
    deliver(feed::kernel(8, 3000, 4000));
    const auto later = ledger.finish(source);
    BOOST_TEST(later.launches == 9u);
    BOOST_TEST(later.dropped == 1u);
    BOOST_TEST(later.late == 1u);
    BOOST_TEST(later.others == 1u);
    BOOST_TEST(later.adds_up());
}

BOOST_AUTO_TEST_CASE(drops_that_are_unknown_are_not_none) {
    launch(2);
    source.dropped = {0, false, make_error_code(hanabi::driver::status::invalid_context)};
    source.state = make_error_code(hanabi::driver::status::not_permitted);
    const auto account = ledger.finish(source);
    BOOST_TEST(!account.drops_known);
    BOOST_TEST((account.drops_why == hanabi::driver::status::invalid_context));
    BOOST_TEST((account.unavailable == hanabi::driver::status::not_permitted));
    BOOST_TEST(account.undelivered == 2u);
    BOOST_TEST((account.adds_up() && !account.complete()));
}

BOOST_AUTO_TEST_CASE(requested_against_executed) {
    launch(5);
    ledger.expect_registers(none.info, 8);
    for (std::uint32_t i = 0; i < 5; ++i) {
        deliver(feed::external(i + 1, id(i)));
        activity_record r = feed::kernel(i + 1, 10, 20);
        if (i == 1) r.grid[2] = 2;
        if (i == 2) r.block[0] = 128;
        if (i == 3) r.dynamic_shared = 16;
        if (i == 4) r.registers = 9;
        deliver(r);
    }
    struct bits {
        std::vector<unsigned> all;
        void take(const profile::row& r) { all.push_back(r.mismatched); }
    } wrong;
    ledger.attach(wrong);
    const auto account = ledger.finish(source);
    BOOST_TEST(account.matched == 5u);
    BOOST_TEST(account.mismatched == 4u);
    const std::vector<unsigned> expected{0, profile::mismatch::grid, profile::mismatch::block, profile::mismatch::shared_memory,
                                         profile::mismatch::registers};
    BOOST_TEST(wrong.all == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(registers_are_read_from_the_module) {
    struct three {
        signed char bytes[3];
    };
    static constexpr hanabi::kernel<"machine", "probe", void(float*, short, float, three, double)> probe;
    hanabi::host::define(probe, [](hanabi::host::thread, float*, short, float, three, double) {});
    const registry machine = registry::load(*gpu, {{"machine", test::file("cases/19-nv-info-varies/kernel.sm_90.cubin")}});
    ledger.expect(machine, probe);
    ledger.expect(modules, none); // PTX: not known
    hanabi::dispatcher{machine,
                       profile::activity{source, ledger}}(probe[over(1) | hanabi::block(64)](nullptr, short{}, 0.0f, three{}, 0.0));
    const hanabi::current_context current{*gpu};
    int registers = 0;
    const auto function = machine.function("machine", "probe");
    BOOST_TEST((gpu->table().func_get_attribute(&registers, hanabi::driver::function_attribute::num_regs, function) ==
                hanabi::driver::status::success));
    BOOST_TEST(registers > 0);
    activity_record r = feed::kernel(1, 10, 20);
    r.block[0] = 64;
    r.registers = static_cast<std::uint32_t>(registers) + 17;
    deliver(r);
    deliver(feed::external(1, id(0)));
    BOOST_TEST(ledger.finish(source).mismatched == 1u);
    static constexpr hanabi::kernel<"common", "missing", void()> missing;
    BOOST_CHECK_THROW(ledger.expect(modules, missing), hanabi::error);
}

BOOST_AUTO_TEST_CASE(what_is_not_of_the_policies_is_told_apart) {
    launch(1);
    deliver(feed::external(1, id(0)));
    deliver(feed::kernel(1, 10, 20));
    deliver(feed::kernel(1, 30, 40));  // a graph's second kernel
    deliver(feed::kernel(77, 10, 20)); // somebody else's launch
    activity_record theirs = feed::external(78, 12345);
    theirs.external_kind = 1; // another tool's ids
    deliver(theirs);
    deliver(feed::external(79, 12345)); // an id that this ledger never gave
    deliver(feed::kernel(79, 10, 20));
    deliver(feed::kernel(0, 10, 20)); // without a correlation
    activity_record copy;
    copy.kind = activity_kind::memcpy;
    copy.start = 1;
    copy.end = 2;
    deliver(copy);
    const auto account = ledger.finish(source);
    BOOST_TEST(account.launches == 1u);
    BOOST_TEST(account.matched == 1u);
    BOOST_TEST(account.others == 4u);
    BOOST_TEST(sink.others == 5u);
    BOOST_TEST(account.adds_up());
}

BOOST_AUTO_TEST_CASE(waiting_records_are_bounded) {
    profile::ledger small{{.launches_per_thread = 16, .waiting_records = 100}};
    small.attach(sink);
    for (std::uint32_t i = 1; i <= 1000; ++i) small.take(feed::kernel(i, 10, 20));
    BOOST_TEST(small.counts().others >= 900u);
    BOOST_TEST(small.finish().others == 1000u);
    BOOST_TEST(sink.others == 1000u);
}

BOOST_AUTO_TEST_CASE(a_sink_that_throws_is_the_callers_business_and_loses_no_count) {
    struct {
        int calls = 0;
        void take(const profile::row&) {
            if (++calls == 2) throw std::runtime_error{"disk full"};
        }
    } sometimes;
    profile::ledger plain;
    plain.attach(sometimes);
    const hanabi::dispatcher go{modules, profile::host_clock{plain}};
    for (int i = 0; i < 4; ++i) go(none[over(1)]());
    BOOST_CHECK_THROW(plain.collect(), std::runtime_error);
    const auto account = plain.finish();
    BOOST_TEST(account.launches == 4u);
    BOOST_TEST(account.adds_up());
}

BOOST_AUTO_TEST_CASE(ids_of_one_ledger_are_none_of_another) {
    launch(3);
    profile::ledger other;
    feed theirs;
    const hanabi::dispatcher run{modules, profile::activity{theirs, other}};
    for (int i = 0; i < 3; ++i) run(none[over(1)]());
    for (const std::uint64_t mine : source.launches)
        for (const std::uint64_t its : theirs.launches) BOOST_TEST(mine != its);
    deliver(feed::external(1, theirs.launches[0])); // delivered to the wrong one
    deliver(feed::kernel(1, 10, 20));
    const auto account = ledger.finish(source);
    BOOST_TEST(account.matched == 0u);
    BOOST_TEST(account.undelivered == 3u);
    BOOST_TEST(account.late == 1u);
    BOOST_TEST(account.adds_up());
}

BOOST_AUTO_TEST_CASE(launches_of_a_plan_have_one_correlation) {
    // As a plan's replay calls policies: before for each node, one driver call, after in reverse; views at one address.
    const hanabi::launch_shape small{.extent = {1, 1, 1}, .block = {32, 1, 1}, .cluster = {0, 1, 1}, .shared = 0, .site = {}};
    const hanabi::launch_shape shapes[]{
        small, {.extent = {2, 1, 1}, .block = {32, 1, 1}, .cluster = {0, 1, 1}, .shared = 0, .site = {}}, small};
    const hanabi::descriptor* const kernels[]{&none.info, &none.info, &scal.info};
    const std::byte arguments[32]{};
    const auto node = reinterpret_cast<hanabi::driver::graph_node_handle>(std::uintptr_t{64});
    const profile::activity policy{source, ledger};
    const profile::host_clock clock{ledger};
    std::optional<hanabi::launch_view> view; // one place for all
    const auto show = [&](int i) {
        view.reset();
        view.emplace(
            hanabi::launch_view{*kernels[i], shapes[i], hanabi::term::grid | hanabi::term::block, nullptr, nullptr, arguments, node});
    };
    for (int replay = 0; replay < 3; ++replay) {
        std::vector<profile::activity<feed>::token> tokens;
        std::vector<profile::ticket> tickets;
        for (int i = 0; i < 3; ++i) {
            show(i);
            tokens.push_back(policy.before(*view));
            tickets.push_back(clock.before(*view));
        }
        for (int i = 2; i >= 0; --i) {
            show(i);
            clock.after(*view, tickets[static_cast<std::size_t>(i)], {});
            policy.after(*view, tokens[static_cast<std::size_t>(i)], {});
        }
    }
    BOOST_TEST(ledger.counts().launches == 9u);
    for (std::uint32_t replay = 0; replay < 3; ++replay) {
        deliver(feed::external(replay + 1, source.launches[replay * 3 + 2])); // of the last one pushed
        for (int i : {2, 1, 0}) {                                             // in any order
            activity_record r = feed::kernel(replay + 1, 10, 20);
            r.graph_id = 5;
            r.name = i == 2 ? "scal" : "none";
            r.grid[0] = i == 1 ? 2 : 1;
            r.block[0] = 32;
            deliver(r);
        }
    }
    const auto account = ledger.finish(source);
    BOOST_TEST(account.launches == 9u);
    BOOST_TEST(account.matched == 9u);
    BOOST_TEST(account.mismatched == 0u);
    BOOST_TEST(account.others == 0u);
    BOOST_TEST(account.adds_up());
}

BOOST_AUTO_TEST_CASE(options_of_any_size) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
        profile::ledger small{{.launches_per_thread = size, .waiting_records = 0}};
        const hanabi::dispatcher run{modules, profile::host_clock{small}};
        for (int i = 0; i < 5; ++i) run(none[over(1)]());
        small.take(feed::kernel(1, 10, 20));
        small.take(feed::kernel(2, 10, 20));
        const auto account = small.finish();
        BOOST_TEST(account.launches == 5u);
        BOOST_TEST(account.matched + account.dropped == 5u);
        BOOST_TEST(account.matched >= 2u);
        BOOST_TEST(account.others == 2u);
        BOOST_TEST(account.adds_up());
    }
    profile::ledger unused;
    const auto account = unused.finish();
    BOOST_TEST(account.launches == 0u);
    BOOST_TEST((account.adds_up() && account.complete()));
}

BOOST_AUTO_TEST_CASE(a_launch_within_a_policy_of_a_launch) {
    // A log whose function launches, and collects.
    profile::ledger inner;
    const hanabi::dispatcher nested{modules, profile::host_clock{inner}};
    int lines = 0;
    auto again = [&](std::string_view) {
        ++lines;
        nested(none[over(1)]());
        inner.collect();
    };
    const hanabi::dispatcher run{modules, profile::host_clock{inner}, profile::log{again}};
    for (int i = 0; i < 3; ++i) run(none[over(1)]());
    BOOST_TEST(lines == 3);
    const auto account = inner.finish();
    BOOST_TEST(account.launches == 6u);
    BOOST_TEST(account.matched == 6u);
    BOOST_TEST(account.adds_up());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(threads, recording)

BOOST_AUTO_TEST_CASE(many_threads_one_ledger_one_session_and_a_reader) {
    const registry r = load();
    r.require(none, scal);
    hanabi::activity_session session{hanabi::activity_session::faithful{}};
    session.start();
    profile::ledger ledger{{.launches_per_thread = 4096}};
    struct counter {
        std::uint64_t rows = 0, timed = 0, sum = 0;
        void take(const profile::row& row) {
            ++rows;
            if (row.timed()) ++timed;
            if (row.launch != nullptr) sum += static_cast<std::uint64_t>(row.launch->argument<int>(2));
        }
    } counter;
    ledger.attach(counter);
    constexpr int threads = 8, each = 1000;
    std::atomic<int> running{threads};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&] {
            const hanabi::dispatcher run{r, profile::activity{session, ledger}, profile::host_clock{ledger}};
            for (int i = 0; i < each; ++i) run(scal[over(1)](0.5f, nullptr, i));
            --running;
        });
    while (running != 0) {
        static_cast<void>(session.flush_all());
        ledger.collect(session);
    }
    for (auto& t : all) t.join();
    const auto account = ledger.finish(session);
    BOOST_TEST(account.launches == static_cast<std::uint64_t>(threads) * each);
    BOOST_TEST(account.matched + account.dropped == account.launches); // no record lost; a slow reader leaves a ring full
    BOOST_TEST(account.adds_up());
    BOOST_TEST(counter.timed >= account.matched);
    if (account.dropped == 0) BOOST_TEST(counter.sum == static_cast<std::uint64_t>(threads) * each * (each - 1) / 2);
}

BOOST_AUTO_TEST_CASE(more_threads_than_there_are_rings_for) {
    const registry r = load();
    r.require(none);
    profile::ledger ledger{{.launches_per_thread = 256}}, other{{.launches_per_thread = 256}};
    std::atomic<int> waiting{0};
    std::vector<std::thread> all;
    constexpr int threads = 80;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&] {
            const hanabi::dispatcher run{r, profile::host_clock{ledger}, profile::host_clock{other}, profile::host_clock{ledger}};
            run(none[over(1)]());
            ++waiting;
            while (waiting < threads) std::this_thread::yield(); // all of them alive at once
            run(none[over(1)]());
        });
    for (auto& t : all) t.join();
    const auto account = ledger.finish();
    BOOST_TEST(account.launches == 2u * threads);
    BOOST_TEST(account.matched == account.launches);
    BOOST_TEST(account.adds_up());
    BOOST_TEST(other.finish().launches == 2u * threads);
}

BOOST_AUTO_TEST_CASE(many_ledgers_of_one_thread) {
    const registry r = load();
    std::vector<std::unique_ptr<profile::ledger>> all;
    for (int i = 0; i < 10; ++i) all.push_back(std::make_unique<profile::ledger>(profile::ledger_options{.launches_per_thread = 16}));
    for (int round = 0; round < 3; ++round)
        for (auto& ledger : all) hanabi::dispatcher{r, profile::host_clock{*ledger}}(none[over(1)]());
    for (auto& ledger : all) {
        const auto account = ledger->finish();
        BOOST_TEST(account.launches == 3u);
        BOOST_TEST(account.matched == 3u);
    }
    // A ledger where one was: what the thread remembers of the old one is not taken for it.
    for (int i = 0; i < 20; ++i) {
        profile::ledger fresh_one{{.launches_per_thread = 16}};
        hanabi::dispatcher{r, profile::host_clock{fresh_one}}(none[over(1)]());
        BOOST_TEST(fresh_one.finish().launches == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
