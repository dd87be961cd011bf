// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Launches in words: arguments by name and value, for messages, tests and traces. Nothing here is on the way of a launch.

#ifndef HANABI_FORMAT_HPP
#define HANABI_FORMAT_HPP

#include <hanabi/launch_view.hpp>
#include <hanabi/signature.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace hanabi {

namespace detail {

template <class T>
T read_as(const void* value) noexcept {
    T t;
    std::memcpy(&t, value, sizeof t);
    return t;
}

/// A number with so many digits that it reads back the same.
template <class = void>
std::string float_text(double value, int digits) {
    char text[32];
    for (int precision = 6; precision <= digits; ++precision) {
        std::snprintf(text, sizeof text, "%.*g", precision, value);
        double back = 0;
        if (std::sscanf(text, "%lf", &back) == 1 && (digits == 9 ? static_cast<float>(back) == static_cast<float>(value) : back == value))
            break;
    }
    return text;
}

template <class = void>
std::string hex_text(const void* value, std::size_t size) {
    std::string s = "{";
    char byte[4];
    for (std::size_t i = 0; i < size && i < 16; ++i) {
        std::snprintf(byte, sizeof byte, i == 0 ? "%02x" : " %02x", static_cast<unsigned>(static_cast<const unsigned char*>(value)[i]));
        s += byte;
    }
    return s + (size > 16 ? " ...}" : "}");
}

} // namespace detail

/// A value of a parameter or field: numbers in decimal, pointers in hexadecimal, objects by their fields where those are
/// described, else by their first bytes.
template <class = void>
std::string value_text(parameter_kind kind, std::size_t size, const void* value,
                       void (*visit_fields)(const void*, field_visitor, void*) = nullptr) {
    const auto signed_value = [&]() -> long long {
        switch (size) {
        case 1: return detail::read_as<std::int8_t>(value);
        case 2: return detail::read_as<std::int16_t>(value);
        case 4: return detail::read_as<std::int32_t>(value);
        default: return detail::read_as<std::int64_t>(value);
        }
    };
    const auto unsigned_value = [&]() -> unsigned long long {
        switch (size) {
        case 1: return detail::read_as<std::uint8_t>(value);
        case 2: return detail::read_as<std::uint16_t>(value);
        case 4: return detail::read_as<std::uint32_t>(value);
        default: return detail::read_as<std::uint64_t>(value);
        }
    };
    switch (kind) {
    case parameter_kind::floating_point:
        if (size == sizeof(float)) return detail::float_text(static_cast<double>(detail::read_as<float>(value)), 9);
        if (size == sizeof(double)) return detail::float_text(detail::read_as<double>(value), 17);
        break;
    case parameter_kind::boolean: return unsigned_value() != 0 ? "true" : "false";
    case parameter_kind::signed_integer:
        if (size <= 8) return std::to_string(signed_value());
        break;
    case parameter_kind::unsigned_integer:
    case parameter_kind::enumeration:
        if (size <= 8) return std::to_string(unsigned_value());
        break;
    case parameter_kind::pointer:
        if (size == sizeof(void*)) {
            char text[24];
            std::snprintf(text, sizeof text, "%#llx", unsigned_value());
            return detail::read_as<void*>(value) == nullptr ? "null" : text;
        }
        break;
    case parameter_kind::object:
        if (visit_fields != nullptr) {
            std::string fields;
            visit_fields(
                value,
                [](void* state, name_view name, parameter_kind field_kind, std::size_t field_size, const void* field) {
                    std::string& all = *static_cast<std::string*>(state);
                    all.append(all.empty() ? "{" : ", ").append(name.data(), name.size()).append("=");
                    all += value_text(field_kind, field_size, field);
                },
                &fields);
            return fields.empty() ? "{}" : fields + "}";
        }
        break;
    }
    return detail::hex_text(value, size);
}

/// The arguments of a launch: `(alpha=2, x=0x7f..., n=1024)`; without the names contract by value alone.
template <class = void>
std::string arguments_text(const descriptor& kernel, const std::byte* arguments) {
    std::string s = "(";
    for (std::size_t i = 0; i < kernel.arity; ++i) {
        const parameter& p = kernel.parameters[i];
        if (i != 0) s += ", ";
        if (const name_view name = kernel.parameter_name(i); !name.empty()) s.append(name.data(), name.size()).append("=");
        s += value_text(p.kind, p.size, arguments + p.offset, p.visit_fields);
    }
    return s + ")";
}

/// A launch: `blas::axpy(alpha=2, n=1024) at solver.cpp:88`.
template <class = void>
std::string to_string(const launch_view& view) {
    std::string s{view.kernel.module.data(), view.kernel.module.size()};
    s.append("::").append(view.kernel.symbol.data(), view.kernel.symbol.size()).append(arguments_text(view.kernel, view.arguments));
    if (view.site().line() != 0) s.append(" at ").append(view.site().file_name()).append(":").append(std::to_string(view.site().line()));
    return s;
}

} // namespace hanabi

#endif
