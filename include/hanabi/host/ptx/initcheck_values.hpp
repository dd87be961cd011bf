// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How bits without values go from registers to registers.

#ifndef HANABI_HOST_PTX_INITCHECK_VALUES_HPP
#define HANABI_HOST_PTX_INITCHECK_VALUES_HPP

#include <hanabi/host/ptx/compare.hpp>
#include <hanabi/host/ptx/initcheck_registers.hpp>
#include <hanabi/host/ptx/initcheck_shadow.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hanabi::host::ptx::initcheck_detail {

/// Takes what registers lack through instructions that compute or move values.
class value_follower {
  public:
    /// The results of an instruction have values.
    void clear_results(const context& c, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        each_register(*c.l->code, in, [&](operand o, bool written) {
            if (written) s.clear(o, mask);
        });
    }
    /// The origin of what operands lack: the first one's that does.
    static origin first_of(const frame_shadow& s, const instruction& in, std::uint32_t mask) {
        for (const operand o : {in.a, in.b, in.c, in.e})
            if ((s.lanes_of(o) & mask) != 0) return s.from(o);
        return {};
    }
    static origin computed(origin from) noexcept { return {~0u, from.event}; }
    static std::uint32_t lacking(const frame_shadow& s, const instruction& in) {
        return s.lanes_of(in.a) | s.lanes_of(in.b) | s.lanes_of(in.c) | s.lanes_of(in.e);
    }

    /// An instruction that reads registers which lack something, and writes others.
    void move(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        const origin from = first_of(s, in, mask);
        const unsigned width = s.has(in.d) ? s.width(in.d) : 0;
        switch (in.flow) {
        case flow::sum:
            if (width >= 2 && same_width(s, in, width)) {
                lane_bits out = s.bits_of(in.a);
                const lane_bits b = s.bits_of(in.b), third = s.bits_of(in.c);
                for (unsigned i = 0; i < lanes; ++i) {
                    const std::uint64_t v = out.of[i] | b.of[i] | third.of[i];
                    out.of[i] = v | (0 - v);
                }
                return s.set(in.d, mask, out, computed(from));
            }
            break;
        case flow::halves:
        case flow::words: {
            lane_bits out = s.bits_of(in.a);
            const lane_bits b = s.bits_of(in.b), third = s.bits_of(in.c);
            const unsigned part = in.flow == flow::halves ? 16 : 32;
            const std::uint64_t whole = (std::uint64_t{1} << part) - 1;
            for (unsigned i = 0; i < lanes; ++i) {
                const std::uint64_t v = out.of[i] | b.of[i] | third.of[i];
                out.of[i] = 0;
                for (unsigned k = 0; k < 64; k += part)
                    if ((v >> k & whole) != 0) out.of[i] |= whole << k;
            }
            return s.set(in.d, mask, out, computed(from));
        }
        case flow::keep:
            if (!s.has(in.d)) return;
            if (s.has(in.a)) std::memcpy(kept_.data(), s.at(in.a), bytes_of(s.width(in.a)));
            return keep(s, in.d, mask, from);
        case flow::move: return run_on_bits(c, s, in, mask, 1, from);
        case flow::merge: return run_on_bits(c, s, in, mask, 2, from);
        case flow::choose: return choose(c, s, in, mask, width, from);
        case flow::bit_and:
        case flow::bit_or:
        case flow::bit_xor:
        case flow::table:
        case flow::table_predicate: return combine(c, s, in, mask, width, from);
        case flow::compare: return compare(c, s, in, mask, from);
        case flow::pack:
        case flow::unpack: return repack(c, s, in, mask);
        case flow::vote: return vote(c, s, in, mask, from);
        case flow::match:
        case flow::reduce: {
            const std::uint32_t all = (s.lanes_of(in.a) & mask) != 0 ? mask : 0;
            s.set_all(in.d, mask, all, computed(from));
            if (in.flow == flow::match) s.set_all({in.target}, mask, all, computed(from));
            return;
        }
        case flow::elect: return;
        case flow::multiply:
        case flow::multiply_fragments: return multiply(c, s, in, mask);
        default: break;
        }
        const std::uint32_t all = lacking(s, in) & mask;
        each_register(*c.l->code, in, [&](operand o, bool written) {
            if (written) s.set_all(o, mask, all, computed(from));
        });
    }
    /// The lane that each takes its value from in a shuffle, `lanes` where it takes part in none and the value is 0: the
    /// instruction's own handler says so.
    std::array<std::uint8_t, lanes> sources(const context& c, const instruction& in, std::uint32_t mask) {
        context alone = c;
        alone.base[0] = reinterpret_cast<std::byte*>(scratch_.data());
        instruction i = in;
        unsigned k = 1;
        for (operand* const o : {&i.b, &i.c}) {
            if (!o->is_constant()) {
                std::memcpy(alone.base[0] + cell_bytes * k, c.base[0] + o->where, 4 * lanes);
                o->where = static_cast<std::uint32_t>(cell_bytes * k);
            }
            ++k;
        }
        std::uint32_t numbers[lanes];
        for (unsigned lane = 0; lane < lanes; ++lane) numbers[lane] = lane + 1;
        std::memcpy(alone.base[0], numbers, sizeof numbers);
        i.a.where = 0;
        i.d.where = cell_bytes * 4;
        i.e = {}; // who takes part is known
        i.target = operand::nothing;
        in.run(alone, i, mask);
        std::memcpy(numbers, alone.base[0] + cell_bytes * 4, sizeof numbers);
        std::array<std::uint8_t, lanes> out{};
        for (unsigned lane = 0; lane < lanes; ++lane)
            out[lane] = static_cast<std::uint8_t>((numbers[lane] == 0 ? lanes : numbers[lane] - 1) & 63);
        return out;
    }

  private:
    static std::size_t bytes_of(unsigned width) noexcept { return width == 0 ? 4 : std::size_t{width} * lanes; }
    static bool same_width(const frame_shadow& s, const instruction& in, unsigned width) {
        for (const operand o : {in.a, in.b, in.c})
            if (s.has(o) && s.width(o) != width) return false;
        return true;
    }
    /// Takes over the bits that lie in kept_.
    void keep(frame_shadow& s, operand d, std::uint32_t mask, origin why) {
        const unsigned w = s.width(d);
        if (w == 0) {
            std::uint32_t was = 0, is = 0;
            std::memcpy(&was, s.at(d), 4);
            std::memcpy(&is, kept_.data(), 4);
            is = (was & ~mask) | (is & mask);
            std::memcpy(s.at(d), &is, 4);
        } else
            each_lane(mask, [&](unsigned i) { std::memcpy(s.at(d) + i * w, kept_.data() + i * w, w); });
        s.settle(d, mask, why);
    }

    /// An instruction that moves bits does the same to the bits that lack values: its own handler works on them. The first
    /// `data` operands are moved, the others say where to.
    void run_on_bits(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask, unsigned data, origin from) {
        if (!s.has(in.d)) return;
        const operand operands[4] = {in.a, in.b, in.c, in.e};
        std::uint32_t unknown = 0; // lanes where to is not known
        context bits = c;
        bits.base[0] = reinterpret_cast<std::byte*>(scratch_.data());
        instruction i = in;
        operand* const moved[4] = {&i.a, &i.b, &i.c, &i.e};
        for (unsigned k = 0; k < 4; ++k) {
            const operand o = operands[k];
            std::byte* const room = bits.base[0] + cell_bytes * k;
            if (!o.given()) continue;
            if (k < data) {
                if (s.is_dirty(o))
                    std::memcpy(room, s.at(o), bytes_of(s.width(o)));
                else
                    std::memset(room, 0, cell_bytes);
            } else {
                if (o.is_constant()) continue;
                unknown |= s.lanes_of(o);
                std::memcpy(room, c.base[0] + o.where, bytes_of(s.width(o)));
            }
            moved[k]->where = static_cast<std::uint32_t>(cell_bytes * k);
        }
        std::byte* const out = bits.base[0] + cell_bytes * 4;
        i.d.where = static_cast<std::uint32_t>(cell_bytes * 4);
        std::memset(out, 0, cell_bytes);
        in.run(bits, i, mask);
        const unsigned w = s.width(in.d);
        each_lane(mask, [&](unsigned lane) { std::memcpy(s.at(in.d) + lane * w, out + lane * w, w); });
        each_lane(mask & unknown, [&](unsigned lane) { std::memset(s.at(in.d) + lane * w, 0xff, w); });
        from.computed |= unknown;
        s.settle(in.d, mask, from);
    }
    /// selp.
    void choose(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask, unsigned width, origin from) {
        if (!s.has(in.d)) return;
        const std::uint32_t which = in.option != 0 ? ~c.predicate(in.c) : c.predicate(in.c), unknown = s.lanes_of(in.c);
        const lane_bits a = s.bits_of(in.a), b = s.bits_of(in.b);
        lane_bits out;
        const auto value = [&](operand o, unsigned i) {
            return width == 0 ? std::uint64_t{c.predicate(o) >> i & 1} : wide_value(c, o, width, i);
        };
        each_lane(mask, [&](unsigned i) {
            if ((unknown >> i & 1) != 0)
                out.of[i] = a.of[i] | b.of[i] | (value(in.a, i) ^ value(in.b, i)); // where both have the same, that is it
            else
                out.of[i] = (which >> i & 1) != 0 ? a.of[i] : b.of[i];
        });
        const auto from_a = s.from(in.a).computed & which, from_b = s.from(in.b).computed & ~which;
        from.computed = from_a | from_b | unknown;
        for (const operand o : {in.a, in.b}) // whose bits are taken
            if ((s.lanes_of(o) & mask & (o.where == in.a.where ? which : ~which) & ~unknown) != 0) from.event = s.from(o).event;
        s.set(in.d, mask, out, from);
    }
    /// Logic: bit by bit, a bit that is known may decide.
    void combine(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask, unsigned width, origin from) {
        if (width > 8) return s.set_all(in.d, mask, lacking(s, in) & mask, computed(from));
        const bool three = in.flow == flow::table || in.flow == flow::table_predicate;
        const auto table = static_cast<std::uint32_t>(in.immediate);
        const lane_bits ua = s.bits_of(in.a), ub = s.bits_of(in.b), uc = three ? s.bits_of(in.c) : lane_bits{};
        lane_bits out;
        std::uint32_t lacks = 0;
        const auto value = [&](operand o, unsigned i) {
            return width == 0 ? std::uint64_t{c.predicate(o) >> i & 1} : wide_value(c, o, width, i);
        };
        each_lane(mask, [&](unsigned i) {
            const std::uint64_t a = value(in.a, i), b = value(in.b, i), x = ua.of[i], y = ub.of[i];
            switch (in.flow) {
            case flow::bit_and: out.of[i] = (x | y) & (a | x) & (b | y); break;
            case flow::bit_or: out.of[i] = (x | y) & (~a | x) & (~b | y); break;
            case flow::bit_xor: out.of[i] = x | y; break;
            default: {
                const std::uint64_t third = value(in.c, i), z = uc.of[i];
                std::uint64_t can[2] = {0, 0};
                for (unsigned k = 0; k < 8; ++k)
                    can[table >> k & 1] |=
                        (((k & 4) != 0 ? a : ~a) | x) & (((k & 2) != 0 ? b : ~b) | y) & (((k & 1) != 0 ? third : ~third) | z);
                out.of[i] = can[0] & can[1];
                break;
            }
            }
            lacks |= static_cast<std::uint32_t>(out.of[i] != 0) << i;
        });
        origin why = from;
        why.computed = s.from(in.a).computed | s.from(in.b).computed | (three ? s.from(in.c).computed : 0u);
        s.set(in.d, mask, out, why);
        if (in.flow != flow::table_predicate) return;
        const operand given{in.target};
        s.set_all(in.e, mask, (lacks | s.lanes_of(given)) & mask, computed(from));
    }
    /// setp: where the predicate it is combined with decides, the operands do not count, and the reverse.
    void compare(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask, origin from) {
        const std::uint32_t lacks = s.lanes_of(in.a) | s.lanes_of(in.b);
        if (in.run == nullptr || (in.option & compare_detail::how) == 0) {
            s.set_all(in.d, mask, lacks & mask, computed(from));
            s.set_all(in.e, mask, lacks & mask, computed(from));
            return;
        }
        // What the comparison itself says: the same, alone, into two words of its own.
        context alone = c;
        alone.base[0] = reinterpret_cast<std::byte*>(scratch_.data());
        instruction i = in;
        i.option = static_cast<std::uint8_t>(i.option & ~compare_detail::how);
        unsigned k = 0;
        for (operand* const o : {&i.a, &i.b}) {
            if (!o->is_constant()) {
                std::memcpy(alone.base[0] + cell_bytes * k, c.base[0] + o->where, bytes_of(s.width(*o)));
                o->where = static_cast<std::uint32_t>(cell_bytes * k);
            }
            ++k;
        }
        i.c = {};
        i.d.where = cell_bytes * 4;
        i.e = {};
        if (in.e.given()) i.e.where = cell_bytes * 4 + 64;
        in.run(alone, i, mask);
        const std::uint32_t given = c.predicate(in.c), no_given = s.lanes_of(in.c);
        const auto result = [&](operand d, unsigned at) {
            if (!d.given()) return;
            std::uint32_t said = 0, out = lacks | no_given;
            std::memcpy(&said, alone.base[0] + at, 4);
            switch (in.option & compare_detail::how) {
            case compare_detail::with_and: out &= (said | lacks) & (given | no_given); break;
            case compare_detail::with_or: out &= (~said | lacks) & (~given | no_given); break;
            default: break;
            }
            s.set_all(d, mask, out & mask, computed(from));
        };
        result(in.d, cell_bytes * 4);
        result(in.e, cell_bytes * 4 + 64);
    }
    void repack(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        const auto& extra = c.l->code->extra;
        if (in.flow == flow::unpack) {
            const origin from = s.from(in.a);
            std::memcpy(kept_.data(), s.at(in.a), bytes_of(in.width));
            for (unsigned k = 0; k < in.count; ++k) {
                const operand to = extra[in.target + k];
                if (!s.has(to)) continue;
                each_lane(mask, [&](unsigned i) {
                    std::memcpy(s.at(to) + std::size_t{in.size} * i, kept_.data() + std::size_t{in.width} * i + std::size_t{in.size} * k,
                                in.size);
                });
                s.settle(to, mask, from);
            }
            return;
        }
        if (!s.has(in.d)) return;
        origin why;
        std::memset(kept_.data(), 0, bytes_of(in.width));
        for (unsigned k = 0; k < in.count; ++k) {
            const operand from = extra[in.target + k];
            if (!s.is_dirty(from)) continue;
            if (why.event == 0) why.event = s.from(from).event;
            why.computed |= s.from(from).computed;
            each_lane(mask, [&](unsigned i) {
                std::memcpy(kept_.data() + std::size_t{in.width} * i + std::size_t{in.size} * k, s.at(from) + std::size_t{in.size} * i,
                            in.size);
            });
        }
        keep(s, in.d, mask, why);
    }
    /// vote: the lanes that are known may decide; a ballot lacks the bits of the others.
    void vote(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask, origin from) {
        const std::uint32_t unknown = s.lanes_of(in.a) & mask;
        if (!s.has(in.d)) return;
        if (s.width(in.d) != 0) {
            lane_bits out;
            each_lane(mask, [&](unsigned i) { out.of[i] = unknown; });
            return s.set(in.d, mask, out, computed(from));
        }
        context alone = c;
        alone.base[0] = reinterpret_cast<std::byte*>(scratch_.data());
        instruction i = in;
        i.a.where = 0;
        i.d.where = 64;
        i.e = {};
        std::uint32_t said[2]{};
        for (unsigned k = 0; k < 2; ++k) {
            const std::uint32_t votes = (c.predicate(in.a) & ~unknown) | (k != 0 ? unknown : 0);
            std::memcpy(alone.base[0], &votes, 4);
            in.run(alone, i, mask);
            std::memcpy(&said[k], alone.base[0] + 64, 4);
        }
        s.set_all(in.d, mask, unknown == 0 ? 0 : (said[0] ^ said[1]) & mask, computed(from));
    }
    /// Products of matrices: an element of the result lacks something if it depends on what the operands lack, which shows
    /// when they are made of zeros there, and of ones.
    void multiply(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        if (mask != ~0u) return;
        const std::size_t bytes = c.here().registers.size();
        room made[2] = {room{bytes}, room{bytes}};
        std::vector<operand> results;
        origin from;
        for (room& r : made) std::memcpy(r.data(), c.base[0], bytes);
        each_register(*c.l->code, in, [&](operand o, bool written) {
            if (written) results.push_back(o);
            if (written || !s.is_dirty(o)) return;
            if (from.event == 0) from = s.from(o);
            for (std::size_t k = 0; k < bytes_of(s.width(o)); ++k) {
                made[0].data()[o.where + k] &= ~s.at(o)[k];
                made[1].data()[o.where + k] |= s.at(o)[k];
            }
        });
        for (room& r : made) {
            context alone = c;
            alone.base[0] = r.data();
            in.run(alone, in, mask);
        }
        for (const operand o : results) {
            if (!s.has(o)) continue;
            const std::size_t size = bytes_of(s.width(o));
            for (std::size_t k = 0; k < size; k += 2) {
                const bool same = std::memcmp(made[0].data() + o.where + k, made[1].data() + o.where + k, 2) == 0;
                std::memset(s.at(o) + k, same ? 0 : 0xff, 2);
            }
            s.settle(o, mask, computed(from));
        }
    }

    static constexpr std::uint32_t cell_bytes = 16 * lanes; ///< of the largest register
    alignas(64) std::array<std::uint8_t, cell_bytes * 5> scratch_{};
    alignas(64) std::array<std::byte, cell_bytes> kept_{};
};

} // namespace hanabi::host::ptx::initcheck_detail

#endif
