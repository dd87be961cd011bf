// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Profiling: the same launches as any program's, by a dispatcher with policies. Prints where the time went and writes a trace
// for Perfetto. On a GPU the times are CUPTI's; where there is no CUPTI, or somebody else has it, those of event pairs; on the
// host driver, which executes the kernels' PTX, those of its own records.
//
//   profile [TRACE.json]   where the trace goes; the system's folder for temporary files unless said

#include "kernels.hpp"

#include <hanabi_modules/blas.hpp>
#include <hanabi_modules/particles.hpp>

#include <hanabi/cupti.hpp>
#include <hanabi/host/ptx.hpp>
#include <hanabi/profile.hpp>
#include <hanabi/trace.hpp>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

using namespace hanabi::literals;
using hanabi::grid;
using hanabi::over;

namespace {

// tag::measured[]
// axpy once more, with what it does: 3 floats moved and 2 operations for each element.
inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int), hanabi::names<"alpha", "x", "y", "n">,
                                hanabi::bytes<12, "n">, hanabi::operations<2, "n">>
    measured_axpy;
// end::measured[]

template <class Dispatcher>
void work(const hanabi::registry& modules, const Dispatcher& run) {
    const hanabi::context gpu = modules.context();
    const int n = 200'000;
    hanabi::buffer<float> x{gpu, n}, y{gpu, n};
    x.fill(1.0f);
    y.fill(2.0f);
    const unsigned blocks = (static_cast<unsigned>(n) + 255) / 256;
    hanabi::buffer<double> partial{gpu, blocks};
    const int count = 10'000;
    hanabi::buffer<particle> particles{gpu, count};
    particles.copy_from(std::vector<particle>(static_cast<std::size_t>(count), particle{}));
    const hanabi::stream second{gpu}; // work beside, for the picture
    const auto beside = run.on(second);
    for (int i = 0; i < 20; ++i) {
        run(measured_axpy[over(n)](0.5f, x, y, n));
        beside(advance[over(count)](particles, step{0.01f, 9.81f, count}));
        run(scal[over(n)](0.9f, y, n));
        if (i % 5 == 4) run(sum_blocks[grid(blocks)](y, partial, static_cast<unsigned>(n)));
    }
    second.synchronize();
    run.synchronize();
}

} // namespace

int main(int argc, char** argv) {
    try {
        const hanabi::context gpu = hanabi::context::any();
        const auto modules = hanabi::registry::load(gpu, {{"blas", hanabi_modules::blas}, {"particles", hanabi_modules::particles}});
        modules.require(measured_axpy, scal, sum_blocks, advance);
        const std::string path = argc > 1 ? argv[1] : (std::filesystem::temp_directory_path() / "hanabi_profile.json").string();

        // tag::profile[]
        // Who measures: CUPTI, which is loaded now if it is there, else pairs of events, else the host's clock.
        hanabi::profile::ledger ledger;
        std::error_code why;
        hanabi::cupti::session session{gpu};
        session.start(why);
        hanabi::profile::event_pool pool{gpu, ledger};
        const hanabi::profile::fallback timing{hanabi::profile::activity{session, ledger}, hanabi::profile::events{pool},
                                               hanabi::profile::host_clock{ledger}};
        if (timing.chosen() != 0) std::printf("not by CUPTI: %s\n", session.why().c_str());

        // Where it goes: two tables and a trace, written as the rows come.
        hanabi::trace::summary kernels, sites{{.group = hanabi::trace::group_by::call_site}};
        hanabi::trace::chrome trace{path, {.devices = {hanabi::trace::device_properties::of(gpu)}}};
        ledger.attach(kernels);
        ledger.attach(sites);
        ledger.attach(trace);
        ledger.expect(modules, measured_axpy, scal, sum_blocks, advance); // as many registers as the modules say

        const hanabi::dispatcher timed{modules, timing, hanabi::profile::host_clock{ledger}};
        work(modules, timed);

        const hanabi::profile::account account = ledger.finish(session, pool);
        std::cout << kernels << '\n' << sites << "\ntrace: " << path << " (open it at https://ui.perfetto.dev)\n";
        // end::profile[]

        const bool good = account.launches == 64 && account.adds_up() && account.complete() && account.mismatched == 0 && trace.good();
        std::puts(good ? "every launch has its time" : "some launches have no time, or ran otherwise than asked for");
        return good ? 0 : 1;
    } catch (const hanabi::error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
