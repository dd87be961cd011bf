// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Tracks of a trace: which of several rows a slice goes to, since those of one row must not overlap.

#ifndef HANABI_TRACE_TRACK_HPP
#define HANABI_TRACE_TRACK_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

namespace hanabi::trace {

/// One stream's rows. Remembers the latest slices of each, a bounded number: those that come out of order by more are taken
/// to fit.
class track {
  public:
    /// The first row, from 0, on which a slice overlaps nothing; it is there from now on. At most 16 rows.
    std::size_t place(std::uint64_t start, std::uint64_t end) {
        std::size_t row = 0;
        while (row < rows_.size() && row + 1 < 16 && !fits(rows_[row], start, end)) ++row;
        if (row == rows_.size()) rows_.emplace_back();
        std::map<std::uint64_t, std::uint64_t>& slices = rows_[row];
        std::uint64_t& last = slices[start];
        if (end > last) last = end;
        if (slices.size() > remembered) slices.erase(slices.begin());
        return row;
    }

  private:
    static constexpr std::size_t remembered = 4096;

    static bool fits(const std::map<std::uint64_t, std::uint64_t>& slices, std::uint64_t start, std::uint64_t end) {
        const auto next = slices.lower_bound(start);
        if (next != slices.end() && (next->first < end || next->first == start)) return false;
        return next == slices.begin() || std::prev(next)->second <= start;
    }

    std::vector<std::map<std::uint64_t, std::uint64_t>> rows_;
};

} // namespace hanabi::trace

#endif
