// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Kernels with one fault each, for test/ptx_planted.cpp; faults_planted.ptx and faults_mended.ptx are this file compiled by
//   nvcc -std=c++17 -ptx -arch=compute_90 -lineinfo -DPLANTED=1 and 0
//
// The test reads this file too. Behind each kernel's name: `run: BLOCKS THREADS`, and where they matter `shared=BYTES`,
// `cluster=BLOCKS`, `cooperative`, `thread=` and `block=` of the fault. The line of the fault ends in `fault: KIND`; of a race, the
// other line in `other` (either may be found first), or in nothing where it is the same.
// p: 1024 numbers, p[i] == i. q: 1024 zeros. gone: 1024 numbers that were freed. raw: 1024 that nobody has written.

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cassert>

namespace cg = cooperative_groups;

#define KERNEL extern "C" __global__ void
#define ARRAYS int *p, int *q, int *gone, int *raw, int n

// Exactly one of the two is there.
#if PLANTED
#define PLANT(...) __VA_ARGS__
#define MEND(...)
#define EITHER(bad, good) bad
#else
#define PLANT(...)
#define MEND(...) __VA_ARGS__
#define EITHER(bad, good) good
#endif

__device__ int rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

// ---- Out of bounds ----------------------------------------------------------------------------------------------------

KERNEL past_the_end(ARRAYS) { // run: 9 128 thread=0 block=8
    const int i = rank();
    if (i EITHER(<=, <) n) q[i] = i; // fault: bounds
}

KERNEL before_the_start(ARRAYS) { // run: 1 64 thread=0 block=0
    const int i = rank();
    MEND(if (i > 0))
    q[i] = p[i - 1]; // fault: bounds
}

KERNEL stencil_at_the_edge(ARRAYS) { // run: 8 128 thread=127 block=7
    const int i = rank();
    int sum = p[i];
    MEND(if (i + 1 < n))
    sum += p[i + 1]; // fault: bounds
    q[i] = sum;
}

KERNEL rows_and_columns(ARRAYS) { // run: 1 64 thread=16 block=0
    const int row = threadIdx.x, columns = EITHER(64, 16);
    q[row * columns + 15] = row; // fault: bounds
}

KERNEL grid_larger_than_the_data(ARRAYS) { // run: 3 512 thread=0 block=2
    const int i = rank();
    MEND(if (i >= n) return;)
    q[i] = 2 * p[i]; // fault: bounds
}

KERNEL static_shared(ARRAYS) { // run: 1 64 thread=63 block=0
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[(threadIdx.x + 1) EITHER(, % 64)] = threadIdx.x; // fault: bounds
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x];
}

KERNEL dynamic_shared(ARRAYS) { // run: 1 64 shared=256 thread=32 block=0
    extern __shared__ char room[];
    EITHER(double, float)* const s = (EITHER(double, float)*)room;
    s[threadIdx.x] = p[threadIdx.x]; // fault: bounds
    __syncthreads();
    q[threadIdx.x] = (int)s[63 - threadIdx.x];
}

KERNEL local_array(ARRAYS) { // run: 1 32 thread=16 block=0
    int l[16];
    for (int i = 0; i < 16; ++i) l[i] = p[i];
    const int k = p[threadIdx.x] MEND(% 16);
    l[k] = 5; // fault: bounds
    int sum = 0;
    for (int i = 0; i < 16; ++i) sum += l[i] * p[i + threadIdx.x];
    q[threadIdx.x] = sum + l[p[threadIdx.x + 1] % 16];
}

KERNEL vectors_at_the_end(ARRAYS) { // run: 1 257 thread=256 block=0
    MEND(if (threadIdx.x < n / 4))
    ((int4*)q)[threadIdx.x] = ((int4*)p)[threadIdx.x]; // fault: bounds
}

KERNEL atomic_beyond(ARRAYS) {                       // run: 1 32 thread=31 block=0
    atomicAdd(q + n - 31 + threadIdx.x MEND(-1), 1); // fault: bounds
}

KERNEL histogram(ARRAYS) { // run: 1 128 block=0
    __shared__ int bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    __syncthreads();
    const int v = p[threadIdx.x];
    atomicAdd(&bins[v EITHER(, % 64)], 1); // fault: bounds
    __syncthreads();
    if (threadIdx.x < 64) q[threadIdx.x] = bins[threadIdx.x];
}

struct node {
    int value;
    node* next;
};
KERNEL end_of_a_list(ARRAYS) { // run: 1 1 thread=0 block=0
    node* const last = new node{p[3], nullptr};
    node* const first = new node{p[2], last};
    int sum = 0;
    const node* at = first;
    for (int i = 0; i < n MEND(&&at != nullptr); ++i) {
        sum += at->value; // fault: bounds
        at = at->next;
    }
    q[0] = sum;
    delete first;
    delete last;
}

__device__ __noinline__ void put(int* to, int at, int value) {
    to[at] = value; // fault: bounds in=past_in_a_function
}
KERNEL past_in_a_function(ARRAYS) { // run: 2 32 thread=0 block=1
    put(q, EITHER(n - 32, 0) + rank(), 1);
}

KERNEL past_the_heap_block(ARRAYS) { // run: 1 1 thread=0 block=0
    int* const mine = (int*)malloc(8 * sizeof(int));
    for (int i = 0; i EITHER(<=, <) 8; ++i) mine[i] = p[i]; // fault: bounds
    q[0] = mine[p[7]];
    free(mine);
}

__device__ int table[4] = {1, 2, 3, 4};
KERNEL past_a_variable(ARRAYS) {                       // run: 1 32 thread=4 block=0
    q[threadIdx.x] = table[threadIdx.x EITHER(, % 4)]; // fault: bounds
}

// ---- Misaligned -------------------------------------------------------------------------------------------------------

KERNEL odd_word(ARRAYS) { // run: 1 8 thread=1 block=0
    const char* const bytes = (const char*)p;
    q[threadIdx.x] = *(const int*)(bytes + threadIdx.x * EITHER(5, 4)); // fault: misaligned
}

KERNEL odd_vector(ARRAYS) {                                                   // run: 1 8 thread=1 block=0
    ((int4*)q)[threadIdx.x] = *(const int4*)(p + threadIdx.x * EITHER(2, 4)); // fault: misaligned
}

KERNEL odd_double_in_shared(ARRAYS) { // run: 1 32 thread=0 block=0
    __shared__ __align__(8) char s[8 * 33];
    double* const d = (double*)(s + EITHER(4, 8));
    d[threadIdx.x] = p[threadIdx.x]; // fault: misaligned
    q[threadIdx.x] = (int)d[threadIdx.x];
}

KERNEL odd_atomic(ARRAYS) {                                                 // run: 1 32 thread=1 block=0
    atomicAdd((unsigned long long*)(q + threadIdx.x * EITHER(3, 2)), 1ull); // fault: misaligned
}

// ---- Freed ------------------------------------------------------------------------------------------------------------

KERNEL read_of_freed(ARRAYS) {                     // run: 1 32 thread=0 block=0
    q[threadIdx.x] = EITHER(gone, p)[threadIdx.x]; // fault: freed
}

KERNEL write_to_freed(ARRAYS) {  // run: 2 32 thread=0 block=0
    EITHER(gone, q)[rank()] = 1; // fault: freed
}

KERNEL freed_heap_block(ARRAYS) { // run: 1 1 thread=0 block=0
    volatile int* const mine = (int*)malloc(16);
    mine[0] = 4;
    PLANT(free((void*)mine);)
    q[0] = mine[0]; // fault: bounds
    MEND(free((void*)mine);)
}

KERNEL freed_twice(ARRAYS) { // run: 1 1 thread=0 block=0
    int* const mine = (int*)malloc(16);
    q[0] = mine != nullptr;
    free(mine);
    PLANT(free(mine);) // fault: free
}

// ---- Uninitialised ----------------------------------------------------------------------------------------------------

KERNEL raw_buffer(ARRAYS) {                                  // run: 1 32 thread=0 block=0
    if (EITHER(raw, p)[threadIdx.x] > 3) q[threadIdx.x] = 1; // fault: uninitialised
}

KERNEL raw_half_of_a_buffer(ARRAYS) { // run: 1 32 thread=16 block=0
    if (threadIdx.x < EITHER(16, 32)) raw[threadIdx.x] = p[threadIdx.x];
    __syncwarp();
    if (raw[threadIdx.x] > 3) q[threadIdx.x] = 1; // fault: uninitialised
}

KERNEL raw_shared(ARRAYS) { // run: 1 64 thread=0 block=0
    __shared__ int s[65];
    s[threadIdx.x] = p[threadIdx.x];
    MEND(if (threadIdx.x == 0) s[64] = 0;)
    __syncthreads();
    if (s[64 - threadIdx.x] > 3) q[threadIdx.x] = 1; // fault: uninitialised
}

KERNEL raw_heap(ARRAYS) { // run: 1 1 thread=0 block=0
    int* const mine = (int*)malloc(16 * sizeof(int));
    for (int i = 0; i < EITHER(15, 16); ++i) mine[i] = p[i];
    if (mine[p[15]] > 3) q[0] = 1; // fault: uninitialised
    free(mine);
}

KERNEL raw_local(ARRAYS) { // run: 1 32 thread=8 block=0
    int l[16];
    for (int i = 0; i < EITHER(8, 16); ++i) l[p[i]] = p[i + threadIdx.x];
    if (l[p[threadIdx.x] % 16] > 3) q[threadIdx.x] = 1; // fault: uninitialised
}

KERNEL raw_address(ARRAYS) {                 // run: 1 32 thread=0 block=0
    q[EITHER(raw, p)[threadIdx.x] & 31] = 1; // fault: uninitialised
}

// ---- Races ------------------------------------------------------------------------------------------------------------

KERNEL no_barrier(ARRAYS) { // run: 1 64
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x]; // other
    MEND(__syncthreads();)
    q[threadIdx.x] = s[63 - threadIdx.x]; // fault: race
}

KERNEL no_barrier_before_the_next_tile(ARRAYS) { // run: 1 64
    __shared__ int tile[64];
    int sum = 0;
    for (int t = 0; t < 4; ++t) {
        tile[threadIdx.x] = p[64 * t + threadIdx.x]; // other
        __syncthreads();
        for (int k = 0; k < 64; ++k) sum += tile[k] * k; // fault: race
        MEND(__syncthreads();)
    }
    q[threadIdx.x] = sum;
}

KERNEL warp_without_syncwarp(ARRAYS) { // run: 1 32
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    s[threadIdx.x + 32] = 0;
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        const int other = s[threadIdx.x + d]; // fault: race
        MEND(__syncwarp();)
        s[threadIdx.x] += other; // other
        __syncwarp();
    }
    if (threadIdx.x == 0) q[0] = s[0];
}

KERNEL barrier_too_few(ARRAYS) { // run: 1 256
    __shared__ int s[256];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; // fault: race
        EITHER(__syncwarp(), __syncthreads());
    }
    if (threadIdx.x == 0) q[0] = s[0];
}

KERNEL shift_in_place(ARRAYS) { // run: 1 128
    const int i = threadIdx.x;
    const int next = q[i + 1]; // fault: race
    MEND(__syncthreads();)
    q[i] = next + p[i]; // other
}

KERNEL neighbour_block(ARRAYS) { // run: 4 64
    const int i = rank();
    EITHER(p, q)[i] = i + 1;    // other
    raw[i] = p[(i + 64) % 256]; // fault: race
}

KERNEL lost_updates(ARRAYS) {                         // run: 2 64
    EITHER(*q += p[rank()], atomicAdd(q, p[rank()])); // fault: race
}

__device__ unsigned blocks_done = 0;
KERNEL last_block_without_fence(ARRAYS) { // run: 4 64
    __shared__ bool last;
    if (threadIdx.x == 0) {
        q[1 + blockIdx.x] = p[blockIdx.x]; // other
        MEND(__threadfence();)
        last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < gridDim.x; ++i) sum += q[1 + i]; // fault: race
        q[0] = sum;
    }
}

KERNEL lock_without_fence(ARRAYS) { // run: 2 32
    if (threadIdx.x == 0) {
        while (atomicCAS(q, 0, 1) != 0) {
        }
        MEND(__threadfence();)
        q[1] += p[blockIdx.x]; // fault: race
        MEND(__threadfence();)
        atomicExch(q, 0);
    }
}

KERNEL plain_flag(ARRAYS) { // run: 2 32
    volatile int* const flag = q;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            q[1] = 17; // other
            MEND(__threadfence();)
            *flag = 1;
        }
    } else if (threadIdx.x == 0) {
        while (*flag == 0) {
        }
        MEND(__threadfence();)
        q[2] = q[1]; // fault: race
    }
}

KERNEL who_wins(ARRAYS) { // run: 1 32
    __shared__ int winner;
    if (p[threadIdx.x] % 5 == 2) winner = EITHER(threadIdx.x, 2); // fault: race
    __syncwarp();
    if (threadIdx.x == 0) q[0] = winner;
}

KERNEL byte_and_word(ARRAYS) { // run: 1 64
    __shared__ int words[64];
    char* const bytes = (char*)words;
    if (threadIdx.x < 32)
        bytes[4 * threadIdx.x EITHER(+3, +128)] = 1; // other
    else
        words[threadIdx.x - 32] = 2; // fault: race
    __syncthreads();
    if (threadIdx.x < 32) q[threadIdx.x] = words[threadIdx.x];
}

KERNEL atomic_and_plain(ARRAYS) { // run: 1 64
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, p[threadIdx.x]); // other
    MEND(__syncthreads();)
    if (threadIdx.x == 0) q[0] = count; // fault: race
}

KERNEL scratch_used_twice(ARRAYS) { // run: 1 64
    __shared__ int s[2];
    int result = 0;
    for (int round = 0; round < 2; ++round) {
        int v = p[threadIdx.x + round];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v; // other
        __syncthreads();
        result += s[0] + s[1]; // fault: race
        MEND(__syncthreads();)
    }
    q[threadIdx.x] = result;
}

KERNEL half_of_the_block_at_a_barrier(ARRAYS) { // run: 1 128
    __shared__ int s[128];
    s[threadIdx.x] = p[threadIdx.x]; // other
    if (threadIdx.x < EITHER(64, 128)) asm volatile("bar.sync 1, %0;" ::"r"(EITHER(64, 128)) : "memory");
    q[threadIdx.x] = s[(threadIdx.x + 64) % 128]; // fault: race
}

KERNEL copied_for_others(ARRAYS) { // run: 1 64
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &p[threadIdx.x], sizeof(int)); // other
    __pipeline_commit();
    __pipeline_wait_prior(0);
    MEND(__syncthreads();)
    q[threadIdx.x] = s[63 - threadIdx.x]; // fault: race
}

KERNEL tile_groups(ARRAYS) { // run: 1 32
    __shared__ int s[32];
    const auto tile = cg::tiled_partition<EITHER(8, 16)>(cg::this_thread_block());
    s[threadIdx.x] = p[threadIdx.x]; // other
    tile.sync();
    q[threadIdx.x] = s[threadIdx.x ^ 8]; // fault: race
}

KERNEL no_grid_sync(ARRAYS) { // run: 4 64 cooperative
    const int i = rank();
    q[i] = p[i]; // other
    EITHER(__syncthreads(), cg::this_grid().sync());
    raw[i] = q[255 - i]; // fault: race
}

KERNEL no_cluster_sync(ARRAYS) { // run: 2 32 cluster=2
    __shared__ int s[32];
    const cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = p[threadIdx.x]; // other
    EITHER(__syncthreads(), cluster.sync());
    const int* const theirs = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    q[rank()] = theirs[threadIdx.x]; // fault: race
    cluster.sync();
}

// ---- Barriers ---------------------------------------------------------------------------------------------------------

KERNEL barrier_in_a_branch(ARRAYS) { // run: 1 32
    __shared__ int s[32];
    s[threadIdx.x] = p[threadIdx.x];
    if (p[threadIdx.x] % 2 == 0) {
        EITHER(__syncthreads(), __syncwarp(0x55555555)); // fault: barrier
        q[threadIdx.x] = s[threadIdx.x ^ 2];
    } else
        q[threadIdx.x] = 1;
}

KERNEL two_barriers(ARRAYS) { // run: 1 64
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    if (p[threadIdx.x] % 3 == 0) {
        PLANT(__syncthreads();) // fault: barrier
        q[threadIdx.x] = 5;
    } else {
        PLANT(__syncthreads();)
        q[threadIdx.x] = 6;
    }
    MEND(__syncthreads();)
    q[threadIdx.x] += s[threadIdx.x];
}

KERNEL barrier_in_a_loop_of_different_lengths(ARRAYS) { // run: 1 32
    const int rounds = EITHER(p[threadIdx.x] % 4, 3);
    for (int i = 0; i < rounds; ++i) {
        q[threadIdx.x] = q[threadIdx.x] + i;
        __syncthreads(); // fault: barrier
    }
    q[threadIdx.x] = rounds;
}

// ---- Masks ------------------------------------------------------------------------------------------------------------

KERNEL lanes_that_returned(ARRAYS) { // run: 1 32
    if (threadIdx.x >= 20) return;
    int v = p[threadIdx.x];
    v += __shfl_down_sync(EITHER(0xffffffff, 0xfffff), v, threadIdx.x < 19); // fault: mask
    q[threadIdx.x] = v;
}

KERNEL lanes_that_never_were(ARRAYS) { // run: 1 40 block=0
    int sum = p[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, EITHER(d, threadIdx.x < 32 ? d : d % 8)); // fault: mask
    q[threadIdx.x] = sum;
}

KERNEL mask_without_itself(ARRAYS) {            // run: 1 32 thread=31 block=0
    __syncwarp(EITHER(0x7fffffff, 0xffffffff)); // fault: lacks
    q[threadIdx.x] = 1;
}

// ---- Deadlocks --------------------------------------------------------------------------------------------------------

KERNEL different_barriers(ARRAYS) { // run: 1 64
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1;" ::: "memory"); // fault: deadlock
    else
        asm volatile(EITHER("bar.sync 2;", "bar.sync 1;")::: "memory");
    q[threadIdx.x] = 1;
}

KERNEL barrier_of_more_than_there_are(ARRAYS) {                       // run: 2 64
    asm volatile("bar.sync 1, %0;" ::"r"(EITHER(96, 64)) : "memory"); // fault: deadlock
    q[rank()] = 1;
}

KERNEL warp_and_block(ARRAYS) { // run: 1 32
    __shared__ int s[32];
    s[threadIdx.x] = p[threadIdx.x];
    if (p[threadIdx.x] < 16) q[threadIdx.x] = __any_sync(EITHER(0xffffffff, 0xffff), p[threadIdx.x] == 3); // fault: deadlock
    __syncwarp();
    q[32 + threadIdx.x] = s[threadIdx.x ^ 1];
}

// ---- Endless loops ----------------------------------------------------------------------------------------------------

KERNEL flag_that_nobody_sets(ARRAYS) { // run: 1 32
    volatile int* const flag = q;
    MEND(if (threadIdx.x == 0)* flag = 1;)
    while (*flag == 0) { // fault: loop
    }
    q[1 + threadIdx.x] = 1;
}

KERNEL lock_taken_twice(ARRAYS) { // run: 1 1 thread=0 block=0
    for (int i = 0; i < 2; ++i) {
        while (atomicCAS(q, 0, 1) != 0) { // fault: loop
        }
        q[1] += 1;
        MEND(__threadfence(); atomicExch(q, 0);)
    }
}

KERNEL unsigned_countdown(ARRAYS) { // run: 1 1 thread=0 block=0
    int sum = 0;
    for (unsigned i = 100; i EITHER(>=, >) 0; --i) sum += *(volatile int*)&p[i % 64]; // fault: loop
    q[0] = sum;
}

// ---- Asynchronous copies ----------------------------------------------------------------------------------------------

KERNEL no_wait(ARRAYS) { // run: 1 32 thread=0 block=0
    __shared__ int s[32];
    __pipeline_memcpy_async(&s[threadIdx.x], &p[threadIdx.x], sizeof(int));
    __pipeline_commit();
    MEND(__pipeline_wait_prior(0);)
    q[threadIdx.x] = s[threadIdx.x]; // fault: wait
}

KERNEL wait_for_the_stage_before(ARRAYS) { // run: 1 32 thread=0 block=0
    __shared__ int s[2][32];
    __pipeline_memcpy_async(&s[0][threadIdx.x], &p[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_memcpy_async(&s[1][threadIdx.x], &p[32 + threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(EITHER(1, 0));
    q[threadIdx.x] = s[1][threadIdx.x]; // fault: wait
}

// ---- Parameters -------------------------------------------------------------------------------------------------------

struct four {
    int v[4];
};
KERNEL past_a_parameter(ARRAYS, const __grid_constant__ four f) { // run: 1 8 thread=4 block=0
    q[threadIdx.x] = f.v[threadIdx.x EITHER(, % 4)];              // fault: parameter
}

KERNEL past_the_parameters(ARRAYS, const __grid_constant__ four f) { // run: 1 1 thread=0 block=0
    const int* at = f.v;
    int sum = 0;
    for (int i = 0; i < EITHER(n, 4); ++i) sum += at[i]; // fault: parameter
    q[0] = sum;
}

// ---- What the kernel itself says --------------------------------------------------------------------------------------

KERNEL assertion(ARRAYS) {                   // run: 1 32 thread=7 block=0
    assert(p[threadIdx.x] != EITHER(7, 70)); // fault: assertion
    q[threadIdx.x] = 1;
}

KERNEL trap(ARRAYS) {                          // run: 2 32 thread=3 block=1
    if (p[rank()] == EITHER(35, -1)) __trap(); // fault: trap
    q[rank()] = 1;
}
