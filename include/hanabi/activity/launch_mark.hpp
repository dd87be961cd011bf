// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a session leaves with a launch between its beginning and its end.

#ifndef HANABI_ACTIVITY_LAUNCH_MARK_HPP
#define HANABI_ACTIVITY_LAUNCH_MARK_HPP

#include <cstdint>

namespace hanabi {

/// What begin_launch() of a session returns, for its end_launch(). Trivially copyable.
struct launch_mark {
    std::uint64_t start = 0; ///< the session's clock before the call, ns; 0 where the session reads none
    bool pushed = false;     ///< something is to be taken back: an external correlation id was pushed
};

} // namespace hanabi

#endif
