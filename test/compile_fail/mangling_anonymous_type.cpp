// expect: type_has_no_name_outside_its_file<
// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <hanabi/mangling.hpp>

namespace {
struct local {};
} // namespace
struct global {};

#if defined(HANABI_REPAIRED)
inline constexpr auto name = hanabi::linker_name<hanabi::cxx("f"), global*>;
#else
inline constexpr auto name = hanabi::linker_name<hanabi::cxx("f"), local*>;
#endif
