// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A kernel for the tests of hanabi_add_module.

#include "factor.cuh"

extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= FACTOR; }
