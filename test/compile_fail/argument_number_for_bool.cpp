// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A number for a bool.

// expect-first: argument_does_not_fit
// expect-first: {"toggle"}, 1,
// expect-first: 1,
// expect-first: expected<bool
// expect-first: given<int
// expect-first: because::a_number_is_not_a_bool
// lines: gcc 12 clang 17

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"flags", "toggle", void(bool)> toggle;

void launch(int n);
void launch(int n) {
#ifdef HANABI_REPAIRED
    run(toggle[over(n)](n != 0));
#else
    run(toggle[over(n)](n));
#endif
}
