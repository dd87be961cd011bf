// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the fuzz targets share: a check that no optimisation removes, and a place for results.

#ifndef HANABI_TEST_FUZZ_CHECK_HPP
#define HANABI_TEST_FUZZ_CHECK_HPP

#include <cstdio>
#include <cstdlib>

/// Ends the run with the text of the condition; libFuzzer keeps the input.
#define FUZZ_CHECK(condition)                                                                                                              \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                            \
            std::abort();                                                                                                                  \
        }                                                                                                                                  \
    } while (false)

#endif
