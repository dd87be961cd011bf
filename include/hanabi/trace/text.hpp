// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Text for sinks: JSON strings, CSV fields, names for terminals, durations.

#ifndef HANABI_TRACE_TEXT_HPP
#define HANABI_TRACE_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace hanabi::trace {

/// How many bytes the UTF-8 sequence at `i` has; 0 where there is no valid one.
constexpr std::size_t utf8_length(std::string_view s, std::size_t i) noexcept {
    const auto at = [&](std::size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u; };
    const auto tail = [&](std::size_t k) { return (at(k) & 0xC0u) == 0x80u; };
    const unsigned a = at(i), b = at(i + 1);
    if (a < 0x80) return 1;
    if (a >= 0xC2 && a < 0xE0) return tail(i + 1) ? 2 : 0;
    if (a >= 0xE0 && a < 0xF0) return tail(i + 1) && tail(i + 2) && !(a == 0xE0 && b < 0xA0) && !(a == 0xED && b >= 0xA0) ? 3 : 0;
    if (a >= 0xF0 && a < 0xF5)
        return tail(i + 1) && tail(i + 2) && tail(i + 3) && !(a == 0xF0 && b < 0x90) && !(a == 0xF4 && b >= 0x90) ? 4 : 0;
    return 0;
}

/// Appends a JSON string, quotes included. What is not valid UTF-8 becomes U+FFFD; U+2028 and U+2029, which end lines in
/// JavaScript, are escaped as control characters are.
inline void append_json(std::string& to, std::string_view s) {
    static constexpr char hex[] = "0123456789abcdef";
    to += '"';
    for (std::size_t i = 0; i < s.size();) {
        const auto c = static_cast<unsigned char>(s[i]);
        if (c == '"' || c == '\\')
            (to += '\\') += s[i];
        else if (c < 0x20 || c == 0x7F)
            (((to += "\\u00") += hex[c >> 4]) += hex[c & 15]);
        else if (const std::size_t length = utf8_length(s, i); length == 0)
            to += "\\ufffd";
        else if (length == 3 && (s.substr(i, 3) == "\xE2\x80\xA8" || s.substr(i, 3) == "\xE2\x80\xA9")) {
            to += s[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
            i += 3;
            continue;
        } else {
            to.append(s, i, length);
            i += length;
            continue;
        }
        ++i;
    }
    to += '"';
}

/// A field of CSV, quoted where it has to be. One that a spreadsheet would run as a formula gets an apostrophe ahead.
inline std::string csv_text(std::string_view s) {
    std::string text;
    if (!s.empty() && (s[0] == '=' || s[0] == '+' || s[0] == '-' || s[0] == '@' || s[0] == '\t' || s[0] == '\r')) text = "'";
    text += s;
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted += '"';
}

/// A name for a terminal: control characters and what is not valid UTF-8 become '?', and the middle of what is longer than
/// `most` bytes is left out.
inline std::string plain_text(std::string_view s, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < s.size();) {
        const std::size_t length = utf8_length(s, i);
        const auto c = static_cast<unsigned char>(s[i]);
        const bool c1 = length == 2 && c == 0xC2 && static_cast<unsigned char>(s[i + 1]) < 0xA0; // further control characters
        if (length == 0 || c < 0x20 || c == 0x7F || c1)
            text += '?';
        else
            text.append(s, i, length);
        i += length == 0 ? 1 : length;
    }
    if (text.size() <= most || most < 8) return text;
    std::size_t head = most / 2, tail = text.size() - (most - head - 3);
    const auto inside = [&](std::size_t i) { return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u; };
    while (head != 0 && inside(head)) --head;
    while (inside(tail)) ++tail;
    return text.substr(0, head) + "..." + text.substr(tail);
}

/// `1.234 us`: four digits and a unit.
inline std::string duration_text(double ns) {
    static constexpr const char* units[] = {"ns", "us", "ms", "s"};
    std::size_t unit = 0;
    while (ns >= 999.95 && unit < 3) {
        ns /= 1000;
        ++unit;
    }
    char text[48];
    std::snprintf(text, sizeof text,
                  unit == 0     ? "%.0f %s"
                  : ns < 9.9995 ? "%.3f %s"
                  : ns < 99.995 ? "%.2f %s"
                                : "%.1f %s",
                  ns, units[unit]);
    return text;
}

} // namespace hanabi::trace

#endif
