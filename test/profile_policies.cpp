// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Profiling policies: what they write down of a launch, alone and together, when it fails, and how they are misused.

#define BOOST_TEST_MODULE profile_policies
#include <boost/test/unit_test.hpp>

#include "support/faults.hpp"
#include "support/launching.hpp"

#include <hanabi/activity_session.hpp>
#include <hanabi/profile.hpp>
#include <hanabi/profile/launch_text.hpp>

#include <sstream>
#include <thread>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::grid;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;
namespace profile = hanabi::profile;
using profile::outcome;

namespace {

/// Rows, copied.
struct rows {
    struct line {
        profile::outcome result;
        std::string text, name, source;
        std::uint64_t id, start, end, host_start, host_end;
        std::error_code error;
        bool kernel;
    };
    std::vector<line> all;
    void take(const profile::row& r) {
        all.push_back({r.result, r.launch == nullptr ? std::string{} : profile::to_string(*r.launch), std::string{r.name}, r.source,
                       r.launch_id, r.start, r.end, r.launch == nullptr ? 0 : r.launch->host_start,
                       r.launch == nullptr ? 0 : r.launch->host_end, r.launch == nullptr ? std::error_code{} : r.launch->error(),
                       r.is_kernel()});
    }
};

struct marker final {
    void before(const hanabi::launch_view&) const noexcept {}
    void after(const hanabi::launch_view&, const std::error_code&) const noexcept {}
};

#if defined(HANABI_HAS_NVTX)
using range = profile::nvtx<>;
using other_range = profile::nvtx<"other", 7>;
#else // no toolkit here
using range = marker;
struct other_range {
    void before(const hanabi::launch_view&) const noexcept {}
    void after(const hanabi::launch_view&, const std::error_code&) const noexcept {}
};
#endif

// Stateless ones take no space; copies share their state.
static_assert(sizeof(hanabi::dispatcher<range>) == sizeof(hanabi::dispatcher<>));
static_assert(sizeof(hanabi::dispatcher<range, other_range>) == sizeof(hanabi::dispatcher<>));
static_assert(std::is_trivially_copyable_v<profile::host_clock> &&
              std::is_trivially_copyable_v<profile::activity<hanabi::activity_session>>);
static_assert(sizeof(profile::host_clock) == sizeof(void*));

/// Tells of its `after`.
struct witness {
    int& after_calls;
    std::error_code& code;
    int before(const hanabi::launch_view&) const noexcept { return 7; }
    void after(const hanabi::launch_view&, int token, const std::error_code& ec) const noexcept {
        after_calls += token;
        code = ec;
    }
};
using witness_slots = hanabi::detail::policy_slots<std::index_sequence<0>, witness>;

// What is a temporary does not live until the launch.
template <class P, class... A>
concept makes = requires(A... a) {
    P(static_cast<A>(a)...);
};
static_assert(makes<profile::host_clock, profile::ledger&> && !makes<profile::host_clock, profile::ledger&&>);
static_assert(makes<profile::events, profile::event_pool&> && !makes<profile::events, profile::event_pool&&>);
static_assert(makes<profile::record, profile::recording&> && !makes<profile::record, profile::recording&&>);
static_assert(makes<profile::log, std::ostringstream&> && !makes<profile::log, std::ostringstream&&>);
using session = hanabi::activity_session;
static_assert(makes<profile::activity<session>, session&> && !makes<profile::activity<session>, session&&>);
static_assert(makes<profile::activity<session>, session&, profile::ledger&> &&
              !makes<profile::activity<session>, session&&, profile::ledger&> &&
              !makes<profile::activity<session>, session&, profile::ledger&&> &&
              !makes<profile::activity<session>, session&&, profile::ledger&&>);
template <class S>
concept attaches = requires(profile::ledger& l, S s) {
    l.attach(static_cast<S>(s));
};
static_assert(attaches<rows&> && !attaches<rows> && !attaches<int&> && !attaches<const rows&>);
static_assert(!std::is_copy_constructible_v<profile::ledger> && !std::is_move_constructible_v<profile::ledger>);

// noexcept, by concept.
struct may_throw_before {
    void before(const hanabi::launch_view&) const {}
    void after(const hanabi::launch_view&, const std::error_code&) const noexcept {}
};
static_assert(!hanabi::launch_policy<may_throw_before>);
static_assert(hanabi::launch_policy<profile::activity<session>> && hanabi::launch_policy<profile::host_clock> &&
              hanabi::launch_policy<profile::events> && hanabi::launch_policy<range> && hanabi::launch_policy<profile::log> &&
              hanabi::launch_policy<profile::record> && hanabi::launch_policy<profile::fallback<profile::events, profile::host_clock>>);

} // namespace

BOOST_FIXTURE_TEST_SUITE(policies, recording)

BOOST_AUTO_TEST_CASE(host_clock_writes_down_everything_without_a_string) {
    const registry r = load();
    profile::ledger ledger;
    rows seen;
    ledger.attach(seen);
    const hanabi::dispatcher run{r, profile::host_clock{ledger}};
    const auto before = hanabi::detail::steady_now();
    run(axpy[over(1000)](2.0f, nullptr, nullptr, 1000));
    const auto launch_scal = run[scal];
    launch_scal(grid(3) | block(64) | hanabi::shared<float>(10), 0.5f, nullptr, 7);
    run.synchronize();
    const auto counts = ledger.counts();
    BOOST_TEST(counts.launches == 2u);
    BOOST_TEST(counts.pending == 2u);
    const auto account = ledger.finish();
    BOOST_TEST(account.launches == 2u);
    BOOST_TEST(account.matched == 2u);
    BOOST_TEST((account.adds_up() && account.complete()));
    BOOST_REQUIRE(seen.all.size() == 2u);
    BOOST_TEST(seen.all[0].text.starts_with("common::axpy(alpha=2, x=null, y=null, n=1000) at "), seen.all[0].text);
    BOOST_TEST(seen.all[0].text.find("profile_policies.cpp:") != std::string::npos, seen.all[0].text);
    BOOST_TEST(seen.all[1].name == "scal");
    BOOST_TEST(seen.all[0].source == "host clock");
    BOOST_TEST(seen.all[0].start >= before);
    BOOST_TEST(seen.all[0].end >= seen.all[0].start);
    BOOST_TEST(seen.all[1].start >= seen.all[0].end);
    BOOST_TEST(seen.all[0].id != 0u);
    BOOST_TEST(seen.all[0].id != seen.all[1].id);
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_found_by_id) {
    const registry r = load();
    profile::ledger ledger;
    const hanabi::dispatcher run{r, profile::host_clock{ledger}};
    std::uint64_t id = 0;
    struct spy {
        std::uint64_t& id;
        profile::ledger& ledger;
        void before(const hanabi::launch_view& view) const noexcept { id = ledger.open(view).id; } // joins: closes nothing
        void after(const hanabi::launch_view&, const std::error_code&) const noexcept {}
    };
    const hanabi::dispatcher spied{r, profile::host_clock{ledger}, spy{id, ledger}};
    spied(scal[over(100)](0.5f, nullptr, 100));
    const auto entry_of = ledger.find(id);
    BOOST_REQUIRE(entry_of.has_value());
    BOOST_TEST(entry_of->id == id);
    BOOST_TEST((entry_of->kernel == &scal.info));
    BOOST_TEST(entry_of->argument<int>(2) == 100);
    BOOST_TEST(entry_of->argument<float>(0) == 0.5f);
    BOOST_TEST(entry_of->argument<double>(0) == 0.0); // of another size
    BOOST_TEST(entry_of->argument<int>(9) == 0);
    BOOST_TEST(entry_of->grid(0) == 1u);
    BOOST_TEST(entry_of->block(0) == 256u);
    BOOST_TEST((entry_of->stream == gpu->stream()));
    BOOST_TEST((entry_of->context == gpu->handle()));
    BOOST_TEST(entry_of->site().line() != 0u);
    BOOST_TEST(ledger.counts().launches == 1u); // joined: one launch
    BOOST_TEST(!ledger.find(id + 64).has_value());
    BOOST_TEST(!ledger.find(0).has_value());
    ledger.collect();
    BOOST_TEST(!ledger.find(id).has_value());
}

BOOST_AUTO_TEST_CASE(activity_with_a_session_and_a_ledger) {
    const registry r = load();
    for (const bool faithful : {false, true}) {
        std::optional<hanabi::activity_session> s;
        if (faithful)
            s.emplace(hanabi::activity_session::faithful{});
        else
            s.emplace(std::size_t{1000});
        s->start();
        profile::ledger ledger;
        rows seen;
        ledger.attach(seen);
        const hanabi::dispatcher run{r, profile::activity{*s, ledger}};
        for (int i = 0; i < 100; ++i) run(scal[over(i + 1)](0.5f, nullptr, i));
        run.synchronize();
        const auto account = ledger.finish(*s);
        BOOST_TEST(account.launches == 100u);
        BOOST_TEST(account.matched == 100u);
        BOOST_TEST(account.mismatched == 0u);
        BOOST_TEST(account.adds_up());
        BOOST_REQUIRE(seen.all.size() == 100u);
        BOOST_TEST(seen.all[41].text.starts_with("common::scal(alpha=0.5, x=null, n=41) at "), seen.all[41].text);
        BOOST_TEST(seen.all[41].source == "host clock");
        BOOST_TEST(seen.all[41].start != 0u);
    }
}

BOOST_AUTO_TEST_CASE(activity_alone_leaves_bare_records) {
    const registry r = load();
    hanabi::activity_session s;
    s.start();
    const hanabi::dispatcher run{r, profile::activity{s}};
    run(none[over(1)]());
    run(none[over(1)]());
    s.flush();
    const auto records = s.drain();
    BOOST_REQUIRE(records.size() == 2u);
    BOOST_TEST(records[0].external_id != 0u);
    BOOST_TEST(records[0].external_id != records[1].external_id);
    BOOST_TEST(std::string{records[0].name} == "none");
}

BOOST_AUTO_TEST_CASE(what_a_session_can_not_store_is_counted_and_never_thrown) {
    const registry r = load();
    hanabi::activity_session s{4};
    s.start();
    profile::ledger ledger;
    const hanabi::dispatcher run{r, profile::activity{s, ledger}};
    for (int i = 0; i < 10; ++i) run(none[over(1)]());
    auto account = ledger.finish(s);
    BOOST_TEST(account.launches == 10u);
    BOOST_TEST(account.matched == 4u);
    BOOST_TEST(account.dropped == 6u);
    BOOST_TEST(account.drops == 6u);
    BOOST_TEST((account.adds_up() && !account.complete()));

    // The ledger's own room: counted too, and the records of those launches are late.
    profile::ledger small{{.launches_per_thread = 4}};
    const hanabi::dispatcher tight{r, profile::host_clock{small}};
    for (int i = 0; i < 10; ++i) tight(none[over(1)]());
    BOOST_TEST(small.counts().pending == 4u);
    small.collect(); // makes room
    for (int i = 0; i < 3; ++i) tight(none[over(1)]());
    account = small.finish();
    BOOST_TEST(account.launches == 13u);
    BOOST_TEST(account.matched == 7u);
    BOOST_TEST(account.dropped == 6u);
    BOOST_TEST(account.adds_up());
}

BOOST_AUTO_TEST_CASE(a_launch_that_fails_is_recorded_as_failed) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const registry r = load();
    profile::ledger ledger;
    rows seen;
    ledger.attach(seen);
    hanabi::activity_session s;
    s.start();
    profile::recording kept;
    std::ostringstream text;
    const hanabi::dispatcher run{r, profile::activity{s, ledger}, profile::host_clock{ledger}, profile::record{kept}, profile::log{text}};
    std::error_code ec;
    host::fail(entry::launch_kernel, status::launch_out_of_resources);
    run(none[over(1)](), ec);
    run(none[grid(1) | block(5000)](), ec);
    run(none[over(1)](), ec);
    const auto account = ledger.finish(s);
    BOOST_TEST(account.launches == 3u);
    BOOST_TEST(account.failed == 2u);
    BOOST_TEST(account.matched == 1u);
    BOOST_TEST((account.adds_up() && account.complete()));
    BOOST_REQUIRE(seen.all.size() == 3u);
    BOOST_TEST((seen.all[0].result == outcome::failed));
    BOOST_TEST((seen.all[0].error == status::launch_out_of_resources));
    BOOST_TEST((seen.all[1].error == hanabi::errc::invalid_geometry));
    BOOST_TEST((seen.all[2].result == outcome::matched));
    BOOST_REQUIRE(kept.size() == 3u);
    BOOST_TEST((kept.launches()[0].status == status::launch_out_of_resources));
    BOOST_TEST(to_string(kept.launches()[0]).find("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)") != std::string::npos);
    BOOST_TEST(text.str().find(": failed, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)") != std::string::npos, text.str());
    BOOST_TEST(text.str().find(": launched\n") != std::string::npos, text.str());
}

BOOST_AUTO_TEST_CASE(policies_of_one_ledger_share_a_launch) {
    const registry r = load();
    profile::ledger ledger, other;
    rows seen;
    ledger.attach(seen);
    hanabi::activity_session s;
    s.start();
    profile::event_pool pool{*gpu, ledger, 8};
    BOOST_REQUIRE(!pool.status());
    // The same policy twice as well: each slot is its own.
    const hanabi::dispatcher run{r,
                                 profile::host_clock{ledger},
                                 profile::activity{s, ledger},
                                 profile::host_clock{other},
                                 profile::events{pool},
                                 profile::host_clock{ledger},
                                 range{}};
    run(none[over(1)]());
    run.synchronize();
    const auto account = ledger.finish(s, pool);
    BOOST_TEST(account.launches == 1u);
    BOOST_TEST(account.matched == 1u);
    BOOST_TEST(account.adds_up());
    BOOST_TEST(other.finish().launches == 1u);
    BOOST_REQUIRE(seen.all.size() == 1u);
    BOOST_TEST(seen.all[0].host_start != 0u);
    BOOST_TEST(seen.all[0].start <= seen.all[0].end);
}

BOOST_AUTO_TEST_CASE(events_time_launches_later) {
    const registry r = load();
    profile::ledger ledger;
    rows seen;
    ledger.attach(seen);
    {
        profile::event_pool pool{*gpu, ledger, 4};
        BOOST_REQUIRE(!pool.status());
        const hanabi::dispatcher run{r, profile::events{pool}};
        for (int i = 0; i < 4; ++i) run(none[over(1)]());
        run.synchronize();
        ledger.collect(pool);
        for (int i = 0; i < 6; ++i) run(none[over(1)]()); // two more than there are pairs
        run.synchronize();
        std::error_code ec;
        run(none[grid(1) | block(5000)](), ec);
        const auto account = ledger.finish(pool);
        BOOST_TEST(account.launches == 11u);
        BOOST_TEST(account.matched == 8u);
        BOOST_TEST(account.without_time == 2u);
        BOOST_TEST(account.failed == 1u);
        BOOST_TEST(account.adds_up());
        BOOST_TEST(pool.starved() >= 2u);
        BOOST_TEST(seen.all[0].source == "events");
        BOOST_TEST(seen.all[0].start != 0u);
        BOOST_TEST(seen.all[0].end >= seen.all[0].start);
    }
    if (!on_host()) return;
    // A driver that refuses: the reason is kept, and launches go on without time.
    host::fail(entry::event_create, status::out_of_memory);
    profile::event_pool pool{*gpu, ledger, 4};
    BOOST_TEST((pool.status() == status::out_of_memory));
    const hanabi::dispatcher run{r, profile::events{pool}};
    run(none[over(1)]());
    BOOST_TEST(ledger.finish(pool).without_time == 3u);
}

BOOST_AUTO_TEST_CASE(fallback_takes_the_first_that_can) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const registry r = load();
    profile::ledger ledger;
    rows seen;
    ledger.attach(seen);
    host::fail(entry::event_create, status::out_of_memory);
    profile::event_pool broken{*gpu, ledger, 4}, working{*gpu, ledger, 4};
    const profile::fallback timing{profile::events{broken}, profile::events{working}, profile::host_clock{ledger}};
    BOOST_TEST(timing.chosen() == 1u);
    BOOST_TEST((timing.reason<0>() == status::out_of_memory));
    BOOST_TEST(!timing.reason<1>());
    BOOST_TEST(!timing.unavailable());
    const hanabi::dispatcher run{r, timing};
    run(none[over(1)]());
    const profile::fallback clock{profile::events{broken}, profile::host_clock{ledger}};
    hanabi::dispatcher{r, clock}(none[over(1)]());
    const profile::fallback nothing{profile::events{broken}};
    BOOST_TEST(nothing.chosen() == 1u);
    BOOST_TEST((nothing.unavailable() == status::out_of_memory));
    hanabi::dispatcher{r, nothing}(none[over(1)]());
    run.synchronize();
    const auto account = ledger.finish(working);
    BOOST_TEST(account.launches == 2u);
    BOOST_TEST(account.matched == 2u);
    BOOST_REQUIRE(seen.all.size() == 2u);
    BOOST_TEST(seen.all[0].source == "events");
    BOOST_TEST(seen.all[1].source == "host clock");
}

BOOST_AUTO_TEST_CASE(log_writes_a_line_and_swallows_what_its_target_throws) {
    const registry r = load();
    std::vector<std::string> lines;
    auto keep = [&](std::string_view line) { lines.emplace_back(line); };
    auto refuse = [](std::string_view) { throw std::runtime_error{"full"}; };
    std::ostringstream closed;
    closed.exceptions(std::ios::failbit | std::ios::badbit);
    closed.setstate(std::ios::goodbit);
    const hanabi::dispatcher run{r, profile::log{keep}, profile::log{refuse}, profile::log{closed}};
    run(scal[grid(2) | block(32)](0.5f, nullptr, 7));
    BOOST_REQUIRE(lines.size() == 1u);
    BOOST_TEST(lines[0].starts_with("common::scal(alpha=0.5, x=null, n=7) at "), lines[0]);
    BOOST_TEST(lines[0].find("grid (2, 1, 1), block (32, 1, 1), 0 bytes of shared memory, stream ") != std::string::npos, lines[0]);
    BOOST_TEST(lines[0].ends_with(": launched"), lines[0]);
}

BOOST_AUTO_TEST_CASE(record_keeps_arguments_whole) {
    const registry r = load();
    profile::recording kept;
    const hanabi::dispatcher run{r, profile::record{kept}};
    run(axpy[over(5)](1.5f, nullptr, nullptr, 5));
    run.on(nullptr)(none[over(1)]());
    const auto all = kept.launches();
    BOOST_REQUIRE(all.size() == 2u);
    BOOST_TEST(all[0].argument<float>(0) == 1.5f);
    BOOST_TEST(all[0].argument<int>(3) == 5);
    BOOST_TEST(all[0].argument<int>(4) == 0);
    BOOST_TEST((all[0].kernel == &axpy.info));
    BOOST_TEST((all[1].stream == nullptr));
    BOOST_TEST(kept.lost() == 0u);
    kept.clear();
    BOOST_TEST(kept.size() == 0u);
}

BOOST_AUTO_TEST_CASE(policies_are_left_when_a_launch_is_left_by_an_exception) {
    int calls = 0;
    std::error_code code;
    // As a launch is whose message found no memory.
    const witness_slots s{{{witness{calls, code}}}};
    const hanabi::launch_shape shape;
    const hanabi::launch_view view{none.info, shape, 0, nullptr, nullptr, nullptr};
    const std::error_code good;
    int token = hanabi::detail::begin_policy(hanabi::detail::get_policy<0>(s), view);
    BOOST_CHECK_THROW(hanabi::detail::end_policies<0>(
                          s, view, good, []() -> bool { throw std::bad_alloc{}; }, token),
                      std::bad_alloc);
    BOOST_TEST(calls == 7);
    BOOST_TEST((code == std::errc::not_enough_memory));
}

BOOST_AUTO_TEST_CASE(copies_moves_and_streams_share_the_state) {
    const registry r = load();
    profile::ledger ledger;
    hanabi::dispatcher a{r, profile::host_clock{ledger}, marker{}, profile::host_clock{ledger}};
    hanabi::dispatcher b = a;
    b(none[over(1)]());
    hanabi::dispatcher c = std::move(a);
    c(none[over(1)]());
    c.on(nullptr)(none[over(1)]());
    const auto launch_none = c[none];
    launch_none(over(1));
    c(scal[over(1)](1.0f, nullptr, 1) >> none[over(1)]());
    a = b; // a moved-from dispatcher takes a new value
    a(none[over(1)]());
    BOOST_TEST(ledger.finish().launches == 7u);
}

BOOST_AUTO_TEST_CASE(a_session_that_is_not_started_loses_launches_and_says_so) {
    const registry r = load();
    hanabi::activity_session idle;
    profile::ledger ledger;
    const hanabi::dispatcher run{r, profile::activity{idle, ledger}};
    run(none[over(1)]());
    const auto account = ledger.finish(idle);
    BOOST_TEST(account.launches == 1u);
    BOOST_TEST(account.dropped + account.undelivered == 1u);
    BOOST_TEST((account.adds_up() && !account.complete()));
}

BOOST_AUTO_TEST_SUITE_END()
