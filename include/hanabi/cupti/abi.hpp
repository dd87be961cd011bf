// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The types that cross CUPTI's C interface, so that no CUPTI header is needed.

#ifndef HANABI_CUPTI_ABI_HPP
#define HANABI_CUPTI_ABI_HPP

#include <hanabi/driver/abi.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::cupti {

/// CUpti_BuffersCallbackRequestFunc: CUPTI asks for an empty buffer, 8-aligned, of which it owns the whole until the other
/// callback gives it back. `max_records` 0: as many as fit.
using buffer_request = void(HANABI_CUDAAPI*)(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records);
/// CUpti_BuffersCallbackCompleteFunc: CUPTI gives a buffer back, with `valid` bytes of records in it. The stream is 0 and
/// the context null since CUDA 6.0.
using buffer_complete = void(HANABI_CUDAAPI*)(driver::context_handle context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                                              std::size_t valid);
/// CUpti_TimestampCallbackFunc.
using timestamp_function = std::uint64_t(HANABI_CUDAAPI*)();
/// CUpti_CallbackFunc.
using callback_function = void(HANABI_CUDAAPI*)(void* user_data, unsigned domain, std::uint32_t cbid, const void* data);
/// CUpti_SubscriberHandle.
struct subscriber;
using subscriber_handle = subscriber*;

/// CUpti_SubscriberParams.
struct subscriber_parameters {
    std::size_t size = sizeof(subscriber_parameters);
    const char* name = nullptr;
    char* other_name = nullptr; ///< receives who has CUPTI, 64 bytes at least
    std::size_t other_size = 0;
};

/// What a flush delivers: of buffers that hold no unfinished work those that are full, or everything. What was unfinished
/// then is delivered with end 0, and never again.
enum class flush_mode : std::uint32_t { complete = 0, everything = 1 };

/// CUpti_ExternalCorrelationKind, those for programs.
enum class external_kind : std::uint32_t { custom0 = 3, custom1 = 4, custom2 = 5 };

} // namespace hanabi::cupti

#endif
