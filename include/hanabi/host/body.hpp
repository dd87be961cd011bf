// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A kernel's body: a C++ callable with its kernel's signature, its type forgotten.

#ifndef HANABI_HOST_BODY_HPP
#define HANABI_HOST_BODY_HPP

#include <hanabi/config.hpp>
#include <hanabi/host/block.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// What is known of one parameter of a body.
struct parameter_type {
    std::size_t size = 0;
    std::size_t align = 1;
    bool pointer = false;   ///< an object pointer, so that what it points to can be checked
    bool writes = false;    ///< a pointer to what is not const
    std::size_t offset = 0; ///< in the parameter block, as C lays it out
};

/// A body and its signature. Immutable; shared by the launches that run it.
struct typed_body {
    std::string module;
    std::string symbol;
    std::vector<parameter_type> parameters;
    unsigned hidden = 0; ///< trailing parameters that the loaded kernel may have beside

    typed_body() = default;
    typed_body(const typed_body&) = delete;
    typed_body& operator=(const typed_body&) = delete;
    virtual ~typed_body() = default;

    /// Runs one block. The arguments are the bytes of each parameter, of any alignment.
    virtual void run_block(block_frame& frame, const std::byte* const* arguments) const = 0;
};

/// One argument at its own alignment: copied out of bytes, as an object of its type.
template <class P>
struct argument_cell {
    alignas(P) std::byte bytes[sizeof(P)];

    void load(const std::byte* from) noexcept { std::memcpy(bytes, from, sizeof(P)); }
    const P& get() const noexcept { return *std::launder(reinterpret_cast<const P*>(bytes)); }
};

template <class Signature>
struct signature_of;

template <class... P>
struct signature_of<void(P...)> {
    static std::vector<parameter_type> describe() {
        std::vector<parameter_type> all{parameter_type{sizeof(P), alignof(P),
                                                       std::is_pointer_v<P> && !std::is_function_v<std::remove_pointer_t<P>>,
                                                       std::is_pointer_v<P> && !std::is_const_v<std::remove_pointer_t<P>>, 0}...};
        std::size_t end = 0;
        for (parameter_type& p : all) {
            p.offset = (end + p.align - 1) / p.align * p.align;
            end = p.offset + p.size;
        }
        return all;
    }

    template <class Body>
    static constexpr bool takes_thread = std::is_invocable_v<const Body&, thread, P...>;
    template <class Body>
    static constexpr bool takes_block = std::is_invocable_v<const Body&, block&, P...>;
    template <class Body>
    static constexpr bool takes_thread_when_mutable = std::is_invocable_v<Body&, thread, P...> || std::is_invocable_v<Body&, block&, P...>;

    template <class Body>
    static void run(const Body& body, block_frame& frame, const std::byte* const* arguments) {
        run(body, frame, arguments, std::index_sequence_for<P...>{});
    }

    template <class Body, std::size_t... I>
    static void run(const Body& body, block_frame& frame, const std::byte* const* arguments, std::index_sequence<I...>) {
        std::tuple<argument_cell<P>...> cells;
        (std::get<I>(cells).load(arguments[I]), ...);
        if constexpr (takes_thread<Body>) {
            const extent size = frame.block_size;
            for (unsigned z = 0; z < size.z; ++z)
                for (unsigned y = 0; y < size.y; ++y)
                    for (unsigned x = 0; x < size.x; ++x) static_cast<void>(body(thread{frame, {x, y, z}}, std::get<I>(cells).get()...));
        } else {
            block b{frame};
            static_cast<void>(body(b, std::get<I>(cells).get()...));
        }
        static_cast<void>(arguments);
    }
};

/// The body that is a callable.
template <class Signature, class Body>
struct callable_body final : typed_body {
    explicit callable_body(Body&& body) : body_{std::move(body)} {}
    void run_block(block_frame& frame, const std::byte* const* arguments) const override { Signature::run(body_, frame, arguments); }

  private:
    Body body_;
};

/// The parameters a callable spells, where it spells them: not those of a generic lambda.
template <class F>
struct spelt_parameters {
    static constexpr bool known = false;
};
template <class R, class First, class... P>
struct spelt_parameters<R (*)(First, P...)> {
    static constexpr bool known = true;
    using type = void(std::remove_cvref_t<P>...);
};
template <class R, class C, class First, class... P>
struct spelt_parameters<R (C::*)(First, P...) const> : spelt_parameters<R (*)(First, P...)> {};
template <class R, class C, class First, class... P>
struct spelt_parameters<R (C::*)(First, P...) const noexcept> : spelt_parameters<R (*)(First, P...)> {};
template <class R, class First, class... P>
struct spelt_parameters<R (*)(First, P...) noexcept> : spelt_parameters<R (*)(First, P...)> {};
template <class F>
requires requires { &F::operator(); }
struct spelt_parameters<F> : spelt_parameters<decltype(&F::operator())> {};

/// True unless the body spells parameters that are not exactly the kernel's: conversions between the two would hide what
/// a device compiles as different code.
template <class Signature, class Body>
constexpr bool spells_the_signature() {
    if constexpr (spelt_parameters<Body>::known)
        return std::is_same_v<typename spelt_parameters<Body>::type, Signature>;
    else
        return true;
}

} // namespace hanabi::host::detail

#endif
