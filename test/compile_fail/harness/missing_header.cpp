// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Faulty on purpose: it fails at an include, before it says anything.

// reports: the first error is fatal
// expect-first: no_such_header.hpp

template <class T>
void takes_integers(T) {
    static_assert(sizeof(T) == sizeof(int), "only [integers]; really");
}

int main() {
#include <hanabi/no_such_header.hpp>
#ifdef HANABI_REPAIRED
    takes_integers(1);
#else
    takes_integers(1.0);
#endif
}
