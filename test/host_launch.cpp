// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Launches on the host driver: bodies, what is refused and why, what is recorded, what a faulty body leads to.

#define BOOST_TEST_MODULE host_launch
#include <boost/test/unit_test.hpp>

#include "support/host_driver.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using hanabi::driver::function_attribute;
using hanabi::driver::launch_attribute;
using hanabi::driver::launch_attribute_id;
using hanabi::driver::launch_config;

namespace {

constexpr const char* ptx = R"(
.version 9.0
.target sm_90
.address_size 64
.const .align 4 .f32 factor = 0f40000000;
.visible .entry axpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
.visible .entry sum(.param .u64 in, .param .u64 out, .param .u32 n) { ret; }
.visible .entry touch(.param .u64 p) { ret; }
.visible .entry none() { ret; }
.visible .entry packed(.param .u64 p, .param .u16 s) { ret; }
.visible .entry big(.param .align 64 .b8 map[128], .param .u8 c) { ret; }
.visible .entry bounded() .maxntid 128 { ret; }
.visible .entry exact() .reqntid 8, 4, 1 { ret; }
.visible .entry with_static() { .shared .align 4 .b8 tile[512]; ret; }
.visible .entry pairs() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; } // as nvcc writes __cluster_dims__(2)
.visible .entry open_pairs() .explicitcluster { ret; }
.visible .entry in_clusters() .blocksareclusters .reqnctapercluster 2, 1, 1 .reqntid 1, 1, 1 { ret; }
.visible .entry hidden(.param .u64 p, .param .u64 scratch) { ret; }
)";

constexpr described<"m", "axpy", void(float, const float*, float*, int)> axpy;
constexpr described<"m", "sum", void(const int*, int*, int)> sum;
constexpr described<"m", "touch", void(int*)> touch;
constexpr described<"m", "none", void()> none;

/// A module, and a launch of one of its kernels with the grid and block given.
struct launching : fresh_driver {
    using fresh_driver::fresh_driver;
    module_handle module = load(ptx);

    template <class... P>
    status run(const char* name, host::extent grid, host::extent block, unsigned shared, P... arguments) {
        void* pointers[sizeof...(P) + 1] = {&arguments..., nullptr};
        return cu.launch_kernel(find(module, name), grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr, pointers, nullptr);
    }
    template <class... P>
    status run_with(const char* name, host::extent grid, host::extent block, std::vector<launch_attribute> attributes, P... arguments) {
        void* pointers[sizeof...(P) + 1] = {&arguments..., nullptr};
        const launch_config config{grid.x,  grid.y, grid.z,  block.x,           block.y,
                                   block.z, 0,      nullptr, attributes.data(), static_cast<unsigned>(attributes.size())};
        return cu.launch_kernel_ex(&config, find(module, name), pointers, nullptr);
    }
};

launch_attribute attribute(launch_attribute_id id) {
    launch_attribute a;
    std::memset(&a, 0, sizeof a);
    a.id = id;
    return a;
}
launch_attribute cluster(unsigned x, unsigned y = 1, unsigned z = 1) {
    launch_attribute a = attribute(launch_attribute_id::cluster_dimension);
    a.value.cluster_dim = {x, y, z};
    return a;
}
launch_attribute cooperative() {
    launch_attribute a = attribute(launch_attribute_id::cooperative);
    a.value.cooperative = 1;
    return a;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_body_per_thread, launching) {
    host::define(axpy, [](host::thread t, float alpha, const float* x, float* y, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] += alpha * x[i];
    });
    const int n = 10000;
    std::vector<float> x(n), y(n, 1.0f), out(n);
    std::iota(x.begin(), x.end(), 0.0f);
    const device_address dx = allocate(n * 4), dy = allocate(n * 4);
    CHECK_OK(cu.memcpy_htod_async(dx, x.data(), n * 4, nullptr));
    CHECK_OK(cu.memcpy_htod_async(dy, y.data(), n * 4, nullptr));
    CHECK_OK(run("axpy", {40}, {256}, 0, 2.0f, dx, dy, n));
    CHECK_OK(cu.memcpy_dtoh_async(out.data(), dy, n * 4, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    for (int i = 0; i < n; ++i) y[static_cast<std::size_t>(i)] = 1.0f + 2.0f * static_cast<float>(i);
    BOOST_TEST(out == y, boost::test_tools::per_element());
    CHECK_OK(cu.mem_free(dx));
    CHECK_OK(cu.mem_free(dy));
}

BOOST_FIXTURE_TEST_CASE(every_thread_runs_once, launching) {
    static std::atomic<std::uint64_t> threads, wrong;
    threads = wrong = 0;
    host::define(none, [](host::thread t) {
        ++threads;
        const auto b = t.block_index(), i = t.thread_index();
        const bool right = b.x < 3 && b.y < 4 && b.z < 5 && i.x < 6 && i.y < 2 && i.z < 3 && t.block_size() == host::extent{6, 2, 3} &&
                           t.grid_size() == host::extent{3, 4, 5} && t.rank() == i.x + 6 * (i.y + 2 * i.z) &&
                           t.cluster_size() == host::extent{1, 1, 1} &&
                           t.global_index() == host::wide_index{b.x * 6 + i.x, b.y * 2 + i.y, b.z * 3 + i.z};
        wrong += !right;
    });
    CHECK_OK(run("none", {3, 4, 5}, {6, 2, 3}, 0));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(threads == 3u * 4 * 5 * 6 * 2 * 3);
    BOOST_TEST(wrong == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_body_per_block, launching) {
    host::define(sum, [](host::block& b, const int* in, int* out, int n) {
        const auto part = b.shared<int>();
        auto square = b.per_thread<int>();
        const auto base = b.static_shared<int>();
        b.for_each_thread([&](host::thread t) {
            const auto i = t.global_index().x;
            part[t.rank()] = i < static_cast<unsigned>(n) ? in[i] : 0;
            square[t.rank()] = part[t.rank()];
            if (t.rank() == 0) base[0] = 1000;
        });
        for (unsigned s = b.thread_count() / 2; s != 0; s /= 2) {
            b.barrier();
            b.for_each_thread([&](host::thread t) {
                if (t.rank() < s) part[t.rank()] += part[t.rank() + s];
            });
        }
        b.for_each_thread([&](host::thread t) {
            if (t.rank() == 0) out[t.block_index().x] = part[0] + base[0] + (square[0] - square[0]);
        });
    });
    const int n = 1000;
    std::vector<int> in(n, 1), out(4);
    const device_address din = allocate(n * 4), dout = allocate(16);
    CHECK_OK(cu.memcpy_htod_async(din, in.data(), n * 4, nullptr));
    CHECK_OK(run("sum", {4}, {256}, 1024, din, dout, n));
    CHECK_OK(cu.memcpy_dtoh_async(out.data(), dout, 16, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(out == (std::vector<int>{1256, 1256, 1256, 1232}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(bodies_see_module_variables, launching) {
    static std::atomic<float> seen;
    host::define(none, [](host::thread t) { seen = *t.variable<float>("factor"); });
    CHECK_OK(run("none", {1}, {1}, 0));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(seen.load() == 2.0f);
    host::define(none, [](host::block& b) { b.variable<double>("factor"); });
    CHECK_OK(run("none", {1}, {1}, 0));
    CHECK_REFUSED(cu.ctx_synchronize(), status::launch_failed, "the module's variable factor has 4 bytes");
}

BOOST_FIXTURE_TEST_CASE(definitions_come_and_go, launching) {
    CHECK_REFUSED(run("none", {1}, {1}, 0), status::not_supported, "no body for m::none: host::define one");
    static std::atomic<int> which;
    host::define(none, [](host::thread) { which = 1; });
    CHECK_OK(run("none", {1}, {1}, 0));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(which == 1);
    host::define(none, [](host::thread) { which = 2; }); // replaces, for loaded modules too
    CHECK_OK(run("none", {1}, {1}, 0));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(which == 2);
    // Another module with the same symbol has its own body.
    static constexpr described<"other", "none", void()> other;
    host::define(other, [](host::thread) { which = 3; });
    const module_handle second = load(ptx, "other"), unlabelled = load(ptx, "");
    CHECK_OK(cu.launch_kernel(find(second, "none"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(which == 3);
    CHECK_REFUSED(cu.launch_kernel(find(unlabelled, "none"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::not_supported,
                  "several bodies for none");
    BOOST_TEST(host::undefine(other));
    BOOST_TEST(!host::undefine(other));
    CHECK_OK(cu.launch_kernel(find(unlabelled, "none"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(which == 2);
    host::clear_definitions();
    CHECK_REFUSED(cu.launch_kernel(find(unlabelled, "none"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::not_supported,
                  "no body for none");
    static constexpr described<"m", "axpy", void(double, const float*, float*, int)> wrong_size;
    host::define(wrong_size, [](host::thread, double, const float*, float*, int) {});
    CHECK_REFUSED(run("axpy", {1}, {1}, 0, 2.0f, device_address{}, device_address{}, 1), status::not_supported,
                  "parameter 1 has 8 bytes, the kernel's 4");
    static constexpr described<"m", "axpy", void(float)> too_few;
    host::define(too_few, [](host::thread, float) {});
    CHECK_REFUSED(run("axpy", {1}, {1}, 0, 2.0f, device_address{}, device_address{}, 1), status::not_supported,
                  "it takes 1 parameters, the kernel 4");
    auto options = host::current_options();
    options.run_bodies = false; // then none is needed
    host::set_options(options);
    CHECK_OK(run("axpy", {2147483647}, {1}, 0, 2.0f, device_address{}, device_address{}, 1));
    CHECK_OK(cu.ctx_synchronize());
}

BOOST_FIXTURE_TEST_CASE(extents, launching) {
    host::define(none, [](host::thread) {});
    host::define(described<"m", "bounded", void()>{}, [](host::thread) {});
    host::define(described<"m", "exact", void()>{}, [](host::thread) {});
    CHECK_REFUSED(run("none", {0, 1, 1}, {1}, 0), status::invalid_value, "Grid Dimension X of 0");
    CHECK_REFUSED(run("none", {1, 0, 1}, {1}, 0), status::invalid_value, "Grid Dimension Y of 0");
    CHECK_REFUSED(run("none", {1, 1, 0}, {1}, 0), status::invalid_value, "Grid Dimension Z of 0");
    CHECK_REFUSED(run("none", {2147483648u, 1, 1}, {1}, 0), status::invalid_value,
                  "Grid Dimension X of 2147483648 exceeds maximum value of 2147483647");
    CHECK_REFUSED(run("none", {1, 65536, 1}, {1}, 0), status::invalid_value, "Grid Dimension Y of 65536 exceeds maximum value of 65535");
    CHECK_REFUSED(run("none", {1, 1, 65536}, {1}, 0), status::invalid_value, "Grid Dimension Z of 65536 exceeds");
    CHECK_REFUSED(run("none", {1}, {0, 1, 1}, 0), status::invalid_value, "Block Dimension X of 0");
    CHECK_REFUSED(run("none", {1}, {1025, 1, 1}, 0), status::invalid_value, "Block Dimension X of 1025 exceeds");
    CHECK_REFUSED(run("none", {1}, {1, 1025, 1}, 0), status::invalid_value, "Block Dimension Y of 1025 exceeds");
    CHECK_REFUSED(run("none", {1}, {1, 1, 65}, 0), status::invalid_value, "Block Dimension Z of 65 exceeds");
    CHECK_REFUSED(run("none", {1}, {32, 33, 1}, 0), status::invalid_value, "are 1056 threads");
    CHECK_REFUSED(run("bounded", {1}, {129}, 0), status::invalid_value, "exceeds the 128 that bounded was compiled for");
    CHECK_REFUSED(run("exact", {1}, {32}, 0), status::invalid_value, "differ from (8,4,1)");
    CHECK_OK(run("none", {1, 65535, 1}, {1}, 0));
    CHECK_OK(run("none", {1, 1, 65535}, {1}, 0));
    CHECK_OK(run("none", {1}, {1024}, 0));
    CHECK_OK(run("bounded", {1}, {64, 2}, 0));
    CHECK_OK(run("exact", {1}, {8, 4}, 0));
    CHECK_OK(cu.ctx_synchronize()); // nothing sticks
    CHECK_REFUSED(cu.launch_kernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::invalid_handle,
                  "function handle is null");
}

BOOST_FIXTURE_TEST_CASE(shared_memory, launching) {
    host::define(none, [](host::block& b) {
        if (b.shared<char>().size() == 1) b.shared<int>(1);
    });
    host::define(described<"m", "with_static", void()>{}, [](host::block& b) { static_cast<void>(b.static_shared<char, 512>()); });
    CHECK_OK(run("with_static", {1}, {1}, 48640));
    CHECK_REFUSED(run("with_static", {1}, {1}, 48641), status::invalid_value,
                  "Requested dynamic shared memory size of 48641 bytes exceeds maximum value of 48640");
    CHECK_OK(run("none", {1}, {1}, 49152));
    CHECK_REFUSED(run("none", {1}, {1}, 49153), status::invalid_value, "49153 bytes exceeds");
    const function_handle f = find(module, "with_static");
    CHECK_OK(cu.func_set_attribute(f, function_attribute::max_dynamic_shared_size_bytes, 231936));
    CHECK_OK(run("with_static", {1}, {1}, 231936));
    CHECK_REFUSED(run("with_static", {1}, {1}, 231937), status::invalid_value, "231937 bytes exceeds maximum value of 231936");
    CHECK_OK(cu.ctx_synchronize());
    CHECK_OK(run("none", {1}, {1}, 1));
    CHECK_REFUSED(cu.ctx_synchronize(), status::launch_failed, "the launch has 1 bytes of dynamic shared memory");
}

BOOST_FIXTURE_TEST_CASE(clusters, launching) {
    host::define(none, [](host::thread) {});
    host::define(described<"m", "pairs", void()>{}, [](host::thread t) {
        if (t.cluster_size().x != 2) throw std::runtime_error{"not a pair"};
    });
    host::define(described<"m", "open_pairs", void()>{}, [](host::thread) {});
    static std::atomic<unsigned> blocks;
    blocks = 0;
    host::define(described<"m", "in_clusters", void()>{}, [](host::thread t) {
        ++blocks;
        if (t.grid_size().x != 6) throw std::runtime_error{"the grid does not count blocks here"};
    });
    CHECK_OK(run("pairs", {2}, {1}, 0)); // launches plainly: its own size serves
    CHECK_REFUSED(run("pairs", {3}, {1}, 0), status::invalid_cluster_size,
                  "Cluster dimensions of (2,1,1) blocks does not evenly divide Grid dimensions of (3,1,1)");
    CHECK_REFUSED(run_with("pairs", {4}, {1}, {cluster(4)}), status::invalid_cluster_size, "differ from (2,1,1)");
    CHECK_OK(run_with("pairs", {4}, {1}, {cluster(2)}));
    CHECK_REFUSED(run("open_pairs", {2}, {1}, 0), status::invalid_cluster_size, "must carry the cluster attribute");
    CHECK_OK(run_with("open_pairs", {2}, {1}, {cluster(2)}));
    CHECK_REFUSED(run_with("none", {2, 3}, {1}, {cluster(2, 2)}), status::invalid_cluster_size, "does not evenly divide Grid");
    CHECK_REFUSED(run_with("none", {16}, {1}, {cluster(16)}), status::invalid_cluster_size, "16 blocks, which exceeds maximum value of 8");
    CHECK_REFUSED(run_with("none", {1}, {1}, {cluster(0)}), status::invalid_value, "must not be zero");
    CHECK_OK(cu.func_set_attribute(find(module, "none"), function_attribute::non_portable_cluster_size_allowed, 1));
    CHECK_OK(run_with("none", {16}, {1}, {cluster(16)}));
    CHECK_OK(cu.func_set_attribute(find(module, "none"), function_attribute::required_cluster_width, 4));
    CHECK_REFUSED(run("none", {6}, {1}, 0), status::invalid_cluster_size, "(4,1,1) blocks does not evenly divide");
    CHECK_OK(run("in_clusters", {3}, {1}, 0)); // the grid counts clusters
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(blocks == 6u);
    const auto preferred = [](unsigned x) {
        launch_attribute a = attribute(launch_attribute_id::preferred_cluster_dimension);
        a.value.preferred_cluster_dim = {x, 1, 1};
        return a;
    };
    CHECK_OK(run_with("open_pairs", {4}, {1}, {cluster(2), preferred(4)}));
    CHECK_REFUSED(run_with("open_pairs", {6}, {1}, {cluster(2), preferred(3)}), status::invalid_cluster_size, "no multiple");
    CHECK_REFUSED(run_with("open_pairs", {6}, {1}, {preferred(2)}), status::invalid_value, "needs a cluster size");
}

BOOST_AUTO_TEST_CASE(without_clusters_or_cooperation) {
    host::device_config old;
    old.cluster_launch = old.cooperative_launch = false;
    launching l{{old}};
    host::define(none, [](host::thread) {});
    CHECK_REFUSED(l.run_with("none", {2}, {1}, {cluster(2)}), status::not_supported, "no clusters");
    CHECK_REFUSED(l.run_with("none", {2}, {1}, {cooperative()}), status::not_supported, "no cooperative launches");
}

BOOST_FIXTURE_TEST_CASE(attributes_of_launches, launching) {
    host::define(none, [](host::thread) {});
    event_handle timed = nullptr, bare = nullptr;
    CHECK_OK(cu.event_create(&timed, 0));
    CHECK_OK(cu.event_create(&bare, hanabi::driver::event_flags::disable_timing));
    const auto refused = [&](launch_attribute a, status expected, const char* reason) {
        CHECK_REFUSED(run_with("none", {1}, {1}, {a}), expected, reason);
    };
    const auto taken = [&](launch_attribute a) { CHECK_OK(run_with("none", {1}, {1}, {a})); };

    taken(attribute(launch_attribute_id::ignore));
    launch_attribute a = cooperative();
    taken(a);
    a.value.cooperative = 2;
    refused(a, status::invalid_value, "cooperative is 2");
    CHECK_REFUSED(run_with("none", {8 * 32 + 1}, {1}, {cooperative()}), status::cooperative_launch_too_large, "257 blocks; 256 of them");
    CHECK_OK(run_with("none", {8 * 32}, {1}, {cooperative()}));

    a = attribute(launch_attribute_id::programmatic_stream_serialization);
    a.value.programmatic_stream_serialization_allowed = 1;
    taken(a);
    BOOST_TEST(host::launches().back().programmatic);
    a.value.programmatic_stream_serialization_allowed = -1;
    refused(a, status::invalid_value, "is -1");
    a = attribute(launch_attribute_id::priority);
    a.value.priority = -5;
    taken(a);
    a.value.priority = 1;
    refused(a, status::invalid_value, "a priority of 1 is outside 0 to -5");
    a = attribute(launch_attribute_id::access_policy_window);
    a.value.window.num_bytes = 1024;
    a.value.window.hit_ratio = 0.5f;
    a.value.window.hit_prop = hanabi::driver::access_property::persisting;
    taken(a);
    a.value.window.hit_ratio = 1.5f;
    refused(a, status::invalid_value, "a hit ratio of 1.5");
    a.value.window.hit_ratio = 1;
    a.value.window.miss_prop = hanabi::driver::access_property::persisting;
    refused(a, status::invalid_value, "a miss can't persist");
    a.value.window.num_bytes = std::size_t{1} << 40;
    refused(a, status::invalid_value, "exceeds 134217728");
    a = attribute(launch_attribute_id::synchronization_policy);
    refused(a, status::invalid_value, "synchronization policy");
    a.value.synchronization_policy = 2;
    taken(a);
    a = attribute(launch_attribute_id::cluster_scheduling_policy_preference);
    taken(a);
    a.value.cluster_scheduling_policy_preference = 3;
    refused(a, status::invalid_value, "scheduling policy");
    a = attribute(launch_attribute_id::mem_sync_domain);
    a.value.mem_sync_domain = 1;
    taken(a);
    a.value.mem_sync_domain = 2;
    refused(a, status::invalid_value, "memory synchronisation domain");
    a = attribute(launch_attribute_id::mem_sync_domain_map);
    a.value.mem_sync_domain_map = {0, 3};
    taken(a);
    a.value.mem_sync_domain_map = {0, 4};
    refused(a, status::invalid_value, "has 4 memory");
    a = attribute(launch_attribute_id::preferred_shared_memory_carveout);
    a.value.shared_mem_carveout = 100;
    taken(a);
    a.value.shared_mem_carveout = 101;
    refused(a, status::invalid_value, "carveout of 101");
    a = attribute(launch_attribute_id::nvlink_util_centric_scheduling);
    taken(a);
    a.value.nvlink_util_centric_scheduling = 2;
    refused(a, status::invalid_value, "NVLink");
    a = attribute(launch_attribute_id::programmatic_event);
    a.value.programmatic_event.event = bare;
    taken(a);
    CHECK_OK(cu.event_synchronize(bare));
    a.value.programmatic_event.event = timed;
    refused(a, status::invalid_value, "must be made without timing");
    a.value.programmatic_event.event = nullptr;
    refused(a, status::invalid_handle, "event handle is null");
    a = attribute(launch_attribute_id::launch_completion_event);
    a.value.launch_completion_event.event = bare;
    taken(a);
    a.value.launch_completion_event.flags = 8;
    refused(a, status::invalid_value, "flags");
    refused(attribute(launch_attribute_id::device_updatable_kernel_node), status::invalid_value, "in a graph only");
    refused(attribute(static_cast<launch_attribute_id>(77)), status::invalid_value, "launch attribute 77 is unknown");
    CHECK_REFUSED(cu.launch_kernel_ex(nullptr, find(module, "none"), nullptr, nullptr), status::invalid_value, "configuration is null");
    const launch_config announced{1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, 2};
    CHECK_REFUSED(cu.launch_kernel_ex(&announced, find(module, "none"), nullptr, nullptr), status::invalid_value, "announced and null");
    CHECK_OK(cu.ctx_synchronize());
}

BOOST_FIXTURE_TEST_CASE(arguments_two_ways, launching) {
    static std::atomic<int> seen;
    host::define(described<"m", "packed", void(int*, short)>{}, [](host::thread, int*, short s) { seen = s; });
    host::define(none, [](host::thread) {});
    const function_handle f = find(module, "packed");
    unsigned char buffer[16] = {};
    const short value = 4242;
    std::memcpy(buffer + 8, &value, 2);
    const auto launch = [&](std::size_t size, void* data) {
        void* extra[] = {reinterpret_cast<void*>(1), data, reinterpret_cast<void*>(2), &size, nullptr};
        return cu.launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra);
    };
    CHECK_OK(launch(10, buffer)); // the end of the last parameter: no tail padding
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(seen == 4242);
    CHECK_REFUSED(launch(16, buffer), status::launch_out_of_resources, "of 16 bytes; the parameters of packed end at 10");
    CHECK_REFUSED(launch(9, buffer), status::invalid_value, "of 9 bytes; the parameters of packed end at 10");
    CHECK_REFUSED(launch(10, nullptr), status::invalid_value, "buffer is null");
    void* both[] = {nullptr};
    int* p = nullptr;
    short s = 1;
    void* pointers[] = {&p, &s};
    CHECK_REFUSED(cu.launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, both), status::invalid_value, "in two ways");
    CHECK_REFUSED(cu.launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::invalid_value,
                  "takes 2 parameters and none are given");
    pointers[1] = nullptr;
    CHECK_REFUSED(cu.launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, nullptr), status::invalid_value,
                  "pointer to parameter 2 of packed is null");
    void* odd[] = {reinterpret_cast<void*>(7), nullptr, nullptr};
    CHECK_REFUSED(cu.launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, odd), status::invalid_value, "no such tag");
    void* nothing[] = {nullptr};
    CHECK_OK(cu.launch_kernel(find(module, "none"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nothing));
    launch_attribute c = cooperative();
    const launch_config config{1, 1, 1, 1, 1, 1, 0, nullptr, &c, 1};
    std::size_t size = 10;
    void* extra[] = {reinterpret_cast<void*>(1), buffer, reinterpret_cast<void*>(2), &size, nullptr};
    CHECK_REFUSED(cu.launch_kernel_ex(&config, f, nullptr, extra), status::invalid_value,
                  "does not take its parameters as a packed buffer");
}

BOOST_FIXTURE_TEST_CASE(arguments_are_copied_at_the_call, launching) {
    struct alignas(64) tile {
        unsigned char bytes[128];
    };
    static std::atomic<int> seen;
    host::define(described<"m", "big", void(tile, char)>{},
                 [](host::thread, tile t, char c) { seen = t.bytes[127] + c + (reinterpret_cast<std::uintptr_t>(&t) % 64 != 0); });
    const stream_handle s = make_stream();
    tile t{};
    char c = 1;
    t.bytes[127] = 41;
    {
        const gate held{s};
        void* pointers[] = {&t, &c};
        CHECK_OK(cu.launch_kernel(find(module, "big"), 1, 1, 1, 1, 1, 1, 0, s, pointers, nullptr));
        t.bytes[127] = 0;
        c = 0;
    }
    CHECK_OK(cu.stream_synchronize(s));
    BOOST_TEST(seen == 42);
}

BOOST_FIXTURE_TEST_CASE(records, launching) {
    host::define(axpy, [](host::thread, float, const float*, float*, int) {});
    host::define(none, [](host::thread) {});
    host::clear_launches();
    const device_address x = allocate(4);
    CHECK_OK(run("axpy", {2, 3}, {4, 5, 6}, 7, 2.5f, x, device_address{}, 11));
    CHECK_OK(run_with("none", {4}, {1}, {cluster(2), cooperative()}));
    run("none", {0}, {1}, 0); // refused: no launch
    const auto all = host::launches();
    BOOST_REQUIRE(all.size() == 2u);
    BOOST_TEST(host::launch_count() == 2u);
    const host::launch_record& l = all[0];
    BOOST_TEST(l.number == 1u);
    BOOST_TEST(l.module == "m");
    BOOST_TEST(l.symbol == "axpy");
    BOOST_TEST((l.grid == host::extent{2, 3, 1}));
    BOOST_TEST((l.block == host::extent{4, 5, 6}));
    BOOST_TEST(l.shared_bytes == 7u);
    BOOST_TEST(l.context == context);
    BOOST_TEST(l.stream == nullptr);
    BOOST_TEST(l.arguments.size() == 4u);
    BOOST_TEST((l.argument<float>(0) == 2.5f));
    BOOST_TEST((l.argument<device_address>(1) == x));
    BOOST_TEST((l.argument<int>(3) == 11));
    BOOST_TEST(!l.argument<double>(0));
    BOOST_TEST(!l.argument<int>(4));
    BOOST_TEST(all[1].cooperative);
    BOOST_TEST((all[1].cluster == host::extent{2, 1, 1}));
    BOOST_TEST(all[1].attributes.size() == 2u);
    auto options = host::current_options();
    options.kept_launches = 3;
    host::set_options(options);
    for (int i = 0; i < 5; ++i) CHECK_OK(run("none", {1}, {1}, 0));
    BOOST_TEST(host::launches().size() == 3u);
    BOOST_TEST(host::launches().front().number == 5u);
    BOOST_TEST(host::launch_count() == 7u);
    host::clear_launches();
    BOOST_TEST(host::launches().empty());
    CHECK_OK(cu.ctx_synchronize());
}

BOOST_FIXTURE_TEST_CASE(bad_pointers_fail_the_launch, launching) {
    static std::atomic<int> runs;
    runs = 0;
    host::define(touch, [](host::thread, int*) { ++runs; });
    const auto again = [&] { // a broken context is gone for good
        BOOST_REQUIRE(cu.device_primary_ctx_release(0) == status::success);
        BOOST_REQUIRE(cu.device_primary_ctx_retain(&context, 0) == status::success);
        module = load(ptx);
    };
    int local = 0;
    CHECK_OK(run("touch", {1}, {1}, 0, &local)); // accepted: it fails when it runs
    CHECK_REFUSED(cu.ctx_synchronize(), status::illegal_address, "Illegal address in m::touch: parameter 1 is 0x");
    CHECK_REFUSED(cu.ctx_synchronize(), status::illegal_address, "which is no device memory: a host pointer"); // and stays so
    again();
    device_address a = allocate(4);
    CHECK_OK(cu.mem_free(a));
    CHECK_OK(run("touch", {1}, {1}, 0, a));
    CHECK_REFUSED(cu.stream_synchronize(nullptr), status::illegal_address, "in freed memory: the 4-byte buffer");
    again();
    a = allocate(4);
    CHECK_OK(run("touch", {1}, {1}, 0, a));
    CHECK_OK(run("touch", {1}, {1}, 0, a + 4)); // one past the end: an empty range
    CHECK_OK(run("touch", {1}, {1}, 0, device_address{0}));
    void* pinned = nullptr;
    CHECK_OK(cu.mem_host_alloc(&pinned, 4, 0));
    CHECK_OK(run("touch", {1}, {1}, 0, pinned));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(runs == 4);
    // Freed in another stream, without an order between the two.
    const stream_handle s = make_stream(), t = make_stream();
    device_address b = 0;
    CHECK_OK(cu.mem_alloc_async(&b, 4, t));
    CHECK_OK(cu.stream_synchronize(t));
    {
        const gate held{s};
        void* pointers[] = {&b};
        CHECK_OK(cu.launch_kernel(find(module, "touch"), 1, 1, 1, 1, 1, 1, 0, s, pointers, nullptr));
        CHECK_OK(cu.mem_free_async(b, t));
        CHECK_OK(cu.stream_synchronize(t));
    }
    CHECK_REFUSED(cu.stream_synchronize(s), status::illegal_address, "was freed before the kernel ran");
    again();
    auto options = host::current_options();
    options.check_pointers = false;
    host::set_options(options);
    CHECK_OK(run("touch", {1}, {1}, 0, &local));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(runs == 5);
}

BOOST_AUTO_TEST_CASE(memory_of_another_device) {
    launching l{std::vector<host::device_config>(2)};
    host::define(touch, [](host::thread, int*) {});
    context_handle other = nullptr;
    CHECK_OK(cu.device_primary_ctx_retain(&other, 1));
    CHECK_OK(cu.ctx_set_current(other));
    const device_address there = allocate(4);
    const stream_handle s = make_stream();
    CHECK_OK(cu.ctx_set_current(l.context));
    void* pointers[] = {nullptr};
    CHECK_REFUSED(cu.launch_kernel(find(l.module, "none"), 1, 1, 1, 1, 1, 1, 0, s, pointers, nullptr), status::invalid_handle,
                  "the stream belongs to another context");
    CHECK_OK(l.run("touch", {1}, {1}, 0, there));
    CHECK_REFUSED(cu.ctx_synchronize(), status::illegal_address, "in memory of another context");
}

#if !defined(HANABI_HOST_ASAN) // the sanitizer would end the test where the driver goes on
BOOST_FIXTURE_TEST_CASE(overruns_are_seen, launching) {
    host::define(touch, [](host::thread, int* p) { p[1] = 7; });
    const device_address a = allocate(4);
    CHECK_OK(run("touch", {1}, {1}, 0, a));
    CHECK_REFUSED(cu.ctx_synchronize(), status::illegal_address, "after m::touch the memory around the 4-byte buffer");
}
#endif

BOOST_FIXTURE_TEST_CASE(a_body_that_throws, launching) {
    host::define(none, [](host::thread t) {
        if (t.block_index().x == 3) throw std::runtime_error{"block 3 has had enough"};
    });
    std::atomic<int> after{0};
    const function_handle f = find(module, "none");
    {
        const gate held{nullptr}; // both are accepted before the first one fails
        CHECK_OK(run("none", {8}, {64}, 0));
        CHECK_OK(cu.launch_host_func(
            nullptr, [](void* p) { ++*static_cast<std::atomic<int>*>(p); }, &after));
    }
    CHECK_REFUSED(cu.ctx_synchronize(), status::launch_failed, "The body of m::none threw: block 3 has had enough");
    BOOST_TEST(after == 0); // nothing runs after an error
    CHECK_REFUSED(cu.launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::launch_failed,
                  "an earlier operation in this context failed");
    CHECK_OK(cu.device_primary_ctx_release(0));
    CHECK_OK(cu.device_primary_ctx_retain(&context, 0));
    module = load(ptx);
    host::define(none, [](host::thread) { throw 3; });
    CHECK_OK(run("none", {1}, {1}, 0));
    CHECK_REFUSED(cu.ctx_synchronize(), status::launch_failed, "no std::exception");
}

BOOST_FIXTURE_TEST_CASE(phases_can_not_nest, launching) {
    host::define(none, [](host::block& b) { b.for_each_thread([&](host::thread) { b.barrier(); }); });
    CHECK_OK(run("none", {1}, {2}, 0));
    CHECK_REFUSED(cu.ctx_synchronize(), status::launch_failed, "barrier() inside for_each_thread");
}

BOOST_FIXTURE_TEST_CASE(occupancy, launching) {
    int blocks = 0, size = 0, grid = 0;
    const function_handle f = find(module, "none");
    CHECK_OK(cu.occupancy_max_active_blocks_per_multiprocessor(&blocks, f, 256, 0));
    BOOST_TEST(blocks == 8); // 2048 threads, and 65536 registers of 32
    CHECK_OK(cu.occupancy_max_active_blocks_per_multiprocessor(&blocks, f, 1, 0));
    BOOST_TEST(blocks == 32);
    CHECK_OK(cu.occupancy_max_active_blocks_per_multiprocessor(&blocks, f, 256, 100000));
    BOOST_TEST(blocks == 2);
    CHECK_OK(cu.occupancy_max_active_blocks_per_multiprocessor(&blocks, f, 256, 300000));
    BOOST_TEST(blocks == 0);
    CHECK_REFUSED(cu.occupancy_max_active_blocks_per_multiprocessor(&blocks, f, 0, 0), status::invalid_value, "0 threads");
    CHECK_REFUSED(cu.occupancy_max_active_blocks_per_multiprocessor(&blocks, nullptr, 1, 0), status::invalid_handle, "null");
    CHECK_OK(cu.occupancy_max_potential_block_size(&grid, &size, f, nullptr, 0, 0));
    BOOST_TEST(size == 1024);
    BOOST_TEST(grid == 16);
    CHECK_OK(cu.occupancy_max_potential_block_size(
        &grid, &size, f, [](int threads) { return static_cast<std::size_t>(threads) * 400; }, 0, 0));
    BOOST_TEST(size < 1024);
    CHECK_OK(cu.occupancy_max_potential_block_size(&grid, &size, find(module, "bounded"), nullptr, 0, 0));
    BOOST_TEST(size == 128);
    CHECK_OK(cu.occupancy_max_potential_block_size(&grid, &size, f, nullptr, 0, 50));
    BOOST_TEST(size <= 50);
    CHECK_REFUSED(cu.occupancy_max_potential_block_size(nullptr, &size, f, nullptr, 0, 0), status::invalid_value, "null");
    launch_attribute a = cluster(2);
    launch_config config{2, 1, 1, 1024, 1, 1, 0, nullptr, &a, 1};
    CHECK_OK(cu.occupancy_max_active_clusters(&blocks, f, &config));
    BOOST_TEST(blocks == 8);
    a = cluster(9);
    CHECK_REFUSED(cu.occupancy_max_active_clusters(&blocks, f, &config), status::invalid_cluster_size, "exceeds maximum value of 8");
    config.attribute_count = 0;
    CHECK_REFUSED(cu.occupancy_max_active_clusters(&blocks, f, &config), status::invalid_value, "no cluster size");
    CHECK_REFUSED(cu.occupancy_max_active_clusters(&blocks, f, nullptr), status::invalid_value, "null");
}

BOOST_FIXTURE_TEST_CASE(tensor_maps, fresh_driver) {
    hanabi::driver::tensor_map_storage map;
    const device_address a = allocate(1 << 16);
    void* const address = reinterpret_cast<void*>(a);
    std::uint64_t dimensions[] = {64, 32}, strides[] = {256};
    std::uint32_t box[] = {16, 8}, steps[] = {1, 2};
    const auto encode = [&](unsigned type = 7, unsigned rank = 2, unsigned interleave = 0, unsigned swizzle = 2, unsigned fill = 1) {
        return cu.tensor_map_encode_tiled(&map, type, rank, address, dimensions, strides, box, steps, interleave, swizzle, 3, fill);
    };
    CHECK_OK(encode());
    const auto fields = host::decode_tensor_map(map);
    BOOST_REQUIRE(fields.has_value());
    BOOST_TEST(fields->data_type == 7u);
    BOOST_TEST(fields->rank == 2u);
    BOOST_TEST(fields->address == a);
    BOOST_TEST(fields->dimensions[1] == 32u);
    BOOST_TEST(fields->strides[0] == 256u);
    BOOST_TEST(fields->box[0] == 16u);
    BOOST_TEST(fields->element_strides[1] == 2u);
    BOOST_TEST(fields->swizzle == 2u);
    BOOST_TEST(fields->l2_promotion == 3u);
    BOOST_TEST(fields->out_of_bounds_fill == 1u);
    CHECK_REFUSED(encode(16), status::invalid_value, "data type: 16");
    CHECK_REFUSED(encode(7, 0), status::invalid_value, "rank of 0");
    CHECK_REFUSED(encode(7, 6), status::invalid_value, "rank of 6");
    CHECK_REFUSED(encode(7, 2, 1), status::invalid_value, "rank of at least 3");
    CHECK_REFUSED(encode(7, 2, 0, 1), status::invalid_value, "covers 64 bytes: the swizzle allows 32");
    CHECK_REFUSED(encode(2, 2, 0, 2), status::invalid_value, "NaN fill");
    CHECK_REFUSED(encode(7, 2, 3), status::invalid_value, "no such interleave");
    box[0] = 3;
    CHECK_REFUSED(encode(), status::invalid_value, "covers 12 bytes");
    box[0] = 257;
    CHECK_REFUSED(encode(), status::invalid_value, "box dimension 0 of 257");
    box[0] = 16;
    strides[0] = 8;
    CHECK_REFUSED(encode(), status::invalid_value, "stride 0 of 8 bytes");
    strides[0] = 256;
    steps[1] = 9;
    CHECK_REFUSED(encode(), status::invalid_value, "element stride 1 of 9");
    steps[1] = 1;
    dimensions[0] = 0;
    CHECK_REFUSED(encode(), status::invalid_value, "dimension 0 of 0");
    CHECK_REFUSED(cu.tensor_map_encode_tiled(&map, 7, 2, reinterpret_cast<void*>(a + 8), dimensions, strides, box, steps, 0, 0, 0, 0),
                  status::invalid_value, "aligned to 16");
    CHECK_REFUSED(cu.tensor_map_encode_tiled(nullptr, 7, 2, address, dimensions, strides, box, steps, 0, 0, 0, 0), status::invalid_value,
                  "aligned to 64");
    CHECK_REFUSED(cu.tensor_map_encode_tiled(&map, 7, 2, address, nullptr, strides, box, steps, 0, 0, 0, 0), status::invalid_value, "null");
    BOOST_TEST(!host::decode_tensor_map(hanabi::driver::tensor_map_storage{}).has_value());
}

BOOST_FIXTURE_TEST_CASE(from_many_threads, launching) {
    static constexpr int threads = 8, rounds = 40;
    host::define(touch, [](host::thread, int* p) { std::atomic_ref{* p} += 1; });
    const device_address a = allocate(4);
    CHECK_OK(cu.memset_d32_async(a, 0, 1, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    std::atomic<int> bad{0};
    std::vector<std::thread> workers;
    for (int w = 0; w < threads; ++w)
        workers.emplace_back([&] {
            const auto ok = [&](status s) { bad += s != status::success; };
            ok(cu.ctx_set_current(context));
            stream_handle s = nullptr; // Boost's macros are for one thread at a time
            module_handle own = nullptr;
            function_handle f = nullptr;
            ok(cu.stream_create_with_priority(&s, hanabi::driver::stream_flags::non_blocking, 0));
            ok(cu.module_load_data_ex(&own, ptx, 0, nullptr, nullptr));
            ok(cu.module_set_label(own, "m"));
            ok(cu.module_get_function(&f, own, "touch"));
            for (int i = 0; i < rounds; ++i) {
                device_address p = a;
                void* pointers[] = {&p};
                ok(cu.launch_kernel(f, 4, 1, 1, 64, 1, 1, 0, s, pointers, nullptr));
            }
            ok(cu.module_unload(own));
            ok(cu.stream_destroy(s));
        });
    for (std::thread& w : workers) w.join();
    BOOST_TEST(bad == 0);
    int total = 0;
    CHECK_OK(cu.memcpy_dtoh_async(&total, a, 4, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(total == threads * rounds * 4 * 64);
    BOOST_TEST(host::launch_count() == static_cast<unsigned>(threads * rounds));
    CHECK_OK(cu.mem_free(a));
}
