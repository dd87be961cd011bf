// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Included by scale.cu: a change here must rebuild the module.

#ifndef FACTOR
#define FACTOR 2
#endif
