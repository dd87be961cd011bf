// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The version, and what compilers spell differently.

#ifndef HANABI_CONFIG_HPP
#define HANABI_CONFIG_HPP

/// 100000 * major + 100 * minor + patch, as BOOST_VERSION.
#define HANABI_VERSION 100

#if !defined(__CUDACC__) && defined(__cplusplus) && __cplusplus < 202002L
#error "Hanabi needs C++20: compile with -std=c++20 or newer."
#endif

/// Process-wide entities keep default visibility, so that shared objects built with -fvisibility=hidden agree on them.
#if defined(_WIN32)
#define HANABI_SHARED
#else
#define HANABI_SHARED __attribute__((visibility("default")))
#endif

/// Paths that end in an error: out of line and out of the hot text.
#if defined(__GNUC__)
#define HANABI_COLD __attribute__((cold, noinline))
#else
#define HANABI_COLD
#endif

/// Functions on the way of a launch, which fold to nothing once they are inlined. Without optimisation an inlined body
/// would be compiled again at each call, so there they stay functions.
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define HANABI_INLINE inline __attribute__((always_inline))
#else
#define HANABI_INLINE inline
#endif

/// One address-free byte of storage for empty members.
#if defined(_MSC_VER)
#define HANABI_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define HANABI_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

#endif
