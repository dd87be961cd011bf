// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Printing of what the host driver tells: launches, leaks, balances, devices.

#ifndef HANABI_TEST_PRINT_HOST_HPP
#define HANABI_TEST_PRINT_HOST_HPP

#include <hanabi/format.hpp>
#include <hanabi/host/config.hpp>
#include <hanabi/host/launch_record.hpp>
#include <hanabi/host/leaks.hpp>
#include <hanabi/test/known_kernel.hpp>
#include <hanabi/test/print_geometry.hpp>

#include <ostream>
#include <string>

namespace hanabi {

namespace test::detail {

/// `#1 blas::axpy(alpha=2, n=1000)`: by name and value where the kernel's descriptor is known, else the bytes.
inline std::string call_text(const host::launch_record& r, const descriptor* kernel) {
    std::string s = "#" + std::to_string(r.number) + " " + (r.module.empty() ? "" : r.module + "::") + r.symbol + "(";
    for (std::size_t i = 0; i < r.arguments.size(); ++i) {
        const auto& bytes = r.arguments[i];
        s += i == 0 ? "" : ", ";
        if (kernel == nullptr || i >= kernel->arity) {
            s += hanabi::detail::hex_text(bytes.data(), bytes.size());
            continue;
        }
        const parameter& p = kernel->parameters[i];
        if (const name_view name = kernel->parameter_name(i); !name.empty()) s += string_of(name) + "=";
        s += value_text(p.kind, p.size, bytes.data(), p.visit_fields);
    }
    return s + ")";
}

/// `, grid (4, 1, 1), block (256, 1, 1)`, and what else is not as usual.
inline std::string extents_text(const host::launch_record& r) {
    const auto text = [](host::extent e) {
        return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
    };
    std::string s = ", grid " + text(r.grid) + ", block " + text(r.block);
    if (r.cluster.x != 0) s += ", cluster " + text(r.cluster);
    if (r.shared_bytes != 0) s += ", " + counted(r.shared_bytes, "byte") + " shared";
    for (const driver::launch_attribute& a : r.attributes)
        if (a.id != driver::launch_attribute_id::cluster_dimension) s += ", " + attribute_text(a);
    return s;
}

inline std::string record_text(const host::launch_record& r, const descriptor* kernel) { return call_text(r, kernel) + extents_text(r); }

} // namespace test::detail

namespace host {

/// `#1 blas::axpy(alpha=2, x=0x7f0010, y=0x7f1010, n=1000), grid (4, 1, 1), block (256, 1, 1)`. Arguments have names and
/// values for kernels whose descriptor hanabi/test.hpp has met (ptx_for, registry_fixture, was_launched, ...), else bytes.
inline std::ostream& operator<<(std::ostream& out, const launch_record& r) {
    return out << test::detail::record_text(r, test::detail::known_kernel(r));
}

/// What it is and what is known of it, in a sentence.
inline std::ostream& operator<<(std::ostream& out, const leak& l) {
    out << l.kind << " " << test::detail::address_text(l.where);
    if (l.size != 0) out << ", " << test::detail::counted(l.size, "byte");
    return out << ": " << l.text;
}

/// The counts that are not zero: `1 device allocation of 400 bytes, 1 context`; `nothing`.
inline std::ostream& operator<<(std::ostream& out, const balance_sheet& b) {
    std::string s;
    const auto say = [&](std::size_t n, const char* what, std::size_t bytes = 0) {
        if (n == 0 && bytes == 0) return;
        s += (s.empty() ? "" : ", ") + test::detail::counted(n, what);
        if (bytes != 0) s += " of " + test::detail::counted(bytes, "byte");
    };
    say(b.device_allocations, "device allocation", b.device_bytes);
    say(b.pinned_allocations, "pinned allocation", b.pinned_bytes);
    say(b.contexts, "context");
    say(b.streams, "stream");
    say(b.events, "event");
    say(b.modules, "module");
    say(b.graphs, "graph");
    say(b.executables, "executable graph");
    say(b.user_objects, "user object");
    if (b.lost_with_context != 0) s += (s.empty() ? "" : ", ") + std::to_string(b.lost_with_context) + " lost with a context";
    return out << (s.empty() ? "nothing" : s);
}

/// `Hanabi host device, compute capability 9.0`.
inline std::ostream& operator<<(std::ostream& out, const device_config& d) {
    return out << d.name << ", compute capability " << std::to_string(d.major) << "." << std::to_string(d.minor);
}

} // namespace host

} // namespace hanabi

#endif
