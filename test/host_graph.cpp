// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Graphs, as a driver serves them. What is not about the host driver alone runs on the real one too, and shows that the host
// driver answers as that does.

#define BOOST_TEST_MODULE host_graph
#include <boost/test/unit_test.hpp>

#include "support/graphs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using driver::graph_edge_data;
using driver::graph_exec_handle;
using driver::graph_handle;
using driver::graph_node_handle;
using driver::graph_node_type;

BOOST_FIXTURE_TEST_CASE(a_graph_and_its_nodes, graph_driver) {
    ANSWERS(cu.graph_create(nullptr, 0), status::invalid_value);
    const graph_handle g = make_graph();
    // a, then b and c, then d: 1, *3+1 in each place, and the sum.
    const graph_node_handle a = add(g, put_call(0, 1)), a2 = add(g, put_call(1, 2));
    const graph_node_handle b = add(g, fold_call(0, 1), {a});
    const graph_node_handle c = add(g, fold_call(1, 1), {a2});
    const graph_node_handle d = add(g, {sum, at(2), at(0), at(1)}, {b, c});

    graph_node_type type{};
    SUCCEEDS(cu.graph_node_get_type(d, &type));
    BOOST_TEST((type == graph_node_type::kernel));
    std::size_t count = 0;
    SUCCEEDS(cu.graph_get_nodes(g, nullptr, &count));
    BOOST_TEST(count == 5u);
    std::vector<graph_node_handle> listed(7, a);
    count = listed.size();
    SUCCEEDS(cu.graph_get_nodes(g, listed.data(), &count));
    BOOST_TEST(count == 5u);
    BOOST_TEST((std::set<graph_node_handle>(listed.begin(), listed.begin() + 5) == std::set{a, a2, b, c, d}));
    BOOST_TEST(listed[5] == nullptr); // what is left over becomes null
    count = 1;
    SUCCEEDS(cu.graph_get_root_nodes(g, listed.data(), &count));
    BOOST_TEST(count == 1u); // no more than there is room for
    SUCCEEDS(cu.graph_get_root_nodes(g, nullptr, &count));
    BOOST_TEST(count == 2u);
    SUCCEEDS(cu.graph_get_edges(g, nullptr, nullptr, &count));
    BOOST_TEST(count == 4u);
    std::vector<graph_node_handle> from(4), to(4);
    SUCCEEDS(cu.graph_get_edges(g, from.data(), to.data(), &count));
    std::set<std::pair<graph_node_handle, graph_node_handle>> edges;
    for (std::size_t i = 0; i < 4; ++i) edges.emplace(from[i], to[i]);
    BOOST_TEST((edges == std::set<std::pair<graph_node_handle, graph_node_handle>>{{a, b}, {a2, c}, {b, d}, {c, d}}));
    count = 2;
    SUCCEEDS(cu.graph_node_get_dependencies(d, from.data(), &count));
    BOOST_TEST(count == 2u);
    BOOST_TEST((std::set<graph_node_handle>(from.begin(), from.begin() + 2) == std::set{b, c}));

    driver::kernel_node_params params{};
    SUCCEEDS(cu.graph_kernel_node_get_params(c, &params));
    BOOST_TEST(params.function == fold);
    BOOST_TEST(params.grid_x == 1u);
    BOOST_TEST(*static_cast<unsigned*>(params.parameters[1]) == 1u);
    ANSWERS(cu.graph_memset_node_get_params(c, nullptr), status::invalid_value);

    run(instantiate(g));
    BOOST_TEST(read_one(2) == 4u + 7u);
    SUCCEEDS(cu.graph_destroy_node(c)); // what was instantiated stays as it was
    run(executables.back());
    BOOST_TEST(read_one(2) == 11u);
    SUCCEEDS(cu.graph_get_edges(g, nullptr, nullptr, &count));
    BOOST_TEST(count == 2u);
}

BOOST_FIXTURE_TEST_CASE(arguments_are_copied_when_a_node_is_made, graph_driver) {
    const graph_handle g = make_graph();
    kernel_call call = put_call(0, 5);
    graph_node_handle n = nullptr;
    SUCCEEDS(cu.graph_add_kernel_node(&n, g, nullptr, 0, call.get()));
    call.storage[2] = 6;
    const graph_exec_handle e = instantiate(g);
    call.storage[2] = 7;
    run(e);
    BOOST_TEST(read_one(0) == 5u);
    // Setting the graph's node is for what is instantiated later.
    SUCCEEDS(cu.graph_kernel_node_set_params(n, call.get()));
    run(e);
    BOOST_TEST(read_one(0) == 5u);
    run(instantiate(g));
    BOOST_TEST(read_one(0) == 7u);
}

BOOST_FIXTURE_TEST_CASE(edges_that_are_refused, graph_driver) {
    const graph_handle g = make_graph(), other = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1)), b = add(g, put_call(1, 1)), far = empty(other);
    SUCCEEDS(cu.graph_add_dependencies(g, &a, &b, 1));
    ANSWERS(cu.graph_add_dependencies(g, &a, &b, 1), status::invalid_value); // there already
    ANSWERS(cu.graph_add_dependencies(g, &a, &a, 1), status::invalid_value);
    ANSWERS(cu.graph_add_dependencies(g, &a, &far, 1), status::invalid_value);
    SUCCEEDS(cu.graph_add_dependencies(g, nullptr, nullptr, 0));
    graph_node_handle n = nullptr;
    ANSWERS(cu.graph_add_empty_node(&n, g, &far, 1), status::invalid_value);
    const graph_node_handle twice[] = {a, a};
    ANSWERS(cu.graph_add_empty_node(&n, g, twice, 2), status::invalid_value);
    std::size_t count = 0;
    SUCCEEDS(cu.graph_get_nodes(g, nullptr, &count));
    BOOST_TEST(count == 2u); // a refused node leaves nothing behind

    // A cycle is found when the graph is instantiated.
    SUCCEEDS(cu.graph_add_dependencies(g, &b, &a, 1));
    graph_exec_handle e = nullptr;
    ANSWERS(cu.graph_instantiate_with_flags(&e, g, 0), status::invalid_value);
    driver::graph_instantiate_params params{};
    ANSWERS(cu.graph_instantiate_with_params(&e, g, &params), status::invalid_value);
    BOOST_TEST((params.result == driver::graph_instantiate_result::invalid_structure));
    BOOST_TEST(e == nullptr);
}

BOOST_FIXTURE_TEST_CASE(programmatic_edges_lead_from_kernel_to_kernel, graph_driver) {
    if (cu.graph_add_dependencies_v2 == nullptr) return;
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1)), b = add(g, fold_call(0, 1));
    driver::memset_node_params fill{at(4), 0, 9, 4, 2, 1};
    graph_node_handle f = nullptr;
    SUCCEEDS(cu.graph_add_memset_node(&f, g, nullptr, 0, &fill, context));
    graph_edge_data data{};
    data.from_port = driver::graph_kernel_port::programmatic;
    data.type = static_cast<unsigned char>(driver::graph_dependency_type::programmatic);
    ANSWERS(cu.graph_add_dependencies_v2(g, &f, &b, &data, 1), status::invalid_value);
    ANSWERS(cu.graph_add_dependencies_v2(g, &a, &f, &data, 1), status::invalid_value);
    SUCCEEDS(cu.graph_add_dependencies_v2(g, &a, &b, &data, 1));
    const graph_edge_data plain{};
    SUCCEEDS(cu.graph_add_dependencies_v2(g, &f, &b, &plain, 1));
    // Only calls that give the data can tell of such edges.
    graph_node_handle from[2]{}, to[2]{};
    graph_edge_data seen[2]{};
    std::size_t count = 2;
    ANSWERS(cu.graph_get_edges(g, from, to, &count), status::lossy_query);
    count = 2;
    ANSWERS(cu.graph_node_get_dependencies(b, from, &count), status::lossy_query);
    count = 2;
    SUCCEEDS(cu.graph_node_get_dependencies_v2(b, from, seen, &count));
    BOOST_TEST(count == 2u);
    const std::size_t of_a = from[0] == a ? 0 : 1;
    BOOST_TEST(from[of_a] == a);
    BOOST_TEST(seen[of_a].from_port == driver::graph_kernel_port::programmatic);
    BOOST_TEST(seen[1 - of_a].from_port == 0);
    SUCCEEDS(cu.graph_get_edges_v2(g, from, to, seen, &count));
    driver::graph_node_params params{};
    params.type = graph_node_type::empty;
    graph_node_handle n = nullptr;
    ANSWERS(cu.graph_add_node(&n, g, &a, &data, 1, &params), status::invalid_value);
    SUCCEEDS(cu.graph_add_node(&n, g, &a, nullptr, 1, &params));
    run(instantiate(g)); // a correct program, if b does not look before a is done: the kernels don't wait, so order is not asked for
    BOOST_TEST(read_one(4) == 9u);
}

BOOST_FIXTURE_TEST_CASE(every_kind_of_node_runs, graph_driver) {
    const graph_handle g = make_graph();
    std::uint32_t source[4] = {1, 2, 3, 4}, result[4] = {};
    driver::memcpy_3d in{};
    in.source_type = driver::memory_type::host, in.source_host = source;
    in.destination_type = driver::memory_type::device, in.destination_device = at(0);
    in.width_bytes = 16, in.height = 1, in.depth = 1;
    graph_node_handle copy = nullptr, fill = nullptr, call = nullptr, child = nullptr, out = nullptr;
    SUCCEEDS(cu.graph_add_memcpy_node(&copy, g, nullptr, 0, &in, context));
    driver::memset_node_params zero{at(3), 0, 0x01020304, 4, 1, 1};
    SUCCEEDS(cu.graph_add_memset_node(&fill, g, &copy, 1, &zero, context));
    const graph_node_handle folded = add(g, fold_call(0, 1), {fill});
    const graph_handle inner = make_graph();
    const graph_node_handle first = add(inner, fold_call(1, 5));
    add(inner, fold_call(1, 7), {first});
    SUCCEEDS(cu.graph_add_child_graph_node(&child, g, &folded, 1, inner));
    driver::memcpy_3d back = in;
    back.source_type = driver::memory_type::device, back.source_device = at(0);
    back.destination_type = driver::memory_type::host, back.destination_host = result;
    SUCCEEDS(cu.graph_add_memcpy_node(&out, g, &child, 1, &back, context));
    static std::uint32_t seen;
    seen = 0;
    const driver::host_node_params look{[](void* data) { seen = *static_cast<std::uint32_t*>(data); }, &result[0]};
    SUCCEEDS(cu.graph_add_host_node(&call, g, &out, 1, &look));
    run(instantiate(g));
    BOOST_TEST(result[0] == 4u);
    BOOST_TEST(result[1] == (2u * 3 + 5) * 3 + 7);
    BOOST_TEST(result[2] == 3u);
    BOOST_TEST(result[3] == 0x01020304u);
    BOOST_TEST(seen == 4u);

    // The child was cloned: its own nodes are elsewhere.
    graph_handle own = nullptr;
    SUCCEEDS(cu.graph_child_graph_node_get_graph(child, &own));
    BOOST_TEST(own != inner);
    std::size_t count = 0;
    SUCCEEDS(cu.graph_get_nodes(own, nullptr, &count));
    BOOST_TEST(count == 2u);

    // What is refused when it is made.
    graph_node_handle n = nullptr;
    driver::memcpy_3d none = in;
    none.width_bytes = 0;
    ANSWERS(cu.graph_add_memcpy_node(&n, g, nullptr, 0, &none, context), status::invalid_value);
    driver::memset_node_params bad = zero;
    bad.width = 0;
    ANSWERS(cu.graph_add_memset_node(&n, g, nullptr, 0, &bad, context), status::invalid_value);
    bad = zero, bad.element_size = 3;
    ANSWERS(cu.graph_add_memset_node(&n, g, nullptr, 0, &bad, context), status::invalid_value);
    kernel_call empty_grid = put_call(0, 0);
    empty_grid.params.grid_x = 0;
    ANSWERS(cu.graph_add_kernel_node(&n, g, nullptr, 0, empty_grid.get()), status::invalid_value);
    const driver::host_node_params nothing{};
    ANSWERS(cu.graph_add_host_node(&n, g, nullptr, 0, &nothing), status::invalid_value);
}

BOOST_FIXTURE_TEST_CASE(updates, graph_driver) {
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1)), b = add(g, fold_call(0, 1), {a});
    driver::memset_node_params fill{at(4), 0, 9, 4, 1, 1};
    graph_node_handle f = nullptr;
    SUCCEEDS(cu.graph_add_memset_node(&f, g, nullptr, 0, &fill, context));
    driver::memcpy_3d copy{};
    copy.source_type = copy.destination_type = driver::memory_type::device;
    copy.source_device = at(0), copy.destination_device = at(8);
    copy.width_bytes = 4, copy.height = copy.depth = 1;
    graph_node_handle m = nullptr;
    SUCCEEDS(cu.graph_add_memcpy_node(&m, g, &b, 1, &copy, context));
    const graph_exec_handle e = instantiate(g);
    run(e);
    BOOST_TEST(read_one(8) == 4u);

    // Another function, other arguments, another grid: for later launches only.
    kernel_call other = put_call(0, 2);
    SUCCEEDS(cu.graph_launch(e, stream));
    SUCCEEDS(cu.graph_exec_kernel_node_set_params(e, a, other.get()));
    SUCCEEDS(cu.stream_synchronize(stream));
    BOOST_TEST(read_one(8) == 4u);
    run(e);
    BOOST_TEST(read_one(8) == 7u);
    other = put_call(0, 3);
    SUCCEEDS(cu.graph_exec_kernel_node_set_params(e, b, other.get()));
    run(e);
    BOOST_TEST(read_one(8) == 3u);
    other.params.grid_x = 0;
    ANSWERS(cu.graph_exec_kernel_node_set_params(e, b, other.get()), status::invalid_value);
    run(e); // as it was
    BOOST_TEST(read_one(8) == 3u);

    fill.width = 2;
    SUCCEEDS(cu.graph_exec_memset_node_set_params(e, f, &fill, context));
    run(e);
    BOOST_TEST(read_one(5) == 9u);
    fill.width = 0;
    ANSWERS(cu.graph_exec_memset_node_set_params(e, f, &fill, context), status::invalid_value);
    copy.destination_device = at(9);
    SUCCEEDS(cu.graph_exec_memcpy_node_set_params(e, m, &copy, context));
    run(e);
    BOOST_TEST(read_one(9) == 3u);
    copy.width_bytes = 0;
    ANSWERS(cu.graph_exec_memcpy_node_set_params(e, m, &copy, context), status::invalid_value);
    copy.width_bytes = 4, copy.height = 2, copy.source_pitch = copy.destination_pitch = 8;
    ANSWERS(cu.graph_exec_memcpy_node_set_params(e, m, &copy, context), status::invalid_value);
    ANSWERS(cu.graph_exec_memset_node_set_params(e, a, &fill, context), status::invalid_value); // a kernel

    const graph_handle elsewhere = make_graph();
    const graph_node_handle stranger = add(elsewhere, put_call(0, 1));
    ANSWERS(cu.graph_exec_kernel_node_set_params(e, stranger, put_call(0, 1).get()), status::invalid_value);
}

BOOST_FIXTURE_TEST_CASE(whole_graphs_as_updates, graph_driver) {
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1));
    add(g, fold_call(0, 1), {a});
    const graph_exec_handle e = instantiate(g);
    const auto try_update = [&](graph_handle with, driver::graph_exec_update_result expected) {
        driver::graph_exec_update_result_info info{};
        const status s = cu.graph_exec_update(e, with, &info);
        BOOST_TEST((s == (expected == driver::graph_exec_update_result::success ? status::success : status::graph_exec_update_failure)));
        BOOST_TEST(static_cast<int>(info.result) == static_cast<int>(expected));
        return info;
    };
    const graph_handle same = make_graph();
    const graph_node_handle same_a = add(same, put_call(0, 2));
    add(same, fold_call(0, 5), {same_a});
    try_update(same, driver::graph_exec_update_result::success);
    run(e);
    BOOST_TEST(read_one(0) == 11u);

    const graph_handle longer = make_graph();
    const graph_node_handle l1 = add(longer, put_call(0, 1)), l2 = add(longer, fold_call(0, 1), {l1});
    add(longer, fold_call(0, 1), {l2});
    try_update(longer, driver::graph_exec_update_result::topology_changed);
    const graph_handle unordered = make_graph();
    add(unordered, put_call(0, 1));
    add(unordered, fold_call(0, 1));
    try_update(unordered, driver::graph_exec_update_result::topology_changed);
    const graph_handle kinds = make_graph();
    const graph_node_handle k = add(kinds, put_call(0, 1));
    empty(kinds, {k});
    try_update(kinds, driver::graph_exec_update_result::node_type_changed);
    run(e); // nothing of a refused update was taken over
    BOOST_TEST(read_one(0) == 11u);
}

BOOST_FIXTURE_TEST_CASE(nodes_switched_off, graph_driver) {
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1)), b = add(g, fold_call(0, 1), {a}), c = add(g, fold_call(0, 2), {b});
    const graph_node_handle nothing = empty(g, {c});
    const graph_exec_handle e = instantiate(g);
    unsigned enabled = 7;
    SUCCEEDS(cu.graph_node_get_enabled(e, b, &enabled));
    BOOST_TEST(enabled == 1u);
    SUCCEEDS(cu.graph_node_set_enabled(e, b, 0));
    SUCCEEDS(cu.graph_node_get_enabled(e, b, &enabled));
    BOOST_TEST(enabled == 0u);
    run(e);
    BOOST_TEST(read_one(0) == 5u);
    kernel_call other = fold_call(0, 4); // updates reach it while it is off, and do not turn it on
    SUCCEEDS(cu.graph_exec_kernel_node_set_params(e, b, other.get()));
    run(e);
    BOOST_TEST(read_one(0) == 5u);
    SUCCEEDS(cu.graph_node_set_enabled(e, b, 1));
    run(e);
    BOOST_TEST(read_one(0) == (3u + 4) * 3 + 2);
    ANSWERS(cu.graph_node_set_enabled(e, nothing, 0), status::invalid_value);
}

BOOST_FIXTURE_TEST_CASE(clones, graph_driver) {
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1));
    const graph_node_handle b = add(g, fold_call(0, 1), {a});
    graph_handle copy = nullptr;
    SUCCEEDS(cu.graph_clone(&copy, g));
    keep(copy);
    graph_node_handle twin = nullptr;
    SUCCEEDS(cu.graph_node_find_in_clone(&twin, b, copy));
    BOOST_TEST(twin != b);
    ANSWERS(cu.graph_node_find_in_clone(&twin, twin, copy), status::invalid_value);
    SUCCEEDS(cu.graph_node_find_in_clone(&twin, b, copy));
    SUCCEEDS(cu.graph_kernel_node_set_params(twin, fold_call(0, 9).get()));
    run(instantiate(copy));
    BOOST_TEST(read_one(0) == 12u);
    run(instantiate(g));
    BOOST_TEST(read_one(0) == 4u);
}

BOOST_FIXTURE_TEST_CASE(launches_of_one_executable_graph_do_not_overlap, graph_driver) {
    const graph_handle g = make_graph();
    graph_node_handle last = add(g, fold_call(0, 1));
    for (int i = 0; i < 20; ++i) last = add(g, fold_call(0, 1), {last});
    const graph_exec_handle e = instantiate(g);
    const driver::stream_handle second = make_stream();
    std::uint32_t expected = 0;
    for (int i = 0; i < 4; ++i) {
        SUCCEEDS(cu.graph_launch(e, i % 2 == 0 ? stream : second));
        for (int k = 0; k < 21; ++k) expected = expected * 3 + 1;
    }
    SUCCEEDS(cu.stream_synchronize(second));
    BOOST_TEST(read_one(0) == expected);
}

BOOST_FIXTURE_TEST_CASE(what_is_destroyed_while_it_runs_goes_on, graph_driver) {
    graph_handle g = nullptr;
    SUCCEEDS(cu.graph_create(&g, 0));
    graph_node_handle last = add(g, put_call(0, 1));
    for (int i = 0; i < 50; ++i) last = add(g, fold_call(0, 1), {last});
    graph_exec_handle e = nullptr;
    SUCCEEDS(cu.graph_instantiate_with_flags(&e, g, 0));
    if (cu.graph_upload != nullptr) SUCCEEDS(cu.graph_upload(e, stream));
    SUCCEEDS(cu.graph_destroy(g)); // an executable graph needs its graph for updates only
    SUCCEEDS(cu.graph_launch(e, stream));
    SUCCEEDS(cu.graph_exec_destroy(e));
    std::uint32_t expected = 1;
    for (int i = 0; i < 50; ++i) expected = expected * 3 + 1;
    BOOST_TEST(read_one(0) == expected);
}

BOOST_FIXTURE_TEST_CASE(events_in_graphs, graph_driver) {
    const driver::event_handle recorded = make_event(), other = make_event();
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1));
    graph_node_handle record = nullptr;
    SUCCEEDS(cu.graph_add_event_record_node(&record, g, &a, 1, recorded));
    const graph_exec_handle e = instantiate(g);
    driver::event_handle event = nullptr;
    SUCCEEDS(cu.graph_event_record_node_get_event(record, &event));
    BOOST_TEST(event == recorded);
    ANSWERS(cu.graph_event_wait_node_get_event(record, &event), status::invalid_value);
    SUCCEEDS(cu.graph_launch(e, stream));
    const driver::stream_handle second = make_stream();
    SUCCEEDS(cu.stream_wait_event(second, recorded, 0)); // after a, whatever else the graph does
    launch(second, fold_call(0, 1));
    SUCCEEDS(cu.stream_synchronize(second));
    BOOST_TEST(read_one(0) == 4u);
    SUCCEEDS(cu.graph_exec_event_record_node_set_event(e, record, other));
    run(e);
    SUCCEEDS(cu.event_query(other));

    // A graph that waits for what a stream recorded.
    const graph_handle waiting = make_graph();
    graph_node_handle wait = nullptr;
    SUCCEEDS(cu.graph_add_event_wait_node(&wait, waiting, nullptr, 0, recorded));
    add(waiting, fold_call(0, 2), {wait});
    const graph_exec_handle w = instantiate(waiting);
    launch(second, put_call(0, 10));
    SUCCEEDS(cu.event_record(recorded, second));
    run(w);
    BOOST_TEST(read_one(0) == 32u);
    SUCCEEDS(cu.event_destroy(recorded));
    SUCCEEDS(cu.event_destroy(other));
}

BOOST_FIXTURE_TEST_CASE(attributes_of_nodes, graph_driver) {
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1)), b = add(g, put_call(1, 1));
    driver::launch_attribute_value value{};
    value.cooperative = 1;
    SUCCEEDS(cu.graph_kernel_node_set_attribute(a, driver::launch_attribute_id::cooperative, &value));
    value = {};
    SUCCEEDS(cu.graph_kernel_node_get_attribute(a, driver::launch_attribute_id::cooperative, &value));
    BOOST_TEST(value.cooperative == 1);
    SUCCEEDS(cu.graph_kernel_node_get_attribute(b, driver::launch_attribute_id::cooperative, &value));
    BOOST_TEST(value.cooperative == 0);
    SUCCEEDS(cu.graph_kernel_node_copy_attributes(b, a));
    SUCCEEDS(cu.graph_kernel_node_get_attribute(b, driver::launch_attribute_id::cooperative, &value));
    BOOST_TEST(value.cooperative == 1);
    run(instantiate(g));
    BOOST_TEST(read_one(1) == 1u);
}

// A kernel for clusters of two blocks: its grid is checked in updates too.
BOOST_FIXTURE_TEST_CASE(clusters_in_updates, graph_driver) {
    int major = 0;
    SUCCEEDS(cu.device_get_attribute(&major, driver::device_attribute::compute_capability_major, 0));
    if (major < 9) return;
    const driver::module_handle m = load(".version 7.8\n.target sm_90\n.address_size 64\n"
                                         ".visible .entry pair(.param .u64 p, .param .u32 i, .param .u32 v) .reqnctapercluster 2, 1, 1\n"
                                         "{ ret; }\n");
    if (on_host())
        host::define(graph_kernel<"pair", void(std::uint32_t*, unsigned, unsigned)>{},
                     [](host::thread, std::uint32_t*, unsigned, unsigned) {});
    {
        const driver::function_handle pair = find("pair", m);
        const graph_handle g = make_graph();
        const graph_node_handle a = add(g, put_call(0, 1));
        const graph_exec_handle e = instantiate(g);
        kernel_call call{pair, memory, 0, 0};
        call.params.grid_x = 3;
        ANSWERS(cu.graph_exec_kernel_node_set_params(e, a, call.get()), status::invalid_cluster_size);
        call.params.grid_x = 4;
        SUCCEEDS(cu.graph_exec_kernel_node_set_params(e, a, call.get()));
        run(e);
    }
    SUCCEEDS(cu.module_unload(m));
}

BOOST_FIXTURE_TEST_CASE(dot, graph_driver) {
    if (cu.graph_debug_dot_print == nullptr) return;
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(0, 1));
    add(g, fold_call(0, 1), {a});
    const auto file =
        std::filesystem::temp_directory_path() / ("hanabi_graph_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".dot");
    SUCCEEDS(cu.graph_debug_dot_print(g, file.string().c_str(), driver::graph_debug_dot_flags::verbose));
    std::stringstream text;
    text << std::ifstream{file}.rdbuf();
    std::filesystem::remove(file);
    BOOST_TEST(text.str().find("digraph") != std::string::npos);
    BOOST_TEST(text.str().find("fold") != std::string::npos);
    BOOST_TEST(text.str().find("->") != std::string::npos);
}

// Each is kept until the last graph that has it is done with it.
BOOST_FIXTURE_TEST_CASE(user_objects, graph_driver) {
    if (cu.user_object_create == nullptr) return;
    static std::atomic<int> gone;
    gone = 0;
    const auto end = [](void* data) {
        static_cast<std::atomic<int>*>(data)->fetch_add(1);
        static_cast<std::atomic<int>*>(data)->notify_all();
    };
    driver::user_object_handle object = nullptr;
    ANSWERS(cu.user_object_create(&object, &gone, end, 1, 0), status::invalid_value); // the flag must be given
    SUCCEEDS(cu.user_object_create(&object, &gone, end, 1, driver::user_object_no_destructor_sync));
    graph_handle g = nullptr;
    SUCCEEDS(cu.graph_create(&g, 0));
    add(g, put_call(0, 1));
    SUCCEEDS(cu.graph_retain_user_object(g, object, 1, driver::graph_user_object_move));
    graph_exec_handle e = nullptr;
    SUCCEEDS(cu.graph_instantiate_with_flags(&e, g, 0));
    SUCCEEDS(cu.graph_destroy(g));
    run(e);
    BOOST_TEST(gone == 0);
    SUCCEEDS(cu.graph_exec_destroy(e));
    gone.wait(0);
    BOOST_TEST(gone == 1);
}

// From here on the host driver alone.

BOOST_FIXTURE_TEST_CASE(branches_run_together, graph_driver) {
    HANABI_SKIP_ON_CUDA("kernels that wait for each other");
    host::define(graph_kernel<"put", void(std::uint32_t*, unsigned, unsigned)>{}, [](host::thread, std::uint32_t* p, unsigned i, unsigned) {
        std::atomic_ref<std::uint32_t> mine{p[i]}, other{p[1 - i]};
        mine = 1;
        mine.notify_all();
        other.wait(0);
    });
    const graph_handle g = make_graph();
    add(g, put_call(0, 1));
    add(g, put_call(1, 1));
    run(instantiate(g));
    BOOST_TEST(read_one(1) == 1u);
}

BOOST_FIXTURE_TEST_CASE(launches_of_graphs_are_recorded, graph_driver) {
    HANABI_SKIP_ON_CUDA("records of launches");
    const graph_handle g = make_graph();
    const graph_node_handle a = add(g, put_call(3, 1));
    host::clear_launches();
    const graph_exec_handle e = instantiate(g);
    run(e);
    run(e);
    launch(stream, put_call(0, 0));
    const auto all = host::launches();
    BOOST_REQUIRE(all.size() == 3u);
    BOOST_TEST(all[0].symbol == "put");
    BOOST_TEST(all[0].graph_node == a);
    BOOST_TEST(all[0].graph_launch == 1u);
    BOOST_TEST(all[1].graph_launch == 2u);
    BOOST_TEST(all[1].argument<unsigned>(1).value() == 3u);
    BOOST_TEST(all[0].stream == stream);
    BOOST_TEST(all[2].graph_node == nullptr);
    BOOST_TEST(all[2].graph_launch == 0u);
}

BOOST_FIXTURE_TEST_CASE(what_is_gone_when_a_graph_runs, graph_driver) {
    HANABI_SKIP_ON_CUDA("what a real driver does not look at");
    const driver::module_handle m = load(graph_ptx);
    const graph_handle g = make_graph();
    add(g, {find("put", m), memory, 0, 1});
    const graph_exec_handle e = instantiate(g);
    SUCCEEDS(cu.module_unload(m));
    ANSWERS(cu.graph_launch(e, stream), status::invalid_handle);
    graph_exec_handle again = nullptr;
    ANSWERS(cu.graph_instantiate_with_flags(&again, g, 0), status::invalid_value);
    // Memory that was freed: as an illegal address of a kernel, which ends the context.
    driver::device_address freed = 0;
    SUCCEEDS(cu.mem_alloc(&freed, 16));
    const graph_handle h = make_graph();
    add(h, {put, freed, 0, 1});
    const graph_exec_handle f = instantiate(h);
    SUCCEEDS(cu.mem_free(freed));
    SUCCEEDS(cu.graph_launch(f, stream));
    ANSWERS(cu.stream_synchronize(stream), status::illegal_address);
    ANSWERS(cu.graph_launch(f, stream), status::illegal_address);
    executables.clear();
    graphs.clear();
    host::reset();
}

BOOST_FIXTURE_TEST_CASE(leaks_and_handles, graph_driver) {
    HANABI_SKIP_ON_CUDA("counts of live objects");
    const host::balance_sheet before = host::balance();
    graph_handle g = nullptr;
    SUCCEEDS(cu.graph_create(&g, 0));
    const graph_node_handle n = add(g, put_call(0, 1));
    graph_exec_handle e = nullptr;
    SUCCEEDS(cu.graph_instantiate_with_flags(&e, g, 0));
    BOOST_TEST(host::balance().graphs == before.graphs + 1);
    BOOST_TEST(host::balance().executables == before.executables + 1);
    std::string kinds;
    for (const host::leak& l : host::leaks()) kinds += l.kind + ";";
    BOOST_TEST(kinds.find("executable graph;") != std::string::npos);
    SUCCEEDS(cu.graph_exec_destroy(e));
    SUCCEEDS(cu.graph_destroy(g));
    BOOST_TEST((host::balance() == before));
    // Stale handles are told from wrong ones.
    ANSWERS(cu.graph_destroy(g), status::invalid_value);
    ANSWERS(cu.graph_launch(e, stream), status::invalid_value);
    graph_node_type type{};
    ANSWERS(cu.graph_node_get_type(n, &type), status::invalid_value);
    ANSWERS(cu.graph_launch(reinterpret_cast<graph_exec_handle>(g), stream), status::invalid_value);
}

BOOST_FIXTURE_TEST_CASE(every_entry_fails_on_order, graph_driver) {
    HANABI_SKIP_ON_CUDA("orders to fail");
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    {                                                                                                                                      \
        host::fail(driver::entry::member, status::contained);                                                                              \
        const auto call = []<class... P>(status(HANABI_CUDAAPI* f)(P...)) { return f(P{}...); };                                           \
        BOOST_TEST(call(cu.member) == status::contained, name);                                                                            \
    }
    HANABI_DRIVER_GRAPH_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    // And null for everything is refused, not followed.
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    {                                                                                                                                      \
        const auto call = []<class... P>(status(HANABI_CUDAAPI* f)(P...)) { return f(P{}...); };                                           \
        if (driver::entry::member != driver::entry::graph_launch) BOOST_TEST(call(cu.member) != status::success, name);                    \
    }
    HANABI_DRIVER_GRAPH_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
}

BOOST_FIXTURE_TEST_CASE(conditional_nodes, graph_driver) {
    HANABI_SKIP_ON_CUDA("needs device code that sets a condition");
    // p[i] counts down to zero, and the loop with it.
    host::define(graph_kernel<"sum", void(std::uint32_t*, std::uint64_t, std::uint64_t)>{},
                 [](host::thread, std::uint32_t* p, std::uint64_t handle, std::uint64_t) { host::set_conditional(handle, --*p); });
    const graph_handle g = make_graph();
    driver::graph_conditional_handle handle = 0;
    SUCCEEDS(cu.graph_conditional_handle_create(&handle, g, context, 1, driver::graph_conditional_assign_default));
    graph_exec_handle e = nullptr;
    ANSWERS(cu.graph_instantiate_with_flags(&e, g, 0), status::invalid_value); // the handle has no node
    const graph_node_handle start = add(g, put_call(0, 5));
    driver::graph_node_params params{};
    params.type = graph_node_type::conditional;
    params.conditional = {handle, driver::graph_conditional_type::while_, 1, nullptr, context};
    graph_node_handle loop = nullptr, again = nullptr;
    SUCCEEDS(cu.graph_add_node(&loop, g, &start, nullptr, 1, &params));
    BOOST_REQUIRE(params.conditional.bodies != nullptr);
    const graph_handle body = params.conditional.bodies[0];
    const graph_node_handle work = add(body, fold_call(1, 1));
    add(body, {sum, memory, handle, 0}, {work});
    add(g, put_call(2, 77), {loop});                                                            // after the loop
    ANSWERS(cu.graph_add_node(&again, g, nullptr, nullptr, 0, &params), status::invalid_value); // one node a handle
    ANSWERS(cu.graph_destroy(body), status::invalid_value);
    e = instantiate(g);
    ANSWERS(cu.graph_instantiate_with_flags(&e, g, 0), status::invalid_value); // one executable graph at a time
    e = executables.back();
    graph_handle copy = nullptr;
    BOOST_TEST((cu.graph_clone(&copy, g) != status::success));
    for (int i = 0; i < 2; ++i) {
        run(e);
        const auto now = read(3);
        BOOST_TEST(now[0] == 0u);
        BOOST_TEST(now[2] == 77u);
        std::uint32_t expected = 0;
        for (int k = 0; k < 5 * (i + 1); ++k) expected = expected * 3 + 1;
        BOOST_TEST(now[1] == expected);
    }

    // If, with two bodies; its value stays from launch to launch where there is no default.
    const graph_handle h = make_graph();
    SUCCEEDS(cu.graph_conditional_handle_create(&handle, h, context, 0, 0));
    const graph_node_handle set = add(h, {sum, memory, handle, 0});
    params = {};
    params.type = graph_node_type::conditional;
    params.conditional = {handle, driver::graph_conditional_type::if_, 2, nullptr, context};
    SUCCEEDS(cu.graph_add_node(&loop, h, &set, nullptr, 1, &params));
    add(params.conditional.bodies[0], put_call(4, 1));
    add(params.conditional.bodies[1], put_call(4, 2));
    const graph_exec_handle i = instantiate(h);
    launch(stream, put_call(0, 2));
    run(i);
    BOOST_TEST(read_one(4) == 1u); // 1 is true
    run(i);
    BOOST_TEST(read_one(4) == 2u); // 0 is not

    // What a body may not hold.
    const driver::host_node_params nothing{[](void*) {}, nullptr};
    SUCCEEDS(cu.graph_add_host_node(&again, params.conditional.bodies[0], nullptr, 0, &nothing));
    SUCCEEDS(cu.graph_exec_destroy(i));
    std::erase(executables, i);
    ANSWERS(cu.graph_instantiate_with_flags(&e, h, 0), status::not_supported);

    // Drivers before 12.4 have none.
    host::options old = host::current_options();
    old.driver_version = 12030;
    host::set_options(old);
    ANSWERS(cu.graph_conditional_handle_create(&handle, h, context, 0, 0), status::not_supported);
    BOOST_TEST(host::table_of_version(12020).graph_add_node == nullptr);
    BOOST_TEST(host::table_of_version(12020).graph_add_kernel_node == cu.graph_add_kernel_node);
}

// What a program should not do, and what comes of it.
BOOST_FIXTURE_TEST_CASE(hostile_sequences, graph_driver) {
    HANABI_SKIP_ON_CUDA("what a real driver may not survive");
    graph_node_handle n = nullptr;
    graph_exec_handle e = nullptr, f = nullptr;
    // Nothing in a graph, launched and updated.
    const graph_handle none = make_graph();
    const graph_exec_handle idle = instantiate(none);
    run(idle);
    driver::graph_exec_update_result_info info{};
    SUCCEEDS(cu.graph_exec_update(idle, make_graph(), &info));
    ANSWERS(cu.graph_exec_update(idle, none, nullptr), status::invalid_value);
    ANSWERS(cu.graph_instantiate_with_flags(&e, none, 16), status::invalid_value);
    ANSWERS(cu.graph_instantiate_with_flags(&e, none, driver::graph_instantiate_flags::upload), status::invalid_value);
    ANSWERS(cu.graph_instantiate_with_flags(&e, none, driver::graph_instantiate_flags::device_launch), status::not_supported);
    driver::graph_instantiate_params params{};
    params.flags = driver::graph_instantiate_flags::upload;
    params.upload_stream = stream;
    SUCCEEDS(cu.graph_instantiate_with_params(&e, none, &params));
    SUCCEEDS(cu.graph_exec_destroy(e));
    ANSWERS(cu.graph_exec_destroy(e), status::invalid_value);
    ANSWERS(cu.graph_launch(e, stream), status::invalid_value);

    // A graph inside itself, and inside what it is inside of.
    const graph_handle g = make_graph();
    ANSWERS(cu.graph_add_child_graph_node(&n, g, nullptr, 0, g), status::invalid_value);
    const graph_handle h = make_graph();
    add(h, fold_call(0, 1));
    SUCCEEDS(cu.graph_add_child_graph_node(&n, g, nullptr, 0, h));
    graph_handle child = nullptr;
    SUCCEEDS(cu.graph_child_graph_node_get_graph(n, &child));
    ANSWERS(cu.graph_destroy(child), status::invalid_value);
    ANSWERS(cu.graph_instantiate_with_flags(&e, child, 0), status::invalid_value);
    std::size_t count = 1;
    graph_node_handle inside = nullptr, again = nullptr;
    SUCCEEDS(cu.graph_get_nodes(child, &inside, &count));
    SUCCEEDS(cu.graph_add_child_graph_node(&again, child, &inside, 1, g)); // a copy of what it was
    run(instantiate(g));
    BOOST_TEST(read_one(0) == 4u); // twice: 0, 1, 4
    // Nodes of children are updated through their own handles.
    SUCCEEDS(cu.graph_exec_kernel_node_set_params(executables.back(), inside, put_call(3, 9).get()));
    run(executables.back());
    BOOST_TEST(read_one(3) == 9u);
    SUCCEEDS(cu.graph_destroy_node(n)); // with all that is inside
    graph_node_type type{};
    ANSWERS(cu.graph_node_get_type(inside, &type), status::invalid_value);
    ANSWERS(cu.graph_node_get_type(again, &type), status::invalid_value);
    run(executables.back());

    // Handles of one kind for those of another.
    ANSWERS(cu.graph_destroy(reinterpret_cast<graph_handle>(stream)), status::invalid_value);
    ANSWERS(cu.graph_destroy_node(reinterpret_cast<graph_node_handle>(g)), status::invalid_value);
    ANSWERS(cu.stream_synchronize(reinterpret_cast<driver::stream_handle>(g)), status::invalid_handle);

    // Numbers that would overflow.
    driver::memcpy_3d copy{};
    copy.source_type = copy.destination_type = driver::memory_type::device;
    copy.source_device = at(0), copy.destination_device = at(8);
    copy.width_bytes = 4, copy.height = std::size_t{1} << 62, copy.depth = 4;
    copy.source_pitch = copy.destination_pitch = 4, copy.source_height = copy.destination_height = copy.height;
    ANSWERS(cu.graph_add_memcpy_node(&n, g, nullptr, 0, &copy, context), status::invalid_value);
    copy.height = copy.depth = 1, copy.width_bytes = ~std::size_t{0};
    ANSWERS(cu.graph_add_memcpy_node(&n, g, nullptr, 0, &copy, context), status::invalid_value);
    copy.width_bytes = 4, copy.source_y = ~std::size_t{0};
    ANSWERS(cu.graph_add_memcpy_node(&n, g, nullptr, 0, &copy, context), status::invalid_value);
    copy.source_y = 0, copy.source_type = driver::memory_type::host, copy.source_host = reinterpret_cast<void*>(memory);
    ANSWERS(cu.graph_add_memcpy_node(&n, g, nullptr, 0, &copy, context), status::invalid_value); // device memory as the host's
    driver::memset_node_params fill{at(0), 0, 1, 4, 1, 2};                                       // two rows and no pitch
    ANSWERS(cu.graph_add_memset_node(&n, g, nullptr, 0, &fill, context), status::invalid_value);
    fill = {at(0), 4, 1, 4, ~std::size_t{0}, 1};
    ANSWERS(cu.graph_add_memset_node(&n, g, nullptr, 0, &fill, context), status::invalid_value);
    fill = {at(63), 0, 1, 4, 2, 1};
    ANSWERS(cu.graph_add_memset_node(&n, g, nullptr, 0, &fill, context), status::invalid_value); // past the end

    // A graph in capture is nobody else's.
    SUCCEEDS(cu.stream_begin_capture(stream, driver::capture_mode::relaxed));
    driver::capture_status state{};
    graph_handle captured = nullptr;
    SUCCEEDS(cu.stream_get_capture_info(stream, &state, nullptr, &captured, nullptr, nullptr));
    ANSWERS(cu.graph_destroy(captured), status::invalid_value);
    ANSWERS(cu.graph_instantiate_with_flags(&f, captured, 0), status::invalid_value);
    ANSWERS(cu.graph_add_child_graph_node(&n, g, nullptr, 0, captured), status::invalid_value);
    launch(stream, put_call(0, 1));
    count = 1;
    SUCCEEDS(cu.graph_get_nodes(captured, &n, &count));
    SUCCEEDS(cu.graph_destroy_node(n)); // under the capture's feet
    launch(stream, put_call(0, 2));
    SUCCEEDS(cu.stream_end_capture(stream, &captured));
    keep(captured);
    SUCCEEDS(cu.graph_get_root_nodes(captured, nullptr, &count));
    BOOST_TEST(count == 1u);

    // The body of a conditional node, captured to while the node goes; and a loop without end.
    const graph_handle loop = make_graph();
    driver::graph_conditional_handle handle = 0;
    SUCCEEDS(cu.graph_conditional_handle_create(&handle, loop, context, 1, driver::graph_conditional_assign_default));
    driver::graph_node_params node{};
    node.type = graph_node_type::conditional;
    node.conditional = {handle, driver::graph_conditional_type::while_, 1, nullptr, context};
    SUCCEEDS(cu.graph_add_node(&n, loop, nullptr, nullptr, 0, &node));
    SUCCEEDS(cu.stream_begin_capture_to_graph(stream, node.conditional.bodies[0], nullptr, nullptr, 0, driver::capture_mode::relaxed));
    SUCCEEDS(cu.graph_destroy_node(n));
    ANSWERS(cu.stream_end_capture(stream, &captured), status::stream_capture_invalidated);
    const graph_handle endless = make_graph();
    SUCCEEDS(cu.graph_conditional_handle_create(&handle, endless, context, 1, driver::graph_conditional_assign_default));
    node.conditional = {handle, driver::graph_conditional_type::while_, 1, nullptr, context};
    SUCCEEDS(cu.graph_add_node(&n, endless, nullptr, nullptr, 0, &node));
    SUCCEEDS(cu.graph_launch(instantiate(endless), stream));
    add(h, put_call(0, 0));
    const std::size_t lost = host::balance().lost_with_context;
    BOOST_TEST(host::device_reset(0));                    // ends it
    BOOST_TEST(host::balance().lost_with_context > lost); // graphs with work in the context, among others
    ANSWERS(cu.graph_destroy(h), status::context_is_destroyed);
    SUCCEEDS(cu.graph_destroy(none)); // has none
    ANSWERS(cu.graph_launch(idle, stream), status::context_is_destroyed);
    executables.clear();
    graphs.clear();
    streams.clear();
    host::reset();
}

// Objects of different threads are independent of each other.
BOOST_FIXTURE_TEST_CASE(threads, graph_driver) {
    HANABI_SKIP_ON_CUDA("much driver work for nothing new");
    std::vector<std::thread> all;
    std::vector<driver::stream_handle> own;
    int good_calls[4] = {};
    for (int t = 0; t < 4; ++t) own.push_back(make_stream());
    for (unsigned t = 0; t < 4; ++t)
        all.emplace_back([&, t] {
            cu.ctx_set_current(context);
            int& good = good_calls[t];
            for (unsigned i = 0; i < 25; ++i) {
                graph_handle g = nullptr;
                graph_exec_handle e = nullptr;
                cu.stream_begin_capture(own[t], driver::capture_mode::thread_local_);
                launch(own[t], put_call(t, i));
                launch(own[t], fold_call(t, 1));
                good += cu.stream_end_capture(own[t], &g) == status::success;
                good += cu.graph_instantiate_with_flags(&e, g, 0) == status::success;
                good += cu.graph_launch(e, own[t]) == status::success;
                std::size_t count = 2;
                graph_node_handle both[2] = {};
                cu.graph_get_nodes(g, both, &count);
                good += cu.graph_exec_kernel_node_set_params(e, both[1], fold_call(t, 2).get()) == status::success;
                good += cu.graph_launch(e, own[t]) == status::success;
                cu.graph_exec_destroy(e);
                cu.graph_destroy(g);
            }
            cu.stream_synchronize(own[t]);
            cu.ctx_set_current(nullptr);
        });
    for (std::thread& one : all) one.join();
    for (const int good : good_calls) BOOST_TEST(good == 25 * 5);
    for (std::size_t t = 0; t < 4; ++t) BOOST_TEST(read_one(t) == 24u * 3 + 2);
}

BOOST_FIXTURE_TEST_CASE(large_graphs, graph_driver) {
    const graph_handle g = make_graph();
    graph_node_handle n = nullptr;
    std::vector<graph_node_handle> all;
    const graph_node_handle first = empty(g);
    for (unsigned i = 0; i < 4000; ++i) all.push_back(add(g, fold_call(i % 64, 1), {i < 64 ? first : all[i - 64]}));
    SUCCEEDS(cu.graph_add_empty_node(&n, g, all.data(), all.size()));
    const graph_exec_handle e = instantiate(g);
    run(e);
    std::uint32_t expected = 0;
    for (int i = 0; i < 62; ++i) expected = expected * 3 + 1;
    BOOST_TEST(read_one(63) == expected);
}
