// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// One accepted launch on its way through its stream: what it checks when its turn comes, and how it runs.

#ifndef HANABI_HOST_KERNEL_RUN_HPP
#define HANABI_HOST_KERNEL_RUN_HPP

#include <hanabi/host/call.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// Everything a launch needs once it was accepted; owned by its operation.
struct kernel_run {
    driver_state* state = nullptr;
    std::shared_ptr<module_object> module;
    std::shared_ptr<const typed_body> body; ///< null: nothing runs (options::run_bodies)
    std::string name;                       ///< module::symbol, for messages
    extent grid, block, cluster;
    std::size_t shared_bytes = 0;
    std::size_t static_limit = 0;
    std::vector<std::vector<std::byte>> arguments;
    std::vector<allocation_ptr> memory; ///< what the pointer parameters point into
    std::vector<access> touched;        ///< the same for the race book, when that is kept
    std::uint64_t number = 0;           ///< of its record
    activity_note note;                 ///< what CUPTI's record of it says
    std::shared_ptr<executor> code;     ///< executes the module's PTX, where there is no body
    std::string kernel;                 ///< and what it needs to know beside
    unsigned long long code_context = 0;
    bool cooperative = false;
    bool explicit_cluster = false;
    unsigned multiprocessors = 1;
    std::size_t resident_blocks = 1;
    std::string fault; ///< a pointer parameter that was bad at the call: told when the kernel would run

    /// Looks at every pointer parameter; under the lock, at the call.
    void check_pointers(unsigned long long context_id) {
        for (std::size_t i = 0; i < body->parameters.size() && i < arguments.size(); ++i) {
            if (!body->parameters[i].pointer) continue;
            std::uintptr_t address = 0;
            std::memcpy(&address, arguments[i].data(), sizeof address);
            if (address == 0) continue;
            const auto complain = [&](const auto&... why) {
                if (fault.empty())
                    fault = say("Illegal address in ", name, ": parameter ", i + 1, " is ", address_text(address), ", ", why...);
            };
            const allocation_ptr holder = state->memory.find(address, true);
            if (holder == nullptr)
                complain("which is no device memory: a host pointer, or an address of no allocation");
            else if (!holder->usable())
                complain("in freed memory: ", holder->text());
            else if (holder->kind != memory_kind::pinned && holder->context_id != context_id)
                complain("in memory of another context: ", holder->text(), " of device ", holder->device);
            else
                memory.push_back(holder);
        }
    }

    /// Notes what the pointer parameters let it touch; under the lock, at the call.
    void note_accesses(const launch_record& record) {
        for (std::size_t i = 0; body != nullptr && i < body->parameters.size() && i < arguments.size(); ++i) {
            if (!body->parameters[i].pointer) continue;
            std::uintptr_t address = 0;
            std::memcpy(&address, arguments[i].data(), sizeof address);
            const allocation_ptr holder = address == 0 ? nullptr : state->memory.find(address, true);
            if (holder == nullptr) continue;
            const std::size_t bytes = state->settings.race_extent ? state->settings.race_extent(record, i) : 0;
            if (bytes == 0)
                touched.push_back({holder, holder->base, holder->base + holder->size, body->parameters[i].writes, i + 1});
            else
                touched.push_back({holder, address, address + bytes, body->parameters[i].writes, i + 1});
        }
    }

    /// On a thread of the engine, with no lock held.
    outcome run() {
        const work_note during{note};
        if (!fault.empty()) return {driver::status::illegal_address, fault};
        {
            const std::lock_guard lock{state->mutex};
            for (const allocation_ptr& a : memory) {
                if (a->freed)
                    return {driver::status::illegal_address,
                            say("Illegal address in ", name, ": ", a->text(), " was freed before the kernel ran")};
                if (!a->ready)
                    return {driver::status::illegal_address,
                            say("Illegal address in ", name, ": ", a->text(),
                                " is not allocated yet where the kernel ran: another stream allocates it")};
            }
        }
        if (body == nullptr && code != nullptr) return run_code();
        if (body == nullptr) return {};
        note_body();
        std::vector<const std::byte*> pointers;
        for (const auto& bytes : arguments) pointers.push_back(bytes.data());
        std::mutex fault_mutex;
        std::string thrown;
        std::atomic<bool> failed{false};
        const std::uint64_t blocks = grid.volume();
        const bool spread = blocks * block.volume() >= 256;
        state->pool.run(blocks, spread, [&](std::uint64_t first, std::uint64_t last) noexcept {
            const work_scope scope;
            const auto fail = [&](const char* what) {
                const std::lock_guard lock{fault_mutex};
                if (!failed.exchange(true)) thrown = what;
            };
            try {
                block_frame frame;
                frame.block_size = block;
                frame.grid_size = grid;
                frame.cluster_size = cluster;
                frame.dynamic_shared = detail::shared_bytes{this->shared_bytes};
                frame.static_limit = static_limit;
                frame.launch = this;
                frame.find_variable = &find_variable;
                for (std::uint64_t i = first; i < last; ++i) {
                    if (failed.load(std::memory_order_relaxed)) return false;
                    frame.begin({static_cast<unsigned>(i % grid.x), static_cast<unsigned>(i / grid.x % grid.y),
                                 static_cast<unsigned>(i / grid.x / grid.y)});
                    body->run_block(frame, pointers.data());
                }
                return true;
            } catch (const std::exception& e) {
                fail(e.what());
            } catch (...) {
                fail("an exception that is no std::exception");
            }
            return false;
        });
        if (failed.load()) return {driver::status::launch_failed, say("The body of ", name, " threw: ", thrown)};
        for (const allocation_ptr& a : memory)
            if (const auto where = memory_map::damage(*a))
                return {driver::status::illegal_address, say("Illegal address: after ", name, " the memory around ", a->text(),
                                                             " is overwritten, at offset ", *where, " from its beginning")};
        return {};
    }

  private:
    /// A C++ body may write wherever its arguments lead to: all memory counts as written.
    void note_body() const {
        if (!state->memory.tracks_values) return;
        const std::lock_guard lock{state->mutex};
        state->memory.each_live([](const allocation& a) {
            if (a.defined != nullptr) a.defined->write();
        });
    }

    /// The module's own code. It checks every access itself.
    outcome run_code() {
        executor_launch asked;
        asked.kernel = kernel;
        asked.name = name;
        asked.grid = grid;
        asked.block = block;
        asked.cluster = cluster;
        asked.cooperative = cooperative;
        asked.explicit_cluster = explicit_cluster;
        asked.dynamic_shared = this->shared_bytes;
        asked.number = number;
        asked.multiprocessors = multiprocessors;
        asked.resident_blocks = resident_blocks;
        asked.arguments = &arguments;
        asked.pool = &state->pool;
        const auto mine = [&](const allocation& a) {
            return !a.freed && a.ready && (a.kind == memory_kind::pinned || a.context_id == code_context);
        };
        std::vector<allocation_ptr> held;
        {
            const std::lock_guard lock{state->mutex};
            state->memory.each_live([&](const allocation& a) {
                if (!mine(a)) return;
                if (a.defined != nullptr) a.defined->begin();
                asked.memory.push_back({a.base, a.size, a.defined.get()});
                held.push_back(state->memory.find(a.base, true));
            });
            for (const allocation_ptr& a : held) state->memory.use(*a);
        }
        asked.find = [&](std::uintptr_t address) -> memory_range {
            const std::lock_guard lock{state->mutex};
            const allocation_ptr found = state->memory.find(address);
            if (found == nullptr || !mine(*found)) return {};
            if (found->defined != nullptr) found->defined->begin();
            return {found->base, found->size, found->defined.get()};
        };
        asked.complaint = [&](std::uintptr_t address, std::size_t size) {
            const std::lock_guard lock{state->mutex};
            const range_verdict verdict = state->memory.hold(address, size, "address");
            return verdict.fault.empty() ? say("address ", address_text(address), " is in memory of another context") : verdict.fault;
        };
        asked.place = [&](std::uintptr_t address) {
            const std::lock_guard lock{state->mutex};
            const allocation_ptr found = state->memory.find(address);
            return found == nullptr ? say("address ", address_text(address)) : say("offset ", address - found->base, " of ", found->text());
        };
        asked.log = [&](const std::string& text) { state->log.write(text); };
        outcome how;
        try {
            how = code->run(asked);
        } catch (const std::exception& e) {
            how = {driver::status::unknown, say("The executor of ", name, " gave up: ", e.what())};
        }
        const std::lock_guard lock{state->mutex};
        for (const allocation_ptr& a : held) state->memory.unuse(a, state->settings.quarantine_bytes);
        return how;
    }

    static void* find_variable(const void* launch, const char* name, std::size_t* bytes) {
        // The module can't go while its kernel runs, and its variables are as old as it is: no lock.
        const auto& variables = static_cast<const kernel_run*>(launch)->module->variables;
        const auto found = variables.find(name);
        if (found == variables.end()) return nullptr;
        *bytes = found->second->size;
        return reinterpret_cast<void*>(found->second->base);
    }
};

} // namespace hanabi::host::detail

#endif
