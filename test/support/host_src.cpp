// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host driver, compiled once for all tests (HANABI_HOST_SEPARATE). In a library: a test that does not include
/// <hanabi/host.hpp> does not get it.

#include <hanabi/host/src.hpp>
