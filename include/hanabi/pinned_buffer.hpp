// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// pinned_buffer: page-locked host memory, which the device copies from and to without a detour.

#ifndef HANABI_PINNED_BUFFER_HPP
#define HANABI_PINNED_BUFFER_HPP

#include <hanabi/config.hpp>
#include <hanabi/context.hpp>
#include <hanabi/detail/capture_scope.hpp>
#include <hanabi/detail/count.hpp>
#include <hanabi/driver_error.hpp>

#include <cstddef>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi {

/// How pinned memory is made.
struct pinned_options {
    bool portable = true;        ///< page-locked for every context, not only this one
    bool write_combined = false; ///< faster to copy to the device, very slow for the host to read
};

/// An array of T in page-locked host memory (cuMemHostAlloc), zeroed: a contiguous range of the host, for copies that run
/// beside the host's work. T is trivially copyable. Move-only. It must outlive the copies queued from or to it: the
/// destructor waits for nothing. As thread-safe as an array.
template <class T>
class pinned_buffer {
    static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>,
                  "hanabi::pinned_buffer<T>: T must be an object type without const or volatile");
    static_assert(std::is_trivially_copyable_v<T>, "hanabi::pinned_buffer<T>: T must be trivially copyable, it is copied as bytes");
    static_assert(std::is_default_constructible_v<T>, "hanabi::pinned_buffer<T>: T must be default constructible");

  public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    /// `count` elements, value-initialised. Any integer type; zero allocates nothing. Errors: errc::value_out_of_range for a
    /// negative count or more than memory can hold; the driver's, out_of_memory (2) among them.
    template <detail::counting Count>
    pinned_buffer(const context& in, Count count, pinned_options options = {}) : context_{in.state()} {
        std::string words;
        detail::raise_if(create(count, options, &words), words);
    }
    /// The non-throwing twin: on an error, no elements.
    template <detail::counting Count>
    static pinned_buffer make(const context& in, Count count, std::error_code& code, pinned_options options = {}) {
        pinned_buffer made{in.state()};
        code = made.create(count, options, nullptr);
        return made;
    }

    pinned_buffer(pinned_buffer&& other) noexcept
        : context_{other.context_}, data_{std::exchange(other.data_, nullptr)}, size_{std::exchange(other.size_, 0)} {}
    pinned_buffer& operator=(pinned_buffer&& other) noexcept {
        pinned_buffer dying{std::move(*this)};
        context_ = other.context_;
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~pinned_buffer() {
        if (data_ == nullptr) return;
        // Copies that are captured read or write it each time that they are replayed.
        if (detail::innermost_capture != nullptr && detail::keep_for_capture([in = context_, memory = data_] {
                detail::tear_down(*in, "freeing pinned memory that was captured", [&] { return in->driver->mem_free_host(memory); });
            })) [[unlikely]]
            return;
        detail::tear_down(*context_, "freeing pinned memory", [this] { return context_->driver->mem_free_host(data_); });
    }

    T* data() noexcept { return data_; }
    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
    bool empty() const noexcept { return size_ == 0; }
    T* begin() noexcept { return data_; }
    T* end() noexcept { return data_ + size_; }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + size_; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }

    /// Where it was made.
    hanabi::context context() const noexcept { return hanabi::context{context_}; }

  private:
    explicit pinned_buffer(detail::shared<detail::context_state> in) noexcept : context_{std::move(in)} {}

    template <class Count>
    std::error_code create(Count count, pinned_options options, std::string* words) {
        std::size_t elements = 0;
        const auto operation = [&] {
            return "hanabi::pinned_buffer: " + detail::count_text(count) + " elements of " + std::to_string(sizeof(T)) + " bytes";
        };
        if (!detail::fits_in_memory(count, sizeof(T), elements))
            return detail::refused(errc::value_out_of_range, words, [&] {
                return operation() + (detail::count_value(count) < 1 ? ": a count can't be negative" : ": more than can be addressed");
            });
        if (elements == 0) return {};
        void* memory = nullptr;
        {
            const detail::current_scope scope{*context_};
            const detail::relaxed_capture relaxed{*context_->driver};
            driver::status status = scope.status();
            if (status == driver::status::success)
                status = context_->driver->mem_host_alloc(&memory, elements * sizeof(T),
                                                          (options.portable ? driver::host_alloc_flags::portable : 0u) |
                                                              (options.write_combined ? driver::host_alloc_flags::write_combined : 0u));
            if (status != driver::status::success) return detail::driver_failed(*context_, status, words, operation);
        }
        data_ = static_cast<T*>(memory);
        size_ = elements;
        std::uninitialized_value_construct_n(data_, size_);
        return {};
    }

    detail::shared<detail::context_state> context_; // kept by moves, so that a moved-from one stays a valid empty range
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace hanabi

#endif
