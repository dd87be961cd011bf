// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A program that uses Hanabi from outside: the umbrella, in two files.

#include "consumer.hpp"

int main() { return module_of_the_other_file() == axpy.module_name ? 0 : 1; }
