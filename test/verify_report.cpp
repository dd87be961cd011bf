// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Verification as a user calls it: against an image without a device, against a function loaded by other means, the table
// of what is bound; exact types through C++ names; contracts against directives.

#define BOOST_TEST_MODULE verify_report
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <hanabi/image.hpp>

#include <array>
#include <string>

using hanabi::errc;
using hanabi::finding;
using hanabi::kernel;
using hanabi::kernel_report;
using hanabi::proof;
using hanabi::registry;
using hanabi::verdict;
using hanabi::verify;
namespace host = hanabi::host;
namespace image = hanabi::image;

namespace {

constexpr char ptx[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry axpy(.param .f32 axpy_param_0, .param .u64 axpy_param_1, .param .u64 axpy_param_2, .param .u32 axpy_param_3) { ret; }
.visible .entry _ZN2la4scalEfPfi(.param .f32 a, .param .u64 x, .param .u32 n) { ret; }
.visible .entry _ZN2la4scalEfPii(.param .f32 a, .param .u64 x, .param .u32 n) { ret; }
.visible .entry _Z4tplaIfEvPT_3OffILi4EE(.param .u64 x, .param .align 4 .b8 o[4]) { ret; }
.visible .entry typed(.param .u64 .ptr .global .align 4 p, .param .u32 n) { ret; }
.visible .entry scratch(.param .u64 p, .param .f64 q) { ret; }
.visible .entry none() { ret; }
)";

struct Off4 {
    int v;
};

constexpr kernel<"m", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> plain_axpy;
constexpr kernel<"m", "axpy", void(float, const int*, double*, unsigned)> axpy_of_other_pointees;
constexpr kernel<"m", "axpy", void(int, const float*, double, float)> axpy_of_other_classes;
constexpr kernel<"m", hanabi::cxx("la::scal"), void(float, float*, int)> la_scal;
constexpr kernel<"m", hanabi::cxx("la::scal"), void(float, double*, int)> scal_of_doubles;
constexpr kernel<"m", "typed", void(float*, int)> typed;
constexpr kernel<"m", "typed", void(long, int)> typed_as_integer;
constexpr kernel<"m", "none", void()> nullary;
constexpr kernel<"m", "scratch", void(float*), hanabi::hidden<1>> scratch;
constexpr kernel<"m", hanabi::matching("la::scal(float, int*, int)"), void(float, int*, int)> by_pattern;
constexpr kernel<"m", hanabi::matching("la::*"), void(float, int*, int)> two_match;
constexpr kernel<"m", hanabi::cxx<"tpla", float>(), void(hanabi::T_<0>*, hanabi::spelled<hanabi::dependent<"Off", hanabi::value<4>>, Off4>)>
    spelled;
constexpr kernel<"m", "axpi", void(float)> missing;

constexpr finding by_driver{verdict::proved, proof::driver}, by_image{verdict::proved, proof::image},
    by_symbol{verdict::proved, proof::symbol}, unproved{};

} // namespace

namespace hanabi {
inline std::ostream& boost_test_print_type(std::ostream& out, const finding& f) {
    return out << name_of(f.what) << " by " << name_of(f.by);
}
} // namespace hanabi

// ---- Against an image -------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_SUITE(against_an_image)

BOOST_AUTO_TEST_CASE(extern_c) {
    const kernel_report r = verify(plain_axpy, ptx);
    BOOST_TEST(r.good());
    BOOST_TEST(r.label == "m::axpy");
    BOOST_TEST(r.name == by_image);
    BOOST_TEST(r.arity == by_image);
    BOOST_TEST(r.size == by_image);
    BOOST_TEST(r.classes == unproved); // .u64 of this dialect may be an integer or a pointer
    BOOST_TEST(r.types == unproved);
    BOOST_TEST(r.contracts.what == verdict::proved); // names alone promise nothing
    BOOST_REQUIRE(r.parameters.size() == 4u);
    BOOST_TEST(r.parameters[0].name == "alpha");
    BOOST_TEST(r.parameters[0].found_type == ".f32");
    BOOST_TEST(r.parameters[0].classes == by_image);
    BOOST_TEST(r.parameters[1].classes == unproved);
    BOOST_TEST(r.parameters[1].found_size == 8u);
    for (const hanabi::parameter_report& p : r.parameters) {
        BOOST_TEST(p.types == unproved);
        BOOST_TEST(p.sizes == by_image);
    }
}

BOOST_AUTO_TEST_CASE(pointees_of_extern_c_are_never_proved) {
    const kernel_report r = verify(axpy_of_other_pointees, ptx);
    BOOST_TEST(r.good()); // nothing says otherwise, and nothing says so
    BOOST_TEST(r.types == unproved);
    for (const hanabi::parameter_report& p : r.parameters) BOOST_TEST(p.types == unproved);
    BOOST_TEST(r.parameters[0].name == "axpy_param_0"); // the image's, where the descriptor has none
    BOOST_TEST(verify(typed, ptx).classes == by_image); // .ptr says that it is one
    BOOST_TEST(verify(typed, ptx).types == unproved);
    BOOST_TEST(verify(nullary, ptx).types == by_image); // nothing is left to differ
}

BOOST_AUTO_TEST_CASE(cxx_names_prove_pointees) {
    const kernel_report r = verify(la_scal, ptx);
    BOOST_TEST(r.good());
    BOOST_TEST(r.types == by_symbol);
    BOOST_TEST(r.classes == by_symbol);
    BOOST_TEST(r.size == by_image);
    BOOST_TEST(r.parameters[0].classes == by_image);
    BOOST_TEST(r.parameters[1].classes == by_symbol);
    BOOST_TEST(r.parameters[1].types == by_symbol);

    // What a descriptor says by `spelled` is its author's claim: the name proves the pattern, not the type.
    BOOST_TEST(verify(spelled, ptx).good());
    BOOST_TEST(verify(spelled, ptx).types == unproved);

    const kernel_report other = verify(scal_of_doubles, ptx);
    BOOST_TEST(other.name.what == verdict::contradicted);
    BOOST_REQUIRE(other.faults.size() == 1u);
    BOOST_TEST((other.faults[0].code == errc::unknown_symbol));
    for (const char* part :
         {"_ZN2la4scalEfPdi", "la::scal(float, double*, int)", "la::scal(float, float*, int)", "_ZN2la4scalEfPii", "7 kernels"})
        BOOST_TEST(other.faults[0].text.find(part) != std::string::npos, part << " is missing in " << other.faults[0].text);
}

BOOST_AUTO_TEST_CASE(contradictions) {
    const kernel_report r = verify(axpy_of_other_classes, ptx);
    BOOST_TEST(r.classes.what == verdict::contradicted);
    BOOST_REQUIRE(r.faults.size() == 3u);
    BOOST_TEST(r.faults[0].parameter == 1u);
    BOOST_TEST(r.faults[1].parameter == 3u);
    BOOST_TEST(r.faults[2].parameter == 4u);
    BOOST_TEST(r.faults[2].text == "parameter 4 is declared as a floating-point value of 4 bytes, the image says .u32 (integer)");
    const kernel_report integer = verify(typed_as_integer, ptx);
    BOOST_REQUIRE(integer.faults.size() == 1u);
    BOOST_TEST(integer.faults[0].text == "parameter 1 is declared as an integer of 8 bytes, the image says .u64 .ptr (pointer)");
    const kernel_report hidden = verify(scratch, ptx);
    BOOST_REQUIRE(hidden.faults.size() == 1u);
    BOOST_TEST(hidden.classes.what == verdict::contradicted);
    BOOST_TEST(hidden.faults[0].text ==
               "parameter 2, behind the declared ones, is to be passed as a null pointer (hidden<1>), the image says "
               ".f64 (floating point)");
    const kernel_report absent = verify(missing, ptx);
    BOOST_REQUIRE(absent.faults.size() == 1u);
    BOOST_TEST(absent.faults[0].text.find("near are 'axpy'") != std::string::npos, absent.faults[0].text);
}

BOOST_AUTO_TEST_CASE(patterns) {
    const kernel_report r = verify(by_pattern, ptx);
    BOOST_TEST(r.good());
    BOOST_TEST(r.label == "m::_ZN2la4scalEfPii");
    BOOST_TEST(r.types == unproved);
    const kernel_report two = verify(two_match, ptx);
    BOOST_REQUIRE(two.faults.size() == 1u);
    BOOST_TEST(two.faults[0].text.find("has 2 kernels that match 'la::*', and one is wanted: la::scal(float, float*, int)") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(any_kind_of_bytes_and_descriptors_as_data) {
    const std::string text = ptx;
    const std::vector<std::byte> cubin = [] {
        const std::string s = test::file("cases/19-nv-info-varies/kernel.sm_90.cubin");
        const auto* const p = reinterpret_cast<const std::byte*>(s.data());
        return std::vector<std::byte>(p, p + s.size());
    }();
    BOOST_TEST(verify(plain_axpy, text).good());
    BOOST_TEST(verify(plain_axpy.info, std::string_view{text}).arity == by_image);
    BOOST_TEST(verify(plain_axpy, image::summarize(std::as_bytes(std::span{text}))).good());
    const kernel_report r = verify(plain_axpy, cubin); // another module: says so
    BOOST_TEST(!r.good());
    const image::summary s = image::summarize(cubin);
    BOOST_REQUIRE(!s.kernels.empty());

    for (const char* bytes : {"", "#include <x>", "/tmp/kernels.ptx"}) {
        const kernel_report bad = verify(plain_axpy, std::string_view{bytes});
        BOOST_REQUIRE(bad.faults.size() == 1u);
        BOOST_TEST((bad.faults[0].code == errc::invalid_image), bad.faults[0].text);
    }
}

BOOST_AUTO_TEST_CASE(what_a_reader_can_not_see_is_unproved) {
    // Of a compressed entry nothing is known, and nothing is contradicted.
    const std::string compressed = test::file("cases/20-fatbin-compressed/size.fatbin");
    const kernel_report r = verify(missing, compressed);
    BOOST_TEST(r.good());
    BOOST_TEST(r.name == unproved);
    BOOST_TEST(r.arity == unproved);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Against a function that was loaded by other means ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(against_a_loaded_function, recording) {
    const registry r = load(ptx, "other");
    const hanabi::driver::function_handle function = r.function("other", "axpy");
    const kernel_report alone = verify(plain_axpy, *gpu, function);
    BOOST_TEST(alone.good());
    BOOST_TEST(alone.name == by_driver);
    BOOST_TEST(alone.arity == by_driver);
    BOOST_TEST(alone.size == by_driver);
    BOOST_TEST(alone.classes == unproved);
    const image::summary s = image::summarize(std::as_bytes(std::span{ptx}));
    BOOST_TEST(verify(plain_axpy, *gpu, function, &s).parameters[0].classes == by_image);
    BOOST_TEST(verify(axpy_of_other_classes, *gpu, function, &s).classes.what == verdict::contradicted);
    const kernel_report other = verify(la_scal, *gpu, function);
    BOOST_TEST(other.name.what == verdict::contradicted);
    BOOST_REQUIRE(other.faults.size() == 1u);
    BOOST_TEST(other.faults[0].text == "the loaded function is 'axpy', not '_ZN2la4scalEfPfi'");
    const kernel_report scaled = verify(la_scal, *gpu, r.function("other", "_ZN2la4scalEfPfi"));
    BOOST_TEST(scaled.types == by_symbol);
    if (!on_host()) return;
    host::fail(hanabi::driver::entry::func_get_param_info, hanabi::driver::status::illegal_address, 2);
    HANABI_CHECK_ERROR(verify(plain_axpy, *gpu, function), hanabi::driver::status::illegal_address, "hanabi::verify: m::axpy", "(700)");
    host::fail(hanabi::driver::entry::func_get_attribute, hanabi::driver::status::unknown, 1);
    HANABI_CHECK_ERROR(verify(plain_axpy, *gpu, function), hanabi::driver::status::unknown, "hanabi::verify: m::axpy", "attributes");
}

// ---- The table ------------------------------------------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(the_table_of_what_is_bound, recording) {
    HANABI_SKIP_ON_CUDA("compares with what the host driver proves");
    const registry r = load(ptx, "m");
    const std::string heading = r.report();
    BOOST_TEST(heading == "kernel  parameters  name  arity  size  class  types  contracts\n");
    r.require(plain_axpy, la_scal, nullary);
    const std::string expected = "kernel               parameters                     name             arity            size             "
                                 "class            types            contracts\n"
                                 "m::axpy              4                              proved (driver)  proved (driver)  proved (driver)  "
                                 "unproved         unproved         none\n"
                                 "  1 alpha            floating point, 4 bytes, .f32  -                -                proved (driver)  "
                                 "proved (image)   unproved         -\n"
                                 "  2 x                pointer, 8 bytes, .u64         -                -                proved (driver)  "
                                 "unproved         unproved         -\n"
                                 "  3 y                pointer, 8 bytes, .u64         -                -                proved (driver)  "
                                 "unproved         unproved         -\n"
                                 "  4 n                integer, 4 bytes, .u32         -                -                proved (driver)  "
                                 "proved (image)   unproved         -\n"
                                 "m::_ZN2la4scalEfPfi  3                              proved (driver)  proved (driver)  proved (driver)  "
                                 "proved (symbol)  proved (symbol)  none\n"
                                 "  1 a                floating point, 4 bytes, .f32  -                -                proved (driver)  "
                                 "proved (image)   proved (symbol)  -\n"
                                 "  2 x                pointer, 8 bytes, .u64         -                -                proved (driver)  "
                                 "proved (symbol)  proved (symbol)  -\n"
                                 "  3 n                integer, 4 bytes, .u32         -                -                proved (driver)  "
                                 "proved (image)   proved (symbol)  -\n"
                                 "m::none              0                              proved (driver)  proved (driver)  proved (driver)  "
                                 "proved (driver)  proved (driver)  none\n";
    BOOST_TEST(r.report() == expected);
    r.require(plain_axpy); // known by now: no second line
    BOOST_CHECK_THROW(r.require(axpy_of_other_classes), hanabi::error);
    BOOST_TEST(r.report() == expected);             // what is refused is not bound
    BOOST_TEST(load(ptx, "m").report() == heading); // another registry's
    r.unload();
    BOOST_TEST(r.report() == expected);
}

BOOST_FIXTURE_TEST_CASE(the_table_has_what_a_launch_bound, recording) {
    HANABI_SKIP_ON_CUDA("launches kernels that do nothing");
    const registry r = load(ptx, "m");
    hanabi::dispatcher{r}(by_pattern[hanabi::over(1)](1.0f, nullptr, 1));
    BOOST_TEST(r.report().find("m::_ZN2la4scalEfPii") != std::string::npos, r.report());
}

// ---- Contracts --------------------------------------------------------------------------------------------------------------------

namespace {

constexpr char contracts_ptx[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry bounded() .maxntid 128, 2, 1 { ret; }
.visible .entry exact() .reqntid 32, 4, 1 { ret; }
.visible .entry pairs() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry ranked() .maxclusterrank 4 { ret; }
.visible .entry waits() { griddepcontrol.wait; ret; }
.visible .entry triggers() { griddepcontrol.launch_dependents; // griddepcontrol.wait
 ret; }
.visible .entry calls() { call.uni f, (); ret; }
.visible .entry free() { ret; }
)";
using hanabi::allows_pdl;
using hanabi::cluster_size;
using hanabi::max_threads;
using hanabi::required_threads;
constexpr kernel<"m", "bounded", void(), max_threads<256>> bounded;
constexpr kernel<"m", "bounded", void(), max_threads<64>> bounded_below;
constexpr kernel<"m", "bounded", void(), max_threads<512>> bounded_above;
constexpr kernel<"m", "bounded", void(), required_threads<512>> bounded_but_required;
constexpr kernel<"m", "exact", void(), max_threads<128>, required_threads<32, 4>> exact;
constexpr kernel<"m", "exact", void(), max_threads<64>> exact_above;
constexpr kernel<"m", "exact", void(), required_threads<4, 32>> exact_turned;
constexpr kernel<"m", "pairs", void(), cluster_size<2>> pairs;
constexpr kernel<"m", "pairs", void(), cluster_size<1, 2>> pairs_turned;
constexpr kernel<"m", "ranked", void(), cluster_size<2, 2>> ranked;
constexpr kernel<"m", "ranked", void(), cluster_size<8>> ranked_above;
constexpr kernel<"m", "waits", void(), allows_pdl> waits;
constexpr kernel<"m", "waits", void(), allows_pdl, required_threads<32>> waits_and_more;
constexpr kernel<"m", "triggers", void(), allows_pdl> triggers;
constexpr kernel<"m", "calls", void(), allows_pdl> calls;
constexpr kernel<"m", "free", void(), cluster_size<2>> free_cluster;
constexpr kernel<"m", "free", void(), required_threads<128>> free_block;

template <class K>
std::string only_fault(const K& k) {
    const kernel_report r = verify(k, contracts_ptx);
    BOOST_TEST(r.contracts.what == verdict::contradicted);
    BOOST_TEST(r.faults.size() == 1u);
    if (r.faults.empty()) return {};
    BOOST_TEST((r.faults[0].code == errc::contract_violated));
    return r.faults[0].text;
}

} // namespace

BOOST_AUTO_TEST_CASE(contracts_against_an_image) {
    BOOST_TEST(verify(bounded, contracts_ptx).contracts == by_image);
    BOOST_TEST(verify(bounded_below, contracts_ptx).contracts == by_image); // stricter than need be
    BOOST_TEST(verify(exact, contracts_ptx).contracts == by_image);
    BOOST_TEST(verify(pairs, contracts_ptx).contracts == by_image);
    BOOST_TEST(verify(waits, contracts_ptx).contracts == by_image);
    BOOST_TEST(verify(waits_and_more, contracts_ptx).contracts == unproved); // nothing requires 32 threads
    for (const kernel_report& r : {verify(ranked, contracts_ptx), verify(calls, contracts_ptx), verify(free_cluster, contracts_ptx),
                                   verify(free_block, contracts_ptx)}) {
        BOOST_TEST(r.good(), r.label);
        BOOST_TEST(r.contracts == unproved, r.label);
    }
    BOOST_TEST(only_fault(bounded_above) == "max_threads says 512, the image says .maxntid 128, 2, 1");
    BOOST_TEST(only_fault(bounded_but_required) == "required_threads says 512 threads in a block, the image says .maxntid 128, 2, 1");
    BOOST_TEST(only_fault(exact_above) == "max_threads says 64, the image says .reqntid 32, 4, 1");
    BOOST_TEST(only_fault(exact_turned) == "required_threads says 4x32x1, the image says .reqntid 32, 4, 1");
    BOOST_TEST(only_fault(pairs_turned) == "cluster_size says 1x2x1, the image's kernel was compiled for 2x1x1");
    BOOST_TEST(only_fault(ranked_above) == "cluster_size says 8x1x1, the image says .maxclusterrank 4");
    BOOST_TEST(only_fault(triggers) == "allows_pdl promises a wait for the kernel before, and the image has no griddepcontrol.wait in it");
}

BOOST_FIXTURE_TEST_CASE(contracts_at_require_and_at_the_first_launch, fresh) {
    HANABI_SKIP_ON_CUDA("is for compute capability 9.0");
    const registry r = load(contracts_ptx, "m");
    r.require(bounded, exact, pairs, waits);
    HANABI_CHECK_ERROR(r.require(bounded_above, exact_turned, pairs_turned, triggers), errc::contract_violated, "4 faults",
                       "m::bounded: max_threads says 512", ".maxntid 128, 2, 1", "m::exact: required_threads says 4x32x1",
                       "m::pairs: cluster_size says 1x2x1", "m::triggers: allows_pdl");
    hanabi::dispatcher run{r};
    HANABI_CHECK_ERROR(run(bounded_above[hanabi::over(1)]()), errc::contract_violated, "max_threads says 512", ".maxntid 128, 2, 1");
    HANABI_CHECK_ERROR(run(triggers[hanabi::over(1)]()), errc::contract_violated, "allows_pdl");
    BOOST_TEST(r.check(bounded_above)[0].contracts.what == verdict::contradicted);
}

// ---- Which part of a fatbin the promise of a wait is read from ----------------------------------------------------------------

namespace {

/// A container of uncompressed PTX entries.
std::vector<std::byte> fatbin(const std::vector<std::pair<unsigned, std::string>>& entries) {
    std::vector<std::byte> out(16);
    const auto put = [&](std::size_t at, std::uint64_t value, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) out[at + i] = static_cast<std::byte>(value >> 8 * i);
    };
    for (const auto& [sm, text] : entries) {
        const std::size_t at = out.size(), padded = (text.size() + 8) / 8 * 8;
        out.resize(at + 64 + padded);
        put(at, 1, 2);
        put(at + 2, 0x101, 2);
        put(at + 4, 64, 4);
        put(at + 8, padded, 8);
        put(at + 24, 0, 2);
        put(at + 26, 8, 2);
        put(at + 28, sm, 4);
        put(at + 40, 0x11, 8);
        for (std::size_t i = 0; i < text.size(); ++i) out[at + 64 + i] = static_cast<std::byte>(text[i]);
    }
    put(0, 0xba55ed50, 4);
    put(4, 1, 2);
    put(6, 16, 2);
    put(8, out.size() - 16, 8);
    return out;
}
std::string waiting(unsigned sm, bool does) {
    return ".version 8.0\n.target sm_" + std::to_string(sm) + "\n.address_size 64\n.visible .entry waits() { " +
           (does ? "griddepcontrol.wait; " : "") + "ret; }\n";
}

} // namespace

BOOST_FIXTURE_TEST_CASE(every_image_that_could_be_chosen_must_wait, fresh) {
    HANABI_SKIP_ON_CUDA("is for compute capability 9.0");
    const auto verdicts = [&](const std::vector<std::pair<unsigned, std::string>>& entries) {
        const std::vector<std::byte> bytes = fatbin(entries);
        const registry r = registry::load(*gpu, {{"m", bytes}});
        return std::pair{r.check(waits)[0].contracts.what, verify(waits, bytes).contracts.what};
    };
    BOOST_TEST((verdicts({{90, waiting(90, true)}}) == std::pair{verdict::proved, verdict::proved}));
    BOOST_TEST((verdicts({{90, waiting(90, false)}}) == std::pair{verdict::contradicted, verdict::contradicted}));
    // A part for devices that know no griddepcontrol: not taken here, but some device could take it.
    BOOST_TEST((verdicts({{90, waiting(90, true)}, {75, waiting(75, false)}}) == std::pair{verdict::unproved, verdict::contradicted}));
    // A part for newer devices is never taken here.
    BOOST_TEST((verdicts({{90, waiting(90, true)}, {100, waiting(100, false)}}) == std::pair{verdict::proved, verdict::contradicted}));
}
