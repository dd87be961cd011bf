// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Fixtures over the host driver, modules made from descriptors, and the precondition of GPU tests.

#define BOOST_TEST_MODULE test_fixtures
#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>

#include <hanabi/hanabi.hpp>
#include <hanabi/test.hpp>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

using namespace hanabi::test;
using hanabi::over;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

struct vec {
    float x, y, z;
};
struct alignas(16) block_of {
    char bytes[48];
};
enum class mode : short { one };

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"blas", hanabi::cxx("la::scal"), void(float, float*, int)> scal;
inline constexpr hanabi::kernel<
    "misc", "every", void(double, bool, signed char, unsigned short, long long, vec, block_of, mode, std::nullptr_t, void (*)(int))>
    every;
inline constexpr hanabi::kernel<"misc", "none", void()> none;
inline constexpr hanabi::kernel<"misc", "bounded", void(int), hanabi::max_threads<128>> bounded;
inline constexpr hanabi::kernel<"misc", "exact", void(int), hanabi::required_threads<8, 4, 2>, hanabi::cluster_size<2>, hanabi::allows_pdl>
    exact;
struct large {
    char bytes[8000];
};
inline constexpr hanabi::kernel<"large", "large", void(large)> takes_much;
inline constexpr hanabi::global<"misc", "table", float[4]> table;
inline constexpr hanabi::global<"misc", hanabi::cxx("ns::counter"), std::uint64_t> counter;

std::vector<host::device_config> two_devices() {
    host::device_config old;
    old.name = "old";
    old.major = 7;
    old.minor = 5;
    return {host::device_config{}, old};
}

std::optional<std::string> environment(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

boost::unit_test::test_unit_id this_test() { return boost::unit_test::framework::current_test_case().p_id; }
unsigned long failures_of(boost::unit_test::test_unit_id id) { return boost::unit_test::results_collector.results(id).p_assertions_failed; }
boost::unit_test::test_unit_id leaking = 0, losing = 0;

/// Which driver the code under test gets that asks for none in particular.
std::string default_driver() { return hanabi::context::primary().table().origin; }

} // namespace

// What tests do to the driver is gone for the next: each of these passes only on a fresh one.
BOOST_AUTO_TEST_SUITE(isolation)

BOOST_FIXTURE_TEST_CASE(one, registry_fixture<none>) {
    run(none[over(1)]());
    host::fail(hanabi::driver::entry::launch_kernel, status::unknown, 1, host::forever);
    host::options options;
    options.run_bodies = false;
    host::set_options(options);
    std::error_code code;
    run(none[over(1)](), code);
    BOOST_TEST(code == status::unknown);
    BOOST_TEST(launches().size() == 1u);
    BOOST_TEST(host::launch_count() == 1u);
}

BOOST_FIXTURE_TEST_CASE(two, registry_fixture<none>) {
    BOOST_TEST(launches().empty());
    BOOST_TEST(host::current_options().run_bodies);
    run(none[over(1)]());
    BOOST_TEST(was_launched(none));
}

BOOST_AUTO_TEST_CASE(after) {
    BOOST_TEST(host::balance().is_zero(), host::balance());
    BOOST_TEST(launches().empty());
    BOOST_TEST(!host::undefine(none)); // the stub went with its test
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(bodies_defined_before_stay) {
    host::define(none, [](host::thread) { throw 1; });
    {
        registry_fixture<none> f; // leaves the body as it is
        f.run(none[over(1)]());
        std::error_code code;
        f.run.synchronize(code);
        BOOST_TEST(code == status::launch_failed);
        host::define(bounded, [](host::thread, int) {});
        host::define(none, [](host::thread) {});
    }
    BOOST_TEST(!host::undefine(bounded));
    {
        registry_fixture<none> f;
        f.run(none[over(1)]());
        std::error_code code;
        f.run.synchronize(code);
        BOOST_TEST(code == status::launch_failed); // the first body again
    }
    BOOST_TEST(host::undefine(none));
}

BOOST_AUTO_TEST_CASE(the_default_driver) {
    const auto before = environment("HANABI_DRIVER");
    {
        const host_fixture f;
        BOOST_TEST(default_driver() == "host driver");
        BOOST_TEST(hanabi::context::any() == f.device());
        BOOST_TEST(hanabi::context::primary() == host_fixture::device(0));
    }
    BOOST_TEST((environment("HANABI_DRIVER") == before));
}

BOOST_FIXTURE_TEST_CASE(devices_by_function, host_fixture_with<two_devices>) {
    BOOST_TEST(hanabi::context::device_count() == 2);
    BOOST_TEST(device(1).device_name() == "old");
    BOOST_TEST(device(1).compute_capability() == (hanabi::compute_capability{7, 5}));
    const hanabi::buffer<int> a{device(0), 3}, b{device(1), 4};
}

BOOST_AUTO_TEST_CASE(devices_by_argument) {
    {
        const host_fixture none_at_all{std::vector<host::device_config>{}};
        BOOST_TEST(hanabi::context::device_count() == 0);
    }
    const host_fixture_with<[] { return std::vector<host::device_config>(3); }> three;
    BOOST_TEST(hanabi::context::device_count() == 3);
}

// Leaks. The failing check is expected; that it is there is asserted by the test after.
BOOST_AUTO_TEST_CASE(leaks, *boost::unit_test::expected_failures(1)) {
    leaking = this_test();
    std::optional<hanabi::buffer<float>> outlives;
    const host_fixture f;
    outlives.emplace(f.device(), 100);
    BOOST_TEST(host_fixture::left_behind().find("the 400-byte buffer") != std::string::npos, host_fixture::left_behind());
}

BOOST_AUTO_TEST_CASE(no_leaks) {
    {
        host_fixture f;
        const hanabi::context gpu = f.device(); // goes before the fixture does, as everything of a test
        const hanabi::buffer<float> b{gpu, 100};
        const hanabi::stream s{gpu};
        const hanabi::event e{gpu};
        const hanabi::pinned_buffer<int> p{gpu, 10};
        const auto modules = load_for(gpu, axpy);
        const std::string text = host_fixture::left_behind();
        for (const char* part : {"left behind on the host driver's devices:", "400-byte buffer", "40-byte",
                                 "a non-blocking stream of device 0 was never destroyed", "an event of device 0 was never destroyed",
                                 "the module 'blas' of device 0 was never unloaded", "the primary context of device 0 is alive"})
            BOOST_TEST(text.find(part) != std::string::npos, "no \"" << part << "\" in: " << text);
    }
    BOOST_TEST(host_fixture::left_behind() == "");
    BOOST_TEST(failures_of(leaking) == 1u);
}

BOOST_AUTO_TEST_CASE(leaks_by_permission) {
    std::optional<hanabi::buffer<float>> outlives;
    {
        host_fixture f;
        f.allow_leaks();
        outlives.emplace(f.device(), 100);
    }
    {
        host_fixture f; // nothing can be freed in a broken context
        const hanabi::buffer<float> b{f.device(), 100};
        const hanabi::current_context current{f.device()};
        BOOST_TEST(host::break_context(status::illegal_address));
    }
}

// What raw calls forget goes with the context, and is told.
BOOST_AUTO_TEST_CASE(lost_with_the_context, *boost::unit_test::expected_failures(1)) {
    losing = this_test();
    const host_fixture f;
    const hanabi::current_context current{f.device()};
    hanabi::driver::device_address address = 0;
    BOOST_REQUIRE(host::table().mem_alloc(&address, 64) == status::success);
}
BOOST_AUTO_TEST_CASE(lost_with_the_context_was_told) { BOOST_TEST(failures_of(losing) == 1u); }

BOOST_AUTO_TEST_CASE(modules_from_descriptors) {
    const host_fixture f;
    const auto modules = load_for(f.device(), every, axpy, none, bounded, scal, exact, takes_much, table, counter);
    BOOST_TEST(modules.names() == (std::vector<std::string>{"misc", "blas", "large"}), boost::test_tools::per_element());
    modules.require(every, axpy, none, bounded, scal, exact, takes_much);
    for (const auto& report : modules.check(axpy, scal, takes_much)) {
        BOOST_TEST(report.size.what == hanabi::verdict::proved, report);
        BOOST_TEST(report.classes.what == hanabi::verdict::proved, report);
    }
    modules.variable(table).write({1, 2, 3, 4});
    BOOST_TEST(modules.variable(table).read()[2] == 3.0f);
    BOOST_TEST(modules.variable(counter).read() == 0u);
}

BOOST_AUTO_TEST_CASE(ptx_text) {
    BOOST_TEST(ptx_for(axpy) == ".version 7.8\n.target sm_75\n.address_size 64\n\n"
                                ".visible .entry axpy(\n"
                                "    .param .f32 axpy_param_0,\n"
                                "    .param .u64 .ptr .align 1 axpy_param_1,\n"
                                "    .param .u64 .ptr .align 1 axpy_param_2,\n"
                                "    .param .u32 axpy_param_3)\n"
                                "{\n    ret;\n}\n");
    const std::string text = ptx_for(every, none, table);
    for (const char* part :
         {".f64 every_param_0,", ".u8 every_param_1,", ".u8 every_param_2,", ".u16 every_param_3,", ".u64 every_param_4,",
          ".align 4 .b8 every_param_5[12],", ".align 16 .b8 every_param_6[48],", ".u16 every_param_7,", ".u64 .ptr .align 1 every_param_8,",
          ".visible .entry none()", ".visible .global .align 4 .b8 table[16];"})
        BOOST_TEST(text.find(part) != std::string::npos, "no \"" << part << "\" in: " << text);
    const std::string bounds = ptx_for(bounded, exact);
    for (const char* part :
         {".target sm_90", ".maxntid 128, 1, 1", ".reqntid 8, 4, 2", ".reqnctapercluster 2, 1, 1", "griddepcontrol.wait;"})
        BOOST_TEST(bounds.find(part) != std::string::npos, "no \"" << part << "\" in: " << bounds);
    BOOST_TEST(ptx_for(takes_much).starts_with(".version 8.1\n"));
}

// A device older than the text's target refuses it, as a real one does.
BOOST_AUTO_TEST_CASE(older_devices) {
    const host_fixture_with<two_devices> f;
    const auto modules = load_for(f.device(1), axpy);
    modules.require(axpy);
    BOOST_CHECK_THROW(static_cast<void>(load_for(f.device(1), exact)), hanabi::error);
}

using blas = registry_fixture<axpy, scal>;
BOOST_FIXTURE_TEST_CASE(bodies_given_in_the_test, blas) {
    host::define(scal, [](host::thread t, float alpha, float* x, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) x[i] *= alpha;
    });
    auto x = hanabi::buffer<float>::of(device(), std::vector<float>{1, 2, 3});
    run(scal[over(3)](2.0f, x, 3));
    run.synchronize();
    BOOST_TEST(x.to_vector() == (std::vector<float>{2, 4, 6}), boost::test_tools::per_element());
    BOOST_TEST(was_launched(scal, 2.0f, x, 3));
}

BOOST_FIXTURE_TEST_SUITE(as_a_suite, blas)
BOOST_AUTO_TEST_CASE(first) {
    hanabi::buffer<float> y{device(), 10};
    run(scal[over(10)](2.0f, y, 10));
    BOOST_TEST(launched_times(scal, 1));
}
BOOST_AUTO_TEST_CASE(second) { BOOST_TEST(never_launched(scal)); }
BOOST_AUTO_TEST_SUITE_END()

// With a GPU this runs, without it is skipped; either way the precondition tells the truth.
BOOST_AUTO_TEST_CASE(on_the_device, *boost::unit_test::precondition(needs_gpu)) {
    BOOST_TEST(hanabi::context::device_count(hanabi::driver::cuda()) > 0);
}
BOOST_AUTO_TEST_CASE(on_many_devices, *boost::unit_test::precondition(needs_gpus{.count = 10000})) {
    BOOST_ERROR("no machine has ten thousand");
}

BOOST_AUTO_TEST_CASE(reasons) {
    const auto message = [](const boost::test_tools::assertion_result& r) {
        const boost::unit_test::const_string text = r.message();
        return std::string{text.begin(), text.end()};
    };
    {
        const host_fixture f;
        const auto r = needs_gpu(0);
        BOOST_TEST(!r);
        BOOST_TEST(message(r) == "it needs a GPU, and HANABI_DRIVER is host");
    }
    const auto many = needs_gpus{.count = 10000, .least = {9, 0}}();
    BOOST_TEST(!many);
    BOOST_TEST(message(many).find("GPU") != std::string::npos, message(many));
    BOOST_TEST(static_cast<bool>(needs_gpu(0)) == message(needs_gpu(0)).empty());
}
