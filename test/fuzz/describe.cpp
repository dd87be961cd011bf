// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Any text as a linker's name, and any image as what hanabi-describe --cpp makes a header of.

#include "../../tool/describe/descriptors.hpp"
#include "../../tool/describe/listing.hpp"

#include "check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    if (size < 4096) {
        tool::taken_apart parts;
        if (tool::name_reader{text}.read(parts)) FUZZ_CHECK(!parts.name.empty());
        static_cast<void>(hanabi::matches_pattern(text.substr(0, size / 4), text));
        static_cast<void>(hanabi::detail::qualified_name(text));
        static_cast<void>(hanabi::detail::last_name(text));
    }
    // As a kernel's name, and as a whole image.
    namespace image = hanabi::image;
    image::summary s = image::summarize({reinterpret_cast<const std::byte*>(data), size});
    if (s.kernels.empty()) {
        image::kernel_summary& k = s.kernels.emplace_back();
        k.symbol = text.substr(0, 512);
        k.parameters_known = true;
        for (std::size_t i = 0; i < size % 5; ++i) {
            image::parameter& p = k.parameters.emplace_back();
            p.size = data[i] % 32;
            p.align = 1u << (data[i] % 6);
            p.type = static_cast<image::scalar>(data[i] % 24 < 22 ? data[i] % 24 : 0);
        }
    }
    tool::header_writer header{{}};
    const std::string file = "fuzz.ptx";
    header.begin_file(file);
    header.add({file, file, 0, false, {}, s});
    const std::string out = header.text();
    FUZZ_CHECK(out.find("#endif") != std::string::npos);
    for (const char c : tool::field(text)) FUZZ_CHECK(c != '\t' && c != '\n' && c != '\0');
    return 0;
}
