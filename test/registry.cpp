// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Registries: loading all or nothing, what is refused and in which words, look-ups, unloading, destructors.

#define BOOST_TEST_MODULE registry
#include <boost/test/unit_test.hpp>

#include "support/faults.hpp"
#include "support/launching.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <thread>

using hanabi::errc;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr char other_ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry other() { ret; }\n";

/// Statuses that the teardown handler saw, in the order of their coming.
std::vector<std::pair<std::string, status>>& torn_down() {
    static std::vector<std::pair<std::string, status>> all;
    return all;
}
struct watch_teardown {
    hanabi::teardown_handler before =
        hanabi::set_teardown_handler([](const char* operation, status s) noexcept { torn_down().emplace_back(operation, s); });
    watch_teardown() { torn_down().clear(); }
    ~watch_teardown() { hanabi::set_teardown_handler(before); }
};

hanabi::driver::function_handle load_again(const registry& r) {
    return registry::load(r.context(), {{"other", other_ptx}}).function("other", "other");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(loading, fresh)

BOOST_AUTO_TEST_CASE(names_are_in_order_and_the_context_is_the_one_given) {
    const registry r = registry::load(*gpu, {{"z", common_ptx}, {"a", other_ptx}, {"m", other_ptx}});
    BOOST_TEST((r.names() == std::vector<std::string>{"z", "a", "m"}));
    BOOST_TEST(r.has_module("a"));
    BOOST_TEST(!r.has_module("b"));
    BOOST_TEST(!r.has_module(""));
    BOOST_TEST(r.loaded());
    BOOST_TEST((r.context() == *gpu));
    BOOST_TEST(r.context().handle() == gpu->handle());
    BOOST_TEST(r.stream().handle() == gpu->stream());
}

BOOST_AUTO_TEST_CASE(no_modules_at_all) {
    const registry r = registry::load(*gpu, {});
    BOOST_TEST(r.names().empty());
    BOOST_TEST(r.loaded());
    HANABI_CHECK_ERROR(r.function("common", "axpy"), errc::unknown_module, "hanabi::registry::function", "'common'", "it has none");
    HANABI_CHECK_ERROR(r.require(axpy), errc::unknown_module, "common::axpy", "'common'");
    r.unload();
}

BOOST_AUTO_TEST_CASE(anything_of_bytes_is_an_image) {
    const std::string text = common_ptx;
    const std::vector<unsigned char> bytes(text.begin(), text.end());
    const std::vector<std::byte> raw{reinterpret_cast<const std::byte*>(text.data()),
                                     reinterpret_cast<const std::byte*>(text.data()) + text.size()};
    const registry r = registry::load(*gpu, {{"string", text},
                                             {"view", std::string_view{text}},
                                             {"vector", bytes},
                                             {"span", std::span<const std::byte>{raw}},
                                             {"array", common_ptx},
                                             {"pointer", text.data(), text.size()}});
    for (const std::string& name : r.names()) BOOST_TEST(r.function(name, "axpy") != nullptr);
    const hanabi::module_source list[] = {{"one", text}, {"two", text}};
    BOOST_TEST((registry::load_all(*gpu, list).names() == std::vector<std::string>{"one", "two"}));
}

BOOST_AUTO_TEST_CASE(each_load_is_an_independent_set) {
    const registry a = load(), b = load(), c = a;
    BOOST_TEST(!(a == b));
    BOOST_TEST((a == c));
    BOOST_TEST(a.function("common", "axpy") != b.function("common", "axpy"));
    BOOST_TEST(a.symbol("common", "table").address != b.symbol("common", "table").address);
    a.unload();
    BOOST_TEST(!c.loaded());
    BOOST_TEST(b.loaded());
    BOOST_TEST(b.function("common", "axpy") != nullptr);
}

BOOST_AUTO_TEST_CASE(a_name_given_twice) {
    const auto before = host::balance();
    HANABI_CHECK_ERROR(registry::load(*gpu, {{"a", common_ptx}, {"b", common_ptx}, {"a", other_ptx}}), errc::duplicate_module,
                       "hanabi::registry::load", "'a'", "twice");
    BOOST_TEST((host::balance() == before));
    std::error_code code;
    const registry r = registry::load(*gpu, {{"a", common_ptx}, {"a", other_ptx}}, code);
    BOOST_TEST((code == errc::duplicate_module));
    BOOST_TEST(!r.loaded());
    BOOST_TEST(r.names().empty());
}

BOOST_AUTO_TEST_CASE(names_that_can_not_be) {
    HANABI_CHECK_ERROR(registry::load(*gpu, {{"", common_ptx}}), errc::invalid_name, "hanabi::registry::load", "empty");
    HANABI_CHECK_ERROR(registry::load(*gpu, {{std::string_view{"a\0b", 3}, common_ptx}}), errc::invalid_name, "NUL");
    HANABI_CHECK_ERROR(registry::load(*gpu, {{"m", nullptr, 5}}), errc::invalid_argument, "'m'", "null pointer", "5 bytes");
    HANABI_CHECK_ERROR(registry::load(*gpu, {{"m", nullptr, 0}}), errc::invalid_image, "'m'", "empty");
}

BOOST_AUTO_TEST_CASE(a_bad_image_unloads_those_before_it) {
    HANABI_SKIP_ON_CUDA("counts modules");
    const auto before = host::balance();
    HANABI_CHECK_ERROR(registry::load(*gpu, {{"good", common_ptx}, {"bad", "/no/such/file.ptx"}}), errc::invalid_image, "module 'bad'",
                       "path");
    BOOST_TEST((host::balance() == before));
    std::error_code code;
    const registry r = registry::load(*gpu, {{"good", common_ptx}, {"bad", "/no/such/file.ptx"}}, code);
    BOOST_TEST((code == errc::invalid_image));
    BOOST_TEST(!r.loaded());
    BOOST_TEST(r.names().empty());
    BOOST_TEST(!r.has_module("good"));
    HANABI_CHECK_ERROR(r.function("good", "axpy"), errc::module_unloaded);
    BOOST_TEST((host::balance() == before));
}

BOOST_AUTO_TEST_CASE(a_driver_that_refuses_the_second_module) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const auto before = host::balance();
    host::fail(entry::module_load_data_ex, status::invalid_ptx, 2, 1, "ptxas fatal: line 3, something");
    host::clear_calls();
    HANABI_CHECK_ERROR(registry::load(*gpu, {{"good", common_ptx}, {"bad", other_ptx}, {"never", other_ptx}}), status::invalid_ptx,
                       "module 'bad'", "compute_75 PTX (version 7.0)", "compute capability 9.0", "CUDA 13.0",
                       "ptxas fatal: line 3, something", "CUDA_ERROR_INVALID_PTX (218): ");
    BOOST_TEST((host::balance() == before));
    BOOST_TEST(host::calls(entry::module_load_data_ex) == 2u);
    BOOST_TEST(host::calls(entry::module_unload) == 1u); // of the good one alone
}

BOOST_AUTO_TEST_CASE(what_fails_to_unload_after_a_failed_load_is_not_lost) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const watch_teardown watch;
    host::fail(entry::module_load_data_ex, status::invalid_ptx, 2);
    host::fail(entry::module_unload, status::unknown);
    HANABI_CHECK_ERROR(registry::load(*gpu, {{"good", common_ptx}, {"bad", other_ptx}}), status::invalid_ptx, "'bad'");
    BOOST_REQUIRE(torn_down().size() == 1u);
    BOOST_TEST(torn_down()[0].first == "unloading module 'good'");
    BOOST_TEST((torn_down()[0].second == status::unknown));
    host::reset(); // the module that nobody owns any more
}

BOOST_AUTO_TEST_CASE(every_driver_call_of_a_load_may_fail) {
    HANABI_SKIP_ON_CUDA("fails on order");
    every_call_fails([&] { const registry r = registry::load(*gpu, {{"common", common_ptx}, {"other", other_ptx}}); });
    host::reset(); // what could not be unloaded
}

BOOST_AUTO_TEST_CASE(images_for_other_devices) {
    HANABI_SKIP_ON_CUDA("knows the device");
    std::string newer = other_ptx;
    newer.replace(newer.find("sm_75"), 5, "sm_99");
    HANABI_CHECK_ERROR(load(newer, "m"), status::no_binary_for_gpu, "module 'm'", "compute_99 PTX", "compute capability 9.0",
                       "CUDA_ERROR_NO_BINARY_FOR_GPU (209): ");
    newer = other_ptx;
    newer.replace(newer.find("7.0"), 3, "9.9");
    HANABI_CHECK_ERROR(load(newer, "m"), status::unsupported_ptx_version, "module 'm'", "(version 9.9)", "CUDA 13.0",
                       "Unsupported .version 9.9", "(222): ");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_utf8) {
    const std::string text = std::string{other_ptx} + "// \xff\n";
    HANABI_CHECK_ERROR(load(text, "m"), errc::invalid_image, "module 'm'", "UTF-8", std::to_string(text.size() - 2));
    // A character that the 64th byte cuts is text all the same.
    std::string comment = "//";
    comment.resize(63, ' ');
    comment += "\xc3\xa9\n";
    BOOST_TEST(catch_error([&] { load(comment + other_ptx, "m"); }).code != errc::invalid_image);
}

BOOST_AUTO_TEST_CASE(a_driver_that_claims_to_have_loaded) {
    HANABI_SKIP_ON_CUDA("fails on order");
    host::fail(entry::module_load_data_ex, status::success);
    const registry r = load();
    HANABI_CHECK_ERROR(r.function("common", "axpy"), status::invalid_handle, "common::axpy", "(400)");
    HANABI_CHECK_ERROR(r.require(axpy), status::invalid_handle, "common::axpy");
}

BOOST_AUTO_TEST_CASE(a_driver_that_claims_to_have_found) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const registry r = load();
    host::fail(entry::module_get_function, status::success, 1, 2);
    HANABI_CHECK_ERROR(r.function("common", "axpy"), errc::unknown_symbol, "'axpy'");
    HANABI_CHECK_ERROR(r.require(axpy), errc::unknown_symbol, "common::axpy");
    BOOST_TEST(r.function("common", "axpy") != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(looking_up, fresh)

BOOST_AUTO_TEST_CASE(functions) {
    const registry r = registry::load(*gpu, {{"common", common_ptx}, {"other", other_ptx}});
    BOOST_TEST(r.function("common", "axpy") != nullptr);
    BOOST_TEST(r.function("other", "other") != nullptr);
    HANABI_CHECK_ERROR(r.function("comon", "axpy"), errc::unknown_module, "hanabi::registry::function", "'comon'", "'common', 'other'");
    HANABI_CHECK_ERROR(r.function("common", "axpi"), errc::unknown_symbol, "hanabi::registry::function", "module 'common'", "'axpi'",
                       "near are 'axpy'", "4 kernels");
    HANABI_CHECK_ERROR(r.function("common", "la::scal"), errc::unknown_symbol, "_ZN2la4scalEfPfi", "la::scal(float, float*, int)");
    HANABI_CHECK_ERROR(r.function("other", "axpy"), errc::unknown_symbol, "module 'other'", "1 kernel)", "no name in it is near");
    HANABI_CHECK_ERROR(r.function("common", std::string_view{"axpy\0x", 6}), errc::invalid_name, "NUL");
    HANABI_CHECK_ERROR(r.function("common", ""), errc::invalid_name, "empty");
    const std::string part = "axpy!";
    BOOST_TEST(r.function("common", std::string_view{part}.substr(0, 4)) != nullptr); // views need no NUL
}

BOOST_AUTO_TEST_CASE(each_look_up_asks_the_driver) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const registry r = load();
    host::clear_calls();
    static_cast<void>(r.function("common", "axpy"));
    static_cast<void>(r.function("common", "axpy"));
    BOOST_TEST(host::calls(entry::module_get_function) == 2u);
    host::fail(entry::module_get_function, status::out_of_memory);
    HANABI_CHECK_ERROR(r.function("common", "axpy"), status::out_of_memory, "hanabi::registry::function: common::axpy",
                       "CUDA_ERROR_OUT_OF_MEMORY (2): ");
}

BOOST_AUTO_TEST_CASE(variables) {
    const registry r = load();
    BOOST_TEST(r.symbol("common", "table").bytes == 32u);
    BOOST_TEST(r.symbol("common", "table").address != 0u);
    BOOST_TEST(r.symbol("common", "counter").bytes == 4u);
    HANABI_CHECK_ERROR(r.symbol("common", "tabel"), errc::unknown_symbol, "hanabi::registry::symbol", "'tabel'", "module 'common'",
                       "'table'");
    HANABI_CHECK_ERROR(r.symbol("common", "zzz"), errc::unknown_symbol, "'zzz'", "cxx(");
    HANABI_CHECK_ERROR(r.symbol("no", "table"), errc::unknown_module, "'no'");
    HANABI_CHECK_ERROR(r.symbol("common", std::string_view{"a\0", 2}), errc::invalid_name, "NUL");
    if (!on_host()) return;
    host::fail(entry::module_get_global, status::launch_failed);
    HANABI_CHECK_ERROR(r.symbol("common", "table"), status::launch_failed, "hanabi::registry::symbol: common::table",
                       "met here, not caused here", "CUDA_ERROR_LAUNCH_FAILED (719): ");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(unloading, fresh)

BOOST_AUTO_TEST_CASE(is_idempotent_and_ends_every_use) {
    const registry r = load();
    r.require(axpy);
    r.unload();
    r.unload();
    BOOST_TEST(!r.loaded());
    HANABI_CHECK_ERROR(r.function("common", "axpy"), errc::module_unloaded, "hanabi::registry::function", "load them again");
    HANABI_CHECK_ERROR(r.symbol("common", "table"), errc::module_unloaded, "hanabi::registry::symbol");
    HANABI_CHECK_ERROR(r.require(axpy), errc::module_unloaded, "common::axpy");
    HANABI_CHECK_ERROR(r.require(scal), errc::module_unloaded, "common::scal");
    HANABI_CHECK_ERROR(r.check(axpy), errc::module_unloaded, "common::axpy");
    BOOST_TEST((r.names() == std::vector<std::string>{"common"})); // what it was
    HANABI_CHECK_CODE(r.unload, std::error_code{});
}

BOOST_AUTO_TEST_CASE(reports_what_failed_and_frees_the_rest) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const registry r = registry::load(*gpu, {{"a", common_ptx}, {"b", other_ptx}, {"c", other_ptx}});
    host::clear_calls();
    host::fail(entry::module_unload, status::unknown, 2);
    HANABI_CHECK_ERROR(r.unload(), status::unknown, "hanabi::registry::unload", "unloading module 'b'", "CUDA_ERROR_UNKNOWN (999): ");
    BOOST_TEST(host::calls(entry::module_unload) == 3u);
    BOOST_TEST(host::balance().modules == 1u);
    r.unload();
    BOOST_TEST(host::calls(entry::module_unload) == 3u);
    const registry again = load();
    host::fail(entry::module_unload, status::unknown);
    HANABI_CHECK_CODE(again.unload, status::unknown);
    host::reset();
}

BOOST_AUTO_TEST_CASE(a_driver_that_has_gone_is_no_failure) {
    HANABI_SKIP_ON_CUDA("fails on order");
    for (const status gone : {status::deinitialized, status::invalid_context, status::context_is_destroyed}) {
        const watch_teardown watch;
        {
            const registry r = registry::load(*gpu, {{"a", common_ptx}});
            host::fail(entry::module_unload, gone);
            BOOST_CHECK_NO_THROW(r.unload());
        }
        {
            const registry r = registry::load(*gpu, {{"a", common_ptx}});
            host::fail(entry::module_unload, gone);
        }
        BOOST_TEST(torn_down().empty());
    }
    host::reset();
}

BOOST_AUTO_TEST_CASE(destructors_report_to_the_handler) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const watch_teardown watch;
    {
        const registry r = registry::load(*gpu, {{"a", common_ptx}, {"b", other_ptx}});
        host::fail(entry::module_unload, status::unknown, 1, 2);
    }
    BOOST_REQUIRE(torn_down().size() == 2u);
    BOOST_TEST(torn_down()[0].first == "unloading module 'a'");
    BOOST_TEST(torn_down()[1].first == "unloading module 'b'");
    host::reset();
}

BOOST_AUTO_TEST_CASE(the_last_holder_unloads) {
    HANABI_SKIP_ON_CUDA("counts modules");
    std::optional<registry> a = load();
    std::optional<registry> b = a;
    a.reset();
    BOOST_TEST(host::balance().modules == 1u);
    registry c = std::move(*b);
    b.reset();
    BOOST_TEST(c.loaded());
    BOOST_TEST(host::balance().modules == 1u);
    c = load();
    BOOST_TEST(host::balance().modules == 1u);
}

BOOST_AUTO_TEST_CASE(outlives_the_release_of_its_context) {
    const registry r = load();
    gpu.reset();
    hanabi::context::release(0, test_driver());
    r.require(axpy);
    hanabi::dispatcher run{r};
    BOOST_TEST(r.context().ordinal() == 0);
    BOOST_TEST(load_again(r) != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
