// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A struct that only looks the same.

// expect-first: argument_does_not_fit
// expect-first: {"plot"}, 1,
// expect-first: 1,
// expect-first: expected<point
// expect-first: given<pixel
// expect-first: because::it_is_another_type
// lines: gcc 12 clang 17

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

struct point {
    int x, y;
};
struct pixel {
    int x, y;
};
inline constexpr hanabi::kernel<"pictures", "plot", void(point)> plot;

void launch();
void launch() {
#ifdef HANABI_REPAIRED
    run(plot[over(1)](point{1, 2}));
#else
    run(plot[over(1)](pixel{1, 2}));
#endif
}
