// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How the functions are linked that programs control the host driver by: compiled where they are included, or once.

#ifndef HANABI_HOST_LINKAGE_HPP
#define HANABI_HOST_LINKAGE_HPP

#include <hanabi/config.hpp>

/// Nothing where one source file of the program compiles them: see <hanabi/host/table.hpp>.
#if defined(HANABI_HOST_SEPARATE)
#define HANABI_HOST_INLINE
#else
#define HANABI_HOST_INLINE inline
#endif

#endif
