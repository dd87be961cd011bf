// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What all instructions have in common when they are decoded: operands become places of values, constants go into the pool.

#ifndef HANABI_HOST_PTX_DECODER_HPP
#define HANABI_HOST_PTX_DECODER_HPP

#include <hanabi/host/ptx/form.hpp>
#include <hanabi/host/ptx/integer.hpp>
#include <hanabi/host/ptx/logic.hpp>
#include <hanabi/host/ptx/scope.hpp>
#include <hanabi/host/ptx/small_float.hpp>
#include <hanabi/host/ptx/special_register.hpp>
#include <hanabi/host/ptx/statement.hpp>

#include <bit>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

/// Why an instruction can't be executed: thrown while it is decoded; the function that has it is refused.
struct unsupported {
    std::string what;
};

/// What the instructions of one function are decoded with.
class decoder {
  public:
    decoder(program& into, scopes& of_function) : p{into}, names{of_function} {}

    program& p;
    scopes& names;
    function* self = nullptr;
    std::unordered_map<std::string_view, symbol> globals; ///< variables and functions of the module
    std::unordered_map<std::string_view, std::uint32_t> tables;
    std::uint32_t line = 0;
    operand guard;
    bool guard_not = false;
    flow how = flow::compute; ///< of the instruction, for its parts

    [[noreturn]] static void refuse(std::string what) { throw unsupported{std::move(what)}; }
    static void need(bool condition, const char* what) {
        if (!condition) refuse(what);
    }

    instruction make(handler run = nullptr, step kind = step::plain) const {
        instruction i;
        i.run = run;
        i.kind = kind;
        i.line = line;
        i.flow = how;
        return i;
    }
    /// Adds an instruction under the guard of the statement.
    std::uint32_t emit(instruction i) {
        i.guard = guard.where;
        i.guard_not = guard_not;
        if ((i.flow == flow::load || i.flow == flow::store) && i.in == space::local) i.watch_as(within_warp);
        p.code.push_back(i);
        return static_cast<std::uint32_t>(p.code.size() - 1);
    }

    /// Keeps operands beyond the five of an instruction; where they begin in program::extra, for instruction::target.
    template <class Operands>
    std::uint32_t beyond(const Operands& all) {
        const auto at = static_cast<std::uint32_t>(p.extra.size());
        p.extra.insert(p.extra.end(), std::begin(all), std::end(all));
        return at;
    }

    operand temporary(unsigned bytes) { return {names.place_bytes(bytes)}; }

    symbol look_up(std::string_view name) {
        symbol s = names.find(name);
        if (s.kind != symbol_kind::unknown) return s;
        if (const auto found = globals.find(name); found != globals.end()) return found->second;
        return {};
    }
    [[noreturn]] static void unknown(std::string_view name) { refuse("unknown name '" + std::string{name} + "'"); }

    /// A register that is written. `width` receives its bytes.
    operand destination(const argument& a, unsigned* width = nullptr) {
        if (a.kind == argument_kind::sink) return {};
        need(a.kind == argument_kind::name, "a register is expected as the destination");
        return destination(a.name, width);
    }
    operand destination(std::string_view name, unsigned* width = nullptr) {
        if (name.empty() || name == "_") return {};
        const symbol s = look_up(name);
        if (s.kind != symbol_kind::reg) unknown(name);
        if (width != nullptr) *width = s.size;
        return {s.where};
    }

    /// A register, special register, immediate or address that is read as a type. `width` null: it must have the type's size.
    operand source(const argument& a, type t, unsigned* width = nullptr) {
        const unsigned size = size_of(t);
        if (width != nullptr) *width = size;
        switch (a.kind) {
        case argument_kind::name: return named(a, t, width);
        case argument_kind::integer: {
            if (t == type::pred) return {operand::constant | p.constants.add(a.bits != 0 ? ~0u : 0u, 0, 0)};
            std::uint64_t bits = a.bits;
            if (t == type::f64) bits = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(bits)));
            if (t == type::f32) bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(bits)));
            return immediate(bits, size, static_cast<std::int64_t>(bits) < 0 && (t != type::f64 && t != type::f32) ? ~std::uint64_t{0} : 0);
        }
        case argument_kind::real: return immediate(real_bits(a.value, t), size);
        case argument_kind::single_bits: return immediate(a.bits, size); // an f64 has these as its lower bits, by ptxas
        case argument_kind::double_bits:
            if (t == type::f32) return immediate(std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(a.bits))), size);
            return immediate(a.bits, size);
        case argument_kind::vector:
            if (a.count == 1 && current != nullptr) return source(current->elements[a.first], t, width);
            break;
        default: break;
        }
        refuse("an operand of an unexpected form");
    }
    operand immediate(std::uint64_t bits, unsigned size, std::uint64_t high = 0) {
        if (size < 8 && size != 0) bits &= (std::uint64_t{1} << (8 * size)) - 1;
        return {operand::constant | p.constants.add(bits, size == 16 ? high : 0, size)};
    }
    static std::uint64_t real_bits(double v, type t) {
        switch (t) {
        case type::f64:
        case type::b64: return std::bit_cast<std::uint64_t>(v);
        case type::f16: return to_half(v);
        case type::bf16: return to_bfloat(v);
        default: return std::bit_cast<std::uint32_t>(static_cast<float>(v));
        }
    }

    /// A predicate that is read; negated ones go through a register of their own.
    operand predicate(const argument& a) {
        operand o = source(a, type::pred);
        if (!a.negated) return o;
        instruction i = make(logic_detail::predicates([](std::uint32_t x, std::uint32_t) { return ~x; }));
        i.flow = flow::keep;
        i.a = o;
        i.d = temporary(0);
        const operand kept = guard;
        guard = {};
        emit(i);
        guard = kept;
        return i.d;
    }

    /// A constant that a variable's address becomes once it is known.
    operand address_constant(std::string_view name, int shared, std::int64_t add, unsigned width) {
        const std::uint32_t at = p.constants.append(0, 0, width);
        p.references.push_back({std::string{name}, shared, at, add, width});
        return {operand::constant | at};
    }
    void uses_shared(std::uint32_t number) {
        for (const std::uint32_t known : self->shared)
            if (known == number) return;
        self->shared.push_back(number);
    }

    /// The address that a symbol's name stands for.
    operand address_of(std::string_view name, const symbol& s, std::int64_t add, unsigned width) {
        switch (s.kind) {
        case symbol_kind::shared: uses_shared(s.where); return address_constant(name, static_cast<int>(s.where), add, width);
        case symbol_kind::variable: return address_constant(s.where == 0 ? name : p.own[s.where - 1].name, -1, add, width);
        case symbol_kind::function: return address_constant(name, -2, static_cast<std::int64_t>(function_window + s.where), width);
        case symbol_kind::kernel_param:
            return {operand::constant | p.constants.add(param_window + s.where + static_cast<std::uint64_t>(add), 0, width)};
        case symbol_kind::param: return {operand::constant | p.constants.add(s.where + static_cast<std::uint64_t>(add), 0, width)};
        case symbol_kind::local: {
            instruction i = make(&local_address);
            i.flow = flow::special;
            i.d = temporary(width);
            i.immediate = static_cast<std::int64_t>(s.where) + add;
            i.width = static_cast<std::uint8_t>(width);
            const operand kept = guard;
            guard = {};
            emit(i);
            guard = kept;
            return i.d;
        }
        default: unknown(name);
        }
    }
    static void local_address(context& c, const instruction& in, std::uint32_t mask) {
        const std::uint64_t at = c.here().local_base + static_cast<std::uint64_t>(in.immediate);
        each_lane(mask, [&](unsigned i) { set_value(c, in.d, in.width, i, at); });
    }

    const statement* current = nullptr;

    /// The address of an array's element whose index is in a register. Devices work out the distance in 32 bits.
    operand element_of(const argument& a, const symbol& array, unsigned width) {
        instruction i = make(&element_address);
        i.flow = flow::compute;
        unsigned index_width = 0;
        const symbol index = look_up(a.second);
        if (index.kind != symbol_kind::reg) unknown(a.second);
        index_width = index.size;
        need(index_width == 2 || index_width == 4 || index_width == 8, "an index of this size");
        const operand kept = guard;
        guard = {};
        i.a = address_of(a.name, array, 0, width);
        i.b = {index.where};
        i.d = temporary(width);
        i.size = static_cast<std::uint8_t>(index_width);
        i.width = static_cast<std::uint8_t>(width);
        i.immediate = array.stride;
        i.target = static_cast<std::uint32_t>(a.offset) * array.stride;
        emit(i);
        guard = kept;
        return i.d;
    }
    static void element_address(context& c, const instruction& in, std::uint32_t mask) {
        each_lane(mask, [&](unsigned i) {
            const auto distance = static_cast<std::uint32_t>(wide_value(c, in.b, in.size, i) * static_cast<std::uint64_t>(in.immediate));
            set_value(c, in.d, in.width, i, wide_value(c, in.a, in.width, i) + (distance + in.target));
        });
    }

  private:
    /// A register and an immediate, as in `st.u32 [p], r+1`.
    operand sum_of(operand r, unsigned width, std::int64_t add) {
        need(width == 2 || width == 4 || width == 8, "a sum of a register of this size");
        instruction i = make(&register_and_immediate);
        i.flow = flow::compute;
        i.a = r;
        i.d = temporary(width);
        i.width = static_cast<std::uint8_t>(width);
        i.immediate = add;
        const operand kept = guard;
        guard = {};
        emit(i);
        guard = kept;
        return i.d;
    }
    static void register_and_immediate(context& c, const instruction& in, std::uint32_t mask) {
        each_lane(mask, [&](unsigned i) {
            set_value(c, in.d, in.width, i, wide_value(c, in.a, in.width, i) + static_cast<std::uint64_t>(in.immediate));
        });
    }
    operand named(const argument& a, type t, unsigned* width) {
        const unsigned size = size_of(t);
        if (const symbol s = look_up(a.name); s.kind == symbol_kind::reg) {
            if (width != nullptr)
                *width = s.size;
            else if (s.size != size)
                refuse("the register " + std::string{a.name} + " has " + std::to_string(8 * s.size) + " bits, the operand " +
                       std::to_string(8 * size));
            return a.offset == 0 ? operand{s.where} : sum_of({s.where}, s.size, a.offset);
        } else if (s.kind != symbol_kind::unknown)
            return address_of(a.name, s, a.offset, size);
        if (const auto* const k = find_special(a.name)) {
            instruction i = make(&special_detail::read);
            i.flow = flow::special;
            const unsigned wanted = k->width == 0 ? 0 : size;
            i.option = static_cast<std::uint8_t>(k->which);
            i.size = static_cast<std::uint8_t>(wanted);
            i.d = temporary(wanted);
            const operand kept = guard;
            guard = {};
            emit(i);
            guard = kept;
            return i.d;
        }
        for (const special_detail::reserved_offset& r : special_detail::reserved_offsets)
            if (a.name == r.name) return reserved(a.name, r.value, size);
        if (a.name.size() > 1 && a.name[0] == '%') refuse("unknown register '" + std::string{a.name} + "'");
        unknown(a.name);
    }
    /// An offset in the system's own shared memory, which the kernel then has.
    operand reserved(std::string_view name, std::uint32_t offset, unsigned size) {
        if (p.reserved_shared < 0) {
            p.reserved_shared = static_cast<int>(p.shared.size());
            p.shared.push_back({"the system's shared memory", special_detail::reserved_shared_bytes, 16, 0});
        }
        uses_shared(static_cast<std::uint32_t>(p.reserved_shared));
        return address_constant(name, p.reserved_shared, offset, size);
    }
};

} // namespace hanabi::host::ptx

#endif
