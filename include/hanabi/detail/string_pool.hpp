// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Copies of names that records point to: each once, and as long as the pool lives.

#ifndef HANABI_DETAIL_STRING_POOL_HPP
#define HANABI_DETAIL_STRING_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_set>

namespace hanabi::detail {

/// One thread at a time. Nothing is ever taken out: what keep() returned stays.
class string_pool {
  public:
    /// The pool's copy of a text; null for null. Records of one kernel come with one address, so most look-ups end at a small
    /// table of addresses; the text is compared all the same, because a module that is unloaded leaves its addresses to others.
    const char* keep(const char* text) {
        if (text == nullptr) return nullptr;
        line& l = recent_[(reinterpret_cast<std::uintptr_t>(text) >> 3) % lines];
        if (l.from == text && std::strcmp(l.copy, text) == 0) return l.copy;
        l.copy = all_.emplace(text).first->c_str();
        l.from = text;
        return l.copy;
    }
    /// Distinct texts.
    std::size_t size() const noexcept { return all_.size(); }

  private:
    struct line {
        const char* from = nullptr;
        const char* copy = nullptr;
    };
    static constexpr std::size_t lines = 256;
    line recent_[lines];
    std::unordered_set<std::string> all_;
};

} // namespace hanabi::detail

#endif
