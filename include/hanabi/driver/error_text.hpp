// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The text of a driver status: what every message about a failing driver call ends in.

#ifndef HANABI_DRIVER_ERROR_TEXT_HPP
#define HANABI_DRIVER_ERROR_TEXT_HPP

#include <hanabi/driver/status.hpp>

#include <string>

namespace hanabi::driver {

/// `NAME (number): description`, with CUDA_UNKNOWN and (no message) in place of what is missing (null or empty).
template <class = void>
std::string error_text(status s, const char* name, const char* description) {
    if (name == nullptr || *name == '\0') name = "CUDA_UNKNOWN";
    if (description == nullptr || *description == '\0') description = "(no message)";
    std::string text = name;
    text += " (";
    text += std::to_string(static_cast<unsigned>(s));
    text += "): ";
    text += description;
    return text;
}

/// "12.4" for 12040: how CUDA versions are written in messages.
template <class = void>
std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// `NAME (number): description` from the library's own list: needs no driver, loaded or not. Any thread.
template <class = void>
std::string error_text(status s) {
    return error_text(s, name_of(s), description_of(s));
}

} // namespace hanabi::driver

#endif
