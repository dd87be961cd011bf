// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Compares each embedded module with its file; the files come as arguments, their stems are the names of the modules.

#include <hanabi_modules/fallback.hpp>
#include <hanabi_modules/prebuilt.hpp>
#if !defined(HANABI_TEST_B2)
#include <hanabi_modules/spelt_out.hpp>
#endif
#if defined(HANABI_TEST_NVCC)
#include <hanabi_modules/cubin.hpp>
#include <hanabi_modules/fat.hpp>
#include <hanabi_modules/linked.hpp>
#endif

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#if !defined(HANABI_TEST_B2) // two shared objects with modules of one name are made by CMake alone
std::span<const std::byte> first();
std::span<const std::byte> second();
#endif

namespace {

int faults = 0;

void check(bool good, const char* what, const char* file) {
    if (good) return;
    std::printf("%s: %s\n", file, what);
    ++faults;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::pair<std::string, std::span<const std::byte>>> modules {
        {"fallback", hanabi_modules::fallback}, {"prebuilt", hanabi_modules::prebuilt},
#if defined(HANABI_TEST_NVCC)
            {"cubin", hanabi_modules::cubin}, {"fat", hanabi_modules::fat}, {"linked", hanabi_modules::linked},
#endif
#if !defined(HANABI_TEST_B2)
            {"prebuilt", hanabi_modules::spelt_out},
#endif
    };
    std::size_t compared = 0;
    for (const auto& [name, bytes] : modules) {
        for (int i = 1; i < argc; ++i) {
            const std::filesystem::path path{argv[i]};
            if (path.stem() != name) continue;
            std::ifstream file{path, std::ios::binary};
            const std::string kept{std::istreambuf_iterator<char>{file}, {}};
            check(!kept.empty(), "can't be read", argv[i]);
            check(bytes.size() == kept.size() && std::memcmp(bytes.data(), kept.data(), kept.size()) == 0, "the embedded bytes differ",
                  argv[i]);
            check(bytes.data()[bytes.size()] == std::byte{0}, "no NUL after the bytes", argv[i]);
            check(reinterpret_cast<std::uintptr_t>(bytes.data()) % 64 == 0, "not aligned", argv[i]);
            ++compared;
            break;
        }
    }
    check(compared == modules.size(), "modules without a file among the arguments", argv[0]);
#if !defined(HANABI_TEST_B2)
    check(first().size() != second().size(), "two shared objects share one module", "same");
#endif
    std::printf("%zu modules compared, %d faults\n", compared, faults);
    return faults == 0 ? 0 : 1;
}
