// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The report of one data race.

#ifndef HANABI_HOST_RACE_HPP
#define HANABI_HOST_RACE_HPP

#include <cstddef>
#include <cstdint>
#include <string>

namespace hanabi::host {

/// One of the two operations of a race.
struct race_party {
    std::string operation;     ///< "blas::axpy", "memcpy", "memset"
    std::uint64_t number = 0;  ///< of a launch: that of its launch_record; 0 for copies and fills
    std::size_t parameter = 0; ///< of a launch: the parameter that points there, from 1; of copies and fills 0
    bool writes = false;
};

/// Two operations that are not ordered by a stream, an event, an edge of a graph or a wait of the host.
struct race {
    race_party first, second;   ///< in the order in which they were submitted
    std::uintptr_t address = 0; ///< where what both touch begins
    std::size_t bytes = 0;      ///< how much of it there is
    std::string text;           ///< all of it in a sentence
};

} // namespace hanabi::host

#endif
