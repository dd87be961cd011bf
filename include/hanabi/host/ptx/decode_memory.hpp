// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Decodes what touches memory or makes addresses.

#ifndef HANABI_HOST_PTX_DECODE_MEMORY_HPP
#define HANABI_HOST_PTX_DECODE_MEMORY_HPP

#include <hanabi/host/ptx/atomic.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/memory_access.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hanabi::host::ptx {

namespace decode_detail {

/// Where a memory operand leads: fills in the address, its offset and what it says about its width.
inline symbol decode_address(decoder& d, const argument& a, instruction& i) {
    decoder::need(a.kind == argument_kind::memory, "an address in brackets is expected");
    i.immediate = a.offset;
    if (!a.by_register) {
        i.a = d.immediate(0, 8);
        return {};
    }
    const symbol s = d.look_up(a.name);
    switch (s.kind) {
    case symbol_kind::reg:
        decoder::need(s.size == 4 || s.size == 8, "an address must have 32 or 64 bits");
        i.a = {s.where};
        if (s.size == 4) i.option = static_cast<std::uint8_t>(i.option | narrow_address);
        return s;
    case symbol_kind::unknown: decoder::unknown(a.name);
    case symbol_kind::shared:
        i.immediate = 0;
        i.a = d.address_of(a.name, s, a.offset, 4);
        i.option = static_cast<std::uint8_t>(i.option | narrow_address);
        return s;
    default:
        i.immediate = 0;
        i.a = d.address_of(a.name, s, a.offset, 8);
        return s;
    }
}

/// The registers of a load or store; sets count, size, width, target.
inline void decode_data(decoder& d, const argument& a, type t, instruction& i, bool store) {
    i.size = static_cast<std::uint8_t>(size_of(t));
    i.kind_of = t;
    if (is_signed(t)) i.option = static_cast<std::uint8_t>(i.option | sign_extended);
    unsigned width = 0;
    if (a.kind == argument_kind::vector) {
        decoder::need(a.count == i.count, "another number of registers than the vector has elements");
        std::vector<operand> parts;
        for (unsigned k = 0; k < a.count; ++k) {
            const argument& e = d.current->elements[a.first + k];
            unsigned w = 0;
            parts.push_back(store ? d.source(e, t, &w) : d.destination(e, &w));
            if (w == 0 || !parts.back().given() || parts.back().is_constant()) continue;
            decoder::need(width == 0 || w == width, "registers of different sizes in a vector");
            width = w;
        }
        if (width > i.size) // constants beside such registers are read as wide as those
            for (operand& part : parts) {
                if (!part.is_constant()) continue;
                std::uint64_t value = 0;
                std::memcpy(&value, d.p.constants.data() + (part.where & ~operand::constant), i.size);
                part = d.immediate(value, width);
            }
        i.target = d.beyond(parts);
        if (i.count == 1) i.d = parts[0];
    } else {
        decoder::need(i.count == 1, "a vector of registers is expected");
        i.d = store ? d.source(a, t, &width) : d.destination(a, &width);
        if (!i.d.given()) {
            i.d = d.temporary(size_of(t));
            width = size_of(t);
        }
    }
    if (width == 0) width = i.size;
    decoder::need(width >= i.size, "a register that is smaller than what it is to hold");
    i.width = static_cast<std::uint8_t>(width);
}

/// What observers are told of a load, store or atomic operation.
inline std::uint8_t kinds_of_access(const form& f, bool reads, bool writes) noexcept {
    unsigned kinds = moves_values;
    if (f.in == space::param || f.in == space::local || f.in == space::constant) return static_cast<std::uint8_t>(kinds);
    kinds |= accesses_memory;
    if (reads) kinds |= reads_memory;
    if (writes) kinds |= writes_memory;
    const bool atomic = reads && writes;
    if (atomic || f.has("volatile") || f.has("relaxed") || f.has("acquire") || f.has("release") || f.has("mmio")) kinds |= strong_access;
    if (f.has("release") || f.has("acq_rel")) kinds |= releases_memory;
    return static_cast<std::uint8_t>(kinds);
}

inline void decode_access(decoder& d, const form& f, const statement& s) {
    const bool store = f.op == "st";
    decoder::need(s.arguments.size() >= 2, "ld and st take two operands");
    const argument& place = s.arguments[store ? 0 : 1];
    const argument& data = s.arguments[store ? 1 : 0];
    const type t = f.types.empty() ? type::none : f.types.back();
    decoder::need(size_of(t) != 0, "ld or st of this type");
    instruction i = d.make();
    i.count = static_cast<std::uint8_t>(f.vector);
    i.in = f.in;
    i.watched = kinds_of_access(f, !store, store);
    if (f.in == space::param) {
        const symbol s_place = place.kind == argument_kind::memory && place.by_register ? d.look_up(place.name) : symbol{};
        decode_data(d, data, t, i, store);
        i.option = static_cast<std::uint8_t>(i.option & sign_extended);
        i.immediate = place.offset;
        if (s_place.kind == symbol_kind::kernel_param) {
            i.immediate += s_place.where;
            decoder::need(!store, "a kernel's parameters can't be written");
            i.run = &memory_detail::load_parameter;
            i.flow = flow::parameter;
        } else if (s_place.kind == symbol_kind::param) {
            decoder::need(place.offset >= 0 && static_cast<std::uint64_t>(place.offset) + size_of(t) * f.vector <= s_place.size,
                          "an access beyond the end of a parameter");
            i.immediate += s_place.where;
            i.run = store ? &memory_detail::frame_parameter<true> : &memory_detail::frame_parameter<false>;
            i.flow = store ? flow::frame_store : flow::frame_load;
        } else if (s_place.kind == symbol_kind::reg && !d.self->kernel) {
            decode_address(d, place, i);
            i.run = store ? &memory_detail::frame_parameter_indirect<true> : &memory_detail::frame_parameter_indirect<false>;
            i.flow = store ? flow::frame_store_indirect : flow::frame_load_indirect;
        } else {
            decode_address(d, place, i);
            i.run = f.vector > 1 ? &memory_detail::load_vector : memory_detail::pick_one(store, i.size, i.width, is_signed(t));
        }
        d.emit(i);
        return;
    }
    const symbol s_place = decode_address(d, place, i);
    decode_data(d, data, t, i, store);
    if (i.in == space::generic && s_place.kind == symbol_kind::shared) i.in = space::shared;
    if (i.in == space::generic && s_place.kind == symbol_kind::local) i.in = space::local;
    i.run = f.vector > 1 ? (store ? &memory_detail::store_vector : &memory_detail::load_vector)
                         : memory_detail::pick_one(store, i.size, i.width, is_signed(t));
    d.emit(i);
}

inline void decode_atomic(decoder& d, const form& f, const statement& s) {
    using namespace atomic_detail;
    const bool reduce = f.op == "red";
    const type t = f.of();
    act what = act::add;
    decoder::need(find_act(f, what), "an atomic operation of this kind");
    instruction i = d.make(pick(t));
    decoder::need(i.run != nullptr && (!is_float(t) || what == act::add || what == act::min || what == act::max || what == act::exchange),
                  "an atomic operation on this type");
    const std::size_t first = reduce ? 0 : 1;
    decoder::need(s.arguments.size() >= first + 2, "too few operands");
    i.in = f.in;
    i.watched = kinds_of_access(f, true, true);
    i.count = static_cast<std::uint8_t>(what);
    i.size = static_cast<std::uint8_t>(size_of(t));
    i.width = static_cast<std::uint8_t>(f.vector);
    i.kind_of = t;
    const symbol place = decode_address(d, s.arguments[first], i);
    if (i.in == space::generic && place.kind == symbol_kind::shared) i.in = space::shared;
    const argument& value = s.arguments[first + 1];
    if (f.vector > 1) {
        decoder::need(value.kind == argument_kind::vector && value.count == f.vector && is_float(t), "a vector of registers is expected");
        std::vector<operand> parts;
        for (unsigned k = 0; k < f.vector; ++k) parts.push_back(reduce ? operand{} : d.destination(s.elements[s.arguments[0].first + k]));
        for (unsigned k = 0; k < f.vector; ++k) parts.push_back(d.source(s.elements[value.first + k], t));
        i.target = d.beyond(parts);
        d.emit(i);
        return;
    }
    const type plain = t;
    i.b = d.source(value, plain);
    if (what == act::compare) {
        decoder::need(s.arguments.size() >= first + 3, "cas takes two values");
        i.c = d.source(s.arguments[first + 2], plain);
    }
    unsigned width = i.size;
    if (!reduce) i.d = d.destination(s.arguments[0], &width);
    decoder::need(width == i.size, "the destination has another size than the type");
    d.emit(i);
}

/// cvta: adds or takes away the window, for shared and local addresses; others are equal. option: to the space.
inline void convert_address(context& c, const instruction& in, std::uint32_t mask) {
    const std::uint64_t window = static_cast<std::uint64_t>(in.immediate);
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t a = wide_value(c, in.a, in.size, i);
        set_value(c, in.d, in.size, i, in.option != 0 ? a & ~window : a | window);
    });
}
inline void is_space(context& c, const instruction& in, std::uint32_t mask) {
    std::uint32_t bits = 0;
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t a = wide_value(c, in.a, in.size, i), window = a & window_mask;
        bool yes = false;
        switch (in.in) {
        case space::shared: yes = window == shared_window && (a & ~window_mask) >> shared_rank_shift == 0; break;
        case space::shared_cluster: yes = window == shared_window; break;
        case space::local: yes = window == local_window; break;
        case space::param: yes = window == param_window; break;
        case space::constant: yes = false; break;
        default: yes = window == 0; break;
        }
        bits |= static_cast<std::uint32_t>(yes) << i;
    });
    std::uint32_t& d = c.predicate(in.d);
    d = (d & ~mask) | bits;
}
/// mapa: the same place in the shared memory of another block of the cluster.
inline void map_address(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t a = wide_value(c, in.a, in.size, i);
        const std::uint32_t rank = c.at<std::uint32_t>(in.b)[i];
        if (rank >= c.b->cluster_size)
            throw fault{driver::status::illegal_address, detail::say("mapa: block ", rank, " of a cluster of ", c.b->cluster_size), i};
        const std::uint64_t window = in.in == space::generic ? shared_window : 0;
        const std::uint64_t offset = a & ((1u << shared_rank_shift) - 1);
        set_value(c, in.d, in.size, i, window | static_cast<std::uint64_t>(rank + 1) << shared_rank_shift | offset);
    });
}
inline void rank_of_address(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t a = wide_value(c, in.a, in.size, i) & ~window_mask;
        const auto rank = static_cast<std::uint32_t>(a >> shared_rank_shift);
        c.at<std::uint32_t>(in.d)[i] = rank == 0 ? c.b->rank : rank - 1;
    });
}
inline void fence_all(context&, const instruction&, std::uint32_t) {
#if defined(HANABI_PTX_TSAN) // which knows nothing of fences: an operation on a place of all threads is as good
    static std::atomic<int> place{0};
    place.fetch_add(0, std::memory_order_seq_cst);
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}
inline void zero_wide(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) { c.at<std::uint64_t>(in.d)[i] = 0; });
}
inline void nothing_happens(context&, const instruction&, std::uint32_t) {}

} // namespace decode_detail

/// Decodes an instruction that touches memory or makes an address; false for others.
inline bool decode_memory(decoder& d, const form& f, const statement& s) {
    using namespace decode_detail;
    const auto& a = s.arguments;
    if (f.op == "ld" || f.op == "st" || f.op == "ldu") {
        if (f.has("async") || (f.op == "st" && f.has("bulk"))) return false;
        decode_access(d, f, s);
        return true;
    }
    if (f.op == "atom" || f.op == "red") {
        if (f.has("async")) return false;
        decode_atomic(d, f, s);
        return true;
    }
    if (f.op == "cvta") {
        decoder::need(a.size() == 2, "cvta takes two operands");
        instruction i = d.make(&convert_address);
        const type t = f.of();
        i.size = static_cast<std::uint8_t>(size_of(t));
        i.a = d.source(a[1], t);
        i.d = d.destination(a[0]);
        i.option = f.has("to") ? 1 : 0;
        const std::uint64_t window = f.in == space::shared || f.in == space::shared_cluster ? shared_window
                                     : f.in == space::local                                 ? local_window
                                     : f.in == space::param                                 ? param_window
                                                                                            : 0;
        i.immediate = static_cast<std::int64_t>(window);
        if (window == 0) {
            i.run = i.size == 8 ? lanewise::unary<std::uint64_t>([](std::uint64_t v) { return v; })
                                : lanewise::unary<std::uint32_t>([](std::uint32_t v) { return v; });
        } else
            decoder::need(i.size == 8, "cvta of 32-bit addresses of this space");
        d.emit(i);
        return true;
    }
    if (f.op == "isspacep") {
        decoder::need(a.size() == 2, "isspacep takes two operands");
        instruction i = d.make(&is_space);
        unsigned width = 0;
        i.in = f.in;
        i.d = d.destination(a[0]);
        i.a = d.source(a[1], type::b64, &width);
        i.size = static_cast<std::uint8_t>(width);
        d.emit(i);
        return true;
    }
    if (f.op == "mapa" || f.op == "getctarank") {
        instruction i = d.make(f.op == "mapa" ? &map_address : &rank_of_address);
        const type t = f.of();
        i.in = f.in;
        i.size = static_cast<std::uint8_t>(size_of(t));
        i.d = d.destination(a.at(0));
        i.a = d.source(a.at(1), t);
        if (f.op == "mapa") i.b = d.source(a.at(2), type::u32);
        d.emit(i);
        return true;
    }
    if (f.op == "fence" || f.op == "membar") {
        instruction i = d.make(&fence_all);
        i.watch_as(orders_threads);
        d.emit(i);
        return true;
    }
    if (f.op == "prefetch" || f.op == "prefetchu" || f.op == "discard" || f.op == "applypriority") {
        d.emit(d.make(&nothing_happens));
        return true;
    }
    if (f.op == "createpolicy") {
        instruction i = d.make(&zero_wide);
        i.d = d.destination(a.at(0));
        d.emit(i);
        return true;
    }
    return false;
}

} // namespace hanabi::host::ptx

#endif
