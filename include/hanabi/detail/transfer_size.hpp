// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Which elements a fill takes.

#ifndef HANABI_DETAIL_TRANSFER_SIZE_HPP
#define HANABI_DETAIL_TRANSFER_SIZE_HPP

#include <cstddef>

namespace hanabi::detail {

/// Element sizes that a device-side fill takes: what cuMemsetD8, D16 and D32 write, and up to 16 words.
inline constexpr bool is_fillable_size(std::size_t bytes) noexcept { return bytes == 1 || bytes == 2 || (bytes % 4 == 0 && bytes <= 64); }

} // namespace hanabi::detail

#endif
