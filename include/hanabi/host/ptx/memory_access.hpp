// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Loads and stores: PTX manual, "ld", "st". The order of memory is the host's, which is stronger than any that PTX asks for.

#ifndef HANABI_HOST_PTX_MEMORY_ACCESS_HPP
#define HANABI_HOST_PTX_MEMORY_ACCESS_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/lanewise.hpp>
#include <hanabi/host/ptx/logic.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SANITIZE_THREAD__)
#define HANABI_PTX_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HANABI_PTX_TSAN 1
#endif
#endif

namespace hanabi::host::ptx {

namespace memory_detail {

using logic_detail::quad;

/// An element, which the host may look at meanwhile: each is read and written whole.
template <class T>
HANABI_PTX_FORCE T fetch(const std::byte* from) {
    if constexpr (sizeof(T) <= 8)
        return __atomic_load_n(reinterpret_cast<const T*>(from), __ATOMIC_RELAXED);
    else
        return {fetch<std::uint64_t>(from), fetch<std::uint64_t>(from + 8)};
}
template <class T>
HANABI_PTX_FORCE void put(std::byte* to, T value) {
    if constexpr (sizeof(T) <= 8)
        __atomic_store_n(reinterpret_cast<T*>(to), value, __ATOMIC_RELAXED);
    else {
        put<std::uint64_t>(to, value.low);
        put<std::uint64_t>(to + 8, value.high);
    }
}

/// Whether the 32 places are one after the other.
HANABI_PTX_FORCE bool in_a_row(const places& p, std::size_t step) {
#if defined(HANABI_PTX_TSAN)
    (void)p;
    (void)step;
    return false;
#else
    const auto first = reinterpret_cast<std::uintptr_t>(p.at[0]);
    std::uintptr_t difference = 0;
    for (unsigned i = 0; i < lanes; ++i) difference |= reinterpret_cast<std::uintptr_t>(p.at[i]) - first - i * step;
    return difference == 0;
#endif
}

template <class T, class R>
struct load_one {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        places p;
        resolve(c, in, mask, sizeof(T), access::load, p);
        R* const d = c.at<R>(in.d);
        if (mask == ~0u) {
            if constexpr (sizeof(T) == sizeof(R))
                if (in_a_row(p, sizeof(T))) {
                    std::memcpy(static_cast<void*>(d), p.at[0], lanes * sizeof(T));
                    return;
                }
            for (unsigned i = 0; i < lanes; ++i) {
                if constexpr (sizeof(T) == 16)
                    d[i] = fetch<T>(p.at[i]);
                else
                    d[i] = static_cast<R>(fetch<T>(p.at[i]));
            }
        } else
            each_lane(mask, [&](unsigned i) {
                if constexpr (sizeof(T) == 16)
                    d[i] = fetch<T>(p.at[i]);
                else
                    d[i] = static_cast<R>(fetch<T>(p.at[i]));
            });
    }
};
template <class T, class R>
struct store_one {
    HANABI_PTX_FORCE static void run(context& c, const instruction& in, std::uint32_t mask) {
        places p;
        resolve(c, in, mask, sizeof(T), access::store, p);
        c.w->effects |= mask;
        const R* const d = c.at<R>(in.d);
        if (mask == ~0u) {
            if constexpr (sizeof(T) == sizeof(R))
                if (in_a_row(p, sizeof(T))) {
                    std::memcpy(p.at[0], static_cast<const void*>(d), lanes * sizeof(T));
                    return;
                }
            for (unsigned i = 0; i < lanes; ++i) {
                if constexpr (sizeof(T) == 16)
                    put<T>(p.at[i], d[i]);
                else
                    put<T>(p.at[i], static_cast<T>(d[i]));
            }
        } else
            each_lane(mask, [&](unsigned i) {
                if constexpr (sizeof(T) == 16)
                    put<T>(p.at[i], d[i]);
                else
                    put<T>(p.at[i], static_cast<T>(d[i]));
            });
    }
};

inline std::uint64_t fetch_any(const std::byte* from, unsigned size) {
    switch (size) {
    case 1: return fetch<std::uint8_t>(from);
    case 2: return fetch<std::uint16_t>(from);
    case 4: return fetch<std::uint32_t>(from);
    default: return fetch<std::uint64_t>(from);
    }
}
inline void put_any(std::byte* to, unsigned size, std::uint64_t value) {
    switch (size) {
    case 1: put<std::uint8_t>(to, static_cast<std::uint8_t>(value)); break;
    case 2: put<std::uint16_t>(to, static_cast<std::uint16_t>(value)); break;
    case 4: put<std::uint32_t>(to, static_cast<std::uint32_t>(value)); break;
    default: put<std::uint64_t>(to, value); break;
    }
}
inline std::uint64_t extended(std::uint64_t value, unsigned size, bool sign) {
    if (!sign || size >= 8) return value;
    const unsigned shift = 64 - 8 * size;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

/// Vectors: the registers are in the program's side table, from `target` on.
inline void load_vector(context& c, const instruction& in, std::uint32_t mask) {
    places p;
    resolve(c, in, mask, static_cast<unsigned>(in.size) * in.count, access::load, p);
    for (unsigned k = 0; k < in.count; ++k) {
        const operand d = c.l->code->extra[in.target + k];
        if (!d.given()) continue;
        if (in.size == 16) {
            each_lane(mask, [&](unsigned i) { c.at<quad>(d)[i] = fetch<quad>(p.at[i] + 16 * k); });
        } else if (in.size == 4 && in.width == 4) {
            std::uint32_t* const to = c.at<std::uint32_t>(d);
            each_lane(mask, [&](unsigned i) { to[i] = fetch<std::uint32_t>(p.at[i] + 4 * k); });
        } else
            each_lane(mask, [&](unsigned i) {
                set_value(c, d, in.width, i,
                          extended(fetch_any(p.at[i] + static_cast<std::size_t>(in.size) * k, in.size), in.size,
                                   (in.option & sign_extended) != 0));
            });
    }
}
inline void store_vector(context& c, const instruction& in, std::uint32_t mask) {
    places p;
    resolve(c, in, mask, static_cast<unsigned>(in.size) * in.count, access::store, p);
    c.w->effects |= mask;
    for (unsigned k = 0; k < in.count; ++k) {
        const operand d = c.l->code->extra[in.target + k];
        if (in.size == 16)
            each_lane(mask, [&](unsigned i) { put<quad>(p.at[i] + 16 * k, c.at<quad>(d)[i]); });
        else
            each_lane(mask, [&](unsigned i) {
                put_any(p.at[i] + static_cast<std::size_t>(in.size) * k, in.size, wide_value(c, d, in.width, i));
            });
    }
}

/// A kernel's parameter at a place known when the module is decoded: the same for all lanes.
inline void load_parameter(context& c, const instruction& in, std::uint32_t mask) {
    const std::byte* const from = c.l->parameters.data() + in.immediate;
    const std::size_t bytes = static_cast<std::size_t>(in.size) * in.count;
    if (static_cast<std::size_t>(in.immediate) + bytes > c.l->parameters.size())
        address_detail::outside("kernel's parameters", static_cast<std::uint64_t>(in.immediate), c.l->parameters.size(),
                                static_cast<unsigned>(bytes), access::load, first_lane(mask));
    for (unsigned k = 0; k < in.count; ++k) {
        const operand d = in.count == 1 ? in.d : c.l->code->extra[in.target + k];
        if (!d.given()) continue;
        if (in.size == 16) {
            quad v;
            std::memcpy(&v, from + 16 * k, 16);
            each_lane(mask, [&](unsigned i) { c.at<quad>(d)[i] = v; });
            continue;
        }
        std::uint64_t v = 0;
        std::memcpy(&v, from + static_cast<std::size_t>(in.size) * k, in.size);
        v = extended(v, in.size, (in.option & sign_extended) != 0);
        each_lane(mask, [&](unsigned i) { set_value(c, d, in.width, i, v); });
    }
}
/// A function's parameter, or one of its calls': bytes of each lane. `e` given: the value is stored.
template <bool Store>
inline void frame_parameter(context& c, const instruction& in, std::uint32_t mask) {
    frame& f = c.here();
    const std::size_t stride = f.of->param_bytes;
    for (unsigned k = 0; k < in.count; ++k) {
        const operand d = in.count == 1 ? in.d : c.l->code->extra[in.target + k];
        if (!d.given()) continue;
        each_lane(mask, [&](unsigned i) {
            std::byte* const at = f.params.data() + i * stride + in.immediate + static_cast<std::size_t>(in.size) * k;
            if (in.size == 16) {
                if (Store)
                    std::memcpy(at, &c.at<quad>(d)[i], 16);
                else
                    std::memcpy(static_cast<void*>(&c.at<quad>(d)[i]), at, 16);
                return;
            }
            std::uint64_t v = 0;
            if (Store) {
                v = wide_value(c, d, in.width, i);
                std::memcpy(at, &v, in.size);
            } else {
                std::memcpy(&v, at, in.size);
                set_value(c, d, in.width, i, extended(v, in.size, (in.option & sign_extended) != 0));
            }
        });
    }
}
/// The same through a register that holds an offset in the frame's parameters.
template <bool Store>
inline void frame_parameter_indirect(context& c, const instruction& in, std::uint32_t mask) {
    frame& f = c.here();
    const std::size_t stride = f.of->param_bytes;
    each_lane(mask, [&](unsigned i) {
        const std::uint64_t offset =
            wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, i) + static_cast<std::uint64_t>(in.immediate);
        if (offset + static_cast<std::uint64_t>(in.size) * in.count > stride)
            address_detail::outside("function's parameters", offset, stride, static_cast<unsigned>(in.size) * in.count,
                                    Store ? access::store : access::load, i);
        for (unsigned k = 0; k < in.count; ++k) {
            const operand d = in.count == 1 ? in.d : c.l->code->extra[in.target + k];
            if (!d.given()) continue;
            std::byte* const at = f.params.data() + i * stride + offset + static_cast<std::size_t>(in.size) * k;
            if (Store)
                put_any(at, in.size, wide_value(c, d, in.width, i));
            else
                set_value(c, d, in.width, i, extended(fetch_any(at, in.size), in.size, (in.option & sign_extended) != 0));
        }
    });
}

template <class T, class R>
handler one(bool store) noexcept {
    return store ? lanewise::either<store_one<T, R>>::pick() : lanewise::either<load_one<T, R>>::pick();
}

/// The handler for one element of `size` bytes and a register of `width`.
inline handler pick_one(bool store, unsigned size, unsigned width, bool sign) noexcept {
    switch (size) {
    case 1:
        if (width == 1) return one<std::uint8_t, std::uint8_t>(store);
        if (width == 2) return sign ? one<std::int8_t, std::int16_t>(store) : one<std::uint8_t, std::uint16_t>(store);
        if (width == 4) return sign ? one<std::int8_t, std::int32_t>(store) : one<std::uint8_t, std::uint32_t>(store);
        return sign ? one<std::int8_t, std::int64_t>(store) : one<std::uint8_t, std::uint64_t>(store);
    case 2:
        if (width == 2) return one<std::uint16_t, std::uint16_t>(store);
        if (width == 4) return sign ? one<std::int16_t, std::int32_t>(store) : one<std::uint16_t, std::uint32_t>(store);
        return sign ? one<std::int16_t, std::int64_t>(store) : one<std::uint16_t, std::uint64_t>(store);
    case 4:
        if (width == 4) return one<std::uint32_t, std::uint32_t>(store);
        return sign ? one<std::int32_t, std::int64_t>(store) : one<std::uint32_t, std::uint64_t>(store);
    case 8: return one<std::uint64_t, std::uint64_t>(store);
    default: return one<quad, quad>(store);
    }
}

} // namespace memory_detail

} // namespace hanabi::host::ptx

#endif
