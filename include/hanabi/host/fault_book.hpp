// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The book that fault injection is kept in.

#ifndef HANABI_HOST_FAULT_BOOK_HPP
#define HANABI_HOST_FAULT_BOOK_HPP

#include <hanabi/driver/status.hpp>
#include <hanabi/driver/table.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// What a call was ordered to answer.
struct ordered_fault {
    driver::status status;
    std::string text; ///< "" where the order gave none
};

/// Orders to fail, and counts of calls. Any thread; its lock is a leaf. A call without any order costs two relaxed
/// atomic operations.
class fault_book {
  public:
    void add(driver::entry entry, driver::status with, unsigned nth, unsigned times, std::string text) {
        if (times == 0) return;
        const std::lock_guard lock{mutex_};
        orders_.push_back({entry, with, nth == 0 ? 1 : nth, times, std::move(text)});
        any_.store(true, std::memory_order_relaxed);
    }

    void everything(driver::status with) noexcept { everything_.store(static_cast<unsigned>(with), std::memory_order_relaxed); }

    void clear() {
        const std::lock_guard lock{mutex_};
        orders_.clear();
        any_.store(false, std::memory_order_relaxed);
        everything_.store(0, std::memory_order_relaxed);
    }

    /// Counts the call; what it was ordered to answer, if anything.
    std::optional<ordered_fault> pass(driver::entry entry, bool exempt) {
        counts_[static_cast<std::size_t>(entry)].fetch_add(1, std::memory_order_relaxed);
        if (const unsigned all = everything_.load(std::memory_order_relaxed); all != 0 && !exempt)
            return ordered_fault{static_cast<driver::status>(all), {}};
        if (!any_.load(std::memory_order_relaxed)) return std::nullopt;
        const std::lock_guard lock{mutex_};
        std::optional<ordered_fault> answer;
        for (order& o : orders_) {
            if (o.entry != entry) continue;
            if (o.nth > 1) {
                --o.nth;
                continue;
            }
            if (!answer) answer = ordered_fault{o.status, o.text};
            if (o.times != ~0u) --o.times;
        }
        orders_.erase(std::remove_if(orders_.begin(), orders_.end(), [](const order& o) { return o.times == 0; }), orders_.end());
        any_.store(!orders_.empty(), std::memory_order_relaxed);
        return answer;
    }

    std::uint64_t calls(driver::entry entry) const noexcept {
        return counts_[static_cast<std::size_t>(entry)].load(std::memory_order_relaxed);
    }
    void clear_calls() noexcept {
        for (auto& count : counts_) count.store(0, std::memory_order_relaxed);
    }

  private:
    struct order {
        driver::entry entry;
        driver::status status;
        unsigned nth;
        unsigned times;
        std::string text;
    };
    std::mutex mutex_;
    std::vector<order> orders_;
    std::atomic<bool> any_{false};
    std::atomic<unsigned> everything_{0};
    std::atomic<std::uint64_t> counts_[driver::entry_count]{};
};

} // namespace hanabi::host::detail

#endif
