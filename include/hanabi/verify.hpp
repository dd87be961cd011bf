// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Verification: descriptors against an image, or against a function that was loaded by other means. hanabi::registry
/// does the same for what it loads, at require and at the first launch.

#ifndef HANABI_VERIFY_HPP
#define HANABI_VERIFY_HPP

#include <hanabi/context.hpp>
#include <hanabi/detail/examine.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/image/hook.hpp>
#include <hanabi/image/summary.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/kernel_report.hpp>
#include <hanabi/module_source.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hanabi {

/// Something that can be verified: a descriptor, or one as data (`axpy.info`, or made at run time).
template <class K>
concept verifiable = kernel_descriptor<K> || std::same_as<K, descriptor>;

namespace detail {

template <class K>
constexpr const descriptor& info_of(const K& k) noexcept {
    if constexpr (std::same_as<K, descriptor>)
        return k;
    else
        return K::info;
}

} // namespace detail

/// What an image proves of a descriptor, and what it contradicts, on whatever device: of a fatbin, all entries count.
/// Needs no driver and no device. Any thread; nothing in the report points into the image.
template <verifiable K, std::same_as<image::summary> Summary>
kernel_report verify(const K& kernel, const Summary& image) {
    return detail::examine_image<kernel_report>(detail::info_of(kernel), image);
}

/// The same for the image's bytes: PTX, cubin, fatbin, in any array, string or range of bytes. Reads them with
/// <hanabi/image.hpp>, which one source of the program includes; without, every verdict is unproved. To verify many,
/// summarize once. Bytes that are no image are a fault of errc::invalid_image.
template <verifiable K, detail::bytes_range Image>
requires(!std::same_as<Image, image::summary>) kernel_report verify(const K& kernel, const Image& image) {
    return verify(kernel, image::read(std::span{reinterpret_cast<const std::byte*>(image.data()), image.size()}));
}
template <verifiable K, detail::byte_like T, std::size_t N>
kernel_report verify(const K& kernel, const T (&image)[N]) {
    return verify(kernel, image::read(std::span{reinterpret_cast<const std::byte*>(image), N}));
}

/// What a driver proves of a descriptor for a function that was loaded by other means (a raw CUfunction of the context's):
/// its name (CUDA 12.3), its parameters' number and sizes (12.4), its launch limits. With the image that it came from,
/// classes and contracts as well. Makes the context current for the call. Errors: the driver's own failures.
template <verifiable K, std::same_as<context> Context, std::same_as<image::summary> Summary = image::summary>
kernel_report verify(const K& kernel, const Context& in, driver::function_handle loaded, const Summary* image = nullptr) {
    const descriptor& d = detail::info_of(kernel);
    detail::context_state& context = *in.state();
    const driver::table& driver = *context.driver;
    kernel_report report;
    detail::begin_report(d, report);
    const auto raise = [&](driver::status s, const char* what) {
        detail::raise(detail::driver_failure(context, s, "hanabi::verify: " + report.label + ": " + what));
    };
    const detail::current_scope scope{context};
    if (scope.status() != driver::status::success) raise(scope.status(), "making the context current");

    std::string symbol{d.symbol.data(), d.symbol.size()};
    const char* name = nullptr;
    if (driver.func_get_name != nullptr && driver.func_get_name(&name, loaded) == driver::status::success && name != nullptr) {
        const bool same = d.by_pattern ? !matching_names(symbol, {name}).empty() : symbol == name;
        report.name = {same ? verdict::proved : verdict::contradicted, proof::driver};
        if (!same) {
            const std::string readable = demangle(name);
            report.faults.push_back({errc::unknown_symbol, 0,
                                     "the loaded function is '" + std::string{name} + "'" +
                                         (readable != name ? ", " + readable : std::string{}) + ", not '" + symbol + "'"});
            return report;
        }
        symbol = name;
    }
    const auto* const known = image != nullptr ? image->find_kernel(symbol) : nullptr;
    if (driver.func_get_param_info != nullptr) {
        std::vector<std::uint64_t> sizes;
        const driver::status s = detail::ask_sizes(driver, loaded, sizes);
        if (s != driver::status::success) raise(s, "asking for a parameter");
        report.hidden = detail::compare_layout(d, sizes, proof::driver, report);
    } else if (known != nullptr && known->parameters_known) {
        std::vector<std::uint64_t> sizes;
        for (const auto& p : known->parameters) sizes.push_back(p.size);
        report.hidden = detail::compare_layout(d, sizes, proof::image, report);
    }
    if (known != nullptr && known->parameters_known && report.arity.what != verdict::contradicted)
        detail::compare_classes(d, *known, report);
    if (report.name.what == verdict::proved) detail::compare_name(d, report);
    detail::function_facts facts;
    const driver::status s = detail::ask_facts(driver, loaded, context.limits.cluster_launch, facts);
    if (s != driver::status::success) raise(s, "reading the function's attributes");
    detail::compare_contracts(d, known, facts, report);
    return report;
}

} // namespace hanabi

#endif
