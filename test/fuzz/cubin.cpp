// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Any bytes as a cubin: sections, symbols, kernels, parameters, variables and the summary. Bytes that don't begin as an ELF
/// file of the right machine are given such a beginning, so that the rest is looked at.

#include <hanabi/image/kernels.hpp>

#include "check.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace image = hanabi::image;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> room(data, data + size);
    if (size >= 64) {
        std::memcpy(room.data(),
                    "\x7f"
                    "ELF\2\1\1",
                    7);
        room[18] = 190;
        room[19] = 0;
        room[58] = 64;
        room[59] = 0;
    }
    const image::bytes all{room.data(), room.size()};
    const image::cubin_view cubin{all};
    if (!cubin.error()) {
        const image::elf_view& elf = cubin.elf();
        FUZZ_CHECK(std::uint64_t{elf.sections()} * 64 <= size && std::uint64_t{elf.symbols()} * 24 <= size);
        static_cast<void>(cubin.target());
        std::size_t looked_up = 0;
        for (std::uint32_t i = 1; i < cubin.symbols() && i < 4096; ++i) { // the first is reserved
            image::cubin_variable v;
            if (cubin.variable(i, v)) FUZZ_CHECK(v.name.size() <= size);
            if (!cubin.is_kernel(i)) continue;
            const std::uint32_t text = elf.symbol(i).section;
            const image::cubin_kernel k = cubin.kernel(i, cubin.info_of(text), cubin.shared_of(text), 90);
            image::parameter_layout p;
            for (std::uint32_t n = 0; k.parameters_known && n < k.parameter_count && n < 64; ++n)
                if (cubin.parameter(k, n, p)) FUZZ_CHECK(std::uint64_t{p.offset} + p.size <= k.parameter_bytes);
            if (++looked_up < 4 && !k.name.empty()) {
                image::cubin_kernel found;
                FUZZ_CHECK(cubin.find(k.name.text(), found));
            }
        }
    }
    image::part p;
    image::detail::summarize_cubin(all, p);
    FUZZ_CHECK(p.readable || p.error);
    for (const image::kernel_summary& k : p.kernels) FUZZ_CHECK(k.parameters_known || k.parameters.empty());
    FUZZ_CHECK(image::elf_view::extent_of(all) >= 64);
    return 0;
}
