// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host driver's log: the newest 100 explanations of failed calls, read with cuLogsCurrent and cuLogsDumpToMemory as
/// a driver's own from 12.9 on.

#ifndef HANABI_HOST_LOG_HPP
#define HANABI_HOST_LOG_HPP

#include <hanabi/config.hpp>
#include <hanabi/driver/log.hpp>
#include <hanabi/driver/status.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hanabi::host::detail {

inline std::string piece(const char* s) { return s == nullptr ? "(null)" : s; }
inline std::string piece(std::string s) { return s; }
inline std::string piece(std::string_view s) { return std::string{s}; }
inline std::string piece(const void* p) {
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(p)));
    return buffer;
}
template <class T>
requires std::is_arithmetic_v<T> std::string piece(T number) { return std::to_string(number); }

/// The pieces one after the other: text, numbers, pointers as 0x….
template <class... T>
std::string say(const T&... pieces) {
    std::string text;
    ((text += piece(pieces)), ...);
    return text;
}

/// An address in the way the messages have it.
inline std::string address_text(unsigned long long address) {
    return piece(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(address)));
}

/// A ring of lines. Its lock is a leaf: it may be taken under every other lock of the host driver, and nothing is taken
/// under it.
class log {
  public:
    static constexpr std::size_t capacity = 100;

    /// Adds `[HH:MM:SS.mmm][thread][CUDA][E] text`.
    void write(std::string_view text) {
        const auto now = std::chrono::system_clock::now();
        const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
        const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
        std::tm parts{};
#if defined(_WIN32)
        localtime_s(&parts, &seconds);
#else
        localtime_r(&seconds, &parts);
#endif
        char stamp[32];
        std::snprintf(stamp, sizeof stamp, "[%02d:%02d:%02d.%03d]", parts.tm_hour, parts.tm_min, parts.tm_sec,
                      static_cast<int>(milliseconds));
        std::string line = say(stamp, "[", hanabi::detail::log_thread(), "][CUDA][E] ", text);
        for (char& c : line)
            if (c == '\n' || c == '\0') c = ' '; // one entry, one line
        const std::lock_guard lock{mutex_};
        lines_.push_back(std::move(line));
        ++end_;
        if (lines_.size() > capacity) lines_.pop_front();
    }

    /// The number the next line will have.
    unsigned end() const {
        const std::lock_guard lock{mutex_};
        return end_;
    }

    /// How many lines there are.
    std::size_t kept() const {
        const std::lock_guard lock{mutex_};
        return lines_.size();
    }

    /// The newest lines from number `from` on that fit into `room` bytes, each ended by '\n'; a first line tells that
    /// older ones are missing. `from` becomes end(). Nothing where there is something to tell and not one line fits.
    std::pair<bool, std::string> dump(unsigned& from, std::size_t room) const {
        static constexpr std::string_view truncated = "Older log entries are missing here\n"; // no brackets, as a driver's
        const std::lock_guard lock{mutex_};
        const auto first = end_ - static_cast<unsigned>(lines_.size());
        bool missing = false;
        if (from - first > end_ - first) {
            from = first;
            missing = true;
        }
        std::size_t index = from - first;
        std::size_t bytes = 0;
        for (std::size_t i = index; i < lines_.size(); ++i) bytes += lines_[i].size() + 1;
        while (index < lines_.size() && bytes + (missing ? truncated.size() : 0) > room) {
            bytes -= lines_[index].size() + 1;
            ++index;
            missing = true;
        }
        std::string text;
        const bool anything = from != end_;
        if (index < lines_.size()) {
            if (missing) text += truncated;
            for (; index < lines_.size(); ++index) {
                text += lines_[index];
                text += '\n';
            }
        }
        from = end_;
        return {!anything || !text.empty(), std::move(text)};
    }

    void clear() {
        const std::lock_guard lock{mutex_};
        lines_.clear(); // numbers go on, so that iterators taken before stay valid
    }

  private:
    mutable std::mutex mutex_;
    std::deque<std::string> lines_;
    unsigned end_ = 0;
};

} // namespace hanabi::host::detail

#endif
