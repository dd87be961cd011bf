// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What every entry point does first and last: orders to fail, cuInit, the current context, the log.

#ifndef HANABI_HOST_CALL_HPP
#define HANABI_HOST_CALL_HPP

#include <hanabi/driver/error_text.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/host/cupti_feed.hpp>
#include <hanabi/host/state.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// How an entry gives up: thrown inside the driver, never out of it.
struct refusal {
    driver::status status;
    std::string text;
};

/// Gives up with a status and a reason for the log.
template <class... T>
[[noreturn]] HANABI_COLD void refuse(driver::status with, const T&... reason) {
    throw refusal{with, say(reason...)};
}

/// What an entry needs before it does anything.
enum class needs {
    nothing,       ///< works always, but in a forked child: texts, logs
    driver,        ///< may be called before cuInit
    initialisation ///< cuInit
};

/// While it lives, the calling thread runs work of a stream and no driver call is permitted on it.
class work_scope {
  public:
    work_scope() noexcept : before_{this_thread().inside_work} { this_thread().inside_work = true; }
    ~work_scope() { this_thread().inside_work = before_; }
    work_scope(const work_scope&) = delete;
    work_scope& operator=(const work_scope&) = delete;

  private:
    bool before_;
};

/// One call of an entry: the state's lock, held from the beginning, and look-ups that give up by themselves.
class call {
  public:
    explicit call(driver_state& s, driver::entry entry) : state{s}, lock{s.mutex}, entry_{entry} {}

    driver_state& state;
    std::unique_lock<std::mutex> lock;

    const char* name() const noexcept { return driver::describe(entry_).name; }

    /// The calling thread's context; gives up with 201 when there is none, 709 when it is gone, or what broke it.
    context_object& context() {
        const std::uintptr_t handle = current_handle();
        if (handle == 0) refuse(driver::status::invalid_context, "no context is current to this thread");
        const auto found = state.contexts.find(handle);
        if (found == state.contexts.end())
            refuse(driver::status::context_is_destroyed, "the context that is current to this thread was destroyed");
        check(*found->second);
        return *found->second;
    }

    /// A context given as an argument; 201 unless it is alive.
    std::shared_ptr<context_object> context(driver::context_handle handle) {
        const auto found = state.contexts.find(number_of(handle));
        if (found == state.contexts.end()) refuse(driver::status::invalid_context, handle, " is no context that is alive");
        return found->second;
    }

    /// Gives up when the context is broken. The library shows these words as they are where it finds "met here, not caused here"
    /// in them: what did it is known here.
    void check(const context_object& context) const {
        if (context.broken == driver::status::success) return;
        const std::string again = context.primary ? say(" (end what was made in it, then hanabi::context::release(", context.device,
                                                        ", hanabi::driver::host()) and context::host(", context.device, "))")
                                                  : "";
        refuse(context.broken, context.broken_text,
               ": met here, not caused here; an earlier operation in this context failed, and what is in it is lost; no restart is "
               "needed, but another context",
               again);
    }

    /// Device configuration by ordinal; 101 when there is none.
    device_object& device(driver::device_handle ordinal) {
        if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= state.devices.size())
            refuse(driver::status::invalid_device, "no device ", ordinal, ": there are ", state.devices.size());
        return state.devices[static_cast<std::size_t>(ordinal)];
    }
    const device_config& config(const context_object& context) { return device(context.device).config; }

    /// The stream of a handle; the default ones of the current context. 400 when it is none, 709 when it went with its
    /// context, or what broke its context.
    stream_object& stream(driver::stream_handle handle) {
        const std::uintptr_t number = number_of(handle);
        if (number == 0 || number == driver::stream_legacy) return *context().legacy;
        if (number == driver::stream_per_thread) {
            context_object& here = context();
            std::shared_ptr<stream_object>& mine = here.per_thread[thread_number()];
            if (mine == nullptr) {
                mine = std::make_shared<stream_object>();
                mine->context = &here;
                here.blocking.push_back(mine.get());
            }
            return *mine;
        }
        stream_object& found = find(state.streams, number, handle_kind::stream, "stream");
        check(*found.context);
        return found;
    }

    event_object& event(driver::event_handle handle) {
        event_object& found = find(state.events, number_of(handle), handle_kind::event, "event");
        check(*found.context);
        return found;
    }

    /// 400 too when the module belongs to another context than the current one.
    module_object& module(driver::module_handle handle) {
        context_object& here = context();
        module_object& found = find(state.modules, number_of(handle), handle_kind::module, "module");
        if (found.context != &here)
            refuse(driver::status::invalid_handle, "the module", quoted(found.label),
                   " was loaded into another context than the current one");
        return found;
    }

    /// A function of any context.
    function_object& any_function(driver::function_handle handle) {
        function_object& found = find(state.functions, number_of(handle), handle_kind::function, "function");
        check(*found.module->context);
        return found;
    }

    /// 400 too when the function belongs to another context than the current one.
    function_object& function(driver::function_handle handle) {
        context_object& here = context();
        function_object& found = find(state.functions, number_of(handle), handle_kind::function, "function");
        if (found.module->context != &here)
            refuse(driver::status::invalid_handle, "the function ", found.kernel.name,
                   " was loaded into another context than the current one");
        return found;
    }

    /// The number of the calling thread.
    std::uint64_t thread_number() {
        thread_data& me = this_thread();
        if (me.number == 0) me.number = ++state.last_thread;
        return me.number;
    }

    /// A call that a capture forbids, as the driver's documentation puts it: gives up with 900, which invalidates the
    /// captures, where the calling thread's mode and theirs say so.
    void unsafe() {
        const driver::capture_mode mine = this_thread().capture;
        if (state.captures.empty() || mine == driver::capture_mode::relaxed) return;
        const std::uint64_t me = thread_number();
        bool forbidden = false;
        for (const auto& [id, capture] : state.captures) {
            if (capture->mode == driver::capture_mode::relaxed) continue;
            if (capture->thread != me && (mine != driver::capture_mode::global || capture->mode != driver::capture_mode::global)) continue;
            capture->invalid = true;
            forbidden = true;
        }
        if (forbidden)
            refuse(driver::status::stream_capture_unsupported, name(),
                   " is not permitted while a stream is capturing; the capture is invalidated");
    }

    /// Whether a stream captures; gives up with 901 where its capture is invalid.
    bool captures(const stream_object& stream) const {
        if (stream.capture == nullptr) return false;
        if (stream.capture->invalid)
            refuse(driver::status::stream_capture_invalidated, "the stream's capture was invalidated by an earlier error; end it");
        return true;
    }

    /// An operation that can't be captured: gives up with 900, which invalidates the capture, where the stream captures.
    void not_captured(const stream_object& stream) {
        if (!captures(stream)) return;
        stream.capture->invalid = true;
        refuse(driver::status::stream_capture_unsupported, name(), " can't be captured; the capture is invalidated");
    }

    /// Work on the legacy default stream gives up with 906 where a stream that it synchronises with captures.
    void not_implicit(const stream_object& stream) {
        if (!stream.legacy) return;
        bool found = false;
        for (const auto& [id, capture] : state.captures)
            for (const stream_object* const other : capture->streams)
                if (other->context == stream.context && !(other->flags & driver::stream_flags::non_blocking)) {
                    capture->invalid = true;
                    found = true;
                }
        if (found)
            refuse(driver::status::stream_capture_implicit,
                   "the legacy default stream synchronises with a stream that is capturing; the capture is invalidated");
    }

    graph_object& graph(driver::graph_handle handle) { return *graph_pointer(handle); }
    std::shared_ptr<graph_object> graph_pointer(driver::graph_handle handle) {
        return find_value(state.graphs, number_of(handle), handle_kind::graph, "graph");
    }
    std::shared_ptr<graph_node_object> node(driver::graph_node_handle handle) {
        return find_value(state.nodes, number_of(handle), handle_kind::graph_node, "graph node");
    }
    std::shared_ptr<exec_object> executable(driver::graph_exec_handle handle) {
        return find_value(state.executables, number_of(handle), handle_kind::graph_exec, "executable graph");
    }

    std::shared_ptr<user_object> user(driver::user_object_handle handle) {
        return find_value(state.users, number_of(handle), handle_kind::user_object, "user object");
    }

    /// Says what CUPTI is to record of the next operation that is submitted: a copy (copy_kind not 0) or a fill.
    void note_memory(const stream_object& stream, std::uint32_t copy_kind, std::size_t bytes, std::uint32_t source_kind,
                     std::uint32_t destination_kind, std::uint32_t value = 0) {
        pending_note_ = memory_note(*stream.context, copy_kind, bytes, source_kind, destination_kind, value);
        pending_note_.record.correlation = this_cupti_thread().correlation;
        pending_note_.record.stream = stream.legacy ? stream_number(0) : stream_number(stream.handle);
    }
    static activity_note memory_note(const context_object& context, std::uint32_t copy_kind, std::size_t bytes, std::uint32_t source_kind,
                                     std::uint32_t destination_kind, std::uint32_t value = 0) {
        activity_note note;
        cupti_feed& feed = the_cupti_feed();
        const activity_kind kind = copy_kind != 0 ? activity_kind::memcpy : activity_kind::memset;
        if (!feed.active() || !feed.producer.is_enabled(kind)) return note;
        activity_record& r = note.record;
        r.kind = kind;
        r.device = static_cast<std::uint32_t>(context.device);
        r.context = static_cast<std::uint32_t>(context.id);
        r.copy_kind = copy_kind;
        r.bytes = bytes;
        r.source_kind = source_kind;
        r.destination_kind = destination_kind;
        r.value = value;
        return note;
    }
    /// Work that is recorded while it runs; the work itself where nothing is to be recorded.
    static std::function<outcome()> noted(const activity_note& note, std::function<outcome()> work) {
        if (note.record.kind == activity_kind::invalid || !work) return work;
        return [note = activity_note{note}, work = std::move(work)]() mutable {
            const work_note during{note};
            return work();
        };
    }

    /// Puts an operation at the end of a stream, with what the stream's kind makes it wait for, and `after` beside. `touched`
    /// and `what` are for the race book.
    operation_ptr submit(stream_object& stream, std::function<outcome()> work, std::function<void()> finish, operation_ptr after = nullptr,
                         const std::vector<access>& touched = {}, const std::string& what = {}, std::uint64_t launch = 0) {
        not_implicit(stream);
        const auto op = std::make_shared<operation>();
        op->work = noted(std::exchange(pending_note_, {}), std::move(work));
        op->finish = std::move(finish);
        op->context = state.contexts.at(stream.context->handle);
        std::vector<operation_ptr> before = predecessors(stream);
        before.push_back(std::move(after));
        stream.tail = op;
        ++op->context->pending;
        note(state, *op, before, touched, what, launch);
        state.engine.submit(op, before);
        return op;
    }

    /// Writes an operation into the race book, where one is kept.
    static void note(driver_state& s, operation& op, const std::vector<operation_ptr>& before, const std::vector<access>& touched,
                     const std::string& what, std::uint64_t launch) {
        if (!s.settings.check_races) return;
        std::vector<std::uint64_t> numbers;
        for (const operation_ptr& b : before)
            if (b != nullptr) numbers.push_back(b->race_number);
        op.race_number = s.races.add(numbers, touched, what, launch, s.log);
    }

    /// What the next operation of a stream waits for: its last one; for a blocking stream the legacy stream's last one;
    /// for the legacy stream the last ones of every blocking stream.
    std::vector<operation_ptr> predecessors(stream_object& stream) {
        std::vector<operation_ptr> all;
        context_object& context = *stream.context;
        const bool races = state.settings.check_races; // what is done orders nothing but in the race book
        const auto add = [&](const operation_ptr& op) {
            if (op != nullptr && (races || !op->done)) all.push_back(op);
        };
        add(stream.tail);
        if (stream.legacy) {
            for (const stream_object* other : context.blocking) add(other->tail);
            auto& left = context.orphans;
            if (!races) left.erase(std::remove_if(left.begin(), left.end(), [](const operation_ptr& op) { return op->done; }), left.end());
            for (const operation_ptr& op : left) add(op);
        } else if (!(stream.flags & driver::stream_flags::non_blocking))
            add(context.legacy->tail);
        return all;
    }

    /// The work of a stream that is not done: of the legacy stream, that of the blocking streams with it.
    std::vector<operation_ptr> work_of(stream_object& stream) {
        std::vector<operation_ptr> all;
        if (stream.legacy)
            all = predecessors(stream);
        else if (stream.tail != nullptr)
            all.push_back(stream.tail);
        std::vector<operation_ptr> left;
        for (operation_ptr& op : all) {
            if (!op->done)
                left.push_back(std::move(op));
            else
                waited_for(*op);
        }
        return left;
    }

    /// Waits for operations; gives up with what broke their context meanwhile.
    void wait(const std::vector<operation_ptr>& operations) {
        std::vector<std::shared_ptr<context_object>> owners;
        for (const operation_ptr& op : operations) owners.push_back(op->context);
        state.engine.wait(
            lock, [&] { return std::all_of(operations.begin(), operations.end(), [](const operation_ptr& op) { return op->done; }); });
        for (const operation_ptr& op : operations) waited_for(*op);
        for (const auto& owner : owners) check(*owner);
    }

    /// The host knows that an operation is done, and submits what comes after it: for the race book.
    void waited_for(const operation& op) {
        if (op.race_number != 0) state.races.waited_for(op.race_number);
    }

    /// The memory of an operation: kept from being reused until the operation is done.
    using held = std::vector<allocation_ptr>;
    void use(const held& memory) {
        for (const allocation_ptr& a : memory) state.memory.use(*a);
    }
    static void unuse(driver_state& s, const held& memory) {
        for (const allocation_ptr& a : memory) s.memory.unuse(a, s.settings.quarantine_bytes);
    }

    std::uintptr_t current_handle() const noexcept {
        const thread_data& me = this_thread();
        return me.epoch == state.epoch.load(std::memory_order_relaxed) ? me.current : 0;
    }
    void set_current(std::uintptr_t handle) const noexcept {
        thread_data& me = this_thread();
        me.current = handle;
        me.epoch = state.epoch.load(std::memory_order_relaxed);
    }

    static std::string quoted(const std::string& label) { return label.empty() ? std::string{} : " '" + label + "'"; }

  private:
    /// Of objects that belong to no context, a driver says of a wrong handle that the value is invalid.
    template <class Table>
    typename Table::mapped_type find_value(Table& table, std::uintptr_t number, handle_kind kind, const char* what) {
        const auto found = table.find(number);
        if (found != table.end()) return found->second;
        const void* const shown = reinterpret_cast<const void*>(number);
        if (number == 0) refuse(driver::status::invalid_value, "the ", what, " handle is null");
        if (state.orphans.contains(number))
            refuse(driver::status::context_is_destroyed, "the ", what, " ", shown, " had work in a context that was destroyed");
        if (handle_source::is(number, kind)) refuse(driver::status::invalid_value, "the ", what, " ", shown, " was destroyed already");
        refuse(driver::status::invalid_value, shown, " is no ", what);
    }

    template <class Table>
    typename Table::mapped_type::element_type& find(Table& table, std::uintptr_t number, handle_kind kind, const char* what) {
        const auto found = table.find(number);
        if (found != table.end()) return *found->second;
        const void* const shown = reinterpret_cast<const void*>(number);
        if (number == 0) refuse(driver::status::invalid_handle, "the ", what, " handle is null");
        if (state.orphans.contains(number))
            refuse(driver::status::context_is_destroyed, "the ", what, " ", shown, " went with its context, which was destroyed");
        if (handle_source::is(number, kind)) refuse(driver::status::invalid_handle, "the ", what, " ", shown, " was destroyed already");
        refuse(driver::status::invalid_handle, shown, " is no ", what);
    }

    driver::entry entry_;
    activity_note pending_note_;
};

/// Runs an entry: counts it, lets it fail on order, and turns refusals into a status and lines of the log. `ordered_text`
/// receives the text of an order to fail.
template <class F>
driver::status enter(driver::entry entry, needs what, F body, std::string* ordered_text = nullptr) noexcept {
    try {
        driver_state& s = state();
        if (s.forked.load(std::memory_order_relaxed)) return driver::status::not_initialized;
        refusal why{driver::status::success, {}};
        if (auto ordered = s.faults.pass(entry, what == needs::nothing)) {
            if (ordered->status == driver::status::success) return driver::status::success;
            if (ordered_text != nullptr) *ordered_text = ordered->text;
            why = {ordered->status,
                   ordered->text.empty() ? std::string{"the call was ordered to fail (host::fail)"} : std::move(ordered->text)};
        } else if (what != needs::nothing && this_thread().inside_work)
            why = {driver::status::not_permitted, "no driver call is permitted inside a host function or a kernel"};
        else if (what == needs::initialisation && !s.initialized.load(std::memory_order_acquire))
            why = {driver::status::not_initialized, "cuInit was not called"};
        else {
            call_note note{entry}; // around the call, since it calls back: the state's lock is given up by then
            try {
                call c{s, entry};
                return note.returns(body(c));
            } catch (refusal& r) {
                why = std::move(r);
            } catch (const std::bad_alloc&) {
                why = {driver::status::out_of_memory, "the host driver itself is out of memory"};
            }
            note.returns(why.status);
        }
        if (!why.text.empty()) s.log.write(why.text);
        s.log.write(say("Returning ", static_cast<unsigned>(why.status), " (", driver::name_of(why.status), ") from ",
                        driver::describe(entry).name));
        return why.status;
    } catch (...) {
        return driver::status::unknown;
    }
}

} // namespace hanabi::host::detail

#endif
