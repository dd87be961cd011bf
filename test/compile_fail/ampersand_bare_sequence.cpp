// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A bare sequence beside `&`: `a >> b & c` means `(a >> b) & c`.

// expect-first: ampersand_takes_no_bare_sequence
// expect-first: a >> (b & c)
// expect-first: group(a >> b) & c
// lines: gcc 30 clang 40

#include <hanabi/expression/group.hpp>
#include <hanabi/expression/parallel.hpp>
#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

// In the place of a dispatcher: a refused expression must be no second error there.
template <class Expression>
void run(const Expression&) {}

void compose(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, hanabi::device_ptr<float> z, int n);
void compose(hanabi::device_ptr<float> x, hanabi::device_ptr<float> y, hanabi::device_ptr<float> z, int n) {
#ifdef HANABI_REPAIRED
    run(scal[over(n)](2.0f, x, n) >> (scal[over(n)](2.0f, y, n) & scal[over(n)](2.0f, z, n)));
    run(group(scal[over(n)](2.0f, x, n) >> scal[over(n)](2.0f, y, n)) & scal[over(n)](2.0f, z, n));
#else
    run(scal[over(n)](2.0f, x, n) >> scal[over(n)](2.0f, y, n) & scal[over(n)](2.0f, z, n));
#endif
}
