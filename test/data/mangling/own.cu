// Made by generate.py: kernels whose names nvcc gives.
#include "types.hpp"

__global__ void b_all(bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long,
                      unsigned long long, float, double, wchar_t) {}
__global__ void b_chars(char8_t, char16_t, char32_t, decltype(nullptr), __int128, unsigned __int128) {}
__global__ void b_none() {}
__global__ void b_std(std::size_t, std::int64_t, std::uint64_t, std::int8_t, std::uint32_t) {}
__global__ void b_half(half, half*, const __half2*, nv_bfloat16, __nv_fp8_e4m3, half) {}
__global__ void p_restrict(float* __restrict__, const float* __restrict__, float* __restrict__*, float* __restrict__ const*,
                           float* const __restrict__ volatile*) {}
__global__ void p_volatile(volatile int*, const volatile int*, volatile int*, int* volatile*, const int* const volatile*) {}
__global__ void p_deep(int****, int***, int**, int*, const int****) {}
__global__ void p_const(const int* const*, int* const*, const int*, int, const int* const* const*) {}
__global__ void p_refs(int&, const int&, int*&, int (&)[3], int&) {}
__global__ void a_decay(float[], const float[8], float[3][4], const float[3][4], float (*)[4]) {}
__global__ void a_inner(const float (*)[4], const float (*)[4][3], float (*)[], float (*const*)[2], const volatile int (*)[7]) {}
__global__ void a_refs(float (&)[4], const float (&)[4], const float*, float*) {}
__global__ void f_plain(void (*)(), int (*)(int, float), void (*)(int) noexcept, void (*)(const char*, ...), int (*)(int, float)) {}
__global__ void f_nested(void (*)(void (*)(int)), void (*)(int), void (*(*)(int))(float)) {}
__global__ void f_types(Pod (*)(Pod*, const Pod&), Pod, Pod*, const Pod&) {}
__global__ void f_reference(void (&)(int), void (*)(int)) {}
__global__ void f_value(void(int), int(float*)) {}
__global__ void m_data(int Klass::*, const int Klass::*, int Klass::*const*, float Pod::*, Klass) {}
__global__ void m_function(int (Klass::*)(float) const, int (Klass::*)(float), int (Klass::*)(float) const,
                           int (Klass::*)(float) noexcept) {}
__global__ void m_qualified(int (Klass::*)(int) const volatile, int (Klass::*)(int) &, int (Klass::*)(int) const&& noexcept,
                            int (Klass::*)(int) volatile, void (Klass::*)(int, ...) const) {}
__global__ void v_all(char1, uchar4, short2, int2, int3, int4, uint2, uint4, long2, ulong2, longlong2, ulonglong2) {}
__global__ void v_floats(float1, float2, float3, float4, double2, double3, double4_16a, double4_32a, dim3, float4*, const float4*) {}
__global__ void v_complex(cuFloatComplex, cuDoubleComplex, const cuFloatComplex*) {}
__global__ void c_union(Un, Un*, const Un*, Un&) {}
__global__ void c_enums(Old, Color, Tiny, math::Axis, Outer::Mode, Klass::State, Big, Truth, Color*, const Old*) {}
__global__ void c_nested(Outer, Outer::Inner, Outer::Inner*, Outer*, const Outer::Inner*) {}
__global__ void c_namespaces(math::Vec, math::Mat*, math::deep::Leaf, math::deep::Leaf*, math::Axis, math::Vec*) {}
__global__ void c_inline(lib::Vers, lib::VBox<float>, lib::VBox<lib::Vers>*, lib::Vers*) {}
__global__ void c_same_names(a::a::a, a::a::a*, Pod) {}
__global__ void c_long(a_rather_long_type_name_to_test_multi_digit_length_prefixes_in_names*,
                       const a_rather_long_type_name_to_test_multi_digit_length_prefixes_in_names*) {}
__global__ void t_box(Box<int>, Box<float>, Box<int>*, Box<Box<int>>, Box<const int*>, Box<Pod>) {}
__global__ void t_inner(Box<int>::Inner, Box<int>::Inner::Deep<float>, Box<Box<int>::Inner>::En, Box<int>::In2<char, -3>, Box<int>) {}
__global__ void t_inner_types(Box<const unsigned long*>::Inner, Box<math::Vec>::Inner, Box<long double>::En, Box<unsigned char>::Inner*,
                              Box<Pod* const*>::Inner, Box<const volatile Pod*>::En) {}
__global__ void t_pair(Pair2<int, float>, Pair2<float, int>, Pair2<Pair2<int, float>, Pair2<float, int>>, Pair2<Pod, math::Vec>) {}
__global__ void t_ints(Off<3>, Off<-3>, Off<0>, Arr<float, 4>, Arr<Pod, 2147483647>, Shape<1, -2>, Shape<>, Shape<0>) {}
__global__ void t_bool(Flag<true>, Flag<false>, Maybe<true, int>, Maybe<false, Pod>) {}
__global__ void t_enum(Cfg<Color::Red>, Cfg<Color::Blue>, Cfg<Color(7)>, Val<math::Axis::Y>, Val<OldB>, Val<big>, Val<least>,
                       Val<Truth::yes>, Val<Outer::Mode::On>) {}
__global__ void t_auto(Val<1>, Val<1u>, Val<1l>, Val<1ul>, Val<1ll>, Val<1ull>, Val<short(1)>, Val<'c'>, Val<(signed char)-3>,
                       Val<(unsigned char)200>, Val<true>) {}
__global__ void t_auto_more(Val<1.5>, Val<1.5f>, Val<-0.0>, Val<nullptr>, Val<u'x'>, Val<U'x'>, Val<L'x'>, Val<u8'x'>,
                            Val<0xffffffffffffffffull>, Val<-9223372036854775807l - 1>) {}
__global__ void t_packs(Tup<>, Tup<int>, Tup<int, float>, Tup<Tup<>, int>, Tup<Tup<int>>, Tup<Pod, Pod*, const Pod*>) {}
__global__ void t_mixed_packs(Def<int>, Def<int, int>, Def<int, float, char>, Def<int, float, char, Pod>, TypeInts<float>,
                              TypeInts<float, 1, 2>, IntTypes<3>, IntTypes<3, int, int>) {}
__global__ void t_two(Two<int, float, 7>, Two<Pod, Pod, 0>, Two<int, float, 7>*) {}
__global__ void t_templates(Ttp<Tup, int, float>, Ttp<Box, int>, Ttp<lib::VBox, int>, Tup<int, float>, Ttp<Box>) {}
__global__ void t_functions(Box<void(int)>*, Box<int (*)(Pod)>, Box<int Klass::*>, Box<float[4]>, Box<const float>, Box<int&>*,
                            Box<void>*) {}
__global__ void s_pair(std::pair<int, float>, std::pair<float, int>, std::pair<std::pair<int, float>, int*>, const std::pair<int, float>*) {
}
__global__ void s_tuple(std::tuple<>, std::tuple<int>, std::tuple<int, std::tuple<int>>, std::tuple<Pod, Pod*>*) {}
__global__ void s_array(std::array<float, 4>, std::array<int, 4>, std::array<std::array<float, 4>, 4>, std::array<Pod, 1>*) {}
__global__ void s_complex(std::complex<float>, std::complex<double>*, const std::complex<float>*) {}
__global__ void s_allocator(std::allocator<int>*, std::vector<int>*, const std::vector<float, std::allocator<float>>*,
                            std::allocator<char>*) {}
__global__ void s_own(std::hanabi_test::inside, std::hanabi_test::inside::deeper, std::hanabi_test::holder<int>,
                      std::hanabi_test::holder<int>::part, std::pair<int, int>) {}
__global__ void s_misc(std::byte, std::byte*, std::nullptr_t, std::integral_constant<int, 3>, std::true_type, std::ptrdiff_t) {}
__global__ void d_span(cuda::std::span<float>, cuda::std::span<const float>, cuda::std::span<int, 8>, cuda::std::span<float>*) {}
__global__ void d_array(cuda::std::array<float, 4>, cuda::std::complex<float>, cuda::std::complex<double>*) {}
__global__ void d_pair(cuda::std::pair<int, float>, cuda::std::optional<int>, cuda::std::tuple<int, float>) {}
__global__ void d_mdspan(cuda::std::mdspan<float, cuda::std::dextents<int, 2>>, cuda::std::extents<int, 3, 4>) {}
__global__ void x_many(int*, float*, double*, char*, short*, long*, unsigned*, int**, float**, double**, char**, short**, long**,
                       unsigned**, int***, float***, double***, char***, short***, long***, unsigned***, int****, float****, double****,
                       char****, short****, long****, unsigned****, int*****, float*****, double*****, char*****, short*****, long*****,
                       unsigned*****, int******, float******, double******, char******, float******, double******, char******) {}
__global__ void x_mixed(Pod, math::Vec, Box<Pod>, Box<math::Vec>, Tup<Pod, math::Vec, Box<Pod>>, Pair2<Box<math::Vec>, Tup<Pod>>,
                        const Box<Pod>* const*, math::Vec*) {}
namespace ns1 {
__global__ void n_one(int*) {}
} // namespace ns1
namespace ns1::ns2 {
__global__ void n_two(float*, float*, const float*) {}
} // namespace ns1::ns2
namespace ns1::ns2::ns3 {
__global__ void n_three(double**, double*, int) {}
} // namespace ns1::ns2::ns3
namespace ns1 {
__global__ void n_types(Pod, math::Vec, Pod*) {}
} // namespace ns1
namespace math {
__global__ void n_own(math::Vec, math::Mat*, math::Axis, math::deep::Leaf) {}
} // namespace math
namespace math::deep {
__global__ void n_deep(math::Vec, math::deep::Leaf, math::deep::Leaf*) {}
} // namespace math::deep
namespace lib::v1 {
__global__ void n_inline(lib::Vers, lib::VBox<int>) {}
} // namespace lib::v1
namespace a::a {
__global__ void n_again(::a::a::a, ::a::a::a*) {}
} // namespace a::a
namespace ops {
__global__ void n_ops(ops::Add<int>, ops::Add<float>*, ops::Add<int>*) {}
} // namespace ops
namespace ns1 {
__global__ void n_empty() {}
} // namespace ns1
namespace n10 {
__global__ void n_lengthier_than_ten_characters(int, float) {}
} // namespace n10
namespace n10::n11_lengthier_than_ten {
__global__ void x(int*) {}
} // namespace n10::n11_lengthier_than_ten
template <class T>
__global__ void k_axpy(T a, const T* x, T* y, int n) {}
template __global__ void k_axpy<float>(float, const float*, float*, int);
template <class T>
__global__ void k_void() {}
template __global__ void k_void<float>();
template <class A, class B, class C>
__global__ void k_three(A a, B* b, const C* c, C d, A e) {}
template __global__ void k_three<int, Pod, math::Vec>(int, Pod*, const math::Vec*, math::Vec, int);
template <class To, class From>
__global__ void k_cast(const From* in, To* out, long n) {}
template __global__ void k_cast<__half, float>(const float*, __half*, long);
template <int N, bool B>
__global__ void k_value(float* x) {}
template __global__ void k_value<-8, true>(float*);
template <class T, int N>
__global__ void k_type_value(T* x, int n) {}
template __global__ void k_type_value<double, 16>(double*, int);
template <Color C, math::Axis A>
__global__ void k_enum(int* x) {}
template __global__ void k_enum<Color::Blue, math::Axis::Z>(int*);
template <class T>
__global__ void k_box(Box<T> a, Box<T>* b, T c) {}
template __global__ void k_box<float>(Box<float>, Box<float>*, float);
template <class T>
__global__ void k_nested_box(Pair2<T, Box<T>> a, Box<Box<T>>* b) {}
template __global__ void k_nested_box<Pod>(Pair2<Pod, Box<Pod>>, Box<Box<Pod>>*);
template <class T>
__global__ void k_arr(Arr<T, 4> a, T* b) {}
template __global__ void k_arr<float>(Arr<float, 4>, float*);
template <class T, int N>
__global__ void k_off(T (*p)[N], Off<N> q) {}
template __global__ void k_off<float, 3>(float (*)[3], Off<3>);
template <class... T>
__global__ void k_pack(T*... p) {}
template __global__ void k_pack<int, float>(int*, float*);
template <class... T>
__global__ void k_pack_none(T*... p) {}
template __global__ void k_pack_none<>();
template <class F, class... T>
__global__ void k_pack_after(F f, int n, const T*... p) {}
template __global__ void k_pack_after<ops::Add<int>, int, Pod>(ops::Add<int>, int, const int*, const Pod*);
template <class... T>
__global__ void k_tup(Tup<T...> t, const T*... p) {}
template __global__ void k_tup<int, float>(Tup<int, float>, const int*, const float*);
template <template <class> class C, class T>
__global__ void k_ttp(C<T> c, T* t) {}
template __global__ void k_ttp<lib::VBox, int>(lib::VBox<int>, int*);
template <template <class, int> class C>
__global__ void k_ttp_value(C<float, 4> c) {}
template __global__ void k_ttp_value<Arr>(Arr<float, 4>);
template <class T>
__global__ void k_function(T (*f)(T, const T*), T* p) {}
template __global__ void k_function<float>(float (*)(float, const float*), float*);
template <class T>
__global__ void k_member(T Klass::*p, T* q) {}
template __global__ void k_member<int>(int Klass::*, int*);
template <class T>
__global__ void k_array(T (*a)[4], const T (*b)[4]) {}
template __global__ void k_array<float>(float (*)[4], const float (*)[4]);
template <class T>
__global__ void k_pointer(T a, T* b, const T* c) {}
template __global__ void k_pointer<float*>(float*, float**, float* const*);
template <class T>
__global__ void k_const(T* a, T** b) {}
template __global__ void k_const<const float>(const float*, const float**);
template <class T>
__global__ void k_std(std::pair<T, int> a, std::pair<T, int>* b, std::complex<T> c) {}
template __global__ void k_std<float>(std::pair<float, int>, std::pair<float, int>*, std::complex<float>);
template <class T>
__global__ void k_std_argument(T a, T* b) {}
template __global__ void k_std_argument<std::array<std::pair<int, float>, 2>>(std::array<std::pair<int, float>, 2>,
                                                                              std::array<std::pair<int, float>, 2>*);
template <class T>
__global__ void k_span(cuda::std::span<T> a) {}
template __global__ void k_span<float>(cuda::std::span<float>);
template <double D, float F>
__global__ void k_float_value(int x) {}
template __global__ void k_float_value<-2.5, 0.1f>(int);
template <std::nullptr_t N>
__global__ void k_null(int x) {}
template __global__ void k_null<nullptr>(int);
template <int... N>
__global__ void k_values(Shape<N...> s) {}
template __global__ void k_values<1, -2, 3>(Shape<1, -2, 3>);
template <class A, class B, class C, class D, class E, class F, class G, class H, class I, class J, class K, class L>
__global__ void k_eleven(A a, K* k, L* l, J* j) {}
template __global__ void k_eleven<int, int, int, int, int, int, int, int, int, short, float, double>(int, float*, double*, short*);
namespace ns1 {
template <class T>
__global__ void nk_axpy(T a, const T* x, T* y) {}
template __global__ void nk_axpy<float>(float, const float*, float*);
} // namespace ns1
namespace math {
template <class T>
__global__ void nk_vec(T a, math::Vec b, math::Vec* c) {}
template __global__ void nk_vec<math::Vec>(math::Vec, math::Vec, math::Vec*);
} // namespace math
namespace math::deep {
template <class T, math::Axis A>
__global__ void nk_deep(T* a, math::deep::Leaf b) {}
template __global__ void nk_deep<math::deep::Leaf, math::Axis::Y>(math::deep::Leaf*, math::deep::Leaf);
} // namespace math::deep
namespace ns1::ns2 {
template <class F, class... A>
__global__ void nk_pack(F f, A... a) {}
template __global__ void nk_pack<Pod, int, Pod*>(Pod, int, Pod*);
} // namespace ns1::ns2
