// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Geometry: how many threads, in what blocks, with what launch attributes. Terms are joined by `|`; each may be said
/// once. A geometry is a plain value; whether it fits the device is found out at the launch.

#ifndef HANABI_GEOMETRY_HPP
#define HANABI_GEOMETRY_HPP

#include <hanabi/config.hpp>
#include <hanabi/contract.hpp>
#include <hanabi/count.hpp>
#include <hanabi/driver/abi.hpp>
#include <hanabi/literals.hpp>
#include <hanabi/refusal.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace hanabi {

/// The terms a geometry holds, one bit each.
namespace term {
inline constexpr unsigned over = 1u << 0;
inline constexpr unsigned grid = 1u << 1;
inline constexpr unsigned occupancy = 1u << 2;
inline constexpr unsigned block = 1u << 3;
inline constexpr unsigned shared = 1u << 4;
inline constexpr unsigned cluster = 1u << 5;
inline constexpr unsigned cooperative = 1u << 6;
inline constexpr unsigned pdl = 1u << 7;
inline constexpr unsigned priority = 1u << 8;
inline constexpr unsigned cluster_scheduling = 1u << 9;
inline constexpr unsigned preferred_cluster = 1u << 10;
inline constexpr unsigned access_policy = 1u << 11;
inline constexpr unsigned mem_sync_domain = 1u << 12;
inline constexpr unsigned mem_sync_domain_map = 1u << 13;
inline constexpr unsigned carveout = 1u << 14;
inline constexpr unsigned programmatic_event = 1u << 15;
inline constexpr unsigned launch_completion_event = 1u << 16;
inline constexpr unsigned extent = over | grid | occupancy;
} // namespace term

/// The numbers of a geometry, unchecked and at full width: 64 bits hold what the caller gave, so nothing wraps. A
/// negative count keeps its bits and is refused at the launch.
struct launch_shape {
    std::uint64_t extent[3] = {1, 1, 1};  ///< elements with over and occupancy, blocks with grid
    std::uint64_t block[3] = {0, 1, 1};   ///< threads; x is 0 where no term or contract has said
    std::uint64_t cluster[3] = {0, 1, 1}; ///< blocks; x is 0 where no term has said
    std::uint64_t shared = 0;             ///< bytes of dynamic shared memory for each block
    std::source_location site{};          ///< where the first term was written
};

/// A cluster's extents as the compiler knows them; 0 where it doesn't.
template <std::uint64_t X, std::uint64_t Y, std::uint64_t Z>
struct cluster_constants {
    static constexpr std::uint64_t x = X, y = Y, z = Z;
};
using unknown_cluster = cluster_constants<0, 0, 0>;

/// A block's extents as the compiler knows them; 0 where it doesn't.
template <std::uint64_t X, std::uint64_t Y, std::uint64_t Z>
struct block_constants {
    static constexpr std::uint64_t x = X, y = Y, z = Z;
    using block = block_constants;
    using cluster = unknown_cluster;
};
using unknown_block = block_constants<0, 0, 0>;

/// Both, where something of the cluster is known.
template <class Block, class Cluster>
struct block_and_cluster_constants {
    static constexpr std::uint64_t x = Block::x, y = Block::y, z = Block::z;
    using block = Block;
    using cluster = Cluster;
};

namespace detail {

template <unsigned N>
struct attribute_list {
    driver::launch_attribute items[N];
    constexpr const driver::launch_attribute* data() const noexcept { return items; }
};
template <>
struct attribute_list<0> {
    constexpr const driver::launch_attribute* data() const noexcept { return nullptr; }
};

} // namespace detail

/// A geometry of the given terms with N launch attributes. Made by the factories below and `|`; trivially copyable.
template <unsigned Terms, class Block = unknown_block, unsigned N = 0>
struct geometry : launch_shape {
    static constexpr unsigned terms = Terms;
    static constexpr unsigned attribute_count = N;
    using block_type = Block; ///< what is known of block and cluster
    HANABI_NO_UNIQUE_ADDRESS detail::attribute_list<N> attributes;
};

namespace because {
struct over_grid_or_occupancy_is_given_twice;
struct the_block_is_given_twice;
struct occupancy_chooses_the_block;
struct shared_is_given_twice;
struct cluster_is_given_twice;
struct a_launch_attribute_is_given_twice;
struct a_block_has_at_most_1024_threads;
struct a_block_has_at_most_64_threads_along_z;
struct a_cluster_has_at_most_16_blocks;
} // namespace because

/// The error of a `|` that says something twice. Never defined: its name is the message.
template <class Because>
struct geometry_contradicts_itself;

/// The error of a block of constants that no device takes. Never defined: its name is the message.
template <class Constants, class Because>
struct block_is_impossible;

/// The error of a cluster of constants that no device takes. Never defined: its name is the message.
template <class Constants, class Because>
struct cluster_is_impossible;

namespace detail {

template <class... T>
struct known_block;
template <class X>
struct known_block<X> {
    using type = block_constants<known_count<X>(), 1, 1>;
};
template <class X, class Y>
struct known_block<X, Y> {
    using type = block_constants<known_count<X>(), known_count<Y>(), 1>;
};
template <class X, class Y, class Z>
struct known_block<X, Y, Z> {
    using type = block_constants<known_count<X>(), known_count<Y>(), known_count<Z>()>;
};
/// What is known of block and cluster together: the block alone, where nothing is known of the cluster.
template <class Block, class Cluster>
struct known_extents {
    using type = block_and_cluster_constants<Block, Cluster>;
};
template <class Block>
struct known_extents<Block, unknown_cluster> {
    using type = Block;
};

/// What is known of two geometries joined: T2 are the terms of the second.
template <unsigned T2, class Known1, class Known2>
using joined_extents = typename known_extents<typename std::conditional_t<(T2 & term::block) != 0, Known2, Known1>::block,
                                              typename std::conditional_t<(T2 & term::cluster) != 0, Known2, Known1>::cluster>::type;

template <class Block>
constexpr auto judge_block() noexcept {
    constexpr std::uint64_t x = Block::x == 0 ? 1 : Block::x, y = Block::y == 0 ? 1 : Block::y, z = Block::z == 0 ? 1 : Block::z;
    if constexpr (z > 64)
        return static_cast<because::a_block_has_at_most_64_threads_along_z*>(nullptr);
    else if constexpr (x > 1024 || y > 1024 || x * y * z > 1024)
        return static_cast<because::a_block_has_at_most_1024_threads*>(nullptr);
    else
        return static_cast<because::it_is_fine*>(nullptr);
}

/// False for a cluster that no device takes, whatever its unknown extents.
template <class C>
inline constexpr bool cluster_is_possible = C::x <= 16 && C::y <= 16 && C::z <= 16 &&
                                            (C::x == 0 ? 1 : C::x) * (C::y == 0 ? 1 : C::y) * (C::z == 0 ? 1 : C::z) <= 16;

template <unsigned A, unsigned B>
constexpr auto judge_terms() noexcept {
    constexpr unsigned common = A & B, extents = (A | B) & term::extent;
    if constexpr ((extents & (extents - 1)) != 0 || (common & term::extent) != 0)
        return static_cast<because::over_grid_or_occupancy_is_given_twice*>(nullptr);
    else if constexpr ((common & term::block) != 0)
        return static_cast<because::the_block_is_given_twice*>(nullptr);
    else if constexpr ((common & term::shared) != 0)
        return static_cast<because::shared_is_given_twice*>(nullptr);
    else if constexpr ((common & term::cluster) != 0)
        return static_cast<because::cluster_is_given_twice*>(nullptr);
    else if constexpr (common != 0)
        return static_cast<because::a_launch_attribute_is_given_twice*>(nullptr);
    else if constexpr (((A | B) & term::occupancy) != 0 && ((A | B) & term::block) != 0)
        return static_cast<because::occupancy_chooses_the_block*>(nullptr);
    else
        return static_cast<because::it_is_fine*>(nullptr);
}

} // namespace detail

/// The verdict on joining terms A and B with `|`: because::it_is_fine, or what is said twice.
template <unsigned A, unsigned B>
using terms_verdict = std::remove_pointer_t<decltype(detail::judge_terms<A, B>())>;

/// The verdict on a block of constants: because::it_is_fine, or why no device takes it.
template <class Block>
using block_verdict = std::remove_pointer_t<decltype(detail::judge_block<Block>())>;

namespace detail {

/// Member by member, which compilers see through where they don't see through the copy of the whole.
HANABI_INLINE constexpr launch_shape copy_of(const launch_shape& s) noexcept {
    return {{s.extent[0], s.extent[1], s.extent[2]},
            {s.block[0], s.block[1], s.block[2]},
            {s.cluster[0], s.cluster[1], s.cluster[2]},
            s.shared,
            s.site};
}

/// Takes from b the terms it has.
HANABI_INLINE constexpr void merge(launch_shape& a, const launch_shape& b, unsigned b_terms) noexcept {
    if ((b_terms & term::extent) != 0)
        for (int i = 0; i < 3; ++i) a.extent[i] = b.extent[i];
    if ((b_terms & term::block) != 0)
        for (int i = 0; i < 3; ++i) a.block[i] = b.block[i];
    if ((b_terms & term::cluster) != 0)
        for (int i = 0; i < 3; ++i) a.cluster[i] = b.cluster[i];
    if ((b_terms & term::shared) != 0) a.shared = b.shared;
    if (a.site.line() == 0) a.site = b.site;
}

template <unsigned Term>
constexpr geometry<Term, unknown_block, 1> make_attribute(driver::launch_attribute_id id, driver::launch_attribute_value value) noexcept {
    geometry<Term, unknown_block, 1> g{};
    g.attributes.items[0].id = id;
    g.attributes.items[0].value = value;
    return g;
}

} // namespace detail

/// Joins two geometries. Saying a term twice does not compile.
template <unsigned T1, class B1, unsigned N1, unsigned T2, class B2, unsigned N2>
HANABI_INLINE constexpr auto operator|(const geometry<T1, B1, N1>& a, const geometry<T2, B2, N2>& b) noexcept {
    if constexpr (!std::is_same_v<terms_verdict<T1, T2>, because::it_is_fine>) {
        (void)sizeof(geometry_contradicts_itself<terms_verdict<T1, T2>>);
        return a; // so that what is joined to it, and the kernel, have no more to complain of
    } else {
        geometry<T1 | T2, detail::joined_extents<T2, B1, B2>, N1 + N2> both{};
        static_cast<launch_shape&>(both) = a;
        detail::merge(both, b, T2);
        if constexpr (N1 != 0)
            for (unsigned i = 0; i < N1; ++i) both.attributes.items[i] = a.attributes.items[i];
        if constexpr (N2 != 0)
            for (unsigned i = 0; i < N2; ++i) both.attributes.items[N1 + i] = b.attributes.items[i];
        return both;
    }
}

/// `axpy[grid(8), block(128)]` would silently drop the grid: join terms with `|`. The parameter's name is part of what
/// compilers print.
template <unsigned T1, class B1, unsigned N1, class join_terms_with_a_vertical_bar>
void operator,(const geometry<T1, B1, N1>&, const join_terms_with_a_vertical_bar&) = delete;

/// As many threads as there are elements, rounded up to whole blocks: the kernel checks its index. Without a block term,
/// blocks have the required size of the kernel's contract, else 256 threads (fewer under max_threads). Nothing to do
/// (a zero) is a launch of nothing: success, with no driver call.
template <count X>
HANABI_INLINE constexpr geometry<term::over> over(X x, std::source_location site = std::source_location::current()) noexcept {
    if constexpr (!detail::count_is_fine<0, X>) detail::report_counts<"over", 0, 1, X>();
    geometry<term::over> g{};
    g.extent[0] = detail::to_count(x);
    g.site = site;
    return g;
}
/// \overload
template <count X, count Y>
HANABI_INLINE constexpr geometry<term::over> over(X x, Y y, std::source_location site = std::source_location::current()) noexcept {
    if constexpr (!(detail::count_is_fine<0, X> && detail::count_is_fine<0, Y>)) detail::report_counts<"over", 0, 1, X, Y>();
    geometry<term::over> g{};
    g.extent[0] = detail::to_count(x);
    g.extent[1] = detail::to_count(y);
    g.site = site;
    return g;
}
/// \overload
template <count X, count Y, count Z>
HANABI_INLINE constexpr geometry<term::over> over(X x, Y y, Z z, std::source_location site = std::source_location::current()) noexcept {
    if constexpr (!(detail::count_is_fine<0, X> && detail::count_is_fine<0, Y> && detail::count_is_fine<0, Z>))
        detail::report_counts<"over", 0, 1, X, Y, Z>();
    geometry<term::over> g{};
    g.extent[0] = detail::to_count(x);
    g.extent[1] = detail::to_count(y);
    g.extent[2] = detail::to_count(z);
    g.site = site;
    return g;
}

/// Exactly so many blocks. Zero along any axis is an error at the launch.
template <count X>
HANABI_INLINE constexpr geometry<term::grid> grid(X x, std::source_location site = std::source_location::current()) noexcept {
    if constexpr (!detail::count_is_fine<1, X>) detail::report_counts<"grid", 1, 1, X>();
    geometry<term::grid> g{};
    g.extent[0] = detail::to_count(x);
    g.site = site;
    return g;
}
/// \overload
template <count X, count Y>
HANABI_INLINE constexpr geometry<term::grid> grid(X x, Y y, std::source_location site = std::source_location::current()) noexcept {
    if constexpr (!(detail::count_is_fine<1, X> && detail::count_is_fine<1, Y>)) detail::report_counts<"grid", 1, 1, X, Y>();
    geometry<term::grid> g{};
    g.extent[0] = detail::to_count(x);
    g.extent[1] = detail::to_count(y);
    g.site = site;
    return g;
}
/// \overload
template <count X, count Y, count Z>
HANABI_INLINE constexpr geometry<term::grid> grid(X x, Y y, Z z, std::source_location site = std::source_location::current()) noexcept {
    if constexpr (!(detail::count_is_fine<1, X> && detail::count_is_fine<1, Y> && detail::count_is_fine<1, Z>))
        detail::report_counts<"grid", 1, 1, X, Y, Z>();
    geometry<term::grid> g{};
    g.extent[0] = detail::to_count(x);
    g.extent[1] = detail::to_count(y);
    g.extent[2] = detail::to_count(z);
    g.site = site;
    return g;
}

/// As `over`, in blocks of the size that the driver's occupancy query answers for the kernel
/// (cuOccupancyMaxPotentialBlockSize), asked once for each amount of shared memory.
template <count X>
HANABI_INLINE constexpr geometry<term::occupancy> occupancy(X x, std::source_location site = std::source_location::current()) noexcept {
    if constexpr (!detail::count_is_fine<0, X>) detail::report_counts<"occupancy", 0, 1, X>();
    geometry<term::occupancy> g{};
    g.extent[0] = detail::to_count(x);
    g.site = site;
    return g;
}

/// The threads of a block along each axis. Constants (256_c) are checked by the compiler: against 1024 threads, 64 along
/// z, and the kernel's contracts.
template <count... N>
requires(sizeof...(N) >= 1 && sizeof...(N) <= 3) HANABI_INLINE constexpr auto block(N... n) noexcept {
    using known = typename detail::known_block<N...>::type;
    if constexpr (!(detail::count_is_fine<1, N> && ...))
        detail::report_counts<"block", 1, 1, N...>();
    else if constexpr (!std::is_same_v<block_verdict<known>, because::it_is_fine>)
        (void)sizeof(block_is_impossible<known, block_verdict<known>>);
    geometry<term::block, known> g{};
    const std::uint64_t given[3] = {detail::to_count(n)...};
    for (unsigned i = 0; i < sizeof...(N); ++i) g.block[i] = given[i];
    return g;
}

/// Dynamic shared memory of each block, as a number of objects of T.
template <class T, count N>
HANABI_INLINE constexpr geometry<term::shared> shared(N n) noexcept {
    if constexpr (!detail::count_is_fine<0, N>) detail::report_counts<"shared", 0, 1, N>();
    geometry<term::shared> g{};
    const std::uint64_t items = detail::to_count(n);
    g.shared = items > ~std::uint64_t{0} / sizeof(T) ? ~std::uint64_t{0} : items * sizeof(T);
    return g;
}

/// The blocks of a cluster along each axis (CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION). The grid must be a multiple.
template <count... N>
requires(sizeof...(N) >= 1 && sizeof...(N) <= 3) HANABI_INLINE constexpr auto cluster(N... n) noexcept {
    using known = typename detail::known_block<N...>::type;
    using constants = cluster_constants<known::x, known::y, known::z>;
    if constexpr (!(detail::count_is_fine<1, N> && ...))
        detail::report_counts<"cluster", 1, 1, N...>();
    else if constexpr (!detail::cluster_is_possible<constants>)
        (void)sizeof(cluster_is_impossible<constants, because::a_cluster_has_at_most_16_blocks>);
    geometry<term::cluster, block_and_cluster_constants<unknown_block, constants>, 1> g{};
    const std::uint64_t given[3] = {detail::to_count(n)...};
    for (unsigned i = 0; i < sizeof...(N); ++i) g.cluster[i] = given[i];
    g.attributes.items[0].id = driver::launch_attribute_id::cluster_dimension;
    // What does not fit 32 bits is refused at the launch by the 64-bit extents, before these are looked at.
    g.attributes.items[0].value = driver::launch_attribute_value{
        .cluster_dim = {static_cast<unsigned>(g.cluster[0]), static_cast<unsigned>(g.cluster[1]), static_cast<unsigned>(g.cluster[2])}};
    return g;
}

// What is no count comes here, to be refused in words.
template <class... N>
requires(detail::no_counts<N...> || sizeof...(N) == 0 || sizeof...(N) > 3) constexpr geometry<term::over> over(const N&...) noexcept {
    detail::report_counts<"over", 0, 1, N..., detail::no_argument>();
    return {};
}
template <class... N>
requires(detail::no_counts<N...> || sizeof...(N) == 0 || sizeof...(N) > 3) constexpr geometry<term::grid> grid(const N&...) noexcept {
    detail::report_counts<"grid", 1, 1, N..., detail::no_argument>();
    return {};
}
template <class... N>
requires(detail::no_counts<N...> || sizeof...(N) != 1) constexpr geometry<term::occupancy> occupancy(const N&...) noexcept {
    detail::report_counts<"occupancy", 0, 1, N..., detail::no_argument>();
    return {};
}
template <class... N>
requires(detail::no_counts<N...> || sizeof...(N) == 0 || sizeof...(N) > 3) constexpr geometry<term::block> block(const N&...) noexcept {
    detail::report_counts<"block", 1, 1, N..., detail::no_argument>();
    return {};
}
template <class... N>
requires(detail::no_counts<N...> || sizeof...(N) == 0 || sizeof...(N) > 3) constexpr geometry<term::cluster> cluster(const N&...) noexcept {
    detail::report_counts<"cluster", 1, 1, N..., detail::no_argument>();
    return {};
}
template <class T, class N>
requires(detail::no_counts<N>) constexpr geometry<term::shared> shared(const N&) noexcept {
    detail::report_counts<"shared", 0, 1, N>();
    return {};
}

/// All blocks resident together, so that the grid can synchronise (CU_LAUNCH_ATTRIBUTE_COOPERATIVE).
inline constexpr auto cooperative = detail::make_attribute<term::cooperative>(driver::launch_attribute_id::cooperative, {.cooperative = 1});

/// Programmatic dependent launch: may start before the kernel ahead of it in the stream has ended
/// (CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION). Only for kernels declared with allows_pdl.
inline constexpr auto pdl = detail::make_attribute<term::pdl>(driver::launch_attribute_id::programmatic_stream_serialization,
                                                              {.programmatic_stream_serialization_allowed = 1});

/// The launch's own scheduling priority, lower is sooner (CU_LAUNCH_ATTRIBUTE_PRIORITY).
constexpr auto priority(int value) noexcept {
    return detail::make_attribute<term::priority>(driver::launch_attribute_id::priority, {.priority = value});
}

/// How clusters are spread over the device's processors (CUclusterSchedulingPolicy).
enum class cluster_policy : unsigned { automatic = 0, spread = 1, load_balancing = 2 };

/// CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE.
constexpr auto cluster_scheduling(cluster_policy policy) noexcept {
    return detail::make_attribute<term::cluster_scheduling>(driver::launch_attribute_id::cluster_scheduling_policy_preference,
                                                            {.cluster_scheduling_policy_preference = static_cast<unsigned>(policy)});
}

/// The cluster size to prefer where it fits, a multiple of `cluster` (CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, CUDA
/// 12.8). What does not fit 32 bits becomes the largest number that does, which no driver takes.
template <count... N>
requires(sizeof...(N) >= 1 && sizeof...(N) <= 3) constexpr auto preferred_cluster(N... n) noexcept {
    if constexpr (!(detail::count_is_fine<1, N> && ...)) detail::report_counts<"preferred_cluster", 1, 1, N...>();
    const std::uint64_t given[3] = {detail::to_count(n)...};
    unsigned clipped[3] = {1, 1, 1};
    for (unsigned i = 0; i < sizeof...(N); ++i) clipped[i] = given[i] > 0xffffffffu ? 0xffffffffu : static_cast<unsigned>(given[i]);
    driver::launch_attribute_value v{.preferred_cluster_dim = {clipped[0], clipped[1], clipped[2]}};
    return detail::make_attribute<term::preferred_cluster>(driver::launch_attribute_id::preferred_cluster_dimension, v);
}

/// Which accesses of a window of memory persist in the L2 cache (CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).
constexpr auto access_policy(const driver::access_policy_window& window) noexcept {
    return detail::make_attribute<term::access_policy>(driver::launch_attribute_id::access_policy_window, {.window = window});
}

/// The logical memory-synchronization domain: 0 default, 1 remote (CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).
constexpr auto mem_sync_domain(unsigned domain) noexcept {
    return detail::make_attribute<term::mem_sync_domain>(driver::launch_attribute_id::mem_sync_domain, {.mem_sync_domain = domain});
}

/// Physical domains for the two logical ones (CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP).
constexpr auto mem_sync_domain_map(unsigned char default_domain, unsigned char remote_domain) noexcept {
    driver::launch_attribute_value v{.mem_sync_domain_map = {default_domain, remote_domain}};
    return detail::make_attribute<term::mem_sync_domain_map>(driver::launch_attribute_id::mem_sync_domain_map, v);
}

/// The share of the L1 cache to prefer as shared memory, in percent (CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).
constexpr auto carveout(unsigned percent) noexcept {
    return detail::make_attribute<term::carveout>(driver::launch_attribute_id::preferred_shared_memory_carveout,
                                                  {.shared_mem_carveout = percent});
}

/// An event (made without timing) recorded when all blocks have triggered (CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT).
constexpr auto programmatic_event(driver::event_handle event, bool at_block_start = false, int flags = 0) noexcept {
    driver::launch_attribute_value v{.programmatic_event = {event, flags, at_block_start ? 1 : 0}};
    return detail::make_attribute<term::programmatic_event>(driver::launch_attribute_id::programmatic_event, v);
}

/// An event (made without timing) recorded when all blocks have started (CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, CUDA 12.3).
constexpr auto launch_completion_event(driver::event_handle event, int flags = 0) noexcept {
    driver::launch_attribute_value v{.launch_completion_event = {event, flags}};
    return detail::make_attribute<term::launch_completion_event>(driver::launch_attribute_id::launch_completion_event, v);
}

/// Any other launch attribute, as the driver defines it (CUlaunchAttribute). May be given more than once.
constexpr auto attribute(driver::launch_attribute_id id, const driver::launch_attribute_value& value) noexcept {
    return detail::make_attribute<0>(id, value);
}

} // namespace hanabi

#endif
