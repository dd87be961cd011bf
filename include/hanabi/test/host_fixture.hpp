// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The fixture of tests without a GPU: a fresh host driver for each test, and nothing left behind.

#ifndef HANABI_TEST_HOST_FIXTURE_HPP
#define HANABI_TEST_HOST_FIXTURE_HPP

#include <hanabi/context.hpp>
#include <hanabi/host.hpp>
#include <hanabi/host/state.hpp>
#include <hanabi/test/print_host.hpp>

#include <boost/test/test_tools.hpp>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::test {

namespace detail {

/// HANABI_DRIVER=host while it lives.
class host_in_environment {
  public:
    host_in_environment() {
        if (const char* const value = std::getenv(name)) before_ = value;
        set("host");
    }
    ~host_in_environment() { set(before_ ? before_->c_str() : nullptr); }
    host_in_environment(const host_in_environment&) = delete;
    host_in_environment& operator=(const host_in_environment&) = delete;

  private:
    static constexpr const char* name = "HANABI_DRIVER";
    static void set(const char* value) {
#if defined(_WIN32)
        ::_putenv_s(name, value != nullptr ? value : "");
#else
        if (value != nullptr)
            ::setenv(name, value, 1);
        else
            ::unsetenv(name);
#endif
    }
    std::optional<std::string> before_;
};

/// Lets every process-scoped context of the host driver go, whatever devices it had.
inline void release_host_contexts() {
    hanabi::detail::primary_contexts& all = hanabi::detail::all_primary_contexts();
    std::vector<hanabi::detail::shared<hanabi::detail::context_state>> released; // given up outside the lock: that calls the driver
    const hanabi::detail::lock held{all.mutex};
    for (auto& state : all.states)
        if (state->driver == &host::table()) released.push_back(std::move(state));
    std::erase(all.states, nullptr);
}

using body_table = std::map<std::pair<std::string, std::string>, std::shared_ptr<const host::detail::typed_body>>;

inline body_table host_bodies() {
    auto& state = host::detail::state();
    const std::lock_guard lock{state.mutex};
    return state.bodies;
}
inline void set_host_bodies(body_table bodies) {
    auto& state = host::detail::state();
    const std::lock_guard lock{state.mutex};
    state.bodies.swap(bodies);
}

/// Whether some context was broken, by a kernel that failed or by host::break_context: what it held can't be freed then.
inline bool some_context_is_broken() {
    auto& state = host::detail::state();
    const std::lock_guard lock{state.mutex};
    for (const auto& [handle, context] : state.contexts)
        if (context->broken != driver::status::success) return true;
    return false;
}

} // namespace detail

/// A fresh host driver for a test: with the devices given, and no contexts, launches, faults or records of earlier tests. While
/// it lives it is the default driver too (HANABI_DRIVER=host), so that code under test which calls context::primary() or
/// context::any() gets it. Bodies of kernels that were defined before stay defined; those defined during the test are
/// forgotten with it.
///
/// At the end it checks (BOOST_CHECK) that nothing on the devices was left behind: memory, streams, events, modules and
/// contexts, each named in the failure; then the driver is as at the beginning. What the test itself holds has gone by then:
/// local variables and members of derived fixtures. Objects with static storage count as left behind.
///
/// For BOOST_FIXTURE_TEST_SUITE, BOOST_FIXTURE_TEST_CASE, and as a base class of fixtures. One at a time.
class host_fixture {
  public:
    /// By default one device, with everything about it the default.
    explicit host_fixture(std::vector<host::device_config> devices = {host::device_config{}}) : bodies_{detail::host_bodies()} {
        detail::release_host_contexts();
        host::configure(std::move(devices));
    }
    host_fixture(const host_fixture&) = delete;
    host_fixture& operator=(const host_fixture&) = delete;

    ~host_fixture() {
        host::clear_faults(); // or giving back might fail
        const bool broken = detail::some_context_is_broken();
        detail::release_host_contexts();
        if (!may_leak_ && !broken) {
            const std::string left = left_behind();
            BOOST_CHECK_MESSAGE(left.empty(), left);
        }
        host::reset();
        detail::set_host_bodies(std::move(bodies_));
    }

    /// The process-scoped context of a device of the host driver.
    static hanabi::context device(int ordinal = 0) { return context::host(ordinal); }

    /// For tests that leave something behind on purpose: nothing is checked at the end. (Nor is it after a context was broken:
    /// nothing can be freed in one.)
    void allow_leaks() noexcept { may_leak_ = true; }

    /// What is left behind at the moment, in words, contexts among it; empty if nothing.
    static std::string left_behind() {
        std::string s;
        const std::vector<host::leak> all = host::leaks();
        bool contexts = false;
        for (const host::leak& l : all) {
            s += "\n  " + l.text;
            contexts = contexts || l.kind == "context";
        }
        const std::size_t lost = host::balance().lost_with_context;
        if (lost != 0) s += "\n  " + detail::counted(lost, "object") + " of a context that was destroyed, never given back before";
        if (contexts) s += "\n  (what the library makes keeps its context alive, and that its own stream)";
        return s.empty() ? s : "left behind on the host driver's devices:" + s;
    }

  private:
    detail::host_in_environment environment_;
    detail::body_table bodies_;
    bool may_leak_ = false;
};

/// host_fixture with the devices that a function (or lambda without captures) returns, as a type for Boost.Test's macros:
///
///     std::vector<hanabi::host::device_config> two_devices();
///     BOOST_FIXTURE_TEST_SUITE(peer_copies, hanabi::test::host_fixture_with<two_devices>)
template <auto Devices>
class host_fixture_with : public host_fixture {
  public:
    host_fixture_with() : host_fixture(Devices()) {}
};

} // namespace hanabi::test

#endif
