// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// current_context: a context made current for the length of a scope, around one's own driver calls.

#ifndef HANABI_CURRENT_HPP
#define HANABI_CURRENT_HPP

#include <hanabi/config.hpp>
#include <hanabi/context.hpp>

#include <string>
#include <system_error>
#include <utility>

namespace hanabi {

/// Makes a context current to the calling thread, and puts back what was current (or nothing) when it goes out of scope,
/// by exception too. The library's operations do this by themselves: it is for raw driver or CUDA runtime calls. Scopes
/// nest. Belongs to the thread that made it; can't be copied or moved.
class current_context {
  public:
    /// Errors: the driver's; errc::context_lost, errc::forked_process.
    explicit current_context(const context& c) : context_{c}, scope_{*context_.state()} {
        if (scope_.status() == driver::status::success) return;
        std::string words;
        const std::error_code code =
            detail::driver_failed(*context_.state(), scope_.status(), &words, "hanabi::current_context: making a context current");
        detail::raise(code, std::move(words));
    }
    current_context(const current_context&) = delete;
    current_context& operator=(const current_context&) = delete;

  private:
    context context_; // keeps what scope_ refers to
    detail::current_scope scope_;
};

} // namespace hanabi

#endif
