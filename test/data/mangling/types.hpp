// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Types that the kernels of the mangling tests have as parameters, for nvcc and for compilers that know no CUDA.

#ifndef HANABI_TEST_MANGLING_TYPES_HPP
#define HANABI_TEST_MANGLING_TYPES_HPP

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#if defined(__CUDACC__)
#include <cuComplex.h>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#else
// Of CUDA's types only the names and the template parameters count here.
#define HANABI_TEST_VECTOR(name) struct name
HANABI_TEST_VECTOR(char1);
HANABI_TEST_VECTOR(uchar4);
HANABI_TEST_VECTOR(short2);
HANABI_TEST_VECTOR(int2);
HANABI_TEST_VECTOR(int3);
HANABI_TEST_VECTOR(int4);
HANABI_TEST_VECTOR(uint2);
HANABI_TEST_VECTOR(uint4);
HANABI_TEST_VECTOR(long2);
HANABI_TEST_VECTOR(ulong2);
HANABI_TEST_VECTOR(longlong2);
HANABI_TEST_VECTOR(ulonglong2);
HANABI_TEST_VECTOR(float1);
HANABI_TEST_VECTOR(float2);
HANABI_TEST_VECTOR(float3);
HANABI_TEST_VECTOR(float4);
HANABI_TEST_VECTOR(double2);
HANABI_TEST_VECTOR(double3);
HANABI_TEST_VECTOR(double4_16a);
HANABI_TEST_VECTOR(double4_32a);
HANABI_TEST_VECTOR(dim3);
#undef HANABI_TEST_VECTOR
using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cudaTextureObject_t = unsigned long long;
struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
using half = __half;
using nv_bfloat16 = __nv_bfloat16;
namespace cuda {
namespace std {
inline namespace __4 {
template <class T, ::std::size_t N = ::std::size_t(-1)>
class span;
template <class T, ::std::size_t N>
struct array;
template <class T>
class complex;
template <class T>
class optional;
template <class T, class U>
struct pair;
template <class... T>
class tuple;
template <class I, ::std::size_t... E>
class extents;
struct layout_right;
template <class T>
struct default_accessor;
template <class T, class E, class L = layout_right, class A = default_accessor<T>>
class mdspan;
template <class I, int R>
struct dextents_of;
template <class I>
struct dextents_of<I, 2> {
    using type = extents<I, ::std::size_t(-1), ::std::size_t(-1)>;
};
template <class I, int R>
using dextents = typename dextents_of<I, R>::type;
} // namespace __4
} // namespace std
} // namespace cuda
#endif

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

struct Pod {
    int a;
    float b;
};
namespace math {
struct Vec {
    float x, y, z;
};
struct Mat {
    float m[16];
};
enum class Axis { X, Y, Z };
namespace deep {
struct Leaf {
    int v;
};
} // namespace deep
} // namespace math
template <class T>
struct Box {
    T v;
    struct Inner {
        T w;
        template <class U>
        struct Deep {};
    };
    enum En { e1 };
    template <class U, int N>
    struct In2 {};
};
template <class A, class B>
struct Pair2 {
    A a;
    B b;
};
template <class T, int N>
struct Arr {
    T v[N];
    struct Inner {};
};
template <int N>
struct Off {
    int v;
};
template <bool B>
struct Flag {
    char c;
};
enum Old { OldA, OldB };
enum class Color { Red, Green, Blue };
enum class Tiny : unsigned char { P, Q };
enum Big : long { big = 1L << 40, least = -5 };
enum class Truth : bool { no, yes };
template <Color C>
struct Cfg {
    int v;
};
struct Outer {
    struct Inner {
        int x;
    };
    enum class Mode { Off, On };
    int y;
};
union Un {
    int i;
    float f;
};
class Klass {
  public:
    enum State { Idle, Busy };
    int q;
    int m(float) const;
};
struct alignas(32) Al32 {
    float v[8];
};
struct Empty {};
namespace lib {
inline namespace v1 {
struct Vers {
    int v;
};
template <class T>
struct VBox {
    T v;
};
} // namespace v1
} // namespace lib
struct a_rather_long_type_name_to_test_multi_digit_length_prefixes_in_names {
    int v;
};
template <class... Ts>
struct Tup {};
template <int... Ns>
struct Shape {};
namespace ops {
template <class T>
struct Add {
    T state;
};
} // namespace ops
template <auto V>
struct Val {};
template <template <class...> class C, class... T>
struct Ttp {};
template <class A, class B = float, class... R>
struct Def {};
template <class T, int... N>
struct TypeInts {};
template <int N, class... T>
struct IntTypes {};
template <bool B, class T>
struct Maybe {};
template <class T, class U, unsigned long N>
struct Two {};
namespace a {
namespace a {
struct a {};
} // namespace a
} // namespace a
namespace std {
namespace hanabi_test {
struct inside {
    struct deeper {};
};
template <class T>
struct holder {
    struct part {};
};
} // namespace hanabi_test
} // namespace std

#endif
