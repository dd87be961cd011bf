// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The kernels of example/kernels as C++ bodies, for machines without a GPU.

#ifndef HANABI_EXAMPLE_HOST_BODIES_HPP
#define HANABI_EXAMPLE_HOST_BODIES_HPP

#include "kernels.hpp"

#include <hanabi/host.hpp>

#include <cstddef>

inline float at(const float* plane, int x, int y, int width, int height) {
    return x >= 0 && y >= 0 && x < width && y < height
               ? plane[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)]
               : 0.0f;
}

// What both blurs compute for one element.
inline void blur_at(const float* in, float* out, int x, int y, int width, int height) {
    if (x >= width || y >= height) return;
    out[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] =
        (at(in, x, y, width, height) + at(in, x - 1, y, width, height) + at(in, x + 1, y, width, height) + at(in, x, y - 1, width, height) +
         at(in, x, y + 1, width, height)) *
        0.2f;
}

inline void define_host_bodies() {
    // tag::define[]
    // A body for each thread...
    hanabi::host::define(axpy, [](hanabi::host::thread t, float alpha, const float* x, float* y, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) y[i] += alpha * x[i];
    });
    // ...or for each block, in phases that a barrier parts.
    hanabi::host::define(sum_blocks, [](hanabi::host::block& b, const float* x, double* partial, unsigned n) {
        const auto part = b.static_shared<double, 256>();
        b.for_each_thread(
            [&](hanabi::host::thread t) { part[t.rank()] = t.global_index().x < n ? static_cast<double>(x[t.global_index().x]) : 0.0; });
        for (unsigned s = 128; s != 0; s /= 2)
            b.for_each_thread([&](hanabi::host::thread t) {
                if (t.rank() < s) part[t.rank()] += part[t.rank() + s];
            });
        partial[b.index().x] = part[0];
    });
    // end::define[]
    hanabi::host::define(scal, [](hanabi::host::thread t, float alpha, float* x, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n)) x[i] *= alpha;
    });
    hanabi::host::define(blur_small, [](hanabi::host::thread t, const float* in, float* out, int width, int height) {
        blur_at(in, out, static_cast<int>(t.global_index().x), static_cast<int>(t.global_index().y), width, height);
    });
    hanabi::host::define(blur_large, [](hanabi::host::block& b, const float* in, float* out, int width, int height) {
        static_cast<void>(b.shared<float>(130 * 130)); // as the kernel does, needs this much
        for (int y = 0; y < 128; ++y)
            for (int x = 0; x < 128; ++x)
                blur_at(in, out, static_cast<int>(b.index().x) * 128 + x, static_cast<int>(b.index().y) * 128 + y, width, height);
    });
    hanabi::host::define(advance, [](hanabi::host::thread t, particle* particles, step s) {
        const auto i = t.global_index().x;
        if (i >= static_cast<unsigned>(s.count)) return;
        const float* const table = t.variable<float>(drag.symbol);
        particle p = particles[i];
        const float keep = 1.0f - table[p.kind] * s.dt;
        p.vx = p.vx * keep;
        p.vy = p.vy * keep - s.gravity * s.dt;
        p.x += p.vx * s.dt;
        p.y += p.vy * s.dt;
        particles[i] = p;
    });
    hanabi::host::define(laplacian, [](hanabi::host::thread t, const float* in, float* out, int width, int height) {
        const int x = static_cast<int>(t.global_index().x), y = static_cast<int>(t.global_index().y);
        if (x >= width || y >= height) return;
        out[y * width + x] = 4.0f * in[y * width + x] - (at(in, x - 1, y, width, height) + at(in, x + 1, y, width, height) +
                                                         at(in, x, y - 1, width, height) + at(in, x, y + 1, width, height));
    });
    hanabi::host::define(dot, [](hanabi::host::block&, const float* a, const float* b, double* result, int n) {
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        *result = sum;
    });
    hanabi::host::define(add_ratio, [](hanabi::host::thread t, const double* numerator, const double* denominator, float sign,
                                       const float* v, float* y, int n) {
        if (const auto i = t.global_index().x; i < static_cast<unsigned>(n))
            y[i] += sign * static_cast<float>(*numerator / *denominator) * v[i];
    });
    hanabi::host::define(turn,
                         [](hanabi::host::thread t, const double* numerator, const double* denominator, const float* r, float* p, int n) {
                             if (const auto i = t.global_index().x; i < static_cast<unsigned>(n))
                                 p[i] = r[i] + static_cast<float>(*numerator / *denominator) * p[i];
                         });
}

#endif
