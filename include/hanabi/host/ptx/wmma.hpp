// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// wmma: PTX manual, "Warp-level Matrix Instructions: wmma". Which element lies in which register is left open there; here
/// a lane's elements are neighbours in the matrix, by rows. Those of less than 8 bits are as mma has them.

#ifndef HANABI_HOST_PTX_WMMA_HPP
#define HANABI_HOST_PTX_WMMA_HPP

#include <hanabi/host/ptx/matrix.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace hanabi::host::ptx {

namespace wmma_detail {

using matrix_detail::shape;

/// What a load or store is, in instruction::immediate.
struct fragment {
    std::uint8_t rows, columns, elements, registers; ///< elements of a lane
    bool by_columns;
    type of;
};

/// Elements of a lane that are one after the other in the registers from `first` on; packed where they are small.
inline void put_element(const context& c, std::size_t first, type t, unsigned lane, unsigned e, const void* from) noexcept {
    const auto& all = c.l->code->extra;
    const unsigned bytes = size_of(t);
    if (bytes >= 4) {
        std::memcpy(c.at<std::byte>(all[first + e]) + static_cast<std::size_t>(lane) * bytes, from, bytes);
        return;
    }
    const unsigned packed = 4 / bytes;
    std::memcpy(reinterpret_cast<std::byte*>(&c.at<std::uint32_t>(all[first + e / packed])[lane]) + bytes * (e % packed), from, bytes);
}
inline void get_element(const context& c, std::size_t first, type t, unsigned lane, unsigned e, void* to) noexcept {
    const auto& all = c.l->code->extra;
    const unsigned bytes = size_of(t);
    if (bytes >= 4) {
        std::memcpy(to, c.at<std::byte>(all[first + e]) + static_cast<std::size_t>(lane) * bytes, bytes);
        return;
    }
    const unsigned packed = 4 / bytes;
    std::memcpy(to, reinterpret_cast<const std::byte*>(&c.at<std::uint32_t>(all[first + e / packed])[lane]) + bytes * (e % packed), bytes);
}

/// a: the address, b: the distance of rows or columns, in elements.
template <bool Store>
void move(context& c, const instruction& in, std::uint32_t mask) {
    if (mask != ~0u) throw fault{driver::status::illegal_instruction, "wmma needs all 32 lanes of the warp", first_lane(mask)};
    fragment f;
    std::memcpy(&f, &in.immediate, sizeof f);
    const unsigned bytes = size_of(f.of), all = f.rows * f.columns;
    const auto offset = c.at<std::uint64_t>(c.l->code->extra[in.target])[0];
    for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned e = 0; e < f.elements; ++e) {
            const unsigned at = (lane * f.elements + e) % all; // some fragments hold each element twice
            const unsigned row = at / f.columns, column = at % f.columns;
            const std::uint64_t step = c.at<std::uint32_t>(in.b)[lane];
            const std::uint64_t index = f.by_columns ? column * step + row : row * step + column;
            const std::uint64_t base = wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, lane) + offset;
            std::byte* const place = resolve_one(c, in.in, base + index * bytes, bytes, Store ? access::store : access::load, lane);
            if (Store)
                get_element(c, in.target + 1, f.of, lane, e, place);
            else
                put_element(c, in.target + 1, f.of, lane, e, place);
        }
}

inline double number(type t, const std::byte* at) noexcept {
    const auto as = [&](auto zero) {
        std::memcpy(&zero, at, sizeof zero);
        return zero;
    };
    switch (t) {
    case type::f64: return as(double{});
    case type::f32: return static_cast<double>(as(float{}));
    case type::tf32: return static_cast<double>(std::bit_cast<float>(as(std::uint32_t{}) & 0xffffe000u));
    case type::s32: return as(std::int32_t{});
    case type::f16: return static_cast<double>(half_value(as(std::uint16_t{})));
    case type::bf16: return static_cast<double>(bfloat_value(as(std::uint16_t{})));
    case type::s8: return as(std::int8_t{});
    default: return as(std::uint8_t{});
    }
}

inline void multiply(context& c, const instruction& in, std::uint32_t mask) {
    if (mask != ~0u) throw fault{driver::status::illegal_instruction, "wmma needs all 32 lanes of the warp", first_lane(mask)};
    const shape s = matrix_detail::shape_of(in);
    std::size_t at[4] = {in.target, 0, 0, 0};
    const auto& counts = c.l->code->extra; // of registers: four constants before the registers
    for (unsigned x = 0; x < 4; ++x) at[x] = (x == 0 ? in.target + 4u : at[x - 1] + counts[in.target + x - 1].where);
    const auto elements = [&](unsigned x, type t) { return counts[in.target + x].where * (size_of(t) >= 4 ? 1 : 4 / size_of(t)); };
    const auto read = [&](unsigned x, type t, unsigned rows, unsigned columns) {
        std::vector<double> out(static_cast<std::size_t>(rows) * columns);
        const unsigned n = elements(x, t);
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned e = 0; e < n; ++e) {
                std::byte bytes[16]{};
                get_element(c, at[x], t, lane, e, bytes);
                out[(lane * n + e) % (rows * columns)] = number(t, bytes);
            }
        return out;
    };
    const std::vector<double> a = read(1, s.a, s.m, s.k), b = read(2, s.b, s.k, s.n);
    std::vector<double> d = read(3, s.c, s.m, s.n);
    for (unsigned i = 0; i < s.m; ++i)
        for (unsigned j = 0; j < s.n; ++j)
            for (unsigned q = 0; q < s.k; ++q) d[i * s.n + j] += a[i * s.k + q] * b[q * s.n + j];
    const unsigned n = elements(0, s.d);
    for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned e = 0; e < n; ++e) {
            const double v = d[(lane * n + e) % d.size()];
            const auto put = [&](auto value) {
                std::byte bytes[16]{};
                std::memcpy(bytes, &value, sizeof value);
                put_element(c, at[0], s.d, lane, e, bytes);
            };
            if (s.d == type::f64)
                put(v);
            else if (s.d == type::f32)
                put(static_cast<float>(v));
            else if (s.d == type::f16)
                put(to_half(v));
            else {
                auto sum = static_cast<std::int64_t>(v);
                if (s.saturate) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
                put(static_cast<std::uint32_t>(sum));
            }
        }
}

} // namespace wmma_detail

/// Decodes wmma.load, wmma.store and wmma.mma; false for others.
inline bool decode_wmma(decoder& d, const form& f, const statement& s) {
    using namespace wmma_detail;
    if (f.op != "wmma") return false;
    const auto& a = s.arguments;
    unsigned m = 0, n = 0, k = 0;
    for (const std::string_view w : f.words)
        if (w[0] == 'm' && w.size() > 5) std::sscanf(std::string{w}.c_str(), "m%un%uk%u", &m, &n, &k);
    decoder::need(m != 0 && m <= 32 && n <= 32 && k != 0 && k <= 128 && !f.types.empty(), "wmma of this kind is not supported");
    const bool small = bits_of(f.types.size() == 4 ? f.types[1] : f.of()) < 8;
    std::vector<operand> all;
    const auto list = [&](const argument& of, bool written, type t) {
        const type r = size_of(t) == 8 ? type::b64 : type::b32;
        const auto one = [&](const argument& e) { all.push_back(written ? d.destination(e) : d.source(e, r)); };
        if (of.kind != argument_kind::vector)
            one(of);
        else
            for (unsigned x = 0; x < of.count; ++x) one(s.elements[of.first + x]);
    };
    instruction i = d.make(&multiply, step::converge);
    i.e = d.immediate(~0u, 4);
    if (f.has("load") || f.has("store")) {
        const bool store = f.has("store");
        i.run = store ? &move<true> : &move<false>;
        i.watch_as(accesses_memory);
        fragment part{};
        part.of = small ? type::b32 : f.of();
        part.by_columns = f.has("col") && !small;
        part.rows = static_cast<std::uint8_t>(small ? 8 : f.has("b") ? k : m);
        part.columns = static_cast<std::uint8_t>(small ? 4 : f.has("a") ? k : n); // small: words, of a's rows or b's columns
        decode_detail::decode_address(d, a.at(store ? 0 : 1), i);
        i.in = f.in;
        all.push_back(d.immediate(static_cast<std::uint64_t>(i.immediate), 8));
        list(a.at(store ? 1 : 0), !store, part.of);
        part.registers = static_cast<std::uint8_t>(all.size() - 1);
        part.elements = static_cast<std::uint8_t>(part.registers * (size_of(part.of) >= 4 ? 1u : 4u / size_of(part.of)));
        decoder::need((part.elements * lanes) % (part.rows * part.columns) == 0, "wmma of this kind is not supported");
        const unsigned plain = part.by_columns ? part.rows : part.columns;
        i.b = a.size() > 2 ? d.source(a[2], type::u32) : d.immediate(plain, 4);
        if (small && a.size() > 2) { // the distance in words
            instruction words = d.make(lanewise::binary<std::uint32_t>([](std::uint32_t x, std::uint32_t bits) { return x * bits / 32; }));
            words.flow = flow::compute;
            words.a = i.b;
            words.b = d.immediate(bits_of(f.of()), 4);
            words.d = d.temporary(4);
            d.emit(words);
            i.b = words.d;
        }
        static_assert(sizeof part <= sizeof i.immediate);
        i.immediate = 0;
        std::memcpy(&i.immediate, &part, sizeof part);
    } else {
        decoder::need(f.types.size() == 2 || f.types.size() == 4, "wmma of this kind is not supported");
        shape sh{};
        sh.m = m & 0x3f;
        sh.n = n & 0x3f;
        sh.k = static_cast<std::uint16_t>(k);
        sh.a = f.types.size() == 4 ? f.types[1] : type::f16;
        sh.b = f.types.size() == 4 ? f.types[2] : type::f16;
        sh.c = f.types.back();
        sh.d = f.types[0];
        sh.saturate = f.has("satfinite");
        sh.by_and = f.has("and");
        if (small) {
            decoder::need(m == 8 && n == 8 && k * bits_of(sh.a) == 128 && sh.d == type::s32, "wmma of this kind is not supported");
            const type types[4] = {sh.d, sh.a, sh.b, sh.c};
            for (unsigned x = 0; x < 4; ++x) list(a.at(x), x == 0, types[x]);
            decoder::need(all.size() == 6, "another number of registers than the shape has");
            i.run = &matrix_detail::multiply<false>;
            i.flow = flow::multiply;
            i.count = 2; // for observers: of d, and all
            i.width = 6;
            std::memcpy(&i.immediate, &sh, sizeof sh);
            i.target = d.beyond(all);
            d.emit(i);
            return true;
        }
        all.resize(4);
        const type types[4] = {sh.d, sh.a, sh.b, sh.c};
        for (unsigned x = 0; x < 4; ++x) {
            const std::size_t before = all.size();
            list(a.at(x), x == 0, types[x]);
            all[x].where = static_cast<std::uint32_t>(all.size() - before);
        }
        std::memcpy(&i.immediate, &sh, sizeof sh);
    }
    i.target = d.beyond(all);
    d.emit(i);
    return true;
}

} // namespace hanabi::host::ptx

#endif
