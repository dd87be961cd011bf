// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Printing of every public type: operator<< beside the types, for failed assertions and for messages of tests. A header for
/// tests only: the library itself includes no streams.

#ifndef HANABI_TEST_PRINT_HPP
#define HANABI_TEST_PRINT_HPP

#include <hanabi/test/print_context.hpp>
#include <hanabi/test/print_error.hpp>
#include <hanabi/test/print_geometry.hpp>
#include <hanabi/test/print_host.hpp>
#include <hanabi/test/print_kernel.hpp>
#include <hanabi/test/print_memory.hpp>
#include <hanabi/test/print_name.hpp>

#endif
