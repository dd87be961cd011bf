// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Faulty on purpose: no text is expected.

// reports: expects no text

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
