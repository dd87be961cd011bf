// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Any bytes as PTX text for the host driver's executor: read and decoded, not run.

#include <hanabi/host/ptx/reader.hpp>

#include "check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    hanabi::host::ptx::program decoded;
    hanabi::host::ptx::reader{text.data(), text.data() + size, decoded}.read();
    FUZZ_CHECK(decoded.error.empty() || decoded.error_line != 0);
    if (!decoded.error.empty()) return 0;
    for (const hanabi::host::ptx::function& f : decoded.functions) FUZZ_CHECK(f.entry <= f.end && f.end <= decoded.code.size());
    return 0;
}
