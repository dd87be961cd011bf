// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Modules' own PTX on the host driver: kernels of this project and of nvcc, in both dialects, compared with the CPU.

#define BOOST_TEST_MODULE ptx_run
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/ptx_module.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace {

const std::string targets[] = {"75", "100"};

/// Kernels of test/data/executor, in one of the dialects.
struct features : ptx_module {
    explicit features(const std::string& target)
        : ptx_module{test::file("executor/features_" + target + ".ptx"), target == "100" ? 10 : 9} {}
};

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

} // namespace

BOOST_AUTO_TEST_CASE(calls) {
    for (const std::string& target : targets) {
        features m{target};
        const device_array<int> out{64};
        CHECK_OK(m.run("recursion", {1}, {64}, 0, out.address()));
        const auto got = out.values();
        for (int i = 0; i < 64; ++i) BOOST_TEST(got[static_cast<std::size_t>(i)] == fibonacci(i % 10) + 2);
        CHECK_OK(m.run("indirect", {1}, {64}, 0, out.address()));
        const auto second = out.values();
        for (int i = 0; i < 64; ++i) BOOST_TEST(second[static_cast<std::size_t>(i)] == (i % 2 == 0 ? i + 1 : 2 * i));
    }
}

BOOST_AUTO_TEST_CASE(constants_heap_and_printing) {
    static std::string printed;
    for (const std::string& target : targets) {
        features m{target};
        const device_array<float> f{2};
        CHECK_OK(m.run("constants", {1}, {2}, 0, f.address()));
        BOOST_TEST(f.values() == (std::vector<float>{0.5f, 2.0f}), boost::test_tools::per_element());
        const device_array<int> out{40};
        CHECK_OK(m.run("heap", {1}, {40}, 0, out.address()));
        const auto got = out.values();
        for (int i = 0; i < 40; ++i) BOOST_TEST(got[static_cast<std::size_t>(i)] == 8 * i + 28);
        printed.clear();
        host::ptx_options options;
        options.print = [](const char* text, std::size_t n) { printed.append(text, n); };
        host::set_ptx_options(options);
        CHECK_OK(m.run("print", {1}, {4}, 0, 2));
        host::set_ptx_options({});
        BOOST_TEST(printed == "thread 0 of 4: 0.00 text 1099511627776\nthread 1 of 4: 1.50 text 1099511627776\n");
    }
}

BOOST_AUTO_TEST_CASE(every_lane_gets_on) {
    for (const std::string& target : targets) {
        features m{target};
        const device_array<int> lock{1, 0}, count{1, 0};
        CHECK_OK(m.run("spin_lock", {5}, {96}, 0, lock.address(), count.address()));
        BOOST_TEST(count.values()[0] == 5 * 96);
    }
}

BOOST_AUTO_TEST_CASE(between_lanes) {
    for (const std::string& target : targets) {
        features m{target};
        std::vector<int> numbers(256);
        std::iota(numbers.begin(), numbers.end(), 1);
        const device_array<int> in{numbers}, out{1, 0}, shuffled{32};
        CHECK_OK(m.run("warp_sums", {2}, {128}, 0, in.address(), out.address()));
        BOOST_TEST(out.values()[0] == 256 * 257 / 2);
        CHECK_OK(m.run("divergent_shuffle", {1}, {32}, 0, shuffled.address()));
        std::vector<int> expected(32);
        for (int i = 0; i < 32; ++i) expected[static_cast<std::size_t>(i ^ 1)] = i % 3 == 0 ? i + i * (i - 1) / 2 : i % 3 == 1 ? 7 * i : i;
        BOOST_TEST(shuffled.values() == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(blocks_and_grids) {
    for (const std::string& target : targets) {
        features m{target};
        std::vector<int> numbers(512, 1);
        const device_array<int> data{numbers};
        CHECK_OK(m.run("block_scan", {2}, {256}, 0, data.address()));
        const auto got = data.values();
        for (int i = 0; i < 512; ++i) BOOST_TEST(got[static_cast<std::size_t>(i)] == i % 256 + 1);
        const int n = 8 * 64;
        const device_array<int> p{n + 1};
        CHECK_OK(m.run_cooperatively("grid_sum", {8}, {64}, p.address(), n));
        BOOST_TEST(p.values()[n] == n * (n - 1) / 2);
    }
}

BOOST_AUTO_TEST_CASE(a_matrix_product) {
    features m{"75"};
    const int n = 48;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(i % 7) - 3;
        b[i] = static_cast<float>(i % 5) * 0.5f;
    }
    const device_array<float> da{a}, db{b}, dc{n * n};
    CHECK_OK(m.run("matrix_product", {3, 3}, {16, 16}, 0, da.address(), db.address(), dc.address(), n));
    for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x)
            for (std::size_t k = 0; k < n; ++k) c[y * n + x] += a[y * n + k] * b[k * n + x]; // small numbers: exact
    BOOST_TEST(dc.values() == c, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(numbers) {
    for (const std::string& target : targets) {
        features m{target};
        std::vector<float> x(32);
        for (std::size_t i = 0; i < 32; ++i) x[i] = static_cast<float>(i) * 0.5f - 8.0f;
        const device_array<float> in{x}, out{64}, all{256};
        CHECK_OK(m.run("halves", {1}, {32}, 0, in.address(), out.address()));
        const auto h = out.values();
        for (std::size_t i = 0; i < 32; ++i) {
            BOOST_TEST(h[2 * i] == 2 * x[i]); // halves: exact in binary16
            BOOST_TEST(h[2 * i + 1] == 2 * x[i] * x[i]);
        }
        CHECK_OK(m.run("functions_of", {1}, {32}, 0, in.address(), all.address()));
        const auto f = all.values();
        for (std::size_t i = 0; i < 32; ++i) {
            const double v = static_cast<double>(x[i]), p = std::fabs(v);
            const double expected[] = {std::sin(v), std::exp(v),      std::log(p + 1), std::sqrt(p),
                                       v / 3,       std::pow(p, 1.5), std::tanh(v),    1 / std::sqrt(p + 1)};
            for (std::size_t k = 0; k < 8; ++k)
                BOOST_TEST(std::fabs(static_cast<double>(f[8 * i + k]) - expected[k]) <= 1e-6 * std::fabs(expected[k]) + 1e-7,
                           "function " << k << " of " << v << " is " << f[8 * i + k]);
        }
        struct {
            char c = 3;
            double d = 0.25;
            short s[3] = {10, 20, 30};
        } padded;
        const device_array<double> sums{6};
        CHECK_OK(m.run("by_value", {1}, {6}, 0, padded, sums.address(), 16ll));
        BOOST_TEST(sums.values() == (std::vector<double>{15.25, 25.25, 35.25, 15.25, 25.25, 35.25}), boost::test_tools::per_element());
        const device_array<int> cases{std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}}, taken{8};
        CHECK_OK(m.run("switches", {1}, {8}, 0, cases.address(), taken.address()));
        BOOST_TEST(taken.values() == (std::vector<int>{11, 7, -28, 384, -5, 1, 2, 1000}), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(the_kernels_of_the_example) {
    ptx_module blas{test::file("../../example/kernels/blas.ptx")};
    const int n = 1000;
    std::vector<float> x(n), y(n, 1.0f), expected(n);
    std::iota(x.begin(), x.end(), 0.0f);
    const device_array<float> dx{x}, dy{y};
    CHECK_OK(blas.run("axpy", {4}, {256}, 0, 2.0f, dx.address(), dy.address(), n));
    for (std::size_t i = 0; i < n; ++i) expected[i] = 2.0f * x[i] + 1.0f;
    BOOST_TEST(dy.values() == expected, boost::test_tools::per_element());
    const device_array<double> partial{4};
    CHECK_OK(blas.run("sum_blocks", {4}, {256}, 0, dx.address(), partial.address(), 1000u));
    const auto sums = partial.values();
    BOOST_TEST(std::accumulate(sums.begin(), sums.end(), 0.0) == 499500.0);

    ptx_module stencil{test::file("../../example/kernels/stencil.ptx")};
    const int width = 150, height = 140;
    const device_array<float> in{std::vector<float>(width * height, 1.0f)}, small{width * height}, large{width * height};
    CHECK_OK(stencil.run("blur_small", {10, 9}, {16, 16}, 0, in.address(), small.address(), width, height));
    CHECK_OK(stencil.allow_shared("blur_large", 130 * 130 * 4));
    CHECK_OK(stencil.run("blur_large", {2, 2}, {256}, 130 * 130 * 4, in.address(), large.address(), width, height));
    std::vector<float> blurred(width * height, 1.0f);
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            const int inside = 5 - (row == 0) - (column == 0) - (row == height - 1) - (column == width - 1);
            blurred[static_cast<std::size_t>(row * width + column)] = static_cast<float>(inside) * 0.2f;
        }
    BOOST_TEST(small.values() == blurred, boost::test_tools::per_element());
    BOOST_TEST(large.values() == blurred, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(newer_devices) {
    ptx_module m{test::file("executor/features_hopper.ptx")};
    std::vector<int> numbers(256);
    std::iota(numbers.begin(), numbers.end(), 0);
    const device_array<int> in{numbers}, sums{2}, waits{128};
    CHECK_OK(m.run_in_clusters(4, "cluster_sum", {8}, {32}, in.address(), sums.address()));
    BOOST_TEST(sums.values() == (std::vector<int>{127 * 128 / 2, 255 * 256 / 2 - 127 * 128 / 2}), boost::test_tools::per_element());
    CHECK_OK(m.run("memory_barrier", {1}, {128}, 0, waits.address()));
    const auto waited = waits.values();
    for (int i = 0; i < 128; ++i) BOOST_TEST(waited[static_cast<std::size_t>(i)] == 3 * ((i + 1) % 128) + 3);

    std::vector<int> words(4 * 256);
    std::iota(words.begin(), words.end(), 0);
    const device_array<int> from{words}, to{words.size()};
    CHECK_OK(m.run("pipeline", {1}, {64}, 0, from.address(), to.address()));
    const auto moved = to.values();
    for (std::size_t i = 0; i < 256; ++i) BOOST_TEST(moved[4 * i] == static_cast<int>(4 * (i / 64 * 64 + 63 - i % 64)));

    std::vector<std::uint16_t> a(256), b(256);
    std::vector<float> va(256), vb(256);
    for (std::size_t i = 0; i < 256; ++i) {
        const std::uint16_t halves[] = {0x0000, 0x3c00, 0x4000, 0xbc00, 0x3800}; // 0, 1, 2, -1, 0.5
        const float values[] = {0, 1, 2, -1, 0.5f};
        a[i] = halves[i * 7 % 5];
        va[i] = values[i * 7 % 5];
        b[i] = halves[(i * 3 + 1 + i / 16) % 5];
        vb[i] = values[(i * 3 + 1 + i / 16) % 5];
    }
    const device_array<std::uint16_t> da{a}, db{b};
    const device_array<float> dc{256}, small{128};
    CHECK_OK(m.run("wmma_product", {1}, {32}, 0, da.address(), db.address(), dc.address()));
    CHECK_OK(m.run("mma_product", {1}, {32}, 0, da.address(), db.address(), small.address()));
    const auto c = dc.values(), s = small.values();
    for (std::size_t i = 0; i < 16; ++i)
        for (std::size_t j = 0; j < 16; ++j) {
            float by_columns = 1, by_rows = 0;
            for (std::size_t k = 0; k < 16; ++k) {
                by_columns += va[i * 16 + k] * vb[j * 16 + k];
                if (j < 8) by_rows += va[i * 16 + k] * vb[k * 8 + j];
            }
            BOOST_TEST(c[i * 16 + j] == by_columns);
            if (j < 8) BOOST_TEST(s[i * 8 + j] == by_rows);
        }

    const device_array<unsigned> pair{std::vector<unsigned>{0x01ff8005u, 0x02017f0au}}, out{6};
    CHECK_OK(m.run("video", {1}, {1}, 0, pair.address(), out.address()));
    BOOST_TEST(out.values() == (std::vector<unsigned>{0x0300ff0fu, 0x01fe0105u, 0x02017f0au, 1 * 2 + 0xff * 1 + 0x80 * 0x7f + 5 * 10 + 7,
                                                      0x02808008u, 0x00ffff00u}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bodies_go_first) {
    ptx_module m{test::file("../../example/kernels/blas.ptx")};
    static constexpr described<"m", "axpy", void(float, const float*, float*, int)> axpy;
    host::define(axpy, [](host::thread, float, const float*, float* y, int) { y[0] = -1.0f; });
    const device_array<float> x{1, 1.0f}, y{1, 1.0f};
    CHECK_OK(m.run("axpy", {1}, {1}, 0, 2.0f, x.address(), y.address(), 1));
    BOOST_TEST(y.values()[0] == -1.0f);
}
