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
    /// True: looks for races between threads too: accesses to the same bytes of shared or global memory, not both atomic or
    /// volatile, one of them a write of another value, that no barrier, warp operation or atomic operation puts in order. The
    /// first one ends the launch in CUDA_ERROR_LAUNCH_FAILED; what initcheck finds is told when there is none. Kernels run many
    /// times slower, on one thread of the host.
    bool racecheck = false;
    /// True: finds uses of memory, and of registers, that nothing has written: an address, a branch, an atomic operation that
    /// depends on it, or a write to global memory of what was computed from it. To load such memory and to copy it is no
    /// mistake, since structs have padding. The first one ends the launch in CUDA_ERROR_LAUNCH_FAILED. Counts as written: what
    /// copies, fills and kernels have written; variables of modules; memory of the host; and all memory once a C++ body has run.
    /// Arithmetic takes no longer for it, kernels that mostly access memory a quarter to a half, those that load many bits
    /// without values several times as long.
    bool initcheck = true;
    /// Where printf of kernels goes; null: the standard output. Called by one thread at a time.
    void (*print)(const char* text, std::size_t length) = nullptr;
};

} // namespace hanabi::host

#endif
