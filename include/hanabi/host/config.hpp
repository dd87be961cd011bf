// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the host driver's devices are like: names, limits, and how strict the driver is.

#ifndef HANABI_HOST_CONFIG_HPP
#define HANABI_HOST_CONFIG_HPP

#include <hanabi/config.hpp>
#include <hanabi/driver/abi.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

/// Defined where the address sanitizer is on: the host driver then tells it which memory may be touched, and the sanitizer
/// ends a program where the driver would report and go on.
#if defined(__SANITIZE_ADDRESS__)
#define HANABI_HOST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HANABI_HOST_ASAN 1
#endif
#endif

namespace hanabi::host {

struct launch_record;

/// One device. The defaults have the limits of compute capability 9.0, so that what a launch may ask for is what it may
/// ask for there; the counts (multiprocessors, memory) are small, since they say how much there is and not what is legal.
struct device_config {
    std::string name = "Hanabi host device";
    int major = 9; ///< compute capability
    int minor = 0;
    /// Bytes that the live allocations of the device may reach together; one more is CUDA_ERROR_OUT_OF_MEMORY.
    std::size_t total_memory = std::size_t{4} << 30;

    int max_threads_per_block = 1024;
    int max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
    int max_grid_x = 2147483647, max_grid_y = 65535, max_grid_z = 65535;
    int shared_memory_per_block = 49152;           ///< static and dynamic together, without opting in
    int shared_memory_per_block_optin = 232448;    ///< the same with the opt-in
    int shared_memory_per_multiprocessor = 233472; ///< what the blocks of one multiprocessor share
    int reserved_shared_memory_per_block = 1024;   ///< what the system takes of it for each block
    int constant_memory = 65536;
    int warp_size = 32;
    int registers_per_block = 65536;
    int registers_per_multiprocessor = 65536;
    int multiprocessors = 8;
    int max_threads_per_multiprocessor = 2048;
    int max_blocks_per_multiprocessor = 32;
    int clock_rate = 1000000;        ///< kHz
    int memory_clock_rate = 1000000; ///< kHz
    int memory_bus_width = 64;       ///< bits
    int l2_cache_size = 1 << 20;
    int max_persisting_l2_cache_size = 1 << 19;
    int max_access_policy_window_size = 1 << 27;
    int mem_sync_domains = 4;
    int max_cluster_size = 8;               ///< blocks of a cluster that every launch may ask for
    int max_non_portable_cluster_size = 16; ///< with CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
    bool cluster_launch = true;
    bool cooperative_launch = true;
    bool memory_pools = true; ///< false: cuMemAllocAsync and cuMemFreeAsync answer CUDA_ERROR_NOT_SUPPORTED
    bool tensor_maps = true;
    int least_priority = 0; ///< cuCtxGetStreamPriorityRange; numerically the larger one
    int greatest_priority = -5;

    /// Answers to cuDeviceGetAttribute that go before all of the above, and attributes that have no member.
    std::map<driver::device_attribute, int> attributes{};

    /// What cuDeviceGetAttribute answers; nothing for an attribute the host driver does not know.
    std::optional<int> attribute(driver::device_attribute which, int ordinal = 0) const {
        using driver::device_attribute;
        if (const auto found = attributes.find(which); found != attributes.end()) return found->second;
        switch (which) {
        case device_attribute::max_threads_per_block: return max_threads_per_block;
        case device_attribute::max_block_dim_x: return max_block_x;
        case device_attribute::max_block_dim_y: return max_block_y;
        case device_attribute::max_block_dim_z: return max_block_z;
        case device_attribute::max_grid_dim_x: return max_grid_x;
        case device_attribute::max_grid_dim_y: return max_grid_y;
        case device_attribute::max_grid_dim_z: return max_grid_z;
        case device_attribute::max_shared_memory_per_block: return shared_memory_per_block;
        case device_attribute::total_constant_memory: return constant_memory;
        case device_attribute::warp_size: return warp_size;
        case device_attribute::max_registers_per_block: return registers_per_block;
        case device_attribute::clock_rate: return clock_rate;
        case device_attribute::multiprocessor_count: return multiprocessors;
        case device_attribute::concurrent_kernels: return 1;
        case device_attribute::pci_bus_id: return 0;
        case device_attribute::pci_device_id: return ordinal;
        case device_attribute::memory_clock_rate: return memory_clock_rate;
        case device_attribute::global_memory_bus_width: return memory_bus_width;
        case device_attribute::l2_cache_size: return l2_cache_size;
        case device_attribute::max_threads_per_multiprocessor: return max_threads_per_multiprocessor;
        case device_attribute::unified_addressing: return 1;
        case device_attribute::compute_capability_major: return major;
        case device_attribute::compute_capability_minor: return minor;
        case device_attribute::stream_priorities_supported: return least_priority != greatest_priority;
        case device_attribute::max_shared_memory_per_multiprocessor: return shared_memory_per_multiprocessor;
        case device_attribute::max_registers_per_multiprocessor: return registers_per_multiprocessor;
        case device_attribute::cooperative_launch: return cooperative_launch;
        case device_attribute::max_shared_memory_per_block_optin: return shared_memory_per_block_optin;
        case device_attribute::max_blocks_per_multiprocessor: return max_blocks_per_multiprocessor;
        case device_attribute::max_persisting_l2_cache_size: return max_persisting_l2_cache_size;
        case device_attribute::max_access_policy_window_size: return max_access_policy_window_size;
        case device_attribute::reserved_shared_memory_per_block: return reserved_shared_memory_per_block;
        case device_attribute::memory_pools_supported: return memory_pools;
        case device_attribute::cluster_launch: return cluster_launch;
        case device_attribute::mem_sync_domain_count: return mem_sync_domains;
        case device_attribute::tensor_map_access_supported: return tensor_maps;
        }
        return std::nullopt;
    }
};

/// How the driver behaves beside its devices. host::reset() puts the defaults back.
struct options {
    /// cuDriverGetVersion: 1000 * major + 10 * minor. Says too which PTX versions it takes.
    int driver_version = 13000;
    /// Before a body runs, each of its pointer parameters must be null or point into (or just past) live memory of the
    /// launch's context, or into pinned memory; otherwise the launch ends in CUDA_ERROR_ILLEGAL_ADDRESS. A device would
    /// notice at the access only.
    bool check_pointers = true;
    /// False: launches are checked and recorded, and no body runs or need exist.
    bool run_bodies = true;
    /// True: copies from pageable memory read it before the call returns, as a driver may. False, the stricter way that
    /// the documentation of cuMemcpyHtoDAsync allows too: memory is read when the stream gets there.
    bool stage_pageable_copies = false;
    /// Look-ups of names that a module lacks succeed, with a handle that nothing can be launched with, as some drivers
    /// and wrappers do.
    bool accept_unknown_functions = false;
    /// Host memory spent on remembering freed device memory, so that its later use is recognised as such.
    std::size_t quarantine_bytes = std::size_t{64} << 20;
    /// The newest launches that launches() keeps.
    std::size_t kept_launches = 65536;
    /// True: operations submitted from now on are looked at for data races; see <hanabi/host/races.hpp>.
    bool check_races = false;
    /// How many bytes a launch touches from where parameter number `parameter` (from 0) points to; 0: all of the
    /// allocation. Not set: always all. For check_races only; called with the driver's lock held, and must not call the driver.
    std::function<std::size_t(const launch_record&, std::size_t parameter)> race_extent{};
    /// How many nodes of one launch of a graph run at once, at most.
    std::size_t graph_concurrency = 8;
};

} // namespace hanabi::host

#endif
