// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Faulty on purpose: the repaired twin has a warning.

// reports: the repaired twin does not compile
// expect-first: only [integers]; really

template <class T>
void takes_integers(T) {
    static_assert(sizeof(T) == sizeof(int), "only [integers]; really");
}

int main() {
#ifdef HANABI_REPAIRED
    int count = 1;
    takes_integers(count < 2u ? 1 : 2);
#else
    takes_integers(1.0);
#endif
}
