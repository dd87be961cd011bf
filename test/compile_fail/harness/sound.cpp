// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The one sound test among the faulty ones.

// expect-first: only [integers]; really
// expect gcc: required from here
// expect clang: requested here
// lines: gcc 6 clang 10

template <class T>
void takes_integers(T) {
    static_assert(sizeof(T) == sizeof(int), "only [integers]; really");
}

int main() {
#ifdef HANABI_REPAIRED
    takes_integers(1);
#else
    takes_integers(1.0);
#endif
}
