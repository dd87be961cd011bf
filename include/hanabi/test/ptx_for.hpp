// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// PTX made from descriptors: modules for tests without a PTX file. The kernels have the declared parameters and contracts,
/// and do nothing.

#ifndef HANABI_TEST_PTX_FOR_HPP
#define HANABI_TEST_PTX_FOR_HPP

#include <hanabi/context.hpp>
#include <hanabi/global.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/module_source.hpp>
#include <hanabi/registry.hpp>
#include <hanabi/signature.hpp>
#include <hanabi/test/known_kernel.hpp>
#include <hanabi/test/print_name.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hanabi::test {

namespace detail {

/// A parameter as nvcc declares it.
inline std::string ptx_parameter(const parameter& p, const std::string& name) {
    const std::string bits = std::to_string(p.size * 8);
    const bool scalar = p.size == 1 || p.size == 2 || p.size == 4 || p.size == 8;
    switch (p.kind) {
    case parameter_kind::floating_point:
        if (scalar && p.size != 1) return ".param .f" + bits + " " + name;
        break;
    case parameter_kind::signed_integer:
    case parameter_kind::unsigned_integer:
    case parameter_kind::boolean:
    case parameter_kind::enumeration:
        if (scalar) return ".param .u" + bits + " " + name;
        break;
    case parameter_kind::pointer: return ".param .u" + bits + " .ptr .align 1 " + name;
    case parameter_kind::object: break;
    }
    return ".param .align " + std::to_string(p.alignment) + " .b8 " + name + "[" + std::to_string(p.size) + "]";
}

/// What a module of the descriptors needs of the compiler.
struct ptx_needs {
    unsigned target = 75; ///< the oldest that CUDA 13 compiles for
    unsigned major = 7, minor = 8;

    void clusters() { target = std::max(target, 90u); }
    void large_parameters() { // past 4352 bytes
        major = 8;
        minor = 1;
    }
};

inline std::string ptx_entry(const descriptor& d, ptx_needs& needs) {
    const contract_set& c = *d.contracts;
    const std::string symbol = string_of(d.symbol);
    const auto extents = [](const unsigned(&e)[3]) {
        return std::to_string(e[0]) + ", " + std::to_string(e[1]) + ", " + std::to_string(e[2]);
    };
    std::string s = ".visible .entry " + symbol + "(";
    for (std::size_t i = 0; i < d.arity; ++i)
        s += (i == 0 ? "\n    " : ",\n    ") + ptx_parameter(d.parameters[i], symbol + "_param_" + std::to_string(i));
    s += ")\n";
    if (d.arity != 0 && d.parameters[d.arity - 1].offset + d.parameters[d.arity - 1].size > 4352) needs.large_parameters();
    if (c.has_required_threads())
        s += ".reqntid " + extents(c.required) + "\n";
    else if (c.max_threads != 0)
        s += ".maxntid " + std::to_string(c.max_threads) + ", 1, 1\n";
    if (c.cluster[0] != 0) {
        s += ".reqnctapercluster " + extents(c.cluster) + "\n";
        needs.clusters();
    }
    s += "{\n";
    if (c.allows_pdl) {
        s += "    griddepcontrol.wait;\n";
        needs.clusters(); // they came together
    }
    return s + "    ret;\n}\n";
}

/// One thing for a module to have: a kernel, or a variable.
struct ptx_item {
    name_view module;
    std::string text;
};

template <kernel_descriptor K>
ptx_item make_ptx_item(const K&, ptx_needs& needs) {
    static_assert(!K::info.by_pattern, "hanabi::test::ptx_for: a kernel known by a pattern has no symbol that a module could be made with");
    remember(K::info);
    return {K::module_name, ptx_entry(K::info, needs)};
}

template <text Module, symbol Symbol, class T>
ptx_item make_ptx_item(const global<Module, Symbol, T>& variable, ptx_needs&) {
    return {variable.module_name, ".visible .global .align " + std::to_string(alignof(T)) + " .b8 " + string_of(variable.symbol) + "[" +
                                      std::to_string(sizeof(T)) + "];\n"};
}

inline std::string ptx_text(const ptx_needs& needs, const std::string& items) {
    return ".version " + std::to_string(needs.major) + "." + std::to_string(needs.minor) + "\n.target sm_" + std::to_string(needs.target) +
           "\n.address_size 64\n\n" + items;
}

template <class... D>
constexpr bool are_of_one_module() noexcept {
    const name_view modules[]{std::remove_cvref_t<D>::module_name...};
    for (const name_view& m : modules)
        if (!(m == modules[0])) return false;
    return true;
}

} // namespace detail

/// PTX text of one module that has these kernels, with the parameters and contracts of their descriptors, and these variables
/// (hanabi::global), of zeros: for registry::load, on any driver. On the host driver the kernels do what host::define says;
/// on a device, nothing. All must be of one module; load_for serves several.
template <class... D>
std::string ptx_for(const D&... descriptors) {
    static_assert(sizeof...(D) != 0, "hanabi::test::ptx_for: which kernels?");
    static_assert(detail::are_of_one_module<D...>(),
                  "hanabi::test::ptx_for: the kernels are of several modules; use load_for, or one ptx_for for each");
    detail::ptx_needs needs;
    std::string items;
    ((items += detail::make_ptx_item(descriptors, needs).text), ...);
    return detail::ptx_text(needs, items);
}

/// A registry with modules made for these kernels and variables: each module that they name, with what they say is in it.
template <class... D>
registry load_for(const context& in, const D&... descriptors) {
    detail::ptx_needs needs;
    const std::vector<detail::ptx_item> items{detail::make_ptx_item(descriptors, needs)...};
    std::vector<std::pair<std::string, std::string>> modules; // name and text, in the order of their first descriptors
    for (const detail::ptx_item& item : items) {
        const std::string name = detail::string_of(item.module);
        auto at = std::find_if(modules.begin(), modules.end(), [&](const auto& m) { return m.first == name; });
        if (at == modules.end()) at = modules.insert(at, {name, detail::ptx_text(needs, "")});
        at->second += item.text;
    }
    std::vector<module_source> sources;
    for (const auto& [name, text] : modules) sources.emplace_back(name, text);
    return registry::load_all(in, sources);
}

} // namespace hanabi::test

#endif
