// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Reports of images that were misread, as tests of registry::load: cases 14 and 15 of test/data/cases.

#define BOOST_TEST_MODULE cases_images
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/launching.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>

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
