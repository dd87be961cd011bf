// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Any bytes as an image of any kind: what it is, what is in it (decompressed by the real libraries), and what is embedded in
/// it. Bytes that don't begin as a fatbin are also given such a beginning.

#include <hanabi/image/decompress.hpp>
#include <hanabi/image/embedded.hpp>
#include <hanabi/image/explain.hpp>

#include "check.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace image = hanabi::image;

namespace {

/// As the real one, but for what would only cost memory.
bool small_only(image::compression packing, std::span<const unsigned char> in, unsigned char* out, std::size_t size) {
    return size < (std::size_t{1} << 22) && image::decompress(packing, in, out, size);
}

void read(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(data), size};
    const image::classification c = image::classify(bytes);
    FUZZ_CHECK(c.offset <= size && c.text_begin <= size && c.text_end <= size);
    FUZZ_CHECK(!image::describe(c).empty() && !image::explain(bytes).empty());

    const image::summary s = image::summarize(bytes, &small_only);
    FUZZ_CHECK(!s.error || !s.complete);
    for (const image::kernel_summary& k : s.kernels) FUZZ_CHECK(k.parameters_known || k.parameters.empty());

    image::fatbin_scanner walk{image::bytes{data, size}};
    image::fatbin_entry e;
    while (walk.next(e)) FUZZ_CHECK(e.offset + 64 <= size && e.payload.size() <= size);

    image::embedded_scanner scan{image::bytes{data, size}};
    image::embedded_image inside;
    std::size_t end = 0;
    while (scan.next(inside)) {
        FUZZ_CHECK(inside.offset >= end && inside.image.size() != 0 && inside.offset + inside.image.size() <= size);
        end = inside.offset + inside.image.size();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read(data, size);
    if (size >= 16 && std::memcmp(data, "\x50\xed\x55\xba", 4) != 0) {
        std::vector<std::uint8_t> room(data, data + size);
        const std::uint64_t payload = size - 16;
        std::memcpy(room.data(), "\x50\xed\x55\xba\1\0\x10\0", 8);
        std::memcpy(room.data() + 8, &payload, 8);
        read(room.data(), room.size());
    }
    return 0;
}
