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
    std::string fault;                  ///< a pointer parameter that was bad at the call: told when the kernel would run

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

    /// On a thread of the engine, with no lock held.
    outcome run() {
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
        if (body == nullptr) return {};
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
