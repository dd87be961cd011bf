// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Addresses of device memory as a type of their own, and the trait by which containers of device memory hand theirs out.

#ifndef HANABI_DEVICE_PTR_HPP
#define HANABI_DEVICE_PTR_HPP

#include <hanabi/config.hpp>

#include <cstddef>
#include <type_traits>

namespace hanabi {

namespace detail {

/// T with the cv-qualifiers taken off at every level of pointer, for telling a qualification conversion from others.
template <class T>
struct unqualified {
    using type = T;
};
template <class T>
struct unqualified<const T> : unqualified<T> {};
template <class T>
struct unqualified<volatile T> : unqualified<T> {};
template <class T>
struct unqualified<const volatile T> : unqualified<T> {};
template <class T>
struct unqualified<T*> {
    using type = typename unqualified<T>::type*;
};

/// True if From* becomes To* by adding qualifiers and nothing else: no derived to base, no pointer to void.
template <class From, class To>
inline constexpr bool adds_only_qualifiers =
    std::is_same_v<typename unqualified<From>::type, typename unqualified<To>::type>&& std::is_convertible_v<From*, To*>;

/// The integers wide enough, and unsigned, as an address must be: CUdeviceptr and std::uintptr_t.
template <class T>
inline constexpr bool is_address = std::is_same_v<T, unsigned long long> ||
                                   (std::is_same_v<T, unsigned long> && sizeof(unsigned long) == 8);

} // namespace detail

/// The address of a T in device memory: what a kernel parameter `T*` takes. A value like a pointer, without what the
/// host must not do: it can't be dereferenced. T may be const, void, incomplete. Owns nothing; constexpr but for the
/// conversions from and to integers; any thread.
template <class T>
class device_ptr {
    static_assert(!std::is_reference_v<T> && !std::is_function_v<T>, "hanabi::device_ptr<T>: T must be an object type or void");

  public:
    using element_type = T;

    /// The null address.
    constexpr device_ptr() noexcept = default;
    constexpr device_ptr(std::nullptr_t) noexcept {}

    /// Says that `pointer`, which the compiler can't tell from a host pointer, is a device address.
    explicit constexpr device_ptr(T* pointer) noexcept : pointer_{pointer} {}

    /// From a driver's address (CUdeviceptr) or a std::uintptr_t. No other integer: a size is no address.
    template <class Address>
    requires detail::is_address<Address>
    explicit device_ptr(Address address) noexcept : pointer_{reinterpret_cast<T*>(address)} {}

    /// Adds qualifiers: device_ptr<float> to device_ptr<const float>.
    template <class U>
    requires(!std::is_same_v<U, T> && detail::adds_only_qualifiers<U, T>) constexpr device_ptr(device_ptr<U> other) noexcept
        : pointer_{other.get()} {}

    /// To device_ptr<void>, from any type that T's qualifiers allow. Explicit: the type is lost.
    template <class U>
    requires(!std::is_same_v<U, T> && !detail::adds_only_qualifiers<U, T> && std::is_void_v<T> &&
             std::is_convertible_v<U*, T*>) explicit constexpr device_ptr(device_ptr<U> other) noexcept
        : pointer_{other.get()} {}

    /// The address as a pointer; dereferencing it on the host is undefined.
    constexpr T* get() const noexcept { return pointer_; }
    /// The address as the driver's integer (CUdeviceptr).
    unsigned long long address() const noexcept { return reinterpret_cast<unsigned long long>(pointer_); }
    explicit constexpr operator bool() const noexcept { return pointer_ != nullptr; }

    // Counted in elements, as with pointers; not for void.
    template <class Count>
    requires(std::is_integral_v<Count> && !std::is_same_v<Count, bool> && !std::is_void_v<T>) constexpr device_ptr&
    operator+=(Count count) noexcept {
        pointer_ += count;
        return *this;
    }
    template <class Count>
    requires(std::is_integral_v<Count> && !std::is_same_v<Count, bool> && !std::is_void_v<T>) constexpr device_ptr&
    operator-=(Count count) noexcept {
        pointer_ -= count;
        return *this;
    }
    template <class Count>
    requires(std::is_integral_v<Count> && !std::is_same_v<Count, bool> && !std::is_void_v<T>) friend constexpr device_ptr
    operator+(device_ptr p, Count count) noexcept {
        return p += count;
    }
    template <class Count>
    requires(std::is_integral_v<Count> && !std::is_same_v<Count, bool> && !std::is_void_v<T>) friend constexpr device_ptr
    operator+(Count count, device_ptr p) noexcept {
        return p += count;
    }
    template <class Count>
    requires(std::is_integral_v<Count> && !std::is_same_v<Count, bool> && !std::is_void_v<T>) friend constexpr device_ptr
    operator-(device_ptr p, Count count) noexcept {
        return p -= count;
    }
    constexpr device_ptr& operator++() noexcept { return *this += 1; }
    constexpr device_ptr& operator--() noexcept { return *this -= 1; }

  private:
    T* pointer_ = nullptr;
};

template <class T>
device_ptr(T*) -> device_ptr<T>;

/// The elements between two addresses of one allocation.
template <class T, class U>
requires(!std::is_void_v<T> && std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>) constexpr std::ptrdiff_t
operator-(device_ptr<T> a, device_ptr<U> b) noexcept {
    return a.get() - b.get();
}

// Comparisons of addresses; of different constness too, and with nullptr.
template <class T, class U>
constexpr auto operator==(device_ptr<T> a, device_ptr<U> b) noexcept -> decltype(a.get() == b.get()) {
    return a.get() == b.get();
}
template <class T>
constexpr bool operator==(device_ptr<T> a, std::nullptr_t) noexcept {
    return a.get() == nullptr;
}
template <class T, class U>
constexpr auto operator<(device_ptr<T> a, device_ptr<U> b) noexcept -> decltype(a.get() < b.get()) {
    return a.get() < b.get();
}
template <class T, class U>
constexpr auto operator>(device_ptr<T> a, device_ptr<U> b) noexcept -> decltype(a.get() > b.get()) {
    return a.get() > b.get();
}
template <class T, class U>
constexpr auto operator<=(device_ptr<T> a, device_ptr<U> b) noexcept -> decltype(a.get() <= b.get()) {
    return a.get() <= b.get();
}
template <class T, class U>
constexpr auto operator>=(device_ptr<T> a, device_ptr<U> b) noexcept -> decltype(a.get() >= b.get()) {
    return a.get() >= b.get();
}

/// How a container of device memory is seen by kernel arguments and copies. The primary template says that T is none.
/// A specialisation for a container (T without cv-qualifiers and references) has
///
///     static device_ptr<U>       pointer(T&) noexcept;        // where the first element lies
///     static device_ptr<const U> pointer(const T&) noexcept;  // of a const container; may be left out if U is const
///     static std::size_t         size(const T&) noexcept;     // optional: elements; copies need it
///     static constexpr bool      is_view = true;              // optional: T owns nothing, so a temporary may be passed
///
/// Without is_view, T counts as an owner, and expressions that outlive the call refuse a temporary of it.
template <class T>
struct device_data {};

template <class T>
struct device_data<device_ptr<T>> {
    static constexpr bool is_view = true;
    static constexpr device_ptr<T> pointer(device_ptr<T> p) noexcept { return p; }
};

/// Satisfied by what has a device_data, cv-qualifiers and references aside.
template <class T>
concept device_container = requires(T& container) {
    device_data<std::remove_cvref_t<T>>::pointer(container);
};

/// Satisfied by a device_container that knows how many elements it has.
template <class T>
concept sized_device_container = device_container<T> && requires(const std::remove_cvref_t<T>& container) {
    device_data<std::remove_cvref_t<T>>::size(container);
};

/// True if T is a device container that owns nothing.
template <class T>
inline constexpr bool is_device_view = [] {
    if constexpr (requires { device_data<std::remove_cvref_t<T>>::is_view; })
        return static_cast<bool>(device_data<std::remove_cvref_t<T>>::is_view);
    else
        return false;
}();

/// The address of a device container's first element: device_ptr<U>, or device_ptr<const U> of a const container.
template <class T>
requires device_container<T>
constexpr auto device_pointer(T&& container) noexcept { return device_data<std::remove_cvref_t<T>>::pointer(container); }

/// What a T (T& or const T&) gives access to: U or const U.
template <class T>
requires device_container<T>
using device_element_t =
    typename decltype(device_data<std::remove_cvref_t<T>>::pointer(*static_cast<std::remove_reference_t<T>*>(nullptr)))::element_type;

} // namespace hanabi

#endif
