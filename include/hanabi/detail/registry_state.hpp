// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What stands behind a registry handle, as far as launches need it: the bindings made so far, and by virtual functions
/// all that is done at length. Those are detail::loaded_registry's, which only the sources that load modules compile.

#ifndef HANABI_DETAIL_REGISTRY_STATE_HPP
#define HANABI_DETAIL_REGISTRY_STATE_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/binding.hpp>
#include <hanabi/detail/chain.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hanabi {

struct kernel_report;

/// Address and size of a variable of a module (cuModuleGetGlobal).
struct device_symbol {
    driver::device_address address = 0;
    std::size_t bytes = 0;
};

} // namespace hanabi

namespace hanabi::detail {

struct launch_extents;
struct launch_request;

/// One registry. Bindings are added under the mutex and read through the slots without it.
struct registry_state : shared_object {
    shared<context_state> context;
    binding_slots slots;
    detail::mutex mutex;
    chain<binding> bindings;
    atomic<binding*> newest{nullptr}; ///< the bindings as a list, for readers without the mutex
    atomic<bool> unloaded{false};

    explicit registry_state(shared<context_state> c) : context{std::move(c)} {
        if (process_forked) return; // no lock is taken there: another thread may have held it when the process forked
        const detail::lock held{context->registries_mutex};
        older = context->registries;
        if (older != nullptr) older->newer = this;
        context->registries = this;
        context->stop_launches = &stop_launches;
    }
    registry_state(const registry_state&) = delete;
    registry_state& operator=(const registry_state&) = delete;

    virtual ~registry_state() {
        if (process_forked) return;
        const detail::lock held{context->registries_mutex};
        (newer != nullptr ? newer->older : context->registries) = older;
        if (older != nullptr) older->newer = newer;
    }

    // What hanabi::registry and the dispatchers say of these holds here.

    virtual std::vector<std::string> names() const = 0;
    virtual bool has_module(std::string_view name) const noexcept = 0;
    virtual driver::function_handle function(std::string_view module, std::string_view symbol) = 0;
    virtual device_symbol symbol(std::string_view module, std::string_view name) = 0;
    virtual void require(std::span<const descriptor* const> list) = 0;
    virtual std::vector<kernel_report> check(std::span<const descriptor* const> list) = 0;
    virtual std::string report() = 0;
    virtual void warm(driver::stream_handle stream, std::span<const descriptor* const> list) = 0;
    virtual void unload() = 0;
    virtual void unload(std::error_code& code) noexcept = 0;

    /// The binding of a descriptor, made and verified if it is not there yet; null with `f` set when it can't be.
    virtual binding* bind(const descriptor& d, const std::string& operation, failure& f) = 0;

    /// What follows a plain launch that was not made or did not succeed: see launch_otherwise.
    virtual bool launch(binding* b, const launch_request& r, driver::status s, bool launched, failure& f) = 0;

    /// The checks of a launch, for one that is made later: see check_launch.
    virtual bool check(binding& b, const launch_request& r, launch_extents& e, failure& f) = 0;

    /// The next one in the context's list, under that list's mutex.
    registry_state* next_in_context() const noexcept { return older; }

    template <class = void>
    failure unloaded_failure(std::string operation) const {
        return {errc::module_unloaded,
                std::move(operation) +
                    ": the registry's modules were unloaded (registry::unload); load them again, and make the functor or dispatcher anew"};
    }

    template <class = void>
    static std::string descriptor_name(const descriptor& d) {
        std::string s{d.module.data(), d.module.size()};
        return s.append("::").append(d.symbol.data(), d.symbol.size());
    }

    /// The kernels that were launched in the context, of this registry and the others there, for the message of a sticky
    /// error. With or without the mutex.
    template <class = void>
    std::string suspects() const {
        if (process_forked) return {};
        const detail::lock held{context->registries_mutex};
        std::string s;
        std::size_t count = 0;
        for (const registry_state* r = context->registries; r != nullptr; r = r->older)
            for (const binding* b = r->newest.acquire(); b != nullptr; b = b->made_before) {
                const std::uint64_t x = b->last_grid.relaxed();
                if (x == 0) continue;
                if (count++ == 8) return s + ", ...";
                s += (s.empty() ? "" : ", ") + b->name + " with a grid of " + std::to_string(x) + (x == 1 ? " block" : " blocks") +
                     " along x";
            }
        return s;
    }

  private:
    /// Launches on an own stream don't look at the context, and handles of one that was reset crash the driver once there
    /// is a new one: so, before the library makes a new one, every launch is sent the long way, which looks.
    static void stop_launches(context_state& gone) noexcept {
        const detail::lock held{gone.registries_mutex};
        for (registry_state* r = gone.registries; r != nullptr; r = r->older)
            for (binding* b = r->newest.acquire(); b != nullptr; b = b->made_before) b->plain_function.release(nullptr);
    }

    registry_state *older = nullptr, *newer = nullptr; ///< the context's list, under its mutex
};

} // namespace hanabi::detail

#endif
