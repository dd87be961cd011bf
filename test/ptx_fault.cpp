// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Faults of kernels that the PTX executor finds, each with its place; and that it refuses what it can't execute.

#define BOOST_TEST_MODULE ptx_fault
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/ptx_module.hpp"

#include <string>
#include <vector>

namespace {

const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n"; // three lines

/// A kernel `k` of that body (it begins in line 6), with a parameter p and n.
std::string kernel(const std::string& body) {
    return head +
           ".visible .entry k(.param .u64 p, .param .u32 n) {\n.reg .b16 %h<9>; .reg .b32 %r<29>; .reg .b64 %d<19>; .reg .f32 %f<9>; .reg "
           ".pred %p<9>;\n" +
           body + "\n}\n";
}

struct case_of {
    const char* what;
    std::string body;
    host::extent block;
    status expected;
    std::vector<std::string> facts; ///< what the message says
};

void check(const case_of& of) {
    BOOST_TEST_CONTEXT(of.what) {
        ptx_module m{kernel(of.body)};
        const device_address p = allocate(400);
        const log_watch watch;
        BOOST_TEST(m.run("k", {2}, of.block, 0, p, 100) == of.expected);
        const std::string text = host::last_ptx_fault();
        for (const std::string& fact : of.facts) BOOST_TEST(text.find(fact) != std::string::npos, "`" << fact << "` is not in: " << text);
        if (of.expected != status::success) BOOST_TEST(watch.has(text), watch.text());
    }
}

// %d1 = &p[tid], %r1 = tid
const std::string address = "ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n"; // line 6

} // namespace

BOOST_AUTO_TEST_CASE(memory) {
    const case_of all[] = {
        {"past the end",
         address + "st.global.u32 [%d1], %r1;\nret;",
         {101},
         status::illegal_address,
         {"a write of 4 bytes", "0 bytes past the end of the 400-byte buffer", "cuMemAlloc", "in m::k, line 7",
          "thread (100,0,0) of block (0,0,0)"}},
        {"before the start",
         address + "ld.global.u32 %r2, [%d1+-8];\nret;",
         {1},
         status::illegal_address,
         {"a read of 4 bytes", "8 bytes before the start of the 400-byte", "line 7", "thread (0,0,0)"}},
        {"a vector that runs over",
         address + "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%d1+384];\nld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%d1+400];\nret;",
         {1},
         status::illegal_address,
         {"16 bytes", "line 8"}},
        {"null", "mov.u64 %d1, 0;\nld.u32 %r1, [%d1];\nret;", {1}, status::illegal_address, {"line 7", "address 0x0 is a null pointer;"}},
        {"a member of null",
         "mov.u64 %d1, 0;\nst.global.u32 [%d1+24], 1;\nret;",
         {1},
         status::illegal_address,
         {"line 7", "a write of 4 bytes: address 0x18 is a null pointer plus 24 bytes"}},
        {"far past the end",
         address + "ld.global.u32 %r2, [%d1+1048576];\nret;",
         {1},
         status::illegal_address,
         {"line 7", "is not device memory", "1048176 bytes past the end of the 400-byte buffer", "the nearest"}},
        {"far before the start",
         address + "ld.global.u32 %r2, [%d1+-1048576];\nret;",
         {1},
         status::illegal_address,
         {"line 7", "1048576 bytes before the start of the 400-byte buffer", "the nearest"}},
        {"misaligned",
         address + "ld.global.u32 %r2, [%d1+2];\nret;",
         {1},
         status::misaligned_address,
         {"Misaligned address: a read of 4 bytes", "line 7"}},
        {"a misaligned vector",
         address + "st.global.v2.u32 [%d1], {%r1, %r1};\nret;",
         {2},
         status::misaligned_address,
         {"a write of 8 bytes", "thread (1,0,0)"}},
        {"a misaligned atomic",
         address + "atom.global.add.u32 %r2, [%d1+1], 1;\nret;",
         {1},
         status::misaligned_address,
         {"atomic operation"}},
        {"an atomic beyond",
         address + "red.global.add.u32 [%d1+400], 1;\nret;",
         {1},
         status::illegal_address,
         {"an atomic operation", "0 bytes past the end"}},
        {"shared memory",
         ".shared .align 4 .b8 s[64];\nmov.u32 %r1, s; st.shared.u32 [%r1+64], 1;\nret;",
         {1},
         status::illegal_address,
         {"offset 64", "shared memory, which has 64 bytes", "line 7"}},
        {"shared memory, generic",
         ".shared .align 4 .b8 s[64];\nmov.u64 %d1, s; cvta.shared.u64 %d2, %d1;\nld.u32 %r1, [%d2+68];\nret;",
         {1},
         status::illegal_address,
         {"offset 68", "4 bytes past its end", "line 8"}},
        {"local memory",
         ".local .align 4 .b8 l[16];\nmov.u64 %d1, l; st.local.u32 [%d1+16], 7;\nret;",
         {1},
         status::illegal_address,
         {"local memory", "offset 16"}},
        {"parameters",
         "mov.b64 %d1, p; cvta.param.u64 %d2, %d1;\nld.u32 %r1, [%d2+12];\nret;",
         {1},
         status::illegal_address,
         {"kernel's parameters, which has 12 bytes", "line 7"}},
        {"writing parameters",
         "mov.b64 %d1, p; cvta.param.u64 %d2, %d1;\nst.u32 [%d2], 1;\nret;",
         {1},
         status::illegal_address,
         {"parameters can't be written"}},
        {"in bounds", address + "st.global.u32 [%d1], %r1;\nld.global.u32 %r2, [%d1];\nret;", {100}, status::success, {}},
    };
    for (const case_of& of : all) check(of);
}

BOOST_AUTO_TEST_CASE(freed_memory) {
    ptx_module m{kernel("ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nret;")};
    const device_address p = allocate(400);
    CHECK_OK(cu.mem_free(p));
    BOOST_TEST(m.run("k", {1}, {1}, 0, p, 1) == status::illegal_address);
    BOOST_TEST(host::last_ptx_fault().find("points into freed memory: the 400-byte buffer") != std::string::npos, host::last_ptx_fault());
    // The context is lost, as a GPU's would be.
    device_address q = 0;
    BOOST_TEST(cu.mem_alloc(&q, 4) == status::illegal_address);
}

BOOST_AUTO_TEST_CASE(a_fault_may_leave_the_context) {
    ptx_module m{kernel("trap;\nret;")};
    host::ptx_options options;
    options.sticky = false;
    host::set_ptx_options(options);
    CHECK_OK(m.run("k", {1}, {1}, 0, device_address{}, 1));
    BOOST_TEST(host::last_ptx_fault().find("The kernel executed trap; in m::k, line 6 of the PTX, thread (0,0,0)") != std::string::npos,
               host::last_ptx_fault());
    host::clear_ptx_fault();
    BOOST_TEST(host::last_ptx_fault().empty());
    host::set_ptx_options({});
}

BOOST_AUTO_TEST_CASE(threads) {
    const std::string odd = "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;\n"; // line 6
    const case_of all[] = {
        {"barriers in different places",
         odd + "@%p1 bra L;\nbar.sync 0;\nbra E;\nL:\nbar.sync 0;\nE:\nret;",
         {32},
         status::launch_failed,
         {"A divergent barrier", "lines 8 and 11"}},
        {"lanes that go past a barrier",
         odd + "@%p1 bra L;\nbar.sync 0;\nbra E;\nL:\nld.param.u64 %d1, [p]; st.global.u32 [%d1], %r1;\nE:\nret;",
         {32},
         status::launch_failed,
         {"A divergent barrier", "line 8"}},
        {"lanes that end before a barrier", odd + "@%p1 bra E;\nbar.sync 0;\nE:\nret;", {32}, status::success, {}},
        {"a barrier nobody else comes to",
         "bar.sync 1, 64;\nret;",
         {32},
         status::launch_failed,
         {"A deadlock", "at barrier 1, where 32 of 64 threads are", "line 6"}},
        {"warps at different barriers",
         "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1;\n@!%p1 bar.sync 2;\nret;",
         {64},
         status::launch_failed,
         {"A deadlock", "barrier 1", "barrier 2"}},
        {"a shuffle among lanes that ended",
         odd + "@%p1 ret;\nshfl.sync.idx.b32 %r3, %r1, 0, 31, 0xffffffff;\nret;",
         {32},
         status::launch_failed,
         {"names lanes 0xffffffff", "0xaaaaaaaa have ended", "line 8"}},
        {"a shuffle from a lane that never was",
         "mov.u32 %r1, 3;\nshfl.sync.idx.b32 %r2, %r1, 9, 31, 0xffffffff;\nret;",
         {8},
         status::launch_failed,
         {"A shuffle takes the value of lane 9, which its mask 0xffffffff names and the block does not have", "line 7", "thread (0,0,0)"}},
        {"a shuffle that does not reach what its mask names too much",
         "mov.u32 %r1, 3;\nshfl.sync.idx.b32 %r2, %r1, 1, 31, 0xffffffff;\nret;",
         {8},
         status::success,
         {}},
        {"a mask without the lane itself",
         "bar.warp.sync 0xfffffffe;\nret;",
         {32},
         status::illegal_instruction,
         {"lacks the lane that executes it"}},
        {"a barrier of a strange count", "bar.sync 0, 33;\nret;", {64}, status::illegal_instruction, {"multiple of the warp"}},
        {"a stack that grows for ever",
         "call f;\nret;\n}\n.func f() {\ncall f;\nret;",
         {1},
         status::hardware_stack_error,
         {"stack overflow"}},
        {"a call of no function",
         "mov.u64 %d1, 64;\ncall %d1, (), proto;\nproto: .callprototype _ ();\nret;",
         {1},
         status::illegal_address,
         {"which is no function", "line 7"}},
        {"no wait for cp.async",
         ".shared .align 16 .b8 s[64];\nld.param.u64 %d1, [p]; mov.u32 %r1, s;\ncp.async.ca.shared.global [%r1], [%d1], "
         "16;\ncp.async.commit_group;\nld.shared.u32 %r2, [%r1];\nret;",
         {1},
         status::launch_failed,
         {"before cp.async has brought it", "line 10"}},
        {"a wait for cp.async",
         ".shared .align 16 .b8 s[64];\nld.param.u64 %d1, [p]; mov.u32 %r1, s;\ncp.async.ca.shared.global [%r1], [%d1], "
         "16;\ncp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.u32 %r2, [%r1];\nret;",
         {1},
         status::success,
         {}},
    };
    for (const case_of& of : all) {
        case_of fixed = of;
        if (std::string{of.what} == "a stack that grows for ever") fixed.body = "call g;\nret;";
        if (fixed.body == "call g;\nret;") {
            ptx_module m{
                head +
                ".func g() {\n.reg .b32 %r1;\ncall g;\nret;\n}\n.visible .entry k(.param .u64 p, .param .u32 n) {\ncall g;\nret;\n}\n"};
            BOOST_TEST(m.run("k", {1}, {1}, 0, device_address{}, 1) == of.expected);
            BOOST_TEST(host::last_ptx_fault().find(of.facts[0]) != std::string::npos, host::last_ptx_fault());
            BOOST_TEST(host::last_ptx_fault().find("function g, line 6") != std::string::npos, host::last_ptx_fault());
        } else
            check(fixed);
    }
}

BOOST_AUTO_TEST_CASE(the_heap) {
    const std::string heap = head +
                             ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
                             ".visible .entry k(.param .u64 p, .param .u32 n) {\n.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<9>;\n"
                             ".param .b64 a; .param .b64 b;\n"; // eight lines
    const std::string take = "st.param.b64 [a], 64; call (b), malloc, (a); ld.param.b64 %d1, [b]; st.u32 [%d1], 1;\n";
    const struct {
        std::string body;
        const char* fact;
    } bad[] = {
        {take + "st.param.b64 [a], %d1; call free, (a);\nld.u32 %r1, [%d1];\nret;\n}\n",
         "points into freed memory: the 64 bytes that malloc gave at"},
        {take + "st.u32 [%d1+64], 1;\nret;\n}\n", "is 0 bytes past the end of the 64 bytes that malloc gave at"},
        {take + "st.param.b64 [a], %d1; call free, (a);\ncall free, (a);\nret;\n}\n",
         "which malloc did not give or free took back already"},
    };
    for (const auto& b : bad) {
        ptx_module m{heap + b.body};
        BOOST_TEST(m.run("k", {1}, {1}, 0, device_address{}, 1) != status::success);
        BOOST_TEST(host::last_ptx_fault().find(b.fact) != std::string::npos, host::last_ptx_fault());
    }
    // What it has is limited, and comes back.
    ptx_module m{
        heap + "ld.param.u64 %d5, [p];\nmov.u32 %r1, 0;\nL:\nst.param.b64 [a], 104857600; call (b), malloc, (a); ld.param.b64 %d1, [b];\n"
               "setp.eq.u64 %p1, %d1, 0;\n@%p1 bra E;\nmov.u64 %d2, %d1; add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 9;\n@%p2 bra L;\nE:\n"
               "st.global.u32 [%d5], %r1; st.param.b64 [a], %d2; call free, (a); st.param.b64 [a], 104857600; call (b), malloc, (a);\n"
               "ld.param.b64 %d1, [b]; setp.ne.u64 %p1, %d1, 0; selp.u32 %r2, 1, 0, %p1; st.global.u32 [%d5+4], %r2;\nret;\n}\n"};
    const device_array<unsigned> out{2, 0u};
    CHECK_OK(m.run("k", {1}, {1}, 0, out.address(), 1));
    BOOST_TEST(out.values() == (std::vector<unsigned>{2, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(printing) {
    const std::string format = "%hu %hhd %.*f %-4s| %x\n";
    std::string bytes;
    for (const char letter : format + '\0') bytes += (bytes.empty() ? "" : ",") + std::to_string(static_cast<int>(letter));
    ptx_module m{
        head + ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.global .align 1 .b8 text[] = {" + bytes +
        "};\n.global .align 1 .b8 word[] = {97, 98, 0};\n.visible .entry k(.param .u64 p, .param .u32 n) {\n.reg .b32 %r<9>; .reg .b64 "
        "%d<9>; .local .align 8 .b8 l[48]; .param .b64 a; .param .b64 b; .param .b32 r;\n"
        "st.local.u32 [l], 70000; st.local.u32 [l+4], 300; st.local.u32 [l+8], -1; st.local.f64 [l+16], 0d3FF8000000000000;\n"
        "mov.u64 %d2, word; cvta.global.u64 %d2, %d2; st.local.u64 [l+24], %d2; st.local.u32 [l+32], 255;\n"
        "mov.u64 %d1, text; cvta.global.u64 %d1, %d1; mov.u64 %d3, l; cvta.local.u64 %d3, %d3;\n"
        "st.param.b64 [a], %d1; st.param.b64 [b], %d3; call (r), vprintf, (a, b); ld.param.b32 %r1, [r];\n"
        "ld.param.u64 %d4, [p]; st.global.u32 [%d4], %r1;\nret;\n}\n"};
    static std::string said;
    said.clear();
    host::ptx_options options;
    options.print = [](const char* text, std::size_t length) {
        said.append(text, length);
        said += host::last_ptx_fault(); // may be asked for there
    };
    host::set_ptx_options(options);
    const device_array<unsigned> out{1, 0u};
    CHECK_OK(m.run("k", {1}, {1}, 0, out.address(), 1));
    BOOST_TEST(said == "4464 44 1.500000 ab  | ff\n");
    BOOST_TEST(out.values()[0] == 6u); // arguments

    options.print = [](const char*, std::size_t) { throw 1; };
    host::set_ptx_options(options);
    BOOST_TEST(m.run("k", {1}, {1}, 0, out.address(), 1) == status::unknown);
    host::set_ptx_options({});
}

BOOST_AUTO_TEST_CASE(endless_loops) {
    ptx_module m{kernel("L:\nbra L;")};
    host::ptx_options options;
    options.instruction_budget = 100000;
    host::set_ptx_options(options);
    BOOST_TEST(m.run("k", {1}, {1}, 0, device_address{}, 1) == status::launch_timeout);
    host::set_ptx_options({});
    BOOST_TEST(host::last_ptx_fault().find("The budget of 100000 instructions of a warp is used up") != std::string::npos,
               host::last_ptx_fault());
}

BOOST_AUTO_TEST_CASE(source_lines) {
    ptx_module m{test::file("executor/features_75.ptx")};
    const device_array<int> p{64};
    BOOST_TEST(m.run("out_of_bounds", {1}, {65}, 0, p.address(), 64) == status::illegal_address);
    for (const char* fact : {"0 bytes past the end of the 256-byte buffer", "in m::out_of_bounds", "features.cu:", "thread (64,0,0)"})
        BOOST_TEST(host::last_ptx_fault().find(fact) != std::string::npos, host::last_ptx_fault());
    ptx_module again{test::file("executor/features_75.ptx")};
    BOOST_TEST(again.run("print", {1}, {1}, 0, 0) == status::success);
}

BOOST_AUTO_TEST_CASE(what_can_not_be_executed) {
    const std::string good = ".visible .entry good(.param .u64 p) { .reg .b64 %d; ld.param.u64 %d, [p]; st.global.u32 [%d], 7; ret; }\n";
    const struct {
        const char *text, *fact;
    } bad[] = {
        {"wgmma.fence.sync.aligned;", "line 5, `wgmma.fence.sync.aligned`: products of matrices by a group of warps are not supported"},
        {"tcgen05.wait::ld.sync.aligned;", "`tcgen05.wait::ld.sync.aligned`"},
        {"tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%d1, {%r1}];", "`tex.1d.v4.f32.s32`"},
        {"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2}], [%r3];",
         "`cp.async.bulk.tensor.1d"},
        {"frobnicate.u32 %r1, %r2;", "`frobnicate.u32`: this instruction is not supported"},
        {"add.u32 %r1, %d1, 1;", "the register %d1 has 64 bits, the operand 32"},
        {"add.u32 %r1, %r77, 1;", "unknown register '%r77'"},
        {"bra nowhere;", "no label 'nowhere'"},
        {"call elsewhere;", "it calls elsewhere, which the module does not define"},
    };
    for (const auto& b : bad) {
        const std::string text = head +
                                 ".extern .func elsewhere();\n.visible .entry k() { .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; " +
                                 b.text + " ret; }\n" + good;
        const log_watch loading;
        ptx_module m{text};
        BOOST_TEST(loading.has(b.fact), loading.text());
        CHECK_REFUSED(m.run("k", {1}, {1}, 0), status::not_supported, b.fact);
        const device_array<int> out{1, 0};
        CHECK_OK(m.run("good", {1}, {1}, 0, out.address()));
        BOOST_TEST(out.values()[0] == 7);
    }
}

BOOST_AUTO_TEST_CASE(images) {
    const std::string cubin = test::file("cases/19-nv-info-varies/kernel.sm_90.cubin");
    fresh_driver fresh;
    module_handle module = nullptr;
    CHECK_OK(cu.module_load_data_ex(&module, cubin.data(), 0, nullptr, nullptr));
    unsigned count = 0;
    CHECK_OK(cu.module_get_function_count(&count, module));
    BOOST_REQUIRE(count != 0);
    std::vector<hanabi::driver::function_handle> kernels(count);
    CHECK_OK(cu.module_enumerate_functions(kernels.data(), count, module));
    std::vector<std::uint64_t> room(600); // more than any parameter
    std::vector<void*> pointers(64, room.data());
    CHECK_REFUSED(cu.launch_kernel(kernels[0], 1, 1, 1, 1, 1, 1, 0, nullptr, pointers.data(), nullptr), status::not_supported,
                  "the image holds sm_90 cubin, of which nothing can be executed without a GPU: embed readable PTX for a target up to "
                  "compute_90 too");

    // PTX that has to be unpacked first.
    const std::string packed = test::file("cases/20-fatbin-compressed/default.fatbin");
    CHECK_OK(cu.module_load_data_ex(&module, packed.data(), 0, nullptr, nullptr));
    CHECK_OK(cu.module_enumerate_functions(kernels.data(), 1, module));
    CHECK_REFUSED(cu.launch_kernel(kernels[0], 1, 1, 1, 1, 1, 1, 0, nullptr, pointers.data(), nullptr), status::not_supported,
                  "and its PTX is compressed: compile with nvcc --no-compress, or include <hanabi/image/decompress.hpp> and call "
                  "hanabi::image::use_decompression()");

    // Of a fatbin, the PTX runs, though a device would take the machine code beside it.
    const std::string fatbin = test::file("cases/20-fatbin-compressed/none.fatbin");
    const log_watch watch;
    CHECK_OK(cu.module_load_data_ex(&module, fatbin.data(), 0, nullptr, nullptr));
    CHECK_OK(cu.module_get_function_count(&count, module));
    BOOST_REQUIRE(count != 0);
    CHECK_OK(cu.module_enumerate_functions(kernels.data(), 1, module));
    std::vector<std::uint64_t> zeros(64, 0);
    for (void*& p : pointers) p = zeros.data();
    CHECK_OK(cu.launch_kernel(kernels[0], 1, 1, 1, 1, 1, 1, 0, nullptr, pointers.data(), nullptr));
    const status ended = cu.ctx_synchronize(); // with nulls for pointers, the kernel ends at once or faults in its own PTX
    BOOST_TEST((ended == status::success || ended == status::illegal_address));
}
