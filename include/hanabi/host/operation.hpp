// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Operations: what streams are made of. One runs when all it depends on is done; streams, events and the legacy default
/// stream differ in what they make their operations depend on and in nothing else.

#ifndef HANABI_HOST_OPERATION_HPP
#define HANABI_HOST_OPERATION_HPP

#include <hanabi/driver/status.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

struct context_object;

/// How an operation ended. Anything but success breaks its context for good.
struct outcome {
    driver::status status = driver::status::success;
    std::string text;
};

struct operation;

/// How many of a set of operations may run at once: those of one launch of a graph. Whatever is ready beside waits here,
/// and comes out in no particular order. Guarded by the state's lock.
struct lane {
    std::size_t limit = 8;
    std::size_t running = 0;
    std::vector<std::shared_ptr<operation>> waiting;
};

/// One piece of work of one context. Guarded by the state's lock; `work` runs without it.
struct operation {
    std::function<outcome()> work; ///< empty: nothing but a point in time, done as soon as it may be, on no thread of its own
    std::function<void()> finish;  ///< under the lock, when the work is done or was skipped; must not throw
    std::shared_ptr<context_object> context;
    std::vector<std::shared_ptr<operation>> dependents;
    std::size_t waiting = 0; ///< how many operations it waits for
    bool done = false;
    bool counted = false;          ///< in lane::running
    std::shared_ptr<lane> within;  ///< null: no limit
    std::uint64_t race_number = 0; ///< in the race book; 0: not in it
    std::chrono::steady_clock::time_point finished{};
};
using operation_ptr = std::shared_ptr<operation>;

/// Runs operations. A thread serves one operation at a time, and there is a thread for every operation that can run: a
/// kernel that waits for the host, or for another stream, holds up nobody. Threads are made when first needed, kept for
/// the process, and never joined: they touch nothing but the state, which is never destroyed.
class engine {
  public:
    explicit engine(std::mutex& mutex) : mutex_{mutex} {}
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;

    /// What an operation's end means for its context: called under the lock, before `finish`.
    std::function<void(operation&, outcome&&)> on_end;
    /// Whether an operation's work is to be left out: under the lock, just before it would run.
    std::function<bool(const operation&)> is_skipped;

    /// Under the lock. The operation starts once every one of `after` is done; nulls are ignored.
    void submit(const operation_ptr& op, const std::vector<operation_ptr>& after) {
        for (const operation_ptr& before : after) {
            if (before == nullptr || before->done) continue;
            before->dependents.push_back(op);
            ++op->waiting;
        }
        if (op->waiting == 0) start(op, 0);
    }

    /// Under the lock: an operation that is not submitted yet waits for one release() more.
    void hold(const operation_ptr& op) { ++op->waiting; }
    void release(const operation_ptr& op) {
        if (--op->waiting == 0) start(op, 0);
    }

    /// Waits under the caller's lock until the condition holds; it is looked at whenever an operation ends.
    template <class Condition>
    void wait(std::unique_lock<std::mutex>& lock, Condition condition) {
        ++waiters_;
        changed_.wait(lock, condition);
        --waiters_;
    }

    /// Under the lock: something that a waiting condition looks at has changed.
    void notify() {
        if (waiters_ != 0) changed_.notify_all();
    }

    /// Threads made so far.
    std::size_t threads() const noexcept { return threads_; }

  private:
    /// `coming`: threads that will look at the queue without being woken.
    void start(const operation_ptr& op, std::size_t coming) {
        if (!op->work || is_skipped(*op)) return end(op, {}, coming);
        if (op->within != nullptr) {
            if (op->within->running >= op->within->limit) {
                op->within->waiting.push_back(op);
                return;
            }
            ++op->within->running;
            op->counted = true;
        }
        ready_.push_back(op);
        if (ready_.size() > idle_ + coming && !grow() && threads_ == 0) {
            ready_.pop_back();
            end(op, {driver::status::operating_system, "no thread could be started"}, coming);
            return;
        }
        if (idle_ != 0) work_.notify_one();
    }

    void end(const operation_ptr& op, outcome&& how, std::size_t coming) {
        std::deque<operation_ptr> ended{op};
        bool first = true;
        while (!ended.empty()) {
            const operation_ptr current = std::move(ended.front());
            ended.pop_front();
            on_end(*current, first ? std::move(how) : outcome{});
            first = false;
            current->finished = std::chrono::steady_clock::now();
            current->done = true;
            if (current->finish) current->finish();
            current->finish = nullptr;
            current->work = nullptr;
            std::vector<operation_ptr> dependents = std::move(current->dependents);
            current->dependents.clear();
            const auto go = [&](const operation_ptr& next) {
                if (!next->work || is_skipped(*next))
                    ended.push_back(next);
                else
                    start(next, coming);
            };
            if (current->counted) {
                current->counted = false;
                --current->within->running;
                for (auto& waiting = current->within->waiting; !waiting.empty() && current->within->running < current->within->limit;) {
                    // Any order is legal: the newest first would be as good, and always the same.
                    std::swap(waiting[random() % waiting.size()], waiting.back());
                    const operation_ptr next = std::move(waiting.back());
                    waiting.pop_back();
                    go(next);
                }
            }
            for (const operation_ptr& next : dependents)
                if (--next->waiting == 0) go(next);
        }
        notify();
    }

    std::size_t random() noexcept {
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(random_ >> 33);
    }

    bool grow() {
        try {
            std::thread{[this] { serve(); }}.detach();
            ++threads_;
            return true;
        } catch (const std::system_error&) {
            return false; // the threads there are will get to it
        }
    }

    void serve() {
        std::unique_lock lock{mutex_};
        for (;;) {
            while (ready_.empty()) {
                ++idle_;
                work_.wait(lock);
                --idle_;
            }
            operation_ptr op = std::move(ready_.front());
            ready_.pop_front();
            if (is_skipped(*op)) {
                end(op, {}, 1);
                continue;
            }
            lock.unlock();
            outcome how = op->work();
            lock.lock();
            end(op, std::move(how), 1);
        }
    }

    std::mutex& mutex_;
    std::condition_variable work_;
    std::condition_variable changed_;
    std::deque<operation_ptr> ready_;
    std::size_t idle_ = 0;
    std::size_t threads_ = 0;
    std::size_t waiters_ = 0;
    std::uint64_t random_ = 1;
};

} // namespace hanabi::host::detail

#endif
