// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Operations that go on by themselves and report to an mbarrier or to a bulk group: PTX manual, "cp.async.bulk",
/// "cp.reduce.async.bulk", "st.async", "red.async", "st.bulk". They happen as late as the program allows: when somebody
/// waits at the mbarrier that would have to wait for them, or for the group; so a missing wait shows.

#ifndef HANABI_HOST_PTX_ASYNC_BULK_HPP
#define HANABI_HOST_PTX_ASYNC_BULK_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/async_copy.hpp>
#include <hanabi/host/ptx/atomic.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/mbarrier_object.hpp>
#include <hanabi/host/ptx/memory_access.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

namespace bulk_detail {

using mbarrier_detail::object;

/// Bytes that nobody may read before the operation has ended. False when too many operations wait for one byte.
inline bool mark(const bulk_operation& op) {
    if (op.target == nullptr) return true;
    block& b = *op.target;
    if (b.unready.size() < b.shared_size) b.unready.resize(b.shared_size);
    std::uint8_t* const at = b.unready.data() + (op.to - b.shared.data());
    if (std::find(at, at + op.size, std::uint8_t{0xff}) != at + op.size) return false;
    for (std::uint32_t k = 0; k < op.size; ++k) ++at[k];
    b.pending += op.size;
    return true;
}
inline void unmark(const bulk_operation& op) {
    if (op.target == nullptr) return;
    std::uint8_t* const at = op.target->unready.data() + (op.to - op.target->shared.data());
    for (std::uint32_t k = 0; k < op.size; ++k) --at[k];
    op.target->pending -= op.size;
}

inline void reduce(const bulk_operation& op, std::byte* to, const std::byte* from) {
    using namespace atomic_detail;
    const auto what = static_cast<act>(op.reduction - 1);
    const auto integer = [&](auto zero) {
        std::memcpy(&zero, from, sizeof zero);
        apply_integer(what, to, zero, zero);
    };
    switch (op.of) {
    case type::b32:
    case type::u32: return integer(std::uint32_t{});
    case type::s32: return integer(std::int32_t{});
    case type::b64:
    case type::u64: return integer(std::uint64_t{});
    case type::s64: return integer(std::int64_t{});
    default: {
        std::uint64_t bits = 0;
        std::memcpy(&bits, from, size_of(op.of));
        apply_float(op.of, what, to, bits, op.target == nullptr);
        break;
    }
    }
}
inline void write(const bulk_operation& op) {
    const std::byte* const from = op.taken.empty() ? op.from : op.taken.data();
    if (op.reduction != 0) {
        const unsigned step = size_of(op.of);
        for (std::uint32_t k = 0; k < op.size; k += step) reduce(op, op.to + k, from + k);
    } else if (op.bytes == 0xffff && op.size % 8 == 0) // in words, which the host may look at meanwhile
        for (std::uint32_t k = 0; k < op.size; k += 8)
            memory_detail::put<std::uint64_t>(op.to + k, memory_detail::fetch<std::uint64_t>(from + k));
    else if (op.bytes == 0xffff)
        std::memcpy(op.to, from, op.size);
    else
        for (std::uint32_t k = 0; k < op.size; ++k)
            if ((op.bytes >> (k % 16) & 1) != 0) op.to[k] = from[k];
}
/// The operation ends: what it writes is there, its mbarrier knows.
inline void end(context& c, const bulk_operation& op, bool marked = true) {
    if (op.after != nullptr) { // the arrival of cp.async.mbarrier.arrive
        context other = c;
        other.w = op.after;
        other.b = op.after->owner;
        finish_copies(other, 1u << op.lane);
        object o = object::at(op.mbarrier);
        o.arrive(1, op.lane);
        o.put(op.mbarrier);
        return;
    }
    write(op);
    if (marked) unmark(op);
    if (op.mbarrier == nullptr) return;
    object o = object::at(op.mbarrier);
    o.bytes -= static_cast<std::int64_t>(op.size);
    o.settle();
    o.put(op.mbarrier);
}
/// The operation goes on by itself, and reports to an mbarrier of the block.
inline void begin(context& c, block& of_mbarrier, bulk_operation op) {
    if (op.after == nullptr && !mark(op)) {
        end(c, op, false);
        return;
    }
    of_mbarrier.bulk.push_back(std::move(op));
}
/// Somebody waits at an mbarrier of the block: what reports to it ends.
inline void arrive_all(context& c, block& b, const std::byte* mbarrier) {
    std::vector<bulk_operation> due, others;
    for (bulk_operation& op : b.bulk) (op.mbarrier == mbarrier ? due : others).push_back(std::move(op));
    b.bulk = std::move(others);
    for (const bulk_operation& op : due) end(c, op);
}

/// The block that an address in shared memory is of.
inline block& owner_of(const context& c, std::uint64_t offset) noexcept {
    const std::uint64_t rank = offset >> shared_rank_shift;
    return rank == 0 || c.b->cluster == nullptr || rank > c.b->cluster_size ? *c.b : *c.b->cluster[rank - 1];
}
inline std::byte* in_space(context& c, space in, std::uint64_t address, std::uint32_t bytes, access why, unsigned lane) {
    if (in == space::global) return address_detail::in_global(c, address, bytes, why, lane);
    return address_detail::in_shared(c, address & ~window_mask, bytes, why, lane);
}
/// The lanes' operations of bulk groups, but for the newest `left` of each lane. `reading`: that their sources are read is
/// enough.
inline void wait_groups(context& c, std::uint32_t mask, std::uint64_t left, bool reading) {
    each_lane(mask, [&](unsigned i) {
        std::uint64_t open = 0;
        for (const bulk_batch& batch : c.w->bulk_batches) open += batch.mask >> i & 1;
        for (bulk_batch& batch : c.w->bulk_batches) {
            if (open <= left) break;
            if ((batch.mask >> i & 1) == 0) continue;
            for (bulk_operation& op : batch.operations) {
                if (op.lane != i || op.size == 0) continue;
                if (reading) {
                    if (op.taken.empty()) op.taken.assign(op.from, op.from + op.size);
                } else {
                    write(op);
                    op.size = 0;
                }
            }
            if (!reading) batch.mask &= ~(1u << i);
            --open;
        }
    });
    std::erase_if(c.w->bulk_batches, [](const bulk_batch& batch) { return batch.mask == 0; });
}
inline void commit(context& c, const instruction&, std::uint32_t mask) {
    bulk_batch batch;
    batch.mask = mask;
    std::vector<bulk_operation> others;
    for (bulk_operation& op : c.w->bulk_open) ((mask >> op.lane & 1) != 0 ? batch.operations : others).push_back(std::move(op));
    c.w->bulk_open = std::move(others);
    c.w->bulk_batches.push_back(std::move(batch));
}
/// immediate: how many groups may go on; option: 1 when only their sources are waited for.
inline void wait_group(context& c, const instruction& in, std::uint32_t mask) {
    wait_groups(c, mask, static_cast<std::uint64_t>(in.immediate), in.option != 0);
}

/// st.bulk: a to, b how many zeros.
inline void store_zeros(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t to =
            wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, i) + static_cast<std::uint64_t>(in.immediate);
        const std::uint64_t bytes = c.at<std::uint64_t>(in.b)[i];
        if (bytes % 8 != 0 || to % 8 != 0 || bytes > 16u << 20)
            throw fault{driver::status::misaligned_address,
                        detail::say("Misaligned address: st.bulk of ", bytes, " bytes to ", detail::address_text(to)), i};
        if (bytes != 0) std::memset(in_space(c, space::shared, to, static_cast<std::uint32_t>(bytes), access::store, i), 0, bytes);
    });
    c.w->effects |= mask;
}

} // namespace bulk_detail

namespace mbarrier_detail {

/// An address of an instruction with several: each has its offset in the side table, as a constant, and a bit of `option`
/// that says whether it is narrow.
inline std::uint64_t part_of(const context& c, const instruction& in, operand o, unsigned part, unsigned lane) {
    return wide_value(c, o, (in.option >> part & 1) != 0 ? 4 : 8, lane) + c.at<std::uint64_t>(c.l->code->extra[in.target + part])[lane];
}

/// cp.async.bulk and cp.reduce.async.bulk: a to, b from, c bytes; e the mbarrier, or none: of a bulk group. size: 1 when the
/// source is in shared memory, too. count: the reduction. width: 1 when the side table has, after the offsets, which blocks
/// get it, or (of a group) which bytes of 16 are written.
inline void bulk_copy(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        const std::uint32_t bytes = c.at<std::uint32_t>(in.c)[i];
        const std::uint64_t to = part_of(c, in, in.a, 0, i), from = part_of(c, in, in.b, 1, i);
        if (bytes % 16 != 0 || to % 16 != 0 || from % 16 != 0)
            throw fault{driver::status::misaligned_address,
                        detail::say("Misaligned address: a bulk copy of ", bytes, " bytes from ", detail::address_text(from), " to ",
                                    detail::address_text(to)),
                        i};
        const bool to_shared = in.in != space::global;
        bulk_operation op;
        op.size = bytes;
        op.lane = static_cast<std::uint8_t>(i);
        op.reduction = in.count;
        op.of = in.kind_of;
        if (bytes != 0) {
            op.from = bulk_detail::in_space(c, to_shared && in.size == 0 ? space::global : space::shared, from, bytes, access::load, i);
            op.to = bulk_detail::in_space(c, to_shared ? space::shared : space::global, to, bytes,
                                          in.count != 0 ? access::atomic : access::store, i);
        }
        if (!in.e.given()) {
            if (in.width != 0) op.bytes = c.at<std::uint16_t>(c.l->code->extra[in.target + 3])[i];
            if (bytes != 0) c.w->bulk_open.push_back(std::move(op));
            return;
        }
        const std::uint64_t offset = to & ~window_mask, place = part_of(c, in, in.e, 2, i) & ~window_mask;
        op.mbarrier = resolve_one(c, space::shared, place, 8, access::atomic, i);
        if (bytes == 0) return;
        op.target = &bulk_detail::owner_of(c, offset);
        if (in.width == 0) {
            bulk_detail::begin(c, bulk_detail::owner_of(c, place), std::move(op));
            return;
        }
        const std::uint32_t wanted = c.at<std::uint16_t>(c.l->code->extra[in.target + 3])[i];
        for (unsigned rank = 0; rank < 16; ++rank) {
            if ((wanted >> rank & 1) == 0) continue;
            if (rank >= c.b->cluster_size)
                throw fault{driver::status::illegal_address,
                            detail::say("A bulk copy to block ", rank, " of a cluster of ", c.b->cluster_size), i};
            bulk_operation one = op; // each block has it at the same place, and its own mbarrier
            one.target = c.b->cluster[rank];
            one.to = one.target->shared.data() + (op.to - bulk_detail::owner_of(c, offset).shared.data());
            one.mbarrier = one.target->shared.data() + (op.mbarrier - bulk_detail::owner_of(c, place).shared.data());
            bulk_detail::begin(c, *one.target, std::move(one));
        }
    });
    c.w->effects |= mask;
}
/// st.async and red.async: a place, e the mbarrier, values in the side table. size: bytes of one; width: the reduction.
inline void store_async(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
        const std::uint64_t to = part_of(c, in, in.a, 0, i) & ~window_mask, place = part_of(c, in, in.e, 2, i) & ~window_mask;
        bulk_operation op;
        op.to = resolve_one(c, space::shared, to, bytes, in.width != 0 ? access::atomic : access::store, i);
        op.target = &bulk_detail::owner_of(c, to);
        op.mbarrier = resolve_one(c, space::shared, place, 8, access::atomic, i);
        op.size = bytes;
        op.reduction = in.width;
        op.of = in.kind_of;
        op.taken.resize(bytes);
        for (unsigned k = 0; k < in.count; ++k) {
            const std::uint64_t v = wide_value(c, c.l->code->extra[in.target + 3 + k], in.size, i);
            std::memcpy(op.taken.data() + static_cast<std::size_t>(in.size) * k, &v, in.size);
        }
        bulk_detail::begin(c, bulk_detail::owner_of(c, place), std::move(op));
    });
    c.w->effects |= mask;
}

} // namespace mbarrier_detail

/// The lanes end: what their bulk groups were to write to global memory is written.
inline void finish_bulk(context& c, std::uint32_t mask) {
    if (c.w->bulk_open.empty() && c.w->bulk_batches.empty()) return;
    bulk_detail::commit(c, {}, mask);
    bulk_detail::wait_groups(c, mask, 0, false);
}

/// Decodes bulk copies and reductions, st.async, red.async and st.bulk; false for others.
inline bool decode_bulk(decoder& d, const form& f, const statement& s) {
    using namespace mbarrier_detail;
    const auto& a = s.arguments;
    const bool copies = f.op == "cp" && f.has("async") && f.has("bulk");
    const bool stores = (f.op == "st" || f.op == "red") && f.has("async");
    if (!copies && !stores && !(f.op == "st" && f.has("bulk"))) return false;
    const auto part = [&](const argument& of, instruction& i, operand& base, unsigned bit) {
        instruction one = d.make();
        decode_detail::decode_address(d, of, one);
        base = one.a;
        if ((one.option & narrow_address) != 0) i.option = static_cast<std::uint8_t>(i.option | 1u << bit);
        return d.immediate(static_cast<std::uint64_t>(one.immediate), 8);
    };
    const auto reduction = [&](const type t) {
        atomic_detail::act what = atomic_detail::act::add;
        decoder::need(atomic_detail::find_act(f, what) && atomic_detail::pick(t) != nullptr, "a reduction of this kind");
        return static_cast<std::uint8_t>(static_cast<unsigned>(what) + 1);
    };
    if (!copies && !stores) {
        instruction i = d.make(&bulk_detail::store_zeros);
        i.watch_as(accesses_memory);
        i.flow = flow::bulk_store;
        decode_detail::decode_address(d, a.at(0), i);
        i.b = d.source(a.at(1), type::u64);
        decoder::need(a.at(2).kind == argument_kind::integer && a[2].bits == 0, "st.bulk of another value than 0");
        d.emit(i);
        return true;
    }
    if (copies) {
        decoder::need(!f.has("tensor"), "TMA tensor copies are not supported");
        if (f.has("prefetch")) {
            d.emit(d.make(&decode_detail::nothing_happens));
            return true;
        }
        if (f.has("commit_group")) {
            d.emit(d.make(&bulk_detail::commit));
            return true;
        }
        if (f.has("wait_group")) {
            instruction i = d.make(&bulk_detail::wait_group);
            i.watch_as(orders_threads);
            i.immediate = static_cast<std::int64_t>(a.at(0).bits);
            i.option = f.has("read") ? 1 : 0;
            d.emit(i);
            return true;
        }
        const bool grouped = f.has("bulk_group");
        decoder::need(grouped || f.has("mbarrier::complete_tx::bytes"), "a bulk copy that reports neither to an mbarrier nor to a group");
        instruction i = d.make(&bulk_copy);
        i.watch_as(accesses_memory | orders_threads);
        i.in = f.in;
        i.size = f.in != space::global && !f.has("global") ? 1 : 0;
        i.count = 0;
        if (f.has("reduce")) {
            i.kind_of = f.of();
            i.count = reduction(i.kind_of);
        }
        operand offsets[4];
        offsets[0] = part(a.at(0), i, i.a, 0);
        offsets[1] = part(a.at(1), i, i.b, 1);
        i.c = d.source(a.at(2), type::u32);
        offsets[2] = offsets[0];
        if (!grouped) offsets[2] = part(a.at(3), i, i.e, 2);
        const std::size_t after = grouped ? 3 : 4; // a cache policy comes last, or before the mask of bytes
        if (f.has("multicast::cluster") || f.has("cp_mask")) {
            i.width = 1;
            offsets[3] = d.source(a.at(f.has("cp_mask") && f.has("L2::cache_hint") ? after + 1 : after), type::b16);
        }
        i.target = d.beyond(offsets);
        d.emit(i);
        return true;
    }
    if (!f.has("mbarrier::complete_tx::bytes")) { // to global memory: nobody is told, and only the order is weaker
        d.how = f.op == "st" ? flow::store : flow::atomic;
        if (f.op == "st")
            decode_detail::decode_access(d, f, s);
        else
            decode_detail::decode_atomic(d, f, s);
        return true;
    }
    instruction i = d.make(&store_async);
    i.watch_as(accesses_memory | orders_threads);
    const type t = f.of();
    i.kind_of = t;
    i.size = static_cast<std::uint8_t>(size_of(t));
    i.count = static_cast<std::uint8_t>(f.vector);
    if (f.op == "red") i.width = reduction(t);
    std::vector<operand> all(3);
    all[0] = part(a.at(0), i, i.a, 0);
    all[1] = all[0];
    all[2] = part(a.at(2), i, i.e, 2);
    if (f.vector == 1)
        all.push_back(d.source(a[1], t));
    else
        for (unsigned k = 0; k < a[1].count; ++k) all.push_back(d.source(s.elements[a[1].first + k], t));
    decoder::need(all.size() == 3 + f.vector, "another number of registers than the vector has elements");
    i.target = d.beyond(all);
    d.emit(i);
    return true;
}

} // namespace hanabi::host::ptx

#endif
