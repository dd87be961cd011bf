// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about modules and their functions and variables.

#ifndef HANABI_HOST_ENTRIES_MODULE_HPP
#define HANABI_HOST_ENTRIES_MODULE_HPP

#include <hanabi/host/call.hpp>
#include <hanabi/host/image.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

namespace module_detail {

/// The log buffers of cuModuleLoadDataEx: where text goes, and where its length does.
struct log_buffer {
    char* room = nullptr;
    std::size_t size = 0;
    void** length = nullptr;

    void write(const std::string& text) const {
        std::size_t written = 0;
        if (room != nullptr && size != 0) {
            written = std::min(text.size(), size - 1);
            std::memcpy(room, text.data(), written);
            room[written] = '\0';
        }
        if (length != nullptr) *length = reinterpret_cast<void*>(static_cast<std::uintptr_t>(written));
    }
};

struct log_buffers {
    log_buffer information, errors;

    log_buffers(unsigned count, const driver::jit_option* options, void** values) {
        for (unsigned i = 0; i < count; ++i) {
            const auto number = static_cast<std::size_t>(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(values[i])));
            switch (options[i]) {
            case driver::jit_option::info_log_buffer: information.room = static_cast<char*>(values[i]); break;
            case driver::jit_option::info_log_buffer_size_bytes:
                information.size = number;
                information.length = &values[i];
                break;
            case driver::jit_option::error_log_buffer: errors.room = static_cast<char*>(values[i]); break;
            case driver::jit_option::error_log_buffer_size_bytes:
                errors.size = number;
                errors.length = &values[i];
                break;
            default: break; // how to compile is of no consequence here
            }
        }
    }
};

/// The facts of a kernel with that name: from the image, or from the body that is defined for it where the image can't
/// be read.
inline bool find_kernel(call& c, const detail::module_object& m, const std::string& name, detail::kernel_facts& out) {
    const auto& kernels = m.image.kernels; // sorted by name
    const auto found = std::lower_bound(kernels.begin(), kernels.end(), name,
                                        [](const detail::kernel_facts& k, const std::string& n) { return k.name < n; });
    if (found != kernels.end() && found->name == name) {
        out = *found;
        return true;
    }
    if (m.image.readable) return false;
    std::string reason;
    const auto body = c.state.body_of(m.label, name, reason);
    if (body == nullptr) return false;
    out = {};
    out.name = name;
    for (const detail::parameter_type& p : body->parameters) out.parameters.push_back({p.offset, p.size});
    out.ptx_version = out.binary_version = 10 * c.config(*m.context).major + c.config(*m.context).minor;
    return true;
}

/// The module's function of that name, made at the first look-up; null when there is none.
inline std::shared_ptr<detail::function_object> function_of(call& c, detail::module_object& m, const std::string& name) {
    if (const auto found = m.functions.find(name);
        found != m.functions.end() && (!found->second->invented || c.state.settings.accept_unknown_functions))
        return found->second;
    detail::kernel_facts kernel;
    const bool real = find_kernel(c, m, name, kernel);
    if (!real) {
        if (!c.state.settings.accept_unknown_functions) return nullptr;
        kernel.name = name;
    }
    const auto made = std::make_shared<detail::function_object>();
    made->handle = c.state.handles.next(detail::handle_kind::function);
    made->module = &m;
    made->invented = !real;
    made->max_dynamic_shared = std::max(0, c.config(*m.context).shared_memory_per_block - static_cast<int>(kernel.static_shared));
    made->kernel = std::move(kernel);
    m.functions[name] = made;
    c.state.functions[made->handle] = made;
    return made;
}

} // namespace module_detail

inline status HANABI_CUDAAPI module_load_data_ex(driver::module_handle* module, const void* image, unsigned option_count,
                                                 driver::jit_option* options, void** values) {
    module_detail::log_buffers buffers{options == nullptr || values == nullptr ? 0 : option_count, options, values};
    std::string ordered; // of a call that fails on order, the order's text is the compiler's
    const status result = enter(
        driver::entry::module_load_data_ex, needs::initialisation,
        [&](call& c) {
            detail::context_object* here = &c.context();
            if (module == nullptr || image == nullptr) refuse(status::invalid_value, "the pointer for the module or the image is null");
            if (option_count != 0 && (options == nullptr || values == nullptr))
                refuse(status::invalid_value, "options are announced and null");
            if (c.state.settings.driver_version < 12030) c.unsafe(); // newer drivers load during a capture
            const std::uintptr_t context = here->handle;
            const unsigned long long id = here->id;
            const device_config device = c.config(*here);
            const int version = c.state.settings.driver_version;
            c.lock.unlock(); // reading may take long; the image is the caller's
            detail::loaded_image loaded = detail::load_image(image, device, version);
            c.lock.lock();
            buffers.errors.write(loaded.jit_log);
            buffers.information.write({});
            if (loaded.status != status::success) refuse(loaded.status, loaded.text);
            here = &c.context();
            if (here->handle != context || here->id != id)
                refuse(status::context_is_destroyed, "the context was destroyed while the module was loaded");
            const auto made = std::make_shared<detail::module_object>();
            made->handle = c.state.handles.next(detail::handle_kind::module);
            made->context = here;
            made->context_id = id;
            made->image = std::move(loaded.facts);
            if (made->image.code != nullptr)
                for (auto& [name, size] : made->image.code->own_variables()) made->image.variables.push_back({name, size, {}});
            for (detail::variable_facts& v : made->image.variables) {
                const std::size_t used = c.state.memory.used(here->device);
                detail::allocation_ptr room;
                if (v.size <= device.total_memory && used <= device.total_memory - v.size)
                    room = c.state.memory.make(detail::memory_kind::variable, v.size, here->device, context, id);
                if (room == nullptr) {
                    for (auto& [name, variable] : made->variables) c.state.memory.free(variable, 0);
                    refuse(status::out_of_memory, "no room for the module's variable ", v.name, " of ", v.size, " bytes");
                }
                auto* const bytes = reinterpret_cast<std::byte*>(room->base);
                std::memset(bytes, 0, v.size); // static storage is zero where nothing else is said
                std::copy_n(v.initial.begin(), std::min(v.initial.size(), v.size), bytes);
                made->variables[v.name] = std::move(room);
            }
            if (made->image.code != nullptr) {
                made->image.code->link([&](const std::string& name) {
                    const auto found = made->variables.find(name);
                    return found == made->variables.end() ? detail::memory_range{}
                                                          : detail::memory_range{found->second->base, found->second->size, nullptr};
                });
                std::string refusals = made->image.code->refusals();
                if (const std::string unread = made->image.code->error(); !unread.empty())
                    refusals = "the PTX executor can't read it: " + unread;
                if (!refusals.empty()) c.state.log.write(refusals);
                buffers.information.write(refusals);
            }
            c.state.modules[made->handle] = made;
            *module = detail::handle_of<driver::module_handle>(made->handle);
            return status::success;
        },
        &ordered);
    if (result != status::success && !ordered.empty()) buffers.errors.write(ordered);
    return result;
}

/// Waits for the module's kernels that run or are queued.
inline status HANABI_CUDAAPI module_unload(driver::module_handle module) {
    return enter(driver::entry::module_unload, needs::initialisation, [&](call& c) {
        c.module(module);
        c.unsafe();
        const auto doomed = c.state.modules.at(detail::number_of(module));
        c.state.engine.wait(c.lock, [&] { return doomed->running == 0; });
        if (c.state.modules.erase(doomed->handle) == 0) c.module(module); // somebody else was faster
        for (const auto& [name, function] : doomed->functions) c.state.functions.erase(function->handle);
        for (const auto& [name, variable] : doomed->variables) c.state.memory.free(variable, c.state.settings.quarantine_bytes);
        doomed->variables.clear();
        return status::success;
    });
}

inline status HANABI_CUDAAPI module_set_label(driver::module_handle module, const char* label) {
    detail::driver_state& state = detail::state();
    if (state.forked.load(std::memory_order_relaxed)) return status::not_initialized;
    const std::lock_guard lock{state.mutex};
    const auto found = state.modules.find(detail::number_of(module));
    if (found == state.modules.end()) return status::invalid_handle;
    if (label == nullptr) return status::invalid_value;
    found->second->label = label;
    return status::success;
}

inline status HANABI_CUDAAPI module_get_function(driver::function_handle* function, driver::module_handle module, const char* name) {
    return enter(driver::entry::module_get_function, needs::initialisation, [&](call& c) {
        detail::module_object& m = c.module(module);
        if (function == nullptr || name == nullptr) refuse(status::invalid_value, "the pointer for the function or the name is null");
        const auto found = module_detail::function_of(c, m, name);
        if (found == nullptr)
            refuse(status::not_found, "the module", call::quoted(m.label), " has no kernel ", name,
                   m.image.readable ? "" : " that a body is defined for, and its code can't be read");
        *function = detail::handle_of<driver::function_handle>(found->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI module_get_global(driver::device_address* address, std::size_t* bytes, driver::module_handle module,
                                               const char* name) {
    return enter(driver::entry::module_get_global, needs::initialisation, [&](call& c) {
        const detail::module_object& m = c.module(module);
        if (name == nullptr || (address == nullptr && bytes == nullptr))
            refuse(status::invalid_value, "the name is null, or both pointers for the answer");
        const auto found = m.variables.find(name);
        if (found == m.variables.end()) refuse(status::not_found, "the module", call::quoted(m.label), " has no variable ", name);
        if (address != nullptr) *address = found->second->base;
        if (bytes != nullptr) *bytes = found->second->size;
        return status::success;
    });
}

inline status HANABI_CUDAAPI module_get_function_count(unsigned* count, driver::module_handle module) {
    return enter(driver::entry::module_get_function_count, needs::initialisation, [&](call& c) {
        const detail::module_object& m = c.module(module);
        if (count == nullptr) refuse(status::invalid_value, "the pointer for the count is null");
        *count = static_cast<unsigned>(m.image.kernels.size());
        return status::success;
    });
}

inline status HANABI_CUDAAPI module_enumerate_functions(driver::function_handle* functions, unsigned count, driver::module_handle module) {
    return enter(driver::entry::module_enumerate_functions, needs::initialisation, [&](call& c) {
        detail::module_object& m = c.module(module);
        if (functions == nullptr && count != 0) refuse(status::invalid_value, "the pointer for the functions is null");
        for (unsigned i = 0; i < count && i < m.image.kernels.size(); ++i)
            functions[i] = detail::handle_of<driver::function_handle>(module_detail::function_of(c, m, m.image.kernels[i].name)->handle);
        return status::success;
    });
}

inline status HANABI_CUDAAPI func_get_name(const char** name, driver::function_handle function) {
    return enter(driver::entry::func_get_name, needs::initialisation, [&](call& c) {
        const detail::function_object& f = c.function(function);
        if (name == nullptr) refuse(status::invalid_value, "the pointer for the name is null");
        *name = f.kernel.name.c_str(); // lives until the module goes
        return status::success;
    });
}

inline status HANABI_CUDAAPI func_get_param_info(driver::function_handle function, std::size_t index, std::size_t* offset,
                                                 std::size_t* size) {
    return enter(driver::entry::func_get_param_info, needs::initialisation, [&](call& c) {
        const detail::function_object& f = c.function(function);
        if (offset == nullptr) refuse(status::invalid_value, "the pointer for the offset is null");
        if (index >= f.kernel.parameters.size()) return status::invalid_value; // how callers find the end: no matter for the log
        *offset = f.kernel.parameters[index].offset;
        if (size != nullptr) *size = f.kernel.parameters[index].size;
        return status::success;
    });
}

inline status HANABI_CUDAAPI func_load(driver::function_handle function) {
    return enter(driver::entry::func_load, needs::initialisation, [&](call& c) {
        c.function(function);
        return status::success;
    });
}

inline status HANABI_CUDAAPI func_get_attribute(int* value, driver::function_attribute attribute, driver::function_handle function) {
    return enter(driver::entry::func_get_attribute, needs::initialisation, [&](call& c) {
        const detail::function_object& f = c.function(function);
        const device_config& device = c.config(*f.module->context);
        if (value == nullptr) refuse(status::invalid_value, "the pointer for the value is null");
        const auto axis = [](unsigned of_image, unsigned set) { return static_cast<int>(of_image != 0 ? of_image : set); };
        switch (attribute) {
        case driver::function_attribute::max_threads_per_block:
            *value = device.max_threads_per_block;
            if (f.kernel.required_threads.x != 0)
                *value = static_cast<int>(f.kernel.required_threads.volume());
            else if (f.kernel.max_threads != 0)
                *value = static_cast<int>(
                    std::min<std::uint64_t>(f.kernel.max_threads, static_cast<std::uint64_t>(device.max_threads_per_block)));
            break;
        case driver::function_attribute::shared_size_bytes: *value = static_cast<int>(f.kernel.static_shared); break;
        case driver::function_attribute::const_size_bytes: *value = 0; break;
        case driver::function_attribute::local_size_bytes:
            *value = f.module->image.code == nullptr ? 0 : static_cast<int>(f.module->image.code->local_bytes(f.kernel.name));
            break;
        case driver::function_attribute::num_regs: *value = f.kernel.registers; break;
        case driver::function_attribute::ptx_version: *value = f.kernel.ptx_version; break;
        case driver::function_attribute::binary_version: *value = f.kernel.binary_version; break;
        case driver::function_attribute::cache_mode_ca: *value = 0; break;
        case driver::function_attribute::max_dynamic_shared_size_bytes: *value = f.max_dynamic_shared; break;
        case driver::function_attribute::preferred_shared_memory_carveout: *value = f.carveout; break;
        case driver::function_attribute::cluster_size_must_be_set:
            *value = f.kernel.required_cluster.x != 0 || f.kernel.explicit_cluster;
            break;
        case driver::function_attribute::required_cluster_width: *value = axis(f.kernel.required_cluster.x, f.cluster.x); break;
        case driver::function_attribute::required_cluster_height: *value = axis(f.kernel.required_cluster.y, f.cluster.y); break;
        case driver::function_attribute::required_cluster_depth: *value = axis(f.kernel.required_cluster.z, f.cluster.z); break;
        case driver::function_attribute::non_portable_cluster_size_allowed: *value = f.non_portable_cluster; break;
        case driver::function_attribute::cluster_scheduling_policy_preference: *value = f.cluster_scheduling; break;
        default: refuse(status::invalid_value, "function attribute ", static_cast<int>(attribute), " is unknown");
        }
        return status::success;
    });
}

inline status HANABI_CUDAAPI func_set_attribute(driver::function_handle function, driver::function_attribute attribute, int value) {
    return enter(driver::entry::func_set_attribute, needs::initialisation, [&](call& c) {
        detail::function_object& f = c.function(function);
        const device_config& device = c.config(*f.module->context);
        const auto axis = [&](unsigned of_image, unsigned& set) {
            if (value < 0) refuse(status::invalid_value, "a cluster extent of ", value);
            if (of_image != 0 && of_image != static_cast<unsigned>(value))
                refuse(status::invalid_value, "the kernel was compiled for clusters of another size");
            set = static_cast<unsigned>(value);
        };
        switch (attribute) {
        case driver::function_attribute::max_dynamic_shared_size_bytes: {
            const int most = device.shared_memory_per_block_optin - static_cast<int>(f.kernel.static_shared);
            if (value < 0 || value > most)
                refuse(status::invalid_value, "Requested maximum dynamic shared memory size of ", value, " bytes exceeds ", most,
                       ", what the opt-in limit of ", device.shared_memory_per_block_optin, " leaves beside ", f.kernel.static_shared,
                       " static bytes of ", f.kernel.name);
            f.max_dynamic_shared = value;
            break;
        }
        case driver::function_attribute::preferred_shared_memory_carveout:
            if (value < -1 || value > 100) refuse(status::invalid_value, "a carveout of ", value, " per cent");
            f.carveout = value;
            break;
        case driver::function_attribute::required_cluster_width: axis(f.kernel.required_cluster.x, f.cluster.x); break;
        case driver::function_attribute::required_cluster_height: axis(f.kernel.required_cluster.y, f.cluster.y); break;
        case driver::function_attribute::required_cluster_depth: axis(f.kernel.required_cluster.z, f.cluster.z); break;
        case driver::function_attribute::non_portable_cluster_size_allowed:
            if (value != 0 && value != 1) refuse(status::invalid_value, "a flag of ", value);
            f.non_portable_cluster = value != 0;
            break;
        case driver::function_attribute::cluster_scheduling_policy_preference:
            if (value < 0 || value > 2) refuse(status::invalid_value, "a scheduling policy of ", value);
            f.cluster_scheduling = value;
            break;
        default: refuse(status::invalid_value, "function attribute ", static_cast<int>(attribute), " can't be set");
        }
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
