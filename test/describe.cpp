// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// hanabi-describe as its users run it. The builds give the tool's file behind `--`.

#define BOOST_TEST_MODULE describe
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/toolkit.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace {

/// What one run said, and how it ended.
struct outcome {
    std::string out, err;
    int code = -1;

    bool says(const std::string& part) const { return err.find(part) != std::string::npos; }
};

struct tool : test::scratch_folder {
    outcome operator()(const std::string& arguments) const {
        auto& suite = boost::unit_test::framework::master_test_suite();
        BOOST_REQUIRE_MESSAGE(suite.argc > 1, "usage: describe -- <hanabi-describe>");
        const std::string command = "\"" + std::string{suite.argv[suite.argc - 1]} + "\" " + arguments + " > \"" + path("out") +
                                    "\" 2> \"" + path("err") + "\" < /dev/null";
        const int status = std::system(command.c_str());
        return {read(path("out")), read(path("err")), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
    }
};

std::string data(const std::string& name) { return std::string{HANABI_TEST_DATA_DIR} + "/" + name; }

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t i = 0; (i = text.find(what, i)) != std::string::npos; i += what.size()) ++n;
    return n;
}

/// Names of files in HANABI_TEST_DATA_DIR as one command line has them.
std::string samples() {
    std::vector<std::string> all;
    for (const auto& row : test::table("ptx/entries.tsv"))
        if (all.empty() || all.back() != data("ptx/" + row[0] + ".ptx")) all.push_back(data("ptx/" + row[0] + ".ptx"));
    std::sort(all.begin(), all.end());
    std::string line;
    for (const std::string& file : all) line += " \"" + file + "\"";
    return line;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(tab_separated_is_the_truth_of_the_samples, tool) {
    const outcome run = (*this)("--tsv" + samples());
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.err == "");
    const auto lines = test::lines(run.out);
    BOOST_TEST(lines.at(0) == "file\tentry\tindex\ttype\tsize\talign\toffset\tptr");
    const std::set<std::string> found{lines.begin(), lines.end()};
    std::size_t expected = 1;
    for (const auto& row : test::table("ptx/entries.tsv"))
        if (row[7] == "0") {
            BOOST_TEST(found.count(data("ptx/" + row[0] + ".ptx") + "\t" + row[5] + "\t-\t-\t-\t-\t-\t-") == 1u, row[5]);
            ++expected;
        }
    for (const auto& row : test::table("ptx/params.tsv")) BOOST_TEST_CONTEXT(row[0] << " " << row[1] << " " << row[2]) {
            const auto line = std::find_if(lines.begin(), lines.end(), [&](const std::string& l) {
                return l.starts_with(data("ptx/" + row[0] + ".ptx") + "\t" + row[1] + "\t" + row[2] + "\t");
            });
            BOOST_TEST_REQUIRE((line != lines.end()));
            const auto fields = test::split(*line, '\t');
            BOOST_TEST_REQUIRE(fields.size() == 8u);
            BOOST_TEST(fields[3] == row[4] + (row[5] == "-" ? "" : "[" + row[5] + "]"));
            BOOST_TEST(fields[4] == row[6]);
            BOOST_TEST(fields[5] == row[7]);
            BOOST_TEST((fields[6] == row[8] || (fields[6] == "-" && std::stoi(row[7]) > 0)));
            BOOST_TEST(((fields[7] == "-") == (row[10] == "-")));
            ++expected;
        }
    BOOST_TEST(lines.size() == expected); // and no others
}

BOOST_FIXTURE_TEST_CASE(every_form_of_image, tool) {
    const outcome cubin = (*this)("--tsv " + data("cases/19-nv-info-varies/kernel.sm_90.cubin"));
    BOOST_TEST(cubin.code == 0);
    BOOST_TEST(cubin.out.find("\tprobe\t3\t-\t3\t-\t16\t-\n") != std::string::npos);
    BOOST_TEST(cubin.out.find("\tnoparams\t-\t-\t-\t-\t-\t-\n") != std::string::npos);

    const outcome fatbin = (*this)("--tsv " + data("cases/20-fatbin-compressed/none.fatbin"));
    BOOST_TEST(fatbin.code == 0);
    BOOST_TEST(fatbin.out.find("\tscale\t1\t.f32\t4\t4\t8\t-\n") != std::string::npos);

    // A program or library: an ELF header in front, anything around it, and two fatbins that begin anywhere.
    const std::string host = test::file("cases/15-image-sniffing/blobs/host_elf.bin");
    const std::string one = test::file("cases/20-fatbin-compressed/none.fatbin"),
                      other = test::file("cases/15-image-sniffing/blobs/fatbin.bin");
    const std::string library = write("lib.so", host + "\x50\xed\x55\xba stray" + one + std::string(13, '\1') + other + "end");
    const outcome inside = (*this)("--tsv " + library);
    BOOST_TEST(inside.code == 0);
    BOOST_TEST(inside.err == "");
    char first[16];
    std::snprintf(first, sizeof first, "@0x%zx\t", host.size() + 10);
    BOOST_TEST(inside.out.find("lib.so" + std::string{first} + "scale\t") != std::string::npos, inside.out);
    BOOST_TEST(count(inside.out, "\tscale\t") == 3u);

    const outcome table = (*this)(data("cases/12-ghost-entry-in-comment/kernel.ptx"));
    BOOST_TEST(table.code == 0);
    BOOST_TEST(table.out.find("1 kernel\n") != std::string::npos);
    BOOST_TEST(table.out.find("  real\n") != std::string::npos);
}

#if defined(HANABI_TEST_DECOMPRESS)
BOOST_FIXTURE_TEST_CASE(compressed, tool) {
    for (const char* name : {"default", "size", "speed", "balance", "two_containers"}) BOOST_TEST_CONTEXT(name) {
            const outcome run = (*this)("--tsv " + data(std::string{"cases/20-fatbin-compressed/"} + name + ".fatbin"));
            BOOST_TEST(run.code == 0);
            BOOST_TEST(run.out.find("\tscale\t1\t.f32\t4\t4\t8\t-\n") != std::string::npos);
        }
}
#endif

BOOST_FIXTURE_TEST_CASE(the_committed_header_is_up_to_date, tool) {
    const std::string examples = data("../../example/kernels/");
    const outcome check = (*this)("--cpp --check " + data("described/kernels.hpp") + " " + examples + "blas.ptx " + examples +
                                  "particles.ptx " + examples + "stencil.ptx" + samples());
    BOOST_TEST(check.code == 0, check.err);
    const outcome typed =
        (*this)("--cpp --types ../kinds/types.hpp --check " + data("described/typed.hpp") + " " + data("kinds/kinds_90.ptx"));
    BOOST_TEST(typed.code == 0, typed.err);
    // A changed one is noticed, with its line.
    std::string text = test::file("described/kernels.hpp");
    text.replace(text.find("hanabi::max_threads<256>"), 24, "hanabi::max_threads<128>");
    const std::string changed = write("changed.hpp", text);
    const outcome differs = (*this)("--cpp --check=" + changed + " " + examples + "blas.ptx " + examples + "particles.ptx " + examples +
                                    "stencil.ptx" + samples());
    BOOST_TEST(differs.code == 1);
    BOOST_TEST(differs.says("changed.hpp:"));
    BOOST_TEST(differs.says("max_threads<128>"));
    BOOST_TEST(differs.says("max_threads<256>"));
    BOOST_TEST((*this)("--cpp --check " + path("none.hpp") + " " + examples + "blas.ptx").code == 4);
}

BOOST_FIXTURE_TEST_CASE(headers_as_asked_for, tool) {
    const std::string ptx =
        write("my-kernels.v2.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n"
                                   ".visible .entry _Z1kN3lib6ParamsEPKS0_(.param .align 8 .b8 p[24], .param .u64 q) { ret; }\n"
                                   ".visible .entry int(.param .u32 n) { ret; }\n"
                                   ".entry _ZN12_GLOBAL__N_14lostEv() { ret; }\n"
                                   ".entry big(.param .b8 b[40000]) { ret; }\n.entry none(.param .b8 b[0]) { ret; }\n"
                                   ".extern .entry elsewhere(.param .u32 n);\n");
    const outcome plain = (*this)("--cpp " + ptx);
    BOOST_TEST(plain.code == 0);
    for (const char* part :
         {"namespace my_kernels_kernels {", "hanabi::kernel<\"my-kernels\", hanabi::cxx(\"k\"), void(lib_Params, const lib_Params*)",
          "using lib_Params = hanabi::opaque<\"N3lib6ParamsE\", 24, 8>; // lib::Params", "#include <hanabi/opaque.hpp>", "> int_;",
          "static_assert(k.symbol == \"_Z1kN3lib6ParamsEPKS0_\");", "hanabi::names<\"p\", \"q\">",
          "/// big (static)\n// Not described: its parameters are larger", "/// none (static)\n// Not described: a parameter of no size",
          "/// elsewhere\n// Not described: only declared here"})
        BOOST_TEST(plain.out.find(part) != std::string::npos, part << " is missing in\n" << plain.out);
    const outcome typed = (*this)("--cpp --module m --namespace my::own --types lib/params.hpp " + ptx);
    for (const char* part : {"namespace my::own {", "hanabi::kernel<\"m\", ", "#include \"lib/params.hpp\"",
                             "void(::lib::Params, const ::lib::Params*)", "static_assert(sizeof(::lib::Params) == 24);"})
        BOOST_TEST(typed.out.find(part) != std::string::npos, part << " is missing in\n" << typed.out);
    // Written only when it changes, so that nothing is built again for nothing.
    const std::string out = path("made.hpp");
    BOOST_TEST((*this)("--cpp --output " + out + " " + ptx).code == 0);
    BOOST_TEST(read(out) == plain.out);
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours{1};
    std::filesystem::last_write_time(out, old);
    BOOST_TEST((*this)("--cpp --output " + out + " " + ptx).code == 0);
    BOOST_TEST((std::filesystem::last_write_time(out) == old));
    BOOST_TEST((*this)("--cpp --output " + path("no/such/folder.hpp") + " " + ptx).code == 4);
}

BOOST_FIXTURE_TEST_CASE(usage, tool) {
    BOOST_TEST((*this)("--help").code == 0);
    BOOST_TEST((*this)("--help").out.starts_with("usage: hanabi-describe "));
    BOOST_TEST((*this)("--version").out.starts_with("hanabi-describe 0."));
    for (const char* wrong : {"", "--tsv", "--nonsense x", "--tsv --cpp x", "--module m x", "--cpp --module", "--cpp --namespace 1x x",
                              "--cpp --output a --check b x", "--cpp --module= x"}) {
        const outcome run = (*this)(wrong);
        BOOST_TEST(run.code == 2, wrong);
        BOOST_TEST(run.says("hanabi-describe: "), wrong);
        BOOST_TEST(run.out == "", wrong);
    }
    const std::string odd = write("--tsv", test::file("ptx/02-noargs.ptx")); // `--` ends the options
    BOOST_TEST((*this)("--tsv -- " + odd).code == 0);
}

BOOST_FIXTURE_TEST_CASE(what_is_wrong_is_said_with_its_place, tool) {
    const std::string good = data("ptx/02-noargs.ptx");
    struct {
        std::string file, says;
        int code;
    } const cases[] = {
        {path("missing.ptx"), "missing.ptx: No such file", 4},
        {data("ptx"), "Is a directory", 4},
        {data("ptx/bad/01-empty.ptx"), "empty", 4},
        {data("ptx/bad/05-cut_in_parameter_list.ptx"), "05-cut_in_parameter_list.ptx:4: malformed PTX: a parameter list that is not closed",
         3},
        {data("ptx/bad/07-same_entry_twice.ptx"), "07-same_entry_twice.ptx:8: malformed PTX: a kernel that is defined twice", 3},
        {data("ptx/bad/10-nul_in_the_middle.ptx"), "NUL", 3},
        {data("cases/15-image-sniffing/blobs/hip_bundle.bin"), "HIP offload bundle", 4},
        {data("cases/15-image-sniffing/blobs/amdgpu_elf.bin"), "AMD GPU", 4},
        {data("cases/15-image-sniffing/blobs/host_elf.bin"), "host ELF without any fatbin or cubin inside", 4},
        {data("cases/15-image-sniffing/blobs/llvm_bitcode.bin"), "LLVM bitcode", 4},
        {data("cases/15-image-sniffing/blobs/fatbin_cut_short.bin"), "truncated fatbin", 4},
        {data("cases/15-image-sniffing/blobs/garbage.bin"), "unknown image", 4},
        {write("cut.so", test::file("cases/15-image-sniffing/blobs/host_elf.bin") +
                             test::file("cases/20-fatbin-compressed/none.fatbin").substr(0, 9000)),
         "cut.so:0x40: a fatbin that is cut short", 4},
        {write("torn.cubin", test::file("cases/17-no-binary-for-gpu/sm_86.cubin").substr(0, 1000)), "truncated ELF", 4},
    };
    for (const auto& c : cases) BOOST_TEST_CONTEXT(c.file) {
            const outcome run = (*this)("--tsv \"" + c.file + "\" " + good);
            BOOST_TEST(run.code == c.code);
            BOOST_TEST(run.says("hanabi-describe: "));
            BOOST_TEST(run.says(c.says), run.err);
            BOOST_TEST(run.out.find("\ttick\t-") != std::string::npos); // the others are listed all the same
        }
    // An entry that can't be unpacked: the others of the fatbin are listed.
    std::string broken = test::file("cases/20-fatbin-compressed/default.fatbin");
    std::fill(broken.begin() + 0x4760 + 0x50 + 8, broken.begin() + 0x4760 + 0x50 + 64, '\xff');
    const outcome run = (*this)("--tsv " + write("broken.fatbin", broken));
    BOOST_TEST(run.code == 3);
    BOOST_TEST(run.says("broken.fatbin:0x4760: compute_90, packed by zstd: "), run.err);
    BOOST_TEST(count(run.out, "\tscale\t") == 3u);
}
