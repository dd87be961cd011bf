// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Bytes whose bits are 1 where memory has values, looked at and filled in: for all lanes of a warp at a time.

#ifndef HANABI_HOST_PTX_INITCHECK_BITS_HPP
#define HANABI_HOST_PTX_INITCHECK_BITS_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/lanewise.hpp>
#include <hanabi/host/ptx/memory_access.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hanabi::host::ptx::initcheck_detail {

/// Whether all bits of some bytes have values.
HANABI_PTX_FORCE bool complete(const std::uint8_t* p, std::size_t count) {
#if defined(HANABI_PTX_TSAN)
    for (std::size_t i = 0; i < count; ++i)
        if (__atomic_load_n(p + i, __ATOMIC_RELAXED) != 0xff) return false;
    return true;
#else
    std::uint64_t all = ~std::uint64_t{0};
    for (; count >= 32; count -= 32, p += 32) {
        std::uint64_t part[4];
        std::memcpy(part, p, 32);
        all &= part[0] & part[1] & part[2] & part[3];
    }
    for (; count >= 4; count -= 4, p += 4) {
        std::uint32_t part = 0;
        std::memcpy(&part, p, 4);
        all &= part | ~std::uint64_t{0xffffffff};
    }
    for (; count != 0; --count, ++p) all &= *p | ~std::uint64_t{0xff};
    return all == ~std::uint64_t{0};
#endif
}
HANABI_PTX_FORCE void fill_in(std::uint8_t* p, std::size_t count) {
#if defined(HANABI_PTX_TSAN)
    for (std::size_t i = 0; i < count; ++i) __atomic_store_n(p + i, std::uint8_t{0xff}, __ATOMIC_RELAXED);
#else
    std::memset(p, 0xff, count);
#endif
}
/// The first byte that lacks bits.
inline unsigned first_lacking(const std::uint8_t* bits, unsigned bytes) noexcept {
    for (unsigned i = 0; i < bytes; ++i)
        if (__atomic_load_n(bits + i, __ATOMIC_RELAXED) != 0xff) return i;
    return 0;
}
inline std::uint8_t byte_at(const std::uint8_t* p) noexcept { return __atomic_load_n(p, __ATOMIC_RELAXED); }
inline void put_byte(std::uint8_t* p, std::uint8_t v) noexcept { __atomic_store_n(p, v, __ATOMIC_RELAXED); }

/// The addresses of a memory instruction, and from where to where they go; as signed numbers, which compare faster: what is
/// beyond 2^63 is nowhere.
struct span_of_lanes {
    std::uint64_t address[lanes];
    std::uint64_t low, high;
    bool row;        ///< one element after the other
    bool misaligned; ///< some of them: the machine will say so
};
struct find_span {
    HANABI_PTX_FORCE static void run(const context& c, const instruction& in, std::uint32_t mask, unsigned bytes, span_of_lanes& out) {
        if ((in.option & narrow_address) != 0 && mask == ~0u) {
            const std::uint32_t* const base = c.at<std::uint32_t>(in.a);
            const auto offset = static_cast<std::uint32_t>(in.immediate);
            std::uint32_t low = base[0], high = base[0], apart = 0, any = 0;
            for (unsigned i = 0; i < lanes; ++i) {
                low = base[i] < low ? base[i] : low;
                high = base[i] > high ? base[i] : high;
                apart |= base[i] - base[0] - i * bytes;
                any |= base[i] + offset;
            }
            for (unsigned i = 0; i < lanes; ++i) out.address[i] = base[i] + offset;
            const bool wraps = low + offset > high + offset;
            out.low = wraps ? 0 : low + offset;
            out.high = wraps ? ~0u : high + offset;
            out.row = apart == 0;
            out.misaligned = (any & (bytes - 1)) != 0;
            return;
        }
        addresses_of(c, in, mask, out.address);
        auto low = static_cast<std::int64_t>(out.address[0]), high = low;
        std::uint64_t apart = mask == ~0u ? 0 : 1, any = 0;
        for (unsigned i = 0; i < lanes; ++i) {
            const auto a = static_cast<std::int64_t>(out.address[i]);
            low = a < low ? a : low;
            high = a > high ? a : high;
            apart |= out.address[i] - out.address[0] - i * bytes;
            any |= out.address[i];
        }
        out.low = static_cast<std::uint64_t>(low);
        out.high = static_cast<std::uint64_t>(high);
        out.row = apart == 0;
        out.misaligned = (any & (bytes - 1)) != 0;
    }
    static void plain(const context& c, const instruction& in, std::uint32_t mask, unsigned bytes, span_of_lanes& out) {
        run(c, in, mask, bytes, out);
    }
#if defined(__OPTIMIZE__)
    HANABI_PTX_WIDE static void wide(const context& c, const instruction& in, std::uint32_t mask, unsigned bytes, span_of_lanes& out) {
        run(c, in, mask, bytes, out);
    }
#endif
    using function = void (*)(const context&, const instruction&, std::uint32_t, unsigned, span_of_lanes&);
    static function pick() noexcept {
#if defined(__OPTIMIZE__)
        if (has_wide_lanes()) return &wide;
#endif
        return &plain;
    }
};

/// Where the bits of all lanes lie: at `base`, indexed by address, each lane's `step` further on.
struct common_place {
    std::uint8_t* base = nullptr; ///< null: all have values
    std::size_t step = 0;
    bool each = false;      ///< nothing common: each lane's by itself
    std::uint64_t from = 0; ///< the address that `base` is of

    std::uint8_t* of(std::uint64_t address, unsigned lane = 0) const noexcept { return base + (address - from + lane * step); }
};
struct find_lacking {
    /// Whether elements of T at the addresses lack something.
    template <class T>
    HANABI_PTX_FORCE static bool some(const common_place& at, const span_of_lanes& a) {
        T all = static_cast<T>(~T{0});
        for (unsigned i = 0; i < lanes; ++i)
            all = static_cast<T>(all & memory_detail::fetch<T>(reinterpret_cast<const std::byte*>(at.of(a.address[i], i))));
        return all != static_cast<T>(~T{0});
    }
    static bool run(const common_place& at, const span_of_lanes& a, std::uint32_t mask, unsigned bytes) {
        if (at.step == 0 && a.high - a.low < 1024 && complete(at.of(a.low), static_cast<std::size_t>(a.high - a.low) + bytes)) return false;
        if (at.step == 0 || mask == ~0u) // those of other lanes are as the first one's
            switch (bytes) {
            case 1: return some<std::uint8_t>(at, a);
            case 2: return some<std::uint16_t>(at, a);
            case 4: return some<std::uint32_t>(at, a);
            case 8: return some<std::uint64_t>(at, a);
            default: break;
            }
        for (; mask != 0; mask &= mask - 1) {
            const unsigned i = first_lane(mask);
            if (!complete(at.of(a.address[i], i), bytes)) return true;
        }
        return false;
    }
};

} // namespace hanabi::host::ptx::initcheck_detail

#endif
