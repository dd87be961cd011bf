// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// When a declared parameter and a contract agree with what an image says: for compile time and run time alike.

#ifndef HANABI_DETAIL_AGREEMENT_HPP
#define HANABI_DETAIL_AGREEMENT_HPP

#include <hanabi/contract.hpp>
#include <hanabi/image/parameter.hpp>
#include <hanabi/signature.hpp>

#include <cstdint>

namespace hanabi::detail {

/// Whether the image's class of a parameter says yes (1), no (-1) or nothing (0) to a declared kind.
constexpr int agrees(parameter_kind kind, image::value_class c) noexcept {
    using image::value_class;
    const bool integer = kind == parameter_kind::signed_integer || kind == parameter_kind::unsigned_integer ||
                         kind == parameter_kind::boolean || kind == parameter_kind::enumeration;
    switch (c) {
    case value_class::floating: return kind == parameter_kind::floating_point ? 1 : kind == parameter_kind::object ? 0 : -1;
    case value_class::integer: return integer ? 1 : kind == parameter_kind::object ? 0 : -1;
    case value_class::pointer: return kind == parameter_kind::pointer ? 1 : kind == parameter_kind::object ? 0 : -1;
    case value_class::integer_or_pointer: return kind == parameter_kind::floating_point ? -1 : 0;
    case value_class::bytes: return kind == parameter_kind::object ? 1 : 0;
    case value_class::unknown: return 0;
    }
    return 0;
}

/// The contracts that directives can contradict.
enum class contract_of_launch : unsigned char { none, max_threads, required_threads, cluster_size };

/// Whether blocks of that contract could be launched: at most N threads, and the compiled limit is lower.
constexpr bool max_threads_contradicted(const contract_set& c, const image::launch_bounds& b) noexcept {
    if (c.max_threads == 0) return false;
    return (b.max_threads.given() && c.max_threads > b.max_threads.volume()) ||
           (b.required_threads.given() && c.max_threads < b.required_threads.volume());
}
constexpr bool required_threads_contradicted(const contract_set& c, const image::launch_bounds& b) noexcept {
    if (!c.has_required_threads()) return false;
    if (b.max_threads.given() && std::uint64_t{c.required[0]} * c.required[1] * c.required[2] > b.max_threads.volume()) return true;
    const image::extent3& asked = b.required_threads;
    return asked.given() && (asked.x != c.required[0] || asked.y != c.required[1] || asked.z != c.required[2]);
}
constexpr bool cluster_size_contradicted(const contract_set& c, const image::launch_bounds& b) noexcept {
    if (c.cluster[0] == 0) return false;
    const image::extent3& asked = b.required_cluster;
    if (asked.given()) return asked.x != c.cluster[0] || asked.y != c.cluster[1] || asked.z != c.cluster[2];
    return b.max_cluster_rank != 0 && std::uint64_t{c.cluster[0]} * c.cluster[1] * c.cluster[2] > b.max_cluster_rank;
}
constexpr contract_of_launch contradicted_contract(const contract_set& c, const image::launch_bounds& b) noexcept {
    return max_threads_contradicted(c, b)        ? contract_of_launch::max_threads
           : required_threads_contradicted(c, b) ? contract_of_launch::required_threads
           : cluster_size_contradicted(c, b)     ? contract_of_launch::cluster_size
                                                 : contract_of_launch::none;
}

} // namespace hanabi::detail

#endif
