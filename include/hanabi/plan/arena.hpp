// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Memory of a plan: taken piece by piece, given back together.

#ifndef HANABI_PLAN_ARENA_HPP
#define HANABI_PLAN_ARENA_HPP

#include <cstddef>
#include <cstdint>
#include <new>

namespace hanabi::detail {

/// Memory in blocks that never move, so that what points into it stays good while it grows. The blocks double up to 1 MiB.
class arena {
    struct block {
        block* next;
        std::size_t size; ///< with this header
    };

  public:
    arena() noexcept = default;
    arena(const arena&) = delete;
    arena& operator=(const arena&) = delete;
    ~arena() {
        while (first_ != nullptr) {
            block* const gone = first_;
            first_ = gone->next;
            ::operator delete(gone);
        }
    }

    /// Bytes at an alignment, which is a power of two. Throws std::bad_alloc.
    std::byte* take(std::size_t bytes, std::size_t alignment) {
        std::uintptr_t begin = aligned(at_, alignment);
        if (begin + bytes > end_ || at_ == 0) {
            add(bytes + alignment);
            begin = aligned(at_, alignment);
        }
        at_ = begin + bytes;
        return reinterpret_cast<std::byte*>(begin);
    }

    /// Objects of a trivial type, uninitialised.
    template <class T>
    T* take_array(std::size_t count) {
        return reinterpret_cast<T*>(take(count * sizeof(T), alignof(T)));
    }

    /// What all the blocks hold.
    std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const block* b = first_; b != nullptr; b = b->next) sum += b->size;
        return sum;
    }

  private:
    static std::uintptr_t aligned(std::uintptr_t at, std::size_t alignment) noexcept { return (at + alignment - 1) & ~(alignment - 1); }

    void add(std::size_t least) {
        std::size_t size = first_ == nullptr ? 1024 : first_->size * 2;
        if (size > max_block) size = max_block;
        if (size < least + sizeof(block)) size = least + sizeof(block);
        void* const memory = ::operator new(size);
        first_ = new (memory) block{first_, size};
        at_ = reinterpret_cast<std::uintptr_t>(memory) + sizeof(block);
        end_ = reinterpret_cast<std::uintptr_t>(memory) + size;
    }

    static constexpr std::size_t max_block = std::size_t{1} << 20;

    block* first_ = nullptr; ///< the newest
    std::uintptr_t at_ = 0, end_ = 0;
};

} // namespace hanabi::detail

#endif
