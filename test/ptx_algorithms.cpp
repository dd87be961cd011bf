// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Whole algorithms in PTX give what the same algorithms give on the CPU, on the host driver and on the real one: to the bit,
// except where a tolerance is stated. The kernels: data/executor/algorithms.cu and algorithms_hopper.cu.

#define BOOST_TEST_MODULE ptx_algorithms
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/ptx_module.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct algorithms : ptx_module {
    algorithms() : ptx_module{test::file("executor/algorithms_75.ptx")} {}

    /// Writes a variable of the module.
    void set(const char* name, const void* bytes, std::size_t count) const {
        device_address at = 0;
        std::size_t size = 0;
        BOOST_REQUIRE(cu.module_get_global(&at, &size, handle, name) == status::success);
        BOOST_REQUIRE(size >= count);
        BOOST_REQUIRE(cu.memcpy_htod_async(at, bytes, count, nullptr) == status::success);
        BOOST_REQUIRE(cu.ctx_synchronize() == status::success);
    }
};
struct hopper_algorithms : ptx_module {
    hopper_algorithms() : ptx_module{test::file("executor/algorithms_hopper.ptx")} {}
};

/// Numbers that look random and are the same everywhere.
class numbers {
  public:
    explicit numbers(u32 seed) : state_{seed * 2654435769u + 1} {}
    u32 next() noexcept { // xorshift
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return state_;
    }
    /// From low to high, both included.
    int next(int low, int high) noexcept { return low + static_cast<int>(next() % static_cast<u32>(high - low + 1)); }
    template <class T = int>
    std::vector<T> many(std::size_t n, int low, int high, T unit = T{1}) {
        std::vector<T> out(n);
        for (T& v : out) v = static_cast<T>(static_cast<T>(next(low, high)) * unit);
        return out;
    }
    std::vector<u32> words(std::size_t n) {
        std::vector<u32> out(n);
        for (u32& v : out) v = next();
        return out;
    }

  private:
    u32 state_;
};

template <class T>
void check_equal(const std::vector<T>& got, const std::vector<T>& expected) {
    BOOST_TEST(got == expected, boost::test_tools::per_element());
}
/// Compares with results of double precision, within a bound relative to `scale` or, where that is larger, to the result.
void check_close(const std::vector<float>& got, const std::vector<double>& expected, double bound, double scale) {
    BOOST_REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        BOOST_TEST(std::fabs(static_cast<double>(got[i]) - expected[i]) <= bound * std::max(scale, std::fabs(expected[i])),
                   "element " << i << " is " << got[i] << ", not " << expected[i]);
}

/// Orders positions by what is there; equal numbers stay in their order.
template <class T>
auto by_number_in(const std::vector<T>& numbers) {
    return [&numbers](int a, int b) {
        const T x = numbers[static_cast<std::size_t>(a)], y = numbers[static_cast<std::size_t>(b)];
        return x < y || (x == y && a < b);
    };
}

/// What lane 0 of a warp has of a sum by shfl.down or, for all lanes alike, shfl.bfly.
template <class T>
T warp_sum(std::array<T, 32> v) {
    for (std::size_t d = 16; d > 0; d /= 2) {
        const std::array<T, 32> before = v;
        for (std::size_t i = 0; i + d < 32; ++i) v[i] = before[i] + before[i + d];
    }
    return v[0];
}
float block_sum(const float* v) { // of 256, as the kernels add
    std::array<float, 32> warps{};
    for (std::size_t w = 0; w < 8; ++w) {
        std::array<float, 32> lanes{};
        std::copy_n(v + 32 * w, 32, lanes.begin());
        warps[w] = warp_sum(lanes);
    }
    return warp_sum(warps);
}

/// A number to the nearest of a format with `bits` of precision (even ones on ties) and a least exponent.
double rounded(double v, int bits, int least) {
    if (v == 0) return v;
    const int unit = std::max(std::ilogb(v), least) - bits + 1;
    return std::ldexp(std::nearbyint(std::ldexp(v, -unit)), unit);
}
double to_half(double v) { return rounded(v, 11, -14); }
double to_bfloat(double v) { return rounded(v, 8, -126); }
std::uint16_t half_bits(double v) { // of a number that is one
    const auto sign = static_cast<unsigned>(std::signbit(v)) << 15;
    if (v == 0) return static_cast<std::uint16_t>(sign);
    const int e = std::max(std::ilogb(v), -14);
    const auto significand = static_cast<unsigned>(std::ldexp(std::fabs(v), 10 - e));
    return static_cast<std::uint16_t>(sign | (static_cast<unsigned>(e + 14) * 1024 + significand));
}
double half_value(std::uint16_t h) {
    const int e = h >> 10 & 31, m = h & 1023;
    const double v = e == 0 ? std::ldexp(m, -24) : std::ldexp(m + 1024, e - 25);
    return (h & 0x8000) != 0 ? -v : v;
}
std::uint16_t bfloat_bits(double v) { return static_cast<std::uint16_t>(std::bit_cast<u32>(static_cast<float>(v)) >> 16); }
double bfloat_value(std::uint16_t b) { return static_cast<double>(std::bit_cast<float>(static_cast<u32>(b) << 16)); }

/// What an action, and the kernels it waits for, print to the standard output.
template <class F>
std::string printed_by(F action) {
    std::fflush(stdout);
    std::FILE* const file = std::tmpfile();
    BOOST_REQUIRE(file != nullptr);
    const int kept = ::dup(1);
    ::dup2(::fileno(file), 1);
    action();
    std::fflush(stdout);
    ::dup2(kept, 1);
    ::close(kept);
    std::rewind(file);
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(reductions) {
    algorithms m;
    numbers r{1};
    const std::vector<int> whole = r.many(1000, -1000, 1000);
    const device_array<int> in{whole}, parts{4};
    CHECK_OK(m.run("reduce_interleaved", {4}, {256}, 0, in.address(), parts.address(), 1000));
    std::vector<int> expected(4);
    for (std::size_t i = 0; i < whole.size(); ++i) expected[i / 256] += whole[i];
    check_equal(parts.values(), expected);

    const std::vector<float> real = r.many<float>(5 * 256, -99999, 99999, 0.001f);
    const device_array<float> fin{real}, sums{5}, total{1};
    CHECK_OK(m.run("reduce_shuffle", {5}, {256}, 0, fin.address(), sums.address()));
    std::vector<float> by_block(256);
    for (std::size_t b = 0; b < 5; ++b) by_block[b] = block_sum(real.data() + 256 * b);
    check_equal(sums.values(), {by_block.begin(), by_block.begin() + 5});
    for (int again = 0; again < 2; ++again) { // the count of blocks is zero again at the end
        CHECK_OK(m.run("reduce_last_block", {5}, {256}, 0, fin.address(), sums.address(), total.address()));
        BOOST_TEST(total.values()[0] == block_sum(by_block.data()));
    }

    const device_array<long long> wide{6};
    CHECK_OK(m.run_cooperatively("reduce_grid", {6}, {96}, in.address(), wide.address(), 1000));
    BOOST_TEST(wide.values()[0] == std::accumulate(whole.begin(), whole.end(), 0ll));
}

BOOST_AUTO_TEST_CASE(scans) {
    algorithms m;
    const std::vector<u32> words = numbers{2}.words(40 * 128);
    const device_array<u32> in{words}, out{words.size()};
    CHECK_OK(m.run("scan_blelloch", {10}, {256}, 0, in.address(), out.address()));
    std::vector<u32> expected(words.size());
    for (std::size_t i = 0; i < words.size(); i += 512)
        std::exclusive_scan(words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(i + 512),
                            expected.begin() + static_cast<std::ptrdiff_t>(i), 0u);
    check_equal(out.values(), expected);

    const device_array<u32> ticket{1, 0};
    const device_array<u64> tiles{40, 0};
    CHECK_OK(m.run("scan_lookback", {40}, {128}, 0, in.address(), out.address(), ticket.address(), tiles.address()));
    std::inclusive_scan(words.begin(), words.end(), expected.begin());
    check_equal(out.values(), expected);
}

BOOST_AUTO_TEST_CASE(sorts) {
    algorithms m;
    numbers r{3};
    std::vector<u32> words = r.words(1024);
    const device_array<u32> bitonic{words};
    CHECK_OK(m.run("sort_bitonic", {2}, {256}, 0, bitonic.address()));
    std::sort(words.begin(), words.begin() + 512);
    std::sort(words.begin() + 512, words.end());
    check_equal(bitonic.values(), words);

    std::vector<int> warps = r.many(192, -500, 500);
    const device_array<int> by_lanes{warps};
    CHECK_OK(m.run("sort_warp", {3}, {64}, 0, by_lanes.address()));
    for (auto i = warps.begin(); i != warps.end(); i += 32) std::sort(i, i + 32);
    check_equal(by_lanes.values(), warps);

    std::vector<float> keys = r.many<float>(1024, -300, 300, 0.5f); // many of them equal: stable
    for (float& k : keys) k += 0.25f;                               // none a zero
    std::vector<int> values(1024);
    std::iota(values.begin(), values.end(), 0);
    const device_array<float> radix_keys{keys};
    const device_array<int> radix_values{values};
    CHECK_OK(m.run("sort_radix", {2}, {128}, 0, radix_keys.address(), radix_values.address()));
    for (auto i = values.begin(); i != values.end(); i += 512) std::sort(i, i + 512, by_number_in(keys));
    std::vector<float> sorted;
    for (const int v : values) sorted.push_back(keys[static_cast<std::size_t>(v)]);
    check_equal(radix_keys.values(), sorted);
    check_equal(radix_values.values(), values);

    std::vector<int> a = r.many(300, 0, 200), b = r.many(300, 0, 200), merged(600);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const device_array<int> da{a}, db{b}, dm{600};
    CHECK_OK(m.run("merge_by_rank", {5}, {64}, 0, da.address(), db.address(), 300, dm.address()));
    std::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin());
    check_equal(dm.values(), merged);

    std::vector<int> mine = r.many(32 * 48, -99, 99);
    const device_array<int> recursive{mine};
    CHECK_OK(m.run("sort_recursive", {2}, {16}, 0, recursive.address()));
    for (auto i = mine.begin(); i != mine.end(); i += 48) std::sort(i, i + 48);
    check_equal(recursive.values(), mine);
}

BOOST_AUTO_TEST_CASE(matrices) {
    algorithms m;
    numbers r{4};
    const std::size_t width = 70, height = 45;
    const std::vector<double> whole = r.many<double>(width * height, -9999, 9999, 0.125);
    const device_array<double> in{whole}, turned{width * height};
    CHECK_OK(m.run("transpose", {3, 2}, {32, 8}, 0, in.address(), turned.address(), static_cast<int>(width), static_cast<int>(height)));
    std::vector<double> expected(width * height);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) expected[x * height + y] = whole[y * width + x];
    check_equal(turned.values(), expected);

    const std::size_t n = 50;
    const std::vector<float> a = r.many<float>(n * n, -999, 999, 0.01f), b = r.many<float>(n * n, -999, 999, 0.01f);
    const device_array<float> da{a}, db{b}, dc{n * n};
    CHECK_OK(m.run("product_tiled", {4, 2}, {16, 16}, 0, da.address(), db.address(), dc.address(), static_cast<int>(n)));
    std::vector<float> c(n * n);
    for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x)
            for (std::size_t k = 0; k < n; ++k) c[y * n + x] = std::fma(a[y * n + k], b[k * n + x], c[y * n + x]);
    check_equal(dc.values(), c);

    const std::size_t rows = 20, columns = 90;
    std::vector<int> starts{0}, at;
    for (std::size_t y = 0; y < rows; ++y) {
        for (int x = r.next(0, 3); x < static_cast<int>(columns); x += r.next(1, static_cast<int>(y) + 1)) at.push_back(x);
        starts.push_back(static_cast<int>(at.size()));
    }
    const std::vector<double> cells = r.many<double>(at.size(), -999, 999, 0.001), x = r.many<double>(columns, -999, 999, 0.001);
    const device_array<int> dstarts{starts}, dat{at};
    const device_array<double> dcells{cells}, dx{x}, dy{rows};
    CHECK_OK(m.run("product_sparse", {5}, {128}, 0, dstarts.address(), dat.address(), dcells.address(), dx.address(), dy.address(),
                   static_cast<int>(rows)));
    std::vector<double> y(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        std::array<double, 32> lanes{};
        const auto first = static_cast<std::size_t>(starts[row]), last = static_cast<std::size_t>(starts[row + 1]);
        for (std::size_t i = first; i < last; ++i)
            lanes[(i - first) % 32] = std::fma(cells[i], x[static_cast<std::size_t>(at[i])], lanes[(i - first) % 32]);
        y[row] = warp_sum(lanes);
    }
    check_equal(dy.values(), y);

    std::vector<int> signal = r.many(2048, -1000, 1000), transformed(2048);
    const device_array<int> walsh{signal};
    CHECK_OK(m.run("walsh_hadamard", {2}, {256}, 0, walsh.address()));
    for (std::size_t block = 0; block < 2; ++block)
        for (std::size_t k = 0; k < 1024; ++k)
            for (std::size_t j = 0; j < 1024; ++j)
                transformed[block * 1024 + k] += std::popcount(j & k) % 2 != 0 ? -signal[block * 1024 + j] : signal[block * 1024 + j];
    check_equal(walsh.values(), transformed);
}

BOOST_AUTO_TEST_CASE(tensor_cores) { // numbers for which every order of additions is exact
    algorithms m;
    numbers r{5};
    const std::size_t n = 32;
    const std::vector<double> a = r.many<double>(n * n, -4, 4, 0.5), b = r.many<double>(n * n, -4, 4, 0.5);
    const auto halves = [](const std::vector<double>& of) {
        std::vector<std::uint16_t> bits;
        for (const double v : of) bits.push_back(half_bits(v));
        return device_array<std::uint16_t>{bits};
    };
    const device_array<std::uint16_t> da = halves(a), db = halves(b);
    const device_array<float> dc{n * n};
    CHECK_OK(m.run("product_wmma_f16", {2, 2}, {32}, 0, da.address(), db.address(), dc.address(), static_cast<int>(n)));
    std::vector<float> c(n * n);
    for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += a[y * n + k] * b[x * n + k];
            c[y * n + x] = static_cast<float>(sum / 2);
        }
    check_equal(dc.values(), c);

    const auto bytes_a = r.many<std::int8_t>(32 * 16, -128, 127), bytes_b = r.many<std::int8_t>(16 * 8, -128, 127);
    std::vector<int> sums = r.many(32 * 8, -9999, 9999);
    const device_array<std::int8_t> sa{bytes_a}, sb{bytes_b};
    const device_array<int> sc{sums};
    CHECK_OK(m.run("product_wmma_s8", {1}, {32}, 0, sa.address(), sb.address(), sc.address()));
    for (std::size_t y = 0; y < 32; ++y)
        for (std::size_t x = 0; x < 8; ++x)
            for (std::size_t k = 0; k < 16; ++k) sums[y * 8 + x] += bytes_a[y * 16 + k] * bytes_b[k * 8 + x];
    check_equal(sc.values(), sums);
}

BOOST_AUTO_TEST_CASE(histograms) {
    algorithms m;
    numbers r{6};
    std::vector<std::uint8_t> bytes = r.many<std::uint8_t>(4 * 1500, 0, 255);
    std::fill_n(bytes.begin(), 1000, std::uint8_t{7}); // a crowded bin
    const device_array<std::uint8_t> in{bytes};
    const device_array<u32> bins{256, 0};
    CHECK_OK(m.run("histogram_shared", {3}, {128}, 0, in.address(), bins.address(), 1500));
    std::vector<u32> expected(256);
    for (const std::uint8_t b : bytes) ++expected[b];
    check_equal(bins.values(), expected);

    const std::vector<int> few = r.many(1000, 0, 9);
    const device_array<int> values{few};
    const device_array<u64> counts{10, 0};
    CHECK_OK(m.run("histogram_by_match", {5}, {224}, 0, values.address(), counts.address(), 1000));
    std::vector<u64> by_value(10);
    for (const int v : few) ++by_value[static_cast<std::size_t>(v)];
    check_equal(counts.values(), by_value);
}

BOOST_AUTO_TEST_CASE(atomics) {
    struct counters { // as in the kernel's source
        int add = 0, sub = 0, minimum = 5000, maximum = 0, exchanged = -1, swapped = -1;
        u32 inc = 0, dec = 5, bits_and = ~0u, bits_or = 0, bits_xor = 0;
        float sum = 0;
        u64 wide_max = 0, wide_min = ~0ull, wide_and = ~0ull, wide_or = 0;
        long long wide_signed_max = -1000;
        double wide_sum = 0, largest = -1;
        std::uint16_t halves[2] = {0, 0}, half = 0, small = 65000;
    };
    algorithms m;
    const device_array<counters> device{std::vector<counters>(1)};
    CHECK_OK(m.run("atomics_of_all_kinds", {4}, {128}, 0, device.address()));
    const counters got = device.values()[0];
    counters e;
    for (int i = 0; i < 512; ++i) {
        const auto u = static_cast<u32>(i);
        e.add += i;
        e.sub -= i;
        e.minimum = std::min(e.minimum, 1000 - i);
        e.maximum = std::max(e.maximum, i * 3);
        e.inc = e.inc >= 99 ? 0 : e.inc + 1;
        e.dec = e.dec == 0 || e.dec > 77 ? 77 : e.dec - 1;
        e.bits_and &= ~(1u << u % 20);
        e.bits_or |= 1u << u % 24;
        e.bits_xor ^= u * 2654435761u;
        e.sum += 0.25f * static_cast<float>(i % 8);
        e.wide_max = std::max(e.wide_max, u64{u} << 33);
        e.wide_min = std::min(e.wide_min, (u64{1} << 40) - u);
        e.wide_and &= ~(u64{1} << u % 61);
        e.wide_or |= u64{1} << u % 59;
        e.wide_signed_max = std::max(e.wide_signed_max, i - 500ll);
        e.wide_sum += 0.5 * i;
        e.largest = std::max(e.largest, (i * 37 % 1001) * 0.125);
        e.small = static_cast<std::uint16_t>(e.small + 7);
    }
    BOOST_TEST(got.add == e.add);
    BOOST_TEST(got.sub == e.sub);
    BOOST_TEST(got.minimum == e.minimum);
    BOOST_TEST(got.maximum == e.maximum);
    BOOST_TEST((got.exchanged >= 0 && got.exchanged < 512));
    BOOST_TEST((got.swapped >= 1 << 20 && got.swapped < (1 << 20) + 512));
    BOOST_TEST(got.inc == e.inc);
    BOOST_TEST(got.dec == e.dec);
    BOOST_TEST(got.bits_and == e.bits_and);
    BOOST_TEST(got.bits_or == e.bits_or);
    BOOST_TEST(got.bits_xor == e.bits_xor);
    BOOST_TEST(got.sum == e.sum);
    BOOST_TEST(got.wide_max == e.wide_max);
    BOOST_TEST(got.wide_min == e.wide_min);
    BOOST_TEST(got.wide_and == e.wide_and);
    BOOST_TEST(got.wide_or == e.wide_or);
    BOOST_TEST(got.wide_signed_max == e.wide_signed_max);
    BOOST_TEST(got.wide_sum == e.wide_sum);
    BOOST_TEST(got.largest == e.largest);
    BOOST_TEST(half_value(got.halves[0]) == 256);
    BOOST_TEST(half_value(got.halves[1]) == 0);
    BOOST_TEST(half_value(got.half) == 32);
    BOOST_TEST(got.small == e.small);
}

BOOST_AUTO_TEST_CASE(locks_and_shared_structures) {
    algorithms m;
    numbers r{7};
    const device_array<int> list{384}, length{1, 0}, first{64}, of_one{1, 0};
    const host::ptx_options usual = host::current_ptx_options();
    host::ptx_options hurried = usual;
    hurried.instruction_budget = 1 << 17; // a fifth of what it takes where those that wait starve the one that has the lock
    host::set_ptx_options(hurried);
    CHECK_OK(m.run("ticket_lock", {1}, {64}, 0, first.address(), of_one.address()));
    BOOST_TEST(of_one.values()[0] == 64);
    host::set_ptx_options(usual);
    CHECK_OK(m.run("ticket_lock", {6}, {64}, 0, list.address(), length.address()));
    std::vector<int> threads = list.values(), all(384);
    std::sort(threads.begin(), threads.end());
    std::iota(all.begin(), all.end(), 0);
    check_equal(threads, all);
    BOOST_TEST(length.values()[0] == 384);

    const std::vector<u32> keys = r.many<u32>(600, 0, 400);
    const device_array<u32> dkeys{keys}, doubles{1, 0};
    const device_array<u64> table{1024, 0};
    CHECK_OK(m.run("hash_insert", {5}, {128}, 0, dkeys.address(), 600, table.address(), 1023u, doubles.address()));
    std::map<u32, u32> counts, found;
    for (const u32 k : keys) ++counts[k];
    for (const u64 slot : table.values())
        if (slot != 0) found[static_cast<u32>(slot >> 32) - 1] += static_cast<u32>(slot);
    BOOST_TEST((found == counts));
    BOOST_TEST(doubles.values()[0] == 600 - counts.size());

    const std::vector<int> mixed = r.many(700, 0, 1000);
    const device_array<int> in{mixed}, out{700, -1}, kept{1, 0};
    CHECK_OK(m.run("filter_aggregated", {6}, {128}, 0, in.address(), 700, out.address(), kept.address()));
    std::vector<int> thirds, got = out.values();
    std::copy_if(mixed.begin(), mixed.end(), std::back_inserter(thirds), [](int v) { return v % 3 == 0; });
    BOOST_REQUIRE(kept.values()[0] == static_cast<int>(thirds.size()));
    got.resize(thirds.size());
    std::sort(got.begin(), got.end());
    std::sort(thirds.begin(), thirds.end());
    check_equal(got, thirds);

    const device_array<int> ring{8, 0}, head{1, 0}, tail{1, 0}, squares{40};
    CHECK_OK(m.run("producer_consumer", {2}, {1}, 0, ring.address(), head.address(), tail.address(), 40, squares.address()));
    std::vector<int> expected(40);
    for (int i = 0; i < 40; ++i) expected[static_cast<std::size_t>(i)] = i * i;
    check_equal(squares.values(), expected);

    const std::vector<int> rounds = r.many(9 * 64, -9, 9);
    const device_array<int> from{rounds}, to{rounds.size()};
    CHECK_OK(m.run("named_barriers", {1}, {128}, 0, from.address(), to.address(), 9));
    std::vector<int> reversed(rounds.size());
    for (std::size_t i = 0; i < rounds.size(); ++i) reversed[i] = 3 * rounds[i / 64 * 64 + 63 - i % 64];
    check_equal(to.values(), reversed);
}

BOOST_AUTO_TEST_CASE(graphs) {
    algorithms m;
    numbers r{8};
    const std::size_t vertices = 300;
    std::vector<int> starts{0}, edges;
    for (std::size_t v = 0; v < vertices; ++v) {
        for (int k = r.next(0, 4); k > 0; --k) edges.push_back(r.next(0, static_cast<int>(vertices) - 1));
        starts.push_back(static_cast<int>(edges.size()));
    }
    std::vector<int> expected(vertices, -1), front{0};
    expected[0] = 0;
    for (int depth = 1; !front.empty(); ++depth) {
        std::vector<int> next;
        for (const int v : front)
            for (int i = starts[static_cast<std::size_t>(v)]; i < starts[static_cast<std::size_t>(v) + 1]; ++i) {
                const int to = edges[static_cast<std::size_t>(i)];
                if (int& level = expected[static_cast<std::size_t>(to)]; level == -1) {
                    level = depth;
                    next.push_back(to);
                }
            }
        front = next;
    }
    std::vector<int> levels(vertices, -1);
    levels[0] = 0;
    const device_array<int> dstarts{starts}, dedges{edges}, dlevels{levels}, here{vertices, 0}, there{vertices, 0};
    const device_array<int>*current = &here, *next = &there;
    int size = 1;
    for (int depth = 1; size != 0; ++depth) {
        const device_array<int> count{1, 0};
        CHECK_OK(m.run("bfs_step", {static_cast<unsigned>(size + 63) / 64}, {64}, 0, dstarts.address(), dedges.address(), dlevels.address(),
                       current->address(), size, next->address(), count.address(), depth));
        size = count.values()[0];
        std::swap(current, next);
    }
    check_equal(dlevels.values(), expected);

    std::vector<int> pairs = r.many(2 * 180, 0, 199), parents(200), label(200);
    std::iota(parents.begin(), parents.end(), 0);
    label = parents;
    const device_array<int> dpairs{pairs}, dparents{parents};
    CHECK_OK(m.run("connect", {2}, {96}, 0, dparents.address(), dpairs.address(), 180));
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < pairs.size(); i += 2) {
            int &a = label[static_cast<std::size_t>(pairs[i])], &b = label[static_cast<std::size_t>(pairs[i + 1])];
            changed = changed || a != b;
            a = b = std::min(a, b);
        }
    }
    std::vector<int> got = dparents.values();
    for (int& p : got)
        while (got[static_cast<std::size_t>(p)] != p) p = got[static_cast<std::size_t>(p)];
    check_equal(got, label);
}

BOOST_AUTO_TEST_CASE(bodies_and_fields) {
    algorithms m;
    numbers r{9};
    const std::size_t n = 128;
    const std::vector<float> bodies = r.many<float>(4 * n, 1, 1000, 0.01f);
    const device_array<float> at{bodies}, acceleration{4 * n};
    CHECK_OK(m.run("nbody", {2}, {64}, 64 * 16, at.address(), acceleration.address(), static_cast<int>(n), 0.01f));
    std::vector<double> forces(4 * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double d[3], square = 0.01;
            for (std::size_t k = 0; k < 3; ++k) {
                d[k] = static_cast<double>(bodies[4 * j + k]) - static_cast<double>(bodies[4 * i + k]);
                square += d[k] * d[k];
            }
            for (std::size_t k = 0; k < 3; ++k)
                forces[4 * i + k] += d[k] * static_cast<double>(bodies[4 * j + 3]) / (square * std::sqrt(square));
        }
    check_close(acceleration.values(), forces, 2e-5, 10); // rsqrt.approx, and sums of floats

    const std::size_t width = 24, height = 17;
    std::vector<double> plate = r.many<double>(width * height, 0, 999, 0.1), next = plate;
    const device_array<double> a{plate}, b{width * height};
    CHECK_OK(m.run_cooperatively("heat", {4}, {64}, a.address(), b.address(), static_cast<int>(width), static_cast<int>(height), 10));
    for (int step = 0; step < 10; ++step) {
        for (std::size_t y = 1; y + 1 < height; ++y)
            for (std::size_t x = 1; x + 1 < width; ++x) {
                const double* const p = &plate[y * width + x];
                const double beside = p[-1] + p[1], above = *(p - width) + p[width], own = 0.2 * *p;
                next[y * width + x] = std::fma(0.2, beside + above, own);
            }
        std::swap(plate, next);
    }
    check_equal(a.values(), plate);

    const std::size_t unknowns = 200;
    const std::vector<double> right = r.many<double>(unknowns, -99, 99);
    const device_array<double> drhs{right}, x{unknowns}, res{unknowns}, dir{unknowns}, image{unknowns}, sums{101, 0.0};
    CHECK_OK(m.run_cooperatively("conjugate_gradients", {3}, {96}, drhs.address(), x.address(), res.address(), dir.address(),
                                 image.address(), sums.address(), static_cast<int>(unknowns), 50));
    const std::vector<double> solved = x.values();
    for (std::size_t i = 0; i < unknowns; ++i) {
        const double ax = 2.5 * solved[i] - (i > 0 ? solved[i - 1] : 0) - (i + 1 < unknowns ? solved[i + 1] : 0);
        BOOST_TEST(std::fabs(ax - right[i]) < 1e-9); // the order of its atomic additions is any
    }
}

BOOST_AUTO_TEST_CASE(signals_and_prices) {
    algorithms m;
    numbers r{10};
    const std::size_t n = 256;
    const std::vector<float> signal = r.many<float>(2 * n, -999, 999, 0.01f);
    const device_array<float> data{signal};
    CHECK_OK(m.run("fourier", {1}, {128}, 0, data.address()));
    std::vector<double> spectrum(2 * n);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j) {
            const double turn = -2 * 3.14159265358979323846 * static_cast<double>(j * k % n) / static_cast<double>(n);
            const double re = static_cast<double>(signal[2 * j]), im = static_cast<double>(signal[2 * j + 1]);
            spectrum[2 * k] += re * std::cos(turn) - im * std::sin(turn);
            spectrum[2 * k + 1] += re * std::sin(turn) + im * std::cos(turn);
        }
    check_close(data.values(), spectrum, 1e-5, 10); // eight stages in single precision

    const std::size_t options = 150;
    const std::vector<float> spot = r.many<float>(options, 500, 5000, 0.01f), strike = r.many<float>(options, 500, 5000, 0.01f),
                             years = r.many<float>(options, 3, 120, 1.0f / 12);
    const device_array<float> dspot{spot}, dstrike{strike}, dyears{years}, call{options};
    CHECK_OK(m.run("option_prices", {2}, {96}, 0, dspot.address(), dstrike.address(), dyears.address(), call.address(),
                   static_cast<int>(options)));
    std::vector<double> prices;
    const auto normal = [](double v) { return 0.5 * std::erfc(-v * std::sqrt(0.5)); };
    for (std::size_t i = 0; i < options; ++i) {
        const double s = static_cast<double>(spot[i]), k = static_cast<double>(strike[i]), t = static_cast<double>(years[i]);
        const double d = (std::log(s / k) + (0.02 + 0.045) * t) / (0.3 * std::sqrt(t));
        prices.push_back(s * normal(d) - k * std::exp(-0.02 * t) * normal(d - 0.3 * std::sqrt(t)));
    }
    check_close(call.values(), prices, 1e-5, 50); // lg2.approx and ex2.approx, and a difference of nearly equal numbers

    const device_array<int> picture{64 * 33};
    CHECK_OK(m.run("mandelbrot", {8, 5}, {8, 8}, 0, picture.address(), 64, 33, 80));
    std::vector<int> escapes;
    for (int y = 0; y < 33; ++y)
        for (int x = 0; x < 64; ++x) {
            const float re = std::fma(static_cast<float>(x), 3.0f / 64, -2.0f), im = std::fma(static_cast<float>(y), 2.0f / 32, -1.0f);
            float a = 0, b = 0;
            int k = 0;
            for (; k < 80; ++k) {
                const float bb = b * b;
                if (std::fma(a, a, bb) > 4.0f) break;
                const float difference = std::fma(a, a, -bb), next = difference + re;
                b = std::fma(2 * a, b, im);
                a = next;
            }
            escapes.push_back(k);
        }
    check_equal(picture.values(), escapes);
}

BOOST_AUTO_TEST_CASE(random_numbers) {
    algorithms m;
    const device_array<u32> out{4 * 96};
    CHECK_OK(m.run("philox", {3}, {32}, 0, out.address(), 0xa4093822u, 0x299f31d0u));
    std::vector<u32> expected;
    for (u32 i = 0; i < 96; ++i) {
        u32 c[4] = {i, 0, 0, 0}, k[2] = {0xa4093822u, 0x299f31d0u};
        for (int round = 0; round < 10; ++round) {
            const u64 p = u64{0xd2511f53u} * c[0], q = u64{0xcd9e8d57u} * c[2];
            const u32 next[4] = {static_cast<u32>(q >> 32) ^ c[1] ^ k[0], static_cast<u32>(q), static_cast<u32>(p >> 32) ^ c[3] ^ k[1],
                                 static_cast<u32>(p)};
            std::copy_n(next, 4, c);
            k[0] += 0x9e3779b9u;
            k[1] += 0xbb67ae85u;
        }
        expected.insert(expected.end(), c, c + 4);
    }
    check_equal(out.values(), expected);

    const device_array<u64> hits{1, 0};
    CHECK_OK(m.run("estimate_pi", {2}, {64}, 0, hits.address(), 50));
    u64 inside = 0;
    for (u64 i = 0; i < 128; ++i) {
        u64 state = i * 0x9e3779b97f4a7c15u + 1;
        for (int k = 0; k < 50; ++k) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const u64 x = static_cast<u32>(state >> 33), y = static_cast<u32>(state >> 11) & 0x7fffffffu;
            inside += x * x + y * y < u64{1} << 62;
        }
    }
    BOOST_TEST(hits.values()[0] == inside);
}

BOOST_AUTO_TEST_CASE(wide_integers) {
    __extension__ typedef unsigned __int128 u128;
    __extension__ typedef __int128 s128;
    algorithms m;
    numbers r{11};
    std::vector<u64> in{0, 0, ~u64{0}, ~u64{0}, u64{1} << 63, 1, 5, u64{1} << 63};
    while (in.size() < 2 * 64) in.push_back((u64{r.next()} << 32 | r.next()) >> r.next(0, 63));
    const device_array<u64> din{in}, dout{64 * 16};
    CHECK_OK(m.run("wide_integers", {2}, {32}, 0, din.address(), dout.address()));
    std::vector<u64> expected;
    for (std::size_t i = 0; i < 64; ++i) {
        const u64 high = in[2 * i], low = in[2 * i + 1], d = low | 1, small = 0 - u64{59};
        const u128 a = u128{high} << 64 | low, b = u128{high} * low, prime = (u128{1} << 127) - 1;
        u128 power = 1, base = a % prime;
        for (unsigned e = 13; e != 0; e /= 2) {
            if (e % 2 != 0) power = power % small * static_cast<u64>(base % small) % prime;
            base = base % small * static_cast<u64>(base % small) % prime;
        }
        for (const u128 v : {b, a / d, a % d, a >> i, static_cast<u128>(static_cast<s128>(a) >> 3), power, a + b, a - b}) {
            expected.push_back(static_cast<u64>(v));
            expected.push_back(static_cast<u64>(v >> 64));
        }
    }
    // The shift goes by the thread in the grid, from 0 to 63.
    check_equal(dout.values(), expected);
}

BOOST_AUTO_TEST_CASE(bits) {
    algorithms m;
    std::vector<u32> in = numbers{12}.words(128);
    in[0] = 0;
    in[2] = ~0u;
    const device_array<u32> din{in}, dout{64 * 16};
    CHECK_OK(m.run("bit_tricks", {2}, {32}, 0, din.address(), dout.address()));
    std::vector<u32> expected;
    for (u32 i = 0; i < 64; ++i) {
        const u32 a = in[2 * i], b = in[2 * i + 1];
        const u64 both = u64{b} << 32 | a;
        const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b), odd = static_cast<std::int32_t>(b | 1);
        u32 reversed = 0, crc = ~a;
        for (u32 k = 0; k < 32; ++k) {
            reversed |= (a >> k & 1) << (31 - k);
            crc = (crc >> 1) ^ (((crc ^ (b >> k)) & 1) != 0 ? 0xedb88320u : 0);
        }
        const std::int64_t apart = std::int64_t{sa} - sb;
        for (const u32 v :
             {static_cast<u32>(std::popcount(a)), reversed, static_cast<u32>(std::countl_zero(a)),
              a == 0 ? 0 : static_cast<u32>(std::countr_zero(a)) + 1, (b & 0xff) | (b >> 24) << 8 | (a & 0xff0000) | (b >> 8 & 0xff) << 24,
              static_cast<u32>(both << i % 32 >> 32), static_cast<u32>(both >> std::min(i, 32u)), static_cast<u32>(u64{a} * b >> 32),
              static_cast<u32>(static_cast<u64>(std::int64_t{sa} * sb) >> 32), (a & 0xffffff) * (b & 0xffffff),
              static_cast<u32>(apart < 0 ? -apart : apart) + 5, static_cast<u32>((u64{a} + b) / 2),
              static_cast<u32>(std::popcount(both) + std::countl_zero(u64{a} << 17)), a / (b | 1) + a % (b | 1),
              static_cast<u32>(sa / odd) + static_cast<u32>(sa % odd), ~crc})
            expected.push_back(v);
    }
    check_equal(dout.values(), expected);
}

BOOST_AUTO_TEST_CASE(short_floats) {
    algorithms m;
    numbers r{13};
    std::vector<std::uint16_t> x;
    for (int i = 0; i < 128; ++i) x.push_back(half_bits(to_half(r.next(-2000, 2000) * 0.00123)));
    const device_array<std::uint16_t> dx{x}, out{6 * 64};
    CHECK_OK(m.run("half_polynomial", {1}, {64}, 0, dx.address(), out.address()));
    std::vector<std::uint16_t> expected(6 * 64);
    for (std::size_t i = 0; i < 64; ++i) {
        double p[2];
        for (std::size_t k = 0; k < 2; ++k) {
            const double v = half_value(x[2 * i + k]);
            p[k] = to_half(v + 0.5);
            p[k] = to_half(p[k] * v - 1);
            p[k] = to_half(p[k] * v + 0.25);
            expected[6 * i + k] = half_bits(p[k]);
            expected[6 * i + 2 + k] = half_bits(to_half(p[k] / to_half(v + 3)));
        }
        for (std::size_t k = 0; k < 2; ++k)
            expected[6 * i + 4 + k] =
                half_bits(to_half(std::max(p[k], half_value(x[2 * i + k])) * std::min(p[1 - k], half_value(x[2 * i + 1 - k]))));
    }
    check_equal(out.values(), expected);
}

BOOST_AUTO_TEST_CASE(texts_and_boards) {
    algorithms m;
    numbers r{14};
    std::string text;
    for (int i = 0; i < 3000; ++i) text += static_cast<char>('a' + r.next(0, 2));
    const std::string wanted = text.substr(1234, 5);
    const auto length = static_cast<int>(wanted.size());
    m.set("pattern", wanted.data(), wanted.size());
    m.set("pattern_length", &length, sizeof length);
    const device_array<char> dtext{std::vector<char>(text.begin(), text.end())};
    const device_array<int> first{1, 9999}, count{1, 0};
    CHECK_OK(m.run("string_search", {12}, {256}, 0, dtext.address(), 3000, first.address(), count.address()));
    int found = 0;
    for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) ++found;
    BOOST_TEST(first.values()[0] == static_cast<int>(text.find(wanted)));
    BOOST_TEST(count.values()[0] == found);

    const device_array<int> distance{1};
    const device_array<char> one{std::vector<char>(text.begin(), text.begin() + 100)},
        two{std::vector<char>(text.begin() + 90, text.begin() + 190)};
    CHECK_OK(m.run("edit_distance", {1}, {128}, 0, one.address(), two.address(), 100, distance.address()));
    std::vector<int> row(101);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= 100; ++i) {
        int diagonal = row[0]++;
        for (std::size_t j = 1; j <= 100; ++j) {
            const int best = std::min({diagonal + (text[i - 1] != text[89 + j]), row[j] + 1, row[j - 1] + 1});
            diagonal = std::exchange(row[j], best);
        }
    }
    BOOST_TEST(distance.values()[0] == row[100]);

    const std::size_t width = 40, height = 24;
    std::vector<std::uint8_t> board = r.many<std::uint8_t>(width * height, 0, 1), next(board.size());
    const device_array<std::uint8_t> in{board}, out{board.size()};
    CHECK_OK(m.run("life", {5, 3}, {8, 8}, 0, in.address(), out.address(), static_cast<int>(width), static_cast<int>(height)));
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            int alive = -board[y * width + x];
            for (std::size_t dy = height - 1; dy <= height + 1; ++dy)
                for (std::size_t dx = width - 1; dx <= width + 1; ++dx) alive += board[(y + dy) % height * width + (x + dx) % width];
            next[y * width + x] = alive == 3 || (alive == 2 && board[y * width + x] != 0);
        }
    check_equal(out.values(), next);

    // The sum of the squares up to the input; of 0, it never ends.
    const std::vector<std::uint8_t> squares{2, 1, 0, 11, 6, 5, 3, 7, 1, 1, 4, 7, 11, 8, 256 - 12, 0};
    const device_array<std::uint8_t> code{squares}, bad{std::vector<std::uint8_t>{1, 5, 77}};
    const device_array<int> up_to{std::vector<int>{0, 1, 2, 3, 7, 12}}, sums{6};
    CHECK_OK(m.run("interpret", {1}, {6}, 0, code.address(), up_to.address(), sums.address()));
    check_equal(sums.values(), {-1000, 1, 5, 14, 140, 650});
    CHECK_OK(m.run("interpret", {1}, {6}, 0, bad.address(), up_to.address(), sums.address()));
    check_equal(sums.values(), std::vector<int>(6, -78));
}

BOOST_AUTO_TEST_CASE(what_cpp_has) {
    algorithms m;
    numbers r{15};
    const std::vector<float> sizes = r.many<float>(48, 1, 30);
    const device_array<float> dsizes{sizes}, areas{48};
    const device_array<int> corners{48};
    CHECK_OK(m.run("virtual_functions", {1}, {48}, 0, dsizes.address(), areas.address(), corners.address()));
    std::vector<float> expected_areas;
    std::vector<int> expected_corners;
    for (std::size_t i = 0; i < 48; ++i) {
        const float s = sizes[i];
        expected_areas.push_back(i % 3 == 0 ? 3 * s * s : i % 3 == 1 ? 2 * s : s * s);
        expected_corners.push_back(i % 3 == 0 ? 0 : i % 3 == 1 ? 4 : 4 + static_cast<int>(s));
    }
    check_equal(areas.values(), expected_areas);
    check_equal(corners.values(), expected_corners);

    const std::vector<int> five = r.many(5, -9, 9);
    const device_array<int> dfive{five}, folded{33};
    CHECK_OK(m.run("function_pointers", {1}, {33}, 0, dfive.address(), folded.address()));
    std::vector<int> expected_folds(33);
    const int exclusive = five[0] ^ five[1] ^ five[2];
    for (std::size_t i = 0; i < 33; ++i) {
        int sum = five[0];
        for (std::size_t k = 1; k < 5; ++k) sum = i % 3 == 0 ? sum + five[k] : i % 3 == 1 ? sum - five[k] : sum * five[k];
        expected_folds[i] = sum + exclusive;
    }
    check_equal(folded.values(), expected_folds);

    const device_array<u32> recursive{60};
    CHECK_OK(m.run("recursion", {1}, {60}, 0, recursive.address()));
    std::vector<u32> expected_depths;
    for (u32 i = 0; i < 60; ++i) {
        const u32 n = i % 5, ackermann = i % 3 == 0 ? n + 1 : i % 3 == 1 ? n + 2 : 2 * n + 3;
        expected_depths.push_back(2 * ackermann + (i % 12 % 2 == 0 ? 1 : 0));
    }
    check_equal(recursive.values(), expected_depths);

    const std::vector<int> loose = r.many(200, -99, 99);
    const device_array<int> dloose{loose}, lists{200};
    CHECK_OK(m.run("linked_lists", {1}, {32}, 0, dloose.address(), 200, lists.address()));
    std::vector<int> in_lists(200);
    for (std::size_t t = 0; t < 32; ++t) {
        std::vector<int> mine;
        for (std::size_t i = t; i < 200; i += 32) mine.push_back(loose[i]);
        std::sort(mine.begin(), mine.end());
        for (std::size_t i = 0; i < mine.size(); ++i) in_lists[t + 32 * i] = mine[i];
    }
    check_equal(lists.values(), in_lists);
}

BOOST_AUTO_TEST_CASE(parameters_and_shared_memory) {
    algorithms m;
    numbers r{16};
    const std::vector<long long> more{10, 20, 1ll << 40, -7, 0, 3};
    const device_array<long long> dmore{more};
    struct {
        char tag = 5;
        short pair[2] = {-3, 4};
        double weight = 0.5;
        std::uint8_t colour[3] = {1, 2, 200};
        device_address more = 0;
    } by_value;
    by_value.more = dmore.address();
    struct alignas(8) {
        short x = 1, y = 2, z = 3, w = -4;
    } small;
    struct alignas(16) {
        long long x = 1, y = 1000;
    } large;
    const device_array<double> out{6};
    CHECK_OK(m.run("structures", {1}, {6}, 0, by_value, out.address(), small, large));
    std::vector<double> expected;
    for (std::size_t i = 0; i < 6; ++i)
        expected.push_back(5 + (i % 2 == 0 ? -1.5 : 2.0) + 200 + static_cast<double>(more[i]) - 4 + 1000 % 97);
    check_equal(out.values(), expected);

    const std::vector<double> in = r.many<double>(60, -50, 50, 0.5);
    const device_array<double> din{in}, sum{1};
    const device_array<int> order{60};
    CHECK_OK(m.run("dynamic_shared", {1}, {64}, 60 * 13, din.address(), sum.address(), order.address(), 60));
    std::vector<int> ranks(60);
    std::iota(ranks.begin(), ranks.end(), 0);
    std::sort(ranks.begin(), ranks.end(), by_number_in(in));
    double positive = 0;
    for (const double v : in) positive += v < 0 ? 0 : v;
    check_equal(order.values(), ranks);
    BOOST_TEST(sum.values()[0] == positive);

    std::vector<int> voters = r.many(64, -50, 50);
    voters[40] = 1500; // in the second warp, not all agree
    const device_array<int> dvoters{voters};
    const device_array<u32> votes{6 * 64};
    CHECK_OK(m.run("votes", {1}, {64}, 0, dvoters.address(), votes.address()));
    std::vector<u32> agreed;
    for (std::size_t i = 0; i < 64; ++i) {
        const int* const warp = &voters[i / 32 * 32];
        u32 positives = 0, negative_odd = 0;
        for (std::size_t k = 0; k < 32; ++k) {
            positives |= static_cast<u32>(warp[k] > 0) << k;
            negative_odd |= static_cast<u32>(warp[k] < 0 && warp[k] % 2 != 0) << k;
        }
        const auto wide = [&](std::size_t k) { return static_cast<u64>(static_cast<std::int64_t>(voters[k])) << 20 | k; };
        int own = 0;
        for (int k = 0; k < static_cast<int>(i % 4); ++k) own += k * voters[i];
        agreed.push_back(positives);
        agreed.push_back(2 + (std::find(warp, warp + 32, 17) != warp + 32));
        agreed.push_back(voters[i] % 2 != 0 ? negative_odd + 5 : static_cast<u32>(own));
        agreed.push_back(i < 32 ? 1 : 0);
        agreed.push_back(static_cast<u32>(voters[i / 8 * 8 + i * 7 % 8]));
        agreed.push_back(static_cast<u32>(wide(i % 16 >= 3 ? i - 3 : i) >> 4));
    }
    check_equal(votes.values(), agreed);
}

BOOST_AUTO_TEST_CASE(printing) {
    algorithms m;
    const std::string got = printed_by([&] { CHECK_OK(m.run("print_table", {1}, {32}, 0, 3)); });
    std::string expected;
    for (int row = 0; row < 3; ++row) {
        char line[128];
        std::snprintf(line, sizeof line, "%-6s|%5d|%08x|%8.3f|%c|%lld|%%|%e\n", row % 2 != 0 ? "odd" : "even", row * -7, 0xabcu << row,
                      1.0 / (row + 1), 'a' + row, 1ll << (33 + row), 1234.5 * row);
        expected += line;
    }
    BOOST_TEST(got == expected);
}

BOOST_AUTO_TEST_CASE(clusters) {
    hopper_algorithms m;
    numbers r{17};
    std::vector<int> in = r.many(5000, 0, 1023);
    std::fill_n(in.begin(), 500, 900);
    const device_array<int> din{in};
    const device_array<u32> bins{1024, 0};
    CHECK_OK(m.run_in_clusters(4, "cluster_histogram", {8}, {128}, din.address(), bins.address(), 5000));
    std::vector<u32> expected(1024);
    for (const int v : in) ++expected[static_cast<std::size_t>(v)];
    check_equal(bins.values(), expected);

    for (const unsigned size : {1u, 2u, 8u}) {
        const device_array<int> turned{16 * 64};
        CHECK_OK(m.run_in_clusters(size, "cluster_rotation", {16}, {64}, din.address(), turned.address()));
        std::vector<int> back(in.begin(), in.begin() + 16 * 64);
        for (int& v : back) v += static_cast<int>(size * (size - 1) / 2);
        check_equal(turned.values(), back);
    }
}

BOOST_AUTO_TEST_CASE(asynchronous_copies) {
    hopper_algorithms m;
    numbers r{18};
    const std::size_t n = 48;
    const std::vector<float> a = r.many<float>(n * n, -999, 999, 0.01f), b = r.many<float>(n * n, -999, 999, 0.01f);
    const device_array<float> da{a}, db{b}, dc{n * n};
    CHECK_OK(m.run("product_pipelined", {3, 3}, {16, 16}, 0, da.address(), db.address(), dc.address(), static_cast<int>(n)));
    std::vector<float> c(n * n);
    for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x)
            for (std::size_t k = 0; k < n; ++k) c[y * n + x] = std::fma(a[y * n + k], b[k * n + x], c[y * n + x]);
    check_equal(dc.values(), c);

    const std::vector<int> in = r.many(7 * 128, -999, 999);
    const device_array<int> din{in}, averages{7 * 64}, reversed{7 * 128}, sum{1};
    CHECK_OK(m.run("moving_average", {1}, {128}, 0, din.address(), averages.address(), 7));
    std::vector<int> expected;
    for (std::size_t i = 0; i < 7 * 64; ++i) {
        const int* const tile = &in[i / 64 * 64];
        expected.push_back((tile[i % 64] + tile[(i + 1) % 64] + tile[(i + 2) % 64]) / 3);
    }
    check_equal(averages.values(), expected);

    CHECK_OK(m.run("bulk_reverse", {1}, {128}, 0, din.address(), reversed.address(), 7));
    expected.clear();
    for (std::size_t i = 0; i < 7 * 128; ++i) expected.push_back(in[i / 128 * 128 + 127 - i % 128]);
    check_equal(reversed.values(), expected);

    CHECK_OK(m.run("split_barrier", {1}, {96}, 0, din.address(), sum.address()));
    BOOST_TEST(sum.values()[0] == std::accumulate(in.begin(), in.begin() + 96, 0));
}

BOOST_AUTO_TEST_CASE(cooperative_groups) {
    hopper_algorithms m;
    numbers r{19};
    const std::vector<int> in = r.many(256, -1000, 1000);
    const device_array<int> din{in};
    const device_array<u32> hashes{9 * 256};
    CHECK_OK(m.run("tiles", {1}, {256}, 0, din.address(), hashes.address()));
    std::vector<u32> expected;
    for (std::size_t i = 0; i < 256; ++i)
        for (std::size_t size = 1; size <= 256; size *= 2) {
            const int* const tile = &in[i / size * size];
            const auto rank = static_cast<std::ptrdiff_t>(i % size);
            u32 all = 0;
            for (std::size_t k = 0; k < size; ++k) all ^= static_cast<u32>(tile[k]);
            u32 h = static_cast<u32>(std::accumulate(tile, tile + size, 0));
            h = h * 31 + static_cast<u32>(*std::max_element(tile, tile + size));
            h = h * 31 + all;
            h = h * 31 + static_cast<u32>(std::accumulate(tile, tile + rank + 1, 0));
            h = h * 31 + static_cast<u32>(std::accumulate(tile, tile + rank, 0));
            h = h * 31 + static_cast<u32>(tile[size / 2]);
            expected.push_back(h * 31 + static_cast<u32>(rank) + static_cast<u32>(i / size) * 1000);
        }
    check_equal(hashes.values(), expected);

    const device_array<int> sums{64}, ranks{64}, counts{2, 0};
    CHECK_OK(m.run("partitions", {1}, {64}, 0, din.address(), sums.address(), ranks.address(), counts.address()));
    std::vector<int> expected_sums, expected_ranks, expected_counts(2);
    for (std::size_t i = 0; i < 64; ++i) {
        int sum = 0, before = 0, size = 0, rank = 0;
        for (std::size_t k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
            if (in[k] % 5 == in[i] % 5) {
                sum += in[k];
                ++size;
                rank += k < i;
            }
            if (k < i && (in[k] % 2 != 0) == (in[i] % 2 != 0)) before += in[i] % 2 != 0 ? in[k] : 1;
        }
        expected_sums.push_back(sum + before);
        expected_ranks.push_back(rank * 100 + size);
        ++expected_counts[in[i] % 2 != 0];
    }
    check_equal(sums.values(), expected_sums);
    check_equal(ranks.values(), expected_ranks);
    check_equal(counts.values(), expected_counts);

    const device_array<int> reduced{48};
    CHECK_OK(m.run("reduce_redux", {1}, {256}, 0, din.address(), reduced.address()));
    std::vector<int> warps;
    for (auto w = in.begin(); w != in.end(); w += 32) {
        u32 all = ~0u, any = 0, odd = 0;
        for (auto v = w; v != w + 32; ++v) {
            all &= static_cast<u32>(*v);
            any |= static_cast<u32>(*v);
            odd ^= static_cast<u32>(*v);
        }
        for (const int v : {std::accumulate(w, w + 32, 0), *std::min_element(w, w + 32), *std::max_element(w, w + 32),
                            static_cast<int>(all), static_cast<int>(any), static_cast<int>(odd)})
            warps.push_back(v);
    }
    check_equal(reduced.values(), warps);
}

BOOST_AUTO_TEST_CASE(newer_tensor_cores) { // numbers for which every order of additions is exact
    hopper_algorithms m;
    numbers r{20};
    const auto a = r.many<double>(256, -8, 8, 0.5), b = r.many<double>(256, -8, 8, 0.5);
    std::vector<std::uint16_t> ba, bb;
    std::vector<float> fa, fb;
    for (std::size_t i = 0; i < 256; ++i) {
        ba.push_back(bfloat_bits(a[i]));
        bb.push_back(bfloat_bits(b[i]));
        fa.push_back(static_cast<float>(a[i]));
        fb.push_back(static_cast<float>(b[i]));
    }
    const device_array<std::uint16_t> dba{ba}, dbb{bb};
    const device_array<float> bc{256};
    CHECK_OK(m.run("product_bf16", {1}, {32}, 0, dba.address(), dbb.address(), bc.address()));
    const auto product = [&](std::size_t depth, std::size_t a_row, std::size_t b_row, std::size_t b_column, std::size_t y, std::size_t x) {
        double sum = 0;
        for (std::size_t k = 0; k < depth; ++k) sum += a[y * a_row + k] * b[k * b_row + x * b_column];
        return sum;
    };
    std::vector<float> expected;
    for (std::size_t i = 0; i < 256; ++i) expected.push_back(static_cast<float>(product(16, 16, 16, 1, i / 16, i % 16)));
    check_equal(bc.values(), expected);

    const device_array<float> dfa{fa}, dfb{fb}, fc{fa};
    CHECK_OK(m.run("product_tf32", {1}, {32}, 0, dfa.address(), dfb.address(), fc.address()));
    expected.clear();
    for (std::size_t i = 0; i < 256; ++i) expected.push_back(static_cast<float>(product(8, 8, 1, 8, i % 16, i / 16)) + fa[i]); // by columns
    check_equal(fc.values(), expected);

    const device_array<double> da{a}, db{b}, dc{256};
    CHECK_OK(m.run("product_f64", {2, 2}, {32}, 0, da.address(), db.address(), dc.address(), 16));
    std::vector<double> wide;
    for (std::size_t i = 0; i < 256; ++i) wide.push_back(product(16, 16, 16, 1, i / 16, i % 16));
    check_equal(dc.values(), wide);

    std::vector<u32> words = r.words(32), turned(32);
    const device_array<u32> in{words}, out{32};
    CHECK_OK(m.run("transpose_registers", {1}, {32}, 0, in.address(), out.address()));
    for (std::size_t i = 0; i < 64; ++i) { // element i of the result, row by row
        const std::size_t from = i % 8 * 8 + i / 8;
        turned[i / 2] |= (words[from / 2] >> (from % 2 * 16) & 0xffff) << (i % 2 * 16);
    }
    check_equal(out.values(), turned);

    std::vector<std::uint16_t> x;
    for (int i = 0; i < 64; ++i) x.push_back(bfloat_bits(to_bfloat(r.next(-2000, 2000) * 0.00123)));
    const device_array<std::uint16_t> dx{x}, polynomial{128};
    CHECK_OK(m.run("bfloat_polynomial", {1}, {32}, 0, dx.address(), polynomial.address()));
    std::vector<std::uint16_t> bfloats(128);
    for (std::size_t i = 0; i < 64; ++i) {
        const double v = bfloat_value(x[i]), p = to_bfloat(to_bfloat(v + 0.5) * v - 1);
        bfloats[i / 2 * 4 + i % 2] = bfloat_bits(to_bfloat(p * v + 0.25));
        bfloats[i / 2 * 4 + 2 + i % 2] = bfloat_bits(to_bfloat(std::max(p, v) * std::fabs(v)));
    }
    check_equal(polynomial.values(), bfloats);
}

BOOST_AUTO_TEST_CASE(scopes_and_orders) {
    hopper_algorithms m;
    const device_array<int> counts{6, 0}, order{6, 0};
    const device_array<float> sums{2, 0.0f};
    const device_array<u64> wide{1, 0};
    const device_array<std::uint8_t> bytes{8, 0};
    CHECK_OK(m.run("reference_counts", {5}, {64}, 0, counts.address(), sums.address(), wide.address(), bytes.address(), order.address()));
    check_equal(counts.values(), {3 * 320, 63, 127, 191, 255, 319});
    check_equal(sums.values(), {160.0f, 36.0f});
    u64 exclusive = 0;
    std::vector<std::uint8_t> eight(8);
    for (u64 i = 0; i < 320; ++i) {
        exclusive ^= i << 8;
        eight[i % 7] = static_cast<std::uint8_t>(eight[i % 7] + 3);
    }
    BOOST_TEST(wide.values()[0] == exclusive);
    check_equal(bytes.values(), eight);
    check_equal(order.values(), {5, 1, 4, 13, 40, 121});
}
