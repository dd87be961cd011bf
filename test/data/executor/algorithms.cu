// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Algorithms as CUDA programs have them, for test/ptx_algorithms.cpp; algorithms_75.ptx is this file compiled by
//   nvcc -std=c++17 -ptx -arch=compute_75
// Where results are compared bit for bit, operations that a compiler could contract are written out (__fmaf_rn and the like).

#include <cooperative_groups.h>
#include <cub/block/block_radix_sort.cuh>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

typedef std::uint32_t u32;
typedef std::uint64_t u64;

#define KERNEL extern "C" __global__ void

// ---- Reductions -------------------------------------------------------------------------------------------------------

KERNEL reduce_interleaved(const int* in, int* out, int n) { // divergent on purpose
    __shared__ int part[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (threadIdx.x % (2 * d) == 0) part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

/// The sum of a block of 256 in thread 0: by warps, then of the warps.
__device__ float block_sum(float v) {
    __shared__ float of_warp[8];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < 8 ? of_warp[threadIdx.x] : 0.0f;
    return threadIdx.x < 32 ? warp_sum(v) : 0.0f;
}

KERNEL reduce_shuffle(const float* in, float* out) {
    const float sum = block_sum(in[blockIdx.x * 256 + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__device__ u32 blocks_done = 0;

KERNEL reduce_last_block(const float* in, volatile float* part, float* out) { // gridDim.x up to 256
    __shared__ bool last;
    const float sum = block_sum(in[blockIdx.x * 256 + threadIdx.x]);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    const float all = block_sum(threadIdx.x < gridDim.x ? part[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) *out = all;
}

KERNEL reduce_grid(const int* in, long long* part, int n) { // cooperative, up to 8 warps a block; part[0] is the result
    __shared__ long long sums[8];
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    long long sum = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) sum += in[i];
    for (int d = warp.size() / 2; d > 0; d /= 2) sum += warp.shfl_xor(sum, d);
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
        for (unsigned w = 1; w < warp.meta_group_size(); ++w) sums[0] += sums[w];
        part[blockIdx.x] = sums[0];
    }
    grid.sync();
    if (grid.thread_rank() == 0)
        for (int b = 1; b < gridDim.x; ++b) part[0] += part[b];
}

// ---- Scans ------------------------------------------------------------------------------------------------------------

__device__ int padded(int i) { return i + i / 32; } // no bank twice

KERNEL scan_blelloch(const u32* in, u32* out) { // exclusive, of 512 elements by 256 threads
    __shared__ u32 tree[512 + 16];
    const int t = threadIdx.x, base = blockIdx.x * 512;
    tree[padded(t)] = in[base + t];
    tree[padded(t + 256)] = in[base + t + 256];
    int d = 1;
    for (int active = 256; active > 0; active /= 2, d *= 2) {
        __syncthreads();
        if (t < active) tree[padded(d * (2 * t + 2) - 1)] += tree[padded(d * (2 * t + 1) - 1)];
    }
    if (t == 0) tree[padded(511)] = 0;
    for (int active = 1; active <= 256; active *= 2) {
        d /= 2;
        __syncthreads();
        if (t < active) {
            u32& left = tree[padded(d * (2 * t + 1) - 1)];
            u32& right = tree[padded(d * (2 * t + 2) - 1)];
            const u32 kept = left;
            left = right;
            right += kept;
        }
    }
    __syncthreads();
    out[base + t] = tree[padded(t)];
    out[base + t + 256] = tree[padded(t + 256)];
}

__device__ u32 warp_scan(u32 v) {
    for (int d = 1; d < 32; d *= 2) {
        const u32 below = __shfl_up_sync(0xffffffff, v, d);
        if (threadIdx.x % 32 >= d) v += below;
    }
    return v;
}

/// Inclusive, over a block of 128.
__device__ u32 block_scan(u32 v) {
    __shared__ u32 of_warp[4];
    v = warp_scan(v);
    if (threadIdx.x % 32 == 31) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; ++w) v += of_warp[w];
    return v;
}

/// One pass: each block publishes its sum, then the sum up to it, and looks back over the blocks before it. A tile's state:
/// 0 nothing, 1 its own sum, 2 all up to it; in the upper half of the word. `ticket` begins with 0, `tiles` with zeros.
KERNEL scan_lookback(const u32* in, u32* out, u32* ticket, u64* tiles) {
    __shared__ u32 number, before;
    if (threadIdx.x == 0) number = atomicAdd(ticket, 1);
    __syncthreads();
    const u32 at = number * 128 + threadIdx.x;
    const u32 sum = block_scan(in[at]);
    if (threadIdx.x == 127) {
        volatile u64* const states = tiles;
        states[number] = (u64)(number == 0 ? 2 : 1) << 32 | sum;
        u32 others = 0;
        for (int b = (int)number - 1; b >= 0; --b) {
            u64 state;
            do state = states[b];
            while (state >> 32 == 0);
            others += (u32)state;
            if (state >> 32 == 2) break;
        }
        if (number != 0) states[number] = (u64)2 << 32 | (u32)(others + sum);
        before = others;
    }
    __syncthreads();
    out[at] = before + sum;
}

// ---- Sorts ------------------------------------------------------------------------------------------------------------

KERNEL sort_bitonic(u32* keys) { // 512 a block of 256 threads, ascending
    __shared__ u32 k[512];
    u32* const mine = keys + blockIdx.x * 512;
    k[threadIdx.x] = mine[threadIdx.x];
    k[threadIdx.x + 256] = mine[threadIdx.x + 256];
    for (int size = 2; size <= 512; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
            const bool down = (low & size) != 0;
            const u32 a = k[low], b = k[high];
            if ((a > b) != down) {
                k[low] = b;
                k[high] = a;
            }
        }
    __syncthreads();
    mine[threadIdx.x] = k[threadIdx.x];
    mine[threadIdx.x + 256] = k[threadIdx.x + 256];
}

KERNEL sort_warp(int* keys) { // 32 a warp, by exchanges between lanes
    int k = keys[blockIdx.x * blockDim.x + threadIdx.x];
    for (int size = 2; size <= 32; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int other = __shfl_xor_sync(0xffffffff, k, stride);
            const bool lower = (threadIdx.x & stride) == 0, up = (threadIdx.x & size) == 0 || size == 32;
            k = lower == up ? min(k, other) : max(k, other);
        }
    keys[blockIdx.x * blockDim.x + threadIdx.x] = k;
}

KERNEL sort_radix(float* keys, int* values) { // 512 pairs a block of 128 threads
    typedef cub::BlockRadixSort<float, 128, 4, int> sorter;
    __shared__ typename sorter::TempStorage room;
    float k[4];
    int v[4];
    const int base = blockIdx.x * 512 + threadIdx.x * 4;
    for (int i = 0; i < 4; ++i) {
        k[i] = keys[base + i];
        v[i] = values[base + i];
    }
    sorter(room).Sort(k, v);
    for (int i = 0; i < 4; ++i) {
        keys[base + i] = k[i];
        values[base + i] = v[i];
    }
}

KERNEL merge_by_rank(const int* a, const int* b, int n, int* out) { // two sorted arrays; the first goes first among equals
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const auto below = [n](const int* of, int key, bool equal) {
        int low = 0, high = n;
        while (low < high) {
            const int mid = (low + high) / 2;
            if (of[mid] < key || (equal && of[mid] == key))
                low = mid + 1;
            else
                high = mid;
        }
        return low;
    };
    out[i + below(b, a[i], false)] = a[i];
    out[i + below(a, b[i], true)] = b[i];
}

__device__ void quicksort(int* first, int* last) { // recursive; local arrays
    while (last - first > 4) {
        const int pivot = first[(last - first) / 2];
        int *i = first, *j = last - 1;
        while (i <= j) {
            while (*i < pivot) ++i;
            while (*j > pivot) --j;
            if (i <= j) {
                const int kept = *i;
                *i++ = *j;
                *j-- = kept;
            }
        }
        if (j + 1 - first < last - i) {
            quicksort(first, j + 1);
            first = i;
        } else {
            quicksort(i, last);
            last = j + 1;
        }
    }
    for (int* i = first; i < last; ++i)
        for (int* j = i; j > first && j[-1] > *j; --j) {
            const int kept = *j;
            *j = j[-1];
            j[-1] = kept;
        }
}
KERNEL sort_recursive(int* keys) { // 48 a thread
    int mine[48];
    int* const all = keys + (blockIdx.x * blockDim.x + threadIdx.x) * 48;
    for (int i = 0; i < 48; ++i) mine[i] = all[i];
    quicksort(mine, mine + 48);
    for (int i = 0; i < 48; ++i) all[i] = mine[i];
}

// ---- Matrices ---------------------------------------------------------------------------------------------------------

KERNEL transpose(const double* in, double* out, int width, int height) { // blocks of 32 by 8
    __shared__ double tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j;
        if (x < width && y < height) tile[j][threadIdx.x] = in[y * width + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.x * 32 + j;
        if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][j];
    }
}

KERNEL product_tiled(const float* a, const float* b, float* c, int n) { // n by n; blocks of 16 by 16, two rows a thread
    __shared__ float ta[32][16], tb[16][17];
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum[2] = {0, 0};
    for (int t = 0; t < n; t += 16) {
        for (int r = 0; r < 2; ++r) {
            const int y = row + 16 * r;
            ta[threadIdx.y + 16 * r][threadIdx.x] = y < n && t + threadIdx.x < n ? a[y * n + t + threadIdx.x] : 0;
        }
        tb[threadIdx.y][threadIdx.x] = column < n && t + threadIdx.y < n ? b[(t + threadIdx.y) * n + column] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
            for (int r = 0; r < 2; ++r) sum[r] = __fmaf_rn(ta[threadIdx.y + 16 * r][k], tb[k][threadIdx.x], sum[r]);
        __syncthreads();
    }
    for (int r = 0; r < 2; ++r)
        if (row + 16 * r < n && column < n) c[(row + 16 * r) * n + column] = sum[r];
}

KERNEL product_sparse(const int* starts, const int* columns, const double* values, const double* x, double* y, int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32; // a warp a row
    if (row >= rows) return;
    double sum = 0;
    for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) sum = __fma_rn(values[i], __ldg(x + columns[i]), sum);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}

KERNEL product_wmma_f16(const __half* a, const __half* b, float* c, int n) { // a warp a tile of 16 by 16; by rows, by columns
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.0f);
    for (int k = 0; k < n; k += 16) {
        load_matrix_sync(fa, a + blockIdx.y * 16 * n + k, n);
        load_matrix_sync(fb, b + blockIdx.x * 16 * n + k, n);
        mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 0.5f;
    store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, mem_row_major);
}
KERNEL product_wmma_s8(const signed char* a, const signed char* b, int* c) { // 32 by 16, 16 by 8
    using namespace nvcuda::wmma;
    fragment<matrix_a, 32, 8, 16, signed char, row_major> fa;
    fragment<matrix_b, 32, 8, 16, signed char, row_major> fb;
    fragment<accumulator, 32, 8, 16, int> fc;
    load_matrix_sync(fa, a, 16);
    load_matrix_sync(fb, b, 8);
    load_matrix_sync(fc, c, 8, mem_row_major);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(c, fc, 8, mem_row_major);
}

KERNEL walsh_hadamard(int* data) { // 1024 a block of 256, four by each thread at a time
    __shared__ int s[1024];
    int* const mine = data + blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 256) s[i] = mine[i];
    for (int stride = 512; stride >= 1; stride /= 4) {
        __syncthreads();
        const int half = stride / 2, low = threadIdx.x & (half - 1), i = ((threadIdx.x - low) << 2) + low;
        const int a = s[i], b = s[i + half], c = s[i + stride], d = s[i + stride + half];
        s[i] = a + b + c + d;
        s[i + half] = a - b + c - d;
        s[i + stride] = a + b - c - d;
        s[i + stride + half] = a - b - c + d;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 256) mine[i] = s[i];
}

// ---- Histograms, atomics, locks ---------------------------------------------------------------------------------------

KERNEL histogram_shared(const uchar4* in, u32* bins, int n) { // n quadruples; a table a warp
    __shared__ u32 of_warp[4][256];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) of_warp[i / 256][i % 256] = 0;
    __syncthreads();
    u32* const mine = of_warp[threadIdx.x / 32];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const uchar4 v = in[i];
        atomicAdd(mine + v.x, 1);
        atomicAdd(mine + v.y, 1);
        atomicAdd(mine + v.z, 1);
        atomicAdd(mine + v.w, 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        const u32 sum = of_warp[0][i] + of_warp[1][i] + of_warp[2][i] + of_warp[3][i];
        if (sum != 0) atomicAdd(bins + i, sum);
    }
}

KERNEL histogram_by_match(const int* in, u64* bins, int n) { // lanes of equal value add once
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 active = __activemask();
    const u32 same = __match_any_sync(active, in[i]);
    if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd((unsigned long long*)bins + in[i], (unsigned long long)__popc(same));
}

struct counters { // what atomics_of_all_kinds ends in
    int add, sub, minimum, maximum, exchanged, swapped;
    u32 inc, dec, bits_and, bits_or, bits_xor;
    float sum;
    u64 wide_max, wide_min;
    unsigned long long wide_and, wide_or;
    long long wide_signed_max;
    double wide_sum, largest;
    __half2 halves;
    __half half;
    unsigned short small;
};
__device__ double atomic_max(double* to, double v) { // by a loop, as the manual shows for what is not there
    unsigned long long* const bits = (unsigned long long*)to;
    unsigned long long seen = *bits, assumed;
    do {
        assumed = seen;
        if (__longlong_as_double(assumed) >= v) break;
        seen = atomicCAS(bits, assumed, (unsigned long long)__double_as_longlong(v));
    } while (assumed != seen);
    return __longlong_as_double(seen);
}
KERNEL atomics_of_all_kinds(counters* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&c->add, i);
    atomicSub(&c->sub, i);
    atomicMin(&c->minimum, 1000 - i);
    atomicMax(&c->maximum, i * 3);
    atomicExch(&c->exchanged, i);
    if (atomicCAS(&c->swapped, -1, i) == -1) atomicAdd(&c->swapped, 1 << 20);
    atomicInc(&c->inc, 99);
    atomicDec(&c->dec, 77);
    atomicAnd(&c->bits_and, ~(1u << i % 20));
    atomicOr(&c->bits_or, 1u << i % 24);
    atomicXor(&c->bits_xor, (u32)i * 2654435761u);
    atomicAdd(&c->sum, 0.25f * (i % 8));
    atomicMax((unsigned long long*)&c->wide_max, (unsigned long long)i << 33);
    atomicMin((unsigned long long*)&c->wide_min, (1ull << 40) - i);
    atomicAnd(&c->wide_and, ~(1ull << i % 61));
    atomicOr(&c->wide_or, 1ull << i % 59);
    atomicMax(&c->wide_signed_max, (long long)i - 500);
    atomicAdd(&c->wide_sum, 0.5 * i);
    atomic_max(&c->largest, (i * 37 % 1001) * 0.125);
    atomicAdd(&c->halves, __floats2half2_rn(0.5f, i % 2 ? -1.0f : 1.0f));
    atomicAdd(&c->half, __float2half(i % 4 == 0 ? 0.25f : 0.0f));
    for (unsigned short seen = c->small, assumed = 0;;) {
        assumed = seen;
        seen = atomicCAS(&c->small, assumed, (unsigned short)(assumed + 7));
        if (seen == assumed) break;
    }
}

__device__ int lock_next, lock_serving;
__device__ __noinline__ int added(int* to, int n) { return atomicAdd(to, n); } // waiting goes in and out of a function
KERNEL ticket_lock(int* list, int* length) {                                   // every thread appends its number
    const int ticket = added(&lock_next, 1);
    while (added(&lock_serving, 0) != ticket) {
    }
    __threadfence();
    volatile int* const end = length;
    list[*end] = blockIdx.x * blockDim.x + threadIdx.x;
    *end = *end + 1;
    __threadfence();
    added(&lock_serving, 1);
}

KERNEL hash_insert(const u32* keys, int n, u64* table, u32 mask, u32* doubles) { // linear probing; key + 1 above, count below
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long* const slots = (unsigned long long*)table;
    for (u32 at = keys[i] * 2654435769u >> 7;; ++at) {
        const unsigned long long fresh = (u64)(keys[i] + 1) << 32 | 1;
        unsigned long long seen = atomicCAS(slots + (at & mask), 0ull, fresh);
        if (seen == 0) return;
        if (seen >> 32 == keys[i] + 1) {
            atomicAdd(slots + (at & mask), 1ull);
            atomicAdd(doubles, 1);
            return;
        }
    }
}

KERNEL filter_aggregated(const int* in, int n, int* out, int* count) { // one atomic a group of lanes
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || in[i] % 3 != 0) return;
    const cg::coalesced_group group = cg::coalesced_threads();
    int at = 0;
    if (group.thread_rank() == 0) at = atomicAdd(count, (int)group.size());
    out[group.shfl(at, 0) + group.thread_rank()] = in[i];
}

// ---- Graphs -----------------------------------------------------------------------------------------------------------

KERNEL bfs_step(const int* starts, const int* edges, int* level, const int* frontier, int size, int* next, int* next_size, int depth) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= size) return;
    for (int i = starts[frontier[t]]; i < starts[frontier[t] + 1]; ++i)
        if (atomicCAS(level + edges[i], -1, depth) == -1) next[atomicAdd(next_size, 1)] = edges[i];
}

__device__ int root(volatile int* parent, int v) {
    while (parent[v] != v) v = parent[v];
    return v;
}
KERNEL connect(int* parent, const int2* edges, int n) { // union by the smaller number
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a = root(parent, edges[i].x), b = root(parent, edges[i].y);
    while (a != b) {
        const int low = min(a, b), high = max(a, b), seen = atomicMin(parent + high, low);
        if (seen == high) break;
        a = root(parent, seen);
        b = root(parent, low);
    }
}

// ---- Numbers ----------------------------------------------------------------------------------------------------------

KERNEL nbody(const float4* at, float4* acceleration, int n, float softening) {
    extern __shared__ float4 tile[];
    const float4 me = at[blockIdx.x * blockDim.x + threadIdx.x];
    float3 sum = {0, 0, 0};
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = at[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; ++j) {
            const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            const float s = tile[j].w * inverse * inverse * inverse;
            sum.x += dx * s;
            sum.y += dy * s;
            sum.z += dz * s;
        }
        __syncthreads();
    }
    acceleration[blockIdx.x * blockDim.x + threadIdx.x] = make_float4(sum.x, sum.y, sum.z, 0);
}

KERNEL heat(double* a, double* b, int width, int height, int steps) { // cooperative: a grid barrier a step
    const cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < steps; ++s) {
        for (int i = (int)grid.thread_rank(); i < width * height; i += (int)grid.size()) {
            const int x = i % width, y = i / width;
            if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
                b[i] = a[i];
            else
                b[i] = __fma_rn(0.2, __dadd_rn(__dadd_rn(a[i - 1], a[i + 1]), __dadd_rn(a[i - width], a[i + width])), 0.2 * a[i]);
        }
        grid.sync();
        double* const kept = a;
        a = b;
        b = kept;
    }
}

__device__ double dot_all(const cg::grid_group& grid, const double* x, const double* y, int n, double* result) {
    double sum = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) sum += x[i] * y[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
    grid.sync();
    return *(volatile double*)result;
}
/// Conjugate gradients for the matrix with 2.5 on its diagonal and -1 beside; `sums`: zeros, two a step and one more.
KERNEL conjugate_gradients(const double* right, double* x, double* r, double* p, double* q, double* sums, int n, int steps) {
    const cg::grid_group grid = cg::this_grid();
    const int first = (int)grid.thread_rank(), step = (int)grid.size();
    for (int i = first; i < n; i += step) {
        x[i] = 0;
        r[i] = p[i] = right[i];
    }
    grid.sync();
    double rr = dot_all(grid, r, r, n, sums);
    for (int s = 0; s < steps && rr > 1e-20; ++s) {
        for (int i = first; i < n; i += step) q[i] = 2.5 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
        grid.sync();
        const double alpha = rr / dot_all(grid, p, q, n, sums + 1 + 2 * s);
        for (int i = first; i < n; i += step) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        grid.sync();
        const double fresh = dot_all(grid, r, r, n, sums + 2 + 2 * s);
        for (int i = first; i < n; i += step) p[i] = r[i] + fresh / rr * p[i];
        rr = fresh;
        grid.sync();
    }
}

KERNEL mandelbrot(int* out, int width, int height, int most) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float re = __fmaf_rn((float)x, 3.0f / 64, -2.0f), im = __fmaf_rn((float)y, 2.0f / 32, -1.0f);
    float a = 0, b = 0;
    int n = 0;
    for (; n < most && __fmaf_rn(a, a, __fmul_rn(b, b)) <= 4.0f; ++n) {
        const float next = __fadd_rn(__fmaf_rn(a, a, -__fmul_rn(b, b)), re);
        b = __fmaf_rn(2 * a, b, im);
        a = next;
    }
    out[y * width + x] = n;
}

KERNEL fourier(float2* data) { // 256 points by 128 threads
    __shared__ float2 s[256];
    for (int i = threadIdx.x; i < 256; i += 128) s[__brev(i) >> 24] = data[blockIdx.x * 256 + i];
    for (int half = 1; half < 256; half *= 2) {
        __syncthreads();
        const int j = threadIdx.x & (half - 1), i = 2 * threadIdx.x - j;
        float si, co;
        sincospif(-(float)j / half, &si, &co);
        const float2 a = s[i], b = s[i + half];
        const float2 w = make_float2(b.x * co - b.y * si, b.x * si + b.y * co);
        s[i] = make_float2(a.x + w.x, a.y + w.y);
        s[i + half] = make_float2(a.x - w.x, a.y - w.y);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 128) data[blockIdx.x * 256 + i] = s[i];
}

__device__ float normal_cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
KERNEL option_prices(const float* spot, const float* strike, const float* years, float* call, int n) { // Black and Scholes
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float rate = 0.02f, volatility = 0.3f, root = sqrtf(years[i]);
    const float d1 = (__logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
    call[i] = spot[i] * normal_cdf(d1) - strike[i] * __expf(-rate * years[i]) * normal_cdf(d1 - volatility * root);
}

KERNEL philox(u32* out, u32 key0, u32 key1) { // Philox 4x32, 10 rounds
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    u32 c[4] = {i, 0, 0, 0}, k0 = key0, k1 = key1;
    for (int r = 0; r < 10; ++r) {
        const u32 h0 = __umulhi(0xd2511f53u, c[0]), l0 = 0xd2511f53u * c[0], h1 = __umulhi(0xcd9e8d57u, c[2]), l1 = 0xcd9e8d57u * c[2];
        c[0] = h1 ^ c[1] ^ k0;
        c[1] = l1;
        c[2] = h0 ^ c[3] ^ k1;
        c[3] = l0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    ((uint4*)out)[i] = make_uint4(c[0], c[1], c[2], c[3]);
}

KERNEL estimate_pi(u64* hits, int throws) { // a linear congruential generator a thread
    u64 state = (blockIdx.x * blockDim.x + threadIdx.x) * 0x9e3779b97f4a7c15ull + 1;
    int inside = 0;
    for (int i = 0; i < throws; ++i) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        const u32 x = (u32)(state >> 33), y = (u32)(state >> 11) & 0x7fffffff;
        inside += (u64)x * x + (u64)y * y < (1ull << 62);
    }
    atomicAdd((unsigned long long*)hits, (unsigned long long)inside);
}

KERNEL wide_integers(const u64* in, u64* out) { // 128 bits: product, quotient, remainder, shift, a power modulo 2^127 - 1
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    typedef unsigned __int128 u128;
    const u128 a = (u128)in[2 * i] << 64 | in[2 * i + 1];
    const u128 b = (u128)in[2 * i] * in[2 * i + 1];
    const u128 d = in[2 * i + 1] | 1;
    const u128 prime = ((u128)1 << 127) - 1;
    u128 power = 1, base = a % prime;
    for (u32 e = 13; e != 0; e /= 2) { // keeps 64-bit factors
        if (e & 1) power = power % (u64)-59 * (u64)(base % (u64)-59) % prime;
        base = (base % (u64)-59) * (u64)(base % (u64)-59) % prime;
    }
    const u128 results[] = {b, a / d, a % d, a >> i % 128, (u128)((__int128)a >> 3), power, a + b, a - b};
    for (int k = 0; k < 8; ++k) {
        out[16 * i + 2 * k] = (u64)results[k];
        out[16 * i + 2 * k + 1] = (u64)(results[k] >> 64);
    }
}

KERNEL bit_tricks(const u32* in, u32* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u32 a = in[2 * i], b = in[2 * i + 1];
    u32* const o = out + 16 * i;
    o[0] = __popc(a);
    o[1] = __brev(a);
    o[2] = __clz(a);
    o[3] = __ffs(a);
    o[4] = __byte_perm(a, b, 0x5274);
    o[5] = __funnelshift_l(a, b, i);
    o[6] = __funnelshift_rc(a, b, i);
    o[7] = __umulhi(a, b);
    o[8] = __mulhi((int)a, (int)b);
    o[9] = __umul24(a, b);
    o[10] = __sad((int)a, (int)b, 5u);
    o[11] = __uhadd(a, b);
    o[12] = __popcll((u64)a << 32 | b) + __clzll((u64)a << 17);
    o[13] = a / (b | 1) + a % (b | 1);
    o[14] = (u32)((int)a / (int)(b | 1)) + (u32)((int)a % (int)(b | 1));
    u32 crc = ~a; // CRC-32 of b's bytes, bit by bit
    for (int k = 0; k < 32; ++k) crc = crc >> 1 ^ (0xedb88320u & -((crc ^ b >> k) & 1));
    o[15] = ~crc;
}

KERNEL half_polynomial(const __half2* x, __half2* out) { // ((x + 0.5) x - 1) x + 0.25
    const __half2 v = x[threadIdx.x];
    __half2 p = __hadd2(v, __float2half2_rn(0.5f));
    p = __hfma2(p, v, __float2half2_rn(-1.0f));
    p = __hfma2(p, v, __float2half2_rn(0.25f));
    out[3 * threadIdx.x] = p;
    out[3 * threadIdx.x + 1] = __h2div(p, __hadd2(v, __float2half2_rn(3.0f)));
    out[3 * threadIdx.x + 2] = __hmul2(__hmax2_nan(p, v), __lowhigh2highlow(__hmin2(p, v)));
}

// ---- Bytes and strings ------------------------------------------------------------------------------------------------

__constant__ char pattern[16];
__constant__ int pattern_length;
KERNEL string_search(const char* text, int n, int* first, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool here = i + pattern_length <= n;
    for (int k = 0; here && k < pattern_length; ++k) here = text[i + k] == pattern[k];
    const int found = __syncthreads_count(here);
    if (threadIdx.x == 0 && found != 0) atomicAdd(count, found);
    if (here) atomicMin(first, i);
}

KERNEL edit_distance(const char* a, const char* b, int n, int* out) { // Levenshtein, by diagonals; n below 128
    __shared__ short row[3][129];
    const int i = threadIdx.x; // a row of the table
    for (int d = 0; d <= 2 * n; ++d) {
        const int j = d - i;
        if (i <= n && j >= 0 && j <= n) {
            short best;
            if (i == 0 || j == 0)
                best = (short)(i + j);
            else {
                best = (short)(row[(d + 1) % 3][i - 1] + (a[i - 1] != b[j - 1]));
                best = min(best, (short)(row[(d + 2) % 3][i - 1] + 1));
                best = min(best, (short)(row[(d + 2) % 3][i] + 1));
            }
            row[d % 3][i] = best;
        }
        __syncthreads();
    }
    if (i == 0) *out = row[2 * n % 3][n];
}

KERNEL life(const unsigned char* in, unsigned char* out, int width, int height) { // on a torus
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
    out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x]);
}

KERNEL interpret(const unsigned char* code, const int* in, int* out) { // a stack machine: a dense switch in a loop
    int stack[16], top = 0, budget = 400;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int pc = 0; budget-- > 0;) {
        const unsigned char op = code[pc++];
        switch (op) {
        case 0: out[i] = stack[top - 1]; return;
        case 1: stack[top++] = (signed char)code[pc++]; break;
        case 2: stack[top++] = in[i]; break;
        case 3:
            --top;
            stack[top - 1] += stack[top];
            break;
        case 4:
            --top;
            stack[top - 1] -= stack[top];
            break;
        case 5:
            --top;
            stack[top - 1] *= stack[top];
            break;
        case 6:
            stack[top] = stack[top - 1];
            ++top;
            break;
        case 7: {
            const int t = stack[top - 1];
            stack[top - 1] = stack[top - 2];
            stack[top - 2] = t;
            break;
        }
        case 8: pc += stack[--top] != 0 ? (signed char)code[pc] + 1 : 1; break;
        case 9:
            --top;
            stack[top - 1] = stack[top - 1] > stack[top];
            break;
        case 10:
            --top;
            stack[top - 1] ^= stack[top];
            break;
        case 11:
            stack[top] = stack[top - 2];
            ++top;
            break;
        default: out[i] = -1 - op; return;
        }
    }
    out[i] = -1000;
}

// ---- What C++ has -----------------------------------------------------------------------------------------------------

struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
};
struct disk : shape {
    float radius;
    __device__ explicit disk(float r) : radius{r} {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};
struct box : shape {
    float width, height;
    __device__ box(float w, float h) : width{w}, height{h} {}
    __device__ float area() const override { return width * height; }
    __device__ int corners() const override { return 4; }
};
struct square final : box {
    __device__ explicit square(float a) : box{a, a} {}
    __device__ int corners() const override { return 4 + (int)width; }
};
KERNEL virtual_functions(const float* sizes, float* areas, int* corners) {
    const float s = sizes[threadIdx.x];
    shape* const it = threadIdx.x % 3 == 0 ? (shape*)new disk(s) : threadIdx.x % 3 == 1 ? (shape*)new box(s, 2) : (shape*)new square(s);
    areas[threadIdx.x] = it->area();
    corners[threadIdx.x] = it->corners();
    delete it;
}

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
typedef int (*operation)(int, int);
__device__ operation operations[] = {add, subtract, multiply};
template <class F>
__device__ __noinline__ int fold(const int* p, int n, F f) {
    int sum = p[0];
    for (int i = 1; i < n; ++i) sum = f(sum, p[i]);
    return sum;
}
KERNEL function_pointers(const int* in, int* out) {
    out[threadIdx.x] = fold(in, 5, operations[threadIdx.x % 3]) + fold(in, 3, [](int a, int b) { return a ^ b; });
}

__device__ __noinline__ bool is_even(u32 n);
__device__ __noinline__ bool is_odd(u32 n) { return n != 0 && is_even(n - 1); }
__device__ __noinline__ bool is_even(u32 n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ u32 ackermann(u32 m, u32 n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
KERNEL recursion(u32* out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x % 5) * 2 + is_even(threadIdx.x % 12); }

struct node {
    int value;
    node* next;
};
KERNEL linked_lists(const int* in, int n, int* out) { // every n-th number, in a sorted list on the heap
    node* first = nullptr;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        node** at = &first;
        while (*at != nullptr && (*at)->value < in[i]) at = &(*at)->next;
        *at = new node{in[i], *at};
    }
    int k = threadIdx.x;
    while (first != nullptr) {
        out[k] = first->value;
        k += blockDim.x;
        node* const gone = first;
        first = first->next;
        delete gone;
    }
}

struct by_value {
    char tag;
    short pair[2];
    double weight;
    uchar3 colour;
    const long long* more;
};
KERNEL structures(by_value v, double* out, short4 small, longlong2 large) {
    out[threadIdx.x] =
        v.tag + v.pair[threadIdx.x % 2] * v.weight + v.colour.z + (double)v.more[threadIdx.x] + small.w + (double)(large.y % 97);
}

KERNEL dynamic_shared(const double* in, double* sums, int* order, int n) { // doubles, then integers, then bytes
    extern __shared__ __align__(16) unsigned char room[];
    double* const values = (double*)room;
    int* const ranks = (int*)(values + n);
    unsigned char* const flags = (unsigned char*)(ranks + n);
    if (threadIdx.x < n) {
        values[threadIdx.x] = in[threadIdx.x];
        flags[threadIdx.x] = in[threadIdx.x] < 0;
    }
    __syncthreads();
    if (threadIdx.x < n) {
        int rank = 0;
        for (int i = 0; i < n; ++i) rank += values[i] < values[threadIdx.x] || (values[i] == values[threadIdx.x] && i < threadIdx.x);
        ranks[rank] = threadIdx.x;
    }
    __syncthreads();
    if (threadIdx.x < n) {
        order[threadIdx.x] = ranks[threadIdx.x];
        if (threadIdx.x == 0) {
            double sum = 0;
            for (int i = 0; i < n; ++i)
                if (!flags[ranks[i]]) sum += values[ranks[i]];
            sums[0] = sum;
        }
    }
}

KERNEL print_table(int rows) {
    if (threadIdx.x == 0)
        for (int r = 0; r < rows; ++r)
            printf("%-6s|%5d|%08x|%8.3f|%c|%lld|%%|%e\n", r % 2 ? "odd" : "even", r * -7, 0xabcu << r, 1.0 / (r + 1), 'a' + r,
                   1ll << (33 + r), 1234.5 * r);
}

KERNEL named_barriers(const int* in, int* out, int rounds) { // warps 0 and 1 fill, warps 2 and 3 empty
    __shared__ int room[64];
    const int lane = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        for (int r = 0; r < rounds; ++r) {
            asm volatile("bar.sync 1, 128;" ::: "memory"); // empty
            room[lane] = in[r * 64 + lane];
            asm volatile("bar.arrive 2, 128;" ::: "memory"); // full
        }
    } else {
        for (int r = 0; r < rounds; ++r) {
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
            out[r * 64 + lane] = 3 * room[63 - lane];
        }
    }
}

KERNEL votes(const int* in, u32* out) { // what the lanes of a diverged warp know of each other
    const int v = in[threadIdx.x];
    u32* const o = out + 6 * threadIdx.x;
    o[0] = __ballot_sync(0xffffffff, v > 0);
    o[1] = __all_sync(0xffffffff, v > -100) * 2 + __any_sync(0xffffffff, v == 17);
    u32 sum = 0;
    const u32 odd = __ballot_sync(0xffffffff, v % 2 != 0);
    if (v % 2 != 0) {
        sum = __ballot_sync(odd, v < 0) + 5;
    } else {
        for (int i = 0; i < threadIdx.x % 4; ++i) sum += i * v;
    }
    __syncwarp();
    o[2] = sum;
    int equal = 0;
    o[3] = __match_all_sync(0xffffffff, v / 1000, &equal) + 2 * equal;
    o[4] = (u32)__shfl_sync(0xffffffff, v, threadIdx.x * 7, 8);
    o[5] = (u32)(__shfl_up_sync(0xffffffff, (u64)v << 20 | threadIdx.x, 3, 16) >> 4);
}

KERNEL producer_consumer(volatile int* ring, volatile int* head, volatile int* tail, int n, int* out) { // two blocks, one thread each
    if (blockIdx.x == 0)
        for (int i = 0; i < n; ++i) {
            while (i - *tail >= 8) {
            }
            ring[i % 8] = i * i;
            __threadfence();
            *head = i + 1;
        }
    else
        for (int i = 0; i < n; ++i) {
            while (*head <= i) {
            }
            __threadfence();
            out[i] = ring[i % 8];
            __threadfence();
            *tail = i + 1;
        }
}
