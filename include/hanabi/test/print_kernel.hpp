// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Printing of kernels: descriptors with their parameters and contracts, and launches of them as expressions.

#ifndef HANABI_TEST_PRINT_KERNEL_HPP
#define HANABI_TEST_PRINT_KERNEL_HPP

#include <hanabi/demangle.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/format.hpp>
#include <hanabi/global.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/launch_view.hpp>
#include <hanabi/test/print_geometry.hpp>
#include <hanabi/test/print_name.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <type_traits>

namespace hanabi {

namespace test::detail {

/// `float32`, `int64`, `pointer`, `struct of 16 bytes`: a parameter's type as far as a descriptor's data knows it.
inline std::string type_text(const parameter& p) {
    const std::string bits = std::to_string(p.size * 8);
    switch (p.kind) {
    case parameter_kind::floating_point: return "float" + bits;
    case parameter_kind::signed_integer: return "int" + bits;
    case parameter_kind::unsigned_integer: return "uint" + bits;
    case parameter_kind::boolean: return "bool";
    case parameter_kind::pointer: return "pointer";
    case parameter_kind::enumeration: return "enum" + bits;
    case parameter_kind::object: return "struct of " + counted(p.size, "byte");
    }
    return counted(p.size, "byte");
}

/// `blas::axpy`.
inline std::string qualified_name(const descriptor& d) { return string_of(d.module) + "::" + string_of(d.symbol); }

/// `blas::axpy(float32 alpha, pointer x, pointer y, int32 n)`; behind a mangled symbol, what it stands for.
inline std::string descriptor_text(const descriptor& d) {
    std::string s = qualified_name(d) + "(";
    for (std::size_t i = 0; i < d.arity; ++i) {
        s += (i == 0 ? "" : ", ") + type_text(d.parameters[i]);
        if (const name_view name = d.parameter_name(i); !name.empty()) s += " " + string_of(name);
    }
    s += ")";
    const std::string symbol = string_of(d.symbol);
    if (const std::string readable = demangle(symbol.c_str()); readable != symbol) s += ", which is " + readable;
    return s;
}

/// The launch as the expression that makes it, open arguments as `?`: `blas::axpy[over(1000)](alpha=2, x=0x10, y=?, n=1000)`.
inline std::string launch_text(const descriptor& d, const std::string& geometry, const std::byte* arguments, const std::size_t* open,
                               std::size_t open_count) {
    std::string s = qualified_name(d) + "[" + geometry + "](";
    for (std::size_t i = 0; i < d.arity; ++i) {
        const parameter& p = d.parameters[i];
        s += i == 0 ? "" : ", ";
        if (const name_view name = d.parameter_name(i); !name.empty()) s += string_of(name) + "=";
        bool is_open = false;
        for (std::size_t j = 0; j < open_count; ++j) is_open = is_open || open[j] == p.offset;
        s += is_open ? "?" : value_text(p.kind, p.size, arguments + p.offset, p.visit_fields);
    }
    return s + ")";
}

template <class... Open>
std::string expression_text(const descriptor& d, const std::string& geometry, const std::byte* arguments, hanabi::detail::list<Open...>) {
    const std::size_t open[] = {Open::offset..., 0};
    return launch_text(d, geometry, arguments, open, sizeof...(Open));
}

} // namespace test::detail

inline std::ostream& operator<<(std::ostream& out, parameter_kind kind) {
    switch (kind) {
    case parameter_kind::floating_point: return out << "floating_point";
    case parameter_kind::signed_integer: return out << "signed_integer";
    case parameter_kind::unsigned_integer: return out << "unsigned_integer";
    case parameter_kind::boolean: return out << "boolean";
    case parameter_kind::pointer: return out << "pointer";
    case parameter_kind::enumeration: return out << "enumeration";
    case parameter_kind::object: return out << "object";
    }
    return out << "parameter_kind " << std::to_string(static_cast<unsigned>(kind));
}

/// `float32 at 0`: type and offset in the argument block.
inline std::ostream& operator<<(std::ostream& out, const parameter& p) {
    return out << test::detail::type_text(p) << " at " << std::to_string(p.offset);
}

/// The contracts as they are written: `names<"alpha", "n">, max_threads<256>`; `no contracts` without.
inline std::ostream& operator<<(std::ostream& out, const contract_set& c) {
    std::string s;
    const auto say = [&](const std::string& contract) { s += (s.empty() ? "" : ", ") + contract; };
    const auto extents = [](const unsigned(&e)[3]) {
        return "<" + std::to_string(e[0]) + ", " + std::to_string(e[1]) + ", " + std::to_string(e[2]) + ">";
    };
    if (c.name_count != 0) {
        std::string names;
        for (unsigned i = 0; i < c.name_count; ++i) names += (i == 0 ? "\"" : ", \"") + test::detail::string_of(c.names[i]) + "\"";
        say("names<" + names + ">");
    }
    if (c.hidden != 0) say("hidden<" + std::to_string(c.hidden) + ">");
    if (c.max_threads != 0) say("max_threads<" + std::to_string(c.max_threads) + ">");
    if (c.has_required_threads()) say("required_threads" + extents(c.required));
    if (c.cluster[0] != 0) say("cluster_size" + extents(c.cluster));
    if (c.allows_pdl) say("allows_pdl");
    return out << (s.empty() ? "no contracts" : s);
}

/// `blas::axpy(float32 alpha, pointer x, pointer y, int32 n)`; behind a mangled symbol, what it stands for.
inline std::ostream& operator<<(std::ostream& out, const descriptor& d) { return out << test::detail::descriptor_text(d); }

/// The same of the descriptor's object.
template <text Module, symbol Symbol, class Signature, class... Contracts>
std::ostream& operator<<(std::ostream& out, const kernel<Module, Symbol, Signature, Contracts...>& k) {
    return out << k.info;
}

/// `blas::table (128 bytes)`.
template <text Module, symbol Symbol, class T>
std::ostream& operator<<(std::ostream& out, const global<Module, Symbol, T>& g) {
    return out << g.module_name << "::" << g.symbol << " (" << test::detail::counted(sizeof(T), "byte") << ")";
}

/// The expression as it was written, with the converted arguments: `blas::axpy[over(1000)](alpha=2, x=0x10, y=?, n=1000)`;
/// what is still open is `?`.
template <class Kernel, class Geometry, class... Open>
std::ostream& operator<<(std::ostream& out, const launch<Kernel, Geometry, Open...>& e) {
    const std::string geometry =
        test::detail::geometry_text(e.geometry, Geometry::terms, e.geometry.attributes.data(), Geometry::attribute_count);
    return out << test::detail::expression_text(*e.kernel, geometry, e.arguments.bytes, hanabi::detail::list<Open...>{});
}

/// `a >> b`.
template <class... E>
std::ostream& operator<<(std::ostream& out, const sequence_of<E...>& e) {
    const char* before = "";
    e.for_each([&](const auto& part) {
        out << before << part;
        before = " >> ";
    });
    return out;
}

/// `blas::axpy(alpha=2, n=1000) at solver.cpp:88`.
inline std::ostream& operator<<(std::ostream& out, const launch_view& view) { return out << to_string(view); }

} // namespace hanabi

#endif
