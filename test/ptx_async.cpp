// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What goes on by itself: bulk copies and reductions, asynchronous stores, their mbarriers and groups, in blocks and in
// clusters. On a GPU, too; the executor also finds that a wait is missing.

#define BOOST_TEST_MODULE ptx_async
#include <boost/test/unit_test.hpp>

#include "support/ptx_module.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace {

const std::string head = ".version 8.6\n.target sm_90\n.address_size 64\n"
                         ".shared .align 128 .b8 room[2048];\n.shared .align 8 .b64 bar;\n";

/// A kernel with pointers in and out: %in and %out of 64 bits, %me, %lead for thread 0, registers to use.
std::string kernel(const std::string& name, const std::string& body) {
    return ".visible .entry " + name +
           "(.param .u64 pin, .param .u64 pout) {\n.reg .b64 %in, %out, %d<9>; .reg .b32 %me, %bar, %room, %r<19>; .reg .b16 %h<3>; .reg "
           ".pred %lead, %p<5>; .reg .f32 %f<5>;\nld.param.u64 %in, [pin]; ld.param.u64 %out, [pout]; mov.u32 %me, %tid.x; mov.u32 %bar, "
           "bar; mov.u32 %room, room; setp.eq.u32 %lead, %me, 0;\n" +
           body + "\nret;\n}\n";
}
/// The mbarrier for so many arrivals, seen by all.
std::string init(unsigned count) {
    return "@%lead mbarrier.init.shared::cta.b64 [%bar], " + std::to_string(count) +
           ";\n@%lead fence.mbarrier_init.release.cluster;\n@%lead fence.proxy.async;\nbar.sync 0;\n";
}
/// Waits for phase 0 to end.
const std::string till_phase = "W: mbarrier.try_wait.parity.shared::cta.b64 %p0, [%bar], 0;\n@!%p0 bra W;\n";
/// out[tid] = the word of the room, which threads have 4 bytes of each.
const std::string give = "shl.b32 %r0, %me, 2; add.u32 %r1, %room, %r0; ld.shared.b32 %r2, [%r1]; cvt.u64.u32 %d0, %r0; add.u64 %d0, "
                         "%out, %d0; st.global.b32 [%d0], %r2;\n";
const std::string take = "shl.b32 %r0, %me, 2; add.u32 %r1, %room, %r0; cvt.u64.u32 %d0, %r0; add.u64 %d0, %in, %d0; ld.global.b32 %r2, "
                         "[%d0]; st.shared.b32 [%r1], %r2;\nfence.proxy.async; bar.sync 0;\n";
const std::string bytes = "mbarrier::complete_tx::bytes";

std::vector<unsigned> numbers(std::size_t n, unsigned first = 1) {
    std::vector<unsigned> out(n);
    std::iota(out.begin(), out.end(), first);
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(bulk_loads) {
    const std::string begin =
        "@!%lead bra G;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 256;\ncp.async.bulk.shared::cluster.global." + bytes +
        " [%room], [%in], 128, [%bar];\ncp.async.bulk.shared::cluster.global." + bytes + " [%room+128], [%in+128], 128, [%bar];\nG:\n";
    ptx_module m{head + kernel("load", init(1) + begin + till_phase + give) + kernel("careless", init(1) + begin + give)};
    const device_array<unsigned> in{numbers(64)}, out{64};
    CHECK_OK(m.run("load", {1}, {64}, 0, in.address(), out.address()));
    BOOST_TEST(out.values() == numbers(64), boost::test_tools::per_element());
    if (!on_host()) return; // there, what is wrong may go well
    BOOST_TEST(m.run("careless", {1}, {64}, 0, in.address(), out.address()) == status::launch_failed);
    BOOST_TEST(host::last_ptx_fault().find("a wait is missing") != std::string::npos, host::last_ptx_fault());
}

BOOST_AUTO_TEST_CASE(a_copy_that_no_phase_counts) {
    if (!on_host()) return;
    ptx_module m{
        head +
        kernel("uncounted", init(1) + "@!%lead bra G;\nmbarrier.arrive.shared::cta.b64 _, [%bar];\ncp.async.bulk.shared::cluster.global." +
                                bytes + " [%room], [%in], 256, [%bar];\nG:\n" + till_phase + give)};
    const device_array<unsigned> in{numbers(64)}, out{64};
    BOOST_TEST(m.run("uncounted", {1}, {64}, 0, in.address(), out.address()) == status::launch_failed);
    BOOST_TEST(host::last_ptx_fault().find("a wait is missing") != std::string::npos, host::last_ptx_fault());
}

BOOST_AUTO_TEST_CASE(bulk_stores) {
    const std::string copy =
        "@!%lead bra G;\ncp.async.bulk.global.shared::cta.bulk_group [%out], [%room], 256;\ncp.async.bulk.commit_group;\n";
    const std::string spoil = "mov.b32 %r5, 77; st.shared.b32 [%room], %r5;\n";
    ptx_module m{head + kernel("store", take + copy + "cp.async.bulk.wait_group.read 0;\n" + spoil + "G:\n") +
                 kernel("careless", take + copy + spoil + "cp.async.bulk.wait_group 0;\nG:\n") +
                 kernel("two", take + copy +
                                   "cp.async.bulk.global.shared::cta.bulk_group [%out+256], [%room], 16;\ncp.async.bulk.commit_group;\n"
                                   "cp.async.bulk.wait_group 1;\nld.global.b32 %r5, [%out+252]; st.global.b32 [%out+300], %r5;\nG:\n")};
    const device_array<unsigned> in{numbers(64)}, out{64}, both{80, 5u};
    CHECK_OK(m.run("store", {1}, {64}, 0, in.address(), out.address()));
    BOOST_TEST(out.values() == numbers(64), boost::test_tools::per_element());
    CHECK_OK(m.run("two", {1}, {64}, 0, in.address(), both.address()));
    const auto got = both.values();
    BOOST_TEST((got[63] == 64u && got[64] == 1u && got[67] == 4u && got[68] == 5u && got[75] == 64u));
    if (!on_host()) return;
    CHECK_OK(m.run("careless", {1}, {64}, 0, in.address(), out.address()));
    BOOST_TEST(out.values()[0] == 77u); // it is as late as it may be
}

BOOST_AUTO_TEST_CASE(bulk_reductions) {
    ptx_module m{head +
                 kernel("sum", take + "@!%lead bra G;\ncp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%room], "
                                      "256;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nG:\n") +
                 kernel("floats", take + "@!%lead bra G;\ncp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%out], [%room], "
                                         "256;\ncp.async.bulk.commit_group;\nG:\n") + // the end of the thread waits, too
                 kernel("largest", take + init(1) +
                                       "@!%lead bra G;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], "
                                       "128;\ncp.reduce.async.bulk.shared::cluster.shared::cta." +
                                       bytes + ".max.u32 [%room], [%room+128], 128, [%bar];\nG:\n" + till_phase + give)};
    const device_array<unsigned> in{numbers(64)}, out{64, 100u}, most{64};
    CHECK_OK(m.run("sum", {1}, {64}, 0, in.address(), out.address()));
    CHECK_OK(m.run("sum", {3}, {64}, 0, in.address(), out.address()));
    const auto sums = out.values();
    for (unsigned i = 0; i < 64; ++i) BOOST_TEST(sums[i] == 100 + 4 * (i + 1));
    const device_array<float> ones{64, 1.5f}, total{64, 0.25f};
    CHECK_OK(m.run("floats", {4}, {64}, 0, ones.address(), total.address()));
    BOOST_TEST(total.values() == std::vector<float>(64, 6.25f), boost::test_tools::per_element());
    CHECK_OK(m.run_in_clusters(2, "largest", {2}, {64}, in.address(), most.address()));
    const auto larger = most.values();
    for (unsigned i = 0; i < 64; ++i) BOOST_TEST(larger[i] == (i < 32 ? i + 33 : i + 1));
}

/// Each block tells its right neighbour, which waits at an mbarrier of its own.
BOOST_AUTO_TEST_CASE(stores_into_other_blocks) {
    const std::string neighbour = "mov.u32 %r3, %cluster_ctarank; add.u32 %r4, %r3, 1; and.b32 %r4, %r4, 3;\nmapa.shared::cluster.u32 %r5, "
                                  "%room, %r4; mapa.shared::cluster.u32 %r6, %bar, %r4;\n";
    const std::string together = "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;\n";
    const std::string mine = "mov.u32 %r7, %ctaid.x; shl.b32 %r8, %r7, 7; cvt.u64.u32 %d1, %r8; add.u64 %out, %out, %d1;\n"; // 32 words
    const std::string expect = "@%lead mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], ";
    ptx_module m{
        head +
        kernel("store", init(1) + mine + expect + "128;\n" + together + neighbour +
                            "shl.b32 %r9, %me, 2; add.u32 %r5, %r5, %r9; mad.lo.u32 %r10, %r3, 100, %me;\nst.async.weak.shared::cluster." +
                            bytes + ".u32 [%r5], %r10, [%r6];\n" + till_phase + give + together) +
        kernel("add", "shl.b32 %r9, %me, 2; add.u32 %r1, %room, %r9; mov.b32 %r2, 1000; st.shared.b32 [%r1], %r2;\n" + init(1) + mine +
                          expect + "256;\n" + together + neighbour +
                          "and.b32 %r9, %r9, 63; add.u32 %r5, %r5, %r9;\nred.async.relaxed.cluster.shared::cluster." + bytes +
                          ".add.u32 [%r5], %me, [%r6];\nred.async.relaxed.cluster.shared::cluster." + bytes +
                          ".add.u32 [%r5], 5, [%r6];\n" + till_phase + give + together) +
        kernel("copy", init(1) + mine + expect + "128;\n" + together + neighbour +
                           "@!%lead bra G;\nmov.u32 %r11, room; add.u32 %r11, %r11, 1024; mov.b32 %r12, %r3;\nst.shared.b32 [%r11], %r12; "
                           "st.shared.b32 [%r11+124], %r12; fence.proxy.async;\ncp.async.bulk.shared::cluster.shared::cta." +
                           bytes + " [%r5], [%r11], 128, [%r6];\nG:\n" + till_phase + give + together) +
        kernel("multicast", init(1) + mine + expect + "128;\n" + together +
                                "mov.u32 %r3, %cluster_ctarank; setp.eq.and.u32 %p1, %r3, 1, %lead; mov.b16 %h0, 13;\n@%p1 "
                                "cp.async.bulk.shared::cluster.global." +
                                bytes + ".multicast::cluster [%room], [%in], 128, [%bar], %h0;\nsetp.eq.u32 %p2, %r3, 1;\n@%p2 bra E;\n" +
                                till_phase + give + "E:\n" + together) +
        kernel("arrive",
               init(128) + mine + "mov.u32 %r3, 0; mapa.shared::cluster.u32 %r6, %bar, %r3;\n" + together +
                   "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];\nmov.u32 %r3, %cluster_ctarank; setp.ne.u32 "
                   "%p1, %r3, 0;\n@%p1 bra E;\n" +
                   till_phase +
                   "mov.b32 %r2, 9; shl.b32 %r0, %me, 2; cvt.u64.u32 %d0, %r0; add.u64 %d0, %out, %d0; st.global.b32 [%d0], %r2;\nE:\n" +
                   together)};
    const device_array<unsigned> in{numbers(32)}, out{4 * 32, 0u};
    CHECK_OK(m.run_in_clusters(4, "store", {4}, {32}, in.address(), out.address()));
    auto got = out.values();
    for (unsigned i = 0; i < 128; ++i) BOOST_TEST(got[i] == (i / 32 + 3) % 4 * 100 + i % 32);
    CHECK_OK(m.run_in_clusters(4, "add", {4}, {32}, in.address(), out.address()));
    got = out.values();
    for (unsigned i = 0; i < 128; ++i) BOOST_TEST(got[i] == (i % 32 < 16 ? 1000 + i % 32 + i % 32 + 16 + 10 : 1000));
    CHECK_OK(m.run_in_clusters(4, "copy", {4}, {32}, in.address(), out.address()));
    got = out.values();
    for (unsigned b = 0; b < 4; ++b) BOOST_TEST((got[32 * b] == (b + 3) % 4 && got[32 * b + 31] == (b + 3) % 4));
    const device_array<unsigned> cast{4 * 32, 3u};
    CHECK_OK(m.run_in_clusters(4, "multicast", {4}, {32}, in.address(), cast.address()));
    got = cast.values();
    for (unsigned i = 0; i < 128; ++i) BOOST_TEST(got[i] == (i / 32 == 1 ? 3 : i % 32 + 1));
    CHECK_OK(m.run_in_clusters(4, "arrive", {4}, {32}, in.address(), cast.address()));
    got = cast.values();
    for (unsigned i = 0; i < 32; ++i) BOOST_TEST(got[i] == 9u);
}

BOOST_AUTO_TEST_CASE(masks_of_bytes_and_zeros) {
    if (!on_host()) return; // sm_100
    const std::string newer =
        ".version 8.7\n.target sm_100\n.address_size 64\n.shared .align 128 .b8 room[2048];\n.shared .align 8 .b64 bar;\n";
    ptx_module m{newer +
                     kernel("masked", take + "@!%lead bra G;\nmov.b16 %h0, 0x00f0;\ncp.async.bulk.global.shared::cta.bulk_group.cp_mask "
                                             "[%out], [%room], 256, %h0;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nG:\n") +
                     kernel("zeros", take + "@%lead st.bulk.weak.shared::cta [%room+128], 64, 0;\nbar.sync 0;\n" + give),
                 10};
    const device_array<unsigned> in{numbers(64)}, out{64, 9u};
    CHECK_OK(m.run("masked", {1}, {64}, 0, in.address(), out.address()));
    auto got = out.values();
    for (unsigned i = 0; i < 64; ++i) BOOST_TEST(got[i] == (i % 4 == 1 ? i + 1 : 9));
    CHECK_OK(m.run("zeros", {1}, {64}, 0, in.address(), out.address()));
    got = out.values();
    for (unsigned i = 0; i < 64; ++i) BOOST_TEST(got[i] == (i >= 32 && i < 48 ? 0 : i + 1));
}

/// cp.async whose end an mbarrier is told.
BOOST_AUTO_TEST_CASE(copies_that_arrive) {
    const std::string copy = "shl.b32 %r0, %me, 2; add.u32 %r1, %room, %r0; cvt.u64.u32 %d0, %r0; add.u64 %d0, %in, %d0;\n"
                             "cp.async.ca.shared.global [%r1], [%d0], 4;\n";
    const std::string reversed =
        "sub.u32 %r3, 63, %me; shl.b32 %r3, %r3, 2; add.u32 %r3, %room, %r3; ld.shared.b32 %r2, [%r3]; cvt.u64.u32 "
        "%d0, %r0; add.u64 %d0, %out, %d0; st.global.b32 [%d0], %r2;\n";
    ptx_module m{
        head + kernel("counted", init(64) + copy + "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%bar];\n" + till_phase + reversed) +
        kernel("extra", init(64) + copy + "cp.async.mbarrier.arrive.shared::cta.b64 [%bar];\nmbarrier.arrive.shared::cta.b64 _, [%bar];\n" +
                            till_phase + reversed) +
        kernel("careless", init(64) + copy + "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%bar];\nbar.sync 0;\n" + reversed)};
    const device_array<unsigned> in{numbers(64)}, out{64};
    for (const char* good : {"counted", "extra"}) {
        CHECK_OK(m.run(good, {2}, {64}, 0, in.address(), out.address()));
        const auto got = out.values();
        for (unsigned i = 0; i < 64; ++i) BOOST_TEST(got[i] == 64 - i);
    }
    if (!on_host()) return;
    BOOST_TEST(m.run("careless", {1}, {64}, 0, in.address(), out.address()) == status::launch_failed);
    BOOST_TEST(host::last_ptx_fault().find("a wait is missing") != std::string::npos, host::last_ptx_fault());
}

/// All that can be done to an mbarrier, by one thread; what it sees.
BOOST_AUTO_TEST_CASE(mbarriers) {
    const auto note = [](int at, const char* predicate) {
        return std::string{"selp.b32 %r5, 1, 0, "} + predicate + "; st.global.b32 [%out+" + std::to_string(4 * at) + "], %r5;\n";
    };
    ptx_module m{
        head +
        kernel(
            "k",
            "mbarrier.init.shared.b64 [%bar], 3;\nmbarrier.arrive.shared.b64 %d0, [%bar];\nmbarrier.pending_count.b64 %r5, %d0; "
            "st.global.b32 [%out], %r5;\n" // before it: 3
            "mbarrier.arrive.noComplete.shared.b64 %d1, [%bar], 1;\nmbarrier.pending_count.b64 %r5, %d1; st.global.b32 [%out+4], "
            "%r5;\nmbarrier.test_wait.shared.b64 %p0, [%bar], %d1;\n" + // 2, one is left
                note(2, "%p0") +
                "mbarrier.arrive_drop.shared.b64 %d2, [%bar];\nmbarrier.test_wait.shared.b64 %p0, [%bar], %d1;\n" + // ended
                note(3, "%p0") +
                "mbarrier.test_wait.parity.shared.b64 %p0, [%bar], 0;\nmbarrier.test_wait.parity.shared.b64 %p1, [%bar], 1;\n" +
                note(4, "%p0") + note(5, "%p1") +
                // From now on 2 arrive; 64 bytes are expected, so that the second does not end it.
                "mbarrier.arrive.expect_tx.shared.b64 %d3, [%bar], 64;\nmbarrier.pending_count.b64 %r5, %d3; st.global.b32 "
                "[%out+24], %r5;\nmbarrier.arrive.shared.b64 _, [%bar];\nmbarrier.test_wait.shared.b64 %p0, [%bar], %d3;\n" +
                note(7, "%p0") +
                "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%bar], 40;\nmbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%bar], "
                "24;\nmbarrier.test_wait.shared.b64 %p0, [%bar], %d3;\n" +
                note(8, "%p0") +
                // One of the 2 drops and expects 16; expect_tx adds 16.
                "mbarrier.arrive_drop.expect_tx.shared.b64 %d4, [%bar], 16;\nmbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%bar], 16;\n"
                "mbarrier.arrive.shared.b64 _, [%bar];\nmbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%bar], "
                "32;\nmbarrier.test_wait.shared.b64 %p0, [%bar], %d4;\n" +
                note(9, "%p0") +
                // 1 is left for the next phase.
                "mbarrier.arrive.shared.b64 %d5, [%bar];\nmbarrier.test_wait.shared.b64 %p0, [%bar], %d5;\n" + note(10, "%p0") +
                "mbarrier.inval.shared.b64 [%bar];\n")};
    const device_array<unsigned> in{1}, out{11};
    CHECK_OK(m.run("k", {1}, {1}, 0, in.address(), out.address()));
    BOOST_TEST(out.values() == (std::vector<unsigned>{3, 2, 0, 1, 1, 0, 2, 0, 1, 1, 1}), boost::test_tools::per_element());
}
