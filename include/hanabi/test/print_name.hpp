// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Printing of names: text in types, symbols, argument names.

#ifndef HANABI_TEST_PRINT_NAME_HPP
#define HANABI_TEST_PRINT_NAME_HPP

#include <hanabi/literals.hpp>
#include <hanabi/symbol.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>

namespace hanabi {

namespace test::detail {

inline std::string string_of(name_view name) { return {name.data(), name.size()}; }

/// An address as the driver's messages write it: 0x7f0010, or null.
inline std::string address_text(std::uintptr_t address) {
    if (address == 0) return "null";
    char text[2 + 2 * sizeof address + 1];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    return text;
}
inline std::string address_text(const volatile void* address) { return address_text(reinterpret_cast<std::uintptr_t>(address)); }

/// `1 byte`, `2 bytes`.
inline std::string counted(std::uint64_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

} // namespace test::detail

/// The characters.
inline std::ostream& operator<<(std::ostream& out, name_view name) {
    return out.write(name.data(), static_cast<std::streamsize>(name.size()));
}

/// The characters.
template <std::size_t N>
std::ostream& operator<<(std::ostream& out, const text<N>& t) {
    return out << t.view();
}

/// `axpy`, `cxx("la::scal")` or `matching("*::hidden(*)")`, as it was written, without template arguments.
template <std::size_t N, class Linkage>
std::ostream& operator<<(std::ostream& out, const symbol<N, Linkage>& s) {
    if constexpr (std::is_same_v<Linkage, c_linkage>)
        return out << s.view();
    else if constexpr (std::is_same_v<Linkage, pattern_linkage>)
        return out << "matching(\"" << s.view() << "\")";
    else
        return out << "cxx(\"" << s.view() << "\")";
}

/// `"alpha"_arg`.
template <text Name>
std::ostream& operator<<(std::ostream& out, argument_name<Name>) {
    return out << '"' << Name.view() << "\"_arg";
}

} // namespace hanabi

#endif
