// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// chain: objects that are added one by one and stay where they are, as long as the chain does.

#ifndef HANABI_DETAIL_CHAIN_HPP
#define HANABI_DETAIL_CHAIN_HPP

namespace hanabi::detail {

/// Owner of objects at addresses that never change, in the order in which they were added.
template <class T>
class chain {
    struct link {
        T value{};
        link* next = nullptr;
    };

  public:
    /// Walks the objects. Constness is the object's own matter, as with pointers.
    class iterator {
      public:
        explicit iterator(link* at) noexcept : at_{at} {}
        T& operator*() const noexcept { return at_->value; }
        iterator& operator++() noexcept {
            at_ = at_->next;
            return *this;
        }
        bool operator==(const iterator& other) const noexcept { return at_ == other.at_; }

      private:
        link* at_;
    };

    chain() noexcept = default;
    chain(const chain&) = delete;
    chain& operator=(const chain&) = delete;
    ~chain() { clear(); }

    /// Adds an object, made from nothing.
    T& add() {
        link* const made = new link;
        *last_ = made;
        last_ = &made->next;
        return made->value;
    }
    void clear() noexcept {
        while (first_ != nullptr) {
            link* const gone = first_;
            first_ = gone->next;
            delete gone;
        }
        last_ = &first_;
    }
    bool empty() const noexcept { return first_ == nullptr; }
    iterator begin() const noexcept { return iterator{first_}; }
    iterator end() const noexcept { return iterator{nullptr}; }

  private:
    link* first_ = nullptr;
    link** last_ = &first_;
};

} // namespace hanabi::detail

#endif
