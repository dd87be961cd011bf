// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A session with CUPTI: what the device did, and when.

#ifndef HANABI_CUPTI_SESSION_HPP
#define HANABI_CUPTI_SESSION_HPP

#include <hanabi/activity/drop_count.hpp>
#include <hanabi/activity/kind.hpp>
#include <hanabi/activity/launch_mark.hpp>
#include <hanabi/activity/record.hpp>
#include <hanabi/config.hpp>
#include <hanabi/cupti/codec.hpp>
#include <hanabi/cupti/library.hpp>
#include <hanabi/cupti/session_options.hpp>
#include <hanabi/cupti/start.hpp>
#include <hanabi/cupti/status.hpp>
#include <hanabi/cupti/view.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/cupti_hub.hpp>
#include <hanabi/detail/fork_count.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/string_pool.hpp>
#include <hanabi/error.hpp>
#include <hanabi/launch_view.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi::cupti {

/// Records the device's work through CUPTI. One session records at a time in a process, because CUPTI's callbacks are the
/// process'; others get errc::session_active.
///
/// Any thread for begin_launch, end_launch, push, pop, enable, disable, flush, drops and counts; start and stop exclude
/// each other; drain is one thread's at a time, others wait. Nothing may be called from a buffer callback
/// (session_options::on_completed): such calls answer errc::inside_callback. Buffers that CUPTI has not given back when a
/// session ends stay with the process, not with the session. cuptiFinalize is never called. In a forked child the session
/// does nothing and says errc::forked_process.
///
/// A flush does not wait for the device: synchronise first, or work that is under way is delivered without its end, and
/// never again. Neither copied nor moved: policies point to it.
class session {
  public:
    /// The library found by library::load(); where there is none, status() and start() say why.
    explicit session(const session_options& options = {}) : options_{options} {
        hanabi::detail::failure why;
        library_ = library::load(load_options{}, why);
        if (!library_) fail(why);
    }
    /// The library that records a context's work: the host driver's for a context of the host driver, else the one found by
    /// library::load(). `Context` is hanabi::context.
    template <class Context>
    requires requires(const Context& c) { c.table().is_host; }
    explicit session(const Context& context, const session_options& options = {}) : options_{options} {
        hanabi::detail::failure why;
        library_ = context.table().is_host ? library::host() : library::load(load_options{}, why);
        if (!library_) fail(why);
    }
    /// A library of the caller's.
    explicit session(cupti::library library, const session_options& options = {}) : library_{library}, options_{options} {
        if (!library_)
            fail({make_error_code(errc::library_not_found), "hanabi::cupti::session: the library given is none; load one, or get the "
                                                            "reason from library::load()"});
    }
    ~session() {
        stop();
        const void* self = this; // what it left undrained is nobody's, not a later session's at the same place
        hub().last_owner.compare_exchange(self, nullptr);
    }
    session(const session&) = delete;
    session& operator=(const session&) = delete;

    const cupti::library& library() const noexcept { return library_; }

    /// Starts recording: registers callbacks and clock, and enables concurrent_kernel, external_correlation and the calls of the
    /// driver that launch and copy (cupti/cbid.hpp), which external correlation needs. What is left of earlier sessions is
    /// delivered to nobody. Does nothing while it records already.
    ///
    /// Throws error: errc::library_not_found without a library; errc::session_active while another session records;
    /// errc::inside_callback; errc::forked_process; CUPTI's own status in cupti_category(), with what to do: 39 another client
    /// has it, 35 no privileges, 15 the library is too new for the driver, 999 no driver. After a failure nothing
    /// is enabled, and status() and why() go on saying it.
    void start() {
        std::error_code code;
        start(code);
        if (code) raise();
    }
    /// \overload
    void start(std::error_code& code) {
        static constexpr activity_kind kinds[] = {activity_kind::concurrent_kernel, activity_kind::external_correlation};
        code = begin(kinds, 2, true);
    }
    /// Starts recording these kinds and nothing else. External correlation records exist only while driver or runtime is on,
    /// or calls were chosen by enable_driver_call.
    void start(std::initializer_list<activity_kind> kinds) {
        std::error_code code;
        start(kinds, code);
        if (code) raise();
    }
    /// \overload
    void start(std::initializer_list<activity_kind> kinds, std::error_code& code) { code = begin(kinds.begin(), kinds.size(), false); }

    /// Flushes, disables everything and stops recording; drain() gets what was flushed. Work that is under way then is
    /// delivered without its end. Nothing happens while it does not record, or from a buffer callback.
    void stop() noexcept {
        if (hanabi::detail::inside_buffer_callback()) return;
        unsigned expected = phase::recording;
        if (!phase_.compare_exchange(expected, phase::stopping)) return;
        if (!alive()) return; // the parent's session: nothing of CUPTI's may be touched
        const table& f = library_.functions();
        f.activity_flush_all(flush_mode::everything);
        disable_all();
        f.activity_flush_all(flush_mode::everything);
        read_drops();
        let_go();
        phase_.release(phase::idle);
    }
    bool is_recording() const noexcept { return phase_.relaxed() == phase::recording; }
    /// False for a session that never recorded: start() was not called, or failed.
    bool was_started() const noexcept { return started_.relaxed(); }

    /// Turns a kind on while it records. Throws CUPTI's status (21 for a kind that the library does not have),
    /// errc::callbacks_not_registered before start(), errc::inside_callback.
    void enable(activity_kind kind) {
        std::error_code code;
        enable(kind, code);
        if (code) raise(code, std::string{"enable("} + name_of(kind) + ")");
    }
    /// \overload
    void enable(activity_kind kind, std::error_code& code) noexcept {
        code = may_call(true);
        if (code) return;
        code = make_error_code(library_.functions().activity_enable(kind));
        if (!code) change(kind, true);
    }
    /// Turns a kind off. Work that is under way may still be recorded.
    void disable(activity_kind kind, std::error_code& code) noexcept {
        code = may_call(true);
        if (code) return;
        code = make_error_code(library_.functions().activity_disable(kind));
        if (!code) change(kind, false);
    }
    /// \overload
    void disable(activity_kind kind) {
        std::error_code code;
        disable(kind, code);
        if (code) raise(code, std::string{"disable("} + name_of(kind) + ")");
    }
    bool is_enabled(activity_kind kind) const noexcept { return (kinds_.relaxed() & bit(kind)) != 0; }

    /// Records one function of the driver (cbid: <cupti_driver_cbid.h>, cupti/cbid.hpp) instead of all that activity_kind::driver
    /// does. errc::entry_missing before CUDA 12.5.
    void enable_driver_call(std::uint32_t cbid, bool on, std::error_code& code) noexcept {
        code = may_call(true);
        if (code) return;
        const auto call = library_.functions().activity_enable_driver_api;
        code = call == nullptr ? make_error_code(errc::entry_missing) : make_error_code(call(cbid, on ? 1 : 0));
    }
    /// \overload
    void enable_driver_call(std::uint32_t cbid, bool on = true) {
        std::error_code code;
        enable_driver_call(cbid, on, code);
        if (code) raise(code, "enable_driver_call(" + std::to_string(cbid) + ")");
    }

    /// What is finished becomes drainable: with everything, the rest too, without ends. Errors: errc::inside_callback,
    /// errc::callbacks_not_registered, CUPTI's.
    void flush(flush_mode mode, std::error_code& code) noexcept {
        code = may_call(true);
        if (code) return;
        code = make_error_code(library_.functions().activity_flush_all(mode));
    }
    /// \overload
    void flush(flush_mode mode = flush_mode::everything) {
        std::error_code code;
        flush(mode, code);
        if (code) raise(code, "flush");
    }
    /// \overload
    void flush(std::error_code& code) noexcept { flush(flush_mode::everything, code); }
    std::error_code flush_all() noexcept {
        std::error_code code;
        flush(flush_mode::everything, code);
        return code;
    }

    /// Hands over every record that came back since the last drain: visit(const activity_record&), or, where the visitor takes
    /// one, visit(const cupti::record_view&), whose bytes are gone afterwards. Returns how many. Records that ended before
    /// the session started are left out. Inside a visitor or a buffer callback it does nothing.
    template <class Visitor>
    std::size_t drain(Visitor&& visit) {
        if (!alive() || hanabi::detail::inside_buffer_callback()) return 0;
        if (draining()) return 0;
        const turn t{drain_mutex_};
        struct list {
            hanabi::detail::buffer_pool& pool;
            hanabi::detail::pooled_buffer* first;
            ~list() { pool.put_unread(first); } // a visitor threw: the rest is for the next drain
        } all{hub().pool, hub().owner.acquire() == this || last_owner() == this ? hub().pool.take_completed() : nullptr};
        std::size_t records = 0;
        while (all.first != nullptr) {
            read_buffer(*all.first, visit, records);
            hanabi::detail::pooled_buffer* const read = all.first;
            all.first = read->next;
            all.pool.give_back(read);
        }
        return records;
    }

    /// Records that CUPTI dropped or that nobody drained in time, since start(). CUPTI's count does not say what it lost when
    /// the device's own buffers ran out: those records come without time (counts().no_time).
    drop_count drops() noexcept {
        if (may_call(true) == std::error_code{}) read_drops();
        drop_count d{cupti_dropped_.relaxed() + overwritten(), true, {}};
        if (const auto s = drops_status_.relaxed(); s != 0) {
            d.known = false;
            d.why = s < 0 ? make_error_code(errc::entry_missing) : make_error_code(static_cast<cupti::status>(s));
        }
        return d;
    }

    session_counts counts() const noexcept {
        session_counts c;
        c.delivered = delivered_.relaxed();
        c.kernels = kernels_.relaxed();
        c.no_time = no_time_.relaxed();
        c.unfinished = unfinished_.relaxed();
        c.early = early_.relaxed();
        c.unreadable = unreadable_.relaxed();
        c.late = hub().late.relaxed() - late_before_.relaxed();
        c.overwritten = overwritten();
        return c;
    }

    /// Puts a number on the calling thread's stack: driver calls made by the thread until it is popped are correlated with
    /// it. False if that can't be done (errc of the twin: status()).
    bool push(std::uint64_t id, external_kind kind = external_kind::custom0) noexcept {
        if (!is_recording() || !alive()) return false;
        const auto call = library_.functions().activity_push_external_correlation_id;
        return call != nullptr && call(kind, id) == cupti::status::success;
    }
    /// Takes it away again. False if there was none.
    bool pop(std::uint64_t* id = nullptr, external_kind kind = external_kind::custom0) noexcept {
        if (!library_ || !alive()) return false;
        const auto call = library_.functions().activity_pop_external_correlation_id;
        std::uint64_t last = 0;
        if (call == nullptr || call(kind, &last) != cupti::status::success) return false;
        if (id != nullptr) *id = last;
        return true;
    }

    // What policies use: see hanabi/profile.

    launch_mark begin_launch(std::uint64_t launch) noexcept { return {0, push(launch)}; }
    void end_launch(std::uint64_t, const launch_view&, launch_mark mark, std::error_code) noexcept {
        if (mark.pushed) pop();
    }
    /// The clock that the records' times are of.
    std::uint64_t now() const noexcept {
        if (!library_ || steady_.relaxed()) return hanabi::detail::steady_now();
        std::uint64_t t = 0;
        const auto call = library_.functions().get_timestamp;
        return call != nullptr && call(&t) == cupti::status::success ? t : 0;
    }
    const char* time_source() const noexcept { return library_ && library_.functions().is_host ? "CUPTI (host driver)" : "CUPTI"; }
    /// Success while it records, and before it was first started; else why it does not.
    std::error_code status() const noexcept {
        if (!alive()) return make_error_code(errc::forked_process);
        const hanabi::detail::lock held{failure_mutex_};
        return failure_.code;
    }
    /// The same in words, with what to do; "" for success.
    std::string why() const {
        if (!alive()) return detail::words_for(make_error_code(errc::forked_process), "status");
        const hanabi::detail::lock held{failure_mutex_};
        return failure_.message;
    }

  private:
    /// An unsigned, because clang's atomic operations take no enumerations.
    struct phase {
        static constexpr unsigned idle = 0, starting = 1, recording = 2, stopping = 3;
    };

    class turn {
      public:
        explicit turn(hanabi::detail::mutex& m) noexcept : mutex_{m} {
            mutex_.lock();
            draining() = true;
        }
        ~turn() {
            draining() = false;
            mutex_.unlock();
        }
        turn(const turn&) = delete;
        turn& operator=(const turn&) = delete;

      private:
        hanabi::detail::mutex& mutex_;
    };

    static hanabi::detail::cupti_hub& hub() noexcept { return hanabi::detail::the_cupti_hub(); }
    /// True while the calling thread is in a drain.
    static bool& draining() noexcept {
        static thread_local bool inside = false;
        return inside;
    }
    static constexpr std::uint64_t bit(activity_kind kind) noexcept {
        const auto number = static_cast<std::uint32_t>(kind);
        return number < activity_kind_count ? std::uint64_t{1} << number : 0;
    }
    void change(activity_kind kind, bool on) noexcept {
        std::uint64_t before = kinds_.relaxed();
        while (!kinds_.compare_exchange(before, on ? before | bit(kind) : before & ~bit(kind))) {
        }
    }

    bool alive() const noexcept { return hanabi::detail::process_fork_count == forks_at_birth_; }
    const void* last_owner() const noexcept { return hub().last_owner.acquire(); }

    /// Whether CUPTI may be called from here.
    std::error_code may_call(bool started) const noexcept {
        if (!alive()) return make_error_code(errc::forked_process);
        if (hanabi::detail::inside_buffer_callback()) return make_error_code(errc::inside_callback);
        if (!library_) return make_error_code(errc::library_not_found);
        if (started && !is_recording()) return make_error_code(errc::callbacks_not_registered);
        return {};
    }

    std::error_code begin(const activity_kind* kinds, std::size_t count, bool with_launches) {
        if (const std::error_code code = may_call(false)) {
            if (code == errc::library_not_found) return status();
            return fail({code, detail::words_for(code, "start")});
        }
        unsigned expected = phase::idle;
        if (!phase_.compare_exchange(expected, phase::starting)) return {}; // it records already, or another thread is at it
        const void* nobody = nullptr;
        if (!hub().owner.compare_exchange(nobody, this)) {
            phase_.release(phase::idle);
            const bool before_fork = hub().owner_forks.acquire() != forks_at_birth_; // a parent's: CUDA was used before the fork
            const std::error_code code = make_error_code(before_fork ? errc::forked_process : errc::session_active);
            return fail({code, detail::words_for(code, "start")});
        }
        hub().owner_forks.release(forks_at_birth_);
        hanabi::detail::failure why;
        if (!set_up(kinds, count, with_launches, why)) {
            disable_all();
            let_go();
            phase_.release(phase::idle);
            return fail(why);
        }
        {
            const hanabi::detail::lock held{failure_mutex_};
            failure_ = {};
        }
        started_.release(true);
        phase_.release(phase::recording);
        return {};
    }

    bool set_up(const activity_kind* kinds, std::size_t count, bool with_launches, hanabi::detail::failure& why) {
        const table& f = library_.functions();
        hanabi::detail::cupti_hub& h = hub();
        h.pool.configure(options_.buffer_bytes < 65536 ? 65536 : options_.buffer_bytes,
                         options_.max_buffers < 2 ? 2 : options_.max_buffers);
        h.strides.release(library_.strides());
        h.notify_argument.release(options_.on_completed_argument);
        h.notify.release(options_.on_completed);

        const auto failed = [&](cupti::status s, std::string call) {
            why = detail::start_failure(s, std::move(call));
            return false;
        };
        if (options_.exclusive && !detail::subscribe(f, subscriber_, why)) return false;
        // The clock comes before the first kind, so that no record has another's time.
        steady_.relaxed(options_.steady_clock && f.activity_register_timestamp_callback != nullptr &&
                        f.activity_register_timestamp_callback(&hanabi::detail::cupti_timestamp) == cupti::status::success);
        if (const cupti::status s = f.activity_register_callbacks(&hanabi::detail::cupti_request, &hanabi::detail::cupti_complete);
            s != cupti::status::success)
            return failed(s, "cuptiActivityRegisterCallbacks");
        // What is left of a session before, a warm-up's say, must not turn up in this one.
        if (const cupti::status s = f.activity_flush_all(flush_mode::everything); s != cupti::status::success)
            return failed(s, "cuptiActivityFlushAll");
        while (hanabi::detail::pooled_buffer* b = h.pool.take_completed())
            while (b != nullptr) {
                hanabi::detail::pooled_buffer* const next = b->next;
                h.pool.give_back(b);
                b = next;
            }
        if (f.activity_get_num_dropped_records != nullptr) {
            std::size_t before = 0;
            f.activity_get_num_dropped_records(nullptr, 0, &before); // reading resets it
        }
        cupti_dropped_.relaxed(0);
        drops_status_.relaxed(0);
        late_before_.relaxed(h.late.relaxed());
        overwritten_before_.relaxed(h.overwritten.relaxed());
        overwritten_.relaxed(0);
        for (auto* const c : {&delivered_, &kernels_, &no_time_, &unfinished_, &early_, &unreadable_}) c->relaxed(0);
        started_at_ = now();
        h.last_owner.release(this);
        h.recording.release(true);

        for (std::size_t i = 0; i < count; ++i) {
            if (const cupti::status s = f.activity_enable(kinds[i]); s != cupti::status::success)
                return failed(s, std::string{"cuptiActivityEnable("} + name_of(kinds[i]) + ")");
            change(kinds[i], true);
        }
        if (!with_launches) return true;
        change(activity_kind::driver, true); // whatever comes of it, it is to be disabled
        return detail::enable_launch_calls(f, why);
    }

    void disable_all() noexcept {
        const table& f = library_.functions();
        for (std::uint32_t number = 0; number < activity_kind_count; ++number)
            if (is_enabled(static_cast<activity_kind>(number))) f.activity_disable(static_cast<activity_kind>(number));
        kinds_.relaxed(0); // with the kind driver went the choice of calls
    }
    /// What begin() took.
    void let_go() noexcept {
        hanabi::detail::cupti_hub& h = hub();
        if (subscriber_ != nullptr) library_.functions().unsubscribe(std::exchange(subscriber_, nullptr));
        h.recording.release(false);
        overwritten_.relaxed(h.overwritten.relaxed() - overwritten_before_.relaxed());
        h.notify.release(nullptr);
        h.owner.release(nullptr);
    }

    void read_drops() noexcept {
        const auto call = library_.functions().activity_get_num_dropped_records;
        if (call == nullptr) {
            drops_status_.relaxed(-1);
            return;
        }
        // A library without a driver answers success and writes nothing.
        constexpr auto untouched = ~std::size_t{0};
        std::size_t count = untouched;
        const cupti::status s = call(nullptr, 0, &count);
        if (s != cupti::status::success || count == untouched)
            drops_status_.relaxed(s == cupti::status::success ? static_cast<int>(cupti::status::unknown) : static_cast<int>(s));
        else
            cupti_dropped_.add(count);
    }

    template <class Visitor>
    void read_buffer(hanabi::detail::pooled_buffer& b, Visitor& visit, std::size_t& records) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(b.data());
        while (b.read < b.valid) {
            const std::size_t at = b.read;
            const std::size_t size = library_.record_size_at(b.data(), b.valid, at);
            if (size == 0) { // nothing behind it can be found
                unreadable_.add(1);
                b.read = b.valid;
                return;
            }
            b.read = at + size;
            const record_view view{bytes + at, size};
            activity_record r = to_record(view);
            if (steady_.relaxed() && r.end != 0 && r.end != no_timestamp && r.end + clock_error < started_at_) {
                early_.add(1);
                continue;
            }
            count(r);
            ++records;
            if constexpr (std::is_invocable_v<Visitor&, const record_view&>)
                visit(view);
            else {
                r.name = names_.keep(r.name);
                visit(static_cast<const activity_record&>(r));
            }
        }
    }

    /// Records of this session that nobody drained in time: the hub counts for the process.
    std::uint64_t overwritten() const noexcept {
        return is_recording() ? hub().overwritten.relaxed() - overwritten_before_.relaxed() : overwritten_.relaxed();
    }

    void count(const activity_record& r) noexcept {
        delivered_.add(1);
        const bool work =
            r.is_kernel() || r.kind == activity_kind::memcpy || r.kind == activity_kind::memcpy2 || r.kind == activity_kind::memset;
        if (!work) return;
        if (r.is_kernel()) kernels_.add(1);
        if (r.unfinished())
            unfinished_.add(1);
        else if (!r.timed())
            no_time_.add(1);
    }

    std::error_code fail(hanabi::detail::failure why) {
        const hanabi::detail::lock held{failure_mutex_};
        failure_ = std::move(why);
        return failure_.code;
    }
    [[noreturn]] HANABI_COLD void raise() const {
        const hanabi::detail::lock held{failure_mutex_};
        hanabi::detail::raise(failure_);
    }
    [[noreturn]] HANABI_COLD void raise(std::error_code code, const std::string& operation) const {
        hanabi::detail::raise(code, detail::words_for(code, operation));
    }

    cupti::library library_;
    session_options options_;
    const unsigned forks_at_birth_ = hanabi::detail::count_forks();
    hanabi::detail::atomic<unsigned> phase_{phase::idle};
    hanabi::detail::atomic<bool> started_{false};
    hanabi::detail::atomic<std::uint64_t> kinds_{0};
    hanabi::detail::atomic<bool> steady_{false};
    subscriber_handle subscriber_ = nullptr;
    /// The device's clock is mapped to the host's by interpolation: a record's times may be off by this, ns. With a clock that
    /// can step nothing is left out for its time.
    static constexpr std::uint64_t clock_error = 100'000;
    std::uint64_t started_at_ = 0;
    hanabi::detail::atomic<std::uint64_t> cupti_dropped_{0};
    hanabi::detail::atomic<int> drops_status_{0};          ///< why the count can't be read: CUPTI's status, -1 without the entry, 0
    hanabi::detail::atomic<std::uint64_t> overwritten_{0}; ///< once it has stopped
    hanabi::detail::atomic<std::uint64_t> overwritten_before_{0};
    hanabi::detail::atomic<std::uint64_t> late_before_{hub().late.relaxed()};
    hanabi::detail::atomic<std::uint64_t> delivered_{0};
    hanabi::detail::atomic<std::uint64_t> kernels_{0};
    hanabi::detail::atomic<std::uint64_t> no_time_{0};
    hanabi::detail::atomic<std::uint64_t> unfinished_{0};
    hanabi::detail::atomic<std::uint64_t> early_{0};
    hanabi::detail::atomic<std::uint64_t> unreadable_{0};
    mutable hanabi::detail::mutex failure_mutex_;
    hanabi::detail::failure failure_;
    hanabi::detail::mutex drain_mutex_;
    hanabi::detail::string_pool names_; ///< under drain_mutex_
};

} // namespace hanabi::cupti

#endif
