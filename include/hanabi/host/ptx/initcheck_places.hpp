// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Where the bits of places in memory lie that say which have values: shared, local, global.

#ifndef HANABI_HOST_PTX_INITCHECK_PLACES_HPP
#define HANABI_HOST_PTX_INITCHECK_PLACES_HPP

#include <hanabi/host/definedness.hpp>
#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/initcheck_bits.hpp>
#include <hanabi/host/ptx/initcheck_registers.hpp>
#include <hanabi/host/ptx/initcheck_shadow.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace hanabi::host::ptx::initcheck_detail {

/// What blocks, warps and frames lack, as far as one thread works at them, and the bits of all memory that they reach.
class known_places {
  public:
    known_places(const launch& of, register_book& book) : l_{of}, book_{book} {}

    /// A block begins: nothing in its shared memory has a value, but for what is the system's.
    block_shadow& begin(const block& b) {
        block_shadow& s = blocks_[&b];
        s.shared.assign(b.shared_size, 0);
        std::fill_n(s.shared.begin(), std::min<std::size_t>(l_.reserved_shared, s.shared.size()), std::uint8_t{0xff});
        s.full = s.shared.empty();
        s.looks = s.skips = 0;
        while (s.warps.size() < b.warps.size()) s.warps.push_back(std::make_unique<warp_shadow>());
        return s;
    }
    block_shadow& of(const block& b) { return blocks_[&b]; }
    /// That of the block at work.
    const block_shadow& of_this_block() const noexcept { return *block_shadow_; }
    /// That of the warp at work.
    warp_shadow& here(const context& c) {
        if (c.b != block_) {
            block_ = c.b;
            block_shadow_ = &blocks_[c.b];
        }
        return *block_shadow_->warps[c.w->index];
    }
    frame_shadow& of(warp_shadow& lacks, const frame& f) {
        return lacks.of(
            f, [&](const function& g) -> const auto& { return known(g); });
    }
    const function_registers& known(const function& f) {
        const auto number = static_cast<std::size_t>(&f - l_.code->functions.data());
        if (known_.size() <= number) known_.resize(l_.code->functions.size(), nullptr);
        if (known_[number] == nullptr) known_[number] = &book_.of(*l_.code, f);
        return *known_[number];
    }
    /// A frame of local memory begins.
    static void empty_local(warp_shadow& lacks, const frame& f, std::uint32_t mask) {
        if (f.local_top == f.local_base) return;
        each_lane(mask, [&](unsigned i) {
            std::memset(lacks.local.data() + static_cast<std::size_t>(i) * lacks.stride + f.local_base, 0, f.local_top - f.local_base);
        });
    }
    /// Bits of a place, 1 for those that have values; null when all have, or when the access is none that the machine permits.
    std::uint8_t* bits_at(context& c, warp_shadow& lacks, space in, std::uint64_t address, unsigned bytes, unsigned lane,
                          bool to_clear = false) {
        if ((address & (bytes - 1)) != 0 && std::has_single_bit(bytes)) return nullptr;
        const std::uint64_t offset = address & ~window_mask;
        switch (in) {
        case space::shared:
        case space::shared_cluster: return shared_bits(c, offset, bytes, to_clear);
        case space::local: return local_bits(c, lacks, offset, bytes, lane);
        case space::param: return nullptr;
        case space::global:
        case space::constant: return global_bits(address, bytes, to_clear);
        default: break;
        }
        switch (address & window_mask) {
        case 0: return global_bits(address, bytes, to_clear);
        case shared_window: return shared_bits(c, offset, bytes, to_clear);
        case local_window: return local_bits(c, lacks, offset, bytes, lane);
        default: return nullptr;
        }
    }
    /// Whether an address is one of global memory.
    static bool is_global(space in, std::uint64_t address) noexcept {
        return in == space::global || (in == space::generic && (address & window_mask) == 0);
    }
    /// Where the bits of all lanes of an access are.
    common_place common_bits(context& c, warp_shadow& lacks, const instruction& in, const span_of_lanes& a, unsigned bytes) {
        std::uint64_t window = 0;
        switch (in.in) {
        case space::shared: window = shared_window; break;
        case space::local: window = local_window; break;
        case space::generic:
            window = a.low & window_mask;
            if (window != (a.high & window_mask)) return {nullptr, 0, true};
            break;
        case space::global:
        case space::constant: break;
        default: return {nullptr, 0, true};
        }
        const std::uint64_t start = in.in == space::generic ? window : 0;
        if (window == 0) {
            if (!within(last_, a.low, 1) || !within(last_, a.high, bytes)) {
                global_bits(a.low, 1, false); // looks there from now on
                if (!within(last_, a.low, 1) || !within(last_, a.high, bytes)) return {nullptr, 0, true};
            }
            if (last_.defined == nullptr) return {};
            std::uint8_t* const bits = last_.defined->bits();
            return {bits, 0, false, last_.base};
        }
        if (window == shared_window) {
            std::vector<std::uint8_t>& shared = block_shadow_->shared;
            if (a.high - start + bytes <= shared.size()) return {shared.data(), 0, false, start};
        } else if (window == local_window) {
            lacks.fit(*c.w);
            if (a.high - start + bytes <= lacks.stride) return {lacks.local.data(), lacks.stride, false, start};
        }
        return {nullptr, 0, true};
    }
    /// Bytes as they are copied from one place of memory to another.
    void copy_bits(context& c, warp_shadow& lacks, space to_space, std::uint64_t to, space from_space, std::uint64_t from, unsigned bytes,
                   unsigned lane) {
        const std::uint8_t* const source = bits_at(c, lacks, from_space, from, bytes, lane);
        const bool all = source == nullptr || complete(source, bytes);
        std::uint8_t* const target = bits_at(c, lacks, to_space, to, bytes, lane, !all);
        if (target == nullptr) return;
        if (all)
            fill_in(target, bytes);
        else
            for (unsigned k = 0; k < bytes; ++k) put_byte(target + k, byte_at(source + k));
    }
    /// A place in words.
    std::string place_of(space in, std::uint64_t address) const {
        const std::uint64_t window = in == space::generic ? address & window_mask : 0, offset = address & ~window_mask;
        if (in == space::shared || in == space::shared_cluster || window == shared_window)
            return offset >> shared_rank_shift != 0
                       ? detail::say("offset ", offset & ((1u << shared_rank_shift) - 1), " of another block's shared memory")
                       : detail::say("offset ", offset, " of the block's shared memory");
        if (in == space::local || window == local_window) return detail::say("offset ", offset, " of the thread's local memory");
        return l_.outside->place(static_cast<std::uintptr_t>(address));
    }

  private:
    std::uint8_t* shared_bits(context& c, std::uint64_t offset, unsigned bytes, bool to_clear) {
        block_shadow* s = block_shadow_;
        if (const std::uint64_t rank = offset >> shared_rank_shift; rank != 0) {
            if (rank > c.b->cluster_size || c.b->cluster == nullptr) return nullptr;
            s = &blocks_[c.b->cluster[rank - 1]];
            offset &= (1u << shared_rank_shift) - 1;
        }
        if (offset + bytes > s->shared.size()) return nullptr;
        if (to_clear) s->full = false;
        return s->shared.data() + offset;
    }
    static std::uint8_t* local_bits(context& c, warp_shadow& lacks, std::uint64_t offset, unsigned bytes, unsigned lane) {
        lacks.fit(*c.w);
        if (offset + bytes > lacks.stride) return nullptr;
        return lacks.local.data() + static_cast<std::size_t>(lane) * lacks.stride + offset;
    }
    static bool within(const region& r, std::uint64_t address, unsigned bytes) noexcept {
        return address - r.base < r.size && r.size - (address - r.base) >= bytes;
    }
    std::uint8_t* global_bits(std::uint64_t address, unsigned bytes, bool to_clear) {
        region r = last_;
        if (!within(r, address, bytes)) {
            const auto& all = l_.regions;
            const auto above =
                std::upper_bound(all.begin(), all.end(), address, [](std::uint64_t a, const region& x) { return a < x.base; });
            if (above != all.begin() && within(*std::prev(above), address, bytes))
                r = last_ = *std::prev(above);
            else { // made since the launch began, and maybe soon gone: nothing to keep
                r = l_.outside->find(static_cast<std::uintptr_t>(address));
                if (!within(r, address, bytes)) return nullptr;
            }
        }
        if (r.defined == nullptr) return nullptr;
        std::uint8_t* bits = r.defined->bits();
        if (bits == nullptr && to_clear) bits = r.defined->track();
        return bits == nullptr ? nullptr : bits + (address - r.base);
    }

    const launch& l_;
    register_book& book_;
    std::unordered_map<const block*, block_shadow> blocks_;
    const block* block_ = nullptr;
    block_shadow* block_shadow_ = nullptr;
    region last_; ///< of the launch's, where the last access went
    std::vector<const function_registers*> known_;
};

} // namespace hanabi::host::ptx::initcheck_detail

#endif
