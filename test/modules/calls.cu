// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One of two sources of one module.

extern __device__ float twice(float x);
extern "C" __global__ void calls(float* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
