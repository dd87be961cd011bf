// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Programs of one purpose each, written by hand: what the language allows and compilers seldom write. The same results on the
// host driver and on a GPU; ptxas 13 takes all of them.

#define BOOST_TEST_MODULE ptx_programs
#include <boost/test/unit_test.hpp>

#include <hanabi/current.hpp>
#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>
#include <hanabi/host/ptx.hpp>

#include "support/driver.hpp"
#include "support/host_driver.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace {

/// A kernel `program` of two pointers, which its registers `in` and `out` hold.
struct program {
    const char* name;
    const char* module; ///< declarations before the kernel
    const char* body;
    std::vector<std::uint32_t> in, out;
    unsigned threads = 1;
    const char* dialect = ".version 8.5\n.target sm_90\n.address_size 64\n";
    const char* directives = "";
};

std::string text_of(const program& p) {
    return std::string{p.dialect} + p.module + "\n.visible .entry program(.param .u64 from, .param .u64 to) " + p.directives + R"(
{
    .reg .b64 in, out, q<10>;
    .reg .b32 a<10>;
    .reg .b16 h<6>;
    .reg .pred p<6>;
    .reg .f32 x<6>;
    .reg .f64 y<4>;
    ld.param.u64 in, [from];
    ld.param.u64 out, [to];
)" + p.body +
           "\n    ret;\n}\n";
}

/// Words on the device.
class words {
  public:
    explicit words(const std::vector<std::uint32_t>& values) : bytes_{values.size() * sizeof(std::uint32_t)} {
        const hanabi::driver::table& driver = test_driver();
        BOOST_TEST_REQUIRE(driver.mem_alloc(&at, bytes_) == status::success);
        BOOST_TEST_REQUIRE(driver.memcpy_htod_async(at, values.data(), bytes_, nullptr) == status::success);
        BOOST_TEST_REQUIRE(driver.ctx_synchronize() == status::success);
    }
    words(const words&) = delete;
    words& operator=(const words&) = delete;
    ~words() { test_driver().mem_free(at); }
    std::vector<std::uint32_t> values() const {
        std::vector<std::uint32_t> out(bytes_ / sizeof(std::uint32_t));
        BOOST_TEST(test_driver().memcpy_dtoh_async(out.data(), at, bytes_, nullptr) == status::success);
        BOOST_TEST(test_driver().ctx_synchronize() == status::success);
        return out;
    }

    device_address at = 0;

  private:
    std::size_t bytes_;
};

constexpr std::uint32_t untouched = 0xabababab;

void check(const program& p) {
    BOOST_TEST_CONTEXT(p.name) {
        const std::string text = text_of(p);
        BOOST_TEST_MESSAGE("// " << p.name << "\n" << text);
        std::optional<log_watch> log;
        if (on_host()) {
            hanabi::context::release(0, test_driver());
            host::reset({host::device_config{}});
            log.emplace();
        }
        const hanabi::context gpu = test_context();
        const hanabi::current_context current{gpu};
        const auto modules = hanabi::registry::load(gpu, {{"m", text}});
        const words in{p.in.empty() ? std::vector<std::uint32_t>(1) : p.in}, out{std::vector<std::uint32_t>(p.out.size() + 4, untouched)};
        device_address addresses[] = {in.at, out.at};
        void* arguments[] = {&addresses[0], &addresses[1]};
        const hanabi::driver::table& driver = test_driver();
        status s = driver.launch_kernel(modules.function("m", "program"), 1, 1, 1, p.threads, 1, 1, 256, nullptr, arguments, nullptr);
        if (s == status::success) s = driver.ctx_synchronize();
        BOOST_TEST(s == status::success, name_of(s) << " " << (log ? log->text() : ""));
        if (s != status::success) return;
        std::vector<std::uint32_t> got = out.values();
        got.resize(p.out.size());
        BOOST_TEST(got == p.out, boost::test_tools::per_element());
    }
}
void check(const std::vector<program>& all) {
    for (const program& p : all) check(p);
}

constexpr std::uint32_t minus_one = 0xffffffff;

} // namespace

BOOST_AUTO_TEST_CASE(carries) {
    check({
        {"sub.cc sets what addc adds: nothing was borrowed",
         "",
         R"(
    ld.u32 a0, [in];
    ld.u32 a1, [in+4];
    sub.cc.u32 a2, a0, a1;
    addc.u32 a3, a0, 10;
    sub.cc.u32 a4, a1, a0;
    addc.u32 a5, a0, 10;
    st.v4.u32 [out], {a2, a3, a4, a5};)",
         {9, 4},
         {5, 20, 0xfffffffb, 19}},
        {"add.cc sets what subc takes for no borrow",
         "",
         R"(
    ld.u32 a0, [in];
    add.cc.u32 a1, a0, 1;
    subc.u32 a2, 100, 30;
    add.cc.u32 a3, a0, 0;
    subc.u32 a4, 100, 30;
    st.v4.u32 [out], {a1, a2, a3, a4};)",
         {minus_one},
         {0, 70, minus_one, 69}},
        {"a difference of 96 bits",
         "",
         R"(
    ld.v4.u32 {a0, a1, a2, a3}, [in];
    ld.v2.u32 {a4, a5}, [in+16];
    sub.cc.u32 a6, a0, a3;
    subc.cc.u32 a7, a1, a4;
    subc.u32 a8, a2, a5;
    st.v2.u32 [out], {a6, a7};
    st.u32 [out+8], a8;)",
         {0, 0, 5, 1, 0, 2},
         {minus_one, minus_one, 2}},
        {"a product of 64 bits by 32",
         "",
         R"(
    ld.v2.u32 {a0, a1}, [in];
    ld.u32 a2, [in+8];
    mul.lo.u32 a3, a0, a2;
    mul.hi.u32 a4, a0, a2;
    mad.lo.cc.u32 a4, a1, a2, a4;
    madc.hi.u32 a5, a1, a2, 0;
    st.v2.u32 [out], {a3, a4};
    st.u32 [out+8], a5;)",
         {minus_one, minus_one, minus_one},
         {1, minus_one, 0xfffffffe}},
        {"the flag outlives what does not write it",
         "",
         R"(
    ld.u32 a0, [in];
    add.cc.u32 a1, a0, 1;
    add.u32 a2, a0, 5;
    mul.lo.u32 a2, a2, 3;
    setp.eq.u32 p0, a0, 1;
@p0 add.cc.u32 a1, 1, 1;
    addc.u32 a3, a2, 0;
    st.u32 [out], a3;)",
         {minus_one},
         {13}},
        {"64 bits and a carry",
         "",
         R"(
    ld.u64 q0, [in];
    add.cc.u64 q1, q0, q0;
    addc.u64 q2, 0, 0;
    sub.cc.u64 q3, q0, 1;
    subc.u64 q4, 0, 0;
    st.v2.u64 [out], {q1, q2};
    st.v2.u64 [out+16], {q3, q4};)",
         {0, 0x80000000},
         {0, 0, 1, 0, minus_one, 0x7fffffff, 0, 0}},
    });
}

BOOST_AUTO_TEST_CASE(arrays) {
    check({
        {"elements of arrays in constant memory",
         ".const .u16 table[5] = {3, 1, 4, 1, 5};\n.const .f64 reals[2] = {0.5, -2.0};",
         R"(
    ld.const.u16 h0, table[2];
    ld.const.u16 h1, table[2+2];
    ld.const.f64 y0, reals[1];
    cvt.u32.u16 a0, h0;
    cvt.u32.u16 a1, h1;
    cvt.rzi.s32.f64 a2, y0;
    st.v2.u32 [out], {a0, a1};
    st.u32 [out+8], a2;)",
         {},
         {4, 5, 0xfffffffe}},
        {"an index in a register",
         ".global .u32 squares[6] = {0, 1, 4, 9, 16, 25};",
         R"(
    ld.u32 a0, [in];
    ld.u64 q0, [in+8];
    ld.global.u32 a1, squares[a0];
    ld.global.u32 a2, squares[q0];
    ld.global.u32 a3, squares[q0+2];
    st.global.u32 squares[a0], 77;
    ld.global.u32 a4, [squares+12];
    st.v4.u32 [out], {a1, a2, a3, a4};)",
         {3, 0, 2, 0},
         {9, 4, 16, 77}},
        {"the distance has 32 bits",
         ".global .u32 a_few[4] = {1, 2, 3, 4};",
         R"(
    ld.u32 a0, [in];
    mov.u64 q0, a_few;
    mov.u64 q1, a_few[a0];
    sub.u64 q2, q1, q0;
    mov.u64 q3, a_few[3];
    sub.u64 q3, q3, q0;
    st.v2.u64 [out], {q2, q3};)",
         {0x40000001},
         {4, 0, 12, 0}},
        {"elements in shared and local memory",
         ".shared .align 8 .u16 of_block[8];",
         R"(
    .local .align 8 .u32 own[4];
    ld.u32 a0, [in];
    mov.b16 h0, 21;
    st.shared.u16 of_block[5], h0;
    ld.shared.u16 h1, of_block[a0];
    st.local.u32 own[3], 9;
    ld.local.u32 a1, [own+12];
    mov.u32 a2, of_block[a0];
    mov.u32 a3, of_block;
    sub.u32 a2, a2, a3;
    cvt.u32.u16 a4, h1;
    st.v2.u32 [out], {a4, a1};
    st.u32 [out+8], a2;)",
         {5},
         {21, 9, 10}},
        {"elements of parameters",
         R"(
.func (.param .u32 r) pick(.param .u32 t[4], .param .u32 n)
{
    .reg .u32 i, v, w;
    ld.param.u32 i, [n];
    ld.param.u32 v, t[2];
    ld.param.u32 w, t[3];
    add.u32 v, v, w;
    add.u32 v, v, i;
    st.param.u32 [r], v;
    ret;
})",
         R"(
    .param .u32 t[4], n;
    .param .u32 r;
    st.param.u32 [t], 10;
    st.param.u32 t[1], 20;
    st.param.u32 t[2], 30;
    st.param.u32 [t+12], 100;
    ld.u32 a0, [in];
    st.param.u32 [n], a0;
    call (r), pick, (t, n);
    ld.param.u32 a1, [r];
    st.u32 [out], a1;)",
         {2},
         {132}},
        {"an element of a vector's kind", // counted in scalars
         ".global .v2 .u32 pairs[3] = {{1, 2}, {3, 4}, {5, 6}};",
         R"(
    ld.global.v2.u32 {a0, a1}, pairs[2];
    ld.global.u32 a2, pairs[1];
    st.v2.u32 [out], {a0, a1};
    st.u32 [out+8], a2;)",
         {},
         {3, 4, 2}},
        {"rows that are not full", // the values lie one after the other
         ".global .u32 grid[3][4] = {{1, 2}, {3}, {4, 5, 6, 7}};\n.global .u16 cube[2][2][2] = {{{1}, {2, 3}}, {{4}}};",
         R"(
    ld.global.u32 a0, [grid+4];
    ld.global.u32 a1, [grid+8];
    ld.global.u32 a2, [grid+16];
    ld.global.u32 a3, [grid+44];
    st.v4.u32 [out], {a0, a1, a2, a3};
    ld.global.v4.u16 {h0, h1, h2, h3}, [cube];
    mov.b64 q0, {h0, h1, h2, h3};
    ld.global.v4.u16 {h0, h1, h2, h3}, [cube+8];
    mov.b64 q1, {h0, h1, h2, h3};
    st.v2.u64 [out+16], {q0, q1};)",
         {},
         {2, 3, 5, 0, 0x00020001, 0x00040003, 0, 0}},
        {"an array as long as its value",
         ".global .u32 open[] = {10, 20, 30};\n.global .u8 bytes[][2] = {{1, 2}, {3}};",
         R"(
    ld.global.u32 a0, [open+8];
    ld.global.u8 a1, [bytes+2];
    ld.global.u8 a2, [bytes+3];
    st.v2.u32 [out], {a0, a1};
    st.u32 [out+8], a2;)",
         {},
         {30, 3, 0}},
        {"initial values that are computed",
         ".global .s32 made[6] = {1+2*3, (1<<5)|1, ~0, -7/2, 5>3?10:20, -(2+3)};\n.global .s8 narrow[4] = {-1, 0x7f, 300};",
         R"(
    ld.global.v4.u32 {a0, a1, a2, a3}, [made];
    st.v4.u32 [out], {a0, a1, a2, a3};
    ld.global.v2.u32 {a0, a1}, [made+16];
    ld.global.u32 a2, [narrow];
    st.v2.u32 [out+16], {a0, a1};
    st.u32 [out+24], a2;)",
         {},
         {7, 33, minus_one, 0xfffffffd, 10, 0xfffffffb, 0x002c7fff}},
        {"addresses as initial values",
         ".global .u32 target[4] = {11, 22, 33, 44};\n.const .u32 fixed = 55;\n.global .u64 ways[4] = {generic(target), generic(target)+8, "
         "target+4, generic(fixed)};",
         R"(
    ld.global.u64 q0, [ways];
    ld.u32 a0, [q0];
    ld.global.u64 q0, [ways+8];
    ld.u32 a1, [q0];
    ld.global.u64 q0, [ways+16];
    ld.global.u32 a2, [q0];
    ld.global.u64 q0, [ways+24];
    ld.u32 a3, [q0];
    st.v4.u32 [out], {a0, a1, a2, a3};)",
         {},
         {11, 33, 22, 55}},
        {"reals as initial values",
         ".global .f32 narrow[4] = {1.5, -0.25, 0fC0490FDB, 0f7F800000};\n.global .f64 wide[2] = {1e3, 0dBFF0000000000000};",
         R"(
    ld.global.v4.u32 {a0, a1, a2, a3}, [narrow];
    st.v4.u32 [out], {a0, a1, a2, a3};
    ld.global.v2.u64 {q0, q1}, [wide];
    st.v2.u64 [out+16], {q0, q1};)",
         {},
         {0x3fc00000, 0xbe800000, 0xc0490fdb, 0x7f800000, 0, 0x408f4000, 0, 0xbff00000}},
        {"functions in a table",
         ".func (.reg .u32 r) twice(.reg .u32 v) { add.u32 r, v, v; ret; }\n"
         ".func (.reg .u32 r) square(.reg .u32 v) { mul.lo.u32 r, v, v; ret; }\n"
         ".const .u64 table[2] = {twice, square};",
         R"(
    ld.u32 a0, [in];
    ld.u32 a1, [in+4];
    ld.const.u64 q0, table[a0];
unary: .callprototype (.reg .u32 _) _ (.reg .u32 _);
    call (a2), q0, (a1), unary;
    xor.b32 a0, a0, 1;
    ld.const.u64 q0, table[a0];
    call (a3), q0, (a1), unary;
    st.v2.u32 [out], {a2, a3};)",
         {1, 7},
         {49, 14}},
        {"variables of a function",
         "",
         R"(
    .global .u32 kept[3] = {4, 5, 6};
    .const .u32 fixed = 9;
    .global .u64 way = kept;
    .shared .u32 shared_one, shared_two[2];
    ld.global.u32 a0, [kept+8];
    ld.const.u32 a1, [fixed];
    {
        .global .u32 kept = 70;
        ld.global.u32 a2, [kept];
    }
    ld.global.u64 q0, [way];
    ld.global.u32 a3, [q0+4];
    st.v4.u32 [out], {a0, a1, a2, a3};
    st.shared.u32 [shared_two+4], 3;
    st.shared.u32 [shared_one], 8;
    ld.shared.u32 a0, [shared_two+4];
    st.u32 [out+16], a0;)",
         {},
         {6, 9, 70, 5, 3}},
        {"two functions with a variable of one name",
         ".func (.reg .u32 r) first() { .global .u32 own = 5; ld.global.u32 r, [own]; add.u32 r, r, 1; st.global.u32 [own], r; ret; }\n"
         ".func (.reg .u32 r) second() { .global .u32 own = 50; ld.global.u32 r, [own]; ret; }",
         R"(
    call (a0), first;
    call (a1), first, ();
    call (a2), second;
    st.v2.u32 [out], {a0, a1};
    st.u32 [out+8], a2;)",
         {},
         {6, 7, 50}},
        {"dynamic shared memory after static",
         ".extern .shared .align 8 .b8 dynamic[];\n.shared .u32 fixed[3];",
         R"(
    st.shared.u32 [fixed+8], 1;
    st.shared.u64 [dynamic], 2;
    st.shared.u8 [dynamic+255], 7;
    mov.u32 a0, dynamic;
    mov.u32 a1, fixed;
    sub.u32 a2, a0, a1;
    setp.lt.u32 p0, a2, 12;
    selp.u32 a2, 1, 0, p0;
    and.b32 a3, a0, 7;
    ld.shared.u32 a4, [fixed+8];
    ld.shared.u8 a5, dynamic[255];
    st.v4.u32 [out], {a2, a3, a4, a5};)",
         {},
         {0, 0, 1, 7}},
    });
}

BOOST_AUTO_TEST_CASE(vectors_of_registers) {
    check({
        {"parts of a vector",
         "",
         R"(
    .reg .v4 .u32 v;
    .reg .v2 .f32 pair;
    ld.v4.u32 v, [in];
    add.u32 v.x, v.y, v.z;
    mov.u32 v.w, 5;
    mov.f32 pair.x, 0f3F800000;
    add.f32 pair.y, pair.x, pair.r;
    st.v4.u32 [out], v;
    st.v2.f32 [out+16], pair;
    st.v2.u32 [out+24], {v.b, v.g};)",
         {1, 2, 3, 4},
         {5, 2, 3, 5, 0x3f800000, 0x40000000, 3, 2}},
        {"vectors between vectors",
         "",
         R"(
    .reg .v2 .u32 v<3>, w;
    ld.v2.u32 v0, [in];
    mov.v2.u32 v2, v0;
    mov.v2.u32 w, {v2.y, v2.x};
    mov.v2.u32 {a0, a1}, w;
    mov.v2.u32 {a0, a1}, {a1, a0};
    st.v2.u32 [out], w;
    st.v2.u32 [out+8], {a0, a1};)",
         {6, 7},
         {7, 6, 6, 7}},
        {"a vector as the bits of one register",
         "",
         R"(
    .reg .v2 .b16 v;
    .reg .v4 .b16 w;
    ld.u32 a0, [in];
    ld.u64 q0, [in];
    mov.b32 v, a0;
    mov.b64 w, q0;
    mov.b16 h0, v.x;
    mov.b32 a1, {v.y, h0};
    mov.b64 q1, {w.w, w.z, w.y, w.x};
    mov.b32 a2, v;
    st.v2.u32 [out], {a1, a2};
    st.u64 [out+8], q1;)",
         {0x00020001, 0x00040003},
         {0x00010002, 0x00020001, 0x00030004, 0x00010002}},
        {"a vector as a parameter",
         ".func (.reg .v2 .u32 r) turned(.reg .v2 .u32 v, .reg .u32 by) { add.u32 r.x, v.y, by; mov.u32 r.y, v.x; ret; }",
         R"(
    .reg .v2 .u32 v;
    ld.v2.u32 v, [in];
    call (v), turned, (v, 100);
    st.v2.u32 [out], v;)",
         {1, 2},
         {102, 1}},
        {"special registers that are vectors",
         "",
         R"(
    .reg .v4 .u32 v;
    mov.v4.u32 v, %ntid;
    mov.v4.u32 {a0, a1, a2, a3}, %tid;
    setp.ne.u32 p0, a0, 3;
@p0 exit;
    mov.u32 a4, %tid.w;
    mov.u32 a5, %ntid.r;
    st.v4.u32 [out], v;
    st.v4.u32 [out+16], {a0, a1, a2, a3};
    st.v2.u32 [out+32], {a4, a5};
    mov.u32 a4, %envreg7;
    and.b32 a4, a4, 0;
    mov.b64 q0, {%tid.x, %ntid.x};
    st.u32 [out+40], a4;
    st.u64 [out+48], q0;)",
         {},
         {5, 1, 1, 0, 3, 0, 0, 0, 0, 5, 0, untouched, 3, 5},
         5},
        {"a scalar hides a vector",
         "",
         R"(
    .reg .v2 .u32 v;
    mov.v2.u32 v, {1, 2};
    {
        .reg .u32 v;
        mov.u32 v, 9;
        st.u32 [out], v;
    }
    st.v2.u32 [out+8], v;)",
         {},
         {9, untouched, 1, 2}},
    });
}

BOOST_AUTO_TEST_CASE(constants_and_names) {
    check({
        {"integers",
         "",
         R"(
    mov.u32 a0, 0x1F;
    mov.u32 a1, 017;
    mov.u32 a2, 0b1011;
    mov.u32 a3, 4294967295U;
    st.v4.u32 [out], {a0, a1, a2, a3};
    mov.s32 a0, -5;
    mov.u64 q0, 0xFFFFFFFFFFFFFFFFU;
    mov.s64 q1, -9223372036854775808;
    st.u32 [out+16], a0;
    st.u64 [out+24], q0;
    st.u64 [out+32], q1;)",
         {},
         {31, 15, 11, minus_one, 0xfffffffb, untouched, minus_one, minus_one, 0, 0x80000000}},
        {"reals",
         "",
         R"(
    mov.f32 x0, 0f40490FDB;
    mov.f32 x1, 1.5e-1;
    mov.f32 x2, .5;
    mov.f64 y0, 0d3FF8000000000000;
    mov.f64 y1, 2.0*1.25-0.5;
    mul.f32 x3, x2, 0d4000000000000000;
    add.f64 y2, y0, 0.25;
    st.v4.f32 [out], {x0, x1, x2, x3};
    st.v2.f64 [out+16], {y1, y2};)",
         {},
         {0x40490fdb, 0x3e19999a, 0x3f000000, 0x3f800000, 0, 0x40000000, 0, 0x3ffc0000}},
        {"expressions",
         "",
         R"(
    mov.u32 a0, (1 + 2) * 3 << 2;
    mov.s32 a1, -7 >> 1;
    mov.u32 a2, 1 < 2 && 3 != 3 || 4 >= 4;
    mov.u32 a3, 0 ? 5 : 6;
    st.v4.u32 [out], {a0, a1, a2, a3};
    add.u32 a0, a0, ~1;
    mov.u32 a1, WARP_SZ*2-1;
    add.u32 a2, a1, +1;
    st.u32 [out+36], a2;
    mov.u32 a2, -1 > 0U;
    lop3.b32 a3, a0, a1, a2, 0xF0 & ~0xC0;
    st.v4.u32 [out+4*4], {a0, a1, a2, a3};
    mov.s32 a0, (.s64)7 % 4 - !0;
    st.u32 [out+(2+6)*4], a0;)",
         {},
         {36, 0xfffffffc, 1, 6, 34, 63, 1, 0, 2, 64}},
        {"names",
         "",
         R"(
    .reg .b32 %r<3>, %r7x, _under, $dollar, r1, r10;
    .reg.b32 close;
    mov.u32 %r0,1;mov.u32 %r2,2 ;
    mov.u32 %r7x, 3; mov.u32 _under, 4; mov.u32 $dollar, 5;
    mov.u32 r1, 6; mov.u32 r10, 7; mov.u32 close, 8 ;
    st.v4.u32 [out], {%r0, %r2, %r7x, _under};
    st.v4.u32 [ out + 16 ] , { $dollar , r1 , r10 , close } ;)",
         {},
         {1, 2, 3, 4, 5, 6, 7, 8}},
        {"comments and white space",
         "",
         "\r\n\tmov.u32\ta0, /* one */ 1; // two; mov.u32 a0, 2;\r\n"
         "/* mov.u32 a0, 3;\n // */ add.u32\n\ta0\n,\na0,\f1;\n st.u32 [out], a0;//",
         {},
         {2}},
        {"a name that is a register's in a range and another's in a block",
         "",
         R"(
    mov.u32 a1, 5;
    {
        .reg .u64 a1;
        mov.u64 a1, 7;
        st.u64 [out], a1;
        {
            .reg .u32 a<2>;
            mov.u32 a1, 9;
            st.u32 [out+8], a1;
        }
    }
    st.u32 [out+12], a1;)",
         {},
         {7, 0, 9, 5}},
        {"names of types and instructions",
         ".global .u32 add = 4;",
         R"(
    .reg .u32 ret, mov, bra;
    ld.global.u32 mov, [add];
    mov.u32 ret, 6;
    add.u32 bra, ret, mov;
    st.u32 [out], bra;)",
         {},
         {10}},
    });
}

BOOST_AUTO_TEST_CASE(control) {
    check({
        {"labels of one name in blocks",
         "",
         R"(
    mov.u32 a0, 0;
    mov.u32 a1, 0;
    {
    again:
        add.u32 a0, a0, 1;
        setp.lt.u32 p0, a0, 5;
    @p0 bra again;
    }
    {
    again: add.u32 a1, a1, 2;
        setp.lt.u32 p0, a1, 7;
    @p0 bra.uni again;
    }
    st.v2.u32 [out], {a0, a1};)",
         {},
         {5, 8}},
        {"out of a block and back",
         "",
         R"(
    mov.u32 a0, 1;
outer:
    {
        .reg .u32 own;
        shl.b32 own, a0, 1;
        mov.u32 a0, own;
        setp.gt.u32 p0, own, 40;
    @!p0 bra outer;
    @p0 bra done;
    }
    mov.u32 a0, 0;
done: st.u32 [out], a0;)",
         {},
         {64}},
        {"two predicates at a time",
         "",
         R"(
    ld.u32 a0, [in];
    setp.eq.u32 p2, a0, a0;
    setp.lt.and.s32 p0|p1, a0, 5, !p2;
    setp.lt.or.s32 p3|p4, a0, -5, p2;
    setp.gt.xor.s32 p2|_, a0, 2, p2;
    selp.u32 a1, 1, 2, p2;
@p3 add.u32 a1, a1, 10;
@!p4 add.u32 a1, a1, 100;
    st.u32 [out], a1;)",
         {3},
         {12}},
        {"threads part and meet",
         ".shared .u32 sums[32];",
         R"(
    mov.u32 a0, %tid.x;
    and.b32 a1, a0, 3;
    setp.eq.u32 p0, a1, 0;
@p0 bra zero;
    setp.eq.u32 p0, a1, 1;
@p0 bra one;
    mov.u32 a2, 1000;
    bra.uni meet;
zero:
    mov.u32 a2, 0;
loop:
    add.u32 a2, a2, a0;
    sub.u32 a1, a1, 1;
    setp.ne.u32 p0, a1, -3;
@p0 bra loop;
    bra meet;
one:
    mul.lo.u32 a2, a0, 7;
meet:
    bar.sync 0;
    shl.b32 a3, a0, 2;
    mov.u32 a4, sums;
    add.u32 a4, a4, a3;
    st.shared.u32 [a4], a2;
    bar.sync 0;
    setp.ne.u32 p0, a0, 0;
@p0 ret;
    ld.shared.v4.u32 {a0, a1, a2, a3}, [sums+16];
    st.v4.u32 [out], {a0, a1, a2, a3};)",
         {},
         {12, 35, 1000, 1000},
         8},
        {"a table of branches",
         "",
         R"(
    ld.u32 a0, [in];
    mov.u32 a1, 0;
turn:
    min.u32 a2, a0, 2;
ways: .branchtargets far, near, far;
    brx.idx a2, ways;
near:
    add.u32 a1, a1, 1;
    bra join;
far:
    add.u32 a1, a1, 10;
join:
    sub.u32 a0, a0, 1;
    setp.ge.s32 p0, a0, 0;
@p0 bra turn;
    st.u32 [out], a1;)",
         {3},
         {31}},
        {"a table of numbered labels",
         "",
         R"(
    mov.u32 a0, %tid.x;
ways: .branchtargets way<3>;
    brx.idx a0, ways;
way2: mov.u32 a1, 12;
    bra.uni join;
way0: mov.u32 a1, 10;
    bra.uni join;
way1: mov.u32 a1, 11;
join:
    mad.wide.u32 q0, a0, 4, out;
    st.u32 [q0], a1;)",
         {},
         {10, 11, 12},
         3},
        {"exit in a function",
         ".func leave(.reg .u32 who) { .reg .pred p; setp.ne.u32 p, who, 2; @p exit; ret; }",
         R"(
    mov.u32 a0, %tid.x;
    call leave, (a0);
    st.u32 [out], a0;)",
         {},
         {2},
         7},
        {"predicates as values",
         "",
         R"(
    ld.u32 a0, [in];
    setp.eq.u32 p0, a0, 4;
    mov.pred p1, p0;
    not.pred p2, p1;
    or.pred p3, p2, !p0;
    xor.pred p4, p1, p3;
    and.pred p5, p4, !p3;
    selp.u32 a1, 1, 0, p1;
    selp.u32 a2, 1, 0, p3;
    selp.u32 a3, 1, 0, p4;
    selp.u32 a4, 1, 0, p5;
    mov.pred p0, 1;
@p0 st.v4.u32 [out], {a1, a2, a3, a4};)",
         {4},
         {1, 0, 1, 1}},
    });
}

BOOST_AUTO_TEST_CASE(calls) {
    check({
        {"several results",
         ".func (.reg .u32 quotient, .reg .u32 rest, .reg .u32 exact) divided(.reg .u32 a, .reg .u32 b) {\n"
         "    div.u32 quotient, a, b; rem.u32 rest, a, b; set.eq.u32.u32 exact, rest, 0; ret; }",
         R"(
    ld.v2.u32 {a0, a1}, [in];
    call (a2, a3, a4), divided, (a0, a1);
    and.b32 a4, a4, 7;
    st.v2.u32 [out], {a2, a3};
    st.u32 [out+8], a4;)",
         {45, 9},
         {5, 0, 7}},
        {"a structure as a parameter and a result",
         R"(
.func (.param .align 8 .b8 r[16]) swapped(.param .align 8 .b8 s[12], .param .b32 n)
{
    .reg .u64 a;
    .reg .u32 b, c;
    ld.param.u64 a, [s];
    ld.param.u32 b, [s+8];
    ld.param.u32 c, [n];
    st.param.u32 [r+0], b;
    st.param.u32 [r+4], c;
    st.param.u64 [r+8], a;
    ret;
})",
         R"(
    {
        .param .align 8 .b8 given[12];
        .param .b32 number;
        .param .align 8 .b8 got[16];
        ld.u64 q0, [in];
        ld.u32 a0, [in+8];
        st.param.b64 [given], q0;
        st.param.b32 [given+8], a0;
        st.param.b32 [number], 77;
        call.uni (got), swapped, (given, number);
        ld.param.v2.b32 {a1, a2}, [got];
        ld.param.u64 q1, [got+8];
        st.v2.u32 [out], {a1, a2};
        st.u64 [out+8], q1;
    })",
         {1, 2, 3},
         {3, 77, 1, 2}},
        {"declared before it is defined, and recursive",
         ".func (.param .u32 r) ackermann(.param .u32 m, .param .u32 n);",
         R"(
    .param .u32 m, n, r;
    st.param.u32 [m], 2;
    st.param.u32 [n], 3;
    call (r), ackermann, (m, n);
    ld.param.u32 a0, [r];
    st.u32 [out], a0;
    ret;
}
.func (.param .u32 r) ackermann(.param .u32 m, .param .u32 n)
{
    .reg .u32 a, b;
    .reg .pred p;
    .param .u32 x, y, z;
    ld.param.u32 a, [m];
    ld.param.u32 b, [n];
    setp.eq.u32 p, a, 0;
@p  bra last;
    setp.eq.u32 p, b, 0;
@p  bra middle;
    sub.u32 b, b, 1;
    st.param.u32 [x], a;
    st.param.u32 [y], b;
    call (z), ackermann, (x, y);
    ld.param.u32 b, [z];
    bra next;
middle:
    mov.u32 b, 1;
next:
    sub.u32 a, a, 1;
    st.param.u32 [x], a;
    st.param.u32 [y], b;
    call (z), ackermann, (x, y);
    ld.param.u32 b, [z];
    st.param.u32 [r], b;
    ret;
last:
    add.u32 b, b, 1;
    st.param.u32 [r], b;)",
         {},
         {9}},
        {"by an address that threads don't share",
         ".func (.reg .u32 r) half(.reg .u32 v) { shr.u32 r, v, 1; ret; }\n"
         ".func (.reg .u32 r) more(.reg .u32 v) { add.u32 r, v, 1000; ret; }",
         R"(
    mov.u32 a0, %tid.x;
    and.b32 a1, a0, 1;
    setp.eq.u32 p0, a1, 0;
    mov.u64 q0, half;
    mov.u64 q1, more;
    selp.b64 q0, q0, q1, p0;
    ld.u32 a2, [in];
    add.u32 a2, a2, a0;
either: .calltargets half, more;
    call (a3), q0, (a2), either;
    mad.wide.u32 q2, a0, 4, out;
    st.u32 [q2], a3;)",
         {40},
         {20, 1041, 21, 1043},
         4},
        {"under a guard",
         ".global .u32 count;\n.func bump(.reg .u32 by) { .reg .u32 old; atom.global.add.u32 old, [count], by; ret; }",
         R"(
    mov.u32 a0, %tid.x;
    setp.gt.u32 p0, a0, 1;
@p0 call bump, (a0);
@!p0 call bump, (100);
    bar.sync 0;
    ld.global.u32 a1, [count];
    st.u32 [out], a1;)",
         {},
         {205},
         4},
        {"an address of local memory goes down",
         ".func fill(.reg .u64 to, .reg .u32 n) {\n    .reg .u32 i; .reg .u64 a; .reg .pred p; mov.u32 i, 0;\n"
         "more: mad.wide.u32 a, i, 4, to; st.u32 [a], i; add.u32 i, i, 1; setp.lt.u32 p, i, n;\n@p bra more; ret; }",
         R"(
    .local .align 4 .b8 room[16];
    mov.u64 q0, room;
    cvta.local.u64 q0, q0;
    call fill, (q0, 4);
    ld.local.u32 a0, [room+12];
    ld.local.u32 a1, [room+8];
    st.v2.u32 [out], {a0, a1};)",
         {},
         {3, 2}},
        {"linkage of functions",
         ".weak .func (.reg .u32 r) one() { mov.u32 r, 1; ret; }\n.visible .func (.reg .u32 r) two();\n"
         ".visible .func (.reg .u32 r) two() { mov.u32 r, 2; ret; }\n.func never() .noreturn { trap; }",
         R"(
    call (a0), one, ();
    call (a1), two;
    setp.eq.u32 p0, a0, 5;
@p0 call never;
    st.v2.u32 [out], {a0, a1};)",
         {},
         {1, 2}},
        {"small parameters",
         R"(
.func (.param .b32 r) sum(.param .b32 a, .param .s32 b, .param .align 4 .b8 c[4])
{
    .reg .u32 x, y, z;
    ld.param.u8 x, [a];
    ld.param.s16 y, [b];
    ld.param.s8 z, [c+3];
    add.s32 x, x, y;
    add.s32 x, x, z;
    st.param.b32 [r], x;
    ret;
})",
         R"(
    .param .b32 one;
    .param .s32 two;
    .param .align 4 .b8 three[4];
    .param .b32 four;
    mov.u32 a0, 0x1fe;
    st.param.b32 [one], a0;
    mov.u32 a0, -300;
    st.param.b32 [two], a0;
    mov.u32 a0, 0xF0000000;
    st.param.b32 [three], a0;
    call (four), sum, (one, two, three);
    ld.param.b32 a1, [four];
    st.u32 [out], a1;)",
         {},
         {static_cast<std::uint32_t>(254 - 300 - 16)}},
    });
}

BOOST_AUTO_TEST_CASE(memory) {
    check({
        {"narrow values in wide registers",
         "",
         R"(
    ld.s8 a0, [in];
    ld.u8 a1, [in];
    ld.s16 a2, [in];
    ld.s8 q0, [in+3];
    st.v2.u32 [out], {a0, a1};
    st.u32 [out+8], a2;
    st.u64 [out+16], q0;
    ld.v4.u8 {h0, h1, h2, h3}, [in];
    mov.b64 q1, {h0, h1, h2, h3};
    st.u64 [out+24], q1;
    st.v4.u8 [out+32], {h3, h2, h1, h0};)",
         {0x807f01fe},
         {0xfffffffe, 0xfe, 0x01fe, untouched, 0xffffff80, minus_one, 0x000100fe, 0x0080007f, 0xfe017f80}},
        {"parts of a vector that nobody wants",
         "",
         R"(
    ld.v2.u32 {a0, _}, [in];
    ld.v4.u32 {_, _, a1, _}, [in];
    ld.u64 q0, [in];
    mov.b64 {_, a2}, q0;
    mov.b32 {h0, _}, a2;
    cvt.u32.u16 a3, h0;
    st.v4.u32 [out], {a0, a1, a2, a3};)",
         {1, 0xdead0002, 3, 4},
         {1, 3, 0xdead0002, 2}},
        {"qualifiers",
         "",
         R"(
    ld.global.nc.u32 a0, [in];
    ld.volatile.global.u32 a1, [in+4];
    ld.relaxed.sys.global.u32 a2, [in+8];
    ld.acquire.cta.u32 a3, [in+12];
    st.release.gpu.global.u32 [out], a0;
    st.relaxed.cluster.u32 [out+4], a1;
    st.volatile.u32 [out+8], a2;
    st.weak.global.u32 [out+12], a3;
    ld.global.ca.u32 a0, [in+16];
    ld.global.cg.u32 a1, [in+20];
    ld.global.L1::no_allocate.L2::128B.v2.u32 {a2, a3}, [in+16];
    st.global.wt.u32 [out+16], a0;
    st.global.L1::evict_first.v2.u32 [out+24], {a2, a3};
    st.global.cs.u32 [out+20], a1;
    ldu.global.u32 a4, [in];
    ld.global.nc.L1::evict_last.v4.u32 {a0, a1, a2, a3}, [in];
    prefetch.global.L2 [in];
    prefetchu.L1 [in];
    st.v2.u32 [out+32], {a4, a3};)",
         {1, 2, 3, 4, 5, 6},
         {1, 2, 3, 4, 5, 6, 5, 6, 1, 4}},
        {"128 bits",
         "",
         R"(
    .reg .b128 w<3>;
    ld.v2.u64 {q0, q1}, [in];
    mov.b128 w0, {q1, q0};
    mov.b128 w1, w0;
    st.b128 [out], w1;
    ld.global.b128 w2, [in];
    mov.b128 {q2, q3}, w2;
    xor.b64 q2, q2, q3;
    st.u64 [out+16], q2;
    atom.global.b128.exch w2, [out], w2;
    mov.b128 {q4, q5}, w2;
    st.u64 [out+24], q4;
    atom.global.cas.b128 w2, [out], w2, w0;
    ld.v2.u64 {q6, q7}, [out];
    st.v2.u64 [out+32], {q6, q7};)",
         {1, 2, 3, 4},
         {1, 2, 3, 4, 2, 6, 3, 4, 1, 2, 3, 4}},
        {"generic addresses of every space",
         ".shared .u32 shared_one;\n.const .u32 const_one = 5;\n.global .u32 global_one = 6;",
         R"(
    .local .u32 local_one;
    mov.u64 q0, shared_one;
    cvta.shared.u64 q0, q0;
    mov.u64 q1, local_one;
    cvta.local.u64 q1, q1;
    mov.u64 q2, const_one;
    cvta.const.u64 q2, q2;
    cvta.global.u64 q3, global_one;
    st.u32 [q0], 3;
    st.u32 [q1], 4;
    ld.shared.u32 a0, [shared_one];
    ld.local.u32 a1, [local_one];
    ld.u32 a2, [q2];
    ld.u32 a3, [q3];
    st.v4.u32 [out], {a0, a1, a2, a3};
    isspacep.shared p0, q0;
    isspacep.local p1, q1;
    isspacep.global p2, q3;
    isspacep.global p3, q0;
    selp.u32 a0, 1, 0, p0;
    selp.u32 a1, 1, 0, p1;
    selp.u32 a2, 1, 0, p2;
    selp.u32 a3, 1, 0, p3;
    st.v4.u32 [out+16], {a0, a1, a2, a3};
    cvta.to.shared.u64 q4, q0;
    ld.shared.u32 a0, [q4];
    cvt.u32.u64 a1, q4;
    ld.shared.u32 a1, [a1];
    cvta.to.local.u64 q5, q1;
    ld.local.u32 a2, [q5];
    st.v2.u32 [out+32], {a0, a1};
    st.u32 [out+40], a2;)",
         {},
         {3, 4, 5, 6, 1, 1, 1, 0, 3, 3, 4}},
        {"a kernel's parameter by its address",
         "",
         R"(
    mov.b64 q0, from;
    ld.param.u64 q1, [q0];
    ld.param.u64 q2, [q0+8];
    cvta.param.u64 q3, to;
    ld.u64 q4, [q3];
    isspacep.param p0, q3;
    setp.eq.and.u64 p0, q1, in, p0;
    setp.eq.and.u64 p0, q2, out, p0;
    setp.eq.and.u64 p0, q4, out, p0;
    selp.u32 a0, 1, 0, p0;
    st.u32 [out], a0;)",
         {},
         {1}},
        {"distances",
         "",
         R"(
    add.u64 q0, in, 8;
    ld.u32 a0, [q0+-4];
    ld.u32 a1, [q0+4];
    ld.u32 a2, [q0 + 0];
    st.u32 [out+0x4], a0;
    st.u32 [out+2*4], a1;
    st.u32 [out], a2;)",
         {1, 2, 3, 4},
         {3, 2, 4}},
        {"halves and bytes of registers",
         "",
         R"(
    ld.u32 a0, [in];
    st.u16 [out], a0;
    st.u8 [out+2], a0;
    ld.u64 q0, [in];
    st.u32 [out+4], q0;
    st.u8 [out+3], q0;
    cvt.u16.u32 h0, a0;
    st.u8 [out+8], h0;
    cvt.s32.s8 a1, a0;
    cvt.u8.u32 a2, a0;
    st.u32 [out+12], a1;
    st.u32 [out+16], a2;)",
         {0x12345698, 7},
         {0x98985698, 0x12345698, untouched / 256 * 256 + 0x98, 0xffffff98, 0x98}},
    });
}

BOOST_AUTO_TEST_CASE(atomics) {
    check({
        {"every operation",
         "",
         R"(
    ld.v4.u32 {a0, a1, a2, a3}, [in];
    st.v4.u32 [out], {a0, a1, a2, a3};
    st.v4.u32 [out+16], {a0, a1, a2, a3};
    atom.and.b32 a4, [out], 0xF0;
    atom.global.or.b32 a4, [out+4], a4;
    red.xor.b32 [out+8], 0xFF;
    atom.exch.b32 a5, [out+12], a4;
    red.min.s32 [out+16], -3;
    red.global.max.s32 [out+16], -2;
    atom.inc.u32 a6, [out+20], 1;
    atom.dec.u32 a7, [out+24], 100;
    atom.cas.b32 a8, [out+28], 9, 10;
    st.v4.u32 [out+32], {a4, a5, a6, a7};)",
         {0x77, 0x101, 0x0f, 9},
         {0x70, 0x177, 0xf0, 0x101, 0xfffffffe, 0, 14, 10, 0x101, 9, 0x101, 15}},
        {"many threads",
         ".shared .u32 sum;\n.shared .u64 most;",
         R"(
    mov.u32 a0, %tid.x;
    setp.eq.u32 p0, a0, 0;
@p0 st.shared.u32 [sum], 0;
@p0 st.shared.u64 [most], 0;
    bar.sync 0;
    red.shared.add.u32 [sum], a0;
    cvt.u64.u32 q0, a0;
    shl.b64 q0, q0, 33;
    atom.shared.max.u64 q1, [most], q0;
    red.relaxed.gpu.global.add.u64 [out+16], 2;
    atom.acq_rel.gpu.global.add.u32 a1, [out+24], 1;
    bar.sync 0;
@!p0 exit;
    ld.shared.u32 a2, [sum];
    ld.shared.u64 q1, [most];
    st.u32 [out], a2;
    st.u64 [out+8], q1;)",
         {},
         {4950, untouched, 0, 198, untouched + 200, untouched, untouched + 100},
         100},
        {"reals",
         "",
         R"(
    ld.u64 q0, [in];
    ld.v2.f32 {x0, x1}, [in+8];
    ld.f64 y0, [in+16];
    st.u64 [out], q0;
    st.v2.f32 [out+8], {x0, x1};
    st.f64 [out+16], y0;
    mov.b32 a1, 0x3c004000;
    atom.add.noftz.f16x2 a0, [out], a1;
    mov.b32 a1, 0x3f803f80;
    red.global.add.noftz.bf16x2 [out+4], a1;
    atom.global.add.f32 x2, [out+8], 0f3F800000;
    red.add.f32 [out+12], x1;
    atom.add.f64 y1, [out+16], y0;
    st.u32 [out+24], a0;
    st.f32 [out+28], x2;)",
         {0x3c003c00, 0x40003f80, 0x40000000, 0x40400000, 0, 0x3ff00000},
         {0x40004200, 0x40404000, 0x40400000, 0x40c00000, 0, 0x40000000, 0x3c003c00, 0x40000000}},
        {"16 bits",
         "",
         R"(
    ld.u32 a0, [in];
    st.u32 [out], a0;
    mov.b16 h0, 5;
    mov.b16 h1, 6;
    atom.cas.b16 h2, [out+2], h0, h1;
    atom.cas.b16 h3, [out], h0, h1;
    mov.b32 a1, {h2, h3};
    st.u32 [out+4], a1;)",
         {0x00050007},
         {0x00060007, 0x00070005}},
        {"vectors",
         "",
         R"(
    ld.v4.f32 {x0, x1, x2, x3}, [in];
    st.v4.f32 [out], {x0, x1, x2, x3};
    atom.global.add.v2.f32 {x4, x5}, [out], {x2, x3};
    red.global.add.v4.f32 [out], {x0, x0, x0, x0};
    st.v2.f32 [out+16], {x4, x5};)",
         {0x3f800000, 0x40000000, 0x40400000, 0x40800000},
         {0x40a00000, 0x40e00000, 0x40800000, 0x40a00000, 0x3f800000, 0x40000000}},
    });
}

BOOST_AUTO_TEST_CASE(between_threads) {
    check({
        {"barriers that reduce",
         "",
         R"(
    mov.u32 a0, %tid.x;
    setp.lt.u32 p0, a0, 40;
    barrier.red.popc.u32 a1, 3, p0;
    bar.red.popc.u32 a2, 0, !p0;
    bar.red.and.pred p1, 0, p0;
    barrier.cta.red.or.aligned.pred p2, 1, 64, p0;
    selp.u32 a3, 1, 0, p1;
    selp.u32 a4, 1, 0, p2;
    setp.ne.u32 p0, a0, 63;
@p0 exit;
    st.v4.u32 [out], {a1, a2, a3, a4};)",
         {},
         {40, 24, 0, 1},
         64},
        {"a barrier of two warps of three",
         ".shared .u32 handed;",
         R"(
    mov.u32 a0, %tid.x;
    shr.u32 a1, a0, 5;
    setp.eq.u32 p0, a1, 0;
    setp.eq.u32 p1, a1, 1;
    mov.u32 a2, 5;
@p0 st.shared.u32 [handed], 42;
@p0 bar.arrive a2, 64;
@p1 bar.sync a2, 64;
    setp.ne.u32 p2, a0, 35;
@p2 exit;
    ld.shared.u32 a3, [handed];
    st.u32 [out], a3;)",
         {},
         {42},
         96},
        {"shuffles with predicates",
         "",
         R"(
    mov.u32 a0, %laneid;
    mul.lo.u32 a1, a0, 3;
    shfl.sync.up.b32 a2|p0, a1, 2, 0, 0xffffffff;
    shfl.sync.down.b32 a3|p1, a1, 2, 0x1f, 0xffffffff;
    shfl.sync.bfly.b32 a4, a1, 1, 0x181f, 0xffffffff;
    shfl.sync.idx.b32 a5, a1, 9, 0x1c1f, 0xffffffff;
    selp.u32 a6, 1, 0, p0;
    selp.u32 a7, 1, 0, p1;
    setp.ne.u32 p2, a0, 31;
@p2 exit;
    st.v4.u32 [out], {a2, a3, a4, a5};
    st.v2.u32 [out+16], {a6, a7};)",
         {},
         {87, 93, 90, 87, 1, 0},
         32},
        {"votes, matches and reductions",
         "",
         R"(
    mov.u32 a0, %tid.x;
    setp.ge.u32 p0, a0, 30;
    vote.sync.all.pred p1, p0, 0xffffffff;
    vote.sync.any.pred p2, p0, 0xffffffff;
    vote.sync.uni.pred p3, !p0, 0xffffffff;
    vote.sync.ballot.b32 a1, p0, 0xffffffff;
    rem.u32 a2, a0, 5;
    match.any.sync.b32 a3, a2, 0xffffffff;
    match.all.sync.b32 a4|p4, 8, 0xffffffff;
    redux.sync.add.s32 a5, a0, 0xffffffff;
    redux.sync.min.s32 a6, -4, 0xffffffff;
    redux.sync.xor.b32 a7, a0, 0xffffffff;
    elect.sync _|p5, 0xffffffff;
    vote.sync.ballot.b32 a8, p5, 0xffffffff;
    popc.b32 a8, a8;
    setp.ne.u32 p0, a0, 31;
@p0 exit;
    selp.u32 a0, 1, 0, p1;
    selp.u32 a2, 1, 0, p2;
    selp.u32 a9, 1, 0, p3;
    st.v4.u32 [out], {a0, a2, a9, a1};
    st.v4.u32 [out+16], {a3, a4, a5, a6};
    selp.u32 a0, 1, 0, p4;
    st.v2.u32 [out+32], {a7, a0};
    st.u32 [out+40], a8;)",
         {},
         {0, 1, 0, 0xc0000000, 0x84210842, minus_one, 496, 0xfffffffc, 0, 1, 1},
         32},
        {"fences",
         "",
         R"(
    membar.cta;
    membar.gl;
    membar.sys;
    fence.sc.gpu;
    fence.acq_rel.cta;
    fence.acquire.sync_restrict::shared::cluster.cluster;
    fence.proxy.alias;
    fence.proxy.async;
    fence.proxy.async.shared::cta;
    fence.mbarrier_init.release.cluster;
    bar.warp.sync 1;
    nanosleep.u32 20;
    griddepcontrol.wait;
    griddepcontrol.launch_dependents;
    pmevent 3;
    st.u32 [out], 1;)",
         {},
         {1},
         1,
         ".version 8.6\n.target sm_90\n.address_size 64\n"},
    });
}

BOOST_AUTO_TEST_CASE(rarer_instructions) {
    check({
        {"a choice by sign",
         "",
         R"(
    ld.v4.u32 {a0, a1, a2, a3}, [in];
    mov.b32 x0, a3;
    slct.u32.s32 a4, a0, a1, a2;
    slct.b32.f32 a5, a0, a1, x0;
    slct.f32.s32 x1, x0, 0f3F800000, a2;
    cnot.b32 a6, a0;
    cnot.b16 h0, 0;
    cvt.u32.u16 a7, h0;
    st.v4.u32 [out], {a4, a5, a6, a7};
    st.f32 [out+16], x1;)",
         {5, 6, minus_one, 0x80000000},
         {6, 5, 0, 1, 0x3f800000}},
        {"set",
         "",
         R"(
    ld.v2.f32 {x0, x1}, [in];
    setp.eq.u32 p0, 1, 1;
    set.lt.u32.f32 a0, x0, x1;
    set.gt.f32.f32 x2, x1, x0;
    set.ne.and.s32.u32 a1, 3, 4, !p0;
    set.nan.u32.f32 a2, x0, 0f7FC00000;
    st.v2.u32 [out], {a0, a1};
    st.f32 [out+8], x2;
    st.u32 [out+12], a2;)",
         {0x3f800000, 0x40000000},
         {minus_one, 0, 0x3f800000, minus_one}},
        {"24 bits",
         "",
         R"(
    ld.v2.u32 {a0, a1}, [in];
    mul24.lo.u32 a2, a0, a1;
    mul24.hi.u32 a3, a0, a1;
    mul24.lo.s32 a4, a0, a1;
    mad24.lo.s32 a5, a0, a1, 1;
    mad24.hi.sat.s32 a6, a0, a1, 0x7fffffff;
    sad.s32 a7, a0, a1, 10;
    st.v4.u32 [out], {a2, a3, a4, a5};
    st.v2.u32 [out+16], {a6, a7};)",
         {0xffffff, 0x10},
         {0x0ffffff0, 0x00000fff, 0xfffffff0, 0xfffffff1, 0x7ffffffe, 0xfffff9}},
        {"bytes and shifts",
         "",
         R"(
    ld.v2.u32 {a0, a1}, [in];
    prmt.b32 a2, a0, a1, 0x4321;
    prmt.b32.f4e a3, a0, a1, 1;
    prmt.b32.rc16 a4, a0, a1, 1;
    prmt.b32 a5, a0, a1, 0xFB80;
    shf.l.wrap.b32 a6, a0, a1, 8;
    shf.r.clamp.b32 a7, a0, a1, 40;
    shl.b32 a8, a0, 32;
    shr.s32 a9, a1, 99;
    st.v4.u32 [out], {a2, a3, a4, a5};
    st.v4.u32 [out+16], {a6, a7, a8, a9};)",
         {0x44332211, 0x88776655},
         {0x55443322, 0x55443322, 0x44334433, 0xff000011, 0x77665544, 0x88776655, 0, minus_one}},
        {"a load that sits in its place",
         "",
         R"(
    createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 q0, 0.5;
    createpolicy.fractional.L2::evict_first.b64 q1;
    ld.global.L2::cache_hint.u32 a0, [in], q0;
    st.global.L2::cache_hint.u32 [out], a0, q1;
    applypriority.global.L2::evict_normal [in], 128;)",
         std::vector<std::uint32_t>(64, 13),
         {13}},
        {"bits of pairs",
         "",
         R"(
    ld.v2.u32 {a0, a1}, [in];
    add.u16x2 a2, a0, a1;
    min.s16x2 a3, a0, a1;
    max.u16x2 a4, a0, a1;
    dp2a.lo.u32.u32 a5, a0, a1, 1;
    dp4a.s32.u32 a6, a0, a1, -1;
    bfe.s32 a7, a0, 4, 8;
    bfi.b32 a8, a1, a0, 8, 16;
    bmsk.wrap.b32 a9, 33, 3;
    st.v4.u32 [out], {a2, a3, a4, a5};
    st.v4.u32 [out+16], {a6, a7, a8, a9};
    szext.clamp.u32 a0, a1, 4;
    fns.b32 a2, 0x50, 0, 2;
    st.v2.u32 [out+32], {a0, a2};)",
         {0xffff8001, 0x00018002},
         {0x00000003, 0xffff8001, 0xffff8002, 8454019, 0xffffc000, 0, 0xff800201, 14, 2, 6}},
    });
}

BOOST_AUTO_TEST_CASE(directives) {
    check({
        {"bounds of a launch",
         ".pragma \"nounroll\";\n.global .align 16 .b8 room[3];",
         R"(
    .pragma "used_bytes_mask 0xf";
    mov.u64 q0, room;
    and.b64 q0, q0, 15;
    st.u64 [out], q0;)",
         {},
         {0, 0},
         32,
         ".version 8.5\n.target sm_90, texmode_independent\n.address_size 64\n",
         ".maxntid 64, 1, 1\n.minnctapersm 2 .maxnreg 40"},
        {"a block of the size that is required",
         "",
         R"(
    mov.u32 a0, %ntid.x;
    st.u32 [out], a0;)",
         {},
         {48},
         48,
         ".version 8.5\n.target sm_90\n.address_size 64\n",
         ".reqntid 48"},
        {"linkage of variables",
         ".visible .global .u32 seen = 1;\n.weak .global .u32 perhaps = 2;\n.common .global .u32 shared_by_modules[4];\n"
         ".visible .const .align 8 .u32 fixed = 4;\n.global .attribute(.managed) .u32 managed_one = 5;",
         R"(
    ld.global.u32 a0, [seen];
    ld.global.u32 a1, [perhaps];
    ld.global.u32 a2, [shared_by_modules+12];
    ld.const.u32 a3, [fixed];
    st.v4.u32 [out], {a0, a1, a2, a3};)",
         {},
         {1, 2, 0, 4}},
        {"debugging information",
         ".file 1 \"a.cu\", 1700000000, 42\n.file 2 \"b.h\"",
         R"(
    .loc 1 10 3
    mov.u32 a0, 4;
    .loc 2 7 1, function_name $L_info, inlined_at 1 10 3
    st.u32 [out], a0;
    ret;
}
.section .debug_str
{
$L_info:
.b8 102
.b8 111
.b8 0
}
.func unused() {)",
         {},
         {4}},
    });
}

BOOST_AUTO_TEST_CASE(older_dialects) {
    constexpr const char* kepler = ".version 4.1\n.target sm_30\n.address_size 64\n";
    check({
        {"shuffles and votes without masks",
         "",
         R"(
    mov.u32 a0, %laneid;
    setp.lt.u32 p0, a0, 4;
    vote.ballot.b32 a1, p0;
    vote.all.pred p1, p0;
    shfl.down.b32 a2|p2, a0, 4, 31;
    selp.u32 a3, 1, 0, p1;
    setp.ne.u32 p0, a0, 7;
@p0 exit;
    st.v2.u32 [out], {a1, a2};
    st.u32 [out+8], a3;)",
         {},
         {15, 11, 0},
         32,
         kepler},
        {"16 bits of special registers, and cached loads",
         "",
         R"(
    mov.u16 h0, %tid.x;
    mov.u16 h1, %ntid.x;
    mul.wide.u16 a0, h0, h1;
    ld.global.cv.u32 a1, [in];
    ld.global.lu.u32 a2, [in+4];
    add.u32 a0, a0, a1;
    add.u32 a0, a0, a2;
    setp.eq.u16 p0, h0, 3;
@p0 st.global.wb.u32 [out], a0;)",
         {100, 1000},
         {1112},
         4,
         kepler},
        {"video instructions and sums of products",
         "",
         R"(
    ld.v2.u32 {a0, a1}, [in];
    vadd.s32.u32.u32 a2, a0.b0, a1.b1;
    vsub.s32.s32.s32.sat a3, a0.h1, a1.h0;
    st.v2.u32 [out], {a2, a3};)",
         {0x00050003, 0x00000208},
         {5, 0xfffffdfd},
         1,
         kepler},
    });
}

BOOST_AUTO_TEST_CASE(unified_variables) {
    HANABI_SKIP_ON_CUDA("ptxas wants them linked afterwards");
    check({{"attributes with numbers",
            ".global .attribute(.unified(7, 9), .managed) .u32 v = 6;\n.func .attribute(.unified(1, 2)) f() { ret; }",
            R"(
    ld.global.u32 a0, [v];
    st.u32 [out], a0;)",
            {},
            {6}}});
}
