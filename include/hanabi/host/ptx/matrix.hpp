// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Products of small matrices by a warp, and how their parts get into registers: PTX manual, "mma", "ldmatrix", "stmatrix",
/// "wmma". Sums are made in double (integers exactly) and rounded once: within the tolerance that devices leave.

#ifndef HANABI_HOST_PTX_MATRIX_HPP
#define HANABI_HOST_PTX_MATRIX_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/small_float.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace hanabi::host::ptx {

namespace matrix_detail {

/// Where element e of a lane's part lies: row and column. PTX manual, "Matrix Fragments for mma". `bits` of an element.
struct cell {
    unsigned row, column;
};
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

/// What an mma is, in the side table behind instruction::target: shape, types, and the registers of d, a, b, c.
struct shape {
    std::uint8_t m, n, k;
    type a, b, c, d;
    bool saturate;
};
inline unsigned bits_of(type t) noexcept { return 8 * size_of(t); }

inline double element(const context& c, const std::vector<operand>& all, std::size_t first, type t, unsigned lane, unsigned e) noexcept {
    switch (t) {
    case type::f64: return c.at<double>(all[first + e])[lane];
    case type::f32: return static_cast<double>(c.at<float>(all[first + e])[lane]);
    case type::tf32:
        return static_cast<double>(
            std::bit_cast<float>(c.at<std::uint32_t>(all[first + e])[lane] & 0xffffe000u)); // the low bits do not count
    case type::s32: return c.at<std::int32_t>(all[first + e])[lane];
    case type::f16:
    case type::bf16: {
        const auto h = static_cast<std::uint16_t>(c.at<std::uint32_t>(all[first + e / 2])[lane] >> (16 * (e % 2)));
        return static_cast<double>(t == type::f16 ? half_value(h) : bfloat_value(h));
    }
    default: {
        const std::uint32_t byte = c.at<std::uint32_t>(all[first + e / 4])[lane] >> (8 * (e % 4)) & 0xff;
        if (t == type::e4m3) return e4m3_format::value(byte);
        if (t == type::e5m2) return e5m2_format::value(byte);
        return t == type::s8 ? static_cast<std::int8_t>(byte) : static_cast<int>(byte);
    }
    }
}

inline void multiply(context& c, const instruction& in, std::uint32_t mask) {
    if (mask != ~0u) throw fault{driver::status::illegal_instruction, "mma needs all 32 lanes of the warp", first_lane(mask)};
    const auto& all = c.l->code->extra;
    shape s;
    std::memcpy(&s, &in.immediate, sizeof s);
    const unsigned m = s.m, n = s.n, k = s.k;
    const unsigned count_a = m * k / lanes, count_b = n * k / lanes, count_c = m * n / lanes;
    const auto registers = [](unsigned count, type t) { return size_of(t) >= 4 ? count : count * size_of(t) / 4; };
    const std::size_t at_d = in.target, at_a = at_d + registers(count_c, s.d), at_b = at_a + registers(count_a, s.a),
                      at_c = at_b + registers(count_b, s.b);
    double a[16][64], b[64][8], d[16][8];
    for (unsigned lane = 0; lane < lanes; ++lane) {
        for (unsigned e = 0; e < count_a; ++e) {
            const cell x = part_a(bits_of(s.a == type::tf32 ? type::b32 : s.a), m, lane, e);
            a[x.row][x.column] = element(c, all, at_a, s.a, lane, e);
        }
        for (unsigned e = 0; e < count_b; ++e) {
            const cell x = part_b(bits_of(s.b == type::tf32 ? type::b32 : s.b), lane, e);
            b[x.row][x.column] = element(c, all, at_b, s.b, lane, e);
        }
        for (unsigned e = 0; e < count_c; ++e) {
            const cell x = part_c(m, lane, e);
            d[x.row][x.column] = element(c, all, at_c, s.c, lane, e);
        }
    }
    for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < n; ++j)
            for (unsigned q = 0; q < k; ++q) d[i][j] += a[i][q] * b[q][j];
    for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned e = 0; e < count_c; ++e) {
            const cell x = part_c(m, lane, e);
            const double v = d[x.row][x.column];
            switch (s.d) {
            case type::f64: c.at<double>(all[at_d + e])[lane] = v; break;
            case type::f32: c.at<float>(all[at_d + e])[lane] = static_cast<float>(v); break;
            case type::f16: {
                std::uint32_t& to = c.at<std::uint32_t>(all[at_d + e / 2])[lane];
                const unsigned shift = 16 * (e % 2);
                to = (to & ~(0xffffu << shift)) | static_cast<std::uint32_t>(to_half(v)) << shift;
                break;
            }
            default: {
                auto sum = static_cast<std::int64_t>(v); // exact: below 2^53
                if (s.saturate) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
                c.at<std::int32_t>(all[at_d + e])[lane] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
                break;
            }
            }
        }
}

/// ldmatrix and stmatrix of 8 by 8 matrices of 16-bit elements: lanes 8i to 8i + 7 give the rows of matrix i. option + 8:
/// transposed.
template <bool Store>
void move_matrix(context& c, const instruction& in, std::uint32_t mask) {
    if (mask != ~0u)
        throw fault{driver::status::illegal_instruction, "ldmatrix and stmatrix need all 32 lanes of the warp", first_lane(mask)};
    const bool transposed = (in.option & 8) != 0;
    for (unsigned x = 0; x < in.count; ++x) {
        std::byte* rows[8];
        for (unsigned r = 0; r < 8; ++r) {
            const unsigned lane = 8 * x + r;
            const std::uint64_t at =
                wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, lane) + static_cast<std::uint64_t>(in.immediate);
            rows[r] = resolve_one(c, in.in, at, 16, Store ? access::store : access::load, lane);
        }
        std::uint32_t* const data = c.at<std::uint32_t>(c.l->code->extra[in.target + x]);
        for (unsigned lane = 0; lane < lanes; ++lane) {
            std::uint16_t pair[2] = {static_cast<std::uint16_t>(data[lane]), static_cast<std::uint16_t>(data[lane] >> 16)};
            for (unsigned e = 0; e < 2; ++e) {
                const unsigned row = transposed ? lane % 4 * 2 + e : lane / 4, column = transposed ? lane / 4 : lane % 4 * 2 + e;
                if (Store)
                    std::memcpy(rows[row] + 2 * column, &pair[e], 2);
                else
                    std::memcpy(&pair[e], rows[row] + 2 * column, 2);
            }
            if (!Store) data[lane] = pair[0] | static_cast<std::uint32_t>(pair[1]) << 16;
        }
    }
}

} // namespace matrix_detail

/// Decodes mma, ldmatrix, stmatrix and movmatrix; false for others.
inline bool decode_matrix(decoder& d, const form& f, const statement& s) {
    using namespace matrix_detail;
    const auto& a = s.arguments;
    const auto list = [&](const argument& of, std::vector<operand>& to, bool written, unsigned bytes) {
        const type t = bytes == 8 ? type::b64 : type::b32;
        if (of.kind != argument_kind::vector) {
            to.push_back(written ? d.destination(of) : d.source(of, t));
            return 1u;
        }
        for (unsigned k = 0; k < of.count; ++k)
            to.push_back(written ? d.destination(s.elements[of.first + k]) : d.source(s.elements[of.first + k], t));
        return of.count;
    };
    if (f.op == "ldmatrix" || f.op == "stmatrix") {
        const bool store = f.op == "stmatrix";
        decoder::need(f.has("m8n8") && f.of() == type::b16, "ldmatrix and stmatrix of other than 8 by 8 elements of 16 bits");
        instruction i = d.make(store ? &move_matrix<true> : &move_matrix<false>, step::converge);
        i.in = f.has_space ? space::shared : space::generic;
        std::vector<operand> all;
        i.count = static_cast<std::uint8_t>(list(a.at(store ? 1 : 0), all, !store, 4));
        decoder::need(i.count == (f.has("x4") ? 4 : f.has("x2") ? 2 : 1), "another number of registers than there are matrices");
        decode_detail::decode_address(d, a.at(store ? 0 : 1), i);
        if (f.has("trans")) i.option = static_cast<std::uint8_t>(i.option | 8);
        i.e = d.immediate(~0u, 4);
        i.target = static_cast<std::uint32_t>(d.p.extra.size());
        d.p.extra.insert(d.p.extra.end(), all.begin(), all.end());
        d.emit(i);
        return true;
    }
    if (f.op != "mma") return false;
    decoder::need(!f.has("sp") && !f.has("sp::ordered_metadata") && !f.has("block_scale") && f.types.size() == 4,
                  "mma of this kind is not supported");
    shape sh{};
    for (const std::string_view w : f.words) {
        unsigned m = 0, n = 0, k = 0;
        if (w.size() >= 6 && w[0] == 'm' && std::sscanf(std::string{w}.c_str(), "m%un%uk%u", &m, &n, &k) == 3)
            sh = {static_cast<std::uint8_t>(m), static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(k), {}, {}, {}, {}, false};
    }
    sh.d = f.types[0];
    sh.a = f.types[1];
    sh.b = f.types[2];
    sh.c = f.types[3];
    sh.saturate = f.has("satfinite");
    const unsigned bytes_a = size_of(sh.a), bytes_b = size_of(sh.b);
    const bool known = (sh.m == 16 || (sh.m == 8 && (sh.k == 16 || (sh.k == 4 && sh.a == type::f64)))) && sh.n == 8 && sh.k != 0 &&
                       sh.k <= 64 && bytes_a == bytes_b && f.has("row") && f.has("col");
    decoder::need(known, "mma of this shape is not supported");
    instruction i = d.make(&multiply, step::converge);
    i.e = d.immediate(~0u, 4);
    std::vector<operand> all;
    const auto registers = [](unsigned count, type t) { return size_of(t) >= 4 ? count : count * size_of(t) / 4; };
    const bool right = list(a.at(0), all, true, size_of(sh.d)) == registers(sh.m * sh.n / lanes, sh.d) &&
                       list(a.at(1), all, false, bytes_a) == registers(sh.m * sh.k / lanes, sh.a) &&
                       list(a.at(2), all, false, bytes_b) == registers(sh.n * sh.k / lanes, sh.b) &&
                       list(a.at(3), all, false, size_of(sh.c)) == registers(sh.m * sh.n / lanes, sh.c);
    decoder::need(right, "another number of registers than the shape has");
    static_assert(sizeof(shape) <= sizeof i.immediate);
    std::memcpy(&i.immediate, &sh, sizeof sh);
    i.target = static_cast<std::uint32_t>(d.p.extra.size());
    d.p.extra.insert(d.p.extra.end(), all.begin(), all.end());
    d.emit(i);
    return true;
}

} // namespace hanabi::host::ptx

#endif
