// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Compressed fatbin entries through the real zstd and lz4. The build defines HANABI_TEST_DECOMPRESS where it links both;
/// elsewhere there is nothing to test here.

#define BOOST_TEST_MODULE image_decompress
#include <boost/test/unit_test.hpp>

#if defined(HANABI_TEST_DECOMPRESS)

#include <hanabi/image/decompress.hpp>

#include "support/files.hpp"

#include <array>
#include <string>

namespace image = hanabi::image;

BOOST_AUTO_TEST_CASE(five_ways_to_pack_one_content) {
    for (const char* name : {"none", "default", "size", "speed", "balance", "two_containers"}) BOOST_TEST_CONTEXT(name) {
            const image::summary s = image::summarize(
                test::bytes_of(test::file(std::string{"cases/20-fatbin-compressed/"} + name + ".fatbin")), &image::decompress);
            BOOST_TEST(s.complete);
            for (const image::part& p : s.parts) {
                BOOST_TEST(p.readable);
                BOOST_TEST(p.kernels.size() == 4u);
                BOOST_TEST(p.variables.size() == 1u);
            }
            BOOST_TEST_REQUIRE(s.find_kernel("scale") != nullptr);
            BOOST_TEST(s.find_kernel("scale")->parameters.at(1).name == "scale_param_1");
        }
}

BOOST_AUTO_TEST_CASE(wrong_lengths_and_bytes_are_refused) {
    const std::string file = test::file("cases/20-fatbin-compressed/size.fatbin");
    std::string longer = file, broken = file;
    longer[0x10 + 0x38] = static_cast<char>(longer[0x10 + 0x38] + 1);
    for (std::size_t i = 0x10 + 64 + 20; i < 0x10 + 64 + 60; ++i) broken[i] = static_cast<char>(~broken[i]);
    for (const std::string& bad : {longer, broken}) {
        const image::summary s = image::summarize(test::bytes_of(bad), &image::decompress);
        BOOST_TEST((!s.complete && !s.parts.at(0).readable && s.parts.at(1).readable));
    }
    std::array<unsigned char, 4> out{};
    BOOST_TEST(!image::decompress(image::compression::other, {}, out.data(), out.size()));
    BOOST_TEST(!image::decompress(image::compression::zstd, {}, out.data(), out.size()));
    BOOST_TEST(!image::decompress(image::compression::lz4, {}, out.data(), out.size()));
}

BOOST_AUTO_TEST_CASE(for_the_whole_process) {
    const std::string file = test::file("cases/20-fatbin-compressed/default.fatbin");
    BOOST_TEST(!image::summarize(test::bytes_of(file)).complete);
    image::use_decompression();
    BOOST_TEST(image::summarize(test::bytes_of(file)).complete);
    image::default_decompressor().store(nullptr);
}

#else

BOOST_AUTO_TEST_CASE(not_linked) { BOOST_TEST_MESSAGE("built without zstd and lz4"); }

#endif
