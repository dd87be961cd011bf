// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The value that a conditional node of a graph looks at, set from the body of a kernel.

#ifndef HANABI_HOST_CONDITIONAL_HPP
#define HANABI_HOST_CONDITIONAL_HPP

#include <hanabi/driver/graph_abi.hpp>
#include <hanabi/host/linkage.hpp>

namespace hanabi::host {

/// What cudaGraphSetConditional does in device code, for the bodies of the host driver: the handle is a parameter of the
/// kernel, a 64-bit integer. Throws std::out_of_range, which fails the launch, for a handle that cuGraphConditionalHandleCreate
/// did not make, or whose graph was destroyed. Any thread.
HANABI_SHARED HANABI_HOST_INLINE void set_conditional(driver::graph_conditional_handle handle, unsigned value);

} // namespace hanabi::host

#if !defined(HANABI_HOST_SEPARATE)
#include <hanabi/host/src.hpp>
#endif

#endif
