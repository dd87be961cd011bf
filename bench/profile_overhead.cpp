// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What the policies cost a launch on the host, over a bare one of the same run, and how fast records go through a session and a
// summary. The driver is a stub, so that what is measured is the library's; the clock is measured beside it.
//
//   profile_overhead [ROUNDS [RECORDS]]   3000 rounds and 20 million records unless said; exits 1 beyond the limits

#include <hanabi/activity_session.hpp>
#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>
#include <hanabi/profile.hpp>
#include <hanabi/trace.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace profile = hanabi::profile;

namespace {

constexpr char ptx[] = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
)";

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

hanabi::driver::status stub_launch(hanabi::driver::function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   hanabi::driver::stream_handle, void**, void**) noexcept {
    return hanabi::driver::status::success;
}

#if defined(HANABI_HAS_NVTX)
using range = profile::nvtx<>;
#else // no toolkit here: an empty policy
struct range {
    void before(const hanabi::launch_view&) const noexcept {}
    void after(const hanabi::launch_view&, const std::error_code&) const noexcept {}
};
#endif

template <class Dispatcher>
[[gnu::noinline]] void launch(const Dispatcher& run, const hanabi::buffer<float>& x, hanabi::buffer<float>& y, int n) {
    run(axpy[hanabi::over(n)](2.0f, x, y, n));
}
[[gnu::noinline]] void read_clock(std::uint64_t& sum) { sum += hanabi::detail::steady_now(); }

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
/// Of this process, which has one thread: what others do on the machine does not count.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

long resident_kilobytes() {
    long pages = 0, resident = 0;
    if (std::FILE* const f = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
        std::fclose(f);
    }
    return resident * 4;
}

/// Records of `kernels` names, through a faithful session into a summary, in batches that are flushed and drained.
bool stream(std::uint64_t records) {
    hanabi::activity_session session{hanabi::activity_session::faithful{}};
    session.start();
    hanabi::trace::summary summary;
    static const char* const names[] = {"axpy", "scal", "gemm_128x128", "reduce", "softmax", "layer_norm", "copy", "transpose"};
    hanabi::activity_record r;
    r.kind = hanabi::activity_kind::concurrent_kernel;
    r.registers = 32;
    std::error_code code;
    std::uint64_t seen = 0;
    long warm = 0;
    const double begin = processor_seconds();
    for (std::uint64_t i = 0; i < records; ++i) {
        r.name = names[i % 8];
        r.correlation = static_cast<std::uint32_t>(i);
        r.start = 1'000'000 + i * 100;
        r.end = r.start + 50 + i % 1000;
        session.record(r, code);
        if (i % 2048 == 2047) { // few enough to stay in the cache
            session.flush(code);
            seen += session.drain([&](const hanabi::activity_record& one) { summary.take(one); });
            if (i < (1u << 20)) warm = resident_kilobytes();
        }
    }
    session.flush(code);
    seen += session.drain([&](const hanabi::activity_record& one) { summary.take(one); });
    const double took = processor_seconds() - begin;
    const long grown = resident_kilobytes() - warm;
    std::printf("%llu records through a session into a summary: %.1f million a second on one core, %ld KB more memory at the end\n",
                static_cast<unsigned long long>(records), static_cast<double>(records) / took / 1e6, grown);
    return seen == records && grown < 4096 && static_cast<double>(records) / took >= 20e6;
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t rounds = argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 3000;
    const std::uint64_t records = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20'000'000;

    static hanabi::driver::table stub = hanabi::host::table();
    auto device = hanabi::context::primary(0, stub);
    auto blas = hanabi::registry::load(device, {{"blas", ptx}});
    blas.require(axpy);
    hanabi::buffer<float> x{device, 1000}, y{device, 1000};
    stub.launch_kernel = &stub_launch;

    constexpr int batch = 1000;
    profile::ledger clocked{{.launches_per_thread = 1024}}, recorded{{.launches_per_thread = 1024}};
    hanabi::activity_session session{batch}, bare_session{batch}, faithful{hanabi::activity_session::faithful{}};
    session.start();
    bare_session.start();
    faithful.start();
    const hanabi::dispatcher bare{blas};
    const hanabi::dispatcher with_clock{blas, profile::host_clock{clocked}};
    const hanabi::dispatcher with_session{blas, profile::activity{bare_session}};
    const hanabi::dispatcher with_ledger{blas, profile::activity{session, recorded}};
    const hanabi::dispatcher with_faithful{blas, profile::activity{faithful}};
    const hanabi::dispatcher with_nvtx{blas, range{}};

    enum way { clock_read, plain, host_clock, activity, activity_and_ledger, activity_faithful, nvtx, ways };
    std::uint64_t sum = 0;
    const auto time = [&](int which) {
        const auto begin = hanabi::detail::steady_now();
        for (int i = 0; i < batch; ++i) switch (which) {
            case clock_read: read_clock(sum); break;
            case plain: launch(bare, x, y, 1000); break;
            case host_clock: launch(with_clock, x, y, 1000); break;
            case activity: launch(with_session, x, y, 1000); break;
            case activity_and_ledger: launch(with_ledger, x, y, 1000); break;
            case activity_faithful: launch(with_faithful, x, y, 1000); break;
            case nvtx: launch(with_nvtx, x, y, 1000); break;
            default: break;
            }
        const double took = static_cast<double>(hanabi::detail::steady_now() - begin) / batch;
        // Taking them out again is not the launch's.
        if (which == host_clock) clocked.collect();
        std::error_code code;
        if (which == activity) {
            bare_session.flush(code);
            bare_session.drain([](const hanabi::activity_record&) {});
        }
        if (which == activity_faithful) {
            faithful.flush(code);
            faithful.drain([](const hanabi::activity_record&) {});
        }
        if (which == activity_and_ledger) {
            session.flush(code);
            recorded.collect(session);
        }
        return took;
    };
    std::array<std::vector<double>, ways> times, over;
    for (std::size_t round = 0; round < rounds + rounds / 10; ++round) {
        std::array<double, ways> t{};
        for (int turn = 0; turn < ways; ++turn) {
            const int which = static_cast<int>((static_cast<std::size_t>(turn) + round) % ways);
            t[static_cast<std::size_t>(which)] = time(which);
        }
        if (round < rounds / 10) continue; // warm-up
        for (std::size_t w = 0; w < ways; ++w) {
            times[w].push_back(t[w]);
            over[w].push_back(t[w] - t[plain]);
        }
    }
    const auto account = recorded.finish(session);
    std::printf("ledger: %llu launches, %llu matched, %llu dropped\n", static_cast<unsigned long long>(account.launches),
                static_cast<unsigned long long>(account.matched), static_cast<unsigned long long>(account.dropped));
    const double clock = median(times[clock_read]);
    std::printf("a read of the clock %.1f ns, a bare launch over a stub %.1f ns\n", clock, median(times[plain]));
    bool good = true;
    const auto tell = [&](int which, const char* name, double limit) {
        const double more = median(over[static_cast<std::size_t>(which)]);
        std::printf("%-28s +%6.1f ns", name, more);
        if (limit > 0) {
            std::printf("   limit %.1f ns%s", limit, more <= limit ? "" : "   BEYOND");
            good = good && more <= limit;
        }
        std::puts("");
    };
    tell(host_clock, "host_clock", 2 * clock + 5);
    tell(activity, "activity, strict session", 2 * clock + 15);
    tell(activity_and_ledger, "the same with a ledger", 0);
    tell(activity_faithful, "activity, faithful session", 0);
    tell(nvtx, "nvtx without a tool", 10);
    good = stream(records) && good;
    stub = hanabi::host::table(); // for the teardown
    std::puts(good ? "within the limits" : "beyond the limits");
    return good && sum != 1 ? 0 : 1;
}
