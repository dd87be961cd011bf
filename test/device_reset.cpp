// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// A device reset behind the library: every use of what was made before is errc::context_lost, in a new context at the old
// one's address too, and everything can be made anew.

#define BOOST_TEST_MODULE device_reset
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <thread>

using hanabi::errc;
using hanabi::over;
using hanabi::registry;
namespace host = hanabi::host;

namespace {

constexpr hanabi::global<"common", "counter", unsigned> counter;
int reported = 0;

struct resetting : recording {
    const hanabi::teardown_handler before = hanabi::set_teardown_handler([](const char*, hanabi::driver::status) noexcept { ++reported; });
    std::optional<registry> r = load();
    resetting() { reported = 0; }
    ~resetting() {
        r.reset();
        BOOST_TEST(reported == 0, "destructors complained");
        hanabi::set_teardown_handler(before);
        gpu.reset();
        hanabi::context::release(0, test_driver());
        if (on_host()) host::reset(); // the objects that went with the context are counted
    }
};

template <class Run, class Functor, class Variable>
void everything_is_lost(const registry& r, const Run& run, const Functor& launch_none, const Variable& v) {
    HANABI_CHECK_ERROR(run(none[over(1)]()), errc::context_lost, "launching common::none at ", "device 0", "hanabi::context::release(0)");
    HANABI_CHECK_ERROR(run.on(nullptr)(none[over(1)]()), errc::context_lost, "common::none");
    HANABI_CHECK_ERROR(run(none[over(1) | hanabi::priority(0)]()), errc::context_lost, "common::none");
    HANABI_CHECK_ERROR(run(scal[over(1)](1.0f, nullptr, 1)), errc::context_lost, "common::scal"); // not bound before
    HANABI_CHECK_ERROR(launch_none(over(1)), errc::context_lost, "common::none");
    std::error_code ec;
    run(none[over(1)](), ec);
    BOOST_TEST((ec == errc::context_lost));
    launch_none(over(1), ec);
    BOOST_TEST((ec == errc::context_lost));
    HANABI_CHECK_ERROR(run.synchronize(), errc::context_lost, "hanabi::dispatcher::synchronize");
    HANABI_CHECK_CODE(run.synchronize, errc::context_lost);
    HANABI_CHECK_ERROR(r.function("common", "none"), errc::context_lost, "hanabi::registry::function", "common::none");
    HANABI_CHECK_ERROR(r.symbol("common", "counter"), errc::context_lost, "hanabi::registry::symbol");
    HANABI_CHECK_ERROR(r.require(scal), errc::context_lost, "common::scal");
    HANABI_CHECK_ERROR(v.read(), errc::context_lost);
    HANABI_CHECK_ERROR(v.write(1), errc::context_lost);
    HANABI_CHECK_ERROR(registry::load(r.context(), {{"m", common_ptx}}), errc::context_lost, "hanabi::registry::load");
    run(none[over(0)]()); // nothing
}

} // namespace

BOOST_FIXTURE_TEST_CASE(what_was_made_before_is_lost_and_can_be_made_anew, resetting) {
    HANABI_SKIP_ON_CUDA("would take the device from the other tests");
    const hanabi::dispatcher run{*r};
    const auto launch_none = run[none];
    const auto v = r->variable(counter);
    launch_none(over(1));
    run.synchronize();
    BOOST_REQUIRE(host::device_reset(0));
    everything_is_lost(*r, run, launch_none, v);
    std::thread{[&] { everything_is_lost(*r, run, launch_none, v); }}.join();

    const hanabi::context again = test_context();
    BOOST_TEST(again.handle() == gpu->handle()); // the same address
    const registry anew = registry::load(again, {{"common", common_ptx}});
    hanabi::dispatcher{anew}(none[over(1)]());
    hanabi::dispatcher{anew}.synchronize();
    everything_is_lost(*r, run, launch_none, v); // for all that
    const auto launches = host::launch_count();
    BOOST_TEST(launches == 2u);

    r->unload(); // nothing to do, and no complaint
    HANABI_CHECK_ERROR(launch_none(over(1)), errc::module_unloaded);
    hanabi::dispatcher{anew}(none[over(1)]());
    anew.stream().synchronize();
}

BOOST_FIXTURE_TEST_CASE(once_there_is_a_new_context_no_old_handle_reaches_the_driver, resetting) {
    HANABI_SKIP_ON_CUDA("would take the device from the other tests");
    for (const bool released : {false, true}) {
        const hanabi::context old = test_context();
        const registry of_old = registry::load(old, {{"common", common_ptx}});
        const hanabi::dispatcher run{of_old};
        const auto launch_none = run[none];
        launch_none(over(1));
        BOOST_REQUIRE(host::device_reset(0));
        if (released) hanabi::context::release(0, test_driver());
        const hanabi::context again = test_context();
        host::clear_calls();
        HANABI_CHECK_ERROR(launch_none(over(1)), errc::context_lost, "common::none");
        HANABI_CHECK_ERROR(run(none[over(1)]()), errc::context_lost, "common::none");
        BOOST_TEST(host::calls(hanabi::driver::entry::launch_kernel) == 0u);
    }
}

BOOST_FIXTURE_TEST_CASE(destructors_are_quiet, resetting) {
    HANABI_SKIP_ON_CUDA("would take the device from the other tests");
    auto* const run = new hanabi::dispatcher<>{hanabi::dispatcher{*r}.on(hanabi::stream{*gpu})};
    BOOST_REQUIRE(host::device_reset(0));
    delete run;
    r.reset();
    BOOST_TEST(reported == 0);
}
