// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Reports of names that were not found, or found where they should not be, as tests: cases 07 to 11 and 28 of
// test/data/cases.

#define BOOST_TEST_MODULE cases_names
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

using hanabi::errc;
using hanabi::kernel;
using hanabi::over;
using hanabi::registry;
namespace host = hanabi::host;

// ---- 07: extern "C" forgotten ---------------------------------------------------------------------------------------------

namespace {
constexpr kernel<"m", "blur_h", void(const float*, float*, int, int)> blur_plain;
constexpr kernel<"m", hanabi::cxx("blur_h"), void(const float*, float*, int, int)> blur;
constexpr kernel<"m", hanabi::cxx("img::blur_v"), void(const float*, float*, int)> blur_v;
constexpr kernel<"m", "sum", void(const float*, float*)> sum_plain;
constexpr kernel<"m", hanabi::cxx("sum"), void(const double*, double*)> sum_double;
constexpr kernel<"m", "plain", void(float*)> plain;
constexpr kernel<"m", hanabi::cxx("plain"), void(float*)> plain_mangled;
} // namespace

BOOST_FIXTURE_TEST_CASE(case_07_missing_extern_c, recording) {
    const registry r = load(test::file("cases/07-missing-extern-c/kernel.ptx"), "m");
    HANABI_CHECK_ERROR(r.require(blur_plain), errc::unknown_symbol, "m::blur_h", "has no kernel 'blur_h'",
                       "'_Z6blur_hPKfPfii' which is blur_h(float const*, float*, int, int)");
    HANABI_CHECK_ERROR(r.function("m", "blur_h"), errc::unknown_symbol, "_Z6blur_hPKfPfii", "blur_h(float const*, float*, int, int)");
    r.require(blur, blur_v, sum_double, plain);
    HANABI_CHECK_ERROR(r.require(sum_plain), errc::unknown_symbol, "_Z3sumPKfPf", "sum(float const*, float*)", "_Z3sumPKdPd",
                       "sum(double const*, double*)");
    HANABI_CHECK_ERROR(r.require(plain_mangled), errc::unknown_symbol, "_Z5plainPf", "plain(float*)", "near are 'plain'");
}

// ---- 08: not found, and not told what ---------------------------------------------------------------------------------------

namespace {
constexpr kernel<"label", "matmul", void(void*, void*, void*, int)> matmul;
constexpr kernel<"label", "f8_cast", void(void*)> f8_cast;
constexpr kernel<"label", "cast_f16", void(void*)> cast_f16;
} // namespace

BOOST_FIXTURE_TEST_CASE(case_08_not_found_without_name, recording) {
    const registry r = load(test::file("cases/08-not-found-without-name/kernel.ptx"), "label");
    HANABI_CHECK_ERROR(r.require(matmul), errc::unknown_symbol, "label::matmul", "module 'label'", "compute_80 PTX (version 9.0)",
                       "3 kernels", "'matmul'", "near are 'matmul_0d1d2d3de4c'");
    const caught error = catch_error([&] { r.require(f8_cast); });
    BOOST_TEST((error.code == errc::unknown_symbol));
    BOOST_TEST(error.says("'f8_cast'"));
    BOOST_TEST(!error.says("matmul"), error.message);
    BOOST_TEST(!error.says("cast_bf16"), error.message);
    if (!on_host()) return;
    host::accept_unknown_functions(true);
    HANABI_CHECK_ERROR(r.require(matmul), errc::unknown_symbol, "'matmul'");
    HANABI_CHECK_ERROR(r.function("label", "f8_cast"), errc::unknown_symbol, "'f8_cast'");
    r.require(cast_f16);
}

// ---- 09: long against long long ---------------------------------------------------------------------------------------------

namespace {
using texture = unsigned long long; // cudaTextureObject_t
constexpr kernel<"m", hanabi::cxx("step"), void(long long*, long long)> step;
constexpr kernel<"m", hanabi::cxx("step"), void(long*, long)> step_of_long;
constexpr kernel<"m", hanabi::cxx("stepl"), void(long*, long)> stepl;
constexpr kernel<"m", hanabi::cxx("stepi64"), void(std::int64_t*, std::uint64_t)> stepi64;
constexpr kernel<"m", hanabi::cxx("steps"), void(std::size_t, std::ptrdiff_t, int*)> steps;
constexpr kernel<"m", hanabi::cxx("tex"), void(texture, float*)> tex;
constexpr kernel<"m", hanabi::cxx("tex"), void(std::uint64_t, float*)> tex_of_uint64;
constexpr kernel<"m", hanabi::cxx<"st", long>(), void(hanabi::T_<0>*)> st_long;
constexpr kernel<"m", hanabi::cxx<"st", long long>(), void(hanabi::T_<0>*)> st_long_long;
constexpr kernel<"m", hanabi::cxx<"st", unsigned long>(), void(hanabi::T_<0>*)> st_unsigned_long;
static_assert(step.symbol == "_Z4stepPxx" && stepl.symbol == "_Z5steplPll" && stepi64.symbol == "_Z7stepi64Plm");
static_assert(steps.symbol == "_Z5stepsmlPi" && tex.symbol == "_Z3texyPf" && st_long.symbol == "_Z2stIlEvPT_");
static_assert(st_long_long.symbol == "_Z2stIxEvPT_" && tex_of_uint64.symbol == "_Z3texmPf");
} // namespace

BOOST_FIXTURE_TEST_CASE(case_09_long_or_long_long, recording) {
    const registry r = load(test::file("cases/09-int64-long-or-long-long/kernel.ptx"), "m");
    r.require(step, stepl, stepi64, steps, tex, st_long, st_long_long);
    for (const hanabi::kernel_report& report : r.check(step, stepl, stepi64, steps, tex, st_long, st_long_long))
        BOOST_TEST(report.types.what == hanabi::verdict::proved);
    HANABI_CHECK_ERROR(r.require(step_of_long), errc::unknown_symbol, "'_Z4stepPll', step(long*, long)",
                       "the module has _Z4stepPxx = step(long long*, long long)", "long against long long only");
    HANABI_CHECK_ERROR(r.require(tex_of_uint64), errc::unknown_symbol, "_Z3texmPf", "_Z3texyPf = tex(unsigned long long, float*)",
                       "long against long long only");
    const caught other = catch_error([&] { r.require(st_unsigned_long); });
    BOOST_TEST(other.says("st<long>(long*)"), other.message);
    BOOST_TEST(!other.says("long against long long"), other.message); // signed is another matter
}

// ---- 10: std templates again and again --------------------------------------------------------------------------------------

struct Ev {
    int x;
};
namespace n {
struct Ev {
    int x;
};
template <class T>
struct W {
    T v;
};
} // namespace n

// What is not trivial of these is assignment; kernels take copies.
template <class A, class B>
inline constexpr bool hanabi::passes_bytewise<std::pair<A, B>> = true;
template <class... T>
inline constexpr bool hanabi::passes_bytewise<std::tuple<T...>> = true;

namespace {
using std::pair;
constexpr kernel<"m", hanabi::cxx("a1"), void(pair<int, float>, pair<float, int>, int*)> a1;
constexpr kernel<"m", hanabi::cxx("a2"), void(const pair<int, float>*, pair<int, float>*, pair<int, float>**)> a2;
constexpr kernel<"m", hanabi::cxx("a3"), void(std::array<float, 4>, std::array<int, 4>, pair<std::array<float, 4>, int>)> a3;
constexpr kernel<"m", hanabi::cxx("qq"), void(Ev*, Ev*, const Ev*, Ev**, Ev)> qq;
constexpr kernel<"m", hanabi::cxx("a4"), void(n::Ev, n::W<n::Ev>, n::W<n::W<n::Ev>>*, n::Ev*)> a4;
constexpr kernel<"m", hanabi::cxx("n::a5"), void(n::Ev, n::W<int>, n::W<float>, const n::W<int>*, Ev)> a5;
constexpr kernel<"m", hanabi::cxx("a6"), void(std::tuple<int, int*, int**>, int*, int**)> a6;
constexpr kernel<"m", hanabi::cxx("a7"), void(void (*)(pair<int, float>*), pair<int, float>*)> a7;
static_assert(a1.symbol == "_Z2a1St4pairIifES_IfiEPi" && qq.symbol == "_Z2qqP2EvS0_PKS_PS0_S_");
static_assert(a6.symbol == "_Z2a6St5tupleIJiPiPS0_EES0_S1_");
} // namespace
BOOST_FIXTURE_TEST_CASE(case_10_std_template_substitution, recording) {
    const registry r = load(test::file("cases/10-std-template-substitution/kernel.ptx"), "m");
    r.require(a1, a2, a3, qq, a4, a5, a6, a7); // byte for byte, or not found
}

// ---- 11: names that no compiler but nvcc can know -----------------------------------------------------------------------------

namespace {
constexpr kernel<"m", hanabi::matching("(anonymous namespace)::hidden(int*)"), void(int*)> hidden;
constexpr kernel<"m", hanabi::matching("*hidden*"), void(float*, int)> hidden_otherwise;
constexpr kernel<"m", hanabi::cxx("filek"), void(int*)> filek;
struct closure {
    unsigned char nothing;
};
constexpr kernel<"m", hanabi::matching("run<host()::{lambda(int)#1}>(*)"), void(closure, int*)> first_lambda;
constexpr kernel<"m", hanabi::matching("run<*>(*)"), void(closure, int*)> any_lambda;
constexpr kernel<"m", hanabi::matching("tk<(anonymous namespace)::Priv>(*)"), void(Ev, int*)> of_private_type;
constexpr kernel<"m", hanabi::matching("*::absent(int*)"), void(int*)> absent;
constexpr kernel<"m", "hidden", void(int*)> hidden_plain;
} // namespace

BOOST_FIXTURE_TEST_CASE(case_11_lambda_and_anonymous_kernels, recording) {
    const registry r = load(test::file("cases/11-lambda-and-anonymous-kernels/kernel.ptx"), "m");
    r.require(hidden, filek, first_lambda, of_private_type);
    BOOST_TEST(r.check(hidden)[0].label.find("6hiddenEPi") != std::string::npos);
    BOOST_TEST(r.check(hidden)[0].label.starts_with("m::_ZN41_GLOBAL__N__"));
    HANABI_CHECK_ERROR(r.require(hidden_otherwise), errc::signature_mismatch, "declared with 2 parameters", "has 1");
    HANABI_CHECK_ERROR(r.require(any_lambda), errc::unknown_symbol, "has 2 kernels that match 'run<*>(*)', and one is wanted",
                       "run<host()::{lambda(int)#1}>", "run<host()::{lambda(int)#2}>");
    HANABI_CHECK_ERROR(r.require(absent), errc::unknown_symbol, "has 0 kernels that match '*::absent(int*)'", "it has", "hidden(int*)");
    HANABI_CHECK_ERROR(r.require(hidden_plain), errc::unknown_symbol, "has no kernel 'hidden'", "(anonymous namespace)::hidden(int*)");
}

// ---- 28: one name in two modules ----------------------------------------------------------------------------------------------

namespace {
constexpr kernel<"a", "probe", void(float*)> probe_a;
constexpr kernel<"b", "probe", void(float*)> probe_b;
constexpr kernel<"b2", "probe", void(float*)> probe_b2;
constexpr hanabi::global<"a", "coef", float[4]> coef_a;
constexpr hanabi::global<"b", "coef", float[4]> coef_b;
constexpr hanabi::global<"b2", "coef", float[8]> coef_b2;
} // namespace

BOOST_FIXTURE_TEST_CASE(case_28_same_name_two_modules, fresh) {
    const std::string a = test::file("cases/28-same-name-two-modules/a.ptx"), b = test::file("cases/28-same-name-two-modules/b.ptx"),
                      b2 = test::file("cases/28-same-name-two-modules/b2.ptx");
    std::optional<registry> r = registry::load(*gpu, {{"a", a}, {"b", b}, {"b2", b2}});
    if (on_host()) {
        host::define(probe_a, [](host::thread t, float* p) { *p = *p * 2.0f + t.variable<float>("coef")[0]; });
        host::define(probe_b, [](host::thread t, float* p) { *p = *p + 100.0f + t.variable<float>("coef")[1]; });
    }
    BOOST_TEST(r->function("a", "probe") != r->function("b", "probe"));
    BOOST_TEST(r->symbol("a", "coef").address != r->symbol("b", "coef").address);
    r->variable(coef_a).write({1, 2, 3, 4});
    r->variable(coef_b).write({10, 20, 30, 40});
    r->variable(coef_b2).write(std::array<float, 8>{});
    hanabi::buffer<float> value{*gpu, 1};
    const auto probe = [&](const registry& of, const auto& which) {
        value.copy_from(std::vector<float>{5.0f});
        hanabi::dispatcher{of}(which[hanabi::grid(1) | hanabi::block(1)](value));
        r->stream().synchronize();
        return value.to_vector()[0];
    };
    BOOST_TEST(probe(*r, probe_a) == 11.0f);
    BOOST_TEST(probe(*r, probe_b) == 125.0f);
    HANABI_CHECK_ERROR(r->require(probe_b2), errc::signature_mismatch, "b2::probe", "declared with 1 parameter", "has 2");

    // The same bytes twice are two modules: what is set in one is not seen in the other.
    const registry again = registry::load(*gpu, {{"a", a}});
    again.variable(coef_a).write({7, 0, 0, 0});
    BOOST_TEST(r->variable(coef_a).read()[0] == 1.0f);
    BOOST_TEST(probe(again, probe_a) == 17.0f);
    BOOST_TEST(probe(*r, probe_a) == 11.0f);

    // Another in its place: nothing of the old one survives.
    const hanabi::dispatcher old{*r};
    r->unload();
    const registry instead = registry::load(*gpu, {{"a", a}});
    HANABI_CHECK_ERROR(old(probe_a[hanabi::grid(1) | hanabi::block(1)](value)), errc::module_unloaded, "a::probe");
    BOOST_TEST(probe(instead, probe_a) == 10.0f); // its own coef is zero
}
