// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Launch attributes: each reaches the driver as it was given, and is refused where the driver has no way to take it.

#define BOOST_TEST_MODULE launch_attributes
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <cstring>

using hanabi::block;
using hanabi::cluster;
using hanabi::errc;
using hanabi::grid;
using hanabi::kernel;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::launch_attribute_id;
using hanabi::driver::launch_attribute_value;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr char ptx[] = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry waits(.param .u32 n) { griddepcontrol.wait; ret; }
)";
constexpr kernel<"m", "waits", void(int), hanabi::allows_pdl> waits;

struct attributes : recording {
    registry r = load(ptx, "m");
    hanabi::dispatcher<> run{r};

    /// The one attribute that a launch of these terms carried.
    template <class Terms>
    launch_attribute_value sent(const Terms& terms, launch_attribute_id id) {
        run(waits[grid(4) | block(32) | terms](7));
        const host::launch_record record = last_launch();
        BOOST_TEST(record.argument<int>(0).value() == 7);
        BOOST_TEST((record.grid == host::extent{4, 1, 1}));
        BOOST_REQUIRE(record.attributes.size() == 1u);
        BOOST_TEST((record.attributes[0].id == id));
        return record.attributes[0].value;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sent_as_given, attributes)

BOOST_AUTO_TEST_CASE(each_of_them) {
    HANABI_SKIP_ON_CUDA("looks at the launches");
    using id = launch_attribute_id;
    BOOST_TEST(sent(hanabi::cooperative, id::cooperative).cooperative == 1);
    BOOST_TEST(last_launch().cooperative);
    BOOST_TEST(sent(hanabi::pdl, id::programmatic_stream_serialization).programmatic_stream_serialization_allowed == 1);
    BOOST_TEST(last_launch().programmatic);
    BOOST_TEST(sent(hanabi::priority(-3), id::priority).priority == -3);
    BOOST_TEST(sent(hanabi::cluster_scheduling(hanabi::cluster_policy::load_balancing), id::cluster_scheduling_policy_preference)
                   .cluster_scheduling_policy_preference == 2u);
    BOOST_TEST(sent(hanabi::mem_sync_domain(1), id::mem_sync_domain).mem_sync_domain == 1u);
    const auto map = sent(hanabi::mem_sync_domain_map(2, 3), id::mem_sync_domain_map).mem_sync_domain_map;
    BOOST_TEST(map.default_ == 2);
    BOOST_TEST(map.remote == 3);
    BOOST_TEST(sent(hanabi::carveout(40), id::preferred_shared_memory_carveout).shared_mem_carveout == 40u);
    const auto dims = sent(cluster(2), id::cluster_dimension).cluster_dim;
    BOOST_TEST(dims.x == 2u);
    BOOST_TEST(dims.y == 1u);
    BOOST_TEST((last_launch().cluster == host::extent{2, 1, 1}));

    hanabi::driver::access_policy_window window{};
    window.base_ptr = reinterpret_cast<void*>(std::uintptr_t{0x1000});
    window.num_bytes = 4096;
    window.hit_ratio = 0.5f;
    window.hit_prop = static_cast<decltype(window.hit_prop)>(2);
    const auto sent_window = sent(hanabi::access_policy(window), id::access_policy_window).window;
    BOOST_TEST(sent_window.base_ptr == window.base_ptr);
    BOOST_TEST(sent_window.num_bytes == 4096u);
    BOOST_TEST(sent_window.hit_ratio == 0.5f);

    const hanabi::event done{*gpu, {.timing = false}};
    const auto programmatic = sent(hanabi::programmatic_event(done.handle(), true), id::programmatic_event).programmatic_event;
    BOOST_TEST(programmatic.event == done.handle());
    BOOST_TEST(programmatic.trigger_at_block_start == 1);
    BOOST_TEST(sent(hanabi::launch_completion_event(done.handle()), id::launch_completion_event).launch_completion_event.event ==
               done.handle());

    launch_attribute_value raw{};
    raw.synchronization_policy = static_cast<decltype(raw.synchronization_policy)>(2);
    BOOST_TEST((sent(hanabi::attribute(id::synchronization_policy, raw), id::synchronization_policy).synchronization_policy ==
                raw.synchronization_policy));
    run.synchronize();
}

BOOST_AUTO_TEST_CASE(many_together_in_the_order_given) {
    HANABI_SKIP_ON_CUDA("looks at the launches");
    const auto terms = hanabi::priority(-1) | grid(4) | hanabi::carveout(10) | block(32) | cluster(2) | hanabi::preferred_cluster(4) |
                       hanabi::attribute(launch_attribute_id::ignore, {}) | hanabi::attribute(launch_attribute_id::ignore, {}) |
                       hanabi::shared<int>(3);
    run(waits[terms](1));
    const host::launch_record record = last_launch();
    std::vector<int> ids;
    for (const auto& a : record.attributes) ids.push_back(static_cast<int>(a.id));
    const std::vector<int> wanted{static_cast<int>(launch_attribute_id::priority),
                                  static_cast<int>(launch_attribute_id::preferred_shared_memory_carveout),
                                  static_cast<int>(launch_attribute_id::cluster_dimension),
                                  static_cast<int>(launch_attribute_id::preferred_cluster_dimension),
                                  0,
                                  0};
    BOOST_TEST(ids == wanted, boost::test_tools::per_element());
    BOOST_TEST(record.attributes[3].value.preferred_cluster_dim.x == 4u);
    BOOST_TEST(record.shared_bytes == 12u);
    run[waits](over(100) | hanabi::cooperative, 5);
    BOOST_TEST(last_launch().cooperative);
}

BOOST_AUTO_TEST_CASE(any_number_of_raw_ones) {
    HANABI_SKIP_ON_CUDA("looks at the launches");
    static constexpr kernel<"m", "waits", void(int), hanabi::cluster_size<2>> in_pairs; // one more is added for its contract
    const auto one = hanabi::attribute(launch_attribute_id::ignore, {});
    const auto four = one | one | one | one;
    const auto sixteen = four | four | four | four;
    run(in_pairs[grid(2) | block(1) | sixteen | sixteen | sixteen](1));
    BOOST_TEST(last_launch().attributes.size() == 49u);
    BOOST_TEST((last_launch().cluster == host::extent{2, 1, 1}));
    run(in_pairs[grid(2) | block(1) | four | four](1));
    BOOST_TEST(last_launch().attributes.size() == 9u);
    run(in_pairs[grid(2) | block(1) | four | one | one | one](1));
    BOOST_TEST(last_launch().attributes.size() == 8u);
}

BOOST_AUTO_TEST_CASE(what_the_driver_refuses) {
    HANABI_SKIP_ON_CUDA("knows the device");
    HANABI_CHECK_ERROR(run(waits[over(1) | hanabi::priority(99)](1)), status::invalid_value, "launching m::waits at ", "grid (1, 1, 1)",
                       "priority of 99", "CUDA_ERROR_INVALID_VALUE (1): ");
    HANABI_CHECK_ERROR(run(waits[grid(100000) | block(1024) | hanabi::cooperative](1)), status::cooperative_launch_too_large,
                       "grid (100000, 1, 1)", "(720)");
    BOOST_TEST(host::launch_count() == 0u);
}

BOOST_AUTO_TEST_CASE(a_contract_of_programmatic_launches_that_the_image_breaks) {
    static constexpr kernel<"common", "none", void(), hanabi::allows_pdl> lying;
    const registry common = load();
    HANABI_CHECK_ERROR(hanabi::dispatcher{common}(lying[over(1) | hanabi::pdl]()), errc::contract_violated, "common::none", "allows_pdl",
                       "griddepcontrol.wait");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_CASE(a_driver_without_the_entry, fresh) {
    HANABI_SKIP_ON_CUDA("configures the driver");
    const auto& old = host::table_without({entry::launch_kernel_ex});
    {
        host::options o;
        o.run_bodies = false;
        host::set_options(o);
        const hanabi::context older = hanabi::context::primary(0, old);
        const registry r = registry::load(older, {{"m", ptx}});
        const hanabi::dispatcher run{r};
        HANABI_CHECK_ERROR(run(waits[over(1) | hanabi::priority(0)](1)), errc::entry_missing, "launching m::waits at ", "cuLaunchKernelEx",
                           "CUDA 11.6", "host driver");
        std::error_code ec;
        run[waits](over(1) | hanabi::cooperative, 1, ec);
        BOOST_TEST((ec == errc::entry_missing));
        run(waits[over(1)](1)); // needs none
        BOOST_TEST(host::launch_count() == 1u);
    }
    hanabi::context::release(0, old);
}
