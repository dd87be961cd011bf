// expect: a_name_holds_letters_digits_underscores_and_double_colons_only
// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <hanabi/symbol.hpp>

#if defined(HANABI_REPAIRED)
constexpr auto name = hanabi::cxx("la::scal");
#else
constexpr auto name = hanabi::cxx("la::operator+");
#endif
