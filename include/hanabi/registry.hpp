// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The registry: one model's modules, loaded into one context, owned together.

#ifndef HANABI_REGISTRY_HPP
#define HANABI_REGISTRY_HPP

#include <hanabi/context.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/registry_state.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/global.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/module_source.hpp>
#include <hanabi/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace hanabi {

/// Address and size of a variable of a module (cuModuleGetGlobal).
struct device_symbol {
    driver::device_address address = 0;
    std::size_t bytes = 0;
};

/// Modules loaded together. A handle: copies name the same modules, which live until unload(), or until the last handle,
/// dispatcher, functor and variable of it has gone. Each load makes an independent set; two that loaded the same bytes
/// have each their own functions and variables. Every operation makes the context current and puts back what was there.
/// Reading is safe from any thread; unload() is too, but launches of other threads may then be refused midway.
class registry {
  public:
    /// Loads every module under its name, or none: after a failure nothing of this call stays loaded.
    /// Errors: errc::duplicate_module, invalid_name; errc::invalid_image for bytes that are no image, by name and before
    /// the driver sees them; the driver's, with its compiler's log and what the image holds against what the device is.
    static registry load(const hanabi::context& in, std::initializer_list<module_source> modules) { return load_span(in, {modules.begin(), modules.size()}); }
    static registry load(const hanabi::context& in, std::initializer_list<module_source> modules, std::error_code& code) {
        return load_span(in, {modules.begin(), modules.size()}, code);
    }
    /// The same for a list made at run time.
    static registry load_all(const hanabi::context& in, std::span<const module_source> modules) { return load_span(in, modules); }
    static registry load_all(const hanabi::context& in, std::span<const module_source> modules, std::error_code& code) { return load_span(in, modules, code); }

    /// Verifies and resolves every kernel, so that a launch finds it ready (loaded for good, too, under lazy loading:
    /// cuFuncLoad). One error lists every fault of all of them: module, symbol, parameter, expected and found.
    template <kernel_descriptor... K>
    void require(const K&...) const {
        const descriptor* const list[] = {&K::info..., nullptr};
        require_all({list, sizeof...(K)});
    }

    /// What is proved of each kernel, and what is contradicted. Throws for nothing but the driver's own failures.
    template <kernel_descriptor... K>
    std::vector<kernel_report> check(const K&...) const {
        const descriptor* const list[] = {&K::info..., nullptr};
        return check_all({list, sizeof...(K)});
    }

    /// The names given at the load, in that order.
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const detail::loaded_module& m : state_->modules) all.push_back(m.name);
        return all;
    }
    bool has_module(std::string_view name) const noexcept { return state_->find_module(name) != nullptr; }
    /// The context that the modules live in.
    hanabi::context context() const noexcept { return hanabi::context{state_->context}; }
    /// The context's own stream, where dispatchers launch unless told otherwise.
    hanabi::stream stream() const { return hanabi::stream::own(context()); }

    /// A kernel's function by names, looked up each time (cuModuleGetFunction); for raw calls. Valid until unload.
    /// Errors: errc::unknown_module naming those there are; errc::unknown_symbol naming the nearest.
    driver::function_handle function(std::string_view module, std::string_view symbol) const {
        const std::string operation = "hanabi::registry::function";
        const detail::loaded_module& m = module_for(operation, module, symbol);
        const detail::lock held{state_->mutex}; // against an unload at the same time
        if (!loaded()) detail::raise(state_->unloaded_failure(operation));
        const detail::current_scope scope{*state_->context};
        driver::function_handle found = nullptr;
        driver::status s = scope.status();
        if (s == driver::status::success) s = state_->find_function(m, std::string{symbol}, found);
        if (s == driver::status::not_found) detail::raise(errc::unknown_symbol, operation + ": " + state_->instead_of(m, std::string{symbol}));
        if (s != driver::status::success) detail::raise(detail::driver_failure(*state_->context, s, operation + ": " + m.name + "::" + std::string{symbol}, state_->suspects()));
        return found;
    }

    /// Address and size of a __device__ or __constant__ variable by names, looked up each time (cuModuleGetGlobal).
    device_symbol symbol(std::string_view module, std::string_view name) const {
        const std::string operation = "hanabi::registry::symbol";
        const detail::loaded_module& m = module_for(operation, module, name);
        const detail::lock held{state_->mutex};
        if (!loaded()) detail::raise(state_->unloaded_failure(operation));
        const detail::current_scope scope{*state_->context};
        device_symbol found;
        driver::status s = scope.status();
        if (s == driver::status::success) s = state_->context->driver->module_get_global(&found.address, &found.bytes, m.handle, std::string{name}.c_str());
        if (s == driver::status::not_found) detail::raise(errc::unknown_symbol, operation + ": " + no_variable(m, name));
        if (s != driver::status::success) detail::raise(detail::driver_failure(*state_->context, s, operation + ": " + m.name + "::" + std::string{name}, state_->suspects()));
        return found;
    }

    /// A variable by its descriptor. Error: errc::size_mismatch when the loaded one has another size.
    template <text Module, auto Symbol, class T> // auto: what nvcc makes of hanabi::symbol names the member function here
    device_variable<typename global<Module, Symbol, T>::value_type> variable(const global<Module, Symbol, T>& which) const {
        const name_view module = which.module_name, name = which.symbol;
        const device_symbol found = symbol({module.data(), module.size()}, {name.data(), name.size()});
        if (found.bytes != sizeof(T))
            detail::raise(errc::size_mismatch, "hanabi::registry::variable: " + std::string{module.data(), module.size()} + "::" + std::string{name.data(), name.size()} +
                                                   " is declared with " + detail::bytes_text(sizeof(T)) + ", the loaded variable has " + detail::bytes_text(found.bytes));
        using variable_type = device_variable<typename global<Module, Symbol, T>::value_type>;
        return {state_, device_ptr<typename variable_type::element_type>{found.address}, module, name};
    }

    /// Unloads every module, whoever still holds on to them; then every use of a functor, dispatcher or variable of this
    /// registry is errc::module_unloaded. Does nothing the second time. Waits for nothing by itself (the driver may wait
    /// for kernels that run). Error: the driver's, naming the modules that failed to unload.
    void unload() const {
        const auto failed = state_->unload_all();
        if (failed.empty()) return;
        std::string operation = "hanabi::registry::unload";
        for (const auto& [what, status] : failed) operation += (&what == &failed.front().first ? ": " : ", ") + what;
        detail::raise(detail::driver_failure(*state_->context, failed.front().second, std::move(operation), state_->suspects()));
    }
    void unload(std::error_code& code) const noexcept {
        const auto failed = state_->unload_all();
        code = failed.empty() ? std::error_code{} : detail::driver_error_code(state_->context.get(), failed.front().second);
    }
    /// False once unloaded.
    bool loaded() const noexcept { return !state_->unloaded.acquire(); }

    /// True for handles of the same modules.
    friend bool operator==(const registry& a, const registry& b) noexcept { return a.state_ == b.state_; }

    /// For the library's own use: what stands behind the handle.
    const detail::shared<detail::registry_state>& state() const noexcept { return state_; }

    /// require, for descriptors collected at run time (`&axpy.info`).
    void require_all(std::span<const descriptor* const> list) const {
        std::optional<detail::current_scope> scope; // once for all that are new; a failure shows again below
        std::vector<kernel_report> wrong;
        for (const descriptor* d : list) {
            if (state_->slots.find(*d) != nullptr && loaded() && !detail::process_forked) continue;
            if (!scope) scope.emplace(*state_->context);
            kernel_report report;
            detail::failure f;
            if (state_->examine(*d, report, true, f) == nullptr && f.code) detail::raise(f.code, "hanabi::registry::require: " + f.message);
            if (!report.good()) wrong.push_back(std::move(report));
        }
        if (!wrong.empty()) detail::raise(state_->fault_failure("hanabi::registry::require", wrong));
    }

    /// check, for descriptors collected at run time.
    std::vector<kernel_report> check_all(std::span<const descriptor* const> list) const {
        const detail::current_scope scope{*state_->context};
        std::vector<kernel_report> reports;
        for (const descriptor* d : list) {
            detail::failure f;
            state_->examine(*d, reports.emplace_back(), false, f);
            if (f.code) detail::raise(f.code, "hanabi::registry::check: " + f.message);
        }
        return reports;
    }

  private:
    explicit registry(detail::shared<detail::registry_state> state) noexcept : state_{std::move(state)} {}

    static registry load_span(const hanabi::context& in, std::span<const module_source> modules) {
        auto state = detail::shared<detail::registry_state>::make(in.state());
        if (detail::failure f; !state->load(modules, f)) detail::raise(std::move(f));
        return registry{std::move(state)};
    }
    /// On failure the registry is an empty, unloaded one.
    static registry load_span(const hanabi::context& in, std::span<const module_source> modules, std::error_code& code) {
        auto state = detail::shared<detail::registry_state>::make(in.state());
        code = {};
        if (detail::failure f; !state->load(modules, f)) {
            code = f.code;
            state->unloaded.release(true);
        }
        return registry{std::move(state)};
    }

    const detail::loaded_module& module_for(const std::string& operation, std::string_view module, std::string_view symbol) const {
        if (symbol.empty() || symbol.find('\0') != std::string_view::npos)
            detail::raise(errc::invalid_name, operation + ": " + std::string{module} + ": the symbol's name is empty or has a NUL in it");
        if (detail::process_forked) detail::raise(detail::forked_failure(operation));
        if (!loaded()) detail::raise(state_->unloaded_failure(operation));
        const detail::loaded_module* const m = state_->find_module(module);
        if (m == nullptr) detail::raise(state_->unknown_module(operation, module));
        return *m;
    }

    std::string no_variable(const detail::loaded_module& m, std::string_view name) const {
        std::vector<std::string> names;
        for (const image::variable_summary& v : m.variables)
            if (v.space != image::state_space::shared) names.push_back(v.symbol);
        std::string text = "module '" + m.name + "' has no variable '" + std::string{name} + "'";
        const std::vector<std::string> near = nearest(std::string{name}, names, 5);
        const char* before = "; near are ";
        for (const std::string& n : near) {
            text += before + ("'" + n + "'");
            before = ", ";
        }
        return near.empty() ? text + "; variables in a namespace are found by hanabi::cxx(\"ns::name\"), unused ones may have been removed by the compiler" : text;
    }

    detail::shared<detail::registry_state> state_;
};

template <class T>
void device_variable<T>::check(const char* operation) const {
    if (!registry_->unloaded.acquire()) [[likely]] return;
    const std::string name = std::string{module_.data(), module_.size()} + "::" + std::string{symbol_.data(), symbol_.size()};
    detail::raise(registry_->unloaded_failure(std::string{operation} + ": " + name));
}

template <class T>
stream device_variable<T>::queue() const {
    return stream::own(context{registry_->context});
}

} // namespace hanabi

#endif
