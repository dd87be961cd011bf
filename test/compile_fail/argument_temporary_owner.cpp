// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A temporary that owns the memory: it would be gone when the kernel runs.

// expect-first: argument_does_not_fit
// expect-first: {"axpy"}, 2,
// expect-first: {"x"}
// expect-first: expected<const float
// expect-first: given<vendor::device_array<float>
// expect-first: because::a_temporary_owner_would_be_gone
// lines: gcc 12 clang 17

#include <hanabi/kernel.hpp>

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
#ifdef HANABI_REPAIRED
    run(axpy[over(n)](2.0f, y, y, n));
#else
    run(axpy[over(n)](2.0f, vendor::device_array<float>{}, y, n));
#endif
}
