// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A number for an enumeration.

// expect-first: argument_does_not_fit
// expect-first: {"paint"}, 1,
// expect-first: 1,
// expect-first: expected<color
// expect-first: given<int
// expect-first: because::a_number_is_not_an_enumeration
// lines: gcc 12 clang 17

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

enum class color { red, green };
inline constexpr hanabi::kernel<"pictures", "paint", void(color)> paint;

void launch(int n);
void launch(int n) {
#ifdef HANABI_REPAIRED
    run(paint[over(n)](color::red));
#else
    run(paint[over(n)](0));
#endif
}
