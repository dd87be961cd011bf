// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The record policy, for tests: keeps what it sees of each launch.

#ifndef HANABI_PROFILE_RECORD_HPP
#define HANABI_PROFILE_RECORD_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/format.hpp>
#include <hanabi/launch_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

namespace hanabi::profile {

/// A launch as a policy saw it, copied whole.
struct seen_launch {
    const descriptor* kernel = nullptr;
    launch_shape shape;
    unsigned terms = 0;
    driver::stream_handle stream = nullptr;
    std::vector<std::byte> arguments;
    std::error_code status;

    launch_view view() const noexcept { return {*kernel, shape, terms, stream, nullptr, arguments.data()}; }
    /// Parameter number `i`, from 0, as a T; a T{} when there is none of that size.
    template <class T>
    T argument(std::size_t i) const noexcept {
        T value{};
        if (i < kernel->arity && kernel->parameters[i].size == sizeof value)
            std::memcpy(&value, arguments.data() + kernel->parameters[i].offset, sizeof value);
        return value;
    }
    /// As to_string(launch_view), and the failure.
    friend std::string to_string(const seen_launch& l) {
        return hanabi::to_string(l.view()) + (l.status ? ": " + l.status.message() : std::string{});
    }
    friend std::ostream& operator<<(std::ostream& out, const seen_launch& l) { return out << to_string(l); }
};

/// What the record policy keeps. Any thread.
class recording {
  public:
    recording() = default;
    recording(const recording&) = delete;
    recording& operator=(const recording&) = delete;

    /// All launches so far, in the order in which they ended.
    std::vector<seen_launch> launches() const {
        const hanabi::detail::lock held{mutex_};
        return launches_;
    }
    std::size_t size() const noexcept {
        const hanabi::detail::lock held{mutex_};
        return launches_.size();
    }
    /// Launches that there was no memory for.
    std::size_t lost() const noexcept {
        const hanabi::detail::lock held{mutex_};
        return lost_;
    }
    void clear() noexcept {
        const hanabi::detail::lock held{mutex_};
        launches_.clear();
        lost_ = 0;
    }

  private:
    friend class record;

    void add(const launch_view& view, const std::error_code& status) {
        seen_launch l{&view.kernel, view.shape, view.terms, view.stream, {}, status};
        if (const unsigned arity = view.kernel.arity; arity != 0) {
            const parameter& last = view.kernel.parameters[arity - 1];
            l.arguments.assign(view.arguments, view.arguments + last.offset + last.size);
        }
        launches_.push_back(std::move(l));
    }

    mutable hanabi::detail::mutex mutex_;
    std::vector<seen_launch> launches_;
    std::size_t lost_ = 0;
};

/// Keeps each launch in a recording, which must outlive the dispatchers. Allocates at each launch: for tests.
class record {
  public:
    explicit record(recording& into) noexcept : into_{&into} {}
    explicit record(recording&&) = delete; // it would be gone before the first launch

    void before(const launch_view&) const noexcept {}
    void after(const launch_view& view, const std::error_code& status) const noexcept {
        const hanabi::detail::lock held{into_->mutex_};
#if defined(__cpp_exceptions)
        try {
            into_->add(view, status);
        } catch (...) {
            ++into_->lost_;
        }
#else
        into_->add(view, status);
#endif
    }

  private:
    recording* into_;
};

} // namespace hanabi::profile

#endif
