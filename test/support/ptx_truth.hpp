// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Single instructions and inputs for them, made in the same way each time; and what runs them by any driver. A GPU's answers
/// are the truth that the PTX executor is compared with.

#ifndef HANABI_TEST_SUPPORT_PTX_TRUTH_HPP
#define HANABI_TEST_SUPPORT_PTX_TRUTH_HPP

#include <hanabi/driver/table.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace truth {

/// An instruction under test. %d, %a, %b, %c in the text are its operands.
struct experiment {
    std::string text;
    char result;        ///< kind of number: see values_of
    std::string inputs; ///< one letter each
    int ulps = 0;       ///< how far a float may be off: approximate instructions
};

/// h f16, x two f16, f f32, d f64, s 16, i 32, l 64 bits, n a shift or count, m a small number, p predicate.
inline unsigned bits_of(char kind) {
    return std::strchr("hs", kind) != nullptr ? 16 : std::strchr("dl", kind) != nullptr ? 64 : kind == 'p' ? 1 : 32;
}

inline std::uint64_t random_of(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) << 32 ^ (state * 0x9e3779b97f4a7c15u >> 31);
}

/// Edge values first, then random ones.
inline std::uint64_t value_of(char kind, unsigned index, std::uint64_t& state) {
    static const std::uint64_t halves[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001,
                                           0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3555, 0x3800, 0x4248};
    static const std::uint64_t singles[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                            0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f7fffff, 0x3f800001, 0x4f000000,
                                            0xcf000000, 0x4f800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x4b7fffff, 0x5f000000, 0x40490fdb};
    static const std::uint64_t doubles[] = {0,
                                            0x8000000000000000,
                                            0x3ff0000000000000,
                                            0xbff0000000000000,
                                            0x7ff0000000000000,
                                            0xfff0000000000000,
                                            0x7ff8000000000000,
                                            1,
                                            0x800fffffffffffff,
                                            0x0010000000000000,
                                            0x7fefffffffffffff,
                                            0x3fefffffffffffff,
                                            0x3fe0000000000000,
                                            0x41e0000000000000,
                                            0xc1e0000000000000,
                                            0x43e0000000000000,
                                            0x3ff8000000000000,
                                            0x47efffffefffffff,
                                            0x36a0000000000000,
                                            0x400921fb54442d18};
    static const std::uint64_t integers[] = {0,
                                             1,
                                             ~std::uint64_t{0},
                                             2,
                                             0x7f,
                                             0x80,
                                             0xff,
                                             0x7fff,
                                             0x8000,
                                             0xffff,
                                             0x7fffffff,
                                             0x80000000,
                                             0xffffffff,
                                             0x100000000,
                                             0x7fffffffffffffff,
                                             0x8000000000000000,
                                             0x8000000080000000,
                                             0x55555555aaaaaaaa};
    static const std::uint64_t counts[] = {0, 1, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0xffffffff};
    const std::uint64_t r = random_of(state);
    const auto pick = [&](const auto& table, std::uint64_t other) {
        return index % 3 != 2 ? table[(index * 7 + r % 5 + r % 11) % (sizeof table / sizeof table[0])] : other;
    };
    switch (kind) {
    case 'h': return pick(halves, r & 0xffff);
    case 'x': return pick(halves, r & 0xffff) | (halves[r % 16] << 16);
    case 'f': return pick(singles, (r & 0x807fffff) | ((r >> 40) % 60 + 97) << 23);
    case 'd': return pick(doubles, (r & 0x800fffffffffffff) | ((r >> 20) % 120 + 963) << 52);
    case 'n': return pick(counts, r % 70);
    case 'm': return r % 33;
    case 'p': return r >> 17 & 1;
    case 's': return pick(integers, r) & 0xffff;
    case 'i': return pick(integers, r) & 0xffffffff;
    default: return pick(integers, r);
    }
}

inline constexpr unsigned tries = 66; ///< inputs of an experiment

/// What came later: behind the others, whose inputs depend on their numbers.
inline void more_experiments(std::vector<experiment>& all) {
    const auto add = [&](std::string text, char result, std::string inputs, int ulps = 0) {
        for (const experiment& e : all)
            if (e.text == text) return; // one of those before, with inputs of its own
        all.push_back({std::move(text), result, std::move(inputs), ulps});
    };
    // Video instructions, on parts and on one value.
    for (const char* n : {"2", "4"}) {
        const bool two = n[0] == '2';
        for (const char* op : {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"})
            for (const char* types : {".u32.u32.u32", ".s32.s32.s32", ".u32.s32.s32", ".s32.u32.s32"}) {
                const std::string name = op + std::string{n} + types;
                add(name + " %d, %a, %b, %c;", 'i', "iii");
                add(name + ".sat %d, %a, %b, %c;", 'i', "iii");
                add(name + ".add %d, %a, %b, %c;", 'i', "iii");
                add(name + (two ? ".sat %d.h1, %a.h20, %b.h13, %c;" : ".sat %d.b310, %a.b7012, %b.b3456, %c;"), 'i', "iii");
            }
        for (const char* compare : {"eq", "ne", "lt", "le", "gt", "ge"})
            for (const char* types : {".u32.u32.", ".s32.s32.", ".u32.s32."}) {
                add("vset" + std::string{n} + types + compare + " %d, %a, %b, %c;", 'i', "iii");
                add("vset" + std::string{n} + types + compare + ".add %d, %a, %b, %c;", 'i', "iii");
            }
    }
    for (const char* op : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"})
        for (const char* types : {".u32.u32.u32", ".s32.s32.s32", ".s32.u32.s32", ".u32.s32.u32"}) {
            const std::string name = op + std::string{types};
            add(name + " %d, %a, %b.h1;", 'i', "ii");
            add(name + ".sat %d, %a.b2, %b;", 'i', "ii");
            add(name + ".sat %d.b1, %a, %b, %c;", 'i', "iii");
            for (const char* second : {".add", ".min", ".max"}) add(name + second + " %d, %a.h0, %b.b3, %c;", 'i', "iii");
        }
    for (const char* op : {"vshl", "vshr"})
        for (const char* types : {".u32.u32.u32", ".s32.s32.u32", ".s32.u32.u32"})
            for (const char* mode : {".clamp", ".wrap"}) {
                add(op + std::string{types} + mode + " %d, %a, %b;", 'i', "in");
                add(op + std::string{types} + ".sat" + mode + ".add %d, %a.h1, %b, %c;", 'i', "ini");
            }
    for (const char* types : {".u32.u32.u32", ".s32.s32.s32", ".s32.u32.s32", ".s32.s32.u32"})
        for (const char* scale : {"", ".sat", ".shr7", ".sat.shr15"}) {
            add("vmad" + std::string{types} + scale + " %d, %a, %b.h0, %c;", 'i', "iii");
            add("vmad" + std::string{types} + ".po" + scale + " %d, %a.b1, %b, %c;", 'i', "iii");
        }
    add("vmad.s32.s32.s32 %d, -%a, %b.h1, %c;", 'i', "iii");
    add("vmad.s32.s32.s32.sat %d, %a, %b.h1, -%c;", 'i', "iii");
    for (const char* compare : {"eq", "lt", "ge"}) {
        add(std::string{"vset.u32.s32."} + compare + " %d, %a.b1, %b;", 'i', "ii");
        add(std::string{"vset.s32.s32."} + compare + ".add %d, %a, %b.h1, %c;", 'i', "iii");
    }
    // Packs of integers.
    for (const char* t : {"s2", "u2", "s4", "u4", "s8", "u8"})
        add(std::string{"cvt.pack.sat."} + t + ".s32.b32 %d, %a, %b, %c;", 'i', "iii");
    add("cvt.pack.sat.u16.s32 %d, %a, %b;", 'i', "ii");
    // Conversions of small floats.
    for (const char* t : {"e4m3x2", "e5m2x2"}) {
        add(std::string{"cvt.rn.satfinite.relu."} + t + ".f32 %d, %a, %b;", 's', "ff");
        add(std::string{"cvt.rn.satfinite."} + t + ".f16x2 %d, %a;", 's', "x");
        add(std::string{"cvt.rn.satfinite.relu."} + t + ".f16x2 %d, %a;", 's', "x");
        add(std::string{"cvt.rn.relu.f16x2."} + t + " %d, %a;", 'i', "s");
    }
    for (const char* r : {".rn", ".rz"}) {
        add(std::string{"cvt"} + r + ".bf16x2.f32 %d, %a, %b;", 'i', "ff");
        add(std::string{"cvt"} + r + ".relu.bf16x2.f32 %d, %a, %b;", 'i', "ff");
        add(std::string{"cvt"} + r + ".relu.f16x2.f32 %d, %a, %b;", 'i', "ff");
        add(std::string{"cvt"} + r + ".relu.bf16.f32 %d, %a;", 's', "f");
        add(std::string{"cvt"} + r + ".bf16.f16 %d, %a;", 's', "h");
        add(std::string{"cvt"} + r + ".f16.bf16 %d, %a;", 'h', "s");
        add(std::string{"cvt"} + r + ".bf16.f64 %d, %a;", 's', "d");
        for (const char* i : {"s", "u"}) {
            add(std::string{"cvt"} + r + ".bf16." + i + "32 %d, %a;", 's', "i");
            add(std::string{"cvt"} + r + ".bf16." + i + "64 %d, %a;", 's', "l");
            add(std::string{"cvt"} + r + ".f16." + i + "64 %d, %a;", 'h', "l");
            add(std::string{"cvt"} + r + "i." + i + "32.bf16 %d, %a;", 'i', "s");
            add(std::string{"cvt"} + r + "i." + i + "64.f16 %d, %a;", 'l', "h");
        }
        add(std::string{"cvt"} + r + "i.f16.f16 %d, %a;", 'h', "h");
        add(std::string{"cvt"} + r + "i.bf16.bf16 %d, %a;", 's', "s");
    }
    add("cvt.f32.bf16 %d, %a;", 'f', "s");
    add("cvt.f64.bf16 %d, %a;", 'd', "s");
    add("cvt.sat.f16.f16 %d, %a;", 'h', "h");
    add("cvt.ftz.f32.f16 %d, %a;", 'f', "h");
    add("cvt.rni.s8.f32 %d, %a;", 's', "f");
    add("cvt.rzi.u8.f64 %d, %a;", 's', "d");
    // Integers.
    for (const char* m : {"min", "max"}) {
        add(std::string{m} + ".relu.s32 %d, %a, %b;", 'i', "ii");
        add(std::string{m} + ".relu.s16x2 %d, %a, %b;", 'i', "ii");
        add(std::string{m} + ".s16x2 %d, %a, %b;", 'i', "ii");
        add(std::string{m} + ".u16x2 %d, %a, %b;", 'i', "ii");
    }
    add("add.u16x2 %d, %a, %b;", 'i', "ii");
    add("add.s16x2 %d, %a, %b;", 'i', "ii");
    for (const char* s : {"s", "u"}) {
        add(std::string{"mad24.lo."} + s + "32 %d, %a, %b, %c;", 'i', "iii");
        add(std::string{"mad24.hi."} + s + "32 %d, %a, %b, %c;", 'i', "iii");
    }
    add("mad24.hi.sat.s32 %d, %a, %b, %c;", 'i', "iii");
    add("lop3.or.b32 _|%d, %a, %b, 0x1234, 0x96, %c;", 'p', "iip");
    add("lop3.and.b32 _|%d, %a, %b, 0x1234, 0xe8, !%c;", 'p', "iip");
    // Halves.
    for (const char* t : {"f16", "bf16"}) {
        const char kind = t[0] == 'f' ? 'h' : 's';
        const std::string dot = std::string{"."} + t, pair = dot + "x2";
        const char two = t[0] == 'f' ? 'x' : 'i';
        for (const char* c : {"lt", "ge", "ne", "equ", "gtu", "num", "nan"}) {
            add(std::string{"set."} + c + dot + dot + " %d, %a, %b;", kind, {kind, kind});
            add(std::string{"set."} + c + pair + pair + " %d, %a, %b;", two, {two, two});
            add(std::string{"set."} + c + ".u32" + dot + " %d, %a, %b;", 'i', {kind, kind});
            add(std::string{"setp."} + c + dot + " %d, %a, %b;", 'p', {kind, kind});
            add(std::string{"setp."} + c + pair + " %d|_, %a, %b;", 'p', {two, two});
            add(std::string{"setp."} + c + pair + " _|%d, %a, %b;", 'p', {two, two});
        }
        for (const char* m : {"min", "max"})
            for (const char* x : {".NaN", ".xorsign.abs", ".NaN.xorsign.abs"}) {
                add(std::string{m} + x + dot + " %d, %a, %b;", kind, {kind, kind});
                add(std::string{m} + x + pair + " %d, %a, %b;", two, {two, two});
            }
        add("fma.rn.relu" + dot + " %d, %a, %b, %c;", kind, {kind, kind, kind});
        add("fma.rn.relu" + pair + " %d, %a, %b, %c;", two, {two, two, two});
    }
    for (const char* c : {"lt", "eq", "neu"}) {
        add(std::string{"setp."} + c + ".ftz.f16 %d, %a, %b;", 'p', "hh");
        add(std::string{"set."} + c + ".ftz.f16x2.f16x2 %d, %a, %b;", 'x', "xx");
        add(std::string{"set."} + c + ".ftz.u32.f32 %d, %a, %b;", 'i', "ff");
    }
    add("slct.ftz.b32.f32 %d, %a, %b, %c;", 'i', "iif");
    add("slct.ftz.b64.f32 %d, %a, %b, %c;", 'l', "llf");
    for (const char* x : {".ftz", ".sat", ".ftz.sat", ".ftz.relu"}) {
        add(std::string{"fma.rn"} + x + ".f16 %d, %a, %b, %c;", 'h', "hhh");
        add(std::string{"fma.rn"} + x + ".f16x2 %d, %a, %b, %c;", 'x', "xxx");
    }
    for (const char* x : {"", ".ftz"}) {
        add(std::string{"lg2.approx"} + x + ".f32 %d, %a;", 'f', "f", 4);
        add(std::string{"div.approx"} + x + ".f32 %d, %a, %b;", 'f', "ff", 4);
    }
    // Numbers that are none, to small integers.
    for (const char* to : {"s8", "u8", "s16", "u16"})
        for (const auto& [from, kind] : {std::pair{"f16", "h"}, std::pair{"f32", "f"}, std::pair{"f64", "d"}})
            for (const char* mode : {"rni", "rzi", "rmi"}) add(std::string{"cvt."} + mode + "." + to + "." + from + " %d, %a;", 's', kind);
}

inline std::vector<experiment> experiments() {
    std::vector<experiment> all;
    const auto add = [&](std::string text, char result, std::string inputs, int ulps = 0) {
        all.push_back({std::move(text), result, std::move(inputs), ulps});
    };
    const auto binary = [&](const std::string& name, char kind) { add(name + " %d, %a, %b;", kind, {kind, kind}); };
    const auto unary = [&](const std::string& name, char kind, int ulps = 0) { add(name + " %d, %a;", kind, {kind}, ulps); };
    const auto ternary = [&](const std::string& name, char kind) { add(name + " %d, %a, %b, %c;", kind, {kind, kind, kind}); };
    const struct {
        const char* width;
        char kind;
    } widths[] = {{"16", 's'}, {"32", 'i'}, {"64", 'l'}};
    for (const auto& w : widths) {
        const std::string n = w.width;
        for (const char* sign : {"s", "u"}) {
            for (const char* op : {"add.", "sub.", "mul.lo.", "mul.hi.", "min.", "max."}) binary(op + (sign + n), w.kind);
            ternary(std::string{"mad.lo."} + sign + n, w.kind);
            if (w.kind != 's') {
                ternary(std::string{"mad.hi."} + sign + n, w.kind);
                add(std::string{"bfe."} + sign + n + " %d, %a, %b, %c;", w.kind, std::string{w.kind} + "nn");
                add(std::string{"bfind."} + sign + n + " %d, %a;", 'i', {w.kind});
                add(std::string{"bfind.shiftamt."} + sign + n + " %d, %a;", 'i', {w.kind});
            }
            ternary(std::string{"sad."} + sign + n, w.kind);
            add(std::string{"{ .reg .pred z; setp.eq."} + sign + n + " z, %b, 0; @z mov.b" + n + " %d, 0; @!z div." + sign + n +
                    " %d, %a, %b; }",
                w.kind, {w.kind, w.kind});
            add(std::string{"{ .reg .pred z; setp.eq."} + sign + n + " z, %b, 0; @z mov.b" + n + " %d, 0; @!z rem." + sign + n +
                    " %d, %a, %b; }",
                w.kind, {w.kind, w.kind});
            add(std::string{"shr."} + sign + n + " %d, %a, %b;", w.kind, std::string{w.kind} + "n");
            for (const char* c : {"eq", "ne", "lt", "le", "gt", "ge"})
                add(std::string{"setp."} + c + "." + sign + n + " %d, %a, %b;", 'p', {w.kind, w.kind});
        }
        for (const char* op : {"and.b", "or.b", "xor.b"}) binary(op + n, w.kind);
        for (const char* op : {"not.b", "cnot.b"}) unary(op + n, w.kind);
        unary("neg.s" + n, w.kind);
        unary("abs.s" + n, w.kind);
        add("shl.b" + n + " %d, %a, %b;", w.kind, std::string{w.kind} + "n");
        add("selp.b" + n + " %d, %a, %b, %c;", w.kind, {w.kind, w.kind, 'p'});
    }
    for (const char* op : {"popc.b", "clz.b"}) {
        add(std::string{op} + "32 %d, %a;", 'i', "i");
        add(std::string{op} + "64 %d, %a;", 'i', "l");
    }
    unary("brev.b32", 'i');
    unary("brev.b64", 'l');
    for (const char* s : {"s", "u"}) {
        add(std::string{"mul.wide."} + s + "32 %d, %a, %b;", 'l', "ii");
        add(std::string{"mul.wide."} + s + "16 %d, %a, %b;", 'i', "ss");
        add(std::string{"mad.wide."} + s + "32 %d, %a, %b, %c;", 'l', "iil");
        add(std::string{"mul24.lo."} + s + "32 %d, %a, %b;", 'i', "ii");
        add(std::string{"mul24.hi."} + s + "32 %d, %a, %b;", 'i', "ii");
        for (const char* t : {"s", "u"}) {
            add(std::string{"dp4a."} + s + "32." + t + "32 %d, %a, %b, %c;", 'i', "iii");
            add(std::string{"dp2a.lo."} + s + "32." + t + "32 %d, %a, %b, %c;", 'i', "iii");
            add(std::string{"dp2a.hi."} + s + "32." + t + "32 %d, %a, %b, %c;", 'i', "iii");
        }
        add(std::string{"szext.clamp."} + s + "32 %d, %a, %b;", 'i', "in");
        add(std::string{"szext.wrap."} + s + "32 %d, %a, %b;", 'i', "in");
    }
    binary("add.sat.s32", 'i');
    binary("sub.sat.s32", 'i');
    ternary("mad.hi.sat.s32", 'i');
    add("bfi.b32 %d, %a, %b, %c, 5;", 'i', "iin");
    add("bfi.b64 %d, %a, %b, %c, 40;", 'l', "lln");
    add("bmsk.clamp.b32 %d, %a, %b;", 'i', "nn");
    add("bmsk.wrap.b32 %d, %a, %b;", 'i', "nn");
    add("fns.b32 %d, %a, %b, %c;", 'i', "imm");
    for (const char* mode : {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"}) ternary(std::string{"prmt.b32"} + mode, 'i');
    for (const char* table : {"0x96", "0xe8", "0x1b", "0xca"}) add(std::string{"lop3.b32 %d, %a, %b, %c, "} + table + ";", 'i', "iii");
    for (const char* way : {"l", "r"})
        for (const char* how : {"clamp", "wrap"}) add(std::string{"shf."} + way + "." + how + ".b32 %d, %a, %b, %c;", 'i', "iin");
    add("{ .reg .b32 t; add.cc.u32 t, %a, %b; addc.u32 %d, %c, 0; }", 'i', "iii");
    add("{ .reg .b32 t; sub.cc.u32 t, %a, %b; subc.u32 %d, %c, 0; }", 'i', "iii");
    add("{ .reg .b64 t; add.cc.u64 t, %a, %b; addc.u64 %d, %c, 7; }", 'l', "lll");
    add("{ .reg .b32 t; mad.lo.cc.u32 t, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0; }", 'i', "iii");
    // Floats.
    for (const char* r : {".rn", ".rz", ".rm", ".rp"}) {
        for (const char* op : {"add", "sub", "mul", "div"}) {
            binary(std::string{op} + r + ".f32", 'f');
            binary(std::string{op} + r + ".f64", 'd');
            if (std::string{op} != "div") binary(std::string{op} + r + ".ftz.sat.f32", 'f');
        }
        binary(std::string{"div"} + r + ".ftz.f32", 'f');
        ternary(std::string{"fma"} + r + ".f32", 'f');
        ternary(std::string{"fma"} + r + ".ftz.f32", 'f');
        ternary(std::string{"fma"} + r + ".sat.f32", 'f');
        ternary(std::string{"fma"} + r + ".f64", 'd');
        for (const char* op : {"sqrt", "rcp"}) {
            unary(std::string{op} + r + ".f32", 'f');
            unary(std::string{op} + r + ".ftz.f32", 'f');
            unary(std::string{op} + r + ".f64", 'd');
        }
        for (const char* i : {"s", "u"}) {
            add(std::string{"cvt"} + r + ".f32." + i + "32 %d, %a;", 'f', "i");
            add(std::string{"cvt"} + r + ".f32." + i + "64 %d, %a;", 'f', "l");
            add(std::string{"cvt"} + r + ".f64." + i + "64 %d, %a;", 'd', "l");
            add(std::string{"cvt"} + r + "i.f32." + i + "32 %d, %a;", 'f', "i");
            all.pop_back(); // integers need no such rounding
            add(std::string{"cvt"} + r + "i." + i + "32.f32 %d, %a;", 'i', "f");
            add(std::string{"cvt"} + r + "i.ftz." + i + "32.f32 %d, %a;", 'i', "f");
            add(std::string{"cvt"} + r + "i." + i + "64.f32 %d, %a;", 'l', "f");
            add(std::string{"cvt"} + r + "i." + i + "32.f64 %d, %a;", 'i', "d");
            add(std::string{"cvt"} + r + "i." + i + "64.f64 %d, %a;", 'l', "d");
            add(std::string{"cvt"} + r + "i." + i + "32.f16 %d, %a;", 'i', "h");
            add(std::string{"cvt"} + r + "i." + i + "16.f32 %d, %a;", 's', "f");
        }
        add(std::string{"cvt"} + r + ".f32.f64 %d, %a;", 'f', "d");
        add(std::string{"cvt"} + r + ".ftz.sat.f32.f64 %d, %a;", 'f', "d");
        add(std::string{"cvt"} + r + "i.f32.f32 %d, %a;", 'f', "f");
        add(std::string{"cvt"} + r + "i.f64.f64 %d, %a;", 'd', "d");
    }
    for (const char* r : {".rn", ".rz"}) {
        add(std::string{"cvt"} + r + ".f16.f32 %d, %a;", 'h', "f");
        add(std::string{"cvt"} + r + ".bf16.f32 %d, %a;", 's', "f");
        add(std::string{"cvt"} + r + ".f16x2.f32 %d, %a, %b;", 'i', "ff");
        add(std::string{"cvt"} + r + ".relu.f16.f32 %d, %a;", 'h', "f");
    }
    add("cvt.rn.f16.f64 %d, %a;", 'h', "d");
    add("cvt.rn.f16.s32 %d, %a;", 'h', "i");
    add("cvt.rna.tf32.f32 %d, %a;", 'f', "f");
    add("cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", 's', "ff");
    add("cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;", 's', "ff");
    add("cvt.rn.f16x2.e4m3x2 %d, %a;", 'i', "s");
    add("cvt.rn.f16x2.e5m2x2 %d, %a;", 'i', "s");
    add("cvt.f32.f16 %d, %a;", 'f', "h");
    add("cvt.f64.f32 %d, %a;", 'd', "f");
    add("cvt.sat.f32.f32 %d, %a;", 'f', "f");
    add("cvt.ftz.f32.f32 %d, %a;", 'f', "f");
    for (const char* to : {"s8", "u8", "s16", "u16", "s32", "u32"})
        add(std::string{"cvt.sat."} + to + ".s64 %d, %a;", std::strchr(to, '8') != nullptr || to[1] == '1' ? 's' : 'i', "l");
    for (const char* from : {"s8", "u8", "s16", "u16"}) add(std::string{"cvt.s32."} + from + " %d, %a;", 'i', "s");
    add("cvt.pack.sat.s16.s32 %d, %a, %b;", 'i', "ii");
    add("cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;", 'i', "iii");
    for (const char* t : {"f32", "f64"}) {
        const char kind = t[1] == '3' ? 'f' : 'd';
        for (const char* op : {"min.", "max."}) binary(std::string{op} + t, kind);
        for (const char* op : {"neg.", "abs."}) unary(std::string{op} + t, kind);
        binary(std::string{"copysign."} + t, kind);
        for (const char* c : {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"})
            add(std::string{"setp."} + c + "." + t + " %d, %a, %b;", 'p', {kind, kind});
        for (const char* c : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"})
            add(std::string{"testp."} + c + "." + t + " %d, %a;", 'p', {kind});
    }
    for (const char* c : {"lt", "geu"}) {
        add(std::string{"setp."} + c + ".ftz.f32 %d, %a, %b;", 'p', "ff");
        add(std::string{"set."} + c + ".f32.f32 %d, %a, %b;", 'f', "ff");
        add(std::string{"set."} + c + ".u32.f32 %d, %a, %b;", 'i', "ff");
        add(std::string{"setp."} + c + ".f16 %d, %a, %b;", 'p', "hh");
    }
    add("setp.lt.and.s32 %d, %a, %b, %c;", 'p', "iip");
    add("setp.ge.xor.u32 %d, %a, %b, !%c;", 'p', "iip");
    add("slct.b32.s32 %d, %a, %b, %c;", 'i', "iii");
    add("slct.b32.f32 %d, %a, %b, %c;", 'i', "iif");
    for (const char* m : {"min", "max"})
        for (const char* x : {".ftz", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"}) binary(std::string{m} + x + ".f32", 'f');
    for (const char* t : {"f16", "f16x2", "bf16", "bf16x2"}) {
        const char kind = t[0] == 'b' ? (t[4] == 0 ? 's' : 'i') : (t[3] == 0 ? 'h' : 'x');
        const std::string dot = std::string{"."} + t;
        ternary("fma.rn" + dot, kind);
        binary("min" + dot, kind);
        binary("max.NaN" + dot, kind);
        unary("neg" + dot, kind);
        unary("abs" + dot, kind);
        for (const char* op : {"add", "sub", "mul"}) binary(op + (".rn" + dot), kind);
        if (t[0] == 'f') {
            binary("add.ftz.sat" + dot, kind);
            ternary("fma.rn.relu" + dot, kind);
        }
    }
    for (const char* z : {"", ".ftz"}) {
        const std::string f = std::string{z} + ".f32";
        unary("rcp.approx" + f, 'f', 2);
        unary("sqrt.approx" + f, 'f', 2);
        unary("rsqrt.approx" + f, 'f', 4);
        unary("ex2.approx" + f, 'f', 4);
        add("div.full" + f + " %d, %a, %b;", 'f', "ff", 4);
    }
    more_experiments(all);
    return all;
}

/// The module of an experiment: one kernel, `k`, a thread for each of the inputs.
inline std::string module_of(const experiment& e) {
    const auto type = [](char kind) { return "b" + std::to_string(bits_of(kind) == 1 ? 32 : bits_of(kind)); };
    std::string body, text = e.text;
    for (std::size_t i = 0; i < e.inputs.size(); ++i) {
        const std::string n = std::to_string(i);
        body += "ld.global.b64 %l" + n + ", [%at+" + std::to_string(8 * i) + "];\n";
        const unsigned bits = bits_of(e.inputs[i]);
        if (bits == 1)
            body += ".reg .pred %v" + n + "; setp.ne.u64 %v" + n + ", %l" + n + ", 0;\n";
        else
            body += ".reg ." + type(e.inputs[i]) + " %v" + n + "; " +
                    (bits == 64   ? "mov.b64 %v"
                     : bits == 32 ? "cvt.u32.u64 %v"
                                  : "cvt.u16.u64 %v") +
                    n + ", %l" + n + ";\n";
    }
    const auto replace = [&](const std::string& from, const std::string& to) {
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    };
    replace("%a", "%v0");
    replace("%b", "%v1");
    replace("%c", "%v2");
    replace("%d", "%res");
    const unsigned bits = bits_of(e.result);
    body += bits == 1 ? ".reg .pred %res;\n" : ".reg ." + type(e.result) + " %res;\n";
    body += text + "\n";
    body += bits == 1    ? "selp.u64 %out, 1, 0, %res;\n"
            : bits == 64 ? "mov.b64 %out, %res;\n"
            : bits == 32 ? "cvt.u64.u32 %out, %res;\n"
                         : "cvt.u64.u16 %out, %res;\n";
    return ".version 8.2\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 to) {\n"
           ".reg .b64 %at; .reg .b64 %l<3>; .reg .b64 %out; .reg .b64 %o; .reg .b64 %t; .reg .b32 %i;\n"
           "ld.param.u64 %at, [in]; ld.param.u64 %o, [to]; mov.u32 %i, %tid.x; mul.wide.u32 %t, %i, 24; add.s64 %at, %at, %t; mul.wide.u32 "
           "%t, %i, 8; add.s64 %o, %o, %t;\n" +
           body + "st.global.b64 [%o], %out;\nret;\n}\n";
}

/// The inputs of experiment number `index`: three words for each try.
inline std::vector<std::uint64_t> inputs_of(const experiment& e, std::size_t index) {
    std::uint64_t state = index * 1000003u + 17;
    std::vector<std::uint64_t> all(3 * tries);
    for (unsigned t = 0; t < tries; ++t)
        for (std::size_t k = 0; k < e.inputs.size(); ++k)
            all[3 * t + k] = value_of(e.inputs[k], t + static_cast<unsigned>(k) * (t / 7 + 1), state);
    return all;
}

/// Runs an experiment by a driver whose context is current; its answers, none when the driver does not take the module.
inline std::vector<std::uint64_t> run(const hanabi::driver::table& cu, const experiment& e, std::size_t index) {
    using hanabi::driver::status;
    hanabi::driver::module_handle module = nullptr;
    const std::string text = module_of(e);
    if (cu.module_load_data_ex(&module, text.c_str(), 0, nullptr, nullptr) != status::success) return {};
    hanabi::driver::function_handle kernel = nullptr;
    hanabi::driver::device_address in = 0, out = 0;
    std::vector<std::uint64_t> answers(tries);
    const std::vector<std::uint64_t> inputs = inputs_of(e, index);
    bool good = cu.module_get_function(&kernel, module, "k") == status::success &&
                cu.mem_alloc(&in, inputs.size() * 8) == status::success && cu.mem_alloc(&out, tries * 8) == status::success &&
                cu.memcpy_htod_async(in, inputs.data(), inputs.size() * 8, nullptr) == status::success;
    void* pointers[] = {&in, &out};
    good = good && cu.launch_kernel(kernel, 1, 1, 1, tries, 1, 1, 0, nullptr, pointers, nullptr) == status::success &&
           cu.memcpy_dtoh_async(answers.data(), out, tries * 8, nullptr) == status::success && cu.ctx_synchronize() == status::success;
    if (in != 0) cu.mem_free(in);
    if (out != 0) cu.mem_free(out);
    cu.module_unload(module);
    return good ? answers : std::vector<std::uint64_t>{};
}

/// Scalar video instructions for which what ptxas makes on newer devices (seen on sm_90 with driver 580) is not what the manual
/// says: saturated to a part, negative numbers become its largest; sums of parts are not saturated; a second minimum or maximum
/// takes 0xffffffff for -1; vmad takes unsigned words for signed ones where it shifts or saturates. The executor does as the
/// manual says.
inline bool disputed(const std::string& text) {
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    if (text.starts_with("vmad.")) return has(".sat") || has(".shr");
    if (text.starts_with("vshl.")) return has(".sat");
    for (const char* op : {"vadd.", "vsub.", "vabsdiff.", "vmin.", "vmax."})
        if (text.starts_with(op)) return has(".sat %d.b1,") || has(".sat %d, %a.b2,") || has(".min %d,") || has(".max %d,");
    return false;
}

/// Whether two answers agree: the same bits, or floats that are near enough.
inline bool agree(const experiment& e, std::uint64_t a, std::uint64_t b) {
    if (a == b) return true;
    if (e.result == 'f' && (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000) return true; // NaNs
    if (e.result == 'd' && (a << 1) > 0xffe0000000000000u && (b << 1) > 0xffe0000000000000u) return true;
    if (e.ulps == 0 || e.result != 'f') return false;
    if (e.text.starts_with("lg2")) { // near one, where the result is near zero, the manual bounds the absolute error
        const double x = std::bit_cast<float>(static_cast<std::uint32_t>(a)), y = std::bit_cast<float>(static_cast<std::uint32_t>(b));
        if (x - y <= 0x1p-22 && y - x <= 0x1p-22) return true;
    }
    const auto order = [](std::uint64_t v) {
        return (v & 0x80000000) != 0 ? -static_cast<std::int64_t>(v & 0x7fffffff) : static_cast<std::int64_t>(v);
    };
    const std::int64_t difference = order(a) - order(b);
    if (difference <= e.ulps && difference >= -e.ulps) return true;
    return (a & 0x7fffffff) < 0x00a00000 && (b & 0x7fffffff) < 0x00a00000; // approximations near the subnormals flush as they like
}

} // namespace truth

#endif
