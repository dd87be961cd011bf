// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Products of small matrices by a warp: PTX manual, "mma", "mma.sp". Sums are made in double (integers exactly) and rounded
/// once: within the tolerance that devices leave.

#ifndef HANABI_HOST_PTX_MATRIX_HPP
#define HANABI_HOST_PTX_MATRIX_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/matrix_move.hpp>
#include <hanabi/host/ptx/small_float.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace hanabi::host::ptx {

namespace matrix_detail {

/// Where element e of a lane's part lies. PTX manual, "Matrix Fragments for mma". `bits` of an element.
inline cell part_a(unsigned bits, unsigned m, unsigned lane, unsigned e) noexcept {
    const unsigned quad = lane / 4, in_quad = lane % 4;
    if (bits == 64) return {m == 8 ? quad : quad + 8 * (e & 1), in_quad + (m == 8 ? 4 * e : 4 * (e >> 1))};
    const unsigned packed = 32 / bits, reg = e / packed, at = e % packed; // each register: consecutive columns
    return {quad + 8 * (m == 8 ? 0 : reg & 1), in_quad * packed + at + 4 * packed * (m == 8 ? reg : reg >> 1)};
}
inline cell part_b(unsigned bits, unsigned lane, unsigned e) noexcept {
    const unsigned quad = lane / 4, in_quad = lane % 4;
    if (bits == 64) return {in_quad + 4 * e, quad};
    const unsigned packed = 32 / bits, reg = e / packed, at = e % packed;
    return {in_quad * packed + at + 4 * packed * reg, quad};
}
inline cell part_c(unsigned m, unsigned lane, unsigned e) noexcept {
    return {lane / 4 + (m == 8 ? 0 : 8 * (e >> 1)), lane % 4 * 2 + (e & 1)};
}

/// What an mma is: shape, types, how. In instruction::immediate; the registers of d, a, b, c are in the side table.
struct shape {
    std::uint16_t k;
    type a, b, c, d;
    std::uint8_t m : 6, saturate : 1, by_and : 1; ///< by_and: of b1, else xor
    std::uint8_t n : 6, in_bytes : 1;             ///< elements of less than 8 bits have a byte each
};
static_assert(sizeof(shape) == 8);
inline shape shape_of(const instruction& in) noexcept {
    shape s;
    std::memcpy(&s, &in.immediate, sizeof s);
    return s;
}
/// Bits from one element to the next in a register.
inline unsigned step_of(type t, bool in_bytes) noexcept {
    if (t == type::tf32) return 32;
    return in_bytes && bits_of(t) < 8 ? 8 : bits_of(t);
}
/// Registers that hold so many elements of a lane.
inline unsigned registers_of(unsigned elements, type t, bool in_bytes = false) noexcept {
    const unsigned bits = step_of(t, in_bytes);
    return bits >= 32 ? elements : elements * bits / 32;
}

/// The number that an element's bits mean.
inline double number_of(std::uint32_t bits, type t) noexcept {
    switch (t) {
    case type::f32: return static_cast<double>(std::bit_cast<float>(bits));
    case type::tf32: return static_cast<double>(std::bit_cast<float>(bits & 0xffffe000u)); // the low bits do not count
    case type::s32: return static_cast<std::int32_t>(bits);
    case type::f16: return static_cast<double>(half_value(static_cast<std::uint16_t>(bits)));
    case type::bf16: return static_cast<double>(bfloat_value(static_cast<std::uint16_t>(bits)));
    case type::e4m3: return e4m3_format::value(bits);
    case type::e5m2: return e5m2_format::value(bits);
    case type::e2m3: return e2m3_format::value(bits & 0x3f);
    case type::e3m2: return e3m2_format::value(bits & 0x3f);
    case type::e2m1: return e2m1_format::value(bits >> 2 & 0xf); // in the middle of its byte
    case type::s8: return static_cast<std::int8_t>(bits);
    case type::s4: return static_cast<std::int32_t>(bits << 28) >> 28;
    default: return bits;
    }
}
inline double element(const context& c, std::size_t first, type t, bool in_bytes, unsigned lane, unsigned e) noexcept {
    const auto& all = c.l->code->extra;
    if (t == type::f64) return c.at<double>(all[first + e])[lane];
    const unsigned bits = step_of(t, in_bytes), packed = 32 / bits;
    const std::uint32_t word = c.at<std::uint32_t>(all[first + e / packed])[lane];
    return number_of(bits == 32 ? word : word >> (bits * (e % packed)) & ((1u << bits) - 1), t);
}
/// Rounds a sum and puts it into its register.
inline void put_sum(const context& c, std::size_t first, const shape& s, unsigned lane, unsigned e, double v) noexcept {
    const auto& all = c.l->code->extra;
    switch (s.d) {
    case type::f64: c.at<double>(all[first + e])[lane] = v; break;
    case type::f32: c.at<float>(all[first + e])[lane] = static_cast<float>(v); break;
    case type::f16: {
        std::uint32_t& to = c.at<std::uint32_t>(all[first + e / 2])[lane];
        const unsigned shift = 16 * (e % 2);
        to = (to & ~(0xffffu << shift)) | static_cast<std::uint32_t>(to_half(v)) << shift;
        break;
    }
    default: {
        auto sum = static_cast<std::int64_t>(v); // exact: below 2^53
        if (s.saturate) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
        c.at<std::int32_t>(all[first + e])[lane] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
        break;
    }
    }
}
/// Where the registers of d, a, b and c begin in the side table. `half`: a has half of its elements.
struct places_of {
    std::size_t d, a, b, c;
    unsigned elements_a, elements_b, elements_c;

    places_of(const instruction& in, const shape& s, bool half = false)
        : elements_a{s.m * s.k / lanes / (half ? 2u : 1u)}, elements_b{s.n * s.k / lanes}, elements_c{s.m * s.n / lanes} {
        d = in.target;
        a = d + registers_of(elements_c, s.d);
        b = a + registers_of(elements_a, s.a, s.in_bytes);
        c = b + registers_of(elements_b, s.b, s.in_bytes);
    }
};

/// The columns of sparse a in which the elements of a row lie, by the metadata: PTX manual, "Sparse matrix storage". Of
/// chunks of 4 (tf32: 2, 4 bits: 8) two are there (1, two pairs); 16 bits of metadata say which for 4 chunks. Of elements of
/// 16 and 32 bits, a lane's word has a row in its lower half, and the row 8 below in its upper one; of smaller ones, all of it
/// is of one row, and the next lane has the other.
inline void spread(const context& c, const instruction& in, const shape& s, const double (&packed)[16][128], double (&a)[16][256],
                   bool (&there)[16][256]) {
    const auto put = [&](unsigned row, unsigned column, double v) {
        a[row][column] = v;
        there[row][column] = true;
    };
    const bool small = bits_of(s.a) < 16;
    const unsigned chunk = s.a == type::tf32 ? 2 : s.a == type::s4 || s.a == type::u4 ? 8 : 4, chunks = s.k / chunk;
    const unsigned in_word = small ? 8 : 4; // chunks
    const unsigned words = chunks / in_word * (small ? 2 : 1), first = in.option * words;
    for (unsigned row = 0; row < 16; ++row)
        for (unsigned x = 0; x < chunks; ++x) {
            const unsigned word = x / in_word;
            const unsigned lane = row % 8 * 4 + first + (small ? 2 * word + row / 8 : word);
            const unsigned shift = 4 * (x % in_word) + (small || row < 8 ? 0 : 16);
            const std::uint32_t which = c.at<std::uint32_t>(in.a)[lane] >> shift & 0xf, low = which & 3, high = which >> 2;
            if (chunk == 2) {
                put(row, 2 * x + (low >> 1), packed[row][x]);
                continue;
            }
            if (low == high)
                throw fault{driver::status::illegal_instruction,
                            detail::say("mma.sp: the metadata has column ", low, " of chunk ", x, " of row ", row, " twice"), lane};
            const unsigned at = 2 * x;
            if (chunk == 4) {
                put(row, 4 * x + low, packed[row][at]);
                put(row, 4 * x + high, packed[row][at + 1]);
            } else
                for (unsigned k = 0; k < 2; ++k) {
                    put(row, 8 * x + 2 * low + k, packed[row][2 * at + k]);
                    put(row, 8 * x + 2 * high + k, packed[row][2 * at + 2 + k]);
                }
        }
}

template <bool Sparse>
void multiply(context& c, const instruction& in, std::uint32_t mask) {
    if (mask != ~0u) throw fault{driver::status::illegal_instruction, "mma needs all 32 lanes of the warp", first_lane(mask)};
    const shape s = shape_of(in);
    const unsigned m = s.m, n = s.n, k = s.k;
    const places_of at{in, s, Sparse};
    double a[16][256], b[256][8], d[16][8];
    bool there[16][256];
    if constexpr (Sparse) {
        double packed[16][128];
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned e = 0; e < at.elements_a; ++e) {
                const cell x = part_a(step_of(s.a, s.in_bytes), m, lane, e);
                packed[x.row][x.column] = element(c, at.a, s.a, s.in_bytes, lane, e);
            }
        for (auto& row : there) std::fill(row, row + k, false);
        spread(c, in, s, packed, a, there);
    } else
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned e = 0; e < at.elements_a; ++e) {
                const cell x = part_a(step_of(s.a, s.in_bytes), m, lane, e);
                a[x.row][x.column] = element(c, at.a, s.a, s.in_bytes, lane, e);
            }
    for (unsigned lane = 0; lane < lanes; ++lane) {
        for (unsigned e = 0; e < at.elements_b; ++e) {
            const cell x = part_b(step_of(s.b, s.in_bytes), lane, e);
            b[x.row][x.column] = element(c, at.b, s.b, s.in_bytes, lane, e);
        }
        for (unsigned e = 0; e < at.elements_c; ++e) {
            const cell x = part_c(m, lane, e);
            d[x.row][x.column] = element(c, at.c, s.c, false, lane, e);
        }
    }
    const bool differ = s.a == type::b1 && !s.by_and; // counts the bits that differ
    for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < n; ++j)
            for (unsigned q = 0; q < k; ++q) {
                if (Sparse && !there[i][q]) continue; // not a zero: that times infinity would be a NaN
                d[i][j] += differ ? std::fabs(a[i][q] - b[q][j]) : a[i][q] * b[q][j];
            }
    for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned e = 0; e < at.elements_c; ++e) {
            const cell x = part_c(m, lane, e);
            put_sum(c, at.d, s, lane, e, d[x.row][x.column]);
        }
}

/// mma.m8n8k4 of f16: four products, each by 8 lanes: four from 4i on, and those 16 above. option: 1 a by columns, 2 b by
/// rows.
inline void multiply_quads(context& c, const instruction& in, std::uint32_t mask) {
    if (mask != ~0u) throw fault{driver::status::illegal_instruction, "mma needs all 32 lanes of the warp", first_lane(mask)};
    const shape s = shape_of(in);
    const std::size_t at_a = in.target + (s.d == type::f16 ? 4u : 8u), at_b = at_a + 2, at_c = at_b + 2;
    const auto sum_cell = [](type t, unsigned lane, unsigned e) -> cell {
        const unsigned upper = lane < 16 ? 0 : 4;
        if (t == type::f16) return {lane % 4 + upper, e};
        return {(lane & 1) + (e & 2) + upper, (e & 4) + (lane & 2) + (e & 1)};
    };
    for (unsigned quad = 0; quad < 4; ++quad) {
        double a[8][4], b[4][8], d[8][8];
        const auto each = [&](auto f) {
            for (unsigned x = 0; x < 8; ++x) f(4 * quad + x % 4 + (x < 4 ? 0 : 16));
        };
        each([&](unsigned lane) {
            const unsigned upper = lane < 16 ? 0 : 4;
            for (unsigned e = 0; e < 4; ++e) {
                const cell in_a = (in.option & 1) != 0 ? cell{e + upper, lane % 4} : cell{lane % 4 + upper, e};
                const cell in_b = (in.option & 2) != 0 ? cell{lane % 4, e + upper} : cell{e, lane % 4 + upper};
                a[in_a.row][in_a.column] = element(c, at_a, type::f16, false, lane, e);
                b[in_b.row][in_b.column] = element(c, at_b, type::f16, false, lane, e);
            }
            for (unsigned e = 0; e < 8; ++e) {
                const cell x = sum_cell(s.c, lane, e);
                d[x.row][x.column] = element(c, at_c, s.c, false, lane, e);
            }
        });
        for (unsigned i = 0; i < 8; ++i)
            for (unsigned j = 0; j < 8; ++j)
                for (unsigned q = 0; q < 4; ++q) d[i][j] += a[i][q] * b[q][j];
        each([&](unsigned lane) {
            for (unsigned e = 0; e < 8; ++e) {
                const cell x = sum_cell(s.d, lane, e);
                put_sum(c, in.target, s, lane, e, d[x.row][x.column]);
            }
        });
    }
}

} // namespace matrix_detail

/// Decodes mma and mma.sp; false for others.
inline bool decode_matrix(decoder& d, const form& f, const statement& s) {
    using namespace matrix_detail;
    const auto& a = s.arguments;
    if (f.op != "mma") return false;
    decoder::need(!f.has("block_scale"), "block scaling is not supported");
    decoder::need(f.types.size() == 4, "mma takes four types");
    const bool sparse = f.has("sp") || f.has("sp::ordered_metadata");
    shape sh{};
    for (const std::string_view w : f.words) {
        unsigned m = 0, n = 0, k = 0;
        if (w.size() >= 6 && w[0] == 'm' && std::sscanf(std::string{w}.c_str(), "m%un%uk%u", &m, &n, &k) == 3 && m <= 32 && n <= 32 &&
            k <= 256) {
            sh.m = m & 0x3f;
            sh.n = n & 0x3f;
            sh.k = static_cast<std::uint16_t>(k);
        }
    }
    sh.d = f.types[0];
    sh.a = f.types[1];
    sh.b = f.types[2];
    sh.c = f.types[3];
    sh.saturate = f.has("satfinite");
    sh.by_and = f.has("and");
    sh.in_bytes = f.has("kind::f8f6f4");
    const unsigned bits = step_of(sh.a, sh.in_bytes), row_bits = bits * sh.k;
    const bool quads = sh.m == 8 && sh.k == 4 && sh.a == type::f16;
    const bool fits = quads               ? sh.n == 8 && !sparse
                      : sparse            ? sh.m == 16 && bits <= 32 && (row_bits == 256 || row_bits == 512) && sh.a != type::b1
                      : sh.a == type::f64 ? sh.m == 8 ? sh.k == 4 : sh.m == 16 && (sh.k == 4 || sh.k == 8 || sh.k == 16)
                      : sh.m == 16 ? row_bits == 128 || row_bits == 256
                                          : sh.m == 8 && row_bits == 128 && sh.d == type::s32;
    decoder::need(fits && sh.n == 8 && step_of(sh.b, sh.in_bytes) == bits && (quads || (f.has("row") && f.has("col"))),
                  "mma of this shape and these types");
    instruction i = d.make(quads ? &multiply_quads : sparse ? &multiply<true> : &multiply<false>, step::converge);
    i.e = d.immediate(~0u, 4);
    std::vector<operand> all;
    const auto right = [&](std::size_t k, bool written, type t, unsigned elements, bool in_bytes) {
        return list_registers(d, s, a.at(k), all, written, size_of(t)) == registers_of(elements, t, in_bytes);
    };
    const unsigned sums = quads ? 8 : sh.m * sh.n / lanes;
    const unsigned elements_a = quads ? 4 : sh.m * sh.k / lanes / (sparse ? 2u : 1u), elements_b = quads ? 4 : sh.n * sh.k / lanes;
    decoder::need(right(0, true, sh.d, sums, false) && right(1, false, sh.a, elements_a, sh.in_bytes) &&
                      right(2, false, sh.b, elements_b, sh.in_bytes) && right(3, false, sh.c, sums, false),
                  "another number of registers than the shape has");
    if (quads) { // of two layouts, the first is that of a
        bool first = true;
        for (const std::string_view w : f.words) {
            if (w != "row" && w != "col") continue;
            if (w == (first ? "col" : "row")) i.option = static_cast<std::uint8_t>(i.option | (first ? 1 : 2));
            first = false;
        }
    }
    if (sparse) {
        i.a = d.source(a.at(4), type::b32);
        decoder::need(a.at(5).kind == argument_kind::integer, "mma.sp takes a number that says which threads have the metadata");
        i.option = static_cast<std::uint8_t>(a[5].bits & 3);
        const unsigned words = row_bits / 256 * (bits < 16 ? 2 : 1);
        decoder::need((i.option + 1) * words <= 4, "mma.sp has no metadata in these threads");
    }
    static_assert(sizeof(shape) <= sizeof i.immediate);
    std::memcpy(&i.immediate, &sh, sizeof sh);
    i.count = static_cast<std::uint8_t>(registers_of(sums, sh.d)); // for observers: of d, and all
    i.width = static_cast<std::uint8_t>(all.size());
    i.target = d.beyond(all);
    d.emit(i);
    return true;
}

} // namespace hanabi::host::ptx

#endif
