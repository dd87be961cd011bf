// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the tests of plans share: kernels that compute something, as PTX for a GPU and as bodies for the host driver. Part of
/// the test support, not of the library.

#ifndef HANABI_TEST_SUPPORT_PLANNING_HPP
#define HANABI_TEST_SUPPORT_PLANNING_HPP

#include "support/launching.hpp"

#include <hanabi/plan.hpp>

#include <vector>

/// Compiled from:
///     axpy:      y[i] += alpha * x[i] for i < n        scal: x[i] *= alpha for i < n
///     countdown: *sum += 1, *flag -= 1                 nop:  nothing
inline constexpr char work_ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry axpy(
.param .f32 axpy_param_0,
.param .u64 axpy_param_1,
.param .u64 axpy_param_2,
.param .u32 axpy_param_3
)
{
.reg .pred  %p<2>;
.reg .f32  %f<5>;
.reg .b32  %r<6>;
.reg .b64  %rd<8>;
ld.param.f32  %f1, [axpy_param_0];
ld.param.u64  %rd1, [axpy_param_1];
ld.param.u64  %rd2, [axpy_param_2];
ld.param.u32  %r2, [axpy_param_3];
mov.u32  %r3, %ctaid.x;
mov.u32  %r4, %ntid.x;
mov.u32  %r5, %tid.x;
mad.lo.s32  %r1, %r3, %r4, %r5;
setp.ge.s32  %p1, %r1, %r2;
@%p1 bra  $L__BB0_2;
cvta.to.global.u64  %rd3, %rd1;
mul.wide.s32  %rd4, %r1, 4;
add.s64  %rd5, %rd3, %rd4;
ld.global.f32  %f2, [%rd5];
cvta.to.global.u64  %rd6, %rd2;
add.s64  %rd7, %rd6, %rd4;
ld.global.f32  %f3, [%rd7];
fma.rn.f32  %f4, %f2, %f1, %f3;
st.global.f32  [%rd7], %f4;
$L__BB0_2:
ret;
}
.visible .entry scal(
.param .f32 scal_param_0,
.param .u64 scal_param_1,
.param .u32 scal_param_2
)
{
.reg .pred  %p<2>;
.reg .f32  %f<4>;
.reg .b32  %r<6>;
.reg .b64  %rd<5>;
ld.param.f32  %f1, [scal_param_0];
ld.param.u64  %rd1, [scal_param_1];
ld.param.u32  %r2, [scal_param_2];
mov.u32  %r3, %ctaid.x;
mov.u32  %r4, %ntid.x;
mov.u32  %r5, %tid.x;
mad.lo.s32  %r1, %r3, %r4, %r5;
setp.ge.s32  %p1, %r1, %r2;
@%p1 bra  $L__BB1_2;
cvta.to.global.u64  %rd2, %rd1;
mul.wide.s32  %rd3, %r1, 4;
add.s64  %rd4, %rd2, %rd3;
ld.global.f32  %f2, [%rd4];
mul.f32  %f3, %f2, %f1;
st.global.f32  [%rd4], %f3;
$L__BB1_2:
ret;
}
.visible .entry countdown(
.param .u64 countdown_param_0,
.param .u64 countdown_param_1
)
{
.reg .pred  %p<2>;
.reg .f32  %f<3>;
.reg .b32  %r<6>;
.reg .b64  %rd<5>;
ld.param.u64  %rd1, [countdown_param_0];
ld.param.u64  %rd2, [countdown_param_1];
mov.u32  %r1, %ctaid.x;
mov.u32  %r2, %tid.x;
or.b32   %r3, %r2, %r1;
setp.ne.s32  %p1, %r3, 0;
@%p1 bra  $L__BB2_2;
cvta.to.global.u64  %rd3, %rd1;
cvta.to.global.u64  %rd4, %rd2;
ld.global.f32  %f1, [%rd4];
add.f32  %f2, %f1, 0f3F800000;
st.global.f32  [%rd4], %f2;
ld.global.u32  %r4, [%rd3];
add.s32  %r5, %r4, -1;
st.global.u32  [%rd3], %r5;
$L__BB2_2:
ret;
}
.visible .entry nop()
{
ret;
}
)";

namespace work {
inline constexpr hanabi::kernel<"work", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> add;
inline constexpr hanabi::kernel<"work", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scale;
inline constexpr hanabi::kernel<"work", "countdown", void(int*, float*), hanabi::names<"flag", "sum">> countdown;
inline constexpr hanabi::kernel<"work", "nop", void()> nop;
} // namespace work

/// A driver as new and the module, loaded.
struct planning : fresh {
    planning() {
        hanabi::host::define(work::add, [](hanabi::host::thread t, float alpha, const float* x, float* y, int n) {
            if (const auto i = t.global_index().x; static_cast<int>(i) < n) y[i] += alpha * x[i];
        });
        hanabi::host::define(work::scale, [](hanabi::host::thread t, float alpha, float* x, int n) {
            if (const auto i = t.global_index().x; static_cast<int>(i) < n) x[i] *= alpha;
        });
        hanabi::host::define(work::countdown, [](hanabi::host::thread t, int* flag, float* sum) {
            if (t.global_index().x != 0) return;
            *sum += 1;
            *flag -= 1;
        });
        hanabi::host::define(work::nop, [](hanabi::host::thread) {});
        modules.emplace(hanabi::registry::load(*gpu, {{"work", work_ptx}}));
    }
    ~planning() { modules.reset(); }

    const hanabi::registry& module() const { return *modules; }
    hanabi::dispatcher<> run() const { return hanabi::dispatcher{*modules}; }
    hanabi::buffer<float> filled(std::size_t n, float value) const {
        hanabi::buffer<float> b{*gpu, n};
        b.copy_from(std::vector<float>(n, value));
        return b;
    }

    std::optional<hanabi::registry> modules;
};

#endif
