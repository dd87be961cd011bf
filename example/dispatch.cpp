// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The main job: modules compiled by nvcc are loaded at run time, their kernels launched through descriptors, and every
// number checked against the CPU. On a GPU if there is one, else on the host driver, which executes the kernels' PTX.
//
//   dispatch [fatbin|ptx]   loads the modules as fatbins (the default) or as the PTX beside the sources

#include "kernels.hpp"

#include <hanabi/host/ptx.hpp>

#include <hanabi_modules/blas.hpp>
#include <hanabi_modules/blas_ptx.hpp>
#include <hanabi_modules/particles.hpp>
#include <hanabi_modules/particles_ptx.hpp>
#include <hanabi_modules/stencil.hpp>
#include <hanabi_modules/stencil_ptx.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace hanabi::literals;
using hanabi::block;
using hanabi::grid;
using hanabi::over;
using hanabi::shared;

namespace {

int failures = 0;

// One line a kernel: its name, what it did, and the largest relative error.
void report(const char* kernel, const std::string& what, double error, double allowed) {
    const bool good = error <= allowed; // false for NaN, too
    std::printf("  %-12s %-42s largest error %.1e  %s\n", kernel, what.c_str(), error, good ? "ok" : "WRONG");
    if (!good) ++failures;
}

double difference(double a, double b) { return std::abs(a - b) / std::fmax(1.0, std::abs(b)); }

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = difference(a[i], b[i]);
        if (!(d <= largest)) largest = d;
    }
    return largest;
}

std::vector<float> numbers(std::size_t n, unsigned seed) {
    std::vector<float> v(n);
    for (float& x : v) x = static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0f - 0.5f;
    return v;
}

float at(const float* plane, int x, int y, int width, int height) {
    return x >= 0 && y >= 0 && x < width && y < height
               ? plane[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)]
               : 0.0f;
}

void vectors(const hanabi::registry& modules, const hanabi::dispatcher<>& run) {
    const int n = 300'003; // no multiple of the block
    const std::vector<float> x = numbers(n, 1), y = numbers(n, 2);
    const hanabi::context gpu = modules.context();
    hanabi::buffer<float> dx{gpu, n}, dy{gpu, n};
    dx.copy_from(x);
    dy.copy_from(y);

    // tag::launch[]
    run(axpy[over(n)](2.5f, dx, dy, n));                                              // y += 2.5 x
    run(axpy[over(n)]("n"_arg = n, "x"_arg = dx, "y"_arg = dy, "alpha"_arg = -0.5f)); // by name
    auto launch_scal = run[scal];                                                     // bound once
    launch_scal(over(n) | block(128), 3.0f, dy, n);
    // end::launch[]
    std::vector<float> expected(y);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] += 2.5f * x[i];
        expected[i] += -0.5f * x[i];
    }
    std::vector<float> scaled(expected);
    for (float& v : scaled) v *= 3.0f;
    report("axpy, scal", std::to_string(n) + " elements", largest_difference(dy.to_vector(), scaled), 1e-6);

    const unsigned blocks = (static_cast<unsigned>(n) + 255) / 256;
    hanabi::buffer<double> partial{gpu, blocks};
    run(sum_blocks[grid(blocks)](dx, partial, hanabi::narrow<unsigned>(n))); // the block is in its contract
    double sum = 0, reference = 0;
    for (const double p : partial.to_vector()) sum += p;
    for (const float v : x) reference += static_cast<double>(v);
    report("sum_blocks", std::to_string(blocks) + " blocks of 256", difference(sum, reference), 1e-9);
}

void stencils(const hanabi::registry& modules, const hanabi::dispatcher<>& run) {
    const int width = 700, height = 500;
    const std::size_t n = static_cast<std::size_t>(width) * height;
    const std::vector<float> in = numbers(n, 3);
    std::vector<float> expected(n);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            expected[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] =
                (at(in.data(), x, y, width, height) + at(in.data(), x - 1, y, width, height) + at(in.data(), x + 1, y, width, height) +
                 at(in.data(), x, y - 1, width, height) + at(in.data(), x, y + 1, width, height)) *
                0.2f;

    const hanabi::context gpu = modules.context();
    hanabi::buffer<float> din{gpu, n}, dout{gpu, n};
    din.copy_from(in);
    run(blur_small[over(width, height)](din, dout, width, height));
    report("blur_small", "700 x 500, static shared memory", largest_difference(dout.to_vector(), expected), 1e-6);

    dout.fill(0.0f);
    // More than 48 KiB of dynamic shared memory is opted in by the launch.
    run(blur_large[grid((width + 127) / 128, (height + 127) / 128) | block(256_c) | shared<float>(130 * 130)](din, dout, width, height));
    report("blur_large", "700 x 500, 67600 bytes of shared memory", largest_difference(dout.to_vector(), expected), 1e-6);
}

void particles(const hanabi::registry& modules, const hanabi::dispatcher<>& run) {
    const int n = 10'000;
    const std::vector<float> random = numbers(4 * static_cast<std::size_t>(n), 4);
    std::vector<particle> expected;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
        expected.push_back({random[4 * i], random[4 * i + 1], random[4 * i + 2], random[4 * i + 3], static_cast<int>(i % 4)});
    hanabi::buffer<particle> dp{modules.context(), n};
    dp.copy_from(expected);

    // tag::variable[]
    const auto table = modules.variable(drag); // checked: 16 bytes
    table.write({0.1f, 0.2f, 0.4f, 0.8f});
    const step s{0.01f, 9.81f, n};
    for (int i = 0; i < 100; ++i) run(advance[over(n)](dp, s));
    // end::variable[]

    const auto drags = table.read();
    for (int i = 0; i < 100; ++i)
        for (particle& p : expected) {
            const float keep = 1.0f - drags[static_cast<std::size_t>(p.kind)] * s.dt;
            p.vx *= keep;
            p.vy = p.vy * keep - s.gravity * s.dt;
            p.x += p.vx * s.dt;
            p.y += p.vy * s.dt;
        }
    double error = 0;
    const std::vector<particle> moved = dp.to_vector();
    for (std::size_t i = 0; i < moved.size(); ++i)
        error = std::fmax(error, std::fmax(difference(moved[i].x, expected[i].x), difference(moved[i].y, expected[i].y)));
    report("advance", "10000 particles, 100 steps", error, 1e-4);
}

} // namespace

int main(int argc, char** argv) {
    try {
        // tag::load[]
        const hanabi::context gpu = hanabi::context::any();
        const bool text = argc > 1 && std::strcmp(argv[1], "ptx") == 0;
        const auto modules = text ? hanabi::registry::load(gpu, {{"blas", hanabi_modules::blas_ptx},
                                                                 {"stencil", hanabi_modules::stencil_ptx},
                                                                 {"particles", hanabi_modules::particles_ptx}})
                                  : hanabi::registry::load(gpu, {{"blas", hanabi_modules::blas},
                                                                 {"stencil", hanabi_modules::stencil},
                                                                 {"particles", hanabi_modules::particles}});
        modules.require(axpy, scal, sum_blocks, blur_small, blur_large, advance);
        const hanabi::dispatcher run{modules};
        // end::load[]

        std::printf("driver: %s, CUDA %d.%d\ndevice: %s, compute capability %d.%d\nmodules: %s\n", gpu.table().origin,
                    gpu.driver_version() / 1000, gpu.driver_version() % 1000 / 10, gpu.device_name().c_str(),
                    gpu.compute_capability().major, gpu.compute_capability().minor, text ? "PTX" : "fatbin");
        if (gpu.table().is_host) std::puts("No GPU here: the host driver executes the kernels' PTX.");
        vectors(modules, run);
        stencils(modules, run);
        particles(modules, run);
    } catch (const hanabi::error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    std::puts(failures == 0 ? "all results agree with the CPU's" : "some results are wrong");
    return failures;
}
