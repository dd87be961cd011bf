// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// How long it takes to find out the dependencies of a list of launches, on the host alone: tasks over buffers at random, from
// the expression to the graph (addresses looked up in the context's table, edges, levels). Prints the best of some rounds, the
// width of the schedule, and the time for each of 10 to 100 000 launches; fails if 2000 launches over 200 buffers take a
// millisecond.
//
//   dataflow

#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>

#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr hanabi::kernel<"m", "axpy", void(float, const float*, float*, int)> axpy;

struct measured {
    double microseconds;
    hanabi::detail::dataflow_graph graph;
};

measured measure(const hanabi::context& in, std::vector<hanabi::buffer<float>>& buffers, std::size_t launches, unsigned writers) {
    std::mt19937 random{1};
    using launch = decltype(axpy[hanabi::over(1)](1.0f, buffers[0], buffers[0], 1));
    std::vector<launch> list;
    for (std::size_t i = 0; i < launches; ++i) {
        const auto& x = buffers[random() % buffers.size()];
        auto& y = buffers[random() % writers];
        list.push_back(axpy[hanabi::over(1)](1.0f, x, y, 1));
    }
    const auto all = hanabi::dataflow(std::move(list));
    measured best{1e30, {}};
    for (int round = 0; round < 20; ++round) {
        const auto start = std::chrono::steady_clock::now();
        auto graph = hanabi::detail::infer_dataflow(all, *in.state(), all.size());
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
        if (time.count() < best.microseconds) best = {time.count(), std::move(graph)};
    }
    return best;
}

} // namespace

int main() {
    const hanabi::context in = hanabi::context::host();
    std::vector<hanabi::buffer<float>> buffers;
    for (int i = 0; i < 200; ++i) buffers.emplace_back(in, 1024);
    std::printf("launches  writable     time   a launch     edges     depth     width\n");
    bool good = true;
    for (const unsigned writers : {200u, 20u})
        for (const std::size_t launches : {10u, 100u, 1000u, 2000u, 10000u, 100000u}) {
            const measured m = measure(in, buffers, launches, writers);
            std::printf("%8zu %9u %6.0f us %7.0f ns %9zu %9u %9u\n", launches, writers, m.microseconds,
                        m.microseconds * 1000 / static_cast<double>(launches), m.graph.predecessors.size(), m.graph.depth, m.graph.width);
            good = good && (launches != 2000 || m.microseconds < 1000);
        }
    return good ? 0 : 1;
}
