// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A generated text against the file that has it: written where they differ, or only compared.

#ifndef HANABI_TOOL_OUTPUT_HPP
#define HANABI_TOOL_OUTPUT_HPP

#include "images.hpp"
#include "words.hpp"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

namespace tool {

/// The content of a file; empty and false where it can't be read.
inline bool read_file(const std::string& name, std::string& content) {
    std::ifstream in{name, std::ios::binary};
    if (!in) return false;
    content.assign(std::istreambuf_iterator<char>{in}, {});
    return true;
}

/// Says where a file first differs from a text.
inline exit_code check_file(const std::string& name, const std::string& text) {
    std::string there;
    if (!read_file(name, there)) {
        complain(name, "can't be opened");
        return unreadable;
    }
    if (there == text) return all_fine;
    std::size_t line = 1, begin_there = 0, begin = 0;
    while (true) {
        const std::string a = there.substr(begin_there, there.find('\n', begin_there) - begin_there);
        const std::string b = text.substr(begin, text.find('\n', begin) - begin);
        begin_there += a.size() + 1;
        begin += b.size() + 1;
        if (a != b || begin_there > there.size() || begin > text.size()) {
            complain(name + ":" + std::to_string(line), "out of date. There: " + commented(a) + "\n  The files say: " + commented(b));
            return differs;
        }
        ++line;
    }
}

/// Writes a file, unless that is its content already: so that nothing is compiled again for nothing.
inline exit_code write_file(const std::string& name, const std::string& text) {
    std::string there;
    if (read_file(name, there) && there == text) return all_fine;
    std::ofstream out{name, std::ios::binary | std::ios::trunc};
    out << text;
    out.close();
    if (!out) {
        complain(name, "can't be written");
        return unreadable;
    }
    return all_fine;
}

} // namespace tool

#endif
