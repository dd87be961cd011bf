// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How matrices get into registers and out of them: PTX manual, "ldmatrix", "stmatrix", "movmatrix".

#ifndef HANABI_HOST_PTX_MATRIX_MOVE_HPP
#define HANABI_HOST_PTX_MATRIX_MOVE_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/decoder.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hanabi::host::ptx {

namespace matrix_detail {

/// A place in a matrix.
struct cell {
    unsigned row, column;
};

/// Where the bytes of a matrix lie: instruction::width of ldmatrix and stmatrix.
enum class storage : std::uint8_t { halves, bytes, bytes_transposed, six_bits, six_bits_transposed, four_bits, four_bits_transposed };

/// Byte e of a lane's register of a matrix of bytes: a row of 16 in memory, and which byte of it. Two registers make a
/// transposed one.
inline cell byte_of(storage how, bool store, unsigned x, unsigned lane, unsigned e) noexcept {
    const bool transposed = how == storage::bytes_transposed || how == storage::six_bits_transposed || how == storage::four_bits_transposed;
    if (!transposed) return {8 * x + lane / 4, lane % 4 * 4 + e};
    if (store) return {8 * x + lane % 4 * 2 + (e & 1), lane / 4 + 8 * (e >> 1)}; // as mma has its sums
    return {16 * (x / 2) + lane % 4 * 4 + e, lane / 4 + 8 * (x % 2)};
}

/// ldmatrix and stmatrix: lanes 8i to 8i + 7 give the rows, of 16 bytes, of matrix i. Of 8 by 8 elements of 16 bits, or of
/// bytes (`width`). option + 8: transposed.
template <bool Store>
void move_matrix(context& c, const instruction& in, std::uint32_t mask) {
    if (mask != ~0u)
        throw fault{driver::status::illegal_instruction, "ldmatrix and stmatrix need all 32 lanes of the warp", first_lane(mask)};
    const bool transposed = (in.option & 8) != 0;
    const auto how = static_cast<storage>(in.width);
    std::byte* rows[lanes];
    for (unsigned lane = 0; lane < 8u * in.count; ++lane) {
        const std::uint64_t at =
            wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, lane) + static_cast<std::uint64_t>(in.immediate);
        rows[lane] = resolve_one(c, in.in, at, 16, Store ? access::store : access::load, lane);
    }
    for (unsigned x = 0; x < in.count; ++x) {
        std::uint32_t* const data = c.at<std::uint32_t>(c.l->code->extra[in.target + x]);
        for (unsigned lane = 0; lane < lanes; ++lane) {
            if (how != storage::halves) {
                std::uint32_t word = 0;
                for (unsigned e = 0; e < 4; ++e) {
                    const cell at = byte_of(how, Store, x, lane, e);
                    if (Store) {
                        rows[at.row][at.column] = static_cast<std::byte>(data[lane] >> (8 * e));
                        continue;
                    }
                    const unsigned bits = how <= storage::bytes_transposed ? 8 : how <= storage::six_bits_transposed ? 6 : 4;
                    const unsigned first = bits * at.column; // of those of 6 bits, an element may be in two bytes
                    std::uint32_t pair = std::to_integer<std::uint32_t>(rows[at.row][first / 8]);
                    if (first / 8 < 15) pair |= std::to_integer<std::uint32_t>(rows[at.row][first / 8 + 1]) << 8;
                    word |= (pair >> (first % 8) & ((1u << bits) - 1)) << (8 * e);
                }
                if (!Store) data[lane] = word;
                continue;
            }
            std::uint16_t pair[2] = {static_cast<std::uint16_t>(data[lane]), static_cast<std::uint16_t>(data[lane] >> 16)};
            for (unsigned e = 0; e < 2; ++e) {
                const unsigned row = transposed ? lane % 4 * 2 + e : lane / 4, column = transposed ? lane / 4 : lane % 4 * 2 + e;
                if (Store)
                    std::memcpy(rows[8 * x + row] + 2 * column, &pair[e], 2);
                else
                    std::memcpy(&pair[e], rows[8 * x + row] + 2 * column, 2);
            }
            if (!Store) data[lane] = pair[0] | static_cast<std::uint32_t>(pair[1]) << 16;
        }
    }
}

/// movmatrix: an 8 by 8 matrix of 16-bit elements, a pair of a row in each lane, transposed.
inline void transpose(context& c, const instruction& in, std::uint32_t mask) {
    if (mask != ~0u) throw fault{driver::status::illegal_instruction, "movmatrix needs all 32 lanes of the warp", first_lane(mask)};
    const std::uint32_t* const a = c.at<std::uint32_t>(in.a);
    std::uint16_t moved[8][8];
    for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned e = 0; e < 2; ++e) moved[lane % 4 * 2 + e][lane / 4] = static_cast<std::uint16_t>(a[lane] >> (16 * e));
    std::uint32_t* const d = c.at<std::uint32_t>(in.d);
    for (unsigned lane = 0; lane < lanes; ++lane)
        d[lane] = moved[lane / 4][lane % 4 * 2] | static_cast<std::uint32_t>(moved[lane / 4][lane % 4 * 2 + 1]) << 16;
}

/// The registers of an operand, at the end of a list; how many.
inline unsigned list_registers(decoder& d, const statement& s, const argument& of, std::vector<operand>& to, bool written, unsigned bytes) {
    const type t = bytes == 8 ? type::b64 : type::b32;
    if (of.kind != argument_kind::vector) {
        to.push_back(written ? d.destination(of) : d.source(of, t));
        return 1;
    }
    for (unsigned k = 0; k < of.count; ++k)
        to.push_back(written ? d.destination(s.elements[of.first + k]) : d.source(s.elements[of.first + k], t));
    return of.count;
}

} // namespace matrix_detail

/// Decodes ldmatrix, stmatrix and movmatrix; false for others.
inline bool decode_matrix_move(decoder& d, const form& f, const statement& s) {
    using namespace matrix_detail;
    const auto& a = s.arguments;
    if (f.op == "ldmatrix" || f.op == "stmatrix") {
        const bool store = f.op == "stmatrix";
        const bool large = f.has("m16n16"), wide = f.has("m8n16"), bytes = f.of() == type::b8;
        const bool six = f.has("b6x16_p32"), four = f.has("b4x16_p64");
        storage how = storage::halves;
        if (large || wide || f.has("m16n8")) {
            decoder::need(store ? f.has("m16n8") && bytes && f.has("trans")
                                : (six || four || (bytes && large)) && large == f.has("trans") && !f.has("m16n8"),
                          "ldmatrix or stmatrix of this shape and type");
            how = six    ? (large ? storage::six_bits_transposed : storage::six_bits)
                  : four ? (large ? storage::four_bits_transposed : storage::four_bits)
                         : storage::bytes_transposed;
        } else
            decoder::need(f.has("m8n8") && f.of() == type::b16, "ldmatrix or stmatrix of this shape and type");
        instruction i = d.make(store ? &move_matrix<true> : &move_matrix<false>, step::converge);
        i.watch_as(accesses_memory);
        i.in = f.has_space ? space::shared : space::generic;
        std::vector<operand> all;
        i.count = static_cast<std::uint8_t>(list_registers(d, s, a.at(store ? 1 : 0), all, !store, 4));
        const unsigned matrices = f.has("x4") ? 4 : f.has("x2") ? 2 : 1;
        decoder::need(i.count == matrices * (large ? 2 : 1) && i.count <= 4, "another number of registers than the matrices take");
        i.width = static_cast<std::uint8_t>(how);
        decode_detail::decode_address(d, a.at(store ? 0 : 1), i);
        if (f.has("trans")) i.option = static_cast<std::uint8_t>(i.option | 8);
        i.e = d.immediate(~0u, 4);
        i.target = d.beyond(all);
        d.emit(i);
        return true;
    }
    if (f.op == "movmatrix") {
        decoder::need(f.has("m8n8") && f.has("trans") && f.of() == type::b16, "movmatrix of another kind than .m8n8.trans.b16");
        instruction i = d.make(&transpose, step::converge);
        i.d = d.destination(a.at(0));
        i.a = d.source(a.at(1), type::b32);
        i.e = d.immediate(~0u, 4);
        d.emit(i);
        return true;
    }
    return false;
}

} // namespace hanabi::host::ptx

#endif
