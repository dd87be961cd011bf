// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// How fast the host driver executes PTX: threads' instructions a second of one block (one core) and of many (two cores), a
// product of matrices with shared tiles, and how fast PTX is decoded. Prints each against its bound; `ptx_speed check` ends with
// 1 when one is not met. Warps are full here, and nothing is under a guard that fails: every instruction counts for 32 threads.

#include <hanabi/host.hpp>
#include <hanabi/host/ptx.hpp>
#include <hanabi/host/ptx/reader.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <sched.h>

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
    double time, rate; ///< seconds, and what is done in one
    double busy;       ///< seconds of processors
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
    const std::clock_t clock = std::clock();
    must(cu.launch_kernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, nullptr, pointers, nullptr), "launch");
    must(cu.ctx_synchronize(), "run");
    const double time = seconds() - start, busy = static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC;
    must(cu.module_unload(module), "unload");
    return {time, static_cast<double>(host::ptx_instructions() - before) / time, busy};
}

/// The best of three, since other programs disturb.
template <class Measure>
result best(Measure measure) {
    result out = measure();
    for (int i = 0; i < 2; ++i)
        if (const result r = measure(); r.rate > out.rate) out = r;
    return out;
}

bool all_met = true;
/// Says a number, and how many times better than its bound it is.
void judge(const char* what, double value, const char* unit, double bound, bool less_is_better = false) {
    const double times = less_is_better ? bound / value : value / bound;
    std::printf("%-42s %9.2f %-28s bound %6.1f, %5.2f times as good\n", what, value, unit, bound, times);
    all_met = all_met && times >= 1;
}

/// Two of the processors that the process may use, since bounds are for two; false where it has but one.
bool use_two_processors() {
    cpu_set_t all, two;
    CPU_ZERO(&all);
    CPU_ZERO(&two);
    if (sched_getaffinity(0, sizeof all, &all) != 0) return false;
    for (std::size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++i)
        if (CPU_ISSET(i, &all)) CPU_SET(i, &two);
    return CPU_COUNT(&two) == 2 && sched_setaffinity(0, sizeof two, &two) == 0;
}

} // namespace

int main(int argc, char** argv) {
    const bool check = argc > 1 && std::strcmp(argv[1], "check") == 0;
    const unsigned n = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 1024;
    const bool two = use_two_processors(); // before the host driver starts its threads
    must(cu.init(0), "init");
    hanabi::driver::context_handle context = nullptr;
    must(cu.device_primary_ctx_retain(&context, 0), "context");
    must(cu.ctx_set_current(context), "context");
    hanabi::driver::device_address a = 0, b = 0, c = 0;
    const std::size_t bytes = std::size_t{n} * n * 4;
    must(cu.mem_alloc(&a, bytes), "memory");
    must(cu.mem_alloc(&b, bytes), "memory");
    must(cu.mem_alloc(&c, bytes), "memory");

    const std::vector<float> ones(std::size_t{n} * n, 1.0f);
    must(cu.memcpy_htod_async(a, ones.data(), bytes, nullptr), "copy");
    must(cu.memcpy_htod_async(b, ones.data(), bytes, nullptr), "copy");
    const auto spin = [&](unsigned blocks, unsigned times) { return launch(arithmetic(), "spin", {blocks}, {256}, c, times); };
    const auto multiply = [&] { return launch(tiled_product(), "product", {n / 16, n / 16}, {16, 16}, a, b, c, n); };

    const result one = best([&] { return spin(1, 20000); });
    judge("arithmetic, one block: one core", one.rate / 1e6, "M thread-instructions/s", 300);
    const result many = best([&] { return spin(32, 2000); });
    std::printf("%-42s %9.2f M thread-instructions/s\n", two ? "arithmetic, 32 blocks: two cores" : "arithmetic, 32 blocks",
                many.rate / 1e6);
    if (two)
        judge("  of one", many.rate / one.rate, "times", 1.8);
    else
        std::printf("  only one processor: scaling is not measured\n");
    std::printf("  each core, while it is ours: %.2f of one alone\n", many.rate * many.time / many.busy / (one.rate * one.time / one.busy));

    const result tiles = multiply();
    std::vector<float> out(std::size_t{n} * n);
    must(cu.memcpy_dtoh_async(out.data(), c, bytes, nullptr), "copy");
    must(cu.ctx_synchronize(), "copy");
    for (const float x : out)
        if (x != static_cast<float>(n)) {
            std::fprintf(stderr, "the product is wrong: %g\n", static_cast<double>(x));
            return 2;
        }
    judge(("product of " + std::to_string(n) + " x " + std::to_string(n) + ", shared tiles").c_str(), tiles.time, "s", 20, true);
    std::printf("%-42s %9.2f M thread-instructions/s, %.2f s of processor time\n", "", tiles.rate / 1e6, tiles.busy);

    // What is on unless it is turned off.
    host::ptx_options plain = host::current_ptx_options();
    plain.initcheck = false;
    host::set_ptx_options(plain);
    const result plain_one = best([&] { return spin(1, 20000); }), plain_tiles = multiply();
    std::printf("without initcheck: arithmetic %.2f times as fast, product %.2f (by processor time)\n", one.busy / plain_one.busy,
                tiles.busy / plain_tiles.busy);

    std::string text = ".version 9.0\n.target sm_75\n.address_size 64\n";
    for (int k = 0; text.size() < (std::size_t{8} << 20); ++k) {
        std::string f = tiled_product();
        f.erase(0, f.find(".visible"));
        f.replace(f.find("product"), 7, "product" + std::to_string(k));
        for (std::size_t at = f.find(';'); at != std::string::npos; at = f.find(';', at + 3))
            f.replace(at, 1, ";\n\t"); // as compilers write
        text += f;
    }
    const result decoding = best([&] {
        const std::clock_t start = std::clock(); // of this process: it is one thread
        host::ptx::program decoded;
        host::ptx::reader{text.data(), text.data() + text.size(), decoded}.read();
        const double time = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (!decoded.error.empty()) {
            std::fprintf(stderr, "not read: line %u: %s\n", decoded.error_line, decoded.error.c_str());
            std::exit(2);
        }
        return result{time, static_cast<double>(text.size()) / time, time};
    });
    judge("decoding, of processor time", decoding.rate / 1e6, "MB of PTX/s", 50);
    return check && !all_met ? 1 : 0;
}
