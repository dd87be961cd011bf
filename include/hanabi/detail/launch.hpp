// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One launch, from a descriptor's binding to the driver: the plain path, inlined where it is called and made of
/// comparisons alone; and the long path, which does everything and finds the words for what is wrong.

#ifndef HANABI_DETAIL_LAUNCH_HPP
#define HANABI_DETAIL_LAUNCH_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/binding.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/registry_state.hpp>
#include <hanabi/detail/stream_state.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>
#include <hanabi/geometry.hpp>
#include <hanabi/kernel.hpp>

#include <cstdint>
#include <string>
#include <system_error>
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

inline std::string extents_text(const std::uint64_t (&e)[3]) {
    return "(" + std::to_string(e[0]) + ", " + std::to_string(e[1]) + ", " + std::to_string(e[2]) + ")";
}

/// A count as the caller wrote it: those that don't fit 63 bits were negative numbers.
inline std::string count_text(std::uint64_t value) {
    return value >> 63 != 0 ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value);
}

/// `launching blas::axpy`, and where the launch was written.
HANABI_COLD inline std::string launch_name(const launch_request& r) {
    std::string s = "launching ";
    s.append(r.kernel.module.data(), r.kernel.module.size()).append("::").append(r.kernel.symbol.data(), r.kernel.symbol.size());
    if (r.shape.site.line() != 0) s.append(" at ").append(r.shape.site.file_name()).append(":").append(std::to_string(r.shape.site.line()));
    return s;
}

/// The launch for the message of a driver's failure: geometry, shared memory and stream.
HANABI_COLD inline std::string launch_text(const launch_request& r, const launch_extents& e) {
    char stream[24];
    std::snprintf(stream, sizeof stream, "%p", static_cast<void*>(r.stream));
    std::string s = launch_name(r) + ", grid " + extents_text(e.grid) + ", block " + extents_text(e.block);
    if (r.shape.cluster[0] != 0) s += ", cluster " + extents_text(r.shape.cluster);
    return s + ", " + std::to_string(r.shape.shared) + " bytes of dynamic shared memory, stream " + stream;
}

/// Sets `f` and says false.
HANABI_COLD inline bool refuse(failure& f, errc code, std::string message) {
    f = {code, std::move(message)};
    return false;
}

/// Checks a block against the device, the function and the contracts; `f` says what does not fit.
HANABI_COLD inline bool check_block(const binding& b, const launch_request& r, const launch_extents& e, failure& f) {
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
HANABI_COLD inline bool check_grid(const binding& b, const launch_request& r, const launch_extents& e, failure& f) {
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
    if (b.cluster_must_be_set && !given && contract[0] == 0)
        return refuse(f, errc::contract_violated,
                      launch_name(r) + ": the kernel was compiled with an explicit cluster, so the geometry must say cluster(...)");
    return true;
}

/// Raises the limit of dynamic shared memory so that `bytes` pass; never lowers it.
HANABI_COLD inline bool grow_shared(binding& b, const launch_request& r, failure& f) {
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
HANABI_COLD inline bool occupancy_block(binding& b, const launch_request& r, std::uint64_t& block, failure& f) {
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
    if (r.shape.shared < (std::uint64_t{1} << 40)) b.occupancy.relaxed((r.shape.shared + 1) << 16 | block);
    return true;
}

/// True where the kernel's contract has a cluster that neither the geometry nor the binary says.
inline bool adds_cluster(const binding& b, const launch_request& r) noexcept {
    return r.kernel.contracts->cluster[0] != 0 && (r.terms & term::cluster) == 0 && b.required_cluster[0] == 0;
}

/// Calls the driver, with the attributes and hidden parameters there are.
HANABI_COLD inline driver::status call_driver(const binding& b, const launch_request& r, const launch_extents& e) {
    const unsigned count = r.kernel.arity + b.hidden;
    struct pointers {
        void* few[64];
        void** all = few;
        ~pointers() {
            if (all != few) delete[] all;
        }
    } parameters;
    if (count > 64) parameters.all = new void*[count];
    void* null = nullptr;
    for (unsigned i = 0; i < count; ++i)
        parameters.all[i] =
            i < r.kernel.arity ? const_cast<std::byte*>(r.arguments) + r.kernel.parameters[i].offset : static_cast<void*>(&null);

    const unsigned(&contract)[3] = r.kernel.contracts->cluster;
    const auto n = [](std::uint64_t value) { return static_cast<unsigned>(value); };
    const driver::function_handle function = b.function.acquire();
    const bool adds = adds_cluster(b, r);
    if (r.attribute_count == 0 && !adds)
        return b.driver->launch_kernel(function, n(e.grid[0]), n(e.grid[1]), n(e.grid[2]), n(e.block[0]), n(e.block[1]), n(e.block[2]),
                                       n(r.shape.shared), r.stream, parameters.all, nullptr);
    struct attribute_list {
        driver::launch_attribute few[8];
        driver::launch_attribute* all = few;
        ~attribute_list() {
            if (all != few) delete[] all;
        }
    } attributes;
    if (r.attribute_count >= 8) attributes.all = new driver::launch_attribute[r.attribute_count + 1]; // raw ones may be any number
    unsigned attribute_count = 0;
    for (; attribute_count < r.attribute_count; ++attribute_count) attributes.all[attribute_count] = r.attributes[attribute_count];
    if (adds) {
        driver::launch_attribute& a = attributes.all[attribute_count++];
        a = {};
        a.id = driver::launch_attribute_id::cluster_dimension;
        a.value.cluster_dim = {contract[0], contract[1], contract[2]};
    }
    const driver::launch_config config{n(e.grid[0]),  n(e.grid[1]),      n(e.grid[2]), n(e.block[0]),  n(e.block[1]),
                                       n(e.block[2]), n(r.shape.shared), r.stream,     attributes.all, attribute_count};
    return b.driver->launch_kernel_ex(&config, function, parameters.all, nullptr);
}

/// Non-portable cluster sizes are opted in, once for each function.
HANABI_COLD inline driver::status allow_large_cluster(binding& b, const launch_request& r) {
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

/// The launch with every check in words. True when it was launched, or was a launch of nothing.
HANABI_COLD inline bool launch_at_length(registry_state& registry, binding* bound, const launch_request& r, failure& f) {
    if (process_forked) {
        f = forked_failure(launch_name(r));
        return false;
    }
    static constexpr const char* axes[] = {"x", "y", "z"};
    if ((r.terms & (term::over | term::occupancy)) != 0) {
        for (int i = 0; i < 3; ++i)
            if (r.shape.extent[i] >> 63 != 0)
                return refuse(f, errc::invalid_geometry,
                              launch_name(r) + ": over " + axes[i] + " is " + count_text(r.shape.extent[i]) +
                                  "; a number of elements is not negative");
        // A launch of nothing makes no driver call, not even to look the kernel up. A block of nothing, or
        // of a negative number, is a mistake all the same.
        const bool nothing = r.shape.extent[0] == 0 || r.shape.extent[1] == 0 || r.shape.extent[2] == 0;
        bool block = true;
        for (const std::uint64_t extent : r.shape.block) block = block && extent != 0 && extent >> 63 == 0;
        if (nothing && (block || (r.terms & term::occupancy) != 0)) return true;
    }
    if (bound == nullptr) bound = registry.bind(r.kernel, launch_name(r), f);
    if (bound == nullptr) return false;
    binding& b = *bound;
    if (b.function.acquire() == nullptr) {
        f = registry.unloaded_failure(launch_name(r));
        return false;
    }

    const current_scope scope{*registry.context};
    if (scope.status() != driver::status::success) {
        f = driver_failure(*registry.context, scope.status(), launch_name(r) + ": making the context current", registry.suspects());
        return false;
    }
    launch_extents e{{r.shape.extent[0], r.shape.extent[1], r.shape.extent[2]}, {r.shape.block[0], r.shape.block[1], r.shape.block[2]}};
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
    driver::status s = allow_large_cluster(b, r);
    if (s != driver::status::success) {
        f = driver_failure(*registry.context, s, launch_name(r) + ": allowing clusters of more than 8 blocks", registry.suspects());
        return false;
    }
    s = call_driver(b, r, e);
    if (s == driver::status::invalid_value && r.shape.shared > b.shared_default) {
        // Somebody's raw call may have lowered the limit that we had raised: ask once, raise it again, and try again.
        int limit = 0;
        if (b.driver->func_get_attribute(&limit, driver::function_attribute::max_dynamic_shared_size_bytes, b.function.relaxed()) ==
                driver::status::success &&
            static_cast<std::uint64_t>(limit) < r.shape.shared) {
            b.shared_ready.relaxed(static_cast<std::uint64_t>(limit));
            if (!grow_shared(b, r, f)) return false;
            s = call_driver(b, r, e);
        }
    }
    if (s == driver::status::success) {
        b.last_grid.relaxed(e.grid[0]);
        return true;
    }
    if (b.function.acquire() == nullptr)
        f = registry.unloaded_failure(launch_name(r)); // unloaded meanwhile
    else
        f = driver_failure(*registry.context, s, launch_text(r, e), registry.suspects());
    return false;
}

/// True if the compiler knows that a count is 1.
HANABI_INLINE bool known_one(std::uint64_t value) noexcept { return __builtin_constant_p(value == 1) && value == 1; }

/// True if a count along an axis is in 1 to limit, by one comparison; a 1 known to the compiler costs none.
HANABI_INLINE bool within(std::uint64_t value, std::uint64_t limit) noexcept { return known_one(value) || value - 1 < limit; }

/// The plain path: checks that all is as most launches are, and calls the driver. `launched` says whether it did; if not,
/// nothing has happened, and the long path finds out why. Nothing is allocated, hashed or locked.
template <unsigned Terms, std::size_t... I>
HANABI_INLINE driver::status launch_plainly(binding& b, const descriptor& d, const launch_shape& shape,
                                            [[maybe_unused]] const std::byte* arguments, driver::stream_handle stream,
                                            std::index_sequence<I...>, bool& launched) noexcept {
    const std::uint64_t bx = shape.block[0], by = shape.block[1], bz = shape.block[2];
    const driver::function_handle function = b.plain_function.acquire();
    if (function == nullptr || shape.shared > b.shared_ready.relaxed()) return driver::status::success;
    if (known_one(by) && known_one(bz)) {
        if (bx - 1 >= b.max_row) return driver::status::success;
    } else if (!within(bx, b.max_block[0]) || !within(by, b.max_block[1]) || !within(bz, b.max_block[2]) || bx * by * bz > b.max_threads)
        return driver::status::success;
    const contract_set& c = *d.contracts;
    if (c.has_required_threads() && (bx != c.required[0] || by != c.required[1] || bz != c.required[2])) return driver::status::success;
    if (c.max_threads != 0 && bx * by * bz > c.max_threads) return driver::status::success;
    std::uint64_t gx = shape.extent[0], gy = shape.extent[1], gz = shape.extent[2];
    if constexpr ((Terms & term::over) != 0) {
        // A zero becomes a grid of 0 or wraps to a huge one: either way it is not within the limits.
        gx = (gx - 1) / bx + 1;
        gy = known_one(gy) ? 1 : (gy - 1) / by + 1;
        gz = known_one(gz) ? 1 : (gz - 1) / bz + 1;
    }
    if (!within(gx, b.max_grid[0]) || !within(gy, b.max_grid[1]) || !within(gz, b.max_grid[2])) return driver::status::success;
    // A stream of the context's own says by itself where the launch belongs, whatever context is current (a driver that
    // wants it current refuses with 201 or 400, and the long path follows). The default streams are of the current context.
    if (is_default_stream(stream)) return driver::status::success;
    launched = true;
    if (b.last_grid.relaxed() != gx) b.last_grid.relaxed(gx);
    void* parameters[sizeof...(I) + 1] = {const_cast<std::byte*>(arguments) + d.parameters[I].offset..., nullptr};
    return b.driver->launch_kernel(function, static_cast<unsigned>(gx), static_cast<unsigned>(gy), static_cast<unsigned>(gz),
                                   static_cast<unsigned>(bx), static_cast<unsigned>(by), static_cast<unsigned>(bz),
                                   static_cast<unsigned>(shape.shared), stream, parameters, nullptr);
}

/// What follows a plain launch that did not succeed: the long path when it was not made, else the driver's answer in
/// words. Three refusals go the long path too: of opted-in shared memory (see launch_at_length), of a block that the
/// binary may not be compiled for, and of a thread where another context or none is current.
HANABI_COLD inline bool launch_otherwise(registry_state& registry, binding* b, const launch_request& r, driver::status s, bool launched,
                                         failure& f) {
    if (!launched || (s == driver::status::invalid_value && (r.shape.shared > b->shared_default || b->required_block[0] != 0)) ||
        s == driver::status::invalid_context || s == driver::status::invalid_handle)
        return launch_at_length(registry, b, r, f);
    if (process_forked) {
        f = forked_failure(launch_name(r));
        return false;
    }
    if (b->function.acquire() == nullptr) {
        f = registry.unloaded_failure(launch_name(r));
        return false;
    }
    launch_extents e{{r.shape.extent[0], r.shape.extent[1], r.shape.extent[2]}, {r.shape.block[0], r.shape.block[1], r.shape.block[2]}};
    if ((r.terms & term::over) != 0)
        for (int i = 0; i < 3; ++i) e.grid[i] = blocks_for(e.grid[i], e.block[i]);
    f = driver_failure(*registry.context, s, launch_text(r, e), registry.suspects());
    return false;
}

/// The same for callers without policies: throws what went wrong, or puts its code where `code` points.
HANABI_COLD inline void launch_or_raise(registry_state& registry, binding* b, const launch_request& r, driver::status s, bool launched,
                                        std::error_code* code) {
    failure f;
    registry.launch(b, r, s, launched, f);
    if (code != nullptr)
        *code = f.code;
    else if (f.code)
        raise(std::move(f));
}

} // namespace hanabi::detail

#endif
