// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Algorithms with what devices from sm_80 and sm_90 on have, for test/ptx_algorithms.cpp; algorithms_hopper.ptx is this file
// compiled by
//   nvcc -std=c++17 -ptx -arch=compute_90

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <mma.h>

#include <cstdint>

#pragma nv_diag_suppress static_var_with_dynamic_init // barriers in shared memory: what init() is for

namespace cg = cooperative_groups;

typedef std::uint32_t u32;
typedef std::uint64_t u64;

#define KERNEL extern "C" __global__ void

// ---- Clusters ---------------------------------------------------------------------------------------------------------

/// A histogram of 1024 bins over the shared memory of a cluster of four blocks, 256 bins each.
KERNEL __cluster_dims__(4, 1, 1) cluster_histogram(const int* in, u32* bins, int n) {
    __shared__ u32 mine[256];
    const cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        u32* const there = cluster.map_shared_rank(mine, in[i] / 256);
        atomicAdd(there + in[i] % 256, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(bins + cluster.block_rank() * 256 + i, mine[i]);
}

KERNEL cluster_rotation(const int* in, int* out) { // each block hands its part to the next of its cluster, all the way round
    __shared__ int part[64];
    const cg::cluster_group cluster = cg::this_cluster();
    int v = in[blockIdx.x * 64 + threadIdx.x];
    for (unsigned step = 0; step < cluster.num_blocks(); ++step) {
        *cluster.map_shared_rank(part + threadIdx.x, (cluster.block_rank() + 1) % cluster.num_blocks()) = v + (int)cluster.block_rank();
        cluster.barrier_wait(cluster.barrier_arrive());
        v = part[threadIdx.x];
        cluster.sync();
    }
    out[blockIdx.x * 64 + threadIdx.x] = v;
}

// ---- Barriers in memory, asynchronous copies --------------------------------------------------------------------------

KERNEL product_pipelined(const float* a, const float* b, float* c, int n) { // 16 by 16 threads; the next tiles come meanwhile
    __shared__ __align__(16) float ta[2][16][16], tb[2][16][16];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    const auto fetch = [&](int t) {
        pipe.producer_acquire();
        if (t < n) {
            cuda::memcpy_async(&ta[t / 16 % 2][threadIdx.y][threadIdx.x], a + row * n + t + threadIdx.x, sizeof(float), pipe);
            if (threadIdx.x % 4 == 0)
                cuda::memcpy_async(&tb[t / 16 % 2][threadIdx.y][threadIdx.x], b + (t + threadIdx.y) * n + column,
                                   cuda::aligned_size_t<16>(16), pipe);
        }
        pipe.producer_commit();
    };
    float sum = 0;
    fetch(0);
    for (int t = 0; t < n; t += 16) {
        fetch(t + 16);
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum = __fmaf_rn(ta[t / 16 % 2][threadIdx.y][k], tb[t / 16 % 2][k][threadIdx.x], sum);
        __syncthreads();
        pipe.consumer_release();
    }
    c[row * n + column] = sum;
}

KERNEL moving_average(const int* in, int* out, int tiles) { // warps of producers and consumers; three stages
    constexpr int stages = 3;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ int room[stages][64];
    const cg::thread_block block = cg::this_thread_block();
    const bool producer = threadIdx.x < 64;
    cuda::pipeline<cuda::thread_scope_block> pipe =
        cuda::make_pipeline(block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (producer)
        for (int t = 0; t < tiles; ++t) {
            pipe.producer_acquire();
            cuda::memcpy_async(&room[t % stages][threadIdx.x], in + t * 64 + threadIdx.x, sizeof(int), pipe);
            pipe.producer_commit();
        }
    else
        for (int t = 0; t < tiles; ++t) {
            const int i = threadIdx.x - 64;
            pipe.consumer_wait();
            out[t * 64 + i] = (room[t % stages][i] + room[t % stages][(i + 1) % 64] + room[t % stages][(i + 2) % 64]) / 3;
            pipe.consumer_release();
        }
}

KERNEL bulk_reverse(const int* in, int* out, int tiles) { // 512 bytes at a time, by a barrier that counts bytes
    __shared__ __align__(128) int room[2][128];
    __shared__ cuda::barrier<cuda::thread_scope_block> full[2];
    const cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x < 2) init(full + threadIdx.x, blockDim.x);
    block.sync();
    const auto fetch = [&](int t) { cuda::memcpy_async(block, room[t % 2], in + t * 128, cuda::aligned_size_t<16>(512), full[t % 2]); };
    fetch(0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) fetch(t + 1);
        full[t % 2].arrive_and_wait();
        out[t * 128 + threadIdx.x] = room[t % 2][127 - threadIdx.x];
        block.sync();
    }
}

KERNEL split_barrier(const int* in, int* out) { // a barrier in memory that threads drop out of
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[96];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    for (int active = 96; active > 3; active /= 2) {
        auto token = bar.arrive();
        bar.wait(std::move(token));
        const int v = threadIdx.x < active / 2 ? s[threadIdx.x] + s[threadIdx.x + active / 2] : 0;
        bar.arrive_and_wait();
        if (threadIdx.x >= active / 2) {
            bar.arrive_and_drop();
            return;
        }
        s[threadIdx.x] = v;
    }
    bar.arrive_and_wait();
    if (threadIdx.x == 0) *out = s[0] + s[1] + s[2];
}

// ---- Cooperative groups -----------------------------------------------------------------------------------------------

template <unsigned Size>
__device__ u32 tile_of(const cg::thread_block& block, int v) {
    const cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
    u32 h = (u32)cg::reduce(tile, v, cg::plus<int>());
    h = h * 31 + (u32)cg::reduce(tile, v, cg::greater<int>());
    h = h * 31 + cg::reduce(tile, (u32)v, cg::bit_xor<u32>());
    h = h * 31 + (u32)cg::inclusive_scan(tile, v);
    h = h * 31 + (u32)cg::exclusive_scan(tile, v, cg::plus<int>());
    h = h * 31 + (u32)tile.shfl(v, Size / 2);
    return h * 31 + tile.thread_rank() + tile.meta_group_rank() * 1000;
}
KERNEL tiles(const int* in, u32* out) { // of all sizes; 256 threads
    const cg::thread_block block = cg::this_thread_block();
    const int v = in[threadIdx.x];
    u32* const o = out + 9 * threadIdx.x;
    o[0] = tile_of<1>(block, v);
    o[1] = tile_of<2>(block, v);
    o[2] = tile_of<4>(block, v);
    o[3] = tile_of<8>(block, v);
    o[4] = tile_of<16>(block, v);
    o[5] = tile_of<32>(block, v);
    o[6] = tile_of<64>(block, v);
    o[7] = tile_of<128>(block, v);
    o[8] = tile_of<256>(block, v);
}

KERNEL partitions(const int* in, int* sums, int* ranks, int* counts) { // by label; by a predicate
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int v = in[threadIdx.x];
    const cg::coalesced_group alike = cg::labeled_partition(warp, v % 5);
    sums[threadIdx.x] = cg::reduce(alike, v, cg::plus<int>());
    ranks[threadIdx.x] = (int)(alike.thread_rank() * 100 + alike.num_threads());
    const cg::coalesced_group half = cg::binary_partition(warp, v % 2 != 0);
    const int before = cg::exclusive_scan(half, v % 2 != 0 ? v : 1);
    sums[threadIdx.x] += before;
    cg::invoke_one(half, [&] { atomicAdd(counts + (v % 2 != 0), (int)half.size()); });
}

// ---- Matrix products --------------------------------------------------------------------------------------------------

KERNEL product_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) { // 16 by 16, both by rows
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.0f);
    load_matrix_sync(fa, a, 16);
    load_matrix_sync(fb, b, 16);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(c, fc, 16, mem_row_major);
}
KERNEL product_tf32(const float* a, const float* b, float* c) { // 16 by 8, 8 by 16 by columns
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> fa;
    fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> fb;
    fragment<accumulator, 16, 16, 8, float> fc;
    load_matrix_sync(fa, a, 8);
    load_matrix_sync(fb, b, 8);
    load_matrix_sync(fc, c, 16, mem_col_major);
    for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = __float_to_tf32(fa.x[i]);
    for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = __float_to_tf32(fb.x[i]);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(c, fc, 16, mem_col_major);
}
KERNEL product_f64(const double* a, const double* b, double* c, int n) { // n by n by rows; a warp a tile of 8 by 8
    using namespace nvcuda::wmma;
    fragment<matrix_a, 8, 8, 4, double, row_major> fa;
    fragment<matrix_b, 8, 8, 4, double, row_major> fb;
    fragment<accumulator, 8, 8, 4, double> fc;
    fill_fragment(fc, 0.0);
    for (int k = 0; k < n; k += 4) {
        load_matrix_sync(fa, a + blockIdx.y * 8 * n + k, n);
        load_matrix_sync(fb, b + k * n + blockIdx.x * 8, n);
        mma_sync(fc, fa, fb, fc);
    }
    store_matrix_sync(c + blockIdx.y * 8 * n + blockIdx.x * 8, fc, n, mem_row_major);
}
KERNEL transpose_registers(const u32* in, u32* out) { // an 8 by 8 matrix of 16-bit elements; then products of bits
    u32 v = in[threadIdx.x];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(v));
    out[threadIdx.x] = v;
}

// ---- The rest ---------------------------------------------------------------------------------------------------------

KERNEL bfloat_polynomial(const __nv_bfloat162* x, __nv_bfloat162* out) { // ((x + 0.5) x - 1) x + 0.25
    const __nv_bfloat162 v = x[threadIdx.x];
    __nv_bfloat162 p = __hadd2(v, __float2bfloat162_rn(0.5f));
    p = __hfma2(p, v, __float2bfloat162_rn(-1.0f));
    out[2 * threadIdx.x] = __hfma2(p, v, __float2bfloat162_rn(0.25f));
    out[2 * threadIdx.x + 1] = __hmul2(__hmax2(p, v), __habs2(v));
}

KERNEL reduce_redux(const int* in, int* out) { // one instruction a warp
    const int v = in[threadIdx.x];
    int* const o = out + threadIdx.x / 32 * 6;
    const int add = __reduce_add_sync(0xffffffff, v), low = __reduce_min_sync(0xffffffff, v), high = __reduce_max_sync(0xffffffff, v);
    const u32 all = __reduce_and_sync(0xffffffff, (u32)v), any = __reduce_or_sync(0xffffffff, (u32)v),
              odd = __reduce_xor_sync(0xffffffff, (u32)v);
    if (threadIdx.x % 32 == 0) {
        o[0] = add;
        o[1] = low;
        o[2] = high;
        o[3] = (int)all;
        o[4] = (int)any;
        o[5] = (int)odd;
    }
}

KERNEL reference_counts(int* counts, float* sums, u64* wide, unsigned char* bytes, int* order) { // cuda::atomic_ref, in scopes and orders
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> first(counts[0]);
    cuda::atomic_ref<int, cuda::thread_scope_block> second(counts[1 + blockIdx.x]);
    cuda::atomic_ref<float, cuda::thread_scope_device> sum(sums[0]);
    cuda::atomic_ref<float, cuda::thread_scope_system> largest(sums[1]);
    cuda::atomic_ref<u64, cuda::thread_scope_system> mask(wide[0]);
    cuda::atomic_ref<unsigned char, cuda::thread_scope_device> byte(bytes[i % 7]);
    first.fetch_add(2, cuda::std::memory_order_relaxed);
    second.fetch_max(i, cuda::std::memory_order_acq_rel);
    sum.fetch_add(0.5f);
    largest.fetch_max((float)(i % 37));
    mask.fetch_xor((u64)i << 8, cuda::std::memory_order_release);
    byte.fetch_add(3, cuda::std::memory_order_acquire);
    int seen = first.load(cuda::std::memory_order_acquire);
    while (!first.compare_exchange_weak(seen, seen + 1, cuda::std::memory_order_acq_rel)) {
    }
    if (threadIdx.x == 0) { // the blocks in order, by release and acquire
        cuda::atomic_ref<int, cuda::thread_scope_device> turn(order[0]);
        while (turn.load(cuda::std::memory_order_acquire) != (int)blockIdx.x) {
        }
        order[1 + blockIdx.x] = blockIdx.x == 0 ? 1 : 3 * order[blockIdx.x] + 1;
        turn.store((int)blockIdx.x + 1, cuda::std::memory_order_release);
    }
    cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_device);
}
