// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Files of the test data, as tests of images read them.

#ifndef HANABI_TEST_SUPPORT_FILES_HPP
#define HANABI_TEST_SUPPORT_FILES_HPP

#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

/// The whole of test/data/NAME; an absent file is an error, not an empty one.
inline std::string file(const std::string& name) {
    std::ifstream in{std::string{HANABI_TEST_DATA_DIR} + "/" + name, std::ios::binary};
    if (!in) throw std::runtime_error{"no test data " + name};
    return {std::istreambuf_iterator<char>{in}, {}};
}

inline std::span<const std::byte> bytes_of(const std::string& s) { return std::as_bytes(std::span{s.data(), s.size()}); }

inline std::vector<std::string> split(const std::string& line, char by) {
    std::vector<std::string> parts(1);
    for (char c : line)
        if (c == by)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

inline std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all = split(text, '\n');
    if (!all.empty() && all.back().empty()) all.pop_back();
    return all;
}

/// Rows of a tab-separated file, without its heading.
inline std::vector<std::vector<std::string>> table(const std::string& name) {
    std::vector<std::vector<std::string>> rows;
    const std::vector<std::string> all = lines(file(name));
    for (std::size_t i = 1; i < all.size(); ++i) rows.push_back(split(all[i], '\t'));
    return rows;
}

} // namespace test

#endif
