// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Linker names made at compile time against those that nvcc gave: data/mangling/handout.tsv and own.tsv.

#define BOOST_TEST_MODULE mangling

#include <hanabi/mangling.hpp>

#include "data/mangling/types.hpp"

#include <boost/test/unit_test.hpp>

#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

// clang does not tell the names of inline namespaces.
template <>
inline constexpr auto hanabi::cxx_name<lib::Vers> = hanabi::text{"lib::v1::Vers"};
template <class T>
inline constexpr auto hanabi::cxx_name<lib::VBox<T>> = hanabi::text{"lib::v1::VBox"};
template <>
inline constexpr auto hanabi::cxx_template_name<lib::VBox> = hanabi::text{"lib::v1::VBox"};

// g++ does not tell the types of numbers in the names of enclosing classes.
template <>
struct hanabi::enclosing_class<Arr<float, 4>::Inner> {
    using type = Arr<float, 4>;
};

// A template of a kind that the library can't take apart: a number between two types.
template <class A, int N, class B>
struct between {};
template <class A, int N, class B>
struct hanabi::template_arguments<between<A, N, B>> {
    using type = hanabi::pack<A, hanabi::value<N>, B>;
};

struct Gemm {
    struct Params {
        int m;
        struct Deep {
            int x;
        };
    };
};

namespace {

using namespace hanabi;

struct row {
    name_view made;
    std::string_view expected;
};

template <class Signature>
struct as {};

template <symbol S, class... P>
constexpr name_view named(as<void(P...)>) {
    return linker_name<S, P...>;
}

std::string_view view(name_view name) { return {name.data(), name.size()}; }

constexpr row handout[] = {
#include "data/mangling/handout_rows.inc"
};

constexpr row own[] = {
#include "data/mangling/own_rows.inc"
};

} // namespace

BOOST_AUTO_TEST_CASE(every_name_of_the_handout) {
    for (const row& r : handout) BOOST_TEST(view(r.made) == r.expected);
    BOOST_TEST(std::size(handout) == 99u); // all but the one in an anonymous namespace
}

BOOST_AUTO_TEST_CASE(every_name_of_our_own) {
    for (const row& r : own) BOOST_TEST(view(r.made) == r.expected);
    BOOST_TEST(std::size(own) >= 100u);
}

BOOST_AUTO_TEST_CASE(the_traits_are_used) {
    BOOST_TEST(view(linker_name<cxx("f"), Arr<float, 4>::Inner, Arr<float, 4>>) == "_Z1fN3ArrIfLi4EE5InnerES0_");
    BOOST_TEST(view(linker_name<cxx("f"), between<int, 3, float>*>) == "_Z1fP7betweenIiLi3EfE");
}

// What nvcc 13.0 calls kernels whose parameters are members of their template parameter, as CUTLASS has them.
BOOST_AUTO_TEST_CASE(members_of_template_parameters) {
    using params = member<T_<0>, "Params">;
    BOOST_TEST(view(linker_name<cxx<"cutlass::Kernel", ::Gemm>(), spelled<params, ::Gemm::Params>>) ==
               "_ZN7cutlass6KernelI4GemmEEvNT_6ParamsE");
    BOOST_TEST(
        view(linker_name<cxx<"cutlass::K2", ::Gemm>(), spelled<params, ::Gemm::Params>, spelled<const params*, const ::Gemm::Params*>,
                         spelled<member<params, "Deep">, ::Gemm::Params::Deep>, T_<0>>) ==
        "_ZN7cutlass2K2I4GemmEEvNT_6ParamsEPKS3_NS3_4DeepES2_");
    BOOST_TEST(view(linker_name<cxx<"cutlass::K3", ::Gemm>(), spelled<member<Box<T_<0>>, "Inner">, Box<::Gemm>::Inner>,
                                spelled<params, ::Gemm::Params>>) == "_ZN7cutlass2K3I4GemmEEvN3BoxIT_E5InnerENS3_6ParamsE");
    static_assert(
        std::is_same_v<effective_signature<cxx<"cutlass::Kernel", ::Gemm>(), void(spelled<params, ::Gemm::Params>)>, void(::Gemm::Params)>);
}

BOOST_AUTO_TEST_CASE(c_linkage_is_the_name_as_it_stands) {
    BOOST_TEST(view(linker_name<"axpy", float, const float*>) == "axpy");
    BOOST_TEST(view(linker_name<"_Z4axpyfPKf">) == "_Z4axpyfPKf"); // also a name that was mangled by hand
    constexpr symbol s{"axpy"};
    BOOST_TEST(static_cast<const void*>(linker_name<s>.data()) == static_cast<const void*>(linker_name<s, int>.data())); // no copy
}

BOOST_AUTO_TEST_CASE(long_names_and_many_components) {
    BOOST_TEST(
        view(linker_name<cxx(
                 "n123456789::n12345678901::f12345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                 "0123456789")>) ==
        "_ZN10n12345678912n12345678901100f12345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
        "0123456789Ev");
    BOOST_TEST(view(linker_name<cxx("a::b::c")>) == "_ZN1a1b1cEv");
    BOOST_TEST(view(linker_name<cxx("std::f"), int>) == "_ZSt1fi");
    BOOST_TEST(view(linker_name<cxx("std::in::f"), int>) == "_ZNSt2in1fEi");
    BOOST_TEST(view(linker_name<cxx("stdx::f"), int>) == "_ZN4stdx1fEi");
}

BOOST_AUTO_TEST_CASE(abbreviations_of_std) {
    BOOST_TEST(view(linker_name<cxx("f"), std::allocator<char>*, std::allocator<char>>) == "_Z1fPSaIcES_");
    BOOST_TEST(view(linker_name<cxx("f"), std::ostream*, std::istream*, std::iostream*, std::ostream>) == "_Z1fPSoPSiPSdSo");
    BOOST_TEST(view(linker_name<cxx("f"), std::char_traits<char>*, std::basic_ostream<wchar_t>*>) ==
               "_Z1fPSt11char_traitsIcEPSt13basic_ostreamIwS_IwEE");
}

BOOST_AUTO_TEST_CASE(variables) {
    BOOST_TEST(view(variable_linker_name<"table">) == "table");
    BOOST_TEST(view(variable_linker_name<cxx("table")>) == "table");
    BOOST_TEST(view(variable_linker_name<cxx("dv::d1")>) == "_ZN2dv2d1E");
    BOOST_TEST(view(variable_linker_name<cxx("dv::e::m")>) == "_ZN2dv1e1mE");
    BOOST_TEST(view(variable_linker_name<cxx("std::sv")>) == "_ZSt2sv");
    BOOST_TEST(view(variable_linker_name<cxx<"tv", int>()>) == "_Z2tvIiE");
}

BOOST_AUTO_TEST_CASE(effective_signatures) {
    static_assert(std::is_same_v<effective_signature<"f", void(T_<0>, int)>, void(T_<0>, int)>); // not looked into
    static_assert(std::is_same_v<effective_signature<cxx("f"), void(int, float*)>, void(int, float*)>);
    static_assert(std::is_same_v<effective_signature<cxx<"f", float>(), void(T_<0>, const T_<0>*, T_<0>*, int)>,
                                 void(float, const float*, float*, int)>);
    static_assert(std::is_same_v<effective_signature<cxx<"f", int, Pod>(), void(Box<T_<1>>, Pair2<T_<0>, Box<T_<1>*>>, T_<0>(*)(T_<1>))>,
                                 void(Box<Pod>, Pair2<int, Box<Pod*>>, int (*)(Pod))>);
    static_assert(std::is_same_v<effective_signature<cxx<"f", float>(), void(Arr<T_<0>, 4>, T_<0>(*)[4], T_<0> Klass::*)>,
                                 void(Arr<float, 4>, float(*)[4], float Klass::*)>);
    static_assert(std::is_same_v<effective_signature<cxx<"f", Pod, pack<int, float>>(), void(T_<0>, each<const T_<1>*>, int)>,
                                 void(Pod, const int*, const float*, int)>);
    static_assert(std::is_same_v<effective_signature<cxx<"f", pack<>>(), void(int, each<T_<0>>)>, void(int)>);
    static_assert(std::is_same_v<effective_signature<cxx<"f", value<4>>(), void(spelled<dependent<"Off", T_<0>>, Off<4>>, float*)>,
                                 void(Off<4>, float*)>);
}
