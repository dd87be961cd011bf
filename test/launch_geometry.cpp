// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Geometry at run time: what is refused before the driver is called, in which words; what reaches it.

#define BOOST_TEST_MODULE launch_geometry
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <cstdint>
#include <limits>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::cluster;
using hanabi::errc;
using hanabi::grid;
using hanabi::kernel;
using hanabi::occupancy;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

struct ready : recording {
    explicit ready(std::vector<host::device_config> devices = {host::device_config{}}) : recording{std::move(devices)} {
        r.require(none, scal);
    }
    registry r = load();
    hanabi::dispatcher<> run{r};

    /// Asserts that a launch is refused without a driver call that launches.
    template <class G>
    void refused(const G& geometry, errc expected, std::initializer_list<std::string> parts) {
        const std::uint64_t before = on_host() ? host::calls(entry::launch_kernel) + host::calls(entry::launch_kernel_ex) : 0;
        const auto launch_none = run[none];
        for (const caught& e : {catch_error([&] { run(none[geometry]()); }), catch_error([&] { launch_none(geometry); })}) {
            BOOST_TEST((e.code == expected), e.code << " " << e.message);
            BOOST_TEST(e.says("launching common::none at "), e.message);
            BOOST_TEST(e.says("launch_geometry.cpp:"), e.message);
            for (const std::string& part : parts) BOOST_TEST(e.says(part), "\"" << part << "\" is missing: " << e.message);
        }
        std::error_code ec;
        run(none[geometry](), ec);
        BOOST_TEST((ec == expected));
        if (on_host()) BOOST_TEST(host::calls(entry::launch_kernel) + host::calls(entry::launch_kernel_ex) == before);
        run(none[over(1)]()); // nothing sticks
    }
    template <class G>
    host::launch_record accepted(const G& geometry) {
        std::error_code ec;
        run(none[geometry](), ec);
        BOOST_TEST(!ec, ec.message());
        return last_launch();
    }
};

constexpr std::uint64_t two_to_the(unsigned n) { return std::uint64_t{1} << n; }

} // namespace

BOOST_FIXTURE_TEST_SUITE(grids, ready)

BOOST_AUTO_TEST_CASE(of_zero) {
    const int zero = 0;
    refused(grid(zero) | block(1), errc::invalid_geometry, {"grid x is 0", "over(0) is a launch of nothing"});
    refused(grid(1, zero) | block(1), errc::invalid_geometry, {"grid y is 0"});
    refused(grid(1, 1, zero) | block(1), errc::invalid_geometry, {"grid z is 0"});
}

BOOST_AUTO_TEST_CASE(negative) {
    const int minus = -3;
    refused(grid(minus) | block(1), errc::invalid_geometry, {"grid x is -3", "2147483647"});
    refused(grid(1, minus) | block(1), errc::invalid_geometry, {"grid y is -3", "65535"});
    refused(over(minus), errc::invalid_geometry, {"over x is -3", "not negative"});
    refused(over(1, 1, std::int64_t{-1}), errc::invalid_geometry, {"over z is -1"});
    refused(occupancy(minus), errc::invalid_geometry, {"x is -3", "not negative"});
    refused(grid(1) | block(minus), errc::invalid_geometry, {"block x is -3", "1024"});
    refused(over(0) | block(minus), errc::invalid_geometry, {"block x is -3"});
}

BOOST_AUTO_TEST_CASE(limits_of_each_axis) {
    refused(grid(two_to_the(31)) | block(1), errc::invalid_geometry, {"grid x is 2147483648", "the device's limit is 2147483647"});
    refused(grid(1, 65536) | block(1), errc::invalid_geometry, {"grid y is 65536", "limit is 65535"});
    refused(grid(1, 1, 65536) | block(1), errc::invalid_geometry, {"grid z is 65536", "limit is 65535"});
    if (!on_host()) return;
    BOOST_TEST(accepted(grid(two_to_the(31) - 1) | block(1)).grid.x == 2147483647u);
    BOOST_TEST((accepted(grid(1, 65535, 65535) | block(1)).grid == host::extent{1, 65535, 65535}));
}

BOOST_AUTO_TEST_CASE(beyond_32_bits_nothing_is_cut) {
    refused(grid(two_to_the(32)) | block(1), errc::invalid_geometry, {"grid x is 4294967296"});
    refused(grid(two_to_the(32) + 1) | block(1), errc::invalid_geometry, {"grid x is 4294967297"});
    refused(grid(1, two_to_the(32) + 1) | block(1), errc::invalid_geometry, {"grid y is 4294967297"});
    refused(grid(1) | block(two_to_the(32) + 1), errc::invalid_geometry, {"block x is 4294967297"});
    refused(grid(1) | block(two_to_the(32) + 32, 1), errc::invalid_geometry, {"block x is 4294967328"});
    refused(grid(std::numeric_limits<std::uint64_t>::max()) | block(1), errc::invalid_geometry, {"grid x is"});
    refused(over(two_to_the(32)) | block(1), errc::invalid_geometry, {"grid x is 4294967296", "4294967296 elements in blocks of 1"});
    refused(over(two_to_the(40)), errc::invalid_geometry, {"grid x is 4294967296", "1099511627776 elements in blocks of 256"});
    refused(over(1, two_to_the(24)) | block(1, 8), errc::invalid_geometry, {"grid y is 2097152", "16777216 elements in blocks of 8"});
}

BOOST_AUTO_TEST_CASE(many_elements) {
    HANABI_SKIP_ON_CUDA("takes long there");
    BOOST_TEST(accepted(over(two_to_the(32))).grid.x == 16777216u);
    BOOST_TEST(accepted(over(two_to_the(32) + 1)).grid.x == 16777217u);
    BOOST_TEST(accepted(over(std::int64_t{5000000000}) | block(1024)).grid.x == 4882813u);
    BOOST_TEST(accepted(over((two_to_the(31) - 1) * 256)).grid.x == 2147483647u);
    refused(over((two_to_the(31) - 1) * 256 + 1), errc::invalid_geometry, {"grid x is 2147483648"});
    refused(over(two_to_the(63) - 1), errc::invalid_geometry, {"grid x is 36028797018963968"});
    BOOST_TEST((accepted(over(100, 100)).grid == host::extent{4, 13, 1}));
    BOOST_TEST((accepted(over(100, 100)).block == host::extent{32, 8, 1}));
    BOOST_TEST((accepted(over(100, 100, 100)).grid == host::extent{13, 13, 25}));
    BOOST_TEST((accepted(over(1, 1, 1)).block.volume() == 256u));
    BOOST_TEST((accepted(over(255)).grid == host::extent{1, 1, 1}));
    BOOST_TEST((accepted(over(256)).grid == host::extent{1, 1, 1}));
    BOOST_TEST((accepted(over(257)).grid == host::extent{2, 1, 1}));
    BOOST_TEST((accepted(over(7, 5, 3) | block(2, 2, 2)).grid == host::extent{4, 3, 2}));
}

BOOST_AUTO_TEST_CASE(nothing_to_do_makes_no_driver_call) {
    HANABI_SKIP_ON_CUDA("counts calls");
    static constexpr kernel<"nowhere", "missing", void()> missing;
    const auto launch_none = run[none];
    host::clear_calls();
    run(none[over(0)]());
    run(none[over(5, 0)]());
    run(none[over(5, 5, 0)]());
    run(none[over(0) | block(128)]());
    run(none[occupancy(0)]());
    run(none[over(0_c)]());
    run(missing[over(0)]()); // not even to look the kernel up
    launch_none(over(0));
    run.on(nullptr)(none[over(0)]());
    std::error_code ec = errc::no_device;
    run(none[over(0)](), ec);
    BOOST_TEST(!ec);
    BOOST_TEST(host::calls() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(blocks, ready)

BOOST_AUTO_TEST_CASE(limits) {
    const int zero = 0;
    refused(grid(1) | block(zero), errc::invalid_geometry, {"block x is 0"});
    refused(grid(1) | block(1, zero), errc::invalid_geometry, {"block y is 0"});
    refused(grid(1) | block(1, 1, zero), errc::invalid_geometry, {"block z is 0"});
    refused(over(10) | block(zero), errc::invalid_geometry, {"block x is 0"});
    refused(over(0) | block(zero), errc::invalid_geometry, {"block x is 0"});
    refused(grid(1) | block(1025), errc::invalid_geometry, {"block x is 1025", "limit is 1024"});
    refused(grid(1) | block(1, 1025), errc::invalid_geometry, {"block y is 1025", "limit is 1024"});
    refused(grid(1) | block(1, 1, 65), errc::invalid_geometry, {"block z is 65", "limit is 64"});
    refused(over(1, 1, 1) | block(1, 1, 65), errc::invalid_geometry, {"block z is 65", "limit is 64"});
    refused(grid(1) | block(32, 33), errc::invalid_geometry, {"block (32, 33, 1) has 1056 threads", "limit is 1024"});
    refused(over(1, 1) | block(32, 33), errc::invalid_geometry, {"block (32, 33, 1) has 1056 threads"});
    refused(grid(1) | block(65536, 65536), errc::invalid_geometry, {"block x is 65536"});
    if (!on_host()) return;
    BOOST_TEST((accepted(grid(1) | block(1024)).block == host::extent{1024, 1, 1}));
    BOOST_TEST((accepted(grid(1) | block(1, 1024)).block == host::extent{1, 1024, 1}));
    BOOST_TEST((accepted(grid(1) | block(4, 4, 64)).block == host::extent{4, 4, 64}));
    BOOST_TEST((accepted(block(32_c, 32_c) | grid(1)).block == host::extent{32, 32, 1}));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

host::device_config small_device() {
    host::device_config d;
    d.max_grid_x = 1000;
    d.max_grid_y = 20;
    d.max_grid_z = 10;
    d.max_block_x = 512;
    d.max_block_y = 256;
    d.max_block_z = 4;
    d.max_threads_per_block = 512;
    d.cluster_launch = false;
    return d;
}
struct on_small_device : ready {
    on_small_device() : ready{{small_device()}} {}
};

} // namespace

BOOST_FIXTURE_TEST_CASE(limits_are_the_devices, on_small_device) {
    HANABI_SKIP_ON_CUDA("configures the device");
    refused(grid(1001) | block(1), errc::invalid_geometry, {"grid x is 1001", "limit is 1000"});
    refused(grid(1, 21) | block(1), errc::invalid_geometry, {"grid y is 21", "limit is 20"});
    refused(grid(1, 1, 11) | block(1), errc::invalid_geometry, {"grid z is 11", "limit is 10"});
    refused(grid(1) | block(513), errc::invalid_geometry, {"block x is 513", "limit is 512"});
    refused(grid(1) | block(1024_c), errc::invalid_geometry, {"block x is 1024", "limit is 512"});
    refused(grid(1) | block(1, 257), errc::invalid_geometry, {"block y is 257", "limit is 256"});
    refused(grid(1) | block(1, 1, 5), errc::invalid_geometry, {"block z is 5", "limit is 4"});
    refused(grid(1) | block(32, 17), errc::invalid_geometry, {"544 threads", "limit is 512"});
    refused(grid(2) | block(1) | cluster(2), errc::invalid_geometry, {"compute capability 9.0", "no clusters"});
    accepted(grid(1000, 20, 10) | block(512));
}

// ---- Contracts, of the descriptor and of the binary ------------------------------------------------------------------------

namespace {

constexpr char ptx[] = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry free() { ret; }
.visible .entry bounded() .maxntid 128, 1, 1 { ret; }
.visible .entry exact() .reqntid 32, 4, 1 { ret; }
.visible .entry pairs() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry open_pairs() .explicitcluster { ret; }
.visible .entry in_clusters() .blocksareclusters .reqnctapercluster 2, 1, 1 .reqntid 32, 1, 1 { ret; }
)";
constexpr kernel<"m", "free", void()> bare;
constexpr kernel<"m", "free", void(), hanabi::max_threads<64>> at_most_64;
constexpr kernel<"m", "free", void(), hanabi::required_threads<16, 2>> just_16_by_2;
constexpr kernel<"m", "free", void(), hanabi::cluster_size<2, 2>> by_fours;
constexpr kernel<"m", "free", void(), hanabi::cluster_size<16>> by_sixteens;
constexpr kernel<"m", "bounded", void()> bounded;
constexpr kernel<"m", "exact", void()> exact;
constexpr kernel<"m", "exact", void(), hanabi::required_threads<32, 4>> told_exact;
constexpr kernel<"m", "pairs", void()> pairs;
constexpr kernel<"m", "open_pairs", void()> open_pairs;
constexpr kernel<"m", "in_clusters", void(), hanabi::required_threads<32>> in_clusters;

struct contracts : recording {
    registry r = load(ptx, "m");
    hanabi::dispatcher<> run{r};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(with_contracts, contracts)

BOOST_AUTO_TEST_CASE(threads) {
    HANABI_SKIP_ON_CUDA("is for compute capability 9.0");
    int n = 65;
    HANABI_CHECK_ERROR(run(at_most_64[grid(1) | block(n)]()), errc::contract_violated, "launching m::free",
                       "block (65, 1, 1) has 65 threads", "contract allows 64");
    HANABI_CHECK_ERROR(run(at_most_64[grid(1) | block(8, 9)]()), errc::contract_violated, "72 threads");
    run(at_most_64[over(100)]());
    BOOST_TEST((last_launch().block == host::extent{64, 1, 1}));
    run(just_16_by_2[over(100, 10)]());
    BOOST_TEST((last_launch().block == host::extent{16, 2, 1}));
    BOOST_TEST((last_launch().grid == host::extent{7, 5, 1}));
    run(just_16_by_2[grid(3)]());
    BOOST_TEST((last_launch().grid == host::extent{3, 1, 1}));
    n = 32;
    HANABI_CHECK_ERROR(run(just_16_by_2[grid(1) | block(n, n / 32)]()), errc::contract_violated, "block (32, 1, 1)", "requires (16, 2, 1)",
                       "leave the block out");
    HANABI_CHECK_ERROR(run[just_16_by_2](grid(1) | block(n, n / 32)), errc::contract_violated, "requires (16, 2, 1)");
    HANABI_CHECK_ERROR(run(bounded[over(1)]()), errc::invalid_geometry, "block (256, 1, 1) has 256 threads", "takes at most 128",
                       "__launch_bounds__");
    run(bounded[over(1) | block(128)]());
    HANABI_CHECK_ERROR(run(exact[over(1) | block(128)]()), errc::contract_violated, "block (128, 1, 1)", "compiled for (32, 4, 1)",
                       "hanabi::required_threads<32, 4, 1>");
    HANABI_CHECK_ERROR(run(exact[over(1) | block(64)]()), errc::contract_violated, "block (64, 1, 1)", "compiled for (32, 4, 1)");
    run(exact[over(1) | block(32, 4)]());
    run(told_exact[over(64, 64)]());
    BOOST_TEST((last_launch().grid == host::extent{2, 16, 1}));
}

BOOST_AUTO_TEST_CASE(clusters) {
    HANABI_SKIP_ON_CUDA("is for compute capability 9.0");
    run(bare[grid(4, 2) | block(1) | cluster(2, 2)]());
    BOOST_TEST((last_launch().cluster == host::extent{2, 2, 1}));
    HANABI_CHECK_ERROR(run(bare[grid(5) | block(1) | cluster(2)]()), errc::invalid_geometry, "launching m::free", "grid x is 5",
                       "no multiple of the cluster's 2");
    HANABI_CHECK_ERROR(run(bare[grid(4, 3) | block(1) | cluster(2, 2)]()), errc::invalid_geometry, "grid y is 3");
    HANABI_CHECK_ERROR(run(bare[over(700) | cluster(2)]()), errc::invalid_geometry, "grid x is 3", "2");
    int size = 0;
    HANABI_CHECK_ERROR(run(bare[grid(4) | block(1) | cluster(size)]()), errc::invalid_geometry, "cluster x is 0");
    HANABI_CHECK_ERROR(run(bare[grid(4) | block(1) | cluster(1, size)]()), errc::invalid_geometry, "cluster y is 0");
    size = -2;
    HANABI_CHECK_ERROR(run(bare[grid(4) | block(1) | cluster(size)]()), errc::invalid_geometry, "cluster");
    HANABI_CHECK_ERROR(run(bare[grid(two_to_the(32) + 2) | block(1) | cluster(two_to_the(32) + 2)]()), errc::invalid_geometry);
    size = 17;
    HANABI_CHECK_ERROR(run(bare[grid(17) | block(1) | cluster(size)]()), errc::invalid_geometry, "(17, 1, 1)", "more than 16 blocks");
    size = 3;
    HANABI_CHECK_ERROR(run(bare[grid(6, 6, 6) | block(1) | cluster(size, size, size)]()), errc::invalid_geometry, "more than 16 blocks");
    BOOST_TEST(host::launch_count() == 1u);
    // Above 8 blocks the opt-in is made, once.
    host::clear_calls();
    run(bare[grid(16) | block(1) | cluster(16)]());
    run(bare[grid(32) | block(1) | cluster(16)]());
    BOOST_TEST(host::calls(entry::func_set_attribute) == 1u);
    BOOST_TEST((last_launch().cluster == host::extent{16, 1, 1}));
}

BOOST_AUTO_TEST_CASE(cluster_contracts) {
    HANABI_SKIP_ON_CUDA("is for compute capability 9.0");
    run(by_fours[grid(4, 4) | block(1)]());
    BOOST_TEST((last_launch().cluster == host::extent{2, 2, 1}));
    run(by_fours[grid(4, 4) | block(1) | cluster(2, 2)]());
    BOOST_TEST((last_launch().cluster == host::extent{2, 2, 1}));
    int size = 4;
    HANABI_CHECK_ERROR(run(by_fours[grid(4, 4) | block(1) | cluster(size, 2)]()), errc::contract_violated, "cluster x is 4",
                       "contract says 2");
    HANABI_CHECK_ERROR(run(by_fours[grid(4, 3) | block(1)]()), errc::invalid_geometry, "grid y is 3", "2");
    run(by_sixteens[grid(16) | block(1)]());
    BOOST_TEST((last_launch().cluster == host::extent{16, 1, 1}));
    run(pairs[grid(4) | block(1)]());
    BOOST_TEST((last_launch().cluster == host::extent{2, 1, 1}));
    HANABI_CHECK_ERROR(run(pairs[grid(3) | block(1)]()), errc::invalid_geometry, "m::pairs", "grid x is 3", "2");
    HANABI_CHECK_ERROR(run(pairs[grid(4) | block(1) | cluster(size)]()), errc::contract_violated, "cluster x is 4", "compiled for 2");
    HANABI_CHECK_ERROR(run(open_pairs[grid(4) | block(1)]()), errc::contract_violated, "m::open_pairs", "explicit cluster", "cluster(...)");
    run(open_pairs[grid(4) | block(1) | cluster(4)]());
    // Where the grid counts clusters it need be no multiple of one.
    run(in_clusters[grid(3)]());
    BOOST_TEST((last_launch().grid == host::extent{3, 1, 1}));
}

BOOST_AUTO_TEST_CASE(a_cluster_contract_on_a_device_or_driver_without) {
    HANABI_SKIP_ON_CUDA("configures the driver");
    const auto& old = host::table_without({entry::launch_kernel_ex});
    {
        const hanabi::context older = hanabi::context::primary(0, old);
        const registry there = registry::load(older, {{"m", ptx}});
        HANABI_CHECK_ERROR(hanabi::dispatcher{there}(by_fours[grid(4, 4) | block(1)]()), errc::entry_missing, "m::free", "cuLaunchKernelEx",
                           "CUDA 11.6");
    }
    hanabi::context::release(0, old);
}

BOOST_AUTO_TEST_CASE(non_portable_sizes_that_the_driver_refuses) {
    HANABI_SKIP_ON_CUDA("fails on order");
    host::fail(entry::func_set_attribute, status::not_supported);
    HANABI_CHECK_ERROR(run(bare[grid(16) | block(1) | cluster(16)]()), status::not_supported, "m::free", "clusters of more than 8 blocks",
                       "(801)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_CASE(occupancy_chooses_the_block, ready) {
    HANABI_SKIP_ON_CUDA("counts calls");
    host::clear_calls();
    run(none[occupancy(100000)]());
    const auto first = last_launch();
    BOOST_TEST(first.block.x >= 32u);
    BOOST_TEST(first.grid.x == (100000 + first.block.x - 1) / first.block.x);
    run(none[occupancy(5)]());
    BOOST_TEST(last_launch().grid.x == 1u);
    BOOST_TEST(host::calls(entry::occupancy_max_potential_block_size) == 1u);
    run(none[occupancy(5) | hanabi::shared<char>(60000)]());
    BOOST_TEST(host::calls(entry::occupancy_max_potential_block_size) == 2u);
    BOOST_TEST(last_launch().shared_bytes == 60000u);
    static constexpr kernel<"common", "none", void(), hanabi::max_threads<96>> at_most_96;
    run(at_most_96[occupancy(1000)]());
    BOOST_TEST(last_launch().block.x <= 96u);
    refused(occupancy(two_to_the(62)), errc::invalid_geometry, {"grid x is", "elements in blocks of"});
    const registry fresh_one = load();
    host::fail(entry::occupancy_max_potential_block_size, status::unknown);
    HANABI_CHECK_ERROR(hanabi::dispatcher{fresh_one}(none[occupancy(5)]()), status::unknown, "common::none", "occupancy", "(999)");
    host::fail(entry::occupancy_max_potential_block_size, status::success); // and answers nothing
    HANABI_CHECK_ERROR(hanabi::dispatcher{fresh_one}(none[occupancy(5)]()), errc::invalid_geometry, "common::none", "occupancy",
                       "0 threads");
}
