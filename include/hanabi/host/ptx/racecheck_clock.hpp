// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a thread of a kernel may rely on having happened: for each other thread, up to which moment.

#ifndef HANABI_HOST_PTX_RACECHECK_CLOCK_HPP
#define HANABI_HOST_PTX_RACECHECK_CLOCK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

namespace hanabi::host::ptx::racecheck_detail {

/// Counts what the launch does: blocks are executed by one thread of the host, so that moments have an order.
using moment = std::uint64_t;

/// Moments of threads, of whole warps and of whole blocks. It never says more than is known but for one case: one of too many
/// entries becomes one that knows everything up to its latest moment, which hides races and makes none up.
class clock {
  public:
    static constexpr unsigned any = 0xff; ///< every warp of the block, every lane of the warp
    static constexpr std::size_t most = 2048;

    struct entry {
        std::uint64_t who;
        moment until;
    };
    static constexpr std::uint64_t key(std::uint32_t block, unsigned warp, unsigned lane) noexcept {
        return static_cast<std::uint64_t>(block) << 16 | warp << 8 | lane;
    }

    /// To be followed by tidy().
    void add(std::uint64_t who, moment until) {
        if (until != 0) entries_.push_back({who, until});
    }
    void add(const clock& other) {
        everybody_ = std::max(everybody_, other.everybody_);
        entries_.insert(entries_.end(), other.entries_.begin(), other.entries_.end());
    }
    /// Sorts, and takes away what other entries say too.
    void tidy() {
        std::sort(entries_.begin(), entries_.end(),
                  [](const entry& a, const entry& b) { return a.who != b.who ? a.who < b.who : a.until < b.until; });
        thin();
    }

    /// Up to when the thread's deeds are known.
    moment of(std::uint32_t block, unsigned warp, unsigned lane) const noexcept {
        moment m = std::max(everybody_, at(key(block, any, any)));
        if (warp != any) m = std::max(m, at(key(block, warp, any)));
        if (lane != any) m = std::max(m, at(key(block, warp, lane)));
        return m;
    }
    bool covers(const clock& other) const noexcept {
        if (this == &other) return true;
        if (other.everybody_ > everybody_) return false;
        return std::all_of(other.entries_.begin(), other.entries_.end(), [&](const entry& e) {
            return of(static_cast<std::uint32_t>(e.who >> 16), static_cast<unsigned>(e.who >> 8 & 0xff),
                      static_cast<unsigned>(e.who & 0xff)) >= e.until;
        });
    }
    bool empty() const noexcept { return everybody_ == 0 && entries_.empty(); }

    static std::shared_ptr<const clock> merged(const clock& a, const clock& b) {
        const auto out = std::make_shared<clock>();
        out->everybody_ = std::max(a.everybody_, b.everybody_);
        out->entries_.reserve(a.entries_.size() + b.entries_.size());
        std::merge(a.entries_.begin(), a.entries_.end(), b.entries_.begin(), b.entries_.end(), std::back_inserter(out->entries_),
                   [](const entry& x, const entry& y) { return x.who != y.who ? x.who < y.who : x.until < y.until; });
        out->thin();
        return out;
    }

  private:
    moment at(std::uint64_t who) const noexcept {
        const auto found =
            std::lower_bound(entries_.begin(), entries_.end(), who, [](const entry& e, std::uint64_t k) { return e.who < k; });
        return found != entries_.end() && found->who == who ? found->until : 0;
    }
    void thin() {
        std::uint64_t block = ~std::uint64_t{0}, warp = ~std::uint64_t{0}, last = ~std::uint64_t{0};
        moment of_block = 0, of_warp = 0;
        std::size_t kept = entries_.size();
        for (std::size_t i = entries_.size(); i-- != 0;) { // the entry for all comes last
            const entry e = entries_[i];
            if (e.who == last) continue;
            last = e.who;
            if (e.who >> 16 != block) {
                block = e.who >> 16;
                of_block = 0;
            }
            if (e.who >> 8 != warp) {
                warp = e.who >> 8;
                of_warp = 0;
            }
            if (e.until <= std::max({everybody_, of_block, of_warp})) continue;
            if ((e.who & 0xffff) == 0xffff) of_block = e.until;
            if ((e.who & 0xff) == any) of_warp = e.until;
            entries_[--kept] = e;
        }
        entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(kept));
        if (entries_.size() <= most) return;
        for (const entry& e : entries_) everybody_ = std::max(everybody_, e.until);
        entries_.clear();
    }

    moment everybody_ = 0;
    std::vector<entry> entries_; ///< sorted, one a key
};

/// Clocks do not change once they are made: threads share them.
using clock_ref = std::shared_ptr<const clock>;

/// What either knows; one of the two where that is enough.
inline clock_ref joined(const clock_ref& a, const clock_ref& b) {
    if (b == nullptr || a == b) return a;
    if (a == nullptr) return b;
    if (a->covers(*b)) return a;
    if (b->covers(*a)) return b;
    return clock::merged(*a, *b);
}

} // namespace hanabi::host::ptx::racecheck_detail

#endif
