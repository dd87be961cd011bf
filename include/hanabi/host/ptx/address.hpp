// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Where the addresses of a warp lead: every access is checked for its window, bounds and alignment, and answered with
/// pointers or a fault.

#ifndef HANABI_HOST_PTX_ADDRESS_HPP
#define HANABI_HOST_PTX_ADDRESS_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/lanewise.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace hanabi::host::ptx {

/// Why an access is made, for messages.
enum class access : std::uint8_t { load, store, atomic };

/// Bits of instruction::option for what accesses memory.
enum : std::uint8_t { sign_extended = 1, narrow_address = 2, fragile = 4 };

inline const char* to_string(access a) noexcept {
    switch (a) {
    case access::load: return "a read";
    case access::store: return "a write";
    default: return "an atomic operation";
    }
}

/// 32 pointers.
struct places {
    std::byte* at[lanes];
};

namespace address_detail {

[[noreturn]] HANABI_COLD inline void misaligned(std::uint64_t address, unsigned bytes, access why, unsigned lane) {
    throw fault{driver::status::misaligned_address,
                detail::say("Misaligned address: ", to_string(why), " of ", bytes, " bytes at ", detail::address_text(address)), lane};
}
[[noreturn]] HANABI_COLD inline void outside(const char* what, std::uint64_t offset, std::uint64_t size, unsigned bytes, access why,
                                             unsigned lane) {
    std::string how = offset >= size ? detail::say(offset - size, " bytes past its end")
                                     : detail::say("it runs ", offset + bytes - size, " bytes past its end");
    throw fault{driver::status::illegal_address,
                detail::say("Illegal address: ", to_string(why), " of ", bytes, " bytes at offset ", offset, " of the ", what,
                            ", which has ", size, " bytes: ", how),
                lane};
}
[[noreturn]] HANABI_COLD inline void illegal(const context& c, std::uint64_t address, unsigned bytes, access why, unsigned lane) {
    throw fault{driver::status::illegal_address,
                detail::say("Illegal address: ", to_string(why), " of ", bytes,
                            " bytes: ", c.l->outside->complaint(static_cast<std::uintptr_t>(address), bytes)),
                lane};
}
[[noreturn]] HANABI_COLD inline void unready(std::uint64_t offset, unsigned lane) {
    throw fault{driver::status::launch_failed,
                detail::say("A read of shared memory at offset ", offset, " before cp.async has brought it there: a wait is missing"),
                lane};
}

inline std::byte* in_shared(context& c, std::uint64_t offset, unsigned bytes, access why, unsigned lane) {
    block* b = c.b;
    if (const std::uint64_t rank = offset >> shared_rank_shift; rank != 0) {
        if (rank > b->cluster_size || b->cluster == nullptr) outside("block's shared memory", offset, b->shared_size, bytes, why, lane);
        b = b->cluster[rank - 1];
        offset &= (1u << shared_rank_shift) - 1;
    }
    if (offset + bytes > b->shared_size)
        outside(b == c.b ? "block's shared memory" : "shared memory of another block of the cluster", offset, b->shared_size, bytes, why,
                lane);
    if (b->pending != 0 && why == access::load)
        for (unsigned i = 0; i < bytes; ++i)
            if (b->unready[static_cast<std::size_t>(offset) + i] != 0) unready(offset, lane);
    return b->shared.data() + offset;
}
inline std::byte* in_local(context& c, std::uint64_t offset, unsigned bytes, access why, unsigned lane) {
    const std::uint64_t top = c.here().local_top;
    if (offset + bytes > top) outside("thread's local memory", offset, top, bytes, why, lane);
    return c.w->local.data() + static_cast<std::size_t>(lane) * c.w->local_stride + offset;
}
inline std::byte* in_global(context& c, std::uint64_t address, unsigned bytes, access why, unsigned lane) {
    if (address - c.last.base <= c.last.size && c.last.size - (address - c.last.base) >= bytes)
        return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
    const auto& all = c.l->regions;
    const auto above = std::upper_bound(all.begin(), all.end(), address, [](std::uint64_t a, const region& r) { return a < r.base; });
    if (above != all.begin()) {
        const region& r = *std::prev(above);
        if (address - r.base < r.size && r.size - (address - r.base) >= bytes) {
            c.last = r;
            return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
        }
    }
    // Made since the launch began, by the host or by malloc.
    const region now = c.l->outside->find(static_cast<std::uintptr_t>(address));
    if (now.size == 0 || address < now.base || address - now.base >= now.size || now.size - (address - now.base) < bytes)
        illegal(c, address, bytes, why, lane);
    c.last = now;
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}
inline std::byte* in_param(context& c, std::uint64_t offset, unsigned bytes, access why, unsigned lane) {
    const auto size = c.l->parameters.size();
    if (offset + bytes > size) outside("kernel's parameters", offset, size, bytes, why, lane);
    if (why != access::load) throw fault{driver::status::illegal_address, "Illegal address: a kernel's parameters can't be written", lane};
    return const_cast<std::byte*>(c.l->parameters.data()) + offset;
}
inline std::byte* anywhere(context& c, std::uint64_t address, unsigned bytes, access why, unsigned lane) {
    const std::uint64_t offset = address & ~window_mask;
    switch (address & window_mask) {
    case 0: return in_global(c, address, bytes, why, lane);
    case shared_window: return in_shared(c, offset, bytes, why, lane);
    case local_window: return in_local(c, offset, bytes, why, lane);
    case param_window: return in_param(c, offset, bytes, why, lane);
    default: illegal(c, address, bytes, why, lane);
    }
}

} // namespace address_detail

/// Resolves one address of one lane.
inline std::byte* resolve_one(context& c, space in, std::uint64_t address, unsigned bytes, access why, unsigned lane) {
    using namespace address_detail;
    if ((address & (bytes - 1)) != 0 && (bytes & (bytes - 1)) == 0) misaligned(address, bytes, why, lane);
    switch (in) {
    case space::shared:
    case space::shared_cluster: return in_shared(c, address & ~window_mask, bytes, why, lane);
    case space::local: return in_local(c, address & ~window_mask, bytes, why, lane);
    case space::param: return in_param(c, address & ~window_mask, bytes, why, lane);
    case space::global:
    case space::constant: return in_global(c, address, bytes, why, lane);
    default: return anywhere(c, address, bytes, why, lane);
    }
}

/// The addresses of an instruction: its register plus its offset. Lanes outside the mask get the first one's.
HANABI_PTX_FORCE void addresses_of(const context& c, const instruction& in, std::uint32_t mask, std::uint64_t* to) {
    const auto offset = static_cast<std::uint64_t>(in.immediate);
    if ((in.option & narrow_address) != 0) {
        const std::uint32_t* const base = c.at<std::uint32_t>(in.a);
        const auto low = static_cast<std::uint32_t>(offset);
        for (unsigned i = 0; i < lanes; ++i) to[i] = base[i] + low;
    } else {
        const std::uint64_t* const base = c.at<std::uint64_t>(in.a);
        for (unsigned i = 0; i < lanes; ++i) to[i] = base[i] + offset;
    }
    if (mask != ~0u) {
        const std::uint64_t first = to[first_lane(mask)];
        for (unsigned i = 0; i < lanes; ++i) to[i] = (mask >> i & 1) != 0 ? to[i] : first;
    }
}

/// Pointers for the lanes of a mask, which has at least one; those of other lanes are as good as the first one's.
HANABI_PTX_FORCE void resolve(context& c, const instruction& in, std::uint32_t mask, unsigned bytes, access why, places& out) {
    std::uint64_t address[lanes];
    addresses_of(c, in, mask, address);
    std::uint64_t low = address[0], high = address[0], bits = 0;
    for (unsigned i = 0; i < lanes; ++i) {
        low = address[i] < low ? address[i] : low;
        high = address[i] > high ? address[i] : high;
        bits |= address[i];
    }
    if ((bits & (bytes - 1)) != 0)
        each_lane(mask, [&](unsigned i) {
            if ((address[i] & (bytes - 1)) != 0) address_detail::misaligned(address[i], bytes, why, i);
        });
    if (in.in == space::shared) {
        if (high + bytes <= c.b->shared_size && (c.b->pending == 0 || why != access::load)) {
            std::byte* const base = c.b->shared.data();
            for (unsigned i = 0; i < lanes; ++i) out.at[i] = base + address[i];
            return;
        }
    } else if (low - c.last.base <= c.last.size && high - c.last.base <= c.last.size && c.last.size - (high - c.last.base) >= bytes &&
               low != 0) {
        for (unsigned i = 0; i < lanes; ++i) out.at[i] = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address[i]));
        return;
    }
    each_lane(mask, [&](unsigned i) { out.at[i] = resolve_one(c, in.in, address[i], bytes, why, i); });
}

} // namespace hanabi::host::ptx

#endif
