// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The umbrella without exceptions and without RTTI: a failure goes to the program's own boost::throw_exception.

#include <hanabi/hanabi.hpp>

#include <boost/throw_exception.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace boost {
// The test passes if the library comes here, with its message.
BOOST_NORETURN void throw_exception(const std::exception& e) {
    std::printf("%s\n", e.what());
    std::exit(std::strstr(e.what(), "what to do") != nullptr ? 0 : 1);
}
BOOST_NORETURN void throw_exception(const std::exception& e, const boost::source_location&) { throw_exception(e); }
} // namespace boost

int main() {
    hanabi::detail::raise(hanabi::errc::invalid_argument, "a failure says what to do");
    return 1;
}
