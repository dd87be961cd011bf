// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Environment variables, as a library may read them.

#ifndef HANABI_DETAIL_ENVIRONMENT_HPP
#define HANABI_DETAIL_ENVIRONMENT_HPP

#include <stdlib.h> // not <cstdlib>: secure_getenv is no name of the standard's

namespace hanabi::detail {

/// The variable's value; null if it is unset or empty, and in programs that run with more rights than their caller
/// (setuid, file capabilities), whose environment must not choose what they load. Not to be called while another thread
/// changes the environment.
inline const char* environment(const char* name) noexcept {
#if defined(__linux__)
    const char* const value = ::secure_getenv(name);
#else
#if defined(_MSC_VER)
#pragma warning(suppress : 4996) // getenv: the value is used before the caller returns, and never kept
#endif
    const char* const value = ::getenv(name);
#endif
    return value != nullptr && *value != '\0' ? value : nullptr;
}

} // namespace hanabi::detail

#endif
