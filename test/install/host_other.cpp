// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <hanabi/host.hpp>

std::size_t launches_seen_by_the_other_file();
std::size_t launches_seen_by_the_other_file() { return hanabi::host::launches().size(); }
