// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The toolkit's own libraries, where they are installed: every image in them is read to the end, every kernel's parameters
/// are known, and a second, short walk over the same bytes by this file's own code finds as many kernels. Small libraries
/// only, unless HANABI_STRESS=all; files or folders in HANABI_STRESS_FILES (colons between) are read instead.

#define BOOST_TEST_MODULE image_stress
#include <boost/test/unit_test.hpp>

#if defined(HANABI_TEST_DECOMPRESS)

#include <hanabi/image/decompress.hpp>
#include <hanabi/image/embedded.hpp>

#include "../tool/describe/mapped_file.hpp"

#include "support/files.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace image = hanabi::image;

namespace {

std::vector<std::string> libraries() {
    std::vector<std::string> places{"/usr/local/cuda/lib64"};
    if (const char* const named = std::getenv("HANABI_STRESS_FILES"); named != nullptr) places = test::split(named, ':');
    const char* const asked = std::getenv("HANABI_STRESS");
    const std::uintmax_t largest = asked != nullptr && std::string{asked} == "all" ? ~std::uintmax_t{0} : std::uintmax_t{60} << 20;
    std::set<std::string> found;
    for (const std::string& place : places) {
        std::error_code none;
        if (!std::filesystem::is_directory(place, none)) {
            if (std::filesystem::exists(place, none)) found.insert(place);
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator{place, none}) {
            const std::string name = entry.path().filename().string();
            const bool wanted = name.starts_with("lib") && (name.find(".so.") != std::string::npos || name.ends_with(".a"));
            if (!entry.is_symlink(none) && entry.is_regular_file(none) && wanted && entry.file_size(none) <= largest)
                found.insert(entry.path().string());
        }
    }
    return {found.begin(), found.end()};
}

struct tally {
    std::size_t images = 0, parts = 0, cubins = 0, texts = 0, kernels = 0, unknown = 0, parameters = 0, variables = 0, intermediate = 0;
};

/// Kernels of one cubin by the least that it takes: a walk over .symtab that shares nothing with the readers.
std::size_t plain_count(const unsigned char* p, std::size_t n) {
    const auto number = [&](std::size_t at, std::size_t size) {
        std::uint64_t v = 0;
        if (at + size <= n) std::memcpy(&v, p + at, size);
        return v;
    };
    std::size_t count = 0;
    const std::size_t table = number(40, 8), sections = number(60, 2);
    for (std::size_t i = 0; i < sections; ++i) {
        const std::size_t header = table + i * 64;
        if (number(header + 4, 4) != 2) continue;
        const std::size_t first = number(header + 24, 8), size = number(header + 32, 8);
        for (std::size_t s = first; s + 24 <= first + size; s += 24)
            if ((number(s + 4, 1) & 15) == 2 && (number(s + 5, 1) & 0x10) != 0 && number(s + 6, 2) != 0) ++count;
    }
    return count;
}
/// The same of the cubins of one fatbin.
std::size_t plain_count_of_fatbin(const unsigned char* p, std::size_t n) {
    std::size_t count = 0;
    std::vector<unsigned char> room;
    for (std::size_t at = 16; at + 64 <= n;) {
        std::uint16_t kind = 0;
        std::uint32_t header = 0, stored = 0;
        std::uint64_t padded = 0, flags = 0, unpacked = 0;
        std::memcpy(&kind, p + at, 2);
        std::memcpy(&header, p + at + 4, 4);
        std::memcpy(&padded, p + at + 8, 8);
        std::memcpy(&stored, p + at + 16, 4);
        std::memcpy(&flags, p + at + 40, 8);
        std::memcpy(&unpacked, p + at + 56, 8);
        const unsigned char* const payload = p + at + header;
        if (kind == 2 && (flags & 0xa000) == 0) count += plain_count(payload, padded);
        if (kind == 2 && (flags & 0xa000) != 0) {
            room.resize(unpacked);
            BOOST_REQUIRE(image::decompress((flags & 0x8000) != 0 ? image::compression::zstd : image::compression::lz4,
                                            {payload, stored != 0 ? stored : padded}, room.data(), room.size()));
            count += plain_count(room.data(), room.size());
        }
        at += header + padded;
    }
    return count;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_image_of_every_library) {
    tally all;
    std::unordered_set<std::string> symbols;
    for (const std::string& file : libraries()) BOOST_TEST_CONTEXT(file) {
            const auto start = std::chrono::steady_clock::now();
            const tool::mapped_file mapped{file};
            const std::span<const std::byte> bytes = mapped.bytes();
            image::embedded_scanner scan{image::bytes{bytes.data(), bytes.size()}};
            image::embedded_image e;
            tally t;
            std::size_t plain = 0, from_cubins = 0;
            while (scan.next(e)) {
                ++t.images;
                const image::summary s = image::summarize(bytes.subspan(e.offset, e.image.size()), &image::decompress);
                plain += e.fatbin ? plain_count_of_fatbin(e.image.data(), e.image.size()) : plain_count(e.image.data(), e.image.size());
                for (const image::part& p : s.parts) {
                    ++t.parts;
                    (p.form == image::fatbin_form::ptx ? t.texts : p.form == image::fatbin_form::elf ? t.cubins : t.intermediate) += 1;
                    if (p.form == image::fatbin_form::elf) from_cubins += p.kernels.size();
                    if (p.form != image::fatbin_form::ptx && p.form != image::fatbin_form::elf) continue; // LTO-IR
                    if (!p.readable)
                        BOOST_TEST(false, "at byte " << e.offset + p.offset << ": " << p.error.reason << " (" << p.error.offset << ")");
                    t.kernels += p.kernels.size();
                    t.variables += p.variables.size();
                    for (const image::kernel_summary& k : p.kernels) {
                        if (!k.parameters_known) ++t.unknown;
                        t.parameters += k.parameters.size();
                        symbols.insert(k.symbol);
                        // What no kernel can be.
                        std::uint64_t end = 0;
                        for (const image::parameter& q : k.parameters) {
                            if (q.size == 0 || q.offset < end) BOOST_TEST(false, k.symbol << ": parameters that overlap, or of no size");
                            end = std::uint64_t{q.offset} + q.size;
                        }
                        if (end > 32764) BOOST_TEST(false, k.symbol << ": " << end << " bytes of parameters");
                    }
                }
            }
            BOOST_TEST(!scan.error());
            BOOST_TEST(from_cubins == plain);
            BOOST_TEST(t.unknown == 0u);
            if (t.images == 0) continue;
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            BOOST_TEST_MESSAGE(file << ": " << bytes.size() / 1000000 << " MB, " << t.images << " images, " << t.cubins << " cubins, "
                                    << t.texts << " PTX texts, " << t.kernels << " kernels, " << t.parameters << " parameters, "
                                    << t.unknown << " of unknown parameters, " << t.variables << " variables, " << t.intermediate
                                    << " of LTO-IR, " << seconds << " s");
            all.images += t.images;
            all.kernels += t.kernels;
            all.parameters += t.parameters;
        }
    BOOST_TEST_MESSAGE(all.images << " images, " << all.kernels << " kernels, " << symbols.size() << " symbols, " << all.parameters
                                  << " parameters");
    if (all.images == 0) BOOST_TEST_MESSAGE("skipped: no CUDA libraries here");
}

#else

BOOST_AUTO_TEST_CASE(not_linked) { BOOST_TEST_MESSAGE("built without zstd and lz4"); }

#endif
