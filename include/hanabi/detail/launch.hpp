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
#include <hanabi/detail/launch_check.hpp>
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

/// Calls the driver, with the attributes and hidden parameters there are.
template <class = void>
HANABI_COLD driver::status call_driver(const binding& b, const launch_request& r, const launch_extents& e) {
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

/// The launch with every check in words. True when it was launched, or was a launch of nothing.
template <class = void>
HANABI_COLD bool launch_at_length(registry_state& registry, binding* bound, const launch_request& r, failure& f) {
    if (process_forked) {
        f = forked_failure(launch_name(r));
        return false;
    }
    bool nothing = false;
    if (!check_elements(r, nothing, f)) return false;
    if (nothing) return true;
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
    launch_extents e;
    if (!check_launch(b, r, e, f)) return false;
    driver::status s = call_driver(b, r, e);
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
template <class = void>
HANABI_COLD bool launch_otherwise(registry_state& registry, binding* b, const launch_request& r, driver::status s, bool launched,
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
