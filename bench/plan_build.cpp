// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What making a plan costs, from 10 to 100 000 launches in a list made at run time: time, and memory that the library
// allocates, for each launch; the same for cloning it. On the host driver where there is no GPU; its own memory counts then.
//
//   plan_build [LAUNCHES at most]

#include <hanabi/expression/range.hpp>
#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>
#include <hanabi/plan.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <vector>

#include <malloc.h>

using namespace hanabi::literals;

namespace {

std::atomic<std::size_t> allocated{0};

constexpr char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
)";

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;

} // namespace

void* operator new(std::size_t bytes) {
    void* const p = std::malloc(bytes);
    if (p == nullptr) throw std::bad_alloc{};
    allocated += malloc_usable_size(p);
    return p;
}
void operator delete(void* p) noexcept {
    if (p != nullptr) allocated -= malloc_usable_size(p);
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

int main(int argc, char** argv) {
    const std::size_t most = argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 100000;
    const hanabi::context gpu = hanabi::context::any();
    std::printf("%s, driver CUDA %d.%d\n", gpu.device_name().c_str(), gpu.driver_version() / 1000, gpu.driver_version() % 1000 / 10);
    const auto blas = hanabi::registry::load(gpu, {{"blas", ptx}});
    blas.require(axpy);
    const hanabi::dispatcher run{blas};
    hanabi::buffer<float> x{gpu, 1000}, y{gpu, 1000};
    using open_launch = decltype(axpy[hanabi::over(1000)]("alpha"_arg, x, y, 1000));
    for (std::size_t n = 10; n <= most; n *= 10) {
        const auto list = hanabi::sequence(std::vector<open_launch>(n, axpy[hanabi::over(1000)]("alpha"_arg, x, y, 1000)));
        double best_build = 1e300, best_clone = 1e300;
        std::size_t memory = 0;
        for (int round = 0; round < (n > 10000 ? 2 : 5); ++round) {
            const std::size_t before = allocated;
            auto begin = std::chrono::steady_clock::now();
            auto plan = run.plan(list);
            std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
            if (took.count() < best_build) best_build = took.count();
            memory = allocated - before;
            begin = std::chrono::steady_clock::now();
            auto copy = plan.clone();
            took = std::chrono::steady_clock::now() - begin;
            if (took.count() < best_clone) best_clone = took.count();
        }
        std::printf("%7zu launches  build %8.1f ns  clone %8.1f ns  %7.1f bytes for each\n", n, best_build / static_cast<double>(n),
                    best_clone / static_cast<double>(n), static_cast<double>(memory) / static_cast<double>(n));
    }
    return 0;
}
