// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the library does otherwise while a thread captures: it allocates and loads in relaxed mode, and lets nothing go that
/// the captured work may use.

#ifndef HANABI_DETAIL_CAPTURE_SCOPE_HPP
#define HANABI_DETAIL_CAPTURE_SCOPE_HPP

#include <hanabi/config.hpp>
#include <hanabi/driver/table.hpp>

#include <new>
#include <utility>

namespace hanabi::detail {

/// Something that was to be given up during a capture, and is given up by its destructor.
struct keepsake {
    keepsake* next = nullptr;

    keepsake() = default;
    keepsake(const keepsake&) = delete;
    keepsake& operator=(const keepsake&) = delete;
    virtual ~keepsake() = default;
};

struct open_capture;
/// The newest capture of the calling thread; null while it captures nothing.
HANABI_SHARED inline constinit thread_local open_capture* innermost_capture = nullptr;

/// Keepsakes with an owner: given up, the newest first, with it; or handed on to a capture that is open there.
class keepsakes {
  public:
    keepsakes() noexcept = default;
    keepsakes(keepsakes&& other) noexcept : first_{std::exchange(other.first_, nullptr)} {}
    keepsakes& operator=(keepsakes&& other) noexcept {
        std::swap(first_, other.first_);
        return *this;
    }
    ~keepsakes() { clear(); }

    void add(keepsake* kept) noexcept {
        kept->next = first_;
        first_ = kept;
    }
    inline void clear() noexcept;
    bool empty() const noexcept { return first_ == nullptr; }

  private:
    keepsake* first_ = nullptr;
};

/// A capture of the library's own that this thread has begun and not ended.
struct open_capture {
    keepsakes kept;
    open_capture* outer = nullptr; ///< begun before, on another stream
};

inline void keepsakes::clear() noexcept {
    while (first_ != nullptr) {
        keepsake* const one = first_;
        first_ = one->next;
        if (innermost_capture != nullptr && &innermost_capture->kept != this)
            innermost_capture->kept.add(one); // giving it up would break that one, too
        else
            delete one;
    }
}

/// While a capture of this thread is open, keeps `give_up` (a callable, moved) to be called once the captured graph has gone, and
/// says true. Else, or where there is no memory for it, says false, and the caller gives up at once.
template <class F>
bool keep_for_capture(F give_up) noexcept {
    if (innermost_capture == nullptr) [[likely]]
        return false;
    struct kept final : keepsake {
        F give_up;
        explicit kept(F&& f) : give_up{std::move(f)} {}
        ~kept() override { give_up(); }
    };
    kept* const made = new (std::nothrow) kept{std::move(give_up)};
    if (made == nullptr) return false;
    innermost_capture->kept.add(made);
    return true;
}

/// While it lives, and a capture of this thread is open, the driver lets the thread make calls that are unsafe in captures:
/// allocate, free, load. They take no part in the capture. Costs nothing outside of captures.
class relaxed_capture {
  public:
    explicit relaxed_capture(const driver::table& driver) noexcept {
        if (innermost_capture == nullptr || driver.thread_exchange_stream_capture_mode == nullptr) return;
        if (driver.thread_exchange_stream_capture_mode(&mode_) == driver::status::success) driver_ = &driver;
    }
    ~relaxed_capture() {
        if (driver_ != nullptr) static_cast<void>(driver_->thread_exchange_stream_capture_mode(&mode_));
    }
    relaxed_capture(const relaxed_capture&) = delete;
    relaxed_capture& operator=(const relaxed_capture&) = delete;

  private:
    const driver::table* driver_ = nullptr;
    driver::capture_mode mode_ = driver::capture_mode::relaxed;
};

} // namespace hanabi::detail

#endif
