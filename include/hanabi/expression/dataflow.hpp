// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Expressions whose order is found out: dataflow(a, b, ...).

#ifndef HANABI_EXPRESSION_DATAFLOW_HPP
#define HANABI_EXPRESSION_DATAFLOW_HPP

#include <hanabi/expression/parallel.hpp>

namespace hanabi {

/// Expressions in the order in which they would run alone, of which one waits only for those before it that write what it
/// uses or use what it writes. What a launch uses is read off its signature: a T* parameter is written (and read), a const T*
/// parameter is read, in the whole buffer that the address lies in; copies and fills use their ranges. What is reached
/// through structs and tables in memory is to be declared: touches(...). What is composed counts as one. A call, a nested
/// plan and a barrier wait for everything and everything waits for them, unless touches(...) says what they use.
template <expression... E>
constexpr auto dataflow(const E&... e) {
    return detail::combine<node_kind::dataflow>(e...);
}

} // namespace hanabi

#endif
