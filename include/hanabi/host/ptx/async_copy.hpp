// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Copies that cp.async begins: they happen at the latest moment at which the program may rely on them, so that a missing
/// wait shows. PTX manual, "cp.async".

#ifndef HANABI_HOST_PTX_ASYNC_COPY_HPP
#define HANABI_HOST_PTX_ASYNC_COPY_HPP

#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace hanabi::host::ptx {

namespace async_detail {

inline void finish(context& c, async_batch& batch, std::uint32_t mask) {
    block& b = *c.b;
    std::size_t kept = 0;
    for (async_copy& copy : batch.copies) {
        if ((mask >> copy.lane & 1) == 0) {
            batch.copies[kept++] = copy;
            continue;
        }
        for (observer* o : b.observers) o->copied(c, copy);
        if (copy.taken != 0) std::memcpy(copy.to, copy.from, copy.taken);
        if (copy.size != copy.taken) std::memset(copy.to + copy.taken, 0, copy.size - copy.taken);
        for (std::uint32_t i = 0; i < copy.size; ++i) --b.unready[copy.mark + i];
        b.pending -= copy.size;
    }
    batch.copies.resize(kept);
    batch.mask &= ~mask;
}

/// cp.async: a to, b from, c how many bytes are taken, e a predicate to take none. size: bytes.
inline void begin(context& c, const instruction& in, std::uint32_t mask) {
    block& b = *c.b;
    if (b.unready.size() < b.shared_size) b.unready.resize(b.shared_size);
    each_lane(mask, [&](unsigned i) {
        std::uint32_t taken = in.size;
        if (in.c.given()) taken = c.at<std::uint32_t>(in.c)[i];
        if (in.e.given() && (c.predicate(in.e) >> i & 1) != 0) taken = 0;
        if (taken > in.size)
            throw fault{driver::status::launch_failed, detail::say("cp.async of ", static_cast<unsigned>(in.size), " bytes takes ", taken),
                        i};
        const std::uint64_t to =
            wide_value(c, in.a, (in.option & narrow_address) != 0 ? 4 : 8, i) + static_cast<std::uint64_t>(in.immediate);
        const std::uint64_t from = wide_value(c, in.b, 8, i) + in.target;
        async_copy copy;
        copy.to = resolve_one(c, space::shared, to, in.size, access::store, i);
        copy.from = taken == 0 ? nullptr : resolve_one(c, space::global, from, taken == in.size ? in.size : 1, access::load, i);
        if (taken > 1 && taken != in.size) resolve_one(c, space::global, from + taken - 1, 1, access::load, i);
        copy.size = in.size;
        copy.taken = taken;
        copy.mark = static_cast<std::uint32_t>(copy.to - b.shared.data());
        copy.pc = static_cast<std::uint32_t>(&in - c.l->code->code.data());
        copy.lane = static_cast<std::uint8_t>(i);
        for (std::uint32_t k = 0; k < copy.size; ++k) ++b.unready[copy.mark + k];
        b.pending += copy.size;
        c.w->open.copies.push_back(copy);
    });
    c.w->open.mask |= mask;
    c.w->effects |= mask;
}
/// Batches are the warp's, with the lanes that committed them.
inline void commit(context& c, const instruction&, std::uint32_t mask) {
    async_batch batch;
    batch.mask = mask;
    std::size_t kept = 0;
    for (async_copy& copy : c.w->open.copies)
        if ((mask >> copy.lane & 1) != 0)
            batch.copies.push_back(copy);
        else
            c.w->open.copies[kept++] = copy;
    c.w->open.copies.resize(kept);
    c.w->open.mask &= ~mask;
    c.w->batches.push_back(std::move(batch));
}
inline void wait_groups(context& c, std::uint32_t mask, std::uint64_t left) {
    each_lane(mask, [&](unsigned i) {
        std::uint64_t open = 0;
        for (const async_batch& batch : c.w->batches) open += batch.mask >> i & 1;
        for (async_batch& batch : c.w->batches) {
            if (open <= left) break;
            if ((batch.mask >> i & 1) == 0) continue;
            finish(c, batch, 1u << i);
            --open;
        }
    });
    std::erase_if(c.w->batches, [](const async_batch& batch) { return batch.mask == 0; });
}
inline void wait_group(context& c, const instruction& in, std::uint32_t mask) {
    wait_groups(c, mask, static_cast<std::uint64_t>(in.immediate));
}
inline void wait_all(context& c, const instruction&, std::uint32_t mask) {
    finish(c, c.w->open, mask);
    wait_groups(c, mask, 0);
}

} // namespace async_detail

/// The lanes end: what they began is done.
inline void finish_copies(context& c, std::uint32_t mask) {
    if (c.w->open.copies.empty() && c.w->batches.empty()) return;
    async_detail::finish(c, c.w->open, mask);
    async_detail::wait_groups(c, mask, 0);
}

} // namespace hanabi::host::ptx

#endif
