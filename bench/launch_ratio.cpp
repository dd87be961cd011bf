// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What one launch costs on a GPU, in time on the host: by hand, through a dispatcher and through a functor, in the same run,
// in turns. Prints the medians and the medians of paired ratios. On a machine without a GPU it says so and measures nothing.
//
//   launch_ratio [ROUNDS]

#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>
#include <hanabi/image.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
)";

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

using functor = hanabi::functor<std::remove_const_t<decltype(axpy)>>;

[[gnu::noinline]] void by_hand(const hanabi::driver::table& table, hanabi::driver::function_handle function,
                               hanabi::driver::stream_handle stream, float alpha, const float* x, float* y, int n) {
    void* parameters[] = {&alpha, &x, &y, &n};
    if (table.launch_kernel(function, (static_cast<unsigned>(n) + 255) / 256, 1, 1, 256, 1, 1, 0, stream, parameters, nullptr) !=
        hanabi::driver::status::success)
        std::abort();
}
[[gnu::noinline]] void by_dispatcher(const hanabi::dispatcher<>& run, float alpha, const hanabi::buffer<float>& x, hanabi::buffer<float>& y,
                                     int n) {
    run(axpy[hanabi::over(n)](alpha, x, y, n));
}
[[gnu::noinline]] void by_functor(const functor& launch_axpy, float alpha, const hanabi::buffer<float>& x, hanabi::buffer<float>& y,
                                  int n) {
    launch_axpy(hanabi::over(n), alpha, x, y, n);
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t rounds = argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 4000;
    const hanabi::context gpu = hanabi::context::any();
    if (gpu.table().is_host) return std::puts("skipped: no GPU here"), 77;
    std::printf("%s, driver CUDA %d.%d\n", gpu.device_name().c_str(), gpu.driver_version() / 1000, gpu.driver_version() % 1000 / 10);

    const auto blas = hanabi::registry::load(gpu, {{"blas", ptx}});
    blas.require(axpy);
    const hanabi::dispatcher run{blas};
    const functor launch_axpy = run[axpy];
    const auto function = blas.function("blas", "axpy");
    hanabi::buffer<float> x{gpu, 1000}, y{gpu, 1000};
    const hanabi::current_context current{gpu}; // by hand one would see to that once

    constexpr int batch = 32; // few enough that the queue never fills
    const auto time = [&](int way) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < batch; ++i) {
            if (way == 0)
                by_hand(gpu.table(), function, gpu.stream(), 2.0f, x.get(), y.get(), 1000);
            else if (way == 1)
                by_dispatcher(run, 2.0f, x, y, 1000);
            else
                by_functor(launch_axpy, 2.0f, x, y, 1000);
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        run.synchronize();
        return took.count() / batch;
    };
    std::array<std::vector<double>, 3> times;
    std::array<std::vector<double>, 3> ratios;
    for (std::size_t round = 0; round < rounds + rounds / 10; ++round) {
        std::array<double, 3> t{};
        for (int turn = 0; turn < 3; ++turn) { // every way is first, second and last equally often
            const int way = static_cast<int>((static_cast<std::size_t>(turn) + round) % 3);
            t[static_cast<std::size_t>(way)] = time(way);
        }
        if (round < rounds / 10) continue; // warm-up
        for (std::size_t way = 0; way < 3; ++way) {
            times[way].push_back(t[way]);
            ratios[way].push_back(t[way] / t[0]);
        }
    }
    const char* const names[] = {"by hand", "dispatcher", "functor"};
    bool good = true;
    for (std::size_t way = 0; way < 3; ++way) {
        const double ratio = median(times[way]) / median(times[0]), paired = median(ratios[way]);
        std::printf("%-10s  median %7.1f ns  ratio of medians %.4f  median of paired ratios %.4f\n", names[way], median(times[way]), ratio,
                    paired);
        good = good && paired <= 1.01;
    }
    std::puts(good ? "within 1.01 of the hand-written call" : "more than 1.01 of the hand-written call");
    return good ? 0 : 1;
}
