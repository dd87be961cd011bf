// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The consumer's other file.

#include "consumer.hpp"

const char* module_of_the_other_file() { return "blas"; }
