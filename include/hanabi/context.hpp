// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// context: one device's driver context with the stream it owns, shared process-wide, the place where everything else is
/// made.

#ifndef HANABI_CONTEXT_HPP
#define HANABI_CONTEXT_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/device_limits.hpp>
#include <hanabi/driver/select.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>

#include <cstddef>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace hanabi {

namespace detail {

/// The process-scoped contexts: one state for each driver and ordinal.
struct primary_contexts {
    detail::mutex mutex;
    std::vector<shared<context_state>> states;
};

/// Never destroyed: at exit the driver may have gone already.
HANABI_SHARED inline primary_contexts& all_primary_contexts() {
    static primary_contexts& instance = *new primary_contexts;
    return instance;
}

/// Of a context that has gone: from now on, launches of its registries look at it first.
inline void stop_launches(context_state& gone) noexcept {
    void (*stop)(context_state&) noexcept = nullptr;
    {
        const detail::lock held{gone.registries_mutex};
        stop = gone.stop_launches;
    }
    if (stop != nullptr) stop(gone);
}

/// Initialises the driver and counts its devices; none is an error.
template <class = void>
failure count_devices(const driver::table& table, const char* operation, int& count) {
    count = 0;
    if (process_forked) return forked_failure(operation);
    watch_forks();
    driver::status status = table.init(0);
    if (status == driver::status::success) status = table.device_get_count(&count);
    if (status == driver::status::no_device || (status == driver::status::success && count <= 0))
        return {errc::no_device, std::string{operation} + ": the driver (" + table.origin + ") is there and has no CUDA device; " +
                                     driver::advice_for(driver::status::no_device) +
                                     ", or use hanabi::context::any(), which falls back to the host driver"};
    if (status != driver::status::success)
        return driver_failure(table, nullptr, status, std::string{operation} + ": initialising the driver");
    return {};
}

/// The device of an ordinal.
template <class = void>
failure find_device(const driver::table& table, int ordinal, const char* operation, driver::device_handle& device) {
    int count = 0;
    if (failure f = count_devices(table, operation, count); f.code) return f;
    if (ordinal < 0 || ordinal >= count)
        return {errc::ordinal_out_of_range, std::string{operation} + ": there is no device " + std::to_string(ordinal) + "; the driver (" +
                                                table.origin + ") has " + std::to_string(count) +
                                                (count == 1 ? " device, number 0" : " devices, numbers 0 to " + std::to_string(count - 1))};
    if (const driver::status status = table.device_get(&device, ordinal); status != driver::status::success)
        return driver_failure(table, nullptr, status, std::string{operation} + ": finding device " + std::to_string(ordinal));
    return {};
}

/// Reads attributes into limits, remembering the first failure. An attribute that a driver is too old to know reads as 0.
class limits_reader {
  public:
    limits_reader(const driver::table& table, driver::device_handle device) noexcept : table_{table}, device_{device} {}

    int read(driver::device_attribute attribute, bool required) noexcept {
        int value = 0;
        const driver::status got = table_.device_get_attribute(&value, attribute, device_);
        if (got == driver::status::success) return value;
        if (status == driver::status::success && (required || got != driver::status::invalid_value)) status = got;
        return 0;
    }
    unsigned require(driver::device_attribute attribute) noexcept { return unsigned_of(read(attribute, true)); }
    unsigned ask(driver::device_attribute attribute) noexcept { return unsigned_of(read(attribute, false)); }
    bool has(driver::device_attribute attribute) noexcept { return read(attribute, false) != 0; }

    driver::status status = driver::status::success;

  private:
    static unsigned unsigned_of(int value) noexcept { return value < 0 ? 0u : static_cast<unsigned>(value); }
    const driver::table& table_;
    driver::device_handle device_;
};

/// Fills in what is known of a state's device.
template <class = void>
driver::status describe_device(context_state& state) {
    using attribute = driver::device_attribute;
    const driver::table& table = *state.driver;
    char name[256] = {};
    driver::status status = table.device_get_name(name, static_cast<int>(sizeof name) - 1, state.device);
    if (status != driver::status::success) return status;
    state.device_name = name;
    if (status = table.driver_get_version(&state.driver_version); status != driver::status::success) return status;

    limits_reader device{table, state.device};
    device_limits& limits = state.limits;
    limits.max_grid[0] = device.require(attribute::max_grid_dim_x);
    limits.max_grid[1] = device.require(attribute::max_grid_dim_y);
    limits.max_grid[2] = device.require(attribute::max_grid_dim_z);
    limits.max_block[0] = device.require(attribute::max_block_dim_x);
    limits.max_block[1] = device.require(attribute::max_block_dim_y);
    limits.max_block[2] = device.require(attribute::max_block_dim_z);
    limits.max_threads_per_block = device.require(attribute::max_threads_per_block);
    limits.warp_size = device.require(attribute::warp_size);
    limits.multiprocessors = device.require(attribute::multiprocessor_count);
    limits.shared_per_block = device.require(attribute::max_shared_memory_per_block);
    limits.shared_per_block_optin = device.ask(attribute::max_shared_memory_per_block_optin);
    if (limits.shared_per_block_optin < limits.shared_per_block) limits.shared_per_block_optin = limits.shared_per_block;
    limits.reserved_shared_per_block = device.ask(attribute::reserved_shared_memory_per_block);
    limits.shared_per_multiprocessor = device.ask(attribute::max_shared_memory_per_multiprocessor);
    limits.max_registers_per_block = device.ask(attribute::max_registers_per_block);
    limits.max_registers_per_multiprocessor = device.ask(attribute::max_registers_per_multiprocessor);
    limits.max_threads_per_multiprocessor = device.ask(attribute::max_threads_per_multiprocessor);
    limits.max_blocks_per_multiprocessor = device.ask(attribute::max_blocks_per_multiprocessor);
    limits.l2_cache_size = device.ask(attribute::l2_cache_size);
    limits.max_persisting_l2_cache_size = device.ask(attribute::max_persisting_l2_cache_size);
    limits.max_access_policy_window_size = device.ask(attribute::max_access_policy_window_size);
    limits.mem_sync_domains = device.ask(attribute::mem_sync_domain_count);
    limits.cooperative_launch = device.has(attribute::cooperative_launch);
    limits.cluster_launch = device.has(attribute::cluster_launch);
    limits.memory_pools = device.has(attribute::memory_pools_supported);
    limits.tensor_maps = device.has(attribute::tensor_map_access_supported);
    limits.unified_addressing = device.has(attribute::unified_addressing);
    limits.stream_priorities = device.has(attribute::stream_priorities_supported);
    state.capability.major = device.read(attribute::compute_capability_major, true);
    state.capability.minor = device.read(attribute::compute_capability_minor, true);
    return device.status;
}

/// What every new state needs once it has a context: its id and its own stream.
template <class = void>
driver::status complete_state(context_state& state) {
    if (state.driver->ctx_get_id != nullptr)
        if (const driver::status status = state.driver->ctx_get_id(state.handle, &state.id); status != driver::status::success)
            return status;
    const current_scope scope{state};
    if (scope.status() != driver::status::success) return scope.status();
    driver::stream_handle stream = nullptr;
    const driver::status status = state.driver->stream_create_with_priority(&stream, driver::stream_flags::non_blocking, 0);
    if (status == driver::status::success) state.stream = stream; // on failure whatever the driver left there is no stream
    return status;
}

/// A state over the device's primary context.
template <class = void>
failure make_primary(const driver::table& table, int ordinal, shared<context_state>& made) {
    constexpr const char* operation = "hanabi::context::primary";
    auto state = shared<context_state>::make();
    state->driver = &table;
    state->ordinal = ordinal;
    if (failure f = find_device(table, ordinal, operation, state->device); f.code) return f;
    driver::status status = describe_device(*state);
    if (status == driver::status::success) {
        driver::context_handle handle = nullptr;
        status = table.device_primary_ctx_retain(&handle, state->device);
        if (status == driver::status::success) {
            state->ownership = context_ownership::primary;
            state->handle = handle;
            status = complete_state(*state);
        }
    }
    if (status != driver::status::success)
        return driver_failure(table, nullptr, status, operation + (": device " + std::to_string(ordinal)));
    made = std::move(state);
    return {};
}

/// A state over a context made for it alone.
template <class = void>
failure make_owned(const driver::table& table, int ordinal, unsigned flags, shared<context_state>& made) {
    constexpr const char* operation = "hanabi::context::create";
    auto state = shared<context_state>::make();
    state->driver = &table;
    state->ordinal = ordinal;
    if (failure f = find_device(table, ordinal, operation, state->device); f.code) return f;
    driver::status status = describe_device(*state);
    driver::context_handle before = nullptr;
    if (status == driver::status::success) status = table.ctx_get_current(&before);
    if (status == driver::status::success) {
        driver::context_handle handle = nullptr;
        status = table.ctx_create(&handle, flags, state->device);
        if (status == driver::status::success) {
            state->ownership = context_ownership::owned;
            state->handle = handle;
            // cuCtxCreate pushed it on this thread's stack of contexts: setting null pops, and what was there is current.
            driver::context_handle now = nullptr;
            static_cast<void>(table.ctx_set_current(nullptr));
            if (table.ctx_get_current(&now) != driver::status::success || now != before) static_cast<void>(table.ctx_set_current(before));
            status = complete_state(*state);
        }
    }
    if (status != driver::status::success)
        return driver_failure(table, nullptr, status, operation + (": device " + std::to_string(ordinal)));
    made = std::move(state);
    return {};
}

/// A state over somebody else's context.
template <class = void>
failure make_adopted(const driver::table& table, driver::context_handle handle, shared<context_state>& made) {
    constexpr const char* operation = "hanabi::context::adopt";
    int count = 0;
    if (failure f = count_devices(table, operation, count); f.code) return f;
    if (handle == nullptr) return {errc::invalid_argument, std::string{operation} + ": a null context"};
    auto state = shared<context_state>::make();
    state->driver = &table;
    state->handle = handle;
    driver::status status;
    {
        const current_scope scope{*state};
        status = scope.status();
        if (status == driver::status::success) status = table.ctx_get_device(&state->device);
    }
    // Without an entry that says so, the ordinal is the one whose device this is.
    for (int ordinal = 0; status == driver::status::success && ordinal < count; ++ordinal) {
        driver::device_handle device = 0;
        status = table.device_get(&device, ordinal);
        if (status == driver::status::success && device == state->device) state->ordinal = ordinal;
    }
    if (status == driver::status::success) status = describe_device(*state);
    if (status == driver::status::success) status = complete_state(*state);
    if (status != driver::status::success) return driver_failure(table, nullptr, status, operation);
    made = std::move(state);
    return {};
}

} // namespace detail

/// How far stream priorities go: lower numbers run first, so greatest <= least. Both 0 without priorities.
struct stream_priority_range {
    int least = 0;
    int greatest = 0;
};

/// Device memory in bytes.
struct memory_info {
    std::size_t free = 0;
    std::size_t total = 0;
};

/// A context of one device and the stream that it owns (non-blocking). A handle: copies are cheap and name the same
/// context, which lives as long as anything made in it. Never empty (a move copies). Any thread; nothing has to be
/// current: every operation of the library makes its context current on the calling thread and puts back what was there.
/// A thread that does many operations saves time by a current_context around them.
class context {
  public:
    context(const context&) noexcept = default;
    context& operator=(const context&) noexcept = default;

    /// The process-scoped context of a device: its primary context, retained once, and one stream. Made at the first call,
    /// the same for every later one, until release(ordinal). One that was reset behind the library is not given out again.
    /// With no table, the driver is HANABI_DRIVER's choice, or CUDA's (driver::default_table()).
    /// Errors: errc::no_driver, no_device, ordinal_out_of_range, forked_process, and the driver's.
    template <class = void>
    static context primary(int ordinal = 0) {
        return primary(ordinal, driver::default_table());
    }
    template <class = void>
    static context primary(int ordinal, const driver::table& table) {
        if (detail::process_forked) detail::raise(detail::forked_failure("hanabi::context::primary"));
        detail::primary_contexts& all = detail::all_primary_contexts();
        detail::shared<detail::context_state> lost; // given up outside the lock
        const detail::lock held{all.mutex};
        for (auto& state : all.states)
            if (state->driver == &table && state->ordinal == ordinal) {
                if (!detail::context_gone(*state)) return context{state};
                detail::stop_launches(*state);
                lost = std::move(state);
                state = std::move(all.states.back());
                all.states.pop_back();
                break;
            }
        detail::shared<detail::context_state> made;
        if (detail::failure f = detail::make_primary(table, ordinal, made); f.code) detail::raise(std::move(f));
        all.states.push_back(made);
        return context{std::move(made)};
    }

    /// primary(0) of the real driver where that and a device exist, else of the host driver (driver::any()).
    template <class = void>
    static context any() {
        return primary(0, driver::any());
    }

    /// primary(ordinal) of the host driver. Error: errc::host_driver_not_linked in a program that includes
    /// <hanabi/host.hpp> nowhere.
    template <class = void>
    static context host(int ordinal = 0) {
        return primary(ordinal, driver::host());
    }

    /// A context of its own (cuCtxCreate) with flags of driver::context_flags, destroyed with the last thing made in it.
    /// Not current on return. Prefer primary(): a device does not run kernels of two contexts at once.
    template <class = void>
    static context create(int ordinal, unsigned flags = driver::context_flags::automatic) {
        return create(ordinal, flags, driver::default_table());
    }
    template <class = void>
    static context create(int ordinal, unsigned flags, const driver::table& table) {
        detail::shared<detail::context_state> made;
        if (detail::failure f = detail::make_owned(table, ordinal, flags, made); f.code) detail::raise(std::move(f));
        return context{std::move(made)};
    }

    /// A context that somebody else made with the same driver, for example a green one's. Never destroyed here, and it must
    /// outlive what is made in it; the stream is made here.
    template <class = void>
    static context adopt(driver::context_handle handle) {
        return adopt(handle, driver::default_table());
    }
    template <class = void>
    static context adopt(driver::context_handle handle, const driver::table& table) {
        detail::shared<detail::context_state> made;
        if (detail::failure f = detail::make_adopted(table, handle, made); f.code) detail::raise(std::move(f));
        return context{std::move(made)};
    }

    /// Lets the process-scoped context of a device go: a later primary(ordinal) makes a new one. What was made in the old
    /// one keeps it alive and goes on working. False if there was none. Does nothing in a forked child.
    template <class = void>
    static bool release(int ordinal = 0) {
        return release(ordinal, driver::default_table());
    }
    template <class = void>
    static bool release(int ordinal, const driver::table& table) {
        if (detail::process_forked) return false;
        detail::primary_contexts& all = detail::all_primary_contexts();
        detail::shared<detail::context_state> released; // before the lock: its destructor calls the driver
        const detail::lock held{all.mutex};
        for (auto& state : all.states)
            if (state->driver == &table && state->ordinal == ordinal) {
                if (detail::context_gone(*state)) detail::stop_launches(*state);
                released = std::move(state);
                state = std::move(all.states.back());
                all.states.pop_back();
                return true;
            }
        return false;
    }

    /// How many devices the driver has; 0 for a driver without. Errors: no driver, or one that does not initialise.
    template <class = void>
    static int device_count() {
        return device_count(driver::default_table());
    }
    template <class = void>
    static int device_count(const driver::table& table) {
        int count = 0;
        if (detail::failure f = detail::count_devices(table, "hanabi::context::device_count", count); f.code) {
            if (f.code == errc::no_device) return 0;
            detail::raise(std::move(f));
        }
        return count;
    }

    /// The device's number.
    int ordinal() const noexcept { return state_->ordinal; }
    /// The driver's device, for raw calls.
    driver::device_handle device() const noexcept { return state_->device; }
    /// The driver's context, for raw calls.
    driver::context_handle handle() const noexcept { return state_->handle; }
    /// What tells this context from another at the same address (cuCtxGetId); 0 with drivers before CUDA 12.0.
    unsigned long long id() const noexcept { return state_->id; }
    /// The stream that the context owns, raw: non-blocking, of the default priority. stream::own(context) is it as an object.
    driver::stream_handle stream() const noexcept { return state_->stream; }
    /// The driver it belongs to.
    const driver::table& table() const noexcept { return *state_->driver; }
    const std::string& device_name() const noexcept { return state_->device_name; }
    hanabi::compute_capability compute_capability() const noexcept { return state_->capability; }
    /// The CUDA version that the driver supports: 1000 * major + 10 * minor.
    int driver_version() const noexcept { return state_->driver_version; }
    const device_limits& limits() const noexcept { return state_->limits; }

    /// One attribute of the device (cuDeviceGetAttribute).
    template <class = void>
    int attribute(driver::device_attribute which) const {
        int value = 0;
        check(detail::process_forked ? driver::status::not_initialized : table().device_get_attribute(&value, which, state_->device), [&] {
            return "hanabi::context::attribute: attribute " + std::to_string(static_cast<int>(which)) + " of device " +
                   std::to_string(ordinal());
        });
        return value;
    }

    /// The priorities that streams of this context can have.
    template <class = void>
    hanabi::stream_priority_range stream_priority_range() const {
        hanabi::stream_priority_range range;
        in_context([&] { return table().ctx_get_stream_priority_range(&range.least, &range.greatest); },
                   "hanabi::context::stream_priority_range");
        return range;
    }

    /// Device memory, free and in all, at this moment.
    template <class = void>
    hanabi::memory_info memory_info() const {
        hanabi::memory_info info;
        in_context([&] { return table().mem_get_info(&info.free, &info.total); }, "hanabi::context::memory_info");
        return info;
    }

    /// Whether kernels of this device can use the other's memory directly. Copies between devices work in any case.
    template <class = void>
    bool can_access_peer(const context& other) const {
        if (&other.table() != &table() || other.state_->device == state_->device) return false;
        int can = 0;
        check(detail::process_forked ? driver::status::not_initialized
                                     : table().device_can_access_peer(&can, state_->device, other.state_->device),
              "hanabi::context::can_access_peer");
        return can != 0;
    }

    /// Blocks until all work in the context is done, on every stream.
    template <class = void>
    void synchronize() const {
        in_context([&] { return table().ctx_synchronize(); }, "hanabi::context::synchronize");
    }
    template <class = void>
    void synchronize(std::error_code& code) const noexcept {
        const detail::current_scope scope{*state_};
        driver::status status = scope.status();
        if (status == driver::status::success) status = table().ctx_synchronize();
        code = status == driver::status::success ? std::error_code{} : detail::driver_error_code(state_.get(), status);
    }

    /// True for handles of one driver context, however they were come by.
    friend bool operator==(const context& a, const context& b) noexcept {
        return a.state_ == b.state_ ||
               (a.state_->driver == b.state_->driver && a.state_->handle == b.state_->handle && a.state_->id == b.state_->id);
    }

    /// For the library's own use: what stands behind the handle.
    const detail::shared<detail::context_state>& state() const noexcept { return state_; }
    explicit context(detail::shared<detail::context_state> state) noexcept : state_{std::move(state)} {}

  private:
    template <class Operation>
    void check(driver::status status, const Operation& operation) const {
        if (status == driver::status::success) return;
        std::string words;
        const std::error_code code = detail::driver_failed(*state_, status, &words, operation);
        detail::raise(code, std::move(words));
    }
    template <class Call, class Operation>
    void in_context(Call call, const Operation& operation) const {
        const detail::current_scope scope{*state_};
        check(scope.status() == driver::status::success ? call() : scope.status(), operation);
    }

    detail::shared<detail::context_state> state_;
};

} // namespace hanabi

#endif
