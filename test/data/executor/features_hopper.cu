// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What only newer devices have: clusters, barriers in memory, asynchronous copies, matrix instructions.
// features_hopper.ptx is this file compiled by
//   nvcc -std=c++17 -ptx -arch=compute_90

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_sum(const int* in, int* out) {
    __shared__ int part;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) part = 0;
    __syncthreads();
    atomicAdd(&part, in[blockIdx.x * blockDim.x + threadIdx.x]);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned r = 0; r < cluster.num_blocks(); ++r) sum += *cluster.map_shared_rank(&part, r);
        out[blockIdx.x / 4] = sum;
    }
    cluster.sync();
}

extern "C" __global__ void memory_barrier(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int values[128];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
        values[threadIdx.x] = threadIdx.x + round;
        bar.arrive_and_wait();
        sum += values[(threadIdx.x + 1) % 128];
        bar.arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void pipeline(const int4* in, int4* out) {
    __shared__ int4 stage[2][64];
    __pipeline_memcpy_async(&stage[0][threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    for (int i = 0; i < 4; ++i) {
        if (i < 3) __pipeline_memcpy_async(&stage[(i + 1) & 1][threadIdx.x], &in[(i + 1) * 64 + threadIdx.x], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[i * 64 + threadIdx.x] = stage[i & 1][63 - threadIdx.x];
        __syncthreads();
    }
}

extern "C" __global__ void wmma_product(const __half* a, const __half* b, float* c) { // 16 by 16
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 1.0f);
    load_matrix_sync(fa, a, 16);
    load_matrix_sync(fb, b, 16);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(c, fc, 16, mem_row_major);
}

extern "C" __global__ void mma_product(const __half* a, const __half* b, float* c) { // a: 16 by 16, b: 16 by 8, by rows
    __shared__ __align__(16) __half sa[256], sb[128];
    for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
    for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
    __syncwarp();
    unsigned ra[4], rb[2];
    const unsigned pa = (unsigned)__cvta_generic_to_shared(sa + (threadIdx.x % 16) * 16 + threadIdx.x / 16 * 8);
    const unsigned pb = (unsigned)__cvta_generic_to_shared(sb + (threadIdx.x % 16) * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
    float d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 2;
    c[row * 8 + column] = d[0];
    c[row * 8 + column + 1] = d[1];
    c[(row + 8) * 8 + column] = d[2];
    c[(row + 8) * 8 + column + 1] = d[3];
}

extern "C" __global__ void video(const unsigned* in, unsigned* out) {
    const unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
    unsigned* const o = out + 6 * threadIdx.x;
    o[0] = __vadd4(a, b);
    o[1] = __vabsdiffu4(a, b);
    o[2] = __vmaxs2(a, b);
    o[3] = __dp4a(a, b, 7u);
    o[4] = __vavgu4(a, b);
    o[5] = __vcmpgtu4(a, b);
}
