// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// CUPTI on a GPU: what recording costs a launch, whether every one of a million launches finds its record, whether CUPTI and
// event pairs agree on how long kernels take, whether the kernels of graphs are counted right, and what a second client is
// told. Exits 1 when one of these is not so; says so and measures nothing where there is no GPU or no libcupti.
//
//   cupti_launch [LAUNCHES]    a million unless said

#include <hanabi/cupti.hpp>
#include <hanabi/hanabi.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cupti = hanabi::cupti;
using hanabi::activity_kind;
using hanabi::activity_record;

namespace {

constexpr char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry nop(.param .u32 n) { ret; }
.visible .entry spin(.param .u64 ns)
{
.reg .pred %p<2>;
.reg .b64 %rd<6>;
ld.param.u64 %rd1, [ns];
mov.u64 %rd2, %globaltimer;
L:
mov.u64 %rd3, %globaltimer;
sub.u64 %rd4, %rd3, %rd2;
setp.lt.u64 %p1, %rd4, %rd1;
@%p1 bra L;
ret;
}
)";
inline constexpr hanabi::kernel<"work", "nop", void(unsigned), hanabi::names<"n">> nop;
inline constexpr hanabi::kernel<"work", "spin", void(unsigned long), hanabi::names<"ns">> spin;

bool good = true;
void check(bool condition, const char* what) {
    if (condition) return;
    good = false;
    std::printf("  NOT SO: %s\n", what);
}
double median(std::vector<double> v) {
    if (v.empty()) return 0;
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Nanoseconds of a launch on the host, in batches that never fill the queue.
template <class Launch>
double cost(const hanabi::dispatcher<>& run, Launch launch) {
    std::vector<double> all;
    for (int round = 0; round < 3000; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 32; ++i) launch();
        all.push_back(seconds_since(begin) * 1e9 / 32);
        run.synchronize();
    }
    return median(all);
}

void say(const char* when, const std::error_code& code, const std::string& words) {
    std::printf("  %s: %s %d: %s\n", when, code.category().name(), code.value(), words.c_str());
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t launches = argc > 1 ? static_cast<std::uint64_t>(std::atoll(argv[1])) : 1'000'000;
    if (hanabi::driver::try_cuda() == nullptr || hanabi::context::device_count(hanabi::driver::cuda()) == 0)
        return std::puts("skipped: no GPU here"), 77;
    std::error_code code;
    const auto library = cupti::library::load(code);
    if (!library) return std::printf("skipped: no libcupti here: %s\n", code.message().c_str()), 77;
    const auto gpu = hanabi::context::primary(0);
    std::printf("%s, driver CUDA %d.%d, %s, version %u\n", gpu.device_name().c_str(), gpu.driver_version() / 1000,
                gpu.driver_version() % 1000 / 10, library.path(), library.version());
    auto work = std::make_unique<hanabi::registry>(hanabi::registry::load(gpu, {{"work", ptx}}));
    work->require(nop, spin);
    hanabi::stream stream{gpu};
    auto run = std::make_unique<hanabi::dispatcher<>>(hanabi::dispatcher{*work}.on(stream));
    const auto launch_nop = [&] { (*run)(nop[hanabi::grid(1) | hanabi::block(32)](0u)); };

    std::puts("cost of a launch, ns on the host, medians:");
    const double off = cost(*run, launch_nop);
    cupti::session session{library};
    // Before CUPTI 13.1.1 the correlation of a graph's kernels is another than that of the call that launched it, in all but
    // the first session of a process: so this comes first, and once more later.
    const auto graphs = [&](const char* when) {
        const auto& f = gpu.table();
        const hanabi::detail::current_scope scope{*gpu.state()};
        hanabi::driver::graph_handle graph = nullptr;
        hanabi::driver::graph_exec_handle exec = nullptr;
        session.start();
        f.stream_begin_capture(stream.handle(), hanabi::driver::capture_mode::thread_local_);
        for (int i = 0; i < 5; ++i) launch_nop();
        f.stream_end_capture(stream.handle(), &graph);
        f.graph_instantiate_with_flags(&exec, graph, 0);
        for (std::uint64_t launch = 1; launch <= 1000; ++launch) {
            session.push(launch);
            f.graph_launch(exec, stream.handle());
            session.pop();
        }
        stream.synchronize();
        session.stop();
        std::map<std::uint32_t, int> kernels_of;
        std::map<std::uint32_t, std::uint64_t> launch_of;
        std::set<std::uint32_t> numbers;
        std::set<std::uint64_t> nodes;
        std::map<std::uint32_t, int> kinds;
        std::uint64_t outside = 0;
        session.drain([&](const activity_record& r) {
            ++kinds[static_cast<std::uint32_t>(r.kind)];
            if (r.kind == activity_kind::external_correlation) launch_of[r.correlation] = r.external_id;
            if (!r.is_kernel()) return;
            ++kernels_of[r.correlation];
            if (r.graph_id == 0 || r.graph_node_id == 0) ++outside;
            numbers.insert(r.graph_id);
            nodes.insert(r.graph_node_id);
        });
        std::uint64_t five = 0, right = 0;
        for (const auto& [correlation, count] : kernels_of) {
            five += count == 5;
            right += count == 5 && launch_of.contains(correlation);
        }
        std::printf(
            "graphs, in %s session: 1000 launches of 5 kernels: %zu correlations, %llu of them with 5 kernels, %llu with the launch too; "
            "%zu graphs, %zu nodes, %llu kernels outside\n",
            when, kernels_of.size(), static_cast<unsigned long long>(five), static_cast<unsigned long long>(right), numbers.size(),
            nodes.size(), static_cast<unsigned long long>(outside));
        if (!kernels_of.empty() && !launch_of.empty())
            std::printf("  correlations: of kernels %u to %u, of launches %u to %u (%zu)\n", kernels_of.begin()->first,
                        kernels_of.rbegin()->first, launch_of.begin()->first, launch_of.rbegin()->first, launch_of.size());
        for (const auto& [kind, count] : kinds) std::printf("  %s: %d\n", name_of(static_cast<activity_kind>(kind)), count);
        f.graph_exec_destroy(exec);
        f.graph_destroy(graph);
        return five == 1000 && nodes.size() == 5 && outside == 0 && right == 1000;
    };
    check(graphs("the first"), "5 kernels for each launch of the graph, each with its node and its launch");
    session.start({activity_kind::concurrent_kernel});
    const double kernels_only = cost(*run, launch_nop);
    session.stop();
    session.start();
    std::uint64_t id = 1;
    const double correlated = cost(*run, [&] {
        const auto mark = session.begin_launch(id++);
        launch_nop();
        if (mark.pushed) session.pop();
    });
    session.stop();
    const double push_pop = [&] {
        session.start();
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 100'000; ++i) {
            session.push(1);
            session.pop();
        }
        const double each = seconds_since(begin) * 1e9 / 100'000;
        session.stop();
        return each;
    }();
    const double after = cost(*run, launch_nop);
    std::printf("  off %.0f, kernels %.0f (x %.2f), kernels and external correlation %.0f (x %.2f), off again %.0f; push and pop %.0f\n",
                off, kernels_only, kernels_only / off, correlated, correlated / off, after, push_pop);

    std::printf("%llu launches, drained meanwhile:\n", static_cast<unsigned long long>(launches));
    {
        session.drain([](const activity_record&) {});
        session.start();
        std::vector<unsigned char> kernels(launches + 1), externals(launches + 1);
        std::map<std::uint32_t, std::uint64_t> launch_of;    // until its kernel comes
        std::map<std::uint32_t, std::uint32_t> kernel_waits; // until its launch comes
        std::uint64_t strangers = 0, misshapen = 0;
        const auto visit = [&](const activity_record& r) {
            if (r.kind == activity_kind::external_correlation) {
                if (r.external_id == 0 || r.external_id > launches) {
                    ++strangers;
                    return;
                }
                ++externals[r.external_id];
                const auto waits = kernel_waits.find(r.correlation);
                if (waits != kernel_waits.end()) {
                    kernels[r.external_id] = static_cast<unsigned char>(kernels[r.external_id] + waits->second);
                    kernel_waits.erase(waits);
                } else
                    launch_of[r.correlation] = r.external_id;
            } else if (r.is_kernel()) {
                if (r.block[0] != 32 || r.grid[0] != 1 || std::string_view{r.name} != "nop") ++misshapen;
                const auto known = launch_of.find(r.correlation);
                if (known != launch_of.end()) {
                    ++kernels[known->second];
                    launch_of.erase(known);
                } else
                    ++kernel_waits[r.correlation];
            }
        };
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint64_t i = 1; i <= launches; ++i) {
            const auto mark = session.begin_launch(i);
            launch_nop();
            if (mark.pushed) session.pop();
            if (i % 4096 == 0) session.drain(visit);
        }
        const double launched = seconds_since(begin);
        stream.synchronize();
        session.flush();
        session.drain(visit);
        const auto counts = session.counts();
        const auto drops = session.drops();
        const auto once = std::count(kernels.begin() + 1, kernels.end(), 1);
        std::printf("  %lld matched, %lld correlations, %llu strangers, %llu misshapen, %zu kernels and %zu launches left over\n"
                    "  counts: delivered %llu, kernels %llu, no time %llu, unfinished %llu, early %llu, late %llu, overwritten %llu, "
                    "unreadable %llu;"
                    " drops %llu (%s); %.2f s, %.0f ns a launch\n",
                    static_cast<long long>(once), static_cast<long long>(std::count(externals.begin() + 1, externals.end(), 1)),
                    static_cast<unsigned long long>(strangers), static_cast<unsigned long long>(misshapen), kernel_waits.size(),
                    launch_of.size(), static_cast<unsigned long long>(counts.delivered), static_cast<unsigned long long>(counts.kernels),
                    static_cast<unsigned long long>(counts.no_time), static_cast<unsigned long long>(counts.unfinished),
                    static_cast<unsigned long long>(counts.early), static_cast<unsigned long long>(counts.late),
                    static_cast<unsigned long long>(counts.overwritten), static_cast<unsigned long long>(counts.unreadable),
                    static_cast<unsigned long long>(drops.count), drops.known ? "known" : drops.why.message().c_str(), launched,
                    launched * 1e9 / static_cast<double>(launches));
        check(static_cast<std::uint64_t>(once) == launches, "every launch has one kernel record");
        check(counts.no_time == 0 && counts.unfinished == 0 && counts.overwritten == 0 && counts.unreadable == 0, "every record is whole");
        check(drops.known && drops.count == 0, "nothing was dropped");
        session.stop();
    }

    // An event pair spans what is around the kernel too, always about the same: what must agree is how much longer one kernel is
    // than another. Events resolve half a microsecond.
    std::puts("durations, CUPTI against event pairs:");
    double shorter_by_event = 0, shorter_by_cupti = 0;
    for (const unsigned long ns : {20'000ul, 40'000ul, 80'000ul, 160'000ul, 320'000ul}) {
        session.start();
        std::vector<double> by_event;
        hanabi::event before{gpu}, behind{gpu};
        for (int i = 0; i < 200; ++i) {
            before.record(stream);
            (*run)(spin[hanabi::grid(1) | hanabi::block(1)](ns));
            behind.record(stream);
            behind.synchronize();
            by_event.push_back(static_cast<double>(elapsed(before, behind).count()) * 1e6);
        }
        session.stop();
        std::vector<double> by_cupti;
        session.drain([&](const activity_record& r) {
            if (r.is_kernel()) by_cupti.push_back(static_cast<double>(r.duration_ns()));
        });
        const double e = median(by_event), c = median(by_cupti);
        std::printf("  asked %lu ns: events %.0f, CUPTI %.0f, difference %.0f", ns, e, c, e - c);
        check(by_cupti.size() == by_event.size(), "as many records as event pairs");
        if (shorter_by_event != 0) {
            std::printf("; longer than the one before: by events %.0f, by CUPTI %.0f", e - shorter_by_event, c - shorter_by_cupti);
            check(std::fabs((e - shorter_by_event) - (c - shorter_by_cupti)) < 1000, "they agree within the resolution of two event pairs");
        }
        std::puts("");
        shorter_by_event = e;
        shorter_by_cupti = c;
    }

    check(graphs("a later") || library.version() < 130101, "the same in a later session");

    std::puts("a second client:");
    {
        cupti::subscriber_handle other = nullptr;
        const auto& f = library.functions();
        const auto callback = [](void*, unsigned, std::uint32_t, const void*) {};
        check(f.subscribe(&other, callback, nullptr) == cupti::status::success, "the other client subscribes");
        session.start(code);
        say("session.start() while another has CUPTI", code, session.why());
        check(code == cupti::status::multiple_subscribers_not_supported, "39");
        launch_nop();
        stream.synchronize();
        f.unsubscribe(other);
        session.start(code);
        check(!code, "it records when the other is gone");
        const auto s = f.subscribe(&other, callback, nullptr);
        std::printf("  the other while the session records: %s\n", cupti::error_text(s).c_str());
        check(s == cupti::status::multiple_subscribers_not_supported, "the session keeps others out");
        cupti::session second{library};
        second.start(code);
        say("a second session", code, second.why());
        session.stop();
    }

    std::puts("names after their module is unloaded:");
    std::fflush(stdout);
    {
        session.start();
        launch_nop();
        stream.synchronize();
        run.reset();
        work->unload();
        work.reset();
        session.stop();
        std::string name;
        session.drain([&](const activity_record& r) {
            if (r.is_kernel()) name = r.name;
        });
        std::printf("  '%s'\n", name.c_str());
        check(name == "nop", "the name is still there");
    }
    std::puts(good ? "all so" : "not all so");
    return good ? 0 : 1;
}
