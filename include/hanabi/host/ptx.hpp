// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// PTX on the host driver: with this header in a program, the host driver executes a module's own PTX where no C++ body is
/// defined for a kernel. It finds more than a GPU would tell: accesses out of bounds, to freed or misaligned memory, uses of
/// what nothing has written, divergent barriers, deadlocks, endless loops, and races on request; each with the kernel, the
/// line, the thread and what it missed.
///
/// Include it in one source file of a program. Where <hanabi/host.hpp> is compiled separately (HANABI_HOST_SEPARATE), compile
/// <hanabi/host/ptx/src.hpp> once beside <hanabi/host/src.hpp>.

#ifndef HANABI_HOST_PTX_HPP
#define HANABI_HOST_PTX_HPP

#include <hanabi/config.hpp>
#include <hanabi/host/linkage.hpp>
#include <hanabi/host/ptx/options.hpp>
#include <hanabi/host/table.hpp> // a program that has the executor has the driver

#include <cstdint>
#include <string>

namespace hanabi::host {

/// The options in force. Any thread.
HANABI_SHARED HANABI_HOST_INLINE ptx_options current_ptx_options();

/// Puts options into force for the kernels that start from now on. Any thread.
HANABI_SHARED HANABI_HOST_INLINE void set_ptx_options(const ptx_options& wanted);

/// The text of the newest fault of a kernel's PTX; "" when there was none since the last clear_ptx_fault(). Any thread.
HANABI_SHARED HANABI_HOST_INLINE std::string last_ptx_fault();
HANABI_SHARED HANABI_HOST_INLINE void clear_ptx_fault();

/// Threads' instructions executed so far by all kernels: for measurements.
HANABI_SHARED HANABI_HOST_INLINE std::uint64_t ptx_instructions() noexcept;

} // namespace hanabi::host

#if defined(HANABI_HOST_SEPARATE)
#if defined(__GNUC__) && !defined(_WIN32)
namespace hanabi::host::detail {
/// A program that includes this header gets the executor out of the library it is in.
[[gnu::used]] static std::uint64_t (*const ptx_is_wanted)() noexcept = &ptx_instructions;
} // namespace hanabi::host::detail
#endif
#else
#include <hanabi/host/ptx/src.hpp>
#endif

#endif
