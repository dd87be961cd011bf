// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How a session with CUPTI works, what it has met, and what its errors say.

#ifndef HANABI_CUPTI_SESSION_OPTIONS_HPP
#define HANABI_CUPTI_SESSION_OPTIONS_HPP

#include <hanabi/cupti/status.hpp>
#include <hanabi/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace hanabi::cupti {

/// How a session works.
struct session_options {
    std::size_t buffer_bytes = 2u << 20; ///< of one buffer; CUPTI's advice is 1 to 10 MB
    std::size_t max_buffers = 32;        ///< the bound of the memory: beyond it records that nobody drained are overwritten
    bool steady_clock = true;            ///< times of a clock that can't step, where the library can (CUDA 11.8)
    /// Be CUPTI's one subscriber: finds out that another client has it, and keeps others out.
    bool exclusive = true;
    /// Called when a buffer full of records has come back, to wake up who drains: on a thread of CUPTI's, or inside a flush.
    /// Nothing of the session may be called from it.
    void (*on_completed)(void*) = nullptr;
    void* on_completed_argument = nullptr;
};

/// What a session has met so far. Records handed over: every one is in `delivered`.
struct session_counts {
    std::uint64_t delivered = 0;   ///< records handed over
    std::uint64_t kernels = 0;     ///< of those, kernels
    std::uint64_t no_time = 0;     ///< of the kernels, copies and fills: those without time, unfinished ones not counted
    std::uint64_t unfinished = 0;  ///< of the kernels, copies and fills: delivered before they ended
    std::uint64_t early = 0;       ///< left out: they ended before the session started
    std::uint64_t late = 0;        ///< buffers that came back while no session recorded, and were not read
    std::uint64_t overwritten = 0; ///< records lost because nobody drained in time
    std::uint64_t unreadable = 0;  ///< buffers whose rest could not be read: an unknown kind, or cut short
};

namespace detail {

/// What went wrong in an operation of a session, and what to do.
inline std::string words_for(std::error_code code, const std::string& operation) {
    std::string message = "hanabi::cupti::session::" + operation + ": ";
    if (code == errc::session_active)
        message += "another session of this process is recording, and CUPTI's callbacks are the process'; stop that one first";
    else if (code == errc::inside_callback)
        message += "called from a buffer callback, which must not call CUPTI; do it when the callback has returned";
    else if (code == errc::forked_process)
        message += "the session was made before fork(), after which CUDA is of no use; profile in a process started anew";
    else if (code == errc::callbacks_not_registered)
        message += "the session does not record; call start() first";
    else if (code == errc::entry_missing)
        message += "the loaded libcupti lacks the entry point; it takes a newer one";
    else {
        const auto s = static_cast<cupti::status>(code.value());
        if (code.category() == cupti_category() && *advice_for(s) != '\0') message.append(advice_for(s)).append(": ");
        message += code.message();
    }
    return message;
}

} // namespace detail

} // namespace hanabi::cupti

#endif
