// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The registry: one model's modules, loaded into one context, owned together.

#ifndef HANABI_REGISTRY_HPP
#define HANABI_REGISTRY_HPP

#include <hanabi/context.hpp>
#include <hanabi/detail/loaded_registry.hpp>
#include <hanabi/detail/registry_state.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/global.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/module_source.hpp>
#include <hanabi/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace hanabi {

/// Modules loaded together. A handle: copies name the same modules, which live until unload(), or until the last handle,
/// dispatcher, functor and variable of it has gone. Each load makes an independent set; two that loaded the same bytes
/// have each their own functions and variables. Every operation makes the context current and puts back what was there.
/// Reading is safe from any thread; unload() is too, but a launch that another thread has begun meets the driver with a
/// function that goes: the host driver refuses it, a real one may crash (seen with 580). Let launches end first.
class registry {
  public:
    /// Loads every module under its name, or none: after a failure nothing of this call stays loaded.
    /// Errors: errc::duplicate_module, invalid_name; errc::invalid_image for bytes that are no image, by name and before
    /// the driver sees them; the driver's, with its compiler's log and what the image holds against what the device is.
    template <class State = detail::loaded_registry<>>
    static registry load(const hanabi::context& in, std::initializer_list<module_source> modules) {
        return load_span<State>(in, {modules.begin(), modules.size()});
    }
    template <class State = detail::loaded_registry<>>
    static registry load(const hanabi::context& in, std::initializer_list<module_source> modules, std::error_code& code) {
        return load_span<State>(in, {modules.begin(), modules.size()}, code);
    }
    /// The same for a list made at run time.
    template <class State = detail::loaded_registry<>>
    static registry load_all(const hanabi::context& in, std::span<const module_source> modules) {
        return load_span<State>(in, modules);
    }
    template <class State = detail::loaded_registry<>>
    static registry load_all(const hanabi::context& in, std::span<const module_source> modules, std::error_code& code) {
        return load_span<State>(in, modules, code);
    }

    /// Verifies and resolves every kernel, so that a launch finds it ready (loaded for good, too, under lazy loading:
    /// cuFuncLoad). One error lists every fault of all of them: module, symbol, parameter, expected and found.
    template <kernel_descriptor... K>
    void require(const K&...) const {
        const descriptor* const list[] = {&K::info..., nullptr};
        require_all({list, sizeof...(K)});
    }

    /// Does beforehand, for kernels that are to be captured on the stream, what their first launch would do in the middle of
    /// the capture: require(), and the most dynamic shared memory that each can have is opted in. Errors: as require;
    /// errc::wrong_context for a stream of another context; errc::invalid_argument for one that is being captured already.
    template <kernel_descriptor... K>
    void warm(const hanabi::stream& on, const K&...) const {
        const descriptor* const list[] = {&K::info..., nullptr};
        const driver::stream_handle raw = on.handle();
        if (!(on.context() == context()))
            detail::raise(errc::wrong_context, "hanabi::registry::warm: the stream belongs to another context than the registry");
        state_->warm(raw, {list, sizeof...(K)});
    }

    /// What is proved of each kernel, and what is contradicted. Throws for nothing but the driver's own failures.
    template <kernel_descriptor... K>
    std::vector<kernel_report> check(const K&...) const {
        const descriptor* const list[] = {&K::info..., nullptr};
        return check_all({list, sizeof...(K)});
    }

    /// What is known of every kernel that was bound so far (by require, or by its first launch), in that order, as a table
    /// to be read or parsed: a heading, a line for each kernel, and after it an indented one for each of its parameters.
    /// Columns are separated by two blanks or more; "-" is an empty one:
    ///
    ///     kernel     parameters                     name             arity            size             class           types     contracts
    ///     m::axpy    4                              proved (driver)  proved (driver)  proved (driver)  unproved        unproved  none
    ///       1 alpha  floating point, 4 bytes, .f32  -                -                proved (driver)  proved (image)  unproved  -
    ///
    /// Nothing that was bound is contradicted. Works after unload, too.
    std::string report() const { return state_->report(); }

    /// The names given at the load, in that order.
    std::vector<std::string> names() const { return state_->names(); }
    bool has_module(std::string_view name) const noexcept { return state_->has_module(name); }
    /// The context that the modules live in.
    hanabi::context context() const noexcept { return hanabi::context{state_->context}; }
    /// The context's own stream, where dispatchers launch unless told otherwise.
    hanabi::stream stream() const { return hanabi::stream::own(context()); }

    /// A kernel's function by names, looked up each time (cuModuleGetFunction); for raw calls. Valid until unload.
    /// Errors: errc::unknown_module naming those there are; errc::unknown_symbol naming the nearest.
    driver::function_handle function(std::string_view module, std::string_view symbol) const { return state_->function(module, symbol); }

    /// Address and size of a __device__ or __constant__ variable by names, looked up each time (cuModuleGetGlobal).
    device_symbol symbol(std::string_view module, std::string_view name) const { return state_->symbol(module, name); }

    /// A variable by its descriptor. Error: errc::size_mismatch when the loaded one has another size.
    template <text Module, auto Symbol, class T> // auto: what nvcc makes of hanabi::symbol names the member function here
    device_variable<typename global<Module, Symbol, T>::value_type> variable(const global<Module, Symbol, T>& which) const {
        const name_view module = which.module_name, name = which.symbol;
        const device_symbol found = symbol({module.data(), module.size()}, {name.data(), name.size()});
        if (found.bytes != sizeof(T))
            detail::raise(errc::size_mismatch, "hanabi::registry::variable: " + std::string{module.data(), module.size()} +
                                                   "::" + std::string{name.data(), name.size()} + " is declared with " +
                                                   detail::bytes_text(sizeof(T)) + ", the loaded variable has " +
                                                   detail::bytes_text(found.bytes));
        using variable_type = device_variable<typename global<Module, Symbol, T>::value_type>;
        return {state_, device_ptr<typename variable_type::element_type>{found.address}, module, name};
    }

    /// Unloads every module, whoever still holds on to them; then every use of a functor, dispatcher or variable of this
    /// registry is errc::module_unloaded. Does nothing the second time. Waits for nothing by itself (the driver may wait
    /// for kernels that run). While this thread captures (hanabi::capture), the driver keeps the modules until what was
    /// captured has gone. Error: the driver's, naming the modules that failed to unload.
    void unload() const { state_->unload(); }
    void unload(std::error_code& code) const noexcept { state_->unload(code); }
    /// False once unloaded.
    bool loaded() const noexcept { return !state_->unloaded.acquire(); }

    /// True for handles of the same modules.
    friend bool operator==(const registry& a, const registry& b) noexcept { return a.state_ == b.state_; }

    /// For the library's own use: what stands behind the handle.
    const detail::shared<detail::registry_state>& state() const noexcept { return state_; }

    /// require, for descriptors collected at run time (`&axpy.info`).
    void require_all(std::span<const descriptor* const> list) const { state_->require(list); }

    /// check, for descriptors collected at run time.
    std::vector<kernel_report> check_all(std::span<const descriptor* const> list) const { return state_->check(list); }

  private:
    explicit registry(detail::shared<detail::registry_state> state) noexcept : state_{std::move(state)} {}

    template <class State>
    static registry load_span(const hanabi::context& in, std::span<const module_source> modules) {
        auto state = detail::shared<State>::make(in.state());
        if (detail::failure f; !state->load(modules, f)) detail::raise(std::move(f));
        return registry{std::move(state)};
    }
    /// On failure the registry is an empty, unloaded one.
    template <class State>
    static registry load_span(const hanabi::context& in, std::span<const module_source> modules, std::error_code& code) {
        auto state = detail::shared<State>::make(in.state());
        code = {};
        if (detail::failure f; !state->load(modules, f)) {
            code = f.code;
            state->unloaded.release(true);
        }
        return registry{std::move(state)};
    }

    detail::shared<detail::registry_state> state_;
};

template <class T>
void device_variable<T>::check(const char* operation) const {
    if (!registry_->unloaded.acquire()) [[likely]]
        return;
    const std::string name = std::string{module_.data(), module_.size()} + "::" + std::string{symbol_.data(), symbol_.size()};
    detail::raise(registry_->unloaded_failure(std::string{operation} + ": " + name));
}

template <class T>
stream device_variable<T>::queue() const {
    return stream::own(context{registry_->context});
}

} // namespace hanabi

#endif
