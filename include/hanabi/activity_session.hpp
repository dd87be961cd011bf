// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host-side activity session: CUPTI's buffer protocol as a deterministic state machine that needs no GPU and no CUPTI.

#ifndef HANABI_ACTIVITY_SESSION_HPP
#define HANABI_ACTIVITY_SESSION_HPP

#include <hanabi/activity/drop_count.hpp>
#include <hanabi/activity/kind.hpp>
#include <hanabi/activity/launch_mark.hpp>
#include <hanabi/activity/record.hpp>
#include <hanabi/config.hpp>
#include <hanabi/cupti/abi.hpp>
#include <hanabi/cupti/codec.hpp>
#include <hanabi/cupti/layout.hpp>
#include <hanabi/detail/activity_producer.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/buffer_pool.hpp>
#include <hanabi/detail/fork_count.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/spin_lock.hpp>
#include <hanabi/detail/steady_clock.hpp>
#include <hanabi/error.hpp>
#include <hanabi/launch_view.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace hanabi {

/// Takes records in and hands them over, in one of two ways.
///
/// *Strict*: values, in order, up to a capacity; a record that finds no room is refused and told so. Nothing is ever lost
/// that record() did not report.
///
/// *Faithful*: what CUPTI does, in real bytes. Buffers come from the request callback, records are written in CUDA 13.0's
/// layout, the completed callback gets the buffer back with its valid size: cuptiActivityGetNextRecord can walk it. A
/// producer is never refused: a full buffer is handed over and another asked for, and a record is dropped, and counted,
/// only when there is none. Records of kinds that are off are not made. Kinds can be enabled before callbacks are
/// registered.
///
/// As the session of profile::activity it records launches by the host's clock: when the call began and returned.
///
/// Any thread for every function; threads of a faithful session write without getting in each other's way, up to its
/// number of shards. A callback that calls back into the session gets
/// errc::inside_callback, or is dropped. In a forked child a session made before the fork does nothing, and says
/// errc::forked_process. Neither copied nor moved: policies point to it.
class activity_session {
  public:
    /// Selects the faithful way.
    struct faithful {
        std::size_t buffer_bytes = 1u << 20; ///< of each buffer of the built-in pair
        std::size_t max_buffers = 64;        ///< of the built-in pair: the bound of the session's memory
        unsigned shards = 32;                ///< threads beyond this number share; each that records holds a buffer
    };

    /// Strict, idle: no kinds, no callbacks. Capacity 0 becomes 1.
    explicit activity_session(std::size_t capacity = 256)
        : capacity_{capacity == 0 ? 1 : capacity},
          strict_pending_{new activity_record[capacity_]},
          strict_spare_{new activity_record[capacity_]},
          producer_{1} {}
    /// Faithful, idle.
    explicit activity_session(const faithful& how) : producer_{how.shards == 0 ? 1 : how.shards} {
        pool_.configure(how.buffer_bytes < 4096 ? 4096 : how.buffer_bytes, how.max_buffers == 0 ? 1 : how.max_buffers);
    }
    /// Gives buffers of the user's own callbacks back through them, with what is in them.
    ~activity_session() {
        if (is_faithful() && alive()) producer_.flush(cupti::flush_mode::everything, true);
    }
    activity_session(const activity_session&) = delete;
    activity_session& operator=(const activity_session&) = delete;

    bool is_faithful() const noexcept { return capacity_ == 0; }
    /// Records that a strict session holds before flush() must be called; 0 for a faithful one.
    std::size_t capacity() const noexcept { return capacity_; }

    /// Registers the built-in callbacks, which feed drain(). Does nothing when callbacks are registered already.
    void register_callbacks() noexcept {
        if (producer_.connected()) return;
        client_ = {this, &built_in_request, &built_in_complete};
        producer_.connect(&client_);
    }
    /// Registers the caller's own: buffers come from `request` and go, filled, to `complete`, and drain() gets nothing.
    /// Does nothing when callbacks are registered already. Throws errc::invalid_argument for a null one.
    void register_callbacks(cupti::buffer_request request, cupti::buffer_complete complete) {
        if (request == nullptr || complete == nullptr)
            detail::raise(make_error_code(errc::invalid_argument),
                          "hanabi::activity_session::register_callbacks: a callback is null; give both, or none for the built-in pair");
        if (producer_.connected()) return;
        users_request_ = request;
        users_complete_ = complete;
        client_ = {this, &users_request, &users_complete};
        producer_.connect(&client_);
    }
    bool has_callbacks() const noexcept { return producer_.connected(); }
    /// False for a session that nobody started: it records nothing, and counts launches as dropped.
    bool was_started() const noexcept { return has_callbacks(); }

    /// Turns a kind on; once is enough. Throws errc::callbacks_not_registered (strict), errc::invalid_argument for a number
    /// that is no kind of CUPTI 13.0, errc::forked_process.
    void enable(activity_kind kind) {
        std::error_code code;
        enable(kind, code);
        if (code) raise(code, "enable", kind);
    }
    /// \overload
    void enable(activity_kind kind, std::error_code& code) noexcept {
        const auto number = static_cast<std::uint32_t>(kind);
        code = {};
        if (!alive())
            code = make_error_code(errc::forked_process);
        else if (!is_faithful() && !producer_.connected())
            code = make_error_code(errc::callbacks_not_registered);
        else if (number == 0 || number >= activity_kind_count)
            code = make_error_code(errc::invalid_argument);
        else {
            const detail::spin_guard held{lock_};
            if (producer_.is_enabled(kind)) return;
            order_[kinds_on_++] = kind;
            producer_.enable(kind);
        }
    }
    /// Turns a kind off; nothing happens if it is off.
    void disable(activity_kind kind) noexcept {
        if (!alive()) return;
        const detail::spin_guard held{lock_};
        producer_.disable(kind);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < kinds_on_; ++i)
            if (order_[i] != kind) order_[kept++] = order_[i];
        kinds_on_ = kept;
    }
    bool is_enabled(activity_kind kind) const noexcept { return producer_.is_enabled(kind); }
    /// The kinds that are on, in the order in which they were enabled.
    std::vector<activity_kind> enabled_kinds() const {
        std::vector<activity_kind> all(activity_kind_count);
        const detail::spin_guard held{lock_};
        for (std::size_t i = 0; i < kinds_on_; ++i) all[i] = order_[i];
        all.resize(kinds_on_);
        return all;
    }

    /// Puts a record in. Strict: throws errc::callbacks_not_registered; a record of a kind that is off is left out and
    /// counted in dropped_records(); throws errc::buffer_full, naming the capacity, when `capacity` records are pending:
    /// nothing is stored then, and nothing lost. Faithful: never throws for want of room.
    void record(const activity_record& r) {
        std::error_code code;
        record(r, code);
        if (code) raise(code, "record", r.kind);
    }
    /// \overload
    void record(const activity_record& r, std::error_code& code) noexcept {
        const int result = put(r.kind, cupti::layout::size_of(r.kind), r.end == 0 && r.is_kernel() && r.unfinished(), value_writer{r});
        if (result != 0)
            code = make_error_code(static_cast<errc>(result));
        else if (code.value() != 0)
            code.clear();
    }

    /// Everything pending becomes completed, in order; how many records that was. Throws errc::callbacks_not_registered
    /// and, from a buffer callback, errc::inside_callback. Faithful: the mode says what is handed over; what other threads
    /// are in the midst of writing needs a buffer for a copy, and stays pending where there is none.
    std::size_t flush(cupti::flush_mode mode = cupti::flush_mode::everything) {
        std::error_code code;
        const std::size_t records = flush(mode, code);
        if (code) raise(code, "flush", activity_kind::invalid);
        return records;
    }
    /// \overload
    std::size_t flush(std::error_code& code) noexcept { return flush(cupti::flush_mode::everything, code); }
    /// \overload
    std::size_t flush(cupti::flush_mode mode, std::error_code& code) noexcept {
        code = {};
        if (!alive())
            code = make_error_code(errc::forked_process);
        else if (detail::inside_buffer_callback())
            code = make_error_code(errc::inside_callback);
        else if (!producer_.connected())
            code = make_error_code(errc::callbacks_not_registered);
        else
            return is_faithful() ? producer_.flush(mode) : flush_strictly();
        return 0;
    }

    /// Hands over everything completed since the last drain, in order.
    std::vector<activity_record> drain() {
        std::vector<activity_record> all;
        all.reserve(completed());
        drain([&all](const activity_record& r) { all.push_back(r); });
        return all;
    }
    /// The same, one record at a time: visit(const activity_record&). Returns how many. Memory does not grow with their
    /// number. Inside a visitor or a buffer callback it does nothing. Threads that drain a faithful session at once do so side by
    /// side, each with buffers of its own; of a strict one, one after the other.
    template <class Visitor>
    std::size_t drain(Visitor&& visit) {
        if (!alive() || detail::inside_buffer_callback()) return 0;
        // What a visitor throws must not lose the buffers: whatever was not visited stays for the next drain.
        struct turn {
            activity_session& session;
            bool mine = false;
            explicit turn(activity_session& s) : session{s} {
                if (draining() == &s) return;
                if (!s.is_faithful()) s.drain_mutex_.lock();
                before = std::exchange(draining(), &s);
                mine = true;
            }
            ~turn() {
                if (!mine) return;
                draining() = before;
                if (!session.is_faithful()) session.drain_mutex_.unlock();
            }
            turn(const turn&) = delete;
            turn& operator=(const turn&) = delete;
            const activity_session* before = nullptr;
        } const t{*this};
        if (!t.mine) return 0;
        return is_faithful() ? drain_buffers(visit) : drain_values(visit);
    }

    /// Records taken in and not flushed.
    std::size_t pending() const noexcept {
        if (is_faithful()) return alive() ? producer_.pending() : 0;
        const detail::spin_guard held{lock_};
        return strict_count_;
    }
    /// Records flushed and not drained.
    std::size_t completed() const noexcept {
        if (is_faithful()) return pool_.completed_records();
        const detail::lock held{completed_mutex_};
        return strict_completed_.size();
    }
    /// Strict: how many records of kinds that were off have been left out. Faithful: how many found no buffer since the
    /// last time this was asked, as cuptiActivityGetNumDroppedRecords.
    std::uint64_t dropped_records() noexcept {
        if (!is_faithful()) return strict_dropped_.relaxed();
        const std::uint64_t now = producer_.take_dropped();
        dropped_before_.add(now);
        return now;
    }

    // What policies use: see hanabi/profile. All of it noexcept; what can't be stored is counted.

    /// Registers the built-in callbacks and enables concurrent_kernel.
    void start() {
        register_callbacks();
        enable(activity_kind::concurrent_kernel);
    }
    /// Ahead of a launch's driver call.
    HANABI_INLINE launch_mark begin_launch(std::uint64_t) const noexcept { return {detail::steady_now(), false}; }
    /// Behind it: a record of kind concurrent_kernel with the launch's number as external_id, its low half as correlation, and
    /// the time of the call; none of a launch that failed.
    HANABI_INLINE void end_launch(std::uint64_t launch, const launch_view& view, launch_mark mark, std::error_code status) noexcept {
        const std::uint64_t end = detail::steady_now();
        if (status.value() != 0) return;
        const cupti::launch_record_writer write{launch,
                                                mark.start,
                                                end,
                                                view.kernel.symbol.data(),
                                                static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(view.stream)),
                                                static_cast<std::uint32_t>(view.shape.shared),
                                                {blocks(view, 0), blocks(view, 1), blocks(view, 2)},
                                                {static_cast<std::uint32_t>(view.block(0)), static_cast<std::uint32_t>(view.block(1)),
                                                 static_cast<std::uint32_t>(view.block(2))}};
        if (put(activity_kind::concurrent_kernel, cupti::layout::kernel::size, false, write) != 0) unstored_.add(1);
    }
    /// flush(everything), for those who don't ask how many.
    std::error_code flush_all() noexcept {
        std::error_code code;
        flush(code);
        return code;
    }
    /// Launches and records that were lost since the beginning.
    drop_count drops() const noexcept {
        return {
            unstored_.relaxed() + (is_faithful() ? dropped_before_.relaxed() + producer_.dropped() : strict_dropped_.relaxed()), true, {}};
    }
    std::uint64_t now() const noexcept { return detail::steady_now(); }
    const char* time_source() const noexcept { return "host clock"; }
    std::error_code status() const noexcept { return alive() ? std::error_code{} : make_error_code(errc::forked_process); }
    std::string why() const {
        return alive() ? std::string{} : words(make_error_code(errc::forked_process), "status", activity_kind::invalid);
    }

  private:
    /// Blocks along an axis, without a division for the axes that have one.
    static std::uint32_t blocks(const launch_view& view, unsigned axis) noexcept {
        return view.shape.extent[axis] == 1 ? 1 : static_cast<std::uint32_t>(view.grid(axis));
    }
    bool alive() const noexcept { return detail::process_fork_count == forks_at_birth_; }

    /// Writes a record that is a value already, as bytes or as it is.
    struct value_writer {
        const activity_record& record;
        void operator()(std::byte* to) const noexcept { cupti::write_record(record, to); }
        void operator()(activity_record* to) const noexcept { *to = record; }
    };

    /// 0, or the number of an errc: an error_code would call for its category each time.
    template <class Write>
    HANABI_INLINE int put(activity_kind kind, std::size_t size, bool unfinished, const Write& write) noexcept {
        if (!alive()) [[unlikely]]
            return static_cast<int>(errc::forked_process);
        if (is_faithful()) {
            if (producer_.is_enabled(kind)) producer_.produce(size, unfinished, write);
            return 0;
        }
        if (!producer_.connected()) [[unlikely]]
            return static_cast<int>(errc::callbacks_not_registered);
        if (!producer_.is_enabled(kind)) {
            strict_dropped_.add(1);
            return 0;
        }
        const detail::spin_guard held{lock_};
        if (strict_count_ == capacity_) [[unlikely]]
            return static_cast<int>(errc::buffer_full);
        write(&strict_pending_[strict_count_++]);
        return 0;
    }

    std::size_t flush_strictly() noexcept {
        const detail::lock held{completed_mutex_}; // one flush at a time: two would mix their records
        std::size_t records;
        {
            const detail::spin_guard guard{lock_};
            strict_pending_.swap(strict_spare_);
            records = std::exchange(strict_count_, 0);
        }
        const activity_record* const first = strict_spare_.get();
        if (client_.complete == &users_complete)
            hand_over_strictly(first, records);
        else
            strict_completed_.insert(strict_completed_.end(), first, first + records);
        return records;
    }

    /// A strict session with callbacks of the user's own writes bytes for them when it is flushed.
    void hand_over_strictly(const activity_record* first, std::size_t records) noexcept {
        const detail::callback_scope scope;
        std::uint8_t* buffer = nullptr;
        std::size_t size = 0;
        std::size_t max_records = 0;
        std::size_t used = 0;
        std::size_t written = 0;
        for (std::size_t i = 0; i < records; ++i) {
            const activity_record& r = first[i];
            const std::size_t bytes = cupti::layout::size_of(r.kind);
            if (buffer != nullptr && (bytes > size - used || (max_records != 0 && written >= max_records))) {
                users_complete_(nullptr, 0, buffer, size, used);
                buffer = nullptr;
            }
            if (buffer == nullptr) {
                size = max_records = used = written = 0;
                users_request_(&buffer, &size, &max_records);
            }
            if (buffer == nullptr || bytes == 0 || bytes > size - used || reinterpret_cast<std::uintptr_t>(buffer) % 8 != 0) {
                unstored_.add(1);
                continue;
            }
            cupti::write_record(r, reinterpret_cast<std::byte*>(buffer) + used);
            used += bytes;
            ++written;
        }
        if (buffer != nullptr) users_complete_(nullptr, 0, buffer, size, used);
    }

    template <class Visitor>
    std::size_t drain_values(Visitor& visit) {
        struct unread {
            activity_session& session;
            std::vector<activity_record> all;
            std::size_t next = 0;
            ~unread() { // a visitor threw: the rest is for the next drain
                if (next == all.size()) return;
                const detail::lock held{session.completed_mutex_};
                std::vector<activity_record>& later = session.strict_completed_;
                later.insert(later.begin(), all.begin() + static_cast<std::ptrdiff_t>(next), all.end());
            }
        } left{*this, {}};
        {
            const detail::lock held{completed_mutex_};
            left.all.swap(strict_completed_);
        }
        while (left.next != left.all.size()) visit(static_cast<const activity_record&>(left.all[left.next++]));
        return left.all.size();
    }

    template <class Visitor>
    std::size_t drain_buffers(Visitor& visit) {
        struct list {
            detail::buffer_pool& pool;
            detail::pooled_buffer* first;
            ~list() { pool.put_unread(first); } // a visitor threw: the rest is for the next drain
            void pop() noexcept {
                detail::pooled_buffer* const read = first;
                first = first->next;
                pool.give_back(read);
            }
        } all{pool_, pool_.take_completed()};
        std::size_t records = 0;
        for (; all.first != nullptr; all.pop()) {
            const auto* const bytes = reinterpret_cast<const std::byte*>(all.first->data());
            for (std::size_t at = all.first->read; at < all.first->valid;) {
                const cupti::record_view view{bytes + at, all.first->valid - at};
                const std::size_t size = cupti::layout::size_of(view.kind());
                activity_record r = cupti::to_record(view);
                if (r.is_kernel()) r.external_id = view.field<std::uint64_t>(cupti::layout::kernel::launch);
                at += size;
                all.first->read = at;
                --all.first->records;
                visit(static_cast<const activity_record&>(r));
                ++records;
            }
        }
        return records;
    }

    static void built_in_request(void* state, std::uint8_t*& buffer, std::size_t& size, std::size_t& max_records) noexcept {
        auto& self = *static_cast<activity_session*>(state);
        max_records = 0;
        detail::pooled_buffer* const b = self.pool_.take();
        buffer = b == nullptr ? nullptr : b->data();
        size = b == nullptr ? 0 : b->size;
    }
    static void built_in_complete(void* state, std::uint8_t* buffer, std::size_t, std::size_t valid, std::size_t records) noexcept {
        static_cast<activity_session*>(state)->pool_.complete(buffer, valid, records, true);
    }
    static void users_request(void* state, std::uint8_t*& buffer, std::size_t& size, std::size_t& max_records) {
        static_cast<activity_session*>(state)->users_request_(&buffer, &size, &max_records);
    }
    static void users_complete(void* state, std::uint8_t* buffer, std::size_t size, std::size_t valid, std::size_t) {
        static_cast<activity_session*>(state)->users_complete_(nullptr, 0, buffer, size, valid);
    }

    /// The session that the calling thread is draining.
    static const activity_session*& draining() noexcept {
        static thread_local const activity_session* current = nullptr;
        return current;
    }

    std::string words(std::error_code code, const char* operation, activity_kind kind) const {
        std::string message = std::string{"hanabi::activity_session::"} + operation;
        if (kind != activity_kind::invalid) message.append("(").append(name_of(kind)).append(")");
        message += ": ";
        if (code == errc::callbacks_not_registered)
            message += "no buffer callbacks are registered; call register_callbacks() or start() first";
        else if (code == errc::buffer_full)
            message += "the buffer is full: capacity " + std::to_string(capacity_) +
                       " records; flush() and record again, or make the session larger";
        else if (code == errc::inside_callback)
            message += "called from a buffer callback; flush when it has returned";
        else if (code == errc::forked_process)
            message += "the session was made before fork(); make one in this process";
        else if (code == errc::invalid_argument)
            message += std::to_string(static_cast<std::uint32_t>(kind)) + " is no kind of activity of CUPTI 13.0";
        else
            message += code.message();
        return message;
    }
    [[noreturn]] HANABI_COLD void raise(std::error_code code, const char* operation, activity_kind kind) const {
        detail::raise(code, words(code, operation, kind));
    }

    const std::size_t capacity_ = 0; ///< 0: faithful
    mutable detail::spin_lock lock_; ///< guards order_, kinds_on_ and the pending records of a strict session
    const unsigned forks_at_birth_ = detail::count_forks();
    activity_kind order_[activity_kind_count]{};
    std::size_t kinds_on_ = 0;
    std::size_t strict_count_ = 0;
    std::unique_ptr<activity_record[]> strict_pending_; ///< null in a faithful session
    std::unique_ptr<activity_record[]> strict_spare_;   ///< what flush works on; under completed_mutex_
    mutable detail::mutex completed_mutex_;
    std::vector<activity_record> strict_completed_;
    detail::atomic<std::uint64_t> strict_dropped_{0};
    detail::atomic<std::uint64_t> unstored_{0};
    detail::atomic<std::uint64_t> dropped_before_{0};
    detail::activity_producer producer_;
    detail::buffer_client client_;
    cupti::buffer_request users_request_ = nullptr;
    cupti::buffer_complete users_complete_ = nullptr;
    detail::buffer_pool pool_;
    detail::mutex drain_mutex_;
};

} // namespace hanabi

#endif
