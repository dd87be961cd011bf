// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Five-point averages over a plane whose outside is zero: once with a small tile in static shared memory, once with a
// tile of 128 by 128 and its rim in dynamic shared memory, which is more than the 48 KiB that a block gets unasked.

__device__ float at(const float* plane, int x, int y, int width, int height) {
    return x >= 0 && y >= 0 && x < width && y < height ? plane[y * width + x] : 0.0f;
}

// Blocks of 16 by 16 threads, one element a thread.
extern "C" __global__ void blur_small(const float* in, float* out, int width, int height) {
    __shared__ float tile[18][18];
    const int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256)
        tile[i / 18][i % 18] = at(in, x0 + i % 18, y0 + i / 18, width, height);
    __syncthreads();
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = x0 + tx, y = y0 + ty;
    if (x < width && y < height)
        out[y * width + x] = (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]) * 0.2f;
}

// Blocks of any number of threads, 128 by 128 elements a block, 130 * 130 floats of dynamic shared memory.
extern "C" __global__ void blur_large(const float* in, float* out, int width, int height) {
    extern __shared__ float tile[];
    constexpr int edge = 128, side = edge + 2;
    const int x0 = blockIdx.x * edge - 1, y0 = blockIdx.y * edge - 1;
    for (int i = threadIdx.x; i < side * side; i += blockDim.x) tile[i] = at(in, x0 + i % side, y0 + i / side, width, height);
    __syncthreads();
    for (int i = threadIdx.x; i < edge * edge; i += blockDim.x) {
        const int tx = i % edge + 1, ty = i / edge + 1, x = x0 + tx, y = y0 + ty;
        const float* t = tile + ty * side + tx;
        if (x < width && y < height) out[y * width + x] = (t[0] + t[-1] + t[1] + t[-side] + t[side]) * 0.2f;
    }
}
