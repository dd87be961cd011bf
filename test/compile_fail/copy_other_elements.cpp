// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A copy between elements of different types.

// expect-first: copy_is_not_possible
// expect-first: the_elements_are_of_different_types
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

void compose(hanabi::device_ptr<float> x, const std::vector<int>& ints, const std::vector<float>& floats);
void compose(hanabi::device_ptr<float> x, const std::vector<int>& ints, const std::vector<float>& floats) {
#ifdef HANABI_REPAIRED
    run(hanabi::copy(x, floats));
    static_cast<void>(ints);
#else
    run(hanabi::copy(x, ints));
    static_cast<void>(floats);
#endif
}
