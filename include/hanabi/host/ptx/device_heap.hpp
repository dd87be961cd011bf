// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// malloc and free of kernels.

#ifndef HANABI_HOST_PTX_DEVICE_HEAP_HPP
#define HANABI_HOST_PTX_DEVICE_HEAP_HPP

#include <hanabi/host/definedness.hpp>
#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

/// What malloc gives to kernels of a module. What free takes back stays the heap's: other threads of the host may be in the
/// middle of an access to it, and hold on to where they were last. Beyond `kept` of it, malloc gives it anew.
class device_heap {
  public:
    std::uint64_t allocate(std::size_t size) {
        if (size == 0 || size > limit) return 0;
        const std::size_t room = std::bit_ceil(size < 16 ? std::size_t{16} : size);
        const std::lock_guard lock{mutex_};
        std::byte* p = nullptr;
        if (freed_bytes_ > kept)
            if (auto& old = freed_[room]; !old.empty()) {
                p = old.front();
                old.pop_front();
                freed_bytes_ -= room;
                graves_.push_back(std::move(blocks_[reinterpret_cast<std::uintptr_t>(p)].defined)); // regions of it may be around
            }
        if (p == nullptr) {
            if (room > limit - total_) return 0;
            p = static_cast<std::byte*>(::operator new (room, std::align_val_t{16}, std::nothrow));
            if (p == nullptr) return 0;
            total_ += room;
        }
        std::memset(p, 0xff, size);
        auto defined = std::make_unique<detail::definedness>(size);
        defined->begin();
        blocks_[reinterpret_cast<std::uintptr_t>(p)] = {size, room, false, std::move(defined)};
        return reinterpret_cast<std::uintptr_t>(p);
    }
    bool free(std::uint64_t address) {
        const std::lock_guard lock{mutex_};
        const auto found = blocks_.find(static_cast<std::uintptr_t>(address));
        if (found == blocks_.end() || found->second.freed) return false;
        found->second.freed = true;
        freed_[found->second.room].push_back(reinterpret_cast<std::byte*>(found->first));
        freed_bytes_ += found->second.room;
        return true;
    }
    region find(std::uintptr_t address) {
        const std::lock_guard lock{mutex_};
        const auto above = blocks_.upper_bound(address);
        if (above == blocks_.begin()) return {};
        const auto& [base, found] = *std::prev(above);
        return !found.freed && address - base < found.size ? region{base, found.size, found.defined.get()} : region{};
    }
    /// What is wrong with an address in one of its blocks, or just past one; empty: it is in none.
    std::string complaint(std::uintptr_t address) {
        const std::lock_guard lock{mutex_};
        const auto above = blocks_.upper_bound(address);
        if (above == blocks_.begin()) return {};
        const auto& [base, found] = *std::prev(above);
        const std::string what = detail::say("the ", found.size, " bytes that malloc gave at ", detail::address_text(base));
        if (address - base >= std::max(found.room, found.size + 64)) return {};
        if (found.freed) return detail::say("address ", detail::address_text(address), " points into freed memory: ", what, " were freed");
        if (address - base >= found.size)
            return detail::say("address ", detail::address_text(address), " is ", address - base - found.size, " bytes past the end of ",
                               what);
        return detail::say("address ", detail::address_text(address), " runs past the end of ", what);
    }
    ~device_heap() {
        for (const auto& [base, found] : blocks_) ::operator delete (reinterpret_cast<void*>(base), std::align_val_t{16});
    }
    device_heap() = default;
    device_heap(const device_heap&) = delete;
    device_heap& operator=(const device_heap&) = delete;

  private:
    struct piece {
        std::size_t size = 0, room = 0;
        bool freed = false;
        std::unique_ptr<detail::definedness> defined;
    };
    static constexpr std::size_t limit = std::size_t{256} << 20; ///< of all together
    static constexpr std::size_t kept = std::size_t{64} << 20;
    std::mutex mutex_;
    std::map<std::uintptr_t, piece> blocks_;
    std::map<std::size_t, std::deque<std::byte*>> freed_;
    std::vector<std::unique_ptr<detail::definedness>> graves_;
    std::size_t freed_bytes_ = 0, total_ = 0;
};

} // namespace hanabi::host::ptx

#endif
