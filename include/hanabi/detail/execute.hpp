// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Expressions run at once: each kind of node on a stream, parts beside each other on streams of the context's pool.

#ifndef HANABI_DETAIL_EXECUTE_HPP
#define HANABI_DETAIL_EXECUTE_HPP

#include <hanabi/config.hpp>
#include <hanabi/context.hpp>
#include <hanabi/detail/accesses.hpp>
#include <hanabi/detail/dataflow.hpp>
#include <hanabi/detail/fork_streams.hpp>
#include <hanabi/detail/transfer.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/event.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/expression/call.hpp>
#include <hanabi/expression/copy.hpp>
#include <hanabi/expression/events.hpp>
#include <hanabi/expression/fill.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace hanabi::detail {

/// errc::value_out_of_range for a negative number of repetitions.
template <class = void>
HANABI_COLD std::error_code times_refused(std::uint64_t times, std::string* words) {
    return refused(errc::value_out_of_range, words, [&] {
        return "hanabi::repeat: " + std::to_string(static_cast<std::int64_t>(times)) + " times; a number of times is not negative";
    });
}

/// The sides of a copy have different numbers of elements.
template <class = void>
HANABI_COLD std::error_code check_copy(const copy_data& c, std::string* words) {
    if (c.sizes_match()) return {};
    return refused(errc::size_mismatch, words, [&] {
        return std::string{"hanabi::copy at "} + c.site.file_name() + ":" + std::to_string(c.site.line()) + ": the source has " +
               std::to_string(c.source_count) + " elements and the destination " + std::to_string(c.destination_count) +
               "; copy a part with subspan()";
    });
}

template <class = void>
std::error_code run_copy(const copy_data& c, const context_state& in, driver::stream_handle stream, std::string* words) {
    if (const std::error_code code = check_copy(c, words)) return code;
    const transfer t{in, stream, completion::queued, words, "hanabi::copy"};
    switch (c.way) {
    case direction::host_to_device: return copy_h2d(t, c.destination, reinterpret_cast<const void*>(c.source), c.bytes());
    case direction::device_to_host: return copy_d2h(t, reinterpret_cast<void*>(c.destination), c.source, c.bytes());
    default: return copy_d2d(t, c.destination, c.source, c.bytes());
    }
}

template <class = void>
std::error_code run_record(event& mark, driver::stream_handle stream, std::string* words) {
    std::error_code code;
    if (words == nullptr)
        mark.record(stream, code);
    else
        mark.record(stream); // its words are good
    return code;
}

template <class = void>
std::error_code run_wait(const event& mark, const context_state& in, driver::stream_handle stream, std::string* words) {
    if (mark.handle() == nullptr)
        return refused(errc::invalid_argument, words, [] { return std::string{"hanabi::wait: the event was moved from"}; });
    const current_scope scope{in};
    driver::status status = scope.status();
    if (status == driver::status::success) status = in.driver->stream_wait_event(stream, mark.handle(), 0);
    return status == driver::status::success ? std::error_code{} : driver_failed(in, status, words, "hanabi::wait");
}

/// Gives a function to the stream; the context's pool owns it from now on, whatever happens.
template <class = void>
std::error_code run_call(pending_call* made, context_state& in, driver::stream_handle stream, std::string* words) {
    const current_scope scope{in};
    driver::status status = scope.status();
    if (status == driver::status::success) status = ask_capturing(*in.driver, stream, made->captured);
    if (status != driver::status::success) {
        delete made;
        return driver_failed(in, status, words, "hanabi::call");
    }
    pending_call* called = nullptr;
    {
        const detail::lock held{in.pool.guard};
        called = in.pool.take_called();
        made->next = in.pool.calls;
        in.pool.calls = made;
    }
    stream_pool::free(called);
    status = in.driver->launch_host_func(stream, &pending_call::run, made);
    if (status == driver::status::success) return {};
    made->done.release(true); // never to be called
    return driver_failed(in, status, words, "hanabi::call");
}

template <class F>
struct pending_call_of final : pending_call {
    F callable;
    explicit pending_call_of(const F& f) : callable{f} {}
    void call() noexcept override { call_of<F>::invoke(&callable); }
};

/// Reads a device's number back when all before it on the stream is done.
template <class = void>
std::error_code read_flag(driver::device_address flag, std::uint32_t& value, const context_state& in, driver::stream_handle stream,
                          std::string* words) {
    return copy_d2h({in, stream, completion::done, words, "hanabi::repeat_while: reading the flag"}, &value, flag, sizeof value);
}

/// On which lane each task of a dataflow runs: behind one that it waits for where that one is the lane's last, else on the
/// lane that has been idle longest.
template <class = void>
struct lane_plan {
    pod_list<std::uint32_t> lane;    ///< of each task
    pod_list<std::uint32_t> awaited; ///< by how many tasks of other lanes each is waited for
    std::size_t lanes = 0;

    lane_plan(const dataflow_graph& g, std::size_t most) {
        lane.assign_zeros(g.size());
        awaited.assign_zeros(g.size());
        std::uint32_t last[fork_streams::most] = {}; // one more than the last task of each lane
        std::size_t width = g.width < most ? g.width : most;
        for (std::uint32_t t = 0; t < g.size(); ++t) {
            std::size_t chosen = width;
            for (const std::uint32_t p : g.predecessors_of(t))
                if (last[lane[p]] == p + 1) {
                    chosen = lane[p];
                    break;
                }
            if (chosen == width) {
                chosen = 0;
                for (std::size_t i = 1; i < width; ++i)
                    if (last[i] < last[chosen]) chosen = i;
            }
            lane[t] = static_cast<std::uint32_t>(chosen);
            last[chosen] = t + 1;
            if (chosen + 1 > lanes) lanes = chosen + 1;
            for (const std::uint32_t p : g.predecessors_of(t))
                if (lane[p] != chosen) ++awaited[p];
        }
    }
};

/// Launches the parts of a sequence of launches until one fails. Executors could, but this is less to compile: a launch
/// refuses a forked process itself, and what is wrong with it is told by the registry.
template <class Launcher>
struct launch_each {
    const Launcher& launch;
    std::error_code* code;
    bool good = true;

    template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
    void operator()(const launch_data<G, Size, Alignment, Arity>& part) {
        if (!good) return;
        launch(launch.registry->slots.find(*part.kernel), part, code);
        good = code == nullptr || code->value() == 0;
    }
};

template <class E>
constexpr bool only_launches() noexcept {
    if constexpr (E::node == node_kind::sequence)
        return E::only_launches;
    else
        return false;
}

/// Runs nodes through a launcher. `code` is null where what goes wrong is to be thrown.
template <class Launcher>
struct executor {
    const Launcher& launch;
    std::error_code* code;

    /// False when it failed, with the code set.
    template <class E>
    bool run(const E& e) const {
        constexpr node_kind node = E::node;
        if constexpr (node == node_kind::launch)
            return run_launch(e);
        else if constexpr (node == node_kind::sequence)
            return run_parts(e);
        else if constexpr (node == node_kind::group || node == node_kind::touches)
            return run(e.body);
        else if constexpr (node == node_kind::repeat) {
            if (e.times >> 63 != 0) return done([&](std::string* words) { return times_refused(e.times, words); });
            for (std::uint64_t i = 0; i < e.times; ++i)
                if (!run(e.body)) return false;
            return true;
        } else if constexpr (node == node_kind::when)
            return !e.enabled || run(e.body);
        else if constexpr (node == node_kind::repeat_while) {
            for (std::uint32_t flag = 0;;) {
                if (!done([&](std::string* words) { return read_flag(e.flag, flag, context(), launch.stream, words); })) return false;
                if (flag == 0) return true;
                if (!run(e.body)) return false;
            }
        } else if constexpr (node == node_kind::sequence_range) {
            for (const auto& part : e)
                if (!run(part)) return false;
            return true;
        } else if constexpr (node == node_kind::parallel || node == node_kind::unordered)
            return run_beside(e, E::size);
        else if constexpr (node == node_kind::parallel_range || node == node_kind::unordered_range)
            return run_beside(e, e.size());
        else if constexpr (node == node_kind::dataflow)
            return run_dataflow(e, E::size);
        else if constexpr (node == node_kind::dataflow_range)
            return run_dataflow(e, e.size());
        else if constexpr (node == node_kind::copy)
            return done([&](std::string* words) { return run_copy(e, context(), launch.stream, words); });
        else if constexpr (node == node_kind::fill)
            return done([&](std::string* words) {
                return fill({context(), launch.stream, completion::queued, words, "hanabi::fill"}, e.destination, e.value, e.element,
                            e.count);
            });
        else if constexpr (node == node_kind::call)
            return done([&](std::string* words) {
                using callable = std::remove_cvref_t<decltype(e.callable)>;
                return run_call(new pending_call_of<callable>(e.callable), context(), launch.stream, words);
            });
        else if constexpr (node == node_kind::barrier)
            return true; // streams are in order
        else if constexpr (node == node_kind::record)
            return done([&](std::string* words) { return run_record(*e.mark, launch.stream, words); });
        else if constexpr (node == node_kind::wait)
            return done([&](std::string* words) { return run_wait(*e.mark, context(), launch.stream, words); });
        else {
            e.execute(hanabi::context{launch.registry->context}, launch.stream, code);
            return good();
        }
    }

    /// Checks for races, then runs.
    template <class E>
    void run_all(const E& e) const {
        if (code != nullptr) code->clear();
        if (process_forked) { // before any lock is taken, which another thread may have held
            static_cast<void>(done([&](std::string* words) {
                return driver_failed(context(), driver::status::not_initialized, words, "hanabi::dispatcher: running an expression");
            }));
            return;
        }
        if constexpr (E::forks)
            if (!done([&](std::string* words) { return check_races(e, context(), words, "running a parallel expression"); })) return;
        static_cast<void>(run(e));
    }

  private:
    context_state& context() const noexcept { return *launch.registry->context; }
    bool good() const noexcept { return code == nullptr || code->value() == 0; }

    /// Does something that returns a code and puts words where it is told to.
    template <class Work>
    bool done(const Work& work) const {
        if (code != nullptr) {
            *code = work(static_cast<std::string*>(nullptr));
            return good();
        }
        std::string words;
        raise_if(work(&words), words);
        return true;
    }

    template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
    bool run_launch(const launch_data<G, Size, Alignment, Arity>& e) const {
        launch(launch.registry->slots.find(*e.kernel), e, code);
        return good();
    }
    template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
    bool run_part(const launch_data<G, Size, Alignment, Arity>& e) const {
        return run_launch(e);
    }
    template <class E>
    requires(E::node != node_kind::launch) bool run_part(const E& e) const { return run(e); }

    // What is done with each part; launches come as what they are made of, whatever their kernel, so that few instantiations
    // serve them all.
    template <class Derived>
    struct for_part {
        const executor& self;
        bool& good;
        template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
        void operator()(const launch_data<G, Size, Alignment, Arity>& part) {
            if (good) good = static_cast<Derived*>(this)->go(part);
        }
        template <class E>
        requires(E::node != node_kind::launch) void operator()(const E& part) {
            if (good) good = static_cast<Derived*>(this)->go(part);
        }
    };
    struct next_part : for_part<next_part> {
        template <class E>
        bool go(const E& part) const {
            return this->self.run_part(part);
        }
    };
    template <class E>
    bool run_parts(const E& e) const {
        bool all = true;
        e.for_each_part(next_part{{*this, all}});
        return all;
    }

    template <class E>
    bool run_on(driver::stream_handle stream, const E& e) const {
        if (stream == launch.stream) return run_part(e);
        Launcher other = launch;
        other.stream = stream;
        return executor{other, code}.run_part(e);
    }

    /// Parts on the lanes of a fork, in turns.
    struct next_beside : for_part<next_beside> {
        fork_streams& fork;
        std::size_t i = 0;
        template <class E>
        bool go(const E& part) {
            return this->self.run_on(fork.lane(i++ % fork.lanes()), part);
        }
    };
    /// Tasks of a dataflow.
    struct next_task : for_part<next_task> {
        fork_streams& fork;
        const dataflow_graph& graph;
        lane_plan<>& plan;
        pod_list<pooled_event*>& marks;
        // The last task of each lane that each other lane has waited for: one later in a lane is behind those before it.
        std::uint32_t waited[fork_streams::most][fork_streams::most] = {};
        std::uint32_t t = 0;
        template <class E>
        bool go(const E& part) {
            if (!begin() || !this->self.run_on(fork.lane(plan.lane[t]), part)) return false;
            return end();
        }

      private:
        bool begin() {
            const std::uint32_t lane = plan.lane[t];
            for (const std::uint32_t p : graph.predecessors_of(t)) {
                const std::uint32_t from = plan.lane[p];
                if (from == lane) continue;
                if (waited[lane][from] <= p) {
                    waited[lane][from] = p + 1;
                    if (!this->self.done([&](std::string* words) { return fork.wait(lane, *marks[p], words); })) return false;
                }
                if (--plan.awaited[p] == 0) fork.reuse(*marks[p]);
            }
            return true;
        }
        bool end() {
            const std::uint32_t task = t++;
            return plan.awaited[task] == 0 ||
                   this->self.done([&](std::string* words) { return fork.mark(plan.lane[task], marks[task], words); });
        }
    };

    template <class E>
    bool run_beside(const E& e, std::size_t count) const {
        if (count == 0) return true;
        fork_streams fork{context(), launch.stream};
        if (!done([&](std::string* words) { return fork.start(count, words); })) return false;
        bool all = true;
        e.for_each_part(next_beside{{*this, all}, fork});
        // After a failure what was begun is joined by the destructor: its code is the one to tell.
        return all && done([&](std::string* words) { return fork.join(words); });
    }

    template <class E>
    bool run_dataflow(const E& e, std::size_t count) const {
        if (count == 0) return true;
        const dataflow_graph graph = infer_dataflow(e, context(), count);
        lane_plan<> plan{graph, fork_streams::most};
        fork_streams fork{context(), launch.stream};
        if (!done([&](std::string* words) { return fork.start(plan.lanes, words); })) return false;
        bool all = true;
        pod_list<pooled_event*> marks;
        marks.assign_zeros(count);
        e.for_each_part(next_task{{*this, all}, fork, graph, plan, marks});
        return all && done([&](std::string* words) { return fork.join(words); });
    }
};

} // namespace hanabi::detail

#endif
