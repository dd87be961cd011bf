// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The compile-time half alone in a file that nvcc compiles: descriptors of every linkage, launches, names, placeholders,
/// bindings, sequences, contracts, verdicts. Compiled, not run: nvcc's front end is what is tested.

#include <hanabi/kernel.hpp>

#include <type_traits>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::cluster;
using hanabi::device_ptr;
using hanabi::grid;
using hanabi::over;
using hanabi::shared;

namespace la {
__global__ void scal(float alpha, float* x, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] *= alpha;
}
} // namespace la

struct alignas(64) matrix {
    float m[16];
};

namespace vendor {
template <class T>
struct device_array {
    T* memory = nullptr;
};
} // namespace vendor
template <class T>
struct hanabi::device_data<vendor::device_array<T>> {
    static hanabi::device_ptr<T> pointer(vendor::device_array<T>& a) noexcept { return hanabi::device_ptr<T>{a.memory}; }
    static hanabi::device_ptr<const T> pointer(const vendor::device_array<T>& a) noexcept { return hanabi::device_ptr<const T>{a.memory}; }
};

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">,
                                hanabi::max_threads<256>>
    axpy;
inline constexpr hanabi::kernel<"blas", hanabi::cxx("la::scal"), void(float, float*, int), hanabi::required_threads<128>,
                                hanabi::cluster_size<2>>
    scal;
inline constexpr hanabi::kernel<"blas", hanabi::cxx<"taxpy", float>(), void(hanabi::T_<0>, const hanabi::T_<0>*, hanabi::T_<0>*, int)>
    taxpy;
inline constexpr hanabi::kernel<"m", hanabi::matching("*hidden(int*)"), void(int*), hanabi::allows_pdl> hidden;
inline constexpr hanabi::kernel<"m", hanabi::cxx("transform"), void(matrix, float*)> transform;
inline constexpr hanabi::kernel<"m", "nothing", void()> nothing;

static_assert(axpy.module_name == "blas" && axpy.symbol == "axpy" && axpy.arity == 4);
static_assert(scal.symbol == "_ZN2la4scalEfPfi");
static_assert(taxpy.symbol == "_Z5taxpyIfEvT_PKS0_PS0_i");
static_assert(transform.symbol == "_Z9transform6matrixPf");
static_assert(std::is_empty_v<std::remove_const_t<decltype(axpy)>>);
using device = device_ptr<float>;
static_assert(hanabi::accepts_v<decltype(axpy), float, device, device&, int> &&
              !hanabi::accepts_v<decltype(axpy), double, device, device, int>);
static_assert(hanabi::accepts_v<decltype(axpy), decltype("a"_arg), device, device, int>);
static_assert(std::is_same_v<hanabi::argument_verdict<int, long>, hanabi::because::it_would_lose_values>);
static_assert(std::is_same_v<hanabi::argument_verdict<float, decltype(16777217_c)>, hanabi::because::the_constant_does_not_fit>);
static_assert(std::is_same_v<hanabi::argument_verdict<float, decltype(16777218_c)>, hanabi::because::it_fits>);
static_assert(std::is_same_v<hanabi::argument_verdict<unsigned char, decltype(256_c)>, hanabi::because::the_constant_does_not_fit>);
static_assert(std::is_same_v<hanabi::argument_verdict<float, int>, hanabi::because::it_would_lose_values>);
static_assert(std::is_same_v<hanabi::argument_verdict<long, unsigned>, hanabi::because::it_fits>);
static_assert(std::is_same_v<hanabi::parameter_verdict<int&>, hanabi::because::it_is_a_reference>);
static_assert(
    std::is_same_v<hanabi::block_verdict<hanabi::block_constants<1025, 1, 1>>, hanabi::because::a_block_has_at_most_1024_threads>);

/// In the place of a dispatcher.
template <class E>
void run(const E& e) {
    static_assert(E::closed && std::is_trivially_copyable_v<E>);
    (void)e;
}

void launch(device x, int n);
void launch(device x, int n) {
    vendor::device_array<float> array;
    run(axpy[over(n)](2.0f, x, x, n));
    run(axpy[over(n)](2_c, array, array, 7_c));
    run(axpy[over(n)]("n"_arg = n, "x"_arg = x, "y"_arg = array, "alpha"_arg = 2.0f));
    run(axpy[grid(8, n) | block(16_c, 16_c) | shared<float>(256) | hanabi::priority(1)](2.0f, nullptr, x, n));
    run(scal[grid(8) | cluster(2_c)](0.5f, x, n));
    run(scal[over(n) | block(128_c) | hanabi::cooperative](0.5f, x, n));
    run(taxpy[over(n)](2.0f, x, x, n));
    run(hidden[over(n) | hanabi::pdl](device_ptr<int>{}));
    run(transform[grid(1) | block(1)](matrix{}, x));
    run(nothing[hanabi::occupancy(n)]());
    run(nothing[grid(std::integral_constant<unsigned long, 5>{}) | block(32_c)]());
    const auto open = axpy[over(n)]("a"_arg, x, "to"_arg, n);
    run(open.bind("to"_arg = x, "a"_arg = 2.0f));
    run((open >> open >> nothing[over(1)]()).bind("to"_arg = array, "a"_arg = 3_c));
    run(hanabi::sequence(open.bind("a"_arg = 1.0f, "to"_arg = x), nothing[over(1)]()));
}
