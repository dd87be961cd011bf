// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries that make and free memory, and tell about it.

#ifndef HANABI_HOST_ENTRIES_MEMORY_HPP
#define HANABI_HOST_ENTRIES_MEMORY_HPP

#include <hanabi/host/call.hpp>

#include <cstdint>
#include <cstring>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

namespace memory_detail {

inline detail::allocation_ptr allocate(call& c, detail::memory_kind kind, std::size_t bytes, detail::context_object& owner) {
    if (bytes == 0) refuse(status::invalid_value, "an allocation of 0 bytes");
    const device_config& config = c.config(owner);
    const std::size_t used = c.state.memory.used(owner.device);
    if (kind != detail::memory_kind::pinned && (bytes > config.total_memory || used > config.total_memory - bytes))
        refuse(status::out_of_memory, bytes, " bytes asked for; the device has ", config.total_memory, ", of which ", used, " are in use");
    auto made = c.state.memory.make(kind, bytes, owner.device, owner.handle, owner.id);
    if (made == nullptr) refuse(status::out_of_memory, bytes, " bytes asked for; the host has not got them");
    return made;
}

/// The allocation that begins at an address, to be freed; gives up with 1 and a reason.
inline detail::allocation_ptr doomed(call& c, std::uintptr_t address, bool pinned) {
    const auto found = c.state.memory.find(address);
    const char* const wanted = pinned ? "cuMemFreeHost" : "cuMemFree";
    if (found == nullptr)
        refuse(status::invalid_value, detail::address_text(address), " is no memory that ", pinned ? "cuMemHostAlloc" : "cuMemAlloc",
               " made");
    if (!found->usable()) refuse(status::invalid_value, "freed twice: ", found->text());
    if (found->kind == detail::memory_kind::variable) refuse(status::invalid_value, found->text(), " is a variable of a module");
    if ((found->kind == detail::memory_kind::pinned) != pinned) refuse(status::invalid_value, found->text(), " is not freed by ", wanted);
    if (found->base != address)
        refuse(status::invalid_value, detail::address_text(address), " is ", address - found->base, " bytes into ", found->text(),
               ": give its beginning");
    return found;
}

/// Complains where something was written around an allocation that is about to go.
inline void inspect(call& c, const detail::allocation& a) {
    if (const auto where = detail::memory_map::damage(a))
        c.state.log.write(detail::say("memory around ", a.text(), " was overwritten, at offset ", *where, " from its beginning"));
}

inline std::uintptr_t address_of(driver::device_address address) { return static_cast<std::uintptr_t>(address); }

} // namespace memory_detail

inline status HANABI_CUDAAPI mem_get_info(std::size_t* free, std::size_t* total) {
    return enter(driver::entry::mem_get_info, needs::initialisation, [&](call& c) {
        const detail::context_object& here = c.context();
        if (free == nullptr || total == nullptr) refuse(status::invalid_value, "a pointer for the sizes is null");
        *total = c.config(here).total_memory;
        *free = *total - c.state.memory.used(here.device);
        return status::success;
    });
}

inline status HANABI_CUDAAPI mem_alloc(driver::device_address* address, std::size_t bytes) {
    return enter(driver::entry::mem_alloc, needs::initialisation, [&](call& c) {
        detail::context_object& here = c.context();
        if (address == nullptr) refuse(status::invalid_value, "the pointer for the address is null");
        c.unsafe();
        *address = memory_detail::allocate(c, detail::memory_kind::device, bytes, here)->base;
        return status::success;
    });
}

/// Memory of cuMemAlloc waits for the work of its context, as drivers do; memory of cuMemAllocAsync for nothing.
inline status HANABI_CUDAAPI mem_free(driver::device_address address) {
    return enter(driver::entry::mem_free, needs::initialisation, [&](call& c) {
        c.context();
        auto found = memory_detail::doomed(c, memory_detail::address_of(address), false);
        c.unsafe();
        if (found->kind == detail::memory_kind::device) {
            const auto owner = c.state.contexts.find(found->context);
            if (owner != c.state.contexts.end()) {
                const auto kept = owner->second;
                c.state.engine.wait(c.lock, [&] { return kept->pending == 0 || !kept->alive; });
                found = memory_detail::doomed(c, memory_detail::address_of(address), false); // others may have freed it meanwhile
                c.check(*kept);
            }
        } else if (found->users != 0)
            c.state.log.write(detail::say(found->text(), " is freed by cuMemFree while ", found->users,
                                          " operations that use it are not done: free it in stream order"));
        memory_detail::inspect(c, *found);
        c.state.memory.free(found, c.state.settings.quarantine_bytes);
        return status::success;
    });
}

inline status HANABI_CUDAAPI mem_alloc_async(driver::device_address* address, std::size_t bytes, driver::stream_handle stream) {
    return enter(driver::entry::mem_alloc_async, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        if (address == nullptr) refuse(status::invalid_value, "the pointer for the address is null");
        c.not_implicit(s);
        c.not_captured(s); // a driver makes a node of it, and memory that belongs to one executable graph: not served here
        if (!c.config(*s.context).memory_pools) refuse(status::not_supported, "the device has no memory pools");
        const auto made = memory_detail::allocate(c, detail::memory_kind::pool, bytes, *s.context);
        made->ready = false;
        c.submit(s, nullptr, [made] { made->ready = true; });
        *address = made->base;
        return status::success;
    });
}

inline status HANABI_CUDAAPI mem_free_async(driver::device_address address, driver::stream_handle stream) {
    return enter(driver::entry::mem_free_async, needs::initialisation, [&](call& c) {
        c.context();
        detail::stream_object& s = c.stream(stream);
        if (!c.config(*s.context).memory_pools) refuse(status::not_supported, "the device has no memory pools");
        const auto found = memory_detail::doomed(c, memory_detail::address_of(address), false);
        c.not_captured(s);
        c.not_implicit(s);
        memory_detail::inspect(c, *found);
        c.state.memory.leave(*found);
        c.submit(s, nullptr, [&state = c.state, found] { state.memory.free(found, state.settings.quarantine_bytes); });
        return status::success;
    });
}

inline status HANABI_CUDAAPI mem_host_alloc(void** address, std::size_t bytes, unsigned flags) {
    return enter(driver::entry::mem_host_alloc, needs::initialisation, [&](call& c) {
        detail::context_object& here = c.context();
        if (address == nullptr) refuse(status::invalid_value, "the pointer for the address is null");
        if (flags > 7) refuse(status::invalid_value, "flags ", flags, " are not valid");
        c.unsafe();
        *address = reinterpret_cast<void*>(memory_detail::allocate(c, detail::memory_kind::pinned, bytes, here)->base);
        return status::success;
    });
}

inline status HANABI_CUDAAPI mem_free_host(void* address) {
    return enter(driver::entry::mem_free_host, needs::initialisation, [&](call& c) {
        c.context();
        auto found = memory_detail::doomed(c, reinterpret_cast<std::uintptr_t>(address), true);
        c.unsafe();
        c.state.engine.wait(c.lock, [&] { return found->users == 0; }); // copies that are under way
        found = memory_detail::doomed(c, reinterpret_cast<std::uintptr_t>(address), true);
        memory_detail::inspect(c, *found);
        c.state.memory.free(found, c.state.settings.quarantine_bytes);
        return status::success;
    });
}

inline status HANABI_CUDAAPI pointer_get_attribute(void* data, driver::pointer_attribute attribute, driver::device_address address) {
    return enter(driver::entry::pointer_get_attribute, needs::initialisation, [&](call& c) {
        if (data == nullptr) refuse(status::invalid_value, "the pointer for the answer is null");
        const auto found = c.state.memory.find(memory_detail::address_of(address));
        if (found == nullptr || !found->usable())
            refuse(status::invalid_value, detail::address_text(address),
                   found == nullptr ? " is no memory of the driver" : " is freed memory");
        const auto answer = [&](const auto& value) { std::memcpy(data, &value, sizeof value); };
        const bool pinned = found->kind == detail::memory_kind::pinned;
        switch (attribute) {
        case driver::pointer_attribute::context: answer(detail::handle_of<driver::context_handle>(found->context)); break;
        case driver::pointer_attribute::memory_type: answer(pinned ? driver::memory_type::host : driver::memory_type::device); break;
        case driver::pointer_attribute::device_pointer: answer(address); break;
        case driver::pointer_attribute::host_pointer:
            if (!pinned) refuse(status::invalid_value, "device memory has no host pointer");
            answer(reinterpret_cast<void*>(memory_detail::address_of(address)));
            break;
        case driver::pointer_attribute::is_managed: answer(0u); break;
        case driver::pointer_attribute::device_ordinal: answer(found->device); break;
        case driver::pointer_attribute::range_start_address: answer(static_cast<driver::device_address>(found->base)); break;
        case driver::pointer_attribute::range_size: answer(found->size); break;
        case driver::pointer_attribute::mapped: answer(1); break;
        default: refuse(status::invalid_value, "pointer attribute ", static_cast<int>(attribute), " is unknown");
        }
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
