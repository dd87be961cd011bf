// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Comparing what a descriptor claims with what a driver, an image and a name say. Templates over the reports, so that
/// sources which verify nothing don't compile them.

#ifndef HANABI_DETAIL_COMPARE_HPP
#define HANABI_DETAIL_COMPARE_HPP

#include <hanabi/descriptor.hpp>
#include <hanabi/detail/agreement.hpp>
#include <hanabi/image/summary.hpp>
#include <hanabi/kernel_report.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hanabi::detail {

/// What a loaded function says of its launches; 0 where nothing is known.
struct function_facts {
    std::uint64_t max_threads = 0; ///< in a block
    std::uint64_t required_cluster[3] = {};
};

template <class = void>
std::string parameter_text(const descriptor& d, std::size_t i) {
    std::string s = "parameter " + std::to_string(i + 1);
    if (const name_view name = d.parameter_name(i); !name.empty()) s.append(" '").append(name.data(), name.size()).append("'");
    return s;
}

constexpr const char* kind_text(parameter_kind kind) noexcept {
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

/// Whose parameters are compared: of an image, or of what a driver has loaded.
constexpr const char* whose(proof by) noexcept { return by == proof::image ? "the image's kernel" : "the loaded kernel"; }

inline std::string bytes_text(std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

/// "2x1x1"
template <class Number>
std::string extent_text(const Number (&e)[3]) {
    return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]);
}
/// "32, 4, 1", as PTX writes it
template <class Extent>
std::string directive_text(const Extent& e) {
    return std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z);
}

/// A parameter's type as the image writes it: ".u64 .ptr", ".b8[24]"; empty where it does not say (a cubin).
template <class Layout>
std::string type_text(const Layout& p) {
    std::string s;
    if (p.type == image::scalar::unknown) return s;
    s.append(".").append(image::name_of(p.type));
    if (p.array) s += "[" + std::to_string(p.bound) + "]";
    if (p.pointer) s += " .ptr";
    return s;
}

/// Starts a report: what is declared, and nothing proved.
template <class Report>
void begin_report(const descriptor& d, Report& report) {
    report.kernel = &d;
    report.label.assign(d.module.data(), d.module.size()).append("::").append(d.symbol.data(), d.symbol.size());
    report.parameters.resize(d.arity);
    for (std::size_t i = 0; i < d.arity; ++i) {
        auto& p = report.parameters[i];
        const name_view name = d.parameter_name(i);
        p.name.assign(name.data(), name.size());
        p.kind = d.parameters[i].kind;
        p.size = d.parameters[i].size;
    }
}

/// Compares parameter counts and sizes with the truth of one source. `sizes` holds what was found; returns how many hidden
/// parameters follow the declared ones.
template <class Report>
unsigned compare_layout(const descriptor& d, const std::vector<std::uint64_t>& sizes, proof by, Report& report) {
    const std::size_t found = sizes.size(), declared = d.arity, most = declared + d.contracts->hidden;
    unsigned hidden = 0;
    const bool counted = found >= declared && found <= most;
    bool contradicted = false;
    if (counted) {
        report.arity = {verdict::proved, by};
        hidden = static_cast<unsigned>(found - declared);
        for (std::size_t i = declared; i < found; ++i)
            if (sizes[i] != sizeof(void*)) {
                contradicted = true;
                report.faults.push_back({errc::signature_mismatch, i + 1,
                                         "parameter " + std::to_string(i + 1) +
                                             ", behind the declared ones, is to be passed as a null pointer (hidden<" +
                                             std::to_string(d.contracts->hidden) + ">), " + whose(by) + " takes " + bytes_text(sizes[i])});
            }
    } else {
        report.arity = {verdict::contradicted, by};
        report.faults.push_back(
            {errc::signature_mismatch, 0,
             "declared with " + std::to_string(declared) + (declared == 1 ? " parameter" : " parameters") +
                 (d.contracts->hidden != 0 ? " and " + std::to_string(d.contracts->hidden) +
                                                 (d.contracts->hidden == 1 ? " hidden one" : " hidden ones") + " at most"
                                           : std::string{}) +
                 ", " + whose(by) + " has " + std::to_string(found)});
    }
    for (std::size_t i = 0; i < declared && i < found; ++i) {
        auto& p = report.parameters[i];
        p.found_size = sizes[i];
        p.sizes = {sizes[i] == p.size ? verdict::proved : verdict::contradicted, by};
        if (sizes[i] == p.size) continue;
        contradicted = true;
        report.faults.push_back({errc::signature_mismatch, i + 1,
                                 parameter_text(d, i) + " is declared as " + kind_text(p.kind) + " of " + bytes_text(p.size) + ", " +
                                     whose(by) + " takes " + bytes_text(sizes[i])});
    }
    if (contradicted)
        report.size = {verdict::contradicted, by};
    else if (counted)
        report.size = {verdict::proved, by};
    return hidden;
}

/// Compares the classes of parameters with what the image says, and notes its types.
template <class Kernel, class Report>
void compare_classes(const descriptor& d, const Kernel& k, Report& report) {
    bool all = k.parameters.size() >= d.arity, contradicted = false;
    for (std::size_t i = 0; i < d.arity && i < k.parameters.size(); ++i) {
        const auto& found = k.parameters[i];
        auto& p = report.parameters[i];
        p.found_type = type_text(found);
        if (p.name.empty()) p.name = found.name;
        const int agreed = agrees(p.kind, found.category);
        if (agreed == 0) all = false;
        if (agreed != 0) p.classes = {agreed > 0 ? verdict::proved : verdict::contradicted, proof::image};
        if (agreed >= 0) continue;
        contradicted = true;
        report.faults.push_back({errc::signature_mismatch, i + 1,
                                 parameter_text(d, i) + " is declared as " + kind_text(p.kind) + " of " + bytes_text(p.size) +
                                     ", the image says " + p.found_type + " (" + image::name_of(found.category) + ")"});
    }
    for (std::size_t i = d.arity; i < k.parameters.size(); ++i)
        if (agrees(parameter_kind::pointer, k.parameters[i].category) < 0) {
            contradicted = true;
            report.faults.push_back({errc::signature_mismatch, i + 1,
                                     "parameter " + std::to_string(i + 1) +
                                         ", behind the declared ones, is to be passed as a null pointer (hidden<" +
                                         std::to_string(d.contracts->hidden) + ">), the image says " + type_text(k.parameters[i]) + " (" +
                                         image::name_of(k.parameters[i].category) + ")"});
        }
    if (contradicted)
        report.classes = {verdict::contradicted, proof::image};
    else if (all)
        report.classes = {verdict::proved, proof::image};
}

/// What a C++ name proves, once a kernel of that name was found: it spells every parameter, so that what no better source
/// has contradicted is proved. Not the size of a class, whose definition may differ between the compilers that saw it.
template <class Report>
void compare_name(const descriptor& d, Report& report) {
    if (d.arity == 0 && report.arity.what == verdict::proved) {
        report.classes = report.types = report.arity; // nothing more can differ
        return;
    }
    if (!d.spells_types) return;
    constexpr finding spelled{verdict::proved, proof::symbol};
    if (report.arity.what == verdict::unproved) report.arity = spelled;
    bool sizes = report.arity.what == verdict::proved, classes = sizes;
    for (auto& p : report.parameters) {
        p.types = spelled;
        if (p.classes.what == verdict::unproved) p.classes = spelled;
        if (p.sizes.what == verdict::unproved && p.kind != parameter_kind::object && p.kind != parameter_kind::enumeration)
            p.sizes = spelled;
        sizes = sizes && p.sizes.what == verdict::proved;
        classes = classes && p.classes.what == verdict::proved;
    }
    if (sizes && report.size.what == verdict::unproved) report.size = spelled;
    if (classes && report.classes.what == verdict::unproved) report.classes = spelled;
    report.types = spelled;
}

/// Compares what follows the signature with what the kernel was compiled for. `known` is null where no image says.
template <class Kernel, class Report>
void compare_contracts(const descriptor& d, const Kernel* known, const function_facts& facts, Report& report) {
    const contract_set& c = *d.contracts;
    finding all{verdict::proved, proof::none};
    const auto hold = [&](proof by) {
        if (all.what == verdict::proved && all.by != proof::image) all.by = by; // the weaker source of two is named
    };
    const auto open = [&] {
        if (all.what == verdict::proved) all = {};
    };
    const auto contradict = [&](proof by, std::string text) {
        all = {verdict::contradicted, by};
        report.faults.push_back({errc::contract_violated, 0, std::move(text)});
    };
    const image::launch_bounds none;
    const image::launch_bounds& bounds = known != nullptr ? known->bounds : none;
    const std::uint64_t most = bounds.max_threads.volume(), exactly = bounds.required_threads.volume();
    const std::string takes_at_most = " threads in a block, the loaded kernel takes at most " + std::to_string(facts.max_threads);

    if (c.max_threads != 0) {
        const std::string says = "max_threads says " + std::to_string(c.max_threads);
        if (most != 0 && c.max_threads > most)
            contradict(proof::image, says + ", the image says .maxntid " + directive_text(bounds.max_threads));
        else if (exactly != 0 && c.max_threads < exactly)
            contradict(proof::image, says + ", the image says .reqntid " + directive_text(bounds.required_threads));
        else if (facts.max_threads != 0 && c.max_threads > facts.max_threads)
            contradict(proof::driver, says + takes_at_most);
        else if (most != 0 || exactly != 0)
            hold(proof::image);
        else if (facts.max_threads != 0)
            hold(proof::driver);
        else
            open();
    }
    if (c.has_required_threads()) {
        const std::uint64_t required = std::uint64_t{c.required[0]} * c.required[1] * c.required[2];
        const image::extent3& asked = bounds.required_threads;
        if (facts.max_threads != 0 && required > facts.max_threads)
            contradict(proof::driver, "required_threads says " + std::to_string(required) + takes_at_most);
        else if (most != 0 && required > most)
            contradict(proof::image, "required_threads says " + std::to_string(required) + " threads in a block, the image says .maxntid " +
                                         directive_text(bounds.max_threads));
        if (exactly == 0)
            open();
        else if (asked.x != c.required[0] || asked.y != c.required[1] || asked.z != c.required[2])
            contradict(proof::image,
                       "required_threads says " + extent_text(c.required) + ", the image says .reqntid " + directive_text(asked));
        else
            hold(proof::image);
    }
    if (c.cluster[0] != 0) {
        const std::uint64_t declared[3] = {c.cluster[0], c.cluster[1], c.cluster[2]}, blocks = declared[0] * declared[1] * declared[2];
        const image::extent3& asked = bounds.required_cluster;
        const bool by_driver = facts.required_cluster[0] != 0;
        std::uint64_t compiled[3] = {asked.x, asked.y, asked.z};
        for (int i = 0; i < 3 && by_driver; ++i) compiled[i] = facts.required_cluster[i];
        if (compiled[0] != 0 && (declared[0] != compiled[0] || declared[1] != compiled[1] || declared[2] != compiled[2]))
            contradict(by_driver ? proof::driver : proof::image, "cluster_size says " + extent_text(declared) + ", " +
                                                                     whose(by_driver ? proof::driver : proof::image) +
                                                                     " was compiled for " + extent_text(compiled));
        else if (bounds.max_cluster_rank != 0 && blocks > bounds.max_cluster_rank)
            contradict(proof::image, "cluster_size says " + extent_text(declared) + ", the image says .maxclusterrank " +
                                         std::to_string(bounds.max_cluster_rank));
        else if (compiled[0] != 0)
            hold(by_driver ? proof::driver : proof::image);
        else
            open();
    }
    if (c.allows_pdl) {
        const image::answer waits = known != nullptr ? known->griddepcontrol_wait : image::answer::unknown;
        if (waits == image::answer::no)
            contradict(proof::image, "allows_pdl promises a wait for the kernel before, and the image has no griddepcontrol.wait in it");
        else if (waits == image::answer::yes)
            hold(proof::image);
        else
            open();
    }
    report.contracts = all;
}

} // namespace hanabi::detail

#endif
