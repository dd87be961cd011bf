// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The PTX executor on several threads at once: blocks that talk to each other, the host that talks to a kernel while it runs,
// streams side by side, a fault while others are at work. Made for the sanitizers.

#define BOOST_TEST_MODULE ptx_threads
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/ptx_module.hpp"

#include <atomic>
#include <cstddef>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

const std::string kernels = R"(.version 9.0
.target sm_90
.address_size 64
.global .u32 total;

// Every thread: ++*p by compare and swap, total += 1; the last block of all writes total to p[1].
.visible .entry count(.param .u64 p, .param .u32 blocks) {
.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %q<9>;
ld.param.u64 %d1, [p];
L:
ld.volatile.global.u32 %r1, [%d1];
add.u32 %r2, %r1, 1;
atom.global.cas.b32 %r3, [%d1], %r1, %r2;
setp.ne.u32 %q1, %r3, %r1;
@%q1 bra L;
red.global.add.u32 [total], 1;
bar.sync 0;
mov.u32 %r4, %tid.x;
setp.ne.u32 %q2, %r4, 0;
@%q2 ret;
fence.acq_rel.gpu;
atom.global.add.u32 %r5, [%d1+8], 1;
ld.param.u32 %r6, [blocks];
add.u32 %r5, %r5, 1;
setp.ne.u32 %q3, %r5, %r6;
@%q3 ret;
ld.global.u32 %r7, [total];
st.global.u32 [%d1+4], %r7;
ret;
}

// Answers each number that the host puts into p[0] with its double in p[1], until that is 0.
.visible .entry talk(.param .u64 p) {
.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %q<9>;
ld.param.u64 %d1, [p];
mov.u32 %r2, 0xffffffff;
L:
ld.volatile.global.u32 %r1, [%d1];
setp.eq.u32 %q1, %r1, %r2;
@%q1 bra L;
mov.u32 %r2, %r1;
setp.eq.u32 %q2, %r1, 0;
@%q2 ret;
add.u32 %r3, %r1, %r1;
st.volatile.global.u32 [%d1+4], %r3;
bra L;
}

// p[thread of the grid] = n
.visible .entry fill(.param .u64 p, .param .u32 n) {
.reg .b32 %r<9>; .reg .b64 %d<9>;
ld.param.u64 %d1, [p];
ld.param.u32 %r1, [n];
mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
mad.lo.u32 %r2, %r2, %r3, %r4;
mul.wide.u32 %d2, %r2, 4; add.s64 %d1, %d1, %d2;
st.global.u32 [%d1], %r1;
ret;
}

// The threads of the last block trap.
.visible .entry trapped(.param .u64 p, .param .u32 blocks) {
.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %q<9>;
ld.param.u64 %d1, [p];
ld.param.u32 %r1, [blocks];
mov.u32 %r2, %ctaid.x; add.u32 %r2, %r2, 1;
setp.eq.u32 %q1, %r1, %r2;
@%q1 trap;
ret;
}
)";

template <class... P>
void launch(module_handle m, const char* name, unsigned blocks, unsigned threads, hanabi::driver::stream_handle stream, P... arguments) {
    void* pointers[sizeof...(P) + 1] = {&arguments..., nullptr};
    hanabi::driver::function_handle kernel = nullptr;
    BOOST_REQUIRE(cu.module_get_function(&kernel, m, name) == status::success);
    BOOST_TEST(cu.launch_kernel(kernel, blocks, 1, 1, threads, 1, 1, 0, stream, pointers, nullptr) == status::success);
}

} // namespace

BOOST_AUTO_TEST_CASE(blocks_that_count_together) {
    ptx_module m{kernels};
    const unsigned blocks = 60;
    const device_array<unsigned> p{3, 0};
    CHECK_OK(m.run("count", {blocks}, {64}, 0, p.address(), blocks));
    BOOST_TEST(p.values() == (std::vector<unsigned>{64 * blocks, 64 * blocks, blocks}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(blocks_that_wait_for_all) {
    ptx_module m{test::file("executor/features_75.ptx")};
    const int n = 12 * 64;
    const device_array<int> p{n + 1};
    for (int round = 0; round < 3; ++round) {
        CHECK_OK(m.run_cooperatively("grid_sum", {12}, {64}, p.address(), n));
        BOOST_TEST(p.values()[n] == n * (n - 1) / 2);
    }
    const device_array<int> lock{1, 0}, count{1, 0};
    CHECK_OK(m.run("spin_lock", {8}, {64}, 0, lock.address(), count.address()));
    BOOST_TEST(count.values()[0] == 8 * 64);
}

BOOST_AUTO_TEST_CASE(a_host_that_talks_to_a_kernel) {
    ptx_module m{kernels};
    void* memory = nullptr;
    CHECK_OK(cu.mem_host_alloc(&memory, 8, 0));
    auto* const words = static_cast<unsigned*>(memory);
    const std::atomic_ref<unsigned> question{words[0]}, answer{words[1]};
    question.store(0xffffffffu);
    answer.store(0);
    launch(m.handle, "talk", 1, 1, nullptr, memory);
    for (unsigned i = 1; i < 20; ++i) {
        question.store(i);
        while (answer.load() != 2 * i) std::this_thread::yield();
    }
    question.store(0);
    CHECK_OK(cu.ctx_synchronize());
    CHECK_OK(cu.mem_free_host(memory));
}

BOOST_AUTO_TEST_CASE(streams_side_by_side) {
    ptx_module m{kernels};
    const unsigned n = 16 * 128;
    std::vector<hanabi::driver::stream_handle> streams(4, nullptr);
    std::vector<device_array<unsigned>> arrays;
    for (auto& s : streams) {
        CHECK_OK(cu.stream_create_with_priority(&s, 1, 0));
        arrays.emplace_back(n);
    }
    for (unsigned round = 0; round < 5; ++round)
        for (std::size_t i = 0; i < streams.size(); ++i)
            launch(m.handle, "fill", n / 128, 128, streams[i], arrays[i].address(), 100 * round + static_cast<unsigned>(i));
    CHECK_OK(cu.ctx_synchronize());
    for (std::size_t i = 0; i < streams.size(); ++i)
        BOOST_TEST((arrays[i].values() == std::vector<unsigned>(n, 400 + static_cast<unsigned>(i))));
    for (auto& s : streams) CHECK_OK(cu.stream_destroy(s));
}

BOOST_AUTO_TEST_CASE(a_fault_while_others_work) {
    ptx_module m{kernels};
    const device_array<unsigned> p{4, 0};
    BOOST_TEST(m.run("trapped", {40}, {128}, 0, p.address(), 40u) == status::launch_failed);
    BOOST_TEST(host::last_ptx_fault().find("The kernel executed trap; in m::trapped") != std::string::npos, host::last_ptx_fault());
}

BOOST_AUTO_TEST_CASE(checks_on_several_threads) {
    ptx_module m{test::file("executor/features_75.ptx")};
    host::ptx_options options;
    options.initcheck = true;
    for (const bool races : {false, true}) {
        options.racecheck = races;
        host::set_ptx_options(options);
        std::vector<int> numbers(2048, 1);
        const device_array<int> data{numbers};
        CHECK_OK(m.run("block_scan", {8}, {256}, 0, data.address()));
        const auto got = data.values();
        for (int i = 0; i < 2048; ++i) BOOST_TEST(got[static_cast<std::size_t>(i)] == i % 256 + 1);
    }
    host::set_ptx_options({});
}
