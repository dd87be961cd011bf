// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The book that finds data races: what every operation touches, and what it comes after.

#ifndef HANABI_HOST_RACE_BOOK_HPP
#define HANABI_HOST_RACE_BOOK_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/memory.hpp>
#include <hanabi/host/race.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// Bytes that an operation touches.
struct access {
    allocation_ptr memory;
    std::uintptr_t begin = 0, end = 0;
    bool writes = false;
    std::size_t parameter = 0; ///< from 1; 0: not a launch
};

/// Guarded by the state's lock. An operation is before another if a chain of dependencies leads from one to the other, or
/// if the host has waited for it before the other was submitted. Operations are numbered in the order of submission, so
/// that chains lead to smaller numbers only.
class race_book {
  public:
    static constexpr std::size_t most = 1000;

    /// A new operation after others; 0 among those is none. Returns its number.
    std::uint64_t add(const std::vector<std::uint64_t>& after, const std::vector<access>& touched, const std::string& what,
                      std::uint64_t launch, log& lines) {
        const std::uint64_t number = ++last_;
        note& mine = notes_[number];
        mine.what = what;
        mine.launch = launch;
        for (const std::uint64_t before : after)
            if (before != 0 && notes_.contains(before)) mine.after.push_back(before);
        const auto meets = [&](const entry& old, const access& a) {
            return old.number != number && (old.writes || a.writes) && old.end > a.begin && a.end > old.begin;
        };
        std::unordered_set<std::uint64_t> met; // whom it must come after
        for (const access& a : touched)
            for (const entry& old : histories_[a.memory->number])
                if (meets(old, a) && notes_.contains(old.number)) met.insert(old.number);
        if (!met.empty()) mark_ancestors(number, met);
        for (const access& a : touched) {
            auto& history = histories_[a.memory->number];
            for (const entry& old : history)
                if (meets(old, a))
                    if (const auto other = notes_.find(old.number); other != notes_.end() && other->second.mark != number)
                        report(other->second, old, mine, a, lines);
            // What this operation comes after, and writes over, needs no looking at any more: whoever is ordered with this
            // one is ordered with those.
            if (a.writes)
                std::erase_if(history, [&](const entry& old) {
                    if (old.begin < a.begin || old.end > a.end || old.number == number) return false;
                    const auto other = notes_.find(old.number);
                    return other == notes_.end() || other->second.mark == number;
                });
            history.push_back({number, a.begin, a.end, a.writes, a.parameter});
        }
        return number;
    }

    /// The host has waited for this operation: it, and all before it, come before whatever is submitted from now on.
    void waited_for(std::uint64_t number) {
        std::vector<std::uint64_t> left{number};
        while (!left.empty()) {
            const auto found = notes_.find(left.back());
            left.pop_back();
            if (found == notes_.end()) continue;
            left.insert(left.end(), found->second.after.begin(), found->second.after.end());
            notes_.erase(found);
        }
        if (notes_.empty()) histories_.clear();
    }

    std::vector<race> found() const { return found_; }
    void forget_found() { found_.clear(); }
    void clear() {
        notes_.clear();
        histories_.clear();
        found_.clear();
    }

  private:
    struct note {
        std::vector<std::uint64_t> after;
        std::string what;
        std::uint64_t launch = 0;
        std::uint64_t mark = 0; ///< the last operation that was found to come after this one
    };
    struct entry {
        std::uint64_t number;
        std::uintptr_t begin, end;
        bool writes;
        std::size_t parameter;
    };

    /// Marks those of `met` that the operation comes after. Looks no further back than the first of them, and no longer than
    /// until all are found.
    void mark_ancestors(std::uint64_t number, const std::unordered_set<std::uint64_t>& met) {
        const std::uint64_t first = *std::min_element(met.begin(), met.end());
        std::size_t missing = met.size();
        std::vector<std::uint64_t> left = notes_[number].after;
        while (!left.empty() && missing != 0) {
            const std::uint64_t at = left.back();
            left.pop_back();
            if (at < first) continue;
            const auto found = notes_.find(at);
            if (found == notes_.end() || found->second.mark == number) continue;
            found->second.mark = number;
            if (met.contains(at)) --missing;
            left.insert(left.end(), found->second.after.begin(), found->second.after.end());
        }
    }

    void report(const note& before, const entry& old, const note& now, const access& a, log& lines) {
        if (found_.size() >= most) return;
        race r;
        r.first = {before.what, before.launch, old.parameter, old.writes};
        r.second = {now.what, now.launch, a.parameter, a.writes};
        r.address = std::max(old.begin, a.begin);
        r.bytes = std::min(old.end, a.end) - r.address;
        const auto party = [](const race_party& p) {
            std::string s = p.operation;
            if (p.number != 0) s += say(" (launch ", p.number, ")");
            s += p.writes ? " writes" : " reads";
            if (p.parameter != 0) s += say(", by parameter ", p.parameter);
            return s;
        };
        r.text = say("Data race: ", party(r.first), ", and ", party(r.second), ", at ", address_text(r.address), ", ", r.bytes,
                     " bytes of ", a.memory->text(), "; nothing orders the two");
        lines.write(r.text);
        found_.push_back(std::move(r));
    }

    std::uint64_t last_ = 0;
    std::unordered_map<std::uint64_t, note> notes_;
    std::unordered_map<std::uint64_t, std::vector<entry>> histories_; ///< by the allocation's number
    std::vector<race> found_;
};

} // namespace hanabi::host::detail

#endif
