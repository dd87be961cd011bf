// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The local memory of threads as a stack: it grows by calls, and by alloca (PTX manual, "Stack Manipulation Instructions").
/// Each lane may allocate another amount; addresses go up, other than a device's.

#ifndef HANABI_HOST_PTX_LOCAL_STACK_HPP
#define HANABI_HOST_PTX_LOCAL_STACK_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

/// Bytes of local memory that a thread may have.
inline constexpr std::uint32_t local_limit = 512u << 10;

/// Makes room for so many bytes of local memory in each thread of a warp.
inline void need_local(warp& w, std::uint64_t bytes, unsigned lane = 0) {
    if (bytes <= w.local_stride) return;
    if (bytes > local_limit)
        throw fault{driver::status::hardware_stack_error,
                    detail::say("A stack overflow: more than ", local_limit, " bytes of local memory in a thread"), lane};
    const std::uint32_t stride = std::max(static_cast<std::uint32_t>(bytes), w.local_stride * 2);
    std::vector<std::byte> grown(static_cast<std::size_t>(stride) * lanes, std::byte{0xff});
    for (unsigned i = 0; i < lanes && w.local_stride != 0; ++i)
        std::memcpy(grown.data() + static_cast<std::size_t>(i) * stride, w.local.data() + static_cast<std::size_t>(i) * w.local_stride,
                    w.local_stride);
    w.local = std::move(grown);
    w.local_stride = stride;
}

namespace stack_detail {

/// The tops of the frame's lanes, which differ from now on.
inline std::vector<std::uint32_t>& tops_of(frame& f) {
    if (f.tops.empty()) f.tops.assign(lanes, f.local_top);
    return f.tops;
}
inline void settle(frame& f) { f.local_top = *std::max_element(f.tops.begin(), f.tops.end()); }

/// alloca: a bytes, immediate the alignment. width: bytes of the registers.
inline void allocate(context& c, const instruction& in, std::uint32_t mask) {
    frame& f = c.here();
    std::vector<std::uint32_t>& tops = tops_of(f);
    each_lane(mask, [&](unsigned i) {
        const auto align = static_cast<std::uint64_t>(in.immediate);
        const std::uint64_t base = (tops[i] + align - 1) / align * align, size = wide_value(c, in.a, in.width, i);
        if (size > local_limit) need_local(*c.w, size, i); // says so
        need_local(*c.w, base + size, i);
        tops[i] = static_cast<std::uint32_t>(base + size);
        set_value(c, in.d, in.width, i, base);
    });
    settle(f);
}
inline void save(context& c, const instruction& in, std::uint32_t mask) {
    const frame& f = c.here();
    each_lane(mask, [&](unsigned i) { set_value(c, in.d, in.width, i, f.tops.empty() ? f.local_top : f.tops[i]); });
}
inline void restore(context& c, const instruction& in, std::uint32_t mask) {
    frame& f = c.here();
    std::vector<std::uint32_t>& tops = tops_of(f);
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t wanted = wide_value(c, in.a, in.width, i);
        if (wanted < f.local_base || wanted > tops[i])
            throw fault{driver::status::hardware_stack_error,
                        detail::say("stackrestore to ", wanted, ", which is none of the function's own: its stack goes from ", f.local_base,
                                    " to ", tops[i]),
                        i};
        tops[i] = static_cast<std::uint32_t>(wanted);
    });
    settle(f);
}

} // namespace stack_detail

/// Decodes alloca, stacksave and stackrestore; false for others.
inline bool decode_stack(decoder& d, const form& f, const statement& s) {
    using namespace stack_detail;
    if (f.op != "alloca" && f.op != "stacksave" && f.op != "stackrestore") return false;
    instruction i = d.make(f.op == "alloca" ? &allocate : f.op == "stacksave" ? &save : &restore);
    const type t = f.of();
    decoder::need(t == type::u32 || t == type::u64, "the stack is addressed by u32 or u64");
    i.width = static_cast<std::uint8_t>(size_of(t));
    unsigned width = i.width;
    if (f.op != "stackrestore") i.d = d.destination(s.arguments.at(0), &width);
    decoder::need(width == i.width, "a register of another size than the type");
    if (f.op == "stackrestore") i.a = d.source(s.arguments.at(0), t);
    if (f.op == "alloca") {
        i.a = d.source(s.arguments.at(1), t);
        i.immediate = s.arguments.size() > 2 ? std::max<std::int64_t>(8, static_cast<std::int64_t>(s.arguments[2].bits)) : 8;
        decoder::need(std::has_single_bit(static_cast<std::uint64_t>(i.immediate)), "alloca takes an alignment that is a power of two");
    }
    d.emit(i);
    return true;
}

} // namespace hanabi::host::ptx

#endif
