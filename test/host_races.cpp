// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The host driver's search for data races: what it finds, and what it must not find.

#define BOOST_TEST_MODULE host_races
#include <boost/test/unit_test.hpp>

#include "support/graphs.hpp"

#include <cstdint>
#include <string>
#include <vector>

using driver::graph_handle;
using driver::graph_node_handle;

namespace {

/// The host driver, looking for races; other buffers beside the fixture's.
struct racing : graph_driver {
    racing() {
        host::options o = host::current_options();
        o.check_races = true;
        host::set_options(o);
        ok(cu.mem_alloc(&other, 256));
        ok(cu.mem_alloc(&third, 256));
        side = make_stream();
        synchronize();
        host::clear_races();
    }
    ~racing() {
        synchronize();
        cu.mem_free(other);
        cu.mem_free(third);
    }
    void synchronize() const { ok(cu.ctx_synchronize()); }
    std::size_t found() const { return host::races().size(); }

    /// *to = *a + *b
    kernel_call add_up(driver::device_address to, driver::device_address a, driver::device_address b) const { return {sum, to, a, b}; }

    driver::device_address other = 0, third = 0;
    driver::stream_handle side = nullptr;
};

} // namespace

#define RACES(number) BOOST_TEST(found() == (number), (found() == 0 ? std::string{"none"} : host::races().front().text))

BOOST_FIXTURE_TEST_CASE(streams_and_events, racing) {
    launch(stream, fold_call(0, 1));
    launch(stream, fold_call(1, 1));  // in order
    launch(side, {put, other, 0, 1}); // elsewhere
    RACES(0u);
    launch(side, fold_call(0, 1));
    BOOST_REQUIRE(found() != 0u);
    const host::race r = host::races().front();
    BOOST_TEST(r.first.operation == "graph::fold");
    BOOST_TEST(r.second.operation == "graph::fold");
    BOOST_TEST(r.second.number == 4u);
    BOOST_TEST(r.second.parameter == 1u);
    BOOST_TEST(r.second.writes);
    BOOST_TEST(r.address == memory);
    BOOST_TEST(r.bytes == 256u);
    BOOST_TEST(r.text.find("graph::fold (launch 4) writes, by parameter 1") != std::string::npos, r.text);
    BOOST_TEST(r.text.find("the 256-byte buffer") != std::string::npos, r.text);
    synchronize();
    host::clear_races();

    // The host has waited: there is nothing to race with.
    launch(side, fold_call(0, 1));
    SUCCEEDS(cu.stream_synchronize(side));
    launch(stream, fold_call(0, 1));
    RACES(0u);
    // An event orders what comes after the wait, and what is done by now orders nothing by that.
    const driver::event_handle e = make_event();
    SUCCEEDS(cu.event_record(e, stream));
    while (cu.stream_query(stream) == status::not_ready) {
    }
    launch(stream, fold_call(0, 1));
    SUCCEEDS(cu.event_record(e, stream));
    SUCCEEDS(cu.stream_wait_event(side, e, 0));
    launch(side, fold_call(0, 1));
    RACES(0u);
    launch(stream, fold_call(0, 1));
    RACES(1u);
    SUCCEEDS(cu.event_destroy(e));
}

BOOST_FIXTURE_TEST_CASE(readers_do_not_race, racing) {
    launch(stream, add_up(other, memory, memory));
    launch(side, add_up(third, memory, memory));
    RACES(0u);
    launch(side, {put, other, 0, 1}); // written by the first
    RACES(1u);
    host::clear_races();
    launch(side, {put, memory, 0, 1}); // read by the first; the second is on its own stream
    RACES(2u);                         // by both of its parameters
}

BOOST_FIXTURE_TEST_CASE(copies_and_fills_touch_their_bytes, racing) {
    SUCCEEDS(cu.memset_d32_async(at(0), 1, 4, stream));
    SUCCEEDS(cu.memset_d32_async(at(4), 1, 4, side)); // beside it
    RACES(0u);
    SUCCEEDS(cu.memcpy_dtod_async(other, at(3), 4, side));
    RACES(1u);
    BOOST_TEST(host::races()[0].first.operation == "cuMemsetD32Async");
    BOOST_TEST(host::races()[0].second.operation == "cuMemcpyDtoDAsync");
    BOOST_TEST(host::races()[0].bytes == 4u);
    host::clear_races();
    // Kernels that are known to touch less than their allocation.
    host::options o = host::current_options();
    o.race_extent = [](const host::launch_record&, std::size_t) { return std::size_t{16}; };
    host::set_options(o);
    synchronize();
    launch(stream, {fold, at(0), 0, 1});
    launch(side, {fold, at(4), 0, 1});
    RACES(0u);
    launch(side, {fold, at(3), 0, 1});
    RACES(1u);
}

BOOST_FIXTURE_TEST_CASE(the_legacy_stream_orders, racing) {
    const driver::stream_handle blocking = make_stream(driver::stream_flags::blocking);
    launch(blocking, fold_call(0, 1));
    launch(nullptr, fold_call(0, 1));
    launch(blocking, fold_call(0, 1));
    RACES(0u);
    launch(stream, fold_call(0, 1)); // not with one that does not block
    BOOST_TEST(found() != 0u);
}

BOOST_FIXTURE_TEST_CASE(branches_of_graphs, racing) {
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, fold_call(0, 1)), b = add(g, fold_call(0, 1), {a});
    const graph_node_handle c = add(g, add_up(other, memory, memory), {b});
    add(g, add_up(third, memory, memory), {b});
    const driver::graph_exec_handle e = instantiate(g);
    SUCCEEDS(cu.graph_launch(e, stream));
    SUCCEEDS(cu.graph_launch(e, side)); // launches of one executable graph come one after the other
    RACES(0u);
    synchronize();

    const graph_node_handle late = add(g, {put, memory, 3, 1}, {c}); // beside the last one, which reads
    static_cast<void>(late);
    const driver::graph_exec_handle f = instantiate(g);
    SUCCEEDS(cu.graph_launch(f, stream));
    RACES(2u);
    BOOST_TEST(host::races()[0].second.operation == "graph::put");
    synchronize();
    host::clear_races();
    // A node that is switched off touches nothing.
    SUCCEEDS(cu.graph_node_set_enabled(f, late, 0));
    SUCCEEDS(cu.graph_launch(f, stream));
    RACES(0u);
    // Two graphs are as two launches.
    SUCCEEDS(cu.graph_launch(e, side));
    BOOST_TEST(found() != 0u);
}

BOOST_FIXTURE_TEST_CASE(children_events_and_conditions, racing) {
    const graph_handle inner = make_graph();
    add(inner, fold_call(0, 1));
    add(inner, {put, other, 0, 1});
    const graph_handle g = make_graph();
    graph_node_handle child = nullptr, beside = nullptr, wait = nullptr;
    SUCCEEDS(cu.graph_add_child_graph_node(&child, g, nullptr, 0, inner));
    add(g, fold_call(0, 1), {child});
    SUCCEEDS(cu.graph_launch(instantiate(g), stream));
    RACES(0u);
    synchronize();
    beside = add(g, {put, other, 1, 1});
    static_cast<void>(beside);
    SUCCEEDS(cu.graph_launch(instantiate(g), stream));
    RACES(1u);
    synchronize();
    host::clear_races();

    const driver::event_handle e = make_event();
    launch(side, fold_call(0, 1));
    SUCCEEDS(cu.event_record(e, side));
    const graph_handle waiting = make_graph();
    SUCCEEDS(cu.graph_add_event_wait_node(&wait, waiting, nullptr, 0, e));
    add(waiting, fold_call(0, 1), {wait});
    SUCCEEDS(cu.graph_launch(instantiate(waiting), stream));
    RACES(0u);
    synchronize();
    SUCCEEDS(cu.event_destroy(e));

    const graph_handle h = make_graph();
    driver::graph_conditional_handle handle = 0;
    SUCCEEDS(cu.graph_conditional_handle_create(&handle, h, context, 0, driver::graph_conditional_assign_default));
    driver::graph_node_params params{};
    params.type = driver::graph_node_type::conditional;
    params.conditional = {handle, driver::graph_conditional_type::if_, 1, nullptr, context};
    graph_node_handle conditional = nullptr;
    SUCCEEDS(cu.graph_add_node(&conditional, h, nullptr, nullptr, 0, &params));
    add(params.conditional.bodies[0], fold_call(0, 1));
    const graph_node_handle after = add(h, fold_call(0, 1), {conditional});
    static_cast<void>(after);
    SUCCEEDS(cu.graph_launch(instantiate(h), stream));
    RACES(0u);
    add(h, {put, memory, 0, 1}); // beside the condition, which may or may not hold
    synchronize();
    cu.graph_exec_destroy(executables.back());
    executables.pop_back();
    SUCCEEDS(cu.graph_launch(instantiate(h), stream));
    RACES(2u);
    std::string all;
    for (const host::race& r : host::races()) all += r.text + "\n";
    BOOST_TEST(all.find("in a conditional body") != std::string::npos, all);
}

// As large as a task graph gets: looking at it takes no time to speak of.
BOOST_FIXTURE_TEST_CASE(many_operations, racing) {
    const graph_handle g = make_graph();
    std::vector<graph_node_handle> last(64, nullptr);
    host::options o = host::current_options();
    o.race_extent = [](const host::launch_record&, std::size_t) { return std::size_t{4}; };
    host::set_options(o);
    for (unsigned i = 0; i < 2000; ++i) {
        graph_node_handle& before = last[i % 64];
        kernel_call call{fold, at(i % 64), 0, 1};
        before = before == nullptr ? add(g, call) : add(g, call, {before});
    }
    SUCCEEDS(cu.graph_launch(instantiate(g), stream));
    RACES(0u);
    synchronize();
}
