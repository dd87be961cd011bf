// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What is checked of a launch at length, before the driver sees it: by the long path of a launch, and when a plan is built
/// or its geometry changes.

#ifndef HANABI_DETAIL_LAUNCH_CHECK_HPP
#define HANABI_DETAIL_LAUNCH_CHECK_HPP

#include <hanabi/config.hpp>
#include <hanabi/demangle.hpp>
#include <hanabi/detail/binding.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/registry_state.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>
#include <hanabi/geometry.hpp>
#include <hanabi/kernel.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace hanabi::detail {

/// A launch with its types erased: what the long path works on.
struct launch_request {
    const descriptor& kernel;
    const launch_shape& shape;
    unsigned terms;
    const driver::launch_attribute* attributes;
    unsigned attribute_count;
    const std::byte* arguments;
    driver::stream_handle stream;
};

/// Threads of a block and blocks of the grid as they will be passed, at full width.
struct launch_extents {
    std::uint64_t grid[3];
    std::uint64_t block[3];
};

constexpr std::uint64_t blocks_for(std::uint64_t elements, std::uint64_t block) noexcept {
    return elements == 0 ? 0 : (elements - 1) / block + 1;
}

template <class = void>
std::string extents_text(const std::uint64_t (&e)[3]) {
    return "(" + std::to_string(e[0]) + ", " + std::to_string(e[1]) + ", " + std::to_string(e[2]) + ")";
}

/// A count as the caller wrote it: those that don't fit 63 bits were negative numbers.
template <class = void>
std::string count_text(std::uint64_t value) {
    return value >> 63 != 0 ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value);
}

/// `launching blas::axpy`, a C++ name in words too, and where the launch was written.
template <class Request>
HANABI_COLD std::string launch_name(const Request& r) {
    std::string s = "launching ";
    s.append(r.kernel.module.data(), r.kernel.module.size()).append("::").append(r.kernel.symbol.data(), r.kernel.symbol.size());
    s += readable_name(r.kernel.symbol.data());
    if (r.shape.site.line() != 0) s.append(" at ").append(r.shape.site.file_name()).append(":").append(std::to_string(r.shape.site.line()));
    return s;
}

/// The launch for the message of a driver's failure: geometry, shared memory and stream.
template <class Request, class Extents>
HANABI_COLD std::string launch_text(const Request& r, const Extents& e) {
    char stream[24];
    std::snprintf(stream, sizeof stream, "%p", static_cast<void*>(r.stream));
    std::string s = launch_name(r) + ", grid " + extents_text(e.grid) + ", block " + extents_text(e.block);
    if (r.shape.cluster[0] != 0) s += ", cluster " + extents_text(r.shape.cluster);
    return s + ", " + std::to_string(r.shape.shared) + " bytes of dynamic shared memory, stream " + stream;
}

/// Sets `f` and says false.
template <class = void>
HANABI_COLD bool refuse(failure& f, errc code, std::string message) {
    f = {code, std::move(message)};
    return false;
}

/// Checks a block against the device, the function and the contracts; `f` says what does not fit.
template <class Request, class Extents>
HANABI_COLD bool check_block(const binding& b, const Request& r, const Extents& e, failure& f) {
    static constexpr const char* axes[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
        if (e.block[i] == 0)
            return refuse(f, errc::invalid_geometry,
                          launch_name(r) + ": block " + axes[i] + " is 0; a block has at least 1 thread along each axis");
        if (e.block[i] > b.max_block[i])
            return refuse(f, errc::invalid_geometry,
                          launch_name(r) + ": block " + axes[i] + " is " + count_text(e.block[i]) + ", the device's limit is " +
                              std::to_string(b.max_block[i]));
    }
    const std::uint64_t threads = e.block[0] * e.block[1] * e.block[2];
    const device_limits& limits = b.owner->context->limits;
    if (threads > limits.max_threads_per_block)
        return refuse(f, errc::invalid_geometry,
                      launch_name(r) + ": block " + extents_text(e.block) + " has " + std::to_string(threads) +
                          " threads, the device's limit is " + std::to_string(limits.max_threads_per_block));
    const contract_set& c = *r.kernel.contracts;
    if (c.has_required_threads() && (e.block[0] != c.required[0] || e.block[1] != c.required[1] || e.block[2] != c.required[2])) {
        const std::uint64_t required[3] = {c.required[0], c.required[1], c.required[2]};
        return refuse(f, errc::contract_violated,
                      launch_name(r) + ": block " + extents_text(e.block) + ", the kernel's contract requires " + extents_text(required) +
                          "; leave the block out of the geometry, or say that one");
    }
    if (c.max_threads != 0 && threads > c.max_threads)
        return refuse(f, errc::contract_violated,
                      launch_name(r) + ": block " + extents_text(e.block) + " has " + std::to_string(threads) +
                          " threads, the kernel's contract allows " + std::to_string(c.max_threads));
    if (b.required_block[0] != 0 &&
        (e.block[0] != b.required_block[0] || e.block[1] != b.required_block[1] || e.block[2] != b.required_block[2]))
        return refuse(f, errc::contract_violated,
                      launch_name(r) + ": block " + extents_text(e.block) + ", the loaded kernel was compiled for " +
                          extents_text(b.required_block) + " alone; say so in its descriptor: hanabi::required_threads<" +
                          std::to_string(b.required_block[0]) + ", " + std::to_string(b.required_block[1]) + ", " +
                          std::to_string(b.required_block[2]) + ">");
    if (threads > b.max_threads)
        return refuse(f, errc::invalid_geometry,
                      launch_name(r) + ": block " + extents_text(e.block) + " has " + std::to_string(threads) +
                          " threads, the loaded kernel takes at most " + std::to_string(b.max_threads) +
                          " (its registers, or its __launch_bounds__, allow no more)");
    return true;
}

/// Checks a grid and the clusters in it; `f` says what does not fit.
template <class Request, class Extents>
HANABI_COLD bool check_grid(const binding& b, const Request& r, const Extents& e, failure& f) {
    static constexpr const char* axes[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
        const std::string axis = std::string{": grid "} + axes[i] + " is ";
        if (e.grid[i] == 0)
            return refuse(f, errc::invalid_geometry,
                          launch_name(r) + axis + "0; a grid has at least 1 block along each axis (over(0) is a launch of nothing)");
        if (e.grid[i] > b.max_grid[i]) {
            std::string message =
                launch_name(r) + axis + count_text(e.grid[i]) + ", the device's limit is " + std::to_string(b.max_grid[i]);
            if ((r.terms & (term::over | term::occupancy)) != 0)
                message += " (" + count_text(r.shape.extent[i]) + " elements in blocks of " + std::to_string(e.block[i]) + ")";
            return refuse(f, errc::invalid_geometry, std::move(message));
        }
    }
    const bool given = (r.terms & term::cluster) != 0;
    if ((given || r.kernel.contracts->cluster[0] != 0) && !b.owner->context->limits.cluster_launch)
        return refuse(f, errc::invalid_geometry,
                      launch_name(r) + ": the device, of compute capability " + std::to_string(b.owner->context->capability.major) + "." +
                          std::to_string(b.owner->context->capability.minor) + ", has no clusters; they came with 9.0");
    const unsigned(&contract)[3] = r.kernel.contracts->cluster;
    std::uint64_t cluster[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        cluster[i] = given ? r.shape.cluster[i] : contract[0] != 0 ? contract[i] : b.required_cluster[0] != 0 ? b.required_cluster[i] : 1;
        if (cluster[i] == 0)
            return refuse(f, errc::invalid_geometry,
                          launch_name(r) + ": cluster " + axes[i] + " is 0; a cluster has at least 1 block along each axis");
        if (given && contract[0] != 0 && cluster[i] != contract[i])
            return refuse(f, errc::contract_violated,
                          launch_name(r) + ": cluster " + axes[i] + " is " + count_text(cluster[i]) + ", the kernel's contract says " +
                              std::to_string(contract[i]));
        if (b.required_cluster[0] != 0 && cluster[i] != b.required_cluster[i])
            return refuse(f, errc::contract_violated,
                          launch_name(r) + ": cluster " + axes[i] + " is " + count_text(cluster[i]) + ", the kernel was compiled for " +
                              std::to_string(b.required_cluster[i]));
        if (!b.blocks_are_clusters && e.grid[i] % cluster[i] != 0)
            return refuse(f, errc::invalid_geometry,
                          launch_name(r) + ": grid " + axes[i] + " is " + std::to_string(e.grid[i]) + ", no multiple of the cluster's " +
                              std::to_string(cluster[i]));
    }
    const std::uint64_t blocks = cluster[0] > 16 || cluster[1] > 16 || cluster[2] > 16 ? 17 : cluster[0] * cluster[1] * cluster[2];
    if (blocks > 16)
        return refuse(f, errc::invalid_geometry,
                      launch_name(r) + ": cluster " + extents_text(cluster) + " has more than 16 blocks, which no device takes");
    if (b.cluster_must_be_set && !given && contract[0] == 0 && b.required_cluster[0] == 0) // its own size serves where it has one
        return refuse(f, errc::contract_violated,
                      launch_name(r) + ": the kernel was compiled with an explicit cluster, so the geometry must say cluster(...)");
    return true;
}

/// Raises the limit of dynamic shared memory so that `bytes` pass; never lowers it.
template <class Request>
HANABI_COLD bool grow_shared(binding& b, const Request& r, failure& f) {
    const std::uint64_t bytes = r.shape.shared;
    if (bytes > b.shared_limit)
        return refuse(f, errc::shared_memory_exceeded,
                      launch_name(r) + ": " + (bytes == ~std::uint64_t{0} ? std::string{"2^64 or more"} : count_text(bytes)) +
                          " bytes of dynamic and " + std::to_string(b.static_shared) + " of static shared memory are " +
                          (bytes >> 63 != 0 ? std::string{"far too many"} : std::to_string(bytes + b.static_shared) + " together") +
                          "; the device gives one block at most " + std::to_string(b.shared_limit + b.static_shared) + ", which leaves " +
                          std::to_string(b.shared_limit) + " for dynamic");
    const detail::lock held{b.owner->mutex};
    if (bytes <= b.shared_ready.relaxed()) return true;
    const driver::function_handle function = b.function.relaxed();
    if (function == nullptr) {
        f = b.owner->unloaded_failure(launch_name(r));
        return false;
    }
    // Another descriptor of the same kernel may have raised the same limit further.
    for (const binding& other : b.owner->bindings)
        if (const std::uint64_t ready = other.shared_ready.relaxed(); ready >= bytes && other.function.relaxed() == function) {
            b.shared_ready.relaxed(ready);
            return true;
        }
    const driver::status s =
        b.driver->func_set_attribute(function, driver::function_attribute::max_dynamic_shared_size_bytes, static_cast<int>(bytes));
    if (s != driver::status::success) {
        f = driver_failure(*b.owner->context, s,
                           launch_name(r) + ": raising the limit of dynamic shared memory to " + std::to_string(bytes) + " bytes",
                           b.owner->suspects());
        return false;
    }
    b.shared_ready.relaxed(bytes);
    return true;
}

/// The block size that the driver's occupancy query answers, asked once for each amount of shared memory.
template <class Request>
HANABI_COLD bool occupancy_block(binding& b, const Request& r, std::uint64_t& block, failure& f) {
    const std::uint64_t known = b.occupancy.relaxed();
    if (known >> 16 == r.shape.shared + 1) {
        block = known & 0xffff;
        return true;
    }
    int grid_size = 0, block_size = 0;
    const contract_set& c = *r.kernel.contracts;
    const driver::status s = b.driver->occupancy_max_potential_block_size(&grid_size, &block_size, b.function.relaxed(), nullptr,
                                                                          r.shape.shared, static_cast<int>(c.max_threads));
    if (s != driver::status::success) {
        f = driver_failure(*b.owner->context, s, launch_name(r) + ": asking for the block size of best occupancy", b.owner->suspects());
        return false;
    }
    if (block_size <= 0) {
        f = {errc::invalid_geometry, launch_name(r) + ": the driver's occupancy query answers a block of " + std::to_string(block_size) +
                                         " threads with " + std::to_string(r.shape.shared) +
                                         " bytes of dynamic shared memory; say the block: over(...) | block(...)"};
        return false;
    }
    block = static_cast<std::uint64_t>(block_size);
    if (r.shape.shared >> 40 == 0) b.occupancy.relaxed((r.shape.shared + 1) << 16 | block);
    return true;
}

/// True where the kernel's contract has a cluster that neither the geometry nor the binary says.
inline bool adds_cluster(const binding& b, const launch_request& r) noexcept {
    return r.kernel.contracts->cluster[0] != 0 && (r.terms & term::cluster) == 0 && b.required_cluster[0] == 0;
}

/// Non-portable cluster sizes are opted in, once for each function.
template <class Request>
HANABI_COLD driver::status allow_large_cluster(binding& b, const Request& r) {
    const unsigned(&contract)[3] = r.kernel.contracts->cluster;
    std::uint64_t blocks = 1;
    for (int i = 0; i < 3; ++i)
        blocks *= (r.terms & term::cluster) != 0 ? r.shape.cluster[i]
                  : contract[0] != 0             ? contract[i]
                  : b.required_cluster[0] != 0   ? b.required_cluster[i]
                                                 : 1;
    if (blocks <= 8 || b.non_portable_cluster.relaxed()) return driver::status::success;
    const driver::status s =
        b.driver->func_set_attribute(b.function.relaxed(), driver::function_attribute::non_portable_cluster_size_allowed, 1);
    if (s == driver::status::success) b.non_portable_cluster.relaxed(true);
    return s;
}

/// Refuses elements of a negative number; `nothing` tells whether there are none at all along an axis. Such a launch makes
/// no driver call, not even to look the kernel up; a block of nothing, or of a negative number, is a mistake all the same.
template <class Request>
HANABI_COLD bool check_elements(const Request& r, bool& nothing, failure& f) {
    static constexpr const char* axes[] = {"x", "y", "z"};
    nothing = false;
    if ((r.terms & (term::over | term::occupancy)) == 0) return true;
    for (int i = 0; i < 3; ++i)
        if (r.shape.extent[i] >> 63 != 0)
            return refuse(f, errc::invalid_geometry,
                          launch_name(r) + ": over " + axes[i] + " is " + count_text(r.shape.extent[i]) +
                              "; a number of elements is not negative");
    bool block = true;
    for (const std::uint64_t extent : r.shape.block) block = block && extent != 0 && extent >> 63 == 0;
    nothing = (r.shape.extent[0] == 0 || r.shape.extent[1] == 0 || r.shape.extent[2] == 0) && (block || (r.terms & term::occupancy) != 0);
    return true;
}

/// Every check of a launch, in words, and what must be set before it: extents as they will be passed, dynamic shared memory
/// and large clusters allowed. The context is current.
template <class Request, class Extents>
HANABI_COLD bool check_launch(binding& b, const Request& r, Extents& e, failure& f) {
    const registry_state& registry = *b.owner;
    e = {{r.shape.extent[0], r.shape.extent[1], r.shape.extent[2]}, {r.shape.block[0], r.shape.block[1], r.shape.block[2]}};
    if ((r.terms & term::occupancy) != 0) {
        if (r.shape.shared > b.shared_ready.relaxed() && !grow_shared(b, r, f)) return false;
        if (!occupancy_block(b, r, e.block[0], f)) return false;
        e.block[1] = e.block[2] = 1;
    }
    if (!check_block(b, r, e, f)) return false;
    if ((r.terms & (term::over | term::occupancy)) != 0) {
        for (int i = 0; i < 3; ++i) e.grid[i] = blocks_for(r.shape.extent[i], e.block[i]);
    }
    if (!check_grid(b, r, e, f)) return false;
    if (r.shape.shared > b.shared_ready.relaxed() && !grow_shared(b, r, f)) return false;
    if ((r.attribute_count != 0 || adds_cluster(b, r)) && b.driver->launch_kernel_ex == nullptr) {
        f = entry_missing(*b.driver, driver::entry::launch_kernel_ex, launch_name(r) + ": a launch with attributes");
        return false;
    }
    const driver::status s = allow_large_cluster(b, r);
    if (s == driver::status::success) return true;
    f = driver_failure(*registry.context, s, launch_name(r) + ": allowing clusters of more than 8 blocks", registry.suspects());
    return false;
}

} // namespace hanabi::detail

#endif
