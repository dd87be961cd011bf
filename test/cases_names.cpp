// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Reports of names that were not found, or found where they should not be, as tests: cases 07, 08 and 28 of
// test/data/cases.

#define BOOST_TEST_MODULE cases_names
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <array>

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
