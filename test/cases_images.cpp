// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Reports of images that were misread, as tests of registry::load: cases 12 to 18 and 20 of test/data/cases.

#define BOOST_TEST_MODULE cases_images
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

using hanabi::errc;
using hanabi::kernel;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {
constexpr kernel<"m", "inc", void(int*, int)> inc;
} // namespace

BOOST_FIXTURE_TEST_CASE(case_14_ptx_without_nul, fresh) {
    const std::string text = test::file("cases/14-ptx-without-nul/kernel.ptx");
    { // at the end of a page, with the next one out of bounds
        const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), pages = text.size() / page + 1;
        char* const memory =
            static_cast<char*>(mmap(nullptr, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        BOOST_REQUIRE(memory != MAP_FAILED);
        BOOST_REQUIRE(mprotect(memory + pages * page, page, PROT_NONE) == 0);
        char* const begin = memory + pages * page - text.size();
        std::memcpy(begin, text.data(), text.size());
        const registry r = registry::load(*gpu, {{"m", begin, text.size()}});
        munmap(memory, (pages + 1) * page); // the bytes are needed no longer
        r.require(inc);
    }
    for (const std::size_t nuls : {1u, 2u, 17u}) load(text + std::string(nuls, '\0'), "m").require(inc);
    load(test::file("cases/14-ptx-without-nul/nul_end.ptx"), "m").require(inc);
    const std::string middle = test::file("cases/14-ptx-without-nul/nul_mid.ptx");
    HANABI_CHECK_ERROR(load(middle, "m"), errc::invalid_image, "module 'm'", "NUL", std::to_string(middle.find('\0')));
    // Binary images hold NULs, and are not cut.
    load(test::file("cases/15-image-sniffing/blobs/fatbin.bin"), "m");
    load(test::file("cases/15-image-sniffing/blobs/fatbin.bin") + std::string(64, '\0'), "m");
}

BOOST_FIXTURE_TEST_CASE(case_15_image_sniffing, fresh) {
    HANABI_SKIP_ON_CUDA("counts calls");
    // For what is refused, what the message must say.
    const std::map<std::string, std::string> words{{"amdgpu_elf", "AMD"},
                                                   {"blanks", "blank"},
                                                   {"cuda_source", "CUDA C++"},
                                                   {"elf_cut_short", "ELF"},
                                                   {"empty", "empty"},
                                                   {"fatbin_cut_short", "fatbin"},
                                                   {"fatbin_wrapper", "fatbin"},
                                                   {"garbage", ""},
                                                   {"gzip", "gzip"},
                                                   {"hip_bundle", "HIP"},
                                                   {"hip_bundle_compressed", "HIP"},
                                                   {"host_elf", "ELF"},
                                                   {"llvm_bitcode", "bitcode"},
                                                   {"path_text", "path"},
                                                   {"path_text_ptx", "path"},
                                                   {"ptx_target_first", ".version"},
                                                   {"spirv", "SPIR-V"},
                                                   {"zstd", "zstd"}};
    std::size_t refused = 0, taken = 0;
    for (const auto& row : test::table("cases/15-image-sniffing/expected.tsv")) {
        const std::string stem = row[0].substr(0, row[0].find('.'));
        const std::string bytes = test::file("cases/15-image-sniffing/blobs/" + row[0]);
        host::clear_calls();
        const caught e = catch_error([&] { load(bytes, "blob"); });
        BOOST_TEST_CONTEXT(row[0] << ": " << e.message) {
            if (const auto found = words.find(stem); found != words.end()) {
                ++refused;
                BOOST_TEST((e.code == errc::invalid_image));
                BOOST_TEST(e.says("hanabi::registry::load: module 'blob': "));
                BOOST_TEST(e.says(found->second));
                BOOST_TEST(host::calls(entry::module_load_data_ex) == 0u); // before the driver sees it
            } else {
                ++taken;
                BOOST_TEST(host::calls(entry::module_load_data_ex) == 1u);
                BOOST_TEST((!e.code || e.code == status::no_binary_for_gpu)); // cubins of one architecture alone
            }
        }
    }
    BOOST_TEST(refused == words.size());
    BOOST_TEST(taken == 9u);
}

BOOST_FIXTURE_TEST_CASE(case_15_a_byte_order_mark_is_cut_off, fresh) {
    HANABI_SKIP_ON_CUDA("ptxas has its say there");
    const registry r = load("\xef\xbb\xbf" + test::file("cases/14-ptx-without-nul/kernel.ptx"), "m");
    r.require(inc);
}

BOOST_FIXTURE_TEST_CASE(case_12_and_13_kernels_are_those_of_the_tokens, fresh) {
    const registry r = load(test::file("cases/12-ghost-entry-in-comment/kernel.ptx"), "m");
    r.require(kernel<"m", "real", void(void*, int)>{});
    for (const char* ghost : {"ghost_line", "ghost_block", "ghost_file", "ghost_pragma", "ghost_asm", "ghost_tail"})
        HANABI_CHECK_ERROR(r.function("m", ghost), errc::unknown_symbol, "m", ghost);
}

namespace {

/// Device 0 of the host driver, with a compute capability; elsewhere, the device that is there.
hanabi::context device_of(int capability) {
    if (on_host()) {
        host::device_config device;
        device.major = capability / 10;
        device.minor = capability % 10;
        hanabi::context::release(0, test_driver());
        host::reset({device});
    }
    return test_context();
}

/// A driver that fills the log to the last byte and terminates nothing.
status HANABI_CUDAAPI load_with_a_full_log(hanabi::driver::module_handle*, const void*, unsigned count, hanabi::driver::jit_option* options,
                                           void** values) {
    char* log = nullptr;
    std::size_t room = 0;
    for (unsigned i = 0; i < count; ++i) {
        if (options[i] == hanabi::driver::jit_option::error_log_buffer) log = static_cast<char*>(values[i]);
        if (options[i] == hanabi::driver::jit_option::error_log_buffer_size_bytes)
            room = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(values[i]));
    }
    std::memset(log, 'x', room);
    return status::invalid_ptx;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(case_16_ptx_too_new_and_jit_log, fresh) {
    const std::string folder = "cases/16-ptx-too-new-and-jit-log/";
    HANABI_CHECK_ERROR(load(test::file(folder + "too_new.ptx"), "label"), status::unsupported_ptx_version, "module 'label'",
                       "compute_80 PTX", "9.9", "which reads PTX up to version ", "Unsupported .version 9.9", "(222)");
    load(test::file(folder + "two_digit_minor.ptx"), "m"); // 8.10 is newer than 8.9 and older than 9.0
    HANABI_CHECK_ERROR(load(test::file(folder + "no_version.ptx"), "m"), errc::invalid_image, "module 'm'", ".version");
    if (!on_host()) // the compiler's own words
        HANABI_CHECK_ERROR(load(test::file(folder + "bad_body.ptx"), "m"), status::invalid_ptx, "module 'm'", ".nosuch", "(218)");
    HANABI_SKIP_ON_CUDA("a driver made for the test");
    for (const auto& [cuda, ptx] :
         {std::pair{11080, "7.8"}, {12000, "8.0"}, {12050, "8.5"}, {12060, "8.5"}, {12090, "8.8"}, {13000, "9.0"}})
        BOOST_TEST(hanabi::image::newest_ptx_text(cuda) == ptx);
    static hanabi::driver::table table = test_driver();
    table.module_load_data_ex = load_with_a_full_log;
    const hanabi::context other = hanabi::context::create(0, hanabi::driver::context_flags::automatic, table);
    const caught e = catch_error([&] { registry::load(other, {{"m", test::file(folder + "bad_body.ptx")}}); });
    BOOST_TEST((e.code == status::invalid_ptx));
    BOOST_TEST(e.says("its compiler says: xxx"));
    BOOST_TEST(std::count(e.message.begin(), e.message.end(), 'x') > 1000);
}

BOOST_FIXTURE_TEST_CASE(case_17_no_binary_for_gpu, fresh) {
    HANABI_SKIP_ON_CUDA("devices of many kinds");
    const std::string folder = "cases/17-no-binary-for-gpu/";
    struct {
        const char* file;
        int capability;
        bool loads;
    } const rows[] = {{"sm_86.cubin", 75, false}, {"sm_86.cubin", 80, false},  {"sm_86.cubin", 86, true},   {"sm_86.cubin", 89, true},
                      {"sm_86.cubin", 90, false}, {"sm_86.cubin", 120, false}, {"multi.fatbin", 75, false}, {"multi.fatbin", 80, true},
                      {"multi.fatbin", 89, true}, {"multi.fatbin", 90, true},  {"multi.fatbin", 100, true}, {"multi.fatbin", 120, true},
                      {"sm_90a.cubin", 90, true}, {"sm_90a.cubin", 100, false}};
    gpu.reset();
    for (const auto& row : rows) BOOST_TEST_CONTEXT(row.file << " on " << row.capability) {
            const hanabi::context device = device_of(row.capability);
            const caught e = catch_error([&] { registry::load(device, {{"label", test::file(folder + row.file)}}); });
            if (row.loads) {
                BOOST_TEST(!e.code, e.message);
                continue;
            }
            BOOST_TEST((e.code == status::no_binary_for_gpu));
            const std::string capability = std::to_string(row.capability / 10) + "." + std::to_string(row.capability % 10);
            for (const std::string& part :
                 {std::string{"module 'label'"}, "compute capability " + capability, std::string{"PTX on its version and later"},
                  std::string{row.file}.substr(0, row.file[0] == 's' ? 5 : 0), std::string{"(209)"}})
                BOOST_TEST(e.says(part), part << " is missing in " << e.message);
            if (row.file[0] == 'm') BOOST_TEST((e.says("sm_80 cubin") && e.says("sm_90 cubin") && e.says("compute_90 PTX")));
        }
    hanabi::context::release(0, test_driver());
    host::reset();
}

BOOST_FIXTURE_TEST_CASE(case_18_relocatable_cubin, fresh) {
    const std::string folder = "cases/18-relocatable-cubin/";
    HANABI_CHECK_ERROR(load(test::file(folder + "rel.cubin"), "m"), errc::invalid_image, "module 'm'", "relocatable", "needs a device link",
                       "undefined: _Z5otheri");
    HANABI_SKIP_ON_CUDA("the linked one is for sm_80");
    gpu.reset();
    {
        const hanabi::context device = device_of(80);
        const registry r = registry::load(device, {{"m", test::file(folder + "exec.cubin")}});
        BOOST_TEST((r.function("m", "uses_own") != nullptr));
        HANABI_CHECK_ERROR(r.function("m", "_Z3owni"), errc::unknown_symbol, "_Z3owni"); // a device function is no kernel
    }
    hanabi::context::release(0, test_driver());
    host::reset();
}

BOOST_FIXTURE_TEST_CASE(case_20_fatbin_compressed, fresh) {
    for (const char* name : {"none", "default", "size", "speed", "balance"}) BOOST_TEST_CONTEXT(name) {
            const registry r = load(test::file(std::string{"cases/20-fatbin-compressed/"} + name + ".fatbin"), "m");
            // Whatever is compressed: the driver's answers, or the machine code's, verify.
            if (!on_host() || std::string_view{name} != "size") r.require(kernel<"m", "scale", void(float*, float, int)>{});
        }
}
