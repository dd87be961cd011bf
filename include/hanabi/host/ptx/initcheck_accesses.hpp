// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Loads, stores, atomic operations, copies, matrices: what goes between memory and registers, or from memory to memory.

#ifndef HANABI_HOST_PTX_INITCHECK_ACCESSES_HPP
#define HANABI_HOST_PTX_INITCHECK_ACCESSES_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/async_bulk.hpp>
#include <hanabi/host/ptx/async_copy.hpp>
#include <hanabi/host/ptx/atomic.hpp>
#include <hanabi/host/ptx/initcheck_bits.hpp>
#include <hanabi/host/ptx/initcheck_events.hpp>
#include <hanabi/host/ptx/initcheck_places.hpp>
#include <hanabi/host/ptx/initcheck_shadow.hpp>
#include <hanabi/host/ptx/initcheck_values.hpp>
#include <hanabi/host/ptx/matrix.hpp>
#include <hanabi/host/ptx/mbarrier.hpp>
#include <hanabi/host/ptx/memory_access.hpp>
#include <hanabi/host/ptx/wmma.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hanabi::host::ptx::initcheck_detail {

/// Takes what lacks values from memory to registers and back, and finds uses of memory that lacks them.
class access_follower {
  public:
    access_follower(known_places& places, event_log& events, value_follower& values) : places_{places}, events_{events}, values_{values} {}

    /// What accesses memory: loads may bring bits without values, stores give values. `s` null: no register lacks any.
    void follow(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        switch (in.flow) {
        case flow::load: return load(c, lacks, s, in, mask);
        case flow::store: return store(c, lacks, s, in, mask);
        case flow::atomic: return change(c, lacks, s, in, mask);
        case flow::async_copy: return copy_async(c, lacks, s, in, mask);
        case flow::bulk_copy: return copy_bulk(c, lacks, s, in, mask);
        case flow::async_store: return store_async(c, lacks, s, in, mask);
        case flow::mbarrier: return use_mbarrier(c, lacks, in, mask);
        case flow::bulk_store: return store_zeros(c, lacks, s, in, mask);
        case flow::load_matrix:
        case flow::store_matrix: return move_matrix(c, lacks, s, in, mask);
        case flow::load_fragment:
        case flow::store_fragment: return move_fragment(c, lacks, s, in, mask);
        default: return;
        }
    }

    /// shfl: a value comes with its bits; a lane that does not take part gives 0.
    void shuffle(context& c, frame_shadow& s, const instruction& in, std::uint32_t mask) {
        events_.use(s, in.e, mask, "the mask of a warp operation is");
        const std::uint32_t unknown = s.lanes_of(in.b) | s.lanes_of(in.c);
        const auto source = values_.sources(c, in, mask);
        const lane_bits given = s.bits_of(in.a);
        origin why = s.from(in.a);
        const std::uint32_t was = why.computed;
        why.computed = 0;
        lane_bits out;
        each_lane(mask, [&](unsigned lane) {
            const unsigned from = source[lane];
            out.of[lane] = (unknown >> lane & 1) != 0 ? 0xffffffffu : from < lanes ? given.of[from] : 0;
            if (from < lanes) why.computed |= (was >> from & 1) << lane;
        });
        why.computed |= unknown;
        s.set(in.d, mask, out, why);
        s.set_all({in.target}, mask, unknown & mask, value_follower::computed(why));
    }
    /// Puts what elements in memory lack into the registers of a load. from(lane): bytes.
    template <class From>
    void give(frame_shadow& s, const context& c, const instruction& in, std::uint32_t mask, From from, origin why) {
        for (unsigned k = 0; k < in.count; ++k) {
            const operand d = in.count == 1 ? in.d : c.l->code->extra[in.target + k];
            if (!s.has(d)) continue;
            if (in.size == 16) {
                each_lane(mask, [&](unsigned i) { std::memcpy(s.at(d) + 16 * i, from(i) + 16 * k, 16); });
                s.settle(d, mask, why);
                continue;
            }
            lane_bits out;
            by_width(in.size, [&](auto zero) {
                each_lane(mask, [&](unsigned i) {
                    std::memcpy(&zero, from(i) + sizeof zero * k, sizeof zero);
                    out.of[i] = memory_detail::extended(zero, sizeof zero, (in.option & sign_extended) != 0);
                });
            });
            s.set(d, mask, out, why);
        }
    }
    /// What the operands of a store lack, byte by byte.
    template <class To>
    void take(const frame_shadow& s, const context& c, const instruction& in, std::uint32_t mask, std::size_t first, To to) {
        for (unsigned k = 0; k < in.count; ++k) {
            const operand d = in.count == 1 && first == 0 ? in.d : c.l->code->extra[in.target + first + k];
            if (!s.is_dirty(d)) continue;
            const unsigned w = s.width(d);
            if (in.size == 16)
                each_lane(mask, [&](unsigned i) { std::memcpy(to(i) + 16 * k, s.at(d) + 16 * i, 16); });
            else
                by_width(in.size, [&](auto zero) { // the register may be wider
                    each_lane(mask, [&](unsigned i) { std::memcpy(to(i) + sizeof zero * k, s.at(d) + i * w, sizeof zero); });
                });
        }
    }
    /// The operand of a store that lacks bits first.
    static operand lacking_operand(const frame_shadow& s, const context& c, const instruction& in, std::size_t first) {
        for (unsigned k = 0; k < in.count; ++k) {
            const operand d = in.count == 1 && first == 0 ? in.d : c.l->code->extra[in.target + first + k];
            if (s.is_dirty(d)) return d;
        }
        return {};
    }

  private:
    void load(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        if (in.in != space::shared || !places_.of_this_block().full) {
            span_of_lanes a;
            const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
            find_span_(c, in, mask, bytes, a);
            if (a.misaligned) return;
            const common_place at = places_.common_bits(c, lacks, in, a, bytes);
            bool some = false;
            if (at.base != nullptr)
                some = find_lacking::run(at, a, mask, bytes);
            else if (at.each)
                each_lane(mask, [&](unsigned i) {
                    const std::uint8_t* const p = places_.bits_at(c, lacks, in.in, a.address[i], bytes, i);
                    some = some || (p != nullptr && !complete(p, bytes));
                });
            if (some) return bring(c, lacks, in, mask, a);
        }
        if (s != nullptr)
            for (unsigned k = 0; k < in.count; ++k) s->clear(in.count == 1 ? in.d : c.l->code->extra[in.target + k], mask);
    }

    /// A load of bits without values, into registers that then lack them.
    void bring(context& c, warp_shadow& lacks, const instruction& in, std::uint32_t mask, const span_of_lanes& a) {
        const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
        const unsigned step = in.size < 8 ? in.size : 8u; // at a time
        event& e = events_.add(c, in);
        std::array<std::array<std::uint8_t, 64>, lanes> lacking{};
        each_lane(mask, [&](unsigned i) {
            const std::uint8_t* const p = places_.bits_at(c, lacks, in.in, a.address[i], bytes, i);
            if (p == nullptr) return;
            by_width(step, [&](auto zero) {
                using word = decltype(zero);
                for (unsigned k = bytes; k != 0;) {
                    k -= static_cast<unsigned>(sizeof(word));
                    const auto lacks_here = static_cast<word>(~memory_detail::fetch<word>(as_bytes(p + k)));
                    if (lacks_here == 0) continue;
                    std::memcpy(lacking[i].data() + k, &lacks_here, sizeof lacks_here);
                    e.mask |= 1u << i;
                    e.address[i] = a.address[i] + k + static_cast<unsigned>(std::countr_zero(lacks_here)) / 8;
                }
            });
        });
        give(places_.of(lacks, c.here()), c, in, mask, [&](unsigned lane) { return lacking[lane].data(); }, {0, e.number});
    }
    static const std::byte* as_bytes(const std::uint8_t* p) noexcept { return reinterpret_cast<const std::byte*>(p); }
    static std::byte* as_bytes(std::uint8_t* p) noexcept { return reinterpret_cast<std::byte*>(p); }

    void store(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        const bool some = s != nullptr && lacking_operand(*s, c, in, 0).given();
        if (!some && in.in == space::shared && places_.of_this_block().full) return;
        span_of_lanes a;
        const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
        find_span_(c, in, mask, bytes, a);
        if (a.misaligned) return;
        if (some) return store_lacking(c, lacks, *s, in, mask, a.address, 0, in.in);
        const common_place at = places_.common_bits(c, lacks, in, a, bytes);
        if (at.base != nullptr) {
            if (a.row && at.step == 0)
                fill_in(at.of(a.low), std::size_t{bytes} * lanes);
            else if (bytes == 4)
                each_lane(mask, [&](unsigned i) { memory_detail::put<std::uint32_t>(as_bytes(at.of(a.address[i], i)), ~0u); });
            else
                each_lane(mask, [&](unsigned i) { fill_in(at.of(a.address[i], i), bytes); });
        } else if (at.each)
            each_lane(mask, [&](unsigned i) {
                if (std::uint8_t* const p = places_.bits_at(c, lacks, in.in, a.address[i], bytes, i); p != nullptr) fill_in(p, bytes);
            });
    }
    void store_lacking(context& c, warp_shadow& lacks, frame_shadow& s, const instruction& in, std::uint32_t mask,
                       const std::uint64_t* address, std::size_t first, space where) {
        const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
        std::array<std::array<std::uint8_t, 64>, lanes> lacking{};
        take(s, c, in, mask, first, [&](unsigned lane) { return lacking[lane].data(); });
        for (unsigned k = 0; k < in.count; ++k) {
            const operand d = in.count == 1 && first == 0 ? in.d : c.l->code->extra[in.target + first + k];
            if (!s.is_dirty(d)) continue;
            std::uint32_t computed = 0;
            each_lane(s.from(d).computed & mask, [&](unsigned i) {
                bool lacks_some = false;
                for (unsigned b = 0; b < in.size; ++b) lacks_some = lacks_some || lacking[i][std::size_t{in.size} * k + b] != 0;
                if (lacks_some && places_.is_global(where, address[i])) computed |= 1u << i;
            });
            if (computed != 0) events_.report("a write to global memory of what is", s.from(d), computed);
        }
        each_lane(mask, [&](unsigned i) {
            std::uint64_t words[8];
            std::memcpy(words, lacking[i].data(), sizeof words);
            const bool any = std::any_of(words, words + 8, [](std::uint64_t w) { return w != 0; });
            std::uint8_t* const p = places_.bits_at(c, lacks, where, address[i], bytes, i, any);
            const unsigned step = in.size < 8 ? in.size : 8u;
            if (p == nullptr) return;
            by_width(step, [&](auto zero) {
                for (unsigned k = 0; k < bytes; k += static_cast<unsigned>(sizeof zero)) {
                    std::memcpy(&zero, lacking[i].data() + k, sizeof zero);
                    memory_detail::put<decltype(zero)>(as_bytes(p + k), static_cast<decltype(zero)>(~zero));
                }
            });
        });
    }

    void change(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        span_of_lanes a;
        const unsigned elements = in.b.given() ? 1 : in.width;
        const unsigned bytes = in.size * elements;
        find_span_(c, in, mask, bytes, a);
        const auto what = static_cast<atomic_detail::act>(in.count);
        if (what == atomic_detail::act::exchange) return exchange(c, lacks, s, in, mask, a);
        if (s != nullptr && in.c.given() && only_around(c, lacks, *s, in, mask, a)) {
            s->clear(in.b, mask);             // what it says of the bits around is the memory's, whatever they are
            each_lane(mask, [&](unsigned i) { // and has them from now on: the next one compares with what this one gave
                if (std::uint8_t* const p = places_.bits_at(c, lacks, in.in, a.address[i], in.size, i); p != nullptr) fill_in(p, in.size);
            });
            if (in.d.given()) s->clear(in.d, mask);
            return;
        }
        if (s != nullptr) {
            events_.use(*s, in.b, mask, "an atomic operation with an operand that is");
            if (in.c.given()) events_.use(*s, in.c, mask, "an atomic operation with an operand that is");
            for (unsigned k = 0; !in.b.given() && k < elements; ++k)
                events_.use(*s, c.l->code->extra[in.target + elements + k], mask, "an atomic operation with an operand that is");
        }
        each_lane(mask, [&](unsigned i) {
            const std::uint8_t* const p = places_.bits_at(c, lacks, in.in, a.address[i], bytes, i);
            if (p != nullptr && !complete(p, bytes))
                throw fault{driver::status::launch_failed,
                            "Uninitialised value: an atomic operation on " +
                                places_.place_of(in.in, a.address[i] + first_lacking(p, bytes)) + ", which nothing has written",
                            i};
        });
        if (s == nullptr) return;
        s->clear(in.d, mask);
        for (unsigned k = 0; !in.b.given() && k < elements; ++k) s->clear(c.l->code->extra[in.target + k], mask);
    }
    /// Whether a compare-and-swap is of a part of a word: its operands lack some bits, and only such as memory lacks too (atomic
    /// operations on bytes beside others that nothing has written).
    bool only_around(context& c, warp_shadow& lacks, frame_shadow& s, const instruction& in, std::uint32_t mask, const span_of_lanes& a) {
        if (!s.is_dirty(in.b) && !s.is_dirty(in.c)) return false;
        bool all = true;
        each_lane(mask, [&](unsigned i) {
            const std::uint8_t* const p = places_.bits_at(c, lacks, in.in, a.address[i], in.size, i);
            unsigned some = 0;
            for (unsigned k = 0; k < in.size; ++k) {
                const unsigned there = p == nullptr ? 0xffu : byte_at(p + k);
                const auto of = [&](operand o) {
                    return s.is_dirty(o)
                               ? static_cast<unsigned>(std::to_integer<std::uint8_t>(std::as_const(s).at(o)[std::size_t{in.size} * i + k]))
                               : 0u;
                };
                if (((of(in.b) | of(in.c)) & there) != 0) all = false;
                some |= there;
            }
            if (some == 0) all = false;
        });
        return all;
    }
    /// Lane after lane, as the exchanges are made.
    void exchange(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask, const span_of_lanes& a) {
        std::array<std::array<std::uint8_t, 16>, lanes> old{};
        event* e = nullptr;
        each_lane(mask, [&](unsigned i) {
            std::array<std::uint8_t, 16> given{};
            if (s != nullptr && s->is_dirty(in.b)) std::memcpy(given.data(), s->at(in.b) + std::size_t{in.size} * i, in.size);
            const bool any = given != std::array<std::uint8_t, 16>{};
            std::uint8_t* const p = places_.bits_at(c, lacks, in.in, a.address[i], in.size, i, any);
            if (p == nullptr) return;
            for (unsigned k = in.size; k-- != 0;) {
                old[i][k] = static_cast<std::uint8_t>(~byte_at(p + k));
                put_byte(p + k, static_cast<std::uint8_t>(~given[k]));
                if (old[i][k] == 0) continue;
                if (e == nullptr) e = &events_.add(c, in);
                e->mask |= 1u << i;
                e->address[i] = a.address[i] + k;
            }
        });
        if (!in.d.given()) return;
        if (e == nullptr) {
            if (s != nullptr) s->clear(in.d, mask);
            return;
        }
        frame_shadow& to = places_.of(lacks, c.here());
        each_lane(mask, [&](unsigned i) { std::memcpy(to.at(in.d) + std::size_t{in.size} * i, old[i].data(), in.size); });
        to.settle(in.d, mask, {0, e->number});
    }

    void copy_async(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        if (s != nullptr) {
            events_.use(*s, in.b, mask, "the source of a copy is");
            events_.use(*s, in.c, mask, "the size of a copy is");
            events_.use(*s, in.e, mask, "a copy depends on what is");
        }
        each_lane(mask, [&](unsigned i) {
            unsigned taken = in.size;
            if (in.c.given()) taken = c.at<std::uint32_t>(in.c)[i];
            if (in.e.given() && (c.predicate(in.e) >> i & 1) != 0) taken = 0;
            if (taken > in.size) return;
            const std::uint64_t to =
                wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, i) + static_cast<std::uint64_t>(in.immediate);
            const std::uint64_t from = wide_value(c, in.b, 8, i) + in.target;
            if (taken != 0) places_.copy_bits(c, lacks, space::shared, to, space::global, from, taken, i);
            if (taken == in.size) return;
            if (std::uint8_t* const p = places_.bits_at(c, lacks, space::shared, to + taken, in.size - taken, i); p != nullptr)
                fill_in(p, in.size - taken);
        });
    }
    /// A reduction that goes on by itself: of what is there with what is given.
    void need(context& c, warp_shadow& lacks, space in, std::uint64_t address, std::uint32_t bytes, unsigned lane) {
        const std::uint8_t* const p = places_.bits_at(c, lacks, in, address, bytes, lane);
        if (p == nullptr || complete(p, bytes)) return;
        throw fault{driver::status::launch_failed,
                    "Uninitialised value: a reduction of " + places_.place_of(in, address + first_lacking(p, bytes)) +
                        ", which nothing has written",
                    lane};
    }
    void copy_bulk(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        const auto& extra = c.l->code->extra;
        if (s != nullptr) {
            events_.use(*s, in.b, mask, "the source of a copy is");
            events_.use(*s, in.c, mask, "the size of a copy is");
            events_.use(*s, in.e, mask, "the mbarrier of a copy is");
            if (in.width != 0) events_.use(*s, extra[in.target + 3], mask, "the mask of a copy is");
        }
        const space target = in.in != space::global ? space::shared : space::global;
        const space source = target == space::shared && in.size == 0 ? space::global : space::shared;
        each_lane(mask, [&](unsigned i) {
            const std::uint32_t bytes = c.at<std::uint32_t>(in.c)[i];
            const std::uint64_t to = mbarrier_detail::part_of(c, in, in.a, 0, i), from = mbarrier_detail::part_of(c, in, in.b, 1, i);
            const std::uint32_t chosen = in.width != 0 ? c.at<std::uint16_t>(extra[in.target + 3])[i] : 0;
            for (std::uint32_t done = 0; done + 16 <= bytes; done += 16) {
                if (in.count != 0) {
                    need(c, lacks, source, from + done, 16, i);
                    need(c, lacks, target, to + done, 16, i);
                } else if (in.width == 0)
                    places_.copy_bits(c, lacks, target, to + done, source, from + done, 16, i);
                else if (!in.e.given()) { // some bytes
                    for (unsigned k = 0; k < 16; ++k)
                        if ((chosen >> k & 1) != 0) places_.copy_bits(c, lacks, target, to + done + k, source, from + done + k, 1, i);
                } else // to several blocks
                    for (unsigned rank = 0; rank < c.b->cluster_size; ++rank)
                        if ((chosen >> rank & 1) != 0)
                            places_.copy_bits(c, lacks, target,
                                              (std::uint64_t{rank + 1} << shared_rank_shift | (to & ((1u << shared_rank_shift) - 1))) +
                                                  done,
                                              source, from + done, 16, i);
            }
        });
    }
    void store_async(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        std::uint64_t address[lanes]{};
        each_lane(mask, [&](unsigned i) { address[i] = mbarrier_detail::part_of(c, in, in.a, 0, i) & ~window_mask; });
        const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
        if (s != nullptr) {
            events_.use(*s, in.e, mask, "the mbarrier of a store is");
            const operand first = lacking_operand(*s, c, in, 3);
            if (first.given() && in.width != 0) events_.use(*s, first, mask, "an atomic operation with an operand that is");
            if (first.given()) return store_lacking(c, lacks, *s, in, mask, address, 3, space::shared);
        }
        each_lane(mask, [&](unsigned i) {
            if (in.width != 0)
                need(c, lacks, space::shared, address[i], bytes, i);
            else if (std::uint8_t* const p = places_.bits_at(c, lacks, space::shared, address[i], bytes, i); p != nullptr)
                fill_in(p, bytes);
        });
    }
    void store_zeros(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        if (s != nullptr) events_.use(*s, in.b, mask, "the size of a fill is");
        each_lane(mask, [&](unsigned i) {
            const std::uint64_t to =
                wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, i) + static_cast<std::uint64_t>(in.immediate);
            const auto bytes = static_cast<unsigned>(c.at<std::uint64_t>(in.b)[i]);
            for (unsigned done = 0; done + 8 <= bytes; done += 8)
                if (std::uint8_t* const p = places_.bits_at(c, lacks, space::shared, to + done, 8, i); p != nullptr) fill_in(p, 8);
        });
    }
    void use_mbarrier(context& c, warp_shadow& lacks, const instruction& in, std::uint32_t mask) {
        const auto what = static_cast<mbarrier_detail::act>(in.count);
        if (what == mbarrier_detail::act::pending) return;
        each_lane(mask, [&](unsigned i) {
            const std::uint64_t at = mbarrier_detail::address_in(c, in.a, (in.option & narrow_address) != 0, in.immediate, i);
            std::uint8_t* const p = places_.bits_at(c, lacks, in.in, at, 8, i);
            if (p == nullptr || complete(p, 8)) return;
            if (what != mbarrier_detail::act::init)
                throw fault{
                    driver::status::launch_failed,
                    "Uninitialised value: an mbarrier operation on " + places_.place_of(in.in, at) + ", where mbarrier.init was not", i};
            fill_in(p, 8);
        });
    }
    /// ldmatrix and stmatrix, as matrix_detail::move_matrix has them.
    void move_matrix(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        using matrix_detail::storage;
        if (mask != ~0u) return;
        const bool stores = in.flow == flow::store_matrix, transposed = (in.option & 8) != 0;
        const auto how = static_cast<storage>(in.width);
        std::array<std::array<std::uint8_t, 16>, lanes> rows{}; // what they lack
        std::uint8_t* places[lanes]{};
        std::uint64_t address[lanes]{};
        bool some = false;
        for (unsigned k = 0; k < in.count; ++k) some = some || (stores && s != nullptr && s->is_dirty(c.l->code->extra[in.target + k]));
        for (unsigned lane = 0; lane < 8u * in.count; ++lane) {
            address[lane] = wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, lane) + static_cast<std::uint64_t>(in.immediate);
            places[lane] = places_.bits_at(c, lacks, in.in, address[lane], 16, lane, some);
            if (places[lane] == nullptr || stores || complete(places[lane], 16)) continue;
            some = true;
            for (unsigned k = 0; k < 16; ++k) rows[lane][k] = static_cast<std::uint8_t>(~byte_at(places[lane] + k));
        }
        event* const e = some && !stores ? &events_.add(c, in) : nullptr;
        for (unsigned x = 0; x < in.count; ++x) {
            const operand data = c.l->code->extra[in.target + x];
            lane_bits bits;
            if (stores && s != nullptr) bits = s->bits_of(data);
            for (unsigned lane = 0; some && lane < lanes; ++lane) {
                const auto from = [&](unsigned row, unsigned column) {
                    if (e == nullptr || rows[row][column] == 0) return;
                    e->mask |= 1u << lane;
                    e->address[lane] = address[row] + column;
                };
                for (unsigned k = 0; k < 4; ++k) {
                    if (how == storage::halves) {
                        const unsigned part = k / 2;
                        const unsigned row = 8 * x + (transposed ? lane % 4 * 2 + part : lane / 4);
                        const unsigned column = 2 * (transposed ? lane / 4 : lane % 4 * 2 + part) + k % 2;
                        if (stores)
                            rows[row][column] = static_cast<std::uint8_t>(bits.of[lane] >> (8 * k));
                        else
                            bits.of[lane] |= static_cast<std::uint64_t>(rows[row][column]) << (8 * k);
                        from(row, column);
                        continue;
                    }
                    const matrix_detail::cell at = matrix_detail::byte_of(how, stores, x, lane, k);
                    if (stores) {
                        rows[at.row][at.column] = static_cast<std::uint8_t>(bits.of[lane] >> (8 * k));
                        continue;
                    }
                    const unsigned width = how <= storage::bytes_transposed ? 8 : how <= storage::six_bits_transposed ? 6 : 4;
                    const unsigned first = width * at.column;
                    std::uint32_t pair = rows[at.row][first / 8];
                    if (first / 8 < 15) pair |= static_cast<std::uint32_t>(rows[at.row][first / 8 + 1]) << 8;
                    bits.of[lane] |= static_cast<std::uint64_t>(pair >> (first % 8) & ((1u << width) - 1)) << (8 * k);
                    from(at.row, first / 8);
                }
            }
            if (e != nullptr)
                places_.of(lacks, c.here()).set(data, mask, bits, {0, e->number});
            else if (s != nullptr && !stores)
                s->clear(data, mask);
        }
        for (unsigned lane = 0; stores && lane < 8u * in.count; ++lane)
            for (unsigned k = 0; places[lane] != nullptr && k < 16; ++k)
                put_byte(places[lane] + k, static_cast<std::uint8_t>(~rows[lane][k]));
    }
    void move_fragment(context& c, warp_shadow& lacks, frame_shadow* s, const instruction& in, std::uint32_t mask) {
        if (mask != ~0u) return;
        wmma_detail::fragment f;
        std::memcpy(&f, &in.immediate, sizeof f);
        const bool stores = in.flow == flow::store_fragment;
        const unsigned bytes = size_of(f.of), all = f.rows * f.columns;
        const auto& extra = c.l->code->extra;
        const auto offset = c.at<std::uint64_t>(extra[in.target])[0];
        std::vector<lane_bits> bits(f.registers);
        if (s != nullptr && stores)
            for (unsigned r = 0; r < f.registers; ++r) bits[r] = s->bits_of(extra[in.target + 1 + r]);
        event* e = nullptr;
        const unsigned packed = bytes >= 4 ? 1 : 4 / bytes;
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned x = 0; x < f.elements; ++x) {
                const unsigned at = (lane * f.elements + x) % all, row = at / f.columns, column = at % f.columns;
                const std::uint64_t step = c.at<std::uint32_t>(in.b)[lane];
                const std::uint64_t index = f.by_columns ? column * step + row : row * step + column;
                const std::uint64_t address = wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, lane) + offset + index * bytes;
                std::uint64_t& of_register = bits[x / packed].of[lane];
                const unsigned shift = 8 * bytes * (x % packed);
                const bool clears = stores && (of_register >> shift & ((bytes == 8 ? 0 : std::uint64_t{1} << (8 * bytes)) - 1)) != 0;
                std::uint8_t* const p = places_.bits_at(c, lacks, in.in, address, bytes, lane, clears);
                if (p == nullptr) continue;
                for (unsigned k = 0; k < bytes; ++k)
                    if (stores)
                        put_byte(p + k, static_cast<std::uint8_t>(~(of_register >> (shift + 8 * k))));
                    else if (const std::uint8_t v = byte_at(p + k); v != 0xff) {
                        if (e == nullptr) e = &events_.add(c, in);
                        of_register |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(~v)) << (shift + 8 * k);
                        e->mask |= 1u << lane;
                        e->address[lane] = address + k;
                    }
            }
        if (stores || (e == nullptr && s == nullptr)) return;
        frame_shadow& to = places_.of(lacks, c.here());
        for (unsigned r = 0; r < f.registers; ++r) to.set(extra[in.target + 1 + r], mask, bits[r], {0, e == nullptr ? 0 : e->number});
    }

    known_places& places_;
    event_log& events_;
    value_follower& values_;
    const find_span::function find_span_ = find_span::pick();
};

} // namespace hanabi::host::ptx::initcheck_detail

#endif
