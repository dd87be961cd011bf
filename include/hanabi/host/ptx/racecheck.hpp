// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Finds races: two threads that touch the same bytes of shared or global memory, one of them writing, with no barrier, warp
/// operation or atomic operation that puts one before the other. PTX manual, "Memory Consistency Model".
///
/// Not taken for races: accesses that are all volatile, relaxed or stronger; writes of the same value; a plain look before an
/// atomic operation on the same place; what an atomic operation or a volatile access of the one after a fence, and one of the
/// other on the same place, put in order, whatever their scopes say. Threads that have ended count as having come to every
/// later barrier of their block. Of very many readers of one place some are forgotten. Only what a run does is seen, not what
/// it would do with other data.

#ifndef HANABI_HOST_PTX_RACECHECK_HPP
#define HANABI_HOST_PTX_RACECHECK_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/async_bulk.hpp>
#include <hanabi/host/ptx/async_copy.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/machine.hpp>
#include <hanabi/host/ptx/matrix.hpp>
#include <hanabi/host/ptx/mbarrier.hpp>
#include <hanabi/host/ptx/place.hpp>
#include <hanabi/host/ptx/racecheck_order.hpp>
#include <hanabi/host/ptx/racecheck_shadow.hpp>
#include <hanabi/host/ptx/runtime_call.hpp>
#include <hanabi/host/ptx/wmma.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace hanabi::host::ptx {

/// Sees all blocks of one launch, which one thread of the host executes.
class racecheck : public observer {
  public:
    std::uint8_t interest() const noexcept override { return accesses_memory | orders_threads; }

    void begin(block& b) override {
        racecheck_detail::block_order& o = order_.begin(b);
        for (std::uint32_t& head : o.cells) cells_.forget(head);
        o.cells.resize((b.shared_size + racecheck_detail::cell_bytes - 1) / racecheck_detail::cell_bytes);
    }

    void before(context& c, const instruction& in, std::uint32_t mask) override {
        if (mask == 0 || (in.watched & interest()) == 0) return;
        ++order_.now;
        const auto pc = static_cast<std::uint32_t>(&in - c.l->code->code.data());
        if ((in.watched & (reads_memory | writes_memory)) != 0)
            plain_access(c, in, mask, pc);
        else if (in.run == &decode_detail::fence_all)
            order_.fence(order_.of(*c.b), c.w->index, mask);
        else if (in.run == &mbarrier_detail::run)
            on_mbarrier(c, in, mask, pc);
        else if (in.run == &async_detail::begin)
            copy_begins(c, in, mask, pc);
        else if (in.run == &mbarrier_detail::bulk_copy)
            bulk_copy(c, in, mask, pc);
        else if (in.run == &mbarrier_detail::store_async)
            store_async(c, in, mask, pc);
        else if (in.run == &bulk_detail::store_zeros)
            store_zeros(c, in, mask, pc);
        else if (in.run == &matrix_detail::move_matrix<false> || in.run == &matrix_detail::move_matrix<true>)
            move_matrix(c, in, pc);
        else if (in.run == &wmma_detail::move<false> || in.run == &wmma_detail::move<true>)
            move_fragment(c, in, pc);
        else if (in.kind == step::call)
            freed(c, in, mask);
    }
    void converged(warp& w, std::uint32_t mask) override { order_.converged(w, mask); }
    void arrived(warp& w, std::uint32_t barrier, std::uint32_t mask) override { order_.arrived(w, barrier, mask); }
    void passed(warp& w, std::uint32_t barrier, std::uint32_t mask) override { order_.passed(w, barrier, mask); }

    /// Made when it is waited for: until then it may still be under way. But where an mbarrier is told of its end, that is all
    /// that others need to know, and it counts as made when it was begun.
    void copied(context& c, const async_copy& copy) override {
        deed d{copy.lane, copy.pc};
        if (is_told(c, copy)) return;
        if (copy.taken != 0) touch(c, d, const_cast<std::byte*>(copy.from), copy.taken);
        d.how = past_access::writes;
        touch(c, d, copy.to, copy.size);
    }

    /// Plain reads that raced with atomic operations, and were no guesses.
    void finish() override {
        for (const auto& [pc, doubt] : doubts_)
            if (guesses_.find(pc) == guesses_.end()) throw doubt;
    }

  private:
    using past_access = racecheck_detail::past_access;
    using clock_ref = racecheck_detail::clock_ref;

    /// What one lane is about to do.
    struct deed {
        unsigned lane;
        std::uint32_t pc;
        unsigned how = 0;                 ///< past_access::writes, ::strong
        const std::byte* value = nullptr; ///< what is written, where it is known
        bool by_copier = false;           ///< by a copy that goes on by itself
    };

    /// Bytes of an access of ld, st, atom or red.
    static unsigned bytes_of(const instruction& in) noexcept {
        const bool atomic = (in.watched & reads_memory) != 0 && (in.watched & writes_memory) != 0;
        return static_cast<unsigned>(in.size) * (atomic ? std::max<unsigned>(1, in.width) : in.count);
    }

    void plain_access(context& c, const instruction& in, std::uint32_t mask, std::uint32_t pc) {
        if (in.in == space::local || in.in == space::param || in.in == space::constant) return;
        const bool reads = (in.watched & reads_memory) != 0, writes = (in.watched & writes_memory) != 0;
        const bool is_strong = (in.watched & strong_access) != 0;
        const unsigned bytes = bytes_of(in);
        const access why = reads && writes ? access::atomic : writes ? access::store : access::load;
        std::uint64_t address[lanes];
        addresses_of(c, in, mask, address);
        const bool plain_store = writes && !reads;
        if (plain_store) note_values(c, in, mask);
        std::byte* place[lanes]{};
        each_lane(mask, [&](unsigned i) {
            if (in.in == space::generic)
                if (const std::uint64_t window = address[i] & window_mask; window == local_window || window == param_window) return;
            std::byte* const at = resolve_one(c, in.in, address[i], bytes, why, i);
            deed d{i, pc, (writes ? past_access::writes : 0u) | (is_strong ? past_access::strong : 0u)};
            if (plain_store) d.value = values_[i];
            touch(c, d, at, bytes);
            place[i] = at;
        });
        if (is_strong) pass_on(c, in, mask, place);
    }
    /// What strong accesses let their threads learn from others, and others from them. Lanes at the same place do so together.
    void pass_on(const context& c, const instruction& in, std::uint32_t mask, std::byte* const* place) {
        racecheck_detail::block_order& b = order_.of(*c.b);
        racecheck_detail::warp_order& w = b.warps[c.w->index];
        const bool reads = (in.watched & reads_memory) != 0, writes = (in.watched & writes_memory) != 0;
        const bool releases = (in.watched & releases_memory) != 0;
        std::uint32_t left = mask;
        while (left != 0) {
            const std::byte* const at = place[first_lane(left)];
            std::uint32_t together = 0, releasing = 0;
            each_lane(left, [&](unsigned i) {
                if (place[i] != at) return;
                together |= 1u << i;
                if (writes && (releases || w.fenced[i] != 0)) releasing |= 1u << i;
            });
            left &= ~together;
            if (at == nullptr) continue; // local memory
            if (reads) learn(c, w, together, at);
            if (releasing == 0) continue;
            if (releases)
                order_.release(b, c.w->index, releasing, *released_at(c, at, true));
            else
                order_.release(b, c.w->index, releasing, w.fenced, *released_at(c, at, true));
            if (reads) learn(c, w, together, at);
        }
    }
    void learn(const context& c, racecheck_detail::warp_order& w, std::uint32_t mask, const std::byte* at) {
        if (const clock_ref* const known = released_at(c, at, false)) each_lane(mask, [&](unsigned i) { order_.acquire(w, i, *known); });
    }

    void note_values(const context& c, const instruction& in, std::uint32_t mask) {
        for (unsigned k = 0; k < in.count; ++k) {
            const operand o = in.count == 1 ? in.d : c.l->code->extra[in.target + k];
            each_lane(mask, [&](unsigned i) {
                std::byte* const to = values_[i] + static_cast<std::size_t>(in.size) * k;
                if (in.size == 16) {
                    std::memcpy(to, c.at<std::byte>(o) + std::size_t{16} * i, 16);
                } else {
                    const std::uint64_t v = wide_value(c, o, in.width, i);
                    std::memcpy(to, &v, in.size);
                }
            });
        }
    }

    void on_mbarrier(context& c, const instruction& in, std::uint32_t mask, std::uint32_t pc) {
        using mbarrier_detail::act;
        const auto what = static_cast<act>(in.count);
        if (what == act::pending) return;
        racecheck_detail::block_order& b = order_.of(*c.b);
        std::byte* place[lanes]{};
        each_lane(mask, [&](unsigned i) {
            const std::uint64_t address = mbarrier_detail::address_in(c, in.a, (in.option & narrow_address) != 0, in.immediate, i);
            std::byte* const at = resolve_one(c, in.in, address, 8, access::atomic, i);
            const bool made = what == act::init || what == act::inval;
            touch(c, {i, pc, past_access::writes | (made ? 0u : past_access::strong)}, at, 8);
            if (made) released_at(c, at, true)->reset();
            place[i] = at;
        });
        if (what == act::init || what == act::inval) return;
        racecheck_detail::warp_order& w = b.warps[c.w->index];
        std::uint32_t left = mask;
        while (left != 0) {
            const std::byte* const at = place[first_lane(left)];
            std::uint32_t together = 0;
            each_lane(left, [&](unsigned i) { together |= static_cast<std::uint32_t>(place[i] == at) << i; });
            left &= ~together;
            if (what == act::copies || what == act::copies_counted) each_lane(together, [&](unsigned i) { w.told[i] = order_.now; });
            if (what == act::test || what == act::test_parity)
                learn(c, w, together, at);
            else
                order_.release(b, c.w->index, together, *released_at(c, at, true));
        }
    }

    /// Whether the lane has had an mbarrier told of the copy: by cp.async.mbarrier.arrive, after it began.
    bool is_told(const context& c, const async_copy& copy) {
        const racecheck_detail::block_order& b = order_.of(*c.b);
        const racecheck_detail::moment told = b.warps[c.w->index].told[copy.lane];
        if (told == 0) return false;
        for (std::uint32_t i = b.cells[copy.mark / racecheck_detail::cell_bytes]; i != 0; i = cells_[i].next) {
            const past_access& e = cells_[i];
            if (e.pc == copy.pc && e.warp == c.w->index && e.block == b.number && (e.lanes >> copy.lane & 1) != 0) return e.at <= told;
        }
        return false;
    }

    void copy_begins(context& c, const instruction& in, std::uint32_t mask, std::uint32_t pc) {
        each_lane(mask, [&](unsigned i) {
            std::uint32_t taken = in.size;
            if (in.c.given()) taken = std::min<std::uint32_t>(in.size, c.at<std::uint32_t>(in.c)[i]);
            if (in.e.given() && (c.predicate(in.e) >> i & 1) != 0) taken = 0;
            std::byte* const to =
                resolve_one(c, space::shared, mbarrier_detail::address_in(c, in.a, (in.option & narrow_address) != 0, in.immediate, i),
                            in.size, access::store, i);
            std::memset(values_[i], 0, in.size);
            if (taken != 0) {
                const std::uint64_t address = wide_value(c, in.b, 8, i) + in.target;
                std::byte* const from = resolve_one(c, space::global, address, taken == in.size ? in.size : 1, access::load, i);
                if (taken > 1 && taken != in.size) resolve_one(c, space::global, address + taken - 1, 1, access::load, i);
                touch(c, {i, pc}, from, taken);
                std::memcpy(values_[i], from, taken);
            }
            touch(c, {i, pc, past_access::writes, values_[i]}, to, in.size);
        });
    }

    /// What a copier brought, and what the thread that began it knew, is there for those who wait at an mbarrier.
    void report_to(context& c, const std::byte* mbarrier, unsigned lane) {
        const racecheck_detail::block_order& b = order_.of(*c.b);
        clock_ref& place = *released_at(c, mbarrier, true);
        order_.release(b, c.w->index, 1u << lane, place);
        const auto brought = std::make_shared<racecheck_detail::clock>();
        brought->add(racecheck_detail::clock::key(b.copier(), 0, 0), order_.now);
        place = racecheck_detail::joined(place, clock_ref{brought});
    }
    /// Those that report to an mbarrier belong to the block's copier from the start, those of bulk groups to their thread.
    void bulk_copy(context& c, const instruction& in, std::uint32_t mask, std::uint32_t pc) {
        using mbarrier_detail::part_of;
        each_lane(mask, [&](unsigned i) {
            const std::uint32_t bytes = c.at<std::uint32_t>(in.c)[i];
            const std::uint64_t to = part_of(c, in, in.a, 0, i), from = part_of(c, in, in.b, 1, i);
            if (bytes % 16 != 0 || to % 16 != 0 || from % 16 != 0 || bytes == 0) return;
            const bool to_shared = in.in != space::global, reports = in.e.given();
            const std::byte* const source =
                bulk_detail::in_space(c, to_shared && in.size == 0 ? space::global : space::shared, from, bytes, access::load, i);
            std::byte* target = bulk_detail::in_space(c, to_shared ? space::shared : space::global, to, bytes, access::store, i);
            deed read{i, pc}, write{i, pc, past_access::writes | (in.count != 0 ? past_access::strong : 0u)};
            read.by_copier = write.by_copier = reports;
            touch(c, read, const_cast<std::byte*>(source), bytes);
            if (!reports) {
                if (in.width == 0) touch(c, write, target, bytes); // else only some of the bytes
                return;
            }
            const std::uint64_t mbarrier = part_of(c, in, in.e, 2, i) & ~window_mask;
            std::byte* const at = resolve_one(c, space::shared, mbarrier, 8, access::atomic, i);
            const std::uint32_t wanted = in.width == 0 ? 1 : c.at<std::uint16_t>(c.l->code->extra[in.target + 3])[i];
            const std::ptrdiff_t offset = target - bulk_detail::owner_of(c, to & ~window_mask).shared.data();
            const std::ptrdiff_t offset_at = at - bulk_detail::owner_of(c, mbarrier).shared.data();
            for (unsigned rank = 0; rank < 16; ++rank) {
                if ((wanted >> rank & 1) == 0) continue;
                if (in.width == 0) {
                    touch(c, write, target, bytes);
                    report_to(c, at, i);
                } else if (rank < c.b->cluster_size && c.b->cluster != nullptr) {
                    touch(c, write, c.b->cluster[rank]->shared.data() + offset, bytes);
                    report_to(c, c.b->cluster[rank]->shared.data() + offset_at, i);
                }
            }
        });
    }
    void store_async(context& c, const instruction& in, std::uint32_t mask, std::uint32_t pc) {
        using mbarrier_detail::part_of;
        each_lane(mask, [&](unsigned i) {
            const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
            deed d{i, pc, past_access::writes | (in.width != 0 ? past_access::strong : 0u)};
            d.by_copier = true;
            touch(c, d, resolve_one(c, space::shared, part_of(c, in, in.a, 0, i) & ~window_mask, bytes, access::store, i), bytes);
            report_to(c, resolve_one(c, space::shared, part_of(c, in, in.e, 2, i) & ~window_mask, 8, access::atomic, i), i);
        });
    }
    void store_zeros(context& c, const instruction& in, std::uint32_t mask, std::uint32_t pc) {
        each_lane(mask, [&](unsigned i) {
            const std::uint64_t to = mbarrier_detail::address_in(c, in.a, (in.option & narrow_address) != 0, in.immediate, i);
            const std::uint64_t bytes = c.at<std::uint64_t>(in.b)[i];
            if (bytes % 8 != 0 || to % 8 != 0 || bytes == 0 || bytes > 16u << 20) return;
            const auto size = static_cast<std::uint32_t>(bytes);
            touch(c, {i, pc, past_access::writes}, bulk_detail::in_space(c, space::shared, to, size, access::store, i), size);
        });
    }

    /// Rows of 16 bytes count as touched by the lanes that give their addresses.
    void move_matrix(context& c, const instruction& in, std::uint32_t pc) {
        const bool store = in.run == &matrix_detail::move_matrix<true>;
        for (unsigned i = 0; i < 8u * in.count; ++i)
            touch(c, {i, pc, store ? past_access::writes : 0u},
                  resolve_one(c, in.in, mbarrier_detail::address_in(c, in.a, (in.option & narrow_address) != 0, in.immediate, i), 16,
                              store ? access::store : access::load, i),
                  16);
    }
    void move_fragment(context& c, const instruction& in, std::uint32_t pc) {
        const bool store = in.run == &wmma_detail::move<true>;
        wmma_detail::fragment f;
        std::memcpy(&f, &in.immediate, sizeof f);
        const unsigned bytes = size_of(f.of);
        for (unsigned at = 0; at < static_cast<unsigned>(f.rows) * f.columns; ++at) {
            const unsigned i = at / f.elements % lanes, row = at / f.columns, column = at % f.columns;
            const std::uint64_t step = c.at<std::uint32_t>(in.b)[i];
            const std::uint64_t base =
                wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, i) + c.at<std::uint64_t>(c.l->code->extra[in.target])[0];
            touch(c, {i, pc, store ? past_access::writes : 0u},
                  resolve_one(c, in.in, base + (f.by_columns ? column * step + row : row * step + column) * bytes, bytes,
                              store ? access::store : access::load, i),
                  bytes);
        }
    }

    void freed(context& c, const instruction& in, std::uint32_t mask) {
        const call_site& site = c.l->code->calls[in.target];
        if (site.arguments.empty()) return;
        each_lane(mask, [&](unsigned i) {
            const auto address = static_cast<std::uintptr_t>(runtime_detail::argument_value(c, site.arguments[0], i));
            if (const region r = c.l->outside->find(address); r.size != 0 && r.base == address) cells_.forget(r.base, r.size);
        });
    }

    /// The block whose shared memory a place is in; null for global memory.
    static block* owner_of(const context& c, const std::byte* at) noexcept {
        const auto holds = [at](const block& b) { return at >= b.shared.data() && at < b.shared.data() + b.shared_size; };
        if (holds(*c.b)) return c.b;
        for (unsigned i = 0; i < c.b->cluster_size && c.b->cluster_size > 1; ++i)
            if (holds(*c.b->cluster[i])) return c.b->cluster[i];
        return nullptr;
    }
    /// What was released at a place; null when there is nothing and none is to be made.
    clock_ref* released_at(const context& c, const std::byte* at, bool make) {
        const block* const owner = owner_of(c, at);
        auto& all = owner != nullptr ? order_.of(*owner).released : released_;
        const std::size_t where =
            owner != nullptr ? static_cast<std::size_t>(at - owner->shared.data()) : reinterpret_cast<std::uintptr_t>(at);
        if (make) return &all[where];
        const auto found = all.find(where);
        return found == all.end() ? nullptr : &found->second;
    }

    void touch(context& c, const deed& d, std::byte* at, unsigned bytes) {
        using racecheck_detail::cell_bytes;
        block* const owner = owner_of(c, at);
        racecheck_detail::block_order* const shared_of = owner == nullptr ? nullptr : &order_.of(*owner);
        const std::uintptr_t first =
            owner != nullptr ? static_cast<std::uintptr_t>(at - owner->shared.data()) : reinterpret_cast<std::uintptr_t>(at);
        const racecheck_detail::block_order& mine = order_.of(*c.b);
        for (std::uintptr_t a = first; a < first + bytes;) {
            const std::uintptr_t cell = a / cell_bytes * cell_bytes, end = std::min<std::uintptr_t>(cell + cell_bytes, first + bytes);
            const auto which = static_cast<std::uint8_t>(((1u << (end - cell)) - 1) & ~((1u << (a - cell)) - 1));
            std::uint32_t& head = shared_of != nullptr ? shared_of->cells[cell / cell_bytes] : cells_.at(cell);
            touch_cell(c, mine, d, head, which, at, bytes, static_cast<unsigned>(a - first));
            a = end;
        }
    }

    /// `offset`: of the cell's first byte in the access.
    void touch_cell(context& c, const racecheck_detail::block_order& b, const deed& d, std::uint32_t& head, std::uint8_t which,
                    const std::byte* at, unsigned bytes, unsigned offset) {
        const std::uint32_t me = d.by_copier ? b.copier() : b.number;
        const unsigned warp = d.by_copier ? 0 : c.w->index;
        const std::uint32_t my_bit = d.by_copier ? 1u : 1u << d.lane;
        std::uint32_t* link = &head;
        std::uint32_t merge = 0;
        unsigned count = 0;
        while (*link != 0) {
            past_access& e = cells_[*link];
            const bool my_warp = e.block == me && e.warp == warp;
            if (my_warp && e.at == order_.now && e.bytes == which && e.how == d.how && e.pc == d.pc && merge == 0) merge = *link;
            const bool together = (e.bytes & which) != 0,
                       conflict = together && ((e.how | d.how) & past_access::writes) != 0 && (e.how & d.how & past_access::strong) == 0;
            const bool replaced = together && (e.bytes & ~which) == 0 &&
                                  ((d.how & past_access::writes) != 0 || (e.how & past_access::writes) == 0) &&
                                  ((d.how & past_access::strong) == 0 || (e.how & past_access::strong) != 0) && e.at != order_.now;
            if (my_warp && is_read(c, e.pc) && (e.lanes & my_bit) != 0 && is_atomic(c, d.pc)) guesses_.insert(e.pc);
            if (conflict || replaced) {
                const std::uint32_t others = my_warp ? e.lanes & ~my_bit : e.lanes;
                // Strong accesses to one place are in its own order, which what these threads do to it later keeps to.
                const bool in_order = others == 0 ||
                                      (replaced && (d.how & e.how & past_access::strong) != 0 && (d.how & past_access::writes) != 0) ||
                                      (e.at != order_.now && order_.ordered(b, c.w->index, d.lane, e.block, e.warp, others, e.at));
                if (conflict && !in_order && !same_value(c, d, e, which, at, offset)) found(c, b, d, e, at, bytes);
                if (replaced) {
                    if (in_order)
                        e.lanes = 0;
                    else if (my_warp)
                        e.lanes &= ~my_bit;
                    if (e.lanes == 0) {
                        const std::uint32_t gone = *link;
                        *link = e.next;
                        cells_.drop(gone);
                        continue;
                    }
                }
            }
            ++count;
            link = &e.next;
        }
        if (merge != 0) {
            cells_[merge].lanes |= my_bit;
            return;
        }
        if (count >= racecheck_detail::shadow::most) make_room(head);
        const std::uint32_t made = cells_.make();
        cells_[made] = {order_.now, me, my_bit, d.pc, head, static_cast<std::uint8_t>(warp), which, static_cast<std::uint8_t>(d.how)};
        head = made;
    }
    /// The oldest read goes, or else the oldest access.
    void make_room(std::uint32_t& head) {
        std::uint32_t *read = nullptr, *last = &head;
        for (std::uint32_t* link = &head; *link != 0; link = &cells_[*link].next) {
            if ((cells_[*link].how & past_access::writes) == 0) read = link;
            last = link;
        }
        std::uint32_t* const link = read != nullptr ? read : last;
        const std::uint32_t gone = *link;
        *link = cells_[gone].next;
        cells_.drop(gone);
    }

    /// Whether both write, and the same.
    bool same_value(const context& c, const deed& d, const past_access& e, std::uint8_t which, const std::byte* at, unsigned offset) const {
        if ((e.how & d.how & past_access::writes) == 0 || d.value == nullptr) return false;
        const instruction& other = c.l->code->code[e.pc];
        if ((other.watched & reads_memory) != 0) return false; // an atomic operation
        const std::byte* there = at;
        if (e.at == order_.now) { // nothing is written yet: the first of its lanes stands for all
            if (e.block != order_of(c)) return false;
            there = values_[first_lane(e.lanes)];
        }
        const auto first = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(which)));
        for (unsigned k = 0; which >> (first + k) != 0; ++k)
            if (there[offset + k] != d.value[offset + k]) return false;
        return true;
    }
    static std::uint32_t order_of(const context& c) noexcept { return static_cast<std::uint32_t>(c.b->number); }

    static const char* name_of(const context& c, std::uint32_t pc, unsigned how) noexcept {
        const instruction& in = c.l->code->code[pc];
        if (in.run == &async_detail::begin) return (how & past_access::writes) != 0 ? "a write by cp.async" : "a read by cp.async";
        if (in.run == &mbarrier_detail::run) return "an operation on an mbarrier";
        if ((in.watched & reads_memory) != 0 && (in.watched & writes_memory) != 0) return "an atomic operation";
        if ((how & past_access::strong) != 0)
            return (how & past_access::writes) != 0 ? "a volatile or relaxed write" : "a volatile or relaxed read";
        return (how & past_access::writes) != 0 ? "a write" : "a read";
    }

    static bool is_atomic(const context& c, std::uint32_t pc) noexcept {
        constexpr unsigned both = reads_memory | writes_memory;
        return (c.l->code->code[pc].watched & both) == both;
    }
    static bool is_read(const context& c, std::uint32_t pc) noexcept {
        constexpr unsigned kinds = reads_memory | writes_memory | strong_access;
        return (c.l->code->code[pc].watched & kinds) == reads_memory;
    }

    /// A plain read may look before an atomic operation on the same place, as the loops around atomicCAS do at their start, and
    /// "if it is larger, atomicMax": what it sees may be old, and that is all right. Whether it does shows later: when any
    /// thread does so.
    HANABI_COLD void found(const context& c, const racecheck_detail::block_order& b, const deed& d, const past_access& e,
                           const std::byte* at, unsigned bytes) {
        const std::uint32_t read = is_read(c, d.pc) && is_atomic(c, e.pc) ? d.pc : is_read(c, e.pc) && is_atomic(c, d.pc) ? e.pc : ~0u;
        fault f{driver::status::launch_failed, {}, d.lane, -1, {}, true};
        if (read != ~0u) {
            if (guesses_.find(read) != guesses_.end() || doubts_.find(read) != doubts_.end()) return;
            f.what = text_of(c, b, d, e, at, bytes);
            f.place = place_text(*c.l, d.pc, c.b->index, c.w->index, d.lane);
            doubts_.emplace(read, std::move(f));
            return;
        }
        f.what = text_of(c, b, d, e, at, bytes);
        throw f;
    }
    std::string text_of(const context& c, const racecheck_detail::block_order& b, const deed& d, const past_access& e, const std::byte* at,
                        unsigned bytes) const {
        const block* const owner = owner_of(c, at);
        std::string where = detail::address_text(reinterpret_cast<std::uintptr_t>(at));
        if (owner != nullptr)
            where =
                detail::say("offset ", at - owner->shared.data(), owner == c.b ? " of shared memory" : " of another block's shared memory");
        else if (const region r = c.l->outside->find(reinterpret_cast<std::uintptr_t>(at)); r.size != 0)
            where = c.l->outside->place(reinterpret_cast<std::uintptr_t>(at));
        const program& p = *c.l->code;
        const instruction& other = p.code[e.pc];
        const unsigned other_bytes = (other.watched & (reads_memory | writes_memory)) != 0 ? bytes_of(other) : 0;
        const std::uint64_t number = e.block & 0x7fffffffu;
        const extent grid = c.l->grid;
        const extent index{static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
                           static_cast<unsigned>(number / grid.x / grid.y)};
        const bool by_copier = e.block != number;
        std::uint32_t others = e.block == b.number && e.warp == c.w->index && !d.by_copier ? e.lanes & ~(1u << d.lane) : e.lanes;
        while (e.at != order_.now && (others & (others - 1)) != 0 && // a lane that is in no order
               order_.ordered(b, c.w->index, d.lane, e.block, e.warp, others & (0u - others), e.at))
            others &= others - 1;
        std::string text = detail::say("A race: ", name_of(c, d.pc, d.how), " of ", bytes, " bytes at ", where);
        if (e.at == order_.now && e.pc == d.pc)
            text += detail::say(" and another value from the same instruction of ", thread_text(*c.l, index, e.warp, first_lane(others)));
        else
            text += detail::say(" and ", name_of(c, e.pc, e.how), other_bytes != 0 ? detail::say(" of ", other_bytes, " bytes") : "",
                                by_copier ? ", a copy that was begun" : "", " in ", line_text(p, e.pc), " by ",
                                by_copier ? detail::say("block ", to_string(index)) : thread_text(*c.l, index, e.warp, first_lane(others)),
                                " are in no order: no barrier, warp operation or atomic operation is between them");
        return text;
    }

    racecheck_detail::order order_;
    racecheck_detail::shadow cells_;
    std::unordered_map<std::size_t, clock_ref> released_; ///< at an address of global memory
    std::unordered_set<std::uint32_t> guesses_;           ///< instructions
    std::unordered_map<std::uint32_t, fault> doubts_;     ///< by the instruction of the read
    std::byte values_[lanes][64];                         ///< that lanes are about to write
};

} // namespace hanabi::host::ptx

#endif
