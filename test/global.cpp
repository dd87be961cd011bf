// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Device variables: by descriptor, read and written by copy, in order with the launches.

#define BOOST_TEST_MODULE global
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <array>
#include <numeric>
#include <thread>

using hanabi::errc;
using hanabi::over;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .const .align 4 .b8 table[32];
.visible .global .align 4 .u32 counter = 5;
.visible .global .align 8 .b8 _ZN2la5stateE[16];
.visible .entry count() { ret; }
)";

struct state {
    double value;
    int number;
};
constexpr hanabi::global<"m", "table", float[8]> table;
constexpr hanabi::global<"m", "counter", unsigned> counter;
constexpr hanabi::global<"m", hanabi::cxx("la::state"), state> state_of;
constexpr hanabi::global<"m", "table", float[9]> wrong_size;
constexpr hanabi::global<"m", "tabel", float[8]> misspelt;
constexpr hanabi::global<"n", "table", float[8]> elsewhere;
constexpr hanabi::kernel<"m", "count", void()> count;

static_assert(std::is_empty_v<std::remove_const_t<decltype(table)>>);
static_assert(state_of.symbol == "_ZN2la5stateE");

struct module : fresh {
    registry r = load(ptx, "m");
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(variables, module)

BOOST_AUTO_TEST_CASE(arrays) {
    const auto v = r.variable(table);
    static_assert(v.size() == 8 && v.size_bytes() == 32);
    BOOST_TEST((v.read() == std::array<float, 8>{}));
    std::array<float, 8> values{};
    std::iota(values.begin(), values.end(), 1.0f);
    v.write(values);
    BOOST_TEST((v.read() == values));
    const std::vector<float> others(8, 0.5f);
    v.write(others);
    BOOST_TEST(v.read()[7] == 0.5f);
    HANABI_CHECK_ERROR(v.write(std::vector<float>(7)), errc::size_mismatch, "7", "8");
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(v.data().get()) == r.symbol("m", "table").address);
    BOOST_TEST(v.span().size() == 8u);
    const auto copy = v;
    BOOST_TEST(copy.read()[0] == 0.5f);
}

BOOST_AUTO_TEST_CASE(scalars_and_structs) {
    const auto v = r.variable(counter);
    BOOST_TEST(v.read() == 5u);
    v.write(9);
    BOOST_TEST(v.read() == 9u);
    const auto s = r.variable(state_of);
    s.write({2.5, 3});
    BOOST_TEST(s.read().value == 2.5);
    BOOST_TEST(s.read().number == 3);
}

BOOST_AUTO_TEST_CASE(in_order_with_launches) {
    HANABI_SKIP_ON_CUDA("the kernel does nothing there");
    host::define(count, [](host::thread t) { ++*t.variable<unsigned>("counter"); });
    const auto v = r.variable(counter);
    const hanabi::dispatcher run{r};
    v.write(10);
    run(count[hanabi::grid(1) | hanabi::block(1)]());
    BOOST_TEST(v.read() == 11u);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_or_is_not_there) {
    HANABI_CHECK_ERROR(r.variable(wrong_size), errc::size_mismatch, "hanabi::registry::variable", "m::table", "36 bytes", "32 bytes");
    HANABI_CHECK_ERROR(r.variable(misspelt), errc::unknown_symbol, "'tabel'", "near are 'table'");
    HANABI_CHECK_ERROR(r.variable(elsewhere), errc::unknown_module, "'n'", "'m'");
}

BOOST_AUTO_TEST_CASE(each_registry_has_its_own) {
    const registry other = load(ptx, "m");
    r.variable(counter).write(1);
    other.variable(counter).write(2);
    BOOST_TEST(r.variable(counter).read() == 1u);
    BOOST_TEST(other.variable(counter).read() == 2u);
}

BOOST_AUTO_TEST_CASE(outlives_the_handle_and_not_the_unload) {
    std::optional<registry> own = load(ptx, "m");
    const auto v = own->variable(counter);
    own.reset();
    v.write(3);
    BOOST_TEST(v.read() == 3u);
    const registry again = load(ptx, "m");
    const auto w = again.variable(counter);
    again.unload();
    const auto use = [&] {
        HANABI_CHECK_ERROR(w.read(), errc::module_unloaded, "hanabi::device_variable::read", "m::counter");
        HANABI_CHECK_ERROR(w.write(3), errc::module_unloaded, "hanabi::device_variable::write");
    };
    use();
    std::thread{use}.join();
}

BOOST_AUTO_TEST_CASE(a_failing_copy) {
    HANABI_SKIP_ON_CUDA("fails on order");
    const auto v = r.variable(counter);
    host::fail(entry::memcpy_htod_async, status::unknown);
    HANABI_CHECK_ERROR(v.write(1), status::unknown, "CUDA_ERROR_UNKNOWN (999): ");
    BOOST_TEST(v.read() == 5u);
}

BOOST_AUTO_TEST_SUITE_END()
