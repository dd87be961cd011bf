// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Arguments: what a parameter takes, and why not. A parameter takes an argument only if nothing can be lost.

#ifndef HANABI_ARGUMENT_HPP
#define HANABI_ARGUMENT_HPP

#include <hanabi/config.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/literals.hpp>
#include <hanabi/refusal.hpp>

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hanabi {

namespace because {
struct it_fits;
struct it_would_lose_values; ///< say hanabi::narrow<P>(x), which checks, or convert it yourself
struct the_constant_does_not_fit;
struct a_bool_is_not_a_number;
struct a_number_is_not_a_bool;
struct an_enumeration_is_not_a_number;
struct a_number_is_not_an_enumeration;
struct an_integer_is_not_a_pointer__write_hanabi_device_ptr; ///< a CUdeviceptr says nothing of what it points to: device_ptr<T>{p}
struct a_pointer_is_not_a_number;
struct it_may_be_a_host_pointer__write_hanabi_device_ptr; ///< device_ptr{p} says that p is a device address
struct it_drops_const;
struct it_points_to_another_type;
struct a_temporary_owner_would_be_gone; ///< name it first, so that its memory outlives the expression
struct it_is_not_device_memory;         ///< copy it to a hanabi::buffer, or specialise hanabi::device_data for its type
struct it_is_volatile;                  ///< an object that may change while it is copied
struct it_is_another_type;
} // namespace because

namespace detail {

/// True if From converts to the arithmetic type To without what list-initialisation calls narrowing.
template <class From, class To>
concept converts_without_narrowing = requires {
    To{static_cast<From (*)()>(nullptr)()};
};

/// Whether a constant is one of P's values: when list-initialisation does not call the conversion narrowing. Computed
/// here, because nvcc's front end calls an int for a float narrowing whatever its value.
template <class P, class Constant>
constexpr bool constant_fits() noexcept {
    using value_type = std::remove_cv_t<typename Constant::value_type>;
    constexpr value_type value = Constant::value;
    if constexpr (std::is_floating_point_v<P>) {
        // Exact if what is left without the trailing zeros has no more digits than the mantissa.
        unsigned long long left = static_cast<unsigned long long>(value);
        if constexpr (std::is_signed_v<value_type>)
            if (value < 0) left = 0 - left;
        while (left != 0 && left % 2 == 0) left /= 2;
        constexpr int digits = std::is_same_v<P, float> ? FLT_MANT_DIG : DBL_MANT_DIG;
        return (left >> digits) == 0;
    } else {
        constexpr P converted = static_cast<P>(value);
        return static_cast<value_type>(converted) == value && is_negative(converted) == is_negative(value);
    }
}

template <class P, class U>
constexpr auto judge_pointee() {
    if constexpr (std::is_same_v<U*, P> || adds_only_qualifiers<U, std::remove_pointer_t<P>>)
        return static_cast<because::it_fits*>(nullptr);
    else if constexpr (std::is_same_v<typename unqualified<U*>::type, typename unqualified<P>::type>)
        return static_cast<because::it_drops_const*>(nullptr);
    else
        return static_cast<because::it_points_to_another_type*>(nullptr);
}

/// A is the argument as it was passed: T& for lvalues, T for temporaries.
template <class P, class A>
constexpr auto judge_argument() {
    using D = std::remove_cvref_t<A>;
    if constexpr (std::is_pointer_v<P>) {
        if constexpr (std::is_null_pointer_v<D>)
            return static_cast<because::it_fits*>(nullptr);
        else if constexpr (std::is_pointer_v<D> || std::is_array_v<D>)
            return static_cast<because::it_may_be_a_host_pointer__write_hanabi_device_ptr*>(nullptr);
        else if constexpr (device_container<A>) {
            if constexpr (!std::is_lvalue_reference_v<A> && !is_device_view<A>)
                return static_cast<because::a_temporary_owner_would_be_gone*>(nullptr);
            else
                return judge_pointee<P, device_element_t<std::remove_reference_t<A>>>();
        } else if constexpr (std::is_integral_v<D> || integral_constant_like<D>)
            return static_cast<because::an_integer_is_not_a_pointer__write_hanabi_device_ptr*>(nullptr);
        else if constexpr (std::is_scalar_v<D>)
            return static_cast<because::it_is_another_type*>(nullptr);
        else
            return static_cast<because::it_is_not_device_memory*>(nullptr);
    } else if constexpr (std::is_same_v<D, P>) {
        if constexpr (!std::is_volatile_v<std::remove_reference_t<A>> || std::is_scalar_v<P>)
            return static_cast<because::it_fits*>(nullptr);
        else
            return static_cast<because::it_is_volatile*>(nullptr);
    } else if constexpr (std::is_arithmetic_v<P>) {
        if constexpr (integral_constant_like<D>) {
            if constexpr (std::is_same_v<typename D::value_type, bool> != std::is_same_v<P, bool>) {
                if constexpr (std::is_same_v<P, bool>)
                    return static_cast<because::a_number_is_not_a_bool*>(nullptr);
                else
                    return static_cast<because::a_bool_is_not_a_number*>(nullptr);
            } else if constexpr (constant_fits<P, D>())
                return static_cast<because::it_fits*>(nullptr);
            else
                return static_cast<because::the_constant_does_not_fit*>(nullptr);
        } else if constexpr (std::is_same_v<P, bool>) {
            if constexpr (std::is_arithmetic_v<D>)
                return static_cast<because::a_number_is_not_a_bool*>(nullptr);
            else
                return static_cast<because::it_is_another_type*>(nullptr);
        } else if constexpr (std::is_same_v<D, bool>)
            return static_cast<because::a_bool_is_not_a_number*>(nullptr);
        else if constexpr (std::is_arithmetic_v<D>) {
            if constexpr (converts_without_narrowing<D, P>)
                return static_cast<because::it_fits*>(nullptr);
            else
                return static_cast<because::it_would_lose_values*>(nullptr);
        } else if constexpr (std::is_enum_v<D>)
            return static_cast<because::an_enumeration_is_not_a_number*>(nullptr);
        else if constexpr (std::is_pointer_v<D> || std::is_array_v<D> || std::is_null_pointer_v<D> || device_container<A>)
            return static_cast<because::a_pointer_is_not_a_number*>(nullptr);
        else
            return static_cast<because::it_is_another_type*>(nullptr);
    } else if constexpr (std::is_enum_v<P> && (std::is_arithmetic_v<D> || integral_constant_like<D>))
        return static_cast<because::a_number_is_not_an_enumeration*>(nullptr);
    else
        return static_cast<because::it_is_another_type*>(nullptr);
}

} // namespace detail

/// The verdict on passing an A (`T&` for an lvalue, `T` for a temporary) to a parameter of type P: because::it_fits, or
/// why it is refused.
template <class P, class A>
using argument_verdict = std::remove_pointer_t<decltype(detail::judge_argument<P, A>())>;

/// The error of an argument that its parameter does not take: the kernel, the argument's 1-based number, the parameter's
/// name (empty without the names contract), both types and the reason. Never defined: its name is the message.
template <text Kernel, std::size_t Number, text Parameter, class Expected, class Given, class Because>
struct argument_does_not_fit;

/// The error of a call with too few or too many arguments.
template <text Kernel, class Expected, class Given>
struct wrong_number_of_arguments;

/// The error of a call that names some arguments and not others.
template <text Kernel>
struct arguments_are_either_all_named_or_none;

/// The error of a call by name of a kernel that has no names contract.
template <text Kernel>
struct parameters_have_no_names;

/// The error of an argument name that the kernel, or the expression, does not have.
template <text Kernel, text Name>
struct no_parameter_of_that_name;

/// The error of an argument name that is given twice.
template <text Kernel, text Name>
struct argument_is_named_twice;

/// The error of a call by name that leaves a parameter out.
template <text Kernel, std::size_t Number, text Parameter>
struct argument_is_missing;

namespace detail {

template <class P, class A>
inline constexpr bool argument_fits = std::is_same_v<argument_verdict<P, A>, because::it_fits>;

/// The bytes of an argument block, laid out as layout_of says. One type for all signatures of one size.
template <std::size_t Size, std::size_t Alignment>
struct argument_block {
    alignas(Alignment) std::byte bytes[Size == 0 ? 1 : Size];
};

/// Writes parameters one behind the other at their alignments.
struct argument_writer {
    std::byte* bytes;
    std::size_t offset = 0;

    /// Leaves room for a parameter, and says where.
    template <class P>
    HANABI_INLINE std::byte* place() noexcept {
        const std::size_t begin = (offset + alignof(P) - 1) / alignof(P) * alignof(P);
        offset = begin + sizeof(P);
        return bytes + begin;
    }

    /// Converts an argument that fits, and writes it.
    template <class P, class A>
    HANABI_INLINE void write(A&& argument) noexcept {
        using D = std::remove_cvref_t<A>;
        if constexpr (std::is_same_v<D, P> && !std::is_volatile_v<std::remove_reference_t<A>>)
            put<P>(argument);
        else if constexpr (std::is_pointer_v<P> && !std::is_null_pointer_v<D>)
            put<P>(device_pointer(argument).get());
        else if constexpr (integral_constant_like<D>)
            put<P>(static_cast<P>(D::value));
        else
            put<P>(static_cast<P>(argument));
    }

  private:
    template <class P>
    HANABI_INLINE void put(const P& value) noexcept {
        __builtin_memcpy(place<P>(), static_cast<const void*>(&value), sizeof(P));
    }
};

} // namespace detail

} // namespace hanabi

#endif
