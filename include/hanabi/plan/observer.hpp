// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How the policies of a dispatcher see the launches of a plan it made.

#ifndef HANABI_PLAN_OBSERVER_HPP
#define HANABI_PLAN_OBSERVER_HPP

#include <hanabi/detail/shared.hpp>
#include <hanabi/launch_view.hpp>
#include <hanabi/plan/program.hpp>

#include <cstddef>
#include <new>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi::detail {

/// Told of each replay: before it, and after it with the status. A plan made without policies has none.
struct replay_observer {
    replay_observer() noexcept = default;
    replay_observer(const replay_observer&) = delete;
    replay_observer& operator=(const replay_observer&) = delete;
    virtual ~replay_observer() = default;

    virtual void before(const program& p, driver::stream_handle stream) noexcept = 0;
    virtual void after(const program& p, driver::stream_handle stream, std::error_code status) noexcept = 0;
    /// One for a plan that has as many launches.
    virtual replay_observer* copy() const = 0;
};

/// What a policy's `before` returned, for each launch, until `after` takes it.
template <class Token>
class token_list {
  public:
    explicit token_list(std::size_t count) : tokens_{static_cast<Token*>(::operator new(count * sizeof(Token), alignment))} {}
    token_list(const token_list&) = delete;
    token_list& operator=(const token_list&) = delete;
    ~token_list() { ::operator delete(tokens_, alignment); }

    template <class Policy>
    void before(const Policy& policy, const launch_view& view, std::size_t i) noexcept {
        new (tokens_ + i) Token(policy.before(view));
    }
    template <class Policy>
    void after(const Policy& policy, const launch_view& view, std::size_t i, std::error_code status) noexcept {
        policy.after(view, std::move(tokens_[i]), status);
        tokens_[i].~Token();
    }

  private:
    static constexpr std::align_val_t alignment{alignof(Token)};
    Token* tokens_;
};
template <>
class token_list<void> {
  public:
    explicit token_list(std::size_t) noexcept {}
    template <class Policy>
    void before(const Policy& policy, const launch_view& view, std::size_t) noexcept {
        policy.before(view);
    }
    template <class Policy>
    void after(const Policy& policy, const launch_view& view, std::size_t, std::error_code status) noexcept {
        policy.after(view, status);
    }
};

template <class Policy>
using token_of = std::decay_t<decltype(std::declval<const Policy&>().before(std::declval<const launch_view&>()))>;

/// The policies of a dispatcher over a plan's launches, in the order in which they were written: before in order, after in
/// reverse, so that what one policy opens and closes nests.
template <class... Policies>
class observer_of final : public replay_observer {
    template <class Policy>
    struct watcher {
        Policy policy;
        token_list<token_of<Policy>> tokens;
        watcher(const Policy& p, std::size_t launches) : policy{p}, tokens{launches} {}
    };
    template <std::size_t I, class Policy>
    struct slot : watcher<Policy> {
        using watcher<Policy>::watcher;
    };
    template <class Indices>
    struct slots;
    template <std::size_t... I>
    struct slots<std::index_sequence<I...>> : slot<I, Policies>... {
        slots(std::size_t launches, const Policies&... p) : slot<I, Policies>(p, launches)... {}
        void before(const launch_view& view, std::size_t launch) noexcept {
            (slot<I, Policies>::tokens.before(slot<I, Policies>::policy, view, launch), ...);
        }
        void after(const launch_view& view, std::size_t launch, std::error_code status) noexcept {
            // The comma evaluates left to right; an assignment right to left, which is the order wanted here.
            int last = 0;
            ((slot<I, Policies>::tokens.after(slot<I, Policies>::policy, view, launch, status), last) = ... = 0);
        }
        replay_observer* copy(std::size_t launches) const { return new observer_of(launches, slot<I, Policies>::policy...); }
    };

  public:
    observer_of(std::size_t launches, const Policies&... policies) : launches_{launches}, slots_(launches, policies...) {}

    void before(const program& p, driver::stream_handle stream) noexcept override {
        for (std::size_t i = 0; i < launches_; ++i) slots_.before(view(p, i, stream), i);
    }
    void after(const program& p, driver::stream_handle stream, std::error_code status) noexcept override {
        for (std::size_t i = launches_; i-- != 0;) slots_.after(view(p, i, stream), i, status);
    }
    replay_observer* copy() const override { return slots_.copy(launches_); }

  private:
    template <class Program>
    static launch_view view(const Program& p, std::size_t i, driver::stream_handle stream) noexcept {
        const launch_step& l = p.launches[i];
        return {*l.kernel, l.shape, l.terms, stream, p.context->handle, l.arguments, p.steps[l.step].node};
    }

    std::size_t launches_;
    slots<std::index_sequence_for<Policies...>> slots_;
};

} // namespace hanabi::detail

#endif
