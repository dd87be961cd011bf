// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What stands behind a context handle: the driver's context, the stream it owns, the device's limits and the table of
/// its allocations; and making it current.

#ifndef HANABI_DETAIL_CONTEXT_STATE_HPP
#define HANABI_DETAIL_CONTEXT_STATE_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/allocation_table.hpp>
#include <hanabi/detail/fork.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/detail/stream_pool.hpp>
#include <hanabi/device_limits.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/teardown.hpp>

#include <string>

namespace hanabi::detail {

struct allocation;
struct context_state;
struct registry_state;

/// Who ends a context: we give back what we retained, we destroy it, or it is somebody else's.
enum class context_ownership { primary, owned, foreign };

/// Makes the context current to this thread. `previous` becomes what restore_current must put back, which is the context
/// itself when there is nothing to do. One driver call when it was current already. A context that was reset or destroyed
/// behind our back is never made current, whoever lives at its address now: context_is_destroyed (handles of the old one
/// crash the driver in the new one). In a forked child: not_initialized, with no call. Any thread.
inline driver::status ensure_current(const context_state& state, driver::context_handle& previous) noexcept;

/// Puts back what ensure_current found. A failure is dropped: that context was destroyed in between, by somebody else.
inline void restore_current(const context_state& state, driver::context_handle previous) noexcept;

/// Whether the context has been reset or destroyed behind our back. A new context can have the old one's address, so this
/// compares ids (cuCtxGetId); false where the driver has none. One driver call; not for the launch path.
inline bool context_gone(const context_state& state) noexcept;

/// One context, shared by everything made in it. Constant once made, but for the allocation table, which has its own
/// mutex: any thread.
struct context_state : shared_object {
    // What a launch touches comes first.
    const driver::table* driver = nullptr;
    driver::context_handle handle = nullptr;
    unsigned long long id = 0;              ///< cuCtxGetId's; 0 when the driver has none (before CUDA 12.0)
    driver::stream_handle stream = nullptr; ///< non-blocking, ours
    device_limits limits;

    driver::device_handle device = 0;
    int ordinal = 0;
    int driver_version = 0;
    compute_capability capability;
    context_ownership ownership = context_ownership::foreign;
    std::string device_name;

    /// The allocations alive, by address, so that whoever meets an address can share its ownership.
    mutex allocations_mutex;
    allocation_table allocations;

    /// The registries of this context, linked through themselves: whose kernels may be to blame for a sticky error.
    mutex registries_mutex;
    registry_state* registries = nullptr;
    /// Makes launches of all registries look before they leap, once the context is known to have gone; null without any.
    void (*stop_launches)(context_state&) noexcept = nullptr;

    /// For expressions that fork.
    stream_pool pool;

    context_state() = default;
    context_state(const context_state&) = delete;
    context_state& operator=(const context_state&) = delete;

    ~context_state() {
        if (process_forked || handle == nullptr) return;
        const bool gone = context_gone(*this);
        if (!pool.empty()) {
            driver::context_handle previous;
            driver::status status = gone ? driver::status::success : ensure_current(*this, previous);
            if (status == driver::status::success) {
                status = pool.clear(*driver, gone);
                if (!gone) restore_current(*this, previous);
            }
            report_teardown("destroying the streams that expressions forked to", status);
        }
        if (stream != nullptr && !gone) { // the streams of a reset context went with it
            driver::context_handle previous;
            driver::status status = ensure_current(*this, previous);
            if (status == driver::status::success) {
                status = driver->stream_destroy(stream);
                restore_current(*this, previous);
            }
            report_teardown("destroying a context's own stream", status);
        }
        if (ownership == context_ownership::primary) // due after a reset too: that does not count as a release
            report_teardown("releasing a primary context", driver->device_primary_ctx_release(device));
        else if (ownership == context_ownership::owned && !gone)
            report_teardown("destroying a context", driver->ctx_destroy(handle));
    }
};

/// True in a thread that had no current context when the library last saw it. There, asking for the current one's id fails,
/// and a failing call writes to the driver's log (870 ns on an H200; the other calls here take 10 to 20).
HANABI_SHARED inline constinit thread_local bool thread_without_context = false;

/// The path of ensure_current that has to change something, or that failed.
HANABI_COLD inline driver::status switch_current(const context_state& state, driver::context_handle& previous) noexcept {
    driver::status status = state.driver->ctx_get_current(&previous);
    if (status == driver::status::success) {
        thread_without_context = previous == nullptr;
        if (context_gone(state))
            status = driver::status::context_is_destroyed;
        else if (previous == state.handle || (status = state.driver->ctx_set_current(state.handle)) == driver::status::success) {
            thread_without_context = false;
            return status;
        }
    }
    previous = state.handle;
    return status;
}

inline driver::status ensure_current(const context_state& state, driver::context_handle& previous) noexcept {
    if (process_forked) [[unlikely]] {
        previous = state.handle;
        return driver::status::not_initialized;
    }
    if (state.id != 0 && !thread_without_context) [[likely]] {
        // The current context's id says in one call that it is ours, and that it is the same one still.
        unsigned long long id = 0;
        if (state.driver->ctx_get_id(nullptr, &id) == driver::status::success && id == state.id) [[likely]] {
            previous = state.handle;
            return driver::status::success;
        }
    }
    return switch_current(state, previous);
}

inline void restore_current(const context_state& state, driver::context_handle previous) noexcept {
    if (previous == state.handle) [[likely]]
        return;
    thread_without_context = previous == nullptr;
    static_cast<void>(state.driver->ctx_set_current(previous));
}

inline bool context_gone(const context_state& state) noexcept {
    if (state.id == 0 || state.driver->ctx_get_id == nullptr) return false;
    unsigned long long id = 0;
    switch (state.driver->ctx_get_id(state.handle, &id)) {
    case driver::status::success: return id != state.id;
    case driver::status::invalid_context:
    case driver::status::context_is_destroyed: return true;
    default: return false;
    }
}

/// The context current for the length of a scope; what was current before comes back at its end, whatever happens.
class current_scope {
  public:
    explicit current_scope(const context_state& state) noexcept : state_{state}, status_{ensure_current(state, previous_)} {}
    ~current_scope() { restore_current(state_, previous_); }
    current_scope(const current_scope&) = delete;
    current_scope& operator=(const current_scope&) = delete;

    /// success, or why the context could not be made current: then no call may be made in it.
    driver::status status() const noexcept { return status_; }

  private:
    const context_state& state_;
    driver::context_handle previous_ = nullptr; // declared before status_: its initialiser writes it
    driver::status status_;
};

/// What a destructor does in a context: nothing in a forked child, or when the context has gone and its objects with it.
template <class Call>
void tear_down(const context_state& state, const char* operation, Call call) noexcept {
    if (process_forked) return;
    const current_scope scope{state};
    report_teardown(operation, scope.status() == driver::status::success ? call() : scope.status());
}

} // namespace hanabi::detail

#endif
