// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What depends on what: from the ranges of memory that operations read and write, in order, the least edges that keep that
/// order where it matters; and what two of them, not ordered, do to each other.

#ifndef HANABI_DETAIL_DATAFLOW_HPP
#define HANABI_DETAIL_DATAFLOW_HPP

#include <hanabi/detail/pod_list.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/driver/abi.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::detail {

// Templates on nothing, so that a source that has no dataflow and nothing beside each other compiles none of it.

/// One range of memory that one operation uses.
struct memory_access {
    driver::device_address begin, end; ///< bytes [begin, end)
    std::uint32_t operation;           ///< which leaf of the expression
    std::uint32_t task;                ///< which part of the dataflow, or of the parallel expression
    std::uint32_t argument;            ///< 1-based; 0 for what touches(...) declares, and of a copy's sides 1 is the destination
    bool writes;                       ///< writes, and perhaps reads
};

/// A list of accesses that lies elsewhere. No std::span, whose checks take the compiler longer than what is done here.
class access_view {
  public:
    constexpr access_view() noexcept = default;
    constexpr access_view(const memory_access* first, std::size_t count) noexcept : first_{first}, count_{count} {}
    template <class List>
    access_view(const List& list) noexcept : first_{list.data()}, count_{list.size()} {}

    constexpr std::size_t size() const noexcept { return count_; }
    constexpr const memory_access& operator[](std::size_t i) const noexcept { return first_[i]; }

  private:
    const memory_access* first_ = nullptr;
    std::size_t count_ = 0;
};

/// Numbers of tasks that lie in a list.
struct task_range {
    const std::uint32_t *first, *last;
    const std::uint32_t* begin() const noexcept { return first; }
    const std::uint32_t* end() const noexcept { return last; }
};

/// So many times one value.
template <class T>
void fill_with(pod_list<T>& list, std::size_t count, const T& value) {
    list.reserve(count);
    while (list.size() < count) list.push_back(value);
}

/// The ranges of a list of accesses, cut where any of them begins or ends: pieces, in the order of addresses. Each access
/// covers a run of pieces; one, unless ranges overlap without being the same.
template <class Void = void>
class address_pieces {
  public:
    explicit address_pieces(const access_view& accesses) {
        range_of_.assign_zeros(accesses.size());
        // Most operations use the same few ranges: those are told apart first, by hashing, and only they are sorted.
        std::size_t size = 16;
        while (size < accesses.size() * 2) size *= 2;
        pod_list<std::uint32_t> table;
        fill_with(table, size, none);
        pod_list<driver::device_address> begins, ends;
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            const memory_access& a = accesses[i];
            if (a.begin >= a.end) {
                range_of_[i] = none;
                continue;
            }
            std::uint64_t hash = (a.begin ^ (a.end << 29) ^ (a.end >> 35)) * 0x9e3779b97f4a7c15u;
            std::size_t at = static_cast<std::size_t>(hash >> 20) & (size - 1);
            while (table[at] != none && (begins[table[at]] != a.begin || ends[table[at]] != a.end)) at = (at + 1) & (size - 1);
            if (table[at] == none) {
                table[at] = static_cast<std::uint32_t>(begins.size());
                begins.push_back(a.begin);
                ends.push_back(a.end);
            }
            range_of_[i] = table[at];
        }
        pod_list<driver::device_address> cuts{begins};
        cuts.append(ends.begin(), ends.size());
        sort(cuts);
        std::size_t unique = 0;
        for (std::size_t i = 0; i < cuts.size(); ++i)
            if (i == 0 || cuts[i] != cuts[unique - 1]) cuts[unique++] = cuts[i];
        cuts.shorten(unique);
        count_ = unique;
        runs_.reserve(begins.size());
        for (std::size_t i = 0; i < begins.size(); ++i) runs_.push_back({position(cuts, begins[i]), position(cuts, ends[i])});
    }

    struct run {
        std::uint32_t first, last; ///< pieces [first, last)
    };
    /// The pieces of the i-th access.
    run of(std::size_t i) const noexcept { return range_of_[i] == none ? run{0, 0} : runs_[range_of_[i]]; }
    std::size_t count() const noexcept { return count_; }

    static constexpr std::uint32_t none = ~std::uint32_t{0};

  private:
    /// Heap sort: <algorithm> would cost every user of the library more to compile than this.
    static void sort(pod_list<driver::device_address>& v) noexcept {
        const auto sink = [&](std::size_t root, std::size_t size) {
            const driver::device_address value = v[root];
            for (std::size_t child; (child = 2 * root + 1) < size; root = child) {
                if (child + 1 < size && v[child] < v[child + 1]) ++child;
                if (v[child] <= value) break;
                v[root] = v[child];
            }
            v[root] = value;
        };
        for (std::size_t i = v.size() / 2; i-- > 0;) sink(i, v.size());
        for (std::size_t last = v.size(); last-- > 1;) {
            const driver::device_address largest = v[0];
            v[0] = v[last];
            v[last] = largest;
            sink(0, last);
        }
    }
    static std::uint32_t position(const pod_list<driver::device_address>& cuts, driver::device_address address) noexcept {
        std::size_t low = 0;
        for (std::size_t high = cuts.size(); low != high;) {
            const std::size_t middle = low + (high - low) / 2;
            if (cuts[middle] < address)
                low = middle + 1;
            else
                high = middle;
        }
        return static_cast<std::uint32_t>(low);
    }

    pod_list<std::uint32_t> range_of_;                   ///< of each access
    pod_list<typename dependent<run, Void>::type> runs_; ///< of each range
    std::size_t count_ = 0;
};

/// Tasks, what each waits for, and when it can begin.
struct dataflow_graph {
    pod_list<std::uint32_t> first;        ///< where in `predecessors` each task's begin; one more at the end
    pod_list<std::uint32_t> predecessors; ///< numbers of earlier tasks, each once for a task
    pod_list<std::uint32_t> level;        ///< the length of the longest path of tasks to this one; 0 waits for none
    std::uint32_t depth = 0;              ///< how many levels there are
    std::uint32_t width = 0;              ///< the most tasks of one level: what can run side by side at least

    std::size_t size() const noexcept { return level.size(); }
    task_range predecessors_of(std::size_t task) const noexcept {
        return {predecessors.begin() + first[task], predecessors.begin() + first[task + 1]};
    }
};

/// Infers the dependencies of `tasks` tasks from their accesses, which are in the order of the tasks. For each piece of
/// memory there is its last writer, and who has read it since: a reader waits for the writer, a writer for the readers, or
/// for the writer where there are none. What follows from other edges of the same piece is left out. Linear in the accesses,
/// the pieces that they cover and the edges, but for the sorting of the different ranges.
template <class Void = void>
dataflow_graph infer(std::size_t tasks, const typename dependent<access_view, Void>::type& accesses) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    struct piece {
        std::uint32_t writer = none;
        std::uint32_t readers = none; ///< the first of a list
        std::uint32_t last_reader = none;
    };
    struct reader {
        std::uint32_t task, next;
    };
    const address_pieces<Void> pieces{accesses};
    pod_list<piece> state;
    fill_with(state, pieces.count(), piece{});
    pod_list<reader> readers;
    readers.reserve(accesses.size());
    pod_list<std::uint32_t> seen; // by whom an edge from this task was made last
    fill_with(seen, tasks, none);

    dataflow_graph g;
    g.first.reserve(tasks + 1);
    g.level.assign_zeros(tasks);
    g.predecessors.reserve(accesses.size());
    std::size_t next = 0;
    for (std::uint32_t t = 0; t < tasks; ++t) {
        g.first.push_back(static_cast<std::uint32_t>(g.predecessors.size()));
        std::uint32_t level = 0;
        const auto wait_for = [&](std::uint32_t earlier) {
            if (earlier == none || earlier == t || seen[earlier] == t) return;
            seen[earlier] = t;
            g.predecessors.push_back(earlier);
            if (g.level[earlier] + 1 > level) level = g.level[earlier] + 1;
        };
        const std::size_t begin = next;
        while (next < accesses.size() && accesses[next].task == t) ++next;
        for (std::size_t i = begin; i < next; ++i) {
            const typename address_pieces<Void>::run run = pieces.of(i);
            for (std::uint32_t p = run.first; p < run.last; ++p) {
                piece& here = state[p];
                if (!accesses[i].writes) {
                    wait_for(here.writer);
                    if (here.writer == t || here.last_reader == t) continue;
                    readers.push_back({t, here.readers});
                    here.readers = static_cast<std::uint32_t>(readers.size() - 1);
                    here.last_reader = t;
                } else if (here.writer != t) {
                    bool others = false;
                    for (std::uint32_t r = here.readers; r != none; r = readers[r].next) {
                        if (readers[r].task == t) continue;
                        others = true;
                        wait_for(readers[r].task);
                    }
                    if (!others) wait_for(here.writer); // the others waited for it themselves
                    here = {t, none, none};
                }
            }
        }
        g.level[t] = level;
        if (level + 1 > g.depth) g.depth = level + 1;
    }
    g.first.push_back(static_cast<std::uint32_t>(g.predecessors.size()));
    pod_list<std::uint32_t> in_level;
    in_level.assign_zeros(g.depth);
    for (const std::uint32_t level : g.level)
        if (++in_level[level] > g.width) g.width = in_level[level];
    return g;
}

/// Two accesses of different tasks that overlap, one of them writing: numbers in the list, or twice its size.
struct race_pair {
    std::size_t first, second;
};

/// Looks for a race between tasks that are not ordered. `accesses` are in any order.
template <class Void = void>
race_pair find_race(const typename dependent<access_view, Void>::type& accesses) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    struct piece {
        std::uint32_t writer = none;                 ///< the first access that writes
        std::uint32_t reader = none, another = none; ///< the first that reads, and the first of another task that does
    };
    const address_pieces<Void> pieces{accesses};
    pod_list<piece> state;
    fill_with(state, pieces.count(), piece{});
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
        const auto of_another_task = [&](std::uint32_t earlier) { return earlier != none && accesses[earlier].task != accesses[i].task; };
        const typename address_pieces<Void>::run run = pieces.of(i);
        for (std::uint32_t p = run.first; p < run.last; ++p) {
            piece& here = state[p];
            if (of_another_task(here.writer)) return {here.writer, i};
            if (accesses[i].writes) {
                if (of_another_task(here.reader)) return {here.reader, i};
                if (of_another_task(here.another)) return {here.another, i};
                if (here.writer == none) here.writer = i;
            } else if (here.reader == none)
                here.reader = i;
            else if (here.another == none && of_another_task(here.reader))
                here.another = i;
        }
    }
    return {accesses.size(), accesses.size()};
}

} // namespace hanabi::detail

#endif
