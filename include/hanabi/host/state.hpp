// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The one state of the host driver. The driver's interface is C functions without a state argument: it is a singleton
/// of the process by nature.
///
/// Locks, in the order in which they may be taken: driver_state::mutex; then, as leaves, the log's and the fault book's.
/// The block pool's lock is taken with no other held. Bodies, host functions and copies run with no lock held.

#ifndef HANABI_HOST_STATE_HPP
#define HANABI_HOST_STATE_HPP

#include <hanabi/config.hpp>
#include <hanabi/driver/abi.hpp>
#include <hanabi/host/block_pool.hpp>
#include <hanabi/host/body.hpp>
#include <hanabi/host/config.hpp>
#include <hanabi/host/executor.hpp>
#include <hanabi/host/fault_book.hpp>
#include <hanabi/host/graph_object.hpp>
#include <hanabi/host/handle.hpp>
#include <hanabi/host/launch_record.hpp>
#include <hanabi/host/log.hpp>
#include <hanabi/host/memory.hpp>
#include <hanabi/host/object.hpp>
#include <hanabi/host/operation.hpp>
#include <hanabi/host/race_book.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace hanabi::host::detail {

/// A device, and its primary context: one handle for the process, made and destroyed any number of times.
struct device_object {
    device_config config;
    std::uintptr_t primary_handle = 0;
    unsigned primary_references = 0;
    std::shared_ptr<context_object> primary; ///< null while there is none
};

/// What the driver keeps for each thread.
struct thread_data {
    std::uintptr_t current = 0; ///< context handle
    unsigned epoch = 0;         ///< of the state in which `current` was set
    std::uint64_t number = 0;   ///< never reused; 0: not given yet
    bool inside_work = false;   ///< runs a host function or a body: no driver call is permitted
    driver::capture_mode capture = driver::capture_mode::global;
};

/// The calling thread's.
HANABI_SHARED inline thread_data& this_thread() noexcept {
    static thread_local thread_data data;
    return data;
}

/// The body of the library's own kernel: <hanabi/host/loop_body.hpp>.
inline const std::shared_ptr<const typed_body>& shared_loop_body();

struct driver_state {
    std::mutex mutex;  ///< guards everything below but what says otherwise
    detail::log log;   ///< has a lock of its own
    fault_book faults; ///< has a lock of its own
    block_pool pool;   ///< has a lock of its own
    detail::engine engine{mutex};
    options settings;
    std::vector<device_object> devices;
    handle_source handles;
    std::unordered_map<std::uintptr_t, std::shared_ptr<context_object>> contexts; ///< those alive
    std::vector<std::uintptr_t> spare_contexts;                                   ///< handles to use again
    std::unordered_map<std::uintptr_t, std::shared_ptr<stream_object>> streams;
    std::unordered_map<std::uintptr_t, std::shared_ptr<event_object>> events;
    std::unordered_map<std::uintptr_t, std::shared_ptr<module_object>> modules;
    std::unordered_map<std::uintptr_t, std::shared_ptr<function_object>> functions;
    std::unordered_map<std::uintptr_t, std::shared_ptr<graph_object>> graphs; ///< children and bodies too
    std::unordered_map<std::uintptr_t, std::shared_ptr<graph_node_object>> nodes;
    std::unordered_map<std::uintptr_t, std::shared_ptr<exec_object>> executables;
    std::unordered_map<std::uintptr_t, std::shared_ptr<user_object>> users;
    std::unordered_map<std::uintptr_t, std::shared_ptr<conditional_object>> conditionals;
    std::map<std::uint64_t, std::shared_ptr<capture_object>> captures; ///< not ended, by id
    std::uint64_t last_capture = 0;
    unsigned long long last_tools_id = 0;
    std::uint64_t graph_launches = 0;
    race_book races;
    const std::shared_ptr<context_object> nobody = std::make_shared<context_object>(); ///< of operations of no context
    std::unordered_set<std::uintptr_t> orphans;                                        ///< handles of objects that went with their context
    memory_map memory;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const typed_body>> bodies;
    std::deque<launch_record> launches;
    std::uint64_t launch_count = 0;
    unsigned long long last_context_id = 0;
    std::uint64_t last_thread = 0;
    std::size_t lost_objects = 0;         ///< streams, events, modules and allocations that their context took with it
    std::atomic<bool> initialized{false}; ///< no lock
    std::atomic<bool> forked{false};      ///< no lock: set in a child, where the lock may be held for ever
    std::atomic<unsigned> epoch{1};       ///< no lock: a thread's current context counts in the epoch it was set in

    driver_state() {
        engine.is_skipped = [](const operation& op) { return op.context->broken != driver::status::success; };
        engine.on_end = [this](operation& op, outcome&& how) {
            --op.context->pending;
            if (how.status != driver::status::success) break_context(*op.context, how.status, std::move(how.text));
        };
        memory.tracks_values = has_executor();
        install({device_config{}});
    }
    driver_state(const driver_state&) = delete;
    driver_state& operator=(const driver_state&) = delete;

    /// Under the lock: from now on every call in the context answers this.
    void break_context(context_object& context, driver::status with, std::string text) {
        if (context.broken != driver::status::success) return;
        log.write(text);
        log.write(say("The context is lost: every call in it returns ", static_cast<unsigned>(with), " (", driver::name_of(with),
                      ") from now on"));
        context.broken = with;
        context.broken_text = std::move(text);
    }

    /// Any thread, with no lock: sets the value of a condition. False if there is none such.
    bool set_condition(driver::graph_conditional_handle handle, unsigned value) {
        const std::lock_guard lock{mutex};
        const auto found = conditionals.find(static_cast<std::uintptr_t>(handle));
        if (found == conditionals.end()) return false;
        found->second->value.store(value, std::memory_order_release);
        return true;
    }

    /// Under the lock. Drops references to a user's object; its destructor runs elsewhere, and later.
    void drop(const std::shared_ptr<user_object>& object, std::size_t references) {
        object->references -= std::min(references, object->references);
        if (object->references != 0 || users.erase(object->handle) == 0) return;
        const auto op = std::make_shared<operation>();
        op->work = [object] {
            this_thread().inside_work = true;
            object->destroy(object->pointer);
            this_thread().inside_work = false;
            return outcome{};
        };
        op->context = nobody;
        ++nobody->pending;
        engine.submit(op, {});
    }

    /// Under the lock. Ends a graph with its nodes, and the graphs inside those.
    void destroy_graph(const std::shared_ptr<graph_object>& graph) {
        if (graph->capturing) // the body of a conditional node that goes
            for (const auto& [id, capture] : captures)
                if (capture->graph == graph) capture->invalid = true;
        for (const auto& node : graph->nodes) forget_node(*node);
        graph->nodes.clear();
        graph->edges.clear();
        for (const std::uintptr_t handle : graph->conditionals) conditionals.erase(handle);
        for (const auto& [object, count] : graph->users) drop(object, count);
        graph->users.clear();
        graphs.erase(graph->handle);
    }

    /// Under the lock.
    void forget_node(graph_node_object& node) {
        nodes.erase(node.handle);
        node.graph = nullptr;
        node.before.clear();
        if (const auto* const child = std::get_if<child_task>(node.task.get())) destroy_graph(child->graph);
        if (const auto* const conditional = std::get_if<conditional_task>(node.task.get()))
            for (const auto& body : conditional->bodies) destroy_graph(body);
    }

    /// Whether a graph has work in a context.
    static bool works_in(const graph_object& graph, unsigned long long context_id) {
        return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
            const node_task& task = *node->task;
            if (const auto* const kernel = std::get_if<kernel_task>(&task)) return kernel->where.id == context_id;
            if (const auto* const copy = std::get_if<memcpy_task>(&task)) return copy->where.id == context_id;
            if (const auto* const fill = std::get_if<memset_task>(&task)) return fill->where.id == context_id;
            if (const auto* const child = std::get_if<child_task>(&task)) return works_in(*child->graph, context_id);
            if (const auto* const conditional = std::get_if<conditional_task>(&task)) return conditional->where.id == context_id;
            return false;
        });
    }
    static bool works_in(const exec_graph& graph, unsigned long long context_id) {
        return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const exec_node& node) {
            for (const auto& inner : node.inner)
                if (works_in(*inner, context_id)) return true;
            if (const auto* const kernel = std::get_if<kernel_task>(node.task.get())) return kernel->where.id == context_id;
            if (const auto* const copy = std::get_if<memcpy_task>(node.task.get())) return copy->where.id == context_id;
            if (const auto* const fill = std::get_if<memset_task>(node.task.get())) return fill->where.id == context_id;
            return false;
        });
    }

    /// Under the lock. Graphs are of no context, but those with work in one are of no use without it.
    void lose_graphs(unsigned long long context_id) {
        std::vector<std::shared_ptr<exec_object>> executables_lost;
        for (const auto& [handle, exec] : executables)
            if (works_in(*exec->top, context_id)) executables_lost.push_back(exec);
        for (const auto& exec : executables_lost) {
            if (const auto source = exec->source.lock()) --source->executables;
            executables.erase(exec->handle);
            orphans.insert(exec->handle);
        }
        std::vector<std::shared_ptr<graph_object>> graphs_lost;
        for (const auto& [handle, graph] : graphs)
            if (!graph->owned && works_in(*graph, context_id)) graphs_lost.push_back(graph);
        for (const auto& graph : graphs_lost) {
            for (const auto& node : graph->nodes) orphans.insert(node->handle);
            orphans.insert(graph->handle);
            destroy_graph(graph);
        }
        lost_objects += executables_lost.size() + graphs_lost.size();
    }

    /// Under the lock. Every stream of a capture leaves it.
    void end_capture(const std::shared_ptr<capture_object>& capture) {
        for (stream_object* const stream : capture->streams) {
            stream->capture = nullptr;
            stream->capture_after.clear();
        }
        capture->streams.clear();
        capture->graph->capturing = false;
        capture->ended = true;
        captures.erase(capture->id);
    }

    /// Under the lock. The same, with what it captured.
    void abandon_capture(const std::shared_ptr<capture_object>& capture) {
        end_capture(capture);
        if (!capture->to_graph) destroy_graph(capture->graph);
    }

    /// Under the lock.
    void install(std::vector<device_config> configs) {
        devices.clear();
        for (device_config& config : configs) {
            device_object device;
            device.config = std::move(config);
            device.primary_handle = handles.next(handle_kind::context);
            devices.push_back(std::move(device));
        }
    }

    /// Under the lock. A new context on a device.
    std::shared_ptr<context_object> make_context(int device, std::uintptr_t handle, unsigned flags, bool primary) {
        auto made = std::make_shared<context_object>();
        made->handle = handle;
        made->id = ++last_context_id;
        made->device = device;
        made->flags = flags;
        made->primary = primary;
        made->legacy = std::make_shared<stream_object>();
        made->legacy->context = made.get();
        made->legacy->legacy = true;
        contexts[handle] = made;
        return made;
    }

    /// Under `lock`. Ends a context: waits for its work, then everything in it dies.
    void destroy_context(std::unique_lock<std::mutex>& lock, const std::shared_ptr<context_object>& context) {
        if (!context->alive) return;
        context->alive = false; // calls that look it up from here on fail, and submit no more work
        contexts.erase(context->handle);
        if (context->primary) {
            for (device_object& device : devices)
                if (device.primary == context) device.primary = nullptr;
        } else
            spare_contexts.push_back(context->handle);
        for (auto at = captures.begin(); at != captures.end();) {
            const std::shared_ptr<capture_object> capture = (at++)->second;
            if (std::any_of(capture->streams.begin(), capture->streams.end(),
                            [&](const stream_object* stream) { return stream->context == context.get(); }))
                abandon_capture(capture);
        }
        engine.wait(lock, [&] { return context->pending == 0; });
        const auto take = [&](auto& table) {
            for (auto at = table.begin(); at != table.end();) {
                if (at->second->context == context.get()) {
                    orphans.insert(at->first);
                    ++lost_objects;
                    at = table.erase(at);
                } else
                    ++at;
            }
        };
        for (auto at = functions.begin(); at != functions.end();) {
            if (at->second->module->context == context.get()) {
                orphans.insert(at->first);
                at = functions.erase(at);
            } else
                ++at;
        }
        for (auto& [handle, loaded] : modules)
            if (loaded->context == context.get()) {
                for (auto& [name, variable] : loaded->variables) memory.free(variable, settings.quarantine_bytes);
                loaded->variables.clear();
            }
        lose_graphs(context->id);
        take(streams);
        take(events);
        take(modules);
        lost_objects += memory.free_context(context->id, settings.quarantine_bytes).first;
        context->legacy = nullptr;
        context->per_thread.clear();
        context->blocking.clear();
        context->orphans.clear();
    }

    /// Any thread: everything as at the beginning of the process, but for the bodies and cuInit.
    void restart(std::vector<device_config> configs) {
        std::unique_lock lock{mutex};
        while (!contexts.empty()) {
            const std::shared_ptr<context_object> any = contexts.begin()->second;
            destroy_context(lock, any);
        }
        epoch.fetch_add(1, std::memory_order_relaxed);
        while (!executables.empty()) {
            const auto any = executables.begin()->second;
            executables.erase(any->handle);
            any->users = nullptr;
        }
        while (!graphs.empty()) {
            const auto any = graphs.begin()->second;
            destroy_graph(any);
        }
        users.clear(); // never to be destroyed by the graphs they were for
        engine.wait(lock, [&] { return nobody->pending == 0; });
        conditionals.clear();
        graph_launches = 0;
        races.clear();
        memory.clear();
        orphans.clear();
        spare_contexts.clear();
        launches.clear();
        launch_count = 0;
        lost_objects = 0;
        settings = {};
        install(std::move(configs));
        faults.clear();
        faults.clear_calls();
        log.clear();
    }

    void define(std::shared_ptr<const typed_body> body) {
        const std::lock_guard lock{mutex};
        bodies[{body->module, body->symbol}] = std::move(body);
    }
    bool undefine(const std::string& module, const std::string& symbol) {
        const std::lock_guard lock{mutex};
        return bodies.erase({module, symbol}) != 0;
    }
    void clear_definitions() {
        const std::lock_guard lock{mutex};
        bodies.clear();
    }

    /// Under the lock. The body of a symbol in a module of that label; in a module without a label, the body of that
    /// symbol when only one module has one. Null, and the reason, when there is none.
    std::shared_ptr<const typed_body> body_of(const std::string& label, const std::string& symbol, std::string& reason) const {
        if (!label.empty()) {
            if (const auto found = bodies.find({label, symbol}); found != bodies.end()) return found->second;
            if (label == "hanabi.loop") return shared_loop_body(); // the library's own
            reason = say("no body for ", label, "::", symbol, ": host::define one");
            return nullptr;
        }
        std::shared_ptr<const typed_body> only;
        for (const auto& [key, body] : bodies) {
            if (key.second != symbol) continue;
            if (only != nullptr) {
                reason = say("several bodies for ", symbol, ", of ", only->module, " and ", body->module,
                             ": label the module with module_set_label");
                return nullptr;
            }
            only = body;
        }
        if (only == nullptr) reason = say("no body for ", symbol, " (in a module without a label): host::define one");
        return only;
    }
};

/// The state: made at the first use, never destroyed, so that nothing runs at exit.
HANABI_SHARED inline driver_state& state() {
    static driver_state* const only = [] {
        auto* made = new driver_state;
#if !defined(_WIN32)
        // A child has none of the threads, and the lock as it was: hold it over the fork, and answer nothing afterwards.
        static driver_state* seen = nullptr;
        seen = made;
        pthread_atfork([] { seen->mutex.lock(); }, [] { seen->mutex.unlock(); },
                       [] {
                           seen->mutex.unlock();
                           if (seen->initialized.load(std::memory_order_relaxed)) seen->forked.store(true, std::memory_order_relaxed);
                       });
#endif
        return made;
    }();
    return *only;
}

} // namespace hanabi::host::detail

#include <hanabi/host/loop_body.hpp>

#endif
