// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// How the library's types print in failed assertions: each through Boost.Test's own way of printing.

#define BOOST_TEST_MODULE test_printing
#include <boost/test/unit_test.hpp>

#include <hanabi/hanabi.hpp>
#include <hanabi/test.hpp>

#include <boost/hana/define_struct.hpp>

#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::device_ptr;
using hanabi::device_span;
using hanabi::grid;
using hanabi::over;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

struct pair_of {
    BOOST_HANA_DEFINE_STRUCT(pair_of, (float, a), (int, b));
};
enum class colour : unsigned char { red };

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"blas", hanabi::cxx("la::scal"), void(float, float*, int)> scal;
inline constexpr hanabi::kernel<"odd", "kinds", void(pair_of, bool, colour, double, unsigned char, long long), hanabi::max_threads<64>>
    kinds;
inline constexpr hanabi::global<"blas", "table", float[32]> table;

/// As Boost.Test prints a value in a failed assertion.
template <class T>
std::string printed(const T& value) {
    std::ostringstream out;
    out << boost::test_tools::tt_detail::print_helper(value);
    return out.str();
}

/// A pointer of a chosen address.
template <class T>
T* at(std::uintptr_t address) {
    return reinterpret_cast<T*>(address);
}

std::string address_of(const void* p) { return hanabi::test::detail::address_text(p); }

} // namespace

BOOST_AUTO_TEST_CASE(names) {
    BOOST_TEST(printed(axpy.symbol) == "axpy");
    BOOST_TEST(printed(hanabi::text{"blas"}) == "blas");
    BOOST_TEST(printed(hanabi::symbol{"axpy"}) == "axpy");
    BOOST_TEST(printed(hanabi::cxx("la::scal")) == "cxx(\"la::scal\")");
    BOOST_TEST(printed(hanabi::matching("*::scal(*)")) == "matching(\"*::scal(*)\")");
    BOOST_TEST(printed("alpha"_arg) == "\"alpha\"_arg");
}

BOOST_AUTO_TEST_CASE(errors) {
    BOOST_TEST(printed(status::out_of_memory) == "CUDA_ERROR_OUT_OF_MEMORY (2): not enough memory, or another resource ran out");
    BOOST_TEST(printed(static_cast<status>(98765)) == "CUDA_UNKNOWN (98765): (no message)");
    BOOST_TEST(printed(hanabi::driver::entry::launch_kernel) == "cuLaunchKernel");
    BOOST_TEST(printed(host::table()) == "the driver table of host driver");
    BOOST_TEST(printed(hanabi::errc::unknown_symbol) == "unknown_symbol (12): no such symbol");
    BOOST_TEST(printed(hanabi::error{hanabi::errc::no_device, "looking: nothing there"}) == "looking: nothing there");
    for (int i = 1; i <= static_cast<int>(hanabi::errc::invalid_argument); ++i) // each has a name
        BOOST_TEST(printed(static_cast<hanabi::errc>(i)).find("errc (") == std::string::npos);
    // What std::error_code prints as is the standard library's affair; it compares with ours.
    BOOST_TEST(make_error_code(hanabi::errc::no_device) == hanabi::errc::no_device);
}

BOOST_AUTO_TEST_CASE(verification) {
    BOOST_TEST(printed(hanabi::verdict::contradicted) == "contradicted");
    BOOST_TEST(printed(hanabi::proof::image) == "the image");
    BOOST_TEST(printed(hanabi::finding{}) == "unproved");
    hanabi::kernel_report report;
    report.kernel = &axpy.info;
    report.name = {hanabi::verdict::proved, hanabi::proof::driver};
    report.arity = {hanabi::verdict::contradicted, hanabi::proof::image};
    report.faults.push_back({hanabi::errc::signature_mismatch, 0, "declared with 4 parameters, the loaded kernel has 3"});
    BOOST_TEST(printed(report.faults[0]) == "declared with 4 parameters, the loaded kernel has 3");
    BOOST_TEST(printed(report) == "blas::axpy: name proved by the driver, arity contradicted by the image, size unproved, classes "
                                  "unproved, types unproved, contracts unproved; "
                                  "declared with 4 parameters, the loaded kernel has 3");
}

BOOST_AUTO_TEST_CASE(kernels) {
    BOOST_TEST(printed(axpy) == "blas::axpy(float32 alpha, pointer x, pointer y, int32 n)");
    BOOST_TEST(printed(axpy.info) == printed(axpy));
    BOOST_TEST(printed(scal) == "blas::_ZN2la4scalEfPfi(float32, pointer, int32), which is la::scal(float, float*, int)");
    BOOST_TEST(printed(kinds) == "odd::kinds(struct of 8 bytes, bool, enum8, float64, uint8, int64)");
    BOOST_TEST(printed(kinds.info.parameters[3]) == "float64 at 16");
    BOOST_TEST(printed(hanabi::parameter_kind::pointer) == "pointer");
    BOOST_TEST(printed(table) == "blas::table (128 bytes)");
    BOOST_TEST(printed(*axpy.info.contracts) == "names<\"alpha\", \"x\", \"y\", \"n\">");
    BOOST_TEST(printed(*scal.info.contracts) == "no contracts");
    using hanabi::kernel;
    constexpr kernel<"m", "k", void(int*, int*), hanabi::hidden<2>, hanabi::required_threads<8, 4>, hanabi::cluster_size<2>,
                     hanabi::allows_pdl>
        all;
    BOOST_TEST(printed(*all.info.contracts) == "hidden<2>, required_threads<8, 4, 1>, cluster_size<2, 1, 1>, allows_pdl");
}

BOOST_AUTO_TEST_CASE(geometry) {
    BOOST_TEST(printed(over(1000)) == "over(1000)");
    BOOST_TEST(printed(over(10, 1, 30)) == "over(10, 1, 30)");
    BOOST_TEST(printed(grid(8, 4) | block(16_c, 16_c) | hanabi::shared<float>(256)) == "grid(8, 4) | block(16, 16) | shared(1024 bytes)");
    BOOST_TEST(printed(hanabi::occupancy(5)) == "occupancy(5)");
    const int minus = -1;
    BOOST_TEST(printed(over(minus)) == "over(-1)");
    BOOST_TEST(printed(grid(4) | block(32) | hanabi::cluster(2) | hanabi::cooperative | hanabi::pdl | hanabi::priority(-2)) ==
               "grid(4) | block(32) | cluster(2) | cooperative | pdl | priority(-2)");
    BOOST_TEST(printed(hanabi::carveout(50) | hanabi::mem_sync_domain(1) | hanabi::mem_sync_domain_map(0, 1) |
                       hanabi::preferred_cluster(4, 2) | hanabi::cluster_scheduling(hanabi::cluster_policy::spread)) ==
               "carveout(50) | mem_sync_domain(1) | mem_sync_domain_map(0, 1) | preferred_cluster(4, 2) | cluster_scheduling(1)");
    BOOST_TEST(printed(hanabi::cluster_policy::spread) == "spread");
    const auto shape = over(7) | block(64) | hanabi::shared<char>(1);
    BOOST_TEST(printed(static_cast<const hanabi::launch_shape&>(shape)) == "extent (7), block (64), 1 byte shared");
    BOOST_TEST(printed(host::extent{8, 4, 1}) == "(8, 4, 1)");
    BOOST_TEST(printed(host::wide_index{5000000000, 0, 1}) == "(5000000000, 0, 1)");
}

BOOST_AUTO_TEST_CASE(expressions) {
    const device_ptr<float> x{at<float>(0x10)}, y{at<float>(0x20)};
    const auto launch = axpy[over(1000) | block(128)](2.5f, x, y, 1000);
    BOOST_TEST(printed(launch) == "blas::axpy[over(1000) | block(128)](alpha=2.5, x=0x10, y=0x20, n=1000)");
    BOOST_TEST(printed(axpy[over(1000)]("alpha"_arg, x, "y"_arg, 1000)) == "blas::axpy[over(1000)](alpha=?, x=0x10, y=?, n=1000)");
    BOOST_TEST(printed(scal[grid(1) | block(1)](1.0f, nullptr, 1) >> scal[over(2)](2.0f, y, 2)) ==
               "blas::_ZN2la4scalEfPfi[grid(1) | block(1)](1, null, 1) >> blas::_ZN2la4scalEfPfi[over(2)](2, 0x20, 2)");
    BOOST_TEST(printed(kinds[over(1)](pair_of{1.5f, 2}, true, colour::red, 0.1, static_cast<unsigned char>(7), -1LL)) ==
               "odd::kinds[over(1)]({a=1.5, b=2}, true, 0, 0.1, 7, -1)");
    const hanabi::launch_view view{axpy.info, launch.geometry, launch.geometry.terms, nullptr, nullptr, launch.arguments.bytes};
    BOOST_TEST(printed(view) == to_string(view));
}

BOOST_AUTO_TEST_CASE(addresses) {
    BOOST_TEST(printed(device_ptr<float>{}) == "device null");
    BOOST_TEST(printed(device_ptr{at<const float>(0x7f0010)}) == "device 0x7f0010");
    BOOST_TEST(printed(device_ptr<void>{at<void>(0x10)}) == "device 0x10");
    struct incomplete;
    BOOST_TEST(printed(device_ptr<incomplete>{at<incomplete>(0x10)}) == "device 0x10");
    BOOST_TEST(printed(device_span<float>{device_ptr{at<float>(0x10)}, 3}) == "span of 3 float at device 0x10");
    BOOST_TEST(printed(device_span<const int>{device_ptr{at<const int>(0x10)}, 3}) == "span of 3 const int at device 0x10");
    BOOST_TEST(printed(hanabi::device_symbol{0x10, 128}) == "128 bytes at device 0x10");
    BOOST_TEST(printed(hanabi::memory_info{1, 4096}) == "1 of 4096 bytes free");
    BOOST_TEST(device_ptr<float>{at<float>(0x10)} == device_ptr<const float>{at<const float>(0x10)});
}

BOOST_AUTO_TEST_CASE(tensor_maps) {
    BOOST_TEST(printed(hanabi::tensor_extents{64, 32}) == "{64, 32}");
    BOOST_TEST(printed(hanabi::tensor_extents{1, -2, 3, 4, 5, 6}) == "{1, -2, 3, 4, 5, ...}");
    BOOST_TEST(printed(hanabi::tensor_data_type::bfloat16) == "bfloat16");
    BOOST_TEST(printed(hanabi::tensor_data_type::packed_u6_align16) == "packed_u6_align16");
    BOOST_TEST(printed(hanabi::tensor_interleave::bytes_16) == "bytes_16");
    BOOST_TEST(printed(hanabi::tensor_interleave::bytes_32) == "bytes_32");
    BOOST_TEST(printed(hanabi::tensor_swizzle::bytes_128_atom_64) == "bytes_128_atom_64");
    BOOST_TEST(printed(hanabi::tensor_l2_promotion::bytes_64) == "bytes_64");
    BOOST_TEST(printed(hanabi::tensor_l2_promotion::bytes_256) == "bytes_256");
    BOOST_TEST(printed(hanabi::tensor_fill::nan) == "nan");
    BOOST_TEST(printed(hanabi::tensor_tiling{.dimensions = {64, 32}, .box = {8, 8}, .swizzle = hanabi::tensor_swizzle::bytes_64}) ==
               "dimensions {64, 32}, box {8, 8}, swizzle bytes_64");
}

BOOST_FIXTURE_TEST_CASE(devices, hanabi::test::host_fixture) {
    hanabi::context gpu = device();
    BOOST_TEST(printed(gpu) == "context of device 0 (Hanabi host device)");
    BOOST_TEST(printed(gpu.compute_capability()) == "9.0");
    BOOST_TEST(printed(gpu.stream_priority_range()) == "priorities 0 to -5");
    const std::string limits = printed(gpu.limits());
    BOOST_TEST(limits.starts_with("grid (2147483647, 65535, 65535), block (1024, 1024, 64) of 1024 threads in warps of 32, "
                                  "shared memory of a block 49152 (232448 by opt-in"),
               limits);
    BOOST_TEST(limits.ends_with(", cooperative launch, clusters, memory pools, tensor maps, unified addressing, stream priorities"),
               limits);
    BOOST_TEST(printed(host::device_config{}) == "Hanabi host device, compute capability 9.0");

    hanabi::stream s{gpu};
    BOOST_TEST(printed(s) == "stream " + address_of(s.handle()) + " of device 0");
    BOOST_TEST(printed(hanabi::stream::adopt(gpu, nullptr)) == "legacy default stream of device 0");
    BOOST_TEST(printed(hanabi::stream_options{.priority = -1, .blocking = true}) == "priority -1, blocking");
    const hanabi::stream moved{std::move(s)};
    BOOST_TEST(printed(s) == "stream (moved from)");
    hanabi::event e{gpu, {.timing = false}};
    BOOST_TEST(printed(e) == "event " + address_of(e.handle()) + " of device 0, without timing");
    const hanabi::event other{std::move(e)};
    BOOST_TEST(printed(e) == "event (moved from)");

    hanabi::buffer<float> b{gpu, 100};
    BOOST_TEST(printed(b) == "buffer of 100 float at device " + address_of(b.get()));
    BOOST_TEST(printed(b.span()) == "span of 100 float at device " + address_of(b.get()));
    hanabi::pinned_buffer<double> p{gpu, 2};
    BOOST_TEST(printed(p) == "pinned buffer of 2 double at " + address_of(p.data()));

    const hanabi::tensor_map map = hanabi::tensor_map::tiled(gpu, b, {.dimensions = {16, 4}, .box = {4, 4}});
    BOOST_TEST(printed(map).starts_with("tensor map {"));
    BOOST_TEST(printed(host::balance()) ==
               "1 device allocation of 400 bytes, 1 pinned allocation of 16 bytes, 1 context, 2 streams, 1 event");
    BOOST_TEST(printed(host::balance_sheet{}) == "nothing");
    std::string leaks;
    for (const host::leak& l : host::leaks()) leaks += printed(l) + "\n";
    BOOST_TEST(leaks.find("device memory " + address_of(b.get()) + ", 400 bytes: the 400-byte buffer at ") != std::string::npos, leaks);
    BOOST_TEST(leaks.find("stream " + address_of(gpu.stream()) + ": a non-blocking stream of device 0 was never destroyed") !=
                   std::string::npos,
               leaks);
}

using blas = hanabi::test::registry_fixture<axpy, table>;
BOOST_FIXTURE_TEST_CASE(modules_and_launches, blas) {
    BOOST_TEST(printed(hanabi::module_source{"blas", std::string_view{"12345"}}) == "module 'blas', 5 bytes");
    BOOST_TEST(printed(modules) == "registry of 'blas' on device 0 (Hanabi host device)");
    const auto v = modules.variable(table);
    BOOST_TEST(printed(v) == "variable of 32 float at device " + address_of(v.data().get()));

    run(axpy[over(1000) | hanabi::shared<char>(64) | hanabi::priority(-1)](2.0f, nullptr, nullptr, 1000));
    const std::string text =
        "#1 blas::axpy(alpha=2, x=null, y=null, n=1000), grid (4, 1, 1), block (256, 1, 1), 64 bytes shared, priority(-1)";
    BOOST_TEST(printed(host::launches().at(0)) == text);
    BOOST_TEST(printed(hanabi::test::launches().at(0)) == text);
    BOOST_TEST(printed(hanabi::test::launches(axpy).at(0)) == text);
    host::launch_record unknown = host::launches().at(0); // of a kernel that nobody has described
    unknown.symbol = "other";
    unknown.attributes.clear();
    unknown.arguments.pop_back();
    BOOST_TEST(printed(unknown) == "#1 blas::other({00 00 00 40}, {00 00 00 00 00 00 00 00}, {00 00 00 00 00 00 00 00}), "
                                   "grid (4, 1, 1), block (256, 1, 1), 64 bytes shared");

    modules.unload();
    BOOST_TEST(printed(modules) == "unloaded registry of 'blas' on device 0 (Hanabi host device)");
}

BOOST_AUTO_TEST_CASE(containers_of_ours) {
    // Boost.Test compares and prints collections element by element.
    const std::vector<status> a{status::success, status::out_of_memory}, b = a;
    BOOST_TEST(a == b, boost::test_tools::per_element());
}
