// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A copy whose source would be gone when it is made.

// expect-first: copy_is_not_possible
// expect-first: a_temporary_would_be_gone
// lines: gcc 30 clang 40

#include <hanabi/expression/copy.hpp>
#include <hanabi/kernel.hpp>
#include <vector>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "scal", void(float, float*, int), hanabi::names<"alpha", "x", "n">> scal;

// In the place of a dispatcher: a refused expression must be no second error there.
template <class Expression>
void run(const Expression&) {}

void compose(hanabi::device_ptr<float> x);
void compose(hanabi::device_ptr<float> x) {
#ifdef HANABI_REPAIRED
    const std::vector<float> v(3);
    run(hanabi::copy(x, v));
#else
    run(hanabi::copy(x, std::vector<float>(3)));
#endif
}
