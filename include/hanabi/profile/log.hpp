// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The log policy: a line for each launch.

#ifndef HANABI_PROFILE_LOG_HPP
#define HANABI_PROFILE_LOG_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/format.hpp>
#include <hanabi/launch_view.hpp>

#include <concepts>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>

namespace hanabi::detail {

/// Lines of several threads go to streams one after the other.
HANABI_SHARED inline detail::mutex log_mutex;

template <class F>
concept takes_lines = requires(F& f, std::string_view line) {
    f(line);
}
&&!std::derived_from<F, std::ostream>;

/// `blas::axpy(alpha=2, n=1024) at solver.cpp:88, grid (4, 1, 1), block (256, 1, 1), 0 bytes, stream 0x1: launched`.
inline std::string launch_line(const launch_view& view, const std::error_code& status) {
    char text[200];
    std::snprintf(text, sizeof text, ", grid (%llu, %llu, %llu), block (%llu, %llu, %llu), %llu bytes of shared memory, stream %p: ",
                  static_cast<unsigned long long>(view.grid(0)), static_cast<unsigned long long>(view.grid(1)),
                  static_cast<unsigned long long>(view.grid(2)), static_cast<unsigned long long>(view.block(0)),
                  static_cast<unsigned long long>(view.block(1)), static_cast<unsigned long long>(view.block(2)),
                  static_cast<unsigned long long>(view.shape.shared), static_cast<void*>(view.stream));
    std::string line = to_string(view) + text;
    return line += status ? "failed, " + status.message() : std::string{"launched"};
}

} // namespace hanabi::detail

namespace hanabi::profile {

/// Tells each launch in a line, once it is made or refused, to a stream or to a function that takes a std::string_view. For
/// looking on: here, and in no other policy, a string is built for each launch. What the stream or the function throws is
/// dropped, as is the line where memory runs out. A function is called on the launching threads, several at once. Stream and
/// function must outlive the dispatchers.
class log {
  public:
    explicit log(std::ostream& out) noexcept
        : object_{&out}, write_{[](void* o, std::string_view line) {
              const hanabi::detail::lock held{hanabi::detail::log_mutex};
              std::ostream& stream = *static_cast<std::ostream*>(o);
              stream.write(line.data(), static_cast<std::streamsize>(line.size())).put('\n');
          }} {}
    template <hanabi::detail::takes_lines F>
    explicit log(F& function) noexcept : object_{&function}, write_{[](void* o, std::string_view line) { (*static_cast<F*>(o))(line); }} {}
    explicit log(std::ostream&&) = delete; // it would be gone before the first launch
    template <hanabi::detail::takes_lines F>
    requires(!std::is_lvalue_reference_v<F> && !std::is_const_v<F>) explicit log(F&&) = delete;

    void before(const launch_view&) const noexcept {}
    void after(const launch_view& view, const std::error_code& status) const noexcept {
#if defined(__cpp_exceptions)
        try {
            write(view, status);
        } catch (...) {
        }
#else
        write(view, status);
#endif
    }

  private:
    HANABI_COLD void write(const launch_view& view, const std::error_code& status) const {
        write_(object_, hanabi::detail::launch_line(view, status));
    }

    void* object_;
    void (*write_)(void*, std::string_view);
};

} // namespace hanabi::profile

#endif
