// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A program that links the host driver instead of compiling it, in two files, and executes PTX on it.

#include <hanabi/hanabi.hpp>
#include <hanabi/host/ptx.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

#if !defined(HANABI_HOST_SEPARATE)
#error "what links the component compiles without its definitions"
#endif

std::size_t launches_seen_by_the_other_file();

namespace {
inline constexpr hanabi::kernel<"m", "twice", void(int*)> twice;

constexpr std::string_view code = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 p) {
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    add.u32 %r2, %r2, %r2;
    st.global.u32 [%rd3], %r2;
    ret;
}
)";
} // namespace

int main() {
    try {
        const hanabi::context device = hanabi::context::host();
        const hanabi::registry modules = hanabi::registry::load(device, {{"m", code}});
        const hanabi::dispatcher run{modules};
        auto numbers = hanabi::buffer<int>::of(device, std::vector<int>{1, 2, 3});
        run(twice[hanabi::grid(1) | hanabi::block(3)](numbers));
        const std::vector<int> out = numbers.to_vector();
        return out == std::vector<int>{2, 4, 6} && launches_seen_by_the_other_file() == 1 && hanabi::host::ptx_instructions() != 0 ? 0 : 1;
    } catch (const hanabi::error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
