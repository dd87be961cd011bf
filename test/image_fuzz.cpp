// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Bytes that are no image any more: every sample cut short and changed at random, always in blocks of the exact size, so
/// that sanitizers see a read past the end. The same changes every time; HANABI_FUZZ_ROUNDS asks for more of them.

#define BOOST_TEST_MODULE image_fuzz
#include <boost/test/unit_test.hpp>

#include <hanabi/image/explain.hpp>
#include <hanabi/image/kernels.hpp>

#include "support/files.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace image = hanabi::image;

namespace {

/// Stands in for a decompressor: hands on what fits, so that mutated code is read as well.
bool copy_through(image::compression, std::span<const unsigned char> in, unsigned char* out, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = in.empty() ? 0 : in[i % in.size()];
    return true;
}

/// A copy that ends where its block ends.
struct exact {
    explicit exact(const std::string& s) : size{s.size()}, data{new std::byte[s.size()]} {
        if (size != 0) std::memcpy(data.get(), s.data(), size);
    }
    std::span<const std::byte> span() const { return {data.get(), size}; }
    std::size_t size;
    std::unique_ptr<std::byte[]> data;
};

/// What has to hold whatever the bytes are.
void check(const image::summary& s, std::size_t size) {
    bool sound = true;
    if (s.error) sound = sound && !s.complete;
    sound = sound && s.what.offset <= size && s.what.text_end <= size;
    for (const image::part& p : s.parts)
        for (const image::kernel_summary& k : p.kernels) {
            sound = sound && (k.parameters_known || k.parameters.empty());
            sound = sound && !(p.form == image::fatbin_form::ptx && k.symbol.empty());
            std::uint64_t end = 0;
            for (const image::parameter& q : k.parameters) {
                sound = sound && (q.offset >= end || p.form == image::fatbin_form::elf);
                end = std::uint64_t{q.offset} + q.size;
            }
        }
    if (!sound) BOOST_TEST_ERROR("an unsound summary of " << size << " bytes: " << image::contents(s));
}

image::summary read(const std::string& bytes) {
    const exact copy{bytes};
    image::summary s = image::summarize(copy.span(), &copy_through);
    check(s, copy.size);
    return s;
}

std::vector<std::string> samples() {
    std::vector<std::string> all;
    for (const char* name :
         {"ptx/12-launch_bounds.ptx", "ptx/22-text_traps.ptx", "ptx/23-globals_with_braces.ptx", "ptx/35-llvm_ptr_spaces.ptx",
          "ptx/41-ptr_attributes.ptx", "ptx/39-one_line_no_newline.ptx", "ptx/48-no_parentheses.ptx",
          "cases/12-ghost-entry-in-comment/kernel.ptx", "cases/13-ptx-ptr-align-one/spaces.ptx",
          "cases/15-image-sniffing/blobs/hip_bundle.bin", "cases/15-image-sniffing/blobs/ptx_bom.bin",
          "cases/15-image-sniffing/blobs/fatbin.bin", "cases/17-no-binary-for-gpu/sm_86.cubin", "cases/17-no-binary-for-gpu/sm_90a.cubin",
          "cases/17-no-binary-for-gpu/multi.fatbin", "cases/18-relocatable-cubin/rel.cubin", "cases/19-nv-info-varies/kernel.sm_75.cubin",
          "cases/19-nv-info-varies/kernel.sm_90.cubin", "cases/20-fatbin-compressed/size.fatbin"})
        all.push_back(test::file(name));
    return all;
}

bool same(const image::kernel_summary& a, const image::kernel_summary& b) {
    if (a.parameters.size() != b.parameters.size()) return false;
    for (std::size_t i = 0; i < a.parameters.size(); ++i)
        if (a.parameters[i].size != b.parameters[i].size || a.parameters[i].type != b.parameters[i].type ||
            a.parameters[i].name != b.parameters[i].name)
            return false;
    return true;
}

} // namespace

// Cut at every byte where the sample is small, at every seventh else: what is still listed is listed right.
BOOST_AUTO_TEST_CASE(truncation) {
    std::size_t cuts = 0;
    for (const std::string& whole : samples()) {
        const image::summary full = read(whole);
        for (std::size_t n = 0; n < whole.size(); n += whole.size() < 2000 ? 1 : 7) {
            const image::summary s = read(whole.substr(0, n));
            ++cuts;
            for (const image::kernel_summary& k : s.kernels) {
                const image::kernel_summary* original = full.find_kernel(k.symbol);
                if (original == nullptr ? !s.error : k.parameters_known && !same(k, *original))
                    BOOST_TEST_ERROR("cut at " << n << " of " << whole.size() << ": wrong kernel " << k.symbol);
            }
        }
    }
    BOOST_TEST(cuts > 10000u);
}

BOOST_AUTO_TEST_CASE(mutation) {
    const std::vector<std::string> all = samples();
    std::mt19937 random{20260101};
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random()) % n; };
    const char* const words[] = {".entry", ".param", ".align", "{", "}", "(",    ")",    "\"",       "/*", "*/",
                                 "//",     ";",      ",",      "[", "]", ".u64", ".ptr", ".version", "\n", "="};
    const std::uint32_t numbers[] = {0, 1, 0x7f, 0xff, 0x100, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 64, 63};
    const char* const asked = std::getenv("HANABI_FUZZ_ROUNDS");
    const std::size_t rounds = asked != nullptr ? std::strtoul(asked, nullptr, 10) : 20000;
    std::size_t complete = 0, kernels = 0;
    for (std::size_t i = 0; i < rounds; ++i) {
        std::string bytes = all[below(all.size())];
        for (std::size_t edits = 1 + below(4); edits != 0 && !bytes.empty(); --edits) {
            const std::size_t at = below(bytes.size());
            switch (below(7)) {
            case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
            case 1: bytes[at] = static_cast<char>(random()); break;
            case 2: bytes.erase(at, 1 + below(16)); break;
            case 3: bytes.insert(at, words[below(std::size(words))]); break;
            case 4: bytes.insert(at, bytes.substr(below(bytes.size()), below(64))); break;
            case 5: bytes.resize(at); break;
            default: {
                const std::uint32_t n = numbers[below(std::size(numbers))];
                for (std::size_t b = 0; b < 4 && at + b < bytes.size(); ++b) bytes[at + b] = static_cast<char>(n >> (8 * b));
            }
            }
        }
        const image::summary s = read(bytes);
        complete += s.complete ? 1 : 0;
        kernels += s.kernels.size();
        if (i % 16 == 0) {
            const exact copy{bytes};
            BOOST_TEST_REQUIRE(!image::explain(copy.span()).empty());
            static_cast<void>(image::find_entry(reinterpret_cast<const char*>(copy.data.get()), copy.size, "lb2"));
            image::cubin_kernel k;
            static_cast<void>(image::cubin_view{image::bytes{copy.data.get(), copy.size}}.find("probe", k));
        }
    }
    // Mutants that still read and mutants that don't: the test looks at both sorts.
    BOOST_TEST(complete > rounds / 20);
    BOOST_TEST(complete < rounds);
    BOOST_TEST(kernels > rounds / 20);
}
