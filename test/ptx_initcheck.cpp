// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Uses of values that nothing has written, as the PTX executor finds them: each with its place and where the value came from;
// and what looks like one and is none.

#define BOOST_TEST_MODULE ptx_initcheck
#include <boost/test/unit_test.hpp>

#include "support/ptx_module.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace {

/// Three lines.
const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";
const std::string registers = ".reg .b8 %b<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %d<29>; .reg .f32 %f<20>; .reg .pred %p<9>;\n";
/// %d1 = p, %d2 = q, %d4 = &p[tid], %d5 = &q[tid], %r1 = tid.
const std::string addresses = "ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4; "
                              "add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;\n";

/// A kernel `k`, whose body begins in line 7. Functions are before it, in no lines of their own.
std::string kernel(const std::string& body, const std::string& functions = {}) {
    return head + functions + ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) {\n" + registers + addresses + body +
           "\nret;\n}\n";
}

/// 400 bytes that nothing has written, and 400 zeros.
struct setting : ptx_module {
    explicit setting(const std::string& text) : ptx_module{text}, p{allocate(400)}, q{allocate(400)} {
        CHECK_OK(cu.memset_d8_async(q, 0, 400, nullptr));
    }
    status run_it(unsigned threads = 1, const char* name = "k") { return run(name, {1}, {threads}, 0, p, q, 100); }

    device_address p, q;
};

void check_text(const std::vector<std::string>& facts) {
    const std::string text = host::last_ptx_fault();
    for (const std::string& fact : facts) BOOST_TEST(text.find(fact) != std::string::npos, "`" << fact << "` is not in: " << text);
}

struct case_of {
    const char* what;
    std::string body;
    unsigned threads;
    std::vector<std::string> facts; ///< of the message; none: there is no fault
    std::string functions = {};
};

void check(const case_of& of) {
    BOOST_TEST_CONTEXT(of.what) {
        setting s{kernel(of.body, of.functions)};
        const status ended = s.run_it(of.threads);
        if (of.facts.empty())
            BOOST_TEST(ended == status::success, host::last_ptx_fault());
        else
            BOOST_TEST(ended == status::launch_failed);
        check_text(of.facts);
    }
}

const std::string from_p = "a value read in line 7 of the PTX from offset 0 of the 400-byte buffer";
const std::string reads = "ld.global.u32 %r2, [%d1];\n"; // line 7

} // namespace

BOOST_AUTO_TEST_CASE(uses) {
    const case_of all[] = {
        {"a sum that is stored",
         "ld.global.u32 %r2, [%d4+16];\nadd.s32 %r3, %r2, 1;\nst.global.u32 [%d5], %r3;",
         1,
         {"Uninitialised value: a write to global memory of what is computed from a value read in line 7 of the PTX from offset 16 of the "
          "400-byte buffer",
          "cuMemAlloc), which nothing has written", "in m::k, line 9 of the PTX", "thread (0,0,0) of block (0,0,0)"}},
        {"the lane that it is",
         "setp.lt.u32 %p1, %r1, 7; mov.b32 %f1, %r1;\n@%p1 st.global.f32 [%d4], %f1;\nld.global.f32 %f2, [%d4];\nfma.rn.f32 %f2, %f2, %f2, "
         "%f1;\nst.global.f32 [%d5], %f2;",
         32,
         {"computed from", "line 9", "offset 28 of", "line 11", "thread (7,0,0)"}},
        {"an address", "ld.global.u64 %d6, [%d1];\nld.global.u32 %r2, [%d6];", 1, {"an address is " + from_p, "line 8"}},
        {"an address that is computed",
         reads + "mul.wide.u32 %d6, %r2, 4;\nadd.s64 %d6, %d6, %d2;\nst.global.u32 [%d6], 1;",
         1,
         {"an address is computed from " + from_p, "line 10"}},
        {"a branch",
         reads + "setp.gt.s32 %p1, %r2, 3;\n@%p1 bra L;\nL:",
         1,
         {"a branch depends on what is computed from " + from_p, "line 9"}},
        {"a guard",
         reads + "setp.gt.s32 %p1, %r2, 3;\n@%p1 st.global.u32 [%d5], 1;",
         1,
         {"the guard of an instruction is computed from", "line 9"}},
        {"a table of branches",
         reads + "brx.idx %r2, T;\nT: .branchtargets A, B;\nA:\nB:",
         1,
         {"the index of a branch is " + from_p, "line 8"}},
        {"an indirect call",
         "ld.global.u64 %d6, [%d1];\ncall %d6, (), proto;\nproto: .callprototype _ ();",
         1,
         {"the function to call is " + from_p, "line 8"}},
        {"an atomic operation on it",
         "atom.global.add.u32 %r2, [%d1+8], 1;",
         1,
         {"an atomic operation on offset 8 of the 400-byte buffer", "which nothing has written", "line 7"}},
        {"a reduction of it", "red.global.max.u32 [%d4+8], 1;", 3, {"an atomic operation on offset 8 of", "line 7"}},
        {"a comparison with it", "atom.global.cas.b32 %r2, [%d1], 0, 1;", 1, {"an atomic operation on offset 0 of"}},
        {"an atomic operation with it",
         reads + "atom.global.add.u32 %r3, [%d5], %r2;",
         1,
         {"an atomic operation with an operand that is " + from_p, "line 8"}},
        {"what an exchange found",
         "atom.global.exch.b32 %r2, [%d1], 7;\nadd.s32 %r2, %r2, 1; st.global.u32 [%d5], %r2;",
         1,
         {"computed from " + from_p, "line 8"}},
        {"a barrier's number", reads + "bar.sync %r2;", 1, {"the number of a barrier is " + from_p}},
        {"a barrier's predicate",
         reads + "setp.ne.u32 %p1, %r2, 0;\nbar.red.popc.u32 %r3, 0, %p1;",
         1,
         {"a barrier is given what is computed from " + from_p}},
        {"a mask of lanes", reads + "bar.warp.sync %r2;", 32, {"the mask of a warp operation is " + from_p}},
        {"a vote",
         reads + "setp.ne.u32 %p1, %r2, 0;\nvote.sync.any.pred %p2, %p1, 1;\n@%p2 bra L;\nL:",
         1,
         {"a branch depends on", "line 10"}},
        {"shared memory",
         ".shared .align 4 .b8 t[128];\nmov.u32 %r3, t; shl.b32 %r4, %r1, 2; add.s32 %r3, %r3, %r4; setp.ne.u32 %p1, %r1, 5;\n@%p1 "
         "st.shared.u32 [%r3], %r1;\nbar.sync 0;\nld.shared.u32 %r5, [%r3];\nadd.s32 %r5, %r5, 1; st.global.u32 [%d5], %r5;",
         32,
         {"computed from a value read in line 11 of the PTX from offset 20 of the block's shared memory", "line 12", "thread (5,0,0)"}},
        {"a tile with a stride",
         ".shared .align 4 .b8 t[4096];\nmov.u32 %r3, t; mad.lo.u32 %r3, %r1, 128, %r3;\nld.shared.v2.f32 {%f1, %f2}, [%r3];\nadd.f32 %f1, "
         "%f1, %f2; st.global.f32 [%d5], %f1;",
         32,
         {"computed from a value read in line 9 of the PTX from offset 0 of the block's shared memory"}},
        {"through shared memory",
         reads + ".shared .align 4 .b8 t[128]; mov.u32 %r3, t;\nst.shared.u32 [%r3+4], %r2;\nld.shared.u32 %r4, [%r3+4];\nsetp.ne.u32 %p1, "
                 "%r4, 0; @%p1 bra L;\nL:",
         1,
         {"a branch depends on", "line 10 of the PTX from offset 4 of the block's shared memory", "line 11"}},
        {"local memory",
         ".local .align 4 .b8 l[16];\nmov.u64 %d6, l; st.local.u32 [%d6], 1;\nld.local.u32 %r2, [%d6+8];\nsetp.ne.u32 %p1, %r2, 0; @%p1 "
         "bra "
         "L;\nL:",
         1,
         {"a branch depends on", "a value read in line 9 of the PTX from offset 8 of the thread's local memory"}},
        {"local memory, generic",
         ".local .align 4 .b8 l[16];\nmov.u64 %d6, l; cvta.local.u64 %d6, %d6;\nld.u32 %r2, [%d6+4];\nadd.u32 %r2, %r2, 1; st.global.u32 "
         "[%d5], %r2;",
         1,
         {"computed from", "offset 4 of the thread's local memory"}},
        {"a register",
         "add.s32 %r3, %r2, 1;\nst.global.u32 [%d5], %r3;",
         1,
         {"a write to global memory of what is computed from a register that nothing has written", "line 8"}},
        {"a register on one way only",
         "setp.eq.u32 %p1, %r1, 3;\n@%p1 bra L;\nmov.u64 %d6, %d5;\nL:\nst.global.u32 [%d6], 1;",
         32,
         {"an address is a register that nothing has written", "line 11", "thread (3,0,0)"}},
        {"what malloc gives",
         ".param .b64 a; .param .b64 r; st.param.b64 [a], 64; call (r), malloc, (a); ld.param.b64 %d6, [r];\nst.u32 [%d6], 1;\nld.u32 %r2, "
         "[%d6+4];\nmul.lo.u32 %r2, %r2, %r2; st.global.u32 [%d5], %r2;",
         1,
         {"a value read in line 9 of the PTX from offset 4 of the 64 bytes that malloc gave"},
         ".extern .func (.param .b64 r) malloc(.param .b64 a); "},
        {"the size for malloc",
         "ld.global.u64 %d6, [%d1];\n.param .b64 a; .param .b64 r; st.param.b64 [a], %d6; call (r), malloc, (a);",
         1,
         {"an argument of a built-in function is " + from_p, "line 8"},
         ".extern .func (.param .b64 r) malloc(.param .b64 a); "},
        {"what is printed",
         ".local .align 8 .b8 l[8]; mov.u64 %d6, l; cvta.local.u64 %d6, %d6; mov.u64 %d7, text;\n.param .b64 a; .param .b64 b; .param .b32 "
         "r; st.param.b64 [a], %d7; st.param.b64 [b], %d6; call (r), vprintf, (a, b);",
         1,
         {"printf prints offset 0 of the thread's local memory, which nothing has written", "line 8"},
         ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b); .global .align 1 .b8 text[3] = {37, 100, 0}; "},
        {"a function's argument",
         reads + ".param .b32 a; st.param.b32 [a], %r2; call f, (a);",
         1,
         {"a branch depends on what is computed from " + from_p, "function f, line 4"},
         ".func f(.param .b32 a) { .reg .b32 %r1; .reg .pred %p1; ld.param.b32 %r1, [a]; setp.ne.u32 %p1, %r1, 0; @%p1 bra L; L: ret; } "},
        {"a function's result",
         ".param .b32 r; call (r), f, (); ld.param.b32 %r2, [r];\nsetp.ne.u32 %p1, %r2, 0; @%p1 bra L;\nL:",
         1,
         {"a branch depends on what is computed from a value read in line 4 of the PTX from offset 0 of the thread's local memory",
          "line 8"},
         ".func (.param .b32 r) f() { .local .align 4 .b8 l[4]; .reg .b32 %r1; ld.local.u32 %r1, [l]; st.param.b32 [r], %r1; ret; } "},
        {"the rest of a vector",
         "st.global.v2.u32 [%d1], {%r1, %r1};\nld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d1];\nadd.s32 %r6, %r4, %r5; st.global.u32 [%d5], "
         "%r6;",
         1,
         {"computed from a value read in line 8 of the PTX from offset 8 of"}},
        {"a sign",
         "st.global.u8 [%d1], 1;\nld.global.s16 %r2, [%d1];\nshr.s32 %r3, %r2, 31;\nsetp.ne.u32 %p1, %r3, 0; @%p1 bra L;\nL:",
         1,
         {"a branch depends on", "offset 1 of the 400-byte buffer"}},
        {"a field beside",
         "st.global.u8 [%d1], 1;\nld.global.u32 %r2, [%d1];\nbfe.u32 %r3, %r2, 4, 8;\nsetp.ne.u32 %p1, %r3, 0; @%p1 bra L;\nL:",
         1,
         {"a branch depends on"}},
        {"a choice by it",
         reads + "setp.ne.u32 %p1, %r2, 0; selp.b32 %r3, 1, 2, %p1;\nst.global.u32 [%d5], %r3;",
         1,
         {"computed from " + from_p}},
        {"a carry",
         reads + "add.cc.u32 %r3, %r2, %r2; addc.u32 %r4, 0, 0;\nst.global.u32 [%d5], %r4;",
         1,
         {"a write to global memory of what is computed from"}},
        {"an asynchronous copy",
         ".shared .align 16 .b8 t[64]; mov.u32 %r3, t;\ncp.async.ca.shared.global [%r3+16], [%d1], 16;\ncp.async.wait_all;\nld.shared.u32 "
         "%r2, [%r3+20]; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\nL:",
         1,
         {"a branch depends on", "offset 20 of the block's shared memory"}},
        {"an mbarrier",
         ".shared .align 8 .b8 t[8];\nmov.u32 %r3, t; mbarrier.arrive.shared.b64 %d6, [%r3];",
         1,
         {"an mbarrier operation on offset 0 of the block's shared memory, where mbarrier.init was not", "line 8"}},
        {"a product of matrices",
         "mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;\nmov.b32 %r4, 0; mov.b32 %r5, 0; mov.b32 %r6, "
         "0; setp.eq.u32 %p1, %r1, 9; mov.b32 %r3, 0;\n@%p1 ld.global.b32 %r3, [%d4];\nmma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
         "{%f5,%f6,%f7,%f8}, {%r3,%r4,%r5,%r6}, {%r1,%r1}, {%f1,%f2,%f3,%f4};\nst.global.f32 [%d5], %f5;",
         32,
         {"computed from a value read in line 9 of the PTX from offset 36 of", "line 11", "thread (8,0,0)"}},
    };
    for (const case_of& of : all) check(of);
}

BOOST_AUTO_TEST_CASE(no_uses) {
    const case_of all[] = {
        {"a copy", reads + "st.global.u32 [%d5], %r2;\nmov.b32 %f1, %r2; st.global.f32 [%d5+4], %f1;", 32, {}},
        {"a struct with padding",
         "st.global.u8 [%d1], 7; st.global.u32 [%d1+4], 9;\nld.global.u64 %d6, [%d1]; st.global.u64 [%d2], %d6;\nld.global.v2.u32 {%r2, "
         "%r3}, "
         "[%d2]; mov.b64 %d7, {%r2, %r3}; st.global.u64 [%d2+8], %d7;\nld.global.u8 %r4, [%d2+8]; ld.global.u32 %r5, [%d2+12]; add.s32 "
         "%r4, "
         "%r4, %r5;\nst.global.u32 [%d2+16], %r4;\nsetp.ne.u32 %p1, %r4, 16; @%p1 trap;",
         1,
         {}},
        {"a bit-field",
         reads + "and.b32 %r2, %r2, -256; or.b32 %r2, %r2, 5; st.global.u32 [%d1], %r2;\nld.global.u32 %r3, [%d1]; and.b32 %r3, %r3, 255; "
                 "add.s32 %r3, %r3, 1;\nst.global.u32 [%d5], %r3; setp.ne.u32 %p1, %r3, 6; @%p1 trap;",
         1,
         {}},
        {"a bit-field by bfi, bfe and lop3",
         reads +
             "bfi.b32 %r2, 5, %r2, 3, 8; st.global.u32 [%d1], %r2;\nld.global.u32 %r3, [%d1]; bfe.s32 %r4, %r3, 3, 8; lop3.b32 %r5, %r3, "
             "2040, 0, 0xc0; add.s32 %r4, %r4, %r5;\nst.global.u32 [%d5], %r4; shl.b32 %r6, %r3, 21; shr.u32 %r6, %r6, 24; setp.ne.u32 "
             "%p1, %r6, 5; @%p1 trap;",
         1,
         {}},
        {"bytes that are put together",
         "st.global.u8 [%d1+1], 3;\nld.global.u32 %r2, [%d1];\nprmt.b32 %r3, %r2, 0, 0x5551; cvt.u32.u8 %r4, %r3; shf.r.wrap.b32 %r5, %r2, "
         "%r2, 8; cvt.u16.u32 %h1, %r5; and.b16 %h1, %h1, 255; cvt.u32.u16 %r6, %h1;\nadd.s32 %r4, %r4, %r6; add.s32 %r4, %r4, %r3; "
         "st.global.u32 [%d5], %r4; setp.ne.u32 %p1, %r4, 9; @%p1 trap;",
         1,
         {}},
        {"a sum whose low part counts",
         "st.global.u16 [%d1], 3;\nld.global.u32 %r2, [%d1];\nadd.s32 %r2, %r2, 4; mul.lo.u32 %r2, %r2, 3; and.b32 %r2, %r2, 0xffff;\n"
         "st.global.u32 [%d5], %r2; setp.ne.u32 %p1, %r2, 21; @%p1 trap;",
         1,
         {}},
        {"what is computed and not taken",
         reads +
             "add.s32 %r3, %r2, 1; setp.ge.u32 %p1, %r1, 0; selp.b32 %r4, 7, %r3, %p1;\nst.global.u32 [%d5], %r4;\nsetp.gt.s32 %p2, %r2, "
             "5; setp.lt.u32 %p3, %r1, 0; and.pred %p4, %p2, %p3; @%p4 trap;\nsetp.gt.and.s32 %p5, %r2, 5, %p3; @%p5 trap; setp.lt.or.s32 "
             "%p6, %r2, 5, %p1; @!%p6 trap;",
         32,
         {}},
        {"a choice between equals", reads + "setp.gt.s32 %p1, %r2, 5; selp.b32 %r3, %r1, %r1, %p1;\nst.global.u32 [%d5], %r3;", 32, {}},
        {"a result that nobody takes", reads + "add.s32 %r3, %r2, 1; mul.wide.u32 %d6, %r3, 4;", 32, {}},
        {"an overwritten register",
         reads + "add.s32 %r2, %r2, 1; mov.u32 %r2, 5; st.global.u32 [%d5], %r2; setp.ne.u32 %p1, %r2, 5; @%p1 trap;",
         32,
         {}},
        {"a vector's first part",
         "st.global.v2.u32 [%d1], {%r1, %r1};\nld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d1];\nadd.s32 %r6, %r2, %r3; st.global.u32 [%d5], "
         "%r6;",
         1,
         {}},
        {"an element by itself",
         "st.global.v2.u32 [%d1], {%r1, %r1};\nld.global.v4.u32 {%r2, _, _, _}, [%d1];\nadd.s32 %r6, %r2, 1; st.global.u32 [%d5], %r6;",
         1,
         {}},
        {"under one predicate",
         "setp.lt.u32 %p1, %r1, 9;\n@%p1 mov.u32 %r2, 5;\n@%p1 add.s32 %r2, %r2, 1;\n@%p1 st.global.u32 [%d5], %r2;\n@%p1 mov.u64 %d6, "
         "%d5; @%p1 "
         "st.global.u32 [%d6], %r2;",
         32,
         {}},
        {"lanes that go apart",
         "setp.lt.u32 %p1, %r1, 9; @%p1 bra L;\nmov.u32 %r2, 5; mov.u32 %r3, 1; bra E;\nL: mov.u32 %r2, 6;\nE: @%p1 bra F;\nadd.s32 %r3, "
         "%r3, %r2; st.global.u32 [%d5], %r3;\nF: st.global.u32 [%d5], %r2;",
         32,
         {}},
        {"half a warp's reduction",
         "mov.u32 %r2, %r1;\nshfl.sync.down.b32 %r3, %r2, 4, 31, 0xff; add.s32 %r2, %r2, %r3; shfl.sync.down.b32 %r3, %r2, 2, 31, 0xff; "
         "add.s32 %r2, %r2, %r3; shfl.sync.down.b32 %r3, %r2, 1, 31, 0xff; add.s32 %r2, %r2, %r3;\nsetp.eq.u32 %p1, %r1, 0; @%p1 "
         "st.global.u32 [%d5], %r2;",
         8,
         {}},
        {"a sum over lanes that are away, which are zero",
         "mov.u32 %r2, %r1;\nshfl.sync.down.b32 %r3, %r2, 16, 31, 0xff; add.s32 %r2, %r2, %r3; shfl.sync.down.b32 %r3, %r2, 4, 31, 0xff; "
         "add.s32 %r2, %r2, %r3;\nst.global.u32 [%d5], %r2;",
         8,
         {}},
        {"a segment's reduction", "shfl.sync.down.b32 %r3, %r1, 1, 0x1c1f, 0xff; add.s32 %r3, %r3, 1;\nst.global.u32 [%d5], %r3;", 8, {}},
        {"an atomic sum on a byte beside others, by compare-and-swap of the word",
         ".shared .align 4 .b8 h[4];\nmov.u32 %r4, h; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u8 [%r4+1], 5; bar.sync 0;\n"
         "ld.shared.u32 %r2, [%r4];\nL: shr.u32 %r3, %r2, 8; and.b32 %r3, %r3, 0xff; add.u32 %r3, %r3, 1; shl.b32 %r3, %r3, 8; and.b32 "
         "%r5, "
         "%r2, 0xffff00ff; or.b32 %r3, %r3, %r5;\natom.shared.cas.b32 %r5, [%r4], %r2, %r3; setp.ne.u32 %p2, %r5, %r2; mov.u32 %r2, %r5; "
         "@%p2 bra L;\nbar.sync 0; ld.shared.u8 %r3, [%r4+1]; add.u32 %r3, %r3, 1; st.global.u32 [%d5], %r3;",
         4,
         {}},
        {"an atomic exchange",
         "atom.global.exch.b32 %r2, [%d1], 7; ld.global.u32 %r3, [%d1]; add.s32 %r3, %r3, 1; st.global.u32 [%d5], %r3;",
         1,
         {}},
        {"an atomic sum of what was stored",
         "st.global.u32 [%d1], 0; bar.sync 0; atom.global.add.u32 %r2, [%d1], 1; add.s32 %r2, %r2, 1; st.global.u32 [%d5], %r2;",
         32,
         {}},
        {"votes that are decided",
         reads + "setp.ne.u32 %p1, %r2, 0; setp.lt.u32 %p2, %r1, 3; or.pred %p3, %p1, %p2;\nvote.sync.any.pred %p4, %p3, 0xffffffff; @!%p4 "
                 "trap; vote.sync.ballot.b32 %r3, %p3, 0xffffffff; and.b32 %r3, %r3, 7; st.global.u32 [%d5], %r3; setp.ne.u32 %p5, %r3, 7; "
                 "@%p5 trap;",
         32,
         {}},
        {"shared memory",
         ".shared .align 4 .b8 t[128];\nmov.u32 %r3, t; shl.b32 %r4, %r1, 2; add.s32 %r3, %r3, %r4; st.shared.u32 [%r3], %r1; bar.sync "
         "0;\nxor.b32 %r4, %r3, 4; ld.shared.u32 %r5, [%r4]; add.s32 %r5, %r5, 1; st.global.u32 [%d5], %r5;",
         32,
         {}},
        {"local memory",
         ".local .align 4 .b8 l[16];\nmov.u64 %d6, l; cvta.local.u64 %d7, %d6; st.u32 [%d7+4], 1;\nld.local.u32 %r2, [%d6+4]; add.s32 %r2, "
         "%r2, 1; st.global.u32 [%d5], %r2;",
         32,
         {}},
        {"a dead value in a loop",
         reads + "mov.u32 %r3, 0; mov.u32 %r4, 0;\nL: add.s32 %r3, %r3, %r1; add.s32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 2000; @%p1 bra "
                 "L;\nst.global.u32 [%d5], %r3;",
         32,
         {}},
        {"recursion",
         ".param .b32 a; .param .b32 r; st.param.b32 [a], 5; call (r), f, (a); ld.param.b32 %r2, [r];\nsetp.ne.u32 %p1, %r2, 15; @%p1 "
         "trap;",
         32,
         {},
         ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<9>; .reg .pred %p1; .local .align 4 .b8 l[8]; ld.param.b32 %r1, [a]; "
         "mov.u32 "
         "%r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra E; ld.local.u32 %r5, [l+4]; st.local.u32 [l], %r1; add.s32 %r3, %r1, -1; { .param .b32 "
         "x; .param .b32 y; st.param.b32 [x], %r3; call (y), f, (x); ld.param.b32 %r4, [y]; } ld.local.u32 %r1, [l]; add.s32 %r2, %r1, "
         "%r4; "
         "E: st.param.b32 [r], %r2; ret; } "},
        {"an argument with padding",
         "st.global.u8 [%d1], 7; ld.global.u64 %d6, [%d1]; .param .align 8 .b8 a[8]; .param .b32 r; st.param.b64 [a], %d6; call (r), f, "
         "(a); "
         "ld.param.b32 %r2, [r];\nsetp.ne.u32 %p1, %r2, 8; @%p1 trap;",
         32,
         {},
         ".func (.param .b32 r) f(.param .align 8 .b8 a[8]) { .reg .b32 %r1; ld.param.u8 %r1, [a]; add.s32 %r1, %r1, 1; st.param.b32 [r], "
         "%r1; ret; } "},
        {"what malloc gave, written",
         ".param .b64 a; .param .b64 r; st.param.b64 [a], 64; call (r), malloc, (a); ld.param.b64 %d6, [r];\nst.u32 [%d6+4], %r1; ld.u32 "
         "%r2, "
         "[%d6+4]; add.u32 %r2, %r2, 1; st.global.u32 [%d5], %r2;",
         32,
         {},
         ".extern .func (.param .b64 r) malloc(.param .b64 a); "},
        {"an mbarrier",
         ".shared .align 8 .b8 t[8];\nmov.u32 %r3, t; mbarrier.init.shared.b64 [%r3], 1; mbarrier.arrive.shared.b64 %d6, [%r3];",
         1,
         {}},
        {"rows of a product that nobody takes",
         "mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;\nmov.b32 %r4, 0; mov.b32 %r5, 0; mov.b32 %r6, "
         "0; setp.eq.u32 %p1, %r1, 9; mov.b32 %r3, 0;\n@%p1 ld.global.b32 %r3, [%d4];\nmma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
         "{%f5,%f6,%f7,%f8}, {%r3,%r4,%r5,%r6}, {%r1,%r1}, {%f1,%f2,%f3,%f4};\nshr.u32 %r7, %r1, 2; setp.ne.u32 %p2, %r7, 2; @%p2 "
         "st.global.f32 [%d5], %f5; st.global.f32 [%d5], %f7;",
         32,
         {}},
        {"a copy by ldmatrix and stmatrix",
         ".shared .align 16 .b8 t[256]; mov.u32 %r3, t; shl.b32 %r4, %r1, 4; setp.lt.u32 %p1, %r1, 7; add.s32 %r5, %r3, %r4;\n@%p1 "
         "st.shared.v4.u32 [%r5], {%r1, %r1, %r1, %r1}; and.b32 %r4, %r4, 127; add.s32 %r5, %r3, "
         "%r4;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 "
         "{%r6}, [%r5]; add.s32 %r5, %r5, 128; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%r6};\nsetp.lt.u32 %p2, %r1, 28; shl.b32 "
         "%r7, "
         "%r1, 2; add.s32 %r7, %r7, %r3; @%p2 ld.shared.u32 %r8, [%r7+128]; @%p2 add.s32 %r8, %r8, 1; @%p2 st.global.u32 [%d5], %r8;",
         32,
         {}},
    };
    for (const case_of& of : all) check(of);
}

BOOST_AUTO_TEST_CASE(copies_and_fills) {
    const std::string text = kernel("ld.global.u32 %r2, [%d4+40];\nadd.s32 %r2, %r2, 1;\nst.global.u32 [%d5], %r2;");
    const std::vector<int> ones(100, 1);
    { // all that is read was copied there
        setting s{text};
        CHECK_OK(cu.memcpy_htod_async(s.p + 40, ones.data(), 128, nullptr));
        BOOST_TEST(s.run_it(32) == status::success, host::last_ptx_fault());
        BOOST_TEST(s.run_it(33) == status::launch_failed);
        check_text({"offset 168 of the 400-byte buffer", "thread (32,0,0)"});
    }
    { // a fill
        setting s{text};
        CHECK_OK(cu.memset_d32_async(s.p + 40, 5, 32, nullptr));
        BOOST_TEST(s.run_it(32) == status::success, host::last_ptx_fault());
    }
    { // rows of a fill, with gaps between them
        setting s{text};
        CHECK_OK(cu.memset_d2d32_async(s.p + 40, 32, 5, 7, 4, nullptr));
        BOOST_TEST(s.run_it(7) == status::success, host::last_ptx_fault());
        BOOST_TEST(s.run_it(32) == status::launch_failed);
        check_text({"offset 68 of the 400-byte buffer", "thread (7,0,0)"});
    }
    { // from device to device goes what has values, and what has none
        setting s{text};
        const device_address from = allocate(400);
        CHECK_OK(cu.memcpy_htod_async(from, ones.data(), 256, nullptr));
        CHECK_OK(cu.memcpy_htod_async(s.p, ones.data(), 400, nullptr));
        BOOST_TEST(s.run_it(90) == status::success, host::last_ptx_fault());
        CHECK_OK(cu.memcpy_dtod_async(s.p + 40, from, 300, nullptr));
        BOOST_TEST(s.run_it(64) == status::success, host::last_ptx_fault());
        BOOST_TEST(s.run_it(90) == status::launch_failed);
        check_text({"offset 296 of the 400-byte buffer", "thread (64,0,0)"});
    }
    { // what a kernel copied of what has none, over what had
        setting s{kernel("ld.global.u32 %r2, [%d4];\nst.global.u32 [%d5], %r2;") +
                  "\n.visible .entry second(.param .u64 p, .param .u64 q, .param .u32 n) {\n" + registers + addresses +
                  "ld.global.u32 %r2, [%d5]; setp.eq.u32 %p1, %r2, 0; @%p1 trap; ret; }\n"};
        BOOST_TEST(s.run_it(32) == status::success, host::last_ptx_fault());
        BOOST_TEST(s.run_it(32, "second") == status::launch_failed);
        check_text({"the guard of an instruction is", "offset 0 of the 400-byte buffer", "in m::second"});
    }
    { // what a kernel wrote
        setting s{kernel("st.global.u32 [%d4+40], %r1;") + "\n.visible .entry second(.param .u64 p, .param .u64 q, .param .u32 n) {\n" +
                  registers + addresses + "ld.global.u32 %r2, [%d4+40]; add.s32 %r2, %r2, 1; st.global.u32 [%d5], %r2; ret; }\n"};
        BOOST_TEST(s.run_it(64) == status::success, host::last_ptx_fault());
        BOOST_TEST(s.run_it(64, "second") == status::success, host::last_ptx_fault());
        BOOST_TEST(s.run_it(65, "second") == status::launch_failed);
    }
    { // freed memory, given again
        setting s{text};
        CHECK_OK(cu.memset_d8_async(s.p, 0, 400, nullptr));
        BOOST_TEST(s.run_it(32) == status::success, host::last_ptx_fault());
        CHECK_OK(cu.mem_free(s.p));
        s.p = allocate(400);
        BOOST_TEST(s.run_it(32) == status::launch_failed);
    }
    { // from a pool
        setting s{text};
        CHECK_OK(cu.mem_alloc_async(&s.p, 400, nullptr));
        BOOST_TEST(s.run_it(32) == status::launch_failed);
        check_text({"cuMemAllocAsync"});
    }
    { // memory of the host
        setting s{text};
        void* pinned = nullptr;
        CHECK_OK(cu.mem_host_alloc(&pinned, 400, 0));
        s.p = static_cast<device_address>(reinterpret_cast<std::uintptr_t>(pinned));
        BOOST_TEST(s.run_it(32) == status::success, host::last_ptx_fault());
    }
}

BOOST_AUTO_TEST_CASE(graphs) {
    setting s{kernel("ld.global.u32 %r2, [%d4];\nadd.s32 %r2, %r2, 1;\nst.global.u32 [%d5], %r2;")};
    const stream_handle stream = make_stream();
    const device_address from = allocate(400);
    CHECK_OK(cu.stream_begin_capture(stream, hanabi::driver::capture_mode::thread_local_));
    CHECK_OK(cu.memset_d32_async(from, 5, 16, stream));
    CHECK_OK(cu.memcpy_dtod_async(s.p, from, 128, stream));
    hanabi::driver::graph_handle graph = nullptr;
    CHECK_OK(cu.stream_end_capture(stream, &graph));
    hanabi::driver::graph_exec_handle exec = nullptr;
    CHECK_OK(cu.graph_instantiate_with_flags(&exec, graph, 0));
    CHECK_OK(cu.graph_launch(exec, stream));
    CHECK_OK(cu.stream_synchronize(stream));
    BOOST_TEST(s.run_it(16) == status::success, host::last_ptx_fault());
    BOOST_TEST(s.run_it(17) == status::launch_failed);
    check_text({"offset 64 of the 400-byte buffer", "thread (16,0,0)"});
}

BOOST_AUTO_TEST_CASE(variables) {
    setting s{head +
              ".global .align 4 .u32 zero; .global .align 4 .u32 table[3] = {1, 2}; .const .align 4 .u32 five = 5;\n"
              ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) {\n" +
              registers + addresses +
              "ld.global.u32 %r2, [zero]; ld.global.u32 %r3, [table+8]; ld.const.u32 %r4, [five]; add.s32 %r2, %r2, %r3; add.s32 %r2, %r2, "
              "%r4; st.global.u32 [%d5], %r2; ret; }\n"};
    BOOST_TEST(s.run_it(32) == status::success, host::last_ptx_fault());
}

BOOST_AUTO_TEST_CASE(bodies) {
    // What a C++ body writes, nobody sees: all memory counts as written.
    setting s{kernel("ld.global.u32 %r2, [%d4];\nadd.s32 %r2, %r2, 1;\nst.global.u32 [%d5], %r2;") +
              "\n.visible .entry fill(.param .u64 p) { ret; }\n"};
    static constexpr described<"m", "fill", void(int*)> fill;
    host::define(fill, [](host::thread, int* p) { p[0] = 7; });
    CHECK_OK(s.run("fill", {1}, {1}, 0, s.p));
    BOOST_TEST(s.run_it() == status::success, host::last_ptx_fault());
    BOOST_TEST(s.run_it(100) == status::success, host::last_ptx_fault());
}

BOOST_AUTO_TEST_CASE(clusters) {
    // Block 0 reads the shared memory of block 1, of which block 1 has written the first four bytes.
    const std::string text =
        head + ".visible .entry k(.param .u64 q, .param .u32 at) {\n.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<9>;\n.shared "
               ".align 4 .b8 t[16]; ld.param.u64 %d1, [q]; ld.param.u32 %r5, [at]; mov.u32 %r1, t; mov.u32 %r2, "
               "%cluster_ctarank; setp.eq.u32 %p1, %r2, 1; @%p1 st.shared.u32 [%r1], 7;\nbarrier.cluster.arrive; "
               "barrier.cluster.wait; @%p1 bra E;\nmapa.shared::cluster.u32 %r3, %r1, 1; add.s32 %r3, %r3, %r5;\n"
               "ld.shared::cluster.u32 %r4, [%r3]; add.s32 %r4, %r4, 1; st.global.u32 [%d1], %r4;\nE: "
               "barrier.cluster.arrive; barrier.cluster.wait; ret; }\n";
    ptx_module m{text};
    const device_array<int> q{1, 0};
    BOOST_TEST(m.run_in_clusters(2, "k", {2}, {1}, q.address(), 0) == status::success, host::last_ptx_fault());
    BOOST_TEST(q.values()[0] == 8);
    BOOST_TEST(m.run_in_clusters(2, "k", {2}, {1}, q.address(), 8) == status::launch_failed);
    check_text({"computed from", "offset 8 of another block's shared memory"});
}

BOOST_AUTO_TEST_CASE(many_blocks) {
    // Blocks write their parts of a buffer on all threads; then all is read.
    setting s{head + ".visible .entry w(.param .u64 p) {\n" + registers +
              "ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 100, %r1; mul.wide.u32 %d2, %r3, 4; "
              "add.s64 %d1, %d1, %d2; st.global.u32 [%d1], %r3; ret; }\n.visible .entry r(.param .u64 p) {\n" +
              registers +
              "ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 100, %r1; mul.wide.u32 %d2, %r3, 4; "
              "add.s64 %d1, %d1, %d2; ld.global.u32 %r4, [%d1]; setp.ne.u32 %p1, %r3, %r4; @%p1 trap; ret; }\n"};
    const device_address big = allocate(400 * 300);
    CHECK_OK(s.run("w", {299}, {100}, 0, big));
    BOOST_TEST(s.run("r", {299}, {100}, 0, big) == status::success, host::last_ptx_fault());
    BOOST_TEST(s.run("r", {300}, {100}, 0, big) == status::launch_failed);
    check_text({"offset 119600 of the 120000-byte buffer", "block (299,0,0)"});
}

BOOST_AUTO_TEST_CASE(may_be_left_out) {
    setting s{kernel(reads + "add.s32 %r2, %r2, 1;\nst.global.u32 [%d5], %r2;")};
    host::ptx_options options;
    BOOST_TEST(options.initcheck);
    options.initcheck = false;
    host::set_ptx_options(options);
    BOOST_TEST(s.run_it() == status::success);
    options.initcheck = true;
    options.sticky = false;
    host::set_ptx_options(options);
    BOOST_TEST(s.run_it() == status::success);
    check_text({"Uninitialised value"});
    host::set_ptx_options({});
}
