// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Stream capture, as a driver serves it: what is recorded, what is refused, and with which status. What is not about the
// host driver alone runs on the real one too.

#define BOOST_TEST_MODULE host_capture
#include <boost/test/unit_test.hpp>

#include "support/graphs.hpp"

#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

using driver::capture_mode;
using driver::capture_status;
using driver::graph_handle;
using driver::graph_node_handle;
using driver::graph_node_type;

namespace {

struct capturing : graph_driver {
    void begin(capture_mode mode = capture_mode::thread_local_) const { ok(cu.stream_begin_capture(stream, mode)); }
    graph_handle end() {
        graph_handle g = nullptr;
        ok(cu.stream_end_capture(stream, &g));
        BOOST_REQUIRE(g != nullptr);
        return keep(g);
    }
    capture_status state(driver::stream_handle s) const {
        capture_status now{};
        ok(cu.stream_is_capturing(s, &now));
        return now;
    }
    std::vector<graph_node_type> types(graph_handle g) const {
        std::vector<graph_node_handle> listed(64);
        std::size_t count = listed.size();
        ok(cu.graph_get_nodes(g, listed.data(), &count));
        std::vector<graph_node_type> all(count);
        for (std::size_t i = 0; i < count; ++i) ok(cu.graph_node_get_type(listed[i], &all[i]));
        return all;
    }
    std::size_t edges(graph_handle g) const {
        std::size_t count = 0;
        ok(cu.graph_get_edges(g, nullptr, nullptr, &count));
        return count;
    }
    /// Ends a capture that something has broken: 901, and no graph.
    void ends_broken() const {
        graph_handle g = reinterpret_cast<graph_handle>(&g);
        ANSWERS(cu.stream_end_capture(stream, &g), status::stream_capture_invalidated);
        BOOST_TEST(g == nullptr);
        BOOST_TEST((state(stream) == capture_status::none));
        launch(stream, put_call(0, 1)); // the stream is as before
        ok(cu.stream_synchronize(stream));
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(what_a_stream_does_becomes_nodes, capturing) {
    BOOST_TEST((state(stream) == capture_status::none));
    static std::atomic<int> called;
    called = 0;
    std::uint32_t result[2] = {};
    begin();
    BOOST_TEST((state(stream) == capture_status::active));
    launch(stream, put_call(0, 1));
    launch(stream, fold_call(0, 1));
    SUCCEEDS(cu.memset_d32_async(at(1), 9, 1, stream));
    SUCCEEDS(cu.memcpy_dtod_async(at(2), at(1), 4, stream));
    if (on_host()) SUCCEEDS(cu.memcpy_dtod_async(at(2), at(1), 0, stream)); // nothing to do, no node
    SUCCEEDS(cu.launch_host_func(
        stream, [](void* data) { ++*static_cast<std::atomic<int>*>(data); }, &called));
    SUCCEEDS(cu.memcpy_dtoh_async(result, at(0), 8, stream));
    const graph_handle g = end();
    BOOST_TEST(called == 0);
    BOOST_TEST(read_one(0) == 0u); // nothing has run
    using t = graph_node_type;
    BOOST_TEST((types(g) == std::vector<t>{t::kernel, t::kernel, t::memset, t::memcpy, t::host, t::memcpy}));
    BOOST_TEST(edges(g) == 5u);
    const driver::graph_exec_handle e = instantiate(g);
    run(e);
    run(e);
    BOOST_TEST(called == 2);
    BOOST_TEST(result[0] == 4u);
    BOOST_TEST(result[1] == 9u);
    BOOST_TEST(read_one(2) == 9u);
}

BOOST_FIXTURE_TEST_CASE(streams_fork_and_join_by_events, capturing) {
    const driver::stream_handle side = make_stream();
    const driver::event_handle forked = make_event(), joined = make_event();
    begin();
    launch(stream, put_call(0, 1));
    SUCCEEDS(cu.event_record(forked, stream));
    BOOST_TEST((state(side) == capture_status::none));
    SUCCEEDS(cu.stream_wait_event(side, forked, 0));
    BOOST_TEST((state(side) == capture_status::active));
    launch(side, fold_call(0, 1));
    launch(stream, put_call(1, 2));
    SUCCEEDS(cu.event_record(joined, side));
    SUCCEEDS(cu.stream_wait_event(stream, joined, 0));
    launch(stream, {sum, at(2), at(0), at(1)});
    const graph_handle g = end();
    BOOST_TEST((state(side) == capture_status::none));
    BOOST_TEST(types(g).size() == 4u);
    BOOST_TEST(edges(g) == 4u);
    run(instantiate(g));
    BOOST_TEST(read_one(2) == 6u);
    SUCCEEDS(cu.event_record(forked, side)); // recorded anew, it is an event as before
    SUCCEEDS(cu.event_synchronize(forked));
    SUCCEEDS(cu.event_destroy(forked));
    SUCCEEDS(cu.event_destroy(joined));
}

BOOST_FIXTURE_TEST_CASE(a_fork_that_is_not_joined, capturing) {
    const driver::stream_handle side = make_stream();
    const driver::event_handle forked = make_event();
    begin();
    SUCCEEDS(cu.event_record(forked, stream));
    SUCCEEDS(cu.stream_wait_event(side, forked, 0));
    launch(side, put_call(0, 1));
    graph_handle g = nullptr;
    ANSWERS(cu.stream_end_capture(stream, &g), status::stream_capture_unjoined);
    BOOST_TEST(g == nullptr);
    BOOST_TEST((state(side) == capture_status::none));
    // A stream that came along and did nothing needs no joining.
    begin();
    launch(stream, put_call(0, 1));
    SUCCEEDS(cu.event_record(forked, stream));
    SUCCEEDS(cu.stream_wait_event(side, forked, 0));
    launch(stream, put_call(1, 1));
    end();
    SUCCEEDS(cu.event_destroy(forked));
}

BOOST_FIXTURE_TEST_CASE(beginning_and_ending_wrongly, capturing) {
    graph_handle g = nullptr;
    ANSWERS(cu.stream_end_capture(stream, &g), status::illegal_state);
    ANSWERS(cu.stream_begin_capture(reinterpret_cast<driver::stream_handle>(driver::stream_legacy), capture_mode::thread_local_),
            status::stream_capture_unsupported);
    begin();
    ANSWERS(cu.stream_begin_capture(stream, capture_mode::thread_local_), status::illegal_state);
    const driver::stream_handle side = make_stream();
    const driver::event_handle forked = make_event();
    SUCCEEDS(cu.event_record(forked, stream));
    SUCCEEDS(cu.stream_wait_event(side, forked, 0));
    ANSWERS(cu.stream_end_capture(side, &g), status::stream_capture_unmatched);
    ends_broken();
    begin();
    std::thread{[&] {
        cu.ctx_set_current(context);
        graph_handle theirs = nullptr;
        BOOST_TEST((cu.stream_end_capture(stream, &theirs) == status::stream_capture_wrong_thread));
        cu.ctx_set_current(nullptr);
    }}.join();
    cu.stream_end_capture(stream, &g);
    if (g != nullptr) keep(g);
    // In relaxed mode any thread may.
    begin(capture_mode::relaxed);
    std::thread{[&] {
        cu.ctx_set_current(context);
        graph_handle theirs = nullptr;
        BOOST_TEST((cu.stream_end_capture(stream, &theirs) == status::success));
        cu.graph_destroy(theirs);
        cu.ctx_set_current(nullptr);
    }}.join();
    SUCCEEDS(cu.event_destroy(forked));
}

BOOST_FIXTURE_TEST_CASE(calls_that_break_a_capture, capturing) {
    driver::device_address address = 0;
    begin();
    ANSWERS(cu.mem_alloc(&address, 16), status::stream_capture_unsupported);
    BOOST_TEST((state(stream) == capture_status::invalidated));
    kernel_call call = put_call(0, 1);
    call.get();
    ANSWERS(cu.launch_kernel(put, 1, 1, 1, 1, 1, 1, 0, stream, call.pointers, nullptr), status::stream_capture_invalidated);
    ends_broken();
    begin();
    ANSWERS(cu.stream_synchronize(stream), status::stream_capture_unsupported);
    ends_broken();
    begin();
    ANSWERS(cu.stream_query(stream), status::stream_capture_unsupported);
    ends_broken();
    const driver::module_handle m = load(graph_ptx);
    begin();
    ANSWERS(cu.module_unload(m), status::stream_capture_unsupported);
    ends_broken();
    SUCCEEDS(cu.module_unload(m));
    begin(capture_mode::global);
    ANSWERS(cu.mem_alloc(&address, 16), status::stream_capture_unsupported);
    ends_broken();
    // The same in a relaxed capture, or by a thread that has exchanged its mode, is permitted.
    begin(capture_mode::relaxed);
    SUCCEEDS(cu.mem_alloc(&address, 16));
    SUCCEEDS(cu.mem_free(address));
    end();
    begin();
    capture_mode mode = capture_mode::relaxed;
    SUCCEEDS(cu.thread_exchange_stream_capture_mode(&mode));
    SUCCEEDS(cu.mem_alloc(&address, 16));
    SUCCEEDS(cu.thread_exchange_stream_capture_mode(&mode));
    BOOST_TEST((mode == capture_mode::relaxed));
    BOOST_TEST((state(stream) == capture_status::active));
    end();
    SUCCEEDS(cu.mem_free(address));
}

BOOST_FIXTURE_TEST_CASE(loading_does_not_break_a_capture, capturing) {
    int version = 0;
    SUCCEEDS(cu.driver_get_version(&version));
    if (version < 12030) return;
    for (const capture_mode mode : {capture_mode::thread_local_, capture_mode::global}) {
        begin(mode);
        const driver::module_handle m = load(graph_ptx);
        const driver::function_handle f = find("put", m);
        std::size_t offset = 0, size = 0;
        if (cu.func_get_param_info != nullptr) SUCCEEDS(cu.func_get_param_info(f, 0, &offset, &size));
        SUCCEEDS(cu.func_set_attribute(f, driver::function_attribute::max_dynamic_shared_size_bytes, 1024));
        launch(stream, {f, memory, 0, 5});
        const graph_handle g = end();
        run(instantiate(g));
        BOOST_TEST(read_one(0) == 5u);
        SUCCEEDS(cu.module_unload(m));
    }
}

BOOST_FIXTURE_TEST_CASE(work_outside_of_the_capture, capturing) {
    const driver::stream_handle side = make_stream();
    const driver::event_handle outside = make_event();
    launch(side, put_call(5, 1));
    SUCCEEDS(cu.event_record(outside, side));
    begin();
    ANSWERS(cu.stream_wait_event(stream, outside, 0), status::stream_capture_isolation);
    ends_broken();
    // Other streams go on as they like.
    begin();
    launch(side, put_call(6, 3));
    launch(stream, put_call(0, 7));
    end();
    SUCCEEDS(cu.stream_synchronize(side));
    BOOST_TEST(read_one(6) == 3u);
    // Two captures don't mix.
    const driver::event_handle theirs = make_event();
    begin();
    SUCCEEDS(cu.stream_begin_capture(side, capture_mode::thread_local_));
    launch(side, put_call(0, 1));
    SUCCEEDS(cu.event_record(theirs, side));
    ANSWERS(cu.stream_wait_event(stream, theirs, 0), status::stream_capture_merge);
    graph_handle g = nullptr;
    cu.stream_end_capture(side, &g);
    if (g != nullptr) keep(g);
    cu.stream_end_capture(stream, &g);
    if (g != nullptr) keep(g);
    SUCCEEDS(cu.event_destroy(outside));
    SUCCEEDS(cu.event_destroy(theirs));
}

BOOST_FIXTURE_TEST_CASE(the_legacy_stream, capturing) {
    const driver::stream_handle blocking = make_stream(driver::stream_flags::blocking);
    SUCCEEDS(cu.stream_begin_capture(blocking, capture_mode::thread_local_));
    capture_status now{};
    ANSWERS(cu.stream_is_capturing(nullptr, &now), status::stream_capture_implicit); // without harm
    SUCCEEDS(cu.stream_is_capturing(blocking, &now));
    BOOST_TEST((now == capture_status::active));
    ANSWERS(cu.memset_d32_async(memory, 1, 1, nullptr), status::stream_capture_implicit);
    graph_handle g = nullptr;
    ANSWERS(cu.stream_end_capture(blocking, &g), status::stream_capture_invalidated);
    // With one that does not synchronise with it there is no matter.
    begin();
    SUCCEEDS(cu.memset_d32_async(memory, 1, 1, nullptr));
    end();
}

BOOST_FIXTURE_TEST_CASE(external_events, capturing) {
    if (cu.event_record_with_flags == nullptr) return;
    const driver::event_handle e = make_event();
    ANSWERS(cu.event_record_with_flags(e, stream, driver::event_record_external), status::illegal_state); // nothing captures
    begin();
    SUCCEEDS(cu.stream_wait_event(stream, e, driver::event_wait_external));
    launch(stream, put_call(0, 1));
    SUCCEEDS(cu.event_record_with_flags(e, stream, driver::event_record_external));
    const graph_handle g = end();
    using t = graph_node_type;
    BOOST_TEST((types(g) == std::vector<t>{t::wait_event, t::kernel, t::event_record}));
    run(instantiate(g));
    SUCCEEDS(cu.event_query(e));
    SUCCEEDS(cu.event_destroy(e));
}

BOOST_FIXTURE_TEST_CASE(graphs_inside, capturing) {
    const graph_handle inner = make_graph();
    add(inner, fold_call(0, 1));
    const driver::graph_exec_handle e = instantiate(inner);
    begin();
    launch(stream, put_call(0, 1));
    ANSWERS(cu.graph_launch(e, stream), status::stream_capture_unsupported);
    graph_handle g = nullptr;
    ANSWERS(cu.stream_end_capture(stream, &g), status::stream_capture_invalidated);
}

// An event of a capture stands for no work: whoever looks at it invalidates the capture.
BOOST_FIXTURE_TEST_CASE(looking_at_an_event_of_a_capture, capturing) {
    using entry = driver::status(HANABI_CUDAAPI*)(driver::event_handle);
    for (const entry look : {cu.event_query, cu.event_synchronize}) {
        const driver::event_handle e = make_event();
        begin();
        SUCCEEDS(cu.event_record(e, stream));
        ANSWERS(look(e), status::captured_event);
        ANSWERS(look(e), status::invalid_value);
        graph_handle g = nullptr;
        ANSWERS(cu.stream_end_capture(stream, &g), status::stream_capture_invalidated);
        ANSWERS(look(e), status::invalid_value);
        SUCCEEDS(cu.event_record(e, stream)); // recorded anew, it is an event as before
        SUCCEEDS(cu.event_synchronize(e));
        SUCCEEDS(cu.event_destroy(e));
    }
}

BOOST_FIXTURE_TEST_CASE(what_is_known_of_a_capture, capturing) {
    if (cu.stream_get_capture_info == nullptr) return;
    capture_status now{};
    SUCCEEDS(cu.stream_get_capture_info(stream, &now, nullptr, nullptr, nullptr, nullptr));
    BOOST_TEST((now == capture_status::none));
    begin();
    launch(stream, put_call(0, 1));
    std::uint64_t id = 0;
    graph_handle g = nullptr;
    const graph_node_handle* after = nullptr;
    std::size_t count = 0;
    SUCCEEDS(cu.stream_get_capture_info(stream, &now, &id, &g, &after, &count));
    BOOST_TEST((now == capture_status::active));
    BOOST_TEST(id != 0u);
    BOOST_REQUIRE(count == 1u);
    // A node made by hand, put into the stream's way.
    const graph_node_handle mine = add(g, fold_call(0, 4), {after[0]});
    graph_node_handle next = mine;
    SUCCEEDS(cu.stream_update_capture_dependencies(stream, &next, 1, driver::capture_dependencies_flags::set));
    launch(stream, fold_call(0, 5));
    BOOST_TEST(end() == g);
    BOOST_TEST(edges(g) == 2u);
    run(instantiate(g));
    BOOST_TEST(read_one(0) == (3u + 4) * 3 + 5);
    ANSWERS(cu.stream_update_capture_dependencies(stream, &next, 1, 0), status::illegal_state);
}

BOOST_FIXTURE_TEST_CASE(capture_into_a_graph, capturing) {
    if (cu.stream_begin_capture_to_graph == nullptr) return;
    const graph_handle g = make_graph();
    const graph_node_handle first = add(g, put_call(0, 1));
    SUCCEEDS(cu.stream_begin_capture_to_graph(stream, g, &first, nullptr, 1, capture_mode::thread_local_));
    launch(stream, fold_call(0, 1));
    graph_handle ended = nullptr;
    SUCCEEDS(cu.stream_end_capture(stream, &ended));
    BOOST_TEST(ended == g);
    run(instantiate(g));
    BOOST_TEST(read_one(0) == 4u);
}

BOOST_FIXTURE_TEST_CASE(programmatic_launches_give_programmatic_edges, capturing) {
    int major = 0;
    SUCCEEDS(cu.device_get_attribute(&major, driver::device_attribute::compute_capability_major, 0));
    if (cu.launch_kernel_ex == nullptr || cu.graph_get_edges_v2 == nullptr || major < 9) return;
    begin();
    launch(stream, put_call(0, 1));
    driver::launch_attribute a{};
    a.id = driver::launch_attribute_id::programmatic_stream_serialization;
    a.value.programmatic_stream_serialization_allowed = 1;
    const driver::launch_config config{1, 1, 1, 1, 1, 1, 0, stream, &a, 1};
    kernel_call call = put_call(1, 1);
    call.get();
    SUCCEEDS(cu.launch_kernel_ex(&config, put, call.pointers, nullptr));
    const graph_handle g = end();
    graph_node_handle from[2]{}, to[2]{};
    driver::graph_edge_data data[2]{};
    std::size_t count = 2;
    SUCCEEDS(cu.graph_get_edges_v2(g, from, to, data, &count));
    BOOST_REQUIRE(count == 1u);
    BOOST_TEST(data[0].from_port == driver::graph_kernel_port::programmatic);
    BOOST_TEST(data[0].type == 1);
    run(instantiate(g));
}

// From here on the host driver alone.

BOOST_FIXTURE_TEST_CASE(drivers_before_loads_in_captures, capturing) {
    HANABI_SKIP_ON_CUDA("an older driver");
    host::options old = host::current_options();
    old.driver_version = 12020;
    host::set_options(old);
    begin();
    driver::module_handle m = nullptr;
    ANSWERS(cu.module_load_data_ex(&m, graph_ptx, 0, nullptr, nullptr), status::stream_capture_unsupported);
    ends_broken();
}

BOOST_FIXTURE_TEST_CASE(what_other_threads_may, capturing) {
    HANABI_SKIP_ON_CUDA("threads that break captures");
    const auto elsewhere = [&](status expected) {
        std::thread{[&] {
            cu.ctx_set_current(context);
            driver::device_address address = 0;
            BOOST_TEST((cu.mem_alloc(&address, 16) == expected));
            if (expected == status::success) cu.mem_free(address);
            cu.ctx_set_current(nullptr);
        }}.join();
    };
    begin(capture_mode::thread_local_);
    elsewhere(status::success);
    end();
    begin(capture_mode::global);
    elsewhere(status::stream_capture_unsupported);
    ends_broken();
}

BOOST_FIXTURE_TEST_CASE(captures_that_are_left_open, capturing) {
    HANABI_SKIP_ON_CUDA("a context that is destroyed");
    begin();
    launch(stream, put_call(0, 1));
    ANSWERS(cu.stream_destroy(stream), status::stream_capture_unsupported);
    BOOST_TEST(host::balance().graphs == 1u); // the one that is being captured
    BOOST_TEST(host::device_reset(0));
    BOOST_TEST(host::balance().graphs == 0u);
    host::reset();
    streams.clear();
}
