// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Steps through a program: a warp at a time, groups of its lanes that are at the same place, lowest place first, each
/// in turn when one spins; so every lane that has started gets on.

#ifndef HANABI_HOST_PTX_STEPPER_HPP
#define HANABI_HOST_PTX_STEPPER_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/async_bulk.hpp>
#include <hanabi/host/ptx/async_copy.hpp>
#include <hanabi/host/ptx/barrier.hpp>
#include <hanabi/host/ptx/lane_group.hpp>
#include <hanabi/host/ptx/local_stack.hpp>
#include <hanabi/host/ptx/machine.hpp>
#include <hanabi/host/ptx/place.hpp>
#include <hanabi/host/ptx/runtime_call.hpp>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace hanabi::host::ptx {

/// What a turn came to.
enum class progress : std::uint8_t { ended, more, stuck };

/// Executes blocks on one thread. Where it is, is kept for messages.
class stepper {
  public:
    static constexpr std::uint32_t turn = 512;         ///< instructions of a group while others wait for theirs
    static constexpr std::uint32_t warp_turn = 8192;   ///< of a warp
    static constexpr std::uint32_t depth_limit = 4096; ///< calls within calls

    explicit stepper(const launch& of, std::span<observer* const> observers = {})
        : l_{of}, code_{of.code->code.data()}, observers_{observers} {
        for (const observer* o : observers) interest_ |= o->interest();
        c_.l = &of;
        c_.base[1] = const_cast<std::byte*>(of.constants);
    }

    /// A block with all its warps, ready to begin.
    void begin(block& b, extent index, std::uint64_t number) {
        b.of = &l_;
        b.index = index;
        b.number = number;
        b.shared_size = l_.dynamic_offset + l_.dynamic_shared;
        if (b.shared.size() < b.shared_size) b.shared = room{(b.shared_size + 63u) / 64 * 64};
        if (b.shared_size != 0) std::memset(b.shared.data(), 0xff, b.shared_size); // a NaN, as the host driver's fresh memory
        if (l_.reserved_shared != 0) std::memset(b.shared.data(), 0, l_.reserved_shared);
        const auto threads = static_cast<std::uint32_t>(l_.block.volume());
        const unsigned count = (threads + lanes - 1) / lanes;
        b.warps.resize(count);
        b.alive = threads;
        b.pending = 0;
        b.bulk.clear();
        b.next_warp = 0;
        std::fill(b.unready.begin(), b.unready.end(), std::uint8_t{0});
        for (barrier_state& s : b.barriers) s = {};
        for (unsigned i = 0; i < count; ++i) {
            warp& w = b.warps[i];
            w.owner = &b;
            w.index = i;
            const std::uint32_t left = threads - i * lanes;
            w.born = w.alive = left >= lanes ? ~0u : (1u << left) - 1;
            w.carry = w.effects = w.cluster_phase = 0;
            w.executed = w.turns = 0;
            w.rotate = false;
            w.open = {};
            w.batches.clear();
            w.bulk_open.clear();
            w.bulk_batches.clear();
            w.groups.clear();
            w.groups.reserve(lanes + 2);
            w.spare.clear();
            for (const auto& f : w.frames) w.spare.push_back(f.get());
            frame* const f = take_frame(w, *l_.kernel);
            f->parent = nullptr;
            f->site = nullptr;
            f->live = w.alive;
            f->depth = 0;
            f->local_base = 0;
            f->local_top = (l_.kernel->local_bytes + 15u) / 16 * 16;
            need_local(w, f->local_top);
            w.groups.push_back({w.alive, l_.kernel->entry, f, doing::running, 0, 0, 0});
            w.interest = interest_;
        }
        b.observers = observers_;
        for (observer* o : observers_) o->begin(b);
    }

    /// Runs a block for about `budget` instructions of warps.
    progress run(block& b, std::uint64_t budget) {
        c_.b = &b;
        std::uint64_t used = 0;
        unsigned idle = 0;
        const auto count = static_cast<unsigned>(b.warps.size());
        while (b.alive != 0) {
            warp& w = b.warps[b.next_warp];
            b.next_warp = b.next_warp + 1 == count ? 0 : b.next_warp + 1;
            const std::uint64_t before = w.executed;
            const progress p = w.alive == 0 ? progress::stuck : run_warp(w);
            used += w.executed - before;
            idle = p == progress::stuck && w.executed == before ? idle + 1 : 0;
            if (idle > count) return progress::stuck;
            if (used >= budget) return b.alive == 0 ? progress::ended : progress::more;
        }
        return progress::ended;
    }

    /// What holds a stuck block up, as a fault.
    [[noreturn]] HANABI_COLD void deadlock(block& b) {
        std::string text;
        unsigned lane = 0;
        for (warp& w : b.warps)
            for (group& g : w.groups) {
                if (g.state == doing::running) continue;
                if (text.empty()) {
                    c_.b = &b;
                    c_.w = &w;
                    c_.g = &g;
                    at_ = g.pc;
                    lane = first_lane(g.mask);
                }
                if (text.size() > 400) continue;
                text += detail::say(text.empty() ? "" : "; ", "lanes ", detail::address_text(g.mask), " of warp ", w.index, " wait ");
                if (g.state == doing::converging)
                    text += "for other lanes of their warp";
                else if (g.barrier == cluster_barrier_number)
                    text += "for the cluster";
                else
                    text += detail::say("at barrier ", g.barrier, ", where ", b.barriers[g.barrier].arrived, " of ",
                                        b.barriers[g.barrier].expected != 0 ? b.barriers[g.barrier].expected : b.alive, " threads are");
                text += ", in " + line_text(*l_.code, g.pc);
            }
        throw fault{driver::status::launch_failed, "A deadlock: no thread of the block can go on: " + text, lane};
    }

    const context& where() const noexcept { return c_; }
    std::uint32_t at() const noexcept { return at_; }

  private:
    frame* take_frame(warp& w, const function& f) {
        for (std::size_t i = w.spare.size(); i-- != 0;)
            if (w.spare[i]->of == &f) {
                frame* const found = w.spare[i];
                w.spare.erase(w.spare.begin() + static_cast<std::ptrdiff_t>(i));
                found->tops.clear();
                return found;
            }
        auto made = std::make_unique<frame>();
        made->of = &f;
        made->registers = room{f.registers + 64u};
        std::memset(made->registers.data(), 0, made->registers.size());
        made->params = room{static_cast<std::size_t>(f.param_bytes) * lanes + 16};
        std::memset(made->params.data(), 0, made->params.size());
        w.frames.push_back(std::move(made));
        return w.frames.back().get();
    }
    progress run_warp(warp& w) {
        c_.w = &w;
        std::uint32_t left = warp_turn;
        std::uint32_t spent = 0; // since the groups took turns last: a call or a return must not begin it anew
        for (;;) {
            if (w.groups.size() > 1) group_detail::merge(w);
            group* const g = group_detail::choose(w);
            if (g == nullptr) return progress::stuck;
            const bool in_turn = w.rotate;
            w.rotate = false;
            g->turn = ++w.turns;
            const std::uint32_t alone = w.groups.size() > 1 ? std::min(left, turn) : left;
            const std::uint32_t used = run_group(w, *g, alone);
            w.executed += used;
            left -= std::min(left, used);
            spent = w.rotate || w.groups.size() < 2 ? 0 : spent + used;
            if (in_turn && elsewhere_ && spent < turn) { // its turn goes on there
                g->turn = 0;
                w.rotate = true;
            } else if (spent >= turn) {
                spent = 0;
                w.rotate = true;
            }
            if (w.alive == 0) return progress::ended;
            if (left == 0 || yielded_) {
                if (l_.budget != 0 && w.executed > l_.budget)
                    throw fault{driver::status::launch_timeout,
                                detail::say("The budget of ", l_.budget, " instructions of a warp is used up: an endless loop?"),
                                w.groups.empty() ? 0 : first_lane(w.groups.front().mask)};
                return progress::more;
            }
        }
    }

    /// Runs a group until others are to run; how many instructions that were.
    std::uint32_t run_group(warp& w, group& g, std::uint32_t most) {
        c_.g = &g;
        c_.base[0] = g.at->registers.data();
        yielded_ = elsewhere_ = false;
        std::uint32_t limit = w.groups.size() > 1 ? group_detail::limit_of(w, g) : ~0u;
        std::uint32_t pc = g.pc, used = 0;
        for (;;) {
            if (used == most) {
                w.rotate = w.groups.size() > 1;
                break;
            }
            const instruction& in = code_[pc];
            std::uint32_t mask = g.mask;
            if (in.guard != operand::nothing) {
                const std::uint32_t p = *reinterpret_cast<const std::uint32_t*>(c_.base[0] + in.guard);
                mask &= in.guard_not ? ~p : p;
            }
            ++used;
            at_ = pc;
            if ((in.watched & w.interest) != 0 && in.kind != step::converge) // those are seen when all lanes are there
                for (observer* o : observers_) o->before(c_, in, mask);
            switch (in.kind) {
            case step::plain:
                if (mask != 0) in.run(c_, in, mask);
                ++pc;
                break;
            case step::rounded:
                if (mask != 0) {
                    std::fesetround(in.round == rounding::rz ? FE_TOWARDZERO : in.round == rounding::rm ? FE_DOWNWARD : FE_UPWARD);
                    in.run(c_, in, mask);
                    std::fesetround(FE_TONEAREST);
                }
                ++pc;
                break;
            case step::branch:
                if (mask == g.mask) {
                    pc = in.target;
                } else if (mask == 0)
                    ++pc;
                else {
                    const std::uint32_t next = pc + 1;
                    if (in.target < next) { // the lower place first
                        group& rest = group_detail::split(w, g, g.mask & ~mask, in.target);
                        rest.pc = next;
                        pc = in.target;
                    } else {
                        group& taken = group_detail::split(w, g, mask, next);
                        taken.pc = in.target;
                        pc = next;
                    }
                    g.pc = pc;
                    limit = group_detail::limit_of(w, g);
                    most = std::min(most, used + turn);
                }
                break;
            case step::branch_table:
                g.pc = pc;
                branch_by_table(w, g, in, mask);
                elsewhere_ = true;
                return used;
            case step::call:
                g.pc = pc;
                if (mask == 0) {
                    ++pc;
                    break;
                }
                if (call(w, g, in, mask)) return used;
                pc = g.pc;
                break;
            case step::ret:
                g.pc = pc;
                if (mask == 0) {
                    ++pc;
                    break;
                }
                leave(w, g, in, mask);
                return used;
            case step::exit:
                g.pc = pc;
                if (mask == 0) {
                    ++pc;
                    break;
                }
                end_lanes(w, g, mask);
                return used;
            case step::barrier:
                g.pc = pc;
                if (mask == 0) {
                    ++pc;
                    break;
                }
                if (g.state == doing::released) {
                    finish_barrier(in, g);
                    pc = ++g.pc;
                    limit = group_detail::limit_of(w, g);
                    break;
                }
                if (mask != g.mask) { // those that do not come go on by themselves
                    group& rest = group_detail::split(w, g, g.mask & ~mask, pc);
                    rest.pc = pc + 1;
                }
                if (reach_barrier(c_, in, g)) return used;
                pc = ++g.pc;
                limit = group_detail::limit_of(w, g);
                break;
            case step::converge: {
                g.pc = pc;
                if (mask == 0) {
                    ++pc;
                    break;
                }
                if (!converge(w, g, in, mask)) return used;
                pc = g.pc;
                limit = w.groups.size() > 1 ? group_detail::limit_of(w, g) : ~0u;
                break;
            }
            case step::yield:
                if (mask != 0) in.run(c_, in, mask);
                g.pc = pc + 1;
                yielded_ = true;
                w.rotate = w.groups.size() > 1;
                return used;
            case step::refuse:
                if (mask != 0)
                    throw fault{driver::status::illegal_instruction, "an instruction that the executor does not have", first_lane(mask)};
                ++pc;
                break;
            }
            if (pc >= limit) break;
        }
        g.pc = pc;
        return used;
    }

    void branch_by_table(warp& w, group& g, const instruction& in, std::uint32_t mask) {
        const auto& table = l_.code->tables[in.target];
        const std::uint32_t* const index = c_.at<std::uint32_t>(in.a);
        const std::uint32_t here = g.pc, all = g.mask, stays = all & ~mask;
        frame* const at = g.at;
        std::uint32_t left = mask;
        bool first = true;
        while (left != 0) {
            const unsigned lane = first_lane(left);
            const std::uint32_t value = index[lane];
            if (value >= table.size())
                throw fault{driver::status::illegal_instruction, detail::say("brx.idx with ", value, " of ", table.size(), " labels"),
                            lane};
            std::uint32_t together = 0;
            each_lane(left, [&](unsigned i) { together |= static_cast<std::uint32_t>(index[i] == value) << i; });
            left &= ~together;
            if (first && stays == 0) {
                g.mask = together;
                g.pc = table[value];
            } else
                w.groups.push_back({together, table[value], at, doing::running, 0, 0, g.turn});
            first = false;
        }
        if (stays != 0) {
            g.mask = stays;
            g.pc = here + 1;
        }
    }

    /// True when other groups are to be looked at.
    bool call(warp& w, group& g, const instruction& in, std::uint32_t mask) {
        const call_site& site = l_.code->calls[in.target];
        if (site.builtin != no_builtin) {
            run_builtin(c_, site, mask);
            ++g.pc;
            return false;
        }
        const std::uint32_t here = g.pc;
        std::uint32_t left = mask;
        if (mask != g.mask) {
            group& rest = group_detail::split(w, g, g.mask & ~mask, here);
            rest.pc = here + 1;
        }
        int target = site.function;
        if (target < 0) { // lanes may call different functions
            const std::uint64_t first = wide_value(c_, site.pointer, 8, first_lane(left));
            std::uint32_t together = 0;
            each_lane(left, [&](unsigned i) { together |= static_cast<std::uint32_t>(wide_value(c_, site.pointer, 8, i) == first) << i; });
            if (together != g.mask) group_detail::split(w, g, g.mask & ~together, here);
            const std::uint64_t number = first - function_window;
            if (first < function_window || number >= l_.code->functions.size() || !l_.code->functions[number].defined ||
                l_.code->functions[number].kernel)
                throw fault{driver::status::illegal_address,
                            detail::say("A call of ", detail::address_text(first), ", which is no function"), first_lane(together)};
            target = static_cast<int>(number);
            left = together;
        }
        const function& callee = l_.code->functions[static_cast<std::size_t>(target)];
        if (callee.parameters.size() != site.arguments.size() || callee.results.size() < site.results.size())
            throw fault{
                driver::status::illegal_instruction,
                detail::say("A call of ", callee.name, " with ", site.arguments.size(), " arguments; it takes ", callee.parameters.size()),
                first_lane(left)};
        frame& caller = *g.at;
        if (caller.depth + 1 > depth_limit)
            throw fault{driver::status::hardware_stack_error,
                        detail::say("A stack overflow: more than ", depth_limit, " calls within calls"), first_lane(left)};
        frame* const f = take_frame(w, callee);
        f->parent = &caller;
        f->site = &site;
        f->return_to = here + 1;
        f->live = left;
        f->depth = caller.depth + 1;
        f->local_base = caller.local_top;
        f->local_top = f->local_base + (callee.local_bytes + 15u) / 16 * 16;
        need_local(w, f->local_top);
        for (std::size_t k = 0; k < site.arguments.size(); ++k) {
            const formal& to = callee.parameters[k];
            hand_over(given(site.arguments[k], caller), place::of(*f, to.in_register, to.offset, to.size), left);
        }
        for (observer* o : observers_) o->called(c_, site, *f, left);
        g.at = f;
        g.pc = callee.entry;
        elsewhere_ = true;
        return true;
    }
    /// One side of a value that a call hands over: in a register (or a constant) of a frame, or in its parameters.
    struct place {
        std::byte* first;
        std::size_t stride;
        std::uint32_t size;
        bool predicate; ///< one word, a bit a lane

        static place of(const frame& f, bool in_register, std::uint32_t where, std::uint32_t size) noexcept {
            if (in_register) return {f.registers.data() + where, size, size, size == 0};
            return {f.params.data() + where, f.of->param_bytes, size, false};
        }
    };
    static void hand_over(const place& from, const place& to, std::uint32_t mask) {
        if (!to.predicate && !from.predicate) {
            const std::uint32_t size = std::min(from.size, to.size);
            each_lane(mask, [&](unsigned i) { std::memcpy(to.first + i * to.stride, from.first + i * from.stride, size); });
            return;
        }
        if (from.predicate != to.predicate)
            throw fault{driver::status::illegal_instruction, "A call that hands a number over as a predicate, or the reverse",
                        first_lane(mask)};
        std::uint32_t bits = 0, kept = 0;
        std::memcpy(&bits, from.first, sizeof bits);
        std::memcpy(&kept, to.first, sizeof kept);
        kept = (kept & ~mask) | (bits & mask);
        std::memcpy(to.first, &kept, sizeof kept);
    }
    place given(const call_site::value& v, const frame& caller) const {
        if (!operand{v.where}.is_constant() || !v.in_register) return place::of(caller, v.in_register, v.where, v.size);
        return {const_cast<std::byte*>(c_.at<std::byte>({v.where})), v.size, v.size, v.size == 0};
    }

    void leave(warp& w, group& g, const instruction&, std::uint32_t mask) {
        frame& f = *g.at;
        if (f.parent == nullptr) {
            end_lanes(w, g, mask);
            return;
        }
        if (mask != g.mask) {
            group& rest = group_detail::split(w, g, g.mask & ~mask, g.pc);
            rest.pc = g.pc + 1;
        }
        frame& caller = *f.parent;
        const call_site& site = *f.site;
        for (std::size_t k = 0; k < site.results.size(); ++k) {
            const call_site::value& to = site.results[k];
            const formal& from = f.of->results[k];
            hand_over(place::of(f, from.in_register, from.offset, from.size), place::of(caller, to.in_register, to.where, to.size), mask);
        }
        for (observer* o : observers_) o->returned(c_, site, f, mask);
        g.at = &caller;
        g.pc = f.return_to;
        elsewhere_ = true;
        f.live &= ~mask;
        if (f.live == 0) w.spare.push_back(&f);
    }

    void end_lanes(warp& w, group& g, std::uint32_t mask) {
        block& b = *w.owner;
        if ((w.effects & mask) != 0)
            for (const group& other : w.groups)
                if (other.state == doing::waiting && other.barrier != cluster_barrier_number && code_[other.pc].count == 1)
                    throw fault{driver::status::launch_failed,
                                detail::say("A divergent barrier: lanes ", detail::address_text(mask),
                                            " ended after they had gone past the barrier in ", line_text(*l_.code, other.pc),
                                            ", where lanes ", detail::address_text(other.mask), " of their warp wait"),
                                first_lane(mask)};
        finish_copies(c_, mask);
        finish_bulk(c_, mask);
        for (observer* o : observers_) o->ended(w, mask);
        w.alive &= ~mask;
        for (group& other : w.groups)
            if (other.state == doing::converging) other.state = doing::running; // looks again who is to come
        b.alive -= static_cast<std::uint32_t>(std::popcount(mask));
        g.mask &= ~mask;
        if (g.mask == 0)
            w.groups.erase(w.groups.begin() + (&g - w.groups.data()));
        else
            ++g.pc;
        leave_block(b);
    }

    void finish_barrier(const instruction& in, group& g) {
        g.state = doing::running;
        if (!in.d.given()) return;
        if (static_cast<barrier_act>(in.option) == barrier_act::count) {
            std::uint32_t* const d = c_.at<std::uint32_t>(in.d);
            each_lane(g.mask, [&](unsigned i) { d[i] = g.result; });
        } else {
            std::uint32_t& d = c_.predicate(in.d);
            d = (d & ~g.mask) | (g.result != 0 ? g.mask : 0);
        }
    }

    void run_together(warp& w, const instruction& in, std::uint32_t mask) {
        for (observer* o : observers_) {
            if (in.e.given()) o->converged(w, mask);
            if ((in.watched & w.interest) != 0) o->before(c_, in, mask);
        }
        in.run(c_, in, mask);
    }
    /// Runs a warp operation for the lanes that are all there; false when the group has to wait.
    bool converge(warp& w, group& g, const instruction& in, std::uint32_t mask) {
        const std::uint32_t here = g.pc;
        if (mask != g.mask) {
            group& rest = group_detail::split(w, g, g.mask & ~mask, here);
            rest.pc = here + 1;
        }
        if (!in.e.given()) {
            run_together(w, in, mask);
            ++g.pc;
            return true;
        }
        const std::uint32_t* const named = c_.at<std::uint32_t>(in.e);
        std::uint32_t left = mask, done = 0;
        while (left != 0) {
            const unsigned lane = first_lane(left);
            const std::uint32_t wanted = named[lane];
            std::uint32_t together = 0;
            each_lane(left, [&](unsigned i) { together |= static_cast<std::uint32_t>(named[i] == wanted) << i; });
            left &= ~together;
            if (const std::uint32_t outside = together & ~wanted; outside != 0)
                throw fault{driver::status::illegal_instruction,
                            detail::say("A warp operation whose mask ", detail::address_text(wanted), " lacks the lane that executes it"),
                            first_lane(outside)};
            if ((wanted & w.alive & ~together) != 0) continue; // others are still to come; not those that ended
            run_together(w, in, together);
            done |= together;
        }
        if (done == 0) {
            g.state = doing::converging;
            return false;
        }
        if (done != mask) group_detail::split(w, g, mask & ~done, here).state = doing::converging;
        g.pc = here + 1;
        return true;
    }

    const launch& l_;
    const instruction* code_;
    std::span<observer* const> observers_;
    std::uint8_t interest_ = 0;
    context c_;
    std::uint32_t at_ = 0;
    bool yielded_ = false;
    bool elsewhere_ = false; ///< the group that ran last could go on, but in another function or at a label of a table
};

} // namespace hanabi::host::ptx

#endif
