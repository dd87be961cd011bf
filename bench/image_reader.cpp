// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How fast images are read, against memchr over the same bytes: `image_reader [FILE...]`. Without files, 8 MB of PTX as
/// compilers write it.
///
/// Best of ten on one core of a shared x86-64 server, MB/s by g++ 12.2 -O2 / clang 19.1 -O2. memchr is bound by cache or
/// memory, whichever holds the bytes:
///
///                      8.4 MB made up      1.3 MB from nvcc
///     memchr           26600 / 27500       86600 / 87200
///     classify         17800 / 17400       22200 / 19700
///     scan every item   1930 /  1020        2190 /  2130
///     summarize          760 /   790        1870 /  1870
///
/// The made-up text is dense in kernels, braces and comments. A cubin of 6 KB is summarized at 1100 / 1700 MB/s.

#include <hanabi/image/kernels.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

namespace image = hanabi::image;

namespace {

volatile std::size_t sink; // keeps results alive

template <class Function>
double best_seconds(Function&& work) {
    double best = 1e9;
    for (int i = 0; i < 10; ++i) {
        const auto start = std::chrono::steady_clock::now();
        sink = work();
        const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (took < best) best = took;
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
    const auto show = [&](const char* what, double seconds) { std::printf("  %-22s %9.1f MB/s\n", what, mb / seconds); };
    const image::classification c = image::classify(span);
    std::printf("%s: %s, %.1f MB\n", name, image::name_of(c.kind), mb);
    show("memchr",
         best_seconds([&] { return std::memchr(bytes.data(), '\x01', bytes.size()) == nullptr ? std::size_t{0} : std::size_t{1}; }));
    show("classify", best_seconds([&] { return image::classify(span).offset; }));
    if (c.kind == image::kind::ptx)
        show("scan every item", best_seconds([&] {
                 image::ptx_scanner scan{bytes.data(), bytes.size()};
                 std::size_t n = 0;
                 while (scan.next() != image::ptx_item::end) ++n;
                 return n;
             }));
    show("summarize", best_seconds([&] { return image::summarize(span).kernels.size(); }));
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) measure("made up", made_up_ptx());
    for (int i = 1; i < argc; ++i) {
        std::ifstream in{argv[i], std::ios::binary};
        measure(argv[i], {std::istreambuf_iterator<char>{in}, {}});
    }
}
