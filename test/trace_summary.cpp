// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The summary sink: totals, quantiles, rates, what is left out of them and told; CSV; the quantile sketch itself.

#define BOOST_TEST_MODULE trace_summary
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <hanabi/activity_session.hpp>
#include <hanabi/cupti.hpp>
#include <hanabi/profile.hpp>
#include <hanabi/trace.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

using namespace hanabi::literals;
using hanabi::activity_kind;
using hanabi::activity_record;
using hanabi::over;
using hanabi::registry;
namespace profile = hanabi::profile;
namespace trace = hanabi::trace;

namespace {

activity_record kernel(const char* name, std::uint64_t start, std::uint64_t end, std::uint32_t correlation = 1) {
    activity_record r;
    r.kind = activity_kind::concurrent_kernel;
    r.name = name;
    r.start = start;
    r.end = end;
    r.correlation = correlation;
    return r;
}

std::string text_of(const trace::summary& s) {
    std::ostringstream out;
    out << s;
    return out.str();
}
std::string csv_of(const trace::summary& s) {
    std::ostringstream out;
    s.csv(out);
    return out.str();
}

/// A session whose kernels take 1000 ns.
struct thousand {
    std::vector<activity_record> made;
    hanabi::launch_mark begin_launch(std::uint64_t) noexcept { return {}; }
    void end_launch(std::uint64_t id, const hanabi::launch_view& view, hanabi::launch_mark, std::error_code) noexcept {
        made.push_back(kernel(view.kernel.symbol.data(), 1000, 2000));
        made.back().external_id = id;
    }
    template <class V>
    std::size_t drain(V&& visit) {
        for (const auto& one : made) visit(one);
        return made.size();
    }
    std::error_code flush_all() noexcept { return {}; }
    hanabi::drop_count drops() noexcept { return {}; }
    std::error_code status() const noexcept { return {}; }
    const char* time_source() const noexcept { return "clock"; }
};

inline constexpr hanabi::kernel<"common", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">,
                                hanabi::bytes<12, "n">, hanabi::operations<2, "n">>
    measured_axpy;
inline constexpr hanabi::kernel<"common", "none", void(), hanabi::bytes<4096>> measured_none;

// The contracts: a factor, and integer parameters by name, each contract once.
using hanabi::contract_fault;
using hanabi::detail::contracts_of;
static_assert(contracts_of<hanabi::names<"n", "m">, hanabi::bytes<8, "n", "m">, hanabi::operations<3>>.fault == contract_fault::none);
static_assert(contracts_of<hanabi::bytes<8, "n">, hanabi::names<"n">>.fault == contract_fault::none);
static_assert(contracts_of<hanabi::bytes<8, "n">>.fault == contract_fault::bytes_or_operations_name_no_parameter);
static_assert(contracts_of<hanabi::names<"n">, hanabi::operations<8, "m">>.fault == contract_fault::bytes_or_operations_name_no_parameter);
static_assert(contracts_of<hanabi::bytes<8>, hanabi::bytes<8>>.fault == contract_fault::bytes_is_given_twice);
static_assert(contracts_of<hanabi::operations<8>, hanabi::operations<8>>.fault == contract_fault::operations_is_given_twice);

} // namespace

BOOST_AUTO_TEST_SUITE(totals)

// Records with zero time stamps, or with the mark for "no time", are launches and no times.
BOOST_AUTO_TEST_CASE(zero_timestamps) {
    hanabi::activity_session session;
    session.start();
    session.record(kernel("k1", 1000, 1500));
    session.record(kernel("k1", 0, 0, 2));
    session.record(kernel("k2", 1500, 1500, 3));
    session.record(kernel("k2", 2000, 2600, 4));
    session.record(kernel("k1", 0, 900, 5));
    session.record(kernel("k2", 9223372036854775808u, 9223372036854775808u, 6));
    session.flush();
    trace::summary summary;
    session.drain([&](const activity_record& r) { summary.take(r); });
    const auto lines = summary.lines();
    BOOST_REQUIRE(lines.size() == 2u);
    BOOST_TEST(lines[0]->kernel == "k2");
    BOOST_TEST(lines[0]->calls == 3u);
    BOOST_TEST(lines[0]->timed == 2u);
    BOOST_TEST(lines[0]->total == 600u);
    BOOST_TEST(lines[0]->min == 0u);
    BOOST_TEST(lines[0]->max == 600u);
    BOOST_TEST(lines[0]->no_time == 1u);
    BOOST_TEST(lines[1]->kernel == "k1");
    BOOST_TEST(lines[1]->calls == 3u);
    BOOST_TEST(lines[1]->timed == 1u);
    BOOST_TEST(lines[1]->total == 500u);
    BOOST_TEST(lines[1]->min == 500u);
    BOOST_TEST(lines[1]->max == 500u);
    BOOST_TEST(lines[1]->no_time == 2u);
    BOOST_TEST(summary.start() == 1000u);
    BOOST_TEST(summary.end() == 2600u);
    BOOST_TEST(text_of(summary).find("3 launches without time") != std::string::npos, text_of(summary));

    // Nothing timed at all: no average, which is neither 0 nor NaN.
    trace::summary empty;
    empty.take(kernel("k", 0, 0));
    BOOST_TEST(!empty.lines()[0]->mean().has_value());
    BOOST_TEST(!empty.lines()[0]->median().has_value());
    BOOST_TEST(text_of(empty).find("nan") == std::string::npos);
    BOOST_TEST(csv_of(empty).find("k,,1,0,1,0,0,0,,,,,,,,,none\r\n") != std::string::npos, csv_of(empty));
    BOOST_TEST(empty.end() == 0u);
}

// 7 records seen and 3 dropped: totals are marked; an unknown number of drops is unknown, and why.
BOOST_FIXTURE_TEST_CASE(drops_mark_the_totals, recording) {
    const registry r = load();
    hanabi::activity_session session{7};
    session.start();
    profile::ledger ledger;
    trace::summary summary;
    ledger.attach(summary);
    const hanabi::dispatcher run{r, profile::activity{session, ledger}};
    for (int i = 0; i < 10; ++i) run(none[over(1)]());
    const auto account = ledger.finish(session);
    BOOST_TEST(account.matched == 7u);
    BOOST_TEST(account.dropped == 3u);
    const std::string text = text_of(summary);
    BOOST_TEST(text.find("10 launches: 7 matched, 3 dropped\n") != std::string::npos, text);
    BOOST_TEST(text.find("3 records were dropped\n") != std::string::npos, text);
    BOOST_TEST(text.find("Totals are incomplete") != std::string::npos, text);

    profile::account unknown;
    unknown.launches = unknown.matched = 7;
    unknown.drops_known = false;
    unknown.drops_why = make_error_code(hanabi::driver::status::invalid_context);
    unknown.unavailable = make_error_code(hanabi::driver::status::not_permitted);
    summary.finish(unknown);
    BOOST_TEST(text_of(summary).find("dropped is unknown: CUDA_ERROR_INVALID_CONTEXT (201)") != std::string::npos, text_of(summary));
    BOOST_TEST(text_of(summary).find("could not record: CUDA_ERROR_NOT_PERMITTED (800)") != std::string::npos, text_of(summary));
    BOOST_TEST(text_of(summary).find("Totals are incomplete") != std::string::npos);
}

// What was forgotten is said; a session that is not used, because another one measures, is no fault.
template <class Session>
std::string without_start(const registry& r, Session& session, bool used) {
    profile::ledger ledger;
    trace::summary summary;
    ledger.attach(summary);
    if (used) {
        const hanabi::dispatcher run{r, profile::activity{session, ledger}};
        for (int i = 0; i < 3; ++i) run(none[over(1)]());
        run.synchronize();
    } else {
        const hanabi::dispatcher run{r, profile::host_clock{ledger}};
        run(none[over(1)]());
    }
    const auto account = ledger.finish(session);
    BOOST_TEST(account.never_started);
    BOOST_TEST(account.adds_up());
    BOOST_TEST(account.complete() == !used);
    return text_of(summary);
}

BOOST_FIXTURE_TEST_CASE(a_session_that_nobody_started_is_told, recording) {
    const registry r = load();
    const std::string told = "A session was never started: call its start() before the launches\n";
    hanabi::activity_session strict, faithful{hanabi::activity_session::faithful{}};
    hanabi::cupti::session cupti{hanabi::cupti::library::host()};
    const std::string texts[]{without_start(r, strict, true), without_start(r, faithful, true), without_start(r, cupti, true)};
    for (const std::string& text : texts) {
        BOOST_TEST(text.find(told) != std::string::npos, text);
        BOOST_TEST(text.find(" 0 matched") != std::string::npos, text);
    }
    BOOST_TEST(without_start(r, cupti, false).find(told) == std::string::npos);
    strict.start();
    cupti.start();
    BOOST_TEST(strict.was_started());
    BOOST_TEST(cupti.was_started());
    cupti.stop();
    BOOST_TEST(cupti.was_started());
}

BOOST_FIXTURE_TEST_CASE(rates_of_declared_work_and_call_sites, recording) {
    const registry r = load();
    profile::ledger ledger;
    trace::summary summary, sites{{.group = trace::group_by::call_site}};
    ledger.attach(summary);
    ledger.attach(sites);
    thousand session;
    const hanabi::dispatcher run{r, profile::activity{session, ledger}};
    for (int i = 0; i < 3; ++i) run(measured_axpy[over(1000)](2.0f, nullptr, nullptr, 1000));
    run(measured_axpy[over(1)](2.0f, nullptr, nullptr, -5)); // no work that could be
    run(measured_none[over(1)]());
    ledger.finish(session);
    const auto lines = summary.lines();
    BOOST_REQUIRE(lines.size() == 2u);
    BOOST_TEST(lines[0]->kernel == "common::axpy");
    BOOST_TEST(lines[0]->gigabytes_per_second().value() == 12.0); // 12000 bytes in 1000 ns
    BOOST_TEST(lines[0]->gigaflops().value() == 2.0);
    BOOST_TEST(lines[0]->source == "clock");
    BOOST_TEST(lines[1]->gigabytes_per_second().value() == 4.096);
    BOOST_TEST(!lines[1]->gigaflops().has_value());
    const auto by_site = sites.lines();
    BOOST_REQUIRE(by_site.size() == 3u);
    BOOST_TEST(by_site[0]->calls == 3u);
    BOOST_TEST(by_site[0]->site.find("trace_summary.cpp:") != std::string::npos);
    BOOST_TEST(by_site[0]->site != by_site[1]->site);
    BOOST_TEST(text_of(summary).find("80.0%  clock") != std::string::npos, text_of(summary));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(hostile)

BOOST_AUTO_TEST_CASE(names_of_any_kind) {
    trace::summary summary;
    summary.take(kernel("\x1b[31mred\n\"quoted\", \xff", 1, 2));
    summary.take(kernel("=cmd|' /C calc'!A0", 1, 2));
    summary.take(kernel(nullptr, 1, 2));
    summary.take(kernel("", 1, 2));
    summary.take(kernel("_ZN2la4scalEfPfi", 1, 2));
    const std::string long_name(5000, 'x');
    summary.take(kernel(long_name.c_str(), 1, 2));
    const std::string text = text_of(summary), csv = csv_of(summary);
    BOOST_TEST(text.find('\x1b') == std::string::npos);
    BOOST_TEST(text.find("?[31mred?\"quoted\", ?") != std::string::npos, text);
    BOOST_TEST(text.find("la::scal(float, float*, int)") != std::string::npos);
    BOOST_TEST(text.find("(unnamed)") != std::string::npos);
    BOOST_TEST(text.find(std::string(61, 'x')) == std::string::npos);
    BOOST_TEST(csv.find("\"\x1b[31mred\n\"\"quoted\"\", \xff\",") != std::string::npos, csv);
    BOOST_TEST(csv.find("'=cmd|") != std::string::npos, csv);
    BOOST_TEST(csv.find(long_name) != std::string::npos);
    BOOST_TEST(summary.lines().size() == 5u); // the two without a name are one
}

BOOST_AUTO_TEST_CASE(one_address_with_another_name_is_another_kernel) {
    trace::summary summary;
    char name[8] = "first";
    summary.take(kernel(name, 1, 2));
    std::copy_n("second", 7, name);
    summary.take(kernel(name, 1, 2));
    const std::string first_again = "first";
    summary.take(kernel(first_again.c_str(), 1, 2));
    BOOST_REQUIRE(summary.lines().size() == 2u);
    BOOST_TEST(summary.lines()[0]->kernel == "first");
    BOOST_TEST(summary.lines()[0]->calls == 2u);
}

BOOST_AUTO_TEST_CASE(more_kernels_than_lines) {
    trace::summary summary{{.max_lines = 10}};
    std::vector<std::string> names;
    for (int i = 0; i < 1000; ++i) names.push_back("kernel" + std::to_string(i));
    for (int round = 0; round < 2; ++round)
        for (const auto& name : names) summary.take(kernel(name.c_str(), 1, 2));
    BOOST_TEST(summary.lines().size() == 11u);
    BOOST_TEST(summary.lines()[0]->kernel == "(others)");
    BOOST_TEST(summary.lines()[0]->calls == 1980u);
    BOOST_TEST(summary.total() == 2000u);
}

BOOST_AUTO_TEST_CASE(times_that_can_not_be) {
    trace::summary summary;
    summary.take(kernel("k", 2000, 1000)); // ends before it starts
    summary.take(kernel("k", 1, 0xFFFFFFFFFFFFFFFFu));
    BOOST_TEST(summary.lines()[0]->min == 0u);
    BOOST_TEST(summary.lines()[0]->max == 0xFFFFFFFFFFFFFFFEu);
    BOOST_TEST(summary.lines()[0]->p99().value() > 0xF000000000000000u);
    BOOST_TEST(!text_of(summary).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(quantiles_are_within_the_stated_error) {
    std::mt19937_64 random{7};
    for (const double scale : {1.0, 100.0, 1e4, 1e7, 1e12, 1e18}) {
        std::vector<std::uint64_t> values;
        trace::quantile_sketch sketch;
        for (int i = 0; i < 5000; ++i) {
            const double u = static_cast<double>(random() >> 11) / 9007199254740992.0;
            values.push_back(static_cast<std::uint64_t>(scale * (0.001 + u * u * u)));
            sketch.add(values.back());
        }
        std::sort(values.begin(), values.end());
        for (const double q : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
            const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(q * 5000))) - 1;
            const auto exact = static_cast<double>(values[rank]), estimate = static_cast<double>(sketch.quantile(q));
            BOOST_TEST(std::abs(estimate - exact) <= exact * trace::quantile_sketch::relative_error,
                       "quantile " << q << " of " << scale << ": " << estimate << ", is " << exact);
        }
    }
    BOOST_TEST(trace::quantile_sketch{}.quantile(0.5) == 0u);
}

BOOST_AUTO_TEST_CASE(durations_in_words) {
    BOOST_TEST(trace::duration_text(0) == "0 ns");
    BOOST_TEST(trace::duration_text(999) == "999 ns");
    BOOST_TEST(trace::duration_text(1234) == "1.234 us");
    BOOST_TEST(trace::duration_text(12345) == "12.35 us");
    BOOST_TEST(trace::duration_text(123456) == "123.5 us");
    BOOST_TEST(trace::duration_text(999999) == "1.000 ms");
    BOOST_TEST(trace::duration_text(61e9) == "61.00 s");
    BOOST_TEST(trace::duration_text(123456e9) == "123456.0 s");
}
