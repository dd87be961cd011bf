// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Faults planted in compiled kernels, test/data/executor/faults.cu: each is found, in the line that the source marks and in the
// right thread; and the same kernels without them run with all checks on and nothing is reported.

#define BOOST_TEST_MODULE ptx_planted
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/ptx_module.hpp"

#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// A kernel of the source and what its marks say.
struct planted {
    std::string name;
    std::string run; ///< what follows `run: `
    std::string kind;
    std::size_t line = 0, other = 0; ///< in the source; 0: none

    std::string word(const std::string& key) const { // of `key=word`, or ""
        const std::size_t at = run.find(key + "=");
        return at == std::string::npos ? std::string{} : run.substr(at + key.size() + 1, run.find(' ', at) - at - key.size() - 1);
    }
    unsigned number(const std::string& key, unsigned otherwise) const {
        const std::string text = word(key);
        return text.empty() ? otherwise : static_cast<unsigned>(std::atoi(text.c_str()));
    }
};

std::string after(const std::string& text, const std::string& mark) {
    const std::size_t at = text.find(mark);
    return at == std::string::npos ? std::string{} : text.substr(at + mark.size());
}

std::vector<planted> read_marks() {
    std::vector<planted> all;
    std::vector<planted> elsewhere; // lines of functions, for kernels further down
    std::istringstream source{test::file("executor/faults.cu")};
    std::string text;
    for (std::size_t line = 1; std::getline(source, text); ++line) {
        if (text.rfind("KERNEL ", 0) == 0) {
            all.emplace_back();
            all.back().name = text.substr(7, text.find('(') - 7);
            all.back().run = after(text, "// run: ");
            for (const planted& of : elsewhere)
                if (of.name == all.back().name) {
                    all.back().kind = of.kind;
                    all.back().line = of.line;
                }
            continue;
        }
        if (std::string kind = after(text, "// fault: "); !kind.empty()) {
            if (const std::size_t in = kind.find(" in="); in != std::string::npos) {
                elsewhere.push_back({kind.substr(in + 4), {}, kind.substr(0, in), line, 0});
            } else if (!all.empty()) {
                all.back().kind = kind;
                all.back().line = line;
            }
        } else if (text.find("// other") != std::string::npos && !all.empty())
            all.back().other = line;
    }
    return all;
}

struct finding {
    const char* kind;
    status code;
    const char* text;
};
const finding findings[] = {
    {"bounds", status::illegal_address, "Illegal address"},
    {"misaligned", status::misaligned_address, "Misaligned address"},
    {"freed", status::illegal_address, "points into freed memory"},
    {"free", status::launch_failed, "which malloc did not give or free took back already"},
    {"uninitialised", status::launch_failed, "Uninitialised value: "},
    {"race", status::launch_failed, "A race: "},
    {"barrier", status::launch_failed, "A divergent barrier"},
    {"mask", status::launch_failed, "A shuffle "},
    {"lacks", status::illegal_instruction, "lacks the lane that executes it"},
    {"deadlock", status::launch_failed, "A deadlock"},
    {"loop", status::launch_timeout, "an endless loop?"},
    {"wait", status::launch_failed, "a wait is missing"},
    {"parameter", status::illegal_address, "kernel's parameters"},
    {"assertion", status::assert_, "Assertion `"},
    {"trap", status::launch_failed, "The kernel executed trap"},
};

struct four {
    int v[4];
};

/// Runs a kernel as its marks say, on arrays as the source's head says.
status run(ptx_module& m, const planted& k) {
    std::vector<int> numbers(1024);
    std::iota(numbers.begin(), numbers.end(), 0);
    const device_array<int> p{numbers}, q{1024, 0}, gone{numbers}, raw{1024};
    CHECK_OK(cu.mem_free(gone.address()));
    std::istringstream shape{k.run};
    unsigned blocks = 0, threads = 0;
    shape >> blocks >> threads;
    BOOST_REQUIRE(blocks * threads != 0);
    const four f{{1, 2, 3, 4}};
    const char* const name = k.name.c_str();
    if (const unsigned size = k.number("cluster", 0); size != 0)
        return m.run_in_clusters(size, name, {blocks}, {threads}, p.address(), q.address(), gone.address(), raw.address(), 1024, f);
    if (k.run.find("cooperative") != std::string::npos)
        return m.run_cooperatively(name, {blocks}, {threads}, p.address(), q.address(), gone.address(), raw.address(), 1024, f);
    return m.run(name, {blocks}, {threads}, k.number("shared", 0), p.address(), q.address(), gone.address(), raw.address(), 1024, f);
}

bool is_at(const std::string& text, std::size_t line) {
    return line != 0 && (text.find("faults.cu:" + std::to_string(line) + ")") != std::string::npos ||
                         text.find("faults.cu:" + std::to_string(line) + ",") != std::string::npos);
}

} // namespace

BOOST_AUTO_TEST_CASE(all_are_found) {
    if (!on_host()) return; // a GPU tells of few
    const std::string text = test::file("executor/faults_planted.ptx");
    const std::vector<planted> all = read_marks();
    BOOST_TEST(all.size() >= 45u);
    for (const planted& k : all) BOOST_TEST_CONTEXT(k.name) {
            const finding* expected = nullptr;
            for (const finding& f : findings)
                if (f.kind == k.kind) expected = &f;
            BOOST_REQUIRE(expected != nullptr);
            ptx_module m{text};
            host::ptx_options options;
            options.instruction_budget = 1'000'000;
            options.initcheck =
                k.kind == "uninitialised" || k.kind == "race"; // elsewhere the fault leaves values undefined before it shows
            options.racecheck = k.kind == "race" || k.kind == "uninitialised";
            host::set_ptx_options(options);
            BOOST_TEST(run(m, k) == expected->code);
            host::set_ptx_options({});
            const std::string said = host::last_ptx_fault();
            BOOST_TEST(said.find(expected->text) != std::string::npos, said);
            BOOST_TEST(said.find("in m::" + k.name) != std::string::npos, said);
            BOOST_TEST((is_at(said, k.line) || is_at(said, k.other)), "not line " << k.line << ": " << said);
            if (k.other != 0)
                BOOST_TEST((is_at(said, k.line) && is_at(said, k.other)), "not lines " << k.line << ", " << k.other << ": " << said);
            if (const std::string thread = k.word("thread"); !thread.empty())
                BOOST_TEST(said.find("thread (" + thread + ",0,0)") != std::string::npos, said);
            if (const std::string block = k.word("block"); !block.empty())
                BOOST_TEST(said.find("of block (" + block + ",0,0)") != std::string::npos, said);
        }
}

/// On a GPU, too: they are correct.
BOOST_AUTO_TEST_CASE(none_is_made_up) {
    const std::string text = test::file("executor/faults_mended.ptx");
    for (const planted& k : read_marks()) BOOST_TEST_CONTEXT(k.name) {
            ptx_module m{text};
            host::ptx_options options;
            options.initcheck = options.racecheck = true;
            host::set_ptx_options(options);
            BOOST_TEST(run(m, k) == status::success);
            host::set_ptx_options({});
            BOOST_TEST(host::last_ptx_fault() == "");
        }
}
