// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Runs launches of a decoded module: memory around it, blocks on the pool's threads, faults told with their place.

#ifndef HANABI_HOST_PTX_EXECUTOR_HPP
#define HANABI_HOST_PTX_EXECUTOR_HPP

#include <hanabi/config.hpp>
#include <hanabi/demangle.hpp>
#include <hanabi/host/executor.hpp>
#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/device_heap.hpp>
#include <hanabi/host/ptx/initcheck.hpp>
#include <hanabi/host/ptx/machine.hpp>
#include <hanabi/host/ptx/options.hpp>
#include <hanabi/host/ptx/place.hpp>
#include <hanabi/host/ptx/postponed.hpp>
#include <hanabi/host/ptx/racecheck.hpp>
#include <hanabi/host/ptx/reader.hpp>
#include <hanabi/host/ptx/stepper.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

/// What the process has one of.
struct settings {
    std::mutex mutex; ///< of the two that follow
    ptx_options options;
    std::string last_fault;
    std::mutex printing; ///< held while a text is printed: the program's function may ask for the others
    std::atomic<std::uint64_t> instructions{0};
};
HANABI_SHARED inline settings& process_settings() noexcept {
    static settings* const only = new settings;
    return *only;
}

/// One module.
class module_executor : public detail::executor {
  public:
    module_executor(const char* text, std::size_t length) { reader{text, text + length, program_}.read(); }

    std::string error() const override {
        if (program_.error.empty()) return {};
        return detail::say("line ", program_.error_line, ": ", program_.error);
    }
    std::string refusal(const std::string& kernel) const override {
        if (const std::string e = error(); !e.empty()) return "the PTX can't be read: " + e;
        const auto found = program_.function_index.find(kernel);
        if (found == program_.function_index.end()) return "the PTX has no kernel " + kernel;
        return program_.functions[static_cast<std::size_t>(found->second)].refusal;
    }
    std::string refusals() const override {
        std::string all;
        for (const function& f : program_.functions)
            if (f.kernel && f.defined && !f.refusal.empty())
                all += detail::say(all.empty() ? "" : "\n", "the PTX executor can't run ", f.name, ": ", f.refusal);
        return all;
    }
    std::size_t local_bytes(const std::string& kernel) const override {
        const auto found = program_.function_index.find(kernel);
        return found == program_.function_index.end() ? 0 : program_.functions[static_cast<std::size_t>(found->second)].local_bytes;
    }

    std::vector<std::pair<std::string, std::size_t>> own_variables() const override {
        std::vector<std::pair<std::string, std::size_t>> out;
        for (const program::own_variable& v : program_.own) out.emplace_back(v.name, v.size);
        return out;
    }

    void link(const std::function<detail::memory_range(const std::string&)>& variable) override {
        const auto address = [&](const std::string& name) -> std::uint64_t {
            if (const auto r = variable(name); r.size != 0) return r.base;
            if (const auto found = program_.function_index.find(name); found != program_.function_index.end())
                return function_window + static_cast<std::uint64_t>(found->second);
            return 0;
        };
        for (const auto& [name, bytes] : program_.initial)
            if (const auto r = variable(name); r.size != 0)
                std::memcpy(reinterpret_cast<void*>(r.base), bytes.data(), std::min(bytes.size(), r.size));
        for (const program::pointer_value& v : program_.pointers) {
            const auto r = variable(v.variable);
            if (r.size == 0 || v.offset + v.size > r.size) continue;
            const std::uint64_t value = (address(v.target) + static_cast<std::uint64_t>(v.add)) >> v.shift;
            std::memcpy(reinterpret_cast<std::byte*>(r.base) + v.offset, &value, std::min(v.size, 8u));
        }
        for (const program::reference& r : program_.references) {
            if (r.shared >= 0) continue;
            const std::uint64_t base = r.shared == -2 ? 0 : address(r.name);
            set_constant(program_.constants.data(), r.at, r.width, base + static_cast<std::uint64_t>(r.add));
        }
    }

    detail::outcome run(const detail::executor_launch& asked) override {
        const auto found = program_.function_index.find(asked.kernel);
        if (found == program_.function_index.end()) return {driver::status::not_found, "the PTX has no kernel " + asked.kernel};
        const prepared& kernel = prepare(found->second);
        const outside_of outside{asked, heap_};
        ptx_options options;
        {
            settings& s = process_settings();
            const std::lock_guard lock{s.mutex};
            options = s.options;
        }
        launch l;
        l.code = &program_;
        l.constants = kernel.constants.data();
        l.kernel = &program_.functions[static_cast<std::size_t>(found->second)];
        l.grid = asked.grid;
        l.block = asked.block;
        l.cluster = asked.cluster;
        l.explicit_cluster = asked.explicit_cluster;
        l.cooperative = asked.cooperative;
        l.dynamic_shared = static_cast<std::uint32_t>(asked.dynamic_shared);
        l.dynamic_offset = kernel.dynamic_offset;
        l.reserved_shared = kernel.reserved;
        l.outside = &outside;
        l.budget = options.instruction_budget;
        l.number = asked.number;
        l.multiprocessors = std::max(1u, asked.multiprocessors);
        l.parameters.resize(l.kernel->parameters.empty() ? 0 : l.kernel->parameters.back().offset + l.kernel->parameters.back().size);
        for (std::size_t i = 0; i < l.kernel->parameters.size() && i < asked.arguments->size(); ++i) {
            const formal& f = l.kernel->parameters[i];
            const auto& bytes = (*asked.arguments)[i];
            if (!bytes.empty()) std::memcpy(l.parameters.data() + f.offset, bytes.data(), std::min<std::size_t>(f.size, bytes.size()));
        }
        alignas(64) std::byte workspace[256]{};
        for (const detail::memory_range& r : asked.memory) l.regions.push_back({r.base, r.size, r.defined});
        if (asked.cooperative) {
            l.grid_workspace = reinterpret_cast<std::uintptr_t>(workspace);
            l.regions.push_back({reinterpret_cast<std::uintptr_t>(workspace), sizeof workspace, nullptr});
            std::sort(l.regions.begin(), l.regions.end(), [](const region& a, const region& b) { return a.base < b.base; });
        }

        crew all{l, asked, options, book_};
        const unsigned workers = options.racecheck ? 1 : std::max(1u, std::thread::hardware_concurrency()); // it sees all blocks
        const bool spread = asked.grid.volume() * asked.block.volume() >= 256;
        asked.pool->run(workers, spread, [&](std::uint64_t, std::uint64_t) noexcept {
            all.work();
            return true;
        });
        process_settings().instructions.fetch_add(all.instructions.load(), std::memory_order_relaxed);
        if (!all.failed.load()) return {};
        {
            settings& s = process_settings();
            const std::lock_guard lock{s.mutex};
            s.last_fault = all.text;
        }
        if (options.sticky) return {all.status, all.text};
        asked.log(all.text);
        return {};
    }

  private:
    /// A kernel with its shared variables laid out.
    struct prepared {
        std::uint32_t dynamic_offset = 0;
        std::uint32_t reserved = 0;
        room constants;
    };

    const prepared& prepare(int number) {
        const std::lock_guard lock{mutex_};
        prepared& p = prepared_[number];
        if (p.constants.size() != 0) return p;
        // Which shared variables the kernel reaches.
        std::vector<char> seen(program_.functions.size(), 0), used(program_.shared.size(), 0);
        std::vector<int> open{number};
        while (!open.empty()) {
            const auto at = static_cast<std::size_t>(open.back());
            open.pop_back();
            if (seen[at] != 0) continue;
            seen[at] = 1;
            const function& f = program_.functions[at];
            for (const std::uint32_t v : f.shared) used[v] = 1;
            for (const int callee : f.callees) open.push_back(callee);
            if (f.calls_unknown)
                for (std::size_t i = 0; i < program_.functions.size(); ++i)
                    if (program_.functions[i].defined && !program_.functions[i].kernel) open.push_back(static_cast<int>(i));
        }
        std::vector<std::uint32_t> offsets(program_.shared.size(), 0);
        const auto reserved = static_cast<std::size_t>(program_.reserved_shared);
        if (program_.reserved_shared >= 0 && used[reserved] != 0) p.reserved = program_.shared[reserved].size;
        std::uint32_t end = p.reserved, align = 16;
        for (std::size_t i = 0; i < program_.shared.size(); ++i) {
            const shared_variable& v = program_.shared[i];
            if (used[i] == 0 || i == reserved) continue; // the system's is first
            if (v.size == 0) {
                align = std::max(align, v.align);
                continue;
            }
            end = (end + v.align - 1) / v.align * v.align;
            offsets[i] = end;
            end += v.size;
        }
        bool dynamic = false;
        const std::uint32_t beyond = (end + align - 1) / align * align;
        for (std::size_t i = 0; i < program_.shared.size(); ++i)
            if (used[i] != 0 && program_.shared[i].size == 0) {
                offsets[i] = beyond;
                dynamic = true;
            }
        p.dynamic_offset = dynamic ? beyond : end;
        p.constants = room{program_.constants.size() + 64};
        if (program_.constants.size() != 0) std::memcpy(p.constants.data(), program_.constants.data(), program_.constants.size());
        for (const program::reference& r : program_.references)
            if (r.shared >= 0)
                set_constant(p.constants.data(), r.at, r.width,
                             offsets[static_cast<std::size_t>(r.shared)] + static_cast<std::uint64_t>(r.add));
        return p;
    }

    struct outside_of : surroundings {
        outside_of(const detail::executor_launch& of, device_heap& memory) : asked{of}, heap{memory} {}
        const detail::executor_launch& asked;
        device_heap& heap;

        region find(std::uintptr_t address) const override {
            if (const region r = heap.find(address); r.size != 0) return r;
            const auto r = asked.find(address);
            return {r.base, r.size, r.defined};
        }
        std::string complaint(std::uintptr_t address, std::size_t size) const override {
            if (std::string text = heap.complaint(address); !text.empty()) return text;
            return asked.complaint(address, size);
        }
        std::string place(std::uintptr_t address) const override {
            if (const region r = heap.find(address); r.size != 0)
                return detail::say("offset ", address - r.base, " of the ", r.size, " bytes that malloc gave at ",
                                   detail::address_text(r.base));
            return asked.place(address);
        }
        std::uint64_t allocate(std::size_t size) const override { return heap.allocate(size); }
        bool free(std::uint64_t address) const override { return heap.free(address); }
        void print(const std::string& text) const override {
            settings& s = process_settings();
            const auto print = [&] {
                const std::lock_guard lock{s.mutex};
                return s.options.print;
            }();
            const std::lock_guard lock{s.printing};
            if (print != nullptr)
                print(text.data(), text.size());
            else
                std::fwrite(text.data(), 1, text.size(), stdout);
        }
    };

    /// A cluster of blocks: what one thread has under way at a time.
    struct unit {
        std::vector<std::unique_ptr<block>> blocks;
        std::vector<block*> pointers;
        barrier_state barrier;
    };

    /// All threads that work at one launch.
    struct crew {
        crew(const launch& of, const detail::executor_launch& request, const ptx_options& wanted, register_book& registers)
            : l{of},
              asked{request},
              options{wanted},
              book{registers},
              size{static_cast<unsigned>(of.cluster.volume())},
              total{of.grid.volume() / std::max<std::uint64_t>(1, of.cluster.volume())} {}

        const launch& l;
        const detail::executor_launch& asked;
        const ptx_options& options;
        register_book& book;
        const unsigned size; ///< blocks of a unit
        const std::uint64_t total;
        std::atomic<std::uint64_t> next{0};
        std::atomic<std::uint64_t> instructions{0};
        std::atomic<bool> failed{false};
        std::mutex mutex;
        driver::status status = driver::status::success;
        std::string text;

        void work() noexcept {
            std::vector<std::unique_ptr<observer>> tools;
            postponed* later = nullptr;
            if (options.racecheck && options.initcheck) { // a race goes before what it leaves unwritten
                auto both = std::make_unique<postponed>(l, std::make_unique<initcheck>(l, book));
                later = both.get();
                tools.push_back(std::move(both));
            } else if (options.initcheck)
                tools.push_back(std::make_unique<initcheck>(l, book));
            if (options.racecheck) tools.push_back(std::make_unique<racecheck>()); // after: its own look at an address may fault
            std::vector<observer*> watching;
            for (const auto& tool : tools) watching.push_back(tool.get());
            stepper s{l, watching};
            std::vector<std::unique_ptr<unit>> active, spare; // alive while a fault in them is described
            try {
                serve(s, active, spare);
                if (!failed.load(std::memory_order_relaxed))
                    for (observer* o : watching) o->finish();
            } catch (const fault& f) {
                const fault* const kept = later == nullptr || f.race ? nullptr : later->kept();
                const fault& first = kept != nullptr ? *kept : f;
                fail(first.status, described(s, first));
            } catch (const std::exception& e) {
                fail(driver::status::unknown, e.what());
            } catch (...) {
                fail(driver::status::unknown, "ptx_options::print threw");
            }
        }
        void fail(driver::status with, std::string what) {
            const std::lock_guard lock{mutex};
            if (failed.exchange(true)) return;
            status = with;
            text = std::move(what);
        }

        void serve(stepper& s, std::vector<std::unique_ptr<unit>>& active, std::vector<std::unique_ptr<unit>>& spare) {
            const std::size_t most =
                l.cooperative ? ~std::size_t{0}
                              : std::max<std::size_t>(1, asked.resident_blocks / size / std::max(1u, std::thread::hardware_concurrency()));
            for (;;) {
                if (failed.load(std::memory_order_relaxed)) return;
                if (active.size() < most && next.load(std::memory_order_relaxed) < total) { // one more, in linear order
                    const std::uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
                    if (number < total) active.push_back(start(s, number, spare));
                }
                if (active.empty()) return;
                const std::uint64_t slice = l.cooperative || active.size() > 1 ? 50'000 : 1'000'000;
                for (std::size_t i = 0; i < active.size();) {
                    if (advance(s, *active[i], slice)) {
                        for (const auto& b : active[i]->blocks)
                            for (const warp& w : b->warps) instructions.fetch_add(w.executed * lanes, std::memory_order_relaxed);
                        spare.push_back(std::move(active[i]));
                        active.erase(active.begin() + static_cast<std::ptrdiff_t>(i));
                    } else
                        ++i;
                }
                if (active.size() > 1 || l.cooperative) std::this_thread::yield();
            }
        }

        std::unique_ptr<unit> start(stepper& s, std::uint64_t number, std::vector<std::unique_ptr<unit>>& spare) {
            std::unique_ptr<unit> u;
            if (!spare.empty()) {
                u = std::move(spare.back());
                spare.pop_back();
            } else {
                u = std::make_unique<unit>();
                for (unsigned i = 0; i < size; ++i) {
                    u->blocks.push_back(std::make_unique<block>());
                    u->pointers.push_back(u->blocks.back().get());
                }
            }
            u->barrier = {};
            const extent c = l.cluster, clusters{l.grid.x / c.x, l.grid.y / c.y, l.grid.z / c.z};
            const extent at{static_cast<unsigned>(number % clusters.x), static_cast<unsigned>(number / clusters.x % clusters.y),
                            static_cast<unsigned>(number / clusters.x / clusters.y)};
            for (unsigned i = 0; i < size; ++i) {
                block& b = *u->blocks[i];
                b.rank = i;
                b.cluster = u->pointers.data();
                b.cluster_size = size;
                b.cluster_barrier = size > 1 ? &u->barrier : nullptr;
                const extent index{at.x * c.x + i % c.x, at.y * c.y + i / c.x % c.y, at.z * c.z + i / c.x / c.y};
                s.begin(b, index,
                        index.x + static_cast<std::uint64_t>(l.grid.x) * (index.y + static_cast<std::uint64_t>(l.grid.y) * index.z));
            }
            return u;
        }

        /// True when all of the unit has ended.
        bool advance(stepper& s, unit& u, std::uint64_t slice) {
            std::uint64_t left = slice;
            for (;;) {
                bool ended = true, moved = false;
                block* stuck = nullptr;
                const std::uint64_t part = size > 1 ? 20'000 : slice;
                for (const auto& b : u.blocks) {
                    if (b->alive == 0) continue;
                    const progress p = s.run(*b, part);
                    if (p == progress::stuck)
                        stuck = stuck == nullptr ? b.get() : stuck;
                    else
                        moved = true;
                    if (b->alive != 0) ended = false;
                }
                if (ended) return true;
                if (!moved && stuck != nullptr && !released(u)) s.deadlock(*stuck);
                if (size == 1 || left <= part) return false;
                left -= part;
            }
        }
        static bool released(const unit& u) {
            for (const auto& b : u.blocks)
                for (const warp& w : b->warps)
                    for (const group& g : w.groups)
                        if (g.state == doing::running || g.state == doing::released) return true;
            return false;
        }

        std::string described(const stepper& s, const fault& f) const {
            const context& c = s.where();
            const std::uint32_t at = s.at();
            std::string out = detail::say(f.what, "; in ", asked.name, hanabi::detail::readable_name(asked.kernel.c_str()));
            if (!f.place.empty())
                out += f.place;
            else if (c.w != nullptr && c.b != nullptr)
                out += place_text(l, at, c.b->index, f.warp < 0 ? c.w->index : static_cast<unsigned>(f.warp), f.lane);
            return out;
        }
    };

    program program_;
    device_heap heap_;
    register_book book_;
    std::mutex mutex_;
    std::map<int, prepared> prepared_;
};

} // namespace hanabi::host::ptx

#endif
