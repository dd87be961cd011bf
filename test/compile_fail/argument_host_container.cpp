// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A container of host memory.

// expect-first: argument_does_not_fit
// expect-first: {"axpy"}, 2,
// expect-first: {"x"}
// expect-first: expected<const float
// expect-first: given<std::vector<float
// expect-first: because::it_is_not_device_memory
// lines: gcc 12 clang 17

#include <hanabi/kernel.hpp>

#include <vector>

using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

void launch([[maybe_unused]] const std::vector<float>& x, hanabi::device_ptr<float> y, int n);
void launch([[maybe_unused]] const std::vector<float>& x, hanabi::device_ptr<float> y, int n) {
#ifdef HANABI_REPAIRED
    run(axpy[over(n)](2.0f, y, y, n));
#else
    run(axpy[over(n)](2.0f, x, y, n));
#endif
}
