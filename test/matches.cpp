// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Descriptors against PTX and signature tables at compile time: that this compiles is most of the test.

#define BOOST_TEST_MODULE matches
#include <boost/test/unit_test.hpp>

#include <hanabi/image.hpp>
#include <hanabi/verify.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

using hanabi::kernel;
using hanabi::match;
using hanabi::matches;
using hanabi::mismatch;
using hanabi::require_match;
using hanabi::image::signature_row;

namespace {

constexpr char ptx[] = R"(// .visible .entry ghost(.param .f32 a) { ret; }
.version 8.0
.target sm_90
.address_size 64
.file 1 "a.entry ghost("
.extern .func (.param .b32 r) printf(.param .b64 a, .param .b64 b);
.global .align 1 .b8 $str[16] = {46, 101, 110, 116, 114, 121};
.visible .entry declared(.param .f32 a);
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 .ptr .global .align 4 y, .param .u32 n) .maxntid 128, 1, 1 {
    { .reg .b32 %entry; /* .entry ghost() */ }
    ret;
}
.entry _ZN2la4scalEfPfi(.param .f32 a, .param .u64 x, .param .u32 n) { ret; }
.visible .entry declared(.param .f64 a) { ret; }
.weak .entry object(.param .align 8 .b8 p[24], .param .u8 flag) .reqntid 32, 4 { ret; }
.visible .entry none() .reqnctapercluster 2 { ret; }
.visible .entry waits() { griddepcontrol.wait; ret; }
.visible .entry unread(.param .f32 a, .param .u64 s) { ret; }
)";

struct object {
    double x, y, z;
};

constexpr kernel<"m", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
constexpr kernel<"m", "axpy", void(float, const float*, float*, int), hanabi::max_threads<128>> bounded;
constexpr kernel<"m", "axpy", void(float, const float*, float*, int), hanabi::max_threads<256>> bounded_above;
constexpr kernel<"m", "axpy", void(float, const float*, float*, int), hanabi::allows_pdl> axpy_waits;
constexpr kernel<"m", "axpy", void(float, const float*, float*)> short_of_one;
constexpr kernel<"m", "axpy", void(float, const float*, float*, long)> wide;
constexpr kernel<"m", "axpy", void(int, const float*, float*, int)> integer;
constexpr kernel<"m", "axpy", void(float, double, float*, int)> number_for_pointer;
constexpr kernel<"m", "axpy", void(float, const float*, long, int)> integer_for_ptr;
constexpr kernel<"m", "axpy", void(float, long, float*, int)> integer_for_u64; // this dialect does not tell
constexpr kernel<"m", hanabi::cxx("la::scal"), void(float, float*, int)> scal;
constexpr kernel<"m", hanabi::cxx("la::scal"), void(float, double*, int)> scal_of_doubles;
constexpr kernel<"m", "declared", void(double)> declared;
constexpr kernel<"m", "declared", void(float)> declared_otherwise;
constexpr kernel<"m", "object", void(object, bool), hanabi::required_threads<32, 4>> by_value;
constexpr kernel<"m", "object", void(object, bool), hanabi::required_threads<128>> turned;
constexpr kernel<"m", "none", void(), hanabi::cluster_size<2>> none;
constexpr kernel<"m", "none", void(), hanabi::cluster_size<4>> fours;
constexpr kernel<"m", "waits", void(), hanabi::allows_pdl> waits;
constexpr kernel<"m", "unread", void(float), hanabi::hidden<2>> hidden;
constexpr kernel<"m", "unread", void(), hanabi::hidden<2>> float_hidden;
constexpr kernel<"m", "ghost", void(float)> ghost;
constexpr kernel<"m", "axp", void(float, const float*, float*, int)> prefix;
constexpr kernel<"m", hanabi::matching("*scal*"), void(float, float*, int)> pattern;

static_assert(matches(axpy, ptx) && matches(bounded, ptx) && matches(scal, ptx) && matches(by_value, ptx) && matches(none, ptx));
static_assert(matches(waits, ptx) && matches(hidden, ptx) && matches(integer_for_u64, ptx) && matches(declared, ptx));
static_assert(require_match<axpy, ptx> && require_match<scal, ptx>);
static_assert(!matches(wide, ptx));

static_assert(match(bounded_above, ptx).what == mismatch::the_block_has_fewer_threads_than_max_threads);
static_assert(match(axpy_waits, ptx).what == mismatch::it_does_not_wait_as_allows_pdl_says);
static_assert(match(short_of_one, ptx).what == mismatch::it_has_another_number_of_parameters);
static_assert(match(short_of_one, ptx).declared == 3 && match(short_of_one, ptx).found == 4);
static_assert(match(wide, ptx).what == mismatch::the_parameter_is_of_another_size);
static_assert(match(wide, ptx).parameter == 4 && match(wide, ptx).declared == 8 && match(wide, ptx).found == 4);
static_assert(match(integer, ptx).what == mismatch::the_parameter_is_of_another_class && match(integer, ptx).parameter == 1);
static_assert(match(number_for_pointer, ptx).what == mismatch::the_parameter_is_of_another_class);
static_assert(match(integer_for_ptr, ptx).what == mismatch::the_parameter_is_of_another_class);
static_assert(match(scal_of_doubles, ptx).what == mismatch::it_has_no_kernel_of_that_name);
static_assert(match(declared_otherwise, ptx).what == mismatch::the_parameter_is_of_another_size);
static_assert(match(turned, ptx).what == mismatch::the_block_is_another_than_required_threads);
static_assert(match(fours, ptx).what == mismatch::the_cluster_is_another_than_cluster_size);
static_assert(match(float_hidden, ptx).what == mismatch::a_hidden_parameter_is_no_pointer);
static_assert(match(ghost, ptx).what == mismatch::it_has_no_kernel_of_that_name);
static_assert(match(prefix, ptx).what == mismatch::it_has_no_kernel_of_that_name);
static_assert(match(pattern, ptx).what == mismatch::a_pattern_is_matched_at_run_time);

static_assert(match(axpy, "").what == mismatch::the_image_is_no_ptx);
static_assert(match(axpy, "\x7f"
                          "ELF")
                  .what == mismatch::the_image_is_no_ptx);
static_assert(match(axpy, ".visible .entry axpy(.param .f32 a) { ret; }").what == mismatch::the_image_is_no_ptx);
static_assert(match(axpy, ".version 8.0\n.entry f() {").what == mismatch::the_text_is_malformed);
static_assert(match(axpy, ".version 8.0\n.entry axpy(.param .f32").what == mismatch::the_text_is_malformed);
static_assert(match(axpy, ".version 8.0\n.entry axpy(f32 a) { ret; }").what == mismatch::the_text_is_malformed);
static_assert(match(axpy, ".version 8.0\n/* .entry axpy").what == mismatch::the_text_is_malformed);
static_assert(matches(axpy, ".version 8.0\n.entry axpy(.param .b256 future) { ret; }")); // nothing is known of it
static_assert(match(none, ".version 8.0\n.section .debug { .entry none() }\n.pragma \"x.entry none\";").what ==
              mismatch::it_has_no_kernel_of_that_name);
static_assert(matches(none, ".version 8.0\n.func f();.func g(){.entry none}.entry/**/none//\n/**/(/**/)/**/{/*}*/}"));
static_assert(match(none, ".version 8.0\n.visible .xentry none() { ret; }").what == mismatch::it_has_no_kernel_of_that_name);
static_assert(match(none, ".version 8.0\n.entryx none() { ret; }").what == mismatch::it_has_no_kernel_of_that_name);
static_assert(match(none, ".version 8.0\n.entry").what == mismatch::it_has_no_kernel_of_that_name);
static_assert(match(none, ".version 8.0\n.entry none").what == mismatch::the_text_is_malformed);
static_assert(match(none, ".version 8.0\n\0.entry none(){}").what == mismatch::the_text_is_malformed);
static_assert(match(none, ".version 8.0\r\n.visible .entry\r\nnone\r\n(\r\n)\r\n.reqnctapercluster 2, 1, 1\r\n{ret;}\r\n").what ==
              mismatch::none);
static_assert(match(none, "\xef\xbb\xbf.version 8.0\n.entry none{}\0\0").what == mismatch::none);

// ---- Every form that an image may have ------------------------------------------------------------------------------------

constexpr std::string_view view{ptx};
template <class T>
constexpr auto copied() {
    std::array<T, sizeof ptx - 1> a{}; // as #embed makes it: no NUL
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(ptx[i]);
    return a;
}
constexpr std::array<char, sizeof ptx - 1> characters = copied<char>();
constexpr std::array<unsigned char, sizeof ptx - 1> bytes = copied<unsigned char>();
constexpr std::array<std::byte, sizeof ptx - 1> standard_bytes = copied<std::byte>();
constexpr unsigned char embedded[] = {'.', 'v', 'e', 'r', 's', 'i', 'o', 'n', ' ', '8',  '.', '0', '\n', '.', 'e',
                                      'n', 't', 'r', 'y', ' ', 'n', 'o', 'n', 'e', '\n', '(', ')', '{',  '}'};
constexpr signed char signed_bytes[] = {'.', 'v', 'e', 'r', 's', 'i', 'o', 'n', ' ', '8', '.', '0'};
static_assert(matches(axpy, view) && matches(axpy, characters) && matches(axpy, bytes) && matches(axpy, standard_bytes));
static_assert(matches(axpy, std::span{bytes}) && matches(none, embedded) && !matches(wide, bytes));
constexpr const char* pointer = ptx;
static_assert(matches(axpy, pointer) && !matches(wide, pointer));
static_assert(match(none, signed_bytes).what == mismatch::it_has_no_kernel_of_that_name);
static_assert(require_match<axpy, bytes>);

// ---- 100 KB within the compilers' default limits ----------------------------------------------------------------------------

constexpr char body[] = R"(.visible .entry filler(
	.param .u64 filler_param_0,
	.param .u64 filler_param_1,
	.param .u32 filler_param_2
)
.maxntid 256, 1, 1
{
	.reg .pred 	%p<4>;
	.reg .f32 	%f<12>;
	.reg .b32 	%r<16>;
	.reg .b64 	%rd<8>;
	.loc 1 12 0
	ld.param.u64 	%rd1, [filler_param_0];
	ld.param.u64 	%rd2, [filler_param_1];
	ld.param.u32 	%r2, [filler_param_2];
	cvta.to.global.u64 	%rd3, %rd2;
	mov.u32 	%r3, %ctaid.x;
	mov.u32 	%r4, %ntid.x;
	mad.lo.s32 	%r1, %r3, %r4, %r5;
	setp.ge.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB0_2; // a comment, as compilers write them
	cp.async.cg.shared.global [%r6], [%rd4], 16;
	ld.global.nc.f32 	%f1, [%rd5];
	fma.rn.f32 	%f3, %f1, %f2, 0f3F800000;
	st.global.f32 	[%rd6], %f3;
$L__BB0_2:
	ret;
}
)";
constexpr std::size_t large_size = 100 * 1024;
constexpr auto large = [] {
    std::array<char, large_size> text{};
    std::size_t n = 0;
    const auto append = [&](const char* s, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) text[n + i] = s[i];
        n += size;
    };
    constexpr std::string_view head = ".version 8.0\n.target sm_80\n.address_size 64\n", last = ".visible .entry none() { ret; }\n";
    append(head.data(), head.size());
    while (n + sizeof body + last.size() < large_size) append(body, sizeof body - 1);
    append(last.data(), last.size());
    while (n < large_size) text[n++] = '\n';
    return text;
}();
static_assert(matches(none, large) && match(axpy, large).what == mismatch::it_has_no_kernel_of_that_name);

// ---- Signature tables ---------------------------------------------------------------------------------------------------------

constexpr signature_row rows[] = {
    {"axpy", 0, ".f32", 4, false},
    {"axpy", 1, ".u64", 8, false},
    {"axpy", 2, ".u64", 8, true},
    {"axpy", 3, ".u32", 4, false},
    {"none", signature_row::none, "-", 0, false},
    {"waits", signature_row::unknown, "-", 0, false},
    {"object", 0, ".b8[24]", 24, false},
    {"object", 1, ".u8", 1, false},
    {"axpy", 0, "-", 4, false}, // of the cubin beside
    {"axpy", 1, "-", 8, false},
    {"axpy", 2, "-", 8, false},
    {"axpy", 3, "-", 4, false},
    {"declared", 0, ".f32", 4, false},
    {"declared", 0, ".f64", 8, false},
};
constexpr hanabi::image::signature_table table{rows, std::size(rows)};
static_assert(matches(axpy, table) && matches(none, table) && matches(waits, table) && matches(by_value, table));
static_assert(require_match<axpy, table>);
static_assert(match(short_of_one, table).what == mismatch::it_has_another_number_of_parameters);
static_assert(match(wide, table).what == mismatch::the_parameter_is_of_another_size);
static_assert(match(integer, table).what == mismatch::the_parameter_is_of_another_class);
static_assert(match(integer_for_ptr, table).what == mismatch::the_parameter_is_of_another_class);
static_assert(match(scal, table).what == mismatch::it_has_no_kernel_of_that_name);
static_assert(match(prefix, table).what == mismatch::it_has_no_kernel_of_that_name);
static_assert(!matches(declared, table) && !matches(declared_otherwise, table));            // one of the two is always another
static_assert(matches(scal, hanabi::image::signature_table{rows, std::size(rows), false})); // it may be in what could not be read
static_assert(!matches(wide, hanabi::image::signature_table{rows, std::size(rows), false}));
static_assert(match(pattern, table).what == mismatch::a_pattern_is_matched_at_run_time);

} // namespace

// What compile time says of PTX and what run time says is one thing.
BOOST_AUTO_TEST_CASE(compile_time_and_run_time_agree) {
    const auto same = [](const auto& k) {
        const hanabi::kernel_report r = hanabi::verify(k, ptx);
        BOOST_TEST(r.good() == matches(k, ptx), r.label << (r.good() ? "" : ": " + r.faults[0].text));
    };
    same(axpy), same(bounded), same(bounded_above), same(axpy_waits), same(short_of_one), same(wide), same(integer);
    same(number_for_pointer), same(integer_for_ptr), same(integer_for_u64), same(scal), same(scal_of_doubles), same(declared);
    same(declared_otherwise), same(by_value), same(turned), same(none), same(fours), same(waits), same(hidden), same(float_hidden);
    same(ghost), same(prefix);
}
