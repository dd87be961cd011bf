// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Reports of wrong arguments from other projects, as tests: cases 01 to 06 of test/data/cases.

#define BOOST_TEST_MODULE cases_arguments
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <cmath>
#include <memory>
#include <string>

#include "data/cases/06-non-trivial-argument/types.hpp"

using hanabi::accepts_v;
using hanabi::errc;
using hanabi::kernel;
using hanabi::over;
using hanabi::registry;
namespace host = hanabi::host;

/// The documented opt-in for types that are copied as bytes though their copy constructor is written out.
template <>
inline constexpr bool hanabi::passes_bytewise<OptIn> = true;

namespace {

registry load_case(const fresh& f, const std::string& name) { return f.load(test::file("cases/" + name + "/kernel.ptx"), "m"); }

} // namespace

// ---- 01: fewer arguments than the kernel declares -------------------------------------------------------------------------

namespace {
constexpr kernel<"m", "transpose", void(float*, const float*, int, int)> transpose_4;
constexpr kernel<"m", "transpose", void(float*, const float*, int, int, int)> transpose_5;
constexpr kernel<"m", "transpose", void(float*, const float*, int, int, int, int)> transpose_6;
constexpr kernel<"m", "transpose", void()> transpose_0;

using floats = hanabi::device_ptr<float>;
static_assert(accepts_v<decltype(transpose_5), floats, floats, int, int, int>);
static_assert(!accepts_v<decltype(transpose_5), floats, floats, int, int>);
static_assert(!accepts_v<decltype(transpose_5), floats, floats, int, int, int, int>);
} // namespace

BOOST_FIXTURE_TEST_CASE(case_01_args_too_few, recording) {
    const registry r = load_case(*this, "01-args-too-few");
    const hanabi::dispatcher run{r};
    HANABI_CHECK_ERROR(static_cast<void>(run[transpose_4]), errc::signature_mismatch, "m::transpose", "declared with 4 parameters",
                       "has 5");
    HANABI_CHECK_ERROR(static_cast<void>(run[transpose_6]), errc::signature_mismatch, "m::transpose", "declared with 6 parameters",
                       "has 5");
    HANABI_CHECK_ERROR(static_cast<void>(run[transpose_0]), errc::signature_mismatch, "m::transpose", "declared with 0 parameters",
                       "has 5");
    HANABI_CHECK_ERROR(run(transpose_4[over(1)](nullptr, nullptr, 1, 1)), errc::signature_mismatch, "m::transpose", "4", "5");
    r.require(transpose_5);
    if (on_host()) BOOST_TEST(host::launch_count() == 0u);
}

// ---- 02: a double for a float ---------------------------------------------------------------------------------------------

namespace {
constexpr kernel<"m", "scale_add", void(int, float*, int, float*, int, float)> scale_add;
constexpr kernel<"m", "scale_add", void(int, float*, int, float*, int, double)> scale_add_double;
constexpr kernel<"m", "scale_add", void(int, float*, int, float*, int, int)> scale_add_int;
static_assert(!accepts_v<decltype(scale_add), int, floats, int, floats, int, double>); // 20.0 and 1e300 alike
} // namespace

BOOST_FIXTURE_TEST_CASE(case_02_double_literal_to_float, recording) {
    const registry r = load_case(*this, "02-double-literal-to-float");
    const hanabi::dispatcher run{r};
    run(scale_add[over(1)](1, nullptr, 2, nullptr, 3, hanabi::narrow<float>(20.0)));
    if (on_host()) BOOST_TEST(hex(last_launch().arguments.at(5)) == "00 00 a0 41");
    HANABI_CHECK_ERROR(static_cast<void>(hanabi::narrow<float>(1e300)), errc::value_out_of_range, "1e+300");
    HANABI_CHECK_ERROR(r.require(scale_add_double), errc::signature_mismatch, "m::scale_add", "parameter 6", "8 bytes", "takes 4 bytes");
    HANABI_CHECK_ERROR(r.require(scale_add_int), errc::signature_mismatch, "parameter 6", "an integer of 4 bytes", ".f32");
}

// ---- 03: int for size_t ---------------------------------------------------------------------------------------------------

namespace {
constexpr kernel<"m", hanabi::cxx("fill"), void(float*, float, unsigned long)> fill;
constexpr kernel<"m", "_Z4fillPffm", void(float*, float, int)> fill_int;
constexpr kernel<"m", "_Z4fillPffm", void(float*, float, unsigned)> fill_unsigned;
constexpr kernel<"m", "_Z4fillPffm", void(float*, float, unsigned long long)> fill_long_long;
static_assert(!accepts_v<decltype(fill), floats, float, int>); // -1 is no size
static_assert(accepts_v<decltype(fill), floats, float, unsigned>);

/// Leaves 0xA5 where the next call has its locals.
[[gnu::noinline]] void dirty_the_stack() {
    volatile unsigned char bytes[4096];
    for (volatile unsigned char& b : bytes) b = 0xa5;
}
} // namespace

BOOST_FIXTURE_TEST_CASE(case_03_int_for_size_t, recording) {
    using namespace hanabi::literals;
    const registry r = load_case(*this, "03-int-for-size-t");
    const hanabi::dispatcher run{r};
    dirty_the_stack();
    run(fill[over(1)](nullptr, 1.0f, 100_c));
    if (on_host()) BOOST_TEST(hex(last_launch().arguments.at(2)) == "64 00 00 00 00 00 00 00");
    const unsigned n = 100;
    dirty_the_stack();
    run[fill](over(1), nullptr, 1.0f, n);
    if (on_host()) BOOST_TEST(hex(last_launch().arguments.at(2)) == "64 00 00 00 00 00 00 00");
    HANABI_CHECK_ERROR(static_cast<void>(hanabi::narrow<std::size_t>(-1)), errc::value_out_of_range, "-1");
    HANABI_CHECK_ERROR(r.require(fill_int), errc::signature_mismatch, "parameter 3", "4 bytes", "takes 8 bytes");
    HANABI_CHECK_ERROR(r.require(fill_unsigned), errc::signature_mismatch, "parameter 3", "4 bytes", "takes 8 bytes");
    r.require(fill_long_long); // of equal size; the C++ name tells them apart
}

// ---- 04: tail padding in a packed buffer ----------------------------------------------------------------------------------

namespace {
constexpr kernel<"m", "apply", void(const float*, float*, int)> apply;
constexpr kernel<"m", "two", void(int*, short)> two;
constexpr kernel<"m", "none", void()> no_parameters;
} // namespace

BOOST_FIXTURE_TEST_CASE(case_04_launch_buffer_tail_padding, recording) {
    const registry r = load_case(*this, "04-launch-buffer-tail-padding");
    const hanabi::dispatcher run{r};
    static_assert(apply.layout.size == 20 && two.layout.size == 10 && no_parameters.layout.size == 0);
    run(apply[over(1)](nullptr, nullptr, 0x01020304));
    if (on_host()) BOOST_TEST(hex(last_launch().arguments.at(2)) == "04 03 02 01");
    run(two[over(1)](nullptr, short{0x0102}));
    if (on_host()) BOOST_TEST(hex(last_launch().arguments.at(1)) == "02 01");
    run(no_parameters[over(1)]());
    if (!on_host()) return;
    BOOST_TEST(last_launch().arguments.empty());
    // The driver beneath refuses a buffer of sizeof(a struct).
    const hanabi::current_context current{*gpu};
    struct padded {
        const float* x;
        float* y;
        int n;
    } buffer{};
    std::size_t size = sizeof buffer;
    void* extra[] = {reinterpret_cast<void*>(1), &buffer, reinterpret_cast<void*>(2), &size, nullptr};
    const auto f = r.function("m", "apply");
    BOOST_TEST(
        (host::table().launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) == hanabi::driver::status::launch_out_of_resources));
    size = 20;
    BOOST_TEST((host::table().launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) == hanabi::driver::status::success));
}

// ---- 05: storage of converted arguments -----------------------------------------------------------------------------------

struct Pair {
    int a;
    float b;
};

namespace {
constexpr kernel<"m", hanabi::cxx("mixed"), void(signed char, unsigned, long long, Pair, float, double*)> mixed;

void check_mixed() {
    if (!on_host()) return;
    const host::launch_record record = last_launch();
    BOOST_REQUIRE(record.arguments.size() == 6u);
    BOOST_TEST(hex(record.arguments[0]) == "fd");
    BOOST_TEST(hex(record.arguments[1]) == "02 00 00 00");
    BOOST_TEST(hex(record.arguments[2]) == "00 00 00 00 00 01 00 00");
    BOOST_TEST(hex(record.arguments[3]) == "07 00 00 00 00 00 20 40");
    BOOST_TEST(hex(record.arguments[4]) == "00 00 80 3f");
}
} // namespace

BOOST_FIXTURE_TEST_CASE(case_05_dangling_arg_storage, recording) {
    const registry r = load_case(*this, "05-dangling-arg-storage");
    const hanabi::dispatcher run{r};
    std::optional<decltype(run[mixed])> kept;
    {
        auto bound = run[mixed];
        kept.emplace(std::move(bound));
    }
    // An expression owns its arguments' bytes: it may be kept.
    const auto later = mixed[over(1)](std::int8_t{-3}, std::uint16_t{2}, 1L << 40, Pair{7, 2.5f}, 1.0f, nullptr);
    for (int i = 0; i < 50; ++i) {
        dirty_the_stack();
        run(mixed[over(1)](std::int8_t{-3}, 2u, 1LL << 40, Pair{7, 2.5f}, 1.0f, nullptr));
        check_mixed();
        dirty_the_stack();
        (*kept)(over(1), std::int8_t{-3}, std::uint16_t{2}, 1L << 40, Pair{7, 2.5f}, 1.0f, nullptr);
        check_mixed();
        dirty_the_stack();
        run(later);
        check_mixed();
    }
}

// ---- 06: what may cross the boundary --------------------------------------------------------------------------------------

namespace {
constexpr char types_ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry types(.param .align 4 .b8 a[8], .param .align 4 .b8 b[16], .param .u16 c, .param .align 8 .b8 d[8]) { ret; }
)";
constexpr kernel<"m", "types", void(Pod, Arr, E, OptIn)> types;

static_assert(hanabi::detail::parameter_is_fine<Pod> && hanabi::detail::parameter_is_fine<Arr> && hanabi::detail::parameter_is_fine<E> &&
              hanabi::detail::parameter_is_fine<OptIn>);
static_assert(!hanabi::detail::parameter_is_fine<N1> && !hanabi::detail::parameter_is_fine<N2> && !hanabi::detail::parameter_is_fine<N3> &&
              !hanabi::detail::parameter_is_fine<N4>);
static_assert(!hanabi::detail::parameter_is_fine<N5> && !hanabi::detail::parameter_is_fine<N6>);
} // namespace

BOOST_FIXTURE_TEST_CASE(case_06_non_trivial_argument, recording) {
    const registry r = load(types_ptx, "m");
    const hanabi::dispatcher run{r};
    const float* const nowhere = nullptr;
    OptIn* const made = static_cast<OptIn*>(::operator new(sizeof(OptIn)));
    std::memcpy(static_cast<void*>(made), &nowhere, sizeof nowhere);
    run(types[over(1)](Pod{1, 2.0f}, Arr{{1, 2, 3, 4}}, E::A, *made));
    ::operator delete(made);
    if (on_host()) BOOST_TEST(last_launch().argument<float>(0).has_value() == false);
    if (on_host()) BOOST_TEST(hex(last_launch().arguments.at(0)) == "01 00 00 00 00 00 00 40");
    // nvcc passes a reference as an address: a value of four bytes would be read as one of eight. Refused at the
    // declaration (compile_fail/parameter_reference.cpp); the address is declared as a pointer.
    static constexpr kernel<"m", "_Z6by_refRKiPi", void(const int*, int*)> by_address;
    const registry other = load_case(*this, "06-non-trivial-argument");
    other.require(by_address);
}
