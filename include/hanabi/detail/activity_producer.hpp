// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What CUPTI does behind its interface: writes records into buffers that it asks for, and hands them over. Both the
/// host-side session and the host driver's CUPTI are one of these.

#ifndef HANABI_DETAIL_ACTIVITY_PRODUCER_HPP
#define HANABI_DETAIL_ACTIVITY_PRODUCER_HPP

#include <hanabi/activity/kind.hpp>
#include <hanabi/activity/record.hpp>
#include <hanabi/config.hpp>
#include <hanabi/cupti/abi.hpp>
#include <hanabi/cupti/codec.hpp>
#include <hanabi/cupti/layout.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/mutex.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hanabi::detail {

/// True while the calling thread is inside a buffer callback, of whichever session: nothing that could call one is
/// permitted then.
HANABI_SHARED inline bool& inside_buffer_callback() noexcept {
    static thread_local bool inside = false;
    return inside;
}

class callback_scope {
  public:
    callback_scope() noexcept : before_{inside_buffer_callback()} { inside_buffer_callback() = true; }
    ~callback_scope() { inside_buffer_callback() = before_; }
    callback_scope(const callback_scope&) = delete;
    callback_scope& operator=(const callback_scope&) = delete;

  private:
    bool before_;
};

/// Which small numbers threads have: a bit each.
inline constexpr unsigned thread_number_limit = 1024;
HANABI_SHARED inline atomic<std::uint64_t> thread_numbers_taken[thread_number_limit / 64]{};

/// The smallest number that no thread has, from 1; thread_number_limit when all are taken.
inline unsigned take_thread_number() noexcept {
    for (unsigned word = 0; word < thread_number_limit / 64; ++word) {
        std::uint64_t taken = thread_numbers_taken[word].acquire() | (word == 0 ? 1u : 0u);
        while (taken != ~std::uint64_t{0}) {
            const std::uint64_t bit = ~taken & (taken + 1);
            std::uint64_t expected = word == 0 ? taken & ~std::uint64_t{1} : taken;
            if (thread_numbers_taken[word].compare_exchange(expected, expected | bit))
                return word * 64 + static_cast<unsigned>(__builtin_ctzll(bit));
            taken = expected | (word == 0 ? 1u : 0u);
        }
    }
    return thread_number_limit;
}
inline void give_thread_number_back(unsigned number) noexcept {
    if (number >= thread_number_limit) return;
    atomic<std::uint64_t>& word = thread_numbers_taken[number / 64];
    std::uint64_t taken = word.acquire();
    while (!word.compare_exchange(taken, taken & ~(std::uint64_t{1} << number % 64))) {
    }
}

/// A number that no other living thread has: threads write where no other does. Small, since numbers of threads that ended
/// are given again; thread_number_limit for threads beyond the limit, all of them.
HANABI_COLD inline void number_this_thread(unsigned& number) noexcept {
    struct holder {
        unsigned& number;
        ~holder() {
            give_thread_number_back(number);
            number = thread_number_limit; // what is recorded behind this by the thread's other destructors goes where all may
        }
    };
    number = take_thread_number();
    static thread_local const holder held{number};
    static_cast<void>(held);
}
HANABI_INLINE unsigned thread_number() noexcept {
    static thread_local unsigned number = 0; // constant: the access needs no guard
    if (number == 0) [[unlikely]]
        number_this_thread(number);
    return number;
}

/// Who gets the buffers: CUPTI's pair of callbacks, with what they lack: a state, and how many records there are.
struct buffer_client {
    void* state = nullptr;
    void (*request)(void* state, std::uint8_t*& buffer, std::size_t& size, std::size_t& max_records) = nullptr;
    void (*complete)(void* state, std::uint8_t* buffer, std::size_t size, std::size_t valid, std::size_t records) = nullptr;
};

/// Any thread. Each thread has a shard that it alone writes to, without a lock and without an atomic exchange, which would
/// wait for every store before it; threads beyond the number of shards share one, in turns. Callbacks are called on the
/// thread that records or flushes, with no lock held but that turn.
class activity_producer {
  public:
    /// `shards`: at least 1.
    explicit activity_producer(unsigned shards) : count_{shards + 1}, shards_{new shard[shards + 1]} {}
    ~activity_producer() { delete[] shards_; }
    activity_producer(const activity_producer&) = delete;
    activity_producer& operator=(const activity_producer&) = delete;

    /// The client must stay as it is while there is anything to produce.
    void connect(const buffer_client* client) noexcept { client_.release(client); }
    bool connected() const noexcept { return client_.acquire() != nullptr; }

    /// Kinds that are not CUPTI 13.0's are never on.
    void enable(activity_kind kind) noexcept { change(kind, true); }
    void disable(activity_kind kind) noexcept { change(kind, false); }
    HANABI_INLINE bool is_enabled(activity_kind kind) const noexcept { return (kinds_.relaxed() & bit(kind)) != 0; }
    bool any_enabled() const noexcept { return kinds_.relaxed() != 0; }

    /// Writes a record, whether or not its kind is enabled. False, and a drop is counted, when there is no buffer for it.
    bool produce(const activity_record& r) noexcept {
        return produce(cupti::layout::size_of(r.kind), r.end == 0 && r.is_kernel() && r.unfinished(),
                       [&r](std::byte* to) { cupti::write_record(r, to); });
    }
    /// Writes a record of a size, by a function that gets where to.
    template <class Write>
    HANABI_INLINE bool produce(std::size_t size, bool unfinished, const Write& write) noexcept {
        const unsigned number = thread_number();
        if (number >= count_) [[unlikely]]
            return produce_in_turn(size, unfinished, write);
        shard& mine = shards_[number];
        return mine.append(size, unfinished, write) || produce_slowly(mine, size, unfinished, write);
    }

    /// Hands over what the mode says; how many records. Nothing from inside a callback. What other threads are writing is
    /// copied to a buffer that is asked for; if there is none, it stays until the next flush. `alone`: no other thread is
    /// writing, and nothing need be copied.
    std::size_t flush(cupti::flush_mode mode, bool alone = false) noexcept {
        if (inside_buffer_callback()) return 0;
        std::size_t records = 0;
        const unsigned me = thread_number();
        for (unsigned i = 0; i < count_; ++i) {
            shard& s = shards_[i];
            filled whole;
            filled part;
            if (mode == cupti::flush_mode::everything) {
                const bool mine = alone || (i == me && i != 0);
                if (i == 0) s.turn.lock(); // with the turn, this thread is the writer
                {
                    const lock held{s.mutex};
                    whole = s.kept;
                    s.kept = {};
                    if (mine || i == 0) part = s.take();
                }
                if (i == 0) s.turn.unlock();
            }
            records += hand_over(whole) + hand_over(part);
            if (mode == cupti::flush_mode::everything && i != 0) records += flush_copy(s);
        }
        return records;
    }

    /// Records that no buffer was there for, since the last time this was asked.
    std::uint64_t take_dropped() noexcept { return dropped_.exchange(0); }
    /// The same without forgetting them.
    std::uint64_t dropped() const noexcept { return dropped_.relaxed(); }

    /// Records in buffers that were not handed over.
    std::size_t pending() const noexcept {
        std::size_t records = 0;
        for (unsigned i = 0; i < count_; ++i) {
            const lock held{shards_[i].mutex};
            records += shards_[i].records.acquire() - shards_[i].delivered_records + shards_[i].kept.records;
        }
        return records;
    }

  private:
    /// A buffer with records in it.
    struct filled {
        std::uint8_t* buffer = nullptr;
        std::size_t size = 0;
        std::size_t used = 0;
        std::size_t records = 0;
    };
    struct alignas(128) shard {
        // Its writer's: changed by nobody else but for take(), under the mutex, where that is allowed.
        std::uint8_t* buffer = nullptr;
        std::size_t size = 0;
        std::size_t max_records = 0;      ///< 0: as many as fit
        std::size_t unfinished_until = 0; ///< bytes up to the end of the last record of work without an end
        atomic<std::size_t> used{0};      ///< written with release: what is before it can be read by anybody
        atomic<std::size_t> records{0};
        // Under the mutex.
        mutable hanabi::detail::mutex mutex;
        std::size_t delivered = 0; ///< bytes that a flush has handed over as a copy
        std::size_t delivered_records = 0;
        filled kept;                ///< full, with unfinished work: flush_mode::complete leaves it
        hanabi::detail::mutex turn; ///< of the shared one: whoever holds it is the writer

        template <class Write>
        HANABI_INLINE bool append(std::size_t bytes, bool unfinished, const Write& write) noexcept {
            const std::size_t at = used.relaxed();
            if (buffer == nullptr || bytes > size - at || bytes == 0) return false;
            const std::size_t number = records.relaxed();
            if (max_records != 0 && number >= max_records) return false;
            write(reinterpret_cast<std::byte*>(buffer) + at);
            if (unfinished) unfinished_until = at + bytes;
            records.relaxed(number + 1);
            used.release(at + bytes);
            return true;
        }
        /// Under the mutex, by the writer or where there is none.
        filled take() noexcept {
            if (buffer == nullptr) return {};
            const std::size_t left = used.relaxed() - delivered;
            if (delivered != 0) std::memmove(buffer, buffer + delivered, left);
            const filled all{buffer, size, left, records.relaxed() - delivered_records};
            install({}, 0);
            return all;
        }
        void install(const filled& fresh, std::size_t most) noexcept {
            buffer = fresh.buffer;
            size = fresh.size;
            max_records = most;
            unfinished_until = delivered = delivered_records = 0;
            records.relaxed(0);
            used.release(0);
        }
    };

    static constexpr std::uint64_t bit(activity_kind kind) noexcept {
        const auto number = static_cast<std::uint32_t>(kind);
        return number != 0 && number < activity_kind_count ? std::uint64_t{1} << number : 0;
    }
    static_assert(activity_kind_count <= 64);

    void change(activity_kind kind, bool on) noexcept {
        std::uint64_t before = kinds_.relaxed();
        while (!kinds_.compare_exchange(before, on ? before | bit(kind) : before & ~bit(kind))) {
        }
    }

    template <class Write>
    HANABI_COLD bool produce_in_turn(std::size_t size, bool unfinished, Write write) noexcept { // a copy: see produce_slowly
        shard& shared = shards_[0];
        if (inside_buffer_callback()) return drop(); // its thread may hold the turn
        const lock held{shared.turn};
        return shared.append(size, unfinished, write) || produce_slowly(shared, size, unfinished, write);
    }

    /// Gets a copy of the function: one whose address is given away here would be put together in memory each time.
    template <class Write>
    HANABI_COLD bool produce_slowly(shard& mine, std::size_t size, bool unfinished, Write write) noexcept {
        // A kind that is never written; or what a callback causes, which must not need another callback.
        if (size == 0 || inside_buffer_callback()) return drop();
        filled full;
        filled older;
        {
            const lock held{mine.mutex};
            const bool waits = mine.unfinished_until > mine.delivered;
            full = mine.take();
            if (waits) {
                older = mine.kept; // one is kept, no more: a second pushes the first out
                mine.kept = full;
                full = {};
            }
        }
        hand_over(older);
        hand_over(full);
        filled fresh;
        std::size_t most = 0;
        if (!ask(fresh, most)) return drop();
        if (fresh.size < size || reinterpret_cast<std::uintptr_t>(fresh.buffer) % 8 != 0) {
            hand_over(fresh);
            return drop();
        }
        {
            const lock held{mine.mutex};
            mine.install(fresh, most);
        }
        return mine.append(size, unfinished, write);
    }
    bool drop() noexcept {
        dropped_.add(1);
        return false;
    }

    /// Hands over a copy of what a shard's writer has written so far, and goes on writing to.
    std::size_t flush_copy(shard& s) noexcept {
        std::size_t records = 0;
        for (;;) {
            {
                const lock held{s.mutex};
                if (s.used.acquire() == s.delivered) return records;
            }
            filled copy;
            std::size_t most = 0;
            if (!ask(copy, most)) return records;
            if (reinterpret_cast<std::uintptr_t>(copy.buffer) % 8 == 0) {
                const lock held{s.mutex};
                const std::size_t end = s.used.acquire();
                while (s.delivered < end && (most == 0 || copy.records < most)) {
                    std::uint32_t kind;
                    std::memcpy(&kind, s.buffer + s.delivered, sizeof kind);
                    const std::size_t size = cupti::layout::size_of(static_cast<activity_kind>(kind));
                    if (size > copy.size - copy.used) break;
                    std::memcpy(copy.buffer + copy.used, s.buffer + s.delivered, size);
                    copy.used += size;
                    s.delivered += size;
                    ++copy.records;
                    ++s.delivered_records;
                }
            }
            records += hand_over(copy);
            if (copy.records == 0) return records; // a buffer that is no good
        }
    }

    bool ask(filled& fresh, std::size_t& max_records) noexcept {
        const buffer_client* const client = client_.acquire();
        if (client == nullptr) return false;
        const callback_scope scope;
        client->request(client->state, fresh.buffer, fresh.size, max_records);
        return fresh.buffer != nullptr;
    }
    std::size_t hand_over(const filled& all) noexcept {
        if (all.buffer == nullptr) return 0;
        const buffer_client* const client = client_.acquire();
        if (client == nullptr) return 0;
        const callback_scope scope;
        client->complete(client->state, all.buffer, all.size, all.used, all.records);
        return all.records;
    }

    atomic<const buffer_client*> client_{nullptr};
    atomic<std::uint64_t> kinds_{0};
    atomic<std::uint64_t> dropped_{0};
    unsigned count_; ///< of shards; the first one is for whoever has none
    shard* shards_;
};

} // namespace hanabi::detail

#endif
