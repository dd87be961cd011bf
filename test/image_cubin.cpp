// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Cubins: what five architectures say of the same kernels, relocatable and linked code, attributes nobody knows, and a
/// small one in a constant expression.

#define BOOST_TEST_MODULE image_cubin
#include <boost/test/unit_test.hpp>

#include <hanabi/image/cubin.hpp>
#include <hanabi/image/elf.hpp>
#include <hanabi/image/kernels.hpp>

#include "support/files.hpp"

#include <array>
#include <string>
#include <vector>

namespace image = hanabi::image;

namespace {

image::summary read_bytes(const std::string& bytes) { return image::summarize(test::bytes_of(bytes)); }
image::summary read(const std::string& name) { return read_bytes(test::file(name)); }
image::bytes view(const std::string& s) { return {s.data(), s.size()}; }

/// Where an attribute of that code stands in the attributes of a kernel, from the beginning of the file; 0 for nowhere.
std::size_t find_attribute(const std::string& file, const std::string& kernel, unsigned char code) {
    const image::cubin_view cubin{view(file)};
    image::cubin_kernel k;
    if (!cubin.find({kernel.data(), kernel.size()}, k)) return 0;
    const image::elf_section s = cubin.elf().section(k.info);
    std::size_t at = s.offset;
    image::cubin_attribute a;
    for (image::cubin_attributes walk{cubin.elf().content(s)}; walk.next(a); at += 4u + a.value.size())
        if (a.code == code) return at;
    return 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(five_architectures_one_table) {
    struct row {
        std::uint32_t size, offset;
    };
    const std::vector<row> probe{{8, 0}, {2, 8}, {4, 12}, {3, 16}, {8, 24}};
    for (std::uint32_t sm : {75u, 80u, 90u, 100u, 120u}) BOOST_TEST_CONTEXT(sm) {
            const image::summary s = read("cases/19-nv-info-varies/kernel.sm_" + std::to_string(sm) + ".cubin");
            BOOST_TEST(s.complete);
            BOOST_TEST((s.parts.at(0).target == image::gpu_target{sm, 0, true}));
            BOOST_TEST(s.kernels.size() == 2u);
            const image::kernel_summary* k = s.find_kernel("probe");
            BOOST_TEST_REQUIRE(k != nullptr);
            BOOST_TEST(k->parameters_known);
            BOOST_TEST_REQUIRE(k->parameters.size() == probe.size());
            for (std::size_t i = 0; i < probe.size(); ++i) {
                BOOST_TEST(k->parameters[i].size == probe[i].size);
                BOOST_TEST(k->parameters[i].offset == probe[i].offset);
                BOOST_TEST((k->parameters[i].type == image::scalar::unknown));
                const bool told = i == 0 && sm >= 100; // nvcc writes .ptr from there on
                BOOST_TEST((k->parameters[i].category == (told ? image::value_class::pointer : image::value_class::unknown)));
            }
            BOOST_TEST((k->bounds.max_threads == image::extent3{192, 1, 1}));
            BOOST_TEST(k->registers > 4u);
            BOOST_TEST(k->registers < 256u);
            BOOST_TEST((k->griddepcontrol_wait == image::answer::unknown));
            const image::kernel_summary* none = s.find_kernel("noparams");
            BOOST_TEST_REQUIRE(none != nullptr);
            BOOST_TEST((none->parameters_known && none->parameters.empty()));
        }
}

BOOST_AUTO_TEST_CASE(architectures) {
    BOOST_TEST((read("cases/17-no-binary-for-gpu/sm_86.cubin").parts.at(0).target == image::gpu_target{86, 0, true}));
    BOOST_TEST((read("cases/17-no-binary-for-gpu/sm_90a.cubin").parts.at(0).target == image::gpu_target{90, 'a', true}));
    // The compiler's note gone: the compatibility section still knows 'a'.
    std::string bare = test::file("cases/17-no-binary-for-gpu/sm_90a.cubin");
    const std::size_t note = bare.find("-arch sm_90a");
    BOOST_TEST_REQUIRE(note != std::string::npos);
    bare.replace(note, 12, 12, ' ');
    BOOST_TEST((read_bytes(bare).parts.at(0).target == image::gpu_target{90, 'a', true}));
    // The older layout of e_flags, by its OSABI.
    std::string old = test::file("cases/17-no-binary-for-gpu/sm_86.cubin");
    old[7] = 0x33;
    const unsigned flags = 0x500556u;
    for (int i = 0; i < 4; ++i) old[static_cast<std::size_t>(48 + i)] = static_cast<char>(flags >> (8 * i));
    BOOST_TEST((read_bytes(old).parts.at(0).target == image::gpu_target{86, 0, true}));
    // An OSABI nobody knows: no guess.
    old[7] = 0x7f;
    old.replace(old.find("-arch sm_86"), 11, 11, ' ');
    BOOST_TEST(read_bytes(old).parts.at(0).target.sm == 0u);
}

BOOST_AUTO_TEST_CASE(what_loads_where) {
    const image::gpu_target plain{86, 0, true}, only{90, 'a', true}, family{100, 'f', true};
    using image::fatbin_form;
    for (std::uint32_t sm : {75u, 80u, 86u, 89u, 90u, 120u})
        BOOST_TEST(image::runs_on(fatbin_form::elf, plain, sm) == (sm == 86 || sm == 89));
    for (std::uint32_t sm : {86u, 90u, 100u}) BOOST_TEST(image::runs_on(fatbin_form::elf, only, sm) == (sm == 90));
    for (std::uint32_t sm : {90u, 100u, 103u, 120u}) BOOST_TEST(image::runs_on(fatbin_form::elf, family, sm) == (sm == 100 || sm == 103));
    for (std::uint32_t sm : {80u, 86u, 90u, 120u}) BOOST_TEST(image::runs_on(fatbin_form::ptx, plain, sm) == (sm >= 86));
    BOOST_TEST(!image::runs_on(fatbin_form::ptx, only, 120));
    BOOST_TEST(!image::runs_on(fatbin_form::lto_ir, plain, 86));
}

BOOST_AUTO_TEST_CASE(relocatable_and_linked) {
    const image::summary r = read("cases/18-relocatable-cubin/rel.cubin");
    BOOST_TEST((r.what.kind == image::kind::relocatable_cubin && !r.what.usable));
    BOOST_TEST(r.parts.at(0).relocatable);
    BOOST_TEST(r.kernels.size() == 2u);
    BOOST_TEST_REQUIRE(r.find_kernel("_Z2wkIsEvPT_S0_") != nullptr);
    BOOST_TEST((r.find_kernel("_Z2wkIsEvPT_S0_")->link == image::linkage::weak));
    BOOST_TEST(r.find_kernel("_Z2wkIsEvPT_S0_")->parameters.size() == 2u);
    BOOST_TEST((r.find_kernel("uses_extern")->link == image::linkage::visible));
    BOOST_TEST((r.parts[0].undefined == std::vector<std::string>{"_Z5otheri"}));
    BOOST_TEST(image::select_part(r, 80) == nullptr);

    const image::summary e = read("cases/18-relocatable-cubin/exec.cubin");
    BOOST_TEST((e.what.usable && !e.parts.at(0).relocatable && e.parts[0].undefined.empty()));
    BOOST_TEST(e.kernels.size() == 1u); // the device function _Z3owni is a function too, and no kernel
    BOOST_TEST(e.find_kernel("uses_own") != nullptr);
}

BOOST_AUTO_TEST_CASE(attributes_nobody_knows_are_skipped) {
    for (const char* sm : {"75", "80", "90", "100", "120"}) BOOST_TEST_CONTEXT(sm) {
            const std::string good = test::file(std::string{"cases/19-nv-info-varies/kernel.sm_"} + sm + ".cubin");
            for (unsigned code : {0x37u, 0x1cu, 0x1bu, 0x5fu}) {
                std::string odd = good;
                const std::size_t at = find_attribute(good, "probe", static_cast<unsigned char>(code));
                BOOST_TEST_REQUIRE(at != 0u);
                odd[at + 1] = static_cast<char>(0xfe);
                BOOST_TEST(read_bytes(odd).find_kernel("probe")->parameters_known);
                BOOST_TEST(read_bytes(odd).find_kernel("probe")->parameters.size() == 5u);
            }
            // A parameter record lost, doubled, or of an odd length; a bank of another size; a format nobody knows.
            const std::size_t record = find_attribute(good, "probe", 0x17);
            const std::size_t bank = find_attribute(good, "probe", 0x19);
            BOOST_TEST_REQUIRE((record != 0 && bank != 0));
            for (auto [at, value] :
                 {std::pair<std::size_t, int>{record + 1, 0xfe}, {record + 8, 3}, {bank + 2, 40}, {record, 9}, {record + 2, 4}}) {
                std::string odd = good;
                odd[at] = static_cast<char>(value);
                const image::summary s = read_bytes(odd);
                const image::kernel_summary* k = s.find_kernel("probe");
                BOOST_TEST_REQUIRE(k != nullptr);
                BOOST_TEST(!k->parameters_known);
                BOOST_TEST(k->parameters.empty());
                BOOST_TEST(s.find_kernel("noparams")->parameters_known);
            }
        }
}

BOOST_AUTO_TEST_CASE(look_up_without_summary) {
    const std::string file = test::file("cases/19-nv-info-varies/kernel.sm_90.cubin");
    const image::cubin_view cubin{view(file)};
    image::cubin_kernel k;
    BOOST_TEST(!cubin.find("prob", k));
    BOOST_TEST_REQUIRE(cubin.find("probe", k));
    BOOST_TEST((k.parameters_known && k.parameter_count == 5 && k.parameter_bytes == 32));
    image::parameter_layout p;
    BOOST_TEST_REQUIRE(cubin.parameter(k, 3, p));
    BOOST_TEST((p.size == 3 && p.offset == 16));
    BOOST_TEST(!cubin.parameter(k, 5, p));
    BOOST_TEST(k.registers == read_bytes(file).find_kernel("probe")->registers);
}

// As ptxas 13.0 wrote them, sm_75 to sm_120 alike: above 4352 bytes of parameters the word beside the size was taken for a part of it.
BOOST_AUTO_TEST_CASE(records_tell_pointers) {
    struct {
        std::uint8_t code;
        unsigned char word[4];
        std::uint32_t size, align; // align: 0 for no pointer
        image::state_space space;
    } const records[] = {
        {0x17, {0x00, 0xf0, 0x11, 0x00}, 4, 0, image::state_space::generic},    // .f32
        {0x17, {0x00, 0xf0, 0x21, 0x00}, 8, 0, image::state_space::generic},    // .u64
        {0x17, {0x00, 0xf5, 0x21, 0x00}, 8, 1, image::state_space::generic},    // .u64 .ptr
        {0x17, {0x02, 0xf2, 0x21, 0x00}, 8, 4, image::state_space::shared},     // .u64 .ptr .shared .align 4
        {0x17, {0x04, 0xf4, 0x21, 0x00}, 8, 16, image::state_space::generic},   // .u64 .ptr .global .align 16
        {0x17, {0x08, 0xf1, 0x21, 0x00}, 8, 256, image::state_space::local},    // .u64 .ptr .local .align 256
        {0x17, {0x00, 0xf3, 0x21, 0x00}, 8, 1, image::state_space::constant},   // .u64 .ptr .const on sm_75
        {0x17, {0x08, 0xff, 0x21, 0x00}, 8, 0, image::state_space::generic},    // a space that nobody knows
        {0x45, {0x88, 0x13, 0x00, 0x00}, 5000, 0, image::state_space::generic}, // .b8[5000]
        {0x45, {0x08, 0x00, 0x00, 0x05}, 8, 1, image::state_space::generic},
        {0x45, {0x08, 0x00, 0x02, 0x02}, 8, 4, image::state_space::shared},
        {0x45, {0x08, 0x00, 0x08, 0x01}, 8, 256, image::state_space::local},
        {0x45, {0x08, 0x00, 0xff, 0x05}, 8, 0, image::state_space::generic}, // an alignment that can't be
    };
    for (const auto& r : records) {
        const unsigned char bytes[] = {0, 0, 0, 0, 3, 0, 16, 0, r.word[0], r.word[1], r.word[2], r.word[3]};
        std::uint32_t ordinal = 0;
        image::parameter_layout p;
        BOOST_TEST_REQUIRE(image::detail::read_parameter_record({4, r.code, 12, image::bytes{bytes}}, ordinal, p));
        BOOST_TEST(ordinal == 3u);
        BOOST_TEST(p.offset == 16u);
        BOOST_TEST(p.size == r.size);
        BOOST_TEST(p.pointer == (r.align != 0));
        BOOST_TEST((p.category == (r.align != 0 ? image::value_class::pointer : image::value_class::unknown)));
        BOOST_TEST(p.pointee_align == r.align);
        BOOST_TEST((p.pointee_space == r.space));
    }
}

// Ordinals that add up right, and are no 0 to 4 even so.
BOOST_AUTO_TEST_CASE(ordinals_come_once_each) {
    std::string file = test::file("cases/19-nv-info-varies/kernel.sm_75.cubin");
    const std::size_t record = find_attribute(file, "probe", 0x17);
    const char ordinals[]{4, 4, 1, 1, 0};
    for (std::size_t i = 0; i < 5; ++i) {
        BOOST_TEST_REQUIRE(file[record + 16 * i + 1] == '\x17');
        file[record + 16 * i + 8] = ordinals[i];
    }
    image::cubin_kernel k;
    BOOST_TEST_REQUIRE(image::cubin_view{view(file)}.find("probe", k));
    BOOST_TEST(!k.parameters_known);
    BOOST_TEST(!read_bytes(file).find_kernel("probe")->parameters_known);
}

// Two thousand symbols for one kernel's records: refused rather than multiplied.
BOOST_AUTO_TEST_CASE(shared_records_are_not_multiplied) {
    std::string file = test::file("cases/19-nv-info-varies/kernel.sm_75.cubin");
    const image::cubin_view cubin{view(file)};
    image::cubin_kernel k;
    BOOST_TEST_REQUIRE(cubin.find("probe", k));
    const image::elf_view& elf = cubin.elf();
    std::uint32_t index = 0;
    while (elf.section(index).type != image::elf_section::symtab) ++index;
    const std::string symbol = file.substr(elf.section(index).offset + k.symbol * 24, 24);
    const std::uint64_t start = file.size();
    const std::uint64_t size = std::uint64_t{2000} * 24;
    const std::size_t header = static_cast<std::size_t>(image::bytes{file.data(), file.size()}.u64(40)) + index * 64;
    for (std::size_t i = 0; i < 8; ++i) {
        file[header + 24 + i] = static_cast<char>(start >> (8 * i));
        file[header + 32 + i] = static_cast<char>(size >> (8 * i));
    }
    for (int i = 0; i < 2000; ++i) file += symbol;
    const image::summary s = read_bytes(file);
    BOOST_TEST((!s.complete && s.error));
    BOOST_TEST(s.kernels.size() < 1500u);
}

BOOST_AUTO_TEST_CASE(sizes_from_headers) {
    for (const char* name : {"19-nv-info-varies/kernel.sm_75.cubin", "19-nv-info-varies/kernel.sm_120.cubin",
                             "18-relocatable-cubin/exec.cubin", "17-no-binary-for-gpu/multi.fatbin", "20-fatbin-compressed/size.fatbin"}) {
        const std::string file = test::file(std::string{"cases/"} + name);
        BOOST_TEST(image::image_size(file.data()) == file.size(), name);
    }
    const std::string text = test::file("cases/14-ptx-without-nul/kernel.ptx");
    BOOST_TEST(image::image_size(text.c_str()) == text.size() + 1);
    BOOST_TEST(image::image_size("") == 1u);
    BOOST_TEST(image::image_size("\x7f") == 2u);
    BOOST_TEST(image::image_size(nullptr) == 0u);
}

// ---- In constant expressions ------------------------------------------------------------------------------------------

namespace {

/// A cubin of 432 + 576 bytes, written by hand: one kernel k with parameters of 4 bytes at 0 and 8 bytes at 8.
template <class Byte>
struct small_cubin {
    Byte data[1024]{};

    constexpr void put(std::size_t at, std::uint64_t value, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) data[at + i] = static_cast<Byte>((value >> (8 * i)) & 0xff);
    }
    constexpr void put(std::size_t at, const char* text) {
        for (; *text != 0; ++text, ++at) data[at] = static_cast<Byte>(*text);
    }
    constexpr void section(std::size_t i, std::uint32_t name, std::uint32_t type, std::uint64_t offset, std::uint64_t size,
                           std::uint32_t link, std::uint32_t info, std::uint64_t stride) {
        const std::size_t at = 448 + i * 64;
        put(at, name, 4);
        put(at + 4, type, 4);
        put(at + 24, offset, 8);
        put(at + 32, size, 8);
        put(at + 40, link, 4);
        put(at + 44, info, 4);
        put(at + 56, stride, 8);
    }
    constexpr small_cubin() {
        put(0, 0x464c457f, 4);
        put(4, 0x41010102, 4);
        data[7] = static_cast<Byte>(0x41);
        put(16, 2, 2);
        put(18, 190, 2);
        put(40, 448, 8);
        put(48, 0x6005004, 4);
        put(58, 64, 2);
        put(60, 6, 2);
        put(62, 1, 2);
        // names: 1 .shstrtab, 11 .strtab, 19 .symtab, 27 .text.k, 35 .nv.info.k
        put(65, ".shstrtab");
        put(75, ".strtab");
        put(83, ".symtab");
        put(91, ".text.k");
        put(99, ".nv.info.k");
        put(129, "k"); // the string table at 128
        // symbols at 136: the null one, and k in section 4
        put(160, 1, 4);
        put(164, 0x12, 1);
        put(165, 0x10, 1);
        put(166, 4, 2);
        // attributes at 184: an unknown one, two parameters last first, the bank
        put(184, 0x0000fe01, 4);
        put(188, 0x000c1704, 4);
        put(196, 1, 2);
        put(198, 8, 2);
        put(200, std::uint64_t{8} << 18, 4);
        put(204, 0x000c1704, 4);
        put(216, std::uint64_t{4} << 18, 4);
        put(220, 0x00101903, 4);
        section(1, 1, 3, 64, 64, 0, 0, 0);
        section(2, 11, 3, 128, 3, 0, 0, 0);
        section(3, 19, 2, 136, 48, 2, 1, 24);
        section(4, 27, 1, 224, 16, 3, 0x14000001, 0);
        section(5, 35, 0x70000000, 184, 40, 3, 4, 0);
    }
};

template <class Byte>
constexpr std::uint32_t read_small() {
    const small_cubin<Byte> file;
    const image::cubin_view cubin{image::bytes{+file.data, sizeof file.data}};
    image::cubin_kernel k;
    image::parameter_layout a, b;
    if (cubin.error() || !cubin.find("k", k) || cubin.find("j", k)) return 1;
    if (!cubin.find("k", k) || !k.parameters_known || k.parameter_count != 2 || k.parameter_bytes != 16) return 2;
    if (!cubin.parameter(k, 0, a) || !cubin.parameter(k, 1, b)) return 3;
    if (k.registers != 20 || cubin.target().sm != 80) return 4;
    return a.size == 4 && a.offset == 0 && b.size == 8 && b.offset == 8 ? 0 : 5;
}
static_assert(read_small<unsigned char>() == 0);
static_assert(read_small<std::byte>() == 0);
static_assert(read_small<char>() == 0);

} // namespace

BOOST_AUTO_TEST_CASE(constant_expressions_agree_with_run_time) {
    BOOST_TEST(read_small<unsigned char>() == 0u);
    BOOST_TEST(read_small<std::byte>() == 0u);
    BOOST_TEST(read_small<char>() == 0u);
}
