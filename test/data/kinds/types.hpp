// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The types of kinds.cu, for the host as well.

#ifndef HANABI_TEST_KINDS_TYPES_HPP
#define HANABI_TEST_KINDS_TYPES_HPP

struct P {
    char c;
    double d;
    short s;
};
struct alignas(64) T {
    char b[128];
};
struct Huge {
    char b[8000];
};
#if !defined(__CUDACC__)
struct float4; // CUDA's own
#endif

#endif
