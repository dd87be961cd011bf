// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Verification: what a loaded kernel proves and contradicts of a descriptor, from the driver's query, from the image, and
// from nothing; names, patterns, contracts; the cost of requiring many.

#define BOOST_TEST_MODULE verify
#include <boost/test/unit_test.hpp>

#include "support/faults.hpp"
#include "support/launching.hpp"

#include <utility>

using hanabi::errc;
using hanabi::kernel;
using hanabi::proof;
using hanabi::registry;
using hanabi::verdict;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr char ptx[] = R"(
.version 7.8
.target sm_75
.address_size 64
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
.visible .entry wide(.param .f64 a, .param .u8 b, .param .align 8 .b8 c[24]) { ret; }
.visible .entry hidden2(.param .u64 p, .param .u64 s0, .param .u64 s1) { ret; }
.visible .entry hidden1(.param .u64 p, .param .u64 s0) { ret; }
.visible .entry hidden_big(.param .u64 p, .param .align 8 .b8 s0[64]) { ret; }
.visible .entry bounded() .maxntid 128, 1, 1 { ret; }
.visible .entry exact() .reqntid 32, 4, 1 { ret; }
.visible .entry _Z5taxpyIfEvT_PKS0_PS0_i(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
.visible .entry _Z5taxpyIdEvT_PKS0_PS0_i(.param .f64 a, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
.visible .entry _ZN44_GLOBAL__N__4b7e1a2c_9_hidden_cu_4b7e1a2c_126hidden6kernelEPi(.param .u64 p) { ret; }
.visible .entry _Z4fillPl(.param .u64 p) { ret; }
)";

constexpr kernel<"m", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> good;
constexpr kernel<"m", "axpy", void(float, const float*, float*)> short_of_one;
constexpr kernel<"m", "axpy", void(float, const float*, float*, int, int, int)> two_too_many;
constexpr kernel<"m", "axpy", void()> without;
constexpr kernel<"m", "axpy", void(double, const float*, float*, short), hanabi::names<"alpha", "x", "y", "n">> wrong_sizes;
constexpr kernel<"m", "axpy", void(int, const float*, float*, float), hanabi::names<"alpha", "x", "y", "n">> wrong_classes;
constexpr kernel<"m", "axpy", void(float, double, float*, int)> number_for_pointer;
struct three {
    double x, y, z;
};
constexpr kernel<"m", "wide", void(double, bool, three)> wide;
constexpr kernel<"m", "nothing", void(int)> missing;
constexpr kernel<"nowhere", "axpy", void(int)> in_no_module;

constexpr kernel<"m", "hidden2", void(int*), hanabi::hidden<2>> hidden2;
constexpr kernel<"m", "hidden1", void(int*), hanabi::hidden<2>> hidden1;
constexpr kernel<"m", "hidden2", void(int*), hanabi::hidden<1>> too_few_hidden;
constexpr kernel<"m", "hidden_big", void(int*), hanabi::hidden<1>> hidden_big;
constexpr kernel<"m", "axpy", void(float, const float*, float*, int), hanabi::hidden<2>> none_hidden;

constexpr kernel<"m", hanabi::cxx<"taxpy", float>(), void(hanabi::T_<0>, const hanabi::T_<0>*, hanabi::T_<0>*, int)> taxpy_float;
constexpr kernel<"m", hanabi::cxx<"taxpy", int>(), void(hanabi::T_<0>, const hanabi::T_<0>*, hanabi::T_<0>*, int)> taxpy_int;
constexpr kernel<"m", hanabi::matching("*hidden::kernel(int*)"), void(int*)> by_pattern;
constexpr kernel<"m", hanabi::matching("*taxpy*"), void(float, const float*, float*, int)> two_match;
constexpr kernel<"m", hanabi::matching("nothing*"), void()> none_match;
constexpr kernel<"m", hanabi::cxx("fill"), void(long long*)> fill_long_long;

struct module : recording {
    registry r = load(ptx, "m");
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(by_the_driver, module)

BOOST_AUTO_TEST_CASE(all_of_it_proved) {
    const auto reports = r.check(good, wide);
    BOOST_REQUIRE(reports.size() == 2u);
    for (const hanabi::kernel_report& report : reports) {
        BOOST_TEST(report.good());
        BOOST_TEST(report.name.what == verdict::proved);
        BOOST_TEST(report.arity.what == verdict::proved);
        BOOST_TEST(report.size.what == verdict::proved);
        BOOST_TEST(report.name.by == proof::driver);
        BOOST_TEST(report.arity.by == proof::driver);
    }
    BOOST_TEST(reports[0].classes.what == verdict::unproved); // .u64 may be a pointer
    BOOST_TEST(reports[0].kernel == &good.info);
    r.require(good, wide);
}

BOOST_AUTO_TEST_CASE(arity) {
    HANABI_CHECK_ERROR(r.require(short_of_one), errc::signature_mismatch, "hanabi::registry::require: 1 fault", "m::axpy",
                       "declared with 3 parameters", "the loaded kernel has 4");
    HANABI_CHECK_ERROR(r.require(two_too_many), errc::signature_mismatch, "m::axpy", "declared with 6 parameters", "has 4");
    HANABI_CHECK_ERROR(r.require(without), errc::signature_mismatch, "m::axpy", "declared with 0 parameters", "has 4");
    const hanabi::kernel_report report = r.check(short_of_one)[0];
    BOOST_TEST(report.arity.what == verdict::contradicted);
    BOOST_TEST(report.size.what == verdict::unproved);
    BOOST_TEST(report.classes.what == verdict::unproved);
}

BOOST_AUTO_TEST_CASE(sizes) {
    HANABI_CHECK_ERROR(r.require(wrong_sizes), errc::signature_mismatch, "2 faults",
                       "parameter 1 'alpha' is declared as a floating-point value of 8 bytes, the loaded kernel takes 4 bytes",
                       "parameter 4 'n' is declared as an integer of 2 bytes, the loaded kernel takes 4 bytes");
    const hanabi::kernel_report report = r.check(wrong_sizes)[0];
    BOOST_TEST(report.size.what == verdict::contradicted);
    BOOST_REQUIRE(report.faults.size() == 2u);
    BOOST_TEST(report.faults[0].parameter == 1u);
    BOOST_TEST(report.faults[1].parameter == 4u);
}

BOOST_AUTO_TEST_CASE(classes) {
    HANABI_CHECK_ERROR(r.require(wrong_classes), errc::signature_mismatch,
                       "parameter 1 'alpha' is declared as an integer of 4 bytes, the image says .f32",
                       "parameter 4 'n' is declared as a floating-point value of 4 bytes, the image says .u32");
    HANABI_CHECK_ERROR(r.require(number_for_pointer), errc::signature_mismatch, "parameter 2", "a floating-point value of 8 bytes", ".u64");
    BOOST_TEST(r.check(wrong_classes)[0].classes.what == verdict::contradicted);
}

BOOST_AUTO_TEST_CASE(every_fault_of_every_descriptor_in_one_error) {
    const caught e = catch_error([&] { r.require(good, short_of_one, wrong_sizes, missing, in_no_module, wide); });
    BOOST_TEST((e.code == errc::signature_mismatch));
    for (const char* part : {"5 faults", "declared with 3 parameters", "'alpha'", "'n'", "m::nothing", "has no kernel 'nothing'",
                             "nowhere::axpy", "no module 'nowhere'"})
        BOOST_TEST(e.says(part), part << " is missing: " << e.message);
    r.require(good, wide); // they were bound, or can be
}

BOOST_AUTO_TEST_CASE(hidden_parameters) {
    HANABI_SKIP_ON_CUDA("looks at the launches");
    r.require(hidden2, hidden1, none_hidden);
    HANABI_CHECK_ERROR(r.require(too_few_hidden), errc::signature_mismatch, "declared with 1 parameter and 1 hidden", "has 3");
    HANABI_CHECK_ERROR(r.require(hidden_big), errc::signature_mismatch, "parameter 2", "null pointer", "64 bytes");
    hanabi::dispatcher run{r};
    run(hidden2[hanabi::over(1)](nullptr));
    BOOST_TEST(last_launch().arguments.size() == 3u);
    BOOST_TEST(hex(last_launch().arguments[2]) == "00 00 00 00 00 00 00 00");
    run(hidden1[hanabi::over(1)](nullptr));
    BOOST_TEST(last_launch().arguments.size() == 2u);
    run(none_hidden[hanabi::over(1)](1.0f, nullptr, nullptr, 1));
    BOOST_TEST(last_launch().arguments.size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_query_that_fails) {
    HANABI_SKIP_ON_CUDA("fails on order");
    host::fail(entry::func_get_param_info, status::illegal_address, 2);
    HANABI_CHECK_ERROR(r.require(good), status::illegal_address, "m::axpy", "asking for parameter 2", "met here, not caused here",
                       "CUDA_ERROR_ILLEGAL_ADDRESS (700): ");
    host::fail(entry::func_get_attribute, status::unknown, 1);
    HANABI_CHECK_ERROR(r.require(good), status::unknown, "m::axpy", "attributes", "(999)");
    host::fail(entry::func_load, status::out_of_memory, 1);
    HANABI_CHECK_ERROR(r.require(good), status::out_of_memory, "m::axpy", "looking the kernel up", "(2)");
    r.require(good);
}

BOOST_AUTO_TEST_CASE(a_query_that_never_ends) {
    HANABI_SKIP_ON_CUDA("fails on order");
    host::fail(entry::func_get_param_info, status::success, 1, host::forever);
    BOOST_TEST((catch_error([&] { r.require(good); }).code == errc::signature_mismatch));
}

BOOST_AUTO_TEST_CASE(every_driver_call_of_a_require_may_fail) {
    HANABI_SKIP_ON_CUDA("fails on order");
    every_call_fails([&] {
        const registry one = load(ptx, "m");
        one.require(good);
    });
    host::reset();
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// A driver older than the query.
struct old_driver : fresh {
    const hanabi::driver::table& table =
        host::table_without({entry::func_get_param_info, entry::func_load, entry::module_get_function_count});
    std::optional<hanabi::context> old{hanabi::context::primary(0, table)};
    ~old_driver() {
        old.reset();
        hanabi::context::release(0, table);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(without_the_query_the_image_says, old_driver) {
    HANABI_SKIP_ON_CUDA("configures the driver");
    const registry r = registry::load(*old, {{"m", ptx}});
    r.require(good, wide, hidden1, none_hidden);
    const hanabi::kernel_report report = r.check(good)[0];
    BOOST_TEST(report.arity.what == verdict::proved);
    BOOST_TEST(report.arity.by == proof::image);
    BOOST_TEST(report.size.by == proof::image);
    HANABI_CHECK_ERROR(r.require(short_of_one, wrong_sizes, wrong_classes), errc::signature_mismatch, "3 parameters", "8 bytes", ".f32");
}

BOOST_FIXTURE_TEST_CASE(where_nothing_is_known_nothing_is_verified, old_driver) {
    HANABI_SKIP_ON_CUDA("configures the driver");
    // Of a cubin cut out of its sections the readers say nothing of parameters.
    const registry r = registry::load(*old, {{"m", ptx}});
    for (hanabi::image::kernel_summary& k : (*static_cast<hanabi::detail::loaded_registry<>&>(*r.state()).modules.begin()).kernels)
        k.parameters_known = false;
    const hanabi::kernel_report report = r.check(wrong_sizes)[0];
    BOOST_TEST(report.good());
    BOOST_TEST(report.name.what == verdict::proved);
    BOOST_TEST(report.arity.what == verdict::unproved);
    BOOST_TEST(report.size.what == verdict::unproved);
    BOOST_TEST(report.classes.what == verdict::unproved);
    r.require(wrong_sizes); // unproved passes
}

BOOST_FIXTURE_TEST_SUITE(by_name, module)

BOOST_AUTO_TEST_CASE(templates) {
    r.require(taxpy_float);
    HANABI_CHECK_ERROR(r.require(taxpy_int), errc::unknown_symbol, "_Z5taxpyIiEvT_PKS0_PS0_i",
                       "void taxpy<int>(int, int const*, int*, int)", "_Z5taxpyIfEvT_PKS0_PS0_i", "taxpy<float>", "taxpy<double>");
}

BOOST_AUTO_TEST_CASE(patterns) {
    HANABI_SKIP_ON_CUDA("looks at the launches");
    r.require(by_pattern);
    hanabi::dispatcher run{r};
    run(by_pattern[hanabi::over(1)](nullptr));
    BOOST_TEST(last_launch().symbol == "_ZN44_GLOBAL__N__4b7e1a2c_9_hidden_cu_4b7e1a2c_126hidden6kernelEPi");
    HANABI_CHECK_ERROR(r.require(two_match), errc::unknown_symbol, "module 'm' has 2 kernels that match '*taxpy*'", "taxpy<float>",
                       "taxpy<double>", "one is wanted");
    HANABI_CHECK_ERROR(r.require(none_match), errc::unknown_symbol, "0 kernels that match 'nothing*'", "axpy");
}

BOOST_AUTO_TEST_CASE(long_against_long_long) {
    HANABI_CHECK_ERROR(r.require(fill_long_long), errc::unknown_symbol, "_Z4fillPx", "_Z4fillPl", "long against long long");
}

BOOST_AUTO_TEST_CASE(a_driver_that_finds_everything_is_not_believed) {
    HANABI_SKIP_ON_CUDA("fails on order");
    host::accept_unknown_functions(true);
    HANABI_CHECK_ERROR(r.require(missing), errc::unknown_symbol, "has no kernel 'nothing'");
    HANABI_CHECK_ERROR(r.function("m", "nothing"), errc::unknown_symbol, "has no kernel 'nothing'");
    BOOST_TEST(r.check(missing)[0].name.what == verdict::contradicted);
    BOOST_TEST(r.check(missing)[0].name.by == proof::image);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Contracts against what was compiled ----------------------------------------------------------------------------------

namespace {

constexpr char contracts_ptx[] = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry bounded() .maxntid 128, 1, 1 { ret; }
.visible .entry exact() .reqntid 32, 4, 1 { ret; }
.visible .entry pairs() .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry waits() { griddepcontrol.wait; ret; }
.visible .entry does_not_wait() { ret; }
)";
constexpr kernel<"m", "bounded", void(), hanabi::required_threads<256>> needs_256;
constexpr kernel<"m", "exact", void(), hanabi::required_threads<32, 4>> exact;
constexpr kernel<"m", "exact", void(), hanabi::required_threads<128>> exact_in_a_row;
constexpr kernel<"m", "pairs", void(), hanabi::cluster_size<2>> pairs;
constexpr kernel<"m", "pairs", void(), hanabi::cluster_size<4>> fours;
constexpr kernel<"m", "waits", void(), hanabi::allows_pdl> waits;
constexpr kernel<"m", "does_not_wait", void(), hanabi::allows_pdl> does_not_wait;

} // namespace

BOOST_FIXTURE_TEST_CASE(contracts, fresh) {
    HANABI_SKIP_ON_CUDA("is for compute capability 9.0");
    const registry r = load(contracts_ptx, "m");
    r.require(exact, pairs, waits);
    HANABI_CHECK_ERROR(r.require(needs_256), errc::contract_violated, "m::bounded", "required_threads says 256", "at most 128");
    HANABI_CHECK_ERROR(r.require(exact_in_a_row), errc::contract_violated, "m::exact", "128x1x1", ".reqntid 32, 4, 1");
    HANABI_CHECK_ERROR(r.require(fours), errc::contract_violated, "m::pairs", "cluster_size says 4x1x1", "2x1x1");
    HANABI_CHECK_ERROR(r.require(does_not_wait), errc::contract_violated, "m::does_not_wait", "allows_pdl", "griddepcontrol.wait");
}

// ---- Many -------------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t many = 1000;

template <std::size_t I>
constexpr hanabi::text<5> numbered() {
    hanabi::text<5> t;
    t.characters[0] = 'k';
    std::size_t n = I;
    for (std::size_t i = 4; i >= 1; --i, n /= 10) t.characters[i] = static_cast<char>('0' + n % 10);
    return t;
}
template <std::size_t I>
constexpr hanabi::symbol<5> numbered_symbol() {
    hanabi::symbol<5> s;
    for (std::size_t i = 0; i < 5; ++i) s.characters[i] = numbered<I>().characters[i];
    return s;
}
template <std::size_t... I>
std::vector<const hanabi::descriptor*> descriptors(std::index_sequence<I...>) {
    return {&kernel<"many", numbered_symbol<I>(), void(int)>::info...};
}
std::string many_ptx(std::size_t count) {
    std::string s = ".version 7.0\n.target sm_75\n.address_size 64\n";
    for (std::size_t i = 0; i < count; ++i) {
        std::string n = std::to_string(i);
        s += ".visible .entry k" + std::string(4 - n.size(), '0') + n + "(.param .u32 n) { ret; }\n";
    }
    return s;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(the_calls_for_each_kernel_do_not_depend_on_their_number, recording) {
    HANABI_SKIP_ON_CUDA("counts calls");
    const auto all = descriptors(std::make_index_sequence<many>{});
    const auto cost = [&](std::size_t count) {
        const registry r = load(many_ptx(count), "many");
        host::clear_calls();
        r.require_all({all.data(), count});
        const std::uint64_t first = host::calls();
        host::clear_calls();
        r.require_all({all.data(), count});
        BOOST_TEST(host::calls() == 0u); // known by now
        for (std::size_t i = 0; i < count; ++i) BOOST_REQUIRE(r.state()->slots.find(*all[i]) != nullptr);
        BOOST_TEST(r.state()->slots.find(*all[0])->name == "many::k0000");
        return first;
    };
    const std::uint64_t for_10 = cost(10), for_110 = cost(110), for_all = cost(many);
    const std::uint64_t each = (for_110 - for_10) / 100;
    BOOST_TEST(for_all - for_10 == each * (many - 10));
    BOOST_TEST(each <= 12u);
    BOOST_TEST(for_10 - each * 10 <= 8u);
}
