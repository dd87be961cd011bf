// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One truth about every sample kernel's parameters, test/data/ptx/params.tsv, from PTX, from the cubins that ptxas makes of it
/// for five architectures, from fatbins of both, and from the driver's own answers. The assembler is used where it is
/// installed; the driver's answers are those of HANABI_TEST_DRIVER.

#define BOOST_TEST_MODULE image_parameters
#include <boost/test/unit_test.hpp>

#include <hanabi/current.hpp>
#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>
#include <hanabi/image.hpp>

#if defined(HANABI_TEST_DECOMPRESS)
#include <hanabi/image/decompress.hpp>
#endif

#include "support/driver.hpp"
#include "support/files.hpp"
#include "support/toolkit.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace image = hanabi::image;

namespace {

struct truth_row {
    std::uint32_t size, offset;
};
/// Parameters by kernel; kernels without parameters as well.
using truth = std::map<std::string, std::vector<truth_row>>;

/// By file name without .ptx.
const std::map<std::string, truth>& truths() {
    static const std::map<std::string, truth> all = [] {
        std::map<std::string, truth> made;
        for (const auto& row : test::table("ptx/entries.tsv")) made[row[0]][row[5]];
        for (const auto& row : test::table("ptx/params.tsv"))
            made[row[0]][row[1]].push_back(
                {static_cast<std::uint32_t>(std::stoul(row[6])), static_cast<std::uint32_t>(std::stoul(row[8]))});
        return made;
    }();
    return all;
}

std::string ptx_of(const std::string& name) { return test::file("ptx/" + name + ".ptx"); }

image::gpu_target target_of(const image::summary& s) { return s.parts.at(0).target; }

/// The architectures to assemble a text for: the five, from its own target on; a text for one architecture or family, for that.
std::vector<std::string> architectures(const image::gpu_target& target) {
    if (target.variant != 0) return {image::to_string(target)};
    std::vector<std::string> all;
    for (const unsigned sm : {75u, 80u, 90u, 100u, 120u})
        if (sm >= target.sm) all.push_back("sm_" + std::to_string(sm));
    return all;
}

/// Compares all kernels of one summary with the truth; offsets where PTX knows them.
void compare(const image::summary& s, const truth& expected, const image::summary& text) {
    BOOST_TEST(s.kernels.size() == expected.size());
    for (const auto& [symbol, rows] : expected) BOOST_TEST_CONTEXT(symbol) {
            const image::kernel_summary* const k = s.find_kernel(symbol);
            BOOST_TEST_REQUIRE(k != nullptr);
            BOOST_TEST_REQUIRE(k->parameters_known);
            BOOST_TEST_REQUIRE(k->parameters.size() == rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                BOOST_TEST(k->parameters[i].size == rows[i].size, "size of parameter " << i);
                const bool certain = text.find_kernel(symbol)->parameters[i].offset_known;
                BOOST_TEST((!certain || k->parameters[i].offset == rows[i].offset), "offset of parameter " << i);
                // What the text says of a pointer survives in a cubin, but for .const against .global.
                const image::parameter &p = k->parameters[i], &written = text.find_kernel(symbol)->parameters[i];
                BOOST_TEST(p.pointer == written.pointer, "whether parameter " << i << " is a pointer");
                BOOST_TEST((!p.pointer || std::max(p.pointee_align, 1u) == std::max(written.pointee_align, 1u)),
                           "alignment behind parameter " << i);
                const bool told =
                    p.pointee_space == written.pointee_space ||
                    (p.pointee_space == image::state_space::generic &&
                     (written.pointee_space == image::state_space::global || written.pointee_space == image::state_space::constant));
                BOOST_TEST(told, "space behind parameter " << i);
            }
        }
}

} // namespace

BOOST_AUTO_TEST_CASE(from_text) {
    BOOST_TEST(truths().size() >= 34u);
    for (const auto& [name, expected] : truths()) BOOST_TEST_CONTEXT(name) {
            const std::string text = ptx_of(name);
            const image::summary s = image::summarize(test::bytes_of(text));
            BOOST_TEST(s.complete);
            compare(s, expected, s);
        }
}

BOOST_AUTO_TEST_CASE(from_cubins_and_fatbins) {
    const test::toolkit tools;
    if (!tools.there()) {
        BOOST_TEST_MESSAGE("skipped: no ptxas and fatbinary here");
        return;
    }
#if defined(HANABI_TEST_DECOMPRESS)
    image::use_decompression();
    const std::string packing = "--compress-all --compress-mode=size";
#else
    const std::string packing = "--compress=false";
#endif
    std::size_t cubins = 0;
    for (const auto& [name, expected] : truths()) BOOST_TEST_CONTEXT(name) {
            const std::string text = ptx_of(name);
            const image::summary from_text = image::summarize(test::bytes_of(text));
            const std::string source = tools.write(name + ".ptx", text);
            std::string parts;
            bool relocatable = false;
            for (const std::string& arch : architectures(target_of(from_text))) BOOST_TEST_CONTEXT(arch) {
                    const std::string out = tools.path(name + "." + arch + ".cubin");
                    // What is declared elsewhere makes it relocatable.
                    relocatable = text.find(".extern .func") != std::string::npos;
                    BOOST_TEST_REQUIRE(tools.ptxas((relocatable ? "-c -arch=" : "-arch=") + arch + " " + source + " -o " + out) == 0);
                    const std::string bytes = tools.read(out);
                    const image::summary s = image::summarize(test::bytes_of(bytes));
                    BOOST_TEST(s.complete);
                    BOOST_TEST((s.what.kind == (relocatable ? image::kind::relocatable_cubin : image::kind::cubin)));
                    BOOST_TEST("sm_" + std::to_string(target_of(s).sm) == arch.substr(0, arch.find_first_of("af")));
                    compare(s, expected, from_text);
                    // One look-up by name finds the same without a summary.
                    const image::cubin_view view{image::bytes{bytes}};
                    for (const auto& [symbol, rows] : expected) {
                        image::cubin_kernel k;
                        BOOST_TEST_REQUIRE(view.find(image::slice{symbol.data(), symbol.size()}, k));
                        BOOST_TEST((k.parameters_known && k.parameter_count == rows.size()));
                    }
                    parts += " --image3=kind=elf,sm=" + arch.substr(3) + ",file=" + out;
                    ++cubins;
                }
            if (relocatable) continue; // fatbinary wants those of one kind
            const std::string fat = tools.path(name + ".fatbin");
            parts += " --image3=kind=ptx,sm=" + image::to_string(target_of(from_text)).substr(3) + ",file=" + source;
            BOOST_TEST_REQUIRE(tools.fatbinary(packing + " --create=" + fat + parts) == 0);
            const image::summary s = image::summarize(test::bytes_of(tools.read(fat)));
            BOOST_TEST(s.complete);
            BOOST_TEST(s.notes.empty());
            compare(s, expected, from_text);
            for (const auto& [symbol, rows] : expected) // types come from the text among the parts
                for (const image::parameter& p : s.find_kernel(symbol)->parameters) BOOST_TEST((p.type != image::scalar::unknown));
        }
    BOOST_TEST(cubins >= 120u);
    BOOST_TEST_MESSAGE(cubins << " cubins compared");
}

// Everything else that an image tells of kernels and variables, on the kinds of both in test/data/kinds/kinds.cu: from the text,
// from linked and from relocatable machine code.
BOOST_AUTO_TEST_CASE(kernels_and_variables_of_all_kinds) {
    const test::toolkit tools;
    const auto check = [](const image::summary& s, bool text, unsigned sm) {
        BOOST_TEST(s.complete);
        const auto kernel = [&](const char* symbol) -> const image::kernel_summary& {
            const image::kernel_summary* const k = s.find_kernel(symbol);
            BOOST_TEST_REQUIRE(k != nullptr, symbol);
            BOOST_TEST(k->parameters_known, symbol);
            return *k;
        };
        BOOST_TEST(s.kernels.size() == (sm >= 90 ? 12u : 9u));
        BOOST_TEST(kernel("_Z2stPi").is_static());
        BOOST_TEST(!kernel("plain").is_static());
        BOOST_TEST((kernel("_Z4tmplIsLi4EEvT_PS0_").link == image::linkage::weak ||
                    kernel("_Z4tmplIsLi4EEvT_PS0_").link == image::linkage::visible));
        BOOST_TEST(kernel("_Z2lb1PP6float4").bounds.max_threads.volume() == 192u);
        BOOST_TEST(kernel("_Z2mrPi").bounds.max_registers == 40u);
        const auto& huge = kernel("_Z4hugei4HugePl").parameters;
        BOOST_TEST_REQUIRE(huge.size() == 3u);
        BOOST_TEST((huge[1].size == 8000 && huge[1].offset == 4 && huge[2].size == 8 && huge[2].offset == 8008));
        BOOST_TEST(huge[2].pointer == (sm >= 100)); // nvcc writes .ptr from there on
        BOOST_TEST(kernel("_Z3tma1TPi").parameters.at(0).size == 128u);
        BOOST_TEST(kernel("_Z3tma1TPi").parameters[0].offset_known == !text); // ptxas decides where it lies
        if (sm >= 90) {
            BOOST_TEST((kernel("_Z2clPi").bounds.required_cluster == image::extent3{2, 1, 1}));
            BOOST_TEST(kernel("_Z2clPi").bounds.explicit_cluster);
            BOOST_TEST((kernel("_Z2bsPi").bounds.required_cluster == image::extent3{2, 2, 1}));
            BOOST_TEST((kernel("_Z2bsPi").bounds.required_threads == image::extent3{64, 2, 1}));
            BOOST_TEST(kernel("_Z2bsPi").bounds.blocks_are_clusters);
            BOOST_TEST((kernel("_Z3pdlPi").griddepcontrol_wait == (text ? image::answer::yes : image::answer::unknown)));
        }
        if (text)
            BOOST_TEST(kernel("_Z2lb1PP6float4").bounds.min_blocks_per_sm == 3u);
        else
            for (const image::kernel_summary& k : s.kernels) BOOST_TEST_CONTEXT(k.symbol) {
                    BOOST_TEST(k.registers > 0u);
                    BOOST_TEST(k.static_shared_known);
                    BOOST_TEST(k.static_shared_bytes == (k.symbol == "shm" ? 512u : 0u));
                }
        struct {
            const char* symbol;
            std::uint64_t size;
            image::state_space space;
            bool managed;
        } const variables[] = {
            {"managed_var", 4, image::state_space::global, true}, {"cst", 40, image::state_space::constant, false},
            {"dv", 24, image::state_space::global, false},        {"_ZN2ns3nsvE", 4, image::state_space::global, false},
            {"hidden_dv", 4, image::state_space::global, false},  {"_ZN2ns2cpE", 24, image::state_space::constant, false}};
        for (const auto& v : variables) BOOST_TEST_CONTEXT(v.symbol) {
                const image::variable_summary* const found = s.find_variable(v.symbol);
                BOOST_TEST_REQUIRE(found != nullptr);
                BOOST_TEST(found->size == v.size);
                BOOST_TEST((found->space == v.space));
                BOOST_TEST(found->managed == v.managed);
            }
    };
    const std::pair<unsigned, std::vector<std::string>> texts[] = {
        {75, {"sm_75", "sm_80"}}, {90, {"sm_90", "sm_90a"}}, {100, {"sm_100", "sm_120"}}};
    for (const auto& [sm, targets] : texts) BOOST_TEST_CONTEXT("sm_" << sm) {
            const std::string text = test::file("kinds/kinds_" + std::to_string(sm) + ".ptx");
            check(image::summarize(test::bytes_of(text)), true, sm);
            if (!tools.there()) continue;
            const std::string source = tools.write("kinds.ptx", text), out = tools.path("kinds.cubin");
            for (const std::string& target : targets)
                for (const char* how : {"", "-c "}) BOOST_TEST_CONTEXT(how << target) {
                        BOOST_TEST_REQUIRE(tools.ptxas(how + ("-arch=" + target) + " " + source + " -o " + out) == 0);
                        const image::summary s = image::summarize(test::bytes_of(tools.read(out)));
                        BOOST_TEST(image::to_string(target_of(s)) == target);
                        BOOST_TEST(s.parts[0].relocatable == (*how != '\0'));
                        for (const std::string& name : s.parts[0].undefined) BOOST_TEST(false, name << " is not wanted from elsewhere");
                        check(s, false, sm);
                    }
        }
}

// What the driver says of the kernels of each text that the device takes, against the reader; of the cubin as well, on the
// architecture that it is for.
BOOST_AUTO_TEST_CASE(from_the_driver) {
    const hanabi::driver::table& cu = test_driver();
    const test::toolkit tools;
    std::size_t asked = 0, left_out = 0;
    for (const auto& [name, expected] : truths()) BOOST_TEST_CONTEXT(name) {
            const std::string text = ptx_of(name);
            const image::summary s = image::summarize(test::bytes_of(text));
            const image::gpu_target target = target_of(s);
            if (text.find(".extern .func") != std::string::npos) continue; // has yet to be linked
            // Parameters that point to shared memory are OpenCL's: CUDA's driver answers 200 (seen with 13.0).
            if (!on_host() && text.find(".ptr .shared") != std::string::npos) continue;
            if (on_host()) { // a device that takes it
                hanabi::host::device_config device;
                device.major = static_cast<int>(target.sm / 10);
                device.minor = static_cast<int>(target.sm % 10);
                hanabi::context::release(0, test_driver());
                hanabi::host::reset({device});
            }
            const hanabi::context gpu = test_context();
            const hanabi::current_context current{gpu};
            const auto capability = static_cast<std::uint32_t>(gpu.compute_capability().major * 10 + gpu.compute_capability().minor);
            if (!image::runs_on(image::fatbin_form::ptx, target, capability)) {
                ++left_out;
                continue;
            }
            std::vector<std::pair<std::string, std::string>> images{{"text", text}};
            if (!on_host() && tools.there()) {
                const std::string out = tools.path("here.cubin");
                const std::string arch = target.variant != 0 ? image::to_string(target) : "sm_" + std::to_string(capability);
                BOOST_TEST_REQUIRE(tools.ptxas("-arch=" + arch + " " + tools.write("here.ptx", text) + " -o " + out) == 0);
                images.emplace_back("cubin", tools.read(out));
            }
            for (const auto& [label, bytes] : images) BOOST_TEST_CONTEXT(label) {
                    const image::summary read = image::summarize(test::bytes_of(bytes));
                    const hanabi::registry r = hanabi::registry::load(gpu, {{label, bytes}});
                    for (const auto& [symbol, rows] : expected) BOOST_TEST_CONTEXT(symbol) {
                            const image::kernel_summary* const k = read.find_kernel(symbol);
                            BOOST_TEST_REQUIRE(k != nullptr);
                            const hanabi::driver::function_handle f = r.function(label, symbol);
                            if (cu.func_get_param_info == nullptr) continue; // before CUDA 12.4
                            std::size_t offset = 0, size = 0, count = 0;
                            while (cu.func_get_param_info(f, count, &offset, &size) == hanabi::driver::status::success) {
                                BOOST_TEST_REQUIRE(count < k->parameters.size());
                                const image::parameter& p = k->parameters[count];
                                BOOST_TEST(size == p.size, "size of parameter " << count << ": " << size << ", read: " << p.size);
                                BOOST_TEST((!p.offset_known || offset == p.offset),
                                           "offset of parameter " << count << ": " << offset << ", read: " << p.offset);
                                ++count;
                                ++asked;
                            }
                            BOOST_TEST(count == rows.size());
                        }
                }
        }
    BOOST_TEST_MESSAGE(asked << " answers of the driver, " << left_out << " texts for other devices");
    BOOST_TEST(asked > 150u);
    if (!on_host()) return;
    hanabi::context::release(0, test_driver());
    hanabi::host::reset();
}
