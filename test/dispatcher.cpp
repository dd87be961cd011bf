// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Dispatchers: order on streams, other streams, sequences and bindings, twins that don't throw, policies, unloading.

#define BOOST_TEST_MODULE dispatcher
#include <boost/test/unit_test.hpp>

#include "support/faults.hpp"
#include "support/launching.hpp"

#include <hanabi/format.hpp>

#include <system_error>
#include <thread>
#include <type_traits>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::errc;
using hanabi::grid;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

struct bodies : fresh {
    explicit bodies(std::vector<host::device_config> devices = {host::device_config{}}) : fresh{std::move(devices)} {
        host::define(axpy, [](host::thread t, float alpha, const float* x, float* y, int n) {
            if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] += alpha * x[i];
        });
        host::define(scal, [](host::thread t, float alpha, float* x, int n) {
            if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) x[i] *= alpha;
        });
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(running)

BOOST_FIXTURE_TEST_CASE(launches_run_in_order_on_the_registrys_own_stream, bodies) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    const registry r = load();
    const int n = 1000;
    hanabi::buffer<float> x{*gpu, n}, y{*gpu, n};
    x.copy_from(std::vector<float>(n, 1.0f));
    y.copy_from(std::vector<float>(n, 2.0f));
    hanabi::dispatcher run{r};
    run(axpy[over(n)](2.0f, x, y, n));
    run(scal[grid(4) | block(256_c)](0.5f, y, n));
    run(axpy[over(n)]("n"_arg = n, "x"_arg = x, "y"_arg = y, "alpha"_arg = 1.0f));
    run.synchronize();
    for (const float v : y.to_vector()) BOOST_REQUIRE(v == 3.0f);
    const auto all = host::launches();
    BOOST_REQUIRE(all.size() == 3u);
    for (const auto& one : all) BOOST_TEST(one.stream == gpu->stream());
    BOOST_TEST(run.stream() == gpu->stream());
    BOOST_TEST((all[0].grid == host::extent{4, 1, 1}));
    BOOST_TEST((all[0].block == host::extent{256, 1, 1}));
}

BOOST_FIXTURE_TEST_CASE(on_other_streams, recording) {
    const registry r = load();
    const hanabi::stream own{*gpu};
    const hanabi::dispatcher run{r};
    run.on(own)(none[over(1)]());
    run.on(own.handle())(none[over(1)]());
    run.on(nullptr)(none[over(1)]()); // the legacy default stream
    run(none[over(1)]());
    run.on(own).synchronize();
    run.on(nullptr).synchronize();
    run.synchronize();
    if (!on_host()) return;
    const auto all = host::launches();
    BOOST_REQUIRE(all.size() == 4u);
    BOOST_TEST(all[0].stream == own.handle());
    BOOST_TEST(all[1].stream == own.handle());
    BOOST_TEST(all[2].stream == nullptr);
    BOOST_TEST(all[3].stream == gpu->stream());
}

BOOST_FIXTURE_TEST_CASE(a_dispatcher_keeps_the_stream_and_the_modules_it_was_given, recording) {
    HANABI_SKIP_ON_CUDA("counts streams");
    std::optional<registry> r = load();
    std::optional<hanabi::dispatcher<>> run{hanabi::dispatcher{*r}.on(hanabi::stream{*gpu})};
    r.reset();
    BOOST_TEST(host::balance().streams == 2u);
    (*run)(none[over(1)]());
    run->synchronize();
    run.reset();
    BOOST_TEST(host::balance().streams == 1u);
    BOOST_TEST(host::balance().modules == 0u);
}

BOOST_FIXTURE_TEST_CASE(copies_and_moves, recording) {
    const registry r = load();
    hanabi::dispatcher a{r};
    hanabi::dispatcher b = a;
    a = b.on(nullptr);
    BOOST_TEST(a.stream() == nullptr);
    hanabi::dispatcher c = std::move(b);
    c(none[over(1)]());
    BOOST_TEST((c.context() == *gpu));
    c.synchronize();
}

BOOST_FIXTURE_TEST_CASE(the_first_launch_binds_and_tells_what_is_wrong, recording) {
    static constexpr hanabi::kernel<"common", "axpy", void(float, int)> wrong;
    static constexpr hanabi::kernel<"common", "axpyy", void()> missing;
    static constexpr hanabi::kernel<"uncommon", "axpy", void()> elsewhere;
    const registry r = load();
    const hanabi::dispatcher run{r};
    HANABI_CHECK_ERROR(run(wrong[over(1)](1.0f, 1)), errc::signature_mismatch, "launching common::axpy at ",
                       "dispatcher.cpp:", "declared with 2 parameters", "has 4");
    HANABI_CHECK_ERROR(run(missing[over(1)]()), errc::unknown_symbol, "launching common::axpyy at ", "'axpyy'", "'axpy'");
    HANABI_CHECK_ERROR(run(elsewhere[over(1)]()), errc::unknown_module, "launching uncommon::axpy at ", "'uncommon'", "'common'");
    HANABI_CHECK_ERROR(static_cast<void>(run[wrong]), errc::signature_mismatch, "hanabi::dispatcher", "common::axpy", "has 4");
    const auto bad = [&](std::error_code& ec) { run(missing[over(1)](), ec); };
    HANABI_CHECK_CODE(bad, errc::unknown_symbol);
    if (on_host()) BOOST_TEST(host::launch_count() == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_launch_is_one_driver_call, recording) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const registry r = load();
    const hanabi::dispatcher run{r};
    r.require(none);
    host::clear_calls();
    run(none[over(5)]());
    run(none[grid(2) | block(64)]());
    BOOST_TEST(host::calls() == 2u);
    BOOST_TEST(host::calls(entry::launch_kernel) == 2u);
}

BOOST_FIXTURE_TEST_CASE(twins_that_do_not_throw, recording) {
    const registry r = load();
    const hanabi::dispatcher run{r};
    std::error_code ec = errc::no_device;
    run(none[over(1)](), ec);
    BOOST_TEST(!ec);
    run(none[grid(1) | block(2000)](), ec);
    BOOST_TEST((ec == errc::invalid_geometry));
    run(none[over(1)](), ec);
    BOOST_TEST(!ec);
    run.synchronize(ec);
    BOOST_TEST(!ec);
    if (!on_host()) return;
    host::fail(entry::launch_kernel, status::launch_out_of_resources);
    run(none[over(1)](), ec);
    BOOST_TEST((ec == status::launch_out_of_resources));
    host::fail(entry::stream_synchronize, status::launch_failed);
    run.synchronize(ec);
    BOOST_TEST((ec == status::launch_failed));
    host::fail(entry::stream_synchronize, status::launch_failed);
    HANABI_CHECK_ERROR(run.synchronize(), status::launch_failed, "hanabi::dispatcher::synchronize",
                       "perhaps by one of the last launches: common::none with a grid of 1", "CUDA_ERROR_LAUNCH_FAILED (719): ");
}

BOOST_FIXTURE_TEST_CASE(a_refusal_by_the_driver_tells_the_launch, recording) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const registry r = load();
    const hanabi::dispatcher run{r};
    r.require(none);
    host::fail(entry::launch_kernel, status::launch_out_of_resources);
    char stream[32];
    std::snprintf(stream, sizeof stream, "stream %p", static_cast<void*>(gpu->stream()));
    HANABI_CHECK_ERROR(run(none[grid(3, 2) | block(32, 2) | hanabi::shared<int>(5)]()), status::launch_out_of_resources,
                       "launching common::none at ", "dispatcher.cpp:", "grid (3, 2, 1)", "block (32, 2, 1)",
                       "20 bytes of dynamic shared memory", stream, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701): ");
    host::fail(entry::launch_kernel, status::launch_out_of_resources);
    HANABI_CHECK_ERROR(run(none[over(1000)]()), status::launch_out_of_resources, "grid (4, 1, 1)", "block (256, 1, 1)");
    host::fail(entry::launch_kernel, status::illegal_address, 1, host::forever);
    HANABI_CHECK_ERROR(run(none[over(1)]()), status::illegal_address, "met here, not caused here", "CUDA_ERROR_ILLEGAL_ADDRESS (700): ");
    HANABI_CHECK_ERROR(run(none[over(1)]()), status::illegal_address, "met here, not caused here");
}

BOOST_FIXTURE_TEST_CASE(every_driver_call_of_a_first_launch_may_fail, recording) {
    HANABI_SKIP_ON_CUDA("fails on order");
    hanabi::set_teardown_handler(nullptr);
    const registry warm = load(); // the descriptor has its number
    every_call_fails([&] {
        const registry r = load();
        try {
            hanabi::dispatcher{r}(none[over(1)]());
        } catch (const hanabi::error& e) {
            hanabi::detail::raise(e.code(), std::string{"hanabi::, "} + e.what());
        }
        hanabi::dispatcher{r}.synchronize();
    });
    hanabi::set_teardown_handler(&hanabi::default_teardown_handler);
    host::reset();
}

BOOST_FIXTURE_TEST_CASE(raw_launches, recording) {
    const registry r = load();
    const hanabi::driver::function_handle f = r.function("common", "scal");
    float alpha = 1.5f;
    void* x = nullptr;
    int n = 0;
    void* parameters[] = {&alpha, &x, &n};
    const hanabi::stream own{*gpu};
    hanabi::launch_on_stream(*gpu, f, {2, 1, 1}, {32, 1, 1}, 16, own.handle(), parameters);
    hanabi::launch_on_stream(*gpu, f, {1, 1, 1}, {1, 1, 1}, 0, nullptr, parameters);
    own.synchronize();
    HANABI_CHECK_ERROR(hanabi::launch_on_stream(*gpu, f, {0, 1, 1}, {32, 1, 1}, 16, own.handle(), parameters), status::invalid_value,
                       "hanabi::launch_on_stream", "grid (0, 1, 1)", "block (32, 1, 1)", "16 bytes", "CUDA_ERROR_INVALID_VALUE (1): ");
    if (!on_host()) return;
    const auto all = host::launches();
    BOOST_REQUIRE(all.size() == 2u);
    BOOST_TEST(all[0].stream == own.handle());
    BOOST_TEST(all[0].shared_bytes == 16u);
    BOOST_TEST(all[0].argument<float>(0).value() == 1.5f);
    BOOST_TEST(all[1].stream == nullptr);
    HANABI_CHECK_ERROR(hanabi::launch_on_stream(*gpu, nullptr, {1, 1, 1}, {32, 1, 1}, 0, nullptr, parameters), status::invalid_handle,
                       "hanabi::launch_on_stream", "(400)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sequences)

BOOST_FIXTURE_TEST_CASE(parts_run_in_order_and_a_failing_one_ends_it, bodies) {
    HANABI_SKIP_ON_CUDA("the kernels do nothing there");
    const registry r = load();
    const int n = 100;
    hanabi::buffer<float> x{*gpu, n}, y{*gpu, n};
    x.copy_from(std::vector<float>(n, 1.0f));
    y.copy_from(std::vector<float>(n, 1.0f));
    const hanabi::dispatcher run{r};
    auto step = scal[over(n)](2.0f, y, n) >> axpy[over(n)]("alpha"_arg, x, y, n) >> scal[over(n)](10.0f, y, n);
    run(step.bind("alpha"_arg = 3.0f)); // (1 * 2 + 3) * 10
    run(hanabi::sequence(scal[over(n)](2.0f, y, n), scal[over(n)](3.0f, y, n)));
    run.synchronize();
    for (const float v : y.to_vector()) BOOST_REQUIRE(v == 300.0f);
    host::clear_launches();
    const auto bad = scal[over(n)](2.0f, y, n) >> scal[grid(1) | block(4096)](2.0f, y, n) >> scal[over(n)](2.0f, y, n);
    HANABI_CHECK_ERROR(run(bad), errc::invalid_geometry, "common::scal", "4096");
    BOOST_TEST(host::launch_count() == 1u);
    std::error_code ec;
    run(bad, ec);
    BOOST_TEST((ec == errc::invalid_geometry));
    BOOST_TEST(host::launch_count() == 2u);
    run(scal[over(n)](1.0f, y, n) >> scal[over(n)](1.0f, y, n), ec);
    BOOST_TEST(!ec);
    run.synchronize();
}

BOOST_FIXTURE_TEST_CASE(one_launch_bound, recording) {
    const registry r = load();
    const hanabi::dispatcher run{r};
    const auto open = axpy[over(1)]("alpha"_arg, nullptr, nullptr, "n"_arg);
    run(open.bind("alpha"_arg = 2.0f, "n"_arg = 7));
    std::error_code ec;
    run(open.bind("alpha"_arg = 2.0f).bind("n"_arg = 8), ec);
    BOOST_TEST(!ec);
    run.synchronize();
    if (!on_host()) return;
    BOOST_TEST(host::launches()[0].argument<int>(3).value() == 7);
    BOOST_TEST(host::launches()[1].argument<int>(3).value() == 8);
    BOOST_TEST(host::launches()[1].argument<float>(0).value() == 2.0f);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Policies -----------------------------------------------------------------------------------------------------------

namespace {

std::string& diary() {
    static std::string text;
    return text;
}

/// With a token.
struct timer {
    int number;
    int before(const hanabi::launch_view& view) const noexcept {
        diary() += "b" + std::to_string(number) + " ";
        BOOST_TEST((view.kernel.symbol == "scal"));
        return number * 10;
    }
    void after(const hanabi::launch_view&, int token, const std::error_code& ec) const noexcept {
        diary() += "a" + std::to_string(token) + (ec ? "!" + std::to_string(ec.value()) : "") + " ";
    }
};
/// Without; final, and empty.
struct observer final {
    void before(const hanabi::launch_view&) const noexcept { diary() += "bo "; }
    void after(const hanabi::launch_view& view, const std::error_code& ec) const noexcept {
        diary() += ec ? "ao! " : "ao ";
        text() = hanabi::to_string(view);
        grid_x() = view.grid(0);
    }
    static std::string& text() {
        static std::string last;
        return last;
    }
    static std::uint64_t& grid_x() {
        static std::uint64_t last;
        return last;
    }
};
/// A token that can only be moved.
struct mover {
    std::unique_ptr<int> before(const hanabi::launch_view&) const noexcept { return std::make_unique<int>(7); }
    void after(const hanabi::launch_view&, std::unique_ptr<int> token, const std::error_code&) const noexcept {
        diary() += "m" + std::to_string(*token) + " ";
    }
};
struct empty_one {
    void before(const hanabi::launch_view&) const noexcept {}
    void after(const hanabi::launch_view&, const std::error_code&) const noexcept {}
};
struct empty_two : empty_one {};
struct may_throw {
    void before(const hanabi::launch_view&) const {}
    void after(const hanabi::launch_view&, const std::error_code&) const noexcept {}
};

static_assert(sizeof(hanabi::dispatcher<empty_one>) == sizeof(hanabi::dispatcher<>));
static_assert(sizeof(hanabi::dispatcher<empty_one, empty_two, observer>) == sizeof(hanabi::dispatcher<>));
static_assert(hanabi::launch_policy<timer> && hanabi::launch_policy<observer> && hanabi::launch_policy<mover>);
static_assert(!hanabi::launch_policy<may_throw> && !hanabi::launch_policy<int>);

} // namespace

BOOST_FIXTURE_TEST_SUITE(policies, recording)

BOOST_AUTO_TEST_CASE(before_in_order_after_in_reverse) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const registry r = load();
    const hanabi::dispatcher run{r, timer{1}, observer{}, timer{2}, timer{2}, mover{}};
    BOOST_TEST(run.policy<0>().number == 1);
    BOOST_TEST(run.policy<2>().number == 2);
    diary().clear();
    run(scal[over(3)](0.5f, nullptr, 3));
    BOOST_TEST(diary() == "b1 bo b2 b2 m7 a20 a20 ao a10 ");
    BOOST_TEST(observer::text().starts_with("common::scal(alpha=0.5, x=null, n=3) at "), observer::text());
    BOOST_TEST(observer::text().find("dispatcher.cpp:") != std::string::npos);
    BOOST_TEST(observer::grid_x() == 1u);
    diary().clear();
    host::fail(entry::launch_kernel, status::launch_out_of_resources);
    std::error_code ec;
    run(scal[over(1)](0.5f, nullptr, 1), ec);
    BOOST_TEST(diary() == "b1 bo b2 b2 m7 a20!701 a20!701 ao! a10!701 ");
    diary().clear();
    HANABI_CHECK_ERROR(run(scal[grid(1) | block(5000)](0.5f, nullptr, 1)), errc::invalid_geometry, "5000");
    BOOST_TEST(diary().find("ao! ") != std::string::npos);
    // A launch of nothing is seen, with a grid of nothing.
    diary().clear();
    run(scal[over(0)](0.5f, nullptr, 1));
    BOOST_TEST(diary() == "b1 bo b2 b2 m7 a20 a20 ao a10 ");
    BOOST_TEST(observer::grid_x() == 0u);
    run.synchronize();
}

BOOST_AUTO_TEST_CASE(go_with_the_functor_and_with_other_streams) {
    const registry r = load();
    const hanabi::dispatcher run{r, timer{3}};
    diary().clear();
    auto launch_scal = run.on(nullptr)[scal];
    launch_scal(over(1), 0.5f, nullptr, 1);
    std::error_code ec;
    launch_scal(grid(0) | block(1), 0.5f, nullptr, 1, ec);
    BOOST_TEST(diary() == "b3 a30 b3 a30!" + std::to_string(static_cast<int>(errc::invalid_geometry)) + " ");
    run(scal[over(1)](0.5f, nullptr, 1) >> scal[over(1)](0.5f, nullptr, 1));
    BOOST_TEST(diary().ends_with("b3 a30 b3 a30 "));
    run.synchronize();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_CASE(after_an_unload, recording) {
    const registry r = load();
    const hanabi::dispatcher run{r};
    const auto launch_none = run[none];
    run(none[over(1)]());
    run.synchronize();
    r.unload();
    const auto use = [&] {
        HANABI_CHECK_ERROR(run(none[over(1)]()), errc::module_unloaded, "launching common::none at ", "registry::unload",
                           "load them again");
        HANABI_CHECK_ERROR(run(scal[over(1)](1.0f, nullptr, 1)), errc::module_unloaded, "common::scal");
        HANABI_CHECK_ERROR(run(none[over(1) | hanabi::shared<char>(60000)]()), errc::module_unloaded, "common::none");
        HANABI_CHECK_ERROR(static_cast<void>(run[none]), errc::module_unloaded, "common::none");
        HANABI_CHECK_ERROR(launch_none(over(1)), errc::module_unloaded, "common::none");
        std::error_code ec;
        run(none[over(1)](), ec);
        BOOST_TEST((ec == errc::module_unloaded));
        launch_none(over(1), ec);
        BOOST_TEST((ec == errc::module_unloaded));
        run(none[over(0)]()); // nothing, still
    };
    use();
    std::thread{use}.join();
    run.synchronize();
    if (on_host()) BOOST_TEST(host::launch_count() == 1u);
}
