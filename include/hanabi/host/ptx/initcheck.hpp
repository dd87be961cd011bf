// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Finds uses of memory, and of registers, that nothing has written. Which bits have values is known of memory (of global
/// memory by the driver: host/definedness.hpp) and, for a warp that has loaded some without, of its registers. To load them,
/// move them, copy them to other memory, or compute with them is no mistake: structs have padding, compilers compute what
/// they then do not take. A use is what the kernel's results depend on: an address, a branch or a guard, an atomic
/// operation, what is printed, what a barrier is given; and a store to global memory of what was computed from them.
///
/// A warp whose registers lack nothing is looked at where it accesses memory only; once a load brings bits without values,
/// at every instruction, until no register that is read again lacks any.

#ifndef HANABI_HOST_PTX_INITCHECK_HPP
#define HANABI_HOST_PTX_INITCHECK_HPP

#include <hanabi/host/ptx/initcheck_accesses.hpp>
#include <hanabi/host/ptx/initcheck_bits.hpp>
#include <hanabi/host/ptx/initcheck_events.hpp>
#include <hanabi/host/ptx/initcheck_places.hpp>
#include <hanabi/host/ptx/initcheck_registers.hpp>
#include <hanabi/host/ptx/initcheck_shadow.hpp>
#include <hanabi/host/ptx/initcheck_values.hpp>
#include <hanabi/host/ptx/machine.hpp>
#include <hanabi/host/ptx/observer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hanabi::host::ptx {

/// One for each thread that works at a launch.
class initcheck : public observer {
  public:
    initcheck(const launch& of, register_book& book)
        : l_{of}, places_{of, book}, events_{of, places_}, accesses_{places_, events_, values_} {}

    std::uint8_t interest() const noexcept override { return accesses_memory | within_warp; }

    void begin(block& b) override {
        block_shadow& s = places_.begin(b);
        for (warp& w : b.warps) {
            warp_shadow& lacks = *s.warps[w.index];
            for (const auto& f : lacks.frames) f.second->forget(~0u);
            lacks.carry = lacks.steps = 0;
            lacks.fit(w);
            frame& first = *w.groups.front().at;
            places_.empty_local(lacks, first, ~0u);
            begin_frame(w, lacks, first, w.born);
        }
    }

    void before(context& c, const instruction& in, std::uint32_t mask) override {
        warp_shadow& lacks = places_.here(c);
        if (lacks.dirty != 0 || lacks.carry != 0) {
            follow(c, lacks, in, mask);
            if (lacks.dirty == 0 && lacks.carry == 0)
                rest(c);
            else if (++lacks.steps % 256 == 0)
                drop_dead(c, lacks, in);
            return;
        }
        if ((c.w->interest & moves_values) != 0) rest(c);
        if (mask == 0) return;
        accesses_.follow(c, lacks, nullptr, in, mask);
        if (lacks.dirty != 0) c.w->interest |= moves_values;
    }

    void called(context& c, const call_site& site, frame& callee, std::uint32_t mask) override {
        warp_shadow& lacks = places_.here(c);
        lacks.fit(*c.w);
        if (callee.of->local_bytes != 0) places_.empty_local(lacks, callee, mask);
        frame_shadow* const caller = lacks.dirty == 0 ? nullptr : lacks.find(c.here());
        begin_frame(*c.w, lacks, callee, mask);
        if (caller == nullptr || !caller->is_dirty()) return;
        for (std::size_t k = 0; k < site.arguments.size(); ++k) {
            const call_site::value& from = site.arguments[k];
            const formal& to = callee.of->parameters[k];
            hand_over(lacks, *caller, from.in_register, from.where, from.size, callee, to.in_register, to.offset, to.size, mask);
        }
        caller->params_done();
    }
    void returned(context& c, const call_site& site, frame& callee, std::uint32_t mask) override {
        warp_shadow& lacks = places_.here(c);
        if (lacks.dirty == 0) return;
        frame_shadow* const from = lacks.find(callee);
        frame& caller = *callee.parent;
        for (std::size_t k = 0; k < site.results.size(); ++k) {
            const call_site::value& to = site.results[k];
            const formal& value = callee.of->results[k];
            if (from != nullptr && from->is_dirty())
                hand_over(lacks, *from, value.in_register, value.offset, value.size, caller, to.in_register, to.where, to.size, mask);
            else if (frame_shadow* const known = lacks.find(caller); known != nullptr && to.in_register)
                known->clear({to.where}, mask);
        }
        if (from != nullptr) from->forget(mask);
    }
    /// Barriers part the writing of shared memory from its reading: once all of it is written, nobody need look.
    void passed(warp& w, std::uint32_t, std::uint32_t) override {
        block_shadow& s = places_.of(*w.owner);
        if (s.full || s.skips-- != 0) return;
        s.full = initcheck_detail::complete(s.shared.data(), s.shared.size());
        if (s.looks < 8) ++s.looks;
        s.skips = (1u << s.looks) - 1;
    }
    void joined(warp& w, frame& to, frame& from, std::uint32_t mask) override {
        warp_shadow& lacks = *places_.of(*w.owner).warps[w.index];
        frame_shadow *const a = lacks.find(to), *const b = lacks.find(from);
        if ((a == nullptr || !a->is_dirty()) && (b == nullptr || !b->is_dirty())) return;
        frame_shadow &x = places_.of(lacks, to), &y = places_.of(lacks, from);
        x.join(y, mask);
    }
    void reads(context& c, std::uint64_t address, unsigned bytes, unsigned lane) override {
        const std::uint8_t* const bits = places_.bits_at(c, places_.here(c), space::generic, address, bytes, lane);
        if (bits == nullptr || initcheck_detail::complete(bits, bytes)) return;
        const std::uint64_t first = address + initcheck_detail::first_lacking(bits, bytes);
        throw fault{driver::status::launch_failed,
                    "Uninitialised value: printf prints " + places_.place_of(space::generic, first) + ", which nothing has written", lane};
    }

  private:
    using frame_shadow = initcheck_detail::frame_shadow;
    using warp_shadow = initcheck_detail::warp_shadow;
    using block_shadow = initcheck_detail::block_shadow;
    using value_follower = initcheck_detail::value_follower;
    using origin = initcheck_detail::origin;

    void begin_frame(warp& w, warp_shadow& lacks, frame& f, std::uint32_t mask) {
        if (frame_shadow* const old = lacks.dirty == 0 ? nullptr : lacks.find(f); old != nullptr) old->forget(mask);
        const auto& registers = places_.known(*f.of);
        if (registers.unset().empty()) return;
        frame_shadow& s = places_.of(lacks, f);
        for (const std::uint32_t cell : registers.unset()) s.set_all({f.of->cells[cell].at}, mask, mask, {});
        w.interest |= moves_values;
    }
    static void rest(context& c) noexcept { c.w->interest = static_cast<std::uint8_t>(c.w->interest & ~moves_values); }

    /// What nobody reads again need not be followed.
    void drop_dead(context& c, warp_shadow& lacks, const instruction& in) {
        const auto at = static_cast<std::uint32_t>(&in - l_.code->code.data());
        lacks.carry = 0;
        for (const auto& [f, s] : lacks.frames) {
            if (!s->is_dirty()) continue;
            std::vector<std::uint32_t> places;
            for (const group& g : c.w->groups)
                for (const frame* x = g.at; x != nullptr; x = x->parent) {
                    if (x == f) places.push_back(&g == c.g ? at + 1 : g.pc);
                    if (x->parent == f) places.push_back(x->return_to);
                }
            for (const frame* x = c.g->at; x != nullptr; x = x->parent)
                if (x == f) places.push_back(at);
            s->drop_dead([&, known = s.get()](std::uint32_t cell) {
                return std::any_of(places.begin(), places.end(), [&](std::uint32_t pc) { return known->known().live(cell, pc); });
            });
        }
        if (lacks.dirty == 0) rest(c);
    }

    /// An instruction of a warp whose registers lack something.
    void follow(context& c, warp_shadow& lacks, const instruction& in, std::uint32_t mask) {
        frame_shadow* const found = lacks.find(c.here());
        const bool clean = found == nullptr || !found->is_dirty();
        if (clean && lacks.carry == 0) { // other frames do
            if (mask != 0) accesses_.follow(c, lacks, nullptr, in, mask);
            return;
        }
        frame_shadow& s = found == nullptr ? places_.of(lacks, c.here()) : *found;
        if (in.guard != operand::nothing)
            events_.use(s, {in.guard}, c.g->mask,
                        in.kind == step::branch ? "a branch depends on what is" : "the guard of an instruction is");
        if (mask == 0) return;
        bool reads = false, writes = false;
        initcheck_detail::each_register(*c.l->code, in, [&](operand o, bool written) { (written ? writes : reads) |= s.is_dirty(o); });
        switch (in.flow) {
        case flow::nothing:
        case flow::fence:
        case flow::async_wait: return;
        case flow::load:
        case flow::store:
        case flow::atomic:
        case flow::async_copy:
        case flow::bulk_copy:
        case flow::async_store:
        case flow::bulk_store:
        case flow::mbarrier:
        case flow::load_matrix:
        case flow::store_matrix:
        case flow::load_fragment:
        case flow::store_fragment:
            events_.use(s, in.a, mask, "an address is");
            if (in.flow == flow::load_fragment || in.flow == flow::store_fragment) events_.use(s, in.b, mask, "the distance of rows is");
            if (in.flow == flow::mbarrier) {
                events_.use(s, in.b, mask, "an mbarrier operation is given what is");
                s.clear(in.d, mask);
            }
            return accesses_.follow(c, lacks, &s, in, mask);
        case flow::shuffle: return accesses_.shuffle(c, s, in, mask);
        case flow::barrier:
            events_.use(s, in.a, mask, "the number of a barrier is");
            events_.use(s, in.b, mask, "the count of a barrier is");
            events_.use(s, in.c, mask, "a barrier is given what is");
            events_.use(s, in.e, mask, "the mask of a warp operation is");
            return s.clear(in.d, mask);
        case flow::branch: return events_.use(s, in.a, mask, "the index of a branch is");
        case flow::call:
        case flow::call_built_in: return call(c, s, in, mask);
        case flow::carry_in:
        case flow::carry_through:
        case flow::carry_out: return compute_with_carry(lacks, s, in, mask);
        case flow::frame_load:
        case flow::frame_load_indirect:
            if (in.flow == flow::frame_load_indirect) events_.use(s, in.a, mask, "an address is");
            return load_frame(c, s, in, mask);
        case flow::frame_store:
        case flow::frame_store_indirect:
            if (in.flow == flow::frame_store_indirect) events_.use(s, in.a, mask, "an address is");
            if (reads || s.params_dirty()) store_frame(c, s, in, mask);
            return;
        case flow::vote:
        case flow::match:
        case flow::reduce:
        case flow::elect: events_.use(s, in.e, mask, "the mask of a warp operation is"); break;
        default: break;
        }
        if (!reads) {
            if (writes) values_.clear_results(c, s, in, mask);
            return;
        }
        values_.move(c, s, in, mask);
    }
    void compute_with_carry(warp_shadow& lacks, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        std::uint32_t all = value_follower::lacking(s, in);
        if (in.flow != flow::carry_out) all |= lacks.carry;
        const origin from = value_follower::first_of(s, in, mask);
        s.set_all(in.d, mask, all & mask, value_follower::computed(from));
        if (in.flow != flow::carry_in) lacks.carry = (lacks.carry & ~mask) | (all & mask);
    }

    void load_frame(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        if (!s.params_dirty()) return values_.clear_results(c, s, in, mask);
        accesses_.give(
            s, c, in, mask, [&](unsigned i) { return reinterpret_cast<const std::uint8_t*>(s.params(i)) + offset_in_frame(c, in, i); },
            s.params_from());
    }
    void store_frame(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
        each_lane(mask, [&](unsigned i) { std::memset(s.params(i) + offset_in_frame(c, in, i), 0, bytes); });
        const operand first = accesses_.lacking_operand(s, c, in, 0);
        if (!first.given()) return;
        accesses_.take(s, c, in, mask, 0, [&](unsigned i) { return s.params(i) + offset_in_frame(c, in, i); });
        s.params_changed(s.from(first));
    }
    static std::size_t offset_in_frame(const context& c, const instruction& in, unsigned lane) {
        if (in.flow == flow::frame_load || in.flow == flow::frame_store) return static_cast<std::size_t>(in.immediate);
        const std::uint64_t offset =
            wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, lane) + static_cast<std::uint64_t>(in.immediate);
        const std::size_t stride = c.here().of->param_bytes, bytes = static_cast<std::size_t>(in.size) * in.count;
        return offset + bytes > stride ? 0 : static_cast<std::size_t>(offset); // beyond: the machine says so
    }
    /// The bytes of a value that a call hands over or takes back.
    void hand_over(warp_shadow& lacks, frame_shadow& from, bool from_register, std::uint32_t from_at, std::uint32_t from_size, frame& to,
                   bool to_register, std::uint32_t to_at, std::uint32_t to_size, std::uint32_t mask) {
        const operand source{from_register ? from_at : operand::nothing};
        const bool some = from_register ? from.is_dirty(source) : from.params_dirty();
        const operand target{to_register ? to_at : operand::nothing};
        if (!some) {
            if (frame_shadow* const known = lacks.find(to); known != nullptr && to_register) known->clear(target, mask);
            return;
        }
        frame_shadow& s = places_.of(lacks, to);
        if (from_register && from_size == 0) { // a predicate
            s.set_all(target, mask, from.lanes_of(source) & mask, from.from(source));
            return;
        }
        const std::size_t size = std::min(from_size, to_size);
        const origin why = from_register ? from.from(source) : from.params_from();
        bool any = false;
        each_lane(mask, [&](unsigned i) {
            const std::byte* const bits = from_register ? from.at(source) + std::size_t{from_size} * i : from.params(i) + from_at;
            for (std::size_t k = 0; k < size; ++k) any = any || bits[k] != std::byte{0};
            std::memcpy(to_register ? s.at(target) + std::size_t{to_size} * i : s.params(i) + to_at, bits, size);
        });
        if (to_register)
            s.settle(target, mask, why);
        else if (any)
            s.params_changed(why);
    }
    void call(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        const call_site& site = c.l->code->calls[in.target];
        if (site.builtin == no_builtin) return events_.use(s, site.pointer, mask, "the function to call is");
        const std::size_t count = site.builtin == builtin_vprintf ? 2 : site.builtin == builtin_assert ? 0 : 1;
        for (std::size_t k = 0; k < count && k < site.arguments.size(); ++k) {
            const call_site::value& v = site.arguments[k];
            if (v.in_register)
                events_.use(s, {v.where}, mask, "an argument of a built-in function is");
            else if (s.params_dirty())
                each_lane(mask, [&](unsigned i) {
                    for (std::uint32_t b = 0; b < v.size; ++b)
                        if (s.params(i)[v.where + b] != std::byte{0})
                            events_.report("an argument of a built-in function is", s.params_from(), 1u << i);
                });
        }
        s.params_done();
        values_.clear_results(c, s, in, mask);
    }

    const launch& l_;
    initcheck_detail::known_places places_;
    initcheck_detail::event_log events_;
    value_follower values_;
    initcheck_detail::access_follower accesses_;
};

} // namespace hanabi::host::ptx

#endif
