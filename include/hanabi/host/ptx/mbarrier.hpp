// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Operations on mbarrier objects: PTX manual, "mbarrier", "cp.async.mbarrier.arrive".

#ifndef HANABI_HOST_PTX_MBARRIER_HPP
#define HANABI_HOST_PTX_MBARRIER_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/async_bulk.hpp>
#include <hanabi/host/ptx/async_copy.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/mbarrier_object.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hanabi::host::ptx {

namespace mbarrier_detail {

enum class act : std::uint8_t {
    init,
    inval,
    expect,
    complete,
    arrive,
    arrive_expect,
    drop,
    drop_expect,
    test,
    test_parity,
    pending,
    copies,
    copies_counted
};

inline std::uint64_t address_in(const context& c, operand base, bool narrow, std::int64_t offset, unsigned lane) {
    return wide_value(c, base, narrow ? 4 : 8, lane) + static_cast<std::uint64_t>(offset);
}
/// option: narrow_address; count: what to do; b: its number or state.
inline void run(context& c, const instruction& in, std::uint32_t mask) {
    const auto what = static_cast<act>(in.count);
    each_lane(mask, [&](unsigned i) {
        if (what == act::pending) {
            c.at<std::uint32_t>(in.d)[i] = static_cast<std::uint32_t>(object::of(c.at<std::uint64_t>(in.b)[i]).pending);
            return;
        }
        std::byte* const at =
            resolve_one(c, in.in, address_in(c, in.a, (in.option & narrow_address) != 0, in.immediate, i), 8, access::atomic, i);
        const std::uint64_t number = !in.b.given() ? 1 : wide_value(c, in.b, in.width, i);
        object o = object::at(at);
        const std::uint64_t before = o.bits();
        switch (what) {
        case act::init:
            if (number == 0 || number > most)
                throw fault{driver::status::launch_failed, detail::say("mbarrier.init with a count of ", number), i};
            o = {number, number, 0, false};
            break;
        case act::inval: o = {0, 0, 0, false}; break;
        case act::expect: o.bytes += static_cast<std::int64_t>(number); break;
        case act::complete:
            o.bytes -= static_cast<std::int64_t>(number);
            o.settle();
            break;
        case act::arrive: o.arrive(number, i); break;
        case act::arrive_expect:
            o.bytes += static_cast<std::int64_t>(number);
            o.arrive(1, i);
            break;
        case act::drop:
            o.expected -= std::min(o.expected, number);
            o.arrive(number, i);
            break;
        case act::drop_expect:
            o.bytes += static_cast<std::int64_t>(number);
            o.expected -= std::min<std::uint64_t>(o.expected, 1);
            o.arrive(1, i);
            break;
        case act::test:
        case act::test_parity: {
            const auto complete = [&] {
                return what == act::test ? o.phase != object::of(number).phase : static_cast<std::uint64_t>(o.phase) != (number & 1);
            };
            bool done = complete();
            if (!done && !c.b->bulk.empty()) { // now somebody waits: what goes on by itself has had its time
                bulk_detail::arrive_all(c, *c.b, at);
                o = object::at(at);
                done = complete();
            }
            std::uint32_t& p = c.predicate(in.d);
            p = (p & ~(1u << i)) | static_cast<std::uint32_t>(done) << i;
            return;
        }
        case act::copies:
            ++o.pending; // until the arrival
            [[fallthrough]];
        case act::copies_counted: {
            bulk_operation op;
            op.after = c.w;
            op.lane = static_cast<std::uint8_t>(i);
            op.mbarrier = at;
            o.put(at);
            bulk_detail::begin(c, *c.b, std::move(op));
            return;
        }
        case act::pending: break;
        }
        o.put(at);
        if (in.d.given()) c.at<std::uint64_t>(in.d)[i] = before;
    });
}

} // namespace mbarrier_detail

/// Decodes mbarrier and cp.async.mbarrier.arrive; false for others.
inline bool decode_mbarrier(decoder& d, const form& f, const statement& s) {
    using namespace mbarrier_detail;
    const auto& a = s.arguments;
    if (f.op == "mbarrier") {
        instruction i = d.make(&mbarrier_detail::run);
        i.watch_as(accesses_memory | orders_threads);
        i.in = f.in == space::shared_cluster ? space::shared : f.in;
        const auto number = [&](std::size_t k, type t) {
            i.b = d.source(a.at(k), t);
            i.width = static_cast<std::uint8_t>(size_of(t));
        };
        const auto what = [&](act x) { i.count = static_cast<std::uint8_t>(x); };
        if (f.has("pending_count")) {
            what(act::pending);
            i.d = d.destination(a.at(0));
            number(1, type::b64);
        } else if (f.has("init") || f.has("inval") || f.has("complete_tx") ||
                   (f.has("expect_tx") && !f.has("arrive") && !f.has("arrive_drop"))) {
            what(f.has("init") ? act::init : f.has("inval") ? act::inval : f.has("complete_tx") ? act::complete : act::expect);
            decode_detail::decode_address(d, a.at(0), i);
            if (!f.has("inval")) number(1, type::u32);
        } else if (f.has("arrive") || f.has("arrive_drop")) {
            what(f.has("arrive_drop") ? (f.has("expect_tx") ? act::drop_expect : act::drop)
                                      : (f.has("expect_tx") ? act::arrive_expect : act::arrive));
            const bool with_state = a.at(0).kind != argument_kind::memory;
            if (with_state) i.d = d.destination(a[0]);
            decode_detail::decode_address(d, a.at(with_state ? 1 : 0), i);
            if (a.size() > (with_state ? 2u : 1u)) number(with_state ? 2 : 1, type::u32);
        } else if (f.has("test_wait") || f.has("try_wait")) {
            what(f.has("parity") ? act::test_parity : act::test);
            i.kind = step::yield;
            i.d = d.destination(a.at(0));
            decode_detail::decode_address(d, a.at(1), i);
            number(2, f.has("parity") ? type::u32 : type::b64);
        } else
            return false;
        d.emit(i);
        return true;
    }
    if (f.op == "cp" && f.has("async") && f.has("mbarrier")) {
        instruction i = d.make(&mbarrier_detail::run);
        i.watch_as(accesses_memory | orders_threads);
        i.in = f.has_space ? space::shared : space::generic;
        i.count = static_cast<std::uint8_t>(f.has("noinc") ? act::copies_counted : act::copies);
        decode_detail::decode_address(d, a.at(0), i);
        d.emit(i);
        return true;
    }
    return false;
}

} // namespace hanabi::host::ptx

#endif
