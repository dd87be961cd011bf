// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Kernels that have a mistake, or are easily used with one, for example/kernel_faults.cpp. On a GPU most of it works most of the time.

#include <cstdio>

// tag::ramp[]
extern "C" __global__ void ramp(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = i; // one too many
}
// end::ramp[]

// Waits for a flag that nobody sets.
extern "C" __global__ void wait_for(const volatile int* flag) {
    while (*flag == 0) {
    }
}

// tag::reverse[]
// Turns 64 numbers round.
extern "C" __global__ void reverse(int* data) {
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    // __syncthreads() is missing here
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
// end::reverse[]

// The first `n` threads wait for all at a barrier; so do the others, but at another one.
extern "C" __global__ void part_ways(int* out, int n) {
    if (static_cast<int>(threadIdx.x) < n) {
        out[threadIdx.x] = 1;
        __syncthreads();
    } else {
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}

// Tells each number that is negative, and goes on.
extern "C" __global__ void tell_negative(const int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] < 0) printf("values[%d] is %d\n", i, values[i]);
}

// tag::count[]
// Adds to `*count`.
extern "C" __global__ void count_positive(const int* values, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] > 0) atomicAdd(count, 1);
}
// end::count[]
