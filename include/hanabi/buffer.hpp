// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// buffer: elements in device memory, owned.

#ifndef HANABI_BUFFER_HPP
#define HANABI_BUFFER_HPP

#include <hanabi/config.hpp>
#include <hanabi/context.hpp>
#include <hanabi/detail/allocation.hpp>
#include <hanabi/detail/count.hpp>
#include <hanabi/detail/host_range.hpp>
#include <hanabi/detail/transfer.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/device_span.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/stream.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace hanabi {

/// A share in the ownership of device memory, with which nothing can be done but keep it: the memory is freed with the last
/// of them and of the buffers. Copied, moved and compared as a std::shared_ptr.
using memory_owner = detail::shared<const detail::allocation>;

/// An array of T in device memory (uninitialised). T is trivially copyable. Move-only; a moved-from buffer has no
/// elements, and copies and fills of it refuse with errc::invalid_argument.
///
/// Order. A buffer belongs to a stream: the context's own, or the one given. Its memory is allocated and freed in the order
/// of that stream (from the device's memory pool where there is one, which costs no synchronisation), and the copies and
/// fills that name no stream are queued there and waited for. Work on another stream must be ordered behind the
/// allocation (stream::wait), or follow a copy or fill that was waited for; and before the buffer is destroyed either
/// that work is done, or the buffer's stream was made to wait for it, or last_used_on() named the stream. The destructor
/// waits for nothing where the memory came from a pool, and for the buffer's stream where not.
///
/// Threads: constant operations from any thread; changing ones, one at a time.
template <class T>
class buffer {
    static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>,
                  "hanabi::buffer<T>: T must be an object type without const or volatile");
    static_assert(std::is_trivially_copyable_v<T>, "hanabi::buffer<T>: T must be trivially copyable, it is copied to the device as bytes");

  public:
    using element_type = T;
    using value_type = T;

    /// `count` elements on the context's own stream. Any integer type; zero allocates nothing, and the address is null.
    /// Errors: errc::value_out_of_range for a negative count or more than memory can hold; the driver's, out_of_memory (2)
    /// among them.
    template <detail::counting Count>
    buffer(const hanabi::context& in, Count count) {
        std::string words;
        detail::raise_if(create(in.state(), nullptr, count, &words), words);
    }
    /// The same on a stream, which lives on as long as the buffer. Error too: errc::wrong_context for another context's.
    template <detail::counting Count>
    buffer(const hanabi::context& in, Count count, const stream& on) {
        std::string words;
        detail::raise_if(create_on(in.state(), on, count, &words), words);
    }
    /// The non-throwing twin: on an error, a buffer with no elements.
    template <detail::counting Count>
    static buffer make(const hanabi::context& in, Count count, std::error_code& code) {
        buffer made;
        code = made.create(in.state(), nullptr, count, nullptr);
        return made;
    }
    template <detail::counting Count>
    static buffer make(const hanabi::context& in, Count count, const stream& on, std::error_code& code) {
        buffer made;
        code = made.create_on(in.state(), on, count, nullptr);
        return made;
    }
    /// A buffer with a copy of a contiguous range's elements.
    template <detail::host_range Range>
    requires std::is_same_v<std::remove_cv_t<detail::host_element_t<Range>>, T>
    static buffer of(const hanabi::context& in, const Range& range) {
        buffer made{in, std::size(range)};
        made.copy_from(range);
        return made;
    }

    buffer(buffer&& other) noexcept
        : allocation_{std::move(other.allocation_)}, data_{std::exchange(other.data_, nullptr)}, size_{std::exchange(other.size_, 0)} {}
    buffer& operator=(buffer&& other) noexcept {
        allocation_ = std::move(other.allocation_);
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~buffer() = default;

    std::size_t size() const noexcept { return size_; }
    std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
    bool empty() const noexcept { return size_ == 0; }

    /// Where the first element lies; null without elements.
    device_ptr<T> data() noexcept { return device_ptr<T>{data_}; }
    device_ptr<const T> data() const noexcept { return device_ptr<const T>{data_}; }
    /// The same as a pointer, for raw calls; dereferencing it on the host is undefined.
    T* get() noexcept { return data_; }
    const T* get() const noexcept { return data_; }

    /// All elements, as a view that must not outlive the buffer.
    device_span<T> span() noexcept { return {data(), size_}; }
    device_span<const T> span() const noexcept { return {data(), size_}; }
    /// Some of them. Error: errc::value_out_of_range.
    template <detail::counting Offset, detail::counting Count>
    device_span<T> subspan(Offset offset, Count count) {
        return span().subspan(offset, count);
    }
    template <detail::counting Offset, detail::counting Count>
    device_span<const T> subspan(Offset offset, Count count) const {
        return span().subspan(offset, count);
    }

    /// Where it was made.
    hanabi::context context() const { return hanabi::context{need("hanabi::buffer::context").context}; }
    /// The stream that the buffer belongs to, raw.
    driver::stream_handle stream() const { return need("hanabi::buffer::stream").raw_stream(); }
    /// Shares the memory's ownership: it is not freed before the last share is gone. Null for a moved-from buffer.
    memory_owner keep_alive() const noexcept { return allocation_; }

    /// From now on the buffer belongs to this stream: freed in its order, copied on it. For buffers that work on another
    /// stream used last; that stream must come after the allocation. Errors: errc::wrong_context.
    void last_used_on(const hanabi::stream& on) {
        detail::allocation& memory = need("hanabi::buffer::last_used_on");
        std::string words;
        detail::raise_if(check_stream_of(memory, on, "hanabi::buffer::last_used_on", &words), words);
        memory.stream = on.state();
    }

    /// Copies as many elements as there are from a contiguous range of T on the host, or from device memory (a buffer of
    /// any context of the driver, a device_span of this one), and waits: the source may go afterwards, and every stream
    /// sees the elements. The source's own stream is waited for first. Errors: errc::size_mismatch, the driver's.
    template <class Source>
    void copy_from(const Source& source) {
        std::string words;
        detail::raise_if(take(source, nullptr, detail::completion::done, "hanabi::buffer::copy_from", &words), words);
    }
    template <class Source>
    void copy_from(const Source& source, std::error_code& code) noexcept {
        code = take(source, nullptr, detail::completion::done, "", nullptr);
    }
    void copy_from(std::initializer_list<T> source) { copy_from<std::initializer_list<T>>(source); }

    /// Queues the copy on a stream of this context. The source must stay alive and unchanged, and the buffer alive, until
    /// the stream has done it; from pageable memory the driver may copy before it returns, or wait. A temporary that owns
    /// its elements is refused.
    template <class Source>
    void copy_from_async(Source&& source, const hanabi::stream& on) {
        static_assert(detail::outlives_the_call<Source>,
                      "hanabi::buffer::copy_from_async: the source is a temporary, gone before the copy is done");
        std::string words;
        detail::raise_if(take(source, &on, detail::completion::queued, "hanabi::buffer::copy_from_async", &words), words);
    }
    template <class Source>
    void copy_from_async(Source&& source, const hanabi::stream& on, std::error_code& code) noexcept {
        static_assert(detail::outlives_the_call<Source>,
                      "hanabi::buffer::copy_from_async: the source is a temporary, gone before the copy is done");
        code = take(source, &on, detail::completion::queued, "", nullptr);
    }

    /// Copies all elements to a contiguous range of T on the host, and waits. It comes after all work queued on the
    /// buffer's stream; work on other streams must have been waited for. Errors: errc::size_mismatch, the driver's.
    template <class Destination>
    void copy_to(Destination&& destination) const {
        std::string words;
        detail::raise_if(give(destination, nullptr, detail::completion::done, "hanabi::buffer::copy_to", &words), words);
    }
    template <class Destination>
    void copy_to(Destination&& destination, std::error_code& code) const noexcept {
        code = give(destination, nullptr, detail::completion::done, "", nullptr);
    }
    /// Queues the copy on a stream of this context. The destination and the buffer must stay alive, and the destination
    /// must not be read, until the stream has done it.
    template <class Destination>
    void copy_to_async(Destination&& destination, const hanabi::stream& on) const {
        static_assert(detail::outlives_the_call<Destination>,
                      "hanabi::buffer::copy_to_async: the destination is a temporary, gone before the copy is done");
        std::string words;
        detail::raise_if(give(destination, &on, detail::completion::queued, "hanabi::buffer::copy_to_async", &words), words);
    }
    template <class Destination>
    void copy_to_async(Destination&& destination, const hanabi::stream& on, std::error_code& code) const noexcept {
        static_assert(detail::outlives_the_call<Destination>,
                      "hanabi::buffer::copy_to_async: the destination is a temporary, gone before the copy is done");
        code = give(destination, &on, detail::completion::queued, "", nullptr);
    }

    /// All elements, on the host. Ordered as copy_to.
    std::vector<T> to_vector() const requires(std::is_default_constructible_v<T> && !std::is_same_v<T, bool>) {
        std::vector<T> result(size_);
        if (size_ != 0) copy_to(result);
        return result;
    }

    /// Sets every element, and waits. T of 1, 2, or a multiple of 4 bytes up to 64, padding included.
    void fill(const T& value) {
        std::string words;
        detail::raise_if(set(value, nullptr, detail::completion::done, "hanabi::buffer::fill", &words), words);
    }
    void fill(const T& value, std::error_code& code) noexcept { code = set(value, nullptr, detail::completion::done, "", nullptr); }
    /// Queues it on a stream of this context. The value is taken at once.
    void fill_async(const T& value, const hanabi::stream& on) {
        std::string words;
        detail::raise_if(set(value, &on, detail::completion::queued, "hanabi::buffer::fill_async", &words), words);
    }
    void fill_async(const T& value, const hanabi::stream& on, std::error_code& code) noexcept {
        code = set(value, &on, detail::completion::queued, "", nullptr);
    }

    /// For the library's own use; null when moved from.
    const detail::shared<detail::allocation>& allocation() const noexcept { return allocation_; }

  private:
    buffer() = default;

    driver::device_address address() const noexcept { return allocation_ != nullptr ? allocation_->address : 0; }

    template <class Count>
    std::error_code create(detail::shared<detail::context_state> in, detail::shared<detail::stream_state> on, Count count,
                           std::string* words) {
        std::size_t elements = 0;
        const auto operation = [&] {
            return "hanabi::buffer: " + detail::count_text(count) + " elements of " + std::to_string(sizeof(T)) + " bytes";
        };
        if (!detail::fits_in_memory(count, sizeof(T), elements))
            return detail::refused(errc::value_out_of_range, words, [&] {
                return operation() + (detail::count_value(count) < 1 ? ": a count can't be negative" : ": more than can be addressed");
            });
        auto made = detail::shared<detail::allocation>::make(std::move(in), std::move(on));
        if (elements != 0)
            if (const std::error_code code = detail::allocate(made, elements * sizeof(T), words, operation)) return code;
        allocation_ = std::move(made);
        data_ = device_ptr<T>{allocation_->address}.get();
        size_ = elements;
        return {};
    }
    template <class Count>
    std::error_code create_on(const detail::shared<detail::context_state>& in, const hanabi::stream& on, Count count, std::string* words) {
        const detail::allocation place{in, nullptr};
        if (const std::error_code code = check_stream_of(place, on, "hanabi::buffer", words)) return code;
        return create(in, on.state(), count, words);
    }

    static std::error_code check_stream_of(const detail::allocation& memory, const hanabi::stream& on, const char* operation,
                                           std::string* words) {
        if (on.state() == nullptr)
            return detail::refused(errc::invalid_argument, words, [&] { return std::string{operation} + ": the stream was moved from"; });
        if (detail::same_context(*on.state()->context, *memory.context)) return {};
        return detail::refused(errc::wrong_context, words, [&] {
            return std::string{operation} + ": the stream belongs to a context of device " + std::to_string(on.state()->context->ordinal) +
                   ", the buffer to another, of device " + std::to_string(memory.context->ordinal);
        });
    }
    std::error_code usable(const char* operation, std::string* words) const {
        if (allocation_ != nullptr) return {};
        return detail::refused(errc::invalid_argument, words, [&] { return std::string{operation} + ": the buffer was moved from"; });
    }
    detail::allocation& need(const char* operation) const {
        std::string words;
        detail::raise_if(usable(operation, &words), words);
        return *allocation_;
    }

    /// The queue of a copy: the stream given, or the buffer's.
    std::error_code queue(const hanabi::stream* on, const char* operation, std::string* words) const {
        if (const std::error_code code = usable(operation, words)) return code;
        return on != nullptr ? check_stream_of(*allocation_, *on, operation, words) : std::error_code{};
    }
    detail::transfer transfer_on(const hanabi::stream* on, detail::completion until, const char* operation,
                                 std::string* words) const noexcept {
        return {*allocation_->context, on != nullptr ? on->state()->handle : allocation_->raw_stream(), until, words, operation};
    }

    template <class Source>
    std::error_code take(const Source& source, const hanabi::stream* on, detail::completion until, const char* operation,
                         std::string* words) {
        if (const std::error_code code = queue(on, operation, words)) return code;
        const detail::transfer t = transfer_on(on, until, operation, words);
        if constexpr (sized_device_container<const Source>) {
            static_assert(std::is_same_v<std::remove_cv_t<device_element_t<const Source>>, T>,
                          "hanabi::buffer: copies are between elements of the same type");
            const std::size_t count = device_data<Source>::size(source);
            if (count != size_) return detail::refuse_sizes(t, size_, count);
            const auto from = device_pointer(source).address();
            if constexpr (std::is_same_v<Source, buffer>) {
                if (const std::error_code code = source.usable(operation, words)) return code;
                const detail::allocation& other = *source.allocation_;
                const bool within = detail::same_context(*other.context, t.context);
                if (count != 0 && until == detail::completion::done && (!within || other.raw_stream() != t.stream))
                    if (const std::error_code code = detail::wait_for_stream(t, *other.context, other.raw_stream())) return code;
                if (!within) return detail::copy_peer(t, address(), t.context, from, *other.context, size_bytes());
            }
            return detail::copy_d2d(t, address(), from, size_bytes());
        } else {
            static_assert(detail::host_range<const Source>,
                          "hanabi::buffer: the source must be a contiguous range of the host, or device memory of known size");
            static_assert(std::is_same_v<std::remove_cv_t<detail::host_element_t<const Source>>, T>,
                          "hanabi::buffer: copies are between elements of the same type");
            const std::size_t count = std::size(source);
            if (count != size_) return detail::refuse_sizes(t, size_, count);
            return detail::copy_h2d(t, address(), std::data(source), size_bytes());
        }
    }
    template <class Destination>
    std::error_code give(Destination& destination, const hanabi::stream* on, detail::completion until, const char* operation,
                         std::string* words) const {
        static_assert(
            detail::host_range<Destination>,
            "hanabi::buffer: the destination must be a contiguous range of the host; to device memory: destination.copy_from(buffer)");
        static_assert(std::is_same_v<detail::host_element_t<Destination>, T>,
                      "hanabi::buffer: the destination's elements must be of the same type, and not const");
        if (const std::error_code code = queue(on, operation, words)) return code;
        const detail::transfer t = transfer_on(on, until, operation, words);
        const std::size_t count = std::size(destination);
        if (count != size_) return detail::refuse_sizes(t, count, size_);
        return detail::copy_d2h(t, std::data(destination), address(), size_bytes());
    }
    std::error_code set(const T& value, const hanabi::stream* on, detail::completion until, const char* operation, std::string* words) {
        static_assert(
            detail::is_fillable_size(sizeof(T)),
            "hanabi::buffer::fill: T must have 1, 2, or a multiple of 4 bytes, at most 64; copy_from a host range of them instead");
        if (const std::error_code code = queue(on, operation, words)) return code;
        return detail::fill(transfer_on(on, until, operation, words), address(), &value, sizeof(T), size_);
    }

    detail::shared<detail::allocation> allocation_;
    T* data_ = nullptr; ///< the allocation's address, at hand for launches
    std::size_t size_ = 0;
};

template <class T>
struct device_data<buffer<T>> {
    static device_ptr<T> pointer(buffer<T>& b) noexcept { return b.data(); }
    static device_ptr<const T> pointer(const buffer<T>& b) noexcept { return b.data(); }
    static std::size_t size(const buffer<T>& b) noexcept { return b.size(); }
};

/// Shares the ownership of the buffer in which the address lies, if it is memory of a buffer of this context; null for
/// foreign memory. Takes a lock. Any thread.
inline memory_owner keep_alive(const context& in, device_ptr<const void> address) {
    return detail::find_allocation(*in.state(), address.address());
}

} // namespace hanabi

#endif
