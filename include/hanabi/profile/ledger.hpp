// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The launch ledger: every launch that its policies see, until its time is known and a sink has it; and the account.

#ifndef HANABI_PROFILE_LEDGER_HPP
#define HANABI_PROFILE_LEDGER_HPP

#include <hanabi/activity/drop_count.hpp>
#include <hanabi/activity/record.hpp>
#include <hanabi/config.hpp>
#include <hanabi/detail/fork.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/profile/lane.hpp>
#include <hanabi/profile/launch_entry.hpp>
#include <hanabi/profile/mismatch.hpp>
#include <hanabi/profile/row.hpp>
#include <hanabi/registry.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hanabi::profile {

/// What takes rows. Called by one thread at a time, in the order in which times become known; must not call the ledger.
/// `finish(account)`, where there is one, is called at the end of ledger::finish.
template <class S>
concept row_sink = requires(S& sink, const row& r) {
    sink.take(r);
};

/// How much a ledger keeps. Memory is taken as threads launch, and never more than this says.
struct ledger_options {
    std::size_t launches_per_thread = 8192; ///< undecided ones, rounded up to a power of two, at most 4 million; about 600 bytes each
    std::size_t waiting_records = 65536;    ///< records whose launch is not known yet; about 300 bytes each
};

/// Writes launches down, each under an id, and finds out what became of them. Policies write: from any thread, without a
/// lock, an allocation or a string. collect() reads activity records, joins them to launches and hands what is decided to
/// the sinks; finish() decides the rest.
///
///     hanabi::profile::ledger ledger;
///     ledger.attach(summary);
///     hanabi::dispatcher timed{blas, hanabi::profile::activity{session, ledger}};
///     ...
///     ledger.collect(session);                       // now and then: makes room
///     const auto account = ledger.finish(session);   // after the last launch has been waited for
///
/// A launch finds no room when launches_per_thread earlier ones of its thread are undecided: it is counted as dropped. The
/// first 63 threads have rings of their own, further ones share one. Neither copied nor moved; must outlive its policies.
class ledger {
  public:
    ledger() noexcept = default;
    explicit ledger(ledger_options options) noexcept : options_{options} {}
    ledger(const ledger&) = delete;
    ledger& operator=(const ledger&) = delete;
    ~ledger() {
        for (hanabi::detail::launch_lane* lane : lanes_) hanabi::detail::free_lane(lane);
        for (found* f : found_) delete[] f;
    }

    // ---- For policies ------------------------------------------------------------------------------------------------------

    /// Writes a launch down, or joins the policy of this ledger that has done so around this one. Any thread.
    HANABI_INLINE ticket open(const launch_view& view) noexcept {
        hanabi::detail::thread_lanes& mine = hanabi::detail::this_thread_lanes;
        const auto place = static_cast<std::size_t>(number_ % hanabi::detail::thread_lanes::size);
        hanabi::detail::launch_lane* lane = mine.lane[place];
        if (mine.ledger[place] != number_) [[unlikely]] {
            lane = find_lane(mine);
            if (lane == nullptr) return open_in_common(mine, view.identity());
        }
        const std::uint64_t last = lane->launches.relaxed();
        if (lane->last == view.identity()) {
            slot_type& slot = lane->slots[last & lane->mask];
            const std::uint64_t id = last * hanabi::detail::lane_limit + lane->first_id;
            return {id, slot.id.relaxed() == id ? &slot.entry : nullptr, nullptr};
        }
        lane->last = view.identity();
        return begin(*lane, last + 1, lane->thread);
    }

    /// Ends what open() began; for the policy that wrote the launch down, gives it to the reader.
    HANABI_INLINE void close(const ticket& t, const launch_view& view, const std::error_code& status) noexcept {
        if (t.lane == nullptr) return;
        if (t.lane->common) [[unlikely]]
            hanabi::detail::this_thread_lanes.open[number_ % hanabi::detail::thread_lanes::size].last = nullptr;
        else {
            t.lane->last = nullptr;
            --t.lane->open;
        }
        if (t.entry == nullptr) return;
        hanabi::detail::end_entry(*t.entry, view, status);
        slot_of(t.entry)->state.release(hanabi::detail::slot_state::closed);
    }

    /// The time of a launch that a policy found out by itself, such as by events; 0 and 0 if it could not. Any thread.
    void take_time(std::uint64_t launch, std::uint64_t start, std::uint64_t end) {
        const hanabi::detail::lock held{mutex_};
        if (found* f = find_entry(launch)) {
            f->has_time = true;
            f->start = start;
            f->end = end;
        } else
            ++account_.late;
    }

    // ---- For users ---------------------------------------------------------------------------------------------------------

    /// From now on the sink gets every row. It must outlive the ledger or finish().
    template <row_sink S>
    void attach(S& target) {
        const hanabi::detail::lock held{mutex_};
        sinks_.push_back({&target, [](void* s, const row& r) { static_cast<S*>(s)->take(r); },
                          [](void* s, const account& a) {
                              if constexpr (requires(S & x) { x.finish(a); }) static_cast<S*>(s)->finish(a);
                              static_cast<void>(s);
                              static_cast<void>(a);
                          }});
    }
    template <class S>
    requires(!std::is_lvalue_reference_v<S>) void attach(S&& sink) = delete; // it would be gone at once

    /// How many registers a thread of this kernel is to use: a launch executed with another number is told. expect() finds
    /// the number out.
    void expect_registers(const descriptor& kernel, unsigned registers) {
        const hanabi::detail::lock held{mutex_};
        registers_[&kernel] = registers;
    }
    /// Reads it from the loaded modules. Errors: those of registry::function.
    template <kernel_descriptor... K>
    void expect(const registry& modules, const K&...) {
        (expect_one(modules, K::info), ...);
    }

    /// One activity record of a session. Any thread. Records of launches are kept until collect() or finish().
    void take(const activity_record& r) {
        const hanabi::detail::lock held{mutex_};
        take_locked(r);
    }

    /// Takes what has become of the launches so far and hands it to the sinks. Does not wait for anything. Any thread, one
    /// at a time. What the sinks throw passes.
    void collect() {
        const hanabi::detail::lock held{mutex_};
        decide(false);
    }
    /// The same after taking what the sessions have completed: activity_session, cupti::session, event_pool.
    template <class... Sessions>
    requires(sizeof...(Sessions) != 0) void collect(Sessions&... sessions) {
        (sessions.drain([this](const activity_record& r) { take(r); }), ...);
        collect();
    }

    /// Decides everything: what has not come by now does not. The account of all launches so far. Call it when the launches
    /// have been waited for (synchronize); launches on other threads meanwhile are counted as incomplete.
    account finish() { return finish_with({}, {}, false); }
    /// The same after flushing the sessions and taking all that they have.
    template <class... Sessions>
    requires(sizeof...(Sessions) != 0) account finish(Sessions&... sessions) {
        drop_count drops;
        std::error_code unavailable;
        bool never_started = false;
        const auto end = [&](auto& session) {
            static_cast<void>(session.flush_all());
            session.drain([this](const activity_record& r) { take(r); });
            const drop_count more = session.drops();
            drops.count += more.count;
            if (!more.known) {
                drops.known = false;
                drops.why = more.why;
            }
            const std::error_code code = session.status();
            if (code && !unavailable) unavailable = code;
            if constexpr (requires { session.was_started(); })
                if (!code && !session.was_started()) never_started = true;
        };
        (end(sessions), ...);
        return finish_with(drops, unavailable, never_started);
    }

    /// The account as it stands; `pending` are the undecided ones.
    account counts() const {
        const hanabi::detail::lock held{mutex_};
        account a = account_;
        const std::uint64_t unlaned = unlaned_.acquire();
        a.dropped += refused() + unlaned; // before the launches: those refused meanwhile are pending then
        a.launches = launches() + unlaned;
        a.pending = a.launches - a.matched - a.without_time - a.failed - a.dropped - a.incomplete - a.undelivered - a.empty;
        return a;
    }

    /// A launch that is not yet with the sinks, by its id. Null when it is, when it was dropped, and during the launch.
    std::optional<launch_entry> find(std::uint64_t id) const {
        const hanabi::detail::lock held{mutex_};
        const hanabi::detail::launch_slot* const slot = slot_by_id(id);
        if (slot == nullptr || slot->state.acquire() != hanabi::detail::slot_state::closed || slot->id.relaxed() != id) return {};
        launch_entry copy = slot->entry;
        copy.id = id;
        return copy;
    }

  private:
    using lane_type = hanabi::detail::launch_lane;
    using slot_type = hanabi::detail::launch_slot;
    using slot_state = hanabi::detail::slot_state;

    struct sink {
        void* object;
        void (*take)(void*, const row&);
        void (*finish)(void*, const account&);
    };
    /// What the reader knows of the launch in a slot.
    struct found {
        std::uint64_t id = 0;
        bool has_record = false, has_time = false;
        std::uint64_t start = 0, end = 0; ///< take_time's
        activity_record record;
    };
    struct waiting {
        activity_record record;
        std::uint64_t round;
    };
    struct joined {
        std::uint64_t id;
        std::uint64_t round;
    };

    static slot_type* slot_of(launch_entry* entry) noexcept {
        return reinterpret_cast<slot_type*>(reinterpret_cast<std::byte*>(entry) - offsetof(slot_type, entry));
    }

    /// A slot that was last touched a whole ring ago is in no cache near. Waiting for it would cost more than all the rest.
    HANABI_INLINE static void fetch_ahead(const slot_type* slot) noexcept {
        static_assert(sizeof(slot_type) == 256, "four lines of a cache");
        const auto* const bytes = reinterpret_cast<const std::byte*>(slot);
        __builtin_prefetch(bytes, 1);
        __builtin_prefetch(bytes + 64, 1);
        __builtin_prefetch(bytes + 128, 1);
        __builtin_prefetch(bytes + 192, 1);
    }
    HANABI_INLINE static ticket begin(lane_type& lane, std::uint64_t sequence, std::uint32_t thread) noexcept {
        const std::uint64_t id = sequence * hanabi::detail::lane_limit + lane.first_id;
        slot_type& slot = lane.slots[sequence & lane.mask];
        const bool is_first = lane.common || lane.open++ == 0;
        if (slot.state.acquire() != slot_state::free) [[unlikely]] {
            lane.refused.release(lane.refused.relaxed() + 1);
            lane.launches.release(sequence);
            return {id, nullptr, &lane};
        }
        fetch_ahead(&lane.slots[(sequence + 1) & lane.mask]);
        slot.id.relaxed(id);
        slot.entry.thread = thread;
        slot.entry.is_first = is_first;
        hanabi::detail::begin_entry(slot.entry);
        slot.state.release(slot_state::open);
        lane.launches.release(sequence); // behind the state: a reader that knows of the launch must not find its slot free
        return {id, &slot.entry, &lane};
    }

    /// This thread's lane, made at its first launch; null where it has to share one.
    HANABI_COLD lane_type* find_lane(hanabi::detail::thread_lanes& mine) noexcept {
        if (hanabi::detail::process_forked) return nullptr; // another thread may have held the mutex
        const hanabi::detail::lock held{mutex_};
        if (mine.number == 0) {
            mine.number = hanabi::detail::thread_count.add(1);
            mine.system_number = hanabi::detail::system_thread_number();
        }
        lane_type* lane = nullptr;
        for (unsigned i = 0; i + 1 < hanabi::detail::lane_limit && lane == nullptr; ++i) {
            if (lanes_[i] == nullptr) lanes_[i] = make_lane(i, mine);
            if (lanes_[i] == nullptr) return nullptr; // out of memory
            if (lanes_[i]->owner == mine.number) lane = lanes_[i];
        }
        if (lane != nullptr) {
            const auto place = static_cast<std::size_t>(number_ % hanabi::detail::thread_lanes::size);
            mine.ledger[place] = number_;
            mine.lane[place] = lane;
        }
        return lane;
    }
    lane_type* make_lane(unsigned i, const hanabi::detail::thread_lanes& mine) noexcept {
        lane_type* const lane = hanabi::detail::make_lane(i, number_, options_.launches_per_thread, mine);
        if (lane != nullptr && found_[i] == nullptr) found_[i] = new (std::nothrow) found[lane->mask + 1];
        if (found_[i] != nullptr) return lane;
        hanabi::detail::free_lane(lane);
        return nullptr;
    }

    HANABI_COLD ticket open_in_common(hanabi::detail::thread_lanes& mine, const void* identity) noexcept {
        auto& open = mine.open[number_ % hanabi::detail::thread_lanes::size];
        if (open.last == identity && open.ledger == number_) return {open.id, open.entry, nullptr};
        lane_type* lane = nullptr;
        if (!hanabi::detail::process_forked) {
            const hanabi::detail::lock held{mutex_};
            lane_type*& last = lanes_[hanabi::detail::lane_limit - 1];
            if (last == nullptr) last = make_lane(hanabi::detail::lane_limit - 1, mine);
            lane = last;
        }
        if (lane == nullptr) {
            unlaned_.add(1);
            return {};
        }
        ticket t;
        {
            const hanabi::detail::lock held{lane->common_mutex};
            t = begin(*lane, lane->launches.relaxed() + 1, mine.system_number);
        }
        open = {number_, identity, t.entry, t.id};
        return t;
    }

    // ---- The reader: all of this under the mutex -----------------------------------------------------------------------------

    std::uint64_t launches() const noexcept {
        std::uint64_t n = 0;
        for (const lane_type* lane : lanes_) n += lane == nullptr ? 0 : lane->launches.acquire();
        return n;
    }
    std::uint64_t refused() const noexcept {
        std::uint64_t n = 0;
        for (const lane_type* lane : lanes_) n += lane == nullptr ? 0 : lane->refused.acquire();
        return n;
    }
    slot_type* slot_by_id(std::uint64_t id) const noexcept {
        const lane_type* const lane = lanes_[id % hanabi::detail::lane_limit];
        return lane == nullptr ? nullptr : &lane->slots[(id / hanabi::detail::lane_limit) & lane->mask];
    }
    /// What is known of a launch that is not decided; null for others.
    found* find_entry(std::uint64_t id) noexcept {
        const slot_type* const slot = slot_by_id(id);
        if (slot == nullptr || slot->state.acquire() == slot_state::free || slot->id.relaxed() != id) return nullptr;
        const std::size_t lane = id % hanabi::detail::lane_limit;
        found& f = found_[lane][(id / hanabi::detail::lane_limit) & lanes_[lane]->mask];
        if (f.id != id) {
            f = {};
            f.id = id;
        }
        return &f;
    }

    void take_locked(const activity_record& r) {
        if (r.kind == activity_kind::external_correlation) {
            if (r.external_kind < 3 || r.external_kind > 5 || r.external_id == 0) return; // somebody else's
            joined_[r.correlation] = {r.external_id, round_};
            const auto [first, last] = waiting_.equal_range(r.correlation);
            for (auto i = first; i != last; ++i) join(r.external_id, i->second.record);
            waiting_.erase(first, last);
            return;
        }
        const bool call = r.kind == activity_kind::driver || r.kind == activity_kind::runtime;
        if (r.is_kernel() && r.external_id != 0) return join(r.external_id, r);
        if ((call || r.is_kernel()) && r.correlation != 0) {
            if (const auto known = joined_.find(r.correlation); known != joined_.end()) return join(known->second.id, r);
            if (waiting_.size() >= options_.waiting_records) give_up_waiting(round_ + 1);
            waiting_.emplace(r.correlation, waiting{r, round_});
            return;
        }
        other(r, 0);
    }

    /// A record of a known launch.
    void join(std::uint64_t id, const activity_record& r) {
        found* f = find_entry(id);
        if (r.is_kernel() && r.graph_id != 0 && f != nullptr) f = find_node(id, r);
        if (!r.is_kernel()) {
            if (f == nullptr || f->start != 0 || f->has_time) return other(r, id);
            f->start = r.start; // the call, where no policy has looked at a clock
            f->end = r.end;
            return;
        }
        if (f == nullptr || f->has_record) {
            if (f == nullptr) ++account_.late;
            return other(r, id);
        }
        f->has_record = true;
        f->record = r;
    }

    /// Which launch of a replay a graph's kernel is of: the replay has one correlation, and so the id of its last launch. The
    /// first of the same symbol without a record, rather one that asked for what was executed.
    found* find_node(std::uint64_t id, const activity_record& r) {
        found *same = nullptr, *named = nullptr;
        for (const slot_type* slot = slot_by_id(id); slot->id.relaxed() == id && slot->state.acquire() == slot_state::closed;
             slot = slot_by_id(id)) {
            found* const f = find_entry(id);
            if (!slot->entry.in_graph) return f;
            if (!f->has_record && r.name != nullptr && slot->entry.kernel->symbol == name_view{r.name}) {
                named = f;
                if (compare(slot->entry, r, 0) == 0) same = f;
            }
            if (slot->entry.is_first) break;
            id -= hanabi::detail::lane_limit;
        }
        return same != nullptr ? same : named != nullptr ? named : find_entry(id);
    }

    /// A row for what is no launch of ours, or one more kernel of it.
    void other(const activity_record& r, std::uint64_t id) {
        if (r.is_kernel()) ++account_.others;
        emit(row::of(r, id));
    }

    void give_up_waiting(std::uint64_t before) {
        for (auto i = waiting_.begin(); i != waiting_.end();)
            if (i->second.round < before) {
                other(i->second.record, 0);
                i = waiting_.erase(i);
            } else
                ++i;
    }

    void emit(const row& line) {
        for (const sink& s : sinks_) s.take(s.object, line);
    }

    /// Hands over what is decided; at the end, everything.
    void decide(bool final) {
        std::uint64_t droppable = final ? drops_left_ : 0;
        for (std::size_t i = 0; i < hanabi::detail::lane_limit; ++i)
            if (lanes_[i] != nullptr) decide_lane(*lanes_[i], found_[i], final, droppable);
        if (final) drops_left_ = droppable;
        ++round_;
        give_up_waiting(final ? round_ : round_ < 3 ? 0 : round_ - 2);
        for (auto i = joined_.begin(); i != joined_.end();) i = final || i->second.round + 8 < round_ ? joined_.erase(i) : std::next(i);
    }

    void decide_lane(lane_type& lane, found* known, bool final, std::uint64_t& droppable) {
        const std::uint64_t size = lane.mask + 1;
        const std::uint64_t last = lane.launches.acquire();
        // Each slot once: launches beyond the ring's size have found theirs taken, or are in the slot of one that is gone.
        const std::uint64_t end = last + 1 < lane.tail + size ? last + 1 : lane.tail + size;
        bool all_before = true;
        std::uint64_t tail = lane.tail;
        for (std::uint64_t s = lane.tail; s < end; ++s) {
            slot_type& slot = lane.slots[s & lane.mask];
            const unsigned state = slot.state.acquire();
            bool done = state == slot_state::free;
            if (state == slot_state::closed) {
                slot.entry.id = slot.id.relaxed();
                found& f = known[s & lane.mask];
                if (f.id != slot.entry.id) {
                    f = {};
                    f.id = slot.entry.id;
                }
                done = hand_over(slot.entry, f, final, droppable);
                if (done) {
                    f.id = 0;
                    slot.state.release(slot_state::free);
                }
            }
            all_before = all_before && done;
            if (all_before) tail = s + 1;
        }
        lane.tail = tail;
    }

    bool hand_over(launch_entry& e, found& f, bool final, std::uint64_t& droppable) {
        row line;
        line.kind = activity_kind::concurrent_kernel;
        line.launch = &e;
        line.launch_id = e.id;
        line.name = {e.kernel->symbol.data(), e.kernel->symbol.size()};
        if (e.source != nullptr) line.source = e.source;
        if (e.host_start == 0 && !f.has_time && f.start != 0) {
            e.host_start = f.start;
            e.host_end = f.end;
        }
        if (e.failed()) {
            line.result = outcome::failed;
            ++account_.failed;
        } else if (e.empty()) {
            line.result = outcome::empty;
            ++account_.empty;
        } else if (e.awaits_record && f.has_record) {
            line.record = &f.record;
            if (f.record.timed())
                matched(line, f.record.start, f.record.end);
            else if (f.record.unfinished()) {
                line.result = outcome::incomplete;
                ++account_.incomplete;
            } else
                untimed(line);
            const auto expected = registers_.find(e.kernel);
            line.mismatched = compare(e, f.record, expected == registers_.end() ? 0 : expected->second);
            if (line.mismatched != 0) ++account_.mismatched;
        } else if (!e.awaits_record && e.awaits_events && f.has_time) {
            if (f.end != 0)
                matched(line, f.start, f.end);
            else
                untimed(line);
        } else if (!e.awaits_record && !e.awaits_events) {
            if (e.host_start != 0 && e.source != nullptr)
                matched(line, e.host_start, e.host_end);
            else
                untimed(line);
        } else if (!final)
            return false;
        else if (droppable != 0) {
            --droppable;
            line.result = outcome::dropped;
            ++account_.dropped;
        } else {
            line.result = outcome::undelivered;
            ++account_.undelivered;
        }
        if (!line.timed()) line.source = "none";
        emit(line);
        return true;
    }
    void matched(row& line, std::uint64_t start, std::uint64_t end) noexcept {
        line.result = outcome::matched;
        line.start = start;
        line.end = end;
        ++account_.matched;
    }
    void untimed(row& line) noexcept {
        line.result = outcome::without_time;
        ++account_.without_time;
    }

    account finish_with(const drop_count& drops, std::error_code unavailable, bool never_started) {
        {
            const hanabi::detail::lock held{mutex_};
            account_.unavailable = unavailable;
            account_.never_started = never_started;
            account_.drops_known = drops.known;
            account_.drops_why = drops.why;
            if (drops.count > account_.drops) {
                drops_left_ += drops.count - account_.drops;
                account_.drops = drops.count;
            }
            decide(true);
        }
        account a = counts();
        a.incomplete += a.pending; // still between before and after
        a.pending = 0;
        const hanabi::detail::lock held{mutex_};
        for (const sink& s : sinks_) s.finish(s.object, a);
        return a;
    }

    void expect_one(const registry& modules, const descriptor& kernel) {
        const std::string module{kernel.module.data(), kernel.module.size()}, symbol{kernel.symbol.data(), kernel.symbol.size()};
        const driver::function_handle function = modules.function(module, symbol);
        int registers = 0;
        const context in = modules.context();
        const hanabi::detail::current_scope scope{*in.state()};
        if (scope.status() == driver::status::success &&
            in.table().func_get_attribute(&registers, driver::function_attribute::num_regs, function) == driver::status::success &&
            registers > 0) // the host driver has none for PTX
            expect_registers(kernel, static_cast<unsigned>(registers));
    }

    const std::uint64_t number_ = hanabi::detail::ledger_count.add(1);
    ledger_options options_;
    mutable hanabi::detail::mutex mutex_;
    lane_type* lanes_[hanabi::detail::lane_limit] = {};
    found* found_[hanabi::detail::lane_limit] = {};
    hanabi::detail::atomic<std::uint64_t> unlaned_{0};
    std::vector<sink> sinks_;
    std::unordered_map<const descriptor*, unsigned> registers_;
    std::unordered_map<std::uint32_t, joined> joined_;
    std::unordered_multimap<std::uint32_t, waiting> waiting_;
    std::uint64_t round_ = 1;
    std::uint64_t drops_left_ = 0;
    account account_;
};

} // namespace hanabi::profile

#endif
