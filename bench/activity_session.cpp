// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// How fast records go through a host-side session: in, flushed, drained and looked at, with one thread and with several on one
// session, and how much memory it takes. Exits 1 when one thread does less than 20 million records a second on the faithful way, when
// a record is lost, or when the memory grows with their number.
//
//   activity_session [RECORDS [THREADS]]    100 million records and up to 8 threads unless said

#include <hanabi/activity_session.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

/// What a summary keeps of a record, without the summary: totals by name are trace::summary's and profile_overhead's.
struct totals {
    std::uint64_t records = 0, nanoseconds = 0, bytes = 0;
    void operator()(const hanabi::activity_record& r) noexcept {
        ++records;
        nanoseconds += r.duration_ns();
        bytes += r.grid[0];
    }
};

hanabi::activity_record sample() {
    hanabi::activity_record r;
    r.kind = hanabi::activity_kind::concurrent_kernel;
    r.name = "axpy";
    r.start = 1000;
    r.end = 1500;
    for (unsigned i = 0; i < 3; ++i) r.grid[i] = r.block[i] = 1;
    return r;
}

long resident_kilobytes() {
    long pages = 0, resident = 0;
    if (std::FILE* const f = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
        std::fclose(f);
    }
    return resident * 4;
}

/// Every thread records in batches, and drains what is complete into totals of its own. Records a second, all threads together.
double run(hanabi::activity_session& session, std::uint64_t records, unsigned threads, std::uint64_t batch, totals& seen) {
    const std::uint64_t each = records / threads;
    std::vector<totals> all(threads);
    const auto begin = std::chrono::steady_clock::now();
    const auto work = [&](unsigned t) {
        totals mine;
        const auto visit = [&](const hanabi::activity_record& x) { mine(x); };
        hanabi::activity_record r = sample();
        std::error_code code;
        for (std::uint64_t i = 0; i < each;) {
            for (const std::uint64_t end = std::min(each, i + batch); i < end; ++i) {
                r.correlation = static_cast<std::uint32_t>(i);
                session.record(r, code);
            }
            if (!session.is_faithful()) session.flush(code);
            session.drain(visit);
        }
        all[t] = mine;
    };
    std::vector<std::thread> others;
    for (unsigned t = 1; t < threads; ++t) others.emplace_back(work, t);
    work(0);
    for (std::thread& t : others) t.join();
    session.flush();
    session.drain([&](const hanabi::activity_record& x) { seen(x); });
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (const totals& t : all) seen.records += t.records;
    return static_cast<double>(each * threads) / took;
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t records = argc > 1 ? static_cast<std::uint64_t>(std::atoll(argv[1])) : 100'000'000;
    const unsigned most = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 8;
    bool good = true;
    {
        hanabi::activity_session session{4096};
        session.start();
        totals seen;
        const double rate = run(session, records / 4, 1, 4096, seen);
        std::printf("strict,   1 thread:  %6.1f million records a second, %.1f ns each\n", rate * 1e-6, 1e9 / rate);
    }
    for (unsigned threads = 1; threads <= most; threads *= 2) {
        hanabi::activity_session session{hanabi::activity_session::faithful{1u << 18, 16 * threads, 32}};
        session.start();
        totals seen;
        run(session, 1'000'000, threads, 4096, seen); // warms up
        const long before = resident_kilobytes();
        seen = {};
        const double rate = run(session, records, threads, 4096, seen);
        const long grown = resident_kilobytes() - before;
        const auto lost = session.drops().count;
        std::printf(
            "faithful, %u thread%s: %6.1f million records a second, %.1f ns each; %llu handed over, %llu lost, memory grew by %ld kB\n",
            threads, threads == 1 ? " " : "s", rate * 1e-6, 1e9 / rate, static_cast<unsigned long long>(seen.records),
            static_cast<unsigned long long>(lost), grown);
        if (threads == 1 && rate < 20e6) good = false, std::puts("  below 20 million a second");
        if (grown > 4096 * static_cast<long>(threads)) good = false, std::puts("  memory grows with the number of records");
        if (lost != 0 || seen.records != records / threads * threads) good = false, std::puts("  records are missing");
    }
    return good ? 0 : 1;
}
