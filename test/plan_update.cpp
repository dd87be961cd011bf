// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Plans updated in place: which driver calls a binding makes, counts that change, launches of nothing, updates that the
// driver refuses, nodes set by number, older drivers.

#define BOOST_TEST_MODULE plan_update
#include <boost/test/unit_test.hpp>

#include "support/planning.hpp"

#include <hanabi/expression/fill.hpp>
#include <hanabi/expression/parallel.hpp>
#include <hanabi/expression/range.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <system_error>
#include <vector>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::errc;
using hanabi::over;
using hanabi::sequence;
using hanabi::driver::entry;
using hanabi::driver::status;
using work::add;
using work::nop;
using work::scale;
namespace host = hanabi::host;

namespace {

constexpr int n = 300;

/// Driver calls of an action that changes a plan, but for asking what context is current.
template <class Action>
std::uint64_t calls_of(Action action) {
    host::clear_calls();
    action();
    return host::calls() - host::calls(entry::ctx_get_id) - host::calls(entry::ctx_get_current) - host::calls(entry::ctx_set_current);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(values, planning)

BOOST_AUTO_TEST_CASE(only_what_changed_is_told_to_the_driver) {
    HANABI_SKIP_ON_CUDA("counts calls");
    hanabi::buffer<float> a = filled(n, 1), b = filled(n, 2);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over(n)]("alpha"_arg, a, n) >> add[over(n)]("beta"_arg, a, b, "n"_arg) >> scale[over(n)]("alpha"_arg, b, n) >>
                       nop[over(1)]());
    const auto set = [] { return host::calls(entry::graph_exec_kernel_node_set_params); };
    BOOST_TEST(calls_of([&] { plan("alpha"_arg = 2.0f, "beta"_arg = 1.0f, "n"_arg = n); }) == 4u); // three nodes and the launch
    BOOST_TEST(set() == 3u);
    BOOST_TEST(calls_of([&] { plan.replay(); }) == 1u);
    BOOST_TEST(host::calls(entry::graph_launch) == 1u);
    BOOST_TEST(calls_of([&] { plan.rebind("alpha"_arg = 2.0f, "beta"_arg = 1.0f, "n"_arg = n); }) == 0u);
    BOOST_TEST(calls_of([&] { plan.rebind(); }) == 0u);
    BOOST_TEST(calls_of([&] { plan.rebind("beta"_arg = 3.0f); }) == 1u);
    BOOST_TEST(calls_of([&] { plan.rebind("alpha"_arg = 3.0f); }) == 2u);
    BOOST_TEST(calls_of([&] { plan.rebind("n"_arg = 10, "beta"_arg = 4.0f); }) == 1u);
    BOOST_TEST(calls_of([&] { plan("alpha"_arg = -0.0f, "beta"_arg = 4.0f, "n"_arg = 10); }) == 3u);
    BOOST_TEST(calls_of([&] { plan("alpha"_arg = 0.0f, "beta"_arg = 4.0f, "n"_arg = 10); }) == 3u); // other bytes than -0
    r.synchronize();
}

BOOST_AUTO_TEST_CASE(bindings_stay) {
    hanabi::buffer<float> a = filled(n, 1), b = filled(n, 1);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over(n)]("alpha"_arg, "x"_arg, "n"_arg));
    HANABI_CHECK_ERROR(plan.replay(), errc::argument_not_bound, "hanabi::plan::replay", "\"alpha\"_arg, \"n\"_arg, \"x\"_arg");
    plan.rebind("alpha"_arg = 3.0f);
    std::error_code ec;
    plan.replay(ec);
    BOOST_TEST((ec == errc::argument_not_bound));
    plan.rebind("x"_arg = a);
    HANABI_CHECK_ERROR(plan.replay(), errc::argument_not_bound, "never bound: \"n\"_arg;");
    plan.rebind("n"_arg = n);
    plan.replay();
    plan.rebind("x"_arg = b);
    plan.replay();
    plan.rebind("alpha"_arg = 5.0f, "n"_arg = 1_c);
    plan.replay(ec);
    BOOST_TEST(!ec);
    r.synchronize();
    BOOST_TEST(a.to_vector()[0] == 3.0f);
    BOOST_TEST(b.to_vector()[0] == 15.0f);
    BOOST_TEST(b.to_vector()[1] == 3.0f);
}

BOOST_AUTO_TEST_CASE(fills_change) {
    hanabi::buffer<int> a{*gpu, 100};
    const hanabi::dispatcher r = run();
    auto plan = r.plan(hanabi::fill(a, "value"_arg));
    plan("value"_arg = 3);
    r.synchronize();
    BOOST_TEST(a.to_vector()[99] == 3);
    plan("value"_arg = -3);
    r.synchronize();
    BOOST_TEST(a.to_vector()[0] == -3);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(counts, planning)

BOOST_AUTO_TEST_CASE(grids_change_and_come_to_nothing) {
    hanabi::buffer<float> a = filled(2000, 1);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over("n"_arg)](2.0f, a, "n"_arg) >> scale[over("m"_arg) | block(64)](3.0f, a, 2000));
    BOOST_TEST(!plan.node(0).enabled());
    plan("n"_arg = 10, "m"_arg = 20u); // 6 up to 10, then 3 up to 64
    r.synchronize();
    std::vector<float> v = a.to_vector();
    BOOST_TEST(v[9] == 6.0f);
    BOOST_TEST(v[10] == 3.0f);
    BOOST_TEST(v[63] == 3.0f);
    BOOST_TEST(v[64] == 1.0f);
    plan("n"_arg = 0, "m"_arg = std::size_t{1000});
    r.synchronize();
    v = a.to_vector();
    BOOST_TEST(v[9] == 18.0f);
    BOOST_TEST(v[1023] == 3.0f);
    BOOST_TEST(v[1024] == 1.0f);
    BOOST_TEST(!plan.node(0).enabled());
    plan("n"_arg = 2000, "m"_arg = 0_c);
    r.synchronize();
    v = a.to_vector();
    BOOST_TEST(v[9] == 36.0f);
    BOOST_TEST(v[1999] == 2.0f);
    plan.rebind("n"_arg = 0);
    plan.replay();
    r.synchronize();
    BOOST_TEST(a.to_vector() == v);
    if (!on_host()) return;
    BOOST_TEST(calls_of([&] { plan.rebind("n"_arg = 5); }) == 2u); // parameters, and enabled
    BOOST_TEST(calls_of([&] { plan.rebind("n"_arg = 0); }) == 1u); // disabled
    BOOST_TEST(calls_of([&] { plan.rebind("n"_arg = 0); }) == 0u);
}

BOOST_AUTO_TEST_CASE(blocks_and_shared_memory_change) {
    hanabi::buffer<float> a = filled(1000, 1);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over("n"_arg) | block("threads"_arg) | hanabi::shared<double>("items"_arg)](2.0f, a, 1000));
    plan("n"_arg = 100, "threads"_arg = 100, "items"_arg = 6000);
    plan.rebind("threads"_arg = 50, "items"_arg = 7000);
    plan.replay();
    r.synchronize();
    BOOST_TEST(a.to_vector()[99] == 4.0f);
    BOOST_TEST(a.to_vector()[100] == 1.0f);
    HANABI_CHECK_ERROR(plan.rebind("items"_arg = 100000000), errc::shared_memory_exceeded, "work::scal", "800000000");
    HANABI_CHECK_ERROR(plan.rebind("threads"_arg = 0), errc::invalid_geometry, "block x is 0");
    plan.replay();
    r.synchronize();
    BOOST_TEST(a.to_vector()[99] == 8.0f);
}

BOOST_AUTO_TEST_CASE(a_refused_count_changes_nothing) {
    hanabi::buffer<float> a = filled(n, 1);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over("n"_arg)]("alpha"_arg, a, "n"_arg) >> scale[over(1, "m"_arg)](1.0f, a, 1));
    plan("n"_arg = n, "m"_arg = 1, "alpha"_arg = 2.0f);
    HANABI_CHECK_ERROR(plan.rebind("n"_arg = -5, "alpha"_arg = 7.0f), errc::invalid_geometry, "launching work::scal at ",
                       "plan_update.cpp:", "over x is -5");
    HANABI_CHECK_ERROR(plan.rebind("n"_arg = 0, "m"_arg = std::uint64_t{1} << 40), errc::invalid_geometry, "grid y is", "65535");
    const auto bad = [&](auto value) { plan.rebind("m"_arg = value); };
    HANABI_CHECK_ERROR(bad(-1), errc::invalid_geometry, "over y is -1");
    BOOST_TEST(plan.node(0).enabled());
    if (on_host()) BOOST_TEST(calls_of([&] { plan.rebind("n"_arg = n, "m"_arg = 1, "alpha"_arg = 2.0f); }) == 0u);
    plan.replay();
    r.synchronize();
    for (const float f : a.to_vector()) BOOST_REQUIRE(f == 4.0f);
}

BOOST_AUTO_TEST_CASE(a_first_count_may_be_refused) {
    hanabi::buffer<float> a = filled(n, 1);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over("n"_arg, "m"_arg) | block(64)](2.0f, a, n));
    HANABI_CHECK_ERROR(plan.rebind("n"_arg = 1, "m"_arg = std::uint64_t{1} << 50), errc::invalid_geometry, "grid y is");
    HANABI_CHECK_ERROR(plan.replay(), errc::argument_not_bound, "\"m\"_arg, \"n\"_arg");
    plan.rebind("m"_arg = 1);
    plan("n"_arg = n, "m"_arg = 1);
    r.synchronize();
    BOOST_TEST(a.to_vector()[n - 1] == 2.0f);
}

BOOST_AUTO_TEST_CASE(a_parameter_of_64_bits_takes_no_negative_number) {
    static constexpr hanabi::kernel<"wide", "take", void(std::uint64_t)> take;
    const hanabi::registry r =
        load(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry take(.param .u64 n) { ret; }\n", "wide");
    if (on_host()) host::define(take, [](host::thread, std::uint64_t) {});
    auto plan = hanabi::dispatcher{r}.plan(take[over(1)]("n"_arg));
    plan("n"_arg = 5);
    HANABI_CHECK_ERROR(plan("n"_arg = -5), errc::value_out_of_range, "\"n\"_arg", "negative");
    gpu->synchronize();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(refusals, planning)

BOOST_AUTO_TEST_CASE(an_update_that_the_driver_refuses_makes_a_new_graph) {
    HANABI_SKIP_ON_CUDA("fails on order");
    hanabi::buffer<float> a = filled(n, 1);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over("n"_arg)]("alpha"_arg, a, n) >> scale[over(0)](100.0f, a, n) >> scale[over("n"_arg)]("alpha"_arg, a, n));
    plan("alpha"_arg = 2.0f, "n"_arg = n);
    const auto before = plan.exec();
    for (const entry e : {entry::graph_exec_kernel_node_set_params, entry::graph_node_set_enabled}) {
        host::fail(e, status::graph_exec_update_failure);
        plan("alpha"_arg = 0.5f, "n"_arg = e == entry::graph_node_set_enabled ? 0 : n);
    }
    r.synchronize();
    BOOST_TEST(plan.exec() != before);
    BOOST_TEST(a.to_vector()[0] == 1.0f);

    // Neither will it have a new one: the values stay, and the next replay tries again.
    host::fail(entry::graph_exec_kernel_node_set_params, status::graph_exec_update_failure);
    host::fail(entry::graph_instantiate_with_params, status::out_of_memory);
    HANABI_CHECK_ERROR(plan.rebind("alpha"_arg = 3.0f, "n"_arg = n), status::out_of_memory, "hanabi::plan::rebind",
                       "instantiating a graph of 3 nodes");
    host::fail(entry::graph_instantiate_with_params, status::out_of_memory);
    HANABI_CHECK_ERROR(plan.replay(), status::out_of_memory, "hanabi::plan::replay");
    plan.replay();
    r.synchronize();
    BOOST_TEST(a.to_vector()[0] == 9.0f);
}

BOOST_AUTO_TEST_CASE(a_launch_of_the_graph_may_fail) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const hanabi::dispatcher r = run();
    auto plan = r.plan(nop[over(1)]() >> nop[over(1)]());
    host::fail(entry::graph_launch, status::launch_out_of_resources);
    HANABI_CHECK_ERROR(plan.replay(), status::launch_out_of_resources, "hanabi::plan::replay", "a graph of 2 nodes", "stream 0x",
                       "(701): ");
    host::fail(entry::graph_launch, status::launch_failed);
    HANABI_CHECK_ERROR(plan.replay(), status::launch_failed, "work::nop", "(719): ");
    host::fail(entry::graph_launch, status::launch_out_of_resources);
    std::error_code ec;
    plan.replay(ec);
    BOOST_TEST((ec == status::launch_out_of_resources));
    plan.replay(ec);
    BOOST_TEST(!ec);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(edges, planning)

BOOST_AUTO_TEST_CASE(programmatic_where_it_is_safe) {
    static constexpr hanabi::kernel<"late", "late", void(), hanabi::allows_pdl> late;
    if (gpu->compute_capability() < hanabi::compute_capability{9, 0}) return;
    const hanabi::registry r =
        load(".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry late() { griddepcontrol.wait; ret; }\n", "late");
    if (on_host()) host::define(late, [](host::thread) {});
    hanabi::buffer<float> a = filled(n, 1);
    const auto plain = late[over(1)]();
    const auto pdl = late[over(1) | hanabi::pdl]();
    const hanabi::dispatcher run_late{r};
    auto plan = run_late.plan(pdl >> pdl >> plain >> pdl >> hanabi::fill(a, 1.0f) >> pdl >> (pdl & pdl) >> pdl >>
                              late[over("n"_arg) | hanabi::pdl]() >> pdl >> pdl >> late[over(0) | hanabi::pdl]() >> pdl);
    const auto programmatic = [](const hanabi::plan<hanabi::arg<"n", std::uint64_t>>& p) {
        std::string s;
        const std::string text = p.text();
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find('\n', begin);
            s += text.substr(begin, end - begin).find("(programmatic)") != std::string::npos ? 'p' : '-';
            begin = end + 1;
        }
        return s;
    };
    //                              0: first; 1, 3: behind a launch; 4, 5: a fill; 6, 7: branches, each behind one launch; 8: behind two;
    //                              9: may come to nothing; 10: behind that; 11: behind a launch; 12: comes to nothing; 13: behind that
    BOOST_TEST(programmatic(plan) == "-p-p--pp---p--");
    std::size_t count = 0;
    const hanabi::driver::table& table = test_driver();
    BOOST_REQUIRE(table.graph_get_edges_v2 != nullptr);
    BOOST_REQUIRE((table.graph_get_edges_v2(plan.graph(), nullptr, nullptr, nullptr, &count) == status::success));
    std::vector<hanabi::driver::graph_node_handle> from(count), to(count);
    std::vector<hanabi::driver::graph_edge_data> data(count);
    BOOST_REQUIRE((table.graph_get_edges_v2(plan.graph(), from.data(), to.data(), data.data(), &count) == status::success));
    std::size_t found = 0;
    for (const auto& d : data) found += d.type == static_cast<unsigned char>(hanabi::driver::graph_dependency_type::programmatic);
    BOOST_TEST(count == 14u);
    BOOST_TEST(found == 5u);
    plan("n"_arg = 1);
    // A launch that is set to nothing by number can't keep the edge: the plan is made anew.
    plan.node(1).set(late[over(0) | hanabi::pdl]());
    BOOST_TEST(programmatic(plan) == "---p--pp---p--");
    plan.replay();
    gpu->synchronize();
}

BOOST_AUTO_TEST_CASE(attributes_reach_the_nodes) {
    const hanabi::dispatcher r = run();
    auto plan = r.plan(nop[hanabi::grid(2) | block(32) | hanabi::cooperative | hanabi::priority(-1)]() >> nop[over(1)]());
    hanabi::driver::launch_attribute_value value{};
    const auto node = plan.node(0).view().node;
    BOOST_REQUIRE(
        (test_driver().graph_kernel_node_get_attribute(node, hanabi::driver::launch_attribute_id::cooperative, &value) == status::success));
    BOOST_TEST(value.cooperative == 1);
    plan.replay();
    r.synchronize();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(nodes, planning)

BOOST_AUTO_TEST_CASE(set_by_number) {
    hanabi::buffer<float> a = filled(n, 1), b = filled(n, 2);
    const hanabi::dispatcher r = run();
    using launch = decltype(scale[over(n)](2.0f, a, n));
    auto plan = r.plan(sequence(std::vector<launch>(5, scale[over(n)](2.0f, a, n))));
    BOOST_TEST(plan.size() == 5u);
    plan.node(3).set(scale, 0.5f, b, n);
    plan.node(4).set(scale, "n"_arg = 1, "x"_arg = a, "alpha"_arg = 3.0f);
    plan.replay();
    r.synchronize();
    BOOST_TEST(a.to_vector()[0] == 24.0f);
    BOOST_TEST(a.to_vector()[1] == 8.0f);
    BOOST_TEST(b.to_vector()[n - 1] == 1.0f);
    plan.node(0).set(scale[over(0)](100.0f, a, n));
    plan.node(1).set(scale[over(1)](0.0f, a, n));
    BOOST_TEST(!plan.node(0).enabled());
    plan.replay();
    r.synchronize();
    BOOST_TEST(a.to_vector()[0] == 0.0f);
    BOOST_TEST(a.to_vector()[256] == 16.0f);
    plan.node(0).set(scale[over(n)](100.0f, a, n));
    plan.replay();
    r.synchronize();
    BOOST_TEST(a.to_vector()[256] == 3200.0f);
    BOOST_TEST((plan.node(2).view().kernel.symbol == "scal"));
    HANABI_CHECK_ERROR(plan.node(5), errc::value_out_of_range, "number 5", "5 launches");
    HANABI_CHECK_ERROR(plan.node(1).set(nop), errc::invalid_argument, "node 1", "work::scal", "work::nop");
    HANABI_CHECK_ERROR(plan.node(1).set(scale[hanabi::grid(1) | block(1)](1.0f, a, n)), errc::invalid_argument, "other terms");
    HANABI_CHECK_ERROR(plan.node(1).set(scale[over(-1)](1.0f, a, n)), errc::invalid_geometry, "over x is -1");
}

BOOST_AUTO_TEST_CASE(a_placeholder_writes_over_what_was_set) {
    hanabi::buffer<float> a = filled(n, 1);
    const hanabi::dispatcher r = run();
    auto plan = r.plan(scale[over(n)]("alpha"_arg, a, n) >> scale[over(n)]("alpha"_arg, a, n));
    plan.rebind("alpha"_arg = 2.0f);
    plan.node(1).set(scale, 10.0f, a, n);
    plan.replay(); // 20
    plan("alpha"_arg = 2.0f);
    r.synchronize();
    BOOST_TEST(a.to_vector()[0] == 80.0f);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(drivers)

BOOST_AUTO_TEST_CASE(older_drivers) {
    HANABI_SKIP_ON_CUDA("takes entries away");
    host::reset();
    host::clear_definitions();
    const auto plan = [](std::initializer_list<entry> without, auto geometry) {
        const hanabi::driver::table& table = host::table_without(without);
        const struct released {
            const hanabi::driver::table& table;
            ~released() { hanabi::context::release(0, table); }
        } at_the_end{table};
        const hanabi::context in = hanabi::context::primary(0, table);
        const auto r = hanabi::registry::load(in, {{"work", work_ptx}});
        host::options o = host::current_options();
        o.run_bodies = false;
        host::set_options(o);
        auto made = hanabi::dispatcher{r}.plan(nop[geometry]());
        made.replay();
        in.synchronize();
    };
    HANABI_CHECK_ERROR(plan({entry::graph_add_kernel_node}, over(1)), errc::entry_missing, "cuGraphAddKernelNode", "12.0");
    plan({entry::graph_instantiate_with_params, entry::graph_upload, entry::graph_add_dependencies_v2}, over(1));
    plan({entry::graph_node_set_enabled}, over(1));
    HANABI_CHECK_ERROR(plan({entry::graph_node_set_enabled}, over(0)), errc::entry_missing, "cuGraphNodeSetEnabled", "11.6");
    HANABI_CHECK_ERROR(plan({entry::graph_instantiate_with_params, entry::graph_instantiate_with_flags}, over(1)), errc::entry_missing,
                       "cuGraphInstantiateWithFlags");
}

BOOST_AUTO_TEST_SUITE_END()
