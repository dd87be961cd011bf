// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Signatures: what a kernel's parameter list is made of, checked and laid out.

#ifndef HANABI_SIGNATURE_HPP
#define HANABI_SIGNATURE_HPP

#include <hanabi/refusal.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hanabi {

/// The kinds of parameter that formatting and verification tell apart.
enum class parameter_kind : unsigned char { floating_point, signed_integer, unsigned_integer, boolean, pointer, enumeration, object };

/// Called for each field of a struct parameter: its name, kind, size in bytes and value.
using field_visitor = void (*)(void* state, name_view name, parameter_kind kind, std::size_t size, const void* value);

/// How the fields of a struct parameter are told apart. The primary template knows none; hanabi/interop/hana.hpp fills
/// it for Boost.Hana Structs, and a user may specialise it: `static void visit(const void* object, field_visitor, void* state)`.
template <class T, class = void>
struct fields_of {};

/// One parameter of a signature.
struct parameter {
    std::uint32_t offset;    ///< bytes from the start of the argument block, as C++ aligns members in sequence
    std::uint32_t size;      ///< bytes
    std::uint32_t alignment; ///< bytes
    parameter_kind kind;
    bool reads_only; ///< a pointer to const: what it points to is read and not written
    /// Visits the fields of an object parameter; null when they are not described.
    void (*visit_fields)(const void* object, field_visitor visitor, void* state);
};

/// True for types whose objects cross the launch boundary as bytes. Trivially copyable types do; specialise it to true
/// for a type with a harmless copy constructor, and it will be copied bytewise.
template <class T>
inline constexpr bool passes_bytewise = std::is_trivially_copyable_v<T>;

namespace because {
struct it_is_a_reference; ///< the kernel would get a host address: declare the value or a pointer
struct it_is_not_a_value; ///< a function type, or void
struct it_is_an_array;    ///< in a function type an array is its pointer already: this is for those who ask parameter_verdict
struct it_is_not_complete;
struct long_double_is_shorter_on_the_device; ///< nvcc makes it a double there: declare that
struct it_is_not_trivially_copyable;         ///< see passes_bytewise
struct it_is_polymorphic;                    ///< the device has other virtual tables
struct the_parameters_are_larger_than_32764_bytes;
} // namespace because

namespace detail {

/// The largest argument block of any kernel: 32764 bytes from PTX 8.1 on (4352 before, checked against the image).
inline constexpr std::size_t max_parameter_bytes = 32764;

template <class T>
concept complete = requires {
    sizeof(T);
};

template <class P>
constexpr auto judge_parameter() {
    if constexpr (std::is_reference_v<P>)
        return static_cast<because::it_is_a_reference*>(nullptr);
    else if constexpr (std::is_void_v<P> || std::is_function_v<P>)
        return static_cast<because::it_is_not_a_value*>(nullptr);
    else if constexpr (std::is_same_v<P, long double>)
        return static_cast<because::long_double_is_shorter_on_the_device*>(nullptr);
    else if constexpr (std::is_scalar_v<P>)
        return static_cast<because::it_is_fine*>(nullptr);
    else if constexpr (std::is_array_v<P>)
        return static_cast<because::it_is_an_array*>(nullptr);
    else if constexpr (!complete<P>)
        return static_cast<because::it_is_not_complete*>(nullptr);
    else if constexpr (std::is_polymorphic_v<P>)
        return static_cast<because::it_is_polymorphic*>(nullptr);
    else if constexpr (!passes_bytewise<P>)
        return static_cast<because::it_is_not_trivially_copyable*>(nullptr);
    else
        return static_cast<because::it_is_fine*>(nullptr);
}

} // namespace detail

/// The verdict on a parameter type: because::it_is_fine, or why it is refused.
template <class P>
using parameter_verdict = std::remove_pointer_t<decltype(detail::judge_parameter<P>())>;

namespace detail {

template <class P>
inline constexpr bool parameter_is_fine = std::is_same_v<parameter_verdict<P>, because::it_is_fine>;

template <class P>
constexpr parameter_kind kind_of() noexcept {
    if constexpr (std::is_same_v<P, bool>)
        return parameter_kind::boolean;
    else if constexpr (std::is_pointer_v<P> || std::is_null_pointer_v<P>)
        return parameter_kind::pointer;
    else if constexpr (std::is_floating_point_v<P>)
        return parameter_kind::floating_point;
    else if constexpr (std::is_enum_v<P>)
        return parameter_kind::enumeration;
    else if constexpr (std::is_integral_v<P>)
        return static_cast<P>(-1) < P{} ? parameter_kind::signed_integer : parameter_kind::unsigned_integer;
    else
        return parameter_kind::object;
}

template <class P>
constexpr auto visitor_of() noexcept -> void (*)(const void*, field_visitor, void*) {
    if constexpr (requires { &fields_of<P>::visit; })
        return &fields_of<P>::visit;
    else
        return nullptr;
}

/// One description for each parameter type; the offset is filled in by layout_of.
template <class P>
inline constexpr parameter parameter_of{0, sizeof(P), alignof(P), kind_of<P>(), std::is_const_v<std::remove_pointer_t<P>>, visitor_of<P>()};

template <std::size_t N>
struct layout {
    parameter parameters[N == 0 ? 1 : N];
    std::size_t size;
    std::size_t alignment;
};

template <std::size_t N>
constexpr layout<N> place(layout<N> l) noexcept {
    l.size = 0;
    l.alignment = 1;
    for (std::size_t i = 0; i < N; ++i) {
        const std::size_t a = l.parameters[i].alignment;
        l.size = (l.size + a - 1) / a * a;
        l.parameters[i].offset = static_cast<std::uint32_t>(l.size);
        l.size += l.parameters[i].size;
        if (a > l.alignment) l.alignment = a;
    }
    return l;
}

template <class... P>
inline constexpr layout<sizeof...(P)> layout_of = place<sizeof...(P)>({{parameter_of<P>...}, 0, 1});

template <>
inline constexpr layout<0> layout_of<> = {{}, 0, 1};

/// The I-th type of a pack, for error messages: only instantiated when something is wrong.
template <std::size_t I, class... T>
struct pick;
template <class T, class... Rest>
struct pick<0, T, Rest...> {
    using type = T;
};
template <std::size_t I, class T, class... Rest>
struct pick<I, T, Rest...> : pick<I - 1, Rest...> {};

/// The position of the first false, or N.
template <std::size_t N>
constexpr std::size_t first_false(const bool (&ok)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i)
        if (!ok[i]) return i;
    return N;
}

} // namespace detail

/// A parameter list. Only `void(P...)` is one: what a kernel returns is void.
template <class Function>
struct signature {
    using function_type = void(); // so that hanabi::kernel's refusal is the only error
    static constexpr bool is_of_a_kernel = false;
};

template <class... P>
struct signature<void(P...)> {
    using function_type = void(P...);
    static constexpr bool is_of_a_kernel = true;
};

template <class... P>
struct signature<void(P...) noexcept> : signature<void(P...)> {};

} // namespace hanabi

#endif
