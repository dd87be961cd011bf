// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A program that embeds a module by the installed hanabi_add_module.

#include <hanabi_modules/kernels.hpp>

int main() { return hanabi_modules::kernels.empty() ? 1 : 0; }
