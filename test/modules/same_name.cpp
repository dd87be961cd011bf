// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Built into two shared objects, each with a module of its own called `same`.

#include <hanabi_modules/same.hpp>

std::span<const std::byte> FUNCTION();
std::span<const std::byte> FUNCTION() { return hanabi_modules::same; }
