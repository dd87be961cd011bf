// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How many records were lost, where that can be told.

#ifndef HANABI_ACTIVITY_DROP_COUNT_HPP
#define HANABI_ACTIVITY_DROP_COUNT_HPP

#include <cstdint>
#include <system_error>

namespace hanabi {

/// Records lost since the beginning of a session. A count that can't be read is not 0: then `known` is false, `count` is
/// what is certain to be lost, and `why` is what the count's reading failed with.
struct drop_count {
    std::uint64_t count = 0;
    bool known = true;
    std::error_code why{};
};

} // namespace hanabi

#endif
