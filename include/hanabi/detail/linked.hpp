// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Whether a weak function is part of the program.

#ifndef HANABI_DETAIL_LINKED_HPP
#define HANABI_DETAIL_LINKED_HPP

namespace hanabi::detail {

/// True if a function that is declared weak is defined somewhere. A function of its own, because where a source happens to
/// see the definition, compilers warn of comparing its name with null.
template <class Function>
bool is_linked(Function* function) noexcept {
    return function != nullptr;
}

} // namespace hanabi::detail

#endif
