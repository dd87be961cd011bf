// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What one launch costs, in instructions: a loop of launches by one way, over a table whose launch and current-context
// entries are stubs. check_launch_instructions.sh runs it under callgrind with two loop counts and takes the difference.
//
//   launch_instructions hand|dispatcher|functor|code|allocations COUNT

#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr char ptx[] = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
)";

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int)> axpy;

std::atomic<long> allocations{0};
hanabi::driver::context_handle current = nullptr;

hanabi::driver::status stub_get_current(hanabi::driver::context_handle* context) noexcept {
    *context = current;
    return hanabi::driver::status::success;
}

hanabi::driver::status stub_launch(hanabi::driver::function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   hanabi::driver::stream_handle, void**, void**) noexcept {
    return hanabi::driver::status::success;
}

// What is measured: one launch of each way. Not inlined, so that the loops are the same.

[[gnu::noinline]] void by_hand(const hanabi::driver::table& table, hanabi::driver::function_handle function,
                               hanabi::driver::stream_handle stream, float alpha, const float* x, float* y, int n) {
    void* parameters[] = {&alpha, &x, &y, &n};
    const auto status =
        table.launch_kernel(function, (static_cast<unsigned>(n) + 255) / 256, 1, 1, 256, 1, 1, 0, stream, parameters, nullptr);
    if (status != hanabi::driver::status::success) std::abort();
}

[[gnu::noinline]] void by_dispatcher(const hanabi::dispatcher<>& run, float alpha, const hanabi::buffer<float>& x, hanabi::buffer<float>& y,
                                     int n) {
    run(axpy[hanabi::over(n)](alpha, x, y, n));
}

[[gnu::noinline]] void by_functor(const hanabi::functor<std::remove_const_t<decltype(axpy)>>& launch_axpy, float alpha,
                                  const hanabi::buffer<float>& x, hanabi::buffer<float>& y, int n) {
    launch_axpy(hanabi::over(n), alpha, x, y, n);
}

[[gnu::noinline]] void by_code(const hanabi::dispatcher<>& run, float alpha, const hanabi::buffer<float>& x, hanabi::buffer<float>& y,
                               int n, std::error_code& code) {
    run(axpy[hanabi::over(n)](alpha, x, y, n), code);
}

} // namespace

void* operator new(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* const p = std::malloc(size == 0 ? 1 : size)) return p;
    throw std::bad_alloc{};
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

int main(int argc, char** argv) {
    if (argc != 3) return std::puts("usage: launch_instructions hand|dispatcher|functor|code|allocations COUNT"), 2;
    const long count = std::atol(argv[2]);

    static hanabi::driver::table stub = hanabi::host::table();
    auto device = hanabi::context::primary(0, stub);
    auto blas = hanabi::registry::load(device, {{"blas", ptx}});
    blas.require(axpy);
    hanabi::buffer<float> x{device, 1000}, y{device, 1000};
    const hanabi::dispatcher run{blas};
    const auto launch_axpy = run[axpy];
    const auto function = blas.function("blas", "axpy");

    current = device.handle();
    stub.ctx_get_current = &stub_get_current;
    stub.launch_kernel = &stub_launch;
    volatile int elements = 1000; // so that no compiler makes a version of the functions for one number
    const int n = elements;
    std::error_code code;
    const auto is = [&](const char* way) { return std::strcmp(argv[1], way) == 0; };
    const long before = allocations.load();
    if (is("hand"))
        for (long i = 0; i < count; ++i) by_hand(stub, function, device.stream(), 2.0f, x.get(), y.get(), n);
    if (is("dispatcher") || is("allocations"))
        for (long i = 0; i < count; ++i) by_dispatcher(run, 2.0f, x, y, n);
    if (is("functor") || is("allocations"))
        for (long i = 0; i < count; ++i) by_functor(launch_axpy, 2.0f, x, y, n);
    if (is("code"))
        for (long i = 0; i < count; ++i) by_code(run, 2.0f, x, y, n, code);
    const long made = allocations.load() - before;
    stub = hanabi::host::table(); // for the teardown
    if (made != 0) return std::printf("%ld allocations in %ld launches\n", made, count), 1;
    if (is("allocations")) std::printf("0 allocations in %ld launches by the dispatcher and as many by the functor\n", count);
    return code ? 1 : 0;
}
