// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Verification: what is proved of a descriptor by the loaded kernel, and what is contradicted.

#ifndef HANABI_VERIFY_HPP
#define HANABI_VERIFY_HPP

#include <hanabi/config.hpp>
#include <hanabi/error.hpp>
#include <hanabi/image/summary.hpp>
#include <hanabi/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hanabi {

/// How a claim of a descriptor stands.
enum class verdict : unsigned char {
    unproved, ///< nothing at hand says; passes
    proved,
    contradicted ///< an error at require, and at the first launch
};

/// Where a verdict comes from.
enum class proof : unsigned char {
    none,
    driver, ///< the driver's parameter query (cuFuncGetParamInfo, CUDA 12.4), or its look-up
    image,  ///< the loaded image's text or metadata
    symbol  ///< the C++ name that the linker knows, which spells the parameters
};

/// One claim's verdict.
struct finding {
    verdict what = verdict::unproved;
    proof by = proof::none;
};

/// One contradiction, in words and numbers.
struct fault {
    errc code = errc::signature_mismatch;
    std::size_t parameter = 0; ///< 1-based; 0 for the kernel as a whole
    std::string text;          ///< without the kernel's name
};

/// What verification found out about one descriptor.
struct kernel_report {
    const descriptor* kernel = nullptr;
    finding name;    ///< the module has a kernel of that symbol
    finding arity;   ///< with that number of parameters
    finding size;    ///< each of the declared size
    finding classes; ///< each floating point, integer or pointer as declared
    std::vector<fault> faults;

    bool good() const noexcept { return faults.empty(); }
};

namespace detail {

/// What the driver answers about one parameter.
struct driver_parameter {
    std::size_t offset = 0, size = 0;
};

inline std::string parameter_text(const descriptor& d, std::size_t i) {
    std::string s = "parameter " + std::to_string(i + 1);
    if (const name_view name = d.parameter_name(i); !name.empty()) s.append(" '").append(name.data(), name.size()).append("'");
    return s;
}

inline const char* kind_text(parameter_kind kind) noexcept {
    switch (kind) {
    case parameter_kind::floating_point: return "a floating-point value";
    case parameter_kind::signed_integer:
    case parameter_kind::unsigned_integer: return "an integer";
    case parameter_kind::boolean: return "a bool";
    case parameter_kind::pointer: return "a pointer";
    case parameter_kind::enumeration: return "an enumeration";
    case parameter_kind::object: return "an object";
    }
    return "a value";
}

inline std::string bytes_text(std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

/// Whether the image's class of a parameter says yes (1), no (-1) or nothing (0) to a declared kind.
inline int agrees(parameter_kind kind, image::value_class c) noexcept {
    using image::value_class;
    const bool integer = kind == parameter_kind::signed_integer || kind == parameter_kind::unsigned_integer ||
                         kind == parameter_kind::boolean || kind == parameter_kind::enumeration;
    switch (c) {
    case value_class::floating: return kind == parameter_kind::floating_point ? 1 : kind == parameter_kind::object ? 0 : -1;
    case value_class::integer: return integer ? 1 : kind == parameter_kind::object ? 0 : -1;
    case value_class::pointer: return kind == parameter_kind::pointer ? 1 : kind == parameter_kind::object ? 0 : -1;
    case value_class::integer_or_pointer: return kind == parameter_kind::floating_point ? -1 : 0;
    case value_class::bytes: return kind == parameter_kind::object ? 1 : 0;
    case value_class::unknown: return 0;
    }
    return 0;
}

/// Compares parameter counts and sizes with the truth of one source. `sizes` holds what was found; returns how many hidden
/// parameters follow the declared ones.
template <class Report>
unsigned compare_layout(const descriptor& d, const std::vector<std::uint64_t>& sizes, proof by, Report& report) {
    const std::size_t found = sizes.size(), declared = d.arity, most = declared + d.contracts->hidden;
    unsigned hidden = 0;
    if (found >= declared && found <= most) {
        report.arity = {verdict::proved, by};
        hidden = static_cast<unsigned>(found - declared);
        for (std::size_t i = declared; i < found; ++i)
            if (sizes[i] != sizeof(void*))
                report.faults.push_back({errc::signature_mismatch, i + 1,
                                         "parameter " + std::to_string(i + 1) +
                                             ", behind the declared ones, is to be passed as a null pointer (hidden<" +
                                             std::to_string(d.contracts->hidden) + ">), the loaded kernel takes " + bytes_text(sizes[i])});
    } else {
        report.arity = {verdict::contradicted, by};
        report.faults.push_back(
            {errc::signature_mismatch, 0,
             "declared with " + std::to_string(declared) + (declared == 1 ? " parameter" : " parameters") +
                 (d.contracts->hidden != 0 ? " and " + std::to_string(d.contracts->hidden) +
                                                 (d.contracts->hidden == 1 ? " hidden one" : " hidden ones") + " at most"
                                           : std::string{}) +
                 ", the loaded kernel has " + std::to_string(found)});
    }
    report.size = {verdict::proved, by};
    for (std::size_t i = 0; i < declared && i < found; ++i)
        if (sizes[i] != d.parameters[i].size) {
            report.size.what = verdict::contradicted;
            report.faults.push_back({errc::signature_mismatch, i + 1,
                                     parameter_text(d, i) + " is declared as " + kind_text(d.parameters[i].kind) + " of " +
                                         bytes_text(d.parameters[i].size) + ", the loaded kernel takes " + bytes_text(sizes[i])});
        }
    if ((found < declared || found > most) && report.size.what == verdict::proved) report.size.what = verdict::unproved;
    return hidden;
}

/// Compares the classes of parameters with what the image says.
template <class Kernel, class Report>
void compare_classes(const descriptor& d, const Kernel& k, Report& report) {
    bool all = k.parameters.size() >= d.arity, contradicted = false;
    for (std::size_t i = 0; i < d.arity && i < k.parameters.size(); ++i) {
        const int agreed = agrees(d.parameters[i].kind, k.parameters[i].category);
        if (agreed == 0) all = false;
        if (agreed >= 0) continue;
        contradicted = true;
        report.faults.push_back({errc::signature_mismatch, i + 1,
                                 parameter_text(d, i) + " is declared as " + kind_text(d.parameters[i].kind) + " of " +
                                     bytes_text(d.parameters[i].size) + ", the image says ." + image::name_of(k.parameters[i].type) + " (" +
                                     image::name_of(k.parameters[i].category) + ")"});
    }
    report.classes = {contradicted ? verdict::contradicted
                      : all        ? verdict::proved
                                   : verdict::unproved,
                      contradicted || all ? proof::image : proof::none};
}

} // namespace detail

} // namespace hanabi

#endif
