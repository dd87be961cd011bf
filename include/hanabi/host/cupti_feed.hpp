// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Where the host driver's work is noted as activity: which kinds are wanted, and the records on their way.

#ifndef HANABI_HOST_CUPTI_FEED_HPP
#define HANABI_HOST_CUPTI_FEED_HPP

#include <hanabi/activity/kind.hpp>
#include <hanabi/activity/record.hpp>
#include <hanabi/config.hpp>
#include <hanabi/cupti/abi.hpp>
#include <hanabi/cupti/cbid.hpp>
#include <hanabi/cupti/status.hpp>
#include <hanabi/cupti/table.hpp>
#include <hanabi/detail/activity_producer.hpp>
#include <hanabi/detail/steady_clock.hpp>
#include <hanabi/driver/table.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace hanabi::host::detail {

/// CUPTI's number of a driver entry; 0 for those that are not recorded.
constexpr std::uint32_t cbid_of(driver::entry e) noexcept {
    switch (e) {
    case driver::entry::launch_kernel: return cupti::cbid::launch_kernel;
    case driver::entry::launch_kernel_ex: return cupti::cbid::launch_kernel_ex;
    case driver::entry::graph_launch: return cupti::cbid::graph_launch;
    case driver::entry::memcpy_htod_async: return cupti::cbid::memcpy_htod_async;
    case driver::entry::memcpy_dtoh_async: return cupti::cbid::memcpy_dtoh_async;
    case driver::entry::memcpy_dtod_async: return cupti::cbid::memcpy_dtod_async;
    case driver::entry::memcpy_peer_async: return cupti::cbid::memcpy_peer_async;
    case driver::entry::memset_d8_async: return cupti::cbid::memset_d8_async;
    case driver::entry::memset_d16_async: return cupti::cbid::memset_d16_async;
    case driver::entry::memset_d32_async: return cupti::cbid::memset_d32_async;
    case driver::entry::memset_d2d32_async: return cupti::cbid::memset_d2d32_async;
    case driver::entry::stream_synchronize: return cupti::cbid::stream_synchronize;
    case driver::entry::event_synchronize: return cupti::cbid::event_synchronize;
    case driver::entry::stream_wait_event: return cupti::cbid::stream_wait_event;
    default: return 0;
    }
}

/// CUpti_ActivitySynchronizationType of an entry; 0 for those that do not synchronise.
constexpr std::uint32_t synchronization_of(driver::entry e) noexcept {
    switch (e) {
    case driver::entry::event_synchronize: return 1;
    case driver::entry::stream_wait_event: return 2;
    case driver::entry::stream_synchronize: return 3;
    default: return 0;
    }
}

/// CUPTI's number of a stream: 7 for the legacy default stream, as CUPTI has it; else of its handle, in which a serial is.
constexpr std::uint32_t stream_number(std::uintptr_t handle) noexcept {
    if (handle <= 1) return 7;
    return handle == 2 ? 8 : 16 + static_cast<std::uint32_t>(handle >> 4);
}

/// Work of a stream that a record is to be of. Kept by the work; `record.kind` is invalid where none is wanted.
struct activity_note {
    activity_record record{};
    bool given_up = false; ///< a flush delivered it before it ended; under the feed's lock
};

/// Any thread. Costs one relaxed load a driver call while nothing is enabled. Its lock is a leaf, and not held over
/// callbacks.
class cupti_feed {
  public:
    hanabi::detail::activity_producer producer{16};
    std::atomic<cupti::timestamp_function> clock{nullptr};
    std::atomic<bool> subscribed{false};
    std::atomic<unsigned> without_time{0}; ///< that many kernels, copies and fills from now on have no time
    std::atomic<bool> forked{false};       ///< never cleared

    /// Something is to be recorded of driver calls or their work.
    bool active() const noexcept { return active_.load(std::memory_order_relaxed); }

    std::uint64_t now() const noexcept {
        const cupti::timestamp_function f = clock.load(std::memory_order_acquire);
        return f != nullptr ? f() : hanabi::detail::steady_now();
    }
    std::uint32_t next_correlation() noexcept { return correlation_.fetch_add(1, std::memory_order_relaxed) + 1; }

    void enable(activity_kind kind, bool on) noexcept {
        if (on)
            producer.enable(kind);
        else
            producer.disable(kind);
        if (kind == activity_kind::driver) // all calls or none: overrides what was chosen one by one
            for (auto& word : calls_) word.store(on ? ~std::uint64_t{0} : 0, std::memory_order_relaxed);
        update();
    }
    bool enable_call(std::uint32_t cbid, bool on) noexcept {
        if (cbid == 0 || cbid >= call_count) return false;
        const std::uint64_t bit = std::uint64_t{1} << cbid % 64;
        if (on)
            calls_[cbid / 64].fetch_or(bit, std::memory_order_relaxed);
        else
            calls_[cbid / 64].fetch_and(~bit, std::memory_order_relaxed);
        update();
        return true;
    }
    bool call_enabled(std::uint32_t cbid) const noexcept {
        return cbid < call_count && (calls_[cbid / 64].load(std::memory_order_relaxed) >> cbid % 64 & 1) != 0;
    }
    /// Which kind kernels are recorded as; invalid: not at all.
    activity_kind kernel_kind() const noexcept {
        if (producer.is_enabled(activity_kind::concurrent_kernel)) return activity_kind::concurrent_kernel;
        return producer.is_enabled(activity_kind::kernel) ? activity_kind::kernel : activity_kind::invalid;
    }

    /// A copy of a name, for good.
    const char* keep(const std::string& name) {
        const std::lock_guard held{mutex_};
        return names_.emplace(name).first->c_str();
    }

    /// The note's work begins, on the calling thread, with no lock held.
    void begin(activity_note& note) {
        if (note.record.kind == activity_kind::invalid) return;
        unsigned left = without_time.load(std::memory_order_relaxed);
        while (left != 0 && !without_time.compare_exchange_weak(left, left - 1)) {
        }
        if (left != 0) {
            note.record.start = hanabi::no_timestamp; // stands for "none" until the end
            return;
        }
        note.record.start = now();
        const std::lock_guard held{mutex_};
        running_.push_back(&note);
    }
    /// It ends.
    void end(activity_note& note) {
        if (note.record.kind == activity_kind::invalid) return;
        if (note.record.start == hanabi::no_timestamp)
            note.record.start = note.record.end = 0;
        else {
            const std::uint64_t ended = now();
            const std::lock_guard held{mutex_};
            std::erase(running_, &note);
            if (note.given_up) return;
            note.record.end = ended;
        }
        producer.produce(note.record);
    }

    /// As cuptiActivityFlushAll: with everything, what runs now is delivered without its end, and not again.
    void flush(cupti::flush_mode mode) {
        if (mode == cupti::flush_mode::everything) {
            std::vector<activity_record> cut;
            {
                const std::lock_guard held{mutex_};
                for (activity_note* const note : running_) {
                    if (note->given_up) continue;
                    note->given_up = true;
                    cut.push_back(note->record);
                }
            }
            for (const activity_record& r : cut) producer.produce(r);
        }
        producer.flush(mode);
    }

    /// Orders to fail, as host::fail() has for the driver.
    void add_fault(cupti::entry entry, cupti::status with, unsigned nth, unsigned times) {
        const std::lock_guard held{mutex_};
        faults_.push_back({entry, with, nth == 0 ? 1 : nth, times});
        any_fault_.store(true, std::memory_order_relaxed);
    }
    void clear_faults() {
        const std::lock_guard held{mutex_};
        faults_.clear();
        any_fault_.store(false, std::memory_order_relaxed);
    }
    /// What a call was ordered to answer; success: nothing.
    cupti::status ordered(cupti::entry entry) {
        if (!any_fault_.load(std::memory_order_relaxed)) return cupti::status::success;
        const std::lock_guard held{mutex_};
        cupti::status answer = cupti::status::success;
        for (fault& f : faults_) {
            if (f.entry != entry) continue;
            if (f.nth > 1) {
                --f.nth;
                continue;
            }
            if (answer == cupti::status::success) answer = f.status;
            if (f.times != ~0u) --f.times;
        }
        std::erase_if(faults_, [](const fault& f) { return f.times == 0; });
        return answer;
    }

    /// The callbacks of the client.
    std::atomic<cupti::buffer_request> request{nullptr};
    std::atomic<cupti::buffer_complete> complete{nullptr};
    void connect() noexcept { producer.connect(&client_); }

    /// As at the beginning; buffers that are out go back to their owner. No work may be under way.
    void reset() {
        for (std::uint32_t number = 0; number < activity_kind_count; ++number) enable(static_cast<activity_kind>(number), false);
        producer.flush(cupti::flush_mode::everything, true); // buffers that other threads wrote to as well
        producer.take_dropped();
        producer.connect(nullptr);
        request = nullptr;
        complete = nullptr;
        clock = nullptr;
        subscribed = false;
        without_time = 0;
        clear_faults();
    }

  private:
    struct fault {
        cupti::entry entry;
        cupti::status status;
        unsigned nth;
        unsigned times;
    };
    static constexpr std::uint32_t call_count = 1024;

    void update() noexcept {
        bool any = producer.any_enabled();
        for (const auto& word : calls_) any = any || word.load(std::memory_order_relaxed) != 0;
        active_.store(any, std::memory_order_relaxed);
    }

    static void ask(void* state, std::uint8_t*& buffer, std::size_t& size, std::size_t& max_records) {
        if (const auto f = static_cast<cupti_feed*>(state)->request.load()) f(&buffer, &size, &max_records);
    }
    static void give(void* state, std::uint8_t* buffer, std::size_t size, std::size_t valid, std::size_t) {
        if (const auto f = static_cast<cupti_feed*>(state)->complete.load()) f(nullptr, 0, buffer, size, valid);
    }

    std::atomic<bool> active_{false};
    std::atomic<std::uint32_t> correlation_{0};
    std::atomic<std::uint64_t> calls_[call_count / 64]{};
    hanabi::detail::buffer_client client_{this, &ask, &give};
    std::mutex mutex_;
    std::unordered_set<std::string> names_;
    std::vector<activity_note*> running_;
    std::vector<fault> faults_;
    std::atomic<bool> any_fault_{false};
};

/// Never destroyed: work may end after main() does.
HANABI_SHARED inline cupti_feed& the_cupti_feed() {
    static cupti_feed& feed = *new cupti_feed;
    return feed;
}

/// The numbers that the calling thread has pushed, one stack for each external kind, and the call it is in.
struct cupti_thread {
    std::vector<std::uint64_t> external[6];
    std::uint32_t correlation = 0; ///< of the driver call under way; 0: none, or nothing is recorded
};
HANABI_SHARED inline cupti_thread& this_cupti_thread() {
    static thread_local cupti_thread data;
    return data;
}

/// A driver call, while it lives. Made before the driver's lock is taken and destroyed after it is given up, since it calls
/// back.
class call_note {
  public:
    explicit call_note(driver::entry entry) {
        if (the_cupti_feed().active()) [[unlikely]]
            begin(entry);
    }
    ~call_note() {
        if (on_) end();
    }
    call_note(const call_note&) = delete;
    call_note& operator=(const call_note&) = delete;

    driver::status returns(driver::status s) noexcept {
        result_ = s;
        return s;
    }

  private:
    HANABI_COLD void begin(driver::entry entry) {
        cbid_ = cbid_of(entry);
        if (cbid_ == 0) return;
        cupti_thread& me = this_cupti_thread();
        if (me.correlation != 0) return; // the driver's own call within a call
        on_ = true;
        synchronizes_ = synchronization_of(entry);
        me.correlation = the_cupti_feed().next_correlation();
        start_ = the_cupti_feed().now();
    }
    HANABI_COLD void end() {
        cupti_feed& feed = the_cupti_feed();
        cupti_thread& me = this_cupti_thread();
        activity_record r;
        r.correlation = me.correlation;
        me.correlation = 0;
        r.start = start_;
        r.end = feed.now();
        if (synchronizes_ != 0 && feed.producer.is_enabled(activity_kind::synchronization)) {
            r.kind = activity_kind::synchronization;
            r.type = synchronizes_;
            r.result = static_cast<std::uint32_t>(result_);
            feed.producer.produce(r);
            r.type = 0;
        }
        if (!feed.call_enabled(cbid_)) return;
        if (feed.producer.is_enabled(activity_kind::external_correlation))
            for (std::uint32_t kind = 1; kind < 6; ++kind)
                if (!me.external[kind].empty()) {
                    activity_record e;
                    e.kind = activity_kind::external_correlation;
                    e.external_kind = kind;
                    e.external_id = me.external[kind].back();
                    e.correlation = r.correlation;
                    feed.producer.produce(e);
                }
        r.kind = activity_kind::driver;
        r.cbid = cbid_;
        r.result = static_cast<std::uint32_t>(result_);
#if !defined(_WIN32)
        r.process = static_cast<std::uint32_t>(::getpid());
#endif
        r.thread = hanabi::detail::thread_number();
        feed.producer.produce(r);
    }

    bool on_ = false;
    std::uint32_t cbid_ = 0;
    std::uint32_t synchronizes_ = 0;
    std::uint64_t start_ = 0;
    driver::status result_ = driver::status::success;
};

/// Work of a stream, while it runs.
class work_note {
  public:
    explicit work_note(activity_note& note) : note_{note} { the_cupti_feed().begin(note_); }
    ~work_note() { the_cupti_feed().end(note_); }
    work_note(const work_note&) = delete;
    work_note& operator=(const work_note&) = delete;

  private:
    activity_note& note_;
};

} // namespace hanabi::host::detail

#endif
