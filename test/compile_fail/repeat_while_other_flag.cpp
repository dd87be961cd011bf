// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A loop as long as something that is no integer.

// expect-first: repeat_while_takes_a_32_bit_integer_in_device_memory
// expect-first: float
// lines: gcc 30 clang 40

#include <hanabi/expression/repeat_while.hpp>
#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

// In the place of a dispatcher: a refused expression must be no second error there.
template <class Expression>
void run(const Expression&) {}

void compose(hanabi::device_ptr<float> x, hanabi::device_ptr<int> flag, int n);
void compose(hanabi::device_ptr<float> x, hanabi::device_ptr<int> flag, int n) {
#ifdef HANABI_REPAIRED
    run(hanabi::repeat_while(flag, scal[over(n)](2.0f, x, n)));
#else
    run(hanabi::repeat_while(x, scal[over(n)](2.0f, x, n)));
    static_cast<void>(flag);
#endif
}
