// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How the host driver executes PTX, as a program chooses.

#ifndef HANABI_HOST_PTX_OPTIONS_HPP
#define HANABI_HOST_PTX_OPTIONS_HPP

#include <cstddef>
#include <cstdint>

namespace hanabi::host {

/// How PTX is executed. Looked at when a kernel starts.
struct ptx_options {
    /// Instructions that one warp may execute in a launch; 0: any number. What is beyond is taken for an endless loop and
    /// ends in CUDA_ERROR_LAUNCH_TIMEOUT.
    std::uint64_t instruction_budget = std::uint64_t{1} << 34;
    /// False: a fault ends the launch and goes to the log, but the context stays usable.
    bool sticky = true;
    /// Where printf of kernels goes; null: the standard output. Called by one thread at a time.
    void (*print)(const char* text, std::size_t length) = nullptr;
};

} // namespace hanabi::host

#endif
