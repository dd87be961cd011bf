// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// shared: shared ownership by a count in the object, for what stands behind handles. <memory> costs each source more to
/// compile than the rest of a context together.

#ifndef HANABI_DETAIL_SHARED_HPP
#define HANABI_DETAIL_SHARED_HPP

#include <hanabi/detail/atomic.hpp>

#include <cstddef>

namespace hanabi::detail {

/// The base of an object with owners: how many it has.
class shared_object {
  public:
    shared_object() noexcept = default;
    shared_object(const shared_object&) = delete;
    shared_object& operator=(const shared_object&) = delete;

    void retain() const noexcept { owners_.add(1); }
    /// False when the last owner has let go already: the object is being destroyed on another thread.
    bool retain_if_owned() const noexcept {
        for (std::size_t owners = owners_.relaxed(); owners != 0;)
            if (owners_.compare_exchange(owners, owners + 1)) return true;
        return false;
    }
    /// True for the last owner, who has to destroy the object.
    bool let_go() const noexcept { return owners_.add(static_cast<std::size_t>(-1)) == 0; }

  protected:
    ~shared_object() = default;

  private:
    mutable atomic<std::size_t> owners_{1};
};

/// T, which the compiler doesn't know before the template that names it so is instantiated.
template <class T, class...>
struct dependent {
    using type = T;
};

/// One owner of a T, which is a shared_object; or of nothing. Used as std::shared_ptr is: different owners of one object
/// from any threads, one owner from one thread at a time.
template <class T>
class shared {
  public:
    constexpr shared() noexcept = default;
    constexpr shared(std::nullptr_t) noexcept {}
    shared(const shared& other) noexcept : object_{other.object_} {
        if (object_ != nullptr) object_->retain();
    }
    shared(shared&& other) noexcept : object_{other.object_} { other.object_ = nullptr; }
    template <class U>
    shared(const shared<U>& other) noexcept : shared{other.get()} { // U* to T*
        if (object_ != nullptr) object_->retain();
    }
    shared& operator=(shared other) noexcept {
        T* const before = object_;
        object_ = other.object_;
        other.object_ = before;
        return *this;
    }
    ~shared() {
        if (object_ != nullptr && object_->let_go()) delete object_;
    }

    /// Makes an object and its first owner.
    template <class... Arguments>
    static shared make(Arguments&&... arguments) {
        return shared{new T(static_cast<Arguments&&>(arguments)...)};
    }
    /// A further owner of an object found by its address; none when its last one has let go.
    static shared find(T* object) noexcept { return shared{object != nullptr && object->retain_if_owned() ? object : nullptr}; }

    T* get() const noexcept { return object_; }
    T* operator->() const noexcept { return object_; }
    T& operator*() const noexcept { return *object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }
    void reset() noexcept { *this = shared{}; }
    friend bool operator==(const shared& a, const shared& b) noexcept { return a.object_ == b.object_; }
    friend bool operator==(const shared& a, std::nullptr_t) noexcept { return a.object_ == nullptr; }

  private:
    explicit shared(T* object) noexcept : object_{object} {}

    T* object_ = nullptr;
};

} // namespace hanabi::detail

#endif
