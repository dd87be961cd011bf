// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What stands behind a stream object, and the check that a raw stream belongs to a context.

#ifndef HANABI_DETAIL_STREAM_STATE_HPP
#define HANABI_DETAIL_STREAM_STATE_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/capture_scope.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/driver_error.hpp>

#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace hanabi::detail {

/// A stream, shared by its object and by the buffers that will be freed on it: destroyed after the last of them.
struct stream_state : shared_object {
    shared<context_state> context;
    driver::stream_handle handle = nullptr;
    bool owned = false;

    stream_state(shared<context_state> in, driver::stream_handle raw) noexcept : context{std::move(in)}, handle{raw} {}
    stream_state(const stream_state&) = delete;
    stream_state& operator=(const stream_state&) = delete;
    ~stream_state() {
        if (!owned) return;
        // A stream that joined a capture must outlive it.
        if (innermost_capture != nullptr && keep_for_capture([in = context, doomed = handle] {
                tear_down(*in, "destroying a stream that was captured", [&] { return in->driver->stream_destroy(doomed); });
            })) [[unlikely]]
            return;
        tear_down(*context, "destroying a stream", [this] { return context->driver->stream_destroy(handle); });
    }
};

/// True for null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD: they name a stream of whichever context is current.
inline bool is_default_stream(driver::stream_handle stream) noexcept {
    return reinterpret_cast<std::uintptr_t>(stream) <= driver::stream_per_thread;
}

/// "device 1" for any context of the driver, for messages.
template <class = void>
HANABI_COLD std::string describe_context(const driver::table& table, driver::context_handle context) {
    driver::context_handle previous = nullptr;
    driver::device_handle device = 0;
    if (table.ctx_get_current(&previous) != driver::status::success) return "an unknown device";
    driver::status status = driver::status::success;
    if (previous != context) status = table.ctx_set_current(context);
    if (status == driver::status::success) {
        status = table.ctx_get_device(&device);
        if (previous != context) static_cast<void>(table.ctx_set_current(previous));
    }
    return status == driver::status::success ? "device " + std::to_string(device) : std::string{"an unknown device"};
}

/// errc::wrong_context unless the stream is of the context, as far as the driver can tell (cuStreamGetCtx, CUDA 9.2). Makes
/// the context current.
template <class = void>
std::error_code check_stream(const context_state& state, driver::stream_handle stream, std::string* words, const char* operation) {
    if (is_default_stream(stream) || stream == state.stream || state.driver->stream_get_ctx == nullptr) return {};
    const current_scope scope{state};
    driver::context_handle owner = nullptr;
    driver::status status = scope.status();
    if (status == driver::status::success) status = state.driver->stream_get_ctx(stream, &owner);
    if (status != driver::status::success) return driver_failed(state, status, words, operation);
    if (owner == state.handle) return {};
    return refused(errc::wrong_context, words, [&] {
        return std::string{operation} + ": the stream belongs to a context of " + describe_context(*state.driver, owner) +
               ", not to this context of device " + std::to_string(state.ordinal);
    });
}

} // namespace hanabi::detail

#endif
