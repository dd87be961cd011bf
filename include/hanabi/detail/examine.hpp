// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Asking a driver about a function, and an image about a descriptor.

#ifndef HANABI_DETAIL_EXAMINE_HPP
#define HANABI_DETAIL_EXAMINE_HPP

#include <hanabi/descriptor.hpp>
#include <hanabi/detail/compare.hpp>
#include <hanabi/detail/missing_symbol.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/image/summary.hpp>
#include <hanabi/kernel_report.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hanabi::detail {

/// The sizes of a function's parameters by cuFuncGetParamInfo, which is there. On failure the status, with `sizes` as far
/// as they were answered.
template <class Sizes>
driver::status ask_sizes(const driver::table& driver, driver::function_handle function, Sizes& sizes) {
    for (std::size_t i = 0; i <= max_parameter_bytes; ++i) {
        std::size_t offset = 0, size = 0;
        const driver::status s = driver.func_get_param_info(function, i, &offset, &size);
        if (s == driver::status::invalid_value) break; // past the last
        if (s != driver::status::success) return s;
        sizes.push_back(size);
    }
    return driver::status::success;
}

/// A number of a function; 0 where the driver is too old to know. The first failure stays in `first`.
template <class = void>
std::uint64_t ask_attribute(const driver::table& driver, driver::function_handle function, driver::function_attribute which, bool required,
                            driver::status& first) noexcept {
    int value = 0;
    const driver::status s = driver.func_get_attribute(&value, which, function);
    if (s == driver::status::success) return value < 0 ? 0u : static_cast<unsigned>(value);
    if (first == driver::status::success && (required || s != driver::status::invalid_value)) first = s;
    return 0;
}

/// What launches of a function are bound by.
template <class = void>
driver::status ask_facts(const driver::table& driver, driver::function_handle function, bool clusters, function_facts& facts) noexcept {
    using attribute = driver::function_attribute;
    driver::status first = driver::status::success;
    facts.max_threads = ask_attribute(driver, function, attribute::max_threads_per_block, true, first);
    if (!clusters) return first;
    facts.required_cluster[0] = ask_attribute(driver, function, attribute::required_cluster_width, false, first);
    facts.required_cluster[1] = ask_attribute(driver, function, attribute::required_cluster_height, false, first);
    facts.required_cluster[2] = ask_attribute(driver, function, attribute::required_cluster_depth, false, first);
    for (std::uint64_t& extent : facts.required_cluster)
        if (extent == 0 && facts.required_cluster[0] != 0) extent = 1;
    return first;
}

/// Compares a descriptor with one kernel of an image; all of it by the image. Null where the image has an unreadable list.
template <class Kernel, class Report>
void compare_with_image(const descriptor& d, const Kernel* known, Report& report) {
    if (known != nullptr && known->parameters_known) {
        std::vector<std::uint64_t> sizes;
        for (const auto& p : known->parameters) sizes.push_back(p.size);
        report.hidden = compare_layout(d, sizes, proof::image, report);
        if (report.arity.what != verdict::contradicted) compare_classes(d, *known, report);
    }
    compare_name(d, report);
    compare_contracts(d, known, function_facts{}, report);
}

/// Verifies a descriptor against what an image holds.
template <class Report, class Summary>
Report examine_image(const descriptor& d, const Summary& image) {
    Report report;
    begin_report(d, report);
    std::string symbol{d.symbol.data(), d.symbol.size()};
    const auto names = [&] {
        std::vector<std::string> all;
        for (const auto& k : image.kernels) all.push_back(k.symbol);
        return all;
    };
    const std::string where = "the image (" + std::to_string(image.kernels.size()) + (image.kernels.size() == 1 ? " kernel)" : " kernels)");
    if (!image.what.usable) {
        report.faults.push_back({errc::invalid_image, 0, "what was given as its image is " + image::describe(image.what)});
        report.name = {verdict::contradicted, proof::image};
        return report;
    }
    if (d.by_pattern) {
        const std::vector<std::string> all = names(), hits = matching_names(symbol, all);
        if (hits.size() != 1) {
            if (hits.empty() && !image.complete) return report;
            report.name = {verdict::contradicted, proof::image};
            report.faults.push_back({errc::unknown_symbol, 0, not_one_text(where, symbol, hits, all)});
            return report;
        }
        symbol = hits.front();
        report.label.assign(d.module.data(), d.module.size()).append("::").append(symbol);
    }
    const auto* const known = image.find_kernel(symbol);
    if (known == nullptr) {
        if (!image.complete) return report;
        report.name = {verdict::contradicted, proof::image};
        report.faults.push_back({errc::unknown_symbol, 0, missing_text(where, symbol, names())});
        return report;
    }
    report.name = {verdict::proved, proof::image};
    compare_with_image(d, known, report);
    return report;
}

} // namespace hanabi::detail

#endif
