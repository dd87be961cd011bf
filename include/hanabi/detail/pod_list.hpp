// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Growing arrays of plain values, and of owners: std::vector for a dozen element types costs every source that includes it
/// a quarter of a second to compile.

#ifndef HANABI_DETAIL_POD_LIST_HPP
#define HANABI_DETAIL_POD_LIST_HPP

#include <hanabi/detail/shared.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace hanabi::detail {

/// The bytes of a growing array, whatever its elements are.
struct pod_storage {
    void* data = nullptr;
    std::size_t size = 0;     ///< elements
    std::size_t capacity = 0; ///< elements

    /// Room for so many elements; throws std::bad_alloc.
    void reserve(std::size_t count, std::size_t element) {
        if (count <= capacity) return;
        void* const bigger = ::operator new(count* element);
        if (size != 0) __builtin_memcpy(bigger, data, size * element);
        ::operator delete(data);
        data = bigger;
        capacity = count;
    }
    void grow(std::size_t element) {
        if (size == capacity) reserve(capacity == 0 ? 8 : capacity * 2, element);
    }
};

/// A growing array of trivially copyable values, as std::vector is, aligned as operator new aligns.
template <class T>
class pod_list {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  public:
    pod_list() noexcept = default;
    pod_list(const pod_list& other) { append(other.begin(), other.size()); }
    pod_list(pod_list&& other) noexcept : s_{other.s_} { other.s_ = {}; }
    pod_list& operator=(pod_list other) noexcept {
        const pod_storage mine = s_;
        s_ = other.s_;
        other.s_ = mine;
        return *this;
    }
    ~pod_list() { ::operator delete(s_.data); }

    T* begin() noexcept { return static_cast<T*>(s_.data); }
    T* end() noexcept { return begin() + s_.size; }
    const T* begin() const noexcept { return static_cast<const T*>(s_.data); }
    const T* end() const noexcept { return begin() + s_.size; }
    T& operator[](std::size_t i) noexcept { return begin()[i]; }
    const T& operator[](std::size_t i) const noexcept { return begin()[i]; }
    std::size_t size() const noexcept { return s_.size; }
    /// The size as the programs of plans number things.
    std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(s_.size); }
    std::size_t capacity() const noexcept { return s_.capacity; }
    bool empty() const noexcept { return s_.size == 0; }

    void reserve(std::size_t count) { s_.reserve(count, sizeof(T)); }
    void clear() noexcept { s_.size = 0; }
    /// Drops those from `count` on.
    void shorten(std::size_t count) noexcept { s_.size = count; }
    void push_back(const T& value) {
        const T copy = value; // which may be in here
        s_.grow(sizeof(T));
        new (begin() + s_.size) T(copy);
        ++s_.size;
    }
    void append(const T* values, std::size_t count) {
        for (std::size_t room = s_.capacity; s_.size + count > room; room = s_.capacity) {
            const std::size_t doubled = room * 2;
            s_.reserve(s_.size + count > doubled ? s_.size + count : doubled, sizeof(T));
        }
        if (count != 0) __builtin_memcpy(static_cast<void*>(end()), values, count * sizeof(T));
        s_.size += count;
    }
    /// So many, all with the bits of a zero.
    void assign_zeros(std::size_t count) {
        reserve(count);
        s_.size = count;
        if (count != 0) __builtin_memset(s_.data, 0, count * sizeof(T));
    }

    friend bool operator==(const pod_list& a, const pod_list& b) noexcept {
        return a.size() == b.size() && (a.empty() || __builtin_memcmp(a.s_.data, b.s_.data, a.size() * sizeof(T)) == 0);
    }

  private:
    pod_storage s_;
};

/// Owners of shared objects, null among them.
template <class T>
class owner_list {
  public:
    owner_list() noexcept = default;
    owner_list(const owner_list& other) : all_{other.all_} {
        for (T* const object : all_)
            if (object != nullptr) object->retain();
    }
    owner_list& operator=(owner_list other) noexcept {
        pod_list<T*> mine{static_cast<pod_list<T*>&&>(all_)};
        all_ = static_cast<pod_list<T*>&&>(other.all_);
        other.all_ = static_cast<pod_list<T*>&&>(mine);
        return *this;
    }
    ~owner_list() {
        for (T* const object : all_) let_go(object);
    }

    T* const* begin() const noexcept { return all_.begin(); }
    T* const* end() const noexcept { return all_.end(); }
    T* operator[](std::size_t i) const noexcept { return all_[i]; }
    std::size_t size() const noexcept { return all_.size(); }
    bool empty() const noexcept { return all_.empty(); }

    void push_back(const shared<T>& owner) {
        all_.push_back(owner.get());
        if (owner != nullptr) owner->retain();
    }
    void set(std::size_t i, const shared<T>& owner) {
        T* const before = all_[i];
        all_[i] = owner.get();
        if (owner != nullptr) owner->retain();
        let_go(before);
    }

  private:
    static void let_go(T* object) noexcept {
        if (object != nullptr && object->let_go()) delete object;
    }
    pod_list<T*> all_;
};

} // namespace hanabi::detail

#endif
