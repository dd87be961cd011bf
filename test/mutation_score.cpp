// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Every kernel of a corpus, every way to get one parameter of it wrong: how many of the wrong descriptors are refused. What
// is not refused must be reported as unproved. Prints the figures that doc/rationale.adoc has.

#define BOOST_TEST_MODULE mutation_score
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"
#include "support/mutation.hpp"

#include <hanabi/demangle.hpp>
#include <hanabi/image.hpp>

#include <cstdio>
#include <filesystem>
#include <map>

using hanabi::verdict;
using mutation::kind;
namespace image = hanabi::image;

namespace {

/// Kernels of one image, and what their descriptors rightly say.
struct corpus {
    std::string name, text;
    std::vector<mutation::signature> kernels;
    bool with_ptr = false; ///< of the dialect that tells pointers from integers
};

/// The parameters that a C++ name spells, if all are of the universe.
bool parameters_of(const mutation::universe& types, const std::string& demangled, mutation::signature& s) {
    const std::size_t open = demangled.find('(');
    if (open == std::string::npos || demangled.back() != ')' || demangled.find('<') != std::string::npos) return false;
    s.name = demangled.substr(0, open);
    std::string rest = demangled.substr(open + 1, demangled.size() - open - 2);
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(", "), rest.size());
        const int t = types.find(rest.substr(0, comma));
        if (t < 0) return false;
        s.parameters.push_back(t);
        rest.erase(0, comma + 2);
    }
    s.cxx = true;
    return true;
}

/// The right descriptor of a kernel for which there is only the image: by the C++ name where it is made of known types,
/// else what the image says, pointers as float*.
mutation::signature derived(mutation::universe& types, const image::kernel_summary& k) {
    mutation::signature s;
    if (parameters_of(types, hanabi::demangle(k.symbol.c_str()), s) && s.symbol(types) == k.symbol) return s;
    s = {k.symbol, {}, false};
    for (const image::parameter& p : k.parameters) {
        const char* integer = p.size == 1   ? "unsigned char"
                              : p.size == 2 ? "unsigned short"
                              : p.size == 4 ? "unsigned int"
                                            : "unsigned long";
        const bool wide =
            p.size == sizeof(void*) && (p.category == image::value_class::integer_or_pointer || p.category == image::value_class::pointer);
        s.parameters.push_back(wide                                        ? types.find("float*")
                               : p.type == image::scalar::f32              ? types.find("float")
                               : p.type == image::scalar::f64              ? types.find("double")
                               : p.category == image::value_class::integer ? types.find(integer)
                                                                           : types.bytes(p.size, p.align));
    }
    return s;
}

corpus read(mutation::universe& types, const std::string& file) {
    corpus c{file, test::file(file), {}, false};
    for (const image::kernel_summary& k : image::summarize(test::bytes_of(c.text)).kernels) {
        c.kernels.push_back(derived(types, k));
        for (const image::parameter& p : k.parameters) c.with_ptr = c.with_ptr || p.pointer;
    }
    return c;
}

/// So many signatures from number `first` on, each with both linkages. Small modules: a name that is not found is compared with
/// every other.
corpus generate(const mutation::universe& types, std::size_t first, std::size_t count, bool with_ptr) {
    corpus c{with_ptr ? "generated, with .ptr" : "generated", ".version 8.0\n.target sm_75\n.address_size 64\n", {}, with_ptr};
    std::uint32_t state = 2024 + static_cast<std::uint32_t>(first); // a linear congruence: the same signatures everywhere
    const auto random = [&](std::uint32_t below) {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) % below;
    };
    for (std::size_t i = first; i < first + count; ++i) {
        mutation::signature s{(i % 4 == 3 ? "ns" + std::to_string(i % 7) + "::k" : "k") + std::to_string(i), {}, true};
        for (std::size_t n = i % 9; n != 0; --n)
            s.parameters.push_back(static_cast<int>(random(static_cast<std::uint32_t>(types.named()))));
        c.kernels.push_back(s);
        s.cxx = false; // the same as extern "C"
        s.name = "c_k" + std::to_string(i);
        c.kernels.push_back(s);
    }
    for (const mutation::signature& s : c.kernels) {
        mutation::signature plain = s;
        std::string text = plain.ptx(types, with_ptr);
        for (std::size_t at; (at = text.find("::k", text.find('('))) != std::string::npos;) text.replace(at, 2, "_"); // parameter names
        c.text += text;
    }
    return c;
}

struct score {
    std::size_t tried = 0, refused = 0;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(mutation_score, recording) {
    mutation::universe types;
    std::vector<corpus> all;
    for (const char* file : {"../../example/kernels/blas.ptx", "../../example/kernels/stencil.ptx", "../../example/kernels/particles.ptx"})
        all.push_back(read(types, file));
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator{std::string{HANABI_TEST_DATA_DIR} + "/ptx"})
        if (entry.path().extension() == ".ptx") files.push_back("ptx/" + entry.path().filename().string());
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) all.push_back(read(types, file));
    for (std::size_t first = 0; first < 640; first += 10) all.push_back(generate(types, first, 10, first >= 440));

    std::map<bool, std::array<score, mutation::kinds>> scores; // by whether it is a C++ name
    std::array<score, mutation::kinds> with_ptr{};             // extern "C", and the image tells pointers
    std::size_t kernels = 0, signatures = 0, bound = 0, agreed = 0;
    for (const corpus& c : all) {
        kernels += c.kernels.size();
        const image::summary summary = image::summarize(test::bytes_of(c.text));
        mutation::descriptors made;
        for (const mutation::signature& s : c.kernels) {
            const hanabi::kernel_report r = verify(made.make(types, "m", s), summary);
            BOOST_TEST(r.good(), c.name << ": " << r.label << ": " << (r.good() ? "" : r.faults[0].text)); // the right one passes
            BOOST_TEST((r.types.what == verdict::proved) == (s.cxx || s.parameters.empty()), c.name << ": " << r.label);
            ++signatures;
        }
        std::vector<mutation::mutant> mutants;
        for (std::size_t i = 0; i < c.kernels.size(); ++i) mutate(types, c.kernels[i], i, mutants);
        std::vector<const hanabi::descriptor*> claims;
        std::vector<bool> refused;
        for (const mutation::mutant& m : mutants) {
            const hanabi::descriptor& d = made.make(types, "m", m.claim);
            if (m.claim.cxx && summary.find_kernel({d.symbol.data(), d.symbol.size()}) != nullptr) continue; // rightly another overload's
            claims.push_back(&d);
            const hanabi::kernel_report r = verify(d, summary);
            const std::size_t k = static_cast<std::size_t>(m.what);
            refused.push_back(!r.good());
            const auto count = [&](score& s) {
                ++s.tried;
                s.refused += r.good() ? 0 : 1;
            };
            count(scores[m.claim.cxx][k]);
            if (!m.claim.cxx && c.with_ptr) count(with_ptr[k]);
            if (!r.good()) continue;
            // What is not refused is not proved either.
            BOOST_TEST(r.types.what == verdict::unproved, c.name << ": " << r.label << ": " << mutation::kind_names[k]);
            if (m.at < r.parameters.size()) BOOST_TEST(r.parameters[m.at].types.what == verdict::unproved);
        }
        // At compile time the same code decides; here it runs. Bound by a registry, the driver is asked as well.
        for (std::size_t i = 0; i < claims.size(); i += 23) {
            const hanabi::match_result r = hanabi::detail::match_text(*claims[i], c.text.data(), c.text.size());
            BOOST_TEST(static_cast<bool>(r) != refused[i]);
            ++agreed;
        }
        std::error_code not_for_this_device;
        const hanabi::registry r = hanabi::registry::load(*gpu, {{"m", c.text}}, not_for_this_device);
        if (!not_for_this_device) {
            std::vector<const hanabi::descriptor*> some;
            for (std::size_t i = 0; i < claims.size(); i += 5) some.push_back(claims[i]);
            const std::vector<hanabi::kernel_report> reports = r.check_all(some);
            for (std::size_t i = 0; i < some.size(); ++i)
                if (reports[i].good() == refused[i * 5]) BOOST_TEST(false, c.name << ": " << reports[i].label << " at bind");
            bound += some.size();
        }
    }

    std::size_t tried[2] = {}, caught_all[2] = {};
    std::printf("%zu kernels of %zu images; refused of all mutations of one parameter:\n%-26s %20s %20s %20s\n", kernels, all.size(), "",
                "C++ name", "extern \"C\"", "with .ptr");
    const auto cell = [](const score& s) {
        char text[64];
        if (s.tried == 0) return std::string{"-"};
        std::snprintf(text, sizeof text, "%zu/%zu %5.1f %%", s.refused, s.tried,
                      100.0 * static_cast<double>(s.refused) / static_cast<double>(s.tried));
        return std::string{text};
    };
    for (std::size_t k = 0; k < mutation::kinds; ++k) {
        std::printf("%-26s %20s %20s %20s\n", mutation::kind_names[k], cell(scores[true][k]).c_str(), cell(scores[false][k]).c_str(),
                    cell(with_ptr[k]).c_str());
        for (bool cxx : {false, true}) {
            tried[cxx] += scores[cxx][k].tried;
            caught_all[cxx] += scores[cxx][k].refused;
        }
    }
    std::printf("%-26s %20s %20s\n", "all", cell({tried[1], caught_all[1]}).c_str(), cell({tried[0], caught_all[0]}).c_str());
    std::printf("%zu mutants also at bind, %zu through the compile-time matcher\n", bound, agreed);

    BOOST_TEST(signatures >= 1300u);
    BOOST_TEST(bound > 5000u);
    BOOST_TEST(tried[true] > 10000u);
    BOOST_TEST(caught_all[true] == tried[true]); // C++ names: everything
    for (kind k : {kind::drop, kind::add, kind::widen, kind::narrow, kind::scalar_class}) {
        const score s = scores[false][static_cast<std::size_t>(k)];
        BOOST_TEST(s.tried > 400u);
        BOOST_TEST(s.refused == s.tried, mutation::kind_names[static_cast<std::size_t>(k)]);
    }
    for (kind k : {kind::constness, kind::pointee}) {
        BOOST_TEST(scores[false][static_cast<std::size_t>(k)].tried > 1000u);
        BOOST_TEST(scores[false][static_cast<std::size_t>(k)].refused == 0u); // nothing could see them
    }
}
