// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Dynamic shared memory: the opt-in above the default limit, which counts static memory, grows and never shrinks.

#define BOOST_TEST_MODULE shared_memory
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <hanabi/current.hpp>

#include <limits>
#include <thread>

using hanabi::errc;
using hanabi::kernel;
using hanabi::over;
using hanabi::registry;
using hanabi::shared;
using hanabi::driver::entry;
using hanabi::driver::function_attribute;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr char ptx[] = R"(
.version 7.8
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 dyn[];
.visible .entry with_static(.param .u64 p) { .shared .align 4 .b8 tile[512]; ret; }
.visible .entry no_static(.param .u64 p) { ret; }
)";
constexpr kernel<"m", "with_static", void(int*)> with_static;
constexpr kernel<"m", "no_static", void(int*)> no_static;
constexpr kernel<"m", "no_static", void(float*)> no_static_too; // another descriptor of the same kernel

struct module : recording {
    registry r = load(ptx, "m");
    hanabi::dispatcher<> run{r};

    template <class K>
    void launch(const K& k, std::int64_t bytes) {
        run(k[over(1) | shared<char>(bytes)](nullptr));
        if (on_host()) BOOST_TEST(last_launch().shared_bytes == static_cast<unsigned>(bytes));
    }
    static std::uint64_t opt_ins() { return host::calls(entry::func_set_attribute); }
    int limit(const char* symbol) {
        int value = 0;
        const hanabi::current_context current{*gpu};
        BOOST_TEST((host::table().func_get_attribute(&value, function_attribute::max_dynamic_shared_size_bytes, r.function("m", symbol)) ==
                    status::success));
        return value;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(opt_in, module)

BOOST_AUTO_TEST_CASE(only_above_the_default_limit_of_static_and_dynamic_together) {
    HANABI_SKIP_ON_CUDA("counts calls");
    r.require(with_static, no_static);
    host::clear_calls();
    launch(with_static, 0);
    launch(with_static, 48640);
    launch(no_static, 49152);
    BOOST_TEST(opt_ins() == 0u);
    launch(with_static, 48641);
    BOOST_TEST(opt_ins() == 1u);
    launch(no_static, 49153);
    BOOST_TEST(opt_ins() == 2u);
    launch(with_static, 49152);
    launch(with_static, 231936);
    BOOST_TEST(limit("with_static") == 231936);
    BOOST_TEST(opt_ins() == 4u);
}

BOOST_AUTO_TEST_CASE(grows_and_never_shrinks) {
    HANABI_SKIP_ON_CUDA("counts calls");
    r.require(no_static);
    host::clear_calls();
    launch(no_static, 100000);
    launch(no_static, 60000);
    launch(no_static, 100);
    launch(no_static, 100000);
    BOOST_TEST(opt_ins() == 1u);
    BOOST_TEST(limit("no_static") == 100000);
    launch(no_static, 100001);
    BOOST_TEST(opt_ins() == 2u);
    // A second descriptor of the kernel does not lower what the first has raised.
    launch(no_static_too, 60000);
    BOOST_TEST(opt_ins() == 2u);
    BOOST_TEST(limit("no_static") == 100001);
    launch(no_static_too, 120000);
    launch(no_static, 110000);
    BOOST_TEST(opt_ins() == 3u);
    BOOST_TEST(limit("no_static") == 120000);
}

BOOST_AUTO_TEST_CASE(above_what_the_device_has) {
    HANABI_SKIP_ON_CUDA("knows the device");
    r.require(with_static, no_static);
    host::clear_calls();
    HANABI_CHECK_ERROR(launch(with_static, 231937), errc::shared_memory_exceeded, "launching m::with_static at ", "231937 bytes of dynamic",
                       "512 of static", "232449 together", "at most 232448", "231936 for dynamic");
    HANABI_CHECK_ERROR(launch(no_static, 232449), errc::shared_memory_exceeded, "232449");
    launch(no_static, 232448);
    HANABI_CHECK_ERROR(launch(no_static, std::int64_t{1} << 32), errc::shared_memory_exceeded, "4294967296");
    HANABI_CHECK_ERROR(launch(no_static, -8), errc::shared_memory_exceeded, "-8");
    HANABI_CHECK_ERROR(run(no_static[over(1) | shared<double>(std::numeric_limits<std::uint64_t>::max())](nullptr)),
                       errc::shared_memory_exceeded, "2^64 or more");
    HANABI_CHECK_ERROR(run(no_static[hanabi::occupancy(1) | shared<char>(232449)](nullptr)), errc::shared_memory_exceeded, "232449");
    BOOST_TEST(opt_ins() == 1u);
    launch(no_static, 5);
}

BOOST_AUTO_TEST_CASE(a_refused_opt_in_is_told_as_that) {
    HANABI_SKIP_ON_CUDA("fails on order");
    r.require(no_static);
    host::fail(entry::func_set_attribute, status::not_supported);
    HANABI_CHECK_ERROR(launch(no_static, 60000), status::not_supported, "launching m::no_static at ",
                       "raising the limit of dynamic shared memory to 60000 bytes", "CUDA_ERROR_NOT_SUPPORTED (801): ");
    BOOST_TEST(host::launch_count() == 0u);
    launch(no_static, 60000);
}

BOOST_AUTO_TEST_CASE(a_limit_lowered_behind_the_library_is_raised_again_once) {
    HANABI_SKIP_ON_CUDA("counts calls");
    launch(no_static, 100000);
    const auto f = r.function("m", "no_static");
    {
        const hanabi::current_context current{*gpu};
        BOOST_TEST((host::table().func_set_attribute(f, function_attribute::max_dynamic_shared_size_bytes, 50000) == status::success));
    }
    host::clear_calls();
    launch(no_static, 90000);
    BOOST_TEST(opt_ins() == 1u);
    launch(no_static, 90000);
    BOOST_TEST(opt_ins() == 1u);
    // What the driver refuses for another reason is not tried twice.
    host::clear_calls();
    host::fail(entry::launch_kernel, status::invalid_value);
    HANABI_CHECK_ERROR(launch(no_static, 100), status::invalid_value, "m::no_static", "(1)");
    BOOST_TEST(host::calls(entry::launch_kernel) == 1u);
}

BOOST_AUTO_TEST_CASE(growing_from_many_threads) {
    HANABI_SKIP_ON_CUDA("counts calls");
    r.require(no_static, no_static_too);
    host::clear_calls();
    std::atomic<int> failed{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 60; ++i) {
                std::error_code ec;
                const int bytes = 40000 + ((i * 37 + t * 11) % 60) * 3000;
                if (t % 2 == 0)
                    run(no_static[over(1) | shared<char>(bytes)](nullptr), ec);
                else
                    run(no_static_too[over(1) | shared<char>(bytes)](nullptr), ec);
                if (ec) ++failed;
            }
        });
    for (std::thread& t : threads) t.join();
    BOOST_TEST(failed == 0);
    BOOST_TEST(host::launch_count() == 360u);
    BOOST_TEST(opt_ins() <= 60u); // one for each growth
    BOOST_TEST(limit("no_static") == 40000 + 59 * 3000);
}

BOOST_AUTO_TEST_SUITE_END()
