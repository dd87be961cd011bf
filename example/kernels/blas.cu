// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Vector kernels: C linkage, C++ linkage, and a reduction in static shared memory.

extern "C" __global__ void axpy(float alpha, const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += alpha * x[i];
}

namespace la {
__global__ void scal(float alpha, float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= alpha;
}
} // namespace la

// The sum of each block's 256 elements. Blocks have exactly 256 threads.
extern "C" __global__ void __launch_bounds__(256) sum_blocks(const float* x, double* partial, unsigned n) {
    __shared__ double part[256];
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0.0;
    __syncthreads();
    for (unsigned s = 128; s != 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = part[0];
}
