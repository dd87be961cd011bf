// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// stream: a queue of device work, owned or adopted.

#ifndef HANABI_STREAM_HPP
#define HANABI_STREAM_HPP

#include <hanabi/config.hpp>
#include <hanabi/context.hpp>
#include <hanabi/detail/stream_state.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/event.hpp>

#include <string>
#include <system_error>
#include <utility>

namespace hanabi {

/// How a stream is made.
struct stream_options {
    int priority = 0;      ///< lower runs first; the driver brings it into context::stream_priority_range()
    bool blocking = false; ///< true: ordered with the legacy default stream, as CUDA's own default is
};

/// A queue of work, done in order (CUstream). Move-only; a moved-from one refuses use with errc::invalid_argument. Buffers
/// allocated on a stream keep it alive. Any thread, but for assignment and move.
class stream {
  public:
    /// A stream of the context's own making, destroyed by this object once its work is done; the destructor waits for
    /// nothing. Errors: the driver's.
    template <class = void>
    explicit stream(const hanabi::context& in, stream_options options = {})
        : state_{detail::shared<detail::stream_state>::make(in.state(), nullptr)} {
        std::string words;
        detail::raise_if(create(options, &words), words);
    }
    stream(stream&&) noexcept = default;
    stream& operator=(stream&&) noexcept = default;

    /// Somebody else's stream of the context; never destroyed here, and it must outlive this object and the buffers
    /// allocated on it. Null is the context's legacy default stream; CU_STREAM_LEGACY and CU_STREAM_PER_THREAD pass too.
    /// Errors: errc::wrong_context for a stream of another context, where the driver can tell (CUDA 9.2).
    template <class = void>
    static stream adopt(const hanabi::context& in, driver::stream_handle foreign) {
        std::string words;
        detail::raise_if(detail::check_stream(*in.state(), foreign, &words, "hanabi::stream::adopt"), words);
        return stream{detail::shared<detail::stream_state>::make(in.state(), foreign)};
    }
    /// The stream that the context owns, as an object.
    template <class = void>
    static stream own(const hanabi::context& in) {
        return stream{detail::shared<detail::stream_state>::make(in.state(), in.stream())};
    }

    /// The driver's handle.
    template <class = void>
    driver::stream_handle handle() const {
        return need("hanabi::stream::handle").handle;
    }
    template <class = void>
    hanabi::context context() const {
        return hanabi::context{need("hanabi::stream::context").context};
    }

    /// The priority that it has: what was asked for, brought into the device's range.
    template <class = void>
    int priority() const {
        int value = 0;
        run("hanabi::stream::priority",
            [&](const driver::table& table, driver::stream_handle raw) { return table.stream_get_priority(raw, &value); });
        return value;
    }
    /// Whether it is ordered with the legacy default stream.
    template <class = void>
    bool blocking() const {
        unsigned flags = 0;
        run("hanabi::stream::blocking",
            [&](const driver::table& table, driver::stream_handle raw) { return table.stream_get_flags(raw, &flags); });
        return (flags & driver::stream_flags::non_blocking) == 0;
    }

    /// Blocks until all work queued on it is done. Errors: the driver's, those of earlier launches among them.
    template <class = void>
    void synchronize() const {
        run("hanabi::stream::synchronize", synchronizing);
    }
    template <class = void>
    void synchronize(std::error_code& code) const noexcept {
        code = attempt("", synchronizing, nullptr);
    }

    /// Whether all work queued on it is done. Does not block.
    template <class = void>
    bool done() const {
        std::string words;
        bool idle = false;
        detail::raise_if(query(idle, &words), words);
        return idle;
    }
    template <class = void>
    bool done(std::error_code& code) const noexcept {
        bool idle = false;
        code = query(idle, nullptr);
        return idle;
    }

    /// Orders later work on this stream after the event's mark as it is now. The event may be of another context or
    /// device. The host does not block.
    template <class = void>
    void wait(const event& mark) {
        std::string words;
        detail::raise_if(wait_for(mark, &words), words);
    }
    template <class = void>
    void wait(const event& mark, std::error_code& code) noexcept {
        code = wait_for(mark, nullptr);
    }

    /// Orders later work on this stream after everything queued on the other one by now.
    template <class = void>
    void wait(const stream& other) {
        event mark{other.context(), {.timing = false}};
        mark.record(other);
        wait(mark);
    }

    /// Marks, by the event, what is queued on this stream by now: event::record.
    template <class = void>
    void record(event& mark) const {
        mark.record(*this);
    }

    /// Calls function(user_data) on a thread of the driver once the work queued before is done; later work waits for it.
    /// It must not call CUDA or throw; after a failure of earlier work it is never called, so it must not be the only one
    /// to free or signal anything. user_data must live until then.
    template <class = void>
    void call(driver::host_function function, void* user_data) {
        if (function == nullptr) detail::raise(errc::invalid_argument, "hanabi::stream::call: a null function");
        run("hanabi::stream::call",
            [&](const driver::table& table, driver::stream_handle raw) { return table.launch_host_func(raw, function, user_data); });
    }

    /// True for one stream of one context.
    friend bool operator==(const stream& a, const stream& b) noexcept {
        if (a.state_ == b.state_) return true;
        return a.state_ != nullptr && b.state_ != nullptr && a.state_->handle == b.state_->handle &&
               hanabi::context{a.state_->context} == hanabi::context{b.state_->context};
    }

    /// For the library's own use; null when moved from.
    const detail::shared<detail::stream_state>& state() const noexcept { return state_; }

  private:
    friend class event;

    explicit stream(detail::shared<detail::stream_state> state) noexcept : state_{std::move(state)} {}

    static driver::status synchronizing(const driver::table& table, driver::stream_handle raw) noexcept {
        return table.stream_synchronize(raw);
    }
    template <class = void>
    std::error_code create(stream_options options, std::string* words) {
        const detail::context_state& context = *state_->context;
        const detail::current_scope scope{context};
        driver::status status = scope.status();
        const detail::relaxed_capture relaxed{*context.driver};
        driver::stream_handle made = nullptr;
        if (status == driver::status::success)
            status = context.driver->stream_create_with_priority(
                &made, options.blocking ? driver::stream_flags::blocking : driver::stream_flags::non_blocking, options.priority);
        if (status != driver::status::success)
            return detail::driver_failed(context, status, words, [&] {
                return "hanabi::stream: making a stream of priority " + std::to_string(options.priority) + " on device " +
                       std::to_string(context.ordinal);
            });
        state_->handle = made;
        state_->owned = true;
        return {};
    }
    template <class = void>
    static std::error_code moved_from(const char* operation, std::string* words) {
        return detail::refused(errc::invalid_argument, words, [&] { return std::string{operation} + ": the stream was moved from"; });
    }
    template <class = void>
    const detail::stream_state& need(const char* operation) const {
        std::string words;
        if (state_ == nullptr) detail::raise_if(moved_from(operation, &words), words);
        return *state_;
    }
    template <class Work>
    std::error_code attempt(const char* operation, Work work, std::string* words) const {
        if (state_ == nullptr) return moved_from(operation, words);
        const detail::context_state& context = *state_->context;
        const detail::current_scope scope{context};
        driver::status status = scope.status();
        if (status == driver::status::success) status = work(*context.driver, state_->handle);
        return status == driver::status::success ? std::error_code{} : detail::driver_failed(context, status, words, operation);
    }
    template <class Work>
    void run(const char* operation, Work work) const {
        std::string words;
        detail::raise_if(attempt(operation, work, &words), words);
    }
    template <class = void>
    std::error_code query(bool& idle, std::string* words) const {
        idle = false;
        return attempt(
            "hanabi::stream::done",
            [&idle](const driver::table& table, driver::stream_handle raw) {
                const driver::status status = table.stream_query(raw);
                idle = status == driver::status::success;
                return status == driver::status::not_ready ? driver::status::success : status;
            },
            words);
    }
    template <class = void>
    std::error_code wait_for(const event& mark, std::string* words) {
        constexpr const char* operation = "hanabi::stream::wait";
        if (const std::error_code code = mark.usable(words, operation)) return code;
        return attempt(
            operation,
            [&](const driver::table& table, driver::stream_handle raw) { return table.stream_wait_event(raw, mark.handle(), 0); }, words);
    }
    template <class = void>
    std::error_code record(event& mark, std::string* words) const {
        constexpr const char* operation = "hanabi::event::record";
        if (state_ == nullptr) return moved_from(operation, words);
        if (const std::error_code code = mark.usable(words, operation)) return code;
        if (!(hanabi::context{state_->context} == hanabi::context{mark.context_}))
            return detail::refused(errc::wrong_context, words, [&] {
                return std::string{operation} + ": the event is of a context of device " + std::to_string(mark.context_->ordinal) +
                       ", the stream of another, of device " + std::to_string(state_->context->ordinal);
            });
        return mark.record_on(state_->handle, words);
    }

    detail::shared<detail::stream_state> state_;
};

template <class>
void event::record(const stream& on) {
    std::string words;
    detail::raise_if(on.record(*this, &words), words);
}
template <class>
void event::record(const stream& on, std::error_code& code) noexcept {
    code = on.record(*this, nullptr);
}

/// Blocks until all work queued on a stream of the context is done; raw. Null is the legacy default stream.
template <class = void>
void stream_synchronize(const context& in, driver::stream_handle raw, std::error_code& code) noexcept {
    const detail::current_scope scope{*in.state()};
    driver::status status = scope.status();
    if (status == driver::status::success) status = in.table().stream_synchronize(raw);
    code = status == driver::status::success ? std::error_code{} : detail::driver_error_code(in.state().get(), status);
}
template <class = void>
void stream_synchronize(const context& in, driver::stream_handle raw) {
    const detail::current_scope scope{*in.state()};
    driver::status status = scope.status();
    if (status == driver::status::success) status = in.table().stream_synchronize(raw);
    if (status != driver::status::success) detail::raise(detail::driver_failure(*in.state(), status, "hanabi::stream_synchronize"));
}
/// The same of a stream object.
template <class = void>
void stream_synchronize(const stream& on) {
    on.synchronize();
}
template <class = void>
void stream_synchronize(const stream& on, std::error_code& code) noexcept {
    on.synchronize(code);
}

} // namespace hanabi

#endif
