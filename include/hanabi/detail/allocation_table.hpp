// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at
// https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// allocation_table: a context's allocations by address.

#ifndef HANABI_DETAIL_ALLOCATION_TABLE_HPP
#define HANABI_DETAIL_ALLOCATION_TABLE_HPP

#include <hanabi/driver/abi.hpp>

#include <cstddef>

namespace hanabi::detail {

struct allocation;

/// The allocations alive, sorted by address. The caller locks. Adding and
/// removing move what lies behind, a word or two for each allocation there;
/// looking up is a binary search.
class allocation_table {
  public:
    allocation_table() noexcept = default;
    allocation_table(const allocation_table&) = delete;
    allocation_table& operator=(const allocation_table&) = delete;
    ~allocation_table() { delete[] entries_; }

    /// Enters an allocation, in the place of one that was at this address.
    void add(driver::device_address address, allocation* owner) {
        if (count_ == size_) grow();
        const std::size_t at = end_before(address);
        if (at != 0 && entries_[at - 1].address == address) {
            entries_[at - 1].owner = owner;
            return;
        }
        for (std::size_t i = count_++; i > at; --i) entries_[i] = entries_[i - 1];
        entries_[at] = {address, owner};
    }
    void remove(driver::device_address address) noexcept {
        const std::size_t at = end_before(address);
        if (at == 0 || entries_[at - 1].address != address) return;
        for (std::size_t i = at; i < count_; ++i) entries_[i - 1] = entries_[i];
        --count_;
    }
    /// The last allocation that begins at or before the address; null if there is
    /// none.
    allocation* find(driver::device_address address) const noexcept {
        const std::size_t at = end_before(address);
        return at == 0 ? nullptr : entries_[at - 1].owner;
    }

  private:
    struct entry {
        driver::device_address address;
        allocation* owner;
    };

    /// How many begin at or before the address.
    std::size_t end_before(driver::device_address address) const noexcept {
        std::size_t low = 0;
        for (std::size_t high = count_; low != high;) {
            const std::size_t middle = low + (high - low) / 2;
            if (entries_[middle].address <= address)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
    void grow() {
        const std::size_t size = size_ == 0 ? 16 : size_ * 2;
        entry* const bigger = new entry[size];
        for (std::size_t i = 0; i < count_; ++i) bigger[i] = entries_[i];
        delete[] entries_;
        entries_ = bigger;
        size_ = size;
    }

    entry* entries_ = nullptr;
    std::size_t size_ = 0;
    std::size_t count_ = 0;
};

} // namespace hanabi::detail

#endif
