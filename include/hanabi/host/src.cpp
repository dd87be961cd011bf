// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host driver, for programs that compile it once (HANABI_HOST_SEPARATE). In a library: a program that does not include
/// <hanabi/host.hpp> does not get it.

#include <hanabi/host/src.hpp>
