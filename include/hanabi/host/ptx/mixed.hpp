// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Sums and products of f16 or bf16 with f32 results: PTX manual, "Mixed Precision Floating Point Instructions". The narrow
/// operand becomes an f32, exactly, and the operation is that of f32.

#ifndef HANABI_HOST_PTX_MIXED_HPP
#define HANABI_HOST_PTX_MIXED_HPP

#include <hanabi/host/ptx/floating.hpp>
#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/lanewise.hpp>
#include <hanabi/host/ptx/small_float.hpp>

#include <cstdint>

namespace hanabi::host::ptx {

namespace mixed_detail {

template <bool Brain>
HANABI_PTX_FORCE float widened(std::uint16_t v) {
    return Brain ? bfloat_value(v) : half_value(v);
}
template <bool Brain, bool Sat>
chosen pick(const form& f) {
    using floating_detail::finished;
    using lanewise::binary;
    using lanewise::ternary;
    using u16 = std::uint16_t;
    const type narrow = Brain ? type::bf16 : type::f16;
    if (f.op == "add")
        return typed(binary<float, u16, float>([](u16 a, float c) { return finished<false, Sat, float>(widened<Brain>(a) + c); }),
                     type::f32, {narrow, type::f32});
    if (f.op == "sub")
        return typed(binary<float, u16, float>([](u16 a, float c) { return finished<false, Sat, float>(widened<Brain>(a) - c); }),
                     type::f32, {narrow, type::f32});
    return typed(ternary<float, u16, u16, float>([](u16 a, u16 b, float c) {
                     return finished<false, Sat, float>(floating_detail::fused(widened<Brain>(a), widened<Brain>(b), c));
                 }),
                 type::f32, {narrow, narrow, type::f32});
}

} // namespace mixed_detail

/// The handler of add, sub or fma with .f32.f16 or .f32.bf16; none for others.
inline chosen pick_mixed(const form& f) {
    using mixed_detail::pick;
    if (f.types.size() != 2 || f.of(0) != type::f32 || (f.op != "add" && f.op != "sub" && f.op != "fma")) return {};
    if (f.of(1) == type::f16) return f.sat ? pick<false, true>(f) : pick<false, false>(f);
    if (f.of(1) == type::bf16) return f.sat ? pick<true, true>(f) : pick<true, false>(f);
    return {};
}

} // namespace hanabi::host::ptx

#endif
