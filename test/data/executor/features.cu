// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What test/ptx_run.cpp executes; features_<target>.ptx is this file compiled by
//   nvcc -std=c++17 -ptx -arch=compute_<target> -lineinfo

#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

__device__ int table[4] = {1, 2, 3, 4};
__device__ int* second = table + 1;
__constant__ float factors[2] = {0.5f, 2.0f};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int plus_one(int a) { return a + 1; }
__device__ __noinline__ int twice(int a) { return 2 * a; }
typedef int (*function)(int);
__device__ function functions[2] = {plus_one, twice};

extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 10) + *second; }
extern "C" __global__ void indirect(int* out) { out[threadIdx.x] = functions[threadIdx.x & 1](threadIdx.x); }
extern "C" __global__ void constants(float* out) { out[threadIdx.x] = factors[threadIdx.x & 1]; }

extern "C" __global__ void print(int n) {
    if (threadIdx.x < n) printf("thread %d of %u: %.2f %s %lld\n", (int)threadIdx.x, blockDim.x, 1.5 * threadIdx.x, "text", 1ll << 40);
}

extern "C" __global__ void heap(int* out) {
    int* const mine = (int*)malloc(sizeof(int) * 8);
    for (int i = 0; i < 8; ++i) mine[i] = threadIdx.x + i;
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += mine[i];
    free(mine);
    out[threadIdx.x] = sum;
}

extern "C" __global__ void spin_lock(int* lock, int* count) { // within a warp: needs every lane to get on
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int*)count = *(volatile int*)count + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

extern "C" __global__ void warp_sums(const int* in, int* out) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
    const unsigned odd = __ballot_sync(0xffffffff, threadIdx.x & 1);
    if (threadIdx.x == 0 && odd != 0xaaaaaaaa) out[0] = -1;
    const unsigned same = __match_any_sync(0xffffffff, threadIdx.x % 4);
    if (__popc(same) != 8) out[0] = -2;
}

extern "C" __global__ void divergent_shuffle(int* out) { // the lanes come to the shuffle by different ways
    int v = threadIdx.x;
    if (threadIdx.x % 3 == 0)
        for (int i = 0; i < threadIdx.x; ++i) v += i;
    else if (threadIdx.x % 3 == 1)
        v *= 7;
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, v, 1);
}

extern "C" __global__ void block_scan(int* data) {
    __shared__ int buffer[2][256];
    int from = 0;
    buffer[0][threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        buffer[1 - from][threadIdx.x] = buffer[from][threadIdx.x] + (threadIdx.x >= d ? buffer[from][threadIdx.x - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    data[blockIdx.x * 256 + threadIdx.x] = buffer[from][threadIdx.x];
    const int even = __syncthreads_count(threadIdx.x % 2 == 0);
    if (even != 128) data[0] = -1;
}

extern "C" __global__ void grid_sum(int* p, int n) {
    cg::grid_group grid = cg::this_grid();
    p[grid.thread_rank()] = (int)grid.thread_rank();
    grid.sync();
    if (grid.thread_rank() == 0) {
        int sum = 0;
        for (int i = 0; i < n; ++i) sum += p[i];
        p[n] = sum;
    }
}

extern "C" __global__ void matrix_product(const float* a, const float* b, float* c, int n) {
    __shared__ float ta[16][16], tb[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void halves(const float* in, float* out) {
    const __half h = __float2half(in[threadIdx.x]);
    const __half2 p = __halves2half2(h, __hmul(h, h));
    const float2 f = __half22float2(__hadd2(p, p));
    out[2 * threadIdx.x] = f.x;
    out[2 * threadIdx.x + 1] = f.y;
}

extern "C" __global__ void functions_of(const float* in, float* out) {
    const float x = in[threadIdx.x];
    float* const o = out + 8 * threadIdx.x;
    o[0] = sinf(x);
    o[1] = expf(x);
    o[2] = logf(fabsf(x) + 1);
    o[3] = sqrtf(fabsf(x));
    o[4] = x / 3.0f;
    o[5] = powf(fabsf(x), 1.5f);
    o[6] = (float)tanh((double)x);
    o[7] = rsqrtf(fabsf(x) + 1);
}

struct padded {
    char c;
    double d;
    short s[3];
};
extern "C" __global__ void by_value(padded p, double* out, long long k) {
    out[threadIdx.x] = p.c + p.d + p.s[threadIdx.x % 3] + (double)(k % 7);
}

extern "C" __global__ void switches(const int* in, int* out) {
    int v = in[threadIdx.x];
    switch (v) {
    case 0: v = 11; break;
    case 1: v = v * 5 + 2; break;
    case 2: v = v - 30; break;
    case 3: v = v << 7; break;
    case 4: v = ~v; break;
    case 5: v = v / 3; break;
    case 6: v = v % 4; break;
    default: v = 1000; break;
    }
    out[threadIdx.x] = v;
}

extern "C" __global__ void out_of_bounds(int* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) p[i] = i; // one too far
}
