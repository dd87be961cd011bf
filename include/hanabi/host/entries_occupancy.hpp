// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries that tell how many blocks fit.

#ifndef HANABI_HOST_ENTRIES_OCCUPANCY_HPP
#define HANABI_HOST_ENTRIES_OCCUPANCY_HPP

#include <hanabi/host/call.hpp>
#include <hanabi/host/occupancy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

inline status HANABI_CUDAAPI occupancy_max_active_blocks_per_multiprocessor(int* blocks, driver::function_handle function, int block_size,
                                                                            std::size_t shared_bytes) {
    return enter(driver::entry::occupancy_max_active_blocks_per_multiprocessor, needs::initialisation, [&](call& c) {
        const detail::function_object& f = c.function(function);
        if (blocks == nullptr || block_size <= 0)
            refuse(status::invalid_value, "the pointer for the answer is null, or a block of ", block_size, " threads");
        *blocks = detail::resident_blocks(c.config(*f.module->context), f.kernel, block_size, shared_bytes);
        return status::success;
    });
}

inline status HANABI_CUDAAPI occupancy_max_potential_block_size(int* min_grid_size, int* block_size, driver::function_handle function,
                                                                driver::block_size_to_shared shared_of_block, std::size_t shared_bytes,
                                                                int block_size_limit) {
    return enter(driver::entry::occupancy_max_potential_block_size, needs::initialisation, [&](call& c) {
        const detail::function_object& f = c.function(function);
        if (min_grid_size == nullptr || block_size == nullptr || block_size_limit < 0)
            refuse(status::invalid_value, "a pointer for the answers is null, or the limit is negative");
        const device_config device = c.config(*f.module->context);
        const detail::kernel_facts kernel = f.kernel;
        c.lock.unlock(); // the callback is the caller's code
        int limit = device.max_threads_per_block;
        if (kernel.max_threads != 0)
            limit = static_cast<int>(std::min<std::uint64_t>(kernel.max_threads, static_cast<std::uint64_t>(limit)));
        if (block_size_limit != 0) limit = std::min(limit, block_size_limit);
        int best = 0, best_blocks = 0;
        const auto consider = [&](int threads) {
            const int blocks =
                detail::resident_blocks(device, kernel, threads, shared_of_block != nullptr ? shared_of_block(threads) : shared_bytes);
            if (blocks * threads > best * best_blocks) {
                best = threads;
                best_blocks = blocks;
            }
        };
        if (kernel.required_threads.x != 0)
            consider(static_cast<int>(kernel.required_threads.volume()));
        else {
            if (limit % device.warp_size != 0) consider(limit);
            for (int threads = limit / device.warp_size * device.warp_size; threads > 0; threads -= device.warp_size) consider(threads);
        }
        if (best == 0) refuse(status::invalid_value, "no block size of ", kernel.name, " fits on the device");
        *block_size = best;
        *min_grid_size = best_blocks * device.multiprocessors;
        return status::success;
    });
}

inline status HANABI_CUDAAPI occupancy_max_active_clusters(int* clusters, driver::function_handle function,
                                                           const driver::launch_config* config) {
    return enter(driver::entry::occupancy_max_active_clusters, needs::initialisation, [&](call& c) {
        const detail::function_object& f = c.function(function);
        if (clusters == nullptr || config == nullptr)
            refuse(status::invalid_value, "the pointer for the answer or the launch configuration is null");
        const device_config& device = c.config(*f.module->context);
        if (!device.cluster_launch) refuse(status::not_supported, "the device has no clusters");
        extent cluster = f.kernel.required_cluster;
        for (unsigned i = 0; i < config->attribute_count; ++i)
            if (config->attributes[i].id == driver::launch_attribute_id::cluster_dimension)
                cluster = {config->attributes[i].value.cluster_dim.x, config->attributes[i].value.cluster_dim.y,
                           config->attributes[i].value.cluster_dim.z};
        const std::uint64_t size = cluster.volume();
        const int most = f.non_portable_cluster ? device.max_non_portable_cluster_size : device.max_cluster_size;
        if (size == 0) refuse(status::invalid_value, "no cluster size is given");
        if (size > static_cast<std::uint64_t>(most))
            refuse(status::invalid_cluster_size, "a cluster of ", size, " blocks exceeds maximum value of ", most);
        const extent block{config->block_x, config->block_y, config->block_z};
        if (block.volume() == 0 || block.volume() > static_cast<std::uint64_t>(device.max_threads_per_block))
            refuse(status::invalid_value, "a block of ", block.volume(), " threads");
        const int blocks = detail::resident_blocks(device, f.kernel, static_cast<int>(block.volume()), config->shared_bytes);
        *clusters = static_cast<int>(static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(device.multiprocessors) / size);
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
