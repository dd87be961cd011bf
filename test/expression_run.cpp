// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What a dispatcher makes of every kind of expression: results, order, streams, failures.

#define BOOST_TEST_MODULE expression_run
#include <boost/test/unit_test.hpp>

#include "support/faults.hpp"
#include "support/launching.hpp"

#include <array>
#include <atomic>
#include <span>
#include <stdexcept>
#include <system_error>
#include <thread>

using namespace hanabi::literals;
using hanabi::barrier;
using hanabi::block;
using hanabi::buffer;
using hanabi::dataflow;
using hanabi::errc;
using hanabi::grid;
using hanabi::group;
using hanabi::over;
using hanabi::parallel;
using hanabi::reads;
using hanabi::registry;
using hanabi::repeat;
using hanabi::repeat_while;
using hanabi::sequence;
using hanabi::touches;
using hanabi::touches_only;
using hanabi::unordered;
using hanabi::when;
using hanabi::writes;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry affine(.param .f32 a, .param .f32 b, .param .u64 y, .param .u32 n) { ret; }
.visible .entry add(.param .u64 x, .param .u64 y, .param .u32 n) { ret; }
.visible .entry decrease(.param .u64 flag) { ret; }
.visible .entry follow(.param .u64 table, .param .u32 n) { ret; }
)";

/// y = a y + b: the order of two of them shows in the result.
constexpr hanabi::kernel<"m", "affine", void(float, float, float*, int), hanabi::names<"a", "b", "y", "n">> affine;
constexpr hanabi::kernel<"m", "add", void(const float*, float*, int), hanabi::names<"x", "y", "n">> add;
constexpr hanabi::kernel<"m", "decrease", void(int*)> decrease;
/// Adds 1 to what the table points to.
constexpr hanabi::kernel<"m", "follow", void(float* const*, int)> follow;

void define_bodies() {
    host::define(affine, [](host::thread t, float a, float b, float* y, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] = a * y[i] + b;
    });
    host::define(add, [](host::thread t, const float* x, float* y, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] += x[i];
    });
    host::define(decrease, [](host::thread t, int* flag) {
        if (t.global_index().x == 0) --*flag;
    });
    host::define(follow, [](host::thread t, float* const* table, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) table[0][i] += 1;
    });
}

struct fixture : fresh {
    fixture() {
        define_bodies();
        modules.emplace(load(ptx, "m"));
        run.emplace(*modules);
        for (auto* b : {&x, &y, &z}) b->emplace(*gpu, n);
        x->fill(1.0f);
        y->fill(2.0f);
        z->fill(3.0f);
    }
    ~fixture() {
        if (run) run->synchronize();
    }

    /// The one value that all elements of a buffer have.
    static float value(const buffer<float>& b) {
        const auto v = b.to_vector();
        for (const float f : v) BOOST_REQUIRE(f == v[0]);
        return v[0];
    }
    float value_of(const std::optional<buffer<float>>& b) {
        run->synchronize();
        return value(*b);
    }
    std::size_t streams() const { return host::balance().streams; }

    static constexpr int n = 100;
    std::optional<registry> modules;
    std::optional<hanabi::dispatcher<>> run;
    std::optional<buffer<float>> x, y, z;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(results, fixture)

BOOST_AUTO_TEST_CASE(in_sequence) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    (*run)(affine[over(n)](2.0f, 1.0f, *y, n) >> affine[over(n)](3.0f, 0.0f, *y, n)); // (2 * 2 + 1) * 3
    BOOST_TEST(value_of(y) == 15.0f);
    (*run)(sequence(affine[over(n)](0.0f, 1.0f, *y, n), group(affine[over(n)](2.0f, 0.0f, *y, n) >> affine[over(n)](1.0f, 3.0f, *y, n)),
                    affine[over(n)](10.0f, 0.0f, *y, n))); // (1 * 2 + 3) * 10
    BOOST_TEST(value_of(y) == 50.0f);
    (*run)(sequence());
    BOOST_TEST(streams() == 1u); // nothing forked
}

BOOST_AUTO_TEST_CASE(beside_each_other) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    const auto on_x = affine[over(n)](5.0f, 0.0f, *x, n), on_y = affine[over(n)](5.0f, 1.0f, *y, n);
    host::clear_launches();
    (*run)(affine[over(n)](1.0f, 1.0f, *z, n) >> (on_x & on_y & add[over(n)](*z, *z, n)) >> add[over(n)](*x, *y, n) >>
           add[over(n)](*z, *y, n)); // y = 11 + 5 + 8
    BOOST_TEST(value_of(y) == 24.0f);
    const auto all = host::launches();
    BOOST_REQUIRE(all.size() == 6u);
    BOOST_TEST(all[1].stream == gpu->stream()); // the first goes on where it is
    BOOST_TEST(all[2].stream != all[1].stream);
    BOOST_TEST(all[3].stream != all[2].stream);
    BOOST_TEST(all[4].stream == gpu->stream());
    BOOST_TEST(streams() == 3u);
    // The streams are kept for the next, nested or not.
    (*run)(parallel(sequence(on_x, on_x), group(on_y >> (affine[over(n)](0.0f, 1.0f, *z, n) & affine[over(n)](0.0f, 7.0f, *y, n)))));
    BOOST_TEST(value_of(x) == 125.0f);
    BOOST_TEST(value_of(y) == 7.0f);
    BOOST_TEST(value_of(z) == 1.0f);
    BOOST_TEST(streams() == 3u);
    (*run)(parallel(on_x));
    (*run)(parallel());
    (*run)(
        unordered(add[over(n)](*x, *y, n), add[over(n)](*x, *z, n), touches(follow[over(n)](nullptr, 0), writes(*x)))); // said to be fine
    run->synchronize();
}

BOOST_AUTO_TEST_CASE(repeated_and_chosen) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    const auto twice = affine[over(n)](2.0f, 0.0f, *y, n);
    (*run)(repeat<3>(twice)); // 16
    BOOST_TEST(value_of(y) == 16.0f);
    unsigned char times = 2;
    (*run)(repeat(times, twice >> affine[over(n)](1.0f, 1.0f, *y, n)) >> repeat(0, twice) >> repeat(1_c, twice)); // ((16*2+1)*2+1)*2
    BOOST_TEST(value_of(y) == 134.0f);
    const bool no = false;
    (*run)(when(no, twice) >> when(true, affine[over(n)](0.0f, 1.0f, *y, n)));
    BOOST_TEST(value_of(y) == 1.0f);
    HANABI_CHECK_ERROR((*run)(repeat(-1, twice)), errc::value_out_of_range, "hanabi::repeat: -1 times");
    std::error_code ec;
    (*run)(repeat(-1L, twice), ec);
    BOOST_TEST((ec == errc::value_out_of_range));
    (*run)(repeat(1, twice), ec);
    BOOST_TEST(!ec);
}

BOOST_AUTO_TEST_CASE(as_long_as_the_device_says) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    buffer<int> flag{*gpu, 1};
    flag.copy_from(std::array{5});
    (*run)(repeat_while(flag, affine[over(n)](1.0f, 1.0f, *y, n) >> decrease[over(1)](flag)));
    BOOST_TEST(value_of(y) == 7.0f);
    (*run)(repeat_while(flag.data(), affine[over(n)](1.0f, 1.0f, *y, n))); // never
    BOOST_TEST(value_of(y) == 7.0f);
    HANABI_CHECK_ERROR((*run)(repeat_while(hanabi::device_ptr<const unsigned>{}, affine[over(n)](1.0f, 1.0f, *y, n))),
                       errc::invalid_argument, "hanabi::repeat_while", "null");
}

BOOST_AUTO_TEST_CASE(ranges_made_at_run_time) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    using one = decltype(affine[over(n)](1.0f, 1.0f, *y, n));
    std::vector<one> list;
    for (int i = 0; i < 10; ++i) list.push_back(affine[over(n)](2.0f, static_cast<float>(i % 2), *y, n));
    float expected = 2.0f;
    for (int i = 0; i < 10; ++i) expected = 2.0f * expected + static_cast<float>(i % 2);
    const auto made = sequence(list);
    BOOST_TEST(made.size() == 10u);
    list.clear(); // they were copied
    (*run)(made);
    BOOST_TEST(value_of(y) == expected);
    (*run)(sequence(std::vector<one>{}) >> parallel(std::vector<one>{}) >> dataflow(std::vector<one>{}));
    std::vector<buffer<float>> many;
    std::vector<one> beside;
    for (int i = 0; i < 40; ++i) {
        many.emplace_back(*gpu, n);
        many.back().fill(0.0f);
        beside.push_back(affine[over(n)](1.0f, static_cast<float>(i), many.back(), n));
    }
    (*run)(parallel(beside) >> unordered(std::span{beside}) >> dataflow(std::move(beside)));
    run->synchronize();
    for (int i = 0; i < 40; ++i) BOOST_TEST(value(many[static_cast<std::size_t>(i)]) == static_cast<float>(3 * i));
    BOOST_TEST(streams() == 16u); // at most that many side by side
    // Bound all at once; of any expression.
    const auto open = affine[over("n"_arg)]("a"_arg, 1.0f, "y"_arg, "n"_arg);
    const auto pair = open >> open;
    const auto bound = sequence(std::vector{pair, pair}).bind("n"_arg = n, "a"_arg = 2.0f, "y"_arg = *y);
    y->fill(1.0f);
    (*run)(bound);
    BOOST_TEST(value_of(y) == 31.0f);
}

BOOST_AUTO_TEST_CASE(copies_and_fills) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    std::vector<float> from(n, 4.0f), to(n);
    const auto step = hanabi::copy(*x, from) >> hanabi::copy(*y, *x) >> affine[over(n)](2.0f, 0.0f, *y, n) >> hanabi::copy(to, *y) >>
                      hanabi::fill(*x, 9_c) >> hanabi::fill(z->subspan(0, 50), 0.5f);
    (*run)(step);
    run->synchronize();
    BOOST_TEST(to[99] == 8.0f);
    BOOST_TEST(value(*x) == 9.0f);
    BOOST_TEST(z->to_vector()[49] == 0.5f);
    BOOST_TEST(z->to_vector()[50] == 3.0f);
    // Open: what is copied to, from, and filled with.
    const auto open = hanabi::copy("target"_arg, from) >> affine[over(n)](1.0f, 1.0f, "target"_arg, n) >> hanabi::copy(to, "target"_arg) >>
                      hanabi::fill(*x, "v"_arg);
    (*run)(open.bind("target"_arg = *z, "v"_arg = 7.0f));
    run->synchronize();
    BOOST_TEST(to[0] == 5.0f);
    BOOST_TEST(value(*x) == 7.0f);
    (*run)(open.bind("v"_arg = 1_c).bind("target"_arg = z->data()));
    run->synchronize();
    BOOST_TEST(value(*x) == 1.0f);
    // Sizes.
    std::vector<float> few(3);
    const int line = __LINE__ + 1;
    const auto wrong = hanabi::copy(*x, few);
    const std::string site = "expression_run.cpp:" + std::to_string(line);
    HANABI_CHECK_ERROR((*run)(wrong), errc::size_mismatch, "hanabi::copy at ", site.c_str(), "the source has 3 elements",
                       "destination 100");
    std::error_code ec;
    (*run)(hanabi::copy(few, "x"_arg).bind("x"_arg = *x), ec);
    BOOST_TEST((ec == errc::size_mismatch));
    HANABI_CHECK_ERROR((*run)(hanabi::copy("x"_arg, few).bind("x"_arg = nullptr)), errc::invalid_argument, "hanabi::copy", "null");
    host::fail(entry::memset_d32_async, status::invalid_value);
    HANABI_CHECK_ERROR((*run)(hanabi::fill(*x, 1.0f)), status::invalid_value, "hanabi::fill", "100 elements of 4 bytes");
}

BOOST_AUTO_TEST_CASE(events) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    hanabi::event mark{*gpu}, end{*gpu};
    const hanabi::stream other{*gpu};
    (*run)(affine[over(n)](2.0f, 0.0f, *y, n) >> hanabi::record(mark));
    run->on(other)(hanabi::wait(mark) >> add[over(n)](*y, *x, n) >> hanabi::record(end));
    end.synchronize();
    BOOST_TEST(value_of(x) == 5.0f);
    BOOST_TEST(elapsed(mark, end).count() >= 0.0f);
    hanabi::event gone = std::move(mark);
    HANABI_CHECK_ERROR((*run)(hanabi::wait(mark)), errc::invalid_argument, "hanabi::wait: the event was moved from");
    HANABI_CHECK_ERROR((*run)(hanabi::record(mark)), errc::invalid_argument, "the event was moved from");
    std::error_code ec;
    (*run)(hanabi::record(mark), ec);
    BOOST_TEST((ec == errc::invalid_argument));
}

namespace {
std::string& told() {
    static std::string text;
    return text;
}
} // namespace

BOOST_AUTO_TEST_CASE(calls) {
    std::vector<float> out(n);
    std::atomic<float> seen{0};
    auto counter = std::make_shared<int>(0);
    (*run)(hanabi::copy(out, *y) >> hanabi::call([&, counter] {
               seen = out[99];
               ++*counter;
           }) >>
           repeat(3, hanabi::call([counter]() noexcept { ++*counter; })));
    run->synchronize();
    BOOST_TEST(seen == 2.0f);
    BOOST_TEST(*counter == 4);
    (*run)(hanabi::call([] {})); // what was called is freed
    run->synchronize();
    BOOST_TEST(counter.use_count() == 1);
    // An exception goes no further.
    hanabi::set_teardown_handler(
        [](const char* operation, status s) noexcept { told() = std::string{operation} + " " + std::to_string(static_cast<int>(s)); });
    (*run)(hanabi::call([] { throw std::runtime_error{"no"}; }));
    run->synchronize();
    hanabi::set_teardown_handler(&hanabi::default_teardown_handler);
    BOOST_TEST(told() == "a function called in the order of a stream (hanabi::call) threw an exception 999");
    if (!on_host()) return;
    host::fail(entry::launch_host_func, status::not_supported);
    HANABI_CHECK_ERROR((*run)(hanabi::call([counter] {})), status::not_supported, "hanabi::call");
    (*run)(hanabi::call([] {}));
    BOOST_TEST(counter.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(found_out) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    // y and z are independent until they meet.
    host::clear_launches();
    (*run)(dataflow(affine[over(n)](2.0f, 1.0f, *y, n), affine[over(n)](3.0f, 0.0f, *z, n), affine[over(n)](2.0f, 0.0f, *y, n),
                    add[over(n)](*y, *z, n), hanabi::fill(*y, 0.0f), affine[over(n)](1.0f, 1.0f, *y, n)));
    BOOST_TEST(value_of(z) == 19.0f); // (2 * 2 + 1) * 2 + 9
    BOOST_TEST(value_of(y) == 1.0f);
    const auto all = host::launches();
    BOOST_TEST(all[0].stream == all[2].stream);
    BOOST_TEST(all[0].stream != all[1].stream);
    BOOST_TEST(streams() == 2u);
    // Through a table, which says nothing; and a call, which waits for everything unless it is told what it uses.
    buffer<float*> table{*gpu, 1};
    table.copy_from(std::array{y->data().get()});
    int calls = 0;
    (*run)(dataflow(affine[over(n)](2.0f, 0.0f, *y, n), touches(follow[over(n)](table, n), writes(*y)), affine[over(n)](10.0f, 0.0f, *y, n),
                    hanabi::call([&] { calls += 1; }), barrier(), touches(hanabi::call([&] { calls += 10; }), reads(*z)),
                    group(affine[over(n)](1.0f, 1.0f, *y, n) >> add[over(n)](*y, *z, n)))); // y = (1 * 2 + 1) * 10 + 1, z = 19 + 31
    BOOST_TEST(value_of(y) == 31.0f);
    BOOST_TEST(value_of(z) == 50.0f);
    BOOST_TEST(calls == 11);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(races, fixture)

BOOST_AUTO_TEST_CASE(are_refused_before_anything_runs) {
    const int line = __LINE__ + 1;
    const auto race = add[over(n)](*x, *y, n) & affine[over(n)](2.0f, 0.0f, *x, n);
    const std::string site = "expression_run.cpp:" + std::to_string(line);
    char address[32];
    std::snprintf(address, sizeof address, "0x%llx", x->data().address());
    if (on_host()) host::clear_launches();
    HANABI_CHECK_ERROR((*run)(race), errc::race, "m::add at ", site.c_str(), "reads argument 1 (x)", "m::affine at ",
                       "writes argument 3 (y)", "400 bytes", address, "unordered(a, b)");
    std::error_code ec;
    (*run)(affine[over(n)](2.0f, 0.0f, *x, n) >> race, ec);
    BOOST_TEST((ec == errc::race));
    if (on_host()) BOOST_TEST(host::launch_count() == 0u);
    // Deep inside, and between parts of parts.
    const auto fine = add[over(n)](*x, *y, n) & add[over(n)](*x, *z, n);
    (*run)(fine, ec);
    BOOST_TEST(!ec);
    const auto deep = affine[over(n)](1.0f, 0.0f, *z, n) & group(repeat(2, group(add[over(n)](*x, *y, n))) >> add[over(n)](*y, *z, n));
    HANABI_CHECK_ERROR((*run)(repeat(2, when(true, deep))), errc::race, "m::affine", "m::add", "argument 2 (y)");
    (*run)(when(false, deep));
    (*run)(repeat(0, deep));
    // Copies, fills and flags; other halves are fine, and so is what is asserted to be.
    std::vector<float> out(n);
    HANABI_CHECK_ERROR((*run)(hanabi::copy(out, *x) & hanabi::fill(*x, 0.0f)), errc::race, "copy at ", "reads its source", "fill at ",
                       "writes its destination");
    (*run)(hanabi::fill(x->subspan(0, 50), 0.0f) & hanabi::fill(x->subspan(50, 50), 1.0f));
    HANABI_CHECK_ERROR((*run)(parallel(std::vector{hanabi::copy(out, *x), hanabi::copy(out, *y)})), errc::race, "writes its destination");
    (*run)(unordered(hanabi::copy(*z, *x), hanabi::copy(*z, *y)));
    HANABI_CHECK_ERROR((*run)(unordered(hanabi::copy(*z, *x), hanabi::copy(*z, *y)) & hanabi::copy(out, *z)), errc::race, "copy at ");
    const auto half = [&](int offset) {
        return touches_only(affine[over(50)](1.0f, 1.0f, x->data() + offset, 50), writes(x->subspan(offset, 50)));
    };
    (*run)(half(0) & half(50));
    HANABI_CHECK_ERROR((*run)(half(0) & half(40)), errc::race, "what it is said to touch", "40 bytes");
    HANABI_CHECK_ERROR((*run)(touches(follow[over(n)](nullptr, 0), writes(x->data() + 7)) & hanabi::copy(out, *x)), errc::race, "m::follow",
                       "what it is said to touch", "copy at ");
    // Foreign memory is told apart by its address.
    const hanabi::device_ptr<float> foreign = hanabi::device_ptr<float>{reinterpret_cast<float*>(4096)};
    HANABI_CHECK_ERROR((*run)(affine[over(0)](1.0f, 0.0f, foreign, 0) & affine[over(0)](1.0f, 0.0f, foreign, 0)), errc::race,
                       "the address 0x1000");
    (*run)(affine[over(0)](1.0f, 0.0f, foreign, 0) & affine[over(0)](1.0f, 0.0f, foreign + 1, 0));
    run->synchronize();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(failures, fixture)

BOOST_AUTO_TEST_CASE(a_failing_part_ends_it_and_all_that_began_is_joined) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    const auto good = affine[over(n)](2.0f, 0.0f, *y, n);
    const auto bad = affine[grid(1) | block(4096)](2.0f, 0.0f, *x, n);
    HANABI_CHECK_ERROR((*run)(good >> bad >> good), errc::invalid_geometry, "m::affine", "4096");
    BOOST_TEST(value_of(y) == 4.0f);
    const auto after = affine[over(n)](1.0f, 1.0f, *y, n);
    // The first branch is on a stream of the pool here; what follows on the dispatcher's own waits for it.
    buffer<float> w{*gpu, n};
    const auto fork = affine[over(n)](1.0f, 0.0f, *z, n) & good & bad & hanabi::fill(w, 0.0f);
    HANABI_CHECK_ERROR((*run)(fork), errc::invalid_geometry, "4096");
    (*run)(after);
    BOOST_TEST(value_of(y) == 9.0f);
    std::error_code ec;
    (*run)(fork >> after, ec);
    BOOST_TEST((ec == errc::invalid_geometry));
    (*run)(after, ec);
    BOOST_TEST(!ec);
    BOOST_TEST(value_of(y) == 19.0f);
    (*run)(dataflow(good, bad, good), ec);
    BOOST_TEST((ec == errc::invalid_geometry));
    run->synchronize();
}

namespace {
/// Runs something when it is destroyed for good: with it a pool of the library must not be locked.
struct runs_at_the_end {
    std::shared_ptr<int> last;
    const hanabi::dispatcher<>* run;
    void operator()() const noexcept {}
    ~runs_at_the_end() {
        if (last.use_count() == 1) (*run)(hanabi::call([] {}));
    }
};
} // namespace

BOOST_AUTO_TEST_CASE(on_odd_streams_and_after_the_end) {
    const auto a = affine[over(n)](2.0f, 0.0f, *y, n), b = affine[over(n)](3.0f, 0.0f, *z, n);
    run->on(nullptr)((a & b) >> dataflow(a, b, a));
    run->on(nullptr).synchronize();
    {
        const hanabi::stream gone{*gpu};
        run->on(gone)(a & b); // its work is waited for by nobody
    }
    for (int i = 0; i < 3; ++i) {
        (*run)(hanabi::call(runs_at_the_end{std::make_shared<int>(), &*run}));
        run->synchronize();
    }
    (*run)(hanabi::call([] {})); // frees the last of them
    run->synchronize();
    modules->unload();
    HANABI_CHECK_ERROR((*run)(b & a), errc::module_unloaded, "m::");
    std::error_code ec;
    (*run)(dataflow(a, b) >> a, ec);
    BOOST_TEST((ec == errc::module_unloaded));
    (*run)(hanabi::fill(*y, 1.0f) & hanabi::fill(*z, 1.0f)); // needs no module
    run->synchronize();
}

BOOST_AUTO_TEST_CASE(every_driver_call_may_fail) {
    HANABI_SKIP_ON_CUDA("fails on order");
    hanabi::set_teardown_handler(nullptr);
    std::vector<float> out(n);
    const auto all = (affine[over(n)](2.0f, 0.0f, *y, n) & hanabi::copy(out, *x) & hanabi::fill(*z, 1.0f)) >>
                     dataflow(add[over(n)](*x, *y, n), add[over(n)](*x, *z, n), add[over(n)](*y, *z, n), hanabi::call([] {}));
    (*run)(all); // the streams are there
    run->synchronize();
    every_call_fails([&] {
        const registry fresh_one = load(ptx, "m");
        const hanabi::dispatcher mine{fresh_one};
        try {
            mine(all);
        } catch (const hanabi::error& e) {
            hanabi::detail::raise(e.code(), std::string{"hanabi::, "} + e.what());
        }
        mine.synchronize();
    });
    hanabi::set_teardown_handler(&hanabi::default_teardown_handler);
    host::clear_faults();
}

BOOST_AUTO_TEST_CASE(from_many_threads) {
    std::vector<std::thread> threads;
    std::atomic<int> calls{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            buffer<float> a{*gpu, n}, b{*gpu, n};
            const hanabi::stream own{*gpu};
            a.fill(1.0f), b.fill(1.0f);
            const auto mine = run->on(own);
            for (int i = 0; i < 20; ++i)
                mine((affine[over(n)](1.0f, 1.0f, a, n) & affine[over(n)](1.0f, 1.0f, b, n)) >> add[over(n)](a, b, n) >>
                     hanabi::call([&] { ++calls; }));
            mine.synchronize();
        });
    for (auto& t : threads) t.join();
    BOOST_TEST(calls == 80);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct counting {
    static inline std::atomic<int> seen{0};
    static inline std::atomic<int> failed{0};
    void before(const hanabi::launch_view&) const noexcept { ++seen; }
    void after(const hanabi::launch_view&, const std::error_code& ec) const noexcept { failed += ec ? 1 : 0; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(policies_see_every_launch, fixture) {
    const hanabi::dispatcher watched{*modules, counting{}};
    const auto a = affine[over(n)](1.0f, 0.0f, *y, n), b = affine[over(n)](1.0f, 0.0f, *z, n);
    watched((a & b) >> repeat<2>(dataflow(a, b, a)) >> sequence(std::vector{a, a}) >> when(false, a));
    BOOST_TEST(counting::seen == 10);
    std::error_code ec;
    watched(a & affine[grid(1) | block(4096)](1.0f, 0.0f, *z, n), ec);
    BOOST_TEST(counting::failed == 1);
    watched.synchronize();
}
