// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A program that reads compressed fatbins by the installed component: `decompress FATBIN`.

#include <hanabi/image/decompress.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

int main(int, char** argv) {
    std::ifstream in{argv[1], std::ios::binary};
    const std::vector<char> bytes{std::istreambuf_iterator<char>{in}, {}};
    hanabi::image::use_decompression();
    const hanabi::image::summary s = hanabi::image::summarize(std::as_bytes(std::span{bytes.data(), bytes.size()}));
    std::printf("%zu kernels\n", s.kernels.size());
    return s.complete && s.kernels.size() == 4 ? 0 : 1;
}
