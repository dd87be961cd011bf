// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// A conjugate-gradient solver as one expression: run at once, launch by launch, and as a plan, which is one CUDA graph. The
// same solution both ways, checked on the CPU, for two right-hand sides; and the time that each way takes. On a GPU if there
// is one, else on the host driver, which executes the kernels' PTX.
//
//   solver [WIDTH [ROUNDS [drawing.dot]]]   writes the graph of two rounds there

#include "kernels.hpp"

#include <hanabi_modules/solver.hpp>

#include <hanabi/host/ptx.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace hanabi::literals;
using hanabi::copy;
using hanabi::fill;
using hanabi::grid;
using hanabi::over;
using hanabi::repeat;

namespace {

float at(const float* plane, int x, int y, int width) {
    return x >= 0 && y >= 0 && x < width && y < width
               ? plane[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)]
               : 0.0f;
}

/// |b - A x| / |b|, on the CPU.
double residual(const std::vector<float>& b, const std::vector<float>& x, int width) {
    double left = 0, all = 0;
    for (int row = 0; row < width; ++row)
        for (int column = 0; column < width; ++column) {
            const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
            const double sum = 4.0 * static_cast<double>(x[i]) - static_cast<double>(at(x.data(), column - 1, row, width)) -
                               static_cast<double>(at(x.data(), column + 1, row, width)) -
                               static_cast<double>(at(x.data(), column, row - 1, width)) -
                               static_cast<double>(at(x.data(), column, row + 1, width));
            left += (static_cast<double>(b[i]) - sum) * (static_cast<double>(b[i]) - sum);
            all += static_cast<double>(b[i]) * static_cast<double>(b[i]);
        }
    return std::sqrt(left / all);
}

/// Microseconds of the fastest of some runs.
template <class F>
double fastest(int runs, F f) {
    double best = 1e300;
    for (int i = 0; i < runs; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        f();
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
        if (took.count() < best) best = took.count();
    }
    return best;
}

} // namespace

int main(int argc, char** argv) {
    const hanabi::context gpu = hanabi::context::any();
    const bool on_host = gpu.table().is_host;
    const int width = argc > 1 ? std::atoi(argv[1]) : on_host ? 32 : 128, n = width * width;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : on_host ? 100 : 400;
    const auto modules = hanabi::registry::load(gpu, {{"solver", hanabi_modules::solver}});
    modules.require(laplacian, dot, add_ratio, turn);
    const hanabi::dispatcher run{modules};

    const auto size = static_cast<std::size_t>(n);
    std::vector<float> one(size), two(size);
    for (std::size_t i = 0; i < size; ++i) {
        one[i] = i % 7 == 0 ? 1.0f : -0.25f;
        two[i] = static_cast<float>(i % 100) * 0.01f;
    }
    hanabi::buffer<float> b1{gpu, size}, b2{gpu, size}, x{gpu, size}, r{gpu, size}, p{gpu, size}, q{gpu, size};
    hanabi::buffer<double> rr{gpu, 1}, rr_next{gpu, 1}, pq{gpu, 1};
    b1.copy_from(one);
    b2.copy_from(two);

    // tag::expression[]
    const auto round = laplacian[over(width, width)](p, q, width, width) >> dot[grid(1)](p, q, pq, n) >>
                       (add_ratio[over(n)](rr, pq, 1.0f, p, x, n) & add_ratio[over(n)](rr, pq, -1.0f, q, r, n)) >>
                       dot[grid(1)](r, r, rr_next, n) >> turn[over(n)](rr_next, rr, r, p, n) >> copy(rr, rr_next);
    const auto begin = (fill(x, 0.0f) & copy(r, "b"_arg) & copy(p, "b"_arg)) >> dot[grid(1)](r, r, rr, n);
    const auto solve = begin >> repeat(rounds, round);
    // end::expression[]

    int failures = 0;
    const auto check = [&](const char* how, const std::vector<float>& b, const std::vector<float>& solution) {
        const double left = residual(b, solution, width);
        const bool good = left < 1e-3;
        std::printf("  %-24s residual %.1e  %s\n", how, left, good ? "ok" : "WRONG");
        if (!good) ++failures;
    };
    std::printf("%s: %d x %d unknowns, %d rounds\n", gpu.device_name().c_str(), width, width, rounds);

    // tag::both[]
    run(solve.bind("b"_arg = b1)); // at once
    run.synchronize();
    const std::vector<float> eager = x.to_vector();

    auto plan = run.plan(solve); // as a graph
    plan("b"_arg = b1);
    run.synchronize();
    const std::vector<float> planned = x.to_vector();

    plan("b"_arg = b2); // another right-hand side: two copies are updated
    run.synchronize();
    // end::both[]
    check("at once", one, eager);
    check("as a plan", one, planned);
    check("another right-hand side", two, x.to_vector());
    if (std::memcmp(eager.data(), planned.data(), size * sizeof(float)) != 0) {
        std::puts("  the two solutions differ: WRONG");
        ++failures;
    }

    const int runs = on_host ? 2 : 20;
    const double at_once = fastest(runs, [&] {
        run(solve.bind("b"_arg = b1));
        run.synchronize();
    });
    const double as_plan = fastest(runs, [&] {
        plan("b"_arg = b1);
        run.synchronize();
    });
    std::printf("  at once %.1f us, as a plan %.1f us: %.2f times\n", at_once, as_plan, at_once / as_plan);

    if (argc > 3) {
        auto drawn = run.plan(begin >> repeat(2, round));
        drawn.rebind("b"_arg = b1);
        if (std::FILE* const file = std::fopen(argv[3], "w")) {
            std::fputs(drawn.dot().c_str(), file);
            std::fclose(file);
        }
    }
    return failures == 0 ? 0 : 1;
}
