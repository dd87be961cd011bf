// expect: no_such_template_argument<
// lines: gcc 30 clang 36
// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <hanabi/mangling.hpp>

#if defined(HANABI_REPAIRED)
using signature = hanabi::effective_signature<hanabi::cxx<"f", float>(), void(hanabi::T_<0>)>;
#else
using signature = hanabi::effective_signature<hanabi::cxx<"f", float>(), void(hanabi::T_<1>)>;
#endif

signature* p = nullptr;
