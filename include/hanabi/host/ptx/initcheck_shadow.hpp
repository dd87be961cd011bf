// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The bits of registers that have no value, and where they came from.

#ifndef HANABI_HOST_PTX_INITCHECK_SHADOW_HPP
#define HANABI_HOST_PTX_INITCHECK_SHADOW_HPP

#include <hanabi/host/ptx/initcheck_registers.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

namespace hanabi::host::ptx::initcheck_detail {

/// Calls f with an unsigned number of a register's size, of at most 8 bytes.
template <class F>
void by_width(unsigned width, F f) {
    switch (width) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    default: return f(std::uint64_t{});
    }
}
/// Bits of 32 lanes.
struct lane_bits {
    std::uint64_t of[lanes]{};
};
/// Which of a value's bits came from arithmetic, lane by lane, and the event that brought them.
struct origin {
    std::uint32_t computed = 0;
    std::uint32_t event = 0; ///< 0: a register that nothing has written
};

/// What a frame's registers and parameters lack: 1 where a bit has no value, in places like those of the values.
class frame_shadow {
  public:
    frame_shadow(const frame& f, const function_registers& known, unsigned& dirty)
        : known_{known},
          of_{f.of},
          registers_{f.registers.size()},
          params_(static_cast<std::size_t>(f.of->param_bytes) * lanes, std::byte{0}),
          notes_(f.of->cells.size()),
          all_dirty_{dirty} {
        std::memset(registers_.data(), 0, registers_.size());
    }

    const function_registers& known() const noexcept { return known_; }
    bool is_dirty() const noexcept { return dirty_ != 0 || params_dirty_; }
    /// Whether some bit of some lane has no value.
    bool is_dirty(operand o) const noexcept { return has(o) && notes_[known_.cell(o)].dirty; }
    unsigned width(operand o) const noexcept { return known_.width(o); }
    bool has(operand o) const noexcept { return o.given() && !o.is_constant() && known_.cell(o) < notes_.size(); }
    origin from(operand o) const noexcept { return has(o) ? notes_[known_.cell(o)].from : origin{}; }
    std::byte* data() const noexcept { return registers_.data(); }
    std::byte* at(operand o) const noexcept { return registers_.data() + o.where; }

    /// The lanes that lack bits.
    std::uint32_t lanes_of(operand o) const noexcept {
        if (!is_dirty(o)) return 0;
        const unsigned w = width(o);
        std::uint32_t out = 0;
        if (w == 0) {
            std::memcpy(&out, at(o), 4);
            return out;
        }
        if (w == 16) {
            for (unsigned i = 0; i < lanes; ++i) {
                std::uint64_t halves[2];
                std::memcpy(halves, at(o) + i * w, 16);
                out |= static_cast<std::uint32_t>((halves[0] | halves[1]) != 0) << i;
            }
            return out;
        }
        by_width(w, [&](auto zero) {
            for (unsigned i = 0; i < lanes; ++i) {
                std::memcpy(&zero, at(o) + i * sizeof zero, sizeof zero);
                out |= static_cast<std::uint32_t>(zero != 0) << i;
            }
        });
        return out;
    }
    /// The bits that lack, of a register of at most 8 bytes; of a predicate: a bit each.
    lane_bits bits_of(operand o) const noexcept {
        lane_bits out;
        if (!is_dirty(o)) return out;
        const unsigned w = width(o);
        if (w == 0) {
            std::uint32_t word = 0;
            std::memcpy(&word, at(o), 4);
            for (unsigned i = 0; i < lanes; ++i) out.of[i] = word >> i & 1;
        } else
            by_width(w, [&](auto zero) {
                for (unsigned i = 0; i < lanes; ++i) {
                    std::memcpy(&zero, at(o) + i * w, sizeof zero);
                    out.of[i] = zero;
                }
            });
        return out;
    }
    std::uint64_t bits_of(operand o, unsigned lane) const noexcept {
        std::uint64_t out = 0;
        if (is_dirty(o)) std::memcpy(&out, at(o) + lane * width(o), width(o) < 8 ? width(o) : 8);
        return out;
    }

    /// Sets what the lanes of a mask lack.
    void set(operand o, std::uint32_t mask, const lane_bits& bits, origin why) {
        if (!has(o)) return;
        const unsigned w = width(o);
        if (w == 0) {
            std::uint32_t word = 0, lacks = 0;
            std::memcpy(&word, at(o), 4);
            for (unsigned i = 0; i < lanes; ++i) lacks |= static_cast<std::uint32_t>(bits.of[i] & 1) << i;
            word = (word & ~mask) | (lacks & mask);
            std::memcpy(at(o), &word, 4);
        } else
            by_width(w, [&](auto zero) {
                each_lane(mask, [&](unsigned i) {
                    const auto v = static_cast<decltype(zero)>(bits.of[i]);
                    std::memcpy(at(o) + i * w, &v, sizeof v);
                });
            });
        settle(o, mask, why);
    }
    /// All bits, of the lanes in `lacking`; none, of the others of the mask.
    void set_all(operand o, std::uint32_t mask, std::uint32_t lacking, origin why) {
        if (!has(o) || (lacking == 0 && !is_dirty(o))) return;
        const unsigned w = width(o);
        if (w == 0) {
            std::uint32_t word = 0;
            std::memcpy(&word, at(o), 4);
            word = (word & ~mask) | (lacking & mask);
            std::memcpy(at(o), &word, 4);
        } else
            each_lane(mask, [&](unsigned i) { std::memset(at(o) + i * w, (lacking >> i & 1) != 0 ? 0xff : 0, w); });
        settle(o, mask, why);
    }
    void clear(operand o, std::uint32_t mask) { set_all(o, mask, 0, {}); }
    /// After the bytes were written in place.
    void settle(operand o, std::uint32_t mask, origin why) {
        if (!has(o)) return;
        note& n = notes_[known_.cell(o)];
        const std::size_t bytes = width(o) == 0 ? 4 : std::size_t{width(o)} * lanes;
        std::uint32_t all = 0;
        for (std::size_t i = 0; i < bytes; i += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, at(o) + i, 4);
            all |= word;
        }
        const bool lacks = all != 0;
        n.from.computed = (n.from.computed & ~mask) | (why.computed & mask);
        if (why.event != 0 || !n.dirty) n.from.event = why.event;
        mark(n, lacks);
    }

    /// What the parameters of a lane lack; null while nobody lacks anything.
    std::byte* params(unsigned lane) noexcept { return params_.data() + static_cast<std::size_t>(lane) * (params_.size() / lanes); }
    bool params_dirty() const noexcept { return params_dirty_; }
    origin params_from() const noexcept { return params_from_; }
    void params_changed(origin why) {
        params_from_ = why;
        if (!params_dirty_) ++all_dirty_;
        params_dirty_ = true;
    }
    /// Parameters that have been handed over: nobody reads them again.
    void params_done() {
        if (!params_dirty_) return;
        std::fill(params_.begin(), params_.end(), std::byte{0});
        params_dirty_ = false;
        --all_dirty_;
    }

    /// The lanes begin anew, or are gone.
    void forget(std::uint32_t mask) {
        for (std::size_t i = 0; dirty_ != 0 && i < notes_.size(); ++i)
            if (notes_[i].dirty) clear({of_->cells[i].at}, mask);
        if (!params_dirty_) return;
        const std::size_t stride = params_.size() / lanes;
        each_lane(mask, [&](unsigned i) { std::memset(params(i), 0, stride); });
        for (const std::byte b : params_)
            if (b != std::byte{0}) return;
        params_dirty_ = false;
        --all_dirty_;
    }
    /// Lanes come over from another frame of the same function.
    void join(frame_shadow& other, std::uint32_t mask) {
        for (std::size_t i = 0; i < notes_.size(); ++i) {
            if (!notes_[i].dirty && !other.notes_[i].dirty) continue;
            const operand o{of_->cells[i].at};
            const unsigned w = width(o);
            if (w == 0) {
                std::uint32_t mine = 0, theirs = 0;
                std::memcpy(&mine, at(o), 4);
                std::memcpy(&theirs, other.at(o), 4);
                mine = (mine & ~mask) | (theirs & mask);
                std::memcpy(at(o), &mine, 4);
            } else
                each_lane(mask, [&](unsigned k) { std::memcpy(at(o) + k * w, other.at(o) + k * w, w); });
            settle(o, mask, other.notes_[i].from);
        }
        if (params_dirty_ || other.params_dirty_) {
            const std::size_t stride = params_.size() / lanes;
            each_lane(mask, [&](unsigned i) { std::memcpy(params(i), other.params(i), stride); });
            params_changed(other.params_dirty_ ? other.params_from_ : params_from_);
        }
        other.forget(mask);
    }
    /// Drops what is not read again from any of the places on that f knows.
    template <class F>
    void drop_dead(F is_live) {
        for (std::uint32_t i = 0; dirty_ != 0 && i < notes_.size(); ++i)
            if (notes_[i].dirty && !is_live(i)) clear({of_->cells[i].at}, ~0u);
    }

  private:
    struct note {
        origin from;
        bool dirty = false;
    };
    void mark(note& n, bool lacks) noexcept {
        if (n.dirty == lacks) return;
        n.dirty = lacks;
        if (lacks) {
            ++dirty_;
            ++all_dirty_;
        } else {
            --dirty_;
            --all_dirty_;
        }
    }

    const function_registers& known_;
    const function* of_;
    room registers_;
    std::vector<std::byte> params_;
    std::vector<note> notes_;
    unsigned& all_dirty_; ///< of the warp: registers that lack something, and frames whose parameters do
    unsigned dirty_ = 0;
    bool params_dirty_ = false;
    origin params_from_;
};

/// What a warp lacks.
struct warp_shadow {
    std::unordered_map<const frame*, std::unique_ptr<frame_shadow>> frames; ///< of those that ever lacked something
    const frame* last_frame = nullptr;
    frame_shadow* last = nullptr;
    std::vector<std::uint8_t> local; ///< 1: has a value; lane by lane
    std::uint32_t stride = 0;
    unsigned dirty = 0;
    std::uint32_t carry = 0; ///< lanes whose carry flag has no value
    std::uint32_t steps = 0; ///< since it began to lack something

    frame_shadow* find(const frame& f) {
        if (last_frame == &f) return last;
        const auto found = frames.find(&f);
        if (found == frames.end()) return nullptr;
        last_frame = &f;
        return last = found->second.get();
    }
    template <class Known>
    frame_shadow& of(const frame& f, Known known) {
        if (frame_shadow* const found = find(f)) return *found;
        last_frame = &f;
        last = (frames[&f] = std::make_unique<frame_shadow>(f, known(*f.of), dirty)).get();
        return *last;
    }
    /// Room for the local memory that the warp has now.
    void fit(const warp& w) {
        if (stride == w.local_stride) return;
        std::vector<std::uint8_t> grown(static_cast<std::size_t>(w.local_stride) * lanes, 0);
        const std::uint32_t kept = stride < w.local_stride ? stride : w.local_stride;
        for (unsigned i = 0; i < lanes && kept != 0; ++i)
            std::memcpy(grown.data() + static_cast<std::size_t>(i) * w.local_stride, local.data() + static_cast<std::size_t>(i) * stride,
                        kept);
        local = std::move(grown);
        stride = w.local_stride;
    }
};

/// What a block lacks.
struct block_shadow {
    std::vector<std::uint8_t> shared; ///< 1: has a value
    bool full = false;                ///< all of it has
    unsigned looks = 0, skips = 0;    ///< how often that was looked at, and is not to be next
    std::vector<std::unique_ptr<warp_shadow>> warps;
};

} // namespace hanabi::host::ptx::initcheck_detail

#endif
