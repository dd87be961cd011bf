// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Kernels whose order shows in what they compute. Part of the test support, not of the library.

#ifndef HANABI_TEST_SUPPORT_GRAPH_KERNELS_HPP
#define HANABI_TEST_SUPPORT_GRAPH_KERNELS_HPP

/// put: p[i] = v. fold: p[i] = p[i] * 3 + v, so that the order of two shows. sum: *out = *a + *b.
inline constexpr char graph_ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry put(.param .u64 p, .param .u32 i, .param .u32 v) {
    .reg .u64 %a; .reg .u64 %o; .reg .u32 %i; .reg .u32 %v;
    ld.param.u64 %a, [p]; ld.param.u32 %i, [i]; ld.param.u32 %v, [v];
    cvta.to.global.u64 %a, %a; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
    st.global.u32 [%a], %v;
    ret;
}
.visible .entry fold(.param .u64 p, .param .u32 i, .param .u32 v) {
    .reg .u64 %a; .reg .u64 %o; .reg .u32 %i; .reg .u32 %v; .reg .u32 %x;
    ld.param.u64 %a, [p]; ld.param.u32 %i, [i]; ld.param.u32 %v, [v];
    cvta.to.global.u64 %a, %a; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
    ld.global.u32 %x, [%a]; mad.lo.u32 %x, %x, 3, %v; st.global.u32 [%a], %x;
    ret;
}
.visible .entry sum(.param .u64 out, .param .u64 a, .param .u64 b) {
    .reg .u64 %p; .reg .u32 %x; .reg .u32 %y;
    ld.param.u64 %p, [a]; cvta.to.global.u64 %p, %p; ld.global.u32 %x, [%p];
    ld.param.u64 %p, [b]; cvta.to.global.u64 %p, %p; ld.global.u32 %y, [%p];
    ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p; add.u32 %x, %x, %y; st.global.u32 [%p], %x;
    ret;
}
)";

#endif
