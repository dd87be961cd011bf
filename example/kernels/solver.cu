// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What a conjugate-gradient solver of the Poisson equation on a square grid needs. Scalars stay on the device.

// out = A in, the five-point Laplacian with zeros around.
extern "C" __global__ void laplacian(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    float sum = 4.0f * in[i];
    if (x > 0) sum -= in[i - 1];
    if (x + 1 < width) sum -= in[i + 1];
    if (y > 0) sum -= in[i - width];
    if (y + 1 < height) sum -= in[i + width];
    out[i] = sum;
}

// *result = a . b, by one block of 256 threads: always in the same order.
extern "C" __global__ void __launch_bounds__(256) dot(const float* a, const float* b, double* result, int n) {
    __shared__ double part[256];
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += 256) sum += static_cast<double>(a[i]) * b[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned s = 128; s != 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = part[0];
}

// y += sign * (*numerator / *denominator) * v
extern "C" __global__ void add_ratio(const double* numerator, const double* denominator, float sign, const float* v, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += sign * static_cast<float>(*numerator / *denominator) * v[i];
}

// p = r + (*numerator / *denominator) * p
extern "C" __global__ void turn(const double* numerator, const double* denominator, const float* r, float* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = r[i] + static_cast<float>(*numerator / *denominator) * p[i];
}
