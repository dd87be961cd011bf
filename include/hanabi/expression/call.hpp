// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A function of the host in the order of the stream: call(f).

#ifndef HANABI_EXPRESSION_CALL_HPP
#define HANABI_EXPRESSION_CALL_HPP

#include <hanabi/driver/abi.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/refusal.hpp>
#include <hanabi/teardown.hpp>

#include <type_traits>
#include <utility>

namespace hanabi {

/// The error of a callable that can't be kept by value, or called with no arguments when it is const. Never defined.
template <class Given>
struct call_takes_a_copyable_callable_without_arguments;

/// A function that the host calls when what stands before is done; what follows waits for it.
template <class F>
struct [[nodiscard("nothing runs until a dispatcher takes the expression")]] call_of {
    using part_type = call_of;
    using open_arguments = detail::list<>;
    static constexpr node_kind node = node_kind::call;
    static constexpr bool closed = true;
    static constexpr bool forks = false;

    F callable;

    template <class... Bindings>
    constexpr auto bind(Bindings && ... bindings) const {
        return detail::bind_checked<sequence_of<>>(*this, bindings...);
    }
    template <class... Bindings>
    constexpr call_of bind_known(const Bindings&...) const {
        return *this;
    }

    /// Calls the callable at an address, as cuLaunchHostFunc wants it. An exception stays in here, since what calls it is C:
    /// the handler of teardown failures is told that there was one.
    static void HANABI_CUDAAPI invoke(void* at) noexcept {
        if constexpr (std::is_nothrow_invocable_v<const F&>)
            static_cast<void>((*static_cast<const F*>(at))());
        else {
#if defined(__cpp_exceptions)
            try {
                static_cast<void>((*static_cast<const F*>(at))());
            } catch (...) {
                detail::report_teardown("a function called in the order of a stream (hanabi::call) threw an exception",
                                        driver::status::unknown);
            }
#else
            static_cast<void>((*static_cast<const F*>(at))());
#endif
        }
    }
};

/// Calls f() on a thread of the driver. f is copied, and called as const (write what it changes through a pointer or
/// reference to what outlives the run). It must not call CUDA, this library, or throw; after a failure of earlier work it is not called, so
/// it must not be the only one to free or signal anything. The copy is destroyed at a later call(...) in the context, or with
/// the context.
template <class F>
constexpr auto call(F f) {
    if constexpr (std::is_invocable_v<const F&> && std::is_copy_constructible_v<F>)
        return call_of<F>{std::move(f)};
    else {
        (void)sizeof(call_takes_a_copyable_callable_without_arguments<given<F>>);
        return sequence_of<>{};
    }
}

} // namespace hanabi

#endif
