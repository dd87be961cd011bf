// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What replaying a plan of N launches costs, against a graph of the same launches written by hand, and against launching them
// one by one on a stream: as it is, with one argument and with all of them given another value before each replay, and with
// programmatic edges. In turns, in one run: medians, and medians of the paired ratios. Without a GPU it runs on the host
// driver, which executes nothing, and counts driver calls: times are then the library's and the host driver's own.
//
//   plan_replay [SECONDS for each size]

#include <hanabi/expression/range.hpp>
#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>
#include <hanabi/plan.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace hanabi::literals;
namespace driver = hanabi::driver;

namespace {

constexpr char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
)";
constexpr char pdl_ptx[] = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry chained(.param .f32 alpha, .param .u64 x, .param .u64 y, .param .u32 n) {
    griddepcontrol.launch_dependents;
    griddepcontrol.wait;
    ret;
}
)";

inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">> axpy;
inline constexpr hanabi::kernel<"late", "chained", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">,
                                hanabi::allows_pdl>
    chained;

constexpr int elements = 1000;

void check(driver::status s, const char* what) {
    if (s == driver::status::success) return;
    std::printf("%s: %u\n", what, static_cast<unsigned>(s));
    std::exit(1);
}

/// The graph as one would write it with the driver's functions.
class by_hand {
  public:
    by_hand(const hanabi::context& in, driver::function_handle function, std::size_t n, const float* x, float* y)
        : table_{in.table()}, nodes_(n) {
        check(table_.graph_create(&graph_, 0), "cuGraphCreate");
        for (std::size_t i = 0; i < n; ++i) {
            node& a = nodes_[i];
            a.x = x;
            a.y = y;
            a.pointers[0] = &a.alpha;
            a.pointers[1] = &a.x;
            a.pointers[2] = &a.y;
            a.pointers[3] = &a.n;
            a.params = {function, (elements + 255) / 256, 1, 1, 256, 1, 1, 0, a.pointers, nullptr, nullptr, nullptr};
            check(table_.graph_add_kernel_node(&a.handle, graph_, i == 0 ? nullptr : &nodes_[i - 1].handle, i == 0 ? 0 : 1, &a.params),
                  "cuGraphAddKernelNode");
        }
        check(table_.graph_instantiate_with_flags(&exec_, graph_, 0), "cuGraphInstantiateWithFlags");
        check(table_.graph_upload(exec_, in.stream()), "cuGraphUpload");
    }
    by_hand(const by_hand&) = delete;
    ~by_hand() {
        check(table_.graph_exec_destroy(exec_), "cuGraphExecDestroy");
        check(table_.graph_destroy(graph_), "cuGraphDestroy");
    }
    void set(std::size_t i, float alpha) {
        nodes_[i].alpha = alpha;
        check(table_.graph_exec_kernel_node_set_params(exec_, nodes_[i].handle, &nodes_[i].params), "cuGraphExecKernelNodeSetParams");
    }
    void replay(driver::stream_handle stream) { check(table_.graph_launch(exec_, stream), "cuGraphLaunch"); }

  private:
    struct node {
        float alpha = 1;
        const float* x = nullptr;
        float* y = nullptr;
        int n = elements;
        void* pointers[4] = {};
        driver::kernel_node_params params{};
        driver::graph_node_handle handle = nullptr;
    };
    const driver::table& table_;
    std::vector<node> nodes_;
    driver::graph_handle graph_ = nullptr;
    driver::graph_exec_handle exec_ = nullptr;
};

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[v.size() / 2];
}

/// Runs ways in turns for some time; each returns nanoseconds. The first is what the others are compared with.
template <std::size_t Ways, class Time>
std::array<std::vector<double>, Ways> in_turns(double seconds, Time time) {
    std::array<std::vector<double>, Ways> times;
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t round = 0;; ++round) {
        std::array<double, Ways> t{};
        for (std::size_t turn = 0; turn < Ways; ++turn) t[(turn + round) % Ways] = time((turn + round) % Ways);
        if (round >= 3)
            for (std::size_t way = 0; way < Ways; ++way) times[way].push_back(t[way]);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (round >= 10 && took.count() > seconds) return times;
    }
}
double paired(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
    return median(ratios);
}

} // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2;
    const hanabi::context gpu = hanabi::context::any();
    const bool on_host = gpu.table().is_host;
    std::printf("%s, driver CUDA %d.%d\n", gpu.device_name().c_str(), gpu.driver_version() / 1000, gpu.driver_version() % 1000 / 10);
    if (on_host) {
        hanabi::host::options o = hanabi::host::current_options();
        o.run_bodies = false;
        hanabi::host::set_options(o);
    }
    const auto blas = hanabi::registry::load(gpu, {{"blas", ptx}});
    blas.require(axpy);
    const hanabi::dispatcher run{blas};
    const auto launch_axpy = run[axpy];
    const auto function = blas.function("blas", "axpy");
    hanabi::buffer<float> x{gpu, elements}, y{gpu, elements};
    const hanabi::current_context current{gpu};
    bool good = true;

    for (const std::size_t n : {std::size_t{8}, std::size_t{64}, std::size_t{512}, std::size_t{4096}}) {
        using open_launch = decltype(axpy[hanabi::over(elements)]("alpha"_arg, x, y, elements));
        const std::vector<open_launch> rest(n - 1, axpy[hanabi::over(elements)]("alpha"_arg, x, y, elements));
        auto plan = run.plan(axpy[hanabi::over(elements)]("first"_arg, x, y, elements) >> hanabi::sequence(rest));
        plan.rebind("alpha"_arg = 1.0f, "first"_arg = 1.0f);
        by_hand hand{gpu, function, n, x.get(), y.get()};
        float value = 1; // another one each time, so that each update is one
        const std::size_t batch = n < 512 ? 4096 / n / 8 : 1;
        // Ways: replay by hand, as a plan; with one and with all arguments changed, by hand and as a plan; the stream.
        const auto time = [&](std::size_t way) {
            const auto begin = std::chrono::steady_clock::now();
            for (std::size_t i = 0; i < batch; ++i) {
                value += 0.5f;
                if (value > 1e6f) value = 1;
                switch (way) {
                case 0: hand.replay(gpu.stream()); break;
                case 1: plan.replay(); break;
                case 2:
                    hand.set(0, value);
                    hand.replay(gpu.stream());
                    break;
                case 3:
                    plan.rebind("first"_arg = value);
                    plan.replay();
                    break;
                case 4:
                    for (std::size_t k = 0; k < n; ++k) hand.set(k, value);
                    hand.replay(gpu.stream());
                    break;
                case 5: plan("alpha"_arg = value, "first"_arg = value); break;
                default:
                    for (std::size_t k = 0; k < n; ++k) launch_axpy(hanabi::over(elements), value, x, y, elements);
                }
            }
            gpu.synchronize();
            const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
            return took.count() / static_cast<double>(batch);
        };
        const auto t = in_turns<7>(seconds, time);
        std::printf("%zu launches, nanoseconds for each: stream %.0f\n", n, median(t[6]) / static_cast<double>(n));
        const char* const names[] = {"as it is", "1 changed", "all changed"};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::vector<double>&a = t[2 * k], &b = t[2 * k + 1];
            const double ratio = paired(b, a), gain = paired(t[6], b);
            std::printf("  %-11s  by hand %7.1f  plan %7.1f  median of paired ratios %.4f  stream / plan %.2f\n", names[k],
                        median(a) / static_cast<double>(n), median(b) / static_cast<double>(n), ratio, gain);
            good = good && ratio <= (k == 0 ? 1.02 : 1.05) && (n < 64 || gain >= (k == 2 ? 2.5 : 3.0));
        }
        if (on_host) {
            hanabi::host::clear_calls();
            plan("alpha"_arg = value + 1, "first"_arg = value + 1);
            std::printf("  driver calls of a replay with all changed: %llu\n", static_cast<unsigned long long>(hanabi::host::calls()));
        }
    }

    // Programmatic edges against plain ones: the same kernel, which triggers at once and waits.
    if (on_host || !(gpu.compute_capability() < hanabi::compute_capability{9, 0})) {
        const auto late = hanabi::registry::load(gpu, {{"late", pdl_ptx}});
        const hanabi::dispatcher run_late{late};
        constexpr std::size_t n = 512;
        using plain_launch = decltype(chained[hanabi::over(elements)](1.0f, x, y, elements));
        using pdl_launch = decltype(chained[hanabi::over(elements) | hanabi::pdl](1.0f, x, y, elements));
        auto plain = run_late.plan(hanabi::sequence(std::vector<plain_launch>(n, chained[hanabi::over(elements)](1.0f, x, y, elements))));
        auto programmatic = run_late.plan(
            hanabi::sequence(std::vector<pdl_launch>(n, chained[hanabi::over(elements) | hanabi::pdl](1.0f, x, y, elements))));
        const auto t = in_turns<2>(seconds, [&](std::size_t way) {
            const auto begin = std::chrono::steady_clock::now();
            if (way == 0)
                plain.replay();
            else
                programmatic.replay();
            gpu.synchronize();
            return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / n;
        });
        std::printf("edges of %zu launches, nanoseconds for each: plain %.1f  programmatic %.1f  median of paired ratios %.3f\n", n,
                    median(t[0]), median(t[1]), paired(t[1], t[0]));
    }
    if (on_host) return 0;
    std::puts(good ? "within the limits" : "over a limit");
    return good ? 0 : 1;
}
