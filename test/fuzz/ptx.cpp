// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Any bytes as PTX text: tokens, items, parameters, look-ups and the summary.

#include <hanabi/image/kernels.hpp>

#include "check.hpp"

#include <cstddef>
#include <cstdint>

namespace image = hanabi::image;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const char* const text = reinterpret_cast<const char*>(data);
    const auto inside = [&](image::slice s) { return s.empty() || (s.begin() >= text && s.end() <= text + size); };

    image::ptx_tokens tokens{text, text, text + size};
    for (image::token t = tokens.next(); t.kind != image::token_kind::end; t = tokens.next()) FUZZ_CHECK(inside(t.text));
    FUZZ_CHECK(tokens.error().offset <= size);

    image::ptx_scanner scan{text, size};
    image::slice last;
    for (image::ptx_item item = scan.next(); item != image::ptx_item::end; item = scan.next()) {
        if (item == image::ptx_item::entry) {
            const image::ptx_entry& e = scan.entry();
            FUZZ_CHECK(!e.name.empty() && inside(e.name) && inside(e.parameters) && e.offset <= size);
            last = e.name;
            image::ptx_parameters walk{e.parameters};
            image::ptx_parameter p;
            std::uint64_t end = 0;
            while (walk.next(p)) {
                FUZZ_CHECK(inside(p.name) && p.offset >= end);
                end = std::uint64_t{p.offset} + p.size;
            }
            FUZZ_CHECK(walk.error().offset <= e.parameters.size());
        } else if (item == image::ptx_item::variable)
            FUZZ_CHECK(inside(scan.variable().name));
        else
            FUZZ_CHECK(inside(scan.function().name));
    }
    FUZZ_CHECK(scan.error().offset <= size);
    if (!last.empty()) FUZZ_CHECK(image::find_entry(text, size, last).found);
    FUZZ_CHECK(!image::find_entry(text, size, "no such kernel"));

    image::part p;
    image::detail::summarize_ptx({text, size}, p);
    FUZZ_CHECK(p.readable || p.error);
    return 0;
}
