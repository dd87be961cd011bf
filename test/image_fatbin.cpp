// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Fatbins: every entry of every container, compressed or not, which part a device gets, and lengths that lie.

#define BOOST_TEST_MODULE image_fatbin
#include <boost/test/unit_test.hpp>

#include <hanabi/image/embedded.hpp>
#include <hanabi/image/fatbin.hpp>
#include <hanabi/image/kernels.hpp>

#include "support/files.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace image = hanabi::image;

namespace {

image::summary read(const std::string& name, image::decompressor* unpack = nullptr) {
    return image::summarize(test::bytes_of(test::file("cases/" + name)), unpack);
}
image::bytes view(const std::string& s) { return {s.data(), s.size()}; }

/// A raw LZ4 block by the book: what a real library does is tested where one is linked.
bool unpack_lz4(image::compression packing, std::span<const unsigned char> in, unsigned char* out, std::size_t size) {
    if (packing != image::compression::lz4) return false;
    std::size_t i = 0, o = 0;
    const auto length = [&](std::size_t n) {
        if (n == 15)
            while (i < in.size()) {
                n += in[i];
                if (in[i++] != 255) break;
            }
        return n;
    };
    while (i < in.size()) {
        const unsigned token = in[i++];
        for (std::size_t n = length(token >> 4); n != 0; --n) {
            if (i == in.size() || o == size) return false;
            out[o++] = in[i++];
        }
        if (i == in.size()) break;
        if (in.size() - i < 2) return false;
        const std::size_t back = in[i] + 256u * in[i + 1];
        i += 2;
        if (back == 0 || back > o) return false;
        for (std::size_t n = length(token & 15) + 4; n != 0; --n, ++o) {
            if (o == size) return false;
            out[o] = out[o - back];
        }
    }
    return o == size;
}

/// A line per entry, as expected.txt has them: "entry at 0x10: kind 2 (ELF) ... padded N stored N ver A.B arch N flags 0xF
/// uncompressed N".
std::vector<std::string> walk(const std::string& file) {
    std::vector<std::string> out;
    image::fatbin_scanner scan{view(file)};
    image::fatbin_entry e;
    while (scan.next(e)) {
        char line[200];
        std::snprintf(line, sizeof line, "entry at 0x%zx: kind %u padded %zu ver %u.%u arch %u flags 0x%llx uncompressed %llu", e.offset,
                      static_cast<unsigned>(e.form), e.padded, e.major, e.minor, e.target.sm, static_cast<unsigned long long>(e.flags),
                      static_cast<unsigned long long>(e.unpacked));
        out.emplace_back(line);
    }
    BOOST_TEST(!scan.error());
    return out;
}

/// The same from expected.txt, by file name.
std::map<std::string, std::vector<std::string>> expected(const std::string& name) {
    std::map<std::string, std::vector<std::string>> all;
    std::string file;
    for (const std::string& line : test::lines(test::file("cases/" + name))) {
        const std::vector<std::string> words = test::split(line.substr(0, line.find(" first ")), ' ');
        if (!line.empty() && line.ends_with(".fatbin")) file = line;
        if (words.size() < 10 || line.find("entry at ") == std::string::npos) continue;
        const auto after = [&](const std::string& key) {
            for (std::size_t i = 0; i + 1 < words.size(); ++i)
                if (words[i] == key) return words[i + 1];
            return std::string{"?"};
        };
        all[file].push_back("entry at " + after("at") + " kind " + after("kind") + " padded " + after("padded") + " ver " + after("ver") +
                            " arch " + after("arch") + " flags " + after("flags") + " uncompressed " + after("uncompressed"));
    }
    return all;
}

const std::vector<std::string> kernels{"scale", "_Z3addIfEvPT_PKS0_S3_m", "_Z3addIdEvPT_PKS0_S3_m", "_Z4usecPf"};
const std::size_t counts[]{3, 4, 4, 1};

void check_kernels(const image::part& p) {
    BOOST_TEST(p.kernels.size() == 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        const image::kernel_summary* k = nullptr;
        for (const image::kernel_summary& each : p.kernels)
            if (each.symbol == kernels[i]) k = &each;
        BOOST_TEST_REQUIRE(k != nullptr);
        BOOST_TEST((k->parameters_known && k->parameters.size() == counts[i]));
    }
    BOOST_TEST_REQUIRE(p.variables.size() == 1u);
    BOOST_TEST((p.variables[0].symbol == "coef" && p.variables[0].size == 16u && p.variables[0].space == image::state_space::constant));
}

} // namespace

BOOST_AUTO_TEST_CASE(every_entry_is_listed) {
    const auto all = expected("20-fatbin-compressed/expected.txt");
    BOOST_TEST(all.size() == 6u);
    for (const auto& [name, entries] : all) BOOST_TEST_CONTEXT(name) {
            BOOST_TEST(entries.size() == (name == "two_containers.fatbin" ? 6u : 3u));
            BOOST_TEST(walk(test::file("cases/20-fatbin-compressed/" + name)) == entries, boost::test_tools::per_element());
        }
    const auto multi = expected("17-no-binary-for-gpu/expected.txt");
    BOOST_TEST(walk(test::file("cases/17-no-binary-for-gpu/multi.fatbin")) == multi.begin()->second, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(compression_is_named) {
    const auto packings = [](const char* name) {
        std::string out;
        for (const image::part& p : read(std::string{"20-fatbin-compressed/"} + name + ".fatbin").parts)
            out += std::string{image::name_of(p.packing)} + " ";
        return out;
    };
    BOOST_TEST(packings("none") == "none none none ");
    BOOST_TEST(packings("default") == "none none zstd ");
    BOOST_TEST(packings("size") == "zstd zstd zstd ");
    BOOST_TEST(packings("speed") == "none none lz4 ");
    BOOST_TEST(packings("balance") == "none none zstd ");
    BOOST_TEST(packings("two_containers") == "zstd zstd zstd none none lz4 ");
}

BOOST_AUTO_TEST_CASE(contents_of_every_entry) {
    const image::summary s = read("20-fatbin-compressed/none.fatbin");
    BOOST_TEST((s.complete && s.parts.size() == 3u));
    for (const image::part& p : s.parts) check_kernels(p);
    BOOST_TEST((s.parts[0].target.sm == 80 && s.parts[1].target.sm == 90 && s.parts[2].target.sm == 90));
    BOOST_TEST((s.parts[2].form == image::fatbin_form::ptx && s.parts[2].major == 9 && s.parts[2].minor == 0));
    // Merged: each kernel once, types and names from the PTX, registers from the cubins.
    BOOST_TEST(s.kernels.size() == 4u);
    const image::kernel_summary* scale = s.find_kernel("scale");
    BOOST_TEST((scale->parameters.at(1).category == image::value_class::floating && scale->parameters[1].name == "scale_param_1"));
    BOOST_TEST(scale->registers != 0u);
    BOOST_TEST((scale->griddepcontrol_wait == image::answer::no));
}

BOOST_AUTO_TEST_CASE(compressed_without_decompressor) {
    const image::summary s = read("20-fatbin-compressed/size.fatbin");
    BOOST_TEST((!s.complete && s.kernels.empty() && s.parts.size() == 3u));
    for (const image::part& p : s.parts) BOOST_TEST((!p.readable && p.error && p.target.sm >= 80));
    const image::summary d = read("20-fatbin-compressed/default.fatbin");
    BOOST_TEST((!d.complete && d.parts[0].readable && !d.parts[2].readable));
    BOOST_TEST((d.find_kernel("scale")->griddepcontrol_wait == image::answer::unknown));
}

BOOST_AUTO_TEST_CASE(compressed_with_decompressor) {
    const image::summary s = read("20-fatbin-compressed/speed.fatbin", &unpack_lz4);
    BOOST_TEST(s.complete);
    for (const image::part& p : s.parts) check_kernels(p);
    BOOST_TEST(s.find_kernel("scale")->parameters.at(1).name == "scale_param_1");
    const image::summary two = read("20-fatbin-compressed/two_containers.fatbin", &unpack_lz4);
    BOOST_TEST((!two.complete && !two.parts[2].readable && two.parts[5].readable));
    image::default_decompressor().store(&unpack_lz4);
    BOOST_TEST(read("20-fatbin-compressed/speed.fatbin").complete);
    image::default_decompressor().store(nullptr);
}

BOOST_AUTO_TEST_CASE(the_part_a_device_gets) {
    const image::summary s = read("17-no-binary-for-gpu/multi.fatbin");
    BOOST_TEST(image::contents(s) == "sm_80 cubin, sm_90 cubin, compute_90 PTX (version 9.0, compressed: zstd)");
    BOOST_TEST(image::select_part(s, 75) == nullptr);
    for (std::uint32_t sm : {80u, 86u, 89u}) BOOST_TEST(image::select_part(s, sm) == &s.parts[0]);
    BOOST_TEST(image::select_part(s, 90) == &s.parts[1]);
    for (std::uint32_t sm : {100u, 120u}) BOOST_TEST(image::select_part(s, sm) == &s.parts[2]);
}

BOOST_AUTO_TEST_CASE(unknown_flags_and_forms_do_not_stop_the_walk) {
    std::string odd = test::file("cases/20-fatbin-compressed/none.fatbin");
    odd[0x10 + 0x2b] = '\x40'; // a flag nobody knows
    odd[0x20f8] = '\x33';      // a form nobody knows
    const image::summary s = image::summarize(test::bytes_of(odd));
    BOOST_TEST_REQUIRE(s.parts.size() == 3u);
    BOOST_TEST((s.parts[0].readable && !s.parts[1].readable && s.parts[2].readable && !s.complete));
    check_kernels(s.parts[0]);
    check_kernels(s.parts[2]);
}

BOOST_AUTO_TEST_CASE(lengths_that_lie_end_the_walk) {
    const std::string good = test::file("cases/20-fatbin-compressed/two_containers.fatbin");
    const auto with = [&](std::size_t at, std::uint64_t value, std::size_t size) {
        std::string bad = good;
        for (std::size_t i = 0; i < size; ++i) bad[at + i] = static_cast<char>(value >> (8 * i));
        return bad;
    };
    const auto parts = [](const std::string& file) {
        image::fatbin_scanner scan{view(file)};
        image::fatbin_entry e;
        std::size_t n = 0;
        while (scan.next(e)) ++n;
        return std::pair{n, static_cast<bool>(scan.error())};
    };
    BOOST_TEST((parts(good) == std::pair<std::size_t, bool>{6, false}));
    for (std::uint64_t value : {0u, 1u, 63u, 0xffffffffu, 0x7fffffffu})
        BOOST_TEST((parts(with(0x14, value, 4)) == std::pair<std::size_t, bool>{0, true}));
    for (std::uint64_t value : {~std::uint64_t{0}, ~std::uint64_t{0} - 63, std::uint64_t{1} << 63, std::uint64_t{100000}})
        BOOST_TEST((parts(with(0x18, value, 8)) == std::pair<std::size_t, bool>{0, true}));
    for (std::uint64_t value : {~std::uint64_t{0}, ~std::uint64_t{0} - 15, std::uint64_t{1} << 40}) {
        BOOST_TEST((parts(with(8, value, 8)) == std::pair<std::size_t, bool>{0, true}));
        BOOST_TEST((parts(with(0xf58 + 8, value, 8)) == std::pair<std::size_t, bool>{3, true}));
    }
    for (std::uint64_t value : {0u, 15u, 0xffffu}) BOOST_TEST((parts(with(6, value, 2)) == std::pair<std::size_t, bool>{0, true}));
    // A padded length of zero: the next header is looked for inside the payload, which is no header.
    BOOST_TEST(parts(with(0x18, 0, 8)).first <= 2u);
    for (std::uint64_t value : {1449u, 0xffffffffu}) BOOST_TEST((parts(with(0x20, value, 4)) == std::pair<std::size_t, bool>{0, true}));
    // An unpacked length out of all proportion is not allocated.
    image::summarize(test::bytes_of(with(0x10 + 0x38, std::uint64_t{1} << 50, 8)), &unpack_lz4);
}

BOOST_AUTO_TEST_CASE(parts_that_disagree) {
    const auto ptx = [](const std::string& parameters) { return ".version 8.0\n.target sm_80\n.entry k(" + parameters + "){ret;}\n"; };
    const auto fatbin = [](const std::vector<std::string>& texts) {
        std::string payload;
        const auto put = [](std::string& s, std::uint64_t value, std::size_t size) {
            for (std::size_t i = 0; i < size; ++i) s += i < 8 ? static_cast<char>(value >> (8 * i)) : '\0';
        };
        for (std::string text : texts) {
            text.resize((text.size() + 7) / 8 * 8);
            put(payload, 0x01010001, 4);
            put(payload, 64, 4);
            put(payload, text.size(), 8);
            put(payload, 0, 8);
            put(payload, 0x00080000, 4);
            put(payload, 80, 4);
            put(payload, 0, 32);
            payload += text;
        }
        std::string out;
        put(out, 0xba55ed50u, 4);
        put(out, 0x00100001, 4);
        put(out, payload.size(), 8);
        return out + payload;
    };
    const image::summary same = image::summarize(test::bytes_of(fatbin({ptx(".param .u32 a"), ptx(".param .u32 b")})));
    BOOST_TEST((same.complete && same.kernels.size() == 1u && same.kernels[0].parameters_known && same.notes.empty()));
    for (const auto& others : {std::vector<std::string>{ptx(".param .u32 a"), ptx(".param .u64 a")},
                               {ptx(".param .u32 a"), ptx(""), ptx(".param .u32 a")},
                               {ptx(""), ptx(".param .u32 a"), ptx("")}}) {
        const image::summary s = image::summarize(test::bytes_of(fatbin(others)));
        BOOST_TEST_REQUIRE(s.kernels.size() == 1u);
        BOOST_TEST((!s.kernels[0].parameters_known && s.kernels[0].parameters.empty() && !s.notes.empty()));
    }
}

// ---- Inside other files -------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(images_inside_other_files) {
    const std::string fatbin = test::file("cases/20-fatbin-compressed/none.fatbin"),
                      two = test::file("cases/20-fatbin-compressed/two_containers.fatbin"),
                      cubin = test::file("cases/17-no-binary-for-gpu/sm_86.cubin");
    // Anywhere, aligned or not; magic numbers alone are none; a cubin inside a fatbin is the fatbin's; each container by itself.
    const std::string stray = "\x50\xed\x55\xba\x7f"
                              "ELF\x50\xed";
    const std::string file = stray + fatbin + "." + cubin + stray + std::string(3000000, 'P') + two + stray;
    image::embedded_scanner scan{image::bytes{file}};
    image::embedded_image e;
    std::vector<std::size_t> offsets, sizes;
    std::string forms;
    while (scan.next(e)) {
        offsets.push_back(e.offset);
        sizes.push_back(e.image.size());
        forms += e.fatbin ? 'f' : 'c';
        BOOST_TEST(image::summarize(std::as_bytes(std::span{file.data() + e.offset, e.image.size()})).what.usable);
    }
    BOOST_TEST(!scan.error());
    BOOST_TEST(forms == "fcff");
    BOOST_TEST_REQUIRE(offsets.size() == 4u);
    BOOST_TEST(offsets[0] == stray.size());
    BOOST_TEST(sizes[0] == fatbin.size());
    BOOST_TEST(offsets[1] == stray.size() + fatbin.size() + 1);
    BOOST_TEST(sizes[1] == cubin.size());
    BOOST_TEST(offsets[3] == offsets[2] + sizes[2]);
    BOOST_TEST(sizes[2] + sizes[3] == two.size());
    // Cut short: a fault with the place, after what came before.
    for (const std::string& whole : {fatbin, cubin})
        for (std::size_t n : {whole.size() - 1, whole.size() / 2, std::size_t{100}}) {
            const std::string cut = fatbin + whole.substr(0, n);
            image::embedded_scanner torn{image::bytes{cut}};
            BOOST_TEST(torn.next(e));
            BOOST_TEST(!torn.next(e));
            BOOST_TEST(torn.error().offset == fatbin.size());
        }
    image::embedded_scanner nothing{image::bytes{}};
    BOOST_TEST(!nothing.next(e));
    BOOST_TEST(!nothing.error());
}

namespace {
/// A container of nothing, behind seven other bytes.
constexpr std::size_t found_at_compile_time() {
    constexpr unsigned char head[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 64, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 64, 0, 0, 0};
    unsigned char file[200]{};
    for (std::size_t i = 0; i < sizeof head; ++i) file[7 + i] = head[i];
    file[7 + 44] = 90;
    image::embedded_scanner scan{image::bytes{file}};
    image::embedded_image e;
    return scan.next(e) && e.fatbin ? e.offset * 1000 + e.image.size() : 0;
}
static_assert(found_at_compile_time() == 7080);
} // namespace
