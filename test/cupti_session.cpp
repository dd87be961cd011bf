// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Sessions with CUPTI, over the host driver's and, with HANABI_TEST_DRIVER=cuda, over the real one: launches matched with
/// their records, what flushes deliver, what is lost and how that is told, every refusal in its own words, misuse.

#define BOOST_TEST_MODULE cupti_session
#include <boost/test/unit_test.hpp>

#include <hanabi/cupti.hpp>

#include "support/launching.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace cupti = hanabi::cupti;
namespace host = hanabi::host;
using hanabi::activity_kind;
using hanabi::activity_record;
using hanabi::errc;
using hanabi::over;
using hanabi::driver::status;

namespace {

/// CUPTI as new, on the driver of this run.
struct profiled : recording {
    profiled() {
        if (on_host()) host::cupti_reset();
    }
    ~profiled() {
        if (on_host()) host::cupti_reset();
    }
    cupti::library library() const { return cupti::library::of(*gpu); }
};

std::vector<activity_record> all_of(cupti::session& s) {
    std::vector<activity_record> all;
    s.drain([&](const activity_record& r) { all.push_back(r); });
    return all;
}
std::vector<activity_record> of_kind(const std::vector<activity_record>& all, activity_kind kind) {
    std::vector<activity_record> some;
    for (const activity_record& r : all)
        if (r.kind == kind) some.push_back(r);
    return some;
}

activity_record kernel(const char* name, std::uint64_t start, std::uint64_t end, std::uint32_t correlation) {
    activity_record r;
    r.kind = activity_kind::concurrent_kernel;
    r.name = name;
    r.start = start;
    r.end = end;
    r.correlation = correlation;
    return r;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(sessions, profiled)

BOOST_AUTO_TEST_CASE(launches_find_their_records) {
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    run(none[over(1)]()); // not recorded: the session starts later
    run.synchronize();
    cupti::session s{*gpu};
    BOOST_TEST((s.library() == library()));
    BOOST_TEST(!s.is_recording());
    BOOST_TEST(!s.status());
    s.start();
    s.start(); // again: nothing happens
    BOOST_TEST(s.is_recording());
    BOOST_TEST(s.why() == "");
    constexpr std::uint64_t first = 0x100000000u;
    for (std::uint64_t i = 0; i < 100; ++i) {
        const auto mark = s.begin_launch(first + i);
        BOOST_TEST(mark.pushed);
        run(axpy[over(1000 + i)](2.0f, nullptr, nullptr, 0));
        s.end_launch(first + i, {decltype(axpy)::info, {}, 0, nullptr, nullptr, nullptr}, mark, {});
    }
    BOOST_TEST(!s.pop()); // every one was popped
    run.synchronize();
    BOOST_TEST(!s.flush_all());
    const auto all = all_of(s);
    std::map<std::uint32_t, std::uint64_t> launch_of;
    for (const activity_record& e : of_kind(all, activity_kind::external_correlation)) {
        BOOST_TEST(e.external_kind == 3u);
        launch_of[e.correlation] = e.external_id;
    }
    const auto kernels = of_kind(all, activity_kind::concurrent_kernel);
    BOOST_TEST(kernels.size() == 100u);
    std::set<std::uint64_t> seen;
    std::uint64_t last_end = 0;
    for (const activity_record& k : kernels) {
        const std::uint64_t launch = launch_of[k.correlation];
        seen.insert(launch);
        BOOST_TEST(std::string{k.name} == "axpy");
        BOOST_TEST(k.name == kernels[0].name); // interned
        BOOST_TEST(k.timed());
        BOOST_TEST(k.grid[0] * k.block[0] >= 1000 + (launch - first));
        BOOST_TEST(k.graph_id == 0u);
        last_end = k.end;
    }
    BOOST_TEST(seen.size() == 100u);
    BOOST_TEST(*seen.begin() == first);
    BOOST_TEST(last_end <= s.now());
    BOOST_TEST(of_kind(all, activity_kind::driver).size() == 100u); // the chosen calls, and no others
    const auto counts = s.counts();
    BOOST_TEST(counts.kernels == 100u);
    BOOST_TEST(counts.delivered == all.size());
    BOOST_TEST(counts.no_time == 0u);
    BOOST_TEST(counts.unreadable == 0u);
    const auto drops = s.drops();
    BOOST_TEST(drops.known);
    BOOST_TEST(drops.count == 0u);
    s.stop();
    BOOST_TEST(!s.is_recording());
    run(none[over(1)]());
    run.synchronize();
    BOOST_TEST(all_of(s).empty());
}

BOOST_AUTO_TEST_CASE(copies_fills_calls_and_waits) {
    const hanabi::registry r = load();
    cupti::session s{library()};
    s.start({activity_kind::memcpy, activity_kind::memset, activity_kind::driver, activity_kind::synchronization});
    hanabi::buffer<float> x{*gpu, 1024};
    std::vector<float> values(1024, 1.0f);
    x.copy_from(values);
    x.fill(0.0f);
    x.copy_to(values);
    hanabi::dispatcher{r}.synchronize();
    s.stop();
    const auto all = all_of(s);
    const auto copies = of_kind(all, activity_kind::memcpy);
    BOOST_TEST_REQUIRE(copies.size() == 2u);
    BOOST_TEST(copies[0].copy_kind == 1u);
    BOOST_TEST(copies[1].copy_kind == 2u);
    BOOST_TEST(copies[0].bytes == 4096u);
    BOOST_TEST(copies[0].destination_kind == 3u);
    const auto fills = of_kind(all, activity_kind::memset);
    BOOST_TEST_REQUIRE(fills.size() == 1u);
    BOOST_TEST(fills[0].bytes == 4096u);
    BOOST_TEST(!of_kind(all, activity_kind::synchronization).empty());
    std::set<std::uint32_t> calls;
    for (const activity_record& c : of_kind(all, activity_kind::driver)) calls.insert(c.correlation);
    BOOST_TEST(calls.contains(copies[0].correlation));
    BOOST_TEST(calls.contains(fills[0].correlation));
    BOOST_TEST(of_kind(all, activity_kind::concurrent_kernel).empty()); // not enabled: not made
}

// Names are the session's own copies, and a session starts empty whatever the one before it left.
BOOST_AUTO_TEST_CASE(names_and_leftovers) {
    cupti::session s{library()};
    {
        hanabi::registry r = load();
        const hanabi::dispatcher run{r};
        s.start();
        run(scal[over(1)](2.0f, nullptr, 0));
        run.synchronize();
        r.unload();
    }
    s.stop();
    std::string name;
    s.drain([&](const activity_record& k) {
        if (k.is_kernel()) name = k.name;
    });
    BOOST_TEST(name == "scal");
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    s.start();
    run(none[over(1)]());
    run.synchronize();
    s.stop();
    cupti::session other{library()};
    BOOST_TEST(all_of(other).empty()); // another's records
    BOOST_TEST(other.drops().count == 0u);
    other.start();
    BOOST_TEST(all_of(s).empty()); // gone
    other.stop();
    BOOST_TEST(of_kind(all_of(other), activity_kind::concurrent_kernel).empty());
}

BOOST_AUTO_TEST_CASE(records_as_bytes) {
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    cupti::session s{library()};
    s.start({activity_kind::concurrent_kernel});
    run(none[over(1)]());
    run.synchronize();
    s.flush();
    std::size_t kernels = 0;
    s.drain([&](const cupti::record_view& v) {
        if (v.kind() != activity_kind::concurrent_kernel) return;
        ++kernels;
        const cupti::kernel_view k{v};
        BOOST_TEST(std::string{k.name()} == "none");
        BOOST_TEST(v.size() == s.library().record_size(v.kind()));
    });
    BOOST_TEST(kernels == 1u);
}

// A flush does not wait: work under way is delivered without its end, and never again.
BOOST_AUTO_TEST_CASE(unfinished_work) {
    HANABI_SKIP_ON_CUDA("the kernel must wait for the test");
    host::set_options({});
    static std::atomic<int> go{0};
    host::define(none, [](host::thread) {
        while (go.load() == 0) std::this_thread::yield();
    });
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    cupti::session s{library()};
    s.start({activity_kind::concurrent_kernel});
    run(none[hanabi::grid(1) | hanabi::block(1)]());
    s.flush(cupti::flush_mode::complete);
    BOOST_TEST(all_of(s).empty());
    std::vector<activity_record> cut;
    while (cut.empty()) { // until the kernel has begun
        s.flush();
        cut = all_of(s);
    }
    BOOST_TEST(cut[0].unfinished());
    BOOST_TEST(cut[0].duration_ns() == 0u);
    go = 1;
    run.synchronize();
    s.flush();
    BOOST_TEST(all_of(s).empty());
    BOOST_TEST(s.counts().unfinished == 1u);
    BOOST_TEST(s.counts().no_time == 0u);
}

BOOST_AUTO_TEST_CASE(kernels_of_graphs_say_so) {
    HANABI_SKIP_ON_CUDA("bench/cupti_launch does that");
    const hanabi::registry r = load();
    const auto& f = gpu->table();
    hanabi::driver::graph_handle graph = nullptr;
    hanabi::driver::graph_exec_handle exec = nullptr;
    hanabi::stream stream{*gpu};
    const hanabi::detail::current_scope scope{*gpu->state()};
    BOOST_TEST((f.stream_begin_capture(stream.handle(), hanabi::driver::capture_mode::thread_local_) == status::success));
    const auto run = hanabi::dispatcher{r}.on(stream);
    run(axpy[over(10)](2.0f, nullptr, nullptr, 0));
    run(scal[over(10)](2.0f, nullptr, 0));
    run(none[over(10)]());
    BOOST_TEST((f.stream_end_capture(stream.handle(), &graph) == status::success));
    BOOST_TEST((f.graph_instantiate_with_flags(&exec, graph, 0) == status::success));
    cupti::session s{library()};
    s.start();
    for (std::uint64_t launch = 1; launch <= 2; ++launch) {
        s.push(launch);
        BOOST_TEST((f.graph_launch(exec, stream.handle()) == status::success));
        s.pop();
    }
    stream.synchronize();
    s.stop();
    const auto all = all_of(s);
    const auto kernels = of_kind(all, activity_kind::concurrent_kernel);
    BOOST_TEST_REQUIRE(kernels.size() == 6u);
    std::set<std::uint64_t> nodes;
    std::map<std::uint32_t, int> by_call;
    for (const activity_record& k : kernels) {
        BOOST_TEST(k.graph_id == kernels[0].graph_id);
        BOOST_TEST(k.graph_id != 0u);
        nodes.insert(k.graph_node_id);
        ++by_call[k.correlation];
    }
    BOOST_TEST(nodes.size() == 3u);
    BOOST_TEST(!nodes.contains(0));
    BOOST_TEST(by_call.size() == 2u);
    BOOST_TEST(by_call.begin()->second == 3);
    const auto externals = of_kind(all, activity_kind::external_correlation);
    BOOST_TEST_REQUIRE(externals.size() == 2u);
    BOOST_TEST(by_call.contains(externals[0].correlation));
    f.graph_exec_destroy(exec);
    f.graph_destroy(graph);
}

// case 29: "no time collected" is not zero
BOOST_AUTO_TEST_CASE(records_without_time) {
    HANABI_SKIP_ON_CUDA("records on order");
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    static std::uint64_t time;
    time = 500; // before the case's first record
    cupti::session_options o;
    o.steady_clock = false;
    cupti::session s{library(), o};
    cupti::library{library()}.functions().activity_register_timestamp_callback([]() -> std::uint64_t { return time; });
    s.start();
    time = 5000;
    for (const activity_record& k :
         {kernel("k1", 1000, 1500, 1), kernel("k1", 0, 0, 2), kernel("k2", 1500, 1500, 3), kernel("k2", 2000, 2600, 4),
          kernel("k1", 0, 900, 5), kernel("k2", 9223372036854775808u, 9223372036854775808u, 6)})
        BOOST_TEST(host::cupti_put(k));
    s.flush();
    struct totals {
        unsigned launches = 0, timed = 0, no_time = 0;
        std::uint64_t total = 0, least = ~std::uint64_t{0}, most = 0;
    };
    std::map<std::string, totals> by_name;
    std::uint64_t axis_begin = ~std::uint64_t{0}, axis_end = 0;
    for (const activity_record& k : all_of(s)) {
        totals& t = by_name[k.name];
        ++t.launches;
        if (!k.timed()) {
            ++t.no_time;
            continue;
        }
        ++t.timed;
        t.total += k.duration_ns();
        t.least = std::min(t.least, k.duration_ns());
        t.most = std::max(t.most, k.duration_ns());
        axis_begin = std::min(axis_begin, k.start);
        axis_end = std::max(axis_end, k.end);
    }
    const totals &k1 = by_name["k1"], &k2 = by_name["k2"];
    BOOST_TEST(k1.launches == 3u);
    BOOST_TEST(k1.timed == 1u);
    BOOST_TEST(k1.total == 500u);
    BOOST_TEST(k1.least == 500u);
    BOOST_TEST(k1.no_time == 2u);
    BOOST_TEST(k2.timed == 2u);
    BOOST_TEST(k2.total == 600u);
    BOOST_TEST(k2.least == 0u);
    BOOST_TEST(k2.most == 600u);
    BOOST_TEST(k2.no_time == 1u);
    BOOST_TEST(axis_begin == 1000u);
    BOOST_TEST(axis_end == 2600u);
    BOOST_TEST(s.counts().no_time == 3u);
    BOOST_TEST(s.counts().unfinished == 0u);
    // and those of real launches on order
    host::cupti_without_time(2);
    for (int i = 0; i < 3; ++i) run(none[over(1)]());
    run.synchronize();
    s.flush();
    const auto kernels = of_kind(all_of(s), activity_kind::concurrent_kernel);
    BOOST_TEST(kernels.size() == 3u);
    BOOST_TEST(s.counts().no_time == 5u);
}

// case 30: what can't be read is not 0; a session starts empty
BOOST_AUTO_TEST_CASE(drops_are_a_number_or_unknown) {
    HANABI_SKIP_ON_CUDA("drops on order");
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    {
        cupti::session warm_up{library()};
        warm_up.start();
        run(none[over(1)]());
        run.synchronize();
    } // its record was flushed and nobody drained it
    cupti::session s{library()};
    s.start({activity_kind::concurrent_kernel});
    BOOST_TEST(all_of(s).empty());
    for (std::uint32_t i = 0; i < 7; ++i) host::cupti_put(kernel("k", s.now(), s.now() + 5, i));
    // without a buffer the next three are lost: the client's callback is replaced for a moment
    s.flush();
    const auto& f = library().functions();
    f.activity_register_callbacks(
        [](std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
            *buffer = nullptr;
            *size = *most = 0;
        },
        &hanabi::detail::cupti_complete);
    for (std::uint32_t i = 0; i < 3; ++i) BOOST_TEST(!host::cupti_put(kernel("k", s.now(), s.now() + 5, i)));
    f.activity_register_callbacks(&hanabi::detail::cupti_request, &hanabi::detail::cupti_complete);
    BOOST_TEST(all_of(s).size() == 7u);
    BOOST_TEST(s.drops().count == 3u);
    BOOST_TEST(s.drops().count == 3u); // the sum, though the library's count resets
    BOOST_TEST(s.drops().known);
    // records that ended before the session started, which the library delivers now
    host::cupti_put(kernel("old", 5, 9, 8));
    s.flush();
    BOOST_TEST(all_of(s).empty());
    BOOST_TEST(s.counts().early == 1u);
    // the count fails
    host::cupti_fail(cupti::entry::activity_get_num_dropped_records, cupti::status::not_compatible);
    auto d = s.drops();
    BOOST_TEST(!d.known);
    BOOST_TEST(d.count == 3u); // what is certain
    BOOST_TEST((d.why == cupti::status::not_compatible));
    BOOST_TEST(d.why.message().find("CUPTI_ERROR_NOT_COMPATIBLE (14)") != std::string::npos);
    // or leaves its result alone, as the real one does without a driver
    cupti::table silent = library().functions();
    silent.activity_get_num_dropped_records = [](hanabi::driver::context_handle, std::uint32_t, std::size_t*) {
        return cupti::status::success;
    };
    s.stop();
    host::cupti_put(kernel("late", s.now(), s.now(), 9));
    cupti::session t{cupti::library::from(silent)};
    t.start();
    BOOST_TEST(!t.drops().known);
    t.stop();
    silent.activity_get_num_dropped_records = nullptr;
    cupti::session u{cupti::library::from(silent)};
    u.start();
    BOOST_TEST((u.drops().why == errc::entry_missing));
}

// Kinds that are not read are stepped over by the library's iterator; where that can't tell, the rest is counted out.
BOOST_AUTO_TEST_CASE(unknown_kinds) {
    HANABI_SKIP_ON_CUDA("records on order");
    cupti::table t = library().functions();
    static const cupti::table* const plain = &host::cupti_table();
    t.activity_get_next_record = [](std::uint8_t* buffer, std::size_t valid, std::byte** record) {
        const auto is_device = [](const std::byte* at) { return *reinterpret_cast<const std::uint32_t*>(at) == 8; };
        if (*record != nullptr && is_device(*record)) { // a kind of 32 bytes
            *record += 32;
            return *record >= reinterpret_cast<std::byte*>(buffer) + valid ? cupti::status::max_limit_reached : cupti::status::success;
        }
        return plain->activity_get_next_record(buffer, valid, record);
    };
    cupti::session s{cupti::library::from(t)};
    s.start();
    const auto deliver = [&](std::initializer_list<std::uint32_t> kinds, std::size_t cut = 0) {
        std::uint8_t* buffer = nullptr;
        std::size_t size = 0, most = 0, used = 0;
        hanabi::detail::cupti_request(&buffer, &size, &most);
        std::memset(buffer, 0, 4096);
        for (const std::uint32_t kind : kinds) {
            std::memcpy(buffer + used, &kind, 4);
            used += kind == 10 ? 216 : 32;
        }
        hanabi::detail::cupti_complete(nullptr, 0, buffer, size, used - cut);
        return all_of(s).size();
    };
    BOOST_TEST(deliver({10, 8, 10}) == 3u);
    BOOST_TEST(deliver({8}) == 1u);
    BOOST_TEST(s.counts().unreadable == 0u);
    BOOST_TEST(deliver({10, 777, 10}) == 1u); // unknown even to the library
    BOOST_TEST(s.counts().unreadable == 1u);
    BOOST_TEST(deliver({10, 10}, 8) == 1u); // cut short
    BOOST_TEST(s.counts().unreadable == 2u);
    // a buffer that is none of ours
    alignas(8) std::uint8_t stray[64];
    hanabi::detail::cupti_complete(nullptr, 0, stray, sizeof stray, 64);
    BOOST_TEST(all_of(s).empty());
}

BOOST_AUTO_TEST_CASE(every_refusal_in_its_own_words) {
    HANABI_SKIP_ON_CUDA("failures on order");
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    struct {
        cupti::entry entry;
        cupti::status status;
        const char* advice;
    } const cases[] = {
        {cupti::entry::subscribe_v2, cupti::status::multiple_subscribers_not_supported, "another profiler"},
        {cupti::entry::activity_enable, cupti::status::insufficient_privileges, "NVreg_RestrictProfilingToAdminUsers=0"},
        {cupti::entry::activity_register_callbacks, cupti::status::not_initialized, "newer than the driver"},
        {cupti::entry::activity_flush_all, cupti::status::unknown, "no CUDA driver"},
    };
    for (const auto& c : cases) {
        host::cupti_fail(c.entry, c.status);
        cupti::session s{library()};
        HANABI_CHECK_ERROR(s.start(), c.status, c.advice, name_of(c.status), std::to_string(static_cast<unsigned>(c.status)),
                           "hanabi::cupti::session::start");
        BOOST_TEST((s.status() == c.status));
        BOOST_TEST(s.why().find(c.advice) != std::string::npos);
        BOOST_TEST(!s.is_recording());
        BOOST_TEST(!s.begin_launch(1).pushed);
        run(none[over(1)]()); // goes on unprofiled
        run.synchronize();
        BOOST_TEST(!s.is_enabled(activity_kind::concurrent_kernel));
        s.start(); // and nothing is left that would keep it from trying again
        BOOST_TEST(!s.status());
    }
    // a call that can't be chosen
    host::cupti_fail(cupti::entry::activity_enable_driver_api, cupti::status::not_supported, 1, ~0u);
    {
        cupti::session s{library()};
        HANABI_CHECK_ERROR(s.start(), cupti::status::not_supported, "cuptiActivityEnableDriverApi(307)");
        BOOST_TEST(!s.is_enabled(activity_kind::driver));
    }
    host::cupti_reset();
    // who has it
    cupti::subscriber_handle other = nullptr;
    const auto& f = library().functions();
    BOOST_TEST((f.subscribe(&other, &hanabi::detail::cupti_callback, nullptr) == cupti::status::success));
    cupti::session s{library()};
    HANABI_CHECK_ERROR(s.start(), cupti::status::multiple_subscribers_not_supported, "'CUPTI for another client'");
    BOOST_TEST((f.unsubscribe(other) == cupti::status::success));
    s.start();
    BOOST_TEST((f.subscribe(&other, &hanabi::detail::cupti_callback, nullptr) == cupti::status::multiple_subscribers_not_supported));
    HANABI_CHECK_ERROR(s.enable(static_cast<activity_kind>(99)), cupti::status::invalid_kind, "enable(unknown)");
    cupti::session second{library()};
    HANABI_CHECK_ERROR(second.start(), errc::session_active, "stop that one first");
    HANABI_CHECK_ERROR(second.flush(), errc::callbacks_not_registered, "start()");
    HANABI_CHECK_ERROR(second.enable(activity_kind::memcpy), errc::callbacks_not_registered, "start()");
    s.stop();
    second.start();
    second.stop();
    HANABI_CHECK_ERROR((cupti::session{cupti::library{}}.start()), errc::library_not_found, "the library given is none");
}

// Before CUDA 12.5 single calls can't be chosen, before 13.0 nobody says who has CUPTI, before 11.8 the clock can step.
BOOST_AUTO_TEST_CASE(older_libraries) {
    HANABI_SKIP_ON_CUDA("entries taken away");
    cupti::table t = library().functions();
    t.activity_enable_driver_api = nullptr;
    t.subscribe_v2 = nullptr;
    t.activity_register_timestamp_callback = nullptr;
    const auto old = cupti::library::from(t);
    BOOST_TEST(!old.supports(cupti::entry::subscribe_v2));
    BOOST_TEST(old.supports(cupti::entry::subscribe));
    BOOST_TEST(!cupti::library{}.supports(cupti::entry::subscribe));
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    cupti::session s{old};
    s.start();
    BOOST_TEST(s.is_enabled(activity_kind::driver));
    s.push(5);
    run(none[over(1)]());
    s.pop();
    run.synchronize();
    s.stop();
    const auto all = all_of(s);
    BOOST_TEST(of_kind(all, activity_kind::external_correlation).size() == 1u);
    s.start();
    HANABI_CHECK_ERROR(s.enable_driver_call(307), errc::entry_missing, "newer");
    s.stop();
    t.activity_get_next_record = [](std::uint8_t*, std::size_t, std::byte** record) {
        *record = *record == nullptr ? *record : *record;
        return cupti::status::invalid_kind;
    };
    HANABI_CHECK_ERROR(cupti::library::from(t), errc::unknown_layout, "kernel records");
    t.activity_get_next_record = [](std::uint8_t* buffer, std::size_t, std::byte** record) { // too short for what is read
        *record = *record == nullptr ? reinterpret_cast<std::byte*>(buffer) : *record + 32;
        return cupti::status::success;
    };
    HANABI_CHECK_ERROR(cupti::library::from(t), errc::unknown_layout, "32 bytes", "64");
}

BOOST_AUTO_TEST_CASE(nothing_may_be_called_from_a_callback) {
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    static cupti::session* session = nullptr;
    static std::atomic<int> called{0};
    cupti::session_options o;
    o.on_completed = [](void* argument) {
        std::error_code code;
        session->flush(cupti::flush_mode::everything, code);
        int good = code == errc::inside_callback;
        session->enable(activity_kind::memcpy, code);
        good += code == errc::inside_callback;
        good += session->drain([](const activity_record&) {}) == 0;
        session->stop();
        good += session->is_recording();
        cupti::session other{session->library()};
        other.start(code);
        good += code == errc::inside_callback;
        called = good;
        *static_cast<int*>(argument) = 1;
    };
    int notified = 0;
    o.on_completed_argument = &notified;
    cupti::session s{library(), o};
    session = &s;
    s.start();
    run(none[over(1)]());
    run.synchronize();
    s.flush();
    BOOST_TEST(called == 5);
    BOOST_TEST(notified == 1);
    s.stop();
    BOOST_TEST(!all_of(s).empty());
}

// Nobody drains: the memory stays what it was given, the oldest records go, and are counted.
BOOST_AUTO_TEST_CASE(memory_is_bounded) {
    HANABI_SKIP_ON_CUDA("records on order");
    cupti::session_options o;
    o.buffer_bytes = 65536; // 303 kernels
    o.max_buffers = 3;
    cupti::session s{library(), o};
    s.start({activity_kind::concurrent_kernel});
    const std::uint64_t now = s.now();
    for (std::uint32_t i = 0; i < 3030; ++i) host::cupti_put(kernel("k", now + i, now + i + 1, i));
    s.flush();
    const auto left = all_of(s);
    BOOST_TEST(left.size() == 909u);
    BOOST_TEST(left.back().correlation == 3029u);
    BOOST_TEST(s.drops().count == 3030u - 909u);
    BOOST_TEST(s.counts().overwritten == 3030u - 909u);
}

// A session that goes while CUPTI has its buffers; kinds turned off under launches; start and stop while others launch.
BOOST_AUTO_TEST_CASE(threads) {
    const hanabi::registry r = load();
    const hanabi::dispatcher run{r};
    for (int round = 0; round < 3; ++round) {
        cupti::session s{library()};
        s.start();
        std::vector<std::thread> launchers;
        for (std::uint64_t t = 0; t < 4; ++t)
            launchers.emplace_back([&, t] {
                for (std::uint64_t i = 0; i < 50; ++i) {
                    const auto mark = s.begin_launch(t * 1000 + i + 1);
                    run(none[over(1)]());
                    s.end_launch(t * 1000 + i + 1, {decltype(none)::info, {}, 0, nullptr, nullptr, nullptr}, mark, {});
                }
            });
        std::size_t seen = 0;
        const auto count = [&](const activity_record& k) { seen += k.is_kernel(); };
        if (round == 1)
            for (int i = 0; i < 20; ++i) {
                std::error_code code;
                s.disable(activity_kind::concurrent_kernel, code);
                s.enable(activity_kind::concurrent_kernel, code);
                s.flush(cupti::flush_mode::complete, code);
                s.drain(count);
                s.drops();
            }
        if (round == 2) s.stop();
        for (std::thread& t : launchers) t.join();
        run.synchronize();
        s.flush_all();
        s.drain(count);
        if (round == 0) BOOST_TEST(seen == 200u);
        BOOST_TEST(seen <= 200u);
        BOOST_TEST(!s.pop());
    }
}

#if defined(__linux__)
BOOST_AUTO_TEST_CASE(a_forked_child_is_told) {
    const hanabi::registry r = load();
    cupti::session s{library()};
    s.start();
    const pid_t child = fork();
    if (child == 0) {
        std::error_code code;
        s.flush(cupti::flush_mode::everything, code);
        bool good = code == errc::forked_process && s.status() == errc::forked_process;
        good = good && !s.push(1) && s.why().find("fork") != std::string::npos && s.drain([](const activity_record&) {}) == 0;
        s.stop();
        s.start(code);
        _exit(good && code == errc::forked_process ? 0 : 1);
    }
    int result = 0;
    waitpid(child, &result, 0);
    BOOST_TEST(WIFEXITED(result));
    BOOST_TEST(WEXITSTATUS(result) == 0);
    hanabi::dispatcher{r}(none[over(1)]());
    hanabi::dispatcher{r}.synchronize();
    s.stop();
    std::size_t kernels = 0;
    s.drain([&](const activity_record& k) { kernels += k.is_kernel(); });
    BOOST_TEST(kernels == 1u);
}
#endif

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(the_library_is_found_or_its_absence_explained) {
    HANABI_CHECK_ERROR(cupti::library::load({"/nowhere/libcupti.so"}), errc::library_not_found, "/nowhere/libcupti.so", "No such file",
                       "HANABI_LIBCUPTI");
    HANABI_CHECK_ERROR(cupti::library::load({""}), errc::library_not_found, "the name is empty");
    HANABI_CHECK_ERROR(cupti::library::from(cupti::table{}), errc::symbol_not_found, "cuptiActivityEnable", "cuptiActivityGetNextRecord");
#if defined(__linux__)
    HANABI_CHECK_ERROR(cupti::library::load({"libm.so.6"}), errc::symbol_not_found, "cuptiActivityEnable", "libm.so");
    setenv("HANABI_LIBCUPTI", "/nowhere/else.so", 1);
    HANABI_CHECK_ERROR(cupti::library::load(), errc::library_not_found, "(HANABI_LIBCUPTI)", "/nowhere/else.so");
    BOOST_TEST(!cupti::available());
    {
        cupti::session s;
        BOOST_TEST((s.status() == errc::library_not_found));
        BOOST_TEST(s.why().find("/nowhere/else.so") != std::string::npos);
        HANABI_CHECK_ERROR(s.start(), errc::library_not_found, "/nowhere/else.so");
        std::error_code code;
        s.flush(cupti::flush_mode::everything, code);
        BOOST_TEST((code == errc::library_not_found));
        BOOST_TEST(s.now() != 0u);
    }
    setenv("CUDA_HOME", "/nowhere/cuda", 1);
    unsetenv("HANABI_LIBCUPTI");
    const auto candidates = hanabi::detail::cupti_candidates();
    for (const char* const file : {"libcupti.so", "libcupti.so.13", "libcupti.so.12", "libcupti.so.11", "/nowhere/cuda/lib64/libcupti.so",
                                   "/nowhere/cuda/extras/CUPTI/lib64/libcupti.so.13", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"})
        BOOST_TEST((std::find(candidates.begin(), candidates.end(), file) != candidates.end()), file);
    BOOST_TEST(candidates[0] == "libcupti.so");
    BOOST_TEST(candidates[1] == "libcupti.so.13");
#endif
    std::error_code code;
    const auto found = cupti::library::load(code);
    BOOST_TEST(cupti::available() == static_cast<bool>(found));
    if (!found) {
        BOOST_TEST((code == errc::library_not_found));
        return;
    }
    BOOST_TEST(!code);
    BOOST_TEST((cupti::library::load() == found)); // once for each file
    BOOST_TEST(found.supports(cupti::entry::activity_enable));
    BOOST_TEST(found.record_size(activity_kind::concurrent_kernel) >= 144u);
    BOOST_TEST(found.version() != 0u);
}

// With a library and no driver, each call says so; nothing hangs.
BOOST_AUTO_TEST_CASE(a_library_without_a_driver) {
    std::error_code code;
    const auto found = cupti::library::load(code);
    if (!found || hanabi::driver::try_cuda() != nullptr) {
        BOOST_TEST_MESSAGE("skipped: there is a driver, or no libcupti");
        BOOST_TEST(true);
        return;
    }
    cupti::session s{found};
    HANABI_CHECK_ERROR(s.start(), cupti::status::unknown, "no CUDA driver", "CUPTI_ERROR_UNKNOWN (999)");
    BOOST_TEST(!s.is_recording());
    s.stop();
    // The host driver's works beside it.
    BOOST_TEST(cupti::library::host().functions().is_host);
    cupti::session on_host_driver{cupti::library::host()};
    on_host_driver.start();
    BOOST_TEST(std::string{on_host_driver.time_source()} == "CUPTI (host driver)");
}
