// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Kernels and variables of all kinds. kinds_<sm>.ptx: nvcc 13.0 -std=c++17 -ptx -arch=sm_<sm> kinds.cu

#include "types.hpp"

#include <cstdint>

__managed__ int managed_var;
__constant__ float cst[10];
__device__ double dv[3];
static __device__ int hidden_dv;
__shared__ int sh_global;
namespace ns {
__device__ int nsv;
__constant__ P cp;
} // namespace ns
extern "C" __global__ void plain(int* p, float f) {
    p[0] = f + managed_var + cst[p[1]] + dv[0] + hidden_dv + ns::nsv + ns::cp.s;
    hidden_dv = 1;
    managed_var = 3;
}
static __global__ void st(int* p) { *p = 1; }
__global__ void __launch_bounds__(192, 3) lb(P p, float4* q) { q->x = p.d; }
__global__ void __maxnreg__(40) mr(int* q) { *q = 2; }
extern "C" __global__ void shm(int* p) {
    __shared__ int a[128];
    a[threadIdx.x] = p[0];
    __syncthreads();
    p[1] = a[5];
}
extern "C" __global__ void dynshm(int* p) {
    extern __shared__ int b[];
    b[threadIdx.x] = p[0];
    __syncthreads();
    p[1] = b[5];
}
__global__ void huge(int a, Huge h, int64_t* q) { *q = h.b[a]; }
__global__ void tma(const __grid_constant__ T t, int* p) { *p = t.b[3]; }
template <class A, int N>
__global__ void tmpl(A a, A* b) {
    *b = a + N;
}
template __global__ void tmpl<short, 4>(short, short*);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 1, 1) cl(int* p) { *p = 2; }
__global__ void pdl(int* p) {
    asm volatile("griddepcontrol.wait;");
    *p = 2;
}
__global__ void __block_size__((64, 2, 1), (2, 2, 1)) bs(int* p) { *p = 2; }
#endif
void host(int* p) { st<<<1, 1>>>(p); }
