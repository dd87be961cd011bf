// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Each instruction alone, with edge values and random ones: the executor takes all of them, and answers what a GPU answered
// (test/data/executor/truth.txt, recorded by bench/ptx_truth.cpp; without the file there is nothing to compare with).

#define BOOST_TEST_MODULE ptx_truth
#include <boost/test/unit_test.hpp>

#include "support/host_driver.hpp"
#include "support/ptx_truth.hpp"

#include <hanabi/host/ptx.hpp>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

BOOST_FIXTURE_TEST_CASE(instructions, fresh_driver) {
    std::map<std::string, std::vector<std::uint64_t>> recorded;
    std::ifstream file{std::string{HANABI_TEST_DATA_DIR} + "/executor/truth.txt"};
    for (std::string line; std::getline(file, line);) {
        const std::size_t tab = line.find('\t');
        if (line.empty() || line[0] == '#' || tab == std::string::npos) continue;
        std::istringstream words{line.substr(tab + 1)};
        auto& answers = recorded[line.substr(0, tab)];
        for (std::string word; words >> word;) answers.push_back(std::strtoull(word.c_str(), nullptr, 16));
    }
    const auto all = truth::experiments();
    BOOST_TEST(all.size() * truth::tries > 10000u);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const log_watch watch;
        const auto answers = truth::run(cu, all[i], i);
        BOOST_TEST(!answers.empty(), all[i].text << " can't be executed: " << watch.text());
        const auto found = recorded.find(all[i].text);
        BOOST_TEST((found != recorded.end() && found->second.size() == answers.size()), "no answers of a GPU to " << all[i].text);
        if (found == recorded.end() || found->second.size() != answers.size() || truth::disputed(all[i].text)) continue;
        const auto inputs = truth::inputs_of(all[i], i);
        for (std::size_t t = 0; t < answers.size(); ++t)
            if (!truth::agree(all[i], answers[t], found->second[t]) && ++wrong <= 200)
                BOOST_ERROR(all[i].text << std::hex << " of 0x" << inputs[3 * t] << ", 0x" << inputs[3 * t + 1] << ", 0x"
                                        << inputs[3 * t + 2] << " is 0x" << answers[t] << "; a GPU says 0x" << found->second[t]);
    }
    BOOST_TEST(wrong == 0u);
    BOOST_TEST_MESSAGE(recorded.size() << " instructions compared with a GPU's answers");
}
