// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Kept launches in words, and the work they declare: what sinks make of an entry, long after the launch.

#ifndef HANABI_PROFILE_LAUNCH_TEXT_HPP
#define HANABI_PROFILE_LAUNCH_TEXT_HPP

#include <hanabi/format.hpp>
#include <hanabi/profile/launch_entry.hpp>

#include <string>

namespace hanabi::profile {

/// `(alpha=2, x=0x7f..., n=1024)`; `...` for what was not kept.
inline std::string arguments_text(const launch_entry& e) {
    std::string s = "(";
    for (std::size_t i = 0; i < e.kernel->arity; ++i) {
        const parameter& p = e.kernel->parameters[i];
        if (i != 0) s += ", ";
        if (const name_view name = e.kernel->parameter_name(i); !name.empty()) s.append(name.data(), name.size()).append("=");
        s += e.has_argument(i) ? value_text(p.kind, p.size, e.arguments + p.offset, p.visit_fields) : "...";
    }
    return s + ")";
}

/// `solver.cpp:88`; empty where the site is not known.
inline std::string site_text(const launch_entry& e) {
    if (e.site().line() == 0) return {};
    return std::string{e.site().file_name()} + ":" + std::to_string(e.site().line());
}

/// `blas::axpy(alpha=2, n=1024) at solver.cpp:88`.
inline std::string to_string(const launch_entry& e) {
    std::string s{e.kernel->module.data(), e.kernel->module.size()};
    s.append("::").append(e.kernel->symbol.data(), e.kernel->symbol.size()).append(arguments_text(e));
    if (const std::string site = site_text(e); !site.empty()) s.append(" at ").append(site);
    return s;
}

/// What a contract (contracts->bytes, contracts->operations) comes to for this launch; 0 where it says nothing, or names a
/// parameter that is no integer, is negative or was not kept.
inline double work_of(const launch_entry& e, const work_amount& amount) noexcept {
    double product = static_cast<double>(amount.factor);
    for (unsigned n = 0; n < amount.name_count; ++n) {
        std::size_t i = 0;
        while (i < e.kernel->arity && !(e.kernel->parameter_name(i) == amount.names[n])) ++i;
        if (!e.has_argument(i)) return 0;
        const parameter& p = e.kernel->parameters[i];
        const std::byte* const value = e.arguments + p.offset;
        double count = 0;
        if (p.kind == parameter_kind::signed_integer) switch (p.size) {
            case 1: count = hanabi::detail::read_as<std::int8_t>(value); break;
            case 2: count = hanabi::detail::read_as<std::int16_t>(value); break;
            case 4: count = hanabi::detail::read_as<std::int32_t>(value); break;
            case 8: count = static_cast<double>(hanabi::detail::read_as<std::int64_t>(value)); break;
            default: return 0;
            }
        else if (p.kind == parameter_kind::unsigned_integer)
            switch (p.size) {
            case 1: count = hanabi::detail::read_as<std::uint8_t>(value); break;
            case 2: count = hanabi::detail::read_as<std::uint16_t>(value); break;
            case 4: count = hanabi::detail::read_as<std::uint32_t>(value); break;
            case 8: count = static_cast<double>(hanabi::detail::read_as<std::uint64_t>(value)); break;
            default: return 0;
            }
        if (!(count > 0)) return 0;
        product *= count;
    }
    return product;
}

} // namespace hanabi::profile

#endif
