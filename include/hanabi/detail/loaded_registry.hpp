// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a registry does at length: loading modules, looking names up in them, verifying and binding descriptors, and
/// saying what is wrong.

#ifndef HANABI_DETAIL_LOADED_REGISTRY_HPP
#define HANABI_DETAIL_LOADED_REGISTRY_HPP

#include <hanabi/config.hpp>
#include <hanabi/demangle.hpp>
#include <hanabi/detail/binding.hpp>
#include <hanabi/detail/capture_scope.hpp>
#include <hanabi/detail/chain.hpp>
#include <hanabi/detail/compare.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/examine.hpp>
#include <hanabi/detail/launch.hpp>
#include <hanabi/detail/missing_symbol.hpp>
#include <hanabi/detail/name_table.hpp>
#include <hanabi/detail/registry_state.hpp>
#include <hanabi/detail/report_table.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>
#include <hanabi/image/hook.hpp>
#include <hanabi/image/target.hpp>
#include <hanabi/kernel_report.hpp>
#include <hanabi/module_source.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hanabi::detail {

/// A loaded module and what is known of its image.
template <class Summary>
struct loaded_module {
    using kernel_summary = typename decltype(Summary::kernels)::value_type;

    std::string name;
    driver::module_handle handle = nullptr;
    std::string contents;               ///< the image in words, for messages
    decltype(Summary::kernels) kernels; ///< of the part that the driver takes, where readable; else of all parts
    decltype(Summary::variables) variables;
    bool complete = false;                         ///< the lists are all there is
    name_table<const kernel_summary> kernel_index; ///< by symbol

    const kernel_summary* find_kernel(std::string_view symbol) const noexcept { return kernel_index.find(symbol); }
};

/// The registry that registry::load makes. Modules are constant after the load until unload(). A template, with
/// the types that it works on as parameters, so that sources which load nothing don't compile it.
template <class Summary = image::summary, class Report = kernel_report>
struct loaded_registry final : registry_state {
    using loaded_module = detail::loaded_module<Summary>;
    using kernel_summary = typename loaded_module::kernel_summary;

    chain<loaded_module> modules; ///< in the order given
    name_table<loaded_module> module_index;
    chain<Report> bound; ///< of every binding, in the order they were made; under the mutex

    using registry_state::registry_state;
    ~loaded_registry() override { unload_all(&report_teardown_of); }

    // Loading

    /// Loads every module, or none: on failure what was loaded is unloaded again.
    bool load(std::span<const module_source> sources, failure& f) {
        if (process_forked) {
            f = forked_failure("hanabi::registry::load");
            return false;
        }
        watch_forks(); // in a shared object, the flag may be its own
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (sources[i].name.empty() || sources[i].name.find('\0') != std::string_view::npos)
                return refuse_load(f, errc::invalid_name, "hanabi::registry::load: a module's name is empty or has a NUL in it");
            for (std::size_t j = 0; j < i; ++j)
                if (sources[i].name == sources[j].name)
                    return refuse_load(f, errc::duplicate_module,
                                       "hanabi::registry::load: module '" + std::string{sources[i].name} +
                                           "' is given twice; names tell modules apart");
        }
        const current_scope scope{*context};
        if (scope.status() != driver::status::success) {
            f = driver_failure(*context, scope.status(), "hanabi::registry::load: making the context current", suspects());
            return false;
        }
        const relaxed_capture relaxed{*context->driver};
        for (const module_source& source : sources)
            if (!load_one(source, f)) {
                unload_all(&report_teardown_of);
                module_index.clear();
                modules.clear();
                return false;
            }
        return true;
    }

    /// Unloads everything, once; calls `failed` with what failed to and the status. Bindings lose their functions first, so that a launch after this is
    /// an error and not a stale handle.
    template <class Failed>
    void unload_all(Failed failed) noexcept {
        if (process_forked) return;
        const detail::lock held{mutex};
        unloaded.release(true);
        for (binding& b : bindings) {
            b.plain_function.release(nullptr);
            b.function.release(nullptr);
        }
        if (modules.empty() || context_gone(*context)) {
            for (loaded_module& m : modules) m.handle = nullptr;
            return;
        }
        const current_scope scope{*context};
        for (loaded_module& m : modules) {
            const driver::module_handle handle = std::exchange(m.handle, nullptr);
            if (handle == nullptr) continue;
            // In a capture: unloading would break it, and what is captured may launch the module's kernels.
            if (keep_for_capture([in = context, handle] {
                    tear_down(*in, "unloading a module that was captured", [&] { return in->driver->module_unload(handle); });
                }))
                continue;
            const driver::status s = scope.status() == driver::status::success ? context->driver->module_unload(handle) : scope.status();
            if (s != driver::status::success && !driver::is_teardown(s)) failed("unloading module '" + m.name + "'", s);
        }
    }

    // What the handle asks for

    std::vector<std::string> names() const override {
        std::vector<std::string> all;
        for (const loaded_module& m : modules) all.push_back(m.name);
        return all;
    }
    bool has_module(std::string_view name) const noexcept override { return find_module(name) != nullptr; }

    driver::function_handle function(std::string_view module, std::string_view symbol) override {
        const std::string operation = "hanabi::registry::function";
        const loaded_module& m = module_for(operation, module, symbol);
        const detail::lock held{mutex}; // against an unload at the same time
        if (unloaded.acquire()) raise(unloaded_failure(operation));
        const current_scope scope{*context};
        driver::function_handle found = nullptr;
        driver::status s = scope.status();
        if (s == driver::status::success) s = find_function(m, std::string{symbol}, found);
        if (s == driver::status::not_found) raise(errc::unknown_symbol, operation + ": " + instead_of(m, std::string{symbol}));
        if (s != driver::status::success)
            raise(driver_failure(*context, s, operation + ": " + m.name + "::" + std::string{symbol}, suspects()));
        return found;
    }

    device_symbol symbol(std::string_view module, std::string_view name) override {
        const std::string operation = "hanabi::registry::symbol";
        const loaded_module& m = module_for(operation, module, name);
        const detail::lock held{mutex};
        if (unloaded.acquire()) raise(unloaded_failure(operation));
        const current_scope scope{*context};
        device_symbol found;
        driver::status s = scope.status();
        if (s == driver::status::success)
            s = context->driver->module_get_global(&found.address, &found.bytes, m.handle, std::string{name}.c_str());
        if (s == driver::status::not_found) raise(errc::unknown_symbol, operation + ": " + no_variable(m, name));
        if (s != driver::status::success)
            raise(driver_failure(*context, s, operation + ": " + m.name + "::" + std::string{name}, suspects()));
        return found;
    }

    void unload() override {
        driver::status first = driver::status::success;
        std::string operation = "hanabi::registry::unload";
        unload_all([&](const std::string& what, driver::status status) {
            operation += (first == driver::status::success ? ": " : ", ") + what;
            if (first == driver::status::success) first = status;
        });
        if (first != driver::status::success) raise(driver_failure(*context, first, std::move(operation), suspects()));
    }
    void unload(std::error_code& code) noexcept override {
        driver::status first = driver::status::success;
        unload_all([&](const std::string&, driver::status status) {
            if (first == driver::status::success) first = status;
        });
        code = first == driver::status::success ? std::error_code{} : driver_error_code(context.get(), first);
    }

    void require(std::span<const descriptor* const> list) override {
        const auto ready = [this](const descriptor* d) { return slots.find(*d) != nullptr && !unloaded.relaxed() && !process_forked; };
        std::size_t first = 0;
        while (first != list.size() && ready(list[first])) ++first;
        if (first == list.size()) return;
        const current_scope scope{*context}; // once for all that are new; a failure shows again below
        std::vector<Report> wrong;
        for (; first != list.size(); ++first) {
            const descriptor* const d = list[first];
            if (ready(d)) continue;
            Report report;
            failure f;
            if (examine(*d, report, true, f) == nullptr && f.code) raise(f.code, "hanabi::registry::require: " + f.message);
            if (!report.good()) wrong.push_back(std::move(report));
        }
        if (!wrong.empty()) raise(fault_failure("hanabi::registry::require", wrong));
    }

    void warm(driver::stream_handle stream, std::span<const descriptor* const> list) override {
        const char* const operation = "hanabi::registry::warm";
        const current_scope scope{*context};
        driver::status s = scope.status();
        driver::capture_status capturing = driver::capture_status::none;
        if (s == driver::status::success && context->driver->stream_is_capturing != nullptr)
            s = context->driver->stream_is_capturing(stream, &capturing);
        if (s != driver::status::success) raise(driver_failure(*context, s, operation, suspects()));
        if (capturing != driver::capture_status::none)
            raise(errc::invalid_argument, std::string{operation} + ": the stream is being captured already: warm up before");
        require(list);
        const detail::lock held{mutex};
        if (unloaded.relaxed()) raise(unloaded_failure(operation));
        for (const descriptor* d : list) {
            binding* const b = slots.find(*d);
            const driver::function_handle function = b == nullptr ? nullptr : b->function.relaxed();
            if (function == nullptr || b->shared_ready.relaxed() >= b->shared_limit) continue;
            s = context->driver->func_set_attribute(function, driver::function_attribute::max_dynamic_shared_size_bytes,
                                                    static_cast<int>(b->shared_limit));
            if (s != driver::status::success)
                raise(driver_failure(*context, s,
                                     operation + (": " + b->name) + ": raising the limit of dynamic shared memory to " +
                                         std::to_string(b->shared_limit) + " bytes",
                                     suspects()));
            b->shared_ready.relaxed(b->shared_limit);
        }
    }

    std::vector<Report> check(std::span<const descriptor* const> list) override {
        const current_scope scope{*context};
        std::vector<Report> reports;
        for (const descriptor* d : list) {
            failure f;
            examine(*d, reports.emplace_back(), false, f);
            if (f.code) raise(f.code, "hanabi::registry::check: " + f.message);
        }
        return reports;
    }

    std::string report() override {
        if (process_forked) raise(forked_failure("hanabi::registry::report"));
        const detail::lock held{mutex};
        return report_table(bound);
    }

    // Looking up

    loaded_module* find_module(std::string_view name) const noexcept { return module_index.find(name); }

    failure unknown_module(std::string operation, std::string_view name) const {
        operation += ": the registry has no module '" + std::string{name} + "'; it has";
        if (modules.empty()) operation += " none";
        const char* before = " ";
        for (loaded_module& m : modules) {
            operation += before + ("'" + m.name + "'");
            before = ", ";
        }
        return {errc::unknown_module, std::move(operation)};
    }

    /// The function of a module's kernel. Where the image could be read to its end, its list is the truth: a driver that
    /// hands out a handle for another name is not believed.
    driver::status find_function(const loaded_module& m, const std::string& symbol, driver::function_handle& function) const {
        if (m.complete && m.find_kernel(symbol) == nullptr) return driver::status::not_found;
        driver::function_handle found = nullptr;
        const driver::status s = context->driver->module_get_function(&found, m.handle, symbol.c_str());
        if (s == driver::status::success) function = found;
        return s == driver::status::success && found == nullptr ? driver::status::not_found : s;
    }

    /// The names of a module's kernels: the image's, or the driver's where the image could not be read (CUDA 12.4).
    std::vector<std::string> kernel_names(const loaded_module& m) const {
        std::vector<std::string> names;
        for (const kernel_summary& k : m.kernels) names.push_back(k.symbol);
        const driver::table& t = *context->driver;
        if (m.complete || t.module_get_function_count == nullptr || t.module_enumerate_functions == nullptr || t.func_get_name == nullptr)
            return names;
        unsigned count = 0;
        if (t.module_get_function_count(&count, m.handle) != driver::status::success || count == 0) return names;
        std::vector<typename dependent<driver::function_handle, Report>::type> functions(count);
        if (t.module_enumerate_functions(functions.data(), count, m.handle) != driver::status::success) return names;
        names.clear();
        for (const driver::function_handle function : functions) {
            const char* name = nullptr;
            if (t.func_get_name(&name, function) == driver::status::success && name != nullptr) names.emplace_back(name);
        }
        return names;
    }

    /// What there is instead of a kernel that isn't: the module in words, the nearest names, demangled, and other modules
    /// that have it.
    std::string instead_of(const loaded_module& m, const std::string& symbol) const {
        const std::vector<std::string> names = kernel_names(m);
        std::string s = missing_text(in_words(m, names.size()), symbol, names);
        for (loaded_module& other : modules)
            if (&other != &m && other.find_kernel(symbol) != nullptr) s += "; module '" + other.name + "' has it";
        return s;
    }
    static std::string in_words(const loaded_module& m, std::size_t kernels) {
        return "module '" + m.name + "' (" + m.contents + ", " + std::to_string(kernels) + (kernels == 1 ? " kernel)" : " kernels)");
    }

    // Binding

    /// The binding of a descriptor, made and verified if it is not there yet; null with `f` set when it can't be.
    /// `operation` is what the binding is for.
    binding* bind(const descriptor& d, const std::string& operation, failure& f) override {
        Report report;
        binding* const b = examine(d, report, true, f);
        if (b != nullptr) return b;
        if (!f.code)
            f = fault_failure(operation, std::span{&report, 1});
        else
            f.message = operation + ": " + f.message;
        return nullptr;
    }

    bool launch(binding* b, const launch_request& r, driver::status s, bool launched, failure& f) override {
        return launch_otherwise(*this, b, r, s, launched, f);
    }
    bool check(binding& b, const launch_request& r, launch_extents& e, failure& f) override { return check_launch(b, r, e, f); }

    /// Verifies one descriptor; with `keep`, binds it if it is good. Null with `f` set when the driver failed, null with
    /// faults in the report when the claim is wrong.
    binding* examine(const descriptor& d, Report& report, bool keep, failure& f) {
        begin_report(d, report);
        const std::string& name = report.label;
        if (process_forked) { // before the lock, which another thread may have held when the process forked
            f = forked_failure("binding " + name);
            return nullptr;
        }
        watch_forks();
        const detail::lock held{mutex};
        if (unloaded.relaxed()) {
            f = unloaded_failure("binding " + name);
            return nullptr;
        }
        if (keep) {
            if (__atomic_load_n(d.slot, __ATOMIC_RELAXED) == 0) forget(d);
            number_descriptor(d);
            if (binding* const b = slots.find(d)) return b; // somebody was faster
        }
        loaded_module* const m = find_module({d.module.data(), d.module.size()});
        if (m == nullptr) {
            report.name = {verdict::contradicted, proof::driver};
            report.faults.push_back({errc::unknown_module, 0, unknown_module("looked up", {d.module.data(), d.module.size()}).message});
            return nullptr;
        }
        const current_scope scope{*context};
        if (scope.status() != driver::status::success) {
            f = driver_failure(*context, scope.status(), "binding " + name + ": making the context current", suspects());
            return nullptr;
        }
        const relaxed_capture relaxed{*context->driver};
        std::string symbol{d.symbol.data(), d.symbol.size()};
        if (d.by_pattern && !resolve_pattern(*m, symbol, report)) return nullptr;

        driver::function_handle function = nullptr;
        driver::status s = find_function(*m, symbol, function);
        if (s == driver::status::not_found) {
            report.name = {verdict::contradicted, m->complete ? proof::image : proof::driver};
            report.faults.push_back({errc::unknown_symbol, 0, instead_of(*m, symbol)});
            return nullptr;
        }
        if (s == driver::status::success && context->driver->func_load != nullptr) s = context->driver->func_load(function);
        if (s != driver::status::success) {
            f = driver_failure(*context, s, "binding " + name + ": looking the kernel up", suspects());
            return nullptr;
        }
        report.name = {verdict::proved, proof::driver};

        binding made;
        const kernel_summary* const known = m->find_kernel(symbol);
        if (!verify_parameters(d, function, known, report, f)) return nullptr;
        made.hidden = report.hidden;
        if (!read_function(d, function, known, report, made, f)) return nullptr;
        if (d.by_pattern) report.label = m->name + "::" + symbol;
        if (!report.good() || !keep) return nullptr;
        Report& kept = bound.add(); // first: nothing may throw once the binding can be found
        kept = std::move(report);
        kept.kernel = nullptr; // which may go, with its shared object
        binding& b = bindings.add();
        adopt(b, made, d, function);
        b.name = descriptor_name(d);
        b.made_before = newest.relaxed();
        newest.release(&b);
        slots.publish(&b);
        return &b;
    }

    /// One error for all that is wrong with all descriptors.
    failure fault_failure(const std::string& operation, std::span<const Report> reports) const {
        failure f;
        std::size_t count = 0;
        std::string lines;
        for (const Report& report : reports)
            for (const fault& one : report.faults) {
                if (!f.code) f.code = one.code;
                lines += "\n  " + descriptor_name(*report.kernel);
                if (one.code != errc::unknown_symbol) lines += readable_name(report.kernel->symbol.data()); // that says it itself
                lines += ": " + one.text;
                ++count;
            }
        f.message = operation + ": " + std::to_string(count) + (count == 1 ? " fault" : " faults") + lines;
        return f;
    }

  private:
    static void report_teardown_of(const std::string& operation, driver::status status) noexcept {
        report_teardown(operation.c_str(), status);
    }

    const loaded_module& module_for(const std::string& operation, std::string_view module, std::string_view symbol) const {
        if (symbol.empty() || symbol.find('\0') != std::string_view::npos)
            raise(errc::invalid_name, operation + ": " + std::string{module} + ": the symbol's name is empty or has a NUL in it");
        if (process_forked) raise(forked_failure(operation));
        if (unloaded.acquire()) raise(unloaded_failure(operation));
        const loaded_module* const m = find_module(module);
        if (m == nullptr) raise(unknown_module(operation, module));
        return *m;
    }

    std::string no_variable(const loaded_module& m, std::string_view name) const {
        std::vector<std::string> names;
        for (const auto& v : m.variables)
            if (v.space != image::state_space::shared) names.push_back(v.symbol);
        std::string text = "module '" + m.name + "' has no variable '" + std::string{name} + "'";
        const std::vector<std::string> near = nearest(std::string{name}, names, 5);
        const char* before = "; near are ";
        for (const std::string& n : near) {
            text += before + ("'" + n + "'");
            before = ", ";
        }
        return near.empty() ? text + "; variables in a namespace are found by hanabi::cxx(\"ns::name\"), unused ones may have been removed "
                                     "by the compiler"
                            : text;
    }

    /// Lets go of bindings made for descriptors that lay where this one lies, in a shared object that was closed since.
    void forget(const descriptor& d) noexcept {
        for (binding& b : bindings)
            if (b.key.relaxed() == &d) b.key.relaxed(nullptr);
    }

    static bool refuse_load(failure& f, errc code, std::string message) {
        f = {code, std::move(message)};
        return false;
    }

    bool load_one(const module_source& source, failure& f) {
        const std::string label = "hanabi::registry::load: module '" + std::string{source.name} + "'";
        if (source.bytes.data() == nullptr && !source.bytes.empty())
            return refuse_load(f, errc::invalid_argument,
                               label + ": a null pointer is given, with a size of " + bytes_text(source.bytes.size()));
        Summary summary = image::read<Summary>(source.bytes);
        const image::classification& what = summary.what;
        if (!what.usable) return refuse_load(f, errc::invalid_image, label + ": " + image::describe(what) + image::undefined_text(summary));

        std::string text; // the driver reads PTX as a C string: it gets a terminated copy, without the mark that ptxas refuses
        const void* bytes = source.bytes.data();
        if (what.kind == image::kind::ptx) {
            text.assign(reinterpret_cast<const char*>(source.bytes.data()) + what.text_begin, what.text_end - what.text_begin);
            bytes = text.c_str();
        }
        char error_log[8192] = {};
        driver::jit_option options[] = {driver::jit_option::error_log_buffer, driver::jit_option::error_log_buffer_size_bytes};
        void* values[] = {error_log, reinterpret_cast<void*>(static_cast<std::uintptr_t>(sizeof error_log - 1))};
        loaded_module& m = modules.add(); // first: nothing may throw with the module loaded and in no list
        m.name = source.name;
        driver::module_handle handle = nullptr;
        const driver::status s = context->driver->module_load_data_ex(&handle, bytes, 2, options, values);
        if (s != driver::status::success) {
            f = load_failure(label, s, summary, error_log);
            return false;
        }
        m.handle = handle;
        m.contents = image::contents(summary);
        keep_lists(m, summary);
        for (std::size_t i = 0; i < m.kernels.size(); ++i) m.kernel_index.add(m.kernels[i].symbol, &m.kernels[i]);
        module_index.add(m.name, &m);
        if (context->driver->module_set_label != nullptr) static_cast<void>(context->driver->module_set_label(handle, m.name.c_str()));
        return true;
    }

    /// Keeps what the driver's choice of part has; of an image that could not be read whole, what could be.
    void keep_lists(loaded_module& m, Summary& s) const {
        const auto capability = static_cast<std::uint32_t>(context->capability.major * 10 + context->capability.minor);
        const auto* const chosen = image::select_part(s, capability);
        if (chosen != nullptr && chosen->readable) {
            m.kernels = chosen->kernels;
            m.variables = chosen->variables;
            m.complete = true;
            if (s.parts.size() == 1) return;
            // A cubin says nothing of types: the merged list has them from the PTX beside it.
            name_table<const kernel_summary> merged;
            for (const kernel_summary& k : s.kernels) merged.add(k.symbol, &k);
            for (kernel_summary& k : m.kernels)
                if (const kernel_summary* const other = merged.find(k.symbol); other != nullptr && other->parameters_known)
                    k.parameters = other->parameters;
            consider_alternatives(m.kernels, s, *chosen, capability);
            return;
        }
        m.kernels = std::move(s.kernels);
        m.variables = std::move(s.variables);
        m.complete = s.complete && s.parts.size() == 1;
        if (chosen == nullptr) return;
        for (kernel_summary& k : m.kernels) k.griddepcontrol_wait = image::answer::unknown; // of the part that nobody could read
        consider_alternatives(m.kernels, s, *chosen, capability);
    }

    /// What the other parts that run on the device say of waiting, for the driver could take those as well (it is told to
    /// by CUDA_FORCE_PTX_JIT). A part for a device that has no griddepcontrol says nothing against the kernel's author.
    template <class Kernels, class Part>
    static void consider_alternatives(Kernels& kernels, const Summary& s, const Part& chosen, std::uint32_t capability) {
        name_table<kernel_summary> index;
        for (std::size_t i = 0; i < kernels.size(); ++i) index.add(kernels[i].symbol, &kernels[i]);
        for (const Part& other : s.parts) {
            if (&other == &chosen || other.relocatable || !image::runs_on(other.form, other.target, capability)) continue;
            for (const kernel_summary& k : other.kernels) {
                kernel_summary* const mine = index.find(k.symbol);
                if (mine == nullptr || k.griddepcontrol_wait == image::answer::yes) continue;
                if (k.griddepcontrol_wait == image::answer::no && other.target.sm >= 90)
                    mine->griddepcontrol_wait = image::answer::no;
                else if (mine->griddepcontrol_wait == image::answer::yes)
                    mine->griddepcontrol_wait = image::answer::unknown;
            }
        }
    }

    /// Why a load failed: what the image holds, what the device is, what the compiler said, what the driver says.
    failure load_failure(const std::string& label, driver::status s, const Summary& summary, const char* log) const {
        std::string message = label + ": the image holds " + image::contents(summary) + "; the device is of compute capability " +
                              std::to_string(context->capability.major) + "." + std::to_string(context->capability.minor) +
                              ", the driver supports CUDA " + std::to_string(context->driver_version / 1000) + "." +
                              std::to_string(context->driver_version % 1000 / 10);
        if (s == driver::status::unsupported_ptx_version)
            message += ", which reads PTX up to version " + image::newest_ptx_text(context->driver_version);
        if (s == driver::status::no_binary_for_gpu)
            message += "; a cubin runs on its major version from its minor version on (sm_90a: on 9.0 alone), PTX on its version and later";
        if (summary.what.trouble == image::trouble::non_ascii)
            message += "; the text has a byte beyond ASCII at offset " + std::to_string(summary.what.offset) +
                       ", which the compiler of PTX refuses even in comments";
        if (log[0] != '\0') {
            message += "; its compiler says: ";
            message += log;
            while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
        }
        return driver_failure(*context, s, std::move(message), suspects());
    }

    /// Replaces a pattern of demangled names by the one symbol that it means.
    bool resolve_pattern(const loaded_module& m, std::string& symbol, Report& report) const {
        const std::vector<std::string> names = kernel_names(m);
        const std::vector<std::string> hits = matching_names(symbol, names);
        if (hits.size() == 1) {
            symbol = hits.front();
            return true;
        }
        report.name = {verdict::contradicted, m.complete ? proof::image : proof::driver};
        report.faults.push_back({errc::unknown_symbol, 0, not_one_text("module '" + m.name + "'", symbol, hits, names)});
        return false;
    }

    /// Compares the declared parameters with the loaded kernel's: by the driver's query, else by the image.
    bool verify_parameters(const descriptor& d, driver::function_handle function, const kernel_summary* known, Report& report,
                           failure& f) const {
        std::vector<std::uint64_t> sizes;
        if (context->driver->func_get_param_info != nullptr) {
            const driver::status s = ask_sizes(*context->driver, function, sizes);
            if (s != driver::status::success) {
                f = driver_failure(*context, s, "binding " + report.label + ": asking for parameter " + std::to_string(sizes.size() + 1),
                                   suspects());
                return false;
            }
            report.hidden = compare_layout(d, sizes, proof::driver, report);
        } else if (known != nullptr && known->parameters_known) {
            for (const auto& p : known->parameters) sizes.push_back(p.size);
            report.hidden = compare_layout(d, sizes, proof::image, report);
        }
        if (known != nullptr && known->parameters_known && report.arity.what != verdict::contradicted) compare_classes(d, *known, report);
        compare_name(d, report);
        return true;
    }

    /// Reads what launches are checked against, and compares it with the contracts.
    bool read_function(const descriptor& d, driver::function_handle function, const kernel_summary* known, Report& report, binding& b,
                       failure& f) const {
        using attribute = driver::function_attribute;
        const driver::table& driver = *context->driver;
        const device_limits& limits = context->limits;
        function_facts facts;
        driver::status first = ask_facts(driver, function, limits.cluster_launch, facts);
        if (facts.max_threads > limits.max_threads_per_block) facts.max_threads = limits.max_threads_per_block;
        b.max_threads = facts.max_threads;
        b.static_shared = ask_attribute(driver, function, attribute::shared_size_bytes, true, first);
        b.shared_default = ask_attribute(driver, function, attribute::max_dynamic_shared_size_bytes, true, first);
        b.shared_limit = limits.shared_per_block_optin > b.static_shared ? limits.shared_per_block_optin - b.static_shared : 0;
        for (int i = 0; i < 3; ++i) b.required_cluster[i] = facts.required_cluster[i];
        if (first != driver::status::success) {
            f = driver_failure(*context, first, "binding " + report.label + ": reading the kernel's attributes", suspects());
            return false;
        }
        if (known != nullptr) {
            const image::launch_bounds& bounds = known->bounds;
            b.cluster_must_be_set = bounds.explicit_cluster;
            b.blocks_are_clusters = bounds.blocks_are_clusters;
            if (bounds.required_threads.given()) {
                b.required_block[0] = bounds.required_threads.x;
                b.required_block[1] = bounds.required_threads.y;
                b.required_block[2] = bounds.required_threads.z;
            }
        }
        compare_contracts(d, known, facts, report);
        b.special = b.hidden != 0 || d.contracts->cluster[0] != 0 || b.required_cluster[0] != 0 || b.cluster_must_be_set;
        return true;
    }

    void adopt(binding& b, const binding& made, const descriptor& d, driver::function_handle function) {
        b.key.relaxed(&d);
        b.driver = context->driver;
        b.context = context->handle;
        b.owner = this;
        for (int i = 0; i < 3; ++i) {
            b.max_grid[i] = context->limits.max_grid[i];
            b.max_block[i] = context->limits.max_block[i];
            b.required_cluster[i] = made.required_cluster[i];
            b.required_block[i] = made.required_block[i];
        }
        b.max_threads = made.max_threads;
        b.max_row = made.max_threads < b.max_block[0] ? made.max_threads : b.max_block[0];
        b.special = made.special;
        b.hidden = made.hidden;
        b.static_shared = made.static_shared;
        b.shared_limit = made.shared_limit;
        b.shared_default = made.shared_default;
        b.cluster_must_be_set = made.cluster_must_be_set;
        b.blocks_are_clusters = made.blocks_are_clusters;
        b.shared_ready.relaxed(made.shared_default);
        b.function.release(function);
        b.plain_function.release(made.special ? nullptr : function);
    }
};

} // namespace hanabi::detail

#endif
