// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One piece of device memory: how it is allocated, who may share it, in which order it is freed; and the table by which
/// a bare address finds its owner.

#ifndef HANABI_DETAIL_ALLOCATION_HPP
#define HANABI_DETAIL_ALLOCATION_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/capture_scope.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/detail/stream_state.hpp>
#include <hanabi/driver_error.hpp>

#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

namespace hanabi::detail {

/// Device memory with shared ownership; the last owner frees it, in the order of its stream.
struct allocation : shared_object {
    shared<context_state> context;
    shared<stream_state> stream; ///< allocated and freed in its order; null: the context's own
    driver::device_address address = 0;
    std::size_t bytes = 0;
    bool pooled = false; ///< came from cuMemAllocAsync

    allocation(shared<context_state> in, shared<stream_state> on) noexcept : context{std::move(in)}, stream{std::move(on)} {}
    allocation(const allocation&) = delete;
    allocation& operator=(const allocation&) = delete;

    driver::stream_handle raw_stream() const noexcept { return stream != nullptr ? stream->handle : context->stream; }

    ~allocation() {
        if (address == 0 || process_forked) return;
        {
            // Out of the table before the memory can be given to somebody else.
            const detail::lock held{context->allocations_mutex};
            context->allocations.remove(address);
        }
        // What is captured may use the memory each time that it is replayed.
        if (innermost_capture != nullptr && keep_for_capture([in = context, on = stream, at = address, from_pool = pooled] {
                tear_down(*in, "freeing a buffer that was captured",
                          [&] { return give_back(*in, on != nullptr ? on->handle : in->stream, at, from_pool); });
            })) [[unlikely]]
            return;
        tear_down(*context, "freeing a buffer", [this] { return give_back(*context, raw_stream(), address, pooled); });
    }

  private:
    static driver::status give_back(const context_state& in, driver::stream_handle on, driver::device_address at, bool from_pool) noexcept {
        const driver::table& table = *in.driver;
        if (from_pool) return table.mem_free_async(at, on);
        // cuMemFree need not wait for work that uses the memory.
        const driver::status waited = table.stream_synchronize(on);
        const driver::status freed = table.mem_free(at);
        return freed == driver::status::success && !driver::is_sticky(waited) ? waited : freed;
    }
};

/// Allocates `bytes` for `made`, which has its context and stream, and enters it in the context's table: from the stream's
/// pool where device and driver have pools.
template <class Operation>
std::error_code allocate(const shared<allocation>& made, std::size_t bytes, std::string* words, const Operation& operation) {
    context_state& context = *made->context;
    const driver::table& table = *context.driver;
    const current_scope scope{context};
    driver::device_address address = 0;
    driver::status status = scope.status();
    // In a capture, memory of a stream would become part of the graph: it is allocated beside it.
    const relaxed_capture relaxed{table};
    const bool pooled =
        innermost_capture == nullptr && context.limits.memory_pools && table.mem_alloc_async != nullptr && table.mem_free_async != nullptr;
    if (status == driver::status::success)
        status = pooled ? table.mem_alloc_async(&address, bytes, made->raw_stream()) : table.mem_alloc(&address, bytes);
    if (status != driver::status::success)
        return driver_failed(context, status, words, [&] {
            std::string text = operation();
            text += ": allocating " + std::to_string(bytes) + " bytes on device " + std::to_string(context.ordinal);
            std::size_t free = 0;
            std::size_t total = 0;
            if (status == driver::status::out_of_memory && table.mem_get_info(&free, &total) == driver::status::success)
                text += ", where " + std::to_string(free) + " of " + std::to_string(total) + " are free";
            return text;
        });
    made->address = address;
    made->bytes = bytes;
    made->pooled = pooled;
    const detail::lock held{context.allocations_mutex};
    context.allocations.add(address, made.get());
    return {};
}

/// The allocation of this library in which the address lies; null if there is none, as for foreign memory. Takes the
/// table's lock: any thread, but not for the launch path.
template <class = void>
shared<allocation> find_allocation(context_state& context, driver::device_address address) {
    shared<allocation> found; // let go outside the lock: it may be the last owner by now
    {
        const detail::lock held{context.allocations_mutex};
        found = shared<allocation>::find(context.allocations.find(address));
    }
    if (found != nullptr && address - found->address >= found->bytes) found.reset();
    return found;
}

} // namespace hanabi::detail

#endif
