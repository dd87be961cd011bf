// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// name_table: finds things by name, in a time that does not grow with their number.

#ifndef HANABI_DETAIL_NAME_TABLE_HPP
#define HANABI_DETAIL_NAME_TABLE_HPP

#include <cstddef>
#include <string_view>

namespace hanabi::detail {

/// A hash table from names to places. Neither the names nor the places are copied: both must stay where they are.
template <class T>
class name_table {
    struct entry {
        std::string_view name;
        T* place = nullptr;
    };

  public:
    name_table() noexcept = default;
    name_table(const name_table&) = delete;
    name_table& operator=(const name_table&) = delete;
    ~name_table() { delete[] entries_; }

    /// Enters a name; one that is there already keeps its place.
    void add(std::string_view name, T* place) {
        if (count_ * 2 >= size_) grow();
        entry& e = entries_[slot_of(name)];
        if (e.place != nullptr) return;
        e = {name, place};
        ++count_;
    }
    /// The place of a name; null when it has none.
    T* find(std::string_view name) const noexcept { return size_ == 0 ? nullptr : entries_[slot_of(name)].place; }
    void clear() noexcept {
        delete[] entries_;
        entries_ = nullptr;
        size_ = count_ = 0;
    }

  private:
    /// Where the name is, or where it would be put: there is always a free entry.
    std::size_t slot_of(std::string_view name) const noexcept {
        unsigned long long hash = 14695981039346656037u; // FNV-1a
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
        std::size_t slot = static_cast<std::size_t>(hash ^ hash >> 32) & (size_ - 1);
        while (entries_[slot].place != nullptr && entries_[slot].name != name) slot = (slot + 1) & (size_ - 1);
        return slot;
    }
    void grow() {
        const entry* const before = entries_;
        const std::size_t size = size_;
        entries_ = new entry[size == 0 ? 16 : size * 2];
        size_ = size == 0 ? 16 : size * 2;
        for (std::size_t i = 0; i < size; ++i)
            if (before[i].place != nullptr) entries_[slot_of(before[i].name)] = before[i];
        delete[] before;
    }

    entry* entries_ = nullptr;
    std::size_t size_ = 0; ///< a power of two, or 0
    std::size_t count_ = 0;
};

} // namespace hanabi::detail

#endif
