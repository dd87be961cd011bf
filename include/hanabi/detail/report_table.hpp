// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Reports as a table of text: what registry::report returns.

#ifndef HANABI_DETAIL_REPORT_TABLE_HPP
#define HANABI_DETAIL_REPORT_TABLE_HPP

#include <hanabi/detail/compare.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/kernel_report.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::detail {

/// `proved (driver)`, `unproved`; `none` where nothing was claimed.
template <class = void>
std::string finding_text(const finding& f) {
    if (f.what == verdict::proved && f.by == proof::none) return "none";
    return f.by == proof::none ? name_of(f.what) : std::string{name_of(f.what)} + " (" + name_of(f.by) + ")";
}

constexpr const char* class_text(parameter_kind kind) noexcept {
    switch (kind) {
    case parameter_kind::floating_point: return "floating point";
    case parameter_kind::signed_integer: return "integer";
    case parameter_kind::unsigned_integer: return "unsigned integer";
    case parameter_kind::boolean: return "bool";
    case parameter_kind::pointer: return "pointer";
    case parameter_kind::enumeration: return "enumeration";
    case parameter_kind::object: return "object";
    }
    return "value";
}

/// The table of a range of reports. See registry::report for its form.
template <class Reports>
std::string report_table(const Reports& reports) {
    constexpr std::size_t columns = 8;
    std::vector<std::vector<typename dependent<std::string, Reports>::type>> rows{
        {"kernel", "parameters", "name", "arity", "size", "class", "types", "contracts"}};
    for (const auto& r : reports) {
        rows.push_back({r.label, std::to_string(r.parameters.size()) + (r.hidden != 0 ? " + " + std::to_string(r.hidden) + " hidden" : ""),
                        finding_text(r.name), finding_text(r.arity), finding_text(r.size), finding_text(r.classes), finding_text(r.types),
                        finding_text(r.contracts)});
        for (std::size_t i = 0; i < r.parameters.size(); ++i) {
            const auto& p = r.parameters[i];
            rows.push_back({"  " + std::to_string(i + 1) + (p.name.empty() ? "" : " " + p.name),
                            std::string{class_text(p.kind)} + ", " + bytes_text(p.size) + (p.found_type.empty() ? "" : ", " + p.found_type),
                            "-", "-", finding_text(p.sizes), finding_text(p.classes), finding_text(p.types), "-"});
        }
    }
    std::size_t widths[columns] = {};
    for (const auto& row : rows)
        for (std::size_t i = 0; i < columns; ++i)
            if (row[i].size() > widths[i]) widths[i] = row[i].size();
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < columns; ++i) {
            text += row[i];
            if (i + 1 < columns) text.append(widths[i] + 2 - row[i].size(), ' ');
        }
        text += '\n';
    }
    return text;
}

} // namespace hanabi::detail

#endif
