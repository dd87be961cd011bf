#!/usr/bin/env python3
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
"""Writes the tables of test/mangling.cpp.

    python3 generate.py          handout_rows.inc from handout.tsv, own_rows.inc from own.tsv
    python3 generate.py --nvcc   compiles own.cu, made from the list below, with nvcc first and writes own.tsv anew

Rows of handout.tsv are declarations as a person writes them; those of kernel templates have their descriptor below.
"""
import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))

# Kernel templates of handout.tsv: name -> symbol, parameters as the template spells them.
handout_templates = {
    "sk_tpl": ('cxx<"sk_tpl", int>()', "T_<0>*"),
    "tt_two": ('cxx<"tt_two", float, __half>()', "T_<0>*, const T_<1>*"),
    "tt_struct": ('cxx<"tt_struct", math::Vec>()', "T_<0>*"),
    "tt_tpl": ('cxx<"tt_tpl", Box<float>>()', "T_<0>, int"),
    "tt_inner": ('cxx<"tt_inner", int>()', "spelled<Box<T_<0>>::Inner, Box<int>::Inner>"),
    "tt_same": ('cxx<"tt_same", int, int>()', "T_<0>, T_<1>, T_<0>, T_<1>"),
    "tt_def": ('cxx<"tt_def", double, float>()', "T_<0>*, T_<1>"),
    "tt_arr": ('cxx<"tt_arr", float[4]>()', "T_<0>*"),
    "tt_u64": ('cxx<"tt_u64", unsigned long long>()', "T_<0>*"),
    "tt_ul": ('cxx<"tt_ul", unsigned long>()', "T_<0>*"),
    "tt_mix": ('cxx<"tt_mix", float>()', "T_<0>*, float*, const float*, T_<0>"),
    "tt_fnp": ('cxx<"tt_fnp", float>()', "T_<0> (*)(T_<0>, int)"),
    "tv_uint": ('cxx<"tv_uint", value<4u>>()', "int"),
    "tv_size": ('cxx<"tv_size", value<1024ul>>()', "int"),
    "tv_ll": ('cxx<"tv_ll", value<-9000000000ll>>()', "int"),
    "tv_short": ('cxx<"tv_short", value<short{7}>>()', "int"),
    "tv_auto": ('cxx<"tv_auto", value<42>>()', "int"),
    "tv_ptrarr": ('cxx<"tv_ptrarr", value<8>>()', "spelled<dependent_array<float, 0>*, float (*)[8]>"),
    "tv_expr": ('cxx<"tv_expr", value<4>>()', 'spelled<dependent<"Arr", float, encoding<"XmlT_Li2EE">>, Arr<float, 8>>'),
    "tv_fn": ('cxx<"tv_fn", encoding<"XadL_Z6dev_fnfEE">>()', "float*"),
    "tv_dbl": ('cxx<"tv_dbl", value<1.5>>()', "int"),
    "tp_ttp2": ('cxx<"tp_ttp2", class_template<Box>, int>()', 'spelled<dependent<"", T_<0>, T_<1>>*, Box<int>*>, T_<1>'),
    "tp_fnpack": ('cxx<"tp_fnpack", ops::Add<int>, pack<int, const int*>>()', "T_<0>, each<T_<1>>"),
    "te_enif": ('cxx<"te_enif", float, value<0>>()', "T_<0>*"),
}

# Kernels of our own: name(parameters).
plain = """
b_all(bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long, float, double, wchar_t)
b_chars(char8_t, char16_t, char32_t, decltype(nullptr), __int128, unsigned __int128)
b_none()
b_std(std::size_t, std::int64_t, std::uint64_t, std::int8_t, std::uint32_t)
b_half(half, half*, const __half2*, nv_bfloat16, __nv_fp8_e4m3, half)
p_restrict(float* __restrict__, const float* __restrict__, float* __restrict__*, float* __restrict__ const*, float* const __restrict__ volatile*)
p_volatile(volatile int*, const volatile int*, volatile int*, int* volatile*, const int* const volatile*)
p_deep(int****, int***, int**, int*, const int****)
p_const(const int* const*, int* const*, const int*, int, const int* const* const*)
p_refs(int&, const int&, int*&, int (&)[3], int&)
a_decay(float[], const float[8], float[3][4], const float[3][4], float (*)[4])
a_inner(const float (*)[4], const float (*)[4][3], float (*)[], float (*const*)[2], const volatile int (*)[7])
a_refs(float (&)[4], const float (&)[4], const float*, float*)
f_plain(void (*)(), int (*)(int, float), void (*)(int) noexcept, void (*)(const char*, ...), int (*)(int, float))
f_nested(void (*)(void (*)(int)), void (*)(int), void (*(*)(int))(float))
f_types(Pod (*)(Pod*, const Pod&), Pod, Pod*, const Pod&)
f_reference(void (&)(int), void (*)(int))
f_value(void(int), int(float*))
m_data(int Klass::*, const int Klass::*, int Klass::* const*, float Pod::*, Klass)
m_function(int (Klass::*)(float) const, int (Klass::*)(float), int (Klass::*)(float) const, int (Klass::*)(float) noexcept)
m_qualified(int (Klass::*)(int) const volatile, int (Klass::*)(int)&, int (Klass::*)(int) const&& noexcept, int (Klass::*)(int) volatile, void (Klass::*)(int, ...) const)
v_all(char1, uchar4, short2, int2, int3, int4, uint2, uint4, long2, ulong2, longlong2, ulonglong2)
v_floats(float1, float2, float3, float4, double2, double3, double4_16a, double4_32a, dim3, float4*, const float4*)
v_complex(cuFloatComplex, cuDoubleComplex, const cuFloatComplex*)
c_union(Un, Un*, const Un*, Un&)
c_enums(Old, Color, Tiny, math::Axis, Outer::Mode, Klass::State, Big, Truth, Color*, const Old*)
c_nested(Outer, Outer::Inner, Outer::Inner*, Outer*, const Outer::Inner*)
c_namespaces(math::Vec, math::Mat*, math::deep::Leaf, math::deep::Leaf*, math::Axis, math::Vec*)
c_inline(lib::Vers, lib::VBox<float>, lib::VBox<lib::Vers>*, lib::Vers*)
c_same_names(a::a::a, a::a::a*, Pod)
c_long(a_rather_long_type_name_to_test_multi_digit_length_prefixes_in_names*, const a_rather_long_type_name_to_test_multi_digit_length_prefixes_in_names*)
t_box(Box<int>, Box<float>, Box<int>*, Box<Box<int>>, Box<const int*>, Box<Pod>)
t_inner(Box<int>::Inner, Box<int>::Inner::Deep<float>, Box<Box<int>::Inner>::En, Box<int>::In2<char, -3>, Box<int>)
t_inner_types(Box<const unsigned long*>::Inner, Box<math::Vec>::Inner, Box<long double>::En, Box<unsigned char>::Inner*, Box<Pod* const*>::Inner, Box<const volatile Pod*>::En)
t_pair(Pair2<int, float>, Pair2<float, int>, Pair2<Pair2<int, float>, Pair2<float, int>>, Pair2<Pod, math::Vec>)
t_ints(Off<3>, Off<-3>, Off<0>, Arr<float, 4>, Arr<Pod, 2147483647>, Shape<1, -2>, Shape<>, Shape<0>)
t_bool(Flag<true>, Flag<false>, Maybe<true, int>, Maybe<false, Pod>)
t_enum(Cfg<Color::Red>, Cfg<Color::Blue>, Cfg<Color(7)>, Val<math::Axis::Y>, Val<OldB>, Val<big>, Val<least>, Val<Truth::yes>, Val<Outer::Mode::On>)
t_auto(Val<1>, Val<1u>, Val<1l>, Val<1ul>, Val<1ll>, Val<1ull>, Val<short(1)>, Val<'c'>, Val<(signed char)-3>, Val<(unsigned char)200>, Val<true>)
t_auto_more(Val<1.5>, Val<1.5f>, Val<-0.0>, Val<nullptr>, Val<u'x'>, Val<U'x'>, Val<L'x'>, Val<u8'x'>, Val<0xffffffffffffffffull>, Val<-9223372036854775807l - 1>)
t_packs(Tup<>, Tup<int>, Tup<int, float>, Tup<Tup<>, int>, Tup<Tup<int>>, Tup<Pod, Pod*, const Pod*>)
t_mixed_packs(Def<int>, Def<int, int>, Def<int, float, char>, Def<int, float, char, Pod>, TypeInts<float>, TypeInts<float, 1, 2>, IntTypes<3>, IntTypes<3, int, int>)
t_two(Two<int, float, 7>, Two<Pod, Pod, 0>, Two<int, float, 7>*)
t_templates(Ttp<Tup, int, float>, Ttp<Box, int>, Ttp<lib::VBox, int>, Tup<int, float>, Ttp<Box>)
t_functions(Box<void(int)>*, Box<int (*)(Pod)>, Box<int Klass::*>, Box<float[4]>, Box<const float>, Box<int&>*, Box<void>*)
s_pair(std::pair<int, float>, std::pair<float, int>, std::pair<std::pair<int, float>, int*>, const std::pair<int, float>*)
s_tuple(std::tuple<>, std::tuple<int>, std::tuple<int, std::tuple<int>>, std::tuple<Pod, Pod*>*)
s_array(std::array<float, 4>, std::array<int, 4>, std::array<std::array<float, 4>, 4>, std::array<Pod, 1>*)
s_complex(std::complex<float>, std::complex<double>*, const std::complex<float>*)
s_allocator(std::allocator<int>*, std::vector<int>*, const std::vector<float, std::allocator<float>>*, std::allocator<char>*)
s_own(std::hanabi_test::inside, std::hanabi_test::inside::deeper, std::hanabi_test::holder<int>, std::hanabi_test::holder<int>::part, std::pair<int, int>)
s_misc(std::byte, std::byte*, std::nullptr_t, std::integral_constant<int, 3>, std::true_type, std::ptrdiff_t)
d_span(cuda::std::span<float>, cuda::std::span<const float>, cuda::std::span<int, 8>, cuda::std::span<float>*)
d_array(cuda::std::array<float, 4>, cuda::std::complex<float>, cuda::std::complex<double>*)
d_pair(cuda::std::pair<int, float>, cuda::std::optional<int>, cuda::std::tuple<int, float>)
d_mdspan(cuda::std::mdspan<float, cuda::std::dextents<int, 2>>, cuda::std::extents<int, 3, 4>)
x_many(int*, float*, double*, char*, short*, long*, unsigned*, int**, float**, double**, char**, short**, long**, unsigned**, int***, float***, double***, char***, short***, long***, unsigned***, int****, float****, double****, char****, short****, long****, unsigned****, int*****, float*****, double*****, char*****, short*****, long*****, unsigned*****, int******, float******, double******, char******, float******, double******, char******)
x_mixed(Pod, math::Vec, Box<Pod>, Box<math::Vec>, Tup<Pod, math::Vec, Box<Pod>>, Pair2<Box<math::Vec>, Tup<Pod>>, const Box<Pod>* const*, math::Vec*)
""".strip().splitlines()
plain = [p[:p.index("(")] + "|" + p[p.index("(") + 1:-1] for p in plain]

# The same in namespaces: qualified name|parameters.
nested = """
ns1::n_one|int*
ns1::ns2::n_two|float*, float*, const float*
ns1::ns2::ns3::n_three|double**, double*, int
ns1::n_types|Pod, math::Vec, Pod*
math::n_own|math::Vec, math::Mat*, math::Axis, math::deep::Leaf
math::deep::n_deep|math::Vec, math::deep::Leaf, math::deep::Leaf*
lib::v1::n_inline|lib::Vers, lib::VBox<int>
a::a::n_again|::a::a::a, ::a::a::a*
ops::n_ops|ops::Add<int>, ops::Add<float>*, ops::Add<int>*
ns1::n_empty|
n10::n_lengthier_than_ten_characters|int, float
n10::n11_lengthier_than_ten::x|int*
""".strip().splitlines()

# Kernel templates of our own: name, declaration, instance (nvcc's <...> and parameters), symbol, signature as spelled.
templates = [
    ("k_axpy", "template <class T>", "T a, const T* x, T* y, int n", "float", "float, const float*, float*, int",
     'cxx<"k_axpy", float>()', "T_<0>, const T_<0>*, T_<0>*, int"),
    ("k_void", "template <class T>", "", "float", "", 'cxx<"k_void", float>()', ""),
    ("k_three", "template <class A, class B, class C>", "A a, B* b, const C* c, C d, A e", "int, Pod, math::Vec", "int, Pod*, const math::Vec*, math::Vec, int",
     'cxx<"k_three", int, Pod, math::Vec>()', "T_<0>, T_<1>*, const T_<2>*, T_<2>, T_<0>"),
    ("k_cast", "template <class To, class From>", "const From* in, To* out, long n", "__half, float", "const float*, __half*, long",
     'cxx<"k_cast", __half, float>()', "const T_<1>*, T_<0>*, long"),
    ("k_value", "template <int N, bool B>", "float* x", "-8, true", "float*", 'cxx<"k_value", value<-8>, value<true>>()', "float*"),
    ("k_type_value", "template <class T, int N>", "T* x, int n", "double, 16", "double*, int", 'cxx<"k_type_value", double, value<16>>()', "T_<0>*, int"),
    ("k_enum", "template <Color C, math::Axis A>", "int* x", "Color::Blue, math::Axis::Z", "int*",
     'cxx<"k_enum", value<Color::Blue>, value<math::Axis::Z>>()', "int*"),
    ("k_box", "template <class T>", "Box<T> a, Box<T>* b, T c", "float", "Box<float>, Box<float>*, float", 'cxx<"k_box", float>()', "Box<T_<0>>, Box<T_<0>>*, T_<0>"),
    ("k_nested_box", "template <class T>", "Pair2<T, Box<T>> a, Box<Box<T>>* b", "Pod", "Pair2<Pod, Box<Pod>>, Box<Box<Pod>>*",
     'cxx<"k_nested_box", Pod>()', "Pair2<T_<0>, Box<T_<0>>>, Box<Box<T_<0>>>*"),
    ("k_arr", "template <class T>", "Arr<T, 4> a, T* b", "float", "Arr<float, 4>, float*", 'cxx<"k_arr", float>()', "Arr<T_<0>, 4>, T_<0>*"),
    ("k_off", "template <class T, int N>", "T (*p)[N], Off<N> q", "float, 3", "float (*)[3], Off<3>",
     'cxx<"k_off", float, value<3>>()', 'spelled<dependent_array<T_<0>, 1>*, float (*)[3]>, spelled<dependent<"Off", encoding<"XT0_E">>, Off<3>>'),
    ("k_pack", "template <class... T>", "T*... p", "int, float", "int*, float*", 'cxx<"k_pack", pack<int, float>>()', "each<T_<0>*>"),
    ("k_pack_none", "template <class... T>", "T*... p", "", "", 'cxx<"k_pack_none", pack<>>()', "each<T_<0>*>"),
    ("k_pack_after", "template <class F, class... T>", "F f, int n, const T*... p", "ops::Add<int>, int, Pod", "ops::Add<int>, int, const int*, const Pod*",
     'cxx<"k_pack_after", ops::Add<int>, pack<int, Pod>>()', "T_<0>, int, each<const T_<1>*>"),
    ("k_tup", "template <class... T>", "Tup<T...> t, const T*... p", "int, float", "Tup<int, float>, const int*, const float*",
     'cxx<"k_tup", pack<int, float>>()', 'spelled<dependent<"Tup", pack<each<T_<0>>>>, Tup<int, float>>, each<const T_<0>*>'),
    ("k_ttp", "template <template <class> class C, class T>", "C<T> c, T* t", "lib::VBox, int", "lib::VBox<int>, int*",
     'cxx<"k_ttp", class_template<lib::VBox>, int>()', 'spelled<dependent<"", T_<0>, T_<1>>, lib::VBox<int>>, T_<1>*'),
    ("k_ttp_value", "template <template <class, int> class C>", "C<float, 4> c", "Arr", "Arr<float, 4>",
     'cxx<"k_ttp_value", dependent<"Arr">>()', 'spelled<dependent<"", T_<0>, float, value<4>>, Arr<float, 4>>'),
    ("k_function", "template <class T>", "T (*f)(T, const T*), T* p", "float", "float (*)(float, const float*), float*",
     'cxx<"k_function", float>()', "T_<0> (*)(T_<0>, const T_<0>*), T_<0>*"),
    ("k_member", "template <class T>", "T Klass::* p, T* q", "int", "int Klass::*, int*", 'cxx<"k_member", int>()', "T_<0> Klass::*, T_<0>*"),
    ("k_array", "template <class T>", "T (*a)[4], const T (*b)[4]", "float", "float (*)[4], const float (*)[4]", 'cxx<"k_array", float>()', "T_<0> (*)[4], const T_<0> (*)[4]"),
    ("k_pointer", "template <class T>", "T a, T* b, const T* c", "float*", "float*, float**, float* const*", 'cxx<"k_pointer", float*>()', "T_<0>, T_<0>*, const T_<0>*"),
    ("k_const", "template <class T>", "T* a, T** b", "const float", "const float*, const float**", 'cxx<"k_const", const float>()', "T_<0>*, T_<0>**"),
    ("k_std", "template <class T>", "std::pair<T, int> a, std::pair<T, int>* b, std::complex<T> c", "float", "std::pair<float, int>, std::pair<float, int>*, std::complex<float>",
     'cxx<"k_std", float>()', "std::pair<T_<0>, int>, std::pair<T_<0>, int>*, std::complex<T_<0>>"),
    ("k_std_argument", "template <class T>", "T a, T* b", "std::array<std::pair<int, float>, 2>", "std::array<std::pair<int, float>, 2>, std::array<std::pair<int, float>, 2>*",
     'cxx<"k_std_argument", std::array<std::pair<int, float>, 2>>()', "T_<0>, T_<0>*"),
    ("k_span", "template <class T>", "cuda::std::span<T> a", "float", "cuda::std::span<float>", 'cxx<"k_span", float>()', "cuda::std::span<T_<0>>"),
    ("k_float_value", "template <double D, float F>", "int x", "-2.5, 0.1f", "int", 'cxx<"k_float_value", value<-2.5>, value<0.1f>>()', "int"),
    ("k_null", "template <std::nullptr_t N>", "int x", "nullptr", "int", 'cxx<"k_null", value<nullptr>>()', "int"),
    ("k_values", "template <int... N>", "Shape<N...> s", "1, -2, 3", "Shape<1, -2, 3>",
     'cxx<"k_values", pack<value<1>, value<-2>, value<3>>>()', 'spelled<dependent<"Shape", pack<encoding<"XT_E">>>, Shape<1, -2, 3>>'),
    ("k_eleven", "template <class A, class B, class C, class D, class E, class F, class G, class H, class I, class J, class K, class L>", "A a, K* k, L* l, J* j", "int, int, int, int, int, int, int, int, int, short, float, double",
     "int, float*, double*, short*", 'cxx<"k_eleven", int, int, int, int, int, int, int, int, int, short, float, double>()', "T_<0>, T_<10>*, T_<11>*, T_<9>*"),
]
# Kernel templates in namespaces: namespace, then as above.
nested_templates = [
    ("ns1", "nk_axpy", "template <class T>", "T a, const T* x, T* y", "float", "float, const float*, float*", 'cxx<"ns1::nk_axpy", float>()', "T_<0>, const T_<0>*, T_<0>*"),
    ("math", "nk_vec", "template <class T>", "T a, math::Vec b, math::Vec* c", "math::Vec", "math::Vec, math::Vec, math::Vec*", 'cxx<"math::nk_vec", math::Vec>()', "T_<0>, math::Vec, math::Vec*"),
    ("math::deep", "nk_deep", "template <class T, math::Axis A>", "T* a, math::deep::Leaf b", "math::deep::Leaf, math::Axis::Y", "math::deep::Leaf*, math::deep::Leaf",
     'cxx<"math::deep::nk_deep", math::deep::Leaf, value<math::Axis::Y>>()', "T_<0>*, math::deep::Leaf"),
    ("ns1::ns2", "nk_pack", "template <class F, class... A>", "F f, A... a", "Pod, int, Pod*", "Pod, int, Pod*", 'cxx<"ns1::ns2::nk_pack", Pod, pack<int, Pod*>>()', "T_<0>, each<T_<1>>"),
]


def write_cuda(path):
    with open(path, "w") as out:
        out.write("// Made by generate.py: kernels whose names nvcc gives.\n#include \"types.hpp\"\n\n")
        for row in plain:
            name, parameters = row.split("|")
            out.write(f"__global__ void {name}({parameters}) {{}}\n")
        for row in nested:
            name, parameters = row.split("|")
            scope, _, last = name.rpartition("::")
            out.write(f"namespace {scope} {{ __global__ void {last}({parameters}) {{}} }}\n")
        for name, head, declared, arguments, parameters, _, _ in templates:
            out.write(f"{head} __global__ void {name}({declared}) {{}}\ntemplate __global__ void {name}<{arguments}>({parameters});\n")
        for scope, name, head, declared, arguments, parameters, _, _ in nested_templates:
            out.write(f"namespace {scope} {{ {head} __global__ void {name}({declared}) {{}}\ntemplate __global__ void {name}<{arguments}>({parameters}); }}\n")


def nvcc_names(path):
    ptx = path + ".ptx"
    subprocess.run(["nvcc", "-std=c++20", "-w", "-ptx", path, "-o", ptx], check=True)
    with open(ptx) as text:
        names = re.findall(r"\.entry (\S+)\(", text.read())
    os.remove(ptx)
    return names


def find(names, last):
    hits = [n for n in names if f"{len(last)}{last}" in n]
    if len(hits) != 1:
        sys.exit(f"{last}: {hits}")
    return hits[0]


def own_rows():
    for row in plain + nested:
        name, parameters = row.split("|")
        yield name, f'cxx("{name}")', parameters
    for name, _, _, _, _, symbol, signature in templates:
        yield name, symbol, signature
    for scope, name, _, _, _, _, symbol, signature in nested_templates:
        yield f"{scope}::{name}", symbol, signature


def write_row(out, symbol, parameters, expected):
    parameters = parameters.replace("unsigned __int128", "uint128").replace("__int128", "int128")  # no -Wpedantic warning
    out.write(f'    {{::named<{symbol}>(as<void({parameters})>{{}}), "{expected}"}},\n')


def main():
    own = os.path.join(here, "own.tsv")
    if "--nvcc" in sys.argv:
        cuda = os.path.join(here, "own.cu")
        write_cuda(cuda)
        names = nvcc_names(cuda)
        with open(own, "w") as out:
            for name, symbol, parameters in own_rows():
                out.write(f"{symbol}\tvoid({parameters})\t{find(names, name.rpartition('::')[2])}\n")
    with open(own) as text, open(os.path.join(here, "own_rows.inc"), "w") as out:
        out.write("// Made by generate.py from own.tsv.\n")
        for line in text:
            symbol, signature, expected = line.rstrip("\n").split("\t")
            write_row(out, symbol, signature[len("void("):-1], expected)
    with open(os.path.join(here, "handout.tsv")) as text, open(os.path.join(here, "handout_rows.inc"), "w") as out:
        out.write("// Made by generate.py from handout.tsv.\n")
        for line in text:
            signature, expected = line.rstrip("\n").split("\t")
            if "anonymous namespace" in signature:
                continue  # a name that differs from file to file
            match = re.match(r'(extern "C" )?(?:template <.*>\s+)?(?:static )?void ([\w:]+)\((.*?)\)(?: \[\w+ = .*\])?$', signature)
            if not match:
                sys.exit("not understood: " + signature)
            is_c, name, parameters = match.groups()
            symbol = f'"{name}"' if is_c else f'cxx("{name}")'
            if "template <" in signature:
                symbol, parameters = handout_templates[name]
            write_row(out, symbol, parameters, expected)


main()
