// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// PTX text: every entry and parameter of the sample files against the assembler's truth, the traps, the refusals, and
/// the same in constant expressions.

#define BOOST_TEST_MODULE image_ptx
#include <boost/test/unit_test.hpp>

#include <hanabi/image/kernels.hpp>
#include <hanabi/image/ptx.hpp>

#include "support/files.hpp"

#include <map>
#include <string>
#include <vector>

namespace image = hanabi::image;

namespace {

std::string str(image::slice s) { return {s.first, s.first + s.length}; }

image::summary read(const std::string& name) { return image::summarize(test::bytes_of(test::file(name))); }
image::summary read_text(const std::string& text) { return image::summarize(test::bytes_of(text)); }

/// As the tables spell directives: ".maxntid=128,1,1 .minnctapersm=2".
std::string directives(const image::launch_bounds& b, bool three) {
    std::string out;
    const auto add = [&](const char* name, const std::string& value) { out += (out.empty() ? "" : " ") + std::string{name} + "=" + value; };
    const auto extent = [&](const image::extent3& e) {
        return std::to_string(e.x) + (three ? "," + std::to_string(e.y) + "," + std::to_string(e.z) : std::string{});
    };
    if (b.max_threads.given()) add(".maxntid", extent(b.max_threads));
    if (b.required_threads.given()) add(".reqntid", extent(b.required_threads));
    if (b.min_blocks_per_sm != 0) add(".minnctapersm", std::to_string(b.min_blocks_per_sm));
    if (b.max_registers != 0) add(".maxnreg", std::to_string(b.max_registers));
    if (b.max_cluster_rank != 0) add(".maxclusterrank", std::to_string(b.max_cluster_rank));
    return out.empty() ? "-" : out;
}

std::string pointer_words(const image::parameter& p) {
    if (!p.pointer) return "-";
    std::string out = ".ptr";
    if (p.pointee_space != image::state_space::generic) out += std::string{" ."} + image::name_of(p.pointee_space);
    if (p.pointee_align != 0) out += " .align " + std::to_string(p.pointee_align);
    return out;
}

/// The offsets of "size@offset" and sizes of one kernel of an expected.txt.
struct expected_kernel {
    std::string name;
    std::vector<std::vector<std::string>> rows;
};
std::vector<expected_kernel> expected_kernels(const std::string& file) {
    std::vector<expected_kernel> all;
    for (const std::string& line : test::lines(test::file(file))) {
        if (line.starts_with("kernel "))
            all.push_back({line.substr(line.find_last_of(' ') + 1), {}});
        else if (!all.empty() && !line.empty() && line[0] >= '0' && line[0] <= '9')
            all.back().rows.push_back(test::split(line, '\t'));
    }
    return all;
}

void compare(const image::summary& s, const std::string& expected_file) {
    const auto expected = expected_kernels(expected_file);
    BOOST_TEST(s.kernels.size() == expected.size());
    for (const expected_kernel& e : expected) BOOST_TEST_CONTEXT(e.name) {
            const image::kernel_summary* k = s.find_kernel(e.name);
            BOOST_TEST_REQUIRE(k != nullptr);
            BOOST_TEST_REQUIRE(k->parameters.size() == e.rows.size());
            for (std::size_t i = 0; i < e.rows.size(); ++i) {
                const image::parameter& p = k->parameters[i];
                const std::string type = "." + std::string{image::name_of(p.type)} + (p.array ? "[" + std::to_string(p.bound) + "]" : "");
                BOOST_TEST(type == e.rows[i][1]);
                BOOST_TEST(std::to_string(p.size) == e.rows[i][2]);
                BOOST_TEST(std::to_string(p.align) == e.rows[i][3]);
                BOOST_TEST(std::to_string(p.offset) == e.rows[i][4]);
            }
        }
}

const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";

} // namespace

// ---- The sample files -------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(entries_as_assembled) {
    std::map<std::string, std::size_t> per_file;
    for (const auto& row : test::table("ptx/entries.tsv")) BOOST_TEST_CONTEXT(row[0] << " " << row[5]) {
            const image::summary s = read("ptx/" + row[0] + ".ptx");
            BOOST_TEST(s.complete);
            BOOST_TEST(!s.error);
            const image::part& p = s.parts.at(0);
            BOOST_TEST(std::to_string(p.major) + "." + std::to_string(p.minor) == row[2]);
            std::string targets;
            for (char c : p.targets)
                if (c != ' ') targets += c;
            BOOST_TEST(targets == row[3]);
            const std::string text = test::file("ptx/" + row[0] + ".ptx");
            image::ptx_scanner scan{text.data(), text.size()};
            while (scan.next() != image::ptx_item::end) {
            }
            BOOST_TEST((scan.header().address_size == 0 ? "-" : std::to_string(scan.header().address_size)) == row[4]);
            const image::kernel_summary* k = s.find_kernel(row[5]);
            BOOST_TEST_REQUIRE(k != nullptr);
            BOOST_TEST(image::name_of(k->link) == row[6]);
            BOOST_TEST(k->parameters_known);
            BOOST_TEST(std::to_string(k->parameters.size()) == row[7]);
            const std::uint32_t bytes = k->parameters.empty() ? 0 : k->parameters.back().offset + k->parameters.back().size;
            BOOST_TEST(std::to_string(bytes) == row[8]);
            BOOST_TEST(directives(k->bounds, row[10].find(',') != std::string::npos) == row[10]);
            ++per_file[row[0]];
            BOOST_TEST(s.kernels.size() >= per_file[row[0]]);
        }
    // And no others.
    for (const auto& [name, count] : per_file) BOOST_TEST(read("ptx/" + name + ".ptx").kernels.size() == count, name);
}

BOOST_AUTO_TEST_CASE(parameters_as_assembled) {
    const auto rows = test::table("ptx/params.tsv");
    BOOST_TEST(rows.size() > 250u);
    std::string last;
    image::summary s;
    for (const auto& row : rows) BOOST_TEST_CONTEXT(row[0] << " " << row[1] << " " << row[2]) {
            if (row[0] != last) s = read("ptx/" + row[0] + ".ptx");
            last = row[0];
            const image::kernel_summary* k = s.find_kernel(row[1]);
            BOOST_TEST_REQUIRE(k != nullptr);
            const image::parameter& p = k->parameters.at(std::stoul(row[2]));
            BOOST_TEST(p.name == row[3]);
            BOOST_TEST("." + std::string{image::name_of(p.type)} == row[4]);
            BOOST_TEST((p.array ? std::to_string(p.bound) : "-") == row[5]);
            BOOST_TEST(std::to_string(p.size) == row[6]);
            BOOST_TEST(std::to_string(p.align) == row[7]);
            BOOST_TEST(std::to_string(p.offset) == row[8]);
            if (p.offset_known) BOOST_TEST(std::to_string(p.offset) == row[9]);
            BOOST_TEST(pointer_words(p) == row[10]);
        }
}

BOOST_AUTO_TEST_CASE(no_ghosts) {
    const image::summary s = read("cases/12-ghost-entry-in-comment/kernel.ptx");
    BOOST_TEST_REQUIRE(s.kernels.size() == 1u);
    BOOST_TEST(s.kernels[0].symbol == "real");
    BOOST_TEST_REQUIRE(s.kernels[0].parameters.size() == 2u);
    BOOST_TEST((s.kernels[0].parameters[0].type == image::scalar::u64 && s.kernels[0].parameters[0].offset == 0));
    BOOST_TEST((s.kernels[0].parameters[1].type == image::scalar::u32 && s.kernels[0].parameters[1].offset == 8));

    const image::summary u = read("cases/12-ghost-entry-in-comment/unknown_body.ptx");
    BOOST_TEST_REQUIRE(u.kernels.size() == 2u);
    BOOST_TEST(u.kernels[0].symbol == "future");
    BOOST_TEST_REQUIRE(u.kernels[0].parameters.size() == 2u);
    BOOST_TEST((u.kernels[0].parameters[1].size == 40 && u.kernels[0].parameters[1].align == 8 && u.kernels[0].parameters[1].offset == 8));
    BOOST_TEST(u.kernels[1].symbol == "after");
    BOOST_TEST((u.kernels[1].parameters.at(0).category == image::value_class::floating));
}

BOOST_AUTO_TEST_CASE(pointer_attributes) {
    const image::summary s = read("cases/13-ptx-ptr-align-one/kernel.ptx");
    compare(s, "cases/13-ptx-ptr-align-one/expected.txt");
    const image::kernel_summary& blend = *s.find_kernel("blend");
    BOOST_TEST((blend.bounds.max_threads == image::extent3{96, 1, 1}));
    BOOST_TEST((blend.parameters[1].pointer && blend.parameters[1].pointee_align == 1 &&
                blend.parameters[1].category == image::value_class::pointer));

    const image::summary spaces = read("cases/13-ptx-ptr-align-one/spaces.ptx");
    const image::kernel_summary& k = *spaces.find_kernel("spaces");
    const std::vector<std::uint32_t> sizes{1, 8, 8, 8, 4, 1}, offsets{0, 8, 16, 24, 32, 36};
    BOOST_TEST_REQUIRE(k.parameters.size() == 6u);
    for (std::size_t i = 0; i < 6; ++i) BOOST_TEST((k.parameters[i].size == sizes[i] && k.parameters[i].offset == offsets[i]));
    BOOST_TEST(
        (k.parameters[1].pointee_space == image::state_space::global && k.parameters[1].pointee_align == 16 && k.parameters[1].align == 8));
    BOOST_TEST((k.parameters[2].pointee_space == image::state_space::shared));
    BOOST_TEST(
        (k.parameters[4].pointee_space == image::state_space::local && k.parameters[4].pointee_align == 8 && k.parameters[4].align == 4));
    BOOST_TEST(spaces.find_kernel("nothing")->parameters.empty());
}

BOOST_AUTO_TEST_CASE(nuls_at_the_end_are_no_text) {
    const std::string text = test::file("cases/14-ptx-without-nul/kernel.ptx");
    for (std::size_t n : {0u, 1u, 2u, 17u}) {
        const std::vector<char> exact = [&] { // a heap block of just that size, for the address sanitizer
            std::vector<char> v(text.begin(), text.end());
            v.insert(v.end(), n, '\0');
            v.shrink_to_fit();
            return v;
        }();
        compare(image::summarize(std::as_bytes(std::span{exact})), "cases/14-ptx-without-nul/expected.txt");
    }
    const image::summary middle = read("cases/14-ptx-without-nul/nul_mid.ptx");
    BOOST_TEST(!middle.what.usable);
    BOOST_TEST(!middle.complete);
    BOOST_TEST(middle.error.offset == 691u);
}

BOOST_AUTO_TEST_CASE(versions_are_two_numbers) {
    const image::part two = read("cases/16-ptx-too-new-and-jit-log/two_digit_minor.ptx").parts.at(0);
    BOOST_TEST((two.major == 8 && two.minor == 10));
    const image::part later = read("cases/16-ptx-too-new-and-jit-log/too_new.ptx").parts.at(0);
    BOOST_TEST((later.major == 9 && later.minor == 9 && later.target.sm == 80));
    BOOST_TEST(read("cases/16-ptx-too-new-and-jit-log/bad_body.ptx").complete); // not ours to judge
    const image::summary none = read("cases/16-ptx-too-new-and-jit-log/no_version.ptx");
    BOOST_TEST((none.what.kind == image::kind::ptx_without_version && !none.what.usable && none.error));
}

BOOST_AUTO_TEST_CASE(relocatable_text) {
    const image::summary s = read("cases/18-relocatable-cubin/relocatable.ptx");
    BOOST_TEST(s.kernels.size() == 2u);
    BOOST_TEST((s.find_kernel("_Z2wkIsEvPT_S0_")->link == image::linkage::weak));
    BOOST_TEST((s.find_kernel("uses_extern")->griddepcontrol_wait == image::answer::unknown)); // it calls
    BOOST_TEST((s.find_kernel("_Z2wkIsEvPT_S0_")->griddepcontrol_wait == image::answer::no));
}

BOOST_AUTO_TEST_CASE(same_name_in_two_modules) {
    for (const char* name : {"a", "b", "b2"}) {
        const image::summary s = read(std::string{"cases/28-same-name-two-modules/"} + name + ".ptx");
        compare(s, std::string{"cases/28-same-name-two-modules/expected_"} + name + ".txt");
        const image::variable_summary* coef = s.find_variable("coef");
        BOOST_TEST_REQUIRE(coef != nullptr);
        BOOST_TEST((coef->space == image::state_space::constant && coef->size != 0 && coef->align == 4));
    }
    BOOST_TEST(read("cases/28-same-name-two-modules/b2.ptx").find_variable("coef")->size == 32u);
}

BOOST_AUTO_TEST_CASE(nvcc_variables) {
    const image::summary s = read("ptx/23-globals_with_braces.ptx");
    BOOST_TEST(s.variables.size() == 5u);
    BOOST_TEST(s.find_variable("base")->size == 16u);
    BOOST_TEST((s.find_variable("node")->size == 24u && s.find_variable("node")->align == 8u));
    BOOST_TEST((s.find_variable("lut")->space == image::state_space::constant));
    BOOST_TEST((s.find_variable("shared_count")->managed && s.find_variable("shared_count")->size == 4u));
    BOOST_TEST((!s.find_variable("self")->managed && s.find_variable("self")->link == image::linkage::internal));
    BOOST_TEST(read("ptx/22-text_traps.ptx").find_variable("$str")->size == 27u);
}

BOOST_AUTO_TEST_CASE(bad_files) {
    struct {
        const char* file;
        const char* reason; // null: readable, the assembler or the driver has the say
        std::size_t line;
    } const expected[] = {{"01-empty", nullptr, 0},
                          {"02-blank_lines", nullptr, 0},
                          {"03-bom", nullptr, 0},
                          {"04-target_before_version", "a directive before .version", 1},
                          {"05-cut_in_parameter_list", "a parameter list that is not closed", 4},
                          {"06-trailing_comma", "a parameter is missing after the comma", 4},
                          {"07-same_entry_twice", "a kernel that is defined twice", 8},
                          {"08-version_9_1", nullptr, 0},
                          {"09-unterminated_comment", "a comment that is not closed", 8},
                          {"10-nul_in_the_middle", "a NUL inside the text", 8}};
    BOOST_TEST(test::table("ptx/bad/expected.tsv").size() == std::size(expected));
    for (const auto& e : expected) BOOST_TEST_CONTEXT(e.file) {
            const std::string text = test::file(std::string{"ptx/bad/"} + e.file + ".ptx");
            const image::summary s = read_text(text);
            BOOST_TEST(static_cast<bool>(s.error) == (e.reason != nullptr));
            if (e.reason == nullptr || !s.error) continue;
            BOOST_TEST(s.error.reason == std::string{e.reason});
            BOOST_TEST(image::line_of({text.data(), text.size()}, s.error.offset) == e.line);
            BOOST_TEST(!s.complete);
        }
    BOOST_TEST(!read("ptx/bad/06-trailing_comma.ptx").kernels.at(0).parameters_known);
}

// ---- Hand-written traps -----------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(declarations_and_definitions) {
    const image::summary s = read_text(head + ".visible .entry k(.param .u32 a, .param .u64 b);\n"
                                              ".extern .global .align 4 .b8 table[];\n"
                                              ".visible .entry k(.param .u32 a, .param .u64 b) .maxntid 32 { ret; }\n"
                                              ".visible .entry k(.param .u32 a, .param .u64 b);\n"
                                              ".visible .global .align 16 .b8 table[64];\n"
                                              ".extern .entry elsewhere(.param .f32 x);\n");
    BOOST_TEST(s.complete);
    BOOST_TEST(s.kernels.size() == 2u);
    BOOST_TEST(s.find_kernel("k")->bounds.max_threads.x == 32u);
    BOOST_TEST((s.find_kernel("elsewhere")->link == image::linkage::external));
    BOOST_TEST((s.variables.size() == 1u && s.variables[0].size == 64u && s.variables[0].align == 16u));
}

BOOST_AUTO_TEST_CASE(variables_of_all_sorts) {
    const image::summary s = read_text(head + ".global .u32 a = 3, b[4], c[2][3] = {{1,2,3},{4,5,6}};\n"
                                              ".visible .const .align 8 .v4 .f32 v;\n"
                                              ".common .global .u16 shared_out;\n.weak .global .f64 w = 0d3FF0000000000000;\n"
                                              ".global .attribute(.unified(1, 2), .managed) .u64 m = generic(a)+8;\n"
                                              ".global .texref t;\n.extern .shared .align 16 .b8 dynamic[];\n.global .f128x7 odd;\n"
                                              ".global .b8 s[] = \"text; } \";\n.visible .entry k() { ret; }");
    BOOST_TEST(s.complete, (s.error ? s.error.reason : ""));
    BOOST_TEST(s.find_variable("a")->size == 4u);
    BOOST_TEST(s.find_variable("b")->size == 16u);
    BOOST_TEST(s.find_variable("c")->size == 24u);
    BOOST_TEST((s.find_variable("v")->size == 16u && s.find_variable("v")->align == 8u));
    BOOST_TEST((s.find_variable("shared_out")->link == image::linkage::common));
    BOOST_TEST((s.find_variable("w")->link == image::linkage::weak));
    BOOST_TEST((s.find_variable("m")->managed && s.find_variable("m")->size == 8u));
    BOOST_TEST(s.find_variable("t")->size == 8u);
    BOOST_TEST((s.find_variable("dynamic")->size == 0u && s.find_variable("dynamic")->space == image::state_space::shared));
    BOOST_TEST(s.find_variable("odd")->size == 0u);
    BOOST_TEST(s.kernels.size() == 1u);
}

BOOST_AUTO_TEST_CASE(directives_of_all_sorts) {
    const image::summary s =
        read_text(head + ".entry k(.param .u8 x) .reqntid 8,4 .minnctapersm 2 .maxnreg 40 .noreturn\n"
                         ".pragma \"a\", \"b { \"; .pragma \"c\" ; .explicitcluster .reqnctapercluster 2, 1, 1 .blocksareclusters\n"
                         ".maxclusterrank 0x8 .not_invented_yet 3, (4, { 5 }), word \"string\" { ret; }");
    BOOST_TEST(s.complete, (s.error ? s.error.reason : ""));
    const image::launch_bounds& b = s.kernels.at(0).bounds;
    BOOST_TEST((b.required_threads == image::extent3{8, 4, 1}));
    BOOST_TEST((b.required_cluster == image::extent3{2, 1, 1}));
    BOOST_TEST((b.min_blocks_per_sm == 2 && b.max_registers == 40 && b.max_cluster_rank == 8));
    BOOST_TEST((b.no_return && b.explicit_cluster && b.blocks_are_clusters));
}

BOOST_AUTO_TEST_CASE(grid_dependency_waits) {
    const auto wait = [](const std::string& body) {
        return read_text(head + ".entry k(){" + body + "}").kernels.at(0).griddepcontrol_wait;
    };
    using image::answer;
    BOOST_TEST((wait("griddepcontrol.wait;") == answer::yes));
    BOOST_TEST((wait("{ @%p1 griddepcontrol /* here */ .wait ; }") == answer::yes));
    BOOST_TEST((wait("griddepcontrol.launch_dependents;") == answer::no));
    BOOST_TEST((wait("// griddepcontrol.wait;\n/* griddepcontrol.wait; */ ret;") == answer::no));
    BOOST_TEST((wait(".pragma \"griddepcontrol.wait;\"; ret;") == answer::no));
    BOOST_TEST((wait("bra my_griddepcontrol.wait; griddepcontrolx.wait; %griddepcontrol.wait;") == answer::no));
    BOOST_TEST((wait("call.uni helper;") == answer::unknown));
    BOOST_TEST((wait("call (r), helper; griddepcontrol.wait;") == answer::yes));
    BOOST_TEST((wait("callable: bra callseq;") == answer::no));
}

BOOST_AUTO_TEST_CASE(texts_that_look_like_something_else) {
    const image::summary s =
        read_text("\xef\xbb\xbf// first\n" + head +
                  ".file 1 \"C:\\dir\\\"\n.file 2 \".entry x(.cu\", 12345, 678\n"
                  ".section .debug_str { $L__s: .b8 46,101 }\n.section .debug_abbrev\n{\n.b8 1 // }\n}\n"
                  ".alias a, b;\n;\n.visible .func (.param .b32 r) f (.param .b32 a) .noreturn { .reg .b32 %entry; ret; }\n"
                  ".func .attribute(.unified(1,2)) g;\n.unheard_of 1, 2, three;\n.unheard_of_block { .entry not(this) { } }\n"
                  ".visible.entry\tk(.param.u64.ptr.global.align 8 p)\r\n{ ret; } .loc 1 2 3\n");
    BOOST_TEST(s.complete, (s.error ? s.error.reason : ""));
    BOOST_TEST_REQUIRE(s.kernels.size() == 1u);
    BOOST_TEST((s.kernels[0].symbol == "k" && s.kernels[0].parameters.at(0).pointer && s.kernels[0].parameters[0].pointee_align == 8u));
}

BOOST_AUTO_TEST_CASE(unknown_parameter_forms_are_unproved) {
    const image::summary s =
        read_text(head + ".entry a(.param .u4x7 p, .param .u32 q){}\n.entry b(.param .u64 .restrict p){}\n.entry c(.param .u32 q){}");
    BOOST_TEST(s.complete);
    BOOST_TEST((!s.kernels.at(0).parameters_known && !s.kernels.at(1).parameters_known && s.kernels.at(2).parameters_known));
    BOOST_TEST(s.kernels[0].parameters.empty());
}

BOOST_AUTO_TEST_CASE(malformed_texts_say_where) {
    struct {
        const char* text;
        const char* at; // the fault is where this begins
    } const cases[] = {{".entry k(.param .u32 x { ret; }", "(.param"},
                       {".entry k(.u32 x){}", ".u32"},
                       {".entry k(.param .u32 x .param .u32 y){}", ".param .u32 y"},
                       {".entry k(.param .u32 x,,){}", ",){}"},
                       {".entry k(.param .align 3 .b8 x[3]){}", "3 .b8"},
                       {".entry k(.param .b8 x[n]){}", "n]"},
                       {".entry k(.param .b8 x[99999999999999999999]){}", "99999999999999999999"},
                       {".entry k(.param .b8 x[0xffffffff]){}", "x[0x"},
                       {".entry () { }", ") { }"},
                       {".entry k() .maxntid { }", "{ }"},
                       {".entry k() 7 { }", "7 {"},
                       {".entry k() { ret;", "{ ret"},
                       {".entry k()", "k()"},
                       {"} .entry k() {}", "} .entry"},
                       {"garbage .entry k() {}", "garbage"},
                       {".global .u32 a .entry k() {}", ".entry"},
                       {".global .u32 ;", ";"},
                       {".global .u32 a = { 1, 2 ;", "{ 1, 2"},
                       {".pragma \"a\" .entry k() {}", ".entry"},
                       {".pragma \"never closed ;", "\"never"},
                       {".target sm_80, .entry k() {}", ".entry"},
                       {".section .x { .b8 1", "{ .b8 1"},
                       {".entry k() { /* } ", "/* }"},
                       {".address_size many", "many"},
                       {".version eight", "eight"},
                       {".entry k(.param .u32 x) { \x01 } \x02", "\x02"}};
    for (const auto& c : cases) BOOST_TEST_CONTEXT(c.text) {
            const std::string text = head + c.text;
            image::ptx_scanner scan{text.data(), text.size()};
            image::fault f;
            for (image::ptx_item i = scan.next(); i != image::ptx_item::end; i = scan.next()) {
                if (i != image::ptx_item::entry) continue;
                image::ptx_parameters walk{scan.entry().parameters};
                image::ptx_parameter p;
                while (walk.next(p)) {
                }
                if (walk.error())
                    f = {walk.error().reason, walk.error().offset + static_cast<std::size_t>(scan.entry().parameters.first - text.data())};
            }
            if (!f) f = scan.error();
            BOOST_TEST_REQUIRE(static_cast<bool>(f));
            if (std::string{c.at} == ") { }") continue; // the list is taken for what the function returns, and no name follows
            BOOST_TEST(f.offset == head.size() + std::string{c.text}.find(c.at), f.reason << " at " << text.substr(f.offset, 20));
        }
}

BOOST_AUTO_TEST_CASE(a_line_is_found_from_an_offset) {
    const std::string text = "a\nbc\n\nd";
    BOOST_TEST(image::line_of({text.data(), text.size()}, 0) == 1u);
    BOOST_TEST(image::line_of({text.data(), text.size()}, 2) == 2u);
    BOOST_TEST(image::line_of({text.data(), text.size()}, 6) == 4u);
    BOOST_TEST(image::line_of({text.data(), text.size()}, 99) == 4u);
}

// ---- In constant expressions ------------------------------------------------------------------------------------------

namespace {

constexpr char small[] = ".version 8.0 .target sm_80 .address_size 64 .visible .entry one(.param .u64 p,.param .u8 c,.param .align 8 .b8 "
                         "s[24]){griddepcontrol.wait;ret;}.entry two(.param .f64 d){ret;}";
static_assert(image::find_entry(small, sizeof small, "two").found);
static_assert(!image::find_entry(small, sizeof small, "three").found);
static_assert(image::find_entry(small, sizeof small, "one").entry.waits);

constexpr std::size_t bytes_of_one() {
    image::ptx_parameters walk{image::find_entry(small, sizeof small, "one").entry.parameters};
    image::ptx_parameter p;
    while (walk.next(p)) {
    }
    return walk.count() * 1000 + walk.bytes();
}
static_assert(bytes_of_one() == 3040);

constexpr unsigned char embedded[] = {'.', 'v', 'e', 'r', 's', 'i', 'o', 'n', ' ', '8', '.', '0', '\n',
                                      '.', 'e', 'n', 't', 'r', 'y', ' ', 'k', '(', ')', '{', '}'};
constexpr image::ptx_characters embedded_text{embedded};
static_assert(image::find_entry(embedded_text.data, embedded_text.size, "k").found);

// 100 KB of text that looks like a compiler's, with the kernel asked for at its end.
struct large_text {
    char text[100 * 1024]{};
    constexpr large_text() {
        constexpr char first[] = ".version 8.0\n.target sm_80\n.address_size 64\n";
        constexpr char body[] =
            ".visible .entry other(\n\t.param .u64 other_param_0,\n\t.param .u32 other_param_1\n)\n{\n\t.reg .b32 \t%r<4>;\n\t"
            "ld.param.u64 \t%rd1, [other_param_0];\n\tcvta.to.global.u64 \t%rd2, %rd1;\n\tadd.s32 \t%r2, %r1, 7;\n\t"
            "st.global.u32 \t[%rd2], %r2;\n\tret;\n\n}\n";
        constexpr char last[] = ".visible .entry wanted(.param .f32 x){ret;}\n";
        std::size_t at = 0;
        for (char c : first)
            if (c != 0) text[at++] = c;
        while (at + sizeof body + sizeof last < sizeof text)
            for (char c : body)
                if (c != 0) text[at++] = c;
        for (char c : last)
            if (c != 0) text[at++] = c;
    }
};
constexpr large_text large;
static_assert(image::find_entry(large.text, sizeof large.text, "wanted").found);
static_assert(image::find_entry(large.text, sizeof large.text, "wanted").entry.offset > 100 * 1024 - 600);

} // namespace

BOOST_AUTO_TEST_CASE(look_up_at_run_time) {
    const std::string text = test::file("ptx/33-many_kernels.ptx");
    const image::ptx_lookup found = image::find_entry(text.data(), text.size(), "mk19");
    BOOST_TEST(found.found);
    BOOST_TEST(str(found.entry.name) == "mk19");
    BOOST_TEST((found.header.major == 9 && str(found.header.target) == "sm_80"));
    BOOST_TEST(!image::find_entry(text.data(), text.size(), "mk").found);
}
