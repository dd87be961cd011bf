// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the tests of graphs and captures share: a driver (either), kernels whose order shows in what they compute, and short
/// ways to make nodes. Part of the test support, not of the library.

#ifndef HANABI_TEST_SUPPORT_GRAPHS_HPP
#define HANABI_TEST_SUPPORT_GRAPHS_HPP

#include <hanabi/host.hpp>

#include "support/driver.hpp"
#include "support/graph_kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace hanabi::driver {
inline std::ostream& boost_test_print_type(std::ostream& out, status s) { return out << name_of(s); }
} // namespace hanabi::driver

namespace driver = hanabi::driver;
namespace host = hanabi::host;
using driver::status;

template <hanabi::text Symbol, class Signature>
struct graph_kernel {
    static constexpr hanabi::name_view module_name = "graph";
    static constexpr hanabi::name_view symbol = Symbol.view();
    using function_type = Signature;
};

/// The driver of this run, a context, the module, memory of 64 zeros, a stream. At the end nothing may be left.
struct graph_driver {
    graph_driver() : cu{test_driver()} {
        if (on_host()) {
            host::reset();
            host::clear_definitions();
            host::define(graph_kernel<"put", void(std::uint32_t*, unsigned, unsigned)>{},
                         [](host::thread, std::uint32_t* p, unsigned i, unsigned v) { p[i] = v; });
            host::define(graph_kernel<"fold", void(std::uint32_t*, unsigned, unsigned)>{},
                         [](host::thread, std::uint32_t* p, unsigned i, unsigned v) { p[i] = p[i] * 3 + v; });
            host::define(graph_kernel<"sum", void(std::uint32_t*, const std::uint32_t*, const std::uint32_t*)>{},
                         [](host::thread, std::uint32_t* out, const std::uint32_t* a, const std::uint32_t* b) { *out = *a + *b; });
        }
        ok(cu.init(0));
        ok(cu.device_primary_ctx_retain(&context, 0));
        ok(cu.ctx_set_current(context));
        module = load(graph_ptx);
        put = find("put");
        fold = find("fold");
        sum = find("sum");
        ok(cu.mem_alloc(&memory, 64 * 4));
        stream = make_stream();
        ok(cu.memset_d32_async(memory, 0, 64, stream));
        ok(cu.stream_synchronize(stream));
    }
    ~graph_driver() {
        cu.stream_synchronize(stream);
        for (const driver::graph_exec_handle e : executables) cu.graph_exec_destroy(e);
        for (const driver::graph_handle g : graphs) cu.graph_destroy(g);
        for (const driver::stream_handle s : streams) cu.stream_destroy(s);
        cu.mem_free(memory);
        cu.module_unload(module);
        cu.ctx_set_current(nullptr);
        cu.device_primary_ctx_release(0);
        if (!on_host()) return;
        for (const host::leak& l : host::leaks()) BOOST_TEST(false, "left: " << l.kind << ": " << l.text);
    }
    graph_driver(const graph_driver&) = delete;
    graph_driver& operator=(const graph_driver&) = delete;

    /// Callable from any thread while all is well: Boost.Test's own state is not for threads.
    static void ok(status s) {
        if (s != status::success) BOOST_REQUIRE(s == status::success);
    }

    driver::module_handle load(const char* text) const {
        driver::module_handle m = nullptr;
        ok(cu.module_load_data_ex(&m, text, 0, nullptr, nullptr));
        if (cu.module_set_label != nullptr) ok(cu.module_set_label(m, "graph"));
        return m;
    }
    driver::function_handle find(const char* name, driver::module_handle m = nullptr) const {
        driver::function_handle f = nullptr;
        ok(cu.module_get_function(&f, m == nullptr ? module : m, name));
        return f;
    }
    driver::stream_handle make_stream(unsigned flags = driver::stream_flags::non_blocking) {
        driver::stream_handle s = nullptr;
        ok(cu.stream_create_with_priority(&s, flags, 0));
        streams.push_back(s);
        return s;
    }
    driver::event_handle make_event() const {
        driver::event_handle e = nullptr;
        ok(cu.event_create(&e, driver::event_flags::disable_timing));
        return e;
    }
    driver::graph_handle make_graph() {
        driver::graph_handle g = nullptr;
        ok(cu.graph_create(&g, 0));
        graphs.push_back(g);
        return g;
    }
    /// A graph that a call of the driver made: destroyed at the end.
    driver::graph_handle keep(driver::graph_handle g) {
        graphs.push_back(g);
        return g;
    }

    /// A kernel with (pointer, index, value), or two other arguments of 4 or 8 bytes.
    struct kernel_call {
        driver::kernel_node_params params{};
        std::uint64_t storage[3]{};
        void* pointers[3]{};
        kernel_call() = default;
        kernel_call(driver::function_handle f, std::uint64_t a, std::uint64_t b, std::uint64_t c) : storage{a, b, c} {
            params.function = f;
            params.grid_x = params.grid_y = params.grid_z = params.block_x = params.block_y = params.block_z = 1;
        }
        const driver::kernel_node_params* get() {
            for (int i = 0; i < 3; ++i) pointers[i] = &storage[i];
            params.parameters = pointers;
            return &params;
        }
    };
    kernel_call fold_call(unsigned i, unsigned v) const { return {fold, memory, i, v}; }
    kernel_call put_call(unsigned i, unsigned v) const { return {put, memory, i, v}; }

    using nodes = std::initializer_list<driver::graph_node_handle>;
    driver::graph_node_handle add(driver::graph_handle g, kernel_call c, nodes after = {}) const {
        driver::graph_node_handle n = nullptr;
        ok(cu.graph_add_kernel_node(&n, g, after.begin(), after.size(), c.get()));
        return n;
    }
    driver::graph_node_handle empty(driver::graph_handle g, nodes after = {}) const {
        driver::graph_node_handle n = nullptr;
        ok(cu.graph_add_empty_node(&n, g, after.begin(), after.size()));
        return n;
    }
    driver::graph_exec_handle instantiate(driver::graph_handle g) {
        driver::graph_exec_handle e = nullptr;
        ok(cu.graph_instantiate_with_flags(&e, g, 0));
        executables.push_back(e);
        return e;
    }
    void run(driver::graph_exec_handle e) const {
        ok(cu.graph_launch(e, stream));
        ok(cu.stream_synchronize(stream));
    }
    void launch(driver::stream_handle s, kernel_call c) const {
        c.get();
        ok(cu.launch_kernel(c.params.function, 1, 1, 1, 1, 1, 1, 0, s, c.pointers, nullptr));
    }
    std::vector<std::uint32_t> read(std::size_t count = 64) const {
        std::vector<std::uint32_t> out(count);
        ok(cu.memcpy_dtoh_async(out.data(), memory, count * 4, stream));
        ok(cu.stream_synchronize(stream));
        return out;
    }
    std::uint32_t read_one(std::size_t i) const { return read(i + 1)[i]; }
    driver::device_address at(std::size_t i) const { return memory + i * 4; }

    const driver::table& cu;
    driver::context_handle context = nullptr;
    driver::module_handle module = nullptr;
    driver::function_handle put = nullptr, fold = nullptr, sum = nullptr;
    driver::device_address memory = 0;
    driver::stream_handle stream = nullptr;
    std::vector<driver::stream_handle> streams;
    std::vector<driver::graph_handle> graphs;
    std::vector<driver::graph_exec_handle> executables;
};

/// Asserts what a call answers.
#define ANSWERS(call, expected) BOOST_TEST((call) == (expected))
#define SUCCEEDS(call) ANSWERS(call, status::success)

#endif
