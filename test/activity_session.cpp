// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host-side session: the strict contract line by line, the faithful one in bytes that the library's own iterator walks,
/// many threads, misuse.

#define BOOST_TEST_MODULE activity_session
#include <boost/test/unit_test.hpp>

#include <hanabi/activity_session.hpp>
#include <hanabi/cupti/library.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#if defined(__linux__)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace cupti = hanabi::cupti;
using hanabi::activity_kind;
using hanabi::activity_record;
using hanabi::activity_session;
using hanabi::errc;

namespace {

inline constexpr hanabi::kernel<"blas", "axpy", void(float, int)> axpy;

activity_record kernel(std::uint32_t correlation, activity_kind kind = activity_kind::concurrent_kernel) {
    activity_record r;
    r.kind = kind;
    r.correlation = correlation;
    r.start = 1000 + correlation;
    r.end = 2000 + correlation;
    r.name = "k";
    return r;
}

std::vector<std::uint32_t> correlations(const std::vector<activity_record>& all) {
    std::vector<std::uint32_t> numbers;
    for (const activity_record& r : all) numbers.push_back(r.correlation);
    return numbers;
}

/// The message of the error that a call throws; its code must be this one.
template <class F>
std::string refused(errc expected, F call) {
    try {
        call();
    } catch (const hanabi::error& e) {
        BOOST_TEST((e.code() == expected), e.what());
        return e.what();
    }
    BOOST_ERROR("nothing was thrown");
    return {};
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Callbacks as a client of CUPTI's writes them.
struct client {
    static inline std::vector<std::pair<std::uint8_t*, std::size_t>> completed;
    static inline std::size_t size = 4096;
    static inline std::size_t max_records = 0;
    static inline std::size_t offset = 0; ///< misaligns
    static inline unsigned requests = 0;
    static inline unsigned allowed = 0;       ///< buffers that are given; beyond it null
    static inline void (*inside)() = nullptr; ///< called from both

    static void HANABI_CUDAAPI request(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most) {
        ++requests;
        if (inside != nullptr) inside();
        *buffer = requests > allowed ? nullptr : static_cast<std::uint8_t*>(std::aligned_alloc(8, (size + 15) / 8 * 8)) + offset;
        *bytes = size;
        *most = max_records;
    }
    static void HANABI_CUDAAPI complete(hanabi::driver::context_handle, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                        std::size_t valid) {
        if (inside != nullptr) inside();
        completed.push_back({buffer, valid});
    }
    static void reset(unsigned buffers, std::size_t bytes = 4096) {
        for (auto& [buffer, valid] : completed) std::free(buffer - offset);
        completed.clear();
        size = bytes;
        max_records = offset = 0;
        requests = 0;
        allowed = buffers;
        inside = nullptr;
    }
    static std::size_t valid() {
        std::size_t all = 0;
        for (const auto& [buffer, bytes] : completed) all += bytes;
        return all;
    }
};

} // namespace

// behaviour: one line of the table, one block here
BOOST_AUTO_TEST_CASE(strict_contract) {
    activity_session s{3};
    BOOST_TEST(s.capacity() == 3u);
    BOOST_TEST(!s.has_callbacks());
    BOOST_TEST(s.enabled_kinds().empty());
    BOOST_TEST(activity_session{0}.capacity() == 1u);
    BOOST_TEST(activity_session{}.capacity() == 256u);

    // before registration
    BOOST_TEST(has(refused(errc::callbacks_not_registered, [&] { s.enable(activity_kind::memcpy); }), "register_callbacks"));
    refused(errc::callbacks_not_registered, [&] { s.record(kernel(1)); });
    refused(errc::callbacks_not_registered, [&] { s.flush(); });
    s.disable(activity_kind::memcpy); // a no-op

    s.register_callbacks();
    s.register_callbacks(); // idempotent
    BOOST_TEST(s.has_callbacks());

    // kinds
    s.enable(activity_kind::memset);
    s.enable(activity_kind::concurrent_kernel);
    s.enable(activity_kind::memset);
    BOOST_TEST((s.enabled_kinds() == std::vector<activity_kind>{activity_kind::memset, activity_kind::concurrent_kernel}));
    s.disable(activity_kind::memset);
    s.disable(activity_kind::memset);
    BOOST_TEST(!s.is_enabled(activity_kind::memset));
    BOOST_TEST((s.enabled_kinds() == std::vector<activity_kind>{activity_kind::concurrent_kernel}));
    BOOST_TEST(has(refused(errc::invalid_argument, [&] { s.enable(static_cast<activity_kind>(99)); }), "99"));

    // record: a kind that is off is left out, counted, and success; it does not need room
    std::error_code code;
    for (std::uint32_t i = 1; i <= 3; ++i) s.record(kernel(i));
    s.record(kernel(9, activity_kind::memset), code);
    BOOST_TEST(!code);
    BOOST_TEST(s.dropped_records() == 1u);
    BOOST_TEST(s.dropped_records() == 1u); // strict: does not reset
    BOOST_TEST(s.pending() == 3u);

    // full: refused, nothing lost, nothing stored
    const std::string words = refused(errc::buffer_full, [&] { s.record(kernel(4)); });
    BOOST_TEST(has(words, "capacity 3"), words);
    s.record(kernel(4), code);
    BOOST_TEST((code == errc::buffer_full));
    BOOST_TEST(s.pending() == 3u);
    BOOST_TEST(s.dropped_records() == 1u);

    // flush and drain
    BOOST_TEST(s.completed() == 0u);
    BOOST_TEST(s.flush() == 3u);
    BOOST_TEST(s.pending() == 0u);
    BOOST_TEST(s.completed() == 3u);
    BOOST_TEST(s.flush() == 0u);
    s.record(kernel(5));
    BOOST_TEST(s.flush() == 1u);
    BOOST_TEST(s.completed() == 4u);
    BOOST_TEST((correlations(s.drain()) == std::vector<std::uint32_t>{1, 2, 3, 5}));
    BOOST_TEST(s.drain().empty());
    BOOST_TEST(s.completed() == 0u);
}

BOOST_AUTO_TEST_CASE(strict_with_callbacks_of_the_users_own) {
    client::reset(2);
    activity_session s;
    refused(errc::invalid_argument, [&] { s.register_callbacks(nullptr, &client::complete); });
    s.register_callbacks(&client::request, &client::complete);
    s.enable(activity_kind::concurrent_kernel);
    for (std::uint32_t i = 1; i <= 20; ++i) s.record(kernel(i)); // 18 fit into 4096 bytes
    BOOST_TEST(client::requests == 0u);
    BOOST_TEST(s.flush() == 20u);
    BOOST_TEST(s.completed() == 0u); // they went to the user
    BOOST_TEST(client::completed.size() == 2u);
    BOOST_TEST(client::valid() == 20u * 216);
    client::reset(0);
}

BOOST_AUTO_TEST_CASE(a_visitor_that_throws_loses_only_its_record) {
    for (const bool faithful : {false, true}) {
        activity_session strict;
        activity_session bytes{activity_session::faithful{}};
        activity_session& s = faithful ? bytes : strict;
        s.start();
        for (std::uint32_t i = 1; i <= 5; ++i) s.record(kernel(i));
        s.flush();
        BOOST_CHECK_THROW(s.drain([](const activity_record& r) {
            if (r.correlation == 3) throw std::runtime_error{"enough"};
        }),
                          std::runtime_error);
        BOOST_TEST(s.completed() == 2u);
        BOOST_TEST((correlations(s.drain()) == std::vector<std::uint32_t>{4, 5}));
        // and a visitor that drains gets nothing, without waiting for itself
        s.record(kernel(6));
        s.flush();
        BOOST_TEST(s.drain([&](const activity_record&) { BOOST_TEST(s.drain([](const activity_record&) {}) == 0u); }) == 1u);
    }
}

BOOST_AUTO_TEST_CASE(faithful_semantics) {
    client::reset(100);
    activity_session s{activity_session::faithful{}};
    s.enable(activity_kind::concurrent_kernel); // before registering: allowed
    s.record(kernel(1));                        // no callbacks, no buffer: dropped
    BOOST_TEST(s.dropped_records() == 1u);
    BOOST_TEST(s.dropped_records() == 0u); // resets on reading
    BOOST_TEST(s.drops().count == 1u);     // the sum does not
    s.register_callbacks(&client::request, &client::complete);
    s.record(kernel(2, activity_kind::memcpy)); // a kind that is off is never produced, and not counted
    BOOST_TEST(s.dropped_records() == 0u);
    BOOST_TEST(client::requests == 0u);

    // 18 records fill a buffer; the next one needs another, and hands the full one over
    for (std::uint32_t i = 1; i <= 18; ++i) s.record(kernel(i));
    BOOST_TEST(client::requests == 1u);
    BOOST_TEST(client::completed.size() == 0u);
    s.record(kernel(19));
    BOOST_TEST(client::requests == 2u);
    BOOST_TEST(client::completed.size() == 1u);
    BOOST_TEST(client::valid() == 18u * 216);
    BOOST_TEST(s.pending() == 1u);

    BOOST_TEST(s.flush(cupti::flush_mode::complete) == 0u); // a buffer that is not full is not complete
    BOOST_TEST(s.flush(cupti::flush_mode::everything) == 1u);
    BOOST_TEST(client::valid() == 19u * 216);
    BOOST_TEST(s.flush() == 0u);

    // a full buffer with unfinished work waits for everything
    activity_record running = kernel(20);
    running.end = 0;
    s.record(running);
    for (std::uint32_t i = 21; i <= 38; ++i) s.record(kernel(i));
    BOOST_TEST(client::valid() == 19u * 216);
    BOOST_TEST(s.flush(cupti::flush_mode::complete) == 0u);
    BOOST_TEST(s.flush(cupti::flush_mode::everything) == 19u);
    BOOST_TEST(client::valid() == 38u * 216);

    // no buffer: dropped, and on again when there is one
    client::allowed = client::requests;
    s.record(kernel(39));
    s.record(kernel(40));
    BOOST_TEST(s.dropped_records() == 2u);
    client::allowed = 100;
    s.record(kernel(41));
    BOOST_TEST(s.flush() == 1u);

    // at most so many records a buffer; buffers that are no good are given back empty
    client::max_records = 2;
    for (std::uint32_t i = 0; i < 5; ++i) s.record(kernel(i));
    BOOST_TEST(s.flush() == 1u);
    client::max_records = 0;
    const std::size_t before = client::completed.size();
    client::size = 100;
    s.record(kernel(1));
    BOOST_TEST(s.dropped_records() == 1u);
    BOOST_TEST(client::completed.size() == before + 1);
    BOOST_TEST(client::completed.back().second == 0u);
    client::reset(100);
    client::offset = 4;
    s.record(kernel(1));
    BOOST_TEST(s.dropped_records() == 1u);
    BOOST_TEST(client::completed.size() == 1u);
    client::reset(0);
}

// What was put in is what NVIDIA's own iterator finds; it needs no GPU.
BOOST_AUTO_TEST_CASE(the_librarys_iterator_walks_faithful_buffers) {
    std::error_code code;
    const cupti::library library = cupti::library::load(code);
    if (!library || library.record_size(activity_kind::concurrent_kernel) != 216) {
        BOOST_TEST_MESSAGE("no libcupti of CUDA 13 here");
        BOOST_TEST(true);
        return;
    }
    client::reset(1000);
    activity_session s{activity_session::faithful{}};
    s.register_callbacks(&client::request, &client::complete);
    const activity_kind kinds[] = {activity_kind::concurrent_kernel, activity_kind::driver, activity_kind::external_correlation,
                                   activity_kind::memcpy, activity_kind::memset};
    for (const activity_kind k : kinds) s.enable(k);
    std::vector<std::uint32_t> in;
    for (std::uint32_t i = 1; i <= 1000; ++i) {
        s.record(kernel(i, kinds[i * 7 % 5]));
        in.push_back(i);
    }
    s.flush();
    BOOST_TEST(client::completed.size() > 10u);
    std::vector<std::uint32_t> out;
    for (const auto& [buffer, valid] : client::completed) {
        BOOST_TEST(reinterpret_cast<std::uintptr_t>(buffer) % 8 == 0u);
        std::byte* record = nullptr;
        cupti::status status;
        while ((status = library.functions().activity_get_next_record(buffer, valid, &record)) == cupti::status::success) {
            const activity_record r = cupti::to_record({record, 216});
            BOOST_TEST((r.kind == kinds[r.correlation * 7 % 5]));
            out.push_back(r.correlation);
        }
        BOOST_TEST((status == cupti::status::max_limit_reached));
    }
    BOOST_TEST((in == out));
    client::reset(0);
}

BOOST_AUTO_TEST_CASE(callbacks_must_not_call_back) {
    client::reset(100);
    static activity_session* session = nullptr;
    activity_session s{activity_session::faithful{}};
    session = &s;
    s.register_callbacks(&client::request, &client::complete);
    s.enable(activity_kind::concurrent_kernel);
    static std::error_code code;
    client::inside = [] {
        session->flush(code);
        BOOST_TEST((code == errc::inside_callback));
        session->record(kernel(1), code); // needs another buffer: dropped
        BOOST_TEST(session->drain([](const activity_record&) {}) == 0u);
    };
    s.record(kernel(1));
    BOOST_TEST(s.dropped_records() == 1u);
    client::inside = [] { refused(errc::inside_callback, [] { session->flush(); }); };
    BOOST_TEST(s.flush() == 1u);
    client::reset(0);
}

// The owner of the buffers gets them back, with what is in them.
BOOST_AUTO_TEST_CASE(a_session_that_goes_gives_its_buffers_back) {
    client::reset(100);
    {
        activity_session s{activity_session::faithful{}};
        s.register_callbacks(&client::request, &client::complete);
        s.enable(activity_kind::concurrent_kernel);
        s.record(kernel(1));
    }
    BOOST_TEST(client::completed.size() == 1u);
    BOOST_TEST(client::valid() == 216u);
    client::reset(0);
}

BOOST_AUTO_TEST_CASE(memory_is_bounded) {
    activity_session s{activity_session::faithful{4096, 2, 1}};
    s.start();
    for (std::uint32_t i = 1; i <= 100; ++i) s.record(kernel(i)); // 18 a buffer, two buffers, nobody drains
    BOOST_TEST(s.drops().count == 64u);
    s.flush();
    BOOST_TEST(s.completed() == 36u);
    BOOST_TEST((s.drain().size() == 36u));
    s.record(kernel(1));
    BOOST_TEST(s.flush() == 1u); // drained buffers are used again
    BOOST_TEST(s.drops().count == 64u);
}

// One session, eight threads, somebody who drains meanwhile: nothing is lost.
BOOST_AUTO_TEST_CASE(eight_threads_lose_nothing) {
    constexpr std::uint32_t each = 4000;
    for (const bool faithful : {false, true}) {
        activity_session strict{256};
        activity_session bytes{activity_session::faithful{1u << 18, 64, 4}}; // two threads a shard
        activity_session& s = faithful ? bytes : strict;
        s.start();
        std::atomic<unsigned> running{8};
        std::vector<std::thread> threads;
        for (std::uint32_t t = 0; t < 8; ++t)
            threads.emplace_back([&, t] {
                for (std::uint32_t i = 0; i < each; ++i)
                    for (;;) { // strict: full is no loss, the caller knows
                        std::error_code code;
                        s.record(kernel(t * each + i), code);
                        if (!code) break;
                        s.flush(code);
                    }
                --running;
            });
        std::vector<bool> seen(8 * each);
        std::size_t twice = 0;
        const auto visit = [&](const activity_record& r) {
            if (seen[r.correlation]) ++twice;
            seen[r.correlation] = true;
        };
        while (running != 0) {
            std::error_code code;
            s.flush(code); // faithful: copies of what is being written
            s.drain(visit);
            std::this_thread::yield();
        }
        for (std::thread& t : threads) t.join();
        s.flush();
        s.drain(visit);
        BOOST_TEST(twice == 0u);
        BOOST_TEST(static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true)) + s.drops().count == 8u * each);
        BOOST_TEST(s.drops().count == 0u);
    }
}

// Threads come and go: those that follow write where those before did, and more at once than there are shards share one.
BOOST_AUTO_TEST_CASE(threads_come_and_go) {
    struct last_words {
        activity_session* session = nullptr;
        ~last_words() { session->record(kernel(2)); }
    };
    activity_session s{activity_session::faithful{4096, 256, 2}};
    s.start();
    for (int i = 0; i < 100; ++i)
        std::thread{[&] {
            s.record(kernel(1));
            static thread_local last_words w; // destroyed at the thread's end, before or after its number is given back
            w.session = &s;
        }}.join();
    std::atomic<int> waiting{0};
    std::vector<std::thread> together;
    for (int i = 0; i < 20; ++i)
        together.emplace_back([&] {
            ++waiting;
            while (waiting < 20) std::this_thread::yield();
            s.record(kernel(3));
        });
    for (std::thread& t : together) t.join();
    s.flush();
    BOOST_TEST(s.pending() == 0u);
    BOOST_TEST(s.drain().size() == 220u);
    BOOST_TEST(s.drops().count == 0u);
}

// Wild numbers are refused or made do with.
BOOST_AUTO_TEST_CASE(wild_options) {
    activity_session least{activity_session::faithful{0, 0, 0}};
    least.start();
    for (std::uint32_t i = 0; i < 100; ++i) least.record(kernel(i));
    least.flush();
    BOOST_TEST(least.completed() == 18u);
    BOOST_TEST(least.drops().count == 82u);
    activity_session s;
    s.start();
    std::error_code code;
    for (const std::uint32_t number : {0u, 56u, ~0u}) {
        const auto kind = static_cast<activity_kind>(number);
        s.enable(kind, code);
        BOOST_TEST((code == errc::invalid_argument));
        s.disable(kind);
        BOOST_TEST(!s.is_enabled(kind));
        s.record(kernel(1, kind), code);
        BOOST_TEST(!code); // a kind that is off
    }
    BOOST_TEST(s.dropped_records() == 3u);
    activity_session f{activity_session::faithful{}};
    f.start();
    f.enable(activity_kind::nvlink);
    f.record(kernel(1, activity_kind::nvlink)); // never written: dropped, and counted
    BOOST_TEST(f.drops().count == 1u);
}

#if defined(__linux__)
BOOST_AUTO_TEST_CASE(a_forked_child_is_told) {
    activity_session s;
    s.start();
    const pid_t child = fork();
    if (child == 0) {
        std::error_code code;
        s.record(kernel(1), code);
        bool good = code == errc::forked_process && s.status() == errc::forked_process;
        s.flush(code);
        good = good && code == errc::forked_process && s.drain().empty() && s.why().find("fork") != std::string::npos;
        activity_session own; // one of its own works
        own.start();
        own.record(kernel(1), code);
        _exit(good && !code && own.flush() == 1 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    BOOST_TEST(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 0);
    s.record(kernel(1));
    BOOST_TEST(s.flush() == 1u);
}
#endif

BOOST_AUTO_TEST_CASE(it_is_a_session_of_policies) {
    static_assert(!std::is_copy_constructible_v<activity_session> && !std::is_move_constructible_v<activity_session>);
    for (const bool faithful : {false, true}) {
        activity_session strict{2};
        activity_session bytes{activity_session::faithful{}};
        activity_session& s = faithful ? bytes : strict;
        s.start();
        hanabi::launch_shape shape;
        shape.block[0] = 128;
        shape.extent[0] = 1000;
        const hanabi::launch_view view{decltype(axpy)::info, shape, hanabi::term::over, nullptr, nullptr, nullptr};
        const std::uint64_t launch = 0x1'0000'0007u;
        for (const std::error_code status : {std::error_code{}, make_error_code(hanabi::driver::status::invalid_value)})
            s.end_launch(launch, view, s.begin_launch(launch), status);
        BOOST_TEST(!s.flush_all());
        const auto all = s.drain();
        BOOST_TEST_REQUIRE(all.size() == 1u); // none of the launch that failed
        BOOST_TEST(all[0].external_id == launch);
        BOOST_TEST(all[0].correlation == 7u);
        BOOST_TEST(std::string{all[0].name} == "axpy");
        BOOST_TEST(all[0].grid[0] == 8u);
        BOOST_TEST(all[0].block[0] == 128u);
        BOOST_TEST(all[0].timed());
        BOOST_TEST(all[0].end <= s.now());
        for (int i = 0; i < 3; ++i) s.end_launch(launch, view, s.begin_launch(launch), {});
        BOOST_TEST(s.drops().count == (faithful ? 0u : 1u)); // counted, never thrown into the launch
        BOOST_TEST(s.drops().known);
    }
}
