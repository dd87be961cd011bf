// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// From a failing driver status to an error: what was being done, the driver's name, number and words, the reason it
/// logged, whether an earlier launch is to blame, and whether the context is still there.

#ifndef HANABI_DRIVER_ERROR_HPP
#define HANABI_DRIVER_ERROR_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/driver/failure.hpp>
#include <hanabi/error.hpp>

#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace hanabi::detail {

/// Whether a status, returned by a call in the context, means that the context is no longer the one we made.
template <class = void>
HANABI_COLD bool means_context_lost(const context_state& state, driver::status status) noexcept {
    switch (status) {
    case driver::status::invalid_context:
    case driver::status::context_is_destroyed:
        if (state.id == 0) return true; // no ids to compare; and every call is made with the context current
        [[fallthrough]];
    case driver::status::invalid_handle: // a handle of the old context, shown to a new one at its address
        return context_gone(state);
    default: return false;
    }
}

/// The code of a failing status: errc::forked_process and errc::context_lost where those are the reason, else the status
/// itself. For callers that want no message; allocates nothing. `state` is null when there is no context yet.
template <class = void>
HANABI_COLD std::error_code driver_error_code(const context_state* state, driver::status status) noexcept {
    if (process_forked) return errc::forked_process;
    if (state != nullptr && means_context_lost(*state, status)) return errc::context_lost;
    return status;
}

/// The refusal of everything in a forked child.
template <class = void>
HANABI_COLD failure forked_failure(std::string operation) {
    return {errc::forked_process, std::move(operation) +
                                      ": this process was forked from one that had used CUDA, and no CUDA call works in such "
                                      "a child; fork before the first use of CUDA, or start the child with exec"};
}

/// The failure of a driver call in a context (null while there is none yet): the operation, the reason that the driver
/// logged, advice, and at the end `NAME (number): description`. A context lost behind the library is told as that. A
/// sticky status is blamed on an earlier launch, and `suspects` are named: the launches that may have done it, where
/// somebody kept them; the host driver says itself what did it. To be called right after the failing call, on its thread.
template <class = void>
HANABI_COLD failure driver_failure(const driver::table& table, const context_state* state, driver::status status, std::string operation,
                                   const std::string& suspects = {}) {
    if (process_forked) return forked_failure(std::move(operation));
    if (state != nullptr && means_context_lost(*state, status)) {
        const std::string ordinal = std::to_string(state->ordinal);
        operation += ": the context of device " + ordinal +
                     " was reset or destroyed behind the library (cudaDeviceReset, cuDevicePrimaryCtxReset, cuCtxDestroy), and all memory, "
                     "modules, streams and events in it are gone; ";
        operation +=
            state->ownership == context_ownership::primary
                ? "call hanabi::context::release(" + ordinal + "), then load and allocate anew in hanabi::context::primary(" + ordinal + ")"
                : std::string{"load and allocate anew in another context"};
        operation += ": " + driver::error_text(table, status);
        return {errc::context_lost, std::move(operation)};
    }
    if (driver::is_sticky(status)) {
        if (table.is_host) {
            const std::string cause = driver::explanation(table, status);
            if (std::strstr(cause.c_str(), "met here, not caused here") != nullptr) { // it knows, and nobody is suspected
                operation += ": ";
                operation += cause;
                operation += ": ";
                operation += driver::error_text(table, status);
                return {make_error_code(status), std::move(operation)};
            }
        }
        operation += ": met here, not caused here";
        if (!suspects.empty()) operation += ", perhaps by one of the last launches: " + suspects;
    }
    return driver_failure(table, status, std::move(operation));
}
template <class = void>
HANABI_COLD failure driver_failure(const context_state& state, driver::status status, std::string operation,
                                   const std::string& suspects = {}) {
    return driver_failure(*state.driver, &state, status, std::move(operation), suspects);
}

/// For functions with a throwing and a non-throwing face: `words` is null for the latter, and then nothing is formatted
/// or allocated. `operation` is text, or a function that makes it.
template <class Operation>
HANABI_COLD std::error_code driver_failed(const context_state& state, driver::status status, std::string* words,
                                          const Operation& operation) {
    if (words == nullptr) return driver_error_code(&state, status);
    failure f = [&] {
        if constexpr (requires { std::string{operation()}; })
            return driver_failure(state, status, operation());
        else
            return driver_failure(state, status, operation);
    }();
    *words = std::move(f.message);
    return f.code;
}

template <class = void>
HANABI_COLD std::error_code driver_failed(const context_state& state, driver::status status, std::string* words, const char* operation) {
    if (words == nullptr) return driver_error_code(&state, status);
    failure f = driver_failure(state, status, operation);
    *words = std::move(f.message);
    return f.code;
}

/// The same for what the library finds wrong. `message` is text, or a function that makes it.
template <class Message>
HANABI_COLD std::error_code refused(errc code, std::string* words, const Message& message) {
    if (words != nullptr) {
        if constexpr (requires { std::string{message()}; })
            *words = message();
        else
            *words = message;
    }
    return code;
}

/// Throws if `code` is an error.
template <class = void>
void raise_if(std::error_code code, std::string& words) {
    if (code) [[unlikely]]
        raise(code, std::move(words));
}

} // namespace hanabi::detail

#endif
