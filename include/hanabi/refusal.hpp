// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Refusals: the words that compile-time errors are made of. An error is an undefined class template whose name and
/// arguments say what is wrong; where the library needs it complete, the compiler prints it in its first line.

#ifndef HANABI_REFUSAL_HPP
#define HANABI_REFUSAL_HPP

#include <cstddef>

namespace hanabi {

/// What was wanted: a parameter's type, say.
template <class T>
struct expected;
/// What there is instead: an argument's type, say.
template <class T>
struct given;
/// A number of things wanted.
template <std::size_t N>
struct expected_count;
/// A number of things there are.
template <std::size_t N>
struct given_count;

/// Reasons: names that read on after "because". Verdicts are of these types.
namespace because {
/// The verdict on what is not refused.
struct it_is_fine;
} // namespace because

namespace detail {

/// What a refused call returns, never defined: the caller's own use of the result must be no second error.
template <class T>
T refused() noexcept;

} // namespace detail

} // namespace hanabi

#endif
