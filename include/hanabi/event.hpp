// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// event: a mark in a stream's work, to wait for and to measure time with.

#ifndef HANABI_EVENT_HPP
#define HANABI_EVENT_HPP

#include <hanabi/config.hpp>
#include <hanabi/context.hpp>
#include <hanabi/driver_error.hpp>

#include <compare>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi {

class stream;

/// How an event is made.
struct event_options {
    bool timing = true;         ///< can measure; without, waiting for it costs less
    bool blocking_sync = false; ///< synchronize() lets the thread sleep instead of spinning
};

/// Time between two events, in milliseconds; the driver's resolution is about half a microsecond. It becomes any
/// std::chrono::duration whose count is a floating-point number, as std::chrono::duration<float, std::milli> would; it is
/// none, because <chrono> alone costs a source as much to compile as the whole of event, context and stream.
class event_duration {
  public:
    using rep = float;

    constexpr event_duration() noexcept = default;
    constexpr explicit event_duration(float milliseconds) noexcept : count_{milliseconds} {}

    /// Milliseconds.
    constexpr float count() const noexcept { return count_; }

    template <class Duration>
    requires std::is_floating_point_v<typename Duration::rep>
    constexpr operator Duration() const noexcept {
        using value = typename Duration::rep;
        using period = typename Duration::period;
        return Duration{static_cast<value>(count_) * static_cast<value>(period::den) / (static_cast<value>(period::num) * 1000)};
    }

    friend constexpr bool operator==(event_duration a, event_duration b) noexcept { return a.count_ == b.count_; }
    friend constexpr auto operator<=>(event_duration a, event_duration b) noexcept { return a.count_ <=> b.count_; }

  private:
    float count_ = 0;
};

class event;

/// From one mark to the other. Both must have been recorded, with timing, and reached (synchronize() on the later
/// one first). Errors: errc::invalid_argument for an event without timing or never recorded, errc::wrong_context, the
/// driver's, not_ready (600) among them.
template <class = void>
event_duration elapsed(const event& start, const event& stop);
template <class = void>
event_duration elapsed(const event& start, const event& stop, std::error_code& code) noexcept;

/// A mark in a stream (CUevent), reached once all work queued there before it is done. Move-only owner; a moved-from one
/// refuses use with errc::invalid_argument. record() is not to run beside other uses of the same event; else any thread.
class event {
  public:
    /// Errors: the driver's.
    template <class = void>
    explicit event(const hanabi::context& in, event_options options = {}) : context_{in.state()}, timing_{options.timing} {
        std::string words;
        detail::raise_if(create(options, &words), words);
    }
    event(event&& other) noexcept
        : context_{std::move(other.context_)},
          handle_{std::exchange(other.handle_, nullptr)},
          timing_{other.timing_},
          recorded_{other.recorded_} {}
    event& operator=(event&& other) noexcept {
        event dying{std::move(*this)};
        context_ = std::move(other.context_);
        handle_ = std::exchange(other.handle_, nullptr);
        timing_ = other.timing_;
        recorded_ = other.recorded_;
        return *this;
    }
    /// Waits for nothing: the driver keeps what waits for the event alive.
    ~event() {
        if (handle_ != nullptr)
            detail::tear_down(*context_, "destroying an event", [this] { return context_->driver->event_destroy(handle_); });
    }

    /// The driver's handle; null when moved from.
    driver::event_handle handle() const noexcept { return handle_; }
    /// For the library's own use: a graph records it, each time it is launched.
    void recorded_by_graph() noexcept { recorded_ = true; }
    /// Where it was made.
    template <class = void>
    hanabi::context context() const {
        std::string words;
        detail::raise_if(usable(&words, "hanabi::event::context"), words);
        return hanabi::context{context_};
    }
    /// Whether it can measure.
    bool has_timing() const noexcept { return timing_; }

    /// Puts the mark behind everything queued on the stream by now; an earlier mark is forgotten. Errors:
    /// errc::wrong_context for a stream of another context.
    template <class = void>
    void record(const stream& on);
    template <class = void>
    void record(const stream& on, std::error_code& code) noexcept;
    /// The same on a raw stream of this event's context.
    template <class = void>
    void record(driver::stream_handle on) {
        std::string words;
        detail::raise_if(record_on(on, &words), words);
    }
    template <class = void>
    void record(driver::stream_handle on, std::error_code& code) noexcept {
        code = record_on(on, nullptr);
    }

    /// Blocks until the mark is reached; at once for an event never recorded.
    template <class = void>
    void synchronize() const {
        std::string words;
        detail::raise_if(wait(&words), words);
    }
    template <class = void>
    void synchronize(std::error_code& code) const noexcept {
        code = wait(nullptr);
    }

    /// Whether the mark has been reached; true for an event never recorded. Does not block.
    template <class = void>
    bool done() const {
        std::string words;
        bool reached = false;
        detail::raise_if(query(reached, &words), words);
        return reached;
    }
    template <class = void>
    bool done(std::error_code& code) const noexcept {
        bool reached = false;
        code = query(reached, nullptr);
        return reached;
    }

    template <class>
    friend event_duration elapsed(const event& start, const event& stop);
    template <class>
    friend event_duration elapsed(const event& start, const event& stop, std::error_code& code) noexcept;

  private:
    friend class stream;

    template <class = void>
    std::error_code create(event_options options, std::string* words) {
        const detail::current_scope scope{*context_};
        driver::status status = scope.status();
        driver::event_handle made = nullptr;
        if (status == driver::status::success)
            status = context_->driver->event_create(&made, (options.timing ? 0u : driver::event_flags::disable_timing) |
                                                               (options.blocking_sync ? driver::event_flags::blocking_sync : 0u));
        if (status != driver::status::success) return detail::driver_failed(*context_, status, words, "hanabi::event: making an event");
        handle_ = made;
        return {};
    }
    template <class = void>
    std::error_code usable(std::string* words, const char* operation) const {
        if (handle_ != nullptr) return {};
        return detail::refused(errc::invalid_argument, words, [&] { return std::string{operation} + ": the event was moved from"; });
    }
    template <class = void>
    std::error_code record_on(driver::stream_handle on, std::string* words) {
        constexpr const char* operation = "hanabi::event::record";
        if (const std::error_code code = usable(words, operation)) return code;
        const detail::current_scope scope{*context_};
        driver::status status = scope.status();
        if (status == driver::status::success) status = context_->driver->event_record(handle_, on);
        if (status != driver::status::success) return detail::driver_failed(*context_, status, words, operation);
        recorded_ = true;
        return {};
    }
    template <class = void>
    std::error_code wait(std::string* words) const {
        constexpr const char* operation = "hanabi::event::synchronize";
        if (const std::error_code code = usable(words, operation)) return code;
        const detail::current_scope scope{*context_};
        driver::status status = scope.status();
        if (status == driver::status::success) status = context_->driver->event_synchronize(handle_);
        return status == driver::status::success ? std::error_code{} : detail::driver_failed(*context_, status, words, operation);
    }
    template <class = void>
    std::error_code query(bool& reached, std::string* words) const {
        constexpr const char* operation = "hanabi::event::done";
        if (const std::error_code code = usable(words, operation)) return code;
        const detail::current_scope scope{*context_};
        driver::status status = scope.status();
        if (status == driver::status::success) status = context_->driver->event_query(handle_);
        reached = status == driver::status::success;
        return reached || status == driver::status::not_ready ? std::error_code{}
                                                              : detail::driver_failed(*context_, status, words, operation);
    }
    template <class = void>
    static std::error_code between(const event& start, const event& stop, event_duration& time, std::string* words) {
        constexpr const char* operation = "hanabi::elapsed";
        if (const std::error_code code = start.usable(words, operation)) return code;
        if (const std::error_code code = stop.usable(words, operation)) return code;
        const auto refuse = [&](const char* which, const char* why) {
            return detail::refused(errc::invalid_argument, words,
                                   [&] { return std::string{operation} + ": the " + which + " event " + why; });
        };
        if (!start.timing_) return refuse("first", "was made without timing; make it with event_options{.timing = true}");
        if (!stop.timing_) return refuse("second", "was made without timing; make it with event_options{.timing = true}");
        if (!start.recorded_) return refuse("first", "was never recorded");
        if (!stop.recorded_) return refuse("second", "was never recorded");
        if (!(hanabi::context{start.context_} == hanabi::context{stop.context_}))
            return detail::refused(errc::wrong_context, words, [&] {
                return std::string{operation} + ": the first event is of a context of device " + std::to_string(start.context_->ordinal) +
                       ", the second of another, of device " + std::to_string(stop.context_->ordinal);
            });
        const detail::current_scope scope{*start.context_};
        float milliseconds = 0;
        driver::status status = scope.status();
        if (status == driver::status::success)
            status = start.context_->driver->event_elapsed_time(&milliseconds, start.handle_, stop.handle_);
        if (status == driver::status::not_ready)
            return detail::driver_failed(*start.context_, status, words,
                                         "hanabi::elapsed: an event is not reached yet; synchronize() with the later one first");
        if (status != driver::status::success) return detail::driver_failed(*start.context_, status, words, operation);
        time = event_duration{milliseconds};
        return {};
    }

    detail::shared<detail::context_state> context_;
    driver::event_handle handle_ = nullptr;
    bool timing_ = true;
    bool recorded_ = false;
};

template <class>
event_duration elapsed(const event& start, const event& stop) {
    std::string words;
    event_duration time{};
    detail::raise_if(event::between(start, stop, time, &words), words);
    return time;
}
template <class>
event_duration elapsed(const event& start, const event& stop, std::error_code& code) noexcept {
    event_duration time{};
    code = event::between(start, stop, time, nullptr);
    return time;
}

} // namespace hanabi

#endif
