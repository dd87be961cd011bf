// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Records what a GPU answers to the experiments of test/support/ptx_truth.hpp, for test/ptx_truth.cpp:
//
//   ptx_truth > test/data/executor/truth.txt

#include "../test/support/ptx_truth.hpp"

#include <hanabi/context.hpp>

#include <cstdio>

int main() {
    try {
        const hanabi::context gpu = hanabi::context::primary(0, hanabi::driver::cuda());
        const hanabi::driver::table& cu = gpu.table();
        if (cu.ctx_set_current(gpu.handle()) != hanabi::driver::status::success) return 1;
        const auto all = truth::experiments();
        std::printf("# answers of %s, driver %d\n", gpu.device_name().c_str(), gpu.driver_version());
        std::size_t refused = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto answers = truth::run(cu, all[i], i);
            if (answers.empty()) {
                std::printf("# not taken: %s\n", all[i].text.c_str());
                ++refused;
                continue;
            }
            std::printf("%s\t", all[i].text.c_str());
            for (std::size_t t = 0; t < answers.size(); ++t)
                std::printf("%s%llx", t == 0 ? "" : " ", static_cast<unsigned long long>(answers[t]));
            std::printf("\n");
        }
        std::fprintf(stderr, "%zu experiments of %u inputs, %zu not taken\n", all.size(), truth::tries, refused);
        return 0;
    } catch (const hanabi::error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
