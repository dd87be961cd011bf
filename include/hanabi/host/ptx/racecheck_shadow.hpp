// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Who touched memory last: for each 4 bytes that a kernel touches, the accesses that later ones may be in a race with.

#ifndef HANABI_HOST_PTX_RACECHECK_SHADOW_HPP
#define HANABI_HOST_PTX_RACECHECK_SHADOW_HPP

#include <hanabi/host/ptx/racecheck_clock.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace hanabi::host::ptx::racecheck_detail {

/// Bytes of a cell.
inline constexpr std::uint32_t cell_bytes = 4;

/// What lanes of one warp did to the same bytes of a cell by one instruction. A list of them makes a cell.
struct past_access {
    static constexpr unsigned writes = 1, strong = 2; ///< bits of `how`

    moment at = 0;
    std::uint32_t block = 0;
    std::uint32_t lanes = 0;
    std::uint32_t pc = 0;
    std::uint32_t next = 0; ///< 0: the last one
    std::uint8_t warp = 0;
    std::uint8_t bytes = 0; ///< a bit each
    std::uint8_t how = 0;
};

/// Cells of global memory, by the host's address, and room for the accesses of all cells.
class shadow {
  public:
    /// Accesses that a cell remembers at most: with more readers than that, some are forgotten.
    static constexpr unsigned most = 8;

    shadow() : accesses_(1) {}

    /// The first access to a cell of global memory: to be changed through the reference.
    std::uint32_t& at(std::uintptr_t address) {
        const std::uintptr_t number = address / page_bytes;
        if (number != last_number_ || last_ == nullptr) {
            auto& p = pages_[number];
            if (p == nullptr) p = std::make_unique<page>();
            last_ = p.get();
            last_number_ = number;
        }
        return (*last_)[address % page_bytes / cell_bytes];
    }
    past_access& operator[](std::uint32_t i) noexcept { return accesses_[i]; }

    /// May move all accesses.
    std::uint32_t make() {
        if (free_ == 0) {
            accesses_.emplace_back();
            return static_cast<std::uint32_t>(accesses_.size() - 1);
        }
        const std::uint32_t i = free_;
        free_ = accesses_[i].next;
        return i;
    }
    void drop(std::uint32_t i) noexcept {
        accesses_[i].next = free_;
        free_ = i;
    }
    void forget(std::uint32_t& head) noexcept {
        while (head != 0) {
            const std::uint32_t next = accesses_[head].next;
            drop(head);
            head = next;
        }
    }
    /// Memory goes back to the heap: whoever gets it next begins anew.
    void forget(std::uintptr_t base, std::size_t size) {
        for (std::uintptr_t a = base / cell_bytes * cell_bytes; a < base + size; a += cell_bytes)
            if (pages_.find(a / page_bytes) != pages_.end())
                forget(at(a));
            else
                a = (a / page_bytes + 1) * page_bytes - cell_bytes;
    }

  private:
    static constexpr std::size_t page_bytes = 4096;
    using page = std::array<std::uint32_t, page_bytes / cell_bytes>;

    std::unordered_map<std::uintptr_t, std::unique_ptr<page>> pages_;
    std::uintptr_t last_number_ = 0;
    page* last_ = nullptr;
    std::vector<past_access> accesses_; ///< the first one is nobody's
    std::uint32_t free_ = 0;
};

} // namespace hanabi::host::ptx::racecheck_detail

#endif
