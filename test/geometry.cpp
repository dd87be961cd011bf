// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Geometry: the numbers that terms hold, at full width; joining them; the verdicts on what can't be.

#define BOOST_TEST_MODULE geometry
#include <boost/test/unit_test.hpp>

#include <hanabi/geometry.hpp>

#include <boost/hana/integral_constant.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

using namespace hanabi::literals;
namespace because = hanabi::because;
namespace term = hanabi::term;
namespace driver = hanabi::driver;
using hanabi::block;
using hanabi::cluster;
using hanabi::grid;
using hanabi::launch_shape;
using hanabi::occupancy;
using hanabi::over;
using hanabi::shared;

namespace {

std::string text(const std::uint64_t (&e)[3]) { return std::to_string(e[0]) + " " + std::to_string(e[1]) + " " + std::to_string(e[2]); }

template <class... T>
constexpr bool all_count = (hanabi::count<T> && ...);
template <class... T>
constexpr bool none_counts = (!hanabi::count<T> && ...);
enum class color { red };

// Any integer type, or a constant of one; the narrow ones that std::int8_t is too.
static_assert(all_count<signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long,
                        unsigned long long, std::int8_t, std::uint8_t, std::size_t, std::ptrdiff_t>);
static_assert(
    all_count<decltype(5_c), decltype(5000000000_c), std::integral_constant<std::size_t, 3>, boost::hana::integral_constant<int, 5>>);
static_assert(
    none_counts<bool, char, wchar_t, char8_t, char16_t, char32_t, float, double, color, int*, std::nullptr_t, void, const char[4],
                std::true_type, std::integral_constant<char, 'a'>, boost::hana::false_, std::integral_constant<color, color::red>>);
__extension__ using wide = __int128;
__extension__ using unsigned_wide = unsigned __int128;
static_assert(none_counts<wide, unsigned_wide>); // 64 bits are what the numbers are kept in

/// What a count arrives as.
template <class T>
std::uint64_t counted(T n) {
    return over(n).extent[0];
}

} // namespace

BOOST_AUTO_TEST_CASE(counts_of_every_type_are_kept_whole) {
    const auto check = []<class T>(T) {
        using limits = std::numeric_limits<T>;
        BOOST_TEST(counted(limits::max()) == static_cast<std::uint64_t>(limits::max()));
        BOOST_TEST(counted(limits::min()) ==
                   static_cast<std::uint64_t>(limits::min())); // a negative one keeps its bits: refused at the launch
        BOOST_TEST(grid(T{1}, limits::max(), T{2}).extent[1] == static_cast<std::uint64_t>(limits::max()));
        BOOST_TEST(block(limits::max()).block[0] == static_cast<std::uint64_t>(limits::max()));
        BOOST_TEST(cluster(T{1}, T{1}, limits::max()).cluster[2] == static_cast<std::uint64_t>(limits::max()));
    };
    check(std::int8_t{});
    check(std::uint8_t{});
    check(short{});
    check(static_cast<unsigned short>(0));
    check(0);
    check(0u);
    check(0l);
    check(0ul);
    check(0ll);
    check(0ull);
    BOOST_TEST(counted(-1) == ~std::uint64_t{0});
    BOOST_TEST(counted(std::size_t{1} << 32) == 4294967296u);         // and not 0
    BOOST_TEST(counted((std::uint64_t{1} << 32) + 1) == 4294967297u); // and not 1
    BOOST_TEST(counted(~std::size_t{0}) == ~std::uint64_t{0});
    BOOST_TEST(counted(0) == 0u);
    BOOST_TEST(counted(5000000000_c) == 5000000000u);
    BOOST_TEST(counted(boost::hana::size_c<7>) == 7u);
}

BOOST_AUTO_TEST_CASE(axes_that_are_not_said_are_one) {
    BOOST_TEST(text(over(5).extent) == "5 1 1");
    BOOST_TEST(text(over(5, 6u).extent) == "5 6 1");
    BOOST_TEST(text(over(5, 6_c, 7l).extent) == "5 6 7");
    BOOST_TEST(text(grid(5).extent) == "5 1 1");
    BOOST_TEST(text(grid(5, 6).extent) == "5 6 1");
    BOOST_TEST(text(grid(5, 6, 7).extent) == "5 6 7");
    BOOST_TEST(text(occupancy(5).extent) == "5 1 1");
    BOOST_TEST(text(block(5).block) == "5 1 1");
    BOOST_TEST(text(block(5, 6).block) == "5 6 1");
    BOOST_TEST(text(block(5_c, 6, 7).block) == "5 6 7");
    BOOST_TEST(text(cluster(2).cluster) == "2 1 1");
    BOOST_TEST(text(cluster(2, 2, 2).cluster) == "2 2 2");
    BOOST_TEST(over(5).block[0] == 0u); // not said
    BOOST_TEST(over(5).cluster[0] == 0u);
    BOOST_TEST(over(5).shared == 0u);
}

BOOST_AUTO_TEST_CASE(shared_memory_is_counted_in_objects_and_does_not_wrap) {
    BOOST_TEST(shared<float>(256).shared == 1024u);
    BOOST_TEST(shared<char>(0).shared == 0u);
    BOOST_TEST(shared<double>(3_c).shared == 24u);
    BOOST_TEST(shared<double>(std::size_t{1} << 40).shared == std::uint64_t{8} << 40);
    BOOST_TEST(shared<double>(std::uint64_t{1} << 61).shared == ~std::uint64_t{0}); // would wrap to 0
    BOOST_TEST(shared<float>((std::uint64_t{1} << 62) + 1).shared == ~std::uint64_t{0});
    BOOST_TEST(shared<float>(-1).shared == ~std::uint64_t{0});
    BOOST_TEST(shared<char>(-1).shared == ~std::uint64_t{0});
}

BOOST_AUTO_TEST_CASE(terms_join_in_any_order) {
    const auto check = [](const auto& g) {
        BOOST_TEST(text(g.extent) == "8 4 1");
        BOOST_TEST(text(g.block) == "16 2 1");
        BOOST_TEST(text(g.cluster) == "2 1 1");
        BOOST_TEST(g.shared == 1024u);
        BOOST_TEST((g.terms == (term::grid | term::block | term::shared | term::cluster | term::priority)));
        BOOST_REQUIRE(g.attribute_count == 2u);
        bool has_priority = false, has_cluster = false;
        for (unsigned i = 0; i < 2; ++i) {
            const driver::launch_attribute& a = g.attributes.data()[i];
            has_priority |= a.id == driver::launch_attribute_id::priority && a.value.priority == -3;
            has_cluster |= a.id == driver::launch_attribute_id::cluster_dimension && a.value.cluster_dim.x == 2 &&
                           a.value.cluster_dim.y == 1 && a.value.cluster_dim.z == 1;
        }
        BOOST_TEST(has_priority);
        BOOST_TEST(has_cluster);
    };
    check(grid(8, 4) | block(16, 2) | shared<float>(256) | cluster(2) | hanabi::priority(-3));
    check(hanabi::priority(-3) | cluster(2) | shared<float>(256) | block(16, 2) | grid(8, 4));
    check((cluster(2) | block(16, 2)) | (hanabi::priority(-3) | (shared<float>(256) | grid(8, 4))));
}

BOOST_AUTO_TEST_CASE(the_site_is_where_the_count_is_written) {
    const auto line = std::source_location::current().line();
    const auto first = block(8) | over(5);
    const auto second = grid(5) | block(8);
    const auto third = occupancy(5);
    BOOST_TEST(first.site.line() == line + 1);
    BOOST_TEST(second.site.line() == line + 2);
    BOOST_TEST(third.site.line() == line + 3);
    BOOST_TEST(std::strstr(first.site.file_name(), "geometry.cpp") != nullptr);
    BOOST_TEST(block(8).site.line() == 0u);

    const auto wrapped = [](int n, std::source_location from) { return over(n, from); }; // for those who wrap over
    const auto site = std::source_location::current();
    BOOST_TEST(wrapped(5, site).site.line() == site.line());
}

BOOST_AUTO_TEST_CASE(attributes_say_what_the_driver_reads) {
    const auto only = []<unsigned T, class B>(const hanabi::geometry<T, B, 1>& g) { return g.attributes.data()[0]; };
    using id = driver::launch_attribute_id;
    BOOST_TEST((only(hanabi::cooperative).id == id::cooperative));
    BOOST_TEST(only(hanabi::cooperative).value.cooperative == 1);
    BOOST_TEST((only(hanabi::pdl).id == id::programmatic_stream_serialization));
    BOOST_TEST(only(hanabi::pdl).value.programmatic_stream_serialization_allowed == 1);
    BOOST_TEST(only(hanabi::priority(-5)).value.priority == -5);
    BOOST_TEST((only(hanabi::cluster_scheduling(hanabi::cluster_policy::load_balancing)).id == id::cluster_scheduling_policy_preference));
    BOOST_TEST(only(hanabi::cluster_scheduling(hanabi::cluster_policy::load_balancing)).value.cluster_scheduling_policy_preference == 2u);
    const auto preferred = only(hanabi::preferred_cluster(4, 2_c));
    BOOST_TEST((preferred.id == id::preferred_cluster_dimension));
    BOOST_TEST(preferred.value.preferred_cluster_dim.x == 4u);
    BOOST_TEST(preferred.value.preferred_cluster_dim.y == 2u);
    BOOST_TEST(preferred.value.preferred_cluster_dim.z == 1u);
    BOOST_TEST(only(hanabi::preferred_cluster((std::uint64_t{1} << 32) + 2)).value.preferred_cluster_dim.x == 0xffffffffu); // not 2
    BOOST_TEST(only(hanabi::preferred_cluster(-1)).value.preferred_cluster_dim.x == 0xffffffffu);
    int memory = 0;
    const driver::access_policy_window window{&memory, 4, 0.5f, driver::access_property::persisting, driver::access_property::streaming};
    BOOST_TEST((only(hanabi::access_policy(window)).id == id::access_policy_window));
    BOOST_TEST(only(hanabi::access_policy(window)).value.window.base_ptr == &memory);
    BOOST_TEST((only(hanabi::mem_sync_domain(1)).id == id::mem_sync_domain));
    BOOST_TEST(only(hanabi::mem_sync_domain(1)).value.mem_sync_domain == 1u);
    BOOST_TEST((only(hanabi::mem_sync_domain_map(2, 3)).id == id::mem_sync_domain_map));
    BOOST_TEST(static_cast<int>(only(hanabi::mem_sync_domain_map(2, 3)).value.mem_sync_domain_map.remote) == 3);
    BOOST_TEST((only(hanabi::carveout(50)).id == id::preferred_shared_memory_carveout));
    BOOST_TEST(only(hanabi::carveout(50)).value.shared_mem_carveout == 50u);
    const auto event = reinterpret_cast<driver::event_handle>(&memory);
    BOOST_TEST((only(hanabi::programmatic_event(event, true)).id == id::programmatic_event));
    BOOST_TEST(only(hanabi::programmatic_event(event, true)).value.programmatic_event.event == event);
    BOOST_TEST(only(hanabi::programmatic_event(event, true)).value.programmatic_event.trigger_at_block_start == 1);
    BOOST_TEST((only(hanabi::launch_completion_event(event)).id == id::launch_completion_event));
    // Any other, as often as wanted.
    driver::launch_attribute_value value{};
    value.nvlink_util_centric_scheduling = 1;
    const auto raw = hanabi::attribute(id::nvlink_util_centric_scheduling, value) | hanabi::attribute(id::ignore, {}) | over(1);
    BOOST_TEST(raw.attribute_count == 2u);
    BOOST_TEST(raw.attributes.data()[0].value.nvlink_util_centric_scheduling == 1u);
    // What does not fit the driver's 32 bits keeps its 64 in the shape, by which it is refused.
    BOOST_TEST(cluster(std::uint64_t{1} << 32).cluster[0] == std::uint64_t{1} << 32);
}

// ---- Verdicts -------------------------------------------------------------------------------------------------------------

namespace {

template <unsigned A, unsigned B, class Because>
constexpr bool joined = std::is_same_v<hanabi::terms_verdict<A, B>, Because>&& std::is_same_v<hanabi::terms_verdict<B, A>, Because>;
static_assert(joined<term::over, term::block, because::it_is_fine> &&
              joined<term::grid | term::block, term::shared | term::pdl, because::it_is_fine>);
static_assert(joined<term::occupancy, term::shared, because::it_is_fine> && joined<0, 0, because::it_is_fine>);
static_assert(joined<term::over, term::over, because::over_grid_or_occupancy_is_given_twice> &&
              joined<term::over, term::grid, because::over_grid_or_occupancy_is_given_twice>);
static_assert(joined<term::occupancy | term::shared, term::grid, because::over_grid_or_occupancy_is_given_twice>);
static_assert(joined<term::over | term::block, term::block, because::the_block_is_given_twice> &&
              joined<term::shared, term::shared, because::shared_is_given_twice>);
static_assert(joined<term::cluster, term::cluster | term::grid, because::cluster_is_given_twice> &&
              joined<term::pdl, term::pdl, because::a_launch_attribute_is_given_twice>);
static_assert(joined<term::carveout, term::carveout, because::a_launch_attribute_is_given_twice>);
static_assert(joined<term::occupancy, term::block, because::occupancy_chooses_the_block>);

template <std::uint64_t X, std::uint64_t Y, std::uint64_t Z, class Because>
constexpr bool blocked = std::is_same_v<hanabi::block_verdict<hanabi::block_constants<X, Y, Z>>, Because>;
static_assert(blocked<1024, 1, 1, because::it_is_fine> && blocked<1, 1024, 1, because::it_is_fine> &&
              blocked<4, 4, 64, because::it_is_fine> && blocked<0, 0, 0, because::it_is_fine>);
static_assert(blocked<1025, 1, 1, because::a_block_has_at_most_1024_threads> &&
              blocked<1, 1025, 1, because::a_block_has_at_most_1024_threads>);
static_assert(blocked<32, 33, 1, because::a_block_has_at_most_1024_threads> &&
              blocked<0, 33, 32, because::a_block_has_at_most_1024_threads>);
static_assert(blocked<65536, 65536, 1, because::a_block_has_at_most_1024_threads> &&
              blocked<(1ull << 32), (1ull << 32), 1, because::a_block_has_at_most_1024_threads>);
static_assert(blocked<1, 1, 65, because::a_block_has_at_most_64_threads_along_z> &&
              blocked<0, 0, 65, because::a_block_has_at_most_64_threads_along_z>);

// What the compiler knows of block and cluster, and keeps through joins.
template <class G, class Block, class Cluster>
constexpr bool known = std::is_same_v<typename G::block_type::block, Block>&& std::is_same_v<typename G::block_type::cluster, Cluster>;
template <std::uint64_t X, std::uint64_t Y, std::uint64_t Z>
using b = hanabi::block_constants<X, Y, Z>;
template <std::uint64_t X, std::uint64_t Y, std::uint64_t Z>
using c = hanabi::cluster_constants<X, Y, Z>;
static_assert(known<decltype(block(16_c, 8_c)), b<16, 8, 1>, c<0, 0, 0>> && known<decltype(block(16, 8_c)), b<0, 8, 1>, c<0, 0, 0>>);
static_assert(known<decltype(over(1)), b<0, 0, 0>, c<0, 0, 0>> && known<decltype(block(1_c) | over(1)), b<1, 1, 1>, c<0, 0, 0>>);
static_assert(known<decltype(cluster(2_c) | grid(4) | block(8_c)), b<8, 1, 1>, c<2, 1, 1>> &&
              known<decltype(block(8_c) | cluster(2, 2_c)), b<8, 1, 1>, c<0, 2, 1>>);

// Plain values.
static_assert(std::is_trivially_copyable_v<decltype(grid(1) | block(1) | cluster(1) | hanabi::cooperative)>);
static_assert(sizeof(over(1)) == sizeof(launch_shape));                      // no attributes, no bytes
static_assert(over(7).extent[0] == 7 && (grid(2) | block(3)).block[0] == 3); // constexpr

} // namespace
