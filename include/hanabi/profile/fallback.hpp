// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The fallback policy: the first of several that can measure here.

#ifndef HANABI_PROFILE_FALLBACK_HPP
#define HANABI_PROFILE_FALLBACK_HPP

#include <hanabi/config.hpp>
#include <hanabi/dispatcher.hpp>
#include <hanabi/launch_view.hpp>

#include <concepts>
#include <cstddef>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace hanabi::profile {

/// Satisfied by policies that can say why they can't measure: activity, events, host_clock.
template <class P>
concept measuring_policy = launch_policy<P> && requires(const P& policy, const launch_view& view) {
    { policy.unavailable() }
    noexcept->std::same_as<std::error_code>;
    requires !std::is_void_v<decltype(policy.before(view))>;
};

/// Measures by the first of its policies that can, asked once, when it is made: start sessions before.
///
///     hanabi::profile::fallback timing{hanabi::profile::activity{session, ledger}, hanabi::profile::events{pool},
///                                      hanabi::profile::host_clock{ledger}};
///     timing.chosen();    // 1
///     timing.reason<0>(); // why not the first: an error code of the session
///
/// Rows say their times' source themselves. Where none can, launches are not observed and chosen() is their number.
template <measuring_policy... P>
class fallback {
  public:
    static constexpr std::size_t size = sizeof...(P);
    using token = std::variant<std::monostate, decltype(std::declval<const P&>().before(std::declval<const launch_view&>()))...>;

    explicit fallback(P... policies) noexcept : policies_{policies...}, reasons_{policies.unavailable()...} {
        while (chosen_ < size && reasons_[chosen_]) ++chosen_;
    }

    token before(const launch_view& view) const noexcept {
        token t;
        with_chosen([&](const auto& policy, auto index) { t.template emplace<index.value + 1>(policy.before(view)); },
                    std::index_sequence_for<P...>{});
        return t;
    }
    void after(const launch_view& view, token&& t, const std::error_code& status) const noexcept {
        with_chosen(
            [&](const auto& policy, auto index) {
                if (auto* const held = std::get_if<index.value + 1>(&t)) policy.after(view, std::move(*held), status);
            },
            std::index_sequence_for<P...>{});
    }

    /// Which one measures, from 0.
    std::size_t chosen() const noexcept { return chosen_; }
    /// Why policy number I does not: success for one that could.
    template <std::size_t I>
    std::error_code reason() const noexcept {
        static_assert(I < size, "hanabi::profile::fallback: there are fewer policies");
        return reasons_[I];
    }
    /// Success where one measures; else the last one's reason.
    std::error_code unavailable() const noexcept { return chosen_ < size ? std::error_code{} : reasons_[size - 1]; }
    template <std::size_t I>
    const auto& policy() const noexcept {
        return std::get<I>(policies_);
    }

  private:
    template <class F, std::size_t... I>
    void with_chosen(F&& use, std::index_sequence<I...>) const noexcept {
        static_cast<void>(((I == chosen_ ? (use(std::get<I>(policies_), std::integral_constant<std::size_t, I>{}), true) : false) || ...));
    }

    std::tuple<P...> policies_;
    std::error_code reasons_[size];
    std::size_t chosen_ = 0;
};

template <class... P>
fallback(P...) -> fallback<P...>;

} // namespace hanabi::profile

#endif
