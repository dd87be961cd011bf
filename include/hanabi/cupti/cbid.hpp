// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Numbers of the driver's functions, as CUPTI counts them.

#ifndef HANABI_CUPTI_CBID_HPP
#define HANABI_CUPTI_CBID_HPP

#include <cstdint>

namespace hanabi::cupti {

/// CUpti_driver_api_trace_cbid, those that launch, copy, fill and wait. Functions with a variant for the per-thread default
/// stream have two numbers.
namespace cbid {
inline constexpr std::uint32_t launch_kernel = 307, launch_kernel_ptsz = 442;
inline constexpr std::uint32_t launch_cooperative_kernel = 477, launch_cooperative_kernel_ptsz = 478;
inline constexpr std::uint32_t graph_launch = 514, graph_launch_ptsz = 515;
inline constexpr std::uint32_t launch_kernel_ex = 652, launch_kernel_ex_ptsz = 653;
inline constexpr std::uint32_t memcpy_htod_async = 277, memcpy_htod_async_ptsz = 421;
inline constexpr std::uint32_t memcpy_dtoh_async = 279, memcpy_dtoh_async_ptsz = 422;
inline constexpr std::uint32_t memcpy_dtod_async = 281, memcpy_dtod_async_ptsz = 423;
inline constexpr std::uint32_t memcpy_peer_async = 319, memcpy_peer_async_ptsz = 426;
inline constexpr std::uint32_t memset_d8_async = 216, memset_d8_async_ptsz = 428;
inline constexpr std::uint32_t memset_d16_async = 218, memset_d16_async_ptsz = 429;
inline constexpr std::uint32_t memset_d32_async = 220, memset_d32_async_ptsz = 430;
inline constexpr std::uint32_t memset_d2d32_async = 226, memset_d2d32_async_ptsz = 433;
inline constexpr std::uint32_t stream_synchronize = 126, event_synchronize = 121, ctx_synchronize = 17, stream_wait_event = 295;
} // namespace cbid

/// Above all numbers there are, with room: CUDA 13.0 has 800.
inline constexpr std::uint32_t cbid_limit = 1024;

/// The calls that put kernels, copies and fills on a stream: enough for external correlation of all that Hanabi does, and far
/// cheaper than all calls of the driver.
inline constexpr std::uint32_t launch_cbids[] = {
    cbid::launch_kernel,         cbid::launch_kernel_ptsz,        cbid::launch_kernel_ex,
    cbid::launch_kernel_ex_ptsz, cbid::launch_cooperative_kernel, cbid::launch_cooperative_kernel_ptsz,
    cbid::graph_launch,          cbid::graph_launch_ptsz,         cbid::memcpy_htod_async,
    cbid::memcpy_dtoh_async,     cbid::memcpy_dtod_async,         cbid::memcpy_peer_async,
    cbid::memset_d8_async,       cbid::memset_d16_async,          cbid::memset_d32_async,
    cbid::memset_d2d32_async};

} // namespace hanabi::cupti

#endif
