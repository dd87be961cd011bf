// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Races that the PTX executor finds on request, what it takes for order, and that it finds none in correct kernels.
// Compiled kernels with races are in ptx_planted.

#define BOOST_TEST_MODULE ptx_racecheck
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/ptx_module.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace {

/// A kernel `k` of that body, which begins in line 10. There: %r1 = thread, %r2 = warp, %r3 = block, %d1 = p, a buffer of 400
/// bytes of zeros; s: 256 bytes of shared memory, %r4 = &s[4 * thread].
std::string kernel(const std::string& body) {
    return ".version 9.0\n.target sm_90\n.address_size 64\n"
           ".visible .entry k(.param .u64 p) {\n"
           ".reg .b16 %h<9>; .reg .b32 %r<29>; .reg .b64 %d<19>; .reg .pred %p<9>; .shared .align 16 .b8 s[256]; .shared .align 8 .b64 m;\n"
           "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; mov.u32 %r3, %ctaid.x;\n"
           "mov.u32 %r5, s; mul.lo.u32 %r4, %r1, 4; add.u32 %r4, %r4, %r5; setp.eq.u32 %p1, %r1, 0; setp.lt.u32 %p2, %r1, 32;\n"
           "setp.eq.u32 %p3, %r3, 0; and.b32 %r6, %r1, 1; setp.eq.u32 %p4, %r6, 0;\n" +
           body + "\nret;\n}\n";
}

struct racing : host::ptx_options {
    explicit racing(bool undefined_values_too = false) {
        racecheck = true;
        initcheck = undefined_values_too;
    }
};

struct case_of {
    const char* what;
    std::string body;
    host::extent grid, block;
    bool race;
    std::vector<std::string> facts = {}; ///< what the message says
};

void check(const case_of& of) {
    BOOST_TEST_CONTEXT(of.what) {
        ptx_module m{kernel(of.body)};
        const device_array<int> p{100, 0};
        host::set_ptx_options(racing{});
        BOOST_TEST(m.run("k", of.grid, of.block, 0, p.address()) == (of.race ? status::launch_failed : status::success));
        host::set_ptx_options({});
        const std::string said = host::last_ptx_fault();
        if (of.race)
            BOOST_TEST(said.rfind("A race: ", 0) == 0, said);
        else
            BOOST_TEST(said == "");
        for (const std::string& fact : of.facts) BOOST_TEST(said.find(fact) != std::string::npos, "`" << fact << "` is not in: " << said);
    }
}

const std::string store = "st.shared.u32 [%r4], %r1;\n"; // s[thread] = thread
const std::string across = "xor.b32 %r7, %r4, 128;\n";   // &s[of the other warp of 64 threads]
const std::string beside = "xor.b32 %r7, %r4, 4;\n";     // &s[of the lane beside]
const std::string fetch = "ld.shared.u32 %r8, [%r7];\n";
const std::string fence = "fence.acq_rel.gpu;\n";

} // namespace

BOOST_AUTO_TEST_CASE(what_a_report_says) {
    check({"shared memory",
           store + across + fetch,
           {1},
           {64},
           true,
           {"a write of 4 bytes at offset 128 of shared memory",
            "and a read of 4 bytes in line 12 of the PTX by thread (0,0,0) of block (0,0,0)",
            "in m::k, line 10 of the PTX, thread (32,0,0) of block (0,0,0)"}});
    check({"global memory", "@%p1 st.global.u32 [%d1+8], %r3;", {1, 2}, {32}, false});
    check({"between blocks",
           "add.u32 %r3, %r3, 1;\n@%p1 st.global.u16 [%d1+8], %r3;",
           {3},
           {32},
           true,
           {"a write of 2 bytes at ", "8 of the 400-byte buffer",
            "and a write of 2 bytes in line 11 of the PTX by thread (0,0,0) of block (0,0,0)", "thread (0,0,0) of block (1,0,0)"}});
    check({"one instruction",
           "st.shared.u32 [s], %r1;",
           {1},
           {32},
           true,
           {"another value from the same instruction of thread (0,0,0)", "thread (1,0,0)"}});
}

BOOST_AUTO_TEST_CASE(barriers) {
    const case_of all[] = {
        {"all threads", store + "bar.sync 0;\n" + across + fetch, {1}, {64}, false},
        {"reads before writes", across + fetch + "bar.sync 0;\n" + store, {1}, {64}, false},
        {"a barrier that only the others' next write needs", store + "bar.sync 0;\n" + across + fetch + store, {1}, {64}, true},
        {"two warps of four",
         store + "shr.u32 %r9, %r1, 6; add.u32 %r9, %r9, 1;\nbar.sync %r9, 64;\n" + across + fetch,
         {1},
         {128 / 2},
         false},
        {"a reduction", store + "bar.red.popc.u32 %r9, 0, %p1;\n" + across + fetch, {1}, {64}, false},
        {"who arrives goes on, and lets others",
         "@%p2 bra A;\nbar.sync 1, 64;\n" + across + fetch + "bra E;\nA:\n" + store + "bar.arrive 1, 64;\nE:",
         {1},
         {64},
         false},
        {"what it does after that is in no order",
         "@%p2 bra A;\nbar.sync 1, 64;\n" + across + fetch + "bra E;\nA:\nbar.arrive 1, 64;\n" + store + "E:",
         {1},
         {64},
         true},
        {"who arrives learns nothing",
         "@%p2 bra A;\n" + store + "bar.sync 1, 64;\nbra E;\nA:\nbar.arrive 1, 64;\n" + across + fetch + "E:",
         {1},
         {64},
         true},
        {"through a third warp", // 0 and 1 meet, then 1 and 2
         "setp.eq.u32 %p5, %r2, 1; setp.lt.u32 %p6, %r2, 2; setp.gt.u32 %p7, %r2, 0;\n@%p1 st.shared.u32 [s], 7;\n@%p6 bar.sync 1, "
         "64;\n@%p7 bar.sync 2, 64;\nsetp.eq.u32 %p8, %r1, 64;\n@%p8 ld.shared.u32 %r8, [s];",
         {1},
         {96},
         false},
        {"a barrier of others", // 0 and 1 meet, 2 does not
         "setp.lt.u32 %p6, %r2, 2;\n@%p1 st.shared.u32 [s], 7;\n@%p6 bar.sync 1, 64;\nsetp.eq.u32 %p8, %r1, 64;\n@%p8 ld.shared.u32 %r8, "
         "[s];",
         {1},
         {96},
         true},
        {"threads that have ended", "@!%p2 bra A;\n" + store + "ret;\nA:\nbar.sync 0;\n" + across + fetch, {1}, {64}, false},
    };
    for (const case_of& of : all) check(of);
}

BOOST_AUTO_TEST_CASE(within_a_warp) {
    const case_of all[] = {
        {"nothing", store + beside + fetch, {1}, {32}, true},
        {"bar.warp.sync", store + "bar.warp.sync 0xffffffff;\n" + beside + fetch, {1}, {32}, false},
        {"of a few", store + "and.b32 %r9, %r1, 30; shl.b32 %r9, 3, %r9;\nbar.warp.sync %r9;\n" + beside + fetch, {1}, {32}, false},
        {"of others",
         store + "mov.u32 %r9, 0x55555555; @!%p4 mov.u32 %r9, 0xaaaaaaaa;\nbar.warp.sync %r9;\n" + beside + fetch,
         {1},
         {32},
         true},
        {"a shuffle", store + "shfl.sync.bfly.b32 %r9, %r1, 1, 31, 0xffffffff;\n" + beside + fetch, {1}, {32}, false},
        {"a vote", store + "vote.sync.any.pred %p5, %p1, 0xffffffff;\n" + beside + fetch, {1}, {32}, false},
        {"activemask orders nothing", store + "activemask.b32 %r9;\n" + beside + fetch, {1}, {32}, true},
        {"to come together again orders nothing", "@%p4 bra E;\n" + store + "E:\n" + beside + "@%p4 " + fetch, {1}, {32}, true},
        {"half a warp", store + "bar.warp.sync 0xffff;\n" + beside + fetch, {1}, {16}, false},
        {"a lane's own", store + "ld.shared.u32 %r8, [%r4];\nst.shared.u32 [%r4], %r8;", {1}, {32}, false},
    };
    for (const case_of& of : all) check(of);
}

BOOST_AUTO_TEST_CASE(accesses_that_are_no_race) {
    const case_of all[] = {
        {"volatile ones", "st.volatile.shared.u32 [%r4], %r1;\n" + across + "ld.volatile.shared.u32 %r8, [%r7];", {1}, {64}, false},
        {"relaxed ones", "st.relaxed.cta.shared.u32 [%r4], %r1;\n" + across + "ld.relaxed.cta.shared.u32 %r8, [%r7];", {1}, {64}, false},
        {"one of them plain", "st.volatile.shared.u32 [%r4], %r1;\n" + across + fetch, {1}, {64}, true},
        {"atomic ones", "atom.shared.add.u32 %r8, [s], 1;\nred.shared.add.u32 [s], %r1;", {1}, {64}, false},
        {"atomic and plain", "atom.shared.add.u32 %r8, [s], 1;\n@%p1 ld.shared.u32 %r8, [s];", {1}, {64}, true},
        {"a look before an atomic operation",
         "ld.global.u32 %r8, [%d1]; setp.lt.u32 %p5, %r8, %r1;\n@%p5 red.global.max.u32 [%d1], %r1;",
         {4},
         {64},
         false},
        {"the same value", "st.shared.u32 [s], 5;\nst.shared.v2.u32 [s+8], {1, 2};\nst.global.u32 [%d1], 6;", {2}, {64}, false},
        {"other bytes of the same word", "add.u32 %r7, %r5, %r1;\nst.shared.u8 [%r7], %r1;\nld.shared.u8 %r8, [%r7];", {1}, {64}, false},
        {"a byte of another's word",
         "add.u32 %r7, %r5, 7;\n@%p1 st.shared.u8 [%r7], %r1;\n@!%p1 ld.shared.u16 %r8, [s+6];",
         {1},
         {2},
         true,
         {"2 bytes", "1 bytes"}},
        {"a vector over another's word", "@%p1 ld.shared.v4.u32 {%r8,%r9,%r10,%r11}, [s];\n@!%p1 st.shared.u32 [s+12], 1;", {1}, {2}, true},
        {"a vector beside it", "@%p1 ld.shared.v4.u32 {%r8,%r9,%r10,%r11}, [s];\n@!%p1 st.shared.u32 [s+16], 1;", {1}, {2}, false},
        {"everybody reads", "ld.shared.u32 %r8, [s];\nld.global.u32 %r8, [%d1];", {4}, {64}, false},
        {"each block's own shared memory", "st.shared.u32 [%r4], %r3;", {9}, {64}, false},
        {"local memory",
         ".local .b32 l;\nmov.b64 %d2, l; cvta.local.u64 %d2, %d2;\nst.u32 [%d2], %r1;\nld.u32 %r8, [%d2];",
         {1},
         {64},
         false},
    };
    for (const case_of& of : all) check(of);
}

BOOST_AUTO_TEST_CASE(from_one_block_to_another) {
    // Block 0 writes p[1] and sets p[0]; block 1 waits for it and reads p[1].
    const auto flag = [](const std::string& before, const std::string& set, const std::string& look, const std::string& after) {
        return "@!%p1 ret;\n@!%p3 bra W;\nst.global.u32 [%d1+4], 7;\n" + before + set + "ret;\nW:\n" + look +
               "setp.eq.u32 %p5, %r8, 0;\n@%p5 bra W;\n" + after + "ld.global.u32 %r9, [%d1+4];";
    };
    const std::string spin = "ld.volatile.global.u32 %r8, [%d1];\n";
    const case_of all[] = {
        {"a fence and a volatile flag", flag(fence, "st.volatile.global.u32 [%d1], 1;\n", spin, fence), {2}, {32}, false},
        {"no fence", flag("", "st.volatile.global.u32 [%d1], 1;\n", spin, fence), {2}, {32}, true},
        {"release and acquire",
         flag("", "st.release.gpu.global.u32 [%d1], 1;\n", "ld.acquire.gpu.global.u32 %r8, [%d1];\n", ""),
         {2},
         {32},
         false},
        {"membar and an exchange",
         flag("membar.gl;\n", "atom.global.exch.b32 %r10, [%d1], 1;\n", "atom.global.add.u32 %r8, [%d1], 0;\n", ""),
         {2},
         {32},
         false},
        {"red.release", flag("", "red.release.gpu.global.add.u32 [%d1], 1;\n", spin, fence), {2}, {32}, false},
        {"a flag elsewhere",
         flag(fence, "st.volatile.global.u32 [%d1+8], 1;\nst.global.u32 [%d1+4], 8;\nst.volatile.global.u32 [%d1], 1;\n", spin, fence),
         {2},
         {32},
         true},
        {"written after the release",
         flag("", "st.release.gpu.global.u32 [%d1], 1;\nst.global.u32 [%d1+4], 8;\n", "ld.acquire.gpu.global.u32 %r8, [%d1];\n", ""),
         {2},
         {32},
         true},
    };
    for (const case_of& of : all) check(of);
    // What a barrier brought to the thread that releases goes with it, and what it acquires goes on by a barrier.
    check({"barriers on both sides",
           "@!%p3 bra W;\nmul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d2, %d1;\nst.global.u32 [%d2+64], %r1;\nbar.sync 0;\n@!%p1 ret;\n" +
               fence +
               "st.relaxed.gpu.global.u32 [%d1], 1;\nret;\nW:\n@!%p1 bra B;\nL:\nld.relaxed.gpu.global.u32 %r8, [%d1];\nsetp.eq.u32 %p5, "
               "%r8, 0;\n@%p5 bra L;\n" +
               fence +
               "B:\nbar.sync 0;\nxor.b32 %r9, %r1, 33;\nmul.wide.u32 %d2, %r9, 4; add.s64 %d2, %d2, %d1;\nld.global.u32 %r9, [%d2+64];",
           {2},
           {64},
           false});
}

BOOST_AUTO_TEST_CASE(copies_and_memory_barriers) {
    const std::string prepare = "mov.u32 %r12, m;\n@%p1 mbarrier.init.shared.b64 [%r12], 64;\nbar.sync 0;\n";
    const std::string arrive = "mbarrier.arrive.shared.b64 %d5, [%r12];\n";
    const std::string wait = "W:\nmbarrier.try_wait.shared.b64 %p5, [%r12], %d5;\n@!%p5 bra W;\n";
    const std::string copy = "mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d2, %d1;\ncp.async.ca.shared.global [%r4], [%d2], 4;\n";
    const std::string bulk_at_once =
        "mov.u32 %r12, m;\n@%p1 mbarrier.init.shared.b64 [%r12], 1;\n@!%p1 bra B;\nmbarrier.arrive.expect_tx.shared.b64 %d5, [%r12], "
        "64;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%d1], 64, [%r12];\nB:\nbar.sync 0;\n";
    const std::string bulk = "bar.sync 0;\n" + bulk_at_once;
    const std::string parity = "V:\nmbarrier.try_wait.parity.shared.b64 %p5, [%r12], 0;\n@!%p5 bra V;\n";
    const std::string read = "ld.shared.u32 %r8, [s];\n";
    const case_of all[] = {
        {"an mbarrier", prepare + store + arrive + wait + across + fetch, {1}, {64}, false},
        {"nobody waits", prepare + store + arrive + across + fetch, {1}, {64}, true},
        {"an mbarrier that is used at once", "mov.u32 %r12, m;\n@%p1 mbarrier.init.shared.b64 [%r12], 64;\n" + arrive, {1}, {32}, true},
        {"cp.async", copy + "cp.async.wait_all;\nbar.sync 0;\n" + across + fetch, {1}, {64}, false},
        {"cp.async and no barrier", copy + "cp.async.wait_all;\n" + across + fetch, {1}, {64}, true, {"cp.async"}},
        {"a barrier before the wait",
         "@%p2 bra A;\n" + copy + "A:\nbar.sync 0;\n@!%p2 cp.async.wait_all;\n" + across + "@%p2 " + fetch,
         {1},
         {64},
         true,
         {"cp.async"}},
        {"cp.async and an mbarrier",
         prepare + copy + "cp.async.mbarrier.arrive.shared.b64 [%r12];\n" + arrive + wait + across + fetch,
         {1},
         {64},
         false},
        {"a bulk copy", bulk + parity + read, {1}, {64}, false},
        {"a bulk copy over what others still read", "@!%p1 ld.shared.u32 %r8, [s+4];\n" + bulk_at_once + parity + read, {1}, {64}, true},
        {"a bulk copy after a barrier", "@!%p1 ld.shared.u32 %r8, [s+4];\n" + bulk + parity + read, {1}, {64}, false},
        {"one waits for a bulk copy, others have no barrier", bulk + "@!%p2 bra R;\n" + parity + "R:\n" + read, {1}, {64}, true},
        {"one waits for a bulk copy, and a barrier", bulk + "@!%p2 bra R;\n" + parity + "R:\nbar.sync 0;\n" + read, {1}, {64}, false},
    };
    for (const case_of& of : all) check(of);
}

BOOST_AUTO_TEST_CASE(launches_are_in_order) {
    ptx_module m{kernel("@%p1 st.global.u32 [%d1], %r3;\n@%p1 ld.global.u32 %r8, [%d1];")};
    const device_array<int> p{100, 0};
    host::set_ptx_options(racing{});
    for (int i = 0; i < 3; ++i) CHECK_OK(m.run("k", {1}, {32}, 0, p.address()));
    host::set_ptx_options({});
}

BOOST_AUTO_TEST_CASE(none_in_correct_kernels) {
    for (const char* const target : {"75", "100"}) {
        ptx_module m{test::file("executor/features_" + std::string{target} + ".ptx"), target[0] == '1' ? 10 : 9};
        host::set_ptx_options(racing{true});
        std::vector<int> numbers(512);
        std::iota(numbers.begin(), numbers.end(), 1);
        const device_array<int> in{numbers}, out{1, 0}, more{600}, lock{1, 0}, count{1, 0};
        const device_array<float> a{48 * 48, 1.0f}, b{48 * 48, 2.0f}, c{48 * 48};
        CHECK_OK(m.run("recursion", {1}, {64}, 0, more.address()));
        CHECK_OK(m.run("heap", {1}, {40}, 0, more.address()));
        CHECK_OK(m.run("spin_lock", {5}, {96}, 0, lock.address(), count.address()));
        CHECK_OK(m.run("warp_sums", {4}, {128}, 0, in.address(), out.address()));
        CHECK_OK(m.run("divergent_shuffle", {1}, {32}, 0, more.address()));
        CHECK_OK(m.run("block_scan", {2}, {256}, 0, in.address()));
        CHECK_OK(m.run_cooperatively("grid_sum", {8}, {64}, more.address(), 512));
        CHECK_OK(m.run("matrix_product", {3, 3}, {16, 16}, 0, a.address(), b.address(), c.address(), 48));
        BOOST_TEST(host::last_ptx_fault() == "");
        host::set_ptx_options({});
    }
    ptx_module m{test::file("executor/features_hopper.ptx")};
    host::set_ptx_options(racing{true});
    const device_array<int> in{256, 1}, sums{2}, waits{128}, from{1024, 3}, to{1024};
    const device_array<std::uint16_t> a{256, std::uint16_t{0x3c00}}, b{256, std::uint16_t{0x4000}};
    const device_array<float> c{256};
    CHECK_OK(m.run_in_clusters(4, "cluster_sum", {8}, {32}, in.address(), sums.address()));
    CHECK_OK(m.run("memory_barrier", {1}, {128}, 0, waits.address()));
    CHECK_OK(m.run("pipeline", {1}, {64}, 0, from.address(), to.address()));
    CHECK_OK(m.run("wmma_product", {1}, {32}, 0, a.address(), b.address(), c.address()));
    CHECK_OK(m.run("mma_product", {1}, {32}, 0, a.address(), b.address(), c.address()));
    BOOST_TEST(host::last_ptx_fault() == "");
    host::set_ptx_options({});
}

BOOST_AUTO_TEST_CASE(correct_kernels_without_one_of_their_barriers) {
    const std::string text = test::file("executor/features_75.ptx");
    const struct {
        const char* name;
        unsigned barriers, needed; ///< block_scan can do without its last one: each thread reads then what it wrote itself
    } all[] = {{"block_scan", 9, 8}, {"matrix_product", 2, 2}};
    for (const auto& k : all) BOOST_TEST_CONTEXT(k.name) {
            const std::size_t first = text.find(".entry " + std::string{k.name} + "("), last = text.find("\n}", first);
            BOOST_TEST_REQUIRE(last != std::string::npos);
            unsigned barriers = 0, found = 0;
            for (std::size_t at = text.find("bar.sync", first); at < last; at = text.find("bar.sync", at + 1)) {
                std::string without = text;
                without.replace(at, text.find(';', at) + 1 - at, "");
                ptx_module m{without};
                host::set_ptx_options(racing{});
                std::vector<int> numbers(2 * 256);
                std::iota(numbers.begin(), numbers.end(), 1);
                const device_array<int> data{numbers};
                const device_array<float> a{32 * 32, 1.0f}, b{32 * 32, 2.0f}, c{32 * 32};
                if (std::string{k.name} == "matrix_product")
                    m.run(k.name, {2, 2}, {16, 16}, 0, a.address(), b.address(), c.address(), 32);
                else
                    m.run(k.name, {2}, {256}, 0, data.address());
                host::set_ptx_options({});
                ++barriers;
                found += host::last_ptx_fault().rfind("A race: ", 0) == 0 ? 1 : 0;
            }
            BOOST_TEST(barriers == k.barriers);
            BOOST_TEST(found == k.needed);
        }
}
