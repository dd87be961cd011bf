// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Which body runs for which kernel.

#ifndef HANABI_HOST_DEFINE_HPP
#define HANABI_HOST_DEFINE_HPP

#include <hanabi/host/body.hpp>
#include <hanabi/host/linkage.hpp>
#include <hanabi/text.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace hanabi::host {

namespace detail {
inline std::string string_of(name_view name) { return {name.data(), name.size()}; }

HANABI_SHARED HANABI_HOST_INLINE void define_body(std::shared_ptr<const typed_body> body);
HANABI_SHARED HANABI_HOST_INLINE bool undefine_body(const std::string& module, const std::string& symbol);
} // namespace detail

/// Says what a kernel does on the host driver. K is a descriptor: anything with static constexpr `module_name` and
/// `symbol` that convert to name_view, and a type `function_type` = void(P...).
///
/// Body is called as body(host::thread, P...) once for each thread of a launch, or as body(host::block&, P...) once for
/// each block, from several threads of the process at once: it must be callable while const, and guard with atomics what
/// blocks share, as on a device. Its parameters after the first are exactly P... (a generic lambda's are). An exception
/// that leaves it fails the launch: CUDA_ERROR_LAUNCH_FAILED from then on in that context, with the exception's text in
/// the driver's log. Blocks run in no order, some after others: a block must not wait for another.
///
/// A body serves every module that was loaded under the descriptor's module name, loaded before or after; a second
/// define() replaces the first for later launches. Bodies outlive host::reset(). Any thread.
template <class K, class Body>
void define(const K& descriptor, Body body) {
    (void)descriptor;
    using signature = detail::signature_of<typename K::function_type>;
    static_assert(signature::template takes_thread<Body> || signature::template takes_block<Body> ||
                      !signature::template takes_thread_when_mutable<Body>,
                  "host::define: blocks call the body from several threads at once, so it can't be a mutable lambda");
    static_assert(signature::template takes_thread<Body> || signature::template takes_block<Body> ||
                      signature::template takes_thread_when_mutable<Body>,
                  "host::define: the body must be callable with (host::thread, the kernel's parameters...) or (host::block&, the kernel's "
                  "parameters...)");
    static_assert(detail::spells_the_signature<typename K::function_type, Body>(),
                  "host::define: the body's parameters after the first must have exactly the types of the kernel's signature");
    if constexpr (signature::template takes_thread<Body> || signature::template takes_block<Body>) {
        auto made = std::make_shared<detail::callable_body<signature, Body>>(std::move(body));
        made->module = detail::string_of(K::module_name);
        made->symbol = detail::string_of(K::symbol);
        made->parameters = signature::describe();
        if constexpr (requires { K::info.contracts->hidden; }) made->hidden = K::info.contracts->hidden;
        detail::define_body(std::move(made));
    }
}

/// Takes a kernel's body away: later launches answer CUDA_ERROR_NOT_SUPPORTED. False if there was none.
template <class K>
bool undefine(const K&) {
    return detail::undefine_body(detail::string_of(K::module_name), detail::string_of(K::symbol));
}

/// Takes every body away.
HANABI_SHARED HANABI_HOST_INLINE void clear_definitions();

} // namespace hanabi::host

#if !defined(HANABI_HOST_SEPARATE)
#include <hanabi/host/src.hpp>
#endif

#endif
