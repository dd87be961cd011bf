// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A placeholder bound to a temporary that owns the memory.

// expect-first: argument_does_not_fit
// expect-first: {"axpy"}, 2,
// expect-first: {"from"}
// expect-first: expected<const float
// expect-first: given<vendor::device_array<float>
// expect-first: because::a_temporary_owner_would_be_gone
// lines: gcc 15 clang 24

#include <hanabi/kernel.hpp>

using namespace hanabi::literals;
using hanabi::over;

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

// In the place of a dispatcher: a refused launch must be no second error there.
template <class Expression>
void run(const Expression&) {}

namespace vendor {
/// Somebody's owner of device memory.
template <class T>
struct device_array {
    T* data;
};
} // namespace vendor

template <class T>
struct hanabi::device_data<vendor::device_array<T>> {
    static hanabi::device_ptr<T> pointer(vendor::device_array<T>& array) noexcept { return hanabi::device_ptr{array.data}; }
    static hanabi::device_ptr<const T> pointer(const vendor::device_array<T>& array) noexcept {
        return hanabi::device_ptr<const T>{array.data};
    }
};

void launch(vendor::device_array<float>& y, int n);
void launch(vendor::device_array<float>& y, int n) {
    const auto step = axpy[over(n)](2.0f, "from"_arg, y, n);
#ifdef HANABI_REPAIRED
    run(step.bind("from"_arg = y));
#else
    run(step.bind("from"_arg = vendor::device_array<float>{}));
#endif
}
