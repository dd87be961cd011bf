// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the two files of the consumer share.

#ifndef CONSUMER_HPP
#define CONSUMER_HPP

#include <hanabi/hanabi.hpp>

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int)> axpy;

const char* module_of_the_other_file();

#endif
