// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Which bits of an allocation have values: for whoever looks for reads of memory that nothing has written.

#ifndef HANABI_HOST_DEFINEDNESS_HPP
#define HANABI_HOST_DEFINEDNESS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace hanabi::host::detail {

/// A byte for every byte of memory, whose bits are 1 where the memory's have values: copies of structs with padding, or with
/// bit-fields, need no less. None is kept while nothing has a value, or everything: then it costs nothing, as in programs
/// that never execute PTX. Any thread; what kernels do with bits() themselves is as ordered as their accesses are.
class definedness {
  public:
    explicit definedness(std::size_t size) noexcept : size_{size} {}
    definedness(const definedness&) = delete;
    definedness& operator=(const definedness&) = delete;
    ~definedness() { std::free(room_); }

    /// The bytes, once begin() was called; null while all have values.
    std::uint8_t* bits() const noexcept { return bits_.load(std::memory_order_acquire); }
    /// From here on bits() can be relied upon.
    void begin() {
        const std::lock_guard lock{mutex_};
        if (!all_) keep();
    }
    /// The bytes, to be cleared; null when the host has no room for them.
    std::uint8_t* track() {
        const std::lock_guard lock{mutex_};
        if (all_ && keep()) {
            std::memset(room_, 0xff, size_);
            all_ = false;
            bits_.store(room_, std::memory_order_release);
        }
        return room_;
    }

    /// [at, at + count) gets values.
    void write(std::size_t at, std::size_t count) {
        const std::lock_guard lock{mutex_};
        if (all_) return;
        if (at == 0 && count == size_)
            write_all();
        else if (keep())
            std::memset(room_ + at, 0xff, count);
    }
    /// All of it gets values.
    void write() { write(0, size_); }

    /// [at, at + count) gets what another allocation, or this one, has at `from_at`; null: of values.
    void copy(std::size_t at, definedness* from, std::size_t from_at, std::size_t count) {
        if (from == nullptr) return write(at, count);
        if (from == this) {
            const std::lock_guard lock{mutex_};
            if (room_ != nullptr && !all_) std::memmove(room_ + at, room_ + from_at, count);
            return;
        }
        const std::scoped_lock lock{mutex_, from->mutex_};
        const auto bytes_of = [&] { return from->room_ == nullptr || from->all_ ? nullptr : from->room_ + from_at; };
        const std::uint8_t* const bytes = bytes_of();
        const bool has_all = from->all_ || (bytes != nullptr && is_all(bytes, count));
        if (has_all) {
            if (all_) return;
            if (at == 0 && count == size_)
                write_all();
            else if (keep())
                std::memset(room_ + at, 0xff, count);
            return;
        }
        if (all_) {
            if (!keep()) return;
            std::memset(room_, 0xff, size_);
            all_ = false;
        } else if (bytes == nullptr && room_ == nullptr)
            return; // from nothing to nothing
        else if (!keep())
            return;
        if (bytes == nullptr)
            std::memset(room_ + at, 0, count);
        else
            std::memcpy(room_ + at, bytes, count);
        bits_.store(room_, std::memory_order_release);
    }

  private:
    static bool is_all(const std::uint8_t* bytes, std::size_t count) noexcept {
        return count == 0 || (bytes[0] == 0xff && std::memcmp(bytes, bytes + 1, count - 1) == 0);
    }
    void write_all() noexcept { // kernels that run may still mark what they write in the room: it stays
        all_ = true;
        bits_.store(nullptr, std::memory_order_release);
    }
    /// Has room, of which the system gives each page when it is first written; without, everything counts as written.
    bool keep() noexcept {
        if (room_ == nullptr) {
            room_ = static_cast<std::uint8_t*>(std::calloc(size_ == 0 ? 1 : size_, 1));
            if (room_ == nullptr) {
                all_ = true;
                return false;
            }
        }
        if (!all_) bits_.store(room_, std::memory_order_release);
        return true;
    }

    const std::size_t size_;
    std::mutex mutex_;
    std::uint8_t* room_ = nullptr;
    std::atomic<std::uint8_t*> bits_{nullptr};
    bool all_ = false;
};

} // namespace hanabi::host::detail

#endif
