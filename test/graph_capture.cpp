// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What is below hanabi::capture: captures that always end, and what the library does otherwise while one is open.

#define BOOST_TEST_MODULE graph_capture
#include <boost/test/unit_test.hpp>

#include <hanabi/detail/graph_capture.hpp>
#include <hanabi/hanabi.hpp>

#include "support/graph_kernels.hpp"
#include "support/launching.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using hanabi::grid;
using hanabi::detail::captured_graph;
using hanabi::detail::graph_capture;

namespace driver = hanabi::driver;
using driver::status;

namespace {

inline constexpr hanabi::kernel<"graph", "put", void(std::uint32_t*, unsigned, unsigned)> put;
inline constexpr hanabi::kernel<"graph", "fold", void(std::uint32_t*, unsigned, unsigned)> fold;

/// A registry of the kernels, a stream to capture, a dispatcher on it, and ways to capture and replay.
struct capturing : fresh {
    capturing() {
        if (on_host()) {
            hanabi::host::define(put, [](hanabi::host::thread, std::uint32_t* p, unsigned i, unsigned v) { p[i] = v; });
            hanabi::host::define(fold, [](hanabi::host::thread, std::uint32_t* p, unsigned i, unsigned v) { p[i] = p[i] * 3 + v; });
        }
    }
    hanabi::registry kernels() const { return load(graph_ptx, "graph"); }

    template <class F>
    captured_graph capture(const hanabi::stream& on, F f) const {
        captured_graph made;
        hanabi::detail::failure why;
        graph_capture c{"test"};
        BOOST_REQUIRE_MESSAGE(c.begin(gpu->state(), on.handle(), why), why.message);
        f();
        BOOST_REQUIRE_MESSAGE(c.end(made, why), why.message);
        return made;
    }
    void replay(const captured_graph& g, const hanabi::stream& on) const {
        const auto& cu = test_driver();
        BOOST_REQUIRE((cu.ctx_set_current(gpu->handle()) == status::success));
        driver::graph_exec_handle e = nullptr;
        BOOST_REQUIRE((cu.graph_instantiate_with_flags(&e, g.graph, 0) == status::success));
        BOOST_REQUIRE((cu.graph_launch(e, on.handle()) == status::success));
        BOOST_REQUIRE((cu.stream_synchronize(on.handle()) == status::success));
        BOOST_REQUIRE((cu.graph_exec_destroy(e) == status::success));
        BOOST_REQUIRE((cu.ctx_set_current(nullptr) == status::success));
    }
    std::size_t nodes(const captured_graph& g) const {
        std::size_t count = 0;
        BOOST_REQUIRE((test_driver().graph_get_nodes(g.graph, nullptr, &count) == status::success));
        return count;
    }
    std::vector<std::uint32_t> read(const hanabi::buffer<std::uint32_t>& b) const {
        std::vector<std::uint32_t> out(b.size());
        hanabi::stream s = hanabi::stream::own(*gpu);
        hanabi::copy(out, b, s);
        s.synchronize();
        return out;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(what_a_dispatcher_launches_is_captured, capturing) {
    const hanabi::registry r = kernels();
    const hanabi::stream s{*gpu};
    hanabi::buffer<std::uint32_t> x{*gpu, 2};
    const hanabi::dispatcher all{r};
    const hanabi::dispatcher run = all.on(s);
    r.warm(s, put, fold);
    const captured_graph g = capture(s, [&] {
        run(put[grid(1) | hanabi::block(1)](x, 0u, 2u));
        run(fold[grid(1) | hanabi::block(1)](x, 0u, 1u));
    });
    BOOST_TEST(nodes(g) == 2u);
    BOOST_TEST(g.kept.empty());
    replay(g, s);
    BOOST_TEST(read(x)[0] == 7u);

    // Whose kernels they are can be told.
    const hanabi::detail::binding* which = nullptr;
    const auto owner = hanabi::detail::find_registry(*gpu->state(), r.function("graph", "fold"), &which);
    BOOST_REQUIRE((owner != nullptr));
    BOOST_TEST((owner == r.state()));
    BOOST_TEST(which->name == "graph::fold");
}

BOOST_FIXTURE_TEST_CASE(what_is_let_go_in_a_capture_stays_with_it, capturing) {
    const hanabi::stream s{*gpu};
    hanabi::buffer<std::uint32_t> x{*gpu, 1};
    std::optional<captured_graph> g;
    {
        const auto before = on_host() ? hanabi::host::balance() : hanabi::host::balance_sheet{};
        g = capture(s, [&] {
            // Everything lazy, in the middle: loading, binding, allocating, forking to a stream; and all of it goes.
            const hanabi::registry r = kernels();
            const hanabi::dispatcher all{r};
            const hanabi::dispatcher run = all.on(s);
            hanabi::buffer<std::uint32_t> temporary{*gpu, 1};
            hanabi::pinned_buffer<std::uint32_t> pinned{*gpu, 1};
            run(put[grid(1) | hanabi::block(1)](temporary, 0u, 3u));
            run(fold[grid(1) | hanabi::block(1)](temporary, 0u, 1u));
            hanabi::stream side{*gpu};
            side.wait(s);
            all.on(side)(put[grid(1) | hanabi::block(1)](x, 0u, 5u));
            hanabi::stream back = hanabi::stream::adopt(*gpu, s.handle());
            back.wait(side);
            run(fold[grid(1) | hanabi::block(1)](x, 0u, 2u));
        });
        BOOST_TEST(!g->kept.empty());
        if (on_host()) {
            const auto now = hanabi::host::balance();
            BOOST_TEST(now.modules == before.modules + 1);
            BOOST_TEST(now.device_allocations == before.device_allocations + 1);
            BOOST_TEST(now.pinned_allocations == before.pinned_allocations + 1);
            BOOST_TEST(now.streams == before.streams + 1);
        }
        replay(*g, s);
        BOOST_TEST(read(x)[0] == 17u);
        g.reset();
        if (on_host()) BOOST_TEST((hanabi::host::balance() == before));
    }
}

BOOST_FIXTURE_TEST_CASE(an_unload_in_a_capture, capturing) {
    const hanabi::registry r = kernels();
    const hanabi::stream s{*gpu};
    hanabi::buffer<std::uint32_t> x{*gpu, 1};
    const hanabi::dispatcher all{r};
    const hanabi::dispatcher run = all.on(s);
    const captured_graph g = capture(s, [&] {
        run(put[grid(1) | hanabi::block(1)](x, 0u, 3u));
        r.unload();
        HANABI_CHECK_ERROR(run(put[grid(1) | hanabi::block(1)](x, 0u, 4u)), hanabi::errc::module_unloaded, "graph::put");
    });
    BOOST_TEST(!r.loaded());
    replay(g, s);
    BOOST_TEST(read(x)[0] == 3u);
}

BOOST_FIXTURE_TEST_CASE(a_capture_ends_whatever_happens, capturing) {
    const hanabi::registry r = kernels();
    const hanabi::stream s{*gpu};
    hanabi::buffer<std::uint32_t> x{*gpu, 1};
    const hanabi::dispatcher all{r};
    const hanabi::dispatcher run = all.on(s);
    try {
        capture(s, [&] {
            run(put[grid(1) | hanabi::block(1)](x, 0u, 3u));
            throw std::runtime_error{"in between"};
        });
        BOOST_TEST(false);
    } catch (const std::runtime_error&) {
    }
    BOOST_TEST((hanabi::detail::innermost_capture == nullptr));
    run(put[grid(1) | hanabi::block(1)](x, 0u, 9u));
    s.synchronize();
    BOOST_TEST(read(x)[0] == 9u);

    // What can't be captured breaks it, and says so twice: where it was tried, and at the end.
    captured_graph nothing;
    hanabi::detail::failure why;
    {
        graph_capture c{"test"};
        BOOST_REQUIRE(c.begin(gpu->state(), s.handle(), why));
        HANABI_CHECK_ERROR(s.synchronize(), status::stream_capture_unsupported, "a stream is being captured", "(900)");
        BOOST_TEST(!c.end(nothing, why));
        BOOST_TEST(why.code == status::stream_capture_invalidated);
        BOOST_TEST(why.message.find("test: ending the capture: something in it can't be captured") == 0u, why.message);
    }
    {
        graph_capture c{"test"};
        BOOST_REQUIRE(c.begin(gpu->state(), s.handle(), why));
        hanabi::stream side{*gpu};
        side.wait(s);
        all.on(side)(put[grid(1) | hanabi::block(1)](x, 0u, 5u));
        BOOST_TEST(!c.end(nothing, why));
        BOOST_TEST(why.code == status::stream_capture_unjoined);
        BOOST_TEST(why.message.find("let the captured stream wait for it") != std::string::npos, why.message);
    }
    BOOST_TEST(nothing.graph == nullptr);
}

BOOST_FIXTURE_TEST_CASE(beginnings_that_are_refused, capturing) {
    hanabi::detail::failure why;
    const hanabi::stream s{*gpu};
    graph_capture c{"test"};
    BOOST_TEST(!c.begin(gpu->state(), nullptr, why));
    BOOST_TEST(why.code == hanabi::errc::invalid_argument);
    BOOST_TEST(why.message.find("the legacy default stream can't be captured") != std::string::npos, why.message);
    BOOST_REQUIRE(c.begin(gpu->state(), s.handle(), why));
    graph_capture again{"test"};
    BOOST_TEST(!again.begin(gpu->state(), s.handle(), why));
    BOOST_TEST(why.message == "test: the stream is being captured already");
}

BOOST_FIXTURE_TEST_CASE(captures_within_captures, capturing) {
    const hanabi::stream outer{*gpu}, inner{*gpu};
    const hanabi::registry r = kernels();
    hanabi::buffer<std::uint32_t> x{*gpu, 2};
    const hanabi::dispatcher all{r};
    captured_graph second;
    const captured_graph first = capture(outer, [&] {
        all.on(outer)(put[grid(1) | hanabi::block(1)](x, 0u, 1u));
        second = capture(inner, [&] {
            hanabi::buffer<std::uint32_t> temporary{*gpu, 1};
            all.on(inner)(put[grid(1) | hanabi::block(1)](x, 1u, 2u));
        });
        {
            const captured_graph gone = capture(inner, [&] { hanabi::buffer<std::uint32_t> temporary{*gpu, 1}; });
        } // freeing what it kept would break the outer one: that takes it over
        all.on(outer)(fold[grid(1) | hanabi::block(1)](x, 0u, 1u));
    });
    BOOST_TEST(!first.kept.empty());
    BOOST_TEST(nodes(first) == 2u);
    BOOST_TEST(nodes(second) == 1u);
    replay(first, outer);
    replay(second, outer);
    BOOST_TEST((read(x) == std::vector<std::uint32_t>{4, 2}));
}

BOOST_FIXTURE_TEST_CASE(warming_up, capturing) {
    const hanabi::registry r = kernels();
    const hanabi::stream s{*gpu};
    r.warm(s, fold);
    int limit = 0, static_bytes = 0;
    const auto& cu = test_driver();
    BOOST_REQUIRE((cu.ctx_set_current(gpu->handle()) == status::success));
    const driver::function_handle f = r.function("graph", "fold");
    BOOST_REQUIRE((cu.func_get_attribute(&limit, driver::function_attribute::max_dynamic_shared_size_bytes, f) == status::success));
    BOOST_REQUIRE((cu.ctx_set_current(nullptr) == status::success));
    BOOST_TEST(limit > 49152 - static_bytes);
    r.warm(s, fold, put); // again
    if (on_host()) {
        // Nothing is left to be done in the capture.
        hanabi::buffer<std::uint32_t> x{*gpu, 1};
        const hanabi::dispatcher all{r};
        const hanabi::dispatcher run = all.on(s);
        hanabi::host::clear_calls();
        const captured_graph g = capture(s, [&] {
            run(fold[grid(1) | hanabi::block(1) | hanabi::shared<std::byte>(100000)](x, 0u, 1u));
            run(put[grid(1) | hanabi::block(1)](x, 0u, 1u));
        });
        BOOST_TEST(hanabi::host::calls(driver::entry::func_load) == 0u);
        BOOST_TEST(hanabi::host::calls(driver::entry::func_set_attribute) == 0u);
        BOOST_TEST(hanabi::host::calls(driver::entry::module_get_function) == 0u);
    }
    HANABI_CHECK_ERROR(capture(s, [&] { r.warm(s, fold); }), hanabi::errc::invalid_argument, "hanabi::registry::warm", "warm up before");
    r.unload();
    HANABI_CHECK_ERROR(r.warm(s, fold), hanabi::errc::module_unloaded);
}

BOOST_FIXTURE_TEST_CASE(drivers_that_fail, capturing) {
    HANABI_SKIP_ON_CUDA("orders to fail");
    const hanabi::registry r = kernels();
    const hanabi::stream s{*gpu};
    hanabi::detail::failure why;
    captured_graph nothing;
    hanabi::host::fail(driver::entry::stream_begin_capture, status::not_permitted);
    graph_capture c{"test"};
    BOOST_TEST(!c.begin(gpu->state(), s.handle(), why));
    BOOST_TEST(why.code == status::not_permitted);
    BOOST_TEST(why.message.find("test: beginning the capture") == 0u, why.message);
    BOOST_TEST((hanabi::detail::innermost_capture == nullptr));
    // A driver before 12.3 loads in relaxed mode, which the library takes.
    hanabi::host::options old = hanabi::host::current_options();
    old.driver_version = 12020;
    hanabi::host::set_options(old);
    const captured_graph g = capture(s, [&] { const hanabi::registry loaded = kernels(); });
    hanabi::host::fail(driver::entry::func_set_attribute, status::invalid_value);
    HANABI_CHECK_ERROR(r.warm(s, fold), status::invalid_value, "hanabi::registry::warm: graph::fold", "232448 bytes");
}
