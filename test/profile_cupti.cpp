// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Profiling by CUPTI, all the way: launches of the policies, records of a cupti::session, the ledger's account, the sinks. On
// the host driver by its own CUPTI, on a GPU by the real one.

#define BOOST_TEST_MODULE profile_cupti
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <hanabi/cupti.hpp>
#include <hanabi/host/cupti.hpp>
#include <hanabi/profile.hpp>
#include <hanabi/trace.hpp>

#include <sstream>

using namespace hanabi::literals;
using hanabi::over;
using hanabi::registry;
namespace cupti = hanabi::cupti;
namespace host = hanabi::host;
namespace profile = hanabi::profile;

namespace {

struct measured : recording {
    measured() {
        if (on_host()) host::cupti_reset();
    }
    ~measured() {
        if (on_host()) host::cupti_reset();
    }
    cupti::library library() const { return on_host() ? cupti::library::host() : cupti::library::load(); }
};

struct seen {
    std::vector<std::string> sources;
    unsigned records = 0, host_times = 0, others = 0;
    void take(const profile::row& r) {
        if (r.launch == nullptr) {
            others += r.is_kernel();
            return;
        }
        sources.emplace_back(r.source);
        records += r.record != nullptr;
        host_times += r.launch->host_start != 0;
    }
};

} // namespace

static_assert(profile::activity_source<cupti::session> && hanabi::launch_policy<profile::activity<cupti::session>>);

BOOST_FIXTURE_TEST_CASE(every_launch_is_matched_and_ran_as_requested, measured) {
    if (!on_host() && !cupti::available()) {
        BOOST_TEST_MESSAGE("skipped: no CUPTI here");
        return;
    }
    const registry r = load();
    cupti::session session{library()};
    session.start();
    profile::ledger ledger;
    seen rows;
    std::ostringstream json;
    hanabi::trace::summary summary;
    hanabi::trace::chrome chrome{json};
    ledger.attach(rows);
    ledger.attach(summary);
    ledger.attach(chrome);
    ledger.expect(r, scal, none);
    const hanabi::dispatcher run{r, profile::activity{session, ledger}};
    const hanabi::dispatcher unobserved{r};
    for (int i = 0; i < 500; ++i) {
        run(scal[over(i + 1) | hanabi::shared<float>(i % 3)](0.5f, nullptr, 0));
        if (i % 10 == 0) run(none[hanabi::grid(2, 3) | hanabi::block(8, 4)]());
        if (i % 100 == 99) {
            run.synchronize();
            static_cast<void>(session.flush_all());
            ledger.collect(session);
        }
    }
    unobserved(none[over(1)]());
    std::error_code ec;
    run(none[hanabi::grid(1) | hanabi::block(5000)](), ec);
    unobserved.synchronize();
    const auto account = ledger.finish(session);
    BOOST_TEST(account.launches == 551u);
    BOOST_TEST(account.matched == 550u);
    BOOST_TEST(account.failed == 1u);
    BOOST_TEST(account.mismatched == 0u);
    BOOST_TEST(account.others == 1u);
    BOOST_TEST(rows.others == 1u);
    BOOST_TEST((account.adds_up() && account.complete()));
    BOOST_TEST(rows.records == 550u);
    BOOST_TEST(rows.host_times >= 540u); // the driver's call as CUPTI saw it
    for (const std::string& source : rows.sources) BOOST_REQUIRE((source == "none" || source.starts_with("CUPTI")));
    BOOST_TEST(summary.lines().size() == 3u); // the unobserved launch is a line without a module
    BOOST_TEST(json.str().find("\"ac2g\"") != std::string::npos);
    BOOST_TEST(json.str().find("\"time source\": \"CUPTI") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(another_client_has_cupti, measured) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const registry r = load();
    host::cupti_fail(cupti::entry::activity_enable, cupti::status::multiple_subscribers_not_supported);
    cupti::session session{library()};
    std::error_code why;
    session.start(why);
    BOOST_TEST((why == cupti::status::multiple_subscribers_not_supported));
    profile::ledger ledger;
    seen rows;
    ledger.attach(rows);
    profile::event_pool pool{*gpu, ledger, 16};
    const profile::fallback timing{profile::activity{session, ledger}, profile::events{pool}, profile::host_clock{ledger}};
    BOOST_TEST(timing.chosen() == 1u);
    BOOST_TEST((timing.reason<0>() == cupti::status::multiple_subscribers_not_supported)); // for programs
    BOOST_TEST(session.why().find("39") != std::string::npos, session.why());              // and for people
    const hanabi::dispatcher run{r, timing};
    run(none[over(1)]());
    // Without a fallback launches work, and the account says what is missing.
    const hanabi::dispatcher blind{r, profile::activity{session, ledger}};
    blind(none[over(1)]());
    run.synchronize();
    const auto account = ledger.finish(session, pool);
    BOOST_TEST(account.launches == 2u);
    BOOST_TEST(account.matched == 1u);
    BOOST_TEST(account.undelivered == 1u);
    BOOST_TEST((account.unavailable == cupti::status::multiple_subscribers_not_supported));
    BOOST_TEST((account.adds_up() && !account.complete()));
    BOOST_TEST(rows.sources[0] == "events");
    BOOST_TEST(rows.sources[1] == "none");
}

BOOST_FIXTURE_TEST_CASE(records_without_time_and_records_that_are_dropped, measured) {
    HANABI_SKIP_ON_CUDA("on order");
    const registry r = load();
    cupti::session session{library()};
    session.start();
    profile::ledger ledger;
    hanabi::trace::summary summary;
    ledger.attach(summary);
    host::cupti_without_time(2);
    const hanabi::dispatcher run{r, profile::activity{session, ledger}, profile::host_clock{ledger}};
    for (int i = 0; i < 5; ++i) run(none[over(1)]());
    run.synchronize();
    const auto account = ledger.finish(session);
    BOOST_TEST(account.launches == 5u);
    BOOST_TEST(account.without_time == 2u);
    BOOST_TEST(account.matched == 3u);
    BOOST_TEST(account.adds_up());
    BOOST_TEST(summary.lines()[0]->no_time == 2u);
    BOOST_TEST(summary.lines()[0]->timed == 3u);
    // The count of drops can't be read: unknown, and why.
    host::cupti_fail(cupti::entry::activity_get_num_dropped_records, cupti::status::invalid_operation, 1, host::forever);
    const auto unknown = ledger.finish(session);
    BOOST_TEST(!unknown.drops_known);
    BOOST_TEST((unknown.drops_why == cupti::status::invalid_operation));
    BOOST_TEST(!unknown.complete());
}
