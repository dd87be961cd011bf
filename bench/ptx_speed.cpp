// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// How fast the host driver executes PTX: threads' instructions a second of one block (one core) and of many (all cores), a
// product of matrices with shared tiles, and how fast PTX is decoded. Prints a line each; ends with 1 when a number is below
// its bound (`ptx_speed check`).

#include <hanabi/host.hpp>
#include <hanabi/host/ptx.hpp>
#include <hanabi/host/ptx/reader.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

namespace host = hanabi::host;
const hanabi::driver::table& cu = host::table();

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void must(hanabi::driver::status s, const char* what) {
    if (s == hanabi::driver::status::success) return;
    std::fprintf(stderr, "%s: %s %s\n", what, hanabi::driver::name_of(s), host::last_ptx_fault().c_str());
    std::exit(2);
}

/// 64 instructions of arithmetic in a loop.
std::string arithmetic() {
    std::string body;
    for (int i = 0; i < 16; ++i)
        body += "fma.rn.f32 %f1, %f1, %f3, %f2;\nadd.s32 %r3, %r3, %r2;\nxor.b32 %r4, %r4, %r3;\nfma.rn.f32 %f2, %f2, %f3, %f1;\n";
    return ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry spin(.param .u64 out, .param .u32 n) {\n"
           ".reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<5>; .reg .pred %p;\nld.param.u64 %rd1, [out]; ld.param.u32 %r1, [n];\n"
           "mov.u32 %r2, %tid.x; mov.u32 %r3, 1; mov.u32 %r4, 2; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F000000; mov.f32 %f3, "
           "0f3F7FFFFF;\n"
           "L:\n" +
           body +
           "add.s32 %r1, %r1, -1; setp.ne.s32 %p, %r1, 0; @%p bra L;\n"
           "add.f32 %f1, %f1, %f2; cvt.rn.f32.s32 %f2, %r4; add.f32 %f1, %f1, %f2; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd1, %rd1, %rd2;\n"
           "st.global.f32 [%rd1], %f1; ret; }\n";
}

const char* const product = R"(.version 9.0
.target sm_75
.address_size 64
.visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
.reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .f32 %f<40>; .reg .pred %p;
.shared .align 4 .b8 ta[1024]; .shared .align 4 .b8 tb[1024];
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y;
mad.lo.s32 %r6, %r5, 16, %r3; mad.lo.s32 %r7, %r4, 16, %r2;
mad.lo.s32 %r8, %r6, %r1, %r2; mad.lo.s32 %r9, %r3, %r1, %r7;
shl.b32 %r10, %r1, 4; mov.f32 %f1, 0f00000000; mov.u32 %r11, 0;
mov.u32 %r12, ta; shl.b32 %r13, %r3, 6; add.s32 %r12, %r12, %r13; shl.b32 %r14, %r2, 2; add.s32 %r15, %r12, %r14;
mov.u32 %r16, tb; add.s32 %r17, %r16, %r14; add.s32 %r18, %r17, %r13;
L:
mul.wide.s32 %rd4, %r8, 4; add.s64 %rd4, %rd1, %rd4; ld.global.f32 %f2, [%rd4]; st.shared.f32 [%r15], %f2;
mul.wide.s32 %rd5, %r9, 4; add.s64 %rd5, %rd2, %rd5; ld.global.f32 %f3, [%rd5]; st.shared.f32 [%r18], %f3;
bar.sync 0;
@INNER@
bar.sync 0;
add.s32 %r8, %r8, 16; add.s32 %r9, %r9, %r10; add.s32 %r11, %r11, 16; setp.lt.s32 %p, %r11, %r1; @%p bra L;
mad.lo.s32 %r19, %r6, %r1, %r7; mul.wide.s32 %rd6, %r19, 4; add.s64 %rd6, %rd3, %rd6; st.global.f32 [%rd6], %f1; ret; }
)";

std::string tiled_product() {
    std::string text = product, inner;
    for (int k = 0; k < 16; ++k)
        inner += "ld.shared.f32 %f4, [%r12+" + std::to_string(4 * k) + "]; ld.shared.f32 %f5, [%r17+" + std::to_string(64 * k) +
                 "]; fma.rn.f32 %f1, %f4, %f5, %f1;\n";
    text.replace(text.find("@INNER@"), 7, inner);
    return text;
}

struct result {
    double time, rate;
};

template <class... P>
result launch(const std::string& text, const char* name, host::extent grid, host::extent block, P... arguments) {
    hanabi::driver::module_handle module = nullptr;
    hanabi::driver::function_handle kernel = nullptr;
    must(cu.module_load_data_ex(&module, text.c_str(), 0, nullptr, nullptr), "load");
    must(cu.module_get_function(&kernel, module, name), "find");
    void* pointers[] = {&arguments...};
    const std::uint64_t before = host::ptx_instructions();
    const double start = seconds();
    must(cu.launch_kernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, nullptr, pointers, nullptr), "launch");
    must(cu.ctx_synchronize(), "run");
    const double time = seconds() - start;
    must(cu.module_unload(module), "unload");
    return {time, static_cast<double>(host::ptx_instructions() - before) / time};
}

} // namespace

int main(int argc, char** argv) {
    const bool check = argc > 1 && std::strcmp(argv[1], "check") == 0;
    const unsigned n = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 1024;
    must(cu.init(0), "init");
    hanabi::driver::context_handle context = nullptr;
    must(cu.device_primary_ctx_retain(&context, 0), "context");
    must(cu.ctx_set_current(context), "context");
    hanabi::driver::device_address a = 0, b = 0, c = 0;
    const std::size_t bytes = std::size_t{n} * n * 4;
    must(cu.mem_alloc(&a, bytes), "memory");
    must(cu.mem_alloc(&b, bytes), "memory");
    must(cu.mem_alloc(&c, bytes), "memory");

    const result one = launch(arithmetic(), "spin", {1}, {256}, a, 20000u);
    std::printf("arithmetic, one block: %.0f M thread-instructions/s\n", one.rate / 1e6);
    const result many = launch(arithmetic(), "spin", {32}, {256}, a, 2000u);
    std::printf("arithmetic, 32 blocks: %.0f M thread-instructions/s (%.2f of one block)\n", many.rate / 1e6, many.rate / one.rate);
    const std::vector<float> ones(std::size_t{n} * n, 1.0f);
    must(cu.memcpy_htod_async(a, ones.data(), bytes, nullptr), "copy");
    must(cu.memcpy_htod_async(b, ones.data(), bytes, nullptr), "copy");
    const result tiles = launch(tiled_product(), "product", {n / 16, n / 16}, {16, 16}, a, b, c, n);
    std::vector<float> out(std::size_t{n} * n);
    must(cu.memcpy_dtoh_async(out.data(), c, bytes, nullptr), "copy");
    must(cu.ctx_synchronize(), "copy");
    std::printf("product of %u x %u matrices: %.2f s, %.0f M thread-instructions/s, %s\n", n, n, tiles.time, tiles.rate / 1e6,
                out.front() == static_cast<float>(n) && out.back() == static_cast<float>(n) ? "right" : "WRONG");

    std::string text = ".version 9.0\n.target sm_75\n.address_size 64\n";
    for (int k = 0; text.size() < (std::size_t{8} << 20); ++k) {
        std::string f = tiled_product();
        f.erase(0, f.find(".visible"));
        f.replace(f.find("product"), 7, "product" + std::to_string(k));
        for (std::size_t at = f.find(';'); at != std::string::npos; at = f.find(';', at + 3))
            f.replace(at, 1, ";\n\t"); // as compilers write
        text += f;
    }
    const double start = seconds();
    host::ptx::program decoded;
    host::ptx::reader{text.data(), text.data() + text.size(), decoded}.read();
    const double rate = static_cast<double>(text.size()) / (seconds() - start) / 1e6;
    std::printf("decoding: %.0f MB/s, %zu instructions%s\n", rate, decoded.code.size(), decoded.error.empty() ? "" : " (NOT READ)");
    return check && (one.rate < 300e6 || tiles.time > 20 || rate < 50) ? 1 : 0;
}
