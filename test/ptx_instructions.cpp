// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Instructions that compilers write seldom, with values worked out by hand: the stack, floats of 6 and 4 bits, random rounding,
// mixed precision, SIMD video instructions with selectors; and how constants and registers may be written.

#define BOOST_TEST_MODULE ptx_instructions
#include <boost/test/unit_test.hpp>

#include "support/ptx_module.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

/// Kernel `k` of a body that has its answers in %r0, %r1, ... : `count` words a thread. %me is the thread.
std::string module_of(const std::string& body, unsigned count, const std::string& target = "sm_100a") {
    std::string text = ".version 9.0\n.target " + target +
                       "\n.address_size 64\n.visible .entry k(.param .u64 pout) {\n.reg .b64 %out, %d<9>; .reg .b32 %me, %r<29>; .reg .b16 "
                       "%h<9>; .reg .f32 %f<9>; .reg .pred %p<5>;\nmov.u32 %me, %tid.x;\n" +
                       body + "\nld.param.u64 %out, [pout]; mad.wide.u32 %out, %me, " + std::to_string(4 * count) + ", %out;\n";
    for (unsigned i = 0; i < count; ++i) text += "st.global.b32 [%out+" + std::to_string(4 * i) + "], %r" + std::to_string(i) + ";\n";
    return text + "ret;\n}\n";
}
std::vector<std::uint32_t> answers(const std::string& body, unsigned count, unsigned threads = 1, const std::string& target = "sm_100a") {
    ptx_module m{module_of(body, count, target), 10};
    const device_array<std::uint32_t> out{std::size_t{count} * threads};
    CHECK_OK(m.run("k", {1}, {threads}, 0, out.address()));
    return out.values();
}
std::string fault_of(const std::string& body) {
    ptx_module m{module_of(body, 1), 10};
    const device_array<std::uint32_t> out{64};
    BOOST_TEST(m.run("k", {1}, {32}, 0, out.address()) != status::success);
    return host::last_ptx_fault();
}
std::string hex(float v) {
    char text[16];
    std::snprintf(text, sizeof text, "0f%08x", std::bit_cast<std::uint32_t>(v));
    return text;
}
using words = std::vector<std::uint32_t>;

} // namespace

BOOST_AUTO_TEST_CASE(the_stack) {
    // Each lane has 8 bytes more than the one before it; they do not overlap, and all is as it was after a restore.
    const auto got = answers("stacksave.u64 %d0; mad.lo.u32 %r5, %me, 8, 8; cvt.u64.u32 %d1, %r5; alloca.u64 %d2, %d1, 16;\n"
                             "alloca.u64 %d3, 8; st.local.u32 [%d2], %me; add.u32 %r6, %me, 100; st.local.u32 [%d3], %r6;\n"
                             "ld.local.u32 %r0, [%d2]; sub.u64 %d4, %d3, %d2; cvt.u32.u64 %r1, %d4; and.b64 %d5, %d2, 15; cvt.u32.u64 "
                             "%r2, %d5;\nmov.b32 %r7, 0;\nL: add.u32 %r7, %r7, 1; stacksave.u64 %d6; alloca.u64 %d7, 4096; st.local.u32 "
                             "[%d7+4092], %r7; stackrestore.u64 %d6; setp.lt.u32 %p0, %r7, 1000;\n@%p0 bra L;\n"
                             "stackrestore.u64 %d0; stacksave.u64 %d8; setp.eq.u64 %p1, %d8, %d0; selp.b32 %r3, 1, 0, %p1;",
                             4, 32);
    for (unsigned i = 0; i < 32; ++i) {
        BOOST_TEST(got[4 * i] == i);
        BOOST_TEST((got[4 * i + 1] >= 8 * i + 8 && got[4 * i + 1] < 8 * i + 24)); // behind the first, aligned
        BOOST_TEST(got[4 * i + 2] == 0u);
        BOOST_TEST(got[4 * i + 3] == 1u);
    }
    BOOST_TEST(
        fault_of("stacksave.u64 %d0; alloca.u64 %d1, 64; stackrestore.u64 %d0; ld.local.b32 %r0, [%d1];").find("thread's local memory") !=
        std::string::npos);
    BOOST_TEST(fault_of("alloca.u64 %d1, 0x100000; mov.b32 %r0, 0;").find("stack overflow") != std::string::npos);
    BOOST_TEST(fault_of("stacksave.u64 %d0; add.u64 %d0, %d0, 64; stackrestore.u64 %d0; mov.b32 %r0, 0;").find("stackrestore to ") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(floats_of_six_and_four_bits) {
    const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const struct {
        float v;
        std::uint32_t e2m3, e3m2, e2m1;
    } all[] = {{0, 0, 0, 0},
               {-0.0f, 0x20, 0x20, 8},
               {1, 0x08, 0x0c, 2},
               {-1.5f, 0x2c, 0x2e, 0xb},
               {6, 0x1c, 0x16, 7},
               {7.5f, 0x1f, 0x18, 7}, // the largest e2m3; halfway between 7 and 8: even; beyond e2m1
               {100, 0x1f, 0x1f, 7},  // the largest of each
               {-infinity, 0x3f, 0x3f, 0xf},
               {nan, 0x1f, 0x1f, 7},
               {0.125f, 0x01, 0x02, 0},  // the smallest e2m3
               {0.0625f, 0x00, 0x01, 0}, // halfway to it: even; the smallest e3m2
               {0.25f, 0x02, 0x04, 0},   // halfway to the smallest e2m1: even
               {0.75f, 0x06, 0x0a, 2}};  // halfway between 0.5 and 1: even
    for (const auto& one : all) {
        const std::string a = "mov.f32 %f0, " + hex(one.v) + "; mov.f32 %f1, " + hex(1.0f) + ";\n";
        const auto got =
            answers(a + "cvt.rn.satfinite.e2m3x2.f32 %h0, %f0, %f1; cvt.u32.u16 %r0, %h0; cvt.rn.satfinite.e3m2x2.f32 %h0, %f0, "
                        "%f1; cvt.u32.u16 %r1, %h0;\n{ .reg .b8 b; cvt.rn.satfinite.e2m1x2.f32 b, %f0, %f1; mov.b16 %h1, {b, b}; "
                        "cvt.u32.u16 %r2, %h1; cvt.rn.f16x2.e2m1x2 %r5, b; }\ncvt.rn.satfinite.relu.e3m2x2.f32 %h2, %f0, %f1; "
                        "cvt.u32.u16 %r3, %h2;\nmov.b32 {%h3, %h4}, %r5; cvt.f32.f16 %f2, %h4; mov.b32 %r4, %f2;",
                    5);
        BOOST_TEST_CONTEXT(one.v) {
            BOOST_TEST(got[0] == (one.e2m3 << 8 | 0x08));
            BOOST_TEST(got[1] == (one.e3m2 << 8 | 0x0c));
            const std::uint32_t four = one.e2m1 << 4 | 2;
            BOOST_TEST(got[2] == (four << 8 | four));
            BOOST_TEST(got[3] == ((one.v < 0 || one.e3m2 == 0x20 ? 0 : one.e3m2) << 8 | 0x0c));
            const float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
            const float back = (one.e2m1 & 8) != 0 ? -values[one.e2m1 & 7] : values[one.e2m1 & 7];
            BOOST_TEST(got[4] == std::bit_cast<std::uint32_t>(back));
        }
    }
    // Back: 0.125 and -28, 0.875 and -1.
    BOOST_TEST(answers("mov.b16 %h0, 0x3f02; cvt.rn.f16x2.e3m2x2 %r0, %h0; mov.b16 %h0, 0x2807; cvt.rn.f16x2.e2m3x2 %r1, %h0; "
                       "mov.b16 %h0, 0x3f02; cvt.rn.relu.f16x2.e3m2x2 %r2, %h0;",
                       3) == (words{0xcf003000, 0xbc003b00, 0x00003000}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(powers_of_two) {
    const float infinity = std::numeric_limits<float>::infinity();
    const struct {
        float v;
        std::uint32_t down, up, up_bounded;
    } all[] = {{1, 127, 127, 127},   {-1.5f, 127, 128, 128}, {3.9999f, 128, 129, 129},    {0, 0, 0, 0},
               {0x1p-127f, 0, 0, 0}, {0x1.8p-127f, 0, 1, 1}, {0x1.8p127f, 254, 255, 254}, {infinity, 255, 255, 254}};
    for (const auto& one : all) {
        const auto got =
            answers("mov.f32 %f0, " + hex(one.v) +
                        "; mov.f32 %f1, 0f40000000;\ncvt.rz.ue8m0x2.f32 %h0, %f0, %f1; cvt.u32.u16 %r0, %h0; cvt.rp.ue8m0x2.f32 "
                        "%h0, %f0, %f1; cvt.u32.u16 %r1, %h0; cvt.rp.satfinite.ue8m0x2.f32 %h0, %f0, %f1; cvt.u32.u16 %r2, %h0;",
                    3);
        BOOST_TEST(got == (words{one.down << 8 | 128, one.up << 8 | 128, one.up_bounded << 8 | 128}), boost::test_tools::per_element());
    }
    // bf16 both ways: 2^-127 and 2^127 of 0x00fe; of 3.0 and -0.5.
    BOOST_TEST(answers("mov.b16 %h0, 0x00fe; cvt.rn.bf16x2.ue8m0x2 %r0, %h0; mov.b16 %h0, 0xff7f; cvt.rn.bf16x2.ue8m0x2 %r1, %h0;\n"
                       "mov.b32 %r5, 0x4040bf00; cvt.rp.ue8m0x2.bf16x2 %h1, %r5; cvt.u32.u16 %r2, %h1; cvt.rz.ue8m0x2.bf16x2 %h1, %r5; "
                       "cvt.u32.u16 %r3, %h1;",
                       4) == (words{0x00407f00, 0x7fff3f80, 0x817e, 0x807e}),
               boost::test_tools::per_element());
}

/// .rs: what is cut off plus the random bits, and whether that makes one.
BOOST_AUTO_TEST_CASE(random_rounding) {
    const auto rounded = [](const std::string& values, const std::string& how, const char* operands, std::uint32_t bits) {
        const bool four = how.ends_with("2m1x4.f32"); // into 16 bits
        return answers(values + "mov.b32 %r20, " + std::to_string(bits) + ";\ncvt.rs" + how + (four ? " %h0, " : " %r0, ") + operands +
                           ", %r20;\n" + (four ? "cvt.u32.u16 %r0, %h0;" : ""),
                       1)
            .front();
    };
    const std::string a = "mov.f32 %f0, 0f3f800800; mov.f32 %f1, 0fbf802000;\n"; // 1 + 2^-12, a quarter of f16's last bit; -1 - 2^-10
    BOOST_TEST(rounded(a, ".f16x2.f32", "%f0, %f1", 0) == 0x3c00bc01u);
    BOOST_TEST(rounded(a, ".f16x2.f32", "%f0, %f1", 0xffffffff) == 0x3c01bc01u);
    BOOST_TEST(rounded(a, ".f16x2.f32", "%f0, %f1", 0x18000000) == 0x3c01bc01u);
    BOOST_TEST(rounded(a, ".f16x2.f32", "%f0, %f1", 0x17ff1fff) == 0x3c00bc01u);
    const std::string b = "mov.f32 %f0, 0f3f808000; mov.f32 %f1, 0fff7fffff;\n"; // 1 + 2^-8, half of bf16's last bit; -the largest
    BOOST_TEST(rounded(b, ".bf16x2.f32", "%f0, %f0", 0x80007fff) == 0x3f813f80u);
    BOOST_TEST(rounded(b, ".satfinite.bf16x2.f32", "%f0, %f1", 0xffff) == 0x3f80ff7fu);
    BOOST_TEST(rounded(b, ".relu.bf16x2.f32", "%f0, %f1", 0) == 0x3f800000u);
    // Four at a time: the first two share the upper bits. 1.0625 is halfway between e4m3's 1 and 1.125, 1.25 between e2m1's.
    const std::string c = "mov.f32 %f0, 0f3f880000; mov.f32 %f1, 0f3f800000; mov.f32 %f2, 0f3fa00000;\n";
    BOOST_TEST(rounded(c, ".satfinite.e4m3x4.f32", "{%f0, %f1, %f0, %f1}", 0x80007fff) == 0x39383838u);
    BOOST_TEST(rounded(c, ".satfinite.e2m3x4.f32", "{%f0, %f1, %f0, %f1}", 0x7fff8000) == 0x08080908u);
    BOOST_TEST(rounded(c, ".satfinite.e2m1x4.f32", "{%f2, %f1, %f2, %f1}", 0x8000007f) == 0x3222u);
}

BOOST_AUTO_TEST_CASE(mixed_precision) {
    // 1.5 as f16 and bf16; 2^-30 is lost, or not, as it is rounded.
    const std::string a = "mov.b16 %h0, 0x3e00; mov.b16 %h1, 0x3fc0; mov.f32 %f0, 0f30800000;\n";
    const std::uint32_t near = 0x3fc00000;
    BOOST_TEST(
        answers(a + "add.f32.f16 %f1, %h0, %f0; mov.b32 %r0, %f1; add.rp.f32.bf16 %f1, %h1, %f0; mov.b32 %r1, %f1; sub.rz.f32.f16 %f1, "
                    "%h0, %f0; mov.b32 %r2, %f1; fma.rn.f32.bf16 %f1, %h1, %h1, %f0; mov.b32 %r3, %f1; fma.rn.sat.f32.f16 %f1, %h0, %h0, "
                    "%f0; mov.b32 %r4, %f1;",
                5) == (words{near, near + 1, near - 1, 0x40100000, 0x3f800000}),
        boost::test_tools::per_element());
    BOOST_TEST(
        answers("mov.f32 %f0, 0f40400000; mov.f32 %f1, 0fc0a00000; mov.f32 %f2, 0f7fc00000;\nmin.f32 %f3, %f0, %f1, %f2; mov.b32 %r0, "
                "%f3; max.abs.f32 %f3, %f0, %f1, %f0; mov.b32 %r1, %f3; max.NaN.f32 %f3, %f0, %f1, %f2; mov.b32 %r2, %f3; min.abs.f32 "
                "%f3, %f1, %f0, %f1; mov.b32 %r3, %f3;",
                4) == (words{0xc0a00000, 0x40a00000, 0x7fffffff, 0x40400000}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(parts_of_registers) {
    const std::string a = "mov.b32 %r10, 0x01fe7f80; mov.b32 %r11, 0x02030405; mov.b32 %r12, 0xa0b0c0d0;\n";
    BOOST_TEST(answers(a + "vadd4.u32.u32.u32 %r0.b20, %r10, %r11, %r12;\n"             // 0xfe + 3, 0x80 + 5; the rest of the third
                           "vadd4.s32.s32.s32.sat %r1, %r10.b0123, %r11.b4444, %r12;\n" // a's bytes turned round, b's lowest
                           "vsub2.s32.u32.u32 %r2.h0, %r10.h23, %r11.h01, %r12;\n"      // b's upper half less a's upper one
                           "vabsdiff4.u32.u32.u32.add %r3.b31, %r10, %r11, %r12;\n"     // 1 and 0x7b
                           "vset2.u32.u32.lt %r4.h10, %r10, %r11, %r12;",
                       5) == (words{0xa001c085, 0x857f0306, 0xa0b00005, 0xa0b0c0d0 + 1 + 0x7b, 0x00010000}),
               boost::test_tools::per_element());
    BOOST_TEST(answers("mov.b32 %r10, -9; mov.b32 %r11, 5; mov.b32 %r12, 0x01234567;\ncvt.pack.sat.s4.s32.b32 %r0, %r10, %r11, %r12;\n"
                       "cvt.pack.sat.u4.s32.b32 %r1, %r11, %r10, %r12; cvt.pack.sat.s2.s32.b32 %r2, %r10, %r11, %r12; "
                       "cvt.pack.sat.u2.s32.b32 %r3, %r11, %r10, %r12;",
                       4) == (words{0x23456785, 0x23456750, 0x12345679, 0x1234567c}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(constants_and_vectors) {
    BOOST_TEST(
        answers("mov.u32 %r0, 3+4*2; mov.u32 %r1, (1<<4)|2; mov.u32 %r2, ~5 & 0xff; mov.u32 %r3, 7 > 3 ? 10/3 : 1; add.u32 %r4, %me, "
                "WARP_SZ*2-1; mov.s32 %r5, -(3) - -2; mov.f32 %f0, 1.0+0.5; mov.b32 %r6, %f0; mov.u32 %r7, !0;",
                8) == (words{11, 18, 0xfa, 3, 63, 0xffffffff, 0x3fc00000, 1}),
        boost::test_tools::per_element());
    BOOST_TEST(
        answers(".reg.b32 plain; mov.b32 plain, 4;\n{ .reg .v4 .u32 v; .reg .v2 .u32 w; mov.v4.u32 v, {1, 2, 3, plain}; mov.v2.u32 w, "
                "{10, 20}; add.u32 %r0, v.x, v.w; add.u32 %r1, v.g, v.b; mov.b64 %d0, w; mov.b64 {%r2, %r3}, %d0; }\nmov.v4.u32 {%r4, "
                "%r5, %r6, %r7}, %ntid;",
                8) == (words{5, 5, 10, 20, 1, 1, 1, 0}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(wide_accesses_and_vector_atomics) {
    const std::string text =
        ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 pin, .param .u64 pout) {\n.reg .b64 "
        "%in, %out, %d<9>; .reg .b32 %r<19>; .reg .f32 %f<9>; .reg .b16 %h<9>; .reg .b128 %q<3>;\nld.param.u64 %in, "
        "[pin]; ld.param.u64 %out, [pout];\n";
    const std::vector<std::uint32_t> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    const auto run = [&](const std::string& body, const std::vector<std::uint32_t>& before) {
        ptx_module m{text + body + "\nret;\n}\n", 10};
        const device_array<std::uint32_t> in{numbers}, out{before};
        CHECK_OK(m.run("k", {1}, {1}, 0, in.address(), out.address()));
        return out.values();
    };
    BOOST_TEST(run("ld.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%in]; st.global.v8.b32 [%out], "
                   "{%r7,%r6,%r5,%r4,%r3,%r2,%r1,%r0};",
                   words(8, 0)) == (words{8, 7, 6, 5, 4, 3, 2, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(run("ld.global.L2::evict_first.v4.b64 {%d0,_,%d2,%d3}, [%in]; mov.b64 %d1, 9; st.global.v4.b64 [%out], {%d3,%d1,%d2,%d0};",
                   words(8, 0)) == (words{7, 8, 9, 0, 5, 6, 1, 2}),
               boost::test_tools::per_element());
    BOOST_TEST(
        run("ld.global.b128 %q0, [%in]; ld.global.b128 %q1, [%in+16]; atom.global.exch.b128 %q2, [%out], %q0; st.global.b128 [%out+16], "
            "%q2; atom.global.cas.b128 %q2, [%out], %q0, %q1;",
            words(8, 3)) == (words{5, 6, 7, 8, 3, 3, 3, 3}),
        boost::test_tools::per_element());
    const auto one = std::bit_cast<std::uint32_t>(1.0f), three = std::bit_cast<std::uint32_t>(3.0f);
    BOOST_TEST(run("mov.f32 %f0, 0f40000000; atom.global.add.v4.f32 {%f1,%f2,%f3,%f4}, [%out], {%f0,%f0,%f0,%f0}; red.global.add.v2.f32 "
                   "[%out+16], {%f1,%f0};",
                   words(8, one)) == (words{three, three, three, three, std::bit_cast<std::uint32_t>(2.0f), three, one, one}),
               boost::test_tools::per_element());
    // Halves: 1 and 2, and -2 of each.
    BOOST_TEST(run("mov.b16 %h0, 0xc000; mov.b32 %r0, {%h0, %h0}; red.global.add.noftz.v2.f16x2 [%out], {%r0, %r0}; "
                   "atom.global.min.noftz.v2.f16 {%h1,%h2}, [%out+8], {%h0,%h0}; st.global.v2.b16 [%out+12], {%h1,%h2};",
                   words(4, 0x40003c00)) == (words{0x0000bc00, 0x0000bc00, 0xc000c000, 0x40003c00}),
               boost::test_tools::per_element());
    ptx_module m{text + "ld.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%in+16];\nret;\n}\n", 10};
    const device_array<std::uint32_t> in{words(16, 0)};
    BOOST_TEST(m.run("k", {1}, {1}, 0, in.address(), in.address()) == status::misaligned_address);
}

/// Names of functions and variables that are declared, weak, common, or other names.
BOOST_AUTO_TEST_CASE(names) {
    ptx_module m{".version 9.0\n"
                 ".target sm_90\n"
                 ".address_size 64\n"
                 ".visible .func (.param .b32 r) second (.param .b32 a);\n"
                 ".weak .func (.param .b32 r) weakly (.param .b32 a) { .reg .b32 %t; ld.param.b32 %t, [a]; mul.lo.u32 %t, %t, 3; "
                 "st.param.b32 [r], %t; ret; }\n"
                 ".common .global .align 4 .u32 shared_by_all;\n"
                 ".weak .global .align 4 .u32 given = 7;\n"
                 ".visible .entry k(.param .u64 pout) {\n"
                 ".reg .b64 %out, %d<3>; .reg .b32 %r<9>;\n"
                 "ld.param.u64 %out, [pout];\n"
                 "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 5; call.uni (y), second, (x); ld.param.b32 %r0, [y]; }\n"
                 "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 6; call.uni (y), weakly, (x); ld.param.b32 %r1, [y]; }\n"
                 "mov.u64 %d0, second;\n"
                 "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 8; T: .calltargets second, weakly; call (y), %d0, (x), T; ld.param.b32 "
                 "%r2, [y]; }\n"
                 "ld.global.u32 %r3, [given];\n"
                 "st.global.u32 [shared_by_all], %r3;\n"
                 "ld.global.u32 %r4, [shared_by_all];\n"
                 "mov.u32 %r7, 2;\n"
                 "B: .branchtargets L0, L1, L2;\n"
                 "brx.idx %r7, B;\n"
                 "L0: mov.u32 %r5, 10; bra.uni E;\n"
                 "L1: mov.u32 %r5, 11; bra.uni E;\n"
                 "L2: mov.u32 %r5, 12;\n"
                 "E:\n"
                 "st.global.v4.b32 [%out], {%r0,%r1,%r2,%r3};\n"
                 "st.global.v2.b32 [%out+16], {%r4,%r5};\n"
                 "ret;\n"
                 "}\n"
                 ".visible .func (.param .b32 r) first (.param .b32 a) { .reg .b32 %t; ld.param.b32 %t, [a]; add.u32 %t, %t, 100; "
                 "st.param.b32 [r], %t; ret; }\n"
                 ".alias second, first;\n"};
    const device_array<std::uint32_t> out{6};
    CHECK_OK(m.run("k", {1}, {1}, 0, out.address()));
    BOOST_TEST(out.values() == (words{105, 18, 108, 7, 7, 12}), boost::test_tools::per_element());
}
