// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Entries about the driver, its devices and its log.

#ifndef HANABI_HOST_ENTRIES_DEVICE_HPP
#define HANABI_HOST_ENTRIES_DEVICE_HPP

#include <hanabi/host/call.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

namespace hanabi::host::entries {

using detail::call;
using detail::enter;
using detail::needs;
using detail::refuse;
using driver::status;

inline status HANABI_CUDAAPI init(unsigned flags) {
    return enter(driver::entry::init, needs::driver, [&](call& c) {
        if (flags != 0) refuse(status::invalid_value, "flags are ", flags, " and must be 0");
        if (c.state.devices.empty()) refuse(status::no_device, "the host driver is configured without a device");
        c.state.initialized.store(true, std::memory_order_release);
        return status::success;
    });
}

inline status HANABI_CUDAAPI driver_get_version(int* version) {
    return enter(driver::entry::driver_get_version, needs::driver, [&](call& c) {
        if (version == nullptr) refuse(status::invalid_value, "the pointer for the version is null");
        *version = c.state.settings.driver_version;
        return status::success;
    });
}

inline status HANABI_CUDAAPI get_error_name(status code, const char** text) {
    return enter(driver::entry::get_error_name, needs::nothing, [&](call&) {
        if (text == nullptr) refuse(status::invalid_value, "the pointer for the text is null");
        const char* const name = driver::name_of(code);
        const bool known = code == status::unknown || std::strcmp(name, "CUDA_UNKNOWN") != 0;
        *text = known ? name : nullptr;
        return known ? status::success : status::invalid_value;
    });
}

/// What a status means on the host driver, where no process is lost.
inline const char* host_description_of(status code) {
    static const auto& sticky = *[] { // never destroyed: asked for until the end
        auto* const all = new std::map<status, std::string>;
        for (unsigned n = 0; n < 1000; ++n) {
            const auto s = static_cast<status>(n);
            const std::string text = driver::description_of(s);
            if (const std::size_t end = text.find("; this process can no longer use CUDA"); end != std::string::npos)
                all->emplace(s, text.substr(0, end));
        }
        return all;
    }();
    const auto found = sticky.find(code);
    return found != sticky.end() ? found->second.c_str() : driver::description_of(code);
}

inline status HANABI_CUDAAPI get_error_string(status code, const char** text) {
    return enter(driver::entry::get_error_string, needs::nothing, [&](call&) {
        if (text == nullptr) refuse(status::invalid_value, "the pointer for the text is null");
        const bool known = code == status::unknown || std::strcmp(driver::name_of(code), "CUDA_UNKNOWN") != 0;
        *text = known ? host_description_of(code) : nullptr;
        return known ? status::success : status::invalid_value;
    });
}

inline status HANABI_CUDAAPI device_get_count(int* count) {
    return enter(driver::entry::device_get_count, needs::initialisation, [&](call& c) {
        if (count == nullptr) refuse(status::invalid_value, "the pointer for the count is null");
        *count = static_cast<int>(c.state.devices.size());
        return status::success;
    });
}

inline status HANABI_CUDAAPI device_get(driver::device_handle* device, int ordinal) {
    return enter(driver::entry::device_get, needs::initialisation, [&](call& c) {
        if (device == nullptr) refuse(status::invalid_value, "the pointer for the device is null");
        c.device(ordinal);
        *device = ordinal;
        return status::success;
    });
}

inline status HANABI_CUDAAPI device_get_name(char* name, int length, driver::device_handle device) {
    return enter(driver::entry::device_get_name, needs::initialisation, [&](call& c) {
        const std::string& text = c.device(device).config.name;
        if (name == nullptr || length <= 0) refuse(status::invalid_value, "no room for the device's name");
        const std::size_t fits = std::min(text.size(), static_cast<std::size_t>(length) - 1);
        std::memcpy(name, text.data(), fits);
        name[fits] = '\0';
        return status::success;
    });
}

inline status HANABI_CUDAAPI device_get_attribute(int* value, driver::device_attribute attribute, driver::device_handle device) {
    return enter(driver::entry::device_get_attribute, needs::initialisation, [&](call& c) {
        const auto answer = c.device(device).config.attribute(attribute, device);
        if (value == nullptr) refuse(status::invalid_value, "the pointer for the value is null");
        if (!answer) refuse(status::invalid_value, "device attribute ", static_cast<int>(attribute), " is unknown");
        *value = *answer;
        return status::success;
    });
}

inline status HANABI_CUDAAPI device_total_mem(std::size_t* bytes, driver::device_handle device) {
    return enter(driver::entry::device_total_mem, needs::initialisation, [&](call& c) {
        const std::size_t total = c.device(device).config.total_memory;
        if (bytes == nullptr) refuse(status::invalid_value, "the pointer for the size is null");
        *bytes = total;
        return status::success;
    });
}

inline status HANABI_CUDAAPI device_can_access_peer(int* can, driver::device_handle device, driver::device_handle peer) {
    return enter(driver::entry::device_can_access_peer, needs::initialisation, [&](call& c) {
        c.device(device);
        c.device(peer);
        if (can == nullptr) refuse(status::invalid_value, "the pointer for the answer is null");
        *can = 0; // kernels see their own device's memory only; copies between devices work all the same
        return status::success;
    });
}

inline status HANABI_CUDAAPI logs_current(driver::log_iterator* iterator, unsigned flags) {
    return enter(driver::entry::logs_current, needs::nothing, [&](call& c) {
        if (iterator == nullptr || flags != 0) refuse(status::invalid_value, "the iterator is null or flags are not 0");
        *iterator = c.state.log.end();
        return status::success;
    });
}

inline status HANABI_CUDAAPI logs_dump_to_memory(driver::log_iterator* iterator, char* buffer, std::size_t* size, unsigned flags) {
    return enter(driver::entry::logs_dump_to_memory, needs::nothing, [&](call& c) {
        if (buffer == nullptr || size == nullptr || *size == 0 || flags != 0)
            refuse(status::invalid_value, "the buffer or its size is null, or flags are not 0");
        driver::log_iterator from = iterator != nullptr ? *iterator : c.state.log.end() - static_cast<unsigned>(c.state.log.kept());
        const auto [fits, text] = c.state.log.dump(from, *size - 1);
        std::memcpy(buffer, text.data(), text.size());
        buffer[text.size()] = '\0';
        *size = text.size();
        if (!fits) refuse(status::invalid_value, "the buffer does not hold one entry of the log");
        if (iterator != nullptr) *iterator = from;
        return status::success;
    });
}

} // namespace hanabi::host::entries

#endif
