// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// An int, which may be negative, for a size_t.

// expect-first: argument_does_not_fit
// expect-first: {"fill"}, 3,
// expect-first: 3,
// expect-first gcc: expected<long unsigned int
// expect-first clang: expected<unsigned long
// expect-first: given<int
// expect-first: because::it_would_lose_values
// lines: gcc 12 clang 17

#include <hanabi/kernel.hpp>

using hanabi::over;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

inline constexpr hanabi::kernel<"memory", hanabi::cxx("fill"), void(float*, float, std::size_t)> fill;

void launch(hanabi::device_ptr<float> x, int n);
void launch(hanabi::device_ptr<float> x, int n) {
#ifdef HANABI_REPAIRED
    run(fill[over(n)](x, 1.0f, static_cast<std::size_t>(n)));
#else
    run(fill[over(n)](x, 1.0f, n));
#endif
}
