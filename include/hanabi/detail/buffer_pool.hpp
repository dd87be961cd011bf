// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Buffers for records: a bounded number of them, made once and used again.

#ifndef HANABI_DETAIL_BUFFER_POOL_HPP
#define HANABI_DETAIL_BUFFER_POOL_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/mutex.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace hanabi::detail {

/// Where a buffer is. It is freed only by who has it back: CUPTI keeps writing to buffers it has not given back.
enum class buffer_place : std::uint32_t { free = 0, out, completed, taken };

/// Stands in front of a buffer's bytes.
struct pooled_buffer {
    pooled_buffer* next = nullptr;
    std::size_t size = 0;    ///< bytes
    std::size_t valid = 0;   ///< bytes of records
    std::size_t read = 0;    ///< bytes of them that were drained
    std::size_t records = 0; ///< in them and not drained; 0: not counted
    buffer_place place = buffer_place::free;

    std::uint8_t* data() noexcept { return reinterpret_cast<std::uint8_t*>(this) + header; }
    const std::uint8_t* data() const noexcept { return reinterpret_cast<const std::uint8_t*>(this) + header; }
    static constexpr std::size_t header = 64; ///< keeps the bytes on a cache line of their own
    static constexpr std::size_t alignment = 64;
};
static_assert(sizeof(pooled_buffer) <= pooled_buffer::header);

/// Any thread; the lock is a leaf and is held over nobody's code.
class buffer_pool {
  public:
    buffer_pool() = default;
    buffer_pool(const buffer_pool&) = delete;
    buffer_pool& operator=(const buffer_pool&) = delete;
    /// Frees what is here. Buffers that are out are not: whoever has them may write to them.
    ~buffer_pool() {
        release(free_);
        release(first_completed_);
    }

    /// From now on at most `most` buffers, new ones of `bytes`. Free ones of another size go.
    void configure(std::size_t bytes, std::size_t most) noexcept {
        const lock held{mutex_};
        bytes_ = bytes > largest ? largest : (bytes + 7) / 8 * 8;
        most_ = most;
        pooled_buffer* old = free_;
        free_ = nullptr;
        while (old != nullptr) {
            pooled_buffer* const next = old->next;
            if (old->size == bytes_) {
                old->next = free_;
                free_ = old;
            } else {
                destroy(old);
                --made_;
            }
            old = next;
        }
    }

    /// A buffer to hand out; null where the bound is reached, or memory is out.
    pooled_buffer* take() noexcept {
        const lock held{mutex_};
        pooled_buffer* b = free_;
        if (b != nullptr)
            free_ = b->next;
        else {
            if (made_ >= most_) return nullptr;
            b = make();
            if (b == nullptr) return nullptr;
            ++made_;
        }
        return hand_out(b);
    }
    /// The oldest completed buffer that nobody has drained, as handed out; null if there is none. Its records are lost:
    /// valid and records still say which they were.
    pooled_buffer* recycle() noexcept {
        const lock held{mutex_};
        pooled_buffer* const b = first_completed_;
        if (b == nullptr) return nullptr;
        first_completed_ = b->next;
        if (first_completed_ == nullptr) last_completed_ = nullptr;
        completed_records_ -= b->records;
        return hand_out(b);
    }
    /// One more than the bound allows; for those who can't take no for an answer.
    pooled_buffer* take_beyond() noexcept {
        const lock held{mutex_};
        pooled_buffer* const b = make();
        if (b == nullptr) return nullptr;
        ++made_;
        return hand_out(b);
    }

    /// A buffer that was out comes back with records, or empty. Null if these bytes are no buffer of a pool that is out.
    pooled_buffer* complete(std::uint8_t* data, std::size_t valid, std::size_t records, bool keep) noexcept {
        const lock held{mutex_};
        // Looked for, and not computed from the address: these may be anybody's bytes. There are a few dozen at most.
        pooled_buffer** at = &first_out_;
        while (*at != nullptr && (*at)->data() != data) at = &(*at)->next;
        pooled_buffer* const b = *at;
        if (b == nullptr) return nullptr;
        *at = b->next;
        --out_;
        b->valid = valid < b->size ? valid : b->size;
        b->records = records;
        b->next = nullptr;
        if (!keep || b->valid == 0) {
            put_back(b);
            return b;
        }
        b->place = buffer_place::completed;
        completed_records_ += records;
        if (last_completed_ == nullptr)
            first_completed_ = b;
        else
            last_completed_->next = b;
        last_completed_ = b;
        return b;
    }

    /// Takes all completed buffers, oldest first, for reading. Each must come back through give_back.
    pooled_buffer* take_completed() noexcept {
        const lock held{mutex_};
        pooled_buffer* const all = first_completed_;
        first_completed_ = last_completed_ = nullptr;
        completed_records_ = 0;
        for (pooled_buffer* b = all; b != nullptr; b = b->next) b->place = buffer_place::taken;
        return all;
    }
    /// Puts what is left of the list that take_completed() gave back in front: its reader stopped half-way.
    void put_unread(pooled_buffer* first) noexcept {
        if (first == nullptr) return;
        const lock held{mutex_};
        pooled_buffer* last = first;
        for (pooled_buffer* b = first; b != nullptr; b = b->next) {
            b->place = buffer_place::completed;
            completed_records_ += b->records;
            last = b;
        }
        last->next = first_completed_;
        if (first_completed_ == nullptr) last_completed_ = last;
        first_completed_ = first;
    }
    /// A buffer that was read.
    void give_back(pooled_buffer* b) noexcept {
        const lock held{mutex_};
        put_back(b);
    }

    /// Records in completed buffers, where they were counted.
    std::size_t completed_records() const noexcept {
        const lock held{mutex_};
        return completed_records_;
    }
    /// Buffers that are out.
    std::size_t out() const noexcept {
        const lock held{mutex_};
        return out_;
    }
    /// Buffers that exist.
    std::size_t made() const noexcept {
        const lock held{mutex_};
        return made_;
    }

  private:
    static constexpr std::size_t largest = std::size_t{1} << 30; ///< bytes of a buffer

    pooled_buffer* hand_out(pooled_buffer* b) noexcept {
        b->place = buffer_place::out;
        b->read = 0;
        b->next = first_out_;
        first_out_ = b;
        ++out_;
        return b;
    }
    void put_back(pooled_buffer* b) noexcept {
        if (b->size != bytes_ || made_ > most_) {
            destroy(b);
            --made_;
            return;
        }
        b->place = buffer_place::free;
        b->valid = b->read = b->records = 0;
        b->next = free_;
        free_ = b;
    }
    pooled_buffer* make() noexcept {
        void* const at = ::operator new (pooled_buffer::header + bytes_, std::align_val_t{pooled_buffer::alignment}, std::nothrow);
        if (at == nullptr) return nullptr;
        auto* const b = ::new (at) pooled_buffer;
        b->size = bytes_;
        return b;
    }
    static void destroy(pooled_buffer* b) noexcept {
        ::operator delete (static_cast<void*>(b), std::align_val_t{pooled_buffer::alignment});
    }
    static void release(pooled_buffer* b) noexcept {
        while (b != nullptr) {
            pooled_buffer* const next = b->next;
            destroy(b);
            b = next;
        }
    }

    mutable mutex mutex_;
    std::size_t bytes_ = 0;
    std::size_t most_ = 0;
    std::size_t made_ = 0;
    std::size_t out_ = 0;
    std::size_t completed_records_ = 0;
    pooled_buffer* free_ = nullptr;
    pooled_buffer* first_out_ = nullptr;
    pooled_buffer* first_completed_ = nullptr;
    pooled_buffer* last_completed_ = nullptr;
};

} // namespace hanabi::detail

#endif
