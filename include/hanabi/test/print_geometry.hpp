// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Printing of geometry: as it was written, and as extents.

#ifndef HANABI_TEST_PRINT_GEOMETRY_HPP
#define HANABI_TEST_PRINT_GEOMETRY_HPP

#include <hanabi/geometry.hpp>
#include <hanabi/host/extent.hpp>
#include <hanabi/test/print_name.hpp>

#include <cstdint>
#include <ostream>
#include <string>

namespace hanabi {

namespace test::detail {

/// A count as it was given: what does not fit 63 bits was a negative number.
inline std::string count_text(std::uint64_t n) { return n >> 63 != 0 ? std::to_string(static_cast<std::int64_t>(n)) : std::to_string(n); }

/// `(8, 4)` of 8, 4, 1: axes from the first to the last that is not 1.
inline std::string axes_text(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    std::string s = "(" + count_text(x);
    if (y != 1 || z != 1) s += ", " + count_text(y);
    if (z != 1) s += ", " + count_text(z);
    return s + ")";
}
inline std::string axes_text(const std::uint64_t (&e)[3]) { return axes_text(e[0], e[1], e[2]); }

inline std::string attribute_text(const driver::launch_attribute& a) {
    using id = driver::launch_attribute_id;
    const driver::launch_attribute_value& v = a.value;
    switch (a.id) {
    case id::ignore: return "attribute(ignore)";
    case id::access_policy_window:
        return "access_policy(" + address_text(v.window.base_ptr) + ", " + counted(v.window.num_bytes, "byte") + ")";
    case id::cooperative: return v.cooperative != 0 ? "cooperative" : "not cooperative";
    case id::cluster_dimension: return "cluster" + axes_text(v.cluster_dim.x, v.cluster_dim.y, v.cluster_dim.z);
    case id::cluster_scheduling_policy_preference:
        return "cluster_scheduling(" + std::to_string(v.cluster_scheduling_policy_preference) + ")";
    case id::programmatic_stream_serialization: return v.programmatic_stream_serialization_allowed != 0 ? "pdl" : "not pdl";
    case id::programmatic_event: return "programmatic_event(" + address_text(v.programmatic_event.event) + ")";
    case id::priority: return "priority(" + std::to_string(v.priority) + ")";
    case id::mem_sync_domain_map:
        return "mem_sync_domain_map(" + std::to_string(v.mem_sync_domain_map.default_) + ", " +
               std::to_string(v.mem_sync_domain_map.remote) + ")";
    case id::mem_sync_domain: return "mem_sync_domain(" + std::to_string(v.mem_sync_domain) + ")";
    case id::preferred_cluster_dimension:
        return "preferred_cluster" + axes_text(v.preferred_cluster_dim.x, v.preferred_cluster_dim.y, v.preferred_cluster_dim.z);
    case id::launch_completion_event: return "launch_completion_event(" + address_text(v.launch_completion_event.event) + ")";
    case id::preferred_shared_memory_carveout: return "carveout(" + std::to_string(v.shared_mem_carveout) + ")";
    default: return "attribute(" + std::to_string(static_cast<unsigned>(a.id)) + ")";
    }
}

/// A geometry as it was written: `over(1000) | block(256)`.
inline std::string geometry_text(const launch_shape& shape, unsigned terms, const driver::launch_attribute* attributes, unsigned count) {
    std::string s;
    const auto say = [&](const std::string& term) { s += (s.empty() ? "" : " | ") + term; };
    if ((terms & term::over) != 0) say("over" + axes_text(shape.extent));
    if ((terms & term::grid) != 0) say("grid" + axes_text(shape.extent));
    if ((terms & term::occupancy) != 0) say("occupancy" + axes_text(shape.extent));
    if ((terms & term::block) != 0) say("block" + axes_text(shape.block));
    if ((terms & term::cluster) != 0) say("cluster" + axes_text(shape.cluster));
    if ((terms & term::shared) != 0) say("shared(" + counted(shape.shared, "byte") + ")");
    for (unsigned i = 0; i < count; ++i)
        if (attributes[i].id != driver::launch_attribute_id::cluster_dimension || (terms & term::cluster) == 0)
            say(attribute_text(attributes[i]));
    return s;
}

} // namespace test::detail

/// As it was written, term by term: `over(1000) | block(256) | shared(1024 bytes)`; trailing extents of 1 are left out.
template <unsigned Terms, class Block, unsigned N>
std::ostream& operator<<(std::ostream& out, const geometry<Terms, Block, N>& g) {
    return out << test::detail::geometry_text(g, Terms, g.attributes.data(), N);
}

/// The numbers, with no knowledge of the terms: `extent (1000), block (256), cluster (2), 1024 bytes shared`; what was not
/// said is left out.
inline std::ostream& operator<<(std::ostream& out, const launch_shape& shape) {
    using namespace test::detail;
    out << "extent " << axes_text(shape.extent);
    if (shape.block[0] != 0) out << ", block " << axes_text(shape.block);
    if (shape.cluster[0] != 0) out << ", cluster " << axes_text(shape.cluster);
    if (shape.shared != 0) out << ", " << counted(shape.shared, "byte") << " shared";
    return out;
}

inline std::ostream& operator<<(std::ostream& out, cluster_policy p) {
    switch (p) {
    case cluster_policy::automatic: return out << "automatic";
    case cluster_policy::spread: return out << "spread";
    case cluster_policy::load_balancing: return out << "load_balancing";
    }
    return out << "cluster_policy " << std::to_string(static_cast<unsigned>(p));
}

namespace host {

/// `(8, 1, 1)`.
inline std::ostream& operator<<(std::ostream& out, extent e) {
    return out << "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
}
/// `(8, 1, 1)`.
inline std::ostream& operator<<(std::ostream& out, wide_index i) {
    return out << "(" + std::to_string(i.x) + ", " + std::to_string(i.y) + ", " + std::to_string(i.z) + ")";
}

} // namespace host

} // namespace hanabi

#endif
