// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Decodes what works lane by lane: arithmetic, logic, comparisons, conversions, moves.

#ifndef HANABI_HOST_PTX_DECODE_ARITHMETIC_HPP
#define HANABI_HOST_PTX_DECODE_ARITHMETIC_HPP

#include <hanabi/host/ptx/compare.hpp>
#include <hanabi/host/ptx/convert.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/floating.hpp>
#include <hanabi/host/ptx/half.hpp>
#include <hanabi/host/ptx/integer.hpp>
#include <hanabi/host/ptx/logic.hpp>
#include <hanabi/host/ptx/mixed.hpp>

#include <cstdint>

namespace hanabi::host::ptx {

namespace decode_detail {

/// Packs the elements of the side table into one register, and the reverse.
inline void pack(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        std::uint64_t words[2] = {0, 0};
        for (unsigned k = 0; k < in.count; ++k) {
            const operand from = c.l->code->extra[in.target + k];
            const unsigned bit = 8u * in.size * k;
            words[bit / 64] |= wide_value(c, from, in.size, i) << (bit % 64);
        }
        if (in.width == 16)
            c.at<logic_detail::quad>(in.d)[i] = {words[0], words[1]};
        else
            set_value(c, in.d, in.width, i, words[0]);
    });
}
inline void unpack(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        std::uint64_t words[2] = {0, 0};
        if (in.width == 16) {
            words[0] = c.at<logic_detail::quad>(in.a)[i].low;
            words[1] = c.at<logic_detail::quad>(in.a)[i].high;
        } else
            words[0] = wide_value(c, in.a, in.width, i);
        for (unsigned k = 0; k < in.count; ++k) {
            const operand to = c.l->code->extra[in.target + k];
            const unsigned bit = 8u * in.size * k;
            if (to.given()) set_value(c, to, in.size, i, words[bit / 64] >> (bit % 64));
        }
    });
}

inline bool directed(rounding r) noexcept { return r == rounding::rz || r == rounding::rm || r == rounding::rp; }

/// mov.v2 and .v4: part by part, of a list or of a special register that is a vector.
inline void move_parts(decoder& d, const form& f, const statement& s) {
    const argument &to = s.arguments[0], &from = s.arguments[1];
    decoder::need(to.kind == argument_kind::vector && to.count == f.vector, "mov to another number of registers than the vector has");
    std::vector<operand> values;
    for (unsigned k = 0; k < f.vector; ++k) {
        argument part = from.kind == argument_kind::vector && k < from.count ? s.elements[from.first + k] : from;
        std::string name{from.name};
        if (from.kind == argument_kind::name) part.name = name = name + "." + "xyzw"[k];
        values.push_back(k == 3 && from.kind == argument_kind::name ? d.immediate(0, size_of(f.of())) : d.source(part, f.of()));
    }
    std::vector<operand> places;
    for (unsigned k = 0; k < f.vector; ++k) places.push_back(d.destination(s.elements[to.first + k]));
    const auto move = [&](operand from_place, operand to_place) {
        instruction i = d.make(f.lanewise.run);
        i.a = from_place;
        i.d = to_place;
        d.emit(i);
    };
    for (unsigned k = 0; k < f.vector; ++k) // what an earlier part overwrites is kept
        for (unsigned before = 0; before < k; ++before)
            if (places[before].given() && places[before].where == values[k].where) {
                const operand kept = d.temporary(size_of(f.of()));
                move(values[k], kept);
                values[k] = kept;
            }
    for (unsigned k = 0; k < f.vector; ++k)
        if (places[k].given()) move(values[k], places[k]);
}

inline void decode_move(decoder& d, const form& f, const statement& s) {
    decoder::need(s.arguments.size() == 2, "mov takes two operands");
    const type t = f.of();
    const argument &to = s.arguments[0], &from = s.arguments[1];
    if (to.kind == argument_kind::vector || from.kind == argument_kind::vector) {
        const bool packs = from.kind == argument_kind::vector;
        const argument& list = packs ? from : to;
        instruction i = d.make(packs ? &pack : &unpack);
        i.flow = packs ? flow::pack : flow::unpack;
        i.count = static_cast<std::uint8_t>(list.count);
        if (f.vector > 1) { // mov.v4.u32 of a vector
            move_parts(d, f, s);
            return;
        }
        decoder::need(list.count != 0 && size_of(t) % list.count == 0, "a vector that does not fit");
        i.size = static_cast<std::uint8_t>(size_of(t) / list.count);
        i.width = static_cast<std::uint8_t>(size_of(t));
        const type element = i.size == 1 ? type::b8 : i.size == 2 ? type::b16 : i.size == 4 ? type::b32 : type::b64;
        std::vector<operand> parts;
        for (unsigned k = 0; k < list.count; ++k) {
            const argument& e = s.elements[list.first + k];
            unsigned width = i.size;
            parts.push_back(packs ? d.source(e, element) : d.destination(e, &width));
            decoder::need(width == i.size, "an element of another size than the vector's");
        }
        unsigned width = i.width;
        (packs ? i.d : i.a) = packs ? d.destination(to, &width) : d.source(from, t);
        decoder::need(width == i.width, "a register of another size than the type");
        i.target = d.beyond(parts);
        d.emit(i);
        return;
    }
    if (t != type::pred && from.kind == argument_kind::name) { // straight into the destination
        if (const auto* const k = find_special(from.name);
            k != nullptr && d.look_up(from.name).kind == symbol_kind::unknown && k->width != 0) {
            instruction i = d.make(&special_detail::read);
            i.flow = flow::special;
            unsigned width = 0;
            i.d = d.destination(to, &width);
            i.option = static_cast<std::uint8_t>(k->which);
            i.size = static_cast<std::uint8_t>(width);
            d.emit(i);
            return;
        }
    }
    instruction i = d.make(f.lanewise.run);
    i.a = t == type::pred ? d.predicate(from) : d.source(from, t);
    unsigned width = size_of(t);
    i.d = d.destination(to, &width);
    decoder::need(width == size_of(t), "mov: a register of another size than the type");
    d.emit(i);
}

inline void decode_convert(decoder& d, const form& f, const statement& s) {
    using namespace convert_detail;
    instruction i = d.make();
    i.count = convert_options(f);
    i.round = f.round;
    unsigned width = 0, from_width = 0;
    i.d = d.destination(s.arguments.at(0), &width);
    i.width = static_cast<std::uint8_t>(width);
    if (f.has("pack")) {
        decoder::need(s.arguments.size() >= 3, "cvt.pack takes three or four operands");
        i.run = &pack_integers;
        i.kind_of = f.of(0);
        i.a = d.source(s.arguments[1], type::s32);
        i.b = d.source(s.arguments[2], type::s32);
        if (s.arguments.size() > 3) i.c = d.source(s.arguments[3], type::b32);
        d.emit(i);
        return;
    }
    decoder::need(f.types.size() == 2, "cvt between these types");
    const type to = f.types[0], from = f.types[1];
    decoder::need(!(f.round == rounding::rs && s.arguments.size() < 3), "cvt.rs takes random bits");
    i.kind_of = to;
    i.option = static_cast<std::uint8_t>(from);
    unsigned parts_to = 1, parts_from = 1;
    element_of(to, &parts_to);
    element_of(from, &parts_from);
    const bool pair_to = parts_to == 2, pair_from = parts_from == 2;
    if (parts_to == 4) {
        const argument& list = s.arguments.at(1);
        decoder::need(list.kind == argument_kind::vector && list.count == 4 && from == type::f32, "cvt to four parts takes four f32");
        i.run = &pack_four;
        i.c = d.source(s.arguments.at(2), type::b32);
        std::vector<operand> parts;
        for (unsigned k = 0; k < 4; ++k) parts.push_back(d.source(s.elements[list.first + k], from));
        i.target = d.beyond(parts);
    } else if (pair_to && pair_from) {
        i.run = &pair_to_pair;
        i.a = d.source(s.arguments.at(1), from, &from_width);
    } else if (pair_to) {
        decoder::need(s.arguments.size() == (f.round == rounding::rs ? 4 : 3), "cvt to a pair takes three operands, .rs four");
        i.run = &pack_pair;
        i.a = d.source(s.arguments[1], from, &from_width);
        i.b = d.source(s.arguments[2], from, &from_width);
        if (f.round == rounding::rs) i.c = d.source(s.arguments[3], type::b32);
    } else {
        decoder::need(s.arguments.size() == 2, "cvt takes two operands");
        i.run = &any;
        i.a = d.source(s.arguments[1], from, &from_width);
        const handler loop = width == size_of(to) && from_width == size_of(from) ? fast(f) : nullptr;
        if (loop != nullptr) i.run = loop;
    }
    i.size = static_cast<std::uint8_t>(from_width);
    if (directed(f.round) && (to == type::f32 || to == type::f64)) i.kind = step::rounded;
    d.emit(i);
}

inline void decode_compare(decoder& d, const form& f, const statement& s) {
    using namespace compare_detail;
    decoder::need(s.arguments.size() == 3 || s.arguments.size() == 4, "setp and set take three or four operands");
    const chosen_comparison h = pick_compare(f);
    decoder::need(h.run != nullptr, "a comparison of this kind on this type");
    const type t = h.of;
    const bool pairs = t == type::f16x2 || t == type::bf16x2, to_predicate = f.op == "setp";
    instruction i = d.make(h.run);
    i.kind_of = f.of(0);
    i.a = d.source(s.arguments[1], t);
    i.b = d.source(s.arguments[2], t);
    if (h.exchanged) std::swap(i.a, i.b);
    if (s.arguments.size() == 4) {
        i.c = d.predicate(s.arguments[3]);
        i.option = f.has("and") ? with_and : f.has("or") ? with_or : with_xor;
    }
    i.option = static_cast<std::uint8_t>(i.option | (h.opposite ? inverted : 0) | (t == type::bf16x2 ? brain : 0) | (f.ftz ? flush : 0));
    if (pairs) i.count = static_cast<std::uint8_t>(f.compare);
    if (to_predicate || pairs) {
        i.d = d.destination(s.arguments[0]);
        i.e = d.destination(s.arguments[0].second);
        d.emit(i);
        return;
    }
    i.d = d.temporary(0);
    d.emit(i);
    instruction wide = d.make(&expand);
    wide.flow = flow::compute;
    wide.a = i.d;
    wide.d = d.destination(s.arguments[0]);
    wide.kind_of = f.of(0);
    d.emit(wide);
}

/// lop3 with a predicate beside: d|p, a, b, c, table, q.
inline void decode_lop3(decoder& d, const form& f, const statement& s) {
    decoder::need(s.arguments.size() >= 5, "lop3 takes five operands");
    const bool with_predicate = f.has("or") || f.has("and");
    instruction i = d.make(with_predicate ? &logic_detail::lop3_with_predicate : f.lanewise.run);
    i.a = d.source(s.arguments[1], type::b32);
    i.b = d.source(s.arguments[2], type::b32);
    i.c = d.source(s.arguments[3], type::b32);
    i.immediate = static_cast<std::int64_t>(s.arguments[4].bits & 0xff);
    if (with_predicate) {
        decoder::need(s.arguments.size() == 6, "lop3 with a predicate takes six operands");
        i.target = d.predicate(s.arguments[5]).where;
        i.option = f.has("or") ? 1 : 2;
        i.e = d.destination(s.arguments[0].second);
        if (s.arguments[0].kind == argument_kind::sink) i.d = d.temporary(4);
    }
    if (!i.d.given()) i.d = d.destination(s.arguments[0]);
    d.emit(i);
}

/// The handler of the form, looked up once.
inline chosen find_lanewise(const form& f) {
    if (f.op == "setp" || f.op == "set" || f.op == "cvt") return {};
    if (chosen c = pick_logic(f)) return c;
    if (chosen c = pick_integer(f)) return c;
    if (chosen c = pick_floating(f)) return c;
    if (chosen c = pick_half(f)) return c;
    if (chosen c = pick_mixed(f)) return c;
    return {};
}

} // namespace decode_detail

/// Decodes an instruction that works lane by lane; false for others.
inline bool decode_arithmetic(decoder& d, const form& f, const statement& s) {
    using namespace decode_detail;
    if (f.op == "lop3") {
        decode_lop3(d, f, s);
        return true;
    }
    if (!f.lanewise) {
        const bool converts = f.op == "cvt", compares = f.op == "setp" || f.op == "set";
        if (converts) decode_convert(d, f, s);
        if (compares) decode_compare(d, f, s);
        return converts || compares;
    }
    if (f.op == "mov") {
        decode_move(d, f, s);
        return true;
    }
    const chosen& h = f.lanewise;
    if ((f.op == "min" || f.op == "max") && f.of() == type::f32 && s.arguments.size() == 4) { // of three: twice
        instruction i = d.make(h.run);
        i.a = d.source(s.arguments[1], type::f32);
        i.b = d.source(s.arguments[2], type::f32);
        i.d = d.temporary(4);
        d.emit(i);
        i.a = i.d;
        i.b = d.source(s.arguments[3], type::f32);
        i.d = d.destination(s.arguments[0]);
        decoder::need(i.d.given(), "a register is expected as the destination");
        d.emit(i);
        return true;
    }
    decoder::need(s.arguments.size() == h.count + 1, "another number of operands than the instruction has");
    instruction i = d.make(h.run);
    operand* const inputs[4] = {&i.a, &i.b, &i.c, &i.e};
    for (unsigned k = 0; k < h.count; ++k)
        *inputs[k] = h.inputs[k] == type::pred ? d.predicate(s.arguments[k + 1]) : d.source(s.arguments[k + 1], h.inputs[k]);
    unsigned width = size_of(h.result);
    i.d = d.destination(s.arguments[0], &width);
    if (!i.d.given()) i.d = d.temporary(size_of(h.result));
    decoder::need(width == size_of(h.result), "the destination has another size than the result");
    const type t = f.of();
    if (t == type::f16 || t == type::bf16 || t == type::f16x2 || t == type::bf16x2) i.option = half_options(f);
    if (directed(f.round) && (t == type::f32 || t == type::f64 || t == type::f32x2)) i.kind = step::rounded;
    i.round = f.round;
    d.emit(i);
    return true;
}

} // namespace hanabi::host::ptx

#endif
