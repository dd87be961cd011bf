// expect: the_name_is_empty
// lines: gcc 30 clang 36
// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <hanabi/symbol.hpp>

#if defined(HANABI_REPAIRED)
inline constexpr auto name = hanabi::matching("*::scal(*");
#else
inline constexpr auto name = hanabi::matching("");
#endif
