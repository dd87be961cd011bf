// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the driver itself says about a failing call: the newest entries of its log, for error messages.

#ifndef HANABI_DRIVER_LOG_HPP
#define HANABI_DRIVER_LOG_HPP

#include <hanabi/driver/table.hpp>

#include <boost/core/no_exceptions_support.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#if defined(_WIN32)
extern "C" __declspec(dllimport) unsigned long __stdcall GetCurrentThreadId();
#else
#include <pthread.h>
#endif

namespace hanabi::detail {

/// Reads the decimal number that [begin, end) starts with; where it stops, which is `begin` when there is none, and when it
/// does not fit.
template <class = void>
const char* read_number(const char* begin, const char* end, std::uint64_t& number) noexcept {
    const char* at = begin;
    std::uint64_t value = 0;
    for (; at != end && *at >= '0' && *at <= '9'; ++at) {
        const auto digit = static_cast<std::uint64_t>(*at - '0');
        if (value > (~std::uint64_t{0} - digit) / 10) return begin;
        value = value * 10 + digit;
    }
    if (at != begin) number = value;
    return at;
}

/// One line of the driver's log: `[time][thread][component][level] text`, whatever of the brackets is there.
struct log_line {
    const char* text = nullptr;
    std::size_t length = 0;
    std::uint64_t thread = 0; ///< 0 when the line has no number in its second bracket
    bool prefixed = false;    ///< false for the further lines of a message that holds newlines
    bool warning = false;     ///< its fourth bracket is W: not about a call that failed

    /// The driver ends what it has to say about a call with `Returning N (NAME) from cuX`. The status, or -1.
    long returned() const noexcept {
        constexpr char words[] = "Returning ";
        constexpr std::size_t count = sizeof words - 1;
        if (length <= count) return -1;
        for (std::size_t i = 0; i < count; ++i)
            if (text[i] != words[i]) return -1;
        std::uint64_t number = 0;
        return read_number(text + count, text + length, number) != text + count ? static_cast<long>(number) : -1;
    }
};

/// Takes the line [begin, end) apart.
template <class = void>
log_line parse_log_line(const char* begin, const char* end) noexcept {
    log_line line;
    for (int bracket = 0; bracket < 4 && begin != end && *begin == '['; ++bracket) {
        const char* close = begin + 1;
        while (close != end && *close != ']') ++close;
        if (close == end) break;
        if (bracket == 1) {
            std::uint64_t number = 0;
            if (close != begin + 1 && read_number(begin + 1, close, number) == close) line.thread = number;
        }
        if (bracket == 3) line.warning = close - begin == 2 && begin[1] == 'W';
        line.prefixed = true;
        begin = close + 1;
    }
    while (begin != end && (*begin == ' ' || *begin == '\t')) ++begin;
    while (end != begin && (end[-1] == ' ' || end[-1] == '\r' || end[-1] == '\0')) --end;
    line.text = begin;
    line.length = static_cast<std::size_t>(end - begin);
    return line;
}

/// What the driver's log calls the calling thread: pthread_self() as a decimal number (seen with driver 580, CUDA 13.0).
template <class = void>
std::uint64_t log_thread() noexcept {
#if defined(_WIN32)
    return ::GetCurrentThreadId();
#else
    return (std::uint64_t)::pthread_self(); // an integer on one platform, a pointer on another
#endif
}

/// What the log [begin, end) says of this thread's newest failing call, if that returned `wanted`; messages joined by "; ".
template <class = void>
std::string newest_explanation(const char* begin, const char* end, driver::status wanted, std::uint64_t thread) {
    std::string gathered; // of the call being read
    std::string result;   // of the newest complete one
    bool ours = false;
    while (begin != end) {
        const char* stop = begin;
        while (stop != end && *stop != '\n') ++stop;
        const log_line line = parse_log_line(begin, stop);
        begin = stop == end ? end : stop + 1;
        if (line.length == 0) continue;
        if (!line.prefixed) {
            if (ours && !gathered.empty()) gathered.append(" ").append(line.text, line.length);
            continue;
        }
        ours = !line.warning && (line.thread == 0 || line.thread == thread);
        if (!ours) continue;
        if (const long number = line.returned(); number >= 0) {
            result.clear();
            if (number == static_cast<long>(static_cast<unsigned>(wanted))) result.swap(gathered);
            gathered.clear();
        } else {
            if (!gathered.empty()) gathered += "; ";
            gathered.append(line.text, line.length);
            // A hint for whoever called the driver, of no use to whoever called the library: it passes those buffers itself.
            if (const std::size_t hint = gathered.find(", to get more information when using CUDA Driver APIs"); hint != std::string::npos)
                gathered.resize(hint);
        }
    }
    return result;
}

/// How much the driver's log can hold, and a little more for the terminating NUL.
inline constexpr std::size_t log_capacity = 25600 + 64;

template <class = void>
std::string dump_explanation(const driver::table& driver, driver::status wanted, driver::log_iterator* from) noexcept {
    if (driver.logs_dump_to_memory == nullptr) return {};
    BOOST_TRY {
        std::string buffer(log_capacity, '\0');
        std::size_t size = log_capacity - 64;
        if (driver.logs_dump_to_memory(from, buffer.data(), &size, 0) != driver::status::success || size > log_capacity) return {};
        return newest_explanation(buffer.data(), buffer.data() + size, wanted, log_thread());
    }
    BOOST_CATCH(...) {}
    BOOST_CATCH_END
    return {};
}

} // namespace hanabi::detail

namespace hanabi::driver {

/// A place in the driver's log. What failed before it, in calls that were only trying, is not taken for an explanation.
struct log_mark {
    log_iterator position = 0;
    bool valid = false;
};

/// The log's end as it is now (cuLogsCurrent, CUDA 12.9); no mark from drivers without a log. Any thread.
template <class = void>
log_mark mark_log(const table& driver) noexcept {
    log_mark mark;
    if (driver.logs_current != nullptr) mark.valid = driver.logs_current(&mark.position, 0) == status::success;
    return mark;
}

/// The driver's own words on the calling thread's newest failing call, which returned `s`: "Grid Dimension Y of 65536
/// exceeds maximum value of 65535". Drivers have them since CUDA 12.9. Empty when the driver keeps no log, wrote nothing,
/// or its newest entry of this thread is about another status. To be asked for right after the call. Any thread.
template <class = void>
std::string explanation(const table& driver, status s) noexcept {
    return hanabi::detail::dump_explanation(driver, s, nullptr);
}

/// The same, of what was written after the mark.
template <class = void>
std::string explanation_since(const table& driver, status s, log_mark mark) noexcept {
    return hanabi::detail::dump_explanation(driver, s, mark.valid ? &mark.position : nullptr);
}

} // namespace hanabi::driver

#endif
