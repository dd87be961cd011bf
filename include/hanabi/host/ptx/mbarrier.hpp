// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// mbarrier objects, and the bulk copies that report to them: PTX manual, "mbarrier", "cp.async.bulk", "st.async". The form
/// of the 64-bit object is the executor's own, as it is each device's.

#ifndef HANABI_HOST_PTX_MBARRIER_HPP
#define HANABI_HOST_PTX_MBARRIER_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/async_copy.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/decoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hanabi::host::ptx {

namespace mbarrier_detail {

inline constexpr std::uint64_t most = (std::uint64_t{1} << 20) - 1;

/// The object taken apart: arrivals that are still to come, how many each phase takes, bytes that are still to come.
struct object {
    std::uint64_t pending = 0, expected = 0;
    std::int64_t bytes = 0;
    bool phase = false;

    static object of(std::uint64_t bits) noexcept {
        return {bits & most, bits >> 20 & most, static_cast<std::int64_t>(bits >> 40 & 0x3fffff) - (1 << 21), bits >> 63 != 0};
    }
    std::uint64_t bits() const noexcept {
        return pending | expected << 20 | static_cast<std::uint64_t>(bytes + (1 << 21)) << 40 | static_cast<std::uint64_t>(phase) << 63;
    }
    void settle() noexcept {
        if (pending != 0 || bytes != 0) return;
        phase = !phase;
        pending = expected;
    }
};

enum class act : std::uint8_t {
    init,
    inval,
    expect,
    complete,
    arrive,
    arrive_expect,
    drop,
    test,
    test_parity,
    pending,
    copies,
    copies_counted
};

inline std::uint64_t address_in(const context& c, operand base, bool narrow, std::int64_t offset, unsigned lane) {
    return wide_value(c, base, narrow ? 4 : 8, lane) + static_cast<std::uint64_t>(offset);
}
inline std::uint64_t load(const std::byte* at) noexcept {
    std::uint64_t v = 0;
    std::memcpy(&v, at, 8);
    return v;
}
inline void store(std::byte* at, const object& o) noexcept {
    const std::uint64_t v = o.bits();
    std::memcpy(at, &v, 8);
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
        object o = object::of(load(at));
        const std::uint64_t before = o.bits();
        const auto arrive = [&](std::uint64_t n) {
            if (n > o.pending)
                throw fault{driver::status::launch_failed,
                            detail::say("An mbarrier that waits for ", o.pending, " arrivals gets ", n, ": was it initialised?"), i};
            o.pending -= n;
            o.settle();
        };
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
        case act::arrive: arrive(number); break;
        case act::arrive_expect:
            o.bytes += static_cast<std::int64_t>(number);
            arrive(1);
            break;
        case act::drop:
            o.expected -= std::min(o.expected, number);
            arrive(number);
            break;
        case act::test:
        case act::test_parity: {
            const bool done = what == act::test ? o.phase != object::of(number).phase : static_cast<std::uint64_t>(o.phase) != (number & 1);
            std::uint32_t& p = c.predicate(in.d);
            p = (p & ~(1u << i)) | static_cast<std::uint32_t>(done) << i;
            return;
        }
        case act::copies: finish_copies(c, 1u << i); return; // without .noinc the count goes up before and down after
        case act::copies_counted:
            finish_copies(c, 1u << i);
            arrive(1);
            break;
        case act::pending: break;
        }
        store(at, o);
        if (in.d.given()) c.at<std::uint64_t>(in.d)[i] = before;
    });
}

/// Bytes have arrived.
inline void credit(context& c, std::uint64_t address, std::uint64_t bytes, space in, unsigned lane) {
    std::byte* const at = resolve_one(c, in, address, 8, access::atomic, lane);
    object o = object::of(load(at));
    o.bytes -= static_cast<std::int64_t>(bytes);
    o.settle();
    store(at, o);
}

/// cp.async.bulk: a to, b from, c bytes, e the mbarrier. option bits: which addresses are narrow. The offsets are in the side
/// table of operands, as constants.
inline void bulk_copy(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        const std::uint32_t bytes = c.at<std::uint32_t>(in.c)[i];
        const auto address = [&](operand o, unsigned bit, unsigned k) {
            return wide_value(c, o, (in.option >> bit & 1) != 0 ? 4 : 8, i) + c.at<std::uint64_t>(c.l->code->extra[in.target + k])[i];
        };
        const std::uint64_t to = address(in.a, 0, 0), from = address(in.b, 1, 1);
        if (bytes % 16 != 0 || to % 16 != 0 || from % 16 != 0)
            throw fault{driver::status::misaligned_address,
                        detail::say("Misaligned address: a bulk copy of ", bytes, " bytes from ", detail::address_text(from), " to ",
                                    detail::address_text(to)),
                        i};
        const bool to_shared = in.in != space::global;
        for (std::uint32_t done = 0; done < bytes; done += 16) {
            std::byte* const target = resolve_one(c, to_shared ? space::shared : space::global, to + done, 16, access::store, i);
            const std::byte* const source =
                resolve_one(c, to_shared && in.size == 0 ? space::global : space::shared, from + done, 16, access::load, i);
            std::memcpy(target, source, 16);
        }
        if (in.e.given()) credit(c, address(in.e, 2, 2), bytes, space::shared, i);
    });
}
/// st.async: a place, b value, e the mbarrier.
inline void store_async(context& c, const instruction& in, std::uint32_t mask) {
    each_lane(mask, [&](unsigned i) {
        const auto address = [&](operand o, unsigned bit, unsigned k) {
            return wide_value(c, o, (in.option >> bit & 1) != 0 ? 4 : 8, i) + c.at<std::uint64_t>(c.l->code->extra[in.target + k])[i];
        };
        const unsigned bytes = static_cast<unsigned>(in.size) * in.count;
        std::byte* const to = resolve_one(c, space::shared, address(in.a, 0, 0), bytes, access::store, i);
        for (unsigned k = 0; k < in.count; ++k) {
            const std::uint64_t v = wide_value(c, c.l->code->extra[in.target + 3 + k], in.size, i);
            std::memcpy(to + static_cast<std::size_t>(in.size) * k, &v, in.size);
        }
        credit(c, address(in.e, 2, 2), bytes, space::shared, i);
    });
}

} // namespace mbarrier_detail

/// Decodes mbarrier, bulk copies and st.async; false for others.
inline bool decode_mbarrier(decoder& d, const form& f, const statement& s) {
    using namespace mbarrier_detail;
    const auto& a = s.arguments;
    const auto part = [&](const argument& of, instruction& i, operand& base, unsigned bit) {
        instruction one = d.make();
        decode_detail::decode_address(d, of, one);
        base = one.a;
        if ((one.option & narrow_address) != 0) i.option = static_cast<std::uint8_t>(i.option | 1u << bit);
        return d.immediate(static_cast<std::uint64_t>(one.immediate), 8);
    };
    if (f.op == "mbarrier") {
        instruction i = d.make(&mbarrier_detail::run);
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
            decoder::need(!f.has("arrive_drop") || !f.has("expect_tx"), "arrive_drop with expect_tx");
            what(f.has("arrive_drop") ? act::drop : f.has("expect_tx") ? act::arrive_expect : act::arrive);
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
        i.in = f.has_space ? space::shared : space::generic;
        i.count = static_cast<std::uint8_t>(f.has("noinc") ? act::copies_counted : act::copies);
        decode_detail::decode_address(d, a.at(0), i);
        d.emit(i);
        return true;
    }
    if (f.op == "cp" && f.has("async") && f.has("bulk")) {
        if (f.has("commit_group") || f.has("wait_group") || f.has("prefetch")) {
            decoder::need(!f.has("tensor"), "TMA tensor copies are not supported");
            d.emit(d.make(&decode_detail::nothing_happens));
            return true;
        }
        decoder::need(!f.has("tensor") && !f.has("multicast::cluster") && !f.has("cp_mask"),
                      "TMA tensor and multicast copies are not supported");
        decoder::need(a.size() >= 3, "too few operands");
        instruction i = d.make(&bulk_copy);
        i.in = f.in;
        i.size = f.in != space::global && !f.has("global") ? 1 : 0;
        operand offsets[3];
        offsets[0] = part(a[0], i, i.a, 0);
        offsets[1] = part(a[1], i, i.b, 1);
        i.c = d.source(a[2], type::u32);
        offsets[2] = offsets[0];
        if (f.has("mbarrier::complete_tx::bytes")) offsets[2] = part(a.at(3), i, i.e, 2);
        i.target = static_cast<std::uint32_t>(d.p.extra.size());
        d.p.extra.insert(d.p.extra.end(), offsets, offsets + 3);
        d.emit(i);
        return true;
    }
    if (f.op == "st" && f.has("async")) {
        instruction i = d.make(&store_async);
        const type t = f.of();
        i.size = static_cast<std::uint8_t>(size_of(t));
        i.count = static_cast<std::uint8_t>(f.vector);
        std::vector<operand> all(3);
        all[0] = part(a.at(0), i, i.a, 0);
        all[1] = all[0];
        all[2] = part(a.at(2), i, i.e, 2);
        if (f.vector == 1)
            all.push_back(d.source(a[1], t));
        else
            for (unsigned k = 0; k < a[1].count; ++k) all.push_back(d.source(s.elements[a[1].first + k], t));
        decoder::need(all.size() == 3 + f.vector, "another number of registers than the vector has elements");
        i.target = static_cast<std::uint32_t>(d.p.extra.size());
        d.p.extra.insert(d.p.extra.end(), all.begin(), all.end());
        d.emit(i);
        return true;
    }
    return false;
}

} // namespace hanabi::host::ptx

#endif
