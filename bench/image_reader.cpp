// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How fast images are read, against memchr over the same bytes: `image_reader [FILE...]`. Without files, 8 MB of PTX as
/// compilers write it.
///
/// On one core of a shared x86-64 server, MB/s by g++ 12.2 -O2 / clang 19.1 -O2; files from nvcc 13.0. memchr is bound by cache
/// or memory, whichever holds the bytes:
///
///                              8.4 MB made up    6.7 MB of PTX     5.5 MB cubin     54 MB libcublas
///     memchr                   25400 / 24800     26600 / 27300     26800 / 27200    10300 / 9900
///     classify                 11500 / 14800     11600 / 17400
///     every token                660 /   460       680 /   540
///     scan every item           1820 /  1920      2090 /  2140
///     every kernel, no strings                                     21200 / 26600
///     find every image                                                              46300 / 48600
///     summarize                 1290 /  1300      1250 /  1270      4900 /  7400
///
/// Of a cubin and a library only the metadata are read; the rates are of the whole file. Both texts are dense in kernels, braces and
/// comments.

#include <hanabi/image/embedded.hpp>
#include <hanabi/image/kernels.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace image = hanabi::image;

namespace {

volatile std::size_t sink; // keeps results alive

/// Processor time of one call, the best of ten measurements that are long enough for the clock: other programs on the
/// machine count as little as can be.
template <class Function>
double best_seconds(Function&& work) {
    double best = 1e9;
    for (int i = 0; i < 10; ++i) {
        int calls = 0;
        const std::clock_t start = std::clock();
        std::clock_t took = 0;
        do {
            sink = work();
            ++calls;
            took = std::clock() - start;
        } while (took < CLOCKS_PER_SEC / 100);
        best = std::min(best, static_cast<double>(took) / CLOCKS_PER_SEC / calls);
    }
    return best;
}

std::string made_up_ptx() {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n\n";
    for (int i = 0; text.size() < 8u << 20; ++i) {
        const std::string k = "kernel_number_" + std::to_string(i);
        text += ".visible .entry " + k + "(\n\t.param .u64 " + k + "_param_0,\n\t.param .u64 " + k + "_param_1,\n\t.param .u32 " + k +
                "_param_2\n)\n.maxntid 128, 1, 1\n{\n\t.reg .pred \t%p<2>;\n\t.reg .b32 \t%r<6>;\n\t.reg .b64 \t%rd<8>;\n\n";
        for (int j = 0; j < 40; ++j)
            text += "\tld.global.f32 \t%f1, [%rd5+" + std::to_string(4 * j) +
                    "];\n\tfma.rn.f32 \t%f2, %f1, 0f3F800000, %f2;\n"
                    "\t@%p1 bra \t$L__BB0_2;\n\t{ // callseq\n\tst.global.v2.f32 \t[%rd6], {%f1, %f2};\n\t}\n";
        text += "\tret;\n\n}\n";
    }
    return text;
}

void measure(const char* name, const std::string& bytes) {
    const double mb = static_cast<double>(bytes.size()) / 1e6;
    const std::span<const std::byte> span = std::as_bytes(std::span{bytes.data(), bytes.size()});
    const auto show = [&](const char* what, double seconds) { std::printf("  %-26s %9.1f MB/s\n", what, mb / seconds); };
    const image::classification c = image::classify(span);
    std::printf("%s: %s, %.1f MB\n", name, image::name_of(c.kind), mb);
    std::string without = bytes; // a byte that memchr does not find
    std::replace(without.begin(), without.end(), '\x01', '\x02');
    show("memchr",
         best_seconds([&] { return std::memchr(without.data(), '\x01', without.size()) == nullptr ? std::size_t{0} : std::size_t{1}; }));
    if (c.kind == image::kind::ptx) {
        show("classify", best_seconds([&] { return image::classify(span).offset; }));
        show("every token", best_seconds([&] {
                 image::ptx_tokens in{bytes.data(), bytes.data(), bytes.data() + bytes.size()};
                 std::size_t n = 0;
                 while (in.next().kind != image::token_kind::end) ++n;
                 return n;
             }));
        show("scan every item", best_seconds([&] {
                 image::ptx_scanner scan{bytes.data(), bytes.size()};
                 std::size_t n = 0;
                 while (scan.next() != image::ptx_item::end) ++n;
                 return n;
             }));
    }
    if (c.kind == image::kind::cubin)
        show("every kernel, no strings", best_seconds([&] {
                 const image::cubin_view cubin{image::bytes{bytes}};
                 const image::elf_view& elf = cubin.elf();
                 static std::vector<std::uint32_t> info; // section of attributes by section of code
                 info.assign(elf.sections(), 0);
                 for (std::uint32_t i = 1; i < elf.sections(); ++i)
                     if (const image::elf_section section = elf.section(i); cubin.is_info(section) && section.info < elf.sections())
                         info[section.info] = i;
                 std::size_t n = 0;
                 for (std::uint32_t i = 1; i < cubin.symbols(); ++i)
                     if (cubin.is_kernel(i)) n += cubin.kernel(i, info[elf.symbol(i).section], 0, 90).parameter_count;
                 return n;
             }));
    if (c.kind == image::kind::host_elf)
        show("find every image", best_seconds([&] {
                 image::embedded_scanner scan{image::bytes{bytes}};
                 image::embedded_image e;
                 std::size_t n = 0;
                 while (scan.next(e)) ++n;
                 return n;
             }));
    if (c.usable) show("summarize", best_seconds([&] { return image::summarize(span).kernels.size(); }));
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) measure("made up", made_up_ptx());
    for (int i = 1; i < argc; ++i) {
        std::ifstream in{argv[i], std::ios::binary};
        measure(argv[i], {std::istreambuf_iterator<char>{in}, {}});
    }
}
