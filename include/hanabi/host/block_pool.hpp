// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The threads that a kernel's blocks are spread over.

#ifndef HANABI_HOST_BLOCK_POOL_HPP
#define HANABI_HOST_BLOCK_POOL_HPP

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace hanabi::host::detail {

/// Helpers, one for each core but one, shared by all kernels. A kernel always runs on its stream's thread too, so none
/// waits for a helper to begin. Its lock is taken under no other and nothing is taken under it.
class block_pool {
  public:
    /// Calls f(first, last) for ranges that make up [0, blocks), on several threads at once, until one call returns
    /// false; returns when all calls are over. f must not throw.
    template <class F>
    void run(std::uint64_t blocks, bool spread, F f) {
        const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
        const auto work = std::make_shared<job>();
        work->total = blocks;
        work->grain = std::clamp<std::uint64_t>(blocks / (std::uint64_t{cores} * 16), 1, 4096);
        work->call = std::ref(f);
        const bool helped = spread && blocks > 1 && cores > 1;
        if (helped) offer(work, static_cast<unsigned>(std::min<std::uint64_t>(cores - 1, blocks - 1)));
        work->serve();
        if (!helped) return;
        std::unique_lock lock{mutex_};
        jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), work), jobs_.end());
        left_.wait(lock, [&] { return work->helpers == 0; });
    }

  private:
    struct job {
        std::atomic<std::uint64_t> next{0};
        std::uint64_t total = 0;
        std::uint64_t grain = 1;
        std::function<bool(std::uint64_t, std::uint64_t)> call;
        unsigned places = 0;  // for helpers that have not come yet
        unsigned helpers = 0; // that are here; both under the pool's lock

        void serve() {
            for (;;) {
                const std::uint64_t first = next.fetch_add(grain, std::memory_order_relaxed);
                if (first >= total) return;
                if (!call(first, std::min(total, first + grain))) next.store(total, std::memory_order_relaxed);
            }
        }
    };

    void offer(const std::shared_ptr<job>& work, unsigned helpers) {
        const std::lock_guard lock{mutex_};
        work->places = helpers;
        jobs_.push_back(work);
        while (threads_ < helpers) {
            try {
                std::thread{[this] { help(); }}.detach();
                ++threads_;
            } catch (const std::system_error&) {
                break; // the stream's own thread does all of it
            }
        }
        come_.notify_all();
    }

    void help() {
        std::unique_lock lock{mutex_};
        for (;;) {
            come_.wait(lock, [&] { return !jobs_.empty(); });
            const std::shared_ptr<job> work = jobs_.front();
            ++work->helpers;
            if (--work->places == 0) jobs_.pop_front();
            lock.unlock();
            work->serve();
            lock.lock();
            if (--work->helpers == 0) left_.notify_all();
            jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), work), jobs_.end()); // it has nothing left to give out
        }
    }

    std::mutex mutex_;
    std::condition_variable come_;
    std::condition_variable left_;
    std::deque<std::shared_ptr<job>> jobs_;
    unsigned threads_ = 0;
};

} // namespace hanabi::host::detail

#endif
