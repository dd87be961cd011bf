// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A header that hanabi-describe --cpp wrote for the example kernels and every sample: it compiles, and each descriptor is
/// verified by a registry that loaded the very file. Another was written with the kernels' types at hand (--types). That it is up to date is asserted by test/describe.cpp; after a change,
///     cd example/kernels; hanabi-describe --cpp --output ../../test/data/described/kernels.hpp blas.ptx particles.ptx stencil.ptx ../../test/data/ptx/*.ptx

#define BOOST_TEST_MODULE described
#include <boost/test/unit_test.hpp>

#include "data/described/kernels.hpp"
#include "data/described/typed.hpp"

#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>
#include <hanabi/image.hpp>

#include "support/driver.hpp"
#include "support/files.hpp"

#include <array>
#include <string>

namespace image = hanabi::image;

namespace {

/// Loads the file under its module name, on a device that takes it, and verifies all its descriptors; how many they are.
template <class Apply>
std::size_t verify_all(const std::string& file, Apply apply) {
    const std::string text = test::file(file);
    const image::gpu_target target = image::summarize(test::bytes_of(text)).parts.at(0).target;
    if (on_host()) {
        hanabi::host::device_config device;
        device.major = static_cast<int>(target.sm / 10);
        device.minor = static_cast<int>(target.sm % 10);
        hanabi::context::release(0, test_driver());
        hanabi::host::reset({device});
    }
    const hanabi::context gpu = test_context();
    const auto capability = static_cast<std::uint32_t>(gpu.compute_capability().major * 10 + gpu.compute_capability().minor);
    const bool linked = text.find(".extern .func") == std::string::npos;
    // Parameters that point to shared memory are OpenCL's: CUDA's driver answers 200 (seen with 13.0).
    const bool opencl = !on_host() && text.find(".ptr .shared") != std::string::npos;
    return apply([&](const auto&... k) {
        if (opencl) return sizeof...(k);
        if (!image::runs_on(image::fatbin_form::ptx, target, capability) || !linked) return sizeof...(k); // another device's
        const hanabi::registry r = hanabi::registry::load(gpu, {{std::array{k.module_name.data()...}[0], text}});
        r.require(k...);
        return sizeof...(k);
    });
}

} // namespace

BOOST_AUTO_TEST_CASE(every_descriptor_is_verified_by_its_file) {
    std::size_t count = 0;
#define DESCRIBED(space, file)                                                                                                             \
    BOOST_TEST_CONTEXT(file)                                                                                                               \
    count += verify_all(file, [](auto f) { return space##_kernels::apply(f); })
    DESCRIBED(blas, "../../example/kernels/blas.ptx");
    DESCRIBED(particles, "../../example/kernels/particles.ptx");
    DESCRIBED(stencil, "../../example/kernels/stencil.ptx");
    DESCRIBED(module_01_saxpy, "ptx/01-saxpy.ptx");
    DESCRIBED(module_02_noargs, "ptx/02-noargs.ptx");
    DESCRIBED(module_03_scalars, "ptx/03-scalars.ptx");
    DESCRIBED(module_04_small_structs, "ptx/04-small_structs.ptx");
    DESCRIBED(module_05_vectors, "ptx/05-vectors.ptx");
    DESCRIBED(module_08_empty_struct, "ptx/08-empty_struct.ptx");
    DESCRIBED(module_09_over_4k, "ptx/09-over_4k.ptx");
    DESCRIBED(module_12_launch_bounds, "ptx/12-launch_bounds.ptx");
    DESCRIBED(module_14_device_functions, "ptx/14-device_functions.ptx");
    DESCRIBED(module_15_long_names, "ptx/15-long_names.ptx");
    DESCRIBED(module_17_relocatable, "ptx/17-relocatable.ptx");
    DESCRIBED(module_18_lineinfo, "ptx/18-lineinfo.ptx");
    DESCRIBED(module_19_debug, "ptx/19-debug.ptx");
    DESCRIBED(module_20_dynamic_shared, "ptx/20-dynamic_shared.ptx");
    DESCRIBED(module_21_texture_objects, "ptx/21-texture_objects.ptx");
    DESCRIBED(module_22_text_traps, "ptx/22-text_traps.ptx");
    DESCRIBED(module_23_globals_with_braces, "ptx/23-globals_with_braces.ptx");
    DESCRIBED(module_24_blackwell_ptr, "ptx/24-blackwell_ptr.ptx");
    DESCRIBED(module_25_blackwell_arch_specific, "ptx/25-blackwell_arch_specific.ptx");
    DESCRIBED(module_26_family_target, "ptx/26-family_target.ptx");
    DESCRIBED(module_27_consumer_blackwell, "ptx/27-consumer_blackwell.ptx");
    DESCRIBED(module_28_int128, "ptx/28-int128.ptx");
    DESCRIBED(module_30_hundred_params, "ptx/30-hundred_params.ptx");
    DESCRIBED(module_31_unions_enums, "ptx/31-unions_enums.ptx");
    DESCRIBED(module_32_member_pointers, "ptx/32-member_pointers.ptx");
    DESCRIBED(module_33_many_kernels, "ptx/33-many_kernels.ptx");
    DESCRIBED(module_34_overloads, "ptx/34-overloads.ptx");
    DESCRIBED(module_35_llvm_ptr_spaces, "ptx/35-llvm_ptr_spaces.ptx");
    DESCRIBED(module_37_crlf_line_ends, "ptx/37-crlf_line_ends.ptx");
    DESCRIBED(module_39_one_line_no_newline, "ptx/39-one_line_no_newline.ptx");
    DESCRIBED(module_41_ptr_attributes, "ptx/41-ptr_attributes.ptx");
    DESCRIBED(module_47_wide_scalar, "ptx/47-wide_scalar.ptx");
    DESCRIBED(module_48_no_parentheses, "ptx/48-no_parentheses.ptx");
    DESCRIBED(module_50_old_isa_no_address_size, "ptx/50-old_isa_no_address_size.ptx");
#undef DESCRIBED
    // As many as the readers find: none is left out.
    std::size_t expected = 6;
    for ([[maybe_unused]] const auto& row : test::table("ptx/entries.tsv")) ++expected;
    BOOST_TEST(count == expected);
    if (!on_host()) return;
    hanabi::context::release(0, test_driver());
    hanabi::host::reset();
}

// What the header promises besides.
BOOST_AUTO_TEST_CASE(types_and_contracts) {
    using namespace hanabi;
    BOOST_TEST((blas_kernels::la_scal.symbol == name_view{"_ZN2la4scalEfPfi"}));
    BOOST_TEST(blas_kernels::sum_blocks.contracts().max_threads == 256u);
    BOOST_TEST(module_24_blackwell_ptr_kernels::bw2.contracts().max_threads == 96u);
    // A structure of the kernel's is taken by its bytes.
    struct vec {
        float x, y, z;
    };
    const auto bytes = opaque<"", 12, 4>::of(vec{1, 2, 3});
    BOOST_TEST(sizeof(bytes) == 12u);
    BOOST_TEST(std::bit_cast<vec>(bytes).z == 3.0f);
    BOOST_TEST((accepts_v<decltype(particles_kernels::advance), std::uint64_t, opaque<"", 12, 4>>));
    BOOST_TEST((!accepts_v<decltype(particles_kernels::advance), std::uint64_t, opaque<"", 12>>));
}

// With --types, the kernels' own types are those of a header.
BOOST_AUTO_TEST_CASE(real_types) {
    using namespace hanabi;
    BOOST_TEST((accepts_v<decltype(kinds_90_kernels::lb), P, device_ptr<float4>>));
    BOOST_TEST((accepts_v<decltype(kinds_90_kernels::huge), int, Huge, device_ptr<long>>));
    BOOST_TEST(kinds_90_kernels::cl.contracts().cluster[0] == 2u);
    BOOST_TEST(kinds_90_kernels::bs.contracts().required[1] == 2u);
    BOOST_TEST(kinds_90_kernels::apply([](const auto&... k) { return sizeof...(k); }) == 12u);
}

// Found in a library's kernels: every int* behind the first is S0_, which is longer than Pi, and from the 37th component on longer
// still.
BOOST_AUTO_TEST_CASE(names_that_abbreviations_make_longer) {
    using namespace hanabi;
    constexpr kernel<"m", cxx<"set_matrix_values", value<true>>(),
                     void(int*, int*, double*, int*, int*, int*, int*, int*, int*, int*, int*)>
        few;
    static_assert(few.symbol == "_Z17set_matrix_valuesILb1EEvPiS0_PdS0_S0_S0_S0_S0_S0_S0_S0_");
    using deep = int********************************************; // 44 pointers: 44 components
    constexpr kernel<"m", cxx("n::k"), void(deep, deep, deep, deep, deep, deep, deep, deep)> many;
    static_assert(many.symbol == "_ZN1n1kEPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPiS17_S17_S17_S17_S17_S17_S17_");
    BOOST_TEST(few.symbol.size() > 40u);
}
