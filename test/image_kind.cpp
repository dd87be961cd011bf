// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What blobs are taken for: the sample blobs, texts that a small window cuts badly, and every kind's sentence.

#define BOOST_TEST_MODULE image_kind
#include <boost/test/unit_test.hpp>

#include <hanabi/image/explain.hpp>
#include <hanabi/image/kind.hpp>

#include "support/files.hpp"

#include <map>
#include <string>

namespace image = hanabi::image;
using image::kind;
using image::trouble;

namespace {

image::classification classify(const std::string& s) { return image::classify(test::bytes_of(s)); }
bool contains(const std::string& s, const std::string& what) { return s.find(what) != std::string::npos; }

const std::string plain = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\tret;\n}\n";

} // namespace

// The expected kind and a part of the sentence for every sample blob; the table beside the blobs is where they come from.
BOOST_AUTO_TEST_CASE(sample_blobs) {
    const std::map<std::string, std::pair<kind, std::string>> expected{
        {"cubin.bin", {kind::cubin, "sm_80 cubin"}},
        {"fatbin.bin", {kind::fatbin, "sm_80 cubin, compute_80 PTX"}},
        {"amdgpu_elf.bin", {kind::amdgpu_elf, "machine 224"}},
        {"blanks.bin", {kind::blanks, "only blanks"}},
        {"cuda_source.bin", {kind::cuda_source, "CUDA C++ source, not an image"}},
        {"elf_cut_short.bin", {kind::truncated_elf, "truncated ELF"}},
        {"empty.bin", {kind::empty, "empty"}},
        {"fatbin_cut_short.bin", {kind::truncated_fatbin, "truncated fatbin"}},
        {"fatbin_two.bin", {kind::fatbin, "sm_80 cubin, compute_80 PTX (version 9.0, compressed: zstd), sm_80 cubin, compute_80 PTX"}},
        {"fatbin_wrapper.bin", {kind::fatbin_wrapper, "0x466243b1"}},
        {"garbage.bin", {kind::unknown, "unknown image"}},
        {"gzip.bin", {kind::gzip, "gzip"}},
        {"hip_bundle.bin", {kind::hip_bundle, "3 entries"}},
        {"hip_bundle_compressed.bin", {kind::hip_bundle_compressed, "CCOB version 3"}},
        {"host_elf.bin", {kind::host_elf, "another machine (62, x86-64)"}},
        {"llvm_bitcode.bin", {kind::llvm_bitcode, "LLVM bitcode"}},
        {"path_text.bin", {kind::path, "looks like a path: give the bytes"}},
        {"path_text_ptx.bin", {kind::path, "looks like a path: give the bytes"}},
        {"ptx_block_comment_first.bin", {kind::ptx, "PTX"}},
        {"ptx_bom.bin", {kind::ptx, "byte order mark"}},
        {"ptx_crlf.bin", {kind::ptx, "PTX"}},
        {"ptx_newlines_first.bin", {kind::ptx, "PTX"}},
        {"ptx_plain.bin", {kind::ptx, "PTX"}},
        {"ptx_tabs_first.bin", {kind::ptx, "PTX"}},
        {"ptx_target_first.bin", {kind::ptx_without_version, "not .version"}},
        {"spirv.bin", {kind::spirv, "SPIR-V"}},
        {"zstd.bin", {kind::zstd, "zstd stream"}},
    };
    const auto rows = test::table("cases/15-image-sniffing/expected.tsv");
    BOOST_TEST(rows.size() == expected.size());
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row[0] << ": " << row[1]) {
            BOOST_TEST_REQUIRE(expected.count(row[0]) == 1u);
            const auto& [k, words] = expected.at(row[0]);
            const std::string blob = test::file("cases/15-image-sniffing/blobs/" + row[0]);
            const image::classification c = classify(blob);
            BOOST_TEST(image::name_of(c.kind) == image::name_of(k));
            BOOST_TEST(contains(image::explain(test::bytes_of(blob)), words), image::explain(test::bytes_of(blob)));
            const bool refused = row[1].starts_with("refuse") || row[1].starts_with("HIP");
            BOOST_TEST(c.usable == !refused);
        }
    }
    const std::string bundle = image::explain(test::bytes_of(test::file("cases/15-image-sniffing/blobs/hip_bundle.bin")));
    for (const char* entry : {"host-x86_64", "gfx90a", "gfx1100"}) BOOST_TEST(contains(bundle, entry), bundle);
}

BOOST_AUTO_TEST_CASE(window_does_not_cut_a_character) {
    // A character of 2, 3 and 4 bytes across the 64th byte, at each of its positions.
    for (const std::string character : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\x86"})
        for (std::size_t before = 64 - character.size(); before <= 64; ++before) {
            const std::string text = "//" + std::string(before - 2, '-') + character + "\n" + plain;
            const image::classification c = classify(text);
            BOOST_TEST(image::name_of(c.kind) == "PTX");
            BOOST_TEST(c.usable);
            BOOST_TEST((c.trouble == trouble::non_ascii));
            BOOST_TEST(c.offset == before);
        }
    // The blob's own end does cut.
    const image::classification cut = classify("// \xe2\x82");
    BOOST_TEST((cut.kind == kind::unknown && cut.trouble == trouble::invalid_utf8 && cut.offset == 3));
}

BOOST_AUTO_TEST_CASE(the_window_is_64_bytes) {
    const std::string text = plain + std::string(64, ' ');
    for (std::size_t at : {10u, 63u, 64u, 70u}) {
        std::string bad = text;
        bad[at] = '\xff';
        const image::classification c = classify(bad);
        BOOST_TEST(image::name_of(c.kind) == (at < 64 ? "unknown bytes" : "PTX"));
        BOOST_TEST((!c.usable && c.trouble == trouble::invalid_utf8 && c.offset == at));
    }
}

BOOST_AUTO_TEST_CASE(invalid_utf8_says_where) {
    const std::string late = plain + std::string(100, ' ') + "// caf\xe9\n";
    const image::classification c = classify(late);
    BOOST_TEST((c.kind == kind::ptx && c.trouble == trouble::invalid_utf8));
    BOOST_TEST(!c.usable);
    BOOST_TEST(c.offset == late.find('\xe9'));
    BOOST_TEST(contains(image::describe(c), "not UTF-8 at byte " + std::to_string(c.offset)));
    // Overlong forms, surrogates, beyond Unicode, a lone continuation.
    for (const char* bad : {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\xf8\x88\x80\x80\x80", "\xff"}) {
        const image::classification b = classify(plain + bad);
        BOOST_TEST((b.trouble == trouble::invalid_utf8 && b.offset == plain.size()));
    }
    for (const char* good : {"\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
        BOOST_TEST((classify(plain + good).trouble == trouble::non_ascii));
}

BOOST_AUTO_TEST_CASE(nuls) {
    for (std::size_t n : {0u, 1u, 2u, 17u}) {
        const image::classification c = classify(plain + std::string(n, '\0'));
        BOOST_TEST((c.kind == kind::ptx && c.trouble == trouble::none && c.usable));
        BOOST_TEST(c.text_end == plain.size());
    }
    const std::string middle = test::file("cases/14-ptx-without-nul/nul_mid.ptx");
    const image::classification c = classify(middle);
    BOOST_TEST((c.kind == kind::ptx && c.trouble == trouble::inner_nul && !c.usable));
    BOOST_TEST(c.offset == middle.find('\0'));
    BOOST_TEST(contains(image::describe(c), "NUL at byte 691"));
    // At every distance from a multiple of eight.
    for (std::size_t n = 0; n < 16; ++n) {
        const std::string text = plain + std::string(n, ' ') + std::string(1, '\0') + "x";
        BOOST_TEST(classify(text).offset == plain.size() + n);
    }
    BOOST_TEST((classify(std::string(5, '\0')).kind == kind::empty));
}

BOOST_AUTO_TEST_CASE(byte_order_mark) {
    const image::classification c = classify("\xef\xbb\xbf" + plain);
    BOOST_TEST((c.kind == kind::ptx && c.trouble == trouble::byte_order_mark && c.usable));
    BOOST_TEST(c.text_begin == 3u);
    BOOST_TEST(contains(image::describe(c), "cut the first 3 bytes off"));
}

BOOST_AUTO_TEST_CASE(bundle_magic_is_stray_unless_first) {
    BOOST_TEST((classify("// __CLANG_OFFLOAD_BUNDLE__\n" + plain).kind == kind::ptx));
    BOOST_TEST((classify(plain + "// __CLANG_OFFLOAD_BUNDLE__\n").kind == kind::ptx));
    BOOST_TEST((classify("__CLANG_OFFLOAD_BUNDLE__").kind == kind::hip_bundle));
    std::string huge = "__CLANG_OFFLOAD_BUNDLE__" + std::string(8, '\xff');
    BOOST_TEST(image::explain(test::bytes_of(huge)).size() < 300u);
}

BOOST_AUTO_TEST_CASE(other_kinds) {
    BOOST_TEST((classify("!<arch>\nfoo.o/").kind == kind::archive));
    BOOST_TEST((classify("\xed\x43\x4e\x7f\x01\x41").kind == kind::lto_ir));
    BOOST_TEST(contains(image::describe(classify("\xed\x43\x4e\x7f")), "link it with nvJitLink first"));
    BOOST_TEST((classify("; ModuleID = 'k.ll'\n").kind == kind::llvm_ir));
    BOOST_TEST((classify("#include <cstdio>\nint main() {}\n").kind == kind::cuda_source));
    BOOST_TEST((classify("{\"json\": 1}").kind == kind::unknown_text));
    BOOST_TEST((classify("build\\kernels\\axpy.ptx").kind == kind::path));
    BOOST_TEST((classify("axpy.cubin\n").kind == kind::path));
    BOOST_TEST((classify("// only a comment\n/* and another").kind == kind::blanks));
    BOOST_TEST((classify("\x1f\x8b").kind == kind::gzip));
    std::string wrong = test::file("cases/17-no-binary-for-gpu/sm_86.cubin");
    wrong[18] = 62;
    BOOST_TEST((classify(wrong).kind == kind::host_elf));
    BOOST_TEST((classify(test::file("cases/18-relocatable-cubin/rel.cubin")).kind == kind::relocatable_cubin));
}

BOOST_AUTO_TEST_CASE(relocatable_names_what_it_lacks) {
    const std::string said = image::explain(test::bytes_of(test::file("cases/18-relocatable-cubin/rel.cubin")));
    BOOST_TEST(contains(said, "needs a device link"), said);
    BOOST_TEST(contains(said, "_Z5otheri"), said);
}

BOOST_AUTO_TEST_CASE(cut_images_say_how_long_they_should_be) {
    const std::string cubin = test::file("cases/17-no-binary-for-gpu/sm_86.cubin");
    for (std::size_t n = 64; n < cubin.size(); n += 64) {
        const image::classification c = classify(cubin.substr(0, n));
        BOOST_TEST((c.kind == kind::truncated_elf && !c.usable));
        BOOST_TEST(c.needed <= cubin.size());
        BOOST_TEST(c.needed > n);
    }
    const std::string fatbin = test::file("cases/17-no-binary-for-gpu/multi.fatbin");
    for (std::size_t n = 16; n < fatbin.size(); n += 64) BOOST_TEST(classify(fatbin.substr(0, n)).needed == fatbin.size());
}

BOOST_AUTO_TEST_CASE(every_kind_has_words) {
    for (int k = 0; k <= static_cast<int>(kind::unknown); ++k) {
        image::classification c;
        c.kind = static_cast<kind>(k);
        BOOST_TEST(std::string{image::name_of(c.kind)}.size() > 2u);
        BOOST_TEST(image::describe(c).size() > 4u);
    }
}
